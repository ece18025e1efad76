"""Four digits: what they show, the bytes that make them show it, and a module on a wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from hypothesis import given, strategies as st

from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Piece, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView, ClockView, FreeView, Phase, PreferencesView
from jackspot.displays.errors import DisplayError
from jackspot.displays.signs.segment import COLON_BIT, SegmentDisplay, Shows, changes, face
from jackspot.displays.thread import DisplayThread, Retry
from jackspot.values import changed
from jackspot_sim.devices.sign import SimulatedSign
from jackspot_sim.devices.sign_decoders import Decoder, SegmentDecoder
from tests.conftest import PATIENCE_S
from tests.displays.screens import Clock, Journal
from tests.displays.views import board, reading, side


def shown(view: BoardView, shows: Shows = Shows.COUNT, *, colon: bool = False) -> str:
    """Return what a person reads after a whole face was sent to a module."""
    module = SegmentDecoder(colon=colon)
    module.feed(changes(None, face(view, shows, colon=colon)))
    return module.text


def turned(view: BoardView) -> BoardView:
    """Return a view with the other side to shoot."""
    red, green = view.sides
    sides = (changed(red, shoots=False), changed(green, shoots=True))
    return changed(view, sides=sides)


# What the digits show


def test_counts_stand_in_pairs_and_the_point_marks_the_turn() -> None:
    assert shown(board(7, 5)) == " 7. 5"
    assert shown(turned(board(7, 5))) == " 7 5."
    assert shown(board(12, 11)) == "12.11"
    assert shown(turned(board(12, 11))) == "1211."


def test_a_module_with_a_colon_shows_it_between_the_pairs() -> None:
    assert shown(board(7, 5), colon=True) == " 7.: 5"
    assert shown(turned(board(7, 5)), colon=True) == " 7: 5."


def test_a_proposal_changes_nothing() -> None:
    view = board(7, 5)
    proposed = changed(view, phase=Phase.REVIEW, proposal=reading())
    assert shown(proposed) == shown(view)


def test_before_a_match_there_is_nothing_to_count() -> None:
    assert shown(turned(board(0, 0, phase=Phase.SETUP))) == "----"


def test_free_play_counts_both_kinds_and_marks_nobody() -> None:
    counts = ((Piece.RED, 11), (Piece.GREEN, 4), (Piece.JACK, 1))
    view = board(phase=Phase.SETUP, free=FreeView(counts))
    assert shown(view) == "11 4"
    assert shown(view, Shows.TIME) == "11 4"


def test_help_invites_to_play_and_leaves_the_counts_of_a_match() -> None:
    assert shown(board(phase=Phase.SETUP, attract=1)) == "PLAY"
    assert shown(board(7, 5, attract=1)) == " 7. 5"


def test_a_board_that_is_switched_off_leaves_the_digits_dark() -> None:
    assert shown(board(7, 5, farewell=True)) == "    "


def test_an_armed_clock_shows_the_time_that_it_will_start_with() -> None:
    armed = ClockView(300 * SECOND_NS, 300 * SECOND_NS, armed=True)
    assert shown(board(clock=armed), Shows.TIME) == " 5.00"


def test_when_it_is_over_the_points_and_the_winner_are_shown() -> None:
    view = board(12, 8, phase=Phase.MATCH_OVER, winner=Side.GREEN, result_points=(8, 12))
    assert shown(view) == " 812."
    tied = changed(view, winner=None, result_points=(8, 8))
    assert shown(tied) == " 8 8"


def points_carrom(one: int, two: int, *, first: bool) -> BoardView:
    sides = (
        side(Side.ONE, 3, board_points=one, shoots=first),
        side(Side.TWO, 9, board_points=two, shoots=not first),
    )
    return board(rules=RuleSystem.POINTS, sides=sides)


@pytest.mark.parametrize(
    ("one", "two", "first", "text"),
    [
        (45, 60, True, "45.60"),
        (-3, 0, False, "-3 0."),
        (45, 110, False, " 110."),
        (45, 110, True, " .110"),
        (125, 60, True, "125. "),
        (125, 60, False, "125 ."),
        (105, 110, True, "105. "),
        (-12, 60, True, "-12. "),
        (-99999, 60, True, "--.60"),
    ],
)
def test_points_carrom_shows_points_a_long_number_alone_on_its_own_side(
    one: int, two: int, first: bool, text: str
) -> None:
    assert shown(points_carrom(one, two, first=first)) == text


def test_112_points_are_shown_alone_with_the_winners_point() -> None:
    view = board(12, 8, phase=Phase.MATCH_OVER, winner=Side.RED, result_points=(112, 8))
    assert shown(view) == "112. "


@pytest.mark.parametrize(
    ("remaining_ns", "text"),
    [
        (300 * SECOND_NS, " 5.00"),
        (277 * SECOND_NS, " 4.37"),
        (276 * SECOND_NS + 1, " 4.37"),
        (1, " 0.01"),
        (0, " 0.00"),
        (-5, " 0.00"),
        (5999 * SECOND_NS, "99.59"),
        (6000 * SECOND_NS, "--.--"),
    ],
)
def test_time_is_minutes_and_seconds_rounded_up(remaining_ns: int, text: str) -> None:
    view = board(clock=ClockView(limit_ns=300 * SECOND_NS, remaining_ns=remaining_ns))
    assert shown(view, Shows.TIME) == text
    assert shown(view, Shows.TIME, colon=True) == text.replace(".", ":")


def test_without_a_time_limit_the_count_is_shown() -> None:
    assert shown(board(7, 5), Shows.TIME) == " 7. 5"


# The bytes


def test_the_whole_is_as_the_data_sheet_says() -> None:
    # two blanks, cursor to the first digit, four characters, points: bit 1 behind digit 2
    assert changes(None, (" 7 5", 0b0010)) == b"  \x79\x00 7 5\x77\x02"


def test_only_what_changed_is_sent() -> None:
    assert changes((" 7 5", 0b0010), (" 8 5", 0b0010)) == b"\x79\x018"
    assert changes((" 7 5", 0b0010), (" 7 5", 0b1000)) == b"\x77\x08"
    assert changes((" 9 9", 0b0010), ("10 9", 0b0010)) == b"\x79\x0010"
    assert changes((" 7 5", 0b0010), (" 7 5", 0b0010)) == b""


FACES = st.tuples(st.text("0123456789- ", min_size=4, max_size=4), st.integers(0, 0b11111))


@given(st.lists(FACES, min_size=1))
def test_changes_always_lead_to_the_face_that_was_wanted(faces: list[tuple[str, int]]) -> None:
    module = SegmentDecoder(colon=True)
    before = None
    for wanted in faces:
        module.feed(changes(before, wanted))
        assert ("".join(module.digits), module.points) == wanted
        before = wanted


@given(st.binary(max_size=40).filter(lambda noise: not set(noise) & {0x7F, 0x80, 0x81}), FACES)
def test_the_whole_mends_whatever_went_before(noise: bytes, wanted: tuple[str, int]) -> None:
    module = SegmentDecoder()
    module.feed(noise)
    module.feed(changes(None, wanted))
    assert ("".join(module.digits), module.points) == wanted


# A module on a wire


@pytest.fixture
def sign(tmp_path: Path) -> Iterator[SimulatedSign]:
    simulated = SimulatedSign(SegmentDecoder(), tmp_path / "usb-OpenSegment-if00-port0")
    yield simulated
    simulated.close()


def expect(sign: SimulatedSign, text: str) -> None:
    def shows(decoder: Decoder) -> bool:
        return decoder.text == text

    assert sign.wait_for(shows, PATIENCE_S), sign.text


def test_what_the_module_shows_came_over_the_wire(sign: SimulatedSign) -> None:
    display = SegmentDisplay(str(sign.link))
    display.open()
    display.show(bright(board(7, 5), 40))
    expect(sign, " 7. 5")
    before = sign.bytes_taken
    display.show(bright(board(8, 5, sequence=2), 40))
    expect(sign, " 8. 5")
    assert sign.bytes_taken - before == 3
    display.show(bright(board(8, 5, sequence=3), 40))
    assert sign.picture() == {
        "plugged": True,
        "kind": "segment",
        "digits": " 8 5",
        "points": [False, True, False, False],
        "colon": False,
        "brightness": 40,
    }
    display.close()


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> serial.Serial:
    """Return a line that echoes what is written to it."""
    looped: serial.Serial = serial.serial_for_url("loop://", timeout=PATIENCE_S)
    monkeypatch.setattr(
        "jackspot.displays.signs.serial_port.serial.serial_for_url", lambda *args, **kwargs: looped
    )
    return looped


def taken(line: serial.Serial) -> bytes:
    """Return what was written since the last call."""
    data: bytes = line.read(line.in_waiting)
    return data


def bright(view: BoardView, percent: int) -> BoardView:
    """Return a view with the displays' brightness changed."""
    return changed(view, preferences=PreferencesView(brightness=percent))


