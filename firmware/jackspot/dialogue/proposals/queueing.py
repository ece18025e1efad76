"""What waits: falls that came while something else was open, and how each reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from jackspot.core.pieces import Pocket
from jackspot.dialogue.proposals.answers import called_now
from jackspot.dialogue.proposals.dark import dark_pockets
from jackspot.dialogue.proposals.proposing import propose, read_anew, to_shoot
from jackspot.dialogue.proposals.spanning import late_group
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.proposal import Group, Proposal
from jackspot.sensing.events import Fall

HAND_SETTLES_ITSELF = 0.9
"""A group of falls that is a hand with this probability is shown, not asked."""


def opened(desk: Desk, group: Group, now_ns: int) -> Proposal:
    """Read falls that waited as a proposal on the board as it is now."""
    game = desk.game
    assert game is not None, "falls wait only in a match"
    told = Proposal(
        to_shoot(game), group.falls, (), called=called_now(desk, to_shoot(game)),
        opened_ns=now_ns, hands=group.hands,
        gap_ns=group.gap_ns, late=late_group(desk, group), dark=dark_pockets(desk),
    )  # fmt: skip
    return propose(desk, group.falls, now_ns, like=told)


def opened_again(desk: Desk, parked: Proposal, now_ns: int) -> Proposal:
    """Read what UNDO put aside on the board as it is now; what people said of it stays."""
    game = desk.game
    assert game is not None, "a proposal belongs to a match"
    seat = game.match.state.next or parked.seat
    misses = parked.misses if seat is parked.seat else ()
    return read_anew(desk, replace(parked, seat=seat, misses=misses), now_ns)


def gap_before(desk: Desk, fall: Fall) -> int | None:
    """Say how long after whatever came before a fall began; None where nothing is known."""
    groups = [each.falls for each in (*desk.waiting, *desk.assumed)]
    groups += [each.falls for each in desk.parked]
    if desk.proposal is not None:
        groups.append(desk.proposal.falls)
    if desk.game is not None and desk.game.lines:
        groups.append(desk.game.lines[-1].falls)
    instants = [each.end_ns for falls in groups for each in falls]
    if desk.entered_ns is not None:
        instants.append(desk.entered_ns)
    newest = max((each for each in instants if each <= fall.start_ns), default=None)
    return None if newest is None else fall.start_ns - newest


def is_hand(proposal: Proposal) -> bool:
    """Whether falls are a hand so surely that nobody need be asked."""
    reading = proposal.reading
    return not proposal.is_stroke and reading.probability >= HAND_SETTLES_ITSELF


def pockets_of(falls: tuple[Fall, ...]) -> tuple[Pocket, ...]:
    """Give the pockets of some falls, each once, in order."""
    return tuple(dict.fromkeys(fall.pocket for fall in falls))


def read(desk: Desk, waits: Group | Proposal) -> Proposal:
    """Read falls that wait, or what UNDO put aside, or remember how they read.

    Reading is the dear part of showing what waits, so it is done again only when the match or
    what waits changed.
    """
    return _read(_Waiting(desk, waits))


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """What waits on a desk, as a key to remember its reading by."""

    desk: Desk
    what: Group | Proposal

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Waiting):
            return NotImplemented
        mine, its = self.desk, other.desk
        assert mine.game is not None, "falls wait only in a match"
        assert its.game is not None, "falls wait only in a match"
        return (
            self.what == other.what
            and mine.game.match is its.game.match
            and mine.game.lines[-1:] == its.game.lines[-1:]
            and mine.customs is its.customs
            and (mine.faults, mine.dark, mine.called) == (its.faults, its.dark, its.called)
        )

    def __hash__(self) -> int:
        return hash(self.what.falls)


REMEMBERED = 128
"""Readings of groups kept: more than wait where people open the details of an evening's play."""


@lru_cache(maxsize=REMEMBERED)
def _read(waiting: _Waiting) -> Proposal:
    desk, what = waiting.desk, waiting.what
    if isinstance(what, Group):
        return opened(desk, what, desk.now_ns)
    return opened_again(desk, what, desk.now_ns)
