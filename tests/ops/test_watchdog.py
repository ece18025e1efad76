"""The service manager is told that the loop is alive, whatever else the process has run out of."""

from __future__ import annotations

import os
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jackspot.ops.watchdog import Watchdog


@contextmanager
def without_handles() -> Iterator[None]:
    """Keep this process from opening anything more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    probe = os.open("/dev/null", os.O_RDONLY)
    os.close(probe)
    resource.setrlimit(resource.RLIMIT_NOFILE, (probe, hard))
    taken: list[int] = []
    try:
        try:
            while True:
                taken.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            pass
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for each in taken:
            os.close(each)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.setblocking(False)
        yield heard


def watchdog_of(tmp_path: Path) -> Watchdog:
    return Watchdog({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000"})


def test_a_process_without_a_file_handle_left_is_still_heard(
    tmp_path: Path, manager: socket.socket
) -> None:
    watchdog = watchdog_of(tmp_path)
    with without_handles():
        watchdog.feed()
        heard = manager.recv(200)
    watchdog.close()
    assert heard == b"WATCHDOG=1"


def test_a_manager_that_takes_nothing_holds_nobody_up_and_is_told_of_once(
    tmp_path: Path, manager: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    watchdog = watchdog_of(tmp_path)
    for _ in range(5_000):
        watchdog.feed()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "the service manager cannot be told"
    ]
    while True:
        try:
            manager.recv(200)
        except BlockingIOError:
            break
    watchdog.feed()
    assert manager.recv(200) == b"WATCHDOG=1"
    watchdog.close()


def test_without_a_manager_nothing_is_told() -> None:
    watchdog = Watchdog({})
    assert not watchdog.manager
    assert watchdog.interval_ns is None
    watchdog.feed()


def test_an_abstract_address_is_reached(manager: socket.socket) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        name = f"jackspot-test-{os.getpid()}"
        heard.bind("\0" + name)
        watchdog = Watchdog({"NOTIFY_SOCKET": "@" + name})
        watchdog.ready()
        assert heard.recv(200) == b"READY=1"
        watchdog.close()
