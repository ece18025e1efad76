"""Weigh colours: how much better the frames of a fall fit a kind of piece than anything else.

Theory of operation. Each frame is reduced to the parts of red and green in what came back of a
head's three lights, less what the head sees in the dark (the sun). Each kind of piece is a Gaussian
in these two parts. It is weighed against *none of these*: a striker of any colour (most are grey or
of wood), a finger, a ring. That class is 1, so a fall without frames changes nothing, nor does a
hand. Brightness is taken from the brightest frame alone, because distance from the head dims all of
them.

No frame is proof. Its weight is between 1 / :data:`MOST` and :data:`MOST`. Frames of one fall are
of the same piece, so what is odd about that piece is odd in all of them: however many are clear,
they count as :data:`INDEPENDENT`. Where little light came back (a rim, a dirty window) the noise
makes the Gaussians wide. The noise differs from frame to frame, so dim frames add up until together
they are as clear. A frame in which one light did not come back at all says nothing, since that
light is dead; nor does one that is too bright to be measured.

The numbers are wide guesses: no head has been measured yet. They assume three lights that come back
alike from white paper.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.pieces import Piece, Pocket
from jackspot.readings.evidence import OfPieces
from jackspot.sensing.events import HIGHEST, ColourSeen, Fall
from jackspot.values import changed

MOST = 6.0
"""A frame fits a kind at most this many times better, or worse, than none of these."""
INDEPENDENT = 2
"""All frames of a fall, with its brightness, count as at most this many clear ones."""
MOST_LEARNT, INDEPENDENT_LEARNT = 20.0, 3
"""The same two where pieces were dropped in a calibration, so that their colours are known."""
CLEAR = 0.05
"""A frame whose parts are wrong by this much is half as clear as one without noise."""
IMAGINED = 4.0
"""How many looks the usual colours count as, once real ones are added."""
STEPS = 6
SMEARED = 0.1
"""The share of frames in which a piece came or went between two lights: they have any colour."""
ANY_PARTS = 2.0
"""The density of parts that are uniform: red and green span a triangle of half a unit."""
GREY_RED, GREY_GREEN, GREY_SPREAD = 0.42, 0.34, 0.06
"""The parts of what is grey or of wood, from ivory to black: most strikers."""
GREY = 0.7
"""The share of what is none of the pieces that looks like this; the rest has any colour."""
LEAST_SPREAD = 0.03
"""How much pieces of one kind are taken to differ until they were dropped."""
NOISE = 200.0
"""How far a level above dark may be off: the amplifier, the sun between two lights."""
DEAD_BELOW = 0.015
"""A light with a smaller share of what comes back is dead; no piece absorbs that much."""
TOO_BRIGHT = HIGHEST - 500
"""A level that reads this high may really be brighter."""
BRIGHTNESS, BRIGHTNESS_SPREAD = 8.8, 1.5
"""The logarithm of all levels together, of anything, in its brightest frame."""
PASSING_SPREAD = 1.0
"""The same spread for one kind of piece: it passes near the head, or far from it."""
RIM_SHARE, RIM_BRIGHTNESS, RIM_SPREAD = 0.15, 7.0, 0.8
"""The share of falls that show only a rim, of any piece, and how bright those are."""
CLEARLY = 4.0
"""A fall looks like a kind that fits this many times better than every other."""


class Colour(Struct, frozen=True):
    """How a kind of piece looks: parts of red and green, and the spread of both.

    ``bright`` is the logarithm of all levels together in the brightest frame of a fall.
    """

    red: float
    green: float
    bright: float
    spread: float = 0.07
    smeared: float = 0.0
    """The share of frames that say nothing; the spread of a guessed colour allows for them."""

    def learnt(self, falls: Sequence[Sequence[Look]]) -> Colour:
        """Return this kind moved towards looks at some falls; it counts as :data:`IMAGINED`.

        A look counts by the probability that it is not smeared (expectation maximisation).
        Brightness also depends on how near a piece comes to the head, which differs in play, so
        only its mean moves.
        """
        looks = list(chain.from_iterable(falls))
        brightest = [max(look.bright for look in fall) for fall in falls]
        bright, _ = _moved(self.bright, PASSING_SPREAD, brightest, [1.0] * len(falls))
        colour = changed(self, smeared=SMEARED)
        for _ in range(STEPS):
            shares = [colour.sharp(each) / colour.parts(each) for each in looks]
            colour = self._moved_to(looks, shares)
        return changed(colour, bright=bright)

    def _moved_to(self, looks: Sequence[Look], shares: Sequence[float]) -> Colour:
        red, _ = _moved(self.red, self.spread, [each.red for each in looks], shares)
        green, _ = _moved(self.green, self.spread, [each.green for each in looks], shares)
        off = [((each.red - red) ** 2 + (each.green - green) ** 2) / 2 for each in looks]
        squares = IMAGINED * LEAST_SPREAD**2 + math.fsum(map(operator.mul, off, shares))
        spread = math.sqrt(squares / (IMAGINED + math.fsum(shares)))
        return changed(self, red=red, green=green, spread=spread, smeared=SMEARED)

    def sharp(self, look: Look) -> float:
        """Return the density of the parts of a look that is not smeared."""
        return (1 - self.smeared) * look.near(self.red, self.green, self.spread)

    def parts(self, look: Look) -> float:
        """Return the density of the parts of a look, smeared or not."""
        return self.sharp(look) + self.smeared * ANY_PARTS


class Look(Struct, frozen=True):
    """A frame less the sun: parts of red and green, the logarithm of the total, and the noise."""

    red: float
    green: float
    bright: float
    noise: float

    @classmethod
    def of(cls, frame: ColourSeen) -> Look | None:
        """Return what a frame looks like; None if it says nothing."""
        levels = [each - frame.dark for each in (frame.red, frame.green, frame.blue)]
        whole = sum(levels)
        too_bright = max(frame.red, frame.green, frame.blue, frame.dark) >= TOO_BRIGHT
        if too_bright or whole <= 0 or min(levels) < DEAD_BELOW * whole:
            return None
        return cls(levels[0] / whole, levels[1] / whole, math.log(whole), NOISE / whole)

    @property
    def clear(self) -> float:
        """Return how clear it is: 1 is without noise."""
        return CLEAR**2 / (CLEAR**2 + self.noise**2)

    @property
    def none_of_these(self) -> float:
        """Return the density of its parts where it is none of the pieces."""
        return GREY * self.near(GREY_RED, GREY_GREEN, GREY_SPREAD) + (1 - GREY) * ANY_PARTS

    def near(self, red: float, green: float, spread: float) -> float:
        """Return its density around some parts."""
        spread_2 = spread**2 + self.noise**2
        off = ((self.red - red) ** 2 + (self.green - green) ** 2) / spread_2
        return math.exp(-0.5 * off) / (math.tau * spread_2)


USUAL: Mapping[Piece, Colour] = MappingProxyType(
    {
        Piece.RED: Colour(0.72, 0.15, 8.9),
        Piece.GREEN: Colour(0.22, 0.52, 8.6),
        Piece.JACK: Colour(0.38, 0.33, 7.9),
        Piece.WHITE: Colour(0.38, 0.34, 10.0),
        Piece.BLACK: Colour(0.37, 0.33, 7.7),
        Piece.BROWN: Colour(0.50, 0.30, 8.7),
        Piece.QUEEN: Colour(0.70, 0.15, 8.9),
    }
)
"""The usual colours; a striker may have any. A jack is of dark wood."""


class ColourModel(OfPieces, Struct, frozen=True):
    """How each kind of piece looks to a head, as a term of a reading's weight.

    ``most`` and ``independent`` are :data:`MOST` and :data:`INDEPENDENT`, or the values for learnt
    colours.
    """

    kinds: Mapping[Piece, Colour] = field(default_factory=lambda: USUAL)
    most: float = MOST
    independent: float = INDEPENDENT
    heads: Mapping[Pocket, ColourModel] = field(default_factory=lambda: MappingProxyType({}))
    """The models of single heads, where anything was dropped in front of them."""

    @property
    def seen(self) -> Mapping[Piece, Colour]:
        """The kinds of which drops were seen, as seen by all heads together."""
        return {piece: each for piece, each in self.kinds.items() if each != USUAL.get(piece)}

    def learnt(self, drops: Iterable[tuple[Sequence[Piece], Fall]]) -> ColourModel:
        """Return a model moved towards falls, each of a piece that is one of some kinds.

        The kind of each fall is judged by its looks, so pucks of both colours may be dropped in any
        order. A striker may have any colour and teaches nothing. All drops move all heads, and each
        head is moved once more by what was dropped in front of it.
        """
        falls: list[tuple[Piece, Fall]] = []
        for kinds, fall in drops:
            known = [each for each in kinds if each in self.kinds]
            if known and _looks(fall):
                falls.append((self._likeliest(known, fall), fall))
        if not falls:
            return self
        board = self.moved_to(falls)
        pockets = {fall.pocket for _, fall in falls}
        heads = {
            pocket: board.moved_to([each for each in falls if each[1].pocket is pocket])
            for pocket in pockets
        }
        return changed(board, heads=MappingProxyType(heads))

    def moved_to(self, falls: Iterable[tuple[Piece, Fall]]) -> ColourModel:
        """Return a model moved towards falls of these kinds."""
        seen: dict[Piece, list[list[Look]]] = {}
        for kind, fall in falls:
            seen.setdefault(kind, []).append(_looks(fall))
        moved = {kind: self.kinds[kind].learnt(found) for kind, found in seen.items()}
        return changed(
            self, kinds=MappingProxyType({**self.kinds, **moved}), most=MOST_LEARNT,
            independent=INDEPENDENT_LEARNT,
        )  # fmt: skip

    def at(self, pocket: Pocket) -> ColourModel:
        """Return the head of one pocket."""
        return self.heads.get(pocket, self)

    def one(self, piece: Piece, fall: Fall) -> float:
        """Weigh that a fall was this piece against it being none of these."""
        return self._of_any(fall, (self.kinds.get(piece),))

    def two(self, first: Piece, second: Piece, fall: Fall) -> float:
        """Weigh that these two fell at once: each frame saw one of them."""
        return self._of_any(fall, (self.kinds.get(first), self.kinds.get(second)))

    def looks_like(self, kinds: Iterable[Piece], fall: Fall) -> Piece | None:
        """Return which of these kinds a fall clearly looks like; None if there is none.

        A striker stands for anything that looks like none of the others.
        """
        head = self.at(fall.pocket)
        first, *others = sorted(((head.one(each, fall), each) for each in kinds), reverse=True)
        return first[1] if others and first[0] >= CLEARLY * others[0][0] else None

    def _likeliest(self, kinds: Iterable[Piece], fall: Fall) -> Piece:
        return max(kinds, key=lambda each: self.one(each, fall))

    def _of_any(self, fall: Fall, kinds: tuple[Colour | None, ...]) -> float:
        """Weigh that each frame of a fall, in any order, saw one of these; None has any colour."""
        looks = _looks(fall)
        if not looks:
            return 1.0
        share = min(1.0, self.independent / math.fsum(look.clear for look in looks))
        whole = share * math.fsum(
            self._bounded(_mean(1.0 if kind is None else kind.parts(look) / none for kind in kinds))
            for look, none in ((look, look.none_of_these) for look in looks)
        )
        brightest = max(look.bright for look in looks)
        whole += self._bounded(
            _mean(1.0 if kind is None else _shines(kind, brightest) for kind in kinds)
        )
        most = min(self.independent, len(looks)) * math.log(self.most)
        return math.exp(max(-most, min(whole, most)))

    def _bounded(self, times: float) -> float:
        """Return a weight's logarithm, bounded smoothly by those of 1 / most and most."""
        return math.log((self.most * times + 1.0) / (times + self.most))


