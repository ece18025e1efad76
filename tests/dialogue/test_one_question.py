"""When many strokes wait, the board asks one question instead: the counts."""

from __future__ import annotations

import pytest

from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_a_restart
from tests.dialogue.playing import Table
from tests.dialogue.queen_tables import owing

POCKETS = ("SE", "SW", "NW", "NE", "SE", "SW", "NW", "NE")


def title(table: Table) -> str:
    """Return the open question, or nothing."""
    return str(table.view.menu.title) if table.view.menu else ""


def after(n: int, **options: object) -> Table:
    """N's first stroke is in review, and this many more strokes have come since."""
    table = Table(options=options).started("N").review("NE")
    for pocket in POCKETS[:n]:
        table.wait(8.0).fall(pocket)
    return table.wait(2.0)


# when it is asked


def test_up_to_four_proposals_that_wait_are_asked_one_by_one() -> None:
    assert title(after(4)) == ""


def test_more_than_four_that_wait_ask_one_question_instead() -> None:
    table = after(5)
    assert title(table) == "RED 6, GREEN 0?"
    assert table.items == ["yes, enter it all", "one by one", "other counts"]
    assert table.entries == [], "nothing is entered yet"


def test_the_question_follows_what_falls_while_it_is_open() -> None:
    table = after(5).wait(8.0).fall("NW").wait(1.0)
    assert title(table) == "RED 7, GREEN 0?"


def test_a_finger_that_goes_down_just_as_the_question_changes_does_nothing() -> None:
    table = after(5).wait(8.0).fall("NW").ok("referee")
    assert table.entries == []
    assert table.last(EntryKind.SWALLOWED)["why"] == "it just changed"


def test_more_falls_than_pieces_on_the_board_ask_one_question() -> None:
    handicap = {"N": {"head_start": 11}, "S": {"head_start": 11}}
    table = Table(handicap=handicap).started("N").review("NE")
    assert sum(side.left for side in table.view.sides) == 2
    for _ in range(3):
        table.wait(8.0).fall("SE")
    assert title(table.wait(2.0)) != ""


def test_nobody_pressing_for_three_minutes_while_something_waits_asks_it() -> None:
    table = after(2).wait(150.0)
    assert title(table) == ""
    assert title(table.wait(20.0)) == "RED 3, GREEN 0?"


def test_a_single_review_that_nobody_answers_stays_as_it_is() -> None:
    assert title(after(0).wait(600.0)) == ""


def test_any_press_puts_the_three_minutes_off() -> None:
    table = after(2).wait(100.0).fix("referee").wait(100.0)
    assert title(table) == ""


def test_hands_do_not_count_as_proposals() -> None:
    table = Table().started("N").review("NE")
    for pocket in POCKETS[:6]:
        table.wait(8.0).fall(pocket, 700)
    assert title(table.wait(2.0)) == ""


def test_it_does_not_close_by_itself() -> None:
    table = after(5)
    table.wait(120.0)
    assert title(table) == "RED 6, GREEN 0?"


# how it is answered


def test_yes_enters_them_all_as_lines_that_can_be_opened_later() -> None:
    table = after(5).wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == [f"N red@{pocket}" for pocket in ("NE", *POCKETS[:5])]
    assert table.counts == (6, 0)
    assert len(table.game.lines) == 6
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.proposed == "RED SE"
    table.choose("GREEN SE").wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.counts == (5, 1)


def test_what_people_chose_of_the_open_review_is_entered_as_they_chose_it() -> None:
    table = Table().started("N").review("NE").choose("GREEN NE")
    for pocket in POCKETS[:5]:
        table.wait(8.0).fall(pocket)
    table.wait(2.0)
    assert title(table) == "RED 0, GREEN 6?", "S shoots from then on"
    table.ok("referee")
    assert table.entries[0] == "N green@NE"
    assert table.counts == (0, 6)


def test_what_must_be_put_back_at_the_end_is_asked_and_between_is_implied() -> None:
    table = Table().started("N").shot("RED NE", "NE").wait(5.0).review("SW").choose("STRIKER SW")
    for pocket in POCKETS[:5]:
        table.wait(8.0).fall(pocket)
    table.wait(2.0).ok("referee").must_be(Phase.READY)
    assert table.entries[:3] == ["N red@NE", "N striker@SW", "! placed"]
    assert table.counts == (0, 5)


