"""What only some rule systems ask: the break, who places, what is forgotten, waived, demanded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackspot.core.pieces import Piece, Side
from jackspot.table.customs import Confirm, Customs
from jackspot.table.menu_kinds import MenuKind
from jackspot.table.view import Phase, Sound
from tests.table.desk_checks import (
    check_a_restart,
    check_all,
    watch_the_evidence,
    watch_the_presses,
    watch_the_question,
)
from tests.table.playing import Table

QUEEN_SYSTEMS = ("kagw", "grundregeln", "icf")


def playing(rules: str, **given: Any) -> Table:
    """A match of these rules, N to shoot, watched at every step."""
    table = Table(rules=rules, **given)
    table.watchers += [
        watch_the_question, watch_the_evidence(table), watch_the_presses(table),
    ]  # fmt: skip
    return table.started("N")


def kind(table: Table) -> MenuKind | None:
    """Which list is open."""
    return table.desk.menu.kind if table.desk.menu else None


def broken(table: Table) -> Table:
    """N has made the break by a white piece, and shoots again."""
    return table.shot("WHITE NE", "NE")


# --- the break -------------------------------------------------------------------------


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_while_the_break_is_to_be_made_ok_after_a_miss_asks_about_it(rules: str) -> None:
    table = playing(rules).ok("N").wait(1.0)
    assert table.view.menu is not None
    assert str(table.view.menu.title) == "was the group touched?"
    assert table.view.menu.question
    check_all(table)
    table.fix("N").calm()
    assert table.entries == ["N nobreak"]
    assert str(table.view.detail) == "break missed 1 of 3"
    assert table.shooter == "N"


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_a_group_that_was_touched_is_a_break_and_nobody_asks_again(rules: str) -> None:
    table = playing(rules).ok("N").wait(1.0).ok("N").calm()
    assert (table.entries, table.shooter) == (["N -"], "S")
    table.ok("S").calm()
    assert (table.entries, table.shooter) == (["N -", "S -"], "N")


def test_the_third_missed_break_passes_the_turn_and_the_next_seat_has_three_of_its_own() -> None:
    table = playing("icf")
    for n in (1, 2):
        table.ok("N").wait(1.0).fix("N").calm()
        assert str(table.view.detail) == f"break missed {n} of 3"
    table.ok("N").wait(1.0).fix("N").calm()
    assert table.shooter == "S"
    assert str(table.view.detail) == ""
    table.ok("S").wait(1.0).fix("S").calm()
    assert str(table.view.detail) == "break missed 1 of 3"


def test_an_option_says_how_many_attempts_there_are() -> None:
    table = playing("kagw", options={"break_attempts": 2}).ok("N").wait(1.0).fix("N").calm()
    assert str(table.view.detail) == "break missed 1 of 2"


def test_closing_the_question_of_the_break_enters_nothing() -> None:
    table = playing("kagw").ok("N").wait(1.0).hold("N", "fix").wait(1.0)
    assert (kind(table), table.entries, table.phase) == (None, [], Phase.READY)
    table.ok("N").wait(21.0)
    assert (kind(table), table.entries) == (None, [])


def test_whoever_may_pass_the_turn_may_answer_about_the_break() -> None:
    customs = Customs(confirm=Confirm.REFEREE)
    table = playing("kagw", customs=customs).ok("N").wait(1.0).fix("N").calm()
    assert table.entries == ["N nobreak"]
    table.ok("S").wait(1.0).ok("S").calm()
    assert table.entries == ["N nobreak", "N -"]
    table.wait(3.0).ok("S").calm()
    assert len(table.entries) == 3


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_foul_goes_through_the_flags_that_can_be_called_now(rules: str) -> None:
    table = playing(rules)
    seen = [table.foul().wait(0.9).proposed for _ in range(4)]
    assert seen == ["foul", "break missed", "foul, break missed", "NOTHING IN"]
    table.undo().calm()
    broken(table).wait(6.0)
    seen = [table.foul().wait(0.9).proposed for _ in range(3)]
    assert seen == ["foul", "NOTHING IN", "foul"], "the break is made"


def test_a_break_is_not_missed_by_who_pockets_a_piece() -> None:
    table = playing("icf").review("NE").wait(0.5)
    assert table.proposed == "WHITE NE"
    seen = [table.foul().wait(0.9).proposed for _ in range(3)]
    assert seen == ["foul, WHITE NE", "WHITE NE", "foul, WHITE NE"]
    table.foul().wait(0.9).choose("STRIKER NE").wait(0.5)
    seen = [table.foul().wait(0.9).proposed for _ in range(2)]
    assert seen == ["foul, STRIKER NE", "break missed, STRIKER NE"]


def test_hikone_never_asks_about_a_break() -> None:
    table = playing("hikone").ok("N").calm()
    assert table.entries == ["N -"]


# --- who places, and where -------------------------------------------------------------


def placers(table: Table) -> list[tuple[str, str, tuple[str, ...]]]:
    """Who puts which pieces where, as the view has it."""
    return [
        (str(each.by), str(each.where), tuple(piece.value for piece in each.pieces))
        for each in table.view.placing
    ]


def striker(table: Table, by: str = "referee") -> Table:
    """Who is to shoot pockets the striker alone."""
    return table.review("SW").choose("STRIKER SW", by).wait(0.5).ok(by).calm()


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


# --- kagw: forgotten -------------------------------------------------------------------


def owing(rules: str = "kagw", **given: Any) -> Table:
    """N owes one, has one in, and has just missed: S has to put it back."""
    table = playing(rules, **given)
    table.shot("STRIKER NE", "NE").miss("S").shot("WHITE SW", "SW")
    return table.ok("N").calm().must_be(Phase.PLACING)


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
    assert str(table.view.detail) == "N may not decide this"
    assert table.phase is Phase.PLACING
    table.wait(1.0).hold("N", "fix").wait(1.0).pick("not put back in time", by="N", held=True)
    assert str(table.view.detail) == "N may not decide this"
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
    assert table.items[:2] == ["5 QUEEN covered by BLACK", "4 N NOTHING IN, not put back"]


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
    assert str(table.view.detail) == "N may not decide this"
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


# --- every question outlasts a power cut ------------------------------------------------


def asked_touched() -> Table:
    return playing("icf").ok("N").wait(1.0)


def asked_forgotten() -> Table:
    return owing().fix("S").wait(1.0)


def asked_in_time() -> Table:
    table = owing().fall("NE").wait(2.0).ok("N").wait(1.0).choose("BLACK NE", "N").wait(1.0)
    return table.ok("N").wait(1.0)


def asked_waived() -> Table:
    return striker(broken(playing("icf"))).fix("S").wait(1.0)


def asked_demand() -> Table:
    return lost_improperly().fix("referee").wait(1.0)


def asked_queen() -> Table:
    table = broken(playing("kagw")).hold("referee", "fix").wait(1.0)
    return table.pick("correct the counts").pick("queen").wait(1.0)


ASKED = {
    MenuKind.TOUCHED: asked_touched,
    MenuKind.FORGOTTEN: asked_forgotten,
    MenuKind.IN_TIME: asked_in_time,
    MenuKind.WAIVED: asked_waived,
    MenuKind.DEMAND: asked_demand,
    MenuKind.QUEEN: asked_queen,
}
ANSWERED = {
    MenuKind.TOUCHED: "N -",
    MenuKind.FORGOTTEN: "! forgot",
    MenuKind.IN_TIME: "! placed",
    MenuKind.WAIVED: "! waive",
    MenuKind.DEMAND: "! demand",
    MenuKind.QUEEN: "! set queen=board",
}
"""The newest line of the record after OK."""


@pytest.mark.parametrize("question", ASKED)
def test_every_question_outlasts_a_power_cut_and_is_answered_after_it(question: MenuKind) -> None:
    table = ASKED[question]()
    assert kind(table) is question
    check_all(table)
    table.restart()
    assert kind(table) is question
    check_all(table)
    table.wait(1.0).ok("S").calm()
    assert table.entries[-1] == ANSWERED[question]
    check_all(table)


@pytest.mark.parametrize("question", sorted(set(ASKED) - {MenuKind.IN_TIME}))
def test_every_question_closes_by_itself_and_changes_nothing(question: MenuKind) -> None:
    table = ASKED[question]()
    before = table.entries
    table.wait(21.0)
    assert kind(table) is None
    assert table.entries == before


# --- icf, grundregeln: waived ----------------------------------------------------------


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
def test_the_opponent_may_waive_what_is_due(rules: str) -> None:
    table = striker(broken(playing(rules))).must_be(Phase.PLACING)
    assert str(table.view.fix) == "waived?"
    table.fix("N")
    assert str(table.view.detail) == "N may not decide this"
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


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
def test_with_nothing_due_nobody_is_asked(rules: str) -> None:
    table = broken(playing(rules)).hold("S", "fix").wait(1.0)
    assert not any("waive" in item for item in table.items)


# --- icf: the extra point --------------------------------------------------------------


def lost_improperly(**given: Any) -> Table:
    """N has pocketed black's last piece improperly, the queen on the board: S wins."""
    table = playing("icf", **given).hold("referee", "fix").wait(1.0).pick("correct the counts")
    for _ in range(8):
        table.pick("BLACK in: ")
    for _ in range(3):
        table.pick("WHITE in: ")
    table.pick("the table is right").calm()
    table.review("NE").choose("BLACK NE").foul().wait(1.0).hold("referee", "ok").calm()
    return table


