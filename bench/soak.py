"""Does a server that has taken thousands of calls hold anything of them? Short calls, several at once, by voice and in writing;
after the first and after all of them: memory, descriptors, threads, tasks, calls still open."""

import json
import os
import re
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from machine import load_average
from server import Server, program, resident_mb
from tables import machine_lines

CALLS = 10_000
FIRST = 500
# A voice call takes seconds, and these keep the two sorts of call busy side by side on two cores.
BY_VOICE_EACH = 5
VOICES_AT_ONCE = 25
WRITERS_AT_ONCE = 6
MOST_GROWTH = 0.05
# What a server of thousands of calls may hold more than one of hundreds: connections and workers come and go by a few.
SPARE = {"descriptors": 8, "threads": 4, "tasks": 8}
SETTLES_WITHIN_SECONDS = 120
QUIET_SECONDS = 15
LONGEST_CALL_SECONDS = 60
RETURN_WITHIN_SECONDS = 2
GAUGES_OF_OPEN_CALLS = (
    "nightlight_calls_live",
    "nightlight_calls_waiting_to_be_joined",
    "nightlight_media_calls",
    "nightlight_written_conversations_live",
)

# What voice callers do, in turn: hang up in the greeting, write on the line, speak and be answered, vanish without a word.
WRITES = {"type": "add-message", "message": {"role": "user", "content": "I feel lonely these days"}}
SORTS = {
    "hung up in the greeting": (["--transport", "webrtc"], [{"wait": 2}, {"hang_up": True}]),
    "wrote on the line": (["--transport", "websocket"], [{"wait": 1}, {"send": WRITES}, {"wait": 3}, {"hang_up": True}]),
    "spoke": (["--transport", "webrtc", "--linger", "0"], [{"say": "I feel sad tonight", "at_once": True}, {"wait": 4}, {"hang_up": True}]),
    "spoke by the socket": (["--transport", "websocket", "--linger", "0"], [{"say": "I cannot sleep"}, {"hang_up": True}]),
    "vanished": (["--transport", "webrtc"], [{"wait": 60}]),
}
VANISHES_AFTER_SECONDS = 4
WORDS = ["", "It has been a long week at the office", "My sister does not help me"]


def measure_soak() -> dict:
    calls = int(os.environ.get("SOAK_CALLS", CALLS))
    if calls <= FIRST:
        raise SystemExit(f"SOAK_CALLS must be more than {FIRST}: the first {FIRST} are what the rest is held against")
    load = load_average()
    settings = {
        "NIGHTLIGHT_RETURN_WITHIN_SECONDS": str(RETURN_WITHIN_SECONDS),
        # All callers come from one address here.
        "NIGHTLIGHT_ADDRESS_CALLS_PER_MINUTE": "100000",
        "NIGHTLIGHT_ADDRESS_MESSAGES_PER_MINUTE": "100000",
        "NIGHTLIGHT_LOG": "error",
    }
    with tempfile.TemporaryDirectory(prefix="nightlight-soak-") as temporary:
        directory = Path(temporary)
        with Server(directory, 0.4, max_calls=3 * VOICES_AT_ONCE, **settings) as server:
            callers = Callers(server, directory)
            begun = time.monotonic()
            held = []
            for total in (FIRST, calls):
                callers.place_until(total)
                held.append(settled(server))
                print(f"  {total} calls in {time.monotonic() - begun:.0f} s: {told(held[-1])}", flush=True)
            if death := server.death():
                raise SystemExit(f"the server died: {death}")
            records, ended = on_record(server)
            errors = errors_told(server)
    return {
        "calls": calls,
        "seconds": time.monotonic() - begun,
        "load_before": load,
        "placed": callers.placed,
        "failed": callers.failed,
        "records": records,
        "records_ended": ended,
        "errors_logged": errors,
        "after_the_first": held[0],
        "after_all": held[1],
    }


