"""Python's searches for garbage never fall into an edge, and still find all the garbage."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jackspot.config import find, load
from jackspot.ops.garbage import MOST, ROUNDS, WORTH, TidyWatchdog, seldom_searched
from tests.bench.bench_edge import SETTINGS, Bench


class Thing:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def watchdog() -> Iterator[TidyWatchdog]:
    before = gc.get_threshold()
    one = TidyWatchdog({})
    one.ready()
    yield one
    one.stopping()
    assert gc.get_threshold() == before


def play(board: Bench, strokes: int) -> None:
    for _ in range(strokes):
        board.stroke()


def test_no_search_falls_into_an_edge(tmp_path: Path) -> None:
    (tmp_path / "jackspot.toml").write_text(SETTINGS, encoding="utf-8")
    searched: list[str] = []

    def note(phase: str, _about: object) -> None:
        searched.append(phase)

    with closing(Bench(load(find(tmp_path / "jackspot.toml")), tmp_path / "journal.db")) as board:
        board.begin()
        gc.collect()
        gc.callbacks.append(note)
        try:
            play(board, 8)
        finally:
            gc.callbacks.remove(note)
    assert searched == []


def test_what_is_left_over_goes_with_the_next_feed(watchdog: TidyWatchdog) -> None:
    left_over = [weakref.ref(Thing()) for _ in range(WORTH)]
    assert any(each() for each in left_over)
    watchdog.feed()
    assert not any(each() for each in left_over)


def test_a_feed_after_which_there_is_nothing_to_find_searches_nothing(
    watchdog: TidyWatchdog,
) -> None:
    gc.collect()
    before = [each["collections"] for each in gc.get_stats()]
    watchdog.feed()
    assert [each["collections"] for each in gc.get_stats()] == before


def test_what_lives_through_some_searches_goes_too(watchdog: TidyWatchdog) -> None:
    one = Thing()
    gone = weakref.ref(one)
    for number in range(3 * ROUNDS):
        if number == ROUNDS:
            del one
        left_over = [Thing() for _ in range(WORTH)]
        del left_over
        watchdog.feed()
    assert gone() is None


def test_a_board_that_nobody_feeds_is_searched_by_python(watchdog: TidyWatchdog) -> None:
    left_over = [weakref.ref(Thing()) for _ in range(2 * MOST)]
    assert sum(each() is not None for each in left_over) <= MOST


def test_a_board_that_begins_anew_searches_as_before_at_its_end(watchdog: TidyWatchdog) -> None:
    watchdog.ready()
    assert gc.get_threshold()[0] == MOST


def test_a_hub_is_searched_seldom_while_it_runs_and_finds_garbage_all_the_same() -> None:
    before, lost = gc.get_threshold(), Thing()
    is_there = weakref.ref(lost)
    with seldom_searched():
        assert gc.get_threshold()[0] == MOST
        made = [Thing() for _ in range(3)]
        found = weakref.ref(made[0])
        del made
        gc.collect()
        assert found() is None
        del lost
        gc.collect()
        assert is_there() is not None, "what was there before is left out"
    assert gc.get_threshold() == before
    gc.collect()
    assert is_there() is None
