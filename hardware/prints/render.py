"""Pictures of solids: shaded, with their edges drawn, from any side.

A picture is computed point by point from the nearest face (a depth buffer), without a graphics
card, so that it is the same everywhere. Lengths are millimetres, colours parts of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import trimesh
from manifold3d import Manifold
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hardware.prints.checks import mesh_of

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]
Floats2 = tuple[float, float]

PAPER: Colour = (255, 255, 255)
INK: Colour = (38, 34, 30)
PRINTED: Colour = (226, 161, 62)
PRINTED_TOO: Colour = (96, 150, 190)
WOOD: Colour = (214, 184, 140)
DARK: Colour = (74, 74, 80)
METAL: Colour = (170, 174, 178)
GREEN: Colour = (58, 150, 92)
YELLOW: Colour = (240, 205, 70)
RED: Colour = (205, 62, 50)
BLUE: Colour = (70, 110, 190)
BEAM: Colour = (230, 40, 90)

SHARP_DEG = 25.0
"""From which angle between two faces their edge is drawn."""

FINER = 3
"""How many points each way are computed for one of the picture."""


class Thing(Struct, frozen=True):
    """A solid in a picture."""

    solid: Manifold
    colour: Colour
    edges: bool = True


class View(Struct, frozen=True):
    """From where: turned around the upright axis, then looked at from so far above the plane."""

    turn_deg: float = 35.0
    above_deg: float = 30.0

    def axes(self) -> Floats:
        """Return the picture's right, up and towards the eye, a row each."""
        turn, above = math.radians(self.turn_deg), math.radians(self.above_deg)
        eye = (
            math.cos(above) * math.sin(turn), -math.cos(above) * math.cos(turn), math.sin(above)
        )  # fmt: skip
        right = (math.cos(turn), math.sin(turn), 0.0)
        return np.array([right, np.cross(eye, right), eye])


LIGHT = np.array([-0.42, 0.62, 0.66])
"""Where the light comes from, in the picture's axes."""


class Number(Struct, frozen=True):
    """A number beside a thing: what it points at, in mm, and how far right and up it stands.

    The last two are in points of the finished picture.
    """

    at: tuple[float, float, float]
    aside: tuple[float, float]


class Scene(Struct, frozen=True):
    """What a picture shows, from where, and its numbers, the first of which is 1."""

    things: Sequence[Thing]
    view: View
    size: tuple[int, int]
    numbers: Sequence[Number] = ()

    def image(self) -> Image.Image:
        """Draw it."""
        return picture(self.things, self.view, self.size, numbers=self.numbers)


def picture(
    things: Iterable[Thing],
    view: View,
    size: tuple[int, int],
    margin: float = 0.04,
    numbers: Sequence[Number] = (),
) -> Image.Image:
    """Draw things, as large as they go into a picture of this size in points."""
    width, height = size[0] * FINER, size[1] * FINER
    axes = view.axes()
    shown = [(thing, mesh_of(thing.solid)) for thing in things]
    corners = np.concatenate([mesh.vertices for _thing, mesh in shown]) @ axes.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = (1 - 2 * margin) * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    middle = (low + high) / 2
    canvas = _Canvas(width, height)
    lines = []
    for thing, mesh in shown:
        points = (mesh.vertices @ axes.T - middle) * scale
        points[:, 0] += width / 2
        points[:, 1] = height / 2 - points[:, 1]
        canvas.faces(points[mesh.faces], _shades(mesh, axes, thing.colour))
        if thing.edges:
            lines.append(points[_edges(mesh)])
    for edges in lines:
        canvas.lines(edges)
    image = canvas.image()
    for i, number in enumerate(numbers, 1):
        x, y, _near = (np.array(number.at) @ axes.T - middle) * scale
        _write(image, i, (width / 2 + x, height / 2 - y), number.aside)
    return image.resize(size, Image.Resampling.BOX)


NUMBER_POINTS = 15
"""The radius of the disc that a number is written on."""


