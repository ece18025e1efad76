"""The board as everybody sees it: words and numbers, no pixels.

One :class:`BoardView` is made after every event that changes anything; each display draws
it in its own way. Proposed and confirmed things are in different fields, so that no display
can mix them up.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from jackspot.core.clock import SECOND_NS
from jackspot.core.directives import Entry, RedPlace
from jackspot.core.phrases import EMPTY, Phrase
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Departure, Flag
from jackspot.dialogue.state.hall_state import DeskCall
from jackspot.sensing.events import Button, HallPlace, Trouble
from jackspot.values import changed


class Phase(StrEnum):
    """What the board waits for in the dialogue with people."""

    SETUP = "setup"
    READY = "ready"
    FALLING = "falling"
    REVIEW = "review"
    PLACING = "placing"
    PAUSED = "paused"
    BOARD_OVER = "board_over"
    MATCH_OVER = "match_over"


class Sound(StrEnum):
    """What the buzzer plays."""

    TICK = "tick"
    """A fall."""
    AGAIN = "again"
    """A rising pair: shoot again."""
    PASS = "pass"
    """A falling pair: the turn passes."""
    FOUL = "foul"
    """Two low notes."""
    REFUSED = "refused"
    """A low beep: the press did nothing."""
    MINUTE = "minute"
    """One minute is left."""
    TEN_SECONDS = "ten_seconds"
    """Ten seconds are left."""
    SHOT_SOON = "shot_soon"
    """The shot clock runs out in five seconds."""
    SHOT_UP = "shot_up"
    """The shot clock has run out; nothing is judged by it."""
    HORN = "horn"
    """Time."""
    WIN = "win"
    """A board or match is over."""


class SideView(Struct, frozen=True):
    """One side: who plays it, and its counts."""

    side: Side
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    pocketed: int
    left: int
    owed: int
    points: int
    boards_won: int
    shoots: bool
    all_in: bool
    """All pucks are in: the jack may be played."""
    pieces: tuple[Piece, ...] = ()
    """The kinds it plays for: its colour, or every counter where sides own none."""
    board_points: int = 0
    """Of the running board, or of the one just finished, as the system counts."""
    game_points: int = 0
    """Of the running game, in systems that play games of several boards."""
    games_won: int = 0


class ReadingView(Struct, frozen=True):
    """One way to understand what was sensed, and what would follow from it."""

    what: Phrase
    """``RED NE``"""
    follows: Phrase
    """``shoot again``"""
    why: Phrase
    """``9 ms in NE``"""
    departures: tuple[Departure, ...]
    probability: float
    """0 to 1."""
    doubtful: bool
    """Low confidence: shown with a question mark."""
    ends_board: bool
    """Confirming needs OK held."""
    flags: frozenset[Flag] = frozenset()
    """What a referee has called."""
    stroke: bool = True
    """False: it was no stroke at all."""
    seat: Seat | None = None
    """Whose stroke it would be."""
    missed: tuple[Seat, ...] = ()
    """Seats that missed before it without anybody pressing; confirming records those misses too."""
    before: bool = False
    """It completes the stroke confirmed last and would replace it."""


class PlaceView(Struct, frozen=True):
    """Pieces of :attr:`BoardView.place` that go back to the same spot, bottom to top."""

    pieces: tuple[Piece, ...]
    by: Phrase
    """Who puts them there: ``BLACK``, ``umpire``; empty: anybody."""
    where: Phrase
    """``on the jack spot``, ``in the circle``"""


class QueuedKind(StrEnum):
    """Why something waits."""

    WAITS = "waits"
    """Falls that came while something else was open."""
    PARKED = "parked"
    """A proposal that UNDO put aside."""
    HAND = "hand"
    """Surely a hand: shown, not asked; the next OK settles it."""
    KEPT = "kept"
    """A later stroke that waits to be entered again after a correction."""


class QueuedView(Struct, frozen=True):
    """One thing that waits behind the current question."""

    kind: QueuedKind
    what: Phrase
    """Its likeliest reading as things stand: ``RED NE``."""
    why: Phrase
    probability: float
    """0 to 1; 1 where people said it."""
    pockets: tuple[Pocket, ...] = ()


class FreeView(Struct, frozen=True):
    """Free play: counts only, no turns, for visitors who just try the board."""

    counts: tuple[tuple[Piece, int], ...]
    """How many of each kind are in, pucks first."""
    last: Phrase = EMPTY
    """What the newest fall is taken for: ``RED NE``."""
    sure: bool = False
    """People have confirmed it; otherwise it is only the likeliest."""


class PreferencesView(Struct, frozen=True):
    """What people set for the board itself, not for the match."""

    language: str = "en"
    """``en``, ``de`` or ``ja``."""
    brightness: int = 100
    """Of the displays, per cent; 0: dark."""
    volume: int = 100
    """Of the buzzer, per cent; 0: silent."""


class ClockView(Struct, frozen=True):
    """The match clock. ``limit_ns`` 0 means that the match has none."""

    limit_ns: int = 0
    remaining_ns: int = 0
    running: bool = False
    as_of_ns: int = 0
    """The monotonic instant at which ``remaining_ns`` is true."""
    armed: bool = False
    """It waits for a common start: the next OK starts it."""

    def at(self, now_ns: int) -> ClockView:
        """Return the clock as it will be at an instant, if nobody stops it before."""
        if not self.running:
            return self
        left_ns = max(0, self.remaining_ns - (now_ns - self.as_of_ns))
        return changed(self, remaining_ns=left_ns, as_of_ns=now_ns)

    @property
    def ticks_at_ns(self) -> int | None:
        """When its digits change next; None: they do not."""
        if not self.running or not self.limit_ns or not self.remaining_ns:
            return None
        return self.as_of_ns + (self.remaining_ns - 1) % SECOND_NS + 1

    @property
    def shown(self) -> tuple[object, ...]:
        """What people see of it, whenever they look: equal where two clocks show the same."""
        if self.ticks_at_ns is not None:
            return (self.limit_ns, self.as_of_ns + self.remaining_ns)
        return (self.limit_ns, -(-self.remaining_ns // SECOND_NS), self.running, self.armed)


class FaultView(Struct, frozen=True):
    """A banner: what is wrong, and what to do."""

    part: str
    trouble: Trouble
    what: Phrase
    """At most 21 characters: one OLED line."""
    remedy: Phrase
    """At most 21 characters."""
    detail: str = ""
    """What was found, for whoever repairs it; it is not translated."""


class NoticeView(Struct, frozen=True):
    """Something to know, in two short lines; ``good``: nothing is wrong.

    ``everywhere``: it is a message of the hall's desk for every display, and has no second line.
    Otherwise it is only for people who are at the board.
    """

    what: Phrase
    remedy: Phrase = EMPTY
    good: bool = True
    everywhere: bool = False


class OrderState(StrEnum):
    """What has become of the match that a hall wants played here."""

    NONE = "none"
    OFFERED = "offered"
    SEATED = "seated"
    DECLINED = "declined"
    PLAYING = "playing"
    OVER = "over"


class HallView(Struct, frozen=True):
    """The board in a hall: the match that was ordered, and whether the desk is reached.

    ``order`` is its number; None: nothing is ordered, or people play without an order.
    """

    order: int | None = None
    state: OrderState = OrderState.NONE
    away: bool = False
    unsent: int = 0
    """Results that the desk does not have yet."""
    place: HallPlace = field(default_factory=HallPlace)
    """Which hall it is, and the board's number in it."""
    call: DeskCall | None = None
    """The desk is asked to come."""
    identified: int | None = None
    """The board's number, while the desk looks for this board."""
    alone: bool = True
    """That number may fill the whole display: nothing of a match is shown."""


