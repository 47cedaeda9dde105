"""The programs as they were built, a server of the bench's own, and what processes take of the machine while they run."""

import os
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

from machine import ROOT

TICKS = os.sysconf("SC_CLK_TCK")
START_WITHIN_SECONDS = 60


def program(name: str, variable: str) -> Path:
    path = Path(os.environ.get(variable) or ROOT / "target" / "release" / name)
    if not path.is_file():
        raise SystemExit(f"{path} is not there: `make bench` builds it, or set {variable}")
    return path


class Server:
    """`with Server(…) as server:` — started, and ended whatever happens. Its records go with it, unless it is given a database."""

    def __init__(self, directory: Path, start_wait: float, max_calls: int, database: str | None = None, **settings: str):
        self.log_path = directory / "server.log"
        self.own_database = None if database else directory / "calls.db"
        self.environment = {
            # The bench's settings only: what the shell happens to carry is not measured.
            **{key: value for key, value in os.environ.items() if not key.startswith("NIGHTLIGHT_") or key == "NIGHTLIGHT_ENGINE_DIR"},
            "NIGHTLIGHT_LISTEN": "127.0.0.1:0",
            "NIGHTLIGHT_MEDIA_PORT": "0",
            "NIGHTLIGHT_DATABASE": database or f"sqlite:{self.own_database}",
            "NIGHTLIGHT_START_WAIT_SECONDS": str(start_wait),
            "NIGHTLIGHT_MAX_CALLS": str(max_calls),
            "NIGHTLIGHT_LOG": "warn",
            "NIGHTLIGHT_DRAIN_SECONDS": "1",
            **settings,
        }
        self.process = None
        self.origin = ""

    def __enter__(self) -> "Server":
        self.log = open(self.log_path, "w+")
        self.process = subprocess.Popen(
            [program("nightlight", "NIGHTLIGHT_BIN"), "serve"],
            cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
        )
        try:
            self.origin = self._wait_until_up()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _wait_until_up(self) -> str:
        deadline = time.monotonic() + START_WITHIN_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            for line in self.log_path.read_text().splitlines():
                _, found, page = line.partition("Nightlight is at ")
                if found:
                    return page.strip().removesuffix("/Demo")
            time.sleep(0.05)
        raise SystemExit(f"the server did not start:\n{self.log_path.read_text()}")

    def counted(self) -> dict[str, float]:
        """The server's own counters that tell how it spoke: by name, with the source of sound where it has one."""
        with urllib.request.urlopen(f"{self.origin}/metrics", timeout=5) as answer:
            lines = answer.read().decode().splitlines()
        counters = {}
        for line in lines:
            name, _, value = line.rpartition(" ")
            if name.startswith(("nightlight_voice_", "nightlight_replies_begun_", "nightlight_calls_in_a_lighter_")):
                counters[name] = float(value)
        return counters

    def death(self) -> str | None:
        """How the server ended and its last words, if it ended before it was told to."""
        status = self.process.poll()
        if status is None:
            return None
        return f"exit status {status}: {self.log_path.read_text()[-2000:]}"

    def __exit__(self, *_) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        if self.own_database:
            for path in self.own_database.parent.glob(self.own_database.name + "*"):
                path.unlink()


class Usage:
    """CPU seconds and memory of processes, together, over a stretch of time."""

    def __init__(self, *pids: int):
        self.pids = pids
        self._done = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "Usage":
        self.idle_mb = self.peak_mb = self._memory_mb()
        self.cpu_before = self._cpu_seconds()
        self.started = time.monotonic()
        self._sampler.start()
        return self

    def __exit__(self, *_) -> None:
        self._done.set()
        self._sampler.join()
        self.seconds = time.monotonic() - self.started
        try:
            self.cpu_seconds = self._cpu_seconds() - self.cpu_before
            self.after_mb = self._memory_mb()
        except OSError:
            self.cpu_seconds = self.after_mb = float("nan")

    def _sample(self) -> None:
        # To count shared pages takes the kernel some milliseconds, in which a process cannot map memory.
        while not self._done.wait(0.5 if len(self.pids) == 1 else 2):
            try:
                self.peak_mb = max(self.peak_mb, self._memory_mb())
            except OSError:
                return

    def _memory_mb(self) -> float:
        # One process shares its pages with nobody; of several, each counts its part of what they share.
        if len(self.pids) == 1:
            return resident_mb(self.pids[0])
        return sum(proportional_mb(pid) for pid in self.pids)

    def _cpu_seconds(self) -> float:
        return sum(cpu_seconds(pid) for pid in self.pids)


def cpu_seconds(pid: int) -> float:
    # The name may hold spaces and brackets; the fields are counted after its last bracket.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def proportional_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0
