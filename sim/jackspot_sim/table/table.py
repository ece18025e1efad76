"""The simulated table: where the pieces really are, and the hands, pieces and faults at its wires.

:class:`SimTable` knows the truth and keeps it to itself. The firmware sees only levels on pins,
each changed at its exact virtual instant by the clock's agenda. Nothing here knows the rules, the
score or the firmware's state.

Where each piece lies is kept too: what a flick meets and a page draws is what is counted.
Methods may be called from any thread.
"""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import has_jack, rules_for
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.dialogue.words.wording import piece_name
from jackspot.inputs.pins import Wire
from jackspot.sensing.events import beam_wire
from jackspot_sim.chance.pulses import (
    CHANCE,
    Chance,
    Edges,
    Manner,
    fall_edges,
    hand_edges,
    size_of,
)
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import SimFactory
from jackspot_sim.physics.values import STRIKER, Lying
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.positions import Positions
from jackspot_sim.table.wiring import Breakage, LoggedEdge, Wiring

__all__ = ["PIECES", "Breakage", "CannotHappen", "Happening", "LoggedEdge", "SimTable", "Truth"]

HAPPENINGS_KEPT = 200
"""How many happenings are remembered."""


def _at_the_start(system: RuleSystem) -> Mapping[Piece, int]:
    rules = rules_for(system)
    kinds = rules.facts.shared or tuple(side.piece for side in rules.sides)
    strikers = 4 if has_jack(system) else 2
    counts = {**dict.fromkeys(kinds, rules.facts.men), rules.red: 1, Piece.STRIKER: strikers}
    return MappingProxyType(counts)


PIECES: Mapping[RuleSystem, Mapping[Piece, int]] = MappingProxyType(
    {system: _at_the_start(system) for system in RuleSystem}
)
"""What lies on the table at the start; strikers are in players' hands and count as on it."""

_MANNERS_BY_EDGES = {0: Manner.MISSED, 2: Manner.CLEAN}
"""How a piece fell, by the number of edges it made; with more of them it turned over."""


class Truth(Struct, frozen=True):
    """Where the pieces are. Kinds with a count of zero are left out."""

    on_board: Mapping[Piece, int]
    in_pockets: Mapping[Pocket, Mapping[Piece, int]]
    on_floor: Mapping[Piece, int]


class Happening(Struct, frozen=True):
    """What really happened at a pocket or beside the board; ``number`` counts from 1.

    ``pocket`` None: the pieces flew off the board. ``manner`` None: nothing fell.
    """

    number: int
    at_ns: int
    pocket: Pocket | None
    pieces: tuple[Piece, ...]
    manner: Manner | None


