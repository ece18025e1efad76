"""The desk as a function: orders, results, corrections, boards that go and come."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from jackspot.festival.messages import What, crc32
from jackspot.values import changed
from jackspot_hub.desk.attaching import attach, attach_free, loose_results, put_aside
from jackspot_hub.desk.parts import event_part
from jackspot_hub.desk.revising import correct, undo
from jackspot_hub.desk.state import AHEAD_MS, DeskEntry, GivenOrder, StruckGong
from jackspot_hub.desk.step import (
    call_round,
    ended_unsaid,
    first_game,
    hear,
    move,
    strike,
    told,
    waiting_for_gong,
)
from jackspot_hub.event.contest import (
    Absence,
    AllAgainstAll,
    Contest,
    DoubleElimination,
    Format,
    Groups,
    Knockout,
    OpenPlay,
    Partners,
    Swiss,
    draw,
    forfeits,
)
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome, PlayedMatch, entrants_of
from jackspot_hub.event.programme import PlayedClass
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.web.organising import day_part, needs
from tests.hub.halls import PlayedHall, programme
from tests.hub.test_draws import led_to_meet_themself

FORMATS = [
    AllAgainstAll(), Groups(2, 2), Knockout(), DoubleElimination(), Swiss(3), Swiss(3, 2),
    Partners(3), Partners(3, at_a_board=3),
]  # fmt: skip


def hall(seed: int = 1, boards: int = 3, rest_ms: int = 0, **formats: object) -> PlayedHall:
    formats = formats or {"s": Knockout()}
    return PlayedHall(programme(boards, rest_ms, **formats), Random(seed))  # type: ignore[arg-type]


def left_to_play(played: PlayedHall) -> list[str]:
    return [
        each.key for name, results in (("s", played.desk.results.get("s", {})),
                                       ("d", played.desk.results.get("d", {})))
        for each in played.desk.drawn(name).fixtures if each.key not in results
    ]  # fmt: skip


def play_to_the_end(form: Format, seed: int) -> None:
    """Boards are declined, results come twice; a restart in between changes nothing."""
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
    assert (settings.event, settings.round) == ("Test", "s-1-1")
    said = played.result(1)
    assert told(played.desk, 1)[What.ACK]["journals"] == {"x": said["seq"]}
    assert told(played.desk, 1)[What.ORDER]["order"] is None


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
        (lambda desk: correct(desk, "s-9-9", None, "desk"), "there is no match 's-9-9' in s"),
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


# --- by gong -----------------------------------------------------------------------------


def by_gong(boards: int = 2) -> PlayedHall:
    event = changed(programme(boards, singles=AllAgainstAll()), by_gong=True)
    return PlayedHall(event, Random(1))


def struck(played: PlayedHall) -> tuple[DeskEntry, ...]:
    """Let all who are called be there, and strike the gong."""
    for board, number in played.desk.open_orders.items():
        played.match_says(board, number, "playing")
        played.say(board, What.RECORD, {"record": played.desk.orders[number].header})
        played.say(board, What.STATE, {"clock": {"running": False}})
    return strike(played.desk, "Mika")


def score(left_ms: int, running: bool = True, phase: str = "ready") -> dict[str, Any]:
    """Return what is read here of a score that a board tells."""
    return {"phase": phase, "clock": {"running": running, "remaining_ms": left_ms}}


@pytest.mark.parametrize("after_s", [1, 7, 600])
def test_a_clock_that_only_runs_on_is_no_news_of_a_board(after_s: int) -> None:
    played = hall(boards=1)
    played.say(1, What.STATE, score(900_000))
    before = played.desk
    played.now_ms += after_s * 1_000
    left_ms = 900_000 - after_s * 1_000
    played.say(1, What.STATE, score(left_ms + 100))
    assert played.desk.seen[1] == before.seen[1]
    for news in (
        score(left_ms - 1_000),
        score(left_ms, running=False),
        score(left_ms, phase="over"),
    ):
        played.desk = before
        played.say(1, What.STATE, news)
        assert (played.desk.seen[1].score, played.desk.seen[1].score_ms) == (news, played.now_ms)


def test_who_plays_by_no_gong_calls_no_round() -> None:
    with pytest.raises(CannotBe, match='no start = "gong"'):
        call_round(hall().desk)


def test_a_round_is_called_at_once_and_the_next_one_when_it_is_over() -> None:
    played = by_gong()
    played.tick()
    assert not played.desk.open_orders
    played.write(call_round(played.desk))
    assert len(played.desk.open_orders) == 2
    with pytest.raises(CannotBe, match="2 matches of this round are not over"):
        call_round(played.desk)
    for board in (1, 2):
        assert told(played.desk, board)[What.ORDER]["begins"] == "gong"
    played.write(struck(played))
    played.sit_down(1)
    played.result(1)
    played.tick()
    assert len(played.desk.open_orders) == 1, "board 1 waits for the other one"
    played.sit_down(2)
    played.result(2)
    played.tick()
    assert len(played.desk.open_orders) == 2


def test_the_gong_is_struck_for_who_is_there_and_is_in_the_journal() -> None:
    played = by_gong()
    with pytest.raises(CannotBe, match="no board waits for the gong"):
        strike(played.desk, "Mika")
    played.write(call_round(played.desk))
    for board, number in played.desk.open_orders.items():
        played.match_says(board, number, "seated")
        assert board not in waiting_for_gong(played.desk)
        played.match_says(board, number, "playing")
        played.say(board, What.RECORD, {"record": played.desk.orders[number].header})
        played.say(board, What.STATE, {"clock": {"running": False}})
    assert waiting_for_gong(played.desk) == [1, 2]
    played.say(2, What.STATE, {"clock": {"running": True}})
    assert waiting_for_gong(played.desk) == [1]
    for number in (1, 2):
        played.write(strike(played.desk, "Mika"))
        assert played.desk.gong == StruckGong(number, played.now_ms + AHEAD_MS)
    assert played.restarted() == played.desk
    with pytest.raises(CannotBe, match="what boards have played or were told"):
        undo(played.desk, len(played.desk.past), "Mika")


def test_a_match_that_moves_begins_by_no_gong() -> None:
    played = by_gong(5)
    played.write(call_round(played.desk))
    (board, *_) = played.desk.open_orders
    number = played.desk.open_orders[board]
    header = played.desk.orders[number].header
    played.match_says(board, number, "playing")
    played.say(board, What.RECORD, {"record": header + "N red\n"})
    (other,) = {1, 2, 3, 4, 5} - set(played.desk.open_orders)
    played.write(move(played.desk, board, other))
    order = told(played.desk, other)[What.ORDER]
    assert "resume" in order
    assert "begins" not in order


# --- what a board cannot mean ------------------------------------------------------------------


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


def played_rounds(*, boards: int = 4, winner: str = "N") -> PlayedHall:
    """A Swiss of eight in which all have met; its final, of best of three, is called."""
    event = programme(boards, s=Swiss(7, upper=2, earlier=True))
    whole = changed(event.classes["s"], knockout_header={"options": {"best_of": 3}})
    played = PlayedHall(changed(event, classes={"s": whole}), Random(1))
    for _minute in range(60):
        played.tick()
        for board in list(played.desk.open_orders):
            order = played.desk.order_of(board)
            assert order is not None
            if "-ko-" in order.key:
                return played
            played.sit_down(board)
            best = min(order.sides)  # who is seeded before wins
            seat, colour = ("N", "red") if order.sides[0] == best else ("S", "green")
            lines = "N -\nS 12*green\nS jack\n" if seat == "S" else f"N 12*{colour}\nN jack\n"
            played.result(board, lines)
    raise AssertionError("no final")


def final_of_swiss(played: PlayedHall) -> GivenOrder:
    return next(each for each in played.desk.orders.values() if "-ko-" in each.key)


def test_an_earlier_meeting_in_a_swiss_is_the_first_game_of_its_final() -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    first = {each.entrant for each in played.desk.drawn("s").tables["s"][:2]}
    assert set(order.sides) == first
    assert order.resume is not None
    state = read_record(order.resume).match.state
    assert (sum(state.boards_won.values()), state.over) == (1, False)
    assert (state.settings.round, len(state.boards)) == (order.key, 1)
    played.sit_down(order.board)
    played.result(order.board, "S -\nN 12*red\nN jack\n")
    drawn = played.desk.drawn("s")
    assert drawn.final is not None
    assert drawn.final.winner == 0
    assert played.desk.results["s"][order.key].outcome.boards in {(2, 0), (0, 2)}  # type: ignore[union-attr]


def test_an_earlier_meeting_that_was_corrected_is_no_game_of_the_final() -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    met = next(
        (key, each) for key, each in played.desk.results["s"].items()
        if set(each.sides) == set(order.sides) and key != order.key
    )  # fmt: skip
    assert met[1].outcome is not None
    played.write(correct(played.desk, met[0], changed(met[1].outcome, points=(3, 3)), "desk"))
    assert first_game(played.desk, "s", order.key, order.sides) is None


@pytest.mark.parametrize("begun", [False, True])
def test_a_final_that_has_not_begun_is_given_anew_where_its_first_game_counts_otherwise(
    begun: bool,
) -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    key, met = next(
        (key, each) for key, each in played.desk.results["s"].items()
        if set(each.sides) == set(order.sides) and key != order.key
    )  # fmt: skip
    if begun:
        played.sit_down(order.board)
    played.tick()
    assert played.desk.order_of(order.board) is order, "nothing has changed"
    assert met.outcome is not None
    played.write(correct(played.desk, key, changed(met.outcome, points=(3, 3)), "desk"))
    played.tick()
    now = played.desk.order_of(order.board)
    assert now is not None
    if begun:
        assert now is order
        return
    assert (now.key, set(now.sides), now.resume) == (order.key, set(order.sides), None)
    assert now.number > order.number
    played.tick()
    assert played.desk.order_of(order.board) is now
    played.sit_down(order.board)
    played.result(order.board)
    assert played.desk.results["s"][order.key].outcome is not None


def test_of_two_who_met_more_than_once_the_first_meeting_counts_whenever_it_was_entered() -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    known = played.desk.results["s"]
    first = next(at for at, each in known.items() if set(each.sides) == set(order.sides))
    later = "s-7-9"
    assert first < later
    record = played.desk.records[first].replace("---\n", "---\n# later\n")
    again = {later: known[first], **known}
    desk = changed(
        played.desk, results={"s": again}, records={**played.desk.records, later: record},
        newest_orders={**played.desk.newest_orders, later: played.desk.newest_orders[first]},
    )  # fmt: skip
    found = first_game(desk, "s", order.key, order.sides)
    assert found == first_game(played.desk, "s", order.key, order.sides)


def test_who_went_home_in_the_rounds_plays_no_final_and_who_goes_after_them_forfeits_it() -> None:
    form = Swiss(2, upper=2)
    went = Contest("s", (1, 2, 3, 4), form, away=(Absence(1, 2),))
    results = {
        "s-1-1": PlayedMatch((1, 3), Outcome(0)), "s-1-2": PlayedMatch((2, 4), Outcome(0)),
        "s-2-1": PlayedMatch((2, 3), Outcome(0)),
    }  # fmt: skip
    final = next(each for each in draw(went, results).fixtures if "-ko-" in each.key)
    assert 1 not in final.sides
    stays = changed(went, away=(Absence(2, 3),))
    results |= {"s-2-1": PlayedMatch((1, 2), Outcome(1)), "s-2-2": PlayedMatch((3, 4), Outcome(0))}
    assert 2 in next(each for each in draw(stays, results).fixtures if "-ko-" in each.key).sides
    found = forfeits(stays, results, [Absence(2, 0)])
    assert found["s-ko-1-1"].winner() != 2


# --- results without an order --------------------------------------------------------------


def free_hall(meetings: int = 1) -> PlayedHall:
    return PlayedHall(programme(2, f=OpenPlay(meetings), k=Knockout()), Random(1))


def played_freely(
    hall: PlayedHall, north: str, south: str, body: str = "N 12*red\nN jack\n", seq: int = 1,
    **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Let a board say the result of a match that nobody ordered."""
    names = f'[names]\nN = "{north}"\nS = "{south}"\n' if north else ""
    text = f'rules = "hikone"\n{names}---\n{body}'
    state = read_record(text).match.state
    said = {
        "v": 1, "id": f"b002-y-{seq}", "journal": "y", "seq": seq, "match": 1, "revision": 1,
        "order": None, "winner": state.winner, "points": dict(state.points),
        "boards": dict(state.boards_won), "by": None, "record": text, "crc32": crc32(text),
        "wall_ms": 0, "synchronised": False, **more,
    }  # fmt: skip
    hall.say(2, What.RESULT, said)
    return said


