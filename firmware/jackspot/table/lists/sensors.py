"""The sensor test: what each beam and each button tells the board, live.

While it is open no button but those of the place that opened it does anything else than show
that it works; that place leaves it by UNDO, by FIX held, or by its last line.
"""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.pieces import Pocket
from jackspot.table.desk import Desk, MenuKind, Tried
from jackspot.table.events import Fall, Press
from jackspot.table.lists.item import Item, going_back, open_list
from jackspot.table.phrases import Phrase, _
from jackspot.table.talk import Talk

MILLISECOND_NS = 1_000_000


def sensor_items(desk: Desk) -> tuple[Item, ...]:
    """Give each beam and the last button with what was seen of it, and the way back."""
    beams = (Item(_beam_word(desk, pocket), _only_shows) for pocket in Pocket)
    return (going_back(MenuKind.HOUSE), *beams, Item(_button_word(desk), _only_shows),
            Item(_("forget, try again"), _afresh))  # fmt: skip


def _beam_word(desk: Desk, pocket: Pocket) -> Phrase:
    if pocket in desk.broken:
        return _("{pocket}: broken now", pocket=pocket.value)
    width_ns = desk.tried.widths_ns.get(pocket)
    if width_ns is None:
        return _("{pocket}: nothing yet", pocket=pocket.value)
    return _("{pocket}: {ms} ms", pocket=pocket.value, ms=round(width_ns / MILLISECOND_NS))


def _button_word(desk: Desk) -> Phrase:
    button = desk.tried.button
    if button is None:
        return _("press any button")
    return _("button {place} {key}", place=button.place.value, key=button.key.value.upper())


def _only_shows(talk: Talk) -> None:
    talk.refuse(_("only shown here"))


def _afresh(talk: Talk) -> None:
    open_list(talk, MenuKind.SENSORS)
    talk.change(tried=Tried())


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
        talk.refuse(_("button {place} {key}", place=press.button.place.value,
                      key=press.button.key.value.upper()))  # fmt: skip
    return trial


def _stay_open(talk: Talk) -> None:
    """Keep the list open: whoever tries something is not idle."""
    menu = talk.desk.menu
    assert menu is not None, "the sensor test is open"
    talk.change(menu=replace(menu, used_ns=talk.now_ns))
