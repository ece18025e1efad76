"""Nothing the OLED shows is cut off: every picture, extreme numbers, any words."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, strategies as st

from jackspot.core.phrases import EMPTY, Multilingual, Phrase, _
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.dialogue.actions.guards import decided_by
from jackspot.dialogue.state.view import (
    BoardView,
    FaultView,
    FreeView,
    HallView,
    MenuView,
    NoticeView,
    Phase,
)
from jackspot.dialogue.words.fault_words import fault_view
from jackspot.displays.oled.layout import draw
from jackspot.displays.text import Block
from jackspot.displays.words import LANGUAGES, translator
from jackspot.festival.messages import LONGEST_JA, LONGEST_LATIN
from jackspot.sensing.events import FaultRaised, Place, Trouble
from jackspot.values import changed
from tests.displays.oled_drawing import ALL, english
from tests.displays.oled_views import (
    BLOCKED,
    GONE,
    NEXT,
    REACHES_IN,
    READY,
    SETUP,
    VIEWS,
    clock,
    reading,
    side,
)

HINT = _("anyone: hold OK")
STUCK = fault_view(FaultRaised(0, "seat_e_fix", Trouble.STUCK))


def has_remark(view: BoardView) -> bool:
    """Return whether a remark may stand where the detail is."""
    plain = view.menu is None and view.free is None and view.attract is None
    asks = view.phase not in (Phase.SETUP, Phase.FALLING)
    return plain and asks and view.calibration is None and not view.farewell


LONG = {"en": "W" * LONGEST_LATIN, "de": "ÄÖÜ @#%& " * 4 + "MW", "ja": "鬱" * LONGEST_JA}
LONGEST = Multilingual("", texts=tuple(LONG.items()))
"""A line from a hall's desk, as long as its message may be."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["setup", "ready", "board_over", "match_over", "match_over_code"])
def test_a_line_of_the_desk_has_room_whatever_it_says(name, language, cut_off) -> None:
    view = changed(VIEWS[name], notice=NoticeView(LONGEST, everywhere=True))
    draw(view, translator(language))
    assert cut_off == []


def test_a_fault_goes_before_what_all_are_told() -> None:
    faulty = changed(SETUP, faults=(BLOCKED,))
    told = changed(faulty, notice=NoticeView(LONGEST, everywhere=True))
    assert draw(told, english).tobytes() == draw(faulty, english).tobytes()


@pytest.mark.parametrize("name", ALL)
def test_a_board_that_is_looked_for_shows_it_and_cuts_nothing(name: str, cut_off) -> None:
    view = changed(ALL[name], hall=HallView(identified=124, alone=False))
    picture = draw(view, english)
    assert cut_off == []
    if view.phase is Phase.READY and not view.faults and view.attract is None:
        assert picture.tobytes() != draw(ALL[name], english).tobytes()
    large = draw(changed(view, hall=HallView(identified=124)), english)
    other = draw(changed(view, hall=HallView(identified=9)), english)
    assert (large.tobytes() != other.tobytes()) == (
        view.menu is None and view.calibration is None and not view.farewell
    )


@pytest.mark.parametrize("name", ALL)
def test_no_text_of_any_golden_view_is_cut(name: str, cut_off: list[Block]) -> None:
    draw(ALL[name], english)
    assert cut_off == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["board_over", "match_over", "match_over_code"])
def test_who_may_answer_for_those_who_left_is_never_cut(name, language, cut_off) -> None:
    draw(with_hint(VIEWS[name]), translator(language))
    assert cut_off == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("faults", [(), (BLOCKED,), (STUCK,), (STUCK, GONE)])
@pytest.mark.parametrize("name", [name for name, view in ALL.items() if has_remark(view)])
def test_who_decides_instead_is_never_cut(
    name: str, faults: tuple[FaultView, ...], language: str, cut_off: list[Block]
) -> None:
    refused = decided_by([Place.N, Place.S], Place.E)
    view = changed(ALL[name], detail=refused, faults=faults)
    draw(with_hint(view), translator(language))
    assert cut_off == [] or (name == "review_long" and faults), "five kinds of pieces in one stroke"


def with_hint(view: BoardView) -> BoardView:
    return changed(view, detail=_("{first} - {then}", first=view.detail, then=HINT))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["board_over", "match_over", "match_over_code", "placing"])
