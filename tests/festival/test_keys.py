"""What the broker of a hall is given, and who may what there: on a real Mosquitto."""

from __future__ import annotations

import itertools
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from click.testing import CliRunner
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.commands import main
from jackspot.config import Sources, load
from jackspot.festival.broker import free_port, program, reached
from jackspot.festival.users import HUB, WALL, password
from tests.conftest import PATIENCE_S
from tests.festival.conftest import HALL

ROOT = f"jackspot/1/{HALL}"
TOPICS = {
    "own state": f"{ROOT}/board/b001/state",
    "own status": f"{ROOT}/board/b001/status",
    "another's state": f"{ROOT}/board/b002/state",
    "own ack": f"{ROOT}/to/b001/ack",
    "another's order": f"{ROOT}/to/b002/order",
    "gong": f"{ROOT}/all/gong",
    "standings": f"{ROOT}/public/standings",
    "another hall": "jackspot/1/elsewhere/board/b001/state",
    "anything": "weather",
}
WRITES = {HUB: set(TOPICS) - {"another hall", "anything"}, WALL: set(),
          "b001": {"own state", "own status"}}  # fmt: skip
READS = {HUB: set(TOPICS) - {"another hall", "anything"}, WALL: {"standings"},
         "b001": {"own status", "own ack", "gong"}}  # fmt: skip
"""Who may what."""


def make(folder: Path, *further: str) -> str:
    """Have the keys of a hall made; give the hall's key."""
    words = ["hub", "keys", str(folder), "--hall", HALL, "--address", "127.0.0.1", *further]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return (folder / "key").read_text(encoding="ascii")


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

    def may_write(self, topic: str) -> bool:
        """Publish, and see what the broker says of it."""
        with self._changed:
            number = self._client.publish(topic, b"{}", 1, retain=True).mid
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
def hall(mosquitto: None, tmp_path: Path) -> Iterator[tuple[Path, int, str]]:
    """A broker with a hall's keys: their folder, its port, the hall's key."""
    folder, port = tmp_path / "hall", free_port()
    key = make(folder, "--boards", "2", "--port", str(port))
    words, nowhere = [program(), "-c", str(folder / "mosquitto.conf")], subprocess.DEVNULL
    with subprocess.Popen(words, stdout=nowhere, stderr=nowhere) as running:
        assert reached(("127.0.0.1", port), lambda: running.poll() is None)
        yield folder, port, key
        running.terminate()


@pytest.mark.parametrize("user", [HUB, WALL, "b001"])
def test_everybody_writes_and_reads_what_is_theirs_and_nothing_else(hall, user) -> None:
    folder, port, key = hall
    guest = Guest(folder, port, user, password(key, user), user)
    assert {name for name, topic in TOPICS.items() if guest.may_write(topic)} == WRITES[user]
    hub = Guest(folder, port, HUB, password(key, HUB), "another hub")
    heard = guest.reads(list(TOPICS.values()), hub)
    assert {name for name, topic in TOPICS.items() if topic in heard} == READS[user]
    guest.close()
    hub.close()


@pytest.mark.parametrize(
    ("user", "secret"), [("b001", ""), ("b001", "0" * 32), ("", ""), ("b003", None)]
)
def test_nobody_gets_in_without_the_password_of_a_board_that_there_is(hall, user, secret) -> None:
    folder, port, key = hall
    guest = Guest(folder, port, user, password(key, user) if secret is None else secret, "guest")
    assert guest.codes[0] is False
    guest.close()


def test_said_again_for_more_boards_the_key_and_the_certificate_stay(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    before = make(folder, "--boards", "2"), (folder / "hall.crt").read_bytes()
    again = (
        make(folder, "--boards", "124", "--address", "hub.local"),
        (folder / "hall.crt").read_bytes(),
    )
    assert before == again
    users = [line.partition(":")[0] for line in (folder / "passwords").read_text().splitlines()]
    assert users == ["hub", "wall", *(f"b{number:03}" for number in range(1, 125))]
    assert {path.stat().st_mode & 0o077 for path in folder.iterdir()} == {0}


def test_the_table_for_the_boards_is_one_that_a_board_takes(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    key = make(folder, "--boards", "2", "--port", "18883")
    festival = load(Sources((folder / "festival.toml",))).festival
    assert (festival.hall, festival.address, festival.key) == (HALL, ("127.0.0.1", 18883), key)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--hall", "A B"], "--hall 'A B': expected a word of small letters, digits and hyphens"),
        (["--address", "a\nb"], r"--address 'a\nb': expected an address or name of a machine"),
    ],
)
def test_what_cannot_be_is_refused_with_what_was_expected(tmp_path: Path, words, says) -> None:
    usual = {"--hall": HALL, "--address": "127.0.0.1", "--boards": "2"}
    usual.update([tuple(words)])
    done = CliRunner().invoke(
        main, ["hub", "keys", str(tmp_path / "hall"), *itertools.chain(*usual.items())]
    )
    assert (done.exit_code, done.stderr) == (1, f"{says}\n")
    assert not (tmp_path / "hall").exists()
