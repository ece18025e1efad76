"""Which row of the KAGW decision table a stroke follows.

A row names what must have happened. A stroke that does more still follows the row; of
the rows that fit, the one with more conditions holds, then the one with the higher number.
A row for a clean stroke never holds for a faulty one. Among the fouls, those about a last
piece are looked at first, then those that send the queen back, then the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

(
    OWN,  # an own piece pocketed
    NO_OWN,
    LAST,  # with it all own pieces are in
    OPP,  # an opponent's piece pocketed
    OPPONENT_LAST,  # with it all of the opponent's are in
    QUEEN,  # queen pocketed
    STRIKER,  # striker pocketed
    OFF,  # a piece or the striker left the board
    PENDING,  # the queen was pocketed with the stroke before and is to be covered
    COVERED,  # the queen was covered before the stroke
    UNCOVERED,  # it was not; a foul covers nothing
    COVERING,  # an own piece fell with the queen, or right after it
    SOME,  # P >= 1 before the stroke
    NONE,  # P = 0
    OWING,  # O > 0
    CALLED,  # a foul was called
    MISSED,  # the break was missed
    LAST_TRY,  # at the last attempt
    FOUL,  # the stroke is a foul, for whatever reason
    WON,  # the stroke wins the board
) = (1 << bit for bit in range(20))


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    needs: int


def _table(**rows: int) -> tuple[_Row, ...]:
    """Put the most specific rows first."""
    made = [_Row(name.replace("_", "-"), needs) for name, needs in rows.items()]
    return tuple(sorted(made, key=lambda row: (row.needs.bit_count(), row.id), reverse=True))


_WON = _table(
    KG_19=OWN | LAST | COVERED,
    KG_20=OWN | LAST | COVERING,
)

_CLEAN = _table(
    KG_01=OWN,
    KG_02=OPP,
    KG_03=OWN | OPP,
    KG_04=0,
    KG_10=QUEEN | NONE,
    KG_11=QUEEN | OWN | NONE,
    KG_12=QUEEN | SOME,
    KG_13=QUEEN | OWN | SOME,
    KG_14=QUEEN | OPP,
    KG_16=PENDING | OWN,
    KG_17=PENDING | NO_OWN,
    KG_25=OFF,
    KG_27=MISSED,
    KG_29=OWN | OWING,
    KG_31=OWN | LAST | OWING,
)

_FOUL_WITH_A_LAST_PIECE = _table(
    KG_21=OWN | LAST | UNCOVERED,
    KG_22=OPP | OPPONENT_LAST,
    KG_23=OWN | LAST | OPP | OPPONENT_LAST | COVERED,
    KG_24=OWN | LAST | STRIKER | COVERED,
)

_FOUL_WITH_THE_QUEEN = _table(
    KG_15=QUEEN | STRIKER,
    KG_18=PENDING | STRIKER,
)

_OTHER_FOUL = _table(
    KG_05=STRIKER | SOME,
    KG_06=STRIKER | NONE,
    KG_07=STRIKER | OWN,
    KG_08=STRIKER | OWN | NONE,
    KG_09=STRIKER | OPP,
    KG_25=OFF,
    KG_26=CALLED,
    KG_28=MISSED | LAST_TRY,
)

_FOUL = _FOUL_WITH_A_LAST_PIECE + _FOUL_WITH_THE_QUEEN + _OTHER_FOUL


@lru_cache(maxsize=4096)
def row_for(facts: int) -> str:
    """Return the id of the row that a stroke with these facts (or-ed) follows."""
    table = _WON if facts & WON else _FOUL if facts & FOUL else _CLEAN
    return next(row.id for row in table if row.needs & facts == row.needs)
