"""A match on the board, as values: its lines, what UNDO took back, what waits to be kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import exp, factorial
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.clock import MatchClock
from jackspot.core.directives import Entry
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Seat
from jackspot.core.stroke import Stroke
from jackspot.sensing.events import Fall
from jackspot.values import changed


class Line(Struct, frozen=True):
    """What one confirmation entered, and what it was made of: the unit that one UNDO takes back.

    ``entries`` may be empty: the falls were no stroke.
    """

    entries: tuple[Entry, ...]
    falls: tuple[Fall, ...] = ()
    probability: float | None = None
    alone: bool = False
    """It entered itself, and nobody has confirmed it since."""

    @property
    def stroke(self) -> Stroke | None:
        """The stroke of this line, if it has one."""
        return next((each for each in reversed(self.entries) if isinstance(each, Stroke)), None)

    @property
    def is_word(self) -> bool:
        """Whether it is only something that people said: no stroke, nothing that fell."""
        return bool(self.entries) and self.stroke is None and not self.falls

    @property
    def shot(self) -> tuple[object, ...]:
        """What was shot, whenever that was and whatever was said beside it, as a key."""
        strokes = (each for each in self.entries if isinstance(each, Stroke))
        return self.falls, tuple(changed(each, used_ns=None) for each in strokes)

    @property
    def missed(self) -> tuple[Seat, ...]:
        """The seats that missed before the stroke, entered together with it."""
        strokes = [entry for entry in self.entries if isinstance(entry, Stroke)]
        return tuple(stroke.seat for stroke in strokes[:-1])


LEAST_OBJECTIONS = 2
BY_CHANCE = 0.02
"""Trust is lost if chance brings that many objections or more in a smaller share of matches."""


class Objections(Struct, frozen=True):
    """How right lines of one kind were that entered themselves in this match.

    By their own probabilities ``expected`` of them are wrong; people objected to ``objected``.
    """

    expected: float = 0.0
    objected: int = 0

    def weighed(self, probability: float) -> float:
        """Return a line's probability corrected by people's objections; it never grows."""
        return 1 - (1 - probability) * max(1.0, (self.objected + 1) / (self.expected + 1))

    def plus(self, expected: float, objected: int) -> Objections:
        """Return these objections and more."""
        return Objections(self.expected + expected, self.objected + objected)


class Trust(Struct, frozen=True):
    """How right the lines that entered themselves were: strokes seen by beams, misses heard.

    Objections to one kind make no line of the other less likely; all of them together decide
    whether trust is lost.
    """

    falls: Objections = Objections()
    misses: Objections = Objections()
    waits: Line | None = None
    """A line that entered itself and waits behind a word: the next stroke says if it was right."""

    def of(self, falls: Collection[Fall]) -> Objections:
        """Return the objections to lines like one with these falls."""
        return self.falls if falls else self.misses

    @property
    def is_lost(self) -> bool:
        """Whether people have objected more often than chance allows."""
        both = self.falls.plus(self.misses.expected, self.misses.objected)
        fewer = (both.expected**n / factorial(n) for n in range(both.objected))
        by_chance = 1 - exp(-both.expected) * sum(fewer)
        return both.objected >= LEAST_OBJECTIONS and by_chance < BY_CHANCE

    def with_line(self, line: Line, *, next_stroke: bool = True) -> Trust:
        """Return the trust after a line was entered.

        ``next_stroke``: a stroke comes in the place of the one that waits, if one does.
        """
        waits = self.waits
        if waits is not None and next_stroke and not line.is_word:
            objected = int(line.shot != waits.shot)
            settled = changed(self._plus(waits, 0.0, objected), waits=None)
            return settled.with_line(line, next_stroke=False)
        if not line.alone or line.probability is None:
            return self
        return self._plus(line, 1 - line.probability, 0)

    def without(self, undone: tuple[Line, ...]) -> Trust:
        """Return the trust once the line taken back last is gone for good, whatever replaces it."""
        wrong = bool(undone) and undone[-1].alone
        return self._plus(undone[-1], 0.0, 1) if wrong else self

    def behind_a_word(self, undone: tuple[Line, ...]) -> Trust:
        """Return the trust once something was said after a line was taken back: it may be right."""
        return changed(self, waits=undone[-1]) if undone and undone[-1].alone else self

    def _plus(self, line: Line, expected: float, objected: int) -> Trust:
        its = self.of(line.falls).plus(expected, objected)
        return changed(self, falls=its) if line.falls else changed(self, misses=its)


class Game(Struct, frozen=True):
    """A match on the board: its fold, its lines, what UNDO took back, its clock.

    ``clock`` is that of the running board. ``used`` keeps what the other boards used, in
    nanoseconds by board number, for when UNDO or redo comes back to them.
    """

    match: Match
    lines: tuple[Line, ...] = ()
    undone: tuple[Line, ...] = ()
    clock: MatchClock = field(default_factory=MatchClock)
    used: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    order: int | None = None
    """The number of the hall's order that it plays, if it plays one."""
    armed: bool = False
    """The clock of each of its boards waits for the gong."""
    trust: Trust = field(default_factory=Trust)

    @property
    def to_shoot(self) -> Seat:
        """The seat whose stroke it is; of a board that is over, whose it was."""
        return self.match.state.next or self.match.state.position.seat


class Later(Struct, frozen=True):
    """A line that waits to be entered again after a change before it, and what it came to.

    ``board`` is the board it was entered on; ``began`` says that it followed a finished board,
    ``ended`` that it ended one. ``rows`` are the rows it was ruled by, ``next`` who shot after it.
    ``placed`` are the pieces that people put back for it: they are on the board.
    """

    line: Line
    board: int
    began: bool = False
    ended: bool = False
    rows: tuple[str, ...] = ()
    next: Seat | None = None
    placed: tuple[Piece, ...] = ()


class Keeping(Struct, frozen=True):
    """Later lines that are entered again after a change further back.

    ``lines`` are those that wait, the next one first; ``agreed``: people said to keep them.
    ``entered`` counts those that were entered again. ``differing`` are the numbers, among the
    match's lines, of those that were ruled differently than before.
    """

    lines: tuple[Later, ...]
    agreed: bool = False
    entered: int = 0
    differing: tuple[int, ...] = ()
