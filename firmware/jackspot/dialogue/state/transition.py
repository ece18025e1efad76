"""One step of the dialogue between people and board, while it is being taken.

A :class:`Transition` starts from a dialogue and an instant. It gathers what changes, what must be
written down and which sounds are due, and ends as a new dialogue with its effects. It lives no
longer than one call of :func:`jackspot.dialogue.phases.scorekeeper.step`, so the scorekeeper stays
a function of values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import MappingProxyType
from typing import Generic, Literal, TypeAlias, TypeGuard, TypeVar, Unpack

from jackspot.core.clock import MatchClock
from jackspot.core.directives import Entry, Say, Saying
from jackspot.core.match import Match
from jackspot.core.phrases import EMPTY, Phrase
from jackspot.core.record import write_entry
from jackspot.dialogue.state.changes import DialogueChanges, GameChanges, TimingChanges
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch, with_game
from jackspot.dialogue.state.entries import EntryKind, JournalEntry, Json
from jackspot.dialogue.state.game import Game, Line
from jackspot.dialogue.state.plans import Plan, of_nobody
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.question import AtRest, Falling, Paused, RestingPhase, Review
from jackspot.dialogue.state.timing import LastEntry
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import Button, Fall
from jackspot.values import changed

StateT_co = TypeVar("StateT_co", bound=DialogueState, covariant=True)


class TransitionOf(Generic[StateT_co]):
    """The dialogue as it changes in this step, and the effects so far."""

    def __init__(self, dialogue: StateT_co, now_ns: int, button: Button | None = None) -> None:
        self.dialogue = dialogue
        self.now_ns = now_ns
        self.button = button
        self.down_ns = now_ns
        self.records: list[JournalEntry] = []
        self.sounds: list[Sound] = []

    @property
    def game(self: MatchTransition) -> Game:
        """The match on the board."""
        return self.dialogue.game

    def change(self, **fields: Unpack[DialogueChanges]) -> None:
        """Change fields of the dialogue; values that are already set make no new dialogue."""
        dialogue = self.dialogue
        for name, value in fields.items():
            if getattr(dialogue, name) is not value:
                self.dialogue = changed(dialogue, **fields)
                return

    def change_timing(self, **fields: Unpack[TimingChanges]) -> None:
        """Change only instants; values that are already set make no new dialogue."""
        timing = self.dialogue.timing
        for name, value in fields.items():
            if getattr(timing, name) is not value:
                self.dialogue = changed(self.dialogue, timing=changed(timing, **fields))
                return

    def change_game(self: MatchTransition, **fields: Unpack[GameChanges]) -> None:
        """Change fields of the match on the board."""
        self.put(changed(self.game, **fields))

    def put(self: MatchTransition, game: Game) -> None:
        """Replace the state of the match.

        In a match by gong, another board waits for its gong until its clock has run.
        """
        board, before = game.match.state.board, self.game.match.state.board
        self.dialogue = changed(self.dialogue, game=game)
        if board != before and game.armed:
            self.change(armed=board if game.clock.limit_ns and not game.clock.used_ns else None)

    def record(self, kind: EntryKind, **body: Json) -> None:
        """Write an entry."""
        self.records.append(JournalEntry(kind, self.now_ns, body))

    def sound(self, sound: Sound) -> None:
        """Let a sound be heard; each sound at most once per step."""
        if sound not in self.sounds:
            self.sounds.append(sound)

    def refuse(self, why: Phrase, detail: str = "") -> None:
        """Let a press do nothing but a low beep, journaled and shown.

        ``detail`` is journaled in place of what is shown, where there is more to say.
        """
        self.sound(Sound.REFUSED)
        self.change(note=why)
        self.note_swallowed(detail or why)

    def note_swallowed(self, why: Phrase | str) -> None:
        """Write down that a press did nothing."""
        if self.button is not None:
            self.record(EntryKind.SWALLOWED, wire=self.button.wire, why=str(why))

    def mark_entry(self) -> None:
        """Remember that something was entered just now, and by which button."""
        if self.button is not None:
            self.change_timing(last_entry=LastEntry(self.now_ns, self.button))
        self.change(note=EMPTY)
        self.settle_hands(self.dialogue.assumed)

    def settle_hands(self, groups: Collection[FallGroup]) -> None:
        """Write down that hands were hands, and that the strikers they fetched are fetched."""
        falls = [fall for group in groups for fall in group.falls]
        if falls:
            self.record(EntryKind.CLEARING, falls=[fall.number for fall in falls])
            pockets = {fall.pocket for fall in falls}
            left = tuple(pocket for pocket in self.dialogue.fetch if pocket not in pockets)
            assumed = tuple(each for each in self.dialogue.assumed if each not in groups)
            self.change(assumed=assumed, fetch=left)

    def enter(
        self: MatchTransition, entries: tuple[Entry, ...], falls: tuple[Fall, ...] = (),
        probability: float | None = None, *, kept: bool = False,
    ) -> None:  # fmt: skip
        """Enter a line: what one confirmation says. What UNDO took back can no longer be put back.

        A line that is ``kept`` was entered before: the board it begins has its own clock. A line
        with a probability that nobody pressed for has entered itself.
        """
        match = self.game.match
        for entry in entries:
            match = match.enter(entry)
        chance = None if probability is None else round(probability, 4)
        alone = chance is not None and self.button is None and not kept
        line = Line(entries, falls, chance, alone)
        game = with_match(self.game, match, self.now_ns, fresh=not kept)
        self.put(with_line(game, line, kept=kept))
        self.change(entered_ns=self.now_ns)
        rows = match.state.ruling.rows if line.stroke and match.state.ruling else ()
        again: dict[str, Json] = {"kept": True} if kept else {}
        self.record(
            EntryKind.LINE,
            entries=[write_entry(entry) for entry in entries],
            falls=[fall.number for fall in falls],
            rows=list(rows),
            probability=chance,
            by=self.button.wire if self.button else None,
            **again,
        )
        self.mark_entry()

    def join(self: MatchTransition, entry: Entry) -> None:
        """Add an entry to the last line, so that one UNDO takes both back."""
        if not self.game.lines:
            self.enter((entry,))
            return
        last = self.game.lines[-1]
        joined = changed(last, entries=(*last.entries, entry))
        self.change_game(
            match=self.game.match.enter(entry), lines=(*self.game.lines[:-1], joined), undone=()
        )
        self.record(EntryKind.JOIN, entries=[write_entry(entry)])

    def stop_clock(self: MatchTransition, at_ns: int | None = None) -> None:
        """Stop the match clock, or stop it as of an earlier instant where one is given."""
        self.change_game(clock=self.game.clock.stopped(self.now_ns if at_ns is None else at_ns))

    def start_clock(self: MatchTransition) -> None:
        """Let the match clock run on.

        It does not start when it is up, before people have compared the counts where they are
        asked to (``glance``), or before the gong.
        """
        clock = self.game.clock
        if self.dialogue.glance or clock.running or clock.is_up_at(self.now_ns):
            return
        if self.dialogue.waits_for_gong:
            return
        self.change_game(clock=clock.started(self.now_ns))
        self.change_timing(clock_noted_ns=self.now_ns)

    def begin_clock(self: MatchTransition) -> None:
        """Start the clock of a board that begins, or let it wait for the gong where that is set."""
        waits = self.game.armed and self.game.clock.limit_ns > 0
        self.change(armed=self.game.match.state.board if waits else None)
        self.start_clock()

    def review(self, proposal: Proposal) -> None:
        """Open the review of a proposal."""
        self.change(question=Review(proposal))

    def propose(self, proposal: Proposal) -> None:
        """Change what is proposed; while pieces fall the phase stays *falling*."""
        falling = isinstance(self.dialogue.question, Falling)
        self.change(question=Falling(proposal) if falling else Review(proposal))

    def drop(self) -> None:
        """Stop proposing anything, on the way to another phase."""
        if self.dialogue.proposal is not None:
            self.go(Phase.READY)

    def go(self, phase: RestingPhase | Literal[Phase.PAUSED]) -> None:
        """Go to a phase in which nothing is proposed; if the board is in it already, it stays."""
        if phase is not self.dialogue.phase:
            self.change(question=Paused() if phase is Phase.PAUSED else AtRest(phase))


Transition: TypeAlias = TransitionOf[DialogueState]
"""A step with or without a match on the board."""

MatchTransition: TypeAlias = TransitionOf[InMatch]
"""A step in a match. If it takes the match off the board, that is the last thing it does."""


def plays(transition: Transition) -> TypeGuard[MatchTransition]:
    """Whether a match is on the board."""
    return isinstance(transition.dialogue, InMatch)


def take_up(transition: Transition, game: Game, then: Callable[[MatchTransition], None]) -> None:
    """Put a match on the board, and go on with it."""
    transition.dialogue = with_game(transition.dialogue, game)
    if plays(transition):
        then(transition)


def plan_so(transition: Transition, plan: Plan) -> None:
    """Plan this; if others are to play than an order has seated, it is asked about again."""
    before = transition.dialogue.plan
    transition.change(plan=plan)
    if set(plan.lineup) != set(before.lineup):
        unseat(transition)


def unseat(transition: Transition) -> None:
    """Leave the seats to anyone, if the people of an order had them; nobody has answered it."""
    hall = transition.dialogue.hall
    if hall is not None and transition.dialogue.seated:
        transition.change(hall=changed(hall, number=None, answer=None))
        plan_for_anyone(transition)


def plan_for_anyone(transition: Transition) -> None:
    """Plan no longer for the people of an order."""
    dialogue = transition.dialogue
    plan = of_nobody(dialogue.plan, dialogue.configured, dialogue.settings.locked)
    transition.change(plan=plan)


def with_match(game: Game, match: Match, now_ns: int, *, fresh: bool) -> Game:
    """Replace a game's match; another board has another clock.

    The clock of the board that is left is kept. The board that is entered has the clock it had,
    stopped; if it begins with a ``fresh`` entry, it has a whole clock.
    """
    left, board = game.match.state.board, match.state.board
    if left == board:
        return changed(game, match=match)
    used = {**game.used, left: game.clock.used_at(now_ns)}
    clock = MatchClock(game.clock.limit_ns, 0 if fresh else used.get(board, 0))
    others = {number: each for number, each in used.items() if number != board}
    return changed(game, match=match, clock=clock, used=MappingProxyType(others))


def with_line(game: Game, line: Line, *, kept: bool) -> Game:
    """Add a line whose entries the match already has; nothing can be put back any more.

    A word takes no stroke's place: what was taken back before it waits, and may come back.
    """
    next_stroke = kept or all(each.is_word for each in game.undone)
    if line.is_word:
        game = changed(game, trust=game.trust.behind_a_word(game.undone))
    elif not kept:
        game = left_out(game)
    trust = game.trust.with_line(line, next_stroke=next_stroke)
    return changed(game, lines=(*game.lines, line), undone=(), trust=trust)


def left_out(game: Game) -> Game:
    """Drop for good what was taken back."""
    return changed(game, undone=(), trust=game.trust.without(game.undone))


def agreed(game: Game) -> Game:
    """Mark the last line, which entered itself, as confirmed by people."""
    return changed(game, lines=(*game.lines[:-1], changed(game.lines[-1], alone=False)))


def line_put_back(game: Game, now_ns: int = 0) -> Game:
    """Put back the line that was taken back last."""
    line = game.undone[-1]
    game = with_match(game, put_back(game.match, line), now_ns, fresh=False)
    return changed(game, lines=(*game.lines, line), undone=game.undone[:-1])


def without_last(game: Game, count: int) -> Game:
    """Undo the last ``count`` entries of the last line; the rest of it, if any, stays."""
    match = game.match
    for _entry in range(count):
        match = match.undo()
    last = game.lines[-1]
    shorter = changed(last, entries=last.entries[: len(last.entries) - count])
    left = (shorter,) if shorter.entries or shorter.falls else ()
    return changed(game, match=match, lines=(*game.lines[:-1], *left))


def taken_back(match: Match, line: Line) -> Match:
    """Undo every entry of a line."""
    for _entry in line.entries:
        match = match.undo()
    return match


def put_back(match: Match, line: Line) -> Match:
    """Enter every entry of a line again."""
    for entry in line.entries:
        match = match.enter(entry)
    return match


TIME = Say(Saying.TIME)
PLACED = Say(Saying.PLACED)
NEXT_BOARD = Say(Saying.BOARD)


def holds_a_stroke(line: Line) -> bool:
    """Whether a line is a stroke, or the end of time, before which one may have been shot."""
    return line.stroke is not None or TIME in line.entries
