"""What colour fell: how much better the frames of a fall fit a kind of piece than anything else.

Theory of operation. Of each frame counts how a head's three lights came back without what it sees
in the dark, the sun: the parts of red and green, and how bright it was altogether. Each kind of
piece is a Gaussian in these three. It is weighed against *none of these*, by which any colour is as
likely: a striker of any colour, a finger, a ring. That class is 1, so a fall without frames weighs
nothing, and so does a hand.

No frame is proof. Its weight lies between 1 / :data:`MOST` and :data:`MOST`. Frames of one fall
are of the same piece under the same light and so hardly independent: however many they are, they
count as :data:`INDEPENDENT`. Where little light came back (a rim, a window that is dirty) the noise
makes the Gaussians wide, and any kind may be as dim. A frame in which one light did not come back
at all says nothing, since that light is dead; nor does one that is too bright to be measured.

The numbers are wide and guessed: no head was measured yet. They ask for three lights that come back
alike from white paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from jackspot.core.pieces import Piece, Pocket
from jackspot.readings.evidence import Evidence
from jackspot.sensing.events import HIGHEST, ColourSeen, Fall

MOST = 6.0
"""A frame fits a kind at most so many times better, or worse, than none of these."""
INDEPENDENT = 2
"""As many frames all those of a fall are worth."""
NOISE = 200.0
"""By so much a level above dark is wrong: the amplifier, the sun between two lights."""
DEAD_BELOW = 0.015
"""A light of which so small a part of all comes back does not shine; no piece swallows so much."""
TOO_BRIGHT = HIGHEST - 500
"""What reads as much may be brighter."""
BRIGHTNESS = 8.8
"""The logarithm of all levels together, of anything before a head."""
BRIGHTNESS_SPREAD = 1.5
CLEARLY = 4.0
"""What fits so many times better than all else is what a fall looks like."""
RIM_SHARE, RIM_BRIGHTNESS, RIM_SPREAD = 0.15, 7.0, 0.8
"""So many frames see no more than a rim, of whatever piece, and are so bright."""


@dataclass(frozen=True, slots=True)
class Colour:
    """How a kind of piece looks: parts of red and green, the logarithm of all; and their spreads.

    Both parts have the same spread.
    """

    red: float
    green: float
    bright: float
    spread: float = 0.07
    bright_spread: float = 0.9

    def density(self, look: Look) -> float:
        """Return the density of a look at this kind of piece."""
        spread = math.hypot(self.spread, look.noise)
        off = ((look.red - self.red) ** 2 + (look.green - self.green) ** 2) / spread**2
        parts = math.exp(-0.5 * off) / (math.tau * spread**2)
        return parts * _brightness(look, self.bright, self.bright_spread)


@dataclass(frozen=True, slots=True)
class Look:
    """A frame without the sun: parts of red and green, the logarithm of all, and the noise."""

    red: float
    green: float
    bright: float
    noise: float

    @classmethod
    def of(cls, frame: ColourSeen) -> Look | None:
        """Return what a frame looks like; None where it says nothing."""
        levels = [each - frame.dark for each in (frame.red, frame.green, frame.blue)]
        whole = sum(levels)
        too_bright = max(frame.red, frame.green, frame.blue, frame.dark) >= TOO_BRIGHT
        if too_bright or whole <= 0 or min(levels) < DEAD_BELOW * whole:
            return None
        return cls(levels[0] / whole, levels[1] / whole, math.log(whole), NOISE / whole)

    @property
    def density(self) -> float:
        """Return the density of this look at none of the pieces: any parts alike."""
        return 2.0 * _brightness(self, BRIGHTNESS, BRIGHTNESS_SPREAD)


USUAL: Mapping[Piece, Colour] = MappingProxyType(
    {
        Piece.RED: Colour(0.72, 0.15, 8.9),
        Piece.GREEN: Colour(0.22, 0.52, 8.6),
        Piece.JACK: Colour(0.38, 0.33, 7.9),
        Piece.WHITE: Colour(0.38, 0.34, 10.0, bright_spread=0.7),
        Piece.BLACK: Colour(0.37, 0.33, 7.7, bright_spread=0.7),
        Piece.BROWN: Colour(0.50, 0.30, 8.7),
        Piece.QUEEN: Colour(0.70, 0.15, 8.9),
    }
)
"""The usual colours; a striker has any. A jack is of dark wood."""


@dataclass(frozen=True, slots=True)
class ColourModel:
    """How each kind of piece looks to a head, as a term of a reading's weight."""

    kinds: Mapping[Piece, Colour] = field(default_factory=lambda: USUAL)

    def of_board(self, red: Piece) -> Evidence:
        """Return itself: a kind looks alike on every board."""
        del red
        return self

    def at(self, pocket: Pocket) -> Evidence:
        """Return itself: all heads see alike."""
        del pocket
        return self

    def one(self, piece: Piece, fall: Fall) -> float:
        """Weigh that a fall was this piece against that it was none of these."""
        if not fall.seen:
            return 1.0
        return _together(fall, lambda look: self._times(piece, look))

    def two(self, first: Piece, second: Piece, fall: Fall) -> float:
        """Weigh that these two fell at once: each frame saw one of them."""
        if not fall.seen:
            return 1.0
        return _together(
            fall, lambda look: 0.5 * (self._times(first, look) + self._times(second, look))
        )

    def hand(self, fall: Fall) -> float:
        """Return what everything is weighed against: it was none of the pieces."""
        del fall
        return 1.0

    def flash(self, fall: Fall) -> float:
        """Return what everything is weighed against: it was none of the pieces."""
        del fall
        return 1.0

    def looks_like(self, kinds: Iterable[Piece], fall: Fall) -> Piece | None:
        """Return which of these kinds a fall clearly looks like; None: of none can that be said.

        A striker stands for what looks like none of the others.
        """
        first, *others = sorted(((self.one(each, fall), each) for each in kinds), reverse=True)
        return first[1] if others and first[0] >= CLEARLY * others[0][0] else None

    def _times(self, piece: Piece, look: Look) -> float:
        """Say how many times better a look fits a kind; 1 for one that has any colour."""
        kind = self.kinds.get(piece)
        return 1.0 if kind is None else kind.density(look) / look.density


def _together(fall: Fall, times: Callable[[Look], float]) -> float:
    """Weigh all frames of a fall, in any order, by how many times better each fits."""
    looks = [look for look in map(_look, fall.seen) if look is not None]
    if not looks:
        return 1.0
    whole = math.fsum(math.log(_bounded(times(look))) for look in looks)
    return math.exp(whole * min(1.0, INDEPENDENT / len(looks)))


def _bounded(times: float) -> float:
    """Hold a weight between 1 / MOST and MOST, without a step; 1 stays 1."""
    return (MOST * times + 1.0) / (times + MOST)


_look = lru_cache(maxsize=256)(Look.of)


def _brightness(look: Look, mean: float, spread: float) -> float:
    """Return the density of how bright a look is: of a face that is so bright, or of a rim."""
    face = _normal(look.bright, mean, spread)
    return (1 - RIM_SHARE) * face + RIM_SHARE * _normal(look.bright, RIM_BRIGHTNESS, RIM_SPREAD)


def _normal(value: float, mean: float, spread: float) -> float:
    z = (value - mean) / spread
    return math.exp(-0.5 * z * z) / (spread * math.sqrt(math.tau))
