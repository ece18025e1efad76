"""A copy of an event, with which another machine goes on."""

from __future__ import annotations

import errno
import logging
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from jackspot.festival.broker import Broker
from jackspot.festival.hall import Hall
from jackspot_hub.copying import EventCopy
from jackspot_hub.desk import catching_up
from jackspot_hub.desk.revising import correct
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event_file import read_event
from jackspot_hub.running import RunningHub
from tests.festival.conftest import broker, mosquitto  # noqa: F401  fixtures
from tests.festival.linked import LinkedBoard, Moment, recorded, until
from tests.hub.test_running import running

EVENT = """
name = "Small cup"
hall = "hikone"
boards = 2
[[contest]]
name = "s"
format = "all"
entrants = ["Aiko", "Ben", "Chie"]
"""
SOON_S = 0.01


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(EVENT)
    return path


def opened(path: Path) -> RunningHub:
    return RunningHub(read_event(path), path.with_suffix(".sqlite3"), lambda *_: None)


def enter(hub: RunningHub, key: str, winner: int) -> None:
    hub.enter(correct(hub.desk, key, Outcome(winner, (winner, 1 - winner)), "test"))


def same(stick: Path, name: str, results: object) -> Callable[[], bool]:
    """Return a check of whether a machine that gets what is on a stick now knows these results."""

    def is_so() -> bool:
        with tempfile.TemporaryDirectory() as elsewhere:
            with suppress(FileNotFoundError, shutil.Error):  # it is just being written
                shutil.copytree(stick, elsewhere, dirs_exist_ok=True)
            here = Path(elsewhere) / name
            if not here.exists() or not here.with_suffix(".sqlite3").exists():
                return False
            hub = opened(Path(elsewhere) / name)
            found = hub.desk.results
            hub.close()
            return found == results

    return is_so


