"""For five seconds after an entry, FOUL, OFF and falls may still mean the stroke before."""

from __future__ import annotations

import pytest

from jackspot.core.phrases import EMPTY
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure
from jackspot.dialogue.proposals.spanning import in_order
from jackspot.dialogue.state.view import Phase
from jackspot.readings.reading import Reading
from jackspot.values import changed
from tests.dialogue.playing import Table


def just_entered(what: str = "RED NE", pocket: str = "NE", lineup: str = "NS") -> Table:
    """N's stroke has just been confirmed."""
    table = Table(lineup=lineup).started("N").review(pocket).choose(what).wait(0.5)
    return table.ok("referee").wait(1.0)


def just_missed(lineup: str = "NS") -> Table:
    """N's miss has just been entered."""
    return Table(lineup=lineup).started("N").ok("N").wait(1.0).must_be(Phase.READY)


def shown(table: Table) -> list[str]:
    """Return the readings that FIX goes through, in words."""
    return [str(each.what) for each in table.view.readings]


# FOUL


def test_foul_soon_after_an_entry_offers_the_stroke_before_first() -> None:
    table = just_entered().foul().must_be(Phase.REVIEW)
    assert table.proposed == "replace N's last stroke: foul, RED NE"
    assert table.view.proposal is not None
    assert (table.view.proposal.before, table.view.proposal.seat) == (True, Seat.N)
    table.wait(1.0).ok("referee")
    assert table.entries == ["N red@NE foul"], "it replaces that entry"
    assert table.game.match.state.next is Seat.S, "turn included"


def test_fix_says_that_the_foul_was_this_seats() -> None:
    table = just_entered("GREEN NE").foul().fix("referee")
    assert table.shooter == "S"
    table.choose("foul").wait(1.0).ok("referee")
    assert table.entries == ["N green@NE", "S foul"]


def test_foul_soon_after_a_miss_means_the_miss_first() -> None:
    table = just_missed().foul()
    assert table.proposed == "replace N's last stroke: foul"
    table.wait(1.0).ok("referee")
    assert table.entries == ["N foul"]
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.entries == []


def test_foul_more_than_five_seconds_after_an_entry_is_this_seats() -> None:
    table = just_entered("GREEN NE").wait(4.5).foul()
    assert table.proposed == "foul"
    assert table.shooter == "S"
    assert not any(each.before for each in table.view.readings)


def test_a_second_foul_is_not_offered_for_a_stroke_that_has_one() -> None:
    table = just_missed().foul().wait(1.0).ok("referee").wait(1.0).must_be(Phase.READY).foul()
    assert table.shooter == "S"
    assert not any(each.before for each in table.view.readings)


def test_foul_says_so_where_the_stroke_before_has_one_that_stays() -> None:
    table = just_missed().foul().ok("referee").wait(1.0).off().must_be(Phase.REVIEW)
    assert table.proposed == "replace N's last stroke: foul, STRIKER off"
    table.foul()
    assert str(table.view.detail) == "not possible here"
    assert table.proposed == "replace N's last stroke: foul, STRIKER off"


def test_what_was_put_back_for_the_stroke_already_is_not_asked_again() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("RED NE", "NE").miss().miss()
    table.review("SW").choose("STRIKER SW").wait(0.5).ok("referee").must_be(Phase.PLACING)
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.counts == (1, 0)
    table.wait(0.5).off()
    assert table.proposed == "replace N's last stroke: STRIKER SW, RED off"
    table.wait(1.0).ok("referee").must_be(Phase.PLACING)
    assert table.view.place == (Piece.RED,), "of two, one lies there already"


# OFF


def test_off_soon_after_an_entry_is_a_piece_of_the_stroke_before_first() -> None:
    table = just_entered("GREEN NE").off()
    assert table.proposed == "replace N's last stroke: GREEN NE, STRIKER off"
    table.off()
    assert table.proposed == "replace N's last stroke: GREEN NE, RED off"
    table.off()
    assert table.proposed == "replace N's last stroke: GREEN NE, GREEN off"
    table.wait(1.0).ok("referee")
    assert table.entries[0] == "N green@NE green^"


def test_fix_says_that_it_was_this_seats_own_piece() -> None:
    table = just_entered("GREEN NE").off().off().fix("referee")
    assert table.shooter == "S"
    assert table.proposed.endswith("GREEN off"), "S plays green"
    table.off()
    assert table.proposed.endswith("RED off")


# falls in ready


