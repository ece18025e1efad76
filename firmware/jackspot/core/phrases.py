"""Text as values: an English sentence with its blanks, translated where it is shown.

A view is pure, so it holds phrases, not translated text. Each display fills them in with
its own ``translate`` (:mod:`jackspot.displays.words`, or any function from text to text).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from msgspec import Struct

Translate = Callable[[str], str]

_IN_CONTEXT = "\4"
"""The separator that gettext writes between a context and its sentence."""


@runtime_checkable
class Counts(Protocol):
    """A ``translate`` that knows the plural forms of its language."""

    def __call__(self, text: str, /) -> str:
        """Translate a sentence."""

    def counted(self, one: str, many: str, n: int) -> str:
        """Return the form for a number; ``one`` and ``many`` are the English forms."""


class Phrase(Struct, frozen=True):
    """A sentence with named blanks: ``Phrase("{side} pays {n}", (("side", ...), ...))``.

    Blanks take numbers, plain text (player names, pocket names) or further phrases.
    """

    msgid: str
    blanks: tuple[tuple[str, int | str | Phrase], ...] = ()
    many: str = ""
    """The sentence for any number but one, decided by the blank ``n``; ``msgid`` is for one."""
    context: str = ""
    """What distinguishes it from an equal sentence with another meaning."""

    def render(self, translate: Translate) -> str:
        """Translate the sentence and fill in its blanks."""
        values = {
            name: value.render(translate) if isinstance(value, Phrase) else value
            for name, value in self.blanks
        }
        text = self._translated(translate)
        return text.format(**values) if values else text

    def _translated(self, translate: Translate | Counts) -> str:
        if self.many:
            n = next(value for name, value in self.blanks if name == "n")
            assert isinstance(n, int), "a number decides between one and many"
            if isinstance(translate, Counts):
                return translate.counted(self.msgid, self.many, n)
            return translate(self.msgid if n == 1 else self.many)
        if self.context:
            said = translate(f"{self.context}{_IN_CONTEXT}{self.msgid}")
            return said.rpartition(_IN_CONTEXT)[2]
        return translate(self.msgid)

    def __str__(self) -> str:
        """Return the English text."""
        return self.render(lambda text: text)


def _(msgid: str, /, **blanks: int | str | Phrase) -> Phrase:
    """Make a phrase; the name ``_`` lets gettext's tools find the sentence."""
    return Phrase(msgid, tuple(blanks.items()))


def _n(one: str, many: str, /, *, n: int, **blanks: int | str | Phrase) -> Phrase:
    """Make a phrase with different forms for one and for many; ``n`` is also a blank."""
    return Phrase(one, (("n", n), *blanks.items()), many)


def _c(context: str, msgid: str, /, **blanks: int | str | Phrase) -> Phrase:
    """Make a phrase whose meaning differs from that of an equal one; the context says which."""
    return Phrase(msgid, tuple(blanks.items()), context=context)


EMPTY = Phrase("{text}", (("text", ""),))
"""A phrase that says nothing."""


LANGUAGE = _c("the code of this language", "en")
"""The language into which a sentence is translated, according to its catalogue."""


class Multilingual(Phrase, frozen=True):
    """A sentence from outside in several languages: each display shows its own.

    If that one is missing, English is shown, or else the first.
    """

    texts: tuple[tuple[str, str], ...] = ()
    """A language's code and the sentence in it."""

    def render(self, translate: Translate) -> str:
        """Return the sentence in the language of ``translate``."""
        known = dict(self.texts)
        for language in (LANGUAGE.render(translate), LANGUAGE.msgid):
            if language in known:
                return known[language]
        return next(iter(known.values()), "")
