"""Readings that are sure enter themselves, where the owner says so.

It is shown and answered, and no longer trusted once people object too often.
"""

from __future__ import annotations

import pytest

from jackspot.core.directives import Entry, GiveTurn, SetOwed
from jackspot.core.pieces import Pocket, Seat, Side
from jackspot.core.stroke import Stroke
from jackspot.dialogue.proposals.permitted import SURE, missed_from, sure_from
from jackspot.dialogue.state.dialogue_settings import Assistance, Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Line, Objections, Trust
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import DiscsListen, Fall
from jackspot.values import changed
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.playing import Table
from tests.dialogue.test_heard import LISTENING, Felt, free, listening, said


def table_with(auto_confirm: float) -> Table:
    return Table(dialogue_settings=DialogueSettings(auto_confirm=auto_confirm))


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


def alone(
    probability: float, falls: tuple[Fall, ...] = (), entries: tuple[Entry, ...] = ()
) -> Line:
    return Line(entries, falls, probability, alone=True)


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


def a_count_said_first(table: Table) -> Table:
    """Correct a count while the stroke that entered itself is taken back."""
    table.undo().wait(1.0).hold("referee", "fix").wait(1.0).pick("menu").wait(1.0)
    table.pick("correct the counts").wait(1.0).pick("GREEN in").wait(1.0)
    return table.pick("the table is right").wait(1.0)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize(
    ("then", "objected"), [("confirmed", 0), ("changed", 1), ("said again", 0), ("said twice", 1)]
)
def test_a_count_said_before_a_stroke_is_no_objection_to_it(
    then: str, objected: int, cut: bool
) -> None:
    table = a_count_said_first(fallen().wait(6.0))
    assert table.game.trust.falls.objected == 0
    if then in ("said again", "said twice"):
        table.hold("referee", "fix").wait(1.0).pick("menu").wait(1.0)
        table.pick("correct the counts").wait(1.0).pick("GREEN in").wait(1.0)
        table.pick("the table is right").wait(1.0)
    if cut:
        table.restart().calm()
    table.must_be(Phase.REVIEW)
    if objected:
        table.choose("GREEN NE").wait(1.0)
    table.ok("referee").calm()
    trust = table.game.trust
    assert (trust.falls.objected, trust.waits) == (objected, None)
    assert table.restart().game.trust == trust


@pytest.mark.parametrize("heard", [True, False])
def test_what_waits_behind_a_word_is_objected_to_where_another_stroke_comes_in_its_place(
    heard: bool,
) -> None:
    """Also where it is left out: the next stroke says so."""
    fall = fallen().in_match.game.lines[-1]
    miss = alone(0.92, entries=(Stroke(Seat.N),))
    its, other = (miss, fall) if heard else (fall, miss)
    word = Line((SetOwed(Side.RED, 1),))
    trust = Trust().with_line(its).behind_a_word((its,)).with_line(word)
    assert trust.of(its.falls).objected == 0
    again = trust.with_line(Line((GiveTurn(Seat.N), *its.entries), its.falls))
    assert (again.of(its.falls).objected, again.waits) == (0, None)
    gone = trust.with_line(changed(other, alone=False))
    assert (gone.of(its.falls).objected, gone.waits) == (1, None)
    assert gone.of(other.falls).objected == 0


@pytest.mark.parametrize("cut", [False, True])
def test_a_stroke_before_it_that_is_changed_says_nothing_of_one_that_waits(*, cut: bool) -> None:
    table = a_count_said_first(fallen().wait(6.0).fall("SE").wait(6.0))
    table.undo().wait(1.5).undo().wait(1.5).must_be(Phase.REVIEW)
    table.choose("GREEN NE").wait(1.0).ok("referee").calm()
    assert table.game.trust.falls.objected == 1
    if cut:
        table.restart().calm()
    while table.phase is not Phase.READY or table.dialogue.menu is not None:
        table.ok("referee").calm()
    assert [fall.pocket.value for line in table.game.lines for fall in line.falls] == ["NE", "SE"]
    assert (table.game.trust.falls.objected, table.game.trust.waits) == (1, None)


def test_what_is_only_looked_at_is_no_objection() -> None:
    table = fallen().wait(0.5).fix("N").wait(1.0).ok("N")
    assert table.entries == ["N red@NE"]
    assert table.in_match.game.trust.falls.objected == 0


# --- corrections beside it ----------------------------------------------------------------


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize(
    "correction",
    [("correct the counts", "GREEN in", "the table is right"), ("whose turn", "turn to S")],
)
def test_a_stroke_that_is_open_while_something_else_is_corrected_is_entered_once(
    correction: tuple[str, ...], *, cut: bool
) -> None:
    table = fallen().calm().undo().wait(1.0).must_be(Phase.REVIEW)
    table.hold("referee", "fix").wait(1.0).pick("menu").wait(1.0)
    for each in correction:
        table.pick(each).wait(1.0)
    if cut:
        table.restart().wait(1.0)
    while table.phase is not Phase.READY or table.dialogue.menu is not None:
        table.ok("referee").calm()
    assert [fall.number for line in table.game.lines for fall in line.falls] == [1]
    check_all(table)
