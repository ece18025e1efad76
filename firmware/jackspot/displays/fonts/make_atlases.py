"""Makes the OLED's font atlases from the fonts as Debian packages them.

An atlas is a PNG of one-bit glyphs in a grid, 64 to a row, with a text file that holds their
characters in the same order. Rasterised once, a glyph is the same dots on every machine,
whatever its version of FreeType, and thousands of them are small.

To make them again::

    apt-get install fonts-spleen fonts-dotgothic16 fonts-misaki
    python -m jackspot.displays.fonts.make_atlases

Nothing of the firmware needs this module.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).parent
FONTS = Path("/usr/share/fonts")
PER_ROW = 64
LATIN = "".join(
    character
    for character in (*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA1, 0x100)))
    if character != "\u00ad"
)
MARKED_5X8 = "ÄÖÜäöüß"
"""What German needs and Spleen 5x8 lacks; made here from its own letters."""


@dataclass(frozen=True, slots=True)
class Source:
    """A font to rasterise: the atlas's name, the file under FONTS, the cell in dots."""

    name: str
    path: str
    width: int
    height: int
    top: int = 0
    """How many dots FreeType starts above the cell."""


SPLEEN = tuple(
    Source(f"spleen-{width}x{height}", path, width, height)
    for width, height in ((5, 8), (6, 12), (8, 16), (12, 24), (16, 32))
    for path in (f"X11/misc/spleen-{width}x{height}.pcf.gz",)
)
JAPANESE = (
    Source("misaki-8x8", "truetype/misaki/misaki_gothic_2nd.ttf", 8, 8),
    Source("dotgothic-16x16", "truetype/dotgothic16/DotGothic16-Regular.ttf", 16, 16, top=4),
)


def main() -> None:
    """Write all atlases beside this file."""
    for source in SPLEEN:
        glyphs = {character: raster(source, character) for character in latin_of(source)}
        if source.width == 5:
            glyphs |= {character: marked(source, character) for character in MARKED_5X8}
        write(source, glyphs)
    for source in JAPANESE:
        write(source, {character: raster(source, character) for character in kanji()})


def latin_of(source: Source) -> str:
    """Give the Latin-1 characters that a Spleen has: its smallest has only ASCII."""
    return LATIN if source.width > 5 else LATIN[: LATIN.index("~") + 1]


def kanji() -> Iterable[str]:
    """Give every full-width character of JIS X 0208: what Japanese text is made of."""
    for row in range(0xA1, 0xF5):
        for cell in range(0xA1, 0xFF):
            try:
                character = bytes((row, cell)).decode("euc_jp")
            except UnicodeDecodeError:
                continue
            if unicodedata.east_asian_width(character) in "WFA":
                yield character


def raster(source: Source, character: str) -> Image.Image:
    """Draw one character in a cell of its own."""
    glyph = Image.new("1", (source.width, source.height))
    font = ImageFont.truetype(
        str(FONTS / source.path), source.height, layout_engine=ImageFont.Layout.BASIC
    )
    pen = ImageDraw.Draw(glyph)
    pen.fontmode = "1"
    pen.text((0, -source.top), character, fill=1, font=font)
    return glyph


def marked(source: Source, character: str) -> Image.Image:
    """Make an umlaut or the sharp s of 5x8, which Spleen does not have."""
    if character == "ß":
        return _from_rows(".##..", "#..#.", "#.#..", "#..#.", "#..#.", "#.#..", "#....")
    base = raster(source, unicodedata.normalize("NFD", character)[0])
    glyph = Image.new("1", base.size)
    if character.isupper():
        # One row of the upright strokes goes, so that the dots stand clear of the letter.
        glyph.paste(base.crop((0, 0, 5, 3)), (0, 1))
        glyph.paste(base.crop((0, 4, 5, 8)), (0, 4))
    else:
        glyph.paste(base, (0, 0))
    for x in (0, 3):
        glyph.putpixel((x, 0), 1)
    return glyph


def _from_rows(*rows: str) -> Image.Image:
    glyph = Image.new("1", (5, 8))
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            glyph.putpixel((x, y), int(dot == "#"))
    return glyph


def write(source: Source, glyphs: dict[str, Image.Image]) -> None:
    """Write an atlas; characters that the font has no glyph for are left out."""
    missing = raster(source, "\uffff").tobytes()
    known = {
        character: glyph
        for character, glyph in glyphs.items()
        if character == " " or (glyph.getbbox() and glyph.tobytes() != missing)
    }
    rows = -(-len(known) // PER_ROW)
    atlas = Image.new("1", (PER_ROW * source.width, rows * source.height))
    for index, glyph in enumerate(known.values()):
        row, column = divmod(index, PER_ROW)
        atlas.paste(glyph, (column * source.width, row * source.height))
    atlas.save(HERE / f"{source.name}.png", optimize=True)
    (HERE / f"{source.name}.txt").write_text("".join(known) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
