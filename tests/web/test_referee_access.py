"""Who may press: PINs, cookies, and how wrong PINs are slowed down. Time is the tests' own."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
from hypothesis import given, strategies as st

from jackspot.assembly import KINDS
from jackspot.config import find, load
from jackspot.dialogue.lists.menu import marked_line
from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.oled.sign_in import SignInAddress, draw_door
from jackspot.displays.words import translator
from jackspot.sensing.events import Button, Gesture, Key, Place, Press
from jackspot.storage.journal import read_checked
from jackspot.values import changed
from jackspot.web.addresses import page_url
from jackspot.web.referee.access import Access, TooSoon, Unknown
from jackspot.web.referee.kept import (
    BOOTS_KEPT,
    KEPT_NAME,
    PIN_DIGITS,
    KeptFile,
    KeptSignIns,
    door_code,
)
from jackspot.web.referee.patience import (
    ALL_ADDRESSES,
    FREE_AT_ONCE,
    FREE_PER_S,
    ONE_ADDRESS,
    WrongPins,
)
from jackspot.web.referee.sessions import LASTS_S, Sessions
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.clock import SimClock

PIN = "246810"
PINS = st.text(alphabet="0123456789", min_size=4, max_size=12)


class Deaf:
    """Pages that nobody serves."""

    name = "page"

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        """Show nothing."""

    def post_sound(self, sound: Sound) -> None:
        """Hear nothing."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        del timeout_s
        return True


class Machine:
    """A machine with a clock of its running time and a wall clock that may be unknown."""

    def __init__(self) -> None:
        self.running_s = 100.0
        self.wall_s: int | None = None
        self.name = "boot 1"

    def clock(self) -> float:
        return self.running_s

    def now_ns(self) -> int:
        return (self.wall_s or 0) * 10**9

    def synchronised(self) -> bool:
        return self.wall_s is not None

    def boot(self) -> str:
        return self.name

    def start_again(self, number: int) -> None:
        self.name, self.running_s = f"boot {number}", 5.0

    def sessions(self, kept: KeptFile, pin: str | None = PIN) -> Sessions:
        return Sessions(kept, pin, self, self.clock)


@pytest.fixture
def machine() -> Machine:
    return Machine()


# --- cookies ---------------------------------------------------------------------------


def test_a_cookie_is_read_back_with_its_name_also_after_a_restart_of_the_program(machine, tmp_path):
    path = tmp_path / "referee.json"
    session, cookie = machine.sessions(KeptFile(path)).open("Änne")
    again = machine.sessions(KeptFile(path)).read(cookie)
    assert again == session
    assert again is not None
    assert again.name == "Änne"


@given(at=st.integers(min_value=0), letter=st.sampled_from("aZ09-_."))
def test_a_cookie_that_was_touched_anywhere_is_nobodys(at, letter):
    sessions = Machine().sessions(KeptFile())
    _session, cookie = sessions.open()
    at %= len(cookie)
    touched = cookie[:at] + letter + cookie[at + 1 :]
    # The last letter of a signature has bits that mean nothing.
    assert touched == cookie or at == len(cookie) - 1 or sessions.read(touched) is None


@given(text=st.text(max_size=200))
def test_what_nobody_signed_is_nobodys(text):
    assert Machine().sessions(KeptFile()).read(text) is None


def test_another_pin_ends_all_sessions(machine):
    kept = KeptFile()
    _session, cookie = machine.sessions(kept).open()
    assert machine.sessions(kept, "135790").read(cookie) is None


def test_a_new_pin_ends_every_session_and_outlasts_a_restart(machine, tmp_path):
    path = tmp_path / "referee.json"
    kept = KeptFile(path)
    sessions = machine.sessions(kept, None)
    door, old, code = Access(sessions), sessions.pin, sessions.code
    _session, cookie = door.sign_in(old, "10.0.0.7")
    kept.renew_pin()
    assert door.session(cookie) is None
    with pytest.raises(Unknown):
        door.sign_in(old, "10.0.0.7")
    with pytest.raises(Unknown):
        door.sign_in("", "10.0.0.7", code=code)
    assert door.sign_in(sessions.pin, "10.0.0.7")
    assert door.sign_in("", "10.0.0.7", code=sessions.code)
    assert (len(sessions.pin), sessions.pin != old) == (PIN_DIGITS, True)
    again = machine.sessions(KeptFile(path), None)
    assert (again.pin, again.code) == (sessions.pin, sessions.code)
    assert again.read(cookie) is None


def test_a_new_pin_is_another_one_whatever_chance_says(monkeypatch):
    kept = KeptFile()
    drawn = iter([kept.now.pin, kept.now.pin, "135790"])
    monkeypatch.setattr("jackspot.web.referee.kept.new_pin", lambda: next(drawn))
    kept.renew_pin()
    assert kept.now.pin == "135790"


