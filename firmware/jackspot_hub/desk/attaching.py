"""Results without an order: of free play by the names on them, else as the desk decides.

At a board that nobody has called, people play what they like. If both sides of such a match are
known, by their names or numbers, in a class of free play with the same rules, it counts there, and
so does any later UNDO at the board. Any other result that comes without an order, or after the desk
has said how that match ended, waits for the organiser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any
from unicodedata import normalize

from jackspot.core.match import MatchState
from jackspot.core.phrases import _
from jackspot.core.pieces import Side
from jackspot.core.record import RecordError, read_record
from jackspot.core.ruling import How
from jackspot.festival.messages import crc32
from jackspot_hub.desk.state import (
    DeskEntry,
    DeskKind,
    DeskState,
    Entries,
    contest_of,
    is_only_kept,
    loose,
    outcome_body,
    sides_of,
    taken_back,
)
from jackspot_hub.event.contest import OpenPlay
from jackspot_hub.event.entries import CannotBe, class_of, title_of
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import PlayedClass, Programme

REMEMBERED = 64
"""Records of this many loose results are remembered, and not read again."""
SAME = ("journal", "seq", "match", "record", "wall_ms")
"""What two results have in common if they are one, sent under two numbers."""
BY_NAMES = "names"
"""Who attached a result that names people who are entered."""


def outcome_for(state: MatchState, own: Side) -> Outcome | None:
    """Return how a match ended, this side's values first; None: it is not over."""
    if not state.over:
        return None
    other = next(side for side in state.settings.sides.values() if side is not own)
    return Outcome(
        None if state.winner is None else 0 if state.winner is own else 1,
        (state.points.get(own, 0), state.points.get(other, 0)),
        (state.boards_won.get(own, 0), state.boards_won.get(other, 0)),
        by_jack=state.result is not None and state.result.how is How.JACK,
    )


def of_free_play(desk: DeskState, board: int, said: Mapping[str, Any], seq: int) -> Entries:
    """Attach a result that came without an order to the free play whose people it names.

    ``seq`` is the number that its entry has in the journal. Returns nothing if it names nobody or
    somebody of whom there are two, is not over, or revises what the desk has decided.
    """
    try:
        state = read_record(said["record"]).match.state
    except RecordError:
        return ()
    if said["crc32"] != crc32(said["record"]):
        return ()
    own = _sides_of(state)[0]
    outcome, last = outcome_for(state, own), _before(desk, board, said)
    before = None if last is None else last["key"]
    if outcome is None or before in desk.corrected or (last is not None and before is None):
        return ()
    free = [
        name for name, played in desk.programme.classes.items()
        if isinstance(played.contest.format, OpenPlay) and played.is_drawn
        and (before is None or contest_of(desk, before) == name)
    ]  # fmt: skip
    for name in free:
        sides = _named(desk.programme, name, state)
        if sides is None and before is not None:
            sides = sides_of(desk, before)
        if sides is not None:
            key = before or f"{name}-1-{seq}"
            return (_entry(said["id"], name, key, sides, outcome, BY_NAMES),)
    return ()


def loose_results(desk: DeskState) -> tuple[Mapping[str, Any], ...]:
    """Return the results that wait for the organiser: the newest of each match at a board."""
    if not desk.unattached:
        return ()
    results = _by_match(desk)
    return tuple(
        each for each in desk.unattached
        if any(each["id"] == ends[-1] for ends in _ends(results[_match_of(each)], each["board"]))
    )  # fmt: skip


def sent_as(desk: DeskState, board: int, said: Mapping[str, Any]) -> int | None:
    """Return the board under whose number the same result came before; None: under none.

    A board that is given another number sends all its results again. Boards that were made from one
    card have a journal of one name, but what they have played since differs.
    """
    for body in _by_match(desk).get(_match_of(said), ()):
        if body["board"] != board and all(body["message"][each] == said[each] for each in SAME):
            return int(body["board"])
    return None


def _by_match(desk: DeskState) -> dict[tuple[str, int], list[Mapping[str, Any]]]:
    """Return what is written of all results, by their matches, as they came."""
    found: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for past in desk.past:
        if past.entry.kind is DeskKind.RESULT:
            found.setdefault(_match_of(past.entry.body["message"]), []).append(past.entry.body)
    return found


def _match_of(said: Mapping[str, Any]) -> tuple[str, int]:
    """Return what all ends of a match have in common, whatever number its board had."""
    return said.get("match_journal", said["journal"]), said["match"]


def _ends(results: Sequence[Mapping[str, Any]], board: int) -> list[list[str]]:
    """Return the ids of all ends of a board's match, as they came, also under its other numbers.

    ``results`` may be those of boards that were made from one card, which have a journal of one
    name; matches that these played one after the other under one number have a list each.
    """
    boards, pairs = {board}, [{each["board"], each.get("same", each["board"])} for each in results]
    for pair in (*reversed(pairs), *pairs):
        if pair & boards:
            boards |= pair
    found: list[list[str]] = []
    for each in results:
        if each["board"] in boards and not is_only_kept(each):
            if not found or _is_first(each["message"]):
                found.append([])
            found[-1].append(each["message"]["id"])
    return found


def _is_first(said: Mapping[str, Any]) -> bool:
    """Whether a match has ended for the first time; a journal that was restored says so anew."""
    return bool(said["revision"] == 1 and said["journal"] == _match_of(said)[0])


