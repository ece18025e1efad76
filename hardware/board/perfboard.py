"""The hub's board on a bought board of holes: every leg, wire and lead in a named hole.

The board is the common double-sided one of 5 x 7 cm, holes plated through, each with a pad of its
own: 24 columns (A to X) of 18 rows, 2.54 mm apart. It lies on the Pi as a HAT does, its socket
below. What must be joined comes from the printed board's own net list (:func:`wanted`); where
things lie is said here (:func:`layout`), and :func:`faults` compares the two. A build with buttons
at its seats has a second board (:mod:`hardware.board.seat_board`), and leads join the two.

Places are columns and rows, counted from 1, y down, seen from above; sizes are in holes of 2.54 mm.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise
from string import ascii_uppercase

from msgspec import Struct, field

from hardware.board import circuit
from hardware.board.circuit import FUSED_5, LEVEL, RAW_3, RAW_5, fitted
from hardware.board.design import GROUND, BoardPart
from hardware.board.shapes import body_of
from hardware.generate.builds import Build
from hardware.generate.designators import SUPPLY_3, SUPPLY_5, placed
from jackspot.inputs.cables import BUS_GPIOS, BusLine, CableKind
from jackspot.inputs.header import HEADER_PINS, Rail, on_header
from jackspot.inputs.pins import BUZZER, Wire as Input, WireKind

COLUMNS, ROWS, PITCH_MM = 24, 18, 2.54
WIDE_MM, HIGH_MM = 70.0, 50.0
SCREWS: tuple[tuple[int, float], ...] = tuple((x, y) for x in (1, 24) for y in (1.5, 10.5))
"""Where the four holes of a Zero (58 x 23 mm) lie: on the raster, but for 0.2 mm."""
HEADER = "Pi"

Hole = tuple[int, int]
Terminal = tuple[str, str]
"""A part's designator and leg, the header and its pin, or a cable and the contact of its plug."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in holes."""


def named(hole: Hole) -> str:
    """Return the name of a hole, as of a cell in a spreadsheet: C4."""
    return f"{ascii_uppercase[hole[0] - 1]}{hole[1]}" if hole[0] in range(1, 27) else f"{hole}"


class Part(Struct, frozen=True):
    """A part with the hole of each leg. ``kind`` is its id in the parts table."""

    ref: str
    kind: str
    legs: Mapping[str, Hole]

    @property
    def body(self) -> Box:
        """Return the outline of its body."""
        legs = sorted(self.legs.values())
        (left, top), (right, bottom) = legs[0], legs[-1]
        if self.kind.endswith("_socket"):
            box = (each / PITCH_MM for each in body_of(self.kind.removesuffix("_socket")))
            return tuple(at + each for at, each in zip((left, top) * 2, box, strict=True))  # type: ignore[return-value]
        if self.kind not in _BODIES_MM:  # on two rows
            rows = [y for _, y in legs]
            return (left - 0.5, min(rows) - 0.4, right + 0.5, max(rows) + 0.4)
        long, thick = (each / PITCH_MM / 2 for each in _BODIES_MM[self.kind])
        x, y = (left + right) / 2, (top + bottom) / 2
        wide, high = (long, thick) if top == bottom else (thick, long)
        return (x - wide, y - high, x + wide, y + high)


class Wire(Struct, frozen=True):
    """A straight piece of wire; a bare one lies below the board and joins all that it passes."""

    start: Hole
    end: Hole
    bare: bool = True
    above: bool = False

    @property
    def joins(self) -> tuple[Hole, ...]:
        """Return the holes that it joins."""
        (x, y), (to_x, to_y) = self.start, self.end
        if not self.bare or (x != to_x and y != to_y):
            return (self.start, self.end)
        return tuple(
            (column, row)
            for column in range(min(x, to_x), max(x, to_x) + 1)
            for row in range(min(y, to_y), max(y, to_y) + 1)
        )


