"""What the rules say about a stroke."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Position


class How(StrEnum):
    """How a board ended, in the words of ``jackspot score --json``."""

    JACK = "jack"
    PIECES = "pieces"
    FOUL = "foul"
    TIME = "time"
    RESIGN = "resign"
    DRAW = "draw"


class BoardResult(Struct, frozen=True):
    """A finished board. ``winner`` is None if it ended tied."""

    winner: Side | None
    how: How
    points: Mapping[Side, int]


class Ruling(Struct, frozen=True):
    """The answer to one stroke.

    ``rows`` are the ruling ids, beginning with the most specific row (``("HK-15",)``), followed by
    options and handicaps that changed the outcome. ``after`` is the position with penalties paid
    and the turn already passed or kept. ``place`` lists what goes back on the board, bottom to top,
    never strikers. ``paid`` is how many pucks each side gave back, in the order of ``after.sides``.
    ``result`` is set when the stroke ended the board.
    """

    rows: tuple[str, ...]
    after: Position
    foul: bool
    keeps_turn: bool
    place: tuple[Piece, ...] = ()
    paid: tuple[int, int] = (0, 0)
    result: BoardResult | None = None

    @property
    def next(self) -> Seat:
        """The seat to shoot next on this board."""
        return self.after.seat


class IllegalStroke(ValueError):
    """A stroke that cannot have happened, such as a thirteenth red puck.

    ``departure`` is the index in ``stroke.departures`` of the piece that exceeds what there is, or
    None if the fault is the seat or a flag; then ``flag`` may name it.
    """

    def __init__(
        self, message: str, *, departure: int | None = None, flag: str | None = None
    ) -> None:
        super().__init__(message)
        self.departure = departure
        self.flag = flag
