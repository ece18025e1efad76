"""Names that are removed automatically once they are old enough: which, when, and by whom.

Only a clock that was right can say how old an entry is. A board without a battery clock may have
written for weeks with a wrong one. So ages are taken from entries whose clock was known to be
right, and they hold for all entries before them, which are older still. While the board does not
know the time itself, nothing is removed. A time that people gave the board may be wrong: one before
that of an earlier entry makes nothing old, and one that is still to come does not count.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from jackspot.dialogue.state.entries import EntryKind
from jackspot.history.chronicle import Chapters
from jackspot.ops.forgetting.names import NotTold, Taking, known_names
from jackspot.ops.forgetting.rewriting import (
    Rewrite,
    copies,
    drop_index,
    held,
    remove_drafts,
    rewrite_copy,
    rewrite_journal,
)
from jackspot.storage.entries import Sealed, StoredEntry
from jackspot.storage.errors import JournalError
from jackspot.storage.journal import read_checked
from jackspot.storage.wall_clock import Wall

_logger = logging.getLogger(__name__)

DAY_NS = 86_400 * 1_000_000_000
DAY_S = 86_400.0
QUIET_NS = 1_800 * 1_000_000_000
"""Nobody is playing at a board whose journal has had no new entry for this long."""
TRY_AGAIN_S = 900.0


class Old(Struct, frozen=True):
    """All names in entries up to this number are old enough to be removed.

    ``taking`` also knows those that stand there, to find them in what a failure quotes.
    """

    upto: int
    taking: Taking = Taking(every=True)

    def rewrite(self, entry: StoredEntry) -> dict[str, object] | None:
        """Say what is left of an entry."""
        if entry.seq > self.upto:
            return None
        body = self.taking.body(entry.body)
        return None if body is None else dict(body)

    def is_due(self, entries: Iterable[StoredEntry]) -> bool:
        """Return whether anything is to be removed."""
        return any(self.rewrite(entry) is not None for entry in entries)


def old_enough(entries: Iterable[StoredEntry], before_ns: int, now_ns: int) -> Old:
    """Return which entries were certainly written before an instant.

    The match on the board keeps its names, and so does everything after its beginning.
    """
    chapters, upto, newest_ns = Chapters(), 0, 0
    for entry in entries:
        chapters.read_on(entry.seq, entry.kind)
        if entry.synchronised and entry.wall_ns <= now_ns:
            newest_ns = max(newest_ns, entry.wall_ns)
            upto = entry.seq if newest_ns <= before_ns else upto
    if chapters.current is not None and not _is_over(entries, chapters.current, chapters):
        upto = min(upto, chapters.spans[chapters.current][0][0] - 1)
    known = known_names(entry.body for entry in entries if entry.seq <= upto)
    telling = frozenset(name for name in known if len(name) > 1 and not name.isdigit())
    return Old(upto, Taking(telling, every=True))


def _is_over(entries: Iterable[StoredEntry], number: int, chapters: Chapters) -> bool:
    """Return whether the match on the board has ended."""
    first, last = chapters.spans[number][-1]
    over = False
    for entry in entries:
        if first <= entry.seq <= last and entry.kind in (EntryKind.MATCH_END, EntryKind.UNDO):
            over = entry.kind == EntryKind.MATCH_END
    return over


def _due(entries: Sealed, wall: Wall, days: int) -> Old:
    """Return what is to be removed now; nothing if the time is not known."""
    if not days or not wall.synchronised():
        return Old(0)
    now_ns = wall.now_ns()
    return old_enough(entries, now_ns - days * DAY_NS, now_ns)


def forget_old(journal: Path, wall: Wall, days: int) -> int:
    """Take names older than this many days out of a journal and its copies.

    Returns how many entries of the journal changed. For a journal that no board has open. Failures
    are logged, and tried again the next time.
    """
    if not days or not journal.exists():
        return 0
    try:
        with held(journal):
            return _forget(journal, wall, days)
    except (JournalError, NotTold) as error:
        _logger.warning("old names were not taken out: %s", error)
        return 0


def _forget(journal: Path, wall: Wall, days: int) -> int:
    entries = read_checked(journal, None)
    old = _due(entries, wall, days)
    if not old.upto:
        return 0
    if old.is_due(entries):
        drop_index(journal)  # before the journal: what it has left out must not outlive it
    ends = {(entry.at_ns, entry.wall_ns, entry.boot): entry.seq for entry in entries}
    for path in copies(journal):
        try:
            rewrite_copy(path, _in_copy(old, ends, wall, days))
        except (JournalError, NotTold) as error:
            _logger.warning("old names may be left: %s", error)
    changed = rewrite_journal(journal, old.rewrite)
    if changed:
        remove_drafts(journal)
        drop_index(journal)
        _logger.info("names older than %d days are gone from %d entries", days, changed)
    return changed


def _in_copy(old: Old, ends: dict[tuple[int, int, str], int], wall: Wall, days: int) -> Rewrite:
    """Return how to treat an entry of a copy: like the same entry of the journal.

    An entry that the journal no longer has is judged by its own clock, and by those before it.
    """
    now_ns, newest_ns = wall.now_ns(), 0

    def rewrite(entry: StoredEntry) -> dict[str, object] | None:
        nonlocal newest_ns
        knows = entry.synchronised and entry.wall_ns <= now_ns
        newest_ns = max(newest_ns, entry.wall_ns) if knows else newest_ns
        seq = ends.get((entry.at_ns, entry.wall_ns, entry.boot))
        is_old = knows and newest_ns <= now_ns - days * DAY_NS
        gone = seq <= old.upto if seq is not None else is_old
        return Old(entry.seq, old.taking).rewrite(entry) if gone else None

    return rewrite


class Daily:
    """Checks once a day whether names are due, and pauses a board that nobody plays at for it.

    ``rest`` is called from a thread of its own. It must have the board close its journal, call
    :func:`forget_old`, and start the board again.
    """

    def __init__(
        self, journal: Path, wall: Wall, days: int, rest: Callable[[], None], every_s: float = DAY_S
    ) -> None:
        self._journal = journal
        self._wall = wall
        self._days = days
        self._rest = rest
        self._every_s = every_s
        self._stopped = threading.Event()

    def start(self) -> None:
        """Start to wait; does nothing if names are kept for ever."""
        if self._days:
            threading.Thread(target=self._run, name="retention", daemon=True).start()

    def stop(self) -> None:
        """Stop waiting."""
        self._stopped.set()

    def _run(self) -> None:
        wait_s = self._every_s
        while not self._stopped.wait(wait_s):
            due, quiet = self.look()
            if due and quiet:
                self._rest()
                return
            wait_s = min(TRY_AGAIN_S, self._every_s) if due else self._every_s

    def look(self) -> tuple[bool, bool]:
        """Return whether names are due, and whether nobody is playing now."""
        try:
            entries = read_checked(self._journal, None)
        except JournalError:
            return False, False
        old = _due(entries, self._wall, self._days)
        due = old.is_due(entries)
        last = entries[-1] if entries else None
        idle_ns = self._wall.now_ns() - last.wall_ns if last is not None else 0
        return due, not 0 <= idle_ns < QUIET_NS
