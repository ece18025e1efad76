"""What usually happens: how often a stroke pockets what, where, and in which order.

These are the published priors of the readings, in one place: those of the published table of
traffic, and a test checks that the two agree. A board does not know who plays, so each frequency is
given for a child, a beginner, a club player and a master, and they are mixed by how the shooter has
played in this match so far (:mod:`jackspot.readings.skill`). Until boards have counted real strokes
they are assumptions about ordinary play.

The numbers with a queen are argued from those with a jack, not counted: the same people shoot at
pieces of about the same size on a board of about the same shape. What differs is what they aim at,
which each table states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from operator import gt
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.pieces import Pocket, Seat


class Role(StrEnum):
    """What a piece is to the seat that shoots."""

    OWN = "own"
    OPPONENT = "opponent"
    JACK_EARLY = "jack_early"
    JACK_READY = "jack_ready"
    QUEEN_EARLY = "queen_early"
    """A queen that would come back."""
    QUEEN = "queen"
    """A queen that stays out if it is covered."""
    QUEEN_FIRST = "queen_first"
    """A queen that must go before the last own piece."""
    STRIKER = "striker"


class Aim(StrEnum):
    """What everybody aims at just now."""

    PIECES = "pieces"
    """The own pieces; a jack or a queen falls by accident."""
    JACK = "jack"
    """The jack: it wins the board."""
    QUEEN_TOO = "queen_too"
    """The own pieces and the queen."""
    QUEEN_FIRST = "queen_first"
    """The queen: with the last own piece in before it the board is lost."""
    MASS_BREAK = "mass_break"
    """Whatever falls: all seats break at once."""


AIMS: Mapping[Role, Aim] = MappingProxyType(
    {
        Role.JACK_READY: Aim.JACK,
        Role.QUEEN: Aim.QUEEN_TOO,
        Role.QUEEN_FIRST: Aim.QUEEN_FIRST,
    }
)
"""What people aim at in each role of the jack or queen; in every other role, at their pieces."""

Pocketed = tuple[int, int, int, int]
"""How many own pieces, opponent's pieces, strikers, and jacks or queens one stroke pockets."""

Times = Mapping[Aim, Mapping[Pocketed, float]]
"""The factors that a board applies to numbers of the table, by what people aim at."""

Each = tuple[float, float, float, float]
"""A number for each strength: child, beginner, club player, master."""

NOTHING: Pocketed = (0, 0, 0, 0)
AS_PUBLISHED: Times = MappingProxyType({})
"""A board that has learnt nothing."""
OWN, OPPONENT, STRIKER, CENTRE = range(4)

PLACE: Mapping[Role, int] = MappingProxyType(
    {
        Role.OWN: OWN,
        Role.OPPONENT: OPPONENT,
        Role.STRIKER: STRIKER,
        Role.JACK_EARLY: CENTRE,
        Role.JACK_READY: CENTRE,
        Role.QUEEN_EARLY: CENTRE,
        Role.QUEEN: CENTRE,
        Role.QUEEN_FIRST: CENTRE,
    }
)
"""The index of a role in :data:`Pocketed`."""

STROKES: Mapping[Pocketed, Each] = MappingProxyType(
    {
        (1, 0, 0, 0): (12_000, 20_000, 40_000, 60_000),
        (0, 1, 0, 0): (5_500, 7_000, 6_500, 3_000),
        (0, 0, 1, 0): (4_500, 4_500, 3_000, 1_000),
        (0, 0, 0, 1): (500, 600, 500, 200),
        (2, 0, 0, 0): (400, 1_500, 4_500, 7_000),
        (1, 1, 0, 0): (500, 1_200, 2_200, 1_000),
        (1, 0, 1, 0): (1_000, 2_000, 2_500, 1_000),
        (0, 2, 0, 0): (300, 400, 300, 100),
        (0, 1, 1, 0): (600, 800, 600, 200),
        (1, 0, 0, 1): (80, 150, 200, 150),
        (0, 1, 0, 1): (50, 60, 50, 20),
        (0, 0, 1, 1): (60, 80, 60, 20),
        (3, 0, 0, 0): (30, 150, 600, 1_000),
        (2, 1, 0, 0): (30, 150, 500, 400),
        (2, 0, 1, 0): (40, 150, 300, 150),
        (1, 2, 0, 0): (20, 60, 100, 50),
        (1, 1, 1, 0): (40, 100, 120, 50),
        (0, 3, 0, 0): (10, 10, 10, 5),
        (0, 2, 1, 0): (20, 30, 20, 10),
        (1, 0, 1, 1): (10, 20, 20, 10),
        (1, 1, 0, 1): (10, 10, 10, 10),
        (2, 0, 0, 1): (10, 10, 20, 20),
    }
)
"""How many of 100,000 strokes on a full board pocket this; the others miss. Players aim at their
own pieces and hit them more often than not; the jack falls by accident."""

