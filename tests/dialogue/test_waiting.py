"""Nothing sensed is dropped: falls that arrive while something else is open are queued."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table


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
    assert [len(group.falls) for group in table.dialogue.waiting] == [1]
    assert len(table.dialogue.waiting[0].falls[0].pulses) == 2


def test_a_hand_that_fetches_the_striker_costs_no_press() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW")
    assert str(table.view.detail) == "striker in SW"
    table.fall("SW", 300).must_be(Phase.FALLING).wait(1.6).must_be(Phase.READY)
    assert str(table.view.detail) == "hand in SW"
    assert table.view.fetch == ()
    assert table.shooter == "S"
    table.wait(1.0).miss("S")
    assert table.last(EntryKind.CLEARING)["falls"] == [2], "the next OK settles it"
    assert str(table.view.detail) == "RED owes 1"


def test_a_hand_in_another_pocket_is_asked_about() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW")
    table.fall("NE", 150).wait(1.6).must_be(Phase.REVIEW)
    assert table.view.fetch == (Pocket.SW,)
    table.choose("NOT A STROKE").wait(0.5).ok("referee").must_be(Phase.READY)
    assert str(table.view.detail) == "striker in SW", "it still lies there"


def test_a_piece_in_the_pocket_to_be_fetched_from_is_still_asked_about() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW")
    table.fall("SW", 9).wait(1.6).must_be(Phase.REVIEW)


def test_a_hand_while_placing_is_shown_not_asked() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW")
    table.wait(0.5).ok("referee").calm().must_be(Phase.PLACING)
    table.fall("NE", 150).wait(1.0).must_be(Phase.PLACING)
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
    assert table.last(EntryKind.CLEARING)["falls"] == [3]


BY_WORD = {
    "resign": ("S resigns", "! resign S"),
    "draw": (None, "! draw"),
    "void the board": (None, "! board"),
}


def said_by_word(table: Table, item: str) -> Table:
    """End the board from the menu; in a review the menu is behind editing."""
    table.hold("referee", "fix").wait(1.0)
    if table.phase is Phase.REVIEW:
        table.pick("menu")
    side, _entry = BY_WORD[item]
    if side is None:
        return table.pick(item, held=True)
    return table.pick(item).pick(side, held=True)


@pytest.mark.parametrize("item", BY_WORD)
def test_a_board_is_not_ended_by_word_before_its_review_is_settled(item: str) -> None:
    table = said_by_word(Table().started("N").review("NE"), item).must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"
    assert table.view.menu is None
    assert str(table.view.detail) == "settle what fell first"
    assert EntryKind.CLEARING not in table.kinds()
    table.calm().ok("referee").must_be(Phase.READY)
    said_by_word(table, item)
    assert table.entries == ["N red@NE", BY_WORD[item][1]]


@pytest.mark.parametrize("item", BY_WORD)
def test_what_fell_while_the_menu_was_open_is_settled_before_the_board_is_ended(item: str) -> None:
    table = Table().started("N").hold("referee", "fix").wait(1.0)
    table.fall("NE").wait(3.0)
    side = BY_WORD[item][0]
    table = table.pick(item).pick(side, held=True) if side else table.pick(item, held=True)
    table.must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"
    assert table.entries == []


@pytest.mark.parametrize("item", BY_WORD)
def test_a_hand_that_fetches_keeps_nobody_from_ending_a_board_by_word(item: str) -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW")
    table.wait(0.5).ok("referee").must_be(Phase.PLACING).calm()
    table.fall("SW", 400).wait(3.0)
    assert table.view.waiting == 1
    said_by_word(table, item)
    assert BY_WORD[item][1] in table.entries


def test_what_is_open_when_a_match_is_put_aside_is_written_down() -> None:
    table = Table().started("N").review("NE")
    table.fall("SE").wait(2.0).hold("referee", "fix").pick("menu").wait(1.0)
    table.pick("end this match", held=True).must_be(Phase.SETUP)
    assert table.last(EntryKind.CLEARING)["falls"] == [1, 2]


def test_a_menu_over_a_review_leaves_the_review_open() -> None:
    table = Table().started("N").review("NE").choose("GREEN NE").hold("referee", "fix")
    table.pick("menu").wait(1.0).pick("correct the counts").pick("GREEN in: 0").wait(1.0)
    table.pick("the table is right").must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NE"
    assert table.counts == (0, 1)
    table.calm().ok("referee")
    assert table.entries == ["! set green pocketed=1", "N green@NE"]


# part of the stroke before?


def late_piece(what: str, after_s: float = 0.3) -> Table:
    """N's stroke is in review when one more piece falls; then it is confirmed."""
    table = Table().started("N").review("NE").choose(what)
    return table.wait(after_s).fall("SE").wait(3.0).ok("referee")


