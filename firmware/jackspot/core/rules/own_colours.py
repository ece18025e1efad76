"""What systems share in which each side has its own colour, with a jack or with a queen.

This covers what fell, as seen from the shooter's side; payment; the position after a stroke; what
is on the board; and a count that the referee corrects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from jackspot.core.directives import RedPlace, SetOwed, SetPocketed
from jackspot.core.pieces import Piece, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.system import IllegalDirective
from jackspot.core.ruling import IllegalStroke
from jackspot.core.stroke import Stroke
from jackspot.values import changed

T = TypeVar("T")


class Fell(NamedTuple):
    """What left the board in one stroke; ``off``: it flew off. ``red``: the jack or queen."""

    own: int = 0
    opp: int = 0
    red: int = 0
    striker: int = 0
    own_off: int = 0
    opp_off: int = 0
    red_off: int = 0
    striker_off: int = 0

    @property
    def any_off(self) -> bool:
        """Whether the striker or any other piece flew off the board."""
        return bool(self.own_off or self.opp_off or self.red_off or self.striker_off)


NOTHING = Fell()


def count_fallen(
    position: Position,
    me: int,
    stroke: Stroke,
    red: Piece,
    too_many: Callable[[Position, Piece, int, int], IllegalStroke],
    strikers: int = 1,
) -> Fell:
    """Count what fell in a stroke of side ``me``; IllegalStroke if it was not on the board."""
    if not stroke.departures:
        return NOTHING
    kinds = (position.sides[me].piece, position.sides[1 - me].piece, red, Piece.STRIKER)
    left = (
        position.pieces_each - position.counts[me].pocketed,
        position.pieces_each - position.counts[1 - me].pocketed,
        int(position.red is RedPlace.BOARD),
        strikers,
    )
    gone = [0] * 8
    for index, departure in enumerate(stroke.departures):
        if departure.piece not in kinds:
            where = "beside a jack" if red is Piece.JACK else "in carrom"
            raise IllegalStroke(f"there is no {departure.piece} {where}", departure=index)
        kind = kinds.index(departure.piece)
        gone[kind + 4 * departure.flew_off] += 1
        if gone[kind] + gone[kind + 4] > left[kind]:
            raise too_many(position, departure.piece, left[kind], index)
    return Fell(*gone)


def by_order(me: int, mine: T, others: T) -> tuple[T, T]:
    """Return the shooter's value and the opponent's in the order of the sides."""
    return (mine, others) if me == 0 else (others, mine)


def take_in(count: Count, pocketed: int) -> Count:
    """Return a count with more pieces pocketed."""
    return Count(count.pocketed + pocketed, count.owed) if pocketed else count


def pay(count: Count, due: int = 0) -> tuple[Count, int]:
    """Pay what was owed and is due now, as far as there are pieces; return how many were paid."""
    owed = count.owed + due
    if not owed:
        return count, 0
    paid = min(owed, count.pocketed)
    return Count(count.pocketed - paid, owed - paid), paid


def after_stroke(
    position: Position,
    counts: tuple[Count, Count],
    memo: object,
    *,
    passes_to: int | None = None,
    red: RedPlace = RedPlace.BOARD,
    red_side: Side | None = None,
) -> Position:
    """Return the position after a stroke.

    ``passes_to`` is the index in the order of the turn that begins; None if the turn goes on or the
    board has ended.
    """
    return Position(
        order=position.order,
        turn=position.turn if passes_to is None else passes_to,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=counts,
        pieces_each=position.pieces_each,
        red=red,
        red_side=red_side,
        strokes_in_turn=position.strokes_in_turn + 1 if passes_to is None else 0,
        memo=memo,
    )


def on_board(red: Piece, position: Position) -> Mapping[Piece, int]:
    """Count what is on the board."""
    left = {side.piece: position.left(side) for side in position.sides}
    return MappingProxyType(left | {red: int(position.red is RedPlace.BOARD)})


def own(position: Position) -> frozenset[Piece]:
    """Return the shooter's colour."""
    return frozenset((position.side.piece,))


def corrected(position: Position, directive: SetPocketed | SetOwed, pieces: str) -> Position:
    """Assign a count; nothing is paid and nobody wins by it. Raises IllegalDirective."""
    side, before = directive.side, position.count(directive.side)
    if isinstance(directive, SetOwed):
        count = Count(before.pocketed, directive.count)
    elif directive.count <= position.pieces_each:
        count = Count(directive.count, before.owed)
    else:
        raise IllegalDirective(
            f"{side} has {position.pieces_each} {pieces}, not {directive.count}", argument=True
        )
    me = position.sides.index(side)
    return changed(position, counts=by_order(me, count, position.counts[1 - me]))
