"""How unlike two glyphs of the OLED are once the eye has blurred them.

The optics are the foveal modulation transfer that Rovamo, Kukkonen and Mustonen measured for the
mean eye (J. Opt. Soc. Am. A 15, 1998, 2504-2513): ``exp(-(f / fc) ** n)`` with
``fc = 16.6 - 1.49 p`` cycles per degree and ``n = exp(0.840 / p - 0.318)`` for a pupil of ``p``
mm; here 4 mm, as in a lit room. A dot is a square that is lit all over.

The distance of two glyphs is the root of the energy of their blurred difference: the measure of
an observer who matches templates under noise. Its unit is the gap of a Landolt ring on the line
of an eye chart that normal sight reads (one minute of arc, 20/20). At 1 two glyphs are as hard to
tell apart as that ring and a closed one; below 1 normal sight guesses. One glyph may be moved by a
dot in any direction against the other, because nobody sees where a cell begins.

``python -m tests.displays.eye`` prints the worst pairs of every face, as on the page of
measurements. ``python -m tests.displays.eye FACE`` prints the distance of each pair of one face,
nearest first.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from msgspec import Struct
from PIL import Image

from jackspot.displays import text as oled_text
from jackspot.displays.text import LARGE, PLAIN, SMALL, TINY, Face
from jackspot.locale.__main__ import po_path
from jackspot.locale.catalogues import read, sentences

PUPIL_MM = 4.0
CUTOFF = 60
"""Cycles per degree, beyond which almost nothing passes."""
REACH = 40
"""How many dots apart two dots may be and still touch in the eye; farther ones do not matter."""
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"
DIGITS = "0123456789"
LETTERS = CAPITALS + DIGITS + "abcdefghijklmnopqrstuvwxyzäöüß"

ROOMS = ("sensing", "readings", "dialogue", "calibration/measuring", "displays")
"""Where the sentences are that a display may show; terminals and pages have more room."""

Dots = frozenset[tuple[int, int]]


class Panel(Struct, frozen=True):
    """An OLED by its diagonal in inches and its dots' pitch in millimetres."""

    name: str
    pitch_mm: float

    def minutes(self, distance_mm: float) -> float:
        """Return the size of a dot in minutes of arc."""
        return math.degrees(self.pitch_mm / distance_mm) * 60


SMALLER = Panel('0.96"', 21.74 / 128)
LARGER = Panel('1.3"', 29.42 / 128)
PANELS = (SMALLER, LARGER)


@cache
def overlap(dot: float, reach: int = REACH) -> list[list[float]]:
    """Return the products of two blurred dots by columns and rows apart, in minutes squared."""
    fc, n = 16.6 - 1.49 * PUPIL_MM, math.exp(0.840 / PUPIL_MM - 0.318)
    steps = [(step + 0.5) / 60 for step in range(CUTOFF)]  # cycles per minute of arc
    sinc = [math.sin(math.pi * dot * u) / (math.pi * u) for u in steps]
    power = [
        [(a * b) ** 2 * math.exp(-2 * (60 * math.hypot(u, v) / fc) ** n)
         for v, b in zip(steps, sinc, strict=True)]
        for u, a in zip(steps, sinc, strict=True)
    ]  # fmt: skip
    waves = [[math.cos(2 * math.pi * u * dot * at) for u in steps] for at in range(reach)]
    rows = [[sum(map(float.__mul__, wave, line)) for line in power] for wave in waves]
    scale = 4 / 60**2
    return [[scale * sum(map(float.__mul__, row, wave)) for wave in waves] for row in rows]


@cache
def unit() -> float:
    """Return the energy of a Landolt ring's gap of one minute of arc."""
    return overlap(1.0, 1)[0][0]


def is_for_displays(file: str) -> bool:
    """Return whether a display may show a file's words."""
    return file.startswith(tuple(f"jackspot/{room}/" for room in ROOMS))


@cache
def kana() -> str:
    """Return the kana of all sentences that a display may show."""
    said = (
        str(message.string)
        for message in sentences(read(po_path("ja"), "ja"))
        if any(is_for_displays(file) for file, _line in message.locations)
    )
    return "".join(sorted({each for text in said for each in text if "ぁ" <= each <= "ー"}))


def sound(character: str) -> str:
    """Return how a character is read: P as p, and a katakana as its hiragana."""
    if "ァ" <= character <= "ヶ":
        return chr(ord(character) - ord("ァ") + ord("ぁ"))
    return character.casefold()


