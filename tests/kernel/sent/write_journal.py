"""Write entries to a journal as fast as it takes them, and report each number outside.

    write_journal.py FOLDER PORT MARK [OFF]

The journal is the product's own, in FOLDER. Each number is written to PORT, as a line that begins
with MARK, only once its entry is acknowledged; two of three are not forced, and are acknowledged
with the third. With OFF nothing is forced to the disk, so the journal must lose something.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import jackspot.storage.journal as journals
from jackspot.assembly import KINDS
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.storage.database import connect_writer
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall


def forget_the_disk() -> None:
    """Open journals so that they are not forced to the disk."""

    def careless(path: Path) -> object:
        connection = connect_writer(path)
        connection.execute("PRAGMA synchronous=OFF")
        return connection

    vars(journals)["connect_writer"] = careless


def main() -> None:
    folder, port, mark = (
        Path(sys.argv[1]),
        os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND),
        sys.argv[3],
    )
    is_careless = sys.argv[4:] == ["OFF"]
    if is_careless:
        forget_the_disk()
    folder.mkdir(exist_ok=True)
    keeper = Keeper(folder / "journal.sqlite3", KINDS, SystemWall())
    assert not keeper.notices, keeper.notices
    number = len(keeper.entries)
    while True:
        number += 1
        body = {"wire": f"{mark}{number}", "why": "x" * (number * 37 % 200)}
        forced = is_careless or number % 3 == 0
        changes = keeper.append([JournalEntry(EntryKind.SWALLOWED, number, body)], forced=forced)
        assert not changes, changes
        if forced:
            os.write(port, f"{mark}{number}\n".encode())


if __name__ == "__main__":
    main()
