"""Open dashboards: how soon the last is told of a change, and what a change costs while they are open.

A visitor may have eight streams of events, and is told of their own records alone: a thousand watchers are 125 visitors, and a
change has eight watchers at most. It is made as a caller makes it, by writing (`POST /chat`).
"""

import asyncio
import json
import resource
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from calls import spread
from machine import load_average
from server import Server, Usage, cpu_seconds, resident_mb
from tables import machine_lines

WATCHERS = 1000
STREAMS_OF_A_VISITOR = 8
CHANGES = 200
TOLD_WITHIN_SECONDS = 20
WORDS = json.dumps({"assistantId": "helpline", "input": "I feel sad"})


@dataclass
class Visitor:
    cookie: str
    key: str
    # When each of their streams was first told of which call.
    told: list[dict[str, float]] = field(default_factory=list)
    streams: list[asyncio.Task] = field(default_factory=list)


def measure_watchers(watchers: int | None) -> dict:
    watchers = watchers or WATCHERS
    # Ours are as many as the server's.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    measured = []
    for open_streams in (STREAMS_OF_A_VISITOR, watchers):
        print(f"{open_streams} open dashboards …", flush=True)
        with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory, Server(Path(directory), 3, max_calls=1) as server:
            load = load_average()
            measured.append({"load_before": load, **asyncio.run(watch(server, open_streams))})
    return {"changes": CHANGES, "runs": measured}


async def watch(server: Server, watchers: int) -> dict:
    host, port = urlsplit(server.origin).hostname, urlsplit(server.origin).port
    pid = server.process.pid
    # What the first conversation brings in is no stream's.
    await ask(host, port, "POST", "/chat", await arrive(host, port), WORDS)
    before_mb = resident_mb(pid)
    visitors = [await arrive(host, port) for _ in range(max(1, watchers // STREAMS_OF_A_VISITOR))]
    opened = [asyncio.Event() for _ in range(watchers)]
    for number, is_open in enumerate(opened):
        visitor = visitors[number // STREAMS_OF_A_VISITOR % len(visitors)]
        visitor.told.append({})
        visitor.streams.append(asyncio.create_task(listen(host, port, visitor, len(visitor.told) - 1, is_open)))
    await asyncio.wait_for(asyncio.gather(*(is_open.wait() for is_open in opened)), 60)
    with_streams_mb = resident_mb(pid)
    with Usage(pid) as usage:
        one_by_one = [await change(host, port, visitors[number % len(visitors)]) for number in range(CHANGES)]
    cpu_of_a_change = 1000 * usage.cpu_seconds / CHANGES
    idle_before, began = cpu_seconds(pid), time.monotonic()
    await asyncio.sleep(5)
    idle = (cpu_seconds(pid) - idle_before) / (time.monotonic() - began)
    at_once = await asyncio.gather(*(change(host, port, visitor) for visitor in visitors))
    for visitor in visitors:
        for stream in visitor.streams:
            stream.cancel()
    return {
        "watchers": watchers,
        "visitors": len(visitors),
        "answered_ms": spread([answered for answered, _ in one_by_one]),
        "last_told_ms": spread([last for _, last in one_by_one]),
        "at_once_last_told_ms": spread([last for _, last in at_once]),
        "cpu_ms_of_a_change": cpu_of_a_change,
        "idle_cpu_percent": 100 * idle,
        "kb_of_a_stream": 1024 * (with_streams_mb - before_mb) / watchers,
    }


async def arrive(host: str, port: int) -> Visitor:
    headers, body = await ask(host, port, "GET", "/api/config")
    cookie = next(value for name, value in headers if name == "set-cookie").partition(";")[0]
    return Visitor(cookie, json.loads(body)["publicKey"])


async def change(host: str, port: int, visitor: Visitor) -> tuple[float, float]:
    """Milliseconds from sending the words to their answer, and to the last of the visitor's streams that is told."""
    begun = time.monotonic()
    _, body = await ask(host, port, "POST", "/chat", visitor, WORDS)
    answered = time.monotonic()
    call = json.loads(body)["sessionId"]
    while not all(call in stream for stream in visitor.told):
        if time.monotonic() > begun + TOLD_WITHIN_SECONDS:
            raise SystemExit("a watcher was not told of a change")
        await asyncio.sleep(0.0005)
    return (answered - begun) * 1000, (max(stream[call] for stream in visitor.told) - begun) * 1000


async def listen(host: str, port: int, visitor: Visitor, number: int, is_open: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection(host, port, limit=1_000_000)
    writer.write(f"GET /api/calls/events HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\nCookie: {visitor.cookie}\r\n\r\n".encode())
    try:
        status = await reader.readline()
        if b" 200 " not in status:
            raise SystemExit(f"a stream was answered {status.decode().strip()}")
        while line := await reader.readline():
            if line.startswith(b"id:"):
                is_open.set()
            elif line.startswith(b"data:") and len(line) > 10:
                visitor.told[number].setdefault(json.loads(line[5:])["callId"], time.monotonic())
    finally:
        writer.close()


async def ask(host: str, port: int, method: str, path: str, visitor: Visitor | None = None, body: str = "") -> tuple[list, bytes]:
    reader, writer = await asyncio.open_connection(host, port)
    headers = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", f"Content-Length: {len(body.encode())}"]
    if visitor:
        headers += [f"Cookie: {visitor.cookie}", f"Authorization: Bearer {visitor.key}", "Content-Type: application/json"]
    writer.write("\r\n".join([*headers, "", body]).encode())
    answer = await reader.read()
    writer.close()
    head, _, rest = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    if not status.split(" ")[1].startswith("2"):
        raise SystemExit(f"{method} {path} was answered {status}: {rest[:300]}")
    return [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)], rest


def watchers_table(machine: dict, measured: dict) -> str:
    runs = measured["runs"]
    rows = {
        "a change, to its answer, p50 / p99": lambda run: two(run["answered_ms"]),
        "a change, to its last watcher, p50 / p99": lambda run: two(run["last_told_ms"]),
        "every visitor changes something at once: to each one's last watcher, p50 / longest": lambda run: (
            f"{run['at_once_last_told_ms']['p50']:.1f} / {run['at_once_last_told_ms']['max']:.1f} ms"
        ),
        "processor time of a change, with its writing, reading and telling": lambda run: f"{run['cpu_ms_of_a_change']:.1f} ms",
        "processor, while nothing changes": lambda run: f"{run['idle_cpu_percent']:.1f} % of a core",
        "memory of a stream": lambda run: f"{run['kb_of_a_stream']:.0f} KB",
        "load of the machine before": lambda run: f"{run['load_before']:.1f}",
    }
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- A visitor has {STREAMS_OF_A_VISITOR} streams at most and hears of their own records alone, so a change has {STREAMS_OF_A_VISITOR} watchers,"
        " however many there are; what the others cost it is the difference of the columns.",
        f"- A change: somebody writes, and is answered. {measured['changes']} of them, one after another, of all visitors in turn; the watchers run on"
        " the same machine.",
        "",
        "| | " + " | ".join(f"{run['watchers']:,} watchers, {run['visitors']:,} visitors" for run in runs) + " |",
        f"|---|{'--:|' * len(runs)}",
    ]
    lines += [f"| {words} | {' | '.join(cell(run) for run in runs)} |" for words, cell in rows.items()]
    return "\n".join(lines) + "\n"


def two(times: dict) -> str:
    return f"{times['p50']:.1f} / {times['p99']:.1f} ms"
