"""Whole matches in which each line's comment says what must follow, reasoned by hand.

An entry's comment reads ``ROWS | points of the first side and the second | why``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jackspot.core.record import read_record
from jackspot.core.scoring import score

RECORDS = Path(__file__).parents[1] / "records"
MATCHES: dict[str, dict[str, Any]] = {
    "japan_three_games": {
        "over": True,
        "winner": "green",
        "points": {"red": 122, "green": 127},
        "boards_won": {"red": 1, "green": 2},
    },
    "points_three_boards": {
        "over": True,
        "winner": "two",
        "points": {"one": 212, "two": 215},
        "boards_won": {"one": 1, "two": 2},
    },
}
BOARDS: dict[str, list[tuple[str, str, int, int]]] = {
    "japan_three_games": [
        ("red", "jack", 112, 8),
        ("green", "time", 4, 7),
        ("green", "jack", 6, 112),
    ],
    "points_three_boards": [
        ("one", "pieces", 90, 80),
        ("two", "resign", 30, 95),
        ("two", "foul", 92, 40),
    ],
}


def said_in(text: str) -> dict[int, tuple[list[str], list[int]]]:
    """Read what the comments say: the rows and the points, by line."""
    said = {}
    for number, line in enumerate(text.splitlines(), start=1):
        entry, _, comment = line.partition("#")
        if entry.strip() and comment.count("|") == 2:
            rows, points, _ = comment.split("|")
            said[number] = (rows.split(), [int(each) for each in points.split()])
    return said


@pytest.mark.parametrize("name", MATCHES)
def test_every_line_of_a_match_comes_to_what_its_comment_says(name):
    text = (RECORDS / f"{name}.carom").read_text(encoding="utf-8")
    said, scored = said_in(text), score(read_record(text))
    assert len(scored["entries"]) > 50
    for entry in scored["entries"]:
        rows, points = said[entry["line"]]
        assert (entry["line"], entry["rulings"]) == (entry["line"], rows)
        assert (entry["line"], list(entry["points"].values())) == (entry["line"], points)


@pytest.mark.parametrize("name", MATCHES)
def test_the_boards_and_the_match_come_to_what_was_worked_out(name):
    scored = score(read_record((RECORDS / f"{name}.carom").read_text(encoding="utf-8")))
    first, second = MATCHES[name]["points"]
    assert scored["boards"] == [
        {"winner": winner, "how": how, "points": {first: ones, second: twos}}
        for winner, how, ones, twos in BOARDS[name]
    ]
    assert scored["match"] == MATCHES[name]


def test_a_line_that_is_taken_back_is_explained_all_the_same():
    text = (RECORDS / "japan_three_games.carom").read_text(encoding="utf-8")
    at = text.splitlines().index(next(line for line in text.splitlines() if "! undo" in line))
    head = "\n".join(text.splitlines()[:at])
    assert score(read_record(head))["entries"][-1]["rulings"] == said_in(head)[at][0]
