"""Entries as a function of the journal: whatever is done and undone, the same facts stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.values import changed
from jackspot_hub.desk.allowed import (
    TABLE,
    OrganiserAction,
    Stage,
    Verdict,
    judge,
    stage_of,
    stage_of_match,
)
from jackspot_hub.desk.entering import (
    check_in,
    draw_class,
    enter,
    merge,
    missing,
    register,
    reword,
    set_board,
    withdraw,
)
from jackspot_hub.desk.revising import (
    ChangedClass,
    ChangedPlace,
    ChangedResult,
    Preview,
    abandon,
    correct,
    forfeit,
    preview,
    undo,
    undo_draw,
)
from jackspot_hub.desk.state import (
    DeskEntry,
    DeskKind,
    DeskState,
    Entries,
    fold,
    folded,
    taken_back,
)
from jackspot_hub.desk.step import move
from jackspot_hub.event.entries import CannotBe, wrong_with_name
from jackspot_hub.event.fixtures import Awaited, Conflict, Outcome, entrants_of, members
from jackspot_hub.event.programme import Person, Programme
from jackspot_hub.event_file import BadEvent, programme_of
from jackspot_hub.web.actions import ACTIONS
from jackspot_hub.web.organising import classes_part
from tests.hub.allowed_page import PAGE, with_table
from tests.hub.halls import PlayedHall

FORMS: Mapping[str, Mapping[str, Any]] = {
    "g": {"format": "groups", "groups": 2, "upper": 1},
    "k": {"format": "knockout"},
    "w": {"format": "swiss", "rounds": 3},
    "a": {"format": "all"},
    "p": {"format": "double", "pairs": True},
    "d": {"format": "partners", "rounds": 3},
    "h": {"format": "threes", "rounds": 4},
    "o": {"format": "free"},
    "q": {"format": "knockout", "pairs": True},
    "s": {"format": "swiss", "rounds": 3, "pairs": True},
    "e": {"format": "double"},
}


def event(*contests: str, boards: int = 2, **more: Any) -> Programme:
    """Return an event whose classes are drawn by hand."""
    tables = [{"name": name, "draw": "later", **FORMS[name], **more} for name in contests]
    return programme_of({"name": "A", "hall": "a", "boards": boards, "contest": tables})


class Desk:
    """A desk to which people say things, with boards that play."""

    def __init__(self, programme: Programme, seed: int = 1) -> None:
        self.hall = PlayedHall(programme, Random(seed))

    @property
    def state(self) -> DeskState:
        return self.hall.desk

    def say(self, ask: Callable[..., Entries], *words: Any, **more: Any) -> None:
        """Let somebody ask for something, which is written down."""
        self.hall.write(ask(self.state, *words, "desk", **more))

    def people(self, count: int, **words: Any) -> list[int]:
        for _ in range(count):
            self.say(register, f"P{len(self.state.programme.people) + 1}", **words)
        return sorted(self.state.programme.people)[-count:]

    def enter(self, contest: str, count: int) -> list[int]:
        people = self.people(count)
        for each in people:
            self.say(enter, contest, [each])
        return people

    def play(self, board: int, lines: str = "! resign S\n") -> None:
        self.hall.sit_down(board)
        self.hall.result(board, lines)


def facts(desk: DeskState) -> DeskState:
    """Return a desk without how it came to be."""
    return changed(desk, past=(), seen={})


# --- whatever is done, in any order ---------------------------------------------------------


def some(desk: DeskState, random: Random) -> tuple[str, str, int]:
    """Return a contest, a match and somebody, without a look at what is possible."""
    contest = random.choice(list(desk.programme.classes))
    keys = [each.key for each in desk.drawn(contest).fixtures] or [f"{contest}-1-1"]
    return contest, random.choice(keys), random.choice(list(desk.programme.people) or [0])


def entered(desk: DeskState, random: Random) -> Entries:
    contest, _key, person = some(desk, random)
    people = random.sample(list(desk.programme.people), len(desk.programme.people))
    return enter(desk, contest, people[:2] if FORMS[contest].get("pairs") else [person], "d")


def corrected(desk: DeskState, random: Random) -> Entries:
    outcome = Outcome(random.choice((0, 1)), (random.randrange(9), 3))
    return correct(desk, some(desk, random)[1], random.choice((outcome, None)), "d")


def boarded(desk: DeskState, random: Random) -> Entries:
    kept = [some(desk, random)[0]] if random.random() < 0.3 else []
    number = random.choice((1, 2))
    return set_board(desk, number, "d", locked=random.random() < 0.3, kept_for=kept)


ASKED: Mapping[str, Callable[[DeskState, Random], Entries]] = {
    "register": lambda at, by: register(at, by.choice("ABCDEFG"), "d", club=by.choice("xyz")),
    "enter": entered,
    "check in": lambda at, by: check_in(at, some(at, by)[2], "d", there=by.random() < 0.8),
    "withdraw": lambda at, by: withdraw(at, some(at, by)[0], some(at, by)[2], "d"),
    "merge": lambda at, by: merge(at, some(at, by)[0], some(at, by)[0], "d"),
    "draw": lambda at, by: draw_class(at, some(at, by)[0], str(by.randrange(9)), "d"),
    "undo the draw": lambda at, by: undo_draw(at, some(at, by)[0], "d"),
    "correct": corrected,
    "forfeit": lambda at, by: forfeit(at, some(at, by)[1], some(at, by)[2], "d"),
    "abandon": lambda at, by: abandon(at, some(at, by)[1], "d"),
    "board": boarded,
    "move": lambda at, by: move(at, by.choice((1, 2)), by.choice((1, 2, 3))),
    "reword": lambda at, by: reword(at, Person(some(at, by)[2], "C", "シー", "z"), "d"),
    "undo": lambda at, by: undo(at, by.randrange(len(at.past) + 2), "d"),
}
"""What people ask for, by chance."""
STEPS = (*ASKED, "tick", "play")


def mirrored(
    seen: Preview,
) -> tuple[tuple[ChangedClass, ...], tuple[ChangedPlace, ...]]:
    """Return the classes and places of a preview as they change the other way."""
    classes = sorted(
        (changed(each, before=each.after, after=each.before, was_drawn=each.is_drawn,
                 is_drawn=each.was_drawn) for each in seen.classes),
        key=lambda each: each.contest,
    )  # fmt: skip
    places = (changed(each, before=each.after, after=each.before) for each in seen.places)
    return tuple(classes), tuple(places)


def take(desk: Desk, step: str, random: Random) -> None:
    """Take a step, or be refused; one step that is taken back leaves what was before."""
    if step == "tick":
        desk.hall.tick()
    elif step == "play":
        for board in list(desk.state.open_orders):
            desk.play(board, random.choice(("! resign N\n", "! resign S\n")))
    else:
        before = desk.state
        try:
            entries = ASKED[step](before, random)
        except CannotBe:
            return
        seen = preview(before, entries)
        desk.hall.write(entries)
        if entries[0].kind is not DeskKind.ORDERED:
            (back,) = undo(desk.state, len(desk.state.past), "d")
            assert mirrored(preview(desk.state, (back,))) == (seen.classes, seen.places)
            assert facts(fold(desk.state, back.kind, back.body, 0)) == facts(before)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=60), st.integers())
def test_whatever_is_said_in_any_order_the_facts_that_stand_are_all_that_counts(
    steps: list[str], seed: int
) -> None:
    random = Random(seed)
    desk = Desk(event(*random.sample(sorted(FORMS), 3), boards=3), seed)
    begun = [*("register",) * 8, *("enter",) * 16, *("draw", "tick") * random.randrange(5)]
    for step in (*begun, *steps):
        take(desk, step, random)
        state = desk.state
        at_boards = Counter(
            each for number in state.open_orders.values()
            for each in state.programme.classes[state.orders[number].contest].of(
                *state.orders[number].sides)
        )  # fmt: skip
        assert set(at_boards.values()) <= {1}, "somebody is at two boards"
        called = {each.contest for each in state.orders.values()}
        assert all(state.programme.classes[each].is_drawn for each in called)
    assert desk.hall.restarted() == desk.state
    gone = taken_back(desk.state.past)
    stands = [
        (each.entry.kind, each.entry.body, each.wall_ms) for each in desk.state.past
        if each.seq not in gone and each.entry.kind is not DeskKind.UNDONE
    ]  # fmt: skip
    assert facts(folded(desk.hall.event, stands)) == facts(desk.state)


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 9), st.integers(), st.sampled_from(["g", "k", "w", "a"]))
def test_entries_in_any_order_with_mistakes_give_the_same_draw_as_entered_right_at_once(
    count: int, seed: int, contest: str
) -> None:
    random = Random(seed)
    right, wrong = Desk(event(contest, "p")), Desk(event(contest, "p"))
    for desk in (right, wrong):
        desk.people(count, club="x")
    numbers = list(right.state.programme.people)
    stays = sorted(random.sample(numbers, random.randrange(4, count + 1)))
    for each in stays:
        right.say(enter, contest, [each])
        right.say(check_in, each)
    random.shuffle(numbers)
    for each in numbers:
        enter_with_mistakes(wrong, contest, each, random, stays=each in stays)
    wrong.say(draw_class, contest, "other")
    wrong.say(undo, len(wrong.state.past))
    for desk in (right, wrong):
        desk.say(draw_class, contest, "2026")
    keys = [each.key for each in right.state.drawn(contest).fixtures if each.is_ready]
    outcomes = {key: Outcome(random.choice((0, 1)), (5, 3)) for key in keys}
    for key, outcome in outcomes.items():
        right.say(correct, key, outcome)
    for key in random.sample(keys, len(keys)):
        if random.random() < 0.3:
            wrong.say(correct, key, Outcome(None))
        if random.random() < 0.3:
            wrong.say(undo, len(wrong.state.past))
            wrong.say(undo, len(wrong.state.past))
        wrong.say(correct, key, outcomes[key])
    assert facts(wrong.state) == facts(right.state)
    assert wrong.state.drawn(contest) == right.state.drawn(contest)


def enter_with_mistakes(
    desk: Desk, contest: str, person: int, random: Random, *, stays: bool
) -> None:
    desk.say(enter, contest, [person])
    if random.random() < 0.5:
        desk.say(undo, len(desk.state.past))
        desk.say(enter, contest, [person])
    desk.say(check_in, person)
    if not stays:
        desk.say(check_in, person, there=False)
        desk.say(withdraw, contest, person)


# --- one by one ------------------------------------------------------------------------------


def test_two_of_one_name_are_two_people_and_meet_each_other() -> None:
    desk = Desk(event("k"))
    for club in ("Otsu", "Kyoto"):
        desk.say(register, "Aiko", club=club, kana="あいこ", born=1984)
    for each in (1, 2):
        desk.say(enter, "k", [each])
    desk.say(draw_class, "k", "37")
    desk.hall.tick()
    (order,) = desk.state.orders.values()
    assert set(order.sides) == {1, 2}
    assert order.header.count("Aiko") == 2


def test_nothing_of_a_class_is_due_until_it_is_drawn_by_the_seed_that_is_shown() -> None:
    desk = Desk(event("a"))
    desk.enter("a", 4)
    desk.hall.tick()
    assert not desk.state.orders
    assert not desk.state.is_over("a")
    desk.say(draw_class, "a", "37", seeded=[3])
    whole = desk.state.programme.classes["a"].contest
    assert (whole.seed, whole.entrants[0]) == ("37", 3)
    desk.hall.tick()
    assert len(desk.state.orders) == 2


def test_those_whom_the_file_names_are_seeded_and_clubs_are_kept_apart() -> None:
    programme = programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [
        {"name": "g", **FORMS["g"], "draw": "later", "entrants": ["Aiko", "Ben"]},
    ]})  # fmt: skip
    desk = Desk(programme)
    for each in (*desk.people(1, club="x"), *desk.people(1, club="y"), *desk.people(2, club="x")):
        desk.say(enter, "g", [each])
    desk.say(draw_class, "g", "37")
    whole = desk.state.programme.classes["g"].contest
    assert whole.entrants[:2] == (1, 2)
    assert whole.kept_apart == {3: "x", 4: "y", 5: "x", 6: "x"}
    desk.say(reword, Person(4, "P", club="x"))
    assert desk.state.programme.classes["g"].contest == whole


def test_groups_can_be_as_many_as_have_come() -> None:
    desk = Desk(event("g"))
    desk.enter("g", 6)
    desk.say(draw_class, "g", "37", groups=3)
    assert set(desk.state.drawn("g").tables) == {"g-A", "g-B", "g-C"}


def file_drawn() -> Desk:
    """Return two groups that the event's file draws."""
    return Desk(programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [
        {"name": "g", **FORMS["g"], "entrants": ["Aiko", "Ben", "Chie", "Dirk", "Emi", "Goro"]},
    ]}))  # fmt: skip


