"""An eye can tell the OLED's letters and numbers apart at the distance they are read from.

Distances of pairs are those of :mod:`tests.displays.eye`: at 1 two glyphs are as unlike as a
Landolt ring and a closed one on the line of an eye chart that normal sight reads. No letter of
eight or twelve dots reaches that at 1.5 m on panels this small; for those the tests only check that
no pair falls behind the others. The large number and the lit card must be readable at 3 m.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageOps

from jackspot.core.pieces import Seat, Side
from jackspot.displays.oled import parts
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.parts import Card
from jackspot.displays.text import LARGE, PLAIN, SMALL, TINY, Face, boxed, measure, write
from jackspot.displays.words import LANGUAGES, translator
from jackspot.sensing.events import Key
from jackspot.values import changed
from tests.displays.eye import (
    DIGITS,
    JAPANESE,
    LARGER,
    LATIN,
    LETTERINGS,
    NEAR_MM,
    READ_MINUTES,
    SMALLER,
    Dots,
    Lettering,
    Panel,
    Seen,
    dots_of,
    glyphs_of,
    main,
    row,
)
from tests.displays.oled_drawing import english
from tests.displays.oled_views import LIST, MENU, READY, side

MEASUREMENTS = Path(__file__).parents[2] / "firmware" / "MEASUREMENTS.md"
FAR_MM = 3000
KANJI = "赤緑白黒勝番手打玉戻反則待"
"""Characters that the board often shows."""

NEAREST = {
    TINY.name: (0.11, 0.27),
    SMALL.name: (0.21, 0.45),
    PLAIN.name: (0.34, 0.70),
    LARGE.name: (0.65, 1.2),
    TINY.japanese: (0.06, 0.14),
    SMALL.japanese: (0.15, 0.28),
}
"""The least distance of any two glyphs of a face at 1.5 m, on the smaller and larger panel."""

NOTORIOUS = ("KH", "WH", "wH", "wN", "B8", "S5", "O0", "17", "NE", "NM")
MISREAD = {
    (TINY, SMALLER): 0.2, (TINY, LARGER): 0.5,
    (SMALL, SMALLER): 0.35, (SMALL, LARGER): 0.7,
    (PLAIN, SMALLER): 0.44, (PLAIN, LARGER): 0.9,
    (LARGE, SMALLER): 0.8, (LARGE, LARGER): 1.6,
}  # fmt: skip
"""The same for pairs that people mistook for each other."""


@cache
def seen(face: Face, panel: Panel) -> Seen:
    return Seen(glyphs_of(face), panel.minutes(NEAR_MM))


def name_of(lettering: Lettering) -> str:
    return lettering.name


@pytest.mark.parametrize("lettering", LETTERINGS, ids=name_of)
@pytest.mark.parametrize("panel", [SMALLER, LARGER], ids=str)
def test_no_two_glyphs_of_a_face_blur_into_each_other(lettering: Lettering, panel: Panel) -> None:
    distance, one, other = lettering.seen(panel.minutes(NEAR_MM)).worst()[0]
    on_the_smaller, on_the_larger = NEAREST[lettering.name]
    least = on_the_smaller if panel is SMALLER else on_the_larger
    assert distance >= least, f"{one} reads {other}"


@pytest.mark.parametrize("lettering", LETTERINGS, ids=name_of)
def test_at_twelve_minutes_of_arc_every_two_glyphs_are_far_apart(lettering: Lettering) -> None:
    """The nearest two are nearly twice as unlike as normal sight needs, letters even more."""
    distance, one, other = lettering.seen(READ_MINUTES / lettering.high).worst()[0]
    assert distance >= (2.6 if lettering in LATIN else 1.9), f"{one} reads {other}"


@pytest.mark.parametrize("lettering", LETTERINGS, ids=name_of)
def test_the_page_of_measurements_has_how_far_each_face_is_read(lettering: Lettering) -> None:
    assert row(lettering) in MEASUREMENTS.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("lettering", JAPANESE, ids=name_of)
def test_the_distance_of_each_pair_of_a_face_is_printed(
    lettering: Lettering, capsys: pytest.CaptureFixture[str]
) -> None:
    main([lettering.name])
    told = [line.split() for line in capsys.readouterr().out.splitlines()]
    count = len(lettering.characters)
    assert count * (count - 1) / 2 * 0.98 < len(told) < count * (count - 1) / 2
    nearest, one, other = lettering.seen(SMALLER.minutes(NEAR_MM)).worst()[0]
    assert told[0][:3] == [one, other, f"{nearest:.2f}"]
    assert {"し", "ジ", "7"} <= {each for line in told for each in line[:2]}


def test_a_face_that_is_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(SystemExit, match=r"no face big; known: tiny-5x8, .*misaki-8x8"):
        main(["big"])


def tagged(text: str) -> Dots:
    """Return a key's name or a number as it is drawn, dark on lit ground."""
    image = Image.new("1", (parts.tag_width(text), 10))
    parts.tag(image, 0, 1, text)
    return dots_of(image)


