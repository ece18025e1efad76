"""The sensor test: what each beam and each button reports to the board, live.

While it is open, buttons at other places than the one that opened it only show that they work.
That place leaves the test by UNDO, by FIX held, or by its last line.
"""

from __future__ import annotations

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.dialogue.lists.item import Item, Items, going_back
from jackspot.dialogue.state.controls import whole_places
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.words.fault_words import button_word
from jackspot.sensing.events import Button, Fall, Press
from jackspot.values import changed

MILLISECOND_NS = 1_000_000


def sensor_items(dialogue: DialogueState) -> Items:
    """Return the way back, and what was seen of each beam and of the last button.

    There are four lines, so that a small display shows them all at once.
    """
    north, south = (Pocket.NW, Pocket.NE), (Pocket.SW, Pocket.SE)
    beams = (
        Item(_beams_word(dialogue, *pair), _only_shows, says=_("shown")) for pair in (north, south)
    )
    return (
        going_back(MenuKind.PREFERENCES),
        *beams,
        Item(_button_word(dialogue), _only_shows, says=_("shown")),
    )


def _beams_word(dialogue: DialogueState, left: Pocket, right: Pocket) -> Phrase:
    return _(
        "{left} {one}, {right} {other}",
        left=left.value, one=_beam_word(dialogue, left),
        right=right.value, other=_beam_word(dialogue, right),
    )  # fmt: skip


def _beam_word(dialogue: DialogueState, pocket: Pocket) -> Phrase:
    """Say what a beam sees: broken now, else how long it was broken last."""
    if pocket in dialogue.broken:
        return _("broken")
    width_ns = dialogue.tried.widths_ns.get(pocket)
    if width_ns is None:
        return _("-")
    return _("{ms} ms", ms=round(width_ns / MILLISECOND_NS))


def _button_word(dialogue: DialogueState) -> Phrase:
    button = dialogue.tried.button
    if button is None:
        return _("press any button")
    return _tried_word(button)


def _tried_word(button: Button) -> Phrase:
    return _("button {name}", name=button_word(button))


def _only_shows(transition: Transition) -> None:
    transition.refuse(_("only shown here"))


def sensor_test(dialogue: DialogueState) -> Menu | None:
    """Return the sensor test, if that is the open list."""
    menu = dialogue.menu
    return menu if menu is not None and menu.kind is MenuKind.SENSORS else None


def try_fall(transition: Transition, test: Menu, fall: Fall) -> None:
    """Note for how long a fall broke the beam."""
    tried = transition.dialogue.tried
    widths = {**tried.widths_ns, fall.pocket: max(fall.widths_ns)}
    transition.change(tried=changed(tried, widths_ns=widths))
    _stay_open(transition, test)


def try_button(transition: Transition, test: Menu, press: Press) -> bool:
    """Note a press; return whether it was only a trial, of a button at another place.

    If the place that opened the test could not leave it, no press is only a trial.
    """
    dialogue = transition.dialogue
    transition.change(tried=changed(dialogue.tried, button=press.button))
    can_leave = test.opener in whole_places(dialogue.settings.buttons)
    trial = can_leave and test.opener is not press.button.place
    if trial:
        _stay_open(transition, test)
        transition.refuse(_tried_word(press.button))
    return trial


def _stay_open(transition: Transition, test: Menu) -> None:
    """Keep the list open: people who try something are not idle."""
    transition.change(menu=changed(test, used_ns=transition.now_ns))