def test_the_winner_of_a_board_may_demand_a_point_more() -> None:
    table = lost_improperly().must_be(Phase.BOARD_OVER)
    assert table.view.result_points == (0, 9)
    assert str(table.view.fix) == "extra point?"
    table.fix("referee").wait(1.0)
    assert kind(table) is MenuKind.DEMAND
    check_all(table)
    table.ok("referee").calm().must_be(Phase.BOARD_OVER)
    assert table.entries[-1] == "! demand"
    assert table.view.result_points == (0, 10)
    assert str(table.view.fix) == "", "only once"


def test_a_demand_that_was_taken_back_can_be_left_out() -> None:
    table = lost_improperly().fix("referee").wait(1.0).ok("referee").calm()
    table.undo().calm().must_be(Phase.BOARD_OVER)
    assert "! demand" not in table.entries
    assert str(table.view.ok) == "put back"
    check_all(table)
    table.fix("referee").wait(1.0).fix("referee").calm()
    assert str(table.view.ok) == "next board"
    check_all(table)
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-1] == "! board"


def test_a_demand_taken_back_and_put_back_stands() -> None:
    table = lost_improperly().fix("referee").wait(1.0).ok("referee").calm()
    table.undo().calm().ok("referee").calm().must_be(Phase.BOARD_OVER)
    assert table.entries[-1] == "! demand"
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-2:] == ["! demand", "! board"]


