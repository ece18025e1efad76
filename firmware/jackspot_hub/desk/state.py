"""The desk's state: the fold of its journal, and what boards have reported since it started.

Everything that counts is an entry of the journal. What boards say of themselves is not kept: they
say it anew at every connect. An entry that is taken back is skipped, and everything is folded anew
from the event's file. Entries are numbered as in the journal: from 1, without gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from jackspot.core.order import Begins
from jackspot.core.phrases import _
from jackspot.dialogue.state.view import OrderState
from jackspot.values import changed, remember_newest
from jackspot_hub.event.contest import Contest, DrawnContest, OpenPlay, draw, forfeits
from jackspot_hub.event.entries import (
    CannotBe,
    class_drawn,
    class_of,
    entered,
    merged,
    person_of,
    registered,
    reworded,
    title_of,
    undrawn,
    with_board,
    withdrawn,
)
from jackspot_hub.event.fixtures import (
    LOST,
    Awaited,
    Fixture,
    Outcome,
    PlayedMatch,
    entrants_of,
    section_of,
)
from jackspot_hub.event.programme import Person, Programme
from jackspot_hub.event.schedule import FreeBoard


class DoesNotFit(CannotBe):
    """An entry of the journal does not fit the entries before it."""


class DeskKind(StrEnum):
    """The kinds of entries in the desk's journal."""

    ORDERED = "ordered"
    """A match was given to a board: ``order``, ``board``, ``contest``, ``key``, ``sides``,
    ``header``; and, if it goes on there, ``resume`` and ``from``. If it came back to a board that
    still plays it, that is ``from`` which it goes on, and ``order`` is the number it has there."""
    RESULT = "result"
    """A board's result came: ``board``, ``message`` as it came, ``outcome`` as scored here, null if
    it belongs to no order, and how the board ``differs``; ``same``: it came before, under the
    number of this board, and neither counts nor waits. In a journal's first entry ``began_ms`` is
    when the hub began."""
    CORRECTED = "corrected"
    """Somebody entered how a match ended: ``contest``, ``key``, ``sides``, ``outcome``, ``by``;
    ``outcome`` null: it is to be played again."""
    ATTACHED = "attached"
    """A result without an order was attached to a match: ``result`` by its id, ``contest``,
    ``key``, ``sides``, ``outcome``, ``by``; ``contest`` null: it belongs to none."""
    REGISTERED = "registered"
    """Somebody is new: ``person``, ``name``, ``kana``, ``club``, ``born``, ``by``."""
    REWORDED = "reworded"
    """Somebody's data changed: as ``registered``."""
    ENTERED = "entered"
    """One or two ``people`` play in a ``contest``, ``by`` whom; ``forced`` is why, if its years of
    birth do not fit, else null; ``round`` is their first one, once it is drawn."""
    ARRIVED = "arrived"
    """A ``person`` is ``there``, or is not; ``by`` whom that was entered."""
    WITHDRAWN = "withdrawn"
    """An ``entrant`` leaves a ``contest``, ``by`` whom; ``round`` is the first round of a Swiss
    without them, elsewhere 0: once it is drawn, they forfeit everything from there on."""
    MERGED = "merged"
    """All of the class ``other`` play in ``contest``, ``by`` whom."""
    DRAWN = "drawn"
    """A ``contest`` was drawn with this ``seed``, ``by`` whom; ``seeded`` are those who come first,
    null: those whom the file names; ``groups`` is how many groups, null: as the file says."""
    UNDRAWN = "undrawn"
    """The event's file's draw of a ``contest`` is taken back, ``by`` whom."""
    BOARD = "board"
    """A ``board`` is ``locked`` or not and ``kept_for`` contests, ``by`` whom."""
    GONG = "gong"
    """The common ``gong`` with this number sounds, three seconds after the entry, ``by`` whom."""
    NOTICE = "notice"
    """A line for all displays: ``text`` in some languages, null: it is taken back, for how many
    ``seconds``, ``by`` whom."""
    UPDATE = "update"
    """A ``release`` is offered to ``boards``, ``by`` whom; to none: nothing is offered any more."""
    UNDONE = "undone"
    """An ``entry``, by its number in the journal, no longer counts, ``by`` whom. ``stands``, as in
    ``corrected``, is how its match had ended, if it was called since."""


class DeskEntry(Struct, frozen=True):
    """An entry for the journal."""

    kind: DeskKind
    body: Mapping[str, Any]


