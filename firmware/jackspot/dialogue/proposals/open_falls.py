"""The falls in the dialogue that nobody has settled yet: they are evidence, and none is dropped."""

from __future__ import annotations

from collections.abc import Iterable

from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.transition import Transition
from jackspot.sensing.events import Fall


def open_falls(dialogue: DialogueState, shown: Proposal | None) -> tuple[Fall, ...]:
    """Return all falls that nobody has settled yet, each once, those shown first."""
    groups = [_unsettled(shown) if shown is not None else ()]
    groups += [each.falls for each in dialogue.parked] + [each.falls for each in dialogue.waiting]
    return joined(fall for falls in groups for fall in falls)


def is_told_again(dialogue: DialogueState, fall: Fall) -> bool:
    """Whether no beam broke again: only more is known about a fall already in the dialogue."""
    hands = (each for group in dialogue.assumed for each in group.falls)
    asked = dialogue.menu.falls if dialogue.menu is not None else ()
    known = (*open_falls(dialogue, dialogue.proposal), *hands, *asked)
    counted = dialogue.free.falls if dialogue.free is not None else ()
    return any((each.number, each.pulses) == (fall.number, fall.pulses) for each in known) or (
        fall.again and any(each.number == fall.number for each in counted)
    )


def with_hands(transition: Transition, falls: tuple[Fall, ...]) -> tuple[Fall, ...]:
    """Add the falls of hands that no OK has settled yet."""
    return joined(
        (*falls, *(fall for group in transition.dialogue.assumed for fall in group.falls))
    )


def _unsettled(shown: Proposal) -> tuple[Fall, ...]:
    """Return a proposal's falls that no line has; for a reopened one, those that came later."""
    line = shown.reopened
    settled = {fall.number for fall in line.falls} if line is not None else set()
    return tuple(fall for fall in shown.falls if fall.number not in settled)


def let_later_falls_wait(transition: Transition) -> None:
    """Queue the falls that joined a reopened line again, when that review is left."""
    shown = transition.dialogue.proposal
    later = _unsettled(shown) if shown is not None and shown.reopened is not None else ()
    if later:
        transition.change(waiting=(FallGroup(later), *transition.dialogue.waiting))


def joined(falls: Iterable[Fall]) -> tuple[Fall, ...]:
    """Return falls in order, each number once; a later version of a fall replaces the earlier."""
    return tuple({fall.number: fall for fall in falls}.values())