def _write(image: Image.Image, said: int, at: tuple[float, float], aside: Floats2) -> None:
    """Write a number on a disc, with a line to what it points at."""
    brush, radius = ImageDraw.Draw(image), NUMBER_POINTS * FINER
    low = radius + FINER
    x = min(max(at[0] + aside[0] * FINER, low), image.width - low)
    y = min(max(at[1] - aside[1] * FINER, low), image.height - low)
    for ink, wider in ((PAPER, 3 * FINER), (INK, 0)):  # it is seen on what is dark, too
        brush.line((*at, x, y), fill=ink, width=FINER + 1 + wider)
        brush.circle(at, 3 * FINER + wider // 2, fill=ink)
    brush.circle((x, y), radius, fill=PAPER, outline=INK, width=FINER + 2)
    font = ImageFont.load_default(20 * FINER)
    brush.text((x, y), str(said), fill=INK, font=font, anchor="mm")


def _shades(mesh: trimesh.Trimesh, axes: Floats, colour: Colour) -> Floats:
    light = LIGHT / np.linalg.norm(LIGHT)
    bright = 0.58 + 0.42 * np.clip((mesh.face_normals @ axes.T) @ light, -0.6, 1.0)
    shades: Floats = np.clip(bright[:, None] * np.array(colour, float), 0, 255)
    return shades


def _edges(mesh: trimesh.Trimesh) -> NDArray[np.int64]:
    sharp = mesh.face_adjacency_angles > math.radians(SHARP_DEG)
    return np.asarray(mesh.face_adjacency_edges[sharp])


class _Canvas:
    """The points of a picture, and how near what they show is."""

    def __init__(self, width: int, height: int) -> None:
        self._colours = np.full((height, width, 3), PAPER, np.float32)
        self._near = np.full((height, width), -np.inf, np.float32)

    def faces(self, triangles: Floats, shades: Floats) -> None:
        """Draw triangles (x, y, nearness), each in one shade."""
        height, width = self._near.shape
        for (a, b, c), shade in zip(triangles, shades, strict=True):
            area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
            if area >= -1e-9:  # seen from behind, or from its edge
                continue
            x0, x1 = _span(width, a[0], b[0], c[0])
            y0, y1 = _span(height, a[1], b[1], c[1])
            x = np.arange(x0, x1)[None, :] + 0.5
            y = np.arange(y0, y1)[:, None] + 0.5
            u = ((c[0] - b[0]) * (y - b[1]) - (c[1] - b[1]) * (x - b[0])) / area
            v = ((a[0] - c[0]) * (y - c[1]) - (a[1] - c[1]) * (x - c[0])) / area
            w = 1 - u - v
            depth = u * a[2] + v * b[2] + w * c[2]
            near = self._near[y0:y1, x0:x1]
            seen = (u >= 0) & (v >= 0) & (w >= 0) & (depth > near)
            near[seen] = depth[seen]
            self._colours[y0:y1, x0:x1][seen] = shade

    def lines(self, edges: Floats) -> None:
        """Draw edges where nothing lies before them."""
        height, width = self._near.shape
        for points in _walked(edges):
            x, y = points[:, 0].astype(int), points[:, 1].astype(int)
            inside = (x >= 1) & (y >= 1) & (x < width - 1) & (y < height - 1)
            x, y, depth = x[inside], y[inside], points[inside, 2]
            seen = self._near[y, x] < depth + 2.5
            for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
                self._colours[y[seen] + dy, x[seen] + dx] = INK

    def image(self) -> Image.Image:
        """Return what was drawn."""
        return Image.fromarray(self._colours.astype(np.uint8), "RGB")


def _span(size: int, *values: float) -> tuple[int, int]:
    return max(0, math.floor(min(values))), min(size, math.ceil(max(values)) + 1)


def _walked(edges: Floats) -> Iterator[Floats]:
    """Return the points along each edge, one for each point of the picture."""
    for start, end in edges:
        steps = max(2, math.ceil(float(np.abs(end - start)[:2].max())) + 1)
        yield start + np.linspace(0, 1, steps)[:, None] * (end - start)
