"""Colours as evidence: bounded, the same in any order, weak where a head sees badly."""

from __future__ import annotations

import itertools
import math
from random import Random
from statistics import mean

import pytest
from hypothesis import example, given, settings, strategies as st

from jackspot.assembly import dialogue_settings
from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket
from jackspot.readings.colours import INDEPENDENT, MOST, ColourModel, Look
from jackspot.readings.reading import Reading, Scene, rank
from jackspot.sensing.events import HIGHEST, ColourSeen, Fall, Pulse
from jackspot.sensing.limits import MS, SECOND
from tests.readings.test_reading import scene

BEGIN_NS = 500 * SECOND
MODEL = ColourModel()
LIGHTS = {
    Piece.RED: (5_400, 1_100, 950), Piece.GREEN: (1_250, 2_900, 1_400),
    Piece.JACK: (1_000, 900, 800), Piece.WHITE: (8_500, 7_600, 6_300),
    Piece.BLACK: (820, 730, 660), Piece.QUEEN: (5_200, 1_050, 1_150),
}  # fmt: skip
COLOURED = frozenset({Piece.RED, Piece.GREEN, Piece.QUEEN})
BLUE_STRIKER = (900, 1_300, 5_000)
STRIKERS = [BLUE_STRIKER, (9_500, 8_700, 7_200), (700, 650, 640), (7_900, 6_000, 1_100)]
"""Blue, ivory, black, yellow."""
BOARDS = [(Piece.RED, Piece.GREEN, Piece.JACK), (Piece.WHITE, Piece.BLACK, Piece.QUEEN)]

Lights = tuple[int, int, int]


def frame(lights: Lights, sun: int = 200, part: float = 1.0) -> ColourSeen:
    red, green, blue = (sun + round(part * each) for each in lights)
    return ColourSeen(BEGIN_NS, Pocket.NE, red, green, blue, sun)


def fall(*seen: ColourSeen, pocket: Pocket = Pocket.NE) -> Fall:
    return Fall(1, pocket, (Pulse(pocket, BEGIN_NS, BEGIN_NS + 11 * MS),), None, seen)


levels = st.integers(0, HIGHEST)
frames = st.builds(
    ColourSeen, st.integers(0, SECOND), st.just(Pocket.NE), levels, levels, levels, levels
)
kinds = st.sampled_from(Piece)


# --- weights ------------------------------------------------------------------------------


def test_a_fall_without_frames_weighs_nothing_at_all() -> None:
    for piece, other in itertools.product(Piece, Piece):
        assert (MODEL.one(piece, fall()), MODEL.two(piece, other, fall())) == (1.0, 1.0)
    assert (MODEL.hand(fall()), MODEL.flash(fall())) == (1.0, 1.0)


@pytest.mark.parametrize("kind", LIGHTS)
@pytest.mark.parametrize("sun", [0, 200, 30_000])
def test_each_kind_looks_like_itself_and_like_no_other_of_its_board(kind: Piece, sun: int) -> None:
    seen = fall(frame(LIGHTS[kind], sun), frame(LIGHTS[kind], sun, 0.8))
    board = next(board for board in BOARDS if kind in board)
    mine = MODEL.one(kind, seen)
    assert mine > (5 if kind in COLOURED else 2), "most strikers are as grey as a jack"
    for other in set(board) - {kind}:
        by_light_alone = not COLOURED & {kind, other}
        assert mine > (3 if by_light_alone else 6) * MODEL.one(other, seen), other


def test_a_striker_of_its_own_colour_is_none_of_the_pieces() -> None:
    seen = fall(frame(BLUE_STRIKER), frame(BLUE_STRIKER))
    assert MODEL.one(Piece.STRIKER, seen) == 1.0
    assert all(MODEL.one(kind, seen) < 0.1 for kind in LIGHTS)


@pytest.mark.parametrize("lights", STRIKERS)
def test_no_striker_is_taken_for_a_piece_by_its_colour(lights: Lights) -> None:
    seen = fall(*[frame(lights, part=part) for part in (0.3, 1.0, 1.0, 0.6)])
    assert all(MODEL.one(kind, seen) < 3 for kind in LIGHTS)
    assert all(MODEL.one(kind, seen) < 0.1 for kind in COLOURED)


