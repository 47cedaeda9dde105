"""The two readers by themselves: how long a turn takes, and what they weigh."""

import json
import subprocess

from machine import ROOT
from tables import machine_lines

LIMIT_SECONDS = 900
# Authors that the weights in the repository were not trained on: turns of every length.
LINES = ["training/data/authors/a02.tsv", "training/data/authors/a05.tsv"]
TURN_P99_MS, MEMORY_MB = 30, 150


def measure_reader() -> dict:
    print("reader …", flush=True)
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "reader", "--example", "turn_times"]
    turns = "".join((ROOT / path).read_text(encoding="utf-8") for path in LINES)
    done = subprocess.run(command, cwd=ROOT, input=turns, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise SystemExit(f"the readers could not be measured:\n{done.stderr}")
    return json.loads(done.stdout)


def reader_table(machine: dict, measured: dict) -> tuple[str, bool]:
    lines = [
        "# A turn, from the words to the reply",
        "",
        *[f"- {line}" for line in machine_lines(machine)],
        f"- {measured['turns']['both']['every_turn']['turns']} turns of two authors; one thread; nothing else measured beside.",
        f"- The rules open in {measured['rules_open_ms']:.0f} ms and weigh {measured['rules_mb']:.0f} MB;"
        f" both readers in {measured['both_open_ms']:.0f} ms and {measured['both_mb']:.0f} MB.",
        "",
        "| readers | turns of | turns | p50 ms | p95 | p99 | longest |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    names = {"every_turn": "any length", "up_to_30_words": "up to 30 words", "more": "more"}
    for readers, by_length in measured["turns"].items():
        for length, figures in by_length.items():
            cells = [readers, names[length], figures["turns"]]
            cells += [figures[key] for key in ("p50_ms", "p95_ms", "p99_ms", "longest_ms")]
            lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    p99, memory = measured["turns"]["both"]["every_turn"]["p99_ms"], measured["both_mb"]
    verdicts = [
        (f"a turn takes {p99} ms at p99 (at most {TURN_P99_MS})", p99 <= TURN_P99_MS),
        (f"the readers weigh {memory:.0f} MB (at most {MEMORY_MB})", memory <= MEMORY_MB),
    ]
    lines += ["", "## Targets", ""]
    lines += [f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts]
    return "\n".join(lines) + "\n", any(not reached for _, reached in verdicts)
