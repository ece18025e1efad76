"""Refusals at the desk are in the reader's language, with the titles of classes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from jackspot.displays.words import translator
from jackspot_hub import running
from jackspot_hub.desk import (
    allowed,
    attaching,
    entering,
    people_list,
    revising,
    state,
    step,
    updates,
)
from jackspot_hub.desk.attaching import attach_free
from jackspot_hub.desk.entering import draw_class, enter, merge, register, reword, withdraw
from jackspot_hub.desk.people_list import COLUMNS, people_entries
from jackspot_hub.desk.revising import correct, forfeit, undo, undo_draw
from jackspot_hub.desk.state import DeskState, Entries, after
from jackspot_hub.desk.step import call_round, give_notice, move, strike, take_notice_back
from jackspot_hub.event import entries
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Person
from jackspot_hub.event_file import programme_of
from jackspot_hub.web import actions
from tests.hub.halls import PlayedHall
from tests.hub.test_hub_web import client, shown  # noqa: F401

EVENT = {
    "name": "Cup", "hall": "hall", "boards": 2, "seed": "1",
    "contest": [
        {"name": "sw", "title": "Open Swiss", "format": "swiss", "rounds": 1,
         "entrants": ["Aiko", "Ben"]},
        {"name": "ko", "title": "Open Cup", "format": "knockout", "entrants": ["Chie", "Dirk"]},
        {"name": "yo", "title": "Young", "format": "all", "draw": "later", "born": [2010, 0]},
        {"name": "pa", "title": "Pairs", "format": "all", "draw": "later", "pairs": True},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def desk() -> DeskState:
    """The first round of the Swiss is called; Emi is registered twice, and plays nowhere."""
    hall = PlayedHall(programme_of(EVENT), Random(1))
    hall.tick()
    state = hall.desk
    for club in ("Otsu", "Kyoto"):
        state = after(state, register(state, "Emi", "d", club=club, born=1984))
    return state


SETTINGS = {*COLUMNS, "start"}
"""Words in files, which are the same in every language."""
Ask = Callable[[DeskState], Entries]


def _two_ages(at: DeskState) -> Entries:
    old = after(at, enter(at, "yo", [5], "d", forced="asked"))
    return enter(old, "yo", [6], "d")


REFUSED: dict[str, tuple[Ask, str]] = {
    "its last round": (lambda at: enter(at, "sw", [3], "d"), "Open Swiss"),
    "drawn": (lambda at: enter(at, "ko", [1], "d"), "Open Cup"),
    "another age": (lambda at: enter(at, "yo", [5], "d"), "Young"),
    "another age after one that was allowed": (_two_ages, "Young"),
    "unknown age": (lambda at: enter(at, "yo", [1], "d"), "Young"),
    "alone in pairs": (lambda at: enter(at, "pa", [1], "d"), "Pairs"),
    "too few": (lambda at: draw_class(at, "yo", "1", "d"), "Young"),
    "drawn already": (lambda at: draw_class(at, "sw", "1", "d"), "Open Swiss"),
    "called already": (lambda at: undo_draw(at, "sw", "d"), "Open Swiss"),
    "not drawn": (lambda at: undo_draw(at, "yo", "d"), "Young"),
    "not entered": (lambda at: withdraw(at, "yo", 1, "d"), "Young"),
    "into itself": (lambda at: merge(at, "yo", "yo", "d"), "Young"),
    "registered already": (lambda at: register(at, "Ben", "d"), "Ben"),
    "another's words": (lambda at: reword(at, Person(2, "Aiko"), "d"), "Aiko"),
    "no name": (lambda at: register(at, "", "d"), ""),
    "no year": (lambda at: register(at, "Goro", "d", born=84), "84"),
    "a long name": (lambda at: register(at, "x" * 65, "d"), "64"),
    "a table without names": (lambda at: people_entries(at, "club\nOtsu\n", "d"), "name"),
    "a table with a wrong year": (lambda at: people_entries(at, "name,born\nA,19x\n", "d"), "19x"),
    "a table of whom there are two": (lambda at: people_entries(at, "name\nEmi\n", "d"), "Emi"),
    "a table of late people": (
        lambda at: people_entries(at, "name,class\nZoe,ko\n", "d"), "Open Cup"
    ),
    "a table without a name": (lambda at: people_entries(at, "name,club\n,Otsu\n", "d"), "2"),
    "a round without a gong": (call_round, ""),
    "a gong for nobody": (lambda at: strike(at, "d"), ""),
    "nothing to move": (lambda at: move(at, 3, 1), "3"),
    "to a board that plays": (lambda at: move(at, 1, 1), "1"),
    "a line of no words": (lambda at: give_notice({}, 60, "d"), ""),
    "no line": (lambda at: take_notice_back(at, "d"), ""),
    "a forfeit of somebody else": (lambda at: forfeit(at, "sw-1-1", 9, "d"), "9"),
    "an entry that is none": (lambda at: undo(at, 999, "d"), "999"),
    "a board's own entry": (lambda at: undo(at, 1, "d"), "1"),
    "a match that is none": (lambda at: correct(at, "sw-9-9", None, "d"), "Open Swiss"),
    "a result that is none": (lambda at: attach_free(at, "b9-x-1", "sw", (1, 2), "d"), "b9-x-1"),
}  # fmt: skip


@pytest.mark.parametrize("language", ["de", "ja"])
@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_is_told_in_the_readers_language_with_what_it_is_about(
    desk: DeskState, case: str, language: str
) -> None:
    ask, about = REFUSED[case]
    with pytest.raises(CannotBe) as refused:
        ask(desk)
    said, english = refused.value.said(translator(language)), str(refused.value)
    assert about in english
    assert about in said
    kept = [
        each
        for each in english.split()
        if each.isalpha() and each.islower() and len(each) > 3 and each not in SETTINGS
    ]
    assert not [each for each in kept if each in said.split()], said
    assert not [each["name"] for each in EVENT["contest"] if f"{each['name']}:" in said]  # type: ignore[attr-defined]


@pytest.mark.parametrize("module", [
    entries, entering, people_list, allowed, attaching, revising, state, step, updates, actions,
    running,
])  # fmt: skip
def test_no_refusal_of_these_modules_is_plain_text(module: object) -> None:
    """People read these refusals on pages, so each is a phrase that can be translated."""
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))  # type: ignore[attr-defined]
    plain = [
        node.lineno for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id == "CannotBe" and isinstance(node.args[0], ast.JoinedStr | ast.Constant)
    ]  # fmt: skip
    known = {
        "state.py": 1,  # an entry of the journal that does not fit: no page asks for one
        "actions.py": 1,  # a request of the wrong form: no page sends one
        "running.py": 1,  # a board's own words
    }
    assert len(plain) <= known.get(Path(str(module.__file__)).name, 0), plain  # type: ignore[attr-defined]


def test_a_page_is_refused_in_the_language_that_it_asks_in(shown) -> None:  # noqa: F811
    body = {"name": "Zoe", "contests": ["singles"]}
    with client(shown, signed_in=True) as who:
        said = {
            language: who.post(f"/api/hub/do/register?lang={language}", json=body).json()["error"]
            for language in ("en", "de", "ja")
        }
        plain = who.post("/api/hub/preview/register", json=body).json()["error"]
    assert len(set(said.values())) == len(said)
    assert plain == said["en"]
    assert all(each.startswith("Open singles: ") for each in said.values()), said
