"""The LED sign: bytes against another encoder and the protocol's text, and a sign on a wire."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import serial
from alphasign.commands.special import WriteSpecialFunction
from alphasign.commands.string_file import WriteString
from alphasign.commands.text import WriteText
from alphasign.packet import Packet
from alphasign.protocol import DisplayMode, DisplayPosition, FileProtection, FileType

from jackspot.core.clock import SECOND_NS
from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.displays import alpha_sign
from jackspot.displays.alpha_sign import (
    BETABRITE,
    STRING_SIZE,
    AlphaSign,
    configure_memory,
    frame,
    run_only,
    strings_of,
    write_string,
    write_text,
)
from jackspot.displays.errors import DisplayError
from jackspot.displays.thread import DisplayThread, Retry
from jackspot.table.events import FaultCleared, FaultRaised
from jackspot.table.phrases import Translate, _
from jackspot.table.view import BoardView, ClockView, FreeView, HouseView, MenuView, Phase
from jackspot_sim.sign import AlphaDecoder, Decoder, SimulatedSign
from tests.displays.test_thread import PATIENCE_S, Journal
from tests.displays.views import board, fault, reading, side


def speak(_language: str) -> Translate:
    return lambda text: text


def wire(packet: Packet) -> bytes:
    """Give another encoder's bytes as they travel: its marks for pauses do not."""
    return packet.to_bytes().replace(b"\xff", b"")


def strings(view: BoardView) -> dict[str, str]:
    return {label: body.decode("ascii") for label, body in strings_of(view, speak).items()}


# The bytes


def test_a_frame_is_as_computed_by_hand() -> None:
    # 02 + 47 47 + "7" 37 + 03: 0x02 + 0x47 + 0x47 + 0x37 + 0x03 = 0xCA
    assert frame(b"GG7") == b"\x00\x00\x00\x00\x00\x01Z00\x02GG7\x0300CA\x04"
    # 02 + 41 41 1B 20 62 + "HELLO" (48 45 4C 4C 4F = 0x174) + 03 = 0x298
    assert (
        frame(write_text("A", b"HELLO"), BETABRITE, "01")
        == b"\x00\x00\x00\x00\x00\x01^01\x02AA\x1b bHELLO\x030298\x04"
    )


def test_the_checksum_is_a_16_bit_sum() -> None:
    # 02 + 47 + 4C + 100 x 7E + 03 = 0x98 + 0x3138 = 0x31D0
    assert frame(write_string("L", b"~" * 100)).endswith(b"\x0331D0\x04")


@pytest.mark.parametrize("body", [b"", b"\x1c1>R 7", b"\r\x1c3RED: SHOOT AGAIN", b"~" * 100])
def test_string_files_equal_another_encoder(body: bytes) -> None:
    assert frame(write_string("L", body)) == wire(Packet().add(WriteString(body, label="L")))


def test_text_files_equal_another_encoder() -> None:
    other = WriteText(
        b"\x10L\x10R\x10P", "A", position=DisplayPosition.MIDDLE_LINE, mode=DisplayMode.HOLD
    )
    ours = frame(write_text("A", b"\x10L\x10R\x10P"), BETABRITE, "07")
    assert ours == wire(Packet(b"^", "07").add(other))


def test_the_memory_configuration_equals_another_encoder() -> None:
    other = WriteSpecialFunction.configure_memory(
        [
            {"label": "A", "type": FileType.TEXT, "size": 32, "stop_time": 0},
            *(
                {
                    "label": label,
                    "type": FileType.STRING,
                    "size": STRING_SIZE,
                    "protection": FileProtection.LOCKED,
                }
                for label in "LRP"
            ),
        ]
    )
    assert frame(configure_memory("A", "LRP")) == wire(Packet().add(other))


def test_the_memory_configuration_is_as_the_protocol_says() -> None:
    assert configure_memory("A", "LR") == b"E$AAU0020FF00LBL00640000RBL00640000"


def test_the_run_sequence_equals_another_encoder() -> None:
    other = WriteSpecialFunction.set_run_sequence("SUA")
    assert frame(run_only("A")) == wire(Packet().add(other))


