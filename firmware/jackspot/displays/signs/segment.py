"""Four large digits on a serial line: SparkFun's OpenSegment and Serial7Segment.

The digits always show confirmed numbers only:

- The left pair is the first side's count, the right pair the second side's, each aligned to the
  right: `` 7 5`` for seven and five, ``1211`` for twelve and eleven.
- A number that needs three digits is alone, at the end of its own side: ``112 `` is the left
  side's, `` 125`` the right side's. Of two such numbers the marked side's is shown. A number of
  more than three digits is ``--``: no number is better than a wrong one.
- The point behind a number marks the side that shoots, or in *board over* and *match over* the
  winner: `` 7. 5`` is the left side's turn, `` 7 5.`` the right side's.
- A module with a colon shows it between the pairs (OpenSegment has none, Serial7Segment has).
- In *setup* there is nothing to count: ``----``, and ``PLAY`` while help is shown.
- In free play the pairs count what has fallen of the first two kinds, with no turn marked.
- When the board switches itself off the digits go dark.
- ``shows="time"`` gives minutes and seconds of the match clock instead, rounded up, with the
  colon or the point between them: `` 4:37``. Without a time limit it shows the count.

Only what differs is sent: the digits from the first to the last that changed (cursor command,
then the characters) and the points. Everything is sent after each connection and every
``refresh_ns``: the module has no memory, so one that lost power for a moment would stay blank.

Brightness is written into the module's EEPROM, which wears out. So it is sent with the first view
and when people change it, and once more with the next digits that are sent again, not with every
connection. A dark display is four blanks.

Source: SparkFun Serial7SegmentDisplay, "Special Commands" and its firmware 3.0.1.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.dialogue.words.tally import score
from jackspot.displays.signs.serial_line import SerialSettings
from jackspot.displays.signs.serial_port import OnALine
from jackspot.displays.signs.text import first_two, is_dark, is_marked

CLEAR: Final = 0x76
POINTS: Final = 0x77
CURSOR: Final = 0x79
BRIGHTNESS: Final = 0x7A

COLON_BIT: Final = 1 << 4
"""In the byte after ``POINTS``; bits 0 to 3 are the points behind the digits, left to right."""

REFRESH_NS: Final = 10_000_000_000


class Shows(StrEnum):
    """What the digits show."""

    COUNT = "count"
    TIME = "time"


class SegmentDisplay(OnALine):
    """Four digits, as a display of the board. All calls come from one thread.

    ``port`` and ``line`` are those of :class:`SerialPort`. ``colon``: the module has one.
    ``clock`` returns monotonic nanoseconds.
    """

    def __init__(
        self,
        port: str,
        *,
        shows: Shows | str = Shows.COUNT,
        colon: bool = False,
        line: SerialSettings | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        refresh_ns: int = REFRESH_NS,
        name: str = "segment",
    ) -> None:
        super().__init__(port, line, clock, refresh_ns)
        self.name = name
        self._shows = Shows(shows)
        self._colon = colon
        self._brightness: int | None = None
        """The brightness that the module was sent; None: not yet."""
        self._sent_once = False
        """It was sent once only; the next time that all is sent, it is sent again."""
        self._sent: tuple[str, int] | None = None

    def open(self) -> None:
        """Connect, and clear the digits."""
        self._sent = None
        super().open()
        self._port.write(bytes([CLEAR]))

    def show(self, view: BoardView) -> None:
        """Send the brightness, digits and points that differ from what the module shows."""
        self._dim(view.preferences.brightness)
        wanted = face(view, self._shows, colon=self._colon)
        data = changes(self._sent, wanted)
        if not data:
            return
        self._sent = None
        self._port.write(data)
        self._sent = wanted

    def _send_again(self) -> bool:
        if self._sent is not None:
            self._port.write(changes(None, self._sent))
        if self._sent_once and self._brightness is not None:
            self._sent_once = False
            self._port.write(bytes([BRIGHTNESS, self._brightness]))
        return True

    def _dim(self, brightness: int) -> None:
        """Send the module a brightness that has changed; darkness is a matter of the digits."""
        if brightness in (0, self._brightness):
            return
        self._port.write(bytes([BRIGHTNESS, brightness]))
        self._brightness, self._sent_once = brightness, True


def face(view: BoardView, shows: Shows, *, colon: bool) -> tuple[str, int]:
    """Return the four characters for a view, and the byte of points and colon."""
    if is_dark(view) or view.farewell:
        return " " * 4, 0
    if view.free is not None:
        return pairs(n for _kind, n in first_two(view.free)), COLON_BIT if colon else 0
    if shows is Shows.TIME and view.clock.limit_ns:
        seconds = -(-max(view.clock.remaining_ns, 0) // 1_000_000_000)
        minutes = seconds // 60
        digits = f"{minutes:2d}{seconds % 60:02d}" if minutes < 100 else "----"
        return digits, COLON_BIT if colon else 0b0010
    points = COLON_BIT if colon else 0
    if view.phase is Phase.SETUP:
        return "----" if view.attract is None else "PLAY", points
    digits, mark = counts(view)
    points |= mark * is_marked(view, 0) | 0b1000 * is_marked(view, 1)
    return digits, points


def counts(view: BoardView) -> tuple[str, int]:
    """Return both sides' numbers, or the one that leaves no room for the other.

    The second value is the bit of the point that marks the left side; the right side's is the last.
    """
    both = score(view, 0), score(view, 1)
    wide = [index for index, number in enumerate(both) if len(str(number)) == 3]
    if not wide:
        return pairs(both), 0b0010
    index = next((each for each in wide if is_marked(view, each)), wide[0])
    return (f"{both[0]:<4d}", 0b0100) if index == 0 else (f"{both[1]:4d}", 0b0001)


def pairs(numbers: Iterable[int]) -> str:
    """Return two numbers in two digits each; one that does not fit is ``--``."""
    return "".join(f"{each:2d}" if -9 <= each <= 99 else "--" for each in numbers)


def changes(before: tuple[str, int] | None, wanted: tuple[str, int]) -> bytes:
    """Return the bytes that turn one face into another; None: the module's state is unknown.

    A complete face begins with two blanks, which the module takes as digits, or as what it still
    waits for after a truncated command.
    """
    digits, points = wanted
    if before is None:
        return b"  " + bytes([CURSOR, 0]) + digits.encode("ascii") + bytes([POINTS, points])
    data = b""
    changed = [place for place in range(4) if digits[place] != before[0][place]]
    if changed:
        first, last = changed[0], changed[-1]
        data += bytes([CURSOR, first]) + digits[first : last + 1].encode("ascii")
    if points != before[1]:
        data += bytes([POINTS, points])
    return data
