"""Signing in, pressing and listening as a referee's page does, over real sockets."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress

import httpx
import pytest

from jackspot.dialogue.state.view import Phase, Sound
from jackspot.displays.sounds import SOUNDS
from jackspot.sensing.events import Button, Gesture, Key, Place, Press
from jackspot.sensing.limits import MS
from jackspot.values import changed
from jackspot.web import app, presses
from jackspot.web.live import LiveBoard
from jackspot.web.presses import CLAIM_S, LATE_MS, server_ms
from jackspot.web.referee import routes, sessions
from jackspot.web.referee.kept import KeptFile, door_code
from jackspot.web.referee.patience import ONE_ADDRESS
from tests.conftest import PATIENCE_S
from tests.web.conftest import Served
from tests.web.samples import IDENTITY, READY, REVIEW

PIN = "246810"
OK = {"button": "ok", "gesture": "short", "ask": f"r1-{REVIEW.ask}"}


@pytest.fixture
def door() -> Iterator[Served]:
    served = Served(pin=PIN, kept=KeptFile())
    served.display.post(REVIEW)
    yield served
    served.close()


def sign_in(served: Served, pin: str = PIN, **more: object) -> httpx.Response:
    return served.client.post("/api/session", json={"pin": pin, **more})


def test_nobody_presses_without_the_pin(door):
    answer = door.press(**OK)
    assert answer.status_code == 401
    assert "PIN" in answer.json()["error"]
    assert door.pressed == []


def test_reading_needs_no_pin(door):
    assert door.client.get("/api/state").status_code == 200
    assert door.client.get("/api/session").json() == {"pin": True, "signed_in": False, "name": ""}


def test_with_the_pin_a_press_reaches_the_board(door):
    assert sign_in(door, name=" Anna ").json() == {"name": "Anna"}
    assert door.client.get("/api/session").json() == {
        "pin": True, "signed_in": True, "name": "Anna",
    }  # fmt: skip
    assert door.press(**OK).status_code == 204
    (pressed,) = door.pressed
    assert isinstance(pressed, Press)
    assert pressed.button == Button(Place.PAGE, Key.OK)


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(door):
    said = sign_in(door).headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert "max-age=" in said
    assert PIN not in said


def test_a_wrong_pin_opens_nothing_and_many_of_them_have_to_wait(door):
    for _try in range(ONE_ADDRESS.free + 1):
        answer = sign_in(door, "000000")
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
    answer = sign_in(door)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert "wrong PINs" in answer.json()["error"]


@pytest.mark.parametrize(
    "content", [{}, {"pin": 246810}, {"pin": "2" * 65}, {"pin": PIN, "name": "x" * 41},
                {"pin": PIN, "name": 7}]
)  # fmt: skip
def test_what_is_no_pin_opens_nothing(door, content):
    assert door.client.post("/api/session", json=content).status_code in {401, 422}
    assert door.press(**OK).status_code == 401


def test_a_page_of_another_site_signs_nobody_in_and_presses_nothing(door):
    elsewhere = {"origin": "http://evil.example", "sec-fetch-site": "cross-site"}
    for path in ("/api/session", "/api/session/end", "/api/press"):
        assert door.client.post(path, json={"pin": PIN}, headers=elsewhere).status_code == 403
    sign_in(door)
    assert door.client.post("/api/press", json=OK, headers=elsewhere).status_code == 403
    assert door.pressed == []


def test_a_form_of_another_site_is_no_json_and_does_nothing(door):
    sign_in(door)
    answer = door.client.post("/api/press", content=json.dumps(OK), headers={
        "content-type": "text/plain",
    })  # fmt: skip
    assert answer.status_code == 415
    assert door.pressed == []


def test_after_signing_out_the_old_cookie_opens_nothing_wherever_it_is_kept(door):
    sign_in(door)
    stolen = dict(door.client.cookies)
    assert door.client.post("/api/session/end", json={}).status_code == 204
    assert door.press(**OK).status_code == 401
    with httpx.Client(base_url=door.client.base_url, cookies=stolen, timeout=PATIENCE_S) as copy:
        assert copy.post("/api/press", json=OK).status_code == 401


def test_a_restart_signs_nobody_out_but_another_pin_does(tmp_path):
    path = tmp_path / "referee.json"
    first = Served(pin=PIN, kept=KeptFile(path))
    sign_in(first)
    cookies = dict(first.client.cookies)
    first.close()
    for pin, status in ((PIN, 204), ("135790", 401)):
        again = Served(pin=pin, kept=KeptFile(path))
        again.display.post(REVIEW)
        again.client.cookies.update(cookies)
        assert again.press(**OK).status_code == status
        again.close()


def test_where_no_pin_is_asked_every_page_of_the_board_presses(served):
    served.display.post(REVIEW)
    assert served.client.get("/api/session").json() == {"pin": False, "signed_in": True, "name": ""}
    assert served.press(**OK).status_code == 204


# --- two referees, and a network that comes and goes -----------------------------------


@pytest.fixture
def two(door: Served) -> Iterator[list[httpx.Client]]:
    """Two tablets, Anna's and Ben's, that have signed in."""
    url = door.client.base_url
    clients = [httpx.Client(base_url=url, timeout=PATIENCE_S) for _each in range(2)]
    for client, name in zip(clients, ("Anna", "Ben"), strict=True):
        client.post("/api/session", json={"pin": PIN, "name": name})
    yield clients
    for client in clients:
        client.close()


def test_the_second_of_two_referees_is_told_who_answered(door, two):
    anna, ben = two
    assert anna.post("/api/press", json=OK).status_code == 204
    door.display.post(answered(REVIEW, Button(Place.PAGE, Key.OK)))
    late = ben.post("/api/press", json=OK)
    assert late.status_code == 409
    assert late.json()["error"].startswith("already answered by Anna with OK; now: ")
    assert len(door.pressed) == 1


def test_of_two_who_press_at_once_the_second_waits_and_is_told_who_was_first(
    door, two, monkeypatch
):
    monkeypatch.setattr(presses, "CLAIM_S", PATIENCE_S)  # however long a machine takes
    monkeypatch.setattr(app, "CLAIM_S", PATIENCE_S)
    anna, ben = two
    with ThreadPoolExecutor(1) as pool:
        for number in range(20):
            ask = {**OK, "ask": f"r1-{REVIEW.ask + number}"}
            assert anna.post("/api/press", json=ask).status_code == 204
            late = pool.submit(ben.post, "/api/press", json=ask)
            time.sleep(0.02)
            assert not late.done()
            door.display.post(changed(REVIEW, sequence=100 + number, ask=REVIEW.ask + number))
            time.sleep(0.02)
            assert not late.done(), "a view that asks the same says nothing yet"
            now = changed(REVIEW, sequence=200 + number, ask=REVIEW.ask + number + 1)
            door.display.post(changed(now, asked_by=Button(Place.PAGE, Key.OK)))
            assert late.result().status_code == 409
            assert late.result().json()["error"].startswith("already answered by Anna with OK")
    assert len(door.pressed) == 20


def test_whoever_sees_that_a_question_changed_can_be_told_who_answered_it(monkeypatch):
    board = LiveBoard(lambda: 0, lambda _event: None, IDENTITY, run="r1")
    board.show(REVIEW)
    seen = []
    monkeypatch.setattr(
        presses.PagePresses, "changed", lambda _presses, _before, _after: seen.append(board.view)
    )
    board.show(answered(REVIEW, Button(Place.PAGE, Key.OK)))
    assert seen == [REVIEW], "the new question shows only when its answer is noted"


def test_a_press_of_which_nothing_comes_keeps_another_off_for_a_moment_only(door, two):
    anna, ben = two
    assert anna.post("/api/press", json=OK).status_code == 204
    begun_s = time.monotonic()
    assert anna.post("/api/press", json=OK).status_code == 204, "not oneself"
    assert ben.post("/api/press", json={**OK, "button": "fix"}).status_code == 204
    assert CLAIM_S / 2 < time.monotonic() - begun_s < PATIENCE_S
    assert [press.button.key for press in door.pressed] == [Key.OK, Key.OK, Key.FIX]


def test_a_finger_that_rests_on_a_button_keeps_another_off_for_a_moment_only(door, two):
    anna, ben = two
    assert anna.post("/api/press", json={**OK, "gesture": "down"}).status_code == 204
    assert ben.post("/api/press", json={**OK, "button": "fix"}).status_code == 204
    assert anna.post("/api/press", json={**OK, "gesture": "up"}).status_code == 204


def test_a_press_that_is_sent_again_does_nothing(door):
    sign_in(door)
    assert door.press(**OK).status_code == 204
    door.display.post(answered(REVIEW, Button(Place.PAGE, Key.OK)))
    assert door.press(**OK).status_code == 409
    assert len(door.pressed) == 1


@pytest.mark.parametrize(
    ("by", "words"),
    [
        (Button(Place.REFEREE, Key.OK), "already answered on the referee's box"),
        (Button(Place.S, Key.OK), "already answered at seat S"),
        (None, "the question has changed"),
        (Button(Place.PAGE, Key.FIX), "the question has changed, on a page"),
    ],
)
def test_a_stale_press_is_told_who_or_what_was_first(door, by, words):
    sign_in(door)
    door.display.post(answered(REVIEW, by))
    assert door.press(**OK).json()["error"].startswith(f"{words}; now: ")


def answered(view, by):
    return changed(view, sequence=view.sequence + 1, ask=view.ask + 1, asked_by=by)


@pytest.mark.parametrize("from_now_ms", [-LATE_MS - 1, LATE_MS + 1, 10**9])
def test_a_press_that_the_network_held_up_or_of_another_clock_does_nothing(
    served, monkeypatch, from_now_ms
):
    served.display.post(REVIEW)
    monkeypatch.setattr(served.board.presses, "clock_ms", lambda: 60_000)
    answer = served.press(**OK, sent_ms=60_000 + from_now_ms)
    assert answer.status_code == 409
    assert "network" in answer.json()["error"]
    assert not served.pressed
    for in_time_ms in (-LATE_MS, 0, LATE_MS):
        assert served.press(**OK, sent_ms=60_000 + in_time_ms).status_code == 204


@pytest.mark.parametrize("sent", ["now", 1.5, True])
def test_when_a_press_was_made_is_a_number(door, sent):
    sign_in(door)
    assert door.press(**OK, sent_ms=sent).status_code == 422


# --- the stream ------------------------------------------------------------------------


def named_events(response: httpx.Response) -> Iterator[tuple[str, object]]:
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_the_stream_is_for_referees(door):
    assert door.client.get("/api/referee/events").status_code == 401


def test_the_stream_has_the_state_the_sounds_and_a_beat_while_nothing_happens(door):
    sign_in(door)
    with door.client.stream("GET", "/api/referee/events") as response:
        stream = named_events(response)
        beat, state = next(stream), next(stream)
        assert (beat[0], state[0]) == ("beat", "state")
        assert isinstance(beat[1], dict)
        assert abs(server_ms() - beat[1]["server_ms"]) < LATE_MS * 100
        assert next(stream)[0] == "beat"  # nothing happened
        door.display.post_sound(Sound.AGAIN)
        said = [next(stream), next(stream)]
        notes = [[note.hz, note.length_ms] for note in SOUNDS[Sound.AGAIN]]
        assert said[1] == ("sounds", [{"name": "again", "notes": notes}])


def test_a_page_that_has_just_been_opened_hears_no_old_sounds(door):
    sign_in(door)
    door.display.post_sound(Sound.HORN)
    with door.client.stream("GET", "/api/referee/events") as response:
        stream = named_events(response)
        assert [next(stream)[0] for _each in range(3)] == ["beat", "state", "beat"]


def test_a_board_that_is_silenced_is_silent_on_pages_too(served):
    quiet = changed(READY, preferences=changed(READY.preferences, volume=0))
    served.display.post(quiet)
    served.display.post_sound(Sound.HORN)
    assert served.board.sounds.newest == 0


# --- the time of day -------------------------------------------------------------------

NOON_MS = 1_795_348_800_000


class Clockless:
    """A machine that does not know what time it is until it is told."""

    def __init__(self) -> None:
        self.given: list[int] = []

    def now_ns(self) -> int:
        return self.given[-1] if self.given else 0

    def synchronised(self) -> bool:
        return bool(self.given)

    def boot(self) -> str:
        return "boot"

    def give(self, wall_ns: int) -> None:
        self.given.append(wall_ns)


@pytest.fixture
def clockless() -> Iterator[Served]:
    served = Served(pin=PIN, wall=Clockless())
    yield served
    served.close()


def test_a_referee_tells_a_board_without_a_clock_the_time_once(clockless):
    def give(unix_ms: object) -> int:
        return clockless.client.post("/api/clock", json={"unix_ms": unix_ms}).status_code

    assert clockless.client.get("/api/clock").json() == {"known": False}
    assert give(NOON_MS) == 401
    sign_in(clockless)
    for wrong in (None, "noon", True, 12.5, -1, 0, NOON_MS * 1000):
        assert give(wrong) == 422
    assert give(NOON_MS) == 204
    assert clockless.wall.given == [NOON_MS * 1_000_000]
    assert clockless.client.get("/api/clock").json() == {"known": True}
    assert give(NOON_MS) == 409
    assert clockless.client.get("/api/session").json()["signed_in"], "the jump signs nobody out"


def test_another_site_tells_no_time(clockless):
    sign_in(clockless)
    answer = clockless.client.post(
        "/api/clock", json={"unix_ms": NOON_MS}, headers={"origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert clockless.wall.given == []


def test_a_referee_takes_the_board_into_a_hall_by_the_text_of_its_code(door):
    given: list[str] = []

    def join(text: str) -> str:
        if text == "nonsense":
            raise ValueError("the text: is none of a hall")
        if text == "full":
            raise OSError(28, "No space left on device")
        given.append(text)
        return "hikone"

    def sent(text: object) -> httpx.Response:
        return door.client.post("/api/hall", json={"text": text})

    assert sent("JSH1.x").status_code == 401
    sign_in(door)
    assert sent("JSH1.x").status_code == 409
    door.board.join = join
    for wrong in (None, "", 7, "x" * 3_001):
        assert sent(wrong).status_code == 422
    assert sent("nonsense").json() == {"error": "the text: is none of a hall"}
    assert sent("full").status_code == 507
    answer = sent("JSH1.x")
    assert (answer.status_code, answer.json(), given) == (200, {"hall": "hikone"}, ["JSH1.x"])


def test_a_board_that_knows_the_time_offers_nothing(served):
    assert served.client.get("/api/clock").json() == {"known": True}


def test_a_signed_in_referee_reads_whoever_has_filled_all_other_places(door):
    door.display.post(READY)
    door.board.readers.limit = 3
    sign_in(door)
    with ExitStack() as stack:
        for _ in range(3):
            assert stack.enter_context(door.client.stream("GET", "/api/events")).status_code == 200
        assert door.client.get("/api/events").status_code == 503
        own = stack.enter_context(door.client.stream("GET", "/api/referee/events"))
        assert own.status_code == 200


def test_a_spectator_elsewhere_gets_a_place_of_who_has_taken_all(door):
    door.display.post(READY)
    door.board.readers.limit = 3
    elsewhere = httpx.Client(
        base_url=door.client.base_url,
        transport=httpx.HTTPTransport(local_address="127.0.0.66"),
        timeout=PATIENCE_S,
    )
    with ExitStack() as stack:
        taken = [stack.enter_context(elsewhere.stream("GET", "/api/events")) for _ in range(3)]
        assert [each.status_code for each in taken] == [200] * 3
        mine = stack.enter_context(door.client.stream("GET", "/api/events"))
        assert mine.status_code == 200
        assert door.board.readers.count == 3
    elsewhere.close()


def test_the_stream_of_a_referee_ends_with_signing_out(door, monkeypatch):
    monkeypatch.setattr(routes, "BEAT_S", 2 * PATIENCE_S)  # it does not wait for its next beat
    door.display.post(READY)
    sign_in(door)
    with door.client.stream("GET", "/api/referee/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        door.client.post("/api/session/end", json={})
        begun_s = time.monotonic()
        with suppress(httpx.RemoteProtocolError):
            list(lines)
        assert time.monotonic() - begun_s < PATIENCE_S
    assert door.board.referees.count == 0


@pytest.mark.parametrize("is_quiet", [True, False])
@pytest.mark.parametrize("why", ["another PIN", "too old"])
def test_the_stream_of_a_referee_ends_when_the_sign_in_is_over(monkeypatch, why, is_quiet):
    monkeypatch.setattr(routes, "BEAT_S", 0.05 if is_quiet else 2 * PATIENCE_S)
    kept = KeptFile()
    served = Served(pin=None, kept=kept)
    served.display.post(READY)
    sign_in(served, kept.now.pin)
    with served.client.stream("GET", "/api/referee/events") as stream:
        events = named_events(stream)
        assert [next(events)[0], next(events)[0]] == ["beat", "state"]
        if why == "another PIN":
            kept.renew_pin()
        else:
            monkeypatch.setattr(sessions, "LASTS_S", -1)
        if not is_quiet:
            served.display.post(changed(REVIEW, sequence=99))
        with suppress(httpx.RemoteProtocolError):
            assert "state" not in [name for name, _ in events]
    assert served.board.referees.count == 0
    served.close()


def test_who_comes_with_the_code_or_on_a_known_device_is_kept_waiting_by_nobody(door):
    told = sign_in(door).headers.get_list("set-cookie")
    device = next(each for each in told if each.startswith("jackspot_referee_device="))
    assert "path=/api/session" in device.lower()
    assert "httponly" in device.lower()
    known = {"cookie": device.partition(";")[0]}
    door.client.cookies.clear()
    for _try in range(ONE_ADDRESS.free + 1):
        assert sign_in(door, "000000").status_code == 401
    assert sign_in(door).status_code == 429
    again = door.client.post("/api/session", json={"pin": PIN}, headers=known)
    assert again.status_code == 200
    code = door_code(door.kept.now.key, PIN)
    door.client.cookies.clear()
    answer = door.client.post("/api/session", json={"code": code, "name": "Anna"})
    assert (answer.status_code, answer.json()) == (200, {"name": "Anna"})
    assert door.client.post("/api/session", json={"code": "x" * 12}).status_code == 401
    assert door.client.post("/api/session", json={"code": 7}).status_code == 422


@pytest.mark.parametrize(
    ("after_ms", "late_ms", "meant"),
    [
        (400, 0, Gesture.SHORT),
        (999, 0, Gesture.SHORT),
        (1_000, 0, Gesture.HOLD),
        (1_200, 300, Gesture.SHORT),
        (1_301, 300, Gesture.HOLD),
    ],
)
def test_a_hold_that_began_while_pieces_fell_is_a_short_press(
    served, monkeypatch, after_ms: int, late_ms: int, meant: Gesture
):
    """It is complete when it is told: so it may end no board that nobody had read yet."""
    monkeypatch.setattr(served.board.presses, "clock_ms", lambda: 60_000)
    for phase in (Phase.FALLING, Phase.REVIEW):
        served.display.post(changed(REVIEW, phase=phase))
    served.now_ns += after_ms * MS
    answer = served.press(**OK | {"gesture": "hold", "sent_ms": 60_000 - late_ms})
    assert answer.status_code == 204
    (pressed,) = served.pressed
    assert isinstance(pressed, Press)
    assert pressed.gesture is meant
