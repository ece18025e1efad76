"""Text as dots: faces, measuring, wrapping, and choosing the face that fits.

A face is an atlas of Latin glyphs with one of Japanese glyphs beside it
(:mod:`jackspot.displays.fonts`). Text is never clipped: if it does not fit, it gets a smaller
face or a further line; if it still does not fit, it ends in dots and :attr:`Block.is_whole` is
False.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources

from msgspec import Struct
from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from jackspot.displays.words import PLAIN_LETTERS
from jackspot.values import changed

LIT = 255
DARK = 0
_PER_ROW = 64
_UNKNOWN = "?"
_BOXED = dict(zip("🅽🅴🆂🆆", "NESW", strict=True))
_BOXES = str.maketrans({letter: box for box, letter in _BOXED.items()})


class Face(Struct, frozen=True):
    """A size of lettering. ``bold`` widens each stroke by a dot."""

    name: str
    width: int
    height: int
    japanese: str
    japanese_size: int
    bold: bool = False


TINY = Face("tiny-5x8", 5, 8, "misaki-8x8", 8)
SMALL = Face("small-6x12", 6, 12, "mplus-10x11", 10)
PLAIN = Face("plain-8x16", 8, 16, "dotgothic-16x16", 16)
LARGE = Face("large-12x24", 12, 24, "dotgothic-16x16", 16, bold=True)
CHIP = Face("chip-8x8", 8, 8, "misaki-8x8", 8)
"""Capitals and digits with strokes two dots wide, to be dark on lit ground: one dot vanishes."""
_CUT_OUT = {
    TINY: CHIP,
    SMALL: Face("box-8x12", 8, 12, "misaki-8x8", 8),
    PLAIN: Face("box-10x16", 10, 16, "misaki-8x8", 8),
}
"""The same for the letters of seats: the boxes in lines of each face."""


class _Atlas(Struct, frozen=True):
    sheet: Image.Image
    places: dict[str, int]
    width: int
    height: int

    def glyph(self, character: str) -> Image.Image | None:
        place = self.places.get(character)
        if place is None:
            return None
        row, column = divmod(place, _PER_ROW)
        left, top = column * self.width, row * self.height
        return self.sheet.crop((left, top, left + self.width, top + self.height))


@cache
def _atlas(name: str) -> _Atlas:
    folder = resources.files("jackspot.displays.fonts")
    with (folder / f"{name}.png").open("rb") as file:
        sheet = PngImageFile(file).convert("1")  # Image.open would import all other formats too
    characters = (folder / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")
    width = sheet.width // _PER_ROW
    rows = -(-len(characters) // _PER_ROW)
    places = {character: place for place, character in enumerate(characters)}
    return _Atlas(sheet, places, width, sheet.height // rows)


def has_glyph(face: Face, character: str) -> bool:
    """Return whether a face can draw a character."""
    return character in _atlas(face.name).places or character in _atlas(face.japanese).places


@cache
def _glyph(face: Face, character: str) -> Image.Image:
    """Return a character's dots: its own, else those of the letter without its mark, else ``?``.

    A letter of the smallest face, or any of a chip's, is as wide as its ink and one dot of room.
    """
    if character in _BOXED:
        return _box(face, _BOXED[character])
    latin = _atlas(face.name)
    plain = PLAIN_LETTERS.get(character, unicodedata.normalize("NFKD", character)[:1])
    glyph = latin.glyph(character)
    if glyph is None:
        glyph = _japanese(face, character) or latin.glyph(plain) or latin.glyph(_UNKNOWN)
    assert glyph is not None
    is_as_wide_as_its_ink = face is CHIP or (face is TINY and character.isalpha())
    if is_as_wide_as_its_ink and glyph.width == face.width:
        _left, _top, right, _bottom = glyph.getbbox() or (0, 0, *glyph.size)
        glyph = glyph.crop((0, 0, right + 1, face.height))
    if face.bold:
        glyph = glyph.copy()
        glyph.paste(LIT, (1, 0), glyph.crop((0, 0, glyph.width - 1, glyph.height)))
    return glyph


def _box(face: Face, letter: str) -> Image.Image:
    """Return a letter cut out of a lit box, its strokes two dots wide in every face."""
    glyph = _glyph(_CUT_OUT.get(face, face), letter)
    rim = 1 if face.height < SMALL.height else 2
    left, top, right, bottom = glyph.getbbox() or (0, 0, *glyph.size)
    box = Image.new("1", (right - left + 3 * rim, face.height))
    box.paste(LIT, (0, top - rim, box.width - rim, bottom + rim))
    ink = glyph.crop((left, top, right, bottom))
    box.paste(DARK, (rim, top, rim + ink.width, bottom), ink)
    return box


def boxed(seats: str) -> str:
    """Return seats as letters in boxes, so that W is not taken for white nor S for a striker."""
    return seats.translate(_BOXES)


def _japanese(face: Face, character: str) -> Image.Image | None:
    if character.isascii():
        return None
    dots = _atlas(face.japanese).glyph(character)
    if dots is None:
        return None
    cell = Image.new("1", (face.japanese_size, face.height))
    cell.paste(dots, (0, (face.height - face.japanese_size) // 2))
    return cell


@lru_cache(maxsize=2048)
def measure(face: Face, text: str) -> int:
    """Return the width of one line in dots."""
    return sum(_glyph(face, character).width for character in text)


@lru_cache(maxsize=512)
def _line(face: Face, text: str) -> Image.Image:
    """Return the dots of one line; cached, since a board mostly shows the same lines."""
    line = Image.new("1", (measure(face, text), face.height))
    left = 0
    for character in text:
        glyph = _glyph(face, character)
        line.paste(glyph, (left, 0))
        left += glyph.width
    return line


def write(image: Image.Image, left: int, top: int, text: str, face: Face, colour: int = LIT) -> int:
    """Write one line with its cell's upper left corner at (left, top); return its right end."""
    if text:
        line = _line(face, text)
        image.paste(colour, (left, top, left + line.width, top + line.height), line)
        left += line.width
    return left


