"""Sheets of paper: what to measure on a board, and where to drill a case that is bought.

The measuring sheets have one page a language (``measuring-sheet/words.toml``), one for a board that
is open below, one for a closed box, and one for corners cut off over no floor; what they ask for is
what :mod:`hardware.prints.board` reads. The template is printed at full size and taped to the case.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from html import escape

from msgspec import Struct

from hardware.generate.look import COLOURS
from hardware.generate.quick_card import LANGUAGES, printed_pages
from hardware.generate.step import FOLDER, File, Step
from hardware.prints import housings
from hardware.prints.board import (
    CLOSED_MEASURED,
    CLOSED_MUST,
    CUT_MEASURED,
    CUT_MUST,
    MEASURED,
    MUST,
)
from hardware.prints.parameters import Sizes, load

SHEET = FOLDER / "measuring-sheet"
_INK, _WOOD, _FRAME, _MARK = (
    COLOURS[each] for each in ("text", "brown-soft", "brown", "red")
)  # fmt: skip


# --- what to measure ---------------------------------------------------------------------


class Sheet(Struct, frozen=True):
    """A measuring sheet: what it asks for, what of it must be there, and the words of its own."""

    name: str
    asks: tuple[str, ...]
    must: tuple[str, ...]
    head: tuple[str, ...]
    """The first lines of the board's file."""
    own: Mapping[str, str]
    """Which words stand at places of the template that differ from sheet to sheet."""

    @property
    def letters(self) -> Mapping[str, str]:
        """The letter of each size, in the picture and in the table."""
        return dict(zip(self.asks, "ABCDEFGHIJ", strict=False))


OPEN = Sheet(
    "measure", MEASURED, MUST, ('board = "carrom"',),
    {"title": "title", "board": "board", "warn": "closed"},
)  # fmt: skip
BOX = Sheet(
    "measure-closed", CLOSED_MEASURED, CLOSED_MUST, ('board = "hikone"', 'box = "closed"'),
    {"title": "title_closed", "board": "board_closed", "warn": "told"},
)  # fmt: skip
CUT = Sheet(
    "measure-cut", CUT_MEASURED, CUT_MUST, ('board = "hikone"', 'corner = "cut"'),
    {"title": "title_cut", "board": "board_closed", "warn": "told_cut"},
)  # fmt: skip
SHEETS = (OPEN, BOX, CUT)


def words() -> Mapping[str, Mapping[str, str]]:
    """Read the words: by what they say, then by language. ValueError where one is missing."""
    table = tomllib.loads((SHEET / "words.toml").read_text(encoding="utf-8"))
    for key, said in table.items():
        if sorted(said) != sorted(LANGUAGES):
            raise ValueError(f"words.toml: [{key}]: expected {', '.join(LANGUAGES)}")
    asked = [key for sheet in SHEETS for key in sheet.asks]
    if missing := [key for key in asked if key not in table]:
        raise ValueError(f"words.toml: [{missing[0]}] is missing, which a board's file has")
    return table


def words_of(sheet: Sheet) -> Mapping[str, Mapping[str, str]]:
    """Return the words of one sheet."""
    there = {*sheet.asks, *sheet.own.values(), "lead", "file", "ruler"}
    return {key: said for key, said in words().items() if key in there}


def example(sheet: Sheet = OPEN) -> str:
    """Return a board's file with the letters of the sheet for its numbers."""
    lines = [*sheet.head, "[measured]"]
    lines += [f"{key} = {sheet.letters[key]}" for key in sheet.asks if key in sheet.must]
    lines += [f"{key} = {sheet.letters[key]}" for key in sheet.asks if key not in sheet.must]
    return "\n".join([*lines, "", "make hardware BOARD=my.toml"])


_ROOMY_ROWS = 9
"""With more rows than these a size's name stands in the line of its words, not below them."""


