"""Defective records, a thousand in the long run: each is refused where its one mistake is."""

from __future__ import annotations

from random import Random

import pytest

from jackspot.core.record import RecordError, read_record
from jackspot.core.rules import RULES
from tests.core.play import draw_record
from tests.core.spoil import WAYS, Spoiled

SOME = range(6 * len(WAYS))
"""Enough records to have each mistake six times."""

A_THOUSAND = [range(first, first + 40) for first in range(SOME.stop, 1_000, 40)]
TRIES = 200


def defective(seed: int) -> tuple[str, Spoiled]:
    """Draw valid records until one can take this seed's mistake; return it and its spoiled copy."""
    random, spoils = Random(seed), WAYS[seed % len(WAYS)]
    for _ in range(TRIES):
        system = random.choice(list(RULES))
        drawn = draw_record(random, system, random.randint(2, 40), usual=random.random() < 0.3)
        spoiled = spoils(random, drawn)
        if spoiled is not None:
            return drawn.text, spoiled
    raise AssertionError(f"no record of {TRIES} has a place for {spoils.__name__}")


@pytest.mark.parametrize("seed", SOME)
def test_a_defective_record_is_refused_at_the_place_of_its_mistake(seed):
    check_it_is_refused(seed)


@pytest.mark.long
@pytest.mark.parametrize("seeds", A_THOUSAND, ids=str)
def test_a_thousand_defective_records_are_refused_at_the_place_of_their_mistake(seeds):
    for seed in seeds:
        check_it_is_refused(seed)


def check_it_is_refused(seed: int) -> None:
    valid, spoiled = defective(seed)
    assert read_record(valid).lines
    with pytest.raises(RecordError) as refused:
        read_record(spoiled.text)
    errors = refused.value.errors
    assert [(each.line, each.column) for each in errors] == [(spoiled.line, spoiled.column)], (
        f"seed {seed}, {WAYS[seed % len(WAYS)].__name__}: {errors}\n{spoiled.text}"
    )
    assert errors[0].message


def test_every_system_has_defective_records():
    seen = {defective(seed)[0].split("\n")[1] for seed in range(200)}
    assert seen == {f'rules = "{system}"' for system in RULES}
