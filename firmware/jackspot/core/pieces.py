"""The things on and around a board, in the game's own words.

The values of these enums are the words of the match record (``N red@NE``), of the
JSON and of the journal, so they never change.
"""

from __future__ import annotations

from enum import StrEnum


class Seat(StrEnum):
    """Where a player sits, named as on a map seen from above with N at the top."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"

    @property
    def opposite(self) -> Seat:
        """The seat across the board: the partner in doubles."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + 2) % 4]

    @property
    def clockwise(self) -> Seat:
        """The next seat clockwise, seen from above."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + 1) % 4]


_CLOCKWISE = (Seat.N, Seat.E, Seat.S, Seat.W)


class Pocket(StrEnum):
    """The four corner pockets, clockwise from the north-east."""

    NE = "NE"
    SE = "SE"
    SW = "SW"
    NW = "NW"


class Piece(StrEnum):
    """Every kind of piece that any system knows."""

    RED = "red"
    GREEN = "green"
    JACK = "jack"
    WHITE = "white"
    BLACK = "black"
    BROWN = "brown"
    QUEEN = "queen"
    STRIKER = "striker"


class Side(StrEnum):
    """A side of the match: a player, or the partners of a pair."""

    RED = "red"
    GREEN = "green"
    WHITE = "white"
    BLACK = "black"
    ONE = "one"
    TWO = "two"

    @property
    def piece(self) -> Piece:
        """The piece a side plays for; ``one`` and ``two`` own none (ValueError)."""
        piece = _PIECES.get(self)
        if piece is None:
            raise ValueError(f"side {self} plays for no piece of its own")
        return piece


_PIECES = {side: Piece(side.value) for side in Side if side.value in list(Piece)}
