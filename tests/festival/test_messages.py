"""What is read of messages, whatever arrives."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings, strategies as st

from jackspot.commands import main
from jackspot.core.clock import SECOND_NS
from jackspot.core.entry_text import write_entry
from jackspot.core.order import Begins, MovedAway
from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from jackspot.festival.description import description, schema_of
from jackspot.festival.hearing import order_of
from jackspot.festival.messages import (
    FOR_ALL,
    MOST_BYTES,
    AckMessage,
    BadMessage,
    OrderMessage,
    ResultMessage,
    What,
    board_id,
    read,
    read_topic,
    write,
)
from jackspot.sensing.events import OrderTold

RESULT: ResultMessage = {
    "v": 1, "id": "b007-1f3a9c02-412", "journal": "1f3a9c02", "seq": 412, "match": 380,
    "revision": 1, "order": None, "winner": Side.RED, "points": {Side.RED: 112, Side.GREEN: 8},
    "boards": {Side.RED: 1, Side.GREEN: 0}, "by": "referee_ok", "record": "", "crc32": "00000000",
    "wall_ms": 0, "synchronised": False,
}  # fmt: skip
ACK: AckMessage = {"v": 1, "journals": {"1f3a9c02": 412}}
HEADER = '# jackspot record 1\nrules = "hikone"\nseats = ["N", "S"]\n[names]\nN = "Aiko"\n---\n'
ORDER: OrderMessage = {"v": 1, "order": 17, "header": HEADER, "begins": Begins.GONG}
MOVED: OrderMessage = {
    "v": 1, "order": 23, "resume": {"record": f"{HEADER}N red\nN -\n", "used_ms": 61_000},
    "moved": {"order": 17, "to": "b009"},
}  # fmt: skip
SAMPLES: dict[What, Any] = {What.RESULT: RESULT, What.ACK: ACK, What.ORDER: ORDER}


def taken(what: What, payload: bytes) -> dict[str, Any]:
    """Read a message as a board does, to the event that it becomes."""
    said = read(what, payload)
    if what is What.ORDER:
        order_of(said, 0)
    return said


@pytest.mark.parametrize("what", SAMPLES)
def test_what_is_written_is_read_and_other_keys_are_skipped(what: What) -> None:
    assert read(what, write(SAMPLES[what])) == SAMPLES[what]
    assert read(what, write({**SAMPLES[what], "further": [1]})) == SAMPLES[what]


@pytest.mark.parametrize("what", What)
def test_a_topic_is_taken_apart_as_it_was_put_together(what: What) -> None:
    address = read_topic(what.topic("hikone-27", "b124"))
    board = "" if what.branch == FOR_ALL else "b124"
    assert (address.what, address.hall, address.board) == (what, "hikone-27", board)


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b"", "ack: the message"),
        (b"\xff", "ack: the message"),
        (b"[]", "ack: the message"),
        (b'{"v": 2, "journals": {}}', "ack: v: Input should be 1, found 2"),
        (b'{"v": 1, "journals": {"a": -1}}', "ack: journals.a: "),
        (b'{"v": 1, "journals": {"a": NaN}}', "ack: "),
        (b'{"v": 1}', "ack: journals: Field required"),
        (b"[" * 60_000, "ack: "),
        (b" " * (MOST_BYTES + 1), f"ack: expected at most {MOST_BYTES} bytes"),
    ],
)
def test_what_is_no_message_is_refused_with_what_was_expected(payload: bytes, says: str) -> None:
    with pytest.raises(BadMessage) as refused:
        read(What.ACK, payload)
    assert str(refused.value).startswith(says)
    assert len(str(refused.value)) < 300


def test_an_order_becomes_a_match_to_play() -> None:
    told = order_of(read(What.ORDER, write(ORDER)), 7)
    assert told.order is not None
    assert (told.at_ns, told.order.number, told.order.begins) == (7, 17, Begins.GONG)
    assert told.order.settings == read_record(HEADER).settings
    assert order_of({"v": 1, "order": None}, 7) == OrderTold(7, None)
    without = order_of({"v": 1, "order": 17, "header": HEADER}, 7)
    assert without.order is not None
    assert without.order.begins is Begins.PLAYERS


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("", "order: header: 1:1: "),
        (HEADER + "N red@NE\n", "order: header: expected the header of a record, found strokes"),
        (HEADER.replace("hikone", "chess"), "order: header: 2:"),
    ],
)
def test_an_order_that_nobody_can_play_is_refused(header: str, says: str) -> None:
    with pytest.raises(BadMessage) as refused:
        order_of({**ORDER, "header": header}, 0)
    assert str(refused.value).startswith(says)


def test_an_order_may_go_on_with_what_another_board_began_and_say_where_one_went() -> None:
    told = order_of(read(What.ORDER, write(MOVED)), 7)
    assert told.moved == MovedAway(17, 9)
    assert told.order is not None
    assert [write_entry(each) for each in told.order.entries] == ["N red", "N -"]
    assert told.order.used_ns == 61 * SECOND_NS
    gone = order_of(read(What.ORDER, write({"v": 1, "order": None, "moved": MOVED["moved"]})), 7)
    assert gone == OrderTold(7, None, MovedAway(17, 9))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"resume": {"record": HEADER + "N 12*red\nN jack\n"}}, "order: resume.record: expected a"),
        ({"resume": {"record": HEADER + "N rad\n"}}, "order: resume.record: 7:3: "),
        ({"resume": {"record": HEADER, "used_ms": -1}}, "order: resume.used_ms: "),
        ({"resume": None}, "order: resume: "),
        ({"moved": {"order": 17, "to": "9"}}, "order: moved.to: "),
        ({"moved": {"order": 17, "to": "b009\n"}}, "order: moved.to: "),
        ({"moved": {"order": 17, "to": "b٠٠٩"}}, "order: moved.to: "),
    ],
)
def test_a_match_that_cannot_move_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadMessage) as refused:
        order_of(read(What.ORDER, write({**MOVED, **change})), 0)
    assert str(refused.value).startswith(says)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A message with some of its bytes changed, left out or doubled."""
    text = bytearray(write(draw(st.sampled_from([*SAMPLES.values(), MOVED]))))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                text[at] = draw(st.integers(0, 255))
            case 1:
                del text[at : at + draw(st.integers(1, 12))]
            case 2:
                text[at:at] = text[at : at + 20]
            case _:
                text[at:at] = draw(st.sampled_from([b"null", b"1e999", b"-1", b'"\\ud800"', b"{}"]))
        text = text or bytearray(b"x")
    return bytes(text)


