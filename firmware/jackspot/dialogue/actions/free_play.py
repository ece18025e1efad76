"""Free play: counts only, no turns, for visitors who just try the board.

A layer over *set-up*. A fall is counted at once as its likeliest reading when nobody has a turn.
FIX says that the newest was of the next kind, UNDO takes it away, OK says that it is right, OK held
starts counting again. The counts are in the journal with the rest of what is open. Nothing here is
a stroke: the rules are not asked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.core.pieces import Piece
from jackspot.core.rules import rules_for
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.layers import FreeFall, FreePlay
from jackspot.dialogue.state.plans import rules_of
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import BoardView, FreeView, SideView, Sound
from jackspot.dialogue.words.wording import counted, listed, piece_word
from jackspot.readings.own_pieces import kinds_of
from jackspot.readings.reading import Role, Scene, rank
from jackspot.sensing.events import Fall
from jackspot.values import changed

MOST_FALLS = 40
"""This many falls can be taken away one by one; of older ones only the pieces are kept."""


def kinds(dialogue: DialogueState) -> tuple[Piece, Piece, Piece]:
    """Return the kinds that are counted: the pucks, and the piece in the centre."""
    rules = rules_for(rules_of(dialogue.plan))
    one, other = kinds_of(rules)
    return one, other, rules.red


def _pieces_each(dialogue: DialogueState) -> int:
    return 12 if Piece.JACK in kinds(dialogue) else 9


def _whole(dialogue: DialogueState) -> dict[Piece, int]:
    """Return how many there are of each kind that is counted."""
    one, other, centre = kinds(dialogue)
    each = _pieces_each(dialogue)
    return {one: each, other: each, centre: 1}


def counts(free: FreePlay, falls: Iterable[FreeFall]) -> Counter[Piece]:
    """Count what is in: these falls, and older ones."""
    found = Counter(free.earlier)
    for fall in falls:
        found.update(fall.pieces)
    return found


def begin(transition: Transition) -> None:
    """Begin free play, or start it again."""
    transition.change(free=FreePlay(), menu=None)


def rest(transition: Transition) -> None:
    """Go to this board's resting state in set-up: free play, or ready for a match."""
    transition.change(free=FreePlay() if transition.dialogue.settings.free_rest else None)


# --- falls -----------------------------------------------------------------------------


def count_fall(transition: Transition, free: FreePlay, fall: Fall) -> None:
    """Count a fall as its likeliest reading; one that has just grown is counted again."""
    at = next((i for i, each in enumerate(free.falls) if each.number == fall.number), None)
    others = free.falls if at is None else (*free.falls[:at], *free.falls[at + 1 :])
    if at is None and _nothing_left(transition.dialogue, free):
        free, others = FreePlay(), ()
        transition.change(free=free)
    pieces = _likeliest(transition.dialogue, free, fall, others)
    seen = FreeFall(fall.number, fall.pocket, max(fall.widths_ns), pieces)
    if at is not None:
        _keep(
            transition,
            free,
            (*others[:at], seen, *others[at:]),
            sure=free.sure and at < len(others),
        )
    else:
        _keep(transition, free, (*others, seen), sure=False)


def _nothing_left(dialogue: DialogueState, free: FreePlay) -> bool:
    """Whether everything is in, so that another fall can only belong to a new round."""
    found = counts(free, free.falls)
    return all(found[piece] >= n for piece, n in _whole(dialogue).items())


def _likeliest(
    dialogue: DialogueState, free: FreePlay, fall: Fall, others: Iterable[FreeFall]
) -> tuple[Piece, ...]:
    """Return what a fall most likely was when nobody has a turn: all pucks are everybody's.

    Of two equally likely kinds it is the one of which more are left.
    """
    one, other, centre = kinds(dialogue)
    found = counts(free, others)
    available = {piece: max(0, n - found[piece]) for piece, n in _whole(dialogue).items()}
    scene = Scene(
        available={**available, Piece.STRIKER: 1},
        roles={
            one: Role.OWN, other: Role.OWN,
            centre: _role_of_the_centre(centre, cleared=not (available[one] and available[other])),
            Piece.STRIKER: Role.STRIKER,
        },
        widths=dialogue.settings.widths.of_board(centre),
        further=tuple(each.of_board(centre) for each in dialogue.settings.further),
    )  # fmt: skip
    readings = rank(scene, (fall,))
    best = [each for each in readings if math.isclose(each.probability, readings[0].probability)]
    order = tuple(scene.available)
    accounts = [tuple(each.piece for each in reading.departures) for reading in best]
    return min(accounts, key=lambda kinds: [(-scene.available[p], order.index(p)) for p in kinds])


def _role_of_the_centre(piece: Piece, *, cleared: bool) -> Role:
    """Return what the jack or the queen is to people who just try: a queen is anybody's."""
    if piece is Piece.QUEEN:
        return Role.QUEEN
    return Role.JACK_READY if cleared else Role.JACK_EARLY


