"""Reading messages, whatever arrives."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings, strategies as st
from pydantic import TypeAdapter

from jackspot.commands import main
from jackspot.core.clock import SECOND_NS
from jackspot.core.entry_text import write_entry
from jackspot.core.order import Begins, MovedAway
from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from jackspot.festival import messages
from jackspot.festival.description import description, schema_of
from jackspot.festival.home_assistant import discovery_topic
from jackspot.festival.incoming import gong_of, is_late, notice_of, order_of, told_by
from jackspot.festival.messages import (
    FOR_ALL,
    MOST_BYTES,
    MOST_HEADER,
    AckMessage,
    AnswerMessage,
    AskMessage,
    BadMessage,
    NoticeMessage,
    OrderMessage,
    ResultMessage,
    What,
    read,
    read_topic,
    write,
)
from jackspot.festival.names import board_id
from jackspot.festival.public import PublicPart, public_topic
from jackspot.festival.results import Life, Outbox
from jackspot.sensing.events import OrderTold
from tests.test_docs import FORMATS, blocks

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
NOTICE: NoticeMessage = {
    "v": 1, "text": {"ja": "13:30 まで休憩", "en": "lunch until 13:30"}, "sent_ms": 1_000,
    "seconds": 600,
}  # fmt: skip
ASK: AskMessage = {
    "v": 1, "transaction": 31, "what": "line", "pair": None, "until_ms": 1_700, "seconds": 9,
    "text": {"en": "come to the desk"}, "journal": "1f3a9c02", "since": 380,
}  # fmt: skip
ANSWER: AnswerMessage = {
    "v": 1, "transaction": 31, "boot": "7f3a", "board_ms": 700, "what": "doctor",
    "findings": [{"mark": "well", "what": "disk", "found": "12 GiB left", "remedy": ""}],
    "refused": "busy", "results": 2,
}  # fmt: skip
MOST_SAID = 500
"""A refusal is one line of a log."""


PAIR = {"hub_ms": 1795563201122, "board_ms": 5120871, "boot": "4cd625c0"}
THEN_NS = 5_120_900_000_000
"""An instant of that board's clock, some seconds before the gong of the page."""


@cache
def shown(what: What) -> bytes:
    """Return the message of this kind on the page of formats, as it is sent."""
    block = next(each for each in blocks(FORMATS) if each.language == what.leaf)
    return write(json.loads(block.text))


def taken(what: What, payload: bytes) -> dict[str, Any]:
    """Read a message as a board does, up to the event that it becomes."""
    said = read(what, payload)
    match what:
        case What.ORDER:
            order_of(said, 0)
        case What.GONG:
            gong_of(said, "b007", PAIR, THEN_NS)
        case What.NOTICE:
            notice_of(said, PAIR, 0, 0)
        case What.ASK:
            is_late(said, PAIR, 0)
            told_by(said, 7, 0)
            if said.get("pair") is not None:
                gong_of(json.loads(shown(What.GONG)), "b007", said["pair"], THEN_NS)
        case What.ACK:
            Outbox((Life(1, "f5623b52"),)).acknowledged(said["journals"], 0)
    return said


@pytest.mark.parametrize("what", What)
def test_what_is_written_is_read_and_other_keys_are_skipped(what: What) -> None:
    said = json.loads(shown(what))
    assert read(what, write(said)) == said
    assert read(what, write({**said, "further": [1]})) == said


@pytest.mark.parametrize("what", What)
def test_a_topic_is_taken_apart_as_it_was_put_together(what: What) -> None:
    address = read_topic(what.topic("hikone-27", "b124"))
    board = "" if what.branch == FOR_ALL else "b124"
    assert (address.what, address.hall, address.board) == (what, "hikone-27", board)


