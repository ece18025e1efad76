"""The hub goes on, whatever people ask, take back or move, and when its clock is set."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import normalize

import pytest

from jackspot.core.record import read_record
from jackspot.festival.connection import BrokerConnection, Letter
from jackspot.festival.incoming import gong_of, is_late
from jackspot.festival.messages import What, crc32, read, write
from jackspot.storage.wall_clock import SystemWall
from jackspot.values import changed
from jackspot_hub import event_file
from jackspot_hub.command import _won, opened
from jackspot_hub.desk.attaching import attach
from jackspot_hub.desk.clocks import BoardClocks
from jackspot_hub.desk.entering import check_in, draw_class, merge, set_board, withdraw
from jackspot_hub.desk.no_show import BY_RULE, late_matches
from jackspot_hub.desk.revising import correct, undo, undo_draw
from jackspot_hub.desk.state import DeskEntry, DeskKind, DeskState, Entries, sides_of
from jackspot_hub.desk.step import give_notice, hear, move, take_notice_back, told
from jackspot_hub.event.contest import Knockout, Swiss
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome, members
from jackspot_hub.event.programme import NoShowRule, Person, header
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.event_file import BEGUN, BadEvent, facts, numbered, read_event
from jackspot_hub.running import CLOCK_SET_MS, RunningHub
from tests.festival.test_messages import RESULT
from tests.hub.entered import Desk, event
from tests.hub.halls import MINUTE_MS, PlayedHall, hall, programme
from tests.hub.test_running import ran_without_broker, written

DECIDES = NoShowRule(5 * 60_000, decides=True)
HOUR_MS = 3_600_000


def test_a_loose_result_that_was_attached_does_not_keep_the_final_from_being_called() -> None:
    played = programme(4, s=Swiss(7, upper=2, earlier=True))
    whole = changed(played.classes["s"], knockout_header={"options": {"best_of": 3}})
    swiss = PlayedHall(changed(played, classes={"s": whole}), Random(1))
    attached = ""
    while not any("-ko-" in order.key for order in swiss.desk.orders.values()):
        for meeting in () if attached else swiss.desk.drawn("s").fixtures:
            match meeting.sides:
                case (int() as one, int() as two) if {one, two} == {0, 1}:
                    _play_uncalled(swiss, meeting.key, (one, two))
                    attached = meeting.key
        swiss.tick()
        for board in [*swiss.desk.open_orders]:
            order = swiss.desk.order_of(board)
            assert order is not None
            if "-ko-" not in order.key:
                swiss.sit_down(board)
                first = order.sides[0] == min(order.sides)
                swiss.result(board, "N 12*red\nN jack\n" if first else "N -\nS 12*green\nS jack\n")
    assert attached in swiss.desk.records


def _play_uncalled(at: PlayedHall, key: str, sides: tuple[int, int]) -> None:
    """Let a match be played at a board that was not given it, and attach its result."""
    loses = "S" if sides[0] == min(sides) else "N"
    record = header(at.desk.programme.settings("s", sides, key)) + f"! resign {loses}\n"
    state = read_record(record).match.state
    said = {
        "v": 1, "id": "b001-y-9", "journal": "y", "seq": 9, "match": 8, "revision": 1,
        "order": None, "winner": state.winner, "points": dict(state.points),
        "boards": dict(state.boards_won), "by": None, "record": record, "crc32": crc32(record),
        "wall_ms": 0, "synchronised": False,
    }  # fmt: skip
    at.say(1, What.RESULT, said)
    at.write(attach(at.desk, "b001-y-9", key, state.settings.sides[state.settings.seats[0]].value,
                    "desk"))  # fmt: skip


def test_a_draw_that_its_people_no_longer_fit_is_not_taken_back_into_force() -> None:
    desk = Desk(event("g"))
    desk.enter("g", 4)
    entered = len(desk.state.past)
    desk.say(draw_class, "g", "37")
    desk.say(undo, len(desk.state.past))
    undone = len(desk.state.past)
    desk.say(undo, entered)
    with pytest.raises(CannotBe, match="groups: expected"):
        undo(desk.state, undone, "desk")


@pytest.mark.parametrize("board", [2, 3, 45])
@pytest.mark.parametrize("copied", [True, False], ids=["", "not copied yet"])
def test_a_board_outside_the_event_hears_that_its_results_are_there_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: int, copied: bool
) -> None:
    """Else it would send its first one for ever, and keep all others."""
    told_to: dict[str, bytes] = {}

    def publish(_connection: BrokerConnection, letter: Letter) -> None:
        told_to[letter.topic] = letter.payload

    monkeypatch.setattr(BrokerConnection, "publish", publish)
    said = {**RESULT, "id": f"b{board:03}-y-2", "journal": "y", "seq": 2, "order": None}
    own = read_event(written(tmp_path))
    with closing(RunningHub(own, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        if not copied:
            hub.acknowledges = lambda: None
        hub._hear(f"jackspot/1/hikone/board/b{board:03}/result", write(said))
        hub._tell()
    told_board = {topic.split("/")[-1] for topic in told_to if f"to/b{board:03}" in topic}
    counted = {"order", "offer"} if board == 2 else set()
    assert told_board == counted | ({"ack"} if copied else set())
    if copied:
        ack = told_to[f"jackspot/1/hikone/to/b{board:03}/ack"]
        assert read(What.ACK, ack)["journals"] == {"y": 2}


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda desk: correct(desk, "a", Outcome(0), "desk"), "no match 'a'"),
        (lambda desk: correct(desk, "a", None, "desk"), "no match 'a'"),
        (lambda desk: withdraw(desk, "k-2-1", 1, "desk"), "no contest 'k-2-1'"),
        (lambda desk: merge(desk, "k-2-1", "a", "desk"), "no contest 'k-2-1'"),
        (lambda desk: draw_class(desk, "k-2-1", "x", "desk"), "no contest 'k-2-1'"),
        (lambda desk: undo_draw(desk, "k-2-1", "desk"), "no contest 'k-2-1'"),
    ],
)
def test_a_match_that_is_a_class_and_a_class_that_is_a_match_are_refused(
    ask: Callable[[DeskState], Entries], why: str
) -> None:
    desk = Desk(event("k", "a"))
    desk.enter("k", 4)
    desk.say(draw_class, "k", "37")
    with pytest.raises(CannotBe, match=why):
        ask(desk.state)


def test_a_match_that_was_called_is_closed_once_a_withdrawal_is_in_force_again() -> None:
    desk = Desk(event("a", boards=1))
    desk.enter("a", 4)
    desk.say(draw_class, "a", "37")
    leaves = desk.state.drawn("a").fixtures[0].sides[0]
    desk.say(withdraw, "a", leaves)
    desk.say(undo, len(desk.state.past))
    undone = len(desk.state.past)
    desk.hall.tick()
    (called,) = (desk.state.orders[number] for number in desk.state.open_orders.values())
    assert leaves in called.sides
    desk.say(undo, undone)
    desk.hall.match_says(1, called.number, "offered")
    desk.hall.tick()
    assert called.number not in desk.state.open_orders.values()
    outcome = desk.state.played("a")[called.key].outcome
    assert outcome is not None
    assert outcome.forfeit
    assert desk.hall.restarted().open_orders == desk.state.open_orders


def test_nobody_who_has_gone_home_is_called_to_a_final_that_a_correction_leads_to() -> None:
    knockout = PlayedHall(changed(programme(2, s=Knockout()), no_show=DECIDES), Random(1))
    final = None
    while final is None:
        knockout.tick()
        given = [knockout.desk.orders[number] for number in knockout.desk.open_orders.values()]
        final = next((each for each in given if each.key == "s-3-1"), None)
        for board in [] if final else [*knockout.desk.open_orders]:
            knockout.sit_down(board)
            knockout.result(board, "! resign S\n")
    knockout.match_says(final.board, final.number, "offered")
    semi = knockout.desk.played("s")["s-2-1"]
    assert semi.outcome is not None
    assert semi.outcome.winner is not None
    loser = semi.loser()
    assert loser is not None
    knockout.write(withdraw(knockout.desk, "s", loser, "desk"))
    knockout.write(correct(knockout.desk, "s-2-1", Outcome(1 - semi.outcome.winner), "desk"))
    other = next(each for each in final.sides if each not in semi.sides)
    knockout.write(check_in(knockout.desk, other, "desk"))
    for _minute in range(10):
        knockout.tick()
    assert not knockout.desk.open_orders
    assert knockout.desk.is_over("s")


def test_a_match_that_is_moved_twice_keeps_its_strokes() -> None:
    boards = FreeBoard(1), FreeBoard(2, locked=True), FreeBoard(3, locked=True)
    moved = PlayedHall(changed(hall(boards=1).desk.programme, boards=boards), Random(1))
    moved.tick()
    given = moved.sit_down(1)
    assert given is not None
    record = given["header"] + "N red\nN red\n"
    moved.say(1, What.RECORD, {"v": 1, "journal": "x", "seq": 3, "record": record, "crc32": ""})
    for board in 2, 3:
        moved.write(set_board(moved.desk, board, "desk"))
    moved.write(move(moved.desk, 1, 2))
    moved.match_says(2, told(moved.desk, 2)[What.ORDER]["order"], "offered")
    moved.write(move(moved.desk, 2, 3))
    assert told(moved.desk, 3)[What.ORDER]["resume"]["record"] == record


def test_order_numbers_do_not_fall_back_when_something_is_undone(tmp_path: Path) -> None:
    played = read_event(written(tmp_path))
    with closing(RunningHub(played, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        hub.enter(check_in(hub.desk, 1, "desk"))
    with closing(RunningHub(played, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        hub.desk = changed(hub.desk, started_ms=hub.desk.started_ms + HOUR_MS)
        before = hub.desk.last_order
        hub.enter(undo(hub.desk, 1, "desk"))
        assert hub.desk.last_order == before


def test_a_clock_that_is_set_back_keeps_neither_gong_nor_questions_waiting() -> None:
    clocks, now_ms, board_ms = BoardClocks(), 10.0**12, 0
    for _asked in range(10):
        question = clocks.question("b001", now_ms)
        clocks.learn("b001", {**question, "boot": "a", "board_ms": board_ms}, now_ms + 10)
        now_ms, board_ms = now_ms + 10_000, board_ms + 10_000
    back_ms = now_ms - HOUR_MS
    assert clocks.due("b001", back_ms)
    for _asked in range(10):
        question = clocks.question("b001", back_ms)
        clocks.learn("b001", {**question, "boot": "a", "board_ms": board_ms}, back_ms + 10)
        back_ms, board_ms = back_ms + 10_000, board_ms + 10_000
    pair, board_ns = clocks.pair("b001"), board_ms * 1_000_000
    gong = gong_of({"boards": None, "at_ms": round(back_ms) + 3_000}, "b001", pair, board_ns)
    assert gong is not None
    assert not is_late({"until_ms": round(back_ms) + 10_000}, pair, board_ns)


def test_a_declined_match_is_given_again_though_the_clock_is_set_back() -> None:
    declined = hall(boards=1)
    declined.now_ms = 3 * HOUR_MS
    declined.tick()
    number = declined.desk.open_orders[1]
    declined.match_says(1, number, "declined")
    declined.now_ms -= HOUR_MS
    declined.tick()
    assert declined.desk.open_orders[1] != number


def test_a_slip_in_what_is_asked_or_called_is_told_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def slips(*_: object) -> Entries:
        raise KeyError("s-3-1")

    played = read_event(written(tmp_path))
    with closing(RunningHub(played, tmp_path / "hub.sqlite3", lambda *_: None)) as hub:
        asked = hub.do(slips)
        ran_without_broker(hub, asked.done)
        with pytest.raises(CannotBe, match="KeyError"):
            asked.result(0)
        with monkeypatch.context() as patch:
            patch.setattr("jackspot_hub.running.pass_time", slips)
            for _again in range(2):
                hub._pass_time()
                assert "s-3-1" in hub.troubles["calls"]
        hub._pass_time()
        assert "calls" not in hub.troubles
    assert [each.getMessage() for each in caplog.records if each.exc_info] == [
        "what was asked is not done", "nobody can be called",
    ]  # fmt: skip


@pytest.mark.parametrize("shown", [True, False], ids=["a line", "no line"])
def test_each_connection_begins_by_saying_the_line_for_all_or_that_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, shown: bool
) -> None:
    """The broker may retain one of another event, or one that was taken back meanwhile."""
    sent: list[Letter] = []
    with closing(RunningHub(read_event(written(tmp_path)), tmp_path / "h", lambda *_: None)) as hub:
        monkeypatch.setattr(hub._connection, "publish", sent.append)
        hub.enter(give_notice({"en": "lunch"}, 60, "desk"))
        if not shown:
            hub.enter(take_notice_back(hub.desk, "desk"))
        for _look in range(3):
            hub._tell()
        (notice,) = [each for each in sent if each.topic.endswith("/notice")]
        assert notice.retain
        assert (b"lunch" in notice.payload, notice.payload == b"") == (shown, not shown)
        assert notice.expiry_s in ((59, 60) if shown else (None,))


class SetWall(SystemWall):
    """The machine's clock, which somebody sets forward."""

    ahead_ns = 0

    def now_ns(self) -> int:
        return super().now_ns() + self.ahead_ns


