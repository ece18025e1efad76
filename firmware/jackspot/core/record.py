"""The match record: a match as text that a person can read, write and send.

It has a TOML header (:mod:`jackspot.core.header`), then a line ``---``, then one line for each
entry (:mod:`jackspot.core.entry_text`). Reading a record also plays it, because a line that cannot
have happened is an error of the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct, field

from jackspot.core.directives import Entry
from jackspot.core.entry_text import (
    ReadLine,
    Rewind,
    Said,
    UnreadableLine,
    read_line,
    write_entry,
)
from jackspot.core.header import read_header, write_header
from jackspot.core.match import IllegalEntry, Match, NothingToRedo, NothingToUndo, Playing
from jackspot.core.printable import visible
from jackspot.core.rules import RULES, Rules, rules_for
from jackspot.core.ruling import IllegalStroke
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Stroke
from jackspot.values import changed

__all__ = [
    "Flaw",
    "Record",
    "RecordError",
    "RecordLine",
    "Rewind",
    "Said",
    "read_entry_line",
    "read_record",
    "visible",
    "write_entry",
    "write_record",
]

_TOO_LONG = re.compile(r"(\S{40})\S{40,}")
MOST_BYTES = 1 << 20
"""The largest record; thousands of strokes fit into it."""
MOST_IN_A_LINE = 4_096
"""The most characters in a line; a stroke has a dozen."""
MOST_FLAWS = 100
"""How many errors are reported; after that nothing more is read."""
_ENOUGH = f"the errors behind this line are not told: there are {MOST_FLAWS} already"
_END_OF_HEADER = re.compile(r"---\s*(#.*)?")


class Flaw(Struct, frozen=True, order=True):
    """One error of a record. Lines and columns count from 1, columns in code points."""

    line: int
    column: int
    message: str


class RecordError(ValueError):
    """A record that is not valid; ``errors`` is in the order of the file."""

    def __init__(self, errors: Iterable[Flaw]) -> None:
        self.errors = tuple(sorted(changed(e, message=_shortened(e.message)) for e in errors))
        super().__init__("\n".join(f"{e.line}:{e.column}: {e.message}" for e in self.errors))


def _shortened(message: str) -> str:
    """Keep a message that quotes a file on one line, and in bounds."""
    return _TOO_LONG.sub(r"\1...", visible(message))


class RecordLine(Struct, frozen=True):
    """One line of the body: its number in the file and what it says."""

    number: int
    said: Said


class Record(Struct, frozen=True):
    """A record that was read and played.

    ``lines`` has every entry, including undo and redo. ``match`` is the result, and ``numbers`` the
    line of each of its steps.
    """

    settings: MatchSettings
    lines: tuple[RecordLine, ...]
    match: Match
    numbers: tuple[int, ...]


def read_record(text: str, *, bounded: bool = True) -> Record:
    """Read and play a record. Raises :class:`RecordError`.

    All errors of the header and of form are reported, including seats that do not play and counts
    that no board has. Of errors in the game only the first is reported, and none after a line that
    could not be read or if the header has an error. ``bounded`` refuses text longer than anybody
    writes; a board's own journal is read as it is.
    """
    if bounded and len(text) > MOST_BYTES:
        raise RecordError([Flaw(1, 1, f"a record has at most {MOST_BYTES:,} bytes")])
    lines = text.removeprefix("\ufeff").split("\n")
    if bounded and (too_long := list(_too_long(lines))):
        raise RecordError(too_long)
    end = next((i for i, line in enumerate(lines) if _END_OF_HEADER.fullmatch(line)), None)
    if end is None:
        message = "a line '---' must stand between the header and the first stroke"
        raise RecordError([Flaw(len(lines), 1, message)])
    settings, data, header_flaws = read_header("\n".join(lines[:end]) + "\n", bounded=bounded)
    flaws = [Flaw(place.line, place.column, message) for place, message in header_flaws]
    if len(flaws) >= MOST_FLAWS:
        told = sorted(flaws)[: MOST_FLAWS - 1]
        raise RecordError([*told, Flaw(told[-1].line, told[-1].column + 1, _ENOUGH)])
    rules = next((RULES[name] for name in RULES if name == data.get("rules")), None)
    body = _Body(settings, rules, plays=not flaws)
    for number, line in enumerate(lines[end + 1 :], start=end + 2):
        body.take(number, line)
        most = MOST_FLAWS - len(flaws)
        if len(body.flaws) >= most:
            body.flaws = [*body.flaws[: most - 1], Flaw(number, len(line) + 1, _ENOUGH)]
            break
    if settings is None or body.flaws or flaws:
        raise RecordError([*flaws, *body.flaws])
    assert body.playing is not None
    return Record(settings, tuple(body.lines), body.playing.match(), tuple(body.numbers))


def _too_long(lines: Sequence[str]) -> Iterator[Flaw]:
    """Find the lines that are too long, as many as are reported."""
    found = (n for n, line in enumerate(lines, start=1) if len(line) > MOST_IN_A_LINE)
    for number in islice(found, MOST_FLAWS):
        message = f"a line has at most {MOST_IN_A_LINE:,} characters"
        yield Flaw(number, MOST_IN_A_LINE + 1, message)


def write_record(settings: MatchSettings, entries: Iterable[Entry]) -> str:
    """Return a record in canonical form: the settings and the entries that count."""
    body = "".join(f"{write_entry(entry)}\n" for entry in entries)
    return f"{write_header(settings)}---\n{body}"


def read_entry_line(text: str, system: RuleSystem) -> Entry:
    """Read the line of one entry, as :func:`write_entry` writes it. Raises :class:`RecordError`."""
    try:
        read = read_line(text, rules_for(system))
    except UnreadableLine as error:
        raise RecordError(Flaw(1, flaw.column, flaw.message) for flaw in error.flaws) from error
    if read is None or isinstance(read.said, Rewind):
        raise RecordError([Flaw(1, 1, f"expected a stroke or a directive, found {text!r}")])
    return read.said


def _without(stroke: Stroke, flag: str | None) -> Stroke:
    """Return a stroke without one flag, or the called pocket; the same if it has no such flag."""
    called = None if flag == "call" else stroke.called
    return changed(stroke, flags=stroke.flags - {flag}, called=called)


class _Body(Struct):
    """Read the lines of the body one after the other and play them as long as possible."""

    settings: MatchSettings | None
    rules: Rules | None
    plays: bool
    flaws: list[Flaw] = field(default_factory=list)
    lines: list[RecordLine] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    undone: list[int] = field(default_factory=list)
    playing: Playing | None = None

    def __post_init__(self) -> None:
        if self.settings is not None:
            self.rules = rules_for(self.settings.rules)
            self.playing = Playing(self.settings) if self.plays else None

    def take(self, number: int, text: str) -> None:
        """Read one line, then play it unless something before it was wrong."""
        try:
            read = read_line(text, self.rules, self.settings)
        except UnreadableLine as error:
            self.flaws += [Flaw(number, flaw.column, flaw.message) for flaw in error.flaws]
            return
        if read is None:
            return
        self.lines.append(RecordLine(number, read.said))
        if not self.allowed(number, read) or self.playing is None or self.flaws:
            return
        try:
            self.play(number, read.said, self.playing)
        except IllegalEntry as error:
            self.flaws.append(Flaw(number, read.column_of(error), str(error)))
        except (NothingToUndo, NothingToRedo) as error:
            self.flaws.append(Flaw(number, read.tokens[0].column, str(error)))

    def allowed(self, number: int, read: ReadLine) -> bool:
        """Check for what the settings never allow, wherever it is."""
        if not isinstance(read.said, Stroke) or self.settings is None or self.rules is None:
            return True
        stroke, fine = read.said, True
        while True:
            try:
                self.rules.check(self.settings, stroke)
            except IllegalStroke as error:
                entry_error = IllegalEntry(str(error), departure=error.departure, flag=error.flag)
                self.flaws.append(Flaw(number, read.column_of(entry_error), str(error)))
                fine = False
                rest = _without(stroke, error.flag)  # what else is wrong is reported too
                if rest == stroke:
                    return False
                stroke = rest
            else:
                return fine

    def play(self, number: int, said: Said, playing: Playing) -> None:
        """Fold one line; a redone line keeps its number."""
        if said is Rewind.UNDO:
            playing.undo()
            self.undone.append(self.numbers.pop())
        elif said is Rewind.REDO:
            playing.redo()
            self.numbers.append(self.undone.pop())
        else:
            playing.enter(said)
            self.numbers.append(number)
            self.undone.clear()
