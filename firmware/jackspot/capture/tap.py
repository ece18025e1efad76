"""A tap on a running board: streams a live pin capture to everybody who asks for one.

Theory of operation. The board's loop passes every event to the tap, and the tap to its recipients.
They write each edge and each report of a sensor hub; the others only say how far time has got, so
that a replay takes nothing before a tick that it came after. A recipient is a file (a capture
requested when the board was started) or a client at the board's socket (``jackspot capture``). The
loop never waits for one: text for the socket is queued, up to a bound, for a thread of the
recipient's own. A recipient that cannot keep up is disconnected; its capture then ends without the
last instant.

The loop starts a recipient that comes while the board runs between two events, so that the
journal, levels and time of its opening are consistent. The first it is told is which discs listen.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Full, Queue, SimpleQueue
from typing import TYPE_CHECKING

from jackspot.capture.errors import CaptureError
from jackspot.config.model import Config
from jackspot.config.show import as_toml
from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.listener import EventListener
from jackspot.sensing.events import Button, DiscsListen, Edge, Event, HubEvent
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked
from jackspot.values import changed

if TYPE_CHECKING:
    from jackspot.capture.vcd_file import CaptureWriter, Opening, Writable

_logger = logging.getLogger(__name__)

WAITING_AT_MOST = 100_000
"""The most pieces of text that may wait for a recipient; an edge is one or two."""
AGAIN_S = 1.0
"""How long the socket waits after one who asked could not be let in."""

Open = Callable[[], tuple[str, Sequence[str]]]
"""Returns the config as TOML and the journal's entries now, as the canonical dump has them."""


class Recipient:
    """A recipient of a capture: a text stream that is only appended to."""

    def __init__(self, stream: Writable, *, flush: bool = True) -> None:
        self.stream = stream
        self._flush = flush
        self._writer: CaptureWriter | None = None

    def begin(
        self,
        opening: Opening,
        wires: Sequence[Pocket | Button],
        active: Collection[Pocket | Button],
        *,
        has_hub: bool = False,
    ) -> None:
        """Write the opening."""
        from jackspot.capture.vcd_file import CaptureWriter  # opened only where it is written

        self._writer = CaptureWriter(self.stream, opening, wires, active, has_hub=has_hub)

    def takes(self, event: Event) -> bool:
        """Return whether an event is within the longest capture."""
        return self._writer is None or self._writer.reaches(event.at_ns)

    def tell(self, event: Event) -> None:
        """Write an edge or a sensor hub's report; raises OSError when the stream takes no more."""
        if self._writer is not None:
            self._writer.take(event)
            if self._flush and isinstance(event, Edge | HubEvent):
                self.stream.flush()

    def close(self, at_ns: int) -> None:
        """Write the last instant."""
        if self._writer is not None:
            self._writer.close(at_ns)
        self.stream.flush()


class Tap(EventListener):
    """Passes a board's edges to recipients; one of the board's listeners."""

    def __init__(
        self, wires: Sequence[Pocket | Button], opened: Open, calibration: str = "",
        learnt: str = "", *, has_hub: bool = False,
    ) -> None:  # fmt: skip
        self._has_hub = has_hub
        self._calibration = calibration
        self._learnt = learnt
        self._wires = tuple(wires)
        self._opened = opened
        self._levels: dict[Pocket | Button, bool] = {}
        self._listen: DiscsListen | None = None
        self._recipients: list[Recipient] = []
        self._coming: SimpleQueue[Recipient] = SimpleQueue()
        self._leaving: SimpleQueue[Recipient] = SimpleQueue()

    @property
    def recipients(self) -> tuple[Recipient, ...]:
        """The recipients that are being given a capture now."""
        return tuple(self._recipients)

    def add(self, recipient: Recipient) -> None:
        """Start a recipient with the board, or with the next event that the loop takes."""
        self._coming.put(recipient)

    def leave(self, recipient: Recipient) -> None:
        """End a recipient's capture with the next event that the loop takes."""
        self._leaving.put(recipient)

    def started(self, restored_ns: int, at_ns: int, active: Collection[Pocket | Button]) -> None:
        """Start the recipients that wait for the board's start."""
        self._levels = {wire: wire in active for wire in self._wires}
        self._begin(restored_ns, at_ns, from_start=True)

    def took(self, event: Event) -> None:
        """Pass an event on, and start recipients that have come."""
        if not self._coming.empty():
            self._begin(event.at_ns, event.at_ns, from_start=False)
        while not self._leaving.empty():
            self._end(self._leaving.get(), event.at_ns)
        if isinstance(event, Edge):
            self._levels[event.source] = event.active
        elif isinstance(event, DiscsListen):
            self._listen = event
        for recipient in tuple(self._recipients):
            self._tell(recipient, event)

    def stopped(self, at_ns: int) -> None:
        """End every capture."""
        for recipient in tuple(self._recipients):
            self._end(recipient, at_ns)

    def _end(self, recipient: Recipient, at_ns: int) -> None:
        if recipient not in self._recipients:
            return
        self._recipients.remove(recipient)
        try:
            recipient.close(at_ns)
        except OSError as error:
            _logger.warning("the capture could not be ended: %s", error)

    def _begin(self, began_ns: int, started_ns: int, *, from_start: bool) -> None:
        while True:
            try:
                recipient = self._coming.get_nowait()
            except Empty:
                return
            from jackspot.capture.vcd_file import Opening

            config, journal = self._opened()
            opening = Opening(
                config,
                tuple(journal),
                began_ns,
                started_ns,
                from_start,
                self._calibration,
                self._learnt,
            )
            active = [wire for wire, level in self._levels.items() if level]
            try:
                recipient.begin(opening, self._wires, active, has_hub=self._has_hub)
            except OSError as error:
                _logger.warning("the capture could not be begun: %s", error)
            else:
                self._recipients.append(recipient)
                if self._listen is not None:
                    self._tell(recipient, changed(self._listen, at_ns=began_ns))

    def _tell(self, recipient: Recipient, event: Event) -> None:
        if not recipient.takes(event):
            _logger.warning("a capture ends here: it is as long as one can be")
            self._end(recipient, event.at_ns)
            return
        try:
            recipient.tell(event)
        except OSError as error:
            _logger.warning("a capture ends here: %s", error)
            self._recipients.remove(recipient)


