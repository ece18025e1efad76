"""Where the journals of one session lie: a match after the other, and the shows apart.

``j.sqlite3``, ``j-2.sqlite3`` and so on are matches; ``j-show-2.sqlite3`` and so on are
matches that played by themselves. Names only: nothing is opened here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path


def newest(journal: Path) -> Path:
    """Find the journal of the match that was set up last beside this one; else this one."""
    return [journal, *itertools.takewhile(Path.exists, _numbered(journal))][-1]


def fresh(journal: Path, *, show: bool) -> Path:
    """Name a journal that is not there yet, for a match or for a show."""
    first = journal.with_stem(f"{journal.stem}-show") if show else journal
    return next(path for path in _numbered(first) if not path.exists())


def _numbered(journal: Path) -> Iterator[Path]:
    for number in itertools.count(2):
        yield journal.with_stem(f"{journal.stem}-{number}")
