"""The scorekeeper: what people and the board say to each other, as a table.

Theory of operation. The board is always in one of eight phases:

- *setup* agrees who shoots first;
- *ready* waits for a stroke;
- *falling* lasts from a fall that a beam sees until pockets have been quiet for a while;
- *review* shows the likeliest reading until somebody confirms it;
- *placing* asks for the pieces that the ruling sends back;
- *paused* stops the clock;
- *board_over* and *match_over* show results.

A list (the menu, editing, a question) may be open over a phase and takes the presses meanwhile.
Faults are no phase: they are shown over any.

:mod:`jackspot.dialogue.phases.table` says what each press and each fall does in each phase, and
which phase may come next. A pair that is not in the table does nothing but a low beep.
:func:`step` takes one event and returns the next state and its effects: what to write down (before
anything is shown as confirmed) and which sounds to play.
:func:`~jackspot.dialogue.phases.deadlines.next_wake_ns` returns when the dialogue wants to be
woken; whatever was due before an event is done before it, so late wake-ups change nothing.

Pure: no clock, no file, no thread. Time comes from events.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from jackspot.core.phrases import EMPTY, _
from jackspot.dialogue.actions import attract, free_play
from jackspot.dialogue.actions.absent import question_of, with_objection
from jackspot.dialogue.actions.by_itself import miss_by_itself
from jackspot.dialogue.actions.desk_words import seen
from jackspot.dialogue.actions.gathering import ask_if_due
from jackspot.dialogue.actions.guards import (
    Action,
    asked_next,
    gone_down,
    may_decide,
    reason_to_swallow,
    said_by,
    stands_in,
)
from jackspot.dialogue.actions.settling import time_goes_on
from jackspot.dialogue.actions.shot_clock import shot_after
from jackspot.dialogue.lists.item import shut
from jackspot.dialogue.lists.menu import is_empty, lines_listed, marked_line, still_marked, work
from jackspot.dialogue.lists.sensors import sensor_test, try_button
from jackspot.dialogue.phases.deadlines import is_due, run_until
from jackspot.dialogue.phases.ordered import hear_the_hall
from jackspot.dialogue.phases.picking import point_at
from jackspot.dialogue.phases.sensed import note_fall
from jackspot.dialogue.phases.table import BENEATH_FREE_PLAY, Trigger, lead, take_fall, take_press
from jackspot.dialogue.proposals.heard_misses import shakes_left, waits_for_shots, with_shake
from jackspot.dialogue.proposals.permitted import sure_from
from jackspot.dialogue.restart.snapshots import open_work, snapshot
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch, only_time_passed
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.dialogue.state.transition import Transition, plays
from jackspot.dialogue.state.view import Sound
from jackspot.sensing.events import (
    BeamBroken,
    BeamWhole,
    Button,
    ButtonDown,
    ButtonUp,
    DeskComes,
    DeskTold,
    DiscsListen,
    Fall,
    FaultCleared,
    FaultRaised,
    GongTold,
    HallEvent,
    IdentifyTold,
    KnockHeard,
    NoticeTold,
    OrderTold,
    PlaceTold,
    Press,
    Shaken,
    Tick,
    Trouble,
    beam_wire,
)
from jackspot.sensing.shaking import ENDLESS_NS, STILL_NS
from jackspot.values import changed

DialogueEvent = (
    BeamBroken
    | BeamWhole
    | Fall
    | ButtonDown
    | ButtonUp
    | Press
    | FaultRaised
    | FaultCleared
    | HallEvent
    | Shaken
    | KnockHeard
    | DiscsListen
    | Tick
)
"""What reaches the scorekeeper."""


class Effects(Struct, frozen=True):
    """What the loop must do, in this order: write, then show, then sound."""

    records: tuple[JournalEntry, ...] = ()
    sounds: tuple[Sound, ...] = ()


def step(dialogue: DialogueState, event: DialogueEvent) -> tuple[DialogueState, Effects]:
    """Return the dialogue after an event; on a tick at which nothing is due, only time passes."""
    timing = dialogue.timing
    if isinstance(event, Tick) and not is_due(dialogue, event.at_ns):
        if event.at_ns > timing.now_ns:  # most ticks are for wires
            timing = changed(timing, now_ns=event.at_ns, sequence=timing.sequence + 1)
        return changed(dialogue, timing=timing), Effects()
    return full_step(dialogue, event)


def full_step(dialogue: DialogueState, event: DialogueEvent) -> tuple[DialogueState, Effects]:
    """Take a step with everything in it that can fail, even where nothing is due."""
    if isinstance(event, KnockHeard) and not sure_from(dialogue.settings):
        return dialogue, Effects()  # the board waits for knocks only where something enters itself
    at_ns = event.end_ns if isinstance(event, Fall) else event.at_ns
    transition = Transition(dialogue, max(dialogue.timing.now_ns, at_ns))
    run_until(transition)
    before = transition.dialogue
    if attract.touches(event):
        transition.change_timing(touched_ns=transition.now_ns)
    if isinstance(event, Shaken):
        _feel(transition, event)
    elif isinstance(event, KnockHeard):
        transition.change_timing(still_ns=event.at_ns + STILL_NS)
    elif isinstance(event, DiscsListen):
        transition.change(shakes=())
        _judge_shots_from(transition, event.at_ns + ENDLESS_NS)
    else:
        _take(transition, event)
    _forget_shakes(transition, before)
    if waits_for_shots(transition.dialogue) and not waits_for_shots(dialogue):
        _judge_shots_from(transition, transition.now_ns)
    transition.dialogue = still_marked(before, transition.dialogue)
    if is_empty(transition.dialogue):
        shut(transition)
    if plays(transition):
        lead(transition, Trigger.ZERO, time_goes_on)
    ask_if_due(transition)
    transition.change_timing(shot=shot_after(transition.dialogue, transition.now_ns))
    if dialogue.objections and question_of(dialogue) != question_of(transition.dialogue):
        transition.change(objections=())
    asked = asked_next(
        before, transition.dialogue, transition.now_ns, transition.button, lines_listed
    )
    _note_dialogue(transition, dialogue)
    was, now_ns = dialogue.timing, transition.now_ns
    is_other = (now_ns, asked) != (was.now_ns, was.asked) or transition.dialogue != dialogue
    transition.change_timing(now_ns=now_ns, asked=asked, sequence=was.sequence + is_other)
    return transition.dialogue, Effects(tuple(transition.records), tuple(transition.sounds))


def _feel(transition: Transition, shaken: Shaken) -> None:
    """Keep what shook the board, where it can have been a shot."""
    if isinstance(transition.dialogue, InMatch):
        transition.change(shakes=with_shake(transition.dialogue, shaken.shake))
    if plays(transition):
        miss_by_itself(transition)


def _judge_shots_from(transition: Transition, from_ns: int) -> None:
    """Judge no shot by a shake that began before an instant and is not over yet."""
    already_ns = transition.dialogue.timing.shots_from_ns
    transition.change_timing(shots_from_ns=max(from_ns, already_ns))


def _forget_shakes(transition: Transition, before: DialogueState) -> None:
    """Forget the shakes that are explained by what was entered."""
    after = transition.dialogue
    if not after.shakes:
        return
    if isinstance(before, InMatch) and isinstance(after, InMatch):
        transition.change(shakes=shakes_left(before, after))
    else:
        transition.change(shakes=())


def _note_dialogue(transition: Transition, before: DialogueState) -> None:
    """Write down what is open, if that changed or anything else was written."""
    entered = any(record.kind in FOLLOWED_BY_DESK for record in transition.records)
    if entered or _work_changed(before, transition.dialogue):
        line = marked_line(transition.dialogue)
        transition.record(EntryKind.DESK, **snapshot(transition.dialogue, transition.now_ns, line))


def _work_changed(before: DialogueState, after: DialogueState) -> bool:
    """Return whether anything that a snapshot holds has changed."""
    if only_time_passed(before, after):
        return False
    return open_work(before) != open_work(after)


FOLLOWED_BY_DESK = frozenset(
    {
        EntryKind.MATCH,
        EntryKind.LINE,
        EntryKind.JOIN,
        EntryKind.UNDO,
        EntryKind.REDO,
        EntryKind.TIME_UP,
        EntryKind.LEFT_OUT,
    }
)
"""Entries that change what the open work refers to, or with which the time is noted."""


def _take(transition: Transition, event: DialogueEvent) -> None:
    match event:
        case Press():
            transition.button, transition.down_ns = event.button, event.down_ns
            _press(transition, event)
            transition.change(attract=None)
            seen(transition)
        case Fall():
            transition.change(attract=None)
            if not note_fall(transition, event):
                take_fall(transition, event)
        case ButtonDown():
            transition.change_timing(downs=gone_down(transition.dialogue, event))
            transition.change(attract=None)
            seen(transition)
        case ButtonUp():
            _button_up(transition, event.button)
        case BeamBroken() | BeamWhole():
            _beam(transition, event)
        case FaultRaised():
            _fault(transition, event)
        case FaultCleared():
            _well_again(transition, event)
        case (
            OrderTold()
            | DeskTold()
            | GongTold()
            | DeskComes()
            | PlaceTold()
            | NoticeTold()
            | IdentifyTold()
        ):
            hear_the_hall(transition, event)


# --- presses ---------------------------------------------------------------------------


def _press(transition: Transition, press: Press) -> None:
    """Do what a press means in its phase, unless there is a reason to swallow it."""
    test = sensor_test(transition.dialogue)
    if test is not None and try_button(transition, test, press):
        return
    if _swallowed(transition, press):
        return
    if transition.dialogue.note != EMPTY:
        transition.change(note=EMPTY)
    said = said_by(transition.dialogue, press)
    if press.pick is not None:
        cause = Trigger.LIST if transition.dialogue.menu is not None else said
        if not lead(transition, cause, partial(point_at, pick=press.pick, action=said)):
            return
    menu = transition.dialogue.menu
    action: Action | None = said
    if menu is not None:
        action = lead(transition, Trigger.LIST, partial(work, menu=menu, action=said))
    if action is None:
        return
    free = transition.dialogue.free
    if free is not None and (transition.dialogue.phase, action) not in BENEATH_FREE_PLAY:
        free_play.work(transition, free, action)
        return
    if not take_press(transition, action):
        transition.refuse(_("not now"))


def _swallowed(transition: Transition, press: Press) -> bool:
    """Swallow a press if there is a reason to, and note who is there; return whether it was."""
    swallowed = reason_to_swallow(transition.dialogue, press)
    if swallowed is None and stands_in(transition.dialogue, press):
        transition.record(EntryKind.STOOD_IN, wire=press.button.wire)
    if may_decide(transition.dialogue, press):
        transition.change_timing(answered_ns=transition.now_ns)
    if swallowed is None:
        return False
    if swallowed.objects:
        transition.record(EntryKind.OBJECTION, wire=press.button.wire)
        transition.change(objections=with_objection(transition.dialogue, press.button.place.seat))
    if swallowed.quiet:
        transition.note_swallowed(swallowed.why)
    else:
        transition.refuse(swallowed.why)
    return True


def _button_up(transition: Transition, button: Button) -> None:
    downs = tuple(
        changed(down, held=False) if down.button == button else down
        for down in transition.dialogue.timing.downs
    )
    transition.change_timing(downs=downs)


def _beam(transition: Transition, event: BeamBroken | BeamWhole) -> None:
    if isinstance(event, BeamWhole):
        _whole_again(transition, beam_wire(event.pocket))
    else:
        broken = dict.fromkeys((*transition.dialogue.broken, event.pocket))
        transition.change(broken=tuple(broken))


# --- faults ----------------------------------------------------------------------------


def _fault(transition: Transition, fault: FaultRaised) -> None:
    others = tuple(
        each
        for each in transition.dialogue.faults
        if (each.part, each.trouble) != (fault.part, fault.trouble)
    )
    transition.change(faults=(*others, fault))
    if fault.trouble is not Trouble.LOST:  # the edges that come next tell whether it is whole
        _whole_again(transition, fault.part)
    transition.record(
        EntryKind.FAULT, part=fault.part, trouble=fault.trouble.value, detail=fault.detail
    )


def _whole_again(transition: Transition, wire: str) -> None:
    broken = transition.dialogue.broken
    transition.change(broken=tuple(each for each in broken if beam_wire(each) != wire))


def _well_again(transition: Transition, fault: FaultCleared) -> None:
    left = tuple(
        each
        for each in transition.dialogue.faults
        if (each.part, each.trouble) != (fault.part, fault.trouble)
    )
    if left != transition.dialogue.faults:
        transition.change(faults=left)
        transition.record(EntryKind.CLEARED, part=fault.part, trouble=fault.trouble.value)


SEEN_WITH_AN_ENTRY = frozenset(
    {Trouble.LOST, Trouble.MISFIT, Trouble.OVERFLOW, Trouble.SET_ASIDE, Trouble.UNREAD}
)
"""Faults that are over once people have looked at the counts."""

GOES_ON = ("sensor_hub", Trouble.MISFIT)
"""While a sensor hub's discs are not those of the calibration, a look changes nothing."""


def seen_faults(
    dialogue: DialogueState, entries: Sequence[JournalEntry], now_ns: int
) -> list[FaultCleared]:
    """Clear faults that only ask for a look at the counts: an entry shows that people looked."""
    if not any(entry.kind in (EntryKind.MATCH, EntryKind.LINE) for entry in entries):
        return []
    return [
        FaultCleared(now_ns, fault.part, fault.trouble)
        for fault in dialogue.faults
        if fault.trouble in SEEN_WITH_AN_ENTRY and (fault.part, fault.trouble) != GOES_ON
    ]
