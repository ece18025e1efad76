"""Editing a proposal piece by piece, and a referee's calls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Flag
from jackspot.dialogue.lists.calls import answers_to_edit
from jackspot.dialogue.lists.impossible import offer_corrections
from jackspot.dialogue.lists.item import Choice, Item, MatchItems, mark_line, open_list, shut
from jackspot.dialogue.proposals.legal import may_have_missed, may_have_the_turn
from jackspot.dialogue.proposals.permitted import (
    MISSED,
    area_can_be_hit,
    break_is_due,
    mass_break_is_due,
)
from jackspot.dialogue.proposals.proposing import (
    find_reading,
    match_before,
    outcome,
    read_anew,
    stroke_of,
    with_pieces,
)
from jackspot.dialogue.proposals.scenes import scene_for, scene_in
from jackspot.dialogue.proposals.spanning import flown_for, later_seats
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.words.wording import flag_word, listed as listed_words, piece_word
from jackspot.readings.reading import Role
from jackspot.sensing.events import Button, Key
from jackspot.values import changed

PLACES: tuple[Pocket | None, ...] = (*Pocket, None)


def edit_items(shown: Proposal, dialogue: InMatch) -> MatchItems:
    """Return what can be changed in the proposal; calls come first where they have no buttons."""
    called = Item(
        _("called: {flag}", flag=called_word(_called(dialogue, shown))),
        partial(next_flag, shown=shown),
        choices=_calls(dialogue, shown),
    )
    by_list = calls_by_list(dialogue)
    listed = [Item(_("done"), _done)]
    if by_list:
        listed += [called, Item(_("piece off the board"), partial(next_off, shown=shown))]
    listed.append(
        Item(
            _shooter_word(shown.shooter, shown.missed),
            partial(_next_shooter, shown),
            choices=_shooter_choices(dialogue, shown),
        )
    )
    kinds = _kinds(dialogue, shown)
    for index, each in enumerate(shown.departures):
        where = _("flew off") if each.flew_off else _place_word(each.pocket)
        what = _("piece {n}: {piece}", n=index + 1, piece=piece_word(each.piece))
        listed.append(Item(what, partial(_next_kind, shown, index), choices=tuple(
            Choice(piece_word(kind), partial(_put, shown, index, changed(each, piece=kind)),
                   kind is each.piece) for kind in kinds)))  # fmt: skip
        listed.append(Item(_("piece {n}: {where}", n=index + 1, where=where),
                           partial(_next_place, shown, index),
                           choices=_places(shown, index, each)))  # fmt: skip
        listed.append(Item(_("piece {n}: remove", n=index + 1), partial(_remove, shown, index)))
    listed.append(Item(_("add a piece"), partial(_add, shown)))
    listed += [] if by_list else [called]
    listed += answers_to_edit(dialogue, shown)
    listed.append(Item(_("menu"), partial(open_list, kind=MenuKind.MENU)))
    return tuple(listed)


def calls_by_list(dialogue: DialogueState) -> bool:
    """Whether the list was opened at a place without a foul button: there a line makes the call."""
    opener = dialogue.menu.opener if dialogue.menu is not None else None
    return opener is not None and Button(opener, Key.FOUL) not in dialogue.settings.buttons


def _places(shown: Proposal, index: int, each: Departure) -> tuple[Choice[InMatch], ...]:
    """Return where a piece can have gone."""
    there = [*((_place_word(at), Departure(each.piece, at)) for at in PLACES),
             (_("flew off"), Departure(each.piece, None, flew_off=True))]  # fmt: skip
    return tuple(
        Choice(word, partial(_put, shown, index, gone), gone == each) for word, gone in there
    )


def _put(shown: Proposal, index: int, gone: Departure, transition: MatchTransition) -> None:
    pieces = list(shown.departures)
    pieces[index] = gone
    _edit(transition, shown, pieces)


def _kinds(dialogue: InMatch, shown: Proposal) -> tuple[Piece, ...]:
    """Return the kinds that a piece can be."""
    return tuple(scene_for(dialogue, shown.shooter).available)


def _done(transition: MatchTransition) -> None:
    """Go back to the review; if the result is impossible, say so at once and offer corrections."""
    shut(transition)
    offer_corrections(transition)


def _place_word(pocket: Pocket | None) -> Phrase:
    return _("in {pocket}", pocket=pocket.value) if pocket else _("pocket not known")


def _edit(transition: MatchTransition, shown: Proposal, pieces: Sequence[Departure]) -> None:
    edited = with_pieces(transition.dialogue, shown, tuple(pieces), transition.now_ns)
    transition.propose(edited)


def _next_kind(shown: Proposal, index: int, transition: MatchTransition) -> None:
    pieces = list(shown.departures)
    kinds = _kinds(transition.dialogue, shown)
    at = kinds.index(pieces[index].piece) if pieces[index].piece in kinds else -1
    pieces[index] = changed(pieces[index], piece=kinds[(at + 1) % len(kinds)])
    _edit(transition, shown, pieces)


def _next_place(shown: Proposal, index: int, transition: MatchTransition) -> None:
    pieces = list(shown.departures)
    each = pieces[index]
    if each.flew_off:
        pieces[index] = Departure(each.piece, PLACES[0])
    elif each.pocket is None:
        pieces[index] = Departure(each.piece, None, flew_off=True)
    else:
        pieces[index] = Departure(each.piece, PLACES[PLACES.index(each.pocket) + 1])
    _edit(transition, shown, pieces)


def _remove(shown: Proposal, index: int, transition: MatchTransition) -> None:
    pieces = list(shown.departures)
    del pieces[index]
    _edit(transition, shown, pieces)
    mark_line(transition, 0)


def _add(shown: Proposal, transition: MatchTransition) -> None:
    there = scene_for(transition.dialogue, shown.shooter).available
    own = next(piece for piece, count in there.items() if count)
    pieces = (*shown.departures, Departure(own))
    _edit(transition, shown, pieces)
    first = 4 if calls_by_list(transition.dialogue) else 2  # "done", the calls, the shooter
    mark_line(transition, first + 3 * (len(pieces) - 1))


def _shooter_word(shooter: Seat, missed: tuple[Seat, ...]) -> Phrase:
    if not missed:
        return _("shooter {seat}", seat=shooter.value)
    seats = " ".join(seat.value for seat in missed)
    return _("shooter {seat} ({missed} missed)", seat=shooter.value, missed=seats)


Shooter = tuple[Seat, tuple[Seat, ...]]
"""Who may have shot, and who missed before."""


def _said_shooter(shown: Proposal) -> Shooter | None:
    """Return who shot, as now said; None: it was part of the stroke before."""
    if shown.joining is not None:
        return None
    reading = shown.reading
    return (shown.shooter, shown.misses if reading.seat is None else reading.missed)


def _shooter_choices(dialogue: InMatch, shown: Proposal) -> tuple[Choice[InMatch], ...]:
    said = _said_shooter(shown)
    return tuple(
        Choice(_shooter_word(*each), partial(_shot_by, shown, each), each == said)
        for each in _shooters(dialogue.game)
    )


def _next_shooter(shown: Proposal, transition: MatchTransition) -> None:
    """Let the next shooter have shot.

    After part of the stroke before comes the seat that is to shoot. What was no stroke becomes one.
    """
    said, shooters = _said_shooter(shown), _shooters(transition.game)
    if shooters == (said,):
        transition.refuse(_("not possible here"))
        return
    at = shooters.index(said) + 1 if said in shooters else 0
    _shot_by(shown, shooters[at % len(shooters)], transition)


def _shot_by(shown: Proposal, shooter: Shooter, transition: MatchTransition) -> None:
    """Let this seat have shot; what people edited stays, the rest is read again."""
    seat, misses = shooter
    moved = changed(shown, seat=seat, misses=misses, chosen=0)
    fresh = read_anew(transition.dialogue, moved, transition.now_ns)
    plain = [i for i, each in enumerate(fresh.readings) if each.seat is None]
    strokes = [i for i in plain if fresh.readings[i].stroke]
    chosen = next(iter(strokes or plain), 0)
    transition.propose(changed(fresh, chosen=chosen, opened_ns=shown.opened_ns))


def _shooters(game: Game) -> tuple[Shooter, ...]:
    """Return who may have shot: the seat to shoot, seats after others missed, then other seats.

    The other seats are given the turn, where the rules let them have it: nobody missed, the turn
    was wrong. Last and rarest, the seat to shoot comes once more, after everybody has missed.
    """
    position = game.match.state.position
    first = game.to_shoot
    after = later_seats(position, first)
    missing = [(seat, (first, *after[:n])) for n, seat in enumerate(after)]
    missing = [each for each in missing if may_have_missed(game.match, each[1])]
    others = (seat for seat in dict.fromkeys(after) if seat is not first)
    given = [(seat, ()) for seat in others if may_have_the_turn(game.match, seat)]
    everybody = [each for each in missing if each[0] is first]
    return ((first, ()), *(each for each in missing if each[0] is not first), *given, *everybody)


def next_flag(transition: MatchTransition, shown: Proposal) -> None:
    """Call the next flag that this system knows; after the last one all of them, then none.

    A missed break is left out where the pieces that fell show that it was made.
    """
    offered = _offered_flags(transition.dialogue, shown)
    now = _called(transition.dialogue, shown)
    if offered == [now]:
        transition.refuse(_("not possible here"))
        return
    at = offered.index(now) + 1 if now in offered else 0
    _call(shown, offered[at % len(offered)], transition)


def kinds_off(transition: MatchTransition) -> tuple[Piece, ...]:
    """Return the kinds that can fly off now, the most frequent first.

    That is the striker, which is the fastest; then the shooter's own pieces, then the opponent's,
    then all others.
    """
    game, shown = transition.game, transition.dialogue.proposal
    match = match_before(game, shown) if shown else game.match
    seat = shown.shooter if shown else match.state.position.seat
    scene = scene_in(match, seat, transition.dialogue.settings)
    fell = [each.piece for each in shown.departures if not each.flew_off] if shown else []
    left = [piece for piece, n in scene.available.items() if n > fell.count(piece)]
    return tuple(sorted(left, key=lambda piece: FLIES.get(scene.roles[piece], len(FLIES))))


FLIES = {Role.STRIKER: 0, Role.OWN: 1, Role.OPPONENT: 2}
"""What flies off most often first; other kinds come after these."""


def next_off(transition: MatchTransition, shown: Proposal) -> None:
    """Mark the next kind of piece as flown off; after the last kind, none."""
    kinds = kinds_off(transition)
    if not kinds and not shown.flown and _not_flown(shown.edited) == shown.edited:
        transition.refuse(_("everything is in"))
        return
    off = [each.piece for each in shown.departures if each.flew_off]
    at = kinds.index(off[-1]) + 1 if off and off[-1] in kinds else 0
    match = transition.game.match
    flown = flown_for(match, kinds[at : at + 1], shown.shooter, shown.seat)
    marked = changed(shown, flown=flown, edited=_not_flown(shown.edited))
    fresh = read_anew(transition.dialogue, marked, transition.now_ns)
    if shown.reading.seat is not None and marked.edited is None:
        chosen, edited = find_reading(fresh, shown.reading)
        fresh = changed(fresh, chosen=chosen, edited=edited)
    transition.propose(changed(fresh, opened_ns=shown.opened_ns))


def _not_flown(edited: tuple[Departure, ...] | None) -> tuple[Departure, ...] | None:
    """Leave out the pieces that were edited to have flown off: they are marked again."""
    return edited and tuple(each for each in edited if not each.flew_off)


def foul_can_be_called(dialogue: InMatch) -> bool:
    """Whether FOUL is accepted now: not for a mass break, which has none, nor if all is refused."""
    shown = dialogue.proposal
    if shown is None:
        return not mass_break_is_due(dialogue.game.match)
    return len(_offered_flags(dialogue, shown)) > 1


def _offered_flags(dialogue: InMatch, shown: Proposal) -> list[frozenset[Flag]]:
    """Return the calls that can be made together, nothing first.

    What the rules refuse is left out (a mass break can have no foul), and nothing where the stroke
    before, of which it is part, has a call. Where they refuse the pieces themselves, every call
    except a missed break can still be changed.
    """
    known = flags_known(dialogue)
    calls = [frozenset[Flag](), *(frozenset({flag}) for flag in known)]
    calls += [frozenset(known)] if len(known) > 1 else []
    others = shown.flags - set(known)
    refused = not _can_be(dialogue, shown, others)
    stays = _called(dialogue, changed(shown, flags=others))  # of the stroke that it is part of
    return [
        each
        for each in calls
        if (not each and not stays)
        or (each and _can_be(dialogue, shown, others | each))
        or (each and refused and not each & MISSED)
    ]


def _call(shown: Proposal, flags: frozenset[Flag], transition: MatchTransition) -> None:
    """Make these calls; flags that only answer a question stay."""
    others = shown.flags - set(flags_known(transition.dialogue))
    transition.propose(changed(shown, flags=others | flags, changed_ns=transition.now_ns))


def _called(dialogue: InMatch, shown: Proposal) -> frozenset[Flag]:
    """Return what is called now, as shown: without what no longer fits the pieces."""
    return stroke_of(dialogue.game, shown).flags & set(flags_known(dialogue))


def _calls(dialogue: InMatch, shown: Proposal) -> tuple[Choice[InMatch], ...]:
    now = _called(dialogue, shown)
    return tuple(
        Choice(called_word(flags), partial(_call, shown, flags), flags == now)
        for flags in _offered_flags(dialogue, shown)
    )


def called_word(flags: frozenset[Flag]) -> Phrase:
    """Say what is called, or that nothing is."""
    return listed_words([flag_word(flag) for flag in sorted(flags)]) if flags else _("nothing")


def _can_be(dialogue: InMatch, shown: Proposal, flags: frozenset[Flag]) -> bool:
    """Whether the stroke that is open can have these flags."""
    called = changed(shown, flags=flags)
    said = stroke_of(dialogue.game, called)
    return flags & MISSED <= said.flags and outcome(dialogue, called) is not None


def flags_known(dialogue: InMatch) -> tuple[Flag, ...]:
    """Return the flags a referee can call now.

    A foul; an area hit, where a forbidden piece can be hit; a missed break, if the shooter still
    has it to make. Empty for a mass break, in which all seats shoot at once.
    """
    settings = dialogue.game.match.settings
    shown = dialogue.proposal
    shooter = shown.shooter if shown else dialogue.game.match.state.position.seat
    match = match_before(dialogue.game, shown) if shown else dialogue.game.match
    if mass_break_is_due(match):
        return ()
    known = [Flag.FOUL]
    if area_can_be_hit(settings, shooter):
        known.append(Flag.AREA)
    known += [Flag.NOBREAK] if break_is_due(match, shooter) else []
    return tuple(known)
