"""What a hall asks a board to play: a match that is agreed already."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from jackspot.core.settings import MatchSettings


class Begins(StrEnum):
    """How a match that was ordered begins, once its players have said that they are there."""

    NOW = "now"
    """At once, and the first seat shoots first."""
    PLAYERS = "players"
    """As ever: a seat's OK, which then shoots first."""
    GONG = "gong"
    """So too, and each board's clock waits for the common gong."""


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """One match to play. Another match has another ``number``."""

    number: int
    settings: MatchSettings
    begins: Begins = Begins.PLAYERS