def wins(hall: PlayedHall) -> dict[int, int]:
    (table,) = hall.desk.drawn("f").tables.values()
    return {each.entrant: each.tally.won for each in table if each.tally.played}


def test_free_play_counts_by_the_names_on_a_board() -> None:
    hall = free_hall()
    played_freely(hall, "f 3", "F  1")
    assert wins(hall) == {3: 1, 1: 0}
    assert not hall.desk.unattached
    assert hall.restarted() == hall.desk
    played_freely(hall, "f 1", "f 3", seq=3, match=2, id="b002-y-3")
    assert wins(hall) == {3: 1, 1: 0}, "of the same two the first meeting counts"
    assert len(hall.desk.results["f"]) == 2
    twice = free_hall(meetings=2)
    played_freely(twice, "f 3", "f 1")
    played_freely(twice, "f 1", "f 3", seq=3, match=2, id="b002-y-3")
    assert wins(twice) == {3: 1, 1: 1}


def test_undo_at_a_board_of_free_play_is_a_revision_of_the_same_match() -> None:
    hall = free_hall()
    played_freely(hall, "f 3", "f 1")
    played_freely(hall, "f 3", "f 1", "N -\nS 12*green\nS jack\n", seq=3, revision=2,
                  id="b002-y-3")  # fmt: skip
    assert wins(hall) == {3: 0, 1: 1}
    assert len(hall.desk.results["f"]) == 1


