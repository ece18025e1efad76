"""The tap on a running board: anyone who asks is given the pins from then on; nobody waits."""

from __future__ import annotations

import io
import resource
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.capture import tap as tap_module
from jackspot.capture.tap import Recipient, Tap, TapServer, captured, socket_beside
from jackspot.capture.vcd_file import LONGEST_NS, Capture, Opening, read_capture, rewritten
from jackspot.commands import main
from jackspot.core.pieces import Pocket, Seat
from jackspot.ops.forgetting.places import list_of_exports
from jackspot.replay import ReplaySource
from jackspot.sensing.events import (
    Button,
    DiscPeak,
    DiscsListen,
    Edge,
    Key,
    KnockHeard,
    Place,
    Tick,
)
from tests.conftest import PATIENCE_S
from tests.storage.support import weak_disk

OK = Button(Place.REFEREE, Key.OK)
WIRES = (*Pocket, OK)


def opened() -> tuple[str, list[str]]:
    return "[board]\n", ['{"at_ns":1,"body":{},"kind":"match","seq":1}']


def read(text: str) -> Capture:
    return read_capture(io.BytesIO(text.encode()))


def test_a_listener_that_was_there_first_begins_with_the_board():
    stream = io.StringIO()
    tap = Tap(WIRES, opened)
    tap.add(Recipient(stream))
    tap.started(100, 200, [Pocket.NE])
    tap.took(Edge(300, OK, True))
    tap.took(Edge(400, Pocket.NE, False))
    tap.stopped(900)
    capture = read(stream.getvalue())
    config, journal = opened()
    assert capture.opening == Opening(config, tuple(journal), 100, 200, from_start=True)
    assert capture.active == {Pocket.NE}
    assert capture.edges == (Edge(300, OK, True), Edge(400, Pocket.NE, False))
    assert capture.end_ns == 900


@pytest.mark.parametrize("strange", [False, True])
@pytest.mark.parametrize("sides", [tuple(Seat), (Seat.N,), ()])
def test_one_who_comes_later_is_told_first_which_discs_listen(sides, strange):
    tap = Tap(WIRES, opened, has_hub=True)
    tap.started(100, 200, [])
    tap.took(DiscsListen(250, (Seat.E,)))
    tap.took(DiscsListen(300, sides, strange, "0b0b"))
    streams = io.StringIO(), io.StringIO()
    tap.add(Recipient(streams[0]))
    tap.took(Tick(500))
    tap.took(Edge(600, OK, True))
    tap.add(Recipient(streams[1]))
    tap.took(DiscsListen(700, (Seat.W,)))
    tap.stopped(900)
    first, second = (read(each.getvalue()) for each in streams)
    last = DiscsListen(700, (Seat.W,))
    assert first.happened == (DiscsListen(500, sides, strange), Edge(600, OK, True), last)
    assert second.happened == (DiscsListen(700, sides, strange), last)


def test_one_who_comes_later_begins_between_two_events_with_the_levels_of_that_moment():
    stream = io.StringIO()
    tap = Tap(WIRES, opened)
    tap.started(100, 200, [])
    tap.took(Edge(300, OK, True))
    listener = Recipient(stream)
    tap.add(listener)
    tap.took(Tick(500))
    tap.took(Edge(600, OK, False))
    tap.leave(listener)
    tap.took(Tick(700))
    tap.took(Edge(800, OK, True))
    capture = read(stream.getvalue())
    assert capture.opening is not None
    assert not capture.opening.from_start
    assert capture.opening.began_ns == 500
    assert capture.active == {OK}
    assert capture.edges == (Edge(600, OK, False),)
    assert capture.end_ns == 700


