"""Draws as functions of entrants and results: who meets whom, in every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Any

import networkx
import pytest
from caissify_pairings import generate_pairings  # type: ignore[import-untyped]
from hypothesis import example, given, strategies as st

from jackspot.values import changed
from jackspot_hub.event.contest import (
    Absence,
    AllAgainstAll,
    Contest,
    DoubleElimination,
    DrawnContest,
    Format,
    Groups,
    Knockout,
    Swiss,
    crossed,
    draw,
    forfeits,
)
from jackspot_hub.event.fixtures import Awaited, Comes, Conflict, Outcome, PlayedMatch, Ways
from jackspot_hub.event.lots import dealt, drawn, lot
from jackspot_hub.event.round_robin import berger, groups
from jackspot_hub.event.standings import TieBreak
from tests.hub.playing import by_chance, favourites, play

COUNTS = st.integers(2, 40)


def contest(count: int, form: Format, **more: object) -> Contest:
    return Contest("s", tuple(range(count)), form, **more)  # type: ignore[arg-type]


def met(drawn: DrawnContest) -> Counter[frozenset[object]]:
    return Counter(frozenset(each.sides) for each in drawn.fixtures)


# --- all against all -----------------------------------------------------------------------


@pytest.mark.parametrize("count", range(2, 25))
def test_rounds_are_bergers(count: int) -> None:
    """As others read FIDE's table: each round has the same pairs, and the same one opens."""
    players = [{"id": each, "name": str(each), "rating": 0} for each in range(1, count + 1)]
    for number, pairs in enumerate(berger(count), start=1):
        given = generate_pairings("round_robin", players, set(), number, count)
        others = {(each["white_id"], each["black_id"]) for each in given if each["black_id"]}
        assert {(one + 1, two + 1) for one, two in pairs} == others


@given(COUNTS, st.integers(1, 2))
def test_each_meets_each_and_everybody_opens_as_often(count: int, cycles: int) -> None:
    found = draw(contest(count, AllAgainstAll(cycles)), {})
    pairs = count * (count - 1) // 2
    assert met(found) == dict.fromkeys(met(found), cycles)
    assert len(met(found)) == pairs
    opened = Counter(each.sides[0] for each in found.fixtures)
    assert max(opened.values()) - min(opened[each] for each in range(count)) <= 1
    for number in {each.round for each in found.fixtures}:
        busy = [side for each in found.fixtures if each.round == number for side in each.sides]
        assert len(busy) == len(set(busy)) >= count - 1


# --- groups --------------------------------------------------------------------------------


