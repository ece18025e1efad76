"""How sure a board is of its readings, and how often it is right when it is that sure.

What counts is the likeliest reading of falls when quiet has ended *falling*: then it is shown, or
entered automatically if the board is set to do so. Of readings said to be p sure, a share of p
should be right; if fewer are, the board is too sure. Hands count too: a reading that says "no
stroke" is right if no piece fell.

Two figures say how good probabilities are. The *expected calibration error* is the average
distance between what is said and what was right, in bins of what is said. The *score* is the mean
of the logarithm of the probability given to what came true (right or wrong). It is proper: nothing
but the truth can be expected to score better.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from jackspot.core.match import Match
from jackspot.core.pieces import Piece
from jackspot.core.rules import rules_for
from jackspot.core.stroke import Departure
from jackspot.dialogue.proposals.scenes import scene_in
from jackspot.dialogue.state.proposal import Proposal
from jackspot.readings.own_pieces import counts_by_colour
from jackspot.readings.usual import PLACE
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.traffic.ceiling import content_of
from jackspot_sim.traffic.rounds import Happened

EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Where one bin of what is said ends and the next begins; narrow where settling is decided."""

END_OF_A_BOARD = 0.25
"""With this small a part of its own pieces left, or none, a seat plays the end of a board."""

LEAST_SAID = 0.0005
"""The least probability of what came true that is scored: half the step in which certainties are
counted."""


class BoardPhase(StrEnum):
    """How far a board has come, by what the board itself knows."""

    BREAK = "break"
    """Nothing has been pocketed yet."""
    MIDDLE = "middle"
    END = "end"
    """A quarter of the shooter's own pieces or fewer are left."""


class Certainty(NamedTuple):
    """A first reading: who played, when on a board, how sure it was, and whether it was right."""

    strength: Strength
    phase: BoardPhase
    said: float
    """How sure it was, to a thousandth, so that many can be counted together."""
    right: bool


Certainties = Counter[Certainty]
"""How often each occurred; those of several matches add up."""


class Bin(Struct, frozen=True):
    """Readings that were about as sure: how many, how many of them right, and what they said."""

    count: int
    right: int
    said: float
    """The mean of what they said."""

    @property
    def share(self) -> float:
        """Return the share that was right."""
        return self.right / self.count


def phase_of(match: Match) -> BoardPhase:
    """Return how far the board of a match has come for the seat that is to shoot."""
    position = match.state.position
    if not any(each.pocketed or each.owed for each in position.counts_by_side().values()):
        return BoardPhase.BREAK
    scene = scene_in(match, position.seat)
    own = (piece for piece in scene.available if PLACE[scene.roles[piece]] == 0)
    left = sum(scene.available[piece] for piece in own)
    return BoardPhase.END if left <= END_OF_A_BOARD * scene.full else BoardPhase.MIDDLE


def is_right(
    proposal: Proposal, match: Match, shot: set[int], happened: Sequence[Happened], late: set[int]
) -> bool:
    """Whether the first reading of a proposal says what fell, and who shot it.

    ``shot`` are the numbers of the strokes whose pieces made the falls, ``late`` those whose piece
    that fell when everything was over is among the falls.
    """
    reading = proposal.readings[0]
    if len(shot) != 1:
        return not shot and not reading.stroke
    [number] = shot
    true = happened[number].turn.shot
    whole = tuple(each for each in true.stroke.departures if not each.flew_off)
    fell = whole if number in late else true.at_first
    shooter = reading.seat or proposal.seat
    if not reading.stroke or shooter is not true.stroke.seat:
        return False
    if content_of(reading.departures) != content_of(fell):
        return False
    counted = counts_by_colour(rules_for(match.settings.rules))
    return counted or _in_turn(reading.departures) == _in_turn(fell)


def _in_turn(departures: Sequence[Departure]) -> tuple[Piece, ...]:
    """Return the pieces in the order in which they fell; no rule asks for a striker's place."""
    return tuple(each.piece for each in departures if each.piece is not Piece.STRIKER)


# --- many of them ------------------------------------------------------------------------


def bins_of(found: Certainties, edges: Sequence[float] = EDGES) -> tuple[Bin, ...]:
    """Sort readings by what they said; empty bins are left out."""
    sorted_in: list[Certainties] = [Counter() for _ in pairwise(edges)]
    for each, count in found.items():
        at = sum(each.said >= edge for edge in edges[1:-1])
        sorted_in[at][each] = count
    return tuple(_bin(some) for some in sorted_in if some)


def _bin(some: Certainties) -> Bin:
    count = some.total()
    right = sum(often for each, often in some.items() if each.right)
    return Bin(count, right, sum(each.said * often for each, often in some.items()) / count)


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error, 0 to 1; 0 without readings."""
    count = sum(each.count for each in bins)
    return sum(each.count * abs(each.said - each.share) for each in bins) / max(count, 1)


def score_of(found: Certainties) -> float:
    """Return the mean logarithm of the probability of what came true: 0 at best."""
    logs = (
        often * math.log(max(each.said if each.right else 1.0 - each.said, LEAST_SAID))
        for each, often in found.items()
    )
    return sum(logs) / max(found.total(), 1)


def wilson(part: int, whole: int, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson interval of a share: 95 of 100 such intervals contain the true one."""
    if not whole:
        return 0.0, 1.0
    share, square = part / whole, z * z
    middle = (share + square / (2 * whole)) / (1 + square / whole)
    half = z * math.sqrt(share * (1 - share) / whole + square / (4 * whole * whole))
    half /= 1 + square / whole
    return max(0.0, middle - half), min(1.0, middle + half)
