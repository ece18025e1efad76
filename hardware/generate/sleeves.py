"""Where sleeves of heat-shrink go, and how many: one over each joint that hangs free.

What is soldered to a board or to a button's tab, and what is crimped, has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hardware.board.circuit import DISCS
from hardware.generate.builds import Build
from hardware.generate.harness import IN_THE_WALL, harness
from jackspot.inputs.cables import CableKind
from jackspot.inputs.header import Rail

BARE_LEGS = 4
"""Of a home-made beam: two of the emitter, two of the detector, whose base is cut short."""
LAMP_JOINTS = 3
"""Core and resistor, resistor and the lamp's longer leg, core and its shorter leg."""
DISC_WIRES = 2


def sleeves(build: Build) -> Mapping[str, int]:
    """Return the sleeves of a build, by what is soldered where they go.

    ``sockets`` are the contacts in the hub's wall; ``pocket``, ``seat`` and ``box`` what is at the
    cables of that kind: each core in its plug, and at a pocket each splice, at a seat what its
    lamp hangs on.
    """
    found: Counter[str] = Counter()
    for run in harness(build):
        kind, cores = run.cable.kind, len(run.cable.cores)
        if kind in IN_THE_WALL:
            found["sockets"] += run.leads
            found[kind.value] += cores
        if kind is CableKind.POCKET:
            found[kind.value] += cores + (BARE_LEGS if build.bare_beams else 0)
        if kind is CableKind.SEAT and run.cable.contact(Rail.V5):
            found[kind.value] += LAMP_JOINTS
    return found


def sleeves_of_discs() -> int:
    """Return the sleeves of a sensor hub: over each splice of a disc's wire and its cable."""
    return DISC_WIRES * len(DISCS)
