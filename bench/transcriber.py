"""The embedded engines by themselves: the speech room's own measurement, run and kept."""

import json
import subprocess

from machine import ROOT

LIMIT_SECONDS = 900


def measure_transcriber() -> dict:
    print("transcriber …", flush=True)
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "speech", "--example", "measure"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise SystemExit(f"the transcriber could not be measured:\n{done.stderr}")
    return json.loads(done.stdout)
