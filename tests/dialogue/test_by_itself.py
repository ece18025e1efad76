"""What enters itself: sure readings, and misses that were heard.

It is shown and answered, and no longer trusted once people object too often.
"""

from __future__ import annotations

import pytest

from jackspot.core.directives import SetOwed
from jackspot.core.pieces import Pocket, Seat
from jackspot.dialogue.actions.by_itself import heard_again_ns
from jackspot.dialogue.phases.deadlines import next_wake_ns
from jackspot.dialogue.proposals.heard_misses import shot_and_missed
from jackspot.dialogue.proposals.permitted import SURE, missed_from, sure_from
from jackspot.dialogue.state.dialogue_settings import Assistance, Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Line, Objections, Trust
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import DiscsListen, Fall
from jackspot.values import changed
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.playing import Table
from tests.dialogue.test_heard import LISTENING, Felt, listening, said


def table_with(auto_confirm: float) -> Table:
    return Table(dialogue_settings=DialogueSettings(auto_confirm=auto_confirm))


def free(**changes) -> Felt:
    return listening(hands=Assistance.FREE, **changes)


def fallen() -> Table:
    """A board on which a first stroke has just entered itself."""
    table = table_with(0.6).started("N").fall("NE").wait(1.8).must_be(Phase.READY)
    assert table.entries == ["N red@NE"]
    return table


# --- readings -----------------------------------------------------------------------------


def test_nothing_settles_itself_unless_the_owner_says_so() -> None:
    assert sure_from(DialogueSettings()) == 0.0
    assert sure_from(DialogueSettings(hands=Assistance.ASSIST)) == SURE
    assert sure_from(DialogueSettings(hands=Assistance.FREE, auto_confirm=0.8)) == 0.8
    assert missed_from(DialogueSettings(hands=Assistance.FREE)) == SURE
    assert missed_from(DialogueSettings(hands=Assistance.ASSIST, auto_confirm=0.8)) == 0.0
    Table().started("N").fall("NE").wait(30.0).must_be(Phase.REVIEW)


def test_a_reading_as_sure_as_that_settles_itself_at_the_end_of_falling() -> None:
    table = table_with(0.6).started("N").fall("NE").wait(1.4).must_be(Phase.FALLING)
    table.wait(0.3).must_be(Phase.READY)
    assert table.entries == ["N red@NE"]
    line = table.last(EntryKind.LINE)
    assert line["by"] is None, "nobody pressed"
    assert line["probability"] >= 0.6
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.proposed == "RED NE", "UNDO opens it as any other"


def test_a_reading_less_sure_than_that_is_asked() -> None:
    table_with(0.95).started("N").fall("NE").wait(3.0).must_be(Phase.REVIEW)


def test_what_ends_a_board_never_settles_itself() -> None:
    options = {"time_limit_s": 25, "time_end": "finish_stroke"}
    table = (
        Table(dialogue_settings=DialogueSettings(auto_confirm=0.3), options=options)
        .ok("N")
        .wait(24.5)
    )
    table.fall("NE").wait(3.0).must_be(Phase.REVIEW)
    assert table.view.proposal is not None
    assert table.view.proposal.ends_board


@pytest.mark.parametrize("how_sure", [0.01, 0.2])
def test_a_foul_never_settles_itself(how_sure: float) -> None:
    """A striker in a pocket, read by its width, however low the threshold is."""
    table = table_with(how_sure).started("N").fall("SW", 24).wait(3.0)
    assert not any("striker" in entry for entry in table.entries)
    if table.phase is Phase.REVIEW:
        assert table.proposed.startswith("STRIKER")


def test_what_people_have_marked_is_asked() -> None:
    table = table_with(0.3).started("N").fall("NE").wait(0.6).foul().wait(3.0)
    table.must_be(Phase.REVIEW)


