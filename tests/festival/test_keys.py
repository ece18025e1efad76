"""What the broker of a hall is given, and who may do what there, on a real Mosquitto."""

from __future__ import annotations

import itertools
import pwd
import subprocess
import time
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from jackspot.commands import main
from jackspot.config import Sources, load
from jackspot.festival.certificates import make_authority, make_server
from jackspot.festival.messages import MOST_BYTES, What
from jackspot.festival.names import MOST_BOARDS
from jackspot.festival.users import HOME, HUB, HUB_DOCTOR, OWN, WALL, doctor_of, password
from tests.conftest import PATIENCE_S
from tests.festival.guests import HALL, ROOT, Guest, make, said, secret_of
from tests.test_docs import FORMATS, codes, rows

BELOW = [what.topic(HALL, "b001").removeprefix(f"{ROOT}/") for what in What]
BELOW += ["board/b001/doctor", "board/b001/anything", "to/b001/anything", "all/anything",
          "public/event", "public/calls", "public/board/7", "public/round/singles-A/2",
          "public/anything", "doctor", "anything"]  # fmt: skip
"""Every topic that there is, as a board knows it, and some that might exist."""
BEYOND = [
    "jackspot/1/elsewhere/board/b001/state", "jackspot/2/hikone/board/b001/state",
    "homeassistant/device/jackspot_b003/config",
    "homeassistant/device/jackspot_b001/config/x",
    "weather",
]  # fmt: skip
HOME_CONFIG = "homeassistant/device/jackspot_b001/config"
STATE = f"{ROOT}/board/b001/state"
DOCTOR = doctor_of("b001")
USERS = {
    HUB: HUB,
    HUB_DOCTOR: HUB_DOCTOR,
    WALL: WALL,
    HOME: HOME,
    "b001": "ID",
    DOCTOR: "ID-doctor",
    "b002": "another board",
}
"""Each user with its name on the page of formats, where ID is `b001`."""


def mode(path: Path) -> int:
    """Return the rights of a file."""
    return path.stat().st_mode & 0o777


def test_the_broker_starts_without_a_word_of_warning(hall) -> None:
    folder, _, _ = hall
    log = ""
    while "running" not in log:  # it listens before it says so
        time.sleep(0.01)
        log = (folder.parent / "log").read_text(encoding="utf-8")
    assert not [line for line in log.splitlines() if ": Warning" in line or ": Note" in line]
    assert "deprecated" not in log


@pytest.mark.parametrize("user", USERS)
def test_who_may_what_is_what_the_page_says_topic_by_topic(hall, user: str) -> None:
    folder, port, _ = hall
    guest = Guest(folder, port, user, secret_of(folder, user), user)
    hub = guest if user == HUB else Guest(folder, port, HUB, secret_of(folder, HUB), HUB)
    topics = [*(f"{ROOT}/{each}" for each in BELOW), *BEYOND]
    writes = {topic for topic in topics if guest.may_write(topic)}
    reads = guest.reads(topics, hub)
    assert not {*writes, *reads} & set(BEYOND)
    found = {
        each: "".join(
            word for word, which in (("w", writes), ("r", reads)) if f"{ROOT}/{each}" in which
        )
        for each in BELOW
    }
    head, *told = rows(FORMATS, first="below `jackspot/1/HALL/`", head=True)
    column = next(n for n, cell in enumerate(head) if cell.strip("`") == USERS[user])
    page = {codes(row[0])[0].replace("ID", "b001"): row[column].replace(" ", "") for row in told}
    assert page == found


def test_a_board_alone_says_to_a_home_assistant_how_to_show_it(hall) -> None:
    folder, port, _ = hall
    board, home, hub, wall = (
        Guest(folder, port, user, secret_of(folder, user), user)
        for user in ("b001", HOME, HUB, WALL)
    )
    assert home.reads([HOME_CONFIG, STATE], board) >= {HOME_CONFIG}
    assert not any(each.may_write(HOME_CONFIG) for each in (home, hub, wall))
    assert not board.may_write(HOME_CONFIG.replace("b001", "b002"))
    for each in (board, home, hub, wall):
        each.close()


