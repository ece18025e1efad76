"""Run a calibration on pins: of this board, or of the simulated table."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.assembly import BoardInputs, displays_beside_play, preferences
from jackspot.board import DisplayPort
from jackspot.calibration import file
from jackspot.calibration.file import CalibratedBoard, CalibrationError
from jackspot.calibration.measuring.measured import PieceSet
from jackspot.calibration.measuring.walk import CalibrationPlan, Walk
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.calibration.sitting import CalibrationTarget, LiveSitting
from jackspot.capture.tap import socket_beside
from jackspot.config.model import Config
from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.view import PreferencesView
from jackspot.inputs.edges import InputsPort
from jackspot.inputs.factory import GpioFactory, open_gpio
from jackspot.inputs.pins import WireKind
from jackspot.inputs.queue import EventQueue, EventSource
from jackspot.sensing.events import Trouble, beam_wire
from jackspot.values import changed

GROUP = "jackspot.calibration"
"""Entry points of other packages that bring their own pins; ``simulate`` is one."""

STOP_SERVICE = (
    "the board is running and holds the pins; stop it first: sudo systemctl stop jackspot "
    "(and afterwards: sudo systemctl start jackspot), "
    'or calibrate from its menu: "the board itself"'
)


class Bench(Struct, frozen=True):
    """What a calibration runs on: events and time, wires, displays.

    ``watch`` is called with every new state: a simulated hand drops what it asks for. ``close``
    removes what exists only for the calibration.
    """

    source: EventSource
    inputs: InputsPort
    displays: tuple[DisplayPort, ...] = ()
    watch: Callable[[Sitting], None] = lambda _sitting: None
    close: Callable[[], None] = lambda: None


def real_bench(config: Config, journal: Path) -> Bench:
    """Open this board's own pins; CalibrationError or GpioError if they are not available."""
    if config.gpio.factory is GpioFactory.MOCK:
        raise CalibrationError(
            '[gpio] factory = "mock": there are no pins here; '
            "try it on the simulated table: jackspot calibrate --simulate"
        )
    if is_running(journal):
        raise CalibrationError(STOP_SERVICE)
    source = EventQueue()
    gpio = open_gpio(config.gpio.factory, config.gpio.chip)
    displays = displays_beside_play(config, gpio, source)
    return Bench(source, BoardInputs(config, gpio, source, config.sensor_hub.port), displays)


def is_running(journal: Path) -> bool:
    """Whether a board with this journal runs: its socket answers, or may not be opened."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(str(socket_beside(journal)))
        except PermissionError:
            return True
        except OSError:
            return False
        return True


def simulated_bench(
    config: Config, pieces: PieceSet, *, depth_mm: float, speed: float, seed: int, alone: bool
) -> Bench:
    """Set up the simulated table's pins, with a hand that drops what is asked for.

    ``alone``: it also presses OK. CalibrationError if the simulated table is not installed.
    """
    found = next(iter(entry_points(group=GROUP, name="simulate")), None)
    if found is None:
        raise CalibrationError("the simulated table is not installed: pip install 'jackspot[sim]'")
    make: Any = found.load()
    bench = make(config, pieces, depth_mm=depth_mm, speed=speed, seed=seed, alone=alone)
    assert isinstance(bench, Bench)
    return bench


def live_sitting(
    config: Config,
    bench: Bench,
    keeping: CalibrationTarget,
    set_by_people: PreferencesView | None = None,
) -> LiveSitting:
    """Set up a calibration on a bench; it ends on its own if no beam can be watched.

    It is shown as people have set the board; None: as the config says.
    """
    wires = [wire.source for wire in config.wires if wire.source is not None]
    live = LiveSitting(
        bench.source,
        bench.inputs,
        wires,
        keeping,
        bench.displays,
        set_by_people or preferences(config),
    )
    beams = {wire.name for wire in config.of_kind(WireKind.BEAM)}

    def watch(sitting: Sitting) -> None:
        bench.watch(sitting)
        gone = _gone(sitting)
        if sitting.walk.plan.pockets and beams and beams <= gone.keys():
            live.trouble = f"{next(iter(gone.values()))}; is the board running? {STOP_SERVICE}"
            live.end()

    live.tell = watch
    return live


def begun(
    plan: CalibrationPlan, keeping: CalibrationTarget, config: Config, *, as_before: bool = True
) -> Walk:
    """Continue an interrupted calibration of this board and these pieces, or begin a new one.

    ``as_before``: ask for as many drops and flicks as then; so does one without pockets, or without
    a hub, of those that it does not ask for. Pockets that were left out are asked for again if
    another set of pieces was dropped too: the file does not say with which. CalibrationError if
    what was saved is another board's or damaged.
    """
    unfinished = file.unfinished_path(keeping.path)
    before = file.read(unfinished)
    if before is None:
        return Walk.begin(plan, 0)
    file.refuse_others(before, config, unfinished)
    measured, kept = before.of(plan.pieces), before.unfinished
    if kept is not None and (as_before or not plan.pockets):
        plan = changed(plan, drops=kept.drops)
    if kept is not None and kept.flicks is not None and (as_before or not plan.has_hub):
        plan = changed(plan, flicks=kept.flicks)
    alone = before.measured == (measured,)
    skipped = kept.skipped if kept is not None and alone else frozenset()
    discs = None if before.discs is None else before.discs.measured
    left_out = frozenset() if kept is None else kept.left_out
    return Walk.begin(plan, 0, measured, skipped, discs, left_out)


def plan_for(
    config: Config, pieces: PieceSet, pockets: Sequence[Pocket] = tuple(Pocket)
) -> CalibrationPlan:
    """Return the plan of what is measured on a board; CalibrationError if no beam is wired."""
    wired = {wire.source for wire in config.of_kind(WireKind.BEAM)}
    there = tuple(pocket for pocket in pockets if pocket in wired)
    if not there:
        raise CalibrationError("no beam is wired at these pockets; see [pins] in the config")
    return CalibrationPlan(
        pieces, there, has_hub=config.sensor_hub.port is not None, limits=config.limits,
        hold_offs=config.hold_offs,
    )  # fmt: skip


def keeping_for(config: Config, path: Path | None = None) -> CalibrationTarget:
    """Return where the calibration of a board is stored."""

    def now() -> datetime:
        return datetime.now(tz=UTC).replace(microsecond=0)

    return CalibrationTarget(path or config.calibration.path, CalibratedBoard.of(config), now)


def _gone(sitting: Sitting) -> dict[str, str]:
    """Return the beams whose pins are not available, and why."""
    beams = {beam_wire(pocket) for pocket in Pocket}
    return {
        fault.part: fault.detail
        for fault in sitting.faults
        if fault.trouble is Trouble.GONE and fault.part in beams
    }
