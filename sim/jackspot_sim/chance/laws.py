"""Distributions that can be drawn from and whose densities are known exactly.

Everything the generator draws over a range of durations is one of these, so that the best
possible reading of its pulses can be computed and not only estimated.
"""

from __future__ import annotations

import math
import random

from msgspec import Struct

MS = 1_000_000
"""Nanoseconds in a millisecond."""


class Even(Struct, frozen=True):
    """A duration anywhere in a range with the same chance, in milliseconds."""

    low_ms: float
    high_ms: float

    def draw_ns(self, rng: random.Random) -> int:
        """Draw one, in nanoseconds."""
        return round(rng.uniform(self.low_ms, self.high_ms) * MS)

    def density(self, value_ns: int) -> float:
        """Return the density per millisecond at a duration."""
        inside = self.low_ms <= value_ns / MS <= self.high_ms
        return 1.0 / (self.high_ms - self.low_ms) if inside else 0.0

    def __str__(self) -> str:
        """Write it as the published table does."""
        return f"{self.low_ms:g} to {self.high_ms:g} ms, evenly"


class Skewed(Struct, frozen=True):
    """A duration with a usual value and a long tail: a log-normal, cut off at both ends.

    ``spread`` is the standard deviation of the logarithm: 0.1 is about 10 per cent.
    """

    median_ms: float
    spread: float
    low_ms: float = 2.0
    high_ms: float = 60_000.0

    def draw_ns(self, rng: random.Random) -> int:
        """Draw one, in nanoseconds; a value outside the ends is drawn again."""
        while True:
            drawn_ms = self.median_ms * math.exp(rng.gauss(0.0, self.spread))
            if self.low_ms <= drawn_ms <= self.high_ms:
                return round(drawn_ms * MS)

    def density(self, value_ns: int) -> float:
        """Return the density per millisecond at a duration."""
        value_ms = value_ns / MS
        if not self.low_ms <= value_ms <= self.high_ms:
            return 0.0
        z = math.log(value_ms / self.median_ms) / self.spread
        plain = math.exp(-0.5 * z * z) / (value_ms * self.spread * math.sqrt(2 * math.pi))
        return plain / (self.at_most(self.high_ms) - self.at_most(self.low_ms))

    def at_most(self, value_ms: float) -> float:
        """Return the chance that it is at most this long, before anything is cut off."""
        return 0.5 * math.erfc(-math.log(value_ms / self.median_ms) / (self.spread * math.sqrt(2)))

    def times(self, factor: float) -> Skewed:
        """Return the same shape with another usual value; the ends stay."""
        return Skewed(self.median_ms * factor, self.spread, self.low_ms, self.high_ms)

    def __str__(self) -> str:
        """Write it as the published table does."""
        return f"{self.median_ms:g} ms, spread {self.spread:g}, {self.low_ms:g} to {self.high_ms:g}"
