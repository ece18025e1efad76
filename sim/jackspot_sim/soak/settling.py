"""What entering sure readings automatically costs and saves: figures in a file.

``jackspot soak --curve FILE`` plays each match once for each of :data:`THRESHOLDS` and puts its
counts into FILE, in place of those with the same rules and evidence. The pictures of
firmware/MEASUREMENTS.md are drawn from such a file (``make pictures``), so that hours of play are
kept and can be drawn again in a second.
"""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, to_builtins
from msgspec.structs import astuple

from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.files import atomic_write
from jackspot_sim.chance.frequencies import Referee, Room, Strength
from jackspot_sim.sensing.heads import HeadQuality
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.counting import SoakCount
from jackspot_sim.soak.running import Soak
from jackspot_sim.traffic.certainty import Bin, BoardPhase, Certainties, bins_of

THRESHOLDS = (0.0, 0.95, 0.9, 0.8, 0.7, 0.6)
"""How sure a reading must be to be entered automatically; 0: none is, people confirm all."""


class Point(Struct, frozen=True):
    """The counts before one referee at one threshold."""

    referee: Referee
    auto_confirm: float
    matches: int
    strokes: int
    presses: int
    entered: int
    """Entries of what fell."""
    entered_wrong: int
    unasked: int
    """Those of them that were entered automatically."""
    unasked_wrong: int
    finals_wrong: int
    stuck: int
    missed: int = 0
    """Misses that were entered automatically."""
    missed_wrong: int = 0

    @property
    def lines(self) -> tuple[int, int]:
        """How many entries were wrong, of how many: entries of falls, and automatic misses."""
        return self.entered_wrong + self.missed_wrong, self.entered + self.missed


class SureBin(Struct, frozen=True):
    """Readings of one strength and phase that said about as much, before a referee who watches."""

    strength: Strength
    phase: BoardPhase
    bin: Bin


class BoardEvidence(Struct, frozen=True, omit_defaults=True):
    """The evidence that a board has, and what people still press."""

    sensors: Quality = Quality.DEFAULT
    room: Room | None = None
    """Where boards with discs stand."""
    heads: HeadQuality | None = None
    hands: Assistance = Assistance.CONFIRM

    @classmethod
    def of(cls, soak: Soak) -> BoardEvidence:
        """Return that of a soak."""
        return cls(soak.quality, soak.room, soak.heads, soak.hands)

    def __str__(self) -> str:
        """Name what there is besides one beam a pocket: ``crossed, discs, heads``."""
        named = [] if self.sensors is Quality.DEFAULT else [self.sensors.value]
        named += ["discs"] if self.room else []
        named += ["heads"] if self.heads else []
        return ", ".join(named) or "one beam"

    @property
    def beams_alone(self) -> bool:
        """Whether there are no other sensors, and people confirm what falls."""
        return self == BoardEvidence(self.sensors)


class SettlingRun(Struct, frozen=True):
    """Everything that was counted of one rule system on boards with the same evidence."""

    command: str
    date: datetime.date
    rules: RuleSystem
    evidence: BoardEvidence
    seed: int
    points: tuple[Point, ...]
    sure: tuple[SureBin, ...]


def run_of(
    soak: Soak, counts: Mapping[tuple[Referee, float], SoakCount], further: SoakCount,
    command: str, day: datetime.date,
) -> SettlingRun:  # fmt: skip
    """Return the counts as they are kept; ``further`` matches only say how sure readings are."""
    points = tuple(
        Point(
            who, threshold, t.matches, t.strokes, t.presses, t.entered, t.entered_wrong, t.unasked,
            t.unasked_wrong, t.finals_wrong, t.stuck, t.missed_alone, t.missed_alone_wrong,
        )
        for (who, threshold), count in counts.items()
        for t in [count.tally]
    )  # fmt: skip
    asked = counts[soak.referees[0], THRESHOLDS[0]].tally.certainties
    asked = asked + further.tally.certainties
    return SettlingRun(
        command, day, soak.system, BoardEvidence.of(soak), soak.seed, points, _sure(asked)
    )


def _sure(found: Certainties) -> tuple[SureBin, ...]:
    kinds: dict[tuple[Strength, BoardPhase], Certainties] = {
        (strength, phase): Counter() for strength in Strength for phase in BoardPhase
    }
    for each, count in found.items():
        kinds[each.strength, each.phase][each] = count
    return tuple(
        SureBin(*kind, one) for kind, some in kinds.items() for one in bins_of(some)
    )  # fmt: skip


def together(bins: Iterable[Bin], edges: Sequence[float]) -> tuple[Bin, ...]:
    """Put bins of several kinds together, those between the same edges."""
    sums: dict[int, tuple[int, int, float]] = {}
    for each in bins:
        at = sum(each.said >= edge for edge in edges[1:-1])
        count, right, said = sums.get(at, (0, 0, 0.0))
        sums[at] = count + each.count, right + each.right, said + each.said * each.count
    return tuple(Bin(n, right, said / n) for _at, (n, right, said) in sorted(sums.items()))


# --- the file ----------------------------------------------------------------------------


def read_runs(path: Path) -> tuple[SettlingRun, ...]:
    """Read a file of figures; none if there is no file. ValueError if it holds something else."""
    if not path.exists():
        return ()
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["runs"]
        return tuple(_run(each) for each in listed)
    except (KeyError, TypeError, ValueError) as wrong:
        raise ValueError(
            f"{path}: expected figures of jackspot soak --curve, found something else ({wrong!r}); "
            "name a new file"
        ) from wrong


def _run(said: Mapping[str, Any]) -> SettlingRun:
    return SettlingRun(
        said["command"], datetime.date.fromisoformat(said["date"]), RuleSystem(said["rules"]),
        convert(said, BoardEvidence),
        int(said["seed"]),
        tuple(Point(Referee(who), *numbers) for who, *numbers in said["points"]),
        tuple(
            SureBin(Strength(who), BoardPhase(phase), Bin(*numbers))
            for who, phase, *numbers in said["sure"]
        ),
    )  # fmt: skip


def put_run(run: SettlingRun, path: Path) -> None:
    """Put a run into a file of figures, in place of one of the same rules and evidence.

    ValueError if the file holds something else, OSError if it cannot be written.
    """
    runs = {(each.rules, each.evidence): each for each in read_runs(path)}
    runs[run.rules, run.evidence] = run
    rules, sensors = tuple(RuleSystem), tuple(Quality)
    order = sorted(
        runs.values(),
        key=lambda each: (
            rules.index(each.rules), sensors.index(each.evidence.sensors),
            str(each.evidence.room), str(each.evidence.heads), each.evidence.hands,
        ),
    )  # fmt: skip
    told = ",\n".join(map(_written, order))
    atomic_write(path, f'{{"runs": [\n{told}\n]}}\n')


def _written(run: SettlingRun) -> str:
    """Write a run as JSON, a row a line, so that what has changed can be read."""
    points = (astuple(each) for each in run.points)
    sure = ((e.strength, e.phase, e.bin.count, e.bin.right, round(e.bin.said, 4)) for e in run.sure)
    head = {
        "command": run.command, "date": run.date.isoformat(), "rules": run.rules,
        "sensors": run.evidence.sensors, **to_builtins(run.evidence), "seed": run.seed,
    }  # fmt: skip
    rows = (
        f'"{name}": [\n' + ",\n".join(json.dumps(each) for each in listed) + "\n]"
        for name, listed in (("points", points), ("sure", sure))
    )
    return json.dumps(head)[:-1] + ",\n" + ",\n".join(rows) + "}"
