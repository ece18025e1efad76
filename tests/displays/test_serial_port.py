"""Serial lines of every kind that pyserial knows: devices, servers, and what goes wrong with each.

Pseudo terminals are real serial ports; the servers are real sockets on this machine.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from serial import rfc2217

from jackspot.core.phrases import _
from jackspot.dialogue.state.view import PreferencesView
from jackspot.displays.errors import DisplayError
from jackspot.displays.signs.alpha import AlphaSign
from jackspot.displays.signs.kind import TemplateSection
from jackspot.displays.signs.segment import SegmentDisplay
from jackspot.displays.signs.serial_line import (
    ALPHA,
    Flow,
    Parity,
    SerialSettings,
    what_is_wrong,
    with_defaults,
)
from jackspot.displays.signs.serial_port import LISTEN_NS, OnALine, SerialPort
from jackspot.displays.signs.template_sign import TemplateSign
from jackspot.displays.signs.template_text import Script
from jackspot.displays.thread import DirectDisplay, DisplayThread, Retry
from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from jackspot_sim.devices.sign import SimulatedSign
from jackspot_sim.devices.sign_decoders import AlphaDecoder, Decoder, PlainDecoder, SegmentDecoder
from tests.conftest import PATIENCE_S
from tests.displays.screens import Clock, Journal
from tests.displays.views import board

pytestmark = [
    # pyserial's own warnings: how it starts its thread, and the file that its spy writes.
    pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning"),
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in.*FileIO:pytest.PytestUnraisableExceptionWarning"
    ),
]


class Server:
    """A serial server with a sign behind it."""

    def __init__(self, port: int = 0, *, by_rfc2217: bool = False) -> None:
        self.decoder = SegmentDecoder()
        self._changed = threading.Condition()
        self._by_rfc2217 = by_rfc2217
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port: int = self._socket.getsockname()[1]
        self._clients: list[socket.socket] = []
        self._closed = False
        self.line = serial.serial_for_url("loop://", timeout=0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait_for(self, text: str) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.decoder.text == text, PATIENCE_S)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            for each in (self._socket, *self._clients):
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE_S)
        self._socket.close()
        self.line.close()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _address = self._socket.accept()
                with client:
                    with self._changed:
                        if self._closed:
                            return
                        self._clients.append(client)
                    self._serve(client)

    def _serve(self, client: socket.socket) -> None:
        answers: Any = _Answers(client)
        far: Any = self.line
        manager = rfc2217.PortManager(far, answers) if self._by_rfc2217 else None
        with contextlib.suppress(OSError):
            while data := client.recv(4096):
                if manager is not None:
                    data = b"".join(manager.filter(data))
                with self._changed:
                    self.decoder.feed(data)
                    self._changed.notify_all()


class _Answers:
    """The way back to the client, as pyserial's server wants it."""

    def __init__(self, client: socket.socket) -> None:
        self.write = client.sendall