@given(kinds, kinds, st.lists(frames, max_size=20))
@example(Piece.RED, Piece.RED, [ColourSeen(0, Pocket.NE, 402, 402, 25_942, 0)])
def test_no_frame_and_no_fall_is_proof_whatever_was_seen(one, other, seen) -> None:
    for weight in (MODEL.one(one, fall(*seen)), MODEL.two(one, other, fall(*seen))):
        most = MOST ** min(len(seen), INDEPENDENT)
        assert 1 / most - 1e-12 <= weight <= most + 1e-9


@given(kinds, kinds, st.lists(frames, max_size=12), st.randoms(use_true_random=False))
def test_no_order_matters_neither_of_frames_nor_of_two_pieces(one, other, seen, chance) -> None:
    shuffled = fall(*chance.sample(seen, len(seen)))
    assert MODEL.one(one, fall(*seen)) == MODEL.one(one, shuffled)
    assert MODEL.two(one, other, fall(*seen)) == MODEL.two(other, one, shuffled)


@given(kinds, frames, st.integers(2, 16), st.integers(1, 16))
def test_a_clear_frame_again_and_again_is_worth_two(kind, seen, often, more) -> None:
    clear = (look := Look.of(seen)) is None or often * look.clear >= INDEPENDENT
    often_seen = MODEL.one(kind, fall(*[seen] * often))
    if clear:
        again = MODEL.one(kind, fall(*[seen] * (often + more)))
        assert again == pytest.approx(often_seen)


@pytest.mark.parametrize("kind", sorted(COLOURED))
def test_dim_frames_say_together_what_one_of_them_does_not(kind: Piece) -> None:
    def times(often: int) -> float:
        seen = [frame(LIGHTS[kind], part=0.2, sun=200 + at) for at in range(often)]
        others = [each for each in LIGHTS if each not in COLOURED]
        return MODEL.one(kind, fall(*seen)) / max(MODEL.one(each, fall(*seen)) for each in others)

    assert times(1) < times(4) < times(12)
    assert times(12) > 6


@pytest.mark.parametrize("part", [0.3, 1.0, 3.0])
def test_how_bright_a_piece_is_counts_once_however_many_frames_there_are(part: float) -> None:
    def whiter(often: int) -> float:
        seen = fall(*[frame(LIGHTS[Piece.BLACK], part=part)] * often)
        return MODEL.one(Piece.WHITE, seen) / MODEL.one(Piece.BLACK, seen)

    assert whiter(12) == pytest.approx(whiter(1), rel=0.25)


# --- heads that see badly -------------------------------------------------------------------


@pytest.mark.parametrize("kind", LIGHTS)
def test_a_rim_that_hardly_sends_light_back_says_little(kind: Piece) -> None:
    lights, board = LIGHTS[kind], next(board for board in BOARDS if kind in board)

    def range_of(seen: Fall) -> float:
        weights = [MODEL.one(each, seen) for each in board]
        return max(weights) / min(weights)

    assert range_of(fall(frame(lights, part=450 / max(lights)))) < MOST**2 / 4
    assert range_of(fall(frame(lights))) > 10


@pytest.mark.parametrize("dead", range(3))
@pytest.mark.parametrize("kind", LIGHTS)
def test_a_dead_light_says_nothing(kind: Piece, dead: int) -> None:
    lights = list(LIGHTS[kind])
    lights[dead] = 0
    seen = fall(frame((lights[0], lights[1], lights[2])))
    assert all(MODEL.one(each, seen) == 1.0 for each in Piece)


def test_what_is_too_bright_to_be_measured_says_nothing() -> None:
    seen = fall(frame((HIGHEST - 200, 20_000, 20_000)))
    assert all(MODEL.one(each, seen) == 1.0 for each in Piece)


def test_two_colours_are_rather_two_pieces_and_one_colour_does_not_deny_it() -> None:
    both = fall(frame(LIGHTS[Piece.RED]), frame(LIGHTS[Piece.GREEN]))
    two = MODEL.two(Piece.RED, Piece.GREEN, both)
    assert two > 3 * max(MODEL.one(Piece.RED, both), MODEL.one(Piece.GREEN, both))
    alone = fall(frame(LIGHTS[Piece.RED]), frame(LIGHTS[Piece.RED]))
    hidden = MODEL.two(Piece.RED, Piece.GREEN, alone)
    assert 0.4 < hidden / MODEL.one(Piece.RED, alone) <= 1


# --- what drops taught --------------------------------------------------------------------

