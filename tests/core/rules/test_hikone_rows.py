"""Hikone carom held against its decision table, which was written down by hand.

Every case is played by every seat, red and green, at a board of two and at a board of four.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from jackspot.core.agreement import HANDICAPS, OPTIONS, agree
from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules import RULES
from jackspot.core.ruling import How, IllegalStroke, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke

HIKONE = RULES[RuleSystem.HIKONE]
TABLE = Path(__file__).with_name("hikone_rows.toml")
TABLES: Mapping[str, list[str]] = {"two": ["N", "S"], "four": ["N", "E", "S", "W"]}
RULES_PAGE = Path(__file__).parents[3] / "firmware/jackspot/core/rules/hikone.md"
ALL_ROWS = [f"HK-{number:02}" for number in range(1, 47)]


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
        """The boards it can happen on."""
        return (name for name in TABLES if self.only in {None, name})


def read_case(data: dict[str, Any]) -> Case:
    """Read one case; an unknown key is a mistake of the table's."""
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


DATA = tomllib.loads(TABLE.read_text(encoding="utf-8"))
CASES = [read_case(each) for each in DATA["case"]]
WATCHED: Mapping[str, str] = DATA["watched"]
PLAYED = [(case, name) for case in CASES for name in case.tables]


# from the table's words to values


def settings_for(case: Case, table: str) -> MatchSettings:
    return agree({"rules": "hikone", "seats": TABLES[table], "options": dict(case.options)})


def colours(position: Position) -> dict[str, Piece]:
    """What ``own`` and ``opp`` are for the seat in turn."""
    own = position.side
    return {"own": own.piece, "opp": position.other(own).piece, "jack": Piece.JACK}


def stroke_of(position: Position, text: str) -> Stroke:
    """Read a stroke as a record writes it, with ``own`` and ``opp`` for the colours."""
    words = {**colours(position), "striker": Piece.STRIKER}
    departures: list[Departure] = []
    flags: set[Flag] = set()
    for token in text.split():
        match = re.fullmatch(r"(?:(\d+)\*)?(\w+)(?:@(\w\w))?(\^?)", token)
        if match and match[2] in words:
            pocket = Pocket(match[3]) if match[3] else None
            piece = Departure(words[match[2]], pocket, flew_off=bool(match[4]))
            departures += [piece] * int(match[1] or 1)
        elif token != "-":
            flags.add(Flag(token))
    return Stroke(position.seat, tuple(departures), frozenset(flags))


def position_for(case: Case, settings: MatchSettings, seat: Seat) -> Position:
    """A board in the state the case starts from, with this seat to shoot."""
    position = HIKONE.opening(settings, (), settings.seats[0])
    position = replace(position, turn=position.order.index(seat))
    by_side = {position.side: case.mine, position.other(position.side): case.his}
    first, second = position.sides
    return replace(position, counts=(by_side[first], by_side[second]))


def rulings(case: Case, table: str) -> Iterator[tuple[Position, Stroke, Ruling]]:
    """Let every seat of a board play the case."""
    settings = settings_for(case, table)
    for seat in settings.seats:
        before = position_for(case, settings, seat)
        stroke = stroke_of(before, case.stroke)
        yield before, stroke, HIKONE.judge(settings, before, stroke)


each_case = pytest.mark.parametrize(
    ("case", "table"), PLAYED, ids=[f"{case}, {table}" for case, table in PLAYED]
)


# the engine against the table


@each_case
def test_the_ruling_cites_the_row_it_follows(case, table):
    for _, _, ruling in rulings(case, table):
        assert ruling.rows == (case.row, *case.also)


@each_case
def test_what_goes_back_lies_in_the_tables_order_from_bottom_to_top(case, table):
    for before, _, ruling in rulings(case, table):
        words = colours(before)
        assert ruling.place == tuple(words[word] for word in case.place)


@each_case
def test_both_sides_have_in_and_owe_what_the_table_says(case, table):
    for before, _, ruling in rulings(case, table):
        assert ruling.after.count(before.side) == case.me
        assert ruling.after.count(before.other(before.side)) == case.him


