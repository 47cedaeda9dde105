"""Results as Markdown, and whether the targets are reached."""


def machine_lines(machine: dict) -> list[str]:
    return [
        f"Date: {machine['date']}, commit {machine['commit']}",
        f"Machine: {machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB,"
        f" {machine['system']}, {machine['kernel']}",
        f"Versions: {machine['rust']}",
    ]


def calls_table(machine: dict, memory: dict, runs: list[dict]) -> tuple[str, bool]:
    verdicts = [verdict for judge in (judge_plan, judge_voice_to_voice, judge_load) for verdict in judge(runs)]
    verdicts.append(judge_memory(memory))
    missed = any(not reached for _, reached in verdicts) or any(run["report"]["totals"]["failed"] for run in runs)
    lines = [
        "# Replies under load",
        "",
        *[f"- {line}" for line in machine_lines(machine)],
        "- Server and callers share these cores; the callers' own part is in the table.",
        "- Reply: from the end of the caller's last sound to the first sound of the assistant as received"
        " (2 ms ruler, from -48 dBFS; packetisation both ways is in it, a listener's jitter buffer is not).",
        "- Fixed: replies of sentences that are always said. Dynamic: replies that hold something of the caller's. Both as p50 / p99.",
        "- Rendered: the share of the assistant's sound that was rendered ahead. Openings: replies that began with one,"
        " their own first sound not being ready. Lighter: calls held in the lighter voice.",
        "- CPU: of one core, per call, over the calls' whole length. Load: of the machine before the run;"
        " well above 0 means that others were using it.",
        "",
        "| wait | calls | replies | reply p50 | p95 | p99 | after the plan p99 | fixed | dynamic | set-up p95 | greeting p95 |"
        " rendered | openings | lighter | lost | late | failed | server CPU | caller CPU | memory idle → peak | per call | load |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for run in runs:
        totals = run["report"]["totals"]
        gap = totals["reply_gap_ms"]
        plan = 1000 * run["wait_seconds"]
        cells = [
            f"{run['wait_seconds']:g} s",
            run["calls"],
            f"{totals['replies']} of {totals['utterances']}",
            ms(gap, "p50"),
            ms(gap, "p95"),
            ms(gap, "p99"),
            f"{gap['p99'] - plan:+.0f} ms" if gap else "–",
            of_a_kind(run["fixed_reply_gap_ms"]),
            of_a_kind(run["dynamic_reply_gap_ms"]),
            ms(totals["first_packet_ms"], "p95"),
            ms(totals["greeting_ms"], "p95"),
            percent(None if run["rendered_share"] is None else 100 * run["rendered_share"]),
            f"{run['begun_with_an_opening']:.0f}",
            f"{run['in_a_lighter_voice']:.0f}",
            totals["packets_lost"],
            totals["packets_late"],
            totals["failed"],
            percent(run["server_cpu_percent_per_call"]),
            percent(run["caller_cpu_percent_per_call"]),
            f"{run['memory_idle_mb']:.0f} → {run['memory_peak_mb']:.0f} MB",
            f"{run['memory_per_call_mb']:.1f} MB",
            f"{run['load_before']:.1f}",
        ]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    if verdicts:
        lines += ["", "## Targets", ""]
        lines += [f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts]
    failures = [
        f"- wait {run['wait_seconds']:g} s, {run['calls']} calls: THE SERVER DIED: {run['server_death']}"
        for run in runs
        if run["server_death"]
    ]
    failures += [
        f"- wait {run['wait_seconds']:g} s, {run['calls']} calls, call {call['call']}: {failure}"
        for run in runs
        for call in run["report"]["calls"]
        for failure in call["failures"]
    ]
    if failures:
        lines += ["", "## Failures", "", *failures[:20]]
        lines += [f"- and {len(failures) - 20} more in the JSON"] if len(failures) > 20 else []
    return "\n".join(lines) + "\n", missed


def transcriber_table(machine: dict, measured: dict) -> str:
    engine = measured["transcriber"]
    single, busy = engine["one_at_a_time"], engine["all_at_once"]
    errors = ", ".join(f"{caller} {100 * rate:.1f} %" for caller, rate in single["word_error_rate"].items())
    lines = [
        "# Transcriber and voices",
        "",
        *[f"- {line}" for line in machine_lines(machine)],
        f"- Engine: {engine['engine']}, {engine['pool']} handles, loaded in {engine['load_ms']:.0f} ms.",
        "",
        "| what | figure |",
        "|---|--:|",
        f"| real-time factor, one utterance at a time | {single['real_time_factor']:.3f} |",
        f"| latency of an utterance, p50 / p95 / max | {spread_ms(single['latency_ms'])} |",
        f"| throughput with every handle busy | {busy['times_real_time']:.1f} × real time |",
        f"| word error rate, one utterance at a time / with every handle busy, so that several are heard together |"
        f" {100 * single['word_error_rate_of_all']:.1f} / {100 * busy['word_error_rate']:.1f} % |",
        f"| word error rate by caller's voice ({len(single['sentences'])} utterances) | {errors} |",
    ]
    for voice in measured["voices"]:
        lines += [
            f"| voice {voice['voice']}: first chunk, p50 / p95 / max | {spread_ms(voice['first_chunk_ms'])} |",
            f"| voice {voice['voice']}: real-time factor | {voice['real_time_factor']:.3f} |",
        ]
    return "\n".join(lines) + "\n"


def judge_plan(runs: list[dict]) -> list[tuple[str, bool]]:
    """At 3 s and 25 calls: first sound at most 50 ms after the plan's moment at p99."""
    run = find(runs, 3.0, 25)
    gap = run and run["report"]["totals"]["reply_gap_ms"]
    if not gap:
        return []
    after = gap["p99"] - 3000
    return [(f"wait 3 s, 25 calls: first sound {after:+.0f} ms after the plan's moment at p99 (at most 50)", after <= 50)]


def judge_voice_to_voice(runs: list[dict]) -> list[tuple[str, bool]]:
    """At 0.4 s and 10 calls: at most 600 ms at p50."""
    run = find(runs, 0.4, 10)
    gap = run and run["report"]["totals"]["reply_gap_ms"]
    if not gap:
        return []
    return [(f"wait 0.4 s, 10 calls: voice to voice {gap['p50']:.0f} ms at p50 (at most 600)", gap["p50"] <= 600)]


def judge_memory(memory: dict) -> tuple[str, bool]:
    """The natural voice: at most 450 MB."""
    more = memory["natural"] - memory["none"]
    return f"the natural voice takes {more:.0f} MB, {memory['natural']:.0f} in all before the first call (at most 450)", more <= 450


def judge_load(runs: list[dict]) -> list[tuple[str, bool]]:
    """25 calls: p95 no more than twice that of a single call, at every wait."""
    verdicts = []
    for wait in sorted({run["wait_seconds"] for run in runs}, reverse=True):
        gaps = [run and run["report"]["totals"]["reply_gap_ms"] for run in (find(runs, wait, 1), find(runs, wait, 25))]
        if all(gaps):
            one, many = (gap["p95"] for gap in gaps)
            text = f"wait {wait:g} s: p95 {many:.0f} ms with 25 calls, {one:.0f} ms with one (at most twice)"
            verdicts.append((text, many <= 2 * one))
    return verdicts


def find(runs: list[dict], wait: float, calls: int) -> dict | None:
    return next((run for run in runs if run["wait_seconds"] == wait and run["calls"] == calls), None)


def ms(spread: dict | None, which: str) -> str:
    return f"{spread[which]:.0f} ms" if spread else "–"


def of_a_kind(spread: dict | None) -> str:
    return f"{spread['p50']:.0f} / {spread['p99']:.0f} ms ({spread['count']})" if spread else "–"


def percent(value: float | None) -> str:
    return f"{value:.1f} %" if value is not None else "–"


def spread_ms(spread: dict) -> str:
    return f"{spread['p50']:.0f} / {spread['p95']:.0f} / {spread['max']:.0f} ms"
