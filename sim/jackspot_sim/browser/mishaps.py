"""What usually goes wrong at a table, as hands, pieces and wires do it.

Each mishap is a few actions on the simulated table at instants of its own clock. The only thing
it reads from the board's view is who is to shoot, which people at the table know too. It presses
real buttons and breaks real beams, and the firmware cannot tell it from an evening among friends.
The pocket it happens at goes round the board, so that each evening is the same.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping
from types import MappingProxyType

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.state.dialogue_settings import Confirm
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.dialogue.words.wording import piece_name
from jackspot.sensing.events import Button, Key, Place, beam_wire
from jackspot_sim.boards.rig import Rig
from jackspot_sim.browser.control import Mishap
from jackspot_sim.chance.pulses import MS, Manner
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.table import SimTable

_logger = logging.getLogger(__name__)

BETWEEN_STROKES_NS = 4_000 * MS
"""From one stroke to the next, of people who do not wait for the board."""
HANGS_NS = 2_000 * MS
"""How long after the OK for a miss a piece drops that had hung on the edge."""
AGAIN_NS = 350 * MS
"""From a press to the same finger's next."""
TOGETHER_NS = 120 * MS
"""Between the presses of two people who both answer the same thing."""

NOT_PLAYING = frozenset({Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER})
"""Phases in which nobody shoots."""


