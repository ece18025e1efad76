"""Generated matches: every stroke can have happened, and beams see what the table says."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag
from jackspot.sensing.beams import Beam
from jackspot.sensing.events import Edge, Fall, Pulse
from jackspot.sensing.falls import Falls
from jackspot.sensing.limits import Limits
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import BeamPassage, PieceRole, Referee, Strength
from jackspot_sim.traffic.matches import TimedTurn, draw_shot, play
from jackspot_sim.traffic.passing import Cause, Passage
from jackspot_sim.traffic.people import fetched_from
from jackspot_sim.traffic.shots import BESIDE, outcome_chances, stand_of

SINGLES = agree({"rules": "hikone"})
PAIRS = agree({"rules": "hikone", "seats": ["N", "E", "S", "W"]})


def turns(
    settings: MatchSettings = SINGLES,
    strength: Strength = Strength.CLUB,
    referee: Referee = Referee.CARELESS,
    seeds: int = 10,
) -> list[TimedTurn]:
    among_pairs = settings is PAIRS
    assert among_pairs or settings is SINGLES
    return [
        turn
        for seed in range(seeds)
        for turn in played(strength, referee, seed, among_pairs=among_pairs)
    ]


@cache
def played(
    strength: Strength, referee: Referee, seed: int, *, among_pairs: bool
) -> tuple[TimedTurn, ...]:
    return tuple(play(PAIRS if among_pairs else SINGLES, strength, referee, seed))


@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("settings", [SINGLES, PAIRS], ids=["singles", "pairs"])
def test_a_match_is_played_to_its_end_with_strokes_that_can_happen(
    settings: MatchSettings, strength: Strength
) -> None:
    match = Match.begin(settings)
    for turn in play(settings, strength, Referee.WATCHING, 3):
        assert turn.before == match
        match = match.enter(turn.shot.stroke)
        assert turn.after == match
    assert match.state.over


def test_the_same_seed_plays_the_same_strokes_before_any_referee() -> None:
    watched, unwatched = (
        [(turn.shot, turn.hands) for turn in play(SINGLES, Strength.CLUB, referee, 5)]
        for referee in (Referee.WATCHING, Referee.CARELESS)
    )
    assert watched == unwatched
    plans = [turn.plan for turn in play(SINGLES, Strength.CLUB, Referee.WATCHING, 5)]
    assert plans == [turn.plan for turn in play(SINGLES, Strength.CLUB, Referee.WATCHING, 5)]
    assert plans != [turn.plan for turn in play(SINGLES, Strength.CLUB, Referee.WATCHING, 6)]


def sensed(passages: tuple[Passage, ...], spikes: tuple[Pulse, ...] = ()) -> list[Fall]:
    """Return what the board makes of passages when their edges come over its wires."""
    found: list[Pulse] = []
    every = [pulse for passage in passages for pulse in passage.pulses] + list(spikes)
    for pocket in Pocket:
        beam = Beam.at_start(pocket, -(10**12))
        edges = sorted(
            (at_ns, active)
            for pulse in every
            if pulse.pocket is pocket
            for at_ns, active in ((pulse.start_ns, True), (pulse.end_ns, False))
        )
        for at_ns, active in edges:
            beam, events = beam.take(Edge(at_ns, pocket, active), Limits())
            found += [event for event in events if isinstance(event, Pulse)]
    falls, latest = Falls.at_start(Limits()), dict[int, Fall]()
    for pulse in sorted(found, key=lambda each: each.end_ns):
        falls, fall = falls.step(pulse)
        latest[fall.number] = fall
    return sorted(latest.values(), key=lambda each: each.start_ns)


def test_the_board_senses_one_fall_for_each_passage_and_nothing_of_the_noise() -> None:
    noisy = 0
    for turn in turns(PAIRS, Strength.CHILD, seeds=2):
        shot = turn.shot
        noisy += bool(shot.spikes)
        late = (shot.late,) if shot.late else ()
        passages = (*shot.falls, *late, *turn.hands)
        expected = sorted((each.start_ns, each.pocket, each.pulses) for each in passages)
        found = sensed(passages, shot.spikes)
        assert sorted((each.start_ns, each.pocket, each.pulses) for each in found) == expected
    assert noisy > 5


def test_what_fell_is_in_the_passages_or_was_missed_by_the_beams() -> None:
    missed = 0
    for turn in turns(PAIRS, Strength.MASTER, seeds=40):
        shot = turn.shot
        names = shot.stand.pieces
        seen = Counter(
            (names[kind], passage.pocket) for passage in shot.falls for kind in passage.kinds
        )
        missed += len(shot.missed)
        truth = Counter((each.piece, each.pocket) for each in shot.at_first)
        assert seen + Counter((each.piece, each.pocket) for each in shot.missed) == truth
    assert missed > 0


def test_outcomes_come_as_often_as_the_table_says() -> None:
    """Chi-squared over the usual outcomes: 5 degrees of freedom, once in a thousand over 20.5."""
    match, rng, count = Match.begin(SINGLES), random.Random(1), 4_000
    chances = outcome_chances(stand_of(match.state), Strength.CLUB)
    found: Counter[tuple[PieceRole, ...]] = Counter()
    for _ in range(count):
        shot = draw_shot(match, Strength.CLUB, rng)
        kinds = {piece: kind for kind, piece in shot.stand.pieces.items()}
        outcome = [kinds[each.piece] for each in shot.at_first]
        found[tuple(sorted(outcome, key=list(PieceRole).index))] += 1
    assert sum(chances.values()) == pytest.approx(1.0)
    usual = sorted(chances, key=lambda each: -chances[each])[:6]
    off = sum(
        (found[each] - count * chances[each]) ** 2 / (count * chances[each]) for each in usual
    )
    assert off < 20.5


def test_own_pucks_go_across_the_board_more_often_than_they_come_back() -> None:
    alone = [t.shot for t in turns(PAIRS, seeds=40) if len(t.shot.at_first) == 1]
    own = [s for s in alone if s.at_first[0].piece is s.stand.pieces[PieceRole.OWN]]
    far = sum(shot.at_first[0].pocket not in BESIDE[shot.stand.seat] for shot in own)
    error = (0.7 * 0.3 / len(own)) ** 0.5
    assert abs(far / len(own) - table.FAR_POCKETS[PieceRole.OWN]) < 3 * error


def test_a_pocketed_striker_brings_a_hand_into_its_pocket() -> None:
    with_striker = [
        turn
        for turn in turns(seeds=60)
        for each in turn.shot.stroke.departures
        if each.piece is Piece.STRIKER and each.pocket
    ]
    fetched = 0
    for turn in with_striker:
        pocket = next(d.pocket for d in turn.shot.stroke.departures if d.piece is Piece.STRIKER)
        hands = [p for p in (*turn.shot.falls, *turn.hands) if p.cause is Cause.HAND]
        fetched += any(each.pocket is pocket for each in hands)
    assert fetched / len(with_striker) > table.FETCH_IS_SEEN - 0.15


def test_pieces_to_be_placed_come_out_of_the_pockets_they_lie_in() -> None:
    lying = {Piece.RED: (Pocket.NE, Pocket.NE, Pocket.SW)}
    taken, left = fetched_from([Piece.RED, Piece.JACK], lying, random.Random(2))
    assert [piece for _, piece in taken] == [Piece.RED]
    assert sorted([*left[Piece.RED], taken[0][0]]) == sorted(lying[Piece.RED])


@pytest.mark.parametrize(
    ("referee", "row", "fell"),
    [
        (Referee.CARELESS, table.FORGETS_MISS, False),
        (Referee.CARELESS, table.FORGETS_STROKE, True),
        (Referee.TABLE_ONLY, table.FORGETS_MISS, False),
    ],
)
def test_people_forget_to_press_as_often_as_the_table_says(
    referee: Referee, row: table.FrequencyRow, fell: bool
) -> None:
    found = turns(referee=referee, seeds=40)
    plans = [turn.plan for turn in found if bool(turn.shot.at_first) == fell]
    share = sum(plan.press_ns is None for plan in plans) / len(plans)
    error = (row.of(referee) * (1 - row.of(referee)) / len(plans)) ** 0.5
    assert abs(share - row.of(referee)) < 3 * error


def test_people_see_what_no_beam_sees_and_forget_it_no_more_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    half = {BeamPassage.FLAT: 0.5, BeamPassage.MISSED: 0.5}
    monkeypatch.setattr(table, "MANNERS", {**dict.fromkeys(BeamPassage, 0.0), **half})
    matches = (play(SINGLES, Strength.MASTER, Referee.CARELESS, seed) for seed in range(40))
    unseen = [turn for each in matches for turn in each if turn.shot.missed and not turn.shot.falls]
    share = sum(turn.plan.press_ns is None for turn in unseen) / len(unseen)
    wanted = table.FORGETS_STROKE.of(Referee.CARELESS)
    assert abs(share - wanted) < 3 * (wanted * (1 - wanted) / len(unseen)) ** 0.5


def test_a_watching_referee_makes_no_mistake_that_stays() -> None:
    for turn in turns(referee=Referee.WATCHING, seeds=5):
        assert not turn.plan.overlooks
        assert not turn.plan.spoils
        assert turn.plan.noticed_after == 1


def test_flags_are_only_those_the_rules_have_room_for() -> None:
    singles = {flag for turn in turns(SINGLES, seeds=20) for flag in turn.shot.stroke.flags}
    pairs = {flag for turn in turns(PAIRS, seeds=20) for flag in turn.shot.stroke.flags}
    assert singles == {Flag.FOUL}
    assert pairs == {Flag.FOUL, Flag.AREA}


def test_each_seat_may_have_its_own_strength() -> None:
    strengths = {Seat.N: Strength.MASTER, Seat.S: Strength.CHILD}
    found = list(play(SINGLES, strengths, Referee.WATCHING, 1))
    assert {turn.shot.strength for turn in found if turn.shot.stand.seat is Seat.S} == {
        Strength.CHILD
    }


def test_rules_without_numbers_are_refused() -> None:
    settings = agree({"rules": "hikone", "options": {"opening": "mass_break"}})
    with pytest.raises(ValueError, match="opening = mass_break"):
        next(play(settings, Strength.CLUB, Referee.WATCHING, 1))
