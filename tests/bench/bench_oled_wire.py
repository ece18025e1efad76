"""How many bytes travel to the OLED when a count changes.

Every step of a side's count from 0 to 12, drawn as in a match, through the board's own
driver to a bus that counts. The floor is computed from the pictures alone: the smallest
rectangle of columns and pages that holds every pixel that changed, addressed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from luma.oled.device import ssd1306
from PIL import Image, ImageChops

from jackspot.core.pieces import Side
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.layout import draw
from jackspot.values import changed
from jackspot_sim.devices.bus import FakeI2C
from tests.bench.report import Report
from tests.displays.oled_views import READY, side

ADDRESSING_BYTES = 8
"""SSD1306 by I2C: control byte, six bytes of window, control byte of the data."""


def counts() -> Iterator[tuple[BoardView, BoardView]]:
    """Return each step of red's count: the view before and after it."""
    views = [
        changed(READY, sides=(side(Side.RED, count, shoots=True), READY.sides[1]))
        for count in range(12)  # the twelfth changes more: the side is all in
    ]
    yield from pairwise(views)


def picture(view: BoardView) -> Image.Image:
    return draw(view, lambda text: text)


def smallest(before: BoardView, after: BoardView) -> int:
    """Compute the bytes of the smallest rectangle, including those that address it."""
    box = ImageChops.logical_xor(picture(before), picture(after)).getbbox()
    assert box is not None, "a count that changes can be seen"
    left, top, right, bottom = box
    pages = (bottom - 1) // 8 - top // 8 + 1
    return (right - left) * pages + ADDRESSING_BYTES


def ours(before: BoardView, after: BoardView) -> int:
    """Count what the board's driver sends."""
    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial, clock=lambda: 0)
    oled.open()
    oled.show(before)
    start = bus.traffic
    oled.show(after)
    sent = (bus.traffic - start).transferred
    assert bus.picture().tobytes() == picture(after).tobytes(), "the glass shows the view"
    oled.close()
    return sent


def whole_frame() -> int:
    """Count what luma's own driver sends for any change."""
    bus = FakeI2C()
    device = ssd1306(bus.serial())
    start = bus.traffic
    device.display(picture(READY))
    sent = (bus.traffic - start).transferred
    device.persist = True
    return sent


def measure(report: Report) -> None:
    steps = list(counts())
    sent = sum(ours(*step) for step in steps) / len(steps)
    floor = sum(smallest(*step) for step in steps) / len(steps)
    name = "a count goes up by one on the OLED"
    against = "the smallest rectangle that changed"
    report.add(name, sent, floor, unit="bytes", against=against, aim=1.1)
    report.add(name, sent, whole_frame(), unit="bytes", against="luma's whole frame", aim=0.1)
