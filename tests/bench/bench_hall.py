"""What the hall costs the game: from a pin's edge to the OLED, with a link and without one.

It is the same board as for the edges alone, in a hall whose broker is up, stopped (SIGSTOP), gone,
drips a byte a second, or floods the board with ten thousand messages a second. Strokes of all
these take turns, so that they meet the same machine; between two edges real time passes, in which
the link sends what is new. The floor is the same board without a hall. Each edge changes the glass:
no frame is lost. Broker and flood yield to the board, as they would on machines of their own.

Memory is measured too: what a board holds in each such hall while people play for a long virtual
time, after a quarter of it and at the end, beside what a board in no hall holds then.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import fmean

from jackspot.config import Sources, find, load
from jackspot.config.model import Config
from jackspot.festival.broker import Broker
from jackspot.festival.messages import What
from jackspot.festival.names import board_id
from jackspot.festival.section import FestivalSection
from jackspot.values import changed
from jackspot_sim.hall.boards import SimHall
from tests.bench.bench_edge import SETTINGS, Stroke
from tests.bench.bench_spectators import EDGES, Unhurried
from tests.bench.processes import resident_mib
from tests.bench.report import Report
from tests.festival.children import begun, killed
from tests.festival.network import Network, Weather

ROUNDS, STROKES = 16, 10
HOURS = 12.0
"""Virtual hours for which people play."""
HALL, NUMBER = "bench", 7
AIM = 1.02
ALONE, BESIDE = "alone", "beside a flood"
"""Without a hall; and without one, on a machine as busy as when the broker floods the board."""
KINDS = ("up", "stopped", "gone", "dripping", "flooding")
MEMORY_AIM = 1.1
FLOOD = """
import os
import sys
import time
import paho.mqtt.client as mqtt
os.nice(19)
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_start()
number, begun = 0, time.monotonic()
while True:
    number += 1
    client.publish(sys.argv[2], b'{"v":1,"journals":{"f":%d}}' % number, 0)
    if number % 100 == 0:
        time.sleep(max(begun + number / 10_000 - time.monotonic(), 0))
"""
"""Ten thousand messages a second, in a process of its own."""


class BenchHall:
    """A broker that behaves in each of these ways, with a slow network in front of it to drip."""

    def __init__(self, around: ExitStack) -> None:
        self.broker = around.enter_context(Broker())
        self.network = around.enter_context(Network(self.broker.address))
        self._yield()

    def _yield(self) -> None:
        os.setpriority(os.PRIO_PROCESS, self.broker.process, 19)

    def where(self, kind: str) -> tuple[str, int] | None:
        """Return where a board in this hall finds its broker; None if it is in no hall."""
        if kind in (ALONE, BESIDE):
            return None
        return self.network.address if kind == "dripping" else self.broker.address

    @contextmanager
    def behaving(self, kind: str) -> Iterator[None]:
        """Let the broker behave this way meanwhile."""
        match kind:
            case "stopped":
                os.kill(self.broker.process, signal.SIGSTOP)
                yield
                os.kill(self.broker.process, signal.SIGCONT)
            case "gone":
                self.broker.kill()
                yield
                self.broker.start()
                self._yield()
            case "dripping":
                drips = Weather(bytes_s=1.0)
                for wire in self.network.wires:
                    wire.up = wire.down = drips
                self.network.usual = drips
                yield
                self.network.usual = Weather()
            case "flooding" | "beside a flood":
                topic = What.ACK.topic(HALL, board_id(NUMBER))
                command = [sys.executable, "-c", FLOOD, str(self.broker.port), topic]
                with subprocess.Popen(command) as flood:
                    yield
                    flood.kill()
            case _:
                yield


def told_of(config: Config, where: tuple[str, int] | None) -> Config:
    """Return a config with the hall that has its broker there."""
    if where is None:
        return config
    return changed(config, festival=FestivalSection(hall=HALL, number=NUMBER, broker=(where,)))


def played(folder: Path) -> dict[str, list[Stroke]]:
    """Play strokes without a hall and with each kind of broker, in turns."""
    (folder / "jackspot.toml").write_text(SETTINGS)
    alone = load(find(folder / "jackspot.toml"))
    costs: dict[str, list[Stroke]] = {kind: [] for kind in (ALONE, BESIDE, *KINDS)}
    with ExitStack() as around:
        hall = BenchHall(around)
        for number in range(ROUNDS):
            for kind in sorted(costs, reverse=bool(number % 2)):
                config = told_of(alone, hall.where(kind))
                bench = Unhurried(config, folder / f"journal-{number}-{kind}.db")
                with closing(bench):
                    bench.begin()
                    with hall.behaving(kind):
                        costs[kind] += [bench.stroke() for _ in range(STROKES)]
    return costs


def play_on(where: tuple[str, int] | None, journals: Path, hours: float, tells: Connection) -> None:
    """Have people play at one board for ``hours`` virtual hours, as fast as it goes.

    Sends what the process holds after a quarter of them and at the end, in MiB.
    """
    with SimHall(told_of(load(Sources(())), where), journals, None) as hall:
        hall.start(NUMBER)
        for share in (0.25, 1.0):
            while hall.boards[NUMBER].rig.clock.now_ns() < share * hours * 3_600 * 1_000_000_000:
                time.sleep(0.05)
            tells.send(resident_mib(os.getpid()))


def held(folder: Path, hours: float) -> dict[str, tuple[float, float]]:
    """Return what a board holds after a quarter and at the end, in each kind of hall and none."""
    found = {}
    with ExitStack() as around:
        hall = BenchHall(around)
        for kind in (ALONE, *KINDS):
            heard, tells = Pipe(duplex=False)
            process = begun(play_on, hall.where(kind), folder / kind, hours, tells)
            time.sleep(2.0)  # until it has reported everything about itself once
            with hall.behaving(kind):
                found[kind] = (heard.recv(), heard.recv())
            killed(process)
    return found


def measure(report: Report) -> None:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent, prefix="bench-") as name:
        costs = played(Path(name))
        memory = held(Path(name), HOURS)
    changes = {kind: [cost.area for stroke in costs[kind] for cost in stroke] for kind in costs}
    assert all(None not in each for each in changes.values()), "no frame is lost"
    for kind in KINDS:
        floors = BESIDE if kind == "flooding" else ALONE
        against = f"without a hall, {floors}"
        for edge, cost, floor in zip(EDGES, usual(costs[kind]), usual(costs[floors]), strict=True):
            report.add(
                f"{edge}, the broker {kind}", cost, floor, unit="ms", against=against, aim=AIM
            )
    measure_memory(report, memory)


def usual(strokes: Sequence[Stroke]) -> list[float]:
    """Return what each edge of a stroke costs, in ms: the mean of the middle half.

    With or without a hall, an edge costs one of two times, a sixth apart and about equally often;
    a median would be sometimes one and sometimes the other.
    """
    found = []
    for edge in zip(*strokes, strict=True):
        costs = sorted(cost.total_us for cost in edge)
        quarter = len(costs) // 4
        found.append(fmean(costs[quarter : len(costs) - quarter]) / 1_000)
    return found


def measure_memory(report: Report, memory: dict[str, tuple[float, float]]) -> None:
    for kind in KINDS:
        for hours, held, least in zip((HOURS / 4, HOURS), memory[kind], memory[ALONE], strict=True):
            report.add(
                f"memory after {hours:g} h of play, the broker {kind}", held, least, unit="MiB",
                against="without a hall", aim=MEMORY_AIM,
            )  # fmt: skip