class Seen:
    """Glyphs as an eye sees them at a distance."""

    def __init__(self, glyphs: dict[str, Dots], dot: float) -> None:
        self._columns = range(
            -1, max((x for each in glyphs.values() for x, _y in each), default=0) + 2
        )
        self._rows = range(
            -1, max((y for each in glyphs.values() for _x, y in each), default=0) + 2
        )
        beside = [
            {y: [line[abs(row - y)] for row in self._rows] for y in self._rows}
            for line in overlap(dot)
        ]
        self._blurred = {name: self._blur(dots, beside) for name, dots in glyphs.items()}
        self._moved = {name: self._moves(dots) for name, dots in glyphs.items()}
        self._own = {name: self._product(name, self._places(dots)) for name, dots in glyphs.items()}

    def _blur(self, dots: Dots, beside: Sequence[Mapping[int, list[float]]]) -> list[float]:
        """Return the product of a glyph with a dot at each place that another glyph may have.

        ``beside`` has the product of two dots, by columns apart and the row of one, at each row.
        """
        if not dots:
            return [0.0] * (len(self._columns) * len(self._rows))
        columns = (
            zip(*(beside[abs(x - a)][b] for a, b in dots), strict=True) for x in self._columns
        )
        return [sum(each) for column in columns for each in column]

    def _places(self, dots: Dots, right: int = 0, down: int = 0) -> list[int]:
        """Return the indices of a glyph's dots in a blurred one, moved this far."""
        high = len(self._rows)
        return [(x + right + 1) * high + y + down + 1 for x, y in dots]

    def _moves(self, dots: Dots) -> list[list[int]]:
        return [self._places(dots, right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)]

    def _product(self, name: str, places: Iterable[int]) -> float:
        return sum(map(self._blurred[name].__getitem__, places))

    def apart(self, one: str, other: str) -> float:
        """Return the distance of two glyphs at their best overlap."""
        shared = max(self._product(one, places) for places in self._moved[other])
        return math.sqrt(max(0.0, self._own[one] + self._own[other] - 2 * shared) / unit())

    def worst(self) -> list[tuple[float, str, str]]:
        """Return all pairs with their distances, nearest first; P for p is not a misreading.

        Distances that differ only by how a machine rounds are equal; the alphabet orders them.
        """
        return sorted(
            (round(self.apart(one, other), 9), one, other)
            for one, other in itertools.combinations(self._own, 2)
            if sound(one) != sound(other)
        )


def dots_of(image: Image.Image) -> Dots:
    """Return the places that are lit."""
    wide = image.width
    lit = image.convert("L").tobytes()
    return frozenset((at % wide, at // wide) for at, light in enumerate(lit) if light)


def glyphs_of(face: Face, characters: str = LETTERS) -> dict[str, Dots]:
    """Return a face's glyphs as the OLED writes them."""
    found = {}
    for character in characters:
        image = Image.new("1", (oled_text.measure(face, character), face.height))
        oled_text.write(image, 0, 0, character, face)
        found[character] = dots_of(image)
    return found


READ_MINUTES = 12
"""The height of a letter, in minutes of arc, at which signs are read without effort."""
NEAR_MM = 1500


@dataclass(frozen=True)
class Lettering:
    """A face's letters, or its kana, with digits, as one table has them."""

    name: str
    face: Face
    characters: str
    tallest: str

    @cached_property
    def high(self) -> int:
        """The height in dots of the tallest of some characters: a capital, or any kana."""
        found = glyphs_of(self.face, self.tallest).values()
        return max(max(y for _x, y in dots) - min(y for _x, y in dots) + 1 for dots in found)

    def seen(self, dot: float) -> Seen:
        """Return its glyphs as an eye sees them when dots have this size."""
        return _seen(self.face, self.characters, dot)


@cache
def _seen(face: Face, characters: str, dot: float) -> Seen:
    return Seen(glyphs_of(face, characters), dot)


LATIN = tuple(Lettering(face.name, face, LETTERS, "H") for face in (TINY, SMALL, PLAIN, LARGE))
JAPANESE = tuple(Lettering(face.japanese, face, kana() + DIGITS, kana()) for face in (TINY, SMALL))
LETTERINGS = (*LATIN, *JAPANESE)


def row(lettering: Lettering) -> str:
    """Return a face's row in the table of how far away the OLED can be read."""
    high = lettering.high
    worst = lettering.seen(READ_MINUTES / high).worst()[:3]
    pairs = ", ".join(f"{one}/{other} {far:.1f}" for far, one, other in worst)
    reaches = [high * panel.pitch_mm / math.radians(READ_MINUTES / 60) for panel in PANELS]
    seen = [lettering.seen(panel.minutes(NEAR_MM)).worst()[0] for panel in PANELS]
    ends = " | ".join(f"{one}/{other} {far:.2f}" for far, one, other in seen)
    metres = " / ".join(f"{mm / 1000:.2f} m" for mm in reaches)
    return f"| {lettering.name} | {high} | {pairs} | {metres} | {ends} |"


def table(lettering: Lettering) -> Iterator[str]:
    """Yield the distance of each pair on both panels at 1.5 m, nearest on the smaller first."""
    smaller, larger = (lettering.seen(panel.minutes(NEAR_MM)) for panel in PANELS)
    for far, one, other in smaller.worst():
        yield f"{one} {other} {far:.2f} {larger.apart(one, other):.2f}"


def main(names: Sequence[str]) -> None:
    """Print the table of how far away each face can be read, or all pairs of the named faces."""
    if unknown := set(names) - {each.name for each in LETTERINGS}:
        sys.exit(f"no face {unknown.pop()}; known: {', '.join(each.name for each in LETTERINGS)}")
    for each in LETTERINGS:
        lines = [row(each)] if not names else table(each) if each.name in names else ()
        sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main(sys.argv[1:])
