"""A running hub, with a real Mosquitto, simulated boards that play, and its journal on a disk."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, redirect_stdout, suppress
from pathlib import Path
from queue import Queue
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from click.testing import CliRunner
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.core.record import read_record
from jackspot.festival.broker import Broker, free_port
from jackspot.festival.connection import Login
from jackspot.festival.hall import Hall
from jackspot.festival.messages import MOST_BYTES, What, write
from jackspot.ops.quiet_log import AT_ONCE, make_quiet
from jackspot.ops.update import release
from jackspot.ops.update.release import ReleaseError
from jackspot.sensing.events import Event, NoticeTold
from jackspot.storage import database
from jackspot.storage.entries import Kinds
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.wall_clock import SystemWall
from jackspot.web.referee.kept import KeptFile
from jackspot_hub.command import (
    command,
    correct_command,
    enter_command,
    export_command,
    forget_command,
    handed_out,
    opened,
    serve_pages,
)
from jackspot_hub.desk.entering import draw_class, enter, register
from jackspot_hub.desk.revising import undo, undo_draw
from jackspot_hub.desk.state import DoesNotFit, SeenBoard
from jackspot_hub.desk.step import give_notice, notice_told, take_notice_back
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event_file import BadEvent, facts, programme_of, read_event
from jackspot_hub.running import RESULTS_AT_ONCE, RunningHub, read_desk
from jackspot_sim.hall.boards import SimHall
from tests.conftest import PATIENCE_S
from tests.festival.conftest import broker, mosquitto  # noqa: F401  fixtures
from tests.festival.linked import LinkedBoard, until
from tests.festival.test_messages import RESULT
from tests.festival.test_simulated_hall import config_of
from tests.storage.support import Entry

pytestmark = pytest.mark.live

EVENT = """\
name = "Small cup"
hall = "hikone"
boards = 2
seed = "2026"

[[contest]]
name = "s"
format = "groups"
groups = 2
upper = 1
entrants = ["Aiko", "Ben", "Chie", "Dirk"]

