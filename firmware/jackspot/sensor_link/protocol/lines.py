"""The lines that the sensor hub and the board send each other, read and written.

One message is one line of printable ASCII: the version, the sender, a number, the sender's time,
the message, and a check sum. FORMATS.md has the grammar with a line of each kind. A line has only
one spelling: reading it and writing it again gives the same bytes. Pure.

``firmware/sensor_hub/lines.py`` is the hub's side of it, in MicroPython.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import HIGHEST, DiscPeak

VERSION = "js1"
"""The first word of every line."""
BOARD = "pi"
"""The board's tag; a hub's is four hex digits, new at each start."""
LONGEST = 160
"""The most bytes of a line, without its end."""

SEQUENCES = 1 << 16
"""Line numbers run from 0 to one below this, and then from 0 again."""
LONGEST_TICKS_US = 1 << 53
LONGEST_AGO_US = 10_000_000
"""A hub reports what happened within ten seconds."""
MOST_COUNTED = 999_999_999

POCKETS = tuple(Pocket)
SIDES = tuple(Seat)


class HubLevels(Struct, frozen=True):
    """The readings from which a head sees something, and from which a disc feels a knock."""

    see: int
    knock: int


class HubHello(Struct, frozen=True):
    """Identifies the hub: sent at its start, when asked, and when its levels were set.

    ``hub`` is the chip's own number, ``program`` its program's version. ``heads`` and ``discs``
    are those that it found.
    """

    hub: str
    program: int
    heads: tuple[Pocket, ...]
    discs: tuple[Seat, ...]
    levels: HubLevels


class HubFrame(Struct, frozen=True):
    """What a head saw, ``ago_us`` before the line was sent."""

    pocket: Pocket
    ago_us: int
    red: int
    green: int
    blue: int
    dark: int


class HubKnock(Struct, frozen=True):
    """A knock, ``ago_us`` before the line was sent; ``peaks`` of the discs N, E, S, W."""

    ago_us: int
    peaks: tuple[DiscPeak, ...]


class HubHealth(Struct, frozen=True):
    """The hub's health, once a second; counts are since its start.

    ``busy`` is in thousandths of its time, ``lost`` counts frames and knocks that found no room,
    ``unread`` lines from the board that it could not read.
    """

    busy: int
    lost: int
    unread: int


class HubError(Struct, frozen=True):
    """Something is wrong at the hub: lower-case words, joined by ``_``."""

    words: str


class HubAsk(Struct, frozen=True):
    """The board asks who the hub is."""


HubMessage = HubHello | HubFrame | HubKnock | HubHealth | HubError | HubAsk | HubLevels


class HubLine(Struct, frozen=True):
    """One line: who sent which message, with which number, at which microsecond of its clock."""

    tag: str
    sequence: int
    ticks_us: int
    message: HubMessage


class HubFlaw(StrEnum):
    """Why a line is invalid."""

    GARBAGE = "garbage"
    """It never was a line."""
    TORN = "torn"
    """A part of a line, or one with foreign bytes in it: the check sum is wrong."""
    VERSION = "version"
    """A whole line of another version."""


class LineMistake(ValueError):
    """Not a line of this version; the message says what was found."""

    def __init__(self, flaw: HubFlaw, words: str) -> None:
        super().__init__(words)
        self.flaw = flaw


_MARKED = re.compile(rb"js[0-9]{1,4} ")
_SUMMED = re.compile(rb"[ -~]+ [0-9a-f]{8}")
_WHOLE = re.compile(rb"([ -~]+) ([0-9a-f]{8})")
_TAG = re.compile(r"[0-9a-f]{4}|pi")
_HUB = re.compile(r"[0-9a-f]{1,32}")
_WORDS = re.compile(r"[a-z0-9_]{1,60}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")


def write_line(line: HubLine) -> bytes:
    """Return the bytes of a line, including its end."""
    words = [VERSION, line.tag, str(line.sequence), str(line.ticks_us), *_said(line.message)]
    text = " ".join(words).encode("ascii")
    return b"%s %08x\n" % (text, zlib.crc32(text))


def _said(message: HubMessage) -> list[str]:
    match message:
        case HubHello():
            heads = ",".join(each.value.lower() for each in message.heads) or "-"
            discs = ",".join(each.value.lower() for each in message.discs) or "-"
            levels = (str(message.levels.see), str(message.levels.knock))
            said = ["hello", message.hub, str(message.program), heads, discs, *levels]
        case HubFrame():
            seen = (message.ago_us, message.red, message.green, message.blue, message.dark)
            said = ["frame", message.pocket.value.lower(), *map(str, seen)]
        case HubKnock():
            peaks = [n for peak in message.peaks for n in (peak.height, peak.delay_us)]
            said = ["knock", *map(str, (message.ago_us, *peaks))]
        case HubHealth():
            said = ["health", *map(str, (message.busy, message.lost, message.unread))]
        case HubError():
            said = ["error", message.words]
        case HubLevels():
            said = ["set", str(message.see), str(message.knock)]
        case HubAsk():
            said = ["ask"]
    return said


def read_line(data: bytes) -> HubLine:
    """Read one line without its end; raises :class:`LineMistake` if it is invalid."""
    whole = _WHOLE.fullmatch(data) if len(data) <= LONGEST else None
    if whole is None or zlib.crc32(whole[1]) != int(whole[2], 16):
        known = _MARKED.match(data) or _SUMMED.fullmatch(data)
        raise LineMistake(
            HubFlaw.TORN if known else HubFlaw.GARBAGE, f"{len(data)} bytes: {data[:40]!r}"
        )
    words = whole[1].decode("ascii").split(" ")
    if words[0] != VERSION:
        flaw = HubFlaw.VERSION if _MARKED.match(data) else HubFlaw.GARBAGE
        raise LineMistake(flaw, f"expected {VERSION}, found {words[0][:20]}")
    fields = _Fields(words[1:])
    try:
        line = HubLine(
            fields.like(_TAG), fields.number(SEQUENCES - 1), fields.number(LONGEST_TICKS_US),
            _message(fields),
        )  # fmt: skip
        fields.end()
    except ValueError as error:
        raise LineMistake(HubFlaw.VERSION, f"{error} in {data[:80]!r}") from error
    return line


class _Fields:
    """The words of a line, taken one by one; ValueError says what was expected."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._at = 0

    def word(self) -> str:
        if self._at == len(self._words):
            raise ValueError("expected another word, found the end")
        self._at += 1
        return self._words[self._at - 1]

    def like(self, form: re.Pattern[str]) -> str:
        word = self.word()
        if not form.fullmatch(word):
            raise ValueError(f"expected {form.pattern}, found {word}")
        return word

    def number(self, most: int) -> int:
        number = int(self.like(_NUMBER))
        if number > most:
            raise ValueError(f"expected at most {most}, found {number}")
        return number

    def numbers(self, count: int, most: int) -> tuple[int, ...]:
        return tuple(self.number(most) for _ in range(count))

    def some(self, known: dict[str, Pocket] | dict[str, Seat]) -> list[str]:
        """Return names, which must be in their usual order and unique; ``-`` is none."""
        word = self.word()
        names = [] if word == "-" else word.split(",")
        if names != [each for each in known if each in names]:
            raise ValueError(f"expected some of {','.join(known)} in this order, found {word}")
        return names

    def end(self) -> None:
        if self._at < len(self._words):
            raise ValueError(f"expected the end, found {self._words[self._at]}")


