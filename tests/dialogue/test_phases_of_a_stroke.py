"""The phases of a stroke that has begun: *falling*, *review* and *placing*, press by press."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.stroke import Flag
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.state.view import Phase, Sound
from tests.dialogue.in_phase import JUST_ONE, SAY, in_falling, in_placing, in_ready, in_review
from tests.dialogue.playing import Table

# --- falling --------------------------------------------------------------------------


def test_falling_ends_after_a_second_and_a_half_of_quiet() -> None:
    table = in_ready()
    table.fall("NE").wait(1.4).must_be(Phase.FALLING).wait(0.15).must_be(Phase.REVIEW)


def test_falling_ends_after_six_seconds_at_the_latest() -> None:
    table = in_ready()
    for pocket in ("NE", "SE", "SW", "NW", "NE"):
        table.fall(pocket).wait(1.2)
    table.must_be(Phase.REVIEW)
    table.fall("SE")
    assert table.view.waiting == 1


def test_falling_stays_while_a_beam_is_broken() -> None:
    table = in_ready()
    table.fall("NE").wait(1.0).edge(Pocket.SE, True).wait(1.2).must_be(Phase.FALLING)
    table.edge(Pocket.SE, False).wait(1.6).must_be(Phase.REVIEW)
    assert [len(each.falls) for each in (table.dialogue.proposal,) if each] == [2]


def test_falling_ok_confirms_what_has_stood_for_half_a_second() -> None:
    table = in_ready()
    table.fall("NE").wait(0.55).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_falling_ok_settles_what_has_not_stood_for_half_a_second() -> None:
    table = in_ready()
    table.fall("NE").wait(0.41).ok("referee").must_be(Phase.REVIEW)
    assert table.entries == []


def test_falling_ok_settles_while_a_further_piece_breaks_a_beam() -> None:
    table = in_falling().edge(Pocket.SE, True).wait(0.1).ok("referee").must_be(Phase.REVIEW)
    assert table.entries == []


def test_falling_ok_does_not_end_a_board() -> None:
    table = in_ready()
    for pocket in ("NE", "SE", "SW", "NW") * 3:
        table.shot(f"RED {pocket}", pocket)
    table.fall("SE").wait(1.0)
    assert table.proposed == "JACK SE"
    table.ok("referee").must_be(Phase.REVIEW)
    assert len(table.entries) == 12


def test_falling_fix_settles_and_shows_the_next_reading() -> None:
    table = in_falling().fix("referee").must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NE"


@pytest.mark.parametrize(("say", "shown"), [(Action.FOUL, "foul, RED NE"),
                                            (Action.OFF, "RED NE, STRIKER off")])  # fmt: skip
def test_falling_foul_and_off_mark_the_stroke(say: Action, shown: str) -> None:
    table = in_falling()
    SAY[say](table).must_be(Phase.FALLING)
    assert table.proposed == shown
    table.fall("SW").wait(1.6).must_be(Phase.REVIEW)
    assert table.proposed.count(",") == 2, "what was marked stays when a piece joins"


def test_falling_undo_goes_to_the_review_of_the_entry_before_and_parks_the_fall() -> None:
    table = in_ready().shot("RED NE", "NE")
    table.fall("SW").wait(0.6).undo().must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"
    assert table.view.waiting == 1


def test_falling_a_fall_joins() -> None:
    table = in_ready().falls_in("NE", "SW")
    assert table.proposed == "RED NE, RED SW"
    assert table.view.waiting == 0


# --- review ---------------------------------------------------------------------------


def test_review_ok_confirms_and_says_what_follows() -> None:
    table = in_review()
    assert (table.proposed, str(table.view.detail)) == ("RED NE", "shoot again")
    table.ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE"]
    assert Sound.AGAIN in table.sounds
    assert table.view.last is not None
    assert table.view.last.rows == ("HK-02",)


def test_review_a_stroke_that_ends_the_board_wants_ok_held() -> None:
    table = Table(handicap=JUST_ONE).started("N").shot("RED NE", "NE")
    table.review("SE").choose("JACK SE").wait(0.5)
    assert table.view.proposal is not None
    assert table.view.proposal.ends_board
    table.ok("referee").must_be(Phase.REVIEW)
    assert str(table.view.detail) == "hold OK: it ends the board"
    table.hold("referee", "ok").must_be(Phase.MATCH_OVER)


def test_review_ok_held_confirms_also_what_ends_nothing() -> None:
    table = in_review().hold("referee", "ok")
    assert table.entries == ["N red@NE"]


def test_review_fix_goes_through_six_readings_and_round_again() -> None:
    table = in_review()
    seen = []
    for _ in range(6):
        seen.append(table.proposed)
        table.fix("referee")
    assert len(set(seen)) == 6
    assert table.proposed == seen[0]
    assert seen[:4] == ["RED NE", "GREEN NE", "STRIKER NE", "JACK NE"]


def test_review_foul_goes_through_the_flags_this_match_knows() -> None:
    table = in_review().foul()
    assert table.proposed == "foul, RED NE"
    assert table.foul().proposed == "RED NE"
    pairs = Table(lineup="NESW").started("N").review("NE").foul()
    assert pairs.proposed == "foul, RED NE"
    assert pairs.foul().proposed == "area hit, RED NE"
    assert pairs.foul().proposed == "area hit, foul, RED NE"
    assert pairs.foul().proposed == "RED NE"
    assert pairs.foul().foul().proposed == "area hit, RED NE"
    pairs.wait(0.5).ok("referee")
    assert pairs.strokes[0].flags == {Flag.AREA}


def test_review_off_goes_through_the_pieces_that_can_fly_off() -> None:
    table = in_review()
    seen = [table.off().proposed for _ in range(5)]
    assert seen == [
        "RED NE, STRIKER off", "RED NE, RED off", "RED NE, GREEN off", "RED NE, JACK off", "RED NE",
    ]  # fmt: skip


def test_review_a_fall_is_a_further_proposal() -> None:
    table = in_review()
    table.fall("SW").wait(3.0)
    assert table.proposed == "RED NE"
    assert table.view.waiting == 1
    table.fall("SE")
    assert table.view.waiting == 2


def test_review_what_cannot_have_happened_is_refused_and_stays_open() -> None:
    table = in_ready()
    for index in range(11):
        table.shot(f"RED {('NE', 'SE', 'SW')[index % 3]}", ("NE", "SE", "SW")[index % 3])
    table.review("NE").hold("referee", "fix").pick("add a piece").wait(1.0)
    assert str(table.view.proposal and table.view.proposal.follows) == "RED: 1 too many"
    table.undo().wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert table.item == "1 N RED NE?", "the mistake: beside the seat, by nobody known yet"
    assert table.counts == (11, 0)


# --- placing --------------------------------------------------------------------------


def test_placing_shows_what_goes_back_and_ok_says_done() -> None:
    table = in_placing()
    assert table.view.place == (Piece.RED,)
    assert str(table.view.detail) == "RED"
    table.ok("referee").must_be(Phase.READY)
    assert table.entries[-1] == "! placed"
    assert str(table.view.detail) == "striker in SW", "the striker is still to be fetched"


def test_placing_undo_goes_back_to_the_review() -> None:
    table = in_placing().undo().must_be(Phase.REVIEW)
    assert table.proposed == "STRIKER SW"
    assert table.counts == (1, 0)


def test_placing_a_fall_is_a_further_proposal() -> None:
    table = in_placing()
    table.fall("SE").must_be(Phase.PLACING)
    assert table.view.waiting == 1
