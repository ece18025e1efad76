"""The desk as a function: orders, results, corrections, boards that come and go."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.record import read_record
from jackspot.festival.messages import What, crc32
from jackspot.values import changed
from jackspot_hub.desk.attaching import attach, loose_results
from jackspot_hub.desk.page_parts import event_part
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.step import ended_unsaid, hear, move, once_deaf, told
from jackspot_hub.event.contest import (
    AllAgainstAll,
    DoubleElimination,
    Format,
    Groups,
    Knockout,
    Partners,
    Swiss,
)
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome, entrants_of
from jackspot_hub.event.programme import PlayedClass
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.web.organising import day_part, needs
from tests.hub.halls import PlayedHall, hall, programme, stood
from tests.hub.test_draws import led_to_meet_themself

FORMATS = [
    AllAgainstAll(), Groups(2, 2), Knockout(), DoubleElimination(), Swiss(3), Swiss(3, 2),
    Partners(3), Partners(3, at_a_board=3),
]  # fmt: skip


def left_to_play(played: PlayedHall) -> list[str]:
    return [
        each.key for name, results in (("s", played.desk.results.get("s", {})),
                                       ("d", played.desk.results.get("d", {})))
        for each in played.desk.drawn(name).fixtures if each.key not in results
    ]  # fmt: skip


def play_to_the_end(form: Format, seed: int) -> None:
    """Play to the end: orders are declined, results come twice, and restarts change nothing."""
    random = Random(seed)
    played = hall(seed, random.randrange(1, 5), s=form, d=Knockout())
    for _minute in range(1_000):
        played.tick()
        orders = played.desk.open_orders
        assert len(set(orders.values())) == len(orders)
        people = Counter(
            (played.desk.orders[number].contest, each)
            for number in orders.values() for each in entrants_of(played.desk.orders[number].sides)
        )  # fmt: skip
        assert set(people.values()) <= {1}, "somebody is at two boards"
        for board in list(orders):
            if random.random() < 0.1:
                played.match_says(board, orders[board], "declined")
            elif played.sit_down(board) is not None and random.random() < 0.8:
                said = played.result(board)
                if random.random() < 0.3:
                    played.say(board, What.RESULT, said)
        if random.random() < 0.1:
            assert played.restarted() == played.desk
        if not played.desk.open_orders and not left_to_play(played):
            break
    else:
        pytest.fail("it has not come to its end")
    for name in ("s", "d"):
        drawn = played.desk.drawn(name)
        assert not drawn.conflicts
        for key, match in played.desk.results[name].items():
            state = read_record(played.desk.records[key]).match.state
            assert match.outcome is not None
            first, _second = played.desk.programme.seats(name, match.sides)
            assert (match.outcome.winner == 0) == (state.winner == state.settings.sides[first[0]])


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: type(form).__name__)
@settings(max_examples=8)
@given(seed=st.integers())
def test_an_event_plays_itself_to_its_end_whatever_happens(form: Format, seed: int) -> None:
    play_to_the_end(form, seed)


@pytest.mark.long
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: type(form).__name__)
@pytest.mark.parametrize("seed", range(200))
def test_many_events_play_themselves_to_their_ends(form: Format, seed: int) -> None:
    play_to_the_end(form, seed)


@pytest.mark.parametrize(
    "form", [Knockout(), DoubleElimination(), Groups(2, 2), Swiss(3, 2)],
    ids=lambda form: type(form).__name__,
)  # fmt: skip
def test_a_final_is_played_at_the_board_that_the_file_names_first(form: Format) -> None:
    event = programme(4, s=form)
    boards = tuple(sorted(event.boards, key=lambda board: board.number != 3))
    played = PlayedHall(changed(event, boards=boards), Random(5))
    while not played.desk.is_over("s"):
        played.tick()
        assert 3 in played.desk.open_orders, "it is the first that is used"
        for board in list(played.desk.open_orders):
            played.sit_down(board)
            played.result(board)
    final = max(
        (order for order in played.desk.orders.values() if not order.key.endswith("-third")),
        key=lambda order: order.number,
    )
    assert final.board == 3
    assert event_part(played.desk, 0)["boards"] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("form", "key"),
    [(Knockout(), "s-2-1"), (Knockout(), "s-third"), (Groups(2, 2), "s-ko-1-1"),
     (Groups(2, 2), "s-ko-third"), (Swiss(3, 4), "s-ko-2-1"), (Swiss(3, 4), "s-ko-third"),
     (DoubleElimination(), "s-final")],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)  # fmt: skip
def test_a_class_is_not_over_while_a_match_of_its_bracket_is_tied(form: Format, key: str) -> None:
    played = PlayedHall(programme(4, s=form), Random(5))
    while not played.desk.is_over("s"):
        played.tick()
        for board in list(played.desk.open_orders):
            played.sit_down(board)
            played.result(board)
    won = played.desk.results["s"][key].outcome
    assert won is not None
    for tied, is_over in ((Outcome(None, (5, 5)), False), (won, True)):
        played.write(correct(played.desk, key, tied, "a sudden death"))
        asked = [each["key"] for each in needs(played.desk) if each["what"] == "tied"]
        assert asked == ([] if is_over else [key])
        assert played.desk.is_over("s") == is_over


def test_an_order_says_who_plays_by_which_rules_and_is_taken_back_by_the_result() -> None:
    played = hall(boards=1)
    played.tick()
    order = played.sit_down(1)
    assert order is not None
    settings = read_record(order["header"]).settings
    assert (settings.names["N"], settings.names["S"]) == ("s 0", "s 7")  # type: ignore[index]
    assert (settings.event, settings.round) == ("Test", "s 1-1")
    said = played.result(1)
    assert told(played.desk, 1)[What.ACK]["journals"] == {"x": said["seq"]}
    assert told(played.desk, 1)[What.ORDER]["order"] is None


def test_no_number_comes_again_that_a_hub_gave_after_its_copy_was_made() -> None:
    """A hub that goes on with the copy started later, and counts from then on."""
    first, copied = hall(), hall()
    first.desk = changed(first.desk, started_ms=1_795_563_201_000)
    copied.desk = changed(copied.desk, started_ms=1_795_563_207_900)
    first.tick()
    copied.tick()
    assert first.desk.orders
    assert copied.desk.orders
    assert max(first.desk.orders) < min(copied.desk.orders)


def test_a_result_that_comes_again_changes_nothing_and_a_revision_replaces_it() -> None:
    played = hall(boards=1)
    played.tick()
    played.sit_down(1)
    first = played.result(1, "! resign N\n")
    before = played.desk
    played.say(1, What.RESULT, first)
    assert played.desk == before
    played.result(1, "! resign S\n", revision=2)
    outcome = played.desk.results["s"]["s-1-1"].outcome
    assert outcome is not None
    assert outcome.winner == 0


def test_undo_at_a_board_after_later_matches_replaces_and_asks_about_those() -> None:
    played = hall(boards=4)
    played.tick()
    ended = {}
    for board in range(1, 5):
        order = played.desk.order_of(board)
        assert order is not None
        played.sit_down(board)
        ended[order.key] = order, played.result(board, "! resign N\n")
    played.tick()
    later = next(each for each in played.desk.open_orders.values()
                 if played.desk.orders[each].key == "s-2-1")  # fmt: skip
    played.sit_down(played.desk.orders[later].board)
    played.result(played.desk.orders[later].board, "! resign N\n")
    order, first = ended["s-1-1"]
    record = order.header + "! resign S\n"
    said = {**first, "id": f"b{order.board:03}-x-99", "seq": 99, "revision": 2, "record": record,
            "winner": "red", "crc32": crc32(record)}  # fmt: skip
    before = played.desk.results["s"]["s-2-1"]
    played.say(order.board, What.RESULT, said)
    outcome = played.desk.results["s"]["s-1-1"].outcome
    assert outcome is not None
    assert outcome.winner == 0
    assert played.desk.results["s"]["s-2-1"] == before, "what was played stands until somebody says"
    assert needs(played.desk) == [{"what": "conflict", "key": "s-2-1"}]
    assert not played.desk.unattached


def test_a_board_that_has_scored_otherwise_is_flagged_and_the_record_counts() -> None:
    played = hall(boards=1)
    played.tick()
    played.sit_down(1)
    played.result(1, "! resign N\n", winner="red")
    entry, _at = played.entries[-1]
    assert entry.body["differs"] == "the board has scored it otherwise"
    outcome = played.desk.results["s"]["s-1-1"].outcome
    assert outcome is not None
    assert outcome.winner == 1


@pytest.mark.parametrize(
    "changed",
    [{"order": None}, {"order": 99}, {"record": "nothing"}, {"record": ""}],
)
def test_a_result_that_fits_no_order_is_kept_and_acknowledged(changed: dict[str, object]) -> None:
    played = hall(boards=1)
    played.tick()
    played.sit_down(1)
    said = played.result(1, "! resign N\n", **changed)
    assert [each["id"] for each in played.desk.unattached] == [said["id"]]
    assert told(played.desk, 1)[What.ACK]["journals"] == {"x": said["seq"]}
    assert played.desk.results["s"]["s-1-1"].outcome is None


OTHERS = {"journal": "old", "match_journal": "old", "id": "b001-old-4", "seq": 4, "match": 3}


@pytest.mark.parametrize(
    ("later", "winner"),
    [
        (OTHERS, 0),
        ({"journal": "old", "id": "b001-old-4", "seq": 4}, 0),  # a board that does not name both
        ({"match": 1, "revision": 2}, 1),  # UNDO after the end
        ({}, 1),  # begun anew on the same board, once its start was taken back
        ({"journal": "new", "match_journal": "x", "match": 1}, 1),  # restored in between
    ],
)
def test_of_two_boards_that_ended_one_order_the_first_counts_and_the_desk_decides(
    later: dict[str, Any], winner: int
) -> None:
    """Other hardware got the number of a board that lost its network, and played its order."""
    played = hall(boards=1)
    played.tick()
    played.sit_down(1)
    order = played.plays[1]
    key = played.desk.orders[order].key
    played.result(1, "N 12*red\nN jack\n")
    said = played.result(1, "! resign N\n", **later)
    outcome = played.desk.results["s"][key].outcome
    assert outcome is not None
    assert outcome.winner == winner
    waiting = [] if winner else [said["id"]]
    assert [each["id"] for each in loose_results(played.desk)] == waiting
    assert [each.get("of") for each in needs(played.desk)] == [key] * len(waiting)
    assert played.restarted() == played.desk
    if waiting:
        assert played.entries[-1][0].body["differs"].startswith("another board had ended")
        again = played.result(1, "N 12*red\nN jack\n", **{**later, "seq": 6, "id": "b001-old-6"})
        assert [each["id"] for each in loose_results(played.desk)][-1] == again["id"]
        played.write(attach(played.desk, again["id"], key, "red", "desk"))
        assert played.desk.results["s"][key].winner() == played.desk.orders[order].sides[0]


def test_what_was_declined_is_given_again_after_two_minutes_with_a_number_of_its_own() -> None:
    played = hall(boards=1)
    played.tick()
    played.match_says(1, 1, "declined")
    played.tick(1)
    assert told(played.desk, 1)[What.ORDER]["order"] == 1
    played.tick(1)
    assert told(played.desk, 1)[What.ORDER]["order"] == 2
    assert played.desk.orders[2].key == played.desk.orders[1].key


def test_nobody_is_called_while_they_rest() -> None:
    played = hall(boards=1, rest_ms=300_000, s=AllAgainstAll())
    played.tick()
    played.sit_down(1)
    played.result(1)
    rested = set(played.desk.orders[1].sides)
    played.tick(1)
    assert not rested & set(played.desk.orders[2].sides)


def test_a_clock_that_is_set_back_keeps_nobody_from_a_match() -> None:
    played = hall(boards=1, rest_ms=300_000, s=AllAgainstAll())
    played.tick()
    played.now_ms += 3_600_000
    played.sit_down(1)
    played.result(1)
    played.now_ms -= 3_600_000
    for _ in range(8):
        played.tick(6)
        played.sit_down(1)
        played.result(1)
    first, *later = played.desk.orders.values()
    assert set(first.sides) <= {each for order in later for each in order.sides}


def test_a_match_moves_with_what_was_played_and_its_first_board_hears_where_it_went() -> None:
    played = hall(boards=4)
    played.tick()
    order = played.sit_down(1)
    assert order is not None
    record = order["header"] + "N red\n"
    played.say(1, What.RECORD, {"v": 1, "journal": "x", "seq": 3, "record": record, "crc32": ""})
    played.say(1, What.STATUS, {"v": 1, "state": "lost", "boot": "a", "n": 1})
    free = next(iter({1, 2, 3, 4} - set(played.desk.open_orders)), None)
    assert free is None
    played.sit_down(2)
    played.result(2)
    played.write(move(played.desk, 1, 2))
    new = told(played.desk, 2)[What.ORDER]
    assert (new["order"], new["resume"]["record"]) == (5, record)
    gone = told(played.desk, 1)[What.ORDER]
    assert gone == {"v": 1, "order": None, "moved": {"order": 1, "to": "b002"}}
    late = played.result(1, "! resign N\n")
    assert {**late, "board": 1} in [dict(each) for each in played.desk.unattached]
    played.match_says(1, None, "none")
    assert "moved" not in told(played.desk, 1)[What.ORDER]
    played.sit_down(2)
    played.result(2, "N red\n! resign S\n")
    outcome = played.desk.results["s"]["s-1-1"].outcome
    assert outcome is not None
    assert outcome.winner == 0


def moved_away(here: str, there: str | None) -> PlayedHall:
    """Return a hall whose first match, called to board 1, was moved from there to board 5.

    ``here`` are its strokes at board 1, whose people played on; ``there`` those after the first of
    them, if somebody began it at board 5.
    """
    played = hall(boards=8)
    played.tick()
    order = played.sit_down(1)
    assert order is not None

    def record(board: int, lines: str) -> None:
        said = {"v": 1, "journal": "x", "seq": 3, "record": order["header"] + lines, "crc32": ""}
        played.say(board, What.RECORD, said)

    record(1, "N red\n")
    played.write(move(played.desk, 1, 5))
    record(1, here)
    if there is not None:
        played.sit_down(5)
        record(5, "N red\n" + there)
    return played


@pytest.mark.parametrize("there", [None, ""], ids=["not begun there", "begun there"])
@pytest.mark.parametrize("here", ["N red\n", "N red\nN 2*red\n"])
def test_a_match_that_comes_back_goes_on_where_people_play_it(here: str, there: str | None) -> None:
    played = moved_away(here, there)
    (first, second) = (played.desk.orders[1], played.desk.newest("s-1-1"))
    played.write(move(played.desk, 5, 1))
    assert told(played.desk, 1)[What.ORDER] == {
        "v": 1, "order": first.number, "resume": {"record": first.header + here},
        "begins": "players",
    }  # fmt: skip
    gone = {} if there is None else {"moved": {"order": second.number, "to": "b001"}}
    assert told(played.desk, 5)[What.ORDER] == {"v": 1, "order": None, **gone}
    (again,) = move(played.desk, 1, 7)
    assert again.body["resume"] == first.header + here, "wherever it goes then"
    played.tick(0)
    record = first.header + here + "! resign S\n"
    played.result(1, record=record, crc32=crc32(record), points=dict(stood(record).points))
    assert not played.desk.unattached
    assert played.desk.results["s"]["s-1-1"].outcome is not None
    assert 1 not in played.desk.open_orders
    assert played.restarted() == played.desk


def test_a_match_that_comes_back_goes_on_with_what_was_played_elsewhere() -> None:
    played = moved_away("N red\n", "N 2*red\n")
    played.write(move(played.desk, 5, 1))
    back = played.desk.newest("s-1-1")
    assert (back.board, back.resume) == (1, back.header + "N red\nN 2*red\n")
    said = told(played.desk, 1)[What.ORDER]
    assert said["order"] == back.number > 5
    assert said["moved"] == {"order": 1, "to": "b001"}, (
        "so its people are asked to put theirs aside"
    )


def test_a_match_that_was_put_aside_just_before_it_came_back_is_offered_anew() -> None:
    played = moved_away("N red\n", None)
    played.write(move(played.desk, 5, 1))
    played.tick(1)
    assert told(played.desk, 1)[What.ORDER]["order"] == 1
    played.match_says(1, None, "none")
    for _look in range(3):
        played.tick(1)
        said = told(played.desk, 1)[What.ORDER]
        assert (said["order"], said["resume"]["record"].count("N red")) == (6, 1)
    played.match_says(1, 6, "offered")
    played.tick(1)
    assert told(played.desk, 1)[What.ORDER]["order"] == 6


def test_a_match_that_came_back_and_was_ended_out_of_reach_is_not_called_again() -> None:
    """The board says that nobody plays before it sends the result."""
    played = moved_away("N red\n", None)
    played.write(move(played.desk, 5, 1))
    played.tick(1)
    played.match_says(1, None, "over")
    played.now_ms += 30_000
    played.tick(0)
    assert told(played.desk, 1)[What.ORDER]["order"] == 1
    played.result(1, order=1)
    for _look in range(3):
        played.tick(1)
    assert not played.desk.unattached
    assert played.desk.results["s"]["s-1-1"].outcome is not None


def test_a_correction_counts_from_then_on_and_can_ask_for_another_match() -> None:
    played = hall(boards=4)
    played.tick()
    for board in range(1, 5):
        played.sit_down(board)
        played.result(board, "! resign S\n")
    played.write(correct(played.desk, "s-1-1", Outcome(1, (0, 12)), "desk"))
    played.tick()
    assert 7 in {side for each in played.desk.open_orders.values()
                 for side in played.desk.orders[each].sides}  # fmt: skip
    played.write(correct(played.desk, "s-1-2", None, "desk"))
    assert "s-1-2" not in played.desk.results["s"]
    for _turn in range(3):
        played.tick()
        for board in list(played.desk.open_orders):
            played.sit_down(board)
            played.result(board)
    assert played.desk.newest("s-1-2").number > 4
    assert played.desk.results["s"]["s-1-2"].outcome is not None


@pytest.mark.parametrize(
    ("asks", "says"),
    [
        (lambda desk: move(desk, 3, 1), "board 3 plays nothing that was ordered"),
        (lambda desk: move(desk, 1, 2), "board 2 is not free"),
        (lambda desk: move(desk, 1, 77), "board 77 is not free"),
        (lambda desk: correct(desk, "x-1-1", None, "desk"), "no contest 'x'; there are s"),
        (lambda desk: correct(desk, "s-2-1", None, "desk"), "not settled who meets in it"),
        (lambda desk: correct(desk, "s-9-9", None, "desk"), "there is no match 's-9-9'"),
    ],
)
def test_what_cannot_be_says_why(asks, says: str) -> None:
    played = hall(boards=2)
    played.tick()
    with pytest.raises(CannotBe, match=says):
        asks(played.desk)


def test_nobody_is_called_against_themself() -> None:
    played = hall(boards=2, s=DoubleElimination())
    whole, results = led_to_meet_themself()
    alone = {entrant: (entrant,) for entrant in range(4)}
    played.event = changed(played.event, classes={"s": PlayedClass(whole, alone)})
    played.desk = changed(played.desk, programme=played.event, results={"s": results})
    played.tick()
    assert not played.desk.open_orders
    with pytest.raises(CannotBe, match="not settled who meets in it"):
        correct(played.desk, "s-lower-2-1", None, "desk")
    assert {"what": "alone", "key": "s-lower-2-1"} in needs(played.desk)
    for each in played.desk.drawn("s").conflicts:
        played.write(correct(played.desk, each.key, None, "desk"))
    assert not any(each["what"] == "alone" for each in needs(played.desk))


def test_a_match_whose_last_stroke_was_heard_is_not_moved() -> None:
    played = hall(boards=2, s=Knockout())
    played.tick()
    order = played.sit_down(1)
    assert order is not None
    played.say(1, What.RECORD, {"record": order["header"] + "N 12*red\nN jack\n"})
    played.say(1, What.STATUS, {"v": 1, "state": "lost", "boot": "a", "n": 1})
    played.sit_down(2)
    played.result(2)
    with pytest.raises(CannotBe, match="is over by its record, 12 : 0: say that it ended so"):
        move(played.desk, 1, 2)
    ended = ended_unsaid(played.desk, 1)
    assert ended is not None
    assert (ended[1].winner, ended[1].points, ended[1].by_jack) == (0, (12, 0), True)
    played.write(correct(played.desk, *ended, "desk"))
    assert ended_unsaid(played.desk, 1) is None


def test_a_board_that_says_nothing_gets_nothing() -> None:
    played = hall(boards=1)
    played.say(1, What.STATUS, None)
    played.tick()
    assert not played.desk.orders
    desk, entries = hear(
        played.desk, 1, What.ABOUT, {"name": "Board 1", "version": "0.1.0", "pages": []}, 0
    )
    assert (desk.orders, entries) == ({}, ())


@pytest.mark.parametrize(
    ("boot", "n", "there"),
    [("B", 2, False), ("B", 1, True), ("A", 2, True), ("A", 1, True), ("B", 3, False)],
)
def test_a_board_is_away_only_if_its_newest_connection_is_lost(
    boot: str, n: int, *, there: bool
) -> None:
    """The broker's word on an earlier one may come after the board is back."""
    played = hall(boards=1)
    played.now_ms = 60_000
    played.say(1, What.STATUS, {"v": 1, "state": "ready", "boot": "B", "n": 2})
    played.say(1, What.STATUS, {"v": 1, "state": "lost", "boot": boot, "n": n})
    seen = played.desk.seen[1]
    assert (seen.there, seen.gone_ms) == (there, 0 if there else 60_000)
    played.say(1, What.STATUS, {"v": 1, "state": "disconnected", "boot": "B", "n": 2})
    assert not played.desk.seen[1].there


