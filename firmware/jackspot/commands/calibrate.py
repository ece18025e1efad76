"""``jackspot calibrate``: measure how long pieces break the beams of this board."""

from __future__ import annotations

import json
import logging
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from msgspec import Struct
from rich.console import Console
from rich.live import Live

from jackspot.calibration import file
from jackspot.calibration.file import Calibration, CalibrationError
from jackspot.calibration.from_capture import QUIET, Labelled, read_labelled, with_capture
from jackspot.calibration.live import (
    Bench,
    begun,
    keeping_for,
    live_sitting,
    plan_for,
    real_bench,
    simulated_bench,
)
from jackspot.calibration.measuring.measured import Measured, PieceKind, PieceSet
from jackspot.calibration.measuring.walk import CalibrationPlan, FlickMessage, Walk, WalkStage
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.calibration.results import as_plain
from jackspot.calibration.screen import (
    colours_table,
    discs_table,
    results,
    screen,
    told_and_kept,
    told_line,
)
from jackspot.calibration.sitting import (
    CalibrationTarget,
    others_unfinished,
    start_over,
    unfinished,
    write,
)
from jackspot.calibration.terminal_keys import pressed
from jackspot.capture.errors import CaptureError
from jackspot.commands.terminal.board_options import FILE, NumberRange
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail, tell
from jackspot.config import ConfigError, find, load
from jackspot.config.model import Config
from jackspot.core.pieces import Pocket
from jackspot.core.printable import counted
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.displays.errors import DisplayError
from jackspot.inputs.errors import GpioError
from jackspot.values import changed

SECOND_NS = 1_000_000_000
SIMULATED = Path("calibration-simulated.toml")
"""Where a simulated one goes, in the current folder: it overwrites no board's own."""
_REFUSED = (CalibrationError, CaptureError, ConfigError, DisplayError, GpioError)


class Options(Struct, frozen=True):
    """The options of the call; see their help."""

    config_file: Path | None
    board_file: Path | None
    journal: Path | None
    out: Path | None
    rules: str | None
    pockets: tuple[Pocket, ...] | None
    drops: int | None
    quiet_s: float
    flicks: int | None
    discs: bool
    captures: tuple[Labelled, ...]
    simulate: bool
    depth_mm: float
    speed: float
    seed: int
    anew: bool
    show: bool
    as_json: bool


def _pockets(_ctx: click.Context, _option: click.Parameter, said: str | None) -> object:
    if said is None:
        return None
    names = [name.strip().upper() for name in said.split(",")]
    wrong = [name for name in names if name not in list(Pocket)]
    if wrong:
        raise click.BadParameter(f"there is no pocket {wrong[0]}; say some of NE,SE,SW,NW")
    return tuple(pocket for pocket in Pocket if pocket.value in names)


def _labelled(_ctx: click.Context, _option: click.Parameter, said: Sequence[str]) -> object:
    found = []
    for each in said:
        name, equals, path = each.partition("=")
        if not equals or name not in (QUIET, *PieceKind):
            kinds = ", ".join((*PieceKind, QUIET))
            raise click.BadParameter(f"{each}: expected KIND=FILE.vcd, KIND one of {kinds}")
        found.append(Labelled(None if name == QUIET else PieceKind(name), Path(path)))
    return tuple(found)


