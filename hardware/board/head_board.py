"""The printed board of a colour head: three lights and a photodiode that look into a pocket.

It stands in a holder at the bracket's tube, its parts to the pocket, at the beam's depth: what it
sees belongs to what breaks the beam just then. The hub pulls one light's line to ground at a time.
The photodiode sees no infrared, so the beam's emitter and most of a lamp are nothing to it; an
amplifier makes volts of its current. They are divided, so that at 5 V as well no more than the
multiplexer's supply reaches the hub, and stand a little off zero, so that a head without light is
told from none.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.board.circuit import FUSED_5, HEAD_LIGHTS, head_lines
from hardware.board.design import (
    GROUND,
    BoardPart,
    Design,
    Wanted,
    designated,
    numbered,
)
from hardware.generate.sensing import LIGHTS

SEEN = "seen"
"""The photodiode's wire, at the amplifier's input."""
WIDE_MM, HIGH_MM = 22.0, 16.0
EDGE_MM = 2.75
"""From the edge that looks to the wood to the middles of photodiode and lights."""
DIODE_X_MM, LIGHTS_X_MM = 8.25, 13.9
"""How far they are from the left edge, seen from the pocket: alike far from the middle, nearly."""


def _wanted() -> Iterator[Wanted]:
    signal = head_lines("")[0].rstrip("_")
    lines = [signal, *head_lines("")[1:]]
    blue, green, red = (f"lit_{name[-1]}" for name in reversed(HEAD_LIGHTS))
    yield "rgb", "lights", numbered(FUSED_5, blue, green, red), None
    for name, line in zip(LIGHTS, HEAD_LIGHTS, strict=True):
        yield f"r_{name}", "lights", numbered(f"lit_{line[-1]}", line), None
    yield "photodiode", "sight", numbered(SEEN, GROUND), None
    yield "amplifier", "sight", numbered("volts", GROUND, "zero", SEEN, FUSED_5), None
    yield "r_feedback", "sight", numbered(SEEN, "volts"), None
    yield "c_22p", "sight", numbered(SEEN, "volts"), None
    yield "r_100k", "zero", numbered(FUSED_5, "zero"), None
    yield "r_1k", "zero", numbered("zero", GROUND), None
    yield "r_5k6", "to the hub", numbered("volts", signal), None
    yield "r_10k", "to the hub", numbered(signal, GROUND), None
    yield "c_100n", "supply", numbered(FUSED_5, GROUND), None
    yield "cores", "contacts 1 to 3", numbered(*lines[:3]), None
    yield "cores", "contacts 4 to 6", numbered(*lines[3:]), None


def _cores(part: BoardPart) -> dict[str, str]:
    """Return the number of the plug's contact that is printed at each of the cable's holes."""
    if part.part != "cores":
        return {}
    before = 0 if part.of.endswith("3") else 3
    return {pad: str(int(pad) + before) for pad in part.nets}


HEAD = Design(
    name="head",
    folder="board/head",
    title=("HEAD 2", (0.8,)),
    title_at=(3.0, 2.0, 3.0, 2.0),
    wide_mm=WIDE_MM,
    high_mm=HIGH_MM,
    parts=designated(_wanted()),
    places={
        "D1": (LIGHTS_X_MM, EDGE_MM, 90),
        "D2": (DIODE_X_MM, EDGE_MM, 0),
        "U1": (9.0, 8.25, 0),
        "R1": (18.5, 1.5, 0),
        "R2": (18.5, 4.0, 0),
        "R3": (18.5, 6.5, 0),
        "R4": (5.0, 8.0, 90),
        "C1": (2.25, 8.0, 90),
        "R5": (14.0, 7.5, 0),
        "R6": (14.0, 10.0, 0),
        "R7": (3.75, 11.25, 0),
        "R8": (9.0, 11.25, 0),
        "C2": (18.75, 9.25, 0),
        "J1": (4.65, 14.6, 0),
        "J2": (12.27, 14.6, 0),
    },
    holes=(),
    fitted={"head": lambda _part: True},
    purpose=lambda _part: ("", ()),
    cores=_cores,
)