def _keep(
    transition: Transition, free: FreePlay, falls: tuple[FreeFall, ...], *, sure: bool
) -> None:
    """Keep what was counted; celebrate a kind that is now all in."""
    before = _all_in(transition.dialogue, free)
    older = falls[:-MOST_FALLS]
    earlier = (*free.earlier, *(piece for fall in older for piece in fall.pieces))
    kept = FreePlay(falls[-MOST_FALLS:], earlier, sure)
    transition.change(free=kept)
    if set(_all_in(transition.dialogue, kept)) - set(before):
        transition.sound(Sound.WIN)


def _all_in(dialogue: DialogueState, free: FreePlay) -> tuple[Piece, ...]:
    """Return the kinds of pucks that are all in."""
    found = counts(free, free.falls)
    return tuple(piece for piece in kinds(dialogue)[:2] if found[piece] >= _pieces_each(dialogue))


# --- presses ---------------------------------------------------------------------------


def work(transition: Transition, free: FreePlay, action: Action) -> None:
    """Do what a press says in free play; the menu and an older match are handled elsewhere."""
    match action:
        case Action.OK:
            _right(transition, free)
        case Action.OK_HELD:
            _anew(transition, free)
        case Action.FIX:
            _next_kind(transition, free)
        case Action.UNDO:
            _take_away(transition, free)
        case _:
            transition.refuse(_("not now"))


def _anew(transition: Transition, free: FreePlay) -> None:
    begin(transition)
    if transition.dialogue.free == free:
        transition.refuse(_("nothing counted yet"))
    else:
        transition.mark_entry()


def _right(transition: Transition, free: FreePlay) -> None:
    if free.sure:
        transition.refuse(_("hold OK: reset"))
    else:
        transition.change(free=changed(free, sure=True))


def _next_kind(transition: Transition, free: FreePlay) -> None:
    """Say that the newest was of the next kind; with nothing counted, add a piece."""
    if not free.falls:
        add_piece(transition, free)
        return
    newest, others = free.falls[-1], free.falls[:-1]
    found, whole = counts(free, others), _whole(transition.dialogue)
    choices: list[tuple[Piece, ...]] = [
        (piece,) for piece in kinds(transition.dialogue) if found[piece] < whole[piece]
    ]
    choices += [(Piece.STRIKER,), ()]
    first = newest.pieces[:1]
    at = choices.index(first) if first in choices and len(newest.pieces) < 2 else -1
    chosen = choices[(at + 1) % len(choices)]
    _keep(transition, free, (*others, changed(newest, pieces=chosen)), sure=True)


def add_piece(transition: Transition, free: FreePlay) -> None:
    """Count a piece that no beam saw; FIX then says which kind it was."""
    found, whole = counts(free, free.falls), _whole(transition.dialogue)
    piece = next((each for each in whole if found[each] < whole[each]), None)
    if piece is None:
        transition.refuse(_("everything is in"))
        return
    transition.change(menu=None)
    _keep(transition, free, (*free.falls, FreeFall(0, None, 0, (piece,))), sure=False)


def _take_away(transition: Transition, free: FreePlay) -> None:
    if not free.falls:
        transition.refuse(_("nothing to take back"))
        return
    transition.change(free=changed(free, falls=free.falls[:-1], sure=True))


# --- words -----------------------------------------------------------------------------


def shown(dialogue: DialogueState, free: FreePlay, view: BoardView) -> BoardView:
    """Show free play: the counts in place of the sides' counts, and the newest fall."""
    found = counts(free, free.falls)
    sides = tuple(
        _counted_side(each, found[piece], _pieces_each(dialogue))
        for each, piece in zip(view.sides, kinds(dialogue)[:2], strict=True)
    )
    last = _newest(free)
    all_in = [piece_word(piece) for piece in _all_in(dialogue, free)]
    headline = _("all {pieces} are in!", pieces=listed(all_in)) if all_in else _("free play")
    return changed(
        view,
        sides=(sides[0], sides[1]),
        shooter=None,
        headline=headline,
        detail=last if last != EMPTY else _("hold FIX: a match"),
        ok=_("hold: reset") if free.sure else _("right"),
        fix=_("other") if free.falls else _("add one"),
        free=FreeView(tuple((piece, found[piece]) for piece in kinds(dialogue)), last, free.sure),
    )


def _counted_side(view: SideView, n: int, each: int) -> SideView:
    return changed(view, pocketed=n, left=each - n, shoots=False, all_in=n >= each)


def _newest(free: FreePlay) -> Phrase:
    """Say what the newest fall is taken for: ``RED? NE``, ``RED NE``, ``hand in NE``."""
    if not free.falls:
        return EMPTY
    newest = free.falls[-1]
    where = newest.pocket.value if newest.pocket else ""
    if not newest.pieces:
        return _("hand in {pocket}", pocket=where) if where else _("no piece")
    what = counted(newest.pieces)
    if not free.sure:
        what = _("{what}?", what=what)
    return _("{piece} {pocket}", piece=what, pocket=where) if where else what
