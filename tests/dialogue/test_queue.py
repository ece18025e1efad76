"""The queue of proposals: what waits, how it is read, and what an OK settles."""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.proposals import scenes
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, QueuedKind
from tests.dialogue.playing import Table


def queue(table: Table) -> list[tuple[str, str]]:
    """Return what waits, in the order in which it will be asked."""
    return [(each.kind.value, str(each.what)) for each in table.view.queue]


# what waits is shown


def test_what_waits_is_shown_with_its_kind_likeliest_reading_reason_and_pockets() -> None:
    table = Table().started("N").review("NE")
    table.fall("SE").wait(6.0).fall("SW", 600).wait(4.0)
    assert queue(table) == [("waits", "RED SE"), ("hand", "hand in SW")]
    first, second = table.view.queue
    assert str(first.why) == "9 ms in SE: puck, striker or jack; own puck likely"
    assert 0.5 < first.probability < 1
    assert second.probability >= 0.9
    assert (first.pockets, second.pockets) == ((Pocket.SE,), (Pocket.SW,))


def test_a_parked_proposal_is_asked_before_what_came_later() -> None:
    table = Table().started("N").shot("RED NE", "NE").wait(6.0).review("SE").choose("GREEN SE")
    table.wait(0.5).undo().must_be(Phase.REVIEW)
    table.wait(1.0).fall("NW").wait(2.0)
    assert queue(table) == [("parked", "GREEN SE"), ("waits", "RED NW")]


def test_ok_settles_the_first_and_opens_the_next_in_the_order_shown() -> None:
    table = Table().started("N").review("NE").wait(4.0)
    for pocket in ("SE", "SW", "NW"):
        table.fall(pocket).wait(8.0)
    order = [what for _kind, what in queue(table)]
    asked = []
    for _ in range(3):
        table.wait(1.0).ok("referee").must_be(Phase.REVIEW)
        asked.append(table.proposed)
    assert asked == order == ["RED SE", "RED SW", "RED NW"]
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N red@SE", "N red@SW", "N red@NW"]


def test_showing_what_waits_again_reads_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table().started("N").review("NE")
    for pocket in ("SE", "SW", "NW"):
        table.fall(pocket).wait(8.0)
    shown = table.view.queue
    assert len(shown) == 3

    def never(*_: Any) -> Any:
        raise AssertionError("ranked again")

    monkeypatch.setattr(scenes, "rank", never)
    assert table.view.queue == shown


# ranked by delay, width, repetition, and what must be fetched


def test_a_fall_at_once_after_a_strokes_last_one_reads_as_the_same_stroke() -> None:
    table = Table().started("N").fall("NE").wait(0.6).fix("referee").fix("referee")
    table.choose("RED NE").wait(0.1).fall("SE").wait(2.0)
    assert table.view.waiting == 1
    table.ok("referee").must_be(Phase.REVIEW)
    assert table.proposed == "replace N's last stroke: RED NE, RED SE"


def test_where_a_hand_has_just_been_the_next_break_is_that_hand_on_its_way_out() -> None:
    def hand(pocket: str) -> float:
        table = Table().started("N").shot("STRIKER SW", "SW").calm()
        table.fall("SW", 400).wait(1.7).must_be(Phase.READY).fall(pocket, 60)
        assert table.dialogue.proposal is not None
        return sum(e.probability for e in table.dialogue.proposal.readings if not e.stroke)

    assert hand("SW") > 5 * hand("NE")


def test_the_list_of_what_to_fetch_lasts_into_ready_until_the_hand_is_settled() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW").miss("S")
    assert table.view.fetch == (), "that stroke is over"
    table = Table().started("N").shot("STRIKER SW", "SW").must_be(Phase.READY)
    assert table.view.fetch == (Pocket.SW,)


def test_penalty_pieces_may_still_be_fetched_just_after_they_were_said_to_be_placed() -> None:
    def hand(after_s: float) -> float:
        table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW")
        table.wait(0.5).ok("referee").calm().ok("referee").wait(after_s).fall("SE", 70)
        assert table.dialogue.proposal is not None
        return sum(e.probability for e in table.dialogue.proposal.readings if not e.stroke)

    assert hand(1.0) > 3 * hand(8.0)


# hands


def hand_shown() -> Table:
    """A hand has fetched the striker from SW, and is shown in *ready*."""
    table = Table().started("N").shot("STRIKER SW", "SW")
    return table.fall("SW", 300).wait(1.6).must_be(Phase.READY)


def test_a_hand_is_shown_not_asked_and_settles_with_the_next_ok() -> None:
    table = hand_shown()
    assert str(table.view.detail) == "hand in SW"
    assert queue(table) == [("hand", "hand in SW")]
    assert "clearing" not in table.kinds()
    table.calm().ok("S")
    assert table.last(EntryKind.CLEARING)["falls"] == [2]
    assert table.view.queue == ()
    assert table.entries == ["N striker@SW", "S -"]


