"""How a board is set to behave: who may decide, which buttons it has, how long things take."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.state.controls import every_button
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import PreferencesView
from jackspot.readings.evidence import Evidence
from jackspot.readings.shots import ShotModel
from jackspot.readings.spans import Spans
from jackspot.readings.usual import AS_PUBLISHED, Times
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import Button, Place
from jackspot.sensing.limits import Limits


class Confirm(StrEnum):
    """Whose OK, FIX, UNDO and menu count."""

    REFEREE = "referee"
    ANYONE = "anyone"
    OPPONENT = "opponent"


class Assistance(StrEnum):
    """What people have to press."""

    CONFIRM = "confirm"
    """Each stroke is confirmed."""
    ASSIST = "assist"
    """Readings that are sure enough enter themselves; doubtful ones are asked about."""
    FREE = "free"
    """A miss that was heard enters itself, too."""


class DialogueSettings(Struct, frozen=True):
    """How this board is set to behave; all times in nanoseconds.

    *falling* ends after ``settle_ns`` of quiet, or after ``settle_at_most_ns`` at the latest.
    ``stand_ns`` is how long a reading must have been shown when OK goes down, for OK to confirm it
    while pieces may still fall. An OK does nothing if what it answers changed less than
    ``changed_guard_ns`` before, by another hand or a sensor. After an entry the same OK is deaf for
    ``ok_deaf_ns``, and the other OKs for ``pass_guard_ns``. ``hold_ns`` is when a hold fires; a bar
    grows until then. ``places`` are where buttons are, ``buttons`` which ones there are.
    ``preferences`` is what the configuration says about the board itself, ``people`` the names to
    choose from, ``locked`` what nobody may change at the table.
    """

    confirm: Confirm = Confirm.ANYONE
    places: frozenset[Place] = frozenset(Place)
    buttons: frozenset[Button] = field(default_factory=every_button)
    settle_ns: int = 1_500_000_000
    settle_at_most_ns: int = 6 * SECOND_NS
    stand_ns: int = 500_000_000
    changed_guard_ns: int = 400_000_000
    ok_deaf_ns: int = 800_000_000
    pass_guard_ns: int = 3 * SECOND_NS
    undo_pair_ns: int = SECOND_NS
    hold_ns: int = Limits().hold_ns
    late_fall_ns: int = 5 * SECOND_NS
    clock_note_ns: int = 5 * SECOND_NS
    menu_idle_ns: int = 20 * SECOND_NS
    absent_ns: int = 10 * SECOND_NS
    """After this long without an answer any playing seat settles by holding OK."""
    unanswered_ns: int = 180 * SECOND_NS
    """When nobody has pressed for this long, everything that waits becomes one question."""
    hands: Assistance = Assistance.CONFIRM
    auto_confirm: float = 0.0
    """A reading this likely enters itself at the end of *falling*; 0: as ``hands`` says."""
    attract_ns: int = 120 * SECOND_NS
    """When nobody plays for this long, help pictures are shown over everything; 0: never."""
    abandoned_ns: int = 600 * SECOND_NS
    """The same in the middle of a match whose clock is not running down."""
    free_rest: bool = False
    """The board rests in free play, not in set-up."""
    widths: WidthModel = field(default_factory=WidthModel)
    further: tuple[Evidence, ...] = ()
    """What sensors other than the beams report about falls."""
    shots: ShotModel | None = None
    """What shots and other knocks are like here; None: the board has no discs to feel them."""
    times: Times = field(default_factory=lambda: AS_PUBLISHED)
    """What this board has learnt from its own strokes, where its owner allows it."""
    has_referees_page: bool = False
    """Referees can reach a page of the board from a phone."""
    made_its_pin: bool = False
    """The board made the PIN of that page itself, and can make another."""
    has_hotspot: bool = False
    """The board has a network of its own."""
    calibrates: bool = False
    """The board can be calibrated from its menu."""
    spans: Spans = field(default_factory=Spans)
    preferences: PreferencesView = field(default_factory=PreferencesView)
    name: str = ""
    """What the board is called; empty: nobody has given it a name."""
    people: tuple[str, ...] = ()
    locked: frozenset[Lock] = frozenset()
