"""Nothing sensed is dropped: falls that come while something else is open."""

from __future__ import annotations

from jackspot.core.pieces import Pocket
from jackspot.table.entries import Kind
from jackspot.table.view import Phase
from tests.table.playing import Table


def test_players_who_shoot_on_without_pressing_lose_nothing() -> None:
    table = Table().started("N").review("NE")
    table.fall("SE").wait(4.0).fall("SW").wait(4.0)
    assert table.view.waiting == 2
    table.ok("referee").must_be(Phase.REVIEW)
    assert (table.proposed, table.view.waiting) == ("RED SE", 1)
    table.wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert (table.proposed, table.view.waiting) == ("RED SW", 0)
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N red@SE", "N red@SW"]


def test_a_waiting_proposal_is_read_for_the_seat_that_shoots_by_then() -> None:
    table = Table().started("N").review("NE").choose("GREEN NE")
    table.fall("SE").wait(4.0).ok("referee")
    assert table.shooter == "S"
    assert table.proposed == "GREEN SE"


def test_falls_that_come_together_wait_together() -> None:
    table = Table().started("N").review("NE")
    table.falls_in("SE", "SW").wait(3.0)
    assert table.view.waiting == 1
    table.ok("referee")
    assert table.proposed == "RED SE, RED SW"


def test_a_waiting_fall_that_grows_stays_one() -> None:
    table = Table().started("N").review("NE")
    table.fall("SE", 6).wait(0.006).fall("SE", 5).wait(2.0)
    assert table.view.waiting == 1
    assert [len(group.falls) for group in table.desk.waiting] == [1]
    assert len(table.desk.waiting[0].falls[0].pulses) == 2


def test_a_hand_that_fetches_the_striker_costs_no_press() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW")
    assert str(table.view.detail) == "striker in SW"
    table.fall("SW", 300).must_be(Phase.FALLING).wait(1.6).must_be(Phase.READY)
    assert str(table.view.detail) == "hand in SW"
    assert table.last(Kind.CLEARING)["falls"] == [2]
    assert table.view.fetch == ()
    assert table.shooter == "S"


def test_a_hand_in_another_pocket_is_asked_about() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW")
    table.fall("NE", 90).wait(1.6).must_be(Phase.REVIEW)
    assert table.view.fetch == (Pocket.SW,)


def test_a_piece_in_the_pocket_to_be_fetched_from_is_still_asked_about() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW")
    table.fall("SW", 9).wait(1.6).must_be(Phase.REVIEW)


def test_a_hand_while_placing_is_shown_not_asked() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW")
    table.wait(0.5).ok("referee").calm().must_be(Phase.PLACING)
    table.fall("NE", 350).wait(1.0).must_be(Phase.PLACING)
    assert table.view.waiting == 1
    table.ok("referee").must_be(Phase.READY)
    assert str(table.view.detail) == "hand in NE"
    assert table.view.waiting == 0
    assert table.shooter == "S"


def test_a_stroke_shot_before_placing_was_confirmed_is_the_next_ones() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW")
    table.wait(0.5).ok("referee").calm().must_be(Phase.PLACING)
    table.fall("SE", 9).wait(3.0).ok("referee").must_be(Phase.REVIEW)
    assert table.shooter == "S"
    assert table.choose("GREEN SE").proposed == "GREEN SE"


def test_what_still_waits_when_a_board_ends_is_asked_about() -> None:
    table = Table(handicap={"N": {"pucks_needed": 1}}).started("N").shot("RED NE", "NE")
    table.review("SE").choose("JACK SE")
    table.fall("SW").wait(2.0).hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert str(table.view.menu and table.view.menu.title) == "a fall after the end"
    table.wait(1.0).fix("referee")
    assert table.last(Kind.CLEARING)["falls"] == [3]


def test_what_is_open_when_a_match_is_put_aside_is_written_down() -> None:
    table = Table().started("N").review("NE")
    table.fall("SE").wait(2.0).hold("referee", "fix").pick("menu").wait(1.0)
    table.pick("end this match", held=True).must_be(Phase.SETUP)
    assert table.last(Kind.CLEARING)["falls"] == [1, 2]


def test_a_menu_over_a_review_leaves_the_review_open() -> None:
    table = Table().started("N").review("NE").choose("GREEN NE").hold("referee", "fix")
    table.pick("menu").wait(1.0).pick("correct the counts").pick("GREEN 0: +1").wait(1.0)
    table.pick("the table is right").must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NE"
    assert table.counts == (0, 1)
    table.calm().ok("referee")
    assert table.entries == ["! set green pocketed=1", "N green@NE"]