[contest.match]
rules = "hikone"
handicap = { N = { pucks_needed = 1 }, S = { pucks_needed = 1 } }
"""


def written(folder: Path, text: str = EVENT) -> Path:
    path = folder / "cup.toml"
    path.write_text(text, encoding="utf-8")
    return path


@contextmanager
def running(hub: RunningHub, broker: Broker) -> Iterator[threading.Event]:  # noqa: F811
    """Let a hub run until it is killed; its journal and its connection are just let go."""
    killed = threading.Event()
    login = Login(*broker.address, "hub", "", MOST_BYTES)
    thread = threading.Thread(target=hub.run, args=(login, killed.is_set))
    thread.start()
    try:
        yield killed
    finally:
        killed.set()
        thread.join()
        hub.close()


@pytest.mark.always
def test_boards_play_an_event_to_its_end_though_the_hub_is_killed_in_between(
    tmp_path: Path, broker: Broker,  # noqa: F811
) -> None:  # fmt: skip
    programme = read_event(written(tmp_path))
    seen: list[Any] = []
    some, all_over = threading.Event(), threading.Event()

    def wrote(_desk: Any, entry: Any) -> None:
        seen.append(entry)
        if sum(each.kind == "result" for each in seen) >= 1:
            some.set()

    with SimHall(config_of(broker), tmp_path, 60.0, friendly=False) as hall:
        hall.start(1, 2)
        hub = RunningHub(programme, tmp_path / "hub.sqlite3", wrote)
        with running(hub, broker):
            assert some.wait(PATIENCE_S)
        again = RunningHub(programme, tmp_path / "hub.sqlite3", wrote)
        assert again.desk.results == hub.desk.results
        with running(again, broker) as killed:
            for _ in range(int(PATIENCE_S * 10)):
                if again.is_over or all_over.wait(0.1):
                    break
            killed.set()
        assert again.is_over
    results = again.desk.results["s"]
    assert set(results) == {"s-A-1-1", "s-B-1-1", "s-ko-1-1"}
    assert not again.desk.unattached
    for key, played in results.items():
        match = read_record(again.desk.records[key]).match
        assert played.outcome is not None
        winner = played.winner()
        assert winner is not None
        names = set(match.settings.names.values())
        assert {name for side in played.sides for name in programme.names("s", side)} == names
    drawn = again.desk.drawn("s")
    assert drawn.final is not None
    assert drawn.final.winner == results["s-ko-1-1"].winner()


def test_a_release_beside_the_event_is_handed_out_whole_and_in_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event, kept = written(tmp_path), KeptFile(tmp_path / "cup.pin.json")
    assert handed_out(None, event) is None
    whole = release_file(tmp_path / "jackspot (1).update", "1.1")
    assert (
        handed_out(None, event) == handed_out(tmp_path, event) == handed_out(whole, event) == whole
    )
    hub = RunningHub(read_event(event), tmp_path / "hub.sqlite3", lambda *_: None)
    with closing(hub), ExitStack() as around:
        serve_pages(around, hub, ("127.0.0.1", 0), kept, update=whole)
        carried = hub.desk.carried
        assert carried is not None
        assert (carried.release, carried.file) == ("1.1", "jackspot-1.1.update")
        data = whole.read_bytes()
        assert (carried.size, carried.sha256) == (len(data), hashlib.sha256(data).hexdigest())
        at = f"http://127.0.0.1:{carried.port}/update/"
        for said, found in (({}, data), ({"Range": "bytes=5-"}, data[5:])):
            asked = urllib.request.Request(f"{at}{carried.file}", headers=said)
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                assert answer.read() == found
        for other in ("cup.toml", "cup.pin.json", "..%2fcup.toml", ""):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"{at}{other}", timeout=PATIENCE_S)
    (tmp_path / "other.update").write_bytes(b"none")
    assert handed_out(None, event) is None, "an event goes on without it"
    assert "expected one file *.update" in capsys.readouterr().err
    with pytest.raises(ReleaseError):
        handed_out(tmp_path, event)


def release_file(path: Path, version: str) -> Path:
    """Write a release whose signature nobody here checks."""
    deb = path.with_name(f"jackspot_{version}_all.deb")
    deb.write_bytes(b"packed")

    def sign(_file: Path, signature: Path) -> None:
        signature.write_bytes(b"signed")

    release.write(path, version, [deb], sign)
    return path


@pytest.mark.parametrize("end", [os.kill, os.killpg])
def test_the_command_says_where_it_runs_and_ends_in_order_with_its_tables(
    tmp_path: Path, end: Callable[[int, int], None]
) -> None:
    """Also when the signal goes to everything it has started, as ``timeout`` sends it."""
    path = written(tmp_path)
    with subprocess.Popen(
        [str(Path(sys.executable).with_name("jackspot")), "hub", "run", str(path),
         "--pages", "127.0.0.1:0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        start_new_session=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as hub:  # fmt: skip
        assert hub.stdout is not None
        assert re.match(
            r"Small cup: hall hikone, broker 127\.0\.0\.1:\d+; 0 ", hub.stdout.readline()
        )
        while "PIN" not in hub.stdout.readline():
            pass
        end(hub.pid, signal.SIGTERM)
        out, err = hub.communicate(timeout=PATIENCE_S)
    assert (hub.returncode, err) == (0, "")
    assert "s-A" in out
    assert "Aiko" in out


@contextmanager
def hub_alone(folder: Path, *words: str) -> Iterator[list[str]]:
    """Run `jackspot hub run cup.toml` as somebody types it.

    Its environment has only HOME and PYTHONPATH. Yield what it prints at its start.
    """
    with subprocess.Popen(
        [str(Path(sys.executable).with_name("jackspot")), "hub", "run", "cup.toml", *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
        env={"HOME": str(folder), "PYTHONPATH": ":".join(sys.path)},
    ) as hub:  # fmt: skip
        assert hub.stdout is not None
        said: list[str] = []
        while not said or (said[-1] and "PIN" not in said[-1]):
            said.append(hub.stdout.readline())
        try:
            yield said
        finally:
            hub.terminate()
            hub.communicate(timeout=PATIENCE_S)


def test_alone_it_has_its_own_broker_a_free_port_and_its_journal_beside_the_event(
    tmp_path: Path,
) -> None:
    written(tmp_path)
    with ExitStack() as others:
        for port in (8470, 8471):
            with suppress(OSError):  # taken already: just as well
                others.enter_context(socket.create_server(("0.0.0.0", port)))
        with hub_alone(tmp_path) as said:
            text = "".join(said)
            found = re.search(r"desk +http://\S+:(\d+)/desk\n", text)
            assert found, text
            assert 8471 < int(found[1]) < 8480
            assert f"Port 8470 is taken: the pages are at {found[1]}." in text
            assert re.search(r"The desk asks for the PIN \d{6}\.\n", text)
            assert "boards of a hall need `jackspot hub install`" in text
            assert (tmp_path / "cup.sqlite3").exists()
            with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/wall") as wall:
                assert wall.status == 200
            asked = urllib.request.Request(
                f"http://127.0.0.1:{found[1]}/", headers={"Host": f"jackspot-hub.local:{found[1]}"}
            )
            with urllib.request.urlopen(asked) as phones:
                assert phones.status == 200


def test_a_port_that_was_asked_for_and_is_taken_is_refused(tmp_path: Path) -> None:
    written(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        where = f"127.0.0.1:{other.getsockname()[1]}"
        with hub_alone(tmp_path, "--pages", where) as said:
            assert "another program uses this port" in "".join(said)


def test_a_journal_where_nobody_may_write_says_so_and_what_to_do(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, [str(written(tmp_path)), "--journal", "/sys/cup.sqlite3"])
    assert done.exit_code == 1
    assert "Permission denied" in done.stderr or "read-only" in done.stderr.lower()
    assert "name one with --journal" in done.stderr


def test_without_a_way_out_the_name_of_the_hub_is_shown_where_it_leads_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackspot.web.addresses._own_address", lambda: "vm.local")
    with closing(opened(written(tmp_path), tmp_path / "cup.sqlite3", lambda *_: None)) as hub:
        for name, shown in (("localhost", True), ("no-such-host.invalid", False)):
            monkeypatch.setattr("jackspot_hub.command.HUB_NAME", name)
            said = io.StringIO()
            with ExitStack() as around, redirect_stdout(said):
                serve_pages(around, hub, ("0.0.0.0", 0), KeptFile(tmp_path / "pin.json"))
            assert ("http://localhost:" in said.getvalue()) is shown


def test_a_stick_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path = written(tmp_path)
    stick = tmp_path / "stick"
    with hub_alone(tmp_path, "--pages", "127.0.0.1:0", "--copy", str(stick)) as said:
        assert "PIN" in said[-1]
        stick.mkdir()
        until(lambda: (stick / path.name).exists() and (stick / "cup.sqlite3").exists())


@pytest.mark.parametrize(
    ("option", "wrong"),
    [("--broker", "a:b"), ("--broker", "x@y"), ("--broker", ""), ("--pages", "h:99999"),
     ("--pages", "fd00::7"), ("--pages", "h/x")],
)  # fmt: skip
def test_an_address_that_is_none_is_refused_before_anything_else(
    tmp_path: Path, option: str, wrong: str
) -> None:
    done = CliRunner().invoke(command, [str(written(tmp_path)), option, wrong])
    assert done.exit_code == 2
    assert (
        f"expected an address like 192.168.1.10 or hub.local:8883, found '{wrong}'" in done.output
    )
    assert {each.name for each in tmp_path.iterdir()} == {"cup.toml"}


def test_a_copy_beside_the_journal_is_none(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, [str(written(tmp_path)), "--copy", str(tmp_path)])
    assert done.exit_code == 2
    assert "that is where the journal is; name another folder" in done.output


def corrected(path: Path, *words: str) -> Any:
    return CliRunner().invoke(correct_command, [str(path), *words])


def test_a_match_won_by_the_jack_is_entered_in_a_terminal_and_stays_so(tmp_path: Path) -> None:
    path, key = written(tmp_path), "s-A-1-1"
    for words, by_jack in ((["--jack"], True), (["--points", "5", "3"], True),
                           (["--no-jack"], False), ([], False)):  # fmt: skip
        done = corrected(path, key, "--winner", "Aiko", *words)
        assert (done.exit_code, done.output) == (0, f"{key}: corrected\n")
        hub = RunningHub(read_event(path), tmp_path / "cup.sqlite3", lambda *_: None)
        outcome = hub.desk.results["s"][key].outcome
        hub.close()
        assert outcome is not None
        assert outcome.by_jack is by_jack
    done = corrected(path, key, "--tied", "--jack")
    assert (done.exit_code, "expected --winner" in done.output) == (2, True)


def test_a_match_is_corrected_between_two_runs_and_what_was_played_after_it_is_named(
    tmp_path: Path,
) -> None:
    path = written(tmp_path)
    for key, winner in (("s-A-1-1", "Aiko"), ("s-B-1-1", "Chie"), ("s-ko-1-1", "Aiko")):
        done = corrected(path, key, "--winner", winner, "--points", "5", "3")
        assert (done.exit_code, done.output) == (0, f"{key}: corrected\n")
    again = corrected(path, "s-A-1-1", "--winner", "Dirk", "--points", "1", "9")
    assert "s-ko-1-1: the results no longer lead to it" in again.output
    assert corrected(path, "s-ko-1-1", "--again").exit_code == 0
    hub = RunningHub(read_event(path), tmp_path / "cup.sqlite3", lambda *_: None)
    (final,) = [each for each in hub.desk.drawn("s").fixtures if each.key == "s-ko-1-1"]
    hub.close()
    sides = [side for side in final.sides if isinstance(side, int)]
    assert {hub.desk.programme.names("s", each) for each in sides} == {("Dirk",), ("Chie",)}


def test_entries_have_the_numbers_of_the_journal_and_what_does_not_fit_is_not_written(
    tmp_path: Path,
) -> None:
    path = written(
        tmp_path, EVENT.replace('format = "groups"', 'format = "groups"\ndraw = "later"')
    )

    def opened() -> RunningHub:
        return RunningHub(read_event(path), tmp_path / "hub.sqlite3", lambda *_: None)

    with closing(opened()) as hub:
        assert not hub.is_over
        hub.enter(register(hub.desk, "Emi", "desk"))
        hub.enter(enter(hub.desk, "s", [5], "desk"))
        again = hub.desk.past[1].entry
        with pytest.raises(DoesNotFit, match=r"entry 3 \(entered\) does not fit: Emi \(5\)"):
            hub.enter((again,))
        hub.enter(undo(hub.desk, 2, "desk"))
        assert hub.desk.past[-1].seq == hub._journal.head.seq == 3
        before = hub.desk
    with closing(opened()) as hub:
        assert hub.desk.past == before.past
        assert hub.desk.programme == before.programme
        hub.enter(draw_class(hub.desk, "s", "37", "desk"))
        assert set(hub.desk.drawn("s").tables) == {"s-A", "s-B"}
    path.write_text(EVENT.replace('name = "s"', 'name = "t"'), encoding="utf-8")
    with pytest.raises(
        DoesNotFit, match=r"entry 4 \(drawn\) does not fit: there is no contest 's'"
    ):
        opened()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("s-A-1-1",), "expected one of --winner"),
        (("s-A-1-1", "--winner", "Zoe"), "'Zoe' does not play in it; there are "),
        (("x-1-1", "--again"), "no contest 'x'; there are s"),
        (("s-ko-1-1", "--tied"), "not settled who meets in it"),
    ],
)
def test_what_cannot_be_corrected_says_why(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    done = corrected(written(tmp_path), *words)
    assert done.exit_code != 0
    assert says in done.output


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"boards": 0}, "boards: input should be greater"),
        ({"hall": "Hikone!"}, "hall: string should match"),
        ({"extra": 1}, "extra: no such key; there are name, hall, boards, "),
        ({"board_order": [2]}, "board_order: expected numbers from 1 to 1, each once, found [2]"),
        ({"board_order": [1, 1]}, "board_order: expected numbers from 1 to 1, each once"),
        ({"contest": []}, "contest: list should have at least 1"),
    ],
)
def test_an_event_that_is_none_says_where(change: dict[str, Any], says: str) -> None:
    said = {"name": "A", "hall": "a", "boards": 1,
            "contest": [{"name": "s", "format": "knockout", "entrants": ["a", "b"]}]}  # fmt: skip
    programme_of(said)
    with pytest.raises(BadEvent, match=re.escape(says)):
        programme_of({**said, **change})


def test_a_file_names_the_boards_that_are_used_first() -> None:
    said = {"name": "A", "hall": "a", "boards": 4, "board_order": [3, 1],
            "contest": [{"name": "s", "format": "knockout", "entrants": ["a", "b"]}]}  # fmt: skip
    programme = programme_of(said)
    assert [each.number for each in programme.boards] == [3, 1, 2, 4]
    assert facts(programme)["may"]["board_order"] == [3, 1, 2, 4]
    assert facts(programme_of({**said, "board_order": []}))["may"]["board_order"] == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"entrants": ["a", "a"]},
            "contest 's'.entrants: expected each name once, found 'a' twice",
        ),
        ({"entrants": ["a", ["b", "c"]]}, "expected all alone or all in pairs"),
        ({"format": "groups", "groups": 2}, "contest 's'.groups: expected at most 1"),
        ({"match": {"rules": "chess"}}, "contest 's'.match: "),
        ({"match": {"options": {"time_limit_s": -1}}}, "contest 's'.match: "),
        ({"format": "lottery"}, "contest 's'.format: "),
        ({"entrants": ["a"]}, "contest 's'.entrants: expected 2 or more, or draw = \"later\""),
        ({"format": "partners", "entrants": ["a", "b", "c"]}, "expected 4 or more, or draw"),
        ({"pairs": True}, "expected all alone or all in pairs"),
        ({"born": [2010, 2000]}, "contest 's'.born: expected the earlier year first"),
        ({"born": [84, 0]}, "contest 's'.born"),
        ({"draw": "never"}, "contest 's'.draw: "),
        ({"format": "swiss", "upper": 1}, "contest 's'.upper: expected 0, or 2 or more"),
        ({"format": "swiss", "earlier": True}, "contest 's'.earlier: expected a Swiss with upper"),
        ({"third_place": True}, "contest 's'.third_place: no such key; there are name, "),
        (
            {"format": "swiss", "upper": 2, "earlier": True},
            "contest 's'.earlier: expected a final of more games than one, found best_of = 1",
        ),
        (
            {
                "format": "swiss",
                "upper": 2,
                "earlier": True,
                "match": {"options": {"best_of": 3}},
                "knockout_match": {"options": {"best_of": 5}},
            },
            "contest 's'.earlier: expected rounds of one game, found best_of = 3",
        ),
        ({"knockout_match": {"options": {"best_of": 3}}}, "contest 's'.knockout_match: expected"),
        (
            {"format": "swiss", "upper": 2, "knockout_match": {"options": {"best_of": 0}}},
            "contest 's'.knockout_match: ",
        ),
    ],
)
def test_a_contest_that_cannot_be_played_says_where(change: dict[str, Any], says: str) -> None:
    contest = {"name": "s", "format": "knockout", "entrants": ["a", "b"], **change}
    with pytest.raises(BadEvent, match=re.escape(says)):
        programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [contest]})


def test_people_of_a_file_are_known_by_number_and_one_name_is_one_person() -> None:
    form = {"format": "knockout"}
    programme = programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [
        {"name": "s", "entrants": ["a", "b", "c"], **form},
        {"name": "p", "entrants": [["b", "d"], ["c", "a"]], **form},
        {"name": "h", "draw": "later", "pairs": True, "born": [0, 1965], **form},
    ]})  # fmt: skip
    assert {number: each.name for number, each in programme.people.items()} == {
        1: "a", 2: "b", 3: "c", 4: "d",
    }  # fmt: skip
    assert programme.classes["p"].people == {2: (2, 4), 3: (3, 1)}
    late = programme.classes["h"]
    assert (late.is_drawn, late.size, late.born) == (False, 2, (None, 1965))


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadEvent, match="expected TOML"):
        read_event(written(tmp_path, "name = \n"))
    assert issubclass(CannotBe, ValueError)


# --- what the desk asks of boards, and says to all ------------------------------------------


def test_a_board_answers_what_the_desk_asks_and_shows_what_it_says_to_all(
    tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    monkeypatch.setattr("jackspot_hub.running.ANSWERS_S", PATIENCE_S)
    heard: Queue[Event] = Queue()
    place = Hall("hikone", 1, (broker.address,))
    with closing_board(LinkedBoard(place, tmp_path / "b", submit=heard.put)):
        hub = RunningHub(read_event(written(tmp_path)), tmp_path / "hub.sqlite3", lambda *_: None)
        with running(hub, broker):
            wait_until(lambda: hub.desk.seen.get(1, SeenBoard()).there)
            answer = hub.ask(1, "identify", {"seconds": 9}).result(PATIENCE_S)
            assert answer["what"] == "identify"
            with pytest.raises(CannotBe, match=r"board 1: .*juggle"):
                hub.ask(1, "juggle", {}).result(PATIENCE_S)
            monkeypatch.setattr("jackspot_hub.running.ANSWERS_S", 0.5)
            with pytest.raises(CannotBe, match="board 2 has not answered"):
                hub.ask(2, "identify", {}).result(PATIENCE_S)
            hub.do(lambda _desk: give_notice({"en": "lunch"}, 60, "desk")).result(PATIENCE_S)
            wait_until(lambda: "lunch" in texts_of(heard))
            hub.do(lambda desk: take_notice_back(desk, "desk")).result(PATIENCE_S)
            wait_until(lambda: None in texts_of(heard))


@contextmanager
def closing_board(board: LinkedBoard) -> Iterator[None]:
    """Keep a board there meanwhile, and stop it at the end."""
    try:
        yield
    finally:
        board.stop()


def texts_of(heard: Queue[Event]) -> set[str | None]:
    told = [each for each in list(heard.queue) if isinstance(each, NoticeTold)]
    return {None if each.text is None else str(each.text) for each in told}


def wait_until(so: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE_S * 20)):
        if so():
            return
        pause.wait(0.05)
    raise AssertionError("it has not come")


def test_a_line_for_all_outlasts_a_restart_and_ends_by_itself(tmp_path: Path) -> None:
    programme = read_event(written(tmp_path))
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        hub.enter(give_notice({"en": "lunch", "ja": "休憩"}, 60, "desk"))
        before = hub.desk.notice
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as again:
        assert again.desk.notice == before
        assert before is not None
        said = notice_told(again.desk, before.until_ms - 1)
        assert said is not None
        assert (said["text"], said["seconds"]) == ({"en": "lunch", "ja": "休憩"}, 60)
        assert notice_told(again.desk, before.until_ms) is None
        with pytest.raises(CannotBe, match="one language"):
            give_notice({}, 60, "desk")
        with pytest.raises(CannotBe, match=r"text\.en"):
            give_notice({"en": "x" * 39}, 60, "desk")


def test_a_full_disk_is_told_until_it_takes_something_again(tmp_path: Path) -> None:
    programme = read_event(written(tmp_path))
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        hub.enter(register(hub.desk, "Emi", "desk"))
        before, whole = hub.desk, resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, whole[1]))
        try:
            with pytest.raises(JournalUnwritable):
                hub.enter(register(hub.desk, "Frieda", "desk"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, whole)
        assert hub.desk == before
        assert "hub.sqlite3" in hub.troubles["disk"]
        hub.enter(register(hub.desk, "Frieda", "desk"))
        assert hub.troubles == {}


def ran_without_broker(hub: RunningHub, ended: Callable[[], bool]) -> None:
    """Run a hub whose broker is away."""
    until_s = time.monotonic() + PATIENCE_S
    nowhere = Login("127.0.0.1", free_port(), "hub", "", MOST_BYTES)
    hub.run(nowhere, lambda: ended() or time.monotonic() > until_s)


def test_a_disk_that_takes_something_again_is_told_before_anybody_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackspot_hub.running.TRIES_S", 0.01)
    programme = read_event(written(tmp_path))
    whole = resource.getrlimit(resource.RLIMIT_FSIZE)
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, whole[1]))
        try:
            hub.do(lambda desk: register(desk, "Emi", "desk"))
            ran_without_broker(hub, lambda: "disk" in hub.troubles)
            looks = iter(range(3))
            ran_without_broker(hub, lambda: next(looks, None) is None)
            assert "disk" in hub.troubles
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, whole)
        ran_without_broker(hub, lambda: "disk" not in hub.troubles)
        assert "disk" not in hub.troubles
        assert not hub.desk.past


def test_what_a_disk_has_taken_though_it_failed_counts_and_is_not_written_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the disk is read-only by the time what was written is forced onto it."""
    programme = read_event(written(tmp_path))
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        answers = iter([False, True])

        def refuse(path: Path) -> None:
            if next(answers, False):
                raise OSError(errno.EROFS, "read-only", str(path))

        monkeypatch.setattr("jackspot.storage.journal.refuse_read_only", refuse)
        with pytest.raises(JournalUnwritable):
            hub.enter(register(hub.desk, "Emi", "desk"))
        with pytest.raises(JournalUnwritable, match="do it again"):
            hub.enter(register(hub.desk, "Frieda", "desk"))
        assert [each.entry.body["name"] for each in hub.desk.past] == ["Emi"]
        hub.enter(register(hub.desk, "Frieda", "desk"))
        desk = hub.desk
    assert [each.entry.body["name"] for each in desk.past] == ["Emi", "Frieda"]
    assert read_desk(programme, tmp_path / "hub.sqlite3").programme == desk.programme


