"""One step of the desk: input from a board, a person or the clock gives entries for the journal.

A step itself changes nothing. Its entries are written, forced to disk and folded; then :func:`told`
returns what each board is to be told. So a hub that is killed at any point in between says the same
after its restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from jackspot.core.agreement import Disagreement
from jackspot.core.match import MatchState
from jackspot.core.order import Begins
from jackspot.core.phrases import _, _n
from jackspot.core.printable import MOST_MARKS, without_piles
from jackspot.core.record import RecordError, read_record
from jackspot.core.settings import MatchSettings
from jackspot.dialogue.state.view import OrderState
from jackspot.festival.messages import BadMessage, What, crc32, read, write
from jackspot.values import changed
from jackspot_hub.desk.attaching import of_free_play, outcome_for, sent_as
from jackspot_hub.desk.no_show import BY_RULE, won_by_rule
from jackspot_hub.desk.state import (
    DeskEntry,
    DeskKind,
    DeskState,
    Entries,
    GivenOrder,
    SeenBoard,
    outcome_body,
)
from jackspot_hub.desk.unbegun import wrongly_called
from jackspot_hub.desk.updates import heard_update, offer_told
from jackspot_hub.event.contest import Swiss, final_of, knockout_of
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import LOST, Outcome, PlayedMatch
from jackspot_hub.event.programme import header
from jackspot_hub.event.schedule import DueMatch, FreeBoard, Occupied, next_free

ALL_RESTED_MS = 1 << 62
SAME_CLOCK_MS = 250
"""A clock whose message differs by no more than this is considered unchanged."""
MOST_JOURNALS = 16
"""Most journals told per board: each restore, and each card, gives a journal another name."""
EARLIER_MS = 6 * 3_600_000
"""What ended so long before the event began was not of it, however much clocks differ."""
RESULT_MS = 60_000
"""By then a board that was away has sent what it ended meanwhile."""
AGAIN_MS = 120_000
"""A declined order is given again after this."""


def hear(
    desk: DeskState, board: int, what: What, said: Mapping[str, Any] | None, now_ms: int
) -> tuple[DeskState, tuple[DeskEntry, ...]]:
    """Take a board's report on itself; a result becomes an entry, unless it is one already."""
    match what, said:
        case What.RESULT, Mapping() as result:
            if result["seq"] > desk.on_disk.get(board, {}).get(result["journal"], 0):
                return desk, _result(desk, board, result)
        case What.UPDATE, _:
            return heard_update(desk, board, said, now_ms), ()
        case (What.STATUS | What.CALL, _) | (_, Mapping()):
            seen = desk.seen.get(board, SeenBoard())
            seen = changed(seen, **_told_of_itself(seen, what, said or {}, now_ms))
            if what is What.ABOUT and said is not None:
                desk = _runs(desk, board, said["version"])
            seen = _begins(desk, desk.seen.get(board, SeenBoard()), seen, now_ms)
            return changed(desk, seen={**desk.seen, board: seen}), ()
    return desk, ()


def _begins(desk: DeskState, before: SeenBoard, seen: SeenBoard, now_ms: int) -> SeenBoard:
    """Note how long called people took to begin, if the board has reported both."""
    order = None if seen.order is None else desk.orders.get(seen.order)
    called = before.state in (OrderState.OFFERED, OrderState.SEATED) and before.order == seen.order
    if order is None or not called or seen.state is not OrderState.PLAYING:
        return seen
    return changed(seen, begun_after_ms=(*seen.begun_after_ms, now_ms - order.at_ms))


def _runs(desk: DeskState, board: int, version: str) -> DeskState:
    if desk.versions.get(board) == version:
        return desk
    return changed(desk, versions={**desk.versions, board: version})


def _told_of_itself(
    seen: SeenBoard, what: What, said: Mapping[str, Any], now_ms: int
) -> dict[str, Any]:
    """Return what changes in what is known of a board; ``said`` is empty: it is taken back."""
    told: dict[str, Any] = {}
    match what:
        case What.STATUS if not _lost_before(seen, said):
            there = said.get("state") == "ready"
            gone_ms = 0 if there else now_ms if seen.there else seen.gone_ms
            told = {"there": there, "gone_ms": gone_ms}
            told |= {"boot": said["boot"], "n": said["n"]} if there else {}
        case What.MATCH:
            state = {"order": said["order"], "state": OrderState(said["state"])}
            if state != {"order": seen.order, "state": seen.state}:
                told = {**state, "since_ms": now_ms}
        case What.RECORD:
            told = {"record": said["record"]}
        case What.STATE if not _only_ticks(seen, said, now_ms):
            told = {"score": said, "score_ms": now_ms}
        case What.ABOUT:
            told = {"pages": tuple(said["pages"])}
        case What.CALL:
            told = {"calls_ms": (seen.calls_ms or now_ms) if said else None}
    return told


