r"""The language in which an owner describes what a serial display is sent.

A frame is text with escapes and fields::

    \x02L{left.count:02}{left.turn?*| }R{right.count:02}{right.turn?*| }\x03{checksum sum8 hex}\r

- ``\xNN`` is a byte; ``\r \n \t \0 \e \\`` are the usual ones; ``{{`` and ``}}`` are braces.
- ``{headline}`` is a field; ``{headline:<16}`` one of sixteen bytes, cut or padded at its right
  end. ``{left.count:02}`` is a number of two digits, its minus sign in front of the zeros;
  ``{left.count:2}`` is one with a space in front. The fill character is before ``< ^ >``:
  ``{left.count:.>3}``. A number that does not fit becomes dashes: no number is better than a
  wrong one.
- ``{left.count:byte}`` is the number as one byte, ``word`` as two with the high one first,
  ``word-low`` with the low one first, ``bcd`` two digits as one byte. A number that does not fit
  has all bits set: 255, 65535, or digits that are none.
- ``{left.turn?YES|NO}`` is one of two texts.
- ``{checksum KIND FORM}`` is a checksum over everything before it, or ``{from}`` to ``{to}``.
  The forms are ``hex``, ``hex-lower``, ``binary`` (high byte first) and ``binary-low``.

Pure. Every mistake is found when the text is read, and located by its character, from 1.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from jackspot.displays.signs.checksums import CHECKSUMS, Checksum
from jackspot.displays.signs.text import encoded

Value = int | str | bool | None
"""What a field holds; None: nothing to show."""

Encoding = Literal["ascii", "latin-1", "cp437", "cp850", "cp1252", "shift_jis", "utf-8"]
"""The encodings that a frame's text can have; shift_jis is that of Windows, cp932."""
FORMS = ("hex", "hex-lower", "binary", "binary-low")
_BINARY = {"byte": 1, "word": 2, "word-low": 2, "bcd": 1}
_ESCAPES = {"r": b"\r", "n": b"\n", "t": b"\t", "0": b"\0", "e": b"\x1b", "\\": b"\\"}
_WIDTH = re.compile(r"(?:(?P<fill>.)?(?P<align>[<^>]))?(?P<zero>0)?(?P<width>[1-9]\d{0,2})")
_CHOOSES = re.compile(r"[^:?]*\?")
WIDEST = 200


class TemplateMistake(ValueError):
    """A frame cannot be understood at ``character``, from 1."""

    def __init__(self, character: int, message: str) -> None:
        super().__init__(message)
        self.character = character


class _Literal(Struct, frozen=True):
    data: bytes


class _Field(Struct, frozen=True):
    name: str
    width: int = 0
    fill: str = " "
    align: str = ""
    binary: str = ""


class _Choice(Struct, frozen=True):
    name: str
    yes: bytes
    no: bytes


class _Sum(Struct, frozen=True):
    kind: Checksum
    form: str


class _Mark(Struct, frozen=True):
    begins: bool


_Part = _Literal | _Field | _Choice | _Sum | _Mark


class TemplateFrame(Struct, frozen=True):
    """A frame that was read; :meth:`render` makes its bytes."""

    parts: tuple[_Part, ...]
    encoding: str

    @property
    def fields(self) -> frozenset[str]:
        """The fields it shows."""
        return frozenset(part.name for part in self.parts if isinstance(part, _Field | _Choice))

    def render(self, values: Mapping[str, Value]) -> bytes:
        """Return the bytes for what the fields hold now."""
        data = bytearray()
        begin, end = 0, len(data)
        ended = False
        for part in self.parts:
            match part:
                case _Literal(literal):
                    data += literal
                case _Field():
                    data += _written(part, values[part.name], self.encoding)
                case _Choice(name, yes, no):
                    data += yes if values[name] else no
                case _Mark(begins=True):
                    begin = len(data)
                case _Mark():
                    end, ended = len(data), True
                case _Sum(kind, form):
                    covered = bytes(data[begin : end if ended else len(data)])
                    data += _formed(kind, form, kind.compute(covered))
        return bytes(data)


