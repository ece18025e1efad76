"""How a stroke of carom with a jack is judged: the way that ``hikone`` and ``japan`` share.

Always in this order: what fell; faults, seen against the state *before* the stroke; the end
of the game; penalties; payment by both sides, as far as pucks are there; what goes back on
the jack spot; who shoots next. The penalties are each system's own, and so is the row that a
ruling cites.
"""

from __future__ import annotations

from collections.abc import Callable

from jackspot.core.pieces import Seat
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import order_of_turns
from jackspot.core.rules.jack.case import JackCase, facts_of, make_case
from jackspot.core.rules.jack.mass_break import mass_break
from jackspot.core.rules.jack.penalties import striker_penalty
from jackspot.core.rules.jack.settling import JackVerdict, settle
from jackspot.core.rules.jack.stroke import check
from jackspot.core.rules.jack.terms import (
    PUCKS_EACH,
    SIDES,
    JackMemo,
    area_rule_holds,
    memo_of,
    read_terms,
)
from jackspot.core.ruling import Ruling
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke

OBVIOUS_FOUL = 1
"""12-C: "As a penalty, return one puck to the jack spot."."""
MISSED_JACK = 5
"""LR-16: pucks that come back when the one try at the jack is missed."""
AREA_HIT = "HK-43"


def open_board(settings: MatchSettings, opener: Seat, *, jack_points: int) -> Position:
    """Set a board up; ``opener`` shoots first, the jack adds ``jack_points`` to a win."""
    order = order_of_turns(settings)
    terms = read_terms(settings, SIDES, jack_points=jack_points)
    first, second = terms.handicaps
    return Position(
        order=order,
        turn=order.index(opener),
        seat_sides=settings.sides,
        sides=SIDES,
        counts=(Count(first.head_start), Count(second.head_start)),
        pieces_each=PUCKS_EACH,
        memo=JackMemo(terms),
    )


def judge_by(
    penalties: Callable[[JackCase], JackVerdict],
    row_for: Callable[[int], str],
    settings: MatchSettings,
    position: Position,
    stroke: Stroke,
) -> Ruling:
    """Rule on a stroke; IllegalStroke if it cannot have happened.

    ``penalties`` is what the system makes of a stroke that was neither an obvious foul nor
    an area hit, ``row_for`` the row that it cites for the facts of a stroke.
    """
    memo = memo_of(position)
    terms = memo.terms
    if terms.mass_break and not memo.broken:
        return mass_break(position, stroke)
    if stroke.flags or stroke.called:
        check(settings, stroke)
    me = position.sides.index(position.side)
    case = make_case(position, me, terms, stroke)
    foul, area = Flag.FOUL in stroke.flags, Flag.AREA in stroke.flags
    if foul or (area and terms.area_hit_is_foul):
        verdict = _invalid_play(case)
    elif area:
        verdict = _restored(case)
    else:
        verdict = penalties(case)
    if case.ready and not (verdict.won or verdict.void or memo.jack_tried[me]):
        _one_shot_only(case, verdict)
    rows: tuple[str, ...]
    if area and not foul:
        rows = (AREA_HIT,)
        rows += () if area_rule_holds(settings, position.side) else ("LR-17",)
        rows += ("A-07",) if terms.area_hit_is_foul else ()
    else:
        rows = (row_for(facts_of(position, me, case, verdict)),)
    return settle(position, me, verdict, ready=case.ready, rows=rows)


def _invalid_play(case: JackCase) -> JackVerdict:
    """12-C: "that play is deemed invalid", what fell comes back, and one puck more."""
    fell = case.fell
    verdict = JackVerdict(
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


def _restored(case: JackCase) -> JackVerdict:
    """Section 8: the opponent puts everything back where it was; a striker still pays."""
    verdict = JackVerdict(void=True)
    if case.striker:
        verdict.fault = True
        striker_penalty(case, verdict)
    return verdict


def _one_shot_only(case: JackCase, verdict: JackVerdict) -> None:
    """LR-16: the first stroke of a ready side did not win."""
    if case.terms.jack_one_shot == "off":
        return
    verdict.fault = True
    verdict.keeps = False
    if case.before.pocketed < PUCKS_EACH and "HC-3b" not in verdict.because:
        verdict.because.append("HC-3b")
    if case.terms.jack_one_shot == "loss":
        verdict.because.append("LR-16b")
        verdict.lost = True
    else:
        verdict.because.append("LR-16a")
        verdict.due += MISSED_JACK
