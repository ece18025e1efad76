"""People who were called and have not come: what the desk is told and the event's rule does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.festival.messages import What
from jackspot.values import changed
from jackspot_hub.desk.entering import check_in
from jackspot_hub.desk.no_show import BY_RULE, late_matches, won_by_rule
from jackspot_hub.desk.revising import correct, undo
from jackspot_hub.desk.state import DeskKind
from jackspot_hub.event.contest import AllAgainstAll, Format, Knockout, Swiss
from jackspot_hub.event.fixtures import Outcome, PlayedMatch
from jackspot_hub.event.programme import NoShowRule
from jackspot_hub.event.standings import tallies
from jackspot_hub.event_file import BadEvent, facts, programme_of
from jackspot_hub.web.organising import late_part
from tests.hub.halls import MINUTE_MS, PlayedHall, programme

LOST = {"v": 1, "state": "lost", "boot": "a", "n": 2}
READY = {"v": 1, "state": "ready", "boot": "a", "n": 2}
FIVE = NoShowRule(5 * MINUTE_MS)
DECIDES = changed(FIVE, decides=True)


def hall(
    rule: NoShowRule | None, seed: int = 1, *, boards: int = 1, form: Format | None = None
) -> PlayedHall:
    """Return a hall in which the first matches were called and their boards say so."""
    event = changed(programme(boards, s=form or Knockout()), no_show=rule)
    played = PlayedHall(event, Random(seed))
    played.tick()
    heard(played)
    return played


def heard(played: PlayedHall) -> None:
    """Let boards confirm what they are told to play, or that it was taken back."""
    for board, seen in played.desk.seen.items():
        number = played.desk.open_orders.get(board)
        if seen.there and number is not None and seen.order != number:
            played.match_says(board, number, "offered")
        elif seen.there and number is None and seen.state in ("offered", "seated"):
            played.match_says(board, None, "none")


def called(played: PlayedHall) -> tuple[int, int]:
    order = played.desk.order_of(1)
    assert order is not None
    return order.sides


def arrive(played: PlayedHall, *entrants: int) -> None:
    for each in entrants:
        played.write(check_in(played.desk, each, "desk"))


def due(played: PlayedHall, minutes: int) -> tuple[int, ...] | None:
    """Return who is here if the desk is offered the match in ``minutes``; None: it is not yet."""
    at_ms = played.now_ms + minutes * MINUTE_MS
    (found,) = late_matches(played.desk)
    return found.here if found.rule_ms is not None and at_ms >= found.rule_ms else None


def test_the_desk_is_offered_the_match_five_minutes_after_the_second_call() -> None:
    played = hall(FIVE)
    assert due(played, 6) is None
    assert due(played, 7) == ()
    arrive(played, called(played)[1])
    assert due(played, 7) == (1,)
    arrive(played, called(played)[0])
    assert due(played, 7) == (0, 1)
    played.tick(60)
    assert played.desk.order_of(1) is not None, "the desk alone decides"


def test_without_a_rule_the_desk_is_told_after_three_minutes_and_nothing_is_offered() -> None:
    played = hall(None)
    assert late_part(played.desk) == [
        {"board": 1, "key": "s-1-1", "since_ms": MINUTE_MS, "from_ms": 4 * MINUTE_MS,
         "rule_ms": None, "here": []}
    ]  # fmt: skip
    played.match_says(1, 1, "seated")
    assert late_part(played.desk) == []


def test_who_sits_alone_is_not_kept_waiting_for_ever() -> None:
    played = hall(FIVE)
    played.now_ms += 6 * MINUTE_MS
    played.match_says(1, 1, "seated")
    (found,) = late_part(played.desk)
    assert found["from_ms"] == found["rule_ms"] == 8 * MINUTE_MS


@pytest.mark.parametrize("state", ["declined", "playing", "over"])
def test_nothing_is_offered_of_a_match_that_people_sit_at(state: str) -> None:
    played = hall(DECIDES)
    arrive(played, called(played)[0])
    played.match_says(1, 1, state)
    played.now_ms += 60 * MINUTE_MS
    assert not list(late_matches(played.desk))
    assert won_by_rule(played.desk, played.now_ms) == ()


def test_a_board_that_is_away_at_the_deadline_loses_nobody_a_match() -> None:
    played = hall(DECIDES)
    arrive(played, called(played)[0])
    played.say(1, What.STATUS, LOST)
    played.tick(60)
    assert played.desk.order_of(1) is not None
    assert not list(late_matches(played.desk))
    played.say(1, What.STATUS, READY)
    played.tick(1)
    assert played.desk.played("s")["s-1-1"].outcome == Outcome(0, forfeit=True)


def test_a_board_that_hears_of_its_call_late_gives_people_as_long_from_then_on() -> None:
    event = changed(programme(1, s=Knockout()), no_show=DECIDES)
    played = PlayedHall(event, Random(1))
    played.tick()
    arrive(played, called(played)[0])
    played.now_ms += 30 * MINUTE_MS
    (found,) = late_matches(played.desk)
    assert found.rule_ms is None, "it has not heard of it"
    heard(played)
    assert due(played, 6) is None
    assert due(played, 7) == (0,)


def test_a_rule_that_decides_lets_those_win_who_are_here_and_calls_the_next() -> None:
    played = hall(DECIDES)
    one, two = called(played)
    arrive(played, two)
    played.tick(6)
    assert played.desk.order_of(1) is not None
    played.tick(1)
    assert played.desk.played("s")["s-1-1"] == PlayedMatch((one, two), Outcome(1, forfeit=True))
    assert played.desk.past[-1].entry.body["by"] == BY_RULE
    heard(played)
    played.tick(0)
    assert called(played) != (one, two)
    assert played.restarted() == played.desk


def test_where_nobody_or_both_have_come_a_rule_that_decides_asks() -> None:
    played = hall(DECIDES)
    played.tick(60)
    arrive(played, *called(played))
    played.tick(60)
    assert called(played) == (0, 7)


def test_what_the_rule_has_decided_is_taken_back_for_good() -> None:
    played = hall(DECIDES)
    before = played.desk.results
    arrive(played, called(played)[0])
    played.tick(7)
    seq = len(played.desk.past)
    assert played.desk.past[-1].entry.kind is DeskKind.CORRECTED
    played.write(undo(played.desk, seq, "desk"))
    assert played.desk.results == before
    played.tick(60)
    assert played.desk.order_of(1) is not None, "whoever takes it back has the last word"
    assert due(played, 0) == (0,), "the desk is offered it all the same"


def test_a_decision_that_was_taken_back_is_not_made_again_when_its_people_are_called_anew() -> None:
    """The board has the next match by then, so they are called again later, by another order."""
    played = hall(DECIDES)
    arrive(played, called(played)[0])
    played.tick(7)
    decided = played.desk.past[-1]
    assert decided.entry.kind is DeskKind.CORRECTED
    heard(played)
    played.tick(0)
    heard(played)
    played.write(undo(played.desk, decided.seq, "desk"))
    while (order := played.desk.order_of(1)) is not None:
        if order.key == decided.entry.body["key"]:
            break
        played.sit_down(1)
        played.result(1, "! resign S\n")
        played.tick()
        heard(played)
    assert order is not None
    assert order.number != decided.entry.body["order"], "they are called again"
    played.tick(60)
    assert played.desk.order_of(1) == order, "whoever takes it back has the last word"


def test_a_match_to_which_nobody_came_counts_for_neither() -> None:
    played = [PlayedMatch((1, 2), Outcome(None, forfeit=True))]
    assert [(each.played, each.wins) for each in tallies([1, 2], played).values()] == [(1, 0)] * 2
    rounds = hall(None, boards=4, form=Swiss(2))
    for key in ("s-1-1", "s-1-2", "s-1-3", "s-1-4"):
        rounds.write(correct(rounds.desk, key, Outcome(None, forfeit=key == "s-1-1"), "desk"))
    nobodies = set(rounds.desk.played("s")["s-1-1"].sides)
    table = rounds.desk.drawn("s").tables["s"]
    assert {each.entrant for each in table[-2:]} == nobodies
    met = [set(each.sides) for each in rounds.desk.drawn("s").fixtures if each.round == 2]
    assert len(met) == 4
    assert nobodies not in met


@settings(max_examples=30, deadline=None)
@given(st.integers(), st.sampled_from([Knockout(), AllAgainstAll(), Swiss(3)]))
def test_whoever_comes_or_not_the_rule_decides_only_what_it_may(seed: int, form: Format) -> None:
    random = Random(seed)
    played = hall(DECIDES, seed, boards=3, form=form)
    come = random.sample(range(8), random.randrange(9))
    arrive(played, *come)
    for _minute in range(40):
        before = played.desk
        played.now_ms += MINUTE_MS
        entries = won_by_rule(before, played.now_ms)
        for entry in entries:
            order = before.orders[entry.body["order"]]
            winner = entry.body["outcome"]["winner"]
            assert before.open_orders[order.board] == order.number
            assert played.now_ms - order.at_ms >= 7 * MINUTE_MS
            assert order.sides[winner] in before.arrived
            assert order.sides[1 - winner] not in before.arrived
            assert before.seen[order.board].there
            assert before.seen[order.board].state in ("offered", "seated")
        played.tick(0)
        heard(played)
        for board in list(played.desk.open_orders):
            chance = random.random()
            if chance < 0.1 and played.sit_down(board) is not None:
                played.result(board)
            elif chance < 0.2:
                played.say(board, What.STATUS, random.choice((LOST, READY)))
            elif chance < 0.3 and played.desk.seen[board].state == "offered":
                played.match_says(board, played.desk.open_orders[board], "seated")
        by_rule = [
            each.entry.body["order"] for each in played.desk.past
            if each.entry.kind is DeskKind.CORRECTED
        ]  # fmt: skip
        assert len(by_rule) == len(set(by_rule)), "of each call once"
    assert played.restarted() == played.desk


def test_an_events_file_says_what_becomes_of_those_who_do_not_come() -> None:
    said = {"name": "A", "hall": "a", "boards": 1, "no_show_min": 5, "contest": [
        {"name": "k", "format": "knockout", "entrants": ["Aiko", "Ben"]},
    ]}  # fmt: skip
    assert programme_of(said).no_show == FIVE
    decides = programme_of({**said, "no_show": "decide"})
    assert decides.no_show == DECIDES
    assert facts(decides)["may"]["no_show"] == "decide"
    without = {key: each for key, each in said.items() if key != "no_show_min"}
    assert programme_of(without).no_show is None
    for wrong in ({**without, "no_show": "decide"}, {**said, "no_show_min": 0}):
        with pytest.raises(BadEvent, match="no_show"):
            programme_of(wrong)
