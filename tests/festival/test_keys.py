"""What the broker of a hall is given, and who may what there: on a real Mosquitto."""

from __future__ import annotations

import itertools
import pwd
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import paho.mqtt.client as mqtt
import pytest
from click.testing import CliRunner, Result
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.commands import main
from jackspot.config import Sources, load
from jackspot.festival.broker import free_port, program, reached
from jackspot.festival.messages import MOST_BYTES
from jackspot.festival.users import HUB, WALL, password
from tests.conftest import PATIENCE_S
from tests.festival.conftest import HALL

ROOT = f"jackspot/1/{HALL}"
TOPICS = {
    "own state": f"{ROOT}/board/b001/state",
    "own status": f"{ROOT}/board/b001/status",
    "own doctor": f"{ROOT}/board/b001/doctor",
    "own twice": f"{ROOT}/board/b001/twice",
    "another's state": f"{ROOT}/board/b002/state",
    "another's doctor": f"{ROOT}/board/b002/doctor",
    "own ack": f"{ROOT}/to/b001/ack",
    "another's order": f"{ROOT}/to/b002/order",
    "gong": f"{ROOT}/all/gong",
    "standings": f"{ROOT}/public/standings",
    "another hall": "jackspot/1/elsewhere/board/b001/state",
    "home": "homeassistant/device/jackspot_b001/config",
    "anything": "weather",
}
BEYOND = {"another hall", "home", "anything"}
DOCTOR = "b001-doctor"
WRITES = {HUB: set(TOPICS) - BEYOND, WALL: set(),
          "b001": {"own state", "own status", "own doctor", "own twice"},
          DOCTOR: {"own doctor", "own twice"}}  # fmt: skip
READS = {HUB: set(TOPICS) - BEYOND, WALL: {"standings"},
         "b001": {"own status", "own twice", "own ack", "gong"},
         DOCTOR: {"own status"}}  # fmt: skip
"""Who may what."""


def said(folder: Path, *further: str, hall: str = HALL) -> Result:
    """Have the keys of a hall made; give what the command says."""
    words = ["hub", "keys", str(folder), "--hall", hall, "--address", "127.0.0.1", *further]
    return CliRunner().invoke(main, words)


def make(folder: Path, *further: str) -> str:
    """Have the keys of a hall made; give the hall's key."""
    done = said(folder, *further)
    assert done.exit_code == 0, done.output
    return (folder / "key").read_text(encoding="ascii")


def secret_of(folder: Path, user: str) -> str:
    """The password of a user: the hub's and the wall's lie in the folder, others are derived."""
    if user in {HUB, WALL}:
        return (folder / f"{user}.password").read_text(encoding="ascii")
    return password((folder / "key").read_text(encoding="ascii"), user)


def mode(path: Path) -> int:
    """The rights of a file."""
    return path.stat().st_mode & 0o777


