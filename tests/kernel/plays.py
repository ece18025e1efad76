"""What the board must show, from the same firmware on the host, and whole matches to play.

Whatever was put on the guest's wires is played back to the firmware here, on virtual time.
That gives the view, and with it the picture and the sign's texts, that the guest's displays
must show. The simulated table's people play match records, and its capture gives every edge.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from jackspot.capture.vcd_file import Capture, Opening, read_capture
from jackspot.dialogue.state.view import BoardView, NoticeView, Sound
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.light import ORBIT, moved
from jackspot.displays.signs.alpha import strings_of
from jackspot.displays.thread import STOP_TIMEOUT_S
from jackspot.displays.words import translator
from jackspot.inputs.pins import FULL_I2C, wire_source
from jackspot.replay import board_for, config_of
from jackspot.sensing.events import Edge, wire_name
from jackspot.values import changed
from tests.kernel.board import ACTIVE, MS, RESTING, Board, Step, gpio_of
from tests.kernel.qemu import wait_until

SHORTEST_NS = 2 * MS
"""Shorter pulses do not get through the simulated pins, and are left out."""

_WIRES = {gpio: name for name, gpio in FULL_I2C.gpios.items()}


# --- what the displays must show ------------------------------------------------------


def view_now(board: Board) -> BoardView:
    """Return the view that the board must have now, from what its wires got since its start."""
    begun = board.started_ns
    opening = Opening(board.config, board.journal_then, began_ns=begun, started_ns=begun)
    edges = tuple(
        Edge(driven.at_ns, source, driven.level == ACTIVE)
        for driven in board.driven
        if (source := wire_source(_WIRES[driven.gpio])) is not None
    )
    capture = Capture(opening, frozenset(), edges, board.state()["now_ns"])
    keeper = _Keeper()
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.sqlite3"
        with board_for(capture, config_of(capture), journal, (keeper,)) as replayed:
            replayed.run()
    assert keeper.view is not None
    return keeper.view


def wait_for_picture(board: Board, notice: NoticeView | None = None) -> Image.Image:
    """Wait until the OLED's memory holds, dot for dot, what it must; return that picture.

    ``notice`` is what the board was also told, for a while.

    The picture may be slightly shifted: it moves now and then, so that no dot wears out.
    """

    def look() -> Image.Image | None:
        image = board.oled()
        wanted = draw(changed(view_now(board), notice=notice), translator("en"))
        same = any(image.tobytes() == moved(wanted, shift).tobytes() for shift in {0, *ORBIT})
        return image if same else None

    return wait_until("the OLED to hold the picture of this view", look, every_s=0.5)


def wait_for_sign(board: Board) -> dict[str, bytes]:
    """Wait until the sign holds what it must, and has refused nothing; return its strings."""

    def look() -> dict[str, bytes]:
        sign, wanted = board.sign(), dict(strings_of(view_now(board), translator))
        return wanted if sign.strings == wanted and not sign.rejected else {}

    return wait_until("the sign to hold the texts of this view", look, every_s=0.5)


class _Keeper:
    """A display that keeps the newest view; the board's farewell does not count as one."""

    name = "keeper"

    def __init__(self) -> None:
        self.view: BoardView | None = None

    def start(self) -> None:
        """Begin."""

    def post(self, view: BoardView) -> None:
        """Keep a view."""
        if not view.farewell:
            self.view = view

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """End."""
        return True


# --- whole matches --------------------------------------------------------------------


def played(record: Path) -> tuple[str, list[Step]]:
    """Let the simulated table's people play a match record; return its config and its steps."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pins.vcd"
        command = [str(Path(sys.executable).with_name("jackspot")), "sim"]
        command += ["--play", str(record), "--fast", "--capture", str(file)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with file.open("rb") as stream:
            capture = read_capture(stream)
    assert capture.opening is not None
    return _without_own(capture.opening.config), list(_steps(capture))


def _without_own(config: str) -> str:
    """Remove from a config what the simulated table serves and keeps itself."""
    for section in ("web", "sign", "journal", "calibration"):
        config = re.sub(rf"(?ms)^\[{section}\].*?(?=^\[|\Z)", "", config)
    return config


def _steps(capture: Capture) -> Iterator[Step]:
    """Return the capture's edges as steps, without pulses that are too short for the wires."""
    kept: dict[str, list[Edge]] = {}
    for edge in capture.edges:
        edges = kept.setdefault(wire_name(edge.source), [])
        if edges and edge.at_ns - edges[-1].at_ns < SHORTEST_NS:
            edges.pop()
        elif not edges or edges[-1].active != edge.active:
            edges.append(edge)
    every = sorted((edge for edges in kept.values() for edge in edges), key=lambda e: e.at_ns)
    last_ns = every[0].at_ns
    for edge in every:
        level = ACTIVE if edge.active else RESTING
        yield edge.at_ns - last_ns, gpio_of(wire_name(edge.source)), level
        last_ns = edge.at_ns
