"""What the hub's desk costs: folding its journal at a start, a draw after each result, a stroke.

The floor of folding is reading the entries' bodies as JSON; that of drawing is counting what each
entrant has won; that of a stroke in a hall of many boards is writing what the wall is sent of it.
"""

from __future__ import annotations

import itertools
import json
from functools import partial
from random import Random

from jackspot.web.live import compact
from jackspot_hub.desk.entering import draw_class, enter, register
from jackspot_hub.desk.page_parts import NewestParts, PartsOfEvent, before_a_public, board_part
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskState, Entries, fold, folded
from jackspot_hub.desk.step import pass_time, told
from jackspot_hub.event.contest import draw
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.standings import tallies
from jackspot_hub.event_file import programme_of
from tests.bench.report import Report, side_by_side
from tests.hub.shown import ShownHall

ENTRIES, PEOPLE, GROUPS = 1_000, 400, 67
CLUBS = 12
BOARDS, READERS = 380, 200
MS = 1_000


def measure(report: Report) -> None:
    contest = {"name": "s", "format": "groups", "groups": GROUPS, "draw": "later"}
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
    measure_strokes(report)


def measure_strokes(report: Report) -> None:
    """Measure what one board's stroke costs where many play and many watch."""
    shown = ShownHall(BOARDS, PEOPLE * 2)
    for _ in range(3):
        shown.turn(ends=0, sits=1)
    parts = PartsOfEvent(before_a_public)
    newest, counts = NewestParts(lambda desk: parts.of(desk).items()), [0] * READERS
    playing = itertools.cycle(shown.hall.plays)

    def stroke() -> None:
        shown.score(next(playing))
        for reader in range(READERS):
            counts[reader], _ = newest.since(shown.hall.desk, counts[reader])

    stroke()
    board = next(playing)
    ours, floor = side_by_side(
        stroke, lambda: compact(board_part(shown.hall.desk, board, before_a_public)), repeats=99
    )
    report.add(f"a stroke in a hall of {BOARDS} boards, told to {READERS} readers", ours / MS,
               floor / MS, unit="ms", against="its board's part as JSON")  # fmt: skip
    seen = shown.hall
    ours, floor = side_by_side(
        lambda: [pass_time(seen.desk, seen.now_ms), *(told(seen.desk, at) for at in seen.alive)],
        lambda: [board for board in seen.alive if board not in seen.desk.open_orders], repeats=99,
    )  # fmt: skip
    report.add(f"what {BOARDS} boards are to play and be told", ours / MS, floor / MS, unit="ms",
               against="which of them are free")  # fmt: skip
