"""Clubs and families are kept apart in rounds, where that costs nothing more important."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from jackspot_hub.desk.entering import draw_class, enter, register
from jackspot_hub.desk.revising import undo
from jackspot_hub.event.contest import Contest, Swiss, draw
from jackspot_hub.event.fixtures import Outcome, PlayedMatch, members
from jackspot_hub.event.partners import PartnersRound, drawn_partners, drawn_threes
from tests.hub.entered import Desk, event

Pairs = list[tuple[int, int]]


def matchings(left: Sequence[int]) -> Iterator[Pairs]:
    """Yield all ways to pair everybody."""
    if not left:
        yield []
        return
    one, *others = left
    for at, two in enumerate(others):
        for more in matchings([*others[:at], *others[at + 1 :]]):
            yield [(one, two), *more]


def of_one_club(clubs: dict[int, str], pairs: Pairs) -> int:
    return sum(one in clubs and clubs.get(one) == clubs.get(two) for one, two in pairs)


clubs_of_eight = st.dictionaries(st.integers(0, 7), st.sampled_from("AB"), max_size=8)


@settings(max_examples=30, deadline=None)
@given(clubs_of_eight, st.integers(0, 99))
def test_of_partners_fewest_play_together_again_and_then_clubs_are_apart(
    clubs: dict[int, str], seed: int
) -> None:
    before: list[PartnersRound] = []
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()

    def together(pairs: Pairs) -> tuple[int, int]:
        again = sum(partners[frozenset(pair)] ** 2 for pair in pairs)
        return again, of_one_club(clubs, pairs)

    def against(boards: Pairs, teams: Pairs) -> tuple[int, int]:
        pairs = [pair for one, two in boards for pair in product(teams[one], teams[two])]
        again = sum(opponents[frozenset(pair)] ** 2 for pair in pairs)
        return again, of_one_club(clubs, pairs)

    for _ in range(5):
        played = drawn_partners(range(8), before, seed=str(seed), clubs=clubs)
        teams = [(team[0], team[1]) for board in played.boards for team in board]
        assert together(teams) == min(map(together, matchings(range(8))))
        boards = [(0, 1), (2, 3)]
        assert against(boards, teams) == min(
            against(each, teams) for each in matchings(range(len(teams)))
        )
        partners.update(map(frozenset, teams))
        opponents.update(
            frozenset(pair) for one, two in boards for pair in product(teams[one], teams[two])
        )
        before.append(played)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("count", "draws"), [(8, drawn_partners), (12, drawn_partners),
                                              (9, drawn_threes), (8, drawn_threes)])  # fmt: skip
def test_two_of_one_family_neither_play_together_nor_against_each_other_while_others_are_there(
    count: int, draws: object, seed: int
) -> None:
    family = {0: "Sato", 1: "Sato"}
    assert callable(draws)
    drawn = draws(range(count), [], seed=str(seed), clubs=family)
    for board in drawn.boards:
        assert {0, 1} - {each for team in board for each in team}, f"both are at {board}"


@settings(max_examples=30, deadline=None)
@given(clubs_of_eight, st.integers(0, 99))
def test_in_a_swiss_clubs_are_apart_where_it_costs_no_points(
    clubs: dict[int, str], seed: int
) -> None:
    random = Random(seed)
    whole = Contest("w", tuple(range(8)), Swiss(4), kept_apart=clubs)
    results: dict[str, PlayedMatch] = {}
    wins: Counter[int] = Counter()
    met: set[frozenset[int]] = set()

    def cost(pairs: Pairs) -> tuple[int, int, int]:
        again = sum(frozenset(pair) in met for pair in pairs)
        apart = sum((wins[one] - wins[two]) ** 2 for one, two in pairs)
        return again, apart, of_one_club(clubs, pairs)

    for number in range(1, 5):
        fixtures = [each for each in draw(whole, results).fixtures if each.round == number]
        pairs = [(int(one), int(two)) for one, two in (each.sides for each in fixtures)]  # type: ignore[arg-type]
        assert cost(pairs) == min(map(cost, matchings(range(8))))
        for each, sides in zip(fixtures, pairs, strict=True):
            winner = random.choice([0, 1, None])
            results[each.key] = PlayedMatch(sides, Outcome(winner))
            for at, entrant in enumerate(sides):
                wins[entrant] += 1 if winner is None else 2 * (winner == at)
            met.add(frozenset(sides))


@pytest.mark.parametrize("name", ["w", "d"])
def test_who_comes_late_is_kept_apart_from_their_club_too_and_can_be_taken_back(name: str) -> None:
    desk = Desk(event(name, boards=4))
    for at in range(8 if name == "d" else 7):
        desk.say(register, f"P{at}", club="A" if at == 0 else "")
        desk.say(enter, name, [at + 1])
    desk.say(draw_class, name, "37")
    desk.say(register, "Late", club="A")
    (late,) = [each.number for each in desk.state.programme.people.values() if each.name == "Late"]
    desk.say(enter, name, [late])
    entry = len(desk.state.past)
    apart = desk.state.programme.classes[name].contest.kept_apart
    assert apart == {1: "A", late: "A"}
    for each in desk.state.drawn(name).fixtures:
        seated = {one for side in each.sides if isinstance(side, int) for one in members(side)}
        assert not seated >= {1, late}
    desk.say(undo, entry)
    assert desk.state.programme.classes[name].contest.kept_apart == {1: "A"}
