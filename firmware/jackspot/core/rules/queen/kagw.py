"""KAGW carroms: cover the queen, penalties may be owed, best of three with aggregate points.

To be read beside "KAGW CARROMS 2022, Rules & Procedures" of the Kerala Association of
Greater Washington: what stands in quotes is that document's. KG-05 and the like are rows of
the decision table (:mod:`jackspot.core.rules.queen.kagw_rows`), B-04 and the like the readings of
the page ``kagw.md``. Nine white and nine black pieces, one queen.

A stroke is judged in this order: what fell; whether it is a foul, seen against the state
*before* the stroke; the queen; the end of the board; who shoots next; and if the turn ends,
what it settles (:mod:`jackspot.core.rules.queen.kagw_settling`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Count, Position
from jackspot.core.rules.queen import kagw_rows as row
from jackspot.core.rules.queen.carrom import (
    FLAGS,
    NOTHING,
    PIECES,
    SIDES,
    CarromFell,
    check,
    check_break,
    count_fallen,
    no_points,
    on_board,
    own,
    put_back,
    set_up,
)
from jackspot.core.rules.queen.kagw_match import standing
from jackspot.core.rules.queen.kagw_settling import end_turn
from jackspot.core.rules.queen.kagw_table import board_points, direct
from jackspot.core.rules.queen.kagw_terms import KagwMemo, KagwTerms, memo_of, read_terms
from jackspot.core.rules.system import Facts, FinishedBoard, Rules
from jackspot.core.ruling import BoardResult, How, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Flag, Stroke

PENALTY = 1
"""A foul costs "one pocketed piece", however many faults a stroke has (B-07)."""


def opening(settings: MatchSettings, boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set a board up; ``opener`` breaks."""
    return set_up(settings, boards, opener, KagwMemo(read_terms(settings)))


class _Case(NamedTuple):
    """A stroke before the rules: what fell, and how the board stood before it.

    ``last``, ``opponent_last``: with this stroke all own pieces are in, all of the opponent's.
    ``try_missed``: the number of the attempt at the break that this stroke missed, else 0.
    ``own_before``: an own piece fell earlier in the turn, and that covers the queen too.
    """

    fell: CarromFell
    terms: KagwTerms
    before: Count
    queen: RedPlace
    last: bool
    opponent_last: bool
    called: bool
    try_missed: int
    own_before: bool

    @property
    def permitted(self) -> bool:
        """Whether the side may cover: it "has already pocketed at least one piece"."""
        return self.before.pocketed > 0

    @property
    def covering(self) -> bool:
        """Whether an own piece fell with the queen, or right after it, or agreed before (B-04)."""
        if self.queen is RedPlace.PENDING:
            return self.fell.own > 0
        own = self.fell.own > 0 or self.own_before
        return own and self.fell.queen > 0 and self.permitted

    @property
    def covered(self) -> bool:
        """Whether the queen was covered before the stroke, by whomever (B-10)."""
        return self.queen is RedPlace.COVERED

    @property
    def last_try_missed(self) -> bool:
        """Whether the side "fails to break the counters in three attempts"."""
        return self.try_missed >= self.terms.break_attempts


