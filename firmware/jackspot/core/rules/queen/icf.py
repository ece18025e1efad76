"""The ICF Laws of Carrom: dues, proper and improper strokes, games to 25.

Read this beside the laws: what is in quotes is theirs, and a bare number is that of a law. IC-14
and the like are rows of the decision table (:mod:`jackspot.core.rules.queen.icf_rows`), C-01 and
the like the readings of the page ``icf.md``. There are nine white and nine black carrommen ("C/m")
and one queen. German sentences are those of the basic rules, which come from the laws and are
judged here too (:mod:`jackspot.core.rules.queen.grundregeln`).

A stroke is judged in this order: what fell; whether it ends the board, against the state *before*
the stroke (:mod:`jackspot.core.rules.queen.icf_settling`); fouls; the striker; the queen; what is
taken out on both sides; who shoots next.
"""

from __future__ import annotations

from collections.abc import Mapping

from jackspot.core.directives import RedPlace, Saying, SetOwed, SetPocketed
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import Directives, end_at, index_of_turn
from jackspot.core.rules.own_colours import by_order, corrected
from jackspot.core.rules.queen import carrom, icf_rows, stroke as row
from jackspot.core.rules.queen.games import standing
from jackspot.core.rules.queen.icf_settling import ending, settle, settle_end
from jackspot.core.rules.queen.icf_terms import IcfCase, IcfMemo, last_stays_in, memo_of, read_terms
from jackspot.core.rules.queen.stroke import QueenVerdict, check, facts, make_case, verdict_on
from jackspot.core.rules.rows import RowFinder
from jackspot.core.rules.system import Effect, Facts, FinishedBoard, IllegalDirective
from jackspot.core.ruling import How, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Stroke
from jackspot.values import changed


def opening(
    settings: MatchSettings,
    boards: tuple[FinishedBoard, ...],
    opener: Seat,
    *,
    german: bool = False,
) -> Position:
    """Set a board up (14 to 16): "Wer das Spiel eröffnet, spielt auf die weissen Steine"."""
    terms = read_terms(settings, boards, carrom.colours(settings, boards, opener), german=german)
    return carrom.set_up(settings, boards, opener, IcfMemo(terms))


# strokes


def judge(
    settings: MatchSettings,
    position: Position,
    stroke: Stroke,
    *,
    row_for: RowFinder = icf_rows.row_for,
) -> Ruling:
    """Rule on a stroke; :class:`IllegalStroke` if it cannot have happened.

    ``row_for`` finds the row that the system cites for the facts of a stroke.
    """
    if stroke.flags or stroke.called:
        check(settings, stroke)
    memo = memo_of(position)
    case = make_case(position, stroke, memo, broken=memo.broken, missed=memo.missed)
    said = _facts(case)
    end = ending(case)
    if end is not None:
        said |= row.ENDS | (row.WON if end.won else 0)
        return settle_end(position, case, end, row_for(said))
    if case.missed:
        return settle(position, case, _missed_break(case), row_for(said))
    if _is_technical_foul(case):
        verdict = verdict_on(case, foul=True, keeps=True)  # "his turn shall continue"
        verdict.due = 1  # "One C/m of the offending player being brought out"
        return settle(position, case, verdict, row_for(said | row.TECHNICAL), technical=True)
    verdict = _improper_stroke(case) if case.improper else _proper_stroke(case)
    return settle(position, case, verdict, row_for(said))


def _facts(case: IcfCase) -> int:
    """Return what happened as facts of the decision tables."""
    return (
        facts(case)
        | (row.LAST if last_stays_in(case) else 0)
        | (row.BEING_COVERED if case.being_covered else 0)
        | (0 if case.covered or case.being_covered else row.ON_BOARD)
        | (row.EVER if _ever(case) else row.NEVER)
    )


def _ever(case: IcfCase) -> bool:
    """Return whether an own piece was pocketed before on this board."""
    return case.memo.ever[case.me] or not case.nine


def _missed_break(case: IcfCase) -> QueenVerdict:
    """Judge a break that touched nothing (18).

    "A maximum of two more chances shall be allowed"; after them "the turn to play shall
    pass". With the striker in a pocket or by an improper stroke it passes at once.
    "However, Due/penalty shall not be applicable".
    """
    lost = case.missed >= case.memo.terms.break_attempts or case.improper
    verdict = verdict_on(case, foul=lost, keeps=not (lost or case.fell.striker))
    if case.pending:  # a correction put it there; this stroke does not cover it
        verdict.take_queen_out()
    return verdict


