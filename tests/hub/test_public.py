"""What anybody may read of an event at the broker, with a real Mosquitto and a wall that reads."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.festival.broker import Broker
from jackspot.festival.connection import Login
from jackspot.festival.messages import MOST_BYTES, adapter
from jackspot.festival.public import (
    DecidedJson,
    PublicContestMessage,
    PublicPart,
    public_message,
    public_topic,
)
from jackspot.festival.users import HUB, WALL
from jackspot_hub.desk.page_parts import PartsOfEvent, before_a_public
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskState
from jackspot_hub.event.contest import DoubleElimination, Format, Groups, OpenPlay, Partners, Swiss
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import Shown
from jackspot_hub.event.standings import TieBreak
from jackspot_hub.event_file import programme_of
from jackspot_hub.running import CONTESTS_EACH_S, RunningHub
from jackspot_sim.hall.boards import SimHall
from tests.conftest import PATIENCE_S
from tests.festival.conftest import broker, hall, mosquitto, place  # noqa: F401  fixtures
from tests.festival.guests import HALL, Guest, secret_of
from tests.festival.test_simulated_hall import config_of
from tests.hub.halls import PlayedHall, programme
from tests.hub.test_parts import played

ROOT = public_topic(HALL, "")
EVENT: dict[str, Any] = {
    "name": "Small cup", "hall": HALL, "boards": 2,
    "contest": [{"name": "s", "format": "groups", "groups": 1, "names": "initials",
                 "entrants": ["Aiko Sato", "Ben Frei", "Chie Ito"],
                 "match": {"rules": "hikone",
                           "handicap": {seat: {"pucks_needed": 1} for seat in "NS"}}}],
}  # fmt: skip
BY_PART = {each.leaf: each for each in PublicPart}


def opened(folder: Path, said: dict[str, Any] | None = None) -> RunningHub:
    return RunningHub(programme_of(said or EVENT), folder / "hub.sqlite3", lambda *_: None)


@contextmanager
def running(hub: RunningHub, login: Login) -> Iterator[RunningHub]:
    """Run a hub; its journal stays."""
    ended = threading.Event()
    thread = threading.Thread(target=hub.run, args=(login, ended.is_set))
    thread.start()
    try:
        yield hub
    finally:
        ended.set()
        thread.join()
        hub.close()


class Reader:
    """Somebody who reads what is public, and reconnects whenever they are cut off."""

    def __init__(
        self, host: str, port: int, user: str = "", secret: str = "", ca: str = ""
    ) -> None:
        self.kept: dict[str, Any] = {}
        self.times: dict[str, int] = {}
        self._changed = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, "reader", protocol=mqtt.MQTTv5)
        if user:
            self._client.username_pw_set(user, secret)
            self._client.tls_set(ca)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._connected
        self._client.on_message = self._heard
        self._client.connect(host, port)
        self._client.loop_start()

    def _connected(self, client: mqtt.Client, *_: Any) -> None:
        with self._changed:
            self.kept.clear()
        client.subscribe(public_topic(HALL, "#"))

    def _heard(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        part = message.topic.removeprefix(ROOT)
        with self._changed:
            self.times[part] = self.times.get(part, 0) + 1
            if message.payload:
                self.kept[part] = json.loads(message.payload)
            else:
                self.kept.pop(part, None)
            self._changed.notify_all()

    def until(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until what is public meets a condition, and return it."""
        with self._changed:
            assert self._changed.wait_for(lambda: what(self.kept), PATIENCE_S), self.kept
            return dict(self.kept)

    def publish(self, part: str, payload: bytes) -> None:
        self._client.publish(public_topic(HALL, part), payload, 1, retain=True).wait_for_publish()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def reader(broker: Broker) -> Iterator[Reader]:  # noqa: F811
    reader = Reader(*broker.address)
    yield reader
    reader.close()


def login(broker: Broker) -> Login:  # noqa: F811
    return Login(*broker.address, HUB, "", MOST_BYTES)


