"""Putting back with a queen on the table: who places what and where; forgetting and waiving."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Side
from jackspot.core.record import read_record
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.placers import placing_of
from tests.dialogue.dialogue_checks import check_a_restart, check_all
from tests.dialogue.playing import Table
from tests.dialogue.queen_tables import broken, kind, owing, playing, striker

WHITES = (Piece.WHITE, Piece.WHITE)

# --- who places, and where ------------------------------------------------------------


def placers(table: Table) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return who puts which pieces where, as the view shows it."""
    return [
        (str(each.by), str(each.where), tuple(piece.value for piece in each.pieces))
        for each in table.view.placing
    ]


@pytest.mark.parametrize(
    ("rules", "who", "where"),
    [
        ("kagw", "BLACK", "in the circle"),
        ("grundregeln", "BLACK", "by the red dot"),
        ("icf", "BLACK", "in the outer circle"),
    ],
)
def test_the_opponent_places_what_a_striker_costs(rules: str, who: str, where: str) -> None:
    table = striker(broken(playing(rules))).must_be(Phase.PLACING)
    assert placers(table) == [(who, where, ("white",))]
    assert str(table.view.headline) == f"{who} puts back"
    assert str(table.view.detail) == f"WHITE {where}"


@pytest.mark.parametrize(
    ("rules", "where"), [("icf", "in the outer circle"), ("grundregeln", "by the red dot")]
)
def test_what_a_stroke_costs_after_a_correction_is_placed_by_the_opponent(
    rules: str, where: str
) -> None:
    """The pocketed piece was the striker, and three misses after it are kept."""
    table = broken(playing(rules)).review("SW").choose("WHITE SW").wait(0.6).ok("referee").calm()
    for _ in range(3):
        table.miss("referee")
    for _ in range(4):
        table.wait(1.2).undo()
    table.wait(1).choose("STRIKER SW").wait(0.6).ok("referee").wait(1)
    table.ok("referee").wait(1).must_be(Phase.PLACING)
    assert placers(table) == [("BLACK", where, ("white",))]


@pytest.mark.parametrize("later", [0, 4])
@pytest.mark.parametrize(
    ("rules", "who", "where"),
    [("icf", "umpire", "in the centre"), ("grundregeln", "", "on the red dot")],
)
def test_what_flew_off_is_placed_the_same_way_after_a_correction(
    rules: str, who: str, where: str, later: int
) -> None:
    table = broken(playing(rules)).wait(6)
    for _ in range(later):
        table.miss("referee").wait(1)
    for _ in range(later):
        table.wait(1.2).undo()
    table.wait(1)
    for _ in range(8):
        if table.phase is Phase.REVIEW and "WHITE" in table.proposed:
            break
        table.press("referee", "off").wait(0.6)
    table.ok("referee").wait(1)
    if later:
        table.ok("referee").wait(1)
    table.must_be(Phase.PLACING)
    assert placers(table) == [(who, where, ("white",))]


def test_in_icf_the_umpire_puts_the_queen_back_and_the_opponent_the_due() -> None:
    table = broken(playing("icf")).shot("QUEEN SE", "SE")
    assert str(table.view.detail) == "cover the queen now"
    striker(table).must_be(Phase.PLACING)
    assert placers(table) == [
        ("umpire", "in the centre", ("queen",)),
        ("BLACK", "in the outer circle", ("white",)),
    ]
    assert str(table.view.headline) == "put back"
    assert "umpire: QUEEN in the centre" in str(table.view.detail)


LAST_BLACK = "! set white pocketed=3\n! set black pocketed=8\n"
LAST_WHITE = "! set white pocketed=8\n! set black pocketed=3\n"
BOTH_LAST = "! set white pocketed=8\n! set black pocketed=8\n! set queen=covered:black\n"


