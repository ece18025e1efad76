"""The page's routes: what hands send, what the stream reports, what is refused."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.web.guard import ClientLimits
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from jackspot_sim.browser.control import Mishap
from jackspot_sim.browser.server import PIECES_AT_ONCE, SPEEDS, SimPage
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.physics import Flick
from jackspot_sim.table.table import Breakage
from tests.conftest import PATIENCE_S
from tests.sim.standin import StandIn
from tests.web.samples import IDENTITY


@dataclass
class Sim:
    """A served stand-in and its client."""

    table: StandIn
    web: WebDisplay
    client: httpx.Client

    def do(self, name: str, **body: object) -> httpx.Response:
        return self.client.post(f"/sim/do/{name}", json=body)


@pytest.fixture
def sim() -> Iterator[Sim]:
    board = LiveBoard(lambda: 7_000_000_000, lambda _: None, IDENTITY)
    table = StandIn(board.show, lambda: 7_000_000_000)
    page = SimPage(table, board)
    web = WebDisplay(
        board, WebSettings(port=0), extra_routes=page.routes(), extra_feeds=(page.feed,)
    )
    web.start()
    with httpx.Client(base_url=web.url, timeout=PATIENCE_S) as client:
        yield Sim(table, web, client)
    web.stop()


class Stream:
    """What a page hears: the newest of each event, read until something is true."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()
        self.newest: dict[str, Any] = {}

    def until(self, name, wanted=lambda _: True):
        event = "message"
        for line in self._lines:
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: "):
                self.newest[event] = json.loads(line.removeprefix("data: "))
                if event == name and wanted(self.newest[event]):
                    return self.newest[event]
        raise AssertionError("the stream ended")


@pytest.fixture
def stream(sim) -> Iterator[Stream]:
    with sim.client.stream("GET", "/sim/stream") as response:
        yield Stream(response)


def test_a_piece_dropped_on_the_page_falls_on_the_table(sim):
    answer = sim.do("drop", pocket="NE", pieces=["red", "jack"], manner="tumbling")
    assert answer.status_code == 204
    assert sim.table.calls == [("drop", Pocket.NE, (Piece.RED, Piece.JACK), Manner.TUMBLING)]


def test_a_hand_needs_no_piece_and_everything_else_does(sim):
    assert sim.do("drop", pocket="SW", pieces=[], manner="hand").status_code == 204
    assert sim.do("drop", pocket="SW", pieces=[], manner="clean").status_code == 422
    assert sim.table.calls == [("drop", Pocket.SW, (), Manner.HAND)]


@pytest.mark.parametrize("manner", list(Manner))
def test_every_manner_of_the_table_can_be_asked_for(sim, manner):
    pieces = [] if manner is Manner.HAND else ["green"]
    assert sim.do("drop", pocket="NW", pieces=pieces, manner=manner.value).status_code == 204


def test_a_button_goes_down_and_up_on_its_wire_and_not_on_the_boards_page(sim):
    assert sim.do("button", wire="seat_s_fix", down=True).status_code == 204
    assert sim.do("button", wire="seat_s_fix", down=False).status_code == 204
    assert sim.table.calls == [("press", "seat_s_fix"), ("release", "seat_s_fix")]


@pytest.mark.parametrize(
    ("action", "body", "call"),
    [
        ("fly", {"pieces": ["striker"]}, ("fly", (Piece.STRIKER,))),
        ("fetch", {}, ("fetch",)),
        (
            "fault",
            {"part": "oled", "broken": "unplugged"},
            ("break", "oled", Breakage.UNPLUGGED),
        ),
        ("fault", {"part": "pocket_ne", "broken": "dead"}, ("break", "pocket_ne", Breakage.DEAD)),
        ("fault", {"part": "pocket_ne", "broken": None}, ("mend", "pocket_ne")),
        ("mishap", {"mishap": "stray_hand"}, ("mishap", Mishap.STRAY_HAND)),
        ("speed", {"speed": 4}, ("speed", 4.0)),
        ("show", {"running": True}, ("show",)),
        ("show", {"running": False}, ("stop show",)),
        ("new", {}, ("new match", None)),
        ("new", {"rules": "kagw"}, ("new match", RuleSystem.KAGW)),
        ("new", {"seats": ["E", "W"]}, ("new match", None, Seat.E, Seat.W)),
        ("player", {"seat": "S", "strength": "club"}, ("player", Seat.S, Strength.CLUB)),
        ("player", {"seat": "S", "strength": None}, ("player", Seat.S, None)),
    ],
)
def test_every_other_hand_does_what_it_says(sim, action, body, call):
    assert sim.do(action, **body).status_code == 204
    assert sim.table.calls == [call]


