"""What a fall does.

In *ready* a fall begins a stroke; in *falling* it joins the stroke. While anything else is open
it waits; after the end of a board the board asks about it. Every fall is written down first.
"""

from __future__ import annotations

from jackspot.core.phrases import EMPTY, _
from jackspot.dialogue.actions.free_play import count_fall
from jackspot.dialogue.lists.item import open_list
from jackspot.dialogue.lists.sensors import sensor_test, try_fall
from jackspot.dialogue.proposals.answers import called_now
from jackspot.dialogue.proposals.dark import dark_pockets, sees_again
from jackspot.dialogue.proposals.hands import grow
from jackspot.dialogue.proposals.keeping import waits
from jackspot.dialogue.proposals.open_falls import is_told_again, joined
from jackspot.dialogue.proposals.proposing import propose, read_anew
from jackspot.dialogue.proposals.queueing import gap_before
from jackspot.dialogue.proposals.scenes import hands_now
from jackspot.dialogue.proposals.spanning import late_now
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind, fall_body
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.question import Falling
from jackspot.dialogue.state.transition import (
    NEXT_BOARD,
    MatchTransition,
    Transition,
    holds_a_stroke,
)
from jackspot.dialogue.state.view import Sound
from jackspot.sensing.events import Fall
from jackspot.values import changed


def note_fall(transition: Transition, fall: Fall) -> bool:
    """Write a fall down; return whether that is all: it grows a hand, or is settled already."""
    transition.record(EntryKind.FALL, **fall_body(fall))
    if not is_told_again(transition.dialogue, fall):
        if fall.again:
            return True
        transition.sound(Sound.TICK)
    if not fall.by_head:
        _beam_saw(transition, fall)
    return grow(transition, fall)


def _beam_saw(transition: Transition, fall: Fall) -> None:
    """Take a fall as a sign that its beam works, too."""
    sees_again(transition, fall)
    transition.change(
        broken=tuple(each for each in transition.dialogue.broken if each is not fall.pocket)
    )
    test = sensor_test(transition.dialogue)
    if test is not None:
        try_fall(transition, test, fall)


def show_width(transition: Transition, fall: Fall) -> None:
    """Show which beam saw how many ms; in free play, count the fall."""
    if transition.dialogue.free is not None:
        count_fall(transition, transition.dialogue.free, fall)
        return
    if fall.by_head:
        transition.change(note=_("{pocket}: seen by colour only", pocket=fall.pocket.value))
        return
    width_ms = round(max(fall.widths_ns) / 1_000_000)
    transition.change(note=_("{pocket} sees {ms} ms", pocket=fall.pocket.value, ms=width_ms))


def begin_stroke(transition: MatchTransition, fall: Fall) -> None:
    """Begin a stroke; while a list is open, the fall waits."""
    if transition.dialogue.menu is not None:
        let_fall_wait(transition, fall)
        return
    dialogue = transition.dialogue
    told = Proposal(
        transition.game.to_shoot, (fall,), (),
        called=called_now(dialogue, transition.game.to_shoot),
        opened_ns=transition.now_ns, hands=hands_now(dialogue), gap_ns=gap_before(dialogue, fall),
        late=late_now(dialogue, fall.start_ns),
        dark=dark_pockets(dialogue),
    )  # fmt: skip
    fresh = propose(dialogue, (fall,), transition.now_ns, like=told)
    transition.change(question=Falling(fresh), note=EMPTY)


def join_stroke(transition: MatchTransition, fall: Fall) -> None:
    """Let a fall join the stroke that is falling."""
    shown = transition.dialogue.proposal
    falls = joined((*(shown.falls if shown is not None else ()), fall))
    transition.propose(propose(transition.dialogue, falls, transition.now_ns, like=shown))


def let_fall_wait(transition: MatchTransition, fall: Fall) -> None:
    """Queue a fall while something else is open, so that no stroke is lost."""
    dialogue = transition.dialogue
    if dialogue.proposal is not None and _holds(dialogue.proposal, fall):
        transition.propose(_regrown(transition, dialogue.proposal, fall))
        return
    for at, parked in enumerate(dialogue.parked):
        newest = at == 0 and not dialogue.waiting and _near(dialogue, parked, fall)
        if newest or _holds(parked, fall):
            grown = _regrown(transition, parked, fall)
            transition.change(parked=(*dialogue.parked[:at], grown, *dialogue.parked[at + 1 :]))
            return
    hands = hands_now(dialogue)
    for at, group in enumerate(dialogue.waiting):
        newest = at == len(dialogue.waiting) - 1 and _near(dialogue, group, fall)
        if newest or _holds(group, fall):
            likelier = dict(sorted({*group.hands, *hands}))  # of two for one pocket, the higher
            grown_group = changed(
                group, falls=joined((*group.falls, fall)), hands=tuple(likelier.items())
            )
            transition.change(
                waiting=(*dialogue.waiting[:at], grown_group, *dialogue.waiting[at + 1 :])
            )
            return
    transition.change(
        waiting=(*dialogue.waiting, FallGroup((fall,), hands, gap_before(dialogue, fall)))
    )


def _holds(group: FallGroup | Proposal, fall: Fall) -> bool:
    """Whether a fall is one of these, grown by a further pulse."""
    return any(each.number == fall.number for each in group.falls)


def _near(dialogue: DialogueState, group: FallGroup | Proposal, fall: Fall) -> bool:
    """Whether a fall came so soon after others that it belongs to the same stroke."""
    if not group.falls:
        return False
    gap_ns = fall.start_ns - group.falls[-1].end_ns
    return abs(gap_ns) < dialogue.settings.settle_ns


def _regrown(transition: MatchTransition, shown: Proposal, fall: Fall) -> Proposal:
    """Read a proposal again that has grown by a fall, or by a further pulse of one."""
    falls = joined((*shown.falls, fall))
    return read_anew(transition.dialogue, changed(shown, falls=falls), transition.now_ns)


def ask_after_end(transition: MatchTransition, fall: Fall) -> None:
    """Ask about a fall just after the end: it may belong to the last stroke."""
    dialogue = transition.dialogue
    of_next = any(NEXT_BOARD in line.entries for line in dialogue.game.undone)
    if waits(dialogue) or of_next:  # it fell on the board that is taken back
        let_fall_wait(transition, fall)
        return
    asked = dialogue.menu.falls if dialogue.menu and dialogue.menu.kind is MenuKind.LATE else ()
    over_ns = dialogue.over_ns
    soon = over_ns is not None and fall.start_ns < over_ns + dialogue.settings.late_fall_ns
    soon = soon and _had_a_stroke(dialogue.game)
    if soon or any(each.number == fall.number for each in asked):
        transition.button = None
        open_list(transition, MenuKind.LATE, falls=joined((*asked, fall)))
    else:
        transition.record(EntryKind.CLEARING, falls=[fall.number])


def _had_a_stroke(game: Game) -> bool:
    """Whether anything was shot, or time ran out, on the board that is over.

    It may have been given up before the first stroke.
    """
    for line in reversed(game.lines):
        if holds_a_stroke(line) or NEXT_BOARD in line.entries:
            return holds_a_stroke(line)
    return False
