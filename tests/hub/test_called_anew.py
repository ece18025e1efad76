"""Matches that are called again: for other people after a correction, or to be played again."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Side
from jackspot.festival.messages import What
from jackspot.values import changed
from jackspot_hub.desk.attaching import attach
from jackspot_hub.desk.entering import set_board
from jackspot_hub.desk.page_parts import PartsOfEvent
from jackspot_hub.desk.revising import TakenMatch, correct, preview, undo
from jackspot_hub.desk.state import DeskEntry, DeskKind, DeskState, after, outcome_of
from jackspot_hub.desk.step import move, told
from jackspot_hub.event.contest import (
    DoubleElimination,
    Format,
    Groups,
    Knockout,
    Partners,
    Swiss,
)
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome, PlayedMatch
from jackspot_hub.event.programme import Person, PlayedClass, Programme
from jackspot_hub.web.organising import needs
from tests.hub.entered import facts
from tests.hub.halls import PlayedHall, hall
from tests.hub.playing import by_chance, play
from tests.hub.test_draws import contest


def semi_final_called() -> PlayedHall:
    """Return a knockout of eight with two matches over and the one after them called."""
    played = hall(boards=4)
    played.tick()
    for board in (1, 2):
        played.sit_down(board)
        played.result(board, "! resign S\n")
    played.tick()
    return played


def board_of(played: PlayedHall, key: str) -> int:
    (found,) = [
        at for at, order in played.desk.open_orders.items() if played.desk.orders[order].key == key
    ]
    return found


def turned(played: PlayedHall, key: str) -> Outcome:
    """Return a match's outcome as if its loser had won."""
    outcome = played.desk.played("s")[key].outcome
    assert outcome is not None
    assert outcome.winner is not None
    return Outcome(1 - outcome.winner, (1, 0) if outcome.winner else (0, 1))


@pytest.mark.parametrize("state", ["", "offered", "seated", "declined", "own"])
def test_a_match_that_nobody_has_begun_is_called_anew_with_the_right_people(state: str) -> None:
    played = semi_final_called()
    board = board_of(played, "s-2-1")
    before = played.desk.open_orders[board]
    if state:
        said_of = None if state == "own" else before
        played.match_says(board, said_of, "playing" if state == "own" else state)
    (said,) = correct(played.desk, "s-1-1", turned(played, "s-1-1"), "Mika")
    assert preview(played.desk, (said,)).called_anew == ("s-2-1",)
    assert preview(played.desk, (said,)).conflicts == ()
    loser = played.desk.played("s")["s-1-1"].loser()
    played.write((said,))
    assert needs(played.desk) == []
    played.tick()
    order = played.desk.order_of(board)
    assert order is not None
    assert order.number > before
    assert loser in order.sides
    assert told(played.desk, board)[What.ORDER]["order"] == order.number
    assert played.desk.drawn("s").conflicts == ()
    assert played.restarted() == played.desk
    played.write(undo(played.desk, said_at(played, "corrected"), "Mika"))
    played.tick()
    assert loser not in played.desk.orders[played.desk.open_orders[board]].sides


def said_at(played: PlayedHall, kind: str) -> int:
    return next(each.seq for each in played.desk.past if each.entry.kind == kind)


@pytest.mark.parametrize("state", ["playing", "away"])
def test_a_match_that_may_have_begun_stands_until_the_organiser_decides(state: str) -> None:
    played = semi_final_called()
    board = board_of(played, "s-2-1")
    if state == "away":
        played.say(board, What.STATUS, {"v": 1, "state": "gone"})
    else:
        played.sit_down(board)
    said = correct(played.desk, "s-1-1", turned(played, "s-1-1"), "Mika")
    (conflict,) = preview(played.desk, said).conflicts
    assert (conflict.key, preview(played.desk, said).called_anew) == ("s-2-1", ())
    order = played.desk.open_orders[board]
    played.write(said)
    played.tick()
    assert played.desk.open_orders[board] == order
    assert [each["what"] for each in needs(played.desk)] == ["conflict"]


@pytest.mark.parametrize("strokes", ["", "N red\n"])
def test_a_match_that_was_moved_and_is_declined_there_goes_on_with_its_strokes(
    strokes: str,
) -> None:
    played = hall(boards=2, s=Knockout())
    played.write(set_board(played.desk, 2, "Mika", locked=True))
    played.tick()
    played.sit_down(1)
    record = played.desk.orders[played.desk.open_orders[1]].header + strokes
    played.say(1, What.RECORD, {"record": record})
    played.write(set_board(played.desk, 2, "Mika"))
    played.write(move(played.desk, 1, 2))
    before = told(played.desk, 2)[What.ORDER]
    played.match_says(2, before["order"], "declined")
    played.tick(3)
    again = told(played.desk, 2)[What.ORDER]
    assert again["order"] > before["order"]
    assert again["resume"] == before["resume"] == {"record": record}
    assert told(played.desk, 1)[What.ORDER]["moved"]["to"] == "b002"


