"""A running hub: the desk between its journal and the boards of its hall.

Theory of operation. There is one thread. What boards say becomes entries, which are on disk before
anything is made of them. Then each board is told what the desk's state says, retained, if that
differs from what it was told last. In the same way everybody is told, below ``public/``, the parts
of the event that have changed. A broker that comes back empty is told everything, and whatever it
retains that no longer exists is cleared. So nothing is lost if the hub is killed at any instant: at
its start it folds its journal, and boards send again what was not confirmed as on its disk.
"""

from __future__ import annotations

import logging
import os
import secrets
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.core.phrases import _
from jackspot.festival.asks import Allowance
from jackspot.festival.connection import BrokerConnection, Letter, Login, Unreachable
from jackspot.festival.messages import PREFIX, BadMessage, What, prepare, read, read_topic, write
from jackspot.festival.names import board_id
from jackspot.festival.public import QOS, RETAINED, public_message, public_topic
from jackspot.storage.entries import Kinds, Sealed, seal
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.wall_clock import SystemWall, Wall
from jackspot.values import changed
from jackspot_hub.desk.catching_up import CatchingUp
from jackspot_hub.desk.clocks import BoardClocks
from jackspot_hub.desk.page_parts import PartsOfEvent, before_a_public
from jackspot_hub.desk.state import (
    CarriedRelease,
    DeskEntry,
    DeskKind,
    DeskState,
    DoesNotFit,
    Journals,
    fold,
    folded,
    started,
)
from jackspot_hub.desk.step import hear, notice_told, once_deaf, pass_time, told
from jackspot_hub.desk.updates import give_places
from jackspot_hub.event.contest import OpenPlay
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Programme

_logger = logging.getLogger(__name__)

RESULTS_AT_ONCE, RESULTS_EACH_NS = 100, 2_000_000_000
"""This many results of one board are taken, then one per interval: they cannot fill the disk."""
HEARD = (
    What.UPDATE,  # first: boards in an update are known before any counts as free
    What.STATUS, What.ABOUT, What.STATE, What.MATCH, What.CALL, What.RECORD, What.RESULT,
    What.ANSWER,
)  # fmt: skip
LOOKS_S = 0.5
"""How often free boards are looked for while nobody says anything..."""
SOONEST_S = 0.3
"""... and at most this often, however many boards say something."""
CONTESTS_EACH_S = 1.0
"""How often tables and rounds follow what boards have said."""
TOGETHER_S = 0.02
"""Reports within this time are taken together: a hall sends one every few milliseconds."""
PACKETS_AT_ONCE = 500
"""At most this many packets are received before anything is made of them."""
PUBLIC_EACH_NS = 500_000_000
"""Shortest time between two publications of a part."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 5.0
MILLISECOND_NS = 1_000_000
CLOCK_SET_MS = 30_000
"""A clock that is off by more than this from one look to the next was set."""
TRIES_S = 5.0
"""How often a failed disk is tried again, even if nobody has anything to write..."""
TRIED_BYTES = 1 << 16
"""... with this many bytes."""
ASK_EXPIRY_S, GONG_EXPIRY_S = 10, 5
"""After this the broker forgets what it could not deliver."""
ANSWERS_S = 10.0
"""How long to wait for a board's answer."""
THERE_ALL_THE_SAME = "the disk has what it failed to take before; look how it stands, do it again"
ALL_BOARDS = 0
"""What all boards are told is kept under this number."""
FIRST_QUESTION = 1 << 40
"""Questions from people are numbered from here: those about clocks never get this far."""


def _any_body(_body: object) -> None:
    """Accept every body: only the desk writes it."""


KINDS: Kinds = {each.value: _any_body for each in DeskKind}


class _Stamped:
    """An entry with its instant, as a journal takes it."""

    def __init__(self, entry: DeskEntry) -> None:
        self.kind, self.body = entry.kind.value, entry.body
        self.at_ns = time.monotonic_ns()


def _nobody_looks(_desk: DeskState, _contests: DeskState) -> None:
    """Show it to nobody."""


Make = Callable[[DeskState], tuple[DeskEntry, ...]]
"""Makes entries from the current desk; CannotBe if that is not possible."""


