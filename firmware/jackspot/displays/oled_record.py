"""The match record as a QR code on the OLED, for a referee's phone.

One dot a module: the largest code that fits in 64 rows with a rim of three modules around it
is version 10, which holds 271 bytes. A longer record has no code here; the pages have it.
Pure; segno is imported when a match is over.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

LARGEST_VERSION = 10
_RIM = 3
_MOST_BYTES = 271


@lru_cache(maxsize=4)
def record_code(record: str) -> Image.Image | None:
    """Give a record's QR code, lit where it is white; None if it does not fit."""
    if len(record.encode()) > _MOST_BYTES:
        return None
    import segno

    code = segno.make_qr(record, error="L", boost_error=False)
    if not isinstance(code.version, int) or code.version > LARGEST_VERSION:
        return None
    rows = [bytes(row) for row in code.matrix]
    image = Image.new("1", (len(rows) + 2 * _RIM, len(rows) + 2 * _RIM), 255)
    for y, row in enumerate(rows):
        for x, is_dark in enumerate(row):
            if is_dark:
                image.putpixel((x + _RIM, y + _RIM), 0)
    return image
