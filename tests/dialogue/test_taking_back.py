"""UNDO and redo: across turns and boards, with what was open kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.pieces import Piece, Pocket, Side
from jackspot.dialogue.proposals.open_falls import open_falls
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_a_restart, check_all, lead_on
from tests.dialogue.playing import Table

JUST_ONE = {"N": {"pucks_needed": 1}, "S": {"pucks_needed": 1}}


def test_a_wrong_ok_is_mended_by_undo_fix_ok() -> None:
    table = Table().started("N").shot("RED NE", "NE")
    table.undo().fix("referee").wait(0.5).ok("referee")
    assert table.entries == ["N green@NE"]
    assert table.shooter == "S"


def test_undo_shows_first_what_had_been_confirmed_with_the_falls_it_was_made_of() -> None:
    table = Table().started("N").shot("STRIKER NE", "NE").undo().must_be(Phase.REVIEW)
    assert table.proposed == "STRIKER NE"
    assert table.dialogue.proposal is not None
    assert [fall.number for fall in table.dialogue.proposal.falls] == [1]
    assert str(table.view.proposal and table.view.proposal.why) == "was confirmed"
    assert table.shooter == "N"


def test_undo_of_flags_and_flown_pieces_brings_them_back() -> None:
    table = Table().started("N").review("NE").foul().off().off().wait(0.5).ok("referee").calm()
    said = table.entries[0]
    table.undo().must_be(Phase.REVIEW)
    assert table.proposed == "foul, RED NE, RED off"
    table.wait(0.5).ok("referee")
    assert table.entries == [said]


def test_undo_of_a_miss_returns_to_ready_of_that_seat() -> None:
    table = Table().started("N").miss().undo().must_be(Phase.READY)
    assert table.shooter == "N"
    assert table.entries == []
    assert str(table.view.headline) == "taken back: 1"
    assert str(table.view.ok) == "put back"


def test_ok_without_a_change_puts_back_what_was_undone() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss().miss()
    entries, match = table.entries, table.game.match
    table.undo().wait(0.1).undo().wait(0.1).undo().must_be(Phase.REVIEW)
    assert table.entries == []
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == entries
    assert table.game.match.state == match.state
    assert table.kinds().count(EntryKind.REDO) == 3


def test_ok_after_a_change_forgets_what_was_undone_after_it() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss().undo().undo()
    table.choose("GREEN NE").wait(0.5).ok("referee").calm()
    assert table.entries == ["N green@NE"]
    assert table.game.undone == ()


def test_undo_then_redo_is_the_exact_inverse_at_any_depth() -> None:
    table = Table().started("N")
    table.shot("STRIKER NE", "NE").shot("GREEN SE", "SE").miss().shot("RED SW", "SW").miss()
    table.shot("JACK NW", "NW").shot("RED NE", "NE")
    states = [step.state for step in table.game.match.steps]
    for depth in range(1, len(table.game.lines) + 1):
        for _ in range(depth):
            table.undo().wait(0.1)
        assert table.game.match.state == (
            states[len(table.game.match.steps) - 1]
            if table.game.match.steps
            else table.game.match.opened
        )
        table.wait(1.0).ok("referee").calm()
        assert [step.state for step in table.game.match.steps] == states


def test_undo_in_ready_with_nothing_before_it_returns_to_setup() -> None:
    table = Table().started("S").undo().must_be(Phase.SETUP)
    assert table.kinds()[-2:] == [EntryKind.DISCARD, EntryKind.DESK]
    table.calm().undo().must_be(Phase.SETUP)
    assert str(table.view.detail) == "no match before this"


def test_a_match_taken_back_to_its_beginning_and_beyond_is_not_lost() -> None:
    table = Table().started("N").miss().undo().wait(0.1).undo().must_be(Phase.SETUP)
    table.calm().undo().must_be(Phase.PAUSED).calm().ok("referee").must_be(Phase.READY)
    table.calm().ok("referee")
    assert table.entries == ["N -"]


def of_one_fall() -> Table:
    return Table().started("N").review("NE")


def with_a_queue() -> Table:
    return of_one_fall().wait(7.0).fall("SE").wait(2.0)


def under_a_list() -> Table:
    return of_one_fall().hold("N", "fix").wait(1.0).fall("SE").wait(2.0).hold("N", "fix")


def of_a_falling_piece() -> Table:
    return Table().started("N").fall("NE").wait(0.6).must_be(Phase.FALLING)


def behind_a_hand() -> Table:
    return Table().started("N").fall("NW", 900).wait(4.0).review("NE")


def of_what_was_reopened() -> Table:
    return of_one_fall().wait(0.5).ok("referee").calm().undo().calm().fall("SE").wait(8.0)


def behind_a_miss_taken_back() -> Table:
    return Table().started("N").miss().undo().calm().review("NE")


def with_marks() -> Table:
    return of_one_fall().foul().calm().off().calm()


FIRST_PROPOSALS = [
    of_one_fall, with_a_queue, under_a_list, of_a_falling_piece, behind_a_hand,
    of_what_was_reopened, behind_a_miss_taken_back, with_marks,
]  # fmt: skip


def unsettled(table: Table) -> set[int]:
    """Return the open falls that are in no line and are not surely a hand."""
    return {fall.number for fall in open_falls(table.dialogue, table.dialogue.proposal)}


@pytest.mark.parametrize("place", ["referee", "page"])
@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("first", FIRST_PROPOSALS)
def test_undo_in_any_first_review_returns_to_setup_and_nothing_is_lost(
    first: Callable[[], Table], place: str, *, cut: bool
) -> None:
    table = first().calm() if first is not of_a_falling_piece else first()
    before = unsettled(table)
    table.undo(place).must_be(Phase.SETUP).calm()
    assert unsettled(table) == before
    if cut:
        table.restart().wait(1.0).must_be(Phase.SETUP)
    table.ok("S").calm()
    assert unsettled(table) == before
    assert table.phase is (Phase.REVIEW if before else Phase.READY)
    check_all(table)
    lead_on(table)
    settled = {fall.number for line in table.game.lines for fall in line.falls}
    cleared = {n for each in table.records if each.kind == EntryKind.CLEARING
               for n in each.body["falls"]}  # fmt: skip
    assert before <= settled | cleared
    check_a_restart(table)


def test_what_fell_before_setup_does_not_go_into_an_older_match() -> None:
    table = Table().started("N").shot("RED NE", "NE").hold("referee", "fix")
    table.pick("end this match", held=True).calm().must_be(Phase.SETUP)
    table.started("N").review("SE").calm().undo().must_be(Phase.SETUP).calm()
    table.undo().must_be(Phase.PAUSED)
    assert unsettled(table) == set()
    assert table.last(EntryKind.CLEARING)["falls"] == [2]


def test_undo_drops_a_manual_entry_that_nobody_confirmed() -> None:
    table = Table().started("N").shot("RED NE", "NE").fix("referee").must_be(Phase.REVIEW)
    table.undo().must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_a_fresh_proposal_is_parked_by_undo_and_comes_back() -> None:
    table = Table().started("N").miss().review("SE").foul().fix("referee")
    assert table.proposed == "foul, RED SE"
    table.undo().must_be(Phase.READY)
    assert table.shooter == "N"
    assert table.view.waiting == 1
    table.wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert table.shooter == "S"
    assert table.proposed == "foul, RED SE", "what people said of it stays"
    table.wait(1.0).ok("referee")
    assert table.entries == ["N -", "S red@SE foul"]


def test_a_parked_proposal_is_read_anew_when_the_turn_has_changed() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SE").undo().must_be(Phase.REVIEW)
    table.choose("GREEN NE").wait(0.5).ok("referee").must_be(Phase.REVIEW)
    assert table.shooter == "S"
    assert table.proposed == "GREEN SE"


def test_a_piece_still_falling_when_undo_comes_joins_the_parked_proposal() -> None:
    table = Table().started("N").shot("RED NE", "NE")
    table.fall("SE").wait(0.6).undo().wait(0.2)
    table.fall("SW").wait(1.0)
    assert table.view.waiting == 1
    table.ok("referee").must_be(Phase.REVIEW)
    assert table.proposed == "RED SE, RED SW"


def test_undo_goes_across_boards_and_their_clocks() -> None:
    table = Table(options={"best_of": 3, "time_limit_s": 300}, handicap=JUST_ONE).started("N")
    table.shot("RED NE", "NE").shot("JACK SE", "SE").must_be(Phase.BOARD_OVER)
    first = table.view.clock.remaining_ns
    table.wait(60.0).ok("referee").calm().must_be(Phase.READY)
    table.miss().wait(20.0)
    second = table.view.clock.remaining_ns
    assert first > second, "the second board has a whole clock, and has used more of it"
    table.undo().must_be(Phase.READY).wait(0.1).undo().must_be(Phase.BOARD_OVER)
    assert table.view.board == 1
    assert table.view.clock.remaining_ns == first
    assert not table.view.clock.running
    table.wait(0.1).undo().must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE"
    assert table.view.clock.remaining_ns == first, "it stands at the first edge of that stroke"
    table.wait(30.0).hold("referee", "ok").must_be(Phase.READY)
    assert table.view.board == 2
    assert table.entries[-2:] == ["! board", "S -"]
    assert abs(table.view.clock.remaining_ns - second) < 2_000_000_000


def test_ok_in_board_over_puts_back_the_boards_that_were_taken_back() -> None:
    table = Table(options={"best_of": 3}, handicap=JUST_ONE).started("N")
    table.shot("RED NE", "NE").shot("JACK SE", "SE").ok("referee").calm().miss()
    entries = table.entries
    table.undo().wait(0.1).undo().must_be(Phase.BOARD_OVER).calm().ok("referee")
    table.must_be(Phase.READY)
    assert table.entries == entries
    assert table.view.board == 2


def test_a_board_reopened_by_undo_can_go_on() -> None:
    table = Table(handicap=JUST_ONE).started("N").shot("RED NE", "NE").shot("JACK SE", "SE")
    table.undo().choose("RED SE").wait(0.5).ok("referee").calm().must_be(Phase.READY)
    table.shot("JACK SW", "SW").must_be(Phase.MATCH_OVER)
    assert table.view.winner is Side.RED
    assert table.counts == (2, 0)


def test_undo_of_a_resignation_goes_on_playing() -> None:
    table = Table().started("N").hold("referee", "fix").pick("resign")
    table.pick("N resigns", held=True).must_be(Phase.MATCH_OVER)
    assert table.view.winner is Side.GREEN
    table.wait(1.0).undo().must_be(Phase.READY).calm()
    table.fall("NE").wait(0.6).ok("referee")
    assert table.entries == ["N red@NE"]


def test_undo_of_a_void_board_returns_to_it() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").shot("RED NE", "NE")
    table.hold("referee", "fix").pick("void the board", held=True).must_be(Phase.READY)
    assert (table.view.board, table.counts) == (2, (0, 0))
    table.calm().undo().must_be(Phase.READY)
    assert (table.view.board, table.counts) == (1, (1, 0))
    assert table.view.clock.running


def test_a_hand_confirmed_as_no_stroke_leaves_the_turn_and_can_be_taken_back() -> None:
    table = Table().started("N")
    table.fall("NE", 120).wait(1.6).must_be(Phase.REVIEW).choose("NOT A STROKE").wait(0.5)
    assert str(table.view.detail) == "N still to shoot"
    table.ok("referee").must_be(Phase.READY).calm()
    assert (table.shooter, table.entries) == ("N", [])
    table.undo().must_be(Phase.REVIEW)
    assert table.proposed == "NOT A STROKE"


def test_taking_back_and_putting_back_changes_no_evidence() -> None:
    table = Table().started("N").shot("RED NE", "NE")
    falls = [each.body for each in table.records if each.kind == EntryKind.FALL]
    table.undo().wait(1.0).ok("referee").undo().wait(1.0).ok("referee")
    assert [each.body for each in table.records if each.kind == EntryKind.FALL] == falls
    assert table.game.lines[0].falls[0].pocket is Pocket.NE


@pytest.mark.parametrize("rules", ["hikone", "japan", "kagw", "icf", "points"])
def test_a_board_that_was_voided_is_said_to_be_void(rules: str) -> None:
    table = Table(rules=rules).started("N").hold("referee", "fix")
    table.pick("void the board", held=True).must_be(Phase.READY)
    assert str(table.view.detail) == "board 1 is void"


def test_a_reopened_stroke_whose_own_fall_grows_is_still_what_was_confirmed() -> None:
    """A piece that is held up in the pocket: its second pulse outlasts OK and UNDO."""
    table = Table().started().miss()
    table.fall("NE", 10).wait(0.006)
    table.edge(Pocket.NE, True).wait(0.62)
    table.ok("referee").wait(0.45).ok("referee")
    confirmed = table.strokes[-1]
    table.wait(0.15).undo().must_be(Phase.REVIEW)
    table.wait(0.5).edge(Pocket.NE, False).wait(2.0).must_be(Phase.REVIEW)
    table.ok("referee")
    assert table.strokes[-1] == confirmed


# --- what is to be put back --------------------------------------------------------------


def placing_a_red(rules: str = "hikone") -> Table:
    """N has pocketed a red and then the striker: the red is to be put back."""
    table = Table(rules=rules, options={"time_limit_s": 600, "best_of": 3}).started("N")
    table.shot("RED NE", "NE").review("SE").choose("STRIKER SE").wait(0.5).ok("referee").calm()
    return table.must_be(Phase.PLACING)


def say(table: Table, line: str, what: str, *, held: bool = False) -> Table:
    """Say something by a line of the menu, and close what stays open."""
    table.hold("referee", "fix").wait(1.0).pick(line, held=not what and held).wait(1.0)
    if what:
        table.pick(what, held=held).wait(1.0)
    if table.dialogue.menu is not None and table.dialogue.menu.kind is MenuKind.COUNTS:
        table.pick("the table is right")
    return table.calm()


TURN = ("whose turn", "turn to N", "! turn N")
COUNTS = ("correct the counts", "GREEN in", "! set green pocketed=1")
BOTH = [TURN, COUNTS]


def must_place_a_red(table: Table) -> None:
    """Fail unless the red is to be put back."""
    assert table.must_be(Phase.PLACING).view.place == (Piece.RED,)
    check_all(table)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize(("line", "what", "entry"), BOTH)
def test_undo_of_what_was_said_while_placing_still_asks_for_the_pieces(
    line: str, what: str, entry: str, *, cut: bool
) -> None:
    table = say(placing_a_red(), line, what)
    assert table.entries[-1] == entry
    table.undo().calm()
    must_place_a_red(table)
    assert table.entries == ["N red@NE", "N striker@SE"]
    if cut:
        table.restart().calm()
        must_place_a_red(table)
    table.ok("referee").calm()
    assert table.entries == ["N red@NE", "N striker@SE", "! placed"]
    assert table.view.menu is not None
    assert str(table.view.menu.title) == "keep 1 later stroke?"
    check_all(table)
    table.ok("referee").calm().must_be(Phase.PAUSED if cut else Phase.READY)
    assert table.entries == ["N red@NE", "N striker@SE", "! placed", entry]
    check_all(table)


@pytest.mark.parametrize(("line", "what", "entry"), BOTH)
def test_what_was_said_while_placing_is_put_back_and_the_pieces_are_asked_for(
    line: str, what: str, entry: str
) -> None:
    table = say(placing_a_red(), line, what)
    table.undo().calm()
    say(table, "put back what was undone", "")
    must_place_a_red(table)
    assert table.entries[-1] == entry
    table.undo().calm().undo().calm().must_be(Phase.REVIEW).ok("referee").calm()
    must_place_a_red(table)
    assert table.entries[-1] == entry
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-2:] == [entry, "! placed"]


def test_another_turn_said_while_placing_replaces_the_one_taken_back() -> None:
    table = say(placing_a_red(), *TURN[:2]).undo().calm()
    say(table, "whose turn", "turn to S")
    must_place_a_red(table)
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N striker@SE", "! turn S", "! placed"]


def test_what_was_put_back_before_a_turn_was_taken_back_is_not_asked_for_again() -> None:
    table = say(placing_a_red(), *TURN[:2]).ok("referee").calm().miss()
    assert table.entries[-3:] == ["! turn N", "! placed", "N -"]
    table.undo().calm().must_be(Phase.READY).undo().calm().must_be(Phase.READY)
    check_all(table)
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-3:] == ["! turn N", "! placed", "N -"]


def test_undo_of_an_end_by_word_while_placing_still_asks_for_the_pieces() -> None:
    table = say(placing_a_red(), "draw", "", held=True).must_be(Phase.BOARD_OVER)
    table.undo().calm()
    must_place_a_red(table)
    table = say(placing_a_red(), "void the board", "", held=True).must_be(Phase.READY)
    table.undo().calm()
    must_place_a_red(table)


def test_a_turn_that_the_history_leaves_out_leaves_the_pieces_to_be_put_back() -> None:
    table = say(placing_a_red(), *TURN[:2])
    say(table, "history", "3 turn to N").ok("referee").calm()
    must_place_a_red(table)
    assert table.entries == ["N red@NE", "N striker@SE"]


def test_undo_of_a_count_said_while_a_correction_is_placed_still_asks_for_it() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("STRIKER SE", "SE").undo()
    table.choose("RED SE").wait(1.0).ok("referee").must_be(Phase.PLACING).calm()
    say(table, *COUNTS[:2]).undo().calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == ((), (Piece.RED,))
    check_all(table)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("said", [False, True], ids=["", "with a turn"])
def test_a_match_ended_while_placing_comes_back_with_what_is_to_be_put_back(
    *, said: bool, cut: bool
) -> None:
    table = placing_a_red()
    if said:
        say(table, *TURN[:2]).undo().calm()
    say(table, "end this match", "", held=True).must_be(Phase.SETUP)
    table.undo().calm().must_be(Phase.PAUSED)
    check_all(table)
    if cut:
        table.restart().calm()
    table.ok("referee").calm()
    must_place_a_red(table)
    table.ok("referee").calm()
    assert table.entries[-1] == "! placed"


def test_ok_puts_back_a_stroke_in_which_a_piece_flew_off_before_another_fell() -> None:
    table = Table().started("N").miss().miss().review("NE", "SE").hold("referee", "fix").wait(0.5)
    table.pick("piece 1: in")
    while "piece 1: flew off" not in table.items:
        table.wait(0.3).ok("referee")
    table.pick("done").calm().ok("referee").calm().ok("referee").calm().miss()
    entries = table.entries
    assert entries[2:4] == ["N red^ red@SE", "! placed"]
    table.undo().wait(1.2).undo().wait(1.2).must_be(Phase.REVIEW)
    table.calm().ok("referee").calm().must_be(Phase.READY)
    assert (table.entries, table.game.undone) == (entries, ())
    assert table.view.menu is None