class Script(Struct, frozen=True):
    """Everything that such a display is sent, as text.

    ``start`` is sent once after each connection, ``frames`` whenever their bytes change, and
    ``dark`` instead of them while the displays are to be dark (empty: the frames with nothing in
    them). ``repeat_ns`` 0: never again; ``gap_ns`` is how long the display needs after a frame.
    """

    frames: tuple[str, ...]
    start: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()
    encoding: str = "ascii"
    repeat_ns: int = 0
    gap_ns: int = 0


def read_frame(text: str, fields: Mapping[str, type], encoding: str = "ascii") -> TemplateFrame:
    """Read a frame; ``fields`` are the names that it may use, with their types.

    Raises :class:`TemplateMistake`.
    """
    reader = _Reader(text, fields, encoding)
    parts = tuple(reader.parts())
    reader.check_range(parts)
    return TemplateFrame(parts, encoding)


class _Reader:
    """One pass over a frame's text."""

    def __init__(self, text: str, fields: Mapping[str, type], encoding: str) -> None:
        self._text = text
        self._fields = fields
        self._encoding = encoding
        self._at = 0

    def parts(self) -> Iterator[_Part]:
        literal = bytearray()
        while self._at < len(self._text):
            if self._text.startswith(("{{", "}}"), self._at):
                literal += self._text[self._at].encode()
                self._at += 2
            elif self._text[self._at] == "{":
                if literal:
                    yield _Literal(bytes(literal))
                    literal.clear()
                yield self._braces()
            elif self._text[self._at] == "}":
                raise TemplateMistake(self._at + 1, "} without {; a brace itself is written }}")
            else:
                literal += self._byte()
        if literal:
            yield _Literal(bytes(literal))

    def check_range(self, parts: Sequence[_Part]) -> None:
        """Check that a range begins before it ends and before the checksum over it."""
        order = [
            "sum" if isinstance(part, _Sum) else "from" if part.begins else "to"
            for part in parts
            if isinstance(part, _Sum | _Mark)
        ]
        if ("from" in order or "to" in order) and "sum" not in order:
            raise TemplateMistake(
                1, "{from} and {to} are for a {checksum KIND FORM}: there is none"
            )
        for name in ("from", "to"):
            if order.count(name) > 1 or (name in order and order.index(name) > order.index("sum")):
                where = self._text.rindex(f"{{{name}}}") + 1
                raise TemplateMistake(where, f"{{{name}}} stands once, before the checksum")
        if order[:2] == ["to", "from"]:
            raise TemplateMistake(self._text.index("{to}") + 1, "{to} stands after {from}")

    def _byte(self, end: int | None = None) -> bytes:
        """Take one character or escape."""
        start, character = self._at, self._text[self._at]
        self._at += 1
        if character != "\\":
            try:
                return encoded(character, self._encoding)
            except UnicodeEncodeError:
                raise TemplateMistake(
                    start + 1, f"{character!r} is not in the encoding {self._encoding}"
                ) from None
        stop = len(self._text) if end is None else end
        code = self._text[self._at : min(self._at + 1, stop)]
        if code == "x":
            digits = self._text[self._at + 1 : min(self._at + 3, stop)]
            if not re.fullmatch(r"[0-9A-Fa-f]{2}", digits):
                raise TemplateMistake(start + 1, rf"\x: expected two hex digits, found {digits!r}")
            self._at += 3
            return bytes([int(digits, 16)])
        if code not in _ESCAPES:
            raise TemplateMistake(start + 1, rf"\{code}: expected \xNN, \r, \n, \t, \0, \e or \\")
        self._at += 1
        return _ESCAPES[code]

    def _braces(self) -> _Part:
        start = self._at + 1
        end = self._text.find("}", start)
        if end < 0:
            raise TemplateMistake(start, "{ without }; a brace itself is written {{")
        inside = self._text[start:end]
        part: _Part
        if inside in ("from", "to"):
            part = _Mark(begins=inside == "from")
        elif inside.split(" ")[0] == "checksum":
            part = self._sum(start, inside)
        elif _CHOOSES.match(inside):
            part = self._choice(start, end)
        else:
            part = self._field(start, inside)
        self._at = end + 1
        return part

    def _sum(self, start: int, inside: str) -> _Sum:
        words = inside.split()
        if len(words) != 3:
            raise TemplateMistake(
                start,
                f"{{{inside}}}: expected {{checksum KIND FORM}}, such as {{checksum xor hex}}",
            )
        _word, kind, form = words
        if kind not in CHECKSUMS:
            raise TemplateMistake(start, f"no checksum is called {kind}; {_known(kind, CHECKSUMS)}")
        if form not in FORMS:
            raise TemplateMistake(start, f"a checksum has no form {form}; {_known(form, FORMS)}")
        return _Sum(CHECKSUMS[kind], form)

    def _choice(self, start: int, end: int) -> _Choice:
        inside = self._text[start:end]
        name, _mark, texts = inside.partition("?")
        self._know(start, name)
        yes, bar, _no = texts.partition("|")
        if not bar:
            raise TemplateMistake(start, f"{{{inside}}}: expected {{{name}?YES|NO}}")
        self._at = start + len(name) + 1
        middle = self._at + len(yes)
        before = b"".join(self._until(middle))
        self._at = middle + 1
        return _Choice(name, before, b"".join(self._until(end)))

    def _until(self, end: int) -> Iterator[bytes]:
        while self._at < end:
            yield self._byte(end)

    def _field(self, start: int, inside: str) -> _Field:
        name, _colon, spec = inside.partition(":")
        kind = self._know(start, name)
        if not _colon:
            return _Field(name)
        at = start + len(name) + 1
        if spec in _BINARY:
            if kind is not int:
                raise TemplateMistake(at, f"{name} is no number: {spec} is for numbers")
            return _Field(name, binary=spec)
        found = _WIDTH.fullmatch(spec)
        if not found or int(found["width"]) > WIDEST:
            raise TemplateMistake(
                at,
                f"{spec!r}: expected a width from 1 to {WIDEST} such as 02, 2, <16, .>3, "
                f"or {', '.join(_BINARY)}",
            )
        if found["zero"] and kind is not int:
            raise TemplateMistake(at, f"{name} is no number: leave out the 0 of {spec}")
        fill = found["fill"] or ("0" if found["zero"] else " ")
        try:
            single = len(encoded(fill, self._encoding)) == 1
        except UnicodeEncodeError:
            single = False
        if not single:
            raise TemplateMistake(at, f"{fill!r} fills no byte in the encoding {self._encoding}")
        align = found["align"] or (">" if kind is int else "<")
        return _Field(name, int(found["width"]), fill, align)

    def _know(self, start: int, name: str) -> type:
        if name not in self._fields:
            raise TemplateMistake(
                start, f"no field is called {name!r}; {_known(name, self._fields)}"
            )
        return self._fields[name]


