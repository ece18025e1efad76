"""Results: what a journal says of the matches that are over, kept until the hub has them.

A broker's acknowledgement is no receipt. So a result is sent again, after five seconds and then
after ever longer pauses, until the hub says that the journal's entry is on its disk. It has an id,
and the same id again changes nothing.

A journal that was restored from a backup, or lost its end to a bad card, continues with numbers
that it had before, and that the hub may have acknowledged. So each time it begins a new life under
another name, and an acknowledgement for one name says nothing of what was written under a later
one. Pure.
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
from jackspot.festival.outgoing import MILLISECOND_NS
from jackspot.history.chronicle import NoMatch, Noted, chronicle

AGAIN_NS = 5 * SECOND_NS
"""A result without acknowledgement is sent again after this, then after twice as long..."""
AGAIN_AT_MOST_NS = 60 * SECOND_NS
"""... up to this."""
ASKED_EACH_NS = SECOND_NS // 10
"""Time between two results that the hub has asked for once more."""
MOST_ASKED = 100
"""At most this many are sent for one question."""


class Life(Struct, frozen=True):
    """A journal's name from the entry ``begins`` on, up to where its next life begins."""

    begins: int
    name: str


Lives = tuple[Life, ...]
"""The lives of a journal, oldest first; one that was never restored has one."""


def lives_of(beginnings: Iterable[Noted]) -> Lives:
    """Name a journal by its first entry, and anew by each entry that says it was restored.

    Nothing changes these entries, not even forgetting.
    """
    return tuple(Life(each.seq, _name(each)) for each in beginnings)


def _name(entry: Noted) -> str:
    said = f"{entry.boot} {entry.at_ns} {entry.wall_ns}"
    return f"{zlib.crc32(said.encode()):08x}"


def name_at(lives: Lives, seq: int) -> str:
    """Return the name that a journal had when it wrote an entry."""
    return [life.name for life in lives if life.begins <= seq][-1]


def result_of(entries: Sequence[Noted], board: str, lives: Lives) -> ResultMessage | None:
    """Return the result of a match from its own entries; None if it is not over.

    It carries the name that the journal had when the match ended.
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
        "match_journal": name_at(lives, entries[0].seq),
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


def _match(result: ResultMessage) -> tuple[str, int]:
    """Return what all revisions of a result have in common."""
    return result.get("match_journal", result["journal"]), result["match"]


class Outbox(Struct):
    """The results that the hub does not have yet: sent one at a time, oldest first.

    The hub reports only the highest entry that it has of a journal, so a younger result must not
    arrive before an older one. ``seq`` is what it has reported. ``lives`` are the journal's.
    """

    lives: Lives = ()
    seq: int = 0
    _names: list[str] = field(default_factory=list)
    """Names of all lives so far, including those that the journal has lost since."""
    _said: Mapping[str, int] = field(default_factory=dict)
    _waiting: dict[str, ResultMessage] = field(default_factory=dict)
    _asked: deque[ResultMessage] = field(default_factory=deque)
    _heard: Mapping[str, int] = field(default_factory=dict)
    """The newest acknowledgement, which may be below one heard before: the hub has lost some."""
    _asked_sent: bool = False
    """Whether the first of these was sent and is to be acknowledged."""
    _due_ns: int = 0
    _pause_ns: int = AGAIN_NS

    def __post_init__(self) -> None:
        self.live(self.lives)

    def __len__(self) -> int:
        """Count the waiting results."""
        return len(self._waiting)

    @property
    def journal(self) -> str:
        """The journal's name now; empty: it has no entry yet."""
        return self.lives[-1].name if self.lives else ""

    def live(self, lives: Lives) -> None:
        """Note the journal's lives; there may be one more."""
        self.lives = lives
        self._names += [life.name for life in lives if life.name not in self._names]
        self.seq = self._acknowledged(self._said)

    def add(self, results: Iterable[ResultMessage]) -> None:
        """Take results; of one match only the newest revision is sent."""
        for each in results:
            if each["seq"] > self.seq:
                for same in [old for old in self._waiting.values() if _match(old) == _match(each)]:
                    del self._waiting[same["id"]]
                self._waiting[each["id"]] = each

    def acknowledged(self, journals: Mapping[str, int], now_ns: int) -> bool:
        """Drop what the hub has; return whether that was anything.

        An acknowledgement below one heard before is an old one.
        """
        self._heard = journals
        if self._asked and self._asked_sent and self._has_heard(self._asked[0]):
            self._asked.popleft()
            self._asked_sent = False
            self.begin_anew(now_ns)
        told = {name: journals.get(name, 0) for name in self._names}
        newer = {name: seq for name, seq in told.items() if seq > self._said.get(name, 0)}
        if not newer:
            return False
        self._said = {**self._said, **newer}
        before, self.seq = self.seq, self._acknowledged(self._said)
        kept = [each for each in self._waiting.values() if not self._is_there(each)]
        if self.seq == before and len(kept) == len(self._waiting):
            return False
        self._waiting = {each["id"]: each for each in kept}
        self.begin_anew(now_ns)
        return True

    def _acknowledged(self, journals: Mapping[str, int]) -> int:
        """Return the entry up to which the hub has everything.

        An acknowledgement of an earlier life says only that the hub has all of that life: its later
        entries are different now.
        """
        said = [journals.get(life.name, 0) for life in self.lives]
        ends = [life.begins - 1 for life in self.lives[1:]]
        return max((*map(min, said, ends), *said[-1:]), default=0)

    def _is_there(self, result: ResultMessage) -> bool:
        """Whether the hub has a result, even one whose entries the journal has lost since."""
        return result["seq"] <= max(self.seq, self._said.get(result["journal"], 0))

    def begin_anew(self, now_ns: int) -> None:
        """Send the oldest at once: what was in transit was lost with the connection."""
        self._due_ns, self._pause_ns = now_ns, AGAIN_NS

    def _has_heard(self, result: ResultMessage) -> bool:
        """Whether the newest acknowledgement says that the hub has a result."""
        return self._heard.get(result["journal"], 0) >= result["seq"]

    def ask(self, results: Sequence[ResultMessage], now_ns: int) -> None:
        """Send these again: the hub has asked for them.

        Those that its newest acknowledgement lacks are sent until it has them, one at a time; the
        others once. What it has never acknowledged follows, one at a time as usual.
        """
        self.add(results)
        self._asked_sent = False
        self._asked = deque(each for each in results if each["id"] not in self._waiting)
        self.begin_anew(now_ns)

    def _place(self, result: ResultMessage) -> tuple[int, int]:
        """Return a result's sort key: earlier lives come first."""
        return self._names.index(result["journal"]), result["seq"]

    def due(self, now_ns: int) -> ResultMessage | None:
        """Return what is to be sent now, and note it as sent; None: nothing."""
        if now_ns < self._due_ns or not (self._asked or self._waiting):
            return None
        if self._asked and self._has_heard(self._asked[0]):
            self._due_ns = now_ns + ASKED_EACH_NS
            return self._asked.popleft()
        self._due_ns = now_ns + self._pause_ns
        self._pause_ns = min(2 * self._pause_ns, AGAIN_AT_MOST_NS)
        if self._asked:
            self._asked_sent = True
            return self._asked[0]
        return min(self._waiting.values(), key=self._place)

    def behind(self, known: int) -> int:
        """Count the waiting results that are newer than an entry of the journal."""
        return sum(each["seq"] > known for each in self._waiting.values())

    def next_ns(self) -> int | None:
        """Return when something is due; None: nothing waits."""
        return self._due_ns if self._waiting or self._asked else None
