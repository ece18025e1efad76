"""Carrom, Grundregeln: the German basic rules as carrom.ch gives them.

Read this beside that page: what is in quotes is its text. GR-06 and the like are rows of the
decision table below, C-01 and the like the readings of the page ``grundregeln.md``. There are nine
white and nine black pieces and one queen.

The page sums up the international laws, from which it comes, and where it is silent they are
followed (C-04). So strokes are judged there (:mod:`jackspot.core.rules.queen.icf`), with this
page's sentences beside the laws. The differences are the usual values of options, the queen before
the first piece, technical fouls, which these rules do not have, and what a board is worth.
"""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import Saying
from jackspot.core.phrases import _
from jackspot.core.rules.queen import icf, stroke as row
from jackspot.core.rules.queen.carrom import queen_rules
from jackspot.core.rules.queen.games import standing
from jackspot.core.rules.queen.icf_rows import MISSED_BREAK
from jackspot.core.rules.rows import row_finder, table
from jackspot.core.rules.system import Facts
from jackspot.core.settings import RuleSystem
from jackspot.values import changed

_FOUL = table(GR_19=row.IMPROPER)

_END = table(
    GR_15=row.OPPONENT_LAST | row.UNCOVERED,
    GR_16=row.OPPONENT_LAST | row.COVERED,
    GR_17=row.LAST | row.ON_BOARD,
    GR_18=(row.LAST | row.WON, row.LAST | row.WON | row.BEING_COVERED),
)

_STRIKER = table(
    GR_04=row.STRIKER,
    GR_05=row.STRIKER | row.NO_OWN | row.NINE,
    GR_06=row.STRIKER | row.OWN,
    GR_08=row.QUEEN | row.STRIKER | row.OWN | row.OWING,
    GR_11=row.QUEEN | row.STRIKER | row.NO_OWN,
    GR_12=row.QUEEN | row.STRIKER | row.OWN,
    GR_13=row.PENDING | row.STRIKER | row.NO_OWN,
    GR_14=row.PENDING | row.STRIKER | row.OWN,
)

_QUEEN = table(
    GR_07=row.QUEEN,
    GR_08=row.QUEEN | row.NO_OWN | row.NINE,
    GR_09=row.QUEEN | row.OWN,
    GR_10=row.QUEEN | row.ONE_OWN | row.NINE,
)

_QUEEN_WITH_A_DUE = table(GR_08=row.QUEEN | row.OWING)

_OTHER = table(
    GR_01=row.OWN,
    GR_02=0,
    GR_03=row.OWN | row.OPP,
    GR_13=row.PENDING | row.NO_OWN,
    GR_19=(row.PIECE_OFF, row.STRIKER_OFF),
)

row_for = row_finder(
    (row.ENDS, _END),
    (row.MISSED, MISSED_BREAK),
    (row.IMPROPER, _FOUL),
    (row.STRIKER, _STRIKER),
    (row.QUEEN | row.OWING, _QUEEN_WITH_A_DUE),
    (row.QUEEN, _QUEEN),
    (0, _OTHER),
)


_DIRECTIVES = changed(
    icf.DIRECTIVES,
    says={what: icf.DIRECTIVES.says[what] for what in (Saying.WAIVE, Saying.TIME)},
    belongs_to={
        **icf.DIRECTIVES.belongs_to,
        Saying.DEMAND: "icf: grundregeln have no extra point",
    },
)

GRUNDREGELN = queen_rules(
    id=RuleSystem.GRUNDREGELN,
    facts=Facts(
        name=_("Carrom Grundregeln"),
        title="Grundregeln",
        men=9,
        points_at_the_end=True,
        spot=_("on the red dot"),
        due_spot=_("by the red dot"),  # between the dot and the ring around it (003)
        to_the_right=True,
        backwards=True,
    ),
    opening=partial(icf.opening, german=True),
    judge=partial(icf.judge, row_for=row_for),
    direct=_DIRECTIVES.direct,
    standing=standing,
)
