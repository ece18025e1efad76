"""What waits, as everybody sees it: in the order in which it will be asked.

Each thing is read as the board stands now; what is answered before it may change that. Reading
is the dear part of a view, so what was read is remembered until the match or the group changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jackspot.core.match import Match
from jackspot.table.desk import Desk, Group, Proposal
from jackspot.table.queueing import is_hand, opened, pockets_of
from jackspot.table.view import QueuedKind, QueuedView
from jackspot.table.wording import hand_word, proposal_word


def queued(desk: Desk) -> tuple[QueuedView, ...]:
    """Give what waits behind what is asked now: hands, then what UNDO parked, then falls."""
    if desk.game is None:
        return ()
    match = desk.game.match
    hands = [_hand(_read(_Waiting(desk, group))) for group in desk.assumed]
    parked = [_asked(match, QueuedKind.PARKED, each) for each in desk.parked]
    waiting = [_read(_Waiting(desk, group)) for group in desk.waiting]
    return (*hands, *parked, *(_hand(e) if is_hand(e) else _asked(match, QueuedKind.WAITS, e)
                               for e in waiting))  # fmt: skip


def _asked(match: Match, kind: QueuedKind, each: Proposal) -> QueuedView:
    probability = 1.0 if each.edited is not None else each.reading.probability
    what, why = proposal_word(match, each), each.reading.why
    return QueuedView(kind, what, why, probability, pockets_of(each.falls))


def _hand(each: Proposal) -> QueuedView:
    pockets = pockets_of(each.falls)
    probability = sum(reading.probability for reading in each.readings if not reading.stroke)
    why = each.reading.why
    return QueuedView(QueuedKind.HAND, hand_word(pockets), why, probability, pockets)


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A group that waits on a desk, as a key to remember its reading by."""

    desk: Desk
    group: Group

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Waiting) or self.group != other.group:
            return NotImplemented if not isinstance(other, _Waiting) else False
        mine, its = self.desk, other.desk
        assert mine.game is not None, "falls wait only in a match"
        assert its.game is not None, "falls wait only in a match"
        return (
            mine.game.match is its.game.match
            and mine.game.lines[-1:] == its.game.lines[-1:]
            and mine.customs is its.customs
            and (mine.faults, mine.dark, mine.called) == (its.faults, its.dark, its.called)
        )

    def __hash__(self) -> int:
        return hash(self.group.falls)


@lru_cache(maxsize=16)
def _read(waiting: _Waiting) -> Proposal:
    return opened(waiting.desk, waiting.group, waiting.desk.now_ns)
