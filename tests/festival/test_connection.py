"""One connection to a real Mosquitto."""

from __future__ import annotations

import ctypes
import select
import time
from pathlib import Path

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.festival.broker import Broker
from jackspot.festival.connection import BrokerConnection, Letter, Login
from jackspot.festival.messages import MOST_BYTES, What, write
from jackspot.values import changed
from tests.conftest import PATIENCE_S
from tests.festival.guests import HALL
from tests.festival.hub import Hub


@pytest.mark.parametrize("has_alarm", [True, False], ids=["with an alarm", "without"])
def test_whoever_is_woken_later_sleeps_until_then_and_where_none_can_be_wakes_at_once(
    monkeypatch: pytest.MonkeyPatch, has_alarm: bool
) -> None:
    """A thread that wakes while a display is drawn costs the display time."""
    if not has_alarm:
        monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: object())
    connection, begun_s = BrokerConnection(), time.monotonic()
    for after_s in (0.05, 0.2):
        connection.wake_after(int(after_s * SECOND_NS))
    connection.turn(PATIENCE_S)
    took_s = time.monotonic() - begun_s
    connection.turn(0.0)
    connection.end()
    assert (took_s >= 0.2) == has_alarm
    assert took_s < PATIENCE_S


def test_what_is_larger_than_messages_may_be_is_not_sent_and_named(
    tmp_path: Path, broker: Broker, hub: Hub, caplog
) -> None:
    """A broker with keys ends the connection over one that is too large."""
    connection, topic = BrokerConnection(), What.RECORD.topic(HALL, "b001")
    connection.open(
        Login(*broker.address, "b001", "", MOST_BYTES), Letter(topic, b"", 0, retain=False)
    )
    while not connection.is_up:
        connection.turn(PATIENCE_S)
    small = write({"v": 1, "journal": "", "seq": 1, "record": "", "crc32": "0" * 8})
    for payload in (small + b" " * MOST_BYTES, small):
        connection.publish(Letter(topic, payload, 1, retain=True))
    connection.close()
    connection.end()
    hub.until(lambda heard: heard.get("b001 record"))
    assert hub.count["record"] == 1
    size = len(small) + MOST_BYTES
    assert f"{topic} is not sent: {size} bytes, at most {MOST_BYTES}" in caplog.text


def test_the_broker_forgets_what_has_expired(tmp_path: Path, broker: Broker) -> None:
    login = Login(*broker.address, "desk", "", MOST_BYTES)
    notice, hub = What.NOTICE.topic(HALL, ""), What.HUB.topic(HALL, "")
    will = Letter(f"{hub}/will", b"", 0, retain=False)
    connection = BrokerConnection()

    def connect() -> None:
        connection.open(login, will)
        while not connection.is_up:
            connection.turn(PATIENCE_S)

    connect()
    connection.publish(Letter(notice, b"gone", 1, retain=True, expiry_s=1))
    connection.publish(Letter(hub, b"kept", 1, retain=True))
    connection.close()
    time.sleep(3)
    connect()
    found: list[tuple[str, bytes]] = []
    connection.subscribe([notice, hub])
    while not found:
        connection.turn(0.5)
        found += connection.arrived()
    connection.turn(0.5)
    assert [*found, *connection.arrived()] == [(hub, b"kept")]
    connection.end()


def test_a_message_that_is_as_large_as_may_be_arrives(broker: Broker, hub: Hub) -> None:
    """Its packet is larger by its topic; a broker keeps back what is larger than one takes."""
    topic, connection = What.RESULT.topic(HALL, "b001"), BrokerConnection()
    will = Letter(f"{topic}/will", b"", 0, retain=False)
    connection.open(Login(*broker.address, "desk", "", MOST_BYTES), will)
    while not connection.is_up:
        connection.turn(PATIENCE_S)
    connection.subscribe([topic])
    while not connection.is_subscribed:
        connection.turn(PATIENCE_S)
    hub.say(topic, b" " * MOST_BYTES)
    due_s, found = time.monotonic() + PATIENCE_S, list[tuple[str, bytes]]()
    while not found and time.monotonic() < due_s:
        connection.turn(0.1)
        found = connection.arrived()
    connection.end()
    assert found == [(topic, b" " * MOST_BYTES)]


@pytest.mark.parametrize("at_once", [1, 500])
def test_where_every_message_counts_none_takes_the_place_of_another(
    broker: Broker, hub: Hub, at_once: int
) -> None:
    """Two answers of a board arrive in one read as often as in two."""
    answer, state = (what.topic(HALL, "b001") for what in (What.ANSWER, What.STATE))
    connection = BrokerConnection((What.ANSWER.leaf,), at_once)
    connection.open(
        Login(*broker.address, "desk", "", MOST_BYTES),
        Letter(f"{state}/will", b"", 0, retain=False),
    )
    while not connection.is_up:
        connection.turn(PATIENCE_S)
    last = f"{state}/last", b"!"
    connection.subscribe([answer, state, last[0]])
    while not connection.is_subscribed:
        connection.turn(PATIENCE_S)
    for n in range(100):
        hub.say(answer, b"%d" % n)
        hub.say(state, b"%d" % n)
    hub.say(*last)
    found: list[tuple[str, bytes]] = []
    while last not in found:
        for _ in range(5):
            connection.turn(0.1)
        found += connection.arrived()
    connection.end()
    assert [payload for topic, payload in found if topic == answer] == [
        b"%d" % n for n in range(100)
    ]
    states = [payload for topic, payload in found if topic == state]
    assert len(states) < 100
    assert states[-1] == b"99"


def test_an_end_in_order_is_told_as_one_also_while_something_arrives(
    broker: Broker, hub: Hub
) -> None:
    """Closing a socket with unread data takes back what was sent last."""
    connection, topic = BrokerConnection(), What.STATUS.topic(HALL, "b001")
    for n in range(10):
        said = {"v": 1, "state": "lost", "boot": "4cd625c0", "n": n}
        will = Letter(topic, write(said), 1, retain=True)
        connection.open(Login(*broker.address, "b001", "", MOST_BYTES), will)
        while not connection.is_up:
            connection.turn(PATIENCE_S)
        connection.subscribe([What.ACK.topic(HALL, "b001")])
        hub.say(What.ACK.topic(HALL, "b001"), b" " * MOST_BYTES)
        select.select([connection._socket], [], [], PATIENCE_S)
        connection.close(changed(will, payload=write({**said, "state": "disconnected"})))
        status = hub.until(lambda heard, n=n: heard.get("b001 status", {}).get("n") == n and heard)
        assert status["b001 status"]["state"] == "disconnected"
    connection.end()
    assert hub.count["status"] == 10
