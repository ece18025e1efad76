"""The effect of knocks in play: the board says who has shot, and enters nothing on its own."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Seat
from jackspot.dialogue.state.dialogue_settings import Assistance, DialogueSettings
from jackspot.dialogue.state.view import Phase
from jackspot.readings.shots import ShotModel
from jackspot.sensing.events import DiscPeak, DiscsListen, KnockHeard
from jackspot.values import changed
from tests.dialogue.playing import Table

LISTENING = DialogueSettings(shots=ShotModel())
HEIGHTS = {"N": (6_000, 2_500, 1_400, 2_500), "S": (1_400, 2_500, 6_000, 2_500),
           "E": (2_500, 6_000, 2_500, 1_400), "table": (3_000, 2_900, 3_000, 2_900)}  # fmt: skip


class Felt(Table):
    """A table whose board has discs."""

    def knock(self, where: str, part: float = 1.0) -> Felt:
        peaks = tuple(DiscPeak(round(part * each), 0) for each in HEIGHTS[where])
        self.hear(KnockHeard(self.now_ns, peaks))
        return self

    def shoot(self, where: str) -> Felt:
        """A flick, a cushion, pieces; then the board is still."""
        for part in (1.0, 0.6, 0.4, 0.3):
            self.knock(where, part).wait(0.4)
        self.wait(1.5)
        return self

    def listen(self) -> Felt:
        self.hear(DiscsListen(self.now_ns, tuple(Seat)))
        return self


def listening(**changes) -> Felt:
    table = Felt(dialogue_settings=changed(LISTENING, **changes)).listen()
    table.ok("N").wait(20)
    return table


def free(**changes) -> Felt:
    """A board whose hands are free, on which N may shoot."""
    return listening(hands=Assistance.FREE, **changes)


def said(table: Table) -> str:
    return str(table.view.detail)


def test_a_miss_that_was_heard_is_said_and_ok_enters_it_as_ever() -> None:
    table = listening().shoot("N")
    assert "N shot, nothing fell" in said(table)
    assert table.phase is Phase.READY
    table.press("referee", "ok")
    assert table.entries == ["N -"]
    assert "shot" not in said(table)


def test_nothing_enters_itself_however_long_nobody_presses() -> None:
    table = listening().shoot("N").wait(120)
    assert table.entries == []


def test_two_who_shot_are_said_and_the_second_is_left_when_the_first_is_entered() -> None:
    table = listening().shoot("N").wait(6).shoot("S")
    assert "N S shot, nothing fell" in said(table)
    table.press("referee", "ok").wait(4)
    assert "S shot, nothing fell" in said(table)
    table.press("referee", "ok").wait(4)
    assert table.entries == ["N -", "S -"]
    assert "shot, nothing" not in said(table)


@pytest.mark.parametrize("where", ["table", "S"])
def test_a_thump_and_who_is_not_to_shoot_are_not_said_to_have_shot(where: str) -> None:
    table = listening().knock(where).wait(3)
    assert "shot" not in said(table)


def test_a_press_that_comes_before_the_board_lies_still_settles_that_shot() -> None:
    table = listening()
    table.knock("N").wait(0.5).press("referee", "ok").wait(5)
    assert table.entries == ["N -"]
    assert "shot" not in said(table)


def test_that_somebody_shot_is_no_other_question() -> None:
    """A person with a finger on OK just then is not told that it just changed."""
    table = listening()
    ask = table.view.ask
    table.shoot("N")
    assert table.view.ask == ask
    assert "N shot" in said(table)


def test_a_stroke_that_pocketed_is_not_said_to_have_missed() -> None:
    table = listening().knock("N").wait(1.0)
    table.fall("NE").wait(3)
    table.press("referee", "ok").wait(3)
    assert "nothing fell" not in said(table)


def test_who_shot_comes_first_where_nobody_pressed_for_the_miss_before() -> None:
    """Nobody presses for N's miss, and S shoots: the fall is S's."""

    def first(table: Felt) -> tuple[Seat | None, tuple[Seat, ...]]:
        table.fall("NE", 9).wait(2)
        proposal = table.dialogue.proposal
        assert proposal is not None
        return proposal.reading.seat, proposal.reading.missed

    def why(table: Felt) -> str:
        assert table.dialogue.proposal is not None
        return str(table.dialogue.proposal.reading.why)

    deaf = Felt().ok("N").wait(20)
    deaf.wait(11.5)
    assert first(deaf) == (None, ())
    assert "heard" not in why(deaf)
    table = listening().shoot("N").wait(6)
    table.knock("S").wait(1.2)
    assert first(table) == (Seat.S, (Seat.N,))
    assert why(table).endswith("heard to shoot: N S")


def test_a_shot_of_the_seat_whose_turn_it_is_stays_its_own() -> None:
    table = listening()
    table.wait(8).knock("N").wait(1.2)
    table.fall("NE", 9).wait(2)
    assert table.dialogue.proposal is not None
    assert table.dialogue.proposal.reading.seat is None


def test_a_fall_without_a_shot_is_rather_a_hand_and_both_stay_among_the_readings() -> None:
    silent, heard = listening().wait(8), listening().wait(8)
    heard.knock("N").wait(1.0)
    found, reasons = [], []
    for table in (silent, heard):
        table.fall("NE", 60).wait(2)
        assert table.dialogue.proposal is not None
        readings = table.dialogue.proposal.readings
        assert {each.stroke for each in readings} == {True, False}
        found.append(sum(each.probability for each in readings if not each.stroke))
        reasons.append([str(each.why) for each in readings if not each.stroke])
    assert found[0] > 3 * found[1]
    assert all(each.endswith("no shot heard") for each in reasons[0])
    assert not any("heard" in each for each in reasons[1])


def test_an_undo_forgets_what_was_heard() -> None:
    table = listening().shoot("N")
    table.press("referee", "ok").wait(4).shoot("S")
    assert "S shot" in said(table)
    assert table.dialogue.shakes
    table.undo("referee").wait(1)
    assert not table.dialogue.shakes, "they were of a turn that is not so any more"


def test_after_a_power_cut_falls_read_as_they_did() -> None:
    table = listening().wait(8)
    table.knock("N").wait(1.0)
    table.fall("NE", 9).wait(2)
    before = table.dialogue.proposal
    table.restart()
    assert before is not None
    after = table.dialogue.proposal
    assert after is not None
    assert [each.departures for each in after.readings] == [
        each.departures for each in before.readings
    ]
    assert [each.heard for each in after.falls] == [each.heard for each in before.falls]
