"""The embedded transcriber by itself: the speech room's own measurement, run and kept."""

import subprocess

from machine import ROOT

LIMIT_SECONDS = 900


def measure_transcriber() -> str:
    print("transcriber …", flush=True)
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "speech", "--example", "measure"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise SystemExit(f"the transcriber could not be measured:\n{done.stderr}")
    return done.stdout.strip()
