"""``jackspot support-bundle``: everything that helps a helper, in one file without names."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from jackspot.commands.doctor import examine, find_config, plain
from jackspot.commands.terminal.board_options import FILE, NumberRange, of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.noting import note_names
from jackspot.commands.terminal.output import fail, tell
from jackspot.config import find
from jackspot.config.model import Config
from jackspot.ops.backup.archive import BackupError
from jackspot.ops.doctor import RealMachine
from jackspot.ops.install.plan import STATE
from jackspot.ops.ownership import give_to_caller
from jackspot.ops.support.bundle import write
from jackspot.ops.support.gathering import gather
from jackspot.storage.errors import JournalError


@click.command(
    "support-bundle",
    epilog=examples(
        "sudo jackspot support-bundle report.zip",
    ),
)
@click.argument("file", metavar="FILE.zip", type=FILE)
@click.option("--with-names", is_flag=True, help="Leave players' names as they are.")
@click.option("--capture", "captures", type=FILE, multiple=True, help="A pin capture to add.")
@click.option(
    "--seconds",
    type=NumberRange(0, 600),
    default=2.0,
    show_default=True,
    help="How long the doctor watches beams and buttons; 0: not at all.",
)
@of_a_board
def command(
    file: Path,
    captures: tuple[Path, ...],
    seconds: float,
    journal: Path | None,
    config_file: Path | None,
    board_file: Path | None,
    *,
    with_names: bool,
) -> None:
    """Collect what helps with a bug report in a new FILE.zip.

    Settings, journal, logs, the doctor's findings and captures. Players' names are replaced in
    all of it, unless --with-names; also while the board plays. Exit status 1 where no file
    could be written.
    """
    config = find_config(config_file, board_file)
    usual = config.journal.path if isinstance(config, Config) else Path(STATE) / "journal.sqlite3"
    machine = RealMachine()
    path = journal or usual
    silent = Console(quiet=True)
    findings = [plain(each) for each in examine(machine, config, path, seconds, silent)]
    try:
        found = gather(machine, find(config_file, board_file), path, captures, findings)
        hiding = write(file, found, with_names=with_names)
        give_to_caller(file)
        if with_names:
            note_names(path, file)
    except (BackupError, JournalError) as error:
        fail(error)
    names = "players' names are in it" if hiding is None else f"{len(hiding.names)} names replaced"
    click.echo(f"{file}: {file.stat().st_size:,} bytes, {len(found.entries):,} entries, {names}")
    for each in found.missing:
        tell(f"not in it: {each}")
