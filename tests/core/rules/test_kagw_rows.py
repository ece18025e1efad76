"""KAGW carroms, checked against its decision table, which was written by hand.

Every seat, white and black, plays every case, with two players and with four.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from jackspot.core.agreement import OPTIONS, agree
from jackspot.core.directives import RedPlace, Say, Saying
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules import RULES, IllegalDirective
from jackspot.core.rules.queen.kagw import memo_of
from jackspot.core.ruling import How, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.values import changed
from tests.conftest import each_of
from tests.core.rules.words import colours, stroke_of

KAGW = RULES[RuleSystem.KAGW]
TABLE = Path(__file__).with_name("kagw_rows.toml")
TABLES: Mapping[str, list[str]] = {"two": ["N", "S"], "four": ["N", "E", "S", "W"]}
RULES_PAGE = Path(__file__).parents[3] / "firmware/jackspot/core/rules/queen/kagw.md"
ALL_ROWS = [f"KG-{number:02}" for number in range(1, 32)]
PLACES = {
    "board": RedPlace.BOARD,
    "early": RedPlace.POCKETED,
    "pending": RedPlace.PENDING,
    "mine": RedPlace.COVERED,
    "his": RedPlace.COVERED,
}


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
    queen: str
    then: str
    also: tuple[str, ...] = ()
    foul: bool = False
    misses: int | None = None
    earlier: bool = False
    points: int | None = None
    forgot: tuple[Count, Count] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        agreed = "".join(f" {key}={value}" for key, value in self.options.items())
        before = f"{self.mine.pocketed},{self.mine.owed} queen {self.queen}"
        return f"{self.row} {before}{' earlier' * self.earlier}: {self.stroke}{agreed}"


def read_case(data: dict[str, Any]) -> Case:
    """Read one case; an unknown key is a mistake in the table."""
    known = {**data}
    mine, his, queen = known.pop("mine"), known.pop("his", [4, 0]), known.pop("queen", "board")
    forgot = known.pop("forgot", None)
    return Case(
        mine=Count(*mine),
        his=Count(*his),
        me=Count(*known.pop("me", mine)),
        him=Count(*known.pop("him", his)),
        place=tuple(known.pop("place", ())),
        also=tuple(known.pop("also", ())),
        queen=queen,
        then=known.pop("then", queen),
        forgot=(Count(*forgot[0]), Count(*forgot[1])) if forgot else None,
        **known,
    )


DATA = tomllib.loads(TABLE.read_text(encoding="utf-8"))
CASES = [read_case(each) for each in DATA["case"]]
WATCHED: Mapping[str, str] = DATA["watched"]
PLAYED = [(case, name) for case in CASES for name in TABLES]


# from the table's words to values


def settings_for(case: Case, table: str) -> MatchSettings:
    return agree({"rules": "kagw", "seats": TABLES[table], "options": dict(case.options)})


def whose(position: Position, queen: str, me: Side) -> Side | None:
    """Return the side that has the queen, by a table's word for her place."""
    if queen == "his":
        return position.other(me)
    return me if queen in ("mine", "pending") else None


def position_for(case: Case, settings: MatchSettings, seat: Seat) -> Position:
    """Return a board in the state that the case starts from, with this seat to shoot."""
    position = KAGW.opening(settings, (), settings.seats[0])
    position = changed(position, turn=position.order.index(seat))
    by_side = {position.side: case.mine, position.other(position.side): case.his}
    first, second = position.sides
    broken, misses = case.misses is None, case.misses or 0
    memo = changed(memo_of(position), broken=broken, missed=misses, own_in_turn=case.earlier)
    return changed(
        position,
        counts=(by_side[first], by_side[second]),
        strokes_in_turn=2,
        red=PLACES[case.queen],
        red_side=whose(position, case.queen, position.side),
        memo=memo,
    )


def rulings(case: Case, table: str) -> Iterator[tuple[MatchSettings, Position, Ruling]]:
    """Let every seat of a board play the case."""
    settings = settings_for(case, table)
    for seat in settings.seats:
        before = position_for(case, settings, seat)
        yield settings, before, KAGW.judge(settings, before, stroke_of(before, case.stroke))


