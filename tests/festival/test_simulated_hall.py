"""A hall of simulated boards: people at them, one by one and all together, and the command."""

from __future__ import annotations

import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.commands import main
from jackspot.config import Sources, load
from jackspot.config.model import Config
from jackspot.core.agreement import agree
from jackspot.festival import broker as broker_module
from jackspot.festival.broker import Broker
from jackspot.festival.incoming import order_of
from jackspot.festival.section import FestivalSection
from jackspot.history.index import History
from jackspot.history.summary import summarise
from jackspot.values import changed
from jackspot_sim.boards.rehearsal import board_config
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.clock import SimClock
from jackspot_sim.hall.boards import SimHall
from jackspot_sim.hall.pages import BoardsPage
from jackspot_sim.hall.people import HallPeople
from jackspot_sim.hall.running import _Alike
from tests.conftest import PATIENCE_S
from tests.festival.guests import HALL
from tests.festival.hub import Hub

SHORT = """\
# jackspot record 1
rules = "hikone"
seats = ["N", "S"]
[names]
N = "Aiko"
S = "Ben"
[handicap.N]
pucks_needed = 1
[handicap.S]
pucks_needed = 1
---
"""
MINUTE_NS = 60_000_000_000


def config_of(broker: Broker) -> Config:
    return changed(load(Sources(())), festival=FestivalSection(hall=HALL, broker=(broker.address,)))


