"""What waits, as everybody sees it: in the order in which it will be asked.

Each thing is read as the board stands now; what is answered before it may change that.
"""

from __future__ import annotations

from jackspot.core.match import Match
from jackspot.core.phrases import _
from jackspot.dialogue.proposals.keeping import behind
from jackspot.dialogue.proposals.queueing import is_hand, pockets_of, read
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import QueuedKind, QueuedView
from jackspot.dialogue.words.line_words import said_word
from jackspot.dialogue.words.wording import hand_word, proposal_word


def queued(desk: Desk) -> tuple[QueuedView, ...]:
    """Give what waits behind what is asked now.

    Hands first, then later lines to be entered again, what UNDO parked, and falls.
    """
    if desk.game is None:
        return ()
    match = desk.game.match
    hands = [_hand(read(desk, group)) for group in desk.assumed]
    parked = [_asked(match, QueuedKind.PARKED, read(desk, each)) for each in desk.parked]
    waiting = [read(desk, group) for group in desk.waiting]
    asked = [_hand(e) if is_hand(e) else _asked(match, QueuedKind.WAITS, e) for e in waiting]
    return (*hands, *_kept(desk), *parked, *asked)


def _kept(desk: Desk) -> tuple[QueuedView, ...]:
    """Give the lines that wait to be entered again after a change before them."""
    if desk.kept is None:
        return ()
    lines = [each.line for each in desk.kept.lines[len(desk.kept.lines) - behind(desk) :]]
    return tuple(
        QueuedView(QueuedKind.KEPT, said_word(line), _("was confirmed"), 1.0,
                   pockets_of(line.falls))
        for line in lines
    )  # fmt: skip


def _asked(match: Match, kind: QueuedKind, each: Proposal) -> QueuedView:
    probability = 1.0 if each.edited is not None else each.reading.probability
    what, why = proposal_word(match, each), each.reading.why
    return QueuedView(kind, what, why, probability, pockets_of(each.falls))


def _hand(each: Proposal) -> QueuedView:
    pockets = pockets_of(each.falls)
    probability = sum(reading.probability for reading in each.readings if not reading.stroke)
    why = each.reading.why
    return QueuedView(QueuedKind.HAND, hand_word(pockets), why, probability, pockets)