def test_a_piece_that_is_moved_and_moved_back_reaches_the_table(sim):
    assert sim.do("move", number=4, x_mm=3, y_mm=-4.5).status_code == 204
    assert sim.do("move-back").status_code == 204
    assert sim.table.calls == [("move", 4, (3, -4.5)), ("move back",)]


def test_a_flick_and_a_piece_that_is_put_down_reach_the_table(sim):
    assert sim.do("flick", x_mm=10, y_mm=-220.5, speed_mm_s=900, angle_rad=1.5).status_code == 204
    assert sim.do("put", piece="red", x_mm=3, y_mm=4).status_code == 204
    assert sim.do("put", piece="jack").status_code == 204
    assert sim.table.calls == [
        ("flick", Flick(10, -220.5, 900, 1.5)),
        ("put", Piece.RED, (3, 4)),
        ("put", Piece.JACK, None),
    ]


@pytest.mark.parametrize("wrong", [1e9, float("inf"), "1", None, True, [1]])
@pytest.mark.parametrize("name", ["x_mm", "y_mm", "speed_mm_s", "angle_rad"])
def test_a_flick_of_anything_but_sensible_numbers_is_refused(sim, name, wrong):
    body = json.dumps({"x_mm": 0, "y_mm": 0, "speed_mm_s": 1, "angle_rad": 0, name: wrong})
    answer = sim.client.post(
        "/sim/do/flick", content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code in {400, 422}
    assert name in answer.text or "Infinity" in answer.text
    assert not sim.table.calls


def test_what_the_table_cannot_do_is_refused_with_its_reason(sim):
    answer = sim.do("put-back")
    assert answer.status_code == 409
    assert answer.json() == {"error": "the board does not ask for anything back"}


@pytest.mark.parametrize(
    ("action", "body", "why"),
    [
        ("drop", {"pocket": "N", "pieces": ["red"], "manner": "clean"}, '"pocket" must be'),
        ("drop", {"pocket": "NE", "pieces": "red", "manner": "clean"}, '"pieces" must be'),
        ("drop", {"pocket": "NE", "pieces": ["rad"], "manner": "clean"}, '"pieces" must be'),
        ("drop", {"pocket": "NE", "pieces": [1], "manner": "clean"}, '"pieces" must be'),
        ("drop", {"pocket": "NE", "pieces": ["red"], "manner": 4}, '"manner" must be'),
        (
            "drop",
            {"pocket": "NE", "pieces": ["red"] * (PIECES_AT_ONCE + 1), "manner": "clean"},
            '"pieces" must be',
        ),
        ("fly", {}, '"pieces" must be'),
        ("button", {"wire": "pocket_xx", "down": True}, '"wire" must be'),
        ("button", {"wire": ["referee_ok"], "down": True}, '"wire" must be'),
        ("button", {"wire": "referee_ok", "down": 1}, '"down" must be'),
        ("fault", {"part": 1, "broken": "dead"}, '"part" must be'),
        ("fault", {"part": "pocket_ne", "broken": "bent"}, '"broken" must be one of jammed'),
        ("mishap", {"mishap": "earthquake"}, '"mishap" must be one of shoot_on'),
        ("speed", {"speed": 1_000_000}, '"speed" must be'),
        ("speed", {"speed": True}, '"speed" must be'),
        ("speed", {"speed": "1"}, '"speed" must be'),
        ("show", {}, '"running" must be'),
        ("new", {"rules": "chess"}, '"rules" must be one of hikone'),
        ("new", {"seats": ["N", "E"]}, '"seats" must be a list of who plays, one of N, S; E, W;'),
        ("new", {"seats": "NS"}, '"seats" must be a list of who plays'),
        ("put", {"piece": "rook"}, '"pieces" must be a list'),
        ("put", {"piece": "red", "x_mm": 0}, '"y_mm" must be a number'),
        ("move", {"number": "4", "x_mm": 0, "y_mm": 0}, '"number" must be the number of a piece'),
        ("move", {"number": 4, "x_mm": 0}, '"y_mm" must be a number'),
        ("player", {"seat": "X", "strength": "club"}, '"seat" must be one of N, E, S, W'),
        ("player", {"seat": "S", "strength": "child"}, '"strength" must be one of beginner'),
    ],
)
def test_an_action_that_makes_no_sense_is_refused_and_does_nothing(sim, action, body, why):
    answer = sim.do(action, **body)
    assert answer.status_code == 422
    assert why in answer.json()["error"]
    assert sim.table.calls == []


SENSIBLE: dict[str, list[dict[str, object]]] = {
    "drop": [{"pocket": "NE", "pieces": ["red"], "manner": "clean"}],
    "fly": [{"pieces": ["red"]}],
    "button": [{"wire": "referee_ok", "down": True}],
    "fault": [{"part": "pocket_ne", "broken": "dead"}],
    "mishap": [{"mishap": "stray_hand"}],
    "speed": [{"speed": 4}],
    "show": [{"running": True}, {"paused": True}, {"step": True}],
    "flick": [{"x_mm": 1, "y_mm": 2, "speed_mm_s": 3, "angle_rad": 1}],
    "put": [{"piece": "red", "x_mm": 1, "y_mm": 2}],
    "move": [{"number": 3, "x_mm": 1, "y_mm": 2}],
    "move-back": [{}],
    "player": [{"seat": "S", "strength": "club"}],
    "put-back": [{}],
    "fetch": [{}],
    "new": [{"rules": "kagw", "seats": ["N", "S"], "language": "de"}],
    "wind": [{"paused": True}, {"stroke": 2}],
}
"""Bodies of all requests that hands send, each with a value for each of its fields."""


class StandInFilm:
    """A film that notes what it was told."""

    def __init__(self) -> None:
        self.calls: list[tuple] = []

    def told(self) -> dict[str, object]:
        return {}

    def pause(self, *, paused: bool) -> None:
        self.calls.append(("pause", paused))

    def wind_to(self, stroke: int) -> None:
        self.calls.append(("wind", stroke))


WRONG: tuple[object, ...] = ([], {}, "x", "", 1e308, [None], [[]], {"a": 1})
"""Values that no field of a request can have."""


def test_every_request_refuses_values_of_a_wrong_kind_in_each_of_its_fields():
    board = LiveBoard(lambda: 7_000_000_000, lambda _: None, IDENTITY)
    table, film = StandIn(board.show, lambda: 7_000_000_000), StandInFilm()
    routes = SimPage(table, board, film).routes()
    paths = [getattr(route, "path", "").rpartition("/sim/do/") for route in routes]
    assert {name for _, found, name in paths if found} == set(SENSIBLE)
    limits = ClientLimits(writes_at_once=10_000, all_writes_at_once=10_000)
    web = WebDisplay(board, WebSettings(port=0, limits=limits), extra_routes=routes)
    web.start()
    answers = {}
    with httpx.Client(base_url=web.url, timeout=PATIENCE_S) as client:
        for name, bodies in SENSIBLE.items():
            for body in bodies:
                for field, wrong in itertools.product(body, WRONG):
                    told = client.post(f"/sim/do/{name}", json={**body, field: wrong})
                    answers[f"{name} {field} {wrong}"] = told
    web.stop()
    assert [asked for asked, told in answers.items() if told.status_code != 422] == []
    assert all(told.json()["error"].startswith('"') for told in answers.values())
    assert (table.calls, film.calls) == ([], [])


def test_a_page_of_another_site_cannot_move_the_table(sim):
    answer = sim.client.post("/sim/do/new", json={}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert sim.table.calls == []


def test_a_stream_begins_with_everything_the_page_draws(sim, stream):
    stream.until("happenings")
    assert {"oled", "sign", "truth", "table", "state"} <= set(stream.newest)
    assert stream.newest["truth"]["on_board"] == {"red": 12, "green": 12, "jack": 1}
    assert len(base64.b64decode(stream.newest["oled"]["bits"])) == 1_024


def test_a_fall_is_told_in_truth_edges_sound_state_and_on_the_glass(sim, stream):
    before = stream.until("oled")["bits"]
    stream.until("happenings")
    sim.do("drop", pocket="NE", pieces=["red"], manner="clean")
    stream.until("sounds")
    assert stream.newest["truth"]["in_pockets"]["NE"] == {"red": 1}
    assert [line[2:] for line in stream.newest["edges"]] == [
        ["pocket_ne", True],
        ["pocket_ne", False],
    ]
    assert stream.newest["sounds"] == [{"name": "tick", "notes": [[2000, 15]]}]
    assert stream.newest["state"]["proposal"]["what"] == "RED NE"
    assert stream.newest["oled"]["bits"] != before


def test_what_really_happened_is_listed_beside_what_was_sensed(sim, stream):
    stream.until("happenings")
    assert stream.newest["happenings"] == []
    sim.do("drop", pocket="NE", pieces=["red"], manner="missed")
    stream.until("happenings", lambda told: told)
    assert stream.newest["happenings"] == [
        {
            "number": 1,
            "at_ns": 7_000_000_000,
            "pocket": "NE",
            "pieces": ["red"],
            "manner": "missed",
        }
    ]


def test_a_page_that_is_opened_later_hears_no_old_sounds(sim):
    sim.do("drop", pocket="NE", pieces=["red"], manner="clean")
    with sim.client.stream("GET", "/sim/stream") as response:
        stream = Stream(response)
        stream.until("edges")
        sim.do("drop", pocket="NW", pieces=["red"], manner="clean")
        stream.until("sounds")
        assert len(stream.newest["sounds"]) == 1


def test_only_those_are_offered_a_seat_who_can_play_the_rules_on_the_table(sim, stream):
    assert ["N", "E", "S"] in stream.until("table")["lineups"]
    sim.table.rules = RuleSystem.KAGW
    sim.table.changed()
    offered = stream.until("table")["lineups"]
    assert offered == [["N", "S"], ["E", "W"], ["N", "E", "S", "W"]]


def test_a_picture_that_did_not_change_is_not_sent_again(sim, stream):
    stream.until("happenings")
    del stream.newest["oled"]
    sim.do("button", wire="referee_ok", down=True)
    stream.until("table", lambda table: "referee_ok" in table["active"])
    assert "oled" not in stream.newest


def test_the_page_and_all_that_it_asks_for_are_served_by_this_machine(sim):
    page = sim.client.get("/sim/")
    assert page.status_code == 200
    assert "http" not in page.text.replace("http-equiv", "")
    for name in ("/theme.css", "/live.js", "/clock.js", "/icon.svg", "/sim/page.css"):
        assert sim.client.get(name).status_code == 200, name


def test_a_file_that_did_not_change_is_not_sent_again(sim):
    first = sim.client.get("/sim/main.js")
    again = sim.client.get("/sim/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_address_without_its_last_stroke_leads_to_the_page(sim):
    answer = sim.client.get("/sim", follow_redirects=False)
    assert answer.headers["location"] == "/sim/"


def test_real_time_is_among_the_speeds():
    assert 1.0 in SPEEDS
