"""Random matches of each system score as they always did, to the byte.

The property tests check what no rule may break, and the tables what each row says. This test
checks the rest: which rows are cited together, what is placed in which order, what a board
ends with. An intended change of the rules changes the sums too. Then look at what
``jackspot score`` prints, and run ``python -m tests.core.test_scores_unchanged`` to write the
sums again.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random

import pytest

from jackspot.core.record import read_record
from jackspot.core.rules import RULES
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from tests.core.play import draw_record

SUMS = Path(__file__).with_name("scores.json")
SEEDS, ENTRIES = range(30), 60


def sum_of(system: RuleSystem) -> str:
    """Return a checksum of the scores of some matches, with every agreement that there is."""
    said = hashlib.sha256()
    for seed in SEEDS:
        drawn = draw_record(Random(f"scores {system} {seed}"), system, ENTRIES)
        said.update(json.dumps(score(read_record(drawn.text))).encode())
    return said.hexdigest()


@pytest.mark.parametrize("system", RULES)
def test_random_matches_score_as_they_did(system):
    assert sum_of(system) == json.loads(SUMS.read_text(encoding="utf-8"))[system]


if __name__ == "__main__":
    sums = {str(system): sum_of(system) for system in RULES}
    SUMS.write_text(json.dumps(sums, indent=2) + "\n", encoding="utf-8")
