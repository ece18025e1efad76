"""Whether a match is being played at the board, read from its journal."""

from __future__ import annotations

from pathlib import Path

from jackspot.assembly import KINDS, dialogue_settings, plan
from jackspot.config import Config
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.state.dialogue_state import TAKES_ORDERS
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.ownership import RUN_AS, refused
from jackspot.storage.entries import understood
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked


def match_on(journal: Path, config: Config) -> str:
    """Say that a match is on, and what to do; empty if none is.

    A journal that cannot be read does not prevent an update, which may be what fixes it. Raises
    StepFailed if this user may not read it.
    """
    if words := refused(journal):
        raise StepFailed(f"{words}; {RUN_AS}")
    try:
        entries = understood(read_checked(journal, KINDS))
    except JournalDamaged as damage:
        entries = understood(damage.good)
    except JournalError:
        return ""
    dialogue = restore(entries, dialogue_settings(config), plan(config), 0).dialogue
    if dialogue.phase in TAKES_ORDERS:
        return ""
    return f"a match is on ({dialogue.phase}); play it to its end or suspend it, then update"
