"""Which leg is which: an emitter or lamp, and a phototransistor with three legs, for beginners."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.generate.step import File, Step
from hardware.generate.svg import Sheet


def make() -> Iterator[File]:
    """Return the drawing."""
    yield File("guide/legs.svg", _legs())


def _legs() -> bytes:
    sheet = Sheet(860, 420, "Which leg is which")
    sheet.text((24, 36), "Which leg is which", size=20, bold=True)
    sheet.text((60, 70), "Emitter, and every lamp (LED)", bold=True)
    _body(sheet, 170, clear=True)
    _leg(sheet, 155, 330, "red")
    _leg(sheet, 185, 300, "jack")
    _say(sheet, (60, 345), ("longer leg: anode (+)", "through its resistor to 5 V"), "red")
    _say(sheet, (205, 315), ("shorter leg, flat side of the rim:", "cathode, to ground"), "jack")
    sheet.text((470, 70), "Phototransistor BPV11F, black, three legs", bold=True)
    _body(sheet, 580, clear=False)
    for x, low in ((560, 300), (580, 240), (600, 300)):
        _leg(sheet, x, low, "jack")
    sheet.line((570, 240), (590, 240), "red")
    _say(sheet, (470, 330), ("collector and emitter: the two that conduct in light;",
                             "its data sheet draws which is which"), "jack")  # fmt: skip
    _say(sheet, (610, 225), ("base: its data sheet draws", "which leg it is; cut it short,",
                            "connect it to nothing"), "red")  # fmt: skip
    sheet.text(
        (24, 400),
        "Collector to the white core, emitter to ground. The other way round harms nothing here, "
        "but the wire then stays high: change the two.",
        fill="quiet", size=12,
    )  # fmt: skip
    return sheet.content()


def _body(sheet: Sheet, x: float, *, clear: bool) -> None:
    fill, stroke = ("one-soft", "one") if clear else ("jack", "jack")
    sheet.circle((x, 122), 28, fill=fill, stroke=stroke)
    sheet.rect((x - 28, 122), (56, 62), fill=fill, stroke=stroke, radius=0)
    sheet.rect((x - 36, 180), (64, 14), fill=fill, stroke=stroke, radius=0)
    if clear:
        sheet.line((x + 28, 180), (x + 28, 194), "red")


def _leg(sheet: Sheet, x: float, low: float, stroke: str) -> None:
    sheet.rect((x - 2, 194), (4, low - 194), fill="sunk", stroke=stroke, radius=0)


def _say(sheet: Sheet, place: tuple[float, float], lines: tuple[str, ...], fill: str) -> None:
    for i, line in enumerate(lines):
        sheet.text((place[0], place[1] + 17 * i), line, fill=fill)


STEP = Step("legs", make, owns=("guide/legs.svg",))