@pytest.mark.parametrize("key", ["foul", "off"])
def test_what_people_have_marked_and_unmarked_again_is_asked(key: str) -> None:
    table = table_with(0.3).started("N").fall("NE").wait(0.5)
    plain = table.proposed
    table.press("referee", key).wait(0.1)
    assert table.proposed != plain
    for _ in range(5):
        if table.proposed != plain:
            table.press("referee", key).wait(0.1)
    assert table.proposed == plain
    table.wait(3.0).must_be(Phase.REVIEW)


# --- how it is shown and answered ---------------------------------------------------------


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("after", [0, 2])
def test_what_people_looked_at_again_and_confirmed_was_said_by_them(cut: bool, after: int) -> None:
    table = fallen().wait(6.0)
    for _ in range(after):
        table.miss("N" if table.shooter == "N" else "S").wait(4.0)
    for _ in range(after + 1):
        table.wait(1.2).undo("referee")
    table.must_be(Phase.REVIEW).wait(1.0).ok("N").wait(1.0).must_be(Phase.READY)
    if cut:
        table.restart().calm()
    assert [line.alone for line in table.game.lines] == [False] * (after + 1)
    assert table.kinds().count("agreed") == 1
    check_all(table)


def test_it_is_shown_for_five_seconds_and_fix_says_no() -> None:
    table = fallen()
    assert said(table) == "N RED NE, by itself"
    assert (str(table.view.ok), str(table.view.fix)) == ("yes", "no")
    table.wait(0.5).fix("N").must_be(Phase.REVIEW)
    assert table.entries == []
    assert table.proposed == "RED NE"
    table.wait(0.6).fix("N").wait(0.6).ok("N")
    assert len(table.entries) == 1
    assert table.entries != ["N red@NE"]


def test_after_that_fix_and_ok_mean_the_next_stroke() -> None:
    table = fallen().wait(5.6)
    assert "by itself" not in said(table)
    assert str(table.view.ok) == "missed"
    table.ok("N")
    assert table.entries == ["N red@NE", "N -"]


def test_an_ok_meanwhile_confirms_it_and_enters_no_miss() -> None:
    table = fallen().wait(0.5).ok("N")
    assert table.entries == ["N red@NE"]
    assert table.last(EntryKind.AGREED) == {"wire": "seat_n_ok"}
    assert not table.in_match.game.lines[-1].alone
    assert "by itself" not in said(table)
    table.wait(1.0).ok("S")
    assert table.entries == ["N red@NE"], "another's OK is deaf for a while, as after any entry"
    assert table.last(EntryKind.SWALLOWED)["why"] == "just confirmed"


def test_a_finger_on_its_way_as_the_time_passes_enters_no_miss() -> None:
    table = fallen().wait(4.8).down("N", "ok").wait(0.3).up("N", "ok").wait(0.1)
    assert table.entries == ["N red@NE"]


def test_the_history_tells_what_nobody_has_confirmed() -> None:
    table = fallen().wait(6.0).hold("N", "fix").wait(0.3)
    while not table.item.startswith("history"):
        table.fix("N").wait(0.3)
    table.ok("N").wait(0.3)
    assert table.item == "1 N RED NE, again, by itself"


def test_a_power_cut_keeps_what_entered_itself_and_who_agreed() -> None:
    for agreed in (False, True):
        table = fallen().wait(0.5)
        if agreed:
            table.ok("N").wait(0.5)
        before = table.in_match.game
        table.restart()
        assert table.in_match.game.lines == before.lines
        assert table.in_match.game.trust == before.trust
        assert table.in_match.game.lines[-1].alone is not agreed


def objected(table: Table) -> Table:
    """S, who may not decide, says that what has just entered itself is wrong."""
    table.wait(0.5).fix("S")
    assert said(table).endswith("by itself - S objects")
    return table


def referees(**changes) -> Table:
    settings = DialogueSettings(auto_confirm=0.6, confirm=Confirm.REFEREE, **changes)
    return Table(dialogue_settings=settings).started("referee").fall("NE").wait(1.8)


