"""Convert a match record to short texts, one for each of several QR codes, and back.

A record that fits into one code is that code's text, as it is. A longer one is compressed and cut
into texts of nearly the same length, each with its number, how many there are, a checksum of the
whole record and one of its own::

    CAROM1-2/3-5KQZ7VA-MFRGGZDFMZTWQ...-K3QA

All letters are of the alphabet of which a QR code packs two into eleven bits. Scanned texts may
come in any order, and more than once. FORMATS.md documents the format for other programs.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator, Sequence

from msgspec import Struct

from jackspot.core.record import Flaw, RecordError

NAME = "CAROM1"
"""The beginning of each text; its last letter is the version."""

DICTIONARY = b"""\
# jackspot record 1
rules = "grundregeln"
rules = "points"
rules = "icf"
rules = "kagw"
rules = "japan"
rules = "hikone"
seats = ["N", "E", "S", "W"]
event = "
round = "
place = "
date = 20
[names]
N = "
S = "
[options]
best_of = 3
time_limit_s = 300
[handicap.S]
head_start = 4
---
! set jack=board
! set red pocketed=
! turn N
! undo
! time
! forgot
! placed
S queen@NW black@SW
N queen@SE white@NE
S foul
S jack
N striker@NW
"""
"""Common text of records, which makes a short one half as long. It is part of version 1 forever."""

LARGEST_RECORD = 1 << 20
"""In bytes: no more than this is unpacked, whatever a text says."""

_RAW_DEFLATE = -15
_WHOLE = 7
_OWN = 4
_LETTERS = re.IGNORECASE | re.ASCII
_TEXT = re.compile(
    r"CAROM1-(\d{1,6})/(\d{1,6})-([A-Z2-7]{7})-([A-Z2-7]+)-([A-Z2-7]{4})(?![A-Z2-7])", _LETTERS
)
_LOOKS_SO = re.compile(r"CAROM(\d)-(?:(\d{1,6})/(\d{1,6})(?!\d))?", _LETTERS)

_Place = tuple[int, int]
"""A code's number, and how many there are."""


