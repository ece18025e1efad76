"""Misses that were heard enter themselves where the hands are free, and when they must not."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Pocket, Seat
from jackspot.dialogue.actions.by_itself import heard_again_ns
from jackspot.dialogue.phases.deadlines import next_wake_ns
from jackspot.dialogue.proposals.heard_misses import shot_and_missed
from jackspot.dialogue.proposals.permitted import SURE
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import DiscsListen
from jackspot.values import changed
from tests.dialogue.test_heard import LISTENING, Felt, free, listening, said


def test_a_miss_that_was_heard_enters_itself_and_the_turn_passes() -> None:
    table = free().shoot("N")
    assert table.entries == ["N -"]
    line = table.last(EntryKind.LINE)
    assert line["by"] is None
    assert line["probability"] >= SURE
    assert said(table) == "N MISSED, by itself"
    table.wait(6).shoot("S").wait(6)
    assert table.entries == ["N -", "S -"]


def test_silence_after_a_knock_makes_a_miss_surer() -> None:
    table = free(auto_confirm=0.905).shoot("N").wait(2).knock("S").wait(1.9)
    assert table.entries == ["N -"]
    assert table.wait(1).entries == ["N -", "S -"]
    assert 0.905 <= table.last(EntryKind.LINE)["probability"] < 0.92, "as soon as it was so sure"


def test_a_miss_that_does_not_become_sure_in_time_is_people_s() -> None:
    table = free().shoot("N").wait(3).knock("S", 0.5).wait(1.9)
    assert heard_again_ns(table.dialogue) == next_wake_ns(table.dialogue)
    assert table.wait(60).entries == ["N -"]
    assert heard_again_ns(table.dialogue) is None


def test_fix_takes_a_miss_back_as_undo_does() -> None:
    by_fix, by_undo = free().shoot("N").wait(0.5), free().shoot("N").wait(0.5)
    by_fix.press("referee", "fix").wait(0.5)
    by_undo.undo("referee").wait(0.5)
    for table in (by_fix, by_undo):
        assert table.entries == []
        assert str(table.view.headline) == "taken back: 1"
        assert table.shoot("N").wait(10).entries == [], "people have the word"
        assert table.press("referee", "ok").entries == ["N -"]
        assert table.in_match.game.trust.misses.objected == 0


@pytest.mark.parametrize(("thinks_s", "likely"), [(4, 0.95), (20, 0.8), (60, 0.65)])
def test_who_thinks_long_is_heard_all_the_same(thinks_s: float, likely: float) -> None:
    """The help that would cover the board is off here."""
    table = listening(attract_ns=0, abandoned_ns=0).wait(thinks_s).shoot("N")
    assert shot_and_missed(table.in_match, table.now_ns) > likely
    assert ("N shot, nothing fell" in said(table)) is (likely >= 0.8)


def test_a_hand_does_not_stop_misses_for_longer_than_it_is_fresh() -> None:
    table = free().fall("NE", 400).wait(2)
    assert "hand in NE" in said(table)
    assert free().fall("NE", 400).wait(1).shoot("N").entries == []
    assert table.wait(6).shoot("N").entries == ["N -"]


def test_a_hand_in_the_five_seconds_stays_to_be_seen() -> None:
    table = free().shoot("N").wait(0.5).fall("NE", 400).wait(2).press("referee", "ok").wait(0.5)
    assert table.entries == ["N -"]
    assert "hand in NE" in said(table)


def test_a_game_of_misses_is_played_and_no_help_lies_over_it() -> None:
    table = free()
    for _ in range(12):
        table.shoot(str(table.view.shooter)).wait(14)
    assert len(table.entries) == 12
    assert table.dialogue.attract is None


@pytest.mark.parametrize("where", ["S", "table"])
def test_what_was_no_shot_of_who_is_to_shoot_enters_nothing(where: str) -> None:
    assert free().knock(where).wait(10).entries == []


def test_with_assist_a_miss_is_only_said() -> None:
    table = listening(hands=Assistance.ASSIST).shoot("N").wait(10)
    assert table.entries == []
    assert "N shot, nothing fell" in said(table)


def test_a_miss_that_would_end_the_board_is_people_s() -> None:
    options = {"time_limit_s": 25, "time_end": "finish_stroke"}
    table = Felt(dialogue_settings=changed(LISTENING, hands=Assistance.FREE), options=options)
    table.listen().ok("N").wait(26)
    assert str(table.view.headline) != ""
    table.shoot("N").wait(10)
    assert not any(entry == "N -" for entry in table.entries)


@pytest.mark.parametrize("what", ["menu", "undone", "broken"])
def test_while_anything_else_is_open_no_miss_enters_itself(what: str) -> None:
    table = free()
    if what == "menu":
        table.hold("referee", "fix").wait(0.2)
    elif what == "undone":
        table.press("referee", "ok").wait(4).undo("referee").wait(1)
    else:
        table.edge(Pocket.NE, True)
    before = list(table.entries)
    assert table.shoot("N").entries == before


def at_five_seconds(**more) -> Felt:
    """A board for free hands, five seconds after it was agreed that N begins."""
    settings = changed(LISTENING, hands=Assistance.FREE, attract_ns=0, abandoned_ns=0)
    return Felt(dialogue_settings=settings, **more).listen().wait(20).ok("N").wait(5)


@pytest.mark.parametrize("gap_s", [0.4, 0.8, 1.1])
@pytest.mark.parametrize("loud", [0.9, 3.3], ids=["louder", "much louder"])
def test_nothing_is_called_a_miss_while_somebody_shoots(loud: float, gap_s: float) -> None:
    """N puts the striker down, or leans on the board, and shoots."""
    table = at_five_seconds().knock("N", loud / 3.3).wait(gap_s)
    table.knock("N", loud).wait(0.3).knock("N", loud / 2)
    assert table.entries == []
    table.wait(0.5).fall("NE").wait(4)
    assert table.entries in ([], ["N red@NE"])
    if table.phase is Phase.REVIEW:
        assert table.proposed.startswith("RED NE")


def test_nothing_is_called_a_miss_by_a_look_while_somebody_shoots() -> None:
    table = free(auto_confirm=0.905).shoot("N").wait(2).knock("S").wait(1.4)
    for part in (1.0, 0.8, 0.6, 0.5):
        table.knock("S", part).wait(0.4)
    assert table.entries == ["N -"]


def paused() -> Felt:
    return at_five_seconds().hold("referee", "fix").wait(0.3).pick("pause").must_be(Phase.PAUSED)


def placing() -> Felt:
    table = free(attract_ns=0).wait(2)
    table.shot("RED NE", "NE").wait(3).fall("SW", 24).wait(3).choose("STRIKER SW")
    return table.wait(0.6).ok("referee").wait(1).must_be(Phase.PLACING)


def cut() -> Felt:
    return at_five_seconds().restart().listen().wait(20)


def armed() -> Felt:
    return at_five_seconds(armed=True, options={"time_limit_s": 300})


@pytest.mark.parametrize("before_s", [0.2, 0.6, 1.0, 1.5, 2.5])
@pytest.mark.parametrize("begin", [paused, placing, cut, armed])
def test_what_shook_the_board_before_people_could_shoot_is_no_shot(begin, before_s: float) -> None:
    table = begin()
    before = list(table.entries)
    for side in ("N", "S"):
        table.knock(side).wait(0.3).knock(side, 0.5).wait(1.5)
    table.knock("S" if begin is placing else "N").wait(before_s).press("referee", "ok").wait(8)
    assert table.phase is Phase.READY
    assert [each for each in table.entries if each not in before] in ([], ["! placed"])
    assert "shot, nothing fell" not in said(table)


@pytest.mark.parametrize("lineup", ["NESW", "NES"])
@pytest.mark.parametrize("wait_s", [3, 7, 10])
def test_one_shake_is_one_miss_at_most(lineup: str, wait_s: int) -> None:
    """Where the next seat is to the shooter's side, his shots are heard there too."""
    table = at_five_seconds(lineup=lineup, rules="hikone").shoot("N").wait(wait_s)
    before = len(table.entries)
    for part in (1.0, 0.6, 0.4, 0.3):
        table.knock("S", part).wait(0.35)
    assert len(table.wait(8).entries) <= before + 1


