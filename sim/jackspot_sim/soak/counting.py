"""Counts what one match of the soak says about beams, readings, presses and scores."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from jackspot.calibration.measuring.fit import calibrated
from jackspot.core.pieces import Pocket
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.proposals.learnt import NOTHING_LEARNT, Learnt, learnt_from
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.view import Phase
from jackspot.readings.colours import ColourModel
from jackspot.readings.shots import ShotModel
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import Fall
from jackspot.values import changed
from jackspot_sim.chance.frequencies import PieceRole, Referee, Room, Strength
from jackspot_sim.sensing.drops import dropped
from jackspot_sim.sensing.heads import HEADS, BoardHeads, HeadQuality
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.soak.agreed import LINEUPS, Options, owned, settings_of
from jackspot_sim.soak.ceilings import Sample, sample_of
from jackspot_sim.soak.listening import FLICKS, listened
from jackspot_sim.soak.matches import Camera, kind_of, play, unseen
from jackspot_sim.soak.whole import WholeBoard
from jackspot_sim.traffic.matches import TimedShot, TimedTurn
from jackspot_sim.traffic.measures import Ledger, MeasuredTally
from jackspot_sim.traffic.passing import Cause, Passage
from jackspot_sim.traffic.rounds import MOST_SHOTS, GeneratedMatch, Round
from jackspot_sim.traffic.standings import standing_of

CALIBRATIONS = 7
"""How many calibrations the matches of a soak share: to make one takes half as long as a match.

With this number the strengths, line-ups and boxes, which take turns, all meet every one.
"""


class Job(Struct, frozen=True):
    """One match of a soak: everything that it depends on."""

    number: int
    seed: int
    system: RuleSystem
    strength: Strength
    referee: Referee
    quality: Quality
    lineup: str = LINEUPS[0]
    """The seats in the order of their turns."""
    box: bool = True
    most_shots: int = MOST_SHOTS
    drops: int = 0
    """Drops of each kind of piece into each pocket to calibrate the board before; 0: it is not."""
    whole: bool = False
    """Whether it is played on the whole firmware, from pins to journal and OLED."""
    sampled: bool = True
    """Whether its strokes are kept, for the ceiling."""
    options: Options = ()
    """What is agreed besides the rules' own defaults."""
    learnt: Learnt = NOTHING_LEARNT
    """What the board has learnt from earlier strokes."""
    auto_confirm: float = 0.0
    """How sure a reading must be to be entered automatically; 0: none is."""
    room: Room | None = None
    """Where the board stands, if it has discs that feel knocks; None: it has none."""
    hands: Assistance = Assistance.CONFIRM
    """What people have to press."""
    flicks: int = FLICKS
    """Flicks from each side, after a quiet minute, that calibrate the discs before; 0: none do."""
    heads: HeadQuality | None = None
    """The colour heads it has; None: none."""

    @property
    def settings(self) -> MatchSettings:
        """Return what is agreed."""
        return settings_of(self.system, self.lineup, self.options)

    @property
    def case(self) -> GeneratedMatch:
        """Return it as the traffic rounds play it."""
        name = f"{self.seed}-{self.number}"
        widths = _widths(self.system, self.drops, self.quality, self._calibrated)
        return GeneratedMatch(
            self.settings, self.strength, self.referee, name, self.box, self.most_shots, widths,
            self.learnt.times(), self.auto_confirm, self.room,
            self._listened, self.hands, () if self.heads is None else (self._colours(self.heads),),
        )  # fmt: skip

    @property
    def _calibrated(self) -> str:
        """Return the seed of the drops and flicks by which this board is calibrated."""
        return f"{self.seed}-{self.number % CALIBRATIONS}"

    @property
    def _listened(self) -> ShotModel | None:
        """Return what this board has learnt about knocks; None: it has no discs."""
        if self.room is None:
            return None
        return listened(self.system, self.room, self._calibrated, self.flicks)

    def _colours(self, heads: HeadQuality) -> ColourModel:
        """Return the colours of this match's pieces, as far as calibration drops showed them."""
        if not self.drops:
            return ColourModel()
        pieces = BoardHeads(HEADS[heads], f"{self.seed}-{self.number}", "drops")
        sensors = QUALITIES[self.quality]
        measured = dropped(self.system, self.drops, sensors, self._calibrated, pieces)
        return ColourModel().learnt(measured.seen())

    def turns(self, camera: Camera = unseen) -> Iterator[TimedTurn]:
        """Play it shot by shot, without a board; ``camera`` is called for each."""
        case = self.case
        return play(
            case.settings, case.strength, case.referee, case.seed, QUALITIES[self.quality],
            case.most_shots, camera, None if self.heads is None else HEADS[self.heads],
        )  # fmt: skip


