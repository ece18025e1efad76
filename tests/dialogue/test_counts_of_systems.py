"""Counts, questions and free play of every system, where readings meet the table."""

from __future__ import annotations

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece, Seat
from jackspot.core.rules import RULES, rules_for
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.answers import missing
from jackspot.dialogue.proposals.scenes import scene_in
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.words.line_words import counts_word
from jackspot.readings.own_pieces import kinds_of, out_of_play
from tests.dialogue.playing import Table
from tests.dialogue.read_matches import QUEENS, TWO_SIDES, begin, fall, pieces, read, shot

# --- impossible counts, and the one question ------------------------------------------


@pytest.mark.parametrize("system", RULES)
def test_a_stroke_of_more_than_there_is_is_never_legal(system: RuleSystem) -> None:
    match = begin(system.value)
    for piece, count in rules_for(system).on_board(match.state.position).items():
        with pytest.raises(IllegalEntry):
            match.enter(shot(Seat.N, *[piece] * (count + 1)))
    scene = scene_in(match, Seat.N, DialogueSettings(), flown=(Piece.STRIKER,))
    assert scene.available[Piece.STRIKER] == 0


def title(table: Table) -> str:
    assert table.view.menu is not None, f"nothing is asked in {table.phase}"
    return str(table.view.menu.title)


def as_piece(table: Table, wanted: str) -> Table:
    """Edit the first piece of the stroke in review."""
    table.hold("N", "fix").wait(1.0)
    for _ in range(6):
        if table.proposed.startswith(wanted):
            return table.pick("done", by="N")
        table.pick("piece 1: ", by="N").wait(0.3)
    raise AssertionError(f"no {wanted} to be had")


@pytest.mark.parametrize("system", TWO_SIDES)
def test_a_tenth_piece_is_one_too_many_and_the_count_can_be_set(system: RuleSystem) -> None:
    table = Table(rules=system.value, box=False).started("N").hold("N", "fix").wait(1.0)
    table.pick("correct the counts", by="N")
    for _ in range(9):
        table.pick("WHITE in: ", by="N").wait(0.9)
    table.pick("the table is right", by="N").calm()
    assert table.counts == (9, 0)
    as_piece(table.review("NE"), "WHITE")
    assert title(table) == "WHITE: 1 too many"
    table.pick("set WHITE in: 8", by="N").wait(1.0)
    assert table.counts == (8, 0)
    assert table.proposed == "WHITE NE", "the stroke waits and comes back"


def test_in_points_a_tenth_counter_is_mended_by_taking_the_last_credited_away() -> None:
    table = Table(rules="points", box=False).started("N")
    for pocket in ("NE", "SE", "SW", "NW", "NE", "SE", "SW", "NW", "NE"):
        table.shot(f"BLACK {pocket}", pocket, by="N")
    as_piece(table.review("SE"), "BLACK")
    assert title(table) == "BLACK: 1 too many"
    table.pick("set SIDE 1 in: 8", by="N").wait(1.0)
    assert table.proposed == "BLACK SE"
    assert table.counts == (8, 0)


@pytest.mark.parametrize("system", RULES)
def test_one_question_asks_for_what_is_out_of_play(system: RuleSystem) -> None:
    table = Table(rules=system.value).started("N").review("NE").wait(0.5)
    for pocket in ("SE", "SW", "NW", "NE", "SE"):
        table.wait(8.0).fall(pocket)
    table.wait(2.0)
    names = [piece.value.upper() for piece in kinds_of(rules_for(system))]
    said = title(table)
    assert [word for word in said.replace(",", "").split() if word.isupper()] == names
    total = sum(int(word.strip("?")) for word in said.replace(",", "").split()[1::2])
    assert 1 <= total <= 6
    settable = system is not RuleSystem.POINTS
    assert ("other counts" in table.items) == settable, "a ledger is not set by a number"
    table.pick("yes, enter it all", held=True)
    out = dict(out_of_play(table.game.match.state))
    assert sum(out.values()) == total


@pytest.mark.parametrize("system", RULES)
def test_after_a_power_cut_the_glance_asks_for_what_is_out_of_play(system: RuleSystem) -> None:
    table = Table(rules=system.value).started("N").shot(first_reading(system), "NE").restart()
    shown = dict(out_of_play(table.game.match.state))
    assert sum(shown.values()) == 1
    assert f"{kinds_of(rules_for(system))[0].value.upper()} 1" in str(counts_word(table.in_match))


def first_reading(system: RuleSystem) -> str:
    return f"{kinds_of(rules_for(system))[0].value.upper()} NE"


# --- what the rules ask beside it -----------------------------------------------------


@pytest.mark.parametrize("rules", ["hikone", "japan"])
def test_a_pocket_that_counts_is_asked_for_where_nobody_knows_it(rules: str) -> None:
    match = begin(rules, own_side_pockets=False)
    assert missing(match, Stroke(Seat.N, (Departure(Piece.RED),))) is MenuKind.NAME_POCKET
    assert missing(match, Stroke(Seat.N, (Departure(Piece.JACK),))) is None
    assert missing(match, shot(Seat.N, Piece.RED)) is None


@pytest.mark.parametrize("rules", ["hikone", "japan"])
def test_in_a_mass_break_no_pocket_is_asked_for_and_after_it_one_is(rules: str) -> None:
    red = Stroke(Seat.N, (Departure(Piece.RED),))
    match = begin(rules, own_side_pockets=False, opening="mass_break")
    assert missing(match, red) is None
    match = match.enter(red)
    assert missing(match, red) is MenuKind.NAME_POCKET


@pytest.mark.parametrize("rules", ["hikone", "japan"])
@pytest.mark.parametrize(
    ("asks", "kind"), [("called_pocket", MenuKind.CALL), ("must_bank", MenuKind.BANKED)]
)
def test_a_jack_that_wins_under_a_handicap_is_asked_about(
    rules: str, asks: str, kind: MenuKind
) -> None:
    handicap = {"N": {"pucks_needed": 1, asks: True}}
    match = Match.begin(agree({"rules": rules, "handicap": handicap}))
    assert missing(match, shot(Seat.N, Piece.JACK)) is None, "not ready: it only comes back"
    match = match.enter(shot(Seat.N, Piece.RED))
    assert missing(match, shot(Seat.N, Piece.JACK)) is kind
    assert pieces(read(match, fall(11))[0]) == (Piece.JACK,)


@pytest.mark.parametrize("system", QUEENS)
def test_with_a_queen_nothing_is_asked_of_pockets(system: RuleSystem) -> None:
    match = begin(system.value)
    for piece in rules_for(system).pieces:
        assert missing(match, Stroke(Seat.N, (Departure(piece),))) is None


# --- free play ------------------------------------------------------------------------


@pytest.mark.parametrize("system", RULES)
def test_free_play_counts_the_kinds_of_every_system(system: RuleSystem) -> None:
    table = Table(rules=system.value, dialogue_settings=DialogueSettings(free_rest=True)).wait(1.0)
    table.fall("NE").wait(2.0)
    assert table.view.free is not None
    assert [piece for piece, _n in table.view.free.counts] == [
        *kinds_of(rules_for(system)), rules_for(system).red,
    ]  # fmt: skip
    assert table.view.free.counts[0][1] == 1
