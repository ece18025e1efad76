"""Points carrom beside the strokes: time, the turn given, and what the referee corrects."""

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
from jackspot.core.pieces import Piece, Side
from jackspot.core.position import Position
from jackspot.core.rules.common import ahead, index_of_turn
from jackspot.core.rules.points.ledger import (
    in_place_order,
    memo_of,
    pass_on,
    totals,
    void_turn,
    with_ledger,
    with_ledgers,
)
from jackspot.core.rules.system import Effect, IllegalDirective
from jackspot.core.ruling import BoardResult, How
from jackspot.core.settings import MatchSettings


def direct(_settings: MatchSettings, position: Position, directive: Directive) -> Effect:
    """Carry a directive out; IllegalDirective if points carrom does not know it."""
    match directive:
        case Say(what):
            return _said(position, what)
        case Resign(seat):
            return _end(position, position.other(position.seat_sides[seat]), How.RESIGN)
        case GiveTurn(seat):
            ended = _turn_ended(position)
            turn = index_of_turn(ended.after, seat)
            return replace(ended, after=pass_on(ended.after, turn))
        case SetRed():
            return Effect(_queen_put(position, directive))
        case SetPocketed(side, count):
            return Effect(_cut(position, side, count))
        case SetOwed():
            raise IllegalDirective("nobody owes anything in points carrom", argument=True)


_BELONGS_TO = {
    Saying.FORGOT: "kagw: nobody owes anything in points carrom",
    Saying.WAIVE: "icf and grundregeln",
    Saying.DEMAND: "icf",
}


def _said(position: Position, what: Saying) -> Effect:
    if what is Saying.PLACED:
        return Effect(position)
    if what is Saying.TIME:
        ended = _turn_ended(position)
        winner = ahead(totals(ended.after))
        return replace(ended, result=BoardResult(winner, How.TIME, totals(ended.after)))
    if what is Saying.DRAW:
        return _end(position, None, How.DRAW)
    raise IllegalDirective(f"'! {what}' belongs to {_BELONGS_TO[what]}")


def _end(position: Position, winner: Side | None, how: How) -> Effect:
    """End the board at the running totals."""
    return Effect(position, result=BoardResult(winner, how, totals(position)))


def _turn_ended(position: Position) -> Effect:
    """Settle the running turn as a pass would: a queen not covered makes it void."""
    if position.red is not RedPlace.PENDING:
        return Effect(position)
    after, back = void_turn(position)
    return Effect(after, in_place_order(back))


def _cut(position: Position, side: Side, count: int) -> Position:
    """Take the last pieces of a side away until so many are left; they lie on the board."""
    memo, index = memo_of(position), position.sides.index(side)
    ledger = memo.ledgers[index]
    if count > len(ledger):
        raise IllegalDirective(
            f"{side} is credited with {len(ledger)} pieces, and pieces can only be taken away; "
            f"found {count}",
            argument=True,
        )
    if Piece.QUEEN in ledger[count:]:
        position = replace(position, red=RedPlace.BOARD, red_side=None)
    if side is position.side:
        memo = replace(memo, began=min(memo.began, count))
    return with_ledgers(position, with_ledger(memo, index, ledger[:count]))


def _queen_put(position: Position, directive: SetRed) -> Position:
    """Move the queen, and its points, to the end of a ledger or back on the board."""
    if directive.red is not Piece.QUEEN or directive.place is RedPlace.POCKETED:
        raise IllegalDirective(
            "expected queen=board, queen=pending:SIDE or queen=covered:SIDE", argument=True
        )
    if directive.place is RedPlace.PENDING and directive.side is not position.side:
        raise IllegalDirective(
            f"only the side in turn can have the queen to cover: pending:{position.side}",
            argument=True,
        )
    memo = memo_of(position)
    for index, side in enumerate(position.sides):
        ledger = memo.ledgers[index]
        if Piece.QUEEN in ledger:
            before_turn = side is position.side and ledger.index(Piece.QUEEN) < memo.began
            memo = replace(memo, began=memo.began - before_turn)
            ledger = tuple(piece for piece in ledger if piece is not Piece.QUEEN)
        if side is directive.side:
            ledger = (*ledger, Piece.QUEEN)
        memo = with_ledger(memo, index, ledger)
    position = replace(position, red=directive.place, red_side=directive.side)
    return with_ledgers(position, memo)
