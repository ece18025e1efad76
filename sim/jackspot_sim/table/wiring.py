"""The wires of a simulated table: beams and buttons, and what makes each of them active.

A wire is active while anything makes it so: a piece in the beam, a finger on the button, a
jam. So two pieces that overlap are one pulse, as in a real pocket. The clock's agenda changes each
level at its exact virtual instant. Methods may be called from any thread; pins are driven only by
the thread that runs the clock. Nothing here knows about pieces and pockets.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import partial

from msgspec import Struct, field

from jackspot.core.phrases import _
from jackspot.inputs.pins import Active, Wire
from jackspot.sensing.events import Button
from jackspot_sim.chance.pulses import CHANCE, MS, Chance, Edges, chatter_edges, contact_edges
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import SimFactory
from jackspot_sim.refusal import CannotHappen

PRESS_NS = 90 * MS
"""How long a short press lasts."""
HOLD_NS = 1_200 * MS
"""How long a button is held: the hold fires after one second."""
CHORD_APART_NS = 25 * MS
"""Between the two fingers of a chord."""
LOG_LENGTH = 20_000
"""How many edges are remembered."""


class Breakage(StrEnum):
    """What can be wrong with a part of the board."""

    JAMMED = "jammed"
    """Active for good: a blocked beam, a button that is stuck down."""
    DEAD = "dead"
    """Never active: a beam that never breaks, a button whose cable is cut."""
    UNPLUGGED = "unplugged"
    """A display without its cable."""


class LoggedEdge(Struct, frozen=True):
    """One change of one wire; ``number`` counts them from 1."""

    number: int
    at_ns: int
    wire: str
    active: bool


class _Line(Struct):
    """One input wire, and everything that makes it active now (by a number for each cause)."""

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


class Wiring:
    """The wires of one board on its simulated pins.

    ``seed`` decides everything random; ``on_edge`` hears every change of a wire.
    """

    def __init__(
        self,
        clock: SimClock,
        factory: SimFactory,
        wires: Iterable[Wire],
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
        self._fingers: dict[str, tuple[int, int]] = {}
        self._lines = {wire.name: _Line(wire) for wire in wires if wire.source is not None}
        for line in self._lines.values():
            self._factory.drive(line.wire.gpio, _level(line.wire, active=False), clock.now_ns())

    def press(self, button: Button, lasting_ns: int = PRESS_NS) -> int:
        """Press a button and let it go. Return when it is over."""
        return self._touch(button, 0, lasting_ns)

    def hold(self, button: Button, lasting_ns: int = HOLD_NS) -> int:
        """Hold a button until its hold has fired, then let it go. Return when it is over."""
        return self._touch(button, 0, lasting_ns)

    def chord(self, first: Button, second: Button, lasting_ns: int = PRESS_NS * 3) -> int:
        """Hold two buttons together. Return when both are up again."""
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
        """Take the finger off; do nothing if there is none."""
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
        """Let a loose contact flicker for a while. Return when it is over."""
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
        """Return the wires that are active now."""
        with self._lock:
            return frozenset(name for name, line in self._lines.items() if line.active)

    def faulty(self) -> Mapping[str, Breakage]:
        """Return the wires that are dead, jammed, or blocked by a stuck piece."""
        with self._lock:
            found = {name: line.breakage for name, line in self._lines.items()}
            return {name: broken for name, broken in found.items() if broken is not None}

    def edges(self, since: int = 0) -> tuple[LoggedEdge, ...]:
        """Return the remembered edges with a number above ``since``, oldest first."""
        with self._lock:
            newest_first = itertools.takewhile(lambda e: e.number > since, reversed(self._log))
            return tuple(newest_first)[::-1]

    def _line(self, name: str) -> _Line:
        if name not in self._lines:
            wires = ", ".join(self._lines)
            raise CannotHappen(
                _("this board has no {name}; it has {wires}", name=name, wires=wires)
            )
        return self._lines[name]

    def break_as(self, before: Wiring) -> None:
        """Take over what was broken, before the board runs; no finger is on a button yet."""
        for name, line in self._lines.items():
            broken = before._lines[name].breakage if name in before._lines else None
            line.jammed = broken is Breakage.JAMMED
            line.dead = broken is Breakage.DEAD
            self._settle(name)

    def _touch(self, button: Button, after_ns: int, lasting_ns: int) -> int:
        with self._lock:
            self._line(button.wire)
            cause = next(self._cause)
            down = contact_edges(True, self._rng, self._chance)
            up = contact_edges(False, self._rng, self._chance)
            self._play(button.wire, cause, down, after_ns)
            return self._play(button.wire, cause, up, after_ns + lasting_ns)

    def _plan(self, name: str, edges: Edges, after_ns: int = 0, *, stays: bool = False) -> int:
        """Plan a happening of its own; one at a beam that this board lacks goes unseen."""
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
