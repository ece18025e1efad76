"""The board of holes to solder by: a drawing from above and from below, and a list to tick.

Both follow from :mod:`hardware.board.perfboard`, for a build's second board from
:mod:`hardware.board.seat_board`. They stand on a page of the guide, and on a sheet of paper for
each board in each language (``perfboard/words.toml``).
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from html import escape

from msgspec import Struct

from hardware.board import sensor_board
from hardware.board.circuit import FUSED_3, FUSED_5, RAW_3, RAW_5, gpio_net
from hardware.board.design import GROUND
from hardware.board.perfboard import (
    COLUMNS,
    FIRST,
    HEADER,
    HIGH_MM,
    PITCH_MM,
    RAISED,
    ROWS,
    SCREWS,
    SECOND,
    WIDE_MM,
    Hole,
    Layout,
    Part,
    Terminal,
    Wire,
    named,
    nets_on,
    wanted,
)
from hardware.board.seat_board import layouts
from hardware.generate.builds import BUILDS, Build
from hardware.generate.quick_card import LANGUAGES, printed_pages
from hardware.generate.step import FOLDER, File, Step, page
from hardware.generate.svg import Sheet
from jackspot.inputs.pins import WireKind

PERFBOARD = FOLDER / "perfboard"
_P, _LEFT, _TOP = 30.0, 36.0, 26.0
_EDGE = ((WIDE_MM / PITCH_MM - COLUMNS + 1) / 2 * _P, (HIGH_MM / PITCH_MM - ROWS + 1) / 2 * _P)
_BOARD = (WIDE_MM / PITCH_MM * _P, HIGH_MM / PITCH_MM * _P)


class Board(Struct, frozen=True, eq=False):
    """A board as it is drawn: the name of its files, and the builds that have it."""

    name: str
    title: str
    build: Build
    layout: Layout

    def heading(self, language: str) -> str:
        """Return what stands over its list."""
        if not self.layout.led_away and self.layout.header:
            return self.title
        which = "first_board" if self.layout.header else "second_board"
        return words()[which][language].format(self.title)

    def nets(self) -> dict[str, frozenset[Terminal]]:
        """Return what its holes must join."""
        return nets_on(self.layout, wanted(self.build))


def _boards() -> Iterator[Board]:
    alike: dict[Build, list[Build]] = {}
    for build in BUILDS:
        same = next((each for each in alike if layouts(each) == layouts(build)), build)
        alike.setdefault(same, []).append(build)
    for build, those in alike.items():
        title = ", ".join(each.title for each in those)
        first, *more = layouts(build)
        yield Board(build.name, title, build, first)
        for second in more:
            yield Board(f"{build.name}-2", title, build, second)


BOARDS = tuple(_boards())
"""Each board that is drawn, once."""
_VALUES = {"r_33": "33", "r_1k": "1 k", "r_10k": "10 k", "r_100k": "100 k", "r_6k8": "6.8 k",
           "c_100n": "100 n"}  # fmt: skip
_FILLS = {
    "r_1k": ("brown-soft", "brown"),
    "r_10k": ("one-soft", "one"),
    "fuse": ("warn-soft", "warn"),
    "fuse_3v3": ("warn-soft", "warn"),
    "r_100k": ("two-soft", "two"),
    "r_6k8": ("green-soft", "green"),
    "r_33": ("two-soft", "two"),
    "transistor": ("sunk", "text"),
}
"""Of what is not here in these colours: a panel with a quiet edge."""
_BELOW = {"kk4_socket": (0, 24), "kk5_socket": (15, 24), "kk7_socket": (15, 24),
          "transistor": (0, 20), "shifter": (45, 34), "c_100n": (15, 4)}  # fmt: skip
"""Where a part's name stands from its middle, seen from below, where a wire is in its way."""
_BESIDE = ((-14, 4), (0, -9), (14, 4))
"""Where the names of a transistor's legs stand from their holes."""
_RAISED_NAME = (4.0 * _P, -2.2 * _P)
"""The same of what has others below it, from above."""


# --- the drawing -------------------------------------------------------------------------


def drawn(board: Board, *, above: bool) -> bytes:
    """Draw a build's board, from above or from below, where left and right are changed over."""
    side = "above" if above else "below"
    colours = dict(_RAILS)
    for wire in board.build.wires:
        colours |= dict.fromkeys((gpio_net(wire.gpio), wire.name), _KINDS.get(wire.kind, "two"))
    title = f"The hub's {_about(board)}, from {side}"
    return picture(title, board.layout, coloured(board.layout, board.nets(), colours), side)


