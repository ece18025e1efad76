"""How a stroke ends a board, and what the board is then worth (laws 25 to 28, 75 to 85).

In one place, because all of it hangs on four things: whose last piece fell, what became of
the queen, whether the striker fell too, and whether the stroke was proper. The German basic
rules count the same where they speak, and follow the laws where they are silent.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackspot.core.rules.queen.icf_stroke import IcfCase
from jackspot.core.rules.queen.icf_terms import IcfTerms
from jackspot.core.ruling import How


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a board by a stroke.

    ``won``: by the shooter, else by the opponent. ``foul``: the stroke was one. ``extra``:
    the points that the opponent may demand besides.
    """

    won: bool
    points: int
    how: How
    foul: bool
    extra: int = 0


def worth(terms: IcfTerms, points: int) -> int:
    """Return what a board counts: 1 at least, and 12 at most where the laws hold (28)."""
    return max(1, points if terms.most is None else min(points, terms.most))


def ending(case: IcfCase) -> Ending | None:
    """Say how the stroke ends the board; None: it goes on."""
    if case.opponent_last:
        if case.covered:
            return _his_last_and_covered(case)
        return _his_last_and_not_covered(case)
    if not case.last:
        return None
    if not (case.covered or case.being_covered):
        return _lost(case, _queen_left_for_him(case))  # 80, 81: "leaving the Queen on the C/B"
    if case.fell.striker or case.improper:
        return None  # 46, 50: the piece comes out again
    queen = _queen_for_me(case) if case.mine or case.being_covered else 0
    return _won(case, case.opponent_left + queen)  # 25, 26, 70a


def _his_last_and_covered(case: IcfCase) -> Ending:
    fouled = bool(case.fell.striker or case.improper)
    if not case.last:  # the opponent "completes pocketing all his C/m first" (25a)
        points = case.left + (0 if case.mine else _queen_for_him(case))
        return Ending(False, worth(case.terms, points), How.PIECES, fouled)
    if fouled:  # 83, 85
        return _lost(case, 0 if case.mine else _queen_for_him(case))
    return _won(case, _queen_for_me(case) if case.mine else 0)


def _his_last_and_not_covered(case: IcfCase) -> Ending:
    if not case.last:  # 76, 79, 84: "by the number of his C/m" and the Queen
        return _lost(case, case.left + _queen_for_him(case))
    if case.being_covered and not (case.fell.striker or case.improper):  # 75a, 77a
        return _won(case, _queen_for_me(case))
    if case.being_covered:  # 75b, 77b, 82
        return _lost(case, _queen_for_him(case))
    return _lost(case, _queen_left_for_him(case))  # 78


def _won(case: IcfCase, points: int) -> Ending:
    return Ending(True, worth(case.terms, points), How.PIECES, foul=False)


def _lost(case: IcfCase, points: int) -> Ending:
    """Lose by the stroke; one more "if demanded" for the striker, and for an improper stroke."""
    extra = case.fell.striker + case.improper
    return Ending(False, worth(case.terms, points), How.FOUL, foul=True, extra=extra)


def _queen_for_me(case: IcfCase) -> int:
    return case.terms.queen_for[case.me]


def _queen_for_him(case: IcfCase) -> int:
    return case.terms.queen_for[1 - case.me]


def _queen_left_for_him(case: IcfCase) -> int:
    return case.terms.queen_left_for[1 - case.me]
