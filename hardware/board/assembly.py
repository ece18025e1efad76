"""The page for whoever solders a board by hand: a row for each kind of part, its places lit.

One file without anything else, which opens from a disk: the drawing is made of the footprints that
the board is made of, so that no place can differ.
"""

from __future__ import annotations

import json
import string
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from pathlib import Path

from hardware.board.design import KINDS, BoardPart, Design
from hardware.board.kicad import printed
from hardware.board.shapes import Pad, body_of, outline_of, pads_of
from hardware.board.silk import placed, turned

TEMPLATE = Path(__file__).with_name("assembly.template.html")
_NO_PART = "test"
_ROOM_MM = 3.5
"""A body of this size has room for its name."""


def assembly(design: Design) -> str:
    """Return a board's page."""
    template = string.Template(TEMPLATE.read_text(encoding="utf-8"))
    choices = "".join(f"<option>{escape(who)}</option>" for who in design.fitted)
    shapes = [*_holes(design), *(_drawn(design, part) for part in _soldered(design))]
    return template.substitute(
        title=escape(f"Jackspot {design.name} board"), name=design.name, choices=choices,
        wide=f"{design.wide_mm + 2:g}", high=f"{design.high_mm + 2:g}",
        board_wide=f"{design.wide_mm:g}", board_high=f"{design.high_mm:g}",
        shapes="".join(shapes), groups=json.dumps(_groups(design), separators=(",", ":")),
    )  # fmt: skip


def _soldered(design: Design) -> Iterator[BoardPart]:
    """Give what is soldered for anybody: a test pad is part of the board."""
    for part in design.parts:
        if part.part != _NO_PART and any(fitted(part) for fitted in design.fitted.values()):
            yield part


def _groups(design: Design) -> list[dict[str, object]]:
    """Return the rows: what lies flat before what stands in holes, the small before the large."""
    found: dict[str, list[BoardPart]] = defaultdict(list)
    for part in _soldered(design):
        found[part.part].append(part)
    return [
        {
            "id": kind,
            "value": KINDS[kind].value,
            "parts": [
                {"ref": part.ref, "for": _for(part),
                 "who": [who for who, fitted in design.fitted.items() if fitted(part)]}
                for part in found[kind]
            ],
        }
        for kind in sorted(found, key=_order)
    ]  # fmt: skip


def _order(kind: str) -> tuple[bool, bool, float]:
    left, top, right, bottom = body_of(kind)
    in_holes = any(pad.drill for pad in pads_of(kind))
    return in_holes, is_below(kind), (right - left) * (bottom - top)


def is_below(kind: str) -> bool:
    """Whether a part is put in from the lower side."""
    return KINDS[kind].value.endswith(", below")


def _for(part: BoardPart) -> str:
    gpio = "" if part.gpio is None else f", GPIO {part.gpio}"
    return f"({part.of}{gpio})"


def _holes(design: Design) -> Iterator[str]:
    for x, y, drill in design.holes:
        yield f'<circle class="hole" cx="{x:g}" cy="{y:g}" r="{drill / 2:g}"/>'


def _drawn(design: Design, part: BoardPart) -> str:
    """Draw one part: its body, its pads, and its name in it, or beside it where that is printed."""
    place = design.places[part.ref]
    left, top, right, bottom = placed(body_of(part.part), place)
    below = " below" if is_below(part.part) else ""
    pads = "".join(_pad(pad, place, is_first=at == 0) for at, pad in enumerate(pads_of(part.part)))
    name = printed(design).names[part.ref]
    x, y, size = name.x, name.y, name.size
    if min(right - left, bottom - top) >= _ROOM_MM:
        x, y, size = (left + right) / 2, (top + bottom) / 2, 2.0
    a, b, c, d = placed(outline_of(part.part), place)
    return (
        f'<g class="part" data-ref="{part.ref}"><title>{part.ref}: '
        f"{escape(KINDS[part.part].value)} {escape(_for(part))}</title>"
        f'<rect class="around" x="{a:.2f}" y="{b:.2f}" width="{c - a:.2f}" '
        f'height="{d - b:.2f}" rx="0.5"/>'
        f'<rect class="body{below}" x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}" '
        f'height="{bottom - top:.2f}" rx="0.2"/>{pads}'
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}">{part.ref}</text></g>'
    )


def _pad(pad: Pad, place: tuple[float, float, int], *, is_first: bool) -> str:
    x, y, turn = place
    dx, dy = turned(pad.x, pad.y, turn)
    wide, high = (pad.wide, pad.high) if turn % 180 == 0 else (pad.high, pad.wide)
    return (
        f'<rect class="pad{" one" if is_first else ""}" x="{x + dx - wide / 2:.2f}" '
        f'y="{y + dy - high / 2:.2f}" width="{wide:g}" height="{high:g}" rx="0.15"/>'
    )
