"""``jackspot history``: the matches that were played on a board.

It reads the journal, even while the board plays, and changes nothing in it. See
:mod:`jackspot.history.index` for how it is read.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource
from msgspec import Struct
from rich.console import Console

from jackspot.commands.terminal.board_options import FILE, board_with_journal, of_a_board
from jackspot.commands.terminal.help import GroupedCommands, examples
from jackspot.commands.terminal.history_words import print_figures, print_list, print_match
from jackspot.commands.terminal.noting import note_names
from jackspot.commands.terminal.output import fail, tell
from jackspot.commands.terminal.speaking import Say, lang_option, saying
from jackspot.core.phrases import Phrase, Translate, _
from jackspot.displays.words import translator
from jackspot.history.archive import Archive, Wanted, figures, moment
from jackspot.history.export import CsvTable, as_csv, as_json, file_name
from jackspot.history.index import NoSuchMatch
from jackspot.history.slip import slip, slip_text
from jackspot.ops.backup.archive import BackupError, new_file
from jackspot.ops.ownership import as_owner_of, give_to_caller
from jackspot.storage.errors import JournalError

STDOUT = Path("-")
WIDTH_IN_A_PIPE = 160


class HistoryRequest(Struct, frozen=True):
    """Which board's history, and how to print it."""

    archive: Archive
    board: str
    console: Console
    say: Say
    translate: Translate


DAY = click.DateTime(["%Y-%m-%d"])
CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def _filtered(command: CommandT) -> CommandT:
    """Add the options that choose matches."""
    for option in (
        click.option("--until", type=DAY, help="To this day, in it: YYYY-MM-DD."),
        click.option("--since", type=DAY, help="From this day on."),
        click.option("--player", default="", help="Only matches that this player played."),
    ):
        command = option(command)
    return command


def _of_a_history(command: CommandT) -> CommandT:
    """Add the options that say which board is meant; before a command or after it."""
    return of_a_board(lang_option(command))


def _asking(command: CommandT) -> CommandT:
    """Pass a command the journal to read, opened only when it runs: it may only print help.

    It takes the options of the whole group too: those after the command win.
    """

    @_of_a_history
    @click.pass_context
    @wraps(command)
    def opened(ctx: click.Context, *args: Any, **options: Any) -> Any:
        given: dict[str, Any] = {**ctx.obj}
        for name in ctx.obj:
            value = options.pop(name)
            if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
                given[name] = value
        return command(_request(**given), *args, **options)

    return cast("CommandT", opened)


def _request(
    journal: Path | None, config_file: Path | None, board_file: Path | None, lang: str
) -> HistoryRequest:
    """Open the requested history; exit if there is none."""
    config, path = board_with_journal(journal, config_file, board_file)
    plain = None if sys.stdout.isatty() else WIDTH_IN_A_PIPE
    console = Console(highlight=False, width=plain)
    return HistoryRequest(Archive(path), config.board.name, console, saying(lang), translator(lang))


def _wanted(
    player: str, since: datetime.datetime | None, until: datetime.datetime | None
) -> Wanted:
    return Wanted(player, since.date() if since else None, until.date() if until else None)


@click.group(
    "history",
    cls=GroupedCommands,
    invoke_without_command=True,
    epilog=examples(
        "jackspot history                          all matches",
        "jackspot history list --player Aiko",
        "jackspot history show 12",
        "jackspot history slip 12 | lp             a score card on paper",
        "jackspot history export --csv strokes.csv",
    ),
)
@_of_a_history
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """List the matches played here; show, print or export them.

    Without a command it lists them. Reads only, also while the board plays. Exit status 1 where
    there is no journal, or where it is damaged.
    """
    ctx.obj = given
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_matches, **given)


@command.command("list", epilog=examples("jackspot history list --since 2026-07-01"))
@_filtered
@_asking
def list_matches(
    asked: HistoryRequest,
    player: str = "",
    since: datetime.datetime | None = None,
    until: datetime.datetime | None = None,
) -> None:
    """List matches, newest last: number, day, players, result."""
    with _reading(asked.archive):
        matches = asked.archive.matches(_wanted(player, since, until))
    print_list(asked.console, matches, asked.say)


@command.command("show", epilog=examples("jackspot history show 12"))
@click.argument("number", type=click.IntRange(1))
@_asking
def show(asked: HistoryRequest, number: int) -> None:
    """Show every stroke of a match with its ruling and time.

    What was taken back or corrected is shown too.
    """
    with _reading(asked.archive):
        match = asked.archive.match(number)
    print_match(asked.console, match, asked.say)


@command.command("slip", epilog=examples("jackspot history slip 12 | lp"))
@click.argument("number", type=click.IntRange(1))
@_asking
def print_slip(asked: HistoryRequest, number: int) -> None:
    """Print the result of a match as a score card."""
    with _reading(asked.archive):
        match = asked.archive.match(number)
    text = slip_text(slip(match), heading(asked.board, match), asked.translate)
    click.echo(text, nl=False)