def test_a_match_whose_people_are_no_longer_known_is_taken_back_until_they_are() -> None:
    played = semi_final_called()
    board = board_of(played, "s-2-1")
    played.write(correct(played.desk, "s-1-1", None, "Mika"))
    played.tick()
    played.tick()
    assert all(played.desk.orders[each].key != "s-2-1" for each in played.desk.open_orders.values())
    again = board_of(played, "s-1-1")
    assert again in (board, 1, 2)
    played.sit_down(again)
    played.result(again, "! resign N\n")
    played.tick()
    assert board_of(played, "s-2-1")
    assert played.desk.drawn("s").conflicts == ()


def ended(form: Format) -> tuple[PlayedHall, str]:
    """Return a hall of one board at which a match was won by the jack."""
    played = hall(boards=1, s=form)
    played.tick()
    order = played.desk.order_of(1)
    assert order is not None
    played.sit_down(1)
    played.result(1, "N 12*red\nN jack\n")
    return played, order.key


def said_otherwise(played: PlayedHall, key: str, way: str) -> None:
    """Let the desk say in some way that a match that has ended is to be played again."""
    if way == "an undo":  # of what the desk had said of a match that was called and put aside
        played.write(correct(played.desk, key, None, "Mika"))
        played.write(correct(played.desk, key, Outcome(1, (3, 12), (0, 1), by_jack=True), "Mika"))
        played.write(undo(played.desk, len(played.desk.past), "Mika"))
    elif way == "the undo of an attached result":
        played.write(correct(played.desk, key, Outcome(0, (9, 1)), "Mika"))
        loose = played.result(1, "N 12*red\nN jack\n")
        played.write(correct(played.desk, key, None, "Mika"))
        played.write(attach(played.desk, loose["id"], key, Side.RED, "Mika"))
        played.write(undo(played.desk, len(played.desk.past), "Mika"))
    else:
        played.write(correct(played.desk, key, None, "Mika"))


WAYS = ("play it again", "an undo", "the undo of an attached result")


@pytest.mark.parametrize(
    ("form", "way", "state"),
    [
        *((form, way, "") for form in (Knockout(), Swiss(3), Partners(3)) for way in WAYS),
        *((form, "play it again", "") for form in (DoubleElimination(), Groups(2, 1))),
        *(
            (Knockout(), "play it again", state)
            for state in ("seated", "playing", "declined", "away")
        ),
    ],
)
def test_what_is_taken_back_after_its_match_was_called_again_stands_as_before(
    form: Format, way: str, state: str
) -> None:
    played, key = ended(form)
    before = played.desk.results["s"][key]
    said_otherwise(played, key, way)
    if way != "play it again":
        undone = played.desk.past[played.desk.past[-1].entry.body["entry"] - 1].entry.body
        before = PlayedMatch(before.sides, outcome_of(undone["outcome"]))
    said = len(played.desk.past)
    assert len(undo(played.desk, said, "Mika")[0].body) == 2, "it is not called again yet"
    played.tick()
    assert board_of(played, key) == 1
    again = played.desk.open_orders[1]
    if state == "away":
        played.say(1, What.STATUS, {"v": 1, "state": "gone"})
    elif state:
        played.match_says(1, again, state)
    called = facts(played.desk)
    back = undo(played.desk, said, "Mika")
    seen = preview(played.desk, back)
    assert (seen.taken, seen.settled) == ((TakenMatch(key, 1),), (key,))
    played.write(back)
    assert played.desk.results["s"][key] == before
    assert played.desk.order_of(1) is None
    assert key in played.desk.corrected, "what the board plays on of it waits at the desk"
    assert played.restarted() == played.desk
    with pytest.raises(CannotBe, match="is taken back already"):
        undo(played.desk, said, "Mika")
    seen = preview(played.desk, undo(played.desk, len(played.desk.past), "Mika"))
    assert seen.reopened == (key,)
    played.write(undo(played.desk, len(played.desk.past), "Mika"))
    assert facts(played.desk) == called


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("by", ["board", "desk"])
def test_what_was_played_again_and_has_ended_stands_and_is_to_be_corrected(
    way: str, by: str
) -> None:
    played, key = ended(Knockout())
    said_otherwise(played, key, way)
    said = len(played.desk.past)
    played.tick()
    played.sit_down(1)
    if by == "board":
        played.result(1, "! resign N\n")
    else:
        played.write(correct(played.desk, key, Outcome(1, (1, 5)), "Mika"))
    with pytest.raises(CannotBe, match=r"1-1: it was called again since then and has ended"):
        undo(played.desk, said, "Mika")