def test_a_hand_that_was_none_is_offered_first_by_fix_in_ready() -> None:
    table = hand_shown()
    assert str(table.view.fix) == "no hand"
    table.calm().fix("referee").must_be(Phase.REVIEW)
    assert table.view.proposal is not None
    assert table.view.proposal.stroke, "as a fall"
    table.choose("GREEN SW").wait(1.0).ok("referee")
    assert table.entries == ["N striker@SW", "S green@SW"]
    assert "clearing" not in table.kinds()


def test_after_the_hand_fix_enters_by_hand_again() -> None:
    table = hand_shown().calm().miss("S")
    assert str(table.view.fix) == "enter it"
    table.fix("referee")
    assert table.dialogue.proposal is not None
    assert table.dialogue.proposal.falls == ()


def test_a_stroke_after_a_hand_settles_the_hand_with_its_ok() -> None:
    table = hand_shown().wait(6.0).review("NE").choose("GREEN NE")
    assert "clearing" not in table.kinds()
    table.wait(0.5).ok("referee")
    assert table.last(EntryKind.CLEARING)["falls"] == [2]
    assert table.entries == ["N striker@SW", "S green@NE"]


def test_a_hand_that_is_shown_outlasts_a_power_cut_and_is_still_reachable() -> None:
    table = hand_shown().restart().must_be(Phase.PAUSED).ok("referee").calm()
    table = hand_shown().restart()
    assert queue(table) == [("hand", "hand in SW")]


def test_undo_leaves_a_hand_where_it_is() -> None:
    table = hand_shown().calm().undo().must_be(Phase.REVIEW)
    assert queue(table) == [("hand", "hand in SW")]
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.last(EntryKind.CLEARING)["falls"] == [2]


def test_a_hand_behind_other_proposals_costs_no_press() -> None:
    table = Table().started("N").review("NE").wait(3.0)
    table.fall("SW", 600).wait(5.0).fall("SE").wait(3.0).ok("referee").must_be(Phase.REVIEW)
    assert table.proposed == "RED SE"
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N red@SE"]
    assert table.last(EntryKind.CLEARING)["falls"] == [2]


# placed is implied


def foul_with_a_piece_to_put_back() -> Table:
    """N has one red puck in and then pockets the striker; its review is open."""
    return Table().started("N").shot("RED NE", "NE").wait(3.0).review("SW").choose("STRIKER SW")


def test_if_a_later_one_reads_as_the_next_stroke_placed_is_implied() -> None:
    table = foul_with_a_piece_to_put_back().wait(7.0).fall("SE").wait(3.0).ok("referee")
    table.must_be(Phase.REVIEW)
    assert table.proposed == "GREEN SE"
    assert table.view.place, "still shown"
    assert str(table.view.detail) == "shoot again, RED placed", "what an OK implies"
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N striker@SW", "! placed", "S green@SE"]
    assert not table.view.place


def test_what_turns_out_to_be_no_stroke_leaves_placing_to_be_asked() -> None:
    table = foul_with_a_piece_to_put_back().wait(7.0).fall("SE", 50).wait(3.0).ok("referee")
    table.must_be(Phase.REVIEW).choose("NOT A STROKE").wait(1.0).ok("referee")
    table.must_be(Phase.PLACING)
    assert table.view.place == (Piece.RED,)
    table.calm().ok("referee").must_be(Phase.READY)
    assert "! placed" in table.entries


def test_what_joins_the_stroke_before_asks_for_all_that_must_be_put_back() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("RED NE", "NE")
    table.wait(3.0).review("SW").choose("STRIKER SW").fall("SE").wait(2.0).ok("referee")
    table.must_be(Phase.REVIEW).choose("replace N's last stroke: STRIKER SW, RED SE").wait(1.0).ok(
        "referee"
    )
    table.must_be(Phase.PLACING)
    assert table.view.place == (Piece.RED, Piece.RED), "nothing was put back yet"


def test_undo_from_a_stroke_with_placed_implied_opens_the_foul_again() -> None:
    table = foul_with_a_piece_to_put_back().wait(7.0).fall("SE").wait(3.0).ok("referee")
    table.wait(1.0).undo().must_be(Phase.REVIEW)
    assert table.proposed == "STRIKER SW"
    assert queue(table) == [("parked", "RED SE")]  # while the foul is open, N is to shoot
    table.wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert (table.proposed, table.view.place) == ("GREEN SE", (Piece.RED,))


def test_placed_implied_outlasts_a_power_cut() -> None:
    table = foul_with_a_piece_to_put_back().wait(7.0).fall("SE").wait(3.0).ok("referee")
    table.restart().must_be(Phase.REVIEW)
    assert table.view.place == (Piece.RED,)
    table.wait(1.0).ok("referee")
    assert table.entries == ["N red@NE", "N striker@SW", "! placed", "S green@SE"]


def test_only_hands_that_wait_leave_placing_as_it_is() -> None:
    table = foul_with_a_piece_to_put_back().wait(2.0).fall("SW", 500).wait(2.0).ok("referee")
    table.must_be(Phase.PLACING)
    assert [each.kind for each in table.view.queue] == [QueuedKind.HAND]
