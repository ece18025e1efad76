"""A whole championship on virtual time, recounted from its records at every point.

Whatever happens: matches are corrected long after, people go home, boards die in a match, the hub
is killed between any two entries. And what the day takes, beside the same day with paper.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.hub.festival import (
    MINUTE_MS,
    WITH_HUB,
    Festival,
    Recounting,
    championship,
    with_paper,
)

SMALL = 30, 5, 12, 8
"""Entrants, groups, pairs, boards."""
HIKONE = 145, 24, 67, 72
FOLDED_EACH = 25
"""The journal is folded from its beginning after every so many entries."""


def eventful(
    folder: Path, size: tuple[int, int, int, int], seed: int, *, minutes: int, corrections: int,
    withdrawals: int, deaths: int, kills: int, recounts_each: int = 1,
) -> tuple[Festival, Recounting]:  # fmt: skip
    """Play a day on which so much happens in its first ``minutes``; recount it all along."""
    recounting = Recounting()

    def checked(festival: Festival) -> None:
        if len(festival.entries) % recounts_each == 0:
            recounting.check(festival)
        if len(festival.entries) % FOLDED_EACH == 0:
            assert festival.fold_anew() == replace(festival.desk, seen={})

    festival = Festival(championship(*size), WITH_HUB, folder, seed, checked)
    random = Random(f"{seed} plan")
    for times, does in (
        (corrections, festival.correct_one), (withdrawals, festival.withdraw),
        ((deaths + 1) // 2, lambda: festival.die(comes_back=True)),
        (deaths // 2, lambda: festival.die(comes_back=False)),
        ((kills + 1) // 2, festival.kill_hub), (kills // 2, festival.kill_hub_at_a_result),
    ):  # fmt: skip
        for _ in range(times):
            festival.after(random.uniform(2, minutes) * 60, does)
    try:
        festival.run()
    except BaseException as wrong:
        wrong.add_note(f"seed {seed}; " + "\n".join(festival.happened))
        raise
    recounting.check(festival)
    for name, places in recounting.places.items():
        assert set(places) == {1, 2, 3, 4}, name
    return festival, recounting


def test_a_small_championship_is_right_at_every_point_and_each_time_the_same(
    tmp_path: Path,
) -> None:
    days = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        festival, recounting = eventful(
            tmp_path / name, SMALL, 1, minutes=100, corrections=8, withdrawals=2, deaths=3, kills=6,
            recounts_each=1 if name == "one" else 1_000,
        )  # fmt: skip
        days.append(festival.entries)
    assert recounting.times
    assert days[0] == days[1]
    assert sum("died" in each for each in festival.happened) == 3
    assert sum("the hub was killed" in each for each in festival.happened) == 6
    assert sum("was corrected" in each for each in festival.happened) == 8


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_many_small_championships_are_right_at_every_point(tmp_path: Path, seed: int) -> None:
    eventful(tmp_path, SMALL, 100 + seed, minutes=100, corrections=10, withdrawals=3, deaths=4,
             kills=6)  # fmt: skip


@pytest.mark.long
def test_hikones_championship_is_right_at_every_point(tmp_path: Path) -> None:
    festival, _recounting = eventful(
        tmp_path, HIKONE, 36, minutes=80, corrections=20, withdrawals=4, deaths=6, kills=10
    )
    assert sum("died" in each for each in festival.happened) == 6
    assert sum("the hub was killed" in each for each in festival.happened) == 10


def plans(folder: Path, size: tuple[int, int, int, int]) -> dict[str, tuple[float, float, float]]:
    """Play an uneventful day with a hub and with paper.

    Give of both the minutes, the share of time in which nobody played at a board, and the median of
    the minutes from call to first stroke.
    """
    found = {}
    for name, plan in (("hub", WITH_HUB), ("paper", with_paper())):
        (folder / name).mkdir()
        festival = Festival(championship(*size), plan, folder / name, 1)
        day = festival.run()
        assert day.to_first_stroke is not None
        still = 1 - festival.played_ms / (day.minutes * MINUTE_MS * len(festival.boards))
        found[name] = day.minutes, still, day.to_first_stroke
    return found


def test_a_day_takes_less_with_a_hub_than_with_paper(tmp_path: Path) -> None:
    days = plans(tmp_path, SMALL)
    (hub, hub_still, hub_begins), (paper, paper_still, paper_begins) = days["hub"], days["paper"]
    assert hub < paper
    assert hub_still < paper_still
    assert hub_begins <= paper_begins


@pytest.mark.long
def test_hikones_day_takes_less_with_a_hub_than_with_paper(
    tmp_path: Path, record_property: pytest.FixtureRequest,
) -> None:  # fmt: skip
    days = plans(tmp_path, HIKONE)
    assert days["hub"][0] < 0.8 * days["paper"][0], days
