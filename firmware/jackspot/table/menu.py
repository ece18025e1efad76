"""The lists: the menu, editing piece by piece, counts, turn, and one question.

Every list is worked by OK and FIX alone: FIX goes to the next item, OK does it, UNDO
closes. An item that ends a board by word of mouth wants OK held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from jackspot.core.directives import GiveTurn as Turn
from jackspot.core.directives import Resign, Say, Saying, SetOwed, SetPocketed
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.stroke import Departure, Flag
from jackspot.table.desk import Desk, Menu, MenuKind, Plan, Proposal
from jackspot.table.entries import Kind
from jackspot.table.events import Fall
from jackspot.table.guards import Action
from jackspot.table.phrases import Phrase, _
from jackspot.table.plans import (
    best_of,
    time_limit_s,
    with_next_best_of,
    with_next_limit,
    with_next_lineup,
)
from jackspot.table.proposals import propose, read_anew, scene_for
from jackspot.table.settling import directive, joined, redo_all, shelve, take_back, to_ready
from jackspot.table.talk import Talk
from jackspot.table.view import Phase
from jackspot.table.wording import flag_word, piece_word


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a list. ``held``: it wants OK held."""

    label: Phrase
    act: Callable[[Talk], None]
    held: bool = False


def open_menu(talk: Talk, kind: MenuKind, falls: tuple[Fall, ...] = ()) -> None:
    """Open a list; who opened it works it. A question about falls names them."""
    opener = talk.button.place if talk.button else None
    talk.change(menu=Menu(kind, 0, talk.now_ns, opener, falls))


def items(desk: Desk) -> tuple[Item, ...]:
    """Give the items of the list that is open."""
    assert desk.menu is not None, "no list is open"
    return _ITEMS[desk.menu.kind](desk)


def title(desk: Desk) -> Phrase:
    """Name the list that is open."""
    assert desk.menu is not None, "no list is open"
    return _TITLES[desk.menu.kind]


def work(talk: Talk, action: Action) -> None:
    """Work the list that is open."""
    menu = talk.desk.menu
    assert menu is not None, "no list is open"
    listed = items(talk.desk)
    chosen = min(menu.chosen, len(listed) - 1)
    match action:
        case Action.FIX if menu.kind is MenuKind.LATE:
            _clear_late(talk)
        case Action.FIX:
            talk.change(menu=replace(menu, chosen=(chosen + 1) % len(listed), used_ns=talk.now_ns))
        case Action.OK | Action.OK_HELD:
            item = listed[chosen]
            if item.held and action is Action.OK:
                talk.refuse(_("hold OK for this"))
                return
            talk.change(menu=replace(menu, used_ns=talk.now_ns))
            item.act(talk)
        case Action.UNDO | Action.FIX_HELD:
            close(talk)
        case Action.FOUL | Action.OFF:
            talk.refuse(_("close the list first"))


def close(talk: Talk) -> None:
    """Close the list; what it was over goes on."""
    menu = talk.desk.menu
    if menu is not None and menu.kind is MenuKind.LATE:
        _clear_late(talk)
        return
    talk.change(menu=None)
    if talk.desk.phase is Phase.READY and talk.desk.game is not None:
        to_ready(talk)


def _closing() -> Item:
    return Item(_("close"), close)


# --- the menu --------------------------------------------------------------------------


def _menu_items(desk: Desk) -> tuple[Item, ...]:
    if desk.game is None:
        return _setup_items(desk)
    over = desk.game.match.state.over
    listed: list[Item] = []
    if not over:
        listed += [
            Item(_("correct the counts"), partial(open_menu, kind=MenuKind.COUNTS)),
            Item(_("whose turn"), partial(open_menu, kind=MenuKind.TURN)),
        ]
    if desk.phase in (Phase.READY, Phase.PLACING):
        listed.append(Item(_("pause"), _pause))
    if desk.game.undone:
        listed.append(Item(_("put back what was undone"), redo_all))
    if not over and desk.game.match.state.result is None:
        listed += [
            Item(_("resign"), partial(open_menu, kind=MenuKind.RESIGN)),
            Item(_("draw"), partial(directive, entry=Say(Saying.DRAW)), held=True),
            Item(_("void the board"), partial(directive, entry=Say(Saying.BOARD)), held=True),
        ]
    listed.append(Item(_("end this match"), _end_match, held=True))
    return (*listed, _closing())


def _pause(talk: Talk) -> None:
    talk.change(menu=None)
    talk.stop_clock()
    talk.go(Phase.PAUSED)


def _end_match(talk: Talk) -> None:
    shelve(talk, "ended from the menu")


def _setup_items(desk: Desk) -> tuple[Item, ...]:
    plan = desk.plan
    seats = " ".join(plan.lineup)
    minutes = time_limit_s(plan) // 60
    return (
        Item(_("seats {seats}", seats=seats), partial(_replan, with_next_lineup)),
        Item(
            _("time {minutes} min", minutes=minutes) if minutes else _("no time limit"),
            partial(_replan, with_next_limit),
        ),
        Item(_("boards: best of {n}", n=best_of(plan)), partial(_replan, with_next_best_of)),
        _closing(),
    )


