"""The scorekeeper's desk: everything that is open, as one frozen value.

A desk holds the match with what was confirmed line by line, what is proposed and waits for
an OK, what must be placed, which menu is open, which faults there are, and what each button
that is down was asked. :mod:`jackspot.table.scorekeeper` turns one desk into the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from jackspot.core.clock import MatchClock
from jackspot.core.directives import Entry
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.table.controls import every_button
from jackspot.table.events import Button, Fall, FaultRaised, Place
from jackspot.table.house import Lock
from jackspot.table.phrases import EMPTY, Phrase
from jackspot.table.reading import Reading, WidthModel
from jackspot.table.spans import Spans
from jackspot.table.view import HouseView, Phase

SECOND_NS = 1_000_000_000

Hands = tuple[tuple[Pocket, float], ...]
"""For a pocket, how likely a fall there was a hand at the moment it came."""


class Confirm(StrEnum):
    """Whose OK, FIX, UNDO and menu count."""

    REFEREE = "referee"
    ANYONE = "anyone"
    OPPONENT = "opponent"


@dataclass(frozen=True, slots=True)
class Customs:
    """How this board is set to behave; all times in nanoseconds.

    ``settle_ns`` of quiet end *falling*, ``settle_at_most_ns`` at the latest.
    ``stand_ns`` is how long a reading must have stood before OK confirms it while pieces may
    still fall. An OK that answers something which changed less than ``changed_guard_ns``
    before by another hand or a sensor does nothing; after an entry the same OK is deaf for
    ``deaf_ns`` and the others' for ``pass_guard_ns``. ``hold_ns`` is when a hold fires, for
    the bar that grows until then. ``places`` are where buttons are, ``buttons`` which.
    ``house`` is what the configuration says of the board itself, ``people`` the names to choose
    from, ``locked`` what nobody may change at the table.
    """

    confirm: Confirm = Confirm.ANYONE
    places: frozenset[Place] = frozenset(Place)
    buttons: frozenset[Button] = field(default_factory=every_button)
    settle_ns: int = 1_500_000_000
    settle_at_most_ns: int = 6 * SECOND_NS
    stand_ns: int = 500_000_000
    changed_guard_ns: int = 400_000_000
    deaf_ns: int = 800_000_000
    pass_guard_ns: int = 3 * SECOND_NS
    undo_pair_ns: int = SECOND_NS
    hold_ns: int = SECOND_NS
    late_fall_ns: int = 5 * SECOND_NS
    clock_note_ns: int = 5 * SECOND_NS
    menu_idle_ns: int = 20 * SECOND_NS
    absent_ns: int = 10 * SECOND_NS
    """After so long without an answer any playing seat settles by holding OK."""
    unanswered_ns: int = 180 * SECOND_NS
    """When nobody pressed for so long, all that waits is one question."""
    auto_confirm: float = 0.0
    """A reading this likely settles itself at the end of *falling*; 0: none does."""
    attract_ns: int = 120 * SECOND_NS
    """When nobody plays for this long, pictures of help lie over the board; 0: never."""
    abandoned_ns: int = 600 * SECOND_NS
    """The same in the middle of a match whose clock does not run down."""
    free_rest: bool = False
    """The board rests in free play, not in set-up."""
    widths: WidthModel = field(default_factory=WidthModel)
    spans: Spans = field(default_factory=Spans)
    house: HouseView = field(default_factory=HouseView)
    people: tuple[str, ...] = ()
    locked: frozenset[Lock] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """What set-up proposes: a record's header as data, who plays, who shoots first.

    ``armed``: the clock of each board waits for a common gong.
    """

    header: Mapping[str, object] = field(
        default_factory=lambda: MappingProxyType({"rules": "hikone"})
    )
    lineup: tuple[Seat, ...] = (Seat.N, Seat.S)
    first: Seat = Seat.N
    armed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What one confirmation entered, and what it was made of: what one UNDO takes back.

    ``entries`` may be empty: the falls were no stroke.
    """

    entries: tuple[Entry, ...]
    falls: tuple[Fall, ...] = ()
    probability: float | None = None

    @property
    def stroke(self) -> Stroke | None:
        """The stroke of this line, if it has one."""
        return next((each for each in reversed(self.entries) if isinstance(each, Stroke)), None)

    @property
    def missed(self) -> tuple[Seat, ...]:
        """The seats that missed before the stroke, entered together with it."""
        strokes = [entry for entry in self.entries if isinstance(entry, Stroke)]
        return tuple(stroke.seat for stroke in strokes[:-1])


