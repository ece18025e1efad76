"""Cases of a decision table of carom with a jack: hikone_rows.toml says what its keys mean."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jackspot.core.agreement import agree
from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Seat
from jackspot.core.position import Count, Position
from jackspot.core.rules import Rules
from jackspot.core.ruling import How, Ruling
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Stroke
from jackspot.values import changed
from tests.core.rules.words import colours, stroke_of

TABLES: Mapping[str, list[str]] = {"two": ["N", "S"], "four": ["N", "E", "S", "W"]}


@dataclass(frozen=True)
class Case:
    """One case of the table; ``[pocketed, owed]`` as counts."""

    row: str
    mine: Count
    stroke: str
    me: Count
    him: Count
    turn: str
    his: Count
    place: tuple[str, ...]
    also: tuple[str, ...] = ()
    foul: bool = False
    only: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        agreed = "".join(f" {key}={value}" for key, value in self.options.items())
        return f"{self.row} {self.mine.pocketed},{self.mine.owed} {self.stroke}{agreed}"

    @property
    def tables(self) -> Iterator[str]:
        """The boards that it can happen on."""
        return (name for name in TABLES if self.only in {None, name})


def read_case(data: dict[str, Any]) -> Case:
    """Read one case; an unknown key is a mistake in the table."""
    known = {**data}
    mine, his = known.pop("mine"), known.pop("his", [4, 0])
    return Case(
        mine=Count(*mine),
        his=Count(*his),
        me=Count(*known.pop("me", mine)),
        him=Count(*known.pop("him", his)),
        place=tuple(known.pop("place", ())),
        also=tuple(known.pop("also", ())),
        **known,
    )


def read_table(name: str) -> tuple[list[Case], Mapping[str, str]]:
    """Read a table beside this file: its cases, and the rows that only people watch."""
    data = tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return [read_case(each) for each in data["case"]], data.get("watched", {})


# from the table's words to values


def settings_for(rules: Rules, case: Case, table: str) -> MatchSettings:
    return agree({"rules": rules.id, "seats": TABLES[table], "options": dict(case.options)})


def position_for(rules: Rules, case: Case, settings: MatchSettings, seat: Seat) -> Position:
    """Return a board in the state that the case starts from, with this seat to shoot."""
    position = rules.opening(settings, (), settings.seats[0])
    position = changed(position, turn=position.order.index(seat))
    by_side = {position.side: case.mine, position.other(position.side): case.his}
    first, second = position.sides
    return changed(position, counts=(by_side[first], by_side[second]))


def rulings(rules: Rules, case: Case, table: str) -> Iterator[tuple[Position, Stroke, Ruling]]:
    """Let every seat of a board play the case."""
    settings = settings_for(rules, case, table)
    for seat in settings.seats:
        before = position_for(rules, case, settings, seat)
        stroke = stroke_of(before, case.stroke)
        yield before, stroke, rules.judge(settings, before, stroke)


def check_case(case: Case, before: Position, ruling: Ruling, *, jack_points: int) -> None:
    """Check a ruling against all that its case says."""
    words, after, other = colours(before), ruling.after, before.other(before.side)
    assert ruling.rows == (case.row, *case.also)
    assert ruling.place == tuple(words[word] for word in case.place)
    assert (after.count(before.side), after.count(other)) == (case.me, case.him)
    assert ruling.keeps_turn == (case.turn == "keep")
    assert ruling.foul == case.foul
    if case.turn != "win":
        passes = 0 if case.turn == "keep" else 1
        assert ruling.next is before.order[(before.turn + passes) % len(before.order)]
        assert ruling.result is None
        assert after.red is RedPlace.BOARD
        return
    assert ruling.result is not None
    assert (ruling.result.winner, ruling.result.how) == (before.side, How.JACK)
    assert ruling.result.points[before.side] == jack_points + case.me.pocketed
    assert ruling.result.points[other] == case.him.pocketed
    assert after.red is RedPlace.POCKETED
