"""The way to the referee's page on the OLED: a code that a phone can read, and the PIN."""

from __future__ import annotations

from pathlib import Path

import pytest
import segno
from PIL import Image

from jackspot.core.phrases import _
from jackspot.dialogue.state.view import MenuView
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.sign_in import SignInAddress, draw_door
from jackspot.values import changed
from jackspot.web.addresses import is_loopback, page_url
from jackspot_sim.devices.bus import FakeI2C
from tests.displays.oled_drawing import english
from tests.displays.oled_views import READY

DOORS = {
    "six": SignInAddress("http://192.168.178.200:8080/referee", "246810"),
    "twelve": SignInAddress("http://board-1.local:8080/referee", "123456789012"),
    "four": SignInAddress("http://10.0.0.1/referee", "0007"),
    "a code": SignInAddress("http://255.255.255.255:65535/referee", "246810", "n5X-t_0aBcDe"),
    "no room for it": SignInAddress(
        "http://a-board-of-a-long-name.local:8080/referee", "246810", "n5X-t_0aBcDe"
    ),
}
LISTED = MenuView(_("referee's page"), (_("back"),), 0, kind="referee")


def modules(image: Image.Image, url: str) -> tuple[int, list[list[bool]]]:
    """Read the code's modules off a picture, knowing only how many there must be."""
    rows = [bytes(row) for row in segno.make_qr(url, error="L", boost_error=False).matrix]
    for scale in (2, 1):
        size = scale * len(rows)
        top = (64 - size) // 2
        if top >= 3:
            break
    left = 3
    return scale, [
        [not image.getpixel((left + x * scale, top + y * scale)) for x in range(len(rows))]
        for y in range(len(rows))
    ]


@pytest.mark.parametrize("name", DOORS)
def test_the_code_says_the_address_and_stands_on_light(name):
    door = DOORS[name]
    image = draw_door(door, english)
    scale, found = modules(image, door.scanned)
    wanted = segno.make_qr(door.scanned, error="L", boost_error=False).matrix
    assert found == [[bool(dark) for dark in row] for row in wanted]
    assert scale == 2
    assert door.scanned == (f"{door.url}#n5X-t_0aBcDe" if name == "a code" else door.url)
    assert all(image.getpixel((x, 32)) for x in range(3))


def test_pins_and_addresses_make_different_pictures():
    shown = {
        draw_door(SignInAddress(url, pin), english).tobytes()
        for url in ("http://10.0.0.1:8080/referee", "http://10.0.0.2:8080/referee")
        for pin in ("1236", "1234", "1235")
    }
    assert len(shown) == 6


def test_the_oled_shows_the_way_in_only_while_its_list_is_open():
    bus = FakeI2C()
    asked = []

    def door() -> SignInAddress:
        asked.append(1)
        return DOORS["six"]

    oled = Oled(serial_factory=bus.serial, door=door)
    oled.open()
    oled.show(READY)
    assert not asked
    oled.show(changed(READY, menu=LISTED))
    assert bus.picture().tobytes() == draw_door(DOORS["six"], english).tobytes()
    oled.show(READY)
    assert bus.picture().tobytes() != draw_door(DOORS["six"], english).tobytes()


# --- addresses -------------------------------------------------------------------------


def test_an_address_of_its_own_is_shown_as_it_is():
    assert page_url("192.168.1.5", 8080, "referee") == "http://192.168.1.5:8080/referee"
    assert page_url("board-1.local", 80) == "http://board-1.local/"
    assert page_url("fd00::5", 8080) == "http://[fd00::5]:8080/"


@pytest.mark.parametrize("every", ["0.0.0.0", "::"])
def test_where_it_listens_everywhere_one_that_a_phone_can_reach_is_shown(every):
    shown = page_url(every, 8080)
    assert shown.startswith("http://")
    assert every not in shown.split("//")[1].split(":8080")[0]
    assert Path("/proc/net/route").read_text().count("\n") > 1 or shown.endswith(".local:8080/")


@pytest.mark.parametrize(
    ("address", "is_own"),
    [("127.0.0.1", True), ("127.1.2.3", True), ("::1", True), ("localhost", True),
     ("0.0.0.0", False), ("::", False), ("board-1", False), ("192.168.1.5", False)],
)  # fmt: skip
def test_loopback_is_told_from_the_network(address, is_own):
    assert is_loopback(address) is is_own
