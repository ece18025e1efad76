"""Somebody at the board who compares what it shows with what lies in the pockets."""

from __future__ import annotations

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import MenuView, Phase
from jackspot.sensing.events import Place
from jackspot.values import changed
from jackspot_sim.boards.chain import Chain, plan_of, wires
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.traffic.measures import case_of, measure
from jackspot_sim.traffic.minds import MOST_TAKEN_BACK, Mind, Move
from tests.conftest import thinned

ONE_RED = Stroke(Seat.N, (Departure(Piece.RED, Pocket.NE),))


@pytest.mark.parametrize("number", [107, 395])
def test_a_late_piece_is_entered_before_the_like_of_it_that_fell_after(number: int) -> None:
    counted = measure(case_of(number, Referee.WATCHING, 1))
    assert counted.finals_wrong == counted.stuck == 0
    assert counted.turn_errors == 0
    assert counted.corrections == 1


def test_what_was_taken_back_is_the_last_stroke_and_not_one_long_ago_that_looked_the_same() -> None:
    counted = measure(case_of(885, Referee.WATCHING, 1))
    assert counted.finals_wrong == counted.stuck == counted.lost == 0
    assert counted.doubled <= 1


@pytest.mark.parametrize("number", thinned([4, 508], {508}))
def test_nobody_gets_lost_among_many_strokes_or_pockets_that_no_beam_watches(number: int) -> None:
    counted = measure(case_of(number, Referee.TABLE_ONLY, 1))
    assert counted.finals_wrong == counted.stuck == 0


@pytest.mark.parametrize("number", [831, 1018])
def test_who_steps_past_the_right_reading_still_knows_it_when_it_comes_round(number: int) -> None:
    counted = measure(case_of(number, Referee.CARELESS, 1))
    assert counted.stuck == 0


def board_with_one_red() -> Chain:
    places = frozenset({Place.N, Place.S, Place.REFEREE, Place.PAGE})
    chain = Chain(
        wires("NS"), DialogueSettings(confirm=Confirm.REFEREE, places=places), plan_of("NS")
    )
    chain.press("referee", "ok").wait(2.0)
    return chain.fall("NE").wait(3.0)


def test_who_finds_the_same_mistake_again_and_again_mends_the_counts_in_the_end() -> None:
    chain = board_with_one_red()
    match = Match.begin(agree({"rules": "hikone", "seats": ["N", "S"]}))
    mind = Mind([match], careful=True, box=True)
    mind.sees(ONE_RED, match, match.enter(Stroke(Seat.N)))  # looked away when the count changed
    moves: list[Move | None] = []
    while Move.FIX_HELD not in moves and len(moves) < 4 * MOST_TAKEN_BACK:
        moves.append(mind.next_move(chain.view))
        was = chain.phase
        chain.undo("referee") if moves[-1] is Move.UNDO else chain.press("referee", "ok")
        chain.wait(1.0)
        entered = was is Phase.REVIEW and chain.phase is Phase.READY
        mind.answered(entered=entered, refused=False, view=chain.view)
    assert moves[-1] is Move.FIX_HELD
    assert moves[:3] == [Move.OK, Move.UNDO, Move.OK]
    assert moves.count(Move.UNDO) == MOST_TAKEN_BACK


@pytest.mark.parametrize(
    ("items", "mends"),
    [
        ((_("{n} queen?", n=7), _("set {side} in: {n}", side="red", n=3), _("change this")), 1),
        ((_("{n} queen?", n=7), _("{n} queen?", n=4), _("change this")), 0),
        ((_("change this"),), 0),
    ],
)
def test_counts_that_cannot_be_are_mended_and_not_the_stroke_that_is_right(items, mends) -> None:
    match = Match.begin(agree({"rules": "hikone", "seats": ["N", "S"]}))
    mind = Mind([match], careful=True, box=True)
    for chosen in range(len(items)):
        menu = MenuView(_("QUEEN: 1 too many"), items, chosen, kind=MenuKind.IMPOSSIBLE)
        move = mind.next_move(changed(board_with_one_red().view, menu=menu))
        assert move is (Move.OK if chosen == mends else Move.FIX)
