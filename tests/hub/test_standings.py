"""Standings: the order of places, and what decided each."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, strategies as st

from jackspot_hub.event.fixtures import Outcome, PlayedMatch
from jackspot_hub.event.lots import drawn
from jackspot_hub.event.standings import USUAL, Decided, TieBreak, standings
from tests.hub.playing import by_chance

WINS, MEETING, DIFFERENCE, POINTS, JACK, OPPONENTS, LOT = TieBreak


def won(
    one: int, two: int, points: tuple[int, int] = (5, 3), *, by_jack: bool = False
) -> PlayedMatch:
    return PlayedMatch((one, two), Outcome(0, points, by_jack=by_jack))


def places(
    played: list[PlayedMatch], order: tuple[TieBreak, ...] = USUAL
) -> list[tuple[int, int, object]]:
    entrants = sorted({side for each in played for side in each.sides})
    return [
        (each.place, each.entrant, each.decided)
        for each in standings(entrants, played, order, seed="a")
    ]


def test_who_has_won_more_is_before() -> None:
    found = places([won(2, 1), won(2, 3), won(1, 3)])
    assert found == [(1, 2, None), (2, 1, Decided(WINS, 4, 2)), (3, 3, Decided(WINS, 2, 0))]


def test_of_two_who_are_level_their_meeting_decides() -> None:
    played = [won(1, 2), won(2, 3, (25, 0)), won(2, 4, (25, 0)), won(3, 1), won(1, 4), won(4, 3)]
    assert places(played)[:2] == [(1, 1, None), (2, 2, Decided(MEETING, 2, 0))]


def test_three_who_have_beaten_each_other_in_turn_are_told_apart_by_what_comes_next() -> None:
    played = [won(1, 2, (9, 1)), won(2, 3, (5, 4)), won(3, 1, (5, 4))]
    found = places(played)
    assert [each[1] for each in found] == [1, 3, 2]
    assert found[1][2] == Decided(DIFFERENCE, 7, 0)
    assert found[2][2] == Decided(DIFFERENCE, 0, -7)


def test_a_meeting_says_nothing_where_not_all_have_met() -> None:
    played = [won(1, 2), won(2, 4), won(3, 4), won(4, 1)]
    order = (WINS, MEETING)
    assert {each[0] for each in places(played, order)} == {1}


def test_the_jack_the_opponents_and_the_lot_decide_where_they_are_asked() -> None:
    level = [won(1, 3), won(2, 4, by_jack=True), won(3, 4)]
    assert places(level, (WINS, JACK))[0] == (1, 2, None)
    assert [each[1] for each in places(level, (WINS, OPPONENTS))] == [1, 3, 2, 4]
    lots = [each[1] for each in places(level, (LOT,))]
    assert lots == drawn("a", [1, 2, 3, 4])
    assert [each[2] for each in places(level, (LOT,))] == [
        None, Decided(LOT, 1, 2), Decided(LOT, 2, 3), Decided(LOT, 3, 4),
    ]  # fmt: skip


def test_who_stays_level_shares_a_place_and_the_next_place_is_left_out() -> None:
    found = places([won(1, 3), won(2, 3), won(1, 4), won(2, 4)], (WINS,))
    assert [each[0] for each in found] == [1, 1, 3, 3]


def test_a_bye_is_a_win_and_others_matches_do_not_count() -> None:
    found = standings([1, 2, 3], [won(1, 2), won(9, 1), won(9, 2)], (WINS,), byes=[3, 3])
    assert [(each.entrant, each.tally.won, each.tally.played) for each in found] == [
        (3, 2, 0), (1, 1, 1), (2, 0, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("order", [(WINS, DIFFERENCE, POINTS, JACK, LOT), (POINTS, LOT), USUAL])
@given(count=st.integers(1, 9), seed=st.integers())
def test_places_are_those_of_a_plain_recount(
    order: tuple[TieBreak, ...], count: int, seed: int
) -> None:
    random = Random(seed)
    decide = by_chance(random, level=True)
    played = [
        PlayedMatch(pair, decide(*pair))
        for pair in combinations(range(count), 2)
        if random.random() < 0.8
    ]
    found = standings(range(count), played, order, seed=str(seed))
    assert [each.place for each in found] == list(range(1, count + 1))
    assert sorted(each.entrant for each in found) == list(range(count))
    lots = drawn(str(seed), range(count))

    def value(entrant: int, tie_break: TieBreak) -> int:
        own = [(each, each.sides.index(entrant)) for each in played if entrant in each.sides]
        outcomes = [(each.outcome, at) for each, at in own if each.outcome is not None]
        match tie_break:
            case TieBreak.WINS:
                return sum(1 if o.winner is None else 2 * (o.winner == at) for o, at in outcomes)
            case TieBreak.DIFFERENCE:
                return sum(o.points[at] - o.points[1 - at] for o, at in outcomes)
            case TieBreak.POINTS:
                return sum(o.points[at] for o, at in outcomes)
            case TieBreak.JACK:
                return sum(o.by_jack and o.winner == at for o, at in outcomes)
            case _:
                return lots.index(entrant) + 1

    for above, below in pairwise(found):
        assert below.decided is not None
        by = below.decided.by
        before = [each for each in order[: order.index(by)] if each is not MEETING]
        assert [value(above.entrant, each) for each in before] == [
            value(below.entrant, each) for each in before
        ]
        if by is not MEETING:
            one, other = value(above.entrant, by), value(below.entrant, by)
            assert one < other if by is LOT else one > other
            assert (below.decided.before, below.decided.own) == (
                value(above.entrant, by), value(below.entrant, by),
            )  # fmt: skip
