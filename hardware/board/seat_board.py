"""The second board of holes of a build with buttons at its seats: these, lamps, buzzer, matrix.

It is the same bought board as the first (:mod:`hardware.board.perfboard`) and lies beside it. Leads
come from pins of the header on the first board, and more bring 5 V behind the fuse, ground, and
3.3 V where a display is here. Each button has a column of its own, each lamp a transistor below its
resistor. With a matrix its level shifter and the display's socket are in the place of the lamps,
and other buttons stand here whose pins are far from their columns on the first board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.board.perfboard import (
    BASE,
    COLLECTOR,
    EMITTER,
    FIRST,
    FIVE_VOLTS,
    HEADER,
    ITS_GROUND,
    PIN_RAW_5,
    PITCH_MM,
    THREE_VOLTS,
    Hole,
    Layout,
    Part,
    Terminal,
    Wire,
    elsewhere,
    hole,
    layout,
    matrix_pins,
)
from hardware.generate.builds import Build
from hardware.generate.designators import SUPPLY_3, placed
from jackspot.inputs.cables import CableKind
from jackspot.inputs.header import HEADER_PINS, Rail
from jackspot.inputs.pins import BUZZER, Wire as Input, WireKind

_BUTTON_ROWS = (1, 2, 6, 7)
"""Of a button's column: the lead from the Pi, both legs of the resistor, the lead to its seat."""
_LAMP_ROWS = (9, 10, 14, 15)
"""Of a lamp's middle column: the lead from the Pi, both legs of the resistor, the transistor."""
_GROUND_ROW = 17
_FIRST_COLUMN, _APART, _LAMPS_APART = 2, 2, 4
_BUZZER_COLUMN = 19
_V5_COLUMN, _V5_ROW = 24, 9


def second(build: Build) -> Layout:
    """Return the second board of a build that has one."""
    made = _Board(build)
    wires = elsewhere(build)
    first = _FIRST_COLUMN - bool(matrix_pins(build))
    for i, wire in enumerate(wire for wire in wires if wire.kind is WireKind.BUTTON):
        made.button(wire, first + _APART * i)
    for i, wire in enumerate(wire for wire in wires if wire.kind is WireKind.LAMP):
        made.lamp(wire, _FIRST_COLUMN + _LAMPS_APART * i)
    made.buzzer()
    made.supplies()
    if matrix_pins(build):
        made.matrix()
        made.display()
    return Layout(tuple(made.parts), made.leads, tuple(made.wires), {})


