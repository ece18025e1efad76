"""What a hall asks a board to play: a match that is agreed already."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.core.directives import Entry
from jackspot.core.settings import MatchSettings


class Begins(StrEnum):
    """How a match that was ordered begins, once its players have said that they are there."""

    NOW = "now"
    """At once, and the first seat shoots first."""
    PLAYERS = "players"
    """As ever: a seat's OK, which then shoots first."""
    GONG = "gong"
    """So too, and each board's clock waits for the common gong."""


class MatchOrder(Struct, frozen=True):
    """One match to play, or to go on with. Another match has another ``number``.

    ``entries`` were played at another board, and ``used_ns`` of the running board's clock; None: as
    much as the last of its strokes says.
    """

    number: int
    settings: MatchSettings
    begins: Begins = Begins.PLAYERS
    entries: tuple[Entry, ...] = ()
    used_ns: int | None = None


class MovedAway(Struct, frozen=True):
    """The match of an order of this board goes on at another one, by its number."""

    order: int
    board: int