def test_a_hub_that_is_pulled_out_makes_no_miss_surer() -> None:
    table = free(auto_confirm=0.905).shoot("N").wait(2).knock("S").wait(1.9)
    table.hear(DiscsListen(table.now_ns, ()))
    assert table.wait(10).entries == ["N -"]


@pytest.mark.parametrize("after_s", [0.3, 2, 5])
def test_a_hub_that_has_just_come_enters_no_miss(after_s: float) -> None:
    table = free().wait(5)
    table.hear(DiscsListen(table.now_ns, ()))
    table.wait(3).listen().wait(after_s).shoot("N")
    assert table.wait(4).entries == []
    table.press("referee", "ok").wait(5).shoot("S")
    assert table.entries == ["N -", "S -"]


def cut_and_on(table: Felt) -> None:
    table.restart().listen().wait(2).press("referee", "ok")


def listed(table: Felt) -> None:
    table.listen().wait(0.5).hold("referee", "fix").wait(0.3).undo("referee")


@pytest.mark.parametrize("comes", [cut_and_on, listed])
def test_a_hub_that_has_just_come_is_not_believed_sooner_for_a_press(comes) -> None:
    table = at_five_seconds()
    table.hear(DiscsListen(table.now_ns, ()))
    comes(table)
    assert table.wait(1).shoot("N").wait(4).entries == []
    assert "shot" not in said(table)


@pytest.mark.parametrize("what", ["menu", "pause"])
def test_a_miss_that_was_heard_is_still_said_after_a_list_or_a_pause(what: str) -> None:
    table = listening().shoot("N").wait(1).hold("referee", "fix").wait(0.3)
    if what == "menu":
        table.undo("referee")
    else:
        table.pick("pause").wait(3).ok("referee")
    assert "N shot, nothing fell" in said(table.wait(1))


