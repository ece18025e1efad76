"""Which row of the decision table of the German basic rules a stroke follows.

In the words of :mod:`jackspot.core.rules.queen.icf_rows`, where it is said how a row is found.
"""

from __future__ import annotations

from functools import lru_cache

from jackspot.core.rules.queen.icf_rows import (
    BEING_COVERED,
    COVERED,
    ENDS,
    IMPROPER,
    LAST,
    MISSED,
    MISSED_BREAK,
    NINE,
    NO_OWN,
    ON_BOARD,
    ONE_OWN,
    OPP,
    OPPONENT_LAST,
    OUTSTANDING,
    OWN,
    PENDING,
    PIECE_OFF,
    QUEEN,
    STRIKER,
    STRIKER_OFF,
    UNCOVERED,
    WON,
    find,
    table,
)

_END = table(
    GR_15=OPPONENT_LAST | UNCOVERED,
    GR_16=OPPONENT_LAST | COVERED,
    GR_17=LAST | ON_BOARD,
    GR_18=(LAST | WON, LAST | WON | BEING_COVERED),
)

_STRIKER = table(
    GR_04=STRIKER,
    GR_05=STRIKER | NO_OWN | NINE,
    GR_06=STRIKER | OWN,
    GR_08=QUEEN | STRIKER | OWN | OUTSTANDING,
    GR_11=QUEEN | STRIKER | NO_OWN,
    GR_12=QUEEN | STRIKER | OWN,
    GR_13=PENDING | STRIKER | NO_OWN,
    GR_14=PENDING | STRIKER | OWN,
)

_QUEEN = table(
    GR_07=QUEEN,
    GR_08=QUEEN | NO_OWN | NINE,
    GR_09=QUEEN | OWN,
    GR_10=QUEEN | ONE_OWN | NINE,
)

_QUEEN_WITH_A_DUE = table(GR_08=QUEEN | OUTSTANDING)

_OTHER = table(
    GR_01=OWN,
    GR_02=0,
    GR_03=OWN | OPP,
    GR_13=PENDING | NO_OWN,
    GR_19=(PIECE_OFF, STRIKER_OFF),
)

FOUL = "GR-19"


@lru_cache(maxsize=4096)
def row_for(facts: int) -> str:
    """Return the id of the row that a stroke with these facts (or-ed) follows."""
    if facts & ENDS:
        rows = _END
    elif facts & MISSED:
        return MISSED_BREAK
    elif facts & IMPROPER:
        return FOUL
    elif facts & STRIKER:
        rows = _STRIKER
    elif facts & QUEEN:
        rows = _QUEEN_WITH_A_DUE if facts & OUTSTANDING else _QUEEN
    else:
        rows = _OTHER
    return find(rows, facts)
