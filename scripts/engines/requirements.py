"""Reads the pins of scripts/engine-requirements.txt: one wheel each, with its hashes."""

import re


def pins(text):
    """For each package: its lines for pip, and the SHA-256 hashes that its wheel may have."""
    found = {}
    whole_lines = text.replace("\\\n", " ").splitlines()
    for line in filter(None, (line.split("#")[0].strip() for line in whole_lines)):
        name = line.split("==")[0]
        found[name] = (line, frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})\b", line)))
    return found


def version(line):
    """The version of a pinned line."""
    return line.split("==")[1].split()[0]
