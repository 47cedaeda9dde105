"""A warm transfer that reaches a person: how soon a desk rings, how soon officer and caller hear each other, and what a call of
three takes beside one of two.

One node, one officer, one caller after another. nightlight-caller plays both on one clock (`--hand-overs`): the caller writes that
they do not want to live any more, the officer accepts as soon as they are rung, and is ready as soon as they are on the line. Each
says a tone, and hears the other's by its pitch. The next two callers are greeted meanwhile: a greeting is rendered ahead and costs next to
nothing, and a hundred would be waited for for half an hour otherwise.

What a call takes is counted in calls of its own, one at a time, in which they talk: the caller with the assistant; then with an officer
who listens; then both at once.
"""

import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from authenticator import CODE_SECONDS, code_at
from calls import spread
from machine import ROOT, load_average
from server import Server, cpu_seconds, program
from tables import machine_lines

HAND_OVERS = 100
# Calls in which they talk, and for how long each time.
TALKS = 10
TALK_SECONDS = 10.0
# A hand-over lasts a greeting, three talks, and what lies between.
LONGEST_SECONDS = 150
# Who is handed over, those who are greeted meanwhile, and one whose call is ending.
LINES = 6
# By the marks of nightlight-caller.
TALKING = {"two-legs": "two", "three-legs": "three", "three-legs-both-speak": "three_both_speak"}
PASSWORD = "a lantern at 3 am"
RING_MS, HEAR_MS = 500, 800


def measure_hand_over(hand_overs: int | None) -> dict:
    hand_overs = hand_overs or HAND_OVERS
    print(f"{hand_overs} hand-overs …", flush=True)
    # The one officer there is takes call after call.
    at_once = {"NIGHTLIGHT_WRAP_UP_SECONDS": "0"}
    with tempfile.TemporaryDirectory(prefix="nightlight-bench-") as directory, Server(Path(directory), 3, max_calls=LINES, **at_once) as server:
        load = load_average()
        cookie = officer_of(server, "officer", "--agencies", "SOS")
        begun = time.monotonic()
        told, _ = hand_over(server, cookie, hand_overs, 0)
        seconds = time.monotonic() - begun
        print(f"  in {seconds:.0f} s; {TALKS} in which they talk …", flush=True)
        _, cpu = hand_over(server, cookie, TALKS, TALK_SECONDS)
    return {
        "hand_overs": hand_overs,
        "seconds": seconds,
        "talks": TALKS,
        "talk_seconds": TALK_SECONDS,
        "load_before": load,
        "ring_ms": spread([one["ring_ms"] for one in told]),
        "caller_hears_ms": spread([one["caller_hears_ms"] for one in told]),
        "officer_hears_ms": spread([one["officer_hears_ms"] for one in told]),
        "both_hear_ms": spread([one["both_hear_ms"] for one in told]),
        # Of one core.
        **{f"cpu_percent_of_{key}": 100 * cpu[mark] / (TALKS * TALK_SECONDS) for mark, key in TALKING.items()},
    }


def hand_over(server: Server, cookie: str, hand_overs: int, talk: float) -> tuple[list[dict], dict[str, float]]:
    command = [
        program("nightlight-caller", "NIGHTLIGHT_CALLER_BIN"),
        "--url", server.origin, "--hand-overs", str(hand_overs), "--talk", f"{talk:g}",
    ]
    # The cookie is a way in: it stands in no list of processes.
    environment = {**os.environ, "NIGHTLIGHT_DESK_COOKIE": cookie}
    told, cpu, began = [], dict.fromkeys(TALKING, 0.0), 0.0
    deadline = time.monotonic() + 60 + hand_overs * LONGEST_SECONDS
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            for line in process.stdout:
                heard = json.loads(line)
                mark = heard.get("mark")
                if mark in cpu:
                    began = cpu_seconds(server.process.pid)
                elif mark:
                    cpu[mark.removesuffix("-over")] += cpu_seconds(server.process.pid) - began
                elif "call" in heard:
                    told.append(heard)
                if time.monotonic() > deadline:
                    raise SystemExit("the hand-overs took too long")
        finally:
            if process.poll() is None and len(told) < hand_overs:
                process.terminate()
    if len(told) < hand_overs or process.returncode:
        raise SystemExit(f"only {len(told)} of {hand_overs} callers reached the officer, or the last call did not end")
    return told, cpu


