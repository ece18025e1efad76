"""Computer players at the simulated table: hands that flick, and nothing else.

They look at the board as everybody does, in what it shows: whose turn it is and what has been
entered. Then they aim for a moment and flick. Buttons, pieces that go back and strikers in
pockets are left to the people at the table. A stroke that has been shot and not been entered yet
is not shot again, also after the power was cut meanwhile. Where the jack needs a pocket that was
named beforehand and nobody has named one, the player names it before it shoots.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from functools import partial

from jackspot.core.match import Match, MatchState
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.table.view import BoardView, Phase, Sound, Written
from jackspot_sim.clock import SimClock
from jackspot_sim.physics.boards import board_of
from jackspot_sim.physics.players import Choice, choose, must_call, task_of
from jackspot_sim.physics.values import Lying
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.running import Runs
from jackspot_sim.traffic.frequencies import Strength

_logger = logging.getLogger(__name__)

CALLED = "called {pocket}"
"""How the board shows the pocket that was named for the stroke to come."""
AIMS_NS = 3_600_000_000
"""How long a computer player aims, so that people see whose turn it is."""


class Opponents:
    """The computer players at a table, as a display that looks and flicks.

    ``strengths`` says which seats they play, and how well; it may change at any time. ``runs``
    gives the shots of the table that is played on now.
    """

    name = "computer players"

    def __init__(
        self,
        clock: SimClock,
        strengths: Mapping[Seat, Strength],
        runs: Callable[[], Runs],
    ) -> None:
        self._clock = clock
        self._strengths = strengths
        self._runs = runs
        self._view: BoardView | None = None
        self._shot = -1
        self._aiming: int | None = None
        self._called: Pocket | None = None

    @property
    def called(self) -> Pocket | None:
        """The pocket that a computer player has named for the jack, until another is to shoot."""
        return self._called

    def take_over(self, before: Opponents) -> None:
        """Know what was shot at this table before the power was cut."""
        self._shot, self._called = before._shot, before._called

    def start(self) -> None:
        """Begin to look."""

    def post(self, view: BoardView) -> None:
        """See a view."""
        self._view = view
        self.look()

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound; these players go by what they see."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop playing."""
        del timeout_s
        self._view = None
        return True

    def look(self) -> None:
        """Begin to aim if it is a computer player's turn and its shot has not been shot."""
        view = self._view
        if view is not None and view.phase is Phase.SETUP:
            self._shot = -1
        entered = self._entered()
        if entered is not None and entered != self._aiming:
            self._aiming = entered
            self._called = self._call()
            self._clock.after(AIMS_NS, partial(self._shoot, entered))

    def _entered(self) -> int | None:
        """Count what has been entered when it is a computer player's turn; else None."""
        view = self._view
        if view is None or view.written is None or view.shooter not in self._strengths:
            return None
        if view.phase is not Phase.READY or view.menu is not None or view.waiting:
            return None
        entered = len(view.written.entries)
        return entered if entered > self._shot else None

    def _shoot(self, entered: int) -> None:
        """Shoot, if that is still what is to be done."""
        self._aiming = None
        view = self._view
        if self._entered() != entered or view is None:
            self.look()
            return
        runs = self._runs()
        if runs.running:
            self.look()
            return
        assert view.written is not None, "what has been entered was counted"
        try:
            called = _called_on(view) or self._called
            choice = self._choose(view.written, f"{entered} {view.sequence}", called)
            runs.flick(choice.flick, view.shooter)
        except CannotHappen as refused:
            _logger.warning("a computer player does not shoot: %s", refused)
        self._shot = entered

    def _call(self) -> Pocket | None:
        """Give the pocket of the next shot, where one must be named: the board's, or an own."""
        view = self._view
        assert view is not None, "somebody looks"
        assert view.written is not None, "somebody shoots"
        state, lying = folded(view.written), self._runs().lying()
        if not must_call(state, lying):
            return None
        jack = next((each for each in lying if each.piece is Piece.JACK), None)
        if view.detail.msgid == CALLED or jack is None:
            return _called_on(view)
        meant = self._choose(view.written, "call", None).pocket
        board = board_of(state.settings.rules)
        nearest = min(Pocket, key=lambda each: math.dist(board.pocket_at(each), _at(jack)))
        return meant or nearest

    def _choose(self, written: Written, seed: str, called: Pocket | None) -> Choice:
        state = folded(written)
        seat, runs = state.position.seat, self._runs()
        task = task_of(state, runs.lying(), first=runs.is_first(seat), called=called)
        return choose(task, self._strengths[seat], seed)


def _called_on(view: BoardView) -> Pocket | None:
    """Give the pocket that was named on the board and is shown there."""
    named = dict(view.detail.blanks).get("pocket") if view.detail.msgid == CALLED else None
    return Pocket(named) if isinstance(named, str) else None


def _at(lying: Lying) -> tuple[float, float]:
    return lying.x_mm, lying.y_mm


def folded(written: Written) -> MatchState:
    """Give how a match stands, from what has been entered."""
    match = Match.begin(written.settings)
    for entry in written.entries:
        match = match.enter(entry)
    return match.state
