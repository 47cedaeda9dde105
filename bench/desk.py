"""A hundred live calls at one duty desk: does its page stutter?

The desk lists calls by voice and no conversations in writing. So these are voice calls, over the lightest transport there is: raw
sound by a WebSocket, silent from the caller's side, who writes on the line every few seconds and is answered by the voice. Most go
on all the while; a few are short, and others take their place. The page is the real one in Chromium, once at 1280, once on a phone.
What the longest tasks were, by script and function or as layout and paint, is in the results' JSON (`longestFrames`).
"""

import json
import os
import subprocess
import tempfile
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from hand_over import officer_of
from machine import ROOT, load_average
from server import Server, Usage, program
from tables import machine_lines

CALLS = 100
SECONDS = 60
WRITES_EVERY_SECONDS = 4
BEGIN_EVERY_SECONDS = 0.17
# One in so many is over after a few turns, and another takes its place.
ONE_SHORT_IN = 10
TURNS_OF_A_SHORT_CALL = 8
# More than the measuring takes; what is left unsaid at its end stays unsaid.
TURNS_OF_A_LONG_CALL = 300
LIVE_WITHIN_SECONDS = 120
LONGEST_MEASUREMENT_SECONDS = 300
LONG_TASK_MS = 100
# On a phone, what Web Vitals call good of an interaction (https://web.dev/articles/inp).
KEY_MS = {"1280": 100, "phone": 200}
# In service the server and its callers are other machines than the officer's: here they let the browser go first.
GIVES_WAY = 10
MORE_MEMORY_MB = 1.0

# What callers write, by turns: one who is hurt at home and does not want it told on, and two who want to talk.
WORDS = [
    [
        "My husband hits me", "It happens when he drinks", "He hit me last night", "I am in the bedroom now", "He is asleep", "I live in Toa Payoh",
        "Block 12 Lorong 4", "I am not sure", "My name is Siti", "I have two children", "They are asleep", "I am scared of him",
    ],
    [
        "I feel sad tonight", "It has been a long week at the office", "My sister does not help me", "I cannot sleep", "I worry about money",
        "My neighbour plays loud music at night", "I feel lonely these days", "I had rice for dinner", "My mother is ill",
        "I do not know what to do", "The bus was late again", "I miss my old friends",
    ],
    [
        "It has been a long week at the office", "The bus was late again", "My mother is ill", "I worry about money", "I cannot sleep",
        "My neighbour plays loud music at night", "I miss my old friends",
    ],
]
# The lightest there is: a voice that has no model, and callers read by rules.
SETTINGS = {
    "NIGHTLIGHT_VOICE": "slt",
    "NIGHTLIGHT_LIGHTER_VOICE": "slt",
    "NIGHTLIGHT_READER_DIR": "none",
    "NIGHTLIGHT_MAX_DURATION_SECONDS": "3600",
}


def measure_desk(calls: int | None) -> dict:
    calls = calls or CALLS
    print(f"{calls} live calls at the desk …", flush=True)
    load = load_average()
    with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as temporary:
        directory = Path(temporary)
        with Server(directory, 0.4, max_calls=calls + 20, **SETTINGS) as server:
            give_way(server.process.pid)
            cookie = officer_of(server, "supervisor")
            with callers(server, directory, calls):
                wait_until_live(server, cookie, calls)
                with Usage(server.process.pid) as usage:
                    views = watch(server, cookie)
            if death := server.death():
                raise SystemExit(f"the server died: {death}")
    return {
        "calls": calls,
        "load_before": load,
        "server_cpu_percent": 100 * usage.cpu_seconds / usage.seconds,
        "views": views,
    }


def give_way(pid: int) -> None:
    """Every thread of it, and those that they begin."""
    for thread in (Path("/proc") / str(pid) / "task").iterdir():
        os.setpriority(os.PRIO_PROCESS, int(thread.name), GIVES_WAY)


@contextmanager
def callers(server: Server, directory: Path, calls: int):
    """Calls until it is left: where one is over, another takes its place."""
    over, running, guard = threading.Event(), set(), threading.Lock()

    def ring_again_and_again(number: int) -> None:
        words = WORDS[number % len(WORDS)]
        turns = TURNS_OF_A_SHORT_CALL if number % ONE_SHORT_IN == 0 else TURNS_OF_A_LONG_CALL
        script = directory / f"{number}.jsonl"
        script.write_text("".join(step(words[turn % len(words)]) for turn in range(turns)) + '{"hang_up": true}\n')
        command = [
            "nice", "-n", str(GIVES_WAY), program("nightlight-caller", "NIGHTLIGHT_CALLER_BIN"), "--url", server.origin,
            "--transport", "websocket", "--script", script, "--bound", "3600", "--linger", "0", "--record-within", "0",
        ]
        # So that they do not write in step, nor all begin at once.
        over.wait(number * BEGIN_EVERY_SECONDS)
        while not over.is_set():
            with guard:
                if over.is_set():
                    return
                calling = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                running.add(calling)
            calling.wait()
            with guard:
                running.discard(calling)
            over.wait(BEGIN_EVERY_SECONDS)

    threads = [threading.Thread(target=ring_again_and_again, args=(number,)) for number in range(calls)]
    try:
        for thread in threads:
            thread.start()
        yield
    finally:
        over.set()
        with guard:
            for calling in running:
                calling.terminate()
        for thread in threads:
            if thread.ident:
                thread.join()


def step(words: str) -> str:
    written = {"type": "add-message", "message": {"role": "user", "content": words}}
    return json.dumps({"wait": WRITES_EVERY_SECONDS}) + "\n" + json.dumps({"send": written}) + "\n"


