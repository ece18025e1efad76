"""Carom with a jack beside the strokes: points so far, time, and what the referee corrects.

The same in ``hikone`` and ``japan``.
"""

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
from jackspot.core.rules.common import ahead, by_side, index_of_turn, with_count
from jackspot.core.rules.jack.terms import JackMemo, memo_of
from jackspot.core.rules.system import Effect, IllegalDirective
from jackspot.core.ruling import BoardResult, How
from jackspot.core.settings import MatchSettings


def pucks_in(position: Position) -> Mapping[Side, int]:
    """Count the points of a board: the pucks pocketed; what is owed is not subtracted."""
    one, two = position.counts
    return by_side(position.sides, one.pocketed, two.pocketed)


def on_board(position: Position) -> Mapping[Piece, int]:
    """Count what lies on the board; the jack leaves it for good only when it wins."""
    left = {side.piece: position.left(side) for side in position.sides}
    return MappingProxyType(left | {Piece.JACK: int(position.red is RedPlace.BOARD)})


def own(position: Position) -> frozenset[Piece]:
    """Return the colour that is the shooter's."""
    return frozenset((position.side.piece,))


def direct(_settings: MatchSettings, position: Position, directive: Directive) -> Effect:
    """Carry a directive out; IllegalDirective if there is no such thing with a jack."""
    match directive:
        case Say(what):
            return _said(position, what)
        case Resign(seat):
            return _end(position, position.other(position.seat_sides[seat]), How.RESIGN)
        case GiveTurn(seat):
            return _turn_given(position, seat)
        case SetRed():
            if directive != SetRed(RedPlace.BOARD):
                raise IllegalDirective("expected jack=board: nobody covers a jack", argument=True)
            return Effect(position)
        case SetPocketed() | SetOwed():
            return _corrected(position, directive)


_BELONGS_TO = {
    Saying.FORGOT: "kagw: with a jack what is owed stays owed",
    Saying.WAIVE: "icf and grundregeln",
    Saying.DEMAND: "icf",
}


def _said(position: Position, what: Saying) -> Effect:
    if what is Saying.PLACED:
        return Effect(position)
    if what is Saying.TIME:
        return _time_is_over(position)
    if what is Saying.DRAW:
        return _end(position, None, How.DRAW)
    raise IllegalDirective(f"'! {what}' belongs to {_BELONGS_TO[what]}")


def _turn_given(position: Position, seat: Seat) -> Effect:
    """Begin a fresh turn of a seat; the order goes on from there."""
    memo = replace(memo_of(position), credit=1, second_chance=True)
    turn = index_of_turn(position, seat)
    return Effect(replace(position, turn=turn, strokes_in_turn=0, memo=memo))


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


def _corrected(position: Position, directive: SetPocketed | SetOwed) -> Effect:
    """Assign a count as it is, and forget the try at the jack of a side not ready by it."""
    side, before = directive.side, position.count(directive.side)
    if isinstance(directive, SetOwed):
        count = Count(before.pocketed, directive.count)
    elif directive.count <= position.pieces_each:
        count = Count(directive.count, before.owed)
    else:
        raise IllegalDirective(
            f"{side} has {position.pieces_each} pucks, not {directive.count}", argument=True
        )
    memo = _still_tried(memo_of(position), position.sides.index(side), count)
    return Effect(replace(position, counts=with_count(position, side, count), memo=memo))


def _still_tried(memo: JackMemo, index: int, count: Count) -> JackMemo:
    if count.owed == 0 and count.pocketed >= memo.terms.handicaps[index].pucks_needed:
        return memo
    first, second = memo.jack_tried
    return replace(memo, jack_tried=(False, second) if index == 0 else (first, False))