class LastRuling(Struct, frozen=True):
    """The last ruling, by row id and in words, and the stroke that it judged."""

    rows: tuple[str, ...]
    words: Phrase
    seat: Seat
    departures: tuple[Departure, ...] = ()
    foul: bool = False


class HoldView(Struct, frozen=True):
    """A button that is held: a bar grows from 0.2 s to 1 s."""

    button: Button
    down_ns: int
    progress: float
    """0 to 1."""


class LineView(Struct, frozen=True):
    """What a page shows of one line of a list beside its words.

    ``does`` is what OK does there, empty where that is plain; ``held``: OK must be held.
    ``choices`` are the values it can be given at once, ``chosen`` is its current one.
    """

    does: Phrase = EMPTY
    held: bool = False
    does_held: Phrase = EMPTY
    """What holding OK does there, where that differs and has a key of its own."""
    locked: bool = False
    typed: bool = False
    """It takes what people type."""
    choices: tuple[Phrase, ...] = ()
    chosen: int | None = None


class MenuView(Struct, frozen=True):
    """A list to choose from: the menu, editing, or a question."""

    title: Phrase
    items: tuple[Phrase, ...]
    chosen: int
    """Index in ``items``."""
    question: bool = False
    """Yes or no: OK says yes to ``title``, FIX no."""
    note: Phrase = EMPTY
    """A remark about the last press, shown in place of the title."""
    kind: str = ""
    """Which list it is, whatever its title says: a value of the dialogue's ``MenuKind``."""
    lines: tuple[LineView, ...] = ()
    """The same lines as ``items``, with what a page can do there."""


class CalibrationView(Struct, frozen=True):
    """A calibration under way: how much of it is done, and what was measured.

    ``count`` and ``of`` count drops; where none are asked for, ``of`` is 0. ``progress`` is of the
    whole, 0 to 1. Where flicks are asked for, ``side`` is where from, and both count flicks.
    """

    progress: float
    count: int = 0
    of: int = 0
    widths_ns: tuple[int, ...] = ()
    """How long each counted drop broke the beam, in order."""
    last_ns: int | None = None
    """How long the last one did, counted or not."""
    refused: bool = False
    """The last one was not counted."""
    side: Seat | None = None
    felt: tuple[int, ...] = ()
    """How high the last flick was at discs N, E, S and W, counted or not; empty: none yet."""