PINK, OLIVE = (4_200, 1_900, 1_700), (1_900, 2_600, 900)
"""The reds and greens of a maker who paints differently from others."""
PUCKS = (Piece.RED, Piece.GREEN)


def drops_of(*lights: Lights, pocket: Pocket = Pocket.NE) -> list[tuple[tuple[Piece, ...], Fall]]:
    return [(PUCKS, fall(frame(each), frame(each, part=0.7), pocket=pocket)) for each in lights]


def test_after_some_drops_pieces_of_this_board_are_told_apart_more_surely() -> None:
    learnt = MODEL.learnt(drops_of(PINK, OLIVE, PINK, OLIVE, OLIVE, PINK))
    for lights, mine in zip((PINK, OLIVE), PUCKS, strict=True):
        other = next(each for each in PUCKS if each is not mine)
        seen = fall(frame(lights), frame(lights))
        before = MODEL.one(mine, seen) / MODEL.one(other, seen)
        after = learnt.at(Pocket.NE)
        assert after.one(mine, seen) > 5
        assert after.one(mine, seen) / after.one(other, seen) > 3 * before
        assert after.looks_like((*PUCKS, Piece.STRIKER), seen) is mine


@given(st.permutations([PINK, OLIVE, PINK, OLIVE]))
def test_the_order_of_drops_does_not_matter(order) -> None:
    learnt, other = MODEL.learnt(drops_of(*order)), MODEL.learnt(drops_of(PINK, PINK, OLIVE, OLIVE))
    assert learnt.kinds == other.kinds


def test_each_head_learns_of_its_own_drops_and_the_others_of_all() -> None:
    dull = [(red, green, 0) for red, green, _ in (PINK, OLIVE)]
    learnt = MODEL.learnt(drops_of(PINK, OLIVE) + drops_of(*dull, pocket=Pocket.SW))
    assert learnt.heads.keys() == {Pocket.NE}, "a dead light teaches nothing"
    assert learnt.at(Pocket.SE).kinds == learnt.kinds
    assert learnt.at(Pocket.NE).kinds != learnt.kinds


@given(st.lists(frames, max_size=6), st.lists(st.lists(frames, max_size=6), max_size=4), kinds)
@example([ColourSeen(0, Pocket.NE, 1, 1, 1, 0)], [], Piece.RED)
def test_whatever_was_dropped_no_fall_is_proof(seen, dropped, kind) -> None:
    learnt = MODEL.learnt((PUCKS, fall(*each)) for each in dropped)
    most = learnt.most ** min(len(seen), learnt.independent)
    assert 1 / most - 1e-12 <= learnt.at(Pocket.NE).one(kind, fall(*seen)) <= most + 1e-9


def test_strikers_and_drops_that_no_head_saw_teach_nothing() -> None:
    strikers = [((Piece.STRIKER,), fall(frame(BLUE_STRIKER)))]
    assert MODEL.learnt([*strikers, (PUCKS, fall())]) is MODEL


MEN = (Piece.WHITE, Piece.BLACK, Piece.BROWN)


@pytest.mark.parametrize("window", [1.0, 0.33])
def test_a_head_with_a_dirty_window_learns_how_bright_men_are_to_it(window: float) -> None:
    def seen(kind: Piece, near: float) -> Fall:
        return fall(*[frame(LIGHTS[kind], part=window * near * each) for each in (0.5, 1.0, 0.7)])

    drops = [(MEN, seen(kind, 1.0)) for kind in (Piece.WHITE, Piece.BLACK) * 3]
    head = MODEL.learnt(drops).at(Pocket.NE)
    for kind, other in ((Piece.WHITE, Piece.BLACK), (Piece.BLACK, Piece.WHITE)):
        assert head.one(kind, seen(kind, 1.0)) > 4 * head.one(other, seen(kind, 1.0))


def test_a_piece_that_was_dropped_dimly_may_come_near_the_head_in_play() -> None:
    dim = [(PUCKS, fall(frame(PINK, part=0.2))) for _ in range(8)]
    near = frame(PINK, part=4.0)
    assert MODEL.learnt(dim).at(Pocket.NE).one(Piece.RED, fall(near, near)) > 1


def drop(
    chance: Random, kind: Piece, spread: float, pocket: Pocket
) -> tuple[tuple[Piece, ...], Fall]:
    """Return a drop of a piece whose parts differ from the usual ones by chance, in 3 frames."""
    usual = MODEL.kinds[kind]
    red, green = chance.gauss(usual.red, spread), chance.gauss(usual.green, spread)
    lights = [round(7_300 * part) for part in (red, green, 1 - red - green)]
    return PUCKS, fall(*[frame((lights[0], lights[1], lights[2]))] * 3, pocket=pocket)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("spread", [0.03, 0.05])