class Mishaps:
    """Lets things go wrong at one rig. ``view`` returns what the board shows now."""

    def __init__(self, rig: Rig, view: Callable[[], BoardView | None]) -> None:
        self._rig = rig
        self._table: SimTable = rig.table
        self._view = view
        self._pockets = itertools.cycle(Pocket)

    def happen(self, mishap: Mishap) -> None:
        """Begin a mishap; raise CannotHappen, with the reason, if the table does not allow it."""
        if mishap not in HOW:
            raise CannotHappen(
                _("{mishap} does not happen at the table itself", mishap=mishap.value)
            )
        HOW[mishap](self)

    def shoot_on(self) -> None:
        """Let the shooter pocket three own pucks, a stroke each, without a press."""
        piece = self._piece(shooter=True, at_least=3)
        for stroke in range(3):
            self._drop(self._next(), piece, after_ns=stroke * BETWEEN_STROKES_NS)

    def forgotten_press(self) -> None:
        """Let the shooter miss, and the next seat pocket a puck, without a press between."""
        self._drop(self._next(), self._piece(shooter=False), after_ns=BETWEEN_STROKES_NS)

    def late_fall(self) -> None:
        """Let somebody press OK for a miss, and a puck that had hung on the edge drop."""
        if self._playing().phase is not Phase.READY:
            raise CannotHappen(_("a late fall follows a stroke; settle what is open first"))
        piece, passes = self._piece(shooter=True), self._ok()
        self._table.press(passes)
        self._drop(self._next(), piece, after_ns=HANGS_NS)

    def tumble(self) -> None:
        """Let a puck turn over in the beam."""
        self._table.drop(self._next(), [self._piece(shooter=True)], Manner.TUMBLING)

    def two_at_once(self) -> None:
        """Let two pucks fall one on the other."""
        piece = self._piece(shooter=True, at_least=2)
        self._table.drop(self._next(), [piece, piece], Manner.DOUBLE)

    def beside_beam(self) -> None:
        """Let a puck fall past the beam."""
        self._table.drop(self._next(), [self._piece(shooter=True)], Manner.MISSED)

    def fetch_hand(self) -> None:
        """Let a hand take the strikers out of the pockets, through the beams."""
        pockets = self._table.truth().in_pockets.values()
        if not any(Piece.STRIKER in kinds for kinds in pockets):
            raise CannotHappen(_("no striker lies in a pocket; let one fall first"))
        self._table.take_striker(reaching_in=True)

    def stray_hand(self) -> None:
        """Let a hand reach into a pocket and come out empty."""
        self._table.drop(self._next(), (), Manner.HAND)

    def double_press(self) -> None:
        """Let somebody press OK twice."""
        button = self._ok()
        self._table.press(button)
        self._later(AGAIN_NS, lambda: self._table.press(button))

    def two_press(self) -> None:
        """Let two people press their OK together."""
        first, second = self._two_oks()
        self._table.press(first)
        self._later(TOGETHER_NS, lambda: self._table.press(second))

    def chatter(self) -> None:
        """Let a loose contact flicker at a beam."""
        self._table.chatter(beam_wire(self._next()))

    def _next(self) -> Pocket:
        return next(self._pockets)

    def _playing(self) -> BoardView:
        view = self._view()
        if view is None or view.phase in NOT_PLAYING:
            raise CannotHappen(_("nobody is to shoot; start a match with OK"))
        return view

    def _piece(self, *, shooter: bool, at_least: int = 1) -> Piece:
        """Return a piece of the side that shoots, or of the other, with ``at_least`` of it left."""
        view = self._playing()
        first, second = view.sides
        side = first if first.shoots is shooter or not (first.shoots or second.shoots) else second
        on_board = self._table.truth().on_board
        piece = max(side.pieces, key=lambda each: on_board.get(each, 0))
        left = on_board.get(piece, 0)
        if left < at_least:
            raise CannotHappen(
                _(
                    "this takes {n} {piece}; {left} on the board",
                    n=at_least,
                    piece=piece_name(piece),
                    left=left,
                )
            )
        return piece

    def _ok(self) -> Button:
        """Return the OK button of somebody whose confirmation counts."""
        return self._oks()[0]

    def _two_oks(self) -> tuple[Button, Button]:
        oks = self._oks()
        if len(oks) < 2:
            raise CannotHappen(_("two people need two OK buttons; this board has one"))
        return oks[0], oks[1]

    def _oks(self) -> list[Button]:
        """List the OK buttons of people at the table, those that surely count first."""
        view = self._view()
        sides = view.sides if view is not None else ()
        waiting = [seat for side in sides if not side.shoots for seat in side.seats]
        shooting = [seat for side in sides if side.shoots for seat in side.seats]
        seats = [Place(seat.value) for seat in (*waiting, *shooting)]
        places = [Place.REFEREE, *seats]
        if self._rig.board.dialogue.settings.confirm is Confirm.OPPONENT:
            places = [*seats, Place.REFEREE]
        wires = set(self._table.wires)
        found = [Button(place, Key.OK) for place in places if Button(place, Key.OK).wire in wires]
        if not found:
            raise CannotHappen(_("this board has no OK button; press OK on its page"))
        return found

    def _drop(self, pocket: Pocket, piece: Piece, after_ns: int = 0) -> None:
        self._later(after_ns, lambda: self._table.drop(pocket, [piece]))

    def _later(self, after_ns: int, action: Callable[[], object]) -> None:
        """Do something at an instant to come, if it still can be done by then."""

        def act() -> None:
            try:
                action()
            except CannotHappen as refused:
                _logger.info("a mishap ends early: %s", refused)

        self._rig.clock.after(after_ns, act)


HOW: Mapping[Mishap, Callable[[Mishaps], None]] = MappingProxyType(
    {
        Mishap.SHOOT_ON: Mishaps.shoot_on,
        Mishap.FORGOTTEN_PRESS: Mishaps.forgotten_press,
        Mishap.LATE_FALL: Mishaps.late_fall,
        Mishap.TUMBLE: Mishaps.tumble,
        Mishap.TWO_AT_ONCE: Mishaps.two_at_once,
        Mishap.BESIDE_BEAM: Mishaps.beside_beam,
        Mishap.FETCH_HAND: Mishaps.fetch_hand,
        Mishap.STRAY_HAND: Mishaps.stray_hand,
        Mishap.DOUBLE_PRESS: Mishaps.double_press,
        Mishap.TWO_PRESS: Mishaps.two_press,
        Mishap.CHATTER: Mishaps.chatter,
    }
)
"""Every mishap of hands, pieces and wires; a power cut belongs to the board's parts."""
