"""The board's own network as the board is told of it; ``jackspot hotspot`` makes it."""

from __future__ import annotations

import json
from pathlib import Path

from jackspot.files import MIB, read_text

ADDRESS = "10.42.0.1"
"""What the board is called by its guests: the address NetworkManager shares from as delivered."""


def told_beside(journal: Path) -> Path:
    """Return the file in which the board finds its network: it may not read the profile."""
    return journal.with_name("hotspot.json")


def told(journal: Path) -> tuple[str, str] | None:
    """Return name and password of the board's network; None where it has none."""
    try:
        said = json.loads(read_text(told_beside(journal), MIB))
        return str(said["name"]), str(said["password"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
