"""Points carrom, checked against its decision table, which was written by hand.

Every seat of both sides plays every case, with two players and with four.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from jackspot.core.agreement import OPTIONS, agree
from jackspot.core.directives import GiveTurn
from jackspot.core.match import Match, MatchState, deal_points
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.record import read_entry_line
from jackspot.core.rules import RULES
from jackspot.core.ruling import Ruling
from jackspot.core.settings import RuleSystem
from tests.conftest import each_of

POINTS = RULES[RuleSystem.POINTS]
TABLE = Path(__file__).with_name("points_rows.toml")
RULES_PAGE = Path(__file__).parents[3] / "firmware/jackspot/core/rules/points/points.md"
ALL_ROWS = [f"PT-{number:02}" for number in range(1, 15)]
SEATINGS = (["N", "S"], ["W", "E"], ["N", "E", "S", "W"])
ENDS = ("won", "lost", "drawn")


@dataclass(frozen=True)
class Case:
    """One case of the table, which says what its keys mean; pairs are mine and his."""

    row: str
    stroke: str
    points: list[int]
    pocketed: list[int]
    turn: str
    before: list[str] = field(default_factory=lambda: ["me -", "him -"])
    also: list[str] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    queen: str = "board"
    how: str | None = None
    foul: bool = False
    left: list[int] | None = None
    side: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        agreed = "".join(f" {key}" for key in self.options)
        return f"{self.row} {', '.join(self.before)}: {self.stroke}{agreed}"


CASES = [Case(**each) for each in tomllib.loads(TABLE.read_text(encoding="utf-8"))["case"]]


class Played(Struct, frozen=True):
    """A case played by one seat: its side, the state before its stroke, and after it."""

    mine: Side
    before: MatchState
    after: MatchState

    @property
    def his(self) -> Side:
        return self.before.position.other(self.mine)

    @property
    def ruling(self) -> Ruling:
        assert self.after.ruling is not None
        return self.after.ruling

    def by_side(self, pair: list[int]) -> dict[Side, int]:
        """Key a pair of the table by side."""
        return {self.mine: pair[0], self.his: pair[1]}


def shoot(match: Match, mine: Side, line: str) -> Match:
    """Enter "me black" or "him -" as a stroke of the seat in turn."""
    who, _, content = line.partition(" ")
    state = match.state
    assert state.next is not None
    assert (state.position.side is mine) == (who == "me"), f"{line}: it is the other's turn"
    return match.enter(read_entry_line(f"{state.next} {content}", RuleSystem.POINTS))


@cache
def played(index: int) -> tuple[Played, ...]:
    return tuple(plays(CASES[index]))


def plays(case: Case) -> Iterator[Played]:
    """Let every seat of every seating play the case, if the case is for its side."""
    for seats in SEATINGS:
        data = {"rules": "points", "seats": seats, "options": {"best_of": 3, **case.options}}
        for seat in seats:
            match = Match.begin(agree(data)).enter(GiveTurn(Seat(seat)))
            mine = match.state.position.side
            if case.side in {None, mine.value}:
                for line in case.before:
                    match = shoot(match, mine, line)
                after = shoot(match, mine, f"me {case.stroke}")
                yield Played(mine, match.state, after.state)


each_case = each_of(enumerate(CASES))


# the engine against the table


@each_case
def test_the_ruling_cites_the_row_it_follows(index, case):
    assert len(played(index)) == (8 if case.side is None else 4)
    for each in played(index):
        assert each.ruling.rows == (case.row, *case.also)


@each_case
def test_what_goes_back_is_what_the_table_says(index, case):
    for each in played(index):
        assert [piece.value for piece in each.after.place] == case.place


@each_case
def test_both_sides_have_the_points_and_pieces_the_table_says(index, case):
    for each in played(index):
        counts = each.after.position.counts_by_side()
        assert dict(deal_points(each.after)) == each.by_side(case.points)
        assert {side: count.pocketed for side, count in counts.items()} == each.by_side(
            case.pocketed
        )
        assert all(count.owed == 0 for count in counts.values())


@each_case
def test_the_queen_is_where_the_table_says(index, case):
    for each in played(index):
        position = each.after.position
        shown = f"{position.red}" + (f":{position.red_side}" if position.red_side else "")
        assert (
            shown
            == {
                "board": "board",
                "pending": f"pending:{each.mine}",
                "mine": f"covered:{each.mine}",
                "his": f"covered:{each.his}",
            }[case.queen]
        )


@each_case
def test_the_turn_goes_on_passes_or_ends_the_board_as_the_table_says(index, case):
    for each in played(index):
        assert each.ruling.keeps_turn == (case.turn == "keep")
        assert each.ruling.foul == case.foul
        before = each.before.position
        if case.turn == "keep":
            assert each.after.next is before.seat
        if case.turn == "pass":
            assert each.after.next is before.order[before.following]


@each_case
def test_the_board_ends_where_the_table_says_so_and_nowhere_else(index, case):
    for each in played(index):
        result = each.after.result
        if case.turn not in ENDS:
            assert result is None
            continue
        assert result is not None
        assert result.winner is {"won": each.mine, "lost": each.his, "drawn": None}[case.turn]
        assert result.how.value == case.how


@each_case
def test_on_the_board_lies_what_was_neither_credited_nor_void(index, case):
    for each in played(index):
        lies = POINTS.on_board(each.after.position)
        assert lies[Piece.QUEEN] == (case.queen == "board")
        if case.left:
            assert [lies[Piece.BLACK], lies[Piece.BROWN]] == case.left


# the table against itself and against the rules page


def test_every_row_has_a_case():
    assert sorted({case.row for case in CASES}) == ALL_ROWS


def test_each_row_of_the_rules_page_has_its_own_line_in_order():
    page = RULES_PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| (PT-\d\d) \|", page, re.MULTILINE) == ALL_ROWS
    assert set(re.findall(r"\bPT-\d\d\b", page)) == set(ALL_ROWS)


def test_the_rules_page_reads_every_open_sentence():
    page = RULES_PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"\bD-\d\d\b", page)) == {f"D-{number:02}" for number in range(1, 10)}


@pytest.mark.parametrize("fault", ["", " striker", " foul"])
@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("order", ["any", "after"])
@pytest.mark.parametrize(
    ("two_colours", "counters", "last"),
    [(False, "9*black 7*brown", "2*brown"), (True, "8*black", "black")],
)
def test_a_queen_that_falls_after_the_last_counter_loses_the_board_unless_some_come_back(
    two_colours, counters, last, order, returns, fault
):
    options = {"two_colours": two_colours, "cover_order": order, "void_returns_counters": returns}
    match = Match.begin(agree({"rules": "points", "options": options}))
    for line in (f"N {counters}", "N -", "S -"):
        match = match.enter(read_entry_line(line, RuleSystem.POINTS))
    state = match.enter(read_entry_line(f"N {last} queen{fault}", RuleSystem.POINTS)).state
    covered = order == "any" and not fault
    assert (state.result is not None and state.result.how.value == "foul") == (
        not covered and not returns
    )
    if returns and not covered:
        assert POINTS.on_board(state.position) == POINTS.on_board(match.state.position)
        assert deal_points(state) == deal_points(match.state)
        assert state.next is Seat.S


def test_the_rules_page_names_every_option_with_the_usual_value_first():
    page = RULES_PAGE.read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE))
    known = [option for option in OPTIONS.values() if RuleSystem.POINTS in option.systems]
    assert list(named) == [option.name for option in known]
    for option in known:
        usual = option.defaults[RuleSystem.POINTS]
        first = re.split(r"[,;: ]", named[option.name].replace("`", ""))[0]
        assert first == (str(usual).lower() if isinstance(usual, bool) else str(usual)), option.name
