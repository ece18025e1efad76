"""The OLED's visual language: the parts that every phase is made of.

- A **puck** has its side's letter: the first side's is filled, the second's outlined.
- A **seat** is a letter in a box, everywhere: W in a disc is white, in a box west.
- A side's **card** has its puck, and its count in big digits. The card of the side to shoot is
  white: black on white always means *whose turn*, a key's name, or something that is wrong.
- What is only **proposed** is in a dashed frame, and nothing confirmed ever is.
- **Prompts** are at the bottom: what OK does at the left, what FIX does at the right.

Every part is drawn into a box (left, top, right, bottom), the end excluded. Pure; no device.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import Phrase, Translate, _
from jackspot.core.pieces import Pocket, Seat
from jackspot.displays.text import (
    CHIP,
    DARK,
    LIT,
    PLAIN,
    SMALL,
    TINY,
    Block,
    Box,
    Choice,
    Face,
    boxed,
    fit,
    has_glyph,
    measure,
    place,
    write,
    write_centred,
)
from jackspot.values import changed

ALL_IN = _("all in")
HOLD_ON = _("keep holding")


def owes(n: int) -> Phrase:
    """Return the phrase for what a side owes."""
    return _("owes {n}", n=n)


def by_hand(pockets: str) -> Phrase:
    """Return the phrase that names pockets whose pieces people enter by hand."""
    return _("{pocket} manual", pocket=pockets)


_STROKE = 4
"""The thickness of a big digit's strokes, in dots."""

_SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc",
    "5": "afgcd", "6": "afgedc", "7": "abc", "8": "abcdefg", "9": "abcdfg", "-": "g",
}  # fmt: skip
"""The segments that make each digit: a on top, b to f clockwise from it, g in the middle."""


def blank(width: int, height: int) -> Image.Image:
    """Return an unlit picture."""
    return Image.new("1", (width, height))


def invert(image: Image.Image, box: Box) -> None:
    """Turn lit dots dark and dark ones lit."""
    image.paste(ImageChops.invert(image.crop(box)), box[:2])


def fill(image: Image.Image, box: Box, colour: int = LIT) -> None:
    """Fill a box."""
    image.paste(colour, box)


def round_corners(image: Image.Image, box: Box, colour: int = DARK) -> None:
    """Remove the corner dots of a box."""
    left, top, right, bottom = box
    for x, y in ((left, top), (right - 1, top), (left, bottom - 1), (right - 1, bottom - 1)):
        image.putpixel((x, y), colour)


def frame(image: Image.Image, box: Box, *, dashed: bool = False) -> None:
    """Draw a frame of one dot; ``dashed`` for what is only proposed."""
    left, top, right, bottom = box
    image.paste(LIT, box, _frame(right - left, bottom - top, dashed))


@cache
def _frame(wide: int, high: int, dashed: bool) -> Image.Image:
    lines = blank(wide, high)
    for x in range(1, wide - 1):
        if not dashed or x % 6 < 4:
            lines.putpixel((x, 0), LIT)
            lines.putpixel((x, high - 1), LIT)
    for y in range(1, high - 1):
        if not dashed or y % 6 < 4:
            lines.putpixel((0, y), LIT)
            lines.putpixel((wide - 1, y), LIT)
    return lines


