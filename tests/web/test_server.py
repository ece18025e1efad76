"""The served board: state, stream, presses, start and stop, over real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
import jsonschema
import pytest

from jackspot.displays.errors import DisplayError
from jackspot.sensing.events import Button, ButtonDown, ButtonUp, Gesture, Key, Place, Press
from jackspot.values import changed
from jackspot.web import stream
from jackspot.web.files import page_files
from jackspot.web.live import READERS, LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from jackspot.web.serving import AHEAD_BYTES, Connection
from jackspot.web.state_types import published_schema
from tests.conftest import ATTEMPTS, PATIENCE_S
from tests.web.conftest import Served
from tests.web.samples import EVERY, READY, REVIEW

PAGE_OK = Button(Place.PAGE, Key.OK)


def events(response: httpx.Response) -> Iterator[tuple[str, dict]]:
    """Read (id, state) from a stream."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("id: "):
            name = line.removeprefix("id: ")
        if line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_before_the_first_view_the_state_says_that_the_board_starts(served):
    answer = served.client.get("/api/state")
    assert answer.status_code == 503
    assert answer.json() == {"error": "the board is still starting"}


@pytest.mark.parametrize("view", EVERY, ids=lambda view: f"{view.phase}-{view.sequence}")
def test_what_is_really_sent_keeps_to_the_schema_that_is_really_published(served, view):
    served.display.post(view)
    schema = served.client.get("/api/schema").json()
    assert schema == published_schema()
    state = served.client.get("/api/state").json()
    jsonschema.Draft202012Validator(schema).validate(state)
    assert (state["board"], state["sequence"]) == ("Festival 3", view.sequence)


def test_the_state_carries_the_boards_own_time_when_it_is_sent(served):
    served.display.post(READY)
    served.now_ns = 6_000_000_000
    assert served.client.get("/api/state").json()["now_ns"] == 6_000_000_000