def test_a_draw_of_the_file_is_undone_and_drawn_anew_in_other_groups_with_who_is_left() -> None:
    desk = file_drawn()
    begun = facts(desk.state)
    (told,) = classes_part(desk.state)
    assert (told["can"]["undraw"], told["groups"], told["stage"]) == ("allowed", 2, "next")
    desk.say(withdraw, "g", 2)
    desk.say(undo_draw, "g")
    assert not desk.state.drawn("g").fixtures
    desk.enter("g", 1)
    desk.say(draw_class, "g", "37", groups=3)
    assert set(desk.state.drawn("g").tables) == {"g-A", "g-B", "g-C"}
    assert set(desk.state.programme.classes["g"].people) == {1, 3, 4, 5, 6, 7}
    assert desk.hall.restarted() == desk.state
    with pytest.raises(CannotBe, match="take that back first"):
        desk.say(undo, 2)
    desk.say(undo_draw, "g")
    desk.say(draw_class, "g", "37")
    assert set(desk.state.drawn("g").tables) == {"g-A", "g-B"}, "as many as the file says"
    for seq in (7, 4, 3, 2, 1):
        desk.say(undo, seq)
    assert facts(desk.state) == begun


def test_a_draw_of_which_something_was_called_is_not_undone() -> None:
    desk = file_drawn()
    desk.hall.tick()
    assert classes_part(desk.state)[0]["can"]["undraw"] == "refused"
    with pytest.raises(CannotBe, match="g: matches were called: it stays drawn as it is"):
        desk.say(undo_draw, "g")


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