@pytest.mark.parametrize("late_ns", [0, 1, 300])
@pytest.mark.parametrize(
    "event",
    [Edge(1_000, OK, True), KnockHeard(1_000, (DiscPeak(5, 0),) * 4)],
    ids=["edge", "knock"],
)
def test_what_comes_after_a_tick_is_replayed_after_it_and_else_before(event, late_ns):
    """A tick is not in the file, but nothing that came after it is replayed before."""
    for after in (True, False):
        stream = io.StringIO()
        tap = Tap(WIRES, opened, has_hub=True)
        tap.add(Recipient(stream))
        tap.started(100, 200, [])
        tick = Tick(event.at_ns + late_ns)
        for each in (tick, event) if after else (event, tick):
            tap.took(each)
        tap.took(Edge(2_000, Pocket.NE, True))
        tap.stopped(3_000)
        data = stream.getvalue()
        again = rewritten(data.encode(), lambda text: text, lambda entry: entry).decode()
        for capture in (read(data), read(again)):
            source = ReplaySource(capture)
            due = [None, event] if after else [event, None]
            assert [source.next(tick.at_ns), source.next(tick.at_ns + after)] == due
            assert source.next(2_000) == Edge(2_000, Pocket.NE, True)


def test_a_capture_ends_after_two_weeks_and_is_read(caplog):
    streams = io.StringIO(), io.StringIO()
    tap = Tap(WIRES, opened)
    tap.add(Recipient(streams[0]))
    tap.started(100, 200, [])
    tap.took(Edge(300, OK, True))
    tap.add(Recipient(streams[1]))
    tap.took(Tick(LONGEST_NS))
    tap.took(Edge(100 + LONGEST_NS, OK, False))
    tap.took(Edge(101 + LONGEST_NS, OK, True))
    assert len(tap.recipients) == 1
    assert "a capture ends here" in caplog.text
    tap.stopped(900 + LONGEST_NS)
    ended, later = (read(each.getvalue()) for each in streams)
    assert ended.edges == (Edge(300, OK, True), Edge(100 + LONGEST_NS, OK, False))
    assert ended.end_ns == 100 + LONGEST_NS
    assert len(later.edges) == 2


def test_a_file_on_a_disk_that_is_full_ends_nothing_but_its_capture(tmp_path, caplog):
    """As the board ends it is closed, with what is left of it; the shutdown goes on."""
    out, ended = tmp_path / "out.vcd", False
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with captured(out) as recipients:
            tap = Tap(WIRES, opened)
            for recipient in recipients:
                tap.add(recipient)
            tap.started(0, 0, [])
            tap.took(Edge(1, Pocket.NE, True))
            resource.setrlimit(resource.RLIMIT_FSIZE, (out.stat().st_size, hard))
            for number in range(2, 5):
                tap.took(Edge(number, OK, number % 2 == 0))
            assert tap.recipients == ()
            tap.stopped(10)
        ended = True
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ended
    assert "could not be ended" in caplog.text
    with out.open("rb") as stream:
        assert read_capture(stream).edges == (Edge(1, Pocket.NE, True),)


class Full(io.StringIO):
    """A disk that takes the beginning and nothing more."""

    full = False

    def write(self, text: str, /) -> int:
        if self.full:
            raise OSError(28, "No space left on device")
        return super().write(text)


def test_a_listener_that_fails_is_let_go_and_the_others_go_on(caplog):
    bad, good = Full(), io.StringIO()
    tap = Tap(WIRES, opened)
    tap.add(Recipient(bad))
    tap.add(Recipient(good))
    tap.started(0, 0, [])
    tap.took(Edge(10, OK, True))
    bad.full = True
    tap.took(Edge(20, OK, False))
    tap.took(Edge(30, OK, True))
    tap.stopped(40)
    assert len(read(good.getvalue()).edges) == 3
    assert "No space left on device" in caplog.text


@pytest.fixture
def running(tmp_path) -> Iterator[tuple[Path, Tap, threading.Event]]:
    """Return a board with a socket: its journal's path, its tap, the event that wakes its loop."""
    journal = tmp_path / "journal.sqlite3"
    tap, woken = Tap(WIRES, opened), threading.Event()
    server = TapServer(socket_beside(journal), tap, woken.set)
    assert server.start()
    tap.started(0, 0, [])
    yield journal, tap, woken
    server.close()
    assert not socket_beside(journal).exists()