def test_a_piece_that_came_late_can_be_read_as_part_of_the_stroke_before() -> None:
    table = late_piece("GREEN NE").must_be(Phase.REVIEW)
    shown = [str(each.what) for each in table.view.readings]
    assert "replace N's last stroke: GREEN NE, RED SE" in shown
    assert shown[0] == "GREEN SE", "the next stroke, by S, is likelier"
    table.choose("replace N's last stroke: GREEN NE, RED SE")
    assert table.shooter == "N"
    assert str(table.view.detail) == "shoot again"
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N green@NE red@SE"], "it takes the place of the entry before"
    assert table.shooter == "N"
    assert [fall.number for fall in table.game.lines[-1].falls] == [1, 2]
    table.calm().undo()
    assert table.entries == []


def test_the_later_a_piece_comes_the_less_it_is_part_of_the_stroke_before() -> None:
    def joined(after_s: float) -> float:
        table = late_piece("GREEN NE", after_s)
        assert table.dialogue.proposal is not None
        return sum(each.probability for each in table.dialogue.proposal.readings if each.joins)

    soon, later, too_late = joined(0.2), joined(2.0), joined(6.0)
    assert 0.5 > soon > later > too_late == 0.0


def test_what_was_put_back_already_is_not_asked_for_again() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("RED NE", "NE")
    table.review("SW").choose("STRIKER SW")
    table.ok("referee").must_be(Phase.PLACING).wait(0.5)
    assert table.view.place == (Piece.RED,)
    table.fall("SE").wait(2.0).ok("referee").must_be(Phase.REVIEW)
    table.choose("replace N's last stroke: STRIKER SW, RED SE").wait(1.0).ok("referee").must_be(
        Phase.PLACING
    )
    assert table.view.place == (Piece.RED,), "of two, one lies there already"
    table.calm().ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N red@NE", "N striker@SW red@SE", "! placed"]
    assert table.counts == (1, 0)


def test_a_late_jack_that_wins_wants_ok_held() -> None:
    table = Table(handicap={"N": {"pucks_needed": 1}}).started("N").shot("RED NE", "NE")
    table.review("SW").choose("GREEN SW")
    table.fall("SE").wait(2.0).ok("referee").must_be(Phase.REVIEW)
    table.choose("replace N's last stroke: GREEN SW, JACK SE").wait(1.0).ok("referee").must_be(
        Phase.REVIEW
    )
    table.hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "N green@SW jack@SE"]


def test_a_late_piece_comes_back_after_a_power_cut_as_it_was_chosen() -> None:
    table = late_piece("GREEN NE").choose("replace N's last stroke: GREEN NE, RED SE").restart()
    assert table.proposed == "replace N's last stroke: GREEN NE, RED SE"
    table.wait(1.0).ok("referee")
    assert table.entries == ["N green@NE red@SE"]


def test_undo_while_a_late_piece_is_open_keeps_it_for_afterwards() -> None:
    table = late_piece("GREEN NE").wait(1.0).undo().must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NE"
    table.choose("STRIKER NE").wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert "replace N's last stroke: STRIKER NE, RED SE" in [
        str(each.what) for each in table.view.readings
    ]
