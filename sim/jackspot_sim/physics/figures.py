"""Numbers with their source: why a size or a friction has its value here.

Nothing is looked up at run time; ``sim/PHYSICS.md`` is written from these values.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class Source(StrEnum):
    """Where a number comes from."""

    MEASURED = "measured"
    """Somebody measured it on such a board, and published it."""
    RULE_BOOK = "rule book"
    """A rule book asks for it."""
    COMPUTED = "computed"
    """It follows from other numbers here."""
    GUESS = "guess"
    """Nobody has published it: it is chosen so that play looks right, for the reason given."""


class Figure(Struct, frozen=True):
    """A number, its unit, its source, and the reason for it."""

    value: float
    unit: str
    source: Source
    why: str


Figures = Mapping[str, Figure]


def values(figures: Figures) -> dict[str, float]:
    """Return the bare numbers by name."""
    return {name: figure.value for name, figure in figures.items()}
