"""More and more calls at once, until the 95th percentile of the replies has doubled."""

import json
import resource
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from calls import SENTENCES, SOFTEST
from machine import load_average
from server import Server, Usage, program
from tables import machine_lines, ms

WAIT_SECONDS = 0.4
TURNS = 4
LADDER = [1, 10, 40, 60, 80, 100, 120, 140, 160]
AIM = 100
# A turn takes some 11 s. Starts are spread over one, so that callers do not speak in step.
TURN_SECONDS = 11.0
LONGEST_TURN_SECONDS = 30.0


@dataclass
class Side:
    name: str
    runs: list[dict]

    def alone(self) -> dict:
        return self.runs[0]

    def in_pace(self) -> list[dict]:
        """The runs whose 95th percentile was at most twice that of one call, with nothing missing."""
        return [run for run in self.runs if keeps_pace(run, self.alone())]

    def most(self) -> dict:
        return max(self.in_pace(), key=lambda run: run["calls"], default=self.alone())

    def memory_of_one_more_mb(self) -> float | None:
        """What a call takes beside others, without what the first call of a process brings in."""
        most = self.most()
        return (most["memory_peak_mb"] - self.alone()["memory_peak_mb"]) / (most["calls"] - 1) if most["calls"] > 1 else None


def climb(steps: list[int], run_of: Callable[[int], dict]) -> list[dict]:
    """Runs of so many calls each, up to the first that is out of pace."""
    runs = []
    for calls in steps:
        print(f"  {calls} calls …", flush=True)
        load = load_average()
        runs.append({"load_before": load, **run_of(calls)})
        totals = runs[-1]["totals"]
        gap = totals["reply_gap_ms"]
        print(
            f"    {totals['replies']} of {totals['utterances']} replies, {totals['failed']} calls failed, p50 {ms(gap, 'p50')},"
            f" p95 {ms(gap, 'p95')}, {percent(runs[-1])} of a core a call",
            flush=True,
        )
        if not keeps_pace(runs[0], runs[0]):
            raise SystemExit(f"one call alone is not whole, so nothing can be compared with it: {runs[0]['failures']}")
        if not keeps_pace(runs[-1], runs[0]):
            break
    return runs


def keeps_pace(run: dict, alone: dict) -> bool:
    gap, first = run["totals"]["reply_gap_ms"], alone["totals"]["reply_gap_ms"]
    whole = run["totals"]["replies"] == run["totals"]["utterances"] == run["calls"] * run["turns"] and not run["totals"]["failed"]
    return bool(gap and first) and whole and gap["p95"] <= 2 * first["p95"]


def script_in(directory: Path, turns: int) -> Path:
    script = directory / "script.jsonl"
    script.write_text("".join(json.dumps({"say": sentence}) + "\n" for sentence in SENTENCES[:turns]))
    return script


def nightlight(directory: Path, calls: int, turns: int, **settings: str) -> dict:
    """A run against a server of its own."""
    with Server(directory, WAIT_SECONDS, max_calls=calls + 5, **settings) as server:
        return ring(server, [server.process.pid], calls, script_in(directory, turns), turns)


def ring(server, pids: list[int], calls: int, script: Path, turns: int) -> dict:
    bound = 30 + turns * LONGEST_TURN_SECONDS
    command = [
        program("nightlight-caller", "NIGHTLIGHT_CALLER_BIN"), "--url", server.origin, "--script", script,
        "--calls", str(calls), "--stagger", f"{TURN_SECONDS / calls:.3f}", "--level", str(SOFTEST), "--linger", "1",
        "--bound", f"{bound:g}", "--json",
    ]  # fmt: skip
    with Usage(*pids) as usage:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, timeout=bound + 120)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == 2 or not done.stdout:
            raise SystemExit(f"the caller could not run:\n{done.stderr}")
        death = server.death()
    report = json.loads(done.stdout)
    talking = sum(call["duration_seconds"] for call in report["calls"])
    caller_cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "calls": calls,
        "turns": turns,
        "cpu_percent_per_call": 100 * usage.cpu_seconds / talking if talking else None,
        "caller_cpu_percent_per_call": 100 * caller_cpu / talking if talking else None,
        "memory_idle_mb": usage.idle_mb,
        "memory_peak_mb": usage.peak_mb,
        "death": death,
        "totals": report["totals"],
        "failures": [failure for call in report["calls"] for failure in call["failures"]][:10],
        "said": said_in(report["calls"][0]),
    }


