"""The LED sign on a wire: opened, written, unplugged, frozen, stopped, by device and by URL."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from jackspot.core.phrases import _
from jackspot.displays.errors import DisplayError
from jackspot.displays.signs.alpha import (
    BETABRITE,
    AlphaSign,
    configure_memory,
    frame,
    write_string,
)
from jackspot.displays.signs.serial_line import ALPHA, SerialSettings
from jackspot.displays.thread import DisplayThread, Retry
from jackspot.sensing.events import FaultCleared, FaultRaised
from jackspot.values import changed
from jackspot_sim.devices.sign import SimulatedSign
from jackspot_sim.devices.sign_decoders import AlphaDecoder, Decoder
from tests.conftest import PATIENCE_S
from tests.displays.screens import Journal, is_interrupted
from tests.displays.views import board


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
    expect(sign, ">(R) 7  (G) 5 \nRED: SHOOT AGAIN")
    assert sign.picture() == {
        "plugged": True,
        "kind": "alpha",
        "pages": [
            [{"text": ">(R) 7", "colour": "red"}, {"text": "  (G) 5 ", "colour": "green"}],
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
    expect(sign, ">(R) 1  (G) 2 ")
    assert decoder(sign).frames == 6
    every.close()


def test_only_what_changed_is_sent(sign: SimulatedSign) -> None:
    alpha = display(sign)
    alpha.open()
    alpha.show(board(7, 5, headline=_("RED: shoot again")))
    expect(sign, ">(R) 7  (G) 5 \nRED: SHOOT AGAIN")
    before = sign.bytes_taken
    alpha.show(board(7, 5, sequence=2, headline=_("RED: shoot again")))
    alpha.show(board(8, 5, sequence=3, headline=_("RED: shoot again")))
    expect(sign, ">(R) 8  (G) 5 \nRED: SHOOT AGAIN")
    assert sign.bytes_taken - before == len(frame(write_string("L", b"\x1c1>(R) 8"))) == 26
    alpha.close()


def test_after_an_open_everything_is_sent_again(sign: SimulatedSign) -> None:
    alpha = display(sign)
    alpha.open()
    alpha.show(board(7, 5))
    expect(sign, ">(R) 7  (G) 5 ")
    alpha.close()
    decoder(sign).feed(frame(configure_memory("B", "X")))  # somebody else used the sign
    alpha.open()
    alpha.show(board(7, 5))
    expect(sign, ">(R) 7  (G) 5 ")
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
    expect(sign, ">(R) 7  (G) 5 ")
    sign.unplug()
    with pytest.raises(DisplayError, match="cannot write to"):
        alpha.show(board(8, 5))
    alpha.close()


def test_a_sign_that_takes_nothing_times_out(sign: SimulatedSign) -> None:
    alpha = display(sign, line=changed(ALPHA, write_timeout_s=0.01))
    alpha.open()
    expect(sign, "")
    sign.freeze()

    def fill() -> None:
        for count in range(10_000):
            alpha.show(board(count % 12, sequence=count))

    with pytest.raises(DisplayError, match=r"took nothing for 0\.01 s"):
        fill()
    alpha.close()


def test_unplugged_and_plugged_in_again_during_a_match(sign: SimulatedSign) -> None:
    faults = Journal()
    thread = DisplayThread(
        display(sign), faults.add, retry=Retry(first_ns=1_000_000, longest_ns=4_000_000)
    )
    thread.start()
    thread.post(board(7, 5))
    expect(sign, ">(R) 7  (G) 5 ")
    sign.unplug()
    thread.post(board(8, 5, sequence=2))
    faults.wait_for(len)
    assert isinstance(faults.entries[0], FaultRaised)
    assert faults.entries[0].part == "alpha_sign"
    thread.post(board(9, 5, sequence=3))
    # Its battery kept the old text; another sign would be blank.
    decoder(sign).feed(frame(configure_memory("A", "X")))
    sign.plug()
    expect(sign, ">(R) 9  (G) 5 ")
    faults.wait_for(lambda entries: len(entries) == 2)
    assert isinstance(faults.entries[1], FaultCleared)
    assert thread.stop(PATIENCE_S)
    assert decoder(sign).rejected == []


def test_a_frozen_sign_does_not_hold_up_the_stop(sign: SimulatedSign) -> None:
    alpha = display(sign, line=changed(ALPHA, write_timeout_s=3600.0))
    thread = DisplayThread(alpha, Journal().add)
    thread.start()
    thread.post(board())
    expect(sign, ">(R) 7  (G) 5 ")
    sign.freeze()
    stuck = threading.Event()
    count = 0
    while not stuck.is_set():
        count += 1
        thread.post(board(count % 12, sequence=count))
        if not thread.drain(0.05):
            stuck.set()
    assert is_interrupted(thread)


def test_the_first_second_of_a_connection_does_not_hold_up_the_stop(sign: SimulatedSign) -> None:
    thread = DisplayThread(AlphaSign(str(sign.link), settle_s=3600.0), Journal().add)
    thread.start()
    assert sign.wait_for(lambda _: decoder(sign).frames == 1, PATIENCE_S)
    assert is_interrupted(thread)


def test_a_url_works_as_well_as_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    line = serial.serial_for_url("loop://", timeout=PATIENCE_S)
    monkeypatch.setattr(
        "jackspot.displays.signs.serial_port.serial.serial_for_url", lambda *args, **kwargs: line
    )
    alpha = AlphaSign("loop://", settle_s=0)
    alpha.open()
    alpha.show(board(7, 5))
    shown = AlphaDecoder()
    shown.feed(line.read(line.in_waiting))
    assert shown.text == ">(R) 7  (G) 5 "
    alpha.close()


def test_the_line_is_opened_with_seven_bits_even_parity(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}
    plain = serial.serial_for_url

    def watched(url: str, **settings: Any) -> serial.SerialBase:
        asked.update(settings)
        return plain(url, **settings)

    monkeypatch.setattr("jackspot.displays.signs.serial_port.serial.serial_for_url", watched)
    alpha = AlphaSign("loop://", settle_s=0)
    alpha.open()
    alpha.close()
    assert (asked["baudrate"], asked["bytesize"], asked["parity"]) == (9600, 7, "E")
    assert asked["write_timeout"] == 1.0
    slow = AlphaSign("loop://", settle_s=0, line=SerialSettings(4800))
    slow.open()
    slow.close()
    assert asked["baudrate"] == 4800
    assert asked["exclusive"] is None
