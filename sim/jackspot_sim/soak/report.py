"""The counts of a soak in tables: on a terminal, and as a page with plots in a folder."""

from __future__ import annotations

import datetime
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.physics import STRENGTHS
from jackspot_sim.soak.agreed import written
from jackspot_sim.soak.counting import SoakCount
from jackspot_sim.soak.listening import FLICKS
from jackspot_sim.soak.plots import Bars, panels_svg, svg
from jackspot_sim.soak.running import Results, Soak
from jackspot_sim.soak.settled import sure_panel, within
from jackspot_sim.soak.settling import SettlingRun
from jackspot_sim.traffic.certainty import (
    Bin,
    bins_of,
    calibration_error,
    score_of,
    wilson,
)
from jackspot_sim.traffic.report import WHO
from jackspot_sim.traffic.rounds import MOST_SHOTS

HOUR_NS = 3_600_000_000_000


class ReportTable(Struct, frozen=True):
    """A table of the report: its heading, its columns, its rows, and a line about it.

    ``plots`` name the files of the plots that belong to it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    about: str = ""
    plots: tuple[str, ...] = ()


def tables(results: Results) -> tuple[ReportTable, ...]:
    """Return everything that is reported of a soak."""
    return (
        _scores(results), _readings(results), _sure(results), _beams(results), _strokes(results),
        _speed(results),
    )  # fmt: skip


def _scores(results: Results) -> ReportTable:
    found, most = results.by_referee, results.soak.most_shots
    rows: tuple[tuple[str, Callable[[SoakCount], str]], ...] = (
        ("matches", lambda c: f"{c.tally.matches:,}"),
        (
            "left as they stood" + (f" after {most} strokes" if most else ""),
            lambda c: f"{c.unended:,}",
        ),
        ("strokes", lambda c: f"{c.tally.strokes:,}"),
        ("presses per stroke", lambda c: f"{c.tally.presses / max(c.tally.strokes, 1):.2f}"),
        ("entered for the wrong seat", lambda c: share(c.tally.turn_errors, c.tally.strokes, 2)),
        ("left so at the end", lambda c: share(c.tally.turns_left, c.tally.strokes, 2)),
        ("mended, a match", lambda c: f"{c.tally.corrections / max(c.tally.matches, 1):.2f}"),
        ("strokes lost", lambda c: share(c.tally.lost, c.tally.strokes, 2)),
        ("strokes that nobody shot", lambda c: share(c.tally.doubled, c.tally.strokes, 2)),
        ("final scores wrong", lambda c: f"{c.tally.finals_wrong:,}{_seeds(c.wrong)}"),
        ("of them nobody could notice", lambda c: f"{c.unnoticeable:,}{_seeds(c.silent)}"),
        ("somebody gave up", lambda c: f"{len(c.stuck):,}{_seeds(c.stuck)}"),
        ("broken off", lambda c: f"{len(c.broken):,}"),
    )
    if results.soak.room is not None:
        rows = (*rows, *_KNOCKS)
    return ReportTable(
        "Scores, by referee", ("", *(WHO[who] for who in found)),
        tuple((name, *(told(each) for each in found.values())) for name, told in rows),
        "Numbers in brackets are matches that jackspot watch shows.",
        ("scores.svg", "presses.svg"),
    )  # fmt: skip


_KNOCKS: tuple[tuple[str, Callable[[SoakCount], str]], ...] = (
    ("misses nobody had pressed for", lambda c: f"{c.misses:,}"),
    ("of them said by knocks", lambda c: share(c.misses_said, c.misses)),
    ("said to have shot, though nobody had", lambda c: share(c.quiet_said, c.quiet, 2)),
    ("misses that entered themselves", lambda c: f"{c.tally.missed_alone:,}"),
    (
        "of them by who had not missed",
        lambda c: share(c.tally.missed_alone_wrong, c.tally.missed_alone, 2),
    ),
)
"""What is also reported of boards with discs."""


def _readings(results: Results) -> ReportTable:
    columns = (
        "players", "strokes sensed", "first reading right", "best that could be read",
        "behind, points", "best, told who shot", "best, told the colours too",
    )  # fmt: skip
    rows = tuple(
        (
            who.value, f"{each.strokes:,}", share(each.right, each.strokes),
            share(each.at_best, each.strokes),
            f"{100 * (each.at_best - each.right) / max(each.strokes, 1):.2f}",
            share(each.with_shooter, each.strokes),
            share(each.with_colour, each.strokes),
        )
        for who, each in results.readings.items()
    )  # fmt: skip
    about = (
        f"Of matches before the referee who {WHO[results.soak.referees[0]]}. The best is learnt "
        "from the other half of these matches (see ceilings.py): with few matches it is too low. "
        "It knows what the board knows; who shot is not told where a miss was never entered."
    )
    return ReportTable("First readings, by strength", columns, rows, about, ("readings.svg",))


def _sure(results: Results) -> ReportTable:
    """Tabulate how many readings of each certainty were right."""
    found = results.by_referee[results.soak.referees[0]].tally.certainties
    rows = tuple((f"{100 * each.said:.1f} %", *right_of(each)) for each in bins_of(found))
    error, score = 100 * calibration_error(bins_of(found)), score_of(found)
    about = (
        f"Of matches before the referee who {WHO[results.soak.referees[0]]}: the likeliest reading "
        "when quiet has ended a fall, hands too. What was said is on average "
        f"{error:.1f} points from what was right; its score is {score:.4f}."
    )
    columns = ("said", "readings", "right", "between, 95 of 100 times")
    return ReportTable("How sure first readings are", columns, rows, about, ("sure.svg",))


def right_of(each: Bin) -> tuple[str, str, str]:
    """Write how many readings a bin has, how many were right, and how sure that is."""
    low, high = wilson(each.right, each.count)
    between = f"{100 * low:.1f} to {100 * high:.1f} %"
    return f"{each.count:,}", share(each.right, each.count), between


def settling_table(run: SettlingRun) -> ReportTable:
    """Tabulate the presses and the errors where sure readings were entered automatically."""
    columns = (
        "referee, settles itself from", "matches", "strokes", "presses a stroke",
        "of what fell, settled itself", "of that, wrong", "entries wrong", "finals wrong",
        "gave up",
    )  # fmt: skip
    rows = tuple(
        (
            f"{WHO[e.referee]}, {f'{100 * e.auto_confirm:g} %' if e.auto_confirm else 'never'}",
            f"{e.matches:,}", f"{e.strokes:,}", f"{e.presses / max(e.strokes, 1):.2f}",
            share(e.unasked, e.entered), within(e.unasked_wrong, e.unasked),
            within(*e.lines), within(e.finals_wrong, e.matches), f"{e.stuck:,}",
        )
        for e in run.points
    )  # fmt: skip
    title = f"Readings that settle themselves: {run.rules}, {run.evidence}, seed {run.seed}"
    return ReportTable(title, columns, rows, "In brackets what 95 of 100 such counts allow.")


def _beams(results: Results) -> ReportTable:
    one = results.by_referee[results.soak.referees[0]]
    rows = (
        ("pieces that fell", f"{one.fell:,}", ""),
        ("seen by no beam", f"{one.missed:,}", share(one.missed, one.fell, 3)),
        ("seen too briefly for the board", f"{one.unmade:,}", share(one.unmade, one.fell, 3)),
        ("two in one fall", f"{one.merged:,}", share(one.merged, one.fell, 3)),
        ("one as two falls", f"{one.split:,}", share(one.split, one.fell, 3)),
        ("joined with another by the board", f"{one.joined:,}", share(one.joined, one.fell, 3)),
        (
            "falls of hands, sun and moths while a shot was waited for",
            f"{one.from_nothing:,}",
            share(one.from_nothing, one.tally.strokes, 3) + " of strokes",
        ),
        ("fell late", f"{one.late:,}", share(one.late, one.tally.strokes, 3) + " of strokes"),
        ("flew off", f"{one.flown:,}", share(one.flown, one.tally.strokes, 3) + " of strokes"),
    )
    return ReportTable(f"Beams: {results.soak.quality}", ("", "how many", "share"), rows)


MOST_OUTCOMES = 14


def _strokes(results: Results) -> ReportTable:
    """Tabulate what strokes pocketed, by strength: what the players really did."""
    counts: Mapping[str, SoakCount] = {w.value: each for w, each in results.by_strength.items()}
    every = [outcome for outcome, _ in results.whole.outcomes.most_common(MOST_OUTCOMES)]
    rows = tuple(
        (
            " + ".join(outcome) or "nothing",
            *(share(c.outcomes[outcome], c.tally.strokes, 2) for c in counts.values()),
        )
        for outcome in every
    )
    about = "Of all strokes, late falls too."
    return ReportTable("What a stroke pockets", ("", *counts), rows, about, ("strokes.svg",))


def _speed(results: Results) -> ReportTable:
    whole = results.whole
    matches = max(whole.tally.matches, 1)
    rows = (
        ("matches", f"{whole.tally.matches:,}"),
        ("wall time", f"{results.wall_s:,.0f} s on {counted(results.workers, 'process', 'es')}"),
        ("matches a second", f"{whole.tally.matches / max(results.wall_s, 1e-9):.2f}"),
        ("hours of play simulated", f"{whole.virtual_ns / HOUR_NS:,.1f}"),
        (
            "hours of play a second",
            f"{whole.virtual_ns / HOUR_NS / max(results.wall_s, 1e-9):.2f}",
        ),
        ("processor time a match", f"{whole.whole_s / matches:.2f} s"),
        ("of it players, physics and beams", share(whole.physics_s, whole.whole_s)),
        *_latency(whole),
    )
    return ReportTable("Speed", ("", "together"), rows)


def _latency(whole: SoakCount) -> Iterator[tuple[str, str]]:
    """Report how long it takes until a fall is on the OLED, if there was an OLED."""
    times = sorted(whole.latencies_ns.elements())
    told = "only with --whole: these boards have no OLED"
    if times:
        middle, late = times[len(times) // 2] / 1e6, times[int(len(times) * 0.99)] / 1e6
        told = f"{middle:.1f} ms, 1 % above {late:.1f} ms"
    yield "edge to OLED, its bus at 400 kHz", told


def counted(number: int, word: str, plural: str) -> str:
    """Write how many of something there are."""
    return f"{number:,} {word}{'' if number == 1 else plural}"


def share(part: float, whole: float, digits: int = 1) -> str:
    """Write a share in per cent."""
    return f"{100 * part / max(whole, 1e-9):.{digits}f} %" if whole else "-"


def _seeds(numbers: Sequence[int]) -> str:
    """Name the matches that can be replayed, the first few of them."""
    if not numbers:
        return ""
    some = ", ".join(str(each) for each in sorted(numbers)[:8])
    return f" ({some}{', ...' if len(numbers) > 8 else ''})"


# --- the folder ------------------------------------------------------------------------------

PAGE, FIGURES = "index.html", "figures.json"


def plots(results: Results) -> Iterator[tuple[str, str]]:
    """Draw the plots; return file names and their text."""
    readings = list(results.readings.items())
    yield "readings.svg", svg(Bars(
        "First reading right", [who.value for who, _ in readings],
        ["first reading", "best that could be read", "told who shot", "and the colours"],
        [[_part(each, b.strokes) for each in (b.right, b.at_best, b.with_shooter, b.with_colour)]
         for _, b in readings],
    ))  # fmt: skip
    found = results.by_referee[results.soak.referees[0]].tally.certainties
    yield "sure.svg", panels_svg("How sure first readings are", [[sure_panel("", [
        (who.value, bins_of(Counter({e: n for e, n in found.items() if e.strength is who})))
        for who in STRENGTHS
    ])]])  # fmt: skip
    referees = list(results.by_referee.items())
    yield "scores.svg", svg(Bars(
        "Final scores wrong, of matches", [WHO[who] for who, _ in referees], ["wrong"],
        [[_part(c.tally.finals_wrong, c.tally.matches)] for _, c in referees],
    ))  # fmt: skip
    yield "presses.svg", svg(Bars(
        "Presses per stroke", [WHO[who] for who, _ in referees], ["presses"],
        [[c.tally.presses / max(c.tally.strokes, 1)] for _, c in referees], "", 2,
    ))  # fmt: skip
    strengths = list(results.by_strength.items())
    outcomes = [key for key, _ in results.whole.outcomes.most_common(8) if key]
    yield "strokes.svg", svg(Bars(
        "What strokes pocket", [" + ".join(each) for each in outcomes],
        [who.value for who, _ in strengths],
        [[_part(c.outcomes[each], c.tally.strokes) for _, c in strengths] for each in outcomes],
    ))  # fmt: skip


def _part(part: float, whole: float) -> float:
    return 100 * part / max(whole, 1)


STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid #8885; text-align: right; }
th:first-child, td:first-child { text-align: left; }
img { max-width: 100%; min-width: 36rem; display: block; margin: 1rem 0; }
.wide { overflow-x: auto; }
code { overflow-wrap: anywhere; }
"""


