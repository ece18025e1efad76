"""The schematic of a build: what stands between each pin of the header and what people touch.

Drawn by schemdraw, one row for each wire, from the pin on the left through the hub's board and the
contact of its socket (the open circle) to the far end of the cable. Every wire is drawn, though
many are alike: who follows a wire finds it by its name and pin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import schemdraw
from schemdraw import elements, logic

from hardware.generate.builds import BUILDS, Build
from hardware.generate.look import COLOURS, FONT, words
from hardware.generate.step import File, Step
from jackspot.inputs.cables import BUS_GPIOS, BusLine, CableKind
from jackspot.inputs.header import HEADER_PINS, Rail
from jackspot.inputs.pins import Wire, WireKind

# Typed in part only: what places an element is known of some of them and not of others.
elm: Any = elements
gates: Any = logic

_COLUMN = 13.6
_BETWEEN = 2.2
_BEAM, _BUTTON, _OUTPUT, _LINE, _LINE_SHIFTED = 3.3, 1.2, 3.3, 0.8, 1.2
"""The height of a row of each kind, in schemdraw's units."""


def make() -> Iterator[File]:
    """Return one schematic for each build."""
    for build in BUILDS:
        yield File(f"schematic/{build.name}.svg", _tidy(_draw(build)), words)


def _draw(build: Build) -> bytes:
    library: Any = schemdraw
    library.use("svg")
    library.svgconfig.text = "text"
    config = {"color": COLOURS["text"], "bgcolor": COLOURS["panel"], "lw": 1.4, "fontsize": 11}
    with library.Drawing(show=False, **config) as drawing:
        drawing.config(margin=0.4)
        sheet = _Sheet(drawing, build)
        sheet.group("Beams", sheet.beam, build.config.of_kind(WireKind.BEAM), _BEAM)
        outputs = (*build.config.of_kind(WireKind.LAMP), *build.config.of_kind(WireKind.BUZZER))
        sheet.group("Lamps and buzzer", sheet.output, outputs, _OUTPUT)
        sheet.next_column()
        buttons = build.config.of_kind(WireKind.BUTTON)
        sheet.group("Buttons", sheet.button, buttons, _BUTTON)
        sheet.displays()
        content: bytes = drawing.get_imagedata("svg")
    return content