def test_one_by_one_opens_the_details_and_asks_no_more() -> None:
    table = after(5).pick("one by one").must_be(Phase.REVIEW)
    assert title(table) == ""
    assert table.view.waiting == 5
    for _ in range(6):
        table.wait(1.0).ok("referee")
    table.must_be(Phase.READY)
    assert table.counts == (6, 0)


def test_closing_it_opens_the_details_too() -> None:
    table = after(5).wait(1.0).undo()
    assert title(table) == ""
    assert table.view.waiting == 5


def test_the_counts_can_be_corrected_instead_and_the_falls_are_noted_with_them() -> None:
    table = after(5).pick("other counts").must_be(Phase.READY)
    assert title(table) == "correct the counts"
    assert table.entries == ["! set red pocketed=6"]
    assert [fall.number for fall in table.game.lines[-1].falls] == [1, 2, 3, 4, 5, 6]
    assert table.view.waiting == 0
    table.wait(1.0).hold("referee", "ok")
    assert table.counts == (5, 0)


def test_a_board_that_it_would_end_wants_ok_held() -> None:
    table = Table(handicap={"N": {"pucks_needed": 1}}).started("N").review("NE")
    for pocket in POCKETS[:5]:
        table.wait(8.0).fall(pocket)
    table.wait(2.0)
    found = table.dialogue.gathered
    assert found is not None
    if found.ends_board:
        table.ok("referee")
        assert table.entries == []
        table.wait(1.0).hold("referee", "ok").must_be(Phase.MATCH_OVER)


# what must hold


def test_the_question_survives_a_power_cut() -> None:
    table = after(5).restart()
    assert title(table) == "RED 6, GREEN 0?"
    table.wait(1.0).ok("referee").must_be(Phase.PAUSED)
    assert table.counts == (6, 0)
    assert str(table.view.headline) == "power was off"


def test_going_one_by_one_survives_a_power_cut() -> None:
    table = after(5).pick("one by one").restart().wait(1.0)
    assert title(table) == ""
    assert table.view.waiting == 5


def test_going_one_by_one_ends_with_the_match_that_was_never_confirmed() -> None:
    table = after(5).pick("one by one").wait(1.0).undo().must_be(Phase.SETUP)
    assert not table.dialogue.details
    check_a_restart(table)
    table.wait(1.0).ok("referee").wait(1.0)
    assert title(table) == "RED 6, GREEN 0?"


def test_time_goes_where_it_belongs_among_the_strokes_that_are_entered() -> None:
    table = after(5, time_limit_s=30, time_end="finish_round")
    assert title(table) != ""
    table.wait(1.0).ok("referee")
    at = table.entries.index("! time")
    before = [fall.number for line in table.game.lines for fall in line.falls][:at]
    zero = next(each for each in table.records if each.kind == EntryKind.TIME_UP)
    starts = [fall.start_ns for line in table.game.lines for fall in line.falls]
    assert 0 < at < len(table.entries) - 1
    assert all((start < zero.at_ns) == (n < len(before)) for n, start in enumerate(starts))


def test_a_pause_is_a_pause_again_afterwards() -> None:
    table = Table().started("N").hold("referee", "fix").pick("pause").must_be(Phase.PAUSED)
    for pocket in POCKETS[:5]:
        table.wait(8.0).fall(pocket)
    table.wait(2.0)
    assert title(table) == "RED 5, GREEN 0?"
    table.ok("referee").must_be(Phase.PAUSED)
    assert table.counts == (5, 0)
    assert not table.view.clock.running


def test_an_absent_confirmer_is_stood_in_for_here_too() -> None:
    table = (
        Table(dialogue_settings=DialogueSettings(confirm=Confirm.REFEREE)).started().review("NE")
    )
    for pocket in POCKETS[:5]:
        table.wait(8.0).fall(pocket)
    table.wait(5.0).hold("S", "ok").must_be(Phase.REVIEW)
    table.wait(12.0).hold("S", "ok").must_be(Phase.READY)
    assert table.counts == (6, 0)
    assert table.last(EntryKind.STOOD_IN)["wire"] == "seat_s_ok"


