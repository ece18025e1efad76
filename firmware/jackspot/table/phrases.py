"""Words as values: an English sentence with its blanks, translated where it is shown.

A view is pure, so it holds phrases, not translated text. Each display fills them in with
its own ``translate`` (``gettext.GNUTranslations.gettext`` or the like).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence with named blanks: ``Phrase("{side} pays {n}", (("side", ...), ...))``.

    Blanks take numbers, plain text (player names, pocket names) or further phrases.
    """

    msgid: str
    blanks: tuple[tuple[str, int | str | Phrase], ...] = ()

    def render(self, translate: Translate) -> str:
        """Translate the sentence and fill in its blanks."""
        values = {
            name: value.render(translate) if isinstance(value, Phrase) else value
            for name, value in self.blanks
        }
        return translate(self.msgid).format(**values) if values else translate(self.msgid)

    def __str__(self) -> str:
        """Give the English text."""
        return self.render(lambda text: text)


def _(msgid: str, /, **blanks: int | str | Phrase) -> Phrase:
    """Make a phrase; the name ``_`` lets gettext's tools find the sentence."""
    return Phrase(msgid, tuple(blanks.items()))


EMPTY = Phrase("{text}", (("text", ""),))
"""A phrase that says nothing."""