def write(results: Results, folder: Path, command: str, day: datetime.date) -> Path:
    """Write the page, its plots and the bare figures into a folder; return the page's path.

    An earlier report there is replaced once all of this one is on the disk. OSError if it cannot
    be written; none of it is left then.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawn = dict(plots(results))
    files = {**drawn, **_figures_and_page(results, command, day)}
    with tempfile.TemporaryDirectory(prefix=".soak-", dir=folder) as aside:
        for name, text in files.items():
            (Path(aside) / name).write_text(text, encoding="utf-8")
        for name in files:
            (Path(aside) / name).replace(folder / name)
    return folder / PAGE


def prepare(folder: Path) -> None:
    """Make the folder for a report. OSError if that fails, ValueError if it holds something else.

    A folder that holds an earlier report may be written over; one with anything else may not.
    """
    folder.mkdir(parents=True, exist_ok=True)
    others = sorted(each.name for each in folder.iterdir())
    if others and not (folder / FIGURES).exists():
        raise ValueError(
            f"expected an empty folder or one with an earlier report of a soak: {folder} has "
            f"{', '.join(others[:3])}{', ...' if len(others) > 3 else ''}"
        )
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(b"?")


def _figures_and_page(results: Results, command: str, day: datetime.date) -> Mapping[str, str]:
    told = tables(results)
    figures = {table.title: [dict(zip(table.columns, row, strict=True)) if table.columns[0] else row
                             for row in table.rows] for table in told}  # fmt: skip
    bare = {"command": command, "date": day.isoformat(), "whole": results.whole_soak, **figures}
    page = _page(results, told, command, day)
    return {FIGURES: json.dumps(bare, indent=1) + "\n", PAGE: page}


def _page(results: Results, told: Sequence[ReportTable], command: str, day: datetime.date) -> str:
    soak = results.soak
    played = max(count.tally.matches for count in results.by_referee.values())
    head = f"Soak: {counted(played, 'match', 'es')} of {soak.system} before each referee"
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(head)}</title><style>{STYLE}</style></head><body><main>",
        f"<h1>{escape(head)}</h1>",
        f"<p>{day:%-d %B %Y}, seed {soak.seed}, sensors: {soak.quality}, "
        + (f"calibrated with {soak.drops} drops. " if soak.drops else "not calibrated. ")
        + (f"Agreed: {escape(', '.join(written(soak.options)))}. " if soak.options else "")
        + f"<code>{escape(command)}</code></p>",
        ""
        if results.whole_soak
        else f"<p><strong>Interrupted</strong> before all "
        f"{counted(soak.matches, 'match', 'es')} were played: these figures are of what was.</p>",
        "<p>Computer players on a simulated board of discs; every piece falls through its beams "
        "by geometry, and the whole chain from edges to the match record runs as on a board.</p>",
    ]
    parts += [_html(table) for table in told]
    parts += _to_look_at(results)
    return "\n".join([*parts, "</main></body></html>\n"])


MOST_TO_LOOK_AT = 40
"""How many matches of each kind are listed with the command that shows them."""


def _to_look_at(results: Results) -> Iterator[str]:
    """List the matches that ended wrongly, each with the command that shows it."""
    lines = [
        f"<li><code>{escape(replay_line(results.soak, number, who))}</code> {what}</li>"
        for who, count in results.by_referee.items()
        for what, numbers in (("wrong at the end", count.wrong), ("somebody gave up", count.stuck))
        for number in sorted(numbers)[:MOST_TO_LOOK_AT]
    ]
    if lines:
        yield "<h2>Matches to look at</h2><p>Each of these shows the match on the simulated table, "
        yield "stroke by stroke beside the board's record.</p>"
        yield "<ul>" + "".join(lines) + "</ul>"


def replay_line(soak: Soak, number: int, who: Referee) -> str:
    """Return the command that shows a match of a soak."""
    return " ".join([f"jackspot watch {number}", *soak_words(soak), f"--referee {who}"])


def soak_words(soak: Soak) -> list[str]:
    """Return the words of a command that say which soak is meant."""
    given = [f"--seed {soak.seed} --rules {soak.system} --sensors {soak.quality}"]
    given += [f"--seats {each}" for each in soak.lineups]
    given += [f"--option {each}" for each in written(soak.options)]
    given += [f"--strokes {soak.most_shots or 0}"] if soak.most_shots != MOST_SHOTS else []
    given += [f"--drops {soak.drops}"] if soak.drops else []
    given += [f"--learn {soak.learn}"] if soak.learn else []
    given += [f"--auto-confirm {soak.auto_confirm:g}"] if soak.auto_confirm else []
    given += [f"--hands {soak.hands}"] if soak.hands is not Assistance.CONFIRM else []
    given += [f"--knocks {soak.room}"] if soak.room is not None else []
    given += [f"--flicks {soak.flicks}"] if soak.room is not None and soak.flicks != FLICKS else []
    return given + ([f"--colours {soak.heads}"] if soak.heads is not None else [])


def _html(table: ReportTable) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in table.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    about = f"<p>{escape(table.about)}</p>" if table.about else ""
    return (
        f"<h2>{escape(table.title)}</h2>{about}<div class=wide>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        + "".join(
            f'<div class=wide><img src="{each}" alt="{escape(table.title)}, drawn"></div>'
            for each in table.plots
        )
    )
