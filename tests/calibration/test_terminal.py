"""A calibration in a terminal: which keys press what, and what the lines say."""

from __future__ import annotations

import pytest

from jackspot.calibration.measuring.measured import Drop, PieceKind
from jackspot.calibration.measuring.walk import Remark, WalkMessage
from jackspot.calibration.screen import told_and_kept
from jackspot.calibration.terminal_keys import presses_of
from jackspot.core.pieces import Pocket
from jackspot.sensing.events import Gesture, Key
from jackspot.sensing.limits import MS


@pytest.mark.parametrize(
    ("read", "pressed"),
    [
        (b"\n", [(Key.OK, Gesture.SHORT)]),
        (b"uK", [(Key.UNDO, Gesture.SHORT), (Key.FIX, Gesture.SHORT)]),
        (b"x", []),
        (b"\xff", []),
        (b"\x1bOQ", []),
        (b"\x1bOS", []),
        (b"\x1b[20~", []),
        (b"\x1b[1;5S", []),
        (b"\x1b[[A", []),
        (b"\x1b", []),
        (b"\x1bOSq", [(Key.OK, Gesture.HOLD)]),
    ],
)
def test_function_keys_press_nothing(read: bytes, pressed: list[tuple[Key, Gesture]]) -> None:
    assert [(each.button.key, each.gesture) for each in presses_of(read, 0)] == pressed


@pytest.mark.parametrize("drop", [None, Drop((40 * MS,))])
@pytest.mark.parametrize("remark", [Remark.TWO, Remark.FAR, Remark.HAND])
def test_a_key_that_keeps_a_drop_is_named_only_where_it_does(
    remark: Remark, drop: Drop | None
) -> None:
    line = told_and_kept(WalkMessage(remark, Pocket.NE, PieceKind.PUCK, drop))
    assert line.endswith(" (k keeps it)") is (drop is not None)
