"""The board that is on the simulated table, with everything that comes and goes with it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from jackspot.values import changed
from jackspot_sim.boards.rig import Rig
from jackspot_sim.browser.hands import PageHands
from jackspot_sim.browser.mishaps import Mishaps
from jackspot_sim.browser.parts import Parts
from jackspot_sim.people.opponents import Opponents
from jackspot_sim.table.mounted import Mounted
from jackspot_sim.table.running import Runs
from jackspot_sim.table.table import LoggedEdge


class PlayedBoard(Struct, frozen=True):
    """A board on the table, which is exchanged as a whole.

    ``runs`` are the shots on it, ``mounted`` its beams. ``number`` counts boards, ``edges_before``
    the edges on those before it.
    """

    rig: Rig
    runs: Runs
    mounted: Mounted
    opponents: Opponents
    hands: PageHands
    parts: Parts
    mishaps: Mishaps
    number: int = 1
    edges_before: int = 0

    def edges(self, since: int) -> Sequence[LoggedEdge]:
        """Return its edges with a number above ``since`` among those of all boards."""
        before = self.edges_before
        lines = self.rig.table.edges(max(0, since - before))
        return [changed(line, number=line.number + before) for line in lines]

    def after(self, before: PlayedBoard) -> PlayedBoard:
        """Return it with numbers that go on from those of the board before."""
        lines = before.edges(0)
        edges_before = lines[-1].number if lines else before.edges_before
        return changed(self, number=before.number + 1, edges_before=edges_before)
