"""Where the pieces lie on the simulated board: what the page draws and a flick meets.

:class:`Positions` holds one :class:`Lying` for each piece on the board, so the pieces and their
counts can never disagree. It knows no clock, no pockets and no rules of scoring; strikers are in
people's hands and not among the pieces.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import has_jack
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.values import changed
from jackspot_sim.physics.boards import board_of, disc_of
from jackspot_sim.physics.places import is_free, level_at, opening, put_back
from jackspot_sim.physics.values import Lying
from jackspot_sim.refusal import CannotHappen

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
"""The turn from one scattered place to the next, so that they are never in rows."""
CLEAR_OF_POCKETS_MM = 24.0
"""The least distance of a scattered piece from a pocket's edge."""
ON_THE_PILE_MM = 12.0
"""A piece put down this near to the jack spot's middle is meant to lie on it."""
TOUCHES_MM = 0.5
"""How much closer than touching pieces may come to rest without one lying on the other."""
BESIDE = _("another piece lies there; pieces are put down beside each other")


class Positions:
    """The pieces on a board, each at its place; see the module."""

    def __init__(self) -> None:
        self._rules = USUAL_RULES
        self._lying: dict[int, Lying] = {}
        self._numbers: Iterator[int] = itertools.count(1)

    def all(self) -> tuple[Lying, ...]:
        """Return every piece, by number."""
        return tuple(self._lying.values())

    def counts(self) -> Counter[Piece]:
        """Count the pieces by kind."""
        return Counter(each.piece for each in self._lying.values())

    def lay(self, rules: RuleSystem, kinds: Counter[Piece], opener: Seat = Seat.S) -> None:
        """Lay these pieces: in the opening pattern if they are all of it, otherwise scattered."""
        self._rules = rules
        whole: Sequence[Lying] = opening(rules, opener)
        if Counter(each.piece for each in whole) != +kinds:
            whole = _scattered(rules, kinds)
        self._keep(whole)

    def copy(self, other: Positions) -> None:
        """Become the same board as another."""
        self._rules = other._rules
        self._keep(other.all())

    def rest(self, resting: Iterable[Lying]) -> None:
        """Move the pieces that are still on the board to where they came to rest."""
        for each in resting:
            if each.number in self._lying:
                self._lying[each.number] = each

    def take(self, piece: Piece, pocket: Pocket | None = None) -> Lying:
        """Take one piece of a kind off the board: the one nearest to the pocket.

        Without a pocket, the one nearest to the frame. ValueError if there is none.
        """
        board = board_of(self._rules)
        if pocket is None:
            found = max(self._of(piece), key=lambda each: max(abs(each.x_mm), abs(each.y_mm)))
        else:
            at = board.pocket_at(pocket)
            found = min(self._of(piece), key=lambda each: _apart(each, at))
        return self.remove(found.number)

    def remove(self, number: int) -> Lying:
        """Take one piece off the board; what lay on it comes down. KeyError if it is not there."""
        gone = self._lying.pop(number)
        for each in list(self._lying.values()):
            if each.level > gone.level and self._overlap(each, gone):
                self._lying[each.number] = changed(each, level=each.level - 1)
        return gone

    def has(self, number: int) -> bool:
        """Return whether a piece is on the board."""
        return number in self._lying

    def put_back(self, pieces: Sequence[Piece]) -> None:
        """Lay pieces where the rules want them, the first of them lowest."""
        numbered = [(next(self._numbers), piece) for piece in pieces]
        for each in put_back(self._rules, self.all(), numbered):
            self._lying[each.number] = each

    def put(self, piece: Piece, x_mm: float, y_mm: float) -> Lying:
        """Put one piece down there, on top of what is there.

        Near the jack spot it goes onto the pile; on a carrom board, where nothing is stacked,
        it needs room. CannotHappen if it has none.
        """
        at, level = self._spot(piece, (x_mm, y_mm), self.all())
        laid = Lying(next(self._numbers), piece, *at, level)
        self._lying[laid.number] = laid
        return laid

    def move(self, number: int, x_mm: float, y_mm: float) -> Lying:
        """Move one piece by hand, as :meth:`put` puts it down. Return how it lay before.

        CannotHappen if it is not on the board, something lies on it, or there is no room.
        """
        before, others = self._taken_up(number)
        at, level = self._spot(before.piece, (x_mm, y_mm), others)
        self._lying[number] = Lying(number, before.piece, *at, level)
        return before

    def move_back(self, before: Lying) -> None:
        """Put one piece back where it lay: over a pocket's edge too, and touching others.

        CannotHappen if something lies on it, or by now where it lay.
        """
        _now, others = self._taken_up(before.number)
        under = [each.level for each in others if self._overlap(each, before, TOUCHES_MM)]
        if under and not has_jack(self._rules):
            raise CannotHappen(BESIDE)
        self._lying[before.number] = changed(before, level=max(under, default=-1) + 1)

    def _taken_up(self, number: int) -> tuple[Lying, list[Lying]]:
        """Return a piece that a hand takes up, and the others. CannotHappen if none can."""
        before = self._lying.get(number)
        if before is None:
            raise CannotHappen(_("this piece is not on the board any more"))
        others = [each for each in self.all() if each.number != number]
        if any(each.level > before.level and self._overlap(each, before) for each in others):
            raise CannotHappen(_("another piece lies on it; move that one first"))
        return before, others

    def _spot(
        self, piece: Piece, at: tuple[float, float], lying: Sequence[Lying]
    ) -> tuple[tuple[float, float], int]:
        """Return where a piece that is put down there comes to lie, and on which level."""
        x_mm, y_mm = at
        board, disc = board_of(self._rules), disc_of(board_of(self._rules), piece)
        piled = has_jack(self._rules)
        if piled and math.hypot(x_mm, y_mm) < ON_THE_PILE_MM:
            x_mm, y_mm = 0.0, 0.0
        inside = max(abs(x_mm), abs(y_mm)) <= board.half_mm - disc.radius_mm
        if not inside or self.over_pocket(x_mm, y_mm):
            raise CannotHappen(
                _("a piece is put down on the wood, inside the frame and off the pockets")
            )
        if not piled and not is_free(board, lying, (x_mm, y_mm), disc.radius_mm):
            raise CannotHappen(BESIDE)
        return (x_mm, y_mm), level_at(board, lying, piece, (x_mm, y_mm))

    def over_pocket(self, x_mm: float, y_mm: float) -> bool:
        """Return whether a piece there would lie over a pocket."""
        board = board_of(self._rules)
        return any(
            math.dist((x_mm, y_mm), board.pocket_at(pocket)) < board.pocket_radius_mm
            for pocket in Pocket
        )

    def _keep(self, lying: Iterable[Lying]) -> None:
        self._lying = {each.number: each for each in lying}
        self._numbers = itertools.count(max(self._lying, default=0) + 1)

    def _of(self, piece: Piece) -> list[Lying]:
        """List the pieces of a kind, those on top of others first."""
        found = [each for each in self._lying.values() if each.piece is piece]
        if not found:
            raise ValueError(f"expected a {piece} on the board, found none")
        return sorted(found, key=lambda each: -each.level)

    def _overlap(self, one: Lying, other: Lying, by_mm: float = 0.0) -> bool:
        board = board_of(self._rules)
        reach = disc_of(board, one.piece).radius_mm + disc_of(board, other.piece).radius_mm
        return _apart(one, (other.x_mm, other.y_mm)) < reach - by_mm


