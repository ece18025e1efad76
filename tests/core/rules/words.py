"""The words of the hand-written tables: a stroke as a record has it, with ``own`` and ``opp``."""

from __future__ import annotations

import re

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.position import Position
from jackspot.core.stroke import Departure, Flag, Stroke


def colours(position: Position) -> dict[str, Piece]:
    """Return what ``own`` and ``opp`` are for the seat in turn."""
    own, other = position.side.piece, position.other(position.side).piece
    return {"own": own, "opp": other, "jack": Piece.JACK, "queen": Piece.QUEEN}


def stroke_of(position: Position, text: str) -> Stroke:
    """Read a stroke as a record writes it, with ``own`` and ``opp`` for the colours."""
    words = {**colours(position), "striker": Piece.STRIKER}
    departures: list[Departure] = []
    flags: set[Flag] = set()
    for token in text.split():
        match = re.fullmatch(r"(?:(\d+)\*)?(\w+)(?:@(\w\w))?(\^?)", token)
        if match and match[2] in words:
            pocket = Pocket(match[3]) if match[3] else None
            piece = Departure(words[match[2]], pocket, flew_off=bool(match[4]))
            departures += [piece] * int(match[1] or 1)
        elif token != "-":
            flags.add(Flag(token))
    return Stroke(position.seat, tuple(departures), frozenset(flags))