def test_a_demand_may_end_the_match() -> None:
    table = lost_improperly(options={"target": 10, "best_of": 1}).must_be(Phase.BOARD_OVER)
    table.fix("referee").wait(1.0).ok("referee").calm().must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "! demand"
    check_all(table)
    table.undo().calm().must_be(Phase.BOARD_OVER)
    check_all(table)


def test_after_the_match_the_menu_still_asks_for_the_extra_point() -> None:
    table = lost_improperly(options={"target": 9, "best_of": 1}).must_be(Phase.MATCH_OVER)
    table.hold("referee", "fix").wait(1.0).pick("extra point?").wait(1.0).ok("referee").calm()
    table.must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "! demand"
    assert table.view.result_points == (0, 10)
    check_all(table)


def test_a_kept_demand_follows_its_board_again() -> None:
    """The stroke before the last is changed: the demand after it is kept."""
    table = lost_improperly().fix("referee").wait(1.0).ok("referee").calm()
    table.undo().undo().calm().must_be(Phase.REVIEW)
    table.undo().calm()
    check_all(table)
    while table.game.undone:
        table.ok("referee").calm()
    assert table.entries[-1] == "! demand"


@pytest.mark.parametrize("rules", ["kagw", "grundregeln", "points", "hikone"])
def test_elsewhere_nothing_is_demanded(rules: str) -> None:
    table = playing(rules, options={"best_of": 3}).hold("N", "fix").wait(1.0)
    table.pick("draw", by="N", held=True).calm().must_be(Phase.BOARD_OVER).fix("N")
    assert str(table.view.detail) == "not now"