def test_undo_at_a_board_does_not_change_what_the_desk_has_said_of_that_match() -> None:
    hall = free_hall()
    played_freely(hall, "f 3", "f 1")
    (key,) = hall.desk.results["f"]
    hall.write(correct(hall.desk, key, Outcome(1, (2, 9)), "desk"))
    said = played_freely(hall, "f 3", "f 1", seq=3, revision=2, id="b002-y-3")
    assert wins(hall) == {3: 0, 1: 1}
    assert [each["id"] for each in loose_results(hall.desk)] == [said["id"]]


def test_a_match_that_is_corrected_after_its_journal_was_restored_counts_once() -> None:
    """The journal has another name by then; the match that begins at its number is another one."""
    hall = free_hall()
    played_freely(hall, "f 3", "f 1", seq=3)
    later = partial(played_freely, hall, journal="z")
    later(
        "f 3", "f 1", "N -\nS 12*green\nS jack\n", 5, id="b002-z-5", revision=2,
        match_journal="y",
    )  # fmt: skip
    assert wins(hall) == {1: 1, 3: 0}
    later("f 2", "f 3", seq=9, id="b002-z-9", match_journal="z")
    assert wins(hall) == {1: 1, 2: 1, 3: 0}
    assert hall.restarted() == hall.desk


