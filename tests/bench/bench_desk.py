"""What the hub's desk costs: its journal folded at a start, and a draw after each result.

The floor of folding is reading the entries' bodies as JSON, that of drawing is counting what each
entrant has won.
"""

from __future__ import annotations

import json
from functools import partial
from random import Random

from jackspot_hub.desk.entering import draw_class, enter, register
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskState, Entries, fold, folded
from jackspot_hub.event.contest import draw
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.standings import tallies
from jackspot_hub.event_file import programme_of
from tests.bench.report import Report, side_by_side

ENTRIES, PEOPLE, GROUPS = 1_000, 400, 67
CLUBS = 12
MS = 1_000


def measure(report: Report) -> None:
    contest = {"name": "s", "format": "groups", "groups": GROUPS, "draw": "by hand"}
    programme = programme_of({"name": "A", "hall": "a", "boards": 100, "contest": [contest]})
    desk, random = DeskState(programme), Random(1)

    def write(entries: Entries) -> None:
        nonlocal desk
        for entry in entries:
            desk = fold(desk, entry.kind, entry.body, 0)

    for number in range(1, PEOPLE + 1):
        write(register(desk, f"Person {number}", "bench", club=f"Club {number % CLUBS}"))
        write(enter(desk, "s", [number], "bench"))
    write(draw_class(desk, "s", "37", "bench"))
    ready = [each.key for each in desk.drawn("s").fixtures if each.is_ready]
    for key in ready[: ENTRIES - len(desk.past)]:
        write(correct(desk, key, Outcome(random.choice((0, 1)), (5, 3)), "bench"))
    journal = [(each.entry.kind, each.entry.body, each.wall_ms) for each in desk.past]
    texts = [json.dumps(body) for _kind, body, _ms in journal]
    ours, floor = side_by_side(
        partial(folded, programme, journal), lambda: [json.loads(text) for text in texts], repeats=9
    )
    report.add(f"{len(journal):,} entries of a hub folded", ours / MS, floor / MS, unit="ms",
               against="their bodies read as JSON")  # fmt: skip
    whole, results = desk.programme.classes["s"].contest, desk.results["s"]
    ours, floor = side_by_side(
        partial(draw, whole, results), partial(tallies, whole.entrants, results.values()), repeats=9
    )
    report.add(f"{PEOPLE} people in {GROUPS} groups drawn anew", ours / MS, floor / MS, unit="ms",
               against="their wins counted")  # fmt: skip