def test_the_copy_goes_on_where_the_event_was_at_any_time(event: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    hub = opened(event)
    copy = EventCopy(stick, event, event.with_suffix(".sqlite3"), each_s=SOON_S)
    for key in ("s-1-1", "s-2-1", "s-3-1"):
        enter(hub, key, 1)
        copy.wrote()
        until(same(stick, event.name, hub.desk.results))
    enter(hub, "s-1-1", 0)
    copy.wrote()
    copy.close()
    assert same(stick, event.name, hub.desk.results)()
    hub.close()


def test_a_stick_that_is_pulled_out_is_named_once_and_used_again(
    event: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stick = tmp_path / "stick"
    hub = opened(event)
    with caplog.at_level(logging.WARNING):
        copy = EventCopy(stick, event, event.with_suffix(".sqlite3"), each_s=SOON_S)
        until(lambda: copy.trouble)
        enter(hub, "s-1-1", 1)
        copy.wrote()
        stick.mkdir()
        until(lambda: not copy.trouble)
        until(same(stick, event.name, hub.desk.results))
        stick.rename(tmp_path / "pulled out")  # at once, whatever is being written there
        enter(hub, "s-2-1", 1)
        copy.wrote()
        until(lambda: copy.trouble)
        copy.close()
    hub.close()
    assert [each.message.split(": ")[0] for each in caplog.records] == [
        "the copy of the event", "the copy of the event is made again", "the copy of the event",
    ]  # fmt: skip


def test_a_stick_that_breaks_is_named_and_a_good_one_is_used_again(
    event: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick, exists, broken = tmp_path / "stick", Path.exists, [False]
    stick.mkdir()

    def read(path: Path) -> bool:
        if broken[0] and path.parent == stick:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return exists(path)

    monkeypatch.setattr(Path, "exists", read)
    hub = opened(event)
    copy = EventCopy(stick, event, event.with_suffix(".sqlite3"), each_s=SOON_S)
    until(same(stick, event.name, hub.desk.results))
    broken[0] = True
    until(lambda: "Input/output error" in copy.trouble)
    broken[0] = False
    until(lambda: not copy.trouble)
    copy.close()
    hub.close()


def test_what_lies_where_a_stick_was_is_no_stick_and_one_put_back_gets_all_of_it(
    event: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a folder remains on the machine's own disk once the stick is pulled out."""
    stick = tmp_path / "stick"
    stick.mkdir()
    own = stick.stat().st_dev
    disks = {stick: own + 1}
    monkeypatch.setattr(
        "jackspot_hub.copying.disk_of", lambda path: disks.get(path, own) if path.exists() else None
    )
    hub = opened(event)
    copy = EventCopy(stick, event, event.with_suffix(".sqlite3"), each_s=SOON_S)
    until(same(stick, event.name, hub.desk.results))
    until(lambda: not copy.trouble)
    del disks[stick]
    until(lambda: "no stick" in copy.trouble)  # though nothing new was written
    stick.rename(tmp_path / "pulled out")
    stick.mkdir()
    disks[stick] = own + 2
    until(lambda: not copy.trouble)
    assert same(stick, event.name, hub.desk.results)()
    (stick / event.name).unlink()
    until((stick / event.name).exists)
    copy.close()
    hub.close()


# --- what a copy lacks -------------------------------------------------------------------------

MATCH = """\
# jackspot record 1
rules = "hikone"
seats = ["N", "S"]
---
! resign S
"""


def test_boards_may_forget_what_the_copy_has_and_all_that_the_hub_has_while_it_fails(
    event: Path, tmp_path: Path
) -> None:
    stick, has = tmp_path / "stick", {1: {"a": 7}}
    stick.mkdir()
    opened(event).close()
    journal = event.with_suffix(".sqlite3")
    copy = EventCopy(stick, event, journal, each_s=SOON_S, results=lambda: dict(has))
    until(lambda: copy.kept() == {1: {"a": 7}})
    has[2] = {"b": 9}
    assert copy.kept() == {1: {"a": 7}}
    copy.wrote()
    until(lambda: copy.kept() == has)
    shutil.rmtree(stick)
    has[1] = {"a": 11}
    copy.wrote()
    until(lambda: copy.kept() == has)
    assert copy.trouble
    stick.mkdir()
    until(lambda: not copy.trouble)
    copy.close()
    assert copy.kept() == has


def ids(hub: RunningHub) -> list[str]:
    return [each["id"] for each in hub.desk.unattached]


def test_who_goes_on_with_a_copy_gets_from_the_boards_what_was_never_acknowledged(
    event: Path, tmp_path: Path, broker: Broker,  # noqa: F811
) -> None:  # fmt: skip
    """The first result is on the copy; only the hub has the second when its machine dies."""
    hall = DyingHub(event, tmp_path, broker)
    with running(hall.hub, broker):
        hall.play()
        copy = hall.copied(each_s=3_600)
        until(hall.is_acknowledged)
        on_copy = hall.board.ended
        hall.play()
    assert hall.board.link._results.outbox.seq == on_copy
    copy.close()
    hall.go_on_with(tmp_path / "early")


@pytest.mark.parametrize("lost", [1, 3])
def test_who_goes_on_with_an_old_copy_gets_from_the_boards_what_was_acknowledged_since(
    event: Path, tmp_path: Path, broker: Broker, lost: int,  # noqa: F811
) -> None:  # fmt: skip
    """Nobody put the stick in again, and copying failed; then the machine died."""
    hall = DyingHub(event, tmp_path, broker)
    with running(hall.hub, broker):
        hall.play()
        hall.copied(each_s=3_600)
        until(hall.is_acknowledged)
        hall.hub.acknowledges = lambda: hall.hub.desk.on_disk
        for _ in range(lost):
            hall.play()
            until(hall.is_acknowledged)
    hall.go_on_with(tmp_path / "early")


def test_it_gets_them_at_once_though_its_clock_is_an_hour_behind_the_dead_ones(
    event: Path, tmp_path: Path, broker: Broker,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Nor does it matter in a hall that is practised at sixty times its speed."""
    monkeypatch.setattr(catching_up, "AGAIN_S", 3_600)
    monkeypatch.setattr(catching_up, "PATIENCE_S", 3_600)
    hall = DyingHub(event, tmp_path, broker)
    with running(hall.hub, broker):
        hall.play()
        hall.copied(each_s=3_600)
        until(hall.is_acknowledged)
        hall.hub.acknowledges = lambda: hall.hub.desk.on_disk
        hall.play()
        until(hall.is_acknowledged)
        until(lambda: hall.board.link._pair)
    pair = hall.board.link._pair
    assert pair is not None
    hall.board.link._pair = {**pair, "hub_ms": pair["hub_ms"] + 3_600_000}
    hall.go_on_with(tmp_path / "early")


@pytest.mark.parametrize("other", ["board", "card", "board outside the event"])
def test_who_goes_on_with_an_old_copy_gets_all_of_what_came_in_after_it_was_made(
    event: Path, tmp_path: Path, broker: Broker, other: str,  # noqa: F811
) -> None:  # fmt: skip
    hall = DyingHub(event, tmp_path, broker)
    with running(hall.hub, broker):
        hall.play()
        hall.copied(each_s=3_600)
        until(hall.is_acknowledged)
        hall.hub.acknowledges = lambda: hall.hub.desk.on_disk
        hall.board.stop()
        number = {"card": 1, "board": 2, "board outside the event": 45}[other]
        hall.board = LinkedBoard(Hall("hikone", number, (broker.address,)), tmp_path / "other")
        for _ in range(2):
            hall.play()
            until(hall.is_acknowledged)
    hall.go_on_with(tmp_path / "early")


class DyingHub:
    """A hub with one board, and a copy that is made once."""

    def __init__(self, event: Path, folder: Path, broker: Broker) -> None:  # noqa: F811
        self.event, self.early, self.broker = event, folder / "early", broker
        self.hub = opened(event)
        self.board = LinkedBoard(Hall("hikone", 1, (broker.address,)), folder / "board")
        self._match = tuple(Moment(e.entries, None) for e in recorded(MATCH) if e.entries)

    def play(self, hub: RunningHub | None = None) -> None:
        """Let the board end a match, and wait until the hub has its result."""
        for moment in self._match:
            self.board.live(moment)
        until(lambda: f"-{self.board.ended}" in "".join(ids(hub or self.hub)[-1:]))

    def copied(self, each_s: float) -> EventCopy:
        """Make a copy, and set aside what is in it."""
        stick = self.event.with_name("stick")
        stick.mkdir()
        copy = EventCopy(
            stick, self.event, self.event.with_suffix(".sqlite3"), each_s=each_s,
            results=lambda: self.hub.desk.on_disk,
        )  # fmt: skip
        self.hub.acknowledges = copy.kept
        until(lambda: copy.kept() is not None)
        shutil.copytree(stick, self.early)
        return copy

    def is_acknowledged(self) -> bool:
        return self.board.link._results.outbox.seq == self.board.ended

    def go_on_with(self, copy: Path) -> None:
        """Start with the copy, and play a further match. All are there, each once, in order."""
        had = ids(self.hub)
        again = opened(copy / self.event.name)
        assert ids(again) == had[:1]
        with running(again, self.broker):
            self.play(again)
            until(self.is_acknowledged)
        assert ids(again)[:-1] == had
        self.board.stop()
