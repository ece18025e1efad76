"""Many matches on all processors; the same seed gives the same counts on any number of them."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

from msgspec import Struct

from jackspot.core.settings import RuleSystem
from jackspot.dialogue.proposals.learnt import NOTHING_LEARNT, Learnt
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee, Room, Strength
from jackspot_sim.physics import STRENGTHS
from jackspot_sim.sensing.heads import HeadQuality
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.agreed import Options, usual_lineups
from jackspot_sim.soak.ceilings import ReaderKnowledge, Sample, right_at_best
from jackspot_sim.soak.counting import Job, SoakCount, learn, measure, measure_at
from jackspot_sim.soak.listening import FLICKS
from jackspot_sim.traffic.rounds import MOST_SHOTS

DoneT = TypeVar("DoneT")

LESSONS_FROM = 10_000_000
"""The number of the first match that a board learns from."""

COLLECT_AFTER = 50_000, 20, 20
"""How many objects are made before a helping process collects garbage, by generation."""


class Soak(Struct, frozen=True):
    """What is played: ``matches`` before each of the referees, numbered from ``first``.

    ``drops`` of each kind into each pocket calibrate the board before; 0: it is not calibrated.
    ``learn``: this many other matches are played before, with a referee who watches, and the
    board learns from their strokes.
    ``whole``: on the whole firmware, from pins to journal and OLED.
    First readings and their ceiling are reported for the matches before the first referee.
    """

    matches: int
    seed: int
    system: RuleSystem
    quality: Quality
    referees: tuple[Referee, ...]
    first: int = 0
    drops: int = 0
    whole: bool = False
    lineups: tuple[str, ...] = ()
    """Who plays, in turns; empty: two, and two pairs."""
    options: Options = ()
    learn: int = 0
    auto_confirm: float = 0.0
    """How sure a reading must be to be entered automatically; 0: none is."""
    room: Room | None = None
    """Where the boards stand, if they have discs that feel knocks; None: they have none."""
    hands: Assistance = Assistance.CONFIRM
    """What people have to press."""
    flicks: int = FLICKS
    """Flicks from each side, after a quiet minute, that calibrate the discs before; 0: none do."""
    heads: HeadQuality | None = None
    """The colour heads the boards have; None: none."""
    most_shots: int | None = MOST_SHOTS
    """After so many strokes a match is left as it stands; None: each is played to its end."""

    def jobs(self, learnt: Learnt = NOTHING_LEARNT) -> list[Job]:
        """Return every match: strengths, line-ups and boards take turns."""
        return [
            self.job(number, referee, learnt)
            for number in range(self.first, self.first + self.matches)
            for referee in self.referees
        ]

    def lessons(self) -> list[Job]:
        """Return the matches that the board learns from: none of those that are counted."""
        numbers = range(LESSONS_FROM, LESSONS_FROM + self.learn)
        return [self.job(number, Referee.WATCHING) for number in numbers]

    def job(self, number: int, referee: Referee, learnt: Learnt = NOTHING_LEARNT) -> Job:
        """Return one match."""
        strength = STRENGTHS[number % len(STRENGTHS)]
        rest = number // len(STRENGTHS)
        lineups = self.lineups or usual_lineups(self.system)
        return Job(
            number, self.seed, self.system, strength, referee, self.quality,
            lineup=lineups[rest % len(lineups)], box=rest // len(lineups) % 2 == 0,
            drops=self.drops, whole=self.whole, sampled=referee is self.referees[0],
            options=self.options, learnt=learnt, auto_confirm=self.auto_confirm, room=self.room,
            hands=self.hands, flicks=self.flicks, heads=self.heads,
            most_shots=sys.maxsize if self.most_shots is None else self.most_shots,
        )  # fmt: skip


class Best(Struct, frozen=True):
    """Of the strokes that beams saw: how many there were, read right at first, and at best.

    ``at_best`` is for a reader who knows what the board knows, ``with_shooter`` for one who is told
    who shot, ``with_colour`` for one who is told the colours too.
    """

    strokes: int
    right: int
    at_best: int
    with_shooter: int
    with_colour: int


class Results(Struct, frozen=True):
    """What a soak counted, by referee and by strength, and how long it took.

    ``whole_soak`` False: somebody interrupted it, or (``killed``) one of its processes, and this is
    what was played until then.
    """

    soak: Soak
    by_referee: Mapping[Referee, SoakCount]
    by_strength: Mapping[Strength, SoakCount]
    readings: Mapping[Strength, Best]
    wall_s: float
    workers: int
    whole_soak: bool = True
    killed: bool = False

    @property
    def whole(self) -> SoakCount:
        """Return everything together."""
        return sum(self.by_referee.values(), SoakCount())


def _nobody(_job: Job, _counted: SoakCount) -> None:
    pass


def run(
    soak: Soak, workers: int | None = None, tick: Callable[[Job, SoakCount], None] = _nobody
) -> Results:
    """Play it all; ``tick`` is called for each match in turn. One worker does everything here.

    A KeyboardInterrupt ends it, and so does a process that is killed: the matches that were counted
    until then are returned.
    """
    began_s = time.monotonic()
    count = workers or os.cpu_count() or 1
    by_referee = dict.fromkeys(soak.referees, SoakCount())
    by_strength = dict.fromkeys(STRENGTHS, SoakCount())
    samples: dict[Strength, list[Sample]] = {each: [] for each in STRENGTHS}
    sensed: Counter[Strength] = Counter()
    jobs: Sequence[Job] = ()
    done, killed = 0, False
    try:
        with suppress(KeyboardInterrupt), _pool(count) as pool:
            jobs = soak.jobs(_taught(pool, soak))
            measured = _each(pool, measure, jobs)
            for job, counted in zip(jobs, measured, strict=True):
                samples[job.strength] += counted.samples
                sensed[job.strength] += counted.tally.fell if job.sampled else 0
                bare = counted.without_samples()
                by_referee[job.referee] += bare
                by_strength[job.strength] += bare
                done += 1
                tick(job, bare)
    except BrokenProcessPool:
        killed = True
    readings = {who: _best(found, sensed[who]) for who, found in samples.items()}
    wall_s = time.monotonic() - began_s
    return Results(
        soak, by_referee, by_strength, readings, wall_s, count, 0 < done == len(jobs), killed
    )


def run_at(
    soak: Soak, thresholds: Sequence[float], further: int = 0, workers: int | None = None,
    tick: Callable[[], None] = lambda: None,
) -> tuple[dict[tuple[Referee, float], SoakCount], SoakCount]:  # fmt: skip
    """Play each match once for each threshold of ``auto_confirm``; ``tick`` after each match.

    ``further`` more matches are played as usual, before the first referee; they are counted
    separately. KeyboardInterrupt if somebody interrupts it: part of a curve is no curve.
    """
    more = changed(
        soak, first=soak.first + soak.matches, matches=further, referees=soak.referees[:1]
    )
    as_ever = SoakCount()
    counts = {(who, each): SoakCount() for who in soak.referees for each in thresholds}
    with _pool(workers or os.cpu_count() or 1) as pool:
        learnt = _taught(pool, soak)
        jobs = [changed(each, sampled=False) for each in soak.jobs(learnt)]
        for job, found in zip(
            jobs, _each(pool, partial(measure_at, thresholds=thresholds), jobs), strict=True
        ):
            for threshold, count in zip(thresholds, found, strict=True):
                counts[job.referee, threshold] += count
            tick()
        others = [changed(each, sampled=False) for each in more.jobs(learnt)]
        for count in _each(pool, measure, others):
            as_ever += count
            tick()
    return counts, as_ever


def taught(soak: Soak, workers: int | None = None) -> Learnt:
    """Return what the board learns before the matches of a soak."""
    with _pool(workers or os.cpu_count() or 1) as pool:
        return _taught(pool, soak)


def _taught(pool: ProcessPoolExecutor | None, soak: Soak) -> Learnt:
    return sum(_each(pool, learn, soak.lessons()), NOTHING_LEARNT)


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor | None]:
    """Return processes that help; None if one is to do it all."""
    if workers == 1:
        yield None
        return
    pool = ProcessPoolExecutor(workers, initializer=_settle_in)
    try:
        yield pool
    finally:  # interrupted, it waits only for the matches that are being played
        pool.shutdown(cancel_futures=True)


def _each(
    pool: ProcessPoolExecutor | None, doing: Callable[[Job], DoneT], jobs: Sequence[Job]
) -> Iterator[DoneT]:
    """Do something with every match, in order."""
    return map(doing, jobs) if pool is None else pool.map(doing, jobs)


def _settle_in() -> None:
    """Prepare a process that helps.

    Ctrl-C, which goes to every process, is left to the one that counts. The search for cycles of
    garbage is less frequent, and leaves out what stays anyway: there are few, and it took a twelfth
    of the time.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def _best(samples: Sequence[Sample], sensed: int) -> Best:
    """Count right readings; strokes of which the board showed none are wrong ones."""
    return Best(
        sensed,
        sum(each.right for each in samples),
        *(
            sum(right_at_best(samples, told))
            for told in (ReaderKnowledge.SENSED, ReaderKnowledge.SHOOTER, ReaderKnowledge.COLOURS)
        ),
    )