@dataclass(frozen=True, slots=True)
class Game:
    """A match on the board: its fold, its lines, what undo took back, its clock.

    ``clock`` is that of the running board; ``used`` keeps what the other boards used, in
    nanoseconds by board number, for when undo or redo comes back to them.
    """

    match: Match
    lines: tuple[Line, ...] = ()
    undone: tuple[Line, ...] = ()
    clock: MatchClock = field(default_factory=MatchClock)
    used: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Later:
    """A line that waits to be entered again after a change before it, and what it came to.

    ``board`` is the board it was entered on; ``began`` tells that it followed a finished board,
    ``ended`` that it ended one. ``rows`` is what was ruled and ``next`` who shot after it.
    ``placed`` are the pieces that people put back for it: they lie on the board.
    """

    line: Line
    board: int
    began: bool = False
    ended: bool = False
    rows: tuple[str, ...] = ()
    next: Seat | None = None
    placed: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Keeping:
    """Later lines that are entered again after a change further back.

    ``lines`` wait, the next one first; ``agreed``: people said to keep them. ``entered``
    counts those that stand again, ``differing`` are the numbers among the match's lines of
    those that were ruled otherwise than before.
    """

    lines: tuple[Later, ...]
    agreed: bool = False
    entered: int = 0
    differing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed and not yet confirmed.

    ``readings`` are the legal ones, likeliest first (for a reopened line what had been
    confirmed stands first); ``edited`` replaces the chosen reading's pieces when people
    changed them one by one. ``reopened`` is the line that UNDO took back to open this.
    ``hands`` says where a fall was likely a hand when these falls came, ``gap_ns`` how long
    after whatever came before. ``late`` tells that they came while something else was open
    or soon after an entry, ``before`` is then the last line, where they may have been part
    of its stroke: readings that ``joins`` replace it. ``spoke`` is a seat that pressed FIX.
    ``misses`` are seats of which people said in editing that they missed before ``seat``.
    """

    seat: Seat
    falls: tuple[Fall, ...]
    readings: tuple[Reading, ...]
    chosen: int = 0
    flags: frozenset[Flag] = frozenset()
    flown: tuple[Piece, ...] = ()
    called: Pocket | None = None
    edited: tuple[Departure, ...] | None = None
    opened_ns: int = 0
    changed_ns: int = 0
    reopened: Line | None = None
    hands: Hands = ()
    gap_ns: int | None = None
    late: bool = False
    before: Line | None = None
    dark: tuple[Pocket, ...] = ()
    """Pockets whose beams were not to be trusted when this was first read."""
    spoke: Seat | None = None
    misses: tuple[Seat, ...] = ()

    @property
    def reading(self) -> Reading:
        """The reading shown now."""
        return self.readings[self.chosen]

    @property
    def nothing_first(self) -> bool:
        """Whether of the plain readings the first is that nothing fell."""
        plain = next((each for each in self.readings if each.seat is None), None)
        return plain is not None and not plain.departures

    @property
    def is_stroke(self) -> bool:
        """Whether it is a stroke at all."""
        marked = self.edited is not None or bool(self.flags or self.flown)
        return marked or self.reading.stroke

    @property
    def departures(self) -> tuple[Departure, ...]:
        """All pieces that left the board, as proposed now."""
        fallen = self.reading.departures if self.edited is None else self.edited
        return (*fallen, *(Departure(piece, flew_off=True) for piece in self.flown_now))

    @property
    def flown_now(self) -> tuple[Piece, ...]:
        """What was marked as flown off, as it is for whoever shot as proposed now."""
        return self.reading.flown if self.flown and self.reading.seat else self.flown

    @property
    def joining(self) -> Stroke | None:
        """The stroke confirmed last, if the reading shown completes it."""
        joins = self.before is not None and self.reading.joins
        return self.before.stroke if joins and self.before is not None else None

    @property
    def shooter(self) -> Seat:
        """Whose stroke it is as proposed now."""
        return self.reading.seat or self.seat

    @property
    def missed(self) -> tuple[Seat, ...]:
        """The seats that missed before it without anybody pressing, as proposed now."""
        said = self.misses if self.reading.seat is None else self.reading.missed
        return said if self.is_stroke else ()

    def as_stroke(self, used_ns: int | None) -> Stroke:
        """Give the stroke that an OK would enter."""
        flags, called = self.flags, self.called
        if self.joining is not None:
            flags, called = flags | self.joining.flags, self.joining.called or called
        return Stroke(self.shooter, self.departures, flags, called, used_ns)


@dataclass(frozen=True, slots=True)
class Group:
    """Falls close together that wait because something else was open when they came.

    ``gap_ns`` is how long after whatever came before; None where that is not known.
    """

    falls: tuple[Fall, ...]
    hands: Hands = ()
    gap_ns: int | None = None


@dataclass(frozen=True, slots=True)
class TimeDue:
    """0:00 has come on ``board`` and ``! time`` is still to be entered.

    It follows the line with the number ``after`` where UNDO took it back; else it follows
    everything that began before ``zero_ns``. ``beams`` are those broken since before it,
    where what they see still counts; a power cut forgets them, for it forgets what they saw.
    """

    board: int
    zero_ns: int
    after: int | None = None
    beams: tuple[Pocket, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class FreeFall:
    """What was counted in free play for one fall, or by hand (``number`` 0).

    ``pieces`` are empty where it is taken for a hand. ``width_ns`` is its longest pulse.
    """

    number: int
    pocket: Pocket | None
    width_ns: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class FreePlay:
    """Free play: what was counted, oldest first; ``earlier`` are pieces of older falls.

    ``sure``: people have said that the newest is right, or what it was.
    """

    falls: tuple[FreeFall, ...] = ()
    earlier: tuple[Piece, ...] = ()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Attract:
    """Nobody plays: which picture of help is shown (from 0), and since when."""

    picture: int
    since_ns: int


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one question for all that waits says: of which falls, and what it comes to."""

    falls: tuple[int, ...]
    counts: tuple[tuple[Piece, int], ...]
    """Pieces out of play, by kind, if everything is taken as it reads likeliest."""
    ends_board: bool = False


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
    """Where did a piece fall that is entered by hand? The rules need it."""
    TIME_OUT = "time_out"
    CALL = "call"
    """Which pocket is named for the jack?"""
    BANKED = "banked"
    """Did the jack come by a cushion?"""
    OPTIONS = "options"
    NAMES = "names"
    PEOPLE = "people"
    """Who sits at the seat that ``about`` names?"""
    HANDICAPS = "handicaps"
    HANDICAP = "handicap"
    """The handicaps of the side of the seat that ``about`` names."""
    HOUSE = "house"
    SENSORS = "sensors"
    HISTORY = "history"
    """All that was entered, newest first."""
    WITHOUT = "without"
    """Is an entry that is no stroke to be left out?"""
    KEEP = "keep"
    """Are the strokes after a change to be kept?"""
    STOPPED = "stopped"
    """What is to be done with a line that has no place any more?"""
    IMPOSSIBLE = "impossible"
    """More is said to have left the board than was there: what was the mistake?"""
    KEPT = "kept"
    """What came out otherwise than before."""
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
    QUEEN = "queen"
    """Where is the queen?"""


