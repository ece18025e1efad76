"""What the simulated table answers when something cannot be done at it."""

from __future__ import annotations

from jackspot.core.phrases import Phrase


class CannotHappen(Exception):
    """The table does not allow this; ``why`` is the reason, for people to read."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(str(why))
        self.why = why