STROKES_READY: Mapping[Pocketed, Each] = MappingProxyType(
    {
        (0, 0, 0, 1): (10_000, 15_000, 30_000, 50_000),
        (0, 1, 0, 0): (5_000, 6_000, 5_000, 2_000),
        (0, 0, 1, 0): (4_500, 4_500, 3_000, 1_000),
        (1, 0, 0, 0): (2_000, 3_000, 3_000, 1_000),
        (0, 1, 0, 1): (300, 600, 1_000, 800),
        (0, 0, 1, 1): (600, 1_200, 1_500, 800),
        (0, 1, 1, 0): (500, 600, 500, 200),
        (0, 2, 0, 0): (200, 300, 200, 100),
        (1, 0, 0, 1): (200, 400, 600, 600),
        (1, 0, 1, 0): (300, 400, 400, 100),
        (0, 1, 1, 1): (20, 40, 50, 20),
    }
)
"""The same once the jack wins: everybody aims at it."""

STROKES_WITH_QUEEN: Mapping[Pocketed, Each] = MappingProxyType(
    {
        **STROKES,
        (1, 0, 0, 0): (11_000, 18_000, 36_500, 54_500),
        (0, 0, 0, 1): (2_000, 3_000, 5_000, 7_000),
        (1, 0, 0, 1): (150, 400, 900, 1_500),
        (0, 1, 0, 1): (60, 80, 80, 40),
        (0, 0, 1, 1): (150, 250, 250, 100),
        (2, 0, 0, 1): (10, 20, 60, 80),
        (1, 0, 1, 1): (15, 40, 40, 20),
        (1, 1, 0, 1): (15, 20, 25, 20),
    }
)
"""The same where a queen may be taken. It is worth several pieces and is one of ten that one may
aim at, so about one stroke in ten is aimed at it and not at an own piece. Pocketing both in one
stroke is the surest cover."""

STROKES_QUEEN_FIRST: Mapping[Pocketed, Each] = MappingProxyType(
    {
        (0, 0, 0, 1): (6_000, 10_000, 22_000, 40_000),
        (1, 0, 0, 0): (3_000, 3_000, 2_000, 1_000),
        (0, 1, 0, 0): (5_000, 6_000, 5_000, 2_000),
        (0, 0, 1, 0): (4_500, 4_500, 3_000, 1_000),
        (1, 0, 0, 1): (500, 1_000, 3_000, 5_000),
        (0, 1, 0, 1): (200, 400, 600, 400),
        (0, 0, 1, 1): (600, 900, 1_100, 500),
        (1, 1, 0, 0): (100, 100, 100, 50),
        (1, 0, 1, 0): (300, 300, 200, 50),
        (0, 2, 0, 0): (200, 300, 200, 100),
        (0, 1, 1, 0): (500, 600, 500, 200),
        (1, 0, 1, 1): (15, 40, 40, 20),
        (1, 1, 0, 1): (15, 20, 25, 20),
        (0, 1, 1, 1): (20, 40, 50, 20),
    }
)
"""The same with one own piece and the queen left. Everybody aims at the queen, which is harder than
any one of nine pieces and easier than a jack, because it need not be in the middle. A player who
pockets the own piece first loses the board: it falls by accident, and in play with children by
oversight."""

STROKES_MASS_BREAK: Mapping[Pocketed, Each] = MappingProxyType(
    {
        (1, 0, 0, 0): (15_000, 25_000, 35_000, 40_000),
        (0, 1, 0, 0): (15_000, 25_000, 35_000, 40_000),
        (0, 0, 1, 0): (12_000, 12_000, 8_000, 4_000),
        (0, 0, 0, 1): (1_500, 2_000, 2_000, 1_000),
    }
)
"""The same where all seats break at once: any piece of either colour, by two or four strikers, each
of which may follow it."""

