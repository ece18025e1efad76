"""A simulated table for tests, and what its page would see of it."""

from __future__ import annotations

import json
import time

from jackspot.dialogue.state.view import Phase
from tests.conftest import PATIENCE_S
from tests.sim.standing import StandingTable

SITS_DOWN_S = 0.5
PRESS_S = 0.08
"""How long a finger stays on a button."""
LOOKS_S = 0.1
"""How often somebody who waits looks."""


class Table(StandingTable):
    """A table, and what its page would see."""

    @property
    def state(self):
        said = self.session._live.state()
        return None if said is None else json.loads(said)

    def until(self, what):
        """Wait for something to become true, while the table's time passes bit by bit.

        A match that plays automatically has a time of its own.
        """
        deadline_s = time.monotonic() + PATIENCE_S
        while not (self.state and what(self.state)):
            assert time.monotonic() < deadline_s, self.state
            if not self.session.picture().showing:
                self.let_pass(LOOKS_S)
            time.sleep(0.005)  # displays and pages go by the wall clock
        return self.state

    def phase(self, phase: Phase):
        """Wait for a phase; at a table that was just set up, take a moment to sit down."""
        self.until(lambda state: state["phase"] == phase.value)
        if phase is Phase.SETUP:
            self.let_pass(SITS_DOWN_S)
        return self.state

    def tap(self, wire: str) -> None:
        edges = self.session.edges(0)
        newest = edges[-1].number if edges else 0
        self.session.hands.press(wire)
        self.let_pass(PRESS_S)
        assert wire in self.session.picture().active
        self.session.hands.release(wire)
        self.let_pass(PRESS_S)
        assert wire not in self.session.picture().active
        assert self.session.edges(newest)

    def tap_until(self, wire: str, what) -> None:
        """Press as people do: again, if a press came too soon to count."""
        for _ in range(20):
            self.tap(wire)
            late_ns = self.state["now_ns"] + 900_000_000
            self.until(lambda state, late_ns=late_ns: what(state) or state["now_ns"] > late_ns)
            if what(self.state):
                return
        raise AssertionError(self.state)