def at_one_board(folder: Path, at_box: bool, friendly: bool) -> Rig:
    """Let people play at one board until a match ordered after five minutes is over."""
    people, clock = HallPeople("b001", friendly=friendly), SimClock(None)
    config = board_config(agree({"rules": "hikone"}), at_box=at_box)
    rig = Rig(config, folder / "journal.sqlite3", clock, Onlookers((people,)))
    people.sit_down(rig)
    said = {"v": 1, "order": 17, "header": SHORT}
    clock.after(5 * MINUTE_NS, lambda: clock.submit(order_of(said, clock.now_ns())))

    def look() -> None:
        game = rig.board.dialogue.game
        if game is not None and game.order == 17 and game.match.state.over:
            clock.close()
        elif clock.now_ns() < 60 * MINUTE_NS:
            clock.after(MINUTE_NS // 60, look)

    look()
    rig.run()
    return rig


@pytest.mark.parametrize("at_box", [True, False])
@pytest.mark.parametrize("friendly", [True, False])
def test_people_break_off_what_nobody_ordered_and_play_an_order_to_its_end(
    tmp_path: Path, at_box: bool, friendly: bool
) -> None:
    game = at_one_board(tmp_path, at_box, friendly).board.dialogue.game
    assert game is not None
    assert (game.order, game.match.state.over) == (17, True)
    history = History(tmp_path / "journal.sqlite3", summarise)
    entries = [each for number in history.after(0) for each in history.entries(number)]
    begun = [each.body.get("order") for each in entries if each.kind == "match"]
    assert begun == [None] * friendly + [17]
    assert [each.kind for each in entries].count("match_end") == 1


def test_three_boards_play_what_is_ordered_however_it_begins(tmp_path, broker, hub) -> None:
    with SimHall(config_of(broker), tmp_path, None, friendly=False) as hall:
        hall.start(1, 2, 3)
        for number, begins in ((1, "now"), (2, "players"), (3, "gong")):
            hub.order(f"b00{number}", 20 + number, SHORT, begins)
        for number in (1, 2, 3):
            hub.until(lambda heard, number=number: heard.get(f"b00{number} result"))
    assert {(each["board"], each["order"]) for each in hub.results} == {
        ("b001", 21), ("b002", 22), ("b003", 23),
    }  # fmt: skip


def test_a_board_that_is_killed_says_nothing_and_goes_on_with_its_match(
    tmp_path: Path, broker, hub
) -> None:
    with SimHall(config_of(broker), tmp_path, 30.0, friendly=False) as hall:
        hall.start(1, 2)
        hub.order("b002", 5, SHORT)
        hub.until(lambda heard: heard.get("b002 match", {}).get("state") == "playing")
        hall.kill(2)
        hub.until(lambda heard: heard["b002 status"]["state"] == "lost")
        assert set(hall.boards) == {1}
        hall.start(2)
        hub.until(lambda heard: heard.get("b002 result"))
    hub.until(lambda heard: heard["b002 status"]["state"] == "disconnected")
    (result,) = hub.results
    assert (result["board"], result["order"]) == ("b002", 5)


def test_many_boards_are_allowed_as_many_files_as_they_take(tmp_path: Path, broker, hub) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(list(Path("/proc/self/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 15, before[1]))
    try:
        with SimHall(config_of(broker), tmp_path, friendly=False) as hall:
            hall.start(1, 2, 3)
            for number in (1, 2, 3):
                hub.until(lambda heard, number=number: heard.get(f"b00{number} state"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_boards_pages_are_served_once_they_are_chosen(tmp_path: Path, broker) -> None:
    with SimHall(config_of(broker), tmp_path, friendly=False) as hall:
        hall.start(1, 2)
        page = BoardsPage(hall).display(0)
        page.start()
        try:
            with urllib.request.urlopen(page.url) as listed:
                text = listed.read().decode()
            assert '<a href="/b001">' in text
            assert '<a href="/b002">' in text
            chosen = [urllib.request.urlopen(page.url + "b002") for _ in range(2)]
            assert {each.geturl() for each in chosen} == {hall.boards[2].pages.url}
            assert hall.boards[1].pages.url == "http://127.0.0.1:0/", "nobody asked for them"
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(page.url + "b003")
            for each in chosen:
                each.close()
        finally:
            page.stop()


def test_what_all_boards_say_alike_is_logged_once() -> None:
    alike = _Alike()
    records = [
        logging.LogRecord("hall", logging.WARNING, "", 0, "refused: %s", (n,), None)
        for n in (1, 1, 2)
    ]
    assert [alike.filter(record) for record in records] == [True, False, True]


@contextmanager
def command(tmp_path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run a hall by its command, as the leader of the processes that Ctrl-C would end."""
    # Tests in the background ignore Ctrl-C; the processes that they start must not.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    call = [sys.executable, "-c", f"{heard}; from jackspot.commands import main; main()"]
    (tmp_path / "tmp").mkdir()
    told = tmp_path / "told"
    with told.open("w") as errors:
        process = subprocess.Popen(
            [*call, "sim", "--hall", "2", "--port", "0", *options],
            stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
            env={
                **os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": f"{tmp_path}/tmp",
            },
        )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
    assert "nothing was changed" not in told.read_text(), told.read_text()


def broker_named_by(process: subprocess.Popen[str]) -> tuple[str, int]:
    assert process.stdout is not None
    for line in process.stdout:
        if line.split()[:1] == ["broker"]:
            host, port = line.split()[1].split(":")
            return host, int(port)
    raise AssertionError("it names no broker")


def ended_by_ctrl_c(process: subprocess.Popen[str], tmp_path: Path) -> str:
    """End it, and all that a terminal would, by Ctrl-C; return what it said last."""
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    said = (tmp_path / "told").read_text()
    assert process.returncode == 0, said
    return said


@pytest.mark.usefixtures("mosquitto")
def test_the_command_brings_its_own_broker_and_takes_it_away(tmp_path: Path) -> None:
    with command(tmp_path) as process:
        address = broker_named_by(process)
        hub = Hub(address, "sim", tmp_path / "hub.jsonl")
        for board in ("b001", "b002"):
            hub.until(lambda heard, board=board: heard.get(f"{board} state"))
        said = ended_by_ctrl_c(process, tmp_path)
        for board in ("b001", "b002"):
            hub.until(lambda h, b=board: h[f"{b} status"]["state"] == "disconnected")
        hub.close()
    assert "boards play, 0 by order" in said
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address)
    assert not list((tmp_path / "tmp").iterdir())


def test_the_command_tells_a_broker_that_is_named_and_keeps_journals(
    tmp_path: Path, broker
) -> None:
    config = tmp_path / "jackspot.toml"
    config.write_text(f'[festival]\nhall = "{HALL}"\n', encoding="utf-8")
    where, state = f"127.0.0.1:{broker.port}", tmp_path / "state"
    hub = Hub(broker.address, HALL, tmp_path / "hub.jsonl")
    with command(
        tmp_path, "--broker", where, "--state", str(state), "--config", str(config)
    ) as process:
        assert broker_named_by(process) == broker.address
        hub.until(lambda heard: heard.get("b002 state"))
        ended_by_ctrl_c(process, tmp_path)
    hub.until(lambda heard: heard["b002 status"]["state"] == "disconnected")
    hub.close()
    assert {each.parent.name for each in state.glob("*/journal.sqlite3")} == {"b001", "b002"}


def test_without_mosquitto_the_command_says_what_to_type(monkeypatch) -> None:
    monkeypatch.setattr(broker_module, "PROGRAM", "mosquitto-that-is-not-there")
    stopping = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(each) for each in stopping]
    try:
        result = CliRunner().invoke(main, ["sim", "--hall", "2"])
    finally:
        for each, handler in zip(stopping, before, strict=True):
            signal.signal(each, handler)
    assert result.exit_code == 1
    assert "apt-get install -y mosquitto" in result.output


@pytest.mark.parametrize(
    ("call", "status", "said"),
    [
        (["--broker", "127.0.0.1"], 2, "--broker counts only with --hall"),
        (["--state", "here"], 2, "--state counts only with --hall"),
        (["--hall", "2", "--journal", "here"], 2, "leave --journal out"),
        (["--hall", "2", "--play", "match.carom"], 2, "leave --play out"),
        (["--hall", "0"], 2, "0 is not in the range"),
        (["--hall", "2", "--broker", "nowhere at all"], 2, "expected an address like"),
        (["--hall", "2", "--broker", "192.168.7.1"], 1, "would be told in the clear"),
        (["--hall", "2", "--state", "/dev/null/here"], 1, "cannot be made: Not a directory"),
    ],
)
def test_what_cannot_be_a_hall_is_said(call: list[str], status: int, said: str) -> None:
    result = CliRunner().invoke(main, ["sim", *call])
    assert (result.exit_code, said in " ".join(result.output.split())) == (status, True)
