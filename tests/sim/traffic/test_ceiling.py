"""The ceiling: exact probabilities, checked against brute force."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.sensing.events import Pulse
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import AimedAt, PieceRole, Referee, Strength
from jackspot_sim.chance.laws import MS
from jackspot_sim.traffic.ceiling import Content, best, content_of, posterior
from jackspot_sim.traffic.matches import TimedShot, draw_shot, play
from jackspot_sim.traffic.passing import Cause, Passage
from jackspot_sim.traffic.shots import Stand
from tests.conftest import thinned

SINGLES = agree({"rules": "hikone"})
PIECES = {
    PieceRole.OWN: Piece.RED,
    PieceRole.OPPONENTS: Piece.GREEN,
    PieceRole.STRIKER: Piece.STRIKER,
    PieceRole.JACK: Piece.JACK,
}


def stand(own: int = 12, opponents: int = 12, jack: int = 1, *, ready: bool = False) -> Stand:
    left = {
        PieceRole.OWN: own,
        PieceRole.OPPONENTS: opponents,
        PieceRole.STRIKER: 1,
        PieceRole.JACK: jack,
    }
    return Stand(Seat.N, left, PIECES, AimedAt.JACK if ready else AimedAt.PIECES)


def passage(pocket: Pocket, start_ms: float, *widths_ms: float, gap_ms: float = 6) -> Passage:
    pulses = []
    for width_ms in widths_ms:
        pulses.append(Pulse(pocket, round(start_ms * MS), round((start_ms + width_ms) * MS)))
        start_ms += width_ms + gap_ms
    return Passage(Cause.PIECES, pocket, (), tuple(pulses))


def shots(strength: Strength, count: int, seed: int = 1) -> list[TimedShot]:
    """Return this many strokes of generated matches in which beams saw something."""
    found: list[TimedShot] = []
    for match in range(seed * 1_000, seed * 1_000 + 1_000):
        for turn in play(SINGLES, strength, Referee.WATCHING, match):
            if turn.shot.falls:
                found.append(turn.shot)
            if len(found) == count:
                return found
    raise AssertionError("more matches are needed")


@pytest.mark.parametrize("strength", thinned(Strength, {Strength.CHILD, Strength.MASTER}))
def test_the_likeliest_is_right_as_often_as_its_probability_says(strength: Strength) -> None:
    """If the densities were wrong anywhere, this would drift by more than 3 standard errors."""
    found = shots(strength, 600)
    expected = right = spread = 0.0
    for shot in found:
        chances = posterior(shot.stand, strength, shot.falls)
        assert sum(chances.values()) == pytest.approx(1.0)
        chance = chances[best(chances)]
        expected += chance
        spread += chance * (1 - chance)
        right += best(chances) == content_of(shot.at_first)
    assert abs(right - expected) < 3 * spread**0.5


def kind_of_sight(shot: TimedShot) -> tuple[object, ...]:
    """Sort what was sensed into a few bins, by pockets, pulses and rough lengths."""
    return tuple(
        (
            each.pocket,
            len(each.pulses),
            sum(each.pulses[0].width_ns > ms * MS for ms in (8, 14, 24)),
        )
        for each in shot.falls
    )


@pytest.mark.parametrize(
    "strength",
    [Strength.CHILD, pytest.param(Strength.MASTER, marks=pytest.mark.long)],
)
def test_brute_force_finds_the_same_probabilities(strength: Strength) -> None:
    """Draw one shot from one board very often, sort by what was sensed, and count what it was.

    In each bin the count of each content agrees with the sum of its probabilities within 4
    standard errors, since some 40 pairs are compared.
    """
    match, rng = Match.begin(SINGLES), random.Random(f"brute force {strength}")
    seen: dict[object, list[TimedShot]] = defaultdict(list)
    for _ in range(12_000):
        shot = draw_shot(match, strength, rng)
        if shot.falls:
            seen[kind_of_sight(shot)].append(shot)
    compared = 0
    for bin_shots in seen.values():
        if len(bin_shots) < 30:
            continue
        some = bin_shots[:400]
        truth = Counter(content_of(shot.at_first) for shot in some)
        expected: dict[Content, float] = defaultdict(float)
        spread: dict[Content, float] = defaultdict(float)
        for shot in some:
            for content, chance in posterior(shot.stand, strength, shot.falls).items():
                expected[content] += chance
                spread[content] += chance * (1 - chance)
        for content, number in expected.items():
            if number > 5:
                compared += 1
                assert abs(truth[content] - number) < 4 * spread[content] ** 0.5
    assert compared > 20


def test_one_flat_piece_is_worth_what_the_table_says() -> None:
    """A flat pulse tells pucks and strikers apart by how often they fall and into which pockets."""
    chances = posterior(stand(), Strength.CLUB, [passage(Pocket.SE, 1_200, 11)])
    own, other = (chances[((piece, Pocket.SE),)] for piece in (Piece.RED, Piece.GREEN))
    strokes, far = table.STROKES, table.FAR_POCKETS
    expected = (
        strokes[(PieceRole.OWN,)].of(Strength.CLUB) * far[PieceRole.OWN]
        / (strokes[(PieceRole.OPPONENTS,)].of(Strength.CLUB) * far[PieceRole.OPPONENTS])
    )  # fmt: skip
    assert own / other == pytest.approx(expected)
    striker = chances[((Piece.STRIKER, Pocket.SE),)]
    hasty = 1 - table.HASTY_HAND.of(Strength.CLUB)
    alone = strokes[(PieceRole.STRIKER,)].of(Strength.CLUB) * far[PieceRole.STRIKER] * hasty
    usual = strokes[(PieceRole.OWN,)].of(Strength.CLUB) * far[PieceRole.OWN]
    assert striker / own == pytest.approx(alone / usual)


def test_a_hand_after_the_falls_says_that_the_striker_is_in_that_pocket() -> None:
    fall = passage(Pocket.SE, 1_200, 11)
    hand = passage(Pocket.SE, 2_000, 350)
    chances = posterior(stand(), Strength.CLUB, [fall, hand])
    assert best(chances) == ((Piece.STRIKER, Pocket.SE),)
    assert best(posterior(stand(), Strength.CLUB, [fall])) == ((Piece.RED, Pocket.SE),)


def test_what_is_not_on_the_board_has_no_probability() -> None:
    chances = posterior(stand(0, 3, ready=True), Strength.CLUB, [passage(Pocket.SE, 1_200, 11)])
    assert not any(piece is Piece.RED for content in chances for piece, _ in content)
    assert best(chances) == ((Piece.JACK, Pocket.SE),)


def test_falls_the_table_does_not_know_are_refused() -> None:
    with pytest.raises(ValueError, match="falls of one stroke"):
        posterior(stand(), Strength.CLUB, [passage(Pocket.SE, 1_200, 5, 5, 5, 5)])
