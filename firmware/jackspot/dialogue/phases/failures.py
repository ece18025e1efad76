"""A net under the dialogue: whatever makes a step fail, the board plays on.

Theory of operation. :func:`jackspot.dialogue.phases.scorekeeper.step` is a function of values, so a
step that raises leaves the dialogue as it was. :func:`stay` goes on from there: time passes, people
are told that nothing was changed, and the event and the traceback go into the journal. Where time
itself cannot pass, because something that is due on its own fails each time, everything that is
open is put aside (:func:`put_aside`). Falls are written down as settled by nobody, entered lines
stay, and people compare table and counts before play goes on.

It is a net and not a licence: it catches mistakes in the program, and tests fail on them.
"""

from __future__ import annotations

from jackspot.core.phrases import _
from jackspot.core.record import write_entry
from jackspot.dialogue.phases.scorekeeper import DialogueEvent, Effects, full_step
from jackspot.dialogue.proposals.open_falls import open_falls
from jackspot.dialogue.restart.restoring import phase_of
from jackspot.dialogue.restart.snapshots import snapshot
from jackspot.dialogue.state.dialogue_state import DialogueState, Glance, with_game
from jackspot.dialogue.state.entries import EntryKind, JournalEntry, Json
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.hall_state import HallState
from jackspot.dialogue.state.question import AtRest, Paused
from jackspot.dialogue.state.timing import Asked, Timing
from jackspot.dialogue.state.transition import left_out
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import Fall, Tick
from jackspot.values import changed

MOST_TRACE = 4_000
"""How many characters of a traceback are kept: the last ones, which say where it failed."""

STARTS_ALLOWED = 2
"""After this many failed starts on the same dialogue, what is open on it is put aside."""


def stay(
    dialogue: DialogueState, event: DialogueEvent, trace: str
) -> tuple[DialogueState, Effects]:
    """Go on from a dialogue on which a step failed: nothing changes except that time passes.

    ``trace`` is the traceback of the failure.
    """
    at_ns = max(dialogue.timing.now_ns, event.end_ns if isinstance(event, Fall) else event.at_ns)
    failed = failure(dialogue, repr(event), trace, at_ns)
    try:
        waited, effects = full_step(dialogue, Tick(at_ns))
    except Exception:  # noqa: BLE001  what is due on its own fails, on this and on every event
        waited, effects = put_aside(dialogue, at_ns)
    else:
        told = _("that did not work, nothing was changed")
        timing = changed(waited.timing, sequence=waited.timing.sequence + 1)
        waited = changed(waited, note=told, timing=timing)
    sounds = (*effects.sounds, Sound.REFUSED)
    return waited, Effects((failed, *effects.records), sounds)


def failure(dialogue: DialogueState, what: str, trace: str, at_ns: int) -> JournalEntry:
    """Return the entry for a failure: the event, the board's phase, and the traceback's end."""
    body: dict[str, Json] = {
        "event": what, "phase": dialogue.phase.value, "trace": trace[-MOST_TRACE:],
    }  # fmt: skip
    return JournalEntry(EntryKind.FAILED, at_ns, body)


def put_aside(dialogue: DialogueState, at_ns: int) -> tuple[DialogueState, Effects]:
    """Put aside everything that is open; entered lines stay, and people compare the counts.

    Falls are written down as settled, and lines that had been taken back as left out.
    """
    records: list[JournalEntry] = []
    falls = [fall.number for fall in open_falls(dialogue, dialogue.proposal)]
    if falls:
        records.append(JournalEntry(EntryKind.CLEARING, at_ns, {"falls": falls}))
    game = dialogue.game
    if game is not None:
        left = _left_out(dialogue)
        if left:
            records.append(
                JournalEntry(EntryKind.LEFT_OUT, at_ns, _left_out_body(left, game.undone))
            )
        game = changed(left_out(game), clock=game.clock.stopped(at_ns))
    plain = DialogueState(
        dialogue.settings, dialogue.plan,
        previous=dialogue.previous, preferences=dialogue.preferences,
        origin=dialogue.origin, configured=dialogue.configured,
        faults=dialogue.faults, broken=dialogue.broken, dark=dialogue.dark,
        hall=_without_what_is_due(dialogue.hall), hall_place=dialogue.hall_place,
        armed=dialogue.armed, note=_("open entry discarded: compare the counts"),
        timing=changed(
            Timing.at(at_ns), sequence=dialogue.timing.sequence + 1,
            asked=Asked(dialogue.timing.asked.token + 1, at_ns),
        ),
    )  # fmt: skip
    plain = plain if game is None else with_game(plain, game)
    phase = phase_of(plain)
    ready = phase is Phase.READY
    question = Paused() if ready else AtRest(phase)
    plain = changed(plain, question=question, glance=Glance.POWER if ready else None)
    records.append(JournalEntry(EntryKind.DESK, at_ns, snapshot(plain, at_ns)))
    return plain, Effects(tuple(records))


def _without_what_is_due(hall: HallState | None) -> HallState | None:
    """Return what a hall and people have said, without anything that is shown for a while only."""
    if hall is None:
        return None
    return changed(hall, gong_ns=None, notice=None, own_notice=None, identified=None)


def _left_out(dialogue: DialogueState) -> tuple[Line, ...]:
    """Return the lines that will not be entered again, in the order they were entered."""
    undone = tuple(reversed(dialogue.game.undone)) if dialogue.game is not None else ()
    kept = tuple(each.line for each in dialogue.kept.lines) if dialogue.kept is not None else ()
    return (*undone, *kept)


def _left_out_body(lines: tuple[Line, ...], undone: tuple[Line, ...]) -> dict[str, Json]:
    return {
        "entries": [write_entry(entry) for line in lines for entry in line.entries],
        "falls": [fall.number for line in lines for fall in line.falls],
        "taken_back": bool(undone),
    }
