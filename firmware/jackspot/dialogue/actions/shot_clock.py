"""The shot clock: shown and sounded, never judged.

It runs while the board waits for a stroke, from when the stroke before is settled: from the press,
or, if that stroke entered itself, from when nobody is asked any more whether it is right. An open
list does not stop it, a pause restarts it. A hand that breaks a beam, or falls that turn out to be
no stroke, neither cost nor gain the shooter any time.
"""

from __future__ import annotations

from jackspot.core.clock import SECOND_NS
from jackspot.core.options import number_option
from jackspot.dialogue.proposals.answers import strokes_in
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.timing import AwaitedShot
from jackspot.dialogue.state.view import ClockView, Phase, Sound

WARNING_NS = 5 * SECOND_NS
"""How long before its end the shot clock warns."""


def limit_ns(dialogue: DialogueState) -> int:
    """Return the time for a shot; 0: no shot clock is used."""
    if dialogue.game is None:
        return 0
    return number_option(dialogue.game.match.settings, "shot_clock_s") * SECOND_NS


def shot_after(dialogue: DialogueState, now_ns: int) -> AwaitedShot | None:
    """Return the shot that is waited for, and since when; the same shot goes on as it was."""
    game = dialogue.game
    if game is None or not limit_ns(dialogue):
        return None
    state = game.match.state
    if state.next is None or state.result is not None or game.undone:
        return None
    asked_first = dialogue.glance or dialogue.waits_for_gong or dialogue.by_itself is not None
    if dialogue.phase is Phase.PAUSED or asked_first:
        return None
    if dialogue.timing.shot is not None:
        same = (dialogue.timing.shot.board, dialogue.timing.shot.strokes, dialogue.timing.shot.seat)
        if same == (state.board, strokes_in(game), state.next):
            return dialogue.timing.shot
    if dialogue.phase is not Phase.READY:
        return None
    return AwaitedShot(state.board, strokes_in(game), state.next, now_ns)


def sounds_due(dialogue: DialogueState) -> tuple[tuple[int, Sound], ...]:
    """Return the instants at which the shot clock will sound from now on."""
    if dialogue.timing.shot is None or dialogue.phase is not Phase.READY:
        return ()
    up_ns = dialogue.timing.shot.since_ns + limit_ns(dialogue)
    heard = ((up_ns - WARNING_NS, Sound.SHOT_SOON), (up_ns, Sound.SHOT_UP))
    return tuple((at_ns, sound) for at_ns, sound in heard if dialogue.timing.now_ns < at_ns)


def shot_view(dialogue: DialogueState, now_ns: int) -> ClockView | None:
    """Show the shot clock of the seat that is to shoot; None: none runs."""
    if dialogue.timing.shot is None or dialogue.phase is not Phase.READY:
        return None
    whole_ns = limit_ns(dialogue)
    left_ns = max(0, dialogue.timing.shot.since_ns + whole_ns - now_ns)
    return ClockView(whole_ns, left_ns, running=left_ns > 0, as_of_ns=now_ns)