def test_a_string_longer_than_its_file_is_refused() -> None:
    with pytest.raises(ValueError, match="room for 100 bytes, not 101"):
        write_string("L", b"x" * 101)


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


# What it says


def test_the_score_has_letter_side_and_colour_for_each() -> None:
    assert strings(board(7, 5)) == {"L": "\x1c1>R 7", "R": "\x1c2  G 5 ", "P": ""}


def test_the_mark_stands_beside_the_side_that_shoots() -> None:
    view = board()
    red, green = view.sides
    view = dataclasses.replace(
        view,
        sides=(dataclasses.replace(red, shoots=False), dataclasses.replace(green, shoots=True)),
    )
    assert strings(view)["L"] == "\x1c1 R 7"
    assert strings(view)["R"] == "\x1c2  G 5<"


def test_what_is_owed_stands_behind_the_count() -> None:
    sides = (side(Side.RED, 0, owed=5, shoots=True), side(Side.GREEN, 12))
    view = board(sides=sides)
    assert strings(view)["L"] == "\x1c1>R 0-5"
    assert strings(view)["R"] == "\x1c2  G12 "


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
    menu = MenuView(_("keep {n} later strokes?", n=3), (_("yes"),), 0, question=True)
    assert strings(board(menu=menu))["P"] == "\r\x1c3KEEP 3 LATER STROKES?"


COUNTS = ((Piece.RED, 7), (Piece.GREEN, 5), (Piece.JACK, 1))


def test_free_play_shows_the_counts_and_nobodys_turn() -> None:
    view = board(phase=Phase.SETUP, free=FreeView(COUNTS), headline=_("free play"))
    assert strings(view) == {"L": "\x1c1 R 7", "R": "\x1c2  G 5 ", "P": "\r\x1c3FREE PLAY"}


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
    assert (shown["L"], shown["R"]) == ("\x1c1>R 7", "\x1c2  G 5 ")
    assert shown["P"] == "\r\x1c3THIS MATCH WAITS. UNDO TAKES BACK"


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
    dim = dataclasses.replace(view, house=HouseView(brightness=50))
    assert strings(dim) == {
        "L": "\x1c4>R 7", "R": "\x1c5  G 5 ", "P": "\r\x1c6RED: SHOOT AGAIN"
    }  # fmt: skip
    assert strings(dataclasses.replace(view, house=HouseView(brightness=51))) == strings(view)
    dark = dataclasses.replace(view, house=HouseView(brightness=0))
    assert strings(dark) == {"L": "", "R": "", "P": ""}
    menu = MenuView(_("menu"), (_("yes"),), 0)
    assert strings(dataclasses.replace(dark, menu=menu))["P"] == "\r\x1c6MENU: YES"


def test_a_dimmed_proposal_still_looks_like_no_confirmed_line() -> None:
    dim = HouseView(brightness=25)
    assert strings(board(proposal=reading(), house=dim))["P"] == "\r\x1c6? RED NE ?"