def page(language: str, sheet: Sheet = OPEN) -> str:
    """Write a measuring sheet in a language."""
    said = {key: escape(text[language]) for key, text in words_of(sheet).items()}
    between = "<br>" if len(sheet.asks) <= _ROOMY_ROWS else " "
    rows = "\n".join(
        f"<tr><td>{letter}</td><td>{said[key]}{between}<code>{key}</code></td><td>mm</td></tr>"
        for key, letter in sheet.letters.items()
    )
    template = string.Template((SHEET / "sheet.html").read_text(encoding="utf-8"))
    return template.substitute(
        {key: text for key, text in said.items() if key not in sheet.asks}
        | {place: said[key] for place, key in sheet.own.items()},
        lang=language, rows=rows, picture=picture(sheet),
        example=escape(example(sheet)), scale=_scale(),
    )  # fmt: skip


def _scale() -> str:
    return (
        '<svg width="104mm" height="6mm" viewBox="-2 0 104 6"><path d="M0 1v4M0 3h100M100 1v4" '
        f'fill="none" stroke="{_INK}" stroke-width="0.5"/></svg>'
    )


def picture(sheet: Sheet) -> str:
    """Draw what a sheet asks for, with its letters."""
    drawn = {OPEN.name: _open_picture, BOX.name: _closed_picture, CUT.name: _cut_picture}
    return drawn[sheet.name]()


def _open_picture() -> str:
    """Draw a corner of a board cut open, the same corner from below, and a piece."""
    parts = [
        _box(0, 12, 120, 10, _WOOD), _box(34, 11.6, 34, 10.8, "#ffffff"),
        _box(0, 0, 12, 34, _FRAME), _box(0, 62, 120, 4, "#e9e1d2"),
        _span(34, 20, 68, 20, "A"), _span(96, 12, 96, 22, "B", aside=True),
        _span(12, 30, 51, 30, "C"), _span(84, 22, 84, 62, "D", aside=True),
        _dash(51, 8, 51, 40),
        _box(136, 2, 60, 54, _WOOD), _box(136, 2, 60, 9, _FRAME), _box(136, 2, 9, 54, _FRAME),
        f'<circle cx="168" cy="34" r="13" fill="#ffffff" stroke="{_INK}" stroke-width="0.5"/>',
        _span(145, 34, 168, 34, "C", at=(150, 32.2)), _span(168, 11, 168, 34, "C", at=(173, 18.5)),
        f'<ellipse cx="226" cy="22" rx="16" ry="6" fill="#f6ddd6" stroke="{_INK}" '
        'stroke-width="0.5"/>',
        f'<path d="M210 22v8a16 6 0 0 0 32 0v-8" fill="#f6ddd6" stroke="{_INK}" '
        'stroke-width="0.5"/>',
        _span(136, 65.5, 196, 65.5, "H"), _dash(196, 56, 206, 56), _dash(196, 65.5, 206, 65.5),
        _span(210, 44, 242, 44, "E, G"), _span(248, 22, 248, 30, "F", aside=True),
    ]  # fmt: skip
    return f'<svg viewBox="-2 -2 262 72" width="184mm" aria-hidden="true">{"".join(parts)}</svg>'


def _closed_picture() -> str:
    """Draw a corner of a closed box cut open, the same corner from above, and a piece."""
    parts = [
        _box(50, 8, 70, 10, _WOOD), _box(12, 50, 108, 5, "#e9e1d2"), _box(0, 0, 12, 55, _FRAME),
        _span(100, 8, 100, 18, "A", aside=True), _span(84, 18, 84, 50, "C", aside=True),
        _span(0, 32, 12, 32, "D", at=(18, 34.4)), _span(64, 50, 64, 55, "E", at=(70, 47.6)),
        _dash(50, 18, 50, 50),
        _box(136, 2, 60, 54, _WOOD), _box(136, 2, 60, 9, _FRAME), _box(136, 2, 9, 54, _FRAME),
        f'<path d="M145 11h32L145 43z" fill="#ffffff" stroke="{_INK}" stroke-width="0.5"/>',
        _span(145, 14.6, 177, 14.6, "B", at=(157, 22)), _span(148.6, 11, 148.6, 43, "", at=(0, 0)),
        f'<ellipse cx="226" cy="22" rx="16" ry="6" fill="#f6ddd6" stroke="{_INK}" '
        'stroke-width="0.5"/>',
        f'<path d="M210 22v8a16 6 0 0 0 32 0v-8" fill="#f6ddd6" stroke="{_INK}" '
        'stroke-width="0.5"/>',
        _span(136, 65.5, 196, 65.5, "I"), _dash(196, 56, 206, 56), _dash(196, 65.5, 206, 65.5),
        _span(210, 44, 242, 44, "F, H"), _span(248, 22, 248, 30, "G", aside=True),
    ]  # fmt: skip
    return f'<svg viewBox="-2 -2 262 72" width="184mm" aria-hidden="true">{"".join(parts)}</svg>'


