"""When counts become impossible, the board says so at once and offers corrections."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_a_restart, check_all
from tests.dialogue.playing import Table

POCKETS = ("NE", "SE", "SW", "NW")


def twelve_in() -> Table:
    """Twelve reds are said to be in; the third fall was taken for two of them."""
    table = Table(box=False).started("N")
    for index in range(11):
        pocket = POCKETS[index % 4]
        twice = index == 2
        table.fall(pocket, 75.0 if twice else 9.0).wait(1.6)
        table.choose(f"RED {pocket}, RED {pocket}" if twice else f"RED {pocket}", by="N")
        table.wait(0.5).ok("N").calm()
    assert table.counts == (12, 0)
    return table


def thirteenth(table: Table) -> Table:
    """N sees one more red fall, and edits the stroke to say so."""
    table.review("NE").hold("N", "fix").wait(1.0)
    for _ in range(6):
        if table.proposed == "RED NE":
            break
        table.pick(table.lines_of(1)[0], by="N").wait(0.3)
    assert table.proposed == "RED NE"
    return table.pick("done", by="N")


def offered(table: Table) -> list[str]:
    """Return what is offered when the counts are impossible."""
    assert table.dialogue.menu is not None, f"nothing is offered in {table.phase}"
    assert table.dialogue.menu.kind is MenuKind.IMPOSSIBLE
    return table.items


def test_a_thirteenth_puck_is_said_to_be_one_too_many_at_once() -> None:
    table = thirteenth(twelve_in())
    assert str(table.view.menu and table.view.menu.title) == "RED: 1 too many"
    assert str(table.view.proposal and table.view.proposal.follows) == "RED: 1 too many"


def test_the_likeliest_mistake_is_offered_first_then_the_count_then_the_stroke_itself() -> None:
    items = offered(thirteenth(twelve_in()))
    assert items[0] == "3 N RED SW, RED SW?", "two in one fall: the least certain of all"
    assert items[-2:] == ["set RED in: 11", "change this stroke"]
    assert len(items) == 5, "three entries at most"


def test_the_likeliest_correction_is_opened_with_what_it_may_have_been_instead() -> None:
    table = thirteenth(twelve_in()).wait(1.0).ok("N").must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE", "N red@SE"]
    assert table.proposed == "RED SW"
    check_a_restart(table)


def test_once_the_mistake_is_mended_and_the_rest_kept_the_thirteenth_is_the_twelfth() -> None:
    table = thirteenth(twelve_in()).wait(1.0).ok("N").calm().ok("N").wait(1.0)
    assert str(table.view.menu and table.view.menu.title) == "keep 8 later strokes?"
    table.ok("N").wait(1.0)
    if table.dialogue.menu is not None:
        table.ok("N").wait(1.0)
    table.must_be(Phase.REVIEW)
    assert table.proposed == "RED NE", "the stroke that lay open comes back as people said it"
    assert table.counts == (11, 0)
    table.calm().ok("N")
    assert table.counts == (12, 0)
    check_all(table)


def test_the_count_is_corrected_instead_and_the_stroke_is_entered() -> None:
    table = thirteenth(twelve_in()).pick("set RED in: 11", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"
    table.calm().ok("N").must_be(Phase.READY)
    assert table.entries[-2:] == ["! set red pocketed=11", "N red@NE"]
    assert table.counts == (12, 0)


def test_the_stroke_itself_is_changed_instead() -> None:
    table = thirteenth(twelve_in()).pick("change this stroke", by="N")
    table.pick("piece 1: RED", by="N").pick("done", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NE"


@pytest.mark.parametrize("how", ["undo", "silence"])
def test_nothing_is_lost_when_nothing_is_chosen(how: str) -> None:
    table = thirteenth(twelve_in()).wait(1.0)
    if how == "undo":
        table.undo("N")
    else:
        table.wait(21.0)
    table.must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"
    table.calm().ok("N")
    assert offered(table)[0].startswith("3 N RED"), "OK offers it again, it cannot be entered"


def test_going_back_from_the_entry_that_was_opened_loses_nothing() -> None:
    table = twelve_in()
    entries = table.entries
    thirteenth(table).wait(1.0).ok("N").wait(1.0).undo("N").must_be(Phase.REVIEW)
    assert table.entries == entries
    assert table.proposed == "RED NE"


def test_a_manual_entry_that_cannot_be_is_not_lost_by_opening_an_earlier_one() -> None:
    table = twelve_in().fix("N").must_be(Phase.REVIEW).hold("N", "fix").wait(1.0)
    for _ in range(8):
        if table.proposed == "RED":
            break
        table.pick(table.lines_of(1)[0], by="N").wait(0.3)
    table.pick("done", by="N").wait(1.0)
    assert offered(table)
    table.ok("N").wait(1.0).undo("N").must_be(Phase.REVIEW)
    assert table.proposed == "RED"


def test_the_last_jack_twice_is_said_to_be_one_too_many() -> None:
    table = Table(box=False).started("N").review("NE", "SE").choose("RED NE, RED SE", by="N")
    table.hold("N", "fix").wait(1.0)
    for piece in (1, 2):
        for _ in range(4):
            if table.lines_of(piece)[0].endswith("JACK"):
                break
            table.pick(table.lines_of(piece)[0], by="N").wait(0.3)
    table.pick("done", by="N")
    assert str(table.view.menu and table.view.menu.title) == "JACK: 1 too many"
    assert offered(table) == ["change this stroke"]


def test_more_falls_than_pieces_are_said_at_once_too() -> None:
    table = Table().started("N").hold("referee", "fix").pick("correct the counts")
    for _ in range(11):
        table.wait(1.0).ok("referee")
    table.fix("referee")
    for _ in range(12):
        table.wait(1.0).ok("referee")
    table.wait(1.0).hold("referee", "fix").calm()
    assert table.counts == (11, 12)
    table.falls_in("NE", "SE", "SW", "NW").wait(1.6).must_be(Phase.REVIEW)
    assert str(table.view.menu and table.view.menu.title) == "1 piece too many"
    assert "set RED in: 10" in offered(table)
    assert "set GREEN in: 11" in offered(table)


def test_the_list_of_corrections_outlasts_a_power_cut() -> None:
    table = thirteenth(twelve_in())
    items = offered(table)
    check_a_restart(table)
    table.restart()
    assert offered(table) == items


def test_a_kept_stroke_that_is_one_too_many_offers_the_same() -> None:
    table = Table(box=False).started("N")
    for index in range(11):
        table.shot(f"RED {POCKETS[index % 4]}", POCKETS[index % 4], by="N")
    table.miss("N").miss("S").shot("RED SW", "SW", by="N").miss("N")
    for _ in range(4):
        table.undo("N").wait(0.1)
    table.wait(1.0).fix("N").choose("RED", by="N").wait(0.5).ok("N").wait(1.0).ok("N")
    table.must_be(Phase.REVIEW).calm().ok("N")
    assert offered(table)[-2:] == ["set RED in: 11", "change this stroke"]
    table.pick("set RED in: 11", by="N").must_be(Phase.REVIEW).calm().ok("N").wait(1.0)
    assert table.entries[11:] == [
        "N red", "! turn S", "S -", "! set red pocketed=11", "N red@SW", "N -"
    ]  # fmt: skip
    assert table.game.match.state.position.count(table.view.sides[0].side).pocketed == 12
    assert Piece.RED not in table.view.place
