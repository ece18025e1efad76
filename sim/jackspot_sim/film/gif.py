"""Writes a GIF in which a frame holds only what has changed since the one before.

All frames share one table of colours, so that nothing flickers and no frame brings its own. Equal
frames become one that is shown longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec import Struct
from PIL import GifImagePlugin, Image, ImageChops

from jackspot.values import changed

COLOURS = 255
"""Colours of a picture."""
UNCHANGED = 255
"""The colour that stands for what was there before."""
LOOPS = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""Begin again, forever."""


class GifPart(Struct, frozen=True):
    """What a frame changes, from a corner on, and how long it is shown, in ms."""

    corner: tuple[int, int]
    image: Image.Image
    lasts_ms: int


def gif(frames: Iterable[Image.Image], frame_ms: int, still_ms: int) -> Iterator[bytes]:
    """Return the bytes of a GIF, piece by piece; the last frame is shown ``still_ms`` longer.

    The frames are of one size and mode ``P``, with the first one's colours: at most ``COLOURS``.
    """
    coming = iter(frames)
    first = next(coming)
    colours = bytes(first.getpalette() or ())
    width, height = first.size
    yield b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little") + b"\xf7\x00\x00"
    yield colours.ljust(768, b"\x00")
    yield LOOPS
    last: GifPart | None = None
    for part in _parts(chain((first,), coming), frame_ms):
        if last is not None:
            yield from _frame(last, colours, last.lasts_ms)
        last = part
    assert last is not None, "there is a first frame"
    yield from _frame(last, colours, last.lasts_ms + still_ms)
    yield b";"


def _parts(frames: Iterable[Image.Image], frame_ms: int) -> Iterator[GifPart]:
    """Return what each frame changes; equal frames are one."""
    indices = (Image.frombytes("L", each.size, each.tobytes()) for each in frames)
    before = next(indices)
    last = GifPart((0, 0), before, frame_ms)
    for now in indices:
        change = ImageChops.difference(before, now)
        box = change.getbbox()
        if box is None:
            last = changed(last, lasts_ms=last.lasts_ms + frame_ms)
            continue
        yield last
        shown = now.copy()
        shown.paste(UNCHANGED, None, change.point([255] + [0] * 255))
        before, last = now, GifPart((box[0], box[1]), shown.crop(box), frame_ms)
    yield last


def _frame(part: GifPart, colours: bytes, lasts_ms: int) -> Iterator[bytes]:
    image = Image.frombytes("P", part.image.size, part.image.tobytes())
    image.putpalette(colours)
    yield from GifImagePlugin.getdata(
        image, part.corner, duration=lasts_ms, disposal=1, transparency=UNCHANGED
    )