def _replan(change: Callable[[Plan], Plan], talk: Talk) -> None:
    talk.change(plan=change(talk.desk.plan))


# --- corrections -----------------------------------------------------------------------


def _count_items(desk: Desk) -> tuple[Item, ...]:
    """Give the counts to correct: always the same items, so that OK can be pressed again."""
    assert desk.game is not None, "counts belong to a match"
    position = desk.game.match.state.position
    listed: list[Item] = []
    for step, sign in ((1, "+1"), (-1, "-1")):
        for side in position.sides:
            count = position.count(side).pocketed
            label = _("{side} {n}: {sign}", side=_side(side), n=count, sign=sign)
            entry = SetPocketed(side, count + step)
            fits = 0 <= entry.count <= position.pieces_each
            listed.append(Item(label, partial(_correct, entry) if fits else _cannot))
    for side in position.sides:
        for step, sign in ((1, "+1"), (-1, "-1")):
            owed = position.count(side).owed
            label = _("{side} owes {n}: {sign}", side=_side(side), n=owed, sign=sign)
            debt = SetOwed(side, owed + step)
            listed.append(Item(label, partial(_correct, debt) if debt.count >= 0 else _cannot))
    return (*listed, Item(_("the table is right"), _counts_done))


def _cannot(talk: Talk) -> None:
    talk.refuse(_("not possible"))


def _side(side: Side) -> Phrase:
    return piece_word(Piece(side.value))


def _correct(entry: SetPocketed | SetOwed, talk: Talk) -> None:
    """Correct a count at once, and keep the list open for a further correction."""
    menu = talk.desk.menu
    last = talk.game.lines[-1].entries if talk.game.lines else ()
    join = bool(last) and isinstance(last[-1], SetPocketed | SetOwed)
    directive(talk, entry, join=join)
    if talk.game.match.state.result is None:
        talk.change(menu=menu)


def _counts_done(talk: Talk) -> None:
    close(talk)
    if talk.desk.phase is Phase.PAUSED and talk.desk.glance:
        resume(talk)


def resume(talk: Talk) -> None:
    """Go on after a pause, or after a look at the table."""
    talk.change(glance=False, menu=None)
    talk.start_clock()
    talk.mark_entry()
    if talk.desk.place:
        talk.go(Phase.PLACING)
    else:
        to_ready(talk)


def _turn_items(desk: Desk) -> tuple[Item, ...]:
    assert desk.game is not None, "a turn belongs to a match"
    order = dict.fromkeys(desk.game.match.state.position.order)
    given = [Item(_("turn to {seat}", seat=seat.value), partial(_give, seat)) for seat in order]
    return (*given, _closing())


def _give(seat: Seat, talk: Talk) -> None:
    directive(talk, Turn(seat))


def _resign_items(desk: Desk) -> tuple[Item, ...]:
    assert desk.game is not None, "one resigns a match"
    order = dict.fromkeys(desk.game.match.state.position.order)
    seats = [
        Item(_("{seat} resigns", seat=seat.value), partial(_resign, seat), held=True)
        for seat in order
    ]
    return (*seats, _closing())


def _resign(seat: Seat, talk: Talk) -> None:
    directive(talk, Resign(seat))


# --- a fall after the end --------------------------------------------------------------


def _late_items(_desk: Desk) -> tuple[Item, ...]:
    return (Item(_("part of the last stroke"), _join_late),)


def _join_late(talk: Talk) -> None:
    """Open the last stroke again, with the fall that came after it."""
    menu = talk.desk.menu
    assert menu is not None, "the question is open"
    take_back(talk)
    opened = talk.desk.proposal
    if opened is None:
        fresh = propose(talk.desk, menu.falls, talk.now_ns)
    else:
        longer = replace(opened, falls=joined((*opened.falls, *menu.falls)))
        fresh = read_anew(talk.desk, longer, talk.now_ns)
    talk.change(proposal=fresh)
    talk.go(Phase.REVIEW)


def _clear_late(talk: Talk) -> None:
    menu = talk.desk.menu
    assert menu is not None, "the question is open"
    talk.record(Kind.CLEARING, falls=[fall.number for fall in menu.falls])
    talk.change(menu=None)


# --- editing ---------------------------------------------------------------------------

PLACES: tuple[Pocket | None, ...] = (*Pocket, None)


