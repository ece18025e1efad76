"""What people set for the board itself, and what the organiser may lock.

Language, brightness and volume belong to the board, not to a match: they outlast a new match
and a power cut. The configuration gives their initial values; when the owner changes one
there, the new value replaces what was set at the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from jackspot.dialogue.state.view import PreferencesView
from jackspot.values import changed

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "ja": "日本語"}
"""The languages that displays speak, each by its own name."""

BRIGHTNESS_STEPS = (100, 75, 50, 25, 10)
"""Per cent, as the menu offers them; never dark, or nobody could find the way back."""

VOLUME_STEPS = (100, 75, 50, 25, 0)
"""Per cent, as the menu offers them; 0 is silent."""


class Lock(StrEnum):
    """What the organiser may lock: the words of ``locked`` in the configuration."""

    RULES = "rules"
    PLAYERS = "players"
    NAMES = "names"
    TIME = "time"
    BOARDS = "boards"
    HANDICAPS = "handicaps"
    LANGUAGE = "language"
    BRIGHTNESS = "brightness"
    VOLUME = "volume"
    SHUTDOWN = "shutdown"
    HALL = "hall"


def with_next_language(preferences: PreferencesView) -> PreferencesView:
    """Switch to the next language."""
    known = tuple(LANGUAGES)
    at = known.index(preferences.language) if preferences.language in known else -1
    return changed(preferences, language=known[(at + 1) % len(known)])


def with_next_brightness(preferences: PreferencesView) -> PreferencesView:
    """Dim to the next lower step; after the lowest, back to full."""
    return changed(preferences, brightness=_lower(preferences.brightness, BRIGHTNESS_STEPS))


def with_next_volume(preferences: PreferencesView) -> PreferencesView:
    """Lower the volume to the next step; after silence, back to full."""
    return changed(preferences, volume=_lower(preferences.volume, VOLUME_STEPS))


def _lower(value: int, steps: Sequence[int]) -> int:
    return next((step for step in steps if step < value), steps[0])


def preferences_body(
    preferences: PreferencesView, configured: PreferencesView
) -> list[list[str | int]]:
    """Return what is set, and what the configuration said when it was set."""
    return [_values(preferences), _values(configured)]


def _values(preferences: PreferencesView) -> list[str | int]:
    return [preferences.language, preferences.brightness, preferences.volume]


def read_preferences(
    body: Any, configured: PreferencesView, locked: frozenset[Lock]
) -> PreferencesView:
    """Return what was set, except what is locked or has changed in the configuration since.

    Raises ValueError or TypeError where ``body`` is not what :func:`preferences_body` wrote.
    """
    if body is None:
        return configured
    then, start = body
    kept: dict[str, Any] = {}
    for lock, was, started in zip(_FIELDS, then, start, strict=True):
        if lock not in locked and started == getattr(configured, lock.value):
            kept[lock.value] = was
    return changed(configured, **kept)


_FIELDS = (Lock.LANGUAGE, Lock.BRIGHTNESS, Lock.VOLUME)
"""The preferences, in the order in which they are written down."""
