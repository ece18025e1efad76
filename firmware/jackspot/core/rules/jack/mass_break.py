"""The mass break: an old local rule by which all players break at once on a shout (LR-1)."""

from __future__ import annotations

from jackspot.core.pieces import Piece
from jackspot.core.position import Count, Position
from jackspot.core.rules.jack.stroke import too_many
from jackspot.core.rules.jack.terms import JackMemo, memo_of
from jackspot.core.ruling import IllegalStroke, Ruling
from jackspot.core.stroke import Stroke


def mass_break(position: Position, stroke: Stroke) -> Ruling:
    """Rule on the first line of a board: pucks count for their colours, no fault is made.

    What a side owes already, by the referee's word, is paid as after every stroke.
    """
    memo = memo_of(position)
    if stroke.flags or stroke.called:
        flag = min(stroke.flags) if stroke.flags else "call"
        raise IllegalStroke(f"no '{flag}' in a mass break: it has no fouls", flag=flag)
    strikers = len(set(position.order))
    first, second = (side.piece for side in position.sides)
    left = {
        first: position.left(position.sides[0]),
        second: position.left(position.sides[1]),
        Piece.JACK: 1,
        Piece.STRIKER: strikers,
    }
    gone = dict.fromkeys(left, 0)
    for index, departure in enumerate(stroke.departures):
        if departure.piece not in left:
            raise IllegalStroke(f"there is no {departure.piece} beside a jack", departure=index)
        gone[departure.piece] += 1
        if gone[departure.piece] > left[departure.piece]:
            raise too_many(departure.piece, left[departure.piece], index)
    me = position.sides.index(position.side)
    own, opponents = position.sides[me].piece, position.sides[1 - me].piece
    ones, twos = position.counts
    ones_in, twos_in = (
        ones.pocketed + stroke.pocketed(first),
        twos.pocketed + stroke.pocketed(second),
    )
    paid = (min(ones.owed, ones_in), min(twos.owed, twos_in))
    place = (
        (opponents,) * (stroke.flown(opponents) + paid[1 - me])
        + (own,) * (stroke.flown(own) + paid[me])
        + (Piece.JACK,) * gone[Piece.JACK]
    )
    after = Position(
        order=position.order,
        turn=position.turn,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(
            Count(ones_in - paid[0], ones.owed - paid[0]),
            Count(twos_in - paid[1], twos.owed - paid[1]),
        ),
        pieces_each=position.pieces_each,
        memo=JackMemo(memo.terms, broken=True, level_at=memo.level_at),
    )
    return Ruling(rows=("LR-1",), after=after, foul=False, keeps_turn=True, place=place, paid=paid)
