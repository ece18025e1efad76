"""The lists: which there are, and how OK and FIX work the one that is open.

Every list is worked by OK and FIX alone: FIX goes to the next item, OK does it, UNDO and FIX held
close the list. A question is a list in which FIX says no. An item that ends a board by word of
mouth needs OK held. The lists themselves are in :mod:`jackspot.dialogue.lists`; :func:`in_match`
and :func:`in_set_up` find the one that is open and hand it its subject.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Generic, TypeAlias, assert_never

from msgspec import Struct

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.actions.codes import code_shown, codes, rounds_ns
from jackspot.dialogue.actions.gathering import one_by_one
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.actions.taking_back import take_back
from jackspot.dialogue.lists.calls import banked_items, call_items, not_banked
from jackspot.dialogue.lists.corrections import (
    count_items,
    owed_items,
    queen_items,
    resign_items,
    turn_items,
)
from jackspot.dialogue.lists.dark import (
    dark_items,
    dark_pocket_items,
    name_pocket_items,
    not_dark,
    which_dark_items,
)
from jackspot.dialogue.lists.editing import edit_items
from jackspot.dialogue.lists.gathered import gathered_items, gathered_title
from jackspot.dialogue.lists.hall import hall_items, leave_items, number_items, stay_in
from jackspot.dialogue.lists.handicaps import handicap_items, handicap_sides
from jackspot.dialogue.lists.history import (
    history_items,
    put_back_again,
    without_items,
    without_title,
)
from jackspot.dialogue.lists.impossible import impossible_items, impossible_title
from jackspot.dialogue.lists.item import Item, MatchItems, T_contra, mark_line, shut
from jackspot.dialogue.lists.keep import (
    keep_items,
    keep_title,
    kept_items,
    leave_all_out,
    seen,
    stopped_items,
    stopped_title,
)
from jackspot.dialogue.lists.late_falls import clear_late, late_items
from jackspot.dialogue.lists.main import menu_items, set_up_menu
from jackspot.dialogue.lists.options import option_items
from jackspot.dialogue.lists.people import name_items, people_items
from jackspot.dialogue.lists.preferences import hotspot_items, preference_items, referee_items
from jackspot.dialogue.lists.record import large_items, record_items
from jackspot.dialogue.lists.sensors import sensor_items
from jackspot.dialogue.lists.time_out import time_out_items
from jackspot.dialogue.lists.yes_or_no import (
    demand_items,
    forgotten_items,
    in_time_items,
    not_demanded,
    not_in_time,
    not_touched,
    touched_items,
    waived_items,
)
from jackspot.dialogue.state.dialogue_state import (
    DialogueState,
    InMatch,
    StateKey,
    only_time_passed,
)
from jackspot.dialogue.state.game import Keeping
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import Transition, TransitionOf, plays
from jackspot.dialogue.words.line_words import kept_word
from jackspot.values import changed


def marked_line(dialogue: DialogueState) -> str:
    """Return the name of the open list's marked line; empty where there is none or it is live."""
    if dialogue.menu is None or dialogue.menu.kind is MenuKind.SENSORS:
        return ""
    listed = items(dialogue)
    return str(listed[min(dialogue.menu.chosen, len(listed) - 1)].label) if listed else ""


def lines_listed(dialogue: DialogueState) -> tuple[str, ...]:
    """Return the names of the open list's lines; none where none is open, or they are live."""
    if dialogue.menu is None or dialogue.menu.kind is MenuKind.SENSORS:
        return ()
    return tuple(str(item.label) for item in items(dialogue))


def is_empty(dialogue: DialogueState) -> bool:
    """Whether a list is open in which nothing can be done any more."""
    return dialogue.menu is not None and not items(dialogue)


def marked_again(dialogue: DialogueState, line: str) -> DialogueState:
    """Mark a line by its name in the open list; a list that no longer has it is closed."""
    if dialogue.menu is None or dialogue.menu.kind is MenuKind.SENSORS:
        return dialogue
    labels = lines_listed(dialogue)
    if line not in labels:
        return changed(dialogue, menu=None)
    return changed(dialogue, menu=changed(dialogue.menu, chosen=labels.index(line)))


