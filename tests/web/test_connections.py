"""Strangers at the port: whatever they open, the board keeps its handles and others get in."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from jackspot.web.addresses import household
from jackspot.web.connections import RESERVE
from jackspot.web.guard import ClientLimits
from jackspot.web.readers import HELD_S, Readers
from tests.conftest import PATIENCE_S
from tests.web.conftest import Served
from tests.web.samples import READY

MANY = 300
ROOT = Path(__file__).resolve().parents[2]
STRANGER = "127.0.0.66"


def handles() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def until(true: Callable[[], bool]) -> None:
    due_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < due_s
        time.sleep(0.02)


@contextmanager
def handles_left(more: int) -> Iterator[None]:
    """Let this process open only this many more handles."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.open("/dev/null", os.O_RDONLY)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def strangers(port: int, how_many: int, addresses: int = 1) -> Iterator[None]:
    """Let somebody hold connections open and say nothing."""
    numbers = (str(each) for each in (port, how_many, addresses))
    with subprocess.Popen(
        [sys.executable, "-m", "tests.web.strangers", *numbers],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield
        process.kill()


@pytest.mark.parametrize("addresses", [1, 180])
def test_idle_connections_leave_the_process_its_handles_and_others_a_way_in(addresses: int) -> None:
    served = Served()
    served.display.post(READY)
    assert served.client.get("/api/state").status_code == 200, "the server is up"
    before = handles()
    with handles_left(RESERVE + 80), strangers(served.port, MANY, addresses):
        # What journal, pins and displays might open.
        taken = [os.open("/dev/null", os.O_RDONLY) for _ in range(RESERVE - 40)]
        assert served.client.get("/api/state").status_code == 200
        assert handles() - before - len(taken) < 120
        for each in taken:
            os.close(each)
    until(lambda: handles() <= before + 1)
    served.close()


def test_one_address_holds_no_more_connections_than_it_may() -> None:
    served = Served(limits=ClientLimits(connections_of_one=5))
    served.display.post(READY)
    assert served.client.get("/api/state").status_code == 200, "the server is up"
    before = handles()
    with ExitStack() as stack:
        for _ in range(40):
            one = stack.enter_context(socket.socket())
            one.bind((STRANGER, 0))
            one.connect(("127.0.0.1", served.port))
        until(lambda: handles() - before - 40 <= 5)
        assert served.client.get("/api/state").status_code == 200
    served.close()


def test_a_stream_outlives_a_flood_of_connections_from_its_own_address() -> None:
    served = Served(limits=ClientLimits(connections=8, connections_of_one=6))
    served.display.post(READY)
    with served.client.stream("GET", "/api/events") as stream, ExitStack() as stack:
        lines = stream.iter_lines()
        next(lines)
        for _ in range(50):
            stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
        served.now_ns += 1
        served.display.post(READY)
        assert any(line.startswith("data:") for line in lines)
    served.close()


def test_a_referee_who_reads_a_stream_connects_again_whatever_stays_from_everywhere() -> None:
    """All places are taken: most by streams of one address, each of the rest by another address."""
    served = Served(limits=ClientLimits(connections=16))
    served.display.post(READY)
    own = f"http://127.0.0.1:{served.port}/api/events"
    with ExitStack() as stack:
        mine = stack.enter_context(served.client.stream("GET", own))
        assert mine.status_code == 200
        theirs = httpx.Client(
            transport=httpx.HTTPTransport(local_address=STRANGER), timeout=PATIENCE_S
        )
        stack.callback(theirs.close)
        for _ in range(8):
            stack.enter_context(theirs.stream("GET", own))
        for number in range(20):
            one = stack.enter_context(socket.socket())
            one.bind((f"127.0.2.{1 + number}", 0))
            one.connect(("127.0.0.1", served.port))
        time.sleep(0.5)
        assert served.client.get("/api/state").status_code == 200
    served.close()


def test_connections_in_quick_succession_are_bounded_by_address() -> None:
    served = Served(limits=ClientLimits(connects_per_s=0.001, connects_at_once=3))
    served.display.post(READY)

    def ask(own: str) -> bool:
        transport = httpx.HTTPTransport(local_address=own)
        with httpx.Client(transport=transport, timeout=PATIENCE_S) as client:
            try:
                return client.get(f"http://127.0.0.1:{served.port}/api/state").status_code == 200
            except httpx.TransportError:
                return False

    assert [ask(STRANGER) for _ in range(5)] == [True, True, True, False, False]
    assert ask("127.0.0.1")
    served.close()


def test_a_machine_without_handles_is_told_of_in_a_line_and_comes_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    served = Served()
    served.display.post(READY)
    assert served.client.get("/api/state").status_code == 200
    waiting = [socket.socket() for _ in range(20)]
    with handles_left(0):
        for each in waiting:
            each.connect(("127.0.0.1", served.port))
        time.sleep(0.3)
    assert 1 <= len(caplog.records) <= 2
    assert all(record.exc_info is None for record in caplog.records)
    for each in waiting:
        each.close()
    with httpx.Client(timeout=PATIENCE_S) as fresh:
        assert fresh.get(f"http://127.0.0.1:{served.port}/api/state").status_code == 200
    served.close()


def test_who_holds_most_places_gives_one_up_for_who_holds_fewer() -> None:
    readers = Readers(4)
    many = [readers.take("stranger") for _ in range(6)]
    assert [place is not None for place in many] == [True] * 4 + [False] * 2
    other = readers.take("another")
    assert other is not None
    assert [place is not None and place.is_ended for place in many[:4]] == [
        False, False, False, True,
    ]  # fmt: skip
    assert readers.take("stranger") is None
    assert readers.take("another") is not None
    assert readers.take("another") is None
    assert readers.count == 4
    readers.end("stranger")
    assert readers.count == 2


def test_behind_one_address_who_has_read_longest_gives_up_for_who_comes() -> None:
    """A hall's phones often share one address, and so may a stranger who holds all places idly."""
    now_s = 0.0
    readers = Readers(4, clock=lambda: now_s)
    idle = [readers.take("hall") for _ in range(4)]
    assert readers.take("hall") is None, "nobody is thrown out who has just come"
    now_s = HELD_S
    phones = [readers.take("hall") for _ in range(4)]
    assert all(phones)
    assert all(place is not None and place.is_ended for place in idle)
    assert readers.take("hall") is None
    assert readers.count == 4
    now_s = 2 * HELD_S
    one_each = Readers(2, clock=lambda: now_s)
    assert one_each.take("a")
    assert one_each.take("b")
    now_s = 3 * HELD_S
    assert one_each.take("a") is None, "a second page of one that has one moves nobody"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.42.0.7", "10.42.0.7"),
        ("::ffff:10.42.0.7", "10.42.0.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::2", "2001:db8::/64"),
        ("somebody", "somebody"),
        ("", ""),
    ],
)
def test_what_one_machine_may_choose_is_counted_as_one(address: str, counted: str) -> None:
    assert household(address) == counted
