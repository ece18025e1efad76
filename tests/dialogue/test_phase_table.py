"""The table of phases is right: every way in it is taken, and no step leads anywhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.phases import deadlines, scorekeeper, table as phase_table
from jackspot.dialogue.phases.failures import stay
from jackspot.dialogue.phases.scorekeeper import step
from jackspot.dialogue.phases.table import FALLS, NEXT, TABLE, Trigger, WrongPhase, plain_press
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import Button, Gesture, Key, Place, Press
from tests.dialogue.dialogue_checks import without_instants
from tests.dialogue.in_phase import in_ready
from tests.dialogue.phase_walks import CALM_S, WALKS, board, say, walk

Way = tuple[Phase, Action | Trigger, Phase]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Counter[Way]:
    """Count the ways taken from one phase to another."""
    ways: Counter[Way] = Counter()
    lead = phase_table.lead

    def counting(
        transition: Transition, cause: Action | Trigger, taking: Callable[[Transition], Any]
    ) -> Any:
        before = transition.dialogue.phase
        returned = lead(transition, cause, taking)
        if transition.dialogue.phase is not before:
            ways[before, cause, transition.dialogue.phase] += 1
        return returned

    for module in (phase_table, scorekeeper, deadlines):
        monkeypatch.setattr(module, "lead", counting)
    return ways


def test_every_way_that_the_table_has_is_taken_by_a_walk(taken: Counter[Way]) -> None:
    for match, words in WALKS:
        walk(match, words)
    declared = {(at, by, to) for (at, by), phases in NEXT.items() for to in phases}
    assert declared - set(taken) == set(), "no walk gets there: take it out of the table"
    assert set(taken) <= declared


def test_no_step_is_said_to_lead_to_where_it_is() -> None:
    assert all(phase not in NEXT[phase, cause] for phase, cause in NEXT)
    assert set(FALLS) == set(Phase)


def press(table: Any, action: Action) -> Press:
    """Return a press of the page for this action."""
    held = action in (Action.OK_HELD, Action.FIX_HELD)
    key = Key(action.value.removesuffix("_held"))
    gesture = Gesture.HOLD if held else Gesture.SHORT
    token = table.dialogue.timing.asked.token
    return Press(table.now_ns, table.now_ns, Button(Place.PAGE, key), gesture, token)


@settings(max_examples=60)
@given(st.data())
def test_a_press_that_the_table_has_not_is_refused_and_leaves_everything(data: Any) -> None:
    match, words = data.draw(st.sampled_from(WALKS), label="walk")
    said = words.split(" | ")
    table = board(match)
    for word in said[: data.draw(st.integers(0, len(said)), label="words")]:
        say(table, word)
    table.wait(CALM_S)
    dialogue = table.dialogue
    if dialogue.menu is not None or dialogue.free is not None:
        return
    for action in Action:
        if plain_press(dialogue.phase, action) is not None:
            continue
        after, effects = step(dialogue, press(table, action))
        assert without_instants(after) == without_instants(dialogue)
        assert after.timing.asked == dialogue.timing.asked
        assert effects.sounds == (Sound.REFUSED,)
        assert EntryKind.SWALLOWED in {each.kind for each in effects.records}


@pytest.mark.fails_inside
def test_a_step_that_leads_elsewhere_raises_leaves_the_state_and_play_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = in_ready()
    before, event = table.dialogue, press(table, Action.FIX)
    monkeypatch.setattr(phase_table, "NEXT", {**NEXT, (Phase.READY, Action.FIX): frozenset()})
    with pytest.raises(WrongPhase, match="fix led from ready to review"):
        step(before, event)
    assert table.dialogue is before
    after, effects = stay(before, event, "WrongPhase")
    assert without_instants(after) == without_instants(before)
    assert effects.records[0].kind is EntryKind.FAILED
    assert str(after.note) == "that did not work, nothing was changed"


def test_a_held_ok_is_an_ok_where_it_has_no_plain_press_its_own_and_a_held_fix_never_a_fix() -> (
    None
):
    for phase in Phase:
        own = (phase, Action.OK_HELD) in TABLE
        assert plain_press(phase, Action.OK_HELD) is (Action.OK_HELD if own else Action.OK)
    assert plain_press(Phase.FALLING, Action.FIX_HELD) is Action.FIX_HELD