class _Board:
    """A board that grows."""

    def __init__(self, build: Build) -> None:
        self.parts: list[Part] = []
        self.leads: dict[Terminal, Hole] = {}
        self.wires: list[Wire] = []
        self._build = build
        self._names = {(each.part, each.of): each.designator for each in placed(build)}

    def button(self, wire: Input, x: int) -> None:
        """Place a button's resistor between the lead from its pin and the one to its socket."""
        pin, upper, lower, lead = _BUTTON_ROWS
        self._part("r_1k", wire.name, {"2": (x, upper), "1": (x, lower)})
        self._pin(wire, (x, pin))
        self._lead(wire, (x, lead))
        self._wires(((x, pin), (x, upper)), ((x, lower), (x, lead)))

    def lamp(self, wire: Input, x: int) -> None:
        """Place a lamp's transistor with its resistor, and the lead to its socket."""
        self._transistor(wire, x)
        row = _LAMP_ROWS[-1]
        self._lead(wire, (x, row + 1))
        self._wires(((x, row), (x, row + 1)))

    def buzzer(self) -> None:
        """Place the buzzer, its diode and resistor above its transistor."""
        [wire] = (wire for wire in self._build.wires if wire.name == BUZZER)
        x = _BUZZER_COLUMN
        self._transistor(wire, x)
        self._part("buzzer", BUZZER, {"2": (x, 3), "1": (x + 3, 3)})
        self._part("diode", BUZZER, {"2": (x, 7), "1": (x + 4, 7)})
        self._part("r_33", BUZZER, {"2": (_V5_COLUMN, 5), "1": (_V5_COLUMN, _V5_ROW)})
        self._wires(
            ((x, 3), (x, _LAMP_ROWS[-1])), ((x + 3, 3), (x + 3, 5)),
            ((x + 3, 5), (_V5_COLUMN, 5)), ((x + 4, 5), (x + 4, 7)),
        )  # fmt: skip

    def supplies(self) -> None:
        """Place the leads of 5 V in their corner, and those of ground along a row."""
        seats = self._build.of_kind(CableKind.SEAT)
        lit = [cable for cable in seats if cable.contact(Rail.V5)]
        fed = [*((c.name, str(c.contact(Rail.V5))) for c in lit), (FIRST, FIVE_VOLTS)]
        for i, end in enumerate(fed, 1):
            self.leads[end] = (_V5_COLUMN, _V5_ROW + i)
        self._wires(((_V5_COLUMN, _V5_ROW), (_V5_COLUMN, _V5_ROW + len(fed))))
        for i, cable in enumerate(seats):
            at = (_FIRST_COLUMN + 1 + _LAMPS_APART * i, _GROUND_ROW)
            self.leads[cable.name, str(cable.contact(Rail.GROUND))] = at
        self.leads[FIRST, ITS_GROUND] = (_V5_COLUMN - 1, _GROUND_ROW)
        start = _FIRST_COLUMN + (not matrix_pins(self._build))
        self._wires(((start, _GROUND_ROW), (_V5_COLUMN - 1, _GROUND_ROW)))

    def matrix(self) -> None:
        """Place the level shifter below the matrix's socket, and the lead of 5 V between them."""
        x, upper, lower, socket = 12, 9, 12, 3
        legs = {str(n): (x + n - 1, lower) for n in range(1, 8)}
        self._part("shifter", "matrix", legs | {str(n): (x + 14 - n, upper) for n in range(8, 15)})
        self._part("kk5_socket", "matrix", {str(n): (x + n, socket) for n in range(1, 6)})
        self._part("c_100n", "matrix", {"1": hole("M7"), "2": hole("O7")})
        self.leads[HEADER, PIN_RAW_5] = hole("M5")
        self.leads[HEADER, "26"] = hole("P13")
        self._bare("M3 M9, L9 M9, N3 N10, L12 L17, O10 O17, R12 R17, P12 P13")
        self._bare("P9 P10, N10 P10, R9 R6, Q6 R6, Q3 Q6, N7 O7")
        self._bare("N12 N13, O3 O5, Q12 Q13, P3 P5")
        self._sleeved("N13 O5, Q13 P5")

    def display(self) -> None:
        """Place the display's socket with its fuse; its bus goes on to the shifter."""
        legs = {str(n): (n + 1, 10) for n in range(1, 8)}
        self._part("kk7_socket", "oled", legs)
        self._part("fuse_3v3", SUPPLY_3, {"2": hole("C12"), "1": hole("C14")})
        self.leads[FIRST, THREE_VOLTS] = hole("C15")
        for pin, contact in _DISPLAY_PINS.items():
            self.leads[HEADER, pin] = (legs[contact][0], 12)
        self._bare("B10 B17, C10 C12, C14 C15, F10 F12, G10 G12, H10 H12")
        self._bare("D10 D15, Q8 Q9, E10 E13, M12 M13")
        self._sleeved("D15 Q8, E13 M13")

    def _bare(self, pairs: str) -> None:
        self._wires(*(self._ends(pair) for pair in pairs.split(", ")))

    def _sleeved(self, pairs: str) -> None:
        self.wires += [Wire(*self._ends(pair), bare=False) for pair in pairs.split(", ")]

    @staticmethod
    def _ends(pair: str) -> tuple[Hole, Hole]:
        start, end = pair.split()
        return hole(start), hole(end)

    def _transistor(self, wire: Input, x: int) -> None:
        pin, upper, lower, row = _LAMP_ROWS
        self._part("r_1k", wire.name, {"1": (x + 1, upper), "2": (x + 1, lower)})
        legs = {COLLECTOR: (x, row), BASE: (x + 1, row), EMITTER: (x + 2, row)}
        self._part("transistor", wire.name, legs)
        self._pin(wire, (x + 1, pin))
        self._wires(
            ((x + 1, pin), (x + 1, upper)), ((x + 1, lower), (x + 1, row)),
            ((x + 2, row), (x + 2, _GROUND_ROW)),
        )  # fmt: skip

    def _part(self, kind: str, of: str, legs: Mapping[str, Hole]) -> None:
        self.parts.append(Part(self._names[kind, of], kind, legs))

    def _pin(self, wire: Input, at: Hole) -> None:
        self.leads[HEADER, str(HEADER_PINS[wire.gpio])] = at

    def _lead(self, wire: Input, at: Hole) -> None:
        cable = next(each for each in self._build.cables if each.contact(wire.name))
        self.leads[cable.name, str(cable.contact(wire.name))] = at

    def _wires(self, *ends: tuple[Hole, Hole]) -> None:
        self.wires += [Wire(start, end) for start, end in ends]


_DISPLAY_PINS = {"23": "3", "19": "4", "22": "5", "18": "6", "24": "7"}
"""The pins of the header for a display's contacts: clock, data, reset, which of both, select."""


def layouts(build: Build) -> tuple[Layout, ...]:
    """Return the boards of a build, the one on the Pi first."""
    first = layout(build)
    return (first, second(build)) if first.led_away else (first,)


def counts(build: Build) -> dict[str, float]:
    """Return how many boards a build has, and the metres of wire on them, 1 cm more a piece."""
    boards = layouts(build)
    metres = sum(length for board in boards for length in _lengths_mm(board)) / 1000
    return {"perfboard": len(boards), "metre:bridge_wire": round(metres, 1)}


def _lengths_mm(board: Layout) -> Iterator[float]:
    for wire in board.wires:
        (x, y), (to_x, to_y) = wire.start, wire.end
        yield max(abs(x - to_x), abs(y - to_y)) * PITCH_MM + 10