class Block(Struct, frozen=True):
    """Lines of text in one face. ``is_whole`` is False when something had to be left out."""

    face: Face
    lines: tuple[str, ...]
    is_whole: bool = True

    @property
    def width(self) -> int:
        """The widest line's width in dots."""
        return max((measure(self.face, line) for line in self.lines), default=0)

    @property
    def height(self) -> int:
        """The height of all lines in dots."""
        return self.face.height * len(self.lines)


Box = tuple[int, int, int, int]
"""Left, top, right, bottom, the end excluded."""

Choice = tuple[Face, int]
"""A face, and how many lines it may take."""


@lru_cache(maxsize=512)
def fit(text: str, width: int, choices: tuple[Choice, ...]) -> Block:
    """Set text in the first choice that holds it broken between words, in lines of similar length.

    If none does, the last one is used, broken where a line is full, and ends in dots if needed.
    """
    for face, lines_allowed in choices:
        lines = _wrap(text, width, face)
        if lines is not None and len(lines) <= lines_allowed:
            return _balanced(Block(face, tuple(lines)), text, width)
    face, lines_allowed = choices[-1]
    lines, is_whole = _cut(text, width, face, lines_allowed)
    return Block(face, tuple(lines), is_whole)


def write_centred(image: Image.Image, box: Box, text: str, face: Face, colour: int = LIT) -> None:
    """Write one line so that its ink, not its cell, is in the middle of a box."""
    left, top, right, bottom = box
    ink = _line(face, text).getbbox() if text else None
    if ink is not None:
        x = left + (right - left - ink[2] + ink[0] + 1) // 2 - ink[0]
        y = top + (bottom - top - ink[3] + ink[1]) // 2 - ink[1]
        write(image, x, y, text, face, colour)


def place(
    image: Image.Image,
    box: Box,
    block: Block,
    colour: int = LIT,
    align: float = 0.5,
) -> None:
    """Write a block into a box.

    It is centred vertically; ``align`` 0 is left, 0.5 centred, 1 right.
    """
    left, top, right, bottom = box
    y = top + (bottom - top - block.height) // 2
    for line in block.lines:
        x = left + int((right - left - measure(block.face, line)) * align)
        write(image, x, y, line, block.face, colour)
        y += block.face.height


_MAIN: tuple[Choice, ...] = (
    (PLAIN, 1), (SMALL, 1), (PLAIN, 2), (SMALL, 2), (TINY, 1), (TINY, 2), (TINY, 3), (TINY, 4),
)  # fmt: skip
_PROPOSED: tuple[Choice, ...] = (
    (LARGE, 1), (PLAIN, 1), (PLAIN, 2), (SMALL, 2), (SMALL, 3), (TINY, 3), (TINY, 4),
)  # fmt: skip
_SECOND: tuple[Choice, ...] = (
    (PLAIN, 1), (SMALL, 1), (SMALL, 2), (TINY, 1), (TINY, 2), (TINY, 3), (TINY, 4), (TINY, 5),
)  # fmt: skip


def place_two(
    image: Image.Image, box: Box, main: str, second: str, extra: str = "", *, proposal: bool = False
) -> None:
    """Write a line and a second one below it, as large as the box can hold both.

    ``extra`` is written below them in the smallest face, if all of it fits.
    """
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    blocks = [*_set_two(main, second, wide, high, _PROPOSED if proposal else _MAIN)]
    used = sum(block.height for block in blocks)
    note = fit(extra, wide, ((TINY, 2),))
    if note.is_whole and used + note.height <= high:
        blocks.append(note)
    _place_blocks(image, box, blocks)


def holds_two(box: Box, main: str, second: str) -> bool:
    """Return whether :func:`place_two` would write both lines uncut, broken between words."""
    left, top, right, bottom = box
    blocks = _set_two(main, second, right - left, bottom - top, _MAIN)
    return all(
        block.is_whole and _holds(text, right - left, (block.face, len(block.lines)))
        for text, block in zip((main, second), blocks, strict=True)
    )


_LEAD: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1), (TINY, 2))


