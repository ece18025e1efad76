"""Results: what a journal says of the matches that are over, kept until the hub has them.

A broker's acknowledgement is no receipt. So a result is sent again, after five seconds and then
after ever longer, until the hub says that the journal's entry is on its disk; it has an id, and
the same id again changes nothing.

A journal that was restored from a backup goes on with numbers that it had before, and that the hub
may have acknowledged. So each time it begins a new life under another name, and an acknowledgement
of a name says nothing of what was written under a later one. Pure.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from msgspec import Struct, field

from jackspot.core.clock import SECOND_NS
from jackspot.core.record import write_record
from jackspot.dialogue.state.entries import EntryKind
from jackspot.festival.messages import ResultMessage, crc32
from jackspot.festival.telling import MILLISECOND_NS
from jackspot.history.chronicle import NoMatch, Noted, chronicle

AGAIN_NS = 5 * SECOND_NS
"""A result that nobody has acknowledged is sent again after this, then after twice as long..."""
AGAIN_AT_MOST_NS = 60 * SECOND_NS
"""... up to this."""
ASKED_EACH_NS = SECOND_NS // 10
"""Results that the hub asks for once more follow each other so soon."""
MOST_ASKED = 100
"""So many are sent for one question."""


class Life(Struct, frozen=True):
    """What a journal is called from the entry ``begins`` on, up to where its next life begins."""

    begins: int
    name: str


Lives = tuple[Life, ...]
"""The lives of a journal, oldest first; of one that was never restored it is one."""


def lives_of(beginnings: Iterable[Noted]) -> Lives:
    """Name a journal by its first entry, and anew by each that says it was restored.

    Nothing changes these entries, also not forgetting.
    """
    return tuple(Life(each.seq, _name(each)) for each in beginnings)


def _name(entry: Noted) -> str:
    said = f"{entry.boot} {entry.at_ns} {entry.wall_ns}"
    return f"{zlib.crc32(said.encode()):08x}"


def name_at(lives: Lives, seq: int) -> str:
    """Return the name that a journal had when it wrote an entry."""
    return [life.name for life in lives if life.begins <= seq][-1]


def result_of(entries: Sequence[Noted], board: str, lives: Lives) -> ResultMessage | None:
    """Return the result of a match from its own entries; None where it is not over.

    It goes by the name that the journal had when the match ended.
    """
    try:
        told = chronicle(entries)
    except NoMatch:
        return None
    state = told.match.state
    ends = [entry for entry in entries if entry.kind == EntryKind.MATCH_END]
    if not state.over or not ends:
        return None
    last = ends[-1]
    journal = name_at(lives, last.seq)
    record = write_record(told.match.settings, [step.entry for step in told.match.steps])
    standing = [line for line in told.lines if line.taken_back is None]
    return {
        "v": 1,
        "id": f"{board}-{journal}-{last.seq}",
        "journal": journal,
        "seq": last.seq,
        "match": entries[0].seq,
        "revision": len(ends),
        "order": cast(int | None, entries[0].body.get("order")),
        "winner": state.winner,
        "points": dict(state.points),
        "boards": dict(state.boards_won),
        "by": standing[-1].by if standing else None,
        "record": record,
        "crc32": crc32(record),
        "wall_ms": last.wall_ns // MILLISECOND_NS,
        "synchronised": last.synchronised,
    }


class Outbox(Struct):
    """The results that the hub does not have yet: sent one at a time, the oldest first.

    The hub says only the highest entry that it has of a journal, so a younger result must not be
    there before an older one. ``seq`` is what it has said. ``lives`` are the journal's.
    """

    lives: Lives = ()
    seq: int = 0
    _waiting: dict[int, ResultMessage] = field(default_factory=dict)
    _asked: deque[ResultMessage] = field(default_factory=deque)
    _due_ns: int = 0
    _pause_ns: int = AGAIN_NS

    def __len__(self) -> int:
        """Count the results that wait."""
        return len(self._waiting)

    @property
    def journal(self) -> str:
        """What the journal is called now; empty: it has no entry yet."""
        return self.lives[-1].name if self.lives else ""

    def add(self, results: Iterable[ResultMessage]) -> None:
        """Take results; of one match only the newest revision is sent."""
        for each in results:
            if each["seq"] > self.seq:
                same = [n for n, kept in self._waiting.items() if kept["match"] == each["match"]]
                for seq in same:
                    del self._waiting[seq]
                self._waiting[each["seq"]] = each

    def acknowledged(self, journals: Mapping[str, int], now_ns: int) -> bool:
        """Let go of what the hub has; tell whether that was anything.

        An acknowledgement below one heard before is an old one. One of an earlier life says no
        more than that the hub has all of that life: its later entries are others now.
        """
        said = [journals.get(life.name, 0) for life in self.lives]
        ends = [life.begins - 1 for life in self.lives[1:]]
        seq = max((*map(min, said, ends), *said[-1:]), default=0)
        if seq <= self.seq:
            return False
        self.seq = seq
        self._waiting = {n: each for n, each in self._waiting.items() if n > seq}
        self.begin_anew(now_ns)
        return True

    def begin_anew(self, now_ns: int) -> None:
        """Send the oldest at once: what was on its way went with the connection."""
        self._due_ns, self._pause_ns = now_ns, AGAIN_NS

    def ask(self, results: Sequence[ResultMessage], now_ns: int) -> None:
        """Send these again, each once, acknowledged or not: the hub has asked for them.

        What it has never acknowledged comes after them, as ever.
        """
        self._asked = deque(results)
        self.begin_anew(now_ns)

    def due(self, now_ns: int) -> ResultMessage | None:
        """Return what is to be sent now, and count on sending it; None: nothing."""
        if self._asked and now_ns >= self._due_ns:
            sent = self._asked.popleft()
            is_last = not self._asked and sent["seq"] in self._waiting
            self._due_ns = now_ns + (self._pause_ns if is_last else ASKED_EACH_NS)
            return sent
        if not self._waiting or now_ns < self._due_ns:
            return None
        self._due_ns = now_ns + self._pause_ns
        self._pause_ns = min(2 * self._pause_ns, AGAIN_AT_MOST_NS)
        return self._waiting[min(self._waiting)]

    def behind(self, known: int) -> int:
        """Count the results that wait and are newer than an entry of the journal."""
        return sum(seq > known for seq in self._waiting)

    def next_ns(self) -> int | None:
        """Say when something is due; None: nothing waits."""
        return self._due_ns if self._waiting or self._asked else None