@cache
def _widths(system: RuleSystem, drops: int, quality: Quality, seed: str) -> WidthModel:
    """Return the widths of a board calibrated with this many drops, or not calibrated."""
    if not drops:
        return WidthModel()
    return calibrated(WidthModel(), [dropped(system, drops, QUALITIES[quality], seed)])


class SoakCount(Struct, frozen=True):
    """What was counted in matches; counts add up.

    Pieces: ``fell`` fell into pockets, ``missed`` were seen by no beam, ``merged`` broke a beam
    together with another; ``split`` are passages that are a second part of one piece. Of the pieces
    on the wires, ``unmade`` passed too briefly for the board to make a fall of them, and ``joined``
    were taken into one fall with another. ``from_nothing`` are falls of hands, sun and moths that
    the board took for the beginning of a stroke. ``unnoticeable`` are the wrong finals whose counts
    and winner agree with the pieces.
    """

    tally: MeasuredTally = field(default_factory=MeasuredTally)
    fell: int = 0
    missed: int = 0
    merged: int = 0
    split: int = 0
    unmade: int = 0
    joined: int = 0
    from_nothing: int = 0
    flown: int = 0
    late: int = 0
    unnoticeable: int = 0
    misses: int = 0
    """Misses for which nobody had pressed when everything lay still, where discs listen."""
    misses_said: int = 0
    quiet: int = 0
    """Moments before a shot in which nothing was left to enter."""
    quiet_said: int = 0
    """Those of them in which the board said that somebody had shot."""
    unended: int = 0
    """Matches that were left as they were after as many shots as anybody plays."""
    virtual_ns: int = 0
    physics_s: float = 0.0
    whole_s: float = 0.0
    latencies_ns: Counter[int] = field(default_factory=Counter)
    """From the edge that ended a fall to the last bit on the OLED's bus; only for whole boards."""
    outcomes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """How often strokes pocketed what: own and opponent's pieces, or, where colours belong to no
    side, the pieces by name."""
    wrong: tuple[int, ...] = ()
    """The numbers of matches whose final score is wrong."""
    silent: tuple[int, ...] = ()
    """Those of them that nobody could notice."""
    stuck: tuple[int, ...] = ()
    """The numbers of matches in which somebody gave up."""
    broken: tuple[str, ...] = ()
    """Matches that the simulation itself could not finish: number, why, and where."""
    samples: tuple[Sample, ...] = ()

    def __add__(self, other: SoakCount) -> SoakCount:
        """Add what was counted elsewhere."""
        return SoakCount(
            *(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__)
        )

    def without_samples(self) -> SoakCount:
        """Return the counts alone, which stay small."""
        return changed(self, samples=())


