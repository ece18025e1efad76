"""``jackspot install``: put Jackspot on this machine as a service that starts with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jackspot.service.install.plan import Wishes, installing
from jackspot.service.install.program import find_checkout
from jackspot.service.install.steps import Step
from jackspot.service.install.system import InstallError, System

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("install")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
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
    """Install the service: packages, program, user, rights, unit; start it.

    Says first what it will do. Taken again it does only what is missing. Your settings are
    never replaced. Exit status 1 where a step failed; then mend it and install again.
    """
    system = System(root)
    wishes = Wishes(packages=not no_packages, i2c=not no_i2c, start=not no_start)
    try:
        steps = installing(system, find_checkout(), wishes)
    except InstallError as error:
        click.echo(error, err=True)
        sys.exit(1)
    carry_out(steps, "install", dry_run=dry_run, yes=yes)


def carry_out(steps: Sequence[Step], name: str, *, dry_run: bool, yes: bool) -> None:
    """Show steps, ask, and take those that are to be taken; exit where one fails."""
    console = Console(highlight=False)
    console.print(_listed(steps))
    todo = [step for step in steps if step.act]
    if not todo:
        console.print("Nothing to do.")
        return
    if dry_run:
        console.print("Nothing was done (--dry-run).")
        return
    if os.geteuid() != 0:
        click.echo(f"this needs root; type: sudo {sys.argv[0]} {name}", err=True)
        sys.exit(1)
    if not yes and not _agreed():
        console.print("Nothing was done.")
        sys.exit(1)
    for number, step in enumerate(todo, start=1):
        console.print(Text(f"[{number}/{len(todo)}] {step.what}: {step.words}", "bold"))
        try:
            step.act() if step.act else None
        except InstallError as error:
            click.echo(f"{step.what}: {error}", err=True)
            click.echo(
                f"{number - 1} of {len(todo)} steps are done; mend this, then {name} again: "
                "it goes on from here",
                err=True,
            )
            sys.exit(1)
    console.print(Text("Done.", "bold green"))
    for step in todo:
        if step.afterwards:
            console.print(Text(step.afterwards, "bold yellow"))


def _agreed() -> bool:
    """Ask on a terminal; without one, nothing is done that was not agreed to."""
    if not sys.stdin.isatty():
        click.echo("nobody is here to ask; to go on without asking, add --yes", err=True)
        return False
    return click.confirm("Do this?", default=True)


def _listed(steps: Sequence[Step]) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=2)
    table.add_column(width=12)
    table.add_column(overflow="fold")
    for step in steps:
        sign, style = ("->", "bold") if step.act else ("=", "dim")
        table.add_row(Text(sign, style), Text(step.what, style), Text(step.words, style))
    table.add_row("", "", "")
    table.add_row("", "", Text("->: will be done    =: is so already, or stays", "dim"))
    return table
