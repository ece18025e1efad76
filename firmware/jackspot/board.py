"""The board: one loop that owns all state.

Theory of operation. Drivers, pages and displays put frozen events into one bounded queue. The loop
takes an event, passes it through signals, falls and the scorekeeper, writes down what they want
written, and only then shows and sounds. This is record before show: nothing is shown as confirmed
that a power cut could take back. Between events it sleeps until the queue has something or the
dialogue wants to be woken. Displays have their own threads and mailboxes; nothing here waits for
one.
"""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct, field

from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Pocket
from jackspot.dialogue.phases.deadlines import is_due, next_wake_ns
from jackspot.dialogue.phases.failures import STARTS_ALLOWED, failure, put_aside, stay
from jackspot.dialogue.phases.scorekeeper import DialogueEvent, Effects, seen_faults, step
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.show.showing import looks_alike, show, visible_part
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import UNCONFIRMED, EntryKind, JournalEntry
from jackspot.dialogue.state.listener import EventListener
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.dialogue.words.stick_words import gone_at_ns, stick_notice
from jackspot.inputs.edges import FIRST_LOOK_NS, InputsPort
from jackspot.inputs.queue import EventSource, SourceClosed
from jackspot.sensing.buttons import earliest
from jackspot.sensing.by_heads import ByHeads
from jackspot.sensing.colours import Colours
from jackspot.sensing.events import (
    Button,
    ButtonDown,
    ButtonUp,
    ColourSeen,
    DeskComes,
    DeskTold,
    DiscsListen,
    Edge,
    Event,
    Fall,
    FaultCleared,
    FaultRaised,
    GongTold,
    HubEvent,
    IdentifyTold,
    KnockHeard,
    NoticeTold,
    OrderTold,
    PlaceTold,
    Press,
    Pulse,
    StickTold,
    Tick,
    Trouble,
)
from jackspot.sensing.falls import Falls
from jackspot.sensing.limits import Limits
from jackspot.sensing.shaking import Shaking
from jackspot.sensing.signals import Signals
from jackspot.storage.entries import StoredEntry
from jackspot.storage.errors import BadEntry
from jackspot.storage.keeper import PART, Keeper
from jackspot.values import changed

_logger = logging.getLogger(__name__)

DISK_RETRY_NS = 5_000_000_000
"""How often writing is retried for entries that wait for the disk."""
SETTLE_AFTER_NS = 2 * SECOND_NS
"""After this long, unconfirmed entries are forced to the disk, at a moment when nothing waits. A
long log is shortened once nobody has done anything for as long.

Usually people confirm earlier: then they are forced once, with the confirmation, not twice.
"""
SETTLE_BY_NS = 3 * SECOND_NS
"""After this long they are forced even if there is no such moment."""

CHANGES_AT_ONCE = 8
"""At most this many faults that begin or end are dealt with after one event."""

REST_AFTER_FAILURE_NS = SECOND_NS
"""After a failure, timed work waits this long, so that a repeated failure blocks nothing."""

SURVIVED_NS = 20 * SECOND_NS
"""A start that lasts this long has succeeded: longer than the service manager waits for a sign."""


class DisplayPort(Protocol):
    """A display as the loop knows it: posting never waits."""

    @property
    def name(self) -> str:
        """Its name in faults."""

    def start(self) -> None:
        """Start showing."""

    def post(self, view: BoardView) -> None:
        """Show this view as soon as possible."""

    def post_sound(self, sound: Sound) -> None:
        """Play a sound, if it can."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop; False if it is still busy."""


class WatchdogPort(Protocol):
    """The watchdog, which is told that the loop is alive."""

    @property
    def interval_ns(self) -> int | None:
        """How often it wants to be told; None: never."""

    def ready(self) -> None:
        """Report that the board is up."""

    def feed(self) -> None:
        """Report that the loop is alive."""

    def stopping(self) -> None:
        """Report that the board is stopping in order."""


