"""Which programs hold a port, by what the kernel says about open files and locks."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jackspot.ops.doctor.holders import Holder, Holders, holders_of
from jackspot.ops.doctor.machine import RealMachine

HOLDS = """
import sys, serial
port = serial.Serial(sys.argv[1], exclusive=True)
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(port: Path) -> Iterator[subprocess.Popen[str]]:
    """Have another program hold a serial port exclusively."""
    command = [sys.executable, "-c", HOLDS, str(port)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
            yield process
        finally:
            process.kill()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Path]:
    """Return a terminal under a lasting name, like those in ``/dev/serial/by-id``."""
    behind, terminal = pty.openpty()
    name = tmp_path / "usb-FTDI"
    name.symlink_to(os.ttyname(terminal))
    os.close(terminal)
    yield name
    os.close(behind)


def test_the_program_that_has_a_port_open_is_named_with_its_process(port: Path) -> None:
    assert RealMachine().holders(str(port)).known == ()
    with held(port) as process:
        [holder] = RealMachine().holders(str(port)).known
        assert holder.pid == process.pid
        assert holder.name.startswith("python")
    assert RealMachine().holders(str(port)).known == ()


def test_this_process_itself_is_not_named(port: Path) -> None:
    with port.open("rb", buffering=0):
        assert RealMachine().holders(str(port)).known == ()


# a made-up /proc: what other users' programs show


def process(root: Path, pid: int, name: str, *opened: str) -> Path:
    """Make up a process and the files that it has open."""
    folder = root / "proc" / str(pid)
    (folder / "fd").mkdir(parents=True)
    (folder / "comm").write_text(f"{name}\n")
    for number, path in enumerate(opened):
        (folder / "fd" / str(number)).symlink_to(path)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a machine with one adapter."""
    (tmp_path / "dev/serial/by-id").mkdir(parents=True)
    (tmp_path / "dev/ttyUSB0").write_bytes(b"")
    (tmp_path / "dev/serial/by-id/usb-FTDI").symlink_to("../../ttyUSB0")
    return tmp_path


PORT = "/dev/serial/by-id/usb-FTDI"


def test_all_that_have_it_open_are_named_in_order(root: Path) -> None:
    process(root, 90, "sshd", "/dev/null", "socket:[31]")
    process(root, 812, "minicom", "/dev/pts/0", "/dev/ttyUSB0")
    process(root, 77, "cat", "/dev/ttyUSB0")
    assert holders_of(root, PORT) == Holders((Holder(77, "cat"), Holder(812, "minicom")))


def test_who_locks_it_is_named_though_its_open_files_are_not_shown(root: Path) -> None:
    process(root, 812, "minicom")
    about = (root / "dev/ttyUSB0").stat()
    place = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}:{about.st_ino}"
    (root / "proc/locks").write_text(
        f"1: FLOCK  ADVISORY  WRITE 812 {place} 0 EOF\n"
        f"1: -> FLOCK  ADVISORY  WRITE 813 {place} 0 EOF\n"
        f"2: POSIX  ADVISORY  READ 90 {place}7 0 EOF\n"
        "3: OFDLCK ADVISORY  READ -1 00:06:1 0 EOF\n"
    )
    assert holders_of(root, PORT).known == (Holder(812, "minicom"),)


def test_programs_that_do_not_show_their_files_are_told_of(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = process(root, 812, "minicom") / "fd"
    process(root, 90, "sshd", "/dev/null")
    seen = Path.iterdir

    def as_kernel_tells(path: Path) -> Iterator[Path]:
        if path == hidden:
            raise PermissionError(13, "Permission denied")
        return seen(path)

    monkeypatch.setattr(Path, "iterdir", as_kernel_tells)
    assert holders_of(root, PORT) == Holders((), all_seen=False)


def test_a_program_that_has_just_ended_is_no_holder(root: Path) -> None:
    gone = process(root, 812, "minicom", "/dev/ttyUSB0")
    (gone / "comm").unlink()
    (process(root, 813, "cat") / "fd").rmdir()
    assert holders_of(root, PORT) == Holders()
