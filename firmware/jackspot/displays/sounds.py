"""The notes of each sound of the game, for the buzzer and for pages.

Every sound has its own rhythm, so that it is also understood on a buzzer with one tone: "shoot
again" is short, long and rises; "turn passes" is long, short and falls.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from jackspot.dialogue.state.view import Sound


class Note(Struct, frozen=True):
    """A tone of ``hz`` for ``length_ms``; 0 Hz is silence."""

    hz: int
    length_ms: int


_GAP: Final = Note(0, 60)

SOUNDS: Final[Mapping[Sound, tuple[Note, ...]]] = MappingProxyType(
    {
        Sound.TICK: (Note(2000, 15),),
        Sound.AGAIN: (Note(880, 70), _GAP, Note(1320, 180)),
        Sound.PASS: (Note(1320, 180), _GAP, Note(880, 70)),
        Sound.FOUL: (Note(262, 220), _GAP, Note(220, 260)),
        Sound.REFUSED: (Note(196, 130),),
        Sound.MINUTE: (Note(1760, 80), _GAP, Note(1760, 80)),
        Sound.TEN_SECONDS: (Note(1760, 80), _GAP) * 3 + (Note(1760, 80),),
        Sound.SHOT_SOON: (Note(1480, 50), _GAP, Note(1480, 50), _GAP, Note(1480, 50)),
        Sound.SHOT_UP: (Note(587, 350),),
        Sound.HORN: (Note(440, 800),),
        Sound.WIN: (
            Note(784, 90),
            _GAP,
            Note(988, 90),
            _GAP,
            Note(1175, 90),
            _GAP,
            Note(1568, 320),
        ),
    }
)
"""No sound is longer than a second."""
