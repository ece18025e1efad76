"""The machine as the checks see it: its files, programs, groups and Python packages.

This is the one place that touches the system, so every check can be tried on a machine that a test
describes.
"""

from __future__ import annotations

import contextlib
import errno
import grp
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from jackspot.inputs.line_info import LineInfo, read_line
from jackspot.inputs.remedies import Here, here
from jackspot.ops.doctor.holders import Holders, holders_of
from jackspot.storage.wall_clock import SystemWall

PROGRAM_TIMEOUT_S = 10.0

_NOBODY = (errno.ENXIO, errno.EREMOTEIO, errno.EIO)
"""The kernel's errors when nothing answers on the bus."""


class Machine(Protocol):
    """What checks ask of a machine. No method raises."""

    def text(self, path: str) -> str | None:
        """Read a file as text; None when there is none or it may not be read."""

    def data(self, path: str) -> bytes | None:
        """Read a file; None when there is none or it may not be read."""

    def matching(self, pattern: str) -> list[str]:
        """Return the paths that match a pattern from the root, sorted."""

    def may_use(self, path: str) -> bool:
        """Whether this user may read and write a file or device."""

    def groups(self) -> set[str]:
        """Return the names of this user's groups."""

    def user(self) -> str:
        """Return this user's name."""

    def run(self, program: Sequence[str]) -> str | None:
        """Run a program; return what it printed, None if it is missing or hangs."""

    def python(self) -> str:
        """Return Python's version."""

    def kernel(self) -> str:
        """Return the kernel's release and the kind of processor."""

    def package(self, name: str) -> str | None:
        """Return the version of an installed Python package, None when it is not installed."""

    def has_module(self, name: str) -> bool:
        """Whether a Python module can be found."""

    def answers_i2c(self, bus: int, address: int) -> bool | None:
        """Whether something answers at an address; None if the bus cannot be asked."""

    def i2c_status(self, bus: int, address: int) -> int | None:
        """Read the status byte of a display at an address; None if none answers."""

    def free_bytes(self, path: str) -> int | None:
        """Return how much room there is at a path, None if there is no such place."""

    def is_clock_set(self) -> bool:
        """Whether the kernel knows that the wall clock is right."""

    def here(self) -> Here:
        """Return what remedies depend on."""

    def line(self, chip: str, gpio: int) -> LineInfo | None:
        """Return what the kernel knows of a line of a GPIO chip; None if it does not answer."""

    def owner(self, path: str) -> str | None:
        """Return the name of the group that owns a device, None if there is no such device."""

    def holders(self, path: str) -> Holders:
        """Return which other processes have a device open, and whether all could be examined."""


class RealMachine:
    """The machine that this runs on; ``root`` is where its files are."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def _at(self, path: str) -> Path:
        return self._root / path.removeprefix("/")

    def text(self, path: str) -> str | None:
        """See :meth:`Machine.text`."""
        data = self.data(path)
        return None if data is None else data.decode("utf-8", "replace").strip("\0\n ")

    def data(self, path: str) -> bytes | None:
        """See :meth:`Machine.data`."""
        try:
            return self._at(path).read_bytes()
        except OSError:
            return None

    def matching(self, pattern: str) -> list[str]:
        """See :meth:`Machine.matching`."""
        found = self._root.glob(pattern.removeprefix("/"))
        return sorted("/" + str(path.relative_to(self._root)) for path in found)

    def may_use(self, path: str) -> bool:
        """See :meth:`Machine.may_use`."""
        return os.access(self._at(path), os.R_OK | os.W_OK)

    def groups(self) -> set[str]:
        """See :meth:`Machine.groups`."""
        names = set()
        for number in {*os.getgroups(), os.getegid()}:
            with contextlib.suppress(KeyError):  # a group without a name
                names.add(grp.getgrgid(number).gr_name)
        return names

    def user(self) -> str:
        """See :meth:`Machine.user`."""
        return os.environ.get("SUDO_USER") or os.environ.get("USER") or str(os.geteuid())

    def run(self, program: Sequence[str]) -> str | None:
        """See :meth:`Machine.run`."""
        found = shutil.which(program[0])
        if found is None:
            return None
        try:
            done = subprocess.run(
                [found, *program[1:]],
                capture_output=True,
                check=False,
                text=True,
                errors="replace",
                timeout=PROGRAM_TIMEOUT_S,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip()

    def python(self) -> str:
        """See :meth:`Machine.python`."""
        return platform.python_version()

    def kernel(self) -> str:
        """See :meth:`Machine.kernel`."""
        return f"{platform.release()} {platform.machine()}"

    def package(self, name: str) -> str | None:
        """See :meth:`Machine.package`."""
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None

    def has_module(self, name: str) -> bool:
        """See :meth:`Machine.has_module`."""
        return importlib.util.find_spec(name) is not None

    def answers_i2c(self, bus: int, address: int) -> bool | None:
        """See :meth:`Machine.answers_i2c`."""
        from smbus2 import SMBus, i2c_msg

        try:
            with SMBus(bus) as opened:
                opened.i2c_rdwr(i2c_msg.read(address, 1))
        except OSError as error:
            return False if error.errno in _NOBODY else None
        return True

    def i2c_status(self, bus: int, address: int) -> int | None:
        """See :meth:`Machine.i2c_status`."""
        from smbus2 import SMBus

        try:
            with SMBus(bus) as opened:
                return int(opened.read_byte_data(address, 0x00))
        except OSError:
            return None

    def is_clock_set(self) -> bool:
        """See :meth:`Machine.is_clock_set`."""
        return SystemWall().synchronised()

    def here(self) -> Here:
        """See :meth:`Machine.here`."""
        return here()

    def line(self, chip: str, gpio: int) -> LineInfo | None:
        """See :meth:`Machine.line`."""
        return read_line(str(self._at(chip)), gpio)

    def owner(self, path: str) -> str | None:
        """See :meth:`Machine.owner`."""
        try:
            return self._at(path).group()
        except (OSError, KeyError):
            return None

    def holders(self, path: str) -> Holders:
        """See :meth:`Machine.holders`."""
        return holders_of(self._root, path)

    def free_bytes(self, path: str) -> int | None:
        """See :meth:`Machine.free_bytes`."""
        place = self._at(path)
        for each in (place, *place.parents):
            with contextlib.suppress(OSError):  # not there yet, or not for this user
                return shutil.disk_usage(each).free
        return None
