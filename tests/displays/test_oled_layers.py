"""The OLED's lists, free play and help: what it shows over a match or when none is played."""

from __future__ import annotations

import functools
import itertools

import pytest
from PIL import Image, ImageChops

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Side
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.wire import OledChip, pack, writes
from jackspot.values import changed
from tests.displays.oled_drawing import dots, english, lit_share
from tests.displays.oled_views import FREE, GONE, HELP, MENU, VIEWS, side

# --- lists ----------------------------------------------------------------------------


def test_the_chosen_line_of_a_long_list_is_always_shown() -> None:
    assert MENU.menu is not None
    many = changed(MENU.menu, items=tuple(_("item {n}", n=n) for n in range(40)))
    pictures = {dots(changed(MENU, menu=changed(many, chosen=chosen))) for chosen in range(40)}
    assert len(pictures) == 40


@pytest.mark.parametrize("name", ["menu", "menu_history"])
def test_a_list_says_how_far_down_it_we_are(name: str) -> None:
    view = VIEWS[name]
    assert view.menu is not None
    bars, titles = [], set()
    for chosen in range(len(view.menu.items)):
        image = draw(changed(view, menu=changed(view.menu, chosen=chosen)), english)
        bar = image.crop((126, 13, 128, 55)).getbbox()
        assert bar is not None
        bars.append(bar[1])
        titles.add(image.crop((0, 0, 128, 11)).tobytes())
    assert bars == sorted(bars)
    assert bars[0] < 2
    assert bars[-1] >= 20
    assert len(titles) == len(view.menu.items)


def test_a_list_that_is_seen_whole_needs_no_number() -> None:
    assert MENU.menu is not None
    short = [changed(MENU.menu, items=MENU.menu.items[:3], chosen=n) for n in range(3)]
    titles = {draw(changed(MENU, menu=m), english).crop((0, 0, 128, 11)).tobytes() for m in short}
    assert len(titles) == 1


def test_a_history_of_hundreds_is_drawn_by_looking_at_the_few_that_are_seen() -> None:
    view = VIEWS["menu_history"]
    assert view.menu is not None
    many = tuple(_("{text}", text=f"entry {n} of very many") for n in range(600))
    looked_at: list[str] = []

    def translate(text: str) -> str:
        looked_at.append(text)
        return text

    draw(changed(view, menu=changed(view.menu, items=many, chosen=300)), translate)
    assert len(looked_at) < 60


# --- free play ------------------------------------------------------------------------


def test_in_free_play_no_card_is_white() -> None:
    for name in ("free", "free_sure", "free_begin"):
        image = draw(VIEWS[name], english)
        assert lit_share(image, (0, 0, 58, 29)) < 0.5
        assert lit_share(image, (70, 0, 128, 29)) < 0.5


def test_the_newest_fall_is_framed_until_people_say_that_it_is_right() -> None:
    assert FREE.free is not None
    sure = draw(changed(FREE, free=changed(FREE.free, sure=True)), english)
    image = draw(FREE, english)
    edge = (4, 32, 76, 33)
    assert lit_share(image, edge) > 0.5
    assert lit_share(sure, edge) == 0


def test_every_count_and_note_of_free_play_can_be_seen() -> None:
    assert FREE.free is not None
    counts = FREE.free.counts
    others = [
        changed(FREE, free=changed(FREE.free, counts=other))
        for other in (
            ((Piece.RED, 8), *counts[1:]),
            (counts[0], (Piece.GREEN, 6), counts[2]),
            (*counts[:2], (Piece.JACK, 1)),
        )
    ]
    others += [FREE, VIEWS["free_note"], VIEWS["free_sure"], VIEWS["free_begin"]]
    assert len({dots(view) for view in others}) == len(others)


# --- help while nobody plays ----------------------------------------------------------


def evening(base: BoardView) -> list[Image.Image]:
    """Return all pictures of help until they repeat."""
    return [draw(changed(base, attract=n % 3, sequence=n), english) for n in range(24)]


def test_no_dot_is_lit_all_evening_by_help() -> None:
    always = functools.reduce(ImageChops.logical_and, evening(HELP))
    assert always.getbbox() is None


def test_help_wanders_by_a_dot_or_two_and_nothing_of_it_is_lost() -> None:
    shown = evening(HELP)[::3]
    boxes = [image.getbbox() for image in shown]
    assert len(set(boxes)) == len(boxes) == 8
    left, top, right, bottom = boxes[0] or (0, 0, 0, 0)
    for image, box in zip(shown, boxes, strict=True):
        assert box is not None
        assert (box[2] - box[0], box[3] - box[1]) == (right - left, bottom - top)
        assert image.crop(box).tobytes() == shown[0].crop((left, top, right, bottom)).tobytes()
        assert 0 <= box[0] - left <= 2
        assert 0 <= box[1] - top <= 2


def test_help_over_a_match_shows_how_it_stands() -> None:
    waits = VIEWS["help_match_waits"]
    other = changed(waits, sides=(side(Side.RED, 8, shoots=True), waits.sides[1]))
    assert dots(waits) != dots(other)
    result = VIEWS["help_result"]
    assert dots(result) != dots(changed(result, result_points=(12, 9)))


def test_a_fault_is_named_below_the_help_too() -> None:
    assert dots(VIEWS["help_fault"]) != dots(changed(VIEWS["help_fault"], faults=(GONE,)))


@pytest.mark.parametrize("chip", OledChip)
def test_an_evening_of_help_costs_a_thousandth_of_the_bus(chip: OledChip) -> None:
    frames = [pack(image) for image in evening(HELP)]
    sent = sum(
        len(write.data) + 10
        for before, after in itertools.pairwise([*frames, frames[0]])
        for write in writes(chip, before, after, 10)
    )
    seconds = 6 * len(frames)
    assert sent / seconds < 400_000 / 9 / 250
