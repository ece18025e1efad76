"""The fit to drops: its widths explain further drops better, and are never nonsense."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.calibration.measuring.doubts import Doubt, doubt
from jackspot.calibration.measuring.fit import calibrated, fitted, free_fall_ns
from jackspot.calibration.measuring.measured import (
    PIECES,
    Drop,
    DropPlace,
    Measured,
    PieceKind,
    PieceSet,
)
from jackspot.calibration.measuring.telling_apart import Surely, right_share, spreads, tellings
from jackspot.core.pieces import Piece, Pocket
from jackspot.readings.widths import PUCK, WidthModel
from jackspot.values import changed
from jackspot_sim.chance.pulses import passage_ns
from jackspot_sim.traffic.drops import dropped, one, two
from tests.conftest import thinned

MS = 1_000_000
START = WidthModel()
CENTRES = {PieceSet.CAROM: Piece.JACK, PieceSet.CARROM: Piece.QUEEN}


def log_likelihood(model: WidthModel, measured: Measured) -> float:
    """Return how well widths explain drops: the sum of the logarithms of their densities."""
    pieces = PIECES[measured.pieces]
    model = model.of_board(CENTRES[measured.pieces])
    return sum(
        math.log(model.at(place.pocket).one(pieces[place.kind][0], drop.fall(place.pocket)))
        for place, drops in measured.drops.items()
        for drop in drops
    )


spans = st.lists(st.integers(1, 3_000 * MS), min_size=1, max_size=5).map(
    lambda each: Drop(tuple(each if len(each) % 2 else each[:-1]))
)
anything = st.dictionaries(
    st.builds(DropPlace, st.sampled_from(Pocket), st.sampled_from(PieceSet.CAROM.kinds)),
    st.lists(spans, min_size=1, max_size=6).map(tuple),
    max_size=6,
).map(lambda drops: Measured(PieceSet.CAROM, drops))


def numbers(model: WidthModel) -> list[float]:
    plain = [getattr(model, name) for name in model.__struct_fields__]
    discs = [part for disc in model.discs.values() for part in disc]
    return [each for each in plain if isinstance(each, float)] + discs


# --- what further drops say --------------------------------------------------------------


@settings(max_examples=12)
@given(
    st.sampled_from(PieceSet), st.integers(8, 20), st.floats(10, 80), st.integers(0, 10**6),
)  # fmt: skip
def test_a_fit_explains_further_drops_as_well_or_better(
    pieces: PieceSet, each: int, depth_mm: float, seed: int
) -> None:
    """At about 30 mm a board's initial widths are right already, so a fit loses next to nothing.

    Its loss there is less than a twentieth of the gain at a depth of 15 or 60 mm.
    """
    fit = calibrated(START, [dropped(pieces, each, depth_mm, seed)])
    further = dropped(pieces, 60, depth_mm, seed + 1)
    gain = (log_likelihood(fit, further) - log_likelihood(START, further)) / further.count
    assert gain > -0.05
    if not 20 < depth_mm < 45:
        assert gain > 0.2


@pytest.mark.parametrize("pieces", PieceSet)
@pytest.mark.parametrize("depth_mm", [8.0, 15.0, 30.0, 60.0, 100.0])
def test_medians_are_those_of_free_fall_at_the_beams_own_depth(
    pieces: PieceSet, depth_mm: float
) -> None:
    fit = fitted(START, dropped(pieces, 20, depth_mm, 3))
    kind = pieces.kinds[0]
    piece = PIECES[pieces][kind][0]
    size_mm = 30.0 if pieces is PieceSet.CAROM else 31.0
    for model in fit.values():
        disc = model.discs[piece]
        flat_ns = passage_ns(9.04 + 0.0349 * (size_mm - 30), depth_mm)
        assert model.flat_ns * disc.flat == pytest.approx(flat_ns, rel=0.08)
        on_edge_ns = passage_ns(size_mm, depth_mm)
        assert model.on_edge_ns * disc.edge == pytest.approx(on_edge_ns, rel=0.12)


def test_each_pocket_has_its_own_depth() -> None:
    measured = dropped(PieceSet.CAROM, 12, 15.0, 1, (Pocket.NE,))
    deep = dropped(PieceSet.CAROM, 12, 60.0, 1, (Pocket.SW,))
    fit = calibrated(START, [changed(measured, drops={**measured.drops, **deep.drops})])
    assert fit.at(Pocket.NE).flat_ns == pytest.approx(passage_ns(9.04, 15), rel=0.06)
    assert fit.at(Pocket.SW).flat_ns == pytest.approx(passage_ns(9.04, 60), rel=0.06)
    assert fit.at(Pocket.NW) is fit, "nothing was dropped there: as every board begins"


def test_free_fall_is_that_of_the_simulated_table() -> None:
    assert free_fall_ns(9.0, 40.0) == pytest.approx(passage_ns(9.0, 40.0), rel=1e-6)


# --- evidence ----------------------------------------------------------------------------


@given(st.floats(8.5, 15.0), st.sampled_from(PieceSet.CAROM.kinds))
def test_the_more_drops_say_the_same_the_nearer_the_fit_comes(
    width_ms: float, kind: PieceKind
) -> None:
    drop = Drop((round(width_ms * MS),))
    said = math.log(width_ms * MS)
    place = DropPlace(Pocket.SE, kind)
    piece = PIECES[PieceSet.CAROM][kind][0]
    away = []
    for count in (0, 1, 2, 4, 8, 16, 32):
        measured = Measured(PieceSet.CAROM, {place: (drop,) * count} if count else {})
        model = calibrated(START, [measured]).at(Pocket.SE)
        away.append(abs(math.log(model.flat_ns * model.discs.get(piece, PUCK).flat) - said))
    for before, after in itertools.pairwise(away):
        assert after <= before + 2e-3, "a piece may have leaned a little, whatever it took"
    assert away[-1] <= 0.02 + 0.1 * away[0]


def test_no_drop_changes_nothing() -> None:
    assert calibrated(START, [Measured(PieceSet.CAROM), Measured(PieceSet.CARROM)]) == START


@given(anything)
def test_whatever_was_sensed_the_widths_are_sound(measured: Measured) -> None:
    fit = calibrated(START, [measured])
    for model in fit.beams.values():
        assert all(math.isfinite(each) and each > 0 for each in numbers(model))
    for pocket in Pocket:
        here = fit.at(pocket)
        for telling in tellings(fit, PieceSet.CAROM, pocket):
            assert 0.5 - 1e-9 <= telling.right <= 1.0
        for drops in measured.drops.values():
            fall = drops[0].fall(pocket)
            assert math.isfinite(here.one(Piece.RED, fall))
            assert here.one(Piece.RED, fall) > 0
    assert math.isfinite(log_likelihood(fit, measured))


@given(anything, st.randoms(use_true_random=False))
def test_the_order_of_drops_does_not_matter(measured: Measured, rng: random.Random) -> None:
    shuffled = {place: tuple(rng.sample(each, len(each))) for place, each in measured.drops.items()}
    first = calibrated(START, [measured])
    second = calibrated(START, [changed(measured, drops=dict(reversed(shuffled.items())))])
    for pocket in first.beams:
        assert numbers(second.beams[pocket]) == pytest.approx(
            numbers(first.beams[pocket]), rel=1e-3
        )


def test_a_few_odd_drops_do_not_move_a_fit() -> None:
    clean = dropped(PieceSet.CAROM, 10, 30.0, 5, (Pocket.NE,))
    odd = clean
    for width_ms in (3, 70, 900):
        odd = odd.with_drop(DropPlace(Pocket.NE, PieceKind.PUCK), Drop((width_ms * MS,)))
    before, after = fitted(START, clean)[Pocket.NE], fitted(START, odd)[Pocket.NE]
    assert after.flat_ns == pytest.approx(before.flat_ns, rel=0.01)
    assert after.on_edge_ns == pytest.approx(before.on_edge_ns, rel=0.05)


def test_other_pieces_stay_as_they_were() -> None:
    fit = calibrated(START, [dropped(PieceSet.CARROM, 5, 15.0, 1)])
    assert fit.of_board(Piece.JACK).at(Pocket.NE).flat_ns == START.flat_ns
    assert fit.of_board(Piece.QUEEN).at(Pocket.NE).flat_ns > 1.2 * START.flat_ns


# --- telling kinds apart -----------------------------------------------------------------


def test_pieces_of_one_size_cannot_be_told_apart_and_a_thicker_one_can() -> None:
    carom = calibrated(START, [dropped(PieceSet.CAROM, 20, 30.0, 2)])
    for telling in tellings(carom, PieceSet.CAROM, Pocket.NE):
        if telling.second is PieceKind.STRIKER and telling.first is PieceKind.PUCK:
            assert telling.surely is Surely.NOT
            assert "puck and striker: cannot be told apart by width here (5" in str(telling)
    carrom = calibrated(START, [dropped(PieceSet.CARROM, 20, 30.0, 2)]).of_board(Piece.QUEEN)
    right = right_share(carrom.at(Pocket.NE), PieceSet.CARROM, PieceKind.MAN, PieceKind.STRIKER)
    assert 0.62 < right < 0.82


def test_equal_pieces_are_guessed_and_far_ones_are_sure() -> None:
    assert right_share(START, PieceSet.CAROM, PieceKind.PUCK, PieceKind.STRIKER) == pytest.approx(
        0.5
    )
    far = changed(
        START, tipping_share=0.0, discs={Piece.STRIKER: PUCK._replace(flat=4.0, edge=4.0)}
    )
    assert right_share(far, PieceSet.CAROM, PieceKind.PUCK, PieceKind.STRIKER) > 0.95


def test_the_more_kinds_differ_the_surer_they_are_told_apart() -> None:
    shares = [
        right_share(
            changed(START, discs={Piece.STRIKER: PUCK._replace(flat=flat)}),
            PieceSet.CAROM, PieceKind.PUCK, PieceKind.STRIKER,
        )
        for flat in (1.0, 1.05, 1.1, 1.2, 1.4)
    ]  # fmt: skip
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_spreads_are_quartiles_of_the_longest_pulses() -> None:
    measured = Measured(PieceSet.CAROM)
    for width_ms in (10, 11, 12, 13, 14):
        measured = measured.with_drop(DropPlace(Pocket.NE, PieceKind.JACK), Drop((width_ms * MS,)))
    [spread] = spreads(measured)
    assert (spread.least_ns, spread.low_ns, spread.median_ns) == (10 * MS, 11 * MS, 12 * MS)
    assert (spread.high_ns, spread.most_ns, spread.count) == (13 * MS, 14 * MS, 5)


# --- doubts ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "depth_mm"),
    thinned(
        [(pieces, depth_mm) for pieces in PieceSet for depth_mm in (15.0, 30.0, 60.0)],
        {(PieceSet.CAROM, 15.0), (PieceSet.CARROM, 30.0), (PieceSet.CAROM, 60.0)},
    ),
)
def test_single_pieces_are_taken_and_most_doubles_refused(
    pieces: PieceSet, depth_mm: float
) -> None:
    rng = random.Random(11)
    kind, base = pieces.kinds[0], START.of_board(CENTRES[pieces])
    earlier = [(kind, one(pieces, kind, depth_mm, rng)) for _ in range(8)]

    def refused(drop: Drop) -> bool:
        return doubt(base, pieces, earlier, kind, drop) is not Doubt.NONE

    singles = sum(refused(one(pieces, kind, depth_mm, rng)) for _ in range(150))
    doubles = [two(pieces, kind, depth_mm, rng) for _ in range(150)]
    at_once = [drop for drop in doubles if len(drop.spans_ns) == 1]
    assert singles <= 9, "about one in twenty turns over and looks like two"
    assert sum(map(refused, at_once)) >= 0.5 * len(at_once)


@given(st.integers(250, 1_900), st.integers(0, 10))
def test_a_hand_is_never_a_piece(width_ms: int, count: int) -> None:
    earlier = [(PieceKind.PUCK, Drop((11 * MS,)))] * count
    found = doubt(START, PieceSet.CAROM, earlier, PieceKind.JACK, Drop((width_ms * MS,)))
    assert found in (Doubt.HAND, Doubt.FAR)


@pytest.mark.parametrize("depth_mm", [6.0, 15.0, 30.0, 60.0, 100.0])
def test_the_first_piece_may_take_any_time_that_a_piece_can_take(depth_mm: float) -> None:
    drop = Drop((passage_ns(9.04, depth_mm),))
    assert doubt(START, PieceSet.CAROM, [], PieceKind.PUCK, drop) is Doubt.NONE


@pytest.mark.parametrize("spans", [(), (1, 2), (5, 0, 5), (-1,)])
def test_a_drop_is_pulse_gap_pulse(spans: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"pulse, gap|min\(\)|empty"):
        Drop(spans)


def test_nothing_can_be_taken_back_where_nothing_was_dropped() -> None:
    with pytest.raises(ValueError, match="nothing was dropped"):
        Measured(PieceSet.CAROM).without_last(DropPlace(Pocket.NE, PieceKind.PUCK))
