"""A whole match on a board assembled from its config, read at the far end of a display's wires.

An LED matrix is read by its lit dots, a sign of any make by the bytes that it received.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from jackspot.config.model import Origin, check
from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.displays.matrix.figures import figure
from jackspot_sim.boards.rehearsal import Venue, match_table, rehearse
from jackspot_sim.boards.rig import Rig
from jackspot_sim.devices.sign_decoders import Decoder, PlainDecoder
from tests.conftest import PATIENCE_S

RECORD = Path(__file__).parents[1] / "records" / "whole_match.carom"
FINAL = {Side.RED: 12, Side.GREEN: 1}
"""The counts with which the record's match ends."""


def play(
    folder: Path, sections: dict[str, object], meet: Callable[[Rig], None], *further: Reader
) -> Rig:
    """Play the record on a board with the referee's box and these sections in its config."""
    record = read_record(RECORD.read_text(encoding="utf-8"))
    assert record.match.state.points == FINAL
    data = {"match": match_table(record.settings), "pins": {"seats": []},
            "web": {"enabled": False}, **sections}  # fmt: skip
    rig = rehearse(
        record.settings, [step.entry for step in record.match.steps], folder / "journal.sqlite3",
        further=further, meet=meet, venue=Venue(check(data, Origin("a test", {}))),
    )  # fmt: skip
    assert rig.board.dialogue.phase is Phase.MATCH_OVER
    return rig


def number(dots: Image.Image, *, at_right: bool) -> int:
    """Read the number at one end of a one-row matrix, as somebody who knows its figures would."""
    found = []
    for n in range(100):
        shapes = [figure(digit, slim=False, height=dots.height) for digit in str(n)]
        wide = sum(shape.width for shape in shapes) + len(shapes) - 1
        picture, x = Image.new("1", (wide, dots.height)), 0
        for shape in shapes:
            picture.paste(shape, (x, 0))
            x += shape.width + 1
        left = dots.width - wide if at_right else 0
        if dots.crop((left, 0, left + wide, dots.height)).tobytes() == picture.tobytes():
            found.append(n)
    assert found, "no number stands there"
    return max(found)  # the first digit of 12 alone would fit too


class Reader:
    """Somebody who reads the matrix whenever the board has shown something."""

    name = "reader"

    def __init__(self) -> None:
        self.rig: Rig | None = None
        self.read: list[tuple[int, int]] = []

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        """Read both ends, if counts are shown there."""
        assert self.rig is not None
        if view.phase in (Phase.READY, Phase.MATCH_OVER):
            dots = Image.new("1", (32, 8))
            for place, module in enumerate(self.rig.matrix.pictures()):
                dots.paste(module, (8 * place, 0))
            self.read.append((number(dots, at_right=False), number(dots, at_right=True)))

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Nothing to stop."""
        del timeout_s
        return True


def test_the_led_matrix_ends_with_the_right_counts(tmp_path: Path) -> None:
    reader = Reader()

    def sit_down(rig: Rig) -> None:
        reader.rig = rig

    rig = play(tmp_path, {"matrix": {"driver": "max7219"}}, sit_down, reader)
    assert reader.read[-1] == (FINAL[Side.RED], FINAL[Side.GREEN])
    assert len(set(reader.read)) > 5, "the counts went up on the way"
    assert not any(module.getbbox() for module in rig.matrix.pictures()), "dark when it has stopped"


def test_a_sign_of_any_make_ends_with_the_right_counts(tmp_path: Path) -> None:
    class Heard(PlainDecoder):
        """A sign that remembers all that it ever received."""

        def __init__(self) -> None:
            super().__init__()
            self.all = b""

        def feed(self, data: bytes) -> None:
            self.all += data
            super().feed(data)

    heard = Heard()

    def read_along(rig: Rig) -> None:
        assert rig.sign is not None
        rig.sign.decoder = heard

    sign = {"kind": "template", "port": "/dev/ttyUSB0"}
    template = {"frames": "<{left.count:02}:{right.count:02}>"}
    rig = play(tmp_path, {"sign": sign, "template": template}, read_along)
    last = f"<{FINAL[Side.RED]:02}:{FINAL[Side.GREEN]:02}>".encode()

    def ended(_decoder: Decoder) -> bool:
        return heard.all.endswith(last)

    assert rig.sign is not None
    assert rig.sign.wait_for(ended, PATIENCE_S), heard.all[-40:]
    frames = re.findall(rb"<(\d\d):(\d\d)>", heard.all)
    assert b"".join(b"<%b:%b>" % pair for pair in frames) == heard.all, "whole frames, in order"
    assert (b"00", b"00") in frames
    assert len(set(frames)) > 5, "the counts went up on the way"
