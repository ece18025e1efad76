"""What is played at an event: its contests, the entries, by which rules, at which boards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, cast
from unicodedata import normalize

from msgspec import Struct, field

from jackspot.core.agreement import OPTIONS, agree
from jackspot.core.pieces import Seat
from jackspot.core.record import write_record
from jackspot.core.rules.common import single_player
from jackspot.core.settings import MatchSettings
from jackspot.values import IdentityKey
from jackspot_hub.event.contest import Contest, knockout_of
from jackspot_hub.event.fixtures import members, section_of
from jackspot_hub.event.schedule import FreeBoard

SEATS = {
    (1, 1): ((Seat.N,), (Seat.S,)),
    (2, 2): ((Seat.N, Seat.S), (Seat.E, Seat.W)),
    (1, 2): ((Seat.E,), (Seat.N, Seat.S)),
}
"""Where the first and the second side sit, by their size: partners face each other."""
KEY_NUMBER = re.compile(r"\d+-\d+$")
LONGEST_TITLE = 24
"""In characters: a board also shows what follows it, and where people sit."""
_BRACKETS = {
    "ko": "knockout",
    "ko-third": "third place",
    "third": "third place",
    "upper": "upper bracket",
    "lower": "lower bracket",
    "second-final": "second final",
}
REMEMBERED = 4
"""The shared names of so many events, in one form, are remembered."""


class Person(Struct, frozen=True):
    """A person, by their number: two people of one name are two.

    ``kana`` is how the name is read; ``club`` may be a family; empty: not known. ``born`` is a
    year.
    """

    number: int
    name: str
    kana: str = ""
    club: str = ""
    born: int | None = None

    def meant_by(self, name: str, kana: str, club: str, born: int | None) -> bool:
        """Whether a person who gives this data can be the same; empty: not given."""
        pairs = (name, self.name), (kana or self.kana, self.kana), (club or self.club, self.club)
        same = all(normalize("NFC", one) == normalize("NFC", two) for one, two in pairs)
        return same and born in (None, self.born)


class Shown(StrEnum):
    """How people are named in public."""

    FULL = "full"
    INITIALS = "initials"
    """The first letter of each word."""
    NUMBER = "number"
    """Their number, as a children's class may need."""


class PlayedClass(Struct, frozen=True):
    """One contest with its people: ``people`` are the numbers of each entrant's, ``size`` of them.

    An entrant has the number of the first of its people. ``header`` is what a match record's header
    says of all its matches: rules, options; ``knockout_header`` is what differs for a knockout that
    follows groups, or the rounds of a Swiss. ``born`` are the first and the last year of birth that
    may enter. ``seeded`` are the entrants whom the event's file names, the best first. ``title`` is
    what people call it, ``shown`` how its people are named in public. Until it ``is_drawn`` none of
    its matches is due.
    """

    contest: Contest
    people: Mapping[int, tuple[int, ...]]
    header: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    title: str = ""
    size: int = 1
    born: tuple[int | None, int | None] = (None, None)
    seeded: tuple[int, ...] = ()
    is_drawn: bool = True
    shown: Shown = Shown.FULL
    knockout_header: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def header_of(self, key: str) -> Mapping[str, Any]:
        """Return what a record's header says of a match."""
        own = self.knockout_header
        if not own or not key.startswith(f"{knockout_of(self.contest)}-"):
            return self.header
        both = (self.header.get("options"), own.get("options"))
        options = {name: each for some in both for name, each in dict(some or {}).items()}
        return {**self.header, **own, "options": options}

    def on(self, side: int) -> tuple[int, ...]:
        """Return the numbers of the people on a side: an entrant's, or those of drawn partners."""
        if side in self.people:
            return self.people[side]
        return tuple(chain(*(self.people[each] for each in members(side))))

    def of(self, *sides: int) -> frozenset[int]:
        """Return the numbers of the people on sides."""
        return frozenset(chain.from_iterable(map(self.on, sides)))

    def has(self, person: int) -> bool:
        """Whether somebody is entered, alone or in a pair."""
        return person in self.people or (
            self.size > 1 and person in chain.from_iterable(self.people.values())
        )

    def entrant_of(self, own: Collection[int]) -> int | None:
        """Return as which entrant these people, in any order, are entered; None: they are not."""
        return next((each for each in own if set(self.people.get(each, ())) == set(own)), None)


