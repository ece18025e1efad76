"""The list of a thousand matches: read from the index, brought up to date, and read from nothing.

The floor of the list is reading as many rows of as many bytes from a plain SQLite file.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from jackspot.core.record import read_record
from jackspot.history.archive import Archive
from jackspot.history.index import index_path
from jackspot.storage.database import build
from jackspot.storage.entries import Head, StoredEntry, reseal, write_json
from tests.bench.report import Report

MATCHES = 1_000
REPEATS = 5
RECORD = Path(__file__).parents[1] / "records" / "whole_match.carom"
OPEN_WORK = "x" * 700
"""About what a snapshot of open work takes; the board writes several of them a stroke."""
MS = 1_000


def journal(path: Path, matches: int) -> int:
    """Write a journal of ``matches`` matches with all that a board writes; count its entries."""
    record = read_record(RECORD.read_text(encoding="utf-8"))
    lines = [text.split("#")[0].strip() for text in RECORD.read_text(encoding="utf-8").split("\n")]
    strokes = [line for line in lines[lines.index("---") + 1 :] if line]
    assert len(strokes) == len(record.lines)
    header = "\n".join(lines[: lines.index("---")]) + '\n[names]\nN = "Aiko"\nS = "Ben"\n---\n'
    bodies: list[tuple[str, dict[str, object]]] = []
    for _ in range(matches):
        bodies.append(("match", {"header": header}))
        for stroke in strokes:
            dialogue = ("desk", {"phase": "review", "used_ns": 0, "plan": OPEN_WORK})
            line = {"entries": [stroke], "falls": [], "rows": [], "probability": 0.5, "by": None}
            bodies += [dialogue, dialogue, dialogue, ("line", dict(line)), dialogue]
        bodies.append(("shelve", {"why": "new match"}))
    entries = (
        StoredEntry(0, "boot", at * 10**9, 1_777_723_200 * 10**9 + at * 10**9, True, kind, body,
                    write_json(body), b"")
        for at, (kind, body) in enumerate(bodies)
    )  # fmt: skip
    build(path, reseal(Head(), entries))
    return len(bodies)


def seconds(call: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median time of a call."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def measure(report: Report) -> None:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent, prefix="bench-") as folder:
        path, plain = Path(folder) / "journal.sqlite3", Path(folder) / "plain.sqlite3"
        entries = journal(path, MATCHES)
        archive = Archive(path)
        first = seconds(archive.matches, 1)
        assert len(archive.matches()) == MATCHES
        with closing(sqlite3.connect(index_path(path))) as index:
            rows = index.execute("SELECT number, summary FROM matches").fetchall()
        with closing(sqlite3.connect(plain)) as connection:
            connection.execute("CREATE TABLE matches (number INTEGER PRIMARY KEY, summary TEXT)")
            connection.executemany("INSERT INTO matches VALUES (?, ?)", rows)
            connection.commit()

        def read_plainly() -> None:
            with closing(sqlite3.connect(plain)) as again:
                again.execute("SELECT number, summary FROM matches").fetchall()

        listed, floor = seconds(archive.matches), seconds(read_plainly)
        report.add(
            f"list {MATCHES:,} matches", listed * MS, floor * MS, unit="ms",
            against="as many rows from SQLite, unread",
        )  # fmt: skip
        one = seconds(lambda: archive.match(MATCHES // 2))
        report.add("one match of them", one * MS, floor * MS, unit="ms", against="the same")
        report.add(
            f"the first list ever, {entries:,} entries", first * MS, floor * MS, unit="ms",
            against="the same",
        )  # fmt: skip