@pytest.mark.parametrize(
    ("user", "secret"),
    [
        ("b001", ""),
        ("b001", "0" * 32),
        ("", ""),
        ("b003", None),
        (HUB, None),
        (WALL, None),
        (HOME, None),
    ],
)
def test_nobody_gets_in_without_the_password_of_a_user_that_there_is(hall, user, secret) -> None:
    """What a board holds gives nobody the password of the hub or the wall either."""
    folder, port, key = hall
    guest = Guest(folder, port, user, password(key, user) if secret is None else secret, "guest")
    assert guest.codes[0] is False
    guest.close()


@pytest.mark.parametrize("intruder", ["b002", DOCTOR, WALL])
def test_nobody_ends_anothers_connection_by_taking_its_name(hall, intruder) -> None:
    folder, port, _ = hall
    board = Guest(folder, port, "b001", secret_of(folder, "b001"), "b001")
    other = Guest(folder, port, intruder, secret_of(folder, intruder), "b001")
    assert other.codes[0] is True
    assert board.may_write(STATE)
    board.close()
    other.close()


def test_the_largest_message_that_there_may_be_is_taken(hall) -> None:
    folder, port, _ = hall
    guest = Guest(folder, port, "b001", secret_of(folder, "b001"), "b001")
    assert guest.may_write(STATE, b"x" * MOST_BYTES)
    guest.close()


def test_who_reads_slowly_misses_nothing_of_what_a_whole_hall_says_at_once(hall) -> None:
    """By default Mosquitto keeps 1,000 messages for a client, and 999 boards send more."""
    folder, port, _ = hall
    slow, reads, heard = Guest(folder, port, HUB, secret_of(folder, HUB), HUB), Event(), []

    def hear(_client, _data, message) -> None:
        reads.wait(PATIENCE_S)
        heard.append(int(message.payload))

    slow._client.on_message = hear
    slow._client.subscribe(STATE, 1)
    slow.until(lambda: "subscribed" in slow.heard)
    board = Guest(folder, port, "b001", secret_of(folder, "b001"), "b001")
    last = [board._client.publish(STATE, str(n), 1).mid for n in range(4 * MOST_BOARDS)][-1]
    board.until(lambda: last in board.codes)
    reads.set()
    deadline_s = time.monotonic() + PATIENCE_S
    while len(heard) < 4 * MOST_BOARDS and time.monotonic() < deadline_s:
        time.sleep(0.01)
    assert heard == list(range(4 * MOST_BOARDS))
    board.close()
    slow.close()


def test_said_again_for_more_boards_keys_and_certificate_stay(place: Path) -> None:
    folder = place / "hall"
    kept = ("key", "hall.crt", "hall.key", *(f"{user}.password" for user in OWN))
    make(folder, "--boards", "2")
    before = {name: (folder / name).read_bytes() for name in kept}
    make(folder, "--boards", "124", "--address", "hub.local")
    assert {name: (folder / name).read_bytes() for name in kept} == before
    users = [line.partition(":")[0] for line in (folder / "passwords").read_text().splitlines()]
    boards = [f"b{number:03}" for number in range(1, 125)]
    assert sorted(users) == sorted([*OWN, *boards, *(f"{board}-doctor" for board in boards)])


def test_a_folder_that_was_made_before_gets_what_it_lacks(place: Path) -> None:
    folder = place / "hall"
    key = make(folder, "--boards", "2")
    before = secret_of(folder, HUB)
    (folder / "hub.password").unlink()
    (folder / "wall.password").write_text("")
    (folder / "hall.crt").chmod(0o600)
    assert make(folder, "--boards", "2") == key
    secrets = {before, secret_of(folder, HUB), secret_of(folder, WALL)}
    assert len(secrets) == 3
    assert {len(secret) for secret in secrets} == {32}
    assert mode(folder / "hall.crt") == 0o644


def test_only_the_certificate_of_the_hall_is_for_everybody(place: Path) -> None:
    folder = place / "hall"
    make(folder, "--boards", "2")
    modes = {path.name: mode(path) for path in folder.iterdir()}
    assert modes.pop("hall.crt") == 0o644
    assert set(modes.values()) == {0o600}


