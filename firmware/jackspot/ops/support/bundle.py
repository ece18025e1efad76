"""The support bundle: one zip archive to send to a helper.

Everything is put together in memory from what was read. The journal is rewritten from its entries,
so that it contains nothing that was deleted. No file of the board is copied unchanged except with
``--with-names``. What cannot be read is left out and named in ``READ ME.txt``.
"""

from __future__ import annotations

import enum
import io
import json
import re
import tempfile
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from jackspot.capture.errors import CaptureError
from jackspot.capture.vcd_file import read_capture, rewritten
from jackspot.config import Sources, load
from jackspot.config.show import as_toml
from jackspot.files import from_json
from jackspot.inputs.pins import WIRE_NAMES
from jackspot.ops.backup.archive import new_archive, new_file, put
from jackspot.ops.support.names import Hiding, names_in, names_in_toml
from jackspot.storage.database import build
from jackspot.storage.entries import Head, Sealed, reseal, write_json
from jackspot.values import changed

NOTE = "READ ME.txt"

ABOUT = """A Jackspot board's support bundle, made by `jackspot support-bundle`.

versions.json    programs and packages
doctor.json      what `jackspot doctor` found
settings.toml    the effective settings; where they have mistakes, what each file says
calibration.toml what was measured on the board
journal.jsonl    every entry of the journal, as `jackspot dump` prints them
journal.sqlite3  the same as a journal: `jackspot run` or `sim --journal` go on with it
system.log       what the service said
kernel.log       what the kernel said last
files.txt        what lies in the board's folder
*.vcd            captures of the pins: `jackspot replay FILE`
"""


class BundleContents(Struct, frozen=True):
    """What was read of a board, each item by its name in the bundle.

    ``settings`` are TOML files, ``texts`` are logs and lists, ``data`` becomes JSON, and
    ``captures`` are pin captures. ``missing`` says what could not be read, and why.
    """

    entries: Sealed
    settings: dict[str, str]
    texts: dict[str, str]
    data: dict[str, object]
    captures: dict[str, bytes]
    missing: tuple[str, ...] = ()


def write(target: Path, found: BundleContents, *, with_names: bool) -> Hiding | None:
    """Write a bundle; return what hid the names, None with names. Raises BackupError."""
    hiding = None if with_names else Hiding(all_names(found), own_words())
    told, left_out = (found, []) if hiding is None else hidden(found, hiding)
    with new_file(target) as draft, new_archive(draft) as archive:
        put(archive, NOTE, _note(hiding, [*told.missing, *left_out]))
        for name, text in (told.settings | told.texts).items():
            put(archive, name, text)
        for name, value in told.data.items():
            put(archive, name, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        for name, data in told.captures.items():
            put(archive, name, data)
        lines = (entry.canonical() + "\n" for entry in told.entries)
        put(archive, "journal.jsonl", "".join(lines))
        put(archive, "journal.sqlite3", journal_bytes(told.entries))
    return hiding


def _note(hiding: Hiding | None, missing: Sequence[str]) -> str:
    if hiding is None:
        names = "It holds players' names, as was asked for.\n"
    else:
        names = (
            f"{len(hiding.names)} players' names are replaced by a letter and a number, the "
            "same in every file.\n"
        )
        if hiding.kept_as_words:
            names += f"{hiding.kept_as_words} of them are words of the program as well.\n"
    absent = "".join(f"Not here: {each}\n" for each in missing)
    return f"{ABOUT}\n{names}{absent}"


def all_names(found: BundleContents) -> Iterator[str]:
    """Return every name found in the places for names."""
    for text in found.settings.values():
        yield from _of_settings(text)
    for entry in found.entries:
        yield from names_of_entry(entry.body)
    for data in found.captures.values():
        try:
            opening = read_capture(io.BytesIO(data)).opening
        except CaptureError:
            continue
        if opening is not None:
            yield from _of_settings(opening.config)
            for line in opening.journal:
                yield from _of_line(line)


def _of_settings(text: str) -> Iterator[str]:
    try:
        yield from names_in_toml(text)
    except ValueError:
        return


def _of_line(line: str) -> Iterator[str]:
    try:
        yield from names_of_entry(from_json(line)["body"])
    except (ValueError, KeyError, TypeError):
        return


def names_of_entry(body: object) -> Iterator[str]:
    """Return the names in a journal entry: in its plain data, and in a header."""
    yield from names_in(body)
    if isinstance(body, dict | MappingProxyType) and isinstance(header := body.get("header"), str):
        yield from _of_settings(header)


def own_words() -> set[str]:
    """Return the words that the program itself writes; a name may be one of them."""
    words = set(WIRE_NAMES) | set(re.findall(r"\w+", as_toml(load(Sources(())))))
    for kind in enum.StrEnum.__subclasses__():
        if kind.__module__.partition(".")[0] == "jackspot":
            words |= {str(member.value) for member in kind}
    return words


def hidden(found: BundleContents, hiding: Hiding) -> tuple[BundleContents, list[str]]:
    """Return the same without names, and what had to be left out for that."""
    left_out = []
    settings = {}
    for name, text in found.settings.items():
        try:
            list(names_in_toml(text))
            settings[name] = hiding.toml(text)
        except ValueError:
            left_out.append(f"{name}: it is no TOML, so names in it cannot be told")
    captures: dict[str, bytes] = {}
    for name, data in found.captures.items():
        try:
            hidden_name = free_name(hiding.text(name), captures)
            captures[hidden_name] = rewritten(data, hiding.toml, hiding.json)
        except CaptureError as error:
            left_out.append(f"{hiding.text(name)}: {hiding.text(str(error))}")
    return (
        changed(
            found,
            entries=_entries(found.entries, hiding),
            settings=settings,
            texts={name: hiding.text(text) for name, text in found.texts.items()},
            data={name: hiding.json(value) for name, value in found.data.items()},
            captures=captures,
            missing=tuple(map(hiding.text, found.missing)),
        ),
        left_out,
    )


def _entries(entries: Sealed, hiding: Hiding) -> Sealed:
    """Return the entries without names, in a chain of their own."""
    said = []
    for entry in entries:
        body = hiding.json(entry.body)
        said.append(changed(entry, body=MappingProxyType(body), text=write_json(body)))
    return reseal(Head(), said)


def journal_bytes(entries: Sealed) -> bytes:
    """Return a journal of these entries, as the bytes of a file that never held others."""
    with tempfile.TemporaryDirectory(prefix="jackspot-") as folder:
        path = Path(folder) / "journal.sqlite3"
        build(path, entries)
        return path.read_bytes()


def free_name(name: str, taken: Container[str]) -> str:
    """Return a file's name, numbered if it is taken."""
    path, number = Path(name), 1
    while name in taken:
        number += 1
        name = f"{path.stem}-{number}{path.suffix}"
    return name


def newest(files: Iterable[Path], count: int) -> list[Path]:
    """Return the newest few files, newest first; files that vanish meanwhile are left out."""
    dated = []
    for path in files:
        try:
            dated.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue
    return [path for _when, path in sorted(dated, reverse=True)[:count]]