@pytest.mark.parametrize(
    ("what", "absurd"),
    [
        (What.RESULT, {"seq": 2**62}),
        (What.RESULT, {"points": {"red": 10**30, "green": 0}}),
        (What.RESULT, {"boards": {"red": -(10**6), "green": 0}}),
        (What.RESULT, {"wall_ms": 10**30}),
        (What.RESULT, {"journal": "x" * 10_000}),
        (What.RECORD, {"seq": 2**62}),
        (What.STATE, {"points": [10**30, 0]}),
        (What.STATE, {"faults": ["x" * 10_000]}),
        (What.ABOUT, {"name": "x" * 10_000}),
        (What.ABOUT, {"pages": ["x"] * 10_000}),
        (What.MATCH, {"order": 2**62}),
        (What.ANSWER, {"transaction": 2**62}),
        (What.ORDER, {"order": 2**62}),
        (What.GONG, {"at_ms": 2**62}),
    ],
)
def test_what_nobody_counts_and_nobody_is_called_is_refused(
    what: What, absurd: dict[str, object]
) -> None:
    said = json.loads(shown(what))
    read(what, write(said))
    with pytest.raises(BadMessage, match=next(iter(absurd))):
        read(what, write({**said, **absurd}))


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b"", "ack: the message"),
        (b"\xff", "ack: the message"),
        (b"[]", "ack: the message"),
        (b'{"v": 2, "journals": {}}', "ack: v: Input should be 1, found 2"),
        (b'{"v": 1, "journals": {"a": -1}}', "ack: journals.a: "),
        (b'{"v": 1, "journals": {"a": NaN}}', "ack: "),
        (b'{"v": 1, "journals": {"%s": 1}}' % (b"a" * 33), "ack: journals.aaa"),
        (b'{"v": 1, "journals": {"a": %d}}' % 2**62, "ack: journals.a: "),
        (b'{"v": 1}', "ack: journals: Field required"),
        (b'{"v": 1, "journals": {"a\\nb": -1}}', "ack: journals.a\\x0ab: "),
        (b'{"v": 1, "journals": {"%s": -1}}' % (b"a" * 60_000), "ack: journals.aaa"),
        (b"[" * 60_000, "ack: "),
        (b" " * (MOST_BYTES + 1), f"ack: expected at most {MOST_BYTES} bytes"),
    ],
)
def test_what_is_no_message_is_refused_with_what_was_expected(payload: bytes, says: str) -> None:
    with pytest.raises(BadMessage) as refused:
        read(What.ACK, payload)
    assert str(refused.value).startswith(says)
    assert len(str(refused.value)) < 300
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("board", ["b000", "b1", "b0004", "x", "B001", ""])
def test_a_topic_of_no_board_is_refused(board: str) -> None:
    with pytest.raises(BadMessage, match="expected a topic like"):
        read_topic(f"jackspot/1/hikone/board/{board}/status")


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
    assert "\n" not in str(refused.value)


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


def test_a_header_with_many_mistakes_is_refused_with_the_first_and_their_number() -> None:
    header = HEADER.replace("---", "".join(f"k{n} = 1\n" for n in range(40)) + "---")
    with pytest.raises(BadMessage, match=r"^order: header: 6:1: .* \(and 39 more\)$") as refused:
        order_of({**ORDER, "header": header}, 0)
    assert len(str(refused.value)) < MOST_SAID


def test_what_is_far_longer_than_a_header_is_refused_unread() -> None:
    long = "x" * (MOST_HEADER + 1)
    with pytest.raises(BadMessage, match=f"order: header: .* at most {MOST_HEADER} characters"):
        read(What.ORDER, write({**ORDER, "header": long}))


def test_a_gong_is_struck_by_the_boards_own_clock() -> None:
    gong = json.loads(shown(What.GONG))
    told = gong_of(gong, "b007", PAIR, THEN_NS)
    assert told is not None
    assert told.strike_ns - THEN_NS == 3_349_000_000
    assert gong_of(gong, "b008", PAIR, THEN_NS) is None
    assert gong_of(gong, "b007", None, THEN_NS) is None


@pytest.mark.parametrize("off_ms", [2**53 - 1795563204500, 60_000, -60_000, -1795563204500])
def test_a_gong_of_another_hour_is_refused(off_ms: int) -> None:
    """The hub counts in other units; a board would wait for it until its people give up."""
    gong = json.loads(shown(What.GONG))
    with pytest.raises(BadMessage, match=r"^gong: at_ms: expected .*, found -?[0-9]+ s ahead$"):
        gong_of({**gong, "at_ms": gong["at_ms"] + off_ms}, "b007", PAIR, THEN_NS)


ODD: list[Any] = [
    None, True, -1, 0, 1, 1.5, 2**53, 2**64, 10**400, float("inf"), float("nan"), "", "b007", "now",
    "x" * 1_000, "\ud800", "\x00\n---\n", [], ["N", "N"], {}, {"v": 1}, [[[[[]]]]],
]  # fmt: skip
PIECES = [
    b"null",
    b"1e999",
    b"-1",
    b'"\\ud800"',
    b"{}",
    b"[" * 3_000,
    b"\xff",
    b"\\n",
    b'"',
    b"9" * 5_000,
]


def changed_in_its_bytes(chance: random.Random, text: bytes) -> bytes:
    """Return a message with some of its bytes changed, left out, doubled or inserted."""
    made = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made))
        match chance.randrange(4):
            case 0:
                made[at] = chance.randrange(256)
            case 1:
                del made[at : at + chance.randint(1, 12)]
            case 2:
                made[at:at] = made[at : at + chance.randint(1, 30)]
            case _:
                made[at:at] = chance.choice(PIECES)
        made = made or bytearray(b"{")
    return bytes(made)