def test_the_command_captures_the_running_board(running, tmp_path):
    journal, tap, woken = running
    done = threading.Event()

    def loop() -> None:
        at_ns = 1_000
        while not done.is_set():
            woken.wait(0.01)
            woken.clear()
            at_ns += 1_000
            tap.took(Edge(at_ns, OK, at_ns % 2_000 == 0))

    thread = threading.Thread(target=loop)
    thread.start()
    out = tmp_path / "out.vcd"
    try:
        result = CliRunner().invoke(
            main, ["capture", str(out), "--journal", str(journal), "--seconds", "0.2"]
        )
    finally:
        done.set()
        thread.join()
    assert (result.exit_code, result.stdout) == (0, "")
    with out.open("rb") as stream:
        capture = read_capture(stream)
    assert capture.opening is not None
    assert capture.edges
    assert capture.end_ns >= capture.edges[-1].at_ns
    assert list_of_exports(journal).read_text(encoding="utf-8") == f'"{out}"\n'


def test_who_cannot_keep_up_is_let_go(running, monkeypatch):
    journal, tap, woken = running
    monkeypatch.setattr(tap_module, "WAITING_AT_MOST", 100)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as lazy:
        lazy.connect(str(socket_beside(journal)))
        assert woken.wait(PATIENCE_S)
        tap.took(Tick(1))
        for number in range(200_000):
            tap.took(Edge(2 + number, OK, number % 2 == 0))
            if not tap.recipients:
                break
        assert not tap.recipients


def test_the_board_does_not_wait_at_the_end_either_for_who_cannot_keep_up(monkeypatch):
    monkeypatch.setattr(tap_module, "WAITING_AT_MOST", 3)
    monkeypatch.setattr(tap_module._Outbox, "_send", lambda _self: None)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        outbox = tap_module._Outbox(ours)
        for _ in range(3):
            outbox.write("x")
        outbox.finish()
        with pytest.raises(OSError, match="is gone"):
            outbox.write("x")


def test_captures_can_be_had_again_after_the_board_had_no_file_free(running, monkeypatch, caplog):
    journal, _, woken = running
    accept, failures = socket.socket.accept, [OSError(24, "Too many open files")]
    goes_on = threading.Event()

    def failing(self: socket.socket):
        if failures:
            raise failures.pop()
        goes_on.set()
        return accept(self)

    monkeypatch.setattr(tap_module, "AGAIN_S", 0)
    monkeypatch.setattr(socket.socket, "accept", failing)
    for _ in range(2):
        woken.clear()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.connect(str(socket_beside(journal)))
            assert woken.wait(PATIENCE_S)
    assert goes_on.wait(PATIENCE_S)
    assert "Too many open files" in caplog.text


def test_where_no_board_runs_the_command_says_so(tmp_path):
    result = CliRunner().invoke(
        main, ["capture", str(tmp_path / "out.vcd"), "--journal", str(tmp_path / "j.sqlite3")]
    )
    assert result.exit_code == 1
    assert "no running board answers at" in result.stderr


def test_a_file_that_is_there_is_not_written_over(running, tmp_path):
    journal, _, _ = running
    out = tmp_path / "out.vcd"
    out.write_text("mine")
    result = CliRunner().invoke(main, ["capture", str(out), "--journal", str(journal)])
    assert result.exit_code == 1
    assert "is there already" in result.stderr
    assert out.read_text() == "mine"


def test_a_board_runs_without_its_socket_where_there_can_be_none(tmp_path, caplog):
    server = TapServer(tmp_path / "nowhere" / "tap", Tap(WIRES, opened), lambda: None)
    assert not server.start()
    assert "no captures of the running board" in caplog.text
    server.close()


@pytest.mark.parametrize("mounting", [True, False])
def test_a_board_on_a_disk_that_has_become_read_only_stops_without_a_fault(mounting) -> None:
    with weak_disk(mounting=mounting) as disk:
        path = disk.folder / "tap"
        server = TapServer(path, Tap(WIRES, opened), lambda: None)
        assert server.start()
        disk.lock()
        server.close()
        assert path.exists()
        disk.unlock()
        again = TapServer(path, Tap(WIRES, opened), lambda: None)
        assert again.start()
        again.close()
        assert not path.exists()
