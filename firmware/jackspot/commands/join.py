"""``jackspot join``: take this board into a hall, by its file or by the text of its QR code."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jackspot.commands.terminal.board_options import of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.config import ConfigError, find, load
from jackspot.festival.joining import PREFIX, KeptHall, read_compact, read_either, read_file
from jackspot.ops.ownership import as_owner_of
from jackspot.ops.stick.notify_board import tell_board
from jackspot.sensing.events import Stick


@click.command(
    "join",
    epilog=examples(
        "sudo jackspot join festival.toml",
        "sudo jackspot join JSH1.qKz3vFsi...",
        "sudo jackspot join - < code.txt",
    ),
)
@click.argument("hall")
@of_a_board
def command(
    hall: str, journal: Path | None, config_file: Path | None, board_file: Path | None
) -> None:
    """Take the board into a hall.

    HALL is the file festival.toml that the organiser hands out, or the text of its QR code; - reads
    either from the input. It is checked whole first; one with a mistake changes nothing. The board
    that runs goes there at once; its number is set in its menu. A USB stick with the file in it
    does the same. Exit status 1 where it cannot be read or kept.
    """
    try:
        config = load(find(config_file, board_file))
        if hall == "-":
            section = read_either(sys.stdin.read(), "the input")
        elif hall.startswith(PREFIX):
            section = read_compact(hall)
        else:
            section = read_file(Path(hall))
    except ConfigError as error:
        fail(error)
    kept = KeptHall(journal or config.journal.path, config.festival)
    try:
        with as_owner_of(kept.journal.parent):
            kept.join(section)
            number = kept.now().festival.number
    except OSError as error:
        fail(f"{kept.joined}: cannot be written: {error.strerror}; run this as root, or make room")
    told = tell_board(kept.journal, Stick.JOINED, section.hall, number)
    which = "its number is not set yet: the board's menu, the board itself"
    click.echo(f"joined the hall {section.hall}, {which if number is None else f'as {number}'}")
    if not told:
        click.echo("the board does not run, or hears of no sticks: it goes there at its next start")
