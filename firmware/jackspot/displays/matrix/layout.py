"""Draws the board's view for an LED matrix of 32x8 dots or more, to be read from five metres.

::

    32x8                                64x8
    +-----------------------------+     +-------------------------------------------------+
    | 7 <   4:32                5 |     | R 7 <              4:32                    G  5 |
    +-----------------------------+     +-------------------------------------------------+

- The two counts are at the ends, always the confirmed ones.
- Between them a triangle points to the side that shoots, two triangles to the winner.
- Beside the triangle is as much of the clock as fits: minutes and seconds, else whole minutes
  (``4'``), else nothing.
- What is only **proposed** is between two dotted lines, and nothing confirmed ever is: the pieces'
  letters and a question mark (``RG?``; a striker is ``*``). The counts become slim to make room.
- Pieces to put back have an upward arrow before them.
- Two bars: paused. An exclamation mark: something is wrong; the OLED and the pages say what.

Panels of two rows have higher counts; on those up to 56 dots wide the words are in a line of
small letters below.

Pure: a view in, a picture out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from PIL import Image

from jackspot.core.phrases import Phrase, Translate, _
from jackspot.core.pieces import Piece
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.dialogue.words.tally import OVER, score
from jackspot.dialogue.words.wording import piece_letter, side_letter
from jackspot.displays.matrix.figures import LIT, SMALL_HEIGHT, figure, small
from jackspot.displays.signs.text import first_two, is_dark, is_marked, plain
from jackspot.displays.text import TINY, measure, write

INVITATION: Phrase = _("PLAY")
"""Shown alone while nobody plays; it must fit into 32 dots of small letters."""

_SECOND_NS = 1_000_000_000
_LOW = 8
_ARROW = 4
_ROOM = {8: 6, 10: 6, 16: 14}
"""The least room between counts of each height, in dots."""
_LINE = 10
"""The height of counts above a line of small letters, in dots."""


class _Word(Struct, frozen=True):
    """What is shown between the counts. ``proposed``: nobody has confirmed it."""

    forms: tuple[str, ...] = ()
    """The longest first; the first that fits is shown."""
    proposed: bool = False
    bars: bool = False


def draw(view: BoardView, size: tuple[int, int], translate: Translate = str) -> Image.Image:
    """Draw a view as dots of mode ``1``; ``size`` is 32 to 64 dots by 8 or 16."""
    image = Image.new("1", size)
    if is_dark(view) or view.farewell:
        return image
    word = _word(view, translate)
    if view.attract is not None and view.phase is Phase.SETUP and view.free is None:
        text = INVITATION.render(translate)
        write(image, (size[0] - measure(TINY, text) + 1) // 2, (size[1] - 8) // 2, text, TINY)
    elif size[1] == _LOW:
        _one_row(image, view, word, translate)
    elif size[0] >= 64:
        _two_rows(image, view, word, translate)
    else:
        _above_a_line(image, view, word, translate)
    return image


def _one_row(image: Image.Image, view: BoardView, word: _Word, translate: Translate) -> None:
    """Draw the counts at both ends, and what is next between them."""
    slim = word.proposed or bool(view.place)
    room = _counts(image, view, 8, translate, slim=slim)
    _between(image, view, room, word)


def _two_rows(image: Image.Image, view: BoardView, word: _Word, translate: Translate) -> None:
    """Draw counts of sixteen dots, the clock above, and what is proposed below it."""
    left, right = _counts(image, view, 16, translate)
    clock = _Word(_clock(view), bars=word.bars)
    is_clock = word.forms == clock.forms
    upper = Image.new("1", (right - left, 8))
    _between(upper, view, (0, right - left), clock)
    image.paste(upper, (left, 0))
    if not is_clock:
        lower = Image.new("1", (right - left, 8))
        _say(lower, (0, right - left), word)
        image.paste(lower, (left, 8))


def _above_a_line(image: Image.Image, view: BoardView, word: _Word, translate: Translate) -> None:
    """Draw counts of ten dots, and a line of small letters below them."""
    left, right = _counts(image, view, _LINE, translate)
    middle = Image.new("1", (right - left, _LINE))
    _between(middle, view, (0, right - left), _Word(bars=word.bars))
    image.paste(middle, (left, 0))
    top = image.height - SMALL_HEIGHT
    text = next((form for form in word.forms if _small_width(form) <= image.width), "")
    x = (image.width - _small_width(text)) // 2
    if word.proposed and text:
        for dot in (*range(0, x - 2, 2), *range(image.width - 1, x + _small_width(text) + 1, -2)):
            image.putpixel((dot, top + 2), LIT)
    _write_small(image, x, top, text)


# --- the parts -------------------------------------------------------------------------


def _counts(
    image: Image.Image, view: BoardView, high: int, translate: Translate, *, slim: bool = False
) -> tuple[int, int]:
    """Draw both counts at the ends; return where the room between them begins and ends."""
    texts = _numbers(view)
    letters = ["", ""]
    if view.free is None:
        letters = [plain(side_letter(side.side), translate) for side in view.sides]
    marks = sum(measure(TINY, letter) + 1 for letter in letters)
    least = _ROOM[high] + sum(_width(text, high, slim=slim) for text in texts)
    slim = slim or least > image.width
    least = _ROOM[high] + sum(_width(text, high, slim=slim) for text in texts)
    if image.width < 64 or least + marks > image.width:
        letters = ["", ""]
    ends = []
    for index, text in enumerate(texts):
        wide = _width(text, high, slim=slim)
        shift = measure(TINY, letters[index]) + 1 if letters[index] else 0
        at = shift if index == 0 else image.width - wide
        write(image, 0 if index == 0 else at - shift, (high - 8) // 2, letters[index], TINY)
        start = at
        for character in text:
            shape = figure(character, slim=slim, height=high)
            image.paste(shape, (start, 0))
            start += shape.width + _gap(high)
        ends.append(at + wide + 1 if index == 0 else at - shift - 1)
    return ends[0], max(ends)


def _gap(high: int) -> int:
    return 2 if high == 16 else 1


def _width(text: str, high: int, *, slim: bool) -> int:
    wide = sum(figure(character, slim=slim, height=high).width for character in text)
    return wide + _gap(high) * (len(text) - 1)


def _numbers(view: BoardView) -> tuple[str, str]:
    """Return both numbers as text; one that does not fit is a dash."""
    if view.free is not None:
        (_kind, first), (_other, second) = first_two(view.free)
        return _number(first), _number(second)
    if view.phase is Phase.SETUP:
        return "-", "-"
    return _number(score(view, 0)), _number(score(view, 1))


def _number(n: int) -> str:
    return str(n) if -9 <= n <= 199 else "-"


def _between(image: Image.Image, view: BoardView, room: tuple[int, int], word: _Word) -> None:
    """Draw the triangle that points to who shoots, and the word in the remaining room."""
    left, right = room
    high = min(image.height, 8)
    if word.bars:
        middle = (left + right) // 2
        for x in (middle - 2, middle + 1):
            image.paste(LIT, (x, 1, x + 1, high - 1))
        return
    if view.free is None and not word.proposed and not view.place:
        top = (image.height - 7) // 2
        wanted = 2 if view.phase in OVER else 1
        for _each in range(min(wanted, (right - left + 1) // (_ARROW + 1))):
            if is_marked(view, 0):
                _triangle(image, left, top, to_right=False)
                left += _ARROW + 1
            elif is_marked(view, 1):
                _triangle(image, right - _ARROW, top, to_right=True)
                right -= _ARROW + 1
    _say(image, (left, right), word)


def _triangle(image: Image.Image, left: int, top: int, *, to_right: bool) -> None:
    for column in range(_ARROW):
        x = left + (_ARROW - 1 - column if to_right else column)
        image.paste(LIT, (x, top + 3 - column, x + 1, top + 4 + column))


def _say(image: Image.Image, room: tuple[int, int], word: _Word) -> None:
    """Write the longest form that fits; a proposal in larger letters between dots."""
    left, right = room
    for form in word.forms:
        large = measure(TINY, form) - 1
        if word.proposed and large <= right - left:
            x = left + (right - left - large) // 2
            write(image, x, 0, form, TINY)
            _dots(image, room)
            return
        wide = _small_width(form)
        if wide < right - left:
            _write_small(image, left + (right - left - wide) // 2, 1, form)
            if word.proposed:
                _dots(image, room)
            return


def _dots(image: Image.Image, room: tuple[int, int]) -> None:
    """Dot the first and the last row of a room: its content is only proposed."""
    left, right = room
    image.paste(0, (left, 7, right, 8))
    for x in range(left, right, 2):
        image.putpixel((x, 7), LIT)
        image.putpixel((x, 0), LIT)


def _small_width(text: str) -> int:
    return sum(small(character).width + 1 for character in text) - 1 if text else 0


def _write_small(image: Image.Image, left: int, top: int, text: str) -> None:
    for character in text:
        shape = small(character)
        image.paste(LIT, (left, top, left + shape.width, top + shape.height), shape)
        left += shape.width + 1


# --- the words -------------------------------------------------------------------------


def _word(view: BoardView, translate: Translate) -> _Word:
    """Return what is shown between the counts."""
    if view.menu is not None:
        return _Word(("?",) if view.menu.question else ())
    if view.proposal is not None:
        fallen = [departure.piece for departure in view.proposal.departures]
        mark = "??" if view.proposal.doubtful else "?"
        return _Word(_pieces(fallen, "", mark, translate) or (f"-{mark}",), proposed=True)
    if view.phase is Phase.FALLING:
        return _Word(("?",), proposed=True)
    return _confirmed(view, translate)


def _confirmed(view: BoardView, translate: Translate) -> _Word:
    if view.place:
        return _Word(_pieces(view.place, "^", "", translate))
    if view.phase is Phase.PAUSED:
        return _Word(bars=True)
    return _Word(("!",) if view.faults else _clock(view))


def _pieces(
    pieces: Iterable[Piece], before: str, after: str, translate: Translate
) -> tuple[str, ...]:
    """Return the letters of some pieces in ever shorter forms: ``RRG``, ``2R G``, ``3``."""
    listed = list(pieces)
    if not listed:
        return ()
    letters = [plain(piece_letter(piece), translate) for piece in listed]
    counted = Counter(letters)
    short = " ".join(f"{n if n > 1 else ''}{letter}" for letter, n in counted.items())
    forms = ("".join(letters), short, str(len(listed)))
    return tuple(f"{before}{form}{after}" for form in forms)


def _clock(view: BoardView) -> tuple[str, ...]:
    """Return the clock, then whole minutes; in the last minute its seconds."""
    if not view.clock.limit_ns or view.phase in OVER or view.free is not None:
        return ()
    seconds = -(-max(0, view.clock.remaining_ns) // _SECOND_NS)
    whole = f"{seconds // 60}:{seconds % 60:02d}"
    return (whole, f"{seconds}" if seconds < 60 else f"{seconds // 60}'")
