"""The steward lays the pieces out: for the rules that set-up shows, and anew for each board.

People at a real table do this between two boards. The steward is a display that watches, and acts
at the moment at which a board begins. It then lays the pieces as that board begins or, when people
take a board back, as they lay in it. During a board it touches nothing: where the pieces lie is
then the players' business, right or wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jackspot.core.pieces import Piece, Seat
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot_sim.table.table import SimTable, Truth


class Steward:
    """Lays out the pieces of a table; see the module."""

    name = "steward"

    def __init__(self, table: SimTable) -> None:
        self._table = table
        self._before: BoardView | None = None

    def start(self) -> None:
        """Begin to watch."""

    def post(self, view: BoardView) -> None:
        """See a view, and lay the pieces out if a board begins with it."""
        before, self._before = self._before, view
        if view.phase is Phase.SETUP:
            begins = before is not None and before.phase is not Phase.SETUP
            if begins or view.rules is not self._table.rules:
                self._table.set_up(view.rules, view.shooter or Seat.S)
        elif before is not None and _another_board(before, view):
            self._table.lay(view.rules, lying(view), view.shooter or Seat.S)

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound; pieces are laid out in silence."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop watching."""
        del timeout_s
        return True


def _another_board(before: BoardView, view: BoardView) -> bool:
    """Whether another board is played than before: the next, one taken back, a new match's."""
    if before.phase is Phase.SETUP or before.board != view.board:
        return True
    return before.phase is Phase.MATCH_OVER and view.phase is Phase.READY


def lying(view: BoardView) -> Counter[Piece]:
    """Return what lies on the board by the board's count, without strikers.

    What has fallen and is not confirmed yet is in the pockets, and what is to be put back is
    still out.
    """
    out = Counter(view.place)
    if view.proposal is not None:
        out.update(each.piece for each in view.proposal.departures)
    return Counter(dict(view.on_board)) - out


def still_out(view: BoardView, truth: Truth) -> Sequence[Piece]:
    """List what is still to be put back, the lowest first.

    It is what the board asks for and hands have not put back yet or, with nothing open, what is
    out of play although the board counts it as on the board.
    """
    out = Counter(dict(view.on_board)) - Counter(truth.on_board)
    if not view.place:
        return () if view.phase is not Phase.READY or view.waiting else list(out.elements())
    found: list[Piece] = []
    for piece in reversed(view.place):
        if out[piece] > 0:
            out[piece] -= 1
            found.insert(0, piece)
    return found
