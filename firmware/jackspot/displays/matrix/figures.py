"""The figures of the LED matrix: digits that can be read from five metres, and small letters.

Each dot is an LED, four millimetres from the next on the usual modules. A figure of eight dots is
32 mm high; its upright strokes are two dots wide, so that 6, 8, 9 and 0 can still be told apart
where single dots run together. Small figures, three dots by five, are for people at the board.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PIL import Image

LIT = 255

_TALL = {
    "0": ".####. ##..## ##..## ##..## ##..## ##..## ##..## .####.",
    "1": "..##.. .###.. ..##.. ..##.. ..##.. ..##.. ..##.. .####.",
    "2": ".####. ##..## ....## ...##. ..##.. .##... ##.... ######",
    "3": ".####. ##..## ....## ..###. ....## ....## ##..## .####.",
    "4": "...##. ..###. .####. ##.##. ###### ...##. ...##. ...##.",
    "5": "###### ##.... #####. ....## ....## ....## ##..## .####.",
    "6": ".####. ##..## ##.... #####. ##..## ##..## ##..## .####.",
    "7": "###### ....## ...##. ...##. ..##.. ..##.. ..##.. ..##..",
    "8": ".####. ##..## ##..## .####. ##..## ##..## ##..## .####.",
    "9": ".####. ##..## ##..## ##..## .##### ....## ##..## .####.",
    "-": "...... ...... ...... ###### ...... ...... ...... ......",
}
_SLIM = {
    "0": ".##. #..# #..# #..# #..# #..# #..# .##.",
    "1": "..#. .##. ..#. ..#. ..#. ..#. ..#. .###",
    "2": ".##. #..# ...# ..#. ..#. .#.. #... ####",
    "3": "###. ...# ...# .##. ...# ...# ...# ###.",
    "4": "..#. .##. #.#. #.#. #### ..#. ..#. ..#.",
    "5": "#### #... ###. ...# ...# ...# #..# .##.",
    "6": ".##. #... #... ###. #..# #..# #..# .##.",
    "7": "#### ...# ...# ..#. ..#. .#.. .#.. .#..",
    "8": ".##. #..# #..# .##. #..# #..# #..# .##.",
    "9": ".##. #..# #..# #..# .### ...# ...# .##.",
    "-": ".... .... .... #### .... .... .... ....",
}
_SMALL = {
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644",
    "G": "34553", "H": "55755", "I": "72227", "J": "11152", "K": "55655", "L": "44447",
    "M": "57755", "N": "65555", "O": "25552", "P": "65644", "Q": "25563", "R": "65655",
    "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775", "X": "55255",
    "Y": "55222", "Z": "71247", "0": "75557", "1": "26227", "2": "71747", "3": "71717",
    "4": "55711", "5": "74717", "6": "74757", "7": "71111", "8": "75757", "9": "75717",
    ":": "02020", "?": "71202", "!": "22202", "-": "00700", "+": "02720", "'": "22000",
    " ": "00000", "*": "05250",
}  # fmt: skip
"""Five rows of three dots, each as an octal digit."""
_ARROW_UP = "..#.. .###. ##### ..#.. ..#.."
_THIN = {":": 1, "'": 1, "!": 1, " ": 2}
SMALL_HEIGHT = 5


@cache
def figure(character: str, *, slim: bool = False, height: int = 8) -> Image.Image:
    """Return a digit or a dash, six dots wide, or four if ``slim``; eight dots high or more.

    Higher figures have longer upright strokes; at sixteen everything is twice as large.
    """
    image = _drawn((_SLIM if slim else _TALL)[character].split())
    if height == 8:
        return image
    if height == 16:
        return image.resize((2 * image.width, 16), Image.Resampling.NEAREST)
    return _stretched(image, height)


def _drawn(rows: Sequence[str]) -> Image.Image:
    image = Image.new("1", (len(rows[0]), len(rows)))
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            image.putpixel((x, y), LIT if dot == "#" else 0)
    return image


def _stretched(image: Image.Image, height: int) -> Image.Image:
    """Return a figure stretched to a height by repeating its second and last-but-one rows."""
    extra = height - image.height
    upper, lower = extra // 2, extra - extra // 2
    order = [0, 1, *[1] * upper, 2, 3, 4, 5, 6, *[6] * lower, 7]
    tall = Image.new("1", (image.width, height))
    for y, row in enumerate(order):
        tall.paste(image.crop((0, row, image.width, row + 1)), (0, y))
    return tall


@cache
def small(character: str) -> Image.Image:
    """Return a letter, digit or mark of five rows; a question mark for one that is not there."""
    if character == "^":
        return _drawn(_ARROW_UP.split())
    rows = _SMALL.get(character, _SMALL["?"])
    wide = _THIN.get(character, 3)
    image = Image.new("1", (wide, SMALL_HEIGHT))
    for y, row in enumerate(rows):
        for x in range(wide):
            bit = 1 if wide == 1 else 2 - x
            image.putpixel((x, y), LIT if int(row, 8) >> bit & 1 else 0)
    return image