def test_nobody_is_reworded_into_somebody_else() -> None:
    desk = Desk(event("k"))
    for club in ("X", "Y"):
        desk.say(register, "Ann", club=club)
    desk.say(register, "Bob")
    with pytest.raises(CannotBe, match="Ann is registered already, as number 1; somebody else"):
        reword(desk.state, Person(3, "Ann", club="X"), "desk")
    desk.say(reword, Person(3, "Ann", club="Z"))
    desk.say(reword, Person(1, "Ann", kana="あん", club="X"))


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


def test_classes_are_merged_and_who_is_in_both_is_in_once() -> None:
    desk = Desk(event("k", "a"))
    both, other = desk.enter("k", 2)
    desk.say(enter, "a", [both])
    (third,) = desk.enter("a", 1)
    desk.say(merge, "k", "a")
    assert desk.state.programme.classes["k"].contest.entrants == (both, other, third)
    assert list(desk.state.programme.classes) == ["k"]


def test_a_pair_that_is_in_both_classes_is_merged_whichever_of_them_is_named_first() -> None:
    desk = Desk(event("p", "q"))
    one, two, three, four = desk.people(4)
    for contest, pair in (("p", [one, two]), ("q", [two, one]), ("q", [three, four])):
        desk.say(enter, contest, pair)
    desk.say(merge, "p", "q")
    assert desk.state.programme.classes["p"].people == {one: (one, two), three: (three, four)}
    desk.say(draw_class, "p", "37")
    assert len(desk.state.drawn("p").fixtures) > 0