each_case = each_of(PLAYED)


# the engine against the table


@each_case
def test_a_stroke_is_judged_as_the_table_says(case, table):
    for _, before, ruling in rulings(case, table):
        words, after, me = colours(before), ruling.after, before.side
        assert ruling.rows == (case.row, *case.also)
        assert ruling.place == tuple(words[word] for word in case.place)
        assert (after.count(me), after.count(before.other(me))) == (case.me, case.him)
        assert (after.red, after.red_side) == (PLACES[case.then], whose(before, case.then, me))
        assert ruling.keeps_turn == (case.turn == "keep")
        assert ruling.foul == case.foul
        if case.turn == "win":
            assert ruling.result is not None
            assert (ruling.result.winner, ruling.result.how) == (me, How.PIECES)
            assert ruling.result.points == {me: case.points, before.other(me): 0}
            continue
        passes = 0 if case.turn == "keep" else 1
        assert ruling.result is None
        assert ruling.next is before.order[(before.turn + passes) % len(before.order)]
        assert after.strokes_in_turn == (0 if passes else before.strokes_in_turn + 1)


@each_case
def test_what_was_paid_for_old_debts_can_be_forgotten_and_nothing_else(case, table):
    forgot = Say(Saying.FORGOT)
    for settings, before, ruling in rulings(case, table):
        if case.forgot is None:
            with pytest.raises(IllegalDirective, match="right after the stroke"):
                KAGW.direct(settings, ruling.after, forgot)
            continue
        effect = KAGW.direct(settings, ruling.after, forgot)
        me, him = before.side, before.other(before.side)
        assert (effect.after.count(me), effect.after.count(him)) == case.forgot
        assert effect.place == ()
        assert effect.after.seat is ruling.next
        if case.forgot[0].pocketed == 9:
            assert effect.result is not None
            assert (effect.result.winner, effect.result.how) == (me, How.PIECES)
        else:
            assert effect.result is None


# the table against itself and against the rules page


def test_every_row_has_a_case_or_is_only_watched():
    assert sorted({case.row for case in CASES} | set(WATCHED)) == ALL_ROWS
    assert not {case.row for case in CASES} & set(WATCHED)


@each_of(case for case in CASES if case.turn != "win")
def test_the_table_neither_makes_nor_loses_a_piece(case):
    """The board then has what was on it, less what left it, plus what was put back."""
    settings = settings_for(case, "four")
    position = position_for(case, settings, Seat.N)
    stroke = stroke_of(position, case.stroke)
    for word, before, after in (("own", case.mine, case.me), ("opp", case.his, case.him)):
        piece = colours(position)[word]
        left = stroke.pocketed(piece) + stroke.flown(piece)
        assert before.pocketed + left - case.place.count(word) == after.pocketed
        if case.turn == "pass":
            assert not (after.owed and after.pocketed), "a turn's end pays what can be paid"
    was_out, is_out = case.queen != "board", case.then != "board"
    left = stroke.pocketed(Piece.QUEEN) + stroke.flown(Piece.QUEEN)
    assert was_out + left - case.place.count("queen") == is_out


def test_the_rules_page_and_the_table_name_the_same_rows():
    named = set(re.findall(r"\bKG-\d\d\b", RULES_PAGE.read_text(encoding="utf-8")))
    assert named == set(ALL_ROWS)
    assert named == {case.row for case in CASES} | set(WATCHED)


def test_each_row_of_the_rules_page_has_its_own_line_in_order():
    lines = re.findall(r"^\| (KG-\d\d) \|", RULES_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert lines == ALL_ROWS


def test_the_rules_page_names_every_option_with_the_usual_value_first():
    page = RULES_PAGE.read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `(\w+)`(?: \([^|]*\))? \| ([^|]+) \|", page, re.MULTILINE))
    known = [option for option in OPTIONS.values() if RuleSystem.KAGW in option.systems]
    assert set(named) == {option.name for option in known}
    for option in known:
        usual = option.defaults[RuleSystem.KAGW]
        first = re.split(r"[,: ]", named[option.name].replace("`", ""))[0]
        assert first == (str(usual).lower() if isinstance(usual, bool) else str(usual)), option.name