def test_a_pin_of_the_config_is_no_business_of_the_file(machine):
    kept = KeptFile()
    sessions = machine.sessions(kept)
    _session, cookie = sessions.open()
    kept.renew_pin()
    assert sessions.pin == PIN
    assert sessions.read(cookie) is not None


def test_who_signs_out_while_the_pin_is_renewed_does_not_bring_the_old_one_back(monkeypatch):
    kept = KeptFile()
    old = kept.now.pin
    renewing = Thread(target=kept.renew_pin)

    def renewed_meanwhile(now: KeptSignIns, **changes: Any) -> KeptSignIns:
        if "ended" in changes:
            renewing.start()
            renewing.join(0.2)
        return changed(now, **changes)

    monkeypatch.setattr("jackspot.web.referee.kept.changed", renewed_meanwhile)
    kept.end_session("one")
    renewing.join()
    assert kept.now.pin != old
    assert kept.now.ended == ("one",)


@pytest.mark.parametrize(
    ("pin", "made"), [("", True), ('pin = "24680"', True), ('pin = "246810"', False)]
)
def test_the_boards_menu_makes_a_new_pin_where_it_made_the_first_and_shows_it(tmp_path, pin, made):
    (tmp_path / "jackspot.toml").write_text(f'[web]\nhost = "192.168.1.20"\n{pin}\n')
    pages = Onlookers(pages=lambda _live: Deaf())
    config = load(find(tmp_path / "jackspot.toml"))
    rig = Rig(config, tmp_path / "journal.sqlite3", SimClock(None), pages)
    kept = KeptFile(tmp_path / KEPT_NAME).now
    rig.board.start()
    at_ns = rig.clock.now_ns()

    def shown(now: KeptSignIns) -> bool:
        url = page_url(config.web.host, config.web.port, "referee")
        used = now.pin if made else PIN
        door = SignInAddress(url, used, door_code(now.key, used))
        return rig.bus.picture().tobytes() == draw_door(door, translator("en")).tobytes()

    def press(key: Key, gesture: Gesture = Gesture.SHORT) -> None:
        nonlocal at_ns
        at_ns += 5 * 10**9
        rig.board.take(Press(at_ns, at_ns, Button(Place.REFEREE, key), gesture))

    def go_to(line: str) -> None:
        while marked_line(rig.board.dialogue) != line:
            press(Key.FIX)

    press(Key.FIX, Gesture.HOLD)
    go_to("the board itself")
    press(Key.OK)
    go_to("referee's page")
    press(Key.OK)
    assert shown(kept)
    press(Key.OK)
    go_to("new PIN")
    press(Key.OK, Gesture.HOLD)
    now = KeptFile(tmp_path / KEPT_NAME).now
    assert (now.pin != kept.pin, now.key) == (made, kept.key)
    assert shown(now) is made
    rig.board.stop()
    asked = [e for e in read_checked(tmp_path / "journal.sqlite3", KINDS) if e.kind == "new_pin"]
    assert [dict(entry.body) for entry in asked] == [{}] * made, "the PIN is not in the journal"


def test_another_board_does_not_know_the_cookie(machine):
    _session, cookie = machine.sessions(KeptFile()).open()
    assert machine.sessions(KeptFile()).read(cookie) is None


def test_a_session_that_was_signed_out_is_over_for_every_copy_of_its_cookie(machine, tmp_path):
    path = tmp_path / "referee.json"
    sessions = machine.sessions(KeptFile(path))
    session, cookie = sessions.open()
    other, others = sessions.open()
    sessions.end(session)
    assert sessions.read(cookie) is None
    assert machine.sessions(KeptFile(path)).read(cookie) is None
    assert machine.sessions(KeptFile(path)).read(others) == other


def test_a_session_ends_after_a_day_at_the_board_whatever_the_wall_clock_does(machine):
    sessions = machine.sessions(KeptFile())
    _session, cookie = sessions.open()
    machine.wall_s = 1_800_000_000  # the network came, and years went by
    machine.running_s += LASTS_S
    assert sessions.read(cookie) is not None
    machine.running_s += 1
    assert sessions.read(cookie) is None


def test_after_a_power_cut_the_wall_clock_tells_the_age_where_it_is_known(machine):
    kept = KeptFile()
    machine.wall_s = 1_800_000_000
    _session, cookie = machine.sessions(kept).open()
    machine.start_again(2)
    machine.wall_s += LASTS_S
    assert machine.sessions(kept).read(cookie) is not None
    machine.wall_s += 1
    assert machine.sessions(kept).read(cookie) is None


