"""Brings a directory of engines up to what the catalogue names."""

import errno
import fcntl
import platform
import shutil

from . import catalogue, manifest
from .downloads import Downloads
from .failure import Failure
from .unpack import unpack


def fetch(directory, engines, pins, say, **tools):
    """Fetches what is absent or damaged. Raises if the server could not take calls then."""
    check_machine()
    directory.mkdir(parents=True, exist_ok=True)
    # Two runs at once take turns; the second then finds the work done.
    with open(directory / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        missing = [engine for engine in engines if is_missing(engine, directory, say)]
        if not missing:
            # What an abandoned run kept.
            shutil.rmtree(directory / ".download", ignore_errors=True)
            return
        for left_over in (path for engine in engines for path in directory.glob(f".{engine.directory}.*")):
            shutil.rmtree(left_over, ignore_errors=True)
        fetch_missing(directory, missing, pins, say, tools)


def check_machine(system=platform.system(), machine=catalogue.MACHINE):
    if system != "Linux" or machine not in ("x86_64", "aarch64"):
        raise Failure(f"the engines come for Linux on x86_64 and aarch64; this is {system} on {machine}.")


def is_missing(engine, directory, say):
    home = directory / engine.directory
    if not home.exists():
        return True
    problem = manifest.damage(engine, home)
    if problem is not None:
        say(f"the {engine.what} in {home} will be fetched again: {problem}")
    return problem is not None


def fetch_missing(directory, missing, pins, say, tools):
    free = shutil.disk_usage(directory).free >> 20
    without = []
    with Downloads(directory / ".download", pins, say, **tools) as downloads:
        going = []
        for engine in missing:
            left = free - sum(other.room for other in going)
            if engine.room > left:
                message = f"{directory} has {left} MB free; the {engine.what} needs {engine.room} MB for a moment."
                if engine.without is None:
                    raise Failure(message)
                without.append((engine, message))
                continue
            going.append(engine)
            for parcel in engine.parcels:
                downloads.want(parcel)
        for engine in going:
            try:
                archives = downloads.wait_for(engine.parcels)
                say(f"unpacking {engine.directory}")
                unpack(engine, archives, directory)
                downloads.drop(engine.parcels)
                say(f"the {engine.what} is ready in {directory / engine.directory}")
            except (Failure, OSError) as error:
                reason = plain(error, directory)
                if engine.without is None:
                    raise Failure(f"the {engine.what} ({engine.directory}) could not be fetched: {reason}") from error
                without.append((engine, reason))
    if not without:
        shutil.rmtree(directory / ".download", ignore_errors=True)
    for engine, reason in without:
        say(f"the {engine.what} ({engine.directory}) could not be fetched: {reason}")
        say(f"  without it, {engine.without}. `make setup` tries again.")


def plain(error, directory):
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"the disk that holds {directory} is full. Make room, then run this again."
    return error
