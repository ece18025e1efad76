"""The end of a KAGW turn: the penalty, the queen that nobody covered, and what is owed.

"If a penalty is owed, when a piece becomes available due to being pocketed, the piece is
returned to the center by the opponent at the end of the turn." So nothing is paid while a
turn goes on, and both sides pay when it ends: the shooter may have pocketed a piece of an
opponent who owes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece
from jackspot.core.position import Count, Position
from jackspot.core.rules.carrom import put_back
from jackspot.core.rules.kagw_terms import Memo, memo_of


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """A turn that was settled.

    ``after`` has everything paid, and still the seat whose turn it was. ``queen`` tells
    whether the queen goes back. ``paid`` and ``late`` are in the order of the sides: the
    pieces that each gives back, and how many of them are for debts older than the stroke.
    """

    after: Position
    queen: bool
    paid: tuple[int, int]
    late: tuple[int, int]

    @property
    def place(self) -> tuple[Piece, ...]:
        """What goes back: the queen, the shooter's pieces, the other's."""
        return put_back(self.after, int(self.queen), *self._paid_by_shooter())

    def _paid_by_shooter(self) -> tuple[int, int]:
        one, two = self.paid
        return (one, two) if self.after.side is self.after.sides[0] else (two, one)


def end_turn(position: Position, penalty: int = 0) -> TurnEnd:
    """End the turn of the seat to shoot; a fresh ``penalty`` of its side is paid first."""
    me = position.sides.index(position.side)
    counts, paid, late = [], [], []
    for index, before in enumerate(position.counts):
        due = penalty if index == me else 0
        fresh = min(due, before.pocketed)
        old = min(before.owed, before.pocketed - fresh)
        counts.append(Count(before.pocketed - fresh - old, before.owed + due - fresh - old))
        paid.append(fresh + old)
        late.append(old)
    covered = position.red is RedPlace.COVERED
    after = replace(
        position,
        counts=(counts[0], counts[1]),
        red=RedPlace.COVERED if covered else RedPlace.BOARD,
        red_side=position.red_side if covered else None,
        strokes_in_turn=0,
        memo=_fresh(memo_of(position)),
    )
    back = position.red in (RedPlace.POCKETED, RedPlace.PENDING)
    return TurnEnd(after, back, (paid[0], paid[1]), (late[0], late[1]))


def _fresh(memo: Memo) -> Memo:
    """Start anew with the attempts at the break; nothing can be forgotten yet."""
    if not memo.misses and not any(memo.late):
        return memo
    return replace(memo, misses=0, late=(0, 0))