def _lost_before(seen: SeenBoard, said: Mapping[str, Any]) -> bool:
    """Whether a connection was lost that is earlier than the one by which a board is here.

    A later one counts: of several messages only the newest is received.
    """
    if said.get("state") != "lost" or not seen.boot:
        return False
    return said["boot"] != seen.boot or bool(said["n"] < seen.n)


def once_deaf(desk: DeskState) -> DeskState:
    """Return the desk after a time in which it heard nothing: what is retained then is newer."""
    seen = {board: changed(each, boot="") for board, each in desk.seen.items()}
    return changed(desk, seen=seen)


def _only_ticks(seen: SeenBoard, said: Mapping[str, Any], now_ms: int) -> bool:
    """Whether only a running clock has changed in a score, as any reader can compute."""
    before = seen.score
    if before is None or {**before, "clock": None} != {**said, "clock": None}:
        return False
    was, clock = before["clock"], said["clock"]
    if None in (was, clock) or not was["running"] or not clock["running"]:
        return False
    counted_ms = was["remaining_ms"] - (now_ms - seen.score_ms)
    return bool(abs(clock["remaining_ms"] - counted_ms) <= SAME_CLOCK_MS)


def _result(desk: DeskState, board: int, said: Mapping[str, Any]) -> Entries:
    """Record a result; it counts if it is from the newest order of a match.

    If the desk has entered anything for that match since, or another board has ended it, that
    stays, and the result waits for the organiser. So does what a board knows to have ended long
    before this event began: a board that comes into an event sends all that its journal has. What
    came under another number that the board had is only kept.
    """
    order = desk.orders.get(said["order"]) if said["order"] is not None else None
    outcome, differs = None, ""
    is_old = said["synchronised"] and said["wall_ms"] < desk.began_ms - EARLIER_MS
    if order is not None and order.board == board and desk.newest(order.key) is order:
        if order.key in desk.corrected:
            differs = "the desk had said otherwise before it came"
        elif _is_of_another_board(desk, order, said):
            differs = "another board had ended it before it came"
        else:
            outcome, differs = _scored(desk, order, said)
    body = {
        "board": board,
        "message": dict(said),
        "outcome": None if outcome is None else outcome_body(outcome),
        "differs": differs,
    }
    if not desk.past:
        body["began_ms"] = desk.started_ms
    same = None if outcome is not None else sent_as(desk, board, said)
    if same is not None:
        return (DeskEntry(DeskKind.RESULT, {**body, "same": same}),)
    by_names = said["order"] is None and not is_old
    free = of_free_play(desk, board, said, len(desk.past) + 1) if by_names else ()
    return (DeskEntry(DeskKind.RESULT, body), *free)


def _is_of_another_board(desk: DeskState, order: GivenOrder, said: Mapping[str, Any]) -> bool:
    """Whether an order's match has ended by another journal: other hardware had the number.

    Of one journal the last end counts, also of a match that was begun anew.
    """
    counts = [
        _journals(past.entry.body["message"]) for past in desk.past
        if past.entry.kind is DeskKind.RESULT and past.entry.body["outcome"] is not None
        and past.entry.body["message"]["order"] == order.number
    ]  # fmt: skip
    return bool(counts) and counts[-1].isdisjoint(_journals(said))


def _journals(said: Mapping[str, Any]) -> set[str]:
    """Return the names that a journal had at the beginning and at the end of a match."""
    return {said["journal"], said.get("match_journal", said["journal"])}


def _scored(
    desk: DeskState, order: GivenOrder, said: Mapping[str, Any]
) -> tuple[Outcome | None, str]:
    """Score a result's record anew; say how the board's result differs, if it does."""
    try:
        state = read_record(said["record"]).match.state
    except RecordError as wrong:
        return None, f"its record is none: {wrong}"
    if said["crc32"] != crc32(said["record"]):
        return None, "its record is not whole: its check sum is another"
    if state.settings.names != read_record(order.header).match.settings.names:
        return None, "its record is of others than were called"
    outcome = _ended(desk, order, state)
    if outcome is None:
        return None, "its record is not of that match, or not over"
    same = said["winner"] == state.winner and said["points"] == dict(state.points)
    return outcome, "" if same else "the board has scored it otherwise"


