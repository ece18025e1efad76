"""The board's own network on the OLED: codes that a phone can read, and the same in letters."""

from __future__ import annotations

from functools import partial

import pytest
import segno
from PIL import Image
from segno.helpers import make_wifi_data

from jackspot.core.phrases import _
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import MenuView
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.hotspot import Network, draw_network
from jackspot.displays.text import Block
from jackspot.displays.words import LANGUAGES, translator
from jackspot.values import changed
from jackspot_sim.devices.bus import FakeI2C
from tests.displays.oled_drawing import english
from tests.displays.oled_views import READY
from tests.displays.test_oled_sign_in import modules


def told(network: Network | None) -> Network | None:
    return network


NETWORK = Network("Board 7", "abcdefgh2345", "http://10.42.0.1:8080/")
CODES = MenuView(
    _("the board's Wi-Fi"), (_("join by code"), _("page by code")), 0, kind=MenuKind.HOTSPOT
)


def test_the_first_code_joins_the_network_and_the_second_opens_the_page() -> None:
    joining = make_wifi_data(ssid=NETWORK.name, password=NETWORK.password, security="WPA")
    for chosen, text in enumerate((joining, NETWORK.url)):
        image = draw_network(NETWORK, changed(CODES, chosen=chosen), english)
        scale, found = modules(image, text)
        wanted = segno.make_qr(text, error="L", boost_error=False).matrix
        assert scale == 2
        assert found == [[bool(dark) for dark in row] for row in wanted]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_beside_the_codes_is_whole(language: str, cut_off: list[Block]) -> None:
    for chosen in (0, 1):
        draw_network(NETWORK, changed(CODES, chosen=chosen), translator(language))
    assert cut_off == []


def test_a_long_name_and_password_leave_the_code_whole() -> None:
    long = Network("A festival in Hikone, board 7 of", "x" * 63, NETWORK.url)
    text = make_wifi_data(ssid=long.name, password=long.password, security="WPA")
    scale, found = modules(draw_network(long, CODES, english), text)
    wanted = segno.make_qr(text, error="L", boost_error=False).matrix
    assert (scale, len(found)) == (1, len(wanted))
    assert found == [[bool(dark) for dark in row] for row in wanted]


def test_the_oled_shows_the_codes_in_their_list_and_the_list_where_the_network_is_gone() -> None:
    shown: list[Image.Image] = []
    for network in (NETWORK, None):
        bus = FakeI2C()
        oled = Oled(serial_factory=bus.serial, network=partial(told, network))
        oled.open()
        oled.show(changed(READY, menu=CODES))
        shown.append(bus.picture())
    assert shown[0].tobytes() == draw_network(NETWORK, CODES, english).tobytes()
    assert shown[1].tobytes() != shown[0].tobytes()
