"""A view is remembered while only time passes, and is what it would be if it were made anew."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from jackspot.core.values import same
from jackspot.dialogue.lists import menu
from jackspot.dialogue.show import showing
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.dialogue_state import (
    AT_NO_INSTANT,
    INSTANTS,
    DialogueState,
    still_parts,
)
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.limits import SECOND
from tests.dialogue.in_phase import IN_PHASE, in_review
from tests.dialogue.playing import Table


def anew(dialogue: DialogueState, now_ns: int) -> BoardView:
    """Show a dialogue as a board would that has shown nothing before."""
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
    before, after = show(early, early.now_ns), show(table.dialogue, table.now_ns)
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


def test_only_instants_are_left_out_of_what_is_remembered_by() -> None:
    assert set(AT_NO_INSTANT) == INSTANTS
    dialogue = in_review().dialogue
    assert len(still_parts(dialogue)) == len(fields(DialogueState)) - len(INSTANTS)
    for name in INSTANTS:
        assert same(still_parts(dialogue), still_parts(replace(dialogue, **{name: object()})))  # type: ignore[arg-type]
    assert not same(
        still_parts(dialogue), still_parts(replace(dialogue, glance=not dialogue.glance))
    )


def test_an_open_list_is_worked_out_once_while_only_time_passes() -> None:
    table = in_review().hold("referee", "fix").wait(1.0)
    menu._items.cache_clear()
    table.wait(5.0).down("referee", "ok").wait(0.3)
    assert table.items
    assert menu._items.cache_info().misses == 1
    table.up("referee", "ok").wait(0.5)
    assert table.dialogue.menu is None or menu._items.cache_info().misses > 1