@pytest.mark.parametrize(("boot", "n"), [("B", 2), ("B", 1), ("C", 1)])
def test_what_the_broker_keeps_counts_for_a_hub_that_was_away(boot: str, n: int) -> None:
    played = hall(boards=1)
    played.say(1, What.STATUS, {"v": 1, "state": "ready", "boot": "B", "n": 2})
    played.desk = once_deaf(played.desk)
    assert played.desk.seen[1].there
    played.say(1, What.STATUS, {"v": 1, "state": "lost", "boot": boot, "n": n})
    assert not played.desk.seen[1].there


def test_a_result_is_of_the_people_who_were_called_and_whole() -> None:
    played = hall(boards=1)
    played.tick()
    order = played.sit_down(1)
    assert order is not None
    one, two = read_record(order["header"]).match.settings.names.values()
    turned = order["header"].replace(f'"{one}"', "?").replace(f'"{two}"', f'"{one}"')
    turned = turned.replace("?", f'"{two}"') + "! resign N\n"
    nobody = '# jackspot record 1\nrules = "hikone"\nseats = ["N", "S"]\n---\n! resign S\n'
    for text in (turned, nobody):
        played.result(1, record=text, crc32=crc32(text))
    played.result(1, crc32="00000000")
    assert len(played.desk.unattached) == 3
    assert all(each.outcome is None for known in played.desk.results.values()
               for each in known.values())  # fmt: skip
    played.result(1)
    assert len(played.desk.unattached) == 3


