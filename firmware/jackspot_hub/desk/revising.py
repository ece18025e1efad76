"""Changes to what was entered: corrections, forfeits, undo, and a preview of their effects.

Each function returns entries for the journal, and raises CannotBe if it is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from jackspot.core.phrases import _
from jackspot.values import changed
from jackspot_hub.desk.allowed import OrganiserAction, called, require
from jackspot_hub.desk.final_places import SharedPlace, places_of
from jackspot_hub.desk.state import (
    DeskEntry,
    DeskKind,
    DeskState,
    DoesNotFit,
    Entries,
    contest_of,
    fold,
    is_only_kept,
    just_before,
    outcome_body,
    sides_of,
    taken_back,
)
from jackspot_hub.desk.unbegun import wrongly_called
from jackspot_hub.event.contest import IN_ROUNDS, Contest, DrawnContest, knockout_of
from jackspot_hub.event.entries import CannotBe, title_of
from jackspot_hub.event.fixtures import LOST, Conflict, Outcome, Slot, Waits, entrants_of, members
from jackspot_hub.event.programme import PlayedClass, Programme

STAYS = (DeskKind.ORDERED, DeskKind.RESULT, DeskKind.GONG, DeskKind.UPDATE)
"""What boards have reported or were told cannot be taken back; a match's outcome is corrected."""


def correct(desk: DeskState, key: str, outcome: Outcome | None, by: str) -> Entries:
    """Set how a match ended, whatever was entered before; None: it is to be played again.

    One that was called in a round is played again by the same people.
    """
    require(desk, OrganiserAction.REPLAY if outcome is None else OrganiserAction.CORRECT, key)
    same = outcome is None and key in desk.newest_orders and _is_in_a_round(desk, key)
    return _corrected(desk, key, sides_of(desk, key), outcome, by, same=same)


def said_anew(
    desk: DeskState, key: str, winner: int | None, points: tuple[int, int], jack: bool | None = None
) -> Outcome:
    """Return how a match ended that was played, as the desk says it; ``jack``: won by the jack.

    Of a match that this side had won already, what is left unsaid stays: its jack and its boards.
    """
    known = desk.played(contest_of(desk, key)).get(key)
    stood = None if known is None else known.outcome
    if stood is None or stood.forfeit or stood.winner != winner:
        stood = Outcome(winner)
    by_jack = winner is not None and (stood.by_jack if jack is None else jack)
    return changed(stood, points=points, by_jack=by_jack)


def _is_in_a_round(desk: DeskState, key: str) -> bool:
    contest = desk.programme.classes[contest_of(desk, key)].contest
    return isinstance(contest.format, IN_ROUNDS) and not key.startswith(knockout_of(contest))


def forfeit(desk: DeskState, key: str, entrant: int, by: str) -> Entries:
    """Let an entrant lose a match that is not over, without play."""
    require(desk, OrganiserAction.FORFEIT, key)
    sides = sides_of(desk, key)
    if entrant not in entrants_of(sides):
        known = ", ".join(map(str, entrants_of(sides)))
        why = _("number {n} does not play in it; who does: {known}", n=entrant, known=known)
        raise CannotBe(_("{what}: {why}", what=key, why=why))
    winner = 1 if entrant in members(sides[0]) else 0
    return _corrected(desk, key, sides, Outcome(winner, forfeit=True), by)


def abandon(desk: DeskState, key: str, by: str) -> Entries:
    """End a match that is being played, with no winner."""
    require(desk, OrganiserAction.ABANDON, key)
    return _corrected(desk, key, sides_of(desk, key), Outcome(None), by)


def _corrected(
    desk: DeskState, key: str, sides: tuple[int, int], outcome: Outcome | None, by: str,
    *, same: bool = False,
) -> Entries:  # fmt: skip
    body = {
        "contest": contest_of(desk, key), "key": key, "sides": list(sides), "by": by,
        "outcome": None if outcome is None else outcome_body(outcome),
        **({"same": True} if same else {}),
    }  # fmt: skip
    return (DeskEntry(DeskKind.CORRECTED, body),)


