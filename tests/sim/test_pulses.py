"""The generator of edges agrees with free fall, and with itself when seeded alike."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Piece
from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.pulses import (
    CHANCE,
    MANNERS,
    MS,
    Chance,
    DiscSize,
    Edges,
    Manner,
    contact_edges,
    fall_edges,
    hand_edges,
    passage_ns,
    random_manner,
    size_of,
)

PUCK = size_of(Piece.RED, RuleSystem.HIKONE)
JACK = size_of(Piece.JACK, RuleSystem.HIKONE)
SEEDS = range(200)
STILL = Chance(speed_spread=0.0, tilt_deg=(0.0, 0.0))
"""Without chance: what free fall alone says."""


def pulses(edges: Edges) -> list[tuple[int, int]]:
    """Return (start, width) of every pulse."""
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return [(start, end - start) for (start, _), (end, _) in pairs]


def made(manner: Manner, seed: int, *sizes: DiscSize, chance: Chance = CHANCE) -> Edges:
    return fall_edges(sizes or (PUCK,), manner, random.Random(seed), chance)


@pytest.mark.parametrize(
    ("height_mm", "depth_mm", "expected_ms"),
    [(8, 15, 13.2), (8, 60, 7.1), (30, 15, 40.5), (41.3, 15, 51.8), (31.8, 60, 26.2)],
)
def test_a_passage_takes_as_long_as_free_fall_says(
    height_mm: float, depth_mm: float, expected_ms: float
) -> None:
    assert passage_ns(height_mm, depth_mm) == pytest.approx(expected_ms * MS, rel=0.01)


@given(
    st.floats(min_value=0.001, max_value=0.1),
    st.floats(min_value=0.001, max_value=0.1),
)
def test_a_passage_is_the_difference_of_two_falls(depth_m: float, height_m: float) -> None:
    def fall_s(way_m: float) -> float:
        return math.sqrt(2 * way_m / 9.80665)

    expected_s = fall_s(depth_m + height_m) - fall_s(depth_m)
    found_ns = passage_ns(height_m * 1000, depth_m * 1000)
    assert found_ns == pytest.approx(expected_s * 1e9, abs=2)


def test_a_flat_piece_without_chance_is_exactly_free_fall() -> None:
    edges = made(Manner.CLEAN, 1, chance=STILL)
    assert edges == ((0, True), (passage_ns(8, 30), False))


def test_a_piece_on_edge_without_chance_is_exactly_free_fall() -> None:
    edges = made(Manner.EDGE, 1, JACK, chance=STILL)
    assert edges == ((0, True), (passage_ns(34, 30), False))


@pytest.mark.parametrize("manner", [m for m in Manner if m is not Manner.HAND])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_edges_alternate_and_never_run_back(manner: Manner, count: int) -> None:
    for seed in SEEDS:
        edges = made(manner, seed, *[PUCK] * count)
        assert [active for _, active in edges] == [i % 2 == 0 for i in range(len(edges))]
        assert all(a < b for (a, _), (b, _) in itertools.pairwise(edges))
        assert not edges or edges[0][0] == 0


@pytest.mark.parametrize(
    ("manner", "count", "expected"),
    [
        (Manner.CLEAN, 3, 3),
        (Manner.EDGE, 3, 3),
        (Manner.TUMBLING, 1, 2),
        (Manner.DOUBLE, 2, 1),
        (Manner.DOUBLE, 3, 1),
        (Manner.MISSED, 2, 0),
    ],
)
def test_each_manner_makes_its_own_number_of_pulses(
    manner: Manner, count: int, expected: int
) -> None:
    for seed in SEEDS:
        assert len(pulses(made(manner, seed, *[PUCK] * count))) == expected


def test_clean_pieces_and_pieces_on_edge_do_not_overlap_in_width() -> None:
    widest_flat = max(pulses(made(Manner.CLEAN, s))[0][1] for s in SEEDS)
    narrowest_edge = min(pulses(made(Manner.EDGE, s))[0][1] for s in SEEDS)
    assert 7 * MS < widest_flat < narrowest_edge < 60 * MS


def test_two_at_once_are_wider_than_one_and_narrower_than_two_apart() -> None:
    for seed in SEEDS:
        [(_, width_ns)] = pulses(made(Manner.DOUBLE, seed, PUCK, PUCK, chance=STILL))
        assert passage_ns(8, 30) < width_ns < 2 * passage_ns(8, 30)


def test_the_halves_of_a_tumbling_piece_lie_closer_than_a_second_piece_could() -> None:
    for seed in SEEDS:
        (_, first_ns), (start_ns, _) = pulses(made(Manner.TUMBLING, seed))
        assert 2 * MS < start_ns - first_ns < 15 * MS


def test_spikes_are_shorter_than_what_counts_as_a_pulse() -> None:
    for seed in SEEDS:
        widths_ns = sorted(width for _, width in pulses(made(Manner.NOISY, seed)))
        assert len(widths_ns) >= 3
        assert widths_ns[-2] < 2 * MS < 6 * MS < widths_ns[-1]


def test_a_stuck_piece_never_leaves_the_beam() -> None:
    edges = made(Manner.STUCK, 3, PUCK, PUCK)
    assert edges[-1][1] is True
    assert len(edges) == 3


def test_a_hand_stays_longer_than_any_piece_and_shorter_than_a_block() -> None:
    for seed in SEEDS:
        found = pulses(hand_edges(random.Random(seed)))
        assert len(found) in (1, 2)
        assert all(100 * MS < width < 2_000 * MS for _, width in found)


def test_contacts_bounce_for_less_than_five_milliseconds_and_end_where_they_should() -> None:
    for seed, down in itertools.product(SEEDS, (True, False)):
        edges = contact_edges(down, random.Random(seed))
        assert edges[0] == (0, down)
        assert edges[-1][1] is down
        assert edges[-1][0] < 5 * MS


def test_contacts_do_bounce_more_often_than_not() -> None:
    clean = sum(len(contact_edges(True, random.Random(seed))) == 1 for seed in SEEDS)
    assert clean < len(SEEDS) / 2


@pytest.mark.parametrize("manner", Manner)
def test_one_seed_always_makes_the_same_edges(manner: Manner) -> None:
    sizes = () if manner is Manner.HAND else (PUCK, JACK)
    first, second = (fall_edges(sizes, manner, random.Random(99)) for _ in range(2))
    assert first == second


def test_nothing_cannot_fall() -> None:
    with pytest.raises(ValueError, match="at least one piece"):
        fall_edges((), Manner.CLEAN, random.Random(1))


def test_manners_are_drawn_as_often_as_the_table_says() -> None:
    rng = random.Random(5)
    drawn = [random_manner(rng) for _ in range(5000)]
    assert set(drawn) == set(MANNERS)
    for manner, share in MANNERS.items():
        assert drawn.count(manner) / 5000 == pytest.approx(share, abs=0.02)
    assert sum(MANNERS.values()) == pytest.approx(1)


def test_a_piece_of_another_system_has_no_size() -> None:
    with pytest.raises(KeyError):
        size_of(Piece.QUEEN, RuleSystem.HIKONE)
