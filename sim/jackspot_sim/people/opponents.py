"""Computer players at the simulated table: hands that flick, and nothing else.

Like everybody they see from what the board shows whose turn it is and what has been entered. Then
they aim for a moment and flick. They leave buttons, pieces that go back and strikers in pockets to
the people at the table. A stroke that has been shot but not entered yet is not shot again, even
after a power cut in between (:mod:`jackspot_sim.table.turns`). If the jack needs a pocket that was
named beforehand and nobody has named one, the player names it before it shoots.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from jackspot.core.directives import Entry
from jackspot.core.match import Match, MatchState
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.dialogue.state.view import BoardView, Sound, Written
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.clock import SimClock
from jackspot_sim.physics.boards import board_of
from jackspot_sim.physics.players import FlickChoice, choose, must_call, task_of
from jackspot_sim.physics.values import Flick, Lying
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.running import Runs
from jackspot_sim.table.turns import Turn, turn_of

_logger = logging.getLogger(__name__)

CALLED = "called {pocket}"
"""How the board shows the pocket that was named for the stroke to come."""
AIMS_NS = 3_600_000_000
"""How long a computer player aims, so that people see whose turn it is."""
PLACES_NS = 700_000_000
"""How long it looks before it places the striker."""

_Stroke = tuple[Seat, tuple[Entry, ...]]
"""The next stroke: whose it is, and what had been entered before it."""


class Aiming(Struct, frozen=True):
    """What a computer player is about to do: visible to people, and done at ``shoots_ns``."""

    seat: Seat
    flick: Flick
    begun_ns: int
    shoots_ns: int


class Opponents:
    """The computer players at a table, as a display that looks and flicks.

    ``strengths`` says which seats they play, and how well; it may change at any time. ``runs``
    returns the shots of the table in play. ``changed`` is called when one takes aim. With a
    ``seed`` what they do follows only from what was entered; without one, from chance too.
    """

    name = "computer players"

    def __init__(
        self,
        clock: SimClock,
        strengths: Mapping[Seat, Strength],
        runs: Callable[[], Runs],
        changed: Callable[[], None] = lambda: None,
        seed: int | None = None,
    ) -> None:
        self._clock = clock
        self._strengths = strengths
        self._runs = runs
        self._changed = changed
        self._seed = seed
        self._view: BoardView | None = None
        self._aiming: _Stroke | None = None
        self._refused = 0
        self._called: Pocket | None = None
        self._aim: Aiming | None = None
        self._aimed_at: tuple[Lying, ...] = ()

    @property
    def aim(self) -> Aiming | None:
        """The shot that is being aimed; None while nobody has placed the striker."""
        aim, stroke = self._aim, self._aiming
        return None if stroke is None or self._to_shoot() != stroke else aim

    def play_for(self, strengths: Mapping[Seat, Strength]) -> None:
        """Play these seats from now on."""
        self._strengths = strengths
        self.look()

    @property
    def called(self) -> Pocket | None:
        """The pocket that a computer player has named for the jack, until another is to shoot."""
        return self._called

    def take_over(self, before: Opponents) -> None:
        """Take over what was named at this table before the power was cut."""
        self._called = before._called

    def start(self) -> None:
        """Begin to watch."""

    def post(self, view: BoardView) -> None:
        """See a view."""
        self._view = view
        self._runs().see(view)
        self.look()

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound; these players go by what they see."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop playing."""
        del timeout_s
        self._view = None
        return True

    def look(self) -> None:
        """Begin to aim if it is a computer player's turn and it has not shot yet."""
        stroke = self._to_shoot()
        if stroke is not None and stroke != self._aiming:
            self._aiming, self._refused, self._aim = stroke, 0, None
            self._called = self._call()
            self._clock.after(PLACES_NS, partial(self._take_aim, stroke))
            self._clock.after(AIMS_NS, partial(self._shoot, stroke))

    def _to_shoot(self) -> _Stroke | None:
        """Return the stroke that a computer player is to shoot now; None if it is to wait."""
        view = self._view
        if view is None or view.written is None or view.shooter is None:
            return None
        if view.menu is not None or view.waiting:
            return None
        runs = self._runs()
        turn = turn_of(
            view, self._strengths, has_shot=runs.has_shot(view), striker_lies=runs.striker_lies
        )
        aims = turn is Turn.COMPUTER_AIMS
        return (view.shooter, view.written.entries) if aims else None

    def _take_aim(self, stroke: _Stroke) -> None:
        """Place the striker and draw it back, for all to see."""
        runs = self._runs()
        if stroke != self._aiming or self._to_shoot() != stroke or runs.running:
            return
        now_ns, lying = self._clock.now_ns(), runs.lying()
        choice = self._choice(stroke)
        if choice is None:
            return
        shoots_ns = now_ns + AIMS_NS - PLACES_NS
        self._aim = Aiming(stroke[0], choice.flick, now_ns, shoots_ns)
        self._aimed_at = lying
        self._changed()

    def _choice(self, stroke: _Stroke) -> FlickChoice | None:
        view = self._view
        assert view is not None, "somebody looks"
        assert view.written is not None, "what has been entered is known"
        luck = view.sequence if self._seed is None else self._seed
        seed = f"{len(stroke[1])} {luck} {self._refused}"
        return self._choose(view.written, seed, _called_on(view) or self._called)

    def _shoot(self, stroke: _Stroke) -> None:
        """Shoot, if that is still to be done; aim anew if the shot is refused."""
        view, runs = self._view, self._runs()
        if stroke != self._aiming:
            return
        if self._to_shoot() != stroke or view is None or runs.running:
            self._aiming = None
            self.look()
            return
        seat, entered = stroke
        aim, self._aim = self._aim, None
        seen = aim is not None and self._aimed_at == runs.lying()
        try:
            choice = aim if aim is not None and seen else self._choice(stroke)
            if choice is not None:
                runs.flick(choice.flick, seat, entered)
        except CannotHappen as refused:
            if not self._refused:
                _logger.warning("a computer player cannot shoot, and aims anew: %s", refused)
            self._refused += 1
            self._clock.after(AIMS_NS, partial(self._shoot, stroke))
            return
        self._aiming = None

    def _call(self) -> Pocket | None:
        """Return the next shot's pocket if one must be named: the board's, or its own choice."""
        view = self._view
        assert view is not None, "somebody looks"
        assert view.written is not None, "somebody shoots"
        state, lying = folded(view.written), self._runs().lying()
        if not must_call(state, lying):
            return None
        jack = next((each for each in lying if each.piece is Piece.JACK), None)
        if view.detail.msgid == CALLED or jack is None:
            return _called_on(view)
        choice = self._choose(view.written, "call", None)
        if choice is None:
            return None
        board = board_of(state.settings.rules)
        nearest = min(Pocket, key=lambda each: math.dist(board.pocket_at(each), _at(jack)))
        return choice.pocket or nearest

    def _choose(self, written: Written, seed: str, called: Pocket | None) -> FlickChoice | None:
        """Choose a shot; None if the seat was given back to a person meanwhile."""
        state = folded(written)
        seat, runs = state.position.seat, self._runs()
        task = task_of(state, runs.lying(), first=runs.is_first(seat), called=called)
        strength = self._strengths.get(seat)
        return None if strength is None else choose(task, strength, seed)


def _called_on(view: BoardView) -> Pocket | None:
    """Return the pocket that was named on the board and is shown there."""
    named = dict(view.detail.blanks).get("pocket") if view.detail.msgid == CALLED else None
    return Pocket(named) if isinstance(named, str) else None


def _at(lying: Lying) -> tuple[float, float]:
    return lying.x_mm, lying.y_mm


def folded(written: Written) -> MatchState:
    """Return the state of a match from what has been entered."""
    match = Match.begin(written.settings)
    for entry in written.entries:
        match = match.enter(entry)
    return match.state
