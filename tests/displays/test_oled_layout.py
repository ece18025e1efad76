"""What the OLED shows in each phase, dot by dot, and that nothing is ever cut off.

The pictures in ``golden/oled`` are what came out of the real driver over the fake bus. After
an intended change, make them again with ``JACKSPOT_REGOLDEN=1 pytest
tests/displays/test_oled_layout.py`` and look at each one.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.displays.oled import parts as oled_parts
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.sign_in import qr_code
from jackspot.displays.oled.wire import OledChip, pack, writes
from jackspot.sensing.events import Key
from jackspot.values import changed
from jackspot_sim.devices.bus import FakeI2C
from tests.conftest import each_of
from tests.displays.oled_drawing import ALL, dots, english, lit_share
from tests.displays.oled_views import (
    BLOCKED,
    DOUBLES,
    FALLING,
    GONE,
    KEPT,
    MATCH_OVER,
    MENU,
    NEXT,
    PLACING,
    REACHES_IN,
    READY,
    SETUP,
    SHORT_RECORD,
    VIEWS,
    clock,
    held,
    reading,
    review,
    side,
)

GOLDEN = Path(__file__).parent / "golden" / "oled"


# --- the pictures ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_each_view_is_shown_as_its_golden_picture(name: str) -> None:
    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial)
    oled.open()
    oled.show(ALL[name])
    shown = bus.picture()
    path = GOLDEN / f"{name}.png"
    if os.environ.get("JACKSPOT_REGOLDEN"):
        GOLDEN.mkdir(parents=True, exist_ok=True)
        shown.save(path, optimize=True)
    with Image.open(path) as golden:
        assert golden.mode == "1"
        assert shown.tobytes() == golden.tobytes(), f"{path.name} differs from what is shown"


def test_every_golden_picture_belongs_to_a_view() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(ALL)


def test_every_phase_has_a_golden_picture() -> None:
    assert {view.phase for view in VIEWS.values()} == set(Phase)


def test_no_two_views_look_alike() -> None:
    pictures = {name: dots(view) for name, view in ALL.items()}
    assert len(set(pictures.values())) == len(pictures)


# --- what must be seen -----------------------------------------------------------------


def test_the_card_of_the_side_to_shoot_is_white_and_the_other_is_not() -> None:
    red = draw(READY, english)
    green = draw(
        changed(READY, sides=(side(Side.RED, 7), side(Side.GREEN, 5, shoots=True))), english
    )
    left, right = (0, 0, 58, 31), (70, 0, 128, 31)
    assert lit_share(red, left) > 2 * lit_share(red, right)
    assert lit_share(green, right) > 2 * lit_share(green, left)


def test_red_and_green_differ_in_more_than_their_letter() -> None:
    filled, outlined = Image.new("1", (16, 16)), Image.new("1", (16, 16))
    oled_parts.puck(filled, 0, 0, " ", filled=True, small=False)
    oled_parts.puck(outlined, 0, 0, " ", filled=False, small=False)
    whole = (0, 0, 16, 16)
    assert lit_share(filled, whole) > lit_share(outlined, whole) + 0.2


@pytest.mark.parametrize("view", [review(reading("RED NE", "shoot again")), FALLING])
def test_what_is_proposed_stands_in_a_dashed_frame(view: BoardView) -> None:
    edge = draw(view, english).crop((16, 12, 112, 13)).tobytes()
    row = "".join(f"{byte:08b}" for byte in edge)
    assert row.count("1111") >= 12
    assert "11111" not in row
    assert "000" not in row


@pytest.mark.parametrize(
    "name",
    ["ready", "ready_by_hand", "ready_armed", "placing", "paused", "board_over", "match_over",
     "free_sure", "free_begin", "question_keep", "help_count", "help_buttons"],
)  # fmt: skip
def test_nothing_confirmed_has_a_dashed_frame(name: str) -> None:
    image = draw(VIEWS[name], english)
    for y in range(64):
        row = "".join(f"{byte:08b}" for byte in image.crop((0, y, 128, y + 1)).tobytes())
        assert "1111001111001111001111" not in row


def test_a_doubtful_reading_does_not_look_like_a_sure_one() -> None:
    sure = reading("RED NE", "shoot again")
    assert dots(review(sure)) != dots(review(changed(sure, doubtful=True)))


@pytest.mark.parametrize("pocket", Pocket)
def test_a_lit_pocket_is_lit_in_its_own_corner(pocket: Pocket) -> None:
    image = draw(changed(FALLING, lit=(pocket,)), english)
    corners = {
        Pocket.NW: (0, 12, 10, 22),
        Pocket.NE: (118, 12, 128, 22),
        Pocket.SE: (118, 44, 128, 54),
        Pocket.SW: (0, 44, 10, 54),
    }
    shares = {corner: lit_share(image, box) for corner, box in corners.items()}
    assert max(shares, key=shares.__getitem__) is pocket
    assert shares[pocket] > 2 * max(share for corner, share in shares.items() if corner != pocket)


FIRST_ANSWER = {name: view for name, view in VIEWS.items() if view.phase is not Phase.FALLING}


@each_of(product(FIRST_ANSWER, Pocket))
def test_a_pocket_lights_up_in_its_corner_of_any_picture(name: str, pocket: Pocket) -> None:
    view = changed(FIRST_ANSWER[name], lit=())
    differs = ImageChops.logical_xor(
        draw(view, english), draw(changed(view, lit=(pocket,)), english)
    )
    box = differs.getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert (right - left, bottom - top) == (12, 12)
    is_left, is_upper = right <= 64, top <= 13
    assert is_left is (pocket in {Pocket.NW, Pocket.SW})
    assert is_upper is (pocket in {Pocket.NW, Pocket.NE})
    assert bottom <= 56, "the prompts stay as they are"


@pytest.mark.parametrize("name", FIRST_ANSWER)
def test_the_first_answer_to_a_fall_is_a_few_dozen_bytes(name: str) -> None:
    view = changed(FIRST_ANSWER[name], lit=())
    before = pack(draw(view, english))
    for pocket in Pocket:
        after = pack(draw(changed(view, lit=(pocket,)), english))
        sent = sum(len(write.data) for write in writes(OledChip.SSD1306, before, after, 10))
        assert 0 < sent <= 40


def test_a_lit_pocket_leaves_the_counts_and_the_code_as_they_are() -> None:
    code = qr_code(SHORT_RECORD)
    for name, boxes in {
        "ready": [(21, 4, 55, 28), (91, 4, 124, 28)],
        "match_over_code": [(128 - code.width, 0, 128, 64)],
    }.items():
        dark, lit = (draw(changed(VIEWS[name], lit=at), english) for at in ((), tuple(Pocket)))
        for box in boxes:
            assert dark.crop(box).tobytes() == lit.crop(box).tobytes()


def test_the_prompts_stand_at_the_same_places_in_every_phase() -> None:
    for view in (READY, FALLING, MENU, SETUP, MATCH_OVER, review(reading("RED", "S shoots"))):
        image = draw(changed(view, ok=_("yes"), fix=_("next")), english)
        assert lit_share(image, (0, 56, 13, 64)) > 0.5, "OK at the left"
        assert lit_share(image, (128 - 22 - 18, 56, 128 - 22, 64)) > 0.5, "FIX at the right"


def test_the_bar_of_a_held_key_grows_with_the_hold() -> None:
    empty, *bars = (
        draw(held(READY, Key.OK, progress), english).crop((15, 56, 44, 64))
        for progress in (0.0, 0.2, 0.5, 0.8, 1.0)
    )
    whole = (0, 0, *empty.size)
    filled = [lit_share(ImageChops.logical_xor(empty, bar), whole) for bar in bars]
    assert filled == sorted(set(filled))
    assert filled[-1] > 0.8


def test_a_held_undo_names_itself() -> None:
    undo, foul = (dots(held(READY, key, 0.5)) for key in (Key.UNDO, Key.FOUL))
    assert undo != foul


def test_a_fault_leaves_counts_turn_debts_and_clock_visible() -> None:
    base = changed(DOUBLES, faults=(BLOCKED, GONE))
    seen = {dots(base)}
    red, green = base.sides
    for view in (
        changed(base, sides=(changed(red, pocketed=11), green)),
        changed(base, sides=(red, changed(green, owed=11))),
        changed(base, clock=clock(5998, 6000)),
        changed(base, shooter=Seat.E),
        changed(base, faults=(GONE, BLOCKED)),
        changed(base, faults=(BLOCKED,)),
    ):
        picture = dots(view)
        assert picture not in seen
        seen.add(picture)


def test_waiting_proposals_are_counted_in_every_phase() -> None:
    for view in (
        READY,
        FALLING,
        MENU,
        PLACING,
        VIEWS["paused"],
        review(reading("RED", "S shoots")),
    ):
        assert len({dots(changed(view, waiting=n)) for n in (0, 1, 2)}) == 3


def test_each_place_of_the_jack_looks_different() -> None:
    pictures = {dots(changed(READY, red=red)) for red in RedPlace if red is not RedPlace.COVERED}
    assert len(pictures) == 3


@pytest.mark.parametrize("boards", range(5))
def test_boards_won_are_counted(boards: int) -> None:
    red, green = READY.sides
    now = changed(READY, best_of=7, sides=(changed(red, boards_won=boards), green))
    then = changed(READY, best_of=7, sides=(changed(red, boards_won=boards + 1), green))
    assert (dots(now) == dots(then)) is (boards == 4)


def test_the_clock_shows_a_second_until_it_has_passed() -> None:
    at = [changed(READY, clock=changed(clock(61), remaining_ns=ns)) for ns in (
        60_000_000_001, 61_000_000_000, 60_000_000_000)]  # fmt: skip
    first, second, third = map(dots, at)
    assert first == second != third


def test_a_stack_is_drawn_bottom_to_top() -> None:
    low, high = (
        draw(changed(PLACING, place=pieces), english)
        for pieces in ((Piece.RED, Piece.GREEN), (Piece.GREEN, Piece.RED))
    )
    lower, upper = (4, 41, 48, 52), (4, 28, 48, 39)
    assert lit_share(low, lower) > 0.5 > lit_share(low, upper)
    assert lit_share(high, upper) > 0.5 > lit_share(high, lower)


def test_a_stack_of_two_dozen_pieces_has_room() -> None:
    pieces = (Piece.GREEN,) * 12 + (Piece.RED,) * 12 + (Piece.JACK,)
    image = draw(changed(PLACING, place=pieces), english)
    assert image.crop((0, 12, 52, 55)).getbbox() == (0, 3, 52, 43)


# --- what waits, and what people said of it --------------------------------------------


@pytest.mark.parametrize("base", [READY, PLACING, review(reading("RED NE", "shoot again"))])
def test_what_waits_next_is_named(base: BoardView) -> None:
    queues = ((), (NEXT,), (REACHES_IN,), (NEXT, REACHES_IN), (REACHES_IN, NEXT), (KEPT, NEXT))
    pictures = {dots(changed(base, queue=queue, waiting=len(queue))) for queue in queues}
    assert len(pictures) == len(queues)


def test_how_many_wait_is_said_even_where_naming_them_has_no_room() -> None:
    crowded = VIEWS["review_long"]
    assert dots(changed(crowded, queue=(NEXT,) * 3)) == dots(crowded)
    assert dots(changed(crowded, queue=(NEXT,) * 4)) != dots(crowded)


def test_a_hand_that_the_second_line_names_is_not_named_twice() -> None:
    said = changed(READY, detail=REACHES_IN.what)
    assert dots(changed(said, queue=(REACHES_IN,))) == dots(said)


def test_an_objection_leaves_what_would_follow() -> None:
    again, passes = (
        changed(review(reading("RED NE", follows)), detail=_("{text}", text="S objects"))
        for follows in ("shoot again", "S shoots")
    )
    quiet = review(reading("RED NE", "shoot again"))
    assert len({dots(again), dots(passes), dots(quiet)}) == 3


def test_pockets_by_hand_are_named_beside_anything_else() -> None:
    for base in (READY, DOUBLES, VIEWS["ready_owed_clock"], VIEWS["ready_fault"], FALLING):
        pictures = {
            dots(changed(base, by_hand=pockets))
            for pockets in ((), (Pocket.NW,), (Pocket.SE,), (Pocket.NW, Pocket.SE))
        }
        assert len(pictures) == 4


def test_a_pocket_by_hand_is_said_once() -> None:
    plain = changed(READY, by_hand=(Pocket.NW,))
    said = changed(plain, detail=_("{pocket} manual", pocket="NW"))
    assert dots(said) == dots(changed(plain, last=None))


def test_a_clock_that_waits_for_the_gong_does_not_look_like_one_that_runs() -> None:
    armed = VIEWS["ready_armed"]
    assert dots(armed) != dots(changed(armed, clock=changed(armed.clock, armed=False)))


@pytest.mark.parametrize("name", ["Board 7", "Vereinsheim Oberammergau, Brett 12", "カロム盤 七番"])
def test_in_set_up_the_boards_name_stands_between_rules_and_length(name: str) -> None:
    view = changed(SETUP, best_of=3)
    without, with_name = (draw(changed(view, name=each), english) for each in ("", name))
    box = ImageChops.difference(without, with_name).getbbox()
    assert box is not None
    assert box[3] <= 11, "nothing else is moved"
    assert ImageChops.subtract(without.convert("L"), with_name.convert("L")).getbbox() is None


@pytest.mark.parametrize("letter", ["R", "W"])
@pytest.mark.parametrize("number", [0, 12, 199, -12, 1000])
def test_a_small_card_that_is_too_full_is_cut(letter: str, number: int) -> None:
    for owed, queen, seat, lit in product((0, 12), ("", "Q?"), (None, Seat.W), (False, True)):
        card = oled_parts.Card(letter, True, number, owed, lit=lit, seat=seat, queen=queen)
        assert oled_parts.small_card(card).width <= 72
