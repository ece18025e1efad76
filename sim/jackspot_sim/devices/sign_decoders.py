"""What a sign makes of the bytes on its wire, and what a person then reads on it.

Each decoder knows only the bytes of its protocol, nothing of the firmware: what it shows is what
really went over the wire.

Sources: Alpha Sign Communications Protocol (9708-8061); SparkFun Serial7SegmentDisplay
firmware 3.0.1 and "Special Commands".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Struct


class Decoder(Protocol):
    """What is behind the wire. It is fed on one thread, under the sign's lock."""

    def feed(self, data: bytes) -> None:
        """Take bytes as they come, in pieces of any size; garbage does no harm."""
        ...

    def power_off(self) -> None:
        """Lose what such a sign loses without power."""
        ...

    @property
    def text(self) -> str:
        """What a person reads on it."""
        ...

    def picture(self) -> dict[str, object]:
        """Return what it shows as plain values for a page."""
        ...


class TextRun(Struct, frozen=True):
    """Text in one colour."""

    text: str
    colour: str


COLOURS = {
    "1": "red",
    "2": "green",
    "3": "amber",
    "4": "dim red",
    "5": "dim green",
    "6": "brown",
    "7": "orange",
    "8": "yellow",
}
_NUL, _SOH, _STX, _ETX, _EOT = 0, 1, 2, 3, 4
_LONGEST_FRAME = 4096


@dataclass
class AlphaDecoder:
    """An Alpha sign: takes frames apart, keeps files, and shows the TEXT files that run.

    A frame whose checksum is wrong, or that writes a file which the memory configuration does
    not have, changes nothing and is listed in ``rejected``. A battery keeps the memory, so
    switching off loses nothing but a half frame.
    """

    sign_type: str = "^"
    address: str = "01"
    rejected: list[str] = field(default_factory=list)
    frames: int = 0
    """Frames that were carried out."""
    passed_by: int = 0
    """Frames for another sign."""
    strings: dict[str, bytes] = field(default_factory=dict)
    texts: dict[str, bytes] = field(default_factory=lambda: {"A": b""})
    sizes: dict[str, int] = field(default_factory=lambda: {"A": 256})
    running: str = "A"
    _frame: bytearray | None = None
    _nuls: int = 0

    def feed(self, data: bytes) -> None:
        """Take bytes as they come."""
        for byte in data:
            self._take(byte & 0x7F)

    def _take(self, byte: int) -> None:
        if byte == _SOH:
            # Fewer than five NULs do not give the sign the speed of the line.
            self._frame = bytearray() if self._nuls >= 5 else None
        elif self._frame is not None and byte == _EOT:
            frame, self._frame = bytes(self._frame), None
            try:
                self._accept(frame)
            except (ValueError, IndexError) as error:  # a field that is cut short
                self.rejected.append(f"{error} in {frame!r}")
        elif self._frame is not None:
            self._frame.append(byte)
            if len(self._frame) > _LONGEST_FRAME:
                self._frame = None
                self.rejected.append("longer than any frame")
        self._nuls = self._nuls + 1 if byte == _NUL else 0

    def _accept(self, frame: bytes) -> None:
        """Check a frame (the bytes between SOH and EOT) and do what it says."""
        head, stx, rest = frame.partition(bytes([_STX]))
        payload, etx, checksum = rest.partition(bytes([_ETX]))
        if not stx or len(head) != 3:
            self.rejected.append("no header")
            return
        kind, address = chr(head[0]), head[1:].decode("ascii")
        if kind not in {"Z", "!", self.sign_type} or address not in {"00", self.address}:
            self.passed_by += 1
            return
        if etx:
            wanted = f"{sum(bytes([_STX]) + payload + bytes([_ETX])) & 0xFFFF:04X}"
            if checksum.decode("ascii") != wanted:
                self.rejected.append(f"checksum {checksum!r}, not {wanted}")
                return
        command, data = payload[:1], payload[1:]
        self.frames += 1
        if command == b"E" and data[:1] == b"$":
            self._configure(data[1:])
        elif command == b"E" and data[:1] == b".":
            self.running = data[3:].decode("ascii")
        elif command in {b"A", b"G"} and data:
            files = self.texts if command == b"A" else self.strings
            self._write(files, chr(data[0]), data[1:])
        else:
            self.rejected.append(f"command {payload[:2]!r}")

    def _configure(self, table: bytes) -> None:
        """Make the files of a memory configuration; everything that was there is lost."""
        self.strings, self.texts, self.sizes = {}, {}, {}
        for at in range(0, len(table), 11):
            entry = table[at : at + 11].decode("ascii")
            label, kind, lock, size = entry[0], entry[1], entry[2], int(entry[3:7], 16)
            if kind == "B" and (lock != "L" or entry[7:] != "0000" or label in "0?"):
                self.rejected.append(f"a STRING file must be locked, with four zeros: {entry}")
                continue
            (self.strings if kind == "B" else self.texts)[label] = b""
            self.sizes[label] = size
        self.running = "".join(self.texts)

    def _write(self, files: dict[str, bytes], label: str, data: bytes) -> None:
        if label not in files:
            self.rejected.append(f"file {label} is not configured")
        elif len(data) > self.sizes[label]:
            files[label] = b""  # as real signs do
            self.rejected.append(f"file {label} has room for {self.sizes[label]} bytes")
        else:
            files[label] = data

    def power_off(self) -> None:
        """Lose a half frame; the files are kept by a battery."""
        self._frame, self._nuls = None, 0

    @property
    def pages(self) -> tuple[tuple[TextRun, ...], ...]:
        """What the sign shows in turn, screen after screen, each as runs of one colour."""
        pages: list[tuple[TextRun, ...]] = []
        for label in self.running:
            body = self.texts.get(label, b"")
            if body[:1] == b"\x1b":
                body = body[3:]  # position and mode
            pages += _pages(self._expand(body))
        return tuple(pages)

    def _expand(self, body: bytes) -> bytes:
        """Put the called STRINGs in their places."""
        parts = body.split(b"\x10")
        return parts[0] + b"".join(
            self.strings.get(chr(part[0]), b"") + part[1:] for part in parts[1:] if part
        )

    @property
    def text(self) -> str:
        """The screens as lines of text."""
        return "\n".join("".join(run.text for run in page) for page in self.pages)

    def picture(self) -> dict[str, object]:
        """Return the screens as lists of text and colour."""
        return {
            "kind": "alpha",
            "pages": [[{"text": run.text, "colour": run.colour} for run in p] for p in self.pages],
        }


