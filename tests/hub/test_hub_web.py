"""The hub's routes: what streams send, who may do what, and how nonsense is answered."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import ANY

import httpx
import pytest
from hypothesis import given, strategies as st

from jackspot.web import stream
from jackspot.web.server import WebSettings
from jackspot.web.serving import access_of
from jackspot_hub.web.actions import ACTIONS
from jackspot_hub.web.app import HubPages, LiveHub
from tests.conftest import PATIENCE_S, run_apart
from tests.hub.shown import PIN, ShownHall
from tests.web.conftest import Served
from tests.web.test_stream import Client

Part = dict[str, Any]


@pytest.fixture
def shown() -> Iterator[ShownHall]:
    """A hall of four boards whose pages are served."""
    shown = ShownHall(4, 8)
    for _ in range(2):
        shown.turn(ends=0, sits=1)
    shown.pages.start()
    yield shown
    shown.pages.stop()


@contextmanager
def client(shown: ShownHall, *, signed_in: bool = False) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shown.pages.url, timeout=PATIENCE_S) as made:
        if signed_in:
            assert made.post("/api/session", json={"pin": PIN, "name": "Aiko"}).is_success
        yield made


@contextmanager
def following(who: httpx.Client, address: str) -> Iterator[Iterator[Part]]:
    """Yield what a stream sends, event by event."""
    with who.stream("GET", address) as answer:
        assert answer.status_code == 200
        lines = answer.iter_lines()
        yield (json.loads(line[6:]) for line in lines if line.startswith("data: "))


# --- streams -----------------------------------------------------------------------------


def test_a_stream_begins_with_everything_and_then_sends_what_has_changed(shown):
    with client(shown) as who, following(who, "/api/hub/events") as news:
        first = next(news)
        assert {"now", "pace", "event", "calls", "latest", "contest/singles", "table/singles-A",
                "round/singles-A/1", "board/1", "board/4"} <= first.keys()  # fmt: skip
        assert "needs" not in first
        shown.score(2)
        shown.show()
        assert next(news).keys() == {"now", "pace", "board/2"}


def test_what_is_gone_is_sent_as_null(shown):
    while "pairs-2-1" not in {each.key for each in shown.hall.desk.drawn("pairs").fixtures}:
        shown.turn(ends=1, sits=1)
    with client(shown, signed_in=True) as who, following(who, "/api/hub/events") as news:
        assert next(news)["round/pairs/2"]["matches"]
        again = {"key": "pairs-1-1", "again": True}
        assert who.post("/api/hub/do/correct", json=again).status_code == 204
        assert next(news)["round/pairs/2"] is None


def test_a_phone_gets_no_boards(shown):
    with client(shown) as who, following(who, "/api/hub/matches") as news:
        first = next(news)
        assert not [name for name in first if name.startswith("board/")]
        shown.score(2)
        shown.show()
        shown.hall.result(3)
        shown.show()
        after = next(news)
        assert "latest" in after
        assert not [name for name in after if name.startswith("board/")]


def test_the_desk_learns_what_needs_somebody(shown):
    with client(shown, signed_in=True) as who, following(who, "/api/hub/desk") as news:
        assert next(news)["needs"] == []
        shown.hall.result(2, order=None)
        shown.show()
        assert [each["what"] for each in next(news)["needs"]] == ["loose"]


def test_who_signs_out_reads_the_desk_no_more(shown):
    with client(shown, signed_in=True) as who, following(who, "/api/hub/desk") as news:
        next(news)
        with httpx.Client(
            base_url=shown.pages.url, cookies=who.cookies, timeout=PATIENCE_S
        ) as same:
            assert same.post("/api/session/end", json={}).is_success
        with pytest.raises(httpx.RemoteProtocolError):  # it is cut off, not ended
            list(news)


def test_who_signs_in_and_out_at_a_hub_stays_signed_in_at_a_board_of_the_same_machine(shown):
    """Browsers keep cookies by host, whatever the port."""
    board = Served(pin="654321")
    with client(shown) as who:
        at_board = f"{board.client.base_url}api/session"
        assert who.post(at_board, json={"pin": "654321"}).is_success
        kept = dict(who.cookies)
        assert who.post("/api/session", json={"pin": PIN}).is_success
        assert kept.items() <= dict(who.cookies).items()
        assert who.get(at_board).json()["signed_in"]
        assert who.get("/api/session").json()["signed_in"]
        assert who.post("/api/session/end", json={}).is_success
        assert who.get(at_board).json()["signed_in"]
        assert not who.get("/api/session").json()["signed_in"]
    board.close()


def test_a_reader_that_takes_nothing_is_dropped(monkeypatch):
    monkeypatch.setattr(stream, "SLOW_READER_S", 0.01)
    shown = ShownHall(1, 8)

    async def run() -> int:
        slow = Client(takes=False)
        live = LiveHub(shown.hall.desk, shown.do, shown.ask)
        live.feed.attach(asyncio.get_running_loop())
        scope = {"type": "http", "method": "GET", "path": "/api/hub/events", "headers": [],
                 "query_string": b"", "client": ("127.0.0.1", 1)}  # fmt: skip
        app = HubPages(live, access_of(WebSettings(pin=PIN))).app()
        await asyncio.wait_for(app(scope, slow.receive, slow.send), PATIENCE_S)
        assert slow.sent
        return live.readers.count

    assert run_apart(run()) == 0


# --- who may -----------------------------------------------------------------------------


@pytest.mark.live
def test_four_hundred_streams_of_one_address_shut_out_nobody_who_comes_by_it(shown):
    with ExitStack() as open_ones:
        for _ in range(400):
            one = open_ones.enter_context(socket.create_connection(("127.0.0.1", shown.pages.port)))
            one.settimeout(PATIENCE_S)
            one.sendall(b"GET /api/hub/matches HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert b" 200 " in one.recv(64)
        with client(shown, signed_in=True) as who:
            assert who.get("/").status_code == 200
            with following(who, "/api/hub/matches") as news:
                assert "event" in next(news)
            with following(who, "/api/hub/desk") as news:
                assert "event" in next(news)


def test_without_the_pin_there_is_no_desk_and_nothing_is_done(shown):
    before = dict(shown.hall.desk.open_orders)
    with client(shown) as who:
        for read in ("desk", "steps?count=9"):
            assert who.get(f"/api/hub/{read}").status_code == 401
        for way in ("do", "preview"):
            answer = who.post(f"/api/hub/{way}/move", json={"board": 1, "to": 2})
            assert answer.status_code == 401
            assert "PIN" in answer.json()["error"]
    assert dict(shown.hall.desk.open_orders) == before


def test_of_the_last_steps_as_many_are_read_as_are_asked_for(shown):
    with client(shown, signed_in=True) as who:
        three = who.get("/api/hub/steps", params={"count": 3})
        assert three.status_code == 200
        for count in ("", "0", "-1", "3.5", "three", "٣", "1000001", "0" * 9 + "9" * 5_000):
            answer = who.get("/api/hub/steps", params={"count": count})
            assert answer.status_code == 422, count
            assert "expected a number from 1 to" in answer.json()["error"]


def test_a_page_of_another_site_does_nothing(shown):
    with client(shown, signed_in=True) as who:
        strange = {"origin": "http://elsewhere.example"}
        body = {"board": 1, "to": 2}
        assert who.post("/api/hub/do/move", json=body, headers=strange).status_code == 403
        cross = {"sec-fetch-site": "cross-site"}
        assert who.post("/api/hub/do/move", json=body, headers=cross).status_code == 403


def test_everything_but_the_desk_is_read_without_the_pin(shown):
    with client(shown) as who:
        for page in ("", "wall", "desk", "announcer", "referees", "print", "phones.svg"):
            assert who.get(f"/{page}").status_code == 200, page


# --- impossible requests -----------------------------------------------------------------


def test_what_cannot_be_is_refused_with_its_reason(shown):
    with client(shown, signed_in=True) as who:
        for action, body, reason in (
            ("move", {"board": 1, "to": 2}, "board 2 is not free"),
            ("move", {"board": 9, "to": 2}, "board 9 plays nothing"),
            ("correct", {"key": "singles-A-9-9", "winner": 0}, "no match"),
            ("correct", {"key": "nothing-1-1", "winner": 0}, "no contest"),
            ("correct", {"key": "singles-A-1-1", "forfeit": True}, "say who"),
        ):
            for way in ("do", "preview"):
                answer = who.post(f"/api/hub/{way}/{action}", json=body)
                assert answer.status_code == 409, answer.text
                assert reason in answer.json()["error"]


def test_an_action_that_nobody_knows_is_not_found(shown):
    with client(shown, signed_in=True) as who:
        answer = who.post("/api/hub/do/explode", json={})
        assert answer.status_code == 404
        assert "correct" in answer.json()["error"]
        assert who.get("/api/hub/do/move").status_code == 405
        assert who.post("/api/hub/events", json={}).status_code == 405


def test_the_preview_of_a_correction_says_whom_it_moves_and_changes_nothing(shown):
    while not any(key.startswith("singles-ko") for key in shown.hall.desk.latest):
        shown.turn(ends=1, sits=1)
    before = shown.hall.desk
    table = before.drawn("singles").tables["singles-A"]
    first = table[0].entrant
    won = [
        (key, played) for key, played in before.results["singles"].items()
        if key.startswith("singles-A") and played.winner() == first
    ]  # fmt: skip
    changed = []
    with client(shown, signed_in=True) as who:
        for key, played in won:
            loser = 1 - played.sides.index(first)
            body = {"key": key, "winner": loser, "points": [0, 0]}
            answer = who.post("/api/hub/preview/correct", json=body)
            assert answer.status_code == 200
            changed += answer.json()["matches"] + answer.json()["conflicts"]
    assert "singles-ko-1-1" in changed
    assert shown.hall.desk is before


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner,
                                                                max_size=3),
    max_leaves=5,
)  # fmt: skip
FIELDS = st.dictionaries(
    st.sampled_from(["key", "winner", "points", "forfeit", "again", "board", "to", "x"]),
    ANYTHING | st.sampled_from(["singles-A-1-1", 0, 1, [3, 4], True]),
)
SHOWN = ShownHall(4, 8)


async def inside(address: str, body: bytes) -> httpx.Response:
    """Post to the hub itself, past its guard, which would soon refuse."""
    live = LiveHub(SHOWN.hall.desk, SHOWN.do, SHOWN.ask)
    app = HubPages(live, access_of(WebSettings(pin=""))).app()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://hub") as who:
        return await who.post(address, content=body)


BODIES = (ANYTHING | FIELDS).map(json.dumps).map(str.encode) | st.binary(max_size=40)


@given(action=st.sampled_from(sorted(ACTIONS)), way=st.sampled_from(["do", "preview"]), body=BODIES)
def test_no_nonsense_breaks_the_hub(action, way, body):
    answer = run_apart(inside(f"/api/hub/{way}/{action}", body))
    assert answer.status_code in {200, 204, 400, 409, 422}, answer.text
    if answer.status_code >= 400:
        assert answer.json()["error"]


def test_the_desk_asks_boards_and_nobody_else_does(shown):
    with client(shown) as who:
        assert who.post("/api/hub/ask", json={"board": 1, "what": "identify"}).status_code == 401
    with client(shown, signed_in=True) as who:
        answer = who.post("/api/hub/ask", json={"board": 1, "what": "line", "text": " Hello "})
        assert answer.status_code == 200
        assert shown.asked[-1] == (1, "line", {"text": {"en": "Hello"}, "seconds": 60})
        for body, why in (
            ({"board": 1, "what": "line"}, "expected a line"),
            ({"board": 1, "what": "explode"}, "what: "),
            ({"board": 0, "what": "doctor"}, "board: "),
        ):
            refused = who.post("/api/hub/ask", json=body)
            assert (refused.status_code, why in refused.json()["error"]) == (409, True)


def test_the_desk_alone_is_told_what_keeps_the_hub_from_its_work(shown):
    with client(shown, signed_in=True) as who, following(who, "/api/hub/desk") as news:
        assert next(news)["troubles"] == {}
        shown.live.troubles = lambda: {"disk": "full"}
        shown.show()
        assert next(news) == {"now": ANY, "pace": 1, "troubles": {"disk": "full"}}
        shown.live.troubles = dict
        shown.show()
        assert next(news)["troubles"] == {}
    with client(shown) as who, following(who, "/api/hub/events") as news:
        assert "troubles" not in next(news)


def test_all_phones_of_a_hall_may_have_one_address(shown):
    def begin() -> socket.socket:
        phone = socket.create_connection(("127.0.0.1", shown.pages.port))
        phone.sendall(b"GET /api/hub/matches HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        return phone

    with ExitStack() as around:
        phones = [around.enter_context(begin()) for _ in range(300)]
        assert {phone.recv(15) for phone in phones} == {b"HTTP/1.1 200 OK"}
