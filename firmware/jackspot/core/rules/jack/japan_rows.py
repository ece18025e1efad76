"""Which row of the championship rules a stroke follows.

The Japanese rules name nine cases; where none of them says what becomes of a stroke, it is
judged, and cited, as in Hikone. A row for a clean stroke never holds for a faulty one.
"""

from __future__ import annotations

from functools import lru_cache

from jackspot.core.rules.jack import hikone_rows
from jackspot.core.rules.jack.facts import (
    ANY_OFF,
    ANY_STRIKER,
    FAULT,
    FOUL,
    HE_OWES,
    JACK,
    JACK_OFF,
    LAST,
    NOT_READY,
    OPP,
    OWN,
    OWN_OFF,
    READY,
    UNPAID,
    JackRow,
    first_of,
    table,
)

_FAULTY = table(
    JackRow("JP-01", ANY_STRIKER),
    JackRow("JP-02", JACK | NOT_READY),
    JackRow("JP-02", JACK_OFF),
    JackRow("JP-04", FAULT | OWN_OFF),
    JackRow("JP-06", OWN | LAST | JACK),
    JackRow("JP-07", FAULT | OWN),
    JackRow("JP-08", FAULT | UNPAID),
    JackRow("JP-09", JACK | ANY_STRIKER),
)

_CLEAN = table(
    JackRow("JP-03", ANY_OFF),
    JackRow("JP-05", OPP),
)

_GIFT_PAYS = table(  # it does not stay in, of which these rules are silent
    JackRow("JP-03", ANY_OFF),
)

_READY_JACK = table(
    JackRow("JP-09", READY | JACK | OPP),
)

_OBVIOUS_FOUL = table(
    JackRow("JP-09", FOUL),
)


@lru_cache(maxsize=4096)
def row_for(facts: int) -> str:
    """Return the id of the row that a stroke with these facts (or-ed) follows."""
    if facts & FOUL:
        rows = _OBVIOUS_FOUL
    elif facts & FAULT:
        rows = _FAULTY
    elif facts & JACK:
        rows = _READY_JACK
    elif facts & HE_OWES:
        rows = _GIFT_PAYS
    else:
        rows = _CLEAN
    return first_of(rows, facts) or hikone_rows.row_for(facts)
