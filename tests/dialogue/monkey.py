"""A monkey at the table: it knows the wires, but not what they mean.

It sets levels on pins, as fingers, pieces, sleeves and plugs do, on any board that can be
built: any rule system with any options and handicaps, two to four seats, any box of buttons,
any ``confirm``. After each thing it does, whatever it was, four things must hold:

- nothing is raised, and what is shown can be shown;
- some series of at most six presses leads back to play;
- a power cut now would bring back the same dialogue;
- the match record of the lines that count is scored to the same state.

Everything is drawn from the seed, so a seed is a test case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import partial
from itertools import chain, combinations, product
from random import Random
from typing import Any

from msgspec import Struct

from jackspot.core.clock import SECOND_NS
from jackspot.core.directives import Entry
from jackspot.core.match import MatchState
from jackspot.core.order import Begins, MatchOrder
from jackspot.core.phrases import Phrase
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.record import read_record, write_record
from jackspot.core.rules import RULES
from jackspot.core.settings import MatchSettings
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.show.queue_view import queued
from jackspot.dialogue.state.controls import whole_places
from jackspot.dialogue.state.dialogue_settings import Assistance, Confirm, DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch, StateKey
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import Phase
from jackspot.readings.shots import ShotModel
from jackspot.sensing.events import (
    Button,
    DeskComes,
    DeskTold,
    DiscPeak,
    DiscsListen,
    GongTold,
    HallPlace,
    IdentifyTold,
    Key,
    KnockHeard,
    NoticeTold,
    OrderTold,
    Place,
    PlaceTold,
)
from jackspot.sensing.limits import SECOND
from jackspot.sensing.signals import Source
from jackspot.values import changed
from tests.core.play import draw_settings
from tests.dialogue.dialogue_checks import (
    Seen,
    check_all,
    watch_the_evidence,
    watch_the_question,
    watch_what_enters_itself,
    watch_what_is_entered,
)
from tests.dialogue.playing import Table

WAY_OUT = 6
"""At most this many presses settle what is open; then play goes on, or the next thing opens."""

MOST_TRIED = (12, 100)
"""How many states are followed at once on the way out; the second only if the first finds none."""

AT_REST = frozenset({Phase.SETUP, Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER})
PAUSES_S = (0.02, 0.1, 0.3, 0.5, 0.9, 1.3, 1.7, 3.2, 3.2, 3.2, 6.5, 11.0, 21.0, 45.0, 130.0)
WIDTHS_MS = (1.0, 3.0, 8.0, 9.0, 11.0, 14.0, 30.0, 45.0, 90.0, 700.0, 2500.0)
FALLS_MS = (8.0, 9.0, 10.0, 10.0, 13.0, 14.0, 40.0, 400.0)
FELT = (6_000, 2_500, 1_400, 2_500)
"""The peaks of a shot at the discs, clockwise from its own side."""
BOXES: tuple[tuple[Key, ...], ...] = (
    tuple(Key),
    (Key.OK, Key.FIX),
    (Key.OK, Key.UNDO),
    (Key.OK, Key.FIX, Key.UNDO),
    (Key.OK, Key.FIX, Key.FOUL),
    (Key.FOUL, Key.OFF, Key.UNDO),
    (Key.OK,),
    (),
)
EVERY_BOX: tuple[tuple[Key, ...], ...] = tuple(
    keys for some in range(len(Key) + 1) for keys in combinations(Key, some)
)
SEAT_BOXES: tuple[tuple[Key, ...], ...] = (
    (Key.OK, Key.FIX),
    (Key.OK, Key.FIX),
    (Key.OK, Key.UNDO),
    (Key.OK,),
    (Key.FIX,),
    (),
)


class Stuck(AssertionError):
    """No short series of presses leads out of the board's state."""


class Played(Struct, frozen=True):
    """The outcome of one match: how much was done, entered and cut, and what it reached."""

    seed: int
    steps: int
    entered: int
    boards: int
    cuts: int
    longest_way_out: int
    alone: int
    phases: frozenset[Phase]
    lists: frozenset[MenuKind]


