"""Group pulses into falls: what fell through one pocket at once.

A piece that tumbles can break a beam twice, and two pieces can follow each other closely, so pulses
with gaps under 15 ms belong to one :class:`Fall`. A fall is given out at once; when a further pulse
joins it, it is given out again under the same number and replaces what was given before. A pulse
also joins a fall that only a colour head had seen (:mod:`jackspot.sensing.by_heads`). How many
pieces it was is not decided here: the readings weigh that.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.pieces import Pocket
from jackspot.sensing.by_heads import APART_NS
from jackspot.sensing.events import ColourSeen, Fall, Pulse
from jackspot.sensing.limits import Limits

MOST_PULSES = 16
"""Pulses in one fall; the next one opens a new fall, however close it is."""


class Falls(Struct, frozen=True):
    """The newest fall of each pocket, and the number of the next. ``limits.join_ns`` applies."""

    limits: Limits
    next_number: int
    newest: Mapping[Pocket, Fall] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def at_start(cls, limits: Limits, next_number: int = 1) -> Falls:
        """Return the state before any fall; numbering continues where the journal ended."""
        return cls(limits, next_number)

    def step(self, pulse: Pulse) -> tuple[Falls, Fall]:
        """Take one pulse; return its fall, new or grown."""
        fall = self.newest.get(pulse.pocket)
        if fall is not None and self._joins(fall, pulse):
            earlier = () if fall.by_head else fall.pulses
            pulses = tuple(sorted((*earlier, pulse), key=lambda p: (p.start_ns, p.end_ns)))
            grown = Fall(fall.number, fall.pocket, pulses)
            return self._with(grown, self.next_number), grown
        fresh = Fall(self.next_number, pulse.pocket, (pulse,))
        return self._with(fresh, self.next_number + 1), fresh

    def seen_by_head(self, frames: tuple[ColourSeen, ...]) -> tuple[Falls, Fall]:
        """Take the frames, in order, of what a head saw and no beam did; return its fall."""
        pocket = frames[0].pocket
        pulse = Pulse(pocket, frames[0].at_ns, frames[-1].at_ns)
        fall = Fall(self.next_number, pocket, (pulse,), seen=frames, by_head=True)
        return self._with(fall, self.next_number + 1), fall

    def _joins(self, fall: Fall, pulse: Pulse) -> bool:
        if len(fall.pulses) >= MOST_PULSES:
            return False
        gap_ns = max(pulse.start_ns - fall.end_ns, fall.start_ns - pulse.end_ns)
        return gap_ns < (APART_NS if fall.by_head else self.limits.join_ns)

    def _with(self, fall: Fall, next_number: int) -> Falls:
        newest = MappingProxyType({**self.newest, fall.pocket: fall})
        return Falls(self.limits, next_number, newest)
