"""A board without wires: edges in, views out, on virtual time.

The whole pure chain as the board's loop drives it: edges to signals, pulses to falls, all of
it to the scorekeeper, which is woken whenever it asked to be. The words are those a player
would use, so that a test reads like the sentence it checks::

    table = Table()
    table.ok("N")                 # N won rock-paper-scissors: the match starts
    table.fall("NE").wait(2.0)    # something fell, and the pockets were quiet
    table.ok("referee")           # the reading shown is confirmed
    assert table.phase is Phase.READY
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from jackspot.core.pieces import Pocket, Seat
from jackspot.core.record import write_record
from jackspot.core.stroke import Stroke
from jackspot.table.desk import Customs, Desk, Game, Plan
from jackspot.table.entries import JournalEntry, Kind, check
from jackspot.table.events import (
    Button,
    ButtonDown,
    ButtonUp,
    Edge,
    FaultCleared,
    FaultRaised,
    Gesture,
    Key,
    Place,
    Press,
    Pulse,
    Tick,
)
from jackspot.table.falls import Falls
from jackspot.table.limits import MS, SECOND, Limits
from jackspot.table.restoring import restore
from jackspot.table.scorekeeper import DeskEvent, next_wake_ns, step
from jackspot.table.showing import show
from jackspot.table.signals import Signals, Source
from jackspot.table.view import BoardView, Phase, Sound

LIMITS = Limits()
SEAT_KEYS = (Key.OK, Key.FIX)
BOX_KEYS = tuple(Key)
TAP_MS = 60.0
"""How long a short press lasts."""
SETTLED_MS = 12.0
"""How long after a contact opened it is sure to be up."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as a journal gives it back: through JSON and out again."""

    kind: str
    at_ns: int
    body: Mapping[str, Any]


def kept(entry: JournalEntry) -> Kept:
    """Send an entry through JSON, checked as the journal checks it."""
    check(entry.kind, entry.body)
    body = json.loads(json.dumps(entry.body, allow_nan=False))
    check(entry.kind, body)
    return Kept(entry.kind.value, entry.at_ns, body)


def wires(seats: Iterable[str] = "NESW", *, box: bool = True, fix: bool = True) -> list[Source]:
    """The wires of a board: four beams, seat buttons, the referee's box."""
    keys = SEAT_KEYS if fix else (Key.OK, Key.UNDO)
    listed: list[Source] = list(Pocket)
    listed += [Button(Place(seat), key) for seat in seats for key in keys]
    if box:
        listed += [Button(Place.REFEREE, key) for key in BOX_KEYS]
    return listed