class Monkey:
    """One match of a monkey; ``checks_each`` is the number of steps between whole checks.

    ``boxes`` are the possible referee's boxes; with ``in_hall``, orders come at any time.
    ``hands`` is how much enters itself on a board with discs, where people mostly shoot; None
    means any board.
    """

    def __init__(
        self,
        seed: int,
        *,
        checks_each: int = 1,
        boxes: Sequence[tuple[Key, ...]] = BOXES,
        in_hall: bool = False,
        hands: Assistance | None = None,
    ) -> None:
        self.seed = seed
        self._hands = hands
        self._boxes = boxes
        self._random = Random(f"monkey {seed}")
        self._knocks = Random(f"knocks {seed}")
        self._gongs = Random(f"gongs {seed}")
        self._discs = self._knocks.choice(((), (), tuple(Seat), tuple(Seat)[:2]))
        if hands is not None:
            self._discs = tuple(Seat)
        self._checks_each = checks_each
        self._in_hall = in_hall
        self.table = self._sit_down()
        self.cuts = self.entered = self.longest = 0
        self._phases: set[Phase] = set()
        self._lists: set[MenuKind] = set()
        self._down: set[Source] = set()
        self._known: set[tuple[StateKey, frozenset[Source]]] = set()
        self._scored: tuple[Sequence[Line], MatchState] | None = None
        self.done: list[str] = []

    # the board

    def _sit_down(self) -> Table:
        """Draw a board that can be built, and agree a drawn match on it."""
        random = self._random
        settings = draw_settings(random, random.choice(list(RULES)))
        wired = self._wires(settings)
        page = not whole_places(each for each in wired if isinstance(each, Button))
        dialogue_settings = DialogueSettings(
            confirm=random.choice(list(Confirm)),
            unanswered_ns=random.choice((30, 180)) * SECOND_NS,
            attract_ns=random.choice((0, 20, 120)) * SECOND_NS,
            abandoned_ns=random.choice((40, 600)) * SECOND_NS,
            free_rest=random.random() < 0.1,
            people=("Aiko", "Ben", "Chiyo"),
            has_referees_page=True,
            has_hotspot=True,
            **{"auto_confirm": random.choice((0.0, 0.0, 0.6, 0.95)), **self._assistance()},
        )
        table = Table(
            dialogue_settings=dialogue_settings, wired=wired, page=page or random.random() < 0.3
        )
        plan = Plan(_header(settings), settings.seats, settings.seats[0], random.random() < 0.2)
        table.plan = plan
        table.start(())
        if self._discs:
            table.hear(DiscsListen(table.now_ns, self._discs))
        table.watchers += [
            watch_the_question, watch_what_is_entered, watch_what_enters_itself,
            watch_the_evidence(table), Seen().watch, self._note_the_list,
        ]  # fmt: skip
        return table

    def _assistance(self) -> dict[str, Any]:
        """Draw what enters itself, and how sure that must be, on a board that has discs."""
        if not self._discs:
            return {}
        sure = self._knocks.choice((0.0, 0.3, 0.6))
        return {
            "hands": self._hands or self._knocks.choice(list(Assistance)), "auto_confirm": sure,
            "shots": ShotModel(),
        }  # fmt: skip

    def _note_the_list(
        self, _before: DialogueState, _event: DialogueEvent, after: DialogueState
    ) -> None:
        if after.menu is not None:
            self._lists.add(after.menu.kind)

    def _wires(self, settings: MatchSettings) -> list[Source]:
        random = self._random
        wired: list[Source] = list(Pocket)
        for seat in settings.seats:
            wired += [Button(Place(seat.value), key) for key in random.choice(SEAT_BOXES)]
        wired += [Button(Place.REFEREE, key) for key in random.choice(self._boxes)]
        return wired

    # what it does

    def play(self, steps: int) -> Played:
        """Take this many steps, checking along the way and at the end; return the outcome."""
        for number in range(steps):
            self._act()
            self._phases.add(self.table.phase)
            self.table.view  # noqa: B018  what is shown can be shown
            if number % self._checks_each == 0:
                self.check()
        self.check()
        return self._report(steps)

    def _act(self) -> None:
        acts: tuple[tuple[Callable[[], None], int], ...] = (
            (self._press, 30), (self._press_on, 12), (self._a_stroke, 18), (self._level, 4),
            (self._hold, 8), (self._two_at_once, 4), (self._walk_a_list, 9), (self._wait, 12),
            (self._cut, 3), (self._hear_the_hall, 8 if self._in_hall else 0),
            (self._knock, 25 if self._discs else 0),
            (self._shoot, 60 if self._hands is not None else 0),
        )  # fmt: skip
        weights = [weight for _act, weight in acts]
        act = self._random.choices([each for each, _weight in acts], weights)[0]
        self.done.append(act.__name__)
        act()

    def _buttons(self) -> list[tuple[str, str]]:
        listed = self.table.dialogue_settings.buttons
        return sorted((each.place.value, each.key.value) for each in listed)

    def _button(self) -> tuple[str, str]:
        likely = [each for each in self._buttons() if each[1] == "ok"]
        return self._random.choice(likely if likely and self._random.random() < 0.4
                                   else self._buttons())  # fmt: skip

    def _press(self) -> None:
        button = self._button()
        self.done[-1] += f" {button}"
        self.table.press(*button)
        self._wait()

    def _press_on(self) -> None:
        """Press the same button again and again, as fast as fingers can or slower."""
        button, pause_s = self._button(), self._random.choice((0.15, 0.4, 0.9))
        self.done[-1] += f" {button}"
        for _ in range(self._random.randint(2, 6)):
            self.table.press(*button).wait(pause_s)

    def _hold(self) -> None:
        button = self._button()
        self.done[-1] += f" {button}"
        self.table.hold(*button, self._random.choice((0.7, 1.1, 1.1, 1.1, 4.0)))
        self._wait()

    def _two_at_once(self) -> None:
        one, other = self._button(), self._button()
        self.done[-1] += f" {one} {other}"
        if one == other:
            return
        table, gap_s = self.table.down(*one), self._random.choice((0.01, 0.05, 0.4))
        table.wait(gap_s).down(*other).wait(self._random.choice((0.06, 1.2)))
        table.up(*one).up(*other)

    def _walk_a_list(self) -> None:
        """Open the list of a place, go down some lines and do one; perhaps go deeper."""
        places = [p for p, key in self._buttons() if key == "fix" and (p, "ok") in self._buttons()]
        if not places:
            return
        place = self._random.choice(places)
        self.done[-1] += f" {place}"
        self.table.wait(3.2).hold(place, "fix").wait(0.5)
        for _ in range(self._random.randint(1, 4)):
            for _ in range(self._random.randint(0, 12)):
                self.table.press(place, "fix").wait(0.05)
            self.table.wait(1.0)
            held = self._random.random() < 0.3
            (self.table.hold if held else self.table.press)(place, "ok")
            self.table.wait(1.0)

    def _a_stroke(self) -> None:
        """Let pieces fall as in a stroke, settled or not, seen or not."""
        random = self._random
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            self.table.fall(random.choice(list(Pocket)).value, random.choice(WIDTHS_MS))
            self.table.wait(random.choice((0.004, 0.05, 0.3, 0.3, 0.9)))
        if random.random() < 0.8:
            self.table.wait(1.7)
            place, _ = self._button()
            for _ in range(random.choice((0, 0, 1, 2))):
                if (place, "fix") in self._buttons():
                    self.table.press(place, "fix").wait(0.3)
            self.table.wait(0.6)
            if (place, "ok") in self._buttons():
                (self.table.hold if random.random() < 0.3 else self.table.press)(place, "ok")
            self.table.wait(random.choice((0.2, 1.0, 3.2)))

    def _level(self) -> None:
        """Set one wire to a level, and leave it there for a while or for good."""
        wire = self._random.choice(list(self.table.wires))
        active = wire not in self._down
        (self._down.add if active else self._down.discard)(wire)
        self.done[-1] += f" {wire} {active}"
        self.table.edge(wire, active)
        self._wait()

    def _wait(self) -> None:
        self.table.wait(self._random.choice(PAUSES_S))

    def _knock(self) -> None:
        """Shake the board from a side once or several times; perhaps let it come to rest."""
        loud, knocks = 2 ** self._knocks.uniform(8, 14), self._knocks.choice((1, 1, 3, 5))
        shares = [self._knocks.choice((1.0, 0.4, 0.2)) for _ in Seat]
        for number in range(knocks):
            peaks = tuple(DiscPeak(round(loud * each / (number + 1)), 0) for each in shares)
            self.table.hear(KnockHeard(self.table.now_ns, peaks))
            self.table.wait(0.3)
        self.table.wait(self._knocks.choice((0.5, 1.5, 4.0)))

    def _shoot(self) -> None:
        """Let a seat shoot, mostly the one to shoot; something may fall, and somebody may press."""
        random, table = self._knocks, self.table
        table.wait(random.choice((0.5, 2.0, 5.0, 8.0, 12.0)))
        side = table.view.shooter if random.random() < 0.85 else random.choice(list(Seat))
        at = list(Seat).index(side or Seat.N)
        falls = random.choice((0, 0, 1, 1, 2))
        for number in range(random.choice((1, 3, 4, 6))):
            peaks = tuple(DiscPeak(FELT[(n - at) % 4] >> number, 0) for n in range(len(Seat)))
            table.hear(KnockHeard(table.now_ns, peaks)).wait(random.choice((0.2, 0.4, 0.9)))
            if falls and random.random() < 0.5:
                falls -= 1
                table.fall(random.choice(list(Pocket)).value, random.choice(FALLS_MS))
        table.wait(random.choice((0.3, 1.3, 1.6, 2.0, 3.0)))
        for _ in range(random.choice((0, 0, 1, 2))):
            table.press(*self._button()).wait(random.choice((0.1, 0.5, 1.0, 3.0)))

    def _cut(self) -> None:
        """Cut the power; whatever was held down is released meanwhile."""
        self.cuts += 1
        self._down.clear()
        self.table.restart(reboot=self._random.random() < 0.5).wait(0.5)
        if self._discs:
            self.table.hear(DiscsListen(self.table.now_ns, self._discs))

    def _hear_the_hall(self) -> None:
        """Let the hall order a match of any system, withdraw it, announce something, or be away."""
        random, now_ns = self._random, self.table.now_ns
        if self._gongs.random() < 0.3:
            gong_ns = now_ns + self._gongs.randrange(-SECOND_NS, 8 * SECOND_NS)
            self.table.give(GongTold(now_ns, gong_ns))
        if random.random() < 0.3:
            self.table.give(DeskTold(now_ns, random.random() < 0.5, random.randrange(3)))
        elif random.random() < 0.2:
            self.table.give(OrderTold(now_ns, None))
        elif random.random() < 0.3:
            self.table.give(DeskComes(now_ns))
            number, left = random.choice((None, 1, 999)), random.random() < 0.2
            hall = random.choice(("", "hikone", "hikone"))
            self.table.give(PlaceTold(now_ns, HallPlace(hall, number, left and hall != "")))
        elif random.random() < 0.4:
            until_ns = now_ns + random.randrange(-SECOND_NS, 60 * SECOND_NS)
            text = random.choice((None, Phrase("lunch")))
            self.table.give(
                random.choice(
                    (
                        NoticeTold(now_ns, text, until_ns, own=random.random() < 0.5),
                        IdentifyTold(now_ns, random.randrange(1, 1_000), until_ns),
                    )
                )
            )
        else:
            settings = draw_settings(random, random.choice(list(RULES)))
            begins = random.choice(list(Begins))
            self.table.give(OrderTold(now_ns, MatchOrder(random.randrange(4), settings, begins)))
        self._wait()

    # what must hold

    def check(self) -> None:
        """Check all that must hold now; wires held down are released for the way out.

        Once in each state, waiting strokes are read again and a way out is sought: a waiting
        reading is remembered until the state changes, and a way out begins with a wait.
        """
        back = check_all(self.table)
        self._the_record_scores_the_same()
        state = (StateKey(self.table.dialogue), frozenset(self._down))
        if state not in self._known:
            self._known.add(state)
            self._what_waits_reads_the_same_after_a_power_cut(back)
            self.longest = max(self.longest, self.presses_out())

    def _the_record_scores_the_same(self) -> None:
        game = self.table.dialogue.game
        if game is None:
            return
        scored = (game.lines, game.match.state)
        if self._scored and all(a is b for a, b in zip(scored, self._scored, strict=True)):
            return
        self._scored = scored
        read = read_record(write_record(game.match.settings, self._entries()))
        assert plain(read.match.state) == plain(game.match.state)
        self.entered = max(self.entered, len(game.lines))

    def _what_waits_reads_the_same_after_a_power_cut(self, back: DialogueState) -> None:
        table = self.table
        waits = table.dialogue
        if not (waits.assumed or waits.kept or waits.parked or waits.waiting):
            assert not table.view.queue
            return  # it has just been checked that none of these comes back
        now = changed(back.timing, now_ns=table.now_ns)
        back = changed(back, faults=waits.faults, timing=now)  # a blocked beam is reported again
        shown = [str(each.what) for each in queued(back)] if isinstance(back, InMatch) else []
        assert shown == [str(each.what) for each in table.view.queue]

    def _entries(self) -> tuple[Entry, ...]:
        assert self.table.dialogue.game is not None
        return tuple(entry for line in self.table.dialogue.game.lines for entry in line.entries)

    def presses_out(self) -> int:
        """Count the presses back to play on the first way found; the likeliest are tried first."""
        start = self._let_go(copy(self.table))
        if _plays(start.dialogue):
            return 0
        return self._straight_out(start) or self._found_out(start)

    def _straight_out(self, start: Table) -> int | None:
        """Try what anybody tries first, at the place that opened the list, then at the others.

        Places that always count come first. A press that changed nothing would change nothing if
        repeated.
        """
        opener = start.dialogue.menu.opener if start.dialogue.menu is not None else None
        places = whole_places(start.dialogue_settings.buttons)
        for place in sorted(places, key=lambda p: (p is not opener, p.seat is not None, str(p))):
            for way in self._ways(start, place):
                tried = _another(start)
                for presses, act in enumerate(way, 1):
                    before = StateKey(tried.dialogue)
                    act(tried)
                    if _leads_on(start.dialogue, tried.wait(7.0).dialogue):
                        return presses
                    if StateKey(tried.dialogue) == before:
                        break
        return None

    def _ways(self, start: Table, place: Place) -> Iterator[Sequence[Callable[[Table], object]]]:
        """Close what is open, then press OK, hold OK, or UNDO; FIX leaves out the impossible."""
        closes = partial(_close, place=place)
        has_fix = Button(place, Key.FIX) in start.dialogue_settings.buttons
        firsts = product(
            ([closes], []) if start.dialogue.menu is not None else ([],),
            ([], [lambda table: table.press(place.value, "fix")]) if has_fix else ([],),
        )
        for first in firsts:
            begins = list(chain(*first))
            for act in (Table.press, Table.hold):
                oks = [lambda table, act=act: act(table, place.value, "ok")] * WAY_OUT
                yield [*begins, *oks][:WAY_OUT]
        yield [lambda table: self._take_back(table, place)] * WAY_OUT

    def _take_back(self, table: Table, place: Place) -> None:
        """Press UNDO, or both buttons at a place that has no UNDO."""
        if (place.value, "undo") in self._buttons():
            table.press(place.value, "undo")
        else:
            table.chord(place.value)

    def _found_out(self, start: Table) -> int:
        """Search for a way out where there is no straight one."""
        for most in MOST_TRIED:
            presses = self._searched(start, most)
            if presses is not None:
                return presses
        listed = start.dialogue.menu and start.dialogue.menu.kind
        raise Stuck(f"seed {self.seed}: no way out of {start.phase}, list {listed}")

    def _searched(self, start: Table, most: int) -> int | None:
        """Follow at most ``most`` states at once, those that look nearest to play first."""
        reached = [start]
        known = {StateKey(start.dialogue)}
        for presses in range(WAY_OUT):
            further: list[Table] = []
            for each in reached:
                for tried in self._tries(each):
                    if _leads_on(start.dialogue, tried.dialogue):
                        return presses + 1
                    if StateKey(tried.dialogue) not in known:
                        known.add(StateKey(tried.dialogue))
                        further.append(tried)
            reached = sorted(further, key=_far_from_play)[:most]
        return None

    def _let_go(self, table: Table) -> Table:
        table.records, table.sounds, table.watchers = [], [], []
        for wire in self._down:
            table.edge(wire, False)
        return table.wait(12.0)

    def _tries(self, table: Table) -> Iterator[Table]:
        """Try what a finger can do at one of the places where everything can be said."""
        whole = sorted(whole_places(table.dialogue_settings.buttons), key=str)
        keys = {(place.value, key) for place in whole for key in ("ok", "undo", "fix")}
        likeliest = [("oufix".index(key[0]), place, key) for place, key in keys]
        listed = [each[1:] for each in sorted(likeliest) if each[1:] in self._buttons()]
        for place, key in listed:
            for act in (Table.hold, Table.press):
                tried = _another(table)
                act(tried, place, key)
                yield tried.wait(7.0)
        for place in whole:
            if (place.value, "undo") not in keys & set(self._buttons()):
                yield _another(table).chord(place.value).wait(7.0)

    def _report(self, steps: int) -> Played:
        game = self.table.dialogue.game
        boards = len(game.match.state.boards) if game else 0
        written = (each.body for each in self.table.records if each.kind == EntryKind.LINE)
        alone = sum(each["by"] is None and each["probability"] is not None for each in written)
        return Played(self.seed, steps, self.entered, boards, self.cuts, self.longest, alone,
                      frozenset(self._phases), frozenset(self._lists))  # fmt: skip