def test_boards_that_are_kept_for_a_class_are_kept_for_the_one_that_it_is_merged_into() -> None:
    desk = Desk(event("k", "a"))
    desk.enter("k", 2)
    desk.enter("a", 2)
    desk.say(set_board, 1, locked=True)
    desk.say(set_board, 2, kept_for=["a"])
    desk.say(merge, "k", "a")
    desk.say(draw_class, "k", "37")
    desk.hall.tick()
    assert [each.board for each in desk.state.orders.values()] == [2]


def test_a_draw_right_after_a_merger_asks_about_those_whom_nobody_has_seen_missing() -> None:
    desk = Desk(event("k", "a"))
    for each in desk.enter("k", 2):
        desk.say(check_in, each)
    late, _other = desk.enter("a", 2)
    desk.say(merge, "k", "a")
    asked = {"contest": "k", "seed": "37", "missing": [late]}
    with pytest.raises(CannotBe, match="k: P4: not here either, as it stands now"):
        ACTIONS["draw"](desk.state, said=asked, by="desk")
    assert ACTIONS["draw"](desk.state, said={**asked, "missing": list(missing(desk.state, "k"))},
                           by="desk")  # fmt: skip


# --- pairs that come late ---------------------------------------------------------------------


def ask(desk: Desk, action: str, **said: Any) -> None:
    """Ask for something as a page does."""
    desk.hall.write(ACTIONS[action](desk.state, said=said, by="desk"))


@pytest.mark.parametrize("known", [(), ("Aiko",), ("Ben",), ("Aiko", "Ben")])
@pytest.mark.parametrize("drawn", [False, True])
def test_a_pair_is_entered_as_a_person_is_whichever_of_them_is_known(
    known: tuple[str, ...], *, drawn: bool
) -> None:
    desk = Desk(event("s", "k"))
    people = desk.people(4)
    for pair in (people[:2], people[2:]):
        desk.say(enter, "s", pair)
    if drawn:
        desk.say(draw_class, "s", "37")
        desk.hall.tick()
    for name in known:
        desk.say(register, name, club="Otsu")
    ask(desk, "register", name="Aiko", contests=["s", "k"], partner={"name": "Ben", "born": None})
    programme = desk.state.programme
    number = {each.name: at for at, each in programme.people.items()}
    assert len(number) == 6
    one = number["Aiko"]
    assert programme.classes["s"].people[one] == (one, number["Ben"])
    assert list(programme.classes["k"].people) == [one], "that is played alone"