def _about(board: Board) -> str:
    which = "second board" if board.name.endswith("-2") else "board"
    return f"{which} of the build {board.build.name.replace('-', ' ')}"


def picture(title: str, board: Layout, colours: dict[Hole, str], side: str) -> bytes:
    """Draw a board from above or below, with the colour of each hole that is used."""
    size = (_BOARD[0] + 2 * _LEFT, _BOARD[1] + 2 * _TOP)
    drawing = _Picture(Sheet(*size, title), board, above=side == "above")
    drawing.ground()
    if side == "above":
        drawing.from_above(colours)
    else:
        drawing.from_below(colours)
    return drawing.sheet.content()


def coloured(
    board: Layout, nets: Mapping[str, frozenset[Terminal]], colours: Mapping[str, str]
) -> dict[Hole, str]:
    """Return the colour of each leg's and lead's hole, by what its net carries."""
    where = {**{(p.ref, leg): at for p in board.parts for leg, at in p.legs.items()},
             **board.leads, **{(HEADER, pin): at for pin, at in board.header.items()}}  # fmt: skip
    return {where[t]: colours.get(net, "two") for net, those in nets.items() for t in sorted(those)}


_RAILS = {RAW_5: "red", FUSED_5: "red", RAW_3: "warn", FUSED_3: "warn", GROUND: "jack"}
_KINDS = {WireKind.BEAM: "one", WireKind.BUTTON: "green"}
"""The colours that the pictures of the header have, too; what is left is the display's."""