class BoardParts(Struct, frozen=True):
    """The parts of which a board is assembled. ``wires`` are the inputs that exist.

    ``hold_offs`` are theirs, in nanoseconds, if not the usual ones. ``listeners`` hear events,
    entries and views.
    """

    source: EventSource
    inputs: InputsPort
    keeper: Keeper
    watchdog: WatchdogPort
    wires: tuple[Pocket | Button, ...]
    hold_offs: Mapping[Pocket | Button, int] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    dialogue_settings: DialogueSettings = field(default_factory=DialogueSettings)
    plan: Plan = field(default_factory=Plan)
    listeners: tuple[EventListener, ...] = ()


class Board:
    """A board that keeps score. :meth:`run` returns when its event source is closed."""

    def __init__(self, parts: BoardParts, displays: Sequence[DisplayPort]) -> None:
        self._parts = parts
        self._displays = tuple(displays)
        self._listeners = parts.listeners
        now_ns = parts.source.now_ns()
        self._starts_failed = parts.keeper.begin(EntryKind.DESK.value)
        restored = restore(parts.keeper.entries, parts.dialogue_settings, parts.plan, now_ns)
        unread = (*_left_out(parts.keeper.skipped), *restored.troubles)
        for told in (*unread, *parts.keeper.notices):
            _logger.warning("journal: %s", told)
        self._unread = "; ".join(unread)
        self._restored_ns = now_ns
        self._dialogue = restored.dialogue
        self._survived = False
        self._falls = Falls.at_start(parts.limits, restored.next_fall)
        self._signals = Signals.at_start(
            parts.limits, parts.wires, now_ns, hold_offs=parts.hold_offs
        )
        self._shaking = Shaking()
        self._colours = Colours()
        self._by_heads = ByHeads()
        self._view: BoardView | None = None
        self._seen: tuple[object, ...] = ()
        self._fed_ns = now_ns
        self._tried_ns = now_ns
        self._settle_ns: int | None = None
        self._touched_ns = now_ns
        """When somebody last did something at the table."""
        self._changes: list[FaultRaised | FaultCleared] = []
        """Faults that began or ended, which the dialogue has not heard of yet."""
        self._look_ns: int | None = None
        self._notices = 0
        self._stick: StickTold | None = None
        self._shut_down = False
        self._calibration = False
        self._failed_ns: int | None = None

    @property
    def was_shut_down(self) -> bool:
        """Whether people shut the board down from its menu: the machine may be switched off."""
        return self._shut_down

    @property
    def wants_calibration(self) -> bool:
        """Whether the board ended for a calibration that people asked for in its menu."""
        return self._calibration

    @property
    def dialogue(self) -> DialogueState:
        """What is open now, for tests and observers; only the loop changes it."""
        return self._dialogue

    @property
    def is_free(self) -> bool:
        """Whether no match is on, so that a restart disturbs nobody."""
        return self._dialogue.phase in (Phase.SETUP, Phase.MATCH_OVER)

    def run(self, is_renewed: Callable[[], bool] = lambda: False) -> None:
        """Run until the source is closed or people shut the board down, then stop in order.

        Once ``is_renewed`` says that a newer version waits to be started, it also ends as soon as
        no match is on. This is checked after each event.
        """
        self.start()
        try:
            while not (self._shut_down or self._calibration or (is_renewed() and self.is_free)):
                self.turn()
        except SourceClosed:
            _logger.info("stopping")
        finally:
            self.stop()

    def turn(self, by_ns: int | None = None) -> bool:
        """Take the next event, or the tick that is due; False if ``by_ns`` comes before both.

        Raises :class:`SourceClosed` once the source is closed.
        """
        wake_ns, settle_ns = self._wake_ns(), self._settle_ns
        if settle_ns is not None and self._is_overdue(settle_ns):
            self._settle()
            return True
        due_ns = earliest((wake_ns, by_ns, settle_ns))
        event = self._parts.source.next(due_ns)
        if event is None:
            if settle_ns is not None and settle_ns == due_ns:
                self._settle()
                return True
            if by_ns is not None and (wake_ns is None or by_ns < wake_ns):
                return False
            self._look()
            # The instant that was waited for, however late it was: nothing that
            # happened in between, such as a button let go, has been taken yet.
            event = Tick(max(wake_ns or 0, self._dialogue.timing.now_ns))
        self.take(event)
        return True

    def start(self) -> None:
        """Start displays and inputs, show the first view, report that the board is up."""
        for display in self._displays:
            display.start()
        now_ns = self._parts.source.now_ns()  # before: a wire may change while others are opened
        active = self._parts.inputs.start()
        self._tell(lambda listener: listener.started(self._restored_ns, now_ns, active))
        self._signals = Signals.at_start(
            self._parts.limits, self._parts.wires, now_ns, active, self._parts.hold_offs
        )
        if self._starts_failed >= STARTS_ALLOWED:
            why = RuntimeError(f"{self._starts_failed} starts from this dialogue failed")
            self._put_aside(why, "start")
        self._serve(self._parts.keeper.retry(now_ns))
        self._serve((*self._set_aside(now_ns), *self._left_unread(now_ns), Tick(now_ns)))
        self._parts.watchdog.ready()

    def stop(self) -> None:
        """Release inputs, displays and journal.

        If people shut the board down, its last picture says so, once everything is written.
        """
        if not self._calibration:
            self._parts.watchdog.stopping()
        if self._shut_down and self._view is not None:
            self._parts.keeper.close(self._parts.source.now_ns())
            self._post(changed(self._view, menu=None, hold=None, notice=None, farewell=True))
        for display in self._displays:
            if not display.stop():
                _logger.warning("display %s did not stop in time", display.name)
        self._parts.inputs.close()
        if lost := self._parts.keeper.close(self._parts.source.now_ns()):
            _logger.error("journal: %d entries are lost: the disk did not take them", lost)
        stopped_ns = self._parts.source.now_ns()
        self._tell(lambda listener: listener.stopped(stopped_ns))

    def take(self, event: Event) -> None:
        """Take one event all the way to the displays."""
        self._tell(lambda listener: listener.took(event))
        try:
            self._deal_with(event)
        except Exception as error:  # noqa: BLE001  no event ends the loop
            self._failed(event, error)
        self._feed()
        if not self._survived and event.at_ns >= self._restored_ns + SURVIVED_NS:
            self._survived = True
            self._try("note that the start succeeded", self._parts.keeper.survived)

    def _deal_with(self, event: Event) -> None:
        """Process one event. Every step known to be able to fail has its own net."""
        try:
            made = self._sensed(event)
        except Exception as error:  # noqa: BLE001  no event ends the loop
            self._failed(event, error)
            self._keep((failure(self._dialogue, repr(event), trace_of(error), event.at_ns),))
            made = ()
        for each in made:
            if isinstance(each, FaultRaised):
                _logger.warning("%s: %s", each.part, each.detail or each.trouble)
            elif isinstance(each, FaultCleared):
                _logger.info("%s: no longer %s", each.part, each.trouble)
        if isinstance(event, Edge | ButtonDown | KnockHeard):
            self._touched_ns = event.at_ns
        if isinstance(event, Edge):
            self._look_ns = earliest((self._look_ns, event.at_ns + FIRST_LOOK_NS))
        if isinstance(event, Tick) and len(made) == 1 and not self._is_awaited(event):
            self._keep(self._step(event).records)  # it was for the wires
        elif made or not isinstance(event, Edge | HubEvent):
            self._serve(made)  # most edges of a storm make nothing

    def _is_awaited(self, tick: Tick) -> bool:
        """Whether a tick that made nothing else can change anything but time.

        The bar of a held button goes away with the first tick after it is full.
        """
        held = any(down.held for down in self._dialogue.timing.downs)
        told = self._parts.keeper.in_trouble or self._stick is not None
        return held or told or self._ticks(tick.at_ns) or is_due(self._dialogue, tick.at_ns)

    def _sensed(self, event: Event) -> Sequence[DialogueEvent]:
        """Return what signals and falls make of an event."""
        match event:
            case FaultRaised() | FaultCleared() | Press():
                return (event,)
            case (
                OrderTold()
                | DeskTold()
                | GongTold()
                | DeskComes()
                | PlaceTold()
                | NoticeTold()
                | IdentifyTold()
            ):
                return (event,)
            case ColourSeen():
                self._colours = self._colours.step(event)
                self._by_heads = self._by_heads.step(event)
                return ()
            case KnockHeard() | DiscsListen():
                self._shaking, shaken = self._shaking.step(event)
                return shaken
            case StickTold():
                self._stick = event
                _logger.info("stick: %s", event.stick)
                return (Tick(event.at_ns),)
            case Edge() | ButtonDown() | ButtonUp() | Tick():
                self._signals, signals = self._signals.step(event)
        made: list[DialogueEvent] = []
        for signal in signals:
            if isinstance(signal, Pulse):
                self._falls, fall = self._falls.step(signal)
                self._shaking, fall = self._shaking.told_of(fall)
                self._colours, fall = self._colours.told_of(fall)
                self._by_heads = self._by_heads.told_of(fall)
                made.append(fall)
            else:
                made.append(signal)
        if isinstance(event, Tick):
            self._shaking, shaken = self._shaking.rest(event.at_ns)
            self._colours, grown = self._colours.rest(event.at_ns)
            made += [*shaken, *grown, *self._seen_by_heads(event.at_ns), event]
        return made

    def _seen_by_heads(self, at_ns: int) -> Iterator[Fall]:
        """Yield what passed colour heads without breaking a beam."""
        if not self._by_heads.waits:
            return
        self._by_heads, seen = self._by_heads.rest(at_ns, self._signals.broken)
        for frames in seen:
            self._falls, fall = self._falls.seen_by_head(frames)
            self._shaking, fall = self._shaking.told_of(fall)
            yield fall

    def _serve(self, events: Iterable[DialogueEvent]) -> None:
        """Step the dialogue through events, write the entries, then show, then sound."""
        records: list[JournalEntry] = []
        sounds: list[Sound] = []
        before = self._dialogue
        for event in events:
            effects = self._step(event)
            records += effects.records
            sounds += effects.sounds
        try:
            self._write(records)
        except BadEntry as error:  # nothing of it is kept, so nothing of it may be shown
            self._dialogue, sounds = before, [Sound.REFUSED]
            self._put_aside(error, "write")
        self._show()
        if self._parts.source.is_real_time:  # else nothing holds a picture back
            timing = self._dialogue.timing.shown(self._parts.source.now_ns(), before.timing)
            if timing is not self._dialogue.timing:
                self._dialogue = changed(self._dialogue, timing=timing)
        for sound in sounds:
            for display in self._displays:
                self._try("sound", partial(display.post_sound, sound))
        kinds = {record.kind for record in records}
        if EntryKind.SHUTDOWN in kinds:
            self._shut_down = not self._parts.keeper.waiting  # else the disk comes first
        self._calibration |= EntryKind.CALIBRATION in kinds
        if EntryKind.MATCH_END in kinds:
            self._try("back up", self._parts.keeper.back_up)

    def _try(self, what: str, call: Callable[[], object]) -> None:
        """Do something the game does not depend on: a failure is logged and play goes on."""
        try:
            call()
        except Exception:
            self._failed_ns = self._parts.source.now_ns()
            _logger.critical("failed to %s", what, exc_info=True)

    def _step(self, event: DialogueEvent) -> Effects:
        """Step the dialogue; if that fails, the dialogue stays as it was and people are told."""
        try:
            self._dialogue, effects = step(self._dialogue, event)
        except Exception as error:  # noqa: BLE001  no event ends the loop
            self._failed(event, error)
            self._dialogue, effects = stay(self._dialogue, event, trace_of(error))
        return effects

    def _failed(self, what: object, error: Exception) -> None:
        """Record that the program failed at something, for the log and for observers."""
        self._failed_ns = self._parts.source.now_ns()
        _logger.critical("failed at %r, nothing was changed", what, exc_info=error)

    def _put_aside(self, error: Exception, why: str) -> None:
        """Put aside what is open if a dialogue cannot be shown or waited on."""
        self._failed(why, error)
        at_ns = self._dialogue.timing.now_ns
        failed = failure(self._dialogue, why, trace_of(error), at_ns)
        self._dialogue, effects = put_aside(self._dialogue, at_ns)
        self._keep((failed, *effects.records))

    def _write(self, records: Sequence[JournalEntry]) -> None:
        """Write entries; a disk that fails becomes a fault on the displays."""
        now_ns = self._parts.source.now_ns()
        self._changes += self._append(records)
        due = self._parts.keeper.in_trouble and now_ns >= self._tried_ns + DISK_RETRY_NS
        if due and not records:
            self._tried_ns = now_ns
            self._changes += self._parts.keeper.retry(now_ns)
        self._changes += self._set_aside(now_ns)
        self._changes += seen_faults(self._dialogue, records, now_ns)
        self._keep(())

    def _keep(self, records: Sequence[JournalEntry]) -> None:
        """Write entries, and those of faults that this raises or clears.

        Writing these can raise or clear one as well; a disk that does so without end is dealt with
        a little at a time.
        """
        self._changes += self._append(records)
        for _ in range(CHANGES_AT_ONCE):
            if not self._changes:
                break
            change = self._changes.pop(0)
            self._changes += self._append(self._step(self._in_order(change)).records)

    def _in_order(self, change: FaultRaised | FaultCleared) -> FaultRaised | FaultCleared:
        """Return a fault of the board's own no later than the dialogue: older events may wait."""
        return changed(change, at_ns=min(change.at_ns, self._dialogue.timing.now_ns))

    def _append(self, records: Sequence[JournalEntry]) -> Sequence[FaultRaised | FaultCleared]:
        """Give entries to the journal, then to the listeners; return faults that began or ended.

        If nothing was confirmed, nothing waits for the disk.
        """
        forced = not all(record.kind in UNCONFIRMED for record in records)
        changes = self._parts.keeper.append(records, forced=forced)
        if self._parts.keeper.is_settled:
            self._settle_ns = None
        elif self._settle_ns is None:
            self._settle_ns = self._parts.source.now_ns() + SETTLE_AFTER_NS
        if records:
            self._tell(lambda listener: listener.wrote(records))
        return changes

    def _is_overdue(self, settle_ns: int) -> bool:
        return self._parts.source.now_ns() >= settle_ns - SETTLE_AFTER_NS + SETTLE_BY_NS

    def _settle(self) -> None:
        """Let the journal do what no entry waited for."""
        now_ns = self._parts.source.now_ns()
        at_rest = now_ns >= self._touched_ns + SETTLE_AFTER_NS
        self._settle_ns = None
        if changes := self._parts.keeper.settle(now_ns, at_rest=at_rest):
            self._serve(self._in_order(each) for each in changes)
        if not at_rest and not self._parts.keeper.is_settled:
            self._settle_ns = now_ns + SETTLE_AFTER_NS

    def _tell(self, call: Callable[[EventListener], None]) -> None:
        """Call every listener; one that fails is not called again."""
        for listener in self._listeners:
            try:
                call(listener)
            except Exception:
                _logger.exception("%s failed, and is told nothing more", type(listener).__name__)
                self._listeners = tuple(each for each in self._listeners if each is not listener)

    def _set_aside(self, now_ns: int) -> list[FaultRaised]:
        """Return a fault for each journal set aside since the last call."""
        new = self._parts.keeper.notices[self._notices :]
        self._notices += len(new)
        return [FaultRaised(now_ns, PART, Trouble.SET_ASIDE, str(notice)) for notice in new]

    def _left_unread(self, now_ns: int) -> list[FaultRaised]:
        """Return a fault for entries of the journal that could not be taken up again."""
        unread = FaultRaised(now_ns, PART, Trouble.UNREAD, self._unread)
        return [unread] if self._unread else []

    def _show(self) -> None:
        """Post a view if anything visible changed."""
        if self._stick is not None and self._dialogue.timing.now_ns >= gone_at_ns(self._stick):
            self._stick = None
        seen = (*visible_part(self._dialogue), self._stick)
        ticks = self._ticks(self._dialogue.timing.now_ns)
        if seen == self._seen and not ticks:
            return
        self._seen = seen
        try:
            view = show(self._dialogue, self._dialogue.timing.now_ns)
        except Exception as error:  # noqa: BLE001  no dialogue ends the loop
            self._put_aside(error, "show")
            view = show(self._dialogue, self._dialogue.timing.now_ns)
        if (told := self._stick) is not None:
            notice = stick_notice(told.stick, told.about, told.number)
            view = changed(view, notice=notice)
        if self._view is not None and not ticks and looks_alike(self._view, view):
            return
        self._post(view)

    def _ticks_at_ns(self) -> int | None:
        """Return when a displayed clock must be updated; None if displays count on their own."""
        if self._view is None or self._parts.source.is_real_time:
            return None
        return self._view.ticks_at_ns

    def _ticks(self, now_ns: int) -> bool:
        """Whether a displayed clock must be updated by an instant."""
        ticks_at_ns = self._ticks_at_ns()
        return ticks_at_ns is not None and ticks_at_ns <= now_ns

    def _post(self, view: BoardView) -> None:
        """Post the next view to every display."""
        number = self._view.sequence + 1 if self._view is not None else 1
        self._view = shown = changed(view, sequence=number)
        for display in self._displays:
            self._try("show", partial(display.post, shown))
        self._tell(lambda listener: listener.showed(shown))

    def _look(self) -> None:
        """Let the inputs compare the wires with what they reported, when that is due."""
        now_ns = self._parts.source.now_ns()
        if self._look_ns is None or now_ns >= self._look_ns:
            self._try("look at the wires", partial(self._look_at_the_wires, now_ns))

    def _look_at_the_wires(self, now_ns: int) -> None:
        self._look_ns = None  # if it fails, the next edge leads to another look
        self._look_ns = self._parts.inputs.look(now_ns)

    def _feed(self) -> None:
        """Feed the watchdog as often as it wants."""
        interval_ns = self._parts.watchdog.interval_ns
        now_ns = self._parts.source.now_ns()
        if interval_ns is not None and now_ns >= self._fed_ns + interval_ns:
            self._fed_ns = now_ns
            self._try("feed the watchdog", self._parts.watchdog.feed)

    def _wake_ns(self) -> int | None:
        """Return when the loop must be woken at the latest."""
        try:
            wake_ns = next_wake_ns(self._dialogue)
        except Exception as error:  # noqa: BLE001  no dialogue ends the loop
            self._put_aside(error, "wait")
            wake_ns = next_wake_ns(self._dialogue)
        if wake_ns is not None and self._failed_ns is not None:
            wake_ns = max(wake_ns, self._failed_ns + REST_AFTER_FAILURE_NS)
        times = [wake_ns, self._ticks_at_ns(), self._signals.next_wake_ns(), self._look_ns]
        times += [self._shaking.next_wake_ns(), self._colours.next_wake_ns()]
        if self._by_heads.waits:
            times.append(self._by_heads.next_wake_ns(self._signals.broken))
        interval_ns = self._parts.watchdog.interval_ns
        if interval_ns is not None:
            times.append(self._fed_ns + interval_ns)
        if self._parts.keeper.in_trouble:
            times.append(self._tried_ns + DISK_RETRY_NS)
        if self._stick is not None:
            times.append(gone_at_ns(self._stick))
        return earliest(times)


def _left_out(skipped: Iterable[StoredEntry]) -> Iterator[str]:
    """Yield a line for each kind of entry that another version wrote and this one does not know."""
    for kind, count in Counter(entry.kind for entry in skipped).items():
        yield (
            f"entries of kind {kind!r}: {count} left out, since another version wrote them; "
            "they stay in the journal"
        )


def trace_of(error: Exception) -> str:
    """Return the traceback of an error, as text."""
    return "".join(traceback.format_exception(error))
