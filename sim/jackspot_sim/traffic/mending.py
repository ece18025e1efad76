"""What somebody who compares the table with the display says to the board, one thing at a time.

Where each side has a colour, its count and what it owes are set. Where sides are credited with
pieces of any kind, one after the other, a count can only be lowered: surplus pieces are removed
from the end, missing ones are entered as a stroke, and the queen is put where it is. Then the turn
is given to whoever has it. Pure.
"""

from __future__ import annotations

from jackspot.core.directives import Entry, GiveTurn, RedPlace, SetOwed, SetPocketed, SetRed
from jackspot.core.match import MatchState
from jackspot.core.pieces import Piece, Seat
from jackspot.core.rules import rules_for
from jackspot.core.rules.points.ledger import COUNTERS, Ledger, memo_of, worth
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.view import BoardView, Phase, SideView
from jackspot.readings.own_pieces import counts_by_colour

QUEEN_ON_BOARD = SetRed(RedPlace.BOARD, None, Piece.QUEEN)


def queen_is_gone(view: BoardView, stroke: Stroke, missed: tuple[Seat, ...]) -> bool:
    """Whether a queen fell in a stroke that is not on the board as the display has it.

    Who misses after taking a queen gives it back: whoever missed before the stroke is said first.
    """
    fell = any(each.piece is Piece.QUEEN for each in stroke.departures)
    shown = view.proposal
    if shown is not None and (shown.seat, shown.missed) != (stroke.seat, missed):
        return False
    pieces = shown.departures if shown is not None else ()
    there = view.red is RedPlace.BOARD or any(each.piece is Piece.QUEEN for each in pieces)
    return fell and not there


def next_correction(view: BoardView, true: MatchState) -> Entry | None:
    """Return the next correction that the table asks for; None: everything is as it should be."""
    if counts_by_colour(rules_for(true.settings.rules)):
        return _of_counts(view, true) or _of_turn(view, true) or _of_the_queen(view, true)
    if view.phase is not Phase.READY:
        return None  # a stroke is to be entered: first settle what is open
    wrong = _of_counters(view, true) or _of_turn(view, true)
    if wrong is not None and view.red is RedPlace.PENDING:
        return QUEEN_ON_BOARD  # else the turn's points would be void
    return wrong or _of_the_queen(view, true)


def _of_counts(view: BoardView, true: MatchState) -> Entry | None:
    for side in view.sides:
        count = true.position.count(side.side)
        if side.pocketed != count.pocketed:
            return SetPocketed(side.side, count.pocketed)
        if side.owed != count.owed:
            return SetOwed(side.side, count.owed)
    return None


def _of_turn(view: BoardView, true: MatchState) -> GiveTurn | None:
    if view.phase is not Phase.READY or true.next in (None, view.shooter):
        return None
    assert true.next is not None, "somebody is to shoot"
    return GiveTurn(true.next)


# --- pieces of any kind ------------------------------------------------------------------


def _of_counters(view: BoardView, true: MatchState) -> Entry | None:
    """Take away what was credited wrongly; then credit what is missing, by a stroke."""
    for side in view.sides:
        if _missing(view, side, true) is None:
            return SetPocketed(side.side, side.pocketed - 1)
    for side in view.sides:
        missing = _missing(view, side, true)
        if missing and view.shooter in side.seats:
            return Stroke(view.shooter, tuple(Departure(piece) for piece in missing))
        if missing:
            return GiveTurn(side.seats[0])
    return None


def _missing(view: BoardView, side: SideView, true: MatchState) -> Ledger | None:
    """Return the counters to credit a side with; None: it has some that it should not have."""
    memo = memo_of(true.position)
    ledger = memo.ledgers[true.position.sides.index(side.side)]
    counters = tuple(piece for piece in ledger if piece in COUNTERS)
    has_queen = view.red is not RedPlace.BOARD and view.red_side is side.side
    shown = side.pocketed - has_queen
    points = side.board_points - has_queen * memo.terms.worth[Piece.QUEEN]
    if shown > len(counters) or points != worth(memo.terms, counters[:shown]):
        return None
    return counters[shown:]


def has_only_the_queen(true: MatchState) -> bool:
    """Whether the queen is all that the running turn has pocketed, with pieces of any kind."""
    memo, position = memo_of(true.position), true.position
    return memo.ledgers[position.sides.index(position.side)][memo.began :] == (Piece.QUEEN,)


def _of_the_queen(view: BoardView, true: MatchState) -> SetRed | None:
    position = true.position
    if rules_for(view.rules).red is not Piece.QUEEN or view.phase is not Phase.READY:
        return None
    if (view.red, view.red_side) == (position.red, position.red_side):
        return None
    return SetRed(position.red, position.red_side, Piece.QUEEN)
