"""The second board of holes of a build whose seats have lamps: seats, lamps and buzzer.

It is the same bought board as the first (:mod:`hardware.board.perfboard`) and lies beside it. Leads
come from pins of the header on the first board, and two more bring 5 V behind the fuse and ground.
Each button has a column of its own, each lamp a transistor below its resistor; every wire is a bare
one below, straight over the joints. 5 V keep to a corner here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.board.perfboard import (
    BASE,
    COLLECTOR,
    EMITTER,
    FIRST,
    FITTING,
    FIVE_VOLTS,
    HEADER,
    ITS_GROUND,
    PITCH_MM,
    Hole,
    Layout,
    Part,
    Terminal,
    Wire,
    elsewhere,
    layout,
)
from hardware.generate.builds import Build
from hardware.generate.designators import placed
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
    for i, wire in enumerate(wire for wire in wires if wire.kind is WireKind.BUTTON):
        made.button(wire, _FIRST_COLUMN + _APART * i)
    for i, wire in enumerate(wire for wire in wires if wire.kind is WireKind.LAMP):
        made.lamp(wire, _FIRST_COLUMN + _LAMPS_APART * i)
    made.buzzer()
    made.supplies()
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
        fed = [*((c.name, str(c.contact(Rail.V5))) for c in seats), (FIRST, FIVE_VOLTS)]
        for i, end in enumerate(fed, 1):
            self.leads[end] = (_V5_COLUMN, _V5_ROW + i)
        self._wires(((_V5_COLUMN, _V5_ROW), (_V5_COLUMN, _V5_ROW + len(fed))))
        for i, cable in enumerate(seats):
            at = (_FIRST_COLUMN + 1 + _LAMPS_APART * i, _GROUND_ROW)
            self.leads[cable.name, str(cable.contact(Rail.GROUND))] = at
        self.leads[FIRST, ITS_GROUND] = (_V5_COLUMN - 1, _GROUND_ROW)
        self._wires(((_FIRST_COLUMN + 1, _GROUND_ROW), (_V5_COLUMN - 1, _GROUND_ROW)))

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


def layouts(build: Build) -> tuple[Layout, ...]:
    """Return the boards of a build, the one on the Pi first."""
    first = layout(build)
    return (first, second(build)) if first.led_away else (first,)


def counts(build: Build) -> dict[str, float]:
    """Return how many boards a build has, and the metres of wire on them, 1 cm more a piece."""
    if build not in FITTING:
        return {}
    boards = layouts(build)
    metres = sum(length for board in boards for length in _lengths_mm(board)) / 1000
    return {"perfboard": len(boards), "metre:bridge_wire": round(metres, 1)}


def _lengths_mm(board: Layout) -> Iterator[float]:
    for wire in board.wires:
        (x, y), (to_x, to_y) = wire.start, wire.end
        yield max(abs(x - to_x), abs(y - to_y)) * PITCH_MM + 10
