"""The decision table of the ICF laws: which row a stroke follows.

A row for a proper stroke never holds for an improper one, nor a row for a stroke without the
striker for one with it: each has its table. Some rows have more than one shape
(:mod:`jackspot.core.rules.rows` says how a row is found).
"""

from __future__ import annotations

from jackspot.core.rules.queen import stroke as row
from jackspot.core.rules.rows import row_finder, table

MISSED_BREAK = table(IC_34=row.MISSED)

_TECHNICAL_FOUL = table(IC_21=row.TECHNICAL)

_END = table(
    IC_23=row.LAST,
    IC_24=row.LAST | row.ON_BOARD,
    IC_25=row.OPPONENT_LAST | row.UNCOVERED,
    IC_26=row.OPPONENT_LAST | row.COVERED,
    IC_27=row.LAST | row.OPPONENT_LAST | row.ON_BOARD,
    IC_28=row.LAST | row.OPPONENT_LAST | row.BEING_COVERED,
    IC_29=row.LAST | row.OPPONENT_LAST | row.COVERED,
    IC_30=(
        row.LAST | row.OPPONENT_LAST | row.STRIKER | row.BEING_COVERED,
        row.LAST | row.OPPONENT_LAST | row.STRIKER | row.COVERED,
        row.LAST | row.OPPONENT_LAST | row.IMPROPER | row.COVERED,
    ),
    IC_31=row.LAST | row.STRIKER | row.ON_BOARD,
    IC_33=row.OPPONENT_LAST | row.STRIKER | row.ON_BOARD,
)

_IMPROPER = table(
    IC_06=row.IMPROPER | row.OPP,
    IC_07=row.IMPROPER | row.OWN,
    IC_14=row.IMPROPER | row.QUEEN | row.STRIKER,
    IC_15=row.IMPROPER | row.QUEEN | row.STRIKER | row.OWN,
    IC_17=row.IMPROPER | row.PENDING | row.STRIKER,
    IC_18=row.IMPROPER | row.PENDING | row.STRIKER | row.OWN,
    IC_22=(row.IMPROPER, row.IMPROPER | row.QUEEN, row.IMPROPER | row.PENDING),
)

_STRIKER = table(
    IC_03=row.STRIKER,
    IC_04=(row.STRIKER | row.OWN, row.STRIKER | row.OWN | row.OPP),
    IC_05=row.STRIKER | row.OPP,
    IC_09=row.QUEEN | row.STRIKER | row.OWN | row.OWING,
    IC_11=row.QUEEN | row.STRIKER | row.NO_OWN | row.NINE,
    IC_14=row.QUEEN | row.STRIKER,
    IC_15=row.QUEEN | row.STRIKER | row.OWN,
    IC_17=row.PENDING | row.STRIKER,
    IC_18=row.PENDING | row.STRIKER | row.OWN,
    IC_32=row.STRIKER | row.OWN | row.LAST | row.COVERED,
)

_QUEEN = table(
    IC_01=row.QUEEN,
    IC_08=row.QUEEN | row.NO_OWN | row.NEVER,
    IC_10=row.QUEEN | row.NO_OWN | row.NINE | row.EVER,
    IC_12=row.QUEEN | row.ONE_OWN | row.NINE,
    IC_13=row.QUEEN | row.OWN,
)

_QUEEN_WITH_A_DUE = table(IC_09=row.QUEEN | row.OWING)

_OTHER = table(
    IC_01=row.OWN,
    IC_02=0,
    IC_16=row.PENDING | row.NO_OWN,
    IC_19=row.PIECE_OFF,
    IC_20=row.STRIKER_OFF,
)

row_for = row_finder(
    (row.ENDS, _END),
    (row.MISSED, MISSED_BREAK),
    (row.TECHNICAL, _TECHNICAL_FOUL),
    (row.IMPROPER, _IMPROPER),
    (row.STRIKER, _STRIKER),
    (row.QUEEN | row.OWING, _QUEEN_WITH_A_DUE),
    (row.QUEEN, _QUEEN),
    (0, _OTHER),
)
