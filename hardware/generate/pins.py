"""The page of pins, which the firmware writes itself."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.generate.step import File, Step, text
from jackspot.inputs.pins_page import page


def make() -> Iterator[File]:
    """Return ``PINS.md``."""
    yield text("PINS.md", page())


STEP = Step("pins", make, owns=("PINS.md",))