def test_an_objection_goes_with_what_it_is_about() -> None:
    """It goes after the five seconds, with OK, and with FIX; the next stroke enters itself."""
    table = objected(referees()).wait(5)
    assert "objects" not in said(table)
    table.fall("NE").wait(1.8)
    assert table.entries == ["N red@NE", "N red@NE"]
    late = referees().wait(0.5).ok("N").wait(5)
    assert "decides" not in said(late), "what was remarked meanwhile is of then"
    assert "objects" not in said(objected(referees()).ok("referee"))
    assert "objects" not in said(objected(referees()).fix("referee"))


def test_an_objection_that_stands_at_a_power_cut_goes_with_the_comparing_of_counts() -> None:
    table = objected(referees()).restart()
    assert "S objects" in said(table)
    table.wait(1).ok("referee").must_be(Phase.READY)
    assert "objects" not in said(table)


def test_what_entered_itself_and_was_taken_back_to_set_up_is_asked_again() -> None:
    table = fallen().wait(0.5).fix("N").wait(1.2).undo("referee").must_be(Phase.SETUP)
    assert str(table.view.detail) == "asked again after the start"
    for start in (table.another(), table.another().restart()):
        start.wait(1).ok("N").wait(1).must_be(Phase.REVIEW)
        assert start.proposed == "RED NE"
        start.ok("referee")
        assert start.entries == ["N red@NE"]


def test_each_stroke_that_nobody_confirmed_is_asked_again_and_each_once() -> None:
    table = fallen().wait(0.5).ok("N").wait(6).fall("SW").wait(1.8).must_be(Phase.READY)
    assert len(table.entries) == 2
    for _ in range(3):
        table.wait(1.2).undo("referee")
    table.must_be(Phase.SETUP)
    assert [fall.number for group in table.dialogue.waiting for fall in group.falls] == [2]
    back = table.another().wait(1.2).undo("referee").wait(1)
    assert back.phase is Phase.PAUSED
    assert not back.dialogue.waiting, "its line has the fall"
    assert len(back.ok("N").calm().ok("referee").wait(1).entries) == 2
    back.restart()
    assert len(back.entries) == 2


def test_where_nobody_had_to_press_for_long_doubt_is_asked_stroke_by_stroke() -> None:
    """Strokes that entered themselves left nothing open: the one question for all does not come."""
    table = fallen().wait(170)
    table.fall("NE").wait(1.8).must_be(Phase.READY).wait(20)
    assert table.entries == ["N red@NE", "N red@NE"]
    table.falls_in("SW", "SE", "NW").wait(3.0).must_be(Phase.REVIEW)
    table.fall("SE").wait(3.0)
    assert table.dialogue.menu is None
    assert table.view.waiting == 1
    table.wait(180)
    assert table.dialogue.menu is not None, "three minutes after that they are"


# --- misses -------------------------------------------------------------------------------


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


def blocked(table: Felt) -> Felt:
    return table.edge(Pocket.SW, True).wait(3)


def taken_back(table: Felt) -> Felt:
    return table.press("referee", "ok").wait(10).undo("referee").wait(1)


def after_a_cut(table: Felt) -> Felt:
    return table.fall("NE").wait(1).restart().listen().wait(5)


@pytest.mark.parametrize("busy", [blocked, taken_back, after_a_cut])
def test_no_reading_enters_itself_while_something_else_is_to_be_said(busy) -> None:
    table = busy(listening(hands=Assistance.ASSIST, auto_confirm=0.4))
    assert table.fall("NE").wait(6).entries == []
    assert table.phase in (Phase.REVIEW, Phase.PAUSED)


def test_an_objection_is_answered_before_anything_enters_itself() -> None:
    table = listening(hands=Assistance.ASSIST, auto_confirm=0.4, confirm=Confirm.OPPONENT)
    table.fall("NE").wait(0.7).fix("N").wait(4).must_be(Phase.REVIEW)
    assert "N objects" in said(table)


