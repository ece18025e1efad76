"""A board's link to its hall, over a real Mosquitto."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from jackspot.config import Sources, load
from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Seat
from jackspot.core.record import read_record
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.hall_state import HallState
from jackspot.dialogue.state.view import ClockView, Phase
from jackspot.festival import link, same_number
from jackspot.festival.asks import AT_ONCE, EACH_NS
from jackspot.festival.broker import Broker
from jackspot.festival.connection import BrokerConnection, Letter, Login
from jackspot.festival.hall import Hall
from jackspot.festival.link import HallLink
from jackspot.festival.messages import PREFIX, FindingJson, What, write
from jackspot.festival.names import board_id
from jackspot.festival.section import FestivalSection
from jackspot.sensing.events import Button, Event, IdentifyTold, Key, Place, Trouble
from jackspot.values import changed
from jackspot_sim.boards.rig import Rig
from tests.conftest import PATIENCE_S
from tests.displays.views import board
from tests.festival.certificates import Certificates
from tests.festival.conftest import in_the_hall, play, standing
from tests.festival.guests import HALL
from tests.festival.hub import Hub
from tests.festival.linked import LinkedBoard, Moment, started, until
from tests.sim.standing import StandingTable


def test_a_board_says_that_it_is_there_what_it_is_and_how_it_stands(tmp_path, broker, hub) -> None:
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3"):
        status = hub.until(lambda heard: heard.get("b007 status"))
        assert (status["state"], status["n"]) == ("ready", 1)
        about = hub.until(lambda heard: heard.get("b007 about"))
        assert (about["name"], "hikone" in about["rules"]) == ("Jackspot", True)
        state = hub.until(lambda heard: heard.get("b007 state"))
        assert (state["phase"], state["clock"], state["faults"]) == ("setup", None, [])
        match = hub.until(lambda heard: heard.get("b007 match"))
        assert (match["state"], match["order"]) == ("none", None)
        record = hub.until(lambda heard: heard.get("b007 record"))
        assert record["record"] == ""
    gone = hub.until(lambda h: h["b007 status"]["state"] != "ready" and h["b007 status"])
    assert gone == {"v": 1, "state": "disconnected", "boot": status["boot"], "n": 1}


ORDERED = """\
# jackspot record 1
rules = "hikone"
seats = ["S", "N"]
round = "group 3"
[names]
N = "Aiko"
S = "Ben"
[options]
time_limit_s = 2
time_end = "stop"
[handicap.N]
head_start = 3
---
"""
"""Over after two seconds, and won by N."""


@pytest.mark.always
def test_an_order_is_offered_played_and_stands_in_the_result(tmp_path, broker, hub) -> None:
    def reported(state: str) -> bool:
        said = hub.heard.get("b007 match")
        return said is not None and (said["order"], said["state"]) == (17, state)

    hub.order("b007", 17, ORDERED)
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3") as rig:
        until(lambda: reported("offered"))
        until(lambda: started(rig))
        record = hub.until(lambda h: h["b007 record"]["record"] and h["b007 record"])
        settings = read_record(record["record"]).settings
        assert (settings.names[Seat.S], settings.round) == ("Ben", "group 3")
        hub.until(lambda heard: heard.get("b007 result"))
        until(lambda: reported("over"))
    (result,) = hub.results
    assert (result["order"], result["winner"]) == (17, "green")


def test_an_order_that_nobody_can_play_is_named_and_nothing_is_offered(
    tmp_path, broker, hub, caplog
) -> None:
    hub.order("b007", 17, ORDERED.replace("hikone", "chess"))
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3") as rig:
        until(lambda: "order: header: 2:" in caplog.text)
        assert rig.board.dialogue.offered is None
        hub.order("b007", 18, ORDERED)
        until(lambda: rig.board.dialogue.offered)


def confirmed(rig: Rig, then: Callable[[], object], key: Key = Key.OK) -> Callable[[], object]:
    """Return a step that presses a key, to be repeated while that is too soon after a change."""

    def pressed() -> object:
        rig.table.press(Button(Place.REFEREE, key))
        time.sleep(0.5)
        return then()

    return pressed


def game_of(rig: Rig) -> Game:
    game = rig.board.dialogue.game
    assert game is not None
    return game


def test_a_match_goes_on_at_another_board_and_the_first_one_puts_it_aside(
    tmp_path, broker, hub
) -> None:
    def with_lines(board: str, lines: int) -> dict[str, Any]:
        def told(heard: dict[str, Any]) -> Any:
            record = heard.get(f"{board} record")
            found = record and record["record"].partition("---\n")[2].splitlines()
            return found and len(found) == lines and record

        return hub.until(told)

    calm = ORDERED.replace("= 2", "= 600")
    hub.order("b007", 17, calm)
    config = load(Sources(()))
    with standing(in_the_hall(config, broker), tmp_path / "one.sqlite3") as rig:
        until(lambda: rig.board.dialogue.offered)
        until(lambda: started(rig))
        until(confirmed(rig, lambda: game_of(rig).lines))
        moving = with_lines("b007", 1)["record"]
    hub.send("b009", {"v": 1, "order": 23, "resume": {"record": moving, "used_ms": 90_000}})
    with standing(in_the_hall(config, broker, 9), tmp_path / "two.sqlite3") as other:
        until(lambda: other.board.dialogue.offered)
        until(confirmed(other, lambda: other.board.dialogue.phase is Phase.PAUSED))
        clock = game_of(other).clock
        assert (clock.used_ns, clock.running) == (90 * SECOND_NS, False)
        assert with_lines("b009", 1)["record"] == moving
        until(confirmed(other, lambda: game_of(other).clock.running))
        hub.send("b007", {"v": 1, "order": None, "moved": {"order": 17, "to": "b009"}})
        with standing(in_the_hall(config, broker), tmp_path / "one.sqlite3") as rig:
            until(lambda: rig.board.dialogue.moved_to == 9)
            until(confirmed(rig, lambda: rig.board.dialogue.phase is Phase.SETUP))
            hub.until(lambda heard: heard["b007 match"]["state"] == "none")
        assert hub.heard["b009 match"]["order"] == 23
    assert hub.results == []


def test_a_desk_that_is_away_for_some_seconds_is_told_and_so_is_its_return(
    tmp_path, broker, hub, monkeypatch
) -> None:
    monkeypatch.setattr(link, "MISSED_AFTER_NS", SECOND_NS // 2)
    journal = tmp_path / "journal.sqlite3"
    with standing(in_the_hall(load(Sources(())), broker), journal) as rig:

        def told() -> tuple[bool | None, int | None] | None:
            hall = rig.board.dialogue.hall
            return None if hall is None else (hall.away, hall.unsent)

        until(lambda: told() == (False, 0))
        broker.kill()
        until(lambda: told() == (True, 0))
        broker.start()
        until(lambda: told() == (False, 0))
        hub.order("b007", 17, ORDERED)
        until(lambda: rig.board.dialogue.offered)
        broker.kill()
        until(lambda: started(rig))
        until(lambda: told() == (True, 1))
        until(confirmed(rig, lambda: rig.board.dialogue.phase is Phase.READY, Key.UNDO))
        until(confirmed(rig, lambda: rig.board.dialogue.phase is Phase.MATCH_OVER))
        until(lambda: told() == (True, 1))  # the same match has ended again
        broker.start()
        until(lambda: told() == (False, 0))
    assert len(hub.results) == 1


def test_a_broker_that_comes_back_empty_hears_everything_anew(tmp_path: Path, broker, hub) -> None:
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3"):
        hub.until(lambda heard: heard.get("b007 state"))
        hub.heard.clear()
        broker.kill()
        broker.start()
        status = hub.until(lambda h: h.get("b007 status"))
        assert (status["state"], status["n"]) == ("ready", 2)
        for leaf in ("about", "state", "match", "record"):
            hub.until(lambda heard, leaf=leaf: heard.get(f"b007 {leaf}"))


def test_a_clock_that_only_runs_on_is_told_now_and_then_as_it_stands(
    tmp_path: Path, broker, hub, monkeypatch
) -> None:
    monkeypatch.setattr(link, "CLOCK_EACH_NS", SECOND_NS // 5)
    own = LinkedBoard(Hall(HALL, 9, (("127.0.0.1", broker.port),)), tmp_path / "b009")
    start_ns = time.monotonic_ns()
    clock = ClockView(600 * SECOND_NS, 90 * SECOND_NS, running=True, as_of_ns=start_ns)
    own.live(Moment((), changed(board(), clock=clock)))
    hub.until(lambda heard: heard.get("b009 state"))
    said = hub.until(lambda _heard: hub.count["state"] >= 3 and hub.heard["b009 state"])["clock"]
    passed_ms = said["at_ms"] - start_ns // 1_000_000
    assert 200 <= passed_ms <= (time.monotonic_ns() - start_ns) / 1e6
    assert abs(said["remaining_ms"] + passed_ms - 90_000) <= 1
    own.live(Moment((), changed(board(sequence=2), clock=changed(clock, running=False))))
    hub.until(lambda heard: not heard["b009 state"]["clock"]["running"])
    before = hub.count["state"]
    own.live(
        Moment(
            (), changed(board(sequence=3), clock=changed(clock, running=False, limit_ns=SECOND_NS))
        )
    )
    hub.until(lambda heard: heard["b009 state"]["clock"]["limit_ms"] == 1_000)
    assert hub.count["state"] == before + 1, "one that stands is told once"
    own.stop()


def test_a_clock_that_is_shown_anew_each_second_is_no_news(tmp_path: Path, broker, hub) -> None:
    own = LinkedBoard(Hall(HALL, 9, (broker.address,)), tmp_path / "b009")
    start_ns = time.monotonic_ns()
    clock = ClockView(600 * SECOND_NS, 90 * SECOND_NS, running=True, as_of_ns=start_ns)
    own.live(Moment((), changed(board(), clock=clock)))
    hub.until(lambda heard: heard.get("b009 state"))
    for shown in range(1, 5):
        own.live(Moment((), changed(board(), clock=clock.at(start_ns + shown * SECOND_NS))))
        time.sleep(link.STATE_EACH_NS / 1e9)
    own.live(Moment((), changed(board(board=2), clock=clock.at(start_ns + 5 * SECOND_NS))))
    hub.until(lambda heard: heard["b009 state"]["board"] == 2)
    own.stop()
    assert hub.count["state"] == 2


def test_a_hall_that_is_away_is_named_once_with_its_address_and_once_that_it_is_back(
    tmp_path: Path, broker, caplog, monkeypatch
) -> None:
    tries: list[Login] = []
    opened = BrokerConnection.open

    def noted(connection: BrokerConnection, login: Login, will: Letter) -> None:
        tries.append(login)
        opened(connection, login, will)

    monkeypatch.setattr(BrokerConnection, "open", noted)
    for pause in ("FIRST_PAUSE_S", "LONGEST_PAUSE_S"):
        monkeypatch.setattr(f"jackspot.festival.link.{pause}", 0.01)
    broker.kill()
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3"):
        until(lambda: len(tries) > 3)
        broker.start()
        until(lambda: "is back" in caplog.text)
        broker.kill()
        until(lambda: caplog.text.count("refused") > 1)
    where = f"hall: 127.0.0.1:{broker.port}"
    refused = f"{where}: [Errno 111] Connection refused"
    said = [each.message for each in caplog.records]
    assert [said[0], said[1], said[-1]] == [refused, f"{where} is back", refused]
    assert f"{where}: the connection was lost" in said
    assert all(each.startswith(where) for each in said)
    assert {each.levelname for each in caplog.records} == {"WARNING"}


def test_a_link_that_fails_while_it_waits_tries_again(tmp_path, broker, hub, monkeypatch) -> None:
    tell, failed = HallLink._note_the_desk, list[HallLink]()

    def fail_once(link: HallLink) -> int:
        if not failed:
            failed.append(link)
            raise RuntimeError("in a pause")
        return tell(link)

    monkeypatch.setattr(HallLink, "_note_the_desk", fail_once)
    monkeypatch.setattr(link, "LONGEST_PAUSE_S", link.FIRST_PAUSE_S)
    broker.kill()
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3"):
        until(lambda: failed)
        broker.start()
        hub.until(lambda heard: heard.get("b007 status"), 20.0)


def test_a_certificate_that_is_not_there_is_named_with_its_file(tmp_path: Path, caplog) -> None:
    nowhere, none = (("127.0.0.1", 1),), tmp_path / "none.crt"
    section = FestivalSection(hall=HALL, number=7, broker=nowhere, ca=none)
    config = changed(load(Sources(())), festival=section)
    with standing(config, tmp_path / "journal.sqlite3"):
        until(lambda: f"127.0.0.1:1: {tmp_path / 'none.crt'} is not read: " in caplog.text)


def test_a_flood_is_read_slowly_and_what_counts_comes_through(tmp_path: Path, broker, hub) -> None:
    """Ten thousand messages, each retained until the next takes its place."""
    journal = tmp_path / "journal.sqlite3"
    play("short_hikone", journal, broker)
    flooder = Hub(broker.address, "elsewhere", tmp_path / "flooder.jsonl")
    with standing(in_the_hall(load(Sources(())), broker), journal):
        hub.until(lambda heard: heard.get("b007 status"))
        for number in range(10_000):
            flooder.say(What.ACK.topic(HALL, "b007"), write({"v": 1, "journals": {"f": number}}))
        hub.until(lambda heard: heard.get("b007 result"))
    flooder.close()
    assert len(hub.results) == 1


def test_a_broker_that_stands_still_holds_up_neither_play_nor_the_end(tmp_path, broker) -> None:
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3") as rig:
        os.kill(broker.process, signal.SIGSTOP)
        until(lambda: started(rig))
        began_s = time.monotonic()
    assert time.monotonic() - began_s < PATIENCE_S


def test_a_table_or_a_replay_of_a_boards_config_says_nothing_in_its_hall(
    tmp_path, broker, hub
) -> None:
    """They are not the board, and its number is taken."""
    config = in_the_hall(load(Sources(())), broker)
    with (
        standing(config, tmp_path / "one.sqlite3", in_hall=False),
        standing(in_the_hall(config, broker, number=8), tmp_path / "two.sqlite3"),
    ):
        hub.until(lambda heard: heard.get("b008 state"))
    assert not any(key.startswith("b007") for key in hub.heard)


def test_at_the_simulated_table_people_play_in_a_hall_of_this_machine_a_show_does_not(
    tmp_path, broker, hub
) -> None:
    table = StandingTable(tmp_path, config=in_the_hall(load(Sources(())), broker))
    hub.until(lambda heard: heard.get("b007 state"))
    table.session.start_show()
    until(lambda: table.session.picture().showing)
    hub.until(lambda heard: heard["b007 status"]["state"] == "disconnected")
    assert hub.heard["b007 status"]["n"] == 1  # after the show the table rejoins, from 0
    table.session.stop_show()
    table.close()


def test_a_number_that_two_boards_have_stays_the_olders_until_it_is_free(
    tmp_path, broker, hub, monkeypatch
) -> None:
    """Both are told, and neither keeps throwing the other out."""

    def told(rig: Rig) -> bool:
        return ("b007", Trouble.TWICE) in {(f.part, f.trouble) for f in rig.board.dialogue.faults}

    def has_the_number() -> str:
        status = hub.heard["b007 status"]
        return status["boot"] if status["state"] == "ready" else ""

    assert link.LONGEST_PAUSE_S * SECOND_NS < same_number.FREE_AFTER_NS
    monkeypatch.setattr(link, "LONGEST_PAUSE_S", 1.0)
    monkeypatch.setattr(same_number, "FREE_AFTER_NS", SECOND_NS * 3 // 2)
    stand_aside, stood = HallLink._stand_aside, list[HallLink]()

    def noted(own: HallLink) -> None:
        stood.append(own)
        stand_aside(own)

    monkeypatch.setattr(HallLink, "_stand_aside", noted)
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "younger.sqlite3"):
        until(lambda: "b007 status" in hub.heard)  # it has been here before
    until(lambda: not has_the_number())
    with ExitStack() as later:
        with standing(config, tmp_path / "older.sqlite3") as older:
            until(has_the_number)
            first = has_the_number()
            younger = later.enter_context(standing(config, tmp_path / "younger.sqlite3"))
            aside = hub.until(lambda heard: heard.get("b007 twice"))
            assert aside["other"] == first
            until(lambda: told(older) and told(younger))
            until(lambda: has_the_number() == first)
            said = hub.count["status"]
            time.sleep(2.5)  # longer than either looks
            assert (hub.count["status"], has_the_number()) == (said, first)
        until(lambda: has_the_number() == aside["boot"])
        until(lambda: not hub.heard["b007 twice"])
        assert len(stood) == 1, "who has left in order is not there any more"


def struck(rig: Rig) -> bool:
    return not rig.board.dialogue.waits_for_gong


def struck_ms(rig: Rig) -> float:
    """Return when a board's clock was started, by this machine's clock."""
    game = rig.board.dialogue.game
    assert game is not None
    before_ns, clock_ns, after_ns = time.time_ns(), rig.clock.now_ns(), time.time_ns()
    while after_ns - before_ns > 1_000_000:
        before_ns, clock_ns, after_ns = time.time_ns(), rig.clock.now_ns(), time.time_ns()
    return (before_ns - game.clock.used_at(clock_ns)) / 1e6


def test_one_gong_starts_the_clocks_of_all_boards_that_wait_at_one_instant(
    tmp_path, broker, hub
) -> None:
    """Each has a clock of its own, some seconds off."""
    text = ORDERED.replace("time_limit_s = 2", "time_limit_s = 60")
    config = in_the_hall(load(Sources(())), broker)
    rigs: dict[str, Rig] = {}
    with ExitStack() as later:
        for number in (1, 2, 3):
            board = board_id(number)
            hub.order(board, number, text, "gong")
            at = in_the_hall(config, broker, number)
            rigs[board] = later.enter_context(standing(at, tmp_path / board))
            hub.until(lambda heard, board=board: heard.get(f"{board} match", {}).get("order"))
        for rig in rigs.values():
            until(partial(started, rig))
            assert rig.board.dialogue.waits_for_gong
        doubts_ms = hub.learn_the_clocks(["b001", "b002"])
        at_ms = hub.gong(1.5)
        for board, doubt_ms in doubts_ms.items():
            until(partial(struck, rigs[board]))
            assert abs(struck_ms(rigs[board]) - at_ms) <= doubt_ms + 3.0  # rounding, reading it
        assert rigs["b003"].board.dialogue.waits_for_gong, "it does not know the hub's clock"


def test_a_notice_is_shown_taken_back_and_ends_by_the_hubs_clock(
    tmp_path, broker, hub, caplog
) -> None:
    def shown() -> str:
        hall = rig.board.dialogue.hall
        return "" if hall is None or hall.notice is None else str(hall.notice.text)

    hub.notice({"ja": "休憩", "en": "lunch"}, 3_600)
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3") as rig:
        until(lambda: shown() == "lunch")
        assert rig.board.dialogue.hall is not None
        hub.say(What.NOTICE.topic(HALL, ""), b'{"v": 1, "text": {"en": "no end"}}')
        until(lambda: "notice: sent_ms: Field required" in caplog.text)
        assert shown() == "lunch"
        hub.say(What.NOTICE.topic(HALL, ""), b"")
        until(lambda: shown() == "")
        hub.notice({"en": "tea"}, 3_600, age_s=3_599.0)
        until(lambda: shown() == "tea")  # the hub's clock is not known yet
        hub.learn_the_clocks(["b007"])
        until(lambda: shown() == "")


def test_what_the_hub_asks_is_answered_and_people_see_what_is_for_them(
    tmp_path, broker, hub
) -> None:
    found: list[FindingJson] = [{"mark": "well", "what": "disk", "found": "room", "remedy": ""}]
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3", doctor=lambda: found) as rig:

        def hall() -> HallState:
            return rig.board.dialogue.hall or HallState()

        hub.until(lambda heard: heard.get("b007 status"))
        until(lambda: hub.heard.get("b007 record"))
        said = hub.ask("b007", 50, "identify", seconds=60)
        assert (said["what"], said["boot"]) == ("identify", hub.heard["b007 status"]["boot"])
        assert "refused" not in said
        until(lambda: hall().identified is not None)
        identified = hall().identified
        assert identified is not None
        assert identified.number == 7
        assert "refused" not in hub.ask("b007", 51, "line", text={"en": "come"}, seconds=60)
        until(lambda: hall().own_notice)
        assert hub.ask("b007", 52, "line")["refused"] == "text: expected a line to show, found none"
        assert hub.ask("b007", 53, "doctor")["findings"] == found
        assert "expected one of clock, coming, identify" in hub.ask("b007", 54, "fly")["refused"]
        assert hub.ask("b007", 55, "results", journal="other")["refused"].startswith("journal: ")
        hub.learn_the_clocks(["b007"])
        before = hall()
        late = hub.ask("b007", 56, "line", text={"en": "late"}, until_ms=1)
        assert late["refused"].startswith("until_ms: expected an instant to come")
        assert hall() == before


def test_of_a_flood_of_questions_few_reach_the_game_and_it_goes_on(
    tmp_path, broker, hub, monkeypatch
) -> None:
    config = in_the_hall(load(Sources(())), broker)
    told: list[Event] = []
    with standing(config, tmp_path / "journal.sqlite3") as rig:
        hub.until(lambda heard: heard.get("b007 status"))
        took = rig.board.take

        def noted(event: Event) -> None:
            told.append(event)
            took(event)

        monkeypatch.setattr(rig.board, "take", noted)
        topic, begun_s = What.ASK.topic(HALL, "b007"), time.monotonic()
        for n in range(2_000):
            said = {"v": 1, "transaction": 100 + n, "what": "identify"}
            hub.say(topic, write(said))
        hub.say(topic, b"")
        assert hub.ask("b007", 9_000, "clock")["transaction"] == 9_000
        until(lambda: started(rig))
        seconds = time.monotonic() - begun_s
    seen = sum(isinstance(each, IdentifyTold) for each in told)
    assert 1 <= seen <= AT_ONCE + seconds * SECOND_NS / EACH_NS + 1


def test_a_status_that_says_something_else_is_corrected(tmp_path, broker, hub, monkeypatch) -> None:
    monkeypatch.setattr(link, "LONGEST_WAIT_S", 1.0)
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3"):
        status = hub.until(lambda heard: heard.get("b007 status"))
        before = hub.count["status"]
        for wrong in 1, 2, 3:  # the later ones come soon after, too
            hub.say(What.STATUS.topic(HALL, "b007"), write({**status, "state": "lost", "n": wrong}))
            hub.until(lambda _, n=wrong: hub.count["status"] >= before + n)
        assert (
            hub.until(lambda h: h["b007 status"]["state"] == "ready" and h["b007 status"]) == status
        )


def test_a_question_with_mistakes_is_refused_as_long_as_it_says_which_it_is(
    tmp_path, broker, hub
) -> None:
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3"):
        hub.until(lambda heard: heard.get("b007 status"))
        hub.ask("b007", 60, "clock")
        mistakes: list[dict[str, Any]] = [
            {"seconds": 0}, {"pair": {}}, {"until_ms": "x"}, {"v": 2}, {"text": 7}
        ]  # fmt: skip
        for wrong in mistakes:
            said = hub.ask("b007", 61, "identify", **wrong)
            assert (said["what"], said["refused"][:5]) == ("identify", "ask: ")
            hub.heard.clear()
        topic = What.ASK.topic(HALL, "b007")
        for nothing in b"7", b"{", b'{"transaction": 1.5}', b'{"v": 1}', b"[" * 40_000:
            hub.say(topic, nothing)
        hub.say(topic, b'{"transaction": 62, "what": ["clock"]}')
        answer = hub.until(lambda heard: heard.get("b007 answer"))
        assert (answer["transaction"], answer["what"]) == (62, "")


def test_marks_that_the_standard_allows_end_no_connection(tmp_path, broker, hub) -> None:
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3"):
        hub.until(lambda heard: heard.get("b007 status"))
        stranger = mqtt.Client(CallbackAPIVersion.VERSION2, "stranger", protocol=mqtt.MQTTv5)
        stranger.connect(*broker.address)
        stranger.loop_start()
        marked: Any = Properties(PacketTypes.PUBLISH)
        marked.UserProperty = ("a\ufeff", "\ufeffb")
        for branch in "to/b007/offer", "board/b007/update":
            topic = f"{PREFIX}/{HALL}/{branch}"
            stranger.publish(topic, b"7", 1, True, marked).wait_for_publish(PATIENCE_S)
        stranger.disconnect()
        stranger.loop_stop()
        assert hub.ask("b007", 63, "clock")["what"] == "clock"
        assert hub.heard["b007 status"]["n"] == 1


def test_halls_that_share_a_broker_leave_each_other_alone(tmp_path, broker, hub) -> None:
    halls = [Hall(name, 9, (broker.address,)) for name in (HALL, "other")]
    boards = [LinkedBoard(each, tmp_path / each.name) for each in halls]
    hub.until(lambda heard: heard.get("b009 status"))
    until(lambda: all(each.link._is_here for each in boards))
    hub.ask("b009", 64, "clock")
    assert [each.link._n for each in boards] == [1, 1]
    for each in boards:
        each.stop()


# When a certificate is not believed, paho leaves the socket to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("mosquitto")
def test_by_tls_only_the_halls_own_broker_is_believed(tmp_path: Path) -> None:
    own, other = Certificates(tmp_path / "own"), Certificates(tmp_path / "other")
    with Broker(tls=own.server) as broker:
        plain = in_the_hall(load(Sources(())), broker)
        hub = Hub(broker.address, HALL, tmp_path / "hub.jsonl", ca=own.ca)
        for ca, number in ((other.ca, 8), (own.ca, 7)):
            festival = changed(plain.festival, ca=ca, number=number)
            config = changed(plain, festival=festival)
            with standing(config, tmp_path / f"{number}.sqlite3"):
                if ca is own.ca:
                    hub.until(lambda heard: heard.get("b007 status"))
                else:
                    time.sleep(1.0)  # twice as long as a refused board waits
        assert "b008 status" not in hub.heard
        hub.close()


def test_a_step_of_an_update_that_an_earlier_start_left_is_cleared(
    tmp_path: Path, broker, hub
) -> None:
    left = {"v": 1, "offer": 1, "release": "0.2.0", "step": "fetching", "percent": 7, "why": ""}
    hub.say(What.UPDATE.topic(HALL, "b007"), write(left))
    hub.until(lambda heard: heard.get("b007 update"))
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal"):
        hub.until(lambda heard: heard["b007 update"] is None)
