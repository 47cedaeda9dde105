"""The store's operations in both databases: the records room's own measurement, run and kept."""

import json
import subprocess

from machine import ROOT, load_average
from records import RECORDS
from tables import machine_lines

LIMIT_SECONDS = 2700

OPERATIONS = {
    "put_turn": "a turn is stored",
    "put_turn_at_once": "a turn, {at_once} calls at once",
    "start_and_finish": "a call begins, and ends",
    "latest": "a visitor's latest call",
    "first_page": "the list's first {page}",
    "deep_page": "{page} from deep in the list",
}


def measure_store(records: int | None) -> dict:
    print("records …", flush=True)
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "records", "--example", "store_times", "--"]
    command += [str(records or RECORDS)]
    load = load_average()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise SystemExit(f"the records could not be measured:\n{done.stderr}")
    return {"load_before": load, **json.loads(done.stdout)}


def store_table(machine: dict, measured: dict) -> str:
    names = [times["database"] for times in measured["times_ms"]]
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- Among {measured['records']:,} records of one visitor, each with a transcript; {measured['repetitions']:,} times each.",
        f"- PostgreSQL {measured['postgres_version']} on the same machine, as it is tested with: fsync on, 16 MB of buffers, by TCP."
        " A network adds its round trips: five to a turn.",
        "- What was filled is on the disk before anything is measured, and no two turns are alike: of one that is what it was before, SQLite writes"
        " nothing.",
        *fewer(measured),
        f"- Load of the machine before: {measured['load_before']:.1f}; well above 0 means that others were using it.",
        "",
        f"| milliseconds, p50 / p99 | {' | '.join(names)} |",
        f"|---|{'--:|' * len(names)}",
    ]
    for operation, words in OPERATIONS.items():
        cells = [times["operations"][operation] for times in measured["times_ms"]]
        figures = [f"{cell['p50']:.2f} / {cell['p99']:.2f}" for cell in cells]
        lines.append(f"| {words.format(**measured)} | {' | '.join(figures)} |")
    return "\n".join(lines) + "\n"


def fewer(measured: dict) -> list[str]:
    """Databases that were measured with fewer records than was asked for."""
    return [
        f"- {times['database']}: among {times['records']:,}."
        for times in measured["times_ms"]
        if times["records"] < measured["records"]
    ]