@pytest.fixture(params=["socket", "rfc2217"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


Serve = Callable[..., Server]


@pytest.fixture
def serve(scheme: str) -> Iterator[Serve]:
    servers: list[Server] = []

    def make(port: int = 0) -> Server:
        servers.append(Server(port, by_rfc2217=scheme == "rfc2217"))
        return servers[-1]

    yield make
    for server in servers:
        with contextlib.suppress(OSError):
            server.close()


# --- servers on the network ------------------------------------------------------------


def test_a_sign_behind_a_serial_server_shows_the_board(serve: Serve, scheme: str) -> None:
    server = serve()
    display = SegmentDisplay(f"{scheme}://127.0.0.1:{server.port}", line=SerialSettings(19_200))
    display.open()
    display.show(board(7, 5))
    assert server.wait_for(" 7. 5")
    display.show(board(8, 5))
    assert server.wait_for(" 8. 5")
    if scheme == "rfc2217":
        assert server.line.baudrate == 19_200, "the far end was told"
    display.close()


def test_a_server_that_is_killed_is_missed_and_the_picture_comes_back_whole(
    serve: Serve, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackspot.displays.signs.serial_port.LISTEN_NS", LISTEN_NS // 500)
    server = serve()
    faults = Journal()
    display = SegmentDisplay(f"{scheme}://127.0.0.1:{server.port}")
    thread = DisplayThread(display, faults.add, retry=Retry(1_000_000, 4_000_000))
    thread.start()
    thread.post(board(7, 5))
    assert server.wait_for(" 7. 5")
    server.close()
    thread.post(board(8, 5))
    thread.post(board(8, 5, sequence=2))
    faults.wait_for(lambda entries: any(isinstance(each, FaultRaised) for each in entries))
    thread.post(board(9, 5))
    again = serve(server.port)
    assert again.wait_for(" 9. 5")
    faults.wait_for(lambda entries: any(isinstance(each, FaultCleared) for each in entries))
    assert thread.stop(PATIENCE_S)


def test_a_server_that_ends_while_nobody_plays_is_missed_by_listening(
    serve: Serve, scheme: str
) -> None:
    server = serve()
    port = SerialPort(f"{scheme}://127.0.0.1:{server.port}")
    port.open()
    port.listen()
    server.close()
    reader = getattr(port._open, "_thread", None)
    if reader is not None:
        reader.join(PATIENCE_S)
    with pytest.raises(DisplayError, match="has ended"):
        listen_often(port)
    port.close()


def listen_often(port: SerialPort) -> None:
    """Listen a few times: data that arrived before the end is heard first."""
    for _time in range(3):
        port.listen()


def test_a_server_that_is_not_there_says_so(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
    with pytest.raises(DisplayError, match="check host and port, and that the serial server is on"):
        SerialPort(f"{scheme}://127.0.0.1:{number}").open()


# --- devices ---------------------------------------------------------------------------


@pytest.fixture
def sign(tmp_path: Path) -> Iterator[SimulatedSign]:
    simulated = SimulatedSign(PlainDecoder(), tmp_path / "usb-Own_sign-if00-port0")
    yield simulated
    simulated.close()


def test_an_idle_device_that_is_unplugged_is_missed_by_listening(sign: SimulatedSign) -> None:
    now = [0]
    port = SerialPort(str(sign.link), clock=lambda: now[0])
    assert port.rest_ns() is None
    port.open()
    assert port.rest_ns() == LISTEN_NS
    now[0] = LISTEN_NS
    assert port.rest_ns() == 0
    port.listen()
    assert port.rest_ns() == LISTEN_NS
    sign.unplug()
    with pytest.raises(DisplayError, match=r"has ended.*plug"):
        port.listen()
    port.close()
    with pytest.raises(DisplayError, match="is not open"):
        port.listen()


def test_a_device_that_another_program_has_is_told_apart(sign: SimulatedSign) -> None:
    first, second = SerialPort(str(sign.link)), SerialPort(str(sign.link))
    first.open()
    with pytest.raises(DisplayError, match="another program uses it: fuser -v") as caught:
        second.open()
    assert caught.value.trouble is Trouble.IN_USE
    first.close()
    second.open()
    second.close()


def test_what_is_sent_can_be_spied_on(sign: SimulatedSign, tmp_path: Path) -> None:
    log = tmp_path / "sent.txt"
    port = SerialPort(f"spy://{sign.link}?file={log}")
    port.open()
    second = SerialPort(str(sign.link))
    with pytest.raises(DisplayError, match="another program"):
        second.open()
    port.write(b"7:5")
    assert sign.wait_for(lambda shown: shown.text == "7:5", PATIENCE_S)
    port.close()
    assert "7:5" in log.read_text(encoding="utf-8")


def test_a_device_that_may_not_be_used_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(DisplayError, match="group dialout") as caught:
        SerialPort(str(tmp_path / "ttyUSB0")).open()
    assert caught.value.trouble is Trouble.REFUSED


def test_every_setting_reaches_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}
    plain = serial.serial_for_url

    def watched(url: str, **settings: object) -> object:
        asked.update(settings)
        return plain(url)

    monkeypatch.setattr("jackspot.displays.signs.serial_port.serial.serial_for_url", watched)
    line = SerialSettings(1200, 7, Parity.MARK, 2, Flow.XONXOFF, 0.5)
    SerialPort("loop://", line).open()
    assert str(line) == "1200 7M2"
    assert asked == {
        "baudrate": 1200, "bytesize": 7, "parity": "M", "stopbits": 2, "rtscts": False,
        "xonxoff": True, "write_timeout": 0.5, "timeout": 0, "exclusive": None,
    }  # fmt: skip
    SerialPort("loop://", SerialSettings(flow=Flow.RTSCTS)).open()
    assert (asked["rtscts"], asked["xonxoff"]) == (True, False)


def test_a_line_that_leads_nowhere_never_fills_up() -> None:
    port = SerialPort("loop://", SerialSettings(115_200))
    port.open()
    for _time in range(30):
        port.write(bytes(1000))
    port.close()


@pytest.mark.parametrize(
    ("port", "wrong"),
    [
        ("/dev/serial/by-id/usb-x", ""),
        ("socket://sign:4001", ""),
        ("rfc2217://[::1]:4001", ""),
        ("spy:///dev/ttyUSB0?file=x", ""),
        ("hwgrep://0403:6001", ""),
        ("loop://", ""),
        ("ttyUSB0", "the whole path of a device"),
        ("socket://sign", "a host and a port number, as socket://"),
        ("rfc2217://:4001", "a host and a port number"),
        ("socket://sign:99999", "a host and a port number"),
        ("http://sign:80", "one of pyserial's URLs: alt://, hwgrep://"),
    ],
)
def test_a_port_that_cannot_be_one_is_found_before_it_is_opened(port: str, wrong: str) -> None:
    assert what_is_wrong(port).startswith(wrong)
    assert bool(what_is_wrong(port)) is bool(wrong)


def test_what_the_config_leaves_open_stays_as_such_signs_have_it() -> None:
    assert with_defaults(ALPHA, baud=4800, data_bits=None, parity=None) == SerialSettings(
        4800, 7, Parity.EVEN
    )
    assert with_defaults(ALPHA, parity=Parity.NONE, data_bits=8) == SerialSettings()


# What a line lost: a sign's own plug or power was out, or the wire turned a bit


class Rolls(PlainDecoder):
    """A sign that keeps one letter and number for each frame, as the template below writes them."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[bytes, bytes] = {}

    def feed(self, data: bytes) -> None:
        """Take a whole frame, if it is one."""
        if data[:1] in (b"L", b"R", b"P"):
            self.rows[data[:1]] = data[1:]

    def power_off(self) -> None:
        """Forget all."""
        self.rows.clear()

    @property
    def text(self) -> str:
        """All rows."""
        return str(sorted(self.rows.items()))


OWN = TemplateSection(frames=("L{left.count}", "R{right.count}", "P{headline}"))
SIGNS: dict[str, tuple[Callable[[Clock], OnALine], Callable[[], Decoder]]] = {
    "alpha": (lambda clock: AlphaSign("loop://", settle_s=0, clock=clock), AlphaDecoder),
    "segment": (lambda clock: SegmentDisplay("loop://", clock=clock), SegmentDecoder),
    "template": (
        lambda clock: TemplateSign(
            "loop://", Script(OWN.frames, repeat_ns=OWN.repeat_ns), clock=clock
        ),
        Rolls,
    ),
}
PLAYED = [
    board(7, 5),
    board(8, 5, sequence=2, headline=_("RED: shoot again")),
    board(8, 6, sequence=3, headline=_("GREEN to shoot")),
    board(8, 6, sequence=4, preferences=PreferencesView(brightness=0)),
    board(8, 6, sequence=5),
]


class Wire:
    """A wire in virtual time that loses or spoils what is written at one step of a match."""

    def __init__(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        make, decoder = SIGNS[kind]
        self.clock, self.decoder = Clock(), decoder()
        self.writes = 0
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        sign: Any = make(self.clock)
        monkeypatch.setattr(sign._port, "write", self._carry)
        monkeypatch.setattr(sign._port, "listen", lambda: None)
        self.display = DirectDisplay(sign, Journal().add, self.clock)
        self.display.start()

    def _carry(self, data: bytes) -> None:
        self.writes += 1
        self.decoder.feed(self.spoil(data))

    def rest(self, seconds: int) -> None:
        """Let time pass with nothing new to show."""
        for _second in range(seconds):
            self.clock.now_ns += 1_000_000_000
            self.display.post(self.view)

    def show(self, step: int) -> None:
        self.view = PLAYED[step]
        self.display.post(self.view)


def lost(_data: bytes) -> bytes:
    return b""


def turned(data: bytes) -> bytes:
    """Turn one bit in the middle of what is written."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 2]) + data[middle + 1 :]


@pytest.mark.parametrize("kind", SIGNS)
@pytest.mark.parametrize("spoil", [lost, turned])
@pytest.mark.parametrize("step", range(len(PLAYED)))
def test_what_a_line_lost_is_right_again_within_a_minute(
    kind: str, spoil: Callable[[bytes], bytes], step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, harmed = Wire(kind, monkeypatch), Wire(kind, monkeypatch)
    for each in range(step + 1):
        harmed.spoil = spoil if each == step else harmed.spoil
        whole.show(each)
        harmed.show(each)
    harmed.spoil = lambda data: data
    for wire in (whole, harmed):
        wire.rest(60)
    assert harmed.decoder.text == whole.decoder.text


@pytest.mark.parametrize("kind", ["segment", "template"])
def test_a_sign_that_lost_its_power_is_whole_again_within_a_minute(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(kind, monkeypatch)
    wire.show(0)
    before = wire.decoder.text
    wire.decoder.power_off()
    wire.rest(60)
    assert wire.decoder.text == before


@pytest.mark.parametrize("kind", SIGNS)
def test_a_sign_with_nothing_new_is_written_no_more_than_ten_times_a_minute(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(kind, monkeypatch)
    wire.show(0)
    before = wire.writes
    wire.rest(60)
    assert wire.writes - before <= 10


def test_an_alpha_sign_is_not_blanked_by_what_is_sent_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wire = Wire("alpha", monkeypatch)
    wire.show(0)
    sent: list[bytes] = []

    def heard(data: bytes) -> bytes:
        sent.append(data)
        return data

    wire.spoil = heard
    wire.rest(60)
    assert b"\x02GL" in b"".join(sent)
    assert not [data for data in sent if b"\x02E" in data or b"\x02A" in data]
