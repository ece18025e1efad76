"""What the LED sign says, and that a proposal never looks confirmed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.core.directives import RedPlace
from jackspot.core.phrases import Multilingual, Translate, _, _n
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    FaultView,
    FreeView,
    MenuView,
    NoticeView,
    Phase,
    PreferencesView,
)
from jackspot.displays.signs import alpha as alpha_sign
from jackspot.displays.signs.alpha import STRING_SIZE, AlphaSign, strings_of
from jackspot.sensing.events import Trouble
from jackspot.values import changed
from tests.displays.views import board, fault, reading, side


def speak(_language: str) -> Translate:
    return lambda text: text


def strings(view: BoardView) -> dict[str, str]:
    return {label: body.decode("ascii") for label, body in strings_of(view, speak).items()}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"sign_type": "ZZ"}, "sign type is one character"),
        ({"sign_type": "\x04"}, "sign type is one character"),
        ({"address": "1"}, "two hex digits"),
        ({"address": "0g"}, "two hex digits"),
    ],
)
def test_a_wrong_type_or_address_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        AlphaSign("loop://", **settings)


def test_the_score_has_letter_side_and_colour_for_each() -> None:
    assert strings(board(7, 5)) == {"L": "\x1c1>(R) 7", "R": "\x1c2  (G) 5 ", "P": ""}


def test_the_mark_stands_beside_the_side_that_shoots() -> None:
    view = board()
    red, green = view.sides
    view = changed(
        view,
        sides=(changed(red, shoots=False), changed(green, shoots=True)),
    )
    assert strings(view)["L"] == "\x1c1 (R) 7"
    assert strings(view)["R"] == "\x1c2  (G) 5<"


def test_what_is_owed_is_said_in_words_and_never_reads_as_a_minus() -> None:
    sides = (side(Side.RED, 0, owed=1, shoots=True), side(Side.GREEN, 12, owed=2))
    view = board(sides=sides, headline=_("RED: shoot again"))
    assert strings(view)["L"] == "\x1c1>(R) 0"
    assert strings(view)["R"] == "\x1c2  (G)12 "
    assert strings(view)["P"] == "\r\x1c3RED: SHOOT AGAIN  RED OWES 1  GREEN OWES 2"


def test_a_proposal_changes_no_count_and_looks_like_no_confirmed_line() -> None:
    before = board(headline=_("RED: shoot again"))
    after = board(headline=_("RED: shoot again"), phase=Phase.REVIEW, proposal=reading())
    assert strings(before)["P"] == "\r\x1c3RED: SHOOT AGAIN"
    assert strings(after)["P"] == "\r\x1c7? RED NE ?"
    assert strings(after)["L"] == strings(before)["L"]
    assert strings(after)["R"] == strings(before)["R"]


def test_how_many_falls_wait_stands_behind_the_proposal() -> None:
    view = board(phase=Phase.REVIEW, proposal=reading(), waiting=2)
    assert strings(view)["P"] == "\r\x1c7? RED NE ? +2"


def test_a_board_that_is_switched_off_leaves_no_counts_on_the_sign() -> None:
    assert strings(board(farewell=True)) == {"L": "", "R": "", "P": "\x1c3SWITCHING OFF"}


def test_a_doubtful_proposal_has_two_question_marks() -> None:
    assert strings(board(proposal=reading(doubtful=True)))["P"] == "\r\x1c7?? RED NE ??"


def test_a_question_of_the_menu_is_shown_with_what_is_chosen() -> None:
    menu = MenuView(_("was the group touched?"), (_("yes"), _("no")), 1)
    assert strings(board(menu=menu))["P"] == "\r\x1c3WAS THE GROUP TOUCHED?: NO"


def test_a_question_stands_alone() -> None:
    menu = MenuView(
        _n("keep 1 later stroke?", "keep {n} later strokes?", n=3), (_("yes"),), 0, question=True
    )
    assert strings(board(menu=menu))["P"] == "\r\x1c3KEEP 3 LATER STROKES?"


COUNTS = ((Piece.RED, 7), (Piece.GREEN, 5), (Piece.JACK, 1))


def test_free_play_shows_the_counts_and_nobodys_turn() -> None:
    view = board(phase=Phase.SETUP, free=FreeView(COUNTS), headline=_("free play"))
    assert strings(view) == {"L": "\x1c1 (R) 7", "R": "\x1c2  (G) 5 ", "P": "\r\x1c3FREE PLAY"}


def test_the_newest_fall_of_free_play_is_orange_until_people_say_that_it_is_right() -> None:
    last = _("{what}?", what="RED")
    view = board(phase=Phase.SETUP, free=FreeView(COUNTS, last))
    assert strings(view)["P"] == "\r\x1c7RED?  J 1"
    sure = FreeView(COUNTS, _("{side} {pocket}", side="RED", pocket="NE"), sure=True)
    assert strings(board(free=sure))["P"] == "\r\x1c3RED NE  J 1"


@pytest.mark.parametrize("picture", range(3))
def test_help_is_told_in_words_in_the_middle_of_the_sign(picture: int) -> None:
    shown = strings(board(phase=Phase.SETUP, attract=picture))
    assert (shown["L"], shown["R"]) == ("", "")
    assert shown["P"].startswith("\x1c3")
    assert len(shown["P"]) > 20
    assert len({strings(board(phase=Phase.SETUP, attract=n))["P"] for n in range(3)}) == 3


def test_a_match_that_was_left_keeps_its_counts_beside_the_help() -> None:
    shown = strings(board(7, 5, attract=2))
    assert (shown["L"], shown["R"]) == ("\x1c1>(R) 7", "\x1c2  (G) 5 ")
    assert shown["P"] == "\r\x1c3MATCH SUSPENDED. UNDO TAKES BACK"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(300, "5 MIN"), (241, "5 MIN"), (240, "4 MIN"), (61, "2 MIN"), (60, "60 S"), (41, "50 S"),
     (10, "10 S"), (1, "10 S"), (0, "TIME!")],
)  # fmt: skip
def test_the_time_is_said_in_minutes_then_in_tens_of_seconds(seconds: int, said: str) -> None:
    clock = ClockView(300 * SECOND_NS, seconds * SECOND_NS, running=True)
    assert strings(board(headline=_("RED shoots"), clock=clock))["P"] == (
        f"\r\x1c3RED SHOOTS  {said}"
    )


def test_a_sign_is_written_no_more_than_ten_times_in_five_minutes_of_clock() -> None:
    clocks = [ClockView(300 * SECOND_NS, s * SECOND_NS, running=True) for s in range(300, -1, -1)]
    said = [strings(board(clock=clock))["P"] for clock in clocks]
    assert sum(before != after for before, after in pairwise(said)) <= 10


def test_half_the_brightness_is_the_dim_colours_and_dark_is_empty() -> None:
    view = board(7, 5, headline=_("RED: shoot again"))
    dim = changed(view, preferences=PreferencesView(brightness=50))
    assert strings(dim) == {
        "L": "\x1c4>(R) 7", "R": "\x1c5  (G) 5 ", "P": "\r\x1c6RED: SHOOT AGAIN"
    }  # fmt: skip
    assert strings(changed(view, preferences=PreferencesView(brightness=51))) == strings(view)
    dark = changed(view, preferences=PreferencesView(brightness=0))
    assert strings(dark) == {"L": "", "R": "", "P": ""}
    menu = MenuView(_("menu"), (_("yes"),), 0)
    assert strings(changed(dark, menu=menu))["P"] == "\r\x1c6MENU: YES"


def test_a_dimmed_proposal_still_looks_like_no_confirmed_line() -> None:
    dim = PreferencesView(brightness=25)
    assert strings(board(proposal=reading(), preferences=dim))["P"] == "\r\x1c6? RED NE ?"


def test_the_language_can_change_between_two_views() -> None:
    def two(language: str) -> Translate:
        german = {"RED: shoot again": "ROT: noch einmal"} if language == "de" else {}
        return lambda text: german.get(text, text)

    view = board(headline=_("RED: shoot again"))
    spoken = {
        language: strings_of(changed(view, preferences=PreferencesView(language=language)), two)
        for language in ("en", "de")
    }
    assert spoken["en"]["P"] == b"\r\x1c3RED: SHOOT AGAIN"
    assert spoken["de"]["P"] == b"\r\x1c3ROT: NOCH EINMAL"


def test_a_fault_is_named_behind_what_is_next() -> None:
    view = board(headline=_("RED shoots"), faults=(fault("beam NE blocked"),))
    assert strings(view)["P"] == "\r\x1c3RED SHOOTS ! BEAM NE BLOCKED"
    assert strings(board(faults=(fault("beam NE blocked"),)))["P"] == "\r\x1c3! BEAM NE BLOCKED"


def test_when_a_board_is_over_points_and_winner_are_shown() -> None:
    view = board(12, 8, phase=Phase.BOARD_OVER, winner=Side.GREEN, result_points=(3, 112))
    assert strings(view)["L"] == "\x1c1 (R) 3"
    assert strings(view)["R"] == "\x1c2  (G)112<"


def test_points_carrom_shows_the_running_points_apart_from_the_number_of_the_side() -> None:
    sides = (side(Side.ONE, 3, board_points=-3), side(Side.TWO, 2, board_points=110))
    view = board(rules=RuleSystem.POINTS, sides=sides)
    assert strings(view)["L"] == "\x1c1 (1)-3"
    assert strings(view)["R"] == "\x1c2  (2)110 "


def test_white_is_amber_and_black_the_dimmest_there_is_never_green() -> None:
    sides = (side(Side.WHITE, 5, shoots=True), side(Side.BLACK, 3))
    view = board(rules=RuleSystem.KAGW, sides=sides)
    assert (strings(view)["L"], strings(view)["R"]) == ("\x1c3>(W) 5", "\x1c6  (B) 3 ")


@pytest.mark.parametrize(
    ("place", "left"), [(RedPlace.PENDING, ">(W) 5Q?"), (RedPlace.COVERED, ">(W) 5Q")]
)
def test_the_side_that_has_the_queen_says_so_beside_its_count(place: RedPlace, left: str) -> None:
    sides = (side(Side.WHITE, 5, owed=1, shoots=True), side(Side.BLACK, 3))
    view = changed(board(rules=RuleSystem.KAGW, sides=sides, red_side=Side.WHITE), red=place)
    assert strings(view)["L"] == f"\x1c3{left}"
    assert strings(view)["R"] == "\x1c6  (B) 3 "


def test_the_match_score_stands_behind_the_line_once_there_is_one() -> None:
    sides = (
        side(Side.WHITE, 5, shoots=True, game_points=17, games_won=1),
        side(Side.BLACK, 3, game_points=9),
    )
    view = board(rules=RuleSystem.ICF, sides=sides, game=2, best_of=3, headline=_("WHITE"))
    assert strings(view)["P"] == "\r\x1c3WHITE  GAMES 1:0  POINTS 17:9"
    begun = board(rules=RuleSystem.ICF, game=1, best_of=3, headline=_("WHITE"))
    assert strings(begun)["P"] == "\r\x1c3WHITE"


def test_umlauts_are_spelt_out_and_japanese_gives_way_to_english() -> None:
    german = {"RED: shoot again": "Rot stößt nochmal, ärgerlich"}
    japanese = {"RED: shoot again": "赤：もう一回"}
    view = board(headline=_("RED: shoot again"))
    assert strings_of(view, lambda _language: lambda text: german.get(text, text))["P"] == (
        b"\r\x1c3ROT STOESST NOCHMAL, AERGERLICH"
    )
    assert strings_of(view, lambda _language: lambda text: japanese.get(text, text))["P"] == (
        b"\r\x1c3RED: SHOOT AGAIN"
    )


def test_a_name_cannot_smuggle_control_codes_onto_the_wire() -> None:
    view = board(headline=_("{name} shoots", name="Zoë\x04\x03\x10A赤"))
    assert strings(view)["P"] == "\r\x1c3ZOE***A* SHOOTS"


def test_a_long_line_is_cut_to_its_file() -> None:
    prompt = strings_of(board(headline=_("x" * 300)), speak)["P"]
    assert len(prompt) == STRING_SIZE
    assert prompt.endswith(b"XX..")


def test_of_a_long_line_the_fault_at_its_end_stays_whole() -> None:
    stuck = FaultView("seat_e_fix", Trouble.STUCK, _("E FIX is stuck"), _("use another button"))
    prompt = strings_of(board(headline=_("x" * 300), faults=(stuck,)), speak)["P"]
    assert len(prompt) == STRING_SIZE
    assert prompt.endswith(b"XX.. ! E FIX IS STUCK")
    short = strings_of(board(headline=_("x"), faults=(stuck,)), speak)["P"]
    assert short.endswith(b"3X ! E FIX IS STUCK")


FULLEST = board(
    best_of=3,
    headline=_("x" * 60),
    sides=(
        side(Side.RED, 4, owed=1, boards_won=1, points=12),
        side(Side.GREEN, 3, owed=2, shoots=True, points=8),
    ),
    clock=ClockView(900 * SECOND_NS, 600 * SECOND_NS),
)
NOTICE = "Größte Pause in der Halle bis 13:30 Uhr"[:38]


@pytest.mark.parametrize("headline", ["", "x" * 60, "x" * 300, "wait ! " * 20])
@pytest.mark.parametrize("text", [NOTICE, "ä" * 38, "now ! here", "lunch 13:30"])
@pytest.mark.parametrize("faulty", [False, True])
def test_of_a_long_line_the_notice_and_the_fault_stay_whole(
    headline: str, text: str, faulty: bool
) -> None:
    stuck = FaultView("seat_e_fix", Trouble.STUCK, _("E FIX"), _("use another button"))
    view = changed(
        FULLEST,
        headline=_("{text}", text=headline),
        notice=NoticeView(Multilingual("", texts=(("en", text),)), everywhere=True),
        faults=(stuck,) if faulty else (),
    )
    prompt = strings(view)["P"]
    assert len(prompt) <= STRING_SIZE
    spelt = text.replace("ä", "ae").replace("ö", "oe").replace("ß", "ss").upper()
    assert prompt.endswith(f"  {spelt}" + (" ! E FIX" if faulty else ""))


def test_every_seat_and_side_has_a_colour() -> None:
    assert set(alpha_sign._SIDE_COLOUR) == set(Side)
    assert Seat.N in board().lamps


def test_a_clock_that_runs_does_not_wake_the_sign_and_a_count_does() -> None:
    sign = AlphaSign("/dev/null")
    at = [board(clock=ClockView(300 * 10**9, seconds * 10**9, True, 0)) for seconds in (9, 8)]
    assert sign.cares(at[0]) == sign.cares(at[1])
    assert sign.cares(at[0]) != sign.cares(changed(at[0], sides=board(8).sides))