# --- colours and games -----------------------------------------------------------------


def test_prompts_use_the_colours_of_the_board() -> None:
    table = playing("kagw").hold("N", "fix").wait(1.0).pick("draw", by="N", held=True).calm()
    assert str(table.view.detail).endswith("S opens")
    table.ok("S").calm().must_be(Phase.READY)
    assert str(table.view.headline) == "WHITE S to shoot"
    table.shot("WHITE NE", "NE", by="S")
    assert table.entries[-1] == "S white@NE"


def after_boards(*winners: str, **options: object) -> Table:
    """A match of icf in which these seats have won a board each, by resignation; -: drawn."""
    table = playing("icf", options=options)
    for seat in winners:
        if table.phase is Phase.BOARD_OVER:
            table.ok("referee").calm()
        table.hold("referee", "fix").wait(1.0)
        if seat == "-":
            table.pick("draw", held=True).calm()
        else:
            other = "N" if seat == "S" else "S"
            table.pick("resign").pick(f"{other} resigns", held=True).calm()
    return table


def told(table: Table) -> list[str]:
    return [str(each) for each in table.view.hints]


def test_players_change_sides_after_each_game() -> None:
    """A board that is given up counts nine pieces and the queen."""
    table = after_boards("N", target=12)
    assert told(table) == ["game to N", "change sides"]
    assert str(table.view.detail) == "resigned, S opens, game to N, change sides"
    assert told(after_boards("N", target=13)) == []


TWO_GAMES = ("N", "N", "S", "S")
"""Two games of 20 points or more, one each."""


def test_in_the_third_game_sides_change_at_thirteen_points() -> None:
    assert told(after_boards(*TWO_GAMES, "N", target=20)) == []
    forty = ("N", "N", "N", "N", "S", "S", "S", "S")
    assert told(after_boards(*forty, "N", target=40)) == []
    assert told(after_boards(*forty, "N", "N", target=40)) == ["change sides"]
    assert told(after_boards(*forty, "N", "N", "S", target=40)) == [], "only once"


def test_in_the_third_game_sides_change_after_four_boards() -> None:
    assert told(after_boards(*TWO_GAMES, "-", "-", "-", target=20)) == []
    assert told(after_boards(*TWO_GAMES, "-", "-", "-", "-", target=20)) == ["change sides"]
    assert told(after_boards(*TWO_GAMES, "-", "-", "-", "-", "N", target=20)) == []


def test_other_systems_do_not_say_that_sides_change() -> None:
    table = playing("grundregeln", options={"target": 9, "best_of": 3})
    table.hold("N", "fix").wait(1.0).pick("resign", by="N").pick("S resigns", by="N", held=True)
    assert told(table.calm()) == ["game to N"]


# --- the shot clock --------------------------------------------------------------------


def shooting(**options: object) -> Table:
    return playing("hikone", options={"shot_clock_s": 15, **options})


def left_s(table: Table) -> float | None:
    """What the shot clock shows, in seconds."""
    return None if table.view.shot is None else round(table.view.shot.remaining_ns / 1e9, 1)


def test_the_shot_clock_starts_with_the_press_that_gives_the_turn() -> None:
    table = shooting()
    first = left_s(table)
    assert first is not None
    assert 11 < first < 13, "the match was started three seconds ago"
    table.wait(5.0).ok("N")
    again = left_s(table)
    assert again is not None
    assert again > 14