def still_marked(before: DialogueState, after: DialogueState) -> DialogueState:
    """Keep the mark on its line where the lines of an open list changed places on their own.

    A fault that comes or goes and a stroke that is entered elsewhere add lines, remove some and
    move others to the front, without anybody having worked the list.
    """
    if after.menu is None or after.menu is not before.menu or before.menu is None:
        return after
    if only_time_passed(before, after):
        return after
    line = marked_line(before)
    if line == marked_line(after) or line not in lines_listed(after):
        return after
    return marked_again(after, line)


class Listing(Struct, Generic[T_contra], frozen=True):
    """One kind of list. ``no`` is what FIX and closing answer, where it is a question.

    ``only_fix_says_no``: closing it leaves the question open, to be asked again. ``asks`` replaces
    a title that depends on the dialogue. ``leave`` is what closing does where that is more than
    shutting, or something other than no. A list that ``stays`` is not closed when idle: something
    waits for its answer.
    """

    title: Phrase
    items: Callable[[T_contra], tuple[Item[T_contra], ...]]
    no: Callable[[TransitionOf[T_contra]], None] | None = None
    only_fix_says_no: bool = False
    asks: Callable[[T_contra], Phrase] | None = None
    leave: Callable[[TransitionOf[T_contra]], None] | None = None
    stays: bool = False


Made: TypeAlias = Listing[T_contra] | Callable[[Menu], Listing[T_contra]]
"""A list, or for a list about something how to make it from what its menu names."""

LISTS: Mapping[MenuKind, Made[DialogueState]] = {
    MenuKind.MENU: Listing(_("menu"), set_up_menu),
    MenuKind.DARK: lambda menu: Listing(
        _("its beam misses pieces?"), partial(dark_items, menu), no=partial(not_dark, menu)
    ),
    MenuKind.WHICH_DARK: Listing(_("which beam misses?"), which_dark_items),
    MenuKind.DARK_POCKETS: Listing(_("manual pockets"), dark_pocket_items),
    MenuKind.OPTIONS: Listing(_("rules and options"), option_items),
    MenuKind.NAMES: Listing(_("names"), name_items),
    MenuKind.PEOPLE: lambda menu: Listing(_("who sits there?"), partial(people_items, menu)),
    MenuKind.HANDICAPS: Listing(_("handicaps"), handicap_sides),
    MenuKind.HANDICAP: lambda menu: Listing(_("handicaps"), partial(handicap_items, menu)),
    MenuKind.PREFERENCES: Listing(_("the board itself"), preference_items),
    MenuKind.REFEREE: Listing(_("referee's page"), referee_items),
    MenuKind.HOTSPOT: Listing(_("the board's Wi-Fi"), hotspot_items),
    MenuKind.SENSORS: Listing(_("sensor test"), sensor_items),
    MenuKind.HALL: Listing(_("the hall"), hall_items),
    MenuKind.NUMBER: lambda menu: Listing(_("board number"), partial(number_items, menu)),
    MenuKind.LEAVE: Listing(_("leave the hall?"), leave_items, no=stay_in),
    MenuKind.RECORD: Listing(_("record by code"), record_items),
    MenuKind.RECORD_LARGE: Listing(_("record by code"), large_items),
}
"""Every list that can be open where no match is on the board."""