class _Outbox:
    """Text on its way to a socket: queued at once, sent by a thread of its own."""

    def __init__(self, connection: socket.socket) -> None:
        self._waiting: Queue[str | None] = Queue(maxsize=WAITING_AT_MOST)
        self._connection = connection
        self._broken = False
        threading.Thread(target=self._send, name="capture", daemon=True).start()

    def write(self, text: str, /) -> int:
        """Take text; OSError when the other end is gone or cannot keep up."""
        if self._broken:
            raise BrokenPipeError("who listened is gone")
        try:
            self._waiting.put_nowait(text)
        except Full:
            self._broken = True
            raise OSError("who listened could not keep up") from None
        return len(text)

    def flush(self) -> None:
        """Do nothing: text is never held back."""

    def finish(self) -> None:
        """Send what is queued, then end; end at once where there is no room to say so."""
        try:
            self._waiting.put_nowait(None)
        except Full:
            self._broken = True

    def _send(self) -> None:
        with self._connection as connection:
            while not self._broken:
                text = self._waiting.get()
                if text is None:
                    break
                try:
                    connection.sendall(text.encode())
                except OSError:
                    self._broken = True
            # Closing alone would not tell the other end while this one still reads from it.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _AtTheSocket(Recipient):
    """A recipient at the board's socket."""

    def __init__(self, outbox: _Outbox) -> None:
        super().__init__(outbox, flush=False)
        self._outbox = outbox

    def close(self, at_ns: int) -> None:
        """Write the last instant and let the other end go."""
        super().close(at_ns)
        self._outbox.finish()


class TapServer:
    """The board's socket, where ``jackspot capture`` asks for a capture.

    ``wake`` lets the loop take an event soon. Only users who may write to the socket's folder
    can reach it.
    """

    def __init__(self, path: Path, tap: Tap, wake: Callable[[], None]) -> None:
        self.path = path
        self._tap = tap
        self._wake = wake
        self._closing = threading.Event()
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def start(self) -> bool:
        """Listen; return False, and log why, where there can be no socket."""
        try:
            self.path.unlink(missing_ok=True)
            self._server.bind(str(self.path))
            self.path.chmod(0o660)
            self._server.listen()
        except OSError as error:
            _logger.warning("no captures of the running board: %s: %s", self.path, error)
            self._server.close()
            return False
        threading.Thread(target=self._serve, name="tap", daemon=True).start()
        return True

    def _serve(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._server.accept()
            except OSError as error:
                if not self._closing.is_set():
                    _logger.warning("nobody can ask for a capture for now: %s", error)
                    self._closing.wait(AGAIN_S)
                continue
            threading.Thread(
                target=self._listen, args=(connection,), name="capture", daemon=True
            ).start()

    def _listen(self, connection: socket.socket) -> None:
        """Send one recipient a capture until the other end closes the connection."""
        recipient = _AtTheSocket(_Outbox(connection))
        self._tap.add(recipient)
        self._wake()
        try:
            while connection.recv(64):
                pass
        except OSError:
            return  # the other end is gone, or was disconnected
        self._tap.leave(recipient)
        self._wake()

    def close(self) -> None:
        """Stop listening. On a read-only disk the socket's name stays until the next start."""
        self._closing.set()
        self._server.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def socket_beside(journal: Path) -> Path:
    """Return where the socket of a board with this journal is."""
    return journal.with_name(journal.name + ".tap")


def tap_for(
    config: Config, journal: Path, *recipients: Recipient, calibration: str = "", learnt: str = ""
) -> Tap:
    """Make the tap of a board with this config and journal; ``recipients`` start with it.

    ``calibration`` and ``learnt`` are the texts of the two files that its readings use.
    """

    def opened() -> tuple[str, Sequence[str]]:
        try:
            entries = read_checked(journal, None)
        except JournalDamaged as damage:
            entries = damage.good
        except JournalError as error:
            _logger.warning("the capture begins without the journal: %s", error)
            entries = ()
        return as_toml(config), [entry.canonical() for entry in entries]

    wires = [wire.source for wire in config.wires if wire.source is not None]
    has_hub = config.sensor_hub.port is not None
    tap = Tap(wires, opened, calibration, learnt, has_hub=has_hub)
    for recipient in recipients:
        tap.add(recipient)
    return tap


@contextmanager
def captured(path: Path | None) -> Iterator[tuple[Recipient, ...]]:
    """Open the file of a capture that begins with the board; raises CaptureError if it cannot.

    An error when it is closed is logged.
    """
    if path is None:
        yield ()
        return
    try:
        stream = path.open("x", encoding="ascii")
    except FileExistsError:
        raise CaptureError(f"{path} is there already; name a new file to capture to") from None
    except OSError as error:
        raise CaptureError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        yield (Recipient(stream),)
    finally:
        try:
            stream.close()
        except OSError as error:  # its disk is full or gone: that may end nothing else
            _logger.warning("the capture could not be ended: %s", error)
