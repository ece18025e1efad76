"""What is shown of an event, cut into parts, so that each change sends only what it changes.

A part has a name: ``event``, ``board/7``, ``calls``, ``latest``, ``table/singles-A``,
``round/singles-A/2``, ``contest/singles``. The parts are sent to pages, and the broker keeps them
for everyone who reads what is public (:mod:`jackspot.festival.public`). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, compress, takewhile
from operator import is_not
from typing import Any

from jackspot.dialogue.state.view import OrderState
from jackspot.festival.messages import write
from jackspot.values import remember_newest, same
from jackspot_hub.desk.final_places import places_of
from jackspot_hub.desk.state import (
    DeskState,
    GivenOrder,
    Results,
    SeenBoard,
    contest_of,
)
from jackspot_hub.event.contest import DrawnContest, Groups, Swiss, matches_in_all, uncounted
from jackspot_hub.event.fixtures import Awaited, Bye, Fixture, Slot, section_of
from jackspot_hub.event.programme import Programme, Shown
from jackspot_hub.event.standings import RankedEntrant

HERE = (OrderState.SEATED, OrderState.PLAYING)
Json = dict[str, Any]
Naming = Callable[[Programme, str, int], list[str]]
"""Gives the public names of an entrant's people in a contest."""
Called = Callable[[int], list[str]]
"""Gives the names of an entrant's people, in one contest."""
Part = tuple[str, tuple[object, ...], Callable[[], Json | list[Json]]]
"""A part's name, the values that it is made from, and the function that makes it."""


def in_full(programme: Programme, contest: str, entrant: int) -> list[str]:
    """Return the names as they were entered; two of one name are told apart."""
    return list(programme.told_apart(contest, entrant))


def initials(name: str) -> str:
    """Return the first letter of each word of a name."""
    return " ".join(f"{word[0]}." for word in name.split())


def before_a_public(programme: Programme, contest: str, entrant: int) -> list[str]:
    """Return the names in the form that the organiser shows; two of one are told apart."""
    played = programme.classes[contest]
    match played.shown:
        case Shown.FULL:
            return in_full(programme, contest, entrant)
        case Shown.INITIALS:
            return list(programme.told_apart(contest, entrant, initials))
        case Shown.NUMBER:
            return [str(number) for number in played.on(entrant)]


def _readings(desk: DeskState, order: GivenOrder, naming: Naming) -> Json:
    """Return how names are read aloud, if they are shown in full and a reading is known."""
    programme = desk.programme
    if naming(programme, order.contest, order.sides[0]) != in_full(
        programme, order.contest, order.sides[0]
    ):
        return {}
    played = programme.classes[order.contest]
    people = [[programme.people[each] for each in played.on(side)] for side in order.sides]
    if not any(person.kana for side in people for person in side):
        return {}
    return {"say": [[person.kana or person.name for person in side] for side in people]}


def event_part(desk: DeskState, results: int) -> Json:
    """Return what is played where; ``results`` is how many matches are over."""
    programme = desk.programme
    part: Json = {
        "name": programme.name,
        "hall": programme.hall,
        "boards": sorted(each.number for each in programme.boards),
        "contests": list(programme.classes),
        "results": results,
    }
    if desk.notice is not None:
        part["notice"] = {"text": dict(desk.notice.text), "until_ms": desk.notice.until_ms}
    return part


# --- boards ------------------------------------------------------------------------------


def board_part(desk: DeskState, number: int, naming: Naming) -> Json:
    """Return the state of a board.

    ``state``: absent (never heard from), away, free, called, declined, playing, own (a match that
    nobody ordered), over.
    """
    programme = desk.programme
    seen, order = desk.seen.get(number, SeenBoard()), desk.order_of(number)
    part: Json = {"n": number, "state": _board_state(seen, order)}
    shown = order
    if shown is None and part["state"] == "over" and seen.order is not None:
        shown = desk.orders.get(seen.order)
    if shown is not None:
        part |= _match_of(desk, shown, naming)
    if part["state"] == "away":
        part["since_ms"] = seen.gone_ms
    elif order is not None and part["state"] in ("called", "declined"):
        part["since_ms"] = order.at_ms
    if seen.calls_ms is not None:
        part["calls_ms"] = seen.calls_ms
    if part["state"] == "over" and shown is not None:
        part |= _outcome(desk.played(shown.contest), shown.key)
    elif seen.score is not None and part["state"] in ("playing", "own", "away"):
        firsts = () if shown is None else programme.seats(shown.contest, shown.sides)[0]
        part |= _score(seen, seen.score, firsts)
    return part