def _cut_picture() -> str:
    """Draw a corner cut off over no floor, cut open and from below with a leg, and a piece."""
    parts = [
        _box(50, 8, 70, 10, _WOOD), _box(0, 0, 12, 50, _FRAME), _box(-2, 62, 122, 4, "#e9e1d2"),
        _span(104, 8, 104, 18, "A", aside=True), _span(86, 18, 86, 62, "B", aside=True),
        _span(34, 18, 34, 50, "D", aside=True), _dash(30, 18, 50, 18), _dash(12, 50, 38, 50),
        _span(0, 34, 12, 34, "E", at=(19, 36.4)),
        _box(136, 2, 60, 54, _WOOD), _box(136, 2, 60, 9, _FRAME), _box(136, 2, 9, 54, _FRAME),
        f'<path d="M145 11h32L145 43z" fill="#ffffff" stroke="{_INK}" stroke-width="0.5"/>',
        _span(145, 14.6, 177, 14.6, "C", at=(157, 22)), _span(148.6, 11, 148.6, 43, "", at=(0, 0)),
        _box(135, 46, 11, 10, "#e9e1d2"), _span(131, 2, 131, 46, "F", at=(126, 26)),
        f'<ellipse cx="226" cy="22" rx="16" ry="6" fill="#f6ddd6" stroke="{_INK}" '
        'stroke-width="0.5"/>',
        f'<path d="M210 22v8a16 6 0 0 0 32 0v-8" fill="#f6ddd6" stroke="{_INK}" '
        'stroke-width="0.5"/>',
        _span(136, 65.5, 196, 65.5, "J"), _dash(196, 56, 206, 56), _dash(196, 65.5, 206, 65.5),
        _span(210, 44, 242, 44, "G, I"), _span(248, 22, 248, 30, "H", aside=True),
    ]  # fmt: skip
    return f'<svg viewBox="-2 -2 262 72" width="184mm" aria-hidden="true">{"".join(parts)}</svg>'


def _box(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" '
        f'stroke="{_INK}" stroke-width="0.4"/>'
    )


def _dash(x: float, y: float, to_x: float, to_y: float) -> str:
    return (
        f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="{_INK}" stroke-width="0.4" '
        'stroke-dasharray="2 1.4" fill="none"/>'
    )


def _span(
    x: float, y: float, to_x: float, to_y: float, letter: str, *, aside: bool = False,
    at: tuple[float, float] | None = None,
) -> str:  # fmt: skip
    """Draw a measure between two points, its letter above the middle, beside it or at a point."""
    at = at or ((x + to_x) / 2 + (6 if aside else 0), (y + to_y) / 2 + (2.4 if aside else -1.8))
    return (
        f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="{_MARK}" stroke-width="0.8"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="1" fill="{_MARK}"/>'
        f'<circle cx="{to_x:g}" cy="{to_y:g}" r="1" fill="{_MARK}"/>'
        f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="7" font-weight="800" text-anchor="middle" '
        f'fill="{_MARK}">{letter}</text>'
    )


# --- where to drill ----------------------------------------------------------------------


def socket_places(sizes: Sizes) -> list[tuple[float, float]]:
    """Return where the sockets' middles are on a long side, from its lower left corner."""
    hub = sizes.hub
    first = -(housings.HUB_SOCKETS - 1) / 2
    return [
        (hub.case_width_mm / 2 + (first + i) * housings.HUB_PITCH_MM, hub.case_height_mm / 2)
        for i in range(housings.HUB_SOCKETS)
    ]


