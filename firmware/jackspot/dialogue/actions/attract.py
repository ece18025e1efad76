"""Help pictures while nobody plays, over whatever is open.

They come when nothing has been pressed and nothing has fallen for a while: soon where no match is
in play, after ten minutes in the middle of one (which was then abandoned), and never while a clock
runs down. The press that wakes the board does nothing else, whatever it was; it is written down
with the presses that did nothing. A fall wakes the board too, and counts as always.

Everything beneath stays as it is, except free play: it ends, so that the next visitors start
counting from zero.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from jackspot.core.clock import SECOND_NS
from jackspot.core.phrases import _
from jackspot.dialogue.actions.free_play import rest
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.layers import Attract
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.events import ButtonDown, ButtonUp, Fall, Press
from jackspot.values import changed

PICTURES = 3
"""How many pictures there are; they are shown in turn."""

PICTURE_NS = 6 * SECOND_NS
"""How long each picture is shown."""

BETWEEN_MATCHES = frozenset({Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER})
"""Where nobody is in the middle of anything."""


def due(dialogue: DialogueState) -> tuple[int, Callable[[Transition, int], None]] | None:
    """Return when the first or next picture comes, and what shows it; None: only after an event."""
    if dialogue.attract is not None:
        return dialogue.attract.since_ns + PICTURE_NS, partial(_show, dialogue.attract.picture + 1)
    idle_ns = _patience_ns(dialogue)
    return None if idle_ns is None else (dialogue.timing.touched_ns + idle_ns, _begin)


def _patience_ns(dialogue: DialogueState) -> int | None:
    """Return how long the board must be untouched; None: no picture comes here."""
    dialogue_settings = dialogue.settings
    if not dialogue_settings.attract_ns or dialogue.menu is not None:
        return None
    if dialogue.offered is not None:
        return None
    if dialogue.phase in BETWEEN_MATCHES:
        return dialogue_settings.attract_ns
    clock = dialogue.game.clock if dialogue.game is not None else None
    runs_down = clock is not None and clock.running and clock.limit_ns > 0
    return None if runs_down else max(dialogue_settings.abandoned_ns, dialogue_settings.attract_ns)


def _begin(transition: Transition, at_ns: int) -> None:
    _show(0, transition, at_ns)
    if transition.dialogue.phase is Phase.SETUP:
        rest(transition)


def _show(picture: int, transition: Transition, at_ns: int) -> None:
    transition.change(attract=Attract(picture % PICTURES, at_ns))


def touches(event: object) -> bool:
    """Whether an event shows that somebody is there."""
    return isinstance(event, ButtonDown | ButtonUp | Press | Fall)


def shown(dialogue: DialogueState, view: BoardView) -> BoardView:
    """Lay the picture over a view: any press does nothing but wake the board."""
    if dialogue.attract is None:
        return view
    return changed(
        view, attract=dialogue.attract.picture, ok=_("wake up"), fix=_("wake up"), lamps=frozenset()
    )
