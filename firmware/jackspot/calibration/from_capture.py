"""Calibrate from pin captures: one file for each kind of piece that was dropped.

A board can thus be calibrated without stopping it (`jackspot capture` while pieces are dropped),
and a calibration can be repeated from old captures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from jackspot.calibration.measuring.measured import DropPlace, Measured, PieceKind
from jackspot.calibration.measuring.quiet import Ear
from jackspot.calibration.measuring.walk import (
    SETTLE_NS,
    CalibrationPlan,
    Remark,
    WalkMessage,
    judge,
)
from jackspot.capture.errors import CaptureError
from jackspot.capture.vcd_file import Capture, read_capture
from jackspot.core.pieces import Pocket
from jackspot.sensing.colours import Colours
from jackspot.sensing.events import (
    ColourSeen,
    Edge,
    Fall,
    FaultRaised,
    Pulse,
    Tick,
    Trouble,
    beam_wire,
)
from jackspot.sensing.falls import Falls
from jackspot.sensing.limits import Limits
from jackspot.sensing.signals import Signals

QUIET = "quiet"
"""The name of a capture in which nothing was dropped."""


class Labelled(Struct, frozen=True):
    """A capture and the kind that was dropped during it; None: nothing was."""

    kind: PieceKind | None
    path: Path


def read_labelled(labelled: Labelled) -> Capture:
    """Read the file; CaptureError, with its name, if it is not a capture."""
    try:
        with labelled.path.open("rb") as stream:
            return read_capture(stream)
    except CaptureError as error:
        raise CaptureError(f"{labelled.path}: {error}") from None
    except OSError as error:
        raise CaptureError(f"{labelled.path}: cannot be read: {error.strerror}") from None


def with_capture(
    plan: CalibrationPlan, measured: Measured, kind: PieceKind | None, capture: Capture
) -> tuple[Measured, list[WalkMessage]]:
    """Add a capture to what was measured; return also what was left out, and why.

    Only the pockets of the plan count. Each drop counts as a single piece unless it looks
    otherwise, as in a live calibration.
    """
    if kind is None:
        ears = _listened(plan.limits, capture)
        for pocket in plan.pockets:
            measured = measured.with_quiet(pocket, ears[pocket].heard(capture.end_ns))
        return measured, []
    left_out = []
    for falls in _drops(plan, capture):
        place = DropPlace(falls[0].pocket, kind)
        if place.pocket not in plan.pockets:
            continue
        told = judge(plan, measured, place, falls)
        if told.remark is Remark.TAKEN and told.drop is not None:
            measured = measured.with_drop(place, told.drop)
        else:
            left_out.append(told)
    return measured, left_out


def _beams(capture: Capture) -> list[Pocket]:
    """Return the beams that changed or were broken in a capture; the others are quiet."""
    sources = {edge.source for edge in capture.edges} | capture.active
    return [pocket for pocket in Pocket if pocket in sources]


def _drops(plan: CalibrationPlan, capture: Capture) -> Iterator[tuple[Fall, ...]]:
    """Yield what each drop was sensed as: falls of one pocket, until it had been quiet."""
    beams, began_ns = _beams(capture), _began_ns(capture)
    signals = Signals.at_start(plan.limits, beams, began_ns, capture.active, plan.hold_offs)
    falls = Falls.at_start(plan.limits)
    colours = Colours()
    found: dict[int, Fall] = {}
    for event in (*capture.happened, Tick(capture.end_ns)):
        if isinstance(event, ColourSeen):
            colours = colours.step(event)
        if not isinstance(event, Tick) and not (
            isinstance(event, Edge) and isinstance(event.source, Pocket)
        ):
            continue
        signals, made = signals.step(event)
        for pulse in made:
            if isinstance(pulse, Pulse):
                falls, fall = falls.step(pulse)
                colours, found[fall.number] = colours.told_of(fall)
        colours, grown = colours.rest(event.at_ns)
        found |= {fall.number: fall for fall in grown}
    open_drops: dict[Pocket, list[Fall]] = {}
    for fall in sorted(found.values(), key=lambda each: each.start_ns):
        gathered = open_drops.setdefault(fall.pocket, [])
        if gathered and fall.start_ns >= gathered[-1].end_ns + SETTLE_NS:
            yield tuple(gathered)
            gathered.clear()
        gathered.append(fall)
    for gathered in open_drops.values():
        if gathered:
            yield tuple(gathered)


def _listened(limits: Limits, capture: Capture) -> dict[Pocket, Ear]:
    began_ns = _began_ns(capture)
    ears = {pocket: Ear(began_ns) for pocket in Pocket}
    signals = Signals.at_start(limits, ears, began_ns, capture.active)
    for pocket in Pocket:
        if pocket in capture.active:
            ears[pocket] = ears[pocket].edge(began_ns, limits.min_pulse_ns, active=True)
    wires = {beam_wire(pocket): pocket for pocket in ears}
    for edge in capture.edges:
        if not isinstance(edge.source, Pocket):
            continue
        ear = ears[edge.source].edge(edge.at_ns, limits.min_pulse_ns, active=edge.active)
        ears[edge.source] = ear
        signals, made = signals.step(edge)
        for fault in made:
            if isinstance(fault, FaultRaised) and fault.trouble is Trouble.CHATTER:
                ears[wires[fault.part]] = ears[wires[fault.part]].storm()
    return ears


def _began_ns(capture: Capture) -> int:
    if capture.opening is not None:
        return capture.opening.started_ns
    return min((edge.at_ns for edge in capture.edges), default=0)
