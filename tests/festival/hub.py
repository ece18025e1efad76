"""A small hub for tests: writes results to a disk, and only then acknowledges them."""

from __future__ import annotations

import errno
import json
import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.festival.description import schema_of
from jackspot.festival.messages import PREFIX, BadMessage, What, prepare, read, read_topic, write
from jackspot_hub.desk.clocks import BoardClocks


def _have_answered(due: dict[str, int], heard: dict[str, Any]) -> bool:
    """Return whether each board has answered the question with its number."""
    return all(heard.get(f"{each} answer", {}).get("transaction") == n for each, n in due.items())


class Hub:
    """Hears a whole hall. ``disk`` is its file of results; without ``acks`` it acknowledges none.

    ``refused`` lists what boards sent that is not a message, and what the disk did not take.
    """

    def __init__(
        self,
        address: tuple[str, int],
        hall: str,
        disk: Path,
        *,
        acks: bool = True,
        ca: Path | None = None,
        secret: str | None = None,
    ):
        prepare(What)
        self._valid = {w: jsonschema.Draft202012Validator(schema_of(w.kind)) for w in What}
        self.hall = hall
        self.disk = disk
        self.boot = secrets.token_hex(2)
        self.orders: dict[str, dict[str, Any]] = {}
        self.acks = acks
        self.heard: dict[str, Any] = {}
        self.count: Counter[str] = Counter()
        self.has: dict[str, dict[str, int]] = {}
        self.refused: list[str] = []
        self.doubts_ms: dict[str, float] = {}
        """How far off each board's clock may be from what is known of it."""
        self._clocks = BoardClocks()
        self._changed = threading.Condition()
        self._mend()
        for result in self.results:
            self._note(result)
        # Two clients of one name would take the connection from each other, once a second.
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, f"{hall}-hub", protocol=mqtt.MQTTv5)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._connected
        self._client.on_message = self._arrived
        if ca is not None:
            self._client.tls_set(str(ca))
        self._client.username_pw_set("hub", secret)
        self._client.will_set(What.HUB.topic(hall, ""), write(self._status("lost")), 1, retain=True)
        self._client.connect_async(*address)
        self._client.loop_start()

    def _status(self, state: str) -> dict[str, Any]:
        return {"v": 1, "state": state, "boot": self.boot}

    def wait_for_the_broker(self) -> None:
        """Wait until it is connected: messages sent before arrive in another order."""
        while not self._client.is_connected():
            time.sleep(0.01)

    def _connected(self, client: mqtt.Client, *_: Any) -> None:
        client.subscribe(f"{PREFIX}/{self.hall}/board/#", 1)
        self.say(What.HUB.topic(self.hall, ""), write(self._status("ready")))
        for board, order in self.orders.items():
            self.say(What.ORDER.topic(self.hall, board), write(order))
        for board in self.has:
            self._say(board)

    def _arrived(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        try:
            self._take(message)
        except (BadMessage, OSError) as wrong:
            with self._changed:
                self.refused.append(f"{message.topic}: {wrong}")
                self._changed.notify_all()

    def _take(self, message: mqtt.MQTTMessage) -> None:
        address = read_topic(message.topic)
        said = None
        if message.payload:  # otherwise the retained message is cleared
            said = read(address.what, bytes(message.payload))
            self._valid[address.what].validate(said)
        if address.what is What.RESULT and said is not None:
            if said["seq"] > self.has.get(address.board, {}).get(said["journal"], 0):
                self._keep({"board": address.board, **said})
                self._note({"board": address.board, **said})
            self._say(address.board)
        if address.what is What.ANSWER and said is not None:
            self._learn(address.board, said)
        with self._changed:
            self.heard[f"{address.board} {address.what.leaf}"] = said
            self.count[address.what.leaf] += 1
            self._changed.notify_all()

    def _keep(self, result: dict[str, Any]) -> None:
        """Write a result to the disk, whole or not at all; OSError where it is full."""
        with self.disk.open("ab", buffering=0) as disk:
            line, begins = json.dumps(result).encode() + b"\n", disk.tell()
            try:
                if disk.write(line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(disk.fileno())
            except OSError:
                disk.truncate(begins)
                raise

    def _mend(self) -> None:
        """Remove the half of a line that a power cut left."""
        if self.disk.exists():
            whole = self.disk.read_bytes().rpartition(b"\n")
            os.truncate(self.disk, len(whole[0]) + len(whole[1]))

    def _note(self, result: dict[str, Any]) -> None:
        self.has.setdefault(result["board"], {})[result["journal"]] = result["seq"]

    def _say(self, board: str) -> None:
        if self.acks:
            said = {"v": 1, "journals": self.has[board]}
            self._client.publish(What.ACK.topic(self.hall, board), write(said), 1, retain=True)

    def order(self, board: str, number: int | None, header: str = "", begins: str = "now") -> None:
        """Tell a board what to play next."""
        said = {"v": 1, "order": number}
        self.send(board, said if number is None else said | {"header": header, "begins": begins})

    def send(self, board: str, order: dict[str, Any]) -> None:
        """Send an order as it is written."""
        self.orders[board] = order
        self.say(What.ORDER.topic(self.hall, board), write(order))

    def ask(self, board: str, transaction: int, what: str, **more: Any) -> dict[str, Any]:
        """Ask a board something, repeating it while it does not answer; return its answer."""

        def answered() -> bool:
            answer = self.heard.get(f"{board} answer")
            return answer is not None and bool(answer["transaction"] == transaction)

        said = write({"v": 1, "transaction": transaction, "what": what, **more})
        for _ in range(12):
            self._client.publish(What.ASK.topic(self.hall, board), said, 1)
            with self._changed:
                if self._changed.wait_for(answered, 5.0):
                    return dict(self.heard[f"{board} answer"])
        raise AssertionError(f"{board} does not answer {what}")

    def ask_the_clocks(self, boards: Iterable[str]) -> int:
        """Ask each of these boards for its clock, and tell it what is known about it."""
        last = 0
        for board in boards:
            said = self._clocks.question(board, time.time() * 1_000)
            last = said["transaction"]
            self._client.publish(What.ASK.topic(self.hall, board), write(said), 1)
        return last

    def _learn(self, board: str, answer: dict[str, Any]) -> None:
        """Learn about a board's clock from its answer."""
        self._clocks.learn(board, answer, time.time() * 1_000)
        doubt_ms = self._clocks.doubt_ms(board)
        if doubt_ms is not None:
            self.doubts_ms[board] = doubt_ms

    def learn_the_clocks(self, boards: Iterable[str], times: int = 5) -> dict[str, float]:
        """Ask boards for their clocks, tell them what is known, and return the doubts in ms."""
        boards, doubts_ms = list(boards), {}
        for _ in range(times + 1):  # the last question tells what the others taught
            doubts_ms = {board: self.doubts_ms.get(board, 0.0) for board in boards}
            last = self.ask_the_clocks(boards)
            due = dict(zip(boards, range(last - len(boards) + 1, last + 1), strict=True))
            self.until(partial(_have_answered, due))
        return doubts_ms

    def gong(self, seconds: float, boards: list[str] | None = None) -> int:
        """Announce a gong; return its instant in ms of the hub's clock."""
        at_ms = round((time.time() + seconds) * 1_000)
        said = {"v": 1, "gong": 1, "boards": boards, "at_ms": at_ms}
        self._client.publish(What.GONG.topic(self.hall, ""), write(said), 1)
        return at_ms

    def notice(self, text: dict[str, str], seconds: int, age_s: float = 0.0) -> None:
        """Send all boards a line, as if it had been sent ``age_s`` ago."""
        sent_ms = round((time.time() - age_s) * 1_000)
        said = {"v": 1, "text": text, "sent_ms": sent_ms, "seconds": seconds}
        self.say(What.NOTICE.topic(self.hall, ""), write(said))

    def say(self, topic: str, payload: bytes) -> None:
        """Publish anything, retained."""
        self._client.publish(topic, payload, 1, retain=True)

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results on the disk."""
        text = self.disk.read_text(encoding="utf-8") if self.disk.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def until(self, what: Any, patience_s: float = 60.0) -> Any:
        """Wait until ``what`` holds of what was heard; return its value."""
        with self._changed:
            assert self._changed.wait_for(lambda: what(self.heard), patience_s), self.heard
            return what(self.heard)

    def close(self) -> None:
        """Disconnect without a word."""
        self._client.loop_stop()
        self._client.disconnect()
        # Without a reference cycle, it closes its sockets as soon as nobody holds it.
        self._client.on_connect = self._client.on_message = None
