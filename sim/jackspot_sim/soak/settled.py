"""Three pictures of :mod:`jackspot_sim.soak.settling`: how sure readings are, what sure ones save.

The first is a reliability diagram: across, what readings said; upwards, how many of them were
right. On the diagonal a board is as sure as it may be; below it, it is too sure. The second plots
presses a stroke against errors, with a dot for each threshold, joined from "people confirm all" on.
It shows each system; the third shows the same by the evidence that a board has.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.physics import STRENGTHS
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.plots import Diagram, Dot, panels_svg
from jackspot_sim.soak.settling import THRESHOLDS, BoardEvidence, Point, SettlingRun, together
from jackspot_sim.traffic.certainty import EDGES, Bin, BoardPhase, calibration_error, wilson
from jackspot_sim.traffic.report import WHO

MARKS = (0, 20, 40, 60, 80, 100)
PRESSES = (0, 1, 2, 3, 4, 5)
FEWEST = 10
"""A bin with fewer readings than this is not drawn: it says almost nothing."""
SHOWN = (Quality.DEFAULT, Quality.CROSSED)


def sure_panel(title: str, series: Sequence[tuple[str, Sequence[Bin]]]) -> Diagram:
    """Return the reliability diagram of some kinds of readings."""
    drawn = [(name, [_dot(each) for each in bins if each.count >= FEWEST]) for name, bins in series]
    return Diagram(title, "said, %", "right, %", MARKS, MARKS, drawn, diagonal=True)


def _dot(each: Bin) -> Dot:
    low, high = wilson(each.right, each.count)
    return Dot(100 * each.said, 100 * each.share, 100 * low, 100 * high)


def sure_svg(runs: Sequence[SettlingRun]) -> str:
    """Draw how sure readings were and how often right: by phase and strength, for each system."""
    panels = [
        panel
        for rules in RuleSystem
        for run in runs
        if run.rules is rules and run.evidence == BoardEvidence(SHOWN[0])
        for panel in _panels_of(run)
    ]
    rows = [panels[at : at + 4] for at in range(0, len(panels), 4)]
    return panels_svg("Of readings said to be so sure, how many were right", rows, _read(runs))


def _panels_of(run: SettlingRun) -> tuple[Diagram, Diagram]:
    by_phase = [
        (phase.value, together((e.bin for e in run.sure if e.phase is phase), EDGES))
        for phase in BoardPhase
    ]
    by_strength = [
        (who.value, together((e.bin for e in run.sure if e.strength is who), EDGES))
        for who in STRENGTHS
    ]
    return (
        sure_panel(f"{run.rules}, by phase", by_phase),
        sure_panel(f"{run.rules}, by strength", by_strength),
    )


def curve_svg(runs: Sequence[SettlingRun]) -> str:
    """Draw presses a stroke against wrong entries and wrong finals: a row for each referee.

    Each curve is one system, on boards with beams alone.
    """
    runs = [run for run in runs if run.evidence.beams_alone]

    def by_system(sensors: Quality) -> list[tuple[str, SettlingRun]]:
        return [(run.rules.value, run) for run in runs if run.evidence.sensors is sensors]

    rows = [
        [
            panel
            for sensors in SHOWN
            for panel in _curves_of(
                by_system(sensors), f"{WHO[who]}, {BoardEvidence(sensors)}", who
            )
        ]
        for who in Referee
    ]
    about = f"{_played(runs)}; a dot for each threshold, from people confirming all on"
    return panels_svg("What settles itself: presses against what is wrong", rows, about)


def evidence_svg(runs: Sequence[SettlingRun]) -> str:
    """Draw the same for hikone: each curve is for boards with the same evidence."""
    runs = [run for run in runs if run.rules is RuleSystem.HIKONE]
    curves = [(str(run.evidence), run) for run in runs]
    marks = PRESSES[:4], MARKS[:3], MARKS[:4]
    rows = zip(*(_curves_of(curves, WHO[who], who, *marks) for who in Referee), strict=True)
    about = f"{_played(runs)}; hikone, a dot for each threshold"
    return panels_svg("Hands off: presses against what is wrong, by evidence", list(rows), about)


def _curves_of(
    runs: Sequence[tuple[str, SettlingRun]],
    title: str,
    who: Referee,
    presses: Sequence[float] = PRESSES,
    entries_to: Sequence[float] = MARKS[:4],
    finals_to: Sequence[float] = MARKS,
) -> tuple[Diagram, Diagram]:
    points = [(name, [each for each in run.points if each.referee is who]) for name, run in runs]
    entries = [(name, [_point(e, *e.lines) for e in found]) for name, found in points]
    finals = [
        (name, [_point(e, e.finals_wrong, e.matches) for e in found]) for name, found in points
    ]
    return (
        Diagram(title, "presses a stroke", "entries wrong, %", presses, entries_to, entries),
        Diagram(title, "presses a stroke", "finals wrong, %", presses, finals_to, finals),
    )


def _point(point: Point, part: int, whole: int) -> Dot:
    low, high = wilson(part, whole)
    share = part / max(whole, 1)
    return Dot(point.presses / max(point.strokes, 1), 100 * share, 100 * low, 100 * high)


# --- the same in words -------------------------------------------------------------------

BEGIN, END = "<!-- settling: begin -->", "<!-- settling: end -->"
"""The lines between which firmware/MEASUREMENTS.md has the two tables."""


def tables_text(runs: Sequence[SettlingRun]) -> str:
    """Write two Markdown tables: how sure readings are by system, and what settling costs.

    The second one puts all systems together, under one beam.
    """
    beams = [run for run in runs if run.evidence == BoardEvidence(SHOWN[0])]
    sure = [
        (
            run.rules.value, f"{count:,}", f"{100 * said:.1f} %", within(right, count),
            f"{100 * calibration_error(bins):.1f}",
        )
        for run in beams
        for bins in [together((each.bin for each in run.sure), EDGES)]
        for count, right in [(sum(e.count for e in bins), sum(e.right for e in bins))]
        for said in [sum(e.said * e.count for e in bins) / max(count, 1)]
    ]  # fmt: skip
    cost = [
        (WHO[who], f"{100 * at:g} %" if at else "never", f"{sum(e.strokes for e in found):,}",
         f"{sum(e.presses for e in found) / max(sum(e.strokes for e in found), 1):.2f}",
         f"{100 * sum(e.unasked for e in found) / max(entered, 1):.1f} %",
         within(sum(e.unasked_wrong for e in found), sum(e.unasked for e in found)),
         within(sum(e.entered_wrong for e in found), entered),
         f"{sum(e.finals_wrong for e in found)} of {sum(e.matches for e in found)}",
         f"{sum(e.stuck for e in found)}")
        for who in Referee
        for at in THRESHOLDS
        for found in [[e for run in beams for e in run.points
                       if e.referee is who and e.auto_confirm == at]]
        for entered in [sum(e.entered for e in found)]
    ]  # fmt: skip
    return "\n".join(
        [
            f"{_read(runs)}:", "",
            *_page_table(("system", "readings", "said", "right", "error, points"), sure), "",
            f"{_played(beams)}, one beam per pocket, all systems together:", "",
            *_page_table(
                ("referee", "settles itself from", "strokes", "presses a stroke",
                 "of what fell, settled itself", "of that, wrong", "entries wrong",
                 "final scores wrong", "gave up"), cost), "",
        ]
    )  # fmt: skip


def within(part: int, whole: int) -> str:
    """Write a share with the confidence interval that its count allows."""
    if not whole:
        return "-"
    low, high = wilson(part, whole)
    return f"{100 * part / whole:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def _page_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    return [lines[0], "|---" * len(header) + "|", *lines[1:]]


def _read(runs: Sequence[SettlingRun]) -> str:
    """Return the sentence on when and from what the certainty of readings was measured."""
    beams = [run for run in runs if run.evidence == BoardEvidence(SHOWN[0])]
    readings = sum(each.bin.count for run in beams for each in run.sure)
    return f"{_when(beams)}, {readings:,} readings with a referee who watches, one beam per pocket"


def _played(runs: Sequence[SettlingRun]) -> str:
    """Return the sentence on when and from what the curves were made."""
    strokes = sum(run.points[0].strokes for run in runs)
    return f"{_when(runs)}, {strokes:,} strokes with each referee"


def _when(runs: Sequence[SettlingRun]) -> str:
    days = sorted({run.date for run in runs})
    seeds = sorted({run.seed for run in runs})
    when = " to ".join(f"{day:%-d %B %Y}" for day in dict.fromkeys((days[0], days[-1])))
    return f"{when}, seed {', '.join(map(str, seeds))}"