class SoakLedger(Ledger):
    """Watches one match of the soak from the side; changes nothing."""

    def __init__(self, played: Round) -> None:
        super().__init__(played)
        self.from_nothing = 0
        self._falls: dict[tuple[Pocket, int], int] = {}
        """Which fall of the board a pulse went into, by pocket and beginning."""
        played.chain.watchers.append(self._count_falls)

    def _count_falls(
        self, before: DialogueState, event: DialogueEvent, _after: DialogueState
    ) -> None:
        if not isinstance(event, Fall):
            return
        self._falls |= {(pulse.pocket, pulse.start_ns): event.number for pulse in event.pulses}
        origin = self.origin.get(event.number)
        if origin is None and before.phase is Phase.READY and before.menu is None:
            self.from_nothing += 1

    def unmade_and_joined(self) -> tuple[int, int]:
        """Count pieces on the wires that are in no fall of the board, and in one with another."""
        unmade, shared = 0, Counter[int]()
        for each in self.round.happened:
            on_wires, in_falls = _on_wires(each.turn.shot), Counter[_Where]()
            for passage in _passages(each.turn.shot):
                keys = ((pulse.pocket, each.at_ns + pulse.start_ns) for pulse in passage.pulses)
                falls = {self._falls[key] for key in keys if key in self._falls}
                shared.update(falls)
                in_falls.update((kind, passage.pocket) for kind in passage.kinds if falls)
            unmade += (on_wires - in_falls).total()
        return unmade, sum(count - 1 for count in shared.values())

    def ceiling(self, fell: Sequence[TimedShot]) -> float:
        """Return nothing: the ceiling is learnt from all matches together."""
        del fell
        return 0.0


_Where = tuple[PieceRole, Pocket]


def _passages(shot: TimedShot) -> Iterator[Passage]:
    """Return every passage of a stroke's pieces, including the late one."""
    late = (shot.late,) if shot.late else ()
    return (each for each in (*shot.falls, *late) if each.kinds)


def _on_wires(shot: TimedShot) -> Counter[_Where]:
    """Count the pieces of a stroke that a beam saw; one that passed in two parts is one."""
    seen = Counter(shot.at_first) - Counter(shot.missed)
    found: Counter[_Where] = Counter()
    for each, count in seen.items():
        if each.pocket is not None:
            found[kind_of(each.piece, shot.stand), each.pocket] += count
    if shot.late:
        found.update((kind, shot.late.pocket) for kind in shot.late.kinds)
    return found


def learn(job: Job) -> Learnt:
    """Play one match, and learn from what people confirmed in it, as a board does."""
    played = Round(job.case, _timed(job, []))
    played.run()
    game = played.chain.dialogue.game
    assert game is not None, "the match is still on the board when it is over"
    alone = [line.alone for line in game.lines for _entry in line.entries]
    return learnt_from(game.match, {step for step, itself in enumerate(alone) if itself})


def measure(job: Job, turns: Sequence[TimedTurn] | None = None) -> SoakCount:
    """Play one match and count; ``turns`` are its turns if they have been played before."""
    began_s = time.process_time()
    spent: list[float] = []
    try:
        with closing(WholeBoard(job.case)) if job.whole else nullcontext() as board:
            shots = _timed(job, spent) if turns is None else iter(turns)
            count = _measured(job, board, shots, spent)
    except Exception as error:  # noqa: BLE001  whatever it is, thousands of others go on
        frames = traceback.extract_tb(error.__traceback__)
        ours = [each for each in frames if "jackspot_sim" in Path(each.filename).parts]
        # where it was raised, and what the simulation had called
        places = [
            f"{Path(each.filename).name}, line {each.lineno}, in {each.name}"
            for each in (frames[-1], *ours[-1:])
        ]
        place = " from ".join(dict.fromkeys(places))
        return SoakCount(broken=(f"{job.number}: {type(error).__name__}: {error} ({place})",))
    return changed(count, whole_s=time.process_time() - began_s)


def measure_at(job: Job, thresholds: Sequence[float]) -> tuple[SoakCount, ...]:
    """Play one match once for each threshold of ``auto_confirm``: the same shots every time."""
    try:
        turns = tuple(_timed(job, []))
    except Exception:  # noqa: BLE001  playing the match again reports where it was
        return (measure(job),) * len(thresholds)
    return tuple(measure(changed(job, auto_confirm=each), turns) for each in thresholds)