def header_holes() -> dict[str, Hole]:
    """Return the hole of every pin: even ones at the edge, odd ones in row 2, pin 1 in C2."""
    return {str(pin): (3 + (pin - 1) // 2, 1 if pin % 2 == 0 else 2) for pin in range(1, 41)}


class Layout(Struct, frozen=True):
    """A board: parts, the leads to the sockets in the hub's wall, and wires."""

    parts: tuple[Part, ...]
    leads: Mapping[Terminal, Hole]
    wires: tuple[Wire, ...]
    header: Mapping[str, Hole] = field(default_factory=header_holes)
    led_away: tuple[int, ...] = ()
    """Pins of the header with leads to another board."""

    def soldered_pins(self) -> list[int]:
        """Return the pins of the header that a wire or a lead goes to."""
        ends = {hole for wire in self.wires for hole in (wire.start, wire.end)}
        return [int(pin) for pin, hole in self.header.items()
                if hole in ends or int(pin) in self.led_away]  # fmt: skip

    @property
    def is_hubs(self) -> bool:
        """Whether it is of the hub, with leads to sockets; a sensor hub has plugs alone."""
        return bool(self.leads)


_RESISTORS = ("r_1k", "r_10k", "r_6k8", "r_100k", "r_33")
_BODIES_MM = {
    **dict.fromkeys(_RESISTORS, (6.3, 2.4)), "schottky_dip": (4.2, 2.0), "c_100n": (4.0, 2.5),
    "fuse": (10.4, 3.1), "fuse_3v3": (7.4, 3.1), "diode": (4.2, 2.0), "transistor": (5.2, 4.2),
    "buzzer": (12.0, 12.0),
}  # fmt: skip
"""How long and how thick bodies are: Yageo's MFR-25, Bourns' MF-R075 and MF-R020 (from memory)."""
RAISED = {"pico"}
"""What stands on strips, and has room for others below."""
_RAILS = {Rail.V5, Rail.V3, Rail.GROUND}
_SPANS = {
    **dict.fromkeys((*_RESISTORS, "schottky_dip", "diode"), 4), "fuse": 2, "fuse_3v3": 2,
    "c_100n": 2, "buzzer": 3,
    **dict.fromkeys(("kk2_socket", "kk4_socket", "kk5_socket", "kk6_socket",
                     "kk7_socket", "transistor"), 1),
}  # fmt: skip
"""How many holes a part's legs are apart."""


# --- what must be joined -----------------------------------------------------------------


def wanted(build: Build) -> dict[str, frozenset[Terminal]]:
    """Return what each net of a build joins, by the printed board's net list.

    What protects or shines there and is not on this board is left out: a resistor or fuse that
    lies in a line becomes a wire, all else goes.
    """
    names = {(each.part, each.of): each.designator for each in placed(build)}
    cables = {c.name: {str(core.contact) for core in c.cores} for c in build.cables}
    nets: dict[str, set[Terminal]] = defaultdict(set)
    joined: dict[str, str] = {}
    for part in circuit.parts():
        if not fitted(part, build):
            continue
        if part.part in {"r_100", "ptc_15"} or (part.part == "ptc_02" and part.of in cables):
            first, second = part.nets.values()
            joined[second] = first
            continue
        for net, terminal in _terminals_of(part, names, cables):
            nets[net].add(terminal)
    for net, into in joined.items():
        nets[into] |= nets.pop(net, set())
    return {net: frozenset(those) for net, those in nets.items()}


def _terminals_of(
    part: BoardPart, names: Mapping[tuple[str, str], str], cables: Mapping[str, set[str]]
) -> Iterator[tuple[str, Terminal]]:
    """Yield what a part of the printed board is here, each terminal with its net."""
    if part.part == "driver":
        yield from _switched(part, names)
        return
    of = "oled" if part.of == "oled_spi" else part.of
    if part.part == "header":
        where = HEADER
    elif of in cables and part.part.startswith(("jack", "kk")):
        where = names.get((f"{part.part}_socket", of), of)
    else:
        where = names.get(_as_bought(part), "")
    if part.part == "shifter":
        yield "spare", (where, _SPARE)
    if where:
        yield from ((net, (where, pad)) for pad, net in part.nets.items()
                    if pad in cables.get(of, part.nets))  # fmt: skip


_SPARE = "11"
"""The output of the shifter's gate that nothing needs."""


def _switched(
    driver: BoardPart, names: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, Terminal]]:
    """Yield what a transistor each joins in the place of the printed board's driver.

    The diode that is in the driver is one of its own here, across the buzzer's coil.
    """
    for channel in range(1, 9):
        into, out = (driver.nets[str(pad)] for pad in (channel, 19 - channel))
        if ref := names.get(("transistor", into.removeprefix("on_"))):
            legs = ((COLLECTOR, out), (BASE, into), (EMITTER, GROUND))
            yield from ((net, (ref, leg)) for leg, net in legs)
    if ref := names.get(("diode", BUZZER)):
        yield from (("buzzer_high", (ref, "1")), ("buzzer_low", (ref, "2")))


COLLECTOR, BASE, EMITTER = "1", "2", "3"
"""The legs of a BC337 from left to right, its flat side to who looks at it."""


def _as_bought(part: BoardPart) -> tuple[str, str]:
    """Return a part of the printed board as :func:`placed` has it; the lights' 1 kohm is none."""
    if part.part == "r_1k" and part.gpio is None and "light_" in "".join(part.nets.values()):
        return "", ""
    fuses = {"ptc_075": ("fuse", SUPPLY_5), "ptc_02": ("fuse_3v3", SUPPLY_3)}
    return fuses.get(part.part, (part.part, "matrix" if part.of == LEVEL else part.of))


# --- where it lies -----------------------------------------------------------------------

_INPUT_COLUMNS = {
    "referee_off": "F", "referee_undo": "H", "referee_ok": "J", "referee_fix": "L",
    "referee_foul": "N", "pocket_ne": "P", "pocket_se": "R", "pocket_sw": "T", "pocket_nw": "V",
}  # fmt: skip
"""Each input has a column: its wire from the pin, 1 kohm, lead, and 10 kohm to 3.3 V."""
_ENTRY, _UPPER, _LEAD, _LOWER, _RAIL, _GROUND_ROW = 3, 4, 9, 10, 14, 17
PIN_5, PIN_RAW_5, _PIN_3 = "2", "4", "17"
"""Of all pins for a supply those far from another: 5 V has no soldered neighbour but ground."""
_PIN_GROUND, _PIN_GROUND_SPLIT = "14", "25"
_OK_SPLIT = "I"
"""Where a second board takes pins 13 and 15, nothing goes over them."""
SECOND, FIRST = "board 2", "board 1"
FIVE_VOLTS, THREE_VOLTS, ITS_GROUND = "5V", "3V3", "GND"
"""The leads between two boards, by the board that they go to; more go to pins of the header."""


def hole(name: str) -> Hole:
    """Return the hole of a name."""
    return ascii_uppercase.index(name[0]) + 1, int(name[1:])


def layout(build: Build) -> Layout:
    """Return the board on the Pi of a build."""
    names = {(each.part, each.of): each.designator for each in placed(build)}
    parts: list[Part] = []
    leads: dict[Terminal, Hole] = {}
    wires: list[Wire] = []
    away = elsewhere(build)
    for wire in build.wires:
        if wire not in away:
            _input(wire, build, names, (parts, leads, wires))
    _supplies(build, names, (parts, leads, wires))
    if build.of_kind(CableKind.OLED):
        _display(names, parts, wires)
    pins = {HEADER_PINS[wire.gpio] for wire in away} | set(matrix_pins(build))
    return Layout(tuple(parts), leads, tuple(wires), led_away=tuple(sorted(pins)))


def elsewhere(build: Build) -> tuple[Input, ...]:
    """Return the wires of a build that are on its second board; none where it has one board."""
    if not build.of_kind(CableKind.SEAT):
        return ()
    return tuple(wire for wire in build.wires if not _is_near(wire))


def _is_near(wire: Input) -> bool:
    """Return whether a straight wire from an input's pin reaches its column."""
    if wire.name not in _INPUT_COLUMNS:
        return False
    x = header_holes()[str(HEADER_PINS[wire.gpio])][0]
    return abs(hole(_INPUT_COLUMNS[wire.name] + "1")[0] - x) <= 2


def matrix_pins(build: Build) -> tuple[int, ...]:
    """Return the pins for a matrix and a display beside it: their bus, and 5 V before the fuse."""
    if not build.of_kind(CableKind.MATRIX):
        return ()
    bus = (BusLine.MOSI, BusLine.SCLK, BusLine.CE1)
    return (*(HEADER_PINS[BUS_GPIOS[line]] for line in bus), int(PIN_RAW_5))


def nets_on(
    board: Layout, nets: Mapping[str, frozenset[Terminal]]
) -> dict[str, frozenset[Terminal]]:
    """Return what each net joins on one of two boards, its leads to the other among it."""
    there = dict(terminals(board))
    links = {FUSED_5: FIVE_VOLTS, GROUND: ITS_GROUND, RAW_3: THREE_VOLTS}
    found = {}
    for net, those in nets.items():
        ends = {(other, links.get(net, "")) for other in (FIRST, SECOND)}
        found[net] = frozenset((those | ends) & set(there))
    return {net: those for net, those in found.items() if those}


_Found = tuple[list[Part], dict[Terminal, Hole], list[Wire]]


def _input(wire: Input, build: Build, names: Mapping[tuple[str, str], str], found: _Found) -> None:
    parts, leads, wires = found
    column = _INPUT_COLUMNS[wire.name]
    if wire.name == "referee_ok" and elsewhere(build):
        column = _OK_SPLIT
    x = hole(column + "1")[0]
    cable = next(cable for cable in build.cables if cable.contact(wire.name))
    pin = header_holes()[str(HEADER_PINS[wire.gpio])]
    legs = {"2": (x, _UPPER), "1": (x, _UPPER + _SPANS["r_1k"])}
    parts.append(Part(names["r_1k", wire.name], "r_1k", legs))
    leads[cable.name, str(cable.contact(wire.name))] = (x, _LEAD)
    wires.append(Wire(pin, (x, _ENTRY), bare=False, above=True))
    wires.append(Wire((x, _ENTRY), (x, _UPPER)))
    is_beam = wire.kind is WireKind.BEAM
    wires.append(Wire(legs["1"], (x, _LOWER if is_beam else _LEAD)))
    if is_beam:
        parts.append(Part(names["r_10k", wire.name], "r_10k", {"1": (x, _LOWER), "2": (x, _RAIL)}))


def _supplies(build: Build, names: Mapping[tuple[str, str], str], found: _Found) -> None:
    """Place the fuse and 5 V in a corner of their own, and the rows of 3.3 V and ground."""
    parts, leads, wires = found
    pins, away = header_holes(), elsewhere(build)
    pin_ground = _PIN_GROUND_SPLIT if away else _PIN_GROUND
    on_rail = [part.legs["2"] for part in parts if part.kind == "r_10k"]
    parts.append(Part(names["fuse", SUPPLY_5], "fuse", {"1": hole("B5"), "2": hole("B7")}))
    wires += [
        Wire(pins[PIN_5], hole("B3"), bare=False, above=True), Wire(hole("B3"), hole("B5")),
        Wire(hole("A7"), hole("B7")), Wire(hole("A5"), hole("A9" if away else "A8")),
        Wire(pins[_PIN_3], (pins[_PIN_3][0], _RAIL), bare=False, above=True),
        Wire(pins[pin_ground], (pins[pin_ground][0], _GROUND_ROW), bare=False, above=True),
    ]  # fmt: skip
    start = hole("C14") if build.of_kind(CableKind.OLED) else (pins[_PIN_3][0], _RAIL)
    if matrix_pins(build):
        start = leads[SECOND, THREE_VOLTS] = (start[0] - 1, _RAIL)
    wires.append(Wire(start, max(on_rail)))
    pockets = [cable.name for cable in build.of_kind(CableKind.POCKET)]
    grounded = [*pockets, *(cable.name for cable in build.of_kind(CableKind.BOX))]
    for i, cable in enumerate(pockets):
        leads[cable, "3"] = (1, 5 + i)
    first = pins[pin_ground][0]
    ends = [(cable, "2") for cable in grounded]
    if away:
        leads[SECOND, FIVE_VOLTS] = hole("A9")
        ends.append((SECOND, ITS_GROUND))
    for i, end in enumerate(ends, 1):
        leads[end] = (first + i, _GROUND_ROW)
    if build.of_kind(CableKind.OLED):
        wires += [Wire(hole("B17"), hole("B18")),
                  Wire(hole("B17"), (first - 1, _GROUND_ROW), bare=False)]  # fmt: skip
    left = first - len(build.of_kind(CableKind.OLED))
    wires.append(Wire((left, _GROUND_ROW), (first + len(ends), _GROUND_ROW)))


def _display(names: Mapping[tuple[str, str], str], parts: list[Part], wires: list[Wire]) -> None:
    """Place the display's socket with its fuse; pins 3 and 5 are straight above its contacts."""
    pins = header_holes()
    legs = {str(i + 1): (2 + i, 18) for i in range(4)}
    parts.append(Part(names["kk4_socket", "oled"], "kk4_socket", legs))
    parts.append(
        Part(names["fuse_3v3", SUPPLY_3], "fuse_3v3", {"1": hole("C14"), "2": hole("C16")})
    )
    wires.append(Wire(hole("C16"), legs["2"]))
    for pin, contact in (("3", "3"), ("5", "4")):
        x = legs[contact][0]
        wires += [Wire(pins[pin], (x, 16), bare=False, above=True), Wire((x, 16), legs[contact])]


# --- whether it is right -----------------------------------------------------------------


def faults(board: Layout, nets: Mapping[str, frozenset[Terminal]]) -> Iterator[str]:
    """Yield what is wrong with a layout: nets, holes, bodies, and 5 V beside anything else.

    A sensor hub's is wired from leg to leg, and has no pin of a Pi to keep 5 V from.
    """
    yield from _wrong_nets(board, nets)
    yield from _wrong_holes(board)
    yield from _wrong_places(board)
    if board.is_hubs:
        yield from _wrong_crossings(board)
        yield from _wrong_wires(board)
        yield from _wrong_supply(board, nets)


def terminals(board: Layout) -> Iterator[tuple[Terminal, Hole]]:
    """Yield every leg, lead and pin with its hole."""
    for part in board.parts:
        yield from (((part.ref, leg), at) for leg, at in part.legs.items())
    yield from board.leads.items()
    yield from (((HEADER, pin), at) for pin, at in board.header.items())


def groups(board: Layout) -> dict[Hole, int]:
    """Return which holes are joined: those of one number are. Rails are joined inside the Pi."""
    found: dict[Hole, int] = {at: i for i, (_, at) in enumerate(terminals(board))}
    rails: dict[object, list[Hole]] = defaultdict(list)
    for pin, what in on_header().items() if board.header else ():
        rails[what].append(board.header[str(pin)])
    together = [set(each) for what, each in rails.items() if what in _RAILS]
    for wire in board.wires:
        joined = set(wire.joins)
        apart = []
        for each in together:
            if joined.isdisjoint(each):
                apart.append(each)
            else:
                joined |= each
        together = [*apart, joined]
    return found | {at: -i for i, those in enumerate(together, 1) for at in those}


def _wrong_nets(board: Layout, nets: Mapping[str, frozenset[Terminal]]) -> Iterator[str]:
    group = groups(board)
    where = dict(terminals(board))
    on: dict[int, set[str]] = defaultdict(set)
    for net, those in nets.items():
        missing = sorted(t for t in those if t not in where)
        yield from (f"{net}: {ref} {leg} is not on the board" for ref, leg in missing)
        there = {group[where[t]] for t in those if t in where}
        if len(there) > 1:
            yield f"{net} is in {len(there)} pieces"
        for each in there:
            on[each].add(net)
    yield from (f"{' and '.join(sorted(those))} are joined" for those in on.values()
                if len(those) > 1)  # fmt: skip
    known = {t for those in nets.values() for t in those}
    if board.is_hubs:
        yield from (f"{ref} {leg} has no net" for ref, leg in where if (ref, leg) not in known)


def in_holes(board: Layout) -> list[Hole]:
    """Return each hole that something goes through, as often as something does.

    On a sensor hub's wires end at the legs that they join, and go through none.
    """
    pins = set(board.header.values())
    wires = [wire for wire in board.wires if board.is_hubs and not wire.bare]
    ends = [at for wire in wires for at in (wire.start, wire.end)]
    return [at for _, at in terminals(board)] + [at for at in ends if at not in pins]


def _wrong_holes(board: Layout) -> Iterator[str]:
    taken = Counter(in_holes(board))
    passed = Counter(at for wire in board.wires for at in wire.joins)
    yield from (f"{named(at)} is used twice" for at, count in taken.items() if count > 1)
    for at in {*taken, *passed}:
        if not (1 <= at[0] <= COLUMNS and 1 <= at[1] <= ROWS):
            yield f"{at} is not on the board"
        elif board.header and any(abs(at[0] - x) < 2 and abs(at[1] - y) < 1 for x, y in SCREWS):
            yield f"{named(at)} is under a screw's head"
    for part in board.parts:
        if part.kind == "shifter" and not _is_dual(part):
            yield f"{part.ref}: its legs are not in two rows"
        span = _SPANS.get(part.kind)
        for a, b in pairwise(sorted(part.legs.values()) if span else ()):
            if sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) != [0, span]:
                yield f"{part.ref}: its legs are not {span} holes apart"