FURTHER = (0.02, 0.01, 0.01, 0.002)
"""A stroke that pockets one more of this kind than any in the table is this much rarer."""

FURTHER_MASS_BREAK = (0.25, 0.25, 0.10, 0.002)
"""The same where all seats break at once: each striker does what it does alone."""


class UsualStrokes(Struct, frozen=True):
    """What strokes pocket where people aim at one thing: the table, and what is beyond it."""

    strokes: Mapping[Pocketed, Each]
    further: tuple[float, float, float, float] = FURTHER


HABITS: Mapping[Aim, UsualStrokes] = MappingProxyType(
    {
        Aim.PIECES: UsualStrokes(STROKES),
        Aim.JACK: UsualStrokes(STROKES_READY),
        Aim.QUEEN_TOO: UsualStrokes(STROKES_WITH_QUEEN),
        Aim.QUEEN_FIRST: UsualStrokes(STROKES_QUEEN_FIRST),
        Aim.MASS_BREAK: UsualStrokes(STROKES_MASS_BREAK, FURTHER_MASS_BREAK),
    }
)
"""What is usual, by what people aim at."""

FEWER: tuple[Each, Each] = ((0.55, 0.60, 0.70, 0.85), (0.10, 0.10, 0.10, 0.10))
"""The share of its frequency that remains as the last own or opponent's piece goes, scaled linearly
up to a full board: an own piece is still aimed at, an opponent's is an accident."""

STRIKER_LAST = 0.80
"""How often a striker falls after everything it hit."""

FAR_POCKETS = (0.70, 0.62, 0.78, 0.66)
"""How often each kind falls into a pocket across the board, not into one beside the shooter."""

SAME_POCKET = (0.35, 0.35, 0.65, 0.35)
"""How often each kind follows the piece before it into its pocket, whatever is otherwise usual."""

AT_ONCE = 0.30
"""How often two pieces that go into one pocket after each other are one fall."""

HAND_IN_PLAY = 0.015
"""How often a hand breaks a beam while a stroke is awaited, relative to a stroke's falls."""

FLASH = 0.0017
"""How often a beam breaks for nothing at all, relative to a stroke's falls."""

HAND_AFTERWARDS = 0.0005
"""How often a hand that fetches no striker follows a fall within the same stroke: hands come
later, when the pieces have come to rest."""

HAND_AFTER_STRIKER = 0.0375
"""How often a hand comes at once into the pocket that a striker has just fallen into."""

HAND_AGAIN = 0.50
"""How often a hand breaks the beam a second time, coming out."""

BESIDE: Mapping[Seat, tuple[Pocket, Pocket]] = MappingProxyType(
    {
        Seat.N: (Pocket.NW, Pocket.NE),
        Seat.E: (Pocket.NE, Pocket.SE),
        Seat.S: (Pocket.SE, Pocket.SW),
        Seat.W: (Pocket.SW, Pocket.NW),
    }
)
"""The two pockets beside each seat."""


def pocket_share(place: int, pocket: Pocket, seat: Seat | None, before: Pocket | None) -> float:
    """Return how often a piece falls into this pocket; ``before`` is that of the piece before."""
    habit = 0.25
    if seat is not None:
        far = FAR_POCKETS[place]
        habit = (1.0 - far if pocket in BESIDE[seat] else far) / 2
    if before is None:
        return habit
    same = SAME_POCKET[place]
    return (1.0 - same) * habit + (same if pocket is before else 0.0)


