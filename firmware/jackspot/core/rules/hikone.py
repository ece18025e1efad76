"""Hikone carom as the town explains it: win by the jack, no points.

To be read beside the town's page: 11-A, 12-C and section 10 are that page's; HK-07 and the
like are rows of the decision table (:mod:`jackspot.core.rules.hikone_rows`); A-05, LR-13
and HC-2 are the alternatives that people may agree on. Twelve red and twelve green pucks,
one jack.

A stroke is judged in this order: what fell; faults, seen against the state *before* the
stroke; the end of the game; penalties; payment by both sides, as far as pucks are there;
what goes back on the jack spot; who shoots next.
"""

from __future__ import annotations

from typing import NamedTuple

from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Count, Position
from jackspot.core.rules import hikone_rows as row
from jackspot.core.rules.common import best_of_boards, losers_first_seat, order_of_turns
from jackspot.core.rules.hikone_mass_break import mass_break
from jackspot.core.rules.hikone_settling import Verdict, settle
from jackspot.core.rules.hikone_stroke import (
    NOTHING,
    Fell,
    check,
    count_fallen,
    require_answers,
)
from jackspot.core.rules.hikone_table import direct, on_board, own, pucks_in
from jackspot.core.rules.hikone_terms import Memo, Terms, memo_of, read_terms
from jackspot.core.rules.system import FinishedBoard, Rules, Standing
from jackspot.core.ruling import Ruling
from jackspot.core.settings import FIRST_SIDES, Handicap, MatchSettings, RuleSystem
from jackspot.core.stroke import Flag, Stroke

PUCKS_EACH = 12
SIDES = FIRST_SIDES[RuleSystem.HIKONE]
OBVIOUS_FOUL = 1
"""12-C: "As a penalty, return one puck to the jack spot."."""
MISSED_JACK = 5
"""LR-16: pucks that come back when the one try at the jack is missed."""


