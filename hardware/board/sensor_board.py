"""The sensor hub on a board of holes: every leg in a named hole, every wire from hole to hole.

What is joined comes from the printed hub board's own net list, so that both are wired alike; where
parts lie is said here. The Pico stands on two strips, above resistors and diodes, and is fed by its
USB socket, whose 5 V go through a fuse to the colour heads. Wires are insulated and lie below; legs
beside each other are joined by solder. Without colour heads their parts and wires are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import dist

from hardware.board.circuit import DISCS, HEAD_LIGHTS, HEADS, SENSORS, parts
from hardware.board.design import GROUND, BoardPart
from hardware.board.perfboard import Hole, Layout, Part, Terminal, Wire, hole

BUS_5 = "5V_USB"
"""What the Pico's USB socket gives, at its pin 40."""
_PICO = ("3", "4", "5", "6", "9", "10", "11", "31", "33", "36", "38")
"""The pins that are used: grounds, selection, lights, converter, 3.3 V."""
_DRIVER = ("6", "7", "8", "9", "11", "12", "13")
_BOUGHT = {"kk2": "kk2_socket", "kk6": "kk6_socket", "driver": "driver_dip",
           "multiplexer": "mux_dip"}  # fmt: skip
_LETTERS = {"pico": "U", "mux_dip": "U", "driver_dip": "U", "schottky_dip": "D", "c_100n": "C",
            "fuse_3v3": "F", "kk2_socket": "J", "kk6_socket": "J"}  # fmt: skip


def _used() -> Iterator[tuple[str, Mapping[str, str]]]:
    for part in parts():
        nets = part.nets
        if part.part == "driver":
            yield "driver_dip", {pad: nets[pad] for pad in _DRIVER}
        elif part.part == "pico":
            yield "pico", {pad: nets[pad] for pad in _PICO} | {"40": BUS_5}
            yield "fuse_3v3", {"1": BUS_5, "2": "5V"}
        elif part.of != SENSORS or part.part == "schottky" or "GPIO" in "".join(nets.values()):
            continue
        elif part.part == "clamp":
            yield "schottky_dip", {"1": nets["3"], "2": nets["1"]}
            yield "schottky_dip", {"1": nets["2"], "2": nets["3"]}
        else:
            yield _BOUGHT.get(part.part, part.part), nets


@cache
def used() -> tuple[BoardPart, ...]:
    """Return the parts by their ids in the parts table; pad 1 of a diode is its cathode."""
    counted: Counter[str] = Counter()
    found = []
    for kind, nets in _used():
        letter = _LETTERS.get(kind, "R")
        counted[letter] += 1
        is_heads = kind == "fuse_3v3" or (kind != "mux_dip" and bool(_HEADS & {*nets.values()}))
        of = "heads" if is_heads and kind != "pico" else SENSORS
        found.append(BoardPart(f"{letter}{counted[letter]}", kind, of, nets))
    return tuple(found)


_HEADS = {*HEAD_LIGHTS, *(f"head_{at}" for at in HEADS)}


def wanted(*, heads: bool) -> dict[str, frozenset[Terminal]]:
    """Return what each net joins; a net that would have one leg alone is none."""
    nets: dict[str, set[Terminal]] = defaultdict(set)
    for part in used():
        if heads or part.of == SENSORS:
            for leg, net in part.nets.items():
                nets[net].add((part.ref, leg))
    return {net: frozenset(those) for net, those in sorted(nets.items()) if len(those) > 1}


def _dual(first: Hole, pins: int, *, turned: bool) -> dict[str, Hole]:
    """Return the legs of a chip that lies along a row, its pins three rows apart.

    ``first`` is its upper left hole; pin 1 is at the lower left, or turned at the upper right.
    """
    x, y = first
    half = pins // 2
    low = {n: (x + n - 1, y + 3) for n in range(1, half + 1)}
    legs = low | {n: (x + pins - n, y) for n in range(half + 1, pins + 1)}
    if turned:
        legs = {n: (2 * x + half - 1 - at[0], 2 * y + 3 - at[1]) for n, at in legs.items()}
    return {str(n): at for n, at in sorted(legs.items())}


