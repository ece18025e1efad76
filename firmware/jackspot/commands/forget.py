"""``jackspot forget``: take a player's name out of everything that the board keeps."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path

import click

from jackspot.commands.terminal.board_options import board_with_journal, of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out, restarts, stop_step
from jackspot.config.load import BOARD_PLACE, SHARED_PLACE
from jackspot.core.printable import visible
from jackspot.files import atomic_write, read_text
from jackspot.ops.backup.restoring import is_in_use
from jackspot.ops.forgetting.names import Taking
from jackspot.ops.forgetting.places import (
    ELSEWHERE,
    LARGEST_BYTES,
    BoardFiles,
    ForgettingPlan,
    left_over,
    list_of_exports,
    look,
    nearest_names,
)
from jackspot.ops.install.plan import UNIT
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.errors import JournalError

UNCHANGED = "nothing was changed. A board that is started sets a damaged journal aside"
NOT_ALL = "the name may still stand in what could not be read, see above; take it out there by hand"


@click.command(
    "forget",
    epilog=examples(
        'jackspot forget --dry-run "Aiko"       say what would be done',
        'sudo jackspot forget --restart "Aiko"',
    ),
)
@click.argument("name")
@asked_first
@restarts
@click.option("--delete-damaged", is_flag=True,
              help="Delete copies of the journal that cannot be read.")  # fmt: skip
@of_a_board
def command(
    name: str,
    journal: Path | None,
    config_file: Path | None,
    board_file: Path | None,
    *,
    dry_run: bool,
    yes: bool,
    restart: bool,
    delete_damaged: bool,
) -> None:
    """Take a player's name out of all that the board keeps.

    That is matches, copies of the journal, settings and exports. The matches stay, with a seat
    without a name. It cannot be undone. Capitals and spaces do not matter. What cannot be
    reached is listed. A running board must be stopped for it (or --restart); the match goes on
    where it was.
    """
    if not name.strip():
        raise click.UsageError("the name is empty")
    _, path = board_with_journal(journal, config_file, board_file)
    board = BoardFiles(path, (config_file or SHARED_PLACE, board_file or BOARD_PLACE))
    system, taking = System(), Taking.of(name)
    manner = StepMode(dry_run, yes, as_root=False)
    with ExitStack() as at_last:
        try:
            found = look(board, taking, lambda: _log(system), delete_damaged=delete_damaged)
            if not found.steps:
                _tell_nothing(path, name, found)
                if not is_in_use(path) and (left := left_over(path)):
                    carry_out(left, "forget", manner)
                if found.unread:
                    fail(NOT_ALL)
                return
            _forget(board, found, system, manner, at_last, restart=restart)
            still = look(board, taking, lambda: None) if not dry_run else ForgettingPlan()
        except JournalError as error:
            fail(f"{error}; {UNCHANGED}")
        for each in (*found.unreached, *ELSEWHERE):
            click.echo(visible(f"not reached: {each}"))
        if still.steps:
            fail("the name is still in: " + ", ".join(step.words for step in still.steps))
        if found.unread:
            fail(NOT_ALL)


def _forget(
    board: BoardFiles,
    found: ForgettingPlan,
    system: System,
    manner: StepMode,
    at_last: ExitStack,
    *,
    restart: bool,
) -> None:
    """Take the steps while no board writes the journal, and start the board again.

    If it does not start, the command ends with that, after all else that it has to say.
    """
    todo = [*left_over(board.journal), *found.steps]
    if in_use := is_in_use(board.journal) and not manner.dry_run:
        todo.insert(0, stop_step(system, board.journal, restart=restart))
    try:
        carry_out(todo, "forget", manner)
    finally:  # even if a step failed: then the board goes on with what it had
        if in_use and not is_in_use(board.journal):
            try:
                system.run("systemctl", "start", UNIT)
            except StepFailed as error:
                at_last.callback(fail, f"the board is stopped: {error}")
    if not manner.dry_run:
        _keep_list_short(list_of_exports(board.journal))


def _keep_list_short(listed: Path) -> None:
    """List each export only once."""
    with suppress(OSError, UnicodeDecodeError), as_owner_of(listed.parent):
        lines = read_text(listed, LARGEST_BYTES).splitlines()
        atomic_write(listed, "".join(f"{line}\n" for line in dict.fromkeys(lines)))


def _tell_nothing(journal: Path, name: str, found: ForgettingPlan) -> None:
    """Say that the name was not found, and which names may have been meant."""
    where = "of what could be read" if found.unread else "on this board"
    click.echo(visible(f"nothing {where} names {name!r}"))
    if close := nearest_names(journal, name):
        click.echo(visible(f"did you mean {', '.join(close)}?"))
    for each in found.unreached:
        click.echo(visible(f"not reached: {each}"))


def _log(system: System) -> str | None:
    """Return what the system's log says of the board; None if there is no such log."""
    return system.asked("journalctl", f"--unit={UNIT}", "--no-pager", "--output=cat")