def test_brightness_is_written_with_the_first_view_and_when_it_changes(
    line: serial.Serial,
) -> None:
    display = SegmentDisplay("loop://")
    display.open()
    assert taken(line) == b"\x76"
    display.show(bright(board(7, 5), 40))
    assert taken(line).startswith(b"\x7a\x28")
    display.show(bright(board(8, 5), 40))
    assert b"\x7a" not in taken(line)
    display.show(bright(board(8, 5), 75))
    assert taken(line) == b"\x7a\x4b"
    display.close()


def test_a_loose_plug_does_not_wear_out_the_memory_of_brightness(tmp_path: Path) -> None:
    sign = SimulatedSign(SegmentDecoder(), tmp_path / "usb-OpenSegment-if00-port0")
    display = SegmentDisplay(str(sign.link))
    for _time in range(3):
        display.open()
        display.show(bright(board(7, 5), 40))
        display.close()
    every_time, brightness = len(b"\x76" + changes(None, (" 7 5", 2))), 2
    assert sign.wait_for(lambda _decoder: sign.bytes_taken >= 3 * every_time, PATIENCE_S)
    display.open()  # once this is taken, so is all before it
    assert sign.wait_for(lambda decoder: decoder.text == "    ", PATIENCE_S)
    assert sign.picture()["brightness"] == 40
    assert sign.bytes_taken == 3 * every_time + brightness + len(b"\x76")
    display.close()
    sign.close()


