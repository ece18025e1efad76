"""Finds the way through the board's lists by what they say, as a person does.

Pure: from a list as shown and what somebody wants, it finds the item that leads on. The people who
play records use it: whatever they can find, real people can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from jackspot.core.directives import (
    Entry,
    GiveTurn,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.phrases import Phrase
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import BoardView, MenuView, ReadingView, SideView
from jackspot.dialogue.words.wording import queen_word, side_word

EDIT_DONE, EDIT_SHOOTER, EDIT_CALLED = "done", "shooter {seat}", "called: {flag}"
FOUL, OFF = "foul", "piece off the board"
"""The lines in place of these buttons, where there are none."""


def edit_item(
    menu: MenuView,
    shown: ReadingView | None,
    stroke: Stroke,
    missed: tuple[Seat, ...] = (),
    *,
    by_off: bool = True,
) -> int:
    """Return the item of the editing list that brings what is shown nearer to a stroke.

    ``missed`` are seats that missed before it and that nobody pressed for. ``by_off``: a piece off
    the board is looked for on the line for it, which has only what the board takes to be there.
    """
    names = [item.msgid for item in menu.items]
    if shown is None or EDIT_DONE not in names:
        return _closing_item(menu)
    have, wanted = shown.departures, stroke.departures
    if shown.seat is not stroke.seat or shown.missed != missed or shown.before:
        return next(at for at, name in enumerate(names) if name.startswith(EDIT_SHOOTER))
    wrong = _piece_item(menu, have, wanted, by_off=by_off)
    if wrong is not None:
        return wrong
    # This is last, since the calls depend on what fell: a break is missed with a striker alone.
    return names.index(EDIT_CALLED if shown.flags != stroke.flags else EDIT_DONE)


def _piece_item(
    menu: MenuView, have: Sequence[Departure], wanted: Sequence[Departure], *, by_off: bool
) -> int | None:
    """Return the item that brings the pieces nearer; None: they are right."""
    off = find(menu, OFF) if by_off else None
    if off is not None and _one_flew_off(have, wanted):
        return off
    if len(have) > len(wanted):
        return find(menu, "piece {n}: remove")
    for number, (each, right) in enumerate(zip(have, wanted, strict=False), 1):
        if each.piece is not right.piece:
            return find(menu, "piece {n}: {piece}", n=number)
        if each != right:
            return find(menu, "piece {n}: {where}", n=number)
    return find(menu, "add a piece") if len(have) < len(wanted) else None


def _one_flew_off(have: Sequence[Departure], wanted: Sequence[Departure]) -> bool:
    """Whether all that fell is right, and one piece that flew off is still to be said."""
    fell, flew = (
        [Counter(each for each in pieces if each.flew_off is off) for pieces in (have, wanted)]
        for off in (False, True)
    )
    return fell[0] == fell[1] and flew[0] != flew[1] and flew[1].total() == 1


def is_about_later_strokes(menu: MenuView) -> bool:
    """Whether a list asks to keep the strokes after a change, or shows how they came out."""
    return menu.title.msgid.startswith(("keep ", "kept "))


def directive_item(menu: MenuView, entry: Entry) -> int:
    """Return the item of a list that leads to a directive; if none does, the one that closes it."""
    found = leading_item(menu, entry)
    return _closing_item(menu) if found is None else found


def _closing_item(menu: MenuView) -> int:
    """Find the line that closes a list without changing anything; else its last one."""
    names = [item.msgid for item in menu.items]
    closing = (names.index(each) for each in ("the table is right", "close") if each in names)
    return next(closing, len(names) - 1)


def leading_item(menu: MenuView, entry: Entry) -> int | None:
    """Return the item of a list that leads to a directive; None: none of this list does."""
    steps: tuple[int | None, ...] = ()
    match entry:
        case GiveTurn(seat):
            steps = (find(menu, "turn to {seat}", seat=seat.value), find(menu, "whose turn"))
        case Resign(seat):
            steps = (find(menu, "{seat} resigns", seat=seat.value), find(menu, "resign"))
        case Say(what) if what in SAID:
            steps = (find(menu, SAID[what]),)
        case SetRed():
            steps = (_red_item(menu, entry), find(menu, "correct the counts"))
        case SetPocketed() | SetOwed():
            further = find(menu, "what is owed") if isinstance(entry, SetOwed) else None
            steps = (_count_item(menu, entry), further, find(menu, "correct the counts"))
    return next((step for step in (*steps, find(menu, "menu")) if step is not None), None)


def find(menu: MenuView, msgid: str, **wanted: object) -> int | None:
    """Find the item that says this, with these words in its blanks."""
    for index, item in enumerate(menu.items):
        blanks = dict(item.blanks)
        if item.msgid == msgid and all(blanks.get(name) == word for name, word in wanted.items()):
            return index
    return None


SAID: Mapping[Saying, str] = MappingProxyType(
    {
        Saying.DRAW: "draw",
        Saying.BOARD: "void the board",
        Saying.WAIVE: "waive what is due",
        Saying.FORGOT: "not put back in time",
    }
)
"""Lines of the menu that enter what they say."""

QUEEN, JACK = "queen: {where}", "jack is on the board"


def _red_item(menu: MenuView, entry: SetRed) -> int | None:
    """Find the line of the jack; for the queen the list of her places, then the place itself."""
    if entry.red is Piece.JACK:
        return find(menu, JACK)
    if menu.kind == MenuKind.QUEEN:
        return find(menu, QUEEN, where=queen_word(entry.place, entry.side))
    return find(menu, QUEEN)


def _count_item(menu: MenuView, entry: SetPocketed | SetOwed) -> int | None:
    """Find the line of a count: OK takes it one up, holding OK one down."""
    msgid = "{side} in: {n}" if isinstance(entry, SetPocketed) else "{side} owes: {n}"
    for index, item in enumerate(menu.items):
        if item.msgid == msgid and dict(item.blanks)["side"] == side_word(entry.side):
            return index
    return None


def wants_hold(item: Phrase, entry: Entry) -> bool:
    """Whether OK must be held for this entry: a count goes down, a board ends by word."""
    match entry:
        case SetPocketed(count=count) | SetOwed(count=count):
            now = dict(item.blanks).get("n")
            return isinstance(now, int) and count < now
        case _:
            return isinstance(entry, Resign | Say)


def enters(item: Phrase, entry: Entry, view: BoardView) -> bool:
    """Whether doing this item enters the directive itself, not only a list before it."""
    match entry:
        case GiveTurn():
            return item.msgid == "turn to {seat}"
        case Resign():
            return item.msgid == "{seat} resigns"
        case SetRed():
            among_places = view.menu is not None and view.menu.kind == MenuKind.QUEEN
            return item.msgid == JACK or (item.msgid == QUEEN and among_places)
        case SetPocketed(side, count):
            return abs(_shown(view, side).pocketed - count) == 1 and "{n}" in item.msgid
        case SetOwed(side, count):
            return abs(_shown(view, side).owed - count) == 1 and "{n}" in item.msgid
        case _:
            return item.msgid in SAID.values()


def _shown(view: BoardView, side: Side) -> SideView:
    return next(each for each in view.sides if each.side is side)
