"""What the next board at a simulated table is for, and what it is set to."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from jackspot.config.model import Config
from jackspot.config.sections import Language
from jackspot.core.agreement import Disagreement, agree
from jackspot.core.pieces import Seat
from jackspot.core.record import Record
from jackspot.core.rules import facts_of
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.dialogue.state.plans import Plan, lineups_of, with_lineup
from jackspot.dialogue.words.refusals import why_no_match
from jackspot.values import changed
from jackspot_sim.boards.rehearsal import match_table
from jackspot_sim.browser.played import PlayedBoard
from jackspot_sim.refusal import CannotHappen


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


def as_ordered(config: Config, order: Order) -> Config:
    """Set a board to what an order says; CannotHappen if no match can be played so."""
    if order.rules is not None:
        config = with_rules(config, order.rules)
    if order.language is not None:
        config = with_language(config, order.language)
    if order.seats:
        config = with_seats(config, order.seats)
    try:
        agree(config.match)
    except Disagreement as wrong:
        raise CannotHappen(why_no_match(wrong)) from wrong
    return config


def agreed_in(config: Config, settings: MatchSettings) -> Config:
    """Set a board to what players have agreed."""
    return changed(config, match=match_table(settings))


def with_rules(config: Config, rules: RuleSystem) -> Config:
    """Set a board to other rules: its players stay, options of the rules before do not.

    Where the rules are not for so many, two of them play.
    """
    if config.match.get("rules") == rules.value:
        return config
    seats = agree(config.match).seats
    kept = {key: config.match[key] for key in ("seats", "names") if key in config.match}
    other = changed(config, match={**kept, "rules": rules.value})
    return other if len(seats) in facts_of(rules).seats else with_seats(other, lineups_of(rules)[0])


def with_language(config: Config, language: str) -> Config:
    """Let a board speak another language."""
    board = changed(config.board, language=Language(language))
    return changed(config, board=board)


def with_seats(config: Config, seats: tuple[Seat, ...]) -> Config:
    """Set a board to who plays, clockwise; with three, the one who plays alone begins.

    They play in the direction that was agreed. Colours follow from the seats again.
    """
    planned = with_lineup(Plan(config.match), seats)
    at = planned.lineup.index(planned.first)
    seats = (*planned.lineup[at:], *planned.lineup[:at])
    match = {key: value for key, value in config.match.items() if key != "colours"}
    for table in ("names", "handicap"):
        given = match.get(table)
        if isinstance(given, Mapping):
            match[table] = {seat: value for seat, value in given.items() if seat in seats}
    return changed(config, match={**match, "seats": [seat.value for seat in seats]})