class _Picture:
    """A drawing of one side that grows."""

    def __init__(self, sheet: Sheet, board: Layout, *, above: bool) -> None:
        self.sheet = sheet
        self._board = board
        self._above = above

    def _at(self, x: float, y: float) -> tuple[float, float]:
        if not self._above:
            x = COLUMNS + 1 - x
        return _LEFT + _EDGE[0] + (x - 1) * _P, _TOP + _EDGE[1] + (y - 1) * _P

    def ground(self) -> None:
        """Draw the board with its holes, their names, and those of the screws."""
        sheet = self.sheet
        sheet.rect((_LEFT, _TOP), _BOARD, fill="green-soft", stroke="green", radius=8)
        for column in range(1, COLUMNS + 1):
            name = named((column, 1))[0]
            for y in (_TOP - 8, _TOP + _BOARD[1] + 18):
                sheet.text((self._at(column, 1)[0], y), name, anchor="middle", fill="quiet")
        for row in range(1, ROWS + 1):
            for x in (_LEFT - 18, _LEFT + _BOARD[0] + 18):
                place = (x, self._at(1, row)[1] + 4.5)
                sheet.text(place, str(row), anchor="middle", fill="quiet")
        if self._board.header:
            left, top = self._at(2.5 if self._above else 22.5, 0.5)
            sheet.rect((left, top), (20 * _P, 2 * _P), fill="sunk", stroke="quiet", radius=3)
        holes = [self._at(x + 1, y + 1) for x in range(COLUMNS) for y in range(ROWS)]
        sheet.dots(holes, 7, "line")
        sheet.dots(holes, 4.5, "panel")
        for x, y in SCREWS if self._board.header else ():
            sheet.circle(self._at(x, y), 1.6 / PITCH_MM * _P, fill="ground", stroke="quiet")
            sheet.text(_add(self._at(x, y), (0, 4)), "3.2", anchor="middle", size=12, fill="quiet")

    def from_above(self, colours: dict[Hole, str]) -> None:
        """Draw what lies above the board: wires, parts and the leads that come up."""
        for wire in self._board.wires:
            if wire.above:
                colour = colours.get(wire.start, "quiet")
                self.sheet.line(self._at(*wire.start), self._at(*wire.end), colour, width=4)
                if wire.end not in colours:
                    self.sheet.circle(self._at(*wire.end), 5, fill=colour, stroke=colour)
        soldered = self._board.soldered_pins()
        for pin, at in self._board.header.items():
            if int(pin) in soldered:
                self.sheet.circle(self._at(*at), 11, fill="gold", stroke="jack")
                place = _add(self._at(*at), (0, 4))
                self.sheet.text(place, pin, anchor="middle", size=12, bold=True)
        if self._board.header:
            place = _add(self._at(3, 2), (0, 4))
            self.sheet.rect(_add(self._at(3, 2), (-9, -9)), (18, 18), fill="panel", stroke="red")
            self.sheet.text(place, "1", anchor="middle", size=12, fill="red")
        for part in sorted(self._board.parts, key=lambda part: part.kind not in RAISED):
            self._body(part, colours)
        for (cable, contact), at in self._board.leads.items():
            self._lead(f"{_short(cable)} {contact}", at, colours[at])

    def _body(self, part: Part, colours: dict[Hole, str]) -> None:
        left, top, right, bottom = part.body
        fill, stroke = _FILLS.get(part.kind, ("panel", "quiet"))
        legs = sorted(part.legs.values())
        if part.kind.startswith(("r_", *_DIODES)):
            self.sheet.line(self._at(*legs[0]), self._at(*legs[-1]), "quiet", width=2)
        corner = self._at(left if self._above else right, top)
        size = ((right - left) * _P, (bottom - top) * _P)
        self.sheet.rect(corner, size, fill=fill, stroke=stroke, radius=6)
        self._first(part)
        for at in legs:
            colour = colours.get(at, "line")
            self.sheet.circle(self._at(*at), 5, fill=colour, stroke=colour)
        middle = self._at((left + right) / 2, (top + bottom) / 2)
        if value := _VALUES.get(part.kind):
            self.sheet.text(_add(middle, (0, -2)), part.ref, anchor="middle", size=13, bold=True)
            self.sheet.text(_add(middle, (0, 12)), value, anchor="middle", size=12)
        elif part.kind.endswith("_socket"):
            for contact, at in part.legs.items():
                place = _add(self._at(*at), (0, -13))
                self.sheet.text(place, contact, anchor="middle", size=12)
            self.sheet.text(_add(middle, (0, 24)), part.ref, anchor="middle", size=13, bold=True)
        elif part.kind == "transistor":
            for name, aside, at in zip("CBE", _BESIDE, part.legs.values(), strict=True):
                self.sheet.text(_add(self._at(*at), aside), name, anchor="middle", size=12)
            self.sheet.text(_add(middle, (0, 20)), part.ref, anchor="middle", size=13, bold=True)
        else:
            by = _RAISED_NAME if part.kind in RAISED else (0, 4)
            self.sheet.text(_add(middle, by), part.ref, anchor="middle", size=13, bold=True)

    def _first(self, part: Part) -> None:
        """Mark which way round a part goes: leg 1, plus, a ring, a notch, a flat side."""
        at = self._at(*part.legs["1"])
        if part.kind.startswith(_DIODES):
            to = self._at(*part.legs["2"])
            ring = (at[0] + 0.36 * (to[0] - at[0]) - 2.5, at[1] - 11)
            self.sheet.rect(ring, (5, 22), fill="red", stroke="red", radius=1)
        elif part.kind == "buzzer":
            self.sheet.text(_add(at, (0, -11)), "+", anchor="middle", size=13, bold=True)
        elif len(part.legs) > 6:
            self.sheet.rect(_add(at, (-10, -10)), (20, 20), fill="red-soft", stroke="red")
        if part.kind == "transistor":
            left, _, right, bottom = part.body
            ends = self._at(left + 0.2, bottom), self._at(right - 0.2, bottom)
            self.sheet.line(*ends, "text", width=5)
        if part.kind == "shifter":
            left, top, _, bottom = part.body
            notch = self._at(left, (top + bottom) / 2)
            self.sheet.circle(notch, 5, fill="green-soft", stroke="quiet")

    def _lead(self, said: str, at: Hole, colour: str) -> None:
        place = self._at(*at)
        self.sheet.circle(place, 7.5, fill="panel", stroke=colour)
        self.sheet.circle(place, 4, fill=colour, stroke=colour)
        if at[0] == 1:
            self.sheet.text(_add(place, (-12, 4)), said, anchor="end", size=12)
        elif at[0] == COLUMNS or (at[0], at[1] + 1) in {
            leg for part in self._board.parts for leg in part.legs.values()
        }:
            self.sheet.text(_add(place, (12, 4)), said, size=12)
        else:
            for i, word in enumerate(said.split()):
                self.sheet.text(_add(place, (0, 21 + 12 * i)), word, anchor="middle", size=12)

    def from_below(self, colours: dict[Hole, str]) -> None:
        """Draw what is soldered below: bare wires, the one in its sleeve, and joints."""
        for part in self._board.parts:
            left, top, right, bottom = part.body
            size = ((right - left) * _P, (bottom - top) * _P)
            self.sheet.rect(self._at(right, top), size, fill="green-soft", stroke="line", radius=6)
        for wire in self._board.wires:
            if not wire.above:
                self._below(wire, "jack" if self._board.is_hubs else colours[wire.start])
        for at, colour in colours.items():
            if at not in self._board.header.values():
                self.sheet.circle(self._at(*at), 5.5, fill=colour, stroke=colour)
        for wire in self._board.wires:
            for at in (wire.start, wire.end):
                if not wire.bare and at not in self._board.header.values():
                    self.sheet.circle(self._at(*at), 5.5, fill="panel", stroke="text")
        for part in self._board.parts:
            left, top, right, bottom = part.body
            middle = self._at((left + right) / 2, (top + bottom) / 2)
            aside = _BELOW.get(part.kind, (0, 4)) if self._board.is_hubs else (0, 4)
            self.sheet.text(_add(middle, aside), part.ref, anchor="middle", size=12, fill="quiet")

    def _below(self, wire: Wire, colour: str) -> None:
        start, end = self._at(*wire.start), self._at(*wire.end)
        if wire.bare:
            self.sheet.line(start, end, "quiet", width=7)
            self.sheet.line(start, end, "sunk", width=4)
        else:
            self.sheet.line(start, end, colour, width=4)