class Callers:
    """Everybody who calls, and how their calls went."""

    def __init__(self, server: Server, directory: Path):
        self.server = server
        self.scripts = {}
        for sort, (_, steps) in SORTS.items():
            path = directory / f"{sort}.jsonl"
            path.write_text("".join(json.dumps(step) + "\n" for step in steps))
            self.scripts[sort] = path
        with urllib.request.urlopen(f"{server.origin}/api/config", timeout=10) as answer:
            self.key = json.load(answer)["publicKey"]
        self.placed = {sort: 0 for sort in ("in writing", *SORTS)}
        self.failed = []
        self.rounds = count()
        self.counting = threading.Lock()

    def place_until(self, total: int) -> None:
        """Places calls until there have been so many in all."""
        left = total - sum(self.placed.values())
        by_voice = left // BY_VOICE_EACH
        with ThreadPoolExecutor(WRITERS_AT_ONCE + 1) as pool:
            speaking = pool.submit(self._speak, by_voice)
            writing = [pool.submit(self._write) for _ in range(left - by_voice)]
            for done in (speaking, *writing):
                done.result()

    def _speak(self, calls: int) -> None:
        while calls > 0:
            at_once = min(VOICES_AT_ONCE, calls)
            calls -= at_once
            sort = list(SORTS)[next(self.rounds) % len(SORTS)]
            failures = self._ring(sort, at_once)
            with self.counting:
                self.placed[sort] += at_once
                self.failed += [f"{sort}: {failure}" for failure in failures]

    def _ring(self, sort: str, at_once: int) -> list[str]:
        command = [
            program("nightlight-caller", "NIGHTLIGHT_CALLER_BIN"), "--url", self.server.origin, "--json",
            "--calls", str(at_once), "--stagger", "0.02", "--bound", str(LONGEST_CALL_SECONDS), "--quiet-after", "0.6",
            *SORTS[sort][0], "--script", self.scripts[sort],
        ]
        if sort == "vanished":
            gone = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(VANISHES_AFTER_SECONDS)
            gone.kill()
            gone.wait()
            return []
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_CALL_SECONDS + 60)
        if not done.stdout:
            raise SystemExit(f"the caller could not run:\n{done.stderr}")
        return [failure for call in json.loads(done.stdout)["calls"] for failure in call["failures"]]

    def _write(self) -> None:
        """One conversation of a visitor of its own, to its end."""
        client = HTTPConnection(urlsplit(self.server.origin).netloc, timeout=60)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        body = {"assistantId": "helpline"}
        failure = None
        try:
            for words in WORDS:
                client.request("POST", "/chat", json.dumps({**body, "input": words}), headers)
                answer = client.getresponse()
                chat = json.load(answer)
                if answer.status != 201:
                    failure = f"in writing: answered {answer.status} {chat.get('code')}"
                    break
                if cookie := answer.headers["Set-Cookie"]:
                    headers["Cookie"] = cookie.partition(";")[0]
                body = {"previousChatId": chat["id"]}
            else:
                client.request("DELETE", f"/chat/{chat['id']}", headers=headers)
                answer = client.getresponse()
                answer.read()
                if answer.status != 200:
                    failure = f"in writing: its end was answered {answer.status}"
        except OSError as error:
            failure = f"in writing: {error}"
        finally:
            client.close()
        with self.counting:
            self.placed["in writing"] += 1
            if failure:
                self.failed.append(failure)


