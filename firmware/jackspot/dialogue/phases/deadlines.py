"""What happens on its own as time passes.

:func:`next_wake_ns` returns when the dialogue next wants to be woken; :func:`run_until` does
everything that was due up to an instant, in order, each at its own instant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.actions import attract, desk_words, gong, shot_clock
from jackspot.dialogue.actions.absent import open_to_all_ns
from jackspot.dialogue.actions.by_itself import ask_no_more, heard_again_ns, miss_by_itself
from jackspot.dialogue.actions.codes import turns_at_ns
from jackspot.dialogue.actions.gathering import ask, ask_if_due, unanswered_at_ns
from jackspot.dialogue.actions.guards import asked_next
from jackspot.dialogue.actions.settling import time_is_up
from jackspot.dialogue.lists.menu import close, closes_at_ns, lines_listed
from jackspot.dialogue.phases.reviewing import settle
from jackspot.dialogue.phases.table import Trigger, lead
from jackspot.dialogue.proposals.permitted import sure_from
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.question import Falling
from jackspot.dialogue.state.transition import MatchTransition, Transition, plays
from jackspot.dialogue.state.view import Sound
from jackspot.values import IdentityKey, changed

HOLD_BAR_FROM_NS = 200_000_000
HOLD_BAR_STEP_NS = 100_000_000
"""While a button is held, the bar grows in these steps."""

WARNINGS: tuple[tuple[int, Sound], ...] = (
    (60 * SECOND_NS, Sound.MINUTE),
    (10 * SECOND_NS, Sound.TEN_SECONDS),
)

Due = tuple[int, Callable[[Transition, int], None]]


def run_until(transition: Transition) -> None:
    """Do everything that was due up to the transition's instant, in order, each at its instant."""
    until_ns = transition.now_ns
    for _round in range(MOST_AT_ONCE):
        due = [each for each in _due(transition.dialogue) if each[0] <= until_ns]
        if not due:
            break
        at_ns, act = min(due, key=lambda each: each[0])
        transition.now_ns = max(transition.dialogue.timing.now_ns, at_ns)
        before = transition.dialogue
        act(transition, at_ns)
        ask_if_due(transition)
        transition.change_timing(shot=shot_clock.shot_after(transition.dialogue, transition.now_ns))
        asked = asked_next(before, transition.dialogue, transition.now_ns, None, lines_listed)
        transition.change_timing(now_ns=transition.now_ns, asked=asked)
    transition.now_ns = until_ns


MOST_AT_ONCE = 10_000
"""Far more than can be due at once: the five-second notes of half a day."""


def next_wake_ns(dialogue: DialogueState) -> int | None:
    """Return when something happens on its own or the picture changes; None: never."""
    return _ahead(IdentityKey((dialogue,)))[1]


def is_due(dialogue: DialogueState, at_ns: int) -> bool:
    """Whether anything happens on its own, or the picture changes, up to an instant.

    An instant before the dialogue's own counts as the dialogue's own.
    """
    wake_ns = next_wake_ns(dialogue)
    return wake_ns is not None and wake_ns <= max(at_ns, dialogue.timing.now_ns)


def _due(dialogue: DialogueState) -> tuple[Due, ...]:
    """Return what will happen on its own, and when."""
    return _ahead(IdentityKey((dialogue,)))[0]


@lru_cache(maxsize=4)
def _ahead(key: IdentityKey) -> tuple[tuple[Due, ...], int | None]:
    """Return what will happen on its own to this dialogue, and when to look at it again.

    It is called when a step is done, and again when the next one begins.
    """
    dialogue = key.parts[0]
    assert isinstance(dialogue, DialogueState)
    due = tuple(_due_anew(dialogue))
    times = [at_ns for at_ns, _act in due]
    times += _picture_changes(dialogue)
    return due, min(times, default=None)