def test_the_question_reckons_with_the_clock_that_runs_out_while_it_is_open() -> None:
    table = after(5, time_limit_s=60, time_end="stop")
    assert (title(table), str(table.view.ok)) == ("RED 6, GREEN 0?", "select")
    table.wait(20.0)
    assert (title(table), str(table.view.ok)) == ("RED 6, GREEN 0?", "hold: confirm")
    table.ok("referee")
    assert table.entries == []
    table.wait(1.0).hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "! time"


@pytest.mark.parametrize("how", ["yes, enter it all", "other counts"])
def test_a_time_out_is_that_sides_time_out_again_with_its_clock_stopped(how: str) -> None:
    table = Table().started("N")
    table.hold("referee", "fix").pick("time-out").wait(1.0).ok("referee").calm()
    assert str(table.must_be(Phase.PAUSED).view.headline) == "time-out of RED"
    for pocket in POCKETS[:6]:
        table.fall(pocket).wait(8.0)
    assert table.items == ["yes, enter it all", "one by one", "other counts"]
    table.pick(how).calm()
    if how == "other counts":
        table.pick("the table is right").calm()
    assert str(table.must_be(Phase.PAUSED).view.headline) == "time-out of RED"
    assert not table.game.clock.running


# while pieces are to be put back


def owed(paused: bool) -> Table:
    """RED is to be put back for a striker, perhaps in a pause."""
    table = Table().started("N").shot("RED NE", "NE").review("SE").choose("STRIKER SE")
    table.ok("referee").calm().must_be(Phase.PLACING)
    if paused:
        table.hold("referee", "fix").wait(1).pick("pause").wait(1)
    return table.wait(6)


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("paused", [False, True])
def test_hands_alone_put_nothing_back(paused: bool, cut: bool) -> None:
    table = owed(paused).fall("SE", 400.0).wait(200)
    if title(table):
        table.ok("referee").calm()
    if cut:
        table.restart().wait(1)
    if paused:
        table.must_be(Phase.PAUSED).ok("referee").calm()
    assert table.must_be(Phase.PLACING).entries == ["N red@NE", "N striker@SE"]
    table.ok("referee")
    assert table.entries == ["N red@NE", "N striker@SE", "! placed"]


@pytest.mark.parametrize("paused", [False, True])
def test_who_shot_on_has_put_back(paused: bool) -> None:
    table = owed(paused).fall("SW").wait(200)
    assert title(table) == "RED 0, GREEN 1?"
    table.ok("referee").calm().must_be(Phase.PAUSED if paused else Phase.READY)
    assert table.entries == ["N red@NE", "N striker@SE", "! placed", "S green@SW"]


@pytest.mark.parametrize("at_once", [False, True])
def test_what_a_correction_asks_for_is_asked_for_once(at_once: bool) -> None:
    """Later strokes were kept, so two are put back now; the next stroke says that they are."""
    table = Table().started("N").shot("RED NE", "NE").shot("RED SE", "SE").miss().miss()
    table.hold("referee", "fix").wait(1).pick("history").wait(1).pick("2 N RED").wait(1)
    table.choose("RED SE").off().ok("referee").calm().ok("referee").calm().must_be(Phase.PLACING)
    before = table.entries
    table.wait(6).fall("NE").wait(3 if at_once else 200)
    table.ok("referee").calm()
    if at_once:
        table.ok("referee").calm()
    assert table.must_be(Phase.READY).entries == [*before, "! placed", "N red@NE"]


def test_where_it_matters_the_question_asks_whether_it_was_put_back_in_time() -> None:
    table = owing()
    before = table.fall("NE").wait(200).entries
    assert title(table) == "WHITE 0, BLACK 0?"
    table.ok("N").calm()
    assert title(table) == "put back in time?"
    assert table.entries == before


def test_a_manual_entry_that_is_closed_leaves_what_is_to_be_put_back() -> None:
    """A correction behind it has just sent a piece back, and nobody has shot since."""
    table = Table().started("N").shot("RED NE", "NE").shot("RED SE", "SE").wait(6)
    table.fix("referee").wait(1).hold("referee", "fix").wait(1).pick("menu").wait(1)
    table.pick("history").wait(1).pick("2 N RED").wait(1).choose("STRIKER SE").ok("referee").calm()
    assert str(table.view.detail) == "shoot again, RED placed"
    table.undo().calm().must_be(Phase.PLACING)
    assert table.entries == ["N red@NE", "N striker@SE"]
