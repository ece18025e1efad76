"""Computer players at a table with the real firmware, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.table.view import Phase
from jackspot_sim.control import Mishap
from jackspot_sim.opponents import AIMS_NS
from jackspot_sim.pulses import Manner
from jackspot_sim.traffic.frequencies import Strength
from tests.sim.seen import Table
from tests.sim.standing import STANDING

AIMS_S = AIMS_NS / 1e9
RUNS_S = 10.0
"""Longer than any shot runs, with what falls late."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Give a table at which N needs one puck, and a pocket that was named, to win by the jack."""
    config = load(Sources(()))
    match = {"rules": "hikone", "handicap": {"N": {"pucks_needed": 1, "called_pocket": True}}}
    table = Table(tmp_path, config=replace(config, match=match))
    table.session.seat_player(Seat.N, Strength.MASTER)
    yield table
    table.close()


def shots(table: Table) -> int:
    """Count the shots that were shot since the board has power."""
    run = table.session.picture().run
    return 0 if run is None else run.number


def test_what_was_shot_before_the_power_was_cut_is_not_shot_again(table: Table) -> None:
    table.phase(Phase.SETUP)
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    before = table.phase(Phase.READY)
    table.let_pass(AIMS_S + 0.2)
    run = table.session.picture().run
    assert run is not None
    assert not run.over
    table.run_on()
    table.session.mishap(Mishap.POWER_CUT)
    table.until(lambda _: not table.session.picture().powered)
    table.until(
        lambda state: table.session.picture().powered and state["sequence"] > before["sequence"]
    )
    table.session.set_speed(STANDING)
    table.phase(Phase.PAUSED)
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    table.let_pass(AIMS_S + RUNS_S)
    assert shots(table) == 0
    assert not table.session.picture().first_shot


def test_a_pocket_is_named_for_the_jack_before_the_computer_shoots(table: Table) -> None:
    table.phase(Phase.SETUP)
    table.session.seat_player(Seat.N, None)
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    assert table.session.picture().called is None
    table.session.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    table.phase(Phase.REVIEW)
    table.tap_until("referee_ok", lambda state: state["sides"][0]["pocketed"] == 1)
    table.phase(Phase.READY)
    table.session.seat_player(Seat.N, Strength.MASTER)
    assert table.session.picture().called is not None
    assert shots(table) == 0
    table.let_pass(AIMS_S + 0.2)
    assert shots(table) == 1