def seat_in_its_box(face: Face, seat: Seat) -> Dots:
    image = Image.new("1", (measure(face, boxed(seat.value)), face.height + 2))
    write(image, 0, 1, boxed(seat.value), face)
    return dots_of(image)


def seat_on_a_lit_card(seat: Seat) -> Dots:
    return dots_of(parts.small_card(Card("R", filled=True, number=7, lit=True, seat=seat)))


ON_LIT_GROUND: tuple[tuple[str, dict[str, Dots], float, float], ...] = (
    ("keys", {letter: tagged(letter) for letter in sorted(set("".join(Key).upper()))}, 0.31, 0.72),
    ("key OK", {name: tagged(name) for name in ("OK", "OX", "OH", "DK", "UK")}, 0.38, 0.73),
    ("key FIX", {name: tagged(name) for name in ("FIX", "FLX", "PIX", "FIK")}, 0.45, 0.9),
    ("numbers", {digit: tagged(f"+{digit}") for digit in DIGITS}, 0.3, 0.56),
    ("tiny", {seat.value: seat_in_its_box(TINY, seat) for seat in Seat}, 0.6, 1.2),
    ("small", {seat.value: seat_in_its_box(SMALL, seat) for seat in Seat}, 1.1, 2.1),
    ("plain", {seat.value: seat_in_its_box(PLAIN, seat) for seat in Seat}, 1.0, 2.1),
    ("large", {seat.value: seat_in_its_box(LARGE, seat) for seat in Seat}, 2.0, 3.7),
    ("card", {seat.value: seat_on_a_lit_card(seat) for seat in Seat}, 0.6, 1.2),
)
"""What is dark on lit ground, as it is drawn, and the least distance of any two at 1.5 m."""


@pytest.mark.parametrize("case", ON_LIT_GROUND, ids=lambda case: case[0])
@pytest.mark.parametrize("panel", [SMALLER, LARGER], ids=str)
def test_no_two_names_on_lit_ground_blur_into_each_other(
    panel: Panel, case: tuple[str, dict[str, Dots], float, float]
) -> None:
    _name, glyphs, on_the_smaller, on_the_larger = case
    distance, one, other = Seen(glyphs, panel.minutes(NEAR_MM)).worst()[0]
    least = on_the_smaller if panel is SMALLER else on_the_larger
    assert distance >= least, f"{one} reads {other}"


@pytest.mark.parametrize("pair", NOTORIOUS)
@pytest.mark.parametrize(("face", "panel"), MISREAD, ids=str)
def test_no_letter_is_taken_for_the_one_it_was_taken_for(
    face: Face, panel: Panel, pair: str
) -> None:
    assert seen(face, panel).apart(*pair) >= MISREAD[face, panel]


