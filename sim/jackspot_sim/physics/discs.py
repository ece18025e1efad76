"""What the piezo discs under a board's four sides feel of collisions on it and of people.

A collision passes momentum on; some of it shakes the board, and the shaking is weaker the further
away a disc is. Each disc then rings, and dies away. Every number has its source; nobody has
measured a board with discs yet.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from jackspot.core.pieces import Seat
from jackspot_sim.chance.shaking import Disturbance
from jackspot_sim.physics.boards import PhysicalBoard
from jackspot_sim.physics.figures import Figure, Figures, Source, values
from jackspot_sim.physics.values import Flick, Knock, Touch

_COMPUTED, _GUESS = Source.COMPUTED, Source.GUESS

FIGURES: Figures = {
    "gain": Figure(
        2_000, "a mN s", _GUESS,
        "Reading of a disc right under a blow: set so that a usual flick reads some 7 thousand at "
        "its own side on a Hikone board and 16 thousand on a carrom board, more than the hub's "
        "usual level of 900 at all four. About one carrom flick in ten fills the scale.",
    ),
    "reach_mm": Figure(
        150.0, "mm", _GUESS,
        "The distance at which a blow is felt half as much: a plate of 6 to 8 mm on a frame. The "
        "side of a blow shows only as far as this is shorter than the board.",
    ),
    "flick_passes": Figure(
        1.0, "", _GUESS,
        "Share of the striker's momentum that the board feels in a flick: the hand that rests on "
        "it pushes back as much.",
    ),
    "frame_passes": Figure(
        0.5, "", _GUESS, "Share of what a cushion takes: it is glued on, and pushed sideways."
    ),
    "pieces_pass": Figure(
        0.12, "", _GUESS,
        "Share of what passes between two pieces: they slide; the board feels only their rattling.",
    ),
    "pocket_passes": Figure(
        0.3, "", _GUESS, "For a piece that lands below its pocket: on felt, in a drawer."
    ),
    "rings_ms": Figure(
        4.0, "ms", _GUESS, "How long a disc rings until a third is left: wood damps well."
    ),
    "sound_mm_ms": Figure(
        500.0, "mm/ms", _GUESS, "Bending waves of some kilohertz in plywood: 300 to 700 m/s."
    ),
    "rest": Figure(8_000, "", _GUESS, "What a disc reads at rest: a divider, off the ends."),
    "full": Figure(65_535, "", _COMPUTED, "The highest reading of the hub's converter: 16 bits."),
    "noise": Figure(60, "", _GUESS, "Spread of a reading at rest: a Pico's converter, long leads."),
}  # fmt: skip


class DiscSizes(Struct, frozen=True):
    """The bare numbers; see ``FIGURES``."""

    gain: float
    reach_mm: float
    flick_passes: float
    frame_passes: float
    pieces_pass: float
    pocket_passes: float
    rings_ms: float
    sound_mm_ms: float
    rest: float
    full: float
    noise: float


DISCS = DiscSizes(**values(FIGURES))

_PASSES = {
    Touch.PIECES: DISCS.pieces_pass,
    Touch.FRAME: DISCS.frame_passes,
    Touch.POCKET: DISCS.pocket_passes,
}


class Blow(NamedTuple):
    """Something that shakes the board: how much each disc feels of it, N, E, S and W, and how late.

    ``heights`` are readings above rest, ``delays_us`` microseconds.
    """

    at_ns: int
    heights: tuple[float, float, float, float]
    delays_us: tuple[int, int, int, int] = (0, 0, 0, 0)

    def later(self, by_ns: int) -> Blow:
        """Return the same blow at another instant."""
        return self._replace(at_ns=self.at_ns + by_ns)


def disc_at(board: PhysicalBoard, seat: Seat) -> tuple[float, float]:
    """Return where the disc of a side is, in millimetres: in its middle, under the frame."""
    side = board.half_mm
    return {Seat.N: (0.0, side), Seat.E: (side, 0.0), Seat.S: (0.0, -side), Seat.W: (-side, 0.0)}[
        seat
    ]


def blow_at(board: PhysicalBoard, at_ns: int, x_mm: float, y_mm: float, impulse: float) -> Blow:
    """Return what the discs feel of an impulse, in mN s, at one place of the board."""
    away = [math.dist((x_mm, y_mm), disc_at(board, seat)) for seat in Seat]
    n, e, s, w = (DISCS.gain * impulse / (1 + each / DISCS.reach_mm) for each in away)
    late = tuple(round(1_000 * each / DISCS.sound_mm_ms) for each in away)
    return Blow(at_ns, (n, e, s, w), (late[0], late[1], late[2], late[3]))


def blows_of_shot(
    board: PhysicalBoard, flick: Flick, mass_g: float, contacts: Iterable[Knock]
) -> tuple[Blow, ...]:
    """Return what a shot does to the board, from its flick on; instants are from the flick.

    ``mass_g`` is the striker's.
    """
    thrust = DISCS.flick_passes * mass_g * flick.speed_mm_s / 1000
    blows = [blow_at(board, 0, flick.x_mm, flick.y_mm, thrust)]
    for each in contacts:
        passed = _PASSES[each.touch] * each.impulse_mns
        blows.append(blow_at(board, round(each.at_s * 1e9), each.x_mm, each.y_mm, passed))
    return tuple(blows)


def flick_from(board: PhysicalBoard, seat: Seat, rng: random.Random) -> Flick:
    """Draw a flick from somewhere on a side's line towards the middle, soft or hard."""
    turn = {Seat.E: 0.0, Seat.N: math.pi / 2, Seat.W: math.pi, Seat.S: -math.pi / 2}[seat]
    out, along = board.half_mm - board.line_mm, rng.uniform(-0.8, 0.8) * board.line_reach_mm
    x = out * math.cos(turn) - along * math.sin(turn)
    y = out * math.sin(turn) + along * math.cos(turn)
    aim = math.atan2(-y + rng.uniform(-60, 60), -x + rng.uniform(-60, 60))
    return Flick(x, y, rng.uniform(0.2, 0.8) * board.fastest_mm_s, aim)


def blow_of(board: PhysicalBoard, each: Disturbance) -> Blow:
    """Return the blow that people or the room deal the board, as it was drawn."""
    if each.at is None:  # it comes through the table's feet and reaches all discs equally
        lean = (each.lean_n, each.lean_e, 1 / each.lean_n, 1 / each.lean_e)
        n, e, s, w = (each.height * share for share in lean)
        return Blow(each.at_ns, (n, e, s, w))
    x, y = each.at
    blow = blow_at(board, each.at_ns, x * board.half_mm, y * board.half_mm, 1.0)
    nearest = max(blow.heights)
    n, e, s, w = (each.height * height / nearest for height in blow.heights)
    return blow._replace(heights=(n, e, s, w))
