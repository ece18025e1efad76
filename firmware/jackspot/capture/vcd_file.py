"""Pin captures: what happened on a board's wires, as a Value Change Dump.

FORMATS.md describes the format, which is public. It is written and read with pyvcd, which knows
its escapes and phases and is maintained by people who use it for chips. Nothing here knows pins
or threads: :class:`CaptureWriter` is given edges, :func:`read_capture` returns them.

Source: IEEE Std 1364-2005, section 18, "Value change dump (VCD) files".
"""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from io import BufferedIOBase
from reprlib import repr as shortened
from types import MappingProxyType
from typing import IO, Any, Protocol, cast

from msgspec import Struct, field
from vcd.common import TimescaleUnit
from vcd.reader import Token, TokenKind, VCDParseError, tokenize
from vcd.writer import VCDWriter

from jackspot.capture.errors import CaptureError
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.printable import visible
from jackspot.files import from_json
from jackspot.inputs.pins import WIRE_NAMES, wire_source
from jackspot.sensing.events import (
    Button,
    ColourSeen,
    DiscPeak,
    DiscsListen,
    Edge,
    Event,
    HubEvent,
    KnockHeard,
    Tick,
    wire_name,
)
from jackspot.storage.entries import INT64, write_json
from jackspot.values import changed

VERSION = 1
"""The version of the comment; a reader rejects a later one."""

SCOPE = "jackspot"
MARK = "jackspot capture"
"""How the comment begins; the version follows, then one JSON object."""

LONGEST_NS = 14 * 24 * 3600 * 1_000_000_000
"""The longest capture: two weeks."""
INSTANTS = range(2**62)
"""Valid monotonic instants, with room for a capture before an entry's 64 bits overflow."""
_MOST_SHOWN = 200
"""The most characters of a file's content that an error message quotes."""
_ANOTHER = "copy it again from where it was made, or name another capture"


class Opening(Struct, frozen=True):
    """What a replay needs to reproduce the run.

    ``config`` is the board's effective settings as TOML. ``journal`` are the journal's
    entries at the start, as ``jackspot dump`` writes them. ``began_ns`` is the board's
    monotonic instant at time 0 of the file, when its dialogue was set up, ``started_ns`` when its
    wires were first watched. ``from_start``: the capture began with the board; one that began
    later replays as after a restart. ``calibration`` is the text of the calibration that its
    readings used, ``learnt`` that of what the board had learnt; empty: none.
    """

    config: str
    journal: tuple[str, ...] = ()
    began_ns: int = 0
    started_ns: int = 0
    from_start: bool = True
    calibration: str = ""
    learnt: str = ""


