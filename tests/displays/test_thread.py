"""A display's thread: the newest view, no delay for the game, and recovery when it comes back."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from typing import Any

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.state.view import BoardView, ClockView
from jackspot.displays.errors import DisplayError
from jackspot.displays.thread import DirectDisplay, DisplayThread, Interruptible, Retry
from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from jackspot.values import changed
from tests.conftest import PATIENCE_S
from tests.displays.screens import (
    SOON,
    Anxious,
    Clock,
    Hanging,
    Journal,
    Picky,
    Screen,
    Start,
    is_interrupted,
)
from tests.displays.views import board


def test_a_posted_view_is_shown(start: Start) -> None:
    screen = Screen()
    thread = start(screen)
    thread.post(board())
    assert thread.drain(PATIENCE_S)
    assert screen.picture == board()


def test_a_slow_display_skips_to_the_newest_view_and_never_delays_the_game(start: Start) -> None:
    screen = Screen()
    screen.gate.clear()
    thread = start(screen)
    first, last = board(sequence=1), board(sequence=1000)
    thread.post(first)
    assert screen.entered.wait(PATIENCE_S)
    began = time.perf_counter()
    for number in range(2, 1001):
        thread.post(board(sequence=number))
    posting_s = time.perf_counter() - began
    assert screen.log.of(BoardView) == []  # it was busy with the first all the while
    screen.gate.set()
    assert thread.drain(PATIENCE_S)
    assert screen.log.of(BoardView) == [first, last]
    assert posting_s < PATIENCE_S / 10


def test_a_view_in_which_nothing_changed_that_it_shows_does_not_wake_a_display(
    start: Start,
) -> None:
    screen = Picky()
    thread = start(screen)
    shown = board(red=1, sequence=1), board(red=2, sequence=8)
    for view in (shown[0], *(board(red=1, green=n, sequence=n) for n in range(2, 8)), shown[1]):
        thread.post(view)
        assert thread.drain(PATIENCE_S)
    assert screen.log.of(BoardView) == list(shown)


def left(view: BoardView) -> int:
    """Return the seconds that a view shows, match clock and shot clock together."""
    return sum(-(-each.remaining_ns // SECOND_NS) for each in (view.clock, view.shot) if each)


def ticking(in_s: float, **more: Any) -> BoardView:
    """Return a view whose clocks first tick after this time, the shot clock a bit later."""
    now_ns, in_ns = time.monotonic_ns(), int(in_s * SECOND_NS)

    def clock(left_s: int, in_ns: int) -> ClockView:
        return ClockView(600 * SECOND_NS, left_s * SECOND_NS + in_ns, running=True, as_of_ns=now_ns)

    return changed(board(**more), clock=clock(300, in_ns), shot=clock(20, in_ns * 3 // 2))


def test_a_display_shows_each_second_of_a_clock_by_itself(start: Start) -> None:
    screen = Screen()
    start(screen).post(ticking(0.05))
    screen.log.wait_for(lambda _entries: screen.picture is not None and left(screen.picture) <= 320)
    shown = [left(view) for view in screen.log.of(BoardView)]
    assert shown == sorted(set(shown), reverse=True)


def test_a_clock_that_a_display_does_not_show_does_not_wake_it(start: Start) -> None:
    screen, other = Picky(), Screen()
    for each in (screen, other):
        start(each).post(ticking(0.02))
    other.log.wait_for(lambda entries: len(entries) >= 4)
    assert len(screen.log.of(BoardView)) == 1


class Minutes(Screen):
    """Shows minutes alone, as a sign may: a clock that has begun to run looks no different."""

    def cares(self, view: BoardView) -> object:
        return view.clock.remaining_ns // (60 * SECOND_NS)


def test_a_clock_that_begins_wakes_a_display_that_shows_no_difference_yet(start: Start) -> None:
    screen = Minutes()
    thread = start(screen)
    view = ticking(0.05)
    thread.post(changed(view, clock=changed(view.clock, running=False), shot=None))
    assert thread.drain(PATIENCE_S)
    thread.post(view)
    screen.log.wait_for(lambda entries: entries[-1].clock.remaining_ns <= 300 * SECOND_NS)


def test_a_view_like_the_last_one_posted_is_shown_where_the_clock_has_ticked_since(
    start: Start,
) -> None:
    screen = Minutes()
    thread = start(screen)
    view = changed(ticking(0.05), shot=None)
    thread.post(view)
    screen.log.wait_for(lambda entries: len(entries) == 3)  # opened, shown, shown by itself
    put_back = changed(view, clock=changed(view.clock, running=False))
    thread.post(put_back)
    assert thread.drain(PATIENCE_S)
    assert screen.picture == put_back


def test_a_clock_that_is_stopped_ticks_no_more(start: Start) -> None:
    screen, other = Screen(), Screen()
    thread = start(screen)
    thread.post(ticking(0.05))
    thread.post(board(sequence=2))
    start(other).post(ticking(0.05))
    other.log.wait_for(lambda entries: len(entries) >= 4)
    assert screen.log.of(BoardView)[-1] == board(sequence=2)


def test_a_display_without_a_thread_is_not_shown_what_it_does_not_show() -> None:
    screen = Picky()
    display = DirectDisplay(screen, Journal().add, Clock())
    display.start()
    shown = board(red=1, sequence=1), board(red=2, sequence=3)
    for view in (shown[0], board(red=1, green=2, sequence=2), shown[1]):
        display.post(view)
    assert screen.log.of(BoardView) == list(shown)


def test_a_display_that_comes_back_shows_the_newest_view_though_it_did_not_wake_it(
    start: Start, faults: Journal
) -> None:
    screen = Picky()
    screen.plugged = False
    thread = start(screen)
    for number in (1, 2, 3):
        thread.post(board(red=1, sequence=number))
    faults.wait_for(len)
    screen.plugged = True
    faults.wait_for(lambda entries: len(entries) == 2)
    assert screen.picture == board(red=1, sequence=3)


def test_a_display_that_cannot_say_what_it_shows_is_shown_the_view(start: Start) -> None:
    screen = Picky()
    thread = start(screen)
    thread.post(board(red=8))
    assert thread.drain(PATIENCE_S)
    assert screen.picture == board(red=8)


def test_an_absent_display_is_a_fault_and_takes_posts_all_the_same(
    start: Start, faults: Journal
) -> None:
    screen = Screen()
    screen.plugged = False
    thread = start(screen)
    for number in range(100):
        thread.post(board(sequence=number))
    faults.wait_for(len)
    raised = faults.entries[0]
    assert isinstance(raised, FaultRaised)
    assert (raised.part, raised.trouble) == ("screen", Trouble.GONE)
    assert raised.detail == "nothing at 0x3c"
    assert raised.at_ns > 0
    assert not thread.drain(PATIENCE_S)


def test_a_display_that_comes_back_is_opened_anew_and_shows_the_newest_view(
    start: Start, faults: Journal
) -> None:
    screen = Screen()
    thread = start(screen)
    thread.post(board(sequence=1))
    assert thread.drain(PATIENCE_S)
    screen.plugged = False
    thread.post(board(sequence=2))
    faults.wait_for(len)
    thread.post(board(sequence=3))
    screen.plugged = True
    faults.wait_for(lambda entries: len(entries) == 2)
    assert [type(entry) for entry in faults.entries] == [FaultRaised, FaultCleared]
    assert screen.picture == board(sequence=3)
    shown = [view.sequence for view in screen.log.of(BoardView)]
    assert shown == [1, 3]
    assert screen.log.entries.count("close") == screen.log.entries.count("open") - 1


def test_a_display_that_comes_back_is_redrawn_without_a_new_post(
    start: Start, faults: Journal
) -> None:
    screen = Screen()
    screen.plugged = False
    thread = start(screen)
    thread.post(board())
    faults.wait_for(len)
    screen.plugged = True
    faults.wait_for(lambda entries: len(entries) == 2)
    assert screen.picture == board()


def test_many_attempts_are_one_fault(start: Start, faults: Journal) -> None:
    screen = Screen()
    screen.plugged = False
    start(screen)
    screen.log.wait_for(lambda entries: entries.count("open") >= 5)
    assert len(faults.entries) == 1


def test_a_display_that_opens_but_cannot_show_stays_one_fault(
    start: Start, faults: Journal
) -> None:
    screen = Screen()
    screen.mistake = True
    thread = start(screen)
    thread.post(board())
    screen.log.wait_for(lambda entries: entries.count("open") >= 4)
    assert len(faults.entries) == 1


def test_a_mistake_in_a_display_is_a_fault_and_not_the_end_of_its_thread(
    start: Start, faults: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    screen = Screen()
    thread = start(screen)
    screen.mistake = True
    with caplog.at_level(logging.CRITICAL):
        thread.post(board(sequence=1))
        faults.wait_for(len)
        assert faults.entries[0].detail == "ZeroDivisionError: a mistake of ours"
        screen.mistake = False
        thread.post(board(sequence=2))
        faults.wait_for(lambda entries: len(entries) == 2)
        screen.log.wait_for(lambda entries: board(sequence=2) in entries)


def test_a_board_that_takes_no_faults_does_not_end_the_thread(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(event: object) -> None:
        raise OverflowError("the queue is full")

    screen = Screen()
    screen.plugged = False
    thread = DisplayThread(screen, refuse, retry=SOON)
    thread.start()
    thread.post(board())
    screen.log.wait_for(lambda entries: entries.count("open") >= 2)
    screen.plugged = True
    screen.log.wait_for(lambda entries: board() in entries)
    assert thread.stop(PATIENCE_S)


def test_the_wait_between_attempts_doubles_up_to_its_bound() -> None:
    clock = Clock()
    screen = Screen()
    screen.plugged = False
    retry = Retry(first_ns=100, longest_ns=1_000, steady_ns=10_000)
    display = DirectDisplay(screen, Journal().add, clock, retry)
    display.start()
    attempts = [0]
    for clock.now_ns in range(1, 5_000):
        opened = screen.log.entries.count("open")
        display.post(board())
        if screen.log.entries.count("open") > opened:
            attempts.append(clock.now_ns)
    waits = [after - before for before, after in itertools.pairwise(attempts)]
    assert waits == [100, 200, 400, 800, 1_000, 1_000, 1_000]


def test_the_wait_starts_small_again_only_after_a_steady_time() -> None:
    clock = Clock()
    screen = Screen()
    retry = Retry(first_ns=100, longest_ns=1_000, steady_ns=10_000)
    display = DirectDisplay(screen, Journal().add, clock, retry)
    display.start()

    def first_wait_after_breaking_at(now_ns: int) -> int:
        clock.now_ns = now_ns
        screen.plugged = False
        display.post(board(sequence=now_ns))
        screen.plugged = True
        while screen.picture is None or screen.picture.sequence < now_ns:
            clock.now_ns += 1
            display.post(board(sequence=now_ns))
        return clock.now_ns - now_ns

    assert first_wait_after_breaking_at(20_000) == 100
    assert first_wait_after_breaking_at(21_000) == 200  # a loose plug
    assert first_wait_after_breaking_at(22_000) == 400
    assert first_wait_after_breaking_at(40_000) == 100


def test_a_healthy_idle_display_is_never_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float | None] = []
    asleep = threading.Event()
    plain = threading.Condition.wait

    def watched(self: threading.Condition, timeout: float | None = None) -> bool:
        if threading.current_thread().name == "display-screen":
            waits.append(timeout)
            asleep.set()
        return plain(self, timeout)

    monkeypatch.setattr(threading.Condition, "wait", watched)
    thread = DisplayThread(Screen(), Journal().add)
    thread.start()
    thread.post(board())
    assert thread.drain(PATIENCE_S)
    assert asleep.wait(PATIENCE_S)
    assert thread.stop(PATIENCE_S)
    assert waits
    assert set(waits) == {None}  # no timer runs


def test_stopping_shows_what_waits_and_closes(start: Start) -> None:
    screen = Screen()
    screen.gate.clear()
    thread = start(screen)
    thread.post(board(sequence=1))
    assert screen.entered.wait(PATIENCE_S)
    thread.post(board(sequence=2))
    opener = threading.Timer(0, screen.gate.set)
    opener.start()
    assert thread.stop(PATIENCE_S)
    assert screen.log.entries[-1] == "close"
    assert screen.picture == board(sequence=2)


def test_stopping_a_display_that_hangs_takes_no_longer_than_it_was_given(start: Start) -> None:
    screen = Screen()
    screen.gate.clear()
    thread = start(screen)
    thread.post(board())
    assert screen.entered.wait(PATIENCE_S)
    began = time.perf_counter()
    assert not thread.stop(0.05)
    assert time.perf_counter() - began < PATIENCE_S / 2


def test_stopping_interrupts_a_display_that_can_be(start: Start) -> None:
    screen = Hanging()
    assert isinstance(screen, Interruptible)
    screen.gate.clear()
    thread = start(screen)
    thread.post(board())
    assert screen.entered.wait(PATIENCE_S)
    assert is_interrupted(thread)
    assert "interrupt" in screen.log.entries
    assert screen.log.entries[-1] == "close"


def test_stopping_does_not_wait_for_the_next_attempt(start: Start, faults: Journal) -> None:
    screen = Screen()
    screen.plugged = False
    thread = start(screen, Retry(first_ns=3_600_000_000_000))
    faults.wait_for(len)
    began = time.perf_counter()
    assert thread.stop(PATIENCE_S)
    assert time.perf_counter() - began < PATIENCE_S


def test_stopping_twice_or_before_the_start_is_harmless() -> None:
    thread = DisplayThread(Screen(), Journal().add)
    assert thread.stop()
    assert thread.stop()


def test_views_that_are_equal_but_not_the_same_are_left_to_the_display_to_compare() -> None:
    screen = Screen()
    display = DirectDisplay(screen, Journal().add, Clock())
    display.start()
    view = board()
    display.post(view)
    display.post(view)
    display.post(changed(view))
    assert len(screen.log.of(BoardView)) == 2


def test_a_display_that_nobody_draws_on_is_tended_and_missed_when_it_is_gone(
    start: Start, faults: Journal
) -> None:
    screen = Anxious()
    thread = start(screen)
    thread.post(board())
    screen.log.wait_for(lambda entries: entries.count("tend") > 2)
    screen.plugged = False
    faults.wait_for(lambda entries: any(isinstance(each, FaultRaised) for each in entries))
    screen.plugged = True
    faults.wait_for(lambda entries: any(isinstance(each, FaultCleared) for each in entries))
    assert screen.picture == board(), "drawn anew, although no view has come"


def test_a_display_that_can_rest_for_ever_is_not_woken(start: Start) -> None:
    screen = Anxious()
    screen.rest = None
    thread = start(screen)
    thread.post(board())
    assert thread.drain(PATIENCE_S)
    thread.post(board(8))
    assert thread.drain(PATIENCE_S)
    assert "tend" not in screen.log.entries


def test_what_keeps_a_display_from_being_opened_is_told_apart() -> None:
    """A port that another program has is in use; once it is released it may be gone."""

    class Refused(Screen):
        trouble = Trouble.IN_USE

        def open(self) -> None:
            if not self.plugged:
                raise DisplayError(f"{self.trouble}", self.trouble)
            super().open()

    clock, told, screen = Clock(), Journal(), Refused()
    screen.plugged = False
    direct = DirectDisplay(screen, told.add, clock)
    direct.start()
    screen.trouble = Trouble.GONE
    clock.now_ns += 10**10
    direct.post(board())
    screen.plugged = True
    clock.now_ns += 10**10
    direct.post(board())
    assert [(type(each), each.trouble) for each in told.entries] == [
        (FaultRaised, Trouble.IN_USE),
        (FaultCleared, Trouble.IN_USE),
        (FaultRaised, Trouble.GONE),
        (FaultCleared, Trouble.GONE),
    ]
