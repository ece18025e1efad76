"""The scorekeeper: what people and the board say to each other, as a table.

Theory of operation. The board is always in one of eight phases. *setup* agrees who shoots
first; *ready* waits for a stroke; when a beam sees a fall it is *falling* until pockets have
been quiet for a while; then the likeliest reading lies in *review* until somebody confirms
it; what the ruling sends back is put on the table in *placing*; *paused* stops the clock;
*board_over* and *match_over* show results. A list (the menu, editing, a question) may lie
over a phase and takes the presses meanwhile. Faults are no phase: they are shown over any.

:data:`~jackspot.dialogue.phases.presses.TABLE` says what each press does in each phase,
:data:`~jackspot.dialogue.phases.sensed.FALLS` what a fall does. A pair that is not in the table
does nothing but a low beep. :func:`step` takes one event to the next desk and its effects: what to
write down (before anything is shown as confirmed) and what to let be heard.
:func:`~jackspot.dialogue.phases.deadlines.next_wake_ns` says when the desk wants to be woken;
whatever was due before an event is done before it, so late wake-ups change nothing.

Pure: no clock, no file, no thread. Time comes from events.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackspot.core.phrases import EMPTY, _
from jackspot.core.values import same
from jackspot.dialogue.lists.menu import lines_listed, marked_line, still_marked, work
from jackspot.dialogue.lists.sensors import is_trying, try_button
from jackspot.dialogue.phases.deadlines import run_until
from jackspot.dialogue.phases.picking import point_at
from jackspot.dialogue.phases.presses import BENEATH_FREE_PLAY, TABLE
from jackspot.dialogue.phases.sensed import take_fall
from jackspot.dialogue.restart.snapshots import open_work, snapshot
from jackspot.dialogue.state.desk import Desk, still_parts
from jackspot.dialogue.state.entries import JournalEntry, Kind
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import Sound
from jackspot.dialogue.steps import attract, free_play
from jackspot.dialogue.steps.absent import question_of, with_objection
from jackspot.dialogue.steps.gathering import ask_if_due
from jackspot.dialogue.steps.guards import (
    Action,
    asked_next,
    gone_down,
    may_decide,
    reason_to_swallow,
    said_by,
    stands_in,
)
from jackspot.dialogue.steps.settling import time_goes_on
from jackspot.dialogue.steps.shot_clock import shot_after
from jackspot.sensing.events import (
    BeamBroken,
    Button,
    ButtonDown,
    ButtonUp,
    Fall,
    FaultCleared,
    FaultRaised,
    Press,
    Tick,
    beam_wire,
)

DeskEvent = BeamBroken | Fall | ButtonDown | ButtonUp | Press | FaultRaised | FaultCleared | Tick
"""What reaches the scorekeeper."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What the loop must do, in this order: write, then show, then sound."""

    records: tuple[JournalEntry, ...] = ()
    sounds: tuple[Sound, ...] = ()


def step(desk: Desk, event: DeskEvent) -> tuple[Desk, Effects]:
    """Take one event to the next desk."""
    at_ns = event.end_ns if isinstance(event, Fall) else event.at_ns
    talk = Talk(desk, max(desk.now_ns, at_ns))
    run_until(talk)
    before = talk.desk
    if attract.touches(event):
        talk.change(touched_ns=talk.now_ns)
    _take(talk, event)
    talk.desk = still_marked(before, talk.desk)
    time_goes_on(talk)
    ask_if_due(talk)
    talk.change(shot=shot_after(talk.desk, talk.now_ns))
    if desk.objections and question_of(desk) != question_of(talk.desk):
        talk.change(objections=())
    asked = asked_next(before, talk.desk, talk.now_ns, talk.button, lines_listed)
    talk.change(now_ns=talk.now_ns, asked=asked)
    _note_desk(talk, desk)
    if talk.desk != desk:
        talk.change(sequence=desk.sequence + 1)
    return talk.desk, Effects(tuple(talk.records), tuple(talk.sounds))


def _note_desk(talk: Talk, before: Desk) -> None:
    """Write down what is open, where that changed or anything else was written."""
    entered = any(record.kind in FOLLOWED_BY_DESK for record in talk.records)
    if entered or _work_changed(before, talk.desk):
        line = marked_line(talk.desk)
        talk.record(Kind.DESK, **snapshot(talk.desk, talk.now_ns, line))