def server_says(server: Server, name: str) -> float:
    """A measurement of the server's own, summed over its labels."""
    with urllib.request.urlopen(f"{server.origin}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    of_this = [line for line in lines if line.startswith((f"{name} ", f"{name}{{"))]
    return sum(float(line.rpartition(" ")[2]) for line in of_this)


def on_record(server: Server) -> tuple[int, int]:
    """How many calls are kept, and how many of them have ended."""
    database = sqlite3.connect(server.own_database, timeout=30)
    kept = database.execute("SELECT count(*), count(ended_at) FROM calls WHERE sample = 0").fetchone()
    database.close()
    return kept


def errors_told(server: Server) -> dict[str, int]:
    """The errors in the server's log, by what they say: without times and ids."""
    lines = [line.partition(" ERROR ")[2] for line in server.log_path.read_text().splitlines() if " ERROR " in line]
    return dict(Counter(re.sub(r"\S*\d\S*", "…", line) for line in lines))


def settled(server: Server) -> dict:
    """What the server holds once nobody calls: when no call is open and nothing of it has become less for a while: workers
    without work stay for ten seconds."""
    deadline = time.monotonic() + SETTLES_WITHIN_SECONDS
    least, since = None, time.monotonic()
    while True:
        held = what_it_holds(server)
        quiet = held["open_calls"] == 0
        if not quiet or least is None or any(held[name] < least[name] for name in ("descriptors", "threads", "tasks")):
            least, since = held, time.monotonic()
        if (quiet and time.monotonic() - since > QUIET_SECONDS) or time.monotonic() > deadline:
            return held
        time.sleep(0.5)


def what_it_holds(server: Server) -> dict:
    process = Path("/proc") / str(server.process.pid)
    return {
        "resident_mb": resident_mb(server.process.pid),
        "descriptors": len(list((process / "fd").iterdir())),
        "threads": len(list((process / "task").iterdir())),
        "tasks": server_says(server, "nightlight_tasks"),
        "open_calls": sum(server_says(server, name) for name in GAUGES_OF_OPEN_CALLS),
    }


def told(held: dict) -> str:
    return (
        f"{held['resident_mb']:.1f} MB resident, {held['descriptors']} descriptors, {held['threads']} threads,"
        f" {held['tasks']:.0f} tasks, {held['open_calls']:.0f} calls open"
    )


def soak_table(machine: dict, measured: dict) -> tuple[str, bool]:
    verdicts = list(judge(measured))
    first, last = measured["after_the_first"], measured["after_all"]
    placed = ", ".join(f"{number:,} {sort}" for sort, number in measured["placed"].items())
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- {measured['calls']:,} calls in {measured['seconds'] / 60:.1f} minutes, {VOICES_AT_ONCE} by voice and {WRITERS_AT_ONCE} in writing"
        f" at once: {placed}.",
        f"- Each time after the last call has ended. Load of the machine before: {measured['load_before']:.1f}.",
        "",
        "| after | resident | descriptors | threads | tasks | calls open |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for number, held in ((FIRST, first), (measured["calls"], last)):
        lines.append(
            f"| {number:,} calls | {held['resident_mb']:.1f} MB | {held['descriptors']} | {held['threads']} |"
            f" {held['tasks']:.0f} | {held['open_calls']:.0f} |"
        )
    lines += ["", *[f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts]]
    lines += [f"- failed, {number} times: {failure}" for failure, number in Counter(measured["failed"]).items()]
    lines += [f"- in the server's log, {number} times: {error}" for error, number in measured["errors_logged"].items()]
    return "\n".join(lines) + "\n", not all(reached for _, reached in verdicts)


def judge(measured: dict):
    first, last = measured["after_the_first"], measured["after_all"]
    growth = last["resident_mb"] / first["resident_mb"] - 1
    yield f"resident memory {100 * growth:+.1f} % since the first {FIRST} (at most {100 * MOST_GROWTH:.0f} %)", growth <= MOST_GROWTH
    for name, spare in SPARE.items():
        more = last[name] - first[name]
        yield f"{name} {more:+.0f} (at most {spare})", more <= spare
    # Who vanishes may do so before their call begins.
    least = measured["calls"] - measured["placed"]["vanished"]
    records, ended = measured["records"], measured["records_ended"]
    yield f"{records:,} calls are on record, {ended:,} of them with their end", least <= records == ended
    yield f"{last['open_calls']:.0f} calls left open", last["open_calls"] == 0
    failed = len(measured["failed"])
    yield f"{failed} calls failed (at most 1 in 100: a busy machine greets late)", failed <= measured["calls"] / 100
