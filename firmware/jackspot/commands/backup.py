"""``jackspot backup``: the board's journal, settings and calibration in one file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jackspot.commands.terminal.board_options import FILE, of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.noting import note_names
from jackspot.commands.terminal.output import fail, tell
from jackspot.config import ConfigError, Sources, find, load
from jackspot.config.load import BOARD_PLACE, SHARED_PLACE
from jackspot.ops.backup.archive import BackupError
from jackspot.ops.backup.making import Places, make
from jackspot.ops.install.plan import STATE
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
    holds players' names. Exit status 1 where none could be made, or where something in it is
    damaged: of a damaged journal the backup holds what is good. If the settings have a mistake,
    journal and calibration are those in the usual places.
    """
    places, board, mistake = find_places(journal, config_file, board_file)
    if mistake:
        tell(f"{mistake}\nso the journal is {places.journal}")
    try:
        made = make(file, places, board)
        give_to_caller(file)
        note_names(places.journal, file)
    except BackupError as error:
        fail(error)
    click.echo(f"{file}: {made.entries:,} entries, {', '.join(made.files)}")
    if made.faults:
        tell("\n".join(made.faults))
    if mistake or made.faults:
        sys.exit(1)


def find_places(
    journal: Path | None,
    config_file: Path | None,
    board_file: Path | None,
    sources: Sources | None = None,
) -> tuple[Places, str, str]:
    """Return where this board's files are, its name, and the mistakes in its settings.

    With a mistake these are the usual places, and the board has no name. ``sources`` has settings
    to be read in place of its own.
    """
    shared, board = config_file or SHARED_PLACE, board_file or BOARD_PLACE
    try:
        config = load(sources or find(config_file, board_file))
    except ConfigError as error:
        state = Path(STATE)
        path = journal or state / "journal.sqlite3"
        return Places(path, shared, board, state / "calibration.toml"), "", str(error)
    path = journal or config.journal.path
    return Places(path, shared, board, config.calibration.path), config.board.name, ""
