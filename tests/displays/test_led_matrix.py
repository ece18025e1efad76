"""The LED matrix through luma's real driver and SPI, seen at the far end of the chain."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

import pytest
from PIL import Image

from jackspot.core.pieces import Piece, Pocket, Side
from jackspot.core.stroke import Departure
from jackspot.dialogue.state.view import BoardView, ClockView, Phase, PreferencesView
from jackspot.displays.errors import DisplayError
from jackspot.displays.matrix.driver import IDLE_REFRESH_NS, REFRESH_NS, LedMatrix, Panel, SpiBus
from jackspot.displays.matrix.figures import figure
from jackspot.displays.matrix.layout import INVITATION, draw
from jackspot.displays.text import TINY, measure, write
from jackspot.displays.thread import DirectDisplay
from jackspot.displays.words import LANGUAGES, translator
from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from jackspot.values import changed
from jackspot_sim.devices.matrix_chain import MatrixChain
from tests.displays.oled_views import READY, VIEWS
from tests.displays.views import board, fault, reading, side

GOLDEN = Path(__file__).parent / "golden" / "matrix"
SIZES = [(32, 8), (40, 8), (64, 8), (32, 16), (64, 16)]
SECOND_NS = 1_000_000_000


def seen(chain: MatrixChain, panel: Panel) -> Image.Image:
    """Return what a person sees: each module where and how it is mounted."""
    shown = Image.new("1", panel.size)
    for index, module in enumerate(chain.pictures()):
        row, place = divmod(index, panel.columns)
        backwards = panel.reverse ^ (panel.snake and row == 1)
        column = panel.columns - 1 - place if backwards else place
        shown.paste(module.rotate(-panel.turn), (8 * column, 8 * row))
    return shown.rotate(180) if panel.upside_down else shown


PANELS = [
    Panel(columns, rows, turn, reverse, snake, upside_down)
    for columns, rows in ((4, 1), (4, 2), (8, 1))
    for turn in (0, 90, 180, 270)
    for reverse, snake, upside_down in itertools.product((False, True), repeat=3)
    if rows == 2 or not snake
]


def lit(panel: Panel, view: BoardView = READY) -> tuple[LedMatrix, MatrixChain]:
    chain = MatrixChain(panel.modules)
    matrix = LedMatrix(panel, serial_factory=chain.serial)
    matrix.open()
    matrix.show(view)
    return matrix, chain


@pytest.mark.parametrize("panel", PANELS, ids=str)
def test_however_the_modules_are_mounted_the_picture_stands_upright(panel: Panel) -> None:
    _matrix, chain = lit(panel, VIEWS["ready_owed_clock"])
    assert seen(chain, panel).tobytes() == draw(VIEWS["ready_owed_clock"], panel.size).tobytes()


def test_every_view_reaches_the_leds() -> None:
    panel = Panel(8, 2)
    matrix, chain = lit(panel)
    for view in VIEWS.values():
        matrix.show(view)
        assert seen(chain, panel).tobytes() == draw(view, panel.size).tobytes()


def test_an_unchanged_picture_sends_nothing_and_a_whole_one_is_eight_writes() -> None:
    matrix, chain = lit(Panel())
    before = chain.writes
    matrix.show(changed(READY, sequence=9))
    assert chain.writes == before
    matrix.show(board(8, 5))
    assert chain.writes == before + 8


def test_brightness_falls_and_nothing_is_dark() -> None:
    matrix, chain = lit(Panel())
    assert {chip.intensity for chip in chain.chips} == {4}
    matrix.show(changed(READY, preferences=PreferencesView(brightness=50)))
    assert {chip.intensity for chip in chain.chips} == {2}
    matrix.show(changed(READY, preferences=PreferencesView(brightness=0)))
    assert not any(chip.running for chip in chain.chips)
    matrix.show(READY)
    assert {(chip.running, chip.intensity) for chip in chain.chips} == {(True, 4)}


def test_a_chain_that_lost_its_set_up_is_whole_again_in_play_and_while_nobody_plays() -> None:
    now = [0]
    chain, panel = MatrixChain(4), Panel()
    matrix = LedMatrix(panel, serial_factory=chain.serial, clock=lambda: now[0])
    matrix.open()
    assert matrix.rest_ns() is None
    matrix.show(READY)
    chain.power_on()
    assert seen(chain, panel).getbbox() is None
    now[0] = REFRESH_NS
    matrix.show(READY)
    assert seen(chain, panel).tobytes() == draw(READY, panel.size).tobytes()
    chain.power_on()
    assert matrix.rest_ns() == IDLE_REFRESH_NS
    now[0] += IDLE_REFRESH_NS
    assert matrix.rest_ns() == 0
    matrix.tend()
    assert seen(chain, panel).tobytes() == draw(READY, panel.size).tobytes()


def test_a_bus_that_is_gone_in_mid_match_is_told_and_the_picture_comes_back_whole() -> None:
    told: list[FaultRaised | FaultCleared] = []
    now = [0]
    chain, panel = MatrixChain(4), Panel()
    matrix = LedMatrix(panel, serial_factory=chain.serial, clock=lambda: now[0])
    shown = DirectDisplay(matrix, told.append, lambda: now[0])
    shown.start()
    shown.post(board(7, 5))
    chain.remove_bus()
    shown.post(board(8, 5))
    now[0] += 10 * SECOND_NS
    shown.post(board(9, 5))
    assert [type(each) for each in told] == [FaultRaised]
    chain.give_bus()
    now[0] += 10 * SECOND_NS
    shown.post(board(10, 5))
    assert [type(each) for each in told] == [FaultRaised, FaultCleared]
    assert seen(chain, panel).tobytes() == draw(board(10, 5), panel.size).tobytes()
    shown.stop()
    assert not any(chip.running for chip in chain.chips)


def test_a_bus_or_library_that_is_missing_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DisplayError, match="sudo apt install python3-spidev") as caught:
        LedMatrix(bus=SpiBus(0, 1)).open()
    assert caught.value.trouble is Trouble.REFUSED
    chain = MatrixChain(4)
    chain.remove_bus()
    with pytest.raises(DisplayError, match=r"/dev/spidev0\.0 cannot be used.*do_spi 0"):
        LedMatrix(serial_factory=chain.serial).open()
    monkeypatch.setitem(sys.modules, "luma.led_matrix.device", None)
    with pytest.raises(DisplayError, match=r"python3-luma\.led-matrix"):
        LedMatrix(serial_factory=MatrixChain(4).serial).open()
    with pytest.raises(DisplayError, match="open it first"):
        LedMatrix().show(READY)


@pytest.mark.parametrize(("panel", "intensity"), [(Panel(turn=45), 4), (Panel(), 16)])
def test_a_setting_that_no_module_has_is_refused(panel: Panel, intensity: int) -> None:
    with pytest.raises(ValueError, match=r"matrix: (turn|intensity) must be"):
        LedMatrix(panel, intensity=intensity)


# --- pictures --------------------------------------------------------------------------

CLOCK = ClockView(300 * SECOND_NS, 272 * SECOND_NS, running=True)
FELL = changed(
    reading(),
    departures=(Departure(Piece.RED), Departure(Piece.GREEN)),
)
PICTURES: dict[str, BoardView] = {
    "setup": VIEWS["setup"],
    "ready": board(7, 5),
    "ready_right": board(
        sides=(side(Side.RED, 12), side(Side.GREEN, 11, shoots=True)), clock=CLOCK
    ),
    "clock": board(3, 4, clock=CLOCK),
    "last_minute": board(3, 4, clock=changed(CLOCK, remaining_ns=7 * SECOND_NS)),
    "falling": board(7, 5, phase=Phase.FALLING),
    "proposal": board(7, 5, phase=Phase.REVIEW, proposal=FELL, clock=CLOCK),
    "proposal_wide": board(
        12, 11, phase=Phase.REVIEW, proposal=changed(FELL, departures=FELL.departures * 3)
    ),
    "doubt": board(7, 5, phase=Phase.REVIEW, proposal=changed(FELL, doubtful=True)),
    "placing": VIEWS["placing"],
    "placing_many": VIEWS["placing_many"],
    "paused": board(7, 5, phase=Phase.PAUSED),
    "over": board(12, 8, phase=Phase.BOARD_OVER, winner=Side.RED),
    "over_right": board(9, 12, phase=Phase.MATCH_OVER, winner=Side.GREEN, result_points=(112, 125)),
    "fault": board(7, 5, faults=(fault("NE blocked"),)),
    "help": changed(VIEWS["setup"], attract=0),
    "free": VIEWS["free_fault"],
}


def sheet(size: tuple[int, int]) -> Image.Image:
    """Lay all pictures of a panel's size one below the other."""
    wide, high = size
    laid = Image.new("1", (wide, (high + 2) * len(PICTURES)))
    for index, view in enumerate(PICTURES.values()):
        laid.paste(draw(view, size), (0, (high + 2) * index))
    return laid


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_each_picture_is_the_one_that_was_looked_at(size: tuple[int, int]) -> None:
    path = GOLDEN / f"{size[0]}x{size[1]}.png"
    drawn = sheet(size)
    if os.environ.get("JACKSPOT_REGOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        drawn.save(path, optimize=True)
    with Image.open(path) as golden:
        assert golden.size == drawn.size
        assert golden.tobytes() == drawn.tobytes(), f"{path.name} differs"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_whose_turn_it_is_and_what_is_proposed_can_be_told_at_any_count(
    size: tuple[int, int],
) -> None:
    for red, green in [*itertools.product((0, 7, 12, 25), repeat=2), (112, 25), (9, 112)]:
        left = board(red, green)
        right = changed(
            left, sides=(changed(left.sides[0], shoots=False), changed(left.sides[1], shoots=True))
        )
        asked = changed(left, phase=Phase.REVIEW, proposal=FELL)
        pictures = {draw(view, size).tobytes() for view in (left, right, asked)}
        assert len(pictures) == 3, (red, green)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_any_view_can_be_drawn_at_any_size(size: tuple[int, int]) -> None:
    for name, view in VIEWS.items():
        image = draw(view, size)
        assert image.size == size, name
        assert image.getbbox() is not None or view.farewell or not view.preferences.brightness, name


def test_digits_differ_from_each_other_in_three_dots_at_least() -> None:
    for slim in (False, True):
        for one, other in itertools.combinations("0123456789", 2):
            pairs = zip(
                figure(one, slim=slim).tobytes(), figure(other, slim=slim).tobytes(), strict=True
            )
            assert sum((a ^ b).bit_count() for a, b in pairs) >= 2 + (not slim), (one, other)


@pytest.mark.parametrize(("language", "word"), [("en", "PLAY"), ("de", "SPIEL"), ("ja", "遊ぼう")])
def test_the_invitation_is_said_in_the_language_that_is_set(language: str, word: str) -> None:
    panel = Panel()
    inviting = changed(VIEWS["setup"], attract=0, preferences=PreferencesView(language=language))
    _matrix, chain = lit(panel, inviting)
    expected = Image.new("1", panel.size)
    write(expected, (32 - measure(TINY, word) + 1) // 2, 0, word, TINY)
    assert seen(chain, panel).tobytes() == expected.tobytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_invitation_has_room_on_the_smallest_panel(language: str) -> None:
    word = INVITATION.render(translator(language))
    assert measure(TINY, word) <= min(width for width, _high in SIZES)
    inviting = changed(VIEWS["setup"], attract=0)
    word_of = {draw(inviting, (32, 8), translator(each)).tobytes() for each in LANGUAGES}
    assert len(word_of) == len(LANGUAGES), "each language has its own word"


def test_a_striker_is_a_star_and_never_the_letter_of_a_seat() -> None:
    fell = changed(FELL, departures=(Departure(Piece.STRIKER, Pocket.NE),))
    shown = draw(board(7, 5, phase=Phase.REVIEW, proposal=fell), (64, 8))
    assert shows(shown, "*?")
    assert not shows(shown, "S?")


def shows(image: Image.Image, text: str) -> bool:
    """Return whether a text is anywhere between the dotted lines."""
    word = Image.new("1", (measure(TINY, text), 8))
    write(word, 0, 0, text, TINY)
    high = word.crop((0, 1, word.width - 1, 7))
    places = [(x, 1, x + high.width, 7) for x in range(image.width - high.width)]
    return any(image.crop(place).tobytes() == high.tobytes() for place in places)
