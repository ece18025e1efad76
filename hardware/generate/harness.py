"""The wiring harness of a build: every cable with its length, its plug and socket, and both ends.

Which wires run in which cable is the firmware's table (:mod:`jackspot.inputs.cables`); this module
adds what is needed to make them: the parts, the colours, the lengths, and what each core meets at
its far end. The drawings, the cut list and the bill of materials are made from it, so they agree.

The hub (the Pi with its board in a case) hangs under the middle of the frame's south side. A cable
goes along the frame, never across the field.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from hardware.generate.builds import Build
from jackspot.inputs.cables import BusLine, Cable, CableKind, Core, Signal, pins_of
from jackspot.inputs.header import Rail
from jackspot.inputs.pins import WireKind, wire_kind

SIDE_MM = 900
"""The frame's outer side: a carrom board of 74 cm, its frame of 8 cm. Hikone's is smaller."""
CLOSED_SIDE_MM = 620
"""That of a board whose corners are cut off: the Hikone association's."""
SLACK_MM = 300
"""Beside the way along the frame: into the hub, into the bracket or box, and a loop to pull on."""
STEP_MM = 250
"""Cables are cut to full quarters of a metre."""
HUB_LEAD_MM = 150
"""From the hub's board to a socket in its wall."""
_SIDES_ROUND: Mapping[str, float] = MappingProxyType(
    {
        "pocket_se": 0.5,
        "pocket_sw": 0.5,
        "pocket_ne": 1.5,
        "pocket_nw": 1.5,
        "seat_s": 0.0,
        "seat_e": 1.0,
        "seat_w": 1.0,
        "seat_n": 2.0,
        "box": 1.0,
    }
)
"""The way from the hub along the frame, in sides of it."""
_BESIDE_MM: Mapping[str, int] = MappingProxyType({"seat_s": SLACK_MM, "box": SLACK_MM})
"""What it is more: the referee sits at a corner, an arm's length away."""
DISPLAY_MM: Mapping[CableKind, int] = MappingProxyType(
    {CableKind.OLED: 500, CableKind.OLED_SPI: 300, CableKind.MATRIX: 500, CableKind.SIGN: 2000}
)
"""Displays stand at the hub: their buses are made for centimetres (ELECTRICAL.md)."""

DIN_47100 = ("white", "brown", "green", "yellow", "grey", "pink", "blue")
"""The colours of the cores, in the order of the contacts."""

_CABLE_BY_CORES = {3: "cable_3", 4: "cable_4", 5: "cable_5", 6: "cable_7", 7: "cable_7"}
_PLUGS: Mapping[CableKind, tuple[str, str]] = MappingProxyType(
    {
        CableKind.POCKET: ("din3_plug", "din3_socket"),
        CableKind.SEAT: ("din5_plug", "din5_socket"),
        CableKind.BOX: ("din6_plug", "din6_socket"),
        CableKind.OLED: ("kk4_plug", "kk4_socket"),
        CableKind.OLED_SPI: ("kk7_plug", "kk7_socket"),
        CableKind.MATRIX: ("kk5_plug", "kk5_socket"),
    }
)
"""Plug and socket of each kind, by their ids in the parts table."""
IN_THE_WALL = frozenset({CableKind.POCKET, CableKind.SEAT, CableKind.BOX})
"""Cables whose socket is in the hub's wall, and not on its board."""


class Run(Struct, frozen=True):
    """One cable as it is made. Lengths in millimetres."""

    cable: Cable
    part: str
    plug: str
    socket: str
    length_mm: int

    @property
    def leads(self) -> int:
        """How many hook-up wires go from the hub's board to the socket."""
        return len(self.cable.cores) if self.cable.kind in IN_THE_WALL else 0

    def colour(self, core: Core) -> str:
        """Return the colour of a core."""
        return DIN_47100[self.cable.cores.index(core)]


class Cut(Struct, frozen=True):
    """One row of the cut list: so many pieces of one part, so long."""

    part: str
    length_mm: int
    pieces: int
    what: str


def harness(build: Build, side_mm: float | None = None) -> tuple[Run, ...]:
    """Return the cables of a build, for a frame of this side or of that of its kind of board."""
    side_mm = side_mm or (CLOSED_SIDE_MM if build.corners_cut else SIDE_MM)
    return tuple(_run(cable, side_mm) for cable in build.cables)


def cut_list(build: Build, side_mm: float | None = None) -> tuple[Cut, ...]:
    """Return what is cut for a build: cables first, then the hub's leads."""
    runs = harness(build, side_mm)
    cuts = [Cut(run.part, run.length_mm, 1, run.cable.name) for run in runs]
    cuts += [Cut("hook_up", HUB_LEAD_MM, run.leads, f"socket {run.cable.name}")
             for run in runs if run.leads]  # fmt: skip
    if count := leads_between(build):
        cuts.append(Cut("hook_up", HUB_LEAD_MM, count, "the hub's second board"))
    return tuple(cuts)