def said_in(call: dict) -> dict:
    """What the assistant said, by the caller's turns: a reply's caption comes when it has been said."""
    ends = [utterance["to_seconds"] for utterance in call["utterances"]]
    turns = [[] for _ in range(len(ends) + 1)]
    for caption in call["captions"]:
        if caption["role"] == "assistant":
            turns[sum(end < caption["at_seconds"] for end in ends)].append(caption["words"])
    greeting, *replies = [" ".join(turn) for turn in turns]
    return {"greeting": greeting, "replies": replies}


def measure_most(turns: int | None, steps: list[int] | None) -> dict:
    print("most calls at once …", flush=True)
    turns = turns or TURNS
    with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory:
        runs = climb(steps or LADDER, lambda calls: nightlight(Path(directory), calls, turns))
    for run in runs:
        run.pop("said")
    return {"turns": turns, "runs": runs}


def most_table(machine: dict, measured: dict) -> tuple[str, bool]:
    side = Side("Nightlight", measured["runs"])
    most = side.most()
    more = "" if len(side.in_pace()) < len(side.runs) else " or more"
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- Calls of {measured['turns']} turns with `start_wait_seconds = {WAIT_SECONDS:g}`, begun over {TURN_SECONDS:g} s, a server of its own for"
        " each run; server and callers share the cores. In pace: p95 at most twice that of one call, nothing missing.",
        "- CPU: of one core, per call. Load: of the machine before the run; well above 0 means that others were using it.",
        "",
        *runs_rows([("Nightlight", measured["runs"])]),
        "",
        f"- {'reached' if most['calls'] >= AIM else 'MISSED'}: {most['calls']}{more} calls in pace on {machine['cores']} cores"
        f" (aim {AIM}); one more call takes {megabytes(side.memory_of_one_more_mb())} and {percent(most)} of a core.",
    ]
    return "\n".join(lines) + "\n", most["calls"] < AIM


def runs_rows(sides: list[tuple[str, list[dict]]]) -> list[str]:
    lines = [
        "| | calls | replies | p50 | p95 | p99 | failed | CPU a call | caller's | memory before → peak | load |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, runs in sides:
        for run in runs:
            totals = run["totals"]
            gap = totals["reply_gap_ms"]
            cells = [
                name,
                run["calls"],
                f"{totals['replies']} of {run['calls'] * run['turns']}",
                *(ms(gap, which) for which in ("p50", "p95", "p99")),
                totals["failed"],
                percent(run),
                f"{run['caller_cpu_percent_per_call']:.1f} %",
                f"{run['memory_idle_mb']:.0f} → {run['memory_peak_mb']:.0f} MB",
                f"{run['load_before']:.1f}",
            ]
            lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return lines


def p50(run: dict) -> float | None:
    gap = run["totals"]["reply_gap_ms"]
    return gap["p50"] if gap else None


def gaps(run: dict) -> str:
    gap = run["totals"]["reply_gap_ms"]
    return f"{gap['p50']:.0f} / {gap['p95']:.0f} ms" if gap else "–"


def percent(run: dict) -> str:
    return f"{run['cpu_percent_per_call']:.1f} %" if run["cpu_percent_per_call"] else "–"


def megabytes(value: float | None) -> str:
    return f"{value:.1f} MB" if value is not None else "–"
