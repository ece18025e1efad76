"""Which part is R7: the name of every part in the schematic, the order table and on the board.

A designator is a letter for the kind and a number, counted through a build in the order of the pin
table, so that drawing, bill and bench speak of the same part. What comes by the metre or in a bag
(cables, ties, screws) has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from hardware.generate.builds import Build
from hardware.generate.harness import harness
from jackspot.inputs.pins import WireKind

SUPPLY_5 = "5 V"
SUPPLY_3 = "3.3 V"
"""What a fuse is in, in the place of a wire."""

_LETTERS: Mapping[str, str] = {
    "fuse": "F",
    "fuse_3v3": "F",
    "transistor": "Q",
    "detector": "Q",
    "diode": "D",
    "emitter": "D",
    "lamp": "D",
    "buzzer": "LS",
    "button": "S",
    "shifter": "U",
    "c_100n": "C",
    "beam_pair": "U",
    "oled": "DS",
    "oled_spi": "DS",
    "matrix": "DS",
}
"""By the part's id; resistors are R, sockets J."""


class Placed(Struct, frozen=True):
    """One part in its place: ``of`` is the wire, cable or supply that it belongs to."""

    designator: str
    part: str
    of: str


def placed(build: Build) -> tuple[Placed, ...]:
    """Return every part of a build that has a designator."""
    counted: Counter[str] = Counter()
    found = []
    for part, of in _wanted(build):
        letter = "R" if part.startswith("r_") else _LETTERS.get(part, "J")
        counted[letter] += 1
        found.append(Placed(f"{letter}{counted[letter]}", part, of))
    return tuple(found)


def designators(build: Build) -> Mapping[str, list[str]]:
    """Return the designators of a build by the id of the part."""
    found: dict[str, list[str]] = {}
    for each in placed(build):
        found.setdefault(each.part, []).append(each.designator)
    return found


def _wanted(build: Build) -> Iterator[tuple[str, str]]:
    """Yield each part with what it belongs to: the hub's board first, then the far ends."""
    beams = [wire.name for wire in build.config.of_kind(WireKind.BEAM)]
    buttons = [wire.name for wire in build.config.of_kind(WireKind.BUTTON)]
    lamps = [wire.name for wire in build.config.of_kind(WireKind.LAMP)]
    buzzers = [wire.name for wire in build.config.of_kind(WireKind.BUZZER)]
    yield from (("r_1k", name) for name in (*beams, *buttons, *lamps, *buzzers))
    yield from (("r_10k", name) for name in beams)
    yield from (("transistor", name) for name in (*lamps, *buzzers))
    yield from ((part, name) for name in buzzers for part in ("r_33", "buzzer", "diode"))
    yield "fuse", SUPPLY_5
    displays = [name for name in ("oled", "oled_spi", "matrix") if build.counts()[name]]
    if {"oled", "oled_spi"} & set(displays):
        yield "fuse_3v3", SUPPLY_3
    if "matrix" in displays:
        yield "shifter", "matrix"
        yield "c_100n", "matrix"
    yield from ((run.socket, run.cable.name) for run in harness(build))
    pair = ["r_100", "emitter", "detector"] if build.bare_beams else ["beam_pair"]
    of_beam = pair * (2 if build.crossed_beams else 1)
    yield from ((part, name) for name in beams for part in of_beam)
    yield from (("button", name) for name in buttons)
    yield from ((part, name) for name in lamps for part in ("r_150", "lamp"))
    yield from ((name, name) for name in displays)
