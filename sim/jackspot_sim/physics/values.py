"""What goes into a shot and what comes out of it: values only."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket

FRAMES_A_SECOND = 60
STRIKER = 0
"""The number of the striker in a shot; each piece on the board has another of its own."""


class Lying(Struct, frozen=True):
    """One piece at rest on the board, in millimetres from its middle (x east, y north).

    ``number`` stays the piece's own for the whole board. ``level`` is how many pieces it lies
    on: 0 is on the wood.
    """

    number: int
    piece: Piece
    x_mm: float
    y_mm: float
    level: int = 0


class Flick(Struct, frozen=True):
    """Where the striker is placed, and how it leaves.

    ``angle_rad`` 0 is to the east, pi/2 to the north.
    """

    x_mm: float
    y_mm: float
    speed_mm_s: float
    angle_rad: float


class Spot(NamedTuple):
    """Where one moving piece is in a frame; ``lift_mm`` is how high above the wood."""

    number: int
    x_mm: float
    y_mm: float
    turn_rad: float
    lift_mm: float = 0.0


class Frame(Struct, frozen=True):
    """One sixtieth of a second: all pieces that moved since the frame before."""

    at_s: float
    spots: tuple[Spot, ...]


class TippingPiece(Struct, frozen=True):
    """A piece as it tips over a pocket's edge: its place, and how it moves.

    ``x_mm`` and ``y_mm`` are from the pocket's middle. ``vz_mm_s`` is downwards. ``tilt_rad``
    is how far it leans (0: flat), towards ``towards_rad``, ``tilt_rate`` how fast that grows,
    ``spin`` how fast it turns about its own axis.
    """

    x_mm: float
    y_mm: float
    vx_mm_s: float
    vy_mm_s: float
    vz_mm_s: float
    tilt_rad: float
    tilt_rate: float
    towards_rad: float
    spin: float


class PieceFall(Struct, frozen=True):
    """A piece that goes into a pocket. ``late``: after everything had come to rest."""

    number: int
    piece: Piece
    pocket: Pocket
    at_s: float
    drop: TippingPiece
    late: bool = False


class Flown(Struct, frozen=True):
    """A piece that leaves the board over the frame."""

    number: int
    piece: Piece
    at_s: float


class Touch(StrEnum):
    """What collides with what."""

    PIECES = "pieces"
    FRAME = "frame"
    POCKET = "pocket"


class Knock(NamedTuple):
    """Something heard: what collided, how fast, where, and what momentum passed between them.

    ``impulse_mns`` is in millinewton seconds, which are gramme metres a second.
    """

    at_s: float
    touch: Touch
    speed_mm_s: float
    x_mm: float
    y_mm: float
    impulse_mns: float = 0.0


class Shot(Struct, frozen=True):
    """A whole shot, computed ahead.

    ``frames`` are sixty a second and hold what moved. ``resting`` is what lies on the board when
    everything is over, late falls included, without the striker; ``striker_at`` is where that came
    to rest, None if it fell or flew. ``first_hit`` is the number of the piece that the striker
    touched first, ``by_frame`` whether it had met the frame before. ``duration_s`` is the time
    until nothing moves any more; late falls come after it.
    """

    frames: tuple[Frame, ...]
    falls: tuple[PieceFall, ...]
    flown: tuple[Flown, ...]
    resting: tuple[Lying, ...]
    contacts: tuple[Knock, ...]
    duration_s: float
    striker_at: tuple[float, float] | None
    first_hit: int | None
    by_frame: bool
