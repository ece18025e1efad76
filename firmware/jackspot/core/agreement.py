"""Check what was agreed before a match, and report everything that is wrong with it at once.

:func:`agree` takes plain data, as a record's TOML header or a board's config gives it, and turns it
into :class:`jackspot.core.settings.MatchSettings`. Checked settings are made nowhere else. Mistakes
are values that name a key's path and whether the key or its value is at fault, so that each caller
can point at the place in its own source.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from jackspot.core.options import (
    OPTIONS,
    list_values,
    number_option,
    option,
    text_option,
    yes_no_option,
)
from jackspot.core.pieces import Seat, Side
from jackspot.core.printable import MOST_MARKS, without_piles
from jackspot.core.rules import RULES, facts_of, rules_for
from jackspot.core.settings import (
    USUAL_RULES,
    Handicap,
    MatchSettings,
    OptionValue,
    RuleSystem,
)

__all__ = [
    "HANDICAPS",
    "KEYS",
    "OPTIONS",
    "AgreementMistake",
    "At",
    "Disagreement",
    "agree",
    "number_option",
    "option",
    "text_option",
    "yes_no_option",
]

MOST_IN_A_NAME = 64
"""The most characters in a player's name; no display has room for more."""
MOST_IN_A_TEXT = 200
"""The most characters in an event, a round or a place."""
MOST_MISTAKES = 100
"""After this many mistakes nothing more is checked."""
TEXTS = ("event", "round", "place")
KEYS = (
    *("rules", "seats", "colours", "names", "options", "handicap"),
    *("event", "date", "round", "place"),
)
"""Every key that settings may have."""

_USUAL_SEATS = {2: (Seat.N, Seat.S), 3: (Seat.N, Seat.E, Seat.S), 4: tuple(Seat)}
_NUMBERS = {2: "two", 3: "three", 4: "four"}

HANDICAPS: Mapping[str, tuple[OptionValue, ...] | range] = MappingProxyType(
    {
        "head_start": range(12),
        "pucks_needed": range(1, 13),
        **dict.fromkeys(
            (
                "no_striker_penalty",
                "keep_turn_with_striker",
                "second_chance",
                "second_chance_on_jack",
                "called_pocket",
                "must_bank",
                "weak_hand",
            ),
            (False, True),
        ),
    }
)
"""Every handicap with the values it may have (HC-1 to HC-7)."""


class At(StrEnum):
    """What a mistake points at."""

    KEY = "key"
    VALUE = "value"


class AgreementMistake(Struct, frozen=True):
    """One mistake: where it is (``("options", "best_of")``), and in words what was expected.

    A missing key has the path it should have and points at the key.
    """

    path: tuple[str, ...]
    message: str
    at: At = At.VALUE


class Disagreement(ValueError):
    """Settings that cannot be played; ``mistakes`` has everything that is wrong with them.

    ``sound`` has the settings without the mistakes if none of those decides which strokes are
    allowed; otherwise None.
    """

    def __init__(
        self, mistakes: Iterable[AgreementMistake], sound: MatchSettings | None = None
    ) -> None:
        self.mistakes = tuple(mistakes)
        self.sound = sound
        super().__init__("; ".join(f"{'.'.join(m.path)}: {m.message}" for m in self.mistakes))


