"""Missed breaks, technical fouls and improper strokes by the laws (17, 18, 36, 37, 45 to 50).

The German basic rules are silent on all of it and follow the laws.
"""

from __future__ import annotations

from jackspot.core.rules.queen.icf_settling import IcfVerdict
from jackspot.core.rules.queen.icf_stroke import IcfCase


def missed_break(case: IcfCase) -> IcfVerdict:
    """Judge a break that touched nothing (18).

    "A maximum of two more chances shall be allowed"; after them "the turn to play shall
    pass". With the striker in a pocket or by an improper stroke it passes at once.
    "However, Due/penalty shall not be applicable".
    """
    last_chance = case.missed >= case.terms.break_attempts
    verdict = IcfVerdict(
        queen=case.queen,
        foul=last_chance or case.improper,
        keeps=not (last_chance or case.improper or case.fell.striker),
    )
    if case.pending:  # a correction put it there; this stroke does not cover it
        verdict.take_queen_out()
    return verdict


def technical_foul(case: IcfCase) -> IcfVerdict | None:
    """Judge a violation "before the first stroke of his turn" (36a); None if it is none.

    It is called without a stroke, so nothing can have fallen. "One C/m of the offending
    player being brought out", and "his turn shall continue".
    """
    if not (case.improper and case.first) or any(case.fell) or case.pending:
        return None
    return IcfVerdict(queen=case.queen, due=1, foul=True, keeps=True, technical=True)


def improper_stroke(case: IcfCase) -> IcfVerdict:
    """Judge a violation during a stroke or after the first of the turn.

    The own pieces and the queen of the stroke come out with one piece more, and the turn is
    lost (37, 50); the opponent's stay in (49). With the striker *and* the queen, whether
    pocketed in the stroke or to be covered by it, two pieces more (71b, 72b, 73b, 74b).
    """
    verdict = IcfVerdict(queen=case.queen, foul=True)
    has_queen = case.fell.queen or case.pending
    verdict.due = case.fell.own + (2 if has_queen and case.fell.striker else 1)
    if has_queen:
        verdict.take_queen_out()
    return verdict
