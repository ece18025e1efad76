"""Only changes are sent, and exactly those."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, strategies as st
from PIL import Image

from jackspot.displays.oled.wire import (
    FRAME_BYTES,
    HEIGHT,
    PAGES,
    WHOLE,
    WIDTH,
    Area,
    OledChip,
    changed_areas,
    cut,
    pack,
    writes,
)

COST = 10
CHIPS = pytest.mark.parametrize("chip", OledChip)

patches = st.lists(
    st.tuples(
        st.integers(0, WIDTH - 1),
        st.integers(0, PAGES - 1),
        st.integers(1, 40),
        st.integers(1, 4),
        st.integers(1, 255),
    ),
    max_size=6,
)


def patched(changes: list[tuple[int, int, int, int, int]]) -> bytes:
    """Return an empty frame with some rectangles filled with a value."""
    frame = bytearray(FRAME_BYTES)
    for left, top, wide, high, value in changes:
        for page in range(top, min(PAGES, top + high)):
            for column in range(left, min(WIDTH, left + wide)):
                frame[page * WIDTH + column] = value
    return bytes(frame)


def spent(areas: list[Area]) -> int:
    """Return what areas cost on the wire."""
    return sum(area.size + COST for area in areas)


@given(st.binary(min_size=FRAME_BYTES, max_size=FRAME_BYTES))
def test_a_byte_is_eight_dots_of_a_column_the_upper_one_lowest(raw: bytes) -> None:
    image = Image.frombytes("1", (WIDTH, HEIGHT), raw)
    packed = pack(image)
    assert len(packed) == FRAME_BYTES
    for x, y in ((0, 0), (127, 63), (1, 0), (0, 1), (64, 31), (5, 60), (127, 0), (0, 63)):
        assert packed[y // 8 * WIDTH + x] >> y % 8 & 1 == bool(image.getpixel((x, y)))


@CHIPS
@given(old=patches, new=patches)
def test_the_areas_hold_every_change(chip: OledChip, old: list, new: list) -> None:
    held, frame = patched(old), patched(new)
    result = bytearray(held)
    for area in changed_areas(chip, held, frame, COST):
        wide = area.right - area.left + 1
        for index, page in enumerate(range(area.top, area.bottom + 1)):
            start = page * WIDTH + area.left
            result[start : start + wide] = cut(frame, area)[index * wide : (index + 1) * wide]
    assert bytes(result) == frame


@given(old=patches, new=patches)
def test_the_areas_are_never_dearer_than_one_around_all_that_changed(old: list, new: list) -> None:
    held, frame = patched(old), patched(new)
    changed = [i for i in range(FRAME_BYTES) if held[i] != frame[i]]
    areas = changed_areas(OledChip.SSD1306, held, frame, COST)
    if not changed:
        assert areas == []
        return
    columns, pages = [i % WIDTH for i in changed], [i // WIDTH for i in changed]
    around = Area(min(columns), max(columns), min(pages), max(pages))
    assert spent(areas) <= around.size + COST


@given(old=patches, new=patches)
def test_no_two_areas_would_be_cheaper_as_one(old: list, new: list) -> None:
    areas = changed_areas(OledChip.SSD1306, patched(old), patched(new), COST)
    for one, other in itertools.combinations(areas, 2):
        assert one.around(other).size > one.size + other.size + COST


@CHIPS
@given(old=patches, new=patches)
def test_areas_are_never_dearer_than_each_run_of_each_page_by_itself(
    chip: OledChip, old: list, new: list
) -> None:
    held, frame = patched(old), patched(new)
    single = 0
    for page in range(PAGES):
        was_equal = True
        for i in range(page * WIDTH, (page + 1) * WIDTH):
            is_equal = held[i] == frame[i]
            single += (not is_equal) + COST * (was_equal and not is_equal)
            was_equal = is_equal
    assert spent(changed_areas(chip, held, frame, COST)) <= single


@CHIPS
def test_a_gap_in_a_page_is_sent_when_that_is_cheaper_than_an_address(chip: OledChip) -> None:
    near = patched([(0, 3, 4, 1, 1), (4 + COST, 3, 4, 1, 1)])
    far = patched([(0, 3, 4, 1, 1), (5 + COST, 3, 4, 1, 1)])
    empty = bytes(FRAME_BYTES)
    assert changed_areas(chip, empty, near, COST) == [Area(0, 7 + COST, 3, 3)]
    assert len(changed_areas(chip, empty, far, COST)) == 2


@CHIPS
def test_an_unknown_memory_gets_the_whole_frame(chip: OledChip) -> None:
    sent = list(writes(chip, None, bytes(FRAME_BYTES), COST))
    assert sum(len(write.data) for write in sent) == FRAME_BYTES
    assert changed_areas(chip, None, bytes(FRAME_BYTES), COST) == [WHOLE]


@CHIPS
def test_an_equal_frame_sends_nothing(chip: OledChip) -> None:
    frame = patched([(3, 2, 20, 3, 7)])
    assert list(writes(chip, frame, frame, COST)) == []


def test_far_apart_changes_are_sent_apart() -> None:
    frame = patched([(0, 0, 8, 2, 255), (120, 6, 8, 2, 255)])
    areas = changed_areas(OledChip.SSD1306, bytes(FRAME_BYTES), frame, COST)
    assert areas == [Area(0, 7, 0, 1), Area(120, 127, 6, 7)]


def test_changes_closer_than_an_address_are_sent_together() -> None:
    frame = patched([(0, 0, 8, 2, 255), (12, 0, 8, 2, 255)])
    areas = changed_areas(OledChip.SSD1306, bytes(FRAME_BYTES), frame, COST)
    assert areas == [Area(0, 19, 0, 1)]


def test_a_window_of_the_ssd1306_is_columns_then_pages() -> None:
    frame = patched([(16, 1, 3, 2, 0xA5)])
    (write,) = writes(OledChip.SSD1306, bytes(FRAME_BYTES), frame, COST)
    assert write.command == (0x21, 16, 18, 0x22, 1, 2)
    assert write.data == b"\xa5" * 6


def test_a_run_of_the_sh1106_is_page_and_both_halves_of_the_column() -> None:
    frame = patched([(0x3E, 1, 3, 2, 0xA5)])
    first, second = writes(OledChip.SH1106, bytes(FRAME_BYTES), frame, COST)
    assert first.command == (0xB1, 0x00, 0x14), "the glass begins at column 2"
    assert second.command == (0xB2, 0x00, 0x14)
    assert first.data == second.data == b"\xa5" * 3
