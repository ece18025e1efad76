"""People and their entries as a table that every spreadsheet writes: CSV, by ``;`` or ``,``.

- A line is one person in a class. The same words on two lines mean the same person, and an empty
  column says nothing. Between two people of one name, club or year of birth decides.
- A pair is on the line of either partner, or of both.
- If there is a mistake, nothing is entered.
- A table that is entered again, with more people in it, enters those.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from unicodedata import normalize

from msgspec import Struct

from jackspot.core.phrases import Phrase, Translate, _, _n
from jackspot_hub.desk.entering import enter, known_or_new, no_year
from jackspot_hub.desk.state import DeskEntry, DeskState, Entries, fold
from jackspot_hub.event.entries import LOST_LETTER, NOT_UTF_8, CannotBe, class_of
from jackspot_hub.event.programme import Person

COLUMNS = ("name", "kana", "club", "born", "class", "partner")
MOST_LINES = 5_000
_Mistakes = list[tuple[int, str | Phrase]]
"""Lines, from 1, and what is wrong with each."""


class BadPeople(CannotBe):
    """A table with mistakes: ``mistakes`` are lines, from 1, and what is wrong with each."""

    def __init__(self, mistakes: tuple[tuple[int, str | Phrase], ...]) -> None:
        self.mistakes = mistakes
        super().__init__(self.said(str))

    def said(self, translate: Translate) -> str:
        """Return each in a line of its own."""
        lines = (_("line {line}: {why}", line=line, why=why) for line, why in self.mistakes)
        return "\n".join(each.render(translate) for each in lines)


class _Row(Struct, frozen=True):
    """A line: ``words`` are name, kana and club, and ``born``; empty or None: not given."""

    line: int
    words: Mapping[str, str]
    born: int | None

    @property
    def silent(self) -> int:
        """Count what it leaves unsaid of a person."""
        return (not self.words["kana"]) + (not self.words["club"]) + (self.born is None)


@dataclass(slots=True)
class _Entering:
    """The desk as it will be, its people by their names, and the entries that lead to it."""

    before: DeskState
    by: str
    desk: DeskState = field(init=False)
    named: dict[str, list[Person]] = field(default_factory=dict)
    entries: list[DeskEntry] = field(default_factory=list)
    mistakes: _Mistakes = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = self.before
        for person in self.desk.programme.people.values():
            self._know(person)

    def _know(self, person: Person) -> None:
        self.named.setdefault(normalize("NFC", person.name), []).append(person)

    def each(self, rows: Iterable[_Row], take: Callable[[_Row], object]) -> None:
        """Take lines; of each only the first mistake is reported."""
        wrong_lines = {line for line, _text in self.mistakes}
        for row in rows:
            try:
                if row.line not in wrong_lines:
                    take(row)
            except CannotBe as wrong:
                self.mistakes.append((row.line, wrong.why))

    def write(self, entries: Entries) -> None:
        for entry in entries:
            self.desk = fold(self.desk, entry.kind, entry.body, 0)
            self.entries.append(entry)

    def person(self, row: _Row) -> int:
        """Return the number of the person that a line means, registering them if necessary."""
        words = row.words
        number, entries = known_or_new(
            self.desk, words["name"], self.by, kana=words["kana"], club=words["club"],
            born=row.born, named=self.named.get(words["name"], ()),
        )  # fmt: skip
        self.write(entries)
        if entries:
            self._know(self.desk.programme.people[number])
        return number

    def enter(self, row: _Row) -> None:
        """Enter the person or pair of a line into its class, if it names one."""
        contest, partner = row.words["class"], row.words["partner"]
        if not contest:
            if partner:
                raise CannotBe(_("a partner, '{name}', and no class", name=partner))
            return
        people = [self.person(row)]
        if partner:
            alone = dict.fromkeys(COLUMNS, "") | {"name": partner}
            people.append(self.person(_Row(row.line, alone, None)))
        entrant = class_of(self.desk.programme, contest).entrant_of(people)
        if entrant is not None and (partner or self.was_entered(contest, people)):
            return  # the pair, named on either line; a table entered again
        self.write(enter(self.desk, contest, people, self.by))

    def was_entered(self, contest: str, people: list[int]) -> bool:
        """Whether somebody was in a class before this table."""
        return self.before.programme.classes[contest].entrant_of(people) is not None


def people_entries(desk: DeskState, text: str, by: str) -> Entries:
    """Return the entries for a table's text. BadPeople names every mistake with its line."""
    if LOST_LETTER in text:
        line = text.partition(LOST_LETTER)[0].count("\n") + 1
        raise BadPeople(((line, NOT_UTF_8),))
    at = _Entering(desk, by)
    rows = list(_rows(text, at.mistakes))
    named: dict[str, list[_Row]] = {}
    for row in rows:
        named.setdefault(row.words["name"], []).append(row)
    for own in named.values():
        own.sort(key=lambda row: row.silent)  # the most specific first, so that others are known
    at.each(chain.from_iterable(named.values()), at.person)
    at.each(rows, at.enter)
    if at.mistakes:
        raise BadPeople(tuple(sorted(at.mistakes, key=lambda each: each[0])))
    return tuple(at.entries)


def _rows(text: str, mistakes: _Mistakes) -> Iterator[_Row]:
    """Read lines, each with all columns; a line with a mistake is noted and left out."""
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)[: MOST_LINES + 1]
    head = lines[0] if lines else ""
    read = csv.reader(lines, delimiter=";" if ";" in head else ",", strict=True)
    try:
        columns = [each.strip().casefold() for each in next(read, [])]
        unknown = [each for each in columns if each not in COLUMNS]
        if unknown or "name" not in columns or len(set(columns)) != len(columns):
            mistakes.append((1, _("expected columns of {columns}, name among them, found {found}",
                                  columns=", ".join(COLUMNS),
                                  found=repr(head.strip()[:80]))))  # fmt: skip
            return
        for cells in read:
            composed = [normalize("NFC", each.strip()) for each in cells]
            row = _row(read.line_num, columns, composed, mistakes)
            if row is not None:
                yield row
    except csv.Error as wrong:
        mistakes.append((read.line_num, _("no CSV: {why}", why=str(wrong))))
    if len(lines) > MOST_LINES:
        mistakes.append((MOST_LINES + 1, _("expected at most {n} lines", n=MOST_LINES)))


def _row(line: int, columns: list[str], cells: list[str], mistakes: _Mistakes) -> _Row | None:
    if not any(cells):
        return None
    said = dict.fromkeys(COLUMNS, "") | dict(zip(columns, cells, strict=False))
    wrong: Phrase | None = None
    if len(cells) > len(columns):
        wrong = _n("expected {n} column, found {found}", "expected {n} columns, found {found}",
                   n=len(columns), found=len(cells))  # fmt: skip
    elif not said["name"]:
        wrong = _("expected a name, found none")
    elif said["born"] and not (said["born"].isascii() and said["born"].isdecimal()):
        wrong = no_year(repr(said["born"]))
    if wrong:
        mistakes.append((line, wrong))
        return None
    return _Row(line, said, int(said["born"][:9]) if said["born"] else None)