def _ended(desk: DeskState, order: GivenOrder, state: MatchState) -> Outcome | None:
    """Return how a match ended by its record; None: it is not over, or another match."""
    first, _second = desk.programme.seats(order.contest, order.sides)
    own = state.settings.sides.get(first[0])
    return None if own is None else outcome_for(state, own)


def ended_unsaid(desk: DeskState, board: int) -> tuple[str, Outcome] | None:
    """Return the match that ended at a board by its record, but whose result has not come.

    A board that died after the last stroke sends it when it comes back, if it does.
    """
    order = desk.order_of(board)
    if order is None or not (record := record_on(desk, board, order)):
        return None
    outcome = _ended(desk, order, read_record(record).match.state)
    return None if outcome is None else (order.key, outcome)


def record_on(desk: DeskState, board: int, order: GivenOrder) -> str:
    """Return what was last received of the play of an order on a board; empty: nothing.

    Until people have begun it, a board still has the record of the match before.
    """
    seen = desk.seen.get(board, SeenBoard())
    if seen.order != order.number or seen.state not in (OrderState.PLAYING, OrderState.OVER):
        return ""
    try:
        played = read_record(seen.record).match.state.settings
    except RecordError:
        return ""
    wanted = read_record(order.resume or order.header).match.state.settings
    same = (played.round, played.names) == (wanted.round, wanted.names)
    return seen.record if same else ""


def pass_time(desk: DeskState, now_ms: int) -> tuple[DeskEntry, ...]:
    """Give free boards what can be played now, and repeat declined orders.

    By gong, that is the next round once the one before is over; the desk calls the first. Before
    that comes what the event's rule decides for those who have come. Before everything comes a
    match that nobody has begun and to which results now lead others.
    """
    if anew := _called_anew(desk):
        return anew
    again = (*won_by_rule(desk, now_ms), *_given_again(desk, now_ms))
    if desk.programme.by_gong and (desk.gong is None or desk.open_orders):
        return again
    given = sum(each.kind is DeskKind.ORDERED for each in again)
    return again + _given(desk, now_ms, number=desk.last_order + given)


def _called_anew(desk: DeskState) -> Entries:
    """Call those who now meet in matches that nobody has begun; take back what is not settled."""
    wrong = wrongly_called(desk)
    own = {each.order.number for each in wrong}
    busy = _people(desk, set(desk.open_orders.values()) - own)
    number, entries = desk.last_order, []
    for order, sides in ((each.order, each.sides) for each in wrong):
        people = set() if sides is None else desk.programme.classes[order.contest].of(*sides)
        if sides is None or busy & people:
            entries.append(DeskEntry(DeskKind.CORRECTED, {
                "contest": order.contest, "key": order.key, "sides": list(order.sides),
                "outcome": None, "by": BY_RULE,
            }))  # fmt: skip
            continue
        number += 1
        busy |= people
        entries.append(_order(desk, number, order.board, order.contest, order.key, sides))
    return tuple(entries)


def _people(desk: DeskState, orders: Iterable[int]) -> set[int]:
    """Return the numbers of the people whom orders call."""
    given = map(desk.orders.__getitem__, orders)
    return {
        each for order in given
        for each in desk.programme.classes[order.contest].of(*order.sides)
    }  # fmt: skip


def call_round(desk: DeskState) -> Entries:
    """Give boards the matches that begin by the gong, whoever rests.

    A board where people play a match of their own takes it when that is over.
    """
    if not desk.programme.by_gong:
        raise CannotBe(_("matches begin as boards are free: the event's file has no {setting}",
                         setting='start = "gong"'))  # fmt: skip
    if desk.open_orders:
        raise CannotBe(_n("one match of this round is not over",
                          "{n} matches of this round are not over",
                          n=len(desk.open_orders)))  # fmt: skip
    entries = _given(desk, ALL_RESTED_MS, number=desk.last_order)
    if not entries:
        raise CannotBe(_("nothing can be called: "
                         "no board is here and unlocked, or no match is due"))  # fmt: skip
    return entries


