"""Helpers for the tests of the journal: entries, a wall clock, a disk that is full."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.storage.entries import Kinds, Sealed

NOBODY = 65534


class Entry(Struct, frozen=True):
    kind: str
    at_ns: int
    body: Mapping[str, Any]


@dataclass
class FixedWall:
    wall_ns: int = 1_700_000_000_000_000_000
    known: bool = False
    name: str = "boot-1"
    asked: int = field(default=0)

    def now_ns(self) -> int:
        self.asked += 1
        return self.wall_ns + self.asked

    def synchronised(self) -> bool:
        return self.known

    def boot(self) -> str:
        return self.name


def need_number(body: Mapping[str, Any]) -> None:
    if not isinstance(body.get("n"), int):
        raise ValueError(f"needs a whole number n, found {body.get('n')!r}")


KINDS: Kinds = {"stroke": need_number, "note": lambda body: None}


def stroke(number: int, **more: Any) -> Entry:
    return Entry("stroke", number * 1_000, {"n": number, **more})


def strokes(first: int, last: int) -> list[Entry]:
    return [stroke(number) for number in range(first, last + 1)]


def numbers(entries: Sealed) -> list[int]:
    return [entry.body["n"] for entry in entries]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@dataclass(frozen=True)
class Disk:
    """A folder on a disk that can be made full or read-only, and usable again."""

    folder: Path
    fill: Callable[[], None]
    free: Callable[[], None]
    lock: Callable[[], None]
    unlock: Callable[[], None]


@contextmanager
def weak_disk(*, mounting: bool) -> Iterator[Disk]:
    """Return a small file system of its own where this user may mount one, else a stand-in.

    The stand-in makes the kernel refuse what a full or read-only disk refuses: files can no
    longer grow (RLIMIT_FSIZE), or the folder and its files lose their write bits. Root ignores
    such bits, so it becomes nobody meanwhile.
    """
    folder = Path(tempfile.mkdtemp(prefix="jackspot-disk-"))
    folder.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    mounted = mounting and os.geteuid() == 0 and not subprocess.run(mount, check=False).returncode
    disk = _mounted(folder) if mounted else _limited(folder)
    try:
        yield disk
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        else:
            disk.free()
            disk.unlock()
        shutil.rmtree(folder)


def _mounted(folder: Path) -> Disk:
    ballast = folder / "ballast"

    def fill() -> None:
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(bytes(512)):
                pass

    def remount(how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)

    return Disk(folder, fill, ballast.unlink, lambda: remount("ro"), lambda: remount("rw"))


def _limited(folder: Path) -> Disk:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    user = os.geteuid()

    def modes(directory: int, file: int) -> None:
        for path in folder.iterdir():
            path.chmod(file)
        folder.chmod(directory)

    def lock() -> None:
        modes(0o555, 0o444)
        if user == 0:
            os.seteuid(NOBODY)

    def unlock() -> None:
        os.seteuid(user)
        modes(0o755, 0o644)

    return Disk(
        folder,
        lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard)),
        lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)),
        lock,
        unlock,
    )
