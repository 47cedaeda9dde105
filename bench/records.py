"""The records API of a visitor with a million records, in both databases: pages of the list, and one record's whole info."""

import json
import os
import random
import sqlite3
import subprocess
import tempfile
import time
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from calls import spread
from machine import ROOT, load_average
from server import Server
from tables import machine_lines

RECORDS = 1_000_000
EACH = 1000
P99_MS = 50
FILLED_WITHIN_SECONDS = 1800
CALL = "00000000-0000-4000-8000-{:012x}"
QUESTIONS = {
    "first": "the list's first page",
    "deep": "a page from anywhere in the list",
    "largest": "a page of 200 from anywhere",
    "one": "one record with what was said",
    "latest": "the visitor's latest",
}
# The visitor's one written conversation is copied with the notes and transcripts of the samples, every twentieth urgent. Not
# with the samples' times: the server would forget them.
COPIED = """
    INSERT INTO calls ({id}call_id, visitor, kind, started_at, ended_at, ended_reason, note, messages, urgency)
    SELECT {number}{call_id}, own.visitor, sample.kind, own.started_at, own.started_at, sample.ended_reason, sample.note,
        sample.messages, {urgency}
    FROM {numbers} JOIN calls sample ON sample.id = 1 + i % 10 AND sample.sample = {yes}
    JOIN calls own ON own.visitor IS NOT NULL"""


class SqliteFile:
    name = "SQLite"

    def __init__(self, directory: Path):
        self.file = directory / "records.db"
        self.url = f"sqlite:{self.file}"

    def __enter__(self) -> "SqliteFile":
        return self

    def fill(self, records: int) -> None:
        database = sqlite3.connect(self.file, isolation_level=None)
        # Nothing is lost by a crash here.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -400000"):
            database.execute(f"PRAGMA {pragma}")
        database.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            + COPIED.format(
                id="", number="", numbers="n", yes="1", urgency="i % 20 = 0", call_id="printf('00000000-0000-4000-8000-%012x', i)"
            ),
            (records,),
        )
        database.execute("PRAGMA journal_mode = WAL")
        database.close()

    def megabytes(self) -> float:
        return self.file.stat().st_size / 1e6

    def __exit__(self, *_) -> None:
        for path in self.file.parent.glob(self.file.name + "*"):
            path.unlink()


