"""A board joins, calls the desk, leaves and comes back during play, over a real Mosquitto."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from jackspot.config import Sources, load
from jackspot.config.model import Config
from jackspot.dialogue.lists.menu import lines_listed, marked_line
from jackspot.dialogue.state.menu_kinds import Menu
from jackspot.dialogue.state.view import Phase
from jackspot.festival import link
from jackspot.festival.joining import KeptHall
from jackspot.festival.messages import What, write
from jackspot.festival.section import FestivalSection
from jackspot.sensing.events import Button, HallPlace, Key, Place, Stick, StickTold
from jackspot.values import changed
from jackspot_sim.boards.rig import Rig
from tests.festival.conftest import in_the_hall, play, standing
from tests.festival.guests import HALL
from tests.festival.linked import started, until

OK, FIX = Button(Place.REFEREE, Key.OK), Button(Place.REFEREE, Key.FIX)
UNSEEN_NS = 5_000_000_000
"""A person who sees nothing happen for this long presses again."""
LIFTED_NS = 150_000_000
"""How long a finger is off a button: longer than its debounce."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "LONGEST_PAUSE_S", 0.6)


def place_of(rig: Rig) -> HallPlace:
    """Return where the board is, as far as it has been told."""
    return rig.board.dialogue.hall_place or HallPlace()


def listed(rig: Rig) -> tuple[Menu | None, tuple[str, ...]]:
    """Return the open list with its mark, and the lines in it."""
    dialogue = rig.board.dialogue
    return dialogue.menu, lines_listed(dialogue)


def seen_to(rig: Rig, gesture: Callable[[Button], int], button: Button) -> None:
    """Press or hold until the list changes, as people who watch the OLED do.

    However busy the machine is, nothing is pressed before the last press has been seen.
    """
    before = listed(rig)
    while listed(rig) == before:
        over_ns = gesture(button) + LIFTED_NS
        due_ns = over_ns + UNSEEN_NS
        while rig.clock.now_ns() < (due_ns if listed(rig) == before else over_ns):
            time.sleep(0.01)


def choose(rig: Rig, *lines: str) -> None:
    """Open the menu by hand, and choose these lines one after the other."""
    if rig.board.dialogue.menu is None:
        seen_to(rig, rig.table.hold, FIX)
    for line in lines:
        until(partial(_is_marked, rig, line))
        seen_to(rig, rig.table.press, OK)


def _is_marked(rig: Rig, line: str) -> bool:
    if not marked_line(rig.board.dialogue).startswith(line):
        seen_to(rig, rig.table.press, FIX)
    return marked_line(rig.board.dialogue).startswith(line)


def at_the_board(broker, number: int = 7) -> Config:
    return in_the_hall(load(Sources(())), broker, number)


def test_a_call_is_kept_at_the_broker_until_the_desk_comes(tmp_path: Path, broker, hub) -> None:
    with standing(at_the_board(broker), tmp_path / "journal.sqlite3") as rig:
        until(lambda: started(rig))
        choose(rig, "call the desk")
        call = hub.until(lambda heard: heard.get("b007 call"))
        assert call["by"] == "referee"
        assert rig.board.dialogue.phase is Phase.READY
        broker.kill()
        hub.heard.clear()
        broker.start()
        assert hub.until(lambda heard: heard.get("b007 call")) == call
        said = {"v": 1, "transaction": 3, "what": "coming"}
        hub._client.publish(What.ASK.topic(HALL, "b007"), write(said), 1)
        assert hub.until(lambda heard: heard.get("b007 answer"))["transaction"] == 3
        until(lambda: str(rig.board.dialogue.note) == "the desk is coming")
        until(lambda: hub.heard["b007 call"] is None)
        choose(rig, "call the desk")
        hub.until(lambda heard: heard.get("b007 call"))
        choose(rig, "desk called")
        until(lambda: hub.heard["b007 call"] is None)
        assert rig.board.dialogue.phase is Phase.READY