def heading(board: str, match: Mapping[str, Any]) -> Sequence[Phrase]:
    """Return the lines above a score card: which match, what was played, when, and where."""
    began = moment(match["began"]["wall_ns"])
    day = match["date"] or (began.date().isoformat() if match["began"]["synchronised"] else "")
    played = [part for part in (match["event"], match["round"], match["place"]) if part]
    return [
        _("{board}: match {n}, {rules}", board=board, n=match["number"], rules=match["rules"]),
        *([_("{name}", name=" · ".join(played))] if played else []),
        _("{name}", name=day) if day else _("Date: {blank}", blank="_" * 12),
    ]


@command.command("figures", epilog=examples("jackspot history figures --player Aiko"))
@_filtered
@_asking
def show_figures(
    asked: HistoryRequest,
    player: str,
    since: datetime.datetime | None,
    until: datetime.datetime | None,
) -> None:
    """Show figures of players and pockets, with bars."""
    with _reading(asked.archive):
        matches = asked.archive.matches(_wanted(player, since, until))
    print_figures(asked.console, figures(matches, player), len(matches), asked.say)


@command.command(
    "export",
    epilog=examples(
        "jackspot history export --csv strokes.csv",
        "jackspot history export 12 --carom records",
    ),
)
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1, type=click.IntRange(1))
@click.option("--csv", "csv_file", type=FILE, help="Write a table as CSV; - prints it.")
@click.option("--table", type=click.Choice([each.value for each in CsvTable]), default="strokes",
              show_default=True, help="What the rows of the CSV are.")  # fmt: skip
@click.option("--json", "json_file", type=FILE, help="Write everything as JSON; - prints it.")
@click.option("--carom", "folder", type=FILE,
              help="Write a record of each match into this folder; - prints them.")  # fmt: skip
@_filtered
@_asking
def export(
    asked: HistoryRequest,
    numbers: tuple[int, ...],
    csv_file: Path | None,
    table: str,
    json_file: Path | None,
    folder: Path | None,
    player: str,
    since: datetime.datetime | None,
    until: datetime.datetime | None,
) -> None:
    """Write matches to files: tables, JSON or records.

    Those with these NUMBERs, else all that the options choose. A file that is there already is
    not written over.
    """
    if csv_file is None and json_file is None and folder is None:
        raise click.UsageError("say what to write: --csv FILE, --json FILE or --carom FOLDER")
    with _reading(asked.archive):
        wanted = _wanted(player, since, until)
        matches = _chosen(asked.archive, numbers, wanted, for_json=json_file is not None)
    path = asked.archive.journal
    readable = [match for match in matches if _is_readable(match)]
    try:
        if csv_file is not None:
            _write(path, csv_file, as_csv(CsvTable(table), readable))
        if json_file is not None:
            _write(path, json_file, as_json(asked.board, matches))
        if folder is not None:
            _write_records(path, folder, readable)
    except BackupError as error:
        fail(str(error))
    except FileExistsError as error:
        fail(f"{error.filename}: expected a folder, found a file; name a new folder")
    except OSError as error:
        fail(f"{error.filename}: cannot be written: {error.strerror}")


def _chosen(
    archive: Archive, numbers: Sequence[int], wanted: Wanted, *, for_json: bool
) -> Sequence[Mapping[str, Any]]:
    """Return the matches with these numbers, else all wanted; one that cannot be read says why.

    Raises NoSuchMatch for the number of such a match if it cannot be written as JSON either.
    """
    if numbers and not for_json:
        return [archive.match(number) for number in numbers]
    listed = {match["number"]: match for match in archive.matches(None if numbers else wanted)}
    unreadable = {number for number, match in listed.items() if "unreadable" in match}
    return [
        listed[number] if number in unreadable else archive.match(number)
        for number in numbers or listed
    ]


def _is_readable(match: Mapping[str, Any]) -> bool:
    """Return whether a match could be read; say so if not."""
    if "unreadable" in match:
        tell(f"match {match['number']}: {match['unreadable']}")
    return "unreadable" not in match


def _write_records(journal: Path, folder: Path, matches: Sequence[Mapping[str, Any]]) -> None:
    if folder != STDOUT:
        folder.mkdir(parents=True, exist_ok=True)
    for match in matches:
        target = STDOUT if folder == STDOUT else folder / file_name(match)
        _write(journal, target, match["record"])


def _write(journal: Path, target: Path, text: str) -> None:
    """Write a whole file, or print it."""
    if target == STDOUT:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    with new_file(target) as draft:
        draft.write_bytes(text.encode())
    give_to_caller(target)
    note_names(journal, target)
    click.echo(f"{target}: {target.stat().st_size:,} bytes")


@contextmanager
def _reading(archive: Archive) -> Iterator[None]:
    """Read as the user who owns the journal, and report what is wrong with it."""
    try:
        with as_owner_of(archive.journal.parent):
            yield
    except NoSuchMatch as error:
        fail(f"{archive.journal}: {error}; `jackspot history` lists them")
    except JournalError as error:
        fail(str(error))
