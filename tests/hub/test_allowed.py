"""What is allowed at which stage: the table on the page, and refusals with their reasons."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

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
    register,
    reword,
    set_board,
    withdraw,
)
from jackspot_hub.desk.revising import abandon, correct, forfeit, undo
from jackspot_hub.desk.state import DeskKind, DeskState, Entries
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Person
from tests.hub.allowed_page import PAGE, with_table
from tests.hub.entered import Desk, called, event


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
        (lambda at: register(at, "", "d"), "expected a name"),
        (lambda at: register(at, "A", "d", club="x" * 65), "at most 64 characters"),
        (lambda at: register(at, "A", "d", born=84), "year of birth such as 1984, found 84"),
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
    with pytest.raises(CannotBe, match="there is no match 'k-9-9'"):
        judge(desk.state, OrganiserAction.CORRECT, "k-9-9")
