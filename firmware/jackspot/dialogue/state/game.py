"""A match on the board, as values: its lines, what undo took back, what waits to be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from jackspot.core.clock import MatchClock
from jackspot.core.directives import Entry
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Seat
from jackspot.core.stroke import Stroke
from jackspot.sensing.events import Fall


@dataclass(frozen=True, slots=True)
class Line:
    """What one confirmation entered, and what it was made of: what one UNDO takes back.

    ``entries`` may be empty: the falls were no stroke.
    """

    entries: tuple[Entry, ...]
    falls: tuple[Fall, ...] = ()
    probability: float | None = None

    @property
    def stroke(self) -> Stroke | None:
        """The stroke of this line, if it has one."""
        return next((each for each in reversed(self.entries) if isinstance(each, Stroke)), None)

    @property
    def missed(self) -> tuple[Seat, ...]:
        """The seats that missed before the stroke, entered together with it."""
        strokes = [entry for entry in self.entries if isinstance(entry, Stroke)]
        return tuple(stroke.seat for stroke in strokes[:-1])


@dataclass(frozen=True, slots=True)
class Game:
    """A match on the board: its fold, its lines, what undo took back, its clock.

    ``clock`` is that of the running board; ``used`` keeps what the other boards used, in
    nanoseconds by board number, for when undo or redo comes back to them.
    """

    match: Match
    lines: tuple[Line, ...] = ()
    undone: tuple[Line, ...] = ()
    clock: MatchClock = field(default_factory=MatchClock)
    used: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    order: int | None = None
    """The number of the hall's order that it plays, if it plays one."""

    @property
    def to_shoot(self) -> Seat:
        """Whose stroke it is; of a board that is over, whose it was."""
        return self.match.state.next or self.match.state.position.seat


@dataclass(frozen=True, slots=True)
class Later:
    """A line that waits to be entered again after a change before it, and what it came to.

    ``board`` is the board it was entered on; ``began`` tells that it followed a finished board,
    ``ended`` that it ended one. ``rows`` is what was ruled and ``next`` who shot after it.
    ``placed`` are the pieces that people put back for it: they lie on the board.
    """

    line: Line
    board: int
    began: bool = False
    ended: bool = False
    rows: tuple[str, ...] = ()
    next: Seat | None = None
    placed: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Keeping:
    """Later lines that are entered again after a change further back.

    ``lines`` wait, the next one first; ``agreed``: people said to keep them. ``entered``
    counts those that stand again, ``differing`` are the numbers among the match's lines of
    those that were ruled otherwise than before.
    """

    lines: tuple[Later, ...]
    agreed: bool = False
    entered: int = 0
    differing: tuple[int, ...] = ()
