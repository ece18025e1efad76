"""One connection to a broker, worked by one thread: paho-mqtt without a thread of its own.

paho's own thread ends at an exception in a callback, and its reconnecting and its queues keep
messages that nobody wants any more. So none of them is used: :meth:`BrokerConnection.turn` waits
for the socket, for a wake-up, or for a time, and lets paho read and write. Callbacks only take
notes.
"""

from __future__ import annotations

import ctypes
import logging
import os
import selectors
import socket
import ssl
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from msgspec import Struct
from paho.mqtt import properties
from paho.mqtt.client import DisconnectFlags
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from jackspot.core.clock import SECOND_NS
from jackspot.festival.messages import AROUND_BYTES
from jackspot.festival.section import with_port

_logger = logging.getLogger(__name__)
_read_strictly: Any = properties.readUTF


def _read_text(buffer: bytes, longest: int) -> Any:
    """Read a text as paho does, except that paho ends the connection if U+FEFF is in it.

    The standard allows it (MQTT-1.5.4-3), brokers pass it on, and a retained message comes again
    at each connect. In properties, which nobody reads here, it becomes U+FFFD.
    """
    text = bytes(buffer[2:]).replace(b"\xef\xbb\xbf", b"\xef\xbf\xbd")
    return _read_strictly(bytes(buffer[:2]) + text, longest)


properties.readUTF = _read_text

KEEPALIVE_S = 15
CONNECTS_S = 5.0
"""How long a broker is given to accept a connection."""
ENDS_S = 0.5
"""How long a broker is given to read to the end, at most twice."""
PIECE_BYTES = 4_096
MOST_BEYOND = 300
"""At most this many messages come encrypted with the last packet of a turn."""
PACKETS_AT_ONCE = 20
"""This many packets are read before anything else is done: a flood waits in the network."""
TIMES_BYTES = 8
"""The size of the number in which an alarm reports how often it rang."""
RESTS_S = 0.02
"""How long a thread that reads a flood lets others work in between."""


LOST = "the connection was lost"
"""Why it ended, if the broker gave no reason."""


class Unreachable(OSError):
    """The broker did not accept the connection; the text says which, and why, in a few words."""


class Login(Struct, frozen=True):
    """Who connects where. ``host`` and ``port`` are the broker's.

    ``ca`` is the certificate that verifies the broker's, as PEM or the path of its file; None: in
    the clear. ``hall`` keeps users of one name apart when halls share a broker that takes no names.
    """

    host: str
    port: int
    user: str
    password: str
    most_bytes: int
    ca: str | Path | None = None
    hall: str = ""

    @property
    def client(self) -> str:
        """The client id; a broker with keys uses the user's name."""
        return "-".join(filter(None, (self.hall, self.user)))

    @property
    def where(self) -> str:
        """The broker's address with its port."""
        return with_port(self.host, self.port)


def trusting(ca: str | Path) -> ssl.SSLContext:
    """Return a context that trusts this certificate alone; OSError if its file cannot be read."""
    if isinstance(ca, str):
        return ssl.create_default_context(cadata=ca)
    return ssl.create_default_context(cafile=str(ca))


class Letter(Struct, frozen=True):
    """A message with its topic, as it is published; the broker forgets it after ``expiry_s``."""

    topic: str
    payload: bytes
    qos: int
    retain: bool
    expiry_s: int | None = None


class _Alarm:
    """A Linux file that becomes readable at a given instant (timerfd_create(2)).

    A thread that waits for it sleeps until then. Python's own call exists from 3.13 on. OSError if
    the system has none.
    """

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        try:
            self._set, create = libc.timerfd_settime, libc.timerfd_create
        except AttributeError as error:
            raise OSError("this system has no timerfd") from error
        self._number = create(time.CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC)
        if self._number < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def fileno(self) -> int:
        """Return the file's number, for a selector."""
        return int(self._number)

    def ring(self, after_ns: int) -> None:
        """Make it readable after this time, once; replaces what was set before."""
        seconds, rest_ns = divmod(after_ns, SECOND_NS)
        self._set(self._number, 0, (ctypes.c_long * 4)(0, 0, seconds, rest_ns), None)

    def close(self) -> None:
        """Close it."""
        number, self._number = self._number, -1
        os.close(number)


