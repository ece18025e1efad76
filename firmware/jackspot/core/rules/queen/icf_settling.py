"""Settle a stroke by the laws: the end of the board, or dues and who shoots next.

How a board ends depends on four things: whose last piece fell, what became of the queen, whether
the striker fell too, and whether the stroke was proper (laws 25 to 28, 75 to 85). The German basic
rules count the same where they speak, and follow the laws where they are silent.

Law 51: "Due or penalty C/m shall be taken out for placing immediately after being available";
56: what cannot be paid at once stays outstanding.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.core.directives import RedPlace
from jackspot.core.position import Position
from jackspot.core.rules.own_colours import after_stroke, by_order, pay, take_in
from jackspot.core.rules.queen.carrom import points_for, put_back
from jackspot.core.rules.queen.icf_terms import IcfCase, IcfMemo, last_stays_in
from jackspot.core.rules.queen.stroke import QueenVerdict, after_verdict, counted
from jackspot.core.ruling import BoardResult, How, Ruling
from jackspot.values import changed


class Ending(Struct, frozen=True):
    """The end of a board by a stroke.

    ``won``: by the shooter, otherwise by the opponent. ``foul``: the stroke was a foul. ``extra``:
    the points that the opponent may also demand.
    """

    won: bool
    points: int
    how: How
    foul: bool
    extra: int = 0


def ending(case: IcfCase) -> Ending | None:
    """Return how the stroke ends the board; None if it goes on."""
    if case.opponent_last:
        if case.covered:
            return _opponent_last_and_covered(case)
        return _opponent_last_and_not_covered(case)
    if not last_stays_in(case):
        return None
    if not (case.covered or case.being_covered):
        return _lost(case, _queen_left_for_opponent(case))  # 80, 81: "leaving the Queen on the C/B"
    if case.fell.striker or case.improper:
        return None  # 46, 50: the piece comes out again
    queen = _queen_for_me(case) if case.mine or case.being_covered else 0
    return _won(case, case.opponent_left + queen)  # 25, 26, 70a


def _opponent_last_and_covered(case: IcfCase) -> Ending:
    fouled = bool(case.fell.striker or case.improper)
    if not last_stays_in(case):  # the opponent "completes pocketing all his C/m first" (25a)
        points = case.left + (0 if case.mine else _queen_for_opponent(case))
        return Ending(False, case.memo.terms.worth(points), How.PIECES, fouled)
    if fouled:  # 83, 85
        return _lost(case, 0 if case.mine else _queen_for_opponent(case))
    return _won(case, _queen_for_me(case) if case.mine else 0)


def _opponent_last_and_not_covered(case: IcfCase) -> Ending:
    if not last_stays_in(case):  # 76, 79, 84: "by the number of his C/m" and the Queen
        return _lost(case, case.left + _queen_for_opponent(case))
    if case.being_covered and not (case.fell.striker or case.improper):  # 75a, 77a
        return _won(case, _queen_for_me(case))
    if case.being_covered:  # 75b, 77b, 82
        return _lost(case, _queen_for_opponent(case))
    return _lost(case, _queen_left_for_opponent(case))  # 78


def _won(case: IcfCase, points: int) -> Ending:
    return Ending(True, case.memo.terms.worth(points), How.PIECES, foul=False)


def _lost(case: IcfCase, points: int) -> Ending:
    """Lose by the stroke; one more "if demanded" for the striker, and for an improper stroke."""
    extra = case.fell.striker + case.improper
    return Ending(False, case.memo.terms.worth(points), How.FOUL, foul=True, extra=extra)


def _queen_for_me(case: IcfCase) -> int:
    return case.memo.terms.queen_for[case.me]


def _queen_for_opponent(case: IcfCase) -> int:
    return case.memo.terms.queen_for[1 - case.me]


def _queen_left_for_opponent(case: IcfCase) -> int:
    return case.memo.terms.queen_left_for[1 - case.me]


def settle_end(position: Position, case: IcfCase, end: Ending, row: str) -> Ruling:
    """Return the ruling of a stroke that ended the board: nothing is taken out or placed.

    Dues are "automatically written off" (28). A losing stroke leaves the queen as it was.
    """
    fell, me, memo = case.fell, case.me, case.memo
    side = position.side
    winner = side if end.won else position.other(side)
    result = BoardResult(winner, end.how, points_for(position, winner, end.points))
    mine, theirs = take_in(case.before, fell.own), take_in(position.counts[1 - me], fell.opp)
    covers = end.won and case.being_covered
    after = after_stroke(
        position,
        by_order(me, mine, theirs),
        IcfMemo(memo.terms, _ever(case), broken=True, ended=result, extra=end.extra),
        red=RedPlace.COVERED if covers else position.red,
        red_side=side if covers else position.red_side,
    )
    return Ruling((row,), after, foul=end.foul, keeps_turn=False, result=result)


def settle(
    position: Position, case: IcfCase, verdict: QueenVerdict, row: str, *, technical: bool = False
) -> Ruling:
    """Take out what is due on both sides, and return who shoots next.

    A technical foul is neither a stroke of the turn nor a break.
    """
    me, memo = case.me, case.memo
    mine, theirs = counted(position, case, verdict)
    (mine, pays), (theirs, opponent_pays) = pay(mine, verdict.due), pay(theirs)
    paid = by_order(me, pays, opponent_pays)
    keeps = verdict.keeps
    remembered = IcfMemo(
        terms=memo.terms,
        ever=_ever(case),
        broken=memo.broken or not (case.missed or technical),
        missed=case.missed if keeps else 0,
        paid=paid,
    )
    counts = by_order(me, mine, theirs)
    passes_to = None if keeps else position.following
    after = after_verdict(position, case, verdict, counts, remembered, passes_to=passes_to)
    if technical:
        after = changed(after, strokes_in_turn=position.strokes_in_turn)
    rows = (row, *verdict.because)
    result = _waited_for_queen(case, verdict, after)
    if result is not None:
        return Ruling(rows, after, foul=False, keeps_turn=False, result=result)
    queens, own_back = int(verdict.queen_back), verdict.own_back + pays
    return Ruling(
        rows=rows,
        after=after,
        foul=verdict.foul,
        keeps_turn=keeps,
        place=put_back(position, queens, own_back, verdict.opp_back + opponent_pays),
        paid=paid,
    )


def _waited_for_queen(case: IcfCase, verdict: QueenVerdict, after: Position) -> BoardResult | None:
    """End the board for an opponent who had all pieces in and only waited for the queen.

    Waived dues (law 60) can leave a side in that state, as can a count that the referee corrects:
    "Solange der rote Stein im Spiel ist, kann nicht gewonnen werden", and no longer.
    """
    other = after.sides[1 - case.me]
    covers = verdict.queen is RedPlace.COVERED and not case.covered
    if not covers or after.left(other):
        return None
    points = case.memo.terms.worth(after.left(after.sides[case.me]))
    return BoardResult(other, How.PIECES, points_for(after, other, points))


def _ever(case: IcfCase) -> tuple[bool, bool]:
    """Remember which sides have ever had a piece pocketed."""
    first, second = by_order(case.me, case.fell.own > 0, case.fell.opp > 0)
    return (case.memo.ever[0] or first, case.memo.ever[1] or second)
