"""The event's name and logo above the score: read once, when the board starts.

A logo that cannot be read is logged and left out; nothing else is affected.
"""

from __future__ import annotations

import logging
from pathlib import Path

from msgspec import Struct

from jackspot.files import read_bytes

MOST_BYTES = 512 * 1024
"""The largest logo: every page that is opened requests it."""

_log = logging.getLogger(__name__)


class Banner(Struct, frozen=True):
    """What is above the score. ``event`` may be empty; ``logo`` is a file's name and content."""

    event: str = ""
    logo: tuple[str, bytes] | None = None


def read_banner(event: str | None, logo: Path | None) -> Banner:
    """Read the logo and return the banner, without the logo if it cannot be read."""
    if logo is None:
        return Banner(event or "")
    try:
        return Banner(event or "", (f"logo{logo.suffix.lower()}", read_bytes(logo, MOST_BYTES)))
    except (OSError, ValueError) as error:
        _log.warning("[web] logo is left out: %s: %s", logo, error)
        return Banner(event or "")
