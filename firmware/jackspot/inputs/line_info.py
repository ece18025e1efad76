"""Asks the kernel itself who holds a line of a GPIO chip.

It uses one ioctl of the kernel's GPIO interface, version 2 (Linux 5.10 and later; ``struct
gpio_v2_line_info`` in ``include/uapi/linux/gpio.h``), which needs no library and changes nothing.
"""

from __future__ import annotations

import fcntl
import struct
from pathlib import Path

from msgspec import Struct

_LINE_INFO = struct.Struct("=32s32sIIQ160x16x")
"""Name, consumer, offset, number of attributes, flags; attributes and padding are left out."""

_GET_LINE_INFO = 3 << 30 | _LINE_INFO.size << 16 | 0xB4 << 8 | 0x05
"""``GPIO_V2_GET_LINEINFO_IOCTL``: reads and writes the structure, type 0xB4, number 5."""

_USED = 1


class LineInfo(Struct, frozen=True):
    """What the kernel reports about a line. ``consumer`` is the name its holder gave itself."""

    name: str
    used: bool
    consumer: str


def read_line(chip: str, gpio: int) -> LineInfo | None:
    """Return the info of a line; None if the chip or the kernel does not answer."""
    asked = bytearray(_LINE_INFO.pack(b"", b"", gpio, 0, 0))
    try:
        with Path(chip).open("rb", buffering=0) as opened:
            fcntl.ioctl(opened, _GET_LINE_INFO, asked)
    except OSError:
        return None
    name, consumer, _, _, flags = _LINE_INFO.unpack(asked)
    return LineInfo(_word(name), bool(flags & _USED), _word(consumer))


def _word(packed: bytes) -> str:
    return packed.partition(b"\0")[0].decode("ascii", "replace")