def ends(hub: RunningHub, key: str, winner: int | None, *, again: bool = False) -> None:
    """Let the desk say how a match ended, while the hub runs."""
    outcome = None if again else Outcome(winner, (5, 3))
    hub.do(lambda desk: correct(desk, key, outcome, "desk")).result(PATIENCE_S)


def whole(hub: RunningHub) -> Callable[[dict[str, Any]], bool]:
    """Return a check of whether what is public is what the desk says."""

    def is_so(kept: dict[str, Any]) -> bool:
        parts = PartsOfEvent(before_a_public).of(hub.desk)
        return kept == {name: json.loads(public_message(name, text))
                        for name, text in parts.items()}  # fmt: skip

    return is_so


def test_what_ended_is_public_at_once_and_tables_follow_within_a_second(
    tmp_path, monkeypatch
) -> None:
    now_s = [100.0]
    shown: list[tuple[DeskState, DeskState]] = []
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])

    def over() -> list[int]:
        desk, contests = shown[-1]
        parts = hub.public(desk, contests)
        return [json.loads(parts["event"])["results"], json.loads(parts["contest/s"])["over"]]

    with closing(opened(tmp_path)) as hub:
        hub.shows = lambda desk, contests: shown.append((desk, contests))
        for key in ("s-A-1-1", "s-A-2-1"):
            hub.enter(correct(hub.desk, key, Outcome(0, (5, 3)), "desk"))
        assert over() == [2, 1]
        now_s[0] += CONTESTS_EACH_S
        hub.enter(correct(hub.desk, "s-A-3-1", Outcome(0, (5, 3)), "desk"))
        assert over() == [3, 3]


# --- the messages ------------------------------------------------------------------------


@pytest.mark.parametrize("shown", Shown)
def test_every_part_of_an_event_is_a_message_whose_type_knows_all_of_it(shown: Shown) -> None:
    desk = played(shown).desk
    found = set()
    for name, text in PartsOfEvent(before_a_public).of(desk).items():
        kind = BY_PART[name.partition("/")[0]]
        said = json.loads(public_message(name, text))
        assert adapter(kind.kind).validate_json(json.dumps(said)) == said
        assert name.count("/") == kind.pattern.count("/")
        found.add(kind)
    assert found == set(PublicPart)


def test_every_part_of_other_formats_and_of_a_board_that_says_a_score_is_known_too() -> None:
    shown = PlayedHall(
        programme(
            3,
            a=DoubleElimination(),
            b=Swiss(2, 2),
            c=Groups(2, 1),
            d=Partners(2),
            e=Partners(1, 3),
            f=OpenPlay(),
        ),
        Random(3),
    )
    for _ in range(9):
        shown.tick()
        for board in list(shown.desk.open_orders):
            if shown.sit_down(board) is not None and board != 3:
                shown.result(board)
    for name, text in PartsOfEvent(before_a_public).of(shown.desk).items():
        said = json.loads(public_message(name, text))
        kind = BY_PART[name.partition("/")[0]]
        assert adapter(kind.kind).validate_json(json.dumps(said)) == said


def test_the_types_know_every_format_and_every_tie_break() -> None:
    formats = {each.__name__ for each in get_args(Format)}
    assert set(get_args(get_type_hints(PublicContestMessage)["format"])) == formats
    assert set(get_args(get_type_hints(DecidedJson)["by"])) == set(TieBreak)


def test_a_table_that_has_no_room_in_a_message_is_cut_at_its_end() -> None:
    rows = [{"place": at, "names": ["é" * 60]} for at in range(1, 1_001)]
    message = public_message("table/s", json.dumps({"contest": "s", "name": "s", "rows": rows}))
    said = json.loads(message)
    assert MOST_BYTES - 200 < len(message) <= MOST_BYTES
    assert said["rows"] == rows[: len(said["rows"])]
    assert len(said["rows"]) + said["left_out"] == 1_000
    whole = public_message("calls", json.dumps(rows[:3]))
    assert json.loads(whole) == {"v": 1, "calls": rows[:3]}


# --- at the broker -----------------------------------------------------------------------


