"""Practice: a whole festival in one process, and in one command."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings, strategies as st

from jackspot.commands.hub import command as hub_command
from jackspot.festival import link
from jackspot.festival.broker import Broker, NoBroker
from jackspot.festival.messages import What
from jackspot.values import changed
from jackspot_hub import running
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskKind, SeenBoard
from jackspot_hub.desk.step import told
from jackspot_hub.event.contest import AllAgainstAll, Groups, Knockout
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event_file import programme_of, read_event
from jackspot_hub.figures import figures
from jackspot_sim.hall.boards import SimHall
from jackspot_sim.practice import mishaps
from jackspot_sim.practice.command import Day, command
from jackspot_sim.practice.made_up import made_up
from jackspot_sim.practice.organiser import Organiser, left_out
from tests.conftest import PATIENCE_S
from tests.festival.conftest import broker, hub, mosquitto  # noqa: F401  fixtures
from tests.festival.hub import Hub
from tests.festival.test_simulated_hall import SHORT, config_of
from tests.hub.halls import MINUTE_MS, PlayedHall, programme
from tests.hub.test_running import written

TIED = Outcome(None, (3, 3))


# --- the event -------------------------------------------------------------------------------


@settings(max_examples=10)
@given(st.integers(1, 999))
@example(1)
@example(999)
def test_an_event_is_made_up_for_any_hall(boards: int) -> None:
    check_made_up(boards)


@pytest.mark.long
def test_an_event_is_made_up_for_every_hall() -> None:
    for boards in range(1, 1_000):
        check_made_up(boards)


def check_made_up(boards: int) -> None:
    """Check an event: reading it as a file already checks for repeated names or too many groups."""
    made = made_up(boards, "1")
    assert len(made.boards) == boards
    singles, pairs = made.classes["singles"], made.classes["pairs"]
    assert len(singles.people) == min(max(6, 2 * boards), 1_000)
    people = pairs.of(*pairs.people)
    assert len(people) == 2 * len(pairs.people) == len(singles.people)
    form = singles.contest.format
    assert isinstance(form, Groups)
    assert 5 <= len(singles.people) / form.count <= 8


# --- the organiser ---------------------------------------------------------------------------


def ended(played: PlayedHall, board: int, lines: str) -> str:
    played.sit_down(board)
    key = played.desk.orders[played.plays[board]].key
    played.result(board, lines)
    return key


def test_a_tied_match_of_a_knockout_is_decided_after_a_while_and_of_a_group_never() -> None:
    played = PlayedHall(programme(4, s=Knockout(), d=AllAgainstAll()), Random(1))
    organiser = Organiser("1")
    for key in ("s-1-1", "d-1-1"):
        played.write(correct(played.desk, key, TIED, "desk"))
    assert organiser.has_to_decide(played.desk)
    assert organiser.look(played.desk, 0) == ()
    entries = organiser.look(played.desk, 2 * MINUTE_MS)
    assert [each.body["key"] for each in entries] == ["s-1-1"]
    played.write(entries)
    assert not organiser.has_to_decide(played.desk)
    assert organiser.look(played.desk, 9 * MINUTE_MS) == ()


def test_a_match_moves_once_its_board_has_been_lost_for_a_while() -> None:
    played = PlayedHall(programme(5, s=Knockout()), Random(1))
    organiser = Organiser("1")
    played.tick()
    assert len(played.desk.open_orders) == 4
    played.sit_down(1)
    played.say(1, What.STATUS, {"v": 1, "state": "lost", "boot": "a", "n": 1})
    assert organiser.look(played.desk, 0) == ()
    played.write(organiser.look(played.desk, 3 * MINUTE_MS))
    assert told(played.desk, 1)[What.ORDER]["moved"] == {"order": 1, "to": "b005"}
    assert organiser.look(played.desk, 9 * MINUTE_MS) == ()


def test_a_board_that_is_back_in_time_keeps_its_match() -> None:
    played = PlayedHall(programme(5, s=Knockout()), Random(1))
    organiser = Organiser("1")
    played.tick()
    played.sit_down(1)
    for now, state in ((0, "lost"), (1, "ready"), (9, "lost"), (11, "ready"), (20, "ready")):
        played.say(1, What.STATUS, {"v": 1, "state": state, "boot": "a", "n": 1})
        assert organiser.look(played.desk, now * MINUTE_MS) == ()


def test_the_first_stroke_of_an_order_is_noticed_once() -> None:
    played = PlayedHall(programme(1, s=Knockout()), Random(1))
    organiser = Organiser("1")
    played.tick()
    order = played.sit_down(1)
    assert order is not None
    for now, lines in ((1, None), (2, ""), (3, "N red\n"), (4, "N red\nN red\n")):
        if lines is not None:
            record = {"v": 1, "journal": "x", "seq": 3, "record": order["header"] + lines,
                      "crc32": ""}  # fmt: skip
            played.say(1, What.RECORD, record)
        organiser.look(played.desk, now)
    assert organiser.begun_ms == {1: 3}


# --- the figures -----------------------------------------------------------------------------


def order(number: int, board: int, key: str, at: int, **more: int) -> tuple[str, dict, int]:
    return DeskKind.ORDERED, {"order": number, "board": board, "key": key, **more}, at * MINUTE_MS


def result(board: int, number: int, at: int) -> tuple[str, dict, int]:
    return DeskKind.RESULT, {"board": board, "message": {"order": number}}, at * MINUTE_MS


def test_a_day_is_counted_from_the_journal() -> None:
    """Board 1 plays from 0 to 6, board 2 from 2 to 5, when it dies, and board 3 from then to 8.

    At 8 somebody corrects what board 1 has played since 7: 6 + 1, 3 and 3 minutes of 3 times 8.
    """
    entries = [
        order(1, 1, "a", 0), order(2, 2, "b", 2), order(3, 3, "b", 5, **{"from": 2}),
        result(1, 1, 6), order(4, 1, "c", 7), result(3, 3, 8),
        (DeskKind.CORRECTED, {"key": "c"}, 8 * MINUTE_MS),
    ]  # fmt: skip
    found = figures(entries, 3, {1: MINUTE_MS, 2: 5 * MINUTE_MS, 3: 7 * MINUTE_MS})
    assert (found.minutes, found.calls, found.results, found.corrections) == (8, 4, 2, 1)
    assert found.idle == pytest.approx(1 - 13 / 24)
    assert found.to_first_stroke == 2


def test_a_day_on_which_nothing_happened_has_figures_too() -> None:
    found = figures([], 3)
    assert (found.minutes, found.idle, found.to_first_stroke) == (0, 0, None)


# --- the hall --------------------------------------------------------------------------------


def test_a_board_that_is_cut_off_plays_on_and_tells_it_later(
    tmp_path: Path, broker: Broker, hub: Hub,  # noqa: F811
) -> None:  # fmt: skip
    with SimHall(config_of(broker), tmp_path, 60.0, friendly=False) as hall:
        hall.start(1)
        hub.order("b001", 5, SHORT)
        hub.until(lambda heard: heard.get("b001 match", {}).get("state") == "playing")
        hall.unplug(1)
        hub.until(lambda heard: heard["b001 status"]["state"] == "lost")
        over = threading.Event()
        for _ in range(int(PATIENCE_S * 10)):
            if hall.boards[1].people.matches or over.wait(0.1):
                break
        assert not hub.results
        hall.plug_in(1)
        hub.until(lambda heard: heard.get("b001 result"))
    assert [each["order"] for each in hub.results] == [5]


def test_a_day_comes_to_its_end_whatever_fails(
    tmp_path: Path, mosquitto: None, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for name, each_min in (("CUT_EACH_MIN", 8.0), ("DIES_EACH_MIN", 10.0), ("BROKER_EACH_MIN", 6)):
        monkeypatch.setattr(mishaps, name, each_min)
    for module in (link, running):  # or most of a day at sixty times goes into their pauses
        monkeypatch.setattr(module, "LONGEST_PAUSE_S", 0.5)
    event = read_event(written(tmp_path))
    Day(event, 60.0, "3", threading.Event()).run(faults=True)
    said = capsys.readouterr().out
    assert said.count("is called") >= 3
    assert re.search(r"The day took \d+:\d\d: ", said)
    results, calls = map(int, re.findall(r"(\d+) (?:results|calls)", said))
    assert calls >= results >= 3, said
    assert "died" in said
    for name in ("s-A", "s-B", "minutes from a call to the first stroke"):
        assert name in said


def test_a_mishap_that_fails_itself_ends_the_day_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = threading.Event()

    def start() -> None:
        tried.set()
        raise NoBroker("Mosquitto did not come up")

    monkeypatch.setattr(mishaps, "BROKER_EACH_MIN", 1e-6)
    hall = cast(SimHall, SimpleNamespace(start=lambda _number: None, boards={}))
    lame = cast(Broker, SimpleNamespace(kill=lambda: None, start=start))
    with mishaps.HallMishaps(hall, lame, [1], "1", 1e9, lambda _text: None) as made:
        assert tried.wait(PATIENCE_S)
    with pytest.raises(NoBroker, match="did not come up"):
        made.check()


LATER: dict[str, Any] = {"name": "late", "draw": "later", "format": "knockout"}
PEOPLE: dict[str, Any] = {"entrants": ["Aiko", "Ben"]}


def test_classes_that_are_drawn_later_are_drawn_where_they_have_people_and_told_else() -> None:
    classes = [
        LATER | PEOPLE, LATER | {"name": "empty"}, {"name": "free", "format": "free"} | PEOPLE,
    ]  # fmt: skip
    event = programme_of({"name": "A", "hall": "a", "boards": 1, "contest": classes})
    played = PlayedHall(event, Random(1))
    organiser = Organiser("1")
    assert left_out(played.desk) == {
        "empty": "expected 2 entrants or more, found 0", "free": "free play calls nobody",
    }  # fmt: skip
    assert not organiser.is_over(played.desk)
    played.write(organiser.look(played.desk, 0))
    assert played.desk.programme.classes["late"].is_drawn
    played.tick()
    assert not organiser.is_over(played.desk)
    ended(played, 1, "! resign S\n")
    assert organiser.look(played.desk, 0) == ()
    assert organiser.is_over(played.desk)


def test_a_day_of_which_nothing_can_be_played_says_so_and_ends(
    mosquitto: None,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    event = programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [LATER]})
    Day(event, 60.0, "1", threading.Event()).run(faults=False)
    said = capsys.readouterr().out
    assert "Not played here: late (expected 2 entrants or more, found 0)." in said
    assert "The day took 0:0" in said


def test_of_an_event_by_the_gong_each_round_is_called_and_struck() -> None:
    event = changed(programme(2, s=AllAgainstAll()), by_gong=True)
    played = PlayedHall(event, Random(1))
    organiser = Organiser("1")
    started = played.desk
    played.desk = changed(started, seen={**started.seen, 2: SeenBoard(there=True)})
    assert organiser.look(played.desk, 0) == (), "board 2 starts, and has not said how it stands"
    played.desk = started
    played.write(organiser.look(played.desk, 0))
    assert len(played.desk.open_orders) == 2
    assert organiser.look(played.desk, 0) == ()
    for board, number in played.desk.open_orders.items():
        played.match_says(board, number, "playing")
        played.say(board, What.RECORD, {"record": played.desk.orders[number].header})
        played.say(board, What.STATE, {"clock": {"running": False}})
    (struck,) = organiser.look(played.desk, 0)
    assert struck.kind is DeskKind.GONG


# --- the command -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["0"], "0 is not in the range"),
        (["2", "--speed", "61"], "61.0 is not in the range"),
        (["2", "--event", __file__], "leave BOARDS out"),
        (["--event", __file__], "expected TOML"),
    ],
)
def test_what_cannot_be_practised_is_said(words: list[str], says: str) -> None:
    stopping = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(each) for each in stopping]
    try:
        done = CliRunner().invoke(command, words)
    finally:
        for each, handler in zip(stopping, before, strict=True):
            signal.signal(each, handler)
    assert done.exit_code != 0
    assert says in " ".join(done.output.split())


def test_it_is_called_as_a_command_and_as_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    practice = EntryPoint("practice", "jackspot_sim.practice.command:command", "jackspot.hub")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_which: [practice])
    for words in (["practice", "0"], ["--practice", "0"]):
        assert "0 is not in the range" in CliRunner().invoke(hub_command, words).output


def test_without_the_hubs_libraries_it_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    practice = EntryPoint("practice", "missing_library:command", "jackspot.hub")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_which: [practice])
    done = CliRunner().invoke(hub_command, ["--practice", "40"])
    assert done.exit_code == 1
    assert "No module named 'missing_library'" in done.output
    assert "apt-get install -y python3-networkx" in done.output


def test_ctrl_c_ends_it_with_its_tables_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    call = f"{heard}; from jackspot_sim.practice.command import command; command(['2'])"
    with subprocess.Popen(
        [sys.executable, "-c", call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": f"{tmp_path}/tmp"},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        named = next(line for line in lines if line.split()[:1] == ["broker"])
        next(line for line in lines if "is called" in line)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "")
    assert "The day took" in out
    host, port = named.split()[1].split(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)))
    assert not list((tmp_path / "tmp").iterdir())
