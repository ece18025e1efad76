"""Draw one view for a test, and measure its picture."""

from __future__ import annotations

from PIL import Image

from jackspot.dialogue.state.view import BoardView
from jackspot.displays.oled.layout import draw
from tests.displays.oled_systems import SYSTEMS
from tests.displays.oled_views import VIEWS

ALL = {**VIEWS, **SYSTEMS}


def english(text: str) -> str:
    """Translate nothing."""
    return text


def dots(view: BoardView) -> bytes:
    """Draw a view; return its bytes."""
    return draw(view, english).tobytes()


def lit_share(image: Image.Image, box: tuple[int, int, int, int]) -> float:
    """Return how much of a box is lit."""
    return image.crop(box).convert("L").histogram()[255] / ((box[2] - box[0]) * (box[3] - box[1]))
