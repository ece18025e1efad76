"""The state of a match as the pieces show it and as a display shows it, for comparison."""

from __future__ import annotations

from jackspot.core.directives import RedPlace
from jackspot.core.match import MatchState, deal_points
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView
from jackspot.readings.own_pieces import counts_by_colour

Standing = tuple[int, tuple[tuple[str, int, int, int], ...], str]
"""The board's number; for each side, in a fixed order, what it has in, what it owes, and what it
scored with pieces of any kind; and where a queen is."""


def standing_of(state: MatchState) -> Standing:
    """Return what the pieces themselves show of a match."""
    rules, position = state.settings.rules, state.position
    points = {} if counts_by_colour(rules_for(rules)) else deal_points(state)
    counts = position.counts_by_side().items()
    sides = sorted(
        (side.value, each.pocketed, each.owed, points.get(side, 0)) for side, each in counts
    )
    return state.board, tuple(sides), _queen(rules, position.red, position.red_side)


def standing_shown(view: BoardView) -> Standing:
    """Return the same as a display shows it."""
    scored = not counts_by_colour(rules_for(view.rules))
    sides = sorted(
        (each.side.value, each.pocketed, each.owed, each.board_points if scored else 0)
        for each in view.sides
    )
    return view.board, tuple(sides), _queen(view.rules, view.red, view.red_side)


def _queen(rules: RuleSystem, place: RedPlace, side: Side | None) -> str:
    """Return where the queen is; a jack is on the board until it wins."""
    if rules_for(rules).red is not Piece.QUEEN:
        return ""
    return f"{place} {side or ''}".strip()


def winners_of(state: MatchState) -> frozenset[Seat]:
    """Return who won the match; nobody if it is tied."""
    seats = state.settings.seats
    return frozenset(seat for seat in seats if state.settings.side_of(seat) is state.winner)


def winners_shown(view: BoardView) -> frozenset[Seat]:
    """Return the same as a display shows it, which names sides by their colours on this board."""
    return frozenset(seat for each in view.sides if each.side is view.winner for seat in each.seats)
