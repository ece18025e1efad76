"""The board's link to its hall: one more listener, in a thread of its own.

Theory of operation. The loop hands over what it wrote and showed, which takes microseconds: a view
into a mailbox of one, a note that a match ended, and a wake-up. The thread works a connection
(:mod:`jackspot.festival.connection`) through three states::

    away --connect--> connecting --broker says yes--> up --anything wrong--> away

- *away*: it tries again after a pause that doubles from half a second to fifteen, with jitter, so
  that a hundred boards do not come back at one instant.
- *up*: the board, which owns its state, publishes all of it at every connect, and then what
  changes. Nothing is queued: what happens while away is no longer news afterwards.
- Results come from the journal and are sent until the hub acknowledges them
  (:mod:`jackspot.festival.results`).

If a state changes faster than twice a second, only its newest form is published. Failures here are
logged and tried again; the game never waits for them or hears of them.
"""

from __future__ import annotations

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.dialogue.state.listener import EventListener
from jackspot.dialogue.state.view import BoardView
from jackspot.festival.asks import (
    KNOWN,
    Allowance,
    Consulting,
    Look,
    NotDone,
    answer_to,
    refusal_of,
)
from jackspot.festival.collecting import ResultCollector
from jackspot.festival.connection import BrokerConnection, Letter, Login, Unreachable
from jackspot.festival.hall import Hall
from jackspot.festival.home_assistant import discovery, discovery_topic
from jackspot.festival.incoming import gong_of, is_late, order_of, told_by
from jackspot.festival.messages import (
    AboutMessage,
    AnswerMessage,
    BadMessage,
    What,
    prepare,
    read,
    read_topic,
    write,
)
from jackspot.festival.notices import NoticeBoard
from jackspot.festival.outgoing import MILLISECOND_NS, call_of, match_of, record_of, state_of
from jackspot.festival.same_number import stand_aside
from jackspot.festival.updating import UpdateDoor, Updating
from jackspot.sensing.events import (
    Button,
    DeskComes,
    DeskTold,
    Event,
    FaultCleared,
    FaultRaised,
    OrderTold,
    Trouble,
)
from jackspot.storage.errors import JournalError

_logger = logging.getLogger(__name__)

STATE_EACH_NS = SECOND_NS // 2
"""Shortest time between two small scores."""
CLOCK_EACH_NS = 10 * SECOND_NS
"""How often it is sent while only a clock runs: a late subscriber counts from there."""
AFTER_NS = 20_000_000
"""How long news waits for the displays at the table, which are drawn meanwhile."""
ACK_FIRST_NS = SECOND_NS
"""Time to receive the hub's retained acknowledgement before results are read and sent."""
READ_AGAIN_NS = 5 * SECOND_NS
"""After this long, a journal that could not be read is read again."""
WITHDRAWN_AFTER_NS = 5 * SECOND_NS
"""After this long beside a desk, what it retains has come, and what has not come is withdrawn."""
MISSED_AFTER_NS = 5 * SECOND_NS
"""A desk that is not reached for this long is away, and people are told."""
TWICE_NS = 30 * SECOND_NS
"""A shared number is this board's again after this long without a word from the other board."""
ONCE_NS = 5 * SECOND_NS
"""The same once the other says that it has gone, which may be said a thousand times a second."""
UNTIL_TOLD_NS = 1 << 62
MAY_END = frozenset({EntryKind.MATCH_END, EntryKind.CLEARED})
"""Entries after which the journal may have the result of one match more."""
HEARD_FIRST = (What.STATUS, What.TWICE)
HEARD = (What.ACK, What.ORDER, What.HUB, What.GONG, What.NOTICE, What.ASK, What.OFFER)
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 15.0
STANDS_NS = 10 * SECOND_NS
"""After a connection that has lasted this long the pauses begin anew."""
LONGEST_WAIT_S = 5.0
"""How often the connection is attended to, whatever happens."""
STOPS_S = 1.0


def _to_nobody(_event: Event) -> None:
    """Ignore what an abandoned link still reports."""


class _Younger(Exception):
    """Another board had this number first, and is there."""


