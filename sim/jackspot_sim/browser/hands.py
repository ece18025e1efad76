"""What hands do at the simulated table: pieces, the striker and buttons, on the board there now.

Hands are refused while a match plays by itself. Pieces are put back or moved by hand only once all
of them have come to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket
from jackspot.sensing.events import Button
from jackspot.web.live import LiveBoard
from jackspot_sim.boards.rig import Rig
from jackspot_sim.browser.show_me import Audience
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.physics.values import Flick
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.running import Runs
from jackspot_sim.table.steward import still_out
from jackspot_sim.table.table import SimTable


class PageHands:
    """The hands of whoever is at the page, at one board; ``runs`` are the shots on it.

    The methods are those of :class:`jackspot_sim.browser.control.HandsControl`.
    """

    def __init__(
        self,
        rig: Rig,
        runs: Runs,
        live: LiveBoard,
        audience: Audience,
        changed: Callable[[], None],
    ) -> None:
        self._rig = rig
        self._table: SimTable = rig.table
        self._runs = runs
        self._live = live
        self._audience = audience
        self._changed = changed

    def drop(self, pocket: Pocket, pieces: Sequence[Piece], manner: Manner) -> None:
        """Let pieces fall into a pocket, or something else break its beam."""
        self._audience.refuse_hands()
        self._table.drop(pocket, pieces, manner)
        self._changed()

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        """Take pieces from the board to the floor."""
        self._audience.refuse_hands()
        self._table.fly_off(pieces)
        self._changed()

    def put_back(self) -> None:
        """Put the pieces that the board asks for where they belong.

        If OK was pressed too early, put back those that the board believes to be back.
        """
        self._audience.refuse_hands()
        view = self._live.view
        asked = () if view is None else still_out(view, self._table.truth())
        if not asked:
            raise CannotHappen(_("the board does not ask for anything back"))
        self._wait_for_rest()
        self._table.put_back(asked)
        self._changed()

    def put(self, piece: Piece, at_mm: tuple[float, float] | None = None) -> None:
        """Put one piece that is out of play down there, or where the rules want it."""
        self._audience.refuse_hands()
        self._wait_for_rest()
        if at_mm is None:
            self._table.put_back([piece])
        else:
            self._table.put(piece, *at_mm)
        self._changed()

    def move(self, number: int, at_mm: tuple[float, float]) -> None:
        """Move one piece on the board by hand."""
        self._audience.refuse_hands()
        self._wait_for_rest()
        self._table.move(number, *at_mm)
        self._changed()

    def move_back(self) -> None:
        """Put the piece that was moved last back where it lay."""
        self._audience.refuse_hands()
        self._wait_for_rest()
        self._table.move_back()
        self._changed()

    def flick(self, flick: Flick) -> None:
        """Place a striker and flick it; the pieces run on the table's clock."""
        self._audience.refuse_hands()
        view = self._live.view
        written = None if view is None else view.written
        shooter = None if view is None else view.shooter
        self._runs.flick(flick, shooter, () if written is None else written.entries)

    def fetch_strikers(self) -> None:
        """Take all strikers out of the pockets and off the floor."""
        self._audience.refuse_hands()
        self._table.take_striker()
        self._changed()

    def press(self, wire: str) -> None:
        """Push a button down and keep it there."""
        self._audience.refuse_hands()
        self._table.down(self._button(wire))

    def release(self, wire: str) -> None:
        """Let it go."""
        self._table.up(self._button(wire))

    def _wait_for_rest(self) -> None:
        """Refuse while pieces move."""
        if self._runs.running:
            raise CannotHappen(_("pieces are still moving; wait until they stop"))

    def _button(self, wire: str) -> Button:
        found = self._rig.config.wire(wire)
        if found is None or not isinstance(found.source, Button):
            raise CannotHappen(_("this board has no button {wire}", wire=wire))
        return found.source
