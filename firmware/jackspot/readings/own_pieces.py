"""Find whose a piece is, and count pieces out of play.

Every rule system says which pieces are a seat's own when that seat is to shoot; readings also need
this for a seat that may have shot before, or out of turn. People at the table can see how many of
each kind are out of play, whoever they are credited to.
"""

from __future__ import annotations

from jackspot.core.match import MatchState
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Position
from jackspot.core.rules import Rules, rules_for
from jackspot.core.rules.common import index_of_turn
from jackspot.core.settings import MatchSettings
from jackspot.values import changed

ONE_OF_A_KIND = frozenset({Piece.JACK, Piece.QUEEN})
"""The pieces of which there is only one, in the middle of the board."""


def with_shooter(position: Position, seat: Seat) -> Position:
    """Return the same board with this seat to shoot."""
    if position.seat is seat:
        return position
    return changed(position, turn=index_of_turn(position, seat))


def own_of(settings: MatchSettings, position: Position, seat: Seat) -> frozenset[Piece]:
    """Return the kinds that are a seat's own, except a queen, which may be anybody's."""
    rules = rules_for(settings.rules)
    return rules.own(with_shooter(position, seat)) - {rules.red}


def full_of(settings: MatchSettings, position: Position, seat: Seat) -> int:
    """Return how many pieces of a seat's own are on a full board."""
    return position.pieces_each * len(own_of(settings, position, seat))


def kinds_of(rules: Rules) -> tuple[Piece, ...]:
    """Return the kinds that are counted: neither jack nor queen nor striker."""
    return tuple(each for each in rules.pieces if each not in (rules.red, Piece.STRIKER))


def counts_by_colour(rules: Rules) -> bool:
    """Whether each side's count is that of one kind, so that people can set it.

    Where sides are credited with pieces of any kind one after the other, only their order says
    which one is given back.
    """
    return {*map(str, rules.pieces)}.issuperset(map(str, rules.sides))


def out_of_play(state: MatchState) -> tuple[tuple[Piece, int], ...]:
    """Count the pieces of each kind that are no longer on the board."""
    rules, position = rules_for(state.settings.rules), state.position
    lies = rules.on_board(position)
    return tuple((kind, position.pieces_each - lies[kind]) for kind in kinds_of(rules))
