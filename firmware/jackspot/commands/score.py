"""``jackspot score``: play match records and print what the rules made of each stroke.

For people it prints a table of the strokes and the result; with ``--json`` the public format of
:mod:`jackspot.core.scoring`; with ``--sum`` what each player won over all of them. Exit status 0 if
all records are valid, else 1: then each error is printed on standard error as ``FILE:LINE:COLUMN:
message``.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import click
from msgspec.structs import asdict
from rich.console import Console
from rich.progress import track

from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import tell
from jackspot.commands.terminal.reading import record_in
from jackspot.commands.terminal.score_words import print_match, print_sums
from jackspot.commands.terminal.speaking import lang_option, saying
from jackspot.core.figures import Won, sum_won, won_by
from jackspot.core.printable import in_json, visible
from jackspot.core.record import Flaw, RecordError
from jackspot.core.scoring import score

MANY = 20
"""From this number of files on, a terminal shows a progress bar."""

WIDTH_IN_A_PIPE = 160
"""Wide enough to break no row."""

FILES_A_PROCESS = 100
"""With fewer files per process, scoring is faster than starting a process."""

FILES_AT_ONCE = 10
"""Files that a process is handed at a time."""

SUM_VERSION = 1
"""Version of the object that ``--sum --json`` prints."""


@click.command(
    "score",
    epilog=examples(
        "jackspot score match.carom",
        "jackspot score --sum *.carom           who won how much",
        "jackspot score --json match.carom      for programs",
    ),
)
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file, one a line.")
@click.option(
    "--sum", "summed", is_flag=True, help="Only points, boards and matches by player, of all FILEs."
)
@lang_option
def command(files: tuple[Path, ...], lang: str, *, as_json: bool, summed: bool) -> None:
    """Score match records (*.carom), stroke by stroke.

    Each stroke's ruling, the boards, the match. Of a record with mistakes each mistake of the
    header and of form is printed as FILE:LINE:COLUMN, whatever was played; play is judged up to
    the first stroke that cannot be. A dash reads standard input. Instead of a record a FILE may
    hold the texts of its QR codes.
    """
    sys.exit(1 if _score(files, lang, as_json=as_json, summed=summed) else 0)


_NotValid = dict[str, Any]
"""The JSON object of a file with errors."""


class _Scored(NamedTuple):
    """The outcome of one file: what is printed of it, its errors, and what its sides won."""

    printed: str = ""
    errors: tuple[str, ...] = ()
    not_valid: tuple[_NotValid, ...] = ()
    won: tuple[Won, ...] = ()


class _How(NamedTuple):
    """How files are scored: the same for all of them, and sent to other processes."""

    as_json: bool
    summed: bool
    several: bool
    terminal: bool
    width: int
    encoding: str
    language: str


def _score(files: tuple[Path, ...], language: str, *, as_json: bool, summed: bool) -> bool:
    """Print the outcome of the files; return True if one of them is not valid."""
    how = _how(language, as_json=as_json, summed=summed, several=len(files) > 1)
    won: list[Won] = []
    not_valid: list[_NotValid] = []
    with _each_scored(files, how) as all_scored:
        for scored in _with_progress(all_scored, len(files)):
            for error in scored.errors:
                tell(error)
            not_valid += scored.not_valid
            won += scored.won
            _write(how, scored.printed)
    if summed:
        _write(how, _sum(how, sum_won(won), not_valid))
    return bool(not_valid)


def _write(how: _How, printed: str) -> None:
    if how.as_json:
        click.echo(printed, nl=False)
    else:  # letters that the stream's encoding lacks are escaped
        sys.stdout.write(printed)


def _how(language: str, *, as_json: bool, summed: bool, several: bool) -> _How:
    """Find out once where the output goes."""
    console = Console(highlight=False)
    return _How(
        as_json,
        summed,
        several,
        console.is_terminal,
        console.width if console.is_terminal else WIDTH_IN_A_PIPE,
        getattr(sys.stdout, "encoding", None) or "utf-8",
        language,
    )


@contextmanager
def _each_scored(files: tuple[Path, ...], how: _How) -> Iterator[Iterator[_Scored]]:
    """Score the files in order: by several processes if there are very many, else here."""
    processes = min(_processors(), len(files) // FILES_A_PROCESS)
    if processes < 2 or any(str(file) == "-" for file in files):  # one reads standard input
        yield (_score_file(how, file) for file in files)
        return
    # Fresh processes: what this one has open and what its threads hold stays its own.
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    try:
        yield pool.map(partial(_score_file, how), files, chunksize=FILES_AT_ONCE)
    finally:
        pool.shutdown(cancel_futures=True)


def _processors() -> int:
    """Count the processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # this call exists only on Linux
        return os.cpu_count() or 1


def _with_progress(all_scored: Iterator[_Scored], total: int) -> Iterable[_Scored]:
    """Go through the scored files, with a progress bar on the terminal if there are many."""
    errors = Console(stderr=True)
    if total < MANY or not errors.is_terminal:
        return all_scored
    return track(all_scored, description="Scoring", total=total, console=errors, transient=True)


def _score_file(how: _How, file: Path) -> _Scored:
    """Score one file and write down what is to be printed; nothing is printed here."""
    try:
        record = record_in(file)
    except RecordError as error:
        errors = tuple(
            f"{visible(str(file))}:{flaw.line}:{flaw.column}: {flaw.message}"
            for flaw in error.errors
        )
        told = {"file": str(file), "errors": [_flaw(each) for each in error.errors]}
        listed = how.as_json and how.several and not how.summed
        return _Scored(_json_line(told, how.encoding) if listed else "", errors, (told,))
    if how.summed:
        return _Scored(won=won_by(record.match))
    if how.as_json:
        named = {"file": str(file)} if how.several else {}
        return _Scored(_json_line(named | score(record), how.encoding))
    page = _page(how)
    print_match(page, file, record, saying(how.language))
    return _Scored(_printed(page))


def _sum(how: _How, sums: tuple[Won, ...], not_valid: list[_NotValid]) -> str:
    """Return what each side's players won over all records, and what was left out of it."""
    if how.as_json:
        told = {"sum": SUM_VERSION, "sums": [asdict(each) for each in sums], "errors": not_valid}
        return _json_line(told, how.encoding)
    page = _page(how)
    print_sums(page, sums, saying(how.language))
    return _printed(page)


def _page(how: _How) -> Console:
    """Return a console that keeps what is printed, as wide as where it is going."""
    return Console(
        file=io.StringIO(), highlight=False, force_terminal=how.terminal, width=how.width
    )


def _printed(page: Console) -> str:
    assert isinstance(page.file, io.StringIO)
    return page.file.getvalue()


def _flaw(flaw: Flaw) -> dict[str, int | str]:
    return {"line": flaw.line, "column": flaw.column, "message": flaw.message}


def _json_line(value: object, encoding: str) -> str:
    """Return one line of JSON in UTF-8; in ASCII if the stream or a file's name is not UTF-8."""
    line = json.dumps(value, ensure_ascii=False)
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        line = json.dumps(value)
    return f"{in_json(line)}\n"