def test_the_eye_sees_less_the_farther_and_the_smaller() -> None:
    far, near = (Seen(glyphs_of(PLAIN, "KH"), SMALLER.minutes(mm)) for mm in (FAR_MM, NEAR_MM))
    assert far.apart("K", "H") < near.apart("K", "H") < seen(PLAIN, LARGER).apart("K", "H")


def test_a_ring_with_a_gap_of_a_minute_is_the_unit() -> None:
    ring = frozenset((x, y) for x in range(5) for y in range(5) if {x, y} & {0, 4})
    assert Seen({"O": ring, "C": ring - {(4, 2)}}, 1.0).apart("O", "C") == pytest.approx(1.0)


@pytest.mark.parametrize("panel", [SMALLER, LARGER], ids=str)
def test_the_large_number_is_read_at_three_metres(panel: Panel) -> None:
    digits = {digit: dots_of(parts.big_digit(digit, 16, 25)) for digit in DIGITS}
    distance, one, other = Seen(digits, panel.minutes(FAR_MM)).worst()[0]
    assert distance >= 1, f"{one} reads {other}"


@pytest.mark.parametrize("panel", [SMALLER, LARGER], ids=str)
def test_whose_turn_it_is_is_seen_at_three_metres(panel: Panel) -> None:
    first, second = (
        draw(changed(READY, shooter=None, sides=(side(Side.RED, 7, shoots=lit),
                                                 side(Side.GREEN, 7, shoots=not lit))), english)
        for lit in (True, False)
    )  # fmt: skip
    # One dot stands for sixteen, which the eye does not tell apart at 3 m.
    coarse = {
        name: dots_of(image.crop((0, 0, 128, 32)).resize((32, 8), Image.Resampling.BOX))
        for name, image in (("first", first), ("second", second))
    }
    assert Seen(coarse, 4 * panel.minutes(FAR_MM)).apart("first", "second") >= 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chosen_line_of_a_list_is_its_largest_and_none_of_it_is_cut_off(language: str) -> None:
    translate = translator(language)
    for chosen, item in enumerate(LIST.items):
        shown = draw(changed(MENU, menu=changed(LIST, chosen=chosen)), translate)
        text = parts.words(item, translate)
        if measure(PLAIN, text) > 120:
            continue
        line = Image.new("1", (measure(PLAIN, text), PLAIN.height))
        write(line, 0, 0, text, PLAIN)
        assert contains(shown, ImageOps.invert(line.convert("L")).convert("1")), text


def contains(picture: Image.Image, part: Image.Image) -> bool:
    """Return whether a part is anywhere in the first columns of a picture, dot by dot."""
    return any(
        picture.crop((3, top, 3 + part.width, top + part.height)).tobytes() == part.tobytes()
        for top in range(picture.height - part.height + 1)
    )


def test_japanese_in_a_line_of_twelve_dots_fills_it() -> None:
    rows = [len({y for _x, y in dots}) for dots in glyphs_of(SMALL, KANJI).values()]
    assert min(rows) >= 8
    assert max(rows) >= 10
    small, large = (Seen(glyphs_of(face, KANJI), LARGER.minutes(NEAR_MM)) for face in (TINY, SMALL))
    assert large.worst()[0][0] > small.worst()[0][0]


@pytest.mark.parametrize("letter", "RGWB12")
@pytest.mark.parametrize("small", [False, True])
def test_the_rim_of_a_puck_is_clear_of_its_letter(letter: str, *, small: bool) -> None:
    disc = Image.new("1", (24, 18))
    right = parts.puck(disc, 0, 0, letter, filled=False, small=small)
    bare = Image.new("1", disc.size)
    ImageDraw.Draw(bare).ellipse((0, 0, right - 1, 9 if small else 15), outline=255)
    rim, ink = dots_of(bare), dots_of(disc) - dots_of(bare)
    beside = ((0, 1), (1, 0), (0, -1), (-1, 0))
    assert not {(x + a, y + b) for x, y in ink for a, b in beside} & rim
