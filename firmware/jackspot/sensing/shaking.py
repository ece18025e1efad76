"""Group knocks into shakes, each from its first knock until the board is still.

A flick, the collisions with pieces and cushions that follow and a piece that lands in its pocket
make one :class:`~jackspot.sensing.events.Shake`. So does a thump on the table, or a song. What
caused a shake is not decided here: the readings weigh that. This module records only what was felt,
when, and whether anybody listened: a board without discs cannot say that it was quiet.

Frozen values; time comes with the events.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.core.pieces import Seat
from jackspot.sensing.events import DiscsListen, Fall, KnockHeard, Shake, Shaken
from jackspot.sensing.limits import MS, SECOND
from jackspot.values import changed

STILL_NS = 1_200 * MS
"""A board without a knock for this long is still: hardly any piece of a stroke slides longer
between two collisions and is still fast enough to be heard."""
LOUDER = 3
"""A knock this many times as high as all before it in a shake begins another, so that a shot is
heard while somebody leans on the board or a neighbour shoots."""
BEFORE_NS = 60 * MS
"""A knock that began less than this before a fall is not counted for it: the piece itself made it,
or it is reported too late. Nothing that is flicked falls so soon."""
ENDLESS_NS = 8 * SECOND
"""A shake that lasts longer is not a stroke, and nothing else can be heard during it."""
AGO_NS = 90 * SECOND
"""How long a shake is remembered."""
REMEMBERED = 24
"""At most this many shakes are remembered."""
SAME_STROKE_NS = 4 * SECOND
"""A fall this soon after another may be of the same shot, so knocks say nothing more about it."""


class Shaking(Struct, frozen=True):
    """What has shaken a board lately. ``discs`` are the sides that listen; empty if none do."""

    discs: tuple[Seat, ...] = ()
    since_ns: int = 0
    """When they began to listen."""
    strange: bool = False
    """They are not the discs that the board was calibrated with."""
    over: tuple[Shake, ...] = ()
    under_way: Shake | None = None
    """What is shaking it now, or stopped only just before."""
    loudest: int = 0
    falls: tuple[Fall, ...] = ()
    """The last fall of each pocket, which may still grow."""

    def step(
        self, event: KnockHeard | DiscsListen
    ) -> tuple[Shaking, tuple[Shaken | KnockHeard | DiscsListen, ...]]:
        """Take what the hub reported; return the shakes now over and, if it counts, the event."""
        if isinstance(event, DiscsListen):
            if (event.discs, event.strange) == (self.discs, self.strange):
                return self, ()
            anew = Shaking(event.discs, event.at_ns, event.strange, falls=self.falls)
            return anew, (event,)
        if not self.discs:
            return self, ()
        rested, over = self.rest(event.at_ns)
        told: tuple[Shaken | KnockHeard, ...] = over
        n, e, s, w = (each.height for each in event.peaks)
        height = max(n, e, s, w)
        if rested.under_way is not None and height >= LOUDER * rested.loudest:
            told = (*told, Shaken(event.at_ns, rested.under_way))
            rested = rested.closed()
        if rested.under_way is None:
            shake = Shake(event.at_ns, event.at_ns, (n, e, s, w), 1, self.discs, self.strange)
        else:
            last_ns = max(rested.under_way.last_ns, event.at_ns)
            shake = changed(rested.under_way, last_ns=last_ns, knocks=rested.under_way.knocks + 1)
        if event.at_ns <= shake.at_ns + ENDLESS_NS:
            told = (*told, event)
        return changed(rested, under_way=shake, loudest=max(height, rested.loudest)), told

    def next_wake_ns(self) -> int | None:
        """Return when the board will be still if no knock follows; None if it is already."""
        return None if self.under_way is None else self.under_way.last_ns + STILL_NS

    def rest(self, at_ns: int) -> tuple[Shaking, tuple[Shaken, ...]]:
        """Let time pass; return what is over by then."""
        still_ns = self.next_wake_ns()
        if self.under_way is None or still_ns is None or at_ns < still_ns:
            return self, ()
        return self.closed(), (Shaken(still_ns, self.under_way),)

    def closed(self) -> Shaking:
        """Return this state with the shake under way moved to those that are over."""
        if self.under_way is None:
            return self
        recent = [each for each in self.over if each.at_ns >= self.under_way.at_ns - AGO_NS]
        over = (*recent, self.under_way)[-REMEMBERED:]
        return changed(self, over=over, under_way=None, loudest=0)

    def told_of(self, fall: Fall) -> tuple[Shaking, Fall]:
        """Return a fall with what was heard before it, where somebody listened.

        One that has grown by a pulse keeps what was first recorded for it, whatever has fallen
        through other pockets since.
        """
        if not self.discs:
            return self, fall
        told = fall
        known = [each for each in self.falls if each.number == fall.number]
        if known:
            told = changed(fall, heard=known[0].heard)
        elif all(each.end_ns + SAME_STROKE_NS <= fall.start_ns for each in self.falls):
            told = changed(fall, heard=self._before(fall.start_ns))
        others = [each for each in self.falls if each.pocket is not fall.pocket]
        return changed(self, falls=(*others, told)), told

    def _before(self, fall_ns: int) -> tuple[Shake, ...] | None:
        """Return the first knock of each shake before a fall; None if that is not known."""
        shakes_it = self.under_way
        deaf = shakes_it is not None and fall_ns > shakes_it.at_ns + ENDLESS_NS
        if deaf or fall_ns < self.since_ns + ENDLESS_NS:
            return None
        return tuple(
            changed(each, last_ns=each.at_ns, knocks=1)
            for each in (*self.over, *(() if shakes_it is None else (shakes_it,)))
            if fall_ns - AGO_NS <= each.at_ns <= fall_ns - BEFORE_NS
        )
