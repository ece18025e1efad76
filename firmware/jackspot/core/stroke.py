"""What one shot did: which pieces left the board, and what a referee called.

A stroke says what the seat shot, not what the rules made of it.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket, Seat


class Flag(StrEnum):
    """What a referee says about a stroke, in the words of the match record."""

    FOUL = "foul"
    """An obvious foul, improper stroke or other violation."""
    AREA = "area"
    """Doubles: a forbidden piece inside the own area was hit."""
    NOBREAK = "nobreak"
    """The break was missed: the group was not touched."""
    BANKED = "banked"
    """The jack came by a cushion (answer to the handicap that asks for it)."""
    UNBANKED = "unbanked"
    """The jack came without a cushion."""


class Departure(Struct, frozen=True):
    """One piece that left the board: into a pocket, or over the edge.

    ``pocket`` is None if unknown. A piece that flew off has no pocket.
    """

    piece: Piece
    pocket: Pocket | None = None
    flew_off: bool = False

    def __post_init__(self) -> None:
        if self.flew_off and self.pocket is not None:
            raise ValueError(f"a {self.piece} that flew off the board has no pocket")

    def __str__(self) -> str:
        """Return the token of the match record: ``red@NE``, ``red``, ``red^``."""
        if self.flew_off:
            return f"{self.piece}^"
        return f"{self.piece}@{self.pocket}" if self.pocket else str(self.piece)


class Stroke(Struct, frozen=True):
    """One shot by one seat.

    ``departures`` are in the order the pieces fell, if that is known. ``called`` is the pocket
    named beforehand. ``used_ns`` is the match clock used when the stroke was settled, in
    nanoseconds: information only, never judged.
    """

    seat: Seat
    departures: tuple[Departure, ...] = ()
    flags: frozenset[Flag] = frozenset()
    called: Pocket | None = None
    used_ns: int | None = None

    def pocketed(self, piece: Piece) -> int:
        """Count the pieces of this kind that fell into a pocket."""
        return sum(d.piece is piece and not d.flew_off for d in self.departures)

    def flown(self, piece: Piece) -> int:
        """Count the pieces of this kind that flew off the board."""
        return sum(d.piece is piece and d.flew_off for d in self.departures)
