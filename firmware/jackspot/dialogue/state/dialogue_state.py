"""The scorekeeper's dialogue: everything that is open, as one frozen value.

With a match (:class:`InMatch`) a dialogue holds the match and what was confirmed, line by line.
It also holds what is asked and may wait for an OK, what must be placed, which menu is open, which
faults there are, and what each button that is down was asked.
:mod:`jackspot.dialogue.phases.scorekeeper` turns one state into the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from jackspot.core.order import MatchOrder
from jackspot.core.phrases import EMPTY, Phrase
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.game import Game, Keeping, Line
from jackspot.dialogue.state.hall_state import Answer, HallState
from jackspot.dialogue.state.layers import Attract, FreePlay
from jackspot.dialogue.state.menu_kinds import Menu
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.question import IN_SET_UP, Falling, Paused, Question, Review
from jackspot.dialogue.state.timing import Timing
from jackspot.dialogue.state.view import Phase, PreferencesView
from jackspot.sensing.events import Button, Fall, FaultRaised, HallPlace, Shake
from jackspot.values import IdentityKey, same


class TimeDue(Struct, frozen=True, eq=False):
    """0:00 has come on ``board`` and ``! time`` is still to be entered.

    It follows the line with the number ``after`` if UNDO took it back, otherwise everything that
    began before ``zero_ns``, and the falls with the numbers ``began``: those may have been timed by
    the clock of an earlier start. ``beams`` are the beams broken since before 0:00, where what they
    see still counts. A power cut forgets them, because it forgets what they saw, and its clock;
    so values for the same board and place are equal.
    """

    board: int
    zero_ns: int
    after: int | None = None
    beams: tuple[Pocket, ...] = ()
    began: tuple[int, ...] = ()

    def follows(self, fall: Fall) -> bool:
        """Whether a fall began before 0:00."""
        return fall.number in self.began or fall.start_ns < self.zero_ns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TimeDue) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, int | None]:
        return self.board, self.after


class Gathered(Struct, frozen=True):
    """What the one question for all that waits says: which falls it is about, and the counts."""

    falls: tuple[int, ...]
    counts: tuple[tuple[Piece, int], ...]
    """Pieces out of play, by kind, if everything is taken as its likeliest reading."""
    ends_board: bool = False


class Call(Struct, frozen=True):
    """The pocket a seat named for its next stroke; it holds until that stroke is entered.

    ``strokes`` is how many had been entered when it was named.
    """

    seat: Seat
    strokes: int
    pocket: Pocket


class Glance(StrEnum):
    """Why people are asked to compare table and counts."""

    POWER = "power"
    """The power was off, or the program had to put aside what was open."""
    MOVED = "moved"
    """The match was played at another board."""


class Tried(Struct, frozen=True):
    """What the sensor test saw: the last width in each pocket, the last button pressed."""

    widths_ns: Mapping[Pocket, int] = field(default_factory=lambda: MappingProxyType({}))
    button: Button | None = None


TAKES_ORDERS = frozenset({Phase.SETUP, Phase.MATCH_OVER})
"""Where a hall's order can be answered; an order never interrupts a match."""


