"""What the hall costs the game: from a pin's edge to the OLED, with a link and without one.

The same board as for the edges alone, in a hall whose broker is up, stands still (SIGSTOP), is
gone, or floods the board. Strokes of all these take turns, so that they meet the same machine;
between two edges real time passes, in which the link tells what is new. The floor is the same
board without a hall.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from jackspot.config import find, load
from jackspot.config.model import Config
from jackspot.festival.broker import Broker
from jackspot.festival.messages import What
from jackspot.festival.section import FestivalSection
from tests.bench.bench_edge import SETTINGS, Cost, Stroke
from tests.bench.bench_spectators import EDGES, Unhurried, middles
from tests.bench.report import Report

ROUNDS, STROKES = 8, 4
HALL, NUMBER = "bench", 7
AIM = 1.02
ALONE = "alone"
KINDS = ("up", "stopped", "gone", "flooding")
FLOOD = """
import sys
import time
import paho.mqtt.client as mqtt
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_start()
number = 0
while True:
    number += 1
    client.publish(sys.argv[2], b'{"v":1,"journals":{"f":%d}}' % number, 0)
    if number % 100 == 0:
        time.sleep(0.01)
"""
"""Ten thousand messages a second, in a process of its own."""


@contextmanager
def behaving(kind: str, broker: Broker) -> Iterator[None]:
    """Let the broker stop, go or be flooded meanwhile."""
    if kind == "stopped":
        os.kill(broker.process, signal.SIGSTOP)
        yield
        os.kill(broker.process, signal.SIGCONT)
    elif kind == "gone":
        broker.kill()
        yield
        broker.start()
    elif kind == "flooding":
        topic = What.ACK.topic(HALL, f"b{NUMBER:03}")
        with subprocess.Popen([sys.executable, "-c", FLOOD, str(broker.port), topic]) as flood:
            yield
            flood.kill()
    else:
        yield


def played(folder: Path) -> dict[str, list[Stroke]]:
    """Play strokes without a hall and with each kind of broker, in turns."""
    (folder / "jackspot.toml").write_text(SETTINGS)
    alone = load(find(folder / "jackspot.toml"))
    costs: dict[str, list[Stroke]] = {kind: [] for kind in (ALONE, *KINDS)}
    with Broker() as broker:
        hall = FestivalSection(hall=HALL, number=NUMBER, broker=(broker.address,))
        for number in range(ROUNDS):
            for kind in sorted(costs, reverse=bool(number % 2)):
                config: Config = alone if kind == ALONE else replace(alone, festival=hall)
                bench = Unhurried(config, folder / f"journal-{number}-{kind}.db")
                with closing(bench):
                    bench.begin()
                    with behaving(kind, broker):
                        costs[kind] += [bench.stroke() for _ in range(STROKES)]
    return costs


def measure(report: Report) -> None:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent, prefix="bench-") as name:
        costs = played(Path(name))
    least = middles(costs[ALONE])
    for kind in KINDS:
        _tell(report, kind, middles(costs[kind]), least)


def _tell(report: Report, kind: str, costs: Sequence[Cost], least: Sequence[Cost]) -> None:
    for edge, cost, floor in zip(EDGES, costs, least, strict=True):
        report.add(
            f"{edge}, the broker {kind}", cost.total_us / 1_000, floor.total_us / 1_000,
            unit="ms", against="without a hall", aim=AIM,
        )  # fmt: skip