def _add(place: tuple[float, float], by: tuple[float, float]) -> tuple[float, float]:
    return place[0] + by[0], place[1] + by[1]


def _short(cable: str) -> str:
    """Return a cable or a board as it stands in a drawing: NE, N, 2nd."""
    kind, _, place = cable.partition("_")
    boards = {FIRST: "1st", SECOND: "2nd"}
    return place.upper() if kind in {"pocket", "seat"} else boards.get(cable, cable)


_DIODES = ("schottky", "diode")


# --- over an Ethernet socket -------------------------------------------------------------

ETHERNET_MM = 66.5
"""Where a Pi's Ethernet socket begins, from the edge with its card: 13.6 mm high, where the
spacers keep the board 11 mm above (from memory)."""
KEPT_MM = 3.0
"""What stays of the board there, beside the middle of column X."""
_FIRST_PIN_MM, _FIRST_PIN_COLUMN = 8.37, 3
"""Where pin 1 is, from the same edge of the Pi, and its column."""


def reach_mm(kept_mm: float) -> float:
    """Return how far the board reaches over a Pi with so much of it beside column X."""
    return _FIRST_PIN_MM + (COLUMNS - _FIRST_PIN_COLUMN) * PITCH_MM + kept_mm


# --- what is done, in its order ----------------------------------------------------------


def steps(drawn: Board) -> dict[str, tuple[str, ...]]:
    """Return what is ticked off, by the key of the step in ``words.toml``."""
    board = drawn.layout
    pins = {at: f"{pin} ({named(at)})" for pin, at in board.header.items()}

    def placed(*kinds: str) -> Iterator[str]:
        found = [part for part in board.parts if part.kind.startswith(kinds)]
        for part in sorted(found, key=lambda part: _order(part.ref.lstrip(string.ascii_letters))):
            legs = [named(at) for at in sorted(part.legs.values())]
            where = f"{legs[0]} – {legs[-1]}"
            if len(legs) == 2 or part.kind == "transistor":
                where = ", ".join(legs)
            if part.kind == "shifter":  # leg 1, and the one at the other end
                where = f"{named(part.legs['1'])} – {named(part.legs['8'])}"
            if part.kind in {"diode", "buzzer"}:
                where = f"{named(part.legs['1'])}, {named(part.legs['2'])}"
            yield f"{' '.join(filter(None, (part.ref, _VALUES.get(part.kind))))}: {where}"

    def wires(*, bare: bool, above: bool) -> tuple[str, ...]:
        found = [w for w in board.wires if (w.bare, w.above) == (bare, above)]
        found.sort(key=lambda w: (w.start[1], w.start[0]) if bare else w.start)
        return tuple(f"{pins.get(w.start, named(w.start))} – {named(w.end)}" for w in found)

    def leads(*cables: str) -> Iterator[str]:
        for cable in cables:
            for contact in sorted({c for each, c in board.leads if each == cable}, key=_order):
                yield f"{cable} {contact}: {named(board.leads[cable, contact])}"

    screws = SCREWS if board.header else ()
    holes = tuple(f"{named((x, int(y)))}, {named((x, int(y) + 1))}" for x, y in screws)
    return {
        "saw_and_drill": (f"X: {KEPT_MM:g} mm", *holes) if holes else (),
        "resistors": tuple(placed("r_")),
        "diode": tuple(placed("diode")),
        "socket": tuple(pins[board.header[str(pin)]] for pin in board.soldered_pins()),
        "wires": wires(bare=False, above=True),
        "transistors": tuple(placed("transistor")),
        "chip": tuple(placed("shifter")),
        "upright": tuple(placed("c_", "fuse", "kk")),
        "buzzer": tuple(placed("buzzer")),
        "leads": tuple(leads(*(cable.name for cable in drawn.build.cables))),
        "first": tuple(leads(FIRST, HEADER)),
        "second": tuple(leads(SECOND)),
        "sleeved": wires(bare=False, above=False),
        "bare": wires(bare=True, above=False),
    }


