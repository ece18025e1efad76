"""The decision table of KAGW carroms: which row a stroke follows.

Among the fouls, those about a last piece are tried first, then those that send the queen back, then
the rest (:mod:`jackspot.core.rules.rows` says how a row is found).
"""

from __future__ import annotations

from jackspot.core.rules.queen import stroke as row
from jackspot.core.rules.rows import row_finder, table

_WON = table(
    KG_19=row.OWN | row.LAST | row.COVERED,
    KG_20=row.OWN | row.LAST | row.COVERING,
)

_CLEAN = table(
    KG_01=row.OWN,
    KG_02=row.OPP,
    KG_03=row.OWN | row.OPP,
    KG_04=0,
    KG_10=row.QUEEN | row.NINE,
    KG_11=row.QUEEN | row.OWN | row.NINE,
    KG_12=row.QUEEN | row.SOME,
    KG_13=row.QUEEN | row.OWN | row.SOME,
    KG_14=row.QUEEN | row.OPP,
    KG_16=row.PENDING | row.OWN,
    KG_17=row.PENDING | row.NO_OWN,
    KG_25=(row.PIECE_OFF, row.STRIKER_OFF),
    KG_27=row.MISSED,
    KG_29=row.OWN | row.OWING,
    KG_31=row.OWN | row.LAST | row.OWING,
)

_FOUL_WITH_A_LAST_PIECE = table(
    KG_21=row.OWN | row.LAST | row.UNCOVERED,
    KG_22=row.OPP | row.OPPONENT_LAST,
    KG_23=row.OWN | row.LAST | row.OPP | row.OPPONENT_LAST | row.COVERED,
    KG_24=row.OWN | row.LAST | row.STRIKER | row.COVERED,
)

_FOUL_WITH_THE_QUEEN = table(
    KG_15=row.QUEEN | row.STRIKER,
    KG_18=row.PENDING | row.STRIKER,
)

_OTHER_FOUL = table(
    KG_05=row.STRIKER | row.SOME,
    KG_06=row.STRIKER | row.NINE,
    KG_07=row.STRIKER | row.OWN,
    KG_08=row.STRIKER | row.OWN | row.NINE,
    KG_09=row.STRIKER | row.OPP,
    KG_25=(row.PIECE_OFF, row.STRIKER_OFF),
    KG_26=row.IMPROPER,
    KG_28=row.MISSED | row.LAST_TRY,
)

row_for = row_finder(
    (row.WON, _WON),
    (row.FOUL, _FOUL_WITH_A_LAST_PIECE + _FOUL_WITH_THE_QUEEN + _OTHER_FOUL),
    (0, _CLEAN),
)