def test_the_language_can_change_between_two_views() -> None:
    def two(language: str) -> Translate:
        german = {"RED: shoot again": "ROT: noch einmal"} if language == "de" else {}
        return lambda text: german.get(text, text)

    view = board(headline=_("RED: shoot again"))
    spoken = {
        language: strings_of(dataclasses.replace(view, house=HouseView(language=language)), two)
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
    assert strings(view)["L"] == "\x1c1 R 3"
    assert strings(view)["R"] == "\x1c2  G112<"


def test_points_carrom_shows_the_running_points_apart_from_the_number_of_the_side() -> None:
    sides = (side(Side.ONE, 3, board_points=-3), side(Side.TWO, 2, board_points=110))
    view = board(rules=RuleSystem.POINTS, sides=sides)
    assert strings(view)["L"] == "\x1c1 1 -3"
    assert strings(view)["R"] == "\x1c2  2 110 "


def test_white_is_amber_and_black_green() -> None:
    sides = (side(Side.WHITE, 5, shoots=True), side(Side.BLACK, 3))
    view = board(rules=RuleSystem.KAGW, sides=sides)
    assert (strings(view)["L"], strings(view)["R"]) == ("\x1c3>W 5", "\x1c2  B 3 ")


@pytest.mark.parametrize(
    ("place", "left"), [(RedPlace.PENDING, ">W 5-1Q?"), (RedPlace.COVERED, ">W 5-1Q")]
)
def test_the_side_that_has_the_queen_says_so_beside_its_count(place: RedPlace, left: str) -> None:
    sides = (side(Side.WHITE, 5, owed=1, shoots=True), side(Side.BLACK, 3))
    view = dataclasses.replace(
        board(rules=RuleSystem.KAGW, sides=sides, red_side=Side.WHITE), red=place
    )
    assert strings(view)["L"] == f"\x1c3{left}"
    assert strings(view)["R"] == "\x1c2  B 3 "


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


# The sign on a wire


@pytest.fixture
def sign(tmp_path: Path) -> Iterator[SimulatedSign]:
    simulated = SimulatedSign(AlphaDecoder(), tmp_path / "usb-Alpha_sign-if00-port0")
    yield simulated
    simulated.thaw()
    simulated.close()


def decoder(sign: SimulatedSign) -> AlphaDecoder:
    assert isinstance(sign.decoder, AlphaDecoder)
    return sign.decoder


def display(sign: SimulatedSign, **settings: Any) -> AlphaSign:
    return AlphaSign(str(sign.link), settle_s=0, **settings)


def expect(sign: SimulatedSign, text: str) -> None:
    def shows(shown: Decoder) -> bool:
        return shown.text == text

    assert sign.wait_for(shows, PATIENCE_S), (sign.text, decoder(sign).rejected)


def test_what_the_sign_shows_came_over_the_wire(sign: SimulatedSign) -> None:
    alpha = display(sign, sign_type=BETABRITE, address="01")
    alpha.open()
    alpha.show(board(7, 5, headline=_("RED: shoot again")))
    expect(sign, ">R 7  G 5 \nRED: SHOOT AGAIN")
    assert sign.picture() == {
        "plugged": True,
        "kind": "alpha",
        "pages": [
            [{"text": ">R 7", "colour": "red"}, {"text": "  G 5 ", "colour": "green"}],
            [{"text": "RED: SHOOT AGAIN", "colour": "amber"}],
        ],
    }
    assert decoder(sign).rejected == []
    alpha.close()


def test_a_sign_with_another_address_or_type_shows_nothing(sign: SimulatedSign) -> None:
    elsewhere = display(sign, address="02")
    elsewhere.open()
    elsewhere.show(board(7, 5))
    elsewhere.close()
    assert sign.wait_for(lambda _: decoder(sign).passed_by == 6, PATIENCE_S)
    other = display(sign, sign_type="f")
    other.open()
    other.show(board(8, 6))
    other.close()
    assert sign.wait_for(lambda _: decoder(sign).passed_by == 12, PATIENCE_S)
    every = display(sign)
    every.open()
    every.show(board(1, 2))
    expect(sign, ">R 1  G 2 ")
    assert decoder(sign).frames == 6
    every.close()


def test_only_what_changed_is_sent(sign: SimulatedSign) -> None:
    alpha = display(sign)
    alpha.open()
    alpha.show(board(7, 5, headline=_("RED: shoot again")))
    expect(sign, ">R 7  G 5 \nRED: SHOOT AGAIN")
    before = sign.bytes_taken
    alpha.show(board(7, 5, sequence=2, headline=_("RED: shoot again")))
    alpha.show(board(8, 5, sequence=3, headline=_("RED: shoot again")))
    expect(sign, ">R 8  G 5 \nRED: SHOOT AGAIN")
    assert sign.bytes_taken - before == len(frame(write_string("L", b"\x1c1>R 8"))) == 24
    alpha.close()


def test_after_an_open_everything_is_sent_again(sign: SimulatedSign) -> None:
    alpha = display(sign)
    alpha.open()
    alpha.show(board(7, 5))
    expect(sign, ">R 7  G 5 ")
    alpha.close()
    decoder(sign).feed(frame(configure_memory("B", "X")))  # somebody else used the sign
    alpha.open()
    alpha.show(board(7, 5))
    expect(sign, ">R 7  G 5 ")
    alpha.close()


def test_a_second_program_cannot_open_the_same_sign(sign: SimulatedSign) -> None:
    first, second = display(sign), display(sign)
    first.open()
    with pytest.raises(DisplayError, match="lock"):
        second.open()
    assert sign.wait_for(lambda _: decoder(sign).frames == 3, PATIENCE_S)
    first.close()
    second.open()
    second.close()


def test_an_absent_sign_says_which_port_and_what_to_do(tmp_path: Path) -> None:
    alpha = AlphaSign(str(tmp_path / "usb-nothing"))
    with pytest.raises(DisplayError, match=r"usb-nothing.*No such file.*plug"):
        alpha.open()
    with pytest.raises(DisplayError, match="is not open"):
        alpha.show(board())
    alpha.close()


def test_a_port_that_cannot_be_understood_is_a_display_error() -> None:
    with pytest.raises(DisplayError, match="cannot open nonsense://"):
        AlphaSign("nonsense://here").open()


def test_a_write_after_unplugging_is_a_display_error(sign: SimulatedSign) -> None:
    alpha = display(sign)
    alpha.open()
    alpha.show(board(7, 5))
    expect(sign, ">R 7  G 5 ")
    sign.unplug()
    with pytest.raises(DisplayError, match="cannot write to"):
        alpha.show(board(8, 5))
    alpha.close()


def test_a_sign_that_takes_nothing_times_out(sign: SimulatedSign) -> None:
    alpha = display(sign, write_timeout_s=0.01)
    alpha.open()
    expect(sign, "")
    sign.freeze()

    def fill() -> None:
        for count in range(10_000):
            alpha.show(board(count % 12, sequence=count))

    with pytest.raises(DisplayError, match="timeout"):
        fill()
    alpha.close()


def test_unplugged_and_plugged_in_again_during_a_match(sign: SimulatedSign) -> None:
    faults = Journal()
    thread = DisplayThread(
        display(sign), faults.add, retry=Retry(first_ns=1_000_000, longest_ns=4_000_000)
    )
    thread.start()
    thread.post(board(7, 5))
    expect(sign, ">R 7  G 5 ")
    sign.unplug()
    thread.post(board(8, 5, sequence=2))
    faults.wait_for(len)
    assert isinstance(faults.entries[0], FaultRaised)
    assert faults.entries[0].part == "alpha_sign"
    thread.post(board(9, 5, sequence=3))
    # Its battery kept the old text; another sign would be blank.
    decoder(sign).feed(frame(configure_memory("A", "X")))
    sign.plug()
    expect(sign, ">R 9  G 5 ")
    faults.wait_for(lambda entries: len(entries) == 2)
    assert isinstance(faults.entries[1], FaultCleared)
    assert thread.stop(PATIENCE_S)
    assert decoder(sign).rejected == []


def test_a_frozen_sign_does_not_hold_up_the_stop(sign: SimulatedSign) -> None:
    alpha = display(sign, write_timeout_s=3600.0)
    thread = DisplayThread(alpha, Journal().add)
    thread.start()
    thread.post(board())
    expect(sign, ">R 7  G 5 ")
    sign.freeze()
    stuck = threading.Event()
    count = 0
    while not stuck.is_set():
        count += 1
        thread.post(board(count % 12, sequence=count))
        if not thread.drain(0.05):
            stuck.set()
    assert thread.stop(1.0)


def test_the_first_second_of_a_connection_does_not_hold_up_the_stop(sign: SimulatedSign) -> None:
    thread = DisplayThread(AlphaSign(str(sign.link), settle_s=3600.0), Journal().add)
    thread.start()
    assert sign.wait_for(lambda _: decoder(sign).frames == 1, PATIENCE_S)
    assert thread.stop(1.0)


def test_a_url_works_as_well_as_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    line = serial.serial_for_url("loop://", timeout=PATIENCE_S)
    monkeypatch.setattr(
        "jackspot.displays.serial_port.serial.serial_for_url", lambda *args, **kwargs: line
    )
    alpha = AlphaSign("loop://", settle_s=0)
    alpha.open()
    alpha.show(board(7, 5))
    shown = AlphaDecoder()
    shown.feed(line.read(line.in_waiting))
    assert shown.text == ">R 7  G 5 "
    alpha.close()


def test_the_line_is_opened_with_seven_bits_even_parity(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}
    plain = serial.serial_for_url

    def watched(url: str, **settings: Any) -> serial.SerialBase:
        asked.update(settings)
        return plain(url, **settings)

    monkeypatch.setattr("jackspot.displays.serial_port.serial.serial_for_url", watched)
    alpha = AlphaSign("loop://", settle_s=0)
    alpha.open()
    alpha.close()
    assert (asked["baudrate"], asked["bytesize"], asked["parity"]) == (9600, 7, "E")
    assert asked["write_timeout"] == 1.0
    slow = AlphaSign("loop://", settle_s=0, baudrate=4800)
    slow.open()
    slow.close()
    assert asked["baudrate"] == 4800
    assert asked["exclusive"] is None


# The decoder itself


def test_garbage_before_and_between_frames_is_survived() -> None:
    sign = AlphaDecoder()
    setup = [
        frame(configure_memory("A", "LRP")),
        frame(run_only("A")),
        frame(write_text("A", b"\x10L\x10R\x10P")),
        frame(write_string("L", b"\x1c1>R 7")),
    ]
    noise = bytes((index * 37) % 256 for index in range(700)).replace(b"\x01", b"\x05")
    for part in setup:
        sign.feed(noise)
        for byte in part:  # a byte at a time
            sign.feed(bytes([byte]))
    assert sign.text == ">R 7"


def test_a_frame_with_a_wrong_checksum_changes_nothing() -> None:
    sign = AlphaDecoder()
    sign.feed(frame(configure_memory("A", "L")) + frame(write_text("A", b"\x10L")))
    sign.feed(frame(write_string("L", b"12")))
    sign.feed(frame(write_string("L", b"13")).replace(b"13", b"93"))
    assert sign.text == "12"
    assert len(sign.rejected) == 1


def test_a_half_frame_does_not_swallow_the_next_one() -> None:
    sign = AlphaDecoder()
    sign.feed(frame(configure_memory("A", "L")) + frame(write_text("A", b"\x10L")))
    sign.feed(frame(write_string("L", b"12"))[:-4])
    sign.feed(frame(write_string("L", b"13")))
    assert sign.text == "13"


def test_a_frame_without_its_nuls_is_not_heard() -> None:
    sign = AlphaDecoder()
    sign.feed(frame(configure_memory("A", "L"))[2:])
    assert sign.frames == 0


def test_a_string_that_was_not_configured_or_is_too_long_is_not_kept() -> None:
    sign = AlphaDecoder()
    sign.feed(frame(b"E$AAU0020FF00LBL00040000") + frame(write_text("A", b"\x10L")))
    sign.feed(frame(write_string("X", b"7")))
    assert sign.rejected == ["file X is not configured"]
    sign.feed(frame(write_string("L", b"1234")))
    assert sign.text == "1234"
    sign.feed(frame(write_string("L", b"12345")))
    assert sign.text == ""


def test_every_seat_and_side_has_a_colour() -> None:
    assert set(alpha_sign._SIDE_COLOUR) == set(Side)
    assert Seat.N in board().lamps


def test_a_clock_that_runs_does_not_wake_the_sign_and_a_count_does() -> None:
    sign = AlphaSign("/dev/null")
    at = [board(clock=ClockView(300 * 10**9, seconds * 10**9, True, 0)) for seconds in (9, 8)]
    assert sign.cares(at[0]) == sign.cares(at[1])
    assert sign.cares(at[0]) != sign.cares(dataclasses.replace(at[0], sides=board(8).sides))
