"""What waits: falls that came while something else was open, and how each reads."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from jackspot.core.pieces import Pocket
from jackspot.dialogue.proposals.answers import called_now
from jackspot.dialogue.proposals.dark import dark_pockets
from jackspot.dialogue.proposals.proposing import propose, read_anew
from jackspot.dialogue.proposals.spanning import late_group
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.sensing.events import Fall
from jackspot.values import changed

HAND_SETTLES_ITSELF = 0.9
"""A group of falls that is a hand with this probability is shown, not asked."""


def opened(dialogue: InMatch, group: FallGroup, now_ns: int) -> Proposal:
    """Read falls that waited as a proposal on the board as it is now."""
    game = dialogue.game
    told = Proposal(
        game.to_shoot, group.falls, (), called=called_now(dialogue, game.to_shoot),
        opened_ns=now_ns, hands=group.hands,
        gap_ns=group.gap_ns, late=late_group(dialogue, group), dark=dark_pockets(dialogue),
    )  # fmt: skip
    return propose(dialogue, group.falls, now_ns, like=told)


def opened_again(dialogue: InMatch, parked: Proposal, now_ns: int) -> Proposal:
    """Read what UNDO put aside on the board as it is now; what people said about it stays."""
    seat = dialogue.game.match.state.next or parked.seat
    misses = parked.misses if seat is parked.seat else ()
    return read_anew(dialogue, changed(parked, seat=seat, misses=misses), now_ns)


def gap_before(dialogue: InMatch, fall: Fall) -> int | None:
    """Return how long a fall began after whatever came before; None where nothing is known."""
    groups = [each.falls for each in (*dialogue.waiting, *dialogue.assumed)]
    groups += [each.falls for each in dialogue.parked]
    if dialogue.proposal is not None:
        groups.append(dialogue.proposal.falls)
    if dialogue.game.lines:
        groups.append(dialogue.game.lines[-1].falls)
    instants = [each.end_ns for falls in groups for each in falls]
    if dialogue.entered_ns is not None:
        instants.append(dialogue.entered_ns)
    newest = max((each for each in instants if each <= fall.start_ns), default=None)
    return None if newest is None else fall.start_ns - newest


def is_hand(proposal: Proposal) -> bool:
    """Whether falls are so surely a hand that nobody needs to be asked."""
    reading = proposal.reading
    return not proposal.is_stroke and reading.probability >= HAND_SETTLES_ITSELF


def pockets_of(falls: tuple[Fall, ...]) -> tuple[Pocket, ...]:
    """Return the pockets of some falls, each once, in order."""
    return tuple(dict.fromkeys(fall.pocket for fall in falls))


def read(dialogue: InMatch, waits: FallGroup | Proposal) -> Proposal:
    """Read falls that wait, or what UNDO put aside; the result is remembered.

    Reading is the costly part of showing what waits, so it is repeated only when the match or what
    waits has changed.
    """
    return _read(_Waiting(dialogue, waits))


class _Waiting(Struct, frozen=True, eq=False):
    """What waits in a dialogue, as a key to remember its reading by."""

    dialogue: InMatch
    what: FallGroup | Proposal

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Waiting):
            return NotImplemented
        mine, its = self.dialogue, other.dialogue
        return (
            self.what == other.what
            and mine.game.match is its.game.match
            and mine.game.lines[-1:] == its.game.lines[-1:]
            and mine.settings is its.settings
            and (mine.faults, mine.dark, mine.called) == (its.faults, its.dark, its.called)
        )

    def __hash__(self) -> int:
        return hash(self.what.falls)


REMEMBERED = 128
"""Readings of groups kept: more than wait when people open the details of an evening's play."""


@lru_cache(maxsize=REMEMBERED)
def _read(waiting: _Waiting) -> Proposal:
    dialogue, what = waiting.dialogue, waiting.what
    if isinstance(what, FallGroup):
        return opened(dialogue, what, dialogue.timing.now_ns)
    return opened_again(dialogue, what, dialogue.timing.now_ns)