@lru_cache(maxsize=REMEMBERED)
def sides_played(record: str) -> list[dict[str, Any]]:
    """Return who sat on which side in a record, with their points; empty if it is no record."""
    try:
        state = read_record(record).match.state
    except RecordError:
        return []
    settings = state.settings
    return [
        {"side": side.value, "points": state.points.get(side, 0), "won": side is state.winner,
         "names": [settings.names.get(seat) or seat.value for seat in settings.seats
                   if settings.sides[seat] is side]}
        for side in _sides_of(state)
    ]  # fmt: skip


def _sides_of(state: MatchState) -> list[Side]:
    """Return both sides of a match, in the order of its record."""
    return list(dict.fromkeys(state.settings.sides[seat] for seat in state.settings.seats))


def attach(desk: DeskState, result: str, key: str, first: str, by: str) -> Entries:
    """Attach a loose result to a match; ``first`` is the side of its record that is first."""
    said, sides = loose(desk, result), sides_of(desk, key)
    try:
        state = read_record(said["record"]).match.state
    except RecordError as wrong:
        why = _("its record is none: {why}; say how {match} ended", why=str(wrong), match=key)
        raise CannotBe(_("{what}: {why}", what=result, why=why)) from wrong
    own = next((side for side in state.settings.sides.values() if side.value == first), None)
    outcome = None if own is None else outcome_for(state, own)
    if outcome is None:
        why = _("{side} has not played it to its end; say how {match} ended", side=repr(first),
                match=key)  # fmt: skip
        raise CannotBe(_("{what}: {why}", what=result, why=why))
    return (_entry(result, contest_of(desk, key), key, sides, outcome, by),)


def attach_free(
    desk: DeskState, result: str, contest: str, entrants: tuple[int, int], by: str
) -> Entries:
    """Attach a loose result to free play, with who played, in the order of its record's sides."""
    said, played = loose(desk, result), class_of(desk.programme, contest)
    title = title_of(desk.programme, contest)
    if isinstance(played.contest.format, OpenPlay) and not played.is_drawn:
        raise CannotBe(_("{title} is not drawn: draw it first, then give it the result",
                         title=title))  # fmt: skip
    if not isinstance(played.contest.format, OpenPlay):
        raise CannotBe(_("{title} is not played freely: say which match it was", title=title))
    one, two = entrants
    if one == two or not {one, two} <= played.people.keys():
        raise CannotBe(_("expected two who are entered in {title}, found {one} and {two}",
                         title=title, one=one, two=two))  # fmt: skip
    try:
        state = read_record(said["record"]).match.state
    except RecordError as wrong:
        why = _("its record is none: {why}", why=str(wrong))
        raise CannotBe(_("{what}: {why}", what=result, why=why)) from wrong
    if (outcome := outcome_for(state, _sides_of(state)[0])) is None:
        raise CannotBe(_("{what}: {why}", what=result, why=_("it was not played to its end")))
    before = (_before(desk, said["board"], said) or {}).get("key")
    is_same = before is not None and contest_of(desk, before) == contest
    key = before if before is not None and is_same else f"{contest}-1-{len(desk.past) + 1}"
    return (_entry(result, contest, key, entrants, outcome, by),)


def put_aside(desk: DeskState, result: str, by: str) -> Entries:
    """Set a loose result aside as one of no match."""
    loose(desk, result)
    body = {
        "result": result, "contest": None, "key": None, "sides": None, "outcome": None, "by": by,
    }  # fmt: skip
    return (DeskEntry(DeskKind.ATTACHED, body),)


def _entry(
    result: str, contest: str, key: str, sides: tuple[int, int], outcome: Outcome, by: str
) -> DeskEntry:
    body = {
        "result": result, "contest": contest, "key": key, "sides": list(sides),
        "outcome": outcome_body(outcome), "by": by,
    }  # fmt: skip
    return DeskEntry(DeskKind.ATTACHED, body)


def _named(programme: Programme, contest: str, state: MatchState) -> tuple[int, int] | None:
    """Return the entrants whom a match names, in the order of its sides; None: not both of them."""
    played, settings = programme.classes[contest], state.settings
    if settings.rules.value != played.header.get("rules"):
        return None
    found = []
    for side in _sides_of(state):
        words = [
            _plain(settings.names.get(seat, ""))
            for seat in settings.seats if settings.sides[seat] is side
        ]  # fmt: skip
        known = [each for each in played.people if _is_named(programme, played, each, words)]
        if len(known) != 1:
            return None
        found += known
    one, two = found
    return None if one == two else (one, two)


def _is_named(
    programme: Programme, played: PlayedClass, entrant: int, words: Sequence[str]
) -> bool:
    """Whether these words are the people of an entrant, each by name or number, in any order."""
    known = [
        (_plain(programme.people[each].name), str(each)) for each in played.people[entrant]
    ]  # fmt: skip
    return len(words) == len(known) and any(
        all(word in each for word, each in zip(words, order, strict=True))
        for order in permutations(known)
    )


def _plain(name: str) -> str:
    """Return a name without what people write differently: capitals, blanks, full width."""
    return " ".join(normalize("NFKC", name).split()).casefold()


def _before(desk: DeskState, board: int, said: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the last entry for earlier ends of a result's match; None: nothing that counts.

    An end counts as the first again once its journal was restored. The key is None if it was put
    aside, or if only another board is known to have ended that match before: this one may have had
    its number, or have been made from the same card.
    """
    if _is_first(said):
        return None
    results, skipped = _by_match(desk).get(_match_of(said), []), taken_back(desk.past)
    ends = (_ends(results, board) or [[]])[-1]
    if results and not ends and said["revision"] > 1:
        return {"key": None}
    found = [
        past.entry.body for past in desk.past
        if past.entry.kind is DeskKind.ATTACHED and past.seq not in skipped
        and past.entry.body["result"] in ends
    ]  # fmt: skip
    return found[-1] if found else None
