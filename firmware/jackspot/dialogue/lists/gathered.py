"""The one question for all that waits: enter it all, open the details, or set the counts."""

from __future__ import annotations

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.actions.gathering import enter_all, may_set_counts, one_by_one, set_counts
from jackspot.dialogue.lists.item import Item, MatchItems, open_list
from jackspot.dialogue.state.dialogue_state import Gathered, InMatch
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.wording import listed, piece_word


def gathered_title(found: Gathered, _dialogue: InMatch) -> Phrase:
    """Ask whether the counts are right: ``RED 7, GREEN 5?``."""
    counts = [_("{side} {n}", side=piece_word(piece), n=n) for piece, n in found.counts]
    return _("{counts}?", counts=listed(counts))


def gathered_items(found: Gathered, dialogue: InMatch) -> MatchItems:
    """Return the possible answers; entering that ends a board needs OK held."""
    answers = (
        Item(_("yes, enter it all"), _enter, held=found.ends_board),
        Item(_("one by one"), one_by_one),
    )
    if not may_set_counts(dialogue):
        return answers
    return (*answers, Item(_("other counts"), _other_counts))


def _enter(transition: MatchTransition) -> None:
    transition.change(gathered=None)
    enter_all(transition)


def _other_counts(transition: MatchTransition) -> None:
    """Set the likeliest counts, and let people correct them."""
    set_counts(transition)
    if transition.dialogue.phase in (Phase.READY, Phase.PLACING, Phase.PAUSED):
        open_list(transition, MenuKind.COUNTS)
