"""What is agreed before a match: rules, seats, names, options, handicaps.

The same values come from a record's header, from the board's config and from its menu,
and all three are checked by :mod:`jackspot.core.agreement`, which holds the table of
section 10 of the rules pages.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.pieces import Seat, Side


class RuleSystem(StrEnum):
    """The rule systems by id."""

    HIKONE = "hikone"
    JAPAN = "japan"
    KAGW = "kagw"
    GRUNDREGELN = "grundregeln"
    POINTS = "points"
    ICF = "icf"


USUAL_RULES = RuleSystem.HIKONE
"""The system that is played unless another is chosen."""

OptionValue = bool | int | str


class Handicap(Struct, frozen=True):
    """What a side gets or must do beyond the rules (HC-1 to HC-7, ``001:61-72``)."""

    head_start: int = 0
    pucks_needed: int = 12
    no_striker_penalty: bool = False
    keep_turn_with_striker: bool = False
    second_chance: bool = False
    second_chance_on_jack: bool = False
    called_pocket: bool = False
    must_bank: bool = False
    weak_hand: bool = False


class MatchSettings(Struct, frozen=True):
    """Everything agreed before a match.

    ``seats`` is the order of play; the first seat shoots first. ``options`` holds only what was
    given; defaults are added by :func:`jackspot.core.agreement.option`. ``sides`` gives each seat's
    side on board 1. Build one with :func:`jackspot.core.agreement.agree`, which checks everything;
    the constructor checks nothing.
    """

    rules: RuleSystem
    seats: tuple[Seat, ...]
    sides: Mapping[Seat, Side]
    names: Mapping[Seat, str] = field(default_factory=lambda: MappingProxyType({}))
    options: Mapping[str, OptionValue] = field(default_factory=lambda: MappingProxyType({}))
    handicaps: Mapping[Side, Handicap] = field(default_factory=lambda: MappingProxyType({}))
    event: str | None = None
    date: datetime.date | None = None
    round: str | None = None
    place: str | None = None

    def side_of(self, seat: Seat) -> Side:
        """Return the side a seat plays for on board 1; KeyError if it does not play."""
        return self.sides[seat]