@pytest.mark.parametrize("has_ended", [True, False])
def test_what_is_to_be_played_again_once_more_is_not_ended_by_an_older_undo(
    *, has_ended: bool
) -> None:
    played, key = ended(Knockout())
    said_otherwise(played, key, "play it again")
    said = len(played.desk.past)
    played.tick()
    if has_ended:
        played.sit_down(1)
        played.result(1, "! resign N\n")
    said_otherwise(played, key, "play it again")
    played.tick()
    assert board_of(played, key)
    if has_ended:
        with pytest.raises(CannotBe, match=r"1-1: it was called again since then and has ended"):
            undo(played.desk, said, "Mika")
        return
    played.write(undo(played.desk, said, "Mika"))
    assert board_of(played, key), "the newer word counts"
    assert played.desk.results["s"][key].outcome is None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([Knockout(), DoubleElimination()]))
def test_nobody_is_left_called_to_a_match_of_others(seed: int, form: object) -> None:
    """Whatever is corrected, once time has passed every call is for those who are to meet."""
    played = hall(seed, boards=3, s=form)
    for _ in range(25):
        played.tick()
        for board in list(played.desk.open_orders):
            if played.random.random() < 0.6:
                played.sit_down(board)
                played.result(board, played.random.choice(["! resign S\n", "! resign N\n"]))
        over = [key for key, each in played.desk.played("s").items() if each.outcome]
        if over and played.random.random() < 0.5:
            outcome = played.random.choice([None, Outcome(0, (2, 1)), Outcome(1, (1, 2))])
            key = played.random.choice(over)
            played.write(correct(played.desk, key, outcome, "Mika"))
        played.tick()
        called = {played.desk.orders[each].key for each in played.desk.open_orders.values()}
        assert called.isdisjoint(each.key for each in played.desk.drawn("s").conflicts)
        people = [
            each for number in played.desk.open_orders.values()
            for each in played.desk.orders[number].sides
        ]  # fmt: skip
        assert len(people) == len(set(people)), "nobody is called to two boards"


def played_out(form: Format, count: int, seed: int) -> DeskState:
    """Return a desk at which all matches were called, in order, and are over."""
    whole = contest(count, form, seed=str(seed))
    _found, results = play(whole, by_chance(Random(seed)))
    people = {each: Person(each, f"P{each}") for each in whole.entrants}
    played = PlayedClass(whole, {each: (each,) for each in people})
    return changed(
        DeskState(Programme("A", "a", people, {"s": played}, ())),
        results={"s": results}, newest_orders={key: at for at, key in enumerate(results, 1)},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("form", "count", "seed", "keys"),
    [
        (Swiss(3), 5, 10, {"s-3-1"}),
        (Swiss(3), 9, 2, {"s-2-1", "s-2-2"}),
        (Partners(3), 8, 4, {"s-3-2"}),
    ],
)
def test_matches_of_a_round_are_played_again_by_those_who_were_called(
    form: Format, count: int, seed: int, keys: set[str]
) -> None:
    desk = played_out(form, count, seed)
    results = desk.results["s"]
    again = after(desk, (each for key in keys for each in correct(desk, key, None, "desk")))
    left = {each.key: each.sides for each in again.still_open("s")}
    assert left == {key: results[key].sides for key in keys}
    parts = PartsOfEvent().of(again)
    rounds = [json.loads(text) for name, text in parts.items() if name.startswith("round/")]
    called = {each["key"] for at in rounds for each in at["matches"] if each.get("called")}
    assert called == results.keys() - keys
    with pytest.raises(CannotBe, match="nobody was called to it"):
        correct(again, min(keys), None, "desk")


def test_a_match_of_a_round_that_nobody_was_called_to_is_drawn_anew() -> None:
    """Its result was entered at the desk, by mistake for another match."""
    desk = changed(played_out(Swiss(3), 9, 2), newest_orders={})
    for key in ("s-2-1", "s-2-2"):
        (said,) = correct(desk, key, None, "desk")
        assert "same" not in said.body
        assert key not in after(desk, (said,)).results["s"]


def test_an_older_journal_in_which_a_round_was_drawn_anew_reads_as_it_did() -> None:
    desk = played_out(Swiss(3), 9, 2)
    said = [each for key in ("s-2-1", "s-2-2") for each in correct(desk, key, None, "desk")]
    before = [{at: what for at, what in each.body.items() if at != "same"} for each in said]
    again = after(desk, (DeskEntry(DeskKind.CORRECTED, body) for body in before))
    assert again.results["s"].keys() == desk.results["s"].keys() - {"s-2-1", "s-2-2"}
