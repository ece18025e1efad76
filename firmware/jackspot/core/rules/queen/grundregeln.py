"""Carrom, Grundregeln: the German basic rules as carrom.ch gives them.

To be read beside that page: what stands in quotes is its text. GR-06 and the like are rows
of the decision table (:mod:`jackspot.core.rules.queen.grundregeln_rows`), C-01 and the like the
readings of the page ``grundregeln.md``. Nine white and nine black pieces, one queen.

Where the page is silent, the international laws are followed, from which it comes (C-04):
debts, fouls, missed breaks, pieces off the board, the queen covered in the stroke that
pockets it, both last pieces at once (:mod:`jackspot.core.rules.queen.icf`).
"""

from __future__ import annotations

from jackspot.core.directives import Directive, RedPlace, Say, Saying
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Position
from jackspot.core.rules.queen import grundregeln_rows as row
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
from jackspot.core.rules.queen.icf_fouls import improper_stroke, missed_break
from jackspot.core.rules.queen.icf_rows import ENDS, WON
from jackspot.core.rules.queen.icf_settling import IcfVerdict, settle, settle_end
from jackspot.core.rules.queen.icf_stroke import IcfCase, facts, make_case
from jackspot.core.rules.queen.icf_table import direct as direct_by_the_laws
from jackspot.core.rules.queen.icf_terms import IcfMemo, read_terms
from jackspot.core.rules.system import Effect, Facts, FinishedBoard, IllegalDirective, Rules
from jackspot.core.ruling import Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Stroke


def opening(settings: MatchSettings, boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set a board up: "Wer das Spiel eröffnet, spielt auf die weissen Steine"."""
    terms = read_terms(settings, boards, colours(settings, boards, opener), most=None)
    return set_up(settings, boards, opener, IcfMemo(terms))


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; :class:`IllegalStroke` if it cannot have happened."""
    if stroke.flags or stroke.called:
        check(settings, stroke)
    case = make_case(position, stroke)
    said = facts(case)
    end = ending(case)
    if end is not None:
        said |= ENDS | (WON if end.won else 0)
        return settle_end(position, case, end, row.row_for(said))
    if case.missed:
        verdict = missed_break(case)
    elif case.improper:
        verdict = improper_stroke(case)
    else:
        verdict = _clean_stroke(case)
    return settle(position, case, verdict, row.row_for(said))


def _clean_stroke(case: IcfCase) -> IcfVerdict:
    """Judge the turn: "eigener Stein oder die Queen versenkt, darf weiter gespielt werden"."""
    verdict = IcfVerdict(queen=case.queen, keeps=case.fell.own > 0)
    if case.fell.striker:
        _striker(case, verdict)
    elif case.fell.queen:
        _queen(case, verdict)
    elif case.pending and case.fell.own:  # "im nächsten Schuss bestätigt"
        verdict.queen = RedPlace.COVERED
    elif case.pending:  # "ansonsten wird er wieder auf den roten Punkt ... gelegt"
        verdict.take_queen_out()
    return verdict


def _striker(case: IcfCase, verdict: IcfVerdict) -> None:
    """Judge "Fehler": alone or with another colour the turn is lost, with an own piece kept.

    "Fällt sie Spielscheibe mit einem eigenen Stein ins Loch, so kommt der Stein auf die
    Anspielfläche zurück; man darf weiterspielen, allerdings gibt der Gegner einen Strafstein."
    """
    verdict.foul = True
    verdict.due = case.fell.own + 1
    if case.fell.queen:  # "mit einem andersfarbigen Spielsteine": the queen is one (C-02)
        verdict.take_queen_out()
        if case.outstanding:
            verdict.keeps = False
        elif not case.fell.own and not case.nine and case.terms.queen_with_striker_keeps:
            verdict.keeps = True
            verdict.because.append("C-02")
    elif case.pending and not (case.fell.own and case.terms.cover_with_striker_waits):
        verdict.take_queen_out()  # the own piece comes back, so it has not confirmed her
    elif case.pending:
        verdict.because.append("C-05")


def _queen(case: IcfCase, verdict: IcfVerdict) -> None:
    """Judge "Queen": "zwischen dem ersten und dem letzten eigenen Stein"."""
    own = case.fell.own
    verdict.keeps = True
    if case.outstanding:
        verdict.take_queen_out()
        verdict.keeps = False
    elif case.nine and not own:
        verdict.take_queen_out()
        verdict.keeps = case.terms.early_keeps
        if not verdict.keeps:
            verdict.because.append("C-01")
    elif not own or (own == 1 and case.nine):
        verdict.queen = RedPlace.PENDING
    elif case.terms.queen_with_own_waits:
        verdict.queen = RedPlace.PENDING
        verdict.because.append("C-06")
    else:
        verdict.queen = RedPlace.COVERED


def direct(settings: MatchSettings, position: Position, directive: Directive) -> Effect:
    """Carry a directive out; there is no extra point to be demanded."""
    if directive == Say(Saying.DEMAND):
        raise IllegalDirective("'! demand' belongs to icf: grundregeln have no extra point")
    return direct_by_the_laws(settings, position, directive)


GRUNDREGELN = Rules(
    id=RuleSystem.GRUNDREGELN,
    facts=Facts(
        title="Grundregeln",
        men=9,
        points_at_the_end=True,
        spot=_("on the red dot"),
        due_spot=_("by the red dot"),  # between the dot and the ring around it (003)
        to_the_right=True,
        backwards=True,
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