def test_the_shot_clock_warns_and_sounds_and_judges_nothing() -> None:
    table = shooting()
    table.sounds.clear()
    table.wait(6.0)
    assert table.sounds == []
    table.wait(4.0)
    assert table.sounds == [Sound.SHOT_SOON]
    table.wait(4.0)
    assert table.sounds == [Sound.SHOT_SOON, Sound.SHOT_UP]
    assert left_s(table) == 0
    table.wait(20.0)
    assert table.sounds == [Sound.SHOT_SOON, Sound.SHOT_UP], "each once"
    assert (table.entries, table.shooter, table.phase) == ([], "N", Phase.READY)


def test_a_fall_stops_the_shot_clock_and_a_hand_gives_no_time() -> None:
    table = shooting()
    before = left_s(table)
    table.fall("NE").wait(0.5)
    assert left_s(table) is None
    table.wait(1.5).must_be(Phase.REVIEW).choose("NOT A STROKE").wait(1.0).ok("referee")
    after = left_s(table)
    assert before is not None
    assert after is not None
    assert after < before - 2, "the same shot goes on"


def test_a_pause_begins_the_shot_clock_anew() -> None:
    table = shooting().wait(5.0).hold("N", "fix").wait(1.0).pick("pause", by="N")
    assert left_s(table) is None
    table.wait(5.0).ok("N")
    assert left_s(table) == pytest.approx(15, abs=0.5)


def test_without_the_option_there_is_no_shot_clock() -> None:
    table = playing("icf")
    assert table.view.shot is None
    table.wait(60.0)
    assert Sound.SHOT_UP not in table.sounds


# --- time ------------------------------------------------------------------------------


def test_in_the_last_round_the_board_says_who_shoots_last() -> None:
    table = playing("icf", options={"time_limit_s": 30, "time_end": "finish_round"})
    table.ok("N").wait(1.0).ok("N").calm().ok("S").wait(40.0)
    assert str(table.view.detail) == "time is up: S is last"


# --- other hints -----------------------------------------------------------------------


def test_all_seats_break_at_once_where_that_was_agreed() -> None:
    table = playing("hikone", options={"opening": "mass_break"})
    assert str(table.view.detail) == "mass break: all at once"
    table.shot("RED NE", "NE")
    assert str(table.view.detail) == ""


def test_an_area_hit_is_restored_by_the_opponents() -> None:
    table = playing("hikone", lineup="NESW").foul().wait(0.9).foul().wait(0.9)
    assert table.proposed == "area hit"
    table.ok("referee").calm()
    assert str(table.view.detail) == "opponents restore"


def test_the_one_try_at_the_jack_is_said() -> None:
    handicap = {"N": {"pucks_needed": 1, "must_bank": True}}
    table = playing("hikone", handicap=handicap, options={"jack_one_shot": "loss"})
    table.shot("RED NE", "NE")
    assert str(table.view.detail) == "jack may be played, must cushion, one shot only"


def test_first_shots_and_a_weak_hand_are_hinted() -> None:
    table = playing("japan", handicap={"S": {"weak_hand": True}})
    assert told(table) == ["from the tee spot"]
    table.miss("N")
    assert told(table) == ["from the tee spot", "with the weak hand"]
    table.miss("S")
    assert told(table) == []


def test_points_of_a_turn_that_count_nothing_are_said_to_be_void() -> None:
    table = playing("points").shot("BLACK NE", "NE").shot("QUEEN SE", "SE")
    assert str(table.view.detail) == "cover the queen now"
    table.ok("N").calm()
    assert "points of turn are void" in told(table) or table.phase is Phase.PLACING
    assert table.view.place == (Piece.QUEEN,)


def test_a_desk_with_a_shot_clock_is_woken_for_its_digits() -> None:
    table = shooting()
    shown = set()
    for _ in range(8):
        table.wait(1.0)
        shown.add(left_s(table))
    assert len(shown) == 8
    assert replace(table.desk, shot=None) != table.desk
