"""Who holds a device: the programs that have it open, as the kernel reports under ``/proc``.

Opening a serial port to find out would reset many adapters, so nothing is opened. A program's open
files are visible to its own user and to root. Locks (``/proc/locks``) are visible to everybody, and
a program that opens a serial port exclusively locks it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct


class Holder(Struct, frozen=True):
    """A program that has a device open: its process, and its name in the kernel."""

    pid: int
    name: str

    def __str__(self) -> str:
        """Name it as people look for it."""
        return f"{self.name} (process {self.pid})"


class Holders(Struct, frozen=True):
    """Who holds a device. ``all_seen`` False: some programs do not show what they have open."""

    known: tuple[Holder, ...] = ()
    all_seen: bool = True


def holders_of(root: Path, path: str) -> Holders:
    """Return which other processes have a file or device open; links are followed.

    ``root`` is where the machine's files are. It raises nothing; without ``/proc`` nobody is seen.
    """
    device = Path(os.path.realpath(root / path.removeprefix("/")))
    wanted = {str(device)}
    if device.is_relative_to(root):  # the kernel names what is open from the real root
        wanted.add(f"/{device.relative_to(root)}")
    proc, all_seen = root / "proc", True
    pids = _locking(proc, device)
    for process in _processes(proc):
        opened = _opened(process)
        if opened is None:
            all_seen = False
        elif wanted & opened:
            pids.add(int(process.name))
    pids.discard(os.getpid())
    known = [Holder(pid, name) for pid in sorted(pids) if (name := _name(proc, pid)) is not None]
    return Holders(tuple(known), all_seen)


def _processes(proc: Path) -> Iterator[Path]:
    try:
        yield from (each for each in proc.iterdir() if each.name.isdigit())
    except OSError:
        return


def _opened(process: Path) -> set[str] | None:
    """Return what a process has open; None if that is not visible, an empty set once it ended."""
    opened = set()
    try:
        for each in (process / "fd").iterdir():
            opened.add(str(each.readlink()))
    except PermissionError:
        return None
    except OSError:
        pass  # it has meanwhile ended, or closed that file
    return opened


def _locking(proc: Path, device: Path) -> set[int]:
    """Return the processes that hold a lock on a file: every user sees these."""
    try:
        about = device.stat()
        lines = (proc / "locks").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return set()
    place = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}:{about.st_ino}"
    found = (line.split() for line in lines)
    return {int(words[4]) for words in found if words[5:6] == [place] and words[4].isdigit()}


def _name(proc: Path, pid: int) -> str | None:
    """Return a process's name; None if it has ended."""
    try:
        return (proc / str(pid) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None
