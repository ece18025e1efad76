"""The match record as QR codes: a list in which every line is a code that the display shows.

The codes advance on their own; FIX steps. OK shows the same record in larger dots, and from there
leads back.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.actions.codes import codes
from jackspot.dialogue.lists.item import Item, Items, open_list
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.menu_kinds import MenuKind


def record_item() -> Item[DialogueState]:
    """Return the line that opens the codes."""
    return Item(_("record by code"), partial(open_list, kind=MenuKind.RECORD))


def record_items(dialogue: DialogueState) -> Items:
    """Return a line for each code; OK opens the larger ones."""
    larger = partial(open_list, kind=MenuKind.RECORD_LARGE)
    return tuple(Item(each, larger, says=_("larger")) for each in _labels(dialogue))


def large_items(dialogue: DialogueState) -> Items:
    """Return a line for each of the larger codes; OK leads back."""
    back = partial(open_list, kind=MenuKind.MENU)
    return tuple(Item(each, back, says=_("back")) for each in _labels(dialogue))


def _labels(dialogue: DialogueState) -> Iterator[Phrase]:
    count = len(codes(dialogue))
    return (_("code {n} of {m}", n=n, m=count) for n in range(1, count + 1))
