"""Pieces that a hand pushes over the rim one by one, for a calibration to measure."""

from __future__ import annotations

import math
import random
from itertools import cycle

from jackspot.calibration.measuring.measured import (
    PIECES,
    Drop as Dropped,
    DropPlace,
    Measured,
    PieceSet,
)
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.sensing.events import Fall
from jackspot_sim.chance.laws import MS
from jackspot_sim.physics import opening
from jackspot_sim.physics.boards import PhysicalBoard, board_of, disc_of, tips_within_mm
from jackspot_sim.physics.effects import EFFECTS
from jackspot_sim.physics.values import PieceFall, TippingPiece
from jackspot_sim.sensing.heads import BoardHeads
from jackspot_sim.sensing.quality import Sensors
from jackspot_sim.sensing.wires import sense

PUSHED_MM_S = (50.0, 350.0)
"""How fast a finger pushes a piece over the rim; a guess."""
ASIDE_RAD = 0.6
"""How far from the straight way into the corner a finger may push it; a guess."""
ONE_FALL_NS = 15 * MS
MOST_TRIES = 200


def dropped(
    system: RuleSystem, each: int, sensors: Sensors, seed: int | str,
    heads: BoardHeads | None = None,
) -> Measured:  # fmt: skip
    """Push a number of each kind into each pocket, its colours in turn; the beam must see each.

    A piece that it misses is pushed again; a pocket whose beam sees nothing stays unmeasured.
    """
    rng = random.Random(f"drops {seed}")
    board = board_of(system)
    measured = Measured(PieceSet.of_board(rules_for(system).red))
    used = {Piece.STRIKER, *(each.piece for each in opening(system))}
    for pocket in Pocket:
        for kind, pieces in PIECES[measured.pieces].items():
            colours = cycle(piece for piece in pieces if piece in used)
            for _ in range(each):
                drop = _one(board, next(colours), pocket, sensors, rng, heads)
                if drop is not None:
                    measured = measured.with_drop(DropPlace(pocket, kind), drop)
    return measured


def _one(
    board: PhysicalBoard, piece: Piece, pocket: Pocket, sensors: Sensors, rng: random.Random,
    heads: BoardHeads | None,
) -> Dropped | None:  # fmt: skip
    for _ in range(0 if sensors[pocket].is_blind else MOST_TRIES):
        fall = PieceFall(1, piece, pocket, 0.0, _pushed(board, piece, pocket, rng))
        found = [
            each for each in sense(board, [fall], sensors, rng, ONE_FALL_NS, heads) if each.pulses
        ]
        if len(found) == 1:
            return Dropped.of_fall(Fall(0, pocket, found[0].pulses, seen=found[0].seen))
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
