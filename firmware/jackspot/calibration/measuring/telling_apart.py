"""Compute how surely a beam tells kinds of pieces apart, and how the measurements spread.

For two kinds that fall equally often, the measure is how often the best decision is right. Guessing
is right half of the time, so that is the minimum.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations

from msgspec import Struct

from jackspot.calibration.measuring.measured import PIECES, Measured, PieceKind, PieceSet
from jackspot.core.pieces import Pocket
from jackspot.readings.widths import MILLISECOND_NS, WidthModel

SHORTEST_MS, LONGEST_MS, POINTS = 2.0, 400.0, 500


class Surely(StrEnum):
    """How surely two kinds are told apart by width, in words."""

    NOT = "cannot be told apart by width here"
    HARDLY = "hardly told apart by width here"
    SOMETIMES = "told apart now and then"
    MOSTLY = "mostly told apart"
    SURELY = "surely told apart"


_LEVELS = (
    (0.57, Surely.NOT),
    (0.65, Surely.HARDLY),
    (0.80, Surely.SOMETIMES),
    (0.95, Surely.MOSTLY),
)


class Telling(Struct, frozen=True):
    """How often the best decision between two kinds is right at one pocket: 0.5 to 1."""

    pocket: Pocket
    first: PieceKind
    second: PieceKind
    right: float

    @property
    def surely(self) -> Surely:
        """The share that is right, in words."""
        return next((words for below, words in _LEVELS if self.right < below), Surely.SURELY)

    def __str__(self) -> str:
        """Return it as ``puck and striker: cannot be told apart by width here (50 %)``."""
        return f"{self.first} and {self.second}: {self.surely} ({100 * self.right:.0f} %)"


def tellings(model: WidthModel, pieces: PieceSet, pocket: Pocket) -> tuple[Telling, ...]:
    """Weigh all kinds of a set against each other at one pocket.

    ``model`` is for a board with these pieces.
    """
    return tuple(
        Telling(pocket, first, second, right_share(model.at(pocket), pieces, first, second))
        for first, second in combinations(pieces.kinds, 2)
    )


def right_share(model: WidthModel, pieces: PieceSet, first: PieceKind, second: PieceKind) -> float:
    """Return how often the best decision between two kinds is right, from one pulse."""
    one, other = PIECES[pieces][first][0], PIECES[pieces][second][0]
    best = whole = 0.0
    for width_ns in _widths():
        a, b = model.single(one, width_ns) * width_ns, model.single(other, width_ns) * width_ns
        best += max(a, b)
        whole += a + b
    return best / whole if whole else 0.5


def _widths() -> Iterator[int]:
    """Yield widths that are equally spaced in their logarithm."""
    ratio = math.log(LONGEST_MS / SHORTEST_MS) / (POINTS - 1)
    for step in range(POINTS):
        yield round(SHORTEST_MS * math.exp(step * ratio) * MILLISECOND_NS)


class Spread(Struct, frozen=True):
    """How the drops of one kind into one pocket spread: the longest pulse of each, in ns."""

    pocket: Pocket
    kind: PieceKind
    count: int
    least_ns: int
    low_ns: int
    """A quarter are shorter."""
    median_ns: int
    high_ns: int
    """A quarter are longer."""
    most_ns: int


def spreads(measured: Measured) -> tuple[Spread, ...]:
    """Return the spread of every kind in every pocket into which something was dropped."""
    found = []
    for pocket in Pocket:
        for kind in measured.pieces.kinds:
            widths = sorted(max(drop.widths_ns) for drop in measured.at(pocket, kind))
            if widths:
                low, middle, high = (round(each) for each in _quartiles(widths))
                found.append(
                    Spread(pocket, kind, len(widths), widths[0], low, middle, high, widths[-1])
                )
    return tuple(found)


def _quartiles(ordered: Sequence[int]) -> Sequence[float]:
    if len(ordered) == 1:
        return [ordered[0]] * 3
    return statistics.quantiles(ordered, n=4, method="inclusive")