def test_a_later_end_of_what_the_desk_has_put_aside_waits_whatever_its_board_calls_it() -> None:
    hall = free_hall()
    first = played_freely(hall, "f 3", "Zoe", id="no number")
    hall.write(put_aside(hall.desk, first["id"], "desk"))
    said = played_freely(hall, "f 3", "f 1", seq=3, revision=2, id="none either")
    (found,) = needs(hall.desk)
    assert (found["id"], found["board"], found["of"]) == (said["id"], 2, None)
    assert wins(hall) == {}
    hall.write(attach_free(hall.desk, said["id"], "f", (3, 1), "desk"))
    assert wins(hall) == {3: 1, 1: 0}
    assert hall.restarted() == hall.desk


def test_a_result_that_the_desk_has_given_to_a_match_stands_when_its_board_has_another() -> None:
    played = hall(s=Knockout())
    played.tick()
    board, number = next(iter(played.desk.open_orders.items()))
    key = played.desk.orders[number].key
    played.sit_down(board)
    record = 'rules = "hikone"\n---\nN 12*red\nN jack\n'
    other = {
        "v": 1, "id": "b009-y-1", "journal": "y", "seq": 1, "match": 1, "revision": 1,
        "order": None, "winner": "red", "points": {}, "boards": {}, "by": None, "record": record,
        "crc32": crc32(record), "wall_ms": 0, "synchronised": False,
    }  # fmt: skip
    played.say(9, What.RESULT, other)
    played.write(attach(played.desk, "b009-y-1", key, Side.RED, "desk"))
    before = played.desk.results
    said = played.result(board, "! resign N\n")
    assert played.desk.results == before
    assert [each["id"] for each in played.desk.unattached] == [said["id"]]
    assert needs(played.desk)[0]["of"] == key
    assert played.restarted() == played.desk


