"""The laws beside the strokes: dues that are waived, points demanded, time, corrections.

The German basic rules know all of it but the demand.
"""

from __future__ import annotations

from dataclasses import replace

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
from jackspot.core.rules.common import by_side, index_of_turn
from jackspot.core.rules.own_colours import corrected
from jackspot.core.rules.queen.carrom import has_covered, no_points, queen_put
from jackspot.core.rules.queen.icf_ending import worth
from jackspot.core.rules.queen.icf_terms import memo_of
from jackspot.core.rules.system import Effect, IllegalDirective
from jackspot.core.ruling import BoardResult, How
from jackspot.core.settings import MatchSettings


def direct(_settings: MatchSettings, position: Position, directive: Directive) -> Effect:
    """Carry a directive out; IllegalDirective if the laws do not know it, or not here."""
    match directive:
        case Say(Saying.DEMAND):
            return _demanded(position)
        case Say(what):
            return _said(position, what)
        case Resign(seat):
            return _resigned(position, position.seat_sides[seat])
        case GiveTurn(seat):
            return _turn_given(position, seat)
        case SetRed():
            return Effect(queen_put(position, directive))
        case SetPocketed() | SetOwed():
            return _corrected(position, directive)


def _said(position: Position, what: Saying) -> Effect:
    if what is Saying.PLACED:
        return Effect(position)
    if what is Saying.TIME:
        return _time_is_over(position)
    if what is Saying.DRAW:
        return Effect(position, result=BoardResult(None, How.DRAW, no_points(position)))
    if what is Saying.WAIVE:
        return _waived(position)
    raise IllegalDirective(f"'! {what}' belongs to kagw: here what is due is taken out or waived")


def _demanded(position: Position) -> Effect:
    """Add what is "awarded if demanded by the opponent" (75 to 85), once, up to 12 (28)."""
    memo = memo_of(position)
    ended = memo.ended
    if ended is None or not memo.extra:
        raise IllegalDirective(
            "'! demand' comes once, right after a board that was lost with the striker or by an "
            "improper stroke (laws 75 to 85)"
        )
    first, second = (
        worth(memo.terms, ended.points[side] + memo.extra) if side is ended.winner else 0
        for side in position.sides
    )
    result = replace(ended, points=by_side(position.sides, first, second))
    return Effect(replace(position, memo=replace(memo, extra=0)), result=result)


def _waived(position: Position) -> Effect:
    """Law 60: "A player may choose to forego the Due and/or penalty C/m in toto only".

    What the last stroke took out for dues stays in, and nothing is outstanding any more,
    on both sides. The queen and pieces that flew off are no dues. A side that has all in by
    it, the queen covered by whomever, has won.
    """
    memo = memo_of(position)
    if not any(memo.paid) and not any(count.owed for count in position.counts):
        raise IllegalDirective("nothing is due: there is nothing to waive")
    first, second = (
        Count(count.pocketed + paid) for count, paid in zip(position.counts, memo.paid, strict=True)
    )
    after = replace(position, counts=(first, second), memo=replace(memo, paid=(0, 0)))
    for _, side in sorted(zip(memo.paid, after.sides, strict=True), reverse=True):
        if after.red is RedPlace.COVERED and not after.left(side):
            points = after.left(after.other(side)) + _queen_of(after, side)
            return _ended(after, side, How.PIECES, points)
    return Effect(after)


def _queen_of(position: Position, side: Side) -> int:
    """Return what the queen counts for a side that has covered it."""
    if not has_covered(position, side):
        return 0
    return memo_of(position).terms.queen_for[position.sides.index(side)]


def _ended(
    position: Position, winner: Side, how: How, points: int, place: tuple[Piece, ...] = ()
) -> Effect:
    points = worth(memo_of(position).terms, points)
    first, second = (points * (winner is side) for side in position.sides)
    return Effect(position, place, BoardResult(winner, how, by_side(position.sides, first, second)))


def _resigned(position: Position, side: Side) -> Effect:
    """Return a board up: the own pieces left, and the queen unless the own side covered it.

    So the laws count a board that is lost for leaving the seat (64) or for shooting out of
    turn (24).
    """
    winner = position.other(side)
    queen = memo_of(position).terms.queen_for[position.sides.index(winner)]
    points = position.left(side) + (0 if has_covered(position, side) else queen)
    return _ended(position, winner, How.RESIGN, points)


def _turn_ended(position: Position) -> tuple[Position, tuple[Piece, ...]]:
    """End the running turn as a pass would: a queen that is not covered goes back."""
    memo = replace(memo_of(position), missed=0)
    after = replace(position, strokes_in_turn=0, memo=memo)
    if position.red is not RedPlace.PENDING:
        return after, ()
    return replace(after, red=RedPlace.BOARD, red_side=None), (Piece.QUEEN,)


def _turn_given(position: Position, seat: Seat) -> Effect:
    """Begin a fresh turn of a seat; the order goes on from there."""
    after, place = _turn_ended(position)
    return Effect(replace(after, turn=index_of_turn(position, seat)), place)


def _time_is_over(position: Position) -> Effect:
    """Fewer own pieces left wins by the difference, and by the queen if it was covered."""
    after, place = _turn_ended(position)
    one, two = (after.left(side) for side in after.sides)
    if one == two:
        return Effect(after, place, BoardResult(None, How.TIME, no_points(after)))
    winner = after.sides[one > two]
    return _ended(after, winner, How.TIME, abs(one - two) + _queen_of(after, winner), place)


def _corrected(position: Position, directive: SetPocketed | SetOwed) -> Effect:
    """Assign a count as it is; what a side had taken out is then told by it, too."""
    after = corrected(position, directive, "pieces")
    if isinstance(directive, SetOwed):
        return Effect(after)
    memo, at = memo_of(position), position.sides.index(directive.side)
    ever, paid = list(memo.ever), list(memo.paid)
    ever[at] = ever[at] or directive.count > 0
    paid[at] = 0
    known = replace(memo, ever=(ever[0], ever[1]), paid=(paid[0], paid[1]))
    return Effect(replace(after, memo=known))