Entries = tuple[DeskEntry, ...]


class PastEntry(Struct, frozen=True):
    """An entry in the journal, with its number and when it was written."""

    seq: int
    entry: DeskEntry
    wall_ms: int


class GivenOrder(Struct, frozen=True):
    """A match that was given to a board; ``resume`` is the record with which it goes on there."""

    number: int
    board: int
    contest: str
    key: str
    sides: tuple[int, int]
    header: str
    resume: str | None = None
    moved_from: int | None = None
    at_ms: int = 0
    """When it was given."""
    begins: str = Begins.PLAYERS.value


class StruckGong(Struct, frozen=True):
    """A gong for all boards, at an instant of the hub's clock."""

    number: int
    at_ms: int


class ShownNotice(Struct, frozen=True):
    """A line for all displays, by language, and from when to when by the hub's clock."""

    text: Mapping[str, str]
    sent_ms: int
    until_ms: int


class CarriedRelease(Struct, frozen=True):
    """A release that the hub has for its boards: a ``file`` on its pages, and their ``port``."""

    release: str
    file: str
    size: int
    sha256: str
    port: int


class SeenBoard(Struct, frozen=True):
    """What a board has reported since the desk started."""

    there: bool = False
    boot: str = ""
    """Which start of the board said ``ready`` last, as its ``n``-th connection; empty: not known,
    so any connection may be the newest."""
    n: int = 0
    order: int | None = None
    state: OrderState | None = None
    record: str = ""
    since_ms: int = 0
    """Since when its order is in this state."""
    gone_ms: int = 0
    """Since when it has been away; 0: it is there, or never was."""
    score: Mapping[str, Any] | None = None
    """Its small score, which came at ``score_ms``."""
    score_ms: int = 0
    calls_ms: int | None = None
    """Since when its people have been asking the desk to come; None: they are not."""
    pages: tuple[str, ...] = ()
    """Addresses of its own pages."""
    begun_after_ms: tuple[int, ...] = ()
    """How long people took, from each call that was received here to the start of the match."""


Results = Mapping[str, PlayedMatch]


class WorkedOutContest(Struct, frozen=True):
    """The computed state of a contest: what counts as played, its draw, and what is not over.

    ``unwon``: the keys of bracket matches that are over and still need a winner.
    """

    played: Results
    drawn: DrawnContest
    still_open: tuple[Fixture, ...]
    unwon: tuple[str, ...] = ()


Journals = Mapping[int, Mapping[str, int]]
"""By board and by its journal's name, the newest entry that has a result."""


