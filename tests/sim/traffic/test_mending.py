"""Somebody finds the display wrong, and uses the lists until table and display agree."""

from __future__ import annotations

from itertools import pairwise

import pytest

from jackspot.core.agreement import agree
from jackspot.core.entry_text import read_line
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.view import Sound
from jackspot.sensing.events import Place
from jackspot_sim.boards.chain import Chain, plan_of, wires
from jackspot_sim.traffic.aims import ReviewAim, nearly_says, says
from jackspot_sim.traffic.minds import Mind, Move
from jackspot_sim.traffic.rounds import ENTERED
from jackspot_sim.traffic.standings import standing_of, standing_shown

MOST_PRESSES = 60


class _Heard(Chain):
    """A board that somebody listens to."""

    def __init__(self, rules: str, *, box: bool = True) -> None:
        places = frozenset({Place.N, Place.S, *((Place.REFEREE, Place.PAGE) if box else ())})
        confirm = Confirm.REFEREE if box else Confirm.ANYONE
        dialogue_settings = DialogueSettings(confirm=confirm, places=places)
        super().__init__(wires("NS", box=box), dialogue_settings, plan_of("NS", rules=rules))
        self.sounds: set[Sound] = set()

    def heard(self, sound: Sound) -> None:
        self.sounds.add(sound)


def stroke_of(text: str) -> Stroke:
    """Read a stroke as a record has it."""
    line = read_line(text, None)
    assert line is not None
    assert isinstance(line.said, Stroke)
    return line.said


def after(rules: str, *entries: str) -> Match:
    """Return a match after some entries."""
    match = Match.begin(agree({"rules": rules, "seats": ["N", "S"]}))
    for entry in entries:
        match = match.enter(stroke_of(entry))
    return match


def board_that_believes(rules: str, *strokes: str, box: bool = True) -> _Heard:
    """Return a board on which a referee, or N, who knows no better entered these strokes."""
    chain, place = _Heard(rules, box=box), "referee" if box else "N"
    chain.press(place, "ok").wait(4.0)
    matches = [after(rules, *strokes[:number]) for number in range(len(strokes) + 1)]
    mind = Mind([matches[0]], careful=False, box=box)
    for number, (before, then) in enumerate(pairwise(matches)):
        mind.sees(stroke_of(strokes[number]), before, then)
        attend(chain, mind, place)
    assert standing_shown(chain.view) == standing_of(matches[-1].state)
    return chain


def attend(chain: _Heard, mind: Mind, place: str = "referee") -> list[Move]:
    """Look and press until there is nothing left to say."""
    moves: list[Move] = []
    while (move := mind.next_move(chain.view)) is not None:
        moves.append(move)
        assert len(moves) < MOST_PRESSES, f"{chain.view.headline}: {moves}"
        chain.sounds.clear()
        if move is Move.UNDO:
            chain.undo(place)
        elif move in (Move.OK_HELD, Move.FIX_HELD):
            chain.hold(place, move.value.removesuffix(" held"))
        else:
            chain.press(place, move.value)
        chain.wait(1.0)
        mind.answered(
            entered=bool(chain.sounds & ENTERED), refused=Sound.REFUSED in chain.sounds,
            view=chain.view,
        )  # fmt: skip
    return moves


@pytest.mark.parametrize(
    ("believed", "true"),
    [
        (["N black", "N -"], ["N brown", "N -"]),
        (["N black", "N brown", "N -"], ["N black", "N -"]),
        (["N -", "S black", "S -"], ["N brown brown", "N -", "S black", "S -"]),
        (["N queen"], ["N black", "N -"]),
        (["N queen black", "N -"], ["N black", "N -", "S queen brown"]),
        (["N -", "S -"], ["N black", "N queen"]),
    ],
)
def test_in_points_carrom_the_pieces_of_each_side_the_queen_and_the_turn_are_mended(
    believed: list[str], true: list[str]
) -> None:
    chain = board_that_believes("points", *believed)
    match = after("points", *true)
    mind = Mind([match], careful=False, box=True)
    mind.mending = True
    attend(chain, mind)
    assert standing_shown(chain.view) == standing_of(match.state)
    assert chain.view.shooter is match.state.next
    assert not mind.mending


def test_a_piece_flies_off_that_the_board_takes_to_be_in_where_there_is_no_box() -> None:
    chain = board_that_believes("hikone", "N -", "S 12*green", "S -", box=False)
    before = after("hikone", "N -", "S 11*green", "S -")
    mind = Mind([before], careful=False, box=False)
    flew = stroke_of("N green^")
    mind.sees(flew, before, before.enter(flew))
    attend(chain, mind, "N")
    assert mind.entered == 1
    game = chain.dialogue.game
    assert game is not None
    assert flew in game.lines[-1].entries


def test_what_is_credited_while_a_queen_waits_does_not_become_void_with_her() -> None:
    chain = board_that_believes("points", "N -", "S -")
    match = after("points", "N black", "N -", "S -", "N queen")
    mind = Mind([match], careful=False, box=True)
    mind.mending = True
    attend(chain, mind)
    miss = stroke_of("N -")
    mind.sees(miss, match, match.enter(miss))
    attend(chain, mind)
    assert standing_shown(chain.view) == standing_of(mind.true)


def test_a_queen_that_is_said_to_be_covered_and_falls_is_first_put_back_on_the_board() -> None:
    chain = board_that_believes("kagw", "N queen white")
    before = after("kagw", "N white")
    mind = Mind([before], careful=False, box=True)
    fell = Stroke(Seat.N, (Departure(Piece.QUEEN, Pocket.NE),))
    mind.sees(fell, before, before.enter(fell))
    chain.fall("NE").wait(3.0)
    attend(chain, mind)
    assert standing_shown(chain.view) == standing_of(mind.true)


def test_a_late_queen_that_no_beam_saw_is_missed_on_the_display() -> None:
    chain = board_that_believes("kagw", "N -")
    before = after("kagw")
    mind = Mind([before], careful=True, box=True)
    mind.sees(Stroke(Seat.N), before, before.enter(Stroke(Seat.N)))
    mind.believes_entered()
    assert mind.next_move(chain.view) is None
    queen = Stroke(Seat.N, (Departure(Piece.QUEEN, Pocket.NE),))
    mind.sees_grow(0, queen, before.enter(queen))
    attend(chain, mind)
    assert standing_shown(chain.view) == standing_of(mind.true)
    game = chain.dialogue.game
    assert game is not None
    [entry] = [entry for line in game.lines for entry in line.entries]
    assert isinstance(entry, Stroke)
    assert [each.piece for each in entry.departures] == [Piece.QUEEN]


def test_where_the_last_piece_is_given_back_a_reading_in_another_order_is_another() -> None:
    chain = board_that_believes("points", "N -")
    chain.fall("NE").wait(0.3).fall("SW").wait(3.0)
    shown = next(
        each for each in chain.view.readings if len({d.piece for d in each.departures}) > 1
    )
    stroke = Stroke(Seat.S, shown.departures)
    other = Stroke(Seat.S, shown.departures[::-1])
    for fits in (says, nearly_says):
        assert fits(shown, ReviewAim(stroke, in_order=True))
        assert fits(shown, ReviewAim(other))
        assert not fits(shown, ReviewAim(other, in_order=True))