def test_a_reader_sees_an_event_from_its_draw_to_its_winner_and_no_name_that_is_hidden(
    reader: Reader, broker: Broker, tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    with (
        SimHall(config_of(broker), tmp_path, 60.0, friendly=False) as hall,  # noqa: F811
        running(opened(tmp_path), login(broker)) as hub,
    ):
        reader.until(whole(hub))
        hall.start(1, 2)
        reader.until(lambda kept: any("who" in kept[f"board/{n}"] for n in (1, 2)))
        for _ in range(int(PATIENCE_S * 10)):
            if hub.is_over or threading.Event().wait(0.1):
                break
        kept = reader.until(whole(hub))
    assert kept["event"]["results"] == 4
    assert [row["played"] for row in kept["table/s-A"]["rows"]] == [2, 2, 2]
    assert kept["contest/s"]["final"][0][0] in ("A. S.", "B. F.", "C. I.")
    assert not [name for name in ("Sato", "Aiko", "Ben", "Ito") if name in json.dumps(kept)]
    assert set(kept) == {
        "event", "calls", "latest", "board/1", "board/2", "contest/s", "table/s-A",
        *(f"round/{each}" for each in ("s-A/1", "s-A/2", "s-A/3", "s-ko/1")),
    }  # fmt: skip


def test_only_what_has_changed_is_published_and_what_is_no_more_is_cleared(
    reader: Reader, broker: Broker, tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    swiss = {**EVENT, "contest": [{"name": "s", "format": "swiss", "rounds": 2,
                                   "entrants": ["a", "b", "c", "d"]}]}  # fmt: skip
    with running(opened(tmp_path, swiss), login(broker)) as hub:
        reader.until(whole(hub))
        first = dict(reader.times)
        ends(hub, "s-1-1", 0)
        ends(hub, "s-1-2", 0)
        reader.until(lambda kept: "round/s/2" in kept)
        assert reader.times["board/1"] == first["board/1"] == 1
        assert reader.times["table/s"] <= 3
        ends(hub, "s-1-2", None, again=True)
        kept = reader.until(whole(hub))
        assert "round/s/2" not in kept


def test_a_broker_that_comes_back_empty_has_all_of_it_again(
    reader: Reader, broker: Broker, tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    with running(opened(tmp_path), login(broker)) as hub:
        reader.until(whole(hub))
        broker.kill()
        ends(hub, "s-A-1-1", 0)
        broker.start()
        kept = reader.until(lambda kept: kept.get("event", {}).get("results") == 1)
        assert whole(hub)(kept) or reader.until(whole(hub))


def test_what_another_event_has_left_at_the_broker_is_cleared(
    reader: Reader, broker: Broker, tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    for left in ("round/pairs/1", "board/17", "anything/else"):
        reader.publish(left, b'{"v":1,"who":[["Zoe"],["Max"]]}')
    reader.publish("event", b'{"v":1}')
    with running(opened(tmp_path), login(broker)) as hub:
        reader.until(whole(hub))
    with running(opened(tmp_path), login(broker)) as hub:  # and it is published again after a start
        times = reader.times["event"]
        reader.until(lambda _kept: reader.times["event"] > times)
        reader.until(whole(hub))


def test_a_wall_reads_all_of_it_at_a_broker_with_keys_and_no_board_may_write_it(
    hall: tuple[Path, int, str], tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    folder, port, _key = hall
    own = Login("127.0.0.1", port, HUB, secret_of(folder, HUB), MOST_BYTES, folder / "hall.crt")
    board = Guest(folder, port, "b001", secret_of(folder, "b001"), "b001")
    wall = Reader("127.0.0.1", port, WALL, secret_of(folder, WALL), str(folder / "hall.crt"))
    with running(opened(tmp_path), own) as hub:
        ends(hub, "s-A-1-1", 0)
        kept = wall.until(whole(hub))
        for part in ("event", "board/1", "round/s-A/1", "anything"):
            assert not board.may_write(f"{ROOT}{part}")
        assert wall.until(whole(hub)) == kept
    wall.close()
    board.close()