def test_a_partner_who_is_new_is_entered_on_the_sheet_of_who_is_known() -> None:
    desk = Desk(event("s"))
    (one,) = desk.people(1)
    ask(desk, "enter", contest="s", people=[one], partner={"name": "Ben", "born": 1984})
    assert desk.state.programme.classes["s"].people == {one: (one, 2)}
    assert desk.state.programme.people[2] == Person(2, "Ben", born=1984)


def test_of_two_people_of_one_name_a_partner_is_said_by_club_or_year_of_birth() -> None:
    desk = Desk(event("s"))
    desk.people(1)
    for club in ("Otsu", "Kyoto"):
        desk.say(register, "Aiko", club=club)
    with pytest.raises(CannotBe, match="there are 2 people named 'Aiko': say which"):
        ask(desk, "enter", contest="s", people=[1], partner={"name": "Aiko"})
    with pytest.raises(CannotBe, match="s: expected two people to enter, found 1"):
        ask(desk, "enter", contest="s", people=[1])
    ask(desk, "enter", contest="s", people=[1], partner={"name": "Aiko", "club": "Kyoto"})
    assert desk.state.programme.classes["s"].people == {1: (1, 3)}


def test_who_is_missing_is_told_by_number() -> None:
    desk = Desk(event("k"))
    one, two = desk.enter("k", 2)
    desk.say(check_in, one)
    assert missing(desk.state, "k") == (two,)


def test_a_locked_board_gets_nothing_and_one_is_kept_for_its_contest() -> None:
    desk = Desk(event("k", "a"))
    for contest in ("k", "a"):
        desk.enter(contest, 2)
        desk.say(draw_class, contest, "37")
    desk.say(set_board, 1, locked=True)
    desk.say(set_board, 2, kept_for=["k"])
    desk.hall.tick()
    assert {each.board: each.contest for each in desk.state.orders.values()} == {2: "k"}
    desk.say(undo, len(desk.state.past) - 2)
    desk.hall.tick()
    assert {each.board: each.contest for each in desk.state.orders.values()} == {2: "k", 1: "a"}


def test_who_does_not_fit_by_age_is_refused_unless_somebody_says_why() -> None:
    desk = Desk(event("a", born=[2000, 2010]))
    for born in (1999, 2000, 2010, 2011, None):
        desk.say(register, f"Born {born}", born=born)
    for fits in (2, 3):
        desk.say(enter, "a", [fits], forced="not needed")
        assert desk.hall.entries[-1][0].body["forced"] is None
    for unfit, says in ((1, "found 1999"), (4, "found 2011"), (5, "the year is not known")):
        with pytest.raises(CannotBe, match=says):
            desk.say(enter, "a", [unfit])
    desk.say(enter, "a", [1], forced="the referee's daughter")
    assert desk.hall.entries[-1][0].body["forced"] == "the referee's daughter"


@pytest.mark.parametrize(
    ("known", "new", "same"),
    [
        ({}, {}, True),
        ({"club": "x"}, {}, True),
        ({"born": 2001}, {"club": ""}, True),
        ({"club": "x", "born": 2001}, {"born": 2001}, True),
        ({}, {"club": "x"}, False),
        ({"born": 2001}, {"born": 2002}, False),
        ({"club": "x"}, {"club": "y"}, False),
    ],
)
def test_nobody_is_registered_twice_and_two_of_one_name_are_told_apart(
    known: dict[str, Any], new: dict[str, Any], same: bool
) -> None:
    desk = Desk(event("a"))
    desk.say(register, "Lena", **known)
    if same:
        with pytest.raises(CannotBe, match=r"Lena is registered already, as number 1"):
            desk.say(register, "Lena", **new)
    else:
        desk.say(register, "Lena", **new)
    assert len(desk.state.programme.people) == 2 - same


def test_who_does_not_fit_by_age_is_not_taken_in_from_another_class_unless_somebody_says_why() -> (
    None
):
    desk = Desk(programme_of({"name": "A", "hall": "a", "boards": 2, "contest": [
        {"name": "young", "draw": "later", "format": "all", "born": [2010, 0]},
        {"name": "all", "draw": "later", "format": "all"},
    ]}))  # fmt: skip
    for name, born in (("Lena", 2011), ("Otto", 1950)):
        desk.say(register, name, born=born)
        desk.say(enter, "all", [len(desk.state.programme.people)])
    with pytest.raises(CannotBe, match=r"young: Otto: .*found 1950; say why"):
        desk.say(merge, "young", "all")
    desk.say(merge, "young", "all", forced="too few")
    assert desk.hall.entries[-1][0].body["forced"] == "too few"
    assert len(desk.state.programme.classes["young"].people) == 2