def test_what_sends_pieces_back_is_asked() -> None:
    """S owes one: the piece he pockets pays it, and goes to *placing*."""
    table = listening(hands=Assistance.ASSIST, auto_confirm=0.4)
    table.press("referee", "ok").wait(4)
    assert table.entries == ["N -"]
    game = table.in_match.game
    owing = game.match.enter(SetOwed(game.match.state.position.sides[1], 1))
    table.dialogue = changed(table.in_match, game=changed(game, match=owing))
    table.fall("NE").wait(4).must_be(Phase.REVIEW)


def test_a_break_is_always_asked() -> None:
    table = Felt(rules="kagw", dialogue_settings=changed(LISTENING, auto_confirm=0.2))
    table.ok("N").wait(20).fall("NE").wait(4).must_be(Phase.REVIEW)


def test_before_the_gong_nothing_enters_itself() -> None:
    table = Felt(
        dialogue_settings=changed(LISTENING, auto_confirm=0.4), armed=True,
        options={"time_limit_s": 300},
    )  # fmt: skip
    table.ok("N").wait(6).fall("NE").wait(3)
    assert table.entries == []


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


@pytest.mark.parametrize("key", ["ok", "fix", "foul", "off"])
def test_a_finger_that_is_down_is_waited_for(key: str) -> None:
    """Somebody is about to say something: the board asks, and what he says counts."""
    table = table_with(0.6).started("N").fall("NE").wait(1.3).down("referee", key).wait(0.4)
    assert table.entries == []
    table.up("referee", key).wait(0.2)
    assert table.entries == (["N red@NE"] if key == "ok" else [])
    if key == "ok":
        assert not table.in_match.game.lines[-1].alone
    else:
        assert table.proposed != "RED NE"


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


@pytest.mark.parametrize("confirm", [Confirm.REFEREE, Confirm.OPPONENT])
def test_who_may_say_that_it_is_right_is_who_may_confirm_the_stroke(confirm: Confirm) -> None:
    fell = listening(auto_confirm=0.4, confirm=confirm).fall("NE").wait(2.0)
    assert fell.entries == ["N red@NE"]
    assert fell.ok("N").in_match.game.lines[-1].alone, "the shooter does not decide"
    missed = free(confirm=confirm).shoot("N").wait(0.2)
    assert not missed.ok("N").in_match.game.lines[-1].alone, "as anybody may say who missed"


def test_the_history_that_is_only_looked_at_changes_no_mark() -> None:
    table = free().shoot("N").wait(14).shoot("S").wait(14)
    before = table.in_match.game.lines
    table.hold("referee", "fix").wait(0.3)
    while not table.item.startswith("history"):
        table.press("referee", "fix").wait(0.3)
    table.press("referee", "ok").wait(0.5).press("referee", "fix").wait(0.3)
    table.press("referee", "ok").wait(1.2).undo("referee").wait(1.2)
    assert table.in_match.game.lines == before


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


# --- quiet of beams and of knocks ---------------------------------------------------------


def rolling(table: Felt, seconds: float) -> Felt:
    """Something falls, and pieces go on hitting the cushions for this many seconds."""
    table.knock("N").wait(0.5).fall("NE")
    for _ in range(round(seconds / 0.5)):
        table.wait(0.5).knock("E", 0.2)
    return table


def test_what_fell_enters_itself_once_nothing_knocks_any_more() -> None:
    table = rolling(listening(auto_confirm=0.4), 3.0).must_be(Phase.FALLING)
    table.wait(1.1).must_be(Phase.FALLING)
    table.wait(0.2).must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_it_waits_for_knocks_no_longer_than_for_anything_else_that_falls() -> None:
    table = rolling(listening(auto_confirm=0.4), 5.5).must_be(Phase.FALLING)
    table.wait(0.5).must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_what_shakes_the_board_without_an_end_is_not_waited_for() -> None:
    table = listening(auto_confirm=0.4)
    for _ in range(30):
        table.knock("table").wait(0.3)
    table.fall("NE")
    for _ in range(6):
        table.wait(0.3).knock("table")
    assert table.phase is not Phase.FALLING