def agree(data: Mapping[str, Any], *, bounded: bool = True) -> MatchSettings:
    """Make checked settings from plain data; raise :class:`Disagreement` with all mistakes.

    All means :data:`MOST_MISTAKES` at most.
    Text that the board itself wrote is not ``bounded`` and may have any length.
    """
    return _Checker(data, bounded=bounded).settings()


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the nearest known word, or a list of all, for the end of a message."""
    known = list(known)
    close = get_close_matches(word, known, n=1)
    return f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}"


_STROKES_DEPEND_ON = frozenset({"opening", "area_rule", "area_hit", "own_by_cushion"})
"""Options that decide which strokes are allowed."""


def _decides_strokes(mistake: AgreementMistake) -> bool:
    """Whether a mistake leaves open which strokes are allowed."""
    table, *rest = mistake.path
    if table == "options" and rest and rest[0] in OPTIONS:
        return rest[0] in _STROKES_DEPEND_ON
    return table in ("rules", "seats", "colours", "options", "handicap")


class _Checker:
    """Go through the data once and collect the mistakes."""

    def __init__(self, data: Mapping[str, Any], *, bounded: bool = True) -> None:
        self.data = data
        self.bounded = bounded
        self.mistakes: list[AgreementMistake] = []

    def settings(self) -> MatchSettings:
        for key in self.data:
            if key not in KEYS:
                self._key((key,), f"unknown key '{key}'; {nearest(key, KEYS)}")
        rules = self._rules()
        seats = self._seats(rules)
        sides = self._sides(rules, seats)
        options = self._options(rules)
        self._check_direction(seats, options)
        handicaps = self._handicaps(rules, seats, sides)
        names = self._names(seats)
        texts = {key: self._text((key,), self.data[key]) for key in TEXTS if key in self.data}
        date = self._date()
        if rules is None:
            raise Disagreement(self.mistakes)
        settings = MatchSettings(
            rules=rules,
            seats=seats,
            sides=MappingProxyType(sides),
            names=MappingProxyType(names),
            options=MappingProxyType(options),
            handicaps=MappingProxyType(handicaps),
            event=texts.get("event"),
            date=date,
            round=texts.get("round"),
            place=texts.get("place"),
        )
        if self.mistakes:
            decides = any(map(_decides_strokes, self.mistakes))
            raise Disagreement(self.mistakes, None if decides else settings)
        return settings

    def _value(self, path: tuple[str, ...], message: str) -> None:
        self._mistake(AgreementMistake(path, message))

    def _key(self, path: tuple[str, ...], message: str) -> None:
        self._mistake(AgreementMistake(path, message, At.KEY))

    def _mistake(self, mistake: AgreementMistake) -> None:
        self.mistakes.append(mistake)
        if len(self.mistakes) >= MOST_MISTAKES:
            raise Disagreement(self.mistakes)

    def _table(self, key: str) -> Mapping[str, Any]:
        table = self.data.get(key, {})
        if isinstance(table, Mapping):
            return table
        self._value((key,), f"expected a table [{key}], found {_shown(table)}")
        return {}

    def _text(self, path: tuple[str, ...], value: object, most: int = MOST_IN_A_TEXT) -> str | None:
        if isinstance(value, str):
            if len(value) <= most or not self.bounded:
                return value
            self._value(path, f"expected at most {most} characters, found {len(value):,}")
            return None
        self._value(path, f"expected text in quotes, found {_shown(value)}")
        return None

    def _date(self) -> datetime.date | None:
        date = self.data.get("date")
        if date is None:
            return None
        if isinstance(date, datetime.date) and not isinstance(date, datetime.datetime):
            return date
        self._value(("date",), f"expected a date such as 2026-11-20, found {_shown(date)}")
        return None

    def _rules(self) -> RuleSystem | None:
        known = [system.value for system in RuleSystem]
        if "rules" not in self.data:
            self._key(("rules",), f"'rules' is missing; expected one of {', '.join(known)}")
            return None
        rules = self.data["rules"]
        if isinstance(rules, str) and rules in known:
            return RuleSystem(rules)
        hint = nearest(rules, known) if isinstance(rules, str) else f"known: {', '.join(known)}"
        self._value(("rules",), f"unknown rules {_shown(rules)}; {hint}")
        return None

    def _seats(self, rules: RuleSystem | None) -> tuple[Seat, ...]:
        """Check who plays; if the seats are wrong, return the usual ones."""
        can_play = facts_of(rules or USUAL_RULES).seats
        usual = _USUAL_SEATS[can_play[0]]
        given = self.data.get("seats", list(usual))
        wrong = _what_is_wrong_with_seats(given)
        if wrong is None and rules is not None and len(given) not in can_play:
            those = [name for name, each in RULES.items() if len(given) in each.facts.seats]
            wrong = f"{_NUMBERS[len(given)]} players play {' or '.join(those)}, not {rules}"
        if wrong is None:
            return tuple(Seat(seat) for seat in given)
        self._value(("seats",), wrong)
        return usual

    def _seat_keys(
        self, path: str, table: Mapping[str, Any], seats: tuple[Seat, ...]
    ) -> list[Seat]:
        """Return the keys that are seats of this match; the others are mistakes."""
        playing = []
        for key in table:
            if key in seats:
                playing.append(Seat(key))
            elif key in list(Seat):
                self._key((path, key), f"{key} does not play; the seats are {', '.join(seats)}")
            else:
                self._key((path, key), f"'{key}' is no seat; expected {', '.join(seats)}")
        return playing

    def _sides(self, rules: RuleSystem | None, seats: tuple[Seat, ...]) -> dict[Seat, Side]:
        """Return each seat's colour on board 1: in the order listed, or as ``colours`` says."""
        first, second = rules_for(rules or USUAL_RULES).sides
        colours = self._table("colours")
        opposite_is_partner = len(seats) > 2
        with_first = {seats[0], seats[0].opposite} if opposite_is_partner else {seats[0]}
        usual = {seat: first if seat in with_first else second for seat in seats}
        swap: bool | None = None
        for seat in self._seat_keys("colours", colours, seats):
            if rules is None:
                continue
            value = colours[seat]
            if value not in (first, second):
                self._value(
                    ("colours", seat), f'expected "{first}" or "{second}", found {_shown(value)}'
                )
                continue
            swapped = usual[seat] != value
            if swap is not None and swap != swapped:
                self._value(
                    ("colours", seat),
                    f"{value} does not fit the other seats: partners share a colour, "
                    "opponents have the other",
                )
            swap = swapped if swap is None else swap
        if swap:
            return {seat: second if side is first else first for seat, side in usual.items()}
        return usual

    def _names(self, seats: tuple[Seat, ...]) -> dict[Seat, str]:
        table = self._table("names")
        names = {}
        for seat in self._seat_keys("names", table, seats):
            name = self._text(("names", seat), table[seat], MOST_IN_A_NAME)
            if name is not None and self.bounded and without_piles(name) != name:
                self._value(
                    ("names", seat),
                    f"expected at most {MOST_MARKS} marks on a letter, found {ascii(name)[:60]}",
                )
            elif name is not None:
                names[seat] = name
        return names

    def _options(self, rules: RuleSystem | None) -> dict[str, OptionValue]:
        options: dict[str, OptionValue] = {}
        for name, value in self._table("options").items():
            path = ("options", name)
            known = OPTIONS.get(name)
            if known is None:
                names = [each for each in OPTIONS if rules in OPTIONS[each].systems or not rules]
                self._key(path, f"unknown option '{name}'; {nearest(name, names)}")
            elif rules is not None and rules not in known.systems:
                systems = ", ".join(known.systems)
                self._key(path, f"{rules} has no option '{name}'; it belongs to {systems}")
            elif not known.allows(value):
                self._value(path, f"expected {known.list_values()}, found {_shown(value)}")
            else:
                options[name] = value
        return options

    def _check_direction(self, seats: tuple[Seat, ...], options: Mapping[str, OptionValue]) -> None:
        """Check that with four seats the order of ``seats`` agrees with the direction of play."""
        if len(seats) != 4 or "direction" not in options:
            return
        runs = "cw" if seats[1] is seats[0].clockwise else "ccw"
        if options["direction"] != runs:
            self._value(
                ("options", "direction"),
                f'seats run "{runs}" round the table, seen from above; '
                f'found "{options["direction"]}"',
            )

    def _handicaps(
        self, rules: RuleSystem | None, seats: tuple[Seat, ...], sides: Mapping[Seat, Side]
    ) -> dict[Side, Handicap]:
        """Check the handicap tables; those of partners merge."""
        tables = self._table("handicap")
        if tables and rules is not None and not facts_of(rules).handicaps:
            those = [name for name, each in RULES.items() if each.facts.handicaps]
            self._key(("handicap",), f"{rules} has no handicaps; they belong to {', '.join(those)}")
            return {}
        merged: dict[Side, dict[str, Any]] = {}
        last: dict[Side, Seat] = {}
        for seat in self._seat_keys("handicap", tables, seats):
            table = tables[seat]
            if not isinstance(table, Mapping):
                self._value(
                    ("handicap", seat),
                    f"expected a table [handicap.{seat}], found {_shown(table)}",
                )
                continue
            of_side = merged.setdefault(sides[seat], {})
            for name, value in table.items():
                if self._handicap_value(seat, name, value, of_side):
                    of_side[name] = value
            last[sides[seat]] = seat
        for side, seat in last.items():
            self._check_handicaps_together(seat, tables[seat], merged[side])
        made = {side: Handicap(**values) for side, values in merged.items()}
        return {side: handicap for side, handicap in made.items() if handicap != Handicap()}

    def _handicap_value(
        self, seat: Seat, name: str, value: object, of_side: Mapping[str, Any]
    ) -> bool:
        path = ("handicap", seat.value, name)
        allowed = HANDICAPS.get(name)
        if allowed is None:
            self._key(path, f"unknown handicap '{name}'; {nearest(name, HANDICAPS)}")
        elif type(value) is not type(allowed[0]) or value not in allowed:
            self._value(path, f"expected {list_values(allowed)}, found {_shown(value)}")
        elif of_side.get(name, value) != value:
            self._value(
                path, f"partners share their handicap: {_shown(of_side[name])} was given before"
            )
        else:
            return True
        return False

    def _check_handicaps_together(
        self, seat: Seat, table: Mapping[str, Any], side: Mapping[str, Any]
    ) -> None:
        """Check which handicaps go together, once the last table of the side is known."""
        starts_ahead = side.get("head_start", 0) > 0
        if starts_ahead and side.get("pucks_needed", 12) < 12:
            name = "pucks_needed" if "pucks_needed" in table else "head_start"
            self._key(
                ("handicap", seat, name),
                "head_start and pucks_needed below 12 exclude each other (HC-3a or HC-3b)",
            )
        if side.get("second_chance_on_jack", False) and not side.get("second_chance", False):
            self._key(
                ("handicap", seat, "second_chance_on_jack"),
                "second_chance_on_jack goes with second_chance = true only (HC-4)",
            )


def _what_is_wrong_with_seats(given: object) -> str | None:
    """Return why these cannot be the seats of a match, None if they can."""
    expected = "expected two, three or four of N, E, S, W in the order of play"
    if not isinstance(given, list | tuple) or not 2 <= len(given) <= 4:
        return f"{expected}, found {_shown(given)}"
    for seat in given:
        if seat not in list(Seat):
            return f"{expected}, found {_shown(seat)}"
    seats = [Seat(seat) for seat in given]
    if len(set(seats)) < len(seats):
        return f"a seat is listed twice: {', '.join(seats)}"
    if len(seats) == 2 and seats[1] is not seats[0].opposite:
        return f"two players face each other: expected N and S or E and W, found {_shown(given)}"
    if len(seats) == 4 and seats[2] is not seats[0].opposite:
        return f"four players sit once round the table, found {', '.join(seats)}"
    return None


def _shown(value: object) -> str:
    """Return a value as written in its source."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        nested = ("a list" if isinstance(each, list | tuple) else _shown(each) for each in value)
        return f"[{', '.join(nested)}]"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number beyond all bounds"
    return str(value)


assert set(Handicap.__struct_fields__) == set(HANDICAPS)