def test_whoever_shot_during_a_song_was_not_heard() -> None:
    table = free().knock("N")
    for _ in range(30):
        table.wait(0.4).knock("table", 0.3)
    assert table.wait(10).entries == []


def test_a_finger_of_a_page_that_is_gone_stops_nothing_for_long() -> None:
    table = free(auto_confirm=0.6).down("page", "fix").wait(23)
    assert table.shoot("N").entries == ["N -"]


def test_a_finger_that_is_down_stops_a_miss() -> None:
    table = free()
    for part in (1.0, 0.6, 0.4, 0.3):
        table.knock("N", part).wait(0.4)
    table.wait(0.7).down("referee", "foul").wait(0.15).up("referee", "foul").wait(0.1)
    assert table.phase is Phase.REVIEW
    assert table.entries == []


# --- a late fall --------------------------------------------------------------------------


def missed(table: Felt, gap_s: float, *, by_ok: bool) -> Felt:
    """N shoots, the board comes to rest, the miss is entered; ``gap_s`` later something falls."""
    for part in (1.0, 0.6, 0.4, 0.3):
        table.wait(0.4).knock("N", part)
    table.wait(1.21)
    if by_ok:
        assert "N shot, nothing fell" in said(table)
        table.press("referee", "ok")
    assert table.entries == ["N -"]
    return table.wait(gap_s).fall("NE")


@pytest.mark.parametrize("gap_s", [0.3, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("by_ok", [False, True])
@pytest.mark.parametrize("lineup", ["NS", "NES", "NESW"])
def test_a_late_fall_after_a_heard_miss_is_of_that_stroke(
    gap_s: float, by_ok: bool, lineup: str
) -> None:
    """The knock that the miss was entered for says nothing about who shot after it."""
    hands = Assistance.CONFIRM if by_ok else Assistance.FREE
    table = Felt(dialogue_settings=changed(LISTENING, hands=hands), lineup=lineup).listen()
    table.ok("N").wait(20)
    missed(table, gap_s, by_ok=by_ok).wait(2).must_be(Phase.REVIEW)
    assert table.proposed.startswith("replace N's last stroke: "), table.proposed
    assert table.in_match.proposal is not None
    again = [each for each in table.in_match.proposal.readings if each.seat is Seat.N]
    assert sum(each.probability for each in again if each.missed) < 0.05


@pytest.mark.parametrize("gap_s", [0.3, 0.7])
def test_a_knock_speaks_for_its_stroke_again_once_that_is_taken_back(gap_s: float) -> None:
    table = missed(free(), gap_s, by_ok=False).wait(2).undo("referee").wait(1)
    assert table.entries == []
    table.press("referee", "fix").wait(1)
    table.must_be(Phase.REVIEW)


def test_who_shoots_before_the_miss_before_is_pressed_is_heard_all_the_same() -> None:
    """S shoots before somebody presses for N's miss: the fall that follows is S's stroke."""
    table = listening().shoot("N").wait(5)
    table.knock("S").wait(0.3).press("referee", "ok").wait(0.5)
    assert table.entries == ["N -"]
    table.fall("NE").wait(2).must_be(Phase.REVIEW)
    assert table.in_match.proposal is not None
    silent = [e for e in table.in_match.proposal.readings if str(e.why).endswith("no shot heard")]
    assert silent == []


def test_what_made_a_fall_makes_no_later_one() -> None:
    """N pockets and shoots again: the first shot did not cause a fall four seconds later."""
    tables = []
    for knocks in (False, True):
        table = listening()
        if knocks:
            table.knock("N")
        table.wait(0.1).fall("NE").wait(1).press("referee", "ok").wait(3.1).fall("SW", 60).wait(2)
        assert table.in_match.proposal is not None
        tables.append(table.in_match.proposal.readings)
    assert [each.departures for each in tables[0]] == [each.departures for each in tables[1]]
    assert [each.probability for each in tables[0]] == pytest.approx(
        [each.probability for each in tables[1]]
    )


def test_the_shot_of_what_has_entered_itself_is_not_said_to_have_missed() -> None:
    """A piece that rolls on slowly falls when nothing has knocked for a while."""
    table = listening(hands=Assistance.ASSIST, auto_confirm=0.4)
    table.knock("N").wait(0.4).knock("N", 0.6).wait(1.5).fall("NE").wait(2)
    assert table.entries == ["N red@NE"]
    assert not table.dialogue.shakes
    assert "shot" not in said(table.wait(6))


def test_after_a_power_cut_a_shot_speaks_for_its_fall_as_ever() -> None:
    """The monotonic clock starts again: instants before the cut are no later than those after."""
    table = listening().wait(60)
    table.knock("N").wait(0.5).fall("NE").wait(2).press("referee", "ok").wait(1)
    assert table.entries == ["N red@NE"]
    table.restart().listen().wait(20).press("referee", "ok").wait(10)
    table.knock("N").wait(0.5).fall("SW", 60).wait(2).must_be(Phase.REVIEW)
    assert table.in_match.proposal is not None
    assert not any(str(e.why).endswith("no shot heard") for e in table.in_match.proposal.readings)
