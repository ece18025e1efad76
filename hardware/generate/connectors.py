"""``CONNECTORS.md``: which plugs, why, and which contact carries what."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.board.circuit import HEAD_LIGHTS
from hardware.generate.builds import BUILDS
from hardware.generate.harness import harness
from hardware.generate.parts import parts
from hardware.generate.step import File, Step, page, text
from jackspot.inputs.cables import Cable, CableKind


def make() -> Iterator[File]:
    """Return the page."""
    yield text("CONNECTORS.md", page("connectors").format(**_tables()))


def _tables() -> dict[str, str]:
    return {"contacts": "\n".join(_contacts()), "sensors": "\n".join(_sensors())}


def _sensors() -> Iterator[str]:
    yield "| cable | plug | socket | 1 | 2 | 3 | 4 | 5 | 6 |"
    yield "|---|---|---|---|---|---|---|---|---|"
    lights = [f"{line[-1]} light, switched" for line in HEAD_LIGHTS]
    for what, kind, signals in (
        ("each disc", "kk2", ["disc", "ground", *[""] * 4]),
        ("each colour head", "kk6", ["what it sees", "ground", *lights, "5 V"]),
    ):
        ends = (parts()[f"{kind}_{end}"] for end in ("plug", "socket"))
        names = " | ".join(f"{part.maker} {part.number}" for part in ends)
        yield f"| {what} | {names} | {' | '.join(signals)} |"


def _contacts() -> Iterator[str]:
    cables = _widest()
    most = max(len(cable.cores) for cable in cables)
    numbers = " | ".join(str(number) for number in range(1, most + 1))
    yield f"| cable | plug | socket | {numbers} |"
    yield f"|---|---|---|{'---|' * most}"
    for cable in cables:
        run = next(run for b in BUILDS for run in harness(b) if run.cable == cable)
        signals = [str(core.signal) for core in cable.cores] + [""] * (most - len(cable.cores))
        ends = (parts()[part] for part in (run.plug, run.socket))
        names = " | ".join(f"{part.maker} {part.number}" for part in ends)
        yield f"| {_places(cable)} | {names} | {' | '.join(map(_general, signals))} |"


def _widest() -> list[Cable]:
    """Return one cable of each kind: the one with the most cores."""
    found: dict[CableKind, Cable] = {}
    for build in BUILDS:
        for cable in build.cables:
            if len(cable.cores) > len(found.get(cable.kind, Cable("", cable.kind, ())).cores):
                found[cable.kind] = cable
    return [found[kind] for kind in CableKind if kind in found]


def _places(cable: Cable) -> str:
    return f"each {cable.kind}" if cable.kind in {CableKind.POCKET, CableKind.SEAT} else cable.kind


def _general(signal: str) -> str:
    """Write a signal without the place that it belongs to."""
    if signal.startswith("pocket_"):
        return "beam"
    if signal.startswith("lamp_"):
        return "lamp, switched"
    if signal.startswith(("seat_", "referee_")):
        return signal.rpartition("_")[2].upper()
    return signal


STEP = Step("connectors", make, owns=("CONNECTORS.md",))
