"""``jackspot restore``: put a backup of a board in place; the files it replaces are kept."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from jackspot.assembly import KINDS
from jackspot.commands.backup import find_places
from jackspot.commands.terminal.board_options import FILE, of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import tell
from jackspot.commands.terminal.steps import (
    StepMode,
    asked_first,
    carry_out,
    restarts,
    start_again,
    stop_step,
)
from jackspot.core.printable import visible
from jackspot.ops.backup.archive import BackupError
from jackspot.ops.backup.restoring import (
    is_in_use,
    permitted,
    settings_to_be,
    steps,
    take_out,
    without_commands,
)
from jackspot.ops.install.system import System


@click.command(
    "restore",
    epilog=examples(
        "jackspot restore --dry-run board-1.zip",
        "sudo jackspot restore --restart board-1.zip",
    ),
)
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--journal-only", is_flag=True, help="Leave settings and calibration as they are.")
@click.option("--with-commands", is_flag=True, help="Take over programs that its settings run.")
@restarts
@asked_first
@of_a_board
def command(
    file: Path,
    journal: Path | None,
    config_file: Path | None,
    board_file: Path | None,
    *,
    journal_only: bool,
    with_commands: bool,
    restart: bool,
    dry_run: bool,
    yes: bool,
) -> None:
    """Restore a board from a backup or a journal.

    FILE is one of `jackspot backup`, or a journal. The whole of it is checked first. The
    journal and the settings that are there are kept under other names, and what differs in the
    settings is shown. A program that they would run ([board] shutdown) is left out, unless it
    is here already or --with-commands is used. The journal comes to where the restored settings
    have it. A running board must be stopped for it (or --restart).
    """
    with tempfile.TemporaryDirectory(prefix="jackspot-") as name:
        folder = Path(name)
        try:
            take_out(file, folder, KINDS, journal_only=journal_only)
            here, _, mistake = find_places(journal, config_file, board_file)
            places = here
            left_out = () if journal_only or with_commands else without_commands(file, folder, here)
            if not journal_only:
                to_be = settings_to_be(folder, here, config_file, board_file)
                named, _, mistake = find_places(journal, config_file, board_file, to_be)
                places = permitted(file, here, named)
                if places != named:
                    click.echo(
                        f"the calibration is {places.calibration}; the settings name "
                        f"{visible(str(named.calibration))}, which is in another folder"
                    )
            todo = list(steps(folder, places, KINDS, journal_only=journal_only))
        except BackupError as error:
            click.echo("\n".join(map(visible, str(error).splitlines())), err=True)
            sys.exit(1)
        for setting in left_out:
            click.echo(f"left out, because it runs a program: {setting}; --with-commands takes it")
        if mistake:
            tell(f"{mistake}\nso the journal is {places.journal}")
        system = System()
        in_use = [path for path in dict.fromkeys((here.journal, places.journal)) if is_in_use(path)]
        if in_use:
            todo = [stop_step(system, in_use[0], restart=restart), *todo]
        try:
            carry_out(todo, "restore", StepMode(dry_run=dry_run, yes=yes, as_root=False))
        finally:  # even if a step failed: then the board goes on with what it had
            if in_use and not is_in_use(in_use[0]):
                start_again(system)
