"""A network namespace whose one way out is a bad link: packets are lost by a seed, come late, and at times none comes.

    python3 web/e2e/bad-link.py NAME OUTSIDE WITHIN SEED

NAME is the namespace's, WITHIN its own address, OUTSIDE the address by which it reaches this machine. Two TUN devices are
the ends of the link, and this program carries every IPv4 packet from one to the other: of calls, pages, streams and sockets
alike. The kernel's own `tc netem` is not on every machine, and takes a seed in the newest alone.

It is told what to do by a line, and answers each by a line of JSON, the first when the link is there:

    worsen LOSS DELAY JITTER  of a hundred packets so many are lost; milliseconds that each takes, and up to how many more
    gone MS                   for so long nothing comes through, what is under way included
    tell                      what was carried and lost since it last worsened

What becomes of the n-th packet of a way is settled by the seed and n alone. At the end of its input the link is taken down.
Takes root.
"""

import fcntl
import heapq
import json
import os
import random
import selectors
import signal
import struct
import subprocess
import sys
import time

# Of linux/if_tun.h: a device of IP packets, with nothing before each; and a request's name and flags.
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
REQUEST = struct.Struct("16sH22x")

LONGEST_PACKET = 65_535
# As netem's own limit: what comes while so many are under way is lost.
LONGEST_QUEUE = 1000
PROTOCOLS = {1: "icmp", 6: "tcp", 17: "udp"}


class Trouble:
    """How bad the link is now, both ways."""

    def __init__(self):
        self.loss = 0.0
        self.delay = 0.0
        self.jitter = 0.0
        self.gone_until = 0.0


class Way:
    """One way over the link."""

    def __init__(self, seed, trouble, deliver):
        self._fates = random.Random(seed)
        self._trouble = trouble
        self._deliver = deliver
        # (when it is due, its number, packet): of two that are due at once the earlier goes first.
        self._under_way = []
        self._taken = 0
        self.forget()

    def forget(self):
        """Counts anew."""
        self.counts = {"carried": 0, "lost": 0, "gone": 0, "crowded_out": 0, "carried_by": {}}

    def take(self, packet, now):
        # Of another version, or nothing at all: of no call here.
        if not packet or packet[0] >> 4 != 4:
            return
        # Drawn for every packet, whatever the link is like at the moment: the others' fates stay theirs.
        luck, lateness = self._fates.random(), self._fates.random()
        self._taken += 1
        trouble = self._trouble
        if now < trouble.gone_until:
            self.counts["gone"] += 1
        elif luck < trouble.loss:
            self.counts["lost"] += 1
        elif len(self._under_way) >= LONGEST_QUEUE:
            self.counts["crowded_out"] += 1
        else:
            due = now + trouble.delay + trouble.jitter * lateness
            heapq.heappush(self._under_way, (due, self._taken, packet))

    def deliver_what_is_due(self, now):
        while self._under_way and self._under_way[0][0] <= now:
            packet = heapq.heappop(self._under_way)[2]
            if now < self._trouble.gone_until:
                self.counts["gone"] += 1
                continue
            self._deliver(packet)
            self.counts["carried"] += 1
            protocol = PROTOCOLS.get(packet[9], "other")
            by = self.counts["carried_by"]
            by[protocol] = by.get(protocol, 0) + 1

    def next_due(self):
        return self._under_way[0][0] if self._under_way else None


class Link:
    def __init__(self, name, outside, within, seed):
        ip(f"netns add {name}")
        try:
            outer, inner = tun(f"{name}o"), tun(f"{name}i")
            ip(f"link set {name}i netns {name}")
            ip(f"addr add {outside} peer {within} dev {name}o")
            ip(f"-n {name} addr add {within} peer {outside} dev {name}i")
            ip(f"link set {name}o up")
            for device in (f"{name}i", "lo"):
                ip(f"-n {name} link set {device} up")
            ip(f"-n {name} route add default dev {name}i")
        except BaseException:
            ip(f"netns del {name}")
            raise
        self._name = name
        self._trouble = Trouble()
        self._out = Way(f"{seed} out", self._trouble, lambda packet: os.write(outer, packet))
        self._in = Way(f"{seed} in", self._trouble, lambda packet: os.write(inner, packet))
        self._ends = {inner: self._out, outer: self._in}

    def run(self):
        """Until the input ends."""
        commands = Lines(sys.stdin.fileno())
        with selectors.DefaultSelector() as waiting:
            for end in (*self._ends, commands.source):
                waiting.register(end, selectors.EVENT_READ)
            while not commands.ended:
                ready = [key.fd for key, _ in waiting.select(self._patience())]
                now = time.monotonic()
                for end in ready:
                    if end == commands.source:
                        for command in commands.read():
                            answer(self.obey(command.split(), now))
                        continue
                    for packet in packets(end):
                        self._ends[end].take(packet, now)
                for way in self._ends.values():
                    way.deliver_what_is_due(now)

    def obey(self, command, now):
        trouble = self._trouble
        match command:
            case ["worsen", loss, delay, jitter]:
                trouble.loss = float(loss) / 100
                trouble.delay = float(delay) / 1000
                trouble.jitter = float(jitter) / 1000
                for way in self._ends.values():
                    way.forget()
            case ["gone", ms]:
                trouble.gone_until = now + float(ms) / 1000
            case ["tell"]:
                return {"out": self._out.counts, "in": self._in.counts}
            case _:
                return {"error": "worsen LOSS DELAY JITTER, gone MS, or tell"}
        return {}

    def take_down(self):
        # The outer device ends with this program; the inner one with it too, also where a browser still is within.
        ip(f"netns del {self._name}")

    def _patience(self):
        dues = [due for way in self._ends.values() if (due := way.next_due()) is not None]
        return max(0.0, min(dues) - time.monotonic()) if dues else None


class Lines:
    """Whole lines of a source that is read when something is there."""

    def __init__(self, source):
        self.source = source
        self.ended = False
        self._begun = b""

    def read(self):
        read = os.read(self.source, 4096)
        self.ended = not read
        *whole, self._begun = (self._begun + read).split(b"\n")
        return [line.decode() for line in whole]


def packets(end):
    """What waits at a device now."""
    while True:
        try:
            yield os.read(end, LONGEST_PACKET)
        except BlockingIOError:
            return


def tun(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, REQUEST.pack(name.encode(), IFF_TUN | IFF_NO_PI))
    return device


def ip(words):
    subprocess.run(["ip", *words.split()], check=True)


def answer(told):
    print(json.dumps(told), flush=True)


def main():
    name, outside, within, seed = sys.argv[1:]
    # The link lasts until its input ends, and is then taken down: a key press in a terminal is meant for who began it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    link = Link(name, outside, within, seed)
    try:
        answer({})
        link.run()
    finally:
        link.take_down()


main()