def _edit_items(desk: Desk) -> tuple[Item, ...]:
    shown = desk.proposal
    assert shown is not None, "one edits a proposal"
    listed = [Item(_("done"), close), Item(_("shooter {seat}", seat=shown.shooter.value), _shooter)]
    for index, each in enumerate(shown.departures):
        where = _("flew off") if each.flew_off else _place_word(each.pocket)
        what = _("piece {n}: {piece}", n=index + 1, piece=piece_word(each.piece))
        listed.append(Item(what, partial(_next_kind, index)))
        listed.append(Item(_("piece {n}: {where}", n=index + 1, where=where),
                           partial(_next_place, index)))  # fmt: skip
        listed.append(Item(_("piece {n}: remove", n=index + 1), partial(_remove, index)))
    listed.append(Item(_("add a piece"), _add))
    flags = [flag_word(flag) for flag in sorted(shown.flags)]
    listed.append(Item(_("called: {flag}", flag=flags[0] if flags else _("nothing")), next_flag))
    listed.append(Item(_("menu"), partial(open_menu, kind=MenuKind.MENU)))
    return tuple(listed)


def _place_word(pocket: Pocket | None) -> Phrase:
    return _("in {pocket}", pocket=pocket.value) if pocket else _("pocket not known")


def _edit(talk: Talk, pieces: tuple[Departure, ...]) -> None:
    shown = talk.proposal
    talk.change(proposal=replace(shown, edited=pieces, flown=(), changed_ns=talk.now_ns))


def _pieces(talk: Talk) -> list[Departure]:
    return list(talk.proposal.departures)


def _next_kind(index: int, talk: Talk) -> None:
    pieces = _pieces(talk)
    shown = talk.proposal
    kinds = tuple(scene_for(talk.desk, talk.game, shown.shooter).available)
    at = kinds.index(pieces[index].piece) if pieces[index].piece in kinds else -1
    pieces[index] = replace(pieces[index], piece=kinds[(at + 1) % len(kinds)])
    _edit(talk, tuple(pieces))


def _next_place(index: int, talk: Talk) -> None:
    pieces = _pieces(talk)
    each = pieces[index]
    if each.flew_off:
        pieces[index] = Departure(each.piece, PLACES[0])
    elif each.pocket is None:
        pieces[index] = Departure(each.piece, None, flew_off=True)
    else:
        pieces[index] = Departure(each.piece, PLACES[PLACES.index(each.pocket) + 1])
    _edit(talk, tuple(pieces))


def _remove(index: int, talk: Talk) -> None:
    pieces = _pieces(talk)
    del pieces[index]
    _edit(talk, tuple(pieces))
    menu = talk.desk.menu
    assert menu is not None, "editing is open"
    talk.change(menu=replace(menu, chosen=0))


def _add(talk: Talk) -> None:
    shown = talk.proposal
    there = scene_for(talk.desk, talk.game, shown.shooter).available
    own = next(piece for piece, count in there.items() if count)
    pieces = (*_pieces(talk), Departure(own))
    _edit(talk, pieces)
    menu = talk.desk.menu
    assert menu is not None, "editing is open"
    talk.change(menu=replace(menu, chosen=2 + 3 * (len(pieces) - 1)))


def _shooter(talk: Talk) -> None:
    shown = talk.proposal
    order = tuple(dict.fromkeys(talk.game.match.state.position.order))
    seat = order[(order.index(shown.shooter) + 1) % len(order)]
    talk.change(proposal=_shot_by(talk, shown, seat))


def _shot_by(talk: Talk, shown: Proposal, seat: Seat) -> Proposal:
    """Let another seat have shot; what people edited stays, the rest is read anew."""
    moved = replace(shown, seat=seat, chosen=0)
    return replace(read_anew(talk.desk, moved, talk.now_ns), opened_ns=shown.opened_ns)


def next_flag(talk: Talk) -> None:
    """Call the next flag this system knows; after the last one, none."""
    shown = talk.proposal
    known = flags_known(talk.desk)
    flag = next(iter(shown.flags & set(known)), None)
    at = known.index(flag) + 1 if flag else 0
    flags = frozenset(known[at : at + 1])
    talk.change(proposal=replace(shown, flags=flags, changed_ns=talk.now_ns))


def flags_known(desk: Desk) -> tuple[Flag, ...]:
    """Give the flags a referee can call now: an area hit only where pairs play."""
    assert desk.game is not None, "faults are called in a match"
    pairs = len(set(desk.game.match.state.position.order)) == 4
    return (Flag.FOUL, Flag.AREA) if pairs else (Flag.FOUL,)


_ITEMS: Mapping[MenuKind, Callable[[Desk], tuple[Item, ...]]] = {
    MenuKind.MENU: _menu_items,
    MenuKind.EDIT: _edit_items,
    MenuKind.COUNTS: _count_items,
    MenuKind.TURN: _turn_items,
    MenuKind.RESIGN: _resign_items,
    MenuKind.LATE: _late_items,
}

_TITLES: Mapping[MenuKind, Phrase] = {
    MenuKind.MENU: _("menu"),
    MenuKind.EDIT: _("edit the stroke"),
    MenuKind.COUNTS: _("correct the counts"),
    MenuKind.TURN: _("whose turn?"),
    MenuKind.RESIGN: _("who resigns?"),
    MenuKind.LATE: _("a fall after the end"),
}
