"""A match record as QR codes on a small display: how many there are, and which is shown.

The codes are shown in turn, each for a calm while, and advance on their own. In a list FIX steps
from the one that is shown. Which one that is follows from when the list was last worked, so nothing
is written down and no question changes while they turn.

On the 64 rows of an OLED a module is either one dot, which takes few codes, or two, for a phone
that cannot see single dots. Source of a code's capacity: ISO/IEC 18004, table 7, level L.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from jackspot.core.clock import SECOND_NS
from jackspot.core.record import write_record
from jackspot.core.record_codes import codes_of
from jackspot.dialogue.state.dialogue_state import DialogueState, StateKey
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase

CODE_NS = 4 * SECOND_NS
"""How long each code is shown: enough for a phone to find it and for a hand to follow."""

ROUNDS = 3
"""At least how many times all codes are shown before a list of them closes on its own."""

_FINE = (395, 271)
"""Version 10, 57 modules, one dot each: letters, and bytes of plain text."""
_COARSE = (77, 53)
"""Version 3, 29 modules, two dots each."""

CODE_SIZES: Mapping[MenuKind, tuple[int, int]] = MappingProxyType(
    {MenuKind.RECORD: _FINE, MenuKind.RECORD_LARGE: _COARSE}
)
"""The capacity of a code in each list: letters of the QR alphabet, or bytes of any text."""


def record_of(game: Game) -> str:
    """Return the match's record, as far as it has been played."""
    return write_record(game.match.settings, (e for line in game.lines for e in line.entries))


def codes(dialogue: DialogueState) -> tuple[str, ...]:
    """Return the texts of the codes that are shown now, in order; empty: none are shown."""
    return () if _size(dialogue) is None else _codes(StateKey(dialogue))


def _size(dialogue: DialogueState) -> tuple[int, int] | None:
    """Return the capacity of a code that is shown now; None: no codes are shown."""
    if dialogue.attract is not None:
        return None
    if dialogue.menu is not None:
        return CODE_SIZES.get(dialogue.menu.kind)
    return _FINE if dialogue.phase is Phase.MATCH_OVER else None


REMEMBERED = 4
"""States whose codes are remembered: the one on the board, and those of a few boards beside it."""


@lru_cache(maxsize=REMEMBERED)
def _codes(key: StateKey) -> tuple[str, ...]:
    size, game = _size(key.dialogue), key.dialogue.game
    return () if size is None or game is None else codes_of(record_of(game), *size)


def code_shown(dialogue: DialogueState, now_ns: int) -> int:
    """Return which of the codes is shown at an instant, counted from 0."""
    count = len(codes(dialogue))
    if count < 2:
        return 0
    first, since_ns = _begun(dialogue)
    return (first + max(0, now_ns - since_ns) // CODE_NS) % count


def turns_at_ns(dialogue: DialogueState) -> int | None:
    """Return when the next code comes; None: nothing turns."""
    if len(codes(dialogue)) < 2:
        return None
    _first, since_ns = _begun(dialogue)
    return since_ns + (max(0, dialogue.timing.now_ns - since_ns) // CODE_NS + 1) * CODE_NS


def _begun(dialogue: DialogueState) -> tuple[int, int]:
    """Return the code that the turning began with, and when it began."""
    if dialogue.menu is not None:
        return dialogue.menu.chosen, dialogue.menu.used_ns
    return 0, dialogue.over_ns or 0


def rounds_ns(dialogue: DialogueState) -> int:
    """Return how long a few rounds of all codes take; 0: there are none."""
    return ROUNDS * CODE_NS * len(codes(dialogue))
