"""What happened to a stick, reported to the running board: one word in a datagram.

The word may be followed by its subject and a number, each after a tab. The socket is beside the
journal. Only users who may write to that folder can reach it. Words that the board does not know
are dropped.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from jackspot.sensing.events import Stick

_logger = logging.getLogger(__name__)

LONGEST = 128


def stick_socket(journal: Path) -> Path:
    """Return where a board with this journal listens."""
    return journal.with_name(journal.name + ".stick")


def tell_board(journal: Path, stick: Stick, about: str = "", number: int | None = None) -> bool:
    """Report to the running board; False if none listens."""
    said = "\t".join((stick.value, about, "" if number is None else str(number)))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.setblocking(False)
        try:
            out.sendto(said.encode(), str(stick_socket(journal)))
        except OSError:
            return False
    return True


def read_word(said: bytes) -> tuple[Stick, str, int | None]:
    """Read a message to the board; ValueError if its word is not known."""
    word, _, more = said.decode("ascii", "replace").partition("\t")
    about, _, number = more.partition("\t")
    if not about.isprintable():
        raise ValueError("expected words that can be shown")
    return Stick(word), about, int(number) if number else None


class StickListener:
    """Receives, on a thread of its own, what happened to sticks, and passes it on."""

    def __init__(self, path: Path, tell: Callable[[Stick, str, int | None], None]) -> None:
        self.path = path
        self._tell = tell
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def start(self) -> bool:
        """Listen; return False, with a line in the log, if there can be no socket."""
        try:
            self.path.unlink(missing_ok=True)
            self._socket.bind(str(self.path))
            self.path.chmod(0o660)
        except OSError as error:
            _logger.warning("sticks are written without a word: %s: %s", self.path, error)
            self._socket.close()
            return False
        threading.Thread(target=self._listen, name="stick", daemon=True).start()
        return True

    def _listen(self) -> None:
        while True:
            try:
                word = self._socket.recv(LONGEST)
            except OSError:
                return  # closed
            if not word:
                return  # shut down
            with suppress(ValueError):
                self._tell(*read_word(word))

    def close(self) -> None:
        """Stop listening."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
