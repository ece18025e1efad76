"""The queue in real time: order, deadlines, a limit that never drops in silence, the end."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from jackspot.core.pieces import Pocket
from jackspot.inputs.queue import EventQueue, SourceClosed
from jackspot.sensing.events import Edge, Event, FaultCleared, FaultRaised, Tick, Trouble

SECOND = 1_000_000_000


def test_what_waits_together_comes_out_in_the_order_it_happened() -> None:
    queue = EventQueue()
    for at_ns in (5, 3, 9):
        queue.submit(Tick(at_ns))
    assert [queue.next(0) for _ in range(3)] == [Tick(3), Tick(5), Tick(9)]


def test_what_happened_at_one_instant_comes_out_in_the_order_it_went_in() -> None:
    queue = EventQueue()
    pockets = [Pocket.SW, Pocket.NE, Pocket.SE]
    for pocket in pockets:
        queue.submit(Edge(7, pocket, active=True))
    assert [queue.next(0) for _ in pockets] == [Edge(7, each, active=True) for each in pockets]


def test_a_deadline_that_has_passed_gives_nothing_at_once() -> None:
    queue = EventQueue()
    assert queue.next(queue.now_ns() - SECOND) is None


def test_an_event_that_waits_is_given_even_when_the_deadline_has_passed() -> None:
    queue = EventQueue()
    queue.submit(Tick(1))
    assert queue.next(0) == Tick(1)


def test_waiting_never_ends_before_the_deadline() -> None:
    queue = EventQueue()
    for wait_ns in (1, 100_000, 3_000_000):
        deadline_ns = queue.now_ns() + wait_ns
        assert queue.next(deadline_ns) is None
        assert queue.now_ns() >= deadline_ns


def test_an_event_from_another_thread_ends_the_wait() -> None:
    queue = EventQueue()
    thread = threading.Thread(target=lambda: queue.submit(Edge(7, Pocket.NE, active=True)))
    thread.start()
    assert queue.next(queue.now_ns() + 60 * SECOND) == Edge(7, Pocket.NE, active=True)
    thread.join()


def test_what_does_not_fit_is_counted_and_told_first() -> None:
    queue = EventQueue(limit=3)
    for at_ns in range(8):
        queue.submit(Tick(at_ns))
    fault = queue.next(0)
    assert isinstance(fault, FaultRaised)
    assert (fault.part, fault.trouble) == ("queue", Trouble.OVERFLOW)
    assert fault.detail == "5 events lost: more than 3 were waiting"
    assert fault.at_ns == 0, "time does not pass what waits"
    assert [queue.next(0) for _ in range(4)] == [Tick(0), Tick(1), Tick(2), None]


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("trouble", [Trouble.GONE, Trouble.IN_USE])
def test_a_fault_and_its_end_fit_into_a_full_queue(limit: int, trouble: Trouble) -> None:
    queue = EventQueue(limit=limit)
    for at_ns in range(limit + 5):
        queue.submit(Tick(at_ns))
    told: list[Event] = [
        FaultRaised(20, "oled", trouble, "gone"),
        FaultCleared(21, "oled", trouble),
    ]
    for each in told:
        queue.submit(each)
    queue.submit(Tick(22))
    taken = [queue.next(0) for _ in range(limit + 4)]
    assert [each for each in taken if getattr(each, "part", "") == "oled"] == told
    assert Tick(22) not in taken


def test_a_second_overflow_is_told_with_the_whole_loss() -> None:
    queue = EventQueue(limit=1)
    for _ in range(2):
        for at_ns in range(3):
            queue.submit(Tick(at_ns))
        fault = queue.next(0)
        queue.next(0)
    assert isinstance(fault, FaultRaised)
    assert fault.detail.startswith("4 events lost")


def test_eight_threads_that_submit_at_once_lose_nothing_below_the_limit() -> None:
    queue = EventQueue(limit=4096)
    start = threading.Barrier(8)

    def push(first: int) -> None:
        start.wait()
        for at_ns in range(first, first + 500):
            queue.submit(Tick(at_ns))

    threads = [threading.Thread(target=push, args=(n * 500,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    got = [queue.next(None) for _ in range(4000)]
    assert {event.at_ns for event in got if event} == set(range(4000))


def test_closing_ends_a_wait_without_a_deadline() -> None:
    queue = EventQueue()
    threading.Thread(target=queue.close).start()
    with pytest.raises(SourceClosed):
        queue.next(None)


def test_a_closed_queue_gives_nothing_more() -> None:
    queue = EventQueue()
    queue.submit(Tick(1))
    queue.close()
    for _ in range(2):
        with pytest.raises(SourceClosed):
            queue.next(None)


def test_a_signal_handler_in_the_waiting_thread_may_close() -> None:
    queue = EventQueue()
    before = signal.signal(signal.SIGALRM, lambda *_: queue.close())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(SourceClosed):
            queue.next(queue.now_ns() + 60 * SECOND)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_an_idle_wait_takes_no_processor_time() -> None:
    queue = EventQueue()
    used_s = time.thread_time()
    assert queue.next(queue.now_ns() + SECOND // 5) is None
    assert time.thread_time() - used_s < 0.02
