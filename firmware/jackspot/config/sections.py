"""The tables of the config file except ``[pins]``: their keys, defaults and bounds.

Each value is checked on its own (:mod:`jackspot.settings.values`); what depends on two tables is
checked in :mod:`jackspot.config.model`. Durations are seconds in the file (``settle_s = 1.5``)
and integer nanoseconds in the program (``settle_ns``).
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from jackspot.dialogue.state.dialogue_settings import Assistance, DialogueSettings
from jackspot.dialogue.state.preferences import LANGUAGES, Lock
from jackspot.inputs.factory import GpioFactory
from jackspot.sensing.limits import Limits
from jackspot.settings.section import Section
from jackspot.settings.values import (
    Blink,
    Bus,
    Command,
    Debounce,
    Form,
    KeptPath,
    Logo,
    LongWait,
    Name,
    Names,
    Patience,
    Percent,
    Pin,
    Share,
    TcpPort,
    Text,
    Wait,
    Whole,
)
from jackspot.web.addresses import is_loopback


def _language(value: object) -> str:
    if not isinstance(value, str) or value not in LANGUAGES:
        *others, last = (f'"{each}"' for each in LANGUAGES)
        raise ValueError(f"{', '.join(others)} or {last}")
    return value


Language = Annotated[str, Form(_language)]
"""The language of the displays."""


class ConfirmSetting(StrEnum):
    """Whose OK, FIX, UNDO and menu count."""

    AUTO = "auto"
    """The referee's if there is a box, else anyone's."""
    REFEREE = "referee"
    ANYONE = "anyone"
    OPPONENT = "opponent"


class ClockStart(StrEnum):
    """When the clock of a board starts."""

    AT_ONCE = "at_once"
    """With the press that starts the match or the next board."""
    GONG = "gong"
    """With the first OK in *ready*: a common start for many boards."""


def _locks(value: object) -> frozenset[Lock]:
    """Return what is locked: the names in a list, or everything for true."""
    known = [lock.value for lock in Lock]
    if isinstance(value, frozenset):
        return value
    if isinstance(value, bool):
        return frozenset(Lock if value else ())
    if isinstance(value, list | tuple) and all(each in known for each in value):
        return frozenset(Lock(each) for each in value)
    raise ValueError(f"true, false or a list of {', '.join(known)}")


Locked = Annotated[
    frozenset[Lock],
    Form(_locks, lambda locks: sorted(lock.value for lock in locks)),
]
"""Settings that are locked."""


class BoardSection(Section, frozen=True):
    """``[board]``: what this board is called and how people talk to it."""

    name: Name = "Jackspot"
    """What the board is called."""
    language: Language = "en"
    """The language of the displays until people choose another."""
    confirm: ConfirmSetting = ConfirmSetting.AUTO
    """Whose presses count; auto: the referee's if there is a box, else anyone's."""
    free_play: bool = False
    """An idle board is in free play (counts only, no turns), not ready for a match."""
    brightness: Percent = 100
    """The displays' brightness in per cent, until people set another."""
    clock: ClockStart = ClockStart.AT_ONCE
    """Whether match clocks start with the board or wait, armed, for a common gong."""
    locked: Locked = frozenset()
    """What nobody may change at the table: names of settings, or true for all of them."""
    shutdown: Command = ()
    """The command to run once the board was shut down from its menu and everything is written;
    unset: the service switches the machine off."""


class PeopleSection(Section, frozen=True):
    """``[people]``: who may sit at the board."""

    names: Names = ()
    """Names to choose from in set-up."""
    forget_after_days: Annotated[int, Form(Whole(0, 36_500))] = 0
    """Names in the journal are removed automatically at this age, at the start and once a day while
    nobody plays; 0: never."""


_DIALOGUE, _LIMITS = DialogueSettings(), Limits()


