"""What each side is given or asked for beyond the rules."""

from __future__ import annotations

from functools import partial

from jackspot.core.agreement import HANDICAPS
from jackspot.core.phrases import _
from jackspot.core.pieces import Seat
from jackspot.dialogue.lists.item import Item, Items, going_back, locked, open_list
from jackspot.dialogue.lists.set_up import replan
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.plans import handicap_of, sides_of, usual_handicap, with_next_handicap
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.words.option_words import handicap_word, value_word


def handicap_sides(dialogue: DialogueState) -> Items:
    """Return the sides, with the number of handicaps of each."""
    sides = (
        Item(
            _("{seats}: {n} set", seats=" ".join(side), n=len(handicap_of(dialogue.plan, side))),
            partial(open_list, kind=MenuKind.HANDICAP, about=side[0].value),
        )
        for side in sides_of(dialogue.plan)
    )
    return (*sides, going_back(MenuKind.MENU))


def handicap_items(menu: Menu, dialogue: DialogueState) -> Items:
    """Return every handicap of one side, with its value."""
    seat = Seat(menu.about)
    side = next((each for each in sides_of(dialogue.plan) if seat in each), (seat,))
    given = handicap_of(dialogue.plan, side)
    listed = []
    for name in HANDICAPS:
        value = value_word(given.get(name, usual_handicap(name)))
        label = _("{option}: {value}", option=handicap_word(name), value=value)
        change = replan(partial(with_next_handicap, side=side, name=name))
        listed.append(locked(dialogue, Lock.HANDICAPS, Item(label, change)))
    return (*listed, going_back(MenuKind.HANDICAPS))
