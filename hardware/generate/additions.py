"""What may be added to any build: a sensor hub that feels knocks, or one that sees colours too.

An addition is counted by words of the parts table, as a build is; it changes nothing of a build's
own wires.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import dist

from msgspec import Struct

from hardware.board.circuit import DISCS, HEADS
from hardware.board.perfboard import PITCH_MM
from hardware.board.sensor_board import layout
from hardware.generate.builds import BUILDS
from hardware.generate.harness import harness
from hardware.generate.printed import grams
from hardware.generate.sleeves import sleeves_of_discs


class Addition(Struct, frozen=True):
    """``name`` is that of its order table; ``heads`` says whether it has colour heads."""

    name: str
    title: str
    about: str
    heads: bool = False

    def counts(self) -> Mapping[str, float]:
        """Return how many there are of what the parts table counts by."""
        wires = layout(heads=self.heads).wires
        long_mm = sum(dist(wire.start, wire.end) * PITCH_MM + 10 for wire in wires)
        found = {"sensor_hub": 1.0, "disc": float(len(DISCS)), "metre:cable_3": _metres("seat")}
        found["sleeve"] = float(sleeves_of_discs())
        if self.heads:
            found |= {"head": float(len(HEADS)), "heads": 1.0, "metre:cable_7": _metres("pocket")}
            found["kilogram"] = round(grams({"carrom_head": len(HEADS)}) / 1000, 2)
        return found | {"metre:bridge_wire": round(long_mm / 1000, 1)}

    def designators(self) -> Mapping[str, list[str]]:
        """Return the names of its parts on the board, by their ids."""
        found: dict[str, list[str]] = defaultdict(list)
        for part in layout(heads=self.heads).parts:
            found[part.kind].append(part.ref)
        return found


def lengths_mm(kind: str) -> Mapping[str, int]:
    """Return how long cables to each seat's side, or to each pocket, are; at the full build."""
    names = {run.cable.name: run.length_mm for run in harness(BUILDS[2])}
    return {name: names[name] for name in sorted(names) if name.startswith(f"{kind}_")}


def _metres(kind: str) -> float:
    return sum(lengths_mm(kind).values()) / 1000


ADDITIONS = (
    Addition("knocks", "Knocks", "to any build: a sensor hub with a disc under each side"),
    Addition(
        "knocks-and-colours",
        "Knocks and colours",
        "the same, and a colour head at each pocket",
        heads=True,
    ),
)
