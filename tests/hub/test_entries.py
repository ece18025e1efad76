"""Entries as a function of the journal: whatever is done and undone, the same facts remain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.values import changed
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
    Preview,
    abandon,
    correct,
    forfeit,
    preview,
    undo,
    undo_draw,
)
from jackspot_hub.desk.state import DeskKind, DeskState, Entries, fold, folded, taken_back
from jackspot_hub.desk.step import move
from jackspot_hub.event.entries import CannotBe, wrong_with_name
from jackspot_hub.event.fixtures import Awaited, Outcome
from jackspot_hub.event.programme import Person
from jackspot_hub.event_file import BadEvent, programme_of
from jackspot_hub.web.actions import ACTIONS
from jackspot_hub.web.organising import classes_part
from tests.hub.entered import FORMS, Desk, called, event, facts


def some(desk: DeskState, random: Random) -> tuple[str, str, int]:
    """Return any contest, match and person, without regard to what is possible."""
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
"""What people ask for, at random."""


STEPS = (*ASKED, "tick", "play")


def mirrored(
    seen: Preview,
) -> tuple[tuple[ChangedClass, ...], tuple[ChangedPlace, ...]]:
    """Return the classes and places of a preview with their changes reversed."""
    classes = sorted(
        (changed(each, before=each.after, after=each.before, was_drawn=each.is_drawn,
                 is_drawn=each.was_drawn) for each in seen.classes),
        key=lambda each: each.contest,
    )  # fmt: skip
    places = (changed(each, before=each.after, after=each.before) for each in seen.places)
    return tuple(classes), tuple(places)


def take(desk: Desk, step: str, random: Random) -> None:
    """Take a step, unless it is refused; check that undoing it restores what was before."""
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
        (DeskKind.CORRECTED, body["stands"], each.wall_ms) if "stands" in body
        else (each.entry.kind, body, each.wall_ms)
        for each in desk.state.past if each.seq not in gone
        if "stands" in (body := each.entry.body) or each.entry.kind is not DeskKind.UNDONE
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
    """Return a desk with two groups drawn by the event's file."""
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


def test_nobody_is_reworded_into_somebody_else() -> None:
    desk = Desk(event("k"))
    for club in ("X", "Y"):
        desk.say(register, "Ann", club=club)
    desk.say(register, "Bob")
    with pytest.raises(CannotBe, match="Ann is registered already, as number 1; someone else"):
        reword(desk.state, Person(3, "Ann", club="X"), "desk")
    desk.say(reword, Person(3, "Ann", club="Z"))
    desk.say(reword, Person(1, "Ann", kana="あん", club="X"))


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
    for unfit, says in ((1, "born in 1999"), (4, "born in 2011"), (5, "is not known")):
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
    with pytest.raises(CannotBe, match=r"Otto was born in 1950; say why"):
        desk.say(merge, "young", "all")
    desk.say(merge, "young", "all", forced="too few")
    assert desk.hall.entries[-1][0].body["forced"] == "too few"
    assert len(desk.state.programme.classes["young"].people) == 2


def test_partners_are_not_drawn_for_fewer_than_a_board_takes() -> None:
    desk = Desk(event("d"))
    desk.enter("d", 3)
    with pytest.raises(CannotBe, match="d: expected 4 entrants or more, found 3"):
        desk.say(draw_class, "d", "37")
    desk.enter("d", 1)
    desk.say(draw_class, "d", "37")
    assert desk.state.drawn("d").fixtures


def test_who_is_awaited_stands_in_no_standing_before_the_draw() -> None:
    desk = Desk(event("g"))
    assert (desk.state.drawn("g").fixtures, desk.state.played("g")) == ((), {})
    desk.enter("g", 4)
    desk.say(draw_class, "g", "1")
    final = desk.state.drawn("g").fixtures[-1]
    assert final.sides == (Awaited("g-A", 1), Awaited("g-B", 1))


