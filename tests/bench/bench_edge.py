"""From a pin's edge to the last byte at the OLED, against the least that could be done.

The whole board: pin callback, queue, loop, readings, journal on the disk, view, drawing, the
display's own thread and luma's bus. The bus counts bits instead of waiting for them: the time
they take on a wire of 400 kHz is computed and added. Virtual time does not pass while the
board works, so work and wire are measured, not the debouncing and settling that the board waits
for on purpose.

There are three edges:

- a beam that breaks, until its pocket is lit, which is the first answer;
- the same beam whole again, until the reading is shown;
- OK let go, until the new score is shown.

The last two answers have been written to the disk before they are shown. There are two floors, both
a pin callback that sends at once. For the first answer it is one digit of 16x32 dots pasted into a
picture. For the others it is the very picture that the board shows, drawn beforehand, as the
smallest rectangle that differs: a new phase changes most of the glass, so its wire time is far
above the digit's, whoever sends it.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from PIL import Image

from jackspot.assembly import KINDS, DeviceOverrides, assemble
from jackspot.board import Board
from jackspot.config import find, load
from jackspot.config.model import Config
from jackspot.dialogue.state.view import Phase
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.wire import WIDTH, Area, cut, pack
from jackspot.displays.thread import DisplayThread
from jackspot.inputs.pins import Active
from jackspot.inputs.queue import EventQueue
from jackspot.ops.garbage import TidyWatchdog
from jackspot.sensing.events import Event, Tick
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from jackspot_sim.devices.bus import FakeI2C
from jackspot_sim.devices.pins import SimFactory, sim_gpio
from tests.bench.report import Report

WIRE_HZ = 400_000
MATCHES = 6
STROKES = 9
MS = 1_000_000
FLOOR_REPEATS = 200
DIGIT = Area(8, 23, 1, 4)
SETTINGS = """
[oled]
driver = "none"  # opened here, on a bus that counts
[buzzer]
silent = true
[web]
enabled = false
"""
WAIT_S = 5.0


class CountingBus(FakeI2C):
    """A bus that counts what goes over it, and notes when, but shows no picture."""

    last_ns = 0

    def _take(self, controller: object, payload: Iterable[int], *, is_data: bool) -> None:
        self.last_ns = time.perf_counter_ns()


class StandingTime(EventQueue):
    """A board's queue whose time moves only on command."""

    def __init__(self) -> None:
        super().__init__()
        self.at_ns = 1_000 * MS
        self.idle = threading.Event()

    def now_ns(self) -> int:
        return self.at_ns

    def next(self, deadline_ns: int | None) -> Event | None:
        if self.is_empty:
            self.idle.set()
        return super().next(None)

    def settle(self, cause: Callable[[], object]) -> None:
        """Cause events and wait until the loop has dealt with them."""
        self.idle.clear()
        cause()
        assert self.idle.wait(WAIT_S), "the loop deals with an event"


class Cost(Struct, frozen=True):
    """What an edge took: microseconds of work, and on a 400 kHz wire. ``frames``: before, after."""

    work_us: float
    wire_us: float
    frames: tuple[bytes, bytes] = (b"", b"")

    @property
    def area(self) -> Area | None:
        """The smallest rectangle that holds everything that changed."""
        return changed(*self.frames)

    @property
    def total_us(self) -> float:
        return self.work_us + self.wire_us


class Stroke(NamedTuple):
    """What the edges of a stroke cost: a beam broken, whole again, OK let go."""

    lit: Cost
    fall: Cost
    score: Cost


