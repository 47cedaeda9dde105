"""Nightlight beside a peer, Pipecat: the same callers, model files and words on the same machine, one after the other.

Both answer at WHIP, are rung by nightlight-caller and timed by the sound that it receives. Nightlight goes first; what it
said to the first caller is what the peer is given to say, so that both have the same to speak. A ladder of calls at once is
climbed until the 95th percentile of the replies has doubled, or replies or calls are missing.
"""

import json
import os
import subprocess
import tempfile
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ladder import LADDER as STEPS
from ladder import TURN_SECONDS, TURNS, WAIT_SECONDS, Side, climb, gaps, megabytes, nightlight, p50, percent, ring, runs_rows, script_in
from machine import ROOT
from tables import machine_lines

PEER = ROOT / "bench/peer"
PYTHON = PEER / ".venv/bin/python"
ENGINES = ROOT / "var/engine"
READY_WITHIN_SECONDS = 120
RENDERED_WITHIN_SECONDS = 300
LADDER = {"nightlight": STEPS, "rendered": [1, 4, 6, 8, 10, 15, 20, 30], "made": [1, 2, 3, 4, 6]}
NAMES = {
    "nightlight": "Nightlight",
    "rendered": "Pipecat, what it says rendered ahead",
    "made": "Pipecat, what it says made when it is said",
}


class Peer:
    """`with Peer(…) as peer:`: a process for each core, and one address that deals out calls among them in turn."""

    def __init__(self, says: Path, wait: float, rendered: Path | None, processes: int):
        self.command = [PYTHON, "server.py", "--engines", ENGINES, "--says", says, "--wait", f"{wait:g}"]
        self.command += ["--rendered", rendered] if rendered else []
        self.count = processes
        self.processes: list[subprocess.Popen] = []

    def __enter__(self) -> "Peer":
        self.log = tempfile.TemporaryFile("w+")
        try:
            for _ in range(self.count):
                self.processes.append(
                    subprocess.Popen(
                        self.command, cwd=PEER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True
                    )
                )
            ports = [self._port(process) for process in self.processes]
        except BaseException:
            self.__exit__()
            raise
        self.front = ThreadingHTTPServer(("127.0.0.1", 0), front(ports))
        threading.Thread(target=self.front.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.front.server_port}"
        return self

    def _port(self, process: subprocess.Popen) -> int:
        with ThreadPoolExecutor(1) as reader:
            line = reader.submit(process.stdout.readline)
            try:
                word, _, port = line.result(READY_WITHIN_SECONDS).partition(" ")
            except TimeoutError:
                word = ""
                process.kill()
        if word != "ready":
            raise SystemExit(f"the peer did not start:\n{self.last_words()}")
        return int(port)

    def last_words(self) -> str:
        self.log.seek(0)
        return self.log.read()[-3000:]

    def death(self) -> str | None:
        ended = [process.poll() for process in self.processes]
        return f"exit status {ended}: {self.last_words()}" if any(status is not None for status in ended) else None

    def pids(self) -> list[int]:
        return [process.pid for process in self.processes]

    def __exit__(self, *_) -> None:
        for process in self.processes:
            process.stdin.close()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if hasattr(self, "front"):
            self.front.shutdown()
            self.front.server_close()
        self.log.close()


def front(ports: list[int]) -> type[BaseHTTPRequestHandler]:
    """What a caller asks before and after a call. The offer goes to the process that holds the call."""
    turn = iter(range(1_000_000))

    class Front(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path.startswith("/api/config"):
                self.answer({"publicKey": "peer", "assistantId": "peer"})
            else:
                self.answer({"status": "ended", "summaryTitle": "none is kept", "structuredData": {}, "endedReason": "customer-ended-call"})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            call = str(uuid.uuid4())
            self.answer({"id": call, "webCallUrl": f"http://127.0.0.1:{ports[next(turn) % len(ports)]}/whip/{call}"})

        def answer(self, content: dict) -> None:
            body = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_) -> None:
            pass

    return Front


def same_engines(directory: Path) -> Path:
    """All engines but the fuller transcriber, which the peer has not."""
    engines = directory / "engines"
    engines.mkdir()
    for engine in ENGINES.iterdir():
        if engine.is_dir() and not engine.name.startswith("moonshine-base"):
            (engines / engine.name).symlink_to(engine)
    return engines