class Usual(Struct):
    """How usual every content of a stroke is on one board, for somebody of this skill.

    ``left`` counts what can fall by kind, ``full`` a seat's own pieces on a full board; ``skill``
    says how likely the shooter is a child, a beginner, a club player, a master. ``times`` is what
    this board has learnt: the factor for each number. It caches its results; make one for each
    board that is read.
    """

    left: Pocketed
    full: int
    aim: Aim
    skill: Each
    times: Mapping[Pocketed, float] = field(default_factory=lambda: MappingProxyType({}))
    _known: dict[Pocketed, float] = field(default_factory=dict)
    _orders: dict[tuple[Pocketed, bool], float] = field(default_factory=dict)

    def anything(self) -> float:
        """Return how many of 100,000 strokes pocket anything at all."""
        if self.times:
            return sum(map(self.often, HABITS[self.aim].strokes)) or 1.0
        return self._mixed(anything_at_all(self.left, self.full, self.aim)) or 1.0

    def often(self, pocketed: Pocketed) -> float:
        """Return how many of 100,000 strokes pocket exactly this."""
        known = self._known.get(pocketed)
        if known is None:
            each = frequency(pocketed, self.left, self.full, self.aim)
            known = self._mixed(each) * self.times.get(pocketed, 1.0)
            self._known[pocketed] = known
        return known

    def in_order(self, pocketed: Pocketed, *, striker_last: bool) -> float:
        """Return how many of 100,000 strokes pocket this in one given order."""
        key = (pocketed, striker_last)
        known = self._orders.get(key)
        if known is None:
            share = _order_share(pocketed, striker_last=striker_last)
            known = self._orders[key] = self.often(pocketed) * share
        return known

    def _mixed(self, each: Each) -> float:
        child, beginner, club, master = self.skill
        return child * each[0] + beginner * each[1] + club * each[2] + master * each[3]


@lru_cache(maxsize=512)
def anything_at_all(left: Pocketed, full: int, aim: Aim) -> Each:
    """Return how many of 100,000 strokes of each strength pocket anything."""
    strokes = HABITS[aim].strokes
    columns = zip(*[frequency(each, left, full, aim) for each in strokes], strict=True)
    child, beginner, club, master = (sum(column) for column in columns)
    return child, beginner, club, master


@lru_cache(maxsize=8_192)
def frequency(pocketed: Pocketed, left: Pocketed, full: int, aim: Aim) -> Each:
    """Return how many of 100,000 strokes of each strength pocket exactly this."""
    if any(map(gt, pocketed, left)):
        return 0.0, 0.0, 0.0, 0.0
    often = list(_on_a_full_board(pocketed, HABITS[aim]))
    for place in (OWN, OPPONENT):
        share = min(left[place] / full, 1.0)
        for index, least in enumerate(FEWER[place]):
            often[index] *= (least + (1.0 - least) * share) ** pocketed[place]
    child, beginner, club, master = often
    return child, beginner, club, master


def _on_a_full_board(pocketed: Pocketed, habits: UsualStrokes) -> Each:
    """Look it up; an entry that is not in the table is one that is, with pieces added."""
    table, further = habits.strokes, habits.further
    rare = 1.0
    while pocketed not in table:
        if pocketed == NOTHING:
            return 0.0, 0.0, 0.0, 0.0
        fewer = [(_less(pocketed, place), place) for place in range(4) if pocketed[place]]
        known = [each for each in fewer if each[0] in table] or fewer
        pocketed, place = max(
            known, key=lambda each: further[each[1]] * sum(table.get(each[0], (1.0,)))
        )
        rare *= further[place]
    child, beginner, club, master = table[pocketed]
    return rare * child, rare * beginner, rare * club, rare * master


def _less(pocketed: Pocketed, place: int) -> Pocketed:
    own, opponents, strikers, centre = pocketed
    return (
        own - (place == OWN), opponents - (place == OPPONENT), strikers - (place == STRIKER),
        centre - (place == CENTRE),
    )  # fmt: skip


@lru_cache(maxsize=1_024)
def _order_share(pocketed: Pocketed, *, striker_last: bool) -> float:
    """Return the share of one order among all orders in which these can fall."""
    count = sum(pocketed)
    if pocketed[STRIKER] != 1 or count == 1:
        return 1.0 / _orders(pocketed)
    others = _orders(some for place, some in enumerate(pocketed) if place != STRIKER)
    if striker_last:
        return STRIKER_LAST / others
    return (1.0 - STRIKER_LAST) / (others * (count - 1))


def _orders(counts: Iterable[int]) -> int:
    """Count the orders of pieces where those of a kind are alike."""
    each = tuple(counts)
    return math.factorial(sum(each)) // math.prod(map(math.factorial, each))
