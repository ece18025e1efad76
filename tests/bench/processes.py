"""Boards in processes of their own: started, watched from outside, and stopped."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
PATHS = [str(ROOT), str(ROOT / "firmware"), str(ROOT / "sim")]
WATCHDOG_S = 10
"""What the service manager allows; the board feeds it twice as often."""
CONFIG = """
[gpio]
factory = "mock"
[web]
port = 0
[match.options]
time_limit_s = 3000
"""
READY_WITHIN_S = 20.0


class Running(Struct, frozen=True):
    """A process that has reported that it is ready. ``ready_s`` is how long that took."""

    process: subprocess.Popen[str]
    ready_s: float

    def ask(self, command: str) -> str:
        """Send a line to its standard input, return the line that it answers."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def resident_mib(self) -> float:
        """Read how much memory it holds."""
        return resident_mib(self.process.pid)

    def wake_ups(self) -> int:
        """Count how often its threads have gone to sleep and been woken so far."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(_number(task / "status", "voluntary_ctxt_switches") for task in tasks)


def resident_mib(process: int) -> float:
    """Read how much memory a process holds."""
    return _number(Path(f"/proc/{process}/status"), "VmRSS") / 1024


def _number(status: Path, field: str) -> int:
    for line in status.read_text().splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return int(value.split()[0])
    raise LookupError(f"{status}: no {field}")


@contextmanager
def notified(command: Sequence[str], folder: Path) -> Iterator[Running]:
    """Start a service as systemd does, and wait until it says that it is ready."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        address = folder / "notify"
        address.unlink(missing_ok=True)
        channel.bind(str(address))
        channel.settimeout(READY_WITHIN_S)
        environment = {
            "NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": str(WATCHDOG_S * 1_000_000),
        }  # fmt: skip
        with started(command, environment) as process:
            start = time.perf_counter()
            assert channel.recv(64) == b"READY=1"
            yield Running(process, time.perf_counter() - start)


@contextmanager
def printing(code: str) -> Iterator[Running]:
    """Run code in a bare Python that then says it is ready, and waits."""
    code += "\nimport sys\nprint(flush=True)\nsys.stdin.read()"
    with started([sys.executable, "-c", code], {}) as process:
        start = time.perf_counter()
        assert process.stdout is not None
        process.stdout.readline()
        yield Running(process, time.perf_counter() - start)


@contextmanager
def started(command: Sequence[str], more: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Start a process; end it with SIGTERM."""
    environment = {**os.environ, **more, "PYTHONPATH": os.pathsep.join(PATHS)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, text=True) as process:
        yield process
        process.terminate()


@contextmanager
def folder_with_config() -> Iterator[tuple[Path, Path, Path]]:
    """Make a folder; yield it, a config in it, and where a journal may be."""
    with tempfile.TemporaryDirectory(prefix="jackspot-bench-") as name:
        folder = Path(name)
        (folder / "jackspot.toml").write_text(CONFIG)
        yield folder, folder / "jackspot.toml", folder / "journal.db"