MATCH_LISTS: Mapping[MenuKind, Made[InMatch]] = {
    **LISTS,
    MenuKind.MENU: Listing(_("menu"), menu_items),
    MenuKind.COUNTS: Listing(_("correct the counts"), count_items),
    MenuKind.OWED: Listing(_("what is owed"), owed_items),
    MenuKind.TURN: Listing(_("whose turn?"), turn_items),
    MenuKind.RESIGN: Listing(_("who resigns?"), resign_items),
    MenuKind.LATE: lambda menu: Listing(
        _("a fall after the end"), partial(late_items, menu), no=partial(clear_late, menu)
    ),
    MenuKind.TIME_OUT: Listing(_("whose time-out?"), time_out_items),
    MenuKind.CALL: Listing(_("which pocket called?"), call_items),
    MenuKind.IMPOSSIBLE: lambda menu: Listing(
        _("too many"), partial(impossible_items, menu), asks=impossible_title
    ),
    MenuKind.HISTORY: Listing(_("history"), history_items),
    MenuKind.WITHOUT: Listing(
        _("leave it out?"), without_items, no=put_back_again, asks=without_title
    ),
    MenuKind.TOUCHED: Listing(
        _("was the group touched?"), touched_items, no=not_touched, only_fix_says_no=True
    ),
    MenuKind.FORGOTTEN: Listing(_("forgotten?"), forgotten_items, no=shut),
    MenuKind.WAIVED: Listing(_("waived?"), waived_items, no=shut),
    MenuKind.DEMAND: Listing(_("extra point demanded?"), demand_items, no=not_demanded, leave=shut),
    MenuKind.QUEEN: Listing(_("where is the queen?"), queen_items),
}
"""Every list that can be open in a match, except those that follow."""

PROPOSAL_LISTS: Mapping[MenuKind, Callable[[Proposal], Listing[InMatch]]] = {
    MenuKind.EDIT: lambda shown: Listing(_("edit the stroke"), partial(edit_items, shown)),
    MenuKind.NAME_POCKET: lambda shown: Listing(
        _("into which pocket?"), partial(name_pocket_items, shown)
    ),
    MenuKind.BANKED: lambda shown: Listing(
        _("by the cushion?"), partial(banked_items, shown),
        no=partial(not_banked, shown), only_fix_says_no=True,
    ),
    MenuKind.IN_TIME: lambda shown: Listing(
        _("put back in time?"), partial(in_time_items, shown),
        no=partial(not_in_time, shown), only_fix_says_no=True,
    ),
}  # fmt: skip
"""The lists about what is proposed."""

KEPT_LISTS: Mapping[MenuKind, Callable[[Keeping], Listing[InMatch]]] = {
    MenuKind.KEEP: lambda kept: Listing(
        _("keep later strokes?"), partial(keep_items, kept), no=partial(leave_all_out, kept),
        leave=take_back, stays=True, asks=partial(keep_title, kept),
    ),
    MenuKind.STOPPED: lambda kept: Listing(
        _("no place for these"), partial(stopped_items, kept),
        leave=take_back, stays=True, asks=partial(stopped_title, kept),
    ),
    MenuKind.KEPT: lambda kept: Listing(
        _("kept"), partial(kept_items, kept), leave=seen, asks=partial(kept_word, kept=kept)
    ),
}  # fmt: skip
"""The lists about later lines."""


def in_set_up(menu: Menu) -> Listing[DialogueState]:
    """Return the list that a menu opens where no match is on the board."""
    made = LISTS[menu.kind]
    return made if isinstance(made, Listing) else made(menu)


def in_match(dialogue: InMatch, menu: Menu) -> Listing[InMatch]:
    """Return the list that a menu opens in a match."""
    shown, kept, found = dialogue.proposal, dialogue.kept, dialogue.gathered
    if shown is not None and menu.kind in PROPOSAL_LISTS:
        return PROPOSAL_LISTS[menu.kind](shown)
    if kept is not None and menu.kind in KEPT_LISTS:
        return KEPT_LISTS[menu.kind](kept)
    if found is not None and menu.kind is MenuKind.GATHERED:
        asks, listed = partial(gathered_title, found), partial(gathered_items, found)
        title = _("everything waiting")
        return Listing(title, listed, asks=asks, leave=one_by_one, stays=True)
    made = MATCH_LISTS[menu.kind]
    return made if isinstance(made, Listing) else made(menu)


