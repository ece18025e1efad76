"""How to get a missing GPIO library or device to work on this machine.

:func:`here` looks at the machine once; the rest makes sentences of what it found. Opens no pin.
"""

from __future__ import annotations

import getpass
import grp
import importlib.metadata
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

LAST_WITH_WHEELS = (3, 12)
"""lgpio 0.2.2 has wheels on PyPI for Python up to this version."""

RPI_GPIO, RPI_LGPIO = "RPi.GPIO", "rpi-lgpio"
"""The two packages that own the module ``RPi.GPIO``."""


class Here(Struct, frozen=True):
    """The facts that remedies depend on."""

    apt: bool
    """Debian or a derivative, such as Raspberry Pi OS."""
    alone: bool
    """A virtual environment that does not see the system's packages."""
    python: tuple[int, int]
    model: str
    """The model as its firmware reports it; empty if the machine is not a Pi."""
    user: str
    groups: frozenset[str]
    packages: frozenset[str]
    """The installed packages that provide ``RPi.GPIO``."""

    @property
    def is_pi_5(self) -> bool:
        """Whether its pins are on the RP1 chip, which RPi.GPIO cannot reach."""
        family = self.model.removeprefix("Raspberry Pi ").removeprefix("Compute Module ")
        return self.model.startswith("Raspberry Pi") and family.startswith("5")


def here() -> Here:
    """Look at this machine."""
    release = _text("/etc/os-release")
    return Here(
        apt=any(
            line.partition("=")[0] in ("ID", "ID_LIKE") and "debian" in line
            for line in release.splitlines()
        ),
        alone=sys.prefix != sys.base_prefix
        and "include-system-site-packages = true" not in _text(f"{sys.prefix}/pyvenv.cfg").lower(),
        python=sys.version_info[:2],
        model=_text("/proc/device-tree/model").strip("\0\n "),
        user=os.environ.get("SUDO_USER") or _user(),
        groups=frozenset(_group(number) for number in {*os.getgroups(), os.getegid()}),
        packages=frozenset(each for each in (RPI_GPIO, RPI_LGPIO) if _installed(each)),
    )


def _text(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the number has no name
        return str(os.geteuid())


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _installed(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def install_lgpio(at: Here) -> str:
    """Return how to install lgpio."""
    return _install(at, "python3-lgpio", "pi")


def install_rpi_gpio(at: Here) -> str:
    """Return how to install the package that is imported as ``RPi.GPIO``."""
    if at.is_pi_5 or not at.model:
        return _install(at, "python3-rpi-lgpio", "pi")
    return _install(at, "python3-rpi.gpio", "pi-legacy")


def _install(at: Here, package: str, extra: str) -> str:
    pip = f"pip install 'jackspot[{extra}]'"
    if not at.apt:
        return pip
    if not at.alone:
        return f"sudo apt install {package}"
    seen = (
        f"sudo apt install {package}, and rebuild the virtual environment with "
        "python3 -m venv --system-site-packages, since this one does not see apt's packages"
    )
    return seen if at.python > LAST_WITH_WHEELS else f"{pip}, or {seen}"


def both_installed(at: Here) -> str:
    """Return what is wrong if both packages of one module are installed; else nothing."""
    if len(at.packages) < 2:
        return ""
    keep, drop = (RPI_LGPIO, RPI_GPIO) if at.is_pi_5 else (RPI_GPIO, RPI_LGPIO)
    return (
        f"{RPI_GPIO} and {RPI_LGPIO} are both installed and overwrite each other: remove both "
        f"(pip uninstall {RPI_GPIO} {RPI_LGPIO}; sudo apt remove python3-rpi.gpio "
        f"python3-rpi-lgpio), then install only {keep}, not {drop}: {install_rpi_gpio(at)}"
    )


def files_gone(at: Here) -> str:
    """Return what is wrong if a package is installed but its module is gone; else nothing."""
    if len(at.packages) != 1:
        return ""
    [left] = at.packages
    other = RPI_GPIO if left == RPI_LGPIO else RPI_LGPIO
    apt = {RPI_GPIO: "python3-rpi.gpio", RPI_LGPIO: "python3-rpi-lgpio"}[left]
    again = f"pip install --force-reinstall {left}" if at.alone or not at.apt else (
        f"sudo apt install --reinstall {apt}, or pip install --force-reinstall {left}"
    )  # fmt: skip
    return f"{left} is installed, but removing {other} took its files along; {again}"


def no_right(device: str, at: Here) -> str:
    """Return how this user gets access to a device, by the group that owns it."""
    try:
        group = _group(Path(device).stat().st_gid)
    except OSError:
        group = "gpio"
    return rights(device, group, at)


def rights(device: str, group: str, at: Here) -> str:
    """Return how to get a group's access to a device."""
    if group == "root":
        return (
            f"{device} belongs to root alone: install the udev rules with "
            "sudo jackspot install, then start the machine again"
        )
    if group in at.groups:
        return f"{at.user} is in the group {group} already; see its rights: ls -l {device}"
    return (
        f"{at.user} needs the group {group}: "
        f"sudo usermod -aG {group} {shlex.quote(at.user)}, then log in again"
    )


def among(chips: Iterable[str]) -> str:
    """Return what can be chosen when the requested chip is not there."""
    numbers = sorted(int(chip.rpartition("gpiochip")[2]) for chip in chips)
    if not numbers:
        return "this system has no GPIO at all; without a Pi start `jackspot sim`"
    listed = ", ".join(str(number) for number in numbers)
    return f"set [gpio] chip to one that is there: {listed}"