def _is_dual(part: Part) -> bool:
    """Return whether a chip's legs are in two rows, three holes apart, pin 1 at the lower left."""
    x, y = part.legs["1"]
    half = _PINS // 2
    low = {str(n): (x + n - 1, y) for n in range(1, half + 1)}
    high = {str(n): (x + _PINS - n, y - 3) for n in range(half + 1, _PINS + 1)}
    return dict(part.legs) == low | high


_PINS = 14
"""Of the shifter."""


def _wrong_wires(board: Layout) -> Iterator[str]:
    taken = set(in_holes(board))
    passed = Counter(at for wire in board.wires for at in wire.joins)
    for wire in board.wires:
        aside = sorted(abs(a - b) for a, b in zip(wire.start, wire.end, strict=True))
        if aside[0] > 0 and (wire.bare or (wire.above and aside[1] > 2)):
            yield f"the wire {_said(wire)} is not straight"
        for end in (wire.start, wire.end):
            if end not in taken and passed[end] < 2:
                yield f"the wire {_said(wire)} ends at {named(end)}, where nothing is"
            if end in board.header.values() and not wire.above:
                yield f"{named(end)} is below the header's socket"


def _said(wire: Wire) -> str:
    return f"{named(wire.start)} to {named(wire.end)}"


def _wrong_places(board: Layout) -> Iterator[str]:
    screw = 2.5 / PITCH_MM
    taken = set(in_holes(board))
    below = {at for wire in board.wires if not wire.above for at in (wire.start, wire.end)}
    below -= {at for _, at in terminals(board)}
    bodies = [(part.ref, part.body) for part in board.parts if part.kind not in RAISED]
    if board.header:
        bodies += [("a screw", (x - screw, y - screw, x + screw, y + screw)) for x, y in SCREWS]
    for (one, a), (two, b) in combinations(bodies, 2):
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            yield f"{one} and {two} overlap"
    aside = (WIDE_MM / PITCH_MM - COLUMNS + 1) / 2, (HIGH_MM / PITCH_MM - ROWS + 1) / 2
    for part in board.parts:
        own = set(part.legs.values())
        left, top, right, bottom = part.body
        if left < 1 - aside[0] or right > COLUMNS + aside[0] or (
            top < 1 - aside[1] or bottom > ROWS + aside[1]
        ):  # fmt: skip
            yield f"{part.ref} stands out over the board"
        for at in taken - own - below if part.kind not in RAISED else ():
            if left < at[0] < right and top < at[1] < bottom:
                yield f"{named(at)} is under {part.ref}"


