"""What a step may change: fields of the dialogue, of its timing and of the match, none required.

Python has no type for "some fields of that class", so the fields are repeated here and a type
checker can hold each change to its field. A test keeps the lists in step with the classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from jackspot.core.clock import MatchClock
from jackspot.core.match import Match
from jackspot.core.phrases import Phrase
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import Call, Gathered, Glance, TimeDue, Tried
from jackspot.dialogue.state.game import Game, Keeping, Line, Trust
from jackspot.dialogue.state.hall_state import HallState
from jackspot.dialogue.state.layers import Attract, FreePlay
from jackspot.dialogue.state.menu_kinds import Menu
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.question import Paused, Question
from jackspot.dialogue.state.timing import Asked, AwaitedShot, Down, LastEntry, Timing
from jackspot.dialogue.state.view import Phase, PreferencesView
from jackspot.sensing.events import FaultRaised, HallPlace, Shake


class DialogueChanges(TypedDict, total=False):
    """Fields of :class:`~jackspot.dialogue.state.dialogue_state.DialogueState`."""

    settings: DialogueSettings
    plan: Plan
    question: Question
    previous: Game | None
    waiting: tuple[FallGroup, ...]
    assumed: tuple[FallGroup, ...]
    parked: tuple[Proposal, ...]
    place: tuple[Piece, ...]
    fetch: tuple[Pocket | None, ...]
    take: tuple[Piece, ...]
    kept: Keeping | None
    lying: tuple[Piece, ...]
    missing: tuple[Piece, ...]
    history: Phase | Paused | None
    menu: Menu | None
    glance: Glance | None
    time_due: TimeDue | None
    armed: int | None
    called: Call | None
    preferences: PreferencesView
    origin: int
    configured: Plan
    tried: Tried
    over_ns: int | None
    note: Phrase
    faults: tuple[FaultRaised, ...]
    broken: tuple[Pocket, ...]
    details: bool
    gathered: Gathered | None
    objections: tuple[Seat, ...]
    entered_ns: int | None
    free: FreePlay | None
    attract: Attract | None
    dark: tuple[Pocket, ...]
    unseen: tuple[Pocket | None, ...]
    hall: HallState | None
    hall_place: HallPlace | None
    shakes: tuple[Shake, ...]
    fixable_until_ns: int | None
    timing: Timing


class GameChanges(TypedDict, total=False):
    """Fields of :class:`~jackspot.dialogue.state.game.Game`."""

    match: Match
    lines: tuple[Line, ...]
    undone: tuple[Line, ...]
    clock: MatchClock
    used: Mapping[int, int]
    order: int | None
    armed: bool
    trust: Trust


class TimingChanges(TypedDict, total=False):
    """Fields of :class:`~jackspot.dialogue.state.timing.Timing`."""

    now_ns: int
    sequence: int
    asked: Asked
    downs: tuple[Down, ...]
    touched_ns: int
    answered_ns: int
    clock_noted_ns: int
    last_entry: LastEntry | None
    last_undo: LastEntry | None
    still_ns: int
    shots_from_ns: int
    shot: AwaitedShot | None
