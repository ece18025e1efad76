"""A view is remembered while only time passes, and is the same as a newly made one."""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.dialogue.actions.guards import meaning
from jackspot.dialogue.lists import menu
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.restart.snapshots import open_work
from jackspot.dialogue.show import showing
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.dialogue_state import (
    DialogueState,
    InMatch,
    StateKey,
    only_time_passed,
)
from jackspot.dialogue.state.timing import Timing
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.limits import SECOND
from jackspot.values import changed
from tests.dialogue.in_phase import IN_PHASE, in_review
from tests.dialogue.phase_walks import WALKS, board, say
from tests.dialogue.playing import Table


def anew(dialogue: DialogueState, now_ns: int) -> BoardView:
    """Show a dialogue as a board that has shown nothing before would."""
    showing._still.cache_clear()
    return show(dialogue, now_ns)


@pytest.mark.parametrize("phase", list(Phase))
def test_what_is_remembered_is_what_would_be_made_anew(phase: Phase) -> None:
    table = IN_PHASE[phase]()
    for act in (
        lambda: table.wait(3.3),
        lambda: table.down("referee", "fix").wait(0.6),
        lambda: table.up("referee", "fix").wait(0.4),
        lambda: table.press("S", "fix").wait(0.4),
        lambda: table.fall("NW").wait(0.3),
        lambda: table.wait(700.0),
    ):
        act()
        remembered = [
            show(table.dialogue, table.now_ns),
            show(table.dialogue, table.now_ns + SECOND),
        ]
        assert remembered == [
            anew(table.dialogue, table.now_ns),
            anew(table.dialogue, table.now_ns + SECOND),
        ]


def test_time_alone_moves_clock_and_bar_and_makes_nothing_else_anew() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").down("referee", "ok").wait(0.5)
    early = table.dialogue
    table.wait(0.3)
    showing._still.cache_clear()
    before, after = show(early, early.timing.now_ns), show(table.dialogue, table.now_ns)
    assert before.hold is not None
    assert after.hold is not None
    assert before.hold.progress < after.hold.progress
    assert before.clock.remaining_ns > after.clock.remaining_ns
    assert showing._still.cache_info().misses == 1


def test_another_reading_is_another_view() -> None:
    table = in_review()
    first = table.view.headline
    table.fix("referee")
    assert table.view.headline != first


def with_another(value: Any, field: str) -> Any:
    """Return the same value except for one field."""
    return changed(value, **{field: object()})


@pytest.mark.parametrize("field", Timing.__struct_fields__)
def test_a_change_of_timing_alone_is_time_that_passed(field: str) -> None:
    dialogue = in_review().dialogue
    timing = with_another(dialogue.timing, field)
    assert only_time_passed(dialogue, changed(dialogue, timing=timing))


OTHERS = [each for each in InMatch.__struct_fields__ if each != "timing"]


@pytest.mark.parametrize("field", OTHERS)
def test_a_change_of_anything_else_is_more_than_time_that_passed(field: str) -> None:
    dialogue = in_review().dialogue
    assert not only_time_passed(dialogue, with_another(dialogue, field))


def test_where_only_time_passed_a_view_worked_out_anew_shows_nothing_else() -> None:
    """Along the walks, the answer to whether anything but time changed is right."""
    passed = 0

    def watch(before: DialogueState, _event: DialogueEvent, after: DialogueState) -> None:
        nonlocal passed
        if before is after or not only_time_passed(before, after):
            return
        passed += 1
        views = []
        for each in (before, after):
            showing._still.cache_clear()
            menu._items.cache_clear()
            views.append(showing._still(StateKey(each)))
            assert open_work(each) == open_work(before)
            assert meaning(each) == meaning(before)
        assert views[0] == views[1]

    for match, words in WALKS[::3]:
        table = board(match)
        table.watchers.append(watch)
        for word in words.split(" | "):
            say(table, word)
    assert passed > 100


def test_an_open_list_is_worked_out_once_while_only_time_passes() -> None:
    table = in_review().hold("referee", "fix").wait(1.0)
    menu._items.cache_clear()
    table.wait(5.0).down("referee", "ok").wait(0.3)
    assert table.items
    assert menu._items.cache_info().misses == 1
    table.up("referee", "ok").wait(0.5)
    assert table.dialogue.menu is None or menu._items.cache_info().misses > 1