class NoShowRule(Struct, frozen=True):
    """What happens to a match to which somebody has not come.

    ``after_ms`` is how long after the second call the desk offers it to those who are here. With
    ``decides`` they then win it automatically, if one side has checked in and the other has not.
    """

    after_ms: int
    decides: bool = False


class Programme(Struct, frozen=True):
    """An event. ``boards`` are in the order in which they are used, the best first.

    ``rest_ms`` is how long after a match people are not called.

    ``by_gong``: as many matches as there are boards are called at once, and begin together.
    """

    name: str
    hall: str
    people: Mapping[int, Person]
    classes: Mapping[str, PlayedClass]
    boards: tuple[FreeBoard, ...]
    rest_ms: int = 0
    by_gong: bool = False
    no_show: NoShowRule | None = None
    referees: tuple[str, ...] = ()

    def names(self, contest: str, side: int) -> tuple[str, ...]:
        """Return the names of the people on a side."""
        return tuple(self.people[each].name for each in self.classes[contest].on(side))

    def told_apart(
        self, contest: str, side: int, short: Callable[[str], str] = str
    ) -> tuple[str, ...]:
        """Return the names of the people on a side, each with its number if others share it.

        ``short`` returns a name in the form in which it is shown.
        """
        shared = _shared_names(IdentityKey((self.people,)), short)
        people = self.classes[contest].on(side)
        names = ((number, short(self.people[number].name)) for number in people)
        return tuple(f"{name} ({number})" if name in shared else name for number, name in names)

    def seats(self, contest: str, sides: tuple[int, int]) -> tuple[tuple[Seat, ...], ...]:
        """Return where the people on each side sit."""
        one, two = (len(self.classes[contest].on(side)) for side in sides)
        return SEATS[one, two]

    def settings(self, contest: str, sides: tuple[int, int], key: str) -> MatchSettings:
        """Return what is agreed for a match. Disagreement if it cannot be played so."""
        one, two = (self.names(contest, side) for side in sides)
        return agreed(self.classes[contest], (one, two), self.name, key)


@lru_cache(maxsize=REMEMBERED)
def _shared_names(key: IdentityKey, short: Callable[[str], str]) -> frozenset[str]:
    """Return the names that several of these people share, in the form in which they are shown."""
    (people,) = cast("tuple[Mapping[int, Person]]", key.parts)
    counts = Counter(short(each.name) for each in people.values())
    return frozenset(name for name, count in counts.items() if count > 1)


def agreed(
    played: PlayedClass, names: tuple[tuple[str, ...], tuple[str, ...]], event: str, key: str
) -> MatchSettings:
    """Return what is agreed for a match between people of these names. Disagreement if nothing."""
    seated = {
        seat: name
        for side, seats in zip(names, SEATS[len(names[0]), len(names[1])], strict=True)
        for seat, name in zip(seats, side, strict=True)
    }
    said = played.header_of(key)
    return agree(
        {
            **said,
            "seats": [seat.value for seat in _order_of_play(said, seated)],
            "names": {seat.value: name for seat, name in seated.items()},
            "event": event,
            "round": called_on_boards(played, key),
        }
    )


def called_on_boards(played: PlayedClass, key: str) -> str:
    """Return what a board and a match's record call it: ``Open singles A 3-2``, ``pairs final``.

    Each match of a class has its own name. A title that is too long for a board is replaced by the
    name of its class.
    """
    section, (number,) = section_of(key), KEY_NUMBER.findall(key) or [""]
    rest = section[len(played.contest.name) + 1 :]
    title = played.title if 0 < len(played.title) <= LONGEST_TITLE else played.contest.name
    return " ".join(filter(None, (title, _BRACKETS.get(rest, rest), number)))


def _order_of_play(said: Mapping[str, Any], seated: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return seats round the table, as a header's options or its rules let four of them play.

    Of three, the one who plays alone begins: the starting point (起点) of the Japanese rules.
    """
    order = tuple(sorted(seated, key=list(Seat).index))
    if (alone := single_player(order)) is not None:
        at = order.index(alone)
        return (*order[at:], *order[:at])
    options = said.get("options")
    agreed_on = options.get("direction") if isinstance(options, Mapping) else None
    usual = {system.value: each for system, each in OPTIONS["direction"].defaults.items()}
    runs = agreed_on or usual.get(str(said.get("rules")))
    return (order[0], *reversed(order[1:])) if len(order) > 2 and runs == "ccw" else order


def header(settings: MatchSettings) -> str:
    """Return what is agreed in the form of an order."""
    return write_record(settings, ())
