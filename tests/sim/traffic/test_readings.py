"""The board's readings against the generator: the same numbers, and close to the ceiling.

The firmware cannot import the simulation, so it has the published table's numbers in its own terms.
The first half of these tests checks that the two agree. The second half measures.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.proposing import propose
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.question import AtRest
from jackspot.dialogue.state.view import Phase
from jackspot.readings import skill, usual
from jackspot.readings.reading import WidthModel
from jackspot.readings.usual import Pocketed
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import (
    FLAT_HEIGHT_MM,
    AimedAt,
    BeamPassage,
    Outcome,
    PieceRole,
    Strength,
)
from jackspot_sim.chance.laws import MS
from jackspot_sim.chance.pulses import passage_ns, size_of
from jackspot_sim.traffic.ceiling import best, content_of, posterior
from jackspot_sim.traffic.matches import TimedTurn
from jackspot_sim.traffic.measure import (
    HELD_OUT_SEEDS,
    LINEUPS,
    PAIRS,
    SINGLES,
    TEST_SEEDS,
    TUNING_SEEDS,
    Figures,
    board_reader,
    board_readings,
    falls_of,
    measure,
    sensed_turns,
)
from jackspot_sim.traffic.shots import (
    BESIDE,
    OUTCOMES,
    Stand,
    order_chances,
    outcome_chances,
    pocket_chance,
    stand_of,
)
from tests.conftest import thinned

# the same numbers


def counted(outcome: Outcome) -> Pocketed:
    own, opponents, strikers, jacks = (outcome.count(kind) for kind in PieceRole)
    return own, opponents, strikers, jacks


@pytest.mark.parametrize("aim", AimedAt)
def test_the_priors_of_strokes_are_those_of_the_published_table(aim: AimedAt) -> None:
    published, priors = OUTCOMES[aim], usual.HABITS[usual.Aim[aim.name]].strokes
    assert {counted(outcome) for outcome in published} == set(priors)
    for outcome, row in published.items():
        assert priors[counted(outcome)] == pytest.approx([100_000 * each for each in row.values])


def test_the_other_priors_are_those_of_the_published_table() -> None:
    assert tuple(table.FEWER[k].values for k in (PieceRole.OWN, PieceRole.OPPONENTS)) == usual.FEWER
    assert usual.STRIKER_LAST == table.STRIKER_LAST
    assert tuple(table.FAR_POCKETS[kind] for kind in PieceRole) == usual.FAR_POCKETS
    assert tuple(table.SAME_POCKET[kind] for kind in PieceRole) == usual.SAME_POCKET
    assert usual.AT_ONCE == table.AT_ONCE
    assert usual.BESIDE == BESIDE
    hasty = table.HASTY_HAND.values
    assert pytest.approx(sum(hasty) / len(hasty)) == usual.HAND_AFTER_STRIKER
    assert usual.HAND_AGAIN == table.HAND_TWICE


def test_hands_and_ghosts_are_weighed_against_the_strokes_that_pocket_something() -> None:
    """Each is as frequent as in the table, relative to how often a stroke pockets anything."""
    rows = [*table.STROKES.values()]
    pocketing = sum(sum(row.values) for row in rows) / 4
    stray = sum(table.STRAY_HAND.values) / 4
    ghosts = sum(table.GHOST.values) / 4
    assert pytest.approx(stray / pocketing, rel=0.15) == usual.HAND_IN_PLAY
    assert pytest.approx(ghosts / pocketing, rel=0.15) == usual.FLASH


def test_the_widths_are_those_of_the_published_table() -> None:
    """The medians are the same; the spreads are wider, for beams that are not quite in place."""
    widths = WidthModel()
    flat, edge = table.flat_width(PieceRole.OWN), table.edge_width(PieceRole.OWN)
    assert widths.flat_ns / MS == pytest.approx(flat.median_ms, rel=0.01)
    assert widths.on_edge_ns / MS == pytest.approx(edge.median_ms, rel=0.01)
    assert flat.spread < widths.flat_spread < 1.5 * flat.spread
    assert edge.spread < widths.on_edge_spread < 1.5 * edge.spread
    assert table.TUMBLE_SPREAD < widths.tumbling_spread < 1.5 * table.TUMBLE_SPREAD
    assert table.OVERLAP_SPREAD < widths.overlap_spread < 1.5 * table.OVERLAP_SPREAD
    assert widths.on_edge_share == table.MANNERS[BeamPassage.EDGE]
    assert widths.tumbling_share == table.MANNERS[BeamPassage.TUMBLING]
    assert widths.flicker_share == table.MANNERS[BeamPassage.FLICKER]
    assert widths.tumbling_part == table.TUMBLE_PART
    assert widths.tumbling_gap_ns == (table.TUMBLE_GAP.low_ms * MS, table.TUMBLE_GAP.high_ms * MS)
    assert widths.overlap_share == table.OVERLAPPED
    assert widths.overlap_of_flat == table.OVERLAP_OF_FLAT
    assert widths.overlap_of_edge == table.OVERLAP_OF_EDGE
    assert widths.overlap_edge_share == pytest.approx(1 - table.OVERLAP_FLAT)
    assert (widths.hand_ns / MS, widths.hand_spread) == (
        table.HAND_WIDTH.median_ms,
        table.HAND_WIDTH.spread,
    )
    assert (widths.flash_ns / MS, widths.flash_spread) == (
        table.GHOST_WIDTH.median_ms,
        table.GHOST_WIDTH.spread,
    )


@pytest.mark.parametrize(
    ("kind", "piece"),
    [
        (PieceRole.OWN, Piece.WHITE),
        (PieceRole.JACK, Piece.QUEEN),
        (PieceRole.STRIKER, Piece.STRIKER),
    ],
)
def test_the_pieces_of_carrom_are_as_wide_as_in_the_published_table(
    kind: PieceRole, piece: Piece
) -> None:
    widths = WidthModel().of_board(Piece.QUEEN)
    disc = widths.discs[piece]
    flat, edge = table.flat_width(kind, queen=True), table.edge_width(kind, queen=True)
    assert widths.flat_ns * disc.flat / MS == pytest.approx(flat.median_ms, rel=0.01)
    assert widths.on_edge_ns * disc.edge / MS == pytest.approx(edge.median_ms, rel=0.01)
    size = size_of(piece, RuleSystem.ICF)
    assert edge.median_ms == pytest.approx(passage_ns(size.diameter_mm, table.DEPTH_MM) / MS)


STANDS = [
    (12, 12, AimedAt.PIECES), (5, 9, AimedAt.PIECES), (1, 3, AimedAt.PIECES),
    (0, 4, AimedAt.JACK), (8, 9, AimedAt.QUEEN_TOO), (1, 5, AimedAt.QUEEN_FIRST),
]  # fmt: skip


@pytest.mark.parametrize(("own", "opponents", "aim"), STANDS)
def test_what_is_usual_is_what_the_generator_draws(own: int, opponents: int, aim: AimedAt) -> None:
    pieces = dict(zip(PieceRole, (Piece.RED, Piece.GREEN, Piece.STRIKER, Piece.JACK), strict=True))
    left = dict(zip(PieceRole, (own, opponents, 1, 1), strict=True))
    for index, strength in enumerate(Strength):
        only = tuple(float(index == other) for other in range(4))
        known = usual.Aim[aim.name]
        board = usual.Usual((own, opponents, 1, 1), 12, known, (only[0], only[1], only[2], only[3]))
        chances = outcome_chances(Stand(Seat.N, left, pieces, aim), strength)
        for outcome, chance in chances.items():
            if outcome:
                assert board.often(counted(outcome)) == pytest.approx(100_000 * chance)
        assert board.anything() == pytest.approx(100_000 * (1 - chances[()]))
        for outcome in chances:
            for order, share in order_chances(outcome).items():
                if len(outcome) > 1:
                    last = order[-1] is PieceRole.STRIKER
                    often = board.in_order(counted(outcome), striker_last=last)
                    assert often == pytest.approx(100_000 * chances[outcome] * share)


def test_pockets_are_as_usual_as_the_generator_draws_them() -> None:
    for place, kind in enumerate(PieceRole):
        for pocket in Pocket:
            for seat in Seat:
                for before in (None, *Pocket):
                    share = usual.pocket_share(place, pocket, seat, before)
                    assert share == pytest.approx(pocket_chance(kind, pocket, seat, before))


# how well somebody plays


def after(strokes: Sequence[tuple[Seat, tuple[Piece, ...]]]) -> Match:
    match = Match.begin(SINGLES)
    for seat, pieces in strokes:
        assert match.state.next is seat
        departures = tuple(Departure(piece, Pocket.SE) for piece in pieces)
        match = match.enter(Stroke(seat, departures))
    return match


def test_before_the_first_stroke_anybody_may_be_playing() -> None:
    assert skill.skill_of((), Seat.N) == pytest.approx((0.25, 0.25, 0.25, 0.25))


def test_who_misses_like_a_child_is_taken_for_one_and_who_never_misses_for_a_master() -> None:
    match = after([(Seat.N, (Piece.RED,))] * 7 + [(Seat.N, ())] + [(Seat.S, ()), (Seat.N, ())] * 9)
    child, _, _, master = skill.skill_of(match.steps, Seat.S)
    assert child > 0.5 > 10 * master
    match = after([(Seat.N, (Piece.RED,))] * 9)
    child, _, _, master = skill.skill_of(match.steps, Seat.N)
    assert master > 0.7 > 50 * child


def test_nobody_is_ever_held_to_be_impossible() -> None:
    full = skill.PARTS - 1
    for strokes, hits in ((200, 0), (40, 40)):
        found = skill.skill_after((*((0, 0, 0),) * full, (strokes, hits, 0)))
        assert min(found) > 0.001
        assert sum(found) == pytest.approx(1.0)


def test_who_hits_three_of_twenty_is_a_child_on_a_full_board_and_none_on_an_empty_one() -> None:
    """Judged as if the board were half full, a child was taken for a beginner."""
    none, seen = (0, 0, 0), (40, 6, 0)
    empty = (none,) * (skill.PARTS - 1)
    child, beginner, _, _ = skill.skill_after((*empty, seen))
    assert child > beginner
    child, beginner, _, _ = skill.skill_after((seen, *empty))
    assert child < beginner


def test_a_stroke_is_judged_by_what_lay_there_before_it() -> None:
    full = after([(Seat.N, ()), (Seat.S, ())])
    least = after([(Seat.N, (Piece.RED,))] * 11 + [(Seat.N, ()), (Seat.S, ())])
    before = least.steps[:11]
    [judged_full], [judged_least] = (
        [skill.skill_of(match.steps, Seat.N)] for match in (full, least)
    )
    lone = skill.skill_after((*((0, 0, 0),) * (skill.PARTS - 1), (1, 0, 0)))
    assert judged_full == lone
    hits = tuple((1, 1, 0) for _ in range(skill.PARTS - 1))
    assert skill.skill_of(before, Seat.N) == skill.skill_after(((0, 0, 0), *hits))
    assert judged_least == skill.skill_after(((1, 0, 0), *hits))


def test_strokes_at_the_jack_say_nothing_of_how_own_pieces_are_hit() -> None:
    match = after([(Seat.N, (Piece.RED,))] * 12)
    missed = match.enter(Stroke(Seat.N)).enter(Stroke(Seat.S)).enter(Stroke(Seat.N))
    assert skill.skill_of(missed.steps, Seat.N) == skill.skill_of(match.steps, Seat.N)


@pytest.mark.parametrize("strength", [Strength.CHILD, Strength.MASTER])
def test_after_a_match_the_board_knows_a_child_from_a_master(strength: Strength) -> None:
    *_, last = sensed_turns(strength, [3])
    found = dict(zip(Strength, skill.skill_of(last.after.steps, Seat.N), strict=True))
    other = Strength.MASTER if strength is Strength.CHILD else Strength.CHILD
    assert found[strength] > 10 * found[other]


# close to the ceiling


def test_seeds_for_tuning_and_for_tests_are_held_out_of_what_is_published() -> None:
    assert not {*TUNING_SEEDS, *TEST_SEEDS} & set(HELD_OUT_SEEDS)
    assert not set(TUNING_SEEDS) & set(TEST_SEEDS)


def last_of(strength: Strength, count: int, widths: WidthModel | None = None,
            depth_mm: float = table.DEPTH_MM,
            rules: RuleSystem = RuleSystem.HIKONE) -> Figures:  # fmt: skip
    *_, figures = measure(strength, TEST_SEEDS, count, board_reader(widths), depth_mm, rules)
    assert figures.strokes == count
    return figures


def widths_for(rules: RuleSystem) -> WidthModel | None:
    """Return the widths that first readings are measured with: None for those a board starts with.

    A flat carrom striker differs from a man by a tenth of its time. Beams whose depth is only
    roughly known cannot tell that, so there the beam is a calibrated one.
    """
    return None if rules is RuleSystem.HIKONE else calibrated(table.DEPTH_MM)


@pytest.mark.parametrize(
    ("strength", "rules"),
    thinned(
        product(Strength, LINEUPS),
        set(zip((Strength.CHILD, Strength.MASTER), LINEUPS, strict=True)),
    ),
)
def test_first_readings_come_near_the_ceiling(strength: Strength, rules: RuleSystem) -> None:
    """With few strokes: within a point and three standard errors."""
    count = 400 if rules is RuleSystem.HIKONE else 200
    figures = last_of(strength, count, widths_for(rules), rules=rules)
    assert figures.behind < 0.01 + 3 * figures.behind_error
    assert abs(figures.right_share - (figures.ceiling - figures.behind)) < 3.5 * figures.right_error


@pytest.mark.long
@pytest.mark.parametrize("rules", LINEUPS)
@pytest.mark.parametrize("strength", Strength)
def test_first_readings_come_within_one_point_of_the_ceiling(
    strength: Strength, rules: RuleSystem
) -> None:
    figures = last_of(strength, 10_000, widths_for(rules), rules=rules)
    assert figures.behind + 2 * figures.behind_error < 0.01


@pytest.mark.long
@pytest.mark.parametrize("depth_mm", [15.0, 60.0])
@pytest.mark.parametrize("strength", Strength)
def test_a_calibrated_beam_of_any_depth_reads_within_one_point(
    strength: Strength, depth_mm: float
) -> None:
    figures = last_of(strength, 4_000, calibrated(depth_mm), depth_mm)
    assert figures.behind + 2 * figures.behind_error < 0.01


def calibrated(depth_mm: float) -> WidthModel:
    return WidthModel(
        flat_ns=passage_ns(FLAT_HEIGHT_MM, depth_mm),
        on_edge_ns=passage_ns(30.0, depth_mm),
        flat_spread=0.12,
        on_edge_spread=0.14,
        tumbling_spread=0.20,
        overlap_spread=0.16,
        tipping_share=0.0,
    )


def test_a_calibration_is_worth_more_than_the_widths_a_board_starts_with() -> None:
    figures, calibrated_figures = (
        last_of(Strength.MASTER, 250, widths, depth_mm=15.0) for widths in (None, calibrated(15.0))
    )
    assert calibrated_figures.behind < figures.behind < 0.01


def test_a_calibration_is_worth_most_where_a_striker_is_larger() -> None:
    """Measured with a child, who pockets a striker for every third own piece."""
    figures, calibrated_figures = (
        last_of(Strength.CHILD, 200, widths, rules=RuleSystem.ICF)
        for widths in (None, calibrated(table.DEPTH_MM))
    )
    assert calibrated_figures.behind < 0.01 < figures.behind < 0.03


def some_turns(count: int, rules: RuleSystem = RuleSystem.HIKONE) -> list[TimedTurn]:
    found: list[TimedTurn] = []
    for turn in sensed_turns(Strength.CLUB, TUNING_SEEDS, rules=rules):
        found.append(turn)
        if len(found) == count:
            return found
    raise AssertionError("more seeds are needed")


@pytest.mark.parametrize("rules", LINEUPS)
def test_what_is_proposed_at_the_table_is_the_reading_that_is_measured(rules: RuleSystem) -> None:
    """Nothing that the dialogue does to a stroke in play changes which reading is first."""
    compared = 0
    for turn in some_turns(120, rules):
        game = Game(turn.before)
        dialogue = InMatch(DialogueSettings(), Plan(), question=AtRest(Phase.READY), game=game)
        shown = propose(dialogue, falls_of(turn.shot.falls), 10**12).readings[0]
        read = board_readings(turn, WidthModel())[0]
        if not shown.missed:
            compared += 1
            assert content_of(shown.departures) == content_of(read.departures)
    assert compared > 100


def test_the_ceiling_is_never_beaten_where_probabilities_are_exact() -> None:
    reader = board_reader()
    for turn in some_turns(150):
        chances = posterior(turn.shot.stand, Strength.CLUB, turn.shot.falls)
        assert chances.get(reader(turn), 0.0) <= chances[best(chances)]


def test_stands_and_scenes_agree_on_who_may_play_the_jack() -> None:
    rng = random.Random(5)
    for turn in rng.sample(some_turns(200), 40):
        assert stand_of(turn.before.state) == turn.shot.stand
    assert PAIRS.seats != SINGLES.seats