@pytest.mark.parametrize("slip_h", [0, 24], ids=["", "after a wrong date"])
def test_a_clock_that_is_set_forward_makes_nobody_late(tmp_path: Path, slip_h: int) -> None:
    file = written(tmp_path)
    rule = 'no_show_min = 5\nno_show = "decide"\nboards = 2'
    file.write_text(file.read_text().replace("boards = 2", rule))
    wall = SetWall()
    with closing(RunningHub(read_event(file), tmp_path / "h", lambda *_: None, wall)) as hub:
        for hours in (slip_h, -slip_h):
            wall.ahead_ns += hours * HOUR_MS * 1_000_000
            hub._pass_time()

        def said(what: What, **words: object) -> None:
            now_ms = wall.now_ns() // 1_000_000
            hub.desk, _entries = hear(hub.desk, 1, what, {"v": 1, **words}, now_ms)

        said(What.STATUS, state="ready", boot="a", n=1)
        said(What.MATCH, order=None, state="none", since_ms=0)
        hub._pass_time()
        order = hub.desk.order_of(1)
        assert order is not None
        said(What.MATCH, order=order.number, state="offered", since_ms=0)
        hub.enter(check_in(hub.desk, members(order.sides[0])[0], "desk"))
        wall.ahead_ns += HOUR_MS * 1_000_000
        hub._pass_time()
        assert hub.desk.order_of(1) == order, "nobody has waited"
        for _time in range(20):
            wall.ahead_ns += CLOCK_SET_MS * 900_000
            hub._pass_time()
        assert hub.desk.order_of(1) != order, "nobody has come for nine minutes"
        assert any(each.entry.body.get("by") == BY_RULE for each in hub.desk.past)


