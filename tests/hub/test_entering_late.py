"""What the desk is told about latecomers, and about how many matches there are in all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jackspot_hub.desk.entering import draw_class, enter
from jackspot_hub.desk.page_parts import PartsOfEvent
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event_file import programme_of
from jackspot_hub.web.organising import classes_part
from tests.hub.entered import FORMS, Desk, event


def drawn(name: str, count: int) -> Desk:
    desk = Desk(event(name, boards=4))
    desk.enter(name, count)
    desk.say(draw_class, name, "37")
    return desk


def told(desk: Desk, name: str) -> tuple[str, int | None]:
    """Return whether somebody may still enter, and from which round on."""
    (said,) = (each for each in classes_part(desk.state) if each["name"] == name)
    return said["can"]["enter"], said["joins"]


def progress(desk: Desk, name: str) -> tuple[int, int]:
    said = json.loads(PartsOfEvent().of(desk.state)[f"contest/{name}"])
    return said["over"], said["known"]


def play_one(desk: Desk) -> None:
    desk.hall.tick()
    desk.play(min(desk.state.open_orders))


@pytest.mark.parametrize("name", ["w", "d", "h", "o", "k", "g", "a", "e"])
def test_a_class_says_from_which_round_on_those_play_who_come_now_and_when_it_is_too_late(
    name: str,
) -> None:
    desk = drawn(name, 8)
    (late,) = desk.people(1)
    seen = set()
    while True:
        can, joins = told(desk, name)
        try:
            (said,) = enter(desk.state, name, [late], "desk")
        except CannotBe:
            assert (can, joins) == ("refused", None)
        else:
            assert can == "warned"
            assert joins == (None if name == "o" else said.body["round"])
        seen.add(joins)
        if name == "o" or desk.state.is_over(name):
            break
        play_one(desk)
    rounds = FORMS[name].get("rounds", 0)
    assert seen == {*range(1, rounds + 1), None}
    assert told(desk, name)[0] == ("warned" if name == "o" else "refused")


@pytest.mark.parametrize("more", [{}, {"upper": 2}, {"upper": 4}])
@pytest.mark.parametrize("name", ["w", "d", "h"])
@pytest.mark.parametrize("count", [4, 5, 7, 9, 10])
def test_the_whole_number_of_matches_is_known_from_the_draw_on(
    name: str, count: int, more: dict[str, Any]
) -> None:
    form = {**FORMS[name], **(more if name == "w" else {})}
    table = {"name": name, "draw": "later", **form}
    desk = Desk(programme_of({"name": "A", "hall": "a", "boards": 4, "contest": [table]}))
    desk.enter(name, count)
    desk.say(draw_class, name, "37")
    told_first = progress(desk, name)[1]
    while not desk.state.is_over(name):
        assert progress(desk, name)[1] == told_first
        play_one(desk)
    assert progress(desk, name) == (told_first, len(desk.state.drawn(name).fixtures))