def codes_of(record: str, letters: int, plain_bytes: int) -> tuple[str, ...]:
    """Return the texts for codes that each hold ``letters`` letters of the QR code's own alphabet.

    A record of at most ``plain_bytes`` bytes is one text: itself. ``letters`` is at least 40.
    """
    data = record.encode()
    if len(data) <= plain_bytes:
        return (record,)
    packed = _base32(_pack(data))
    whole = _checksum(data)
    count = digits = 0
    while digits == 0 or count >= 10**digits:  # the more codes, the longer their numbers
        digits += 1
        room = letters - len(f"{NAME}-/---") - 2 * digits - _WHOLE - _OWN
        count = -(-len(packed) // room)
    each = -(-len(packed) // count)
    pieces = [packed[at : at + each] for at in range(0, len(packed), each)]
    return tuple(_text(n, len(pieces), whole, piece) for n, piece in enumerate(pieces, 1))


def record_from(text: str) -> str:
    """Assemble a record from scanned texts; a text that is already a record stays as it is.

    No line of a record begins with a code, so lines ``---`` between codes do no harm.
    Raises RecordError, which names the codes that are missing, damaged, or of another match.
    """
    lines = text.splitlines()
    has_header = any(line.partition("#")[0].strip() == "---" for line in lines)
    is_record = has_header and not any(_TEXT.match(line.strip()) for line in lines)
    if is_record or not _LOOKS_SO.search(text):
        return text
    found = _Found.within(lines)
    groups = found.groups()
    whole = next((group for group in groups if len(group) == group[0].count), None)
    if whole is None or len({code.whole for group in groups for code in group}) > 1:
        raise RecordError(found.flaws(groups))
    return _joined(whole)


# --- one text --------------------------------------------------------------------------


class _Code(Struct, frozen=True):
    """One text that was found, and where."""

    number: int
    count: int
    whole: str
    piece: str
    line: int
    column: int


def _text(number: int, count: int, whole: str, piece: str) -> str:
    said = f"{NAME}-{number}/{count}-{whole}-{piece}"
    return f"{said}-{_own(said)}"


def _own(said: str) -> str:
    """Return the checksum of one text: the first two bytes of its CRC-32."""
    return _base32(zlib.crc32(said.encode()).to_bytes(4, "big")[:2])


def _checksum(data: bytes) -> str:
    """Return the checksum of a whole record: its CRC-32."""
    return _base32(zlib.crc32(data).to_bytes(4, "big"))


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").rstrip("=")


# --- the whole -------------------------------------------------------------------------


def _pack(data: bytes) -> bytes:
    packer = zlib.compressobj(9, wbits=_RAW_DEFLATE, memLevel=9, zdict=DICTIONARY)
    return packer.compress(data) + packer.flush()


def _joined(codes: Sequence[_Code]) -> str:
    """Unpack the pieces of a whole record, which are in order."""
    first = codes[0]
    packed = "".join(code.piece for code in codes)
    unpacker = zlib.decompressobj(_RAW_DEFLATE, zdict=DICTIONARY)
    try:
        bits = base64.b32decode(packed + "=" * (-len(packed) % 8))
        data = unpacker.decompress(bits, LARGEST_RECORD)
        if _checksum(data) == first.whole:
            return data.decode("utf-8")
    except (ValueError, zlib.error):
        pass  # what was read makes no sense: reported below
    raise RecordError(
        [Flaw(first.line, first.column,
              f"these {first.count} codes do not make the record that they are of ({first.whole}): "
              "scan all of them again")]
    )  # fmt: skip


class _Found(Struct, frozen=True):
    """What is in the text: whole codes, damaged codes, and lines without any."""

    codes: tuple[_Code, ...]
    damaged: tuple[tuple[Flaw, _Place | None], ...]
    """Each with its number and how many there are, if that can be read."""
    strange: tuple[Flaw, ...]

    @classmethod
    def within(cls, lines: Sequence[str]) -> _Found:
        codes: list[_Code] = []
        damaged: list[tuple[Flaw, _Place | None]] = []
        strange: list[Flaw] = []
        for number, line in enumerate(lines, 1):
            looked = list(_LOOKS_SO.finditer(line))
            if not looked and line.strip():
                message = f"expected a code that begins with {NAME}-, found {line.strip()[:40]!r}"
                strange.append(Flaw(number, 1, message))
            for each in looked:
                code = _read(line, each, number)
                if code is not None:
                    codes.append(code)
                else:
                    damaged.append(_damage(each, number))
        return cls(tuple(codes), tuple(damaged), tuple(strange))

    def groups(self) -> list[list[_Code]]:
        """Return the codes that belong together, each once and in order."""
        sets: dict[tuple[str, int], dict[int, _Code]] = {}
        for code in self.codes:
            sets.setdefault((code.whole, code.count), {}).setdefault(code.number, code)
        return [[group[number] for number in sorted(group)] for group in sets.values()]

    def flaws(self, groups: Sequence[Sequence[_Code]]) -> Iterator[Flaw]:
        """Yield what is wrong with codes that make no record."""
        have = {(code.number, code.count) for code in self.codes}
        yield from (flaw for flaw, which in self.damaged if which is None or which not in have)
        matches = {group[0].whole for group in groups}
        if len(matches) > 1:
            first = self.codes[0]
            for group in groups:
                if group[0].whole != first.whole:
                    yield _foreign(group, first)
            return
        damaged = {which for _flaw, which in self.damaged}
        last = max((code.line for code in self.codes), default=1)
        if groups:
            group = max(groups, key=lambda codes: len(codes) / codes[0].count)
            count = group[0].count
            missing = set(range(1, count + 1)) - {code.number for code in group}
            missing -= {number for number in missing if (number, count) in damaged}
            if missing:
                yield Flaw(last, 1, _missing(sorted(missing), count))
        yield from self.strange


def _read(line: str, looked: re.Match[str], number: int) -> _Code | None:
    """Read the code that begins at a place; None if it is damaged."""
    found = _TEXT.match(line, looked.start())
    if found is None:
        return None
    at, count, whole, piece, own = (group.upper() for group in found.groups())
    if own != _own(found[0].upper().rpartition("-")[0]):
        return None
    return _Code(int(at), int(count), whole, piece, number, looked.start() + 1)


def _damage(looked: re.Match[str], line: int) -> tuple[Flaw, _Place | None]:
    version, number, count = looked.groups()
    column = looked.start() + 1
    if f"CAROM{version}" != NAME:
        newer = f"expected {NAME}, found CAROM{version}: a newer Jackspot reads this"
        return Flaw(line, column, newer), None
    which = (int(number), int(count)) if number else None
    name = f"code {number} of {count}" if number else "this code"
    return Flaw(line, column, f"{name} is damaged or not whole: scan it again"), which


def _foreign(group: Sequence[_Code], first: _Code) -> Flaw:
    named = ", ".join(f"{code.number}" for code in group)
    code = min(group, key=lambda each: each.line)
    return Flaw(
        code.line, code.column,
        f"code {named} of {code.count} ({code.whole}) is of another match, or of another moment of "
        f"it, than the one on line {first.line} ({first.whole}): give one match at a time",
    )  # fmt: skip


def _missing(numbers: Sequence[int], count: int) -> str:
    named = ", ".join(map(str, numbers))
    return f"missing: {'code' if len(numbers) == 1 else 'codes'} {named} of {count}"