@pytest.mark.parametrize("state", [None, "offered", "seated"])
@pytest.mark.parametrize("set_h", [-1, 0, 1], ids=["set back", "restarted", "set forward"])
def test_who_was_called_before_is_late_only_counting_from_then(
    tmp_path: Path, set_h: int, state: str | None
) -> None:
    file = written(tmp_path)
    file.write_text(file.read_text().replace("boards = 2", "no_show_min = 5\nboards = 2"))
    wall = SetWall()

    def opened() -> RunningHub:
        return RunningHub(read_event(file), tmp_path / "h", lambda *_: None, wall)

    def says(hub: RunningHub, order: int | None, said: str) -> None:
        words: tuple[dict[str, Any], ...] = (
            {"state": "ready", "boot": "a", "n": 1},
            {"order": order, "state": said, "since_ms": 0},
        )
        for what, each in zip((What.STATUS, What.MATCH), words, strict=True):
            hub.desk, _entries = hear(hub.desk, 1, what, each, wall.now_ns() // 1_000_000)

    with closing(opened()) as hub:
        says(hub, None, "none")
        hub._pass_time()
        number = hub.desk.open_orders[1]
        for _look in range(4):
            wall.ahead_ns += CLOCK_SET_MS * 900_000
            hub._pass_time()
        if state is not None:
            says(hub, number, state)
        wall.ahead_ns += set_h * HOUR_MS * 1_000_000
        hub._pass_time()
        desk = hub.desk
    if not set_h:
        with closing(opened()) as hub:
            says(hub, None if state is None else number, state or "none")
            desk = hub.desk
    now_ms = wall.now_ns() // 1_000_000
    (late,) = late_matches(desk)
    tells = None if late.late_ms is None else round((late.late_ms - now_ms) / MINUTE_MS)
    offers = None if late.rule_ms is None else round((late.rule_ms - now_ms) / MINUTE_MS)
    assert (tells, offers) == {None: (3, None), "offered": (3, 7), "seated": (None, 7)}[state]


PLAIN, MARKED = normalize("NFC", "Jürgen"), normalize("NFD", "Jürgen")
TWO_CLASSES = """\
name = "Cup"
hall = "hikone"
boards = 2
[[contest]]
name = "s"
format = "all"
entrants = ["{one}", "Ben"]
[[contest]]
name = "t"
format = "all"
entrants = ["{two}", "Chie"]
"""


@pytest.mark.parametrize(("one", "two"), [(PLAIN, MARKED), (MARKED, PLAIN), (MARKED, MARKED)])
def test_one_name_in_an_events_file_is_one_person_however_it_is_written(
    tmp_path: Path, one: str, two: str
) -> None:
    file, journal = written(tmp_path, TWO_CLASSES.format(one=one, two=two)), tmp_path / "h.sqlite3"
    for _run in range(2):
        with closing(opened(file, journal, lambda *_: None)) as hub:
            people = {number: each.name for number, each in hub.desk.programme.people.items()}
            assert people == {1: PLAIN, 2: "Ben", 3: "Chie"}
            hub.enter(check_in(hub.desk, 1, "desk"))
    assert [_won(each, (PLAIN,), ("Ben",)) for each in (PLAIN, MARKED)] == [0, 0]
    said = tomllib.loads(numbered(file.read_text(), journal))
    assert [each["entrants"] for each in said["contest"]] == [["1", "2"], ["1", "3"]]
    twice = TWO_CLASSES.format(one=one, two=two).replace("Ben", PLAIN)
    with pytest.raises(BadEvent, match="expected each name once"):
        read_event(written(tmp_path, twice))


@pytest.mark.parametrize(
    ("one", "two", "people"),
    [(PLAIN, PLAIN, 3), (MARKED, MARKED, 3), (PLAIN, MARKED, 4), (MARKED, PLAIN, 4)],
)
def test_an_event_that_an_older_version_has_begun_keeps_its_people(
    tmp_path: Path, one: str, two: str, people: int
) -> None:
    """That version told people apart by how their names were written; their numbers stay."""
    file, journal = written(tmp_path, TWO_CLASSES.format(one=one, two=two)), tmp_path / "h.sqlite3"
    before = event_file._programme(tomllib.loads(file.read_text()))
    assert len(before.people) == people
    journal.with_suffix(BEGUN).write_text(json.dumps(facts(before)))
    with closing(RunningHub(before, journal, lambda *_: None)) as hub:
        hub.enter(check_in(hub.desk, 1, "desk"))
        tables = hub.desk.drawn("t")
    for _run in range(2):
        with closing(opened(file, journal, lambda *_: None)) as hub:
            assert hub.desk.programme.people.keys() == before.people.keys()
            assert hub.desk.drawn("t") == tables
            hub.enter(check_in(hub.desk, people, "desk"))
    said = tomllib.loads(numbered(file.read_text(), journal))
    assert {each for own in said["contest"] for each in own["entrants"]} == {
        str(number) for number in before.people
    }


@pytest.mark.parametrize("seed", [PLAIN, MARKED])
def test_an_event_that_an_older_version_has_begun_keeps_its_draw(tmp_path: Path, seed: str) -> None:
    said = f'seed = "{seed}"\n' + TWO_CLASSES.format(one="Aiko", two="Aiko")
    file, journal = written(tmp_path, said), tmp_path / "h.sqlite3"
    before = event_file._programme(tomllib.loads(file.read_text()))
    journal.with_suffix(BEGUN).write_text(json.dumps(facts(before)))
    again = read_event(file, journal)
    assert [each.contest.seed for each in again.classes.values()] == [
        each.contest.seed for each in before.classes.values()
    ]


def test_an_undo_that_would_put_somebody_into_two_matches_of_a_round_is_refused() -> None:
    """Two matches are to be played again, and one of their people has another opponent by then."""
    whole = programme(1, s=Swiss(3))
    seven = tuple(range(1, 8))
    contest = changed(
        whole.classes["s"],
        contest=changed(whole.classes["s"].contest, entrants=seven),
        people={each: (each,) for each in seven},
    )
    people = {each: Person(each, f"P{each}") for each in seven}
    played = PlayedHall(changed(whole, classes={"s": contest}, people=people), Random(1))
    random = Random(5)
    for _match in range(6):
        played.tick()
        order = played.desk.order_of(1)
        assert order is not None
        played.sit_down(1)
        winner = random.choice([0, 1, None])
        if winner is None:
            played.write(correct(played.desk, order.key, Outcome(None, (5, 5)), "desk"))
            played.match_says(1, None, "none")
        else:
            played.result(1, f"! resign {'SN'[winner]}\n")
    (one, _), (other, _) = (sides_of(played.desk, key) for key in ("s-3-1", "s-3-2"))
    played.write(correct(played.desk, "s-3-2", Outcome(0, (5, 2)), "desk"))
    played.write(undo(played.desk, len(played.desk.past), "desk"))
    again = len(played.desk.past)
    last = played.desk.orders[played.desk.last_order]
    body = {"order": last.number + 1, "board": 1, "contest": "s", "key": "s-3-1",
            "sides": [one, other], "header": last.header}  # fmt: skip
    played.write((DeskEntry(DeskKind.ORDERED, body),))
    with pytest.raises(CannotBe, match=f"P{other} would be in two matches of round 3"):
        undo(played.desk, again, "desk")
