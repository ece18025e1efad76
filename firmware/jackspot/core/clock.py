"""The match clock of one board, as a value.

It counts the time used, in nanoseconds of the monotonic clock, and never reads a clock itself: the
caller says what time it is.
"""

from __future__ import annotations

from msgspec import Struct

SECOND_NS = 1_000_000_000


class MatchClock(Struct, frozen=True):
    """A clock that counts down from ``limit_ns`` (0: the match has no limit).

    ``used_ns`` was used up to ``since_ns``, when the clock was started; ``since_ns`` None means
    that it is stopped.
    """

    limit_ns: int = 0
    used_ns: int = 0
    since_ns: int | None = None

    @property
    def running(self) -> bool:
        """Whether time is being used."""
        return self.since_ns is not None

    @property
    def zero_at_ns(self) -> int | None:
        """The instant at which it reaches 0:00 if it keeps running; None if it never does."""
        if self.since_ns is None or not self.limit_ns:
            return None
        return self.since_ns + self.limit_ns - self.used_ns

    def used_at(self, now_ns: int) -> int:
        """Return the time used up to an instant."""
        if self.since_ns is None:
            return self.used_ns
        return self.used_ns + max(0, now_ns - self.since_ns)

    def remaining_at(self, now_ns: int) -> int:
        """Return the time left at an instant, never below 0; 0 if there is no limit."""
        return max(0, self.limit_ns - self.used_at(now_ns))

    def is_up_at(self, now_ns: int) -> bool:
        """Whether 0:00 has been reached."""
        return bool(self.limit_ns) and self.used_at(now_ns) >= self.limit_ns

    def started(self, now_ns: int) -> MatchClock:
        """Return the clock running from an instant; a running clock is unchanged."""
        return self if self.running else MatchClock(self.limit_ns, self.used_ns, now_ns)

    def stopped(self, now_ns: int) -> MatchClock:
        """Return the clock stopped at an instant."""
        return MatchClock(self.limit_ns, self.used_at(now_ns), None)
