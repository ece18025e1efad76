"""The program itself: a virtual environment of its own in ``/opt/jackspot``.

It is made with the system's Python and sees the system's packages, because the GPIO libraries come
from apt. Everything else comes from the lock file, checked against its hashes. What is installed is
the checkout that ``jackspot install`` is run from; run from ``/opt/jackspot`` itself, there is
nothing to install.

A machine has the program either this way or from apt's packages (``systemd/debian``), never both.
What those packages do is left to them, and no other program is installed beside them.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.install.system import System

HOME = "/opt/jackspot"
PYTHON = "/usr/bin/python3"
MARK = f"{HOME}/.installed"
"""Records what is installed; missing while an installation is under way or was interrupted."""

APTS_HOME = "/usr/share/jackspot"
"""Where apt's packages have the program."""
BY_APT = "by apt's packages"

OLDEST_PYTHON = (3, 11)

PARTS = (
    "LICENSE",
    "README.md",
    "firmware",
    "pyproject.toml",
    "requirements.lock",
    "sim",
    "systemd",
)
"""The parts of a checkout that an installation needs."""

_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")


def find_checkout() -> Path | None:
    """Return the checkout that this runs from; None if it runs from somewhere else."""
    folder = Path(__file__).resolve().parents[4]
    return folder if all((folder / part).exists() for part in PARTS) else None


def is_from_apt() -> bool:
    """Whether this runs from apt's packages."""
    return Path(__file__).resolve().is_relative_to(APTS_HOME)


def command_place() -> str:
    """Return the path of the command that services start."""
    return "/usr/bin/jackspot" if is_from_apt() else f"{HOME}/bin/jackspot"


def program(system: System, checkout: Path | None) -> InstallStep:
    """Return the step that installs the program as it is in the checkout."""
    what = "program"
    if is_from_apt():
        return done(what, f"Jackspot {version('jackspot')} in {APTS_HOME}, {BY_APT}")
    if system.at(f"{APTS_HOME}/jackspot").is_dir():
        raise StepFailed(
            f"{system.at(APTS_HOME)}: Jackspot is here {BY_APT}, and two would be in each other's "
            "way; take a newer one by apt, or remove those first, settings and matches stay: sudo "
            "apt-get remove jackspot jackspot-hub jackspot-common"
        )
    if checkout is None:
        if Path(sys.prefix) == system.at(HOME):
            return done(what, f"Jackspot {version('jackspot')} in {HOME}, where this runs from")
        raise StepFailed(
            f"expected a checkout of Jackspot or {HOME} to install from, found {sys.prefix}; "
            "in a checkout type: sudo make install"
        )
    wanted = _mark(system, checkout)
    if system.read(MARK) == wanted:
        return done(what, f"Jackspot {version('jackspot')} in {HOME}, as in {checkout}")
    again = "again " if system.at(HOME).exists() else ""
    return InstallStep(
        what,
        f"install Jackspot {version('jackspot')} {again}into {HOME}, from {checkout} and, over "
        "the network, the packages of its lock",
        lambda: _install(system, checkout, wanted),
    )


def _mark(system: System, checkout: Path) -> str:
    """Identify what is to be installed: its contents, and the Python it is for."""
    told = system.asked(PYTHON, "-V")
    if told is None:
        raise StepFailed(f"{system.at(PYTHON)}: expected Python 3.11 or later, found none")
    python = told.strip()
    number = tuple(int(part) for part in python.split()[-1].split(".")[:2])
    if number < OLDEST_PYTHON:
        raise StepFailed(
            f"expected Python 3.11 or later, found {python}; Raspberry Pi OS of 2023 (bookworm) "
            "or later has it"
        )
    digest = hashlib.sha256()
    for path in _files(checkout):
        digest.update(str(path.relative_to(checkout)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return json.dumps({"python": python, "source": digest.hexdigest()}) + "\n"


def _files(checkout: Path) -> Iterator[Path]:
    """Return every file that an installation uses, in order."""
    for part in PARTS:
        top = checkout / part
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and not _is_left_out(path):
                yield path


def _is_left_out(path: Path) -> bool:
    return any(part == "__pycache__" or part.endswith(".egg-info") for part in path.parts)


def _install(system: System, checkout: Path, mark: str) -> None:
    """Install from a copy, so that the checkout stays as it is and a chroot sees it."""
    system.remove(MARK)
    beside = Path(HOME).parent
    system.at(str(beside)).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="jackspot-", dir=system.at(str(beside))) as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part in PARTS:
            if (checkout / part).is_dir():
                shutil.copytree(checkout / part, folder / part, symlinks=True, ignore=_LEFT_OUT)
            else:
                shutil.copy(checkout / part, folder / part)
        inside = str(beside / folder.name)
        system.run(PYTHON, "-m", "venv", "--system-site-packages", HOME)
        pip = (f"{HOME}/bin/python", "-m", "pip", "--disable-pip-version-check", "--no-input")
        system.run(*pip, "install", "--require-hashes", "-r", f"{inside}/requirements.lock")
        system.run(
            *pip, "install", "--no-deps", "--no-build-isolation", "--force-reinstall", inside
        )
    system.write(MARK, mark)