def _given(desk: DeskState, now_ms: int, number: int) -> Entries:
    """Give free boards what can be played now; ``number`` is that of the last order."""
    entries: list[DeskEntry] = []
    boards = free_boards(desk)
    if desk.programme.by_gong:
        boards += _in_own_match(desk)
    if not boards:
        return tuple(entries)
    playing = _people(desk, desk.open_orders.values())
    rested = {
        each: at + desk.programme.rest_ms for each, at in desk.ended_ms.items()
        if at <= now_ms  # no match ends later: the hub's clock was set back
    }  # fmt: skip
    due = _due(desk, playing)
    if desk.programme.by_gong and any(
        rested.get(each, 0) > now_ms for match, _ in due.values() for each in match.people
    ):
        return ()  # a round is called as a whole
    seated = next_free((match for match, _ in due.values()), boards,
                       Occupied(playing, rested), now_ms)  # fmt: skip
    for seating in seated:
        number += 1
        entries.append(
            _order(desk, number, seating.board, seating.match.contest, seating.match.key,
                   due[seating.match.key][1])
        )  # fmt: skip
    return tuple(entries)


def _due(desk: DeskState, playing: set[int]) -> dict[str, tuple[DueMatch, tuple[int, int]]]:
    """Return what can be played: its people are known, none of them plays, and it is not over."""
    due = {}
    at_boards = {desk.orders[number].key for number in desk.open_orders.values()}
    for contest, played in desk.programme.classes.items():
        final = desk.drawn(contest).open_final
        busy = {each for each, people in played.people.items() if not playing.isdisjoint(people)}
        for fixture in desk.still_open(contest):
            if fixture.round == LOST or not fixture.is_ready or not busy.isdisjoint(fixture.sides):
                continue
            sides = cast(tuple[int, int], fixture.sides)
            people = played.of(*sides)
            if fixture.key not in at_boards and playing.isdisjoint(people):
                match = DueMatch(contest, fixture.key, fixture.round, people,
                                 is_final=fixture.key == final)  # fmt: skip
                due[fixture.key] = (match, sides)
    return due


def free_boards(desk: DeskState) -> list[FreeBoard]:
    """Return the boards that can be given a match at once: here, unlocked, and with no players."""
    return _without_order(desk, OrderState.NONE, OrderState.OVER)


def _in_own_match(desk: DeskState) -> list[FreeBoard]:
    """Return the boards where people play what nobody ordered: they take an order after it."""
    return _without_order(desk, OrderState.PLAYING)


def _without_order(desk: DeskState, *states: OrderState) -> list[FreeBoard]:
    """Return the boards in these states that are here, unlocked, and have nothing to play."""
    busy = {*desk.open_orders, *desk.places}
    nowhere = SeenBoard()
    return [
        board for board in desk.programme.boards
        if not board.locked and board.number not in busy
        and (seen := desk.seen.get(board.number, nowhere)).there and seen.state in states
    ]  # fmt: skip


def _given_again(desk: DeskState, now_ms: int) -> Sequence[DeskEntry]:
    number, entries = desk.last_order, []
    for board, open_order in desk.open_orders.items():
        seen = desk.seen.get(board, SeenBoard())
        order = desk.orders[open_order]
        declined = (seen.order, seen.state) == (open_order, OrderState.DECLINED)
        waits = seen.since_ms <= now_ms < seen.since_ms + AGAIN_MS  # the clock may be set back
        asked = (declined and not waits) or _was_put_aside(seen, order, now_ms)
        if asked or _is_out_of_date(desk, seen, order):
            number += 1
            came = {"from": order.moved_from, "resume": order.resume, "begins": order.begins}
            more = {name: each for name, each in came.items() if each is not None}
            moved = more if order.moved_from is not None else {}
            entries.append(
                _order(desk, number, board, order.contest, order.key, order.sides, **moved)
            )
    return entries


def _was_put_aside(seen: SeenBoard, order: GivenOrder, now_ms: int) -> bool:
    """Whether people put a match aside just before it came back to their board.

    A board that was away may have ended it instead, and sends the result within a minute.
    """
    came_back = order.moved_from == order.board
    nobody_plays = seen.order is None and seen.state in (OrderState.NONE, OrderState.OVER)
    return came_back and nobody_plays and order.at_ms <= seen.since_ms <= now_ms - RESULT_MS


def _is_out_of_date(desk: DeskState, seen: SeenBoard, order: GivenOrder) -> bool:
    """Whether a final has not begun, but continues a first game that now counts differently."""
    whole = desk.programme.classes[order.contest].contest
    if not isinstance(whole.format, Swiss) or not whole.format.earlier:
        return False
    if seen.order == order.number and seen.state in (OrderState.PLAYING, OrderState.OVER):
        return False
    if any(each.key == order.key and each.board != order.board for each in desk.orders.values()):
        return False  # it was moved: what was played of it comes along
    first = first_game(desk, order.contest, order.key, order.sides)
    return order.resume != (None if first is None else first[1])


