"""The board's one loop: what it shows at once, what wakes it, faults that come and go."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from jackspot.assembly import KINDS
from jackspot.board import DISK_RETRY_NS, SETTLE_AFTER_NS, SETTLE_BY_NS, Board, BoardParts
from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Pocket, Seat
from jackspot.dialogue.phases.scorekeeper import SEEN_WITH_AN_ENTRY
from jackspot.dialogue.proposals.hands import MOST_HANDS
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.dialogue.state.listener import EventListener
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.dialogue.words.stick_words import SHOWN_NS, stick_notice
from jackspot.inputs.crowding import lost_edges
from jackspot.inputs.edges import FIRST_LOOK_NS
from jackspot.inputs.queue import SourceClosed, overflow
from jackspot.ops.watchdog import Watchdog
from jackspot.sensing.colours import LATE_NS
from jackspot.sensing.events import (
    Button,
    ColourSeen,
    Edge,
    Event,
    FaultCleared,
    FaultRaised,
    Gesture,
    Key,
    Place,
    Press,
    Stick,
    StickTold,
    Tick,
    Trouble,
)
from jackspot.sensing.limits import MS
from jackspot.sensor_link.protocol.hearing import PART as SENSOR_HUB
from jackspot.storage import database
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.high_water import read_mark
from jackspot.storage.journal import read_checked
from jackspot.storage.keeper import PART, Keeper
from jackspot.storage.recovery import open_or_recover
from jackspot.storage.wall_clock import SystemWall

OK, FIX, UNDO = (Button(Place.REFEREE, key) for key in (Key.OK, Key.FIX, Key.UNDO))


class Hands:
    """An event source whose time is set by hand, and inputs that are still."""

    is_real_time = False
    at_ns = 1_000 * SECOND_NS

    def submit(self, event: Event) -> None:
        raise AssertionError(f"nothing is submitted here: {event}")

    def next(self, deadline_ns: int | None) -> Event | None:
        raise AssertionError(f"events are handed over one by one, not waited for: {deadline_ns}")

    def now_ns(self) -> int:
        return self.at_ns

    def start(self) -> Collection[Pocket | Button]:
        return ()

    def look(self, now_ns: int) -> int | None:
        """See nothing amiss."""

    def close(self) -> None:
        """Nothing to close."""


class Seen:
    """A display that remembers its views."""

    name = "seen"

    def __init__(self) -> None:
        self.views: list[BoardView] = []

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        self.views.append(view)

    def post_sound(self, sound: Sound) -> None:
        """Hear nothing."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        del timeout_s
        return True


class Written(EventListener):
    """A listener that keeps what was written down."""

    def __init__(self) -> None:
        self.kinds: list[EntryKind] = []

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        self.kinds += [entry.kind for entry in entries]


class Driven:
    """A board that is handed its events, with time set by hand."""

    def __init__(
        self,
        journal: Path,
        *listeners: EventListener,
        hands: Hands | None = None,
        settings: DialogueSettings | None = None,
    ) -> None:
        self.hands, self.seen, self.written = hands or Hands(), Seen(), Written()
        self.keeper = Keeper(journal, KINDS, SystemWall())
        wires = (Pocket.NE, Pocket.SW, OK)
        parts = BoardParts(
            self.hands, self.hands, self.keeper, Watchdog({}), wires,
            listeners=(self.written, *listeners),
            dialogue_settings=settings or DialogueSettings(),
        )  # fmt: skip
        self.board = Board(parts, [self.seen])
        self.board.start()

    @property
    def view(self) -> BoardView:
        return self.seen.views[-1]

    def take(self, make: Callable[[int], Event], after_ns: int = 0) -> None:
        """Let time pass, then let something happen."""
        self.hands.at_ns += after_ns
        self.board.take(make(self.hands.at_ns))

    def wait(self, after_ns: int) -> None:
        """Let time pass and wake the board."""
        self.take(Tick, after_ns)

    def press(self, button: Button = OK, gesture: Gesture = Gesture.SHORT) -> None:
        """Press a button, some seconds after anything else."""
        self.take(lambda at_ns: Press(at_ns, at_ns, button, gesture), 5 * SECOND_NS)

    @contextmanager
    def hanging_disk(self, for_ns: int) -> Iterator[None]:
        """Let each write to the journal take as long as that."""
        append = self.keeper.append

        def slow(records: Sequence[JournalEntry], *, forced: bool = True) -> Any:
            self.hands.at_ns += for_ns if records else 0
            return append(records, forced=forced)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.keeper, "append", slow)
            yield

    def pick(self, label: str, gesture: Gesture = Gesture.SHORT) -> None:
        """Go to an item of the open list, and select it."""
        for _ in range(20):
            assert self.view.menu is not None
            if str(self.view.menu.items[self.view.menu.chosen]) == label:
                return self.press(OK, gesture)
            self.press(FIX)
        raise AssertionError(f"{label} is not in {self.view.menu}")

    def close(self) -> None:
        self.board.stop()

    def troubles(self) -> set[Trouble]:
        return {fault.trouble for fault in self.view.faults}


