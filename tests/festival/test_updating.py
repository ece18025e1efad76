"""A board takes what its hub offers: fetched from a real web server, whole or not at all."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from jackspot.config import Sources, load
from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.state.view import BoardView, HallView, OrderState, Phase
from jackspot.festival import link, updating
from jackspot.festival.connection import BrokerConnection, Letter, Login, Unreachable
from jackspot.festival.messages import UpdateStep, What, read, write
from jackspot.festival.updating import HandedOver, UpdateFound, Updating
from jackspot.values import changed
from tests.conftest import PATIENCE_S
from tests.festival.conftest import in_the_hall, standing
from tests.festival.guests import HALL
from tests.festival.linked import until
from tests.web.samples import READY

DATA = bytes(range(256)) * 4_000
DIGEST = hashlib.sha256(DATA).hexdigest()


class Door:
    """Stands in for the machine: it keeps what is handed over and finds what was set."""

    def __init__(self, folder: Path, here: str = "0.1.0") -> None:
        self.folder, self.here = folder, here
        self.handed: list[bytes] = []
        self.says: UpdateFound | None = None
        self.kept: HandedOver | None = None

    def version(self) -> str:
        return self.here

    def hand_over(self, file: Path, offer: HandedOver) -> None:
        self.handed.append(file.read_bytes())
        file.unlink()
        self.kept, self.says = offer, UpdateFound(UpdateStep.TAKEN)

    def last(self) -> HandedOver | None:
        return self.kept

    def found(self, offer: HandedOver) -> UpdateFound | None:
        return self.says if offer == self.kept else None


class Serves:
    """A web server that cuts off, lies or sends more, as it is told; it notes what was asked."""

    def __init__(self) -> None:
        serves = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                begins = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
                serves.asked.append((self.path, begins, self.headers["Host"]))
                whole = serves.data
                self.send_response(206 if serves.in_parts else 200)
                self.end_headers()
                self.wfile.write(whole[begins if serves.in_parts else 0 :][: serves.at_once])

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.data, self.at_once, self.in_parts = DATA, len(DATA), True
        self.asked: list[tuple[str, int, str]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])


@pytest.fixture
def serves(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serves]:
    monkeypatch.setattr(updating, "FIRST_PAUSE_S", 0.01)
    made = Serves()
    yield made
    made.server.shutdown()
    made.server.server_close()


def offer(port: int, number: int = 1) -> dict[str, Any]:
    said = {"v": 1, "offer": number, "release": "0.2.0", "file": "jackspot-0.2.0.update",
            "port": port, "size": len(DATA), "sha256": DIGEST}  # fmt: skip
    return read(What.OFFER, write(said))


def view(state: OrderState = OrderState.NONE) -> BoardView:
    return changed(READY, phase=Phase.SETUP, hall=HallView(state=state), written=None)


FREE, BUSY = view(), view(OrderState.PLAYING)


class Bench:
    """A board's part in an update; ``look`` passes half a second of its time."""

    def __init__(self, door: Door | None) -> None:
        self.woken = threading.Event()
        self.updating = Updating(door, self.woken.set)
        self.now_ns = 1

    def look(self, seen: BoardView | None) -> tuple[UpdateStep, str]:
        self.now_ns += updating.LOOKS_NS
        said = self.updating.look(seen, self.now_ns)
        assert said is not None
        read(What.UPDATE, write(said))
        return said["step"], said["why"]

    def until(self, seen: BoardView | None, step: UpdateStep) -> str:
        until_s = time.monotonic() + PATIENCE_S
        while (found := self.look(seen))[0] is not step:
            assert time.monotonic() < until_s, found
            self.woken.wait(0.1)
            self.woken.clear()
        return found[1]


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path / "update")


