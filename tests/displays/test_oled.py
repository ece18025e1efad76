"""The OLED through luma's real drivers, seen at the other end of the wire."""

from __future__ import annotations

import warnings
from itertools import product

import pytest
from hypothesis import given, strategies as st
from PIL import Image

from jackspot.core.pieces import Side
from jackspot.dialogue.state.view import BoardView, PreferencesView
from jackspot.displays.oled.bus import Interface, OledSerial, OledWiring
from jackspot.displays.oled.driver import Oled, driver_set_up
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.light import FAINTEST, Lighting, contrast
from jackspot.displays.oled.wire import FRAME_BYTES, OledChip
from jackspot.values import changed
from jackspot_sim.devices.bus import FakeI2C
from tests.conftest import thinned
from tests.displays.oled_bench import (
    BUSES,
    english,
    every_way,
    make,
    sent,
    shining,
)
from tests.displays.oled_views import HELP, MENU, READY, VIEWS, side


def noise(raw: bytes) -> Image.Image:
    """Make a picture of any 1,024 bytes."""
    return Image.frombytes("1", (128, 64), raw)


# --- what is seen is what was drawn ----------------------------------------------------


frames = st.lists(
    st.one_of(
        st.binary(min_size=FRAME_BYTES, max_size=FRAME_BYTES),
        st.sampled_from([draw(view, english).tobytes() for view in VIEWS.values()]),
    ),
    min_size=1,
    max_size=6,
)


@every_way
@given(pictures=frames)
def test_the_glass_always_shows_the_last_picture(
    chip: OledChip, interface: Interface, pictures: list[bytes]
) -> None:
    oled, bus = make(chip, interface)
    for raw in pictures:
        oled.show_image(noise(raw))
        assert bus.picture().tobytes() == raw


@pytest.mark.parametrize(
    ("chip", "interface"),
    thinned(
        product((OledChip.SSD1306, OledChip.SH1106), Interface),
        set(zip((OledChip.SSD1306, OledChip.SH1106), Interface, strict=True)),
    ),
)
def test_every_view_after_every_other_is_shown_dot_by_dot(
    chip: OledChip, interface: Interface, monkeypatch: pytest.MonkeyPatch
) -> None:
    oled, bus = make(chip, interface)
    drawn = {id(view): draw(view, english) for view in VIEWS.values()}
    monkeypatch.setattr("jackspot.displays.oled.driver.draw", lambda view, _: drawn[id(view)])
    for first in list(VIEWS.values())[::5]:
        for second in VIEWS.values():
            oled.show(first)
            oled.show(second)
            assert bus.picture().tobytes() == drawn[id(second)].tobytes()


@every_way
@pytest.mark.parametrize("name", ["ready", "review_long", "match_over_code"])
def test_the_memory_is_the_one_that_lumas_own_full_frame_leaves(
    chip: OledChip, interface: Interface, name: str
) -> None:
    from luma.oled import device

    image = draw(VIEWS[name], english)
    theirs = BUSES[interface](chip)
    with warnings.catch_warnings():
        # luma asks Pillow for dots in a way that newer versions of Pillow warn about.
        warnings.simplefilter("ignore", DeprecationWarning)
        driver = getattr(device, chip.value)(theirs.serial())
        driver.persist = True
        driver.display(image)
    oled, ours = make(chip, interface)
    for view in VIEWS.values():
        oled.show(view)
    oled.show_image(image)
    assert ours.picture().tobytes() == theirs.picture().tobytes()
    assert ours.picture().getbbox() is not None


@every_way
def test_upside_down_is_the_same_picture_turned(chip: OledChip, interface: Interface) -> None:
    bus = BUSES[interface](chip)
    oled = Oled(chip, OledWiring(interface), serial_factory=bus.serial, rotate=2)
    oled.open()
    oled.show(READY)
    turned = draw(READY, english).transpose(Image.Transpose.ROTATE_180)
    assert bus.picture().tobytes() == turned.tobytes()


