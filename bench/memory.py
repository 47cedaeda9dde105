"""What a call takes: what the first one of a server brings in, by leaving parts out, and what each further one adds."""

import tempfile
import threading
from pathlib import Path

from ladder import TURNS, WAIT_SECONDS, ring, script_in
from server import Server, resident_mb
from tables import machine_lines

AT_ONCE = 10
SETTINGS = {
    "as it ships": {},
    "with a voice that has no model": {"NIGHTLIGHT_VOICE": "slt", "NIGHTLIGHT_LIGHTER_VOICE": "slt"},
    "and without the trained reader": {"NIGHTLIGHT_VOICE": "slt", "NIGHTLIGHT_LIGHTER_VOICE": "slt", "NIGHTLIGHT_READER_DIR": "none"},
}
# Turns said by one caller after another, then by several at once.
CALLS = [1, 1, AT_ONCE]
LOOK_EVERY_SECONDS = 0.05


class Peak:
    def __init__(self, pid: int):
        self.pid, self.mb, self._done = pid, 0.0, threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Peak":
        self._looking.start()
        return self

    def _look(self) -> None:
        while not self._done.wait(LOOK_EVERY_SECONDS):
            self.mb = max(self.mb, resident_mb(self.pid))

    def __exit__(self, *_) -> None:
        self._done.set()
        self._looking.join()


def measure_memory() -> dict:
    measured = []
    for name, settings in SETTINGS.items():
        print(f"memory, {name} …", flush=True)
        with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory:
            directory = Path(directory)
            script = script_in(directory, TURNS)
            with Server(directory, WAIT_SECONDS, max_calls=AT_ONCE + 5, **settings) as server:
                stages = [{"calls": 0, "peak_mb": resident_mb(server.process.pid), "after_mb": resident_mb(server.process.pid)}]
                for calls in CALLS:
                    with Peak(server.process.pid) as peak:
                        ring(server, [server.process.pid], calls, script, TURNS)
                    stages.append({"calls": calls, "peak_mb": peak.mb, "after_mb": resident_mb(server.process.pid)})
        measured.append({"settings": name, "stages": stages})
    return {"turns": TURNS, "runs": measured}


def memory_table(machine: dict, measured: dict) -> str:
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- Resident memory of one server that is rung by one caller, by another, then by {AT_ONCE} at once; {measured['turns']} turns each.",
        "",
        f"| megabytes, peak / after | before | the first call | the second | {AT_ONCE} at once | of these, one |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for run in measured["runs"]:
        before, *stages = run["stages"]
        cells = [f"{before['peak_mb']:.0f}", *(f"{stage['peak_mb']:.0f} / {stage['after_mb']:.0f}" for stage in stages)]
        several, second = stages[-1], stages[-2]
        cells.append(f"{(several['peak_mb'] - second['peak_mb']) / (AT_ONCE - 1):.1f}")
        lines.append(f"| {run['settings']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