_look = lru_cache(maxsize=256)(Look.of)


def _looks(fall: Fall) -> list[Look]:
    return [look for look in map(_look, fall.seen) if look is not None]


def _shines(kind: Colour, brightest: float) -> float:
    """Return how many times better this brightness fits a kind than none of these."""
    rim = RIM_SHARE * _normal(brightest, RIM_BRIGHTNESS, RIM_SPREAD)
    own = (1 - RIM_SHARE) * _normal(brightest, kind.bright, PASSING_SPREAD)
    return (own + rim) / ((1 - RIM_SHARE) * _normal(brightest, BRIGHTNESS, BRIGHTNESS_SPREAD) + rim)


def _mean(values: Iterable[float]) -> float:
    each = tuple(values)
    return sum(each) / len(each)


def _moved(
    mean: float, spread: float, found: Sequence[float], shares: Sequence[float]
) -> tuple[float, float]:
    """Return a mean and a spread, worth :data:`IMAGINED` values, moved towards those found."""
    whole = IMAGINED + math.fsum(shares)
    moved = (IMAGINED * mean + math.fsum(map(operator.mul, found, shares))) / whole
    squares = IMAGINED * (spread**2 + (mean - moved) ** 2)
    squares += math.fsum(n * (each - moved) ** 2 for each, n in zip(found, shares, strict=True))
    return moved, math.sqrt(squares / whole)


def _normal(value: float, mean: float, spread: float) -> float:
    z = (value - mean) / spread
    return math.exp(-0.5 * z * z) / (spread * math.sqrt(math.tau))
