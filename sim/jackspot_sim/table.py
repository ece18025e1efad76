"""The simulated table: what really lies where, and the hands, pieces and faults at its wires.

:class:`SimTable` knows the truth and keeps it to itself. The firmware sees nothing of it but
levels on pins, each changed at its exact virtual instant by the clock's agenda. Nothing here
knows the rules, the score or the firmware's state.

A wire is active while anything makes it so: a piece in the beam, a finger on the button, a
jam. So two pieces that overlap are one pulse, as in a real pocket. Methods may be called from
any thread; pins are driven only by the thread that runs the clock.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from types import MappingProxyType

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot.inputs.pins import Active, Wire
from jackspot.table.events import Button, beam_wire
from jackspot_sim.clock import SimClock
from jackspot_sim.pins import SimFactory
from jackspot_sim.pulses import (
    CHANCE,
    MS,
    Chance,
    Edges,
    Manner,
    chatter_edges,
    contact_edges,
    fall_edges,
    hand_edges,
    size_of,
)

PRESS_NS = 90 * MS
"""How long a short press lasts."""
HOLD_NS = 1_200 * MS
"""How long a button is held: the hold fires after one second."""
CHORD_APART_NS = 25 * MS
"""Between the two fingers of a chord."""
LOG_LENGTH = 20_000
"""How many edges are remembered."""
HAPPENINGS_KEPT = 200
"""How many happenings are remembered."""

_CAROM = {Piece.RED: 12, Piece.GREEN: 12, Piece.JACK: 1, Piece.STRIKER: 4}
_CARROM = {Piece.WHITE: 9, Piece.BLACK: 9, Piece.QUEEN: 1, Piece.STRIKER: 2}
_POINTS = {Piece.BLACK: 9, Piece.BROWN: 9, Piece.QUEEN: 1, Piece.STRIKER: 2}

PIECES: Mapping[RuleSystem, Mapping[Piece, int]] = MappingProxyType(
    {
        system: MappingProxyType(
            _CAROM
            if system in (RuleSystem.HIKONE, RuleSystem.JAPAN)
            else _POINTS
            if system is RuleSystem.POINTS
            else _CARROM
        )
        for system in RuleSystem
    }
)
"""What lies on the table at the start; strikers are in players' hands and count as on it."""


class CannotHappen(Exception):
    """The table is not so that this could happen; the message says why."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies where. Kinds with a count of zero are left out."""

    on_board: Mapping[Piece, int]
    in_pockets: Mapping[Pocket, Mapping[Piece, int]]
    on_floor: Mapping[Piece, int]


class Breakage(StrEnum):
    """What can be wrong with a part of the board."""

    JAMMED = "jammed"
    """Active for good: a blocked beam, a button that is stuck down."""
    DEAD = "dead"
    """Never active: a beam that never breaks, a button whose cable is cut."""
    UNPLUGGED = "unplugged"
    """A display without its cable."""


@dataclass(frozen=True, slots=True)
class Happening:
    """What really happened at a pocket or beside the board; ``number`` counts from 1.

    ``pocket`` None: the pieces flew off the board. ``manner`` None where nothing fell.
    """

    number: int
    at_ns: int
    pocket: Pocket | None
    pieces: tuple[Piece, ...]
    manner: Manner | None


@dataclass(frozen=True, slots=True)
class LoggedEdge:
    """One change of one wire; ``number`` counts them from 1."""

    number: int
    at_ns: int
    wire: str
    active: bool


@dataclass(slots=True)
class _Line:
    """One input wire, and all that makes it active just now (by a number for each cause)."""

    wire: Wire
    causes: set[int] = field(default_factory=set)
    stuck: set[int] = field(default_factory=set)
    freed: set[int] = field(default_factory=set)
    jammed: bool = False
    dead: bool = False
    active: bool = False

    @property
    def breakage(self) -> Breakage | None:
        if self.dead:
            return Breakage.DEAD
        return Breakage.JAMMED if self.jammed or self.stuck else None

    @property
    def wanted(self) -> bool:
        return not self.dead and (self.jammed or bool(self.causes))


