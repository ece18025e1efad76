"""Find the matches of a journal: where each is in it, and how it went.

A :class:`Chapters` follows the journal entry by entry and says which match each belongs to. It
needs only numbers and kinds, so a long journal is divided without being parsed. :func:`chronicle`
then retells one match from its own entries: every line that people confirmed, including those taken
back, with its instants and falls. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field

from jackspot.core.match import IllegalEntry, Match, Step
from jackspot.core.pieces import Pocket
from jackspot.core.record import RecordError, read_entry_line, read_record
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.entries import EntryKind, read_fall
from jackspot.values import changed


class Noted(Protocol):
    """An entry of the journal with its place and its times."""

    @property
    def seq(self) -> int:
        """Its number in the journal, from 1."""

    @property
    def boot(self) -> str:
        """The start of the machine from which ``at_ns`` counts."""

    @property
    def at_ns(self) -> int:
        """When it was, by the monotonic clock of that boot."""

    @property
    def wall_ns(self) -> int:
        """When it was, in nanoseconds since 1970."""

    @property
    def synchronised(self) -> bool:
        """Whether that clock was known to be right."""

    @property
    def kind(self) -> str:
        """The kind of entry."""

    @property
    def body(self) -> Mapping[str, Any]:
        """The content of the entry."""


Span = tuple[int, int]
"""The first and the last entry of a piece of a journal, inclusive."""


class Chapters(Struct):
    """Divide a journal into its matches.

    ``spans`` has the pieces of each match by its number from 1; a match that was taken back before
    its first stroke has none. ``current`` is the match on the board, ``previous`` the one before
    it, which may come back; None if there is none.
    """

    spans: dict[int, list[Span]] = field(default_factory=dict)
    current: int | None = None
    previous: int | None = None
    last: int = 0

    def read_on(self, seq: int, kind: str) -> int | None:
        """Take the next entry; return the match to which it belongs."""
        self.last = seq
        if kind == EntryKind.MATCH:
            self.current = max(self.spans, default=0) + 1
            self.spans[self.current] = [(seq, seq)]
            return self.current
        if kind == EntryKind.BACK:
            self.current, self.previous = self.previous, None
            if self.current is not None:
                self.spans[self.current].append((seq, seq))
            return self.current
        number = self.current
        if number is None:
            return None
        if kind == EntryKind.DISCARD:
            del self.spans[number]
            self.current = None
            return None
        first, _last = self.spans[number][-1]
        self.spans[number][-1] = (first, seq)
        if kind == EntryKind.SHELVE:
            self.previous, self.current = number, None
        return number


class When(Struct, frozen=True):
    """An instant: by the monotonic clock of one boot, and by the wall clock."""

    boot: str
    at_ns: int
    wall_ns: int
    synchronised: bool

    def since(self, earlier: When) -> int | None:
        """Return the nanoseconds since an earlier instant; None if the boots differ."""
        return self.at_ns - earlier.at_ns if self.boot == earlier.boot else None


class ToldLine(Struct, frozen=True):
    """One confirmation, as it was entered. ``entries`` are lines of a match record.

    ``rows`` is what was ruled then. ``by`` is the wire that confirmed it, None if it settled
    itself. ``kept``: it was entered again after a change before it. ``taken_back`` is when UNDO
    took it back for good; None: it stands. ``shot`` is when the stroke was confirmed first, before
    its line was corrected or entered again. ``again``: it was taken back, but entered again as it
    was. ``confirmed``: people at this board have said that it is right; not if it entered itself
    and nobody agreed, nor if it was played at another board.
    """

    when: When
    entries: tuple[str, ...]
    rows: tuple[str, ...] = ()
    falls: tuple[int, ...] = ()
    probability: float | None = None
    by: str | None = None
    kept: bool = False
    taken_back: When | None = None
    shot: When | None = None
    again: bool = False
    confirmed: bool = True

    @property
    def strokes(self) -> tuple[str, ...]:
        """Its entries that are strokes."""
        return tuple(entry for entry in self.entries if not entry.startswith("!"))

    @property
    def is_word(self) -> bool:
        """Whether it is only something that people said."""
        return not self.strokes and not self.falls


class SensedFall(Struct, frozen=True):
    """Something that fell: where, and whether it belonged to a stroke in the end."""

    pocket: Pocket
    hand: bool = False
    late: bool = False


class Chronicle(Struct, frozen=True):
    """One match as recorded in the journal.

    ``match`` is the result of its standing lines. For each of its steps, ``steps`` gives the index
    of its line in ``lines``, and ``took_ns`` how long the stroke took, if known. ``put_aside``: the
    match left the board before its end. ``troubles`` name what could not be read.
    """

    header: str
    began: When
    ended: When
    match: Match
    lines: tuple[ToldLine, ...]
    steps: tuple[int, ...]
    took_ns: tuple[int | None, ...]
    falls: Mapping[int, SensedFall]
    put_aside: bool
    troubles: tuple[str, ...] = ()

    @property
    def corrections(self) -> int:
        """How many lines were taken back for good, without those entered again as they were."""
        return sum(line.taken_back is not None and not line.again for line in self.lines)


class NoMatch(ValueError):
    """Entries that do not begin with a readable match."""


PAUSE_NS = 600_000_000_000
"""Nobody thinks about a stroke longer than this: the match was interrupted."""


def chronicle(entries: Iterable[Noted]) -> Chronicle:
    """Retell a match from its entries, the first of which starts it. Raises :class:`NoMatch`."""
    teller = _Teller()
    for entry in entries:
        teller.take(entry)
    return teller.told()


class _Teller:
    """Read the entries of one match, one after the other."""

    def __init__(self) -> None:
        self.header: str | None = None
        self.began: When | None = None
        self.ended: When | None = None
        self.lines: list[ToldLine] = []
        self.standing: list[int] = []
        self.undone: list[int] = []
        self.later: list[int] = []
        self.falls: dict[int, SensedFall] = {}
        self.put_aside = False
        self.troubles: list[str] = []

    def take(self, entry: Noted) -> None:
        """Read one entry; one that does not fit is left out and named."""
        when = When(entry.boot, entry.at_ns, entry.wall_ns, entry.synchronised)
        try:
            self._take(entry.kind, entry.body, when)
        except (KeyError, ValueError, TypeError, IndexError) as wrong:
            self.troubles.append(f"entry {entry.seq} ({entry.kind}) left out: {wrong}")
        if entry.kind in _PLAY or self.ended is None:
            self.ended = when

    def _take(self, kind: str, body: Mapping[str, Any], when: When) -> None:
        if kind == EntryKind.MATCH:
            self.header, self.began = str(body["header"]), when
        elif kind in (EntryKind.SHELVE, EntryKind.BACK):
            self.put_aside = kind == EntryKind.SHELVE
        elif kind in _READ:
            _READ[EntryKind(kind)](self, body, when)

    def fall(self, body: Mapping[str, Any], _when: When) -> None:
        """Record where something fell."""
        fall = read_fall(body)
        self.falls[fall.number] = SensedFall(fall.pocket)

    def clearing(self, body: Mapping[str, Any], _when: When) -> None:
        """Record that falls belong to no stroke."""
        for number in body.get("falls", ()):
            self.falls[number] = changed(self.falls[number], hand=True)

    def join(self, body: Mapping[str, Any], _when: When) -> None:
        """Add entries to the last line."""
        at, more = self.standing[-1], tuple(map(str, body["entries"]))
        self.lines[at] = changed(self.lines[at], entries=(*self.lines[at].entries, *more))
        self._let_wait()

    def left_out(self, body: Mapping[str, Any], _when: When) -> None:
        """Drop lines that UNDO had taken back, or that waited to be entered again."""
        if body.get("taken_back", False):
            self._let_wait()
        entries, falls = tuple(map(str, body.get("entries", ()))), tuple(body.get("falls", ()))
        for at in tuple(self.later):
            its, fell = self.lines[at].entries, self.lines[at].falls
            if entries[: len(its)] != its or falls[: len(fell)] != fell:
                break
            self.later.remove(at)
            entries, falls = entries[len(its) :], falls[len(fell) :]

    def _let_wait(self) -> None:
        """Let what was taken back wait to be entered again, in the order it was entered."""
        self.later = [*reversed(self.undone), *self.later]
        self.undone.clear()

    def _replaced(self, line: ToldLine) -> int | None:
        """Return the line in whose place a new one comes, which waits no longer; None: a new one.

        It replaces the line that was taken back last if both are strokes, or both are words; one
        that waited is entered again as it was, or with what fell for it.
        """
        corrects = bool(self.undone) and not line.kept
        self._let_wait()
        for n, at in enumerate(self.later):
            was = self.lines[at]
            alike = was.falls == line.falls and (was.strokes == line.strokes or was.falls)
            if corrects and n == 0:
                alike = was.is_word is line.is_word
            if alike:
                self.later = self.later[n + 1 :]
                return at
            if not line.kept:
                if not line.is_word:  # what waited first was changed, and waits no longer
                    self.later = self.later[n + 1 :]
                break
        return None

    def line(self, body: Mapping[str, Any], when: When) -> None:
        """Add a line; a fall that is new in a line reopened by UNDO came late."""
        falls = tuple(int(number) for number in body["falls"])
        before = {number for line in self.lines for number in line.falls}
        reopened = bool(self.undone) and not body.get("kept", False)
        for number in falls:
            added = reopened and number not in before
            known = self.falls.get(number)
            if added and known is not None:
                self.falls[number] = changed(known, late=True)
        self.standing.append(len(self.lines))
        line = ToldLine(
            when,
            tuple(map(str, body["entries"])),
            tuple(map(str, body.get("rows", ()))),
            falls,
            body.get("probability"),
            body.get("by"),
            bool(body.get("kept", False)),
            confirmed=self._is_confirmed(body),
        )
        at = self._replaced(line)
        if at is not None:
            was = self.lines[at]
            elsewhere = was.kept and not was.confirmed
            here = line.confirmed and not (line.kept and elsewhere)
            line = changed(line, shot=was.shot or was.when, confirmed=here)
            same = (was.strokes, was.falls) == (line.strokes, line.falls)
            self.lines[at] = changed(was, again=same and (line.kept or not line.is_word))
        self.lines.append(line)

    def _is_confirmed(self, body: Mapping[str, Any]) -> bool:
        """Whether people here confirm a line with it; one kept from nothing came from elsewhere."""
        if body.get("kept", False):
            return not all(line.kept for line in self.lines)
        if body.get("by", "") is not None:
            return True
        return bool(body["falls"]) and body.get("probability") is None

    def agreed(self, _body: Mapping[str, Any], _when: When) -> None:
        """Record that people said that the last line is right."""
        at = self.standing[-1]
        self.lines[at] = changed(self.lines[at], confirmed=True)

    def undo(self, body: Mapping[str, Any], when: When) -> None:
        """Take the last line back, or the last few entries of it."""
        if count := int(body.get("entries") or 0):
            at, line = self.standing[-1], self.lines[self.standing[-1]]
            if len(line.entries) > count or line.falls:
                self.lines[at] = changed(line, entries=line.entries[:-count])
            else:
                self.standing.pop()
                self.lines[at] = changed(line, taken_back=when)
            if body.get("kept", False):
                self._let_wait()
            return
        at = self.standing.pop()
        self.undone.append(at)
        self.lines[at] = changed(self.lines[at], taken_back=when)

    def redo(self, _body: Mapping[str, Any], _when: When) -> None:
        """Restore the line that was taken back last."""
        at = self.undone.pop()
        self.standing.append(at)
        self.lines[at] = changed(self.lines[at], taken_back=None)

    def told(self) -> Chronicle:
        """Fold the standing lines into the match."""
        if self.header is None or self.began is None or self.ended is None:
            raise NoMatch("no match begins here")
        try:
            match = read_record(self.header, bounded=False).match
        except RecordError as error:
            raise NoMatch(f"its header cannot be read: {error}") from error
        timer, steps, took = _Timer(self.began), list[int](), list[int | None]()
        for at in self.standing:
            line = self.lines[at]
            for text in line.entries:
                try:
                    match = match.enter(read_entry_line(text, match.settings.rules))
                except (IllegalEntry, RecordError) as wrong:
                    self.troubles.append(f"{text!r} left out: {wrong}")
                else:
                    steps.append(at)
                    took.append(timer.took(match.steps[-1], line))
        return Chronicle(
            self.header, self.began, self.ended, match, tuple(self.lines), tuple(steps),
            tuple(took), self.falls, self.put_aside, tuple(self.troubles),
        )  # fmt: skip


class _Timer:
    """Measure how long each stroke of a match took.

    It uses the match clock, which stops while the match is paused, or without one the time since
    the previous confirmation, which the first stroke of a later board does not have. Of a line that
    was corrected or entered again, it is the time when it was confirmed first. The result is None
    without either, for an entry that is not a stroke, and where the match was interrupted.
    """

    def __init__(self, began: When) -> None:
        self._before: tuple[When, When] | None = (began, began)
        """When the line before was confirmed first, and when it was entered as it stands."""
        self._board = 1
        self._clock_ns = 0

    def took(self, step: Step, line: ToldLine) -> int | None:
        """Take the next step, which a line entered."""
        if step.state.board != self._board:
            self._board, self._clock_ns, self._before = step.state.board, 0, None
        before, first = self._before, line.shot or line.when
        if not isinstance(step.entry, Stroke):
            if not line.strokes:
                self._before = before and (before[0], line.when)
            return None
        self._before = (first, line.when)
        if step.entry.used_ns is not None:
            took: int | None = step.entry.used_ns - self._clock_ns
            self._clock_ns = step.entry.used_ns
        else:
            took = first.since(before[line.shot is None]) if before is not None else None
        return took if took is not None and 0 < took <= PAUSE_NS else None


_READ: Mapping[EntryKind, Callable[[_Teller, Mapping[str, Any], When], None]] = {
    EntryKind.FALL: _Teller.fall,
    EntryKind.LINE: _Teller.line,
    EntryKind.AGREED: _Teller.agreed,
    EntryKind.JOIN: _Teller.join,
    EntryKind.UNDO: _Teller.undo,
    EntryKind.REDO: _Teller.redo,
    EntryKind.LEFT_OUT: _Teller.left_out,
    EntryKind.CLEARING: _Teller.clearing,
}
_PLAY = frozenset(
    {
        EntryKind.MATCH,
        EntryKind.FALL,
        EntryKind.LINE,
        EntryKind.JOIN,
        EntryKind.UNDO,
        EntryKind.REDO,
        EntryKind.MATCH_END,
    }
)
"""The kinds of entries that are play: the last of them is when a match ended."""


def sensed(falls: Sequence[SensedFall], pocket: Pocket) -> tuple[int, int, int]:
    """Count what one pocket's beam saw: all falls, those that were hands, those that came late."""
    here = [fall for fall in falls if fall.pocket is pocket]
    return len(here), sum(fall.hand for fall in here), sum(fall.late for fall in here)
