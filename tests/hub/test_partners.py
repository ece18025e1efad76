"""Partners who are drawn again each round, while people come and go."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from jackspot.core.rules.common import order_of_turns, single_player
from jackspot.core.settings import MatchSettings
from jackspot_hub.event.contest import Absence, Contest, Partners, draw
from jackspot_hub.event.fixtures import Outcome, PlayedMatch, entrants_of, members, side_of
from jackspot_hub.event.partners import PartnersRound, drawn_partners, drawn_threes
from jackspot_hub.event.programme import header
from jackspot_hub.event_file import programme_of


def rounds(count: int, many: int, seed: str = "a") -> list[PartnersRound]:
    before: list[PartnersRound] = []
    for _ in range(many):
        before.append(drawn_partners(range(count), before, seed=seed))
    return before


@given(st.lists(st.sets(st.integers(0, 25), max_size=26), max_size=8), st.text(max_size=4))
def test_everybody_who_is_there_plays_once_or_waits(attended: list[set[int]], seed: str) -> None:
    before: list[PartnersRound] = []
    waited: Counter[int] = Counter()
    for there in attended:
        drawn = drawn_partners(sorted(there), before, seed=seed)
        seated = seated_in(drawn)
        assert sorted([*seated, *drawn.waits]) == sorted(there)
        assert len(drawn.waits) == len(there) % 4
        longest = max((waited[each] for each in drawn.waits), default=0)
        assert all(waited[each] >= longest for each in seated)
        waited.update(drawn.waits)
        before.append(drawn)


def test_eight_have_seven_partners_in_seven_rounds() -> None:
    partners = Counter(
        frozenset(pair) for each in rounds(8, 7) for board in each.boards
        for pair in board
    )  # fmt: skip
    assert len(partners) == 28
    assert set(partners.values()) == {1}


def test_opponents_change_too() -> None:
    met = Counter(
        frozenset((a, b)) for each in rounds(16, 5) for board in each.boards
        for a in board[0] for b in board[1]
    )  # fmt: skip
    assert max(met.values()) <= 2


def test_another_seed_draws_otherwise_and_the_same_one_the_same() -> None:
    assert rounds(12, 2) == rounds(12, 2)
    assert rounds(12, 2) != rounds(12, 2, seed="b")


def test_of_three_each_is_alone_equally_often() -> None:
    before: list[PartnersRound] = []
    for _ in range(6):
        before.append(drawn_threes(range(9), before, seed="a"))
    alone = Counter(one for played in before for (one,), _two in played.boards)
    assert set(alone.values()) == {2}
    partners = Counter(frozenset(two) for played in before for _one, two in played.boards)
    assert max(partners.values()) == 1


@given(st.integers(2, 20), st.integers(1, 12), st.text(max_size=4))
def test_in_threes_who_stays_is_alone_and_in_twos_as_often_as_others(
    count: int, many: int, seed: str
) -> None:
    before: list[PartnersRound] = []
    for _ in range(many):
        before.append(drawn_threes(range(count), before, seed=seed))
    boards = [board for played in before for board in played.boards]
    alone = Counter(one for (one, *_), other in boards if len(other) == 2)
    in_twos = Counter(each for one, other in boards if len(other) == 1 for each in (*one, *other))
    for often, apart in ((alone, 1), (in_twos, 2)):
        times = [often[each] for each in range(count)]
        assert max(times) - min(times) <= apart


@given(st.lists(st.sets(st.integers(0, 25), max_size=26), max_size=8), st.text(max_size=4))
def test_in_threes_nobody_waits_but_who_is_there_alone(attended: list[set[int]], seed: str) -> None:
    before: list[PartnersRound] = []
    alone: Counter[int] = Counter()
    for there in attended:
        drawn = drawn_threes(sorted(there), before, seed=seed)
        assert sorted([*seated_in(drawn), *drawn.waits]) == sorted(there)
        assert len(drawn.waits) == (len(there) == 1)
        ones = [one for (one, *_), other in drawn.boards if len(other) == 2]
        fewest = min((alone[each] for each in there - set(ones)), default=1 << 30)
        assert all(alone[each] <= fewest for each in ones)
        alone.update(ones)
        sizes = Counter(tuple(map(len, board)) for board in drawn.boards)
        assert sizes.keys() <= {(1, 2), (1, 1)}
        assert sizes[1, 1] <= 2
        before.append(drawn)


def drawn_with(
    form: Partners, count: int, came: dict[int, int] | None = None,
    away: tuple[Absence, ...] = (),
) -> dict[str, PlayedMatch]:  # fmt: skip
    """Play all rounds of a contest with drawn partners."""
    contest = Contest("p", tuple(range(1, count + 1)), form, seed="a", came=came or {}, away=away)
    results: dict[str, PlayedMatch] = {}
    while ready := [each for each in draw(contest, results).fixtures if each.key not in results]:
        for each in ready:
            one, two = each.sides
            assert isinstance(one, int)
            assert isinstance(two, int)
            results[each.key] = PlayedMatch((one, two), Outcome(0, (5, 3)))
    return results


def test_each_counts_their_own_wins_with_whomever_they_won_them() -> None:
    form = Partners(3)
    results = drawn_with(form, 8)
    assert len(results) == 6
    (table,) = draw(Contest("p", tuple(range(1, 9)), form), results).tables.values()
    assert sum(each.tally.won for each in table) == 4 * 3
    assert {each.tally.played for each in table} == {3}
    wins = Counter(each for played in results.values() for each in members(played.sides[0]))
    assert {each.entrant: each.tally.won for each in table} == {n: wins[n] for n in range(1, 9)}


def test_who_comes_late_and_who_goes_is_in_the_rounds_between() -> None:
    results = drawn_with(Partners(4, at_a_board=3), 7, came={7: 3}, away=(Absence(1, 2),))
    there: dict[int, set[int]] = {}
    for key, played in results.items():
        there.setdefault(int(key.split("-")[1]), set()).update(entrants_of(played.sides))
    assert there == {
        1: {1, 2, 3, 4, 5, 6}, 2: {2, 3, 4, 5, 6}, 3: {2, 3, 4, 5, 6, 7}, 4: {2, 3, 4, 5, 6, 7},
    }  # fmt: skip


def order_of_play(form: str, sides: tuple[int, int], **match: Any) -> MatchSettings:
    """Return the settings of an order for a match of a file's contest."""
    names = ["Aiko", "Ben", "Chie", "Dirk"]
    contest = {"name": "p", "format": form, "entrants": names, "match": match}
    event = programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [contest]})
    settings = event.settings("p", sides, "p-1-1")
    assert read_record(header(settings)).settings == settings
    return settings