def _order(contact: str) -> tuple[int, str]:
    return (int(contact), "") if contact.isdigit() else (0, contact)


def _bold(row: str, bold: str) -> str:
    """Return a row with what goes into its holes in bold: R4 may be a part, and a hole."""
    what, colon, where = row.rpartition(": ")
    return (bold.format(what) if what else "") + colon + where


def words() -> dict[str, dict[str, str]]:
    """Return the words of the sheet by key and language."""
    return tomllib.loads((PERFBOARD / "words.toml").read_text(encoding="utf-8"))


_MANY = 26
"""Longer lists are of short rows, and stand in more columns."""


def sheet(board: Board, language: str) -> str:
    """Write the sheet of a board in a language: two pages of A4."""
    said = {key: escape(text[language]) for key, text in words().items()}
    listed = []
    for key, rows in steps(board).items():
        ticks = "".join(f"<li>{_bold(row, '<b>{}</b>')}</li>" for row in rows)
        many = ' class="many"' if len(rows) > _MANY else ""
        listed.append(f"<li><h2>{said[key]}</h2><ul{many}>{ticks}</ul></li>" if rows else "")
    above = said["above" if board.layout.header else "above_second"]
    template = string.Template((PERFBOARD / "sheet.html").read_text(encoding="utf-8"))
    drawings = {side: drawn(board, above=side == "above").decode() for side in ("above", "below")}
    return template.substitute(
        {place: said[place] for place in ("title", "lead", "check")}, lang=language,
        build=board.heading(language), said_above=above, said_below=said["below"],
        steps="".join(listed), **drawings,
    )  # fmt: skip


def guide_page() -> str:
    """Write the page of the guide: each board with its drawings and list."""
    said = {key: text["en"] for key, text in words().items()}
    lines = [page("perfboard").replace("{sheets}", "\n".join(_sheets())).rstrip(), ""]
    for board in BOARDS:
        lines += [f"## {board.heading('en')}", ""]
        for side in ("above", "below"):
            about = f"The {_about(board)}, from {side}"
            key = "above_second" if side == "above" and not board.layout.header else side
            lines += [f"![{about}](../perfboard/{board.name}-{side}.svg)", "", said[key], ""]
        for number, (key, rows) in enumerate((s for s in steps(board).items() if s[1]), 1):
            lines += [
                f"{number}. {said[key]}.",
                *(f"   - [ ] {_bold(row, '**{}**')}" for row in rows),
                "",
            ]
    return "\n".join(lines)


_LANGUAGES = {"en": "English", "de": "German", "ja": "Japanese"}


def _sheets() -> Iterator[str]:
    """Yield a row for each board, with its sheets."""
    for board in BOARDS:
        links = (f"[{said}](../perfboard/{board.name}-{each}.pdf)"
                 for each, said in _LANGUAGES.items())  # fmt: skip
        yield f"- {board.heading('en')}: {', '.join(links)}"


def make() -> Iterator[File]:
    """Return the drawings."""
    for each in BOARDS:
        for side in ("above", "below"):
            path = f"perfboard/{each.name}-{side}.svg"
            yield File(path, drawn(each, above=side == "above"))
    board, nets = sensor_board.layout(heads=True), sensor_board.wanted(heads=True)
    colours = dict.fromkeys(nets, "two") | {net: "one" for net in nets if net.startswith("disc")}
    colours |= {net: "green" for net in nets if net.startswith("head")}
    colours |= {GROUND: "jack", "3V3_PICO": "warn", "5V": "red", sensor_board.BUS_5: "red"}
    for side in ("above", "below"):
        drawing = picture(
            f"The sensor hub, from {side}", board, coloured(board, nets, colours), side
        )
        yield File(f"perfboard/sensor-hub-{side}.svg", drawing)


def make_sheets() -> Iterator[File]:
    """Return the sheet of each board in each language."""
    pages = {f"perfboard/{board.name}-{each}.pdf": sheet(board, each)
             for board in BOARDS for each in LANGUAGES}  # fmt: skip
    yield from printed_pages(pages, PERFBOARD)


STEP = Step("perfboard", make, owns=("perfboard/*.svg",))
SHEETS = Step("perfboard-sheets", make_sheets, owns=("perfboard/*.pdf",), slow=True)
