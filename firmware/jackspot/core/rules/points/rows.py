"""Which row of the points table a stroke follows.

Of the rows that fit, a ruling names the one with more conditions, then the one with the
higher number; a row for a clean stroke never holds for a faulty one.
"""

from __future__ import annotations

from jackspot.core.rules.points.stroke import PointsShot

ALL_OUT = "PT-14"
BOARD_LOST = "PT-13"
NOT_COVERED = "PT-06"


def row_of_fault(shot: PointsShot, *, gave_back: bool) -> str:
    """Name the row of a striker pocketed, or a foul called."""
    if shot.queen_at_stake:
        return "PT-10" if shot.own else "PT-09"
    return "PT-07" if gave_back else "PT-08"


def row_of_clean(shot: PointsShot) -> str:
    """Name the row of a stroke without a fault that leaves the board running."""
    if shot.pending:
        return "PT-04"
    if shot.queen and shot.own:
        return "PT-05"
    if shot.opens:
        return "PT-12"
    if shot.flown:
        return "PT-11"
    if shot.queen:
        return "PT-03"
    return "PT-01" if shot.pocketed else "PT-02"