def _due_anew(dialogue: DialogueState) -> list[Due]:
    due: list[Due] = []
    if isinstance(dialogue.question, Falling):
        shown = dialogue.question.proposal
        due.append((settles_at_ns(dialogue, shown), _playing(partial(_quiet, shown))))
    if_ever: tuple[tuple[int | None, Callable[[Transition, int], None]], ...] = (
        (closes_at_ns(dialogue), lambda taken, _at: lead(taken, Trigger.LIST, close)),
        (unanswered_at_ns(dialogue), _playing(lambda taken, _at: ask(taken))),
        (dialogue.fixable_until_ns, ask_no_more),
        (heard_again_ns(dialogue), _playing(lambda taken, _at: miss_by_itself(taken))),
    )
    due += [(at_ns, act) for at_ns, act in if_ever if at_ns is not None]
    picture = attract.due(dialogue)
    if picture is not None:
        due.append(picture)
    due += [(at_ns, _warning(sound)) for at_ns, sound in shot_clock.sounds_due(dialogue)]
    due += [(at_ns, _warning(Sound.TICK)) for at_ns in gong.counts_at_ns(dialogue)]
    due += _due_of_the_hall(dialogue)
    game = dialogue.game
    if game is None or not game.clock.running:
        return due
    zero_ns = game.clock.zero_at_ns
    if zero_ns is not None:
        due.append((zero_ns, _playing(_zero)))
        for before_ns, sound in WARNINGS:
            at_ns = zero_ns - before_ns
            if dialogue.timing.now_ns < at_ns:
                due.append((at_ns, _warning(sound)))
        noted_ns = dialogue.timing.clock_noted_ns
        due.append((noted_ns + dialogue.settings.clock_note_ns, _playing(_note_clock)))
    return due


def _due_of_the_hall(dialogue: DialogueState) -> list[Due]:
    due: list[Due] = []
    if dialogue.hall is not None and dialogue.hall.gong_ns is not None:
        due.append((dialogue.hall.gong_ns, _gong))
    ends_ns = desk_words.ends_at_ns(dialogue)
    if ends_ns is not None:
        due.append((ends_ns, desk_words.end))
    return due


def settles_at_ns(dialogue: DialogueState, proposal: Proposal) -> int:
    """Return when *falling* ends: after some quiet, at the latest after some seconds.

    Quiet means no broken beam; where a reading may enter itself, it also means no knocks.
    """
    latest_ns = proposal.opened_ns + dialogue.settings.settle_at_most_ns
    if dialogue.broken:
        return latest_ns
    quiet_ns = proposal.changed_ns + dialogue.settings.settle_ns
    if sure_from(dialogue.settings):
        quiet_ns = max(quiet_ns, dialogue.timing.still_ns)
    return min(quiet_ns, latest_ns)


def _playing(act: Callable[[MatchTransition, int], None]) -> Callable[[Transition, int], None]:
    """Wrap what is due only in a match; without one it does nothing."""

    def do(transition: Transition, at_ns: int) -> None:
        if plays(transition):
            act(transition, at_ns)

    return do


def _quiet(shown: Proposal, transition: MatchTransition, _at_ns: int) -> None:
    lead(transition, Trigger.QUIET, partial(settle, proposal=shown))


def _zero(transition: MatchTransition, at_ns: int) -> None:
    lead(transition, Trigger.ZERO, partial(time_is_up, at_ns=at_ns))


def _gong(transition: Transition, _at_ns: int) -> None:
    """Strike the hall's gong if a clock waits for it; otherwise let it pass."""
    if plays(transition) and transition.dialogue.waits_for_gong:
        gong.strike(transition)
    hall = transition.dialogue.hall
    if hall is not None:
        transition.change(hall=changed(hall, gong_ns=None))


def _warning(sound: Sound) -> Callable[[Transition, int], None]:
    return lambda transition, _at: transition.sound(sound)


def _note_clock(transition: MatchTransition, at_ns: int) -> None:
    """Write down the time used, so that a power cut costs a few seconds at most."""
    transition.record(EntryKind.CLOCK, used_ns=transition.game.clock.used_at(at_ns))
    transition.change_timing(clock_noted_ns=at_ns)


def _picture_changes(dialogue: DialogueState) -> list[int]:
    """Return the instants at which a hold bar, a code or a lamp changes; clocks count on."""
    changes = (turns_at_ns(dialogue), desk_words.blinks_at_ns(dialogue))
    times = [at_ns for at_ns in changes if at_ns is not None]
    all_ns = open_to_all_ns(dialogue)
    if all_ns is not None and all_ns > dialogue.timing.now_ns:
        times.append(all_ns)
    for down in dialogue.timing.downs:
        held_ns = dialogue.timing.now_ns - down.down_ns
        if down.held and held_ns < dialogue.settings.hold_ns:
            steps = max(held_ns, HOLD_BAR_FROM_NS - HOLD_BAR_STEP_NS) // HOLD_BAR_STEP_NS + 1
            times.append(down.down_ns + steps * HOLD_BAR_STEP_NS)
    return times
