"""Which lists there are, and the one that is open, as values.

Their lines, and what each item does, are in :mod:`jackspot.dialogue.lists`.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import Fall, Place


class MenuKind(StrEnum):
    """Which list is open."""

    MENU = "menu"
    EDIT = "edit"
    COUNTS = "counts"
    OWED = "owed"
    TURN = "turn"
    RESIGN = "resign"
    LATE = "late"
    """Was a fall after the end part of the last stroke?"""
    DARK = "dark"
    """Are pieces in this pocket to be entered by hand from now on?"""
    WHICH_DARK = "which_dark"
    """In which pocket did the beam miss pieces?"""
    DARK_POCKETS = "dark_pockets"
    """Which pockets are entered by hand."""
    GATHERED = "gathered"
    """One question for all that waits."""
    NAME_POCKET = "name_pocket"
    """Where did a piece that is entered by hand fall? The rules need to know."""
    TIME_OUT = "time_out"
    CALL = "call"
    """Which pocket is named for the jack?"""
    BANKED = "banked"
    """Did the jack come off a cushion?"""
    OPTIONS = "options"
    NAMES = "names"
    PEOPLE = "people"
    """Who sits at the seat that ``about`` names?"""
    HANDICAPS = "handicaps"
    HANDICAP = "handicap"
    """The handicaps of the side of the seat that ``about`` names."""
    PREFERENCES = "house"
    SENSORS = "sensors"
    REFEREE = "referee"
    """Where the referee's page is; the OLED shows its address and PIN."""
    HOTSPOT = "hotspot"
    """How phones join the board's own network; the OLED shows two codes, one per line."""
    RECORD = "record"
    """The match record as QR codes, one per line, which a display shows in turn."""
    RECORD_LARGE = "record_large"
    """The same, as more codes with larger dots."""
    HISTORY = "history"
    """Everything that was entered, newest first."""
    WITHOUT = "without"
    """Is an entry that is no stroke to be left out?"""
    KEEP = "keep"
    """Are the strokes after a change to be kept?"""
    STOPPED = "stopped"
    """What is to be done with a line that no longer fits?"""
    IMPOSSIBLE = "impossible"
    """More pieces are said to have left the board than were there: what was the mistake?"""
    KEPT = "kept"
    """Strokes that were ruled differently than before."""
    TOUCHED = "touched"
    """Nothing fell and the break is still to be made: was the group touched?"""
    FORGOTTEN = "forgotten"
    """Was what is owed not put back before the next turn began?"""
    WAIVED = "waived"
    """Does the opponent waive what is due?"""
    IN_TIME = "in_time"
    """People shot on before anybody said placed: was it put back before that?"""
    DEMAND = "demand"
    """Does the winner of the board ask for the extra point?"""
    HALL = "hall"
    """The hall, the board's number in it, and how to leave it."""
    NUMBER = "number"
    """The board's number in its hall; ``about`` has it digit by digit."""
    LEAVE = "leave"
    """Is the hall to be left?"""
    QUEEN = "queen"
    """Where is the queen?"""


class Menu(Struct, frozen=True):
    """A list that is open over the phase; only OK and FIX work it."""

    kind: MenuKind
    chosen: int = 0
    used_ns: int = 0
    """When it was last worked; it closes unchanged if idle for too long."""
    opener: Place | None = None
    falls: tuple[Fall, ...] = ()
    """For a question about falls: which falls."""
    pocket: Pocket | None = None
    """For a question about a pocket: which pocket."""
    about: str = ""
    """For a list about one seat: which seat; about earlier entries: their numbers."""
