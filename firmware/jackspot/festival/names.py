"""The names of halls and of the boards in them."""

from __future__ import annotations

import re

HALL = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""A hall's name: a word of lower-case letters, digits and hyphens."""
BOARD = re.compile(r"b(?:[1-9][0-9]{2}|0[1-9][0-9]|00[1-9])")
"""A board's id, its number with three digits, which is also its MQTT user."""
MOST_BOARDS = 999


def board_id(number: int) -> str:
    """Return the id of the board with this number: ``b007``. ValueError outside 1 to 999."""
    if not 1 <= number <= MOST_BOARDS:
        raise ValueError(f"a board's number is 1 to {MOST_BOARDS}, found {number}")
    return f"b{number:03}"
