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
    Row,
    first_of,
    table,
)

_FAULTY = table(
    Row("JP-01", ANY_STRIKER),
    Row("JP-02", JACK | NOT_READY),
    Row("JP-02", JACK_OFF),
    Row("JP-04", FAULT | OWN_OFF),
    Row("JP-06", OWN | LAST | JACK),
    Row("JP-07", FAULT | OWN),
    Row("JP-08", FAULT | UNPAID),
    Row("JP-09", JACK | ANY_STRIKER),
)

_CLEAN = table(
    Row("JP-03", ANY_OFF),
    Row("JP-05", OPP),
)

_GIFT_PAYS = table(  # it does not stay in, of which these rules are silent
    Row("JP-03", ANY_OFF),
)

_READY_JACK = table(
    Row("JP-09", READY | JACK | OPP),
)

_OBVIOUS_FOUL = table(
    Row("JP-09", FOUL),
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
