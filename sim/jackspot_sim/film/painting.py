"""The simulated table as a picture: the board, the OLED, the wires and the referee's box.

Every number in a picture is the film's: the pieces are where the physics has them, the OLED shows
the bytes that went over its bus, a wire is high while it was.
"""

from __future__ import annotations

import bisect
from enum import StrEnum

from PIL import Image, ImageDraw, ImageFont

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import Key, beam_wire
from jackspot_sim.film.colours import BUTTONS, DARK, INK, LIT, PAPER, Colour, mixed
from jackspot_sim.film.ground import Pen, extent_of, paint_ground
from jackspot_sim.film.moving import Drawn, Pieces
from jackspot_sim.film.turned import shadow, sprite
from jackspot_sim.film.values import Film
from jackspot_sim.physics.boards import board_of, disc_of

FINER = 3
"""A picture is painted this many times larger, for smooth edges and movements."""
GLOWS_NS = 450_000_000
"""How long a pocket glows after its beam was broken."""
SHOWN_NS = 4_000_000_000
"""How much of the past the wires show."""
AIM_MM = 150.0
"""How long the line in front of a striker is."""


class Size(StrEnum):
    """How large a picture is."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


UNITS = {Size.SMALL: 1, Size.MEDIUM: 2, Size.LARGE: 3}
"""Pixels of the picture for one of the OLED, in which all sizes here are."""
WIDTH, HEIGHT, EDGE = 362, 220, 6
BOARD = 208
GLASS_EDGE = 4
PANEL = EDGE + BOARD + EDGE
LANES = 84
LANE, LANES_HIGH = 13, 74
BOX = 166
AMBER = (255, 196, 84)
BEZEL, BEZEL_EDGE = (18, 38, 62), (38, 66, 98)
CARD, RULE, FAINT = (255, 253, 249), (222, 210, 196), (128, 110, 94)
WIRE = (138, 92, 20)


class Painter:
    """Paints pictures of a film, all of one size."""

    def __init__(self, film: Film, size: Size) -> None:
        self._film = film
        self._unit = UNITS[size] * FINER
        self._pieces = Pieces(film)
        self._board = board_of(film.job.system)
        self._ground = paint_ground(self._board, BOARD * self._unit)
        self._fonts = [ImageFont.load_default(points * self._unit) for points in (6.6, 8.5)]
        self._plain = self._empty()
        self._edges = {
            wire: [edge for edge in film.edges if edge.wire == wire] for wire in film.wires
        }

    @property
    def size(self) -> tuple[int, int]:
        """How wide and high every picture is."""
        return self._plain.width // FINER, self._plain.height // FINER

    def paint(self, at_ns: int) -> Image.Image:
        """Paint what could be seen at an instant."""
        picture = self._plain.copy()
        unit = self._unit
        picture.paste(self._table(at_ns), (EDGE * unit, EDGE * unit))
        self._glass(picture, at_ns)
        draw = ImageDraw.Draw(picture)
        self._lanes(draw, at_ns)
        self._box(draw, at_ns)
        return picture.reduce(FINER)

    def _empty(self) -> Image.Image:
        """Paint what is in every picture."""
        unit = self._unit
        picture = Image.new("RGB", (WIDTH * unit, HEIGHT * unit), PAPER)
        draw = ImageDraw.Draw(picture)
        width = 128 + 2 * GLASS_EDGE
        glass = self._area(PANEL, EDGE, width, 64 + 2 * GLASS_EDGE)
        draw.rounded_rectangle(glass, 3 * unit, BEZEL, BEZEL_EDGE, unit // 2)
        for top, height in ((LANES, LANES_HIGH), (BOX, HEIGHT - EDGE - BOX)):
            card = self._area(PANEL, top, width, height)
            draw.rounded_rectangle(card, 4 * unit, CARD, RULE, unit // 2)
        return picture

    def _area(self, x: float, y: float, width: float, height: float) -> tuple[float, ...]:
        unit = self._unit
        return x * unit, y * unit, (x + width) * unit - 1, (y + height) * unit - 1

    # --- the board --------------------------------------------------------------------

    def _table(self, at_ns: int) -> Image.Image:
        table = self._ground.copy()
        pen = Pen(table, extent_of(self._board))
        for pocket in Pocket:
            self._beam(pen, pocket, at_ns)
        self._tallies(pen, at_ns)
        flick = self._pieces.aimed(at_ns)
        if flick is not None:
            reach = AIM_MM * flick.speed_mm_s / self._board.fastest_mm_s + 40
            pen.arrow((flick.x_mm, flick.y_mm), flick.angle_rad, reach)
        for each in self._pieces.drawn(at_ns):
            self._piece(pen, each)
        return table

    def _beam(self, pen: Pen, pocket: Pocket, at_ns: int) -> None:
        """Let a pocket glow if something was in its beam a moment ago."""
        last = self._last_active(beam_wire(pocket), at_ns)
        if last is None or at_ns - last > GLOWS_NS:
            return
        left = 1 - (at_ns - last) / GLOWS_NS
        x, y = self._board.pocket_at(pocket)
        radius = self._board.pocket_radius_mm
        for wider in (9, 6, 3):
            pen.disc(x, y, radius + wider * left, AMBER, 0.28 * left)
        pen.disc(x, y, radius, mixed((20, 12, 7), AMBER, 0.9 * left))

    def _last_active(self, wire: str, at_ns: int) -> int | None:
        """Return until when a wire was active: now, if it still is."""
        edges = self._edges.get(wire, [])
        index = bisect.bisect_right(edges, at_ns, key=lambda edge: edge.at_ns) - 1
        if index < 0:
            return None
        return at_ns if edges[index].active else edges[index].at_ns

    def _tallies(self, pen: Pen, at_ns: int) -> None:
        """Show what is in each pocket, small, on the frame."""
        scene = self._film.scenes.at(at_ns)
        rail = self._board.half_mm + (extent_of(self._board) / 2 - self._board.half_mm) * 0.56
        for pocket, kinds in scene.in_pockets.items():
            east = 1 if pocket.value.endswith("E") else -1
            north = 1 if pocket.value.startswith("N") else -1
            pieces = [piece for piece, count in kinds.items() for _ in range(count)]
            for place, piece in enumerate(pieces):
                x = east * (self._board.half_mm - 34 - place * 15.5)
                self._put(pen, sprite(piece, round(15 * pen.scale)), x, north * rail)

    def _piece(self, pen: Pen, each: Drawn) -> None:
        diameter = disc_of(self._board, each.piece).diameter_mm
        image = sprite(each.piece, round(diameter * pen.scale))
        fall = 2.0 + each.lift * 2.6
        if each.lift >= 0:
            soft = shadow(round(diameter * pen.scale))
            x, y = pen.at(each.x_mm + fall * 0.7, each.y_mm - fall)
            corner = (round(x - soft.width / 2), round(y - soft.height / 2))
            pen.image.paste((40, 18, 4), corner, soft)
        if each.size != 1.0 or each.clear:
            side = max(1, round(image.width * each.size))
            image = image.resize((side, side), Image.Resampling.BILINEAR)
            image.putalpha(image.getchannel("A").point(lambda a: round(a * (1 - each.clear))))
        lifted = max(each.lift, 0.0)
        self._put(pen, image, each.x_mm - lifted * 1.2, each.y_mm + lifted * 2.4)

    @staticmethod
    def _put(pen: Pen, image: Image.Image, x_mm: float, y_mm: float) -> None:
        x, y = pen.at(x_mm, y_mm)
        pen.image.paste(image, (round(x - image.width / 2), round(y - image.height / 2)), image)

    # --- beside it --------------------------------------------------------------------

    def _glass(self, picture: Image.Image, at_ns: int) -> None:
        """Show the OLED, pixel for pixel."""
        unit = self._unit
        bits = Image.frombytes("1", (128, 64), self._film.glass.at(at_ns))
        mask = bits.resize((128 * unit, 64 * unit), Image.Resampling.NEAREST)
        shown = Image.new("RGB", mask.size, DARK)
        shown.paste(LIT, None, mask)
        at = (PANEL + GLASS_EDGE) * unit, (EDGE + GLASS_EDGE) * unit
        picture.paste(shown, at)

    def _lanes(self, draw: ImageDraw.ImageDraw, at_ns: int) -> None:
        """Show the last seconds on the wires: the beams, and the referee's OK."""
        lanes = [(pocket.value, beam_wire(pocket)) for pocket in Pocket]
        lanes.append(("OK", f"referee_{Key.OK}"))
        for place, (name, wire) in enumerate(lanes):
            self._lane(draw, place, name, wire, at_ns)

    def _lane(
        self, draw: ImageDraw.ImageDraw, place: int, name: str, wire: str, at_ns: int
    ) -> None:
        unit, foot = self._unit, LANES + 15 + place * LANE
        left, right = PANEL + 28, PANEL + 128
        self._text(draw, PANEL + 7, foot - 4, name, FAINT, small=True, middle=False)
        since_ns = at_ns - SHOWN_NS

        def x_at(ns: int) -> float:
            return (left + (right - left) * (ns - since_ns) / SHOWN_NS) * unit

        draw.line([(left * unit, foot * unit), (right * unit, foot * unit)], RULE, unit // 2)
        edges = self._edges.get(wire, [])
        first = bisect.bisect_right(edges, since_ns, key=lambda edge: edge.at_ns)
        begun_ns = since_ns if first and edges[first - 1].active else None
        for edge in [each for each in edges[first:] if each.at_ns <= at_ns]:
            if edge.active:
                begun_ns = edge.at_ns
            elif begun_ns is not None:
                self._pulse(draw, x_at(begun_ns), x_at(edge.at_ns), foot)
                begun_ns = None
        if begun_ns is not None:
            self._pulse(draw, x_at(begun_ns), x_at(at_ns), foot)

    def _pulse(self, draw: ImageDraw.ImageDraw, start: float, end: float, foot: float) -> None:
        unit = self._unit
        wide = max(end - start, 1.5 * unit)
        box = (start, (foot - 7) * unit, start + wide, foot * unit)
        draw.rectangle(tuple(round(each) for each in box), WIRE)

    def _box(self, draw: ImageDraw.ImageDraw, at_ns: int) -> None:
        """Show the referee's box, and the button that a finger is on."""
        down = self._film.active.at(at_ns)
        for place, (key, (dome, written)) in enumerate(BUTTONS.items()):
            x, y = PANEL + 16 + place * 26, BOX + (HEIGHT - EDGE - BOX) / 2
            self._button(draw, (x, y), key, dome, written, pressed=f"referee_{key}" in down)

    def _button(
        self, draw: ImageDraw.ImageDraw, at: tuple[float, float], key: Key, dome: Colour,
        written: Colour, *, pressed: bool,
    ) -> None:  # fmt: skip
        (x, y), radius = at, 11
        if pressed:
            self._dot(draw, x, y, radius + 3, AMBER)
        self._dot(draw, x, y + (0 if pressed else 1.5), radius, INK)
        face = mixed(dome, (0, 0, 0), 0.25) if pressed else dome
        self._dot(draw, x, y, radius - 0.5, face)
        if not pressed:
            self._dot(draw, x - 2, y - 4, radius * 0.5, mixed(dome, (255, 255, 255), 0.16))
        self._text(draw, x, y, key.value.upper(), written, small=len(key.value) > 3)

    def _dot(
        self, draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, fill: Colour
    ) -> None:
        unit = self._unit
        box = (x - radius) * unit, (y - radius) * unit, (x + radius) * unit, (y + radius) * unit
        draw.ellipse(box, fill)

    def _text(
        self, draw: ImageDraw.ImageDraw, x: float, y: float, text: str, fill: Colour, *,
        small: bool = False, middle: bool = True,
    ) -> None:  # fmt: skip
        unit = self._unit
        font = self._fonts[0 if small else 1]
        draw.text((x * unit, y * unit), text, fill, font, anchor="mm" if middle else "lm")
