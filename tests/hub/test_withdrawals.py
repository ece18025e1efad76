"""People who leave forfeit what is left; those who return or come late start in the next round."""

from __future__ import annotations

import pytest

from jackspot_hub.desk.entering import draw_class, enter, withdraw
from jackspot_hub.desk.revising import correct, forfeit, undo
from jackspot_hub.desk.state import DeskKind
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import entrants_of, members
from jackspot_hub.web.organising import classes_part
from tests.hub.entered import Desk, event


def test_who_withdraws_after_the_draw_forfeits_all_that_is_left_also_what_comes_later() -> None:
    desk = Desk(event("p"))
    people = desk.people(8)
    for one, two in zip(people[::2], people[1::2], strict=True):
        desk.say(enter, "p", [one, two])
    desk.say(draw_class, "p", "37")
    first = desk.state.drawn("p").fixtures[0]
    gone = first.sides[0]
    assert isinstance(gone, int)
    desk.hall.tick()
    desk.say(withdraw, "p", gone)
    assert gone not in {side for number in desk.state.open_orders.values()
                        for side in desk.state.orders[number].sides}  # fmt: skip
    for _ in range(9):
        for board in list(desk.state.open_orders):
            desk.play(board)
        desk.hall.tick()
    played = desk.state.played("p")
    lost = [each.outcome for each in played.values() if each.loser() == gone]
    assert [each.forfeit for each in lost if each] == [True, True]
    assert desk.state.is_over("p")
    desk.say(undo, next(each.seq for each in desk.state.past
                        if each.entry.kind is DeskKind.WITHDRAWN))  # fmt: skip
    assert desk.state.drawn("p").conflicts


def test_a_result_that_comes_after_all_counts_more_than_the_forfeit() -> None:
    desk = Desk(event("a"))
    one, _two = desk.enter("a", 2)
    desk.say(draw_class, "a", "37")
    desk.hall.tick()
    desk.hall.sit_down(1)
    desk.say(withdraw, "a", one)
    assert not desk.state.open_orders
    desk.hall.result(1)
    (played,) = desk.state.played("a").values()
    assert played.outcome is not None
    assert not played.outcome.forfeit


@pytest.mark.parametrize("contest", ["w", "d"])
@pytest.mark.parametrize("called", [False, True])
def test_who_waits_and_leaves_has_the_round_only_if_anything_of_it_was_called(
    contest: str, called: bool
) -> None:
    desk = Desk(event(contest))
    desk.enter(contest, 5)
    desk.say(draw_class, contest, "37")
    if called:
        desk.hall.tick()
        assert desk.state.open_orders
    (waits,) = desk.state.drawn(contest).waits
    desk.say(withdraw, contest, waits.entrant)
    drawn = desk.state.drawn(contest)
    assert (waits in drawn.waits) is called
    (ranks,) = drawn.tables.values()
    tally = next(each.tally for each in ranks if each.entrant == waits.entrant)
    assert tally.won == (called and contest == "w")


def test_of_two_who_have_withdrawn_the_first_loses() -> None:
    desk = Desk(event("k"))
    people = desk.enter("k", 4)
    desk.say(draw_class, "k", "37")
    for each in people[:3]:
        desk.say(withdraw, "k", each)
    final = desk.state.drawn("k").final
    assert final is not None
    assert final.winner == people[3]


def test_a_swiss_takes_people_from_its_next_round_on_and_lets_them_go() -> None:
    desk = Desk(event("w", boards=3))
    people = desk.enter("w", 4)
    desk.say(draw_class, "w", "37")
    desk.hall.tick()
    late = desk.enter("w", 2)
    assert desk.state.programme.classes["w"].contest.came == dict.fromkeys(late, 2)
    desk.hall.sit_down(1)
    gone = desk.state.orders[desk.state.open_orders[1]].sides[0]
    desk.say(withdraw, "w", gone)
    (over,) = [each for each in desk.state.played("w").values() if each.outcome]
    assert over.loser() == gone
    for board in list(desk.state.open_orders):
        desk.play(board)
    desk.hall.tick()
    second = [each for each in desk.state.drawn("w").fixtures if each.round == 2]
    waits = [each.entrant for each in desk.state.drawn("w").waits]
    assert {*(side for each in second for side in each.sides), *waits} == {
        *people, *late
    } - {gone}  # fmt: skip


def there_in(desk: Desk, contest: str, number: int) -> set[int]:
    """Return who plays or waits in a round."""
    drawn = desk.state.drawn(contest)
    plays = entrants_of(side for each in drawn.fixtures if each.round == number
                        for side in each.sides)  # fmt: skip
    return {*plays, *(each.entrant for each in drawn.waits if each.round == number)}


