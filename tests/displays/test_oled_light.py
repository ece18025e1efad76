"""How the OLED's dots are spared, on a clock of its own."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from jackspot.core.pieces import Seat
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.light import ORBIT, Care, Lighting, moved
from jackspot.values import changed
from tests.displays.oled_views import HELP, READY

EVERY = Lighting().shift_ns
FALLING = changed(READY, phase=Phase.FALLING)
AFTER = changed(READY, shooter=Seat.S)


def places(*steps: tuple[BoardView, int]) -> list[int]:
    """Show views at instants; return how far each of them is shifted."""
    care, found = Care(), []
    for view, at_ns in steps:
        care, light = care.step(view, at_ns, Lighting())
        found.append(light.shift)
    return found


def test_the_picture_moves_with_the_first_entry_after_three_minutes() -> None:
    assert places((READY, 0), (AFTER, EVERY - 1), (READY, EVERY)) == [0, 0, 1]


def test_the_picture_never_moves_while_somebody_reads_it() -> None:
    reading = [changed(READY, sequence=n, ask=n) for n in range(9)]
    shown = [(view, n * EVERY) for n, view in enumerate(reading)]
    assert set(places(*shown)) == {0}


def test_a_clock_that_runs_moves_nothing() -> None:
    clock = changed(READY.clock, limit_ns=1, remaining_ns=1)
    steps = [(READY, 0), (changed(READY, clock=clock), 10 * EVERY)]
    assert places(*steps) == [0, 0]


def test_a_fall_an_entry_and_a_pause_each_move_it_once_it_is_time() -> None:
    for view in (FALLING, AFTER, changed(READY, phase=Phase.PAUSED)):
        assert places((READY, 0), (view, EVERY), (view, 5 * EVERY)) == [0, 1, 1]


def test_it_goes_round_and_comes_back() -> None:
    turns = [(changed(READY, board=n), n * EVERY) for n in range(len(ORBIT) + 1)]
    assert places(*turns) == [*ORBIT, ORBIT[0]]
    assert set(ORBIT) == {-1, 0, 1}


def test_help_wanders_by_itself_and_is_not_moved_once_more() -> None:
    assert places((READY, 0), (AFTER, EVERY), (HELP, 2 * EVERY))[-1] == 0


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_a_picture_that_is_moved_loses_only_what_falls_off_the_edge(shift: int) -> None:
    image = draw(READY, str)
    back = ImageChops.offset(moved(image, shift), -shift, 0)
    inside = (max(0, -shift), 0, 128 - max(0, shift), 64)
    assert back.crop(inside).tobytes() == image.crop(inside).tobytes()


def test_the_column_that_comes_in_is_dark() -> None:
    full = Image.new("1", (128, 64), 255)
    assert moved(full, 1).getbbox() == (1, 0, 128, 64)
    assert moved(full, -1).getbbox() == (0, 0, 127, 64)
