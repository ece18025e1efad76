"""A disc falls through a pocket: when it is in the beam, by geometry.

Theory of operation. A piece comes over a pocket's rim with a speed and a lean. While its trailing
rim still rests on the wood it tips about the edge, faster the further its middle is past it. Then
it falls freely, keeps turning as fast as it turned when it left, and bounces off the wall of the
hole, which changes its turning. A beam is a line across the hole, at its depth where it passes
the middle, horizontal or leaning with its bracket. It is broken while the line passes through the
disc (a flat cylinder) or nearer to its rim than dirt allows. So a disc that tumbles can let the
beam through in the middle, and one on edge beside the beam's axis is not seen at all: neither is
drawn by chance.

Coordinates: x and y from the pocket's middle as on the board, z downwards from the surface.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from jackspot_sim.physics.boards import GRAVITY_MM_S2, Disc, PhysicalBoard, tips_within_mm
from jackspot_sim.physics.figures import Figure, Figures, Source
from jackspot_sim.physics.values import TippingPiece
from jackspot_sim.sensing.quality import Sensor

STEP_S = 0.000_25
LONGEST_S = 0.6
"""A piece that is still falling by then counts as through: it is in the pocket."""

FIGURES: Figures = {
    "rim_friction": Figure(
        0.2, "", Source.GUESS, "Of a piece that slides over a pocket's rim: raw wood, not powdered."
    ),
    "tips_at_least_mm": Figure(
        0.5,
        "mm",
        Source.GUESS,
        "Past the edge; nearer to balance a breath decides, not its weight.",
    ),
    "tips_at_most_rad": Figure(
        1.2, "rad", Source.GUESS, "Leaning so far (69°) a piece has slid off the rim in any case."
    ),
}
"""How a piece goes over a pocket's rim."""

RIM_FRICTION = FIGURES["rim_friction"].value
TIPS_AT_LEAST_MM = FIGURES["tips_at_least_mm"].value
TIPS_AT_MOST_RAD = FIGURES["tips_at_most_rad"].value

Spans = list[tuple[float, float]]
"""When a beam is broken: from and until, in seconds since the piece tipped over the rim."""


class Attitude(NamedTuple):
    """Where a disc is in a pocket and how it leans, some time after it tipped over the rim.

    ``x``, ``y`` and ``z`` are in millimetres, as in the module; the others are its normal.
    """

    at_s: float
    x: float
    y: float
    z: float
    nx: float
    ny: float
    nz: float


Watch = Callable[[Attitude], None]
"""Called for each step of a disc that is near the beam's depth."""


def unwatched(_at: Attitude) -> None:
    """Watch nothing."""


class _Disc(Struct):
    """A disc in the air: its middle, its speed, and how it leans towards ``(tx, ty)``."""

    x: float
    y: float
    z: float
    vx: float
    vy: float
    vz: float
    tilt: float
    rate: float
    tx: float
    ty: float

    def attitude(self, at_s: float) -> Attitude:
        """Return how it is at an instant."""
        sin, cos = math.sin(self.tilt), math.cos(self.tilt)
        return Attitude(at_s, self.x, self.y, self.z, self.tx * sin, self.ty * sin, -cos)


def spans_of(
    board: PhysicalBoard,
    disc: Disc,
    drop: TippingPiece,
    sensor: Sensor,
    along_rad: float,
    rng: random.Random,
    watch: Watch = unwatched,
) -> Spans:
    """Let one piece fall; ``along_rad`` is the direction of the beam, seen from above.

    A leaning beam runs downwards in that direction. None if no beam sees the piece. ``watch`` is
    called as the piece goes past the beam's depth, which a shallow beam sees while it still tips.
    """
    if sensor.dead and watch is unwatched:
        return []
    axes = [along_rad, along_rad + math.pi / 2] if sensor.crossed else [along_rad]
    tilt_rad = math.radians(sensor.tilt_deg)
    lines = [_line(axis, sensor.aside_mm, tilt_rad) for axis in axes]
    falling = _Disc(
        drop.x_mm, drop.y_mm, 0.0, drop.vx_mm_s, drop.vy_mm_s, drop.vz_mm_s,
        drop.tilt_rad, drop.tilt_rate, math.cos(drop.towards_rad), math.sin(drop.towards_rad),
    )  # fmt: skip
    eye = _Eye(disc, sensor, lines, board.pocket_radius_mm * math.tan(abs(tilt_rad)), watch)
    at_s = _tip(board, disc, falling, sensor.wall_bounce, eye.look)
    falling.rate *= math.exp(rng.gauss(0.0, sensor.wobble))
    while at_s < LONGEST_S and falling.z < sensor.depth_mm + eye.reach:
        _fall(falling, board.pocket_radius_mm, disc, sensor.wall_bounce)
        at_s += STEP_S
        eye.look(falling, at_s)
    return eye.seen_until(at_s)


_Line = tuple[float, float, float, float, float]


def _line(axis: float, aside_mm: float, tilt_rad: float) -> _Line:
    """Return a beam's direction (x, y, z), and x and y of its point at the beam's depth."""
    ax, ay, level = math.cos(axis), math.sin(axis), math.cos(tilt_rad)
    return ax * level, ay * level, math.sin(tilt_rad), -ay * aside_mm, ax * aside_mm


_Look = Callable[[_Disc, float], None]
"""Called for each step of a disc, with the time since it tipped over the rim."""


