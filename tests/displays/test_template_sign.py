"""A display that its owner described: what it is sent and when, and the examples in the docs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest

from jackspot.core.phrases import _
from jackspot.core.pieces import Seat, Side
from jackspot.dialogue.state.view import BoardView, ClockView, MenuView, Phase, PreferencesView
from jackspot.displays.errors import DisplayError
from jackspot.displays.signs.alpha import frame as alpha_frame, write_string
from jackspot.displays.signs.kind import SignSection, TemplateSection
from jackspot.displays.signs.segment import SegmentDisplay
from jackspot.displays.signs.template_fields import FIELDS, values_of
from jackspot.displays.signs.template_sign import TemplateSign
from jackspot.displays.signs.template_text import Encoding, Script, read_frame
from jackspot.displays.signs.text import encoded
from jackspot.displays.thread import DisplayThread, Retry
from jackspot.displays.words import translator
from jackspot.sensing.events import FaultCleared, FaultRaised
from jackspot.values import changed
from jackspot_sim.devices.sign import SimulatedSign
from jackspot_sim.devices.sign_decoders import PlainDecoder
from tests.conftest import PATIENCE_S
from tests.displays.oled_views import VIEWS
from tests.displays.screens import Journal
from tests.displays.views import board, fault, reading, side

SECOND_NS = 1_000_000_000
PAGE = Path(__file__).parents[2] / "firmware" / "SIGNS.md"
COUNTS = Script(("L{left.count:2}", "R{right.count:2}"), repeat_ns=30 * SECOND_NS)


class Sent:
    """A sign whose line leads nowhere, and what it was sent."""

    def __init__(self, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
        self.writes: list[bytes] = []
        self.now_ns = 0
        self.sign = TemplateSign("loop://", script, clock=lambda: self.now_ns)
        monkeypatch.setattr(self.sign._port, "write", self.writes.append)
        self.sign.open()

    def by(self, view: BoardView) -> list[bytes]:
        self.writes.clear()
        self.sign.show(view)
        return list(self.writes)


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Sent:
    return Sent(COUNTS, monkeypatch)


def test_only_the_frame_whose_bytes_changed_is_sent(counts: Sent) -> None:
    assert counts.by(board(7, 5)) == [b"L 7", b"R 5"]
    assert counts.by(board(7, 6)) == [b"R 6"]
    assert counts.by(board(7, 6, sequence=9)) == []
    assert counts.sign.cares(board(7, 6)) == counts.sign.cares(board(7, 6, sequence=3))


def test_all_is_sent_again_when_it_is_time_and_after_a_connection(counts: Sent) -> None:
    counts.by(board(7, 5))
    counts.now_ns = 29 * SECOND_NS
    assert counts.sign.rest_ns() == 0, "the line is listened to meanwhile"
    counts.writes.clear()
    counts.sign.tend()
    assert counts.writes == []
    counts.now_ns += SECOND_NS
    assert counts.sign.rest_ns() == 0
    counts.sign.tend()
    assert counts.writes == [b"L 7"], "a view that comes meanwhile waits for no other frame"
    assert counts.sign.rest_ns() == 0
    counts.sign.tend()
    assert counts.writes == [b"L 7", b"R 5"]
    assert counts.sign.rest_ns() != 0
    counts.sign.open()
    assert counts.by(board(7, 5)) == [b"L 7", b"R 5"]


def test_what_it_needs_first_is_sent_once_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Sent(changed(COUNTS, start=(r"\x1b@", r"\x0c")), monkeypatch)
    assert sent.writes == [b"\x1b@", b"\x0c"]
    assert sent.by(board(1, 2)) == [b"L 1", b"R 2"]


def test_a_dark_display_is_sent_what_makes_it_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    dark = board(7, 5, preferences=PreferencesView(brightness=0))
    assert Sent(changed(COUNTS, dark=("off",)), monkeypatch).by(dark) == [b"off"]
    sent = Sent(COUNTS, monkeypatch)
    assert sent.by(dark) == [b"L  ", b"R  "]
    assert sent.by(board(7, 5)) == [b"L 7", b"R 5"]


@pytest.mark.parametrize("dark", [("off",), ("L 7", "off"), ("L 7", "R 5"), ("a", "b", "c")])
def test_all_is_sent_on_the_way_into_the_dark_and_back(
    monkeypatch: pytest.MonkeyPatch, dark: tuple[str, ...]
) -> None:
    sent = Sent(changed(COUNTS, dark=dark), monkeypatch)
    sent.by(board(7, 5))
    off = board(7, 5, preferences=PreferencesView(brightness=0))
    assert sent.by(off) == [each.encode() for each in dark]
    assert sent.by(off) == []
    assert sent.by(board(7, 5)) == [b"L 7", b"R 5"]
    assert sent.by(board(8, 5)) == [b"L 8"]


@pytest.mark.parametrize("percent", [0, 10, 100])
def test_the_brightness_of_an_open_list_is_never_none(percent: int) -> None:
    preferences = PreferencesView(brightness=percent)
    assert values(board(preferences=preferences))["brightness"] == percent
    listed = values(board(preferences=preferences, menu=MenuView(_("menu"), (_("yes"),), 0)))
    assert (listed["dark"], listed["brightness"]) == (False, percent or 10)


def test_a_write_that_failed_is_sent_again_whole(
    counts: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_data: bytes) -> None:
        raise DisplayError("gone")

    counts.by(board(7, 5))
    with monkeypatch.context() as broken:
        broken.setattr(counts.sign._port, "write", gone)
        with pytest.raises(DisplayError):
            counts.sign.show(board(8, 5))
    counts.writes.clear()
    counts.sign.show(board(8, 5))
    assert counts.writes == [b"L 8", b"R 5"]


# --- fields ----------------------------------------------------------------------------


def values(view: BoardView, encoding: str = "ascii") -> dict[str, Any]:
    return dict(values_of(view, str, encoding))


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_has_every_field_of_its_kind_and_can_be_written(name: str) -> None:
    for encoding in get_args(Encoding):
        found = values(VIEWS[name], encoding)
        assert found.keys() == FIELDS.keys()
        for field, value in found.items():
            assert value is None or type(value) is FIELDS[field], (field, value)
            encoded(str(value or ""), encoding)


def test_fields_tell_the_board_as_it_is() -> None:
    sides = (
        side(Side.RED, 7, shoots=True, owed=2, names=("Aiko",), boards_won=1),
        side(Side.GREEN, 5, points=12),
    )
    clock = ClockView(300 * SECOND_NS, 271_000_000_001, running=True)
    found = values(board(sides=sides, clock=clock, faults=(fault("NE blocked"),)))
    assert found["left.count"] == 7
    assert (found["left.owed"], found["left.name"], found["left.boards"]) == (2, "Aiko", 1)
    assert (found["right.letter"], found["right.name"], found["right.points"]) == ("G", "G", 12)
    assert (found["left.turn"], found["right.turn"], found["turn"]) == (True, False, Seat.N.value)
    assert (found["clock"], found["clock.minutes"], found["clock.seconds"]) == ("4:32", 4, 32)
    assert (found["faulty"], found["fault"]) == (True, "NE blocked")
    assert (found["paused"], found["over"], found["proposed"]) == (False, False, False)


def test_a_proposal_is_told_apart_from_what_is_confirmed() -> None:
    found = values(board(phase=Phase.REVIEW, proposal=reading(doubtful=True)))
    assert (found["proposed"], found["doubtful"], found["proposal"]) == (True, True, "red NE")
    assert found["left.count"] == 7


def test_a_name_that_the_encoding_lacks_is_spelt_out() -> None:
    sides = (side(Side.RED, 0, names=("Jürgen",)), side(Side.GREEN, 0, names=("愛子",)))
    found = values(board(sides=sides))
    assert (found["left.name"], found["right.name"]) == ("Juergen", "**")
    assert values(board(sides=sides), "latin-1")["left.name"] == "Jürgen"
    assert values(board(sides=sides), "shift_jis")["right.name"] == "愛子"


RARE = "髙﨑濵①㈱～−ｱ"


@pytest.mark.parametrize("letter", [*RARE, *"〜‖—¢£¬¥‾"])
def test_a_japanese_sign_is_sent_the_letters_that_real_ones_have(letter: str) -> None:
    sides = (side(Side.RED, 0, names=(f"{letter}橋",)), side(Side.GREEN, 0))
    name = values(board(sides=sides), "shift_jis")["left.name"]
    sent = read_frame("{left.name}|{left.name:4}", FIELDS, "shift_jis").render(
        dict.fromkeys(FIELDS) | {"left.name": name}
    )
    assert b"?" not in sent
    assert b"*" not in sent
    assert sent.startswith(encoded(f"{letter}橋|", "shift_jis"))
    assert read_frame(f"{letter}", FIELDS, "shift_jis").render({}) == encoded(letter, "shift_jis")


def test_shift_jis_is_what_it_was_for_all_its_letters() -> None:
    for code in range(0x20, 0x10000):
        letter = chr(code)
        with suppress(UnicodeEncodeError):
            plain = letter.encode("shift_jis")
            assert encoded(letter, "shift_jis") == plain, letter


@pytest.mark.parametrize(
    ("names", "encoding", "shown"),
    [
        (("愛子", "Łucja"), "ascii", "**/Lucja"),
        (("愛子", "Jürgen"), "latin-1", "**/Jürgen"),
        (("愛子", "Jürgen"), "shift_jis", "愛子/Juergen"),
        (("Łukasz Müller",), "latin-1", "Lukasz Müller"),
        (("愛子 Ω", "O’Neil"), "shift_jis", "愛子 Ω/O’Neil"),
        (("愛ệ",), "shift_jis", "愛e"),
        (("Ann\x03\x04",), "utf-8", "Ann**"),
    ],
)
def test_each_letter_that_the_encoding_lacks_is_replaced_and_no_other(
    names: tuple[str, ...], encoding: str, shown: str
) -> None:
    sides = (side(Side.RED, 0, names=names), side(Side.GREEN, 0))
    assert values(board(sides=sides), encoding)["left.name"] == shown
    told = values(board(headline=_("{name}", name="/".join(names))), encoding)
    assert told["headline"] == shown


@pytest.mark.parametrize(
    ("language", "encoding", "prompt"),
    [
        ("de", "latin-1", "GRÜN S AM ZUG"),
        ("de", "ascii", "GRUEN S AM ZUG"),
        ("de", "shift_jis", "GRUEN S AM ZUG"),
        ("ja", "shift_jis", "緑 S の手番"),
        ("ja", "utf-8", "緑 S の手番"),
        ("ja", "latin-1", "GREEN S TO SHOOT"),
    ],
)
def test_one_line_for_everything_is_in_the_letters_of_the_encoding(
    language: str, encoding: str, prompt: str
) -> None:
    told = _("{side} {seat} to shoot", side=_("GREEN"), seat="S")
    shown = values_of(board(headline=told), translator(language), encoding)
    assert shown["prompt"] == prompt


# --- the wire --------------------------------------------------------------------------


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[SimulatedSign]:
    simulated = SimulatedSign(PlainDecoder(), tmp_path / "usb-Own_sign-if00-port0")
    yield simulated
    simulated.close()


def test_unplugged_in_mid_match_it_is_missed_and_comes_back_whole(wired: SimulatedSign) -> None:
    faults = Journal()
    sign = TemplateSign(str(wired.link), COUNTS)
    thread = DisplayThread(sign, faults.add, retry=Retry(first_ns=1_000_000, longest_ns=4_000_000))
    thread.start()
    thread.post(board(7, 5))
    assert wired.wait_for(lambda shown: shown.text == "L 7R 5", PATIENCE_S)
    wired.unplug()
    thread.post(board(8, 5))
    faults.wait_for(lambda entries: any(isinstance(each, FaultRaised) for each in entries))
    thread.post(board(9, 5))
    wired.plug()
    assert wired.wait_for(lambda shown: shown.text == "L 9R 5", PATIENCE_S)
    faults.wait_for(lambda entries: any(isinstance(each, FaultCleared) for each in entries))
    assert thread.stop(PATIENCE_S)


# --- the examples in the page ----------------------------------------------------------


def examples() -> dict[str, dict[str, Any]]:
    """Return the configs of the page by their headings."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^### (.+?)\n.*?```toml\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    return {title: tomllib.loads(config) for title, config in found}


