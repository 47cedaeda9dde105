"""The wait before a reply: how often a caller is cut off, and how long one who has finished waits."""

import json
import subprocess

from machine import ROOT

LIMIT_SECONDS = 3600
UTTERANCES = [ROOT / "bench/wait" / file for file in ("utterances.txt", "kept-aside.txt")]
FIXED = [0.4, 0.8, 1.5, 3.0]
KINDS = {
    "finished": "no pause within",
    "mid": "a pause in mid-sentence",
    "comma": "a pause after a clause",
    "umm": "umm, uh",
    "digits": "a number, dictated",
    "correction": "a correction of oneself",
}


def measure_wait() -> dict:
    print("wait …", flush=True)
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "call", "--example", "measure_wait", "--"]
    command += map(str, UTTERANCES)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode != 0:
        raise SystemExit(f"the wait could not be measured:\n{done.stderr}")
    return json.loads(done.stdout)


def wait_table(machine: dict, measured: dict) -> str:
    waits = {row["wait"]: row for row in measured["waits"]}
    everyone, aside = waits["adaptive"]["all"], waits["adaptive"]["kept_aside"]
    lines = [
        f"{measured['utterances']} utterances (`bench/wait/`) by {len(measured['callers'])} synthetic callers"
        f" ({', '.join(measured['callers'])}): {everyone['turns']} turns, {everyone['with_pauses']} of them with pauses of"
        " 0.5 to 2 s within. The real floor, voice detector, transcriber and end-of-turn model, in virtual time."
        f" {machine['date']}, commit {machine['commit']}.",
        "",
        "- Cut off: the reply began before the caller had finished; the share is of the turns with pauses. Wait: from the"
        " last sound of a caller who was not cut off to the reply.",
        f"- Kept aside: {aside['turns']} turns, {aside['with_pauses']} with pauses, which the adaptive wait's numbers were not"
        " chosen on; the other columns are of all turns.",
        "- \"No more cut-offs\": the shortest fixed wait, in steps of 0.1 s, that cuts off no more turns than the adaptive one.",
        "",
        "| wait | cut off | wait p50 | p90 | mean | kept aside: cut off | mean |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for wait in FIXED:
        lines.append(row(f"fixed {wait:g} s", waits[f"fixed {wait:g}"]))
    lines.append(row("**adaptive**", waits["adaptive"]))
    equal = fixed_with_cut_offs(waits, everyone["cut_off"])
    if equal:
        lines.append(row(f"{equal} s: no more cut-offs", waits[equal]))
    lines += [row(name, waits[name]) for name in waits if name.startswith("adaptive, ")]
    lines += ["", *by_kind(waits), "", *by_caller(waits["adaptive"]["all"]), "", *opinions(measured["opinions"])]
    return "\n".join(lines) + "\n"


def fixed_with_cut_offs(waits: dict, most: int) -> str | None:
    fixed = [(float(name.removeprefix("fixed ")), name) for name in waits if name.startswith("fixed ")]
    return next((name for _, name in sorted(fixed) if waits[name]["all"]["cut_off"] <= most), None)


def row(name: str, figures: dict) -> str:
    everyone, aside = figures["all"], figures["kept_aside"]
    waits = [f"{everyone['wait_s'][key]:.2f} s" for key in ("p50", "p90", "mean")]
    cells = [name, cut_off(everyone), *waits, cut_off(aside), f"{aside['wait_s']['mean']:.2f} s"]
    return "| " + " | ".join(cells) + " |"


def cut_off(figures: dict) -> str:
    return f"{figures['cut_off']} ({100 * figures['cut_off'] / max(1, figures['with_pauses']):.0f} %)"


def by_kind(waits: dict) -> list[str]:
    names = [f"fixed {wait:g}" for wait in FIXED] + ["adaptive"]
    lines = ["| turns cut off | " + " | ".join(names) + " |", "|---|" + "--:|" * len(names)]
    for kind, meaning in KINDS.items():
        cells = [waits[name]["all"]["cut_off_by_kind"].get(kind) for name in names]
        if all(cells):
            lines.append(f"| {meaning} | " + " | ".join(f"{cut} of {turns}" for turns, cut in cells) + " |")
    return lines


def by_caller(adaptive: dict) -> list[str]:
    lines = ["| adaptive, by caller | turns cut off | mean wait |", "|---|--:|--:|"]
    for caller, figures in adaptive["by_caller"].items():
        lines.append(f"| {caller} | {figures['cut_off']} | {figures['mean_wait_s']:.2f} s |")
    return lines


def opinions(measured: dict) -> list[str]:
    taken = {round(entry["from"], 2): entry for entry in measured["taken_for_finished"]}
    said = [
        f"{taken[sure]['of_ends']} of {measured['ends']} pauses at the end of a turn and {taken[sure]['of_pauses_within']}"
        f" of {measured['pauses_within']} within one at {sure} or more"
        for sure in (0.5, 0.9)
    ]
    return [
        f"The model by itself gives {'; '.join(said)}. {measured['hushed']} of {measured['opinions']} pauses of these callers,"
        " none of whom whispers, were taken for hushed."
    ]