@pytest.mark.parametrize("order3", ["bounce", "clockwise"])
def test_of_three_who_plays_alone_shoots_first_and_red_between_the_other_two(order3: str) -> None:
    settings = order_of_play("threes", (2, side_of((1, 3))), rules="japan",
                             options={"order3": order3})  # fmt: skip
    alone = settings.seats[0]
    assert single_player(settings.seats) is alone
    assert (settings.names[alone], settings.sides[alone]) == ("Ben", Side.RED)
    called = [settings.names[seat] for seat in order_of_turns(settings)]
    pair = [name for name in called if name != "Ben"]
    assert sorted(pair) == ["Aiko", "Chie"]
    bounce = ["Ben", pair[0], "Ben", pair[1]]
    assert called == (bounce if order3 == "bounce" else ["Ben", *pair])


@pytest.mark.parametrize(
    ("match", "turns"),
    [
        ({"rules": "japan"}, ["Aiko", "Chie", "Ben", "Dirk"]),
        ({"rules": "japan", "options": {"direction": "ccw"}}, ["Aiko", "Dirk", "Ben", "Chie"]),
        ({"rules": "icf"}, ["Aiko", "Dirk", "Ben", "Chie"]),
    ],
)
def test_four_shoot_round_the_table_as_their_rules_have_it(
    match: dict[str, Any], turns: list[str]
) -> None:
    settings = order_of_play("partners", (side_of((1, 2)), side_of((3, 4))), **match)
    assert [settings.names[seat] for seat in order_of_turns(settings)] == turns


@given(st.integers(1, 999_999), st.integers(1, 999_999))
def test_the_number_of_a_side_says_who_is_on_it(one: int, two: int) -> None:
    assert members(side_of((one,))) == (one,)
    assert members(side_of((one, two))) == (one, two)


def seated_in(drawn: PartnersRound) -> list[int]:
    return [each for board in drawn.boards for team in board for each in team]
