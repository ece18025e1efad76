"""What boards and records call a match: as people do, and no two of a class the same."""

from __future__ import annotations

import re

import pytest

from jackspot.values import changed
from jackspot_hub.event.contest import (
    AllAgainstAll,
    DoubleElimination,
    Format,
    Groups,
    Knockout,
    Partners,
    Swiss,
    draw,
)
from jackspot_hub.event.fixtures import Outcome, PlayedMatch
from jackspot_hub.event.programme import called_on_boards
from tests.hub.halls import programme

FORMS = (
    Knockout(), DoubleElimination(), Groups(2, 2), Groups(3, 0), AllAgainstAll(2), Swiss(3, 4),
    Partners(3), Partners(3, 3),
)  # fmt: skip


@pytest.mark.parametrize("title", ["", "Open singles", "A title that no board has room for"])
@pytest.mark.parametrize("form", FORMS)
def test_boards_call_each_match_of_a_class_otherwise_and_as_people_do(
    form: Format, title: str
) -> None:
    played = changed(programme(1, s=form).classes["s"], title=title)
    results: dict[str, PlayedMatch] = {}
    while ready := [
        each for each in draw(played.contest, results).fixtures
        if each.is_ready and each.key not in results
    ]:  # fmt: skip
        for each in ready:
            one, two = each.sides
            assert isinstance(one, int)
            assert isinstance(two, int)
            results[each.key] = PlayedMatch((one, two), Outcome(1))
    said = [called_on_boards(played, key) for key in results]
    assert len(set(said)) == len(results)
    for words in said:
        assert len(words) <= 48
        assert words.startswith("Open singles " if title == "Open singles" else "s ")
        assert not re.search(r"-[a-z]|[a-z]-|\bko\b", words), words


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("s-1-2", "s 1-2"), ("s-A-4-2", "s A 4-2"), ("s-ko-2-1", "s knockout 2-1"),
        ("s-third", "s third place"), ("s-ko-third", "s third place"),
        ("s-lower-2-1", "s lower bracket 2-1"), ("s-final", "s final"),
        ("s-second-final", "s second final"),
    ],
)  # fmt: skip
def test_a_match_has_no_inner_name_on_a_board(key: str, words: str) -> None:
    assert called_on_boards(programme(1, s=Knockout()).classes["s"], key) == words