@click.command(
    "calibrate",
    epilog=examples(
        "jackspot calibrate",
        "jackspot calibrate --pockets NE,SW     these two again, the others stay",
        "jackspot calibrate --discs             a sensor hub's discs alone",
        "jackspot calibrate --show              what is measured now",
        "jackspot calibrate --simulate          try it without hardware",
    ),
)
@click.option("--config", "config_file", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
@click.option("--journal", type=FILE, help="The journal of the board that is meant.")
@click.option("--out", type=FILE, help="The calibration file, in place of the config's; "
              f"with --simulate [{SIMULATED}]")  # fmt: skip
@click.option("--rules", type=click.Choice([system.value for system in RULES]),
              help="Drop the pieces of these rules. [as the config says]")  # fmt: skip
@click.option("--pockets", callback=_pockets, help="Only these: NE,SW. The others stay.")
@click.option("--drops", type=click.IntRange(1, 1_000), help="Of each kind, into each pocket. [10]")
@click.option("--quiet", "quiet_s", type=NumberRange(0, 3_600), default=60.0,
              show_default=True, help="Seconds of the quiet minute; 0: none.")  # fmt: skip
@click.option("--flicks", type=click.IntRange(0, 1_000),
              help="From each side, where a sensor hub has discs; 0: none. [5]")  # fmt: skip
@click.option("--discs", is_flag=True, help="Only the quiet minute and the flicks.")
@click.option("--from-capture", "captures", multiple=True, callback=_labelled,
              metavar="KIND=FILE.vcd",
              help="Read captures; KIND was dropped (or quiet).")  # fmt: skip
@click.option("--simulate", is_flag=True, help="On the simulated table: a hand drops pieces.")
@click.option("--depth", "depth_mm", type=NumberRange(3, 150), default=30.0,
              help="With --simulate: mm from the edge to the beams. [30]")  # fmt: skip
@click.option("--speed", type=NumberRange(0.1, 1_000), default=1.0,
              help="With --simulate: so many times real time. [1]")  # fmt: skip
@click.option("--seed", type=int, default=0, help="With --simulate: the same falls again. [0]")
@click.option("--anew", is_flag=True, help="Start over; other pieces and pockets stay.")
@click.option("--show", is_flag=True, help="Only print the present calibration.")
@click.option("--json", "as_json", is_flag=True, help="Print results as one JSON object.")
def command(**said: Any) -> None:
    """Measure how long each kind of piece breaks each beam.

    Leads you through it, here and on the OLED: a quiet minute, then pieces dropped one by one.
    Where a sensor hub has discs, flicks from each side come in between. Interrupted with q or
    Ctrl-C it goes on the next time where it was.

    Exit status 0 where a calibration was written or shown, else 1.
    """
    logging.basicConfig(level=logging.ERROR, format="%(message)s")
    options = Options(**{name: said[name] for name in Options.__struct_fields__})
    try:
        config = load(find(options.config_file, options.board_file))
        sys.exit(_calibrate(options, config))
    except _REFUSED as refused:
        fail(refused)


def _call(*more: str) -> str:
    """Return the call that calibrates what this one does, with its options for the same board."""
    context = click.get_current_context()
    words = ["jackspot", "calibrate", *more]
    for option in context.command.params:
        name, value = str(option.name), context.params[str(option.name)]
        if name in _ONCE or context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        words += [option.opts[0]]
        if value is not True:
            words += [",".join(value) if isinstance(value, tuple) else f"{value}"]
    return shlex.join(words)


_ONCE = frozenset({"anew", "show", "as_json", "captures"})
"""Options that the next call does not repeat."""


def _calibrate(options: Options, config: Config) -> int:
    path = options.out or (SIMULATED if options.simulate else config.calibration.path)
    pieces = file.pieces_of(config)
    if options.rules is not None:
        pieces = file.pieces_for(RuleSystem(options.rules))
    if options.show:
        return _show(options, config, path)
    file.refuse_unwritable(path)
    _tell_of_what_is_lost(path)
    keeping = keeping_for(config, path)
    plan = _plan(options, config, pieces)
    if options.captures:
        return _from_captures(options, plan, keeping)
    return _live(options, config, plan, keeping)


def _plan(options: Options, config: Config, pieces: PieceSet) -> CalibrationPlan:
    if options.discs and config.sensor_hub.port is None:
        raise CalibrationError("[sensor_hub] port is not set: there are no discs to calibrate")
    plan = plan_for(config, pieces, options.pockets or tuple(Pocket))
    return changed(plan, pockets=() if options.discs else plan.pockets,
                   drops=options.drops or plan.drops,
                   flicks=plan.flicks if options.flicks is None else options.flicks,
                   quiet_ns=round(options.quiet_s * SECOND_NS))  # fmt: skip


# --- what is there already ---------------------------------------------------------------


def _tell_of_what_is_lost(path: Path) -> None:
    """Say where a calibration that cannot be read is moved: nothing of it is used."""
    try:
        file.read(path)
    except file.OtherVersion:
        raise
    except CalibrationError as wrong:
        tell(f"{wrong}; nothing of it is taken over, and it is kept as {path}.1")


def _show(options: Options, config: Config, path: Path) -> int:
    calibration = file.read(path)
    if calibration is None:
        raise CalibrationError(f"{path}: there is no calibration yet; make one: {_call()}")
    _print(options, calibration)
    file.refuse_others(calibration, config, path)
    return 0


def _print(options: Options, calibration: Calibration, *, finished: bool = True) -> None:
    if options.as_json:
        click.echo(json.dumps(as_plain(calibration, finished=finished)))
        return
    console = Console(highlight=False)
    console.print(f'Board "{calibration.board.name}", {calibration.made:%Y-%m-%d %H:%M} UTC')
    widths = calibration.widths()
    for measured in calibration.measured:
        drops = counted(measured.count, "drop")
        console.print(f"\n{drops} of {measured.pieces} pieces\n", style="bold")
        console.print(results(measured, widths))
    colours = calibration.colours()
    if colours.seen:
        console.print("\nColours, as the heads see them\n", style="bold")
        console.print(colours_table(colours))
    if calibration.discs is not None:
        discs = calibration.discs
        flicks = counted(discs.measured.count, "flick")
        console.print(f"\n{flicks}, {discs.made:%Y-%m-%d %H:%M} UTC, "
                      f"sensor hub {discs.measured.discs.hub}\n", style="bold")  # fmt: skip
        console.print(discs_table(discs.measured))


# --- from captures -----------------------------------------------------------------------


def _from_captures(options: Options, plan: CalibrationPlan, keeping: CalibrationTarget) -> int:
    measured = Measured(plan.pieces)
    for labelled in options.captures:
        if labelled.kind is not None and labelled.kind not in plan.pieces.kinds:
            kinds = ", ".join(plan.pieces.kinds)
            raise CalibrationError(
                f"{labelled.path}: there is no {labelled.kind} among {plan.pieces} pieces "
                f"({kinds}); say the rules with --rules"
            )
        before = measured.count
        capture = read_labelled(labelled)
        for warning in capture.warnings:
            tell(f"{labelled.path}: {warning}")
        measured, left_out = with_capture(plan, measured, labelled.kind, capture)
        what = labelled.kind or "nothing, for a quiet minute"
        tell(f"{labelled.path}: {counted(measured.count - before, 'drop')} of {what}")
        for told in left_out:
            tell(f"{labelled.path}: left out: {told_line(told)}")
    if not measured.count:
        raise CalibrationError("no drop in these captures; nothing is written")
    walk = Walk.begin(plan, 0, measured)
    made = write(keeping, walk, others_unfinished(keeping, plan.pieces))
    _print(options, made)
    tell(f"written to {keeping.path}")
    return 0


# --- live --------------------------------------------------------------------------------


def _live(
    options: Options, config: Config, plan: CalibrationPlan, keeping: CalibrationTarget
) -> int:
    errors = Console(stderr=True, highlight=False)
    walk = _resumed(options, plan, keeping, config, errors)
    bench = _bench(options, config, walk.plan)
    live = live_sitting(config, bench, keeping)
    with _drawn(errors, f"{config.board.name}: calibration, {plan.pieces}") as draw:
        watch = live.tell

        def tell(sitting: Sitting) -> None:
            watch(sitting)
            draw(sitting, live.trouble)

        live.tell = tell
        with closing(bench), pressed(bench.source.submit, bench.source.now_ns):
            ended = live.run(walk)
    return _ended(options, config, keeping, ended, live.trouble)


def _resumed(
    options: Options,
    plan: CalibrationPlan,
    keeping: CalibrationTarget,
    config: Config,
    errors: Console,
) -> Walk:
    """Resume an interrupted calibration, unless it is to begin anew."""
    if options.anew:
        start_over(keeping, plan)
    as_before = options.drops is None and not options.anew
    try:
        walk = begun(plan, keeping, config, as_before=as_before)
    except CalibrationError as error:
        raise CalibrationError(f"{error}; or start over: {_call('--anew')}") from None
    if options.flicks is not None:
        walk = changed(walk, plan=changed(walk.plan, flicks=options.flicks))
    flicks = walk.discs.count if walk.discs is not None and walk.has_discs else 0
    numbers = ((walk.measured.count, "drop"), (flicks, "flick"))
    if before := [counted(n, what) for n, what in numbers if n]:
        errors.print(f"going on with {' and '.join(before)} (--anew starts over)")
    return walk


def _bench(options: Options, config: Config, plan: CalibrationPlan) -> Bench:
    if not options.simulate:
        return real_bench(config, options.journal or config.journal.path)
    return simulated_bench(
        config, plan.pieces, depth_mm=options.depth_mm, speed=options.speed, seed=options.seed,
        alone=not sys.stdin.isatty(),
    )  # fmt: skip


Draw = Callable[[Sitting, str], None]


def _drawn(errors: Console, title: str) -> AbstractContextManager[Draw]:
    """Return what shows a new state: a redrawn screen, or else lines."""
    if errors.is_terminal:
        return _Screen(errors, title)
    return nullcontext(_Lines(errors))


class _Screen:
    """A terminal's screen."""

    def __init__(self, console: Console, title: str) -> None:
        self._live = Live(console=console, auto_refresh=False)
        self._title = title

    def __enter__(self) -> Draw:
        self._live.start()
        return self._draw

    def __exit__(self, *_raised: object) -> None:
        self._live.stop()

    def _draw(self, sitting: Sitting, trouble: str) -> None:
        self._live.update(screen(sitting, self._title, trouble), refresh=True)


class _Lines:
    """A line for each event, without a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: object = None
        self._stage: WalkStage | None = None
        self._trouble = ""

    def __call__(self, sitting: Sitting, trouble: str) -> None:
        walk = sitting.walk
        if walk.stage is not self._stage:
            self._stage = walk.stage
            self._console.print(f"{walk.stage}")
        if walk.told is not None and walk.told is not self._told:
            done = f"{walk.done}/{walk.total}"
            if isinstance(walk.told, FlickMessage) and walk.discs is not None:
                done = f"{len(walk.discs.of(walk.told.side))}/{walk.plan.flicks}"
            self._console.print(f"{done}  {told_and_kept(walk.told)}")
        self._told = walk.told
        if trouble and trouble != self._trouble:
            self._console.print(trouble)
        self._trouble = trouble


def _for_the_board(keeping: CalibrationTarget, config: Config) -> str:
    """Say whether the board uses it: only the one that its config names."""
    if keeping.path == config.calibration.path:
        return "; `jackspot run` uses it from now on"
    return f"; `jackspot run` uses {config.calibration.path}"


def _ended(
    options: Options, config: Config, keeping: CalibrationTarget, walk: Walk, trouble: str
) -> int:
    """Print the outcome."""
    if trouble:
        raise CalibrationError(trouble)
    if options.discs and walk.stage is WalkStage.DONE and not walk.has_discs:
        raise CalibrationError(
            "no flick was felt: nothing is written; is the sensor hub there? jackspot doctor"
        )
    flicked = walk.has_all_flicks
    lacking = walk.has_discs and not flicked
    if walk.stage is WalkStage.DONE and (flicked or (walk.plan.pockets and walk.measured.count)):
        made = file.read(keeping.path)
        assert made is not None, "it has just been written"
        _print(options, made)
        tell(f"written to {keeping.path}{_for_the_board(keeping, config)}")
        if lacking:
            tell(f"flicks from some sides are still kept in {file.unfinished_path(keeping.path)}")
        return 0
    flicks = 0 if walk.discs is None else walk.discs.count
    if flicks and walk.flicking and walk.wanted_side is None:
        tell(f"what discs felt is written to {keeping.path}{_for_the_board(keeping, config)}")
    if walk.measured.count or flicks:
        _print(options, unfinished(keeping, walk), finished=False)
        felt = f", {counted(flicks, 'flick')}" if flicks else ""
        tell(
            f"{walk.done} of {walk.total} dropped{felt}, kept in "
            f"{file.unfinished_path(keeping.path)}; go on with: {_call()}"
        )
    return 1
