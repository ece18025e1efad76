"""A match that goes on at another board: its record is entered into that board's journal.

For a journal that no board has open. The entries are those the board would have written if the
match had been played there, except for what only the first board sensed. The match that was on the
board is put aside, as its menu does. When the board starts, it has the match in a pause, and asks
people to compare table and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.assembly import KINDS, dialogue_settings, plan
from jackspot.config.model import Config
from jackspot.core.directives import Say, Saying
from jackspot.core.record import Record, write_entry, write_record
from jackspot.core.stroke import Stroke
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.restart.snapshots import snapshot
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import Wall

WHY = "a match from another board"
"""Why the match that was on the board is put aside, in the journal's words."""


class CannotMove(Exception):
    """A match that cannot continue here; says why, and what to do."""


class MovedMatch(Struct, frozen=True):
    """What was done: how many strokes there are, and whether another match was put aside."""

    strokes: int
    put_aside: bool


def bring_in(
    journal: Path,
    record: Record,
    config: Config,
    wall: Wall,
    now_ns: int,
    tell: Callable[[str], None] = lambda _words: None,
) -> MovedMatch:
    """Enter a match into a journal; ``now_ns`` is the machine's monotonic clock.

    ``tell`` is told what had to be done about the journal, and what is not understood of it.
    Raises CannotMove, and JournalBusy if a board has the journal open.
    """
    if record.match.state.over:
        raise CannotMove("the match is over: there is nothing to go on with")
    entries = list(_match(record, now_ns))
    laid = restore(entries, dialogue_settings(config), plan(config), now_ns)
    if laid.troubles:
        raise CannotMove(f"this board cannot take the match up: {'; '.join(laid.troubles)}")
    entries.append(JournalEntry(EntryKind.DESK, now_ns, snapshot(laid.dialogue, now_ns)))
    keeper = Keeper(journal, KINDS, wall)
    try:
        for notice in keeper.notices:
            tell(str(notice))
        if keeper.skipped:
            tell(f"{journal}: {len(keeper.skipped)} entries are not understood by this version")
        there = (
            restore(keeper.entries, dialogue_settings(config), plan(config), now_ns).dialogue.game
            is not None
        )
        if there:
            entries.insert(0, JournalEntry(EntryKind.SHELVE, now_ns, {"why": WHY}))
        changes = keeper.append(entries)
        if keeper.waiting:
            trouble = getattr(changes[0], "detail", "") if changes else ""
            raise CannotMove(f"{journal}: cannot be written {trouble}".strip())
    finally:
        keeper.close()
    strokes = sum(isinstance(step.entry, Stroke) for step in record.match.steps)
    return MovedMatch(strokes, there)


def _match(record: Record, now_ns: int) -> Iterator[JournalEntry]:
    """Return the entries of a match, as a board writes them."""
    yield JournalEntry(EntryKind.MATCH, now_ns, {"header": write_record(record.settings, ())})
    used_ns = 0
    for step in record.match.steps:
        text, begun = write_entry(step.entry), step is not record.match.steps[0]
        if step.entry == Say(Saying.PLACED) and begun:
            yield JournalEntry(EntryKind.JOIN, now_ns, {"entries": [text]})
            continue
        rows = list(step.ruling.rows) if step.ruling else []
        body: Mapping[str, Any] = {
            "entries": [text], "falls": [], "rows": rows, "probability": None, "by": None,
        }  # fmt: skip
        yield JournalEntry(EntryKind.LINE, now_ns, body)
        if isinstance(step.entry, Stroke) and step.state.board == record.match.state.board:
            used_ns = step.entry.used_ns or used_ns
    if used_ns:
        yield JournalEntry(EntryKind.CLOCK, now_ns, {"used_ns": used_ns})