class SimTable:
    """A table with its pieces, pockets and buttons, on the simulated pins of one board.

    ``seed`` decides every chance; ``on_edge`` hears every change of a wire.
    """

    def __init__(
        self,
        clock: SimClock,
        factory: SimFactory,
        wires: Iterable[Wire],
        rules: RuleSystem = RuleSystem.HIKONE,
        *,
        seed: int = 0,
        chance: Chance = CHANCE,
        on_edge: Callable[[LoggedEdge], None] = lambda _edge: None,
    ) -> None:
        self._clock = clock
        self._factory = factory
        self._rng = random.Random(seed)
        self._chance = chance
        self._on_edge = on_edge
        self._lock = threading.RLock()
        self._cause = itertools.count(1)
        self._edge_number = itertools.count(1)
        self._log: deque[LoggedEdge] = deque(maxlen=LOG_LENGTH)
        self._happening_number = itertools.count(1)
        self._happenings: deque[Happening] = deque(maxlen=HAPPENINGS_KEPT)
        self._fingers: dict[str, tuple[int, int]] = {}
        self._lines = {wire.name: _Line(wire) for wire in wires if wire.source is not None}
        for line in self._lines.values():
            self._factory.drive(line.wire.gpio, _level(line.wire, active=False), clock.now_ns())
        self.set_up(rules)

    @property
    def rules(self) -> RuleSystem:
        """The rule system whose pieces these are."""
        return self._rules

    def set_up(self, rules: RuleSystem) -> None:
        """Put every piece where it lies at the start of a board."""
        self.lay(rules, PIECES[rules])

    def lay(self, rules: RuleSystem, on_board: Mapping[Piece, int]) -> None:
        """Put these pieces on the board, strikers into hands, and all others on the floor.

        CannotHappen if there are not so many.
        """
        with self._lock:
            whole = Counter(PIECES[rules])
            self._take(whole, list(Counter(on_board).elements()), "in the box")
            self._rules = rules
            self._board: Counter[Piece] = Counter(on_board)
            self._board[Piece.STRIKER] = PIECES[rules][Piece.STRIKER]
            self._pockets: dict[Pocket, Counter[Piece]] = {p: Counter() for p in Pocket}
            self._floor: Counter[Piece] = Counter(whole)
            self._floor[Piece.STRIKER] = 0

    def take_over(self, before: SimTable) -> None:
        """Be the same table after the power was off, before the board runs again.

        Pieces and broken wires stay as they are; what was in the air, and the fingers on
        buttons, are gone.
        """
        with before._lock, self._lock:
            self._rules = before._rules
            self._board = before._board.copy()
            self._pockets = {pocket: kinds.copy() for pocket, kinds in before._pockets.items()}
            self._floor = before._floor.copy()
            self._happenings = before._happenings.copy()
            self._happening_number = itertools.count(next(before._happening_number))
            for name, line in self._lines.items():
                broken = before._lines[name].breakage if name in before._lines else None
                line.jammed = broken is Breakage.JAMMED
                line.dead = broken is Breakage.DEAD
                self._settle(name)

    def truth(self) -> Truth:
        """Give what really lies where."""
        with self._lock:
            pockets = {p: MappingProxyType(dict(+c)) for p, c in self._pockets.items() if +c}
            return Truth(
                MappingProxyType(dict(+self._board)),
                MappingProxyType(pockets),
                MappingProxyType(dict(+self._floor)),
            )

    def drop(
        self, pocket: Pocket, pieces: Sequence[Piece] = (), manner: Manner = Manner.CLEAN
    ) -> int:
        """Let pieces fall into a pocket now, or a hand reach in. Gives when it is over, in ns.

        The truth changes at once, the wire as the pieces pass. CannotHappen if a piece is not
        on the board.
        """
        with self._lock:
            if manner is Manner.HAND and pieces:
                raise CannotHappen("a hand drops no pieces; leave them out or choose a manner")
            if manner is not Manner.HAND and not pieces:
                raise CannotHappen("nothing to drop: name at least one piece")
            sizes = [size_of(p, self._rules) for p in pieces if p in PIECES[self._rules]]
            self._take(self._board, pieces, "on the board")
            self._pockets[pocket].update(pieces)
            self._remember(pocket, pieces, manner)
            edges = fall_edges(sizes, manner, self._rng, self._chance)
            return self._plan(beam_wire(pocket), edges, stays=manner is Manner.STUCK)

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        """Take pieces from the board to the floor, past every beam."""
        with self._lock:
            self._take(self._board, pieces, "on the board")
            self._floor.update(pieces)
            self._remember(None, pieces, None)

    def put_back(self, pieces: Iterable[Piece], *, reaching_in: bool = False) -> int:
        """Put pieces on the board again, from the floor first, then out of the pockets.

        With ``reaching_in`` the hand breaks the beams of those pockets, one after the other.
        Gives when it is over. CannotHappen if a piece is neither on the floor nor in a pocket.
        """
        with self._lock:
            wanted = list(pieces)
            out = self._floor.copy()
            for pocketed in self._pockets.values():
                out.update(pocketed)
            self._take(out, wanted, "on the floor or in a pocket")
            pockets = [found for piece in wanted if (found := self._fetch(piece)) is not None]
            self._board.update(wanted)
            return self._reach_into(pockets) if reaching_in else self._clock.now_ns()

    def take_striker(self, *, reaching_in: bool = False) -> int:
        """Fetch every striker out of the pockets and off the floor. Gives when it is over."""
        with self._lock:
            lying = sum(c[Piece.STRIKER] for c in (*self._pockets.values(), self._floor))
            return self.put_back([Piece.STRIKER] * lying, reaching_in=reaching_in)

    def press(self, button: Button, lasting_ns: int = PRESS_NS) -> int:
        """Press a button and let it go. Gives when it is over."""
        return self._touch(button, 0, lasting_ns)

    def hold(self, button: Button, lasting_ns: int = HOLD_NS) -> int:
        """Hold a button until its hold has fired, then let it go. Gives when it is over."""
        return self._touch(button, 0, lasting_ns)

    def chord(self, first: Button, second: Button, lasting_ns: int = PRESS_NS * 3) -> int:
        """Hold two buttons together. Gives when both are up again."""
        with self._lock:
            self._touch(first, 0, lasting_ns)
            return self._touch(second, CHORD_APART_NS, lasting_ns)

    def down(self, button: Button) -> None:
        """Put a finger on a button; it stays until :meth:`up`."""
        with self._lock:
            name = self._line(button.wire).wire.name
            if name not in self._fingers:
                cause = next(self._cause)
                edges = contact_edges(True, self._rng, self._chance)
                self._fingers[name] = (cause, self._play(name, cause, edges, 0))

    def up(self, button: Button) -> None:
        """Take the finger off; nothing happens where there is none."""
        with self._lock:
            finger = self._fingers.pop(self._line(button.wire).wire.name, None)
            if finger is not None:
                cause, closed_ns = finger
                edges = contact_edges(False, self._rng, self._chance)
                bouncing_ns = max(0, closed_ns + 1 - self._clock.now_ns())
                self._play(button.wire, cause, edges, bouncing_ns)

    def jam(self, wire: str) -> None:
        """Make a wire active for good: a blocked beam, a button that is stuck down."""
        self._break(wire, jammed=True, dead=False)

    def kill(self, wire: str) -> None:
        """Make a wire inactive for good: a dead beam, a button whose cable is cut."""
        self._break(wire, jammed=False, dead=True)

    def chatter(self, wire: str) -> int:
        """Let a loose contact flicker for a while. Gives when it is over."""
        with self._lock:
            self._line(wire)
            return self._play(wire, next(self._cause), chatter_edges(self._rng, self._chance), 0)

    def mend(self, wire: str) -> None:
        """Repair a wire, and free a piece that is stuck in its beam."""
        self._break(wire, jammed=False, dead=False)

    @property
    def wires(self) -> tuple[str, ...]:
        """The names of the beams and buttons that this board has."""
        return tuple(self._lines)

    def active(self) -> frozenset[str]:
        """Name the wires that are active now."""
        with self._lock:
            return frozenset(name for name, line in self._lines.items() if line.active)

    def faulty(self) -> Mapping[str, Breakage]:
        """Name the wires that are dead, jammed, or blocked by a stuck piece."""
        with self._lock:
            found = {name: line.breakage for name, line in self._lines.items()}
            return {name: broken for name, broken in found.items() if broken is not None}

    def happenings(self, since: int = 0) -> tuple[Happening, ...]:
        """Give what really happened with a number above ``since``, oldest first."""
        with self._lock:
            return tuple(each for each in self._happenings if each.number > since)

    def edges(self, since: int = 0) -> tuple[LoggedEdge, ...]:
        """Give the remembered edges with a number above ``since``, oldest first."""
        with self._lock:
            newest_first = itertools.takewhile(lambda e: e.number > since, reversed(self._log))
            return tuple(newest_first)[::-1]

    def _line(self, name: str) -> _Line:
        if name not in self._lines:
            raise CannotHappen(f"this board has no {name}; it has {', '.join(self._lines)}")
        return self._lines[name]

    def _take(self, place: Counter[Piece], pieces: Iterable[Piece], where: str) -> None:
        for piece, count in Counter(pieces).items():
            if place[piece] < count:
                raise CannotHappen(f"expected {count} {piece} {where}, found {place[piece]}")
        place.subtract(Counter(pieces))

    def _remember(
        self, pocket: Pocket | None, pieces: Iterable[Piece], manner: Manner | None
    ) -> None:
        number = next(self._happening_number)
        now_ns = self._clock.now_ns()
        self._happenings.append(Happening(number, now_ns, pocket, tuple(pieces), manner))

    def _fetch(self, piece: Piece) -> Pocket | None:
        """Take one piece that is known to be out; give the pocket it came from."""
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
            end_ns = self._plan(beam_wire(pocket), hand_edges(self._rng, self._chance), after_ns)
        return end_ns

    def _touch(self, button: Button, after_ns: int, lasting_ns: int) -> int:
        with self._lock:
            self._line(button.wire)
            cause = next(self._cause)
            down = contact_edges(True, self._rng, self._chance)
            up = contact_edges(False, self._rng, self._chance)
            self._play(button.wire, cause, down, after_ns)
            return self._play(button.wire, cause, up, after_ns + lasting_ns)

    def _plan(self, name: str, edges: Edges, after_ns: int = 0, *, stays: bool = False) -> int:
        """Plan a happening of its own; one at a beam that this board has not goes unseen."""
        if name not in self._lines:
            return self._clock.now_ns() + after_ns
        cause = next(self._cause)
        if stays:
            self._lines[name].stuck.add(cause)
        return self._play(name, cause, edges, after_ns)

    def _play(self, name: str, cause: int, edges: Edges, after_ns: int) -> int:
        at_ns = start_ns = self._clock.now_ns() + after_ns
        for offset_ns, active in edges:
            at_ns = start_ns + offset_ns
            self._clock.at(at_ns, partial(self._change, name, cause, active))
        return at_ns

    def _change(self, name: str, cause: int, active: bool) -> None:
        with self._lock:
            line = self._lines[name]
            if active and cause not in line.freed:
                line.causes.add(cause)
            else:
                line.causes.discard(cause)
        self._settle(name)

    def _break(self, wire: str, *, jammed: bool, dead: bool) -> None:
        with self._lock:
            line = self._line(wire)
            line.jammed, line.dead = jammed, dead
            if not (jammed or dead):
                line.freed |= line.stuck
                line.causes -= line.stuck
                line.stuck.clear()
            self._clock.after(0, partial(self._settle, wire))

    def _settle(self, name: str) -> None:
        """Drive the pin to what the wire should be now, and log it if that is a change."""
        with self._lock:
            line = self._lines[name]
            if line.wanted is line.active:
                return
            line.active = line.wanted
            at_ns = self._clock.now_ns()
            edge = LoggedEdge(next(self._edge_number), at_ns, name, line.active)
            self._log.append(edge)
            self._factory.drive(line.wire.gpio, _level(line.wire, line.active), at_ns)
        self._on_edge(edge)


def _level(wire: Wire, active: bool) -> bool:
    return active is (wire.active is Active.HIGH)
