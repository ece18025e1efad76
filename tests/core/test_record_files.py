"""Whole records and their scores, worked out by hand from the rules.

Each row below is one object of ``entries``; its class gives what a row leaves out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jackspot.core.record import read_record
from jackspot.core.scoring import score

RECORDS = Path(__file__).parents[1] / "records"
SIDES = {"N": "red", "S": "red", "E": "green", "W": "green"}


@dataclass(frozen=True)
class Row:
    """One expected entry; ``counts`` are pocketed red and green, ``owed`` likewise.

    ``turn`` is "keep N" or "pass S"; points are the pucks in unless said otherwise.
    """

    line: int
    seat: str
    rulings: str
    turn: str
    counts: tuple[int, int]
    owed: tuple[int, int] = (0, 0)
    place: str = ""
    foul: bool = False
    board: int = 1
    over: dict[str, Any] | None = None
    points: tuple[int, int] | None = None
    jack: str = "board"

    def expected(self, sides: dict[str, str]) -> dict[str, Any]:
        keeps, _, following = self.turn.partition(" ")
        return {
            "line": self.line,
            "seat": self.seat,
            "side": sides[self.seat],
            "board": self.board,
            "rulings": self.rulings.split(),
            "foul": self.foul,
            "keeps_turn": keeps == "keep",
            "next": following or None,
            "place": self.place.split(),
            "pocketed": {"red": self.counts[0], "green": self.counts[1]},
            "owed": {"red": self.owed[0], "green": self.owed[1]},
            "jack": self.jack,
            "points": colours(self.points or self.counts),
            "board_over": self.over,
        }


@dataclass(frozen=True)
class Said(Row):
    """A directive: ``rulings`` holds its word, ``seat`` a seat, a side, or nothing."""

    def expected(self, sides: dict[str, str]) -> dict[str, Any]:
        seat = self.seat if self.seat in SIDES else None
        side = self.seat if self.seat in SIDES.values() else None
        both = {**sides, self.seat: "red"}
        entry = super().expected(both) | {"seat": seat, "side": side, "rulings": []}
        items = list(entry.items())
        return dict([*items[:4], ("directive", self.rulings), *items[4:]])


def colours(pair: tuple[int, int]) -> dict[str, int]:
    return {"red": pair[0], "green": pair[1]}


def ended(winner: str | None, how: str, *points: int) -> dict[str, Any]:
    return {"winner": winner, "how": how, "points": {"red": points[0], "green": points[1]}}


DEBTS_AND_JACK = [
    Row(8, "N", "HK-08", "pass S", (0, 0), (1, 0), foul=True),
    Row(9, "S", "HK-02", "keep S", (0, 3), (1, 0)),
    Row(10, "S", "HK-04", "keep S", (0, 4), place="red"),
    Row(11, "S", "HK-16", "pass N", (0, 0), (0, 1), "green green green green jack", foul=True),
    Row(12, "N", "HK-01", "pass S", (0, 0), (0, 1)),
    Row(13, "S", "HK-39", "keep S", (0, 0), place="red green"),
    Row(20, "S", "HK-01", "pass N", (0, 0)),
    Said(21, "red", "set", "pass N", (12, 0)),
    Row(22, "N", "HK-03", "pass S", (12, 1)),
    Row(23, "S", "HK-02", "keep S", (12, 2)),
    Row(24, "S", "HK-01", "pass N", (12, 2)),
    Row(
        25,
        "N",
        "HK-23",
        "pass",
        (12, 2),
        over=ended("red", "jack", 12, 2),
        jack="pocketed",
    ),
]

FOUR_SEATS = [
    Row(6, "N", "HK-04", "keep N", (1, 1)),
    Row(7, "N", "HK-43", "pass E", (1, 1)),
    Row(8, "E", "HK-36", "pass S", (1, 0), place="red green green", foul=True),
    Row(9, "S", "HK-01", "pass W", (1, 0)),
    Row(10, "W", "HK-43", "pass N", (1, 0), (0, 1), foul=True),
    Said(11, "W", "turn", "pass W", (1, 0), (0, 1)),
    Row(12, "W", "HK-31", "pass N", (1, 0), (0, 1), "green"),
    Said(13, "E", "resign", "pass E", (1, 0), (0, 1), over=ended("red", "resign", 1, 0)),
    Row(14, "E", "HK-02", "keep E", (0, 2), board=2),
    Said(15, "", "draw", "pass N", (0, 2), board=2, over=ended(None, "draw", 0, 2)),
    Row(16, "N", "HK-14", "pass E", (0, 0), (1, 0), "red", foul=True, board=3),
    Said(17, "", "board", "pass N", (0, 0), board=4),
    Row(18, "N", "HK-02", "keep N", (1, 0), board=4),
    Said(19, "N", "resign", "pass", (1, 0), board=4, over=ended("green", "resign", 1, 0)),
]

SUDDEN_DEATH = [
    Row(7, "N", "HK-02", "keep N", (1, 0)),
    Row(8, "N", "HK-01", "pass S", (1, 0)),
    Said(9, "", "time", "pass S", (1, 0)),
    Row(10, "S", "HK-02", "keep S", (1, 1)),
    Row(11, "S", "HK-01", "pass N", (1, 1)),
    Row(12, "N", "HK-07", "pass S", (0, 1), place="red", foul=True),
    Row(13, "S", "HK-03", "pass N", (1, 1)),
    Row(14, "N", "HK-04", "pass", (2, 2), over=ended("red", "time", 2, 1), points=(2, 1)),
]

TWO = {"N": "red", "S": "green"}
FILES: dict[str, tuple[dict[str, str], list[Any], dict[str, Any]]] = {
    "debts_and_jack": (
        TWO,
        DEBTS_AND_JACK,
        {"over": True, "winner": "red", "points": (12, 2), "boards_won": (1, 0)},
    ),
    "four_seats": (
        SIDES,
        FOUR_SEATS,
        {"over": True, "winner": None, "points": (2, 2), "boards_won": (1, 1)},
    ),
    "sudden_death": (
        TWO,
        SUDDEN_DEATH,
        {"over": True, "winner": "red", "points": (2, 1), "boards_won": (1, 0)},
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_record_scores_to_what_was_worked_out_by_hand(name):
    sides, rows, match = FILES[name]
    result = score(read_record((RECORDS / f"{name}.carom").read_text(encoding="utf-8")))
    for entry, row in zip(result["entries"], rows, strict=True):
        assert entry == row.expected(sides)
    assert result["boards"] == [row.over for row in rows if row.over]
    assert result["match"] == match | {
        "points": colours(match["points"]),
        "boards_won": colours(match["boards_won"]),
    }


def test_the_json_is_the_published_one_to_the_letter():
    text = """# jackspot record 1
