"""What a sensor hub hears of the blows that a board takes: its own search for knocks.

The program looks at its discs every millisecond. Here it does so only while something rings, since
it finds nothing at other times.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jackspot.sensing.events import DiscPeak, KnockHeard
from jackspot_sim.physics.discs import DISCS, Blow

if TYPE_CHECKING:  # the hub's program is opened only where a board has one
    from sensor_hub.knocks import Knocks

SIDES = ["n", "e", "s", "w"]
KNOCK_ABOVE = 900
"""The level that the hub's program begins with."""
STEP_US = 1_000
"""How often the program looks at its discs."""
RINGS_US = 60_000
"""How long after its last blow a board is looked at; after that nothing is felt any more."""
TOLD_AFTER_NS = 24_000_000
"""How long after its beginning a knock is reported at the earliest."""


class Discs:
    """Four discs and the part of the hub's program that finds knocks in what they read.

    ``seed`` decides the noise.
    """

    def __init__(self, seed: int | str = 0) -> None:
        from sensor_hub.knocks import Knocks

        self._knocks: Knocks = Knocks(len(SIDES))
        self._blows: list[Blow] = []
        self._now_us = 0
        self._rng = random.Random(f"discs {seed}")
        self._knocks.step(0, self._readings(), KNOCK_ABOVE)

    def feel(self, blow: Blow) -> None:
        """Take a blow; it must not be from a time that was gone through already."""
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


def knocks_of(blows: Iterable[Blow], seed: int | str = 0) -> tuple[KnockHeard, ...]:
    """Return the knocks that the hub reports for blows, in order, each stamped with its start."""
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
