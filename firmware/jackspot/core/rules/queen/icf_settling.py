"""After the laws have spoken: dues are taken out on both sides, the queen, the next stroke.

A :class:`IcfVerdict` says what becomes of a stroke; here it turns into the ruling. Law 51:
"Due or penalty C/m shall be taken out for placing immediately after being available"; 56:
what cannot be paid at once stays outstanding.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from jackspot.core.directives import RedPlace
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import by_side
from jackspot.core.rules.queen.carrom import put_back
from jackspot.core.rules.queen.icf_ending import Ending, worth
from jackspot.core.rules.queen.icf_stroke import IcfCase
from jackspot.core.rules.queen.icf_terms import IcfMemo, memo_of
from jackspot.core.ruling import BoardResult, How, Ruling


@dataclass(slots=True)
class IcfVerdict:
    """What becomes of one stroke, filled in while the rules are gone through.

    ``queen``: where it is after the stroke; ``queen_back``: it is placed again. ``due``:
    pieces that the shooter owes for the stroke, those pocketed with the striker included.
    """

    queen: RedPlace = RedPlace.BOARD
    queen_back: bool = False
    due: int = 0
    foul: bool = False
    keeps: bool = False
    technical: bool = False
    because: list[str] = field(default_factory=list)

    def take_queen_out(self) -> None:
        """Put the queen back in the centre."""
        self.queen, self.queen_back = RedPlace.BOARD, True


def settle(position: Position, case: IcfCase, verdict: IcfVerdict, row: str) -> Ruling:
    """Take out what is due on both sides, and say who shoots next."""
    fell, me = case.fell, case.me
    other = position.counts[1 - me]
    mine, theirs = case.before.pocketed + fell.own, other.pocketed + fell.opp
    owed = case.before.owed + verdict.due
    pays, opponent_pays = min(owed, mine), min(other.owed, theirs)
    count, opponent_count = (
        Count(mine - pays, owed - pays),
        Count(theirs - opponent_pays, other.owed - opponent_pays),
    )
    paid = (pays, opponent_pays) if me == 0 else (opponent_pays, pays)
    keeps, has_queen = verdict.keeps, verdict.queen is not RedPlace.BOARD
    whose = position.red_side if case.covered else position.side
    after = Position(
        order=position.order,
        turn=position.turn if keeps else position.following,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(count, opponent_count) if me == 0 else (opponent_count, count),
        pieces_each=position.pieces_each,
        red=verdict.queen,
        red_side=whose if has_queen else None,
        strokes_in_turn=_strokes(position, verdict),
        memo=_remembered(memo_of(position), case, verdict, paid),
    )
    rows = (row, *verdict.because)
    result = _waited_for_queen(case, verdict, after)
    if result is not None:
        return Ruling(rows, after, foul=False, keeps_turn=False, result=result)
    queens = int(verdict.queen_back or fell.queen_off)
    return Ruling(
        rows=rows,
        after=after,
        foul=verdict.foul,
        keeps_turn=keeps,
        place=put_back(position, queens, fell.own_off + pays, fell.opp_off + opponent_pays),
        paid=paid,
    )


def _waited_for_queen(case: IcfCase, verdict: IcfVerdict, after: Position) -> BoardResult | None:
    """End the board for an opponent who had all in and only waited for the queen.

    Waived dues (law 60) leave a side there, as does a count that the referee corrects: "Solange
    der rote Stein im Spiel ist, kann nicht gewonnen werden", and no longer.
    """
    other = after.sides[1 - case.me]
    covers = verdict.queen is RedPlace.COVERED and not case.covered
    if not covers or after.left(other):
        return None
    points = worth(case.terms, after.left(after.sides[case.me]))
    first, second = (points * (each is other) for each in after.sides)
    return BoardResult(other, How.PIECES, by_side(after.sides, first, second))


def _strokes(position: Position, verdict: IcfVerdict) -> int:
    """Count the strokes of the turn; what happens before the first is none."""
    if not verdict.keeps:
        return 0
    return position.strokes_in_turn + (not verdict.technical)


def _ever(memo: IcfMemo, case: IcfCase) -> tuple[bool, bool]:
    """Remember which sides have ever had a piece pocketed."""
    fell = case.fell
    first, second = (fell.own, fell.opp) if case.me == 0 else (fell.opp, fell.own)
    return (memo.ever[0] or first > 0, memo.ever[1] or second > 0)


def _remembered(
    memo: IcfMemo, case: IcfCase, verdict: IcfVerdict, paid: tuple[int, int]
) -> IcfMemo:
    return IcfMemo(
        terms=memo.terms,
        ever=_ever(memo, case),
        broken=memo.broken or not (case.missed or verdict.technical),
        missed=case.missed if verdict.keeps else 0,
        paid=paid,
    )


def settle_end(position: Position, case: IcfCase, end: Ending, row: str) -> Ruling:
    """Return the ruling of a stroke that ended the board: nothing is taken out or placed.

    Dues are "automatically written off" (28). A losing stroke leaves the queen as it was.
    """
    fell, me = case.fell, case.me
    side, other = position.side, position.counts[1 - me]
    winner = side if end.won else position.other(side)
    first, second = (end.points * (winner is each) for each in position.sides)
    result = BoardResult(winner, end.how, by_side(position.sides, first, second))
    count = Count(case.before.pocketed + fell.own, case.before.owed)
    opponent_count = Count(other.pocketed + fell.opp, other.owed)
    covers = end.won and case.being_covered
    memo = memo_of(position)
    after = Position(
        order=position.order,
        turn=position.turn,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(count, opponent_count) if me == 0 else (opponent_count, count),
        pieces_each=position.pieces_each,
        red=RedPlace.COVERED if covers else position.red,
        red_side=side if covers else position.red_side,
        strokes_in_turn=position.strokes_in_turn + 1,
        memo=IcfMemo(memo.terms, _ever(memo, case), broken=True, ended=result, extra=end.extra),
    )
    return Ruling((row,), after, foul=end.foul, keeps_turn=False, result=result)
