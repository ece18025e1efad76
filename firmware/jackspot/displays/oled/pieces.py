"""Pieces that must be put back, drawn on the OLED: as a stack on the jack spot, or in the circle.

Red, white and brown are lit, green and black outlined; jack and queen have a mark of their own.
Each has its letter. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PIL import Image, ImageDraw

from jackspot.core.phrases import Translate
from jackspot.core.pieces import Piece
from jackspot.dialogue.words.wording import piece_letter
from jackspot.displays.oled import parts
from jackspot.displays.text import DARK, LIT, SMALL, TINY, Box, write, write_centred


class Slab(Struct, frozen=True):
    """Equal pieces on top of each other in the stack."""

    piece: Piece
    count: int


def slabs(pieces: Sequence[Piece]) -> list[Slab]:
    """Group a stack, bottom to top, into runs of equal pieces."""
    grouped: list[Slab] = []
    for piece in pieces:
        if grouped and grouped[-1].piece is piece:
            grouped[-1] = Slab(piece, grouped[-1].count + 1)
        else:
            grouped.append(Slab(piece, 1))
    return grouped


FILLED_PIECES = frozenset({Piece.RED, Piece.WHITE, Piece.BROWN})
"""Pieces that are drawn lit; the others are outlined."""


_WIDE_SLAB = 40
"""From this width on a piece has more than its letter and number."""


def stack(image: Image.Image, box: Box, pieces: Sequence[Piece], translate: Translate) -> None:
    """Draw pieces on top of each other, from the side, with letters and numbers.

    A few are drawn one by one; of more, equal neighbours are drawn as one high slab.
    """
    left, top, right, bottom = box
    room = bottom - top - 2
    each = [Slab(piece, 1) for piece in pieces]
    shown = each if len(each) * 9 <= room else slabs(pieces)
    high = min(13, room // max(1, len(shown)))
    parts.fill(image, (left, bottom - 1, right, bottom))
    y = bottom - 2
    for slab in shown:
        text = piece_letter(slab.piece).render(translate)
        if slab.count > 1:
            text = f"{slab.count} {text}"
        _slab(image, (left + 3, y - high + 1, right - 3, y), text, slab.piece)
        y -= high


def _slab(image: Image.Image, box: Box, text: str, piece: Piece) -> None:
    left, top, right, bottom = box
    is_filled, is_wide = piece in FILLED_PIECES, right - left >= _WIDE_SLAB
    if is_filled:
        parts.fill(image, box)
    else:
        parts.frame(image, box)
    if is_wide and piece in {Piece.JACK, Piece.QUEEN}:
        parts.fill(image, (left + 3, top + 3, left + 12, bottom - 3))
        parts.fill(image, (right - 12, top + 3, right - 3, bottom - 3))
    parts.round_corners(image, box)
    face = SMALL if bottom - top >= 12 and is_wide else TINY
    write_centred(image, box, text, face, DARK if is_filled else LIT)
    if is_wide and len(text) > 1:
        for y in range(top + 3, bottom - 2, 3):  # the edges of several
            for edge in (left + 1, right - 5):
                parts.fill(image, (edge, y, edge + 4, y + 1), DARK if is_filled else LIT)


def spread(image: Image.Image, box: Box, pieces: Sequence[Piece], translate: Translate) -> None:
    """Draw pieces beside each other in the circle, from above.

    Each has a disc if there is room; else there is one disc of each kind, with its number.
    """
    left, top, right, bottom = box
    kinds = list(dict.fromkeys(pieces))
    size = 16 if len(pieces) <= 2 * ((right - left) // 18) and bottom - top >= 36 else 12
    across = max(1, (right - left) // (size + 2))
    down = max(1, (bottom - top) // (size + 1))
    if len(pieces) <= across * down:
        _rows_of_discs(image, box, pieces, size, translate)
        return
    high = (bottom - top) // len(kinds)
    for index, piece in enumerate(kinds):
        y = top + high * index + (high - 12) // 2
        is_wide = right - left >= _WIDE_SLAB
        disc(image, (left + 6 * is_wide, y), piece, 12, translate)
        number = f"x{pieces.count(piece)}"
        if is_wide:
            write(image, left + 24, y, number, SMALL)
        else:
            write(image, left + 13, y + 2, number, TINY)


def _rows_of_discs(
    image: Image.Image, box: Box, pieces: Sequence[Piece], size: int, translate: Translate
) -> None:
    """Draw discs in rows, as even as possible, in the middle of a box."""
    left, top, right, bottom = box
    across = max(1, (right - left) // (size + 2))
    rows = -(-len(pieces) // across)
    each = -(-len(pieces) // rows)
    y = top + (bottom - top - rows * (size + 1)) // 2
    for row in range(rows):
        line = pieces[row * each : (row + 1) * each]
        x = left + (right - left - len(line) * (size + 2) + 2) // 2
        for piece in line:
            disc(image, (x, y), piece, size, translate)
            x += size + 2
        y += size + 1


def disc(
    image: Image.Image, corner: tuple[int, int], piece: Piece, size: int, translate: Translate
) -> None:
    """Draw a piece from above; jack and queen have a second rim."""
    shape = parts.blank(size, size)
    pen = ImageDraw.Draw(shape)
    is_filled = piece in FILLED_PIECES
    pen.ellipse((0, 0, size - 1, size - 1), fill=LIT if is_filled else DARK, outline=LIT)
    if piece in {Piece.JACK, Piece.QUEEN}:
        pen.ellipse((2, 2, size - 3, size - 3), fill=LIT)
        is_filled = True
    text = piece_letter(piece).render(translate)
    write_centred(shape, (0, 0, size, size), text, TINY, DARK if is_filled else LIT)
    image.paste(shape, corner)
