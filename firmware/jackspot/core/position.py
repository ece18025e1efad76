"""A board at rest between two strokes: everything the next ruling depends on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Seat, Side


class Count(Struct, frozen=True):
    """One side's count. ``pocketed`` is physically out of play; ``owed`` is still due."""

    pocketed: int = 0
    owed: int = 0


class Position(Struct, frozen=True):
    """A board between two strokes.

    ``order`` is the cycle of turns (two, three or four seats; four entries for the three-player
    bounce) and ``turn`` the index in it of the seat to shoot. ``counts`` has both sides in the
    order of ``sides``; ``pieces_each`` is N of section 0 of the rules. ``red`` is where the jack or
    queen is, ``red_side`` whose it is when pending or covered. ``strokes_in_turn`` counts the
    strokes already made in this turn. ``memo`` is anything else that one rule system must remember;
    only that system reads it.
    """

    order: tuple[Seat, ...]
    turn: int
    seat_sides: Mapping[Seat, Side]
    sides: tuple[Side, Side]
    counts: tuple[Count, Count]
    pieces_each: int
    red: RedPlace = RedPlace.BOARD
    red_side: Side | None = None
    strokes_in_turn: int = 0
    memo: object = field(default=None)

    @property
    def seat(self) -> Seat:
        """The seat to shoot."""
        return self.order[self.turn]

    @property
    def side(self) -> Side:
        """The side to shoot."""
        return self.seat_sides[self.seat]

    @property
    def following(self) -> int:
        """The index in ``order`` of the turn after this one."""
        return (self.turn + 1) % len(self.order)

    def count(self, side: Side) -> Count:
        """Return one side's count."""
        return self.counts[self.sides.index(side)]

    def other(self, side: Side) -> Side:
        """Return the opponents' side."""
        return self.sides[1 - self.sides.index(side)]

    def left(self, side: Side) -> int:
        """Count the pieces of a side that are still on the board."""
        return self.pieces_each - self.count(side).pocketed

    def counts_by_side(self) -> Mapping[Side, Count]:
        """Return both counts, keyed by side."""
        return MappingProxyType(dict(zip(self.sides, self.counts, strict=True)))