class DeskState(Struct, frozen=True):
    """The desk."""

    programme: Programme
    orders: Mapping[int, GivenOrder] = field(default_factory=lambda: MappingProxyType({}))
    open_orders: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """The number of the order that each board is to play; none if it is to play nothing."""
    newest_orders: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The number of the current order of each match that was given, by the fixture's key."""
    results: Mapping[str, Results] = field(default_factory=lambda: MappingProxyType({}))
    """By contest, what was called and played."""
    records: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The record of each match that was played at a board, by the key of its fixture."""
    corrected: frozenset[str] = frozenset()
    """The matches in which the desk's word counts, whatever boards say: until they are called."""
    unattached: tuple[Mapping[str, Any], ...] = ()
    """Results without an order, each with its ``board``; an organiser says where they belong."""
    on_disk: Journals = field(default_factory=lambda: MappingProxyType({}))
    """By board and journal, the newest result that is on disk."""
    ended_ms: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """When each person's last match ended, by their number."""
    arrived: frozenset[int] = frozenset()
    """Who has checked in, by number."""
    past: tuple[PastEntry, ...] = ()
    """The journal so far, including what was taken back."""
    started_ms: int = 0
    """When this run of the hub began, or its clock was last set, in milliseconds since 1970; it is
    in no entry. Nothing is late by what was before."""
    started_order: int = 0
    """The number of the newest order at that time."""
    filed: Programme | None = None
    """The programme of the event's file, if entries have changed it."""
    gong: StruckGong | None = None
    """The last one that sounded."""
    notice: ShownNotice | None = None
    """The latest line for all displays that was not taken back."""
    latest: tuple[str, ...] = ()
    """The matches with the latest results, newest first."""
    seen: Mapping[int, SeenBoard] = field(default_factory=lambda: MappingProxyType({}))
    offers: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """The boards to which a release is offered, and when: that is the offer's number."""
    offered: str = ""
    """The version of that release."""
    carried: CarriedRelease | None = None
    """The release that this run of the hub has, if any."""
    versions: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """The version that each board reports."""
    updates: Mapping[int, Mapping[str, Any]] = field(default_factory=lambda: MappingProxyType({}))
    """The last report of each board on a release that was offered to it."""
    places: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """The boards that take it now, and since when each has reported nothing new."""
    given: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """How often each was given such a place."""

    def drawn(self, contest: str) -> DrawnContest:
        """Draw a contest as far as results reach; nothing until it is drawn."""
        return self._worked_out(contest).drawn

    def played(self, contest: str) -> Results:
        """Return what was called and played, and what was forfeited by those who have left."""
        return self._worked_out(contest).played

    def still_open(self, contest: str) -> tuple[Fixture, ...]:
        """Return the matches that are not over."""
        return self._worked_out(contest).still_open

    def unwon(self, contest: str) -> tuple[str, ...]:
        """Return the bracket matches that are over and still need a winner, by their keys.

        Those are the tied ones, and those from which somebody must go on though nobody came: the
        organiser says who.
        """
        return self._worked_out(contest).unwon

    def is_over(self, contest: str) -> bool:
        """Return whether a contest is drawn and completely played: never true of free play.

        A tied bracket match is still to be decided; a last one that nobody came to is not.
        """
        played = self.programme.classes[contest]
        if not played.is_drawn or isinstance(played.contest.format, OpenPlay):
            return False
        return not self.still_open(contest) and not self.unwon(contest)

    def _worked_out(self, contest: str) -> WorkedOutContest:
        played = class_of(self.programme, contest)
        if not played.is_drawn:
            return NOT_DRAWN
        return _worked_out(contest, played.contest, self.results.get(contest, NOTHING))

    def newest(self, key: str) -> GivenOrder:
        """Return the current order of a match that was given to boards more than once."""
        return self.orders[self.newest_orders[key]]

    @property
    def last_order(self) -> int:
        """The number of the newest order.

        Numbers continue from the tenth of a second, since 1970, in which the event or this run of
        its hub began. So no number repeats one that boards would take for answered: of another
        event in this hall, or of a hub that gave it after making the copy with which this one
        continues.
        """
        began_ms = self.past[0].wall_ms if self.past else 0
        newest = max(self.orders, default=began_ms // TENTH_MS)
        return max(newest, self.started_ms // TENTH_MS)

    @property
    def began_ms(self) -> int:
        """When this event began: its first entry, or the run of its hub if that was before.

        0 if that is not known. A clock that was set back since makes it earlier.
        """
        run_ms = [each.entry.body.get("began_ms") for each in self.past[:1]]
        known = (self.started_ms, *run_ms, *(each.wall_ms for each in self.past))
        return min(filter(None, known), default=0)

    def order_of(self, board: int) -> GivenOrder | None:
        """Return what a board is to play now."""
        number = self.open_orders.get(board)
        return None if number is None else self.orders[number]


LATEST = 8
TENTH_MS = 100
AHEAD_MS = 3_000
"""A gong is announced this long before."""
NOTHING: Results = MappingProxyType({})
NOT_DRAWN = WorkedOutContest(NOTHING, DrawnContest(()), ())
UNSETTLED = _("it is not settled who meets in it: decide the matches before it first")


@remember_newest
def _worked_out(_name: str, contest: Contest, results: Results) -> WorkedOutContest:
    played = forfeits(contest, results, contest.away)
    drawn = draw(contest, played)
    ended = {key: each.outcome for key, each in played.items() if each.outcome is not None}
    still_open = tuple(each for each in drawn.fixtures if each.key not in ended)
    awaited = {
        side.out_of for each in drawn.fixtures for side in each.sides if isinstance(side, Awaited)
    }
    unwon = tuple(
        each.key for each in drawn.fixtures
        if (outcome := ended.get(each.key)) is not None
        and (outcome.is_level or (outcome.winner is None and each.key in awaited))
        and each.round != LOST and section_of(each.key) not in drawn.tables
    )  # fmt: skip
    return WorkedOutContest(played, drawn, still_open, unwon)


def contest_of(desk: DeskState, key: str) -> str:
    """Return the contest of a match. CannotBe if there is none."""
    contest = key.partition("-")[0]
    class_of(desk.programme, contest)
    return contest


def sides_of(desk: DeskState, key: str) -> tuple[int, int]:
    """Return who meets in a match. CannotBe if that is not known."""
    contest = contest_of(desk, key)
    played = desk.results.get(contest, {}).get(key)
    if played is not None:
        return played.sides
    fixture = next((each for each in desk.drawn(contest).fixtures if each.key == key), None)
    if fixture is None:
        raise CannotBe(_("{title}: there is no match {match}",
                         title=title_of(desk.programme, contest), match=repr(key)))  # fmt: skip
    if not fixture.is_ready:
        raise CannotBe(_("{what}: {why}", what=key, why=UNSETTLED))
    one, two = fixture.sides
    assert isinstance(one, int)
    assert isinstance(two, int)
    return one, two


def fold(desk: DeskState, kind: str, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    """Take the journal's next entry, written at ``wall_ms``. CannotBe if it does not fit."""
    past = PastEntry(len(desk.past) + 1, DeskEntry(DeskKind(kind), body), wall_ms)
    if past.entry.kind is DeskKind.UNDONE:
        return _folded(desk, (*desk.past, past))
    return changed(_taken(desk, past), past=(*desk.past, past))


def after(desk: DeskState, entries: Iterable[DeskEntry]) -> DeskState:
    """Return the desk as it would be with these entries."""
    for each in entries:
        desk = fold(desk, each.kind, each.body, 0)
    return desk


def folded(
    programme: Programme, journal: Iterable[tuple[str, Mapping[str, Any], int]]
) -> DeskState:
    """Take a whole journal: each entry's kind, body and time. CannotBe if one does not fit."""
    past = (
        PastEntry(seq, DeskEntry(DeskKind(kind), body), wall_ms)
        for seq, (kind, body, wall_ms) in enumerate(journal, start=1)
    )
    return _folded(DeskState(programme), tuple(past))


def just_before(desk: DeskState, seq: int) -> DeskState:
    """Return the desk before an entry, without what was taken back since."""
    return _counted(desk, desk.past, seq)


def _counted(desk: DeskState, past: Sequence[PastEntry], until: int) -> DeskState:
    """Take what counts of a journal before the entry with this number."""
    again = DeskState(desk.filed or desk.programme)
    skipped = taken_back(past)
    for each in past[: until - 1]:
        if each.seq not in skipped:
            again = _taken(again, each)
    return again


def _folded(desk: DeskState, past: tuple[PastEntry, ...]) -> DeskState:
    again = _counted(desk, past, len(past) + 1)
    return changed(
        again, past=past, seen=desk.seen, carried=desk.carried, versions=desk.versions,
        updates=desk.updates, places=desk.places, given=desk.given, started_ms=desk.started_ms,
        started_order=desk.started_order,
    )  # fmt: skip


def started(desk: DeskState, now_ms: int) -> DeskState:
    """Return the desk of a hub that begins now, or whose clock was set."""
    seen = {board: changed(each, since_ms=now_ms) for board, each in desk.seen.items()}
    return changed(desk, started_ms=now_ms, started_order=max(desk.orders, default=0), seen=seen)


def taken_back(past: Sequence[PastEntry]) -> frozenset[int]:
    """Return the numbers of entries that no longer count, including undone undos."""
    found: set[int] = set()
    for each in reversed(past):
        if each.entry.kind is DeskKind.UNDONE and each.seq not in found:
            found.add(each.entry.body["entry"])
    return frozenset(found)


def _taken(desk: DeskState, past: PastEntry) -> DeskState:
    kind, body = past.entry.kind, past.entry.body
    try:
        if (change := _CHANGES.get(kind)) is not None:
            programme = change(desk.programme, body)
            return changed(desk, programme=programme, filed=desk.filed or desk.programme)
        return _FOLDS[kind](desk, body, past.wall_ms)
    except CannotBe as wrong:
        raise DoesNotFit(f"entry {past.seq} ({kind}) does not fit: {wrong}") from wrong


def _ordered(desk: DeskState, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    one, two = _known_sides(desk, body)
    order = GivenOrder(
        body["order"], body["board"], body["contest"], body["key"], (one, two), body["header"],
        body.get("resume"), body.get("from"), wall_ms,
        body.get("begins", Begins.PLAYERS.value),
    )  # fmt: skip
    still = _open_but(desk, order.key)
    played = PlayedMatch(order.sides)
    return changed(
        _with_match(desk, order.contest, order.key, played),
        orders={**desk.orders, order.number: order},
        newest_orders={**desk.newest_orders, order.key: order.number},
        corrected=desk.corrected - {order.key},
        open_orders={**still, order.board: order.number},
    )


def _result(desk: DeskState, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    board, said = body["board"], body["message"]
    known = desk.on_disk.get(board, {})
    others = {name: seq for name, seq in known.items() if name != said["journal"]}
    journals = {**others, said["journal"]: said["seq"]}  # the latest journal comes last
    desk = changed(desk, on_disk={**desk.on_disk, board: journals})
    if is_only_kept(body):
        return desk
    order = desk.orders.get(said["order"]) if said["order"] is not None else None
    if order is None or body["outcome"] is None:
        return changed(desk, unattached=(*desk.unattached, {**said, "board": board}))
    played = PlayedMatch(order.sides, outcome_of(body["outcome"]))
    return _ended(desk, order.contest, order.key, played, said["record"], wall_ms)


def is_only_kept(body: Mapping[str, Any]) -> bool:
    """Return whether a result is acknowledged and kept, but neither counts nor waits."""
    return "same" in body


def _attached(desk: DeskState, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    """Take a loose result for a match, or set it aside.

    For a match, the desk's word is final; for free play it says only who has played.
    """
    said = loose(desk, body["result"])
    desk = changed(desk, unattached=tuple(each for each in desk.unattached if each is not said))
    if body["contest"] is None:
        return desk
    is_free = isinstance(desk.programme.classes[body["contest"]].contest.format, OpenPlay)
    at_ms = _played_ms(desk, body["contest"], body["key"])
    if is_free and at_ms is None and said["synchronised"]:
        at_ms = said["wall_ms"]
    played = PlayedMatch(_known_sides(desk, body), outcome_of(body["outcome"]), at_ms=at_ms)
    desk = _ended(desk, body["contest"], body["key"], played, said["record"], wall_ms)
    if is_free:
        return desk
    return changed(desk, corrected=desk.corrected | {body["key"]})


def _played_ms(desk: DeskState, contest: str, key: str) -> int | None:
    """Return when a match of free play was played; None: it is not known."""
    known = desk.results.get(contest, {}).get(key)
    return None if known is None else known.at_ms


def loose(desk: DeskState, result: str) -> Mapping[str, Any]:
    """Return a result that belongs to no match, by its id. CannotBe if there is none."""
    found = next((each for each in desk.unattached if each["id"] == result), None)
    if found is None:
        raise CannotBe(_("there is no loose result {result}", result=repr(result)))
    return found


def _ended(
    desk: DeskState, contest: str, key: str, played: PlayedMatch, record: str, wall_ms: int
) -> DeskState:
    """Record a match as played at a board."""
    people = desk.programme.classes[contest].of(*played.sides)
    return changed(
        _with_match(desk, contest, key, played),
        open_orders=_open_but(desk, key),
        corrected=desk.corrected - {key},
        records={**desk.records, key: record},
        latest=(key, *(each for each in desk.latest if each != key))[:LATEST],
        ended_ms={**desk.ended_ms, **dict.fromkeys(people, wall_ms)},
    )


def _corrected(desk: DeskState, body: Mapping[str, Any], _wall_ms: int) -> DeskState:
    contest, key = body["contest"], body["key"]
    sides = _known_sides(desk, body)
    desk = changed(desk, open_orders=_open_but(desk, key), corrected=desk.corrected | {key})
    if body["outcome"] is None and body.get("same"):
        return _with_match(desk, contest, key, PlayedMatch(sides, called=False))
    if body["outcome"] is None:
        known = {at: each for at, each in desk.results.get(contest, {}).items() if at != key}
        return changed(desk, results={**desk.results, contest: known})
    at_ms = _played_ms(desk, contest, key)
    played = PlayedMatch(sides, outcome_of(body["outcome"]), at_ms=at_ms)
    return _with_match(desk, contest, key, played)


def _known_sides(desk: DeskState, body: Mapping[str, Any]) -> tuple[int, int]:
    """Return who meets in a match that is called or corrected: entrants of a drawn class."""
    played = class_of(desk.programme, body["contest"])
    one, two = body["sides"]
    strangers = set(entrants_of((one, two))) - played.people.keys()
    if strangers or not played.is_drawn:
        why = f"number {min(strangers)} is not entered" if strangers else "it is not drawn"
        raise CannotBe(f"{body['key']} is played in {body['contest']}, and {why}")
    return one, two


def _open_but(desk: DeskState, key: str) -> dict[int, int]:
    """Return the open orders except those of a match."""
    return {at: number for at, number in desk.open_orders.items() if desk.orders[number].key != key}


def _with_match(desk: DeskState, contest: str, key: str, played: PlayedMatch) -> DeskState:
    known = desk.results.get(contest, {})
    return changed(desk, results={**desk.results, contest: {**known, key: played}})


def outcome_of(body: Mapping[str, Any]) -> Outcome:
    """Read how a match ended from a body."""
    (one, two), (first, second) = body["points"], body["boards"]
    return Outcome(body["winner"], (one, two), (first, second), body["by_jack"], body["forfeit"])


def outcome_body(outcome: Outcome) -> dict[str, Any]:
    """Return the body for how a match ended."""
    return {
        "winner": outcome.winner,
        "points": list(outcome.points),
        "boards": list(outcome.boards),
        "by_jack": outcome.by_jack,
        "forfeit": outcome.forfeit,
    }


def person_body(person: Person) -> dict[str, Any]:
    """Return the body for a person."""
    return {
        "person": person.number,
        "name": person.name,
        "kana": person.kana,
        "club": person.club,
        "born": person.born,
    }


def _person(body: Mapping[str, Any]) -> Person:
    return Person(body["person"], body["name"], body["kana"], body["club"], body["born"])


def _arrived(desk: DeskState, body: Mapping[str, Any], _wall_ms: int) -> DeskState:
    number = person_of(desk.programme, body["person"]).number
    return changed(
        desk, arrived=desk.arrived | {number} if body["there"] else desk.arrived - {number}
    )


def _withdrawn(desk: DeskState, body: Mapping[str, Any], _wall_ms: int) -> DeskState:
    """Take an entrant out, and take back the orders for their matches."""
    contest, entrant = body["contest"], body["entrant"]
    programme = withdrawn(desk.programme, contest, entrant, body["round"])
    still = {
        at: number for at, number in desk.open_orders.items()
        if desk.orders[number].contest != contest
        or entrant not in entrants_of(desk.orders[number].sides)
    }  # fmt: skip
    return changed(desk, programme=programme, filed=desk.filed or desk.programme, open_orders=still)


def _notice(desk: DeskState, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    if body["text"] is None:
        return changed(desk, notice=None)
    until_ms = wall_ms + body["seconds"] * 1_000
    return changed(desk, notice=ShownNotice(body["text"], wall_ms, until_ms))


def _update(desk: DeskState, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    before = desk.offers if body["boards"] and body["release"] == desk.offered else {}
    now = dict.fromkeys(body["boards"], wall_ms)
    return changed(desk, offers={**before, **now}, offered=body["release"])


_CHANGES: Mapping[DeskKind, Callable[[Programme, Mapping[str, Any]], Programme]] = {
    DeskKind.REGISTERED: lambda at, body: registered(at, _person(body)),
    DeskKind.REWORDED: lambda at, body: reworded(at, _person(body)),
    DeskKind.ENTERED: lambda at, body: entered(at, body["contest"], body["people"], body["round"]),
    DeskKind.MERGED: lambda at, body: merged(at, body["contest"], body["other"]),
    DeskKind.DRAWN: lambda at, body: class_drawn(
        at, body["contest"], body["seed"], body["seeded"], body["groups"]
    ),
    DeskKind.UNDRAWN: lambda at, body: undrawn(at, body["contest"]),
    DeskKind.BOARD: lambda at, body: with_board(
        at, FreeBoard(body["board"], frozenset(body["kept_for"]), body["locked"])
    ),
}
"""Entries that only change who is entered, and where they play."""

_FOLDS: Mapping[DeskKind, Callable[[DeskState, Mapping[str, Any], int], DeskState]] = {
    DeskKind.ORDERED: _ordered,
    DeskKind.RESULT: _result,
    DeskKind.CORRECTED: _corrected,
    DeskKind.ATTACHED: _attached,
    DeskKind.ARRIVED: _arrived,
    DeskKind.WITHDRAWN: _withdrawn,
    DeskKind.GONG: lambda desk, body, wall_ms: changed(
        desk, gong=StruckGong(body["gong"], wall_ms + AHEAD_MS)
    ),
    DeskKind.NOTICE: _notice,
    DeskKind.UPDATE: _update,
    DeskKind.UNDONE: lambda desk, body, wall_ms: (
        _corrected(desk, body["stands"], wall_ms) if "stands" in body else desk
    ),
}
