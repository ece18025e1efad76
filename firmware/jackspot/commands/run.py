"""``jackspot run``: the board itself, until it is told to stop."""

from __future__ import annotations

import importlib
import logging
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jackspot.assembly import KINDS, DeviceOverrides, assemble
from jackspot.board import Board
from jackspot.calibration.file import Calibration, CalibrationError, as_text, fault, usable
from jackspot.calibration.from_menu import calibrate_from_menu, can_be_led
from jackspot.capture.errors import CaptureError
from jackspot.capture.tap import TapServer, captured, socket_beside, tap_for
from jackspot.commands.terminal.board_options import FILE
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail, tell
from jackspot.config import ConfigError, find, load
from jackspot.config.model import Config
from jackspot.displays.errors import DisplayError
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import open_gpio
from jackspot.inputs.queue import EventQueue
from jackspot.ops.garbage import TidyWatchdog
from jackspot.ops.install.program import is_from_apt
from jackspot.ops.quiet_log import make_quiet
from jackspot.ops.stick.notify_board import StickListener, stick_socket
from jackspot.ops.switch_off import (
    COMMAND_FAILED,
    COMMAND_RUN,
    SHUT_DOWN,
    NotSwitchedOff,
    switch_off,
)
from jackspot.ops.watchdog import Watchdog
from jackspot.readings.colours import ColourModel
from jackspot.readings.shots import ShotModel
from jackspot.readings.usual import AS_PUBLISHED, Times
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import Stick, StickTold, Tick
from jackspot.storage.errors import JournalError
from jackspot.storage.keeper import Keeper
from jackspot.storage.recovery import refuse_foreign
from jackspot.storage.wall_clock import GivenWall, SystemWall, Wall
from jackspot.web.addresses import PAGES, page_url

if TYPE_CHECKING:
    from jackspot.festival.asks import Look
    from jackspot.festival.updating import UpdateDoor

RENEWED = signal.SIGUSR1
"""Tells a board that runs as a service of a newer version, as apt's package does."""

LATER = (
    "jackspot.festival.link",
    "jackspot.history.pages",
    "jackspot.web.api.description",
    "jackspot.web.api.page",
    "jackspot.web.state_types",
)
"""Modules that are imported only when somebody asks a board for them."""
WHOLE_AFTER_S = 10.0
"""A board from apt has imported them too, this long after its start."""

_REFUSED = (ConfigError, GpioError, JournalError, DisplayError, CaptureError)
"""What keeps a board from starting."""


