"""What it costs to write an entry so that a power cut cannot take it back."""

from __future__ import annotations

import os
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path

from jackspot.assembly import KINDS
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.storage.database import LOG_PAGES
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from tests.bench.report import Report, side_by_side

ENTRY_BYTES = 200
"""About what a confirmed stroke takes."""
LINE = JournalEntry(EntryKind.LINE, 0, {"entries": ["N red@NE"], "falls": [1], "rows": ["HK-02"]})


def append_and_force(fd: int) -> None:
    os.write(fd, bytes(ENTRY_BYTES))
    os.fsync(fd)


def measure(report: Report) -> None:
    # The folder of the project, not one in memory: fsync must reach a disk.
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent, prefix="bench-") as folder:
        keeper = Keeper(Path(folder) / "journal.db", KINDS, SystemWall())
        flags = os.O_CREAT | os.O_WRONLY | os.O_APPEND
        plain = os.open(Path(folder) / "plain", flags)
        floor = partial(append_and_force, plain)
        against = f"append and fsync of {ENTRY_BYTES} bytes"
        with closing(keeper):
            for _ in range(2 * LOG_PAGES):  # a board's usual state: the log was folded before
                keeper.append([LINE])
            one, floor_us = side_by_side(partial(keeper.append, [LINE]), floor)
            report.add("durable entry", one, floor_us, unit="us", against=against, aim=2.0)
            four, floor_us = side_by_side(partial(keeper.append, [LINE] * 4), floor)
            report.add("four durable entries at once", four, floor_us, unit="us", against=against)
        os.close(plain)
