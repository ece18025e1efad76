"""A match on film: what could be seen at the table at each instant."""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from msgspec import Struct, field

from jackspot.core.match import MatchState
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.view import BoardView, Sound
from jackspot_sim.physics.values import Lying
from jackspot_sim.soak.counting import Job
from jackspot_sim.table.running import Run
from jackspot_sim.table.table import LoggedEdge
from jackspot_sim.traffic.shots import Stand

_Seen = TypeVar("_Seen")


class Track(Generic[_Seen]):
    """What one thing looked like over time: each look holds until the next."""

    def __init__(self, first: _Seen) -> None:
        self._times = [0]
        self._looks = [first]

    def add(self, at_ns: int, look: _Seen) -> None:
        """Go on with another look; of several at one instant the last one counts."""
        at_ns = max(at_ns, self._times[-1])
        if self._times[-1] == at_ns:
            self._looks[-1] = look
        else:
            self._times.append(at_ns)
            self._looks.append(look)

    def at(self, at_ns: int) -> _Seen:
        """Return what it looks like at an instant; before the first, as at the first."""
        return self._looks[max(bisect.bisect_right(self._times, at_ns) - 1, 0)]

    def since(self, at_ns: int) -> int:
        """Return since when it has looked as it does at an instant."""
        return self._times[max(bisect.bisect_right(self._times, at_ns) - 1, 0)]

    def next_after(self, at_ns: int) -> int | None:
        """Return when it next changes; None: never."""
        index = bisect.bisect_right(self._times, at_ns)
        return self._times[index] if index < len(self._times) else None

    def times(self) -> tuple[int, ...]:
        """Return every instant at which it changed."""
        return tuple(self._times[1:])


class FilmScene(Struct, frozen=True):
    """Where the pieces are from an instant on; ``run`` moves them, or moved them last.

    ``lying`` are those on the board, ``back`` those of them that have just been put back.
    """

    rules: RuleSystem
    lying: tuple[Lying, ...]
    in_pockets: Mapping[Pocket, Mapping[Piece, int]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    on_floor: Mapping[Piece, int] = field(default_factory=lambda: MappingProxyType({}))
    run: Run | None = None
    back: frozenset[int] = frozenset()


class Filmed(Struct, frozen=True):
    """One stroke on film: what happened, and what the record has of it.

    ``entries`` are its lines in the record, none if it is missing there. ``missed`` are the pieces
    that no beam saw, ``unseen_ns`` when they fell, from the shot on.
    """

    number: int
    at_ns: int
    seat: Seat
    stroke: Stroke
    missed: tuple[Departure, ...]
    unseen_ns: tuple[int, ...]
    entries: tuple[str, ...]
    agrees: bool


class Film(Struct, frozen=True):
    """A whole match; see the module. Times are of the table's clock, in nanoseconds.

    ``stands`` say of each stroke what its player wanted. ``record`` is what the board exports at
    the end, ``left`` the part of it that belongs to no stroke that was shot. ``true`` is the real
    state of the match, ``found`` the state by the board.
    """

    job: Job
    wires: tuple[str, ...]
    views: Track[BoardView]
    glass: Track[bytes]
    active: Track[frozenset[str]]
    lamps: Track[frozenset[Seat]]
    scenes: Track[FilmScene]
    runs: tuple[Run, ...]
    stands: tuple[Stand, ...]
    edges: tuple[LoggedEdge, ...]
    sounds: tuple[tuple[int, Sound], ...]
    strokes: tuple[Filmed, ...]
    left: tuple[str, ...]
    record: str
    true: MatchState
    found: MatchState
    begun_ns: int
    end_ns: int

    @property
    def partings(self) -> tuple[Filmed, ...]:
        """Return the strokes for which the record differs from what happened."""
        return tuple(each for each in self.strokes if not each.agrees)
