"""``jackspot check-config``: what the config says, or everything that is wrong with it.

Opens no pin and no device. Exit status 0 when the board would start with it, 1 when not.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jackspot.config import ConfigError, find, load
from jackspot.config.show import as_toml

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("check-config")
@click.option("--config", "config", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
def command(config: Path | None, board_file: Path | None) -> None:
    """Print the effective settings, or every mistake, one a line.

    Without --config: /etc/jackspot/jackspot.toml, else the built-in reference board. Over it
    goes the board's own file: --board-file, else /var/lib/jackspot/board.toml, if it is there.
    """
    sources = find(config, board_file)
    try:
        effective = load(sources)
    except ConfigError as failure:
        click.echo(failure, err=True)
        count = len(failure.mistakes)
        click.echo(f"{count} mistake{'' if count == 1 else 's'} in {sources}", err=True)
        sys.exit(1)
    click.echo(f"# Effective settings of {sources}")
    click.echo(as_toml(effective), nl=False)
