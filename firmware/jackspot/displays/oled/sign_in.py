"""How a referee signs in on a phone: the page's address as a QR code, and the PIN in digits.

It is shown on the OLED only, so that whoever reads it is at the board. Pure; segno is imported
when it is shown.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct
from PIL import Image

from jackspot.core.phrases import Translate, _
from jackspot.displays.oled.parts import words
from jackspot.displays.oled.sheet import HEIGHT, WIDTH
from jackspot.displays.text import DARK, PLAIN, SMALL, TINY, Choice, fit, measure, place

_RIM = 3
MOST_SCANNED = 53
"""The most bytes that fit into a QR code with two dots a module."""
_DIGITS: tuple[Choice, ...] = ((PLAIN, 1), (SMALL, 1), (SMALL, 2))


class SignInAddress(Struct, frozen=True):
    """Where the referee's page is, and the PIN that it asks for.

    ``code`` is in the QR code only: whoever has scanned it needs no PIN.
    """

    url: str
    pin: str
    code: str = ""

    @property
    def scanned(self) -> str:
        """The text of the QR code; without ``code`` if that would make its dots too small."""
        whole = f"{self.url}#{self.code}"
        return whole if self.code and len(whole.encode()) <= MOST_SCANNED else self.url


def draw_door(door: SignInAddress, translate: Translate) -> Image.Image:
    """Draw the QR code at the left, and the PIN and the address as text beside it."""
    image = Image.new("1", (WIDTH, HEIGHT), DARK)
    code = qr_code(door.scanned)
    image.paste(code, (0, (HEIGHT - code.height) // 2))
    left = code.width + 2
    room = WIDTH - left
    place(image, (left, 0, WIDTH, 9), fit(words(_PIN, translate), room, ((TINY, 1),)))
    place(image, (left, 9, WIDTH, 30), fit(_grouped(door.pin), room, _DIGITS))
    lines = broken_address(door.url, room)
    top = HEIGHT - ROW * len(lines)
    for number, line in enumerate(lines):
        at = top + ROW * number
        place(image, (left, at, WIDTH, at + ROW), fit(line, room, ((TINY, 1),)))
    return image


_PIN = _("PIN")
ROW = 8


def broken_address(url: str, room: int) -> list[str]:
    """Break an address at dots, colons and slashes into lines of at most ``room`` dots."""
    lines = [""]
    for part in re.findall(r"[^.:/]*[.]|[:/]?[^.:/]+", url.removeprefix("http://")):
        if lines[-1] and measure(TINY, lines[-1] + part) > room:
            lines.append("")
        lines[-1] += part
    return lines


def _grouped(pin: str) -> str:
    """Return a PIN in groups that are read one by one."""
    size = 3 if len(pin) % 3 == 0 else 4
    return " ".join(pin[at : at + size] for at in range(0, len(pin), size))


@lru_cache(maxsize=4)
def qr_code(text: str) -> Image.Image:
    """Return a text as a QR code, two dots a module where that fits."""
    import segno

    encoding = None if text.isascii() else "utf-8"
    code = segno.make_qr(text, error="L", boost_error=False, encoding=encoding)
    rows = [bytes(row) for row in code.matrix]
    scale = 2 if 2 * len(rows) + 2 * _RIM <= HEIGHT else 1
    size = scale * len(rows) + 2 * _RIM
    image = Image.new("1", (size, size), 255)
    for y, row in enumerate(rows):
        for x, is_dark in enumerate(row):
            if is_dark:
                at = (x * scale + _RIM, y * scale + _RIM)
                image.paste(0, (*at, at[0] + scale, at[1] + scale))
    return image
