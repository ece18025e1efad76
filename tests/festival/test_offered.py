"""A hub hands a release to its boards: a real broker and hub, real boards, dpkg and gpgv.

Each board's machine has a root of its own, as in the tests of updates. A thread stands in for the
unit that watches the board's folder, and a script for systemctl.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from jackspot.assembly import KINDS
from jackspot.commands import update
from jackspot.config.model import Config
from jackspot.core.record import read_record
from jackspot.festival.broker import Broker
from jackspot.festival.messages import UpdateStep
from jackspot.ops.update import stages as update_running
from jackspot.ops.update.offered import NAME, OfferedHere
from jackspot.storage.journal import Journal
from jackspot.storage.wall_clock import SystemWall
from jackspot.web.referee.kept import KeptFile
from jackspot_hub.command import serve_pages
from jackspot_hub.desk.updates import offer_update
from jackspot_hub.event_file import read_event
from jackspot_hub.running import RunningHub
from jackspot_sim.boards.rehearsal import board_config
from tests.festival.conftest import in_the_hall, standing
from tests.festival.guests import HALL
from tests.hub.test_running import running
from tests.ops.test_update import AT_ONCE, Bench, Shelf
from tests.ops.update_bench import SYSTEMCTL
from tests.storage.support import Entry

pytestmark = [
    pytest.mark.needs_root,
    pytest.mark.skipif(os.geteuid() != 0, reason="dpkg installs as root"),
    pytest.mark.skipif(not all(map(shutil.which, ("gpg", "gpgv", "dpkg-deb"))), reason="needs gpg"),
    pytest.mark.timeout(240),
]

EVENT = f"""\
name = "Small cup"
hall = "{HALL}"
boards = 2

[[contest]]
name = "s"
format = "all"
draw = "later"
entrants = ["Aiko", "Ben", "Chie"]

[contest.match]
rules = "hikone"
"""
PATIENCE_S = 120


class Boards:
    """Two real boards of version 1.0 in the hall, each on a machine in a root of its own."""

    def __init__(self, folder: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
        tools = folder / "tools"
        tools.mkdir()
        (tools / "systemctl").write_text(SYSTEMCTL, encoding="utf-8")
        (tools / "systemctl").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
        shelf = Shelf(folder / "shelf")
        self._broker = broker
        self.machines: dict[int, Bench] = {}
        for number in (1, 2):
            (folder / str(number)).mkdir()
            self.machines[number] = Bench(folder / str(number), shelf)
        systems = {each.system.root: each.system for each in self.machines.values()}
        monkeypatch.setattr(update, "System", lambda root: systems[root])
        monkeypatch.setattr(
            update_running, "go_on_apart",
            lambda system: update_running.go_on(system, lambda _words: None, AT_ONCE),
        )  # fmt: skip
        self.said: list[str] = []

    def config(self, number: int) -> Config:
        text = 'rules = "hikone"\n[names]\nN = "x"\n---\n'
        settings = read_record(f"# jackspot record 1\n{text}").match.settings
        return in_the_hall(board_config(settings, at_box=True), self._broker, number)

    def stands(self, number: int) -> Any:
        """Return a board that runs on from its journal, with the rights of its own user."""
        machine = self.machines[number]
        return standing(self.config(number), machine.journal, door=OfferedHere(machine.system))

    def note(self, number: int, *kinds: tuple[str, dict[str, Any]]) -> None:
        """Write into the journal of a board that is not running."""
        with closing(Journal.open(self.machines[number].journal, KINDS, SystemWall())) as journal:
            journal.append([Entry(kind, 1, body) for kind, body in kinds])

    def watch(self, number: int, ended: threading.Event) -> None:
        """Do as the unit does: start root's command as soon as the file is there."""
        machine = self.machines[number]
        place = OfferedHere(machine.system).folder / NAME
        while not ended.wait(0.05):
            if place.exists():
                self.said.append(machine.run("--offered").output)


