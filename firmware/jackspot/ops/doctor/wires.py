"""Checks of beams and buttons, by watching their wires for some seconds.

A running board holds the pins, so it is asked at its socket (a pin capture); without one the pins
are opened here. What a wire did becomes its finding.
"""

from __future__ import annotations

import io
import select
import socket
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from jackspot.assembly import BoardInputs
from jackspot.capture.errors import CaptureError
from jackspot.capture.tap import socket_beside
from jackspot.capture.vcd_file import Capture, read_capture
from jackspot.config.model import Config
from jackspot.core.pieces import Pocket
from jackspot.inputs.edges import FIRST_LOOK_NS
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import open_gpio
from jackspot.inputs.pins import Pull, Wire as Pins, WireKind
from jackspot.inputs.queue import EventQueue
from jackspot.ops.doctor.findings import Finding, broken, doubtful, well
from jackspot.sensing.buttons import earliest
from jackspot.sensing.events import Button, Edge, FaultRaised, Trouble, wire_name

FLICKERS_FROM = 20
"""This many edges of one beam in some seconds, with nothing thrown in, are no pieces."""

Wire = Pocket | Button
Tell = Callable[[Edge], None]


class Watched(Struct):
    """What the wires did: which were active at the start, and every edge.

    ``faults`` are of pins that cannot be opened, ``losses`` of lost edges, by the wire's name.
    """

    active: frozenset[Wire] = frozenset()
    edges: list[Edge] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    losses: dict[str, str] = field(default_factory=dict)

    def is_active(self, wire: Wire) -> bool:
        """Whether a wire was active at the end."""
        levels = [edge.active for edge in self.edges if edge.source == wire]
        return levels[-1] if levels else wire in self.active


def watch(config: Config, journal: Path, seconds: float, tell: Tell) -> Watched:
    """Watch the wires for some seconds; ``tell`` is called with each edge as it comes.

    Raises GpioError if the pins cannot be watched.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(str(socket_beside(journal)))
        except OSError:
            return _watch_pins(config, seconds, tell)
        return _watch_board(connection, seconds, tell)


def _watch_board(connection: socket.socket, seconds: float, tell: Tell) -> Watched:
    """Ask the running board; each edge is reported as soon as the board passes it on."""
    received, until = b"", time.monotonic() + seconds
    seen = 0
    while (left := until - time.monotonic()) > 0:
        if not select.select([connection], [], [], left)[0]:
            break
        part = connection.recv(65536)
        if not part:
            break
        received += part
        for edge in _read(received).edges[seen:]:
            tell(edge)
            seen += 1
    connection.shutdown(socket.SHUT_WR)
    while part := connection.recv(65536):
        received += part
    capture = _read(received)
    return Watched(capture.active, list(capture.edges))


def _read(received: bytes) -> Capture:
    """Read what has come so far, up to its last complete line."""
    whole = received[: received.rfind(b"\n") + 1]
    try:
        return read_capture(io.BytesIO(whole))
    except CaptureError:
        return Capture(None, frozenset(), (), 0)


def _watch_pins(config: Config, seconds: float, tell: Tell) -> Watched:
    source = EventQueue()
    watched = Watched()
    inputs = BoardInputs(config, open_gpio(config.gpio.factory, config.gpio.chip), source)
    try:
        watched.active = frozenset(inputs.start())
        until_ns, look_ns = source.now_ns() + round(seconds * 1e9), None
        while source.now_ns() < until_ns:
            event = source.next(earliest((until_ns, look_ns)))
            if event is None:
                look_ns = inputs.look(source.now_ns())
            if isinstance(event, Edge):
                look_ns = earliest((look_ns, event.at_ns + FIRST_LOOK_NS))
                watched.edges.append(event)
                tell(event)
            elif isinstance(event, FaultRaised):
                lost = event.trouble is Trouble.LOST
                (watched.losses if lost else watched.faults)[event.part] = event.detail
    finally:
        inputs.close()
    return watched


def check_wires(config: Config, journal: Path, seconds: float, tell: Tell) -> Iterator[Finding]:
    """Watch beams and buttons, and report what each did."""
    try:
        watched = watch(config, journal, seconds, tell)
    except GpioError as error:
        yield broken("wires", str(error), "fix what stands above, then run this again")
        return
    yield from _beams(watched, config.of_kind(WireKind.BEAM))
    wires = [wire.source for wire in config.wires]
    yield from _buttons(watched, [wire for wire in wires if isinstance(wire, Button)])
    for name, words in watched.losses.items():
        yield doubtful(name, words, "see its plug and its shade; a quieter machine helps too")


def connection(wire: Pins) -> str:
    """Say where a wire is and how it is connected."""
    pull = "no pull" if wire.pull is Pull.NONE else f"pull {wire.pull}"
    hold_off = f", hold-off {wire.hold_off_ns / 1e6:g} ms" if wire.hold_off_ns else ""
    return f"GPIO {wire.gpio}, {wire.active} when broken, {pull}{hold_off}"


def _beams(watched: Watched, beams: Sequence[Pins]) -> Iterator[Finding]:
    changes = Counter(edge.source for edge in watched.edges)
    for wire in beams:
        beam, name = wire.source, wire.name
        assert isinstance(beam, Pocket)
        if name in watched.faults:
            yield broken(name, watched.faults[name], "see its GPIO in the config")
        elif changes[beam] >= FLICKERS_FROM:
            yield broken(
                name,
                f"flickers: {changes[beam]} edges while nothing should fall",
                "shade it from the sun, turn emitter and receiver to each other, see the plug",
            )
        elif watched.is_active(beam):
            yield broken(
                name,
                f"blocked ({connection(wire)})",
                "take out what lies in it; see the emitter's supply, the receiver's wire, and "
                "whether the level when broken is as [pins] beam_active says",
            )
        elif changes[beam]:
            yield well(name, f"broken and whole again, {changes[beam]} edges ({connection(wire)})")
        else:
            yield well(name, f"quiet ({connection(wire)})")


def _buttons(watched: Watched, buttons: Collection[Button]) -> Iterator[Finding]:
    pressed = {edge.source for edge in watched.edges if edge.active}
    silent = []
    for button in buttons:
        name = wire_name(button)
        if name in watched.faults:
            yield broken(name, watched.faults[name], "see its GPIO in the config")
        elif watched.is_active(button):
            yield broken(name, "held down", "free it, or see whether its wire touches ground")
        elif button in pressed:
            yield well(name, "pressed and let go")
        else:
            silent.append(name)
    if silent:
        yield doubtful(
            "buttons",
            f"not pressed while this watched: {', '.join(silent)}",
            "run this again and press each of them once",
        )