def place_led(image: Image.Image, box: Box, lead: str, main: str, second: str) -> None:
    """Write a proposal below a small lead that says what it is about, if all of it fits."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    head = fit(lead, wide, _LEAD)
    blocks = [head, *_set_two(main, second, wide, high - head.height, _PROPOSED)]
    is_whole = all(block.is_whole for block in blocks)
    if not lead or not is_whole or sum(block.height for block in blocks) > high:
        place_two(image, box, f"{lead} {main}".strip(), second, proposal=True)
        return
    _place_blocks(image, box, blocks)


def _place_blocks(image: Image.Image, box: Box, blocks: Sequence[Block]) -> None:
    """Write blocks below each other in the middle of a box."""
    left, top, right, bottom = box
    y = top + (bottom - top - sum(block.height for block in blocks)) // 2
    for block in blocks:
        place(image, (left, y, right, y + block.height), block)
        y += block.height


@lru_cache(maxsize=256)
def _set_two(
    main: str, second: str, wide: int, high: int, choices: tuple[Choice, ...]
) -> tuple[Block, Block]:
    """Return the first choice for the main line that leaves the second one room.

    A smaller face is better than a broken word.
    """
    unbroken = tuple(choice for choice in choices if _holds(main, wide, choice))
    for choice in (*unbroken, *choices):
        head = fit(main, wide, (choice,))
        rest = high - head.height
        below = tuple(
            (face, lines)
            for face, lines in _SECOND
            if face.height * lines <= rest and face.height <= head.face.height
        )
        tail = fit(second, wide, below) if below else Block(TINY, (), is_whole=not second)
        if head.is_whole and tail.is_whole and rest >= 0:
            return head, tail
    lines = max(1, high // TINY.height)
    head = fit(main, wide, ((TINY, lines),))
    return head, fit(second, wide, ((TINY, lines - len(head.lines)),))


_JOINED = re.compile(r"[、。ーをっゃゅょッャュョ:,.?!)]|(?<=\d).")
"""What no line may begin with: it belongs to the character before it, as a unit to its number."""


def _balanced(block: Block, text: str, wide: int) -> Block:
    """Break a text into equally many lines of the most even lengths, so that no word is alone.

    If there are enough lines, each sentence has its own, without the dash between them; else lines
    end with clauses if possible: ``RED 7,`` and ``GREEN 5?``.
    """
    count, sentences = len(block.lines), text.split(" - ")
    if count > 1 and len(sentences) > 1:
        each = [fit(sentence, wide, ((block.face, count),)).lines for sentence in sentences]
        if sum(map(len, each)) == count:
            return changed(block, lines=tuple(line for lines in each for line in lines))
    clauses = _wrap(text, wide, block.face, ends=(", ", ": ", "、"))
    if clauses is not None and len(clauses) == count:
        return changed(block, lines=tuple(clauses))
    best = block.lines
    for width in range(block.width - 1, 0, -1):
        lines = _wrap(text, width, block.face)
        if lines is None or len(lines) > count:
            break
        best = tuple(lines)
    return changed(block, lines=best)


def _holds(text: str, width: int, choice: Choice) -> bool:
    """Return whether a face's lines hold a text that is broken between words only."""
    face, lines_allowed = choice
    lines = _wrap(text, width, face)
    return lines is not None and len(lines) <= lines_allowed


def _wrap(text: str, width: int, face: Face, ends: tuple[str, ...] = (" ",)) -> list[str] | None:
    """Break text into lines between words; None when a word is wider than a line.

    ``ends`` is what a word ends with; other endings make longer units.
    """
    lines: list[str] = []
    line = ""
    for word in _words(text, ends):
        if measure(face, (line + word).rstrip()) <= width:
            line += word
            continue
        if measure(face, word.strip()) > width:
            return None
        lines.append(line.strip())
        line = word.lstrip()
    if line.strip():
        lines.append(line.strip())
    return lines


@lru_cache(maxsize=512)
def _words(text: str, ends: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with their endings; each Japanese character is a word."""
    words: list[str] = []
    word = ""
    for at, character in enumerate(text):
        beside = (*word[-1:], character)
        if " " in ends and word and not _JOINED.match(text, at) and any(map(_is_wide, beside)):
            words.append(word)
            word = ""
        word += character
        if word.endswith(ends):
            words.append(word)
            word = ""
    if word:
        words.append(word)
    return tuple(words)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _cut(text: str, width: int, face: Face, lines_allowed: int) -> tuple[list[str], bool]:
    """Fill the lines character by character, ending in dots if cut; also return if all fits."""
    lines: list[str] = []
    rest = text.strip()
    while rest and len(lines) < lines_allowed:
        taken = len(rest)
        while taken > 1 and measure(face, rest[:taken]) > width:
            taken -= 1
        lines.append(rest[:taken])
        rest = rest[taken:].lstrip()
    if rest and lines:
        last = lines[-1]
        while last and measure(face, last + "..") > width:
            last = last[:-1]
        lines[-1] = last + ".."
    return lines, not rest