class _Sheet:
    """The drawing, and the place where it goes on: groups stand under each other in two columns."""

    def __init__(self, drawing: Any, build: Build) -> None:
        self._drawing = drawing
        self._build = build
        self._x = 0.0
        self._y = 0.0

    def next_column(self) -> None:
        """Go on at the top of the next column."""
        self._x, self._y = self._x + _COLUMN, 0.0

    def group(self, title: str, row: Any, wires: tuple[Wire, ...], height: float) -> None:
        """Draw the rows of one kind under each other, if there are any."""
        if not wires:
            return
        self._title(title)
        x, y = self._x, self._y
        self._words((x, y + 0.9), "pin, hub's board, contact, far end of the cable", quiet=True)
        if wires[0].kind is WireKind.BEAM:
            self._words((x, y + 0.3), self._beams_supply(wires[0]), quiet=True)
        y -= 2.4 if wires[0].kind is WireKind.BEAM else 1.7
        for wire in wires:
            row(wire, x, y)
            y -= height
        self._y = y - _BETWEEN

    def _title(self, title: str) -> None:
        self._words((self._x, self._y + 1.6), title, size=15)

    def _beams_supply(self, wire: Wire) -> str:
        """Say where the other half of every beam is connected."""
        cable = next(c for c in self._build.cables if c.contact(wire.name))
        what = "LED with 180 Ω" if self._build.bare_beams else "emitter and receiver"
        supply, ground = cable.contact(Rail.V5), cable.contact(Rail.GROUND)
        return f"{what}: 5 V on contact {supply}, ground on {ground}"

    def beam(self, wire: Wire, x: float, y: float) -> None:
        """Draw a beam: 1 kohm in series, 10 kohm to 3.3 V, and what is in the pocket."""
        contact = self._input(wire, x, y)
        self._drawing += elm.Resistor().at((x + 6.0, y)).up(1.5).label("10 kΩ", loc="top")
        self._drawing += elm.Vdd().at((x + 6.0, y + 1.5)).label("3.3 V")
        self._drawing += elm.Dot().at((x + 6.0, y))
        ground = (contact[0] + 1.6, y - 0.75)
        part = elm.NpnPhoto(circle=True) if self._build.bare_beams else elm.BjtNpn(circle=True)
        self._drawing += elm.Line().at(contact).right(1.6)
        self._drawing += part.at((ground[0], y)).anchor("collector").theta(0)
        made = "two receivers" if self._build.crossed_beams else "receiver"
        said = "phototransistor" if self._build.bare_beams else made
        self._words((ground[0] + 0.6, y - 0.6), said, quiet=True)
        if self._build.crossed_beams:
            self._words((ground[0] + 0.6, y - 1.05), "in parallel", quiet=True)
        self._drawing += elm.Ground().at((ground[0], y - 1.3)).scale(0.7)

    def button(self, wire: Wire, x: float, y: float) -> None:
        """Draw a button: 1 kohm in series, and to ground."""
        contact = self._input(wire, x, y)
        self._drawing += elm.Button().at(contact).right(2.2)
        self._drawing += elm.Ground().at((contact[0] + 2.2, y)).scale(0.7)

    def output(self, wire: Wire, x: float, y: float) -> None:
        """Draw a lamp or the buzzer behind its transistor."""
        self._pin(wire.gpio, wire.name, x, y)
        self._drawing += elm.Resistor().at((x + 3.2, y)).right(2.2).label("1 kΩ")
        transistor = elm.BjtNpn(circle=True).at((x + 5.4, y)).anchor("base").theta(0)
        self._drawing += transistor
        collector, emitter = transistor.absanchors["collector"], transistor.absanchors["emitter"]
        self._drawing += elm.Ground().at(emitter).scale(0.7)
        top = (collector[0], y + 0.95)
        self._drawing += elm.Line().at(collector).to(top)
        if wire.kind is WireKind.LAMP:
            self._lamp(wire, top)
        else:
            self._buzzer(top)

    def _lamp(self, wire: Wire, top: tuple[float, float]) -> None:
        cable = next(c for c in self._build.cables if c.contact(wire.name))
        contact = (top[0] + 1.0, top[1])
        self._drawing += elm.Line().at(top).to(contact)
        self._contact(contact, f"{cable.name} {cable.contact(wire.name)}")
        self._drawing += elm.LED().at((contact[0] + 2.2, top[1])).left(2.2)
        self._drawing += elm.Resistor().at((contact[0] + 2.2, top[1])).right(2.0).label("150 Ω")
        end = (contact[0] + 4.2, top[1])
        self._contact(end, f"{cable.name} {cable.contact(Rail.V5)}", below=True)
        self._drawing += elm.Vdd().at(end).scale(0.8).label("5 V")

    def _buzzer(self, top: tuple[float, float]) -> None:
        right = top[0] + 4.2
        self._drawing += elm.Resistor().at(top).right(2.0).label("33 Ω")
        coil = elm.Inductor2(loops=3).at((top[0] + 2.0, top[1])).right(2.2).label("buzzer")
        self._drawing += coil
        self._drawing += elm.Vdd().at((right, top[1])).scale(0.8).label("5 V")
        self._drawing += elm.Line().at(top).down(0.6)
        self._drawing += elm.Line().at((right, top[1])).down(0.6)
        diode = elm.Diode().at((top[0], top[1] - 0.6)).right(4.2).label("1N4148", loc="bottom")
        self._drawing += diode

    def displays(self) -> None:
        """Draw the lines of the displays, and the supply of all cables."""
        self._title("Supply and displays")
        x, y = self._x, self._y - 0.4
        self._words((x, y - 0.15), "pin 2, 4")
        fuse = elm.Fuse().at((x + 3.2, y)).right(2.2)
        self._drawing += fuse.label("MF-R075, 0.75 A", loc="bottom")
        self._drawing += elm.Vdd().at((x + 5.4, y))
        self._words((x + 5.9, y + 0.3), "5 V of pockets,", quiet=True)
        self._words((x + 5.9, y - 0.15), "seats, buzzer", quiet=True)
        self._drawing += elm.Line().at((x + 2.2, y)).to((x + 3.2, y))
        for cable in self._build.cables:
            if not any(isinstance(core.signal, BusLine) for core in cable.cores):
                continue
            y -= 1.4
            for core in cable.cores:
                y -= _LINE_SHIFTED if cable.kind is CableKind.MATRIX else _LINE
                self._display_line(cable.name, core.signal, core.contact, (x, y))

    def _display_line(
        self, cable: str, signal: Any, contact: int, place: tuple[float, float]
    ) -> None:
        x, y = place
        if isinstance(signal, Rail):
            self._words((x, y - 0.15), str(signal))
        else:
            bus = signal if isinstance(signal, BusLine) else None
            gpio = BUS_GPIOS[bus] if bus else next(
                wire.gpio for wire in self._build.wires if wire.name == signal
            )  # fmt: skip
            self._words((x, y - 0.15), f"pin {HEADER_PINS[gpio]}  {signal}")
        start, end = (x + 3.2, y), (x + 7.2, y)
        shifted = cable == "matrix" and not isinstance(signal, Rail)
        if shifted:
            buffer = gates.Buf().at(start).theta(0)
            self._drawing += buffer
            self._drawing += elm.Line().at(buffer.absanchors["out"]).to(end)
            self._words((x + 9.0, y - 0.15), "through 74AHCT125", quiet=True)
        else:
            self._drawing += elm.Line().at(start).to(end)
        self._contact(end, f"{cable} {contact}", beside=True)

    def _input(self, wire: Wire, x: float, y: float) -> tuple[float, float]:
        """Draw pin, resistor and contact of an input; give the contact's place."""
        self._pin(wire.gpio, wire.name, x, y)
        self._drawing += elm.Resistor().at((x + 3.2, y)).right(2.2).label("1 kΩ")
        contact = (x + 7.2, y)
        self._drawing += elm.Line().at((x + 5.4, y)).to(contact)
        cable = next(c for c in self._build.cables if c.contact(wire.name))
        said = f"{cable.name} {cable.contact(wire.name)}"
        beside_button = 0.35 if wire.kind is WireKind.BUTTON else 0.0
        self._contact(contact, said, left=beside_button)
        return contact

    def _pin(self, gpio: int, name: str, x: float, y: float) -> None:
        self._words((x, y + 0.12), name)
        self._words((x, y - 0.38), f"pin {HEADER_PINS[gpio]}, GPIO {gpio}", quiet=True)
        self._drawing += elm.Dot().at((x + 3.2, y))

    def _contact(
        self,
        place: tuple[float, float],
        said: str,
        *,
        beside: bool = False,
        below: bool = False,
        left: float = 0.0,
    ) -> None:
        """Draw a contact of a socket, its name above it, beside it or below it."""
        self._drawing += elm.Dot(open=True).at(place)
        x, y = place
        where = (
            (x + 0.25, y - 0.15) if beside else (x - 0.6 - left, y - 0.55 if below else y + 0.25)
        )
        self._words(where, said, quiet=True)

    def _words(
        self, place: tuple[float, float], said: str, *, size: float = 11, quiet: bool = False
    ) -> None:
        colour = COLOURS["quiet" if quiet else "text"]
        label = elm.Label().at(place).label(said, halign="left", valign="bottom", fontsize=size)
        self._drawing += label.color(colour)


def _tidy(svg: bytes) -> bytes:
    """Round places to a tenth and name the pages' fonts."""
    plain = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(\d+\.\d)\d+", r"\1", tag[0]), svg.decode())
    return re.sub(r'font-family="[^"]*"', f'font-family="{FONT}"', plain).encode()


STEP = Step("schematic", make, owns=("schematic/*.svg",))