def _apart(lying: Lying, at: tuple[float, float]) -> float:
    return math.dist((lying.x_mm, lying.y_mm), at)


def _scattered(rules: RuleSystem, kinds: Counter[Piece]) -> list[Lying]:
    """Lay pieces anywhere, clear of each other, the frame and the pockets: the same each time."""
    pieces = sorted((+kinds).elements(), key=lambda piece: (kinds[piece], piece))
    places = _places(rules, len(pieces))
    step = next(step for step in (7, 11, 13) if math.gcd(step, max(len(places), 1)) == 1)
    return [
        Lying(number, piece, *places[(number * step) % len(places)])
        for number, piece in enumerate(pieces, start=1)
    ]


def _places(rules: RuleSystem, count: int) -> list[tuple[float, float]]:
    board = board_of(rules)
    widest = max(disc_of(board, each.piece).diameter_mm for each in opening(rules))
    clear = board.pocket_radius_mm + widest / 2 + CLEAR_OF_POCKETS_MM
    found: list[tuple[float, float]] = []
    ring = board.half_mm - 82.0
    for index in itertools.count():
        if len(found) == count:
            return found
        radius, angle = 46.0 + (index * 61.8) % ring, index * GOLDEN_ANGLE
        at = (radius * math.cos(angle), radius * math.sin(angle))
        free = all(math.dist(at, each) > widest + 3 for each in found)
        if free and all(math.dist(at, board.pocket_at(pocket)) > clear for pocket in Pocket):
            found.append(at)
    return found
