"""Define what a single value in the config may be: its form, its bounds, and what it becomes.

A refusal only says what was expected; the code that reads the file adds the file, the key and what
was found. Durations are seconds in the file and integers of nanoseconds in the program.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from jackspot.core.printable import MOST_MARKS, without_piles
from jackspot.sensing.limits import SECOND
from jackspot.settings.mistakes import written


def _as_it_is(value: object) -> object:
    return value


class Form(Struct, frozen=True):
    """How a value is written in the file.

    ``read`` makes the value from what the file has; its ValueError says what was expected.
    ``write`` is the inverse.
    """

    read: Callable[[object], object]
    write: Callable[[Any], object] = _as_it_is


class OneOf:
    """Accept one of a few values."""

    def __init__(self, known: tuple[Any, ...]) -> None:
        self.known = known

    def __call__(self, value: object) -> Any:
        """Return the one that is meant; raise ValueError, which names all of them."""
        kind = str if isinstance(value, str) else type(value)  # true is not 1
        for each in self.known:
            if value == each and isinstance(each, kind):
                return each
        *others, last = (written(each) for each in self.known)
        raise ValueError(f"{', '.join(others)} or {last}" if others else last)


class BadItems(ValueError):
    """The bad items of a list, each with what was expected."""

    def __init__(self, items: tuple[tuple[object, str], ...]) -> None:
        super().__init__()
        self.items = items


class ListOf:
    """Accept a list of some of a few values."""

    def __init__(self, known: tuple[Any, ...]) -> None:
        self._each = OneOf(known)

    def __call__(self, value: object) -> tuple[Any, ...]:
        """Return what is meant; raise ValueError if it is no list, BadItems for unknown items."""
        if not isinstance(value, list | tuple):
            raise ValueError(f"a list of {', '.join(map(str, self._each.known))}")
        good: list[Any] = []
        bad: list[tuple[object, str]] = []
        for item in value:
            try:
                good.append(self._each(item))
            except ValueError as error:
                bad.append((item, str(error)))
        if bad:
            raise BadItems(tuple(bad))
        return tuple(good)


def as_bool(value: object) -> bool:
    """Accept true or false; raise ValueError for anything else."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _number(value: object) -> float | None:
    """Return a TOML number, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return math.inf
    return None if math.isnan(number) else number


class Seconds:
    """Check seconds against bounds and convert them to nanoseconds; ``or_never``: 0 is valid."""

    def __init__(self, least_s: float, most_s: float, *, or_never: bool = False) -> None:
        self._least_s = least_s
        self._most_s = most_s
        self._or_never = or_never
        never = ", or 0" if or_never else ""
        self.expected = f"a number of seconds from {least_s:g} to {most_s:g}{never}"

    def __call__(self, value: object) -> int:
        """Return the nanoseconds; raise ValueError, which says what was expected."""
        seconds = _number(value)
        if seconds == 0 and self._or_never:
            return 0
        if seconds is None or not self._least_s <= seconds <= self._most_s:
            raise ValueError(self.expected)
        return round(seconds * SECOND)


def _as_seconds(value_ns: int) -> float:
    return value_ns / SECOND


Blink = Annotated[int, Form(Seconds(0.0001, 1), _as_seconds)]
"""A duration of a signal, in nanoseconds."""
LONGEST_DEBOUNCE_S = 0.2
"""A longer one would make one press of two."""
Debounce = Annotated[int, Form(Seconds(0.0001, LONGEST_DEBOUNCE_S), _as_seconds)]
"""How long a button must be released to count as released, in nanoseconds."""
HoldOff = Annotated[int, Form(Seconds(0, 1), _as_seconds)]
"""How long an input must be released to count as released, in nanoseconds."""
Wait = Annotated[int, Form(Seconds(0, 60), _as_seconds)]
"""A duration that people notice, in nanoseconds."""
Patience = Annotated[int, Form(Seconds(0, 86_400), _as_seconds)]
"""How long a board waits for people, in nanoseconds; 0: forever."""
Repeat = Annotated[int, Form(Seconds(1, 86_400, or_never=True), _as_seconds)]
"""How often something is done again, in nanoseconds; 0: never."""
LongWait = Annotated[int, Form(Seconds(1, 3600), _as_seconds)]
"""A duration that people wait for, in nanoseconds."""


def _share(value: object) -> float:
    number = _number(value)
    if number is None or not 0 <= number <= 1:
        raise ValueError("a number from 0 to 1")
    return float(number)


WriteTimeout = Annotated[int, Form(Seconds(0.05, 60), _as_seconds)]
"""How long a write may wait, in nanoseconds."""


def _frames(value: object) -> tuple[str, ...]:
    """Return frames of a template: one text, or a list of them; they are parsed elsewhere."""
    listed = (value,) if isinstance(value, str) else value
    if not isinstance(listed, list | tuple) or not all(_is_frame(each) for each in listed):
        raise ValueError("a text of 1 to 2000 characters, or a list of at most 16 of them")
    if len(listed) > 16:
        raise ValueError("at most 16 texts")
    return tuple(str(each) for each in listed)


def _is_frame(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 2_000


Frames = Annotated[tuple[str, ...], Form(_frames)]
"""What a sign is sent, in the language of :mod:`jackspot.displays.signs.template_text`."""

Share = Annotated[float, Form(_share)]
"""A probability."""


class Whole:
    """Check a whole number against bounds."""

    def __init__(self, least: int, most: int) -> None:
        self._least = least
        self._most = most
        self.expected = f"a whole number from {least} to {most}"

    def __call__(self, value: object) -> int:
        """Return the number; raise ValueError, which says what was expected."""
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        number = _number(value) if is_whole else None
        if number is None or not self._least <= number <= self._most:
            raise ValueError(self.expected)
        return int(number)


Bus = Annotated[int, Form(Whole(0, 31))]
Byte = Annotated[int, Form(Whole(0, 255))]
Percent = Annotated[int, Form(Whole(0, 100))]
TcpPort = Annotated[int, Form(Whole(0, 65535))]
I2cAddress = Annotated[int, Form(Whole(0x08, 0x77))]


def _spi_speed(value: object) -> int:
    """Return an SPI bus speed that luma accepts; it refuses all others."""
    if not isinstance(value, int) or value not in SPI_SPEEDS_HZ:
        raise ValueError(f"one of {', '.join(map(str, SPI_SPEEDS_HZ))}")
    return value


SPI_SPEEDS_HZ: tuple[int, ...] = tuple(
    round(1_000_000 * megahertz)
    for megahertz in (0.5, 1, 2, 4, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50, 52)
)
SpiHertz = Annotated[int, Form(_spi_speed)]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text in quotes")
    if "\0" in value:
        raise ValueError("a text without a NUL (\\u0000)")
    if not _is_text(value):
        raise ValueError("a text of 1 to 200 characters")
    return value


def _name(value: object) -> str:
    text = _text(value)
    if len(text) > 40:
        raise ValueError("a text of 1 to 40 characters")
    return text


Text = Annotated[str, Form(_text)]
Name = Annotated[str, Form(_name)]


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(_is_text(each) for each in value):
        raise ValueError("a list of texts of 1 to 200 characters")
    if any("\0" in each for each in value):
        raise ValueError("texts without a NUL (\\u0000)")
    return tuple(str(each) for each in value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= 200


def _names(value: object) -> tuple[str, ...]:
    names = _texts(value)
    if len(set(names)) < len(names) or any(len(name) > 40 for name in names):
        raise ValueError("a list of names of 1 to 40 characters, none of them twice")
    if any(without_piles(name) != name for name in names):
        raise ValueError(f"a list of names with at most {MOST_MARKS} marks on a letter")
    return names


Command = Annotated[tuple[str, ...], Form(_texts)]
"""A program and its arguments; empty: none."""
Names = Annotated[tuple[str, ...], Form(_names)]


def _path(value: object) -> Path:
    if not isinstance(value, str | Path) or not str(value).strip():
        raise ValueError("the path of a file")
    if "\0" in str(value):
        raise ValueError("a path without a NUL (\\u0000)")
    return Path(value)


def _kept(value: object) -> Path:
    path = _path(value)
    if not path.is_absolute():
        raise ValueError("a path from the root, such as /var/lib/jackspot/name")
    return path


LOGO_TYPES = (".svg", ".png")


def _logo(value: object) -> Path:
    path = _path(value)
    if path.suffix.lower() not in LOGO_TYPES:
        raise ValueError(f"the path of a file that ends in {' or '.join(LOGO_TYPES)}")
    return path


KeptPath = Annotated[Path, Form(_kept)]
"""A file that the board writes. A service has a folder of its own, which is lost at its end."""
Logo = Annotated[Path, Form(_logo)]


PIN_LENGTHS = range(4, 13)


def _pin(value: object) -> str:
    if value == "":
        return ""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) in PIN_LENGTHS:
        return value
    raise ValueError("4 to 12 digits in quotes, or an empty text")


Pin = Annotated[str, Form(_pin)]
"""A PIN as text, because it may begin with a zero; empty: none is required."""
