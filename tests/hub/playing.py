"""Contests that are drawn and played at random, for tests of draws and standings."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from jackspot_hub.event.contest import Contest, DrawnContest, draw
from jackspot_hub.event.fixtures import Outcome, PlayedMatch

Decide = Callable[[int, int], Outcome]
"""Says how a match of two entrants ends."""


def favourites(one: int, two: int) -> Outcome:
    """Let the better seed win."""
    return Outcome(0 if one < two else 1, (10, 0) if one < two else (0, 10), (1, 1))


def by_chance(random: Random, *, level: bool = False) -> Decide:
    """Let anybody win; with ``level``, a match is sometimes tied."""

    def decide(_one: int, _two: int) -> Outcome:
        winner = random.choice((0, 1, None) if level else (0, 1))
        points = (random.randrange(13), random.randrange(13))
        return Outcome(winner, points, by_jack=winner is not None and random.random() < 0.3)

    return decide


def play(
    contest: Contest, decide: Decide, results: dict[str, PlayedMatch] | None = None,
    random: Random | None = None,
) -> tuple[DrawnContest, dict[str, PlayedMatch]]:  # fmt: skip
    """Play ready matches until none is left; with ``random``, one at a time and in any order."""
    results = {} if results is None else dict(results)
    while True:
        drawn = draw(contest, results)
        ready = [
            each for each in drawn.fixtures
            if each.is_ready and (results.get(each.key) is None or not results[each.key].outcome)
        ]  # fmt: skip
        if not ready:
            return drawn, results
        for each in ready if random is None else [random.choice(ready)]:
            one, two = each.sides
            assert isinstance(one, int)
            assert isinstance(two, int)
            results[each.key] = PlayedMatch((one, two), decide(one, two))