def _wrong_crossings(board: Layout) -> Iterator[str]:
    taken = set(in_holes(board))
    joints = taken - set(board.header.values())
    joints |= {board.header[str(pin)] for pin in board.soldered_pins()}
    joints |= {board.header[str(pin)] for pin, what in on_header().items()
               if board.header and what in {Rail.V5, Rail.V3}}  # fmt: skip
    for wire in board.wires:
        for at in joints - {wire.start, wire.end}:
            if wire.above and _away(at, wire) < 0.3:
                yield f"the wire {_said(wire)} lies on {named(at)}"


def _away(at: Hole, wire: Wire) -> float:
    """Return how far a hole is from a wire."""
    (x, y), (to_x, to_y) = wire.start, wire.end
    dx, dy = to_x - x, to_y - y
    along = ((at[0] - x) * dx + (at[1] - y) * dy) / ((dx * dx + dy * dy) or 1)
    along = min(1.0, max(0.0, along))
    return float(((at[0] - x - along * dx) ** 2 + (at[1] - y - along * dy) ** 2) ** 0.5)


def _wrong_supply(board: Layout, nets: Mapping[str, frozenset[Terminal]]) -> Iterator[str]:
    """5 V that a drop of solder could join with a pin ends the Pi: it has no neighbours."""
    group, where = groups(board), dict(terminals(board))
    number = {net: group[where[t]] for net, those in nets.items() for t in those if t in where}
    pins = {board.header[str(pin)] for pin in board.soldered_pins()}
    used = {at for at in group if at not in board.header.values() or at in pins}
    for at in used:
        if group[at] in {number.get(RAW_5), number.get(FUSED_5)}:
            for x, y in _around(at):
                is_harmless = {number.get(each) for each in (RAW_5, FUSED_5, GROUND)}
                if (x, y) in used and group[x, y] not in is_harmless and not {at, (x, y)} <= pins:
                    yield f"5 V in {named(at)} is beside {named((x, y))}"


def _around(at: Hole) -> Iterable[Hole]:
    return ((at[0] + x, at[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
