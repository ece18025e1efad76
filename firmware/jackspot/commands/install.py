"""``jackspot install`` and ``uninstall``: Jackspot as a service that starts with this machine."""

from __future__ import annotations

from pathlib import Path

import click

from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out
from jackspot.ops.install.plan import Wishes, installing, removing
from jackspot.ops.install.program import find_checkout
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(
    "install",
    epilog=examples(
        "jackspot install --dry-run             say what would be done",
        "sudo jackspot install",
    ),
)
@asked_first
@click.option("--no-packages", is_flag=True, help="Leave apt's packages to you.")
@click.option("--no-i2c", is_flag=True, help="Leave the Pi's config.txt as it is.")
@click.option("--no-start", is_flag=True, help="Start with the machine's next start, not now.")
@click.option(
    "--root",
    type=FOLDER,
    default=Path("/"),
    show_default=True,
    help="The root of the system to install on: for building images.",
)
def command(
    root: Path, *, dry_run: bool, yes: bool, no_packages: bool, no_i2c: bool, no_start: bool
) -> None:
    """Install the service on this Pi and start it.

    Packages, program, user, rights, unit. Says first what it will do. Run again it does only
    what is missing. Your settings are never replaced. Exit status 1 where a step failed; then
    fix that and install again.
    """
    system = System(root)
    wishes = Wishes(packages=not no_packages, i2c=not no_i2c, start=not no_start)
    try:
        steps = installing(system, find_checkout(), wishes)
    except StepFailed as error:
        fail(error)
    carry_out(steps, "install", StepMode(dry_run=dry_run, yes=yes))


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
def uninstall(root: Path, *, dry_run: bool, yes: bool, purge: bool) -> None:
    """Remove what `jackspot install` made.

    Settings and journal stay, unless --purge. Says first what it will do.
    """
    try:
        steps = removing(System(root), purge=purge)
    except StepFailed as error:
        fail(error)
    carry_out(steps, "uninstall", StepMode(dry_run=dry_run, yes=yes))
