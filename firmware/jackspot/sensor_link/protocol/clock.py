"""The hub's clock and the board's: two quartzes that never met.

A line carries the hub's microseconds since its start, and arrives some time later: never sooner.
So the fastest line says best how the clocks lie to each other. They drift, by some tens of
millionths, so only the lines of the last windows count. Pure.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.sensing.limits import MS, SECOND
from jackspot.values import changed

WINDOW_NS = 5 * SECOND
"""So long lines are compared with each other. Quartzes that are 100 millionths apart move by half
a millisecond in it."""

TOLERANCE_NS = 25 * MS
"""By so much one window's fastest line may differ from that of the one before: 5,000 millionths."""


class WrongClock(ValueError):
    """The hub's clock does not run as a clock does; the message says what it did."""


class HubClock(Struct, frozen=True):
    """How the hub's time lies to the board's: ``board = hub + offset``, in nanoseconds.

    ``least_ns`` is the offset by the fastest line of this window, which ``began_ns``;
    ``before_ns`` that of the window before, None in the first one. ``newest_us`` is the hub's time
    of the newest line.
    """

    least_ns: int
    began_ns: int
    newest_us: int
    before_ns: int | None = None

    @classmethod
    def at_first(cls, ticks_us: int, arrived_ns: int) -> HubClock:
        """Return what one line says."""
        return cls(arrived_ns - ticks_us * 1_000, arrived_ns, ticks_us)

    def hear(self, ticks_us: int, arrived_ns: int) -> HubClock:
        """Take another line; WrongClock where no steady clock can have written it."""
        offset_ns = arrived_ns - ticks_us * 1_000
        if ticks_us < self.newest_us:
            raise WrongClock(f"it went back by {self.newest_us - ticks_us} us")
        if self.before_ns is not None and offset_ns < self.offset_ns - TOLERANCE_NS:
            raise WrongClock(f"it leapt ahead by {(self.offset_ns - offset_ns) // 1_000} us")
        if arrived_ns < self.began_ns + WINDOW_NS:
            least_ns = min(self.least_ns, offset_ns)
            return changed(self, least_ns=least_ns, newest_us=ticks_us)
        if self.before_ns is not None and self.least_ns > self.before_ns + TOLERANCE_NS:
            raise WrongClock(f"it lost {(self.least_ns - self.before_ns) // 1_000} us in a window")
        return HubClock(offset_ns, arrived_ns, ticks_us, self.least_ns)

    @property
    def offset_ns(self) -> int:
        """What is added to the hub's nanoseconds to have the board's."""
        return self.least_ns if self.before_ns is None else min(self.least_ns, self.before_ns)

    def at_ns(self, ticks_us: int) -> int:
        """Return the board's instant of a microsecond of the hub's."""
        return ticks_us * 1_000 + self.offset_ns