@pytest.fixture
def driven(tmp_path: Path) -> Iterator[Driven]:
    with closing(Driven(tmp_path / "journal.sqlite3")) as board:
        yield board


def beam(pocket: Pocket, *, active: bool) -> Callable[[int], Event]:
    return lambda at_ns: Edge(at_ns, pocket, active=active)


def test_a_pocket_is_lit_as_soon_as_its_beam_is_surely_broken(driven: Driven) -> None:
    driven.press()
    before = driven.view
    assert before.phase is Phase.READY
    driven.take(beam(Pocket.NE, active=True))
    driven.wait(2 * MS - 1)
    assert driven.view is before, "it may still be noise"
    driven.wait(1)
    assert driven.view.lit == (Pocket.NE,)
    assert (driven.view.phase, driven.view.ok) == (Phase.READY, before.ok)
    driven.take(beam(Pocket.NE, active=False), 9 * MS)
    driven.wait(20 * MS)
    assert (driven.view.phase, driven.view.lit) == (Phase.FALLING, (Pocket.NE,))


@pytest.mark.parametrize("falling", [False, True])
def test_a_spike_whose_end_comes_late_leaves_no_pocket_lit(driven: Driven, falling: bool) -> None:
    """The tick after 2 ms came before the edge that was stamped just before it."""
    driven.press()
    driven.wait(5 * SECOND_NS)
    if falling:
        driven.take(beam(Pocket.SW, active=True))
        driven.take(beam(Pocket.SW, active=False), 11 * MS)
    driven.take(beam(Pocket.NE, active=True))
    driven.wait(2 * MS)
    assert Pocket.NE in driven.view.lit
    driven.take(lambda at_ns: Edge(at_ns - 300_000, Pocket.NE, active=False), 200_000)
    assert Pocket.NE not in driven.view.lit
    if falling:
        driven.wait(driven.board.dialogue.settings.settle_ns)
        assert driven.view.phase is Phase.REVIEW
    else:
        driven.press()
        assert EntryKind.LINE in driven.written.kinds, "a miss can be entered"


class Waiting(Hands):
    """A source in which nothing happens any more, and each deadline is reached."""

    def next(self, deadline_ns: int | None) -> Event | None:
        assert deadline_ns is not None
        self.at_ns = max(self.at_ns, deadline_ns)
        return None


