"""The LED sign's bytes, against another encoder and the protocol's text, and a sign that hears."""

from __future__ import annotations

import pytest
from alphasign.commands.special import WriteSpecialFunction
from alphasign.commands.string_file import WriteString
from alphasign.commands.text import WriteText
from alphasign.packet import Packet
from alphasign.protocol import DisplayMode, DisplayPosition, FileProtection, FileType

from jackspot.displays.signs.alpha import (
    BETABRITE,
    STRING_SIZE,
    configure_memory,
    frame,
    run_only,
    write_string,
    write_text,
)
from jackspot_sim.devices.sign_decoders import AlphaDecoder


def wire(packet: Packet) -> bytes:
    """Return another encoder's bytes as they are sent, without its marks for pauses."""
    return packet.to_bytes().replace(b"\xff", b"")


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


# --- the sign that hears ---------------------------------------------------------------


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
