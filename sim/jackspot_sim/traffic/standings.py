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


Difference = tuple[str, int]
"""A part of what a board shows, and by how much it differs from the table."""


def differences(shown: MatchState, true: MatchState) -> frozenset[Difference]:
    """Return in what a board's counts, turn and result differ from the table; nothing if it agrees.

    As long as only right strokes follow a wrong one, the differences stay the same.
    """
    (board, sides, queen), (true_board, true_sides, true_queen) = map(standing_of, (shown, true))
    parts = [
        ("board", board - true_board),
        ("queen", int(queen != true_queen)),
        ("turn", int(shown.next is not true.next)),
        ("result", int(_result_of(shown) != _result_of(true))),
    ]
    for (side, *counts), (_side, *true_counts) in zip(sides, true_sides, strict=True):
        off = (one - other for one, other in zip(counts, true_counts, strict=True))
        parts += zip((f"{side} in", f"{side} owed", f"{side} scored"), off, strict=True)
    return frozenset(part for part in parts if part[1])


def _result_of(state: MatchState) -> tuple[bool, Side | None]:
    """Return whether the board is over, and who won it."""
    return state.result is not None, state.result.winner if state.result else None


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
