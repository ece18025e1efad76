"""Files with people's names in them, noted for `forget` to find."""

from __future__ import annotations

from pathlib import Path

from jackspot.commands.terminal.output import tell
from jackspot.ops.forgetting.places import list_of_exports, note_export


def note_names(journal: Path, target: Path) -> None:
    """Note that a file with names was written from a journal; tell where that cannot be noted."""
    if not note_export(journal, target):
        tell_unnoted(journal, target)


def tell_unnoted(journal: Path, target: Path) -> None:
    """Tell that names are in a file or folder, and that it could not be noted."""
    why = f"{list_of_exports(journal)} cannot be written"
    tell(f"{target}: names are in it, and `forget` will not find it: {why}")
