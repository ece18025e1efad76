"""The decision table of Hikone carom: its facts, and which row a stroke follows.

There are six tables: obvious fouls, the jack off, the jack in, the striker, clean strokes with and
without an own puck in (:mod:`jackspot.core.rules.rows` says how a row is found).
"""

from __future__ import annotations

from jackspot.core.rules.rows import row_finder, table

(
    OWN,  # an own puck pocketed
    TWO_OWN,  # two or more of them
    LAST,  # with it all that are needed are in
    OPP,  # an opponent's puck pocketed
    OPPONENT_LAST,  # with it all that they need are in
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
    UNPAID,  # with the old debt, too few to pay it all
    OWING,  # O > 0
    OPPONENT_OWES,  # the opponent owes
    FOUL,  # an obvious foul was called
    FAULT,  # the striker is gone, or the jack too early or off the board
) = (1 << bit for bit in range(22))

_OWN_PUCK_IN = table(
    HK_02=OWN,
    HK_04=OWN | OPP,
    HK_05=OWN | LAST,
    HK_32=OWN | ANY_OFF,
    HK_39=OWN | OWING,
    HK_40=OWN | TWO_OWN | OWING,
    HK_42=OWN | OPP | OWING | OPPONENT_OWES,
)

_NO_OWN_PUCK_IN = table(
    HK_01=0,
    HK_03=OPP,
    HK_06=OPP | OPPONENT_LAST,
    HK_31=ANY_OFF,
    HK_34=OWN_OFF | OPP_OFF,
    HK_41=OPP | OPPONENT_OWES,
)

_STRIKER = table(
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

_JACK_IN = table(
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

_JACK_OFF = table(
    HK_27=JACK_OFF,
    HK_28=JACK_OFF | READY,
    HK_29=JACK_OFF | SHORT,
    HK_30=JACK_OFF | OWN,
)

_OBVIOUS_FOUL = table(
    HK_35=FOUL | OWN,
    HK_36=FOUL | OWN | OPP,
    HK_37=FOUL | JACK,
    HK_38=FOUL,
)

row_for = row_finder(
    (FOUL, _OBVIOUS_FOUL),
    (JACK_OFF, _JACK_OFF),
    (JACK, _JACK_IN),
    (ANY_STRIKER, _STRIKER),
    (OWN, _OWN_PUCK_IN),
    (0, _NO_OWN_PUCK_IN),
)
