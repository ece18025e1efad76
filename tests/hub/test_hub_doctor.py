"""The doctor of a hub: each thing that is made wrong for real is named, and that one alone."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.festival.messages import What
from jackspot.ops.doctor.findings import Finding, Severity
from jackspot.ops.doctor.machine import RealMachine
from jackspot_hub.command import enter_command
from jackspot_hub.doctor import command, examine
from tests.festival.conftest import hall, mosquitto, place  # noqa: F401  fixtures
from tests.festival.guests import HALL
from tests.hub.shown import ShownHall

EVENT = f"""\
name = "Small cup"
hall = "{HALL}"
boards = 2
[[contest]]
name = "s"
format = "knockout"
entrants = ["Aiko", "Ben"]
"""
LAST = ("clock", "hub", "boards")
"""What depends on the machine of the test, and on whether a hub runs."""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(EVENT, encoding="utf-8")
    return path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port: int = closed.getsockname()[1]
        return port


def looked(
    event: Path, *, keys: Path | None = None, copy: Path | None = None, port: int | None = None
) -> list[Finding]:
    journal = event.with_suffix(".sqlite3")
    return list(examine(RealMachine(), event, journal, keys, copy, port or free_port()))


def wrong(findings: list[Finding]) -> list[tuple[str, str]]:
    """Return what is broken, and how it is mended."""
    return [(each.what, each.remedy) for each in findings if each.mark is Severity.BROKEN]


def begin(event: Path) -> Path:
    table = event.with_name("people.csv")
    table.write_text("name\nZoe\n", encoding="utf-8")
    assert CliRunner().invoke(enter_command, [str(event), str(table)]).exit_code == 0
    return event.with_suffix(".sqlite3")


def test_a_hub_that_is_well_is_said_to_be(event: Path) -> None:
    begin(event)
    found = looked(event)
    assert wrong(found) == []
    said = {each.what: each.found for each in found}
    assert said["event"] == "Small cup: 2 people, 2 boards"
    assert said["journal"] == "whole, 1 entries, 0 matches are over"
    assert said["hub"].startswith("none serves pages")


def an_event_with_a_mistake(event: Path) -> str:
    event.write_text(EVENT.replace("knockout", "lottery"), encoding="utf-8")
    return "event"


def a_damaged_journal(event: Path) -> str:
    journal = begin(event)
    journal.write_bytes(journal.read_bytes()[:3_000])
    return "journal"


@pytest.mark.parametrize("make", [an_event_with_a_mistake, a_damaged_journal])
def test_each_fault_is_named_with_what_to_do(event: Path, make: Callable[[Path], str]) -> None:
    what = make(event)
    assert [each for each, _remedy in wrong(looked(event))] == [what]


def test_a_halls_keys_are_tried_as_a_board_tries_them(
    event: Path,
    hall: tuple[Path, int, str],  # noqa: F811
) -> None:
    folder, _port, _key = hall
    found = looked(event, keys=folder)
    assert wrong(found) == []
    said = {each.what: each.found for each in found}
    assert said["keys"].startswith(f"hall {HALL}, ")
    assert said["broker"].endswith("takes what boards say")


def test_keys_of_another_hall_for_too_few_boards_or_changed_are_named(
    event: Path,
    hall: tuple[Path, int, str],  # noqa: F811
) -> None:
    folder, _port, _key = hall
    event.write_text(EVENT.replace(HALL, "elsewhere"), encoding="utf-8")
    assert [each for each, _ in wrong(looked(event, keys=folder))] == ["keys"]
    event.write_text(EVENT.replace("boards = 2", "boards = 200"), encoding="utf-8")
    (what, remedy), = wrong(looked(event, keys=folder))  # fmt: skip
    assert (what, "hub keys again" in remedy) == ("keys", True)
    event.write_text(EVENT, encoding="utf-8")
    kept = (folder / "wall.password").read_text()
    (folder / "wall.password").write_text("0" * 32)
    assert [each for each, _ in wrong(looked(event, keys=folder))] == ["keys"]
    (folder / "wall.password").write_text(kept)
    assert [each for each, _ in wrong(looked(event, keys=folder / "none"))] == ["keys"]


def test_a_copy_on_the_journals_own_disk_is_no_copy(event: Path, tmp_path: Path) -> None:
    own = next(each for each in looked(event, copy=tmp_path) if each.what == "copy")
    assert (own.mark, own.remedy) == (Severity.DOUBTFUL, "choose a stick")
    assert wrong(looked(event, copy=tmp_path / "pulled out")) == [("copy", "plug the stick in")]
    if Path("/dev/shm").stat().st_dev != tmp_path.stat().st_dev:
        other = next(each for each in looked(event, copy=Path("/dev/shm")) if each.what == "copy")
        assert other.mark is Severity.WELL


@pytest.fixture
def shown() -> Iterator[ShownHall]:
    shown = ShownHall(4, 8)
    shown.pages.start()
    yield shown
    shown.pages.stop()


def test_a_hub_that_runs_says_which_boards_it_sees(event: Path, shown: ShownHall) -> None:
    port = shown.pages.port
    name = shown.hall.desk.programme.name
    event.write_text(EVENT.replace("Small cup", name), encoding="utf-8")
    said = {each.what: each for each in looked(event, port=port)}
    assert said["boards"].found == "all 4 are there"
    lost = {"v": 1, "state": "lost", "boot": "a", "n": 1}
    shown.hall.say(3, What.STATUS, lost)
    shown.show()
    said = {each.what: each for each in looked(event, port=port)}
    assert (said["boards"].mark, said["boards"].found) == (
        Severity.DOUBTFUL, "3 of 4 are there; not 3",
    )  # fmt: skip
    event.write_text(EVENT, encoding="utf-8")
    assert [each for each, _ in wrong(looked(event, port=port))] == ["hub"]


def test_another_program_at_the_pages_port_is_named(event: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            with other.accept()[0] as reached:
                reached.recv(1_000)
                reached.sendall(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        found = looked(event, port=other.getsockname()[1])
    assert [each for each, _ in wrong(found)] == ["hub"]


def test_the_command_ends_with_1_where_something_is_broken_and_has_json(event: Path) -> None:
    port = str(free_port())
    well = CliRunner().invoke(command, [str(event), "--json", "--port", port])
    assert well.exit_code == 0, well.output
    findings = json.loads(well.stdout)["findings"]
    assert {"event", "journal", "mosquitto", "hub"} <= {each["what"] for each in findings}
    event.unlink()
    assert CliRunner().invoke(command, [str(event), "--port", port]).exit_code == 1
