"""The recount itself: it notices what a hub might get wrong."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from jackspot.values import changed
from jackspot_hub.event.contest import Contest, DrawnContest, Groups, draw
from jackspot_hub.event.fixtures import Outcome, PlayedMatch, Ways
from tests.hub.playing import by_chance, play
from tests.hub.recount import Counted, Differs, Entered, Recount

COUNT, GROUPS = 18, 3
ENTERED = Entered("s", [(f"P{at}",) for at in range(COUNT)], "groups", GROUPS, 2, "lot")
CONTEST = Contest("s", tuple(range(COUNT)), Groups(GROUPS, 2), seed="lot")


def counted(results: dict[str, PlayedMatch]) -> dict[str, Counted]:
    found = {}
    for key, each in results.items():
        sides = (ENTERED.entrants[each.sides[0]], ENTERED.entrants[each.sides[1]])
        assert each.outcome is not None
        at = each.outcome.winner
        won = None if at is None else sides[at]
        found[key] = Counted(key, sides, True, won, each.outcome.points, each.outcome.by_jack)
    return found


def whole() -> tuple[DrawnContest, dict[str, PlayedMatch]]:
    return play(CONTEST, by_chance(Random(1)))


def recounted(drawn: DrawnContest, results: dict[str, PlayedMatch]) -> Recount:
    groups = {key: each for key, each in results.items() if "-ko-" not in key}
    return Recount(ENTERED, counted(results), drawn, draw(CONTEST, groups)).check()


def test_what_is_right_is_right() -> None:
    drawn, results = whole()
    places = recounted(drawn, results).places
    assert drawn.final is not None
    assert places[1] == ENTERED.entrants[drawn.final.winner]  # type: ignore[index]
    assert set(places) == {1, 2, 3, 4}


def swapped_table(drawn: DrawnContest) -> DrawnContest:
    first, second, *rest = drawn.tables["s-A"]
    swapped = (changed(second, place=1), changed(first, place=2), *rest)
    return changed(drawn, tables={**drawn.tables, "s-A": swapped})


def other_points(drawn: DrawnContest) -> DrawnContest:
    first, *rest = drawn.tables["s-B"]
    counted = changed(first, tally=changed(first.tally, points=first.tally.points + 1))
    return changed(drawn, tables={**drawn.tables, "s-B": (counted, *rest)})


def other_final(drawn: DrawnContest) -> DrawnContest:
    assert drawn.final is not None
    return changed(drawn, final=Ways(drawn.final.loser, drawn.final.winner))


def lost_match(drawn: DrawnContest) -> DrawnContest:
    return changed(drawn, fixtures=drawn.fixtures[1:])


def others_called(drawn: DrawnContest) -> DrawnContest:
    first, *rest = drawn.fixtures
    return changed(drawn, fixtures=(changed(first, sides=(0, 1)), *rest))


@pytest.mark.parametrize(
    "wrong", [swapped_table, other_points, other_final, lost_match, others_called]
)
def test_a_hub_that_is_wrong_is_noticed(wrong: Callable[[DrawnContest], DrawnContest]) -> None:
    drawn, results = whole()
    with pytest.raises(Differs):
        recounted(wrong(drawn), results)


def test_a_conflict_that_is_not_named_is_noticed() -> None:
    _drawn, results = whole()
    semi = results["s-ko-2-1"]
    assert semi.outcome is not None
    results["s-ko-2-1"] = PlayedMatch(semi.sides, Outcome(1 - (semi.outcome.winner or 0)))
    drawn = draw(CONTEST, results)
    assert set(recounted(drawn, results).conflicts) == {"s-ko-3-1", "s-ko-third"}
    with pytest.raises(Differs, match="conflicts"):
        recounted(changed(drawn, conflicts=()), results)
