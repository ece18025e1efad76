"""A hall's file on a USB stick: read whole, and only then kept in place of the one before.

A file with a mistake is not kept at all. The mistake is written beside it, for the person who takes
the stick back to the organiser.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from jackspot.dialogue.state.preferences import Lock
from jackspot.festival.joining import MOST_BYTES, NAME, KeptHall, read_file, write
from jackspot.festival.section import FestivalSection
from jackspot.files import atomic_write, read_text
from jackspot.ops.ownership import as_owner_of
from jackspot.sensing.events import Stick
from jackspot.settings.mistakes import ConfigError
from jackspot.values import changed

WRONG = "WRONG.txt"
LOCKED = '[board] locked has "hall", so that no stick changes it; take that out to join'


class Joined(Struct, frozen=True):
    """What happened to a hall's file: a word for the board, its subject, and words for people.

    ``number`` is the board's in that hall, if it has one.
    """

    stick: Stick
    about: str
    number: int | None
    said: str


def join_from(folder: Path, kept: KeptHall, locked: Collection[Lock] = ()) -> Joined | None:
    """Take the board into the hall whose file is in a folder.

    None if there is none, or if the board is in that hall and nobody may change it.
    """
    path = folder / NAME
    if not os.path.lexists(path):
        return None
    try:
        section = read_file(path)
    except ConfigError as error:
        return _wrong(folder, error.mistakes[0].key or "?", str(error))
    if Lock.HALL in locked and _is_in(kept, section):
        with suppress(OSError):
            (folder / WRONG).unlink(missing_ok=True)
        return None
    if Lock.HALL in locked:
        return _wrong(folder, "locked", f"{path}: {LOCKED}")
    try:
        with as_owner_of(kept.journal.parent):
            kept.join(section)
            number = kept.now().festival.number
    except OSError as error:
        why = f"{kept.joined}: cannot be written: {error.strerror}; make room, and try again"
        return _wrong(folder, "disk", why)
    with suppress(OSError):
        (folder / WRONG).unlink(missing_ok=True)
    which = "its number is not set yet" if number is None else f"as number {number}"
    said = f"joined the hall {section.hall}, {which}"
    return Joined(Stick.JOINED, section.hall, number, said)


def _is_in(kept: KeptHall, section: FestivalSection) -> bool:
    """Whether the board is in a hall, by a file that says just that."""
    here = kept.now()
    ca = here.festival.ca
    with suppress(OSError, UnicodeDecodeError):
        ca = read_text(ca, MOST_BYTES, "ascii").strip() + "\n" if isinstance(ca, Path) else ca
    ours = changed(here.festival, ca=ca)
    return not here.left and write(ours) == write(section)


def _wrong(folder: Path, key: str, why: str) -> Joined:
    with suppress(OSError):
        atomic_write(folder / WRONG, f"{why}\n")
    return Joined(Stick.MISJOINED, key, None, why)
