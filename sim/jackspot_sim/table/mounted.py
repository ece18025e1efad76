"""The beams in the pockets of a table that is played on: what they are like at any moment.

What a beam sees of a piece that is flicked in is computed where the piece falls
(:mod:`jackspot_sim.table.running`). This module keeps the state of the beam at that moment, which
gets dirtier with every fall, and handles what needs no piece. That is a beam that never breaks or
is always broken, which is a broken wire like others and can be mended, and the flicker of the sun,
minute by minute.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import beam_wire
from jackspot.values import changed
from jackspot_sim.clock import SimClock
from jackspot_sim.sensing.quality import Sensor, Sensors
from jackspot_sim.sensing.wires import sunlight
from jackspot_sim.table.table import SimTable

MINUTE_NS = 60_000_000_000
SEEN_NS = 1_000_000_000
"""How long after a piece began to fall it is past its beam."""


class Mounted(Mapping[Pocket, Sensor]):
    """The beams of one board, as they are now; ``seed`` decides when the sun flickers.

    The table decides whether a wire is broken: mending the wire mends the beam.
    """

    def __init__(self, clock: SimClock, table: SimTable, sensors: Sensors, seed: int = 0) -> None:
        self._clock = clock
        self._table = table
        self._sensors = {
            pocket: changed(each, dead=False, dark=False) for pocket, each in sensors.items()
        }
        self._dead = [pocket for pocket, each in sensors.items() if each.dead]
        self._blocked = [pocket for pocket, each in sensors.items() if each.is_blocked]
        self._rng = random.Random(f"sun {seed}")
        self._counted = 0

    def __getitem__(self, pocket: Pocket) -> Sensor:
        self._clock.after(SEEN_NS, self._gather)
        return self._sensors[pocket]

    def __iter__(self) -> Iterator[Pocket]:
        return iter(self._sensors)

    def __len__(self) -> int:
        return len(self._sensors)

    def take_over(self, before: Mounted) -> None:
        """Be as dirty as the beams of this table were before the power was cut."""
        self._sensors = before._sensors.copy()
        self._counted = before._counted

    def break_wires(self) -> None:
        """Break the wires of those that are dead or blocked when a table is set up."""
        for pocket in self._dead:
            self._break(pocket, blocked=False)
        for pocket in self._blocked:
            self._break(pocket, blocked=True)

    def shine(self) -> None:
        """Let the sun flicker from now on."""
        if not any(each.sun_a_minute for each in self._sensors.values()):
            return
        for burst in sunlight(self._sensors, MINUTE_NS, self._rng):
            edges = tuple(
                (at_ns, breaks)
                for pulse in burst
                for at_ns, breaks in ((pulse.start_ns, True), (pulse.end_ns, False))
            )
            self._table.flicker(burst[0].pocket, edges)
        self._clock.after(MINUTE_NS, self.shine)

    def _gather(self) -> None:
        """Let what has fallen leave its dirt; a lens that is too dirty is wiped when mended."""
        for happening in self._table.happenings(self._counted):
            self._counted = happening.number
            for pocket, each in self._sensors.items():
                pieces = len(happening.pieces)
                here = pieces if pocket is happening.pocket else 0
                self._sensors[pocket] = each.dirtier(pieces, here)
        for pocket, each in self._sensors.items():
            if each.is_blocked:
                self._break(pocket, blocked=True)
                self._sensors[pocket] = changed(each, dirt=0.0)

    def _break(self, pocket: Pocket, *, blocked: bool) -> None:
        wire = beam_wire(pocket)
        if wire in self._table.wires:
            (self._table.jam if blocked else self._table.kill)(wire)
