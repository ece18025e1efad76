"""Which row of the Hikone decision table a stroke follows.

A row names what must have happened. A stroke that does more still follows the row; of
the rows that fit, the one with more conditions holds, then the one with the higher number.
Six tables, because a row for a clean stroke never holds for a faulty one: clean strokes
with and without an own puck in, the striker, the jack in, the jack off, obvious fouls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

(
    OWN,  # an own puck pocketed
    TWO_OWN,  # two or more of them
    LAST,  # with it all that are needed are in
    OPP,  # an opponent's puck pocketed
    HIS_LAST,  # with it all that he needs are in
    STRIKER,  # striker pocketed
    ANY_STRIKER,  # striker pocketed or off the board
    JACK,  # jack pocketed
    JACK_OFF,  # jack off the board
    OWN_OFF,  # an own puck off the board
    OPP_OFF,  # an opponent's puck off the board
    ANY_OFF,  # a puck of either colour off the board
    READY,  # all in and nothing owed, before the stroke
    NOT_READY,
    SOME,  # P >= 1 before the stroke
    NONE,  # P = 0
    SHORT,  # too few in the pockets to pay what is due
    OWING,  # O > 0
    HE_OWES,  # the opponent owes
    FOUL,  # an obvious foul was called
) = (1 << bit for bit in range(20))


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    needs: int


def _table(**rows: int) -> tuple[_Row, ...]:
    """Put the most specific rows first."""
    made = [_Row(name.replace("_", "-"), needs) for name, needs in rows.items()]
    return tuple(sorted(made, key=lambda row: (row.needs.bit_count(), row.id), reverse=True))


_OWN_PUCK_IN = _table(
    HK_02=OWN,
    HK_04=OWN | OPP,
    HK_05=OWN | LAST,
    HK_32=OWN | ANY_OFF,
    HK_39=OWN | OWING,
    HK_40=OWN | TWO_OWN | OWING,
    HK_42=OWN | OPP | OWING | HE_OWES,
)

_NO_OWN_PUCK_IN = _table(
    HK_01=0,
    HK_03=OPP,
    HK_06=OPP | HIS_LAST,
    HK_31=ANY_OFF,
    HK_34=OWN_OFF | OPP_OFF,
    HK_41=OPP | HE_OWES,
)

_STRIKER = _table(
    HK_07=STRIKER | SOME,
    HK_08=STRIKER | NONE,
    HK_09=STRIKER | OWN,
    HK_10=STRIKER | OWN | NONE,
    HK_11=STRIKER | OWN | TWO_OWN,
    HK_12=STRIKER | OPP,
    HK_13=STRIKER | OWN | LAST,
    HK_14=ANY_STRIKER,
    HK_33=ANY_STRIKER | OWN_OFF,
)

_JACK_IN = _table(
    HK_15=JACK | NOT_READY,
    HK_16=JACK | NOT_READY | SHORT,
    HK_17=JACK | NOT_READY | NONE,
    HK_18=JACK | OWN | NOT_READY,
    HK_19=JACK | OWN | LAST | NOT_READY,
    HK_20=JACK | OPP | NOT_READY,
    HK_21=JACK | READY,
    HK_22=JACK | OPP | READY,
    HK_23=JACK | ANY_OFF | READY,
    HK_24=JACK | ANY_STRIKER | READY,
    HK_25=JACK | ANY_STRIKER | NOT_READY,
    HK_26=JACK | ANY_STRIKER | OWN | NOT_READY,
)

_JACK_OFF = _table(
    HK_27=JACK_OFF,
    HK_28=JACK_OFF | READY,
    HK_29=JACK_OFF | SHORT,
    HK_30=JACK_OFF | OWN,
)

_OBVIOUS_FOUL = _table(
    HK_35=FOUL | OWN,
    HK_36=FOUL | OWN | OPP,
    HK_37=FOUL | JACK,
    HK_38=FOUL,
)

AREA_HIT = "HK-43"


@lru_cache(maxsize=4096)
def row_for(facts: int) -> str:
    """Give the id of the row that a stroke with these facts (or-ed) follows."""
    if facts & FOUL:
        table = _OBVIOUS_FOUL
    elif facts & JACK_OFF:
        table = _JACK_OFF
    elif facts & JACK:
        table = _JACK_IN
    elif facts & ANY_STRIKER:
        table = _STRIKER
    else:
        table = _OWN_PUCK_IN if facts & OWN else _NO_OWN_PUCK_IN
    return next(row.id for row in table if row.needs & facts == row.needs)