class Written(Struct, frozen=True):
    """A match as its record writes it."""

    settings: MatchSettings
    entries: tuple[Entry, ...]


class BoardView(Struct, frozen=True):
    """Everything there is to show.

    ``sides`` keep their places for the whole match, whatever colours they play on this board;
    where a side is named, it is by its colour on this board. ``sequence`` only grows. ``ask``
    changes only when what a button means changes.
    ``headline`` is the one thing to know (``RED: shoot again``), ``detail`` a second line.
    ``ok`` and ``fix`` are what these buttons do now (empty: nothing). ``proposal`` is not
    confirmed; ``readings`` are the proposal and its alternatives, likeliest first.
    ``place`` is bottom to top. ``lit`` are pockets where something is falling.
    """

    sequence: int
    ask: int
    phase: Phase
    rules: RuleSystem
    board: int
    best_of: int
    sides: tuple[SideView, SideView]
    shooter: Seat | None
    red: RedPlace
    asked_by: Button | None = None
    """Whose press led to what is asked; None: a sensor or time did."""
    headline: Phrase = EMPTY
    detail: Phrase = EMPTY
    ok: Phrase = EMPTY
    fix: Phrase = EMPTY
    proposal: ReadingView | None = None
    readings: tuple[ReadingView, ...] = ()
    place: tuple[Piece, ...] = ()
    placing: tuple[PlaceView, ...] = ()
    """The same pieces by the spot where they go, and who puts them there."""
    hints: tuple[Phrase, ...] = ()
    """What else there is to know, the most urgent first; ``detail`` has some of it."""
    fetch: tuple[Pocket | None, ...] = ()
    """Pockets a striker must be fetched from; None: from where it fell."""
    waiting: int = 0
    """Further proposals behind the one shown."""
    lit: tuple[Pocket, ...] = ()
    clock: ClockView = field(default_factory=ClockView)
    shot: ClockView | None = None
    """The shot clock of the seat that is to shoot, where one is used: shown, never judged."""
    last: LastRuling | None = None
    faults: tuple[FaultView, ...] = ()
    hold: HoldView | None = None
    menu: MenuView | None = None
    winner: Side | None = None
    """Of the board in *board_over*, of the match in *match_over*; None: tied.

    By its colour on this board, as in ``sides``."""
    result_points: tuple[int, int] | None = None
    """Of the finished board or match, in the order of ``sides``."""
    lamps: frozenset[Seat] = frozenset()
    """Seats whose turn lamp is lit."""
    queue: tuple[QueuedView, ...] = ()
    """What waits, in the order in which it will be asked."""
    by_hand: tuple[Pocket, ...] = ()
    """Pockets whose beam is not to be trusted: what falls there is entered by hand."""
    free: FreeView | None = None
    """Free play instead of a match."""
    attract: int | None = None
    """Nobody plays: which help picture is shown over everything, 0 to 2."""
    preferences: PreferencesView = field(default_factory=PreferencesView)
    can: frozenset[str] = frozenset()
    """Presses that do something now: ``ok``, ``ok_held``, ``fix``, ``fix_held``, ``foul``..."""
    fix_held: Phrase = EMPTY
    """What holding FIX does now."""
    written: Written | None = None
    """The match so far, as its record writes it; None: there is none."""
    farewell: bool = False
    """The board is switching itself off. No view follows; displays that can keep this one do so."""
    record: str = ""
    """In *match_over*, the match record as text."""
    codes: tuple[str, ...] = ()
    """The match record as texts, one for each QR code, where they are to be shown."""
    code: int = 0
    """Which of them is shown now."""
    red_side: Side | None = None
    """The side that has the queen while it is pending or covered."""
    red_words: Phrase = EMPTY
    """Where the jack or queen is, in words: ``queen: cover now``."""
    on_board: tuple[tuple[Piece, int], ...] = ()
    """What must be on the board by the board's own count, strikers left out."""
    calibration: CalibrationView | None = None
    """The board is being calibrated: nothing of a match is shown."""
    notice: NoticeView | None = None
    """A passing message that is no fault, shown in place of a fault's two lines."""
    hall: HallView | None = None
    """The hall that the board is played in; None: it is in no hall."""
    name: str = ""
    """In *setup*, what the board is called; empty: nobody has given it a name."""
    game: int = 0
    """Which game of the match is played, from 1; 0: the system has boards only."""
    game_board: int = 0
    """Which board of that game, from 1."""

    def at(self, now_ns: int) -> BoardView:
        """Return the same view with its clocks as they will be at an instant."""
        shot = None if self.shot is None else self.shot.at(now_ns)
        return changed(self, clock=self.clock.at(now_ns), shot=shot)

    @property
    def ticks_at_ns(self) -> int | None:
        """When the digits of a clock change next; None: they do not."""
        clocks = (self.clock, self.shot)
        ticks = (each.ticks_at_ns for each in clocks if each is not None)
        return min((each for each in ticks if each is not None), default=None)
