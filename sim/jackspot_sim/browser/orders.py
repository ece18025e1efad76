"""What the next board at a simulated table is for, and what it is set to."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from jackspot.config.model import Config
from jackspot.config.sections import Language
from jackspot.core.pieces import Seat
from jackspot.core.record import Record
from jackspot.core.rules.common import single_player
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.values import changed
from jackspot_sim.boards.rehearsal import match_table
from jackspot_sim.browser.played import PlayedBoard


class Order(Struct, frozen=True):
    """What the next board is for."""

    showing: bool = False
    record: Record | None = None
    """The record that is played, at the page's own speed; None with ``showing``: computer
    players play."""
    rules: RuleSystem | None = None
    """The rules the board is set to; None: as before."""
    seats: tuple[Seat, ...] = ()
    """Who plays, clockwise; empty: as before."""
    language: str | None = None
    """The board's language; None: as before."""
    resumes: PlayedBoard | None = None
    """The board whose power was cut: its table and its journal go on."""

    @property
    def is_new_match(self) -> bool:
        """Whether people begin another match, which nobody plays by itself."""
        return self.resumes is None and not self.showing


def agreed_in(config: Config, settings: MatchSettings) -> Config:
    """Set a board to what players have agreed."""
    return changed(config, match=match_table(settings))


def with_rules(config: Config, rules: RuleSystem) -> Config:
    """Set a board to other rules: its players stay, options of the rules before do not."""
    if config.match.get("rules") == rules.value:
        return config
    kept = {key: config.match[key] for key in ("seats", "names") if key in config.match}
    return changed(config, match={**kept, "rules": rules.value})


def with_language(config: Config, language: str) -> Config:
    """Let a board speak another language."""
    board = changed(config.board, language=Language(language))
    return changed(config, board=board)


def with_seats(config: Config, seats: tuple[Seat, ...]) -> Config:
    """Set a board to who plays, clockwise; with three, the one who plays alone begins.

    Colours follow from the seats again.
    """
    alone = single_player(seats)
    if alone is not None:
        seats = (*seats[seats.index(alone) :], *seats[: seats.index(alone)])
    match = {key: value for key, value in config.match.items() if key != "colours"}
    for table in ("names", "handicap"):
        given = match.get(table)
        if isinstance(given, Mapping):
            match[table] = {seat: value for seat, value in given.items() if seat in seats}
    return changed(config, match={**match, "seats": [seat.value for seat in seats]})