class Table:
    """A board on virtual time; see the module."""

    def __init__(
        self,
        seats: str = "NESW",
        *,
        box: bool = True,
        fix: bool = True,
        lineup: str = "NS",
        options: Mapping[str, object] | None = None,
        handicap: Mapping[str, object] | None = None,
        customs: Customs | None = None,
        start_ns: int = 1_000 * SECOND,
    ) -> None:
        self.wires = wires(seats, box=box, fix=fix)
        places = {each.place for each in self.wires if isinstance(each, Button)}
        header: dict[str, object] = {"rules": "hikone"}
        if options:
            header["options"] = dict(options)
        if handicap:
            header["handicap"] = dict(handicap)
        given = customs or Customs()
        self.customs = replace(given, places=frozenset({*places, Place.PAGE}))
        order = tuple(Seat(seat) for seat in lineup)
        self.plan = Plan(header, order, order[0])
        self.now_ns = start_ns
        self.records: list[Kept] = []
        self.sounds: list[Sound] = []
        self.watchers: list[Callable[[Desk, DeskEvent, Desk], None]] = []
        self._start()

    def _start(self) -> None:
        restored = restore(self.records, self.customs, self.plan, self.now_ns)
        self.troubles = restored.troubles
        self.desk = restored.desk
        self.falls = Falls.at_start(LIMITS, restored.next_fall)
        self.signals = Signals.at_start(LIMITS, self.wires, self.now_ns)
        self.now_ns += MS  # an edge of the very start would be a level found at the start

    # what goes in

    def wait(self, seconds: float) -> Self:
        """Let time pass, with every wake-up that was asked for."""
        return self._until(self.now_ns + round(seconds * SECOND))

    def _until(self, until_ns: int) -> Self:
        for _ in range(1_000_000):
            times = (next_wake_ns(self.desk), self.signals.next_wake_ns())
            wake_ns = min((each for each in times if each is not None), default=until_ns + 1)
            if wake_ns > until_ns:
                self.now_ns = until_ns
                return self
            self.now_ns = max(self.now_ns, wake_ns)
            self._take(Tick(self.now_ns))
            after_ns = next_wake_ns(self.desk)
            assert after_ns is None or after_ns > self.now_ns, "a wake-up must settle what was due"
        raise AssertionError("the wake-ups do not end")

    def _take(self, event: Edge | ButtonDown | ButtonUp | Tick) -> None:
        self.signals, signals = self.signals.step(event)
        for signal in signals:
            if isinstance(signal, Pulse):
                self.falls, fall = self.falls.step(signal)
                self.give(fall)
            else:
                self.give(signal)
        if isinstance(event, Tick):
            self.give(event)

    def give(self, event: DeskEvent) -> Self:
        """Hand the scorekeeper an event as it is."""
        before = self.desk
        self.desk, effects = step(before, event)
        self.records += [kept(entry) for entry in effects.records]
        self.sounds += effects.sounds
        for watch in self.watchers:
            watch(before, event, self.desk)
        return self

    def edge(self, source: Source, active: bool) -> Self:
        """Change a wire, now; a page's button sends clean downs and ups."""
        if isinstance(source, Button) and source.place is Place.PAGE:
            ask = self.view.ask if active else None
            event = (ButtonDown if active else ButtonUp)(self.now_ns, source, ask)
            self._take(event)
        else:
            self._take(Edge(self.now_ns, source, active))
        return self

    def down(self, place: str, key: str) -> Self:
        """Put a finger on a button."""
        return self.edge(Button(Place(place), Key(key)), True)

    def up(self, place: str, key: str) -> Self:
        """Take the finger away, and let the contact settle."""
        return self.edge(Button(Place(place), Key(key)), False).wait(SETTLED_MS / 1000)

    def press(self, place: str, key: str) -> Self:
        """Press a button and let it go."""
        return self.down(place, key).wait(TAP_MS / 1000).up(place, key)

    def ok(self, place: str) -> Self:
        """Press OK."""
        return self.press(place, "ok")

    def fix(self, place: str, times: int = 1) -> Self:
        """Press FIX, so many times."""
        for _ in range(times):
            self.press(place, "fix")
        return self

    def foul(self) -> Self:
        """Press FOUL on the referee's box."""
        return self.press("referee", "foul")

    def off(self) -> Self:
        """Press OFF on the referee's box."""
        return self.press("referee", "off")

    def undo(self, place: str = "referee") -> Self:
        """Say UNDO: its button where the place has one, else OK and FIX together."""
        if Button(Place(place), Key.UNDO) in self.wires or place == "page":
            return self.press(place, "undo")
        return self.chord(place)

    def chord(self, place: str) -> Self:
        """Press OK and FIX of a seat together: UNDO."""
        self.down(place, "ok").wait(0.02).down(place, "fix").wait(TAP_MS / 1000)
        return self.up(place, "ok").up(place, "fix")

    def hold(self, place: str, key: str, seconds: float = 1.1) -> Self:
        """Hold a button until its hold has fired, and let it go."""
        return self.down(place, key).wait(seconds).up(place, key)

    def short(self, key: str, ask: int | None = None) -> Self:
        """Let a page send a whole press at once, for what it showed."""
        button = Button(Place.PAGE, Key(key))
        asked = self.view.ask if ask is None else ask
        return self.give(Press(self.now_ns, self.now_ns, button, Gesture.SHORT, asked))

    def fall(self, pocket: str, ms: float = 9.0) -> Self:
        """Let something break a pocket's beam for so long."""
        return self.edge(Pocket(pocket), True).wait(ms / 1000).edge(Pocket(pocket), False)

    def falls_in(self, *pockets: str) -> Self:
        """Let something fall into each of these pockets, a quarter of a second apart."""
        for pocket in pockets:
            self.fall(pocket).wait(0.25)
        return self

    def fault(self, event: FaultRaised | FaultCleared) -> Self:
        """Let something be wrong, or well again."""
        return self.give(event)

    def restart(self, off_s: float = 20.0, *, reboot: bool = True) -> Self:
        """Cut the power: what was written down is all that is left, and time starts anew."""
        self.now_ns = SECOND if reboot else self.now_ns + round(off_s * SECOND)
        self._start()
        assert not self.troubles, self.troubles
        return self

    # what is there

    @property
    def view(self) -> BoardView:
        """What everybody sees now."""
        return show(self.desk, self.now_ns)

    @property
    def phase(self) -> Phase:
        """Where the talk stands."""
        return self.desk.phase

    @property
    def game(self) -> Game:
        """The match on the board."""
        assert self.desk.game is not None, "no match is on the board"
        return self.desk.game

    @property
    def entries(self) -> list[str]:
        """The lines of the match record that count."""
        text = write_record(self.game.match.settings, self._entries())
        body = text.split("---", 1)[1]
        return [line.split(" t=")[0] for line in body.strip().splitlines() if line]

    def _entries(self) -> tuple[Any, ...]:
        return tuple(entry for line in self.game.lines for entry in line.entries)

    @property
    def strokes(self) -> list[Stroke]:
        """The strokes that count."""
        return [line.stroke for line in self.game.lines if line.stroke]

    @property
    def record(self) -> str:
        """The match record, header and all."""
        return write_record(self.game.match.settings, self._entries())

    def kinds(self, since: int = 0) -> list[str]:
        """The kinds of the entries written down, after the first so many."""
        return [each.kind for each in self.records[since:]]

    def last(self, kind: Kind) -> Mapping[str, Any]:
        """The newest entry of a kind."""
        return next(each.body for each in reversed(self.records) if each.kind == kind)

    @property
    def proposed(self) -> str:
        """The reading that lies open, in words: ``RED NE``."""
        assert self.view.proposal is not None, f"nothing is proposed in {self.phase}"
        return str(self.view.proposal.what)

    @property
    def counts(self) -> tuple[int, int]:
        """What each side has in, as confirmed."""
        first, second = self.view.sides
        return first.pocketed, second.pocketed

    @property
    def owed(self) -> tuple[int, int]:
        """What each side owes."""
        first, second = self.view.sides
        return first.owed, second.owed

    @property
    def shooter(self) -> str | None:
        """Whose stroke it is."""
        seat = self.view.shooter
        return seat.value if seat else None

    # whole steps, as people take them

    def calm(self) -> Self:
        """Wait until no press can be taken for an echo of the one before."""
        return self.wait(3.1)

    def started(self, by: str = "N") -> Self:
        """Start the match, and wait until presses count again."""
        self.must_be(Phase.SETUP).ok(by).calm()
        return self.must_be(Phase.READY)

    def must_be(self, phase: Phase) -> Self:
        """Fail where the talk stands elsewhere."""
        assert self.phase is phase, f"expected {phase}, found {self.phase}: {self.view.headline}"
        return self

    def miss(self, by: str = "referee") -> Self:
        """Say that the stroke is over and nothing fell."""
        return self.must_be(Phase.READY).ok(by).calm()

    def review(self, *pockets: str) -> Self:
        """Let pieces fall and wait until they lie in review."""
        return self.falls_in(*pockets).wait(1.6).must_be(Phase.REVIEW)

    def choose(self, what: str, by: str = "referee") -> Self:
        """Press FIX until this reading is shown."""
        for _ in range(12):
            if self.proposed == what:
                return self
            self.fix(by)
        shown = [str(each.what) for each in self.view.readings]
        raise AssertionError(f"{what!r} is not among the readings {shown}")

    def shot(self, what: str, *pockets: str, by: str = "referee") -> Self:
        """Let pieces fall, find the reading, confirm it, put back what is to be put back."""
        self.review(*pockets).choose(what, by).wait(0.5)
        if self.view.proposal and self.view.proposal.ends_board:
            self.hold(by, "ok").calm()
        else:
            self.ok(by).calm()
        if self.phase is Phase.PLACING:
            self.ok(by).calm()
        return self

    def pick(self, label: str, by: str = "referee", *, held: bool = False) -> Self:
        """Go to an item of the open list by FIX, and do it by OK."""
        for _ in range(60):
            if self.item.startswith(label):
                self.wait(1.0)
                return self.hold(by, "ok") if held else self.ok(by)
            self.fix(by).wait(0.05)
        raise AssertionError(f"{label!r} is not in the list {self.items}")

    @property
    def items(self) -> list[str]:
        """The list that is open."""
        assert self.view.menu is not None, "no list is open"
        return [str(each) for each in self.view.menu.items]

    @property
    def item(self) -> str:
        """The item of the open list that OK would do."""
        assert self.view.menu is not None, "no list is open"
        return self.items[self.view.menu.chosen]