class AskedOfHub(Struct, frozen=True):
    """What somebody asked for, and where the answer is awaited."""

    make: Make
    done: Future[None]


def read_desk(programme: Programme, journal: Path) -> DeskState:
    """Return the desk from its journal, even while a hub writes it.

    Raises JournalError, and DoesNotFit if entries do not fit the event.
    """
    return desk_of(programme, read_checked(journal, KINDS))


def desk_of(programme: Programme, entries: Sealed) -> DeskState:
    """Return the desk that results from entries. DoesNotFit if they do not fit the event.

    Entries of a newer version do not fit either: a hub that left some out would rank people
    wrongly.
    """
    for each in entries:
        if each.unknown:
            raise DoesNotFit(
                f"entry {each.seq} ({each.kind}): {each.unknown}; install the version that wrote it"
            )
    said = ((each.kind, each.body, each.wall_ns // MILLISECOND_NS) for each in entries)
    return folded(programme, said)


class RefusedByBoard(CannotBe):
    """A board has answered, and does not do what it was asked."""


class AskedOfBoard(Struct, frozen=True):
    """What somebody asks of a board, and until when to wait for an answer."""

    board: int
    what: str
    more: Mapping[str, Any]
    answer: Future[dict[str, Any]]
    until_s: float


class RunningHub:
    """A desk with its journal.

    ``wrote`` is called with each entry that is on disk, and the desk after it; ``shows`` with each
    new state, including what boards say and nobody writes down.

    Opening raises JournalError; entries that do not fit the event raise DoesNotFit.
    """

    def __init__(
        self, programme: Programme, journal: Path, wrote: Callable[[DeskState, DeskEntry], None],
        wall: Wall | None = None,
    ) -> None:  # fmt: skip
        prepare(HEARD)
        self.wall = SystemWall() if wall is None else wall
        self._wrote = wrote
        self.shows: Callable[[DeskState, DeskState], None] = _nobody_looks
        self.acknowledges: Callable[[], Journals | None] = lambda: self.desk.on_disk
        """Returns the results that boards need not keep any more; None: not known yet."""
        self._asked: deque[AskedOfHub] = deque()
        self._journal = Journal.open(journal, KINDS, self.wall)
        try:
            desk = desk_of(programme, self._journal.load())
            self.desk = started(desk, self._now_ms())
            self._ahead_ms = self._ahead_of_run_ms()
        except BaseException:
            self._journal.close()
            raise
        self.troubles: dict[str, str] = {}
        self._catching_up = CatchingUp({})
        self._allowed: dict[str, Allowance] = {}
        """What keeps it from its work now, and why: ``disk``, ``broker``."""
        self._unsure: Sealed = ()
        """What a disk failed to take: only the disk knows how much of it is there."""
        self._tried_s = 0.0
        self._boot = secrets.token_hex(4)
        self._connection = BrokerConnection((What.ANSWER.leaf, What.RESULT.leaf), PACKETS_AT_ONCE)
        self._clocks = BoardClocks()
        self._struck = 0
        self._told: dict[tuple[int, What], dict[str, Any]] = {}
        self._questions: deque[AskedOfBoard] = deque()
        self._waiting: dict[int, AskedOfBoard] = {}
        self._transaction = FIRST_QUESTION
        self._parts = PartsOfEvent(before_a_public)
        self._parts_lock = threading.Lock()
        self._contests = self.desk
        self._contests_due_s = 0.0
        self._public: dict[str, str | None] = {}
        self._knows_public = False
        self._published_ns = 0

    @property
    def is_over(self) -> bool:
        """Whether every class except free play is drawn and completely played, and there is one."""
        classes = self.desk.programme.classes.items()
        drawn = [name for name, each in classes if not isinstance(each.contest.format, OpenPlay)]
        return bool(drawn) and all(map(self.desk.is_over, drawn))

    def carry(self, release: CarriedRelease) -> None:
        """Set a release for boards, before it runs."""
        self.desk = changed(self.desk, carried=release)

    def do(self, make: Make) -> Future[None]:
        """Have entries written, from any thread; done once they are on disk.

        It ends with CannotBe if ``make`` raised it, and with JournalUnwritable if the disk did not
        take them.
        """
        done: Future[None] = Future()
        self._asked.append(AskedOfHub(make, done))
        self._connection.wake()
        return done

    def close(self) -> None:
        """Close the journal and the connection."""
        while self._asked:
            self._asked.popleft().done.cancel()
        for each in (*self._questions, *self._waiting.values()):
            each.answer.cancel()
        self._connection.end()
        self._journal.close()

    def run(self, login: Login, ended: Callable[[], bool]) -> None:
        """Serve a hall until ``ended``; a missing broker is tried again and again."""
        pause_s = FIRST_PAUSE_S
        self._catching_up = CatchingUp(self.desk.on_disk, everyone=bool(self.desk.past))
        while not ended():
            try:
                own = changed(login, hall=self.desk.programme.hall)
                self._connection.open(own, self._status("lost"))
                self._serve(ended)
                self._connection.close(self._status("disconnected"))
            except Unreachable as error:
                if self.troubles.get("broker") != str(error):
                    _logger.warning("broker: %s", error)
                self.troubles["broker"] = str(error)
                self._wait(pause_s, ended)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            else:
                pause_s = FIRST_PAUSE_S
            self._told, self._public, self._knows_public = {}, {}, False
            self.desk = once_deaf(self.desk)

    def _wait(self, pause_s: float, ended: Callable[[], bool]) -> None:
        """Let time pass without a broker, and do what people ask for."""
        until_s = time.monotonic() + pause_s
        while not ended() and (left_s := until_s - time.monotonic()) > 0:
            self._do_what_is_asked()
            self._show()
            self._connection.turn(min(left_s, LOOKS_S))

    def _show(self) -> None:
        """Show the current desk, and somewhat less often the contests."""
        now_s = time.monotonic()
        if self.desk.programme is not self._contests.programme or now_s >= self._contests_due_s:
            self._contests, self._contests_due_s = self.desk, now_s + CONTESTS_EACH_S
        self.shows(self.desk, self._contests)

    def _do_what_is_asked(self) -> None:
        self._try_disk()
        self._give_questions_up()
        while self._asked:
            asked = self._asked.popleft()
            try:
                self.enter(asked.make(self.desk))
            except (CannotBe, JournalUnwritable) as refused:
                asked.done.set_exception(refused)
            except Exception as error:  # nothing that is asked ends the hub
                _logger.exception("what was asked is not done")
                asked.done.set_exception(CannotBe(_("{what}: {why}", what="hub", why=repr(error))))
            else:
                asked.done.set_result(None)

    def _pass_time(self) -> None:
        """Give out what can be played now. If that fails, the rest of the hub goes on, and says so.

        It is tried again each time; people may take back what led to it.
        """
        self._heed_a_set_clock()
        try:
            self._write(pass_time(self.desk, self._now_ms()))
            self.desk = give_places(self.desk, self._now_ms())
        except Exception as error:
            if self.troubles.get("calls") != repr(error):
                self.troubles["calls"] = repr(error)
                _logger.exception("nobody can be called")
        else:
            self.troubles.pop("calls", None)

    def _status(self, state: str) -> Letter:
        said = {"v": 1, "state": state, "boot": self._boot}
        hall = self.desk.programme.hall
        return Letter(What.HUB.topic(hall, ""), write(said), What.HUB.qos, What.HUB.retained)

    def _serve(self, ended: Callable[[], bool]) -> None:
        begun = False
        hall = self.desk.programme.hall
        due_s = 0.0
        while not ended():
            if self._connection.is_up and not begun:
                self._connection.subscribe([public_topic(hall, "#")])  # what the broker retains
                topics = [f"{PREFIX}/{hall}/board/+/{what.leaf}" for what in HEARD]
                self._connection.subscribe(topics)
                self._connection.publish(self._status("ready"))
                self.troubles.pop("broker", None)
                begun = True
            letters = self._connection.arrived()
            for topic, payload in letters:
                self._hear(topic, payload)
            self._do_what_is_asked()
            if begun:
                self._put_questions()
            wait_s = due_s - time.monotonic()
            if wait_s <= 0:
                self._pass_time()
                if begun:
                    self._tell()
                    self._publish()
                    self._ask_for_clocks()
                    self._ask_for_results()
                due_s, wait_s = time.monotonic() + SOONEST_S, LOOKS_S
            self._show()
            if letters:
                time.sleep(TOGETHER_S)
            self._connection.turn(wait_s)

    def _heed_a_set_clock(self) -> None:
        """Let nobody be late, or in time, only because the machine's clock was set.

        A wall that somebody gave, for practice, may run as fast as it likes.
        """
        before_ms, self._ahead_ms = self._ahead_ms, self._ahead_of_run_ms()
        jumped = abs(self._ahead_ms - before_ms) > CLOCK_SET_MS
        if jumped and isinstance(self.wall, SystemWall):
            self.desk = started(self.desk, self._now_ms())

    def _ahead_of_run_ms(self) -> int:
        """Return how far the time of day is ahead of the time that the machine has run."""
        return self._now_ms() - time.monotonic_ns() // MILLISECOND_NS

    def _now_ms(self) -> int:
        return self.wall.now_ns() // MILLISECOND_NS

    def _hear(self, topic: str, payload: bytes) -> None:
        """Take a message; one that is invalid or of no board here is logged and ignored."""
        part = topic.removeprefix(public_topic(self.desk.programme.hall, ""))
        if part != topic:
            if not self._knows_public:
                self._public[part] = None
            return
        try:
            address = read_topic(topic)
            said = read(address.what, payload) if payload else None
        except BadMessage as bad:
            _logger.warning("hall: %s", bad)
            return
        number, now_ms = int(address.board[1:]), self._now_ms()
        if address.what is What.RESULT and not (
            self._catching_up.takes(number, time.monotonic()) and self._may_send(address.board)
        ):
            return
        if address.what is What.ANSWER and said is not None:
            self._clocks.learn(address.board, said, now_ms)
            self._take_answer(said)
            return
        if address.what is What.STATE and said is not None and said["clock"] is not None:
            known_ms = self._clocks.hub_ms(address.board, said["clock"]["at_ms"])
            now_ms = now_ms if known_ms is None else min(now_ms, round(known_ms))
        self.desk, entries = hear(self.desk, number, address.what, said, now_ms)
        self._write(entries)
        if address.what is What.RESULT and said is not None:
            self._catching_up.heard(number, said["journal"])

    def _may_send(self, board: str) -> bool:
        """Whether a board may send a result now; a refused board sends it again."""
        allowed = self._allowed.setdefault(board, Allowance(RESULTS_AT_ONCE, RESULTS_EACH_NS))
        may = allowed.take(time.monotonic_ns())
        if not may:
            _logger.warning("hall: %s sends more results than can be played", board)
        return may

    def _write(self, entries: tuple[DeskEntry, ...]) -> None:
        """Write entries to disk, then fold them; what a disk does not take never happened."""
        if not entries:
            return
        try:
            self.enter(entries)
        except JournalUnwritable as error:
            _logger.warning("the disk does not take it, and boards send it again: %s", error)

    def enter(self, entries: tuple[DeskEntry, ...]) -> None:
        """Write entries to disk, then fold them.

        JournalUnwritable, or DoesNotFit if one does not fit the desk: nothing has happened.
        """
        try:
            self._mend_first()
            after = self.desk
            for entry in entries:
                after = fold(after, entry.kind, entry.body, self._now_ms())
            stamped = [_Stamped(entry) for entry in entries]
            sealed = seal(self._journal.head, stamped, KINDS, self.wall)
            self._unsure = sealed
            self._journal.write(sealed)
        except JournalUnwritable as error:
            self.troubles["disk"] = str(error)
            raise
        self._take(sealed)
        with suppress(JournalUnwritable):  # all of it is written; the next write meets that, too
            if not self._journal.is_settled:
                self._journal.settle(at_rest=True)

    def _take(self, sealed: Sealed) -> None:
        """Fold what is on disk."""
        self._unsure = ()
        self.troubles.pop("disk", None)
        for kept in sealed:
            self.desk = fold(self.desk, kept.kind, kept.body, kept.wall_ns // MILLISECOND_NS)
            self._wrote(self.desk, DeskEntry(DeskKind(kept.kind), kept.body))
        self._show()

    def _mend_first(self) -> None:
        """Refuse entries that were made before a failed write turned out to have succeeded."""
        if self._mend():
            raise JournalUnwritable(self._journal.path, THERE_ALL_THE_SAME, "do it again")

    def _mend(self) -> bool:
        """Reopen the journal after a failed write; return whether the write is there nevertheless.

        JournalUnwritable if the disk still takes nothing.
        """
        left = self._journal.reopen(self._unsure) if self._unsure else ()
        there = self._unsure[: len(self._unsure) - len(left)]
        self._unsure = ()
        if there:
            self._take(there)
        return bool(there)

    def _try_disk(self) -> None:
        """Check whether a disk that took nothing works again."""
        if "disk" not in self.troubles or time.monotonic() < self._tried_s + TRIES_S:
            return
        self._tried_s = time.monotonic()
        try:
            self._mend()
            with tempfile.TemporaryFile(dir=self._journal.path.parent) as tried:
                tried.write(bytes(TRIED_BYTES))
                tried.flush()
                os.fsync(tried.fileno())
        except (JournalUnwritable, OSError) as error:
            self.troubles["disk"] = str(error)
        else:
            self.troubles.pop("disk", None)

    def _ask_for_clocks(self) -> None:
        """Ask boards for their clocks, so that a gong sounds at all of them at once."""
        now_ms = self._now_ms()
        for board in [board_id(number) for number, seen in self.desk.seen.items() if seen.there]:
            if self._clocks.due(board, now_ms):
                asked = self._clocks.question(board, now_ms)
                topic = What.ASK.topic(self.desk.programme.hall, board)
                self._connection.publish(
                    Letter(topic, write(asked), What.ASK.qos, What.ASK.retained, ASK_EXPIRY_S)
                )

    def _tell(self) -> None:
        """Tell each board what it has not been told.

        One that the event does not count is told only that its results are on the disk.
        """
        kept = self.acknowledges()
        desk = self.desk if kept is None else changed(self.desk, on_disk=kept)
        played_at = {each.number for each in self.desk.programme.boards}
        for number in sorted({*played_at, *desk.on_disk}):
            for what, said in told(desk, number).items():
                if (kept is None) if what is What.ACK else (number not in played_at):
                    continue
                if self._told.get((number, what)) != said:
                    self._told[number, what] = said
                    topic = what.topic(self.desk.programme.hall, board_id(number))
                    text = write(said) if said else b""
                    self._connection.publish(Letter(topic, text, what.qos, what.retained))
        self._say_to_all()
        self._strike()

    def _say_to_all(self) -> None:
        """Tell all displays the desk's line, or that there is none, also at each connect."""
        what, now_ms = What.NOTICE, self._now_ms()
        said = notice_told(self.desk, now_ms) or {}
        if self._told.get((ALL_BOARDS, what)) != said:
            self._told[ALL_BOARDS, what] = said
            topic, text, left_s = what.topic(self.desk.programme.hall, ""), b"", None
            if said:
                until_ms = said["sent_ms"] + said["seconds"] * 1_000
                text, left_s = write(said), ceil((until_ms - now_ms) / 1_000)
            self._connection.publish(Letter(topic, text, what.qos, what.retained, left_s))

    def _ask_for_results(self) -> None:
        """Ask boards for results that this journal lacks, though they were acknowledged."""
        for number in [number for number, seen in self.desk.seen.items() if seen.there]:
            more = self._catching_up.question(number, self.desk.on_disk, time.monotonic())
            if more is not None:
                answer = self.ask(number, "results", more)
                answer.add_done_callback(partial(self._have_caught_up, number))

    def _have_caught_up(self, number: int, answer: Future[dict[str, Any]]) -> None:
        if answer.cancelled():
            return
        if isinstance(answer.exception(), RefusedByBoard):
            self._catching_up.refused(number)
        elif answer.exception() is None:
            results = answer.result().get("results", 0)
            self._catching_up.answered(number, results, time.monotonic())

    def ask(self, board: int, what: str, more: Mapping[str, Any]) -> Future[dict[str, Any]]:
        """Ask a board, from any thread; done once it has answered.

        It ends with CannotBe if there is no such board, the board refuses it, or nothing is
        received in ten seconds.
        """
        question = AskedOfBoard(board, what, more, Future(), time.monotonic() + ANSWERS_S)
        boards = {each.number for each in self.desk.programme.boards}
        if board not in boards and board not in self.desk.seen:
            question.answer.set_exception(CannotBe(_("there is no board {n}", n=board)))
            return question.answer
        self._questions.append(question)
        self._connection.wake()
        return question.answer

    def _put_questions(self) -> None:
        """Send people's questions to boards."""
        while self._questions:
            each = self._questions.popleft()
            number = board_id(each.board)
            self._transaction += 1
            self._waiting[self._transaction] = each
            said = {
                "v": 1, "transaction": self._transaction, "what": each.what, **each.more,
                "pair": self._clocks.pair(number),
            }  # fmt: skip
            if each.what != "results":  # whose answer does no harm late, whatever clocks say
                said["until_ms"] = self._now_ms() + round(ANSWERS_S * 1_000)
            topic = What.ASK.topic(self.desk.programme.hall, number)
            self._connection.publish(
                Letter(topic, write(said), What.ASK.qos, What.ASK.retained, ASK_EXPIRY_S)
            )

    def _give_questions_up(self) -> None:
        """Give up questions without an answer, and those that could not even be sent."""
        now_s = time.monotonic()
        late = [at for at, each in self._waiting.items() if now_s > each.until_s]
        given_up = [self._waiting.pop(at) for at in late]
        while self._questions and now_s > self._questions[0].until_s:
            given_up.append(self._questions.popleft())
        for each in given_up:
            each.answer.set_exception(CannotBe(_("board {n} has not answered", n=each.board)))

    def _take_answer(self, said: dict[str, Any]) -> None:
        each = self._waiting.pop(said["transaction"], None)
        if each is None:
            return
        if "refused" in said:
            each.answer.set_exception(RefusedByBoard(f"board {each.board}: {said['refused']}"))
        else:
            each.answer.set_result(said)

    def _publish(self) -> None:
        """Publish the parts that differ from the broker's, and clear those that no longer exist.

        What the broker retains of an earlier run, or of another event, has come by now: it was
        requested first of all.
        """
        hall, now_ns = self.desk.programme.hall, time.monotonic_ns()
        if not self._connection.is_subscribed or now_ns < self._published_ns + PUBLIC_EACH_NS:
            return
        if not self._knows_public:
            self._connection.unsubscribe(public_topic(hall, "#"))
            self._knows_public = True
        self._published_ns = now_ns
        parts = self.public(self.desk, self._contests)
        for part in self._public.keys() - parts.keys():
            del self._public[part]
            self._connection.publish(Letter(public_topic(hall, part), b"", QOS, RETAINED))
        for part, text in parts.items():
            if self._public.get(part) is not text:
                self._public[part] = text
                topic, message = public_topic(hall, part), public_message(part, text)
                self._connection.publish(Letter(topic, message, QOS, RETAINED))

    def public(self, desk: DeskState, contests: DeskState | None) -> Mapping[str, str]:
        """Return what anybody may see, by its parts; from any threads, computed once."""
        with self._parts_lock:
            return self._parts.of(desk, contests)

    def _strike(self) -> None:
        """Announce a gong that is still to come, once."""
        gong = self.desk.gong
        if gong is None or gong.number == self._struck or gong.at_ms < self._now_ms():
            return
        self._struck = gong.number
        said = {"v": 1, "gong": gong.number, "boards": None, "at_ms": gong.at_ms}
        topic = What.GONG.topic(self.desk.programme.hall, "")
        self._connection.publish(
            Letter(topic, write(said), What.GONG.qos, What.GONG.retained, GONG_EXPIRY_S)
        )