def test_a_match_is_forfeited_or_abandoned_by_hand() -> None:
    desk = Desk(event("a"))
    desk.enter("a", 3)
    desk.say(draw_class, "a", "37")
    desk.hall.tick()
    (order,) = desk.state.orders.values()
    desk.say(abandon, order.key)
    assert not desk.state.open_orders
    assert desk.state.results["a"][order.key].outcome == Outcome(None)
    key = next(e.key for e in desk.state.drawn("a").fixtures if e.key != order.key)
    loser = next(e.sides[1] for e in desk.state.drawn("a").fixtures if e.key == key)
    desk.say(forfeit, key, loser)
    assert desk.state.results["a"][key].outcome == Outcome(0, forfeit=True)


def test_a_preview_says_which_matches_conflicts_and_places_would_change() -> None:
    desk = Desk(event("g", boards=4))
    desk.enter("g", 4)
    desk.say(draw_class, "g", "37")
    a, b = (next(e for e in desk.state.drawn("g").fixtures if e.key == key)
            for key in ("g-A-1-1", "g-B-1-1"))  # fmt: skip
    for each in (a, b):
        desk.say(correct, each.key, Outcome(0, (5, 1)))
    wrong = correct(desk.state, a.key, Outcome(1, (1, 5)), "desk")
    seen = preview(desk.state, wrong)
    assert seen.matches == ("g-ko-1-1",)
    assert not seen.conflicts
    one, two = a.sides
    assert isinstance(one, int)
    assert isinstance(two, int)
    assert set(seen.places) == {ChangedPlace("g-A", one, 1, 2), ChangedPlace("g-A", two, 2, 1)}
    desk.say(correct, "g-ko-1-1", Outcome(0, (5, 1)))
    (conflict,) = preview(desk.state, wrong).conflicts
    assert isinstance(conflict, Conflict)
    assert conflict.key == "g-ko-1-1"
    assert preview(desk.state, ()) == preview(desk.state, []) == Preview()
    seen = preview(desk.state, undo(desk.state, len(desk.state.past), "desk"))
    assert (seen.matches, seen.reopened) == ((), ("g-ko-1-1",))


def test_a_preview_says_who_comes_first_and_whether_a_class_stays_over() -> None:
    desk = Desk(event("e", "k", boards=4))
    for name in ("e", "k"):
        desk.enter(name, 2)
        desk.say(draw_class, name, "37")
    (only,) = desk.state.drawn("k").fixtures
    one, two = (desk.state.programme.names("k", n)[0] for n in entrants_of(only.sides))
    win, loss = (correct(desk.state, "k-1-1", Outcome(n, (n, 1 - n)), "desk") for n in (0, 1))
    assert preview(desk.state, win).results == (
        ChangedResult("k", "k", False, True, (), (one,), 2),
    )  # fmt: skip
    desk.say(correct, "k-1-1", Outcome(0, (5, 1)))
    assert preview(desk.state, loss).results == (
        ChangedResult("k", "k", True, True, (one,), (two,), 2),
    )  # fmt: skip
    assert preview(desk.state, correct(desk.state, "k-1-1", None, "desk")).results == (
        ChangedResult("k", "k", True, False, (one,), (), 2),
    )  # fmt: skip
    assert preview(desk.state, undo(desk.state, len(desk.state.past), "desk")).results
    desk.say(correct, "e-upper-1-1", Outcome(0, (5, 1)))
    desk.say(correct, "e-final", Outcome(0, (5, 1)))
    assert desk.state.is_over("e")
    (seen,) = preview(
        desk.state, correct(desk.state, "e-final", Outcome(1, (1, 5)), "desk")
    ).results
    assert (seen.contest, seen.was_over, seen.is_over) == ("e", True, False), "a second final"


def test_a_preview_says_what_becomes_of_classes_and_matches_when_a_step_is_taken_back() -> None:
    desk = Desk(event("g", "k", boards=4))
    desk.enter("g", 4)
    desk.enter("k", 2)
    desk.say(merge, "g", "k")
    undo_merger = undo(desk.state, len(desk.state.past), "desk")
    assert preview(desk.state, undo_merger) == Preview(classes=(
        ChangedClass("g", "g", 6, 4, False, False), ChangedClass("k", "k", None, 2, False, False),
    ))  # fmt: skip
    desk.say(draw_class, "g", "37")
    undo_draw = undo(desk.state, len(desk.state.past), "desk")
    (changed,) = preview(desk.state, undo_draw).classes
    assert changed == ChangedClass("g", "g", 6, 6, True, False)
    assert len(preview(desk.state, undo_draw).matches) == len(desk.state.drawn("g").fixtures)
    two = next(e.sides[1] for e in desk.state.drawn("g").fixtures if e.key == "g-A-1-1")
    desk.say(withdraw, "g", two)
    seen = preview(desk.state, undo(desk.state, len(desk.state.past), "desk"))
    assert seen.classes == (ChangedClass("g", "g", 5, 6, True, True),)
    assert seen.reopened == ("g-A-1-1", *(
        each.key for each in desk.state.drawn("g").fixtures
        if two in each.sides and each.key != "g-A-1-1"
    ))  # fmt: skip