class Capture(Struct, frozen=True):
    """A capture that was read. ``opening`` is None in a file that carries none.

    ``active`` are the wires that are active at the start. ``happened`` are the edges and sensor hub
    reports that follow, in the order the board took them, stamped in the board's own time.
    ``end_ns`` is when the capture ended. ``warnings`` name what was left out. ``wires`` are all
    wires that were captured, in the file's order. ``has_hub``: the board had a sensor hub.
    ``taken_ns`` are the file's instants of what happened: when the board took it; empty if each
    stamp is that.
    """

    opening: Opening | None
    active: frozenset[Pocket | Button]
    happened: tuple[Edge | HubEvent, ...]
    end_ns: int
    warnings: tuple[str, ...] = ()
    wires: tuple[Pocket | Button, ...] = ()
    has_hub: bool = False
    taken_ns: tuple[int, ...] = ()

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges alone, in order."""
        return tuple(each for each in self.happened if isinstance(each, Edge))


class Writable(Protocol):
    """Where a capture goes: text is appended."""

    def write(self, text: str, /) -> int:
        """Append text."""

    def flush(self) -> None:
        """Flush what is buffered."""


class CaptureWriter:
    """Writes a capture live; each instant is written as soon as the next one comes.

    Time never runs backwards in a VCD: an edge that is stamped before its predecessor (two wires
    in one microsecond) is written at its predecessor's instant, and one that is not after the start
    a nanosecond after it. With a sensor hub, whose reports arrive late, the file states by how
    much each change was earlier, so that none is moved. So it does if a tick came before it: its
    replay must not take it before that.
    """

    def __init__(
        self,
        stream: Writable,
        opening: Opening,
        wires: Sequence[Pocket | Button],
        active: Collection[Pocket | Button],
        *,
        has_hub: bool = False,
    ) -> None:
        self._began_ns = opening.began_ns
        self._last_ns = 0
        self._next_ns = 1  # time 0 is how the wires were found
        self._writer = VCDWriter(
            cast(IO[str], stream),
            timescale="1 ns",
            comment=_comment(opening),
            version=MARK,
            date=" ",
        )
        self._wires = {
            wire: self._writer.register_var(
                SCOPE, wire_name(wire), "wire", size=1, init=int(wire in active)
            )
            for wire in wires
        }
        self._hub = {
            name: self._writer.register_var(SCOPE, name, "wire", size=size, init=0)
            for name, size in (_HUB_WIRES.items() if has_hub else ())
        }
        self._late = (
            self._writer.register_var(SCOPE, LATE_WIRE, "wire", size=_LATE_BITS, init=0)
            if has_hub
            else None
        )
        self._told = 0
        self._stream = stream

    def reaches(self, at_ns: int) -> bool:
        """Return whether what comes at an instant is within the longest capture."""
        return max(self._next_ns, self._last_ns, at_ns - self._began_ns) <= LONGEST_NS

    def take(self, event: Event) -> None:
        """Write an edge or a sensor hub's report; with a hub, keep when a tick came."""
        if isinstance(event, Edge):
            self.edge(event)
        elif isinstance(event, HubEvent):
            self.heard(event)
        elif isinstance(event, Tick) and self._late is not None:
            self._next_ns = max(self._next_ns, event.at_ns - self._began_ns + 1)

    def edge(self, edge: Edge) -> None:
        """Write an edge, unless the capture does not have its wire."""
        wire = self._wires.get(edge.source)
        if wire is not None:
            at_ns = max(edge.at_ns, self._began_ns + 1)
            self._writer.change(wire, self._stamped(at_ns), int(edge.active))

    def heard(self, event: HubEvent) -> None:
        """Write a sensor hub's report, unless the capture has no hub."""
        if not self._hub:
            return
        self._told = (self._told + 1) % _COUNTS
        at = self._stamped(event.at_ns)
        if isinstance(event, ColourSeen):
            name, numbers = colour_wire(event.pocket), _levels(event)
        elif isinstance(event, DiscsListen):
            listen = sum(1 << list(Seat).index(each) for each in event.discs)
            name, numbers = DISCS_WIRE, (listen + _STRANGE * event.strange,)
        else:
            name = KNOCK_WIRE
            numbers = tuple(n for peak in event.peaks for n in (peak.height, peak.delay_us))
        self._writer.change(self._hub[name], at, _packed((self._told, *numbers)))

    def _stamped(self, at_ns: int) -> int:
        """Return the time to write a change at; with a hub, write by how much it was earlier."""
        self.move_on(at_ns)
        at = self._last_ns = max(self._last_ns, self._next_ns)
        if self._late is not None:
            self._writer.change(self._late, at, at - (at_ns - self._began_ns))
        return at

    def move_on(self, at_ns: int) -> None:
        """Let time pass to an instant: what follows came no earlier."""
        self._last_ns = max(self._last_ns, at_ns - self._began_ns)

    def close(self, at_ns: int) -> None:
        """Write the last instant, at most two weeks on. The caller closes the stream."""
        self.move_on(at_ns)
        self._writer.close(min(self._last_ns, LONGEST_NS))


def colour_wire(pocket: Pocket) -> str:
    """Return a head's name in captures, such as ``colour_ne``."""
    return f"colour_{pocket.value.lower()}"


KNOCK_WIRE = "knock"
DISCS_WIRE = "discs"
LATE_WIRE = "late_ns"
_LATE_BITS = 64
_COUNTS = 1 << 16
_FIELD_BITS = 16
_STRANGE = 1 << len(Seat)
"""The bit after those of the discs: the board was calibrated with others."""
_HUB_WIRES: Mapping[str, int] = MappingProxyType(
    {
        **{colour_wire(pocket): 5 * _FIELD_BITS for pocket in Pocket},
        KNOCK_WIRE: 9 * _FIELD_BITS,
        DISCS_WIRE: 2 * _FIELD_BITS,
    }
)
"""The variables of a sensor hub in a capture, and how many bits each has. Each begins with a
running number, so that two equal frames are two changes."""
_HEADS = MappingProxyType({colour_wire(pocket): pocket for pocket in Pocket})