def test_drops_teach_how_much_pieces_of_one_kind_differ(spread: float, seed: int) -> None:
    """To a head of its own there are nine drops of each kind, which says less exactly how much."""
    chance = Random(seed)
    every = [(kind, pocket) for kind in PUCKS for pocket in Pocket]
    learnt = MODEL.learnt(drop(chance, kind, spread, at) for kind, at in every for _ in range(9))
    for kind in PUCKS:
        heads = [learnt.at(pocket).kinds[kind].spread for pocket in Pocket]
        for found in (learnt.kinds[kind].spread, mean(heads)):
            assert spread / 1.5 < found < spread * 1.5
        assert all(spread / 2 < each < spread * 2 for each in heads)
    for kind, pocket in every:
        falls = [drop(chance, kind, spread, pocket)[1] for _ in range(500)]
        assert sum(learnt.at(pocket).one(kind, each) < 1.0 for each in falls) < 0.05 * len(falls)


# --- in a reading ---------------------------------------------------------------------------


def ranked(told: Fall, *, heads: bool = True) -> tuple[Reading, ...]:
    plain = scene()
    further = (MODEL,) if heads else ()
    return rank(Scene(plain.available, plain.roles, plain.hands, further=further), (told,))


def best(told: Fall) -> list[Piece]:
    return [each.piece for each in ranked(told)[0].departures]


def test_what_was_seen_is_what_is_read_first() -> None:
    for kind in (Piece.RED, Piece.GREEN):
        assert best(fall(frame(LIGHTS[kind]), frame(LIGHTS[kind]))) == [kind]
    assert best(fall(frame(BLUE_STRIKER), frame(BLUE_STRIKER))) == [Piece.STRIKER]


@settings(deadline=None, max_examples=30)
@given(st.lists(frames, max_size=6))
def test_whatever_was_seen_readings_add_up_to_one_and_none_is_lost(seen) -> None:
    readings = ranked(fall(*seen))
    assert math.fsum(each.probability for each in readings) == pytest.approx(1)
    plain = ranked(fall())
    assert {each.departures for each in plain[:4]} <= {each.departures for each in readings}


@settings(deadline=None, max_examples=20)
@given(st.lists(frames, max_size=4), st.permutations(list(Pocket)))
def test_no_head_is_another_than_the_others(seen, order) -> None:
    found = []
    for pocket in order[:2]:
        readings = ranked(fall(*seen, pocket=pocket))
        pieces = [[each.piece for each in reading.departures] for reading in readings]
        found.append([(r.probability, p) for r, p in zip(readings, pieces, strict=True)])
    assert found[0] == found[1]


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(Pocket), st.integers(2 * MS, 600 * MS))
def test_heads_that_saw_nothing_leave_a_reading_as_it_was_to_the_last_bit(pocket, ns) -> None:
    told = Fall(1, pocket, (Pulse(pocket, BEGIN_NS, BEGIN_NS + ns),))
    assert ranked(told) == ranked(told, heads=False)


def test_a_board_without_a_sensor_hub_weighs_no_colours() -> None:
    config = load(Sources(()))
    assert config.sensor_hub.port is None
    assert dialogue_settings(config).further == ()


def why(told: Fall) -> str:
    return str(ranked(told)[0].why)


def test_a_reading_says_what_a_fall_looks_like_where_that_is_clear() -> None:
    red, green = frame(LIGHTS[Piece.RED]), frame(LIGHTS[Piece.GREEN])
    assert ", looks RED;" in why(fall(red, red))
    assert ", looks GREEN;" in why(fall(green))
    striker = frame(BLUE_STRIKER)
    assert ", the colour of no other piece;" in why(fall(striker, striker))
    for unclear in (fall(), fall(red, green)):
        assert "looks" not in why(unclear)
        assert "colour" not in why(unclear)


@given(st.lists(frames, max_size=6), st.permutations([Piece.RED, Piece.GREEN, Piece.STRIKER]))
def test_what_a_fall_looks_like_does_not_depend_on_the_order_of_kinds(seen, order) -> None:
    told = fall(*seen)
    assert MODEL.looks_like(order, told) is MODEL.looks_like(sorted(order), told)
