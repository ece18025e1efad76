"""Hikone carom as the town explains it: win by the jack, no points.

To be read beside the town's page: 11-A, 12-C and section 10 are that page's; HK-07 and the
like are rows of the decision table (:mod:`jackspot.core.rules.jack.hikone_rows`). Twelve red and
twelve green pucks, one jack. The order in which a stroke is judged stands in
:mod:`jackspot.core.rules.jack.judging`, each penalty in
:mod:`jackspot.core.rules.jack.penalties`.
"""

from __future__ import annotations

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Position
from jackspot.core.rules.common import best_of_boards, losers_first_seat
from jackspot.core.rules.jack.case import JackCase
from jackspot.core.rules.jack.hikone_rows import row_for
from jackspot.core.rules.jack.judging import judge_by, open_board
from jackspot.core.rules.jack.penalties import (
    faulty,
    jack_penalty,
    jack_too_early,
    jack_when_ready,
    striker_penalty,
)
from jackspot.core.rules.jack.settling import JackVerdict
from jackspot.core.rules.jack.stroke import FLAGS, PIECES, check
from jackspot.core.rules.jack.table import direct, on_board, own, pucks_in
from jackspot.core.rules.jack.terms import SIDES
from jackspot.core.rules.system import Facts, FinishedBoard, Rules, Standing
from jackspot.core.ruling import Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Stroke

JACK_POINTS = 0
"""There are no points in this game: the result counts the pucks in."""


def opening(settings: MatchSettings, _boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set a board up (section 3); ``opener`` shoots first."""
    return open_board(settings, opener, jack_points=JACK_POINTS)


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; IllegalStroke if it cannot have happened."""
    return judge_by(_penalties, row_for, settings, position, stroke)


def _penalties(case: JackCase) -> JackVerdict:
    """Go through sections 10 to 13 for a stroke that was no obvious foul."""
    fell = case.fell
    verdict = JackVerdict(
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
        striker_penalty(case, verdict)
    if fell.jack_off:  # 11-C-b
        verdict.fault = True
        jack_penalty(case, verdict)
    if fell.jack:
        if case.ready:
            jack_when_ready(case, verdict)
        else:
            jack_too_early(case, verdict)
    if verdict.fault and not verdict.won:
        faulty(case, verdict)
    return verdict


def _standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    return best_of_boards(settings, boards, SIDES, losers_first_seat)


HIKONE = Rules(
    id=RuleSystem.HIKONE,
    facts=Facts(
        title="Hikone",
        men=12,
        handicaps=True,
        three_seats=True,
        tee_spot=True,
        match_points=False,
        hundreds=100,
        spot=_("on the jack spot"),
    ),
    sides=SIDES,
    pieces=PIECES,
    red=Piece.JACK,
    flags=FLAGS,
    opening=opening,
    check=check,
    judge=judge,
    direct=direct,
    points=pucks_in,
    on_board=on_board,
    own=own,
    standing=_standing,
)
