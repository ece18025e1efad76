"""``jackspot run``: the board itself, until it is told to stop."""

from __future__ import annotations

import logging
import signal
import sys
from pathlib import Path

import click

from jackspot.assembly import KINDS, assemble
from jackspot.commands.check_config import FILE
from jackspot.config import ConfigError, find, load
from jackspot.displays.errors import DisplayError
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import open_gpio
from jackspot.inputs.queue import EventQueue
from jackspot.service.watchdog import Watchdog
from jackspot.storage.errors import JournalError
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall import SystemWall


@click.command("run")
@click.option("--config", "config_file", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
@click.option("--journal", "journal", type=FILE, help="The journal, in place of the config's.")
@click.option("--verbose", is_flag=True, help="Log what the board does.")
def command(
    config_file: Path | None, board_file: Path | None, journal: Path | None, *, verbose: bool
) -> None:
    """Keep score, from the pins to the displays, until stopped (SIGTERM or Ctrl-C).

    Exit status 1, with a line that says what to do, where config, pins, journal or port
    cannot be had.
    """
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")
    try:
        config = load(find(config_file, board_file))
        source = EventQueue()
        gpio = open_gpio(config.gpio.factory, config.gpio.chip)
        keeper = Keeper(journal or config.journal.path, KINDS, SystemWall())
        board = assemble(config, gpio, source, keeper, Watchdog())
        for stopping in (signal.SIGTERM, signal.SIGINT):
            signal.signal(stopping, lambda *_: source.close())
        board.run()
    except (ConfigError, GpioError, JournalError, DisplayError) as failure:
        click.echo(failure, err=True)
        sys.exit(1)
