"""A cold start: from the start of the process to the first `/ready` that says so."""

import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from calls import spread
from machine import ROOT, load_average
from server import program, resident_mb
from tables import machine_lines

TIMES = 10
READY_WITHIN_SECONDS = 60
LOOK_EVERY_SECONDS = 0.005


def measure_start() -> dict:
    print("start …", flush=True)
    load = load_average()
    with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory:
        new = [started(Path(directory) / f"{number}.db") for number in range(TIMES)]
        again = [started(Path(directory) / f"{number}.db") for number in range(TIMES)]
    return {
        "load_before": load,
        "times": TIMES,
        "new_ms": spread([ms for ms, _ in new]),
        "again_ms": spread([ms for ms, _ in again]),
        "memory_mb": max(memory for _, memory in again),
    }


def started(database: Path) -> tuple[float, float]:
    """Milliseconds until it was ready, and its memory then."""
    port = free_port()
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("NIGHTLIGHT_")},
        "NIGHTLIGHT_LISTEN": f"127.0.0.1:{port}",
        "NIGHTLIGHT_MEDIA_PORT": "0",
        "NIGHTLIGHT_DATABASE": f"sqlite:{database}",
        "NIGHTLIGHT_LOG": "error",
        "NIGHTLIGHT_DRAIN_SECONDS": "0",
    }
    log = database.with_suffix(".log").open("w+")
    begun = time.monotonic()
    process = subprocess.Popen(
        [program("nightlight", "NIGHTLIGHT_BIN"), "serve"], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
    )
    try:
        while not is_ready(port):
            if process.poll() is not None or time.monotonic() > begun + READY_WITHIN_SECONDS:
                raise SystemExit(f"the server did not become ready:\n{Path(log.name).read_text()}")
            time.sleep(LOOK_EVERY_SECONDS)
        return (time.monotonic() - begun) * 1000, resident_mb(process.pid)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def start_table(machine: dict, measured: dict) -> str:
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- {measured['times']} starts each, with every engine; the files that are read were read before, so a disk's time is not in it."
        f" Ready with {measured['memory_mb']:.0f} MB. Load of the machine before: {measured['load_before']:.1f}.",
        "",
        "| from the start of the process to `/ready` | p50 | longest |",
        "|---|--:|--:|",
    ]
    for key, words in (("new_ms", "with a new database"), ("again_ms", "with the same again")):
        lines.append(f"| {words} | {measured[key]['p50']:.0f} ms | {measured[key]['max']:.0f} ms |")
    return "\n".join(lines) + "\n"
