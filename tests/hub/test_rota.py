"""Referees and boards: blocks as even as possible, and nobody is a referee while they play."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from jackspot.values import changed
from jackspot_hub.event.contest import Knockout
from jackspot_hub.event.rota import blocks, on_duty
from jackspot_hub.event_file import BadEvent, numbered, programme_of
from jackspot_hub.web.organising import rota_part
from tests.hub.halls import PlayedHall, programme


def test_a_block_is_of_neighbours_and_goes_to_the_nearest_while_its_referee_plays() -> None:
    whole = blocks(["Aiko", "Ben", "Chie"], [3, 1, 2, 7, 6, 5, 4])
    assert whole == {"Aiko": (1, 2), "Ben": (3, 4), "Chie": (5, 6, 7)}
    assert on_duty(whole, {"Ben"}) == {"Aiko": (1, 2, 3, 4), "Ben": (), "Chie": (5, 6, 7)}
    assert on_duty(whole, {"Aiko"}) == {"Aiko": (), "Ben": (1, 2, 3, 4), "Chie": (5, 6, 7)}
    assert on_duty(whole, set(whole)) == dict.fromkeys(whole, ())


NAMES = st.lists(st.sampled_from("ABCDEFGHIJ"), unique=True, max_size=10)


@given(NAMES, st.sets(st.integers(1, 99)), st.sets(st.sampled_from("ABCDEFGHIJ")))
def test_each_board_has_one_referee_who_does_not_play_if_anybody_is_free(
    referees: list[str], boards: set[int], playing: set[str]
) -> None:
    whole = blocks(referees, boards)
    own = [board for each in whole.values() for board in each]
    assert own == (sorted(boards) if referees else [])
    sizes = {len(each) for each in whole.values()}
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    now = on_duty(whole, playing)
    assert not any(now[name] for name in playing & set(referees))
    free = set(referees) - playing
    assert sorted(board for each in now.values() for board in each) == (
        sorted(boards) if free else []
    )
    assert all(set(now[name]) >= set(whole[name]) for name in free)


def test_who_is_called_to_a_match_is_no_referee_until_it_is_over() -> None:
    event = changed(programme(2, s=Knockout()), referees=("s 0", "Dirk"))
    played = PlayedHall(event, Random(1))
    played.tick()
    assert rota_part(played.desk) == [
        {"name": "s 0", "own": [1], "now": [], "plays": True},
        {"name": "Dirk", "own": [2], "now": [1, 2], "plays": False},
    ]
    played.sit_down(1)
    played.result(1)
    assert rota_part(played.desk)[0]["now"] == [1]


def test_a_file_names_referees_once_each_and_a_file_without_names_has_none() -> None:
    said = {"name": "A", "hall": "a", "boards": 1, "referees": ["Aiko", "Frieda"], "contest": [
        {"name": "k", "format": "knockout", "entrants": ["Aiko", "Ben"]},
    ]}  # fmt: skip
    assert programme_of(said).referees == ("Aiko", "Frieda")
    with pytest.raises(BadEvent, match="referees: expected each name once, found 'Aiko' twice"):
        programme_of({**said, "referees": ["Aiko", "Aiko"]})
    text = """name = "A"
hall = "a"
boards = 1
referees = ["Frieda"]
[[contest]]
name = "k"
format = "knockout"
entrants = ["%s", "%s"]
"""
    for names in (("Aiko", "Ben"), ("1", "2")):
        assert "Frieda" not in numbered(text % names)
