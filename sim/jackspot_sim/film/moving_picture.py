"""A film as a GIF: the simulated table in play, made by the product itself, without a browser.

With the same versions of the libraries, the same film and size give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from PIL import Image

from jackspot_sim.film.cutting import Span, cut
from jackspot_sim.film.gif import COLOURS, gif
from jackspot_sim.film.painting import Painter, Size
from jackspot_sim.film.values import Film

FRAME_NS = 60_000_000
"""A frame's time: GIF counts in hundredths of a second, and this is close to 16 frames a second."""
STILL_MS = 3_000
"""How long the last frame is shown before it begins again."""
SAMPLES = 8
"""How many frames the colours are chosen from."""


class CannotRecord(Exception):
    """The picture cannot be written; the message says why, and what to do."""


def record(
    film: Film, path: Path, seconds: float, size: Size,
    tick: Callable[[int, int], None] = lambda _done, _all: None,
) -> int:  # fmt: skip
    """Write a film's best as a GIF of at most about ``seconds``; return its size in bytes.

    ``tick`` is called for each frame: how many are done, of how many. The file at ``path`` is
    replaced once everything is done. CannotRecord if it cannot be written.
    """
    times = [*_times(cut(film, round(seconds * 1e9) - STILL_MS * 1_000_000))]
    painter = Painter(film, size)

    def frames() -> Iterator[Image.Image]:
        palette = _palette(painter, times)
        for number, at_ns in enumerate(times, start=1):
            yield painter.paint(at_ns).quantize(palette=palette, dither=Image.Dither.NONE)
            tick(number, len(times))

    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.writelines(gif(frames(), FRAME_NS // 1_000_000, STILL_MS))
        part.replace(path)
    except OSError as wrong:
        raise CannotRecord(
            f"{path} cannot be written: {wrong.strerror or wrong}; name a file in a folder that "
            "is there and that you may write to"
        ) from wrong
    finally:
        with suppress(OSError):
            part.unlink()
    return path.stat().st_size


def _times(spans: Sequence[Span]) -> Iterator[int]:
    for span in spans:
        yield from range(span.start_ns, span.end_ns, FRAME_NS)


def _palette(painter: Painter, times: Sequence[int]) -> Image.Image:
    """Choose the colours for all frames: wood stays smooth, and nothing flickers."""
    width, height = painter.size
    some = times[:: max(len(times) // SAMPLES, 1)][:SAMPLES]
    sheet = Image.new("RGB", (width, height * len(some)))
    for place, at_ns in enumerate(some):
        sheet.paste(painter.paint(at_ns), (0, place * height))
    return sheet.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=1)
