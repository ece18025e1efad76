"""``jackspot stick``: the results of all matches to a USB stick, and a hall's file from it.

The system calls it with the partition of a stick that was plugged in, or the stick itself
(``systemd/jackspot-stick@.service``). People can call it with any folder.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

from jackspot.commands.terminal.board_options import of_a_board
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.noting import tell_unnoted
from jackspot.commands.terminal.output import fail
from jackspot.config import ConfigError, find, load
from jackspot.config.model import Config
from jackspot.core.printable import visible
from jackspot.festival.joining import KeptHall
from jackspot.history.archive import Archive
from jackspot.ops.forgetting.places import note_export
from jackspot.ops.stick.device import NotMounted, NotUnmounted, is_device, mounted, use_by_system
from jackspot.ops.stick.joining import Joined, join_from
from jackspot.ops.stick.notify_board import tell_board
from jackspot.ops.stick.writing import Wrote, write_results
from jackspot.sensing.events import Stick
from jackspot.storage.errors import JournalError

_DONE = frozenset({Stick.WRITTEN, Stick.EMPTY})
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@click.command(
    "stick",
    epilog=examples(
        "jackspot stick results",
        "sudo jackspot stick /dev/sda1",
    ),
)
@click.argument("place", type=click.Path(path_type=Path))
@of_a_board
def command(
    place: Path, journal: Path | None, config_file: Path | None, board_file: Path | None
) -> None:
    """Write all results to a folder or a USB stick.

    PLACE is the folder, made where there is none, or the stick's device. Records (*.carom) and
    tables (*.csv), with whole names, in a folder of the board's name. Files with the same contents
    stay, others are never written over. A stick that has a hall's festival.toml takes the board
    into that hall; one with a mistake in it changes nothing, and WRONG.txt beside it says why.
    Once `jackspot install` was run this happens by itself when a stick is plugged in, unless
    [stick] enabled = false; a device is mounted for it, and the board's OLED says when to remove
    it. Exit status 1 where it could not be written, or a hall's file has a mistake.
    """
    try:
        config = load(find(config_file, board_file))
    except ConfigError as error:
        fail(error)
    path = journal or config.journal.path
    if not place.exists() and place.absolute().is_relative_to("/dev"):
        fail(f"{place}: no such device; `lsblk` lists those that are there")
    is_bad = False
    if not is_device(place):
        stick, said = _into(path, config, place)
    elif not config.stick.enabled:
        click.echo(f"{place}: left alone: [stick] enabled = false")
        return
    elif used := use_by_system(place):
        click.echo(f"{place}: left alone: the system uses this disk for {used}")
        return
    else:
        tell_board(path, Stick.WRITING)
        stick, said, joined = _onto(path, config, place)
        if joined is None or stick not in _DONE:
            tell_board(path, stick)
        else:
            tell_board(path, joined.stick, joined.about, joined.number)
        if joined is not None:
            click.echo(joined.said, err=joined.stick is Stick.MISJOINED)
            is_bad = joined.stick is Stick.MISJOINED
    click.echo(visible(said), err=stick not in _DONE)
    if is_bad or stick not in _DONE:
        sys.exit(1)


def _into(journal: Path, config: Config, folder: Path) -> tuple[Stick, str]:
    """Write into a folder, and note its files for `forget`; return the outcome."""
    noted: list[bool] = []
    outcome = _written(
        journal, config, folder, lambda file: noted.append(note_export(journal, file))
    )
    if not all(noted):
        tell_unnoted(journal, folder)
    return outcome


def _onto(journal: Path, config: Config, device: Path) -> tuple[Stick, str, Joined | None]:
    """Mount a device, take a hall's file from it, write, and unmount it; return the outcome."""
    if os.geteuid():
        words = f"{device}: mounting it needs root: sudo jackspot stick {device}"
        return Stick.FAILED, words, None
    joined = None
    try:
        with mounted(device) as folder:
            joined = join_from(folder, KeptHall(journal, config.festival), config.board.locked)
            done = _written(journal, config, folder)
    except NotMounted as error:
        return Stick.UNREADABLE, f"{device}: no file system that can be mounted: {error}", None
    except (NotUnmounted, OSError) as error:
        return Stick.FAILED, f"{device}: {error}", joined
    return *done, joined


def _written(
    journal: Path,
    config: Config,
    place: Path,
    note: Callable[[Path], object] = lambda _file: None,
) -> tuple[Stick, str]:
    """Write into a folder; return the outcome. ``note`` is told of each new file."""
    try:
        wrote = write_results(Archive(journal), config.board.name, place, note)
    except JournalError as error:
        return Stick.FAILED, str(error)
    except OSError as error:
        why = f"{error.filename or place}: {error.strerror}"
        if error.errno in _NO_ROOM:
            return Stick.FULL, f"{why}; what was complete stays, make room and try again"
        if error.errno == errno.EROFS:
            return Stick.READ_ONLY, f"{why}; unlock it, or take another one"
        return Stick.FAILED, why
    return (Stick.WRITTEN if wrote.matches else Stick.EMPTY), _told(wrote)


def _told(wrote: Wrote) -> str:
    if not wrote.matches:
        return "no matches to write"
    there = f", {wrote.same} were there" if wrote.same else ""
    return f"matches: {wrote.matches}; files written to {wrote.folder}: {wrote.new}{there}"