@settings(max_examples=400)
@given(payload=st.one_of(mutated(), st.binary(max_size=200)), what=st.sampled_from(list(What)))
@example(payload=b'{"v": 1, "journals": {"\\ud800": 1}}', what=What.ACK)
def test_no_message_ends_a_reader(payload: bytes, what: What) -> None:
    with contextlib.suppress(BadMessage):
        assert json.loads(write(taken(what, payload)))["v"] == 1


@pytest.mark.long
@pytest.mark.parametrize("what", What)
def test_a_million_mutated_messages_end_no_reader(what: What) -> None:
    """A share of a million for each kind, all made of what is sent."""
    chance = random.Random(str(what))
    texts = [write(each) for each in (*SAMPLES.values(), MOVED)]
    refused = 0
    for _ in range(1_000_000 // len(What) + 1):
        text = bytearray(chance.choice(texts))
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text))
            match chance.randrange(3):
                case 0:
                    text[at] = chance.randrange(256)
                case 1:
                    del text[at : at + chance.randint(1, 9)]
                case _:
                    text[at:at] = text[at : at + chance.randint(1, 30)]
            text = text or bytearray(b"{")
        try:
            taken(what, bytes(text))
        except BadMessage:
            refused += 1
    assert refused > 0


@settings(max_examples=200)
@given(
    topic=st.one_of(st.text(max_size=60), st.from_regex(r"jackspot/1/[a-z/-]{0,9}board/b00./.*"))
)
def test_no_topic_ends_a_reader(topic: str) -> None:
    try:
        address = read_topic(topic)
    except BadMessage:
        return
    assert address.what.topic(address.hall, address.board) == topic


@pytest.mark.parametrize("number", [0, -1, 1_000])
def test_a_board_has_a_number_of_three_digits(number: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 999, found {number}"):
        board_id(number)
    assert board_id(7) == "b007"


def test_the_document_has_every_message_and_its_schema_takes_what_is_sent() -> None:
    said = json.loads(CliRunner().invoke(main, ["hub", "schema"]).output)
    assert said == description()
    addresses = {each["address"] for each in said["channels"].values()}
    assert addresses == {what.topic("{hall}", "{board}") for what in What}
    for operation in said["operations"].values():
        name = operation["channel"]["$ref"].rpartition("/")[2]
        [what] = [each for each in What if each.leaf == name]
        assert operation["action"] == ("send" if what.branch == "board" else "receive")
        told = operation["bindings"]["mqtt"]
        assert (told["qos"], told["retain"]) == (what.qos, what.retained)
    root = {"$ref": "#/components/schemas/ResultMessage", "components": said["components"]}
    jsonschema.Draft202012Validator(root).validate(json.loads(write(RESULT)))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(root).validate({**json.loads(write(RESULT)), "seq": 0})


@pytest.mark.parametrize("what", What)
def test_every_schema_is_one(what: What) -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(what))
