"""KAGW carroms beside the strokes: points, time, and what the referee corrects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from jackspot.core.directives import (
    Directive,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import index_of_turn
from jackspot.core.rules.own_colours import corrected
from jackspot.core.rules.queen.carrom import has_covered, no_points, put_back, queen_put
from jackspot.core.rules.queen.kagw_settling import TurnEnd, end_turn
from jackspot.core.rules.queen.kagw_terms import memo_of
from jackspot.core.rules.system import Effect, IllegalDirective
from jackspot.core.ruling import BoardResult, How
from jackspot.core.settings import MatchSettings


def board_points(position: Position, winner: Side) -> Mapping[Side, int]:
    """Count a board: "1 point for each opponent's piece left on the board", and the queen."""
    return _points_for(position, winner, position.left(position.other(winner)))


def _points_for(position: Position, winner: Side, pieces: int) -> Mapping[Side, int]:
    """Add the bonus: "If the winner has also covered the Queen, a bonus 5 point is scored"."""
    queen = memo_of(position).terms.queen_points if has_covered(position, winner) else 0
    return MappingProxyType({side: (pieces + queen) * (side is winner) for side in position.sides})


def direct(_settings: MatchSettings, position: Position, directive: Directive) -> Effect:
    """Carry a directive out; IllegalDirective if KAGW does not know it, or not here."""
    if directive == Say(Saying.FORGOT):
        return _forgotten(position)
    position = _nothing_to_forget(position)
    match directive:
        case Say(what):
            return _said(position, what)
        case Resign(seat):
            winner = position.other(position.seat_sides[seat])
            points = board_points(position, winner)
            return Effect(position, result=BoardResult(winner, How.RESIGN, points))
        case GiveTurn(seat):
            return _turn_given(position, seat)
        case SetRed():
            return Effect(queen_put(position, directive))
        case SetPocketed() | SetOwed():
            return Effect(corrected(position, directive, "pieces"))


_BELONGS_TO = {
    Saying.WAIVE: "icf and grundregeln: in kagw the opponent may only forget",
    Saying.DEMAND: "icf",
}


def _said(position: Position, what: Saying) -> Effect:
    if what is Saying.PLACED:
        return Effect(position)
    if what is Saying.TIME:
        return _time_is_over(position)
    if what is Saying.DRAW:
        return Effect(position, result=BoardResult(None, How.DRAW, no_points(position)))
    raise IllegalDirective(f"'! {what}' belongs to {_BELONGS_TO[what]}")


def _nothing_to_forget(position: Position) -> Position:
    """Close the moment in which something could have been forgotten: it is the very next entry."""
    memo = memo_of(position)
    return replace(position, memo=replace(memo, late=(0, 0))) if any(memo.late) else position


def _forgotten(position: Position) -> Effect:
    """KG-30: "Should the opponent forget to do this ... any owed penalties are lost".

    The pieces that were to pay old debts stay in, and nothing is owed any more. A side that
    has all in with it, the queen covered by whomever, has won.
    """
    memo = memo_of(position)
    if not any(memo.late):
        raise IllegalDirective(
            "'! forgot' comes right after the stroke that ended a turn and paid an old debt"
        )
    counts = [
        Count(count.pocketed + late, 0) if late else count
        for count, late in zip(position.counts, memo.late, strict=True)
    ]
    after = replace(_nothing_to_forget(position), counts=(counts[0], counts[1]))
    if after.red is RedPlace.COVERED:
        for side, late in zip(after.sides, memo.late, strict=True):
            if late and not after.left(side):
                points = board_points(after, side)
                return Effect(after, result=BoardResult(side, How.PIECES, points))
    return Effect(after)


def _turn_given(position: Position, seat: Seat) -> Effect:
    """End the running turn as a pass would, and begin a fresh one of a seat."""
    end = end_turn(position, index_of_turn(position, seat))
    return Effect(end.after, _place(position, end))


def _time_is_over(position: Position) -> Effect:
    """Settle as if the turn passed; fewer own pieces left wins by the difference."""
    end = end_turn(position, position.turn)
    one, two = (end.after.left(side) for side in end.after.sides)
    if one == two:
        result = BoardResult(None, How.TIME, no_points(end.after))
    else:
        winner = end.after.sides[one > two]
        result = BoardResult(winner, How.TIME, _points_for(end.after, winner, abs(one - two)))
    return Effect(end.after, _place(position, end), result)


def _place(position: Position, end: TurnEnd) -> tuple[Piece, ...]:
    """List what the end of a turn sends back."""
    me = position.sides.index(position.side)
    return put_back(position, int(end.queen), end.paid[me], end.paid[1 - me])
