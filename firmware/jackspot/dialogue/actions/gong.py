"""The gong that starts armed clocks: people's own, or the hall's common one.

The common gong is announced some seconds ahead as an instant. A board whose clock waits for it
counts three, two, one, and strikes; any other board ignores it.
"""

from __future__ import annotations

from jackspot.core.clock import SECOND_NS
from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.question import Paused
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.state.view import Phase, Sound

COUNTED = 3
"""How many seconds are counted down."""


def strike(transition: MatchTransition) -> None:
    """Start the clock that was armed; in a pause it starts once that is over."""
    transition.change(armed=None)
    paused = (transition.dialogue.question, transition.dialogue.history)
    if not any(isinstance(each, Paused) for each in paused):
        transition.start_clock()
    transition.record(EntryKind.GONG)
    transition.mark_entry()
    transition.sound(Sound.AGAIN)


def strikes_at_ns(dialogue: DialogueState) -> int | None:
    """Return when the hall's gong starts this board's clock; None: none was announced to it."""
    hall = dialogue.hall
    return hall.gong_ns if hall is not None and dialogue.waits_for_gong else None


def counts_at_ns(dialogue: DialogueState) -> tuple[int, ...]:
    """Return the instants of the countdown that are still to come."""
    strike_ns = strikes_at_ns(dialogue)
    if strike_ns is None:
        return ()
    counts = (strike_ns - n * SECOND_NS for n in range(COUNTED, 0, -1))
    return tuple(at_ns for at_ns in counts if dialogue.timing.now_ns < at_ns)


def count(dialogue: DialogueState, now_ns: int) -> int | None:
    """Return the number that is counted now; None: there is none, or something else is asked."""
    strike_ns = strikes_at_ns(dialogue) if dialogue.phase is Phase.READY else None
    left = 0 if strike_ns is None else -((now_ns - strike_ns) // SECOND_NS)
    return left if 1 <= left <= COUNTED else None


def counted(dialogue: DialogueState, now_ns: int) -> Phrase | None:
    """Say the countdown; None: nothing is counted."""
    number = count(dialogue, now_ns)
    return None if number is None else _("gong in {n}", n=number)