class HallLink(EventListener):
    """Reports to a hall what happens on a board.

    ``about`` is what the board says of itself, ``boot`` names this start, ``entries`` is how many
    the journal had at the board's start. ``clock_ns`` is the board's clock, which messages carry;
    timeouts go by the machine's. ``submit`` puts what the hall says into the board's queue.
    ``doctor`` examines the board if the hall asks for it, in a thread of its own. ``door`` takes
    newer versions that the hall offers.
    """

    def __init__(  # noqa: PLR0913
        self,
        hall: Hall,
        journal: Path,
        about: AboutMessage,
        boot: str,
        clock_ns: Callable[[], int],
        submit: Callable[[Event], None],
        *,
        entries: int = 0,
        doctor: Look | None = None,
        door: UpdateDoor | None = None,
    ) -> None:
        prepare((*HEARD_FIRST, *HEARD))
        self._hall = hall
        self._about = about
        self._home = discovery(hall.name, hall.board, about) if hall.home_assistant else None
        self._boot = boot
        self._clock_ns = clock_ns
        self._submit = submit
        self._after: HallLink | None = None
        self._begun: BrokerConnection | None = None
        self._results = ResultCollector(journal, hall.board, entries)
        self._lock = threading.Lock()
        self._view: BoardView | None = None
        self._seq = self._view_seq = entries
        self._shown_ns = 0
        self._ended = False
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        # Used by the thread alone:
        self._n = 0
        self._tried = -1
        self._was_here = False
        self._trouble = ""
        self._reads_ns: int | None = None
        self._is_here, self._here_ns = False, 0
        self._told: dict[What, object] = {}
        self._state_ns = 0
        self._match: tuple[tuple[int | None, str], int] = ((None, ""), 0)
        self._found = ""
        self._twice_ns: int | None = None
        self._is_wrong, self._corrected_ns = False, 0
        self._pair: dict[str, Any] | None = None
        self._notices = NoticeBoard()
        self._allowance = Allowance()
        self._consulting = Consulting(doctor, self._wake)
        self._updating = Updating(door, self._wake)
        self._desk = ""  # which start of it is there
        self._retained: set[What] = set()  # what was heard on this connection
        self._settled_ns: int | None = None  # when the rest of it is taken to be withdrawn
        self._desk_told: tuple[bool, int] | None = None
        self._away_ns = time.monotonic_ns()

    def follow(self, before: HallLink | None, seq: int) -> None:
        """Begin where the journal has ``seq`` entries, once the abandoned link has ended."""
        self._after = before
        self._seq = self._view_seq = seq

    # --- what the loop calls --------------------------------------------------------------

    def started(self, restored_ns: int, at_ns: int, active: Collection[Pocket | Button]) -> None:
        """Begin to look for the hall."""
        del restored_ns, at_ns, active
        self._begun = BrokerConnection((What.ASK.leaf, What.GONG.leaf))
        self._thread.start()

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        """Note how far the journal is, and whether it may have a result.

        The end of a match may have waited for a disk whose fault is over now.
        """
        with self._lock:
            self._seq += len(entries)
            self._ended |= any(each.kind in MAY_END for each in entries)

    def showed(self, view: BoardView) -> None:
        """Take the newest view."""
        with self._lock:
            self._view, self._view_seq, self._shown_ns = view, self._seq, time.monotonic_ns()
        if self._begun is not None:
            self._begun.wake_after(AFTER_NS)

    def _wake(self) -> None:
        if self._begun is not None:
            self._begun.wake()

    def stopped(self, at_ns: int) -> None:
        """Say goodbye, if somebody listens."""
        del at_ns
        self._stopping = True
        if self._begun is not None:
            self._begun.wake()
            self._thread.join(STOPS_S)

    @property
    def board(self) -> str:
        """The board's id."""
        return self._hall.board

    def leave(self) -> None:
        """Say goodbye without keeping anybody waiting; nothing more is reported to the board."""
        self._submit = _to_nobody
        self._stopping = True
        if self._begun is not None:
            self._begun.wake()

    # --- the thread -----------------------------------------------------------------------

    @property
    def _connection(self) -> BrokerConnection:
        assert self._begun is not None, "the thread runs only once it has begun"
        return self._begun

    @property
    def _address(self) -> int:
        return max(self._tried, 0) % len(self._hall.addresses)

    @property
    def _login(self) -> Login:
        return self._hall.logins[self._address]

    def ended(self) -> None:
        """Wait for a moment until the abandoned link has ended."""
        if self._begun is not None:
            self._thread.join(STOPS_S)

    def _run(self) -> None:
        if self._after is not None:
            self._after.ended()
            self._after = None
        try:
            self._keep_trying()
        finally:
            self._updating.stop()
            self._connection.end()

    def _keep_trying(self) -> None:
        """Connect again and again until the board stops; any failure here is tried again."""
        pause_s, waits_s = FIRST_PAUSE_S, 0.0
        while not self._stopping:
            try:
                self._sleep(waits_s)
                self._connect()
            except Unreachable as error:
                self._tell_trouble(str(error))
                pause_s = FIRST_PAUSE_S if self._has_stood else min(2 * pause_s, LONGEST_PAUSE_S)
            except Exception:
                _logger.exception("hall: failed, and tries again")
                pause_s = LONGEST_PAUSE_S
                time.sleep(FIRST_PAUSE_S)  # even if the pause is what failed
            self._connection.drop()
            self._is_here, self._told, self._desk = False, {}, ""
            self._retained, self._settled_ns = set(), None
            waits_s = random.uniform(FIRST_PAUSE_S, max(pause_s, FIRST_PAUSE_S))

    def _connect(self) -> None:
        """Connect and stay, or leave the number to the board that had it first.

        The address that worked last is tried first, and after each failure the next one.
        """
        if self._stopping:
            return
        if not self._was_here:
            self._tried += 1
        self._was_here = False
        try:
            self._connection.open(self._login, self._status("lost", self._n + 1))
            self._stay()
        except _Younger:
            self._stand_aside()

    @property
    def _has_stood(self) -> bool:
        """Whether this connection has lasted: one that ends at once would be retried for ever."""
        return self._is_here and time.monotonic_ns() >= self._here_ns + STANDS_NS

    def _tell_trouble(self, found: str) -> None:
        """Log why the hall is away, once for each reason, and once that it is back: empty."""
        if found != self._trouble:
            self._trouble = found
            _logger.warning("hall: %s", found or f"{self._login.where} is back")

    def _sleep(self, seconds: float) -> None:
        until_s = time.monotonic() + seconds
        while not self._stopping and (left_s := until_s - time.monotonic()) > 0:
            if self._ended:
                self._take_ended()
            self._connection.turn(min(left_s, self._note_the_desk() / SECOND_NS))

    def _stay(self) -> None:
        """Work the connection until the board stops; Unreachable if it ends before that."""
        asked = False
        while not self._stopping:
            if self._connection.is_up and not asked:
                for heard in HEARD_FIRST, HEARD:
                    self._connection.subscribe([self._topic(what) for what in heard])
                asked = True
                if self._twice_ns is not None:  # a board that still stands aside is heard again
                    self._twice_ns = time.monotonic_ns() + TWICE_NS
            self._hear()
            if self._connection.is_subscribed and not self._is_here:
                self._arrive()
            waits_ns = min(
                self._tell(), self._note_the_desk(), self._note_the_number(), self._hand_on()
            )
            self._connection.turn(min(waits_ns / SECOND_NS, LONGEST_WAIT_S))
        self._say_or_clear(What.CALL, None)  # a board that has gone calls nobody
        self._connection.close(self._status("disconnected", self._n))

    def _arrive(self) -> None:
        """Publish everything anew to a broker that may know nothing."""
        self._n += 1
        self._is_here = self._was_here = True
        self._here_ns = time.monotonic_ns()
        self._tell_trouble("")
        self._connection.publish(self._status("ready", self._n))
        self._say(What.ABOUT, self._about)
        if self._home is not None:
            topic = discovery_topic(self._hall.board)
            self._connection.publish(Letter(topic, write(self._home), 1, retain=True))
        now_ns = time.monotonic_ns()
        self._results.outbox.begin_anew(now_ns + ACK_FIRST_NS)
        if self._results.is_unread:
            self._reads_ns = now_ns + ACK_FIRST_NS

    def _status(self, state: str, n: int) -> Letter:
        said = {"v": 1, "state": state, "boot": self._boot, "n": n}
        return Letter(self._topic(What.STATUS), write(said), What.STATUS.qos, What.STATUS.retained)

    def _topic(self, what: What) -> str:
        return what.topic(self._hall.name, self._hall.board)

    def _say(self, what: What, message: Any) -> None:
        """Publish a message that differs from the one before."""
        if self._told.get(what) != message:
            self._told[what] = message
            self._publish(what, message)

    def _publish(self, what: What, message: Any) -> None:
        self._connection.publish(Letter(self._topic(what), write(message), what.qos, what.retained))

    def _hear(self) -> None:
        """Take what has arrived; invalid messages are logged and ignored."""
        for topic, payload in self._connection.arrived():
            try:
                what = read_topic(topic).what
                if what is What.STATUS and self._is_here:
                    self._correct(payload)
                elif payload:
                    self._take(what, read(what, payload))
                else:
                    self._take_cleared(what)
            except BadMessage as bad:
                _logger.warning("hall: %s", bad)
                if topic.endswith(What.ASK.leaf):
                    self._refuse(payload, str(bad))

    def _refuse(self, ask: bytes, why: str) -> None:
        """Answer a question with mistakes, as long as it says which one it is."""
        answer = refusal_of(ask, why, self._boot, self._clock_ns() // MILLISECOND_NS)
        if answer is not None and self._allowance.take(time.monotonic_ns()):
            self._publish(What.ANSWER, answer)

    def _take(self, what: What, said: dict[str, Any]) -> None:
        self._retained.add(what)
        match what:
            case What.ACK:
                with self._lock:
                    written = self._seq
                self._results.acknowledged(said["journals"], written)
            case What.ORDER:
                self._submit(order_of(said, self._clock_ns()))
            case What.HUB:
                self._meet_the_desk(said["boot"] if said["state"] == "ready" else "")
            case What.GONG:
                self._take_gong(said)
            case What.NOTICE:
                self._notices.take(said, self._clock_ns())
            case What.ASK:
                self._hear_ask(said)
            case What.OFFER:
                self._updating.take(said, self._login.host)
            case What.STATUS if said["boot"] != self._boot and said["state"] != "disconnected":
                self._find(said["boot"])  # "lost" may be this board's doing
            case What.TWICE if said["boot"] != self._boot:
                self._use_twice(until_ns=UNTIL_TOLD_NS)

    def _meet_the_desk(self, boot: str) -> None:
        """Note which desk is there, if any; one that comes back is sent what nobody was there for.

        It may have results already: what it acknowledges first is not sent.
        """
        if boot and boot != self._desk:
            self._results.outbox.begin_anew(time.monotonic_ns() + ACK_FIRST_NS)
            if self._settled_ns is None:
                self._settled_ns = time.monotonic_ns() + WITHDRAWN_AFTER_NS
        self._desk = boot

    def _note_withdrawn(self, now_ns: int) -> int:
        """Forget what the desk withdrew while the board was away; return when to look again.

        A broker passes on retained messages, but not that one was cleared.
        """
        far_ns = int(LONGEST_WAIT_S * SECOND_NS)
        if self._settled_ns is None or not self._desk:
            return far_ns
        if now_ns < self._settled_ns:
            return self._settled_ns - now_ns
        for what in {What.NOTICE, What.OFFER} - self._retained:
            self._take_cleared(what)
            self._retained.add(what)
        return far_ns

    def _hear_ask(self, ask: dict[str, Any]) -> None:
        """Answer a question from the hub, and learn what it knows of the board's clock."""
        if not self._allowance.take(time.monotonic_ns()):
            _logger.debug("hall: question %d is not answered: too many", ask["transaction"])
            return
        at_ns = self._clock_ns()
        answer = answer_to(ask, self._boot, at_ns // MILLISECOND_NS)
        try:
            if self._answer(ask, answer, at_ns):
                self._publish(What.ANSWER, answer)
        except (NotDone, BadMessage, JournalError) as refused:
            answer["refused"] = str(refused)
            self._publish(What.ANSWER, answer)

    def _answer(self, ask: dict[str, Any], answer: AnswerMessage, at_ns: int) -> bool:
        """Do what is asked; return False if the answer comes later. Raises NotDone, BadMessage."""
        pair = ask.get("pair")
        if pair is not None and pair["boot"] == self._boot:
            self._pair = pair
        if ask["what"] not in KNOWN:
            raise NotDone(f"what: expected one of {', '.join(KNOWN)}, found {ask['what']!r}")
        if is_late(ask, self._pair, at_ns):
            raise NotDone(f"until_ms: expected an instant to come, found {ask['until_ms']}")
        told = told_by(ask, self._hall.number, at_ns)
        if told is not None:
            self._submit(told)
        elif ask["what"] == "coming":
            self._submit(DeskComes(at_ns))
        elif ask["what"] == "doctor":
            self._consulting.begin(answer)
            return False
        elif ask["what"] == "results":
            answer["results"] = self._results.send_again(ask.get("journal"), ask.get("since", 0))
        return True

    def _take_gong(self, said: dict[str, Any]) -> None:
        gong = gong_of(said, self._hall.board, self._pair, self._clock_ns())
        if gong is not None:
            self._submit(gong)
        elif self._pair is None:
            number = said["gong"]
            _logger.warning("hall: gong %d is not struck: the hub's clock is not known", number)

    def _take_cleared(self, what: What) -> None:
        match what:
            case What.ORDER:
                self._submit(OrderTold(self._clock_ns(), None))
            case What.NOTICE:
                self._notices.take(None, self._clock_ns())
            case What.OFFER:
                self._updating.take(None, self._login.host)
            case What.TWICE if self._twice_ns is not None:
                self._twice_ns = time.monotonic_ns() + ONCE_NS

    def _correct(self, payload: bytes) -> None:
        """Note whether something other than the board's own status is in its place."""
        self._is_wrong = payload != self._status("ready", self._n).payload

    def _correct_later(self, now_ns: int) -> int:
        """Correct that, but not too often; return how long until it may be done again."""
        left_ns = self._corrected_ns + int(LONGEST_WAIT_S * SECOND_NS) - now_ns
        if self._is_wrong and left_ns <= 0:
            self._is_wrong, self._corrected_ns = False, now_ns
            self._connection.publish(self._status("ready", self._n))
        return left_ns if self._is_wrong else int(LONGEST_WAIT_S * SECOND_NS)

    # --- a number that another board has, too ---------------------------------------------

    def _find(self, boot: str) -> None:
        """Note the board that was there before this connection; raises _Younger."""
        if self._n == 0:
            self._found = boot  # it may have gone
            return
        self._use_twice(time.monotonic_ns() + TWICE_NS)
        if boot == self._found:
            raise _Younger

    def _stand_aside(self) -> None:
        """Leave the number to the older board until it is free."""
        self._connection.drop()
        topics = self._topic(What.STATUS), self._topic(What.TWICE)
        with contextlib.suppress(Unreachable):
            stand_aside(
                self._connection, self._hall.doctors_logins[self._address], topics,
                (self._boot, self._found),
                self._goes_on,
            )  # fmt: skip

    def _goes_on(self) -> bool:
        """Do what is due beside a connection that is no board's; False once the board stops."""
        if self._ended:
            self._take_ended()
        self._note_the_desk()
        return not self._stopping

    def _use_twice(self, until_ns: int) -> None:
        """Report to the board that another one has its number, too."""
        if self._twice_ns is None:
            found = f"another board of {self._hall.name} is {self._hall.board}, too"
            self._submit(FaultRaised(self._clock_ns(), self._hall.board, Trouble.TWICE, found))
        self._twice_ns = until_ns

    def _note_the_number(self) -> int:
        """Clear the fault once nobody else has the number; return when to look again."""
        left_ns = int(LONGEST_WAIT_S * SECOND_NS)
        if self._twice_ns is None:
            return left_ns
        left_ns = self._twice_ns - time.monotonic_ns()
        if left_ns <= 0:
            self._twice_ns = None
            self._submit(FaultCleared(self._clock_ns(), self._hall.board, Trouble.TWICE))
        return max(left_ns, 0)

    def _hand_on(self) -> int:
        """Pass the desk's messages for people to the board; return how long until there is more."""
        now_ns = time.monotonic_ns()
        if (answer := self._consulting.finished()) is not None:
            self._publish(What.ANSWER, answer)
        waits_ns = self._notices.hand_on(self._submit, self._pair, self._clock_ns(), now_ns)
        return int(LONGEST_WAIT_S * SECOND_NS) if waits_ns is None else waits_ns

    def _note_the_desk(self) -> int:
        """Report to the board whether the desk is reached; return after how long to look again.

        A desk that is away for only a few seconds is not missed.
        """
        now_ns, far_ns = time.monotonic_ns(), int(LONGEST_WAIT_S * SECOND_NS)
        if self._desk:
            self._away_ns = now_ns
        away = now_ns >= self._away_ns + MISSED_AFTER_NS
        told = (away, self._results.behind)
        if (self._desk or away) and told != self._desk_told:
            self._desk_told = told
            self._submit(DeskTold(self._clock_ns(), *told))
        return far_ns if self._desk or away else self._away_ns + MISSED_AFTER_NS - now_ns

    def _tell(self) -> int:
        """Publish what is due; return after how many nanoseconds something else is."""
        now_ns, far_ns = time.monotonic_ns(), int(LONGEST_WAIT_S * SECOND_NS)
        with self._lock:
            view, seq, shown_ns = self._view, self._view_seq, self._shown_ns
        if self._ended or (self._reads_ns is not None and now_ns >= self._reads_ns):
            self._take_ended()
        if not self._is_here:
            return far_ns
        self._results.name_the_journal()
        waits = [far_ns, self._correct_later(now_ns)]
        if self._reads_ns is not None:
            waits.append(self._reads_ns - now_ns)
        if view is not None:
            waits.append(self._tell_view(view, seq, shown_ns, now_ns))
        waits.append(self._note_withdrawn(now_ns))
        offered = What.OFFER in self._retained
        self._say_or_clear(What.UPDATE, self._updating.look(view if offered else None, now_ns))
        if (looks_ns := self._updating.waits_ns()) is not None:
            waits.append(looks_ns)
        result = self._results.outbox.due(now_ns)
        if result is not None:
            self._publish(What.RESULT, result)
        if (due_ns := self._results.outbox.next_ns()) is not None:
            waits.append(max(due_ns - now_ns, 0))
        return min(waits)

    def _tell_view(self, view: BoardView, seq: int, shown_ns: int, now_ns: int) -> int:
        """Publish what is new in a view; return how long until there is more."""
        if now_ns < shown_ns + AFTER_NS:
            return shown_ns + AFTER_NS - now_ns
        match = match_of(view, self._match[1])
        if (match["order"], match["state"]) != self._match[0]:
            self._match = ((match["order"], match["state"]), self._clock_ns())
            match = match_of(view, self._match[1])
        self._say(What.MATCH, match)
        self._say_or_clear(What.CALL, call_of(view))
        entries = None if view.written is None else view.written.entries
        written = (view.written and view.written.settings, entries)
        if self._told.get(What.RECORD) != written:
            self._told[What.RECORD] = written
            self._publish(What.RECORD, record_of(view, self._results.outbox.journal, seq))
        state = state_of(view.at(view.clock.as_of_ns + now_ns - shown_ns))
        shown = {**state, "clock": view.clock.shown}
        goes_on = self._told.get(What.STATE) == shown
        if goes_on and view.clock.ticks_at_ns is None:
            return int(LONGEST_WAIT_S * SECOND_NS)
        due_ns = self._state_ns + (CLOCK_EACH_NS if goes_on else STATE_EACH_NS)
        if now_ns < due_ns:
            return due_ns - now_ns
        self._state_ns, self._told[What.STATE] = now_ns, shown
        self._publish(What.STATE, state)
        return int(LONGEST_WAIT_S * SECOND_NS)

    def _say_or_clear(self, what: What, message: Any) -> None:
        """Publish a message that differs from the one before; None: clear what is retained there.

        The first of a connection differs in any case: an earlier start may have left one there.
        """
        if self._told.get(what, ()) != message:
            self._told[what] = message
            payload = b"" if message is None else write(message)
            self._connection.publish(Letter(self._topic(what), payload, what.qos, what.retained))

    def _take_ended(self) -> None:
        """Collect the results of matches that have ended, even while nobody can take them."""
        with self._lock:
            self._ended = False
        self._reads_ns = None
        if not self._results.collect():
            self._reads_ns = time.monotonic_ns() + READ_AGAIN_NS
            return
        self._desk_told = None  # the board waits to hear whether the desk has this result