def test_what_is_offered_is_fetched_whole_and_handed_over_once(serves: Serves, door: Door) -> None:
    bench = Bench(door)
    assert bench.updating.look(FREE, 1) is None
    bench.updating.take(offer(serves.port), "127.0.0.1")
    assert bench.look(FREE)[0] is UpdateStep.FETCHING
    assert bench.until(FREE, UpdateStep.TAKEN) == ""
    assert door.handed == [DATA]
    assert serves.asked == [("/update/jackspot-0.2.0.update", 0, f"127.0.0.1:{serves.port}")]
    door.says = UpdateFound(UpdateStep.BACK, "trial: it did not stay up")
    assert bench.look(FREE) == (UpdateStep.BACK, "trial: it did not stay up")
    assert bench.look(BUSY)[0] is UpdateStep.BACK, "what has ended is said again and again"
    assert door.handed == [DATA]


@pytest.mark.parametrize(
    "state", [each for each in OrderState if each not in (OrderState.NONE, OrderState.OVER)]
)
def test_a_board_that_is_called_or_played_on_takes_it_once_it_is_free(
    serves: Serves, door: Door, state: OrderState
) -> None:
    bench = Bench(door)
    bench.updating.take(offer(serves.port), "127.0.0.1")
    for seen in (view(state), None):
        assert bench.look(seen) == (UpdateStep.WAITING, "")
    assert serves.asked == []
    bench.until(FREE, UpdateStep.TAKEN)


def test_a_match_that_begins_meanwhile_is_not_interrupted(serves: Serves, door: Door) -> None:
    bench = Bench(door)
    bench.updating.take(offer(serves.port), "127.0.0.1")
    bench.look(FREE)
    assert bench.woken.wait(PATIENCE_S), "it is whole"
    for _ in range(3):
        assert bench.look(BUSY)[0] is UpdateStep.WAITING
    assert door.handed == []
    bench.until(FREE, UpdateStep.TAKEN)
    assert door.handed == [DATA]
    assert len(serves.asked) == 1, "what is here is not fetched again"


def test_a_transfer_that_is_cut_off_goes_on_where_it_was(serves: Serves, door: Door) -> None:
    bench = Bench(door)
    serves.at_once = 300_000
    bench.updating.take(offer(serves.port), "127.0.0.1")
    bench.until(FREE, UpdateStep.TAKEN)
    assert [begins for _path, begins, _host in serves.asked] == [0, 300_000, 600_000, 900_000]
    assert door.handed == [DATA]


def test_another_start_of_the_board_goes_on_with_what_is_here(serves: Serves, door: Door) -> None:
    door.folder.mkdir()
    (door.folder / f"{DIGEST}.part").write_bytes(DATA[:77])
    (door.folder / "other.part").write_bytes(DATA)
    bench = Bench(door)
    bench.updating.take(offer(serves.port), "127.0.0.1")
    bench.until(FREE, UpdateStep.TAKEN)
    assert serves.asked[0][1] == 77
    assert (door.handed, list(door.folder.iterdir())) == ([DATA], [])


def test_a_server_that_knows_no_parts_is_heard_from_the_beginning(
    serves: Serves, door: Door
) -> None:
    door.folder.mkdir()
    (door.folder / f"{DIGEST}.part").write_bytes(DATA[:77])
    serves.in_parts = False
    bench = Bench(door)
    bench.updating.take(offer(serves.port), "127.0.0.1")
    bench.until(FREE, UpdateStep.TAKEN)
    assert door.handed == [DATA]


def test_what_is_not_what_was_offered_is_thrown_away_and_fetched_again(
    serves: Serves, door: Door
) -> None:
    bench = Bench(door)
    serves.data = b"x" + DATA[1:]
    bench.updating.take(offer(serves.port), "127.0.0.1")
    until_s = time.monotonic() + PATIENCE_S
    while "thrown away" not in (why := bench.look(FREE)[1]) and time.monotonic() < until_s:
        bench.woken.wait(0.1)
    assert why.startswith(f"127.0.0.1:{serves.port}: ")
    assert door.handed == []
    serves.data = DATA
    bench.until(FREE, UpdateStep.TAKEN)
    assert door.handed == [DATA]


def test_not_one_byte_more_than_was_said_is_taken(serves: Serves, door: Door) -> None:
    serves.data, serves.at_once = DATA + b"x" * 5_000_000, 10_000_000
    bench = Bench(door)
    bench.updating.take(offer(serves.port), "127.0.0.1")
    bench.until(FREE, UpdateStep.TAKEN)
    assert door.handed == [DATA]


