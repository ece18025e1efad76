"""Clients of a hall's broker, each under a name and with a password, right or wrong."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import paho.mqtt.client as mqtt
from click.testing import CliRunner, Result
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.commands import main
from jackspot.festival.users import OWN, password
from tests.conftest import PATIENCE_S

HALL = "hikone"
ROOT = f"jackspot/1/{HALL}"


def said(folder: Path, *further: str, hall: str = HALL) -> Result:
    """Make the keys of a hall; return the result of the command."""
    words = ["hub", "keys", str(folder), "--hall", hall, "--address", "127.0.0.1", *further]
    return CliRunner().invoke(main, words)


def make(folder: Path, *further: str) -> str:
    """Make the keys of a hall; return the hall's key."""
    done = said(folder, *further)
    assert done.exit_code == 0, done.output
    return (folder / "key").read_text(encoding="ascii")


def secret_of(folder: Path, user: str) -> str:
    """Return a user's password: those of ``OWN`` are in the folder, a board's is derived."""
    if user in OWN:
        return (folder / f"{user}.password").read_text(encoding="ascii")
    return password((folder / "key").read_text(encoding="ascii"), user)


ON_ITS_WAY = 20
"""The most unacknowledged messages that a broker has in flight to one of its clients."""


class Guest:
    """A client under a name and with a password. ``will``: the topic of its last will."""

    def __init__(
        self, folder: Path, port: int, user: str, secret: str, name: str, will: str = ""
    ) -> None:
        self.heard: set[str] = set()
        self.codes: dict[int, bool] = {}
        self.refused: list[str] = []
        self._changed = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv5,
                                   reconnect_on_failure=False)  # fmt: skip
        self._client.username_pw_set(user, secret)
        self._client.tls_set(str(folder / "hall.crt"))
        if will:
            self._client.will_set(will, b"{}", 1, retain=True)
        self._client.on_connect = self._connected
        self._client.on_disconnect = lambda *_: self._note("gone")
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
        """Publish; return whether the broker accepts it, False if it ends the connection."""
        with self._changed:
            number = self._client.publish(topic, payload, 1, retain=True).mid
        self.until(lambda: number in self.codes or "gone" in self.heard)
        return self.codes.get(number, False)

    def reads(self, topics: list[str], told: Guest) -> set[str]:
        """Subscribe to topics with retained messages; return what is heard before a final one."""
        self._client.subscribe([(topic, 1) for topic in topics])
        self.until(lambda: "subscribed" in self.heard)
        for topic in topics:
            told.may_write(topic)
        self.until(lambda: "subscribed" in self.heard)
        for _ in range(0, len(topics) + 1, ON_ITS_WAY):
            self.may_write(f"{ROOT}/end")  # its answer comes after all in flight
        return self.heard - {"subscribed"}

    def flood(self, topic: str, payload: bytes, times: int) -> None:
        """Publish the same message this many times, and wait for nothing."""
        for _ in range(times):
            self._client.publish(topic, payload, 0)

    def die(self) -> None:
        """Disconnect without a word: the broker publishes the last will."""
        self._client.socket().shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
        self._client.loop_stop()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
