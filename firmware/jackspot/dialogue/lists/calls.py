"""What must be said about a stroke that no beam sees: the pocket named, the cushion."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.core.stroke import Flag
from jackspot.dialogue.lists.item import Item, MatchItems, closing, open_list, shut
from jackspot.dialogue.proposals.answers import ANSWERS, call_for, handicap_of
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.words.wording import flag_word
from jackspot.values import changed


def call_items(_dialogue: InMatch) -> MatchItems:
    """Return the pockets that can be named for the jack."""
    pockets = (
        Item(_("called {pocket}", pocket=pocket.value), partial(_call, pocket)) for pocket in Pocket
    )
    return (*pockets, Item(_("no pocket called"), partial(_call, None)), closing())


def _call(pocket: Pocket | None, transition: MatchTransition) -> None:
    """Name a pocket: for the stroke that is open, or else for the next one."""
    shown = transition.dialogue.proposal
    if shown is not None:
        transition.propose(changed(shown, called=pocket, changed_ns=transition.now_ns))
    else:
        seat = transition.game.match.state.position.seat
        named = call_for(transition.game, seat, pocket) if pocket else None
        transition.change(called=named)
    shut(transition)


def banked_items(shown: Proposal, _dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes."""
    return (Item(_("by the cushion"), partial(_answer, shown, Flag.BANKED)),)


def not_banked(shown: Proposal, transition: MatchTransition) -> None:
    """Answer that the jack did not come off a cushion."""
    _answer(shown, Flag.UNBANKED, transition)


def _answer(shown: Proposal, flag: Flag, transition: MatchTransition) -> None:
    flags = (shown.flags - ANSWERS) | {flag}
    transition.propose(changed(shown, flags=flags, changed_ns=transition.now_ns))
    shut(transition)


def answers_to_edit(dialogue: InMatch, shown: Proposal) -> MatchItems:
    """Return what can be said about the edited stroke, where its side is asked for it."""
    handicap = handicap_of(dialogue.game.match, shown.shooter)
    listed: list[Item[InMatch]] = []
    if handicap.called_pocket:
        said = _("called {pocket}", pocket=shown.called.value) if shown.called else _NOT_CALLED
        listed.append(Item(said, partial(open_list, kind=MenuKind.CALL)))
    if handicap.must_bank:
        now = next(iter(sorted(shown.flags & ANSWERS)), None)
        cushion = flag_word(now) if now else _("cushion: not said")
        listed.append(Item(cushion, partial(_next_answer, shown)))
    return tuple(listed)


_NOT_CALLED: Phrase = _("no pocket called")


def _next_answer(shown: Proposal, transition: MatchTransition) -> None:
    """Say banked, then not banked, then nothing about it."""
    now = next(iter(shown.flags & ANSWERS), None)
    following = {None: {Flag.BANKED}, Flag.BANKED: {Flag.UNBANKED}, Flag.UNBANKED: set[Flag]()}
    flags = (shown.flags - ANSWERS) | following[now]
    transition.propose(changed(shown, flags=flags, changed_ns=transition.now_ns))
