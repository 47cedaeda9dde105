"""Reads every lock of the project: which packages, at which versions, with which hashes."""

import base64
import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, order=True)
class Package:
    registry: str
    name: str
    version: str
    # In hex, by their algorithm before a colon; a registry's file has to have one of them.
    hashes: frozenset = field(default=frozenset(), compare=False)

    def __str__(self):
        return f"{self.registry}: {self.name} {self.version}"


def cargo(path: Path):
    for package in tomllib.loads(path.read_text())["package"]:
        # What has no source is our own.
        if package.get("source", "").startswith("registry+"):
            yield Package("crates.io", package["name"], package["version"], frozenset({f"sha256:{package['checksum']}"}))


def npm(path: Path):
    for place, package in json.loads(path.read_text())["packages"].items():
        if not place or package.get("link"):
            continue
        name = package.get("name") or place.rpartition("node_modules/")[2]
        yield Package("npm", name, package["version"], frozenset(integrity(package.get("integrity", ""))))


def integrity(said: str):
    """`sha512-<base64>`, of which there may be several."""
    for one in said.split():
        algorithm, _, digest = one.partition("-")
        yield f"{algorithm}:{base64.b64decode(digest).hex()}"


def pip(path: Path):
    # A pin and its hashes are one line that goes on.
    for line in path.read_text().replace("\\\n", " ").splitlines():
        if pin := PIN.match(line.strip()):
            hashes = frozenset(f"sha256:{digest}" for digest in HASH.findall(line))
            yield Package("PyPI", pin["name"], pin["version"], hashes)


READERS = {"Cargo.lock": cargo, "package-lock.json": npm}


def locked(root: Path, files):
    """Every package of these locks, once, with all hashes that a lock allows."""
    found = {}
    for file in files:
        read = READERS.get(Path(file).name, pip)
        for package in read(root / file):
            known = found.get(package)
            hashes = package.hashes | (known.hashes if known else frozenset())
            found[package] = Package(package.registry, package.name, package.version, hashes)
    return sorted(found)