def test_the_log_of_a_hub_stays_short_and_a_disk_that_cannot_fold_it_refuses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackspot.storage.journal.FOLD_ENTRIES", 3)
    real, folded = database.force_file, list[Path]()

    def force(file: Path) -> None:
        folded.append(file)
        if len(folded) == 2:
            raise OSError(errno.EIO, "a bad block", str(file))
        real(file)

    monkeypatch.setattr("jackspot.storage.journal.force_file", force)
    programme = read_event(written(tmp_path))
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        for number in range(12):
            hub.enter(register(hub.desk, f"Emi {number}", "desk"))
        assert len(folded) == 4, "at the third, in vain at the sixth, at the seventh, the tenth"
        assert hub._journal.is_settled
        assert hub.troubles == {}
        desk = hub.desk
    assert read_desk(programme, tmp_path / "hub.sqlite3").past == desk.past


@pytest.mark.parametrize("board", [3, 999, 1_000])
def test_what_is_asked_of_a_board_that_is_not_there_is_refused_at_once(
    tmp_path: Path, board: int
) -> None:
    programme = read_event(written(tmp_path))
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        answer = hub.ask(board, "identify", {})
        with pytest.raises(CannotBe, match=f"there is no board {board}"):
            answer.result(0)


def test_what_is_asked_of_a_board_while_no_broker_is_there_ends_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackspot_hub.running.ANSWERS_S", 0.01)
    programme = read_event(written(tmp_path))
    with closing(RunningHub(programme, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        answer = hub.ask(1, "identify", {})
        ran_without_broker(hub, answer.done)
        with pytest.raises(CannotBe, match="board 1 has not answered"):
            answer.result(0)


# --- the event's file, while it is under way -------------------------------------------------


def began(folder: Path) -> Path:
    """Write an event in which something has happened."""
    path = written(folder)
    CliRunner().invoke(enter_command, [str(path), str(people_of(folder, "Zoe"))])
    return path


def people_of(folder: Path, name: str) -> Path:
    table = folder / "people.csv"
    table.write_text(f"name\n{name}\n", encoding="utf-8")
    return table


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('hall = "hikone"', 'hall = "kyoto"', "hall: it began with hikone, found kyoto"),
        ("boards = 2", "boards = 1", "boards: it began with 2, found 1"),
        ('"Chie"', '"Emi"', "entrants: it began with 4, found 4, and number 3"),
        (', "Dirk"', ', "Dirk", "Emi"', "it began with 4, found 5, and number 5"),
        ("groups = 2", "groups = 1", "contest 's': groups: it began with 2, found 1; it is drawn"),
        ('seed = "2026"', 'seed = "1"', "contest 's': seed: it began with 2026, found 1"),
        ('rules = "hikone"', 'rules = "japan"', "rules: it began with hikone, found japan"),
        ('name = "s"', 'name = "t"', "contest 's': it began with it, and it is gone"),
        (
            "[[contest]]",
            '[[contest]]\nname = "t"\nformat = "all"\nentrants = ["Zoe", "Yui"]\n[[contest]]',
            "contests: it began with contest 's', found contest 't'; people are",
        ),
    ],
)
def test_a_file_that_was_changed_in_what_was_begun_is_refused(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    path = began(tmp_path)
    path.write_text(EVENT.replace(old, new, 1 if old != 'name = "s"' else -1), encoding="utf-8")
    done = CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Yui"))])
    assert done.exit_code == 1
    assert says in done.output
    path.write_text(EVENT, encoding="utf-8")
    done = CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Yui"))])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("said", ["enter", "export", "forget"])
def test_a_file_that_draws_other_groups_than_were_played_is_refused_by_every_command(
    tmp_path: Path, said: str
) -> None:
    path = written(tmp_path)
    for key, winner in (("s-A-1-1", "Aiko"), ("s-B-1-1", "Chie"), ("s-ko-1-1", "Aiko")):
        assert corrected(path, key, "--winner", winner).exit_code == 0
    path.write_text(EVENT.replace("groups = 2", "groups = 1"), encoding="utf-8")
    words = {
        "enter": (enter_command, [str(path), str(people_of(tmp_path, "Yui"))]),
        "export": (export_command, [str(path), str(tmp_path / "results")]),
        "forget": (forget_command, [str(path), "--yes"]),
    }
    done = CliRunner().invoke(*words[said])
    assert done.exit_code == 1
    assert (
        "contest 's': groups: it began with 2, found 1; matches were called: it stays drawn as it "
        "is, so put the file back"
    ) in done.output
    path.write_text(EVENT, encoding="utf-8")
    assert CliRunner().invoke(*words[said]).exit_code == 0


def test_groups_may_be_changed_in_the_file_once_the_draw_is_undone_at_the_desk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, journal = began(tmp_path), tmp_path / "cup.sqlite3"
    path.write_text(EVENT.replace("groups = 2", "groups = 1"), encoding="utf-8")
    with pytest.raises(BadEvent, match="undo its draw on the page /people"):
        opened(path, journal, lambda *_: None)
    path.write_text(EVENT, encoding="utf-8")
    with closing(opened(path, journal, lambda *_: None)) as hub:
        hub.enter(undo_draw(hub.desk, "s", "desk"))
    path.write_text(EVENT.replace("groups = 2", "groups = 1"), encoding="utf-8")
    with closing(opened(path, journal, lambda *_: None)) as hub:
        assert "contest 's': groups: 2 -> 1\n" in capsys.readouterr().err
        hub.enter(draw_class(hub.desk, "s", "37", "desk"))
        assert set(hub.desk.drawn("s").tables) == {"s-A"}


def test_a_file_may_be_changed_before_anything_has_happened_and_in_words(tmp_path: Path) -> None:
    path = written(tmp_path)
    CliRunner().invoke(correct_command, [str(path), "s-A-9-9", "--again"])
    path.write_text(EVENT.replace('"Chie"', '"Emi"'), encoding="utf-8")
    CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Zoe"))])
    changed = EVENT.replace('"Chie"', '"Emi"').replace("Small cup", "Large cup")
    path.write_text(changed.replace("boards = 2", "boards = 9"), encoding="utf-8")
    done = CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Yui"))])
    assert done.exit_code == 0, done.output
    assert "name: Small cup -> Large cup\nboards: 2 -> 9\n" in done.output
    done = CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Rin"))])
    assert "changed" not in done.output
    path.with_suffix(".begun.json").write_text("{}")
    done = CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Ren"))])
    assert "begun.json: expected what the event's file said" in done.output


def test_a_damaged_journal_says_what_to_go_on_with(tmp_path: Path) -> None:
    path = began(tmp_path)
    journal = path.with_suffix(".sqlite3")
    journal.write_bytes(journal.read_bytes()[:2_000])
    done = CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Yui"))])
    assert done.exit_code == 1
    assert "go on with the copy that --copy has made" in done.output


def test_a_hub_does_not_go_on_with_what_a_newer_version_wrote(tmp_path: Path) -> None:
    path = began(tmp_path)
    journal = path.with_suffix(".sqlite3")
    later: Kinds = {"applause": lambda _body: None}
    with closing(Journal.open(journal, later, SystemWall())) as opened:
        opened.append([Entry("applause", 1, {"for": "everybody"})])
    before = read_checked(journal, None)
    done = CliRunner().invoke(enter_command, [str(path), str(people_of(tmp_path, "Yui"))])
    assert done.exit_code == 1
    assert f"entry {len(before)} (applause)" in done.output
    assert "install the version that wrote it" in done.output
    assert read_checked(journal, None) == before


def test_a_board_that_sends_without_end_fills_neither_the_log_nor_the_disk(
    tmp_path: Path, broker: Broker, caplog: pytest.LogCaptureFixture,  # noqa: F811
) -> None:  # fmt: skip
    make_quiet()
    hub = RunningHub(
        read_event(written(tmp_path)), tmp_path / "hub.sqlite3", lambda _desk, _entry: None
    )
    sends = mqtt.Client(CallbackAPIVersion.VERSION2, "b002", protocol=mqtt.MQTTv5)
    sends.max_inflight_messages_set(0)
    sends.connect(*broker.address)
    sends.loop_start()
    with running(hub, broker):
        until(lambda: hub._told)
        for seq in range(1, 3 * RESULTS_AT_ONCE):
            said = {**RESULT, "journal": "aaaaaaaa", "seq": seq, "order": None}
            sends.publish(What.RESULT.topic("hikone", "b002"), write(said), 1)
            sends.publish(What.ANSWER.topic("hikone", "b002"), b"7", 1)
        last = {**RESULT, "journal": "bbbbbbbb", "order": None}
        until(lambda: hub.desk.on_disk.get(2))
        sends.publish(What.RESULT.topic("hikone", "b001"), write(last), 1).wait_for_publish()
        until(lambda: hub.desk.on_disk.get(1))
    sends.disconnect()
    sends.loop_stop()
    assert RESULTS_AT_ONCE <= len(hub.desk.unattached) <= RESULTS_AT_ONCE + 10
    assert 1 <= sum("hall: " in each.message for each in caplog.records) <= 2 * AT_ONCE