def test_a_preview_says_what_becomes_of_the_next_round_when_a_late_entry_is_taken_back() -> None:
    desk = Desk(event("w", boards=4))
    desk.enter("w", 4)
    desk.say(draw_class, "w", "37")
    desk.enter("w", 1)
    seen = preview(desk.state, undo(desk.state, len(desk.state.past), "desk"))
    assert seen.classes == (ChangedClass("w", "w", 5, 4, True, True),)
    assert {each.after for each in seen.places if each.entrant == 5} == {None}


def test_an_undo_can_be_taken_back_and_stands_with_who_and_when() -> None:
    desk = Desk(event("k"))
    desk.enter("k", 2)
    before = facts(desk.state)
    desk.hall.now_ms = 77
    desk.say(undo, 4)
    assert len(desk.state.programme.classes["k"].people) == 1
    desk.say(undo, 5)
    assert facts(desk.state) == before
    assert desk.state.past[4].entry == DeskEntry(DeskKind.UNDONE, {"entry": 4, "by": "desk"})
    assert desk.state.past[4].wall_ms == 77


def test_partners_are_not_drawn_for_fewer_than_a_board_takes() -> None:
    desk = Desk(event("d"))
    desk.enter("d", 3)
    with pytest.raises(CannotBe, match="d: expected 4 entrants or more, found 3"):
        desk.say(draw_class, "d", "37")
    desk.enter("d", 1)
    desk.say(draw_class, "d", "37")
    assert desk.state.drawn("d").fixtures


def called() -> Desk:
    """A knockout of four, drawn, of which one match is called; entry 9 drew it."""
    desk = Desk(event("k", "a", boards=1))
    desk.enter("k", 4)
    desk.say(draw_class, "k", "37")
    desk.hall.tick()
    return desk


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda at: undo(at, 99, "d"), "there is no entry 99: the last one is 10"),
        (lambda at: undo(at, 0, "d"), "there is no entry 0"),
        (lambda at: undo(at, 10, "d"), "correct the match"),
        (lambda at: undo(at, 9, "d"), "k: matches were called"),
        (lambda at: undo(at, 1, "d"), r"entry 5 \(entered\) does not fit: there is nobody with"),
        (lambda at: undo(at, 8, "d"), "cannot be taken back|drawn otherwise"),
        (lambda at: enter(at, "k", [1], "d"), "only rounds and free play take late entries"),
        (lambda at: enter(at, "x", [1], "d"), "no contest 'x'; there are a, k"),
        (lambda at: enter(at, "a", [9], "d"), "nobody with number 9"),
        (lambda at: enter(at, "a", [1, 2], "d"), "expected one person to enter, found 2"),
        (lambda at: withdraw(at, "a", 1, "d"), "number 1 is not entered"),
        (lambda at: merge(at, "a", "k", "d"), "k: matches were called"),
        (lambda at: merge(at, "a", "a", "d"), "expected another class"),
        (lambda at: draw_class(at, "k", "1", "d"), "matches were called"),
        (lambda at: draw_class(at, "a", "1", "d"), "expected 2 entrants or more, found 0"),
        (lambda at: set_board(at, 7, "d"), "there is no board 7"),
        (lambda at: set_board(at, 1, "d", kept_for=["x"]), "no contest 'x'"),
        (lambda at: check_in(at, 9, "d"), "nobody with number 9"),
        (lambda at: register(at, "A\tB", "d"), "64 characters in one line"),
        (lambda at: register(at, "", "d"), "name: expected one"),
        (lambda at: register(at, "A", "d", club="x" * 65), "at most 64 characters"),
        (lambda at: register(at, "A", "d", born=84), "a year such as 1984, found 84"),
        (lambda at: reword(at, Person(9, "A"), "d"), "nobody with number 9"),
        (lambda at: forfeit(at, "k-1-1", 9, "d"), "number 9 does not play in it"),
        (lambda at: forfeit(at, "k-2-1", 1, "d"), "not settled who meets in it"),
        (lambda at: abandon(at, "k-1-2", "d"), "nobody was called to it"),
        (lambda at: correct(at, "k-1-2", None, "d"), "still to be played"),
    ],
)
def test_what_cannot_be_says_why_and_what_can(
    ask: Callable[[DeskState], Entries], says: str
) -> None:
    with pytest.raises(CannotBe, match=says):
        ask(called().state)


