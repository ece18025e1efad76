"""What is wrong with the board, in words: two short lines, what it is and what to do.

A part has the name that people know: a pocket, a button of a place, the sensor hub. A part
without such a name has the one in the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.view import FaultView
from jackspot.sensing.events import Button, FaultRaised, Key, Place, Trouble, beam_wire

_POCKETS = {beam_wire(pocket): pocket for pocket in Pocket}
_BUTTONS = {each.wire: each for each in (Button(place, key) for place in Place for key in Key)}

_FAULTS: Mapping[Trouble, tuple[Phrase, Phrase]] = {
    Trouble.BLOCKED: (_("{part} blocked"), _("clear it, FIX: enter")),
    Trouble.CHATTER: (_("{part} flickers"), _("shade it, FIX: enter")),
    Trouble.STUCK: (_("{part} is stuck"), _("use another button")),
    Trouble.GONE: (_("{part} is gone"), _("check its cable")),
    Trouble.IN_USE: (_("{part} in use"), _("stop other program")),
    Trouble.REFUSED: (_("{part} no access"), _("run jackspot doctor")),
    Trouble.DISK: (_("disk: not saved"), _("run jackspot doctor")),
    Trouble.SET_ASIDE: (_("{part} set aside"), _("check log and score")),
    Trouble.LOST: (_("{part} skipped"), _("compare the counts")),
    Trouble.UNREAD: (_("{part} has gaps"), _("check log and score")),
    Trouble.MISFIT: (_("{part} mismatch"), _("calibrate again")),
    Trouble.TWICE: (_("{part} used twice"), _("set another number")),
    Trouble.GARBLED: (_("{part} garbled"), _("check its cable")),
    Trouble.TORN: (_("{part} cut off"), _("check its cable")),
    Trouble.REPEATED: (_("{part} repeats"), _("plug it in again")),
    Trouble.CLOCK: (_("{part} clock off"), _("plug it in again")),
    Trouble.RIVAL: (_("{part} twice"), _("unplug one of them")),
    Trouble.VERSION: (_("{part} version"), _("load its program")),
    Trouble.DEFECT: (_("{part} defect"), _("run jackspot doctor")),
    Trouble.OVERFLOW: (_("too fast: check"), _("compare the counts")),
}


_DISK: Mapping[str, tuple[Phrase, Phrase]] = {
    "disk full": (_("disk full: not saved"), _("free space on disk")),
    "disk read-only": (_("read-only: not saved"), _("check card, restart")),
    "disk error": (_("disk error: not saved"), _("check the memory card")),
}
"""What is wrong with a disk, by its fault's detail, where more is known than that it is faulty."""


def fault_view(fault: FaultRaised) -> FaultView:
    """Say what is wrong and what to do."""
    what, remedy = _FAULTS[fault.trouble]
    if fault.trouble is Trouble.DISK:
        what, remedy = _DISK.get(fault.detail, (what, remedy))
    words = Phrase(what.msgid, (("part", part_word(fault.part)),))
    return FaultView(fault.part, fault.trouble, words, remedy, fault.detail)


def part_word(part: str) -> Phrase | str:
    """Name a part: ``pocket NE``, ``referee UNDO``."""
    if part in _POCKETS:
        return _("pocket {pocket}", pocket=_POCKETS[part].value)
    if part in _BUTTONS:
        return button_word(_BUTTONS[part])
    return _PARTS.get(part, part.replace("_", " "))


_PARTS: Mapping[str, Phrase] = {
    "sensor_hub": _("sensor hub"),
    "alpha_sign": _("alpha sign"),
    "journal": _("journal"),
    "matrix": _("matrix"),
    "buzzer": _("buzzer"),
    "lamps": _("lamps"),
}
"""Parts that have a name in each language; others go by their name in the configuration."""


def button_word(button: Button) -> Phrase:
    """Name a button: ``referee UNDO``, ``N OK``."""
    return _("{place} {key}", place=place_word(button.place), key=button.key.value.upper())


def place_word(place: Place) -> Phrase | str:
    """Name where a button is: a seat by its letter, the referee's box, a page."""
    return _PLACES.get(place, place.value)


_PLACES: Mapping[Place, Phrase] = {Place.REFEREE: _("referee"), Place.PAGE: _("page")}
