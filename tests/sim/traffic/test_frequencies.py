"""The published table: its chances are valid, and its page says the same."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from types import MappingProxyType

import pytest

from jackspot.core.pieces import Piece
from jackspot.core.settings import RuleSystem
from jackspot_sim.chance import frequencies as table, pulses
from jackspot_sim.chance.frequencies import FrequencyRow, PieceRole, Referee, Room, Strength
from jackspot_sim.chance.laws import Even, Skewed
from jackspot_sim.chance.shaking import MINUTE_NS, SONG_NS, draw_disturbances
from jackspot_sim.traffic.page import page
from jackspot_sim.traffic.shots import OUTCOMES

PAGE = Path(__file__).parents[3] / "sim" / "TRAFFIC.md"
ROWS = [
    (name, row)
    for name, value in vars(table).items()
    for row in (value.values() if isinstance(value, MappingProxyType) else [value])
    if isinstance(row, FrequencyRow)
]


def test_the_page_says_what_the_module_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "make it again: python -m jackspot_sim.traffic table > sim/TRAFFIC.md"
    )


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[name for name, _ in ROWS])
def test_every_row_has_a_reason_and_a_number_for_each(row: FrequencyRow) -> None:
    assert len(row.values) in (len(Strength), len(Referee))
    assert all(each >= 0.0 for each in row.values)
    assert row.why.endswith(".")


@pytest.mark.parametrize("strength", Strength)
def test_outcomes_leave_room_for_a_miss(strength: Strength) -> None:
    for rows in OUTCOMES.values():
        assert 0.2 < 1 - sum(row.of(strength) for row in rows.values()) < 0.9
        for outcome in rows:
            assert list(outcome) == sorted(outcome, key=list(PieceRole).index)
            assert outcome.count(PieceRole.JACK) <= 1
            assert outcome.count(PieceRole.STRIKER) <= 1


def test_shares_add_up() -> None:
    for shares in (table.MANNERS, table.FLOWN, table.LATE_PIECE):
        assert sum(shares.values()) == pytest.approx(1.0)


def test_a_stronger_player_pockets_more_of_his_own_and_fouls_less() -> None:
    own = table.STROKES[(PieceRole.OWN,)].values
    striker = table.STROKES[(PieceRole.STRIKER,)].values
    assert list(own) == sorted(own)
    assert striker[-1] < min(striker[:-1])


@pytest.mark.parametrize(
    ("manner", "law"),
    [(pulses.Manner.CLEAN, table.flat_width), (pulses.Manner.EDGE, table.edge_width)],
)
@pytest.mark.parametrize("kind", [PieceRole.OWN, PieceRole.JACK])
def test_widths_are_those_of_the_pulses_that_free_fall_makes(
    manner: pulses.Manner, law: object, kind: PieceRole
) -> None:
    assert callable(law)
    rng = random.Random(7)
    size = pulses.size_of(Piece.JACK if kind is PieceRole.JACK else Piece.RED, RuleSystem.HIKONE)
    drawn = sorted(pulses.fall_edges([size], manner, rng)[1][0] for _ in range(801))
    assert law(kind).median_ms == pytest.approx(drawn[400] / 1e6, rel=0.03)


@pytest.mark.parametrize(
    "law", [Even(3.0, 12.0), Skewed(11.0, 0.12), Skewed(350.0, 0.8, 60.0, 1_400.0)]
)
def test_a_law_draws_what_its_density_says(law: Even | Skewed) -> None:
    """Chi-squared over ten bins: 9 degrees of freedom go beyond 27.9 once in a thousand."""
    rng = random.Random(11)
    drawn = sorted(law.draw_ns(rng) / 1e6 for _ in range(4_000))
    edges = [drawn[0] + (drawn[-1] - drawn[0]) * index / 10 for index in range(11)]
    off = 0.0
    for low, high in itertools.pairwise(edges):
        steps = 400
        width = (high - low) / steps
        middle = [low + (step + 0.5) * width for step in range(steps)]
        expected = 4_000 * sum(law.density(round(each * 1e6)) for each in middle) * width
        found = sum(low <= each < high for each in drawn)
        off += (found - expected) ** 2 / max(expected, 1.0)
    assert off < 27.9


def has_music(seed: int, song: int) -> bool:
    """Whether music plays in the second minute of a song, by how often the table is shaken."""
    begin_ns, rng = song * SONG_NS + MINUTE_NS, random.Random(f"{seed} {song}")
    drawn = draw_disturbances(Room.FAIR, begin_ns, begin_ns + MINUTE_NS, rng, str(seed))
    return sum(each.at is None for each in drawn) > table.NEIGHBOURS[Room.FAIR] * 7.5


def test_music_plays_as_long_as_the_table_says_and_not_the_same_in_every_match() -> None:
    songs, matches = range(4, 7), 200
    plays = [tuple(has_music(seed, song) for song in songs) for seed in range(matches)]
    assert len(set(plays)) == 2 ** len(songs)
    count = len(songs) * matches
    error = (table.MUSIC_PLAYS * (1 - table.MUSIC_PLAYS) / count) ** 0.5
    assert abs(sum(map(sum, plays)) / count - table.MUSIC_PLAYS) < 3 * error