def test_who_may_answer_begins_a_line_of_its_own(name, language, in_lines) -> None:
    translate = translator(language)
    draw(with_hint(VIEWS[name]), translate)
    hint = HINT.render(translate)
    assert any(hint.startswith(line) for block in in_lines for line in block.lines[1:])


def test_only_a_name_that_fits_in_no_way_ends_in_dots(cut_off: list[Block]) -> None:
    sides = (side(Side.RED, names=("Wolfgang " * 9,)), SETUP.sides[1])
    draw(changed(SETUP, sides=sides), english)
    assert [block.lines[-1][-2:] for block in cut_off] == [".."]


@pytest.mark.parametrize("faults", [(), (BLOCKED,), (BLOCKED, GONE)])
@pytest.mark.parametrize(
    "name", ["setup", "ready_doubles", "falling_two", "review_long", "placing_many",
             "paused_power", "board_over", "match_over", "menu", "menu_history", "question_keep",
             "free", "free_begin", "help_start", "help_match_waits", "review_queue", "ready_armed",
             "ready_by_hand_clock", "review_missed", "review_objection"]
)  # fmt: skip
def test_extreme_values_fit(name: str, faults: tuple[FaultView, ...], cut_off: list[Block]) -> None:
    for count, best_of, waiting in itertools.product((0, 12), (1, 15), (0, 99)):
        sides = (
            side(Side.RED, count, owed=12, seats=(Seat.N, Seat.S), boards_won=9, shoots=True),
            side(Side.GREEN, 12, owed=12, seats=(Seat.E, Seat.W), boards_won=9),
        )
        view = changed(
            VIEWS[name],
            sides=sides,
            shooter=Seat.S,
            clock=clock(5999, 6000),
            best_of=best_of,
            waiting=waiting,
            faults=faults,
            result_points=(112, 112),
            place=(Piece.GREEN,) * 12 + (Piece.RED,) * 12 + (Piece.JACK,),
            lit=tuple(Pocket),
        )
        draw(view, english)
    assert cut_off == []


def covered(view: BoardView, over: str, one: Phrase, other: Phrase) -> BoardView:
    """Lay something over a view, with these words."""
    counts = tuple((piece, 12) for piece in (Piece.RED, Piece.GREEN, Piece.JACK))
    laid: dict[str, dict[str, Any]] = {
        "": {},
        "question": {"menu": MenuView(one, (other,), 0, question=True)},
        "list": {"menu": MenuView(one, (other,) * 9, 8)},
        "free": {"free": FreeView(counts, other)},
        "help": {"attract": 2},
        "queue": {"queue": (changed(NEXT, what=other), REACHES_IN)},
        "by hand": {"by_hand": tuple(Pocket)},
        "review": {"proposal": changed(reading("RED NE", "shoot again"), what=one, follows=other)},
    }
    return changed(view, **laid[over])


WORDS = st.text(alphabet="abcdeRGNESW ?:,0129äöüß番手の", max_size=60)


@given(
    phase=st.sampled_from(list(Phase)),
    over=st.sampled_from(["", "question", "list", "free", "help", "queue", "by hand", "review"]),
    texts=st.tuples(WORDS, WORDS, WORDS, WORDS),
    numbers=st.tuples(*[st.integers(0, 112)] * 4),
    waiting=st.integers(0, 30),
    faults=st.sampled_from([(), (BLOCKED,), (BLOCKED, GONE)]),
)
def test_any_words_and_numbers_can_be_drawn(
    phase: Phase,
    over: str,
    texts: tuple[str, str, str, str],
    numbers: tuple[int, int, int, int],
    waiting: int,
    faults: tuple[FaultView, ...],
) -> None:
    headline, detail, ok, fix = (_("{text}", text=text) for text in texts)
    red, green, owed, points = numbers
    view = changed(
        READY,
        phase=phase,
        sides=(side(Side.RED, red, owed=owed, shoots=True), side(Side.GREEN, green)),
        headline=headline,
        detail=detail,
        ok=ok,
        fix=fix,
        waiting=waiting,
        faults=faults,
        result_points=(points, owed),
    )
    image = draw(covered(view, over, headline, detail), english)
    assert (image.mode, image.size) == ("1", (128, 64))


def test_a_view_without_words_can_be_drawn() -> None:
    for phase in Phase:
        draw(changed(READY, phase=phase, headline=EMPTY, ok=EMPTY, fix=EMPTY, last=None), english)
