"""A fetched engine's MANIFEST, "sha256 size path" a line, and whether the engine is whole.

It is written last, so a directory that has it was complete once. The server reads it too (crates/engines).
"""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

STAMP = "MANIFEST"


def digest(path, algorithm="sha256"):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def write(directory):
    """Lists all files under `directory`."""
    paths = sorted(path for path in directory.rglob("*") if path.is_file())
    lines = [f"{digest(path)} {path.stat().st_size} {path.relative_to(directory).as_posix()}\n" for path in paths]
    with open(directory / STAMP, "w") as stamp:
        stamp.writelines(lines)
        stamp.flush()
        os.fsync(stamp.fileno())


def damage(engine, directory):
    """What is wrong with the engine in `directory`, or None if it is whole."""
    try:
        lines = (directory / STAMP).read_text().splitlines()
        listed = [(sha256, int(size), path) for sha256, size, path in (line.split(" ", 2) for line in lines)]
    except OSError:
        return "its manifest is missing"
    except ValueError:
        return "its manifest is damaged"
    for piece in engine.pieces:
        if not any(piece.places(path) for _, _, path in listed):
            return f"{piece.target or piece.pattern} is missing"
    for name, sha256 in engine.sha256:
        if (sha256, name) not in ((listed_sha256, path) for listed_sha256, _, path in listed):
            return f"{name} is not the one that is wanted"
    # Hashing lets other threads run: on two cores this takes half as long.
    with ThreadPoolExecutor(max_workers=2) as pool:
        return next(filter(None, pool.map(lambda line: _damaged(directory, *line), listed)), None)


def _damaged(directory, sha256, size, path):
    try:
        file = directory / path
        if file.stat().st_size != size:
            return f"{path} has the wrong size"
        return None if digest(file) == sha256 else f"{path} is damaged"
    except OSError:
        return f"{path} is missing"
