"""The plane in which pieces slide: pymunk's bodies and what is fastened to them.

Friction against the board is two constraints between a body and the board itself, each with
the greatest force or torque that friction has, so that Chipmunk computes it in C. A resting piece
sleeps, costs nothing, and wakes when it is touched.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pymunk
from msgspec import Struct
from pymunk._chipmunk_cffi import lib  # see stepping

from jackspot.core.pieces import Piece
from jackspot_sim.physics.boards import GRAVITY_MM_S2, Disc, PhysicalBoard

STRIKES, SLIDES, STANDS = 1, 2, 3
"""What a shape is to the callbacks: the striker, another piece, the frame."""

_FLAT, _FRAME, _AIR = 0b001, 0b010, 0b100
ON_WOOD = pymunk.ShapeFilter(categories=_FLAT, mask=_FLAT | _FRAME)
HOPPING = pymunk.ShapeFilter(categories=_AIR, mask=_FRAME)
OVER_FRAME = pymunk.ShapeFilter(categories=_AIR, mask=0)
_WALL = pymunk.ShapeFilter(categories=_FRAME)

_WALL_MM = 40.0
"""How thick the frame is: nothing gets through it between two steps."""


class Slider(Struct, eq=False):
    """One piece that is in the plane, and how far it has left it.

    ``lift_mm`` and ``lift_mm_s`` belong to a hop, upwards; ``sunk_mm`` and ``sink_mm_s`` to tipping
    into a pocket, downwards.
    """

    number: int
    piece: Piece
    disc: Disc
    body: pymunk.Body
    shape: pymunk.Circle
    drag: pymunk.PivotJoint
    twist: pymunk.GearJoint
    tips_mm: float
    lift_mm: float = 0.0
    lift_mm_s: float = 0.0
    sunk_mm: float = 0.0
    sink_mm_s: float = 0.0
    awake: bool = False

    @property
    def hops(self) -> bool:
        """Whether it is off the wood."""
        return self.lift_mm > 0.0 or self.lift_mm_s > 0.0


def plane_of(board: PhysicalBoard) -> pymunk.Space:
    """Make an empty plane with the board's frame around it."""
    space = pymunk.Space()
    space.iterations = 8
    space.collision_slop = 0.05
    space.sleep_time_threshold = 0.05
    space.idle_speed_threshold = 1.0
    reach, wall = board.half_mm + _WALL_MM, _WALL_MM / 2
    at = board.half_mm + wall
    corners = [(-reach, -at), (reach, -at)], [(-reach, at), (reach, at)]
    sides = [(-at, -reach), (-at, reach)], [(at, -reach), (at, reach)]
    for start, end in (*corners, *sides):
        frame = pymunk.Segment(space.static_body, start, end, wall)
        frame.elasticity = board.frame_bounce / math.sqrt(board.piece_bounce)
        frame.friction = board.frame_friction / math.sqrt(board.piece_friction)
        frame.collision_type = STANDS
        frame.filter = _WALL
        space.add(frame)
    return space


def stepping(space: pymunk.Space) -> Callable[[float], None]:
    """Return what advances a plane by some seconds, for thousands of small steps.

    It does what ``Space.step`` does, without its work around each step for callbacks that put
    things into the plane or take them out, which takes longer than the step. Ours do neither.
    pymunk has no public name for the bare step.
    """
    return partial(lib.cpSpaceStep, space._space)  # noqa: SLF001  said above


def put(
    space: pymunk.Space, board: PhysicalBoard, number: int, piece: Piece, disc: Disc,
    at: tuple[float, float], tips_mm: float,
) -> Slider:  # fmt: skip
    """Put a piece into the plane, at rest and awake."""
    radius = disc.radius_mm
    body = pymunk.Body(disc.mass_g, disc.mass_g * radius * radius / 2)
    body.position = at
    shape = pymunk.Circle(body, radius)
    shape.elasticity = math.sqrt(board.piece_bounce)
    shape.friction = math.sqrt(board.piece_friction)
    shape.collision_type = SLIDES if number else STRIKES
    shape.filter = ON_WOOD
    ground = space.static_body
    drag = pymunk.PivotJoint(ground, body, (0, 0), (0, 0))
    drag.max_bias = 0
    twist = pymunk.GearJoint(ground, body, 0, 1)
    twist.max_bias = 0
    space.add(body, shape, drag, twist)
    slider = Slider(number, piece, disc, body, shape, drag, twist, tips_mm)
    weigh(slider, board)
    return slider


def weigh(slider: Slider, board: PhysicalBoard, load: float = 1.0) -> None:
    """Let the board hold a piece by friction; ``load`` is a multiple of its weight, 0 in the air.

    A disc that turns on the spot is held by two thirds of the torque at its rim.
    """
    force = load * board.board_friction * slider.disc.mass_g * GRAVITY_MM_S2
    slider.drag.max_force = force
    slider.twist.max_force = force * slider.disc.radius_mm * 2 / 3


def take(space: pymunk.Space, slider: Slider) -> None:
    """Take a piece out of the plane."""
    space.remove(slider.drag, slider.twist, slider.shape, slider.body)