def opening(settings: MatchSettings, _boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set a board up (section 3); ``opener`` shoots first."""
    order = order_of_turns(settings)
    terms = read_terms(settings, SIDES)
    first, second = terms.handicaps
    return Position(
        order=order,
        turn=order.index(opener),
        seat_sides=settings.sides,
        sides=SIDES,
        counts=(Count(first.head_start), Count(second.head_start)),
        pieces_each=PUCKS_EACH,
        memo=Memo(terms),
    )


class _Case(NamedTuple):
    """A stroke before the rules: what fell, and how its side stood before it.

    ``ready``: all needed pucks in and nothing owed. ``last``: with this stroke all needed
    pucks are in.
    """

    stroke: Stroke
    fell: Fell
    terms: Terms
    handicap: Handicap
    before: Count
    ready: bool
    last: bool

    @property
    def striker(self) -> bool:
        """Whether the striker is in a pocket or off the board."""
        return bool(self.fell.striker or self.fell.striker_off)

    @property
    def jack_gone(self) -> bool:
        """Whether the jack is in a pocket or off the board."""
        return bool(self.fell.jack or self.fell.jack_off)


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; :class:`IllegalStroke` if it cannot have happened."""
    memo = memo_of(position)
    terms = memo.terms
    if terms.mass_break and not memo.broken:
        return mass_break(position, stroke)
    if stroke.flags or stroke.called:
        check(settings, stroke)
    me = position.sides.index(position.side)
    case = _make_case(position, me, terms, stroke)
    foul, area = Flag.FOUL in stroke.flags, Flag.AREA in stroke.flags
    if foul or (area and terms.area_hit_is_foul):
        verdict = _invalid_play(case)
    elif area:
        verdict = _restored(case)
    else:
        verdict = _penalties(case)
    if case.ready and not (verdict.won or verdict.void or memo.jack_tried[me]):
        _one_shot_only(terms, verdict)
    if area and not foul:
        rows = (row.AREA_HIT, "A-07") if terms.area_hit_is_foul else (row.AREA_HIT,)
    else:
        rows = (row.row_for(_facts(position, me, case, verdict)),)
    return settle(position, me, verdict, ready=case.ready, rows=rows)


def _make_case(position: Position, me: int, terms: Terms, stroke: Stroke) -> _Case:
    fell = count_fallen(position, me, terms, stroke)
    handicap, before = terms.handicaps[me], position.counts[me]
    need = handicap.pucks_needed
    ready = before.owed == 0 and before.pocketed >= need
    if ready and fell.jack:
        require_answers(handicap, stroke)
    last = before.pocketed < need <= before.pocketed + fell.own - before.owed
    return _Case(stroke, fell, terms, handicap, before, ready, last)


def _invalid_play(case: _Case) -> Verdict:
    """12-C: "that play is deemed invalid", what fell comes back, and one puck more."""
    fell = case.fell
    verdict = Verdict(
        own_back=fell.own + fell.own_off + fell.own_home,
        opp_back=fell.opp + fell.opp_off,
        jack_back=case.jack_gone,
        due=OBVIOUS_FOUL,
        fault=True,
    )
    if fell.opp and not case.terms.foul_returns_opponents:
        verdict.opp_back -= fell.opp
        verdict.opp_in = fell.opp
        verdict.because.append("A-06")
    return verdict


def _restored(case: _Case) -> Verdict:
    """Section 8: the opponent puts everything back where it was; a striker still pays."""
    verdict = Verdict(void=True)
    if case.striker:
        verdict.fault = True
        _striker_penalty(case, verdict)
    return verdict


def _penalties(case: _Case) -> Verdict:
    """Go through sections 10 to 13 for a stroke that was no obvious foul."""
    fell = case.fell
    verdict = Verdict(
        own_in=fell.own,
        opp_in=fell.opp,  # 11-E: "left in the pocket"
        own_back=fell.own_off + fell.own_home,  # 12-D
        opp_back=fell.opp_off,
        jack_back=bool(fell.jack_off),
        keeps=fell.own > 0,  # section 10
    )
    if fell.own_home:
        verdict.because.append("LR-11")
    if case.striker:  # 11-A, 11-C-a
        verdict.fault = True
        _striker_penalty(case, verdict)
    if fell.jack_off:  # 11-C-b
        verdict.fault = True
        _jack_penalty(case, verdict)
    if fell.jack:
        if case.ready:
            _jack_when_ready(case, verdict)
        else:
            _jack_too_early(case, verdict)
    if verdict.fault and not verdict.won:
        _faulty(case, verdict)
    return verdict


def _striker_penalty(case: _Case, verdict: Verdict) -> None:
    """11-A and 11-C-a: one puck for a striker in a pocket or off the board."""
    if case.handicap.no_striker_penalty:
        verdict.because.append("HC-1")
        return
    verdict.due += case.terms.striker_penalty
    if case.terms.striker_penalty != 1:
        verdict.because.append("LR-20")


def _jack_penalty(case: _Case, verdict: Verdict) -> None:
    """11-B and 11-C-b: five pucks, the jack on top of them."""
    penalty = case.terms.jack_penalty
    verdict.due += penalty
    if penalty != 5:
        verdict.because.append("LR-8" if penalty in (2, 3) else "LR-20")


def _jack_when_ready(case: _Case, verdict: Verdict) -> None:
    """Section 13: all pucks were in, so the jack wins; 12-B, 12-D: whatever else fell."""
    if case.before.pocketed < PUCKS_EACH:
        verdict.because.append("HC-3b")
    if not _as_called(case, verdict):
        verdict.wrong_call = verdict.jack_back = True
        verdict.keeps = False
        return
    if not case.striker:
        verdict.won = True
    elif case.terms.jack_with_striker == "win":
        verdict.because.append("A-05")
        verdict.won = True
    else:  # 11-A takes a puck back, so no longer are all in
        verdict.jack_back = True
        if case.terms.jack_with_striker == "jack_penalty":
            verdict.because.append("A-05")
            _jack_penalty(case, verdict)


def _as_called(case: _Case, verdict: Verdict) -> bool:
    """Tell whether the jack of a ready seat came as HC-6 and HC-7 ask."""
    if case.handicap.must_bank and Flag.UNBANKED in case.stroke.flags:
        verdict.because.append("HC-7")
        return False
    if case.handicap.called_pocket:
        jack = next(d for d in case.stroke.departures if d.piece is Piece.JACK)
        if jack.pocket is not case.stroke.called:
            verdict.because.append("HC-6")
            return False
    return True


def _jack_too_early(case: _Case, verdict: Verdict) -> None:
    """11-B: five and the jack. 12-A: also when the last puck came with it, unless LR-15."""
    terms = case.terms
    wins = terms.last_puck_with_jack == "win" and (
        not case.striker or terms.jack_with_striker == "win"
    )
    if case.last and wins:
        verdict.because.append("LR-15")
        verdict.won = True
        return
    verdict.fault = verdict.jack_back = True
    _jack_penalty(case, verdict)


def _faulty(case: _Case, verdict: Verdict) -> None:
    """Section 10: a mistake ends the turn. 11-D: an own puck pocketed with it adds one."""
    fell = case.fell
    verdict.keeps = False
    if fell.own:
        _own_puck_with_it(case, verdict)
    if case.ready and fell.jack and not verdict.wrong_call and verdict.due == 0:
        verdict.won = True  # jack and striker, but nothing comes back: all are still in
        verdict.jack_back = False
    elif fell.striker and fell.own and not case.jack_gone:
        _only_striker_with_own(case, verdict)


def _own_puck_with_it(case: _Case, verdict: Verdict) -> None:
    """11-D: "Since it's a foul, add one of your pocketed pucks"; pocketed, not flown."""
    terms = case.terms
    if case.handicap.no_striker_penalty and not _is_jack_at_fault(case, verdict):
        return  # HC-1: nor the one more that comes with the striker
    if case.fell.jack and case.last and not case.striker and terms.last_puck_with_jack == "five":
        verdict.because.append("A-04")
        return
    verdict.due += case.fell.own if terms.per_puck else 1
    if terms.per_puck and case.fell.own > 1:
        verdict.because.append("A-01")


def _is_jack_at_fault(case: _Case, verdict: Verdict) -> bool:
    """Tell whether the jack is one of the faults; a ready side's wrong call is none (HC-6)."""
    if case.fell.jack_off:
        return True
    early = not case.ready or case.terms.jack_with_striker == "jack_penalty"
    return bool(case.fell.jack) and early and not verdict.wrong_call


def _only_striker_with_own(case: _Case, verdict: Verdict) -> None:
    """LR-14 and HC-2: agreed exceptions for a striker that fell with an own puck."""
    free = case.handicap.no_striker_penalty
    if case.terms.two_keep:  # two are two, whatever a striker or a puck more would cost
        verdict.because = [each for each in verdict.because if each not in ("LR-20", "A-01")]
        verdict.because.append("LR-14")
        there = max(0, case.before.pocketed + case.fell.own - case.before.owed)
        verdict.keeps = free or there >= 2
        verdict.due = 0 if free else min(2, there)
    if case.handicap.keep_turn_with_striker:
        verdict.because.append("HC-2")
        verdict.keeps = True


def _one_shot_only(terms: Terms, verdict: Verdict) -> None:
    """LR-16: the first stroke of a ready side did not win."""
    if terms.jack_one_shot == "off":
        return
    verdict.fault = True
    verdict.keeps = False
    if terms.jack_one_shot == "loss":
        verdict.because.append("LR-16b")
        verdict.lost = True
    else:
        verdict.because.append("LR-16a")
        verdict.due += MISSED_JACK


def _facts(position: Position, me: int, case: _Case, verdict: Verdict) -> int:
    """Say what happened in the words of the decision table."""
    before, fell, other = case.before, case.fell, position.counts[1 - me]
    facts = (
        (row.READY if case.ready else row.NOT_READY)
        | (row.SOME if before.pocketed else row.NONE)
        | (row.OWING if before.owed else 0)
        | (row.FOUL if Flag.FOUL in case.stroke.flags else 0)
    )
    if fell is NOTHING:
        return facts
    his_need = case.terms.handicaps[1 - me].pucks_needed
    for fact, holds in (
        (row.OWN, fell.own),
        (row.TWO_OWN, fell.own > 1),
        (row.LAST, case.last),
        (row.OPP, fell.opp),
        (row.HIS_LAST, other.pocketed < his_need <= other.pocketed + fell.opp - other.owed),
        (row.STRIKER, fell.striker),
        (row.ANY_STRIKER, case.striker),
        (row.JACK, fell.jack),
        (row.JACK_OFF, fell.jack_off),
        (row.OWN_OFF, fell.own_off),
        (row.OPP_OFF, fell.opp_off),
        (row.ANY_OFF, fell.own_off or fell.opp_off),
        (row.SHORT, before.pocketed + fell.own < verdict.due),
        (row.HE_OWES, other.owed),
    ):
        if holds:
            facts |= fact
    return facts


def _standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    return best_of_boards(settings, boards, SIDES, losers_first_seat)


HIKONE = Rules(
    id=RuleSystem.HIKONE,
    sides=SIDES,
    pieces=(Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER),
    red=Piece.JACK,
    flags=frozenset({Flag.FOUL, Flag.AREA, Flag.BANKED, Flag.UNBANKED}),
    opening=opening,
    check=check,
    judge=judge,
    direct=direct,
    points=pucks_in,
    on_board=on_board,
    own=own,
    standing=_standing,
)