def test_a_board_that_left_keeps_its_results_and_sends_them_once_it_is_back(
    tmp_path: Path, broker, hub
) -> None:
    journal = tmp_path / "journal.sqlite3"
    with standing(at_the_board(broker), journal) as rig:
        hub.until(lambda heard: heard.get("b007 status", {}).get("state") == "ready")
        choose(rig, "call the desk")
        hub.until(lambda heard: heard.get("b007 call"))
        choose(rig, "hall hikone", "leave the hall", "leave")
        hub.until(lambda heard: heard["b007 status"]["state"] == "disconnected")
        assert hub.heard["b007 call"] is None
        until(lambda: place_of(rig).left)
    play("short_hikone", journal, broker)  # it is not in the hall meanwhile
    assert not hub.results
    with standing(at_the_board(broker), journal) as rig:
        until(lambda: place_of(rig).left)
        assert hub.heard["b007 status"]["state"] == "disconnected"
        choose(rig, "the board itself", "back to hall hikone")
        hub.until(lambda heard: heard["b007 status"]["state"] == "ready")
        hub.until(lambda heard: heard.get("b007 result"))
    assert len(hub.results) == 1


def test_a_number_that_is_set_at_the_board_is_another_board_and_outlasts_a_restart(
    tmp_path: Path, broker, hub
) -> None:
    journal = tmp_path / "journal.sqlite3"
    with standing(at_the_board(broker), journal) as rig:
        hub.until(lambda heard: heard.get("b007 status"))
        until(lambda: started(rig))
        choose(rig, "hall hikone", "board number: 7", "ones: 7", "use number 8")
        hub.until(lambda heard: heard["b007 status"]["state"] == "disconnected")
        hub.until(lambda heard: heard.get("b008 match", {}).get("state") == "playing")
        assert rig.board.dialogue.phase is Phase.READY
    with standing(at_the_board(broker), journal):
        hub.until(lambda heard: heard["b008 status"]["state"] == "ready")
    assert hub.heard["b007 status"]["state"] == "disconnected"


def test_a_number_that_another_board_has_is_left_to_it(tmp_path: Path, broker, hub) -> None:
    with (
        standing(at_the_board(broker, 8), tmp_path / "eight.sqlite3"),
        standing(at_the_board(broker), tmp_path / "seven.sqlite3") as rig,
    ):
        hub.until(lambda heard: heard.get("b008 status") and heard.get("b007 status"))
        choose(rig, "hall hikone", "board number: 7", "ones: 7", "use number 8")
        until(lambda: any(each.part == "b008" for each in rig.board.dialogue.faults))
        choose(rig, "hall hikone", "board number: 8", *["ones"] * 9, "use number 7")
        hub.until(lambda heard: heard["b007 status"]["state"] == "ready")
        until(lambda: not any(each.part == "b008" for each in rig.board.dialogue.faults))


def test_a_stick_takes_a_board_that_stood_alone_into_a_hall(tmp_path: Path, broker, hub) -> None:
    journal = tmp_path / "journal.sqlite3"
    alone = load(Sources(()))
    alone = changed(alone, web=changed(alone.web, port=0))
    with standing(alone, journal) as rig:
        kept = KeptHall(journal, FestivalSection())
        kept.join(FestivalSection(hall=HALL, broker=(broker.address,)))
        rig.clock.submit(StickTold(rig.clock.now_ns(), Stick.JOINED, HALL))
        until(lambda: place_of(rig).hall == HALL)
        assert "b001 status" not in hub.heard
        choose(rig, "the board itself", "board number: none", "hundreds: 0", "use number 100")
        hub.until(lambda heard: heard.get("b100 status"))


def test_the_address_that_leads_to_the_broker_is_found_and_kept(
    tmp_path: Path, broker, hub, monkeypatch, caplog
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = closed.getsockname()
    section = FestivalSection(hall=HALL, number=7, broker=(nobody, broker.address))
    config = changed(at_the_board(broker), festival=section)
    with standing(config, tmp_path / "journal.sqlite3"):
        hub.until(lambda heard: heard.get("b007 status"))
        refusals = caplog.text.count("refused")
        hub.heard.clear()
        broker.kill()
        broker.start()
        hub.until(lambda heard: heard.get("b007 status"))
    assert refusals == 1
    assert f"{nobody[0]}:{nobody[1]}: " in caplog.text
