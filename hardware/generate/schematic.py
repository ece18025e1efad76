"""The schematic of a build: what stands between each pin of the header and what people touch.

Drawn by schemdraw, one row for each wire, from the pin on the left through the hub's board and the
contact of its socket (the open circle) to the far end of the cable. Every wire is drawn, though
many are alike: who follows a wire finds it by its name and pin, and every part by its designator,
which the order table has too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import schemdraw
from schemdraw import elements, logic

from hardware.board.perfboard import PIN_5, PIN_RAW_5
from hardware.generate.builds import BUILDS, Build
from hardware.generate.designators import SUPPLY_3, SUPPLY_5, placed
from hardware.generate.harness import harness
from hardware.generate.look import COLOURS, FONT, words
from hardware.generate.step import File, Step
from jackspot.inputs.cables import BUS_GPIOS, BusLine, Cable, CableKind
from jackspot.inputs.header import HEADER_PINS, Rail
from jackspot.inputs.pins import Wire, WireKind

# Typed in part only: what places an element is known of some of them and not of others.
elm: Any = elements
gates: Any = logic

_COLUMN = 17.6
_BETWEEN = 2.2
_BEAM, _BUTTON, _OUTPUT, _LINE, _LINE_SHIFTED = 4.9, 1.2, 3.5, 0.8, 1.2
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
        lamps = build.config.of_kind(WireKind.LAMP)
        sheet.group("Lamps and buzzer" if lamps else "Buzzer", sheet.output, outputs, _OUTPUT)
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
        self._named: dict[tuple[str, str], list[str]] = {}
        for each in placed(build):
            self._named.setdefault((each.part, each.of), []).append(each.designator)

    def _name(self, part: str, of: str) -> str:
        """Return the designators of a part at a wire or cable."""
        return ", ".join(self._named[part, of])

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
        y -= 2.4 if wires[0].kind is WireKind.BEAM else 1.7
        for wire in wires:
            if wire.kind is WireKind.BUZZER:
                y -= 1.2  # its diode lies above it
            row(wire, x, y)
            y -= height
        self._y = y - _BETWEEN

    def _title(self, title: str) -> None:
        self._words((self._x, self._y + 1.6), title, size=15)

    def beam(self, wire: Wire, x: float, y: float) -> None:
        """Draw a beam: 1 kohm in series, 10 kohm to 3.3 V, and what is in the pocket."""
        contact = self._input(wire, x, y)
        self._drawing += elm.Resistor().at((x + 6.0, y)).up(1.5)
        self._words((x + 6.5, y + 0.75), f"{self._name('r_10k', wire.name)} 10 kΩ")
        self._drawing += elm.Vdd().at((x + 6.0, y + 1.5)).label("3.3 V")
        self._drawing += elm.Dot().at((x + 6.0, y))
        ground = (contact[0] + 1.6, y - 0.75)
        part = elm.NpnPhoto(circle=True) if self._build.bare_beams else elm.BjtNpn(circle=True)
        self._drawing += elm.Line().at(contact).right(1.6)
        self._drawing += part.at((ground[0], y)).anchor("collector").theta(0)
        cable = next(c for c in self._build.cables if c.contact(wire.name))
        said = ["phototransistor", "base open"] if self._build.bare_beams else ["receiver"]
        if self._build.crossed_beams:
            said = ["receivers", "in parallel"]
        name = self._name("detector" if self._build.bare_beams else "beam_pair", wire.name)
        for i, line in enumerate((name, *said)):
            self._words((ground[0] + 0.65, y - 0.45 - 0.45 * i), line, quiet=i > 0)
        self._drawing += elm.Line().at((ground[0], y - 1.3)).down(0.3)
        self._ground((ground[0], y - 1.6), f"{cable.name} {cable.contact(Rail.GROUND)}")
        self._emitter(wire, cable, x + 12.6, y)

    def _emitter(self, wire: Wire, cable: Cable, x: float, y: float) -> None:
        """Draw the other half of a beam: from its 5 V down to ground."""
        self._drawing += elm.Vdd().at((x, y + 1.4)).scale(0.8).label("5 V")
        self._contact((x, y + 1.2), "")
        self._words((x + 0.3, y + 1.1), f"{cable.name} {cable.contact(Rail.V5)}", quiet=True)
        self._drawing += elm.Line().at((x, y + 1.4)).down(0.4)
        top = y + 1.0
        if self._build.bare_beams:
            self._drawing += elm.Resistor().at((x, top)).down(1.2)
            self._words((x + 0.6, top - 0.75), f"{self._name('r_100', wire.name)} 100 Ω")
            self._drawing += elm.LED().at((x, top - 1.2)).down(1.3)
            said = [self._name("emitter", wire.name), "emitter"]
        else:
            self._drawing += elm.Line().at((x, top)).down(1.2)
            self._drawing += elm.LED().at((x, top - 1.2)).down(1.3)
            pairs = "both emitters" if self._build.crossed_beams else "emitter"
            said = [self._name("beam_pair", wire.name), pairs, "resistor inside"]
        for i, line in enumerate(said):
            self._words((x + 0.95, top - 1.6 - 0.45 * i), line, quiet=i > 0)
        self._drawing += elm.Line().at((x, top - 2.5)).down(0.1)
        self._ground((x, top - 2.6), "")

    def _ground(self, place: tuple[float, float], contact: str) -> None:
        self._drawing += elm.Ground().at(place).scale(0.7)
        if contact:
            self._words((place[0] - 2.1, place[1] - 0.15), contact, quiet=True)

    def button(self, wire: Wire, x: float, y: float) -> None:
        """Draw a button: 1 kohm in series, and to ground."""
        contact = self._input(wire, x, y)
        self._drawing += elm.Button().at(contact).right(2.2)
        self._drawing += elm.Ground().at((contact[0] + 2.2, y)).scale(0.7)
        self._words((contact[0] + 2.6, y - 0.15), self._name("button", wire.name))

    def output(self, wire: Wire, x: float, y: float) -> None:
        """Draw a lamp or the buzzer behind its transistor."""
        self._pin(wire.gpio, wire.name, x, y)
        resistor = f"{self._name('r_1k', wire.name)} 1 kΩ"
        self._drawing += elm.Resistor().at((x + 3.2, y)).right(2.2).label(resistor)
        self._words((x + 6.9, y - 0.45), self._name("transistor", wire.name))
        transistor = elm.BjtNpn(circle=True).at((x + 5.4, y)).anchor("base").theta(0)
        self._drawing += transistor
        collector, emitter = transistor.absanchors["collector"], transistor.absanchors["emitter"]
        self._drawing += elm.Ground().at(emitter).scale(0.7)
        top = (collector[0], y + 0.95)
        self._drawing += elm.Line().at(collector).to(top)
        if wire.kind is WireKind.LAMP:
            self._lamp(wire, top)
        else:
            self._buzzer(wire, top)

    def _lamp(self, wire: Wire, top: tuple[float, float]) -> None:
        cable = next(c for c in self._build.cables if c.contact(wire.name))
        contact = (top[0] + 1.0, top[1])
        self._drawing += elm.Line().at(top).to(contact)
        self._contact(contact, f"{cable.name} {cable.contact(wire.name)}")
        self._drawing += elm.LED().at((contact[0] + 2.2, top[1])).left(2.2)
        self._words((contact[0] + 1.4, top[1] - 0.75), self._name("lamp", wire.name))
        resistor = f"{self._name('r_150', wire.name)} 150 Ω"
        self._drawing += elm.Resistor().at((contact[0] + 2.2, top[1])).right(2.2).label(resistor)
        end = (contact[0] + 4.4, top[1])
        self._contact(end, f"{cable.name} {cable.contact(Rail.V5)}", below=True)
        self._drawing += elm.Line().at(end).right(0.7)
        self._drawing += elm.Vdd().at((end[0] + 0.7, end[1])).scale(0.8).label("5 V")

    def _buzzer(self, wire: Wire, top: tuple[float, float]) -> None:
        right = top[0] + 4.2
        name = {part: self._name(part, wire.name) for part in ("r_33", "buzzer", "diode")}
        end = top[0] + 2.2
        self._drawing += elm.Inductor2(loops=3).at(top).right(2.2)
        self._words((top[0] + 0.3, top[1] - 0.7), f"{name['buzzer']} buzzer")
        self._drawing += elm.Resistor().at((end, top[1])).right(2.0)
        self._words((end + 0.3, top[1] + 0.3), f"{name['r_33']} 33 Ω")
        self._drawing += elm.Line().at((right, top[1])).to((right + 0.8, top[1]))
        self._drawing += elm.Vdd().at((right + 0.8, top[1])).scale(0.8).label("5 V")
        self._drawing += elm.Line().at(top).up(1.0)
        self._drawing += elm.Line().at((end, top[1])).up(1.0)
        self._drawing += elm.Diode().at((top[0], top[1] + 1.0)).to((end, top[1] + 1.0))
        self._words((top[0] + 0.3, top[1] + 1.5), f"{name['diode']} 1N4148")

    def displays(self) -> None:
        """Draw the lines of the displays, and the supply of all cables."""
        self._title("Supply and displays" if self._has_displays() else "Supply")
        x, y = self._x, self._y - 0.4
        self._words((x, y - 0.15), f"pin {PIN_5}  5 V")
        self._fuse((x + 3.2, y), f"{self._name('fuse', SUPPLY_5)} MF-R075, 0.75 A")
        self._drawing += elm.Vdd().at((x + 5.4, y))
        self._words((x + 5.9, y - 0.15), f"5 V of {', '.join(self._fed())}", quiet=True)
        self._drawing += elm.Line().at((x + 2.2, y)).to((x + 3.2, y))
        for cable in self._build.cables:
            if not any(isinstance(core.signal, BusLine) for core in cable.cores):
                continue
            y -= 1.4
            socket = next(run.socket for run in harness(self._build) if run.cable == cable)
            said = f"{self._name(socket, cable.name)} {cable.name}: the display "
            said += self._name(
                "oled_spi" if cable.kind is CableKind.OLED_SPI else cable.name,
                "oled_spi" if cable.kind is CableKind.OLED_SPI else cable.name,
            )
            self._words((x, y - 0.2), said, quiet=True)
            y -= 0.3
            for core in cable.cores:
                y -= _LINE_SHIFTED if cable.kind is CableKind.MATRIX else _LINE
                if core.signal is Rail.V3:
                    y -= 0.3
                self._display_line(cable.name, core.signal, core.contact, (x, y))
            if cable.kind is CableKind.MATRIX:
                y -= 1.5 * _LINE_SHIFTED
                self._beside_shifter(x, y)

    def _beside_shifter(self, x: float, y: float) -> None:
        """Draw the capacitor between the supply of the level shifter and ground."""
        shifter = self._name("shifter", "matrix")
        self._words((x, y - 0.15), f"supply of {shifter}")
        self._drawing += elm.Line().at((x + 2.8, y)).to((x + 3.2, y))
        self._drawing += elm.Capacitor().at((x + 3.2, y)).right(1.6)
        self._words((x + 3.0, y + 0.5), f"{self._name('c_100n', 'matrix')} 100 nF")
        self._drawing += elm.Ground().at((x + 4.8, y)).scale(0.7)
        self._words((x + 5.6, y - 0.15), f"beside {shifter}", quiet=True)

    def _has_displays(self) -> bool:
        there = self._build.counts()
        return any(there[each] for each in ("oled", "oled_spi", "matrix"))

    def _fed(self) -> list[str]:
        """Return what of this build has its 5 V from the fuse."""
        there = self._build.counts()
        fed = {"pockets": "pocket", "seats": "lamp", "buzzer": "buzzer"}
        return [said for said, counted in fed.items() if there[counted]]

    def _fuse(self, place: tuple[float, float], said: str) -> None:
        self._drawing += elm.Fuse().at(place).right(2.2)
        self._words((place[0] - 0.2, place[1] + 0.45), said)

    def _display_line(
        self, cable: str, signal: Any, contact: int, place: tuple[float, float]
    ) -> None:
        x, y = place
        if isinstance(signal, Rail):
            from_pin = f"pin {PIN_RAW_5}  " if signal is Rail.V5 else ""
            self._words((x, y - 0.15), f"{from_pin}{signal}")
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
            shifter = self._name("shifter", "matrix")
            self._words((x + 9.0, y - 0.15), f"through {shifter} 74AHCT125", quiet=True)
        elif signal is Rail.V3:
            self._fuse(start, f"{self._name('fuse_3v3', SUPPLY_3)} MF-R020, 0.2 A")
            self._drawing += elm.Line().at((start[0] + 2.2, y)).to(end)
        else:
            self._drawing += elm.Line().at(start).to(end)
        self._contact(end, f"{cable} {contact}", beside=True)

    def _input(self, wire: Wire, x: float, y: float) -> tuple[float, float]:
        """Draw pin, resistor and contact of an input; give the contact's place."""
        self._pin(wire.gpio, wire.name, x, y)
        resistor = f"{self._name('r_1k', wire.name)} 1 kΩ"
        self._drawing += elm.Resistor().at((x + 3.2, y)).right(2.2).label(resistor)
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
