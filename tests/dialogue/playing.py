"""A board without wires: edges in, views out, on virtual time.

This is the whole pure chain as the board's loop drives it. Edges become signals and pulses
become falls; all of it goes to the scorekeeper, which is woken whenever it asked to be. Methods
use a player's words, so that a test reads like the sentence it checks::

    table = Table()
    table.ok("N")                 # N won rock-paper-scissors: the match starts
    table.fall("NE").wait(2.0)    # something fell, and the pockets were quiet
    table.ok("referee")           # the reading shown is confirmed
    assert table.phase is Phase.READY
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, Self

from msgspec import Struct

from jackspot.core.order import Begins, MatchOrder
from jackspot.core.record import read_record, write_record
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.entries import EntryKind, JournalEntry, check
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import Button, FaultCleared, FaultRaised, Key, Place
from jackspot.sensing.limits import SECOND
from jackspot.sensing.signals import Source
from jackspot.values import changed
from jackspot_sim.boards.chain import BOX_KEYS, SEAT_KEYS, Chain, plan_of, wires

__all__ = ["BOX_KEYS", "SEAT_KEYS", "Kept", "Table", "kept", "order", "wires"]


class Kept(Struct, frozen=True):
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


ORDERED = """\
# jackspot record 1
rules = "hikone"
seats = ["{seats}"]
round = "quarter-final"
[names]
{first} = "Aiko"
{second} = "Ben"
[options]
time_limit_s = 300
best_of = {boards}
---
"""


def order(
    number: int = 17, seats: str = "NS", begins: Begins = Begins.PLAYERS, *, lines: str = "",
    used_ns: int | None = None,
) -> MatchOrder:  # fmt: skip
    """Return a hall's order of a match between Aiko and Ben; with ``lines`` it began elsewhere."""
    text = (
        ORDERED.format(
            seats='", "'.join(seats), first=seats[0], second=seats[1], boards=3 if lines else 1
        )
        + lines
    )
    match = read_record(text).match
    entries = tuple(step.entry for step in match.steps)
    return MatchOrder(number, match.settings, begins, entries, used_ns)


class Table(Chain):
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
        rules: str = "hikone",
        dialogue_settings: DialogueSettings | None = None,
        armed: bool = False,
        start_ns: int = 1_000 * SECOND,
        wired: Iterable[Source] | None = None,
        page: bool = True,
    ) -> None:
        listed = wires(seats, box=box, fix=fix) if wired is None else list(wired)
        buttons = {each for each in listed if isinstance(each, Button)}
        if page:
            buttons |= {Button(Place.PAGE, key) for key in Key}
        places = frozenset(each.place for each in buttons)
        known = changed(
            dialogue_settings or DialogueSettings(), places=places, buttons=frozenset(buttons)
        )
        self.records: list[Kept] = []
        self.sounds: list[Sound] = []
        plan = changed(plan_of(lineup, options, handicap, rules), armed=armed)
        super().__init__(listed, known, plan, start_ns)

    # what goes in and comes out

    def noted(self, entry: JournalEntry) -> None:
        """Keep what the board writes down."""
        self.records.append(kept(entry))

    def heard(self, sound: Sound) -> None:
        """Keep the sounds that the board makes."""
        self.sounds.append(sound)

    def ok(self, place: str) -> Self:
        """Press OK."""
        return self.press(place, "ok")

    def fix(self, place: str, times: int = 1) -> Self:
        """Press FIX this many times."""
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
        return super().undo(place)

    def falls_in(self, *pockets: str) -> Self:
        """Let something fall into each of these pockets, a quarter of a second apart."""
        for pocket in pockets:
            self.fall(pocket).wait(0.25)
        return self

    def fault(self, event: FaultRaised | FaultCleared) -> Self:
        """Raise a fault, or clear it."""
        return self.give(event)

    def restart(self, off_s: float = 20.0, *, reboot: bool = True) -> Self:
        """Cut the power: only what was written down is left, and time starts again."""
        self.now_ns = SECOND if reboot else self.now_ns + round(off_s * SECOND)
        self.start(self.records)
        assert not self.troubles, self.troubles
        return self

    def another(self) -> Self:
        """Return the same board once more, with what it has written down and heard so far."""
        assert self.idle, "what is laid in wait would be shared"
        other = copy(self)
        other.records, other.sounds = [*self.records], [*self.sounds]
        other.watchers = [*self.watchers]
        return other

    # what is there

    @property
    def in_match(self) -> InMatch:
        """The dialogue of the match on the board; there must be one."""
        assert isinstance(self.dialogue, InMatch)
        return self.dialogue

    @property
    def game(self) -> Game:
        """The match on the board."""
        assert self.dialogue.game is not None, "no match is on the board"
        return self.dialogue.game

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
        """The kinds of the entries written down, without the first ``since``."""
        return [each.kind for each in self.records[since:]]

    def last(self, kind: EntryKind) -> Mapping[str, Any]:
        """The newest entry of a kind."""
        return next(each.body for each in reversed(self.records) if each.kind == kind)

    @property
    def proposed(self) -> str:
        """The open reading, in words: ``RED NE``."""
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
        """Fail if the dialogue is in another phase."""
        assert self.phase is phase, f"expected {phase}, found {self.phase}: {self.view.headline}"
        return self

    def miss(self, by: str = "referee") -> Self:
        """Say that the stroke is over and nothing fell."""
        return self.must_be(Phase.READY).ok(by).calm()

    def review(self, *pockets: str) -> Self:
        """Let pieces fall and wait until they are in review."""
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
        """Let pieces fall, find the reading, confirm it, and put back what has to go back.

        If a break is due, a striker alone has made it.
        """
        self.review(*pockets).choose(what, by).wait(0.5)
        if self.view.proposal and self.view.proposal.ends_board:
            self.hold(by, "ok").calm()
        else:
            self.ok(by).calm()
        if self.dialogue.menu is not None and self.dialogue.menu.kind is MenuKind.TOUCHED:
            self.ok(by).calm()
        if self.phase is Phase.PLACING:
            self.ok(by).calm()
        return self

    def pick(self, label: str, by: str = "referee", *, held: bool = False) -> Self:
        """Go to an item of the open list with FIX, and do it with OK."""
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

    def lines_of(self, piece: int) -> list[str]:
        """Return the lines of a piece in editing: its kind, its place, its removal."""
        return [each for each in self.items if each.startswith(f"piece {piece}: ")]

    @property
    def item(self) -> str:
        """The item of the open list that OK would do."""
        assert self.view.menu is not None, "no list is open"
        return self.items[self.view.menu.chosen]
