"""What enters itself where the owner allows it: a reading that is sure, a miss that was heard.

It is shown for a while; OK says that it is right, FIX takes it back, and UNDO works as ever. The
board always asks about anything that ends a board, is a foul, was touched by people or spans
strokes. If people object more often than the readings' own probabilities predict, only surer
readings enter themselves, and in the end the board asks about every stroke, as on a board on which
nothing enters itself.
"""

from __future__ import annotations

from jackspot.core.clock import SECOND_NS
from jackspot.core.match import IllegalEntry, MatchState
from jackspot.core.phrases import EMPTY
from jackspot.core.stroke import Stroke
from jackspot.dialogue.actions.entering import confirm, miss
from jackspot.dialogue.actions.taking_back import people_agree
from jackspot.dialogue.proposals.dark import dark_pockets
from jackspot.dialogue.proposals.heard_misses import shot_and_missed
from jackspot.dialogue.proposals.permitted import (
    break_is_due,
    mass_break_is_due,
    missed_from,
    sure_from,
)
from jackspot.dialogue.proposals.proposing import asked_of, outcome, with_time
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.timing import LastEntry
from jackspot.dialogue.state.transition import MatchTransition, Transition
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall

FIXABLE_NS = 5 * SECOND_NS
"""For this long OK and FIX answer what has entered itself."""
FINGER_NS = 5 * SECOND_NS
"""A finger that is down says something within this long; a page's may never be reported as up."""
LOOKS_EACH_NS, LOOKS = SECOND_NS // 2, 5
"""How often, and how many times, the board looks again whether a miss it heard has become sure.
Later silence says less than it seems to: of what entered itself then, one in four was no miss."""


def enter_by_itself(transition: MatchTransition, proposal: Proposal) -> None:
    """Enter a proposal if it is sure enough."""
    if _may_enter(transition.dialogue, proposal, transition.now_ns):
        confirm(transition, proposal)
        transition.change(shakes=())  # what shook the board until now belonged to this stroke
        _tell(transition)


def miss_by_itself(transition: MatchTransition) -> None:
    """Enter a miss of the seat to shoot, if it was heard and is sure enough."""
    dialogue, now_ns = transition.dialogue, transition.now_ns
    sure = missed_from(dialogue.settings)
    still = now_ns >= dialogue.timing.still_ns  # else somebody may just be shooting
    if not sure or not still or not _only_waits(dialogue, now_ns):
        return
    chance = shot_and_missed(dialogue, now_ns)
    if _is_trusted(dialogue, (), chance, sure) and _goes_on(_after_a_miss(dialogue)):
        miss(transition, probability=chance)
        transition.change(shakes=())  # all of them are of this one shot
        _tell(transition)


def heard_again_ns(dialogue: DialogueState) -> int | None:
    """Return when to look again whether the shooter has missed; None: there is nothing to hear."""
    waits = isinstance(dialogue, InMatch) and dialogue.phase is Phase.READY
    if not waits or not dialogue.shakes or not missed_from(dialogue.settings):
        return None
    last_ns = dialogue.shakes[-1].last_ns
    looks = (last_ns + number * LOOKS_EACH_NS for number in range(1, LOOKS + 1))
    return next((each for each in looks if each > dialogue.timing.now_ns), None)


def agree(transition: MatchTransition) -> None:
    """Note that people have said it is right."""
    people_agree(transition)
    transition.change(fixable_until_ns=None, note=EMPTY)
    transition.change_timing(last_entry=LastEntry(transition.now_ns, transition.button))


def ask_no_more(transition: Transition, _at_ns: int) -> None:
    """Stop asking, as nobody has answered in time; the remark from meanwhile goes too."""
    if transition.dialogue.by_itself is not None:
        transition.change(note=EMPTY)
    transition.change(fixable_until_ns=None)


def _tell(transition: MatchTransition) -> None:
    """Let people answer it for a while; an OK that was meant for the stroke no longer counts."""
    now_ns = transition.now_ns
    transition.change(fixable_until_ns=now_ns + FIXABLE_NS)
    transition.change_timing(
        last_entry=LastEntry(now_ns, None), touched_ns=now_ns, answered_ns=now_ns
    )


def _may_enter(dialogue: InMatch, proposal: Proposal, now_ns: int) -> bool:
    """Whether a reading may enter itself.

    It may if nobody has touched it, beams have seen it, and it belongs to this stroke alone.
    """
    touched = (
        proposal.by_head
        or proposal.edited is not None
        or proposal.flags
        or proposal.flown
        or proposal.chosen
    )
    touched = touched or dialogue.timing.answered_ns > proposal.opened_ns
    plain = not touched and proposal.reading.stroke and proposal.reading.seat is None
    sure, likely = sure_from(dialogue.settings), proposal.reading.probability
    if not sure or not plain or _is_busy(dialogue, now_ns):
        return False
    if not _is_trusted(dialogue, proposal.falls, likely, sure):
        return False
    return _goes_on(None if asked_of(dialogue, proposal) else outcome(dialogue, proposal))


def _is_trusted(
    dialogue: InMatch, falls: tuple[Fall, ...], probability: float, sure: float
) -> bool:
    trust = dialogue.game.trust
    return not trust.is_lost and trust.of(falls).weighed(probability) >= sure


def _goes_on(after: MatchState | None) -> bool:
    """Whether a stroke was no foul and sends nothing back, and the board goes on."""
    if after is None or after.result is not None or after.over or after.place:
        return False
    return after.ruling is None or not after.ruling.foul


def _is_busy(dialogue: InMatch, now_ns: int) -> bool:
    """Whether people say or must see something else first, or a beam cannot be trusted."""
    downs = dialogue.timing.downs
    if any(down.held and now_ns < down.down_ns + FINGER_NS for down in downs):
        return True
    open_now = (
        dialogue.menu, dialogue.glance, dialogue.kept, dialogue.moved_to, dialogue.attract,
        dialogue.time_due,
    )  # fmt: skip
    said = dialogue.objections or dialogue.game.undone or dialogue.waits_for_gong
    sensed = dialogue.broken or dark_pockets(dialogue)
    first = break_is_due(dialogue.game.match) or mass_break_is_due(dialogue.game.match)
    return any(each is not None for each in open_now) or bool(said or sensed or first)


def _only_waits(dialogue: InMatch, now_ns: int) -> bool:
    """Whether the board waits for a stroke and nothing else."""
    hands = [fall.end_ns for group in dialogue.assumed for fall in group.falls]
    fresh = any(at_ns > now_ns - FIXABLE_NS for at_ns in hands)
    waits = dialogue.phase is Phase.READY and not (fresh or dialogue.waiting or dialogue.parked)
    return waits and not _is_busy(dialogue, now_ns)


def _after_a_miss(dialogue: InMatch) -> MatchState | None:
    try:
        match = dialogue.game.match.enter(Stroke(dialogue.game.to_shoot))
    except IllegalEntry:
        return None
    return with_time(dialogue, match, len(dialogue.game.lines) + 1).state
