"""What a board says while nobody plays: three help pictures with two sentences each.

Every display says the same, in its own way.
"""

from __future__ import annotations

from typing import Final

from jackspot.core.phrases import Phrase, _
from jackspot.core.rules import facts_of
from jackspot.dialogue.state.view import BoardView, Phase

TAKES_BACK: Final = _("UNDO takes back")

HELP: Final[tuple[tuple[Phrase, Phrase], ...]] = (
    (_("pocket a puck"), _("the board counts it")),
    (_("that is right"), _("no, look again")),
    (_("start: press your OK"), TAKES_BACK),
)
"""The second picture's sentences belong to OK and to FIX."""

_JUST_PLAY: Final = _("just play: it counts")
_WAITS: Final = _("match suspended")
_OVER: Final = frozenset({Phase.BOARD_OVER, Phase.MATCH_OVER})

WAKE: Final = _("press a button")
"""What to do next, on every picture."""


OFF: Final = _("switching off")
UNPLUG: Final = _("unplug when the green lamp stays dark")
"""The lamp is the Raspberry Pi's own: it goes dark once nothing is being written."""


def help_of(view: BoardView) -> tuple[Phrase, Phrase]:
    """Return the two sentences of the picture that a view asks for.

    The last one says how to start, or what the help covers: a match or a result.
    """
    assert view.attract is not None, "help is shown only where nobody plays"
    index = view.attract % len(HELP)
    first, second = HELP[index]
    if index == 0 and not facts_of(view.rules).tee_spot:
        return _("pocket a piece"), second
    if index < len(HELP) - 1:
        return first, second
    if view.free is not None:
        return _JUST_PLAY, second
    if view.phase is Phase.SETUP:
        return first, second
    return (view.headline if view.phase in _OVER else _WAITS), second