def test_of_a_board_with_ever_new_journals_the_newest_are_acknowledged() -> None:
    played = hall(s=Knockout())
    for number in range(40):
        said = {"v": 1, "id": f"b001-{number}-2", "journal": str(number), "seq": 2, "match": 1,
                "revision": 1, "order": None, "winner": None, "points": {}, "boards": {},
                "by": None, "record": "", "crc32": "00000000", "wall_ms": 0,
                "synchronised": False}  # fmt: skip
        played.say(1, What.RESULT, said)
    acknowledged = told(played.desk, 1)[What.ACK]["journals"]
    assert acknowledged == {str(number): 2 for number in range(24, 40)}
    assert len(played.desk.on_disk[1]) == 40


def called_after_another() -> tuple[PlayedHall, int]:
    """Return a board's next order, while the board still has the record of its last match."""
    played = hall(boards=1, s=AllAgainstAll())
    played.tick()
    played.sit_down(1)
    said = played.result(1, "N 12*red\nN jack\n")
    record = {"v": 1, "journal": "x", "seq": 2, "record": said["record"], "crc32": said["crc32"]}
    played.say(1, What.RECORD, record)
    played.tick(5)
    order = played.desk.order_of(1)
    assert order is not None
    played.match_says(1, order.number, "offered")
    return played, order.number


