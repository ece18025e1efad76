"""Weigh knocks: how much better a shake of the board fits a shot than anything else.

Theory of operation. Shakes while nobody shoots (leaning, dropping, a thump, the next board, music)
come at random times, at some rate per second. A shot is heard with a certain probability, and then
as one more shake. What counts of a shake is where its first knock was highest, how high it was,
and, once the board is still, how many knocks followed. Each of these is one of a few classes. Each
class has a share for a shot from each side and one for anything else; the shares add up to one. So
the weight of a shot against none is ``not heard + heard * (how well some shake fits it) / (how
often such a shake comes by itself)``. While nobody shoots its average is one: listening alone
favours nothing.

These numbers are wide guesses: no board with discs has been measured yet. :meth:`ShotModel.learnt`
moves them towards what a quiet time and some flicks from each side were like, as far as those go
(``jackspot calibrate``). What was learnt with some discs says nothing about others: a shake felt by
strange discs is weighed by the guesses. A shake is evidence and never a trigger: whatever was
heard, a shot and no shot, by this seat and by another, remain among the readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.pieces import Piece, Seat
from jackspot.readings.evidence import OfPieces
from jackspot.sensing.events import Fall, HubDiscs, Shake
from jackspot.sensing.limits import SECOND
from jackspot.sensing.shaking import AGO_NS, BEFORE_NS
from jackspot.values import changed

HEARD = 0.93
"""The share of shots heard as a shake of their own: a soft one stays below the hub's threshold, and
some fall into a shake already under way."""
WINDOW_NS = 5 * SECOND
"""A shot comes at most this long before the first fall of its stroke."""
ALIKE_BELOW = 1.5
"""If the highest disc reads less than this many times the lowest, the blow came through the
table."""
LEVEL = 900
"""The height at which the classes of loudness begin; each is twice as high as the one before."""
LOUDNESSES = 5
OTHERS_A_MINUTE = 4.0
"""How often something else shakes a board, at the least: a calibration only adds to it."""
STROKES_A_MINUTE = 7.0
"""People shoot at most this often: more shakes than that are something else."""


class Strongest(StrEnum):
    """Where a knock was highest."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"
    ALIKE = "alike"


class Followed(StrEnum):
    """How many knocks followed until the board was still."""

    NONE = "none"
    FEW = "few"
    MANY = "many"


def strongest(shake: Shake) -> Strongest | None:
    """Return where a shake was highest at first; None with too few discs to tell."""
    if len(shake.sides) < len(Seat):
        return None
    if max(shake.peaks) < ALIKE_BELOW * max(1, min(shake.peaks)):
        return Strongest.ALIKE
    return Strongest(list(Seat)[shake.peaks.index(max(shake.peaks))].value)


