"""An objection by a seat that may not decide is seen, written down, and shown until answered."""

from __future__ import annotations

from jackspot.core.pieces import Seat
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table


def in_review() -> Table:
    """N's stroke is in review, for the referee to confirm; S objects."""
    table = Table(dialogue_settings=DialogueSettings(confirm=Confirm.REFEREE)).started("referee")
    return table.review("NE").wait(0.5).fix("S")


def test_another_seats_fix_shows_that_it_objects_and_is_journaled() -> None:
    table = in_review().must_be(Phase.REVIEW)
    assert table.proposed == "RED NE", "nothing else comes of it"
    assert "S objects" in str(table.view.detail)
    assert table.last(EntryKind.OBJECTION)["wire"] == "seat_s_fix"


def test_an_objection_stays_beside_the_question_until_it_is_answered() -> None:
    table = in_review().wait(5.0)
    assert str(table.view.detail) == "S objects"
    table.fix("referee")
    assert str(table.view.detail) == "S shoots - S objects", "the next reading, still asked"
    table.wait(1.0).ok("referee")
    assert "objects" not in str(table.view.detail)
    assert not table.dialogue.objections


def test_two_who_object_are_both_named_and_each_once() -> None:
    table = Table(
        dialogue_settings=DialogueSettings(confirm=Confirm.REFEREE), lineup="NESW"
    ).started("referee")
    table.review("NE").wait(0.5).fix("E").wait(0.5).fix("W").wait(0.5).fix("E")
    assert table.dialogue.objections == (Seat.E, Seat.W)
    table.fix("referee")
    assert str(table.view.detail).endswith("E objects - W objects")


def test_undo_answers_an_objection_too() -> None:
    table = (
        Table(dialogue_settings=DialogueSettings(confirm=Confirm.REFEREE)).started("referee").miss()
    )
    table.fix("N")
    assert table.dialogue.objections == (Seat.N,)
    table.wait(0.5).undo()
    assert not table.dialogue.objections


def test_an_objection_outlasts_a_power_cut() -> None:
    table = in_review().restart()
    assert "S objects" in str(table.view.detail)


def test_an_objection_does_not_swallow_the_referees_press() -> None:
    table = in_review().wait(0.1).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE"]
