"""The ICF Laws of Carrom: dues, proper and improper strokes, games to 25.

To be read beside the laws: what stands in quotes is theirs, and a bare number is that of a
law. IC-14 and the like are rows of the decision table (:mod:`jackspot.core.rules.queen.icf_rows`),
C-01 and the like the readings of the page ``icf.md``. Nine white and nine black carrommen
("C/m"), one queen.

A stroke is judged in this order: what fell; whether it ends the board, seen against the
state *before* the stroke (:mod:`jackspot.core.rules.queen.icf_ending`); fouls; the striker; the
queen; what is taken out on both sides; who shoots next.
"""

from __future__ import annotations

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Position
from jackspot.core.rules.queen import icf_rows as row
from jackspot.core.rules.queen.carrom import (
    FLAGS,
    PIECES,
    SIDES,
    check,
    colours,
    no_points,
    on_board,
    own,
    set_up,
)
from jackspot.core.rules.queen.games import standing
from jackspot.core.rules.queen.icf_ending import ending
from jackspot.core.rules.queen.icf_fouls import improper_stroke, missed_break, technical_foul
from jackspot.core.rules.queen.icf_settling import IcfVerdict, settle, settle_end
from jackspot.core.rules.queen.icf_stroke import IcfCase, facts, make_case
from jackspot.core.rules.queen.icf_table import direct
from jackspot.core.rules.queen.icf_terms import IcfMemo, read_terms
from jackspot.core.rules.system import Facts, FinishedBoard, Rules
from jackspot.core.ruling import Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Stroke

MOST_POINTS = 12
""""The maximum number of points that can be scored in a board is 12 only" (28)."""


def opening(settings: MatchSettings, boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set a board up (14 to 16); ``opener`` breaks."""
    terms = read_terms(settings, boards, colours(settings, boards, opener), most=MOST_POINTS)
    return set_up(settings, boards, opener, IcfMemo(terms))


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; :class:`IllegalStroke` if it cannot have happened."""
    if stroke.flags or stroke.called:
        check(settings, stroke)
    case = make_case(position, stroke)
    said = facts(case)
    end = ending(case)
    if end is not None:
        return settle_end(position, case, end, row.row_for(said | row.ENDS))
    if case.missed:
        return settle(position, case, missed_break(case), row.row_for(said))
    technical = technical_foul(case)
    if technical is not None:
        return settle(position, case, technical, row.TECHNICAL_FOUL)
    verdict = improper_stroke(case) if case.improper else _proper_stroke(case)
    return settle(position, case, verdict, row.row_for(said))


def _proper_stroke(case: IcfCase) -> IcfVerdict:
    """21: "As long as a player pockets his own C/m and/or Queen ... his turn shall continue"."""
    fell = case.fell
    verdict = IcfVerdict(queen=case.queen, keeps=fell.own > 0)
    if fell.striker:
        _striker(case, verdict)
    elif fell.queen:
        _queen(case, verdict)
    elif case.pending and fell.own:
        verdict.queen = RedPlace.COVERED  # "in the same or immediate subsequent stroke"
    elif case.pending:
        verdict.take_queen_out()  # 69
    return verdict


def _striker(case: IcfCase, verdict: IcfVerdict) -> None:
    """45 to 48: one due; with own pieces those come out too, and the turn goes on."""
    verdict.foul = True
    verdict.due = case.fell.own + 1
    if case.fell.queen:
        verdict.take_queen_out()
        if case.outstanding:  # 68b
            verdict.keeps = False
        elif not case.fell.own and not case.nine:  # 72a; with nine on the board 68d
            verdict.keeps = case.terms.queen_with_striker_keeps
            if not verdict.keeps:
                verdict.because.append("C-02")
    elif case.pending and not case.fell.own:
        verdict.take_queen_out()  # 73a; with an own piece it is still to be covered: 74a


def _queen(case: IcfCase, verdict: IcfVerdict) -> None:
    """65 to 70: who may take the queen, and what covers it."""
    own = case.fell.own
    verdict.keeps = True
    if case.outstanding:  # 68b
        verdict.take_queen_out()
        verdict.keeps = False
    elif not own and not case.ever:  # 68a
        verdict.take_queen_out()
        verdict.keeps = case.terms.early_keeps
        if verdict.keeps:
            verdict.because.append("C-01")
    elif not own or (own == 1 and case.nine):  # 68c, 70b
        verdict.queen = RedPlace.PENDING
    else:  # 70a
        verdict.queen = RedPlace.COVERED


ICF = Rules(
    id=RuleSystem.ICF,
    facts=Facts(
        title="ICF",
        men=9,
        points_at_the_end=True,
        spot=_("in the centre"),
        due_spot=_("in the outer circle"),  # inside it (law 51)
        rest_by=_("umpire"),
        place_within=_("place within 15 s"),  # law 61
        changes_sides=True,  # law 33
        to_the_right=True,
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
