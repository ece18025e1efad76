"""Runs in MicroPython: does what each line of standard input asks, with the hub's own program."""

import json
import sys

from sensor_hub.ends import Ends
from sensor_hub.hub import Hub, Ticks
from sensor_hub.knocks import Knocks
from sensor_hub.lines import read, write
from sensor_hub.strobe import Strobe

hubs = [Hub("e6614c311b7e8f35", "3fa9", ["ne", "se", "sw", "nw"], ["n", "e", "s", "w"])]
strobes = [Strobe(2)]
knocks = [Knocks(4)]
ticks = [Ticks(0)]
blinded = Ends(["head_ne", "head_se"], "is_blinded", False)
stuck = Ends(["disc_n"], "is_stuck_at_an_end", True)


def lines(now_us):
    """Return what the hub says until it has no more to say."""
    said: list[str] = []
    while True:
        line = hubs[0].line(now_us)
        if not line:
            return "".join(said)
        said.append(line.decode())


ASKED: dict = {
    "interpreter": lambda: sys.implementation.name,
    "write": lambda who, number, at, words: write(who, number, at, words).decode(),
    "read": lambda text: read(bytes(text)),
    "frame": hubs[0].frame,
    "knock": lambda at, peaks: hubs[0].knock(at, [tuple(each) for each in peaks]),
    "wrong": hubs[0].wrong,
    "blinded": blinded.step,
    "are blinded": lambda: blinded.told,
    "stuck": stuck.step,
    "are stuck": lambda: stuck.told,
    "hear": lambda text: hubs[0].hear(bytes(text)),
    "lines": lines,
    "levels": lambda: [hubs[0].see, hubs[0].knock_above],
    "light": lambda: strobes[0].light,
    "strobe": strobes[0].step,
    "feel": knocks[0].step,
    "ticks": ticks[0].move_on,
}

for asked in sys.stdin:
    what, *given = json.loads(asked)
    sys.stdout.write(json.dumps(ASKED[what](*given)) + "\n")