class Postgres:
    """A server of the bench's own, as the tests have it."""

    name = "PostgreSQL"
    PROGRAM = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "postgres-for-tests", "--example", "held"]

    def __init__(self, _directory: Path):
        pass

    def __enter__(self) -> "Postgres":
        self.process = subprocess.Popen(self.PROGRAM, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise SystemExit("PostgreSQL did not start: see above")
        return self

    def fill(self, records: int) -> None:
        copied = COPIED.format(
            id="id, ", number="10000 + i, ", numbers=f"generate_series(1, {records}) AS i", yes="true",
            urgency="(i % 20 = 0)::int", call_id="('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid",
        )  # fmt: skip
        # Not waiting for the disk, for this alone; and what it does by itself some minutes later.
        self.sql("SET synchronous_commit = off", copied, "VACUUM ANALYZE")

    def megabytes(self) -> float:
        return int(self.sql("SELECT pg_database_size(current_database())")) / 1e6

    def sql(self, *statements: str) -> str:
        command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", self.url]
        told = [option for statement in statements for option in ("--command", statement)]
        return subprocess.run([*command, *told], capture_output=True, text=True, check=True, timeout=FILLED_WITHIN_SECONDS).stdout

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        self.process.wait(60)


def measure_records(records: int | None) -> dict:
    records = records or RECORDS
    measured = []
    for kind in (SqliteFile, Postgres):
        with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory, kind(Path(directory)) as database:
            measured.append(among(records, database, Path(directory)))
    return {"records": records, "each": EACH, "databases": measured}


def among(records: int, database: SqliteFile | Postgres, directory: Path) -> dict:
    print(f"{database.name}: filling {records:,} records …", flush=True)
    settings = {"start_wait": 3, "max_calls": 1, "database": database.url}
    with Server(directory, **settings) as server:
        cookie = visitor_with_a_record(server)
    begun = time.monotonic()
    database.fill(records)
    filled = time.monotonic() - begun
    print(f"  filled in {filled:.0f} s; asking …", flush=True)
    # What was filled is on the disk by then, and is not written to it while something else is measured.
    os.sync()
    chosen = random.Random(1)
    load = load_average()
    begun = time.monotonic()
    with Server(directory, **settings) as server:
        started = time.monotonic() - begun
        client = HTTPConnection(urlsplit(server.origin).netloc, timeout=60)
        paths = {
            "first": lambda: "/api/calls",
            "deep": lambda: f"/api/calls?after={anywhere(chosen, records)}",
            "largest": lambda: f"/api/calls?limit=200&after={anywhere(chosen, records)}",
            "one": lambda: f"/api/getCallInfo?callId={CALL.format(chosen.randint(1, records))}",
            "latest": lambda: "/api/getCallInfo",
        }
        times, sizes = {}, {}
        for question, path in paths.items():
            answers = [get(client, cookie, path()) for _ in range(EACH)]
            times[question] = spread([milliseconds for milliseconds, _ in answers])
            sizes[question] = round(sum(size for _, size in answers) / len(answers))
    return {
        "database": database.name,
        "megabytes": database.megabytes(),
        "filled_seconds": filled,
        "started_seconds": started,
        "load_before": load,
        "ms": times,
        "bytes": sizes,
    }


def anywhere(chosen: random.Random, records: int) -> str:
    """A place of the list: urgency, and the record's number, from which at least a page goes on."""
    return f"{chosen.randint(0, 1)}.{chosen.randint(min(20_000, records), records)}"


def visitor_with_a_record(server: Server) -> str:
    """A visitor's cookie; they have written once."""
    with urllib.request.urlopen(f"{server.origin}/api/config", timeout=30) as answer:
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        key = json.load(answer)["publicKey"]
    request = urllib.request.Request(
        f"{server.origin}/chat",
        data=json.dumps({"assistantId": "helpline", "input": "I feel sad"}).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {key}", "Cookie": cookie},
    )
    urllib.request.urlopen(request, timeout=30).close()
    return cookie


def get(client: HTTPConnection, cookie: str, path: str) -> tuple[float, int]:
    """How many milliseconds the answer took, and its bytes."""
    begun = time.monotonic()
    client.request("GET", path, headers={"Cookie": cookie})
    answer = client.getresponse()
    body = answer.read()
    took = time.monotonic() - begun
    if answer.status != 200:
        raise SystemExit(f"{path} was answered {answer.status}: {body[:300]}")
    return took * 1000, len(body)


def records_table(machine: dict, measured: dict) -> tuple[str, bool]:
    databases = measured["databases"]
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- One visitor with {measured['records']:,} records, each with a note and a transcript; {measured['each']:,} requests of a kind,"
        " one after another over one connection, from asking to the last byte.",
        *[
            f"- {found['database']}: {found['megabytes']:,.0f} MB, filled in {found['filled_seconds']:.0f} s; the server starts on it in"
            f" {found['started_seconds']:.1f} s. Load of the machine before: {found['load_before']:.1f}."
            for found in databases
        ],
        "",
        f"| milliseconds, p50 / p99 / longest | {' | '.join(found['database'] for found in databases)} | bytes |",
        f"|---|{'--:|' * len(databases)}--:|",
    ]
    for question, words in QUESTIONS.items():
        cells = [f"{times['p50']:.1f} / {times['p99']:.1f} / {times['max']:.1f}" for times in (found["ms"][question] for found in databases)]
        lines.append(f"| {words} | {' | '.join(cells)} | {databases[0]['bytes'][question]:,} |")
    verdicts = []
    for found in databases:
        slowest = max(QUESTIONS, key=lambda question: found["ms"][question]["p99"])
        p99 = found["ms"][slowest]["p99"]
        verdicts.append((f"{found['database']}: {QUESTIONS[slowest]} {p99:.1f} ms at p99 (at most {P99_MS})", p99 <= P99_MS))
    lines += ["", *[f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts]]
    return "\n".join(lines) + "\n", any(not reached for _, reached in verdicts)