def _levels(seen: ColourSeen) -> tuple[int, ...]:
    return (seen.red, seen.green, seen.blue, seen.dark)


def _packed(numbers: Sequence[int]) -> int:
    """Return the numbers packed side by side, the first in the highest bits."""
    packed = 0
    for number in numbers:
        packed = packed << _FIELD_BITS | number
    return packed


def _unpacked(packed: int, count: int) -> list[int]:
    return [packed >> _FIELD_BITS * place & 0xFFFF for place in reversed(range(count))]


def _comment(opening: Opening) -> str:
    """Return the opening as a comment that none of its words can end."""
    said = {
        "config": opening.config,
        "journal": opening.journal,
        "began_ns": opening.began_ns,
        "started_ns": opening.started_ns,
        "from_start": opening.from_start,
        "calibration": opening.calibration,
        "learnt": opening.learnt,
    }
    return f"{MARK} {VERSION}\n" + json.dumps(said, indent=1).replace("$", "\\u0024")


def _opening(comment: str) -> Opening | None:
    """Read an opening; return None if another program wrote the comment."""
    head, _, packed = comment.strip().partition("\n")
    if not head.startswith(MARK):
        return None
    version = head.removeprefix(MARK).strip()
    if version != str(VERSION):
        raise CaptureError(
            f"expected a capture of version {VERSION}, found one of version {shortened(version)}; "
            "read it with the program that wrote it"
        )
    try:
        said = from_json(packed)
        began_ns = _instant(said, "began_ns", INSTANTS)
        latest_ns = began_ns + LONGEST_NS
        return Opening(
            str(said["config"]),
            tuple(str(entry) for entry in said["journal"]),
            began_ns,
            _instant(said, "started_ns", range(began_ns, latest_ns + 1)),
            bool(said["from_start"]),
            str(said.get("calibration", "")),
            str(said.get("learnt", "")),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise CaptureError(
            f"the comment of the capture is damaged: {in_words(error)}; {_ANOTHER}"
        ) from error


def _instant(said: Mapping[str, Any], name: str, known: range) -> int:
    """Return an instant of an opening; ValueError if no board can have seen it."""
    found = said[name]
    if type(found) is not int or found not in known:
        raise ValueError(
            f"{name}: expected nanoseconds from {known.start} to {known.stop - 1}, "
            f"found {shortened(found)}"
        )
    return found


def in_words(error: Exception) -> str:
    """Return what was expected and found where a part of a capture could not be read."""
    match error:
        case json.JSONDecodeError():
            return f"expected JSON, found {shortened(error.doc[error.pos :])}"
        case tomllib.TOMLDecodeError():
            return f"expected TOML, found none {str(error).rpartition('(')[2].removesuffix(')')}"
        case KeyError():
            return f"expected {error.args[0]}, found none"
        case TypeError():
            return "expected an object, found another value"
    return str(error)


def _short(words: object) -> str:
    """Return text from a file, shortened to a part of one line."""
    return visible(str(words)[:_MOST_SHOWN])


class _Reading(Struct):
    """A capture that is being read. ``wires`` maps the file's short codes to wires."""

    opening: Opening | None = None
    scale_ns: float = 1.0
    now: int = 0
    started: bool = False
    is_defined: bool = False
    wires: dict[str, Pocket | Button] = field(default_factory=dict)
    levels: dict[Pocket | Button, bool] = field(default_factory=dict)
    active: frozenset[Pocket | Button] = frozenset()
    happened: list[Edge | HubEvent] = field(default_factory=list)
    taken_ns: list[int] = field(default_factory=list)
    hub: dict[str, str] = field(default_factory=dict)
    late: str | None = None
    late_ns: int = 0
    warnings: list[str] = field(default_factory=list)

    @property
    def at_ns(self) -> int:
        """The instant reached, in the board's own time."""
        began_ns = self.opening.began_ns if self.opening else 0
        most = LONGEST_NS / self.scale_ns
        if self.now > most:
            raise CaptureError(
                f"expected times up to {most:.0f}, two weeks after the start of the capture, "
                f"found {shortened(self.now)}; {_ANOTHER}"
            )
        return began_ns + round(self.now * self.scale_ns)

    def begin(self) -> None:
        """Take the changes before the first later instant as the initial state of the wires."""
        if not self.started:
            self.started = True
            self.active = frozenset(wire for wire, level in self.levels.items() if level)

    def take(self, event: Edge | HubEvent) -> None:
        """Take what happened, with the instant reached."""
        self.happened.append(event)
        self.taken_ns.append(self.at_ns)


def read_capture(stream: BufferedIOBase) -> Capture:
    """Read a capture; raises :class:`CaptureError`, with the line and what is wrong, if it is none.

    A file that a power cut truncated is read up to its last whole line; a warning names the rest.
    """
    reading, line = _Reading(), 1
    whole = _whole_lines(stream.read(), reading.warnings)
    try:
        for token in tokenize(io.BytesIO(whole)):
            line = token.span.start.line
            _take(reading, token)
    except CaptureError as error:
        raise CaptureError(f"line {line}: {error}") from error
    except (VCDParseError, ValueError, EOFError) as error:
        line = error.loc.line if isinstance(error, VCDParseError) else line
        found = whole.split(b"\n")[line - 1].decode("ascii", "replace")
        raise CaptureError(
            f"line {line}: expected a line of a Value Change Dump, found {shortened(found)}; "
            f"{_ANOTHER}"
        ) from error
    if not reading.is_defined:
        last = max(1, whole.count(b"\n"))
        raise CaptureError(
            f"line {last}: expected $enddefinitions, found the end: it is cut off before its first "
            f"change, and nothing of it can be used; {_ANOTHER}"
        )
    if not reading.wires:
        raise CaptureError(
            f"no wire of a board in it: expected names such as {WIRE_NAMES[0]} in scope {SCOPE}; "
            "name another capture"
        )
    reading.begin()
    return Capture(
        reading.opening,
        reading.active,
        tuple(reading.happened),
        reading.at_ns,
        tuple(reading.warnings),
        tuple(reading.wires.values()),
        bool(reading.hub),
        tuple(reading.taken_ns),
    )


def _whole_lines(data: bytes, warnings: list[str]) -> bytes:
    """Return the whole lines of a file, and warn of the rest; all of it where it is one line.

    A power cut leaves a torn line, or zeros in place of what was to be written.
    """
    end = data.rstrip(b"\0").rfind(b"\n") + 1
    torn = data[end:].decode("ascii", "replace")
    if end == 0 or not torn.strip():
        return data
    warnings.append(f"cut off in the middle of a line: {shortened(torn)} is left out")
    return data[:end]


def _take(reading: _Reading, token: Token) -> None:
    match token.kind:
        case TokenKind.ENDDEFINITIONS:
            reading.is_defined = True
        case TokenKind.COMMENT:
            reading.opening = _opening(token.comment) or reading.opening
        case TokenKind.TIMESCALE:
            unit = token.timescale.unit
            reading.scale_ns = int(token.timescale.magnitude) * _unit_ns(unit)
        case TokenKind.VAR:
            _declare(reading, token)
        case TokenKind.CHANGE_TIME:
            _move_on(reading, token.time_change)
        case TokenKind.CHANGE_SCALAR:
            _change(reading, token.scalar_change.id_code, str(token.scalar_change.value))
        case TokenKind.CHANGE_VECTOR:
            code, value = token.vector_change.id_code, token.vector_change.value
            if reading.started and isinstance(value, int):
                _vector(reading, code, value)
        case _:
            pass


def _unit_ns(unit: TimescaleUnit) -> float:
    scale = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}
    return scale[unit.value]