def undo(desk: DeskState, seq: int, by: str) -> Entries:
    """Take back an entry of the journal, by its number; an undo can be taken back, too.

    If a match had ended by what counts then, and was called since, that outcome stands again, and
    the match is taken from its board. Refused if it has ended since, if a later entry depends on
    this one, if somebody would be at two boards or in two matches of a round, or if a class that is
    drawn, or a past round, would be drawn differently.
    """
    if not 1 <= seq <= len(desk.past):
        last = len(desk.past)
        raise CannotBe(_("there is no entry {n}: the last one is {last}", n=seq, last=last))
    undone = desk.past[seq - 1].entry
    if undone.kind in STAYS:
        raise CannotBe(_("entry {n} is what boards have played or were told: correct the match",
                         n=seq))  # fmt: skip
    if seq in taken_back(desk.past):
        raise CannotBe(_("entry {n} is taken back already: take the undo of it back instead",
                         n=seq))  # fmt: skip
    if undone.kind is DeskKind.DRAWN:
        require(desk, OrganiserAction.UNDO_DRAW, undone.body["contest"])
    entry = DeskEntry(DeskKind.UNDONE, {"entry": seq, "by": by})
    try:
        after = fold(desk, entry.kind, entry.body, 0)
        if stands := _had_ended(after, seq):
            entry = DeskEntry(entry.kind, {**entry.body, "stands": stands})
            after = fold(desk, entry.kind, entry.body, 0)
    except DoesNotFit as wrong:
        raise CannotBe(_("entry {n} cannot be taken back: {why}; take that back first",
                         n=seq, why=str(wrong))) from wrong  # fmt: skip
    _keep_draws(desk, after)
    _keep_past_rounds(desk, _root(desk, seq), after)
    _keep_one_match_a_round(desk, after)
    for number, boards in Counter(_playing(after)).items():
        if boards > 1:
            name = after.programme.people[number].name
            raise CannotBe(_("{name} ({n}) would be at two boards: end one of the matches first",
                             name=name, n=number))  # fmt: skip
    return (entry,)


def _had_ended(after: DeskState, seq: int) -> dict[str, Any]:
    """Return how the match of an entry, now taken back, had ended when it was called since.

    Empty if it was not called since, had not ended, or the desk has since said that it is to be
    played again. CannotBe if it has ended anew.
    """
    key = str(_root(after, seq).body.get("key"))
    since = next((each.seq for each in after.past[seq:] if each.entry.kind is DeskKind.ORDERED
                  and each.entry.body["key"] == key), None)  # fmt: skip
    if since is None:
        return {}
    contest = contest_of(after, key)
    had, has = (
        desk.results.get(contest, {}).get(key) for desk in (just_before(after, since), after)
    )
    if had is None or had.outcome is None:
        return {}
    said = list(_said_since(after, since, key))
    if any(said) or (has is not None and has.outcome is not None):
        raise CannotBe(_("{what}: it was called again since then and has ended: correct it",
                         what=called(after, key)))  # fmt: skip
    if said:
        return {}
    return {"contest": contest, "key": key, "sides": list(had.sides),
            "outcome": outcome_body(had.outcome)}  # fmt: skip


def _said_since(desk: DeskState, seq: int, key: str) -> Iterator[Mapping[str, Any] | None]:
    """Return how a match ended by what counts after an entry; None: it is to be played again."""
    gone = taken_back(desk.past)
    for each in desk.past[seq:]:
        kind, body = each.entry.kind, each.entry.body
        if each.seq in gone:
            continue
        if kind is DeskKind.RESULT and body["outcome"] and not is_only_kept(body):
            order = desk.orders.get(body["message"]["order"])
            if order is not None and order.key == key:
                yield body["outcome"]
        elif kind in {DeskKind.CORRECTED, DeskKind.ATTACHED} and body.get("key") == key:
            yield body["outcome"]


def _root(desk: DeskState, seq: int) -> DeskEntry:
    """Return an entry, or the one that a row of undos began with."""
    entry = desk.past[seq - 1].entry
    while entry.kind is DeskKind.UNDONE:
        entry = desk.past[entry.body["entry"] - 1].entry
    return entry


def _keep_draws(desk: DeskState, after: DeskState) -> None:
    """Refuse an undo that changes how a class is drawn, or leaves one that cannot be drawn."""
    for contest, draw in _draws(after).items():
        title = title_of(desk.programme, contest)
        if _draws(desk).get(contest, draw) != draw:
            raise CannotBe(_("{title} would be drawn otherwise: undo the draw first", title=title))
        try:
            after.drawn(contest)
        except ValueError as wrong:  # its people, or its file, are others than when it was drawn
            raise CannotBe(_("{what}: {why}", what=title, why=str(wrong))) from wrong


def undo_draw(desk: DeskState, contest: str, by: str) -> Entries:
    """Take back the draw of a class in which nothing was called, even one from the event's file."""
    require(desk, OrganiserAction.UNDO_DRAW, contest)
    gone = taken_back(desk.past)
    for past in desk.past:
        is_own = past.entry.kind is DeskKind.DRAWN and past.entry.body["contest"] == contest
        if is_own and past.seq not in gone:
            return undo(desk, past.seq, by)
    return (DeskEntry(DeskKind.UNDRAWN, {"contest": contest, "by": by}),)