class Guest:
    """Somebody at a broker, under a name and with a password."""

    def __init__(self, folder: Path, port: int, user: str, secret: str, name: str) -> None:
        self.heard: set[str] = set()
        self.codes: dict[int, bool] = {}
        self.refused: list[str] = []
        self._changed = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv5,
                                   reconnect_on_failure=False)  # fmt: skip
        self._client.username_pw_set(user, secret)
        self._client.tls_set(str(folder / "hall.crt"))
        self._client.on_connect = self._connected
        self._client.on_publish = self._published
        self._client.on_message = lambda _client, _data, message: self._note(message.topic)
        self._client.on_subscribe = lambda *_: self._note("subscribed")
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        self.until(lambda: self.codes.get(0) is not None)

    def _note(self, word: str) -> None:
        with self._changed:
            self.heard.add(word)
            self._changed.notify_all()

    def _connected(self, _client, _data, _flags, code, _properties) -> None:
        with self._changed:
            self.codes[0] = not code.is_failure
            self._changed.notify_all()

    def _published(self, _client, _data, number, code, _properties) -> None:
        with self._changed:
            self.codes[number] = not code.is_failure
            self._changed.notify_all()

    def until(self, what) -> None:
        with self._changed:
            assert self._changed.wait_for(what, PATIENCE_S)

    def may_write(self, topic: str, payload: bytes = b"{}") -> bool:
        """Publish, and see what the broker says of it."""
        with self._changed:
            number = self._client.publish(topic, payload, 1, retain=True).mid
        self.until(lambda: number in self.codes)
        return self.codes[number]

    def reads(self, topics: list[str], told: Guest) -> set[str]:
        """Subscribe to topics that have something retained; what is heard before a last word."""
        self._client.subscribe([(topic, 1) for topic in topics])
        self.until(lambda: "subscribed" in self.heard)
        for topic in topics:
            told.may_write(topic)
        self.until(lambda: "subscribed" in self.heard)
        self.may_write(f"{ROOT}/end")  # its answer comes after what was on its way to it
        return self.heard - {"subscribed"}

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that Mosquitto's own user may enter, as it may none of pytest's."""
    with TemporaryDirectory(prefix="jackspot-hall-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture
def hall(mosquitto: None, place: Path) -> Iterator[tuple[Path, int, str]]:
    """A broker with a hall's keys: their folder, its port, the hall's key."""
    folder, port = place / "hall", free_port()
    key = make(folder, "--boards", "2", "--port", str(port))
    words = [program(), "-c", str(folder / "mosquitto.conf")]
    with (
        (place / "log").open("wb") as log,
        subprocess.Popen(words, stdout=log, stderr=log) as running,
    ):
        assert reached(("127.0.0.1", port), lambda: running.poll() is None)
        yield folder, port, key
        running.terminate()


def test_the_broker_starts_without_a_word_of_warning(hall) -> None:
    folder, _, _ = hall
    log = ""
    while "running" not in log:  # it listens before it says so
        time.sleep(0.01)
        log = (folder.parent / "log").read_text(encoding="utf-8")
    assert not [line for line in log.splitlines() if ": Warning" in line or ": Note" in line]
    assert "deprecated" not in log


@pytest.mark.parametrize("user", [HUB, WALL, "b001", DOCTOR])
def test_everybody_writes_and_reads_what_is_theirs_and_nothing_else(hall, user) -> None:
    folder, port, _ = hall
    guest = Guest(folder, port, user, secret_of(folder, user), user)
    hub = guest if user == HUB else Guest(folder, port, HUB, secret_of(folder, HUB), HUB)
    assert {name for name, topic in TOPICS.items() if guest.may_write(topic)} == WRITES[user]
    heard = guest.reads(list(TOPICS.values()), hub)
    assert {name for name, topic in TOPICS.items() if topic in heard} == READS[user]
    guest.close()
    hub.close()


@pytest.mark.parametrize(
    ("user", "secret"),
    [("b001", ""), ("b001", "0" * 32), ("", ""), ("b003", None), (HUB, None), (WALL, None)],
)
def test_nobody_gets_in_without_the_password_of_a_user_that_there_is(hall, user, secret) -> None:
    """What a board holds is no password of the hub or the wall either."""
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
    assert board.may_write(TOPICS["own state"])
    board.close()
    other.close()


def test_the_largest_message_that_there_may_be_is_taken(hall) -> None:
    folder, port, _ = hall
    guest = Guest(folder, port, "b001", secret_of(folder, "b001"), "b001")
    assert guest.may_write(TOPICS["own state"], b"x" * MOST_BYTES)
    guest.close()


def test_said_again_for_more_boards_keys_and_certificate_stay(place: Path) -> None:
    folder = place / "hall"
    kept = ("key", "hall.crt", "hall.key", "hub.password", "wall.password")
    make(folder, "--boards", "2")
    before = {name: (folder / name).read_bytes() for name in kept}
    make(folder, "--boards", "124", "--address", "hub.local")
    assert {name: (folder / name).read_bytes() for name in kept} == before
    users = [line.partition(":")[0] for line in (folder / "passwords").read_text().splitlines()]
    boards = [f"b{number:03}" for number in range(1, 125)]
    assert sorted(users) == sorted([HUB, WALL, *boards, *(f"{board}-doctor" for board in boards)])


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
    assert (festival.hall, festival.address, festival.key) == (HALL, broker, key)


def test_what_is_written_is_said_with_what_to_do_with_it(place: Path) -> None:
    folder = place / "hall"
    told = said(folder, "--boards", "2").output
    assert f"-c {folder / 'mosquitto.conf'}" in told
    for name in ("festival.toml", "hall.crt", "hub.password", "wall.password"):
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