def test_a_disk_without_room_is_said(
    serves: Serves, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updating, "SPARE_BYTES", 1 << 60)
    bench = Bench(door)
    bench.updating.take(offer(serves.port), "127.0.0.1")
    bench.look(FREE)
    assert bench.woken.wait(PATIENCE_S)
    step, why = bench.look(FREE)
    assert (step, "expected room for" in why) == (UpdateStep.FETCHING, True)


def test_what_is_taken_back_is_let_go_of_and_what_has_ended_is_still_said(
    serves: Serves, door: Door
) -> None:
    bench = Bench(door)
    bench.updating.take(offer(serves.port), "127.0.0.1")
    bench.look(BUSY)
    bench.updating.take(None, "127.0.0.1")
    assert bench.updating.look(FREE, bench.now_ns) is None
    door.here = "0.2.0"
    bench.updating.take(offer(serves.port, 2), "127.0.0.1")
    assert bench.look(BUSY)[0] is UpdateStep.DONE, "it is here already"
    bench.updating.take(None, "127.0.0.1")
    assert bench.look(FREE)[0] is UpdateStep.DONE


def test_what_was_handed_over_is_told_to_its_end_after_a_new_start_without_an_offer(
    door: Door,
) -> None:
    door.kept, door.says = HandedOver(1, DIGEST, "0.2.0"), UpdateFound(UpdateStep.TRIAL)
    bench = Bench(door)
    assert bench.look(BUSY)[0] is UpdateStep.TRIAL
    assert bench.updating.waits_ns() is not None
    door.says = UpdateFound(UpdateStep.DONE)
    assert bench.look(BUSY)[0] is UpdateStep.DONE
    assert bench.updating.waits_ns() is None, "nothing is left to be looked for"
    assert bench.look(BUSY)[0] is UpdateStep.DONE


@pytest.mark.parametrize("here", ["", None])
def test_a_board_without_apts_packages_says_so(tmp_path: Path, here: str | None) -> None:
    bench = Bench(None if here is None else Door(tmp_path, here))
    bench.updating.take(offer(1), "127.0.0.1")
    assert bench.look(FREE) == (UpdateStep.REFUSED, updating.NOT_BY_APT)


def test_what_the_desk_withdraws_while_a_board_is_away_is_withdrawn_when_it_is_back(
    tmp_path: Path, broker, hub, serves: Serves, monkeypatch
) -> None:
    """A broker says nothing of a retained message that was cleared meanwhile."""
    away: list[bool] = []
    opens, turns = BrokerConnection.open, BrokerConnection.turn

    def opened(connection: BrokerConnection, login: Login, will: Letter) -> None:
        if away:
            raise Unreachable("no network")
        opens(connection, login, will)

    def turned(connection: BrokerConnection, wait_s: float) -> None:
        if away and connection.is_up:
            connection.drop()
            raise Unreachable("no network")
        turns(connection, min(wait_s, 0.1))

    def shown() -> str:
        hall = rig.board.dialogue.hall
        return "" if hall is None or hall.notice is None else str(hall.notice.text)

    monkeypatch.setattr(link, "WITHDRAWN_AFTER_NS", SECOND_NS)
    monkeypatch.setattr(BrokerConnection, "open", opened)
    monkeypatch.setattr(BrokerConnection, "turn", turned)
    door, topic = Door(tmp_path / "update"), What.OFFER.topic(HALL, "b007")
    serves.data = b""  # the transfer does not get on
    hub.notice({"en": "lunch"}, 3_600)
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal", door=door) as rig:
        until(lambda: shown() == "lunch")
        hub.say(topic, write(offer(serves.port)))
        hub.until(lambda heard: (heard.get("b007 update") or {}).get("step") == "fetching")
        away.append(True)
        hub.until(lambda heard: heard["b007 status"]["state"] == "lost")
        hub.say(What.NOTICE.topic(HALL, ""), b"")
        hub.say(topic, b"")
        serves.data = DATA
        away.clear()
        until(lambda: not shown())
        hub.until(lambda heard: heard["b007 update"] is None)
    assert door.handed == []