def test_without_a_wall_clock_a_session_holds_over_two_further_starts(machine):
    kept = KeptFile()
    _session, cookie = machine.sessions(kept).open()
    for number in range(2, BOOTS_KEPT + 1):
        machine.start_again(number)
        assert machine.sessions(kept).read(cookie) is not None
    machine.start_again(BOOTS_KEPT + 1)
    assert machine.sessions(kept).read(cookie) is None


# --- what is kept ----------------------------------------------------------------------


def test_key_and_pin_are_made_once_and_only_the_boards_user_may_read_them(tmp_path):
    path = tmp_path / "referee.json"
    before = os.umask(0)
    try:
        made = KeptFile(path).now
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert KeptFile(path).now == made
    assert len(made.pin) == PIN_DIGITS
    assert made.pin.isdigit()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 2}', '{"format": 1, "key": "00", "pin": "1234"}',
             '{"format": 1, "key": "zz", "pin": "1234"}']
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_made_anew_and_that_is_said(tmp_path, caplog, text):
    path = tmp_path / "referee.json"
    path.write_text(text)
    made = KeptFile(path).now
    assert KeptFile(path).now == made
    assert "referees sign in again" in caplog.text


def test_where_nothing_can_be_written_sessions_hold_until_the_program_ends(tmp_path, caplog):
    kept = KeptFile(tmp_path / "no such folder" / "referee.json")
    machine = Machine()
    _session, cookie = machine.sessions(kept).open()
    assert machine.sessions(kept).read(cookie) is not None
    assert "referee.json" in caplog.text


def test_the_configs_own_pin_is_not_written_down(tmp_path):
    path = tmp_path / "referee.json"
    machine = Machine()
    machine.sessions(KeptFile(path), "975312468").open()
    assert "975312468" not in path.read_text()
    assert json.loads(path.read_text())["boots"] == ["boot 1"]


# --- wrong PINs ------------------------------------------------------------------------


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def access(clock: Clock, pin: str = PIN) -> Access:
    return Access(Machine().sessions(KeptFile(), pin), WrongPins(clock))


def guess(door: Access, pin: str, address: str = "10.0.0.7", device: str | None = None) -> None:
    with pytest.raises(Unknown):
        door.sign_in(pin, address, device=device)


@given(pin=PINS, guessed=st.text(max_size=20))
def test_no_other_text_opens(pin, guessed):
    door = access(Clock(), pin)
    if guessed == pin:
        assert door.sign_in(guessed, "a")
    else:
        guess(door, guessed)


def test_a_text_that_is_no_text_is_a_wrong_pin_and_no_mishap():
    guess(access(Clock()), "\ud800")


def test_after_some_wrong_pins_even_the_right_one_has_to_wait_and_then_opens():
    clock = Clock()
    door = access(clock)
    for _try in range(ONE_ADDRESS.free + 1):
        guess(door, "000000")
    with pytest.raises(TooSoon) as soon:
        door.sign_in(PIN, "10.0.0.7")
    assert soon.value.wait_s == ONE_ADDRESS.first_s
    clock.now_s += ONE_ADDRESS.first_s
    assert door.sign_in(PIN, "10.0.0.7")
    guess(door, "000000")  # and its slips are forgotten
    assert door.sign_in(PIN, "10.0.0.7")


def test_another_address_does_not_wait_for_one_that_guesses():
    door = access(Clock())
    for _try in range(ONE_ADDRESS.free + 1):
        guess(door, "000000")
    assert door.sign_in(PIN, "10.0.0.8")


def test_the_wait_doubles_up_to_its_limit():
    clock = Clock()
    wrong = WrongPins(clock)
    waits = []
    for _try in range(ONE_ADDRESS.free + 10):
        clock.now_s += wrong.wait_s("a")
        wrong.wrong("a")
        waits.append(wrong.wait_s("a"))
    assert waits[: ONE_ADDRESS.free] == [0.0] * ONE_ADDRESS.free
    assert waits[ONE_ADDRESS.free :][:4] == [2.0, 4.0, 8.0, 16.0]
    assert waits[-1] == ONE_ADDRESS.most_s


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(0, 5)), max_size=200))
def test_however_many_addresses_guess_together_they_get_few_tries(tries):
    """Over any time, no more than the free tries and one in each longest wait are looked at.

    Each address has free tries of its own; all that have used theirs up share some more.
    """
    clock = Clock()
    door = access(clock)
    looked_at = 0
    for address, pause_s in tries:
        clock.now_s += pause_s
        try:
            door.sign_in("000000", f"10.0.0.{address}")
        except Unknown:
            looked_at += 1
        except TooSoon:
            pass
    growing = 5  # waits of 1, 2, 4 and 8 seconds come before the longest
    own = ONE_ADDRESS.free * len({address for address, _pause in tries})
    allowed = own + ALL_ADDRESSES.free + growing + clock.now_s / ALL_ADDRESSES.most_s
    assert looked_at <= allowed + 1