@cache
def big_digit(character: str, width: int, height: int) -> Image.Image:
    """Draw a digit of thick strokes that fills its box."""
    image = blank(width, height)
    thick = min(_STROKE, max(2, (width + 1) // 3), max(2, height // 6))
    middle = (height - thick) // 2
    boxes = {
        "a": (0, 0, width, thick),
        "b": (width - thick, 0, width, middle + thick),
        "c": (width - thick, middle, width, height),
        "d": (0, height - thick, width, height),
        "e": (0, middle, thick, height),
        "f": (0, 0, thick, middle + thick),
        "g": (0, middle, width, middle + thick),
    }
    if character == "1":
        stem = (width - thick) // 2 + 1
        fill(image, (stem, 0, stem + thick, height))
        fill(image, (stem - thick + 1, 2, stem, 2 + thick - 1))
        fill(image, (stem - thick + 1, height - thick + 1, stem + 2 * thick - 1, height))
        return image
    for segment in _SEGMENTS[character]:
        fill(image, boxes[segment])
    half = (width - thick) // 2
    open_at = {"3": (0, thick, half, height - thick), "6": (width - half, 0, width, middle),
               "9": (0, middle + thick, half, height)}  # fmt: skip
    if character in open_at:  # otherwise it reads as 8 from afar
        fill(image, open_at[character], DARK)
    if character not in "4-":
        round_corners(image, (0, 0, width, height))
    return image


def big_number(image: Image.Image, box: Box, number: int) -> None:
    """Draw a number as high as the box, its digits as wide as they can be, up to 16 dots."""
    left, top, right, bottom = box
    digits = str(number)
    width = min(16, (right - left + 2) // len(digits) - 2)
    taken = len(digits) * (width + 2) - 2
    x = left + (right - left - taken + 1) // 2
    for digit in digits:
        image.paste(LIT, (x, top), big_digit(digit, width, bottom - top))
        x += width + 2


def puck(image: Image.Image, left: int, top: int, letter: str, *, filled: bool, small: bool) -> int:
    """Draw a puck from above with its side's letter; return its right end.

    It is 16 dots high, or 10 if small, and wide enough to keep its rim clear of the letter.
    """
    disc = _puck(letter, filled, small)
    image.paste(disc, (left, top))
    return left + disc.width


@lru_cache(maxsize=64)
def _puck(letter: str, filled: bool, small: bool) -> Image.Image:
    high, faces = (10, (TINY,)) if small else (16, (PLAIN, SMALL, TINY))
    face = next((each for each in faces if measure(each, letter) <= high // 2 + 2), TINY)
    text = letter if measure(face, letter) < high else letter[:1]
    wide = measure(face, text) + (5 if small and not text.isascii() else 7 if small else 10)
    disc = blank(wide, high)
    pen = ImageDraw.Draw(disc)
    pen.ellipse((0, 0, wide - 1, high - 1), fill=LIT if filled else DARK, outline=LIT)
    write_centred(disc, (0, 0, wide, high), text, face, DARK if filled else LIT)
    return disc


class Centre(Struct, frozen=True):
    """The jack or queen: its letter, where it is, and whose it is (0: left, 1: right)."""

    letter: str
    place: RedPlace
    owner: int | None = None


def jack_mark(image: Image.Image, left: int, top: int, centre: Centre) -> None:
    """Draw where the jack or queen is, in 11 dots: a ring on the board, filled when it is in.

    The ring is broken while the piece waits for its cover, dotted while it waits to go back. A
    pointer below shows whose it is, where there are ten rows for it.
    """
    image.paste(_jack_mark(centre.letter, centre.place), (left, top))
    if centre.owner is not None and top + 20 <= image.height and top >= 10:
        _pointer(image, left + 3, top + 13, to_right=centre.owner == 1)


@cache
def _jack_mark(letter: str, place: RedPlace) -> Image.Image:
    mark = blank(11, 11)
    pen = ImageDraw.Draw(mark)
    is_covered = place is RedPlace.COVERED
    is_in = is_covered or (place is RedPlace.POCKETED and letter == "J")
    pen.ellipse((0, 0, 10, 10), fill=LIT if is_in else DARK, outline=LIT)
    if not is_in and place is not RedPlace.BOARD:
        for box in ((4, 0, 7, 1), (4, 10, 7, 11), (0, 4, 1, 7), (10, 4, 11, 7)):
            fill(mark, box, DARK)
    write_centred(mark, (0, 0, 11, 11), letter, TINY, DARK if is_in else LIT)
    return mark


def mark(image: Image.Image, right: int, drawn: Image.Image, *, anywhere: bool = False) -> None:
    """Draw a mark in the free spot furthest to the right, at the top or the bottom.

    ``anywhere``: else in the highest row that has one. If there is none, the mark is left out: the
    game's own words and counts come first.
    """
    width, height = drawn.size
    low = image.height - height
    for top in (0, low, *(range(1, low) if anywhere else ())):
        for left in range(right - width, -1, -1):
            around = (left - 1, top - 1, left + width + 1, top + height + 1)
            if image.crop(around).getbbox() is None:
                image.paste(drawn, (left, top))
                return


@cache
def desk_away() -> Image.Image:
    """Draw a mast and a cross: the hall's desk cannot be reached."""
    return _drawn(_DESK_AWAY)


@cache
def desk_called() -> Image.Image:
    """Draw a bell: the hall's desk has been called."""
    return _drawn(_DESK_CALLED)


def _drawn(rows: tuple[str, ...]) -> Image.Image:
    image = blank(len(rows[0]), len(rows))
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            if dot == "#":
                image.putpixel((x, y), LIT)
    return image


_DESK_AWAY = (
    "#...#....",
    ".#.#.#.#.",
    "..#...#..",
    "..#..#.#.",
    "..#......",
    ".###.....",
)
_DESK_CALLED = (
    "...#...",
    "..###..",
    "..###..",
    ".#####.",
    "#######",
    "...#...",
)


@cache
def board_tag(number: int) -> Image.Image:
    """Draw a board's number, black on white."""
    image = blank(tag_width(str(number)), 8)
    tag(image, 0, 0, str(number))
    return image


def _pointer(image: Image.Image, left: int, top: int, *, to_right: bool) -> None:
    """Draw a pointer of five by seven dots to one side."""
    for column in range(4):
        x = left + column if to_right else left + 4 - column
        fill(image, (x, top + column, x + 1, top + 7 - column))


class Card(Struct, frozen=True):
    """What a side's card shows."""

    letter: str
    filled: bool
    """Its puck is light, on a dark card."""
    number: int
    owed: int = 0
    lit: bool = False
    """White: it is this side's turn, or it has won."""
    stays_light: bool = False
    """Its puck is white or black, and is not inverted on a lit card."""
    seat: Seat | None = None
    """Who shoots, on the card that is lit."""
    queen: str = ""
    """``Q`` where this side has the queen, ``Q?`` while it must cover her."""


def big_card(image: Image.Image, box: Box, card: Card) -> None:
    """Draw a side as large as possible: puck and seat at the left, the count beside them."""
    left, top, right, bottom = box
    image.paste(_big_card(right - left, bottom - top, card), (left, top))


@lru_cache(maxsize=64)
def _big_card(wide: int, high: int, card: Card) -> Image.Image:
    image, box = blank(wide, high), (0, 0, wide, high)
    is_tall = high >= 30
    shape = (2, 1) if is_tall else (5, 2)
    filled = card.filled is not (card.lit and card.stays_light)
    end = puck(image, *shape, card.letter, filled=filled, small=not is_tall)
    if card.seat is not None:
        tall, face = (12, PLAIN) if is_tall else (8, TINY)
        seat = (shape[0] + 2, high - 1 - tall, end - 2, high - 1)
        fill(image, seat)
        write_centred(image, seat, card.seat.value, face, DARK)
    margin = 3 if is_tall else 2
    big_number(image, (21, margin, wide - 3, high - margin), card.number)
    if card.lit:
        invert(image, box)
        round_corners(image, box)
    return image


@lru_cache(maxsize=64)
def small_card(card: Card) -> Image.Image:
    """Draw a side in one line of eleven dots: puck, count, debt, and the seat that shoots.

    The puck is before the lit part, so that it keeps its shape.
    """
    image = blank(72, 11)
    start = puck(image, 0, 0, card.letter, filled=card.filled, small=True) + 2
    x = write(image, start + card.lit, 0, str(card.number), SMALL)
    if card.owed:
        x = tag(image, x, 1, debt(card.owed))
    if card.queen:
        x = write(image, x + 2, 2, card.queen, TINY)
    if card.seat is not None:
        x = write(image, x + 1, 2, boxed(card.seat.value), TINY) - 1
    x = min(x, image.width - 1)
    if card.lit:
        lit = (start - 1, 0, x + 1, 11)
        invert(image, lit)
        round_corners(image, lit)
    return image.crop((0, 0, x + 1, 11))


def debt(owed: int) -> str:
    """Return a side's debt in the least room: an arrow for what must go back up, never a minus."""
    return f"↑{owed}"


def header(image: Image.Image, cards: Sequence[Card], centre: str) -> Box:
    """Draw both sides and ``centre`` in the top eleven rows; return the box between them.

    ``centre`` are the clocks; only the first is drawn if there is no room for all.
    """
    left, right = small_card(cards[0]), small_card(cards[1])
    image.paste(left, (0, 0))
    image.paste(right, (image.width - right.width, 0))
    middle = (left.width, 0, image.width - right.width, 11)
    if centre:
        room = middle[2] - middle[0]
        block = fit(centre, room, ((SMALL, 1), (TINY, 1)))
        if not block.is_whole:
            block = fit(centre.split(maxsplit=1)[0], room, ((TINY, 1),))
        place(image, middle, block)
    return middle


def light(image: Image.Image, box: Box, pocket: Pocket) -> None:
    """Light a pocket in its corner of the box: a wedge, and a bar along both edges.

    It inverts dots, so what is beneath can still be read, on dark and on white.
    """
    left, top, right, bottom = box
    mark = _light(pocket)
    x = right - mark.width if pocket in {Pocket.NE, Pocket.SE} else left
    y = bottom - mark.height if pocket in {Pocket.SE, Pocket.SW} else top
    place = (x, y, x + mark.width, y + mark.height)
    image.paste(ImageChops.logical_xor(image.crop(place), mark), place)


_BAR = 12
_WEDGE = 7


@cache
def _light(pocket: Pocket) -> Image.Image:
    """Draw a lit pocket; it hardly touches what is three dots from the edges."""
    mark = blank(_BAR, _BAR)
    fill(mark, (0, 0, _BAR, 2))
    fill(mark, (0, 0, 2, _BAR))
    ImageDraw.Draw(mark).polygon(((0, 0), (_WEDGE, 0), (0, _WEDGE)), fill=LIT)
    if pocket in {Pocket.NE, Pocket.SE}:
        mark = mark.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if pocket in {Pocket.SE, Pocket.SW}:
        mark = mark.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    return mark


def pips(image: Image.Image, left: int, top: int, won: int, needed: int) -> None:
    """Draw boards won as dots of four, two above and two below a gap of twelve."""
    if needed > 4:
        write(image, left, top, str(won), TINY)
        return
    for index in range(needed):
        y = top + (0, 5, 23, 28)[index]
        box = (left, y, left + 4, y + 4)
        fill(image, box)
        round_corners(image, box)
        if index >= won:
            fill(image, (left + 1, y + 1, left + 3, y + 3), DARK)


def tag_width(text: str) -> int:
    """Return the width of a tag."""
    return measure(_tag_face(text), text) + 2


@lru_cache(maxsize=256)
def _tag_face(text: str) -> Face:
    """Return the face of a tag: strokes of two dots for text of capitals and digits only."""
    return CHIP if all(has_glyph(CHIP, character) for character in text) else TINY


def tag(image: Image.Image, left: int, top: int, text: str) -> int:
    """Write black on white, in eight rows; return the right end."""
    right = left + tag_width(text)
    fill(image, (left, top, right, top + 8))
    write(image, left + 2, top, text, _tag_face(text), DARK)
    return right


def banner(
    image: Image.Image, box: Box, what: str, remedy: str, further: int, sign: str = "!"
) -> None:
    """Draw a fault black on white: two lines, or one in a low box; count ``further`` ones.

    Without a ``remedy`` the text takes both lines.
    """
    left, top, right, bottom = box
    fill(image, box)
    is_high = bottom - top >= 16
    if is_high:
        fill(image, (left + 1, top + 1, left + 11, bottom - 1), DARK)
        write(image, left + 2, (top + bottom) // 2 - 8, sign, PLAIN)
    else:
        write(image, left + 3, top, sign, TINY, DARK)
    end = right
    if further:
        end = right - measure(TINY, f"+{further}") - 2
        write(image, end, top, f"+{further}", TINY, DARK)
    line: tuple[Choice, ...] = ((TINY, 1),)
    if is_high and not remedy:
        whole = fit(what, right - left - 13, (*line, (TINY, 2)))
        place(image, (left + 13, top, right, bottom), whole, DARK, align=0.0)
        return
    lines = ((what, end), (remedy, right)) if is_high else ((what, end),)
    for index, (text, stop) in enumerate(lines):
        start = left + 13
        row = (start, top + 8 * index, stop, top + 8 * index + 8)
        place(image, row, fit(text, stop - start, line), DARK, align=0.0)


class Prompt(Struct, frozen=True):
    """A key and what it does now; ``progress`` is how far it has been held, 0 to 1."""

    key: str
    text: str
    progress: float | None = None

    @property
    def key_width(self) -> int:
        """The width of the key's name, black on white."""
        return tag_width(self.key)

    @property
    def width(self) -> int:
        """The width of the whole prompt on one line; a bar needs room to grow."""
        wide = self.key_width + 2 + measure(TINY, self.text)
        return wide if self.progress is None else max(wide + 1, 40)


def prompt_rows(prompts: Sequence[Prompt], width: int, waiting: str) -> list[list[Prompt]]:
    """Return the rows that the prompts need: side by side where they fit, else one each."""
    taken = sum(prompt.width for prompt in prompts) + 4 * (len(prompts) - 1)
    if waiting:
        taken += tag_width(waiting) + 4
    if taken <= width:
        return [list(prompts)] if prompts else []
    return [[prompt] for prompt in prompts]


def draw_prompts(
    image: Image.Image, right: int, rows: Sequence[Sequence[Prompt]], waiting: str
) -> int:
    """Draw the rows at the bottom, 0 to ``right``; return the first row of dots they take.

    OK is at the left and FIX at the right, or one above the other, in two lines where one is too
    narrow. Between them, or at the end of the first row, is how many proposals are ``waiting``.
    """
    said = [[_prompted(prompt, right) for prompt in row] for row in rows]
    highs = [max(8, *(block.height for block in blocks)) for blocks in said]
    top = image.height - sum(highs)
    free = (0, right)
    for index, row in enumerate(rows):
        y = top + sum(highs[:index])
        for prompt, block in zip(row, said[index], strict=True):
            at_right = len(rows) == 1 and prompt.key == "FIX"
            left = right - prompt.width if at_right else 0
            image.paste(_prompt(prompt, block, highs[index]), (left, y))
            if index == 0:
                free = (free[0], left - 4) if at_right else (prompt.width + 4, free[1])
    if waiting:
        y = top if rows else image.height - 8
        wide = tag_width(waiting)
        middle = (free[0] + free[1] - wide) // 2
        tag(image, middle if len(rows) == 1 else right - wide, y, waiting)
        top = min(top, y)
    return top


def _prompted(prompt: Prompt, width: int) -> Block:
    return fit(prompt.text, width - prompt.key_width - 2, ((TINY, 1), (TINY, 2)))


@lru_cache(maxsize=128)
def _prompt(prompt: Prompt, block: Block, high: int) -> Image.Image:
    """Draw a prompt of a given height."""
    start = prompt.key_width + 2
    end = start + block.width
    if prompt.progress is not None:
        end = max(end + 1, 40)
    image = blank(end, high)
    tag(image, 0, 0, prompt.key)
    place(image, (start, 0, start + block.width, high), block, align=0.0)
    if prompt.progress is not None:
        frame(image, (start - 1, 0, end, high))
        inner = round((end - start) * min(1.0, max(0.0, prompt.progress)))
        invert(image, (start - 1, 0, start + inner, high))
    return image


@lru_cache(maxsize=512)
def words(phrase: Phrase, translate: Translate) -> str:
    """Return a phrase's text on one line, its seats in boxes."""
    return " ".join(_with_boxes(phrase).render(translate).split())


_SEATS = frozenset({"seat", "seats", "missed", "who"})
"""The blanks that hold seats' letters."""


def _with_boxes(phrase: Phrase) -> Phrase:
    """Put the letters of seats into boxes."""
    if not phrase.blanks:
        return phrase
    return changed(
        phrase, blanks=tuple([(name, _boxed(name, each)) for name, each in phrase.blanks])
    )


def _boxed(name: str, value: int | str | Phrase) -> int | str | Phrase:
    if isinstance(value, Phrase):
        return _with_boxes(value)
    is_seats = name in _SEATS and isinstance(value, str) and set(value) <= set("NESW ,")
    return boxed(str(value)) if is_seats else value