def _declare(reading: _Reading, token: Token) -> None:
    name, size = token.var.reference, token.var.size
    if _HUB_WIRES.get(name) == size:
        reading.hub[token.var.id_code] = name
        return
    if (name, size) == (LATE_WIRE, _LATE_BITS):
        reading.late = token.var.id_code
        return
    source = wire_source(name) if name in WIRE_NAMES else None
    if source is None or size != 1:
        known = "it is not a wire of a board" if source is None else f"it has {size} bits, not 1"
        reading.warnings.append(f"wire {_short(name)} left out: {known}")
        return
    reading.wires[token.var.id_code] = source
    reading.levels[source] = False


def _move_on(reading: _Reading, time: int) -> None:
    if time < reading.now:
        raise CaptureError(
            f"time runs backwards: expected {shortened(reading.now)} or more, "
            f"found {shortened(time)}; {_ANOTHER}"
        )
    if time > 0:
        reading.begin()
    reading.now = time


def _change(reading: _Reading, code: str, value: str) -> None:
    """Take a level; one that is neither 0 nor 1 is inactive, like a missing wire."""
    source = reading.wires.get(code)
    if source is None:
        return
    level = value == "1"
    if reading.levels[source] == level:
        return
    reading.levels[source] = level
    if reading.started:
        reading.take(Edge(reading.at_ns - reading.late_ns, source, level))


