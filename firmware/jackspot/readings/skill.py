"""Judge how well somebody plays by the strokes of the match so far.

Nobody tells the board who plays. But a child misses three strokes in four and a master one, and
after a few strokes of a seat it shows. Only the match record is judged, so a match that is replayed
is read the same way again.
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
"""How many of the newest entries of a match are considered, of all seats together."""

PARTS = 12
"""Strokes are judged by how full the board was, in so many steps of the own pieces left. On a full
board everybody hits more: judged as if it were half full, a child looked like a beginner while all
pieces were there, and readings of its strokes were too sure."""

Judged = tuple[tuple[int, int, int], ...]
"""Strokes, those that pocketed an own piece and those that pocketed only others, for each part of
the board from the emptiest to the fullest."""

LEAST = 0.002
"""No strength is ever considered impossible."""


def skill_of(steps: Sequence[Step], seat: Seat) -> Each:
    """Return the probability of each strength for a seat; the four add up to one.

    Strokes with no own piece on the board are left out: they are shot at the jack or the queen.
    """
    judged = [[0, 0, 0] for _ in range(PARTS)]
    own_by_side: dict[Side, frozenset[Piece]] = {}
    for index in range(max(0, len(steps) - STEPS_LOOKED_AT), len(steps)):
        step = steps[index]
        stroke = step.entry
        if not isinstance(stroke, Stroke) or stroke.seat is not seat:
            continue
        position = step.state.position
        side = position.seat_sides[seat]
        if side not in own_by_side:
            own_by_side[side] = own_of(step.state.settings, position, seat)
        own = own_by_side[side]
        before = steps[index - 1] if index else None
        part = _part_left(before, step, side, len(own))
        if not part:
            continue
        seen = judged[part - 1]
        seen[0] += 1
        if any(each.piece in own and not each.flew_off for each in stroke.departures):
            seen[1] += 1
        elif any(not each.flew_off for each in stroke.departures):
            seen[2] += 1
    return skill_after(tuple((strokes, hits, others) for strokes, hits, others in judged))


def _part_left(before: Step | None, step: Step, side: Side, kinds: int) -> int:
    """Return how many parts of a side's own pieces were left before a stroke: 0 to ``PARTS``."""
    state = step.state if before is None else before.state
    if before is None or state.board != step.state.board or state.result is not None:
        return PARTS  # the first stroke of a board
    position = state.position
    piles = (side,) if kinds == 1 else position.sides  # else both take from the same ones
    left = sum(map(position.left, piles))
    return math.ceil(PARTS * min(left / (position.pieces_each * kinds), 1.0))


@lru_cache(maxsize=1_024)
def skill_after(judged: Judged) -> Each:
    """Return the probability of each strength after strokes, counted by how full the board was."""
    logs = [0.0, 0.0, 0.0, 0.0]
    for (strokes, hits, others), shares in zip(judged, _shares(), strict=True):
        misses = strokes - hits - others
        for index, (hit, other) in enumerate(shares):
            missed = 1.0 - hit - other
            logs[index] += hits * math.log(hit) + others * math.log(other)
            logs[index] += misses * math.log(missed)
    most = max(logs)
    weights = [LEAST + math.exp(each - most) for each in logs]
    child, beginner, club, master = (each / sum(weights) for each in weights)
    return child, beginner, club, master


@lru_cache(maxsize=1)
def _shares() -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return how often a stroke pockets an own piece, or only others: by part, then strength."""
    return tuple(_shares_of(part * FULL // PARTS) for part in range(1, PARTS + 1))


FULL = 12
"""Own pieces on the board that frequencies are looked up for."""


def _shares_of(left: int) -> tuple[tuple[float, float], ...]:
    board: Pocketed = (left, left, 1, 1)
    own = [frequency(each, board, FULL, Aim.PIECES) for each in STROKES if each[OWN]]
    hits = [sum(column) / 100_000 for column in zip(*own, strict=True)]
    everything = anything_at_all(board, FULL, Aim.PIECES)
    return tuple((hit, all_ / 100_000 - hit) for hit, all_ in zip(hits, everything, strict=True))
