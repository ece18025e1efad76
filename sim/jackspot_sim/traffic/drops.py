"""Drops of known pieces at beams of a known depth, drawn from the table of traffic."""

from __future__ import annotations

import random

from jackspot.calibration.measuring.measured import Drop, DropPlace, Measured, PieceKind, PieceSet
from jackspot.core.pieces import Pocket
from jackspot_sim.chance.frequencies import PieceRole as Fallen
from jackspot_sim.traffic.passing import draw_one, draw_two

FALLEN = {
    PieceKind.PUCK: Fallen.OWN,
    PieceKind.MAN: Fallen.OWN,
    PieceKind.JACK: Fallen.JACK,
    PieceKind.QUEEN: Fallen.JACK,
    PieceKind.STRIKER: Fallen.STRIKER,
}


def one(pieces: PieceSet, kind: PieceKind, depth_mm: float, rng: random.Random) -> Drop:
    """Drop one piece; one that misses the beam is dropped again."""
    spans: tuple[int, ...] = ()
    while not spans:
        spans = draw_one(FALLEN[kind], rng, depth_mm, queen=pieces is PieceSet.CARROM)
    return Drop(spans)


def two(pieces: PieceSet, kind: PieceKind, depth_mm: float, rng: random.Random) -> Drop:
    """Drop two pieces at once."""
    fallen = FALLEN[kind]
    return Drop(draw_two(fallen, fallen, rng, depth_mm, queen=pieces is PieceSet.CARROM))


def dropped(
    pieces: PieceSet, each: int, depth_mm: float, seed: int,
    pockets: tuple[Pocket, ...] = tuple(Pocket),
) -> Measured:  # fmt: skip
    """Drop a number of each kind into each pocket."""
    rng = random.Random(seed)
    measured = Measured(pieces)
    for pocket in pockets:
        for kind in pieces.kinds:
            for _ in range(each):
                drop = one(pieces, kind, depth_mm, rng)
                measured = measured.with_drop(DropPlace(pocket, kind), drop)
    return measured