@pytest.mark.parametrize("name", ["A\u0301" * 3, "नमस्ते", "ที่นี่", "Müller\u0301"])
def test_a_name_with_the_marks_of_its_language_is_one(name: str) -> None:
    assert wrong_with_name(name) is None


@pytest.mark.parametrize("name", ["Z" + "\u0301" * 20, "e" + "\u0335\u0336" * 3, "\u0300" * 6])
def test_a_name_with_marks_piled_up_is_refused_wherever_it_is_entered(name: str) -> None:
    contest = {"name": "s", "format": "knockout", "entrants": ["Ann", "Ben"]}
    said = {"name": "A", "hall": "a", "boards": 1, "contest": [contest]}
    desk = DeskState(programme_of(said))
    with pytest.raises(CannotBe, match="name: expected at most 5 marks on a letter"):
        register(desk, name, "desk")
    with pytest.raises(BadEvent, match="expected at most 5 marks on a letter"):
        programme_of({**said, "contest": [{**contest, "entrants": [name, "Ben"]}]})


BY_BOARD = Outcome(0, (4, 2), (2, 1), by_jack=True)


@pytest.mark.parametrize(
    ("before", "said", "stands"),
    [
        (BY_BOARD, {}, BY_BOARD),
        (BY_BOARD, {"points": [5, 2]}, Outcome(0, (5, 2), (2, 1), by_jack=True)),
        (BY_BOARD, {"jack": False}, Outcome(0, (4, 2), (2, 1))),
        (BY_BOARD, {"winner": 1}, Outcome(1, (4, 2))),
        (BY_BOARD, {"winner": 1, "jack": True}, Outcome(1, (4, 2), by_jack=True)),
        (BY_BOARD, {"winner": None, "jack": True}, Outcome(None, (4, 2))),
        (BY_BOARD, {"forfeit": True, "jack": True}, Outcome(0, forfeit=True)),
        (Outcome(0, (4, 2), (2, 1)), {"jack": True}, BY_BOARD),
        (Outcome(None, (4, 2), (1, 1)), {"winner": None}, Outcome(None, (4, 2), (1, 1))),
        (Outcome(0, forfeit=True), {}, Outcome(0, (4, 2))),
        (None, {"jack": True}, Outcome(0, (4, 2), by_jack=True)),
        (None, {}, Outcome(0, (4, 2))),
    ],
)
def test_what_a_correction_leaves_unsaid_stays_if_the_same_side_had_won(
    before: Outcome | None, said: dict[str, Any], stands: Outcome
) -> None:
    desk = called()
    (order,) = desk.state.orders.values()
    if before is not None:
        desk.say(correct, order.key, before)
    whole = {"key": order.key, "winner": 0, "points": [4, 2], **said}
    desk.hall.write(ACTIONS["correct"](desk.state, said=whole, by="desk"))
    assert desk.state.results["k"][order.key].outcome == stands


def test_a_correction_of_the_points_leaves_who_is_before_whom_by_the_jack() -> None:
    desk = Desk(event("a", tie_breaks=["wins", "jack", "lot"]))
    desk.enter("a", 3)
    desk.say(draw_class, "a", "37")
    keys = {frozenset(each.sides): each for each in desk.state.drawn("a").fixtures}
    for winner, loser in ((1, 2), (2, 3), (3, 1)):
        match = keys[frozenset((winner, loser))]
        at = match.sides.index(winner)
        desk.say(correct, match.key, Outcome(at, (4 - 2 * at, 2 + 2 * at), by_jack=winner == 2))
    assert desk.state.drawn("a").tables["a"][0].entrant == 2
    match = keys[frozenset((2, 3))]
    at = match.sides.index(2)
    points = [5, 2] if at == 0 else [2, 5]
    said = {"key": match.key, "winner": at, "points": points}
    desk.hall.write(ACTIONS["correct"](desk.state, said=said, by="desk"))
    assert desk.state.drawn("a").tables["a"][0].entrant == 2