@dataclass(frozen=True, slots=True)
class Menu:
    """A list that is open over the phase, worked by OK and FIX alone."""

    kind: MenuKind
    chosen: int = 0
    used_ns: int = 0
    """When it was last worked; idle too long closes it unchanged."""
    opener: Place | None = None
    falls: tuple[Fall, ...] = ()
    """For a question about falls: which."""
    pocket: Pocket | None = None
    """For a question about a pocket: which."""
    about: str = ""
    """For a list about one seat: which; about earlier entries: their numbers."""


@dataclass(frozen=True, slots=True)
class Call:
    """The pocket a seat named for its next stroke; it stands until that stroke is entered.

    ``strokes`` is how many had been entered when it was named.
    """

    seat: Seat
    strokes: int
    pocket: Pocket


@dataclass(frozen=True, slots=True)
class Shot:
    """The shot that is waited for, and since when: what the shot clock counts."""

    board: int
    strokes: int
    seat: Seat
    since_ns: int


@dataclass(frozen=True, slots=True)
class Tried:
    """What the sensor test saw: the last width in each pocket, the last button pressed."""

    widths_ns: Mapping[Pocket, int] = field(default_factory=lambda: MappingProxyType({}))
    button: Button | None = None


@dataclass(frozen=True, slots=True)
class Down:
    """A button that is down, and what it was asked when it went down."""

    button: Button
    down_ns: int
    ask: int
    fresh: bool
    """The question had only just changed by another hand or a sensor."""
    woke: bool = False
    """It woke the board from its pictures of help, and means nothing else."""
    held: bool = True
    """Still down."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question on the table: its token, and since when and by whom it stands."""

    token: int = 1
    since_ns: int = -SECOND_NS
    by: Button | None = None