def _is_technical_foul(case: IcfCase) -> bool:
    """Return whether it is a violation "before the first stroke of his turn" (36a).

    It is called without a stroke, so nothing can have fallen.
    """
    called = case.improper and case.first and not case.memo.terms.german
    return called and not any(case.fell) and not case.pending


def _improper_stroke(case: IcfCase) -> QueenVerdict:
    """Judge a violation during a stroke or after the first of the turn.

    The own pieces and the queen of the stroke come out with one piece more, and the turn is
    lost (37, 50); the opponent's stay in (49). With the striker *and* the queen, whether
    pocketed in the stroke or to be covered by it, two pieces more (71b, 72b, 73b, 74b).
    """
    verdict = verdict_on(case, foul=True)
    verdict.due = case.fell.own + (2 if case.being_covered and case.fell.striker else 1)
    if case.being_covered:
        verdict.take_queen_out()
    return verdict


def _proper_stroke(case: IcfCase) -> QueenVerdict:
    """21: "As long as a player pockets his own C/m and/or Queen ... his turn shall continue"."""
    fell = case.fell
    verdict = verdict_on(case, keeps=fell.own > 0)
    if fell.striker:
        _striker(case, verdict)
    elif fell.red:
        _queen(case, verdict)
    elif case.pending and fell.own:
        verdict.queen = RedPlace.COVERED  # "in the same or immediate subsequent stroke"
    elif case.pending:  # 69: "ansonsten wird er wieder auf den roten Punkt ... gelegt"
        verdict.take_queen_out()
    return verdict


def _striker(case: IcfCase, verdict: QueenVerdict) -> None:
    """45 to 48: one due; with own pieces those come out too, and the turn goes on.

    "Fällt sie Spielscheibe mit einem eigenen Stein ins Loch, so kommt der Stein auf die
    Anspielfläche zurück; man darf weiterspielen, allerdings gibt der Gegner einen Strafstein."
    """
    own, terms = case.fell.own, case.memo.terms
    verdict.foul = True
    verdict.due = own + 1
    if case.fell.red:  # "mit einem andersfarbigen Spielsteine": the queen is one
        verdict.take_queen_out()
        if case.owing:  # 68b
            verdict.keeps = False
        elif not own and not case.nine:  # 72a; with nine on the board 68d
            verdict.keeps = terms.queen_with_striker_keeps
            _cite(case, verdict, "C-02")
    elif case.pending and own and terms.cover_with_striker_waits:  # 74a
        _cite(case, verdict, "C-05")
    elif case.pending:  # 73a: the own piece comes back, so it has not confirmed her
        verdict.take_queen_out()


def _queen(case: IcfCase, verdict: QueenVerdict) -> None:
    """65 to 70: who may take the queen, and what covers it.

    By the basic rules "zwischen dem ersten und dem letzten eigenen Stein": a first one that came
    back does not count.
    """
    own, terms = case.fell.own, case.memo.terms
    verdict.keeps = True
    if case.owing:  # 68b
        verdict.take_queen_out()
        verdict.keeps = False
    elif not own and (case.nine if terms.german else not _ever(case)):  # 68a
        verdict.take_queen_out()
        verdict.keeps = terms.early_keeps
        _cite(case, verdict, "C-01")
    elif not own or (own == 1 and case.nine):  # 68c, 70b
        verdict.queen = RedPlace.PENDING
    elif terms.queen_with_own_waits:
        verdict.queen = RedPlace.PENDING
        _cite(case, verdict, "C-06")
    else:  # 70a
        verdict.queen = RedPlace.COVERED


def _cite(case: IcfCase, verdict: QueenVerdict, reading: str) -> None:
    """Name the reading that decided, if it is not the usual one."""
    if reading in case.memo.terms.agreed:
        verdict.because.append(reading)


# beside the strokes


def _board_points(position: Position, winner: Side, pieces: int) -> Mapping[Side, int]:
    """Count a board: the pieces, and the queen for a winner who has covered it."""
    terms = memo_of(position).terms
    queen = (
        terms.queen_for[position.sides.index(winner)] if carrom.has_covered(position, winner) else 0
    )
    return carrom.points_for(position, winner, terms.worth(pieces + queen))


