"""``jackspot dump``: the journal as text, equal for equal matches.

It prints one JSON object per line, in order, with sorted keys: the instant, the body, the kind and
the number of each entry. Wall time, boots and checksums are left out, so that two dumps can be
compared. It only reads, and also works while a board is running.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jackspot.commands.terminal.board_options import of_a_board, refuse_unreadable
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.config import ConfigError, find, load
from jackspot.core.printable import in_json
from jackspot.storage.entries import Sealed
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked


@click.command(
    "dump",
    epilog=examples(
        "jackspot dump | less",
    ),
)
@of_a_board
def command(journal: Path | None, config_file: Path | None, board_file: Path | None) -> None:
    """Print every entry of the journal, one JSON object per line.

    Of a damaged journal the entries before the damage are printed; the exit status is 1.
    """
    try:
        path = journal or load(find(config_file, board_file)).journal.path
    except ConfigError as error:
        fail(str(error))
    refuse_unreadable(path)
    try:
        entries, fault = read_checked(path, None), None
    except JournalDamaged as damage:
        entries, fault = damage.good, damage
    except JournalError as error:
        fail(str(error))
    write(entries)
    if fault is not None:
        fail(f"{fault} (the {len(entries)} entries before it were printed)")


def write(entries: Sealed) -> None:
    """Print entries as UTF-8, whatever the terminal's language."""
    for entry in entries:
        sys.stdout.buffer.write(in_json(entry.canonical()).encode() + b"\n")
    sys.stdout.buffer.flush()
