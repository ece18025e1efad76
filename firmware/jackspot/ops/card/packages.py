"""Debian packages on a card: read without dpkg, so on any computer, and indexed for apt.

Source: deb(5), deb-control(5), and sources.list(5) on flat repositories.
"""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from jackspot.files import MIB, read_bytes
from jackspot.ops.install.steps import StepFailed

NEEDED = ("jackspot", "jackspot-common")
ARCHITECTURES = ("arm64", "armhf")
"""The 64-bit and 32-bit architectures of Raspberry Pi OS."""
LARGEST_BYTES = 200 * MIB
_MAGIC = b"!<arch>\n"
_HEADER = 60
_CONTROL_BYTES = MIB
_ANEW = "copy it again, or have the packages made again: make deb ARGS=card"


class CardPackage(Struct, frozen=True):
    """A package's file. ``control`` is its control file; ``sha256`` is of the whole file."""

    path: Path
    control: str
    size: int
    sha256: str

    def field(self, name: str) -> str:
        """Return the value of a field, its lines joined; empty if it is missing."""
        found = re.search(rf"^{name}:((?:.*\n?)(?:^[ \t].*\n?)*)", self.control, re.MULTILINE)
        return " ".join(found[1].split()) if found else ""

    @property
    def name(self) -> str:
        """What the package is called."""
        return self.field("Package")

    @property
    def depends(self) -> frozenset[tuple[str, ...]]:
        """The names of its dependencies, each with its alternatives."""
        wanted = f"{self.field('Pre-Depends')},{self.field('Depends')}".split(",")
        names = (tuple(re.findall(r"(?:^|\|)\s*([a-z0-9][a-z0-9+.-]*)", each)) for each in wanted)
        return frozenset(filter(None, names))

    @property
    def provides(self) -> frozenset[str]:
        """Its name, and the other names under which it can be asked for."""
        others = re.findall(r"(?:^|,)\s*([a-z0-9][a-z0-9+.-]*)", self.field("Provides"))
        return frozenset({self.name, *others})


def read_package(path: Path) -> CardPackage:
    """Read a package's file. Raises StepFailed if it is no package or incomplete."""
    try:
        data = read_bytes(path, LARGEST_BYTES)
        control = _control(data)
    except OSError as error:
        raise StepFailed(f"{path}: cannot be read: {error.strerror}; {_ANEW}") from error
    except (ValueError, EOFError, tarfile.TarError) as error:
        raise StepFailed(
            f"{path}: expected a Debian package, found another file or half of one; {_ANEW}"
        ) from error
    package = CardPackage(path, control, len(data), hashlib.sha256(data).hexdigest())
    if not package.name or not package.field("Version") or not package.field("Architecture"):
        raise StepFailed(f"{path}: does not say name, version and architecture; {_ANEW}")
    return package


def _control(data: bytes) -> str:
    """Return the control file of a package; ValueError, EOFError or TarError."""
    if not data.startswith(_MAGIC):
        raise ValueError("no archive")
    at, found = len(_MAGIC), ""
    while at < len(data):
        header = data[at : at + _HEADER]
        if len(header) < _HEADER or header[58:] != b"`\n":
            raise EOFError
        size = int(header[48:58])
        name = header[:16].rstrip(b" /").decode("ascii", "replace")
        part = data[at + _HEADER : at + _HEADER + size]
        if len(part) < size:
            raise EOFError
        if name.startswith("control.tar"):
            found = _out_of(part)
        at += _HEADER + size + size % 2
    if not found:
        raise ValueError("no control")
    return found


def _out_of(part: bytes) -> str:
    with tarfile.open(fileobj=io.BytesIO(part), mode="r|*") as tar:
        for member in tar:
            if member.name.removeprefix("./") == "control" and member.size <= _CONTROL_BYTES:
                file = tar.extractfile(member)
                if file is not None:
                    return file.read().decode("utf-8").strip() + "\n"
    raise ValueError("no control")


def whole_set(folder: Path) -> tuple[CardPackage, ...]:
    """Read the packages of a folder. Raises StepFailed if they cannot make a Pi a board."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".deb")
    except OSError as error:
        raise StepFailed(f"{folder}: cannot be read: {error.strerror}") from error
    if not paths:
        raise StepFailed(
            f"{folder}: expected Jackspot's packages and what they need (*.deb), found none; have "
            "them made: make deb ARGS=card, which puts them into dist/card-arm64"
        )
    found = [read_package(path) for path in paths]
    names = [package.name for package in found]
    if lacking := [name for name in NEEDED if name not in names]:
        raise StepFailed(f"{folder}: {', '.join(lacking)} is missing among the packages; {_ANEW}")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise StepFailed(f"{folder}: more than one package of {', '.join(twice)}; keep one of each")
    ours = {each.field("Version") for each in found if each.name in NEEDED}
    if len(ours) > 1:
        raise StepFailed(
            f"{folder}: expected Jackspot's packages of one version, found "
            f"{', '.join(sorted(ours))}; keep those of one"
        )
    _refuse_others(folder, found)
    return tuple(found)


def _refuse_others(folder: Path, packages: Sequence[CardPackage]) -> None:
    """Refuse packages that no Raspberry Pi takes, and packages for two kinds of system."""
    kinds: dict[str, str] = {}
    for each in packages:
        kind = each.field("Architecture")
        if kind != "all":
            kinds.setdefault(kind, each.path.name)
    wrong = [f"{name} for {kind}" for kind, name in kinds.items() if kind not in ARCHITECTURES]
    if wrong:
        raise StepFailed(
            f"{folder}: expected packages for a Raspberry Pi ({' or '.join(ARCHITECTURES)}), found "
            f"{', '.join(wrong)}; those are for another kind of computer"
        )
    if len(kinds) > 1:
        found = ", ".join(f"{name} for {kind}" for kind, name in sorted(kinds.items()))
        raise StepFailed(f"{folder}: expected packages for one kind of system, found {found}")


def left_to_the_system(packages: Sequence[CardPackage]) -> tuple[str, ...]:
    """Return the names of dependencies that are not among the packages: the card's system has them.

    Of alternatives the first is named.
    """
    here = {name for each in packages for name in each.provides}
    wanted = {names for each in packages for names in each.depends}
    return tuple(sorted({names[0] for names in wanted if here.isdisjoint(names)}))


def index(packages: Sequence[CardPackage]) -> str:
    """Write the index by which apt finds and verifies packages that lie beside it."""
    return "\n".join(
        f"{each.control}Filename: ./{each.path.name}\nSize: {each.size}\nSHA256: {each.sha256}\n"
        for each in packages
    )