def example(title: str, view: BoardView) -> list[bytes]:
    template = examples()[title]["template"]
    frames = template["frames"]
    texts = [frames] if isinstance(frames, str) else frames
    encoding = template.get("encoding", "ascii")
    shown = values_of(view, str, encoding)
    return [read_frame(text, FIELDS, encoding).render(shown) for text in texts]


def test_the_alpha_example_gives_the_bytes_of_our_own_alpha_sign() -> None:
    [data] = example("An Alpha sign", board(7, 5))
    assert data == alpha_frame(write_string("1", b"R 7  G 5"))


def test_the_four_digits_example_shows_what_our_own_driver_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from jackspot_sim.devices.sign_decoders import SegmentDecoder

    ours, theirs = SegmentDecoder(), SegmentDecoder()
    [data] = example("Four digits", board(7, 5))
    ours.feed(data)
    sent: list[bytes] = []
    display = SegmentDisplay("loop://")
    monkeypatch.setattr(display._port, "write", sent.append)
    display.show(board(7, 5))
    theirs.feed(b"".join(sent))
    assert ours.text == theirs.text == " 7. 5"


def test_the_customer_display_example_fills_two_lines_of_twenty() -> None:
    lines = example("A customer display", board(7, 5))
    assert [len(line.removeprefix(b"\x1f\x24\x01\x01").removeprefix(b"\x1f\x24\x01\x02"))
            for line in lines] == [20, 20]  # fmt: skip


def test_the_modbus_example_carries_its_own_check() -> None:
    [data] = example("A Modbus display", board(7, 5))
    assert data[:7] == b"\x01\x10\x00\x00\x00\x02\x04"
    assert data[7:11] == b"\x00\x07\x00\x05"
    from jackspot.displays.signs.checksums import CHECKSUMS

    assert CHECKSUMS["crc16-modbus"].compute(data) == 0, "as every receiver computes it"


@pytest.mark.parametrize(
    "title", ["An Alpha sign", "Four digits", "A customer display", "A Modbus display"]
)
def test_every_example_is_a_config_that_is_accepted(title: str) -> None:
    from jackspot.config.model import Origin, check

    config = check(examples()[title], Origin("page", {}))
    assert config.of(TemplateSection).frames
    assert config.of(SignSection).port
