"""What a step of ``make hardware`` is: a function that gives the files of one kind, whole.

A step writes nothing. It gives each file's place below ``hardware/`` and its bytes, so that a test
can compare them with what is in the repository without touching it. Where the bytes depend on
the version of a program (Graphviz places boxes a little differently), a file says what of it must
be the same (``essence``).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

FOLDER = Path(__file__).resolve().parents[1]
"""``hardware/``, where the files belong."""

Essence = Callable[[bytes], object]
"""Takes out of a file's bytes what must be the same on every machine."""


def whole(content: bytes) -> object:
    """Return the bytes themselves: every one of them must be the same."""
    return content


class File(Struct, frozen=True):
    """One file. ``path`` is below ``hardware/``, with forward slashes."""

    path: str
    content: bytes
    essence: Essence = whole

    def is_same(self, content: bytes) -> bool:
        """Return whether other bytes say the same as this file."""
        return content == self.content or self.essence(content) == self.essence(self.content)


def text(path: str, content: str) -> File:
    """Return a text file."""
    return File(path, content.encode())


def page(name: str) -> str:
    """Return the words of a page, with places for what is computed in braces."""
    path = FOLDER / "generate" / "text" / f"{name}.md"
    return path.read_text(encoding="utf-8")


class Step(Struct, frozen=True):
    """Files of one kind, and what makes them.

    ``owns`` are the patterns (as of ``Path.glob``) of all files below ``hardware/`` that the step
    makes; one that it no longer makes is removed. ``programs`` are commands that it starts, with
    the Debian package of each (``.ci/setup dev hardware`` installs them). ``slow`` steps take more
    than a few seconds; ``make test`` leaves them to ``make test-long``. ``unless`` says why a step
    cannot be made here and is left out, or "".
    """

    name: str
    make: Callable[[], Iterable[File]]
    owns: tuple[str, ...]
    programs: Mapping[str, str] | None = None
    slow: bool = False
    unless: Callable[[], str] = str

    def missing(self) -> list[str]:
        """Return the Debian packages of the programs that are not there."""
        wanted = self.programs or {}
        return [package for command, package in wanted.items() if not shutil.which(command)]

    def kept(self, folder: Path = FOLDER) -> dict[str, bytes]:
        """Return the files of this step that a folder has."""
        found = {path for pattern in self.owns for path in folder.glob(pattern) if path.is_file()}
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(found)}


def differences(step: Step, folder: Path = FOLDER) -> Iterator[str]:
    """Say in which files a folder is not what a step makes."""
    there = step.kept(folder)
    for file in step.make():
        content = there.pop(file.path, None)
        if content is None:
            where = "is not there" if not (folder / file.path).exists() else "is not in `owns`"
            yield f"{file.path} {where}"
        elif not file.is_same(content):
            yield f"{file.path} is not what {step.name} makes of the tables"
    for path in there:
        yield f"{path} is made by nothing any more"


def write(step: Step, folder: Path = FOLDER, *, anew: bool = False) -> Iterator[str]:
    """Put a step's files into a folder; give what changed.

    What says the same stays as it is, unless all is to be written ``anew``.
    """
    there = step.kept(folder)
    for file in step.make():
        content = there.pop(file.path, None)
        same = content == file.content if anew else content and file.is_same(content)
        if same:
            continue
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        yield f"{file.path} ({len(file.content)} bytes)"
    for name in there:
        (folder / name).unlink()
        yield f"{name} removed"
