"""How soon a page of a long history is answered: `GET /api/calls` of a visitor with 100,000 records."""

import json
import sqlite3
import statistics
import tempfile
import time
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from server import Server

RECORDS = 100_000
FIRST_PAGES = 500


def measure_records() -> dict:
    with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory:
        with Server(Path(directory), start_wait=3, max_calls=1) as server:
            cookie = visitor_with_records(server)
            client = HTTPConnection(urlsplit(server.origin).netloc, timeout=60)
            first = [get(client, cookie, "/api/calls") for _ in range(FIRST_PAGES)]
            walked = []
            path = "/api/calls"
            while path:
                page = get(client, cookie, path)
                walked.append(page)
                path = page["next"]
    seen = sum(page["records"] for page in walked)
    if seen < RECORDS:
        raise SystemExit(f"{seen} records were listed of {RECORDS}")
    return {
        "records": seen,
        "bytes_a_page": round(statistics.mean(page["bytes"] for page in first)),
        "first_page_ms": spread(first),
        "every_page_ms": spread(walked),
    }


def visitor_with_records(server: Server) -> str:
    """A visitor's cookie; their one written conversation, ended, is copied until there are enough records."""
    with urllib.request.urlopen(f"{server.origin}/api/config", timeout=30) as answer:
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        key = json.load(answer)["publicKey"]
    request = urllib.request.Request(
        f"{server.origin}/chat",
        data=json.dumps({"assistantId": "helpline", "input": "I feel sad"}).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {key}", "Cookie": cookie},
    )
    urllib.request.urlopen(request, timeout=30).close()
    database = sqlite3.connect(server.database, timeout=30)
    with database:
        # The transcripts of samples, so that what is left out of the list is there to be left out.
        database.execute(
            """WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO calls (call_id, visitor, kind, started_at, ended_at, ended_reason, note, messages, urgency)
            SELECT printf('00000000-0000-4000-8000-%012x', i), own.visitor, sample.kind, own.started_at + i, own.started_at + i,
                sample.ended_reason, sample.note, sample.messages, sample.urgency
            FROM n JOIN calls sample ON sample.id = 1 + i % 10 AND sample.sample = 1
            JOIN calls own ON own.visitor IS NOT NULL""",
            (RECORDS,),
        )
    database.close()
    return cookie


def get(client: HTTPConnection, cookie: str, path: str) -> dict:
    begun = time.monotonic()
    client.request("GET", path, headers={"Cookie": cookie})
    answer = client.getresponse()
    body = answer.read()
    took = time.monotonic() - begun
    if answer.status != 200:
        raise SystemExit(f"{path} was answered {answer.status}")
    link = answer.headers["Link"] or ""
    next_path = link.partition("<")[2].partition(">")[0]
    return {"ms": took * 1000, "bytes": len(body), "records": len(json.loads(body)), "next": next_path}


def spread(pages: list[dict]) -> dict:
    times = sorted(page["ms"] for page in pages)
    return {
        "pages": len(times),
        "p50": statistics.median(times),
        "p99": times[min(len(times) - 1, len(times) * 99 // 100)],
        "most": times[-1],
    }


def records_table(measured: dict) -> str:
    lines = [
        f"`GET /api/calls`, 50 records a page ({measured['bytes_a_page']:,} bytes), of a visitor with {measured['records']:,}:",
        "",
        "| pages | asked | p50 | p99 | longest |",
        "|---|---|---|---|---|",
    ]
    for name, key in [("the first", "first_page_ms"), ("all, one after another", "every_page_ms")]:
        times = measured[key]
        lines.append(
            f"| {name} | {times['pages']:,} | {times['p50']:.1f} ms | {times['p99']:.1f} ms | {times['most']:.1f} ms |"
        )
    return "\n".join(lines) + "\n"