@each_case
def test_the_turn_is_kept_or_passed_as_the_table_says(case, table):
    for before, _, ruling in rulings(case, table):
        assert ruling.keeps_turn == (case.turn == "keep")
        if case.turn == "keep":
            assert ruling.next is before.seat
        if case.turn == "pass":
            places = len(before.order)
            assert ruling.next is before.order[(before.turn + 1) % places]


@each_case
def test_the_board_ends_for_the_shooter_where_the_table_says_so_and_nowhere_else(case, table):
    for before, _, ruling in rulings(case, table):
        if case.turn != "win":
            assert ruling.result is None
            assert ruling.after.red is RedPlace.BOARD
            continue
        assert ruling.result is not None
        assert (ruling.result.winner, ruling.result.how) == (before.side, How.JACK)
        assert ruling.result.points[before.side] == case.me.pocketed
        assert ruling.result.points[before.other(before.side)] == case.him.pocketed
        assert ruling.after.red is RedPlace.POCKETED


@each_case
def test_a_foul_is_called_a_foul_and_nothing_else_is(case, table):
    for _, _, ruling in rulings(case, table):
        assert ruling.foul == case.foul


@pytest.mark.parametrize("tokens", ["area", "area own", "area striker"])
def test_the_area_rule_is_for_doubles(tokens):
    settings = agree({"rules": "hikone", "seats": ["N", "S"]})
    position = HIKONE.opening(settings, (), Seat.N)
    with pytest.raises(IllegalStroke, match="area"):
        HIKONE.judge(settings, position, stroke_of(position, tokens))


# the table against itself and against the rules page


def test_every_row_has_a_case_or_is_only_watched():
    assert sorted({case.row for case in CASES} | set(WATCHED)) == ALL_ROWS
    assert not {case.row for case in CASES} & set(WATCHED)


def test_every_row_that_is_not_for_doubles_only_is_played_by_two_and_by_four():
    played = {(case.row, table) for case, table in PLAYED}
    for row in ALL_ROWS:
        if row not in WATCHED:
            assert (row, "four") in played
            assert row == "HK-43" or (row, "two") in played


SETTLED = [case for case in CASES if case.turn != "win" and case.row != "HK-43"]
"""Neither a win, which puts nothing back, nor an area hit, which puts all back as it lay."""


@pytest.mark.parametrize("case", SETTLED, ids=str)
def test_the_table_neither_makes_nor_loses_a_puck(case):
    """What was on the board, less what left it, and what was put back, is there after it."""
    settings = settings_for(case, "four")
    position = position_for(case, settings, Seat.N)
    stroke = stroke_of(position, case.stroke)
    for word, before, after in (("own", case.mine, case.me), ("opp", case.his, case.him)):
        piece = colours(position)[word]
        left = stroke.pocketed(piece) + stroke.flown(piece)
        assert before.pocketed + left - case.place.count(word) == after.pocketed
        assert not (after.owed and after.pocketed), "a debt is paid as soon as it can be"


def test_red_and_green_both_play_every_case():
    for table, seats in TABLES.items():
        settings = agree({"rules": "hikone", "seats": seats})
        assert {settings.sides[seat] for seat in settings.seats} == {Side.RED, Side.GREEN}, table


def test_the_rules_page_and_the_table_name_the_same_rows():
    named = set(re.findall(r"\bHK-\d\d\b", RULES_PAGE.read_text(encoding="utf-8")))
    assert named == set(ALL_ROWS)
    in_table = {case.row for case in CASES} | set(WATCHED)
    assert named <= in_table


def test_each_row_of_the_rules_page_has_its_own_line_in_order():
    lines = re.findall(r"^\| (HK-\d\d) \|", RULES_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert lines == ALL_ROWS


def test_the_rules_page_names_every_option_and_handicap_with_the_usual_value_first():
    page = RULES_PAGE.read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `(\w+)`(?: \([^|]*\))? \| ([^|]+) \|", page, re.MULTILINE))
    known = [option for option in OPTIONS.values() if RuleSystem.HIKONE in option.systems]
    assert set(named) == {option.name for option in known} | set(HANDICAPS)
    for option in known:
        usual = option.defaults[RuleSystem.HIKONE]
        first = re.split(r"[,: ]", named[option.name].replace("`", ""))[0]
        assert first == (str(usual).lower() if isinstance(usual, bool) else str(usual)), option.name