def _vector(reading: _Reading, code: str, value: int) -> None:
    """Take a sensor hub's report, or by how much the changes that follow are late."""
    if code == reading.late:
        if value > LONGEST_NS:
            raise CaptureError(
                f"expected {LATE_WIRE} up to {LONGEST_NS}, found {shortened(value)}; {_ANOTHER}"
            )
        reading.late_ns = value
    elif (name := reading.hub.get(code)) is not None:
        _hub_told(reading, name, value)


def _hub_told(reading: _Reading, name: str, value: int) -> None:
    at_ns = reading.at_ns - reading.late_ns
    if name == KNOCK_WIRE:
        _count, *numbers = _unpacked(value, 9)
        peaks = tuple(DiscPeak(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True))
        reading.take(KnockHeard(at_ns, peaks))
    elif name == DISCS_WIRE:
        _count, listen = _unpacked(value, 2)
        discs = tuple(seat for at, seat in enumerate(Seat) if listen >> at & 1)
        reading.take(DiscsListen(at_ns, discs, bool(listen & _STRANGE)))
    else:
        _count, red, green, blue, dark = _unpacked(value, 5)
        reading.take(ColourSeen(at_ns, _HEADS[name], red, green, blue, dark))


def rewritten(data: bytes, text: Callable[[str], str], entry: Callable[[Any], Any]) -> bytes:
    """Return a capture with other words in its opening: its settings, its journal's entries.

    Raises CaptureError where the file is not a capture, or its opening cannot be understood.
    """
    capture = read_capture(io.BytesIO(data))
    opening = capture.opening
    if opening is None:
        raise CaptureError("not a capture of this program, so names in it cannot be told")
    lines = []
    for line in opening.journal:
        try:
            lines.append(write_json(entry(from_json(line))))
        except ValueError as error:
            raise CaptureError("its journal cannot be read, so neither can names") from error
    written = changed(
        opening,
        config=text(opening.config),
        calibration=text(opening.calibration),
        journal=tuple(lines),
    )
    stream = io.StringIO()
    writer = CaptureWriter(stream, written, capture.wires, capture.active, has_hub=capture.has_hub)
    for taken_ns, each in zip(capture.taken_ns, capture.happened, strict=True):
        writer.move_on(taken_ns)
        writer.take(each)
    writer.close(capture.end_ns)
    return stream.getvalue().encode("ascii")


def journal_lines(opening: Opening) -> Iterator[dict[str, Any]]:
    """Return the journal's entries at the start; raises CaptureError if one is not an entry."""
    for number, line in enumerate(opening.journal, start=1):
        try:
            entry = from_json(line)
            kept = {
                "kind": str(entry["kind"]),
                "at_ns": _instant(entry, "at_ns", INT64),
                "body": dict(entry["body"]),
            }
        except (ValueError, KeyError, TypeError) as error:
            words = f"entry {number} of the journal at its start: {in_words(error)}; {_ANOTHER}"
            raise CaptureError(words) from error
        yield kept
