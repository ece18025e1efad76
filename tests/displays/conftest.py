"""Fixtures for all tests of displays."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from jackspot.displays import text as oled_text
from jackspot.displays.oled import (
    free_play as oled_free_play,
    help as oled_help,
    hotspot as oled_hotspot,
    layout as oled_layout,
    lists as oled_lists,
    parts as oled_parts,
    standing as oled_standing,
)
from jackspot.displays.text import Block
from jackspot.displays.thread import DisplayThread, Retry
from tests.conftest import PATIENCE_S
from tests.displays.screens import SOON, Journal, Screen, Start

DRAWING = (
    oled_text, oled_parts, oled_layout, oled_lists, oled_help, oled_free_play, oled_standing,
    oled_hotspot,
)  # fmt: skip
"""Every module that sets text into boxes."""


def _placed(
    monkeypatch: pytest.MonkeyPatch, is_wanted: Callable[[Image.Image, oled_text.Box, Block], bool]
) -> list[Block]:
    """Collect every text of a kind that is drawn from now on."""
    found: list[Block] = []
    real = oled_text.place

    def place(
        image: Image.Image, box: oled_text.Box, block: Block, colour: int = 255, align: float = 0.5
    ) -> None:
        if is_wanted(image, box, block):
            found.append(block)
        real(image, box, block, colour, align)

    for module in DRAWING:
        monkeypatch.setattr(module, "place", place)
    return found


@pytest.fixture
def cut_off(monkeypatch: pytest.MonkeyPatch) -> list[Block]:
    """Collect every text that was drawn cut off or outside the display."""

    def is_cut(image: Image.Image, box: oled_text.Box, block: Block) -> bool:
        left, top, right, bottom = box
        is_inside = left >= 0 and right <= image.width and top >= -1 and bottom <= image.height + 1
        return not block.is_whole or block.width > right - left or not is_inside

    return _placed(monkeypatch, is_cut)


@pytest.fixture
def in_lines(monkeypatch: pytest.MonkeyPatch) -> list[Block]:
    """Collect every text that was drawn in more than one line."""
    return _placed(monkeypatch, lambda _image, _box, block: len(block.lines) > 1)


@pytest.fixture
def faults() -> Journal:
    return Journal()


@pytest.fixture
def start(faults: Journal) -> Iterator[Start]:
    started: list[tuple[DisplayThread, Screen]] = []

    def begin(screen: Screen, retry: Retry = SOON) -> DisplayThread:
        thread = DisplayThread(screen, faults.add, retry=retry)
        started.append((thread, screen))
        thread.start()
        return thread

    yield begin
    for thread, screen in started:
        screen.gate.set()
        assert thread.stop(PATIENCE_S)
