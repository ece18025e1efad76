"""What waits, as everybody sees it: in the order in which it will be asked.

Each thing is read on the board as it is now; answers to what comes before may change that.
"""

from __future__ import annotations

from jackspot.core.phrases import _
from jackspot.dialogue.proposals.keeping import behind
from jackspot.dialogue.proposals.proposing import stroke_of
from jackspot.dialogue.proposals.queueing import is_hand, pockets_of, read
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import QueuedKind, QueuedView
from jackspot.dialogue.words.line_words import said_word
from jackspot.dialogue.words.wording import hand_word, proposal_word


def queued(dialogue: InMatch) -> tuple[QueuedView, ...]:
    """Return what waits behind the current question.

    Hands come first, then later lines to be entered again, what UNDO parked, and falls.
    """
    game = dialogue.game
    hands = [_hand(read(dialogue, group)) for group in dialogue.assumed]
    parked = [_asked(game, QueuedKind.PARKED, read(dialogue, each)) for each in dialogue.parked]
    waiting = [read(dialogue, group) for group in dialogue.waiting]
    asked = [_hand(e) if is_hand(e) else _asked(game, QueuedKind.WAITS, e) for e in waiting]
    return (*hands, *_kept(dialogue), *parked, *asked)


def _kept(dialogue: InMatch) -> tuple[QueuedView, ...]:
    """Return the lines that wait to be entered again after a change before them."""
    if dialogue.kept is None:
        return ()
    lines = [
        each.line for each in dialogue.kept.lines[len(dialogue.kept.lines) - behind(dialogue) :]
    ]
    return tuple(
        QueuedView(QueuedKind.KEPT, said_word(line), _("was confirmed"), 1.0,
                   pockets_of(line.falls))
        for line in lines
    )  # fmt: skip


def _asked(game: Game, kind: QueuedKind, each: Proposal) -> QueuedView:
    probability = 1.0 if each.edited is not None else each.reading.probability
    what, why = proposal_word(stroke_of(game, each), each), each.reading.why
    return QueuedView(kind, what, why, probability, pockets_of(each.falls))


def _hand(each: Proposal) -> QueuedView:
    pockets = pockets_of(each.falls)
    probability = sum(reading.probability for reading in each.readings if not reading.stroke)
    why = each.reading.why
    return QueuedView(QueuedKind.HAND, hand_word(pockets), why, probability, pockets)