class SimTable(Wiring):
    """A table with its pieces, pockets and buttons, on the simulated pins of one board.

    ``seed`` decides everything random; ``on_edge`` hears every change of a wire.
    """

    def __init__(
        self,
        clock: SimClock,
        factory: SimFactory,
        wires: Iterable[Wire],
        rules: RuleSystem = USUAL_RULES,
        *,
        seed: int = 0,
        chance: Chance = CHANCE,
        on_edge: Callable[[LoggedEdge], None] = lambda _edge: None,
    ) -> None:
        super().__init__(clock, factory, wires, seed=seed, chance=chance, on_edge=on_edge)
        self._happening_number = itertools.count(1)
        self._happenings: deque[Happening] = deque(maxlen=HAPPENINGS_KEPT)
        self._positions = Positions()
        self._moved: list[Lying] = []
        self._laid = 0
        self._strikers_gone = 0
        self.passed: Callable[[Pocket, Sequence[Piece], Edges], None] = lambda *_: None
        """Called with what begins to go through a pocket, pieces or, without any, a hand, and what
        its beam makes of it from then on."""
        self.set_up(rules)

    @property
    def rules(self) -> RuleSystem:
        """The rule system whose pieces these are."""
        return self._rules

    def set_up(self, rules: RuleSystem, opener: Seat = Seat.S) -> None:
        """Put every piece where it lies at the start of a board."""
        self.lay(rules, PIECES[rules], opener)

    def lay(self, rules: RuleSystem, on_board: Mapping[Piece, int], opener: Seat = Seat.S) -> None:
        """Put these pieces on the board, strikers into hands, and all others on the floor.

        All of them are laid in the pattern that ``opener`` breaks. CannotHappen if there are
        not that many.
        """
        with self._lock:
            whole = Counter(PIECES[rules])
            self._take(whole, list(Counter(on_board).elements()), _("in the box"))
            self._rules = rules
            kinds = Counter(on_board)
            kinds[Piece.STRIKER] = 0
            self._positions.lay(rules, kinds, opener)
            self._moved.clear()
            self._strikers = PIECES[rules][Piece.STRIKER]
            self._pockets: dict[Pocket, Counter[Piece]] = {p: Counter() for p in Pocket}
            self._floor: Counter[Piece] = Counter(whole)
            self._floor[Piece.STRIKER] = 0
            self._laid += 1

    def take_over(self, before: SimTable) -> None:
        """Become the same table after the power was off, before the board runs again.

        Pieces and broken wires stay as they are; pieces in the air and fingers on buttons are
        gone.
        """
        with before._lock, self._lock:
            self._rules = before._rules
            self._positions.copy(before._positions)
            self._strikers = before._strikers
            self._pockets = {pocket: kinds.copy() for pocket, kinds in before._pockets.items()}
            self._floor = before._floor.copy()
            self._happenings = before._happenings.copy()
            self._happening_number = itertools.count(next(before._happening_number))
            self.break_as(before)

    def truth(self) -> Truth:
        """Return where everything really is."""
        with self._lock:
            pockets = {p: MappingProxyType(dict(+c)) for p, c in self._pockets.items() if +c}
            return Truth(
                MappingProxyType(dict(+self._on_board())),
                MappingProxyType(pockets),
                MappingProxyType(dict(+self._floor)),
            )

    def drop(
        self, pocket: Pocket, pieces: Sequence[Piece] = (), manner: Manner = Manner.CLEAN
    ) -> int:
        """Let pieces fall into a pocket now, or a hand reach in. Return when it is over, in ns.

        The truth changes at once, the wire as the pieces pass. CannotHappen if a piece is not
        on the board.
        """
        with self._lock:
            if manner is Manner.HAND and pieces:
                raise CannotHappen(_("a hand drops no pieces; leave them out or choose a manner"))
            if manner is not Manner.HAND and not pieces:
                raise CannotHappen(_("nothing to drop: name at least one piece"))
            self._leave(pieces, pocket)
            return self._fall(pocket, pieces, manner)

    def sink(self, number: int, pocket: Pocket, edges: Edges = ()) -> None:
        """Let one particular piece fall into a pocket now; do nothing if it is not on the board.

        ``edges`` are what its beam makes of it from now on; empty if it is not seen.
        """
        with self._lock:
            if (piece := self._lift(number)) is not None:
                self._pockets[pocket][piece] += 1
                manner = _MANNERS_BY_EDGES.get(len(edges), Manner.TUMBLING)
                self._remember(pocket, [piece], manner)
                self._plan(beam_wire(pocket), edges)
                self.passed(pocket, [piece], edges)

    def flicker(self, pocket: Pocket, edges: Edges) -> None:
        """Let light break a pocket's beam from now on, though nothing falls."""
        with self._lock:
            self._plan(beam_wire(pocket), edges)

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        """Take pieces from the board to the floor, past every beam."""
        with self._lock:
            self._leave(pieces, None)
            self._floor.update(pieces)
            self._remember(None, pieces, None)

    def leave(self, number: int) -> None:
        """Let one particular piece fly off the board; do nothing if it is not on it."""
        with self._lock:
            if (piece := self._lift(number)) is not None:
                self._floor.update([piece])
                self._remember(None, [piece], None)

    def lying(self) -> tuple[Lying, ...]:
        """Return every piece on the board at its place; strikers are in people's hands."""
        with self._lock:
            return self._positions.all()

    def rest(self, resting: Iterable[Lying]) -> None:
        """Move the pieces that are still on the board to where they came to rest."""
        with self._lock:
            self._positions.rest(resting)
            self._moved.clear()

    @property
    def laid(self) -> int:
        """How often the pieces have been laid out; earlier shots no longer run."""
        return self._laid

    @property
    def strikers_gone(self) -> int:
        """How often a striker has left the board; one that lay there no longer does."""
        return self._strikers_gone

    def put_back(self, pieces: Iterable[Piece], *, reaching_in: bool = False) -> int:
        """Put pieces on the board again, from the floor first, then out of the pockets.

        With ``reaching_in`` the hand breaks the beams of those pockets, one after the other.
        Return when it is over. CannotHappen if a piece is neither on the floor nor in a pocket.
        """
        with self._lock:
            wanted = list(pieces)
            out = self._floor.copy()
            for pocketed in self._pockets.values():
                out.update(pocketed)
            self._take(out, wanted, _("on the floor or in a pocket"))
            pockets = [found for piece in wanted if (found := self._fetch(piece)) is not None]
            strikers = wanted.count(Piece.STRIKER)
            self._strikers += strikers
            self._positions.put_back([each for each in wanted if each is not Piece.STRIKER])
            return self._reach_into(pockets) if reaching_in else self._clock.now_ns()

    def put(self, piece: Piece, x_mm: float, y_mm: float) -> None:
        """Put one piece that is out of play down on the board.

        CannotHappen if none is out, or there is no room for it.
        """
        with self._lock:
            if piece is Piece.STRIKER:
                raise CannotHappen(_("a striker is put down to be shot; take it out of the pocket"))
            out = self._floor + sum(self._pockets.values(), Counter())
            self._take(out, [piece], _("on the floor or in a pocket"))
            self._positions.put(piece, x_mm, y_mm)
            self._fetch(piece)

    def move(self, number: int, x_mm: float, y_mm: float) -> None:
        """Move one piece on the board by hand. CannotHappen if no hand could."""
        with self._lock:
            self._moved.append(self._positions.move(number, x_mm, y_mm))

    def move_back(self) -> None:
        """Put the piece that was moved last back where it lay. CannotHappen if there is none."""
        with self._lock:
            moves = self._moves()
            if not moves:
                raise CannotHappen(_("no piece was moved since the last shot"))
            self._positions.move_back(moves.pop())
            self._moved = moves

    @property
    def moved(self) -> int:
        """How many moves by hand can be taken back: those since the last shot."""
        with self._lock:
            return len(self._moves())

    def _moves(self) -> list[Lying]:
        """Return how moved pieces lay before, of those that are still on the board."""
        return [each for each in self._moved if self._positions.has(each.number)]

    def take_striker(self, *, reaching_in: bool = False) -> int:
        """Fetch every striker out of the pockets and off the floor. Return when it is over."""
        with self._lock:
            lying = sum(c[Piece.STRIKER] for c in (*self._pockets.values(), self._floor))
            return self.put_back([Piece.STRIKER] * lying, reaching_in=reaching_in)

    def happenings(self, since: int = 0) -> tuple[Happening, ...]:
        """Return what really happened with a number above ``since``, oldest first."""
        with self._lock:
            return tuple(each for each in self._happenings if each.number > since)

    def _on_board(self) -> Counter[Piece]:
        counts = self._positions.counts()
        counts[Piece.STRIKER] = self._strikers
        return counts

    def _leave(self, pieces: Sequence[Piece], pocket: Pocket | None) -> None:
        """Take pieces off the board, those nearest to a pocket or to the frame."""
        self._take(self._on_board(), pieces, _("on the board"))
        for piece in pieces:
            if piece is Piece.STRIKER:
                self._strikers -= 1
                self._strikers_gone += 1
            else:
                self._positions.take(piece, pocket)

    def _lift(self, number: int) -> Piece | None:
        """Take one particular piece off the board, if it is there; ``STRIKER`` is the striker."""
        if number == STRIKER:
            if self._strikers == 0:
                return None
            self._strikers -= 1
            self._strikers_gone += 1
            return Piece.STRIKER
        return self._positions.remove(number).piece if self._positions.has(number) else None

    def _fall(self, pocket: Pocket, pieces: Sequence[Piece], manner: Manner) -> int:
        """Let pieces that have left the board go through a beam. Return when it is over."""
        sizes = [size_of(piece, self._rules) for piece in pieces]
        self._pockets[pocket].update(pieces)
        self._remember(pocket, pieces, manner)
        edges = fall_edges(sizes, manner, self._rng, self._chance)
        self.passed(pocket, pieces, edges)
        return self._plan(beam_wire(pocket), edges, stays=manner is Manner.STUCK)

    def _take(self, place: Counter[Piece], pieces: Iterable[Piece], where: Phrase) -> None:
        for piece, count in Counter(pieces).items():
            if place[piece] < count:
                raise CannotHappen(
                    _(
                        "expected {n} {piece} {where}, found {found}",
                        n=count,
                        piece=piece_name(piece),
                        where=where,
                        found=place[piece],
                    )
                )
        place.subtract(Counter(pieces))

    def _remember(
        self, pocket: Pocket | None, pieces: Iterable[Piece], manner: Manner | None
    ) -> None:
        number = next(self._happening_number)
        now_ns = self._clock.now_ns()
        self._happenings.append(Happening(number, now_ns, pocket, tuple(pieces), manner))

    def _fetch(self, piece: Piece) -> Pocket | None:
        """Take one piece that is known to be out; return the pocket it came from."""
        if self._floor[piece]:
            self._floor[piece] -= 1
            return None
        pocket = next(p for p, pieces in self._pockets.items() if pieces[piece])
        self._pockets[pocket][piece] -= 1
        return pocket

    def _reach_into(self, pockets: Sequence[Pocket]) -> int:
        end_ns = self._clock.now_ns()
        for pocket in dict.fromkeys(pockets):
            self._remember(pocket, (), Manner.HAND)
            after_ns = end_ns - self._clock.now_ns()
            edges = hand_edges(self._rng, self._chance)
            self.passed(pocket, (), tuple((at + after_ns, active) for at, active in edges))
            end_ns = self._plan(beam_wire(pocket), edges, after_ns)
        return end_ns