def officer_of(server: Server, role: str, *more: str) -> str:
    """Makes a desk with one person beside its first administrator, and signs them in: the cookie."""
    invite(server, "first@line.example", "administrator")
    token = invite(server, "mei@line.example", role, *more)
    invited, _ = ask(server, "/api/desk/invitation", {"token": token})
    secret = invited["totpSecret"]
    # An app's code is good once: the one for signing in is the next.
    ask(server, "/api/desk/invitation/accept", {"token": token, "password": PASSWORD, "code": code_at(secret, time.time() - CODE_SECONDS)})
    signing_in = {"signInName": "mei@line.example", "password": PASSWORD, "code": code_at(secret, time.time())}
    _, cookie = ask(server, "/api/desk/sign-in", signing_in)
    return cookie.partition(";")[0]


def invite(server: Server, sign_in_name: str, role: str, *more: str) -> str:
    """From the command line, as the first account is: the link's token."""
    command = [program("nightlight", "NIGHTLIGHT_BIN"), "desk", "add-officer", sign_in_name, "--name", role, "--role", role, *more]
    done = subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True, check=True)
    return done.stdout.rpartition("/desk#")[2].strip()


def ask(server: Server, path: str, body: dict) -> tuple[dict, str]:
    request = urllib.request.Request(
        server.origin + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
            return json.loads(text) if text else {}, answer.headers.get("Set-Cookie", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{path} was answered {error.code}: {error.read().decode()[:300]}") from error


def hand_over_table(machine: dict, measured: dict) -> tuple[str, bool]:
    ring, both = measured["ring_ms"]["p99"], measured["both_hear_ms"]["p99"]
    verdicts = [
        (f"from the caller's words to the desk's ring {ring:.0f} ms at p99 (at most {RING_MS})", ring <= RING_MS),
        (f"from accepting to both hearing each other {both:.0f} ms at p99 (at most {HEAR_MS})", both <= HEAR_MS),
    ]
    two, three, both_speak = (measured[f"cpu_percent_of_{key}"] for key in TALKING.values())
    lines = [
        *[f"- {line}" for line in machine_lines(machine)],
        f"- {measured['hand_overs']} hand-overs, one after another, at one node, in {measured['seconds'] / 60:.0f} minutes; the next two callers are"
        f" greeted meanwhile. Callers and officer run on the same machine, whose load was {measured['load_before']:.1f} before. The transfer is"
        " decided and made durable between the caller's words and the ring.",
        "- The officer asks to be put through as soon as they are on the line; who hears the briefing to its end hears the caller after that.",
        "",
        "| | p50 | p95 | p99 | longest |",
        "|---|--:|--:|--:|--:|",
    ]
    for words, key in (
        ("the caller's words → the desk rings", "ring_ms"),
        ("accepted → the officer hears the caller", "officer_hears_ms"),
        ("accepted → the caller hears the officer", "caller_hears_ms"),
        ("accepted → both hear each other", "both_hear_ms"),
    ):
        times = measured[key]
        lines.append(f"| {words} | {' | '.join(f'{times[which]:.0f} ms' for which in ('p50', 'p95', 'p99', 'max'))} |")
    lines += [
        "",
        f"What such a call takes, by {measured['talks']} calls one at a time and {measured['talk_seconds']:g} s of talk in each; an officer is one more line"
        " with its detector, everybody's sound decoded, mixed and encoded, and what they say transcribed:",
        "",
        "| | caller and assistant, the caller speaks | with an officer who listens | with an officer who speaks too, both at once |",
        "|---|--:|--:|--:|",
        f"| of a core | {two:.1f} % | {three:.1f} % | {both_speak:.1f} % |",
        f"| more than with the assistant alone | | {three - two:+.1f} | {both_speak - two:+.1f} |",
        "",
        *[f"- {'reached' if reached else 'MISSED'}: {text}" for text, reached in verdicts],
    ]
    return "\n".join(lines) + "\n", not all(reached for _, reached in verdicts)
