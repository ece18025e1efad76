"""An SSD1306, SSD1309 or SH1106: commands and data in, the picture on the glass out.

Written from the data sheets (SSD1306 rev. 1.1, section 9; SH1106 rev. 2.3, page 19 on), for
128x64 glass as modules are wired: with the segments remapped and the rows scanned downwards
(the drivers' set-up) the picture is upright. The SSD1309 has the SSD1306's commands except the
charge pump's: its glass has a supply of its own.

It holds registers and memory and does nothing on its own. It may not know any bus.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from PIL import Image, ImageChops

from jackspot.displays.oled.wire import HEIGHT, PAGES, SH1106_FIRST_COLUMN, WIDTH, OledChip

_ARGUMENTS = {
    0x20: 1,  # addressing mode
    0x21: 2,  # column window
    0x22: 2,  # page window
    0x81: 1,  # contrast
    0x8D: 1,  # charge pump
    0xA8: 1,  # multiplex ratio
    0xD3: 1,  # vertical offset
    0xD5: 1,  # clock
    0xD9: 1,  # pre-charge
    0xDA: 1,  # row pins
    0xDB: 1,  # deselect level
}
"""Commands of the SSD1306 with arguments, and how many."""

_ARGUMENTS_SH1106 = {
    0x81: 1,
    0xA8: 1,
    0xAD: 1,  # DC-DC converter
    0xD3: 1,
    0xD5: 1,
    0xD9: 1,
    0xDA: 1,
    0xDB: 1,
}
"""The same of the SH1106. It has no windows, modes or charge pump commands."""

_ARGUMENTS_OF = {
    OledChip.SSD1306: _ARGUMENTS,
    OledChip.SSD1309: {code: count for code, count in _ARGUMENTS.items() if code != 0x8D},
    OledChip.SH1106: _ARGUMENTS_SH1106,
}

_IGNORED = {
    OledChip.SSD1306: frozenset[int](),
    OledChip.SSD1309: frozenset({0x8D}),
    OledChip.SH1106: frozenset({0x20, 0x8D}),
}
"""luma sends the SSD1306's charge pump command to all, and its addressing mode to the SH1106:
they have neither and need none. To them the argument that follows sets half of a column."""

_PLAIN = frozenset({0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xC0, 0xC8, 0xE3})


class Controller:
    """One controller with its glass."""

    def __init__(self, chip: OledChip, chance: random.Random) -> None:
        self._chip = chip
        self._columns = WIDTH if chip.has_windows else 132
        self._memory = bytearray(chance.randbytes(self._columns * PAGES))
        self._command: list[int] = []
        self.reset()

    def reset(self) -> None:
        """Set all registers to what they are after power-on; memory keeps its content."""
        self._command.clear()
        self.is_on = False
        self.contrast = 0x7F
        self._inverted = False
        self._all_on = False
        self._mirrored = True
        self._upside_down = True
        self._start_line = 0
        self._offset = 0
        self._multiplex = HEIGHT - 1
        self._pumped = self._chip is not OledChip.SSD1306
        self._mode = 2
        self._window = (0, WIDTH - 1, 0, PAGES - 1)
        self._column = 0
        self._page = 0

    def commands(self, payload: Iterable[int]) -> None:
        """Take command bytes; a command may be spread over several calls."""
        arguments = _ARGUMENTS_OF[self._chip]
        self._command += payload
        while self._command and len(self._command) > arguments.get(self._command[0], 0):
            code = self._command.pop(0)
            values = self._command[: arguments.get(code, 0)]
            del self._command[: len(values)]
            self._obey(code, values)

    def data(self, payload: Iterable[int]) -> None:
        """Take bytes of the picture."""
        if self._command:
            raise ValueError(f"data in the middle of command 0x{self._command[0]:02X}")
        rest = bytes(payload)
        while rest:
            side_by_side = rest[: self._room()]
            start = self._page * self._columns + self._column
            self._memory[start : start + len(side_by_side)] = side_by_side
            self._column += len(side_by_side) - 1
            self._step()
            rest = rest[len(side_by_side) :]

    def picture(self) -> Image.Image:
        """Return what can be seen: black when the panel or its charge pump is off."""
        if not (self.is_on and self._pumped):
            return Image.new("1", (WIDTH, HEIGHT))
        picture = Image.new("1", (WIDTH, HEIGHT), 255) if self._all_on else self._lines()
        if self._inverted:
            picture = ImageChops.invert(picture)
        picture.paste(0, (0, self._multiplex + 1, WIDTH, HEIGHT))
        if self._mirrored:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if self._upside_down:
            picture = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        return picture

    def _lines(self) -> Image.Image:
        """Return the memory behind the glass as dots, the line that is scanned first on top."""
        left = SH1106_FIRST_COLUMN if self._chip is OledChip.SH1106 else 0
        packed = bytearray(WIDTH * PAGES)
        for page in range(PAGES):
            start = page * self._columns + left
            packed[PAGES - 1 - page :: PAGES] = self._memory[start : start + WIDTH]
        lying = Image.frombytes("1", (HEIGHT, WIDTH), bytes(packed))
        lines = lying.transpose(Image.Transpose.ROTATE_90)
        first = (self._start_line + self._offset) % HEIGHT
        return ImageChops.offset(lines, 0, -first) if first else lines

    def _room(self) -> int:
        """Return how many bytes, at least one, lie side by side before the column turns back."""
        if self._chip is OledChip.SH1106 or self._mode == 2:
            return max(1, self._columns - self._column)
        left, right = self._window[:2]
        return right - self._column + 1 if self._mode == 0 and left <= self._column <= right else 1

    def _step(self) -> None:
        """Move on after a byte, as the addressing mode says."""
        if self._chip is OledChip.SH1106:
            self._column = min(self._column + 1, self._columns - 1)
            return
        left, right, top, bottom = self._window
        if self._mode == 0:
            self._column = left if self._column == right else self._column + 1
            if self._column == left:
                self._page = top if self._page == bottom else self._page + 1
        elif self._mode == 1:
            self._page = top if self._page == bottom else self._page + 1
            if self._page == top:
                self._column = left if self._column == right else self._column + 1
        else:
            self._column = (self._column + 1) % self._columns

    def _obey(self, code: int, values: list[int]) -> None:
        if code in _PLAIN:
            self._switch(code)
        elif code < 0x20:
            self._set_column_half(code)
        elif 0x40 <= code < 0x80:
            self._start_line = code - 0x40
        elif 0xB0 <= code < 0xB8:
            self._page = code - 0xB0
        elif not self._set_register(code, values) and code not in _IGNORED[self._chip]:
            raise ValueError(f"{self._chip}: 0x{code:02X} is no command of the data sheet")

    def _switch(self, code: int) -> None:
        """Obey the commands that switch one thing one way or the other."""
        if code in {0xAE, 0xAF}:
            self.is_on = code == 0xAF
        elif code in {0xA0, 0xA1}:
            self._mirrored = code == 0xA0
        elif code in {0xC0, 0xC8}:
            self._upside_down = code == 0xC0
        elif code in {0xA4, 0xA5}:
            self._all_on = code == 0xA5
        elif code in {0xA6, 0xA7}:
            self._inverted = code == 0xA7

    def _set_column_half(self, code: int) -> None:
        if code < 0x10:
            self._column = self._column & 0xF0 | code
        else:
            self._column = (self._column & 0x0F | (code & 0x0F) << 4) % self._columns

    def _set_register(self, code: int, values: list[int]) -> bool:
        """Obey a command with arguments; False if the controller has no such command."""
        if len(values) == 0:
            return False
        if code == 0x20:
            self._mode = values[0] & 3
        elif code in {0x21, 0x22}:
            self._set_window(code, *values)
        elif code == 0x81:
            self.contrast = values[0]
        elif code == 0x8D:
            self._pumped = bool(values[0] & 4)
        elif code == 0xA8:
            self._multiplex = values[0] & 63
        elif code == 0xD3:
            self._offset = values[0] & 63
        return True

    def _set_window(self, code: int, first: int, last: int) -> None:
        limit = self._columns if code == 0x21 else PAGES
        if not 0 <= first <= last < limit:
            raise ValueError(f"window {first} to {last} does not fit in 0 to {limit - 1}")
        left, right, top, bottom = self._window
        if code == 0x21:
            self._window = (first, last, top, bottom)
            self._column = first
        else:
            self._window = (left, right, first, last)
            self._page = first
