"""Hikone carom as the town explains it: win by the jack, no points.

Read this beside the town's page: 11-A, 12-C and section 10 are that page's. HK-07 and the like are
rows of the decision table (:mod:`jackspot.core.rules.jack.hikone_rows`). A-05, LR-14, HC-2 and the
like are alternatives that people may agree on. The Japanese championship's rules judge alike
(:mod:`jackspot.core.rules.jack.japan`); ringed numbers are those of their list of mistakes and
penalties.

A stroke is always judged in this order: what fell; faults, against the state *before* the stroke;
the end of the game; penalties; payment by both sides, as far as there are pucks; what goes back on
the jack spot; who shoots next (:mod:`jackspot.core.rules.jack.settling`).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import best_of_boards
from jackspot.core.rules.jack import carom, hikone_rows as row
from jackspot.core.rules.jack.settling import JackVerdict, settle
from jackspot.core.rules.own_colours import (
    NOTHING,
    Fell,
    by_order,
    count_fallen,
    on_board,
    own,
    pay,
    take_in,
)
from jackspot.core.rules.rows import RowFinder
from jackspot.core.rules.system import Facts, Rules
from jackspot.core.ruling import IllegalStroke, Ruling
from jackspot.core.settings import Handicap, MatchSettings, RuleSystem
from jackspot.core.stroke import Flag, Stroke
from jackspot.values import changed

OBVIOUS_FOUL = 1
"""12-C: "As a penalty, return one puck to the jack spot."."""
MISSED_JACK = 5
"""LR-16: pucks that come back when the one try at the jack is missed."""
AREA_HIT = "HK-43"
_MORE_THAN_TWO = ("LR-20", "A-01", "A-08")
"""Options that change what a striker with own pucks costs, but not the two of LR-14."""


class JackCase(NamedTuple):
    """What fell in a stroke, and the state of its side before it.

    ``home``: own pucks in the own side's pockets, which do not count (LR-11). ``ready``: all
    needed pucks in and nothing owed. ``last``: with this stroke all needed pucks are in, before
    anything is paid: 「最後のパック」 is the last on the board, whatever is owed.
    """

    stroke: Stroke
    fell: Fell
    home: int
    me: int
    terms: carom.JackTerms
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
        return bool(self.fell.red or self.fell.red_off)


def judge(
    settings: MatchSettings,
    position: Position,
    stroke: Stroke,
    *,
    row_for: RowFinder = row.row_for,
) -> Ruling:
    """Rule on a stroke; IllegalStroke if it cannot have happened.

    ``row_for`` finds the row that the system cites for the facts of a stroke.
    """
    memo = carom.memo_of(position)
    terms = memo.terms
    if terms.mass_break and not memo.broken:
        return _mass_break(position, stroke)
    if stroke.flags or stroke.called:
        carom.check(settings, stroke)
    case = _make_case(position, position.sides.index(position.side), terms, stroke)
    foul, area = Flag.FOUL in stroke.flags, Flag.AREA in stroke.flags
    if foul or (area and terms.area_hit_is_foul):
        verdict = _invalid_play(case)
    elif area:
        verdict = _restored(case)
    else:
        verdict = _mistakes_and_penalties(case)
    if case.ready and not (verdict.won or verdict.void or memo.jack_tried[case.me]):
        _one_shot_only(case, verdict)
    rows: tuple[str, ...]
    if area and not foul:
        rows = (AREA_HIT,)
        rows += () if carom.area_rule_holds(settings, position.side) else ("LR-17",)
        rows += ("A-07",) if terms.area_hit_is_foul else ()
    else:
        rows = (row_for(_facts(position, case, verdict)),)
    return settle(position, case.me, verdict, ready=case.ready, rows=rows)


def _make_case(position: Position, me: int, terms: carom.JackTerms, stroke: Stroke) -> JackCase:
    """Examine a stroke of side ``me``; IllegalStroke if it cannot have happened."""
    fell, home = count_fallen(position, me, stroke, Piece.JACK, carom.too_many), 0
    if stroke.departures and not terms.own_side_pockets:
        home = carom.own_side_pucks(stroke, position.sides[me].piece)
        fell = fell._replace(own=fell.own - home)
    handicap, before = terms.handicaps[me], position.counts[me]
    ready, need = carom.is_ready(handicap, before), handicap.pucks_needed
    if ready and fell.red:
        carom.require_answers(handicap, stroke)
    last = before.pocketed < need <= before.pocketed + fell.own
    return JackCase(stroke, fell, home, me, terms, handicap, before, ready, last)


def _mistakes_and_penalties(case: JackCase) -> JackVerdict:
    """Go through sections 10 to 13 for a stroke that was not an obvious foul."""
    fell = case.fell
    verdict = JackVerdict(
        own_in=fell.own,
        opp_in=fell.opp,  # 11-E: "left in the pocket"; ⑤ a gift to the opponent
        own_back=fell.own_off + case.home,  # 12-D, ③2
        opp_back=fell.opp_off,  # ③3
        jack_back=bool(fell.red_off),  # ③4
        keeps=fell.own > 0,  # section 10
    )
    if case.home:
        verdict.because.append("LR-11")
    if case.striker:  # 11-A, 11-C-a; ① and ③1
        verdict.fault = True
        _striker_penalty(case, verdict)
    if fell.red_off:  # 11-C-b, ③4
        verdict.fault = True
        _jack_penalty(case, verdict)
    if fell.red and case.ready:
        _jack_when_ready(case, verdict)
    elif fell.red:  # ②
        _jack_too_early(case, verdict)
    if verdict.fault and not verdict.won:  # 11-D, ④
        _faulty(case, verdict)
    return verdict


def _striker_penalty(case: JackCase, verdict: JackVerdict) -> None:
    """11-A and 11-C-a: one puck for a striker in a pocket or off the board."""
    if case.handicap.no_striker_penalty:
        verdict.because.append("HC-1")
        return
    verdict.due += case.terms.striker_penalty
    if case.terms.striker_penalty != 1:
        verdict.because.append("LR-20")


def _jack_penalty(case: JackCase, verdict: JackVerdict) -> None:
    """11-B and 11-C-b: five pucks, the jack on top of them."""
    penalty = case.terms.jack_penalty
    verdict.due += penalty
    agreed = "LR-8" if penalty in (2, 3) else "LR-20"
    if penalty != 5 and agreed not in verdict.because:
        verdict.because.append(agreed)


def _jack_when_ready(case: JackCase, verdict: JackVerdict) -> None:
    """Section 13: all pucks were in, so the jack wins; 12-B, 12-D: whatever else fell."""
    if case.before.pocketed < carom.PUCKS_EACH:
        verdict.because.append("HC-3b")
    if not _as_called(case, verdict):
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


def _as_called(case: JackCase, verdict: JackVerdict) -> bool:
    """Return whether a jack that would win came as HC-6 and HC-7 ask; if not, it comes back."""
    called = case.stroke.called if case.handicap.called_pocket else None
    jack = next(d for d in case.stroke.departures if d.piece is Piece.JACK and not d.flew_off)
    if case.handicap.must_bank and Flag.UNBANKED in case.stroke.flags:
        verdict.because.append("HC-7")
    elif called and jack.pocket not in (None, called):
        verdict.because.append("HC-6")
    else:
        return True
    verdict.wrong_call = verdict.jack_back = True
    verdict.keeps = False
    return False


def _jack_too_early(case: JackCase, verdict: JackVerdict) -> None:
    """11-B: five and the jack. 12-A: also when the last puck came with it, unless LR-15."""
    terms = case.terms
    wins = terms.last_puck_with_jack == "win" and (
        not case.striker or terms.jack_with_striker == "win"
    )
    if case.last and wins:
        _fewer_needed(case, verdict)
        verdict.because.append("LR-15")
        verdict.won = _as_called(case, verdict)
        return
    verdict.fault = verdict.jack_back = True
    _jack_penalty(case, verdict)


def _faulty(case: JackCase, verdict: JackVerdict) -> None:
    """Section 10: a mistake ends the turn. 11-D: an own puck pocketed with it adds one."""
    fell = case.fell
    verdict.keeps = False
    _own_puck_with_it(case, verdict)
    if case.ready and fell.red and not verdict.wrong_call and verdict.due == 0:
        verdict.won = True  # jack and striker, but nothing comes back: all are still in
        verdict.jack_back = False
    elif fell.striker and fell.own and not case.jack_gone:
        _only_striker_with_own(case, verdict)


def _own_puck_with_it(case: JackCase, verdict: JackVerdict) -> None:
    """11-D: "Since it's a foul, add one of your pocketed pucks to each of the penalties".

    One a stroke, unless agreed otherwise; and for pucks pocketed, unless flown ones count.
    """
    terms, own, flown = case.terms, case.fell.own, case.fell.own_off * case.terms.flown_adds
    striker = case.striker and not case.handicap.no_striker_penalty
    penalties = striker + _is_jack_at_fault(case, verdict)
    if not (own or flown) or not penalties:
        return  # HC-1: nor the one more that comes with the striker
    if case.fell.red and case.last and not striker:
        five = terms.last_puck_with_jack == "five"
        if five != (terms.usual_last == "five"):
            verdict.because.append("A-04")
        if five:
            _fewer_needed(case, verdict)
            own = 0
    most = own + flown if terms.per_puck else 1
    added = min(own + flown, most)
    verdict.due += added * (penalties if terms.plus_one_each else 1)
    if added > min(own, most):
        verdict.because.append("A-08")
    if added > 1 or (terms.plus_one_each and penalties > 1):
        verdict.because.append("A-01")


def _fewer_needed(case: JackCase, verdict: JackVerdict) -> None:
    """HC-3b: the puck was the last needed, and not the last there is."""
    if case.before.pocketed + case.fell.own < carom.PUCKS_EACH:
        verdict.because.append("HC-3b")


def _is_jack_at_fault(case: JackCase, verdict: JackVerdict) -> bool:
    """Return whether the jack is one of the faults; a ready side's wrong call is none (HC-6)."""
    if case.fell.red_off:
        return True
    early = not case.ready or case.terms.jack_with_striker == "jack_penalty"
    return bool(case.fell.red) and early and not verdict.wrong_call


