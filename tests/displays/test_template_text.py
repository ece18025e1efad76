"""The language of an owner's frames: what each part renders, and how each mistake is named."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

from jackspot.displays.signs.checksums import CHECKSUMS
from jackspot.displays.signs.template_text import Encoding, TemplateMistake, Value, read_frame

FIELDS: dict[str, type] = {"left.count": int, "headline": str, "left.turn": bool}
NOW: dict[str, Value] = {"left.count": 7, "headline": "RED: again", "left.turn": True}


def rendered(text: str, encoding: str = "ascii", **changes: Any) -> bytes:
    values = NOW | {name.replace("_", "."): value for name, value in changes.items()}
    return read_frame(text, FIELDS, encoding).render(values)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum8", 0xDD),
        ("sum16", 0x01DD),
        ("lrc", 0x23),
        ("xor", 0x31),
        ("crc8", 0xF4),
        ("crc8-maxim", 0xA1),
        ("crc16-arc", 0xBB3D),
        ("crc16-modbus", 0x4B37),
        ("crc16-ccitt", 0x29B1),
        ("crc16-xmodem", 0x31C3),
        ("crc16-kermit", 0x2189),
        ("crc16-x25", 0x906E),
    ],
)
def test_each_checksum_of_the_nine_digits_is_the_known_one(name: str, expected: int) -> None:
    assert CHECKSUMS[name].compute(b"123456789") == expected


def test_every_checksum_has_its_known_value_tested() -> None:
    assert len(CHECKSUMS) == 12


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\x02ab\x03\r\n\t\0\e\\", b"\x02ab\x03\r\n\t\0\x1b\\"),
        ("a{{b}}c", b"a{b}c"),
        ("\x02", b"\x02"),
        ("{left.count}", b"7"),
        ("{left.count:2}", b" 7"),
        ("{left.count:02}", b"07"),
        ("{left.count:<3}|", b"7  |"),
        ("{left.count:.>3}", b"..7"),
        ("{left.count:*^3}", b"*7*"),
        ("{left.count:byte}", b"\x07"),
        ("{left.count:word}", b"\x00\x07"),
        ("{left.count:word-low}", b"\x07\x00"),
        ("{left.count:bcd}", b"\x07"),
        ("{headline:6}", b"RED: a"),
        ("{headline:<12}|", b"RED: again  |"),
        ("{headline:>12}", b"  RED: again"),
        ("{headline:-^12}", b"-RED: again-"),
        (r"{left.turn?\x10|\x20}", b"\x10"),
        ("{left.turn?|no}", b""),
    ],
)
def test_each_part_gives_its_bytes(text: str, expected: bytes) -> None:
    assert rendered(text) == expected


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [
        ("{left.count:2}", 123, b"--"),
        ("{left.count:02}", -3, b"-3"),
        ("{left.count:1}", -3, b"-"),
        ("{left.count:byte}", 300, b"\xff"),
        ("{left.count:byte}", 255, b"\xff"),
        ("{left.count:byte}", -1, b"\xff"),
        ("{left.count:word}", -3, b"\xff\xff"),
        ("{left.count:word}", 65_536, b"\xff\xff"),
        ("{left.count:word-low}", 70_000, b"\xff\xff"),
        ("{left.count:bcd}", 42, b"\x42"),
        ("{left.count:bcd}", 99, b"\x99"),
        ("{left.count:bcd}", 100, b"\xff"),
        ("{left.count:bcd}", 112, b"\xff"),
        ("{left.count:bcd}", -3, b"\xff"),
        ("{left.count:word-low}", 0x1234, b"\x34\x12"),
        ("{left.count:03}", None, b"   "),
        ("{left.count}", None, b""),
        ("{left.count:byte}", None, b"\0"),
    ],
)
def test_no_number_is_better_than_a_wrong_one(
    text: str, count: int | None, expected: bytes
) -> None:
    assert rendered(text, left_count=count) == expected


def test_a_text_is_cut_between_characters_not_inside_one() -> None:
    assert (
        rendered("{headline:4}", "shift_jis", headline="aあいう")
        == "aあ".encode("shift_jis") + b" "
    )
    assert rendered("{headline:3}", "utf-8", headline="äöü") == "ä".encode() + b" "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab{checksum sum8 hex}", b"abC3"),
        ("ab{checksum sum8 hex-lower}", b"abc3"),
        ("ab{checksum sum8 binary}", b"ab\xc3"),
        ("ab{checksum sum16 hex}", b"ab00C3"),
        ("ab{checksum sum16 binary}", b"ab\x00\xc3"),
        ("ab{checksum sum16 binary-low}", b"ab\xc3\x00"),
        ("a{from}b{to}c{checksum sum8 hex}d", b"abc62d"),
        ("a{from}b{checksum xor binary}", b"ab\x62"),
        ("ab{to}c{checksum sum8 hex}", b"abcC3"),
    ],
)
def test_a_checksum_covers_what_the_owner_says(text: str, expected: bytes) -> None:
    assert rendered(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{left.count:03}", b"-05"),
        ("{left.count:02}", b"-5"),
        ("{left.count:01}", b"-"),
        ("{left.count:0>4}", b"-005"),
        ("{left.count:3}", b" -5"),
        ("{left.count:.>3}", b".-5"),
    ],
)
def test_the_sign_of_a_number_is_in_front_of_its_zeros(text: str, expected: bytes) -> None:
    assert rendered(text, left_count=-5) == expected


@pytest.mark.parametrize("fill", sorted(set(map(chr, range(0x20, 0x7F))) - {"}"}))
@pytest.mark.parametrize("align", "<^>")
def test_any_character_but_a_closing_brace_fills(fill: str, align: str) -> None:
    assert rendered(f"{{left.count:{fill}{align}3}}") == f"{7:{fill}{align}3}".encode()
    assert rendered(f"{{headline:{fill}{align}12}}") == f"{'RED: again':{fill}{align}12}".encode()


def test_the_texts_of_a_choice_may_have_colons() -> None:
    assert rendered("{left.turn?a:b|c:?d}") == b"a:b"
    assert rendered("{left.turn?a:b|c:?d}", left_turn=False) == b"c:?d"


def test_a_second_checksum_covers_the_first() -> None:
    assert rendered("a{checksum sum8 hex}{checksum sum8 hex}") == b"a61C8"


@pytest.mark.parametrize(
    ("text", "character", "words"),
    [
        ("ab{left.cuont}", 3, r"no field is called 'left.cuont'; did you mean left.count\?"),
        ("ab{", 3, "{ without }"),
        ("ab}c", 3, "} without {"),
        (r"ab\xg0", 3, r"expected two hex digits, found 'g0'"),
        (r"ab\q", 3, r"expected \\xNN"),
        ("ab\\", 3, r"expected \\xNN"),
        ("ä", 1, "'ä' is not in the encoding ascii"),
        ("{left.count:0}", 12, "expected a width from 1 to 200"),
        ("{left.count:201}", 12, "expected a width from 1 to 200"),
        ("{left.count:nibble}", 12, "or byte, word, word-low, bcd"),
        ("{headline:byte}", 10, "headline is no number"),
        ("{headline:05}", 10, "headline is no number: leave out the 0"),
        ("{headline:あ<5}", 10, "'あ' fills no byte in the encoding ascii"),
        ("{left.turn?yes}", 1, r"expected {left.turn\?YES\|NO}"),
        (r"{left.turn?\x1|n}", 12, "two hex digits"),
        ("{checksum}", 1, "such as {checksum xor hex}"),
        ("{checksum sum9 hex}", 1, r"no checksum is called sum9; did you mean sum8\?"),
        ("{checksum sum8 hexx}", 1, r"no form hexx; did you mean hex\?"),
        ("a{from}b", 1, "there is none"),
        ("a{checksum sum8 hex}{from}", 21, "{from} stands once, before the checksum"),
        ("{from}{from}{checksum sum8 hex}", 7, "{from} stands once"),
        ("a{to}b{from}{checksum sum8 hex}", 2, "{to} stands after {from}"),
    ],
)
def test_each_mistake_is_named_with_its_character(text: str, character: int, words: str) -> None:
    with pytest.raises(TemplateMistake, match=words) as caught:
        read_frame(text, FIELDS)
    assert caught.value.character == character


@given(
    st.text(alphabet="ab\\x01{}[]?|:<>^ left.countheadline checksum xor hex from to ä", max_size=40)
)
def test_any_text_is_read_or_its_mistake_lies_in_it(text: str) -> None:
    mistake: TemplateMistake | None = None
    try:
        read_frame(text, FIELDS).render(NOW)
    except TemplateMistake as found:
        mistake = found
    assert mistake is None or 1 <= mistake.character <= len(text) + 1


@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_every_encoding_can_be_written(encoding: str) -> None:
    assert rendered("{headline:12}", encoding) == b"RED: again  "