def test_words_are_translated_on_the_way() -> None:
    def german(text: str) -> str:
        return {"paused": "angehalten"}.get(text, text)

    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial, speak={"en": english, "de": german}.__getitem__)
    oled.open()
    for language, translate in (("de", german), ("en", english), ("de", german)):
        oled.show(changed(VIEWS["paused"], preferences=PreferencesView(language=language)))
        assert bus.picture().tobytes() == draw(VIEWS["paused"], translate).tobytes()
    assert draw(VIEWS["paused"], german).tobytes() != draw(VIEWS["paused"], english).tobytes()


@every_way
def test_the_contrast_arrives(chip: OledChip, interface: Interface) -> None:
    bus = BUSES[interface](chip)
    oled = Oled(
        chip, OledWiring(interface), serial_factory=bus.serial, lighting=Lighting(contrast=3)
    )
    oled.open()
    assert bus.controller is not None
    assert bus.controller.contrast == 3


# --- how bright ------------------------------------------------------------------------


def bright(view: BoardView, percent: int) -> BoardView:
    """Return a view with the displays' brightness changed."""
    return changed(view, preferences=PreferencesView(brightness=percent))


@every_way
def test_full_brightness_is_what_the_config_says_or_the_driver(
    chip: OledChip, interface: Interface
) -> None:
    oled, bus = make(chip, interface)
    assert shining(oled, bus, READY) == (True, driver_set_up(chip)[-1][1])
    set_bus = BUSES[interface](chip)
    oled = Oled(
        chip, OledWiring(interface), serial_factory=set_bus.serial, lighting=Lighting(contrast=80)
    )
    oled.open()
    assert shining(oled, set_bus, READY) == (True, 80)
    assert shining(oled, set_bus, bright(READY, 50)) == (True, 20)


@every_way
def test_brightness_falls_and_comes_back_and_nothing_is_dark(
    chip: OledChip, interface: Interface
) -> None:
    oled, bus = make(chip, interface)
    steps = [shining(oled, bus, bright(READY, percent)) for percent in (100, 75, 50, 25, 10)]
    assert all(is_on for is_on, _level in steps)
    levels = [level for _is_on, level in steps]
    assert levels == sorted(set(levels), reverse=True)
    assert shining(oled, bus, bright(READY, 0))[0] is False
    assert bus.picture().getbbox() is None
    assert shining(oled, bus, bright(READY, 100)) == steps[0]
    assert bus.picture().tobytes() == draw(READY, english).tobytes()


def test_a_dark_display_shows_a_list_faintly_so_that_it_can_be_made_bright_again() -> None:
    oled, bus = make()
    assert shining(oled, bus, bright(READY, 0))[0] is False
    full = driver_set_up(OledChip.SSD1306)[-1][1]
    assert shining(oled, bus, bright(MENU, 0)) == (True, contrast(full, FAINTEST))
    assert shining(oled, bus, bright(READY, 0))[0] is False


def test_a_dark_display_stays_dark_when_all_is_sent_again() -> None:
    now = [0]
    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial, clock=lambda: now[0], refresh_ns=60)
    oled.open()
    oled.show(READY)
    now[0] = 100
    assert shining(oled, bus, bright(VIEWS["paused"], 0))[0] is False
    now[0] = 200
    assert shining(oled, bus, bright(READY, 0))[0] is False
    assert shining(oled, bus, READY)[0] is True


def test_a_dimmed_display_is_dimmed_again_after_it_was_gone() -> None:
    oled, bus = make()
    dim = shining(oled, bus, bright(READY, 25))
    oled.close()
    oled.open()
    assert shining(oled, bus, bright(READY, 25)) == dim


def test_brightness_that_stays_costs_no_byte() -> None:
    oled, bus = make()
    oled.show(bright(READY, 25))
    before = bus.traffic
    oled.show(bright(READY, 25))
    assert (bus.traffic - before).transferred == 0


def test_help_that_nobody_looks_at_is_dimmed_until_somebody_comes() -> None:
    now = [0]
    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial, clock=lambda: now[0], refresh_ns=0)
    oled.open()
    full = shining(oled, bus, HELP)
    now[0] = Lighting().dim_ns - 1
    assert shining(oled, bus, changed(HELP, attract=1)) == full
    now[0] += 1
    is_on, level = shining(oled, bus, changed(HELP, attract=2))
    assert is_on
    assert level < full[1] / 4
    assert shining(oled, bus, READY) == full
    assert shining(oled, bus, HELP) == full, "the time begins anew"