def _board_state(seen: SeenBoard, order: GivenOrder | None) -> str:
    if not seen.there:
        return "away" if seen.gone_ms or order is not None else "absent"
    heard = seen.state if order is None or seen.order == order.number else None
    if order is not None:
        if heard is OrderState.DECLINED:
            return "declined"
        return "playing" if heard in HERE else "called"
    if heard is OrderState.OVER and seen.order is not None:
        return "over"
    return "own" if heard is OrderState.PLAYING else "free"


def _match_of(desk: DeskState, order: GivenOrder, naming: Naming) -> Json:
    return _of(desk, order.contest, order.key, order.sides, naming)


def _of(desk: DeskState, contest: str, key: str, sides: tuple[int, int], naming: Naming) -> Json:
    return {
        "key": key,
        "contest": contest,
        "who": [naming(desk.programme, contest, side) for side in sides],
        "entrants": list(sides),
    }


def _score(seen: SeenBoard, said: Mapping[str, Any], firsts: Sequence[str]) -> Json:
    """Return the small score, with the side at these seats first."""
    sides = said["sides"]
    turned = firsts and set(firsts).isdisjoint(sides[0]["seats"])
    one, two = reversed(sides) if turned else sides
    part: Json = {
        "phase": said["phase"],
        "score": [one["score"], two["score"]],
        "side": [one["side"], two["side"]],
        "turn": next((at for at, side in enumerate((one, two)) if said["turn"] in side["seats"]),
                     None),
        "proposed": said["proposed"] is not None,
        "faults": len(said["faults"]),
        "heard_ms": seen.score_ms,
    }  # fmt: skip
    if said["best_of"] > 1:
        part["boards"] = [one["boards"], two["boards"]]
    if said["winner"] is not None:
        part["winner"] = 0 if one["side"] == said["winner"] else 1
    if said["clock"] is not None:
        clock = said["clock"]
        part["clock"] = {
            "left_ms": clock["remaining_ms"],
            "runs": clock["running"],
            "at_ms": seen.score_ms,
        }
    return part


def calls_part(desk: DeskState, naming: Naming) -> list[Json]:
    """Return who is called and has not come, the latest call first."""
    calls = []
    for board, number in desk.open_orders.items():
        order, seen = desk.orders[number], desk.seen.get(board, SeenBoard())
        if seen.order == number and seen.state in (*HERE, OrderState.OVER):
            continue
        calls.append({"board": board, "order": number, "since_ms": order.at_ms,
                      **_match_of(desk, order, naming), **_readings(desk, order, naming)}
                     )  # fmt: skip
    return sorted(calls, key=lambda each: (-each["since_ms"], -each["order"]))


def latest_part(desk: DeskState, naming: Naming) -> list[Json]:
    """Return how the matches with the latest results ended, newest first."""
    found = []
    for key in desk.latest:
        contest = contest_of(desk, key)
        results = desk.played(contest)
        if key in results:
            ended = _outcome(results, key)
            found += [_of(desk, contest, key, results[key].sides, naming) | ended] if ended else []
    return found


# --- contests ----------------------------------------------------------------------------


