"""The board in a hall: its number, calling the desk, and how to leave the hall and come back.

Nothing here touches a match. What people set goes to the journal, and the module that keeps the
link to the hall acts on it from there.
"""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.lists.item import (
    Choice,
    Item,
    Items,
    going_back,
    locked,
    open_list,
    shut,
)
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.hall_state import DeskCall, HallState
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.transition import Transition
from jackspot.sensing.events import HallPlace, Place
from jackspot.values import changed

DIGITS = 3


def in_menu(dialogue: DialogueState) -> Items:
    """Return the line that calls the desk and the line for the hall, if the board is in one."""
    place = dialogue.hall_place
    if place is None or not place.is_in:
        return ()
    hall = Item(_("hall {hall}", hall=place.hall), partial(open_list, kind=MenuKind.HALL))
    if place.number is None:
        return (hall,)
    called = dialogue.hall is not None and dialogue.hall.call is not None
    word = _("desk called: take back") if called else _("call the desk")
    return (Item(word, _call), hall)


def in_preferences(dialogue: DialogueState) -> Items:
    """Return the board's number and the way back into a hall, where they can be set."""
    place = dialogue.hall_place
    if place is None:
        return ()
    listed = [_number_item(dialogue, place)]
    if place.left:
        back = Item(_("back to hall {hall}", hall=place.hall), _rejoin)
        listed.append(locked(dialogue, Lock.HALL, back))
    return tuple(listed)


def hall_items(dialogue: DialogueState) -> Items:
    """Return the state of the board in its hall, and what can be done about it."""
    place = dialogue.hall_place
    if place is None or not place.is_in:
        return ()
    hall = dialogue.hall or HallState()
    desk = _("the desk is away") if hall.away else _("desk connected")
    if hall.away is None:
        desk = _("looking for the desk")
    kept = () if hall.unsent is None else (_("results to send: {n}", n=hall.unsent),)
    leave = Item(_("leave the hall"), partial(open_list, kind=MenuKind.LEAVE))
    return (
        *(Item(each, _stay) for each in (desk, *kept)),
        _number_item(dialogue, place),
        locked(dialogue, Lock.HALL, leave),
        going_back(MenuKind.MENU),
    )


def leave_items(dialogue: DialogueState) -> Items:
    """Return the answer that leaves the hall; it says what is not sent yet and stays on the board.

    Empty where the board knows of no hall, as after a start until it hears of one.
    """
    place = dialogue.hall_place
    if place is None or not place.is_in:
        return ()
    kept = None if dialogue.hall is None else dialogue.hall.unsent
    word = _("leave, {n} kept unsent", n=kept) if kept else _("leave")
    return (Item(word, _leave),)


def stay_in(transition: Transition) -> None:
    """Go back to the hall's list without leaving the hall."""
    open_list(transition, MenuKind.HALL)


def number_items(menu: Menu, _dialogue: DialogueState) -> Items:
    """Return a line for each digit, which OK raises, and the line that sets the number."""
    digits = menu.about
    number = int(digits)
    words = (
        _("hundreds: {n}", n=digits[0]),
        _("tens: {n}", n=digits[1]),
        _("ones: {n}", n=digits[2]),
    )
    lines = [_digit(word, digits, at) for at, word in enumerate(words)]
    take = partial(_use_number, number=number)
    return (*lines, Item(_("use number {n}", n=number), take), going_back(MenuKind.PREFERENCES))


def _digit(word: Phrase, digits: str, at: int) -> Item[DialogueState]:
    def with_digit(digit: int) -> str:
        return f"{digits[:at]}{digit}{digits[at + 1 :]}"

    now = int(digits[at])
    choices = tuple(
        Choice(_("{n}", n=n), partial(_draft, digits=with_digit(n)), n == now) for n in range(10)
    )
    return Item(word, partial(_draft, digits=with_digit((now + 1) % 10)), choices=choices)


def _draft(transition: Transition, digits: str) -> None:
    menu = transition.dialogue.menu
    if menu is not None:
        transition.change(menu=changed(menu, about=digits))


def _number_item(dialogue: DialogueState, place: HallPlace) -> Item[DialogueState]:
    word = _("board number: none")
    if place.number is not None:
        word = _("board number: {n}", n=place.number)
    digits = f"{place.number or 0:0{DIGITS}}"
    setting = Item(word, partial(open_list, kind=MenuKind.NUMBER, about=digits))
    return locked(dialogue, Lock.HALL, setting)


def _use_number(transition: Transition, number: int) -> None:
    if not number:
        transition.refuse(_("a number is 1 to 999"))
        return
    transition.record(EntryKind.HALL, number=number)
    _done(transition, _("board {n}", n=number))


def _call(transition: Transition) -> None:
    """Call the desk, or take the call back."""
    hall = transition.dialogue.hall or HallState()
    by = Place.REFEREE if transition.button is None else transition.button.place
    call = DeskCall(by, transition.now_ns) if hall.call is None else None
    shut(transition)
    note = _("call taken back") if call is None else _("desk called")
    transition.change(hall=changed(hall, call=call), note=note)


def _leave(transition: Transition) -> None:
    transition.record(EntryKind.HALL, left=True)
    _done(transition, _("the hall is left"))


def _rejoin(transition: Transition) -> None:
    transition.record(EntryKind.HALL, left=False)
    _done(transition, _("back in the hall"))


def _done(transition: Transition, note: Phrase) -> None:
    shut(transition)
    transition.change(note=note)


def _stay(transition: Transition) -> None:
    """Only refuse the press: the line itself has said everything."""
    transition.refuse(_("nothing to do here"))
