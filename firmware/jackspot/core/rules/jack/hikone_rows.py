"""Which row of the Hikone decision table a stroke follows.

Six tables, because a row for a clean stroke never holds for a faulty one: clean strokes
with and without an own puck in, the striker, the jack in, the jack off, obvious fouls.
"""

from __future__ import annotations

from functools import lru_cache

from jackspot.core.rules.jack.facts import (
    ANY_OFF,
    ANY_STRIKER,
    FOUL,
    HE_OWES,
    JACK,
    JACK_OFF,
    LAST,
    NONE,
    NOT_READY,
    OPP,
    OPP_OFF,
    OPPONENT_LAST,
    OWING,
    OWN,
    OWN_OFF,
    READY,
    SHORT,
    SOME,
    STRIKER,
    TWO_OWN,
    JackRow,
    first_of,
    table,
)


def _table(**rows: int) -> tuple[JackRow, ...]:
    return table(*(JackRow(name.replace("_", "-"), needs) for name, needs in rows.items()))


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
    HK_06=OPP | OPPONENT_LAST,
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


@lru_cache(maxsize=4096)
def row_for(facts: int) -> str:
    """Return the id of the row that a stroke with these facts (or-ed) follows."""
    if facts & FOUL:
        rows = _OBVIOUS_FOUL
    elif facts & JACK_OFF:
        rows = _JACK_OFF
    elif facts & JACK:
        rows = _JACK_IN
    elif facts & ANY_STRIKER:
        rows = _STRIKER
    else:
        rows = _OWN_PUCK_IN if facts & OWN else _NO_OWN_PUCK_IN
    row = first_of(rows, facts)
    assert row is not None, "each table has a row for all that is left"
    return row