def _draws(desk: DeskState) -> dict[str, Contest]:
    """Return what classes are drawn from, whoever came or left since."""
    return {
        name: _as_drawn(each.contest) for name, each in desk.programme.classes.items()
        if each.is_drawn
    }  # fmt: skip


def _as_drawn(whole: Contest) -> Contest:
    came = whole.came
    return changed(
        whole, came={}, away=(),
        entrants=tuple(each for each in whole.entrants if each not in came),
        kept_apart={each: club for each, club in whole.kept_apart.items() if each not in came},
    )  # fmt: skip


def _keep_past_rounds(desk: DeskState, undone: DeskEntry, after: DeskState) -> None:
    """Refuse a change of who came to, or left, rounds before the last one that is called."""
    if undone.kind not in (DeskKind.ENTERED, DeskKind.WITHDRAWN):
        return
    contest = undone.body["contest"]
    if _past_rounds(after, contest) != _past_rounds(desk, contest):
        raise CannotBe(_("{title}: rounds that are past would be drawn otherwise: enter them, or "
                         "withdraw them, from now on",
                         title=title_of(desk.programme, contest)))  # fmt: skip


def _past_rounds(desk: DeskState, contest: str) -> tuple[set[tuple[str, ...]], set[Waits]]:
    """Return who met and who waited in the rounds before the last one that is called."""
    played = desk.programme.classes.get(contest)
    if played is None or not isinstance(played.contest.format, IN_ROUNDS):
        return set(), set()
    drawn, called = desk.drawn(contest), desk.played(contest)
    now = max((each.round for each in drawn.fixtures if each.key in called), default=0)
    met = {(each.key, *sorted(map(str, each.sides))) for each in drawn.fixtures
           if LOST < each.round < now}  # fmt: skip
    return met, {each for each in drawn.waits if each.round < now}


def _keep_one_match_a_round(desk: DeskState, after: DeskState) -> None:
    """Refuse an undo that brings a match back whose people have another one in its round by now."""
    for contest in after.programme.classes:
        before = _twice_in_a_round(desk, contest)
        for entrant, number in _twice_in_a_round(after, contest) - before:
            raise CannotBe(_("{title}: {name} would be in two matches of round {n}",
                             title=title_of(desk.programme, contest), n=number,
                             name=after.programme.names(contest, entrant)[0]))  # fmt: skip


def _twice_in_a_round(desk: DeskState, contest: str) -> set[tuple[int, int]]:
    """Return who is in two matches of a round, and in which, where each has one."""
    played = desk.programme.classes.get(contest)
    if played is None or not played.is_drawn or not isinstance(played.contest.format, IN_ROUNDS):
        return set()
    matches = Counter(
        (entrant, each.round) for each in desk.drawn(contest).fixtures
        if each.round != LOST and not each.key.startswith(knockout_of(played.contest))
        for entrant in entrants_of(each.sides)
    )  # fmt: skip
    return {each for each, times in matches.items() if times > 1}


def _playing(desk: DeskState) -> Iterable[int]:
    """Yield who is called, once for each board."""
    for number in desk.open_orders.values():
        order = desk.orders[number]
        yield from desk.programme.classes[order.contest].of(*order.sides)


class ChangedPlace(Struct, frozen=True):
    """A place in a standing, from 1, before and after; None: not in it."""

    table: str
    entrant: int
    before: int | None
    after: int | None


class ChangedClass(Struct, frozen=True):
    """A class with other entrants, or that is now drawn, or no longer is.

    ``before`` and ``after`` count its entrants; None: there is no such class.
    """

    contest: str
    title: str
    before: int | None
    after: int | None
    was_drawn: bool
    is_drawn: bool


class ChangedResult(Struct, frozen=True):
    """A class that is over, before or after, with other places in its results.

    ``before`` and ``after`` name who comes first, ``moved`` counts those who change places.
    """

    contest: str
    title: str
    was_over: bool
    is_over: bool
    before: tuple[str, ...]
    after: tuple[str, ...]
    moved: int


class TakenMatch(Struct, frozen=True):
    """A match that is taken from its board."""

    key: str
    board: int