def wait_until_live(server: Server, cookie: str, calls: int) -> None:
    deadline = time.monotonic() + LIVE_WITHIN_SECONDS
    request = urllib.request.Request(f"{server.origin}/api/desk/live", headers={"Cookie": cookie})
    while True:
        with urllib.request.urlopen(request, timeout=30) as answer:
            live = len(json.load(answer)["calls"])
        if live >= calls:
            return
        if time.monotonic() > deadline:
            raise SystemExit(f"only {live} of {calls} calls are live at the desk")
        time.sleep(0.5)


def watch(server: Server, cookie: str) -> list[dict]:
    """What the page tells of itself, by device and view."""
    command = ["node", "build/run.js", "stutter/measure.ts", server.origin, str(SECONDS)]
    # The cookie is a way in: it stands in no list of processes.
    environment = {**os.environ, "NIGHTLIGHT_DESK_COOKIE": cookie}
    done = subprocess.run(
        command, cwd=ROOT / "web", env=environment, stdout=subprocess.PIPE, text=True, timeout=4 * SECONDS + LONGEST_MEASUREMENT_SECONDS
    )
    if done.returncode:
        raise SystemExit("the desk could not be measured in the browser; what it said stands above")
    return json.loads(done.stdout.splitlines()[-1])


def desk_table(machine: dict, measured: dict) -> tuple[str, bool]:
    views = measured["views"]
    verdicts = list(judge(views, measured["calls"]))
    rows = {
        "live calls in the list, least – most": lambda view: f"{view['rows']['least']} – {view['rows']['most']}",
        "told a second: captions of the open call / how calls stand": lambda view: (
            f"{view['toldASecond'].get('caption', 0):.1f} / {view['toldASecond'].get('call', 0) + view['toldASecond'].get('call-over', 0):.1f}"
        ),
        "from frame to frame, p50 / p99 / longest": lambda view: three(view["frames"]),
        "frames after more than 50 ms": lambda view: f"{view['slowFramesPercent']:.2f} %",
        "tasks over 50 ms: number / in all / longest": lambda view: (
            f"{view['longTasks']['count']} / {view['longTasks']['total']:.0f} ms / {view['longTasks']['longest']:.0f} ms"
        ),
        "a key that moves → the next paint, p50 / p99 / longest": lambda view: three(view["moving"]),
        "a key that opens or closes a call → the next paint": lambda view: three(view["opening"]),
        "a final caption: its moment at the server → on the page, p50 / p99 / longest": lambda view: three(view["captions"]),
        "captions measured, never seen": lambda view: captions_seen(view),
        "the page's memory, before → after": lambda view: f"{view['heapMb']['before']:.1f} → {view['heapMb']['after']:.1f} MB",
        "nodes of the document, before → after": lambda view: f"{view['nodes']['before']:,} → {view['nodes']['after']:,}",
    }
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- {measured['calls']} live voice calls by WebSocket, silent from the callers' side: each caller writes on the line every"
        f" {WRITES_EVERY_SECONDS} s and is answered by the voice, which is what the desk's captions are. One in {ONE_SHORT_IN} is over"
        f" after {TURNS_OF_A_SHORT_CALL} turns, and another takes its place. Calls that are spoken would tell no more of captions and steps; what"
        " they would take is the server's, in \"Calls at once\".",
        "- The server speaks with the voice that has no model and reads by rules, so that its share of the cores is small:"
        f" {measured['server_cpu_percent']:.0f} % of one, which callers, server and browser share; the first two let the browser"
        f" go first (nice {GIVES_WAY}), as they are other machines in service. Load before: {measured['load_before']:.1f}.",
        f"- Chromium without a graphics card; each view for {SECONDS} s. The phone: 412 × 839, its processor 4 times slower (by DevTools).",
        "- Keys: from the press to the next paint, by the browser's Event Timing, which tells nothing under 16 ms and counts in steps of 8."
        " Memory: after a collection.",
        "",
        "| | " + " | ".join(f"{'the list' if view['view'] == 'list' else 'one call after another'}, {view['device']}" for view in views) + " |",
        f"|---|{'--:|' * len(views)}",
    ]
    lines += [f"| {words} | {' | '.join(cell(view) for view in views)} |" for words, cell in rows.items()]
    lines += ["", *[f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts]]
    return "\n".join(lines) + "\n", not all(reached for _, reached in verdicts)


def judge(views: list[dict], calls: int):
    wide = [view for view in views if view["device"] == "1280"]
    longest = max(view["longTasks"]["longest"] for view in wide)
    yield f"at 1280 no task takes more than {LONG_TASK_MS} ms (longest {longest:.0f}; 0: none over 50)", longest <= LONG_TASK_MS
    for device in dict.fromkeys(view["device"] for view in views):
        keys = [view[kind]["p99"] for view in views if view["device"] == device for kind in ("moving", "opening") if view[kind]]
        slowest = max(keys, default=float("inf"))
        yield f"{device}: from a key to the next paint {slowest:.0f} ms at p99 (at most {KEY_MS[device]})", slowest <= KEY_MS[device]
    # Calls that are read hold more the longer they last; the list does not.
    more = max(view["heapMb"]["after"] - view["heapMb"]["before"] for view in views if view["view"] == "list")
    yield f"in {SECONDS} s of the list the page's memory is {more:+.1f} MB (at most {MORE_MEMORY_MB:+.1f})", more <= MORE_MEMORY_MB
    least = min(view["rows"]["least"] for view in views)
    yield f"{least} calls or more are in the list all the while (at least {0.9 * calls:.0f})", least >= 0.9 * calls


def three(times: dict | None) -> str:
    return f"{times['p50']:.0f} / {times['p99']:.0f} / {times['max']:.0f} ms" if times else "–"


def captions_seen(view: dict) -> str:
    return f"{view['captions']['count']}, {view['captionsUnshown']}" if view["captions"] else "–"
