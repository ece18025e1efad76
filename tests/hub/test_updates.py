"""The desk's part of updates: which boards of a hall are offered a newer version, and when."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from jackspot.dialogue.state.view import OrderState
from jackspot.festival.messages import ENDED, IN_HAND, UpdateStep, What, read, write
from jackspot.values import changed
from jackspot_hub.desk.state import CarriedRelease, DeskEntry, DeskKind, DeskState, fold
from jackspot_hub.desk.step import hear, move, pass_time, told
from jackspot_hub.desk.updates import (
    PLACES,
    QUIET_MS,
    give_places,
    heard_update,
    offer_update,
    take_offer_back,
)
from jackspot_hub.event.entries import CannotBe
from tests.hub.festival import championship

CARRIED = CarriedRelease("0.2.0", "jackspot-0.2.0.update", 2_412_044, "4e" * 32, 8470)
T = 1_795_000_000_000
BOARDS = 8


class Hall:
    """A desk of eight boards. Time passes only where a test changes ``now_ms``."""

    def __init__(self) -> None:
        self.now_ms = T
        self.desk = changed(
            DeskState(championship(singles=24, groups=4, pairs=2, boards=BOARDS)), carried=CARRIED
        )

    def write(self, entries: tuple[DeskEntry, ...]) -> None:
        for each in entries:
            self.desk = fold(self.desk, each.kind, each.body, self.now_ms)

    def hear(self, board: int, what: What, said: dict[str, Any] | None) -> None:
        read_said = None if said is None else read(what, write(said))
        self.desk, entries = hear(self.desk, board, what, read_said, self.now_ms)
        self.write(entries)

    def comes(self, board: int, state: OrderState = OrderState.NONE) -> None:
        self.hear(board, What.STATUS, {"v": 1, "state": "ready", "boot": "x", "n": 1})
        order = self.desk.open_orders.get(board) if state is not OrderState.NONE else None
        self.hear(board, What.MATCH, {"v": 1, "order": order, "state": state, "since_ms": 0})

    def goes(self, board: int) -> None:
        self.hear(board, What.STATUS, {"v": 1, "state": "lost", "boot": "x", "n": 1})

    def says(self, board: int, step: UpdateStep, percent: int = 0, why: str = "") -> None:
        offer = told(self.desk, board)[What.OFFER].get("offer", self.offer(board))
        self.hear(board, What.UPDATE, {"v": 1, "offer": offer, "release": "0.2.0", "step": step,
                                       "percent": percent, "why": why})  # fmt: skip

    def offer(self, board: int) -> int:
        return self.desk.offers.get(board, 1)

    def passes(self, ms: int = 1_000) -> list[int]:
        """Let time pass; return the boards that are told about the release."""
        self.now_ms += ms
        self.desk = give_places(self.desk, self.now_ms)
        offers = {n: told(self.desk, n)[What.OFFER] for n in range(1, BOARDS + 1)}
        for each in offers.values():
            if each:
                read(What.OFFER, write(each))
        return [n for n, each in offers.items() if each]


@pytest.fixture
def hall() -> Hall:
    made = Hall()
    for board in range(1, BOARDS + 1):
        made.comes(board)
    return made


def test_three_free_boards_are_told_and_another_one_when_one_has_it(hall: Hall) -> None:
    assert hall.passes() == []
    hall.write(offer_update(hall.desk, None, "Emi"))
    assert hall.passes() == [1, 2, 3]
    said = told(hall.desk, 1)[What.OFFER]
    assert said == {"v": 1, "offer": T + 1_000, "release": "0.2.0", "port": 8470, "size": 2_412_044,
                    "file": "jackspot-0.2.0.update", "sha256": "4e" * 32}  # fmt: skip
    for step in (UpdateStep.FETCHING, UpdateStep.TAKEN, UpdateStep.TRIAL):
        hall.says(2, step)
        assert hall.passes() == [1, 2, 3]
    hall.says(2, UpdateStep.DONE)
    assert hall.passes() == [1, 3, 4]


@pytest.mark.parametrize("end", sorted(ENDED))
def test_however_it_ended_it_is_offered_again_only_by_another_offer(
    hall: Hall, end: UpdateStep
) -> None:
    hall.write(offer_update(hall.desk, [1], "Emi"))
    assert hall.passes() == [1]
    hall.says(1, end)
    assert hall.passes() == hall.passes() == []
    hall.write(offer_update(hall.desk, [1], "Emi"))
    assert hall.passes() == [1]
    hall.says(1, UpdateStep.DONE)
    hall.passes()
    with pytest.raises(CannotBe, match="board 9"):
        offer_update(hall.desk, [9], "Emi")


def test_who_is_called_or_plays_is_told_once_they_have_played(hall: Hall) -> None:
    hall.write(pass_time(hall.desk, hall.now_ms))
    assert len(hall.desk.open_orders) == BOARDS
    hall.write(offer_update(hall.desk, None, "Emi"))
    assert hall.passes() == []
    for board in range(1, BOARDS + 1):
        hall.comes(board, OrderState.PLAYING)
    assert hall.passes() == []
    key = hall.desk.orders[hall.desk.open_orders[5]].key
    outcome = {"winner": 0, "points": [5, 0], "boards": [1, 0], "by_jack": True, "forfeit": False}
    order = hall.desk.orders[hall.desk.open_orders[5]]
    hall.write((DeskEntry(DeskKind.CORRECTED, {
        "contest": order.contest, "key": key, "sides": list(order.sides), "by": "Emi",
        "outcome": outcome,
    }),))  # fmt: skip
    assert hall.passes() == [], "they still sit there"
    hall.comes(5, OrderState.OVER)
    assert hall.passes() == [5]
    assert 5 not in [each.body["board"] for each in pass_time(hall.desk, hall.now_ms + 10**9)]
    with pytest.raises(CannotBe, match="board 5 takes a newer version"):
        move(hall.desk, 4, 5)
    hall.says(5, UpdateStep.DONE)
    assert hall.passes() == []
    called = [each.body["board"] for each in pass_time(hall.desk, hall.now_ms + 10**9)]
    assert called == [5], "afterwards it is called again"


def test_people_who_begin_by_themselves_end_it_until_they_have_played(hall: Hall) -> None:
    hall.write(offer_update(hall.desk, [1], "Emi"))
    hall.passes()
    hall.says(1, UpdateStep.FETCHING, 30)
    hall.comes(1, OrderState.PLAYING)
    hall.says(1, UpdateStep.WAITING)
    assert hall.passes() == []
    hall.comes(1, OrderState.OVER)
    assert hall.passes() == [1]


def test_a_board_that_dies_in_the_middle_leaves_its_place_after_a_while(hall: Hall) -> None:
    hall.write(offer_update(hall.desk, [1, 2, 3, 4], "Emi"))
    assert hall.passes() == [1, 2, 3]
    for board in (1, 2, 3):
        hall.says(board, UpdateStep.TAKEN)
    hall.goes(1)
    hall.passes(QUIET_MS - 10_000)
    hall.says(2, UpdateStep.TRIAL)
    hall.says(3, UpdateStep.TRIAL)
    assert hall.passes(20_000) == [2, 3, 4]
    hall.says(2, UpdateStep.DONE)
    assert hall.passes() == [3, 4]
    hall.comes(1)
    assert hall.passes() == [1, 3, 4], "back, it is offered again"


def test_boards_that_never_answer_keep_nobody_from_it_for_ever(hall: Hall) -> None:
    hall.write(offer_update(hall.desk, None, "Emi"))
    seen: list[int] = []
    for _ in range(4):
        seen += hall.passes(QUIET_MS)
    assert set(seen) == set(range(1, BOARDS + 1))


def test_a_hub_that_starts_again_leaves_the_place_to_who_is_at_it(hall: Hall) -> None:
    hall.write(offer_update(hall.desk, None, "Emi"))
    again = changed(hall.desk, seen={}, places={}, updates={}, given={})
    for board in (6, 7, 8):
        said = {"offer": again.offers[board], "release": "0.2.0", "step": "trial", "why": ""}
        again = heard_update(again, board, said, hall.now_ms)
    hall.desk = again
    for board in range(1, BOARDS + 1):
        hall.comes(board)
    assert hall.passes() == [6, 7, 8]


def test_another_release_is_another_offer(hall: Hall) -> None:
    hall.write(offer_update(hall.desk, None, "Emi"))
    hall.desk = changed(hall.desk, carried=changed(CARRIED, release="0.3.0"))
    assert hall.passes() == [], "nobody has offered that one"
    hall.write(offer_update(hall.desk, [2], "Emi"))
    assert hall.passes() == [2]
    hall.desk = changed(hall.desk, carried=None)
    assert hall.passes() == []
    with pytest.raises(CannotBe, match="--update FOLDER"):
        offer_update(hall.desk, None, "Emi")


def test_what_is_taken_back_is_told_to_nobody_and_what_is_in_hand_keeps_its_place(
    hall: Hall,
) -> None:
    with pytest.raises(CannotBe, match="nothing is offered"):
        take_offer_back(hall.desk, "Emi")
    hall.write(offer_update(hall.desk, None, "Emi"))
    hall.passes()
    hall.says(2, UpdateStep.TAKEN)
    hall.write(take_offer_back(hall.desk, "Emi"))
    assert hall.passes() == []
    assert set(hall.desk.places) == {2}, "nobody is called to it meanwhile"
    hall.says(2, UpdateStep.DONE)
    hall.passes()
    assert not hall.desk.places


# --- at random -----------------------------------------------------------------------------------

NUMBERS = st.integers(1, BOARDS)


class UpdatedHall(RuleBasedStateMachine):
    """Boards that come, go, are played on and report their progress, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.hall = Hall()
        self.there: set[int] = set()
        self.playing: set[int] = set()
        self.hall.write(offer_update(self.hall.desk, None, "Emi"))

    def is_in_hand(self, board: int) -> bool:
        return self.hall.desk.updates.get(board, {}).get("step") in IN_HAND

    @rule(board=NUMBERS)
    def is_played_on(self, board: int) -> None:
        if board in self.there and not self.is_in_hand(board):
            self.playing.add(board)
            self.hall.comes(board, OrderState.PLAYING)

    @rule(board=NUMBERS)
    def comes_or_is_free_again(self, board: int) -> None:
        self.there.add(board)
        self.playing.discard(board)
        self.hall.comes(board)

    @rule(board=NUMBERS)
    def goes(self, board: int) -> None:
        self.there.discard(board)
        self.hall.goes(board)

    @rule(board=NUMBERS, step=st.sampled_from(UpdateStep))
    def goes_on(self, board: int, step: UpdateStep) -> None:
        told_of_it = board in self.hall.desk.places and board in self.there
        if told_of_it and (board not in self.playing or step not in IN_HAND):
            self.hall.says(board, step)

    @rule(board=NUMBERS)
    def is_offered_it_again(self, board: int) -> None:
        if board not in self.hall.desk.places:
            self.hall.write(offer_update(self.hall.desk, [board], "Emi"))

    @rule(ms=st.sampled_from([200, 5_000, QUIET_MS]))
    def time_passes(self, ms: int) -> None:
        before = set(self.hall.desk.places)
        told_of_it = set(self.hall.passes(ms))
        assert len(told_of_it) <= len(self.hall.desk.places) <= PLACES
        assert told_of_it - before <= self.there - self.playing
        assert not {each for each in told_of_it & self.playing if not self.is_in_hand(each)}

    def teardown(self) -> None:
        """Check that every board has it after a while, once all are there and nobody plays."""
        for board in range(1, BOARDS + 1):
            self.comes_or_is_free_again(board)
        for _ in range(4 * BOARDS):
            for each in self.hall.passes(QUIET_MS // 3):
                self.hall.says(each, UpdateStep.DONE)
        for board in range(1, BOARDS + 1):
            said = self.hall.desk.updates[board]
            assert said["step"] in ENDED
            assert said["offer"] == self.hall.offer(board)


TestUpdatedHall = UpdatedHall.TestCase
TestUpdatedHall.settings = settings(max_examples=100, stateful_step_count=60, deadline=None)