class _Eye:
    """A pocket's beams and its head, which look at a disc from its first step on.

    ``leans_mm`` is how much higher or lower a leaning beam is at the wall.
    """

    def __init__(
        self, disc: Disc, sensor: Sensor, lines: list[_Line], leans_mm: float, watch: Watch
    ) -> None:
        self.reach = math.hypot(disc.radius_mm, disc.thickness_mm / 2) + leans_mm
        """How far from the beam's depth a disc's middle may be while it meets a beam."""
        self._sensor, self._lines, self._watch = sensor, lines, watch
        self._radius = disc.radius_mm + sensor.margin_mm
        self._half = disc.thickness_mm / 2 + sensor.margin_mm
        self._spans: Spans = []
        self._since: float | None = None

    def look(self, falling: _Disc, at_s: float) -> None:
        """Look at one step."""
        sensor = self._sensor
        near = abs(falling.z - sensor.depth_mm) <= self.reach + sensor.margin_mm
        if near and self._watch is not unwatched:
            self._watch(falling.attitude(at_s))
        broken = (
            near
            and not sensor.dead
            and any(
                _passes_through(falling, line, sensor.depth_mm, self._radius, self._half)
                for line in self._lines
            )
        )
        if broken and self._since is None:
            self._since = at_s
        elif not broken and self._since is not None:
            self._spans.append((self._since, at_s))
            self._since = None

    def seen_until(self, at_s: float) -> Spans:
        """Return when a beam was broken, up to the last step."""
        return self._spans if self._since is None else [*self._spans, (self._since, at_s)]


def _tip(board: PhysicalBoard, disc: Disc, falling: _Disc, bounce: float, look: _Look) -> float:
    """Tip about the rim until the trailing rim is free; return how long that takes."""
    hole, radius = board.pocket_radius_mm, disc.radius_mm
    held = tips_within_mm(board, disc)
    at_s = 0.0
    while at_s < LONGEST_S and falling.tilt < TIPS_AT_MOST_RAD:
        back = radius * math.cos(falling.tilt)
        if math.hypot(falling.x - falling.tx * back, falling.y - falling.ty * back) <= hole:
            break
        past = max(held - math.hypot(falling.x, falling.y), TIPS_AT_LEAST_MM)
        turning = GRAVITY_MM_S2 * past * math.cos(falling.tilt) / (radius * radius / 4 + past**2)
        falling.rate += turning * STEP_S
        falling.tilt += falling.rate * STEP_S
        slope = max(math.sin(falling.tilt) - RIM_FRICTION * math.cos(falling.tilt), 0.0)
        pull = GRAVITY_MM_S2 * slope * math.cos(falling.tilt) * STEP_S
        falling.vx += falling.tx * pull
        falling.vy += falling.ty * pull
        falling.x += falling.vx * STEP_S
        falling.y += falling.vy * STEP_S
        falling.vz = falling.rate * past
        falling.z += falling.vz * STEP_S
        _bounce(falling, hole, disc, bounce)
        at_s += STEP_S
        look(falling, at_s)
    return at_s


def _fall(falling: _Disc, hole_mm: float, disc: Disc, bounce: float) -> None:
    falling.vz += GRAVITY_MM_S2 * STEP_S
    falling.x += falling.vx * STEP_S
    falling.y += falling.vy * STEP_S
    falling.z += falling.vz * STEP_S
    falling.tilt += falling.rate * STEP_S
    _bounce(falling, hole_mm, disc, bounce)


def _bounce(falling: _Disc, hole_mm: float, disc: Disc, bounce: float) -> None:
    """Throw back a disc whose rim has met the wall of the hole."""
    off = math.hypot(falling.x, falling.y)
    if off < 1e-6:
        return
    ox, oy = falling.x / off, falling.y / off
    lean = ox * falling.tx + oy * falling.ty
    flat = math.sqrt(max(1.0 - (lean * math.sin(falling.tilt)) ** 2, 0.0))
    out_mm_s = falling.vx * ox + falling.vy * oy
    if out_mm_s <= 0.0 or off + disc.radius_mm * flat <= hole_mm:
        return
    change = (1.0 + bounce) * out_mm_s
    falling.vx -= change * ox
    falling.vy -= change * oy
    below = disc.radius_mm * lean * math.sin(falling.tilt)
    falling.rate -= 4.0 * change * below * lean / disc.radius_mm**2


def _passes_through(
    falling: _Disc, line: _Line, depth_mm: float, radius: float, half: float
) -> bool:
    """Whether a line that is at this depth at its point passes through the disc."""
    ax, ay, az, px, py = line
    sin, cos = math.sin(falling.tilt), math.cos(falling.tilt)
    nx, ny, nz = falling.tx * sin, falling.ty * sin, -cos
    qx, qy, qz = px - falling.x, py - falling.y, depth_mm - falling.z
    along_n, off_n = ax * nx + ay * ny + az * nz, qx * nx + qy * ny + qz * nz
    # Within the disc's thickness: |off_n + s * along_n| <= half.
    if abs(along_n) < 1e-9:
        if abs(off_n) > half:
            return False
        least, most = -math.inf, math.inf
    else:
        one, other = (-half - off_n) / along_n, (half - off_n) / along_n
        least, most = min(one, other), max(one, other)
    # Within its rim: the part across the normal is no longer than the radius.
    a = 1.0 - along_n * along_n
    b = qx * ax + qy * ay + qz * az - off_n * along_n
    c = qx * qx + qy * qy + qz * qz - off_n * off_n - radius * radius
    if a < 1e-9:
        return c <= 0.0
    root = b * b - a * c
    if root < 0.0:
        return False
    root = math.sqrt(root)
    return max(least, (-b - root) / a) <= min(most, (-b + root) / a)