def contest_parts(desk: DeskState, name: str, naming: Naming) -> Iterator[Part]:
    """Yield the parts of one contest: itself, its tables and its rounds."""
    played, drawn = desk.programme.classes[name], desk.drawn(name)
    called = lru_cache(maxsize=None)(partial(naming, desk.programme, name))
    naming_by = (desk.programme.people, played)
    rounds = _rounds(drawn)
    form = played.contest.format
    results = desk.played(name)
    over = len(drawn.fixtures) - len(desk.still_open(name))
    yield (
        f"contest/{name}",
        (object(),),  # it counts all of them
        lambda: {
            "name": name,
            "title": played.title or name,
            "format": type(form).__name__,
            "rules": played.header.get("rules"),
            "seed": played.contest.seed,
            "upper": form.upper if isinstance(form, Groups | Swiss) else 0,
            "entrants": len(played.contest.entrants),
            "tables": list(drawn.tables),
            "rounds": list(rounds),
            "over": over - len(uncounted(played.contest, drawn)),
            "known": matches_in_all(played.contest, drawn),
            "conflicts": [each.key for each in drawn.conflicts],
            "final": _first(drawn, called, over=0 < len(drawn.fixtures) == over),
            "places": [
                {
                    "first": each.first,
                    "last": each.last,
                    "who": list(map(called, each.entrants)),
                    "entrants": list(each.entrants),
                }
                for each in places_of(desk, name)
            ],
        },
    )
    for table, ranked in drawn.tables.items():
        yield f"table/{table}", (*naming_by, ranked), partial(_table, name, table, ranked, called)
    for at, fixtures in rounds.items():
        waiting = [each.entrant for each in drawn.waits if f"{name}/{each.round}" == at]
        known = [results.get(each.key) for each in fixtures]
        yield (
            f"round/{at}", (*naming_by, fixtures, known, waiting),
            partial(_round, name, fixtures, results, waiting, called),
        )  # fmt: skip


def _table(name: str, table: str, ranked: Sequence[RankedEntrant], called: Called) -> Json:
    rows = [table_row(each, called) for each in ranked]
    return {"contest": name, "name": table, "rows": rows}


def _round(
    name: str, fixtures: Sequence[Fixture], results: Results, waiting: Sequence[int], called: Called
) -> Json:
    part = {"contest": name, "matches": [_match(results, each, called) for each in fixtures]}
    waits = [_slot(each, called) for each in waiting]
    return part | ({"waits": waits} if waits else {})


def _rounds(drawn: DrawnContest) -> dict[str, list[Fixture]]:
    """Divide matches by section and by round: ``singles-A/2``."""
    rounds: dict[str, list[Fixture]] = {}
    for fixture in drawn.fixtures:
        rounds.setdefault(f"{section_of(fixture.key)}/{fixture.round}", []).append(fixture)
    return rounds


def _match(results: Results, fixture: Fixture, called: Called) -> Json:
    match: Json = {"key": fixture.key, "who": [_slot(each, called) for each in fixture.sides]}
    if fixture.key not in results or not results[fixture.key].called:
        return match
    match["called"] = True
    return match | _outcome(results, fixture.key)


def _outcome(results: Results, key: str) -> Json:
    """Return how a match ended; empty if it has not."""
    known = results.get(key)
    if known is None or known.outcome is None:
        return {}
    outcome = known.outcome
    said: Json = {"over": True, "points": list(outcome.points), "winner": outcome.winner}
    said |= {"forfeit": True} if outcome.forfeit else {}
    return said | ({"jack": True} if outcome.by_jack else {})


def _slot(slot: Slot | Bye, called: Called) -> Json:
    match slot:
        case int():
            return {"entrant": slot, "names": called(slot)}
        case Awaited(out_of, how):
            return {"from": out_of, "how": how}
    return {}


def table_row(ranked: RankedEntrant, called: Called) -> Json:
    """Return a row of a table."""
    tally = ranked.tally
    row: Json = {
        "place": ranked.place,
        "entrant": ranked.entrant,
        "names": called(ranked.entrant),
        "played": tally.played,
        "won": tally.won,
        "tied": tally.level,
        "points": tally.points,
        "against": tally.against,
    }
    if tally.waited:
        row["waited"] = tally.waited
    if ranked.decided is not None:
        decided = ranked.decided
        row["decided"] = {"by": decided.by.value, "before": decided.before, "own": decided.own}
    return row


def _first(drawn: DrawnContest, called: Called, *, over: bool) -> list[list[str]] | None:
    """Return who is first and second, and third of a table, once that is known."""
    if drawn.final is not None:
        ways = (drawn.final.winner, drawn.final.loser)
        known = [each for each in ways if isinstance(each, int)]
        return [called(each) for each in known] if len(known) == len(ways) else None
    if not over or len(drawn.tables) != 1:
        return None
    (table,) = drawn.tables.values()
    return [called(each.entrant) for each in table[:3]]


# --- all of it ---------------------------------------------------------------------------


