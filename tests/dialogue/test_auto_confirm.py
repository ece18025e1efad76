"""A reading as sure as the owner asks for settles itself at the end of *falling*."""

from __future__ import annotations

from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table


def table_with(auto_confirm: float) -> Table:
    return Table(dialogue_settings=DialogueSettings(auto_confirm=auto_confirm))


def test_nothing_settles_itself_unless_the_owner_says_so() -> None:
    assert DialogueSettings().auto_confirm == 0.0
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


def test_what_people_have_marked_is_asked() -> None:
    table = table_with(0.3).started("N").fall("NE").wait(0.6).foul().wait(3.0)
    table.must_be(Phase.REVIEW)


def test_an_ok_just_after_it_enters_no_miss() -> None:
    table = table_with(0.6).started("N").fall("NE").wait(2.2).must_be(Phase.READY).ok("N")
    assert table.entries == ["N red@NE"]
    assert table.last(EntryKind.SWALLOWED)["why"] == "just confirmed"
