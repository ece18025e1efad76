"""What may have happened in a stroke of carom with a jack, as the decision tables say it.

A row of a table names what must have happened. A stroke that does more still follows the
row; of the rows that fit, the one with more conditions holds, then the one with the higher
number.
"""

from __future__ import annotations

from dataclasses import dataclass

(
    OWN,  # an own puck pocketed
    TWO_OWN,  # two or more of them
    LAST,  # with it all that are needed are in
    OPP,  # an opponent's puck pocketed
    OPPONENT_LAST,  # with it all that he needs are in
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
    HE_OWES,  # the opponent owes
    FOUL,  # an obvious foul was called
    FAULT,  # the striker is gone, or the jack too early or off the board
) = (1 << bit for bit in range(22))


@dataclass(frozen=True, slots=True)
class JackRow:
    """One row: its id, and the facts that must hold, or-ed."""

    id: str
    needs: int


def table(*rows: JackRow) -> tuple[JackRow, ...]:
    """Put the most specific rows first."""
    return tuple(sorted(rows, key=lambda row: (row.needs.bit_count(), row.id), reverse=True))


def first_of(rows: tuple[JackRow, ...], facts: int) -> str | None:
    """Return the id of the first row that fits."""
    return next((row.id for row in rows if row.needs & facts == row.needs), None)