def test_a_hub_that_is_pulled_out_holds_nothing_up() -> None:
    table = rolling(listening(auto_confirm=0.4), 1.0)
    table.hear(DiscsListen(table.now_ns, ()))
    table.wait(1.3).must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_where_nothing_enters_itself_only_beams_are_waited_for() -> None:
    rolling(listening(), 1.5).must_be(Phase.REVIEW)


def test_where_nothing_enters_itself_a_knock_is_no_step() -> None:
    """Pages and displays are not told of it, and a small board has nothing to do."""
    table = listening()
    before = table.dialogue
    assert table.knock("N", 0.01).dialogue is before


# --- trust --------------------------------------------------------------------------------


def alone(probability: float, falls: tuple[Fall, ...] = ()) -> Line:
    return Line((), falls, probability, alone=True)


def test_who_objects_makes_the_board_ask_for_more() -> None:
    """Of two lines called 92 % sure, one was wrong: the next must be surer than that."""
    miss, fall = alone(0.92), alone(0.92, fallen().in_match.game.lines[-1].falls)
    for one, other in ((miss, fall), (fall, miss)):
        trust = Trust().with_line(one).with_line(one).without((one,))
        assert trust.of(one.falls).objected == 1
        assert trust.of(one.falls).weighed(0.92) < SURE < trust.of(one.falls).weighed(0.97)
        assert trust.of(other.falls) == Objections(), "discs say nothing of beams"


def test_nobody_makes_the_board_bolder() -> None:
    assert Objections(expected=5.0).weighed(0.97) == pytest.approx(0.97)


@pytest.mark.parametrize("heard", [0.0, 0.5, 1.0])
def test_objections_beyond_chance_end_it_for_the_match(heard: float) -> None:
    """Those to falls and to misses count together."""

    def is_lost(expected: float, objected: int) -> bool:
        misses = Objections(expected * heard, round(objected * heard))
        falls = Objections(expected * (1 - heard), objected - misses.objected)
        return Trust(falls, misses).is_lost

    assert not is_lost(0.1, 1)
    assert is_lost(0.1, 2)
    assert not is_lost(2.0, 4)
    assert is_lost(2.0, 7)


def test_where_people_change_each_of_them_nothing_enters_itself_any_more() -> None:
    table, times = table_with(0.2).started("N"), 0
    while table.fall("NE").wait(1.8).phase is Phase.READY:
        table.wait(0.5).fix("N").must_be(Phase.REVIEW).wait(0.6).fix("N").wait(0.6).ok("N")
        table.wait(7.0).must_be(Phase.READY)
        times += 1
    trust = table.in_match.game.trust
    assert trust.falls.objected == times > 1
    assert trust.falls.weighed(0.99) < 0.99
    table.wait(0.6).ok("N").wait(7.0)
    game = changed(table.in_match.game, trust=Trust(Objections(0.1, 2)))
    table.dialogue = changed(table.in_match, game=game)
    table.wait(0.5)
    assert said(table) == "each stroke is asked again"
    table.fall("SE").wait(3.0).must_be(Phase.REVIEW)


def test_a_power_cut_forgets_no_objection() -> None:
    table = fallen().wait(0.5).fix("N").wait(0.6).fix("N").wait(0.6).ok("N").wait(4.0)
    trust = table.in_match.game.trust
    assert trust.falls.objected == 1
    assert table.restart().in_match.game.trust == trust


def test_what_is_only_looked_at_is_no_objection() -> None:
    table = fallen().wait(0.5).fix("N").wait(1.0).ok("N")
    assert table.entries == ["N red@NE"]
    assert table.in_match.game.trust.falls.objected == 0