def _settings(desk: DeskState, contest: str, key: str, sides: tuple[int, int]) -> MatchSettings:
    try:
        return desk.programme.settings(contest, sides, key)
    except Disagreement as wrong:
        why = _("it cannot be played as it is set: {why}", why=str(wrong))
        raise CannotBe(_("{what}: {why}", what=key, why=why)) from wrong


def _order(
    desk: DeskState, number: int, board: int, contest: str, key: str, sides: tuple[int, int],
    **more: Any,
) -> DeskEntry:  # fmt: skip
    if "resume" not in more and (first := first_game(desk, contest, key, sides)) is not None:
        sides, more["resume"] = first
    body = {
        "order": number, "board": board, "contest": contest, "key": key, "sides": list(sides),
        "header": header(_settings(desk, contest, key, sides)), **more,
    }  # fmt: skip
    if desk.programme.by_gong and "resume" not in more:
        body["begins"] = Begins.GONG.value
    return DeskEntry(DeskKind.ORDERED, body)


def first_game(
    desk: DeskState, contest: str, key: str, sides: tuple[int, int]
) -> tuple[tuple[int, int], str] | None:
    """Return the earlier meeting of two in a Swiss that counts as the first game of their final.

    Of several meetings it is the first. Returns the two in their sides of that meeting, and the
    record with which the final continues: the strokes of that meeting, under what is agreed for the
    final. None if the contest is not played that way, they have not met, nobody won, or a record
    does not agree, as after a correction.
    """
    whole = desk.programme.classes[contest].contest
    if not isinstance(whole.format, Swiss) or not whole.format.earlier:
        return None
    if key != final_of(whole, desk.drawn(contest)):
        return None
    played = desk.played(contest)
    met = sorted(
        (each.round, each.key) for each in desk.drawn(contest).fixtures
        if set(each.sides) == set(sides) and each.key in played
        and not each.key.startswith(knockout_of(whole))
    )  # fmt: skip
    for at, earlier in ((key, played[key]) for _round, key in met):
        body = desk.records.get(at, "").partition("---\n")[2]
        text = header(_settings(desk, contest, key, earlier.sides)) + body
        if earlier.winner() is not None and _says(desk, at, earlier) and _goes_on(text):
            return earlier.sides, text
    return None


def _says(desk: DeskState, key: str, played: PlayedMatch) -> bool:
    """Whether a match was played where it was called, and its record says what counts of it."""
    if key not in desk.records or key not in desk.newest_orders:
        return False
    state = read_record(desk.records[key]).match.state
    return _ended(desk, desk.newest(key), state) == played.outcome


def _goes_on(record: str) -> bool:
    try:
        return not read_record(record).match.state.over
    except RecordError:
        return False


def strike(desk: DeskState, by: str) -> Entries:
    """Strike the gong for all who wait for it."""
    if not waiting_for_gong(desk):
        raise CannotBe(_("no board waits for the gong: its players say there that they have come"))
    number = 1 if desk.gong is None else desk.gong.number + 1
    return (DeskEntry(DeskKind.GONG, {"gong": number, "by": by}),)


def waiting_for_gong(desk: DeskState) -> list[int]:
    """Return the boards whose players have begun their match and wait for the gong."""
    return [
        board for board, number in desk.open_orders.items()
        if desk.orders[number].begins == Begins.GONG
        and _waits(desk, board, desk.orders[number])
    ]  # fmt: skip


def _waits(desk: DeskState, board: int, order: GivenOrder) -> bool:
    """Whether a board has begun a match, but its clock is not running and nothing was played."""
    seen = desk.seen.get(board, SeenBoard())
    clock = None if seen.score is None else seen.score["clock"]
    begun = seen.there and seen.order == order.number and seen.state is OrderState.PLAYING
    played = record_on(desk, board, order).partition("---\n")[2].strip()
    return begun and clock is not None and not clock["running"] and not played