def test_what_confirms_nothing_does_not_wait_for_the_disk_and_is_there_within_a_second(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.sqlite3"

    def is_forced() -> bool:
        mark = read_mark(path)
        assert len(read_checked(path, KINDS)) == played.keeper.last, "it is kept at once"
        return mark is not None and mark.seq == played.keeper.last

    with closing(Driven(path, hands=Waiting())) as played:
        played.press()
        assert is_forced(), "a match has begun"
        played.press(FIX, Gesture.HOLD)
        played.press(FIX)
        assert played.view.menu is not None
        assert not is_forced(), "a list, and its next line"
        played.press(UNDO)
        played.take(beam(Pocket.NE, active=True), SECOND_NS)
        played.take(beam(Pocket.NE, active=False), 9 * MS)
        played.wait(20 * MS)
        assert not is_forced(), "something fell"
        fell_ns = played.hands.at_ns
        while not is_forced():
            played.board.turn()
        assert played.hands.at_ns <= fell_ns + SETTLE_AFTER_NS
        while played.view.phase is not Phase.REVIEW:
            played.board.turn()
        assert not is_forced(), "time went by"
        played.press()
        assert is_forced(), "people confirmed it"


def test_a_long_log_is_folded_once_nothing_has_happened_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackspot.storage.journal.FOLD_ENTRIES", 4)
    with closing(Driven(tmp_path / "journal.sqlite3", hands=Waiting())) as played:
        played.press()
        while played.keeper.last < 4:
            played.press(FIX, Gesture.HOLD)
            played.press(UNDO)
        long_ns = played.hands.at_ns
        turns = 0
        while not played.keeper.is_settled:
            played.board.turn()
            turns += 1
        assert turns
        assert played.hands.at_ns <= long_ns + SETTLE_AFTER_NS


@pytest.mark.parametrize("fails", [1, 2, 3])
def test_a_disk_that_fails_now_and_then_is_told_for_as_long_as_it_does(
    driven: Driven, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    """What writes the fault down may meet, or mend, the next one."""
    real, left = database.insert, [fails]

    def insert(*given: Any, **how: Any) -> None:
        if left[0]:
            left[0] -= 1
            raise OSError(errno.EIO, "a block that cannot be written")
        real(*given, **how)

    driven.press()
    monkeypatch.setattr("jackspot.storage.journal.insert", insert)
    driven.press(FIX, Gesture.HOLD)
    driven.press(UNDO)
    for _ in range(4):
        assert driven.keeper.in_trouble == (Trouble.DISK in driven.troubles())
        driven.wait(DISK_RETRY_NS)
        driven.press(FIX, Gesture.HOLD)
        driven.press(UNDO)
    assert (driven.keeper.waiting, driven.troubles()) == (0, set())


@pytest.mark.fails_inside
def test_a_disk_that_fails_while_a_failure_is_written_down_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def insert(*_given: Any, **_how: Any) -> None:
        raise OSError(errno.EIO, "a block that cannot be written")

    with closing(Driven(tmp_path / "journal.sqlite3")) as played:
        played.press()
        with monkeypatch.context() as patch:
            patch.setattr("jackspot.storage.journal.insert", insert)
            played.board._put_aside(RuntimeError("cannot be shown"), "show")
            played.wait(SECOND_NS)
            assert played.troubles() == {Trouble.DISK}
        played.wait(DISK_RETRY_NS)
        assert (played.keeper.waiting, played.troubles()) == (0, set())


def test_a_log_that_cannot_be_folded_is_no_fault_and_is_not_tried_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def refuse(connection: sqlite3.Connection) -> None:
        tried.append(connection)
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("jackspot.storage.journal.FOLD_ENTRIES", 4)
    monkeypatch.setattr("jackspot.storage.journal.fold", refuse)
    with closing(Driven(tmp_path / "journal.sqlite3", hands=Waiting())) as played:
        played.press()
        for _ in range(4):
            played.press(FIX, Gesture.HOLD)
            played.press(UNDO)
        last, begun_ns = played.keeper.last, played.hands.at_ns
        while played.hands.at_ns < begun_ns + 600 * SECOND_NS:
            played.board.turn()
        assert len(tried) == 1
        assert (played.keeper.last - last, played.troubles()) == (0, set())


class Restless(Hands):
    """Beams that never rest, each too rarely to count as a wire that chatters."""

    def next(self, deadline_ns: int | None) -> Event | None:
        del deadline_ns
        self.at_ns += 60 * MS
        turn, ends = divmod(self.at_ns // (60 * MS), 2)
        return Edge(self.at_ns, list(Pocket)[turn % 4], active=not ends)


def test_a_board_that_never_rests_keeps_nothing_from_the_disk_for_long(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(Driven(path, hands=Restless())) as played:
        played.press()
        played.press(FIX, Gesture.HOLD)
        written, opened_ns = played.keeper.last, played.hands.at_ns
        while (mark := read_mark(path)) is None or mark.seq < written:
            assert played.hands.at_ns <= opened_ns + SETTLE_BY_NS
            played.board.turn()
        assert played.hands.at_ns > opened_ns + SETTLE_AFTER_NS, "it had waited for a pause"


class Hearing(EventListener):
    """A listener that remembers all that it hears, in its order."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, object]] = []

    def started(self, restored_ns: int, at_ns: int, active: Collection[Pocket | Button]) -> None:
        self.heard.append(("started", (restored_ns <= at_ns, tuple(active))))

    def took(self, event: Event) -> None:
        self.heard.append(("took", event))

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        self.heard += [("wrote", entry) for entry in entries]

    def showed(self, view: BoardView) -> None:
        self.heard.append(("showed", view))

    def stopped(self, at_ns: int) -> None:
        self.heard.append(("stopped", None))

    def of(self, kind: str) -> list[object]:
        return [what for each, what in self.heard if each == kind]


def test_a_listener_hears_events_entries_and_views_in_the_order_in_which_they_come(tmp_path):
    hearing = Hearing()
    with closing(Driven(tmp_path / "journal.sqlite3", hearing)) as driven:
        driven.press()
    assert hearing.heard[0] == ("started", (True, ()))
    assert hearing.heard[-1] == ("stopped", None)
    kept = read_checked(tmp_path / "journal.sqlite3", KINDS)
    written = [entry for entry in hearing.of("wrote") if isinstance(entry, JournalEntry)]
    assert [(each.kind, each.body) for each in written] == [(e.kind, e.body) for e in kept]
    assert hearing.of("showed") == driven.seen.views
    kinds = [kind for kind, _ in hearing.heard]
    order = ["took", "wrote", "showed", "stopped"]
    pressed = kinds[kinds.index("took") :]
    assert pressed == sorted(pressed, key=order.index)


def test_a_listener_that_fails_is_heard_of_in_the_log_and_hears_no_more(tmp_path, caplog):
    class Deaf(Hearing):
        def took(self, event: Event) -> None:
            super().took(event)
            raise RuntimeError("no ears")

    deaf, hearing = Deaf(), Hearing()
    with closing(Driven(tmp_path / "journal.sqlite3", deaf, hearing)) as driven:
        driven.press()
        driven.wait(SECOND_NS)
        assert driven.view.phase is Phase.READY
    assert len(deaf.of("took")) == 1
    assert len(hearing.of("took")) == 2
    assert not deaf.of("stopped")
    assert "Deaf failed" in caplog.text


def test_what_became_of_a_stick_is_told_for_a_while_and_changes_nothing_of_the_game(
    driven: Driven,
) -> None:
    driven.press()
    dialogue, written = driven.board.dialogue, len(driven.keeper.entries)
    shown = []
    driven.take(lambda at_ns: StickTold(at_ns, Stick.WRITING), 5 * SECOND_NS)
    shown.append(driven.view.notice)
    driven.take(lambda at_ns: StickTold(at_ns, Stick.WRITTEN), SECOND_NS)
    driven.wait(SHOWN_NS - 1)
    shown.append(driven.view.notice)
    driven.wait(1)
    shown.append(driven.view.notice)
    assert shown == [stick_notice(Stick.WRITING), stick_notice(Stick.WRITTEN), None]
    assert driven.board.dialogue.game == dialogue.game
    assert driven.board.dialogue.phase is dialogue.phase
    assert len(driven.keeper.entries) == written


def test_a_press_while_a_stick_is_told_of_does_what_it_always_does(driven: Driven) -> None:
    driven.take(lambda at_ns: StickTold(at_ns, Stick.FULL))
    phases = [driven.view.phase]
    driven.press()
    phases.append(driven.view.phase)
    assert phases[0] is not phases[1]
    assert driven.view.notice == stick_notice(Stick.FULL)


class LateHands(Hands):
    """Events one after the other from a machine that is busy for five seconds before each."""

    def __init__(self, script: Sequence[Event | None]) -> None:
        self.script = list(script)

    def next(self, deadline_ns: int | None) -> Event | None:
        if not self.script:
            raise SourceClosed
        event = self.script.pop(0)
        self.at_ns = max(self.at_ns, deadline_ns or 0) + 5 * SECOND_NS
        return event


def test_a_machine_that_is_late_does_not_take_a_short_press_for_a_held_one(
    tmp_path: Path,
) -> None:
    down_ns = Hands.at_ns + SECOND_NS
    edges = (Edge(down_ns, FIX, True), None, Edge(down_ns + 90 * MS, FIX, False), None)
    hands, seen = LateHands(edges), Seen()
    keeper = Keeper(tmp_path / "journal.sqlite3", KINDS, SystemWall())
    Board(BoardParts(hands, hands, keeper, Watchdog({}), (Pocket.NE, OK, FIX)), [seen]).run()
    assert [view.shooter for view in seen.views] == [Seat.N, Seat.S]
    assert all(view.menu is None for view in seen.views)


def test_an_overflow_is_told_until_the_next_entry_is_confirmed(driven: Driven) -> None:
    driven.press()
    driven.take(lambda at_ns: overflow(at_ns, 7, 4096))
    driven.wait(300 * SECOND_NS)
    assert driven.troubles() == {Trouble.OVERFLOW}
    driven.press()
    assert driven.troubles() == set()


def test_lost_edges_are_told_and_logged_until_the_next_entry_is_confirmed(
    driven: Driven, caplog: pytest.LogCaptureFixture
) -> None:
    driven.press()
    driven.take(lambda at_ns: lost_edges(at_ns, Pocket.NE, 2, "too fast"))
    driven.wait(300 * SECOND_NS)
    assert driven.troubles() == {Trouble.LOST}
    assert driven.view.faults[0].detail == "2 edges lost on pocket_ne: too fast"
    assert "pocket_ne: 2 edges lost on pocket_ne: too fast" in caplog.text
    driven.press()
    assert driven.troubles() == set()


@pytest.mark.parametrize("trouble", sorted(SEEN_WITH_AN_ENTRY))
@pytest.mark.parametrize("part", ["calibration", "queue", SENSOR_HUB])
def test_an_entry_ends_what_asks_for_a_look_but_not_what_goes_on(
    driven: Driven, part: str, trouble: Trouble
) -> None:
    """Wrong discs are there until the sensor hub's reader says that they are not."""
    driven.take(lambda at_ns: FaultRaised(at_ns, part, trouble, "why"))
    lasts = (part, trouble) == (SENSOR_HUB, Trouble.MISFIT)
    for _ in range(2):
        driven.press()
        assert driven.troubles() == ({trouble} if lasts else set())
    driven.take(lambda at_ns: FaultCleared(at_ns, part, trouble))
    assert driven.troubles() == set()


class Suspicious(Hands):
    """Inputs that ask to be looked at again after seven seconds, with a script of events."""

    def __init__(self, script: Sequence[Event | None]) -> None:
        self.script = list(script)
        self.looks_ns: list[int] = []

    def next(self, deadline_ns: int | None) -> Event | None:
        if not self.script:
            raise SourceClosed
        event = self.script.pop(0)
        self.at_ns = max(self.at_ns, event.at_ns if event else deadline_ns or 0)
        return event

    def look(self, now_ns: int) -> int | None:
        self.looks_ns.append(now_ns)
        return now_ns + 7 * SECOND_NS


def test_the_wires_are_looked_at_soon_after_an_edge_and_then_when_they_ask_for_it(
    tmp_path: Path,
) -> None:
    edge = Edge(Hands.at_ns + SECOND_NS, Pocket.NE, active=True)
    hands = Suspicious([edge, *[None] * 60])
    keeper = Keeper(tmp_path / "journal.sqlite3", KINDS, SystemWall())
    Board(BoardParts(hands, hands, keeper, Watchdog({}), (Pocket.NE, OK, FIX)), [Seen()]).run()
    first_ns, *_ = hands.looks_ns
    assert first_ns == edge.at_ns + FIRST_LOOK_NS
    waits_ns = {later - earlier for earlier, later in pairwise(hands.looks_ns)}
    assert waits_ns == {7 * SECOND_NS}


def test_a_disk_that_fails_at_the_start_is_tried_again_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.sqlite3"
    opening, tries = "jackspot.storage.keeper.open_or_recover", 0

    def read_only(*at: object) -> object:
        nonlocal tries
        tries += 1
        raise JournalUnwritable(path, f"{path}: read-only file system", "read-only")

    monkeypatch.setattr(opening, read_only)
    with closing(Driven(path)) as driven:
        assert driven.troubles() == {Trouble.DISK}
        before = tries
        driven.wait(DISK_RETRY_NS)
        assert tries > before
        monkeypatch.setattr(opening, open_or_recover)
        driven.wait(DISK_RETRY_NS)
        assert driven.troubles() == set()
        assert driven.keeper.waiting == 0


def test_a_journal_that_was_set_aside_is_told_until_the_next_entry(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    journal.write_bytes(b"no database at all, and long enough to be one" * 100)
    with closing(Driven(journal)) as driven:
        started, told = driven.view, driven.troubles()
        driven.press()
        begun, left = driven.view, driven.troubles()
    assert (started.phase, told) == (Phase.SETUP, {Trouble.SET_ASIDE}), "it goes on, and says so"
    assert (begun.phase, left) == (Phase.READY, set())
    aside = [path.name for path in tmp_path.iterdir() if "aside" in path.name]
    assert aside, "the file is still there, under another name"


def test_a_safe_shutdown_writes_everything_and_then_says_good_bye(driven: Driven) -> None:
    driven.press()
    driven.press(FIX, Gesture.HOLD)
    driven.pick("the board itself")
    driven.pick("safe shutdown", Gesture.HOLD)
    assert driven.board.was_shut_down
    assert not any(view.farewell for view in driven.seen.views), "not before it is written"
    driven.board.stop()
    assert driven.view.farewell
    assert driven.view.menu is None
    assert driven.view.sequence == driven.seen.views[-2].sequence + 1


class Leaving(Hands):
    """Somebody who looks at the display and shuts the board down."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen

    def next(self, deadline_ns: int | None) -> Event | None:
        del deadline_ns
        self.at_ns += 5 * SECOND_NS
        menu = self.seen.views[-1].menu
        if self.seen.views[-1].phase is Phase.SETUP:
            return Press(self.at_ns, self.at_ns, OK, Gesture.SHORT)
        if menu is None:
            return Press(self.at_ns, self.at_ns, FIX, Gesture.HOLD)
        if str(menu.items[menu.chosen]) in ("the board itself", "safe shutdown"):
            return Press(self.at_ns, self.at_ns, OK, Gesture.HOLD)
        return Press(self.at_ns, self.at_ns, FIX, Gesture.SHORT)


def test_a_loop_that_is_shut_down_ends_in_order_and_comes_back_where_it_was(
    tmp_path: Path,
) -> None:
    seen = Seen()
    hands = Leaving(seen)
    keeper = Keeper(tmp_path / "journal.sqlite3", KINDS, SystemWall())
    Board(BoardParts(hands, hands, keeper, Watchdog({}), (Pocket.NE, OK, FIX)), [seen]).run()
    assert seen.views[-1].farewell
    again = Driven(tmp_path / "journal.sqlite3")
    assert again.view.phase is Phase.PAUSED
    assert not again.view.farewell
    assert not again.board.was_shut_down
    again.close()


def test_a_shutdown_waits_for_a_disk_that_cannot_be_written(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    driven.press()
    driven.press(FIX, Gesture.HOLD)
    driven.pick("the board itself")
    monkeypatch.setattr(Keeper, "waiting", property(lambda _: 3))
    driven.pick("safe shutdown", Gesture.HOLD)
    assert not driven.board.was_shut_down


# --- what comes at an awkward moment ---------------------------------------------------


def test_frames_that_come_after_their_stroke_was_confirmed_begin_no_stroke(driven: Driven) -> None:
    driven.press()
    driven.take(beam(Pocket.NE, active=True), 5 * SECOND_NS)
    fell_ns = driven.hands.at_ns
    driven.take(beam(Pocket.NE, active=False), 9 * MS)
    driven.hands.at_ns = fell_ns + 40 * MS
    for number in range(4):
        at_ns = fell_ns + (1 + 2 * number) * MS
        driven.board.take(ColourSeen(at_ns, Pocket.NE, 9_000, 8_000, 7_000, 300))
    page = Button(Place.PAGE, Key.OK)
    ask = driven.view.ask
    driven.take(lambda at_ns: Press(at_ns, at_ns, page, Gesture.SHORT, ask), 700 * MS)
    assert driven.view.phase is Phase.READY, "confirmed before the loop came to the frames"
    written = driven.written.kinds
    lines, falls = written.count(EntryKind.LINE), written.count(EntryKind.FALL)
    driven.wait(LATE_NS)
    assert written.count(EntryKind.FALL) == falls + 1, "the journal has them"
    for _ in range(4):
        assert driven.view.phase is Phase.READY
        driven.wait(SECOND_NS)
    assert driven.written.kinds.count(EntryKind.LINE) == lines


class Opening(Hands):
    """Wires that take a while to open; the first beam is broken only until the last is open."""

    def __init__(self) -> None:
        self.whole_ns = 0

    def start(self) -> Collection[Pocket | Button]:
        self.whole_ns = self.at_ns + 10 * MS
        self.at_ns += 30 * MS
        return (Pocket.NE,)


def test_a_beam_that_becomes_whole_while_other_wires_are_opened_is_whole(tmp_path: Path) -> None:
    hands = Opening()
    with closing(Driven(tmp_path / "journal.sqlite3", hands=hands)) as driven:
        driven.board.take(Edge(hands.whole_ns, Pocket.NE, active=False))
        driven.wait(5 * SECOND_NS)
        assert driven.troubles() == set()
        driven.press()
        driven.take(beam(Pocket.NE, active=True), 5 * SECOND_NS)
        driven.take(beam(Pocket.NE, active=False), 9 * MS)
        driven.wait(20 * MS)
        assert driven.view.phase is Phase.FALLING


@pytest.mark.parametrize(("again_ms", "lines"), [(1_050, 1), (1_700, 1), (2_400, 2)])
def test_a_second_ok_while_the_disk_hangs_answers_nothing_that_nobody_has_read(
    driven: Driven, monkeypatch: pytest.MonkeyPatch, again_ms: int, lines: int
) -> None:
    """The first OK takes 1.5 s to be shown: it looks as if it had not been heard."""
    monkeypatch.setattr(driven.hands, "is_real_time", True)
    driven.press()
    driven.wait(5 * SECOND_NS)
    before, pressed_ns = driven.written.kinds.count(EntryKind.LINE), driven.hands.at_ns
    with driven.hanging_disk(1_500 * MS):
        driven.board.take(Press(pressed_ns, pressed_ns, OK, Gesture.SHORT))
    assert driven.hands.at_ns == pressed_ns + 1_500 * MS
    at_ns = pressed_ns + again_ms * MS
    driven.board.take(Press(at_ns, at_ns, OK, Gesture.SHORT))
    assert driven.written.kinds.count(EntryKind.LINE) - before == lines


FOUL, OFF = Button(Place.REFEREE, Key.FOUL), Button(Place.REFEREE, Key.OFF)


@pytest.mark.parametrize("then", [OK, FIX, FOUL, OFF])
@pytest.mark.parametrize("first", [OK, FIX, FOUL, UNDO])
def test_no_press_means_what_a_hanging_disk_has_not_let_anybody_see(
    driven: Driven, monkeypatch: pytest.MonkeyPatch, first: Button, then: Button
) -> None:
    """Not even from the same place: what was pressed there last is not shown yet."""
    monkeypatch.setattr(driven.hands, "is_real_time", True)
    driven.press()
    driven.take(beam(Pocket.NE, active=True), 8 * SECOND_NS)
    driven.take(beam(Pocket.NE, active=False), 9 * MS)
    driven.wait(1_600 * MS)
    assert driven.view.phase is Phase.REVIEW
    if first is UNDO:
        driven.press(OK)
        driven.wait(4 * SECOND_NS)
    pressed_ns = driven.hands.at_ns
    with driven.hanging_disk(1_500 * MS):
        driven.board.take(Press(pressed_ns, pressed_ns, first, Gesture.SHORT))
    assert driven.hands.at_ns > pressed_ns + 1_000 * MS
    shown, at_ns = driven.board.dialogue, pressed_ns + 800 * MS
    driven.board.take(Press(at_ns, at_ns, then, Gesture.SHORT))
    after = driven.board.dialogue
    assert (after.question, after.menu, after.game) == (shown.question, shown.menu, shown.game)
    assert str(driven.view.detail) in ("just confirmed", "it just changed")


def test_who_takes_back_what_a_hanging_disk_has_not_shown_yet_takes_it_back(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OK, and at once UNDO: it needs no picture to know what that means."""
    monkeypatch.setattr(driven.hands, "is_real_time", True)
    driven.press()
    driven.wait(10 * SECOND_NS)
    pressed_ns = driven.hands.at_ns
    with driven.hanging_disk(400 * MS):
        driven.board.take(Press(pressed_ns, pressed_ns, OK, Gesture.SHORT))
    at_ns = pressed_ns + 200 * MS
    driven.board.take(Press(at_ns, at_ns, UNDO, Gesture.SHORT))
    assert driven.written.kinds.count(EntryKind.UNDO) == 1


def test_a_fault_of_its_own_does_not_pass_a_press_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop was stopped for seconds and the disk is full, but the press had come in time."""
    settings = DialogueSettings(auto_confirm=0.4)
    with closing(Driven(tmp_path / "journal.sqlite3", settings=settings)) as driven:
        driven.press()
        driven.take(beam(Pocket.NE, active=True), 20 * SECOND_NS)
        driven.take(beam(Pocket.NE, active=False), 9 * MS)
        driven.wait(10 * MS)
        fell_ns, proposed = driven.hands.at_ns, driven.view.proposal
        driven.hands.at_ns += 4 * SECOND_NS
        full = FaultRaised(driven.hands.at_ns, PART, Trouble.DISK, "disk full")
        monkeypatch.setattr(driven.keeper, "settle", lambda _at_ns, *, at_rest: (full,))
        driven.board.turn()
        assert driven.troubles() == {Trouble.DISK}
        down_ns = fell_ns + 1_200 * MS
        driven.board.take(Press(down_ns + 60 * MS, down_ns, FIX, Gesture.SHORT))
        assert EntryKind.LINE not in driven.written.kinds
        assert driven.view.phase is Phase.REVIEW
        assert driven.view.proposal != proposed


def test_a_lost_edge_does_not_make_a_broken_beam_whole(driven: Driven) -> None:
    driven.press()
    driven.take(beam(Pocket.NE, active=True), 5 * SECOND_NS)
    driven.wait(3 * MS)
    driven.take(lambda at_ns: lost_edges(at_ns, Pocket.NE, 1, "told late"))
    assert driven.view.lit == (Pocket.NE,)


def test_hands_that_nobody_settles_do_not_grow_without_end(driven: Driven) -> None:
    driven.press()
    for _ in range(3 * MOST_HANDS):
        driven.take(beam(Pocket.NE, active=True), 5 * SECOND_NS)
        driven.take(beam(Pocket.NE, active=False), 900 * MS)
        for _second in range(3):
            driven.wait(SECOND_NS)
    assert len(driven.view.queue) == MOST_HANDS
    assert driven.written.kinds.count(EntryKind.CLEARING) == 2 * MOST_HANDS
    newest = driven.board.dialogue.assumed[-1].falls
    driven.press(FIX)
    assert driven.view.phase is Phase.REVIEW
    assert driven.board.dialogue.proposal is not None
    assert driven.board.dialogue.proposal.falls == newest
