"""The menu of a match: corrections, calls, pauses, and ending by word of mouth."""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import Say, Saying
from jackspot.core.phrases import _
from jackspot.dialogue.actions.entering import end_by_word
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.actions.taking_back import redo_all, shelve
from jackspot.dialogue.lists.editing import calls_by_list, foul_can_be_called
from jackspot.dialogue.lists.free_play import free_items
from jackspot.dialogue.lists.hall import in_menu
from jackspot.dialogue.lists.item import Item, Items, MatchItems, closing, open_list, shut
from jackspot.dialogue.lists.record import record_item
from jackspot.dialogue.lists.set_up import set_up_items
from jackspot.dialogue.lists.time_out import pause
from jackspot.dialogue.lists.yes_or_no import demand_item, forgot_item, waive_item
from jackspot.dialogue.proposals.answers import handicap_of
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.state.view import Phase

STROKE_PHASES = frozenset({Phase.READY, Phase.FALLING, Phase.REVIEW})
"""Phases in which something can be called about a stroke, as a foul or a pocket."""


def set_up_menu(dialogue: DialogueState) -> Items:
    """Return the settings of a match before it starts, or what can be done in free play."""
    return set_up_items(dialogue) if dialogue.free is None else free_items(dialogue.free)


def menu_items(dialogue: InMatch) -> MatchItems:
    """Return what can be said by word of mouth now."""
    game = dialogue.game
    over = game.match.state.over
    listed: list[Item[InMatch]] = [record_item()] if over else _corrections(dialogue, game)
    listed += [*waive_item(dialogue), *forgot_item(dialogue), *demand_item(dialogue)]
    if dialogue.phase in (Phase.READY, Phase.PLACING):
        listed += [
            Item(_("pause"), pause),
            Item(_("time-out"), partial(open_list, kind=MenuKind.TIME_OUT)),
        ]
    listed += in_menu(dialogue)
    if game.undone:
        listed.append(Item(_("put back what was undone"), redo_all))
    if not over and game.match.state.result is None:
        listed += [
            Item(_("resign"), partial(open_list, kind=MenuKind.RESIGN)),
            Item(_("draw"), partial(end_by_word, entry=Say(Saying.DRAW)), held=True),
            Item(_("void the board"), partial(end_by_word, entry=Say(Saying.BOARD)), held=True),
        ]
    listed.append(Item(_("end this match"), _end_match, held=True))
    listed += _history(dialogue) if over else [record_item()]
    listed.append(Item(_("manual pockets"), partial(open_list, kind=MenuKind.DARK_POCKETS)))
    listed.append(Item(_("the board itself"), partial(open_list, kind=MenuKind.PREFERENCES)))
    return (*listed, closing())


def _corrections(dialogue: InMatch, game: Game) -> list[Item[InMatch]]:
    """Return corrections to the match and calls; calls come first where they have no buttons."""
    counts = Item(
        _("correct the counts"),
        partial(open_list, kind=MenuKind.COUNTS),
        act_held=partial(open_list, kind=MenuKind.OWED),
        says=_("select, hold: edit owed"),
    )
    turn = Item(_("whose turn"), partial(open_list, kind=MenuKind.TURN))
    pocket, calls = _pocket(dialogue, game), _calls(dialogue)
    if calls_by_list(dialogue):
        foul, off = calls[:-1], calls[-1:]
        return [*foul, *pocket, *off, counts, *_history(dialogue), turn]
    return [counts, *pocket, *_history(dialogue), turn, *calls]


def _calls(dialogue: InMatch) -> list[Item[InMatch]]:
    """Return what the box has buttons for: a foul where one is possible, and a piece off."""
    if dialogue.phase not in STROKE_PHASES:
        return []
    off = Item(_("piece off the board"), shut, stands_for=Action.OFF)
    if not foul_can_be_called(dialogue):
        return [off]
    return [Item(_("foul"), shut, stands_for=Action.FOUL), off]


def _pocket(dialogue: DialogueState, game: Game) -> list[Item[InMatch]]:
    """Return the line for the pocket a side must name: early, as every such stroke needs it."""
    if dialogue.phase not in STROKE_PHASES:
        return []
    shown = dialogue.proposal
    seat = shown.shooter if shown is not None else game.match.state.position.seat
    if handicap_of(game.match, seat).called_pocket:
        return [Item(_("call a pocket"), partial(open_list, kind=MenuKind.CALL))]
    return []


def _history(dialogue: InMatch) -> list[Item[InMatch]]:
    """Return the line that opens the history, once there is one."""
    if not dialogue.game.lines:
        return []
    return [Item(_("history"), partial(open_list, kind=MenuKind.HISTORY))]


def _end_match(transition: MatchTransition) -> None:
    shelve(transition, "ended from the menu")
