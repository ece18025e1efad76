"""The board itself: language, brightness, volume, the sensor test, and how to switch it off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.lists.hall import in_preferences
from jackspot.dialogue.lists.item import (
    Choice,
    Item,
    Items,
    going_back,
    locked,
    mark_line,
    open_list,
    shut,
)
from jackspot.dialogue.state.dialogue_state import DialogueState, Tried
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.preferences import (
    BRIGHTNESS_STEPS,
    LANGUAGES,
    VOLUME_STEPS,
    Lock,
    with_next_brightness,
    with_next_language,
    with_next_volume,
)
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import Phase, PreferencesView
from jackspot.values import changed

SENSORS_ARE_FREE = frozenset({Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER})
"""Phases in which nothing that falls is a stroke, so that sensors can be tried."""


def preference_items(dialogue: DialogueState) -> Items:
    """Return what can be set on the board itself."""
    preferences = dialogue.preferences
    name = LANGUAGES.get(preferences.language, preferences.language)
    volume = _("volume {n} %", n=preferences.volume) if preferences.volume else _("silent")
    listed = [
        locked(dialogue, Lock.LANGUAGE, Item(
            _("language {name}", name=name), _set(with_next_language),
            choices=_values(preferences, "language", {code: _("{name}", name=n)
                                                for code, n in LANGUAGES.items()}))),
        locked(dialogue, Lock.BRIGHTNESS, Item(
            _("brightness {n} %", n=preferences.brightness), _set(with_next_brightness),
            choices=_values(preferences, "brightness",
                            {n: _("{n} %", n=n) for n in BRIGHTNESS_STEPS}))),
        locked(dialogue, Lock.VOLUME, Item(
            volume, _set(with_next_volume),
            choices=_values(preferences, "volume", {n: _("{n} %", n=n) if n else _("silent")
                                              for n in VOLUME_STEPS}))),
    ]  # fmt: skip
    if dialogue.phase in SENSORS_ARE_FREE:
        listed.append(Item(_("sensor test"), _try_sensors))
        if dialogue.settings.calibrates:
            listed.append(Item(_("calibration"), _calibrate, held=True))
    if dialogue.settings.has_referees_page:
        page = partial(open_list, kind=MenuKind.REFEREE)
        listed.append(Item(_("referee's page"), page))
        made = dialogue.settings.made_its_pin
        listed.append(Item(_("new PIN"), _make_pin if made else _refuse_pin, held=made))
    listed += in_preferences(dialogue)
    if dialogue.settings.has_hotspot:
        listed.append(Item(_("the board's Wi-Fi"), partial(open_list, kind=MenuKind.HOTSPOT)))
    off = Item(_("safe shutdown"), _shut_down, held=True)
    return (*listed, locked(dialogue, Lock.SHUTDOWN, off), going_back(MenuKind.MENU))


def referee_items(_dialogue: DialogueState) -> Items:
    """Return the way back: only the OLED has anything to read."""
    return (going_back(MenuKind.PREFERENCES),)


def hotspot_items(_dialogue: DialogueState) -> Items:
    """Return a line for each code: OK goes on to the next one, and back after the last."""
    on = Item(_("join by code"), partial(mark_line, line=1))
    return (on, Item(_("page by code"), partial(open_list, kind=MenuKind.PREFERENCES)))


def _make_pin(transition: Transition) -> None:
    """Ask for a new PIN, which ends all sessions; the list for the page shows it at once."""
    transition.record(EntryKind.NEW_PIN)
    open_list(transition, MenuKind.REFEREE)


def _refuse_pin(transition: Transition) -> None:
    transition.refuse(_("PIN is set in config"))


def _values(
    preferences: PreferencesView, name: str, words: Mapping[str, Phrase] | Mapping[int, Phrase]
) -> tuple[Choice[DialogueState], ...]:
    """Return the values that a setting of the board can have, in these words."""
    now = getattr(preferences, name)
    return tuple(
        Choice(word, _set(partial(changed, **{name: value})), value == now)
        for value, word in words.items()
    )


def _set(change: Callable[[PreferencesView], PreferencesView]) -> Callable[[Transition], None]:
    def act(transition: Transition) -> None:
        transition.change(preferences=change(transition.dialogue.preferences))

    return act


def _try_sensors(transition: Transition) -> None:
    transition.change(tried=Tried())
    open_list(transition, MenuKind.SENSORS)


def _calibrate(transition: Transition) -> None:
    """Ask the loop to release the wires for a calibration; what is open comes back after it."""
    transition.change(menu=None)
    transition.record(EntryKind.CALIBRATION)


def _shut_down(transition: Transition) -> None:
    """Ask the loop to shut down in order; what is open comes back when the board starts again.

    The clock is not stopped here: play goes on where the board has to stay on.
    """
    shut(transition)
    transition.record(EntryKind.SHUTDOWN)