def test_the_stream_gives_the_state_at_once_and_again_when_it_changes(served):
    served.display.post(READY)
    with served.client.stream("GET", "/api/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        stream = events(response)
        first_id, first = next(stream)
        assert (first_id, first["phase"]) == ("7", "ready")
        served.display.post(REVIEW)
        second_id, second = next(stream)
        assert (second_id, second["phase"]) == ("9", "review")


def test_the_stream_tells_a_browser_how_soon_to_come_back(served):
    with served.client.stream("GET", "/api/events") as response:
        assert next(response.iter_lines()) == "retry: 1000"


def test_a_reader_who_comes_back_is_given_the_newest_state_whatever_it_saw_last(served):
    served.display.post(REVIEW)
    with served.client.stream("GET", "/api/events", headers={"last-event-id": "9"}) as response:
        assert next(events(response))[1]["phase"] == "review"


def test_a_reader_who_is_away_for_a_thousand_views_is_given_only_the_newest(served):
    served.display.post(READY)
    with served.client.stream("GET", "/api/events") as response:
        stream = events(response)
        next(stream)
        for number in range(1_000):
            served.display.post(changed(READY, sequence=100 + number))
        seen = [int(next(stream)[0])]
        while seen[-1] < 1_099:
            seen.append(int(next(stream)[0]))
    assert seen == sorted(set(seen))
    assert len(seen) < 1_000


def test_posting_never_waits_for_a_reader_that_reads_nothing(served):
    served.display.post(READY)
    port = int(served.display.url.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader.sendall(b"GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        reader.recv(1)
        used_s = time.thread_time()
        for number in range(5_000):
            served.display.post(changed(READY, sequence=100 + number))
        assert time.thread_time() - used_s < 1
        assert served.client.get("/api/state").json()["sequence"] == 5_099


def test_a_reader_that_takes_nothing_is_dropped_and_gets_no_backlog(served, monkeypatch):
    monkeypatch.setattr(stream, "SLOW_READER_S", 0.5)
    served.display.post(READY)
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader.settimeout(PATIENCE_S)
        reader.connect(("127.0.0.1", served.port))
        reader.sendall(b"GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        taken = reader.recv(1)
        for sequence in range(100, 400):
            served.display.post(changed(READY, sequence=sequence))
            time.sleep(0.05)
            if served.board.readers.count == 0:
                break
        assert served.board.readers.count == 0
        with suppress(ConnectionResetError):
            while more := reader.recv(1 << 16):
                taken += more
    assert len(taken) < 4 * AHEAD_BYTES


def test_more_readers_than_there_is_room_for_are_asked_to_come_back(served):
    served.board.readers.limit = 1
    served.display.post(READY)
    with served.client.stream("GET", "/api/events") as response:
        stream = events(response)
        next(stream)
        answer = served.client.get("/api/events")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "10"
    assert READERS >= 100


def test_a_press_reaches_the_game_as_the_pages_button_with_the_ask_it_answers(served):
    served.display.post(READY)
    ask = served.client.get("/api/state").json()["ask"]
    assert served.press(button="ok", gesture="down", ask=ask).status_code == 204
    served.now_ns += 90_000_000
    assert served.press(button="ok", gesture="up", ask=ask).status_code == 204
    assert served.pressed == [
        ButtonDown(5_000_000_000, PAGE_OK, 3),
        ButtonUp(5_090_000_000, PAGE_OK),
    ]


@pytest.mark.parametrize("gesture", ["short", "hold"])
def test_a_whole_gesture_can_be_sent_at_once(served, gesture):
    served.display.post(READY)
    served.press(button="undo", gesture=gesture, ask="r1-3")
    button = Button(Place.PAGE, Key.UNDO)
    assert served.pressed == [Press(5_000_000_000, 5_000_000_000, button, Gesture(gesture), 3)]


@pytest.mark.parametrize("gesture", ["down", "short", "hold"])
@pytest.mark.parametrize("ask", ["r1-2", "r0-3", "3"])
def test_a_press_that_answers_what_is_no_longer_asked_is_refused_in_words(served, ask, gesture):
    served.display.post(READY)
    answer = served.press(button="ok", gesture=gesture, ask=ask)
    assert answer.status_code == 409
    assert answer.json()["error"] == "the question has changed; now: RED to shoot"
    assert served.pressed == []


def test_a_button_comes_up_again_whatever_is_asked_by_then(served):
    served.display.post(READY)
    served.press(button="ok", gesture="down", ask="r1-3")
    served.display.post(REVIEW)
    assert served.press(button="ok", gesture="up", ask="r1-3").status_code == 204
    assert isinstance(served.pressed[-1], ButtonUp)


def test_a_key_that_one_page_holds_is_refused_to_another(served):
    served.display.post(READY)
    served.press(button="ok", gesture="down", ask="r1-3", page="tablet")
    assert served.press(button="ok", gesture="down", ask="r1-3", page="phone").status_code == 409
    assert served.press(button="ok", gesture="up", ask="r1-3", page="phone").status_code == 409
    assert len(served.pressed) == 1


def test_a_page_that_vanished_with_a_key_down_does_not_keep_it(served):
    served.display.post(READY)
    served.press(button="ok", gesture="down", ask="r1-3", page="tablet")
    served.now_ns += 2_000_000_000
    assert served.press(button="ok", gesture="down", ask="r1-3", page="phone").status_code == 204
    kinds = [type(event) for event in served.pressed]
    assert kinds == [ButtonDown, ButtonUp, ButtonDown]


def test_a_press_before_the_first_view_is_refused(served):
    answer = served.press(button="ok", gesture="down", ask="r1-0")
    assert (answer.status_code, answer.json()["error"]) == (409, "the board is still starting")


@pytest.mark.parametrize(
    ("content", "status", "why"),
    [
        (b"{", 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"[" * 3_000, 400, "not JSON"),
        (b"[]", 422, "expected a JSON object"),
        (b"{}", 422, '"ask" must be'),
        (b'{"ask": 3, "button": "ok", "gesture": "down"}', 422, '"ask" must be'),
        (b'{"ask": "r1-3", "button": "okay", "gesture": "down"}', 422, '"button" must be one of'),
        (b'{"ask": "r1-3", "button": ["ok"], "gesture": "down"}', 422, '"button" must be one of'),
        (b'{"ask": "r1-3", "button": "ok", "gesture": null}', 422, '"gesture" must be one of'),
        (b'{"ask": "r1-3", "button": "ok", "gesture": "down", "x": 1}', 422, "unknown: x"),
        (b'{"ask": "r1-3", "button": "ok", "gesture": "up", "page": 7}', 422, '"page" must be'),
    ],
)
def test_a_press_that_makes_no_sense_is_refused_with_what_was_expected(
    served, content, status, why
):
    served.display.post(READY)
    answer = served.client.post(
        "/api/press", content=content, headers={"content-type": "application/json"}
    )
    assert answer.status_code == status
    assert why in answer.json()["error"]
    assert served.pressed == []


def test_a_path_that_does_not_exist_is_answered_in_json(served):
    answer = served.client.get("/api/nothing")
    assert answer.status_code == 404
    assert "error" in answer.json()


BROWSERS_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_an_address_that_people_typed_wrong_is_answered_with_a_page(served):
    typed = served.client.get("/scores", headers={"accept": BROWSERS_ACCEPT})
    assert typed.status_code == 404
    assert "No such page" in typed.text
    asked = served.client.get("/api/scores", headers={"accept": BROWSERS_ACCEPT})
    assert "error" in asked.json()
    assert "error" in served.client.get("/scores").json()


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_nothing_that_is_sent_waits_for_the_acknowledgement_of_what_was_sent_before(
    monkeypatch, address
):
    """Else the body of each answer on a kept connection comes 40 ms after its head."""
    options: list[int] = []
    made = Connection.connection_made

    def note(self: Connection, transport: asyncio.BaseTransport) -> None:
        sent_by = transport.get_extra_info("socket")
        options.append(sent_by.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        made(self, transport)

    monkeypatch.setattr(Connection, "connection_made", note)
    display = WebDisplay(LiveBoard(lambda: 0, lambda event: None), WebSettings(address, 0))
    display.start()
    assert httpx.get(f"{display.url}api/state").status_code == 503
    assert display.stop()
    assert options == [1]


def test_a_page_has_another_tag_once_any_file_that_it_may_load_is_another(tmp_path, monkeypatch):
    folder = tmp_path / "some_pages" / "pages"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    def tags(script: str) -> dict[str, str]:
        for name, text in (("index.html", "page"), ("page.css", "look"), ("page.js", script)):
            (folder / name).write_text(text)
        return {file.path: file.etag for file in page_files("some_pages", "pages")}

    before, after = tags("old"), tags("new")
    assert {name for name in before if before[name] != after[name]} == {"index.html", "page.js"}
    assert tags("old") == before


def test_a_port_in_use_is_a_clear_error(served):
    port = int(served.display.url.rstrip("/").rpartition(":")[2])
    second = WebDisplay(served.board, WebSettings(port=port))
    with pytest.raises(DisplayError, match=f"port {port}: another program uses this port"):
        second.start()


def test_an_address_of_another_machine_is_a_clear_error(served):
    second = WebDisplay(served.board, WebSettings(address="192.0.2.1", port=0))
    with pytest.raises(DisplayError, match="this machine has no such address"):
        second.start()


def took_to_end_s(served: Served) -> float:
    """Stop the server; return how long that took in seconds."""
    started_s = time.perf_counter()
    assert served.display.stop()
    return time.perf_counter() - started_s


def test_the_server_ends_within_a_second_with_streams_open():
    def end_a_stream() -> float:
        served = Served()
        served.display.post(READY)
        with served.client.stream("GET", "/api/events") as response:
            stream = events(response)
            next(stream)
            took_s = took_to_end_s(served)
            assert list(stream) == []
        served.close()
        return took_s

    before = set(threading.enumerate())
    assert any(end_a_stream() < 1 for _ in range(ATTEMPTS))
    left = set(threading.enumerate()) - before
    assert not any(thread.name == "page" for thread in left)


def test_the_server_ends_within_a_second_with_a_request_half_sent():
    def end_half_a_request() -> float:
        served = Served()
        with socket.create_connection(("127.0.0.1", served.port)) as slow:
            slow.sendall(b"POST /api/press HTTP/1.1\r\nhost: localhost\r\ncontent-type: ")
            served.client.get("/api/state")
            took_s = took_to_end_s(served)
        served.close()
        return took_s

    assert any(end_half_a_request() < 1 for _ in range(ATTEMPTS))


def test_a_port_is_free_again_when_the_server_has_ended(served):
    port = int(served.display.url.rstrip("/").rpartition(":")[2])
    served.display.stop()
    again = WebDisplay(LiveBoard(lambda: 0, served.pressed.append), WebSettings(port=port))
    again.start()
    assert httpx.get(f"{again.url}api/state").status_code == 503
    assert again.stop()


def test_a_server_that_never_started_can_be_stopped(served):
    assert WebDisplay(served.board, WebSettings(port=0)).stop()


def test_the_servers_libraries_are_left_to_its_thread():
    code = (
        "import sys, jackspot.assembly, jackspot.web.server\n"
        "print([name for name in ('uvicorn', 'starlette.applications') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_board_without_pages_and_hall_loads_nothing_of_them(tmp_path):
    (tmp_path / "jackspot.toml").write_text("[web]\nenabled = false\n")
    code = f"""
import sys
from pathlib import Path
from jackspot.assembly import KINDS, DeviceOverrides, assemble
from jackspot.config import find, load
from jackspot.inputs.queue import EventQueue
from jackspot.ops.watchdog import Watchdog
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from jackspot_sim.devices.pins import SimFactory, sim_gpio
folder, source = Path({str(tmp_path)!r}), EventQueue()
keeper = Keeper(folder / "journal.db", KINDS, SystemWall())
gpio = sim_gpio(SimFactory(source.now_ns))
alone = DeviceOverrides(in_hall=True)
assemble(load(find(folder / "jackspot.toml")), gpio, source, keeper, Watchdog(), alone)
libraries = {{"asyncio", "itsdangerous", "paho", "starlette", "uvicorn"}}
print(sorted(name for name in sys.modules
             if name.partition(".")[0] in libraries or name.startswith("jackspot.web.")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['jackspot.web.addresses']"


def test_a_board_is_ready_before_anything_is_opened_that_only_its_pages_need(tmp_path):
    (tmp_path / "jackspot.toml").write_text('[gpio]\nfactory = "mock"\n[web]\nport = 0\n')
    code = f"""
import os
import sys
from jackspot.commands import main
from jackspot.ops.garbage import TidyWatchdog
from jackspot.web.server import WebDisplay
WebDisplay.start = lambda self: None
def told(self):
    slow = {{"asyncio", "http", "paho", "pydantic", "ssl", "starlette", "uvicorn", "vcd"}}
    print(sorted(slow & set(sys.modules)))
    sys.stdout.flush()
    os._exit(0)
TidyWatchdog.ready = told
main(["run", "--config", {str(tmp_path / "jackspot.toml")!r},
      "--journal", {str(tmp_path / "journal.db")!r}])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_pages_that_are_stopped_before_they_are_up_let_go_of_their_port():
    display = WebDisplay(LiveBoard(lambda: 0, lambda event: None), WebSettings(port=0))
    for _ in range(5):
        display.start()
        assert display.stop(10)
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", int(display.url.rsplit(":", 1)[1].strip("/"))))
