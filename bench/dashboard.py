"""The page of records of a visitor with 100,000 of them: how soon its first rows are there, and whether it stays quick.

The real page of the real server in Chromium, once at 1280, once on a phone. It opens with the first fifty records; more are fetched when
they are asked for, and what was said in one when it is opened. So what a long history costs the page is what its server takes to find
those, and what the page holds by then.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from desk import KEY_MS
from machine import ROOT, load_average
from records import SqliteFile, visitor_with_a_record
from server import Server
from tables import machine_lines

RECORDS = 100_000
LONGEST_MEASUREMENT_SECONDS = 1200
# At 1280 as wherever a page is said to stutter; on a phone, whose processor is four times slower, twice that.
LONG_TASK_MS = {"1280": 100, "phone": 200}
# On a phone, what Web Vitals call a good largest paint (https://web.dev/articles/lcp).
FIRST_ROWS_MS = {"1280": 1000, "phone": 2500}
# From the key to the records, or the words, that were asked for.
FETCHED_MS = {"1280": 500, "phone": 1000}


def measure_dashboard(records: int | None) -> dict:
    records = records or RECORDS
    with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as temporary, SqliteFile(Path(temporary)) as database:
        directory = Path(temporary)
        settings = {"start_wait": 3, "max_calls": 1, "database": database.url}
        with Server(directory, **settings) as server:
            cookie = visitor_with_a_record(server)
        print(f"the page of {records:,} records: filling …", flush=True)
        database.fill(records)
        # What was filled is on the disk by then, and is not written to it while something else is measured.
        os.sync()
        load = load_average()
        with Server(directory, **settings) as server:
            print("  looking …", flush=True)
            devices = look(server, cookie)
            if death := server.death():
                raise SystemExit(f"the server died: {death}")
    return {"records": records, "load_before": load, "devices": devices}


def look(server: Server, cookie: str) -> list[dict]:
    """What the page tells of itself, by device."""
    # The cookie is a way in: it stands in no list of processes.
    environment = {**os.environ, "NIGHTLIGHT_VISITOR_COOKIE": cookie}
    done = subprocess.run(
        ["node", "build/run.js", "stutter/dashboard.ts", server.origin],
        cwd=ROOT / "web", env=environment, stdout=subprocess.PIPE, text=True, timeout=LONGEST_MEASUREMENT_SECONDS,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit("the page of records could not be measured in the browser; what it said stands above")
    return json.loads(done.stdout.splitlines()[-1])


def dashboard_table(machine: dict, measured: dict) -> tuple[str, bool]:
    devices = measured["devices"]
    verdicts = [verdict for device in devices for verdict in judge(device)]
    first = devices[0]
    rows = {
        "opened → its first rows, p50 / longest": lambda it: two(it["arrivals"]["firstRows"]),
        "longest task of an opening": lambda it: f"{it['arrivals']['longestTask']:.0f} ms",
        "scrolling, fetching, turning pages: from frame to frame, p50 / p99 / longest": lambda it: three(it["list"]["frames"]),
        "frames after more than 50 ms": lambda it: f"{it['list']['slowFramesPercent']:.2f} %",
        "tasks over 50 ms: number / longest": lambda it: tasks(it["list"]),
        "“Fetch more records” → 50 more": lambda it: two(it["list"]["more"]),
        "“Next page” → its rows": lambda it: two(it["list"]["turned"]),
        "reading: “Expand View” → the note, and the words it rests on": lambda it: two(it["reading"]["note"]),
        "“Transcript” → what was said": lambda it: two(it["reading"]["said"]),
        "tasks over 50 ms while reading: number / longest": lambda it: tasks(it["reading"]),
        "a key → the next paint, p99": lambda it: f"{slowest_key(it):.0f} ms",
        "the page's memory: with 50 records → with as many as at the end": lambda it: (
            f"{it['heapMb']['before']:.1f} → {it['heapMb']['after']:.1f} MB ({it['records']:,})"
        ),
    }
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- One visitor with {measured['records']:,} records in SQLite, each with a note and a transcript. Load of the machine before:"
        f" {measured['load_before']:.1f}.",
        f"- Opened {first['arrivals']['firstRows']['count']} times, each time by a browser that has nothing of the page or of its records; server and"
        " browser share the cores, and a network's time is not in it.",
        f"- Then {first['list']['more']['count']} times: scrolled down and up, more fetched, scrolled, the next page turned to. Then"
        f" {first['reading']['note']['count']} records opened one after another, and what was said in them read. By keys and the wheel; from a key"
        " to the frame that shows what it asked for, p50 / longest.",
        "- Chromium without a graphics card. The phone: 412 × 839, its processor 4 times slower (by DevTools). Memory: after a collection.",
        "",
        f"| | {' | '.join(it['device'] for it in devices)} |",
        f"|---|{'--:|' * len(devices)}",
    ]
    lines += [f"| {words} | {' | '.join(cell(it) for it in devices)} |" for words, cell in rows.items()]
    lines += ["", *[f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts]]
    return "\n".join(lines) + "\n", not all(reached for _, reached in verdicts)


def judge(it: dict):
    device = it["device"]
    rows, most = it["arrivals"]["firstRows"]["max"], FIRST_ROWS_MS[device]
    yield f"{device}: the first rows are there within {rows:.0f} ms (at most {most:,})", rows <= most
    longest, most = max(it[part]["longTasks"]["longest"] for part in ("list", "reading")), LONG_TASK_MS[device]
    yield f"{device}: in scrolling, fetching and reading no task takes more than {most} ms (longest {longest:.0f}; 0: none over 50)", longest <= most
    key, most = slowest_key(it), KEY_MS[device]
    yield f"{device}: from a key to the next paint {key:.0f} ms at p99 (at most {most})", key <= most
    slowest, most = max(times["max"] for times in (it["list"]["more"], it["reading"]["note"], it["reading"]["said"])), FETCHED_MS[device]
    yield f"{device}: more records, a note and what was said are there within {slowest:.0f} ms (at most {most:,})", slowest <= most


def slowest_key(it: dict) -> float:
    return max(it[part]["keys"]["p99"] for part in ("list", "reading"))


def tasks(part: dict) -> str:
    return f"{part['longTasks']['count']} / {part['longTasks']['longest']:.0f} ms"


def two(times: dict) -> str:
    return f"{times['p50']:.0f} / {times['max']:.0f} ms"


def three(times: dict) -> str:
    return f"{times['p50']:.0f} / {times['p99']:.0f} / {times['max']:.0f} ms"