def attack(door: Access, clock: Clock, tries: int, addresses: int) -> int:
    """Guess from many addresses as fast as possible; return how many guesses were looked at."""
    looked_at = 0
    for number in range(tries):
        clock.now_s += 0.01
        with suppress(TooSoon):
            guess(door, "000000", f"10.1.{number % addresses // 256}.{number % addresses % 256}")
            looked_at += 1
    return looked_at


def test_an_address_without_a_wrong_pin_gets_in_while_many_others_guess():
    clock = Clock()
    door = access(clock)
    for number in range(40):
        attack(door, clock, 500, 100)
        assert door.sign_in(PIN, f"10.0.0.{number}")


def test_a_finger_that_slips_is_forgiven_while_many_others_guess():
    clock = Clock()
    door = access(clock)
    attack(door, clock, 2_000, 100)
    for _try in range(ONE_ADDRESS.free - 1):
        guess(door, "000000", "10.0.0.8")
    assert door.sign_in(PIN, "10.0.0.8")


def test_who_scans_the_displays_code_gets_in_whatever_others_do():
    clock = Clock()
    sessions = Machine().sessions(KeptFile())
    door = Access(sessions, WrongPins(clock))
    attack(door, clock, 20_000, 2_000)
    with pytest.raises(TooSoon):
        door.sign_in(PIN, "10.0.0.8")
    assert door.sign_in("", "10.0.0.8", "Anna", code=sessions.code)[0].name == "Anna"
    assert len(sessions.code) == 12
    with pytest.raises(Unknown, match="scan"):
        door.sign_in("", "10.0.0.8", code=sessions.code[:-1])


def test_the_code_is_another_one_with_another_pin_or_board():
    kept, machine = KeptFile(), Machine()
    codes = {machine.sessions(kept, pin).code for pin in (PIN, "135790")}
    assert len(codes | {machine.sessions(KeptFile(), PIN).code}) == 3


def test_a_device_that_signed_in_before_gets_in_whatever_others_do_and_has_its_own_patience():
    clock = Clock()
    door = access(clock)
    device = door.device(None)
    assert door.device(device) == device
    attack(door, clock, 20_000, 2_000)
    with pytest.raises(TooSoon):
        door.sign_in(PIN, "10.0.0.8", device="made up")
    assert door.sign_in(PIN, "10.0.0.8", device=device)
    for _try in range(ONE_ADDRESS.free + 1):
        with pytest.raises(Unknown):
            door.sign_in("000000", "10.0.0.8", device=device)
    with pytest.raises(TooSoon):
        door.sign_in(PIN, "10.0.0.8", device=device)


def test_who_signed_in_with_an_earlier_pin_has_no_more_tries_at_the_new_one_than_anybody():
    def looked_at(devices: int) -> int:
        clock, kept = Clock(), KeptFile()
        door = Access(Machine().sessions(kept, None), WrongPins(clock))
        known: list[str | None] = [door.device(None) for _ in range(devices)]
        known = known or [None]
        kept.renew_pin()
        tries = 0
        for number in range(4_000):
            clock.now_s += 0.05
            with suppress(TooSoon):
                guess(door, "none", device=known[number // 3 % len(known)])
                tries += 1
        return tries

    assert looked_at(devices=1_100) == looked_at(devices=0)


def test_six_digits_last_for_months_whoever_guesses_from_wherever():
    """As many addresses as there are guess as fast as possible for a day."""
    clock = Clock()
    door = access(clock)
    looked_at = 0
    for number in range(24 * 3_600):
        clock.now_s += 1
        for each in range(2):  # an address that is new, and one that has guessed before
            with suppress(TooSoon):
                guess(door, "000000", f"new {number}" if each else f"old {number % 500}")
                looked_at += 1
    assert looked_at < FREE_AT_ONCE + 24 * 3_600 * (FREE_PER_S + 1 / ALL_ADDRESSES.most_s) + 100
    assert 10**6 / looked_at > 60  # days


def test_who_has_signed_in_is_not_kept_waiting_by_others_who_guess():
    clock = Clock()
    door = access(clock)
    session, cookie = door.sign_in(PIN, "10.0.0.8", "Anna")
    attack(door, clock, 20_000, 2_000)
    with pytest.raises(TooSoon):
        door.sign_in(PIN, "10.0.0.9")
    assert door.demand(cookie) == session