class DialogueState(Struct, frozen=True):
    """Everything that is open; the fields say what. With a match it is :class:`InMatch`."""

    settings: DialogueSettings
    plan: Plan
    question: Question = IN_SET_UP
    previous: Game | None = None
    waiting: tuple[FallGroup, ...] = ()
    """Falls that came while something else was open, one group for each proposal."""
    assumed: tuple[FallGroup, ...] = ()
    """Falls that were surely a hand: shown, not asked; the next OK settles them."""
    parked: tuple[Proposal, ...] = ()
    """Fresh proposals that UNDO put aside; they come back."""
    place: tuple[Piece, ...] = ()
    fetch: tuple[Pocket | None, ...] = ()
    take: tuple[Piece, ...] = ()
    """In *placing*: pieces on the board for strokes that no longer count; they are taken off."""
    kept: Keeping | None = None
    """Lines that wait to be entered again after a change before them."""
    lying: tuple[Piece, ...] = ()
    """Pieces that people put back for strokes that no longer count."""
    missing: tuple[Piece, ...] = ()
    """Pieces that kept strokes send back and that are still to be accounted for."""
    history: Phase | Paused | None = None
    """The phase, or the pause, in which the history opened an entry: UNDO goes back there."""
    menu: Menu | None = None
    glance: Glance | None = None
    """Why people compare table and counts before play goes on; None: there is no reason."""
    time_due: TimeDue | None = None
    """0:00 has come while a stroke was open, or its entry was taken back."""
    armed: int | None = None
    """The number of the board whose clock waits for the gong."""
    called: Call | None = None
    """The pocket named for the next stroke."""
    preferences: PreferencesView = field(default_factory=PreferencesView)
    """What people set for the board itself."""
    origin: int = 0
    """The fingerprint of the plan that the configuration proposes."""
    configured: Plan = field(default_factory=Plan)
    """That plan."""
    tried: Tried = field(default_factory=Tried)
    """What the sensor test saw."""
    over_ns: int | None = None
    """When the board ended: a fall soon after may belong to the last stroke."""
    note: Phrase = EMPTY
    """A remark about the last press, until the next event that changes anything."""
    faults: tuple[FaultRaised, ...] = ()
    broken: tuple[Pocket, ...] = ()
    """Beams that are broken at this instant."""
    details: bool = False
    """The things that wait are asked one by one, although they are many: people chose so."""
    gathered: Gathered | None = None
    """What the one question for all that waits says, while it is open."""
    objections: tuple[Seat, ...] = ()
    """Seats that may not decide but pressed FIX, until what they object to is answered."""
    entered_ns: int | None = None
    """When the last line was entered; None where it was not the last thing said."""
    free: FreePlay | None = None
    """Free play is open over set-up."""
    attract: Attract | None = None
    """Help pictures are shown over everything: nobody plays."""
    dark: tuple[Pocket, ...] = ()
    """Pockets marked by people: the beam misses what falls there, and people enter it by hand."""
    unseen: tuple[Pocket | None, ...] = ()
    """The pockets of pieces entered by hand since a beam was last marked; None: not named."""
    hall: HallState | None = None
    """The hall that the board is played in; None: nothing heard from it yet, or there is none."""
    hall_place: HallPlace | None = None
    """Where the board is played; None: nobody has said, and nothing about it can be set."""
    shakes: tuple[Shake, ...] = ()
    """What has shaken the board since the last entry, where discs listen; a power cut loses it."""
    fixable_until_ns: int | None = None
    """Until when FIX rejects what has entered itself; None: nothing has, lately."""
    timing: Timing = field(default_factory=Timing)
    """What changes when nothing but time passes."""

    @property
    def phase(self) -> Phase:
        """The phase of the board."""
        return self.question.phase

    @property
    def proposal(self) -> Proposal | None:
        """What is proposed, in *falling* and in *review*."""
        return self.question.proposal if isinstance(self.question, Falling | Review) else None

    @property
    def game(self) -> Game | None:
        """The match on the board; None in set-up."""
        return None

    @property
    def by_itself(self) -> Line | None:
        """The line that has just entered itself, so that OK and FIX say whether it is right."""
        game = self.game
        if self.fixable_until_ns is None or game is None or self.phase is not Phase.READY:
            return None
        return game.lines[-1] if game.lines and game.lines[-1].alone and not game.undone else None

    @property
    def seated(self) -> bool:
        """Whether those whom the hall's order calls have said that they are here."""
        return self.hall is not None and self.hall.answer is Answer.SEATED

    @property
    def offered(self) -> MatchOrder | None:
        """The hall's order that is to be answered now: before a match, or once one is over."""
        if self.hall is None or self.free is not None or self.phase not in TAKES_ORDERS:
            return None
        return self.hall.offered

    @property
    def moved_to(self) -> int | None:
        """The number of the board at which the desk says this match goes on; None: here."""
        moved = self.hall.moved if self.hall is not None else None
        if moved is None or self.game is None or self.phase is Phase.MATCH_OVER:
            return None
        return moved.board if self.game.order == moved.order else None

    @property
    def waits_for_gong(self) -> bool:
        """Whether the running board's clock is armed: it waits for a common start."""
        state = self.game.match.state if self.game is not None else None
        return state is not None and self.armed == state.board and state.result is None


class InMatch(DialogueState, frozen=True, kw_only=True):
    """Everything that is open while a match is on the board."""

    game: Game


def with_game(dialogue: DialogueState, game: Game) -> InMatch:
    """Put a match on a board that has none."""
    return InMatch(*_parts(dialogue), game=game)


def without_game(dialogue: DialogueState) -> DialogueState:
    """Take the match off the board."""
    return DialogueState(*_parts(dialogue))


_parts: Callable[[DialogueState], Any] = attrgetter(*DialogueState.__struct_fields__)
_still_parts: Callable[[DialogueState], tuple[object, ...]] = attrgetter(
    *(each for each in InMatch.__struct_fields__ if each != "timing")
)


def only_time_passed(before: DialogueState, after: DialogueState) -> bool:
    """Whether two states differ in their timing alone, if at all.

    Everything that needs to know whether anything changed asks this. It compares by identity, so it
    may return False for states that are equal; then something is only computed once more.
    """
    return same(_still_parts(before), _still_parts(after))


class StateKey(IdentityKey):
    """A state without its timing, as a key: two are equal if only time passed between them."""

    __slots__ = ("dialogue",)

    def __init__(self, dialogue: DialogueState) -> None:
        super().__init__(_still_parts(dialogue))
        self.dialogue = dialogue