def _pages(body: bytes) -> list[tuple[TextRun, ...]]:
    """Split text with its control codes into screens of coloured runs."""
    pages: list[list[TextRun]] = [[]]
    colour, letters = "red", ""

    def end_run() -> None:
        nonlocal letters
        if letters:
            pages[-1].append(TextRun(letters, colour))
        letters = ""

    codes = iter(body.decode("ascii"))
    for code in codes:
        if code == "\x1c":
            end_run()
            colour = COLOURS.get(next(codes, ""), "amber")
        elif code in "\r\x0c":
            end_run()
            pages.append([])
        elif code >= " ":
            letters += code
    end_run()
    return [tuple(page) for page in pages]


@dataclass
class SegmentDecoder:
    """Four digits as SparkFun's firmware drives them: no memory, and nothing checked."""

    colon: bool = False
    digits: list[str] = field(default_factory=lambda: [" "] * 4)
    points: int = 0
    cursor: int = 0
    brightness: int = 100
    _command: int = 0

    def feed(self, data: bytes) -> None:
        """Take bytes as they come."""
        for byte in data:
            if self._command:
                self._argument(byte)
            elif byte < 0x76 or byte == 0x78:
                self.digits[self.cursor] = _segments(byte)
                self.cursor = (self.cursor + 1) % 4
            elif byte == 0x76:
                self.digits, self.points, self.cursor = [" "] * 4, 0, 0
            else:
                self._command = byte

    def _argument(self, byte: int) -> None:
        command, self._command = self._command, 0
        if command == 0x77:
            self.points = byte
        elif command == 0x79 and byte <= 3:
            self.cursor = byte
        elif command == 0x7A:
            self.brightness = min(byte, 100)

    def power_off(self) -> None:
        """Go dark; only the brightness is remembered."""
        self.digits, self.points, self.cursor, self._command = [" "] * 4, 0, 0, 0

    @property
    def text(self) -> str:
        """The digits with their points, the colon where the module has one: ``12.: 5``."""
        shown = ""
        for place, digit in enumerate(self.digits):
            shown += digit + ("." if self.points >> place & 1 else "")
            if place == 1 and self.colon and self.points & 0x10:
                shown += ":"
        return shown

    def picture(self) -> dict[str, object]:
        """Return digits, points and colon."""
        return {
            "kind": "segment",
            "digits": "".join(self.digits),
            "points": [bool(self.points >> place & 1) for place in range(4)],
            "colon": self.colon and bool(self.points & 0x10),
            "brightness": self.brightness,
        }


@dataclass
class PlainDecoder:
    """A sign of which nothing is known: it shows the bytes that came last, as they are."""

    latest: bytes = b""

    def feed(self, data: bytes) -> None:
        """Take bytes as they come."""
        self.latest = (self.latest + data)[-_SHOWN_OF_PLAIN:]

    def power_off(self) -> None:
        """Forget all."""
        self.latest = b""

    @property
    def text(self) -> str:
        """The bytes as letters where they are, else as they are written in the config."""
        return "".join(
            chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in self.latest
        )

    def picture(self) -> dict[str, object]:
        """Return the bytes as one screen."""
        return {"kind": "template", "pages": [[{"text": self.text, "colour": "amber"}]]}


_SHOWN_OF_PLAIN = 64


def _segments(byte: int) -> str:
    """Return what the module's character table shows: below 0x10 are plain values."""
    if byte < 0x10:
        return f"{byte:X}"
    return " " if byte in {0x20, 0x78} else chr(byte)