def measure_peers(turns: int | None, steps: list[int] | None) -> dict:
    turns = turns or TURNS
    sides = {}
    with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory:
        directory = Path(directory)
        says, sound = directory / "says.json", directory / "rendered.npz"
        engines = str(same_engines(directory))

        def beside(calls: int, rendered: Path | None) -> dict:
            with Peer(says, WAIT_SECONDS, rendered, os.cpu_count()) as peer:
                return ring(peer, peer.pids(), calls, script_in(directory, turns), turns)

        for side, name in NAMES.items():
            print(f"{name}:", flush=True)
            climbed = steps or LADDER[side]
            if side == "nightlight":
                sides[side] = climb(climbed, lambda calls: nightlight(directory, calls, turns, NIGHTLIGHT_ENGINE_DIR=engines))
                said = sides[side][0]["said"]
                says.write_text(json.dumps(said))
                render = [PYTHON, "server.py", "--engines", ENGINES, "--says", says, "--render", sound]
                subprocess.run(render, cwd=PEER, check=True, timeout=RENDERED_WITHIN_SECONDS)
            else:
                sides[side] = climb(climbed, lambda calls: beside(calls, sound if side == "rendered" else None))
            for run in sides[side]:
                run.pop("said")
    return {"turns": turns, "wait_seconds": WAIT_SECONDS, "versions": versions(), "said": said, "sides": sides}


def versions() -> dict[str, str]:
    wanted = ("pipecat-ai", "aiortc", "onnxruntime", "moonshine-voice", "kokoro-onnx")
    ask = f"import importlib.metadata as m; print(*(m.version(p) for p in {wanted!r}))"
    told = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    python = subprocess.run([PYTHON, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    return {"python": python, **dict(zip(wanted, told, strict=True))}


def peers_table(machine: dict, measured: dict) -> str:
    sides = {name: Side(name, runs) for name, runs in measured["sides"].items()}
    ours = sides["nightlight"]
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- Peer: {versions} (`bench/peer/requirements.txt`).",
        f"- The same callers (`nightlight-caller`, WebRTC, {measured['turns']} turns each, begun over {TURN_SECONDS:g} s), on the same"
        " cores, one server after the other, each afresh for every run. Reply: from the end of the caller's last sound to the first"
        " sound received.",
        "- Both: Moonshine tiny-en, one transcription at a time for each core, one thread each, its own voice detection off; Kokoro-82M"
        f" int8, af_heart at 0.85 of its pace, ONNX Runtime with a thread a core; the words that Nightlight said in its first call; a"
        f" reply at {measured['wait_seconds']:g} s after the caller's last sound at the earliest.",
        "- Nightlight: as it ships but for its fuller transcriber, which is left out; one process, `start_wait_seconds = 0.4`. What is"
        " always said is rendered ahead, and the rest made while the wait runs. Moonshine runs in the same runtime as the voice, where"
        " Pipecat's service runs it in Moonshine's own library. It also reads every turn with two readers, runs the flow, and stores the"
        " turn on disk before the reply.",
        "- Pipecat: a process a core, calls dealt out in turn; its own WebRTC transport (aiortc), Silero (stops at 0.2 s, confidence 0.7,"
        " volume 0.6, as it ships), Moonshine and Kokoro services, turn-taking by a time-out of 0.2 s after the detector's 0.2 s (it ships"
        " with a model, or 0.6 s). Its models are loaded once in a process, where its services load them for every call. No chat model: a"
        " reply is there at once. It stores nothing. uvloop is its event loop; observers and RTVI messages are off.",
        "- In pace: p95 at most twice its own of one call, nothing missing; by its own means that who is slow with one call is allowed more. Memory: of all"
        " its processes, shared pages counted once. One more call: from one call's peak to that of the most in pace.",
        "- CPU: of one core, per call. Load: of the machine before the run; well above 0 means that others were using it.",
        "",
        "| | calls in pace | per core | reply p50 / p95, one call | with the most calls | CPU a call then | memory before |"
        " one more call |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, side in sides.items():
        one, most = side.alone(), side.most()
        lines.append(
            f"| {NAMES[name]} | {most['calls']}{'' if len(side.in_pace()) < len(side.runs) else ' or more'} |"
            f" {most['calls'] / machine['cores']:g} | {gaps(one)} | {gaps(most)} | {percent(most)} | {one['memory_idle_mb']:.0f} MB |"
            f" {megabytes(side.memory_of_one_more_mb())} |"
        )
    for name in ("rendered", "made"):
        lines.append(ratios(ours, sides[name], NAMES[name]))
    lines += ["", *runs_rows([(NAMES[name], side.runs) for name, side in sides.items()])]
    return "\n".join(lines) + "\n"


def ratios(ours: Side, peer: Side, name: str) -> str:
    """Nightlight's figure to the peer's, of what is better: more calls, or less of the rest."""

    def times(better: float | None, worse: float | None) -> str:
        return f"**{better / worse:.1f} ×**" if better and worse and better > 0 and worse > 0 else "–"

    mine, theirs = ours.most(), peer.most()
    cells = [
        f"Nightlight to: {name}",
        times(mine["calls"], theirs["calls"]),
        times(mine["calls"], theirs["calls"]),
        times(p50(peer.alone()), p50(ours.alone())),
        "",
        times(theirs["cpu_percent_per_call"], mine["cpu_percent_per_call"]),
        times(peer.alone()["memory_idle_mb"], ours.alone()["memory_idle_mb"]),
        times(peer.memory_of_one_more_mb(), ours.memory_of_one_more_mb()),
    ]
    return "| " + " | ".join(cells) + " |"
