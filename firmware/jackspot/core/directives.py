"""What a referee or the players say besides strokes: the directives of a record.

Undo and redo are not directives: they act on the list of entries, not on a position.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.stroke import Stroke


class Saying(StrEnum):
    """The directives that take no argument, in the words of the record."""

    TIME = "time"
    """The match clock has run out; ``time_end`` says what is still played."""
    PLACED = "placed"
    """The pieces shown for placing are where they belong."""
    FORGOT = "forgot"
    """They were not placed before the next stroke began (kagw)."""
    WAIVE = "waive"
    """The opponent waives what is due (icf, grundregeln)."""
    DEMAND = "demand"
    """The opponent asks for the extra point (icf)."""
    DRAW = "draw"
    """The board ends tied by agreement."""
    BOARD = "board"
    """Start the next board; one that is running is void."""


class Say(Struct, frozen=True):
    """A directive without an argument."""

    what: Saying


class GiveTurn(Struct, frozen=True):
    """``! turn SEAT``: the referee gives the turn to a seat."""

    seat: Seat


class Resign(Struct, frozen=True):
    """``! resign SEAT``: that seat's side gives up the board."""

    seat: Seat


class SetPocketed(Struct, frozen=True):
    """``! set SIDE pocketed=N``: the count is corrected to what is on the table."""

    side: Side
    count: int


class SetOwed(Struct, frozen=True):
    """``! set SIDE owed=N``."""

    side: Side
    count: int


class RedPlace(StrEnum):
    """Where the jack or the queen is."""

    BOARD = "board"
    POCKETED = "pocketed"
    PENDING = "pending"
    COVERED = "covered"


class SetRed(Struct, frozen=True):
    """``! set jack=board``, ``! set queen=board``, ``! set queen=covered:white``.

    ``side`` goes with ``pending`` and ``covered`` and with nothing else; ``red`` is the jack
    or the queen, whichever the system has.
    """

    place: RedPlace
    side: Side | None = None
    red: Piece = Piece.JACK


Directive = Say | GiveTurn | Resign | SetPocketed | SetOwed | SetRed
Entry = Stroke | Directive
"""One line of a match that changes it: what undo takes back, one at a time."""