class Preview(Struct, frozen=True):
    """What entries would change: matches by their keys, new conflicts, places, classes, results.

    A match is named if others meet in it, or if it would no longer exist. It is ``reopened`` if its
    result no longer counts, ``settled`` if one counts from then on, ``called_anew`` if it is
    called and nobody has begun it, and ``taken`` if it no longer is at the board that it is at.
    """

    matches: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    called_anew: tuple[str, ...] = ()
    taken: tuple[TakenMatch, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    places: tuple[ChangedPlace, ...] = ()
    classes: tuple[ChangedClass, ...] = ()
    results: tuple[ChangedResult, ...] = ()


def preview(desk: DeskState, entries: Iterable[DeskEntry]) -> Preview:
    """Return what would change if these entries were written now."""
    said = tuple(entries)
    after = desk
    for entry in said:
        after = fold(after, entry.kind, entry.body, 0)
    old_places, new_places = _places(desk), _places(after)
    moved = sorted(
        at for at in old_places.keys() | new_places.keys()
        if old_places.get(at) != new_places.get(at)
    )  # fmt: skip
    old_sides, new_sides = _sides(desk), _sides(after)
    known = set(_conflicts(desk))
    old_over, new_over = _over(desk), _over(after)
    told = {entry.body.get("key") for entry in said}
    anew = [each.order.key for each in wrongly_called(after)]
    return Preview(
        tuple(sorted(
            key for key, sides in old_sides.items()
            if key not in new_sides or set(new_sides[key]) != set(sides)
        )),
        tuple(sorted((old_over - new_over - told) & new_sides.keys())),
        tuple(sorted((new_over - old_over - told) & old_sides.keys())),
        tuple(sorted(anew)),
        tuple(TakenMatch(key, board) for key, board in sorted(_at_boards(desk).items())
              if key not in _at_boards(after)),
        tuple(each for each in _conflicts(after) if each not in known and each.key not in anew),
        tuple(ChangedPlace(*at, old_places.get(at), new_places.get(at)) for at in moved),
        tuple(_changed_classes(desk.programme, after.programme)),
        tuple(_changed_results(desk, after)),
    )  # fmt: skip


def _changed_results(before: DeskState, after: DeskState) -> Iterable[ChangedResult]:
    for name in sorted(before.programme.classes.keys() & after.programme.classes.keys()):
        was_over, is_over = before.is_over(name), after.is_over(name)
        old, new = places_of(before, name), places_of(after, name)
        if (was_over or is_over) and (was_over, old) != (is_over, new):
            stood, stands = _by_entrant(old), _by_entrant(new)
            yield ChangedResult(
                name, after.programme.classes[name].title or name, was_over, is_over,
                _first(before, name, old), _first(after, name, new),
                sum(stood.get(each) != stands.get(each) for each in stood.keys() | stands.keys()),
            )  # fmt: skip


def _by_entrant(places: Iterable[SharedPlace]) -> Mapping[int, tuple[int, int]]:
    return {who: (each.first, each.last) for each in places for who in each.entrants}


def _first(desk: DeskState, contest: str, places: Sequence[SharedPlace]) -> tuple[str, ...]:
    """Name who has the first place, or shares it."""
    entrants = places[0].entrants if places else ()
    return tuple(name for each in entrants for name in desk.programme.names(contest, each))


def _changed_classes(before: Programme, after: Programme) -> Iterable[ChangedClass]:
    for name in sorted({*before.classes, *after.classes}):
        old, new = before.classes.get(name), after.classes.get(name)
        either = new or old
        assert either is not None
        seen = ChangedClass(
            name, either.title or name, _entrants(old), _entrants(new),
            old is not None and old.is_drawn, new is not None and new.is_drawn,
        )  # fmt: skip
        if (seen.before, seen.was_drawn) != (seen.after, seen.is_drawn):
            yield seen


def _entrants(played: PlayedClass | None) -> int | None:
    """Count the entrants of a class who have not left it."""
    return None if played is None else len(played.people.keys() - played.contest.left)


def _over(desk: DeskState) -> set[str]:
    return {
        key for contest in desk.programme.classes
        for key, each in desk.played(contest).items() if each.outcome is not None
    }  # fmt: skip


def _at_boards(desk: DeskState) -> Mapping[str, int]:
    return {desk.orders[number].key: board for board, number in desk.open_orders.items()}


def _drawn(desk: DeskState) -> Iterable[DrawnContest]:
    return (desk.drawn(contest) for contest in desk.programme.classes)


def _sides(desk: DeskState) -> Mapping[str, tuple[Slot, Slot]]:
    return {each.key: each.sides for drawn in _drawn(desk) for each in drawn.fixtures}


def _conflicts(desk: DeskState) -> Iterable[Conflict]:
    return (each for drawn in _drawn(desk) for each in drawn.conflicts)


def _places(desk: DeskState) -> Mapping[tuple[str, int], int]:
    return {
        (table, each.entrant): each.place
        for drawn in _drawn(desk)
        for table, ranks in drawn.tables.items()
        for each in ranks
    }
