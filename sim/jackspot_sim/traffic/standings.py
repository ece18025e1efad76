"""How a match stands, as the pieces show it and as a display shows it: to be compared."""

from __future__ import annotations

from jackspot.core.match import MatchState
from jackspot.core.pieces import Seat
from jackspot.table.view import BoardView

Standing = tuple[int, tuple[tuple[str, int, int], ...]]
"""The board's number, and what each side has in and owes, the sides in one fixed order."""


def standing_of(state: MatchState) -> Standing:
    """Give what the pieces themselves show of a match."""
    counts = state.position.counts_by_side().items()
    return state.board, tuple(
        sorted((side.value, each.pocketed, each.owed) for side, each in counts)
    )  # fmt: skip


def standing_shown(view: BoardView) -> Standing:
    """Give the same as a display shows it."""
    return view.board, tuple(
        sorted((each.side.value, each.pocketed, each.owed) for each in view.sides)
    )  # fmt: skip


def winners_of(state: MatchState) -> frozenset[Seat]:
    """Give who won the match; nobody where it is level."""
    seats = state.settings.seats
    return frozenset(seat for seat in seats if state.settings.side_of(seat) is state.winner)


def winners_shown(view: BoardView) -> frozenset[Seat]:
    """Give the same as a display shows it, which names sides by their colours on this board."""
    return frozenset(seat for each in view.sides if each.side is view.winner for seat in each.seats)
