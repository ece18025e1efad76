"""The sensor hub of the simulated table: its own program, behind a pseudo terminal.

What a Pico runs runs here too: the same lines, the same search for knocks. Only its pins are
missing: what its discs read is computed from the blows that the board is dealt
(:mod:`jackspot_sim.physics.discs`). It has no colour heads.

Theory of operation. The program looks at its discs each millisecond. Here it does so only while
something rings: a blow is kept, and shortly after it the milliseconds up to then are gone through.
Its lines are written when they are due by the table's time. So a table that runs fast has a hub
that is as fast; one that jumps ahead as fast as it can has none, since a serial line takes real
time.
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from jackspot.sensing.events import DiscPeak, KnockHeard
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.serial_cable import SerialCable, link_to
from jackspot_sim.physics.discs import DISCS, Blow
from sensor_hub.hub import HEALTH_US, Hub
from sensor_hub.knocks import Knocks

CHIP = "51b0a7d51b0a7d00"
"""The simulated chip's number."""
SIDES = ["n", "e", "s", "w"]
KNOCK_ABOVE = 900
"""The level that the hub's program begins with."""
STEP_US = 1_000
"""How often the program looks at its discs."""
RINGS_US = 60_000
"""So long after its last blow a board is looked at: nothing is felt of it any more."""
TOLD_AFTER_NS = 24_000_000
"""A knock is told at the earliest so long after its begin."""


class Discs:
    """Four discs and the part of the hub's program that finds knocks in what they read.

    ``seed`` decides the noise.
    """

    def __init__(self, seed: int = 0) -> None:
        self._knocks = Knocks(len(SIDES))
        self._blows: list[Blow] = []
        self._now_us = 0
        self._rng = random.Random(f"discs {seed}")
        self._knocks.step(0, self._readings(), KNOCK_ABOVE)

    def feel(self, blow: Blow) -> None:
        """Be dealt a blow; not one from before what was gone through already."""
        self._blows.append(blow)

    def run(self, until_us: int, above: int) -> list[tuple[int, list[tuple[int, int]]]]:
        """Go through the time up to an instant; return the knocks that are over by then.

        Each is its begin and, for each disc, its peak and delay, in microseconds. ``above`` is the
        level that a knock exceeds.
        """
        found = []
        while self._now_us < until_us:
            self._blows = [b for b in self._blows if b.at_ns // 1000 + RINGS_US > self._now_us]
            rings = any(each.at_ns // 1000 <= self._now_us + STEP_US for each in self._blows)
            if not rings:
                coming = [each.at_ns // 1000 for each in self._blows]
                self._now_us = min([until_us, *coming]) // STEP_US * STEP_US
                if self._now_us + STEP_US > until_us:
                    break
            self._now_us += STEP_US
            knock = self._knocks.step(self._now_us, self._readings(), above)
            if knock is not None:
                found.append(knock)
        return found

    def _readings(self) -> list[int]:
        read = []
        for side in range(len(SIDES)):
            height = 0.0
            for blow in self._blows:
                since_ms = self._now_us / 1000 - blow.at_ns / 1e6 - blow.delays_us[side] / 1000
                if since_ms >= 0.0:
                    height += blow.heights[side] * math.exp(-since_ms / DISCS.rings_ms)
            reading = DISCS.rest + height + self._rng.gauss(0.0, DISCS.noise)
            read.append(round(min(max(reading, 0.0), DISCS.full)))
        return read


def knocks_of(blows: Iterable[Blow], seed: int = 0) -> tuple[KnockHeard, ...]:
    """Return what the hub tells of some blows, in order, each stamped with its begin."""
    discs = Discs(seed)
    last_ns = 0
    for blow in blows:
        discs.feel(blow)
        last_ns = max(last_ns, blow.at_ns)
    found = discs.run(last_ns // 1000 + 2 * RINGS_US, KNOCK_ABOVE)
    return tuple(
        KnockHeard(at_us * 1_000, tuple(DiscPeak(*peak) for peak in peaks))
        for at_us, peaks in found
    )


class SimulatedHub:
    """A sensor hub at the end of a pseudo terminal whose name stays the same.

    ``link`` is the path that the firmware opens. Made plugged in. Its time is the table's. Methods
    may be called from any thread.
    """

    def __init__(self, clock: SimClock, link: Path, seed: int = 0) -> None:
        self.link = link
        self._clock = clock
        self._lock = threading.RLock()
        self._seed = seed
        self._cable: SerialCable | None = None
        self._starts = 0
        self.asked = threading.Event()
        """The firmware has said something to it since it was last plugged in."""
        self.plug()

    def plug(self) -> None:
        """Plug it in: it starts, under the same name."""
        with self._lock:
            if self._cable is not None:
                return
            self._starts += 1
            self.asked.clear()
            self._began_ns = self._clock.now_ns()
            self._hub = Hub(CHIP, f"{self._starts:04x}", [], SIDES)
            self._hub.knock_above = KNOCK_ABOVE
            self._discs = Discs(self._seed + self._starts)
            self._cable = SerialCable(self._hear)
            link_to(self._cable, self.link)
            self._go_on(self._starts)

    def unplug(self) -> None:
        """Pull the plug: it has no power, and its name is gone."""
        with self._lock:
            cable, self._cable = self._cable, None
        if cable is not None:
            self.link.unlink(missing_ok=True)
            cable.close()

    close = unplug

    def shake(self, blows: Sequence[Blow]) -> None:
        """Let the board be dealt blows, each at its instant of the table's clock."""
        for blow in blows:
            self._clock.at(blow.at_ns, partial(self._felt, blow))

    def _felt(self, blow: Blow) -> None:
        with self._lock:
            self._discs.feel(blow.later(-self._began_ns))
        self._clock.after(TOLD_AFTER_NS, self._tell)

    def _hear(self, data: bytes) -> None:
        """Take what the firmware says, and answer at once."""
        with self._lock:
            self._hub.hear(data)
        self.asked.set()
        self._clock.after(0, self._tell)

    def _tell(self) -> None:
        """Find the knocks up to now, and write every line that is due."""
        with self._lock:
            if self._cable is None:
                return
            now_us = (self._clock.now_ns() - self._began_ns) // 1_000
            for at_us, peaks in self._discs.run(now_us, self._hub.knock_above):
                self._hub.knock(at_us, peaks)
            while line := self._hub.line(now_us):
                self._cable.write(line)

    def _go_on(self, start: int) -> None:
        """Say once a second that it is well, for as long as it has power."""
        self._tell()
        if self._cable is not None and start == self._starts:
            self._clock.after(HEALTH_US * 1_000, lambda: self._go_on(start))
