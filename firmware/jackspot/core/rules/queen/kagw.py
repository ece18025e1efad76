"""KAGW carroms: cover the queen, penalties may be owed, best of three with aggregate points.

Read this beside "KAGW CARROMS 2022, Rules & Procedures" of the Kerala Association of Greater
Washington: what is in quotes is that document's. KG-05 and the like are rows of the decision table
(:mod:`jackspot.core.rules.queen.kagw_rows`), B-04 and the like the readings of the page
``kagw.md``. There are nine white and nine black pieces and one queen.

A stroke is judged in this order: what fell; whether it is a foul, against the state *before* the
stroke; the queen; the end of the board; who shoots next; and if the turn ends, what it settles.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from jackspot.core.directives import Directive, RedPlace, Say, Saying
from jackspot.core.options import number_option, text_option, yes_no_option
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import Directives, best_of_boards, end_at, index_of_turn
from jackspot.core.rules.own_colours import NOTHING, after_stroke, by_order, pay
from jackspot.core.rules.queen import carrom, kagw_rows, stroke as row
from jackspot.core.rules.queen.stroke import (
    QueenCase,
    QueenVerdict,
    after_verdict,
    check,
    counted,
    facts,
    make_case,
    verdict_on,
)
from jackspot.core.rules.system import Effect, Facts, FinishedBoard, IllegalDirective, Standing
from jackspot.core.ruling import BoardResult, How, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Stroke
from jackspot.values import changed

PENALTY = 1
"""A foul costs "one pocketed piece", however many faults a stroke has (B-07)."""


class KagwTerms(Struct, frozen=True):
    """Options of one match that touch a stroke, looked up once, when a board begins.

    ``cover_in_turn``: an own piece pocketed earlier in the turn covers the queen (B-04).
    """

    break_attempts: int
    off_board_is_foul: bool
    cover_in_turn: bool
    queen_points: int


class KagwMemo(Struct, frozen=True):
    """What KAGW remembers besides the counts.

    ``broken``: the break has been made on this board. ``missed``: breaks missed in this turn.
    ``late``: by side, the pieces that the stroke just made gave back for *old* debts when it ended
    the turn; only these can be forgotten (KG-30), and only until the next entry. ``own_in_turn``:
    an own piece was pocketed in this turn, if that covers the queen.
    """

    terms: KagwTerms
    broken: bool = False
    missed: int = 0
    late: tuple[int, int] = (0, 0)
    own_in_turn: bool = False


KagwCase = QueenCase[KagwMemo]


def memo_of(position: Position) -> KagwMemo:
    """Return the memo of a KAGW position."""
    memo = position.memo
    assert isinstance(memo, KagwMemo)
    return memo


def opening(settings: MatchSettings, boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set up a board; ``opener`` breaks."""
    terms = KagwTerms(
        break_attempts=number_option(settings, "break_attempts"),
        off_board_is_foul=yes_no_option(settings, "off_board_is_foul"),
        cover_in_turn=text_option(settings, "cover") == "turn",
        queen_points=number_option(settings, "queen_points"),
    )
    return carrom.set_up(settings, boards, opener, KagwMemo(terms))


