"""Many matches for each kind of referee, on all processors, and their table as Markdown."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.traffic.measures import MeasuredTally, case_of, measure

BEGIN, END = "<!-- referees: begin -->", "<!-- referees: end -->"
"""The lines between which firmware/MEASUREMENTS.md shows the table."""

WHO = {
    Referee.WATCHING: "watches",
    Referee.TABLE_ONLY: "looks at the table",
    Referee.CARELESS: "careless",
}

COLUMNS = (
    "referee", "matches", "first reading right", "ceiling", "presses per stroke",
    "turn errors", "left at the end", "corrections", "lost, doubled", "final scores wrong",
    "gave up",
)  # fmt: skip

Counted = dict[tuple[Referee, Strength], MeasuredTally]


def measure_all(
    matches: int, seed: int, workers: int | None = None, tick: Callable[[], None] = lambda: None,
    auto_confirm: float = 0.0,
) -> Counted:  # fmt: skip
    """Play matches before each kind of referee; the same seed gives the same counts.

    ``tick`` is called after each match. With one worker everything happens in this process.
    Readings at least as sure as ``auto_confirm`` are entered automatically; 0: none is.
    """
    jobs = [(referee, number) for number in range(matches) for referee in Referee]
    counted: Counted = {}
    played = _played(jobs, seed, workers, auto_confirm)
    for (referee, number), tally in zip(jobs, played, strict=True):
        key = (referee, case_of(number, referee, seed).strength)
        counted[key] = counted.get(key, MeasuredTally()) + tally
        tick()
    return counted


def _played(
    jobs: list[tuple[Referee, int]], seed: int, workers: int | None, auto_confirm: float
) -> Iterator[MeasuredTally]:
    play = partial(_measured, seed=seed, auto_confirm=auto_confirm)
    count = workers or os.cpu_count() or 1
    if count == 1:
        yield from map(play, jobs)
        return
    with ProcessPoolExecutor(count) as pool:
        yield from pool.map(play, jobs, chunksize=4)


def _measured(job: tuple[Referee, int], seed: int, auto_confirm: float) -> MeasuredTally:
    referee, number = job
    return measure(case_of(number, referee, seed, auto_confirm))


# --- as Markdown ---------------------------------------------------------------------------


def report(
    counted: Counted, matches: int, seed: int, day: datetime.date, auto_confirm: float = 0.0
) -> str:
    """Write the counts as firmware/MEASUREMENTS.md has them: by referee, and by strength.

    If readings were entered automatically (``auto_confirm``), a table of these follows.
    """
    head = (
        f"{day:%-d %B %Y}, seed {seed}, {matches:,} matches for each kind of referee, "
        f"`{command_line(matches, seed, auto_confirm)}`:\n\n"
    )
    rows = [_row(WHO[who], _sum(counted, who)) for who in Referee]
    unasked = "\n" + _of_the_unasked(counted) if auto_confirm else ""
    return head + _table(COLUMNS, rows) + "\n" + _by_strength(counted) + unasked


def command_line(matches: int, seed: int, auto_confirm: float = 0.0) -> str:
    """Return the command that prints the same table."""
    line = f"python -m jackspot_sim.traffic measure --matches {matches} --seed {seed}"
    return line + (f" --auto-confirm {auto_confirm:g}" if auto_confirm else "")


def _of_the_unasked(counted: Counted) -> str:
    columns = ("referee", "entered of what fell", "settled themselves", "of these wrong")
    rows = [
        (
            WHO[who], f"{each.entered:,}", _per_cent(each.unasked, each.entered),
            f"{_per_cent(each.unasked_wrong, each.unasked)} ({each.unasked_wrong:,})",
        )
        for who in Referee
        for each in [_sum(counted, who)]
    ]  # fmt: skip
    return _table(columns, rows)


def _sum(counted: Counted, who: Referee) -> MeasuredTally:
    return sum((each for key, each in counted.items() if who in key), MeasuredTally())


def _row(name: str, each: MeasuredTally) -> tuple[str, ...]:
    strokes = max(each.strokes, 1)
    return (
        name,
        f"{each.matches:,}",
        _per_cent(each.first_right, each.fell),
        _per_cent(each.ceiling, each.fell),
        f"{each.presses / strokes:.2f}",
        _per_cent(each.turn_errors, strokes, 2),
        _per_cent(each.turns_left, strokes, 2),
        f"{each.corrections / max(each.matches, 1):.2f} a match",
        f"{_per_cent(each.lost, strokes, 2)}, {_per_cent(each.doubled, strokes, 2)}",
        f"{each.finals_wrong:,}",
        f"{each.stuck:,}",
    )


def _by_strength(counted: Counted) -> str:
    columns = ("players, watched", "first reading right", "ceiling", "presses per stroke")
    rows = []
    for strength in Strength:
        watched = counted.get((Referee.WATCHING, strength), MeasuredTally())
        rows.append(
            (
                strength.value,
                _per_cent(watched.first_right, watched.fell),
                _per_cent(watched.ceiling, watched.fell),
                f"{watched.presses / max(watched.strokes, 1):.2f}",
            )
        )
    return _table(columns, rows)


def _per_cent(part: float, whole: float, digits: int = 1) -> str:
    return f"{100 * part / max(whole, 1):.{digits}f} %"


def _table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def put_into(text: str, table: str, begin: str = BEGIN, end: str = END) -> str:
    """Put the table between its two lines; ValueError if they are missing."""
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"expected the lines {begin} and {end} once each: add them")
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    return f"{before}{begin}\n{table}{end}{after}"
