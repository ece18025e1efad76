"""How well somebody plays, judged by the strokes of the match so far.

Nobody tells the board who plays. But a child misses three strokes of four and a master one,
and after a few strokes of a seat it shows. What is judged is only what stands in the match
record, so a match that is replayed is read the same way again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from jackspot.core.match import Step
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.stroke import Stroke
from jackspot.readings.own_pieces import own_of
from jackspot.readings.usual import OWN, STROKES, Aim, Each, Pocketed, anything_at_all, frequency

ANYBODY: Each = (0.25, 0.25, 0.25, 0.25)
"""Before the first stroke: as likely a child, a beginner, a club player or a master."""

STEPS_LOOKED_AT = 160
"""So many of the newest entries of a match are looked at, of all seats together."""

HALF_FULL: Pocketed = (6, 6, 1, 1)
"""The board that strokes are judged by: in the middle of a game."""

LEAST = 0.002
"""Nobody is ever held to be impossible."""


def skill_of(steps: Sequence[Step], seat: Seat) -> Each:
    """Say how likely a seat is played by each strength; the four add up to one."""
    strokes = hits = others = 0
    own_by_side: dict[Side, frozenset[Piece]] = {}
    for step in steps[-STEPS_LOOKED_AT:]:
        stroke = step.entry
        if not isinstance(stroke, Stroke) or stroke.seat is not seat:
            continue
        position = step.state.position
        side = position.seat_sides[seat]
        if side not in own_by_side:
            own_by_side[side] = own_of(step.state.settings, position, seat)
        own = own_by_side[side]
        strokes += 1
        if any(each.piece in own and not each.flew_off for each in stroke.departures):
            hits += 1
        elif any(not each.flew_off for each in stroke.departures):
            others += 1
    return skill_after(strokes, hits, others)


@lru_cache(maxsize=1_024)
def skill_after(strokes: int, hits: int, others: int) -> Each:
    """Judge by so many strokes, of which some pocketed an own piece, some only others."""
    misses = strokes - hits - others
    logs = [
        hits * math.log(hit) + others * math.log(other) + misses * math.log(1.0 - hit - other)
        for hit, other in _shares()
    ]
    most = max(logs)
    weights = [LEAST + math.exp(each - most) for each in logs]
    child, beginner, club, master = (each / sum(weights) for each in weights)
    return child, beginner, club, master


@lru_cache(maxsize=1)
def _shares() -> tuple[tuple[float, float], ...]:
    """Return for each strength how often a stroke pockets an own piece, or only others."""
    own = [frequency(each, HALF_FULL, 12, Aim.PIECES) for each in STROKES if each[OWN]]
    hits = [sum(column) / 100_000 for column in zip(*own, strict=True)]
    everything = anything_at_all(HALF_FULL, 12, Aim.PIECES)
    return tuple((hit, all_ / 100_000 - hit) for hit, all_ in zip(hits, everything, strict=True))