@dataclass(frozen=True, slots=True)
class LastEntry:
    """When something was last entered or taken back, and by which button."""

    at_ns: int
    button: Button | None


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that is open. See the fields' own types."""

    customs: Customs
    plan: Plan
    phase: Phase = Phase.SETUP
    game: Game | None = None
    previous: Game | None = None
    proposal: Proposal | None = None
    waiting: tuple[Group, ...] = ()
    """Falls that came while something else was open: one group a proposal."""
    assumed: tuple[Group, ...] = ()
    """Falls that were surely a hand: shown, not asked; the next OK settles them."""
    parked: tuple[Proposal, ...] = ()
    """Fresh proposals that UNDO put aside; they come back."""
    place: tuple[Piece, ...] = ()
    fetch: tuple[Pocket | None, ...] = ()
    take: tuple[Piece, ...] = ()
    """In *placing*: what lies on the board for strokes that count no longer; it comes off."""
    kept: Keeping | None = None
    """Lines that wait to be entered again after a change before them."""
    lying: tuple[Piece, ...] = ()
    """Pieces that people put back for strokes that count no longer."""
    missing: tuple[Piece, ...] = ()
    """Pieces that kept strokes send back and that are still to be reckoned with."""
    history: Phase | None = None
    """The phase from which an entry was opened by the history: UNDO goes back there."""
    menu: Menu | None = None
    glance: bool = False
    """The power was off: before play goes on, people compare table and counts."""
    time_due: TimeDue | None = None
    """0:00 has come while a stroke was open, or its entry was taken back."""
    armed: int | None = None
    """The number of the board whose clock waits for the gong."""
    time_out: Side | None = None
    """Whose time-out the pause is."""
    called: Call | None = None
    """The pocket named for the stroke that is to come."""
    shot: Shot | None = None
    """Where a shot clock is played: the shot that is waited for."""
    house: HouseView = field(default_factory=HouseView)
    """What people set for the board itself."""
    origin: int = 0
    """The fingerprint of the plan that the configuration proposes."""
    tried: Tried = field(default_factory=Tried)
    """What the sensor test saw."""
    over_ns: int | None = None
    """When the board ended: a fall soon after may belong to the last stroke."""
    note: Phrase = EMPTY
    """A remark about the last press, until the next event that changes anything."""
    faults: tuple[FaultRaised, ...] = ()
    broken: tuple[Pocket, ...] = ()
    """Beams that are broken at this instant."""
    downs: tuple[Down, ...] = ()
    asked: Asked = field(default_factory=Asked)
    details: bool = False
    """What waits is asked one by one, though it is much: people chose so."""
    gathered: Gathered | None = None
    """What the one question for all that waits says, while it is open."""
    objections: tuple[Seat, ...] = ()
    """Seats that may not decide and pressed FIX, until what they object to is answered."""
    answered_ns: int = 0
    """When somebody who may decide last pressed anything."""
    entered_ns: int | None = None
    """When the last line was entered; None where it was not the last thing said."""
    last_entry: LastEntry | None = None
    last_undo: LastEntry | None = None
    clock_noted_ns: int = 0
    now_ns: int = 0
    """The latest instant that reached the desk."""
    sequence: int = 0
    free: FreePlay | None = None
    """Free play lies over set-up."""
    attract: Attract | None = None
    """Pictures of help lie over everything: nobody plays."""
    touched_ns: int = 0
    """When something was last pressed or fell."""
    dark: tuple[Pocket, ...] = ()
    """Pockets marked by people: the beam misses what falls there, they enter it by hand."""
    unseen: tuple[Pocket | None, ...] = ()
    """Of pieces entered by hand since a beam was last marked: the pockets, None not named."""

    @property
    def waits_for_gong(self) -> bool:
        """Whether the clock of the running board is armed: it waits for a common start."""
        return self.game is not None and self.armed == self.game.match.state.board
