"""Judge what a beam did while nothing fell: whether it is quiet, or what is wrong.

Raw edges are counted, so that spikes too short for anything else count too.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.calibration.measuring.measured import Quiet
from jackspot.values import changed

MANY_A_MINUTE = 20
"""This many changes a minute with nothing thrown in are no accident."""
MINUTE_NS = 60_000_000_000


class Noise(StrEnum):
    """What a beam was while nothing fell, from the best to the worst."""

    QUIET = "quiet"
    SPIKES = "spikes"
    """Occasional pulses that are too short to count as anything."""
    STRAY = "stray"
    """Something broke it for long enough to be taken for a piece."""
    FLICKERS = "flickers"
    BLOCKED = "blocked"


def noise_of(quiet: Quiet) -> Noise:
    """Return what a beam was."""
    if quiet.blocked_ns and 2 * quiet.blocked_ns >= quiet.lasted_ns:
        return Noise.BLOCKED
    changes = quiet.spikes + quiet.pulses
    most = max(MANY_A_MINUTE / 4, MANY_A_MINUTE * quiet.lasted_ns / MINUTE_NS)
    if quiet.storms or changes > most:
        return Noise.FLICKERS
    if quiet.pulses:
        return Noise.STRAY
    return Noise.SPIKES if quiet.spikes else Noise.QUIET


class Ear(Struct, frozen=True):
    """One beam that is listened to; ``dark_ns`` is when it was broken, None: it is whole."""

    since_ns: int
    dark_ns: int | None = None
    spikes: int = 0
    pulses: int = 0
    storms: int = 0
    blocked_ns: int = 0

    def edge(self, at_ns: int, shortest_ns: int, *, active: bool) -> Ear:
        """Take a change; a break shorter than ``shortest_ns`` was a spike."""
        if active:
            return self if self.dark_ns is not None else changed(self, dark_ns=at_ns)
        if self.dark_ns is None:
            return self
        lasted_ns = max(0, at_ns - max(self.dark_ns, self.since_ns))
        is_spike = lasted_ns < shortest_ns
        return changed(
            self,
            dark_ns=None,
            spikes=self.spikes + is_spike,
            pulses=self.pulses + (not is_spike),
            blocked_ns=self.blocked_ns + lasted_ns,
        )

    def storm(self) -> Ear:
        """Record that it changed too fast to be followed."""
        return changed(self, storms=self.storms + 1)

    def heard(self, at_ns: int) -> Quiet:
        """Return what it did until now."""
        dark_ns = 0 if self.dark_ns is None else max(0, at_ns - max(self.dark_ns, self.since_ns))
        return Quiet(
            max(0, at_ns - self.since_ns), self.spikes, self.pulses, self.storms,
            self.blocked_ns + dark_ns,
        )  # fmt: skip
