"""Computer players at a table with the real firmware, without a browser."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.directives import Entry
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.view import Phase
from jackspot.values import changed
from jackspot_sim.browser.control import Mishap
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.people.opponents import AIMS_NS
from jackspot_sim.physics.players import FlickChoice, Task, choose, task_of
from jackspot_sim.physics.values import Flick
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.running import WITHOUT_PHYSICS, Run, Runs
from jackspot_sim.table.turns import Turn
from tests.sim.seen import Table
from tests.sim.standing import STANDING

AIMS_S = AIMS_NS / 1e9
RUNS_S = 10.0
"""Longer than any shot runs, late falls included."""
RESTS_S = 1.0
"""From one press to the next."""
NOWHERE = Flick(0.0, -204.0, 60.0, -math.pi / 2)
"""A striker that rolls a little towards its player."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Return a table at which N needs one puck, and a named pocket, to win by the jack."""
    config = load(Sources(()))
    match = {"rules": "hikone", "handicap": {"N": {"pucks_needed": 1, "called_pocket": True}}}
    table = Table(tmp_path, config=changed(config, match=match))
    table.session.seat_player(Seat.N, Strength.MASTER)
    yield table
    table.close()


@pytest.fixture
def against_south(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Return a table at which the computer plays south, and none of its shots meets a piece."""

    def nowhere(*given: Any) -> FlickChoice:
        return changed(choose(*given), flick=NOWHERE)

    monkeypatch.setattr("jackspot_sim.people.opponents.choose", nowhere)
    table = Table(tmp_path)
    table.session.seat_player(Seat.S, Strength.MASTER)
    table.phase(Phase.SETUP)
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    table.let_pass(AIMS_S + 2)
    yield table
    table.close()


def press(table: Table, wire: str) -> None:
    """Press a button and wait until the next press does not count as the same one."""
    table.tap(wire)
    table.let_pass(RESTS_S)


def fall(table: Table, piece: Piece, pocket: Pocket) -> None:
    """Let a piece fall, and wait until it is asked about."""
    table.session.hands.drop(pocket, [piece], Manner.CLEAN)
    table.phase(Phase.REVIEW)
    table.let_pass(RESTS_S)


def shots(table: Table) -> int:
    """Count the shots since the board was powered on."""
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


def enter_one(table: Table) -> None:
    """Let a person play N, and enter the one puck that N needs before the jack."""
    table.phase(Phase.SETUP)
    table.session.seat_player(Seat.N, None)
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    assert table.session.picture().called is None
    table.session.hands.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    table.phase(Phase.REVIEW)
    table.tap_until("referee_ok", lambda state: state["sides"][0]["pocketed"] == 1)
    table.phase(Phase.READY)


def test_a_pocket_is_named_for_the_jack_before_the_computer_shoots(table: Table) -> None:
    enter_one(table)
    table.session.seat_player(Seat.N, Strength.MASTER)
    assert table.session.picture().called is not None
    assert shots(table) == 0
    table.let_pass(AIMS_S + 0.2)
    assert shots(table) == 1


def test_the_computer_shoots_again_though_a_correction_has_shortened_the_record(
    against_south: Table,
) -> None:
    table = against_south
    fall(table, Piece.RED, Pocket.NE)
    press(table, "referee_ok")
    press(table, "referee_ok")
    table.let_pass(AIMS_S + 0.5)
    assert shots(table) == 1
    fall(table, Piece.GREEN, Pocket.SW)
    for key in ("undo", "undo", "fix", "ok", "fix", "ok"):  # N's one stroke was a green piece
        press(table, f"referee_{key}")
    table.phase(Phase.READY)
    view = table.session.shown
    assert view is not None
    assert view.written is not None
    strokes = [each.seat for each in view.written.entries if isinstance(each, Stroke)]
    assert (strokes, len(view.written.entries), view.shooter) == ([Seat.N, Seat.S], 2, Seat.S)
    table.let_pass(AIMS_S + 0.5)
    assert shots(table) == 2


def test_a_shot_that_was_taken_back_and_not_corrected_is_not_shot_again(
    against_south: Table,
) -> None:
    table = against_south
    press(table, "referee_ok")
    table.let_pass(AIMS_S + 0.5)
    press(table, "referee_ok")
    assert shots(table) == 1
    press(table, "referee_undo")
    table.until(lambda state: state["turn"] == "S")
    table.let_pass(AIMS_S + RUNS_S)
    assert shots(table) == 1
    assert table.session.picture().turn is Turn.COMPUTER_SHOT


def test_what_fell_and_was_no_stroke_makes_no_further_shot_due(against_south: Table) -> None:
    table = against_south
    press(table, "referee_ok")
    assert table.session.picture().turn is Turn.COMPUTER_AIMS
    table.let_pass(AIMS_S + RUNS_S)
    assert table.session.picture().turn is Turn.COMPUTER_SHOT
    ask = table.state["ask"]
    fall(table, Piece.RED, Pocket.NW)
    while (view := table.session.shown) and view.proposal and view.proposal.stroke:
        press(table, "referee_fix")
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    assert table.state["turn"] == "S"
    assert table.state["ask"] != ask
    assert table.session.picture().turn is Turn.COMPUTER_SHOT
    table.let_pass(AIMS_S + RUNS_S)
    assert shots(table) == 1


def test_a_flick_that_is_refused_is_tried_anew(
    against_south: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = against_south
    flick, refused = Runs.flick, [1, 2]

    def refusing(runs: Runs, given: Flick, seat: Seat, entered: Sequence[Entry]) -> Run:
        if refused:
            refused.pop()
            raise CannotHappen(WITHOUT_PHYSICS)
        return flick(runs, given, seat, entered)

    monkeypatch.setattr(Runs, "flick", refusing)
    press(table, "referee_ok")
    table.let_pass(2 * AIMS_S + 0.5)
    assert (shots(table), refused) == (0, [])
    assert table.session.picture().turn is Turn.COMPUTER_AIMS
    table.let_pass(AIMS_S + 0.5)
    assert shots(table) == 1
    assert len([each for each in caplog.records if "cannot shoot" in each.message]) == 1


@pytest.mark.parametrize("by_show", [False, True])
@pytest.mark.parametrize("choice", [1, 2, 3])
def test_a_seat_that_is_given_back_while_its_computer_chooses_is_left_to_the_person(
    table: Table, monkeypatch: pytest.MonkeyPatch, choice: int, by_show: bool
) -> None:
    """It chooses for the pocket that it names, for its aim, and again for what it then shoots."""
    opponents = table.session._board.opponents
    chosen: list[str | None] = []

    def give_back(*given: Any, called: Pocket | None, first: bool) -> Task:
        chosen.append(called)
        if len(chosen) == choice and by_show:
            opponents.play_for({})
        elif len(chosen) == choice:
            table.session.seat_player(Seat.N, None)
        elif len(chosen) == 2:
            piece = next(each for each in table.session.picture().lying if each.number == 4)
            table.session.rig.table.move(4, piece.x_mm + 150.0, piece.y_mm - 100.0)
        return task_of(*given, called=called, first=first)

    enter_one(table)
    table.let_pass(RUNS_S)
    monkeypatch.setattr("jackspot_sim.people.opponents.task_of", give_back)
    table.session.seat_player(Seat.N, Strength.MASTER)
    table.let_pass(AIMS_S + 1.0)
    assert (len(chosen), shots(table)) == (choice, 0)
    assert table.session.picture().aim is None
    opponents.play_for(table.session._players)
    table.session.seat_player(Seat.N, Strength.MASTER)
    table.let_pass(AIMS_S * 2)
    assert shots(table) == 1


def test_a_person_has_the_striker_until_it_is_shot(table: Table) -> None:
    table.phase(Phase.SETUP)
    table.session.seat_player(Seat.N, None)
    assert table.session.picture().turn is Turn.NOBODY
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    assert table.session.picture().turn is Turn.PERSON_AIMS
    table.session.hands.flick(Flick(0.0, 204.0, 60.0, math.pi / 2))
    assert table.session.picture().turn is Turn.PERSON_SHOT
    table.let_pass(RUNS_S)
    assert table.session.picture().turn is Turn.PERSON_SHOT
    table.tap_until("referee_ok", lambda state: state["turn"] == "S")
    assert table.session.picture().turn is Turn.PERSON_AIMS