def test_a_folder_of_another_hall_stays_as_it_is(place: Path) -> None:
    folder = place / "hall"
    make(folder, "--boards", "2")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = said(folder, "--boards", "2", hall="elsewhere")
    assert (done.exit_code, done.stderr) == (
        1,
        f"--hall 'elsewhere': {folder} has the keys of the hall {HALL!r}; "
        "name that one, or another folder\n",
    )
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("lost", ["key", "hall.crt", "hall.key"])
def test_keys_that_boards_have_are_not_made_again_where_one_is_lost(place: Path, lost) -> None:
    folder = place / "hall"
    make(folder, "--boards", "2")
    (folder / lost).unlink()
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = said(folder, "--boards", "2")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"{folder}: has no {lost}, and ")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.needs_root
def test_as_root_the_broker_is_mosquittos_and_the_keys_are_not(mosquitto, place: Path) -> None:
    folder = place / "hall"
    make(folder, "--boards", "2")
    owners = {path.name: pwd.getpwuid(path.stat().st_uid).pw_name for path in folder.iterdir()}
    its = {"mosquitto.conf", "server.crt", "server.key", "passwords", "access"}
    assert {name for name, owner in owners.items() if owner == "mosquitto"} == its


@pytest.mark.needs_root
def test_as_root_a_folder_that_mosquitto_cannot_enter_is_refused(mosquitto, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    done = said(tmp_path / "new" / "hall", "--boards", "2")
    assert done.exit_code == 1
    assert f"mosquitto, which may not enter {tmp_path}; " in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("address", "broker"),
    [
        ("127.0.0.1", ("127.0.0.1", 18883)),
        ("hub.local", ("hub.local", 18883)),
        ("fd00::0:7", ("fd00::7", 18883)),
    ],
)
def test_the_table_for_the_boards_is_one_that_a_board_takes(place: Path, address, broker) -> None:
    words = ["hub", "keys", str(place / "hall"), "--hall", HALL, "--boards", "2",
             "--address", address, "--port", "18883"]  # fmt: skip
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    festival = load(Sources((place / "hall" / "festival.toml",))).festival
    key = (place / "hall" / "key").read_text(encoding="ascii")
    assert (festival.hall, festival.addresses, festival.key) == (HALL, (broker,), key)


def test_what_is_written_is_said_with_what_to_do_with_it(place: Path) -> None:
    folder = place / "hall"
    told = said(folder, "--boards", "2").output
    assert f"-c {folder / 'mosquitto.conf'}" in told
    for name in ("festival.toml", *(f"{user}.password" for user in OWN)):
        assert name in told
    assert "stays where it is" in told


NO_ADDRESS = "expected an address or a name of a machine, without a port"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--hall", "A B"), "--hall 'A B': expected a word of small letters, digits and hyphens"),
        *(
            (("--address", wrong), f"--address {wrong!r}: {NO_ADDRESS}")
            for wrong in ("a\nb", "192.168.7.10:8883", "[fd00::7]", "[fd00::7]:8883", "hub:1",
                          "192.168.7", "192.168.7.300", "1", "::", "0.0.0.0", "fe80::1%eth0",
                          "hub..local", "-hub", "mqtt://hub", "ä", "x" * 64, "")
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_what_was_expected(
    place: Path, words: tuple[str, str], says: str
) -> None:
    usual = {"--hall": HALL, "--address": "127.0.0.1", "--boards": "2"}
    usual.update([words])
    done = CliRunner().invoke(
        main, ["hub", "keys", str(place / "hall"), *itertools.chain(*usual.items())]
    )
    assert (done.exit_code, done.stderr.split(" (")[0].rstrip()) == (1, says)
    assert not (place / "hall").exists()


def test_certificates_stand_the_strict_check_that_newer_pythons_make(tmp_path) -> None:
    authority = make_authority("hikone")
    ca, server = tmp_path / "ca.crt", tmp_path / "server.crt"
    ca.write_text(authority.certificate)
    server.write_text(make_server(authority, ["127.0.0.1", "hub.local"]).certificate)
    done = subprocess.run(
        ("openssl", "verify", "-x509_strict", "-CAfile", ca, server),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