class PartsOfEvent:
    """The current parts of an event, each as JSON; unchanged parts are not computed again."""

    def __init__(self, naming: Naming = in_full) -> None:
        self._naming = naming
        self._newest: tuple[DeskState, DeskState, Mapping[str, str]] | None = None
        self._made: dict[str, tuple[tuple[object, ...], str]] = {}
        self._contests: dict[str, tuple[tuple[object, ...], Mapping[str, str]]] = {}

    def of(self, desk: DeskState, contests: DeskState | None = None) -> Mapping[str, str]:
        """Return every part by its name: the same text if nothing has changed it.

        Tables and rounds are those of ``contests``, a slightly older desk; None: of this one.
        """
        contests = contests or desk
        if self._newest is None or not same(self._newest[:2], (desk, contests)):
            self._newest = (desk, contests, self._of(desk, contests))
        return self._newest[2]

    def _of(self, now: DeskState, desk: DeskState) -> Mapping[str, str]:
        found = dict(map(self._part, parts_alone(now, self._naming)))
        for name, played in desk.programme.classes.items():
            made_of = (desk.programme.people, played, desk.drawn(name), desk.results.get(name))
            before = self._contests.get(name)
            if before is None or not same(before[0], made_of):
                before = (made_of, dict(map(self._part, contest_parts(desk, name, self._naming))))
                self._contests[name] = before
            found |= before[1]
        return found

    def _part(self, part: Part) -> tuple[str, str]:
        """Return a part's name and its text."""
        name, made_of, make = part
        before, old = self._made.get(name, ((), ""))
        if before != made_of:
            text = write(make()).decode()
            old = old if old == text else text
            self._made[name] = (made_of, old)
        return name, old


def parts_alone(desk: DeskState, naming: Naming) -> Iterator[Part]:
    """Yield the parts outside single contests: the event, calls, newest results, boards."""
    people, results = desk.programme.people, desk.results
    over = sum(_over(name, played) for name, played in results.items())
    yield "event", (desk.programme, over, desk.notice), partial(event_part, desk, over)
    called = [desk.seen.get(each) for each in desk.open_orders]
    yield "calls", (people, desk.open_orders, called), partial(calls_part, desk, naming)
    yield "latest", (people, desk.latest, results), partial(latest_part, desk, naming)
    for board in desk.programme.boards:
        number = board.number
        seen, order = desk.seen.get(number), desk.order_of(number)
        shown = desk.orders.get(seen.order) if seen is not None and seen.order else None
        yield (
            f"board/{number}",
            (people, seen, order, shown, results if shown is not order else None),
            partial(board_part, desk, number, naming),
        )


@remember_newest
def _over(_name: str, results: Results) -> int:
    """Return how many of a contest's matches have ended."""
    return sum(each.outcome is not None for each in results.values())


class NewestParts:
    """The newest of some parts, with when each changed: computed once for all readers.

    ``parts`` returns them as they are; a part that no longer exists is None.
    """

    def __init__(self, parts: Callable[[DeskState], Iterable[tuple[str, str]]]) -> None:
        self._parts = parts
        self._desk: DeskState | None = None
        self._beside: object = None
        self._count = 0
        self._texts: Mapping[str, str] = {}
        self._changed: dict[str, int] = {}
        """When each last changed, in that order."""

    def since(
        self, desk: DeskState, count: int, beside: object = None
    ) -> tuple[int, dict[str, str | None]]:
        """Return what has changed after this many changes, and how many there are now.

        ``beside`` is what parts are made from besides the desk.
        """
        if desk is not self._desk or beside != self._beside:
            self._beside = beside
            self._look(desk)
        changed = list(takewhile(lambda each: each[1] > count, reversed(self._changed.items())))
        return self._count, {name: self._texts.get(name) for name, _ in reversed(changed)}

    def _look(self, desk: DeskState) -> None:
        self._desk = desk
        self._count += 1
        before, self._texts = self._texts, dict(self._parts(desk))
        gone = before.keys() - self._texts.keys()
        new = compress(self._texts, map(is_not, map(before.get, self._texts), self._texts.values()))
        for name in chain(sorted(gone), new):
            self._changed.pop(name, None)
            self._changed[name] = self._count