def move(desk: DeskState, board: int, to: int) -> tuple[DeskEntry, ...]:
    """Let the match of one board go on at another, from the record as last received."""
    order = desk.order_of(board)
    if order is None:
        raise CannotBe(_("board {n} plays nothing that was ordered", n=board))
    unlocked = {each.number for each in desk.programme.boards if not each.locked}
    if to in desk.open_orders or to not in unlocked:
        raise CannotBe(_("board {n} is not free: choose one that has no match and is not locked",
                         n=to))  # fmt: skip
    if to in desk.places:
        raise CannotBe(_("board {n} takes a newer version just now: choose another one", n=to))
    if (ended := ended_unsaid(desk, board)) is not None:
        points = " : ".join(map(str, ended[1].points))
        raise CannotBe(_("{match} is over by its record, {points}: say that it ended so",
                         match=order.key, points=points))  # fmt: skip
    played, number = record_on(desk, board, order), desk.last_order + 1
    more: dict[str, Any] = {"from": board, "begins": order.begins}
    if (still := _still_on(desk, to, order, played)) is not None:
        more = {"from": to, "header": still.header, "begins": still.begins}
        played, number = record_on(desk, to, still), still.number
    if resumed := played or order.resume:
        more["resume"] = resumed
    return (_order(desk, number, to, order.contest, order.key, order.sides, **more),)


def _still_on(desk: DeskState, to: int, order: GivenOrder, played: str) -> GivenOrder | None:
    """Return the order by which a board still plays a match that comes back to it.

    None if it does not, or if more was ``played`` elsewhere since. The match just goes on there,
    under the number by which the board knows it.
    """
    seen = desk.seen.get(to, SeenBoard())
    still = desk.orders.get(seen.order) if seen.order is not None else None
    if still is None or seen.state is not OrderState.PLAYING or still.board != to:
        return None
    if (still.key, still.sides) != (order.key, order.sides):
        return None
    own, other = (each.partition("---\n")[2] for each in (record_on(desk, to, still), played))
    return still if own.startswith(other) else None


def give_notice(text: Mapping[str, str], seconds: int, by: str) -> Entries:
    """Show a line on all displays, in at least one language, for this many seconds."""
    said = {"v": 1, "text": dict(text), "sent_ms": 0, "seconds": seconds}
    try:
        read(What.NOTICE, write(said))
    except BadMessage as wrong:
        raise CannotBe(str(wrong)) from None
    if not text:
        raise CannotBe(_("expected a line in at least one language, found none"))
    for name, line in text.items():
        if without_piles(line) != line:
            why = _("expected at most {most} marks on a letter", most=MOST_MARKS)
            raise CannotBe(_("{what}: {why}", what=name, why=why))
    body = {"text": dict(text), "seconds": seconds, "by": by}
    return (DeskEntry(DeskKind.NOTICE, body),)


def take_notice_back(desk: DeskState, by: str) -> Entries:
    """Take back the line that all displays show."""
    if desk.notice is None:
        raise CannotBe(_("no line is shown on all displays"))
    return (DeskEntry(DeskKind.NOTICE, {"text": None, "seconds": 0, "by": by}),)


def notice_told(desk: DeskState, now_ms: int) -> dict[str, Any] | None:
    """Return the line that all displays are to show now; None: none."""
    notice = desk.notice
    if notice is None or now_ms >= notice.until_ms:
        return None
    seconds = (notice.until_ms - notice.sent_ms) // 1_000
    return {"v": 1, "text": dict(notice.text), "sent_ms": notice.sent_ms, "seconds": seconds}


def told(desk: DeskState, board: int) -> dict[What, dict[str, Any]]:
    """Return what a board is to be told, each retained; empty: nothing is retained there.

    That is what to play, what is on disk, and a newer version that it may take.
    """
    order = desk.order_of(board)
    said: dict[str, Any] = {"v": 1, "order": None if order is None else order.number}
    if order is not None:
        said["begins"] = order.begins
        if order.resume is not None:
            said["resume"] = {"record": order.resume}
        else:
            said["header"] = order.header
    gone = _gone(desk, board)
    if gone is not None:
        said["moved"] = gone
    newest = list(desk.on_disk.get(board, {}).items())[-MOST_JOURNALS:]
    acks = {"v": 1, "journals": dict(newest)}
    return {What.ORDER: said, What.ACK: acks, What.OFFER: offer_told(desk, board)}


def _gone(desk: DeskState, board: int) -> dict[str, Any] | None:
    """Return where a match that a board still plays has gone."""
    seen = desk.seen.get(board)
    if seen is None or seen.order is None or seen.order not in desk.orders:
        return None
    order = desk.orders[seen.order]
    new = desk.newest(order.key)
    if new.moved_from is None or order.board != board or new.number == order.number:
        return None
    return {"order": order.number, "to": f"b{new.board:03}"}