def test_a_match_that_nobody_has_begun_moves_without_the_record_of_the_one_before() -> None:
    played, number = called_after_another()
    played.say(1, What.STATUS, {"v": 1, "state": "lost", "boot": "a", "n": 1})
    event = changed(played.desk.programme, boards=(FreeBoard(1), FreeBoard(2)))
    desk = changed(played.desk, programme=event)
    assert ended_unsaid(desk, 1) is None
    (moved,) = move(desk, 1, 2)
    assert moved.body["key"] == desk.orders[number].key
    assert "resume" not in moved.body


def test_a_match_that_begins_moves_without_the_record_of_the_one_before() -> None:
    played, number = called_after_another()
    played.match_says(1, number, "playing")
    assert ended_unsaid(played.desk, 1) is None


def test_the_desk_is_told_how_long_people_take_from_the_call_to_the_beginning() -> None:
    played = hall(boards=3)
    assert day_part(played.desk)["begins_ms"] is None
    played.tick()
    for minutes, board in enumerate((1, 2, 3), start=1):
        order = played.desk.open_orders[board]
        played.match_says(board, order, "offered")
        played.now_ms += minutes * 60_000
        played.match_says(board, order, "playing")
        played.match_says(board, order, "playing")
    assert day_part(played.desk)["begins_ms"] == 180_000
