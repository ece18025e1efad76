"""What the server refuses: foreign hosts and pages, too much and too often."""

from __future__ import annotations

import hashlib
import re
import select
import socket
from base64 import b64encode
from collections.abc import Iterator

import pytest

from jackspot.values import changed
from jackspot.web.files import page_files
from jackspot.web.guard import WRITTEN_IN_A_PAGE, Budget, ClientLimits, Rate
from tests.conftest import PATIENCE_S
from tests.web.conftest import Served
from tests.web.samples import READY

PRESS = b'{"button": "ok", "gesture": "short", "ask": "r1-3"}'
JSON = {"content-type": "application/json"}


@pytest.fixture
def post(served):
    served.display.post(READY)

    def post(content=PRESS, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return served.client.post("/api/press", content=content, headers={**JSON, **named})

    return post


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8462", "", "127.0.0.1.evil.example", "["]
)
@pytest.mark.parametrize("path", ["/", "/api/state", "/api/events"])
def test_a_request_under_a_foreign_host_name_is_refused(served, host, path):
    served.display.post(READY)
    answer = served.client.get(path, headers={"host": host})
    assert answer.status_code == 403
    assert "nothing here is called" in answer.json()["error"]


@pytest.fixture
def on_the_network() -> Iterator[Served]:
    served = Served(address="0.0.0.0")
    served.display.post(READY)
    yield served
    served.close()


@pytest.mark.parametrize("host", ["192.168.7.20:8080", "[fe80::1]:8080", socket.gethostname()])
def test_on_the_network_a_board_is_reached_by_its_addresses_and_its_name(on_the_network, host):
    assert on_the_network.client.get("/api/state", headers={"host": host}).status_code == 200


def test_on_the_network_a_name_that_is_not_the_boards_is_refused_all_the_same(on_the_network):
    answer = on_the_network.client.get("/api/state", headers={"host": "evil.example"})
    assert answer.status_code == 403


def test_on_loopback_an_address_of_the_network_is_not_this_board(served):
    answer = served.client.get("/api/state", headers={"host": "192.168.7.20"})
    assert answer.status_code == 403


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8462", "127.0.0.1", "[::1]:8462"])
def test_a_request_under_a_name_of_this_machine_is_answered(served, host):
    served.display.post(READY)
    assert served.client.get("/api/state", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_a_press_from_a_page_of_another_site_is_refused(served, post, headers):
    assert post(**headers).status_code == 403
    assert served.pressed == []


def test_a_press_from_a_page_of_this_board_is_taken(served, post):
    origin = served.display.url.rstrip("/")
    assert post(origin=origin, sec_fetch_site="same-origin").status_code == 204
    assert len(served.pressed) == 1


def test_a_form_of_another_site_cannot_press_because_it_cannot_send_json(served, post):
    assert post(content_type="text/plain").status_code == 415
    assert served.pressed == []


def test_a_body_that_is_too_long_is_refused(served, post):
    answer = post(PRESS + b" " * 5_000)
    assert (answer.status_code, answer.json()["error"]) == (413, "send at most 4096 bytes")
    assert served.pressed == []


def test_a_body_that_does_not_say_its_length_is_bounded_too(served, post):
    assert post(iter([PRESS, b" " * 5_000])).status_code == 413
    assert post(iter([PRESS])).status_code == 204


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(served, method):
    assert served.client.request(method, "/api/press").status_code == 405


def test_presses_faster_than_fingers_are_refused():
    served = Served(limits=ClientLimits(writes_per_s=0.001, writes_at_once=3))
    try:
        served.display.post(READY)
        answers = [served.client.post("/api/press", content=PRESS, headers=JSON) for _ in range(4)]
    finally:
        served.close()
    assert [answer.status_code for answer in answers] == [204, 204, 204, 429]
    assert answers[-1].headers["retry-after"] == "1"
    assert len(served.pressed) == 3


def test_a_refusal_waits_for_the_body_so_that_closing_does_not_reset_the_line():
    """Data sent after the line was closed resets it, and the answer on its way is lost."""
    served = Served(limits=ClientLimits(writes_per_s=0.001, writes_at_once=0))
    head = f"POST /api/press HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(PRESS)}\r\n"
    try:
        with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE_S) as line:
            line.sendall(f"{head}content-type: application/json\r\n\r\n".encode())
            served.client.get("/api/schema")
            line.setblocking(False)
            with pytest.raises(BlockingIOError):
                line.recv(1)
            line.settimeout(PATIENCE_S)
            line.sendall(PRESS)
            said = b"".join(iter(lambda: line.recv(4_096), b""))
    finally:
        served.close()
    assert said.startswith(b"HTTP/1.1 429")
    assert said.endswith(b"}")


def test_reads_faster_than_a_hall_full_of_phones_are_refused():
    served = Served(limits=ClientLimits(reads_per_s=0.001, reads_at_once=3))
    try:
        answers = [served.client.get("/api/schema") for _ in range(4)]
    finally:
        served.close()
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def spoken_to(served: Served, request: bytes) -> bytes:
    """Send only the beginning of a request; return what comes until the line is closed."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE_S) as line:
        line.sendall(request)
        return b"".join(iter(lambda: line.recv(4_096), b""))


def test_a_body_that_does_not_arrive_is_not_waited_for():
    served = Served(limits=ClientLimits(body_s=0.05))
    head = b"POST /api/press HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    try:
        answer = spoken_to(served, head + b"content-length: 9\r\n\r\n{")
    finally:
        served.close()
    assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /api/schema HTTP/1.1\r\nhost: loc",
        b"GET /api/nothing HTTP/1.1\r\nhost: localhost\r\n\r\nGET /api/sch",
    ],
    ids=["nothing", "half a request", "one and a half"],
)
def test_a_line_on_which_nothing_whole_is_asked_is_closed(served, monkeypatch, half):
    served.client.get("/api/schema")  # so that the server's own module is loaded
    monkeypatch.setattr("jackspot.web.serving.HEAD_S", 0.05)
    answer = spoken_to(served, half)
    assert answer.count(b"HTTP/1.1 ") == (1 if half.count(b"GET") == 2 else 0)


def said_on(line: socket.socket) -> None:
    """Send something again and again, reading nothing."""
    for _moment in range(int(PATIENCE_S / 0.05)):
        line.send(b"x")
        select.select([], [], [], 0.05)


def test_an_answer_that_nobody_reads_is_not_held_ready_for_ever(served, monkeypatch):
    served.client.get("/api/schema")
    monkeypatch.setattr("jackspot.web.serving.HEAD_S", 0.05)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.connect(("127.0.0.1", served.port))
        large = b"GET /fonts/mplus1-medium.woff2 HTTP/1.1\r\nhost: localhost\r\n\r\n"
        line.sendall(large * 40)  # more than the system buffers for a socket
        with pytest.raises(ConnectionError):  # what is said to a closed line comes back
            said_on(line)


def test_a_stream_is_not_closed_for_asking_nothing_more(served, monkeypatch):
    served.client.get("/api/schema")
    monkeypatch.setattr("jackspot.web.serving.HEAD_S", 0.01)
    served.display.post(READY)
    with served.client.stream("GET", "/api/events") as response:
        lines = response.iter_lines()
        for number in range(5):
            next(line for line in lines if line.startswith("data: "))
            served.display.post(changed(READY, sequence=100 + number))


def test_an_address_may_write_again_after_a_while():
    now = [0.0]
    rate = Rate(2, 1, 10, lambda: now[0])
    assert rate.allows("a")
    assert not rate.allows("a")
    assert rate.allows("b")
    now[0] = 0.5
    assert rate.allows("a")


def test_who_does_little_may_do_it_whatever_all_others_do():
    now = [0.0]
    limits = ClientLimits(spare_per_s=1.0, spare_at_once=5)
    budget = Budget((10.0, 20), (50.0, 100), limits, lambda: now[0])
    done = 0
    for _second in range(60):
        now[0] += 1.0
        done += sum(budget.allows(f"10.0.1.{n}") for n in range(40) for _ in range(30))
    most = 100 + 60 * 50 + 40 * (5 + 60)
    assert 60 * 50 < done <= most
    assert [budget.allows("10.0.0.7") for _ in range(6)] == [True] * 5 + [False]


def test_the_memory_of_addresses_is_bounded():
    rate = Rate(1, 80, 3, lambda: 0.0)
    for number in range(100):
        assert rate.allows(f"10.0.0.{number}")
    assert len(rate._buckets) == 3


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/nothing", "/api/schema"])
def test_every_answer_carries_safe_headers(served, path):
    served.display.post(READY)
    headers = served.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


def test_the_only_script_that_is_written_in_a_page_is_one_that_a_browser_may_run():
    packages = (("jackspot.web", "pages"), ("jackspot_hub.web", "pages"), ("jackspot_sim", "page"))
    pages = (
        file.content for each in packages for file in page_files(*each) if ".html" in file.path
    )
    written = re.findall(rb"<script>(.*?)</script>", b"".join(pages), re.DOTALL)
    hashes = [b64encode(hashlib.sha256(script).digest()).decode() for script in written]
    assert [f"sha256-{each}" for each in hashes] == [WRITTEN_IN_A_PAGE]
