"""A few shapes of SVG in the look of the pages: what the header's pictures are drawn with."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from hardware.generate.look import COLOURS, FONT


class Sheet:
    """A picture that grows shape by shape. Units are those of the drawing, y goes down."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._size = (width, height)
        self._title = title
        self._shapes: list[str] = []

    def rect(
        self,
        corner: tuple[float, float],
        size: tuple[float, float],
        *,
        fill: str = "panel",
        stroke: str = "line",
        radius: float = 4,
    ) -> None:
        """Draw a rectangle from its upper left corner."""
        (x, y), (width, height) = corner, size
        self._shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
            f'fill="{COLOURS[fill]}" stroke="{COLOURS[stroke]}"/>'
        )

    def circle(self, centre: tuple[float, float], radius: float, *, fill: str, stroke: str) -> None:
        """Draw a circle."""
        x, y = centre
        self._shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{COLOURS[fill]}" '
            f'stroke="{COLOURS[stroke]}"/>'
        )

    def dots(self, places: Iterable[tuple[float, float]], width: float, stroke: str) -> None:
        """Draw many equal dots."""
        path = "".join(f"M{x:g} {y:g}h0" for x, y in places)
        self._shapes.append(
            f'<path d="{path}" stroke="{COLOURS[stroke]}" stroke-width="{width:g}" '
            'stroke-linecap="round"/>'
        )

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        stroke: str,
        *,
        width: float = 1.5,
    ) -> None:
        """Draw a line; a thick one has round ends."""
        ends = ' stroke-linecap="round"' if width > 2 else ""
        self._shapes.append(
            f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" '
            f'stroke="{COLOURS[stroke]}" stroke-width="{width:g}"{ends}/>'
        )

    def text(
        self,
        place: tuple[float, float],
        words: str,
        *,
        fill: str = "text",
        anchor: str = "start",
        size: float = 13,
        bold: bool = False,
    ) -> None:
        """Write words; ``place`` is on their base line."""
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{place[0]:g}" y="{place[1]:g}" fill="{COLOURS[fill]}" font-size="{size:g}" '
            f'text-anchor="{anchor}"{weight}>{escape(words)}</text>'
        )

    def content(self) -> bytes:
        """Return the file."""
        width, height = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" font-family="{FONT}">\n'
            f"<title>{escape(self._title)}</title>\n"
            f'<rect width="{width:g}" height="{height:g}" fill="{COLOURS["ground"]}"/>\n'
        )
        return (head + "\n".join(self._shapes) + "\n</svg>\n").encode()
