"""What pages are sent of an event: names only as the organiser allows, and only what changes."""

from __future__ import annotations

import json
from random import Random

import pytest

from jackspot.values import changed
from jackspot_hub.desk.page_parts import PartsOfEvent, before_a_public
from jackspot_hub.desk.state import DeskState
from jackspot_hub.event.contest import Format, Groups, Partners, Swiss
from jackspot_hub.event.programme import Shown
from tests.hub.halls import PlayedHall, programme

TURNS = 4


def played(shown: Shown = Shown.FULL) -> PlayedHall:
    """Return a hall in the middle of an event whose people have names and readings."""
    event = programme(3, singles=Groups(2, 2), pairs=Swiss(2))
    people = {
        number: changed(person, name=f"Aiko Secret{number}", kana=f"よみ{number}")
        for number, person in event.people.items()
    }
    classes = {name: changed(each, shown=shown) for name, each in event.classes.items()}
    hall = PlayedHall(changed(event, people=people, classes=classes), Random(1))
    for _ in range(TURNS):
        hall.tick()
        for board in list(hall.desk.open_orders):
            if hall.sit_down(board) is not None and board != 3:
                hall.result(board)
    hall.tick()
    return hall


@pytest.mark.parametrize("shown", Shown)
def test_a_public_is_told_names_as_the_organiser_allows(shown: Shown) -> None:
    text = "".join(PartsOfEvent(before_a_public).of(played(shown).desk).values())
    assert ("Secret" in text) == ("よみ" in text) == (shown is Shown.FULL)
    assert ("A. S." in text) == (shown is Shown.INITIALS)
    assert "Secret" in "".join(PartsOfEvent().of(played(shown).desk).values())


def test_people_of_the_same_initials_are_told_apart_by_their_numbers() -> None:
    desk = played(Shown.INITIALS).desk
    one, two, *others = desk.programme.people
    people = {
        number: changed(person, name="Anna Berg" if number == two else f"Chie {number}")
        for number, person in desk.programme.people.items()
    }
    people[one] = changed(people[one], name="Aiko  Bauer")
    people[others[0]] = changed(people[others[0]], name="Emi")
    programme = changed(desk.programme, people=people)
    sides = list(programme.classes["singles"].people)[:3]
    said = [before_a_public(programme, "singles", side) for side in sides]
    assert said == [[f"A. B. ({one})"], [f"A. B. ({two})"], ["E."]]


def names_of(desk: DeskState) -> PartsOfEvent:
    parts = PartsOfEvent()
    parts.of(desk)
    return parts


def test_what_has_not_changed_is_the_same_text() -> None:
    hall = played()
    parts = names_of(hall.desk)
    before = parts.of(hall.desk)
    assert all(parts.of(hall.desk)[name] is text for name, text in before.items())
    (board,) = [each for each in hall.desk.open_orders if each in hall.plays][:1]
    key = hall.desk.orders[hall.plays[board]].key
    hall.result(board)
    changed = {name for name, text in parts.of(hall.desk).items() if before.get(name) is not text}
    contest = key.partition("-")[0]
    assert f"board/{board}" in changed
    assert {"event", "latest", f"contest/{contest}"} <= changed
    others = {name for name in changed if name.startswith("board/")} - {f"board/{board}"}
    assert not others
    assert not [name for name in changed if contest not in name and "/" in name[:6] and
                not name.startswith("board/")]  # fmt: skip


@pytest.mark.parametrize("form", [Swiss(2), Partners(2), Partners(2, at_a_board=3)])
def test_everybody_plays_or_waits_in_a_round(form: Format) -> None:
    event = programme(3, s=form)
    whole = event.classes["s"]
    seven = changed(whole, contest=changed(whole.contest, entrants=whole.contest.entrants[:7]))
    desk = PlayedHall(changed(event, classes={"s": seven}), Random(1)).desk
    (said,) = [
        json.loads(text) for name, text in PartsOfEvent().of(desk).items()
        if name.startswith("round/")
    ]  # fmt: skip
    plays = [name for match in said["matches"] for side in match["who"] for name in side["names"]]
    waits = [name for side in said.get("waits", ()) for name in side["names"]]
    assert sorted([*plays, *waits]) == [f"s {number}" for number in range(7)]
    assert bool(waits) == (form != Partners(2, at_a_board=3))


def test_every_match_of_an_event_is_in_one_round() -> None:
    desk = played().desk
    parts = {name: json.loads(text) for name, text in PartsOfEvent().of(desk).items()}
    for contest in desk.programme.classes:
        keys = [
            match["key"] for name in parts[f"contest/{contest}"]["rounds"]
            for match in parts[f"round/{name}"]["matches"]
        ]  # fmt: skip
        assert sorted(keys) == sorted(each.key for each in desk.drawn(contest).fixtures)
        assert sum(match.get("over", False) for name in parts[f"contest/{contest}"]["rounds"]
                   for match in parts[f"round/{name}"]["matches"]) == parts[f"contest/{contest}"][
                       "over"]  # fmt: skip