def _places() -> Iterator[tuple[str, tuple[dict[str, Hole], ...]]]:
    """Yield the legs of all parts of a kind, in the order of :func:`used`."""
    pico = {n: (n, 8) if n <= 20 else (41 - n, 1) for n in range(1, 41)}
    yield "pico", ({str(n): at for n, at in pico.items()},)
    yield "mux_dip", (_dual(hole("B10"), 16, turned=False),)
    yield "driver_dip", (_dual(hole("K10"), 18, turned=True),)
    yield "fuse_3v3", ({"1": hole("T13"), "2": hole("V13")},)
    yield "kk6_socket", tuple({str(c): (6 * i + c, 17) for c in range(1, 7)} for i in range(4))
    yield "kk2_socket", tuple({"1": (23, y), "2": (24, y)} for y in (2, 5, 8, 11))
    rows = range(3, 3 + len(DISCS))
    yield "r_10k", tuple({"1": (21, y), "2": (17, y)} for y in rows)
    yield "r_100k", tuple({"1": (11, y), "2": (7, y)} for y in rows)
    yield "schottky_dip", tuple({"1": (x, y), "2": (x - s, y)} for y in rows
                                for x, s in ((16, 4), (2, -4)))  # fmt: skip
    yield "r_6k8", ({"1": hole("B7"), "2": hole("F7")},)
    yield "r_1k", ({"1": hole("G7"), "2": hole("K7")},
                   *({"1": (1 + 6 * i, 15), "2": (5 + 6 * i, 15)} for i in range(4)))  # fmt: skip
    yield "c_100n", ({"1": hole("B9"), "2": hole("D9")}, {"1": hole("G2"), "2": hole("I2")})


@cache
def layout(*, heads: bool) -> Layout:
    """Return the board, with colour heads or for discs alone."""
    legs = {kind: list(places) for kind, places in _places()}
    found = []
    for part in used():
        there = Part(part.ref, part.part, legs[part.part].pop(0))
        if heads or part.of == SENSORS:
            found.append(there)
    where = {(part.ref, leg): at for part in found for leg, at in part.legs.items()}
    first = wanted(heads=False)
    wires = [
        wire
        for net, those in wanted(heads=heads).items()
        for wire in _shortest([where[each] for each in first.get(net, ())],
                              [where[each] for each in those - first.get(net, frozenset())])
    ]  # fmt: skip
    return Layout(tuple(found), {}, tuple(wires), {})


def _shortest(first: Iterable[Hole], then: Iterable[Hole]) -> Iterator[Wire]:
    """Yield the shortest wires that join holes (Prim): those of every hub, then those of heads."""
    joined: list[Hole] = []
    for ahead in (sorted(first), sorted(then)):
        if ahead and not joined:
            joined.append(ahead.pop(0))
        yield from _onward(joined, ahead)


def _onward(joined: list[Hole], ahead: list[Hole]) -> Iterator[Wire]:
    while ahead:
        _, start, end = min((dist(a, b), a, b) for a in joined for b in ahead)
        yield Wire(start, end, bare=False)
        ahead.remove(end)
        joined.append(end)


def nets_by_wire(*, heads: bool) -> Mapping[str, tuple[Wire, ...]]:
    """Return the wires of each net, ground and the supplies first."""
    board = layout(heads=heads)
    where = {(part.ref, leg): at for part in board.parts for leg, at in part.legs.items()}
    nets = wanted(heads=heads)
    order = sorted(nets, key=lambda net: (net != GROUND, not net[0].isdigit(), net))
    return {net: tuple(wire for wire in board.wires
                       if wire.start in {where[each] for each in nets[net]})
            for net in order}  # fmt: skip
