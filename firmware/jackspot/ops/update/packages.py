"""Jackspot's Debian packages on a machine: which are installed, kept, and installed over others.

dpkg does it, without a network. Before dpkg is called, apt checks that everything the new packages
need is there.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jackspot.files import MIB
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System

NAMES = ("jackspot-common", "jackspot", "jackspot-hub")
LOCK = "/var/lib/dpkg/lock-frontend"
"""Whoever installs packages holds it (dpkg's own documentation, ``frontend.txt``)."""
DPKG_LOCK = "/var/lib/dpkg/lock"
"""dpkg itself holds it."""
PATIENCE_S = 300
CACHE = "/var/cache/apt/archives"
SPARE_BYTES = 16 * MIB

_INFO = "/var/lib/dpkg/info"
_CONTROL = ("preinst", "postinst", "prerm", "postrm", "triggers", "conffiles", "md5sums")
_QUIET = {"LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


class CannotKeep(Exception):
    """The installed packages cannot be kept to go back to; says why."""


@dataclass(frozen=True, slots=True)
class Deb:
    """A package's file and its control data; ``unpacked`` is in bytes."""

    path: Path
    name: str
    version: str
    architecture: str
    unpacked: int


def look_at_deb(path: Path) -> Deb:
    """Read a package's control data. Raises StepFailed if dpkg does not accept the file."""
    form = "--showformat=${Package}\\n${Version}\\n${Architecture}\\n${Installed-Size}\\n"
    done = _asked("dpkg-deb", "--show", form, str(path))
    if done.returncode:
        raise StepFailed(f"{path.name}: dpkg cannot read it: {done.stderr.strip()}")
    name, version, architecture, kib = done.stdout.split("\n")[:4]
    return Deb(path, name, version, architecture, int(kib or 0) * 1024)


def installed(system: System) -> Mapping[str, str]:
    """Return the versions of our packages that are completely installed."""
    form = "--showformat=${Package} ${db:Status-Status} ${Version}\\n"
    lines = _asked(*_on(system, "dpkg-query"), "--show", form, "jackspot*").stdout.splitlines()
    rows = [line.split(" ") for line in lines]
    return {row[0]: row[2] for row in rows if row[0] in NAMES and row[1] == "installed"}


def is_later(one: str, other: str) -> bool:
    """Whether a version is later than another by dpkg's order."""
    return not _asked("dpkg", "--compare-versions", one, "gt", other).returncode


def refuse_unfit(system: System, debs: Sequence[Deb]) -> None:
    """Refuse packages that this machine cannot take now, by StepFailed; nothing is changed."""
    ours = _asked(*_on(system, "dpkg"), "--print-architecture").stdout.strip()
    for deb in debs:
        if deb.architecture not in ("all", ours):
            raise StepFailed(
                f"{deb.path.name}: expected a package for {ours}, found one for "
                f"{deb.architecture}; take the release for this kind of machine"
            )
    with tempfile.TemporaryDirectory(prefix="jackspot-") as name:
        options = (
            f"Dir::State={name}", f"Dir::State::Lists={name}", f"Dir::Cache={name}",
            f"Dir::State::status={system.at('/var/lib/dpkg/status')}", "Debug::NoLocking=1",
        )  # fmt: skip
        done = _asked(
            "apt-get", "--simulate", "--no-remove", "--allow-downgrades",
            "--no-install-recommends", *(word for each in options for word in ("-o", each)),
            "install", *(str(deb.path) for deb in debs),
        )  # fmt: skip
    if done.returncode:
        wanted = [line.strip() for line in done.stdout.splitlines() if "Depends:" in line]
        said = "; ".join(wanted) or (done.stderr.strip() or done.stdout.strip())[-400:]
        raise StepFailed(
            f"the new packages need what is not here: {said}; have that by apt first, with a "
            "network, then update again"
        )


def refuse_no_room(places: Sequence[tuple[Path, int]]) -> None:
    """Refuse if these places lack room for so many bytes; folders on one disk are added up."""
    needed: dict[int, tuple[Path, int]] = {}
    for place, size in places:
        there = next(path for path in (place, *place.parents) if path.exists())
        device = there.stat().st_dev
        first, so_far = needed.get(device, (there, SPARE_BYTES))
        needed[device] = (first, so_far + size)
    for place, size in needed.values():
        free = shutil.disk_usage(place).free
        if free < size:
            raise StepFailed(
                f"{place}: expected room for {size // MIB + 1:,} MB, found {free // MIB:,} MB; "
                "make room, then update again"
            )


# --- keeping -----------------------------------------------------------------------------


def keep(system: System, names: Sequence[str], version: str, folder: Path) -> None:
    """Have the installed packages as files in a folder: from apt's cache, or rebuilt.

    Raises CannotKeep.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            if not _is(folder / f"{name}.deb", name, version):
                _keep(system, name, version, folder)
        to_disk(folder)
    except OSError as error:
        raise CannotKeep(f"{error.filename or folder}: {error.strerror}") from error


def _keep(system: System, name: str, version: str, folder: Path) -> None:
    draft = folder / f"{name}.new"
    cached = system.at(CACHE).glob(f"{name}_{version.replace(':', '%3a')}_*.deb")
    found = next((path for path in cached if _is(path, name, version)), None)
    if found is not None:
        shutil.copyfile(found, draft)
    else:
        _make_again(system, name, draft)
    to_disk(draft)
    draft.replace(folder / f"{name}.deb")


def lay_ready(debs: Sequence[Deb], folder: Path) -> None:
    """Copy packages into a folder under their bare names, and force them to disk."""
    folder.mkdir(parents=True, exist_ok=True)
    for deb in debs:
        draft = folder / f"{deb.name}.new"
        shutil.copyfile(deb.path, draft)
        to_disk(draft)
        draft.replace(folder / f"{deb.name}.deb")
    for place in (folder, folder.parent, folder.parent.parent):
        to_disk(place)


def _is(path: Path, name: str, version: str) -> bool:
    try:
        deb = look_at_deb(path)
    except StepFailed:
        return False
    whole = not _asked("dpkg-deb", "--fsys-tarfile", str(path), into_nothing=True).returncode
    return whole and (deb.name, deb.version) == (name, version)


def _make_again(system: System, name: str, target: Path) -> None:
    """Rebuild a package from its installed files, if they are as dpkg installed them."""
    differs = _asked(*_on(system, "dpkg"), "--verify", name)
    if differs.returncode or differs.stdout.strip():
        first = differs.stdout.strip().partition("\n")[0]
        raise CannotKeep(f"{name}: its files are not as they were installed: {first}")
    status = _asked(*_on(system, "dpkg-query"), "--status", name)
    listed = _asked(*_on(system, "dpkg-query"), "--listfiles", name)
    if status.returncode or listed.returncode:
        raise CannotKeep(f"{name}: dpkg does not say what it has: {status.stderr.strip()}")
    with tempfile.TemporaryDirectory(prefix="jackspot-", dir=target.parent) as temporary:
        tree = Path(temporary)
        tree.chmod(0o755)
        for place in listed.stdout.splitlines():
            _copy(system.at(place), tree / place.lstrip("/"))
        control = tree / "DEBIAN"
        control.mkdir()
        control.chmod(0o755)  # dpkg-deb takes no other, whatever the umask
        (control / "control").write_text(_control(status.stdout), encoding="utf-8")
        for end in _CONTROL:
            script = system.at(f"{_INFO}/{name}.{end}")
            if script.exists():
                shutil.copy(script, control / end)
        built = _asked("dpkg-deb", "--root-owner-group", "--build", str(tree), str(target))
    if built.returncode:
        raise CannotKeep(f"{name}: {built.stderr.strip()}")


def _copy(source: Path, target: Path) -> None:
    mode = source.lstat().st_mode
    target.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISDIR(mode):
        target.mkdir(exist_ok=True)
        target.chmod(stat.S_IMODE(mode))
    else:
        shutil.copy2(source, target, follow_symlinks=False)


def _control(status: str) -> str:
    """Return a package's control file, from dpkg's status entry for it."""
    kept, skipping = [], False
    for line in status.splitlines():
        if not line.startswith(" "):
            skipping = line.startswith(("Status:", "Conffiles:"))
        if line and not skipping:
            kept.append(line)
    return "\n".join(kept) + "\n"


# --- putting in place --------------------------------------------------------------------


def put_in_place(system: System, debs: Sequence[Path], log: Path) -> None:
    """Have dpkg install packages over whatever is there, even a half-installed one.

    dpkg's output goes into the log: a closed terminal must not end it. Raises StepFailed.
    """
    with _alone(system), log.open("ab") as said:
        done = subprocess.run(
            [*_on(system, "dpkg"), "--force-confold", "--install", *map(str, debs)],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env=os.environ | _QUIET | {"DPKG_FRONTEND_LOCKED": "1"},
            check=False,
        )
    if done.returncode:
        raise StepFailed(f"dpkg ended with status {done.returncode}; {log} says why")


@contextmanager
def _alone(system: System) -> Iterator[None]:
    """Hold apt's lock, after an interrupted dpkg has ended."""
    with _held(system, LOCK):
        with _held(system, DPKG_LOCK):
            pass
        yield


@contextmanager
def _held(system: System, lock: str) -> Iterator[None]:
    """Hold a lock; wait for its holder."""
    place = system.at(lock)
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("ab") as file:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if time.monotonic() > until:
                    raise StepFailed(f"{place}: another program installs packages") from error
                time.sleep(1)
        yield


def to_disk(path: Path) -> None:
    """Force a file's bytes, or a folder's names, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _on(system: System, program: str) -> tuple[str, ...]:
    return (program,) if system.is_here else (program, f"--root={system.root}")


def _asked(*words: str, into_nothing: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a program and return its result. StepFailed if it cannot be started."""
    try:
        return subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if into_nothing else subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | _QUIET,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise StepFailed(f"{words[0]}: cannot be started: {error.strerror}") from error