class BrokerConnection:
    """A connection to a broker. Everything but :meth:`wake` belongs to one thread.

    It holds sockets from the beginning until :meth:`end`. For topics that end with one of ``each``,
    every message counts; for all others only the newest. Of the packets that have arrived,
    ``at_once`` are read per turn.
    """

    def __init__(self, each: Collection[str] = (), at_once: int = 1) -> None:
        self._each = tuple(f"/{leaf}" for leaf in each)
        self._at_once = at_once
        self._wakes, self._woken = socket.socketpair()
        for end in (self._wakes, self._woken):
            end.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._alarm: _Alarm | None = None
        with suppress(OSError):
            self._alarm = _Alarm()
            self._selector.register(self._alarm, selectors.EVENT_READ)
        self._client: mqtt.Client | None = None
        self._socket: Any = None
        self._login: Login | None = None
        self._up = False
        self._unanswered = 0
        self._refused = ""
        self._read_in_a_row = 0
        self._arrived: dict[tuple[str, int], bytes] = {}

    @property
    def is_up(self) -> bool:
        """Whether the broker has accepted the connection and it is still open."""
        return self._up and self._client is not None

    @property
    def is_subscribed(self) -> bool:
        """Whether the broker has accepted all subscriptions.

        Retained messages of the last one may be still to come; those of the earlier ones have come.
        """
        return self.is_up and self._unanswered == 0

    def wake_after(self, after_ns: int) -> None:
        """Let :meth:`turn` return after this time, if not before; soon, if there is no timer.

        The last call counts. From one thread that is not its own.
        """
        if self._alarm is None:
            self.wake()
        else:
            self._alarm.ring(after_ns)

    def wake(self) -> None:
        """Let :meth:`turn` return soon; from any thread, in microseconds."""
        with suppress(OSError):  # full: it wakes anyway; closed: nobody sleeps
            self._wakes.send(b"!")

    def open(self, login: Login, will: Letter) -> None:
        """Connect to the broker and sign in. Unreachable says why that failed."""
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, login.client, protocol=mqtt.MQTTv5,
            reconnect_on_failure=False,
        )  # fmt: skip
        client.username_pw_set(login.user, login.password)
        client.will_set(will.topic, will.payload, will.qos, will.retain)
        client.connect_timeout = CONNECTS_S
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        bounds: Any = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        bounds.MaximumPacketSize = login.most_bytes + AROUND_BYTES
        bounds.SessionExpiryInterval = 0
        self._login, self._refused, self._arrived = login, "", {}
        self._up, self._unanswered = False, 0
        if login.ca is not None:
            try:
                client.tls_set_context(trusting(login.ca))
            except OSError as error:
                raise Unreachable(f"{login.where}: {login.ca} is not read: {error}") from error
        try:
            client.connect(login.host, login.port, KEEPALIVE_S, clean_start=True, properties=bounds)
        except (OSError, ValueError) as error:
            raise Unreachable(f"{login.where}: {error}") from error
        self._client, self._socket = client, client.socket()
        self._selector.register(self._socket, selectors.EVENT_READ)

    def turn(self, wait_s: float) -> None:
        """Wait at most this long for something to do, and do it.

        Raises Unreachable when the connection has ended or was refused.
        """
        client = self._client
        reached = client.socket() if client is not None else None
        if client is not None and reached is not None:
            writes = selectors.EVENT_WRITE if client.want_write() else 0
            self._selector.modify(reached, selectors.EVENT_READ | writes)
        ready = {key.fileobj: events for key, events in self._selector.select(wait_s)}
        if self._woken in ready:
            with suppress(BlockingIOError):
                self._woken.recv(PIECE_BYTES)
        if self._alarm in ready:
            with suppress(BlockingIOError):
                os.read(self._alarm.fileno(), TIMES_BYTES)
        if client is None:
            return
        code = MQTTErrorCode.MQTT_ERR_SUCCESS
        events = 0 if reached is None else ready.get(reached, 0)
        if events & selectors.EVENT_WRITE:
            code = client.loop_write() or code
        if events & selectors.EVENT_READ:
            code = self._read(client) or code
        code = client.loop_misc() or code
        if code or reached is None or self._refused:
            why = self._refused or mqtt.error_string(code).rstrip(".").lower()
            where = self._login.where if self._login is not None else ""
            self.drop()
            raise Unreachable(f"{where}: {why}")
        self._rest(reading=bool(events & selectors.EVENT_READ))

    def _read(self, client: mqtt.Client) -> MQTTErrorCode:
        """Read a packet, as many more as allowed, and those that came encrypted with them."""
        code = client.loop_read()
        read = 1
        while not code and (self._is_decrypted() or (read < self._at_once and self._has_more())):
            code = client.loop_read()
            read += 1
        return code

    def _is_decrypted(self) -> bool:
        """Whether something is decrypted already, which no socket reports any more."""
        return isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0

    def _has_more(self) -> bool:
        return any(key.fileobj is self._socket for key, _ in self._selector.select(0))

    def _rest(self, *, reading: bool) -> None:
        """Give the game the processor when messages arrive without end."""
        self._read_in_a_row = self._read_in_a_row + 1 if reading else 0
        if self._read_in_a_row >= PACKETS_AT_ONCE:
            self._read_in_a_row = 0
            time.sleep(RESTS_S)

    def subscribe(self, topics: Sequence[str]) -> None:
        """Subscribe to these topics."""
        if self._client is not None:
            self._unanswered += 1
            self._client.subscribe([(topic, 1) for topic in topics])

    def unsubscribe(self, topic: str) -> None:
        """Unsubscribe from a topic."""
        if self._client is not None:
            self._client.unsubscribe(topic)

    def publish(self, letter: Letter) -> None:
        """Publish, if there is a connection; else it is dropped.

        A broker would end the connection for a message that is larger than allowed.
        """
        if self._client is None or self._login is None or not self._up:
            return
        size, most = len(letter.payload), self._login.most_bytes
        if size > most:
            _logger.warning("hall: %s is not sent: %d bytes, at most %d", letter.topic, size, most)
        else:
            ends: Any = None
            if letter.expiry_s is not None:
                ends = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
                ends.MessageExpiryInterval = letter.expiry_s
            self._client.publish(letter.topic, letter.payload, letter.qos, letter.retain, ends)

    def arrived(self) -> list[tuple[str, bytes]]:
        """Take what has arrived, in order, with topics: of most the newest, of some each."""
        found = [(topic, payload) for (topic, _), payload in self._arrived.items()]
        self._arrived = {}
        return found

    def close(self, last: Letter | None = None) -> None:
        """Send a last message and disconnect, if there is a connection.

        The broker is given a moment to read it: closing a socket with unread data takes back what
        was sent last, and the broker would say that the board is lost.
        """
        client, reached = self._client, self._socket
        if client is not None and self._up and reached is not None:
            with (
                suppress(OSError, ValueError),
                socket.socket(fileno=os.dup(reached.fileno())) as stays,  # paho closes its own
            ):
                if last is not None:
                    client.publish(last.topic, last.payload, last.qos, last.retain)
                client.disconnect()
                stays.shutdown(socket.SHUT_WR)
                stays.settimeout(ENDS_S)
                until_s = time.monotonic() + ENDS_S
                while stays.recv(PIECE_BYTES) and time.monotonic() < until_s:
                    pass
        self.drop()

    def end(self) -> None:
        """Close everything that it holds; it is not used again."""
        self.drop()
        self._selector.close()
        for each in (self._wakes, self._woken, self._alarm):
            if each is not None:
                each.close()

    def drop(self) -> None:
        """Drop the connection without a word: the broker tells the others."""
        reached, self._socket = self._socket, None
        self._client, self._up = None, False
        if reached is not None:
            with suppress(KeyError, ValueError):
                self._selector.unregister(reached)
            with suppress(OSError):
                reached.close()

    # --- what paho calls: notes only ------------------------------------------------------

    def _on_connect(
        self, _client: Any, _data: Any, _flags: Any, code: ReasonCode, _properties: Any
    ) -> None:
        if code.is_failure:
            self._refused = str(code).lower()
        else:
            self._up = True

    def _on_disconnect(
        self, _client: Any, _data: Any, flags: DisconnectFlags, code: ReasonCode, _properties: Any
    ) -> None:
        self._up = False
        said = str(code).lower() if flags.is_disconnect_packet_from_server else LOST
        self._refused = self._refused or said

    def _on_subscribe(self, *_: Any) -> None:
        self._unanswered -= 1

    def _on_message(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        try:
            if not message.topic.endswith(self._each):
                self._arrived[message.topic, 0] = bytes(message.payload)
            elif len(self._arrived) < self._at_once + MOST_BEYOND:
                self._arrived[message.topic, len(self._arrived)] = bytes(message.payload)
        except UnicodeError:
            _logger.debug("a topic that is no text")