def loudness(shake: Shake) -> int:
    """Return how loud a shake was at first: a class from 0."""
    return min(max(max(shake.peaks) // LEVEL, 1).bit_length() - 1, LOUDNESSES - 1)


def followed(shake: Shake) -> Followed:
    """Return how many knocks followed a shake's first."""
    if shake.knocks == 1:
        return Followed.NONE
    return Followed.FEW if shake.knocks <= 3 else Followed.MANY


_OWN, _BESIDE, _ACROSS, _TABLE = 0.76, 0.07, 0.02, 0.08


def _sides_of(seat: Seat) -> Mapping[Strongest, float]:
    """Return how often a shot from a side is highest at each, before anything is learnt."""
    order = list(Seat)
    at = order.index(seat)
    shares = (_OWN, _BESIDE, _ACROSS, _BESIDE)
    told = {Strongest(order[(at + n) % 4].value): share for n, share in enumerate(shares)}
    return MappingProxyType({**told, Strongest.ALIKE: _TABLE})


class ShakeShares(Struct, frozen=True):
    """The share of each class among shakes of one kind; each mapping adds up to one."""

    sides: Mapping[Strongest, float]
    loud: tuple[float, ...]
    after: Mapping[Followed, float]

    def of(self, shake: Shake, *, still: bool) -> float:
        """Return the share of shakes like this one; ``still``: it is over and counts whole."""
        side = strongest(shake)
        share = self.loud[loudness(shake)] * (1.0 if side is None else self.sides[side])
        return share * self.after[followed(shake)] if still else share

    def learnt(self, shakes: Sequence[Shake], weight: float) -> ShakeShares:
        """Return these shares, worth ``weight`` shakes, moved towards some shakes."""
        n = len(shakes)
        sides = Counter(each for each in map(strongest, shakes) if each is not None)
        known = sum(sides.values())
        loud, after = Counter(map(loudness, shakes)), Counter(map(followed, shakes))
        return ShakeShares(
            MappingProxyType(
                {k: (weight * v + sides[k]) / (weight + known) for k, v in self.sides.items()}
            ),
            tuple((weight * v + loud[k]) / (weight + n) for k, v in enumerate(self.loud)),
            MappingProxyType(
                {k: (weight * v + after[k]) / (weight + n) for k, v in self.after.items()}
            ),
        )


_FLICK_LOUD = (0.12, 0.22, 0.30, 0.22, 0.14)
_FLICK_AFTER = MappingProxyType({Followed.NONE: 0.33, Followed.FEW: 0.40, Followed.MANY: 0.27})
_OTHERS = ShakeShares(
    MappingProxyType({**{Strongest(s.value): 0.13 for s in Seat}, Strongest.ALIKE: 0.48}),
    (0.40, 0.26, 0.18, 0.10, 0.06),
    MappingProxyType({Followed.NONE: 0.55, Followed.FEW: 0.33, Followed.MANY: 0.12}),
)
IMAGINED = 6.0
"""How many shakes the shares count as before anything is learnt."""


class ShotModel(Struct, frozen=True):
    """What shots and other shakes are like at one board. ``others_a_minute`` is the rate of others.

    All values are shares and rates; weights are quotients of densities, without a unit.
    """

    shots: Mapping[Seat, ShakeShares] = field(
        default_factory=lambda: MappingProxyType(
            {seat: ShakeShares(_sides_of(seat), _FLICK_LOUD, _FLICK_AFTER) for seat in Seat}
        )
    )
    others: ShakeShares = _OTHERS
    others_a_minute: float = OTHERS_A_MINUTE
    heard: float = HEARD
    learnt_with: HubDiscs | None = None
    """The discs that felt what was learnt; None: everything is guessed."""

    def learnt(
        self, quiet_ns: int, quiet: Sequence[Shake], flicks: Mapping[Seat, Sequence[Shake]],
        discs: HubDiscs | None = None,
    ) -> ShotModel:  # fmt: skip
        """Return a model moved towards what was heard in a quiet time and in flicks of each side.

        ``discs`` are those that heard it. People lean on the board and drop things less while
        nobody plays, so a quiet time can only raise how often something else shakes the board.
        Flicks at laid-out pieces are followed by more knocks than shots in play, so they say
        nothing of that.
        """
        minutes = quiet_ns / (60 * SECOND)
        more = len(quiet) / (minutes + 0.5)
        shots = {
            seat: changed(shares.learnt(flicks.get(seat, ()), IMAGINED), after=shares.after)
            for seat, shares in self.shots.items()
        }
        return changed(
            self, shots=MappingProxyType(shots), others=self.others.learnt(quiet, IMAGINED),
            others_a_minute=self.others_a_minute + more, learnt_with=discs,
        )  # fmt: skip

    def fits(self, shake: Shake, seat: Seat, *, still: bool = False) -> float:
        """Return how many times better a shake fits a shot from a side than anything else."""
        model = _GUESSED if shake.strange else self
        return model.shots[seat].of(shake, still=still) / model.others.of(shake, still=still)

    def others_a_second(self, heard: Sequence[Shake], over_ns: int) -> float:
        """Return how often something else shakes the board, from what was heard in some time."""
        minutes = over_ns / (60 * SECOND)
        much = len(heard) / minutes - STROKES_A_MINUTE if minutes > 0.5 else 0.0
        model = _GUESSED if any(each.strange for each in heard) else self
        return max(model.others_a_minute, much) / 60

    def made_by(self, seat: Seat, fall: Fall, within_ns: int = WINDOW_NS) -> float:
        """Weigh that a seat's shot made a fall against nobody having shot: 1 is even.

        The shot came at most ``within_ns`` before the fall.
        """
        window_ns = min(within_ns, WINDOW_NS)
        if fall.heard is None or window_ns <= BEFORE_NS:
            return 1.0
        a_second = self.others_a_second(fall.heard, AGO_NS)
        found = (
            self.fits(each, seat) for each in fall.heard if fall.start_ns - window_ns <= each.at_ns
        )
        lasts_s = (window_ns - BEFORE_NS) / SECOND
        return 1.0 - self.heard + self.heard * sum(found) / (lasts_s * a_second)

    def without_shot(self, fall: Fall, shot: Seat, to_shoot: Seat, by_ns: int) -> Fall:
        """Return a fall without the knocks of a seat's shot that has been entered by an instant.

        The seat to shoot may have shot by then too: knocks that fit that better are kept.
        """
        if fall.heard is None:
            return fall
        from_ns = fall.start_ns - WINDOW_NS
        left = tuple(
            each
            for each in fall.heard
            if not from_ns <= each.at_ns < by_ns
            or self.fits(each, shot) < self.fits(each, to_shoot)
        )
        return changed(fall, heard=left)

    def shot_before(self, seats: Sequence[Seat], fall: Fall, gap_ns: int | None) -> float:
        """Weigh that these seats shot in this order since ``gap_ns`` before a fall, and missed.

        It is weighed against nobody having shot; 1 if nothing is known. The stroke of the fall
        itself is not part of it.
        """
        if fall.heard is None or gap_ns is None or not WINDOW_NS < gap_ns <= AGO_NS:
            return 1.0
        begin_ns, end_ns = fall.start_ns - gap_ns, fall.start_ns - WINDOW_NS
        shakes = [each for each in fall.heard if begin_ns <= each.at_ns < end_ns]
        a_second = self.others_a_second(fall.heard, AGO_NS)
        return self.in_order(seats, shakes, end_ns - begin_ns, a_second, still=False)

    def in_order(
        self, seats: Sequence[Seat], shakes: Sequence[Shake], over_ns: int, a_second: float,
        *, still: bool,
    ) -> float:  # fmt: skip
        """Weigh that these seats shot in this order in some time, against nobody having shot.

        Each shot was heard or not; those heard are any of the ``shakes``, in order, and all times
        are equally likely.
        """
        lasts_s = max(over_ns / SECOND, 1e-9)
        # by shots so far and how many of them were heard: the sum over all ways, by the last shake
        # used
        ways: dict[tuple[int, int], list[float]] = {(0, 0): [1.0] + [0.0] * len(shakes)}
        for done, seat in enumerate(seats, start=1):
            fits = [self.fits(each, seat, still=still) / a_second for each in shakes]
            for heard in range(done + 1):
                ends = [0.0] * (len(shakes) + 1)
                for last, before in enumerate(ways.get((done - 1, heard), ())):
                    ends[last] += (1.0 - self.heard) * before
                running = 0.0
                for last, before in enumerate(ways.get((done - 1, heard - 1), ())[:-1]):
                    running += before
                    ends[last + 1] += self.heard * running * fits[last] * heard / lasts_s
                ways[done, heard] = ends
        return sum(sum(ways[len(seats), heard]) for heard in range(len(seats) + 1))

    def of_seat(self, seat: Seat | None) -> ShotEvidence | None:
        """Return what knocks say of falls if this seat shot; None if nobody knows who did."""
        return None if seat is None else ShotEvidence(self, seat)


_GUESSED = ShotModel()


class ShotEvidence(OfPieces, Struct, frozen=True):
    """A term of a reading's weight: whether a fall is of a stroke at all, from what was heard."""

    model: ShotModel
    seat: Seat

    def one(self, piece: Piece, fall: Fall) -> float:
        """Weigh that a shot made a fall."""
        del piece
        return self.model.made_by(self.seat, fall)

    def two(self, first: Piece, second: Piece, fall: Fall) -> float:
        """Weigh that a shot made a fall."""
        del first, second
        return self.model.made_by(self.seat, fall)