@pytest.fixture
def boards(tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Boards]:
    made = Boards(tmp_path, broker, monkeypatch)
    ended = threading.Event()
    threads = [threading.Thread(target=made.watch, args=(n, ended)) for n in made.machines]
    for each in threads:
        each.start()
    yield made
    ended.set()
    for each in threads:
        each.join()


def until(is_so: Callable[[], bool], what: Callable[[], object]) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < until_s, what()
        time.sleep(0.05)


def hub_of(folder: Path, around: ExitStack, broker: Broker, release: Path) -> RunningHub:
    """Return a hub that has this release, with its pages."""
    path = folder / "cup.toml"
    path.write_text(EVENT, encoding="utf-8")
    hub = RunningHub(read_event(path), folder / "hub.sqlite3", lambda _desk, _entry: None)
    kept = KeptFile(folder / "hub.pin.json")
    serve_pages(around, hub, ("127.0.0.1", 0), kept, update=release)
    around.enter_context(running(hub, broker))
    return hub


def step(hub: RunningHub, board: int) -> str | None:
    said = hub.desk.updates.get(board)
    return None if said is None else str(said["step"])


def test_a_free_board_takes_what_the_hub_offers_and_one_in_a_match_once_it_is_free(
    tmp_path: Path, broker: Broker, boards: Boards
) -> None:
    boards.note(1, ("back", {}))  # a match is on
    release = boards.machines[1].release()
    with ExitStack() as around:
        hub = hub_of(tmp_path, around, broker, release)
        with boards.stands(1), boards.stands(2):
            until(lambda: set(hub.desk.versions) == {1, 2}, lambda: hub.desk.seen)
            until(lambda: all(each.state for each in hub.desk.seen.values()), lambda: hub.desk.seen)
            hub.do(lambda desk: offer_update(desk, None, "Emi")).result(PATIENCE_S)
            until(lambda: step(hub, 2) == UpdateStep.DONE, lambda: (hub.desk.updates, boards.said))
            boards.machines[2].holds("1.1")
            boards.machines[1].holds("1.0")
            assert step(hub, 1) is None, "nobody has told it"
        boards.note(1, ("shelve", {"why": "for later"}))
        with boards.stands(1):
            until(lambda: step(hub, 1) == UpdateStep.DONE, lambda: (hub.desk.updates, boards.said))
        boards.machines[1].holds("1.1")


def test_a_release_that_does_not_work_is_taken_back_and_the_desk_reads_why(
    tmp_path: Path, broker: Broker, boards: Boards
) -> None:
    release = boards.machines[2].release(starts="exit 1")
    with ExitStack() as around:
        hub = hub_of(tmp_path, around, broker, release)
        with boards.stands(2):
            until(lambda: 2 in hub.desk.seen, lambda: hub.desk.seen)
            hub.do(lambda desk: offer_update(desk, [2], "Emi")).result(PATIENCE_S)
            until(lambda: step(hub, 2) == UpdateStep.BACK, lambda: (hub.desk.updates, boards.said))
    assert "trial: " in hub.desk.updates[2]["why"]
    boards.machines[2].holds("1.0")


def test_what_somebody_else_signed_is_refused_by_the_board_whatever_its_hub_says(
    tmp_path: Path, broker: Broker, boards: Boards
) -> None:
    machine = boards.machines[2]
    machine.shelf, ours = Shelf(tmp_path / "theirs"), machine.shelf
    release = machine.release()
    machine.shelf = ours
    with ExitStack() as around:
        hub = hub_of(tmp_path, around, broker, release)
        with boards.stands(2):
            until(lambda: 2 in hub.desk.seen, lambda: hub.desk.seen)
            hub.do(lambda desk: offer_update(desk, [2], "Emi")).result(PATIENCE_S)
            until(lambda: step(hub, 2) == UpdateStep.REFUSED, lambda: hub.desk.updates)
    assert "not by a key that this machine trusts" in hub.desk.updates[2]["why"]
    machine.holds("1.0")
