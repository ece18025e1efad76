"""Pieces that a hand pushes over the rim, one by one: what a calibration measures."""

from __future__ import annotations

import math
import random
from itertools import pairwise

from jackspot.calibration.measuring.measured import (
    Drop as Dropped,
    DropPlace,
    Measured,
    PieceKind,
    PieceSet,
)
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.sensing.events import Pulse
from jackspot_sim.chance.laws import MS
from jackspot_sim.physics.boards import PhysicalBoard, board_of, disc_of, tips_within_mm
from jackspot_sim.physics.effects import EFFECTS
from jackspot_sim.physics.values import PieceFall, TippingPiece
from jackspot_sim.sensing.quality import Sensors
from jackspot_sim.sensing.wires import sense

PUSHED_MM_S = (50.0, 350.0)
"""How fast a finger pushes a piece over the rim; a guess."""
ASIDE_RAD = 0.6
"""How far from the straight way into the corner a finger may push it; a guess."""
ONE_FALL_NS = 15 * MS
MOST_TRIES = 200

PIECES = {
    PieceKind.PUCK: Piece.RED,
    PieceKind.JACK: Piece.JACK,
    PieceKind.MAN: Piece.WHITE,
    PieceKind.QUEEN: Piece.QUEEN,
    PieceKind.STRIKER: Piece.STRIKER,
}


def dropped(system: RuleSystem, each: int, sensors: Sensors, seed: int) -> Measured:
    """Push so many of each kind into each pocket; one that the beam misses is pushed again.

    A pocket whose beam sees nothing at all stays unmeasured.
    """
    rng = random.Random(f"drops {seed}")
    board = board_of(system)
    measured = Measured(PieceSet.of_board(rules_for(system).red))
    for pocket in Pocket:
        for kind in measured.pieces.kinds:
            for _ in range(each):
                drop = _one(board, PIECES[kind], pocket, sensors, rng)
                if drop is not None:
                    measured = measured.with_drop(DropPlace(pocket, kind), drop)
    return measured


def _one(
    board: PhysicalBoard, piece: Piece, pocket: Pocket, sensors: Sensors, rng: random.Random
) -> Dropped | None:
    for _ in range(MOST_TRIES):
        fall = PieceFall(1, piece, pocket, 0.0, _pushed(board, piece, pocket, rng))
        found = [each.pulses for each in sense(board, [fall], sensors, rng, ONE_FALL_NS)]
        pulses = [each for each in found if each]
        if len(pulses) == 1:
            return Dropped(_spans(pulses[0]))
    return None


def _pushed(board: PhysicalBoard, piece: Piece, pocket: Pocket, rng: random.Random) -> TippingPiece:
    """Push a piece towards the corner until it tips."""
    disc = disc_of(board, piece)
    at_x, at_y = board.pocket_at(pocket)
    towards = math.atan2(at_y, at_x) + rng.uniform(-ASIDE_RAD, ASIDE_RAD)
    speed = rng.uniform(*PUSHED_MM_S)
    past = max(tips_within_mm(board, disc) - 1.0, 0.0)
    sinks = math.sqrt(2 * 9_806.65 * EFFECTS.sunk_mm)
    return TippingPiece(
        -past * math.cos(towards), -past * math.sin(towards),
        speed * math.cos(towards), speed * math.sin(towards), sinks,
        math.atan2(EFFECTS.sunk_mm, disc.radius_mm), sinks / disc.radius_mm, towards, 0.0,
    )  # fmt: skip


def _spans(pulses: tuple[Pulse, ...]) -> tuple[int, ...]:
    """Return pulse, gap, pulse ..."""
    spans = [pulses[0].width_ns]
    for before, after in pairwise(pulses):
        spans += [after.start_ns - before.end_ns, after.width_ns]
    return tuple(spans)
