"""Matches of a draw: who is to meet whom, what came of it, and what still waits.

A draw stores nothing. It is computed from the entries and from what was *played*, each time anew,
so a corrected result reaches every later match. A match that was called is pinned to the people who
were called. If a correction leads to others, it stays as it was played, and is named as a
:class:`Conflict` for the organiser to decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import chain

from msgspec import Struct, field


class Outcome(Struct, frozen=True):
    """How a match ended: ``points`` and ``boards`` of its first and its second side.

    ``winner`` is 0 or 1; None: tied. ``by_jack``: it was won by the jack, or the queen.
    ``forfeit``: nobody played, so it counts as a win and as nothing else; without a winner both
    have lost.
    """

    winner: int | None
    points: tuple[int, int] = (0, 0)
    boards: tuple[int, int] = (0, 0)
    by_jack: bool = False
    forfeit: bool = False

    @property
    def is_level(self) -> bool:
        """Whether the match was tied, so that each side has half of it."""
        return self.winner is None and not self.forfeit


class PlayedMatch(Struct, frozen=True):
    """A match that was called, by entrants' numbers; ``outcome`` None: it is not over.

    One that is not ``called`` is to be called again, for the same sides. ``at_ms`` is when free
    play ended, if its board's clock was right.
    """

    sides: tuple[int, int]
    outcome: Outcome | None = None
    called: bool = True
    at_ms: int | None = None

    def winner(self) -> int | None:
        """Return the entrant who won; None: nobody yet, or tied."""
        outcome = self.outcome
        return None if outcome is None or outcome.winner is None else self.sides[outcome.winner]

    def loser(self) -> int | None:
        """Return the entrant who lost; None: nobody yet, or tied."""
        outcome = self.outcome
        return None if outcome is None or outcome.winner is None else self.sides[1 - outcome.winner]


TEAM = 1_000_000
"""From this on, a side's number stands for two entrants who are partners for one match."""


def side_of(team: Sequence[int]) -> int:
    """Return the number of a side: an entrant's own, or that of two partners."""
    one, *others = team
    return one if not others else (one + 1) * TEAM + others[0]


def members(side: int) -> tuple[int, ...]:
    """Return the entrants of a side by their numbers: one, or two who are partners."""
    return (side,) if side < TEAM else (side // TEAM - 1, side % TEAM)


def entrants_of(sides: Iterable[object]) -> tuple[int, ...]:
    """Return all known entrants of those sides."""
    return tuple(chain(*(members(side) for side in sides if isinstance(side, int))))


class Comes(StrEnum):
    """In which role somebody comes out of a match."""

    WINNER = "winner"
    LOSER = "loser"


class Awaited(Struct, frozen=True):
    """The one who comes out of a match that is not over, or out of a group by rank from 1."""

    out_of: str
    how: Comes | int


class Bye:
    """Nobody: an entrant who meets nobody goes on without a match."""


BYE = Bye()
KEY = re.compile(r"(.+)-\d+-\d+")


@lru_cache(maxsize=1 << 14)
def section_of(key: str) -> str:
    """Return the table or the bracket that a match belongs to: ``singles-A``, ``singles-ko``.

    A match on its own, for the third place or a final of two brackets, is its own section.
    """
    numbered = KEY.fullmatch(key)
    return numbered[1] if numbered else key


LOST = 0
"""The round of a match that was played but no longer has a place."""
Slot = int | Awaited
"""An entrant by number, or one still awaited."""


class Fixture(Struct, frozen=True):
    """A match of a draw. Its ``key`` stays the same whatever results come in."""

    key: str
    round: int
    sides: tuple[Slot, Slot]

    @property
    def is_ready(self) -> bool:
        """Whether both sides are known and differ."""
        one, two = self.sides
        return isinstance(one, int) and isinstance(two, int) and one != two

    @property
    def is_of_one(self) -> bool:
        """Whether an earlier conflict leads the same entrant to both sides."""
        return self.sides[0] == self.sides[1]


class Waits(Struct, frozen=True):
    """Who waits in a round; in a Swiss it counts as a win."""

    round: int
    entrant: int


class Conflict(Struct, frozen=True):
    """A match was played by people other than those to whom the current results lead.

    ``derived`` is who they lead to; None: to no such match at all.
    """

    key: str
    played: tuple[int, int]
    derived: tuple[Slot, Slot] | None


Results = Mapping[str, PlayedMatch]
"""What was called and played, by the keys of fixtures."""
There = Callable[[int], Sequence[int]]
"""Returns who is there in a round, by its number, in the order of their seeds."""


class Drawing(Struct):
    """A draw while it is computed: its fixtures so far and where they conflict with play."""

    results: Results
    fixtures: list[Fixture] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    played: dict[str, dict[str, PlayedMatch]] = field(default_factory=dict)
    """What was called and played, by its section and its key."""

    def __post_init__(self) -> None:
        for key, each in self.results.items():
            self.played.setdefault(section_of(key), {})[key] = each

    def meet(self, key: str, number: int, one: Slot | Bye, two: Slot | Bye) -> Ways:
        """Let two meet in the round with this number; return who comes out of it, and how."""
        if isinstance(one, Bye) or isinstance(two, Bye):
            return Ways(two if isinstance(one, Bye) else one, BYE)
        played = self.results.get(key)
        if played is None:
            self.fixtures.append(Fixture(key, number, (one, two)))
            return Ways(Awaited(key, Comes.WINNER), Awaited(key, Comes.LOSER))
        self.fixtures.append(Fixture(key, number, played.sides))
        if set(played.sides) != {one, two}:
            self.conflicts.append(Conflict(key, played.sides, (one, two)))
        winner, loser = played.winner(), played.loser()
        if winner is None or loser is None:
            return Ways(Awaited(key, Comes.WINNER), Awaited(key, Comes.LOSER))
        return Ways(winner, loser)

    def name_the_lost(self) -> None:
        """Add what was played but no longer has a place, as fixtures and as conflicts."""
        known = {each.key for each in self.fixtures}
        for key, played in sorted(self.results.items()):
            if key not in known:
                self.fixtures.append(Fixture(key, LOST, played.sides))
                self.conflicts.append(Conflict(key, played.sides, None))


class Ways(Struct, frozen=True):
    """Who goes on from a match as its winner, and who as its loser."""

    winner: Slot | Bye
    loser: Slot | Bye


def pinned_in(drawing: Drawing, round_key: str) -> dict[str, PlayedMatch]:
    """Return what was called in a round, in the order of its boards."""
    found = [at for at in drawing.results if at.startswith(round_key)]
    return {
        at: drawing.results[at] for at in sorted(found, key=lambda at: int(at.rpartition("-")[2]))
    }
