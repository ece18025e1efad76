"""Which row of the ICF decision table a stroke follows, and the words such tables are in.

A row names what must have happened. A stroke that does more still follows the row; of
the rows that fit, the one with more conditions holds, then the one with the higher number.
A row for a proper stroke never holds for an improper one, nor a row for a stroke without
the striker for one with it: each has its table. Some rows stand in more shapes than one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

(
    OWN,  # an own piece pocketed
    NO_OWN,
    ONE_OWN,  # exactly one
    LAST,  # with it all own pieces are in
    OPP,  # an opponent's piece pocketed
    OPPONENT_LAST,  # with it all of the opponent's are in
    QUEEN,  # queen pocketed
    STRIKER,  # striker pocketed
    PIECE_OFF,  # a piece of either colour or the queen left the board
    STRIKER_OFF,  # the striker left the board
    PENDING,  # the queen was pocketed with the stroke before and is to be covered
    COVERED,  # the queen was covered before the stroke
    UNCOVERED,  # it was not
    BEING_COVERED,  # the queen was pending, or fell in this stroke
    ON_BOARD,  # neither covered nor being covered
    NINE,  # all own pieces on the board before the stroke
    EVER,  # an own piece was pocketed before, whatever came back
    NEVER,
    OUTSTANDING,  # a due was outstanding
    IMPROPER,  # an improper stroke, or another foul that was called
    MISSED,  # the break was missed
    WON,  # the stroke wins the board for the shooter
    ENDS,  # the stroke ends the board
) = (1 << bit for bit in range(23))


@dataclass(frozen=True, slots=True)
class IcfRow:
    """A row: its id, and the facts (or-ed) that it asks for."""

    id: str
    needs: int


def table(**rows: int | tuple[int, ...]) -> tuple[IcfRow, ...]:
    """Put the most specific rows first; a row may have more shapes than one."""
    made = [
        IcfRow(name.replace("_", "-"), needs)
        for name, shapes in rows.items()
        for needs in (shapes if isinstance(shapes, tuple) else (shapes,))
    ]
    return tuple(sorted(made, key=lambda row: (row.needs.bit_count(), row.id), reverse=True))


def find(rows: tuple[IcfRow, ...], facts: int) -> str:
    """Return the id of the first row that these facts fit."""
    return next(row.id for row in rows if row.needs & facts == row.needs)


_END = table(
    IC_23=LAST,
    IC_24=LAST | ON_BOARD,
    IC_25=OPPONENT_LAST | UNCOVERED,
    IC_26=OPPONENT_LAST | COVERED,
    IC_27=LAST | OPPONENT_LAST | ON_BOARD,
    IC_28=LAST | OPPONENT_LAST | BEING_COVERED,
    IC_29=LAST | OPPONENT_LAST | COVERED,
    IC_30=(
        LAST | OPPONENT_LAST | STRIKER | BEING_COVERED,
        LAST | OPPONENT_LAST | STRIKER | COVERED,
        LAST | OPPONENT_LAST | IMPROPER | COVERED,
    ),
    IC_31=LAST | STRIKER | ON_BOARD,
    IC_33=OPPONENT_LAST | STRIKER | ON_BOARD,
)

_IMPROPER = table(
    IC_06=IMPROPER | OPP,
    IC_07=IMPROPER | OWN,
    IC_14=IMPROPER | QUEEN | STRIKER,
    IC_15=IMPROPER | QUEEN | STRIKER | OWN,
    IC_17=IMPROPER | PENDING | STRIKER,
    IC_18=IMPROPER | PENDING | STRIKER | OWN,
    IC_22=(IMPROPER, IMPROPER | QUEEN, IMPROPER | PENDING),
)

_STRIKER = table(
    IC_03=STRIKER,
    IC_04=(STRIKER | OWN, STRIKER | OWN | OPP),
    IC_05=STRIKER | OPP,
    IC_09=QUEEN | STRIKER | OWN | OUTSTANDING,
    IC_11=QUEEN | STRIKER | NO_OWN | NINE,
    IC_14=QUEEN | STRIKER,
    IC_15=QUEEN | STRIKER | OWN,
    IC_17=PENDING | STRIKER,
    IC_18=PENDING | STRIKER | OWN,
    IC_32=STRIKER | OWN | LAST | COVERED,
)

_QUEEN = table(
    IC_01=QUEEN,
    IC_08=QUEEN | NO_OWN | NEVER,
    IC_10=QUEEN | NO_OWN | NINE | EVER,
    IC_12=QUEEN | ONE_OWN | NINE,
    IC_13=QUEEN | OWN,
)

_QUEEN_WITH_A_DUE = table(IC_09=QUEEN | OUTSTANDING)

_OTHER = table(
    IC_01=OWN,
    IC_02=0,
    IC_16=PENDING | NO_OWN,
    IC_19=PIECE_OFF,
    IC_20=STRIKER_OFF,
)

MISSED_BREAK = "IC-34"
TECHNICAL_FOUL = "IC-21"


@lru_cache(maxsize=4096)
def row_for(facts: int) -> str:
    """Return the id of the row that a stroke with these facts (or-ed) follows."""
    if facts & ENDS:
        rows = _END
    elif facts & MISSED:
        return MISSED_BREAK
    elif facts & IMPROPER:
        rows = _IMPROPER
    elif facts & STRIKER:
        rows = _STRIKER
    elif facts & QUEEN:
        rows = _QUEEN_WITH_A_DUE if facts & OUTSTANDING else _QUEEN
    else:
        rows = _OTHER
    return find(rows, facts)
