"""The sounds of the game for pages: the newest ones, numbered, as the buzzer's notes."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from jackspot.dialogue.state.view import Sound
from jackspot.displays.sounds import SOUNDS

KEPT = 32
"""How many sounds are remembered; a page that was away for longer gets the newest ones only."""


class Sounding:
    """The newest sounds; :meth:`add` is called from the game's thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: deque[tuple[int, Sound]] = deque(maxlen=KEPT)
        self._newest = 0

    @property
    def newest(self) -> int:
        """The number of the newest sound; 0: there has been none."""
        with self._lock:
            return self._newest

    def add(self, sound: Sound) -> None:
        """Remember a sound."""
        with self._lock:
            self._newest += 1
            self._lines.append((self._newest, sound))

    def since(self, number: int) -> list[dict[str, Any]]:
        """Return the sounds after a number: name, notes as pairs of hertz and milliseconds."""
        with self._lock:
            found = [sound for n, sound in self._lines if n > number]
        return [
            {"name": sound.value, "notes": [[note.hz, note.length_ms] for note in SOUNDS[sound]]}
            for sound in found
        ]