def _demanded(position: Position) -> Effect:
    """Add what is "awarded if demanded by the opponent" (75 to 85), once, up to 12 (28)."""
    memo = memo_of(position)
    ended = memo.ended
    if ended is None or ended.winner is None or not memo.extra:
        raise IllegalDirective(
            "'! demand' comes once, right after a board that was lost with the striker or by an "
            "improper stroke (laws 75 to 85)"
        )
    points = memo.terms.worth(ended.points[ended.winner] + memo.extra)
    after = changed(position, memo=changed(memo, extra=0))
    return end_at(after, ended.winner, ended.how, carrom.points_for(position, ended.winner, points))


def _waived(position: Position) -> Effect:
    """Law 60: "A player may choose to forego the Due and/or penalty C/m in toto only".

    What the last stroke took out for dues stays in, and on both sides nothing is outstanding any
    more. The queen and pieces that flew off are not dues. A side that thereby has all its pieces in
    has won, whoever covered the queen.
    """
    memo = memo_of(position)
    if not any(memo.paid) and not any(count.owed for count in position.counts):
        raise IllegalDirective("nothing is due: there is nothing to waive")
    first, second = (
        Count(count.pocketed + paid) for count, paid in zip(position.counts, memo.paid, strict=True)
    )
    after = changed(position, counts=(first, second), memo=changed(memo, paid=(0, 0)))
    for _paid, side in sorted(zip(memo.paid, after.sides, strict=True), reverse=True):
        if after.red is RedPlace.COVERED and not after.left(side):
            points = _board_points(after, side, after.left(after.other(side)))
            return end_at(after, side, How.PIECES, points)
    return Effect(after)


def _resigned(position: Position, side: Side) -> Effect:
    """Give up a board: for the own pieces left, and the queen unless the own side covered it.

    The laws count a board lost for leaving the seat (64) or for shooting out of turn (24) like
    this.
    """
    winner, terms = position.other(side), memo_of(position).terms
    queen = (
        0 if carrom.has_covered(position, side) else terms.queen_for[position.sides.index(winner)]
    )
    points = carrom.points_for(position, winner, terms.worth(position.left(side) + queen))
    return end_at(position, winner, How.RESIGN, points)


def _turn_ended(position: Position) -> tuple[Position, tuple[Piece, ...]]:
    """End the running turn as a pass would: a queen that is not covered goes back."""
    memo = changed(memo_of(position), missed=0)
    after = changed(position, strokes_in_turn=0, memo=memo)
    if position.red is not RedPlace.PENDING:
        return after, ()
    return changed(after, red=RedPlace.BOARD, red_side=None), (Piece.QUEEN,)


def _time_is_over(position: Position) -> Effect:
    """Settle as if the turn passed."""
    return carrom.out_of_time(*_turn_ended(position), _board_points)


def _corrected(position: Position, directive: SetPocketed | SetOwed) -> Effect:
    """Assign a count as given: it already accounts for what that side had taken out."""
    after = corrected(position, directive, "pieces")
    if isinstance(directive, SetOwed):
        return Effect(after)
    memo, me = memo_of(position), position.sides.index(directive.side)
    ever = by_order(me, memo.ever[me] or directive.count > 0, memo.ever[1 - me])
    paid = by_order(me, 0, memo.paid[1 - me])
    return Effect(changed(after, memo=changed(memo, ever=ever, paid=paid)))


def _turn_given(position: Position, seat: Seat) -> Effect:
    """Begin a fresh turn of a seat; the order continues from there."""
    after, place = _turn_ended(position)
    return Effect(changed(after, turn=index_of_turn(position, seat)), place)


DIRECTIVES = Directives(
    points=carrom.no_points,
    says={Saying.DEMAND: _demanded, Saying.WAIVE: _waived, Saying.TIME: _time_is_over},
    belongs_to={Saying.FORGOT: "kagw: here what is due is taken out or waived"},
    resigned=_resigned,
    turn_given=_turn_given,
    red_put=carrom.queen_put,
    corrected=_corrected,
)

ICF = carrom.queen_rules(
    id=RuleSystem.ICF,
    facts=Facts(
        name=_("International carrom"),
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
    opening=opening,
    judge=judge,
    direct=DIRECTIVES.direct,
    standing=standing,
)
