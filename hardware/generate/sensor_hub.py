"""The tables of the sensor hub's page: parts, pins, places and wires, all from the net list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from hardware.board.circuit import DISCS, HEADS, head_lines
from hardware.board.design import BoardPart
from hardware.board.head_board import HEAD
from hardware.board.perfboard import Wire, named
from hardware.board.sensor_board import layout, nets_by_wire, used
from hardware.generate import colour, electrical, sensing
from hardware.generate.additions import ADDITIONS, lengths_mm
from hardware.generate.bom import added, sold
from hardware.generate.harness import DIN_47100
from hardware.generate.parts import parts
from hardware.prints.head import eyes_mm, looks_up_deg
from hardware.prints.parameters import load

_GROUNDS = (3, 8, 13, 18, 23, 28, 33, 38)
_OTHERS = (30, 35, 36, 37, 39, 40)
GPIO_PINS: Mapping[int, int] = MappingProxyType(
    {
        (n if n < 23 else n + 3): pin
        for n, pin in enumerate(p for p in range(1, 41) if p not in _GROUNDS + _OTHERS)
    }
)
"""The Pico's GP numbers (0 to 22, 26 to 28), and the pin of each."""


def table(name: str) -> Iterator[str]:
    """Return the lines of a table. KeyError: there is none of that name."""
    return _TABLES[name]()


def _parts() -> Iterator[str]:
    lines = [{line.part.id: line.written() for line in added(each)} for each in ADDITIONS]
    yield "| part | knocks | knocks and colours | what | maker and number | two sources |"
    yield "|---|---|---|---|---|---|"
    for name in lines[-1]:
        part = parts()[name]
        amounts = " | ".join(each.get(name, "-") for each in lines)
        said = f"{part.maker} {part.number} | {', '.join(map(sold, part.sources))}"
        yield f"| `{name}` | {amounts} | {part.name} | {said} |"


def _pins() -> Iterator[str]:
    where: dict[str, list[tuple[BoardPart, str]]] = {}
    for part in used():
        for pad, net in part.nets.items():
            where.setdefault(net, []).append((part, pad))
    names = {str(pin): f"GP{gpio}" for gpio, pin in GPIO_PINS.items()} | {"36": "3V3", "40": "VBUS"}
    [pico] = [part for part in used() if part.part == "pico"]
    yield "| of the Pico | its pin | net | goes to |"
    yield "|---|---|---|---|"
    for pad, net in sorted(pico.nets.items(), key=lambda each: int(each[0])):
        if pad in names:
            ends = (f"{part.ref} {leg}" for part, leg in where[net] if part.part != "pico")
            yield f"| {names[pad]} | {pad} | {net} | {', '.join(ends)} |"


def _places() -> Iterator[str]:
    legs = {part.ref: part.legs for part in layout(heads=True).parts}
    yield "| part | what | for | legs in |"
    yield "|---|---|---|---|"
    for part in sorted(used(), key=lambda part: (part.ref[0], int(part.ref[1:]))):
        there = legs[part.ref]
        ends = there if len(there) == 2 else (min(there, key=int), max(there, key=int))
        where = ", ".join(f"{leg}: {named(there[leg])}" for leg in ends)
        what = f"only with heads: {_for(part)}" if part.of == "heads" else _for(part)
        yield f"| {part.ref} | `{part.part}` | {what} | {where} |"


def _for(part: BoardPart) -> str:
    """Say which head or disc a part belongs to, by its nets; "all" of none alone."""
    said = {
        f"{kind} {at.upper()}"
        for kind, all_of in (("head", HEADS), ("disc", DISCS))
        for at in all_of
        if {f"{kind}_{at}", f"{kind}_{at}_in"} & {*part.nets.values()}
    }
    return said.pop() if len(said) == 1 else "all"


def _wires() -> Iterator[str]:
    knocks = nets_by_wire(heads=False)
    yield "| net | wires | more, with colour heads |"
    yield "|---|---|---|"
    for net, wires in nets_by_wire(heads=True).items():
        always = knocks.get(net, ())
        more = [wire for wire in wires if wire not in always]
        yield f"| {net} | {_said(always)} | {_said(more)} |"


def _said(wires: Iterable[Wire]) -> str:
    return ", ".join(f"{named(wire.start)}–{named(wire.end)}" for wire in wires)


def _cables() -> Iterator[str]:
    yield "| cable | length | part | contact 1 | contact 2 |"
    yield "|---|---|---|---|---|"
    for name, mm in lengths_mm("seat").items():
        what = f"disc {name.removeprefix('seat_').upper()} | {mm / 1000:g} m"
        yield f"| {what} | `cable_3` | white, the middle | brown, the brass |"


def _heads() -> Iterator[str]:
    yield "| contact of `kk6_plug` | core | carries | hole of the head's board |"
    yield "|---|---|---|---|"
    holes = [name for part in HEAD.parts for name in HEAD.cores(part).values()]
    lines = zip(head_lines(HEADS[0]), DIN_47100, holes, strict=False)
    for contact, (net, core, end) in enumerate(lines, 1):
        said = _CARRIED.get(net, f"{net[-1]} light, pulled to ground")
        yield f"| {contact} | {core} | {said} | {end} |"


_CARRIED = {"head_ne": "what the head sees, 0 to 3.3 V", "GND": "ground", "5V": "5 V"}


def _sun() -> Iterator[str]:
    sizes = load()[1]
    for beams, kind in ((2, "crossed beams"), (1, "one beam")):
        least = min(looks_up_deg(sizes, board, beams) for board in sizes.boards.values())
        yield f"| a bracket for {kind} | {least:.0f} degrees |"


def _aside() -> Iterator[str]:
    yield f"{sum(map(abs, eyes_mm())) / 2:.1f} mm"


def _takes() -> Iterator[str]:
    sums = (sum(colour.hub_consumers(heads=each.heads).values()) for each in ADDITIONS)
    yield " with knocks, ".join(electrical.written(amps, "A") for amps in sums)


def _rest() -> Iterator[str]:
    yield f"{sensing.REST:.2f} V"


_TABLES: Mapping[str, Callable[[], Iterator[str]]] = MappingProxyType(
    {
        "parts": _parts,
        "pins": _pins,
        "places": _places,
        "wires": _wires,
        "cables": _cables,
        "rest": _rest,
        "takes": _takes,
        "heads": _heads,
        "sun": _sun,
        "aside": _aside,
    }
)
