"""A private broker: Mosquitto as a child process, for a program that was given no broker."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from jackspot.festival.users import QUEUES

PROGRAM = "mosquitto"
PLACES = ("/usr/sbin", "/usr/local/sbin", "/usr/bin")
"""Where Debian puts programs that are not on an ordinary user's PATH."""
_WITH_PARENT = ("setpriv", "--pdeathsig", "TERM") if shutil.which("setpriv") else ()
COMES_UP_S = 10.0
LOOKS_S = 0.02
ENDS_S = 5.0

LOOPBACK = "127.0.0.1"
TLS = """\
certfile {}
keyfile {}
cafile {}
"""
CONFIG = """\
user {user}
listener {port} {host}
allow_anonymous true
persistence false
log_dest file {log}
{queues}
"""


class NoBroker(RuntimeError):
    """There is no Mosquitto here, or it did not come up; the text says what to do."""


def program() -> str:
    """Return the path of Mosquitto. NoBroker if it is not installed."""
    found = shutil.which(PROGRAM) or next(
        (found for place in PLACES if (found := shutil.which(PROGRAM, path=place))), None
    )
    if found is None:
        raise NoBroker("Mosquitto is not installed; type: sudo apt-get install -y mosquitto")
    return found


class Broker:
    """Mosquitto on a free port, for this machine only, with an empty memory at each start.

    It ends with the thread that started it, even if that is killed. ``tls``: its certificate, its
    key, and its authority's certificate; None: in the clear.
    """

    def __init__(self, port: int = 0, tls: tuple[Path, Path, Path] | None = None) -> None:
        self.port = port or free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="jackspot-broker-")
        self._config = Path(self._folder.name) / "mosquitto.conf"
        self._log = Path(self._folder.name) / "mosquitto.log"
        user = pwd.getpwuid(os.getuid()).pw_name  # whose folders it reads, even if that is root
        config = CONFIG.format(
            port=self.port, host=LOOPBACK, log=self._log, user=user, queues="\n".join(QUEUES)
        )
        config += "" if tls is None else TLS.format(*tls)
        self._config.write_text(config, encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> tuple[str, int]:
        """The address it listens on."""
        return LOOPBACK, self.port

    @property
    def process(self) -> int:
        """Its process id. NoBroker if it does not run."""
        if self._process is None:
            raise NoBroker("the broker does not run; start it first")
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it takes connections. NoBroker says why it does not."""
        # Ctrl-C, or a signal to a group, reaches all its members. The broker's parent ends it last,
        # so the broker has a group of its own.
        self._process = subprocess.Popen(
            [*_WITH_PARENT, program(), "-c", str(self._config)], process_group=0,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        runs = self._process
        if reached(self.address, lambda: runs.poll() is None):
            return
        said = self._log.read_text(errors="replace") if self._log.exists() else ""
        self.stop()
        raise NoBroker(f"Mosquitto did not come up on port {self.port}: {said.strip()[-300:]}")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """End it in order."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGCONT)  # even one that was stopped
        self._process.terminate()
        try:
            self._process.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """End it, and leave nothing behind."""
        self.stop()
        self._folder.cleanup()

    def __enter__(self) -> Broker:
        """Start it, or leave nothing behind."""
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()


def reached(address: tuple[str, int], runs: Callable[[], bool]) -> bool:
    """Wait until something takes connections there; False if it ends or does not come up."""
    due_s = time.monotonic() + COMES_UP_S
    while time.monotonic() < due_s and runs():
        with suppress(OSError), socket.create_connection(address, COMES_UP_S):
            return True
        time.sleep(LOOKS_S)
    return False


def free_port(usual: int = 0) -> int:
    """Return a port that is free at all addresses of this machine.

    That is the usual one, if one is given and it is free.
    """
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a broker has just ended
        try:
            tried.bind(("", usual))
        except OSError:
            return free_port()
        port: int = tried.getsockname()[1]
        return port
