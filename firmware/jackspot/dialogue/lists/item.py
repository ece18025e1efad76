"""What a list is made of, and how one is opened and shut."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.actions.settling import to_ready
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.transition import Transition, TransitionOf, plays
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall
from jackspot.values import changed

T_contra = TypeVar("T_contra", bound=DialogueState, contravariant=True)
"""What a list is opened over: any dialogue, or one in a match."""


class Choice(Struct, Generic[T_contra], frozen=True):
    """One of the values that a line can be given at once, where people can point at it."""

    label: Phrase
    act: Callable[[TransitionOf[T_contra]], None]
    chosen: bool = False
    """It has this value now."""


class Item(Struct, Generic[T_contra], frozen=True):
    """One line of a list. ``held``: OK must be held.

    ``act_held`` is what holding OK does where that differs from pressing it. ``says`` puts into
    words what OK does, where "select" does not say enough. ``pages`` says on a page, on two keys,
    what OK does and what holding it does. ``choices`` are all the values that OK steps through, for
    a page, where people point at one; ``typed`` takes what people type there. ``locked``: nobody
    may change it here. ``stands_for`` names a button that the place may not have: once the list is
    shut, that button counts as pressed.
    """

    label: Phrase
    act: Callable[[TransitionOf[T_contra]], None]
    held: bool = False
    act_held: Callable[[TransitionOf[T_contra]], None] | None = None
    says: Phrase | None = None
    stands_for: Action | None = None
    pages: tuple[Phrase, Phrase] | None = None
    choices: tuple[Choice[T_contra], ...] = ()
    typed: Callable[[Transition, str], None] | None = None
    locked: bool = False


Items: TypeAlias = tuple[Item[DialogueState], ...]
MatchItems: TypeAlias = tuple[Item[InMatch], ...]


def open_list(
    transition: Transition, kind: MenuKind, falls: tuple[Fall, ...] = (), about: str = ""
) -> None:
    """Open a list; whoever opened it works it. A question about falls names them."""
    opener = transition.button.place if transition.button else None
    transition.change(menu=Menu(kind, 0, transition.now_ns, opener, falls, about=about))


def mark_line(transition: Transition, line: int) -> None:
    """Mark a line of the list, if it is still open: it has just been worked."""
    menu = transition.dialogue.menu
    if menu is not None:
        transition.change(menu=changed(menu, chosen=line, used_ns=transition.now_ns))


def shut(transition: Transition) -> None:
    """Shut the list; what was beneath it goes on."""
    transition.change(menu=None)
    if transition.dialogue.phase is Phase.READY and plays(transition):
        to_ready(transition)


def closing() -> Item[DialogueState]:
    """Return the line that shuts the list."""
    return Item(_("close"), shut)


def going_back(kind: MenuKind) -> Item[DialogueState]:
    """Return the line that goes back to the previous list."""
    return Item(_("back"), partial(open_list, kind=kind))


def locked(dialogue: DialogueState, lock: Lock, item: Item[DialogueState]) -> Item[DialogueState]:
    """Return an item as it is, or if the organiser locked it, one that only says so."""
    if lock not in dialogue.settings.locked:
        return item
    return Item(_("locked: {item}", item=item.label), refuse_locked, says=_("locked"), locked=True)


def refuse_locked(transition: Transition) -> None:
    """Say that nobody may change this at the table."""
    transition.refuse(_("locked by organiser"))
