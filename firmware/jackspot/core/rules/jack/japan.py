"""Carom by the Japanese championship rules: 100 points for the jack, one for each puck.

To be read beside the rules page of the Japanese championship (「カロムの遊び方・ルール」):
the ringed numbers are those of its list of mistakes and penalties (「ミスとペナルティー」),
JP-01 and the like are rows of the decision table (:mod:`jackspot.core.rules.jack.japan_rows`).
Twelve red and twelve green pucks, one jack. The order in which a stroke is judged stands in
:mod:`jackspot.core.rules.jack.judging`, each penalty in
:mod:`jackspot.core.rules.jack.penalties`; on what this page is silent, Hikone's holds.
"""

from __future__ import annotations

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Position
from jackspot.core.rules.common import best_of_boards, losers_first_seat
from jackspot.core.rules.jack.case import JackCase
from jackspot.core.rules.jack.japan_rows import row_for
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

JACK_POINTS = 100
"""「ジャックを入れて勝った方には、まず100ポイントが与えられます。」 With twelve pucks: 112."""


def opening(settings: MatchSettings, _boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set a board up; ``opener`` shoots first."""
    return open_board(settings, opener, jack_points=JACK_POINTS)


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; IllegalStroke if it cannot have happened."""
    return judge_by(_mistakes_and_penalties, row_for, settings, position, stroke)


def _mistakes_and_penalties(case: JackCase) -> JackVerdict:
    """Go through 「ミスとペナルティー」 for a stroke that was no obvious foul."""
    fell = case.fell
    verdict = JackVerdict(
        own_in=fell.own,
        opp_in=fell.opp,  # ⑤ a gift to the opponent
        own_back=fell.own_off + fell.own_home,  # ③2
        opp_back=fell.opp_off,  # ③3
        jack_back=bool(fell.jack_off),  # ③4
        keeps=fell.own > 0,
    )
    if fell.own_home:
        verdict.because.append("LR-11")
    if case.striker:  # ① and ③1
        verdict.fault = True
        striker_penalty(case, verdict)
    if fell.jack_off:  # ③4
        verdict.fault = True
        jack_penalty(case, verdict)
    if fell.jack:
        if case.ready:
            jack_when_ready(case, verdict)
        else:  # ②
            jack_too_early(case, verdict)
    if verdict.fault and not verdict.won:  # ④
        faulty(case, verdict)
    return verdict


def _standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    return best_of_boards(settings, boards, SIDES, losers_first_seat)


JAPAN = Rules(
    id=RuleSystem.JAPAN,
    facts=Facts(
        title="Japan",
        men=12,
        handicaps=True,
        three_seats=True,
        tee_spot=True,
        hundreds=0,
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
