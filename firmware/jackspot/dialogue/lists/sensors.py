"""The sensor test: what each beam and each button tells the board, live.

While it is open no button but those of the place that opened it does anything else than show
that it works; that place leaves it by UNDO, by FIX held, or by its last line.
"""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.dialogue.lists.item import Item, going_back
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.words.fault_words import button_word
from jackspot.sensing.events import Button, Fall, Press

MILLISECOND_NS = 1_000_000


def sensor_items(desk: Desk) -> tuple[Item, ...]:
    """Give the way back, and what was seen of each beam and of the last button.

    Four lines, so that a small display has them all at once.
    """
    north, south = (Pocket.NW, Pocket.NE), (Pocket.SW, Pocket.SE)
    beams = (
        Item(_beams_word(desk, *pair), _only_shows, says=_("shown")) for pair in (north, south)
    )
    return (
        going_back(MenuKind.HOUSE),
        *beams,
        Item(_button_word(desk), _only_shows, says=_("shown")),
    )


def _beams_word(desk: Desk, left: Pocket, right: Pocket) -> Phrase:
    return _(
        "{left} {one}, {right} {other}",
        left=left.value, one=_beam_word(desk, left),
        right=right.value, other=_beam_word(desk, right),
    )  # fmt: skip


def _beam_word(desk: Desk, pocket: Pocket) -> Phrase:
    """Say what a beam sees: broken now, else how long it was broken last."""
    if pocket in desk.broken:
        return _("broken")
    width_ns = desk.tried.widths_ns.get(pocket)
    if width_ns is None:
        return _("-")
    return _("{ms} ms", ms=round(width_ns / MILLISECOND_NS))


def _button_word(desk: Desk) -> Phrase:
    button = desk.tried.button
    if button is None:
        return _("press any button")
    return _tried_word(button)


def _tried_word(button: Button) -> Phrase:
    return _("button {name}", name=button_word(button))


def _only_shows(talk: Talk) -> None:
    talk.refuse(_("only shown here"))


def is_trying(desk: Desk) -> bool:
    """Whether the sensor test is open."""
    return desk.menu is not None and desk.menu.kind is MenuKind.SENSORS


def try_fall(talk: Talk, fall: Fall) -> None:
    """Note the width of what broke a beam."""
    tried = talk.desk.tried
    widths = {**tried.widths_ns, fall.pocket: max(fall.widths_ns)}
    talk.change(tried=replace(tried, widths_ns=widths))
    _stay_open(talk)


def try_button(talk: Talk, press: Press) -> bool:
    """Note a press; tell whether it was nothing but a trial, of another place's button."""
    talk.change(tried=replace(talk.desk.tried, button=press.button))
    menu = talk.desk.menu
    trial = menu is not None and menu.opener not in (None, press.button.place)
    if trial:
        _stay_open(talk)
        talk.refuse(_tried_word(press.button))
    return trial


def _stay_open(talk: Talk) -> None:
    """Keep the list open: whoever tries something is not idle."""
    menu = talk.desk.menu
    assert menu is not None, "the sensor test is open"
    talk.change(menu=replace(menu, used_ns=talk.now_ns))