def _measured(
    job: Job, board: WholeBoard | None, turns: Iterator[TimedTurn], spent: list[float]
) -> SoakCount:
    played = Round(job.case, turns, board)
    ledger = SoakLedger(played)
    start_ns = played.chain.now_ns
    played.run()
    tally = ledger.tally()
    shots = [each.turn.shot for each in played.happened]
    game = played.chain.dialogue.game
    assert game is not None, "the match is still on the board when it is over"
    found, true = game.match.state, played.happened[-1].turn.after.state
    wrong = bool(tally.finals_wrong)
    unmade, joined = ledger.unmade_and_joined()
    silent = wrong and (standing_of(found), found.winner) == (standing_of(true), true.winner)
    samples = tuple(
        sample_of(job.number, job.strength, shot, ledger.first[number])
        for number, shot in enumerate(shots)
        if number in ledger.first and job.sampled
    )
    return SoakCount(
        tally=tally,
        fell=sum(_fell(shot) for shot in shots),
        missed=sum(missed_of(shot) for shot in shots),
        merged=sum(
            len(each.kinds) - 1 for shot in shots for each in shot.falls if len(each.kinds) > 1
        ),
        split=sum(_split(shot) for shot in shots),
        unmade=unmade,
        joined=joined,
        from_nothing=ledger.from_nothing,
        flown=sum(shot.flown is not None for shot in shots),
        late=sum(_late(shot) for shot in shots),
        misses=played.misses.count,
        misses_said=played.misses.said,
        quiet=played.quiet.count,
        quiet_said=played.quiet.said,
        unnoticeable=int(silent),
        unended=int(not true.over),
        virtual_ns=played.chain.now_ns - start_ns,
        physics_s=sum(spent),
        latencies_ns=Counter(board.latencies_ns) if board is not None else Counter(),
        outcomes=Counter(_outcome(shot, owned=owned(job.settings)) for shot in shots),
        wrong=(job.number,) if wrong else (),
        silent=(job.number,) if silent else (),
        stuck=(job.number,) if tally.stuck else (),
        samples=samples,
    )


def _timed(job: Job, spent: list[float]) -> Iterator[TimedTurn]:
    """Return the turns of a match, and keep how much processor time each took."""
    turns = job.turns()
    while True:
        began_s = time.process_time()
        turn = next(turns, None)
        spent.append(time.process_time() - began_s)
        if turn is None:
            return
        yield turn


def _fell(shot: TimedShot) -> int:
    return sum(each.pocket is not None for each in shot.stroke.departures)


def missed_of(shot: TimedShot) -> int:
    """Count the pieces of a stroke that no beam saw, including late ones."""
    return len(shot.missed) + (_late(shot) and shot.late is None)


def _late(shot: TimedShot) -> bool:
    """Whether a piece of it hung on an edge, and fell when the stroke was over."""
    return len(shot.stroke.departures) > len(shot.at_first) + _off(shot)


def _off(shot: TimedShot) -> int:
    return sum(each.flew_off for each in shot.stroke.departures)


def _split(shot: TimedShot) -> int:
    """Count passages that show a piece again: more passages than pieces were seen."""
    passages = [each for each in shot.falls if each.cause is Cause.PIECES]
    seen = len(shot.at_first) - len(shot.missed)
    return max(0, sum(len(each.kinds) for each in passages) - seen)


def _outcome(shot: TimedShot, *, owned: bool) -> tuple[str, ...]:
    pieces = [each.piece for each in shot.stroke.departures if each.pocket]
    kinds = sorted((kind_of(each, shot.stand) for each in pieces), key=list(PieceRole).index)
    by_name = () if owned else (PieceRole.OWN, PieceRole.OPPONENTS)
    names = {kind: kind.value for kind in PieceRole}
    names |= {kind: shot.stand.pieces[kind].value for kind in (*by_name, PieceRole.JACK)}
    return tuple(names[kind] for kind in kinds)
