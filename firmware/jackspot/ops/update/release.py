"""The one file of a release: its packages, a list of them, and a signature over the list.

The signature is checked before anything else in the file is trusted; the list then proves the
packages. gpgv checks it, since Debian has it everywhere and relies on it for its own signatures.
(``FORMATS.md``, "A release".)
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jackspot.files import MIB, from_json
from jackspot.ops.backup.archive import DAMAGE, PACKED, Listed, look_at, take_out

FORM = "jackspot release"
FORM_VERSION = 1
ENDING = ".update"
LIST = "release.json"
SIGNATURE = "release.json.sig"

KEYS = ("/usr/share/jackspot/update.gpg", "/etc/jackspot/update.gpg")
"""Public keys whose signatures are accepted: the package's, and the owner's own."""

MOST_IN_LIST = 1 << 16
"""Most bytes of the list, and of the signature; a real one has a thousand."""
LARGEST_BYTES = 200 * MIB
"""No package of ours comes near this."""
MOST_FILES = 16

_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]*_[A-Za-z0-9.+:~-]+_[a-z0-9-]+\.deb")
"""A package's name, version and architecture, as dpkg-deb names files; it admits no path."""


class ReleaseError(Exception):
    """A release that cannot be made or used; says where, what, and what to do."""


@dataclass(frozen=True, slots=True)
class Release:
    """What a file's list says, once its signature has been verified."""

    version: str
    files: Mapping[str, Listed]

    @property
    def size(self) -> int:
        """The total size of the packages, in bytes."""
        return sum(each.size for each in self.files.values())


def write(
    target: Path, version: str, debs: Sequence[Path], sign: Callable[[Path, Path], None]
) -> None:
    """Write a release of these packages; ``sign`` writes a file's signature into another one."""
    listed = {path.name: look_at(path) for path in debs}
    said = {
        "form": FORM,
        "version": FORM_VERSION,
        "release": version,
        "files": {name: {"size": x.size, "sha256": x.digest} for name, x in listed.items()},
    }
    with tempfile.TemporaryDirectory(prefix="jackspot-") as name:
        whole, signature = Path(name) / LIST, Path(name) / SIGNATURE
        whole.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
        sign(whole, signature)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
            for path in (whole, signature, *debs):
                archive.write(path, path.name)


def read(file: Path, keys: Sequence[Path]) -> Release:
    """Check a release's signature by these keys and return its list. Raises ReleaseError."""
    said, signature = _taken_out(file)
    _check_signature(file, said, signature, keys)
    return _release(file, said)


def claimed(file: Path) -> Release:
    """Return what a file's list says, whoever wrote it: for code that only passes it on.

    Raises ReleaseError if it is no release.
    """
    return _release(file, _taken_out(file)[0])


def only_one(folder: Path, place: Path) -> Path:
    """Return the one release at the top of a folder; ReleaseError names it as ``place``."""
    found = sorted(  # without what begins with a dot: a Mac leaves a ._ file beside each
        path for path in folder.glob(f"[!.]*{ENDING}") if path.is_file()
    )
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise ReleaseError(f"{place}: expected one file *{ENDING} at its top, found {names}")
    return found[0]


def _taken_out(file: Path) -> tuple[bytes, bytes]:
    """Return the list of a file and its signature, both unparsed. Raises ReleaseError."""
    other = f"{file}: expected a release as `make release` makes it, found another file"
    try:
        with zipfile.ZipFile(file) as archive:
            said, signature = _bounded(archive, LIST), _bounded(archive, SIGNATURE)
            packed = {each.compress_type for each in archive.infolist()}
    except OSError as error:
        raise ReleaseError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (*DAMAGE, ValueError) as error:
        raise ReleaseError(f"{other}, or half of one; copy it again") from error
    if not packed <= set(PACKED):
        raise ReleaseError(other)
    return said, signature


def unpack(file: Path, release: Release, folder: Path) -> tuple[Path, ...]:
    """Extract the packages into a folder, checking each. Raises ReleaseError."""
    try:
        with zipfile.ZipFile(file) as archive:
            for name, listed in release.files.items():
                if not take_out(archive, name, listed, folder / name):
                    raise ReleaseError(
                        f"{file}: {name} in it is not what was signed; copy the file again"
                    )
    except OSError as error:
        why = f"{error.filename or file}: {error.strerror or error}"
        raise ReleaseError(f"{why}; nothing was changed") from error
    except (*DAMAGE, ValueError) as error:
        raise ReleaseError(f"{file}: is damaged; copy it again") from error
    return tuple(folder / name for name in release.files)


def _bounded(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as part:  # the archive may state a wrong size
        data = part.read(MOST_IN_LIST + 1)
    if len(data) > MOST_IN_LIST:
        raise ValueError(name)
    return data


def _check_signature(file: Path, said: bytes, signature: bytes, keys: Sequence[Path]) -> None:
    """Have gpgv check the signature; the clock is ignored, since a board's may be wrong."""
    there = [path for path in keys if path.is_file()]
    if not there:
        raise ReleaseError(
            f"{file}: there is no key to check it with; expected the public key of whoever makes "
            f"the releases at {' or '.join(map(str, keys))}"
        )
    try:
        done = _verified(said, signature, there)
    except FileNotFoundError as error:
        raise ReleaseError(
            f"{file}: gpgv, which checks signatures, is missing: sudo apt-get install gpgv"
        ) from error
    except OSError as error:
        raise ReleaseError(
            f"{file}: its signature cannot be checked: {error.strerror}; nothing was changed"
        ) from error
    if done.returncode:
        raise ReleaseError(
            f"{file}: its signature is not by a key that this machine trusts "
            f"({', '.join(map(str, there))}), or the file was changed; nothing was changed here"
        )


def _verified(
    said: bytes, signature: bytes, keys: Sequence[Path]
) -> subprocess.CompletedProcess[str]:
    """Run gpgv. Raises OSError if it is missing, or if there is no room for the list."""
    with tempfile.TemporaryDirectory(prefix="jackspot-") as name:
        folder = Path(name)
        (folder / LIST).write_bytes(said)
        (folder / SIGNATURE).write_bytes(signature)
        rings = [word for path in keys for word in ("--keyring", str(path.absolute()))]
        words = ["gpgv", "--homedir", name, "--ignore-time-conflict", "--weak-digest", "SHA1"]
        return subprocess.run(
            [*words, *rings, str(folder / SIGNATURE), str(folder / LIST)],
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
        )


def _release(file: Path, said: bytes) -> Release:
    """Parse a list whose signature is good; a newer program may have written it."""
    damaged = f"{file}: its list {LIST} cannot be read by this version"
    try:
        table = from_json(said.decode())
        ours, form, version = table["form"] == FORM, int(table["version"]), str(table["release"])
        files = {
            str(name): Listed(int(each["size"]), str(each["sha256"]))
            for name, each in table["files"].items()
        }
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise ReleaseError(damaged) from error
    if ours and form > FORM_VERSION:
        raise ReleaseError(
            f"{file}: is of form {form}, known up to {FORM_VERSION}; take a release in between "
            "first, or install its packages by apt"
        )
    fits = (
        ours
        and 0 < len(files) <= MOST_FILES
        and all(
            _NAME.fullmatch(name) and 0 < each.size <= LARGEST_BYTES for name, each in files.items()
        )
    )
    if not fits:
        raise ReleaseError(damaged)
    return Release(version, files)