def test_people_are_known_by_their_numbers_too() -> None:
    hall = free_hall()
    played_freely(hall, "3", "f  1")
    assert wins(hall) == {3: 1, 1: 0}
    people = dict(hall.desk.programme.people)
    people[5] = changed(people[5], name="f 3")
    hall.desk = changed(hall.desk, programme=changed(hall.desk.programme, people=people))
    played_freely(hall, "f 3", "f 2", seq=3, match=3, id="b002-y-3")
    assert len(hall.desk.unattached) == 1, "two have this name"
    played_freely(hall, "5", "f 2", seq=5, match=5, id="b002-y-5")
    assert wins(hall) == {3: 1, 1: 0, 5: 1, 2: 0}


def test_the_desk_says_who_has_played_freely_and_a_revision_is_of_the_same_people() -> None:
    hall = free_hall()
    said = played_freely(hall, "Aika", "f 1")
    assert wins(hall) == {}
    hall.write(attach_free(hall.desk, said["id"], "f", (4, 1), "desk"))
    assert wins(hall) == {4: 1, 1: 0}
    assert not loose_results(hall.desk)
    played_freely(hall, "Aika", "f 1", "N -\nS 12*green\nS jack\n", seq=3, revision=2,
                  id="b002-y-3")  # fmt: skip
    assert wins(hall) == {4: 0, 1: 1}
    assert len(hall.desk.results["f"]) == 1
    assert hall.restarted() == hall.desk


def test_only_the_newest_revision_of_a_loose_result_waits_for_the_desk() -> None:
    hall = free_hall()
    first = played_freely(hall, "Zoe", "f 1")
    newest = played_freely(hall, "Zoe", "f 1", seq=3, revision=2, id="b002-y-3")
    other = played_freely(hall, "Zoe", "f 1", seq=5, match=4, id="b002-y-5")
    assert [each["id"] for each in loose_results(hall.desk)] == [newest["id"], other["id"]]
    hall.write(attach_free(hall.desk, newest["id"], "f", (4, 1), "desk"))
    assert [each["id"] for each in loose_results(hall.desk)] == [other["id"]]
    assert [each["id"] for each in needs(hall.desk)] == [other["id"]]
    hall.write(undo(hall.desk, len(hall.desk.past), "desk"))
    assert loose_results(hall.desk)[0]["id"] == newest["id"]
    assert first["id"] not in {each["id"] for each in loose_results(hall.desk)}


def test_a_revision_of_what_was_given_to_a_match_of_another_contest_waits() -> None:
    hall = free_hall()
    said = played_freely(hall, "f 3", "Zoe")
    key = next(each.key for each in hall.desk.drawn("k").fixtures if each.is_ready)
    hall.write(attach(hall.desk, said["id"], key, Side.RED, "desk"))
    again = played_freely(hall, "f 3", "f 1", seq=3, revision=2, id="b002-y-3")
    assert [each["id"] for each in loose_results(hall.desk)] == [again["id"]]
    assert wins(hall) == {}


