"""The printed board at a pocket, in a ready-made beam's place: fitted as its emitter or receiver.

It is as large as the ready-made housing, stands where that stands between the bracket's cheeks,
and does what that does: an open collector, low while the beam is broken. In light the
phototransistor takes the current of its 47 kohm; in the dark this goes into a transistor's base.

The lens is soldered from below, where it goes into the bracket's bore; all else is above. What lies
against the bracket has no part and no wire below, so cables are soldered at the board's other end.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.board.circuit import FUSED_5, sockets
from hardware.board.design import (
    GROUND,
    KINDS,
    BoardPart,
    Design,
    Said,
    Wanted,
    designated,
    numbered,
)
from hardware.prints.bought import MODULE_HIGH_MM
from hardware.prints.parameters import load
from jackspot.inputs.cables import CableKind
from jackspot.inputs.header import Rail

EMITTER, RECEIVER = "emitter", "receiver"
BEAM, LENS = "beam", "lens"
"""The wire to the hub, and the leg of the lens that is not at ground."""

WIDE_MM, HIGH_MM = load()[1].beam.module_width_mm, MODULE_HIGH_MM
LENS_AT = (WIDE_MM / 2, WIDE_MM / 2)
"""In millimetres from the corner, as the housing has it; the near end looks to the wood."""


def _wanted() -> Iterator[Wanted]:
    cable = next(cable for cable in sockets() if cable.kind is CableKind.POCKET)
    rails = {Rail.GROUND: GROUND, Rail.V5: FUSED_5}
    cores = {
        str(core.contact): rails[core.signal] if isinstance(core.signal, Rail) else BEAM
        for core in cable.cores
    }
    yield "lens", "beam", numbered(LENS, GROUND), None
    yield "r_emitter", EMITTER, numbered(FUSED_5, LENS), None
    yield "r_dark", RECEIVER, numbered(FUSED_5, LENS), None
    yield "npn", RECEIVER, numbered(LENS, GROUND, BEAM), None
    yield "cores", "to the hub", cores, None
    yield "cores", "to the next board", cores, None


def _purpose(part: BoardPart) -> Said:
    """Return what is printed beside a resistor."""
    if part.part.startswith("r_"):
        return KINDS[part.part].value.split(",")[0].replace(" ", "").upper(), (0.8,)
    return "", ()


def _cores(part: BoardPart) -> dict[str, str]:
    """Return what is printed at each of a cable's holes."""
    if part.part != "cores":
        return {}
    return {pad: {BEAM: "SIG", GROUND: "GND", FUSED_5: "5V"}[net] for pad, net in part.nets.items()}


POCKET = Design(
    name="pocket",
    folder="board/pocket",
    title=("JACKSPOT 2", (0.8,)),
    title_at=(WIDE_MM / 2, 11.5, WIDE_MM / 2, 11.5),
    wide_mm=WIDE_MM,
    high_mm=HIGH_MM,
    parts=designated(_wanted()),
    places={
        "D1": (LENS_AT[0] - 1.27, LENS_AT[1], 0),
        "R1": (5.0, 1.9, 0),
        "R2": (2.6, 9.0, 90),
        "Q1": (6.6, 9.0, 0),
        "J1": (2.46, 18.4, 0),
        "J2": (2.46, 13.6, 0),
    },
    holes=(),
    fitted={
        EMITTER: lambda part: part.of != RECEIVER,
        RECEIVER: lambda part: part.of != EMITTER,
    },
    purpose=_purpose,
    cores=_cores,
)
