"""Steps on the terminal: listed, confirmed, and taken one after the other.

Shared by the commands that change a machine: install, uninstall, restore.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jackspot.commands.terminal.output import fail, tell
from jackspot.core.printable import visible_lines
from jackspot.ops.install.plan import UNIT
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.install.system import System


class StepMode(Struct, frozen=True):
    """How steps are taken: not at all, without asking, by root alone."""

    dry_run: bool
    yes: bool
    as_root: bool = True


F = TypeVar("F", bound=Callable[..., Any])


def asked_first(command: F) -> F:
    """Add the options to show what a command would do, and to ask nothing."""
    dry = click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
    return dry(click.option("--yes", is_flag=True, help="Do it without asking.")(command))


restarts = click.option(
    "--restart", is_flag=True, help="Stop the board for it, and start it again."
)


def carry_out(steps: Sequence[InstallStep], name: str, manner: StepMode) -> None:
    """Show steps, ask, and take those that are to be taken; exit if one fails."""
    console = Console(highlight=False)
    console.print(_listed(steps))
    todo = [step for step in steps if step.act]
    if not todo:
        console.print("Nothing to do.")
        return
    if manner.dry_run:
        console.print("Nothing was done (--dry-run).")
        return
    if manner.as_root and os.geteuid() != 0:
        fail(f"this needs root; type: {shlex.join(['sudo', *sys.argv])}")
    if not manner.yes and not _agreed():
        console.print("Nothing was done.")
        sys.exit(1)
    for number, step in enumerate(todo, start=1):
        console.print(
            Text(visible_lines(f"[{number}/{len(todo)}] {step.what}: {step.words}"), "bold")
        )
        try:
            step.act() if step.act else None
        except StepFailed as error:
            tell(f"{step.what}: {error}")
            fail(
                f"{number - 1} of {len(todo)} steps are done; fix this, then {name} again: "
                "it goes on from here"
            )
    console.print(Text("Done.", "bold green"))
    for step in todo:
        if step.afterwards:
            console.print(Text(step.afterwards, "bold yellow"))


def _agreed() -> bool:
    """Ask on a terminal; without one, nothing is done that was not agreed to."""
    if not sys.stdin.isatty():
        tell("there is no terminal to ask on; to go on without asking, add --yes")
        return False
    return click.confirm("Do this?", default=True)


def _listed(steps: Sequence[InstallStep]) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=2)
    table.add_column(min_width=12, no_wrap=True)
    table.add_column(overflow="fold")
    for step in steps:
        sign, style = ("->", "bold") if step.act else ("=", "dim")
        words = Text(visible_lines(step.words), style)
        table.add_row(Text(sign, style), Text(step.what, style), words)
    table.add_row("", "", "")
    table.add_row("", "", Text("->: will be done    =: is so already, or stays", "dim"))
    return table


def stop_step(system: System, journal: Path, *, restart: bool) -> InstallStep:
    """Return the step that stops the running board; exit if it was not asked for."""
    runs = system.live and (system.asked("systemctl", "is-active", UNIT) or "").strip() == "active"
    if not (restart and runs):
        how = f"sudo systemctl stop {UNIT}, or add --restart" if runs else "end it"
        fail(f"{journal}: a board is running with this journal; stop it: {how}")
    words = f"{UNIT}, and start it again afterwards"
    return InstallStep("stop", words, lambda: system.run("systemctl", "stop", UNIT))


def start_again(system: System) -> None:
    """Start the board that was stopped; exit if that fails, saying why."""
    try:
        system.run("systemctl", "start", UNIT)
    except StepFailed as error:
        fail(f"the board is stopped: {error}")
