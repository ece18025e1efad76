"""Previews of what a correction, a forfeit or an undo would change, and then the change itself."""

from __future__ import annotations

import pytest

from jackspot_hub.desk.entering import draw_class, merge, set_board, withdraw
from jackspot_hub.desk.revising import (
    ChangedClass,
    ChangedPlace,
    ChangedResult,
    Preview,
    abandon,
    correct,
    forfeit,
    preview,
    undo,
)
from jackspot_hub.desk.state import DeskEntry, DeskKind
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Conflict, Outcome, entrants_of
from tests.hub.entered import Desk, event, facts


def test_a_match_is_forfeited_or_abandoned_by_hand() -> None:
    desk = Desk(event("a"))
    desk.enter("a", 3)
    desk.say(draw_class, "a", "37")
    desk.hall.tick()
    (order,) = desk.state.orders.values()
    desk.say(abandon, order.key)
    assert not desk.state.open_orders
    assert desk.state.results["a"][order.key].outcome == Outcome(None)
    key = next(e.key for e in desk.state.drawn("a").fixtures if e.key != order.key)
    loser = next(e.sides[1] for e in desk.state.drawn("a").fixtures if e.key == key)
    desk.say(forfeit, key, loser)
    assert desk.state.results["a"][key].outcome == Outcome(0, forfeit=True)


def test_a_preview_says_which_matches_conflicts_and_places_would_change() -> None:
    desk = Desk(event("g", boards=4))
    desk.enter("g", 4)
    desk.say(draw_class, "g", "37")
    a, b = (next(e for e in desk.state.drawn("g").fixtures if e.key == key)
            for key in ("g-A-1-1", "g-B-1-1"))  # fmt: skip
    for each in (a, b):
        desk.say(correct, each.key, Outcome(0, (5, 1)))
    wrong = correct(desk.state, a.key, Outcome(1, (1, 5)), "desk")
    seen = preview(desk.state, wrong)
    assert seen.matches == ("g-ko-1-1",)
    assert not seen.conflicts
    one, two = a.sides
    assert isinstance(one, int)
    assert isinstance(two, int)
    assert set(seen.places) == {ChangedPlace("g-A", one, 1, 2), ChangedPlace("g-A", two, 2, 1)}
    desk.say(correct, "g-ko-1-1", Outcome(0, (5, 1)))
    (conflict,) = preview(desk.state, wrong).conflicts
    assert isinstance(conflict, Conflict)
    assert conflict.key == "g-ko-1-1"
    assert preview(desk.state, ()) == preview(desk.state, []) == Preview()
    seen = preview(desk.state, undo(desk.state, len(desk.state.past), "desk"))
    assert (seen.matches, seen.reopened) == ((), ("g-ko-1-1",))


def test_a_preview_says_who_comes_first_and_whether_a_class_stays_over() -> None:
    desk = Desk(event("e", "k", boards=4))
    for name in ("e", "k"):
        desk.enter(name, 2)
        desk.say(draw_class, name, "37")
    (only,) = desk.state.drawn("k").fixtures
    one, two = (desk.state.programme.names("k", n)[0] for n in entrants_of(only.sides))
    win, loss = (correct(desk.state, "k-1-1", Outcome(n, (n, 1 - n)), "desk") for n in (0, 1))
    assert preview(desk.state, win).results == (
        ChangedResult("k", "k", False, True, (), (one,), 2),
    )  # fmt: skip
    desk.say(correct, "k-1-1", Outcome(0, (5, 1)))
    assert preview(desk.state, loss).results == (
        ChangedResult("k", "k", True, True, (one,), (two,), 2),
    )  # fmt: skip
    assert preview(desk.state, correct(desk.state, "k-1-1", None, "desk")).results == (
        ChangedResult("k", "k", True, False, (one,), (), 2),
    )  # fmt: skip
    assert preview(desk.state, undo(desk.state, len(desk.state.past), "desk")).results
    desk.say(correct, "e-upper-1-1", Outcome(0, (5, 1)))
    desk.say(correct, "e-final", Outcome(0, (5, 1)))
    assert desk.state.is_over("e")
    (seen,) = preview(
        desk.state, correct(desk.state, "e-final", Outcome(1, (1, 5)), "desk")
    ).results
    assert (seen.contest, seen.was_over, seen.is_over) == ("e", True, False), "a second final"


def test_a_preview_says_what_becomes_of_classes_and_matches_when_a_step_is_taken_back() -> None:
    desk = Desk(event("g", "k", boards=4))
    desk.enter("g", 4)
    desk.enter("k", 2)
    desk.say(merge, "g", "k")
    undo_merger = undo(desk.state, len(desk.state.past), "desk")
    assert preview(desk.state, undo_merger) == Preview(classes=(
        ChangedClass("g", "g", 6, 4, False, False), ChangedClass("k", "k", None, 2, False, False),
    ))  # fmt: skip
    desk.say(draw_class, "g", "37")
    undo_draw = undo(desk.state, len(desk.state.past), "desk")
    (changed,) = preview(desk.state, undo_draw).classes
    assert changed == ChangedClass("g", "g", 6, 6, True, False)
    assert len(preview(desk.state, undo_draw).matches) == len(desk.state.drawn("g").fixtures)
    two = next(e.sides[1] for e in desk.state.drawn("g").fixtures if e.key == "g-A-1-1")
    desk.say(withdraw, "g", two)
    seen = preview(desk.state, undo(desk.state, len(desk.state.past), "desk"))
    assert seen.classes == (ChangedClass("g", "g", 5, 6, True, True),)
    assert seen.reopened == ("g-A-1-1", *(
        each.key for each in desk.state.drawn("g").fixtures
        if two in each.sides and each.key != "g-A-1-1"
    ))  # fmt: skip


def test_a_preview_says_what_becomes_of_the_next_round_when_a_late_entry_is_taken_back() -> None:
    desk = Desk(event("w", boards=4))
    desk.enter("w", 4)
    desk.say(draw_class, "w", "37")
    desk.enter("w", 1)
    seen = preview(desk.state, undo(desk.state, len(desk.state.past), "desk"))
    assert seen.classes == (ChangedClass("w", "w", 5, 4, True, True),)
    assert {each.after for each in seen.places if each.entrant == 5} == {None}


def test_an_undo_can_be_taken_back_and_stands_with_who_and_when() -> None:
    desk = Desk(event("k"))
    desk.enter("k", 2)
    before = facts(desk.state)
    desk.hall.now_ms = 77
    desk.say(undo, 4)
    assert len(desk.state.programme.classes["k"].people) == 1
    desk.say(undo, 5)
    assert facts(desk.state) == before
    assert desk.state.past[4].entry == DeskEntry(DeskKind.UNDONE, {"entry": 4, "by": "desk"})
    assert desk.state.past[4].wall_ms == 77


def test_nobody_comes_to_two_boards_by_an_undo() -> None:
    """The undo would call the match again while one of its people plays elsewhere."""
    desk = Desk(event("a", boards=2))
    desk.enter("a", 3)
    desk.say(draw_class, "a", "37")
    desk.hall.tick()
    (order,) = desk.state.orders.values()
    desk.say(set_board, order.board, locked=True)
    desk.say(correct, order.key, Outcome(0))
    taken = len(desk.state.past)
    desk.hall.tick()
    assert len(desk.state.open_orders) == 1
    with pytest.raises(CannotBe, match="would be at two boards"):
        desk.say(undo, taken)
