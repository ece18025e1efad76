"""The falls on the desk that nobody has settled yet: they are evidence, and none is dropped."""

from __future__ import annotations

from collections.abc import Iterable

from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.proposal import Group, Proposal
from jackspot.dialogue.state.talk import Talk
from jackspot.sensing.events import Fall


def open_falls(desk: Desk, shown: Proposal | None) -> tuple[Fall, ...]:
    """Give all falls that nobody settled yet, each once, those shown first."""
    groups = [_unsettled(shown) if shown is not None else ()]
    groups += [each.falls for each in desk.parked] + [each.falls for each in desk.waiting]
    return joined(fall for falls in groups for fall in falls)


def with_hands(talk: Talk, falls: tuple[Fall, ...]) -> tuple[Fall, ...]:
    """Add the falls of hands that no OK has settled yet."""
    return joined((*falls, *(fall for group in talk.desk.assumed for fall in group.falls)))


def _unsettled(shown: Proposal) -> tuple[Fall, ...]:
    """Give a proposal's falls that no line has: of a reopened one, those that came later."""
    line = shown.reopened
    settled = {fall.number for fall in line.falls} if line is not None else set()
    return tuple(fall for fall in shown.falls if fall.number not in settled)


def let_later_falls_wait(talk: Talk) -> None:
    """Let the falls that joined a reopened line wait again, when that review is left."""
    shown = talk.desk.proposal
    later = _unsettled(shown) if shown is not None and shown.reopened is not None else ()
    if later:
        talk.change(waiting=(Group(later), *talk.desk.waiting))


def joined(falls: Iterable[Fall]) -> tuple[Fall, ...]:
    """Give falls in order, each number once; what came later of a fall takes its place."""
    return tuple({fall.number: fall for fall in falls}.values())
