"""Hikone carom beside the strokes: points so far, time, and what the referee corrects."""

from __future__ import annotations

from collections.abc import Mapping
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
from jackspot.core.pieces import Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import ahead, by_side, index_of_turn, with_count
from jackspot.core.rules.hikone_terms import Memo, memo_of
from jackspot.core.rules.system import Effect, IllegalDirective
from jackspot.core.ruling import BoardResult, How
from jackspot.core.settings import MatchSettings


def pucks_in(position: Position) -> Mapping[Side, int]:
    """Count the points of a board: the pucks pocketed; what is owed is not subtracted."""
    one, two = position.counts
    return by_side(position.sides, one.pocketed, two.pocketed)


def direct(_settings: MatchSettings, position: Position, directive: Directive) -> Effect:
    """Carry a directive out; IllegalDirective if Hikone does not know it."""
    match directive:
        case Say(Saying.PLACED):
            return Effect(position)
        case Say(Saying.TIME):
            return _time_is_over(position)
        case Say(Saying.DRAW):
            return _end(position, None, How.DRAW)
        case Resign(seat):
            return _end(position, position.other(position.seat_sides[seat]), How.RESIGN)
        case GiveTurn(seat):
            memo = memo_of(position)
            return Effect(
                replace(
                    position,
                    turn=index_of_turn(position, seat),
                    strokes_in_turn=0,
                    memo=replace(memo, credit=1, second_chance=True),
                )
            )
        case SetPocketed(side, count):
            if count > position.pieces_each:
                raise IllegalDirective(
                    f"{side} has {position.pieces_each} pucks, not {count}", argument=True
                )
            return _corrected(position, side, Count(count, position.count(side).owed))
        case SetOwed(side, count):
            return _corrected(position, side, Count(position.count(side).pocketed, count))
        case SetRed(RedPlace.BOARD, None):
            return Effect(replace(position, red=RedPlace.BOARD))
        case SetRed():
            raise IllegalDirective("expected jack=board: hikone's jack is covered by nobody")
        case Say(Saying.FORGOT):
            raise IllegalDirective("'! forgot' is for kagw: in hikone owed pucks stay owed")
        case Say(Saying.WAIVE):
            raise IllegalDirective("'! waive' is for icf and grundregeln")
        case _:
            raise IllegalDirective("'! demand' is for icf")


def _end(position: Position, winner: Side | None, how: How) -> Effect:
    """End the board with each side scoring what it has pocketed."""
    return Effect(position, result=BoardResult(winner, how, pucks_in(position)))


def _time_is_over(position: Position) -> Effect:
    """More pucks in wins; level: a draw, or sudden death if that was agreed."""
    memo = memo_of(position)
    points = pucks_in(position)
    winner = ahead(points)
    if winner is None and memo.terms.sudden_death and memo.level_at is None:
        level = position.counts[0].pocketed
        return Effect(replace(position, memo=replace(memo, level_at=level)))
    return _end(position, winner, How.TIME)


def _corrected(position: Position, side: Side, count: Count) -> Effect:
    """Assign a count as it is, and forget the try at the jack of a side not ready by it."""
    memo = memo_of(position)
    return Effect(
        replace(
            position,
            counts=with_count(position, side, count),
            memo=_tried_no_more(memo, position.sides.index(side), count),
        )
    )


def _tried_no_more(memo: Memo, index: int, count: Count) -> Memo:
    if count.owed == 0 and count.pocketed >= memo.terms.handicaps[index].pucks_needed:
        return memo
    first, second = memo.jack_tried
    return replace(memo, jack_tried=(False, second) if index == 0 else (first, False))