def _listing(dialogue: DialogueState, menu: Menu) -> Listing[InMatch]:
    """Return the list that is open, to be looked at."""
    return in_match(dialogue, menu) if isinstance(dialogue, InMatch) else in_set_up(menu)


def items(dialogue: DialogueState) -> MatchItems:
    """Return the items of the open list, to be shown; none where none is open.

    They are remembered while only time passes.
    """
    return _items(StateKey(dialogue))


REMEMBERED = 4
"""States whose lists are remembered: the one on the board, and those of a few boards beside it."""


@lru_cache(maxsize=REMEMBERED)
def _items(key: StateKey) -> MatchItems:
    dialogue, menu = key.dialogue, key.dialogue.menu
    if menu is None:
        return ()
    if isinstance(dialogue, InMatch):
        return in_match(dialogue, menu).items(dialogue)
    return in_set_up(menu).items(dialogue)


def title(dialogue: DialogueState, menu: Menu) -> Phrase:
    """Name the list that is open."""
    listing = _listing(dialogue, menu)
    if listing.asks is None or not isinstance(dialogue, InMatch):
        return listing.title
    return listing.asks(dialogue)


def is_question(dialogue: DialogueState, menu: Menu) -> bool:
    """Whether the open list is a yes-or-no question."""
    return _listing(dialogue, menu).no is not None


def work(transition: Transition, menu: Menu, action: Action) -> Action | None:
    """Work the open list; return the action that the item stands for, None where it is itself."""
    if plays(transition):
        return _work(transition, in_match(transition.dialogue, menu), menu, action)
    return _work(transition, in_set_up(menu), menu, action)


def _work(
    transition: TransitionOf[T_contra], listing: Listing[T_contra], menu: Menu, action: Action
) -> Action | None:
    listed = listing.items(transition.dialogue)
    chosen = min(menu.chosen, len(listed) - 1)
    match action:
        case Action.FIX if listing.no is not None:
            listing.no(transition)
        case Action.FIX:
            turned = (
                code_shown(transition.dialogue, transition.now_ns)
                if codes(transition.dialogue)
                else chosen
            )
            mark_line(transition, (turned + 1) % len(listed))
            if len(listed) == 1:
                transition.refuse(_("no other line"))
        case Action.OK | Action.OK_HELD:
            item = listed[chosen]
            if item.held and action is Action.OK:
                transition.refuse(_("hold OK for this"))
                return None
            transition.change(menu=changed(menu, used_ns=transition.now_ns))
            act = item.act_held if action is Action.OK_HELD and item.act_held else item.act
            act(transition)
            return item.stands_for
        case Action.UNDO | Action.FIX_HELD:
            answer = None if listing.only_fix_says_no else listing.no
            (listing.leave or answer or shut)(transition)
        case Action.FOUL | Action.OFF:
            transition.refuse(_("close the list first"))
        case _:
            assert_never(action)
    return None


def close(transition: Transition) -> None:
    """Close the list; what was beneath it goes on.

    An open question is answered no, except one that is asked again, which is only put off.
    """
    if transition.dialogue.menu is not None:
        work(transition, transition.dialogue.menu, Action.UNDO)


LONGER = 6
"""A list in which people type, or from which they copy, is left open this many times as long."""

_COPIED = frozenset({MenuKind.REFEREE, MenuKind.HOTSPOT, MenuKind.RECORD, MenuKind.RECORD_LARGE})
"""Lists whose contents are read off a display."""


def closes_at_ns(dialogue: DialogueState) -> int | None:
    """Return when the open list closes because nobody works it; None: none is open, or never."""
    menu = dialogue.menu
    if menu is None or _listing(dialogue, menu).stays:
        return None
    waits_ns = dialogue.settings.menu_idle_ns
    if menu.kind in _COPIED or any(item.typed for item in items(dialogue)):
        waits_ns = max(waits_ns * LONGER, rounds_ns(dialogue))
    return menu.used_ns + waits_ns
