"""The menu of set-up, opened by somebody at a seat, and what its items say."""

from __future__ import annotations

from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.view import PreferencesView
from tests.dialogue.playing import Table

PREFERENCES = PreferencesView("en", 100, 50)


def menu(
    *, dialogue_settings: DialogueSettings | None = None, by: str = "N", lineup: str = "NS"
) -> Table:
    """The menu of set-up, opened at a seat with OK and FIX alone."""
    table = Table(box=False, dialogue_settings=dialogue_settings, lineup=lineup).wait(1.0)
    return table.hold(by, "fix").wait(1.0)


def labels(table: Table, starts: str, times: int, by: str = "N") -> list[str]:
    """Return what an item says each time it is done."""
    said = []
    for _ in range(times):
        said.append(next(each for each in table.items if each.startswith(starts)))
        table.pick(starts, by=by)
    return said


def preferences(dialogue_settings: DialogueSettings | None = None) -> Table:
    return menu(
        dialogue_settings=dialogue_settings or DialogueSettings(preferences=PREFERENCES)
    ).pick("the board itself", by="N")
