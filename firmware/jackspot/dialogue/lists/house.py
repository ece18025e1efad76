"""The board itself: language, brightness, volume, the sensor test, and how to switch it off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.lists.item import Choice, Item, going_back, locked, open_list
from jackspot.dialogue.state.desk import Desk, Tried
from jackspot.dialogue.state.entries import Kind
from jackspot.dialogue.state.house import (
    BRIGHTNESS_STEPS,
    LANGUAGES,
    VOLUME_STEPS,
    Lock,
    with_next_brightness,
    with_next_language,
    with_next_volume,
)
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import HouseView, Phase

SENSORS_ARE_FREE = frozenset({Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER})
"""Phases in which nothing that falls is a stroke, so that sensors can be tried."""


def house_items(desk: Desk) -> tuple[Item, ...]:
    """Give what can be set of the board itself."""
    house = desk.house
    name = LANGUAGES.get(house.language, house.language)
    volume = _("volume {n} %", n=house.volume) if house.volume else _("silent")
    listed = [
        locked(desk, Lock.LANGUAGE, Item(
            _("language {name}", name=name), _set(with_next_language),
            choices=_values(house, "language", {code: _("{name}", name=n)
                                                for code, n in LANGUAGES.items()}))),
        locked(desk, Lock.BRIGHTNESS, Item(
            _("brightness {n} %", n=house.brightness), _set(with_next_brightness),
            choices=_values(house, "brightness", {n: _("{n} %", n=n) for n in BRIGHTNESS_STEPS}))),
        locked(desk, Lock.VOLUME, Item(
            volume, _set(with_next_volume),
            choices=_values(house, "volume", {n: _("{n} %", n=n) if n else _("silent")
                                              for n in VOLUME_STEPS}))),
    ]  # fmt: skip
    if desk.phase in SENSORS_ARE_FREE:
        listed.append(Item(_("sensor test"), _try_sensors))
        if desk.customs.calibrates:
            listed.append(Item(_("calibration"), _calibrate, held=True))
    if desk.customs.has_referees_page:
        page = partial(open_list, kind=MenuKind.REFEREE)
        listed.append(Item(_("referee's page"), page))
    if desk.customs.has_hotspot:
        listed.append(Item(_("the board's Wi-Fi"), partial(open_list, kind=MenuKind.HOTSPOT)))
    off = Item(_("safe shutdown"), _shut_down, held=True)
    return (*listed, locked(desk, Lock.SHUTDOWN, off), going_back(MenuKind.MENU))


def referee_items(_desk: Desk) -> tuple[Item, ...]:
    """Give the way back: what there is to read is on the OLED alone."""
    return (going_back(MenuKind.HOUSE),)


def hotspot_items(_desk: Desk) -> tuple[Item, ...]:
    """Give a line for each code: OK goes on to the next one, and from the last one back."""
    on = Item(_("join by code"), _show_page)
    return (on, Item(_("page by code"), partial(open_list, kind=MenuKind.HOUSE)))


def _show_page(talk: Talk) -> None:
    menu = talk.desk.menu
    assert menu is not None, "no list is open"
    talk.change(menu=replace(menu, chosen=1, used_ns=talk.now_ns))


def _values(
    house: HouseView, name: str, words: Mapping[str, Phrase] | Mapping[int, Phrase]
) -> tuple[Choice, ...]:
    """Give the values that something of the board can have, in these words."""
    now = getattr(house, name)
    return tuple(
        Choice(word, _set(partial(replace, **{name: value})), value == now)
        for value, word in words.items()
    )


def _set(change: Callable[[HouseView], HouseView]) -> Callable[[Talk], None]:
    def act(talk: Talk) -> None:
        talk.change(house=change(talk.desk.house))

    return act


def _try_sensors(talk: Talk) -> None:
    talk.change(tried=Tried())
    open_list(talk, MenuKind.SENSORS)


def _calibrate(talk: Talk) -> None:
    """Ask the loop to let go of the wires for a calibration; what is open comes back after it."""
    talk.change(menu=None)
    talk.record(Kind.CALIBRATION)


def _shut_down(talk: Talk) -> None:
    """Ask the loop to end in order; what is open comes back when the board starts again."""
    talk.change(menu=None)
    if talk.desk.game is not None:
        talk.stop_clock()
    talk.record(Kind.SHUTDOWN)
