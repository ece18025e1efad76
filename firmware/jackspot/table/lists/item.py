"""What a list is made of, and how one is opened and shut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jackspot.table.desk import Menu, MenuKind
from jackspot.table.events import Fall
from jackspot.table.phrases import Phrase, _
from jackspot.table.settling import to_ready
from jackspot.table.talk import Talk
from jackspot.table.view import Phase


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a list. ``held``: it wants OK held.

    ``act_held`` is what holding OK does where that says another thing than pressing it, and
    ``says`` tells in words what OK does, where "do it" does not say enough.
    """

    label: Phrase
    act: Callable[[Talk], None]
    held: bool = False
    act_held: Callable[[Talk], None] | None = None
    says: Phrase | None = None


def open_list(talk: Talk, kind: MenuKind, falls: tuple[Fall, ...] = ()) -> None:
    """Open a list; who opened it works it. A question about falls names them."""
    opener = talk.button.place if talk.button else None
    talk.change(menu=Menu(kind, 0, talk.now_ns, opener, falls))


def shut(talk: Talk) -> None:
    """Shut the list; what it was over goes on."""
    talk.change(menu=None)
    if talk.desk.phase is Phase.READY and talk.desk.game is not None:
        to_ready(talk)


def closing() -> Item:
    """Give the line that shuts the list."""
    return Item(_("close"), shut)