@pytest.mark.parametrize(
    ("contest", "entrants", "says"),
    [
        ("k", (8, 9), "k is not played freely"),
        ("f", (3, 3), "two who are entered in f, found 3 and 3"),
        ("f", (3, 99), "two who are entered in f, found 3 and 99"),
        ("x", (3, 1), "there is no contest 'x'"),
    ],
)
def test_what_cannot_be_free_play_says_why(
    contest: str, entrants: tuple[int, int], says: str
) -> None:
    hall = free_hall()
    said = played_freely(hall, "Zoe", "f 1")
    with pytest.raises(CannotBe, match=says):
        attach_free(hall.desk, said["id"], contest, entrants, "desk")


@pytest.mark.parametrize(
    ("north", "south"), [("", ""), ("f 3", "Zoe"), ("k 1", "k 2"), ("f 3", "k 1"), ("f 3", "f 3")]
)
def test_a_result_that_names_others_waits_for_the_organiser(north: str, south: str) -> None:
    hall = free_hall()
    said = played_freely(hall, north, south)
    assert wins(hall) == {}
    assert [each["id"] for each in hall.desk.unattached] == [said["id"]]


def test_a_loose_result_is_attached_or_put_aside_and_that_can_be_undone() -> None:
    hall = free_hall()
    said = played_freely(hall, "", "")
    key = next(each.key for each in hall.desk.drawn("k").fixtures if each.is_ready)
    hall.write(attach(hall.desk, said["id"], key, Side.GREEN, "desk"))
    match = hall.desk.results["k"][key]
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.by_jack) == (1, True)
    assert not hall.desk.unattached
    hall.write(undo(hall.desk, len(hall.desk.past), "desk"))
    assert [each["id"] for each in hall.desk.unattached] == [said["id"]]
    assert key not in hall.desk.results.get("k", {})
    hall.write(put_aside(hall.desk, said["id"], "desk"))
    assert not hall.desk.unattached
    with pytest.raises(CannotBe, match="there is no loose result"):
        attach(hall.desk, said["id"], key, Side.RED, "desk")


def test_what_the_desk_has_said_of_a_match_stands_and_a_later_result_waits() -> None:
    played = hall(s=Knockout())
    played.tick()
    board, number = next(iter(played.desk.open_orders.items()))
    key = played.desk.orders[number].key
    played.sit_down(board)
    played.write(correct(played.desk, key, Outcome(1, (2, 9)), "desk"))
    said = played.result(board, "N 12*red\nN jack\n")
    outcome = played.desk.results["s"][key].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.points) == (1, (2, 9))
    assert [each["id"] for each in played.desk.unattached] == [said["id"]]
    assert played.entries[-1][0].body["differs"].startswith("the desk had said otherwise")
    played.write(attach(played.desk, said["id"], key, Side.RED, "desk"))
    assert played.desk.results["s"][key].winner() == played.desk.orders[number].sides[0]


def test_a_match_that_is_called_again_counts_as_it_is_played_then() -> None:
    played = hall(s=Knockout())
    played.tick()
    board, number = next(iter(played.desk.open_orders.items()))
    key = played.desk.orders[number].key
    played.sit_down(board)
    played.result(board)
    played.write(correct(played.desk, key, None, "desk"))
    played.tick(5)
    again = next(at for at, each in played.desk.open_orders.items()
                 if played.desk.orders[each].key == key)  # fmt: skip
    played.sit_down(again)
    played.result(again, "N 12*red\nN jack\n")
    assert played.desk.results["s"][key].outcome is not None
    assert not played.desk.unattached


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
    """A board that still has the record of a match that is over, and is called to the next."""
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
    assert day_part(played.desk) == {"begins_ms": None}
    played.tick()
    for minutes, board in enumerate((1, 2, 3), start=1):
        order = played.desk.open_orders[board]
        played.match_says(board, order, "offered")
        played.now_ms += minutes * 60_000
        played.match_says(board, order, "playing")
        played.match_says(board, order, "playing")
    assert day_part(played.desk) == {"begins_ms": 180_000}