def test_a_piece_that_rolls_on_after_an_early_ok_is_of_the_stroke_before() -> None:
    table = Table().started("N").fall("NE").wait(0.7).ok("referee").must_be(Phase.READY)
    table.wait(0.45).fall("SE").wait(1.6).must_be(Phase.REVIEW)
    assert table.proposed == "replace N's last stroke: RED NE, RED SE"
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE red@SE"]
    assert [fall.number for fall in table.game.lines[-1].falls] == [1, 2]
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.proposed == "RED NE, RED SE"


def test_the_later_a_fall_comes_the_likelier_it_is_the_next_seats() -> None:
    shares: list[float] = []
    for after_s in (0.2, 2.0, 3.5):
        table = just_entered("GREEN NE").wait(after_s).fall("SE").wait(1.6)
        found = [each.probability for each in table.view.readings if each.before]
        assert found, "always reachable by FIX"
        shares.append(sum(found))
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.1


def test_both_readings_compete_and_fix_reaches_the_other() -> None:
    table = just_entered("GREEN NE").wait(3.0).fall("SE").wait(1.6)
    assert table.proposed == "GREEN SE", "S's own, next stroke"
    table.choose("replace N's last stroke: GREEN NE, RED SE").wait(1.0).ok("referee")
    assert table.entries == ["N green@NE red@SE"]


def test_a_piece_that_falls_after_a_miss_was_entered_replaces_the_miss() -> None:
    table = just_missed().fall("NE").wait(1.6).choose("replace N's last stroke: RED NE").wait(1.0)
    table.ok("referee")
    assert table.entries == ["N red@NE"]
    assert table.shooter == "N"


@pytest.mark.parametrize("after_s", [4.5, 20.0])
def test_later_than_five_seconds_after_an_entry_a_fall_is_the_next_stroke(after_s: float) -> None:
    table = just_entered("GREEN NE").wait(after_s).fall("SE").wait(1.6)
    assert not any(each.before for each in table.view.readings)


def test_after_the_new_shooters_first_fall_the_stroke_before_is_that_one() -> None:
    table = just_entered("GREEN NE").wait(1.0).review("SE").choose("GREEN SE").wait(0.5)
    table.ok("referee").wait(1.0).foul()
    assert table.proposed == "replace S's last stroke: foul, GREEN SE"


def test_a_late_reading_comes_back_after_a_power_cut_with_what_was_chosen() -> None:
    table = (
        just_entered("GREEN NE")
        .fall("SE")
        .wait(1.6)
        .choose("replace N's last stroke: GREEN NE, RED SE")
    )
    before = shown(table)
    table.restart()
    assert (table.proposed, shown(table)) == ("replace N's last stroke: GREEN NE, RED SE", before)
    table = just_entered().foul().restart()
    assert table.proposed == "replace N's last stroke: foul, RED NE"


def test_a_pair_of_players_has_its_own_pieces_off_whoever_of_them_shot() -> None:
    table = just_missed(lineup="NESW").off().off()
    assert table.proposed == "replace N's last stroke: RED off"
    assert table.view.proposal is not None
    assert [each.piece for each in table.view.proposal.departures] == [Piece.RED]


def test_editing_leaves_the_stroke_before_for_whoever_is_to_shoot() -> None:
    table = just_missed().off().off()
    assert table.proposed == "replace N's last stroke: RED off"
    table.hold("referee", "fix").pick("shooter N")
    assert table.view.proposal is not None
    assert (table.view.proposal.before, table.view.proposal.seat) == (False, Seat.S)
    table.pick("done").wait(0.5).ok("referee")
    assert table.entries == ["N -", "S green^"], "the stroke before stays as it was"


def test_that_it_was_no_stroke_can_be_said_of_any_falls_however_unlikely() -> None:
    table = just_entered("GREEN NE").wait(10.0)
    table.falls_in("NE", "SE", "SW", "NE", "SE", "SW").wait(1.6).must_be(Phase.REVIEW)
    table.choose("NOT A STROKE").wait(0.5).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N green@NE"]


def test_no_reading_is_listed_twice_though_it_has_both_the_striker_and_the_jack() -> None:
    table = Table().started("N").review("NE", "SE")
    dialogue, shown = table.in_match, table.dialogue.proposal
    assert shown is not None
    both = (Departure(Piece.STRIKER, Pocket.NE), Departure(Piece.JACK, Pocket.SE))
    pucks = [(Departure(Piece.RED, Pocket.NE),) * n for n in range(1, 8)]
    readings = [Reading(each, 0.14, EMPTY) for each in pucks] + [Reading(both, 0.02, EMPTY)]
    ordered = in_order(dialogue, changed(shown, falls=()), readings)
    assert [each.departures for each in ordered].count(both) == 1
    assert both in [each.departures for each in ordered[:6]], "FIX goes through it"
    assert sum(each.probability for each in ordered) == pytest.approx(1.0)