@given(st.integers(2, 160), st.integers(1, 24), st.data())
def test_groups_are_of_like_size_and_each_has_one_of_each_row(
    count: int, many: int, data: st.DataObject
) -> None:
    clubs = dict(enumerate(data.draw(st.lists(st.sampled_from("abc"), max_size=count))))
    found = groups(range(count), many, clubs)
    assert sorted(each for group in found for each in group) == list(range(count))
    assert {len(group) for group in found} <= {count // many, -(-count // many)}
    for group in found:
        assert [each // many for each in group] == list(range(len(group)))


@given(st.integers(2, 12), st.integers(2, 6), st.integers())
def test_a_family_is_in_no_group_twice_where_each_row_can_be_dealt_so(
    many: int, rows: int, seed: int
) -> None:
    """With one of a family in each row, and no more rows than groups, it always can."""
    random, rows = Random(seed), min(rows, many)
    clubs = {row * many + random.randrange(many): "Ito" for row in range(rows)}
    found = groups(range(many * rows), many, clubs)
    assert all(sum(each in clubs for each in group) <= 1 for group in found)


def test_seeds_are_dealt_to_and_fro() -> None:
    assert groups(range(9), 3) == [[0, 5, 6], [1, 4, 7], [2, 3, 8]]


@pytest.mark.parametrize("many", [2, 4, 8])
def test_the_first_two_of_a_group_meet_again_in_the_final_at_the_earliest(many: int) -> None:
    found, _results = play(contest(6 * many, Groups(many, 2)), favourites)
    in_knockout = [each for each in found.fixtures if each.key.startswith("s-ko")]
    final = max(each.round for each in in_knockout)
    group_of = {
        each.entrant: name for name, table in found.tables.items() for each in table
    }  # fmt: skip
    for each in in_knockout:
        one, two = each.sides
        assert each.round == final or group_of[one] != group_of[two]  # type: ignore[index]


@example(5, 3, 1)
@example(3, 2, 1)
@given(st.integers(1, 25), st.integers(1, 4), st.integers(1, 25))
def test_a_knockout_out_of_groups_has_everybody_once_and_no_group_twice_in_its_first_round(
    many: int, upper: int, full: int
) -> None:
    """All but the first ``full`` groups have one fewer; little is left to choose for the last."""
    ranks = [
        [10 * group + nth for nth in range(upper - (group >= full and upper > 1))]
        for group in range(many)
    ]
    order = crossed(ranks)
    assert sorted(order) == sorted(each for group in ranks for each in group)  # type: ignore[type-var]
    assert [each % 10 for each in order] == sorted(each % 10 for each in order)  # type: ignore[operator]
    if len(order) >= 2 and many > 1:
        first = [
            each.sides for each in draw(Contest("k", tuple(order), Knockout()), {}).fixtures  # type: ignore[arg-type]
            if each.round == 1 and each.is_ready
        ]  # fmt: skip
        assert all(one // 10 != two // 10 for one, two in first)  # type: ignore[operator]


def test_who_comes_out_of_a_group_is_awaited_by_rank_until_it_is_over() -> None:
    found = draw(contest(8, Groups(2, 2)), {})
    first = next(each for each in found.fixtures if each.key == "s-ko-1-1")
    assert set(first.sides) == {Awaited("s-A", 1), Awaited("s-B", 2)}
    assert {each.out_of for each in first.sides if isinstance(each, Awaited)} == set(found.tables)
    final = next(each for each in found.fixtures if each.key == "s-ko-2-1")
    assert final.sides == (Awaited("s-ko-1-1", Comes.WINNER), Awaited("s-ko-1-2", Comes.WINNER))


# --- knockouts -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", [Groups(2, 3), Swiss(3, 4), Swiss(5, 8), Swiss(3, 3, True)])
@given(seed=st.integers())
def test_what_is_played_in_a_knockout_changes_no_table_before_it(form: Format, seed: int) -> None:
    whole, results = play(contest(12, form), by_chance(Random(seed)))
    before = {key: each for key, each in results.items() if "-ko-" not in key}
    assert len(before) < len(results)
    assert draw(contest(12, form), before).tables == whole.tables
    assert not whole.conflicts


@pytest.mark.parametrize("form", [Groups(3, 2), Swiss(2, 4)])
@pytest.mark.parametrize("order", [(), (TieBreak.WINS,), (TieBreak.WINS, TieBreak.MEETING)])
def test_who_goes_on_to_a_knockout_is_never_picked_without_a_reason(
    form: Format, order: tuple[TieBreak, ...]
) -> None:
    """Where the organiser's tie-breaks leave people tied, a lot decides and the table says so."""
    level = contest(12, form, tie_breaks=order)
    for table in rounds_of(level).tables.values():
        assert [each.place for each in table] == list(range(1, len(table) + 1))
        assert {each.decided.by for each in table if each.decided} == {TieBreak.LOT}
    alone = changed(level, format=changed(form, upper=0))  # type: ignore[arg-type]
    for table in rounds_of(alone).tables.values():
        assert {each.place for each in table} == {1}, "without a knockout they share it"


def rounds_of(whole: Contest) -> DrawnContest:
    """Let all matches before a knockout end tied, without any points."""
    found: dict[str, PlayedMatch] = {}
    while ready := [
        each for each in draw(whole, found).fixtures
        if each.is_ready and each.key not in found and "-ko-" not in each.key
    ]:  # fmt: skip
        found |= {each.key: PlayedMatch(each.sides, Outcome(None)) for each in ready}  # type: ignore[arg-type]
    return draw(whole, found)


@given(COUNTS, st.integers(), st.booleans())
def test_a_knockout_lets_all_but_one_lose_once(count: int, seed: int, third: bool) -> None:
    found, results = play(contest(count, Knockout(third)), by_chance(Random(seed)))
    assert len(found.fixtures) == count - 1 + (third and count >= 4)
    lost = Counter(each.loser() for key, each in results.items() if not key.endswith("third"))
    assert found.final is not None
    assert set(lost) == set(range(count)) - {found.final.winner}
    assert set(lost.values()) == {1}


@given(COUNTS)
def test_favourites_meet_as_late_as_can_be_and_have_the_byes(count: int) -> None:
    found, _results = play(contest(count, Knockout(third_place=False)), favourites)
    assert found.final == Ways(0, 1)
    last = max(each.round for each in found.fixtures)
    for each in found.fixtures:
        assert max(each.sides) >= 1 << (last - each.round)  # type: ignore[type-var, operator]
    first = {side for each in found.fixtures if each.round == 1 for side in each.sides}
    byes = set(range(count)) - first
    assert byes == set(range(len(byes)))


@given(COUNTS, st.integers(), st.booleans())
def test_a_double_elimination_lets_all_but_one_lose_twice(
    count: int, seed: int, second: bool
) -> None:
    form = DoubleElimination(second)
    found, results = play(contest(count, form), by_chance(Random(seed)))
    lost = Counter(each.loser() for each in results.values())
    assert found.final is not None
    winner = found.final.winner
    assert isinstance(winner, int)
    if second:
        assert lost == dict.fromkeys(set(range(count)) - {winner}, 2) | Counter(
            {winner: lost[winner]} if lost[winner] else {}
        )
        assert len(found.fixtures) == 2 * count - 2 + lost[winner]
    assert lost[winner] <= 1
    if count >= 8:
        early = met(DrawnContest(tuple(each for each in found.fixtures if each.round <= 2)))
        assert max(early.values()) == 1, "nobody meets again at once"


# --- Swiss ---------------------------------------------------------------------------------


@given(st.integers(2, 30), st.integers(), st.booleans())
def test_nobody_meets_twice_in_a_swiss_or_waits_twice(count: int, seed: int, level: bool) -> None:
    rounds = min(7, count // 2)
    found, _results = play(contest(count, Swiss(rounds)), by_chance(Random(seed), level=level))
    assert len(found.fixtures) == rounds * (count // 2)
    assert set(met(found).values()) == {1}
    waited = Counter(each.entrant for each in found.waits)
    assert len(found.waits) == rounds * (count % 2)
    assert set(waited.values()) <= {1}


def scores(results: Iterable[PlayedMatch], waits: Iterable[int]) -> Counter[int]:
    wins = Counter(dict.fromkeys(waits, 2))
    for each in results:
        winner = each.winner()
        if winner is not None:
            wins[winner] += 2
        else:
            wins.update(each.sides)
    return wins


def points_between(wins: Counter[int], pairs: Iterable[tuple[Any, Any]]) -> int:
    return sum((wins[one] - wins[two]) ** 2 for one, two in pairs)


@pytest.mark.parametrize("seed", range(30))
def test_a_swiss_round_brings_those_together_who_are_as_near_as_fides_lets_them_be(
    seed: int,
) -> None:
    """With the same past, opponents are no further apart in points than in FIDE's own pairing."""
    random = Random(seed)
    count = random.randrange(6, 24, 2)
    form, decide = Swiss(count // 2), by_chance(random)
    results: dict[str, PlayedMatch] = {}
    for number in range(1, 5):
        wins = scores(results.values(), ())
        before = {tuple(sorted(each.sides)) for each in results.values()}
        own = [
            each for each in draw(contest(count, form), results).fixtures if each.round == number
        ]
        if not own:
            break
        players = [
            {"id": each + 1, "name": str(each), "rating": 3000 - each, "score": wins[each] / 2}
            for each in range(count)
        ]
        earlier = {(one + 1, two + 1) for one, two in before}
        theirs = generate_pairings("casual", players, earlier, number, count // 2)
        between = points_between(wins, (each.sides for each in own))
        others = points_between(
            wins,
            ((each["white_id"] - 1, each["black_id"] - 1) for each in theirs if each["black_id"]),
        )
        again = any(
            tuple(sorted((each["white_id"] - 1, each["black_id"] - 1))) in before
            for each in theirs if each["black_id"]
        )  # fmt: skip
        unpaired = not all(each["black_id"] for each in theirs)
        assert unpaired or again or between <= others
        for each in own:
            one, two = each.sides
            results[each.key] = PlayedMatch((one, two), decide(one, two))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [2, 8, 32, 34, 50, 100, 124, 248])
def test_favourites_do_not_meet_in_a_first_round_of_any_size(count: int) -> None:
    half = count // 2
    found = draw(contest(count, Swiss(3)), {})
    assert [set(each.sides) for each in found.fixtures] == [{at, at + half} for at in range(half)]


@pytest.mark.parametrize("count", [40, 100])
def test_two_clubs_of_one_half_each_meet_in_a_first_round_of_any_size(count: int) -> None:
    clubs = {each: "A" if each < count // 2 else "B" for each in range(count)}
    found = draw(contest(count, Swiss(3), kept_apart=clubs), {})
    assert all(len({clubs[side] for side in each.sides}) == 2 for each in found.fixtures)  # type: ignore[index]


def test_the_first_round_lets_upper_half_meet_lower_half_and_the_last_waits() -> None:
    found = draw(contest(9, Swiss(3)), {})
    assert [set(each.sides) for each in found.fixtures] == [{0, 4}, {1, 5}, {2, 6}, {3, 7}]
    assert [each.entrant for each in found.waits] == [8]


@given(st.integers(7, 17), st.integers(), st.integers(1, 3))
def test_matches_of_a_past_round_are_played_again_by_people_who_have_not_met_since(
    count: int, seed: int, again: int
) -> None:
    """Nobody waits twice either, whatever was corrected before that round."""
    random, whole = Random(seed), contest(count, Swiss(3))
    decide = by_chance(random)
    _found, results = play(whole, decide)
    number = random.choice((1, 2))
    for key in [at for at in results if at < f"s-{number}"][::2]:
        results[key] = changed(results[key], outcome=decide(0, 0))
    past = [at for at in results if at.startswith(f"s-{number}-")]
    for key in random.sample(past, again):
        del results[key]
    found, _results = play(whole, decide, results)
    assert set(met(found).values()) == {1}
    assert set(Counter(each.entrant for each in found.waits).values()) <= {1}


def test_who_comes_late_or_leaves_is_drawn_only_while_there() -> None:
    found, _results = play(contest(8, Swiss(4), came={7: 3}, away=(Absence(0, 3),)), favourites)
    there = {
        number: {side for each in found.fixtures if each.round == number for side in each.sides}
        | {each.entrant for each in found.waits if each.round == number}
        for number in range(1, 5)
    }
    assert there == {1: set(range(7)), 2: set(range(7)), 3: set(range(1, 8)), 4: set(range(1, 8))}


# --- corrections ---------------------------------------------------------------------------

FORMATS = (
    AllAgainstAll(), Groups(2, 2), Knockout(), DoubleElimination(), Swiss(3),
)  # fmt: skip


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: type(form).__name__)
@given(count=st.integers(6, 17), seed=st.integers())
def test_the_order_in_which_results_come_in_changes_nothing(
    form: Format, count: int, seed: int
) -> None:
    random = Random(seed)
    whole = contest(count, form, seed=str(seed))
    found, results = play(whole, by_chance(random), random=random)
    mixed = list(results.items())
    random.shuffle(mixed)
    assert draw(whole, dict(mixed)) == found


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: type(form).__name__)
@given(count=st.integers(6, 17), seed=st.integers())
def test_a_correction_reaches_all_that_was_not_played_and_names_what_was(
    form: Format, count: int, seed: int
) -> None:
    """Other matches stay as they were played; with the correction taken back, all is as before."""
    random = Random(seed)
    whole = contest(count, form)
    found, results = play(whole, by_chance(random))
    key = random.choice(list(results))
    wrong = results[key]
    assert wrong.outcome is not None
    right = Outcome(1 - (wrong.outcome.winner or 0), (3, 4))
    corrected = draw(whole, {**results, key: PlayedMatch(wrong.sides, right)})
    assert {each.key: each.sides for each in corrected.fixtures if each.key in results} == {
        each.key: each.sides for each in found.fixtures
    }
    for conflict in corrected.conflicts:
        assert conflict.derived is None or set(conflict.played) != set(conflict.derived)
    assert draw(whole, results) == found


def test_a_corrected_semi_final_conflicts_with_the_final_that_was_played() -> None:
    whole = contest(4, Knockout())
    _found, results = play(whole, favourites)
    results["s-1-1"] = PlayedMatch((0, 3), Outcome(1))
    found = draw(whole, results)
    assert found.conflicts == (
        Conflict("s-2-1", (0, 1), (3, 1)),
        Conflict("s-third", (3, 2), (0, 2)),
    )
    del results["s-2-1"]
    (again,) = [each for each in draw(whole, results).fixtures if each.key == "s-2-1"]
    assert again.sides == (3, 1)


def test_a_second_final_that_was_played_and_is_none_any_more_is_named() -> None:
    whole = contest(2, DoubleElimination())
    results = {key: PlayedMatch((0, 1), Outcome(winner))
               for key, winner in (("s-upper-1-1", 0), ("s-final", 1))}  # fmt: skip
    found, results = play(whole, favourites, results)
    assert [each.key for each in found.fixtures][-1] == "s-second-final"
    results["s-final"] = PlayedMatch((0, 1), Outcome(0))
    assert draw(whole, results).conflicts[-1] == Conflict("s-second-final", (0, 1), None)


@pytest.mark.parametrize("corrected", [None, Outcome(1)])
def test_no_second_final_is_called_while_others_should_have_met_in_the_first(
    corrected: Outcome | None,
) -> None:
    whole = contest(4, DoubleElimination())
    _found, results = play(whole, favourites)
    assert "s-second-final" not in results
    results["s-upper-2-1"] = PlayedMatch((0, 1), corrected)
    again = draw(whole, results)
    assert "s-second-final" not in [each.key for each in again.fixtures]
    assert "s-final" in [each.key for each in again.conflicts] or corrected is None


def led_to_meet_themself() -> tuple[Contest, dict[str, PlayedMatch]]:
    """2 lost to 1 and won the lower match; as corrected, 2 beat 1 and loses to 0 in the upper."""
    results = {"s-upper-1-1": PlayedMatch((0, 3), Outcome(0)),
               "s-upper-1-2": PlayedMatch((1, 2), Outcome(1)),
               "s-lower-1-1": PlayedMatch((3, 2), Outcome(1)),
               "s-upper-2-1": PlayedMatch((0, 2), Outcome(0))}  # fmt: skip
    return contest(4, DoubleElimination()), results


def test_nobody_is_ready_to_meet_themself_before_a_conflict_is_settled() -> None:
    whole, results = led_to_meet_themself()
    found = draw(whole, results)
    (lower,) = [each for each in found.fixtures if each.key == "s-lower-2-1"]
    assert (lower.sides, lower.is_ready) == ((2, 2), False)
    assert found.conflicts == (Conflict("s-lower-1-1", (3, 2), (3, 1)),)
    assert forfeits(whole, results, [Absence(2, 0)]) == results
    del results["s-lower-1-1"]
    again, _all = play(whole, favourites, results)
    assert not again.conflicts


def test_who_is_gone_forfeits_all_that_is_left() -> None:
    whole = contest(5, AllAgainstAll())
    results = {"s-1-1": PlayedMatch((1, 4), Outcome(0, (5, 2)))}
    found, everything = play(whole, favourites, dict(forfeits(whole, results, [Absence(4, 0)])))
    assert everything["s-1-1"] == results["s-1-1"]
    last = found.tables["s"][-1]
    assert (last.entrant, last.tally.played, last.tally.won) == (4, 4, 0)
    assert sum(bool(each.outcome and each.outcome.forfeit) for each in everything.values()) == 3


@given(st.integers(1, 7), st.integers(0, 3), st.data())
def test_who_is_dealt_where_costs_the_least_that_networkx_finds(
    count: int, more: int, data: st.DataObject
) -> None:
    row = st.lists(st.integers(0, 3), min_size=count + more, max_size=count + more)
    costs = data.draw(st.lists(row, min_size=count, max_size=count))
    found = dealt(range(count), range(count + more), lambda one, at: costs[one][at])
    assert len(set(found.values())) == len(found) == count
    far = (count + more) ** 2 * count + 1
    graph: networkx.Graph = networkx.Graph()
    for one, at in product(range(count), range(count + more)):
        graph.add_edge(one, ("at", at), weight=-costs[one][at] * far - (one - at) ** 2)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    least = sum(graph.edges[pair]["weight"] for pair in matched)
    assert sum(graph.edges[one, ("at", at)]["weight"] for one, at in found.items()) == least


def test_lots_can_be_drawn_again_by_anybody() -> None:
    """``printf '2026 7' | sha256sum``."""
    assert lot("2026", 7) == ("b1a15b66cd60b54eac6dd2dfdb45af6b8f1035092e2b7ab90cc06b5c95598d37")
    assert drawn("2026", range(5)) == sorted(range(5), key=lambda each: lot("2026", each))


@pytest.mark.parametrize(("count", "form"), [(1, Knockout()), (3, Groups(2, 1)), (4, Groups(0, 1))])
def test_a_format_that_does_not_fit_is_refused(count: int, form: Format) -> None:
    with pytest.raises(ValueError, match="found"):
        draw(contest(count, form), {})