# strokes


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; :class:`IllegalStroke` if it cannot have happened."""
    if stroke.flags or stroke.called:
        check(settings, stroke)
    memo = memo_of(position)
    case = make_case(position, stroke, memo, broken=memo.broken, missed=memo.missed)
    verdict = verdict_on(case)
    if _is_foul(case, verdict):
        _foul(case, verdict)
    else:
        _clean(case, verdict)
    return _settle(position, case, verdict)


def _is_covering(case: KagwCase) -> bool:
    """Return whether an own piece fell with the queen, or right after it, or before (B-04)."""
    if case.pending:
        return case.fell.own > 0
    own = case.fell.own > 0 or (case.memo.terms.cover_in_turn and case.memo.own_in_turn)
    return own and case.fell.red > 0 and not case.nine  # "already pocketed at least one piece"


def _is_last_try(case: KagwCase) -> bool:
    """Return whether the side "fails to break the counters in three attempts"."""
    return case.missed >= case.memo.terms.break_attempts


def _is_foul(case: KagwCase, verdict: QueenVerdict) -> bool:
    """Look for a reason to call the stroke a foul; one is enough (B-07)."""
    if (
        case.fell.striker  # "If the striker is pocketed, a penalty piece"
        or case.improper  # "violates the rules for striking"
        or _is_last_try(case)  # "it is a violation"
        or case.opponent_last  # "Regardless of whether the Queen has been covered"
        # "the final piece before the Queen has been covered"
        or (case.last and not (case.covered or _is_covering(case)))
    ):
        return True
    if case.memo.terms.off_board_is_foul and case.fell.any_off:
        verdict.because.append("B-05")
        return True
    return False


def _foul(case: KagwCase, verdict: QueenVerdict) -> None:
    """End the turn: it "comes to an end immediately and a penalty is incurred"."""
    verdict.foul = True
    verdict.due = PENALTY
    if case.opponent_last:
        verdict.opp_back += 1  # "returned to the center in addition to the penalty piece"
    verdict.own_back += case.last and not case.covered  # a foul covers nothing (B-04)
    if case.fell.red:  # "If the Queen was also pocketed, it is returned to the center" (B-03)
        verdict.queen_back = True


def _clean(case: KagwCase, verdict: QueenVerdict) -> None:
    """Go through "Basic rules" and "Covering the Queen" for a stroke that was not a foul."""
    fell = case.fell
    lost = fell.opp > 0 and not fell.own  # "loses the turn unless he pocketed his own piece"
    verdict.keeps = bool(fell.own or fell.red or case.missed) and not lost
    if _is_covering(case):
        verdict.queen = RedPlace.COVERED
        if not fell.own:
            verdict.because.append("B-04")
    elif case.pending:
        verdict.take_queen_out()
    elif fell.red and lost:
        verdict.queen_back = True
    elif fell.red:  # too early: "the turn continues but the Queen is returned ... at the end"
        verdict.queen = RedPlace.POCKETED if case.nine else RedPlace.PENDING
    if case.last:  # and the queen is covered, or it would be a foul
        verdict.won = not case.owing
        verdict.keeps = False  # what is owed comes back first (B-02)


def _settle(position: Position, case: KagwCase, verdict: QueenVerdict) -> Ruling:
    """Count, end the turn or the board if it ends, and return what goes back."""
    counts = by_order(case.me, *counted(position, case, verdict))
    memo = _remembered(case)
    at_rest = after_verdict(position, case, verdict, counts, memo)
    rows = (kagw_rows.row_for(_facts(case, verdict)), *verdict.because)
    if verdict.won:
        points = board_points(at_rest, position.side)
        result = BoardResult(position.side, How.PIECES, points)
        return Ruling(rows, at_rest, foul=False, keeps_turn=False, result=result)
    if verdict.keeps:
        queens = int(verdict.queen_back)
        place = carrom.put_back(position, queens, verdict.own_back, verdict.opp_back)
        return Ruling(rows, at_rest, foul=False, keeps_turn=True, place=place)
    after, place, paid = _end_turn(at_rest, position.following, verdict)
    return Ruling(rows, after, foul=verdict.foul, keeps_turn=False, place=place, paid=paid)


def _remembered(case: KagwCase) -> KagwMemo:
    """Record the break that was made or missed; debts that could be forgotten no longer can."""
    memo = case.memo
    own = memo.own_in_turn or (memo.terms.cover_in_turn and case.fell.own > 0)
    if memo.broken and not any(memo.late) and own == memo.own_in_turn:
        return memo
    return KagwMemo(memo.terms, not case.missed, case.missed, own_in_turn=own)


def _facts(case: KagwCase, verdict: QueenVerdict) -> int:
    """Return what happened as facts of the decision table."""
    said = facts(case) | (row.FOUL if verdict.foul else 0)
    if case.fell is NOTHING:
        return said | (row.LAST_TRY if _is_last_try(case) else 0)
    return (
        said
        | (row.LAST_TRY if _is_last_try(case) else 0)
        | (row.LAST if case.last else 0)
        | (row.COVERING if _is_covering(case) else 0)
        | (row.WON if verdict.won else 0)
    )


# the end of a turn


def _end_turn(
    position: Position, turn: int, verdict: QueenVerdict | None = None
) -> tuple[Position, tuple[Piece, ...], tuple[int, int]]:
    """End the turn of the seat to shoot, and begin the turn with this index in the order.

    Returns the position after it, what goes back on the board, and how many pieces each side paid.
    "If a penalty is owed, when a piece becomes available due to being pocketed, the piece is
    returned to the center by the opponent at the end of the turn." So nothing is paid while a turn
    goes on, and both sides pay when it ends: the shooter may have pocketed a piece of an opponent
    who owes. A fresh penalty of the shooter's side is paid first, then what both sides owe. If a
    stroke ended the turn, with its ``verdict``, what was paid for old debts can still be forgotten.
    """
    me, memo = position.sides.index(position.side), memo_of(position)
    before, other = position.counts[me], position.counts[1 - me]
    penalty = verdict.due if verdict else 0
    (mine, pays), (theirs, opponent_pays) = pay(before, penalty), pay(other)
    own_back, opp_back, late = pays, opponent_pays, (0, 0)
    queens = int(position.red in (RedPlace.POCKETED, RedPlace.PENDING))
    if verdict:
        late = by_order(me, pays - min(penalty, before.pocketed), opponent_pays)
        own_back, opp_back = own_back + verdict.own_back, opp_back + verdict.opp_back
        queens += verdict.queen_back
    if memo.missed or memo.own_in_turn or memo.late != late:
        memo = KagwMemo(memo.terms, memo.broken, late=late)
    covered = position.red is RedPlace.COVERED
    after = after_stroke(
        position,
        by_order(me, mine, theirs),
        memo,
        passes_to=turn,
        red=RedPlace.COVERED if covered else RedPlace.BOARD,
        red_side=position.red_side if covered else None,
    )
    place = carrom.put_back(position, queens, own_back, opp_back)
    return after, place, by_order(me, pays, opponent_pays)


# beside the strokes


def board_points(position: Position, winner: Side, pieces: int | None = None) -> Mapping[Side, int]:
    """Count a board: "1 point for each opponent's piece left on the board", and the queen.

    "If the winner has also covered the Queen, a bonus 5 point is scored".
    """
    left = position.left(position.other(winner)) if pieces is None else pieces
    queen = memo_of(position).terms.queen_points if carrom.has_covered(position, winner) else 0
    return carrom.points_for(position, winner, left + queen)


def _nothing_to_forget(position: Position) -> Position:
    """Return the position in which nothing can be forgotten any more: only the next entry could."""
    memo = memo_of(position)
    return changed(position, memo=changed(memo, late=(0, 0))) if any(memo.late) else position


def _forgotten(position: Position) -> Effect:
    """KG-30: "Should the opponent forget to do this ... any owed penalties are lost".

    The pieces that were to pay old debts stay in, and nothing is owed any more. A side that thereby
    has all its pieces in has won, whoever covered the queen.
    """
    memo = memo_of(position)
    if not any(memo.late):
        raise IllegalDirective(
            "'! forgot' comes right after the stroke that ended a turn and paid an old debt"
        )
    first, second = (
        Count(count.pocketed + late, 0) if late else count
        for count, late in zip(position.counts, memo.late, strict=True)
    )
    after = changed(_nothing_to_forget(position), counts=(first, second))
    for side, late in zip(after.sides, memo.late, strict=True):
        if late and after.red is RedPlace.COVERED and not after.left(side):
            return end_at(after, side, How.PIECES, board_points(after, side))
    return Effect(after)


def _time_is_over(position: Position) -> Effect:
    """Settle as if the turn passed."""
    after, place, _paid = _end_turn(position, position.turn)
    return carrom.out_of_time(after, place, board_points)


def _resigned(position: Position, side: Side) -> Effect:
    winner = position.other(side)
    return end_at(position, winner, How.RESIGN, board_points(position, winner))


def _turn_given(position: Position, seat: Seat) -> Effect:
    """End the running turn as a pass would, and begin a fresh one of a seat."""
    after, place, _paid = _end_turn(position, index_of_turn(position, seat))
    return Effect(after, place)


_DIRECTIVES = Directives(
    points=carrom.no_points,
    says={Saying.FORGOT: _forgotten, Saying.TIME: _time_is_over},
    belongs_to={
        Saying.WAIVE: "icf and grundregeln: in kagw the opponent may only forget",
        Saying.DEMAND: "icf",
    },
    resigned=_resigned,
    turn_given=_turn_given,
    red_put=carrom.queen_put,
    corrected=carrom.corrected_pieces,
)


def direct(settings: MatchSettings, position: Position, directive: Directive) -> Effect:
    """Carry out a directive; only the next entry can say that something was forgotten."""
    if directive != Say(Saying.FORGOT):
        position = _nothing_to_forget(position)
    return _DIRECTIVES.direct(settings, position, directive)


def _standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    """Sum up a match: "best of three" (B-06).

    A majority before the last board wins: "the team which wins the first two games". Once the last
    is played "the team with the higher points in total" wins; tied on points, more boards won
    decide. With ``decider = "games"`` boards come first in any case.
    """
    return best_of_boards(
        settings,
        boards,
        sides=carrom.SIDES,
        next_opener=carrom.next_in_order,
        points_decide=text_option(settings, "decider") == "aggregate",
    )


KAGW = carrom.queen_rules(
    id=RuleSystem.KAGW,
    facts=Facts(
        name=_("KAGW carroms"),
        title="KAGW",
        men=9,
        points_at_the_end=True,
        spot=_("in the circle"),
        due_spot=_("in the circle"),  # anywhere in it (002)
        opponent_places_all=True,
    ),
    opening=opening,
    judge=judge,
    direct=direct,
    standing=_standing,
)