def template() -> str:
    """Write the drilling template: a long side and the floor of the bought case, at full size."""
    _parameters, sizes = load()
    hub = sizes.hub
    width, depth, height = hub.case_width_mm, hub.case_depth_mm, hub.case_height_mm
    side = [_outline(width, height)]
    for x, y in socket_places(sizes):
        side.append(_hole(x, height - y, hub.socket_mm, f"{hub.socket_mm:g}"))
        apart = hub.socket_screws_mm / 2
        side += [_hole(x + each, height - y, 3.2, "") for each in (-apart, apart)]
    side.append(_note(3, 6, f"long side, {width:g} x {height:g} mm, outside; both sides alike"))
    side.append(_note(3, height - 3, "lower edge: the floor, which goes against the board's wood"))
    floor = [_outline(width, depth)]
    for x, y in housings.plate_screws():
        floor.append(_hole(width / 2 + x, depth / 2 - y, 3.5, "3.5"))
    for x, y in housings.computer_holes((0.0, 0.0)):
        floor.append(_hole(width / 2 + x, depth / 2 - y, 6.4, "", dashed=True))
    floor.append(_note(3, depth - 3, "short side at the left: a hole of 16 for the supply's plug"))
    note = "floor, from inside; dashed: the posts of hub_plate"
    floor.append(_note(3, 6, note))
    drawn = (
        f'<g transform="translate(20 26)">{"".join(side)}</g>'
        f'<g transform="translate(20 {32 + height:g})">{"".join(floor)}</g>'
        '<g transform="translate(225 30)"><path d="M0 0v100M-2 0h4M-2 100h4" stroke="#000" '
        'fill="none" stroke-width="0.4"/><text x="4" y="50" font-size="3.6">100 mm</text></g>'
    )
    head = (
        '<text x="20" y="11" font-size="6" font-weight="800">Drilling template for the bought '
        "case, 1 : 1</text>"
        '<text x="20" y="16.5" font-size="3.8">Print at 100 %: the bar at the right must be '
        "100 mm. Cases differ: measure yours first. Correct</text>"
        '<text x="20" y="22" font-size="3.8">case_width_mm, case_depth_mm and case_height_mm in '
        "hardware/prints/parameters.toml if yours is another. Holes without a number: 3.2.</text>"
    )
    return (
        '<!doctype html><meta charset="utf-8"><title>Jackspot: drilling template</title>'
        "<style>@page { size: 297mm 210mm; margin: 0 } body { margin: 0 } "
        "@font-face { font-family: sheet; "
        'src: url("../quick-card/fonts/mplus1-latin-medium.woff2") }'
        "text { font-family: sheet }</style>"
        f'<svg width="297mm" height="209mm" viewBox="0 0 297 209">{head}{drawn}</svg>'
    )


_ROOMY_MM = 10.0
"""A hole larger than this has room for its number."""


def _outline(width: float, height: float) -> str:
    return (
        f'<rect width="{width:g}" height="{height:g}" rx="2" fill="none" stroke="#000" '
        'stroke-width="0.4"/>'
    )


def _hole(x: float, y: float, across: float, said: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="1.6 1.2"' if dashed else ""
    cross = (
        ""
        if dashed
        else f'<path d="M{x - 2:g} {y:g}h4M{x:g} {y - 2:g}v4" stroke="#000" stroke-width="0.2"/>'
    )
    inside = across > _ROOMY_MM
    label = _note(x, y + (across / 2 - 2 if inside else -3), said, centred=True) if said else ""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{across / 2:g}" fill="none" stroke="#000" '
        f'stroke-width="0.3"{dash}/>{cross}{label}'
    )


def _note(x: float, y: float, said: str, *, centred: bool = False) -> str:
    anchor = ' text-anchor="middle"' if centred else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="3.4"{anchor}>{escape(said)}</text>'


def make() -> Iterator[File]:
    """Return the measuring sheets in each language, and the template."""
    pages = {
        f"measuring-sheet/{sheet.name}-{each}.pdf": page(each, sheet)
        for sheet in SHEETS
        for each in LANGUAGES
    }
    yield from printed_pages({**pages, "measuring-sheet/case-template.pdf": template()}, SHEET)


STEP = Step("sheets", make, owns=("measuring-sheet/*.pdf",), slow=True)
