"""What enters itself where the owner lets it: a reading that is sure, a miss that was heard.

It is shown for a while, OK says that it is right and FIX takes it back; UNDO works as ever. What
ends a board, what is a foul, what people have touched and what spans strokes is always asked. Where
people object oftener than the readings' own probabilities have it, surer ones are asked for, and in
the end each stroke, as on a board on which nothing enters itself.
"""

from __future__ import annotations

from jackspot.core.clock import SECOND_NS
from jackspot.core.match import IllegalEntry, MatchState
from jackspot.core.stroke import Stroke
from jackspot.dialogue.proposals.dark import dark_pockets
from jackspot.dialogue.proposals.heard import shot_and_missed
from jackspot.dialogue.proposals.keeping import note_left_out
from jackspot.dialogue.proposals.permitted import break_is_asked, missed_from, sure_from
from jackspot.dialogue.proposals.proposing import asked_of, outcome, with_time
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.timing import LastEntry
from jackspot.dialogue.state.transition import MatchTransition, agreed, left_out
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.steps.entering import confirm, miss
from jackspot.dialogue.steps.taking_back import take_back

FIXABLE_NS = 5 * SECOND_NS
"""So long OK and FIX answer what has entered itself."""


def enter_by_itself(transition: MatchTransition, proposal: Proposal) -> None:
    """Enter what is proposed, where it is sure enough."""
    if _may_enter(transition.dialogue, proposal):
        confirm(transition, proposal)
        _tell(transition)


def miss_by_itself(transition: MatchTransition) -> None:
    """Enter that who is to shoot has missed, where that was heard and is sure enough."""
    dialogue = transition.dialogue
    sure = missed_from(dialogue.settings)
    if not sure or not _only_waits(dialogue):
        return
    chance = shot_and_missed(dialogue)
    if _is_trusted(dialogue, chance, sure) and _goes_on(_after_a_miss(dialogue)):
        miss(transition, probability=chance)
        _tell(transition)


def agree(transition: MatchTransition) -> None:
    """Note that people have said it is right."""
    wire = transition.button.wire if transition.button is not None else ""
    transition.put(agreed(transition.game))
    transition.record(EntryKind.AGREED, wire=wire)
    transition.change(fixable_until_ns=None)
    transition.mark_entry()


def refuse(transition: MatchTransition) -> None:
    """Take it back: what fell is asked about, a miss was none."""
    take_back(transition)
    undone = transition.game.undone
    if transition.dialogue.phase is Phase.READY and undone:
        note_left_out(transition, undone, taken_back=True)
        transition.put(left_out(transition.game))


def _tell(transition: MatchTransition) -> None:
    """Let people answer it for a while; an OK that was meant for the stroke says no more."""
    transition.change(fixable_until_ns=transition.now_ns + FIXABLE_NS)
    transition.change_timing(last_entry=LastEntry(transition.now_ns, None))


def _may_enter(dialogue: InMatch, proposal: Proposal) -> bool:
    """Whether a reading may enter itself: nobody has touched it, and it is of this stroke alone."""
    touched = proposal.edited is not None or proposal.flags or proposal.flown or proposal.chosen
    plain = not touched and proposal.reading.stroke and proposal.reading.seat is None
    sure, likely = sure_from(dialogue.settings), proposal.reading.probability
    if not sure or not plain or not _is_trusted(dialogue, likely, sure) or dialogue.broken:
        return False
    return _goes_on(None if asked_of(dialogue, proposal) else outcome(dialogue, proposal))


def _is_trusted(dialogue: InMatch, probability: float, sure: float) -> bool:
    trust = dialogue.game.trust
    return not trust.is_lost and trust.weighed(probability) >= sure


def _goes_on(after: MatchState | None) -> bool:
    """Whether a stroke leaves nothing to look at: it was no foul, and the board goes on."""
    if after is None or after.result is not None or after.over:
        return False
    return after.ruling is None or not after.ruling.foul


def _only_waits(dialogue: InMatch) -> bool:
    """Whether the board waits for a stroke and for nothing else."""
    waits = dialogue.phase is Phase.READY and not break_is_asked(dialogue)
    open_now = (
        dialogue.menu, dialogue.glance, dialogue.kept, dialogue.moved_to, dialogue.attract,
        dialogue.time_due,
    )  # fmt: skip
    fallen = (
        dialogue.broken, dialogue.assumed, dialogue.waiting, dialogue.parked,
        dark_pockets(dialogue),
    )  # fmt: skip
    idle = not any(fallen) and all(each is None for each in open_now)
    return waits and idle and not dialogue.waits_for_gong and not dialogue.game.undone


def _after_a_miss(dialogue: InMatch) -> MatchState | None:
    try:
        match = dialogue.game.match.enter(Stroke(dialogue.game.to_shoot))
    except IllegalEntry:
        return None
    return with_time(dialogue, match, len(dialogue.game.lines) + 1).state
