"""Replies under load: runs of nightlight-caller against a fresh server each."""

import json
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

from machine import load_average
from server import Server, Usage, program

SENTENCES = (Path(__file__).resolve().parent / "sentences.txt").read_text().splitlines()
# A natural voice speaks some 8 dB softer than flite, and begins with soft consonants: the ruler's usual 0.01 hears the
# "th" of "thank you" only at its vowel.
SOFTEST = 0.004
# One turn: the caller's sentence, the wait, the reply and the caller's own second of listening.
# Starts are spread over one turn, so that callers do not speak in step.
TURN_SECONDS = 9.0
LONGEST_TURN_SECONDS = 30.0
PERCENTILES = {"p50": 50, "p95": 95, "p99": 99}


@dataclass
class Run:
    wait: float
    calls: int
    turns: int


def plan_of_runs(quick: bool, calls: list[int] | None, waits: list[float] | None) -> list[Run]:
    calls = calls or ([1, 10] if quick else [1, 10, 25, 50])
    # A whole conversation of one, and so much of it by many that each is told something of their own twice.
    turns = {n: len(SENTENCES) if n == 1 else 6 for n in calls}
    return [Run(wait, n, turns[n]) for wait in (waits or [3.0, 0.4]) for n in calls]


def measure_calls(runs: list[Run], directory: Path) -> list[dict]:
    measured = []
    always_said = sentences_always_said()
    for run in runs:
        print(f"wait {run.wait:g} s, {run.calls} calls, {run.turns} turns each …", flush=True)
        measured.append(measure(run, directory, always_said))
        totals = measured[-1]["report"]["totals"]
        gap = totals["reply_gap_ms"] or {}
        print(
            f"  {totals['replies']} of {totals['utterances']} replies, {totals['failed']} calls failed,"
            f" gap p50 {gap.get('p50', float('nan')):.0f} ms, p95 {gap.get('p95', float('nan')):.0f} ms",
            flush=True,
        )
    return measured


def sentences_always_said() -> list[str]:
    """What is rendered ahead, as it is written; the longest first."""
    listed = subprocess.run([program("nightlight", "NIGHTLIGHT_BIN"), "render-voice", "--list"], capture_output=True, text=True, check=True)
    return sorted(listed.stdout.splitlines(), key=len, reverse=True)


def memory_of_the_voice(directory: Path) -> dict:
    """What a server that waits for calls weighs with the voice that is set, and with the one that needs no model."""
    weighed = {}
    for name, settings in (("natural", {}), ("none", {"NIGHTLIGHT_VOICE": "slt", "NIGHTLIGHT_LIGHTER_VOICE": "slt"})):
        with Server(directory, 3.0, max_calls=1, **settings) as server, Usage(server.process.pid) as usage:
            weighed[name] = usage.idle_mb
    return weighed


def measure(run: Run, directory: Path, always_said: list[str]) -> dict:
    script = directory / "script.jsonl"
    script.write_text("".join(json.dumps({"say": sentence}) + "\n" for sentence in SENTENCES[: run.turns]))
    bound = 30 + run.turns * LONGEST_TURN_SECONDS
    command = [
        program("nightlight-caller", "NIGHTLIGHT_CALLER_BIN"),
        "--script", script, "--calls", str(run.calls), "--stagger", f"{TURN_SECONDS / run.calls:.3f}",
        "--level", str(SOFTEST), "--linger", "1", "--bound", f"{bound:g}", "--json",
    ]
    load_before = load_average()
    with Server(directory, run.wait, max_calls=run.calls + 5) as server, Usage(server.process.pid) as usage:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [*command, "--url", server.origin], capture_output=True, text=True, timeout=bound + 120
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == 2 or not done.stdout:
            raise SystemExit(f"the caller could not run:\n{done.stderr}")
        server_death = server.death()
        spoke = {} if server_death else server.counted()
    report = json.loads(done.stdout)
    talking = sum(call["duration_seconds"] for call in report["calls"])
    gaps = gaps_by_kind(report["calls"], always_said)
    for call in report["calls"]:
        # The records are checked by tests; here they would only be long.
        call["record"] = None
        call["captions"] = []
    caller_cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wait_seconds": run.wait,
        "calls": run.calls,
        "turns": run.turns,
        "load_before": load_before,
        "seconds": usage.seconds,
        "call_seconds": talking,
        "server_cpu_seconds": usage.cpu_seconds,
        "caller_cpu_seconds": caller_cpu,
        # Of one core, for each second of one call.
        "server_cpu_percent_per_call": 100 * usage.cpu_seconds / talking if talking else None,
        "caller_cpu_percent_per_call": 100 * caller_cpu / talking if talking else None,
        "memory_idle_mb": usage.idle_mb,
        "memory_peak_mb": usage.peak_mb,
        "memory_after_mb": usage.after_mb,
        "memory_per_call_mb": (usage.peak_mb - usage.idle_mb) / run.calls,
        "server_death": server_death,
        "fixed_reply_gap_ms": spread(gaps["fixed"]),
        "dynamic_reply_gap_ms": spread(gaps["dynamic"]),
        "rendered_share": rendered_share(spoke),
        "begun_with_an_opening": spoke.get("nightlight_replies_begun_with_an_opening_total", 0),
        "in_a_lighter_voice": spoke.get("nightlight_calls_in_a_lighter_voice_total", 0),
        "report": report,
    }


def rendered_share(spoke: dict[str, float]) -> float | None:
    """How much of the assistant's sound was rendered ahead."""
    by_source = {
        source: spoke.get(f'nightlight_voice_milliseconds_total{{source="{source}"}}', 0) for source in ("rendered", "made")
    }
    total = sum(by_source.values())
    return by_source["rendered"] / total if total else None


def gaps_by_kind(calls: list[dict], always_said: list[str]) -> dict[str, list[float]]:
    """From a caller's last sound to the reply's first, of replies made of sentences that are always said, and of those
    that hold anything of the caller's."""
    gaps = {"fixed": [], "dynamic": []}
    for call in calls:
        replies = [caption for caption in call["captions"] if caption["role"] == "assistant"]
        for utterance in call["utterances"]:
            gap = utterance["reply_gap_ms"]
            if gap is None:
                continue
            # A reply's caption comes whole when it has been said.
            begins = utterance["to_seconds"] + gap / 1000
            words = next((caption["words"] for caption in replies if caption["at_seconds"] >= begins), None)
            if words is None:
                continue
            for sentence in always_said:
                words = words.replace(sentence, "")
            gaps["dynamic" if words.strip() else "fixed"].append(gap)
    return gaps


def spread(values: list[float]) -> dict | None:
    """By nearest rank, as nightlight-caller has it."""
    values = sorted(values)
    if not values:
        return None
    percentiles = {name: values[max(1, -(-len(values) * percent // 100)) - 1] for name, percent in PERCENTILES.items()}
    return {"count": len(values), "min": values[0], **percentiles, "max": values[-1]}
