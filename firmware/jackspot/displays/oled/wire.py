"""What is sent to the OLED: only the columns and pages that changed.

Theory of operation. All three controllers keep the picture in *pages*: a byte holds eight pixels
of one column, the uppermost in its lowest bit; a page is a row of 128 such bytes, and eight
pages make 128x64. The frame to show is packed that way and compared with the frame that the
controller holds. The difference is covered by few rectangles: two of them become one wherever
that is cheaper on the wire than addressing both.

- SSD1306 (data sheet rev. 1.1, 10.1.3 to 10.1.5) and SSD1309 (the same commands): in horizontal
  addressing mode a window of columns and pages is set, then its bytes follow, page by page.
- SH1106 (data sheet 2.3, commands 1, 2 and 12): no windows. Each page's run of columns is
  addressed by page and by the low and high half of the column; the glass begins at column 2.

This module makes lists of bytes. It may not know any bus, driver or clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import reduce

from msgspec import Struct
from PIL import Image

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8
FRAME_BYTES = WIDTH * PAGES

_COLUMN_ADDRESS = 0x21
_PAGE_ADDRESS = 0x22
_LOW_COLUMN = 0x00
_HIGH_COLUMN = 0x10
_PAGE_START = 0xB0
SH1106_FIRST_COLUMN = 2
"""The SH1106 has 132 columns of memory; a 128-pixel glass is wired to its middle."""


class OledChip(StrEnum):
    """The supported controllers, by the names of luma.oled's drivers."""

    SSD1306 = "ssd1306"
    SSD1309 = "ssd1309"
    SH1106 = "sh1106"

    @property
    def has_windows(self) -> bool:
        """Whether a rectangle of several pages can be addressed at once."""
        return self is not OledChip.SH1106


class Area(Struct, frozen=True):
    """A rectangle of the frame: columns and pages, the last ones included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def size(self) -> int:
        """The bytes of picture that it holds."""
        return (self.right - self.left + 1) * (self.bottom - self.top + 1)

    def around(self, other: Area) -> Area:
        """Return the smallest area that holds both."""
        return Area(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


WHOLE = Area(0, WIDTH - 1, 0, PAGES - 1)


class Write(Struct, frozen=True):
    """One command that addresses a place, and the bytes that go there."""

    command: tuple[int, ...]
    data: bytes


def pack(image: Image.Image) -> bytes:
    """Return a 128x64 picture of mode ``1`` as the controllers' 1,024 bytes, page by page.

    After a clockwise turn, each column of the picture is eight bytes of Pillow's own packing, the
    lowest page first, so Python touches no pixel.
    """
    assert image.mode == "1"
    assert image.size == (WIDTH, HEIGHT)
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def writes(chip: OledChip, held: bytes | None, frame: bytes, cost: int) -> Iterator[Write]:
    """Return what must be sent so that a controller that holds ``held`` shows ``frame``.

    ``held`` None is unknown memory: everything is sent. ``cost`` is what one :class:`Write` costs
    on the bus beside its data, in bytes.
    """
    for area in changed_areas(chip, held, frame, cost):
        if chip.has_windows:
            yield Write(
                (_COLUMN_ADDRESS, area.left, area.right, _PAGE_ADDRESS, area.top, area.bottom),
                cut(frame, area),
            )
        else:
            column = area.left + SH1106_FIRST_COLUMN
            low, high = _LOW_COLUMN | column & 0x0F, _HIGH_COLUMN | column >> 4
            for page in range(area.top, area.bottom + 1):
                row = Area(area.left, area.right, page, page)
                yield Write((_PAGE_START | page, low, high), cut(frame, row))


def cut(frame: bytes, area: Area) -> bytes:
    """Return the bytes of one area, page by page."""
    return b"".join(
        frame[page * WIDTH + area.left : page * WIDTH + area.right + 1]
        for page in range(area.top, area.bottom + 1)
    )


def changed_areas(chip: OledChip, held: bytes | None, frame: bytes, cost: int) -> list[Area]:
    """Cover everything that differs with areas that are cheap to send.

    This is never more costly than the one rectangle around everything that differs.
    """
    if held is None:
        return [WHOLE]
    areas: list[Area] = []
    differing = int.from_bytes(held) ^ int.from_bytes(frame)
    has_windows = chip.has_windows
    for run in _runs(differing.to_bytes(FRAME_BYTES), cost):
        if has_windows:
            _add_merged(areas, run, cost)
        else:
            areas.append(run)
    if len(areas) > 1 and has_windows:
        around = reduce(Area.around, areas)
        if around.size <= sum(area.size + cost for area in areas) - cost:
            return [around]
    return areas


def _runs(differing: bytes, cost: int) -> Iterator[Area]:
    """Return each page's runs of columns that are not zero.

    Gaps that cost no more than an address are bridged.
    """
    gap = bytes(cost + 1)
    for page in range(PAGES):
        end = 0
        for part in differing[page * WIDTH : (page + 1) * WIDTH].rstrip(b"\0").split(gap):
            end += len(part)
            if run := part.lstrip(b"\0"):
                yield Area(end - len(run), end - 1, page, page)
            end += len(gap)


def _add_merged(areas: list[Area], new: Area, cost: int) -> None:
    """Add an area, merged with those that are cheaper together than apart."""
    while areas:
        left, right, top, bottom = new.left, new.right, new.top, new.bottom
        savings = [
            area.size
            - (max(area.right, right) - min(area.left, left) + 1)
            * (max(area.bottom, bottom) - min(area.top, top) + 1)
            for area in areas
        ]
        most = max(savings)
        if most + new.size + cost < 0:
            break
        new = areas.pop(savings.index(most)).around(new)
    areas.append(new)