@pytest.mark.parametrize("groups", [0, 3])
def test_a_draw_that_its_format_does_not_fit_is_refused(groups: int) -> None:
    desk = Desk(event("g"))
    desk.enter("g", 4)
    with pytest.raises(CannotBe, match="groups: expected 1 to 2, of 2 or more each"):
        desk.say(draw_class, "g", "1", groups=groups)


def test_nobody_comes_to_two_boards_by_an_undo() -> None:
    """The match that was taken back is called again, and one of its people plays elsewhere."""
    desk = Desk(event("a", boards=2))
    desk.enter("a", 3)
    desk.say(draw_class, "a", "37")
    desk.hall.tick()
    (order,) = desk.state.orders.values()
    desk.say(set_board, order.board, locked=True)
    desk.say(correct, order.key, Outcome(0))
    taken = len(desk.state.past)
    desk.hall.tick()
    assert len(desk.state.open_orders) == 1
    with pytest.raises(CannotBe, match="would be at two boards"):
        desk.say(undo, taken)


# --- what is allowed when --------------------------------------------------------------------


def test_the_page_shows_the_table_and_has_every_kind_of_entry() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page), "python -m tests.hub.allowed_page"
    kinds = page.partition("| entry |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", kinds, re.MULTILINE) == list(DeskKind)


@pytest.mark.parametrize("action", OrganiserAction)
def test_each_action_has_an_answer_for_each_stage_that_its_class_or_match_can_be_in(
    action: OrganiserAction,
) -> None:
    of_match = Stage.LATER in TABLE[action]
    assert set(Stage) - set(TABLE[action]) == {Stage.BEFORE if of_match else Stage.LATER}
    for judged in TABLE[action].values():
        assert bool(judged.why) == (judged.verdict is not Verdict.ALLOWED)


def test_a_class_and_its_matches_go_through_their_stages() -> None:
    desk = Desk(event("k", boards=2))
    stages = [stage_of(desk.state, "k")]
    desk.enter("k", 4)
    desk.say(draw_class, "k", "37")
    stages.append(stage_of(desk.state, "k"))
    at = desk.state.drawn("k").fixtures
    assert [stage_of_match(desk.state, each.key) for each in at] == [
        Stage.NEXT, Stage.NEXT, Stage.LATER, Stage.LATER,
    ]  # fmt: skip
    desk.hall.tick()
    stages.append(stage_of(desk.state, "k"))
    assert judge(desk.state, OrganiserAction.ABANDON, at[0].key).verdict is Verdict.WARNED
    for _ in range(2):
        for board in list(desk.state.open_orders):
            desk.play(board)
        desk.hall.tick()
    stages.append(stage_of(desk.state, "k"))
    assert stages == [Stage.BEFORE, Stage.NEXT, Stage.RUNNING, Stage.PAST]
    with pytest.raises(CannotBe, match="there is no match 'k-9-9' in k"):
        judge(desk.state, OrganiserAction.CORRECT, "k-9-9")


def test_who_is_awaited_stands_in_no_standing_before_the_draw() -> None:
    desk = Desk(event("g"))
    assert (desk.state.drawn("g").fixtures, desk.state.played("g")) == ((), {})
    desk.enter("g", 4)
    desk.say(draw_class, "g", "1")
    final = desk.state.drawn("g").fixtures[-1]
    assert final.sides == (Awaited("g-A", 1), Awaited("g-B", 1))


@pytest.mark.parametrize("name", ["A\u0301" * 3, "नमस्ते", "ที่นี่", "Müller\u0301"])
def test_a_name_with_the_marks_of_its_language_is_one(name: str) -> None:
    assert wrong_with_name(name) == ""


@pytest.mark.parametrize("name", ["Z" + "\u0301" * 20, "e" + "\u0335\u0336" * 3, "\u0300" * 6])
def test_a_name_with_marks_piled_up_is_refused_wherever_it_is_entered(name: str) -> None:
    contest = {"name": "s", "format": "knockout", "entrants": ["Ann", "Ben"]}
    said = {"name": "A", "hall": "a", "boards": 1, "contest": [contest]}
    desk = DeskState(programme_of(said))
    with pytest.raises(CannotBe, match="name: expected at most 5 marks on a letter"):
        register(desk, name, "desk")
    with pytest.raises(BadEvent, match="expected at most 5 marks on a letter"):
        programme_of({**said, "contest": [{**contest, "entrants": [name, "Ben"]}]})
