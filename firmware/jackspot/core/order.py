"""What a hall orders a board to play: a match that is already agreed."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.core.directives import Entry
from jackspot.core.settings import MatchSettings


class Begins(StrEnum):
    """How an ordered match begins, once its players have said that they are there."""

    NOW = "now"
    """At once, and the first seat shoots first."""
    PLAYERS = "players"
    """As usual, by a seat's OK; that seat shoots first."""
    GONG = "gong"
    """The same, and each board's clock waits for the common gong."""


class MatchOrder(Struct, frozen=True):
    """One match to play or to continue. Another match has another ``number``.

    ``entries`` were played at another board, and ``used_ns`` was used of the running board's clock;
    None: take it from the last of its strokes.
    """

    number: int
    settings: MatchSettings
    begins: Begins = Begins.PLAYERS
    entries: tuple[Entry, ...] = ()
    used_ns: int | None = None


class MovedAway(Struct, frozen=True):
    """The match of this board's order continues on another board, given by its number."""

    order: int
    board: int
