"""Seal entries into a chain for storage, and check them again when they are read.

Each stored entry carries a checksum over itself and the checksum before it, so that a changed,
missing or re-ordered entry is noticed and everything before the damage is proven good. Nothing here
touches a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import Struct

from jackspot.files import from_json
from jackspot.storage.errors import BadEntry
from jackspot.storage.wall_clock import Wall
from jackspot.values import changed

JSON = bool | int | float | str | None | Sequence["JSON"] | Mapping[str, "JSON"]
Validator = Callable[[Mapping[str, Any]], object]
"""Checks a body and raises ValueError, naming what it expected and found."""
Kinds = Mapping[str, Validator]
"""Every kind of entry, and what checks its body."""
RESTORED = "restored"
"""The kind that says: the numbers that follow belonged to other entries before."""

CHAIN_BYTES = 16
ROOT = bytes(CHAIN_BYTES)
"""The checksum before the first entry."""
FEW_NESTINGS = 128
"""A body with no more tables and lists than this is not checked for how deeply they are nested."""
INT64 = range(-(2**63), 2**63)


class EntryToKeep(Protocol):
    """An entry that the loop hands over. ``at_ns`` is an instant of the monotonic clock."""

    @property
    def kind(self) -> str:
        """The kind of entry: a key of the registry of kinds."""

    @property
    def at_ns(self) -> int:
        """When it happened, in nanoseconds of the monotonic clock of this boot."""

    @property
    def body(self) -> Mapping[str, JSON]:
        """The content of the entry."""


class _Restored(Struct, frozen=True):
    at_ns: int
    kind: str = RESTORED
    body: Mapping[str, JSON] = MappingProxyType({})


class StoredEntry(Struct, frozen=True):
    """An entry with its place in the journal.

    ``at_ns`` can be compared only with entries of the same ``boot``. ``wall_ns`` is only a note:
    nanoseconds since 1970 by a clock that was right only if ``synchronised``. ``text`` is the body
    as canonical JSON, ``chain`` the checksum over this entry and all before it.
    """

    seq: int
    boot: str
    at_ns: int
    wall_ns: int
    synchronised: bool
    kind: str
    body: Mapping[str, Any]
    text: str
    chain: bytes
    unknown: str = ""
    """Why this version does not understand it, if another one wrote it; it is left unchanged."""

    def said(self) -> tuple[str, int, int, bool, str, str]:
        """Return all but its place in the journal: the fields that the checksum covers."""
        return (
            self.boot, self.at_ns, self.wall_ns, self.synchronised, self.kind, self.text,
        )  # fmt: skip

    def canonical(self) -> str:
        """Return the line of the canonical dump: no wall time, no boot, no checksum."""
        head = f'{{"at_ns":{self.at_ns},"body":{self.text},"kind":{write_json(self.kind)}'
        return f'{head},"seq":{self.seq}}}'


Sealed = tuple[StoredEntry, ...]
"""Consecutive entries of one chain."""


class Head(Struct, frozen=True):
    """The end of a chain: the number and the checksum of its last entry."""

    seq: int = 0
    chain: bytes = ROOT


_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def write_json(body: object) -> str:
    """Return the one canonical text of a JSON value; TypeError or ValueError if it is not one."""
    text = _CANONICAL.encode(_plain(body))
    text.encode()  # a lone surrogate has no place in a file
    return text


_ATOMS = frozenset((str, int, float, bool, type(None)))


def _plain(value: object) -> object:
    """Turn read-only mappings and tuples into types that the JSON encoder knows."""
    if isinstance(value, list | tuple):
        return [each if type(each) in _ATOMS else _plain(each) for each in value]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"a JSON key must be a str, not {key!r}")
        return {
            key: inner if type(inner) in _ATOMS else _plain(inner) for key, inner in value.items()
        }
    return value


def seal(head: Head, entries: Iterable[EntryToKeep], kinds: Kinds, wall: Wall) -> Sealed:
    """Check entries, stamp them with wall time, and chain them to ``head``.

    Raises BadEntry, naming the entry, before anything is sealed.
    """
    boot, wall_ns, synchronised = wall.boot(), wall.now_ns(), wall.synchronised()
    sealed: list[StoredEntry] = []
    for entry in entries:
        text, body = _checked(entry, kinds)
        seq, kind, at_ns = head.seq + 1, str(entry.kind), entry.at_ns
        chain = link(head.chain, (seq, boot, at_ns, wall_ns, synchronised, kind, text))
        sealed.append(StoredEntry(seq, boot, at_ns, wall_ns, synchronised, kind, body, text, chain))
        head = Head(seq, chain)
    return tuple(sealed)


def restored(good: Sealed, kinds: Kinds, wall: Wall) -> Sealed:
    """Return entries from which a journal continues, and one that says so if it has that kind.

    The added entry has the instant of the last one: within a boot, instants never go back.
    """
    if not good or RESTORED not in kinds:
        return good
    head = Head(good[-1].seq, good[-1].chain)
    return good + seal(head, (_Restored(good[-1].at_ns),), kinds, wall)


def reseal(head: Head, sealed: Iterable[StoredEntry]) -> Sealed:
    """Chain sealed entries to another head, keeping what they say and when."""
    again: list[StoredEntry] = []
    for entry in sealed:
        seq = head.seq + 1
        chain = link(head.chain, (seq, *entry.said()))
        again.append(changed(entry, seq=seq, chain=chain))
        head = Head(seq, chain)
    return tuple(again)


def _checked(entry: EntryToKeep, kinds: Kinds) -> tuple[str, Mapping[str, Any]]:
    """Check one entry; return its body as text and as it will be read back."""
    if entry.kind not in kinds:
        raise BadEntry(f"unknown kind of entry {entry.kind!r}; known: {', '.join(sorted(kinds))}")
    if type(entry.at_ns) is not int or entry.at_ns not in INT64:
        raise BadEntry(f"{entry.kind}: at_ns must be a 64-bit integer, not {entry.at_ns!r}")
    try:
        text = write_json(entry.body)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadEntry(f"{entry.kind}: the body is no JSON: {error}") from error
    if not text.startswith("{"):
        raise BadEntry(f"{entry.kind}: the body must be a mapping, not {entry.body!r}")
    try:
        body = _read_json(text)
        kinds[entry.kind](body)
    except ValueError as error:
        raise BadEntry(f"{entry.kind}: {error}") from error
    return text, MappingProxyType(body)


def _read_json(text: str) -> Any:
    """Read a body; ValueError if it is nested too deeply for code that walks through it."""
    many = text.count("[") + text.count("{") > FEW_NESTINGS
    return from_json(text) if many else json.loads(text)


_FIELDS = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))


def link(before: bytes, fields: tuple[int, str, int, int, bool, str, str]) -> bytes:
    """Return the checksum of an entry: over its fields and the checksum before it."""
    text = before + _FIELDS.encode(fields).encode()
    return hashlib.blake2b(text, digest_size=CHAIN_BYTES).digest()


class Broken(ValueError):
    """A row that is not as it was written; the message says which and why."""


Row = Sequence[object]
"""seq, boot, at_ns, wall_ns, synchronised, kind, body, chain; texts as bytes."""


def unseal(
    rows: Iterable[Row], kinds: Kinds | None, head: Head | None = None
) -> Iterator[StoredEntry]:
    """Check rows in order and yield their entries; raise Broken at the first bad one.

    Without ``kinds`` the bodies are only checked to be canonical JSON. An entry whose checksum is
    right but which these kinds do not know was written by another version: it is yielded as
    ``unknown``. ``head`` is the end of the chain before the first row; without it, the rows are a
    journal's from its beginning.
    """
    head = head or Head()
    for row in rows:
        entry = _unseal(row, head, kinds)
        yield entry
        head = Head(entry.seq, entry.chain)


def _unseal(row: Row, head: Head, kinds: Kinds | None) -> StoredEntry:
    """Check one row against the end of the chain before it."""
    seq, boot_b, at_ns, wall_ns, synchronised, kind_b, text_b, chain = row
    number = head.seq + 1
    if seq != number:
        raise Broken(f"entry {number} is missing: the next one is numbered {seq!r}")
    if not (
        isinstance(boot_b, bytes)
        and isinstance(at_ns, int)
        and isinstance(wall_ns, int)
        and isinstance(kind_b, bytes)
        and isinstance(text_b, bytes)
        and isinstance(chain, bytes)
    ):
        raise Broken(f"entry {number} holds values of the wrong type")
    try:
        boot, kind, text = boot_b.decode(), kind_b.decode(), text_b.decode()
    except UnicodeDecodeError as error:
        raise Broken(f"entry {number} is no UTF-8: {error}") from error
    synced = bool(synchronised)
    if link(head.chain, (number, boot, at_ns, wall_ns, synced, kind, text)) != chain:
        raise Broken(f"entry {number} does not match its checksum")
    body = _checked_body(number, text)
    unknown = _unknown(kind, body, kinds) if kinds is not None else ""
    return StoredEntry(number, boot, at_ns, wall_ns, synced, kind, body, text, chain, unknown)


def understood(entries: Iterable[StoredEntry]) -> Sealed:
    """Return the entries without those of another version that this one does not know."""
    return tuple(entry for entry in entries if not entry.unknown)


def _unknown(kind: str, body: Mapping[str, Any], kinds: Kinds) -> str:
    """Return why this version does not understand an entry; empty if it does."""
    if kind not in kinds:
        return "this version does not know this kind"
    try:
        kinds[kind](body)
    except ValueError as error:
        return str(error)
    return ""


def _checked_body(number: int, text: str) -> Mapping[str, Any]:
    """Read a body whose checksum is right."""
    try:
        body = _read_json(text)
        canonical = _CANONICAL.encode(body) == text
    except (ValueError, RecursionError) as error:
        raise Broken(f"entry {number}: the body is no JSON: {error}") from error
    if not isinstance(body, dict) or not canonical:
        raise Broken(f"entry {number}: the body is not written as this program writes it")
    return MappingProxyType(body)
