"""Downloads packages, a few at a time, and keeps what is whole until its engine is unpacked.

A package appears under its name in the hidden directory by one rename, when its hash is right: an interrupted
run leaves behind what was finished, and the next one goes on from there.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from . import manifest, requirements, tools
from .failure import Failure

AT_ONCE = 4
# Seconds between two words about how far the downloads are.
PROGRESS = 5


class Downloads:
    """The downloads of one run. Leaving the `with` ends those under way."""

    def __init__(self, directory, pins, say, find_pip=tools.find_pip, find_npm=tools.find_npm):
        self.directory = directory
        self.pins = pins
        self.say = say
        self.find = {"PyPI": find_pip, "npm": find_npm}
        self.commands = {}
        self.queue = []
        self.running = {}
        self.failed = {}
        self.bytes_done = 0
        self.bytes_wanted = 0
        self.last_word = time.monotonic()

    def __enter__(self):
        self.directory.mkdir(parents=True, exist_ok=True)
        self.partial = self.directory / "partial"
        shutil.rmtree(self.partial, ignore_errors=True)
        self.partial.mkdir()
        return self

    def __exit__(self, *_):
        for download in self.running.values():
            download.end()
        shutil.rmtree(self.partial, ignore_errors=True)

    def want(self, parcel):
        """Queues a package, unless it was kept whole by an earlier run."""
        kept = self.kept(parcel)
        if kept.exists():
            if self.is_right(parcel, kept):
                self.say(f"{parcel.name} was already downloaded")
                return
            self.say(f"{parcel.name} will be downloaded again: the kept file is damaged")
            kept.unlink()
        self.bytes_wanted += parcel.megabytes << 20
        self.queue.append(parcel)

    def wait_for(self, parcels):
        """The packages' files, as soon as all are there."""
        while True:
            self.go_on()
            for parcel in parcels:
                if parcel.name in self.failed:
                    self.queue = [other for other in self.queue if other not in parcels]
                    raise self.failed[parcel.name]
            if all(self.kept(parcel).exists() for parcel in parcels):
                return {parcel.name: self.kept(parcel) for parcel in parcels}
            self.tell_progress()
            time.sleep(0.05)

    def drop(self, parcels):
        """The engine is unpacked: its packages are not needed any more."""
        for parcel in parcels:
            self.kept(parcel).unlink(missing_ok=True)

    def kept(self, parcel):
        return self.directory / f"{parcel.file_name}-{parcel.npm or requirements.version(self.pins[parcel.name][0])}"

    def is_right(self, parcel, file):
        if parcel.npm:
            return manifest.digest(file, "sha512") == parcel.sha512
        return manifest.digest(file) in self.pins[parcel.name][1]

    def go_on(self):
        for name, download in list(self.running.items()):
            if download.process.poll() is not None:
                del self.running[name]
                self.finish(download)
        while self.queue and len(self.running) < AT_ONCE:
            self.start(self.queue.pop(0), use_cache=True)

    def start(self, parcel, use_cache):
        try:
            if parcel.registry not in self.commands:
                self.commands[parcel.registry] = self.find[parcel.registry]()
        except Failure as failure:
            self.failed[parcel.name] = failure
            return
        if use_cache:
            self.say(f"fetching {parcel.name} from {parcel.registry} ({parcel.megabytes} MB)")
        tool = self.commands[parcel.registry]
        scratch = Path(tempfile.mkdtemp(prefix=f"{parcel.file_name}.", dir=self.partial))
        into = scratch / "whole"
        into.mkdir()
        if parcel.npm:
            command = tools.npm_command(tool, f"{parcel.name}@{parcel.npm}", into, use_cache)
        else:
            pin = scratch / "requirements.txt"
            pin.write_text(self.pins[parcel.name][0] + "\n")
            command = tools.pip_command(tool, parcel.pip_options, pin, into, use_cache)
        self.running[parcel.name] = Download(parcel, command, scratch, into, first=use_cache)

    def finish(self, download):
        """Takes in what a client that has ended left behind."""
        parcel = download.parcel
        files = list(download.into.iterdir())
        tool = "npm" if parcel.npm else "pip"
        if download.process.returncode == 0 and len(files) == 1 and self.is_right(parcel, files[0]):
            with open(files[0], "rb") as whole:
                os.fsync(whole.fileno())
            files[0].rename(self.kept(parcel))
            self.bytes_done += parcel.megabytes << 20
        elif download.process.returncode == 0 or tools.is_wrong_hash(download.log()):
            if download.first:
                self.say(f"fetching {parcel.name} again: what came was damaged, its hash is not the pinned one")
                self.start(parcel, use_cache=False)
            else:
                self.failed[parcel.name] = Failure(
                    f"{parcel.name} came damaged twice: its hash is not the pinned one. "
                    f"If {tool} uses a mirror, the mirror's copy is wrong."
                )
        else:
            self.failed[parcel.name] = Failure(tools.explain(tool, parcel.name, download.log()))
        shutil.rmtree(download.scratch, ignore_errors=True)

    def tell_progress(self):
        if time.monotonic() - self.last_word < PROGRESS:
            return
        self.last_word = time.monotonic()
        under_way = sum(download.bytes_here() for download in self.running.values())
        done = min(self.bytes_done + under_way, self.bytes_wanted)
        self.say(f"{done >> 20} of {self.bytes_wanted >> 20} MB")


class Download:
    """One client at work on one package, with a directory of its own for all that it writes."""

    def __init__(self, parcel, command, scratch, into, first):
        self.parcel = parcel
        self.scratch = scratch
        self.into = into
        self.first = first
        # What a client holds unfinished is on the same disk, can be counted, and goes with the directory.
        environment = {**os.environ, "TMPDIR": str(scratch)}
        environment.setdefault("PIP_RETRIES", "2")
        environment.setdefault("npm_config_fetch_retries", "2")
        with open(scratch / "log", "wb") as log:
            # A group of its own: an interruption reaches us alone, and `end` reaches the client's children.
            self.process = subprocess.Popen(
                command, cwd=scratch, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def log(self):
        return (self.scratch / "log").read_text(errors="replace")

    def bytes_here(self):
        """How much has come so far, for as far as the client writes it down here."""
        total = 0
        for path in self.scratch.rglob("*"):
            try:
                total += path.stat().st_size
            except OSError:
                continue
        return min(total, self.parcel.megabytes << 20)

    def end(self):
        for word in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, word)
                self.process.wait(timeout=5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
            return
