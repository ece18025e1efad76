"""The end of a KAGW turn: the penalty, the queen that nobody covered, and what is owed.

"If a penalty is owed, when a piece becomes available due to being pocketed, the piece is
returned to the center by the opponent at the end of the turn." So nothing is paid while a
turn goes on, and both sides pay when it ends: the shooter may have pocketed a piece of an
opponent who owes.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackspot.core.directives import RedPlace
from jackspot.core.position import Count, Position
from jackspot.core.rules.queen.kagw_terms import KagwMemo, memo_of


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """A turn that was settled.

    ``after`` has everything paid and the turn given on. ``queen`` tells whether the queen
    goes back; ``paid``, in the order of the sides, how many pieces each gives back.
    """

    after: Position
    queen: bool
    paid: tuple[int, int]


def end_turn(
    position: Position, turn: int, penalty: int = 0, *, by_stroke: bool = False
) -> TurnEnd:
    """End the turn of the seat to shoot, and begin the turn with this index in the order.

    A fresh ``penalty`` of the shooter's side is paid first, then what both sides owe. Where
    a stroke ended the turn, what was paid for old debts can still be forgotten.
    """
    one, two = position.counts
    shooter_is_first = position.side is position.sides[0]
    one, fresh_one, late_one = _pay(one, penalty if shooter_is_first else 0)
    two, fresh_two, late_two = _pay(two, 0 if shooter_is_first else penalty)
    covered = position.red is RedPlace.COVERED
    after = Position(
        order=position.order,
        turn=turn,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(one, two),
        pieces_each=position.pieces_each,
        red=RedPlace.COVERED if covered else RedPlace.BOARD,
        red_side=position.red_side if covered else None,
        memo=_remembered(memo_of(position), (late_one, late_two) if by_stroke else (0, 0)),
    )
    back = position.red in (RedPlace.POCKETED, RedPlace.PENDING)
    return TurnEnd(after, back, (fresh_one + late_one, fresh_two + late_two))


def _pay(before: Count, penalty: int) -> tuple[Count, int, int]:
    """Pay as far as pieces are there; give the count, and what was paid of fresh and of old."""
    if not before.owed and not penalty:
        return before, 0, 0
    fresh = min(penalty, before.pocketed)
    late = min(before.owed, before.pocketed - fresh)
    owed = before.owed + penalty - fresh - late
    return Count(before.pocketed - fresh - late, owed), fresh, late


def _remembered(memo: KagwMemo, late: tuple[int, int]) -> KagwMemo:
    """Start anew with the attempts at the break, and with what the turn pocketed."""
    if not (memo.misses or memo.own_in_turn) and memo.late == late:
        return memo
    return KagwMemo(memo.terms, memo.broken, late=late)
