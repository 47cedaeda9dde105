"""The two readers by themselves: how long a turn takes, and what they weigh."""

import json
import subprocess
import tomllib

from machine import ROOT
from tables import machine_lines

LIMIT_SECONDS = 900
# What the simulated callers say in a call, one in a hundred of it longer than thirty words.
CALLERS = ROOT / "crates/evaluation/callers/open"
# Authors that the weights in the repository were not trained on: turns of every length, one in ten a hundred words at once.
LINES = [ROOT / f"training/data/authors/{author}.tsv" for author in ("a02", "a05")]
TURN_P99_MS, MEMORY_MB = 30, 150


def turns_of_calls() -> list[str]:
    said = []
    for path in sorted(CALLERS.glob("*.toml")):
        for caller in tomllib.loads(path.read_text(encoding="utf-8"))["caller"]:
            for part in (caller.get("opening"), caller.get("then"), *caller.get("answers", {}).values()):
                said += [part] if isinstance(part, str) else part or []
    return said


def turns_of_every_length() -> list[str]:
    rows = [row.split("\t") for path in LINES for row in path.read_text(encoding="utf-8").splitlines()]
    return [row[2] for row in rows if len(row) > 2]


def measure_reader() -> dict:
    print("reader …", flush=True)
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "reader", "--example", "turn_times"]
    turns = {"in calls": turns_of_calls(), "of two authors": turns_of_every_length()}
    rows = "".join(f"{kind}\t{words}\n" for kind, said in turns.items() for words in said if "\n" not in words)
    done = subprocess.run(command, cwd=ROOT, input=rows, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise SystemExit(f"the readers could not be measured:\n{done.stderr}")
    return json.loads(done.stdout)


def reader_table(machine: dict, measured: dict) -> tuple[str, bool]:
    lines = [
        "# A turn, from the words to the reply",
        "",
        *[f"- {line}" for line in machine_lines(machine)],
        "- Turns in calls are all that the open simulated callers say; those of the two authors are of every length."
        " Each is a call's first words; one thread; nothing else measured beside.",
        f"- The rules open in {measured['rules_open_ms']:.0f} ms and weigh {measured['rules_mb']:.0f} MB;"
        f" both readers in {measured['both_open_ms']:.0f} ms and {measured['both_mb']:.0f} MB.",
        "",
        "| readers | turns | how many | p50 ms | p95 | p99 | longest |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for readers, by_kind in measured["turns"].items():
        for kind, figures in by_kind.items():
            cells = [readers, kind, figures["turns"]]
            cells += [figures[key] for key in ("p50_ms", "p95_ms", "p99_ms", "longest_ms")]
            lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    memory = measured["both_mb"]
    p99 = {kind: figures["p99_ms"] for kind, figures in measured["turns"]["both"].items()}
    verdicts = [
        *[(f"a turn {kind} takes {ms} ms at p99 (at most {TURN_P99_MS})", ms <= TURN_P99_MS) for kind, ms in p99.items()],
        (f"the readers weigh {memory:.0f} MB (at most {MEMORY_MB})", memory <= MEMORY_MB),
    ]
    lines += ["", "## Targets", ""]
    lines += [f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts]
    return "\n".join(lines) + "\n", any(not reached for _, reached in verdicts)
