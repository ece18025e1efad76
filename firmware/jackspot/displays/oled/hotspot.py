"""The board's own network on the OLED: a QR code that joins a phone to it, and one for the page.

The same is in letters beside each. Pure; segno is imported when it is shown.
"""

from __future__ import annotations

from msgspec import Struct
from PIL import Image

from jackspot.core.phrases import Translate
from jackspot.dialogue.state.view import MenuView
from jackspot.displays.oled.parts import words
from jackspot.displays.oled.sheet import HEIGHT, WIDTH
from jackspot.displays.oled.sign_in import ROW, broken_address, qr_code
from jackspot.displays.text import DARK, SMALL, TINY, fit, place


class Network(Struct, frozen=True):
    """The board's own network, and the address of its page there."""

    name: str
    password: str
    url: str


def draw_network(network: Network, menu: MenuView, translate: Translate) -> Image.Image:
    """Draw the QR code of the chosen line at the left, and its content as text beside it."""
    image = Image.new("1", (WIDTH, HEIGHT), DARK)
    code = qr_code(_joining(network) if menu.chosen == 0 else network.url)
    image.paste(code, (0, (HEIGHT - code.height) // 2))
    left = code.width + 2
    room = WIDTH - left
    heading = fit(words(menu.items[menu.chosen], translate), room, ((TINY, 1),))
    place(image, (left, 1, WIDTH, ROW + 2), heading)
    if menu.chosen == 0:
        name = fit(network.name, room, ((SMALL, 1), (TINY, 1), (TINY, 3)))
        password = fit(network.password, room, ((TINY, 1),))
        end = HEIGHT - 2 * ROW
        place(image, (left, ROW + 2, WIDTH, end), name)
        place(image, (left, end, WIDTH, HEIGHT), password)
        return image
    lines = broken_address(network.url.rstrip("/"), room)
    top = HEIGHT - ROW * len(lines)
    for number, line in enumerate(lines):
        at = top + ROW * number
        place(image, (left, at, WIDTH, at + ROW), fit(line, room, ((TINY, 1),)))
    return image


def _joining(network: Network) -> str:
    from segno.helpers import make_wifi_data

    return make_wifi_data(ssid=network.name, password=network.password, security="WPA")
