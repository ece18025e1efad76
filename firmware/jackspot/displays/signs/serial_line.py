"""How a serial line is set and where it may lead: values that are checked before it is opened.

A line is a device (best one of ``/dev/serial/by-id``) or one of pyserial's URLs:

- ``socket://HOST:PORT``: a serial server that passes bytes on as they are;
- ``rfc2217://HOST:PORT``: one that is told speed and parity too;
- ``hwgrep://PATTERN``: the first device whose description matches;
- ``spy://DEVICE?file=PATH``: a device, with all that is sent written to a file;
- ``alt://DEVICE?class=NAME``: a device by another of pyserial's classes;
- ``loop://``: nowhere at all, for trying a config without a sign.

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
    """What the bit after the data bits says."""

    NONE = "none"
    EVEN = "even"
    ODD = "odd"
    MARK = "mark"
    SPACE = "space"


class Flow(StrEnum):
    """How a display says that it can take no more for a moment."""

    NONE = "none"
    RTSCTS = "rtscts"
    """By two further wires."""
    XONXOFF = "xonxoff"
    """By two bytes that it sends."""


class SerialSettings(Struct, frozen=True):
    """How a line is set: 9600 8N1 unless said otherwise.

    ``stop_bits`` are 1, 1.5 or 2. ``write_timeout_s`` bounds how long a write waits for a
    device that takes nothing.
    """

    baud: int = 9600
    data_bits: int = 8
    parity: Parity = Parity.NONE
    stop_bits: float = 1
    flow: Flow = Flow.NONE
    write_timeout_s: float = 1.0

    def __str__(self) -> str:
        """Write it as people do: ``9600 8N1``."""
        return f"{self.baud} {self.data_bits}{self.parity[0].upper()}{self.stop_bits:g}"


ALPHA = SerialSettings(data_bits=7, parity=Parity.EVEN)
"""As Alpha signs are set when they are sold: 9600 7E1."""


def scheme_of(port: str) -> str:
    """Return the URL scheme of a port, empty for a device."""
    return port.partition("://")[0].lower() if "://" in port else ""


def what_is_wrong(port: str) -> str:
    """Say what a port should have been, empty if it may be one; opens nothing.

    A device that is not there is no mistake: it may be plugged in later.
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
    """Return a line with what was given instead of its own; None leaves its own."""
    return changed(line, **{key: value for key, value in given.items() if value is not None})
