"""Learn from a board's journal by counting its confirmed strokes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from jackspot.dialogue.proposals.learnt import NOTHING_LEARNT, Learnt, learnt_from
from jackspot.history.archive import Archive
from jackspot.history.index import NoSuchMatch


def learn(journal: Path, newest: int) -> Learnt:
    """Count the ``newest`` latest matches of a journal. Raises JournalError."""
    archive = Archive(journal)
    numbers = [int(each["number"]) for each in archive.matches() if "unreadable" not in each]
    return sum(_counted(archive, numbers[-newest:]), NOTHING_LEARNT)


def _counted(archive: Archive, numbers: Iterable[int]) -> Iterator[Learnt]:
    for number in numbers:
        try:
            told = archive.chronicle(number)
        except NoSuchMatch:
            continue  # taken back, or forgotten, since the list was made
        unsaid = {step for step, at in enumerate(told.steps) if not told.lines[at].confirmed}
        yield learnt_from(told.match, unsaid)