def _only_striker_with_own(case: JackCase, verdict: JackVerdict) -> None:
    """LR-14 and HC-2: agreed exceptions for a striker that fell with an own puck."""
    free = case.handicap.no_striker_penalty
    if case.terms.two_keep:  # two are two, whatever a striker or a puck more would cost
        verdict.because = [each for each in verdict.because if each not in _MORE_THAN_TWO]
        verdict.because.append("LR-14")
        there = max(0, case.before.pocketed + case.fell.own - case.before.owed)
        verdict.keeps = free or there >= 2
        verdict.due = 0 if free else min(2, there)
    if case.handicap.keep_turn_with_striker:
        verdict.because.append("HC-2")
        verdict.keeps = True


def _invalid_play(case: JackCase) -> JackVerdict:
    """12-C: "that play is deemed invalid", what fell comes back, and one puck more."""
    fell = case.fell
    verdict = JackVerdict(
        own_back=fell.own + fell.own_off + case.home,
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
        _striker_penalty(case, verdict)
    return verdict


def _one_shot_only(case: JackCase, verdict: JackVerdict) -> None:
    """LR-16: the first stroke of a ready side did not win."""
    if case.terms.jack_one_shot == "off":
        return
    verdict.fault = True
    verdict.keeps = False
    if case.before.pocketed < carom.PUCKS_EACH and "HC-3b" not in verdict.because:
        verdict.because.append("HC-3b")
    if case.terms.jack_one_shot == "loss":
        verdict.because.append("LR-16b")
        verdict.lost = True
    else:
        verdict.because.append("LR-16a")
        verdict.due += MISSED_JACK


def _mass_break(position: Position, stroke: Stroke) -> Ruling:
    """LR-1, an old local rule: all players break at once, on a shout.

    Pucks count for their colours, no fault is made. What a side owes already, by the referee's
    word, is paid as after every stroke.
    """
    memo = carom.memo_of(position)
    if stroke.flags or stroke.called:
        flag = min(stroke.flags) if stroke.flags else "call"
        raise IllegalStroke(f"no '{flag}' in a mass break: it has no fouls", flag=flag)
    me = position.sides.index(position.side)
    fell = count_fallen(position, me, stroke, Piece.JACK, carom.too_many, len(set(position.order)))
    mine, pays = pay(take_in(position.counts[me], fell.own))
    theirs, opponent_pays = pay(take_in(position.counts[1 - me], fell.opp))
    counts, broken = by_order(me, mine, theirs), changed(memo, broken=True)
    return Ruling(
        rows=("LR-1",),
        after=changed(position, counts=counts, memo=broken),
        foul=False,
        keeps_turn=True,
        place=(position.sides[1 - me].piece,) * (fell.opp_off + opponent_pays)
        + (position.side.piece,) * (fell.own_off + pays)
        + (Piece.JACK,) * (fell.red + fell.red_off),
        paid=by_order(me, pays, opponent_pays),
    )


def _facts(position: Position, case: JackCase, verdict: JackVerdict) -> int:
    """Return what happened as facts of the decision tables."""
    before, fell, other = case.before, case.fell, position.counts[1 - case.me]
    facts = (
        (row.READY if case.ready else row.NOT_READY)
        | (row.SOME if before.pocketed else row.NONE)
        | (row.OWING if before.owed else 0)
        | (row.FOUL if Flag.FOUL in case.stroke.flags else 0)
    )
    if fell is NOTHING:
        return facts
    need = case.terms.handicaps[1 - case.me].pucks_needed
    opponent_last = other.pocketed < need <= other.pocketed + fell.opp - other.owed
    there = before.pocketed + fell.own
    return (
        facts
        | (row.OWN if fell.own else 0)
        | (row.TWO_OWN if fell.own > 1 else 0)
        | (row.LAST if case.last else 0)
        | (row.OPP if fell.opp else 0)
        | (row.OPPONENT_LAST if opponent_last else 0)
        | (row.STRIKER if fell.striker else 0)
        | (row.ANY_STRIKER if case.striker else 0)
        | (row.JACK if fell.red else 0)
        | (row.JACK_OFF if fell.red_off else 0)
        | (row.OWN_OFF if fell.own_off else 0)
        | (row.OPP_OFF if fell.opp_off else 0)
        | (row.ANY_OFF if fell.own_off or fell.opp_off else 0)
        | (row.SHORT if there < verdict.due else 0)
        | (row.UNPAID if there < before.owed + verdict.due else 0)
        | (row.OPPONENT_OWES if other.owed else 0)
        | (row.FAULT if case.striker or fell.red_off or (fell.red and not case.ready) else 0)
    )


HIKONE = Rules(
    id=RuleSystem.HIKONE,
    facts=Facts(
        name=_("Hikone carom"),
        title="Hikone",
        men=12,
        handicaps=True,
        seats=(2, 3, 4),
        tee_spot=True,
        match_points=False,  # the result counts the pucks in
        hundreds=100,
        spot=_("on the jack spot"),
    ),
    sides=carom.SIDES,
    pieces=carom.PIECES,
    red=Piece.JACK,
    flags=carom.FLAGS,
    opening=carom.opening,
    check=carom.check,
    judge=judge,
    direct=carom.DIRECTIVES.direct,
    points=carom.pucks_in,
    on_board=partial(on_board, Piece.JACK),
    own=own,
    standing=partial(best_of_boards, sides=carom.SIDES),
)