@click.command(
    "run",
    epilog=examples(
        "jackspot run",
        "jackspot run --config jackspot.toml --verbose",
    ),
)
@click.option("--config", "config_file", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
@click.option("--journal", "journal", type=FILE, help="The journal, in place of the config's.")
@click.option("--capture", "capture", type=FILE, help="Write the pins down here, from the start.")
@click.option("--verbose", is_flag=True, help="Log what the board does.")
def command(
    config_file: Path | None,
    board_file: Path | None,
    journal: Path | None,
    capture: Path | None,
    *,
    verbose: bool,
) -> None:
    """Keep score, from the pins to the displays.

    Until stopped (SIGTERM or Ctrl-C). Exit status 1, with a line that says what to do, where
    config, pins, journal or port cannot be had; 3 when people shut the board down from its menu
    (the service then switches the machine off), 4 when [board] shutdown was run for that, 5
    when that failed.
    """
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")
    make_quiet()
    try:
        config = load(find(config_file, board_file))
        path, watchdog, wall = journal or config.journal.path, TidyWatchdog(), SystemWall()
        if journal is not None:
            refuse_foreign(journal)
        _tell_addresses(config)
        sources = _Sources()
        if is_from_apt():
            _open_whole_later()
        _forget_old(path, wall, config)
        board = _run(config, sources, path, watchdog, capture)
        while board.wants_calibration or (sources.resting and not watchdog.manager):
            if board.wants_calibration:
                calibrate_from_menu(config, board.dialogue, sources.current, watchdog)
            else:
                sources.begin_anew()
                _forget_old(path, wall, config)
            board = _run(config, sources, path, watchdog)
    except _REFUSED as failure:
        fail(failure)
    if board.was_shut_down:
        sys.exit(status_of_shutdown(config.board.shutdown))


def open_whole() -> None:
    """Import what would be imported later: an upgrade may replace a running board's files."""
    for each in LATER:
        importlib.import_module(each)


def _open_whole_later() -> None:
    """Do it once the board is up."""
    timer = threading.Timer(WHOLE_AFTER_S, open_whole)
    timer.daemon = True
    timer.start()


def _tell_addresses(config: Config) -> None:
    """Print where the board's pages are, if it has any."""
    if config.web.enabled and config.web.port:
        for page, path in PAGES.items():
            click.echo(f"{page:9}{page_url(config.web.host, config.web.port, path)}")


def _run(
    config: Config,
    sources: _Sources,
    journal: Path,
    watchdog: Watchdog,
    capture: Path | None = None,
) -> Board:
    """Run a board to its end, with the existing calibration; return the board."""
    source = sources.current
    gpio = open_gpio(config.gpio.factory, config.gpio.chip)
    machine = SystemWall()
    wall = GivenWall(machine)
    stop_waiting = _each_day(journal, machine, config, sources)
    keeper = Keeper(journal, KINDS, wall)
    calibration = _calibration(config, source)
    text = as_text(calibration) if calibration is not None else ""
    widths = calibration.widths() if calibration is not None else WidthModel()
    shots = calibration.shots() if calibration is not None else ShotModel()
    colours = calibration.colours() if calibration is not None else ColourModel()
    counts, times = _learnt(config, source)
    with captured(capture) as listeners:
        if capture is not None:
            from jackspot.commands.terminal.noting import note_names  # slow to open

            note_names(journal, capture)
        tap = tap_for(config, journal, *listeners, calibration=text, learnt=counts)
        server = TapServer(
            socket_beside(journal), tap, lambda: source.submit(Tick(source.now_ns()))
        )
        server.start()
        sticks = _listener_for_sticks(config, journal, source)
        overrides = DeviceOverrides(
            listeners=(tap,), widths=widths, shots=shots, colours=colours, times=times,
            in_hall=True, wall=wall, calibrates=can_be_led(config), doctor=_doctor(config, journal),
            door=_door(),
        )  # fmt: skip
        try:
            board = assemble(config, gpio, source, keeper, watchdog, overrides)
            board.run(sources.is_renewed if watchdog.manager else lambda: False)
        finally:
            stop_waiting()
            server.close()
            sticks.close()
    return board


def _doctor(config: Config, journal: Path) -> Look | None:
    """Return what examines the board while it plays, if a hall may ask for it."""
    if not config.festival.hall:
        return None
    from jackspot.ops.doctor import RealMachine
    from jackspot.ops.doctor.while_playing import look_beside

    return partial(look_beside, RealMachine(), config, journal)


def _door() -> UpdateDoor | None:
    """Return what takes newer versions that a hall offers, if this board can."""
    if not is_from_apt():
        return None
    from jackspot.ops.install.system import System
    from jackspot.ops.update.offered import OfferedHere

    return OfferedHere(System())


def _listener_for_sticks(config: Config, journal: Path, source: EventQueue) -> StickListener:
    """Have the board told what happens to sticks that are plugged in."""

    def tell(stick: Stick, about: str, number: int | None) -> None:
        source.submit(StickTold(source.now_ns(), stick, about, number))

    listener = StickListener(stick_socket(journal), tell)
    if config.stick.enabled:
        listener.start()
    return listener


def _forget_old(journal: Path, wall: Wall, config: Config) -> None:
    """Take old names out if the config says so; the modules for it are imported only then."""
    if days := config.people.forget_after_days:
        from jackspot.ops.forgetting import retention

        retention.forget_old(journal, wall, days)


def _each_day(journal: Path, wall: Wall, config: Config, sources: _Sources) -> Callable[[], None]:
    """Have the board rest for it once a day, while nobody plays; return what ends that."""
    days = config.people.forget_after_days
    if not days:
        return lambda: None
    from jackspot.ops.forgetting import retention

    daily = retention.Daily(journal, wall, days, sources.rest)
    daily.start()
    return daily.stop


def _calibration(config: Config, source: EventQueue) -> Calibration | None:
    """Return the board's calibration; one that does not fit is reported, and the board goes on."""
    try:
        return usable(config)
    except CalibrationError as error:
        source.submit(fault(error, source.now_ns()))
        return None


def _learnt(config: Config, source: EventQueue) -> tuple[str, Times]:
    """Return what the board may use of what it has learnt, as text and computed.

    What cannot be used is reported, and the board goes on.
    """
    if not config.learnt.use:
        return "", AS_PUBLISHED
    from jackspot.calibration import learnt

    try:
        text = learnt.usable(config)
        return text, learnt.parse(text).times() if text else AS_PUBLISHED
    except learnt.LearntError as error:
        source.submit(learnt.fault(error, source.now_ns()))
        return "", AS_PUBLISHED


def status_of_shutdown(command: Sequence[str]) -> int:
    """Run the owner's command, if there is one; return the exit status for its outcome."""
    if not command:
        return SHUT_DOWN
    try:
        switch_off(command)
    except NotSwitchedOff as failure:
        tell(failure)
        return COMMAND_FAILED
    return COMMAND_RUN


class _Sources:
    """The board's event source; one that was closed for a rest is followed by another.

    It is closed on SIGTERM and SIGINT, and told of a newer version by RENEWED. Create it while
    there is no other thread. A handler would run in the loop's thread, and only once that wakes: a
    signal that arrives just as the loop goes to sleep would wait for the next event. A thread that
    waits for the signals themselves, blocked for all others, misses none.
    """

    def __init__(self) -> None:
        self.current = EventQueue()
        self.resting = False
        self._told = False
        self._renewed = False
        self._lock = threading.Lock()
        awaited = (signal.SIGTERM, signal.SIGINT, RENEWED)
        signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
        threading.Thread(target=self._wait, args=(awaited,), name="signals", daemon=True).start()

    def is_renewed(self) -> bool:
        """Whether a newer version waits for the board's next start."""
        return self._renewed

    def _wait(self, awaited: tuple[signal.Signals, ...]) -> None:
        while signal.sigwait(awaited) is RENEWED:
            self._renewed = True
            with self._lock:
                self.current.submit(Tick(self.current.now_ns()))  # so that the loop looks
        with self._lock:
            self._told, self.resting = True, False
            self.current.close()

    def rest(self) -> None:
        """Have the board stop for a moment and come back.

        A service manager restarts it, so that its watchdog does not take a long journal for a hung
        loop. Without one it comes back in the same process.
        """
        with self._lock:
            if not self._told:
                self.resting = True
                self.current.close()

    def begin_anew(self) -> None:
        """Give the board a new source; a closed one if it was told to stop."""
        with self._lock:
            self.current, self.resting = EventQueue(), False
            if self._told:
                self.current.close()