@dataclass(slots=True)
class _Verdict:
    """What becomes of one stroke, filled in while the rules are gone through."""

    own_back: int
    opp_back: int
    queen_back: bool
    queen: RedPlace
    penalty: int = 0
    foul: bool = False
    keeps: bool = False
    won: bool = False
    because: list[str] = field(default_factory=list)


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; :class:`IllegalStroke` if it cannot have happened."""
    if stroke.flags or stroke.called:
        check(settings, stroke)
    case = _make_case(position, stroke)
    verdict = _Verdict(
        own_back=case.fell.own_off,  # "returned to the center of the board", without a penalty
        opp_back=case.fell.opp_off,
        queen_back=case.fell.queen_off > 0,
        queen=case.queen,
    )
    if _is_foul(case, verdict):
        _foul(case, verdict)
    else:
        _clean(case, verdict)
    return _settle(position, case, verdict)


def _make_case(position: Position, stroke: Stroke) -> _Case:
    memo, side = memo_of(position), position.side
    missed = check_break(stroke, broken=memo.broken)
    fell = count_fallen(position, stroke)
    return _Case(
        fell=fell,
        terms=memo.terms,
        before=position.count(side),
        queen=position.red,
        last=0 < fell.own == position.left(side),
        opponent_last=0 < fell.opp == position.left(position.other(side)),
        called=Flag.FOUL in stroke.flags,
        try_missed=memo.misses + 1 if missed else 0,
        own_before=memo.terms.cover_in_turn and memo.own_in_turn,
    )


def _is_foul(case: _Case, verdict: _Verdict) -> bool:
    """Look for a reason to call the stroke a foul; one is enough (B-07)."""
    uncovered = not (case.covered or case.covering)
    if (
        case.fell.striker  # "If the striker is pocketed, a penalty piece"
        or case.called  # "violates the rules for striking"
        or case.last_try_missed  # "it is a violation"
        or case.opponent_last  # "Regardless of whether the Queen has been covered"
        or (case.last and uncovered)  # "the final piece before the Queen has been covered"
    ):
        return True
    if case.terms.off_board_is_foul and case.fell.any_off:
        verdict.because.append("B-05")
        return True
    return False


def _foul(case: _Case, verdict: _Verdict) -> None:
    """End the turn: it "comes to an end immediately and a penalty is incurred"."""
    verdict.foul = True
    verdict.penalty = PENALTY
    verdict.opp_back += (
        case.opponent_last
    )  # "returned to the center in addition to the penalty piece"
    verdict.own_back += case.last and not case.covered  # a foul covers nothing (B-04)
    if case.fell.queen:  # "If the Queen was also pocketed, it is returned to the center" (B-03)
        verdict.queen_back = True


def _clean(case: _Case, verdict: _Verdict) -> None:
    """Go through "Basic rules" and "Covering the Queen" for a stroke that was no foul."""
    fell = case.fell
    lost = fell.opp > 0 and not fell.own  # "loses the turn unless he pocketed his own piece"
    verdict.keeps = bool(fell.own or fell.queen or case.try_missed) and not lost
    if case.covering:
        verdict.queen = RedPlace.COVERED
        if not fell.own:
            verdict.because.append("B-04")
    elif case.queen is RedPlace.PENDING:
        verdict.queen, verdict.queen_back = RedPlace.BOARD, True
    elif fell.queen and lost:
        verdict.queen_back = True
    elif fell.queen:  # too early: "the turn continues but the Queen is returned ... at the end"
        verdict.queen = RedPlace.PENDING if case.permitted else RedPlace.POCKETED
    if case.last:  # and the queen is covered, or it would be a foul
        verdict.won = not case.before.owed
        verdict.keeps = False  # what is owed comes back first (B-02)


def _settle(position: Position, case: _Case, verdict: _Verdict) -> Ruling:
    """Count, end the turn or the board if it ends, and say what goes back."""
    at_rest = _counted(position, case, verdict)
    rows = (row.row_for(_facts(case, verdict)), *verdict.because)
    if verdict.won:
        points = board_points(at_rest, position.side)
        result = BoardResult(position.side, How.PIECES, points)
        return Ruling(rows, at_rest, foul=False, keeps_turn=False, result=result)
    place = (int(verdict.queen_back), verdict.own_back, verdict.opp_back)
    if verdict.keeps:
        return Ruling(rows, at_rest, foul=False, keeps_turn=True, place=put_back(position, *place))
    end = end_turn(at_rest, position.following, verdict.penalty, by_stroke=True)
    me = position.sides.index(position.side)
    queens, own_back, opp_back = place
    return Ruling(
        rows=rows,
        after=end.after,
        foul=verdict.foul,
        keeps_turn=False,
        place=put_back(
            position, queens + end.queen, own_back + end.paid[me], opp_back + end.paid[1 - me]
        ),
        paid=end.paid,
    )


def _counted(position: Position, case: _Case, verdict: _Verdict) -> Position:
    """Return the position with what fell counted, before anything is paid."""
    fell, me = case.fell, position.sides.index(position.side)
    other = position.counts[1 - me]
    mine = Count(
        case.before.pocketed + fell.own + fell.own_off - verdict.own_back, case.before.owed
    )
    theirs = Count(other.pocketed + fell.opp + fell.opp_off - verdict.opp_back, other.owed)
    has_queen = verdict.queen in (RedPlace.PENDING, RedPlace.COVERED)
    whose = position.red_side if case.covered else position.side
    return Position(
        order=position.order,
        turn=position.turn,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(mine, theirs) if me == 0 else (theirs, mine),
        pieces_each=position.pieces_each,
        red=verdict.queen,
        red_side=whose if has_queen else None,
        strokes_in_turn=position.strokes_in_turn + 1,
        memo=_remembered(memo_of(position), case),
    )


def _remembered(memo: KagwMemo, case: _Case) -> KagwMemo:
    """Note the break that was made or missed; what could be forgotten now cannot any more."""
    own = memo.own_in_turn or (memo.terms.cover_in_turn and case.fell.own > 0)
    if memo.broken and not any(memo.late) and own == memo.own_in_turn:
        return memo
    return KagwMemo(memo.terms, not case.try_missed, case.try_missed, own_in_turn=own)


def _facts(case: _Case, verdict: _Verdict) -> int:
    """Say what happened in the words of the decision table."""
    fell = case.fell
    facts = (
        (row.SOME if case.permitted else row.NONE)
        | (0 if fell.own else row.NO_OWN)
        | (row.OWING if case.before.owed else 0)
        | (row.PENDING if case.queen is RedPlace.PENDING else 0)
        | (row.COVERED if case.covered else row.UNCOVERED)
        | (row.CALLED if case.called else 0)
        | (row.MISSED if case.try_missed else 0)
        | (row.LAST_TRY if case.last_try_missed else 0)
        | (row.FOUL if verdict.foul else 0)
    )
    if fell is NOTHING:
        return facts
    for fact, holds in (
        (row.OWN, fell.own),
        (row.LAST, case.last),
        (row.OPP, fell.opp),
        (row.OPPONENT_LAST, case.opponent_last),
        (row.QUEEN, fell.queen),
        (row.STRIKER, fell.striker),
        (row.OFF, fell.any_off),
        (row.COVERING, case.covering),
        (row.WON, verdict.won),
    ):
        if holds:
            facts |= fact
    return facts


KAGW = Rules(
    id=RuleSystem.KAGW,
    facts=Facts(
        title="KAGW",
        men=9,
        points_at_the_end=True,
        spot=_("in the circle"),
        due_spot=_("in the circle"),  # anywhere in it (002)
        opponent_places_all=True,
    ),
    sides=SIDES,
    pieces=PIECES,
    red=Piece.QUEEN,
    flags=FLAGS,
    opening=opening,
    check=check,
    judge=judge,
    direct=direct,
    points=no_points,
    on_board=on_board,
    own=own,
    standing=standing,
)
