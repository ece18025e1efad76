"""What commands share: types of options, options for one board, and how they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from jackspot.commands.terminal.output import fail
from jackspot.config import Config, ConfigError, find, load
from jackspot.files import is_there
from jackspot.ops.ownership import RUN_AS, refused

FILE = click.Path(dir_okay=False, path_type=Path)


class NumberRange(click.FloatRange):
    """A number between bounds. NaN, which no bound keeps out, is refused."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; click.BadParameter for anything else."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"'{value}' is not a number.", param, ctx)
        return number


F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--journal", "journal", type=FILE, help="The journal, in place of the config's."),
    click.option("--config", "config_file", type=FILE, help="The file that all boards share."),
    click.option("--board-file", "board_file", type=FILE, help="What differs on this board."),
)


def of_a_board(command: F) -> F:
    """Add to a command the options that say which board is meant."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def board_with_journal(
    journal: Path | None, config_file: Path | None, board_file: Path | None
) -> tuple[Config, Path]:
    """Return a board's config and its journal's path; exit if there is no such journal."""
    try:
        config = load(find(config_file, board_file))
    except ConfigError as error:
        fail(error)
    path = journal or config.journal.path
    refuse_unreadable(path)
    return config, path


def refuse_unreadable(journal: Path) -> None:
    """Exit if there is no such journal, or if this user may not read it."""
    if not is_there(journal):
        fail(f"{journal}: no journal here; name one with --journal")
    if words := refused(journal):
        fail(f"{words}; {RUN_AS}")
