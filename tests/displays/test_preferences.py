"""Settings from the menu of the board itself, heard and seen on its displays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from jackspot.core.phrases import Translate
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.view import PreferencesView, Sound
from jackspot.displays.buzzer import Buzzer
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.layout import draw
from jackspot.displays.signs.alpha import strings_of
from jackspot_sim.devices.bus import FakeI2C
from tests.dialogue.playing import Table

PIN = 18
MADE_UP = {"{seat} shoots first": "{seat} faengt an"}


def speak(language: str) -> Translate:
    """Return a made-up catalogue for German, and English for the rest."""
    return (lambda text: MADE_UP.get(text, text)) if language == "de" else (lambda text: text)


def at_the_board_itself(preferences: PreferencesView | None = None) -> Table:
    table = Table(dialogue_settings=DialogueSettings(preferences=preferences or PreferencesView()))
    return table.hold("referee", "fix").wait(1.0).pick("the board itself").wait(1.0)


def closed(table: Table) -> Table:
    """Close the open list."""
    while table.view.menu is not None:
        table.undo().wait(1.5)
    return table


@pytest.fixture
def bus() -> FakeI2C:
    return FakeI2C()


def test_a_language_chosen_in_the_menu_is_spoken_on_oled_and_sign(bus: FakeI2C) -> None:
    oled = Oled(serial_factory=bus.serial, speak=speak)
    oled.open()
    table = at_the_board_itself().pick("language").wait(1.0)
    view = closed(table).view
    oled.show(view)
    assert view.preferences.language == "de"
    assert bus.picture().tobytes() == draw(view, speak("de")).tobytes()
    assert bus.picture().tobytes() != draw(view, speak("en")).tobytes()
    assert strings_of(view, speak)["P"] == b"\r\x1c3N FAENGT AN"


def test_each_press_on_brightness_makes_the_oled_darker_and_never_dark(bus: FakeI2C) -> None:
    oled = Oled(serial_factory=bus.serial, refresh_ns=0)
    oled.open()
    table = at_the_board_itself()
    levels = []
    for _press in range(6):
        oled.show(table.view)
        assert bus.controller is not None
        assert bus.controller.is_on
        levels.append(bus.controller.contrast)
        table.pick("brightness").wait(1.0)
    assert levels[:5] == sorted(set(levels), reverse=True)
    assert levels[5] == levels[0], "after the lowest it is full again"


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    mock = MockFactory(pin_class=MockPWMPin)
    yield mock
    mock.close()


def test_a_board_that_starts_silent_can_be_made_loud_in_the_menu(factory: MockFactory) -> None:
    heard: list[float] = []
    buzzer = Buzzer(
        PIN, pin_factory=factory, wait=lambda _s: heard.append(float(factory.pin(PIN).state))
    )
    buzzer.open()
    table = at_the_board_itself(PreferencesView(volume=0))
    buzzer.show(table.view)
    buzzer.play(Sound.HORN)
    assert heard == []
    buzzer.show(table.pick("silent").view)
    buzzer.play(Sound.HORN)
    assert max(heard) == 0.5
    buzzer.close()