def _plays(dialogue: DialogueState) -> bool:
    """Return whether a stroke can be played and entered now: no list, no question, no review."""
    return dialogue.phase in AT_REST and dialogue.menu is None and dialogue.attract is None


def _another(table: Table) -> Table:
    """Return the same board once more, to try something on."""
    other = copy(table)
    other.records, other.sounds, other.watchers = [], [], []
    return other


def _close(table: Table, place: Place) -> None:
    """Close the open list from a place: hold FIX, or press UNDO."""
    fixes = Button(place, Key.FIX) in table.dialogue_settings.buttons
    table.hold(place.value, "fix") if fixes else table.press(place.value, "undo")


def _open_things(dialogue: DialogueState) -> int:
    """Count the things that wait to be settled; each further question is one more."""
    later = len(dialogue.kept.lines) if dialogue.kept is not None else 0
    back = len(dialogue.game.undone) if dialogue.game is not None else 0
    return len(dialogue.waiting) + len(dialogue.parked) + later + back


def _far_from_play(table: Table) -> tuple[int, int, int]:
    """Return how far from play a board looks to a monkey that only sees whether a list is open."""
    dialogue = table.dialogue
    lines = len(dialogue.game.lines) if dialogue.game is not None else 0
    return (dialogue.menu is not None, dialogue.phase not in AT_REST, -lines)


def _leads_on(start: DialogueState, end: DialogueState) -> bool:
    """Return whether play can go on or one of the waiting things is settled."""
    return _plays(end) or _open_things(end) < _open_things(start)


def plain(state: MatchState) -> tuple[object, ...]:
    """Return what a record says about a match, for comparison."""
    position = state.position
    return (
        state.board, state.next, position.counts, position.red, state.points,
        state.boards_won, state.result, state.over, state.winner,
    )  # fmt: skip


def _header(settings: MatchSettings) -> dict[str, object]:
    """Return what was agreed, as set-up proposes it; set-up itself adds who sits where."""
    from tomllib import loads

    from jackspot.core.header import write_header

    return {key: each for key, each in loads(write_header(settings)).items() if key != "seats"}


__all__ = ["EVERY_BOX", "SECOND", "WAY_OUT", "Monkey", "Played", "Stuck"]
