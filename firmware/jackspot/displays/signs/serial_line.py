"""The settings and address of a serial line, checked before it is opened.

A line is a device (preferably one of ``/dev/serial/by-id``) or one of pyserial's URLs:

- ``socket://HOST:PORT``: a serial server that passes bytes on as they are;
- ``rfc2217://HOST:PORT``: one that speed and parity are sent to as well;
- ``hwgrep://PATTERN``: the first device whose description matches;
- ``spy://DEVICE?file=PATH``: a device, with everything that is sent also written to a file;
- ``alt://DEVICE?class=NAME``: a device through another of pyserial's classes;
- ``loop://``: no device at all, for trying a config without a sign.

Pure: nothing is opened here, and pyserial is not needed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from jackspot.values import changed

ON_THE_NETWORK = frozenset({"socket", "rfc2217"})
OF_A_DEVICE = frozenset({"spy", "hwgrep", "alt"})
SCHEMES = (*sorted(ON_THE_NETWORK | OF_A_DEVICE), "loop")
"""The URL handlers of pyserial."""


class Parity(StrEnum):
    """The meaning of the bit after the data bits."""

    NONE = "none"
    EVEN = "even"
    ODD = "odd"
    MARK = "mark"
    SPACE = "space"


class Flow(StrEnum):
    """How a display reports that it can take no more for a moment."""

    NONE = "none"
    RTSCTS = "rtscts"
    """With two further wires."""
    XONXOFF = "xonxoff"
    """With two bytes that it sends."""


class SerialSettings(Struct, frozen=True):
    """The settings of a line: 9600 8N1 by default.

    ``stop_bits`` is 1, 1.5 or 2. ``write_timeout_s`` bounds how long a write waits for a device
    that accepts nothing.
    """

    baud: int = 9600
    data_bits: int = 8
    parity: Parity = Parity.NONE
    stop_bits: float = 1
    flow: Flow = Flow.NONE
    write_timeout_s: float = 1.0

    def __str__(self) -> str:
        """Return the usual notation: ``9600 8N1``."""
        return f"{self.baud} {self.data_bits}{self.parity[0].upper()}{self.stop_bits:g}"


ALPHA = SerialSettings(data_bits=7, parity=Parity.EVEN)
"""The factory settings of Alpha signs: 9600 7E1."""


def scheme_of(port: str) -> str:
    """Return the URL scheme of a port; empty for a device."""
    return port.partition("://")[0].lower() if "://" in port else ""


def what_is_wrong(port: str) -> str:
    """Return what a port should have been, empty if it is valid; open nothing.

    A missing device is not a mistake: it may be plugged in later.
    """
    scheme = scheme_of(port)
    if not scheme:
        return (
            "" if port.startswith("/") else "the whole path of a device, as /dev/ttyUSB0, or a URL"
        )
    if scheme not in SCHEMES:
        return f"one of pyserial's URLs: {', '.join(f'{each}://' for each in SCHEMES)}"
    if scheme not in ON_THE_NETWORK:
        return ""
    try:
        parts = urlsplit(port)
        complete = bool(parts.hostname) and bool(parts.port)
    except ValueError:
        complete = False
    return "" if complete else f"a host and a port number, as {scheme}://192.0.2.7:4001"


def with_defaults(line: SerialSettings, **given: Any) -> SerialSettings:
    """Return a line with the given settings replaced; None keeps its own."""
    return changed(line, **{key: value for key, value in given.items() if value is not None})