def test_dark_digits_are_blank_and_come_back(line: serial.Serial) -> None:
    assert shown(bright(board(7, 5), 0)) == "    "
    display = SegmentDisplay("loop://")
    display.open()
    display.show(bright(board(7, 5), 0))
    assert b"\x7a" not in taken(line)
    display.show(bright(board(7, 5), 100))
    assert taken(line).startswith(b"\x7a\x64")
    display.close()


def test_what_the_digits_are_for_is_one_of_two_things() -> None:
    with pytest.raises(ValueError, match="noise"):
        SegmentDisplay("loop://", shows="noise")


def test_a_module_that_lost_power_is_whole_again_on_its_own(
    sign: SimulatedSign,
) -> None:
    clock = Clock()
    display = SegmentDisplay(str(sign.link), clock=clock, refresh_ns=10 * SECOND_NS)
    display.open()
    display.show(board(7, 5))
    expect(sign, " 7. 5")
    sign.decoder.power_off()
    clock.now_ns = 9 * SECOND_NS
    display.show(board(8, 5, sequence=2))
    expect(sign, " 8  ")
    clock.now_ns = 10 * SECOND_NS
    assert display.rest_ns() == 0
    display.tend()
    expect(sign, " 8. 5")
    display.close()


def test_unplugged_and_plugged_in_again_during_a_match(sign: SimulatedSign) -> None:
    faults = Journal()
    display = SegmentDisplay(str(sign.link))
    thread = DisplayThread(
        display, faults.add, retry=Retry(first_ns=1_000_000, longest_ns=4_000_000)
    )
    thread.start()
    thread.post(board(7, 5))
    expect(sign, " 7. 5")
    sign.unplug()
    assert sign.text == "    "
    assert not sign.link.exists()
    thread.post(board(8, 5, sequence=2))
    faults.wait_for(len)
    sign.plug()
    expect(sign, " 8. 5")
    faults.wait_for(lambda entries: len(entries) == 2)
    assert thread.stop(PATIENCE_S)


def test_a_write_after_unplugging_is_a_display_error(sign: SimulatedSign) -> None:
    display = SegmentDisplay(str(sign.link))
    display.open()
    sign.unplug()
    with pytest.raises(DisplayError, match=r"cannot write to .*OpenSegment"):
        display.show(board())
    display.close()


def test_the_colon_is_the_bit_after_the_four_points() -> None:
    assert face(board(7, 5), Shows.COUNT, colon=True)[1] == COLON_BIT | 0b0010 == 0b10010