def _known(name: str, names: Iterable[str]) -> str:
    known = list(names)
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"


def _written(field: _Field, value: Value, encoding: str) -> bytes:
    """Return a field's bytes, in its width if it has one."""
    if field.binary:
        return _binary(field.binary, int(value or 0))
    text = "" if value is None else str(int(value) if isinstance(value, bool) else value)
    data = encoded(text, encoding, "replace")
    if not field.width:
        return data
    if len(data) > field.width:
        if isinstance(value, int):
            return b"-" * field.width
        data = _cut(text, encoding, field.width)
    fill = encoded(" " if value is None else field.fill, encoding)
    room = field.width - len(data)
    before = {"<": 0, "^": room // 2, ">": room}[field.align]
    sign = b"-" if fill == b"0" and isinstance(value, int) and value < 0 else b""
    return sign + fill * before + data.removeprefix(sign) + fill * (room - before)


def _cut(text: str, encoding: str, width: int) -> bytes:
    """Return as many whole characters as fit."""
    data = b""
    for character in text:
        more = encoded(character, encoding, "replace")
        if len(data) + len(more) > width:
            break
        data += more
    return data


def _binary(form: str, value: int) -> bytes:
    size = _BINARY[form]
    most: int = 99 if form == "bcd" else 256**size - 1
    if not 0 <= value <= most:
        return b"\xff" * size
    if form == "bcd":
        return bytes([value // 10 << 4 | value % 10])
    return value.to_bytes(size, "little" if form == "word-low" else "big")


def _formed(kind: Checksum, form: str, value: int) -> bytes:
    if form.startswith("binary"):
        return value.to_bytes(kind.size, "little" if form == "binary-low" else "big")
    digits = f"{value:0{2 * kind.size}{'x' if form == 'hex-lower' else 'X'}}"
    return digits.encode("ascii")
