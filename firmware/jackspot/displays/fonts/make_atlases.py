"""Makes the OLED's font atlases from Debian's font packages and from drawings.

The two smallest Latin faces are drawn here, letter by letter: in no packaged one can an eye tell
the letters apart at 1.5 m (``tests/displays/eye.py`` measures it). A drawing, such as
``drawn-6x12.txt``, has rows of glyphs beside each other, with their characters above them. What it
lacks (marks and accented letters) comes from a font with the same cell. Faces with strokes two
dots wide, dark on lit ground, are drawn completely.

An atlas is a PNG of one-bit glyphs in a grid, 64 to a row, with a text file that holds their
characters in the same order. Rasterised once, a glyph has the same dots on every machine,
whatever its version of FreeType, and thousands of glyphs make a small file.

To make them again::

    apt-get install fonts-spleen xfonts-terminus fonts-dotgothic16 fonts-misaki xfonts-mplus
    python -m jackspot.displays.fonts.make_atlases

Nothing in the firmware needs this module.
"""

from __future__ import annotations

import gzip
import io
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont
from PIL.PcfFontFile import PCF_BDF_ENCODINGS, PcfFontFile

HERE = Path(__file__).parent
FONTS = Path("/usr/share/fonts")
PER_ROW = 64
LATIN = "".join(
    character
    for character in (*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA1, 0x100)))
    if character != "\u00ad"
)


class FontSource(Struct, frozen=True):
    """A font to rasterise: the atlas's name, the file under FONTS, the cell in dots."""

    name: str
    path: str
    width: int
    height: int
    top: int = 0
    """How many dots above the cell FreeType starts."""


LATIN_FACES = (
    FontSource("tiny-5x8", "X11/misc/spleen-5x8.pcf.gz", 5, 8),
    FontSource("small-6x12", "X11/misc/ter-u12n_unicode.pcf.gz", 6, 12),
    FontSource("plain-8x16", "X11/misc/ter-u16b_unicode.pcf.gz", 8, 16),
    FontSource("large-12x24", "X11/misc/ter-u24b_unicode.pcf.gz", 12, 24),
)
DARK_FACES = (
    FontSource("chip-8x8", "", 8, 8),
    FontSource("box-8x12", "", 8, 12),
    FontSource("box-10x16", "", 10, 16),
)
"""Faces that no font has, for the names of keys and the letters of seats."""
JAPANESE = (
    FontSource("misaki-8x8", "truetype/misaki/misaki_gothic_2nd.ttf", 8, 8),
    FontSource("dotgothic-16x16", "truetype/dotgothic16/DotGothic16-Regular.ttf", 16, 16, top=4),
)
JIS = FontSource("mplus-10x11", "X11/misc/mplus_j10r.pcf.gz", 10, 11)
"""A font whose glyphs are numbered by JIS X 0208, which FreeType does not know by Unicode."""


def main() -> None:
    """Write all atlases beside this file."""
    for source in LATIN_FACES:
        glyphs = {character: raster(source, character) for character in LATIN}
        write(source, known(source, glyphs) | drawn(source))
    for source in DARK_FACES:
        write(source, drawn(source))
    for source in JAPANESE:
        write(source, known(source, {each: raster(source, each) for each in kanji()}))
    packed = (FONTS / JIS.path).read_bytes()
    write(JIS, JisFont(io.BytesIO(gzip.decompress(packed))).glyphs())


class JisFont(PcfFontFile):
    """A bitmap font that is numbered by JIS X 0208; each glyph fills its cell."""

    def glyphs(self) -> dict[str, Image.Image]:
        """Return its glyphs by character."""
        bitmaps = self._load_bitmaps(self._load_metrics())
        table, _format, i16, _i32 = self._getformat(PCF_BDF_ENCODINGS)
        first, last, first_row, last_row, _default = (i16(table.read(2)) for _ in range(5))
        wide = last - first + 1
        numbers = [i16(table.read(2)) for _ in range(wide * (last_row - first_row + 1))]
        found = {}
        for character in kanji():
            row, column = (byte & 0x7F for byte in character.encode("euc_jp"))
            number = numbers[(row - first_row) * wide + column - first]
            if number < len(bitmaps):
                found[character] = bitmaps[number]
        return found


def kanji() -> Iterable[str]:
    """Return every full-width character of JIS X 0208, which Japanese text is made of."""
    for row in range(0xA1, 0xF5):
        for cell in range(0xA1, 0xFF):
            try:
                character = bytes((row, cell)).decode("euc_jp")
            except UnicodeDecodeError:
                continue
            if unicodedata.east_asian_width(character) in "WFA":
                yield character


def raster(source: FontSource, character: str) -> Image.Image:
    """Draw one character in a cell of its own."""
    glyph = Image.new("1", (source.width, source.height))
    font = ImageFont.truetype(
        str(FONTS / source.path), source.height, layout_engine=ImageFont.Layout.BASIC
    )
    pen = ImageDraw.Draw(glyph)
    pen.fontmode = "1"
    pen.text((0, -source.top), character, fill=1, font=font)
    return glyph


def drawn(source: FontSource) -> dict[str, Image.Image]:
    """Return the glyphs that are drawn for a cell of this size, if any are."""
    path = HERE / f"drawn-{source.width}x{source.height}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    glyphs = {}
    for top in range(0, len(lines), source.height + 1):
        for place, character in enumerate(lines[top].split()):
            left = place * (source.width + 1)
            rows = lines[top + 1 : top + 1 + source.height]
            glyph = Image.new("1", (source.width, source.height))
            for y, row in enumerate(rows):
                for x, dot in enumerate(row[left : left + source.width]):
                    glyph.putpixel((x, y), int(dot == "#"))
            glyphs[character] = glyph
    return glyphs


def known(source: FontSource, glyphs: dict[str, Image.Image]) -> dict[str, Image.Image]:
    """Return the glyphs that the font has; some fonts draw a question mark for missing ones."""
    missing = raster(source, "\uffff").tobytes()
    return {
        character: glyph
        for character, glyph in glyphs.items()
        if character in " ?" or (glyph.getbbox() and glyph.tobytes() != missing)
    }


def write(source: FontSource, glyphs: dict[str, Image.Image]) -> None:
    """Write an atlas."""
    rows = -(-len(glyphs) // PER_ROW)
    atlas = Image.new("1", (PER_ROW * source.width, rows * source.height))
    for index, glyph in enumerate(glyphs.values()):
        row, column = divmod(index, PER_ROW)
        atlas.paste(glyph, (column * source.width, row * source.height))
    atlas.save(HERE / f"{source.name}.png", optimize=True)
    (HERE / f"{source.name}.txt").write_text("".join(glyphs) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