rules = "hikone"
seats = ["N", "S"]
[handicap.S]
head_start = 4
---
N red@NE
! turn S
S striker
"""
    assert json.dumps(score(read_record(text))) == (
        '{"record": 1, "rules": "hikone", "entries": ['
        '{"line": 7, "seat": "N", "side": "red", "board": 1, "rulings": ["HK-02"], '
        '"foul": false, "keeps_turn": true, "next": "N", "place": [], '
        '"pocketed": {"red": 1, "green": 4}, "owed": {"red": 0, "green": 0}, '
        '"jack": "board", "points": {"red": 1, "green": 4}, "board_over": null}, '
        '{"line": 8, "seat": "S", "side": null, "board": 1, "directive": "turn", '
        '"rulings": [], "foul": false, "keeps_turn": false, "next": "S", "place": [], '
        '"pocketed": {"red": 1, "green": 4}, "owed": {"red": 0, "green": 0}, '
        '"jack": "board", "points": {"red": 1, "green": 4}, "board_over": null}, '
        '{"line": 9, "seat": "S", "side": "green", "board": 1, "rulings": ["HK-07"], '
        '"foul": true, "keeps_turn": false, "next": "N", "place": ["green"], '
        '"pocketed": {"red": 1, "green": 3}, "owed": {"red": 0, "green": 0}, '
        '"jack": "board", "points": {"red": 1, "green": 3}, "board_over": null}], '
        '"boards": [], '
        '"match": {"over": false, "winner": null, "points": {"red": 0, "green": 0}, '
        '"boards_won": {"red": 0, "green": 0}}}'
    )
