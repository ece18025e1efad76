"""Read a hand-written table of a system that follows the laws of carrom, and play its cases.

Every seat plays every case, so white and black both do, with two players and with four.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jackspot.core.agreement import OPTIONS, agree
from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules import RULES, FinishedBoard, Rules
from jackspot.core.rules.queen.icf_terms import memo_of
from jackspot.core.ruling import BoardResult, How, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Stroke
from jackspot.values import changed
from tests.core.rules.words import colours, stroke_of

TABLES: Mapping[str, list[str]] = {"two": ["N", "S"], "four": ["S", "E", "N", "W"]}
PAGES = Path(__file__).parents[3] / "firmware/jackspot/core/rules"
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One case of the table; ``[pocketed, owed]`` as counts."""

    row: str
    stroke: str
    mine: Count
    me: Count
    his: Count
    him: Count
    turn: str
    queen: str
    then: str
    place: tuple[str, ...]
    also: tuple[str, ...] = ()
    ever: bool = False
    first: bool = False
    tries: int | None = None
    score: tuple[int, int] = (0, 0)
    points: int = 0
    how: str = ""
    extra: int = 0
    foul: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        agreed = "".join(f" {key}={value}" for key, value in self.options.items())
        counts = f"{self.mine.pocketed},{self.mine.owed} {self.his.pocketed},{self.his.owed}"
        state = f"{counts} {self.queen}{' ever' * self.ever}{' first' * self.first}"
        return f"{self.row} {state} {self.score} {self.stroke}{agreed}"

    @property
    def ends(self) -> bool:
        """Whether the stroke ends the board."""
        return self.turn in {"win", "lose"}


def read_case(data: dict[str, Any]) -> Case:
    """Read one case; an unknown key is a mistake in the table."""
    known = {**data}
    mine, his = known.pop("mine"), known.pop("his", [4, 0])
    queen = known.pop("queen", "board")
    return Case(
        mine=Count(*mine),
        his=Count(*his),
        me=Count(*known.pop("me", mine)),
        him=Count(*known.pop("him", his)),
        queen=queen,
        then=known.pop("then", queen),
        place=tuple(known.pop("place", ())),
        also=tuple(known.pop("also", ())),
        score=tuple(known.pop("score", (0, 0))),
        **known,
    )


@dataclass(frozen=True)
class Table:
    """The table of one system, and its rules page."""

    rules: Rules
    cases: tuple[Case, ...]
    page: str

    @classmethod
    def read(cls, system: RuleSystem) -> Table:
        data = tomllib.loads((HERE / f"{system}_rows.toml").read_text(encoding="utf-8"))
        cases = tuple(read_case(each) for each in data["case"])
        page = next(PAGES.rglob(f"{system}.md")).read_text(encoding="utf-8")
        return cls(RULES[system], cases, page)

    @property
    def played(self) -> list[tuple[Case, str]]:
        """Each case on each board."""
        return [(case, name) for case in self.cases for name in TABLES]

    def rulings(self, case: Case, table: str) -> Iterator[tuple[Position, Stroke, Ruling]]:
        """Let every seat of a board play the case."""
        settings = agree(
            {"rules": self.rules.id, "seats": TABLES[table], "options": dict(case.options)}
        )
        for seat in settings.seats:
            before = self.position_for(case, settings, seat)
            stroke = stroke_of(before, case.stroke)
            yield before, stroke, self.rules.judge(settings, before, stroke)

    def position_for(self, case: Case, settings: MatchSettings, seat: Seat) -> Position:
        """Return a board in the state that the case starts from, with this seat to shoot."""
        boards = boards_for(settings, case.score, settings.sides[seat])
        position = self.rules.opening(settings, boards, settings.seats[0])
        position = changed(position, turn=position.order.index(seat))
        mine = position.side
        by_side = {mine: case.mine, position.other(mine): case.his}
        first, second = position.sides
        memo = memo_of(position)
        me = position.sides.index(mine)
        return changed(
            position,
            counts=(by_side[first], by_side[second]),
            red=red_of(case.queen),
            red_side=queens_side(position, case.queen),
            strokes_in_turn=0 if case.first else 1,
            memo=changed(
                memo,
                ever=(case.ever and me == 0, case.ever and me == 1),
                broken=case.tries is None,
                missed=case.tries or 0,
            ),
        )


def boards_for(
    settings: MatchSettings, score: tuple[int, int], mine: Side
) -> tuple[FinishedBoard, ...]:
    """Return finished boards that make this score; none if it is 0:0."""
    if score == (0, 0):
        return ()
    points = {side: score[0] if side is mine else score[1] for side in settings.sides.values()}
    result = BoardResult(None, How.DRAW, points)
    return (FinishedBoard(1, settings.seats[0], settings.sides, result),)


def red_of(word: str) -> RedPlace:
    return RedPlace.COVERED if word in {"mine", "his"} else RedPlace(word)


def queens_side(position: Position, word: str) -> Side | None:
    """Return the side that has the queen; None if she is on the board."""
    mine = position.side
    return {"board": None, "pending": mine, "mine": mine, "his": position.other(mine)}[word]


def check_case(case: Case, before: Position, ruling: Ruling) -> None:
    """Check a ruling against all that its case says."""
    words = colours(before)
    side, other, after = before.side, before.other(before.side), ruling.after
    assert ruling.rows == (case.row, *case.also)
    assert ruling.place == tuple(words[word] for word in case.place)
    assert (after.count(side), after.count(other)) == (case.me, case.him)
    assert (after.red, after.red_side) == (red_of(case.then), queens_side(before, case.then))
    assert ruling.foul == case.foul
    assert ruling.keeps_turn == (case.turn == "keep")
    if not case.ends:
        assert ruling.result is None
        passes = 0 if case.turn == "keep" else 1
        was_a_stroke = case.row != "IC-21"
        strokes = before.strokes_in_turn + was_a_stroke
        assert after.strokes_in_turn == (0 if passes else strokes)
        assert ruling.next is before.order[(before.turn + passes) % len(before.order)]
        return
    assert after.strokes_in_turn == before.strokes_in_turn + 1
    winner = side if case.turn == "win" else other
    expected = {side: 0, other: 0} | {winner: case.points}
    assert ruling.result is not None
    assert ruling.result == BoardResult(winner, How(case.how), ruling.result.points)
    assert dict(ruling.result.points) == expected


def check_pieces(case: Case, before: Position, stroke: Stroke) -> None:
    """Check that a case neither makes nor loses a piece, and leaves no debt that could be paid."""
    for word, was, now in (("own", case.mine, case.me), ("opp", case.his, case.him)):
        piece = colours(before)[word]
        left = stroke.pocketed(piece) + stroke.flown(piece)
        assert was.pocketed + left - case.place.count(word) == now.pocketed
        assert not (now.owed and now.pocketed), "a debt is paid as soon as it can be"


def check_the_page_names_every_option(table: Table) -> None:
    """Check that the rules page has each option of the system with the usual value first."""
    system = table.rules.id
    named = dict(re.findall(r"^\| `(\w+)`(?: \([^|]*\))? \| ([^|]+) \|", table.page, re.MULTILINE))
    known = [option for option in OPTIONS.values() if system in option.systems]
    assert set(named) == {option.name for option in known}
    for option in known:
        usual = option.defaults[system]
        first = re.split(r"[,: ]", named[option.name].replace("`", ""))[0]
        assert first == (str(usual).lower() if isinstance(usual, bool) else str(usual)), option.name