def test_the_last_picture_stays_when_the_program_ends_and_any_other_does_not() -> None:
    for farewell in (True, False):
        oled, bus = make()
        view = changed(READY, farewell=farewell)
        oled.show(view)
        oled.close()
        assert bus.controller is not None
        assert bus.controller.is_on is farewell
        shown = bus.picture()
        assert shown.tobytes() == draw(view, english).tobytes() or not farewell
        oled.open()
        oled.close()
        assert bus.controller.is_on is False, "a board that starts again forgets it"


# --- bytes -----------------------------------------------------------------------------


@every_way
def test_an_unchanged_view_costs_no_byte(chip: OledChip, interface: Interface) -> None:
    oled, bus = make(chip, interface)
    oled.show(READY)
    before = bus.traffic
    oled.show(READY)
    oled.show(changed(READY, sequence=2))
    assert bus.traffic == before


def test_a_large_digit_costs_72_bytes() -> None:
    oled, bus = make()
    blank = Image.new("1", (128, 64))
    oled.show_image(blank)
    digit = blank.copy()
    digit.paste(255, (16, 8, 32, 40))
    traffic = sent(oled, bus, digit)
    assert traffic.transferred == 72
    assert traffic.wire_time_ns(400_000) < 1_700_000


def test_a_whole_frame_costs_no_more_than_lumas() -> None:
    oled, bus = make()
    oled.show_image(Image.new("1", (128, 64)))
    assert sent(oled, bus, Image.new("1", (128, 64), 255)).transferred == 1_032


@every_way
def test_a_score_change_travels_within_a_tenth_of_the_smallest_rectangle(
    chip: OledChip, interface: Interface
) -> None:
    oled, bus = make(chip, interface)
    green = READY.sides[1]
    floors, costs = 0, 0
    for count in range(9):
        old = changed(READY, sides=(side(Side.RED, count, shoots=True), green))
        new = changed(READY, sides=(side(Side.RED, count + 1, shoots=True), green))
        oled.show(old)
        before = bus.traffic
        oled.show(new)
        costs += (bus.traffic - before).transferred
        floors += smallest(old, new, chip, interface)
    assert costs <= 1.1 * floors


def smallest(old: BoardView, new: BoardView, chip: OledChip, interface: Interface) -> int:
    """Count the bytes of the one rectangle around all changes, with its address."""
    from PIL import ImageChops

    box = ImageChops.logical_xor(draw(old, english), draw(new, english)).getbbox()
    assert box is not None
    left, top, right, bottom = box
    pages = (bottom - 1) // 8 - top // 8 + 1
    control = 2 if interface is Interface.I2C else 0
    addresses = (6 + control) if chip.has_windows else (3 + control) * pages
    return (right - left) * pages + addresses


# --- settings --------------------------------------------------------------------------


@pytest.mark.parametrize("rotate", [1, 3, 4, -1])
def test_a_display_on_its_side_is_refused(rotate: int) -> None:
    with pytest.raises(ValueError, match="rotate must be 0 or 2"):
        Oled(rotate=rotate)


@pytest.mark.parametrize("contrast", [-1, 256])
def test_a_contrast_beyond_a_byte_is_refused(contrast: int) -> None:
    with pytest.raises(ValueError, match="contrast must be 0 to 255"):
        Oled(lighting=Lighting(contrast=contrast))


@pytest.mark.parametrize("chip", OledChip)
def test_the_set_up_is_the_drivers_own(chip: OledChip) -> None:
    commands = driver_set_up(chip)
    assert commands[0][0] == 0xAE, "it begins with the panel off"
    assert 0xAF not in [byte for command in commands for byte in command[:1]]
    assert (0x81, 0xCF if chip.has_windows else 0x7F) in commands


def test_a_foreign_serial_needs_only_three_methods() -> None:
    class Quiet:
        def command(self, *cmd: int) -> None: ...
        def data(self, data: list[int]) -> None: ...
        def cleanup(self) -> None: ...

    quiet: OledSerial = Quiet()
    oled = Oled(serial_factory=lambda: quiet)
    oled.open()
    oled.show(READY)
