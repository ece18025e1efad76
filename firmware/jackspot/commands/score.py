"""``jackspot score``: play match records and say what the rules made of each stroke.

For people a table of the strokes and the result; with ``--json`` the public format of
:mod:`jackspot.core.scoring`. Exit status 0 when all records are valid, 1 when one is not:
then each error stands on standard error as ``FILE:LINE:COLUMN: message``.
"""

from __future__ import annotations

import errno
import io
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from jackspot.core.entry_text import write_entry
from jackspot.core.match import MatchState, Step, deal_points
from jackspot.core.pieces import Seat, Side
from jackspot.core.record import Flaw, Record, RecordError, read_record, visible
from jackspot.core.ruling import BoardResult, How
from jackspot.core.scoring import score

MANY = 20
"""From this number of files on, a terminal shows a progress bar."""

WIDTH_IN_A_PIPE = 160
"""Wide enough that no row is broken."""

_HOW = {
    How.JACK: "by the jack",
    How.PIECES: "by the pieces",
    How.FOUL: "by a foul",
    How.TIME: "when time ran out",
    How.RESIGN: "by resignation",
    How.DRAW: "by agreement",
}


@click.command("score")
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file, one a line.")
def command(files: tuple[Path, ...], as_json: bool) -> None:
    """Score match records (*.carom): each stroke's ruling, the boards, the match.

    A dash reads standard input.
    """
    try:
        sys.exit(1 if _score(files, as_json) else 0)
    except BrokenPipeError:
        raise  # who reads has seen enough: click ends without a word
    except OSError as error:
        raise _NotWritten(f"cannot write what was scored: {error.strerror}") from error


class _NotWritten(click.ClickException):
    """The disk is full, or nothing is open to write to."""

    exit_code = 2  # 1 would say that a record is not valid


def _score(files: tuple[Path, ...], as_json: bool) -> bool:
    """Print what the files come to; True if one of them is not valid."""
    several = len(files) > 1
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that has no letters here
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH_IN_A_PIPE)
    bad = False
    for file in _with_progress(files):
        try:
            record = read_record(_read(file))
        except RecordError as error:
            bad = True
            _report(file, error.errors)
            if as_json and several:
                _print_json({"file": str(file), "errors": [_flaw(each) for each in error.errors]})
            continue
        if as_json:
            _print_json(({"file": str(file)} if several else {}) | score(record))
        else:
            _print_for_people(console, file, record)
    sys.stdout.flush()
    return bad


def _with_progress(files: tuple[Path, ...]) -> Iterable[Path]:
    """Go through the files, with a bar on the terminal when there are many."""
    errors = Console(stderr=True)
    if len(files) < MANY or not errors.is_terminal:
        return files
    return track(files, description="Scoring", console=errors, transient=True)


def _read(file: Path) -> str:
    """Read a file as UTF-8; what cannot be read is an error of the record."""
    try:
        data = _standard_input() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise RecordError([Flaw(1, 1, f"cannot be read: {error.strerror}")]) from error
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"expected UTF-8, found byte 0x{data[error.start]:02x}; save the file as UTF-8"
        raise RecordError([Flaw(line, column, message)]) from error


def _standard_input() -> bytes:
    """Read standard input; OSError if it is closed, when Python has none."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer.read()


def _report(file: Path, flaws: Iterable[Flaw]) -> None:
    for flaw in flaws:
        click.echo(f"{visible(str(file))}:{flaw.line}:{flaw.column}: {flaw.message}", err=True)


def _flaw(flaw: Flaw) -> dict[str, int | str]:
    return {"line": flaw.line, "column": flaw.column, "message": flaw.message}


def _print_json(value: object) -> None:
    """Print one line of JSON, which is UTF-8; else, and where a file's name is none, ASCII."""
    line = json.dumps(value, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        line = json.dumps(value)
    click.echo(line)


def _print_for_people(console: Console, file: Path, record: Record) -> None:
    """Print a title, a table of what was entered, and the result."""
    settings, state = record.settings, record.match.state
    title = " · ".join(
        str(part)
        for part in (settings.event, settings.round, settings.place, settings.date)
        if part is not None
    )
    first_line = f"{file}: {settings.rules}" + (f" · {title}" if title else "")
    console.print(Text(visible(first_line), "bold"))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("line", "entry", "ruling", "what follows"):
        table.add_column(heading, justify="right" if heading == "line" else "left")
    for side in state.position.sides:
        table.add_column(str(side), justify="right")
    board = 0
    for number, step in zip(record.numbers, record.match.steps, strict=True):
        if step.state.board != board:
            board = step.state.board
            table.add_row("", Text(f"board {board}", "dim"))
        table.add_row(*_row(number, step))
    console.print(table)
    for words in _outcome(record):
        console.print(Text(visible(words), "bold"))
    console.print()


def _row(number: int, step: Step) -> Iterator[Text]:
    """Make the cells of one entry."""
    state, ruling = step.state, step.ruling
    yield Text(str(number), "dim")
    yield Text(write_entry(step.entry))
    yield Text(" ".join(ruling.rows) if ruling else "", "red" if ruling and ruling.foul else "")
    yield Text("; ".join(_what_follows(step)))
    points = deal_points(state)
    for side in state.position.sides:
        owed = state.position.count(side).owed
        yield Text(f"{points[side]}" + (f" (owes {owed})" if owed else ""))


def _what_follows(step: Step) -> Iterator[str]:
    """Say in words what an entry leads to."""
    state, ruling = step.state, step.ruling
    if ruling and ruling.foul:
        yield "foul"
    if state.place:
        yield "place " + ", ".join(_counted(state.place))
    if state.result is not None:
        yield _result(state.result)
    elif ruling and ruling.keeps_turn:
        yield f"{state.next} shoots again"
    else:
        yield f"{state.next} is next"


def _counted(pieces: tuple[str, ...]) -> Iterator[str]:
    """Count what to place, bottom to top: ``1 green``, ``2 red``, ``jack``."""
    for piece in dict.fromkeys(pieces):
        number = pieces.count(piece)
        yield str(piece) if piece in ("jack", "queen") else f"{number} {piece}"


def _result(result: BoardResult) -> str:
    if result.winner is None:
        return f"level {_HOW[result.how]}"
    return f"{result.winner} wins {_HOW[result.how]}"


def _outcome(record: Record) -> Iterator[str]:
    """Say how the match stands, side by side with the players' names."""
    state = record.match.state
    score_words = " : ".join(str(state.points[side]) for side in state.points)
    boards = " : ".join(str(state.boards_won[side]) for side in state.boards_won)
    if not state.over:
        running = " : ".join(str(points) for points in deal_points(state).values())
        yield f"not over; board {state.board} stands {running}, {state.next} is next"
        return
    who = "drawn" if state.winner is None else f"{_players(state, state.winner)} won"
    yield f"match {who}; points {score_words}" + (
        f", boards {boards}" if len(state.boards) > 1 else ""
    )


def _players(state: MatchState, side: Side) -> str:
    """Name a side by its players, or by its colour where they have no names."""
    seats: list[Seat] = [
        seat for seat in state.settings.seats if state.settings.sides[seat] is side
    ]
    names = [state.settings.names[seat] for seat in seats if seat in state.settings.names]
    return f"{' and '.join(names)} ({side})" if names else str(side)