class Bench:
    """A board that is driven edge by edge."""

    def __init__(self, config: Config, journal: Path) -> None:
        self.config = config
        self.source = StandingTime()
        self.bus = CountingBus()
        self.factory = SimFactory(self.source.now_ns)
        self.oled = Oled(serial_factory=self.bus.serial, clock=self.source.now_ns)
        gpio = sim_gpio(self.factory)
        keeper = Keeper(journal, KINDS, SystemWall())
        self.shown = DisplayThread(self.oled, self.source.submit, self.source.now_ns)
        board = assemble(
            config, gpio, self.source, keeper, TidyWatchdog(), DeviceOverrides(in_hall=True)
        )
        board._displays = (self.shown, *board._displays)
        self.board: Board = board
        self._loop = threading.Thread(target=board.run, name="loop", daemon=True)
        self.source.settle(self._loop.start)
        self.shown.drain(WAIT_S)

    def close(self) -> None:
        self.source.close()
        self._loop.join()

    def edge(self, wire_name: str, *, active: bool, noticed_ns: int) -> Cost:
        """Drive a wire; return what it cost until the last byte, however long it is debounced."""
        wire = self.config.wire(wire_name)
        assert wire is not None
        level = active is (wire.active is Active.HIGH)
        before = self.oled._held
        first = self._measured(lambda: self.factory.drive(wire.gpio, level, self.source.at_ns))
        then = self.wait(noticed_ns)
        frames = before or b"", self.oled._held or b""
        return Cost(first.work_us + then.work_us, first.wire_us + then.wire_us, frames)

    def wait(self, after_ns: int) -> Cost:
        """Let virtual time pass and wake the board."""
        self.source.at_ns += after_ns
        return self._measured(lambda: self.source.submit(Tick(self.source.at_ns)))

    def _measured(self, cause: Callable[[], object]) -> Cost:
        before = self.bus.traffic
        start_ns = time.perf_counter_ns()
        self.source.settle(cause)
        idle_ns = time.perf_counter_ns()
        assert self.shown.drain(WAIT_S), "the display is well"
        sent = self.bus.traffic - before
        end_ns = self.bus.last_ns if sent.transactions else idle_ns
        return Cost((end_ns - start_ns) / 1_000, sent.wire_time_ns(WIRE_HZ) / 1_000)

    def begin(self) -> None:
        """Start the match."""
        self.wait(1_000 * MS)
        self.edge("referee_ok", active=True, noticed_ns=50 * MS)
        self.edge("referee_ok", active=False, noticed_ns=20 * MS)
        self.wait(5_000 * MS)

    def stroke(self) -> Stroke:
        """Play one: a puck falls, the referee confirms it. Return what the edges cost."""
        lit = self.edge("pocket_ne", active=True, noticed_ns=2 * MS)
        self.wait(7 * MS)
        fall = self.edge("pocket_ne", active=False, noticed_ns=20 * MS)
        for _ in range(4):
            self.wait(1_000 * MS)
        self.expect(Phase.REVIEW)
        self.edge("referee_ok", active=True, noticed_ns=50 * MS)
        score = self.edge("referee_ok", active=False, noticed_ns=20 * MS)
        self.expect(Phase.READY)
        self.wait(5_000 * MS)
        return Stroke(lit, fall, score)

    def expect(self, phase: Phase) -> None:
        """Check that the board is in this phase."""
        assert self.board.dialogue.phase is phase, f"{self.board.dialogue.phase}, not {phase}"


def changed(before: bytes, after: bytes) -> Area | None:
    """Return the smallest rectangle that holds every byte that differs."""
    places = [
        place for place, pair in enumerate(zip(before, after, strict=True)) if len({*pair}) > 1
    ]
    if not places:
        return None
    columns, pages = [place % WIDTH for place in places], [place // WIDTH for place in places]
    return Area(min(columns), max(columns), min(pages), max(pages))


def played(config: Config, folder: Path) -> list[Stroke]:
    """Play the strokes of several matches, each on a board and journal of its own."""
    costs = []
    for number in range(MATCHES):
        bench = Bench(config, folder / f"journal-{number}.db")
        with closing(bench):
            bench.begin()
            costs += [bench.stroke() for _ in range(STROKES)]
    return costs


def floor(area: Area, image: Image.Image, digit: Image.Image | None) -> Cost:
    """Measure a pin callback that sends one area of a picture, after pasting a digit."""
    bus = CountingBus()
    serial = bus.serial()
    command = (0x21, area.left, area.right, 0x22, area.top, area.bottom)

    def send(ticks: float, level: int) -> None:
        del ticks, level
        if digit is not None:
            image.paste(digit, (area.left, area.top * 8))
        data = cut(pack(image), area)
        serial.command(*command)
        serial.data(list(data))

    factory = SimFactory(lambda: 0)
    pin = factory.pin(5)
    pin.input_with_pull("up")
    pin.edges = "both"
    pin.when_changed = send
    times, wire_us = [], 0.0
    for turn in range(FLOOR_REPEATS):
        before, start_ns = bus.traffic, time.perf_counter_ns()
        factory.drive(5, bool(turn % 2), turn)
        if bus.traffic != before:
            times.append((bus.last_ns - start_ns) / 1_000)
            wire_us = (bus.traffic - before).wire_time_ns(WIRE_HZ) / 1_000
    return Cost(statistics.median(times), wire_us)


def middle(costs: Sequence[Cost]) -> Cost:
    """Return the one with the median total."""
    return sorted(costs, key=lambda cost: cost.total_us)[len(costs) // 2]


def measure(report: Report) -> None:
    # The folder of the project, not one in memory: the journal must reach a disk.
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent, prefix="bench-") as name:
        folder = Path(name)
        (folder / "jackspot.toml").write_text(SETTINGS)
        costs = played(load(find(folder / "jackspot.toml")), folder)
    blank = Image.new("1", (128, 64))
    lit, fall, score = (middle(edge) for edge in zip(*costs, strict=True))
    digit = floor(DIGIT, blank.copy(), Image.new("1", (16, 32), 255))
    add(report, "a beam breaks, to its pocket lit", lit, digit, "callback and a digit")
    for name, cost in (
        ("a beam is whole, to the reading", fall),
        ("OK let go, to the new score", score),
    ):
        assert cost.area is not None, "the edge can be seen"
        same = floor(cost.area, blank, None)
        add(report, name, cost, same, "callback and the same picture")
        report.add(f"{name}: work alone", cost.work_us, same.work_us, unit="us", against="its work")
        add(report, name, cost, digit, "callback and a digit")


def add(report: Report, name: str, cost: Cost, least: Cost, against: str) -> None:
    """Report when the last byte of what an edge causes has been sent."""
    assert cost.wire_us, "the edge can be seen"
    report.add(
        name, cost.total_us / 1_000, least.total_us / 1_000, unit="ms", against=against, aim=1.5
    )
