"""``jackspot check-config``: what the config says, or everything that is wrong with it.

It opens no pin and no device. Exit status 0 if the board would start with it, else 1. A missing
file that it names is reported; the board starts all the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from jackspot.calibration.file import CalibrationError, usable
from jackspot.commands.terminal.board_options import FILE
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail, tell
from jackspot.config import ConfigError, find, load
from jackspot.config.model import Config, short_pin
from jackspot.config.show import as_toml
from jackspot.core.printable import visible
from jackspot.files import open_regular
from jackspot.ops.doctor.calibrated import discs_calibrated


@click.command(
    "check-config",
    epilog=examples(
        "jackspot check-config",
        "jackspot check-config new.toml",
    ),
)
@click.argument("file", type=FILE, required=False)
@click.option("--config", "config", type=FILE, help="The file that all boards share, as FILE.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
def command(file: Path | None, config: Path | None, board_file: Path | None) -> None:
    """Print the effective settings, or every mistake in them.

    Above each setting stands what it is for and what it may be.
    One mistake per line: where it is, what was expected and found, what to do. Without FILE:
    /etc/jackspot/jackspot.toml, else the built-in reference board. Over it goes the board's own
    file: --board-file, else /var/lib/jackspot/board.toml, if it is there.
    """
    if file is not None and config is not None:
        raise click.UsageError(f"the shared file is named twice: {file} and {config}")
    sources = find(file or config, board_file)
    try:
        effective = load(sources)
    except ConfigError as failure:
        tell(failure)
        count = len(failure.mistakes)
        fail(f"{count} mistake{'' if count == 1 else 's'} in {sources}")
    for words in (*_unread(effective), short_pin(effective.web), _discs(effective)):
        if words:
            tell(words)
    click.echo(f"# Effective settings of {visible(str(sources))}")
    click.echo(as_toml(effective, explained=True), nl=False)


def _unread(config: Config) -> Iterator[str]:
    """Name the files that the board needs and cannot read, with what it lacks without them."""
    named = config.festival.ca if config.festival.hall else None
    ca = named if isinstance(named, Path) else None
    for key, path, lacks in (
        ("[festival] ca", ca, "the board tells its hall nothing"),
        ("[web] logo", config.web.logo, "no logo is shown"),
    ):
        if path is None:
            continue
        try:
            os.close(open_regular(path))
        except OSError as error:
            yield f"{key} = {str(path)!r} cannot be read: {error.strerror}; without it {lacks}"


def _discs(config: Config) -> str:
    """Say when the discs of the sensor hub were calibrated, if the board has one."""
    if config.sensor_hub.port is None:
        return ""
    try:
        return f"[sensor_hub] discs: {discs_calibrated(usable(config))}"
    except CalibrationError as error:
        return f"[calibration] path: {error}"
