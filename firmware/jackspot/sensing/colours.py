"""Attach frames to falls: what a pocket's colour head saw while a fall broke the beam there.

A hub reports its frames a little late, and usually some of them after the fall. A fall is given out
at once with the frames that are there. If more arrive by :data:`LATE_NS` after its end, it is then
given out again under the same number, as one that has grown.

Frozen values; time comes with the events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import ColourSeen, Fall
from jackspot.sensing.limits import MS
from jackspot.values import changed

LATE_NS = 60 * MS
"""A frame reported this long after its fall is too late for it."""
MOST_FRAMES = 16
"""At most this many frames of one fall are kept, the last: twice what a piece on edge gets."""
REMEMBERED = 32
"""At most this many frames of each pocket are kept, the newest."""
MOST_WAITING = 8
"""Falls that still wait for frames, at most."""


class Colours(Struct, frozen=True):
    """The newest frames of each pocket, and the falls that ended recently."""

    newest: Mapping[Pocket, tuple[ColourSeen, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    waiting: tuple[Fall, ...] = ()

    def step(self, frame: ColourSeen) -> Colours:
        """Take a frame; frames may come in any order."""
        kept = _last((*self.newest.get(frame.pocket, ()), frame), REMEMBERED)
        return changed(self, newest=MappingProxyType({**self.newest, frame.pocket: kept}))

    def told_of(self, fall: Fall) -> tuple[Colours, Fall]:
        """Return a fall, new or grown, with the frames that have arrived."""
        told = self._seen(fall)
        others = tuple(each for each in self.waiting if each.number != fall.number)
        return changed(self, waiting=(*others, told)[-MOST_WAITING:]), told

    def next_wake_ns(self) -> int | None:
        """Return when the next fall has all its frames; None if none waits or no frame came."""
        waits = self.waiting if self.newest else ()
        return min((each.end_ns + LATE_NS for each in waits), default=None)

    def rest(self, at_ns: int) -> tuple[Colours, tuple[Fall, ...]]:
        """Let time pass; return the falls that have gained frames since they were reported."""
        over = tuple(each for each in self.waiting if each.end_ns + LATE_NS <= at_ns)
        if not over:
            return self, ()
        left = tuple(each for each in self.waiting if each not in over)
        whole = [(told, self._seen(told)) for told in over]
        grown = tuple(changed(now, again=True) for told, now in whole if now != told)
        return changed(self, waiting=left), grown

    def _seen(self, fall: Fall) -> Fall:
        """Return a fall with the frames between its beam's edges."""
        newest = self.newest.get(fall.pocket, ())
        between = {each for each in newest if fall.start_ns <= each.at_ns <= fall.end_ns}
        if not between:
            return fall
        return changed(fall, seen=_last(between.union(fall.seen), MOST_FRAMES))


def in_order(frames: Iterable[ColourSeen]) -> tuple[ColourSeen, ...]:
    """Return frames in the order in which they were seen."""
    return tuple(sorted(frames, key=_moment))


def _last(frames: Iterable[ColourSeen], most: int) -> tuple[ColourSeen, ...]:
    """Return the last of some frames, in the order in which they were seen."""
    return in_order(frames)[-most:]


def _moment(frame: ColourSeen) -> tuple[int, int, int, int, int]:
    return frame.at_ns, frame.red, frame.green, frame.blue, frame.dark
