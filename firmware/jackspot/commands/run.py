"""``jackspot run``: the board itself, until it is told to stop."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from pathlib import Path

import click

from jackspot.assembly import KINDS, Elsewhere, assemble
from jackspot.commands.check_config import FILE
from jackspot.config import ConfigError, find, load
from jackspot.displays.errors import DisplayError
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import open_gpio
from jackspot.inputs.queue import EventQueue
from jackspot.service.pin_capture import CaptureError
from jackspot.service.switch_off import NotSwitchedOff, switch_off
from jackspot.service.tap import TapServer, captured, socket_beside, tap_for
from jackspot.service.watchdog import Watchdog
from jackspot.storage.errors import JournalError
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall import SystemWall
from jackspot.table.events import Tick

_REFUSED = (
    ConfigError, GpioError, JournalError, DisplayError, NotSwitchedOff, CaptureError
)  # fmt: skip
"""What keeps a board from starting, or the machine from being switched off."""


@click.command("run")
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
    """Keep score, from the pins to the displays, until stopped (SIGTERM or Ctrl-C).

    Exit status 1, with a line that says what to do, where config, pins, journal or port
    cannot be had, or where the machine was to be switched off and could not be.
    """
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")
    try:
        config = load(find(config_file, board_file))
        source = EventQueue()
        _close_when_told(source)
        gpio = open_gpio(config.gpio.factory, config.gpio.chip)
        path = journal or config.journal.path
        keeper = Keeper(path, KINDS, SystemWall())
        with captured(capture) as listeners:
            tap = tap_for(config, path, *listeners)
            server = TapServer(
                socket_beside(path), tap, lambda: source.submit(Tick(source.now_ns()))
            )
            server.start()
            board = assemble(config, gpio, source, keeper, Watchdog(), Elsewhere(onlooker=tap))
            try:
                board.run()
            finally:
                server.close()
        if board.was_shut_down and config.board.shutdown:
            switch_off(config.board.shutdown)
    except _REFUSED as failure:
        click.echo(failure, err=True)
        sys.exit(1)


def _close_when_told(source: EventQueue) -> None:
    """Close the source on SIGTERM and SIGINT; call it while there is no other thread.

    A handler would run in the loop's thread, and only once that wakes: one that comes just
    as the loop goes to sleep would wait for the next event. A thread that waits for the
    signals themselves, blocked for all others, misses none.
    """
    stopping = (signal.SIGTERM, signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_BLOCK, stopping)

    def wait() -> None:
        signal.sigwait(stopping)
        source.close()

    threading.Thread(target=wait, name="signals", daemon=True).start()
