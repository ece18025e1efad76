"""``jackspot backup``: the board's journal, settings and calibration in one file."""

from __future__ import annotations

from pathlib import Path

import click

from jackspot.commands.terminal.board_options import FILE, of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.config import ConfigError, find, load
from jackspot.config.load import BOARD_PLACE, SHARED_PLACE
from jackspot.ops.backup.archive import BackupError
from jackspot.ops.backup.making import Places, make
from jackspot.ops.forgetting.places import note_export
from jackspot.ops.ownership import give_to_caller


@click.command(
    "backup",
    epilog=examples(
        "jackspot backup board-1.zip",
    ),
)
@click.argument("file", metavar="FILE.zip", type=FILE)
@of_a_board
def command(
    file: Path, journal: Path | None, config_file: Path | None, board_file: Path | None
) -> None:
    """Write a backup of the board to a new FILE.zip.

    Works while the board plays, too. `jackspot restore` puts it back, here or on another Pi. It
    holds players' names. Exit status 1 where none could be made, or where the journal is
    damaged: then the backup holds what of it is good.
    """
    try:
        places, board = find_places(journal, config_file, board_file)
        made = make(file, places, board)
        give_to_caller(file)
        note_export(places.journal, file)
    except (BackupError, ConfigError) as error:
        fail(error)
    click.echo(f"{file}: {made.entries:,} entries, {', '.join(made.files)}")
    if made.faults:
        fail("\n".join(made.faults))


def find_places(
    journal: Path | None, config_file: Path | None, board_file: Path | None
) -> tuple[Places, str]:
    """Return where this board's files are, and its name. Raises ConfigError."""
    config = load(find(config_file, board_file))
    shared, board = config_file or SHARED_PLACE, board_file or BOARD_PLACE
    path = journal or config.journal.path
    return Places(path, shared, board, config.calibration.path), config.board.name