_POCKET_NAMES = {each.value.lower(): each for each in POCKETS}
_SIDE_NAMES = {each.value.lower(): each for each in SIDES}


def _message(fields: _Fields) -> HubMessage:
    kind = fields.word()
    if kind not in _KINDS:
        raise ValueError(f"expected one of {', '.join(_KINDS)}, found {kind}")
    return _KINDS[kind](fields)


def _hello(fields: _Fields) -> HubHello:
    return HubHello(
        fields.like(_HUB),
        fields.number(HIGHEST),
        tuple(_POCKET_NAMES[each] for each in fields.some(_POCKET_NAMES)),
        tuple(_SIDE_NAMES[each] for each in fields.some(_SIDE_NAMES)),
        _levels(fields),
    )


def _frame(fields: _Fields) -> HubFrame:
    pocket = fields.word()
    if pocket not in _POCKET_NAMES:
        raise ValueError(f"expected one of {', '.join(_POCKET_NAMES)}, found {pocket}")
    ago_us = fields.number(LONGEST_AGO_US)
    return HubFrame(_POCKET_NAMES[pocket], ago_us, *fields.numbers(4, HIGHEST))


def _knock(fields: _Fields) -> HubKnock:
    ago_us = fields.number(LONGEST_AGO_US)
    return HubKnock(ago_us, tuple(DiscPeak(*fields.numbers(2, HIGHEST)) for _ in SIDES))


def _health(fields: _Fields) -> HubHealth:
    return HubHealth(fields.number(1_000), *fields.numbers(2, MOST_COUNTED))


def _levels(fields: _Fields) -> HubLevels:
    return HubLevels(*fields.numbers(2, HIGHEST))


_KINDS: Mapping[str, Callable[[_Fields], HubMessage]] = MappingProxyType(
    {
        "hello": _hello,
        "frame": _frame,
        "knock": _knock,
        "health": _health,
        "error": lambda fields: HubError(fields.like(_WORDS)),
        "set": _levels,
        "ask": lambda _fields: HubAsk(),
    }
)
