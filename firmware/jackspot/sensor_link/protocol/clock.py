"""The hub's clock and the board's: two quartz clocks that are not synchronised.

A line carries the hub's microseconds since its start, and arrives some time later, never sooner.
So the fastest line shows best how the clocks relate. They drift by some tens of millionths, so
only the lines of the last windows count. Pure.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.sensing.limits import MS, SECOND
from jackspot.values import changed

WINDOW_NS = 5 * SECOND
"""For how long lines are compared with each other. Quartzes that are 100 millionths apart drift by
half a millisecond in it."""

TOLERANCE_NS = 25 * MS
"""By how much a window's fastest line may differ from the previous one's: 5,000 millionths."""


class WrongClock(ValueError):
    """The hub's clock does not run steadily; the message says what it did."""


class HubClock(Struct, frozen=True):
    """How the hub's time relates to the board's: ``board = hub + offset``, in nanoseconds.

    ``least_ns`` is the offset by the fastest line of this window, which began at ``began_ns``;
    ``before_ns`` is that of the previous window, None in the first one. ``newest_us`` is the hub's
    time of the newest line.
    """

    least_ns: int
    began_ns: int
    newest_us: int
    before_ns: int | None = None

    @classmethod
    def at_first(cls, ticks_us: int, arrived_ns: int) -> HubClock:
        """Return the clock after one line."""
        return cls(arrived_ns - ticks_us * 1_000, arrived_ns, ticks_us)

    def hear(self, ticks_us: int, arrived_ns: int) -> HubClock:
        """Return the clock after another line; WrongClock if no steady clock can have sent it."""
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
        """What to add to the hub's nanoseconds to get the board's."""
        return self.least_ns if self.before_ns is None else min(self.least_ns, self.before_ns)

    def at_ns(self, ticks_us: int) -> int:
        """Return the board's instant for a time of the hub in microseconds."""
        return ticks_us * 1_000 + self.offset_ns