def leads_between(build: Build) -> int:
    """Return how many leads join two boards: of seats, lamps and buzzer, 5 V and ground.

    With a matrix come two of the box's buttons, its bus and 5 V, the display's lines and 3.3 V.
    """
    there = build.counts()
    seats = there["seat_button"] + there["switched"] + 2 if there["seat"] else 0
    return seats + 10 * there["matrix"]


def counts(build: Build) -> Mapping[str, float]:
    """Return how many plugs, sockets and metres a build has, by the words of the parts table."""
    found: Counter[str] = Counter()
    millimetres: Counter[str] = Counter()
    for run in harness(build):
        found[f"plug:{run.cable.kind}"] += 1
        found[f"socket:{run.cable.kind}"] += 1
    for cut in cut_list(build):
        millimetres[cut.part] += cut.length_mm * cut.pieces
    return {**found, **{f"metre:{part}": mm / 1000 for part, mm in millimetres.items()}}


def far_end(build: Build, cable: Cable, signal: Signal) -> str:
    """Say what a core meets at its far end."""
    match cable.kind:
        case CableKind.POCKET:
            return _in_a_pocket(build, signal)
        case CableKind.SEAT | CableKind.BOX:
            return _in_a_box(signal)
        case _:
            return f"the display's {_ON_DISPLAY[signal]}"


def near_end(build: Build, cable: Cable, signal: Signal) -> str:
    """Say what a core meets on the hub's board, down to the pin of the header."""
    if signal is Rail.V5:
        # The matrix takes more than the fuse of the long cables holds.
        return "5 V, pin 4" if cable.kind is CableKind.MATRIX else "5 V behind the fuse"
    if signal is Rail.V3:
        return "3.3 V behind its own fuse"
    if isinstance(signal, Rail):
        return f"{signal}"
    [pin] = pins_of(signal, build.wires)
    if isinstance(signal, BusLine):
        shifted = " through the level shifter" if cable.kind is CableKind.MATRIX else ""
        return f"pin {pin} ({signal}){shifted}"
    through = {
        WireKind.BEAM: " through 1 kohm, and 10 kohm to 3.3 V",
        WireKind.BUTTON: " through 1 kohm",
        WireKind.LAMP: " through its transistor",
    }
    return f"pin {pin}{through.get(wire_kind(signal), '')}"


_ON_DISPLAY: Mapping[Signal, str] = MappingProxyType(
    {
        Rail.GROUND: "GND",
        Rail.V3: "VCC (VIN)",
        Rail.V5: "VCC",
        BusLine.SDA: "SDA",
        BusLine.SCL: "SCL",
        BusLine.SCLK: "clock (D0, CLK)",
        BusLine.MOSI: "data in (D1, DIN)",
        BusLine.CE0: "select (CS)",
        BusLine.CE1: "select (CS)",
        BusLine.TXD: "receive line",
        "oled_rst": "reset (RES)",
        "oled_dc": "data/command (DC)",
        "oled_ce": "select (CS)",
    }
)


def _in_a_pocket(build: Build, signal: Signal) -> str:
    if build.bare_beams:
        if signal is Rail.GROUND:
            return "phototransistor's emitter and LED's cathode"
        return (
            "100 ohm to LED's anode"
            if signal is Rail.V5
            else "phototransistor's collector; base open"
        )
    which = "both receivers and emitters" if build.crossed_beams else "receiver and emitter"
    if signal is Rail.GROUND:
        return f"black of {which}"
    if signal is Rail.V5:
        return f"red of {which}"
    return "white of both receivers" if build.crossed_beams else "receiver's white"


def _in_a_box(signal: Signal) -> str:
    if signal is Rail.GROUND:
        return "one tab of every button"
    if signal is Rail.V5:
        return "150 ohm to the lamp's anode"
    assert isinstance(signal, str)
    if wire_kind(signal) is WireKind.LAMP:
        return "the lamp's cathode"
    return f"other tab of {signal.rpartition('_')[2].upper()}"


def _run(cable: Cable, side_mm: float) -> Run:
    plug, socket = _PLUGS[cable.kind]
    thick = cable.kind is CableKind.MATRIX
    part = "cable_5_thick" if thick else _CABLE_BY_CORES[len(cable.cores)]
    return Run(cable, part, plug, socket, _length_mm(cable, side_mm))


def _length_mm(cable: Cable, side_mm: float) -> int:
    if cable.kind in DISPLAY_MM:
        return DISPLAY_MM[cable.kind]
    way = _SIDES_ROUND[cable.name] * side_mm + _BESIDE_MM.get(cable.name, 0)
    return math.ceil((way + SLACK_MM) / STEP_MM) * STEP_MM


def sockets(build: Build) -> Iterator[tuple[Run, Core]]:
    """Return every contact of every socket of the hub."""
    for run in harness(build):
        for core in run.cable.cores:
            yield run, core
