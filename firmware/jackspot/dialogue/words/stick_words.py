"""What became of a USB stick, in two short lines, and how long they are shown."""

from __future__ import annotations

from collections.abc import Mapping

from jackspot.core.clock import SECOND_NS
from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.state.view import NoticeView
from jackspot.sensing.events import Stick, StickTold

_STICK: Mapping[Stick, tuple[Phrase, Phrase]] = {
    Stick.WRITING: (_("writing the results"), _("leave the stick in")),
    Stick.WRITTEN: (_("results on the stick"), _("safe to remove")),
    Stick.EMPTY: (_("no matches to write"), _("safe to remove")),
    Stick.FULL: (_("the stick is full"), _("make room, try again")),
    Stick.READ_ONLY: (_("stick is read-only"), _("unlock or change it")),
    Stick.UNREADABLE: (_("stick not readable"), _("format it as FAT32")),
    Stick.FAILED: (_("not on the stick"), _("check log, try again")),
    Stick.CARD_FAILED: (_("card not all taken"), _("see RESULT.txt on it")),
}
_GOOD = frozenset({Stick.WRITING, Stick.WRITTEN, Stick.EMPTY})

ROOM, SHORTER = 13, 9
"""How many letters of a hall's name, and of a key, fit beside the words."""

SHOWN_NS = 15 * SECOND_NS
WRITING_SHOWN_NS = 120 * SECOND_NS
"""While it is being written: the result comes sooner, unless the stick was pulled out."""


def stick_notice(stick: Stick, about: str = "", number: int | None = None) -> NoticeView:
    """Say what became of a stick, and what to do; ``about`` and ``number`` as in StickTold."""
    match stick:
        case Stick.JOINED:
            remedy = _("set the board number") if number is None else _("board {n}", n=number)
            return NoticeView(_("in hall {hall}", hall=about[:ROOM]), remedy)
        case Stick.MISJOINED:
            what = _("hall file: {key}?", key=about[:SHORTER])
            return NoticeView(what, _("see WRONG.txt on it"), good=False)
    what, remedy = _STICK[stick]
    return NoticeView(what, remedy, stick in _GOOD)


def gone_at_ns(told: StickTold) -> int:
    """Return until when the notice is shown."""
    return told.at_ns + (WRITING_SHOWN_NS if told.stick is Stick.WRITING else SHOWN_NS)