@pytest.mark.parametrize(
    ("played", "who"),
    [
        (LAST_BLACK + "N black", {"BLACK": ("white", "black")}),  # KG-22
        (LAST_BLACK + "N queen black", {"BLACK": ("queen", "white", "black")}),
        (LAST_WHITE + "N -\nS white", {"WHITE": ("black", "white")}),
        (BOTH_LAST + "N white black", {"BLACK": ("white", "black")}),  # KG-23
        ("! set white pocketed=3\nN striker black^", {"BLACK": ("white", "black")}),
        ("! set white pocketed=3\nN black^", {"BLACK": ("black",)}),  # KG-25
        ("! set black owed=1\nN black", {"WHITE": ("black",)}),  # black's debt
        ("! set black owed=1\nN black\nS white", {}),
        ("! set black owed=1\n! set white pocketed=3\nN 2*black striker",
         {"BLACK": ("white",), "WHITE": ("black",)}),
        ("! set black owed=1\nN white\n! set black pocketed=1\n! turn S", {"WHITE": ("black",)}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seats", ['["N", "S"]', '["N", "E", "S", "W"]'])
def test_in_kagw_the_opponent_of_whoever_shot_places_all_but_the_other_sides_debt(
    seats: str, played: str, who: dict[str, tuple[str, ...]]
) -> None:
    if "\nS " in played and "W" in seats:
        played = played.replace("\nS ", "\nE ")
    match = read_record(f'rules = "kagw"\nseats = {seats}\n---\n{played}\n').match
    groups = placing_of(match, match.state.place)
    assert {str(each.by): tuple(p.value for p in each.pieces) for each in groups} == who


def test_hikone_stacks_on_the_jack_spot() -> None:
    table = playing("hikone").shot("RED NE", "NE")
    striker(table).must_be(Phase.PLACING)
    assert placers(table) == [("", "on the jack spot", ("red",))]


def test_what_is_paid_in_part_is_said() -> None:
    table = playing("hikone").shot("RED NE", "NE").shot("RED SE", "SE")
    table.review("NW").choose("JACK NW").wait(0.5).ok("referee").calm()
    assert [str(each) for each in table.view.hints] == ["RED pays 2 of 5 now"]


def test_a_queen_that_was_covered_is_said() -> None:
    table = broken(playing("kagw")).shot("QUEEN SE", "SE").shot("WHITE SE", "SE")
    assert str(table.view.detail) == "queen covered by WHITE"
    table.miss("N")
    assert str(table.view.detail) == ""


def test_what_follows_says_that_the_queen_is_to_be_covered() -> None:
    table = broken(playing("grundregeln")).review("SE").choose("QUEEN SE")
    assert table.view.proposal is not None
    assert str(table.view.proposal.follows) == "shoot again, cover the queen"


# --- kagw: forgotten ------------------------------------------------------------------


def test_fix_in_placing_asks_whether_it_was_forgotten() -> None:
    table = owing()
    assert str(table.view.fix) == "forgotten?"
    table.fix("S").wait(1.0)
    assert kind(table) is MenuKind.FORGOTTEN
    check_all(table)
    table.ok("S").calm()
    assert table.entries[-2:] == ["N -", "! forgot"]
    assert (table.counts, table.owed, table.phase) == ((1, 0), (0, 0), Phase.READY)


def test_no_leaves_it_to_be_placed() -> None:
    table = owing().fix("S").wait(1.0).fix("S").wait(1.0).must_be(Phase.PLACING)
    assert table.entries[-1] == "N -"
    table.ok("S").calm()
    assert table.entries[-1] == "! placed"


def test_the_debtor_cannot_let_himself_off() -> None:
    table = owing().fix("N")
    assert kind(table) is None
    assert str(table.view.detail) == "S decides, not N"
    assert table.phase is Phase.PLACING
    table.wait(1.0).hold("N", "fix").wait(1.0).pick("not put back in time", by="N", held=True)
    assert str(table.view.detail) == "S decides, not N"
    assert table.entries[-1] == "N -"


def test_where_only_the_debtor_has_buttons_he_speaks_for_all() -> None:
    table = Table("N", box=False, page=False, rules="kagw").started("N")
    table.shot("STRIKER NE", "NE", by="N").miss("N").shot("WHITE SW", "SW", by="N").ok("N").calm()
    table.must_be(Phase.PLACING).fix("N").wait(1.0).ok("N").calm()
    assert table.entries[-1] == "! forgot"


def test_what_is_not_owed_from_before_cannot_be_forgotten() -> None:
    table = striker(broken(playing("kagw"))).must_be(Phase.PLACING)
    assert str(table.view.fix) == ""
    table.fix("S")
    assert str(table.view.detail) == "not now"


def test_the_queen_is_placed_though_the_debt_was_forgotten() -> None:
    """KG-30: only what was owed is lost; the queen goes back all the same."""
    table = playing("kagw")
    table.shot("STRIKER NE", "NE").miss("S").shot("WHITE SW", "SW").shot("QUEEN SE", "SE")
    table.ok("N").calm().must_be(Phase.PLACING)
    assert sorted(table.view.place) == [Piece.QUEEN, Piece.WHITE]
    table.fix("S").wait(1.0).ok("S").calm().must_be(Phase.PLACING)
    assert table.view.place == (Piece.QUEEN,)
    check_all(table)
    table.ok("S").calm().must_be(Phase.READY)
    assert table.entries[-3:] == ["N -", "! forgot", "! placed"]


def test_undo_of_what_was_forgotten_does_not_ask_again_for_the_queen_that_lies_there() -> None:
    table = playing("kagw")
    table.shot("STRIKER NE", "NE").miss("S").shot("WHITE SW", "SW").shot("QUEEN SE", "SE")
    table.ok("N").calm().fix("S").wait(1.0).ok("S").calm().ok("S").calm()
    table.undo().calm().must_be(Phase.PLACING)
    assert table.view.place == (Piece.WHITE,)
    check_all(table)


def test_undo_takes_a_wrong_forgotten_back_alone() -> None:
    table = owing().fix("S").wait(1.0).ok("S").calm().undo().calm().must_be(Phase.PLACING)
    assert table.view.place == (Piece.WHITE,)
    assert table.entries[-1] == "N -"
    check_all(table)
    table.ok("S").calm().must_be(Phase.READY)
    assert table.entries[-2:] == ["N -", "! placed"]


def test_the_history_says_what_was_forgotten_and_where_the_queen_was_put() -> None:
    table = owing().fix("S").wait(1.0).ok("S").calm().hold("referee", "fix").wait(1.0)
    table.pick("correct the counts").pick("queen").pick("queen: covered by BLACK").wait(1.0)
    table.pick("the table is right").calm().hold("referee", "fix").wait(1.0).pick("history")
    assert table.items[:2] == ["5 QUEEN covered by BLACK", "4 N MISSED, not put back"]


def test_undo_further_back_keeps_the_later_strokes_after_another_answer() -> None:
    table = owing().fix("S").wait(1.0).ok("S").calm().miss("S").miss("N")
    table.undo().undo().undo().calm().must_be(Phase.PLACING)
    check_all(table)
    table.ok("S").calm()
    assert kind(table) is MenuKind.KEEP
    table.ok("S").calm()
    assert table.entries[-4:] == ["N -", "! placed", "S -", "N -"]
    check_all(table)


def test_a_next_stroke_that_nobody_waited_for_asks_whether_it_was_put_back_in_time() -> None:
    table = owing().fall("NE").wait(2.0).must_be(Phase.PLACING)
    assert str(table.view.ok) == "what fell?"
    table.ok("N").wait(1.0).must_be(Phase.REVIEW).choose("BLACK NE", "N").wait(1.0)
    assert str(table.view.detail) == "OK: put back in time?"
    table.ok("N").wait(1.0)
    assert kind(table) is MenuKind.IN_TIME
    check_all(table)
    table.fix("N").wait(1.0)
    assert str(table.view.detail) == "S decides, not N"
    table.fix("S").wait(1.0).ok("N").calm()
    assert table.entries[-3:] == ["N -", "! forgot", "S black@NE"]
    check_all(table)


def test_a_hand_that_puts_the_piece_back_asks_nothing() -> None:
    table = owing()
    table.fall("SW", 400.0).wait(2.0)
    if table.phase is Phase.PLACING:
        table.ok("S").calm()
    assert table.phase is Phase.READY
    assert table.entries[-1] == "! placed"


def test_in_the_other_systems_the_next_stroke_says_that_it_was_placed() -> None:
    table = striker(broken(playing("icf"))).fall("NE").wait(2.0).must_be(Phase.PLACING)
    table.ok("S").calm().must_be(Phase.REVIEW).choose("BLACK NE").wait(0.5).ok("S").calm()
    assert table.entries[-2:] == ["! placed", "S black@NE"]


def test_at_0_00_it_is_asked_first_whether_it_was_forgotten() -> None:
    table = owing(options={"time_limit_s": 60}).wait(60.0)
    assert "! time" not in table.entries
    check_a_restart(table)
    table.fix("S").wait(1.0).ok("S").calm()
    assert table.entries[-2:] == ["! forgot", "! time"]


# --- icf, grundregeln: waived ---------------------------------------------------------


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
def test_the_opponent_may_waive_what_is_due(rules: str) -> None:
    table = striker(broken(playing(rules))).must_be(Phase.PLACING)
    assert str(table.view.fix) == "waived?"
    table.fix("N")
    assert str(table.view.detail) == "S decides, not N"
    table.wait(1.0).fix("S").wait(1.0)
    assert kind(table) is MenuKind.WAIVED
    check_all(table)
    table.ok("S").calm().must_be(Phase.READY)
    assert table.entries[-2:] == ["N striker@SW", "! waive"]
    assert table.counts == (1, 0)


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
def test_what_lies_there_already_comes_off_again_when_it_is_waived(rules: str) -> None:
    table = striker(broken(playing(rules))).ok("S").calm().must_be(Phase.READY)
    table.hold("S", "fix").wait(1.0).pick("waive what is due", by="S", held=True).calm()
    table.must_be(Phase.PLACING)
    assert str(table.view.headline) == "take off"
    assert str(table.view.detail) == "WHITE"
    check_all(table)
    table.ok("S").calm().must_be(Phase.READY)
    assert table.counts == (1, 0)


def waived_after_placing(rules: str = "icf") -> Table:
    """What N's striker cost has been put back; then S waived it, so that it has to come off."""
    table = striker(broken(playing(rules))).ok("S").calm().must_be(Phase.READY)
    table.hold("S", "fix").wait(1.0).pick("waive what is due", by="S", held=True).calm()
    return table.must_be(Phase.PLACING)


def test_a_pause_does_not_forget_what_comes_off_for_a_waiver() -> None:
    table = waived_after_placing().hold("S", "fix").wait(1.0).pick("pause", by="S").calm()
    table.must_be(Phase.PAUSED).ok("S").calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == ((), WHITES[:1])
    table.undo("S").calm().must_be(Phase.READY)
    assert (table.counts, table.entries[-1]) == ((0, 0), "! placed")
    check_all(table)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("keep", [False, True], ids=["left out", "kept"])
def test_a_waiver_while_a_line_is_taken_back_asks_for_the_piece_after_the_keep_question(
    *, keep: bool, cut: bool
) -> None:
    table = striker(broken(playing("icf"))).ok("S").calm().miss().undo("S").calm()
    table.hold("S", "fix").wait(1.0).pick("waive what is due", by="S", held=True).calm()
    assert kind(table) is MenuKind.KEEP
    check_all(table)
    if cut:
        table.restart().calm()
    (table.ok("S") if keep else table.fix("S")).calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == ((), WHITES[:1])
    check_all(table)
    table.ok("S").calm()
    assert table.must_be(Phase.PAUSED if cut else Phase.READY).counts == (1, 0)
    check_all(table)


def test_undo_at_the_keep_question_after_a_waiver_takes_nothing_off() -> None:
    table = striker(broken(playing("icf"))).ok("S").calm().miss().undo("S").calm()
    table.hold("S", "fix").wait(1.0).pick("waive what is due", by="S", held=True).calm()
    assert kind(table) is MenuKind.KEEP
    table.undo("S").calm().must_be(Phase.READY)
    assert (table.counts, table.dialogue.lying) == ((0, 0), ())
    check_all(table)
    table.ok("S").calm()
    assert kind(table) is MenuKind.KEEP
    table.ok("S").calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == ((), WHITES[:1])


def test_a_waiver_taken_back_and_put_back_again_takes_one_piece_off() -> None:
    table = waived_after_placing()
    for _ in range(2):
        table.undo("S").calm().must_be(Phase.READY).ok("S").calm().must_be(Phase.PLACING)
        assert (table.dialogue.place, table.dialogue.take) == ((), WHITES[:1])
    check_all(table)


def test_the_history_asks_for_nothing_that_came_off_for_a_waiver_already() -> None:
    table = waived_after_placing().ok("S").calm().miss()
    entries = table.entries
    table.hold("S", "fix").wait(1.0).pick("history", by="S").pick("1 N WHITE", by="S").calm()
    table.undo("S").calm().must_be(Phase.READY)
    assert (table.entries, table.dialogue.lying) == (entries, ())


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("further", [0, 2], ids=["at once", "after strokes"])
def test_undo_of_a_waiver_asks_for_what_was_taken_off_for_it(
    rules: str, cut: bool, further: int
) -> None:
    table = striker(broken(playing(rules))).ok("S").calm().must_be(Phase.READY)
    table.hold("S", "fix").wait(1.0).pick("waive what is due", by="S", held=True).calm()
    table.ok("S").calm().must_be(Phase.READY)
    for _ in range(further):
        table.miss()
    for _ in range(further):
        table.undo().calm().must_be(Phase.READY)
    if cut:
        table.restart().calm().ok("referee").calm()
    table.undo().calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == (WHITES[:1], ())
    check_all(table)
    table.ok("S").calm()
    assert table.counts == (0, 0)
    check_all(table)
    if further:
        assert kind(table) is MenuKind.KEEP
        table.ok("S").calm()
        check_all(table)
    table.must_be(Phase.READY)
    misses = ["S -", "N -"][:further]
    assert [each for each in table.entries if each != "! placed"][-further or 9 :] == misses
    assert "! waive" not in table.entries
    table.undo().calm()
    check_all(table)


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
def test_undo_of_a_waiver_before_anything_was_taken_off_asks_for_nothing(rules: str) -> None:
    table = striker(broken(playing(rules))).ok("S").calm().must_be(Phase.READY)
    table.hold("S", "fix").wait(1.0).pick("waive what is due", by="S", held=True).calm()
    table.must_be(Phase.PLACING).undo().calm().must_be(Phase.READY)
    assert table.counts == (0, 0)
    check_all(table)
    table.ok("S").calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == ((), WHITES[:1])
    check_all(table)
    table.ok("S").calm().must_be(Phase.READY)
    assert table.counts == (1, 0)


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
@pytest.mark.parametrize("further", [False, True], ids=["placed", "and the stroke put back"])
def test_strokes_after_a_waiver_that_is_taken_back_wait(rules: str, further: bool) -> None:
    """N has a piece in, may pocket the queen and shoots on only because of the waiver."""
    table = playing(rules).review("NE", "SW").choose("WHITE NE, STRIKER SW").wait(1.0)
    table.ok("referee").calm().fix("S").wait(1.0).ok("S").calm().must_be(Phase.READY)
    table.shot("QUEEN NE", "NE").shot("WHITE NE", "NE")
    since = ["N queen@NE", "N white@NE"]
    assert table.entries == ["N white@NE striker@SW", "! waive", *since]
    table.undo().undo().undo().calm().must_be(Phase.PLACING)
    check_all(table)
    if further:
        table.undo().calm().must_be(Phase.REVIEW)
        check_all(table)
    table.ok("referee" if further else "S").calm()
    assert kind(table) is MenuKind.KEEP
    check_all(table)
    table.ok("S").calm()
    assert table.entries[:2] == ["N white@NE striker@SW", "! placed"]
    check_all(table)


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
def test_a_waiver_and_its_undo_leave_what_a_correction_asks_for(rules: str, cut: bool) -> None:
    """N's second stroke becomes a foul; the black that S's foul put back is already there."""
    table = broken(playing(rules)).shot("WHITE SE", "SE").miss()
    table.review("SW").choose("BLACK SW").foul().wait(0.5).ok("referee").calm().ok("referee").calm()
    table.undo().wait(0.1).undo().wait(0.1).undo().wait(1.0).foul().wait(0.5).ok("referee").calm()
    table.ok("referee").calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == (WHITES, ())
    table.fix("N").wait(1.0).ok("N").calm().must_be(Phase.PLACING)
    assert table.entries[-3:] == ["S black@SW foul", "! placed", "! waive"]
    assert (table.dialogue.place, table.dialogue.take) == (WHITES, (Piece.BLACK,))
    check_all(table)
    if cut:
        table.restart().calm()
    table.undo().calm().must_be(Phase.PLACING)
    assert (table.dialogue.place, table.dialogue.take) == (WHITES, ())
    check_all(table)


def test_a_waiver_may_win_the_board_and_undo_asks_for_placing_again() -> None:
    table = playing("icf").hold("referee", "fix").wait(1.0).pick("correct the counts")
    for _ in range(8):
        table.pick("WHITE in: ")
    table.pick("queen").pick("queen: covered by WHITE").wait(1.0).pick("the table is right").calm()
    table.review("NE", "SW").choose("WHITE NE, STRIKER SW").wait(1.0).ok("referee").calm()
    table.must_be(Phase.PLACING).fix("S").wait(1.0).ok("S").calm().must_be(Phase.BOARD_OVER)
    assert table.view.winner is Side.WHITE
    check_all(table)
    table.undo().calm().must_be(Phase.PLACING)
    assert table.view.place == (Piece.WHITE, Piece.WHITE)
    check_all(table)
    table.ok("S").calm().must_be(Phase.READY)
    assert table.entries[-2:] == ["N white@NE striker@SW", "! placed"]
    assert table.counts == (7, 0)


def test_with_everything_in_off_says_so() -> None:
    table = playing("grundregeln").hold("referee", "fix").wait(1.0).pick("correct the counts")
    for colour in ("WHITE", "BLACK"):
        for _ in range(9):
            table.pick(f"{colour} in: ")
    table.pick("queen").pick("queen: WHITE must cover").wait(1.0).pick("the table is right").calm()
    table.review("NE")
    assert table.proposed == "STRIKER NE"
    table.off().wait(0.2)
    assert str(table.view.detail) == "everything is in"
    assert table.proposed == "STRIKER NE"
    check_all(table)


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
def test_with_nothing_due_nobody_is_asked(rules: str) -> None:
    table = broken(playing(rules)).hold("S", "fix").wait(1.0)
    assert not any("waive" in item for item in table.items)
