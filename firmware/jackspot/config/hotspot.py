"""The board's own network, as the board reads it from a file; ``jackspot hotspot`` makes it."""

from __future__ import annotations

import json
from pathlib import Path

from jackspot.files import MIB, read_text

ADDRESS = "10.42.0.1"
"""The board's address for its guests: the one NetworkManager shares from by default."""


def told_beside(journal: Path) -> Path:
    """Return the file that tells the board its network, whose profile it may not read."""
    return journal.with_name("hotspot.json")


def told(journal: Path) -> tuple[str, str] | None:
    """Return the name and password of the board's network; None if it has none."""
    try:
        said = json.loads(read_text(told_beside(journal), MIB))
        return str(said["name"]), str(said["password"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