def changed_in_its_values(chance: random.Random, text: bytes) -> bytes:
    """Return a message with some values changed, replaced by odd ones, left out or moved."""
    said = json.loads(text)
    for _ in range(chance.randint(1, 3)):
        holds: list[Any] = [each for each in _all_in(said) if each]
        if not holds:
            break
        held = chance.choice(holds)
        key = chance.choice(list(held) if isinstance(held, dict) else range(len(held)))
        match chance.randrange(5):
            case 0:
                del held[key]
            case 1 if isinstance(held[key], str):
                text = held[key].encode(errors="replace") or b"x"
                held[key] = changed_in_its_bytes(chance, text).decode("latin1")
            case 2 if isinstance(held[key], int):
                held[key] += chance.choice([-1, 1, 10**9, -(10**18)])
            case 3:
                held[key] = copy.deepcopy(chance.choice(holds))
            case _:
                held[key] = copy.deepcopy(chance.choice(ODD))
    return json.dumps(said).encode()


def _all_in(said: Any) -> Iterator[Any]:
    """Yield everything in a message that can hold values."""
    if isinstance(said, dict | list):
        yield said
        for each in said.values() if isinstance(said, dict) else said:
            yield from _all_in(each)


@pytest.mark.parametrize("how_many", [10_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_no_changed_message_ends_a_reader(how_many: int) -> None:
    """Each message of the page of formats is changed and read as its own or another kind.

    It is read up to the event that it becomes. Nothing is raised but the named refusal.
    """
    chance, kinds = random.Random(how_many), list(What)
    texts = [*((what, shown(what)) for what in What), (What.ORDER, write(MOVED))]
    refused: Counter[What] = Counter()
    for number in range(how_many):
        what, text = texts[number % len(texts)]
        change = chance.choice([changed_in_its_bytes, changed_in_its_values])
        payload = change(chance, text)
        reader = what if chance.random() < 0.9 else chance.choice(kinds)
        said = ""
        try:
            taken(reader, payload)
        except BadMessage as bad:
            refused[what] += 1
            said = str(bad)
        except Exception as error:
            raise AssertionError(f"{reader}: {payload!r}") from error
        assert len(said) < MOST_SAID, payload
        assert "\n" not in said, payload
    assert set(refused) == set(What)
    assert sum(refused.values()) < how_many, "some changes leave a message one"


@settings(max_examples=400)
@given(payload=st.binary(max_size=200), what=st.sampled_from(list(What)))
@example(payload=b'{"v": 1, "journals": {"\\ud800": 1}}', what=What.ACK)
def test_no_bytes_end_a_reader(payload: bytes, what: What) -> None:
    with contextlib.suppress(BadMessage):
        assert json.loads(write(taken(what, payload)))["v"] == 1


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
    home = discovery_topic("{board}")
    public = {public_topic("{hall}", part.pattern): part for part in PublicPart}
    assert addresses == {home, *public, *(what.topic("{hall}", "{board}") for what in What)}
    for operation in said["operations"].values():
        name = operation["channel"]["$ref"].rpartition("/")[2]
        told = operation["bindings"]["mqtt"]
        if said["channels"][name]["address"] == home:
            assert (operation["action"], told) == ("send", {"qos": 1, "retain": True})
            continue
        if said["channels"][name]["address"] in public:
            assert (operation["action"], told) == ("receive", {"qos": 0, "retain": True})
            continue
        [what] = [each for each in What if each.leaf == name]
        assert operation["action"] == ("send" if what.branch == "board" else "receive")
        assert (told["qos"], told["retain"]) == (what.qos, what.retained)
    root = {"$ref": "#/components/schemas/ResultMessage", "components": said["components"]}
    jsonschema.Draft202012Validator(root).validate(json.loads(write(RESULT)))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(root).validate({**json.loads(write(RESULT)), "seq": 0})


@pytest.mark.parametrize("what", [*What, *PublicPart])
def test_every_schema_is_one(what: What | PublicPart) -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(what.kind))


@pytest.mark.parametrize("fails", [1, messages.MOST_TRIES - 1, messages.MOST_TRIES])
def test_a_source_that_another_thread_keeps_from_being_parsed_is_parsed_again(
    fails: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CPython 3.11 parses the lines of a traceback for its marks, and fails if two threads do."""

    kind = Annotated[int, f"after {fails} failures"]  # one that was never made before
    tries = iter([*[SystemError("AST constructor recursion depth mismatch")] * fails, None])

    def made(of: Any) -> TypeAdapter[Any]:
        if (error := next(tries)) is not None:
            raise error
        return TypeAdapter(of)

    monkeypatch.setattr(messages, "TypeAdapter", made)
    if fails < messages.MOST_TRIES:
        assert messages.adapter(kind).validate_json("1") == 1
    else:
        with pytest.raises(SystemError):
            messages.adapter(kind)