def play_round(desk: Desk) -> None:
    desk.hall.tick()
    for board in list(desk.state.open_orders):
        desk.play(board)


@pytest.mark.parametrize("contest", ["w", "d", "h"])
def test_who_has_left_comes_again_from_the_next_round_on_as_often_as_they_like(
    contest: str,
) -> None:
    desk = Desk(event(contest, boards=4, rounds=6))
    people = set(desk.enter(contest, 8))
    desk.say(draw_class, contest, "37")
    desk.hall.tick()
    order = desk.state.orders[desk.state.open_orders[1]]
    gone = entrants_of(order.sides)[0]
    desk.say(withdraw, contest, gone)
    lost = desk.state.played(contest)[order.key]
    with pytest.raises(CannotBe, match="withdrawn already"):
        desk.say(withdraw, contest, gone)
    desk.say(enter, contest, [gone])
    for board in list(desk.state.open_orders):
        desk.play(board)
    play_round(desk)
    assert there_in(desk, contest, 2) == people
    desk.say(withdraw, contest, gone)
    play_round(desk)
    assert there_in(desk, contest, 3) == people - {gone}
    desk.say(enter, contest, [gone])
    play_round(desk)
    assert there_in(desk, contest, 4) == people
    assert there_in(desk, contest, 3) == people - {gone}
    assert desk.state.played(contest)[order.key] == lost, "what they forfeited stays so"
    assert not desk.state.programme.classes[contest].contest.left
    assert desk.hall.restarted() == desk.state


def test_who_leaves_forfeits_a_match_of_an_earlier_round_that_is_played_again() -> None:
    desk = Desk(event("d", boards=2, rounds=4))
    desk.enter("d", 8)
    desk.say(draw_class, "d", "37")
    play_round(desk)
    play_round(desk)
    (again, *_) = [each for each in desk.state.drawn("d").fixtures if each.round == 1]
    desk.say(correct, again.key, None)
    desk.hall.tick()
    order = next(each for each in map(desk.state.order_of, (1, 2)) if each is not None)
    assert order.key.startswith("d-1-")
    gone = entrants_of(order.sides)[0]
    desk.say(withdraw, "d", gone)
    assert not [each for each in desk.state.still_open("d") if each.round == 1]
    play_round(desk)
    assert gone not in there_in(desk, "d", 3)


def test_a_withdrawal_of_rounds_ago_is_not_undone_they_come_again() -> None:
    desk = Desk(event("w", boards=4, rounds=5))
    desk.enter("w", 6)
    desk.say(draw_class, "w", "37")
    play_round(desk)
    desk.hall.tick(0)
    first = desk.state.programme.classes["w"].contest.entrants[0]
    desk.say(withdraw, "w", first)
    taken = len(desk.state.past)
    for _round in range(3):
        play_round(desk)
    with pytest.raises(CannotBe, match="enter them, or withdraw them, from now on"):
        desk.say(undo, taken)


def test_a_contest_with_too_few_left_for_a_round_goes_on_with_who_comes() -> None:
    desk = Desk(event("d", boards=2))
    people = desk.enter("d", 4)
    desk.say(draw_class, "d", "37")
    play_round(desk)
    desk.say(withdraw, "d", people[0])
    assert desk.state.is_over("d")
    desk.say(enter, "d", [people[0]])
    assert not desk.state.is_over("d")
    assert there_in(desk, "d", 2) == set(people)


@pytest.mark.parametrize(("contest", "may"), [("d", True), ("k", False), ("o", True)])
def test_the_desk_is_told_where_people_may_come_late(contest: str, *, may: bool) -> None:
    desk = Desk(event(contest, boards=1))
    desk.enter(contest, 8)
    desk.say(draw_class, contest, "37")
    desk.hall.tick()
    (told,) = classes_part(desk.state)
    assert (told["can"]["enter"] != "refused") == may


def test_of_drawn_partners_either_can_forfeit() -> None:
    desk = Desk(event("d"))
    desk.enter("d", 4)
    desk.say(draw_class, "d", "37")
    (fixture,) = desk.state.drawn("d").fixtures
    for each in entrants_of(fixture.sides):
        (entry,) = forfeit(desk.state, fixture.key, each, "desk")
        lost = fixture.sides[1 - entry.body["outcome"]["winner"]]
        assert isinstance(lost, int)
        assert each in members(lost)
