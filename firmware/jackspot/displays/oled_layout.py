"""Draws the board's view for the OLED.

Pure: a view and a translation in, a picture of 128x64 dots out. It may not know any device.
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from jackspot.table.phrases import Translate
from jackspot.table.view import BoardView


def draw(view: BoardView, translate: Translate) -> Image.Image:
    """Draw a view as 128x64 dots of mode ``1``."""
    image = Image.new("1", (128, 64))
    pen = ImageDraw.Draw(image)
    for index, side in enumerate(view.sides):
        pen.text((64 * index, 0), f"{side.letter} {side.pocketed} ({side.owed})", fill=1)
    for row, phrase in enumerate((view.headline, view.detail, view.ok, view.fix)):
        pen.text((0, 14 + 12 * row), phrase.render(translate), fill=1)
    return image