def _work_changed(before: Desk, after: Desk) -> bool:
    """Tell whether anything that a snapshot holds is another than it was."""
    if same(still_parts(before), still_parts(after)):
        return False
    return open_work(before) != open_work(after)


FOLLOWED_BY_DESK = frozenset(
    {Kind.MATCH, Kind.LINE, Kind.JOIN, Kind.UNDO, Kind.REDO, Kind.TIME_UP, Kind.LEFT_OUT}
)
"""Entries that change what the open work refers to, or that time is noted with."""


def _take(talk: Talk, event: DeskEvent) -> None:
    match event:
        case Press():
            talk.button, talk.down_ns = event.button, event.down_ns
            _press(talk, event)
            talk.change(attract=None)
        case Fall():
            talk.change(attract=None)
            take_fall(talk, event)
        case ButtonDown():
            talk.change(downs=gone_down(talk.desk, event), attract=None)
        case ButtonUp():
            _button_up(talk, event.button)
        case BeamBroken():
            talk.change(broken=tuple(dict.fromkeys((*talk.desk.broken, event.pocket))))
        case FaultRaised():
            _fault(talk, event)
        case FaultCleared():
            _well_again(talk, event)
        case Tick():
            pass


# --- presses ---------------------------------------------------------------------------


def _press(talk: Talk, press: Press) -> None:
    """Let a press mean what its phase says, unless there is a reason to swallow it."""
    if is_trying(talk.desk) and try_button(talk, press):
        return
    if _swallowed(talk, press):
        return
    if talk.desk.note != EMPTY:
        talk.change(note=EMPTY)
    said = said_by(talk.desk, press)
    if press.pick is not None and not point_at(talk, press.pick, said):
        return
    action = said if talk.desk.menu is None else work(talk, said)
    if action is None:
        return
    if talk.desk.free is not None and (talk.desk.phase, action) not in BENEATH_FREE_PLAY:
        free_play.work(talk, action)
        return
    handler = TABLE.get((talk.desk.phase, action)) or TABLE.get((talk.desk.phase, _plain(action)))
    if handler is None:
        talk.refuse(_("not now"))
        return
    handler(talk)


def _swallowed(talk: Talk, press: Press) -> bool:
    """Swallow a press that there is a reason for, and note who is there; tell whether."""
    swallowed = reason_to_swallow(talk.desk, press)
    if swallowed is None and stands_in(talk.desk, press):
        talk.record(Kind.STOOD_IN, wire=press.button.wire)
    if may_decide(talk.desk, press):
        talk.change(answered_ns=talk.now_ns)
    if swallowed is None:
        return False
    if swallowed.objects:
        talk.record(Kind.OBJECTION, wire=press.button.wire)
        talk.change(objections=with_objection(talk.desk, press.button.place.seat))
    if swallowed.quiet:
        talk.note_swallowed(swallowed.why)
    else:
        talk.refuse(swallowed.why)
    return True


def _plain(action: Action) -> Action:
    """Take a held OK for an OK where holding says nothing more; never a held FIX."""
    return Action.OK if action is Action.OK_HELD else action


def _button_up(talk: Talk, button: Button) -> None:
    downs = tuple(
        replace(down, held=False) if down.button == button else down for down in talk.desk.downs
    )
    talk.change(downs=downs)


# --- faults ----------------------------------------------------------------------------


def _fault(talk: Talk, fault: FaultRaised) -> None:
    others = tuple(
        each
        for each in talk.desk.faults
        if (each.part, each.trouble) != (fault.part, fault.trouble)
    )
    whole = tuple(each for each in talk.desk.broken if beam_wire(each) != fault.part)
    talk.change(faults=(*others, fault), broken=whole)
    talk.record(Kind.FAULT, part=fault.part, trouble=fault.trouble.value, detail=fault.detail)


def _well_again(talk: Talk, fault: FaultCleared) -> None:
    left = tuple(
        each
        for each in talk.desk.faults
        if (each.part, each.trouble) != (fault.part, fault.trouble)
    )
    if left != talk.desk.faults:
        talk.change(faults=left)
        talk.record(Kind.CLEARED, part=fault.part, trouble=fault.trouble.value)
