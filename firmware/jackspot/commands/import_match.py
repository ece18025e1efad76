"""``jackspot import``: go on at this board with a match that began at another."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import click

from jackspot.commands.terminal.board_options import of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail, tell
from jackspot.commands.terminal.reading import record_in
from jackspot.commands.terminal.steps import (
    StepMode,
    asked_first,
    carry_out,
    restarts,
    start_again,
    stop_step,
)
from jackspot.config import ConfigError, find, load
from jackspot.config.model import Config
from jackspot.core.record import Record, RecordError, visible
from jackspot.core.stroke import Stroke
from jackspot.ops.backup.restoring import is_in_use
from jackspot.ops.import_match import CannotMove, bring_in
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.errors import JournalError
from jackspot.storage.wall_clock import SystemWall


@click.command(
    "import",
    epilog=examples(
        "sudo jackspot import --restart match.carom",
        "jackspot import --dry-run match.carom",
    ),
)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
)
@restarts
@asked_first
@of_a_board
def command(
    file: Path,
    journal: Path | None,
    config_file: Path | None,
    board_file: Path | None,
    *,
    restart: bool,
    dry_run: bool,
    yes: bool,
) -> None:
    """Continue a match from a record (*.carom) on this board.

    It goes on where it stood. On the other board `jackspot history export NUMBER --carom
    FOLDER` writes the record, also while the match is played. A match that is on this board is
    suspended. A running board must be stopped for it (or --restart).

    Instead of a record FILE may hold the texts of the QR codes that a board shows it in, one
    per line, in any order. A dash reads standard input, and needs --yes.
    """
    if str(file) == "-" and not (yes or dry_run):
        fail(
            "who reads the record from standard input cannot be asked there: add --yes (--dry-run "
            "says first what would be done)"
        )
    record = _read(file)
    try:
        config = load(find(config_file, board_file))
    except ConfigError as error:
        fail(str(error))
    path = journal or config.journal.path
    if record.match.state.over:
        fail(f"{file}: the match is over: there is nothing to go on with")
    todo = [InstallStep("match", _words(record, path), partial(_take_up, path, record, config))]
    system = System()
    if in_use := is_in_use(path) and not dry_run:
        todo.insert(0, stop_step(system, path, restart=restart))
    try:
        carry_out(todo, "import", StepMode(dry_run=dry_run, yes=yes, as_root=False))
    finally:  # even if a step failed: then the board goes on with what it had
        if in_use and not is_in_use(path):
            start_again(system)


def _read(file: Path) -> Record:
    """Read a record; its mistakes end the command, one per line."""
    try:
        return record_in(file)
    except RecordError as error:
        fail("\n".join(f"{file}:{e.line}:{e.column}: {e.message}" for e in error.errors))


def _words(record: Record, path: Path) -> str:
    state = record.match.state
    strokes = sum(isinstance(step.entry, Stroke) for step in record.match.steps)
    names = " and ".join(record.settings.names.values()) or "players without names"
    stands = f"board {state.board}, {state.next} is next"
    return visible(f"{record.settings.rules}, {names}, {strokes} strokes, {stands}: into {path}")


def _take_up(path: Path, record: Record, config: Config) -> None:
    """Enter the match into the journal, as the user who owns its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with as_owner_of(path.parent):
            done = bring_in(path, record, config, SystemWall(), time.monotonic_ns(), tell)
    except (CannotMove, JournalError) as error:
        raise StepFailed(str(error)) from error
    except OSError as error:
        raise StepFailed(f"{path}: cannot be written: {error.strerror}") from error
    if done.put_aside:
        click.echo("the match that was on the board is suspended; UNDO in set-up brings it back")
