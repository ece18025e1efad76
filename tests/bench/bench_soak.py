"""What a simulated match costs, against its players, physics and beams alone.

The floor is measured inside the same match: the cost of the turns that the firmware then scores.
An aim of 2 means that the firmware is no more than half of the run.
"""

from __future__ import annotations

from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.counting import Job, SoakCount, measure as played
from tests.bench.report import Report

MATCHES = 4
HOUR_NS = 3_600_000_000_000


def measure_matches(*, whole: bool) -> SoakCount:
    """Play a few matches of masters before a referee who watches."""
    jobs = [
        Job(number, 1, RuleSystem.HIKONE, Strength.MASTER, Referee.WATCHING, Quality.DEFAULT,
            whole=whole, sampled=False)
        for number in range(MATCHES)
    ]  # fmt: skip
    return sum(map(played, jobs), SoakCount())


def measure_one(report: Report, name: str, *, whole: bool) -> None:
    """Add a line for matches on one kind of board."""
    count = measure_matches(whole=whole)
    hours = count.virtual_ns / HOUR_NS
    report.add(
        f"an hour of play, {name}",
        count.whole_s / hours,
        count.physics_s / hours,
        unit="s",
        against="its players, physics and beams alone",
        aim=2.0,
    )


def measure(report: Report) -> None:
    """Measure the pure chain and the whole firmware."""
    measure_one(report, "edges to record", whole=False)
    measure_one(report, "pins to journal and OLED", whole=True)
