"""What goes back on the board: what entries send back, who puts it there, and where.

Pieces that were forgotten (kagw) or waived (icf, grundregeln) before being put back stay off the
board: they are in again, as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from jackspot.core.directives import Entry
from jackspot.core.match import Match, MatchState, Step
from jackspot.core.pieces import Piece
from jackspot.core.rules import rules_for
from jackspot.dialogue.proposals.permitted import FORGOT, WAIVE
from jackspot.dialogue.state.game import Line

LET_GO: tuple[Entry, ...] = (FORGOT, WAIVE)
"""What people say about pieces that will not be put back."""


def let_go_in(line: Line) -> int | None:
    """Return where in a line something was let go beside its stroke; None: nothing was."""
    beside = (at for at, entry in enumerate(line.entries) if at and entry in LET_GO)
    return next(beside, None)


def sent_back(match: Match, count: int) -> tuple[Piece, ...]:
    """Return what the last ``count`` entries of a match send back, bottom to top."""
    back: list[Piece] = []
    for before, step in _last(match, count):
        if step.entry in LET_GO:
            back = without(back, let_go(before, step.state))
        else:
            back += step.state.place
    return tuple(back)


def let_go_by(match: Match, count: int) -> tuple[Piece, ...]:
    """Return the pieces that the last ``count`` entries of a match let go."""
    gone: list[Piece] = []
    for before, step in _last(match, count):
        if step.entry in LET_GO:
            gone += let_go(before, step.state).elements()
    return tuple(gone)


def _last(match: Match, count: int) -> Iterator[tuple[MatchState, Step]]:
    """Return the last ``count`` steps of a match, each with the state before it."""
    first = len(match.steps) - count
    before = match.steps[first - 1].state if first else match.opened
    for step in match.steps[first:]:
        yield before, step
        before = step.state


def let_go(before: MatchState, after: MatchState) -> Counter[Piece]:
    """Return the pieces that an entry took off the board without a stroke."""
    on_board = rules_for(after.settings.rules).on_board
    return Counter(on_board(before.position)) - Counter(on_board(after.position))


def without(pieces: Sequence[Piece], gone: Counter[Piece]) -> list[Piece]:
    """Take pieces out of a stack, from the top."""
    left, gone = list(pieces), Counter(gone)
    for at in range(len(left) - 1, -1, -1):
        if gone[left[at]] > 0:
            gone[left[at]] -= 1
            del left[at]
    return left