class DialogueSection(Section, frozen=True):
    """``[dialogue]``: how long the board waits for pieces and fingers."""

    settle_ns: Wait = _DIALOGUE.settle_ns
    """How long it must be quiet for *falling* to end."""
    settle_at_most_ns: Wait = _DIALOGUE.settle_at_most_ns
    """*falling* ends after this at the latest."""
    stand_ns: Wait = _DIALOGUE.stand_ns
    """How long a reading must have been shown when OK goes down, to be confirmed in *falling*."""
    changed_guard_ns: Wait = _DIALOGUE.changed_guard_ns
    """A press does nothing if what it answers changed less than this before."""
    ok_deaf_ns: Wait = _DIALOGUE.ok_deaf_ns
    """How long the same OK does nothing after an entry."""
    pass_guard_ns: Wait = _DIALOGUE.pass_guard_ns
    """The same for other OKs, in *ready*, *board_over* and *match_over*."""
    undo_pair_ns: Wait = _DIALOGUE.undo_pair_ns
    """UNDO pressed at two buttons within this counts once."""
    hold_ns: Wait = _DIALOGUE.hold_ns
    """How long a button must be down to count as held."""
    late_fall_ns: Wait = _DIALOGUE.late_fall_ns
    """A fall within this may belong to the stroke before, or to the last stroke of a board."""
    menu_idle_ns: LongWait = _DIALOGUE.menu_idle_ns
    """A list that nobody uses for this long closes."""
    absent_ns: LongWait = _DIALOGUE.absent_ns
    """After this long without an answer, any playing seat settles by holding OK."""
    hands: Assistance = _DIALOGUE.hands
    """What people have to press: ``confirm`` each stroke; ``assist`` only where readings are not
    sure enough to enter themselves; ``free`` the same, and heard misses enter themselves."""
    auto_confirm: Share = _DIALOGUE.auto_confirm
    """Not a time: a reading this probable is entered automatically; 0: as ``hands`` says."""
    attract_ns: Patience = _DIALOGUE.attract_ns
    """Pictures of help appear when no match has been played for this long; 0: never."""


class SensingSection(Section, frozen=True):
    """``[sensing]``: where a signal ends and noise begins (:class:`Limits` says what each is)."""

    meant_by = Limits

    min_pulse_ns: Blink = _LIMITS.min_pulse_ns
    debounce_ns: Debounce = _LIMITS.debounce_ns
    join_ns: Blink = _LIMITS.join_ns
    blocked_ns: LongWait = _LIMITS.blocked_ns
    stuck_ns: LongWait = _LIMITS.stuck_ns


class GpioSection(Section, frozen=True):
    """``[gpio]``: the library and chip that reach the pins."""

    factory: GpioFactory = GpioFactory.LGPIO
    """The library that reaches the pins."""
    chip: Bus | None = None
    """lgpio only: the number in ``/dev/gpiochip0``; unset: the one of the Pi's model."""


class HistoryNames(StrEnum):
    """How the history's pages show players' names."""

    AUTO = "auto"
    """Whole names while only this machine itself reaches the pages, initials on the network:
    spectators see who plays now, but months of children's results are nobody's business."""
    SHOWN = "shown"
    INITIALS = "initials"


class WebSection(Section, frozen=True):
    """``[web]``: the pages on the network."""

    enabled: bool = True
    """Whether the board serves its pages."""
    host: Text = "127.0.0.1"
    """The address that the pages listen on; 0.0.0.0: the whole network."""
    port: TcpPort = 8080
    """The TCP port; 0: any free one."""
    pin: Pin | None = None
    """What referees sign in with on their page. Unset: on the network, one that the board makes and
    shows; on the machine itself, none. Empty: none, on the machine itself only."""
    history_names: HistoryNames = HistoryNames.AUTO
    """Whether the history shows whole names; auto: to this machine only."""
    event: Name | None = None
    """The event's name, shown above the score."""
    logo: Logo | None = None
    """The event's logo, an SVG or PNG file of at most 512 KiB."""

    @property
    def hides_names(self) -> bool:
        """Whether the history shows initials in place of names."""
        if self.history_names is not HistoryNames.AUTO:
            return self.history_names is HistoryNames.INITIALS
        return not is_loopback(self.host)


class HotspotSection(Section, frozen=True):
    """``[hotspot]``: the Wi-Fi network that ``jackspot hotspot`` makes."""

    name: Text | None = None
    """The network's name; unset: the board's name."""
    password: Text | None = None
    """8 to 63 characters; unset: generated at random, once."""


class StickSection(Section, frozen=True):
    """``[stick]``: what happens with USB sticks that are plugged in."""

    enabled: bool = True
    """Whether matches are written to sticks, with whole names, and a stick's file joins a hall."""


class JournalSection(Section, frozen=True):
    """``[journal]``: where every entry is kept."""

    path: KeptPath = Path("/var/lib/jackspot/journal.sqlite3")
    """The journal's file; its backups are beside it."""


class CalibrationSection(Section, frozen=True):
    """``[calibration]``: where this board's measurements are kept."""

    path: KeptPath = Path("/var/lib/jackspot/calibration.toml")
    """The file of the calibration."""


class LearntSection(Section, frozen=True):
    """``[learnt]``: what the board may learn from the strokes that people confirmed on it."""

    use: bool = False
    """Whether readings use it."""
    path: KeptPath = Path("/var/lib/jackspot/learnt.toml")
    """The file of what the board has learnt."""
