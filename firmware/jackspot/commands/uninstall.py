"""``jackspot uninstall``: take the service off this machine, and keep what people made."""

from __future__ import annotations

from pathlib import Path

import click

from jackspot.commands.install import FOLDER
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out
from jackspot.ops.install.plan import removing
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System


@click.command(
    "uninstall",
    epilog=examples(
        "jackspot uninstall --dry-run           say what would be done",
        "sudo jackspot uninstall",
    ),
)
@asked_first
@click.option("--purge", is_flag=True, help="Remove settings, journal, backups and user too.")
@click.option("--root", type=FOLDER, default=Path("/"), show_default=True, help="As for install.")
def command(root: Path, *, dry_run: bool, yes: bool, purge: bool) -> None:
    """Remove what `jackspot install` made.

    Settings and journal stay, unless --purge. Says first what it will do.
    """
    try:
        steps = removing(System(root), purge=purge)
    except StepFailed as error:
        fail(error)
    carry_out(steps, "uninstall", StepMode(dry_run=dry_run, yes=yes))
