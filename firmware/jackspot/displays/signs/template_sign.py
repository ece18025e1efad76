"""A serial display that its owner describes in the config, as frames of bytes.

:mod:`jackspot.displays.signs.template_text` defines what a frame is made of,
:mod:`jackspot.displays.signs.template_fields` what it may show. This module sends frames: each one
whose bytes have changed, all of them after a connection, and all of them again every
``repeat_ns``, as a display may forget and a frame may be lost. Nothing is ever read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from jackspot.dialogue.state.view import BoardView
from jackspot.displays.signs.serial_line import SerialSettings
from jackspot.displays.signs.serial_port import OnALine
from jackspot.displays.signs.template_fields import FIELDS, values_of
from jackspot.displays.signs.template_text import Script, TemplateFrame, read_frame
from jackspot.displays.words import Speak, translator


class TemplateSign(OnALine):
    """A display that its owner has described. All calls come from one thread.

    ``port`` and ``line`` are those of :class:`SerialPort`. ``clock`` returns monotonic
    nanoseconds. Raises TemplateMistake for a script that cannot be understood.
    """

    def __init__(
        self,
        port: str,
        script: Script,
        *,
        line: SerialSettings | None = None,
        speak: Speak = translator,
        clock: Callable[[], int] = time.monotonic_ns,
        name: str = "sign",
    ) -> None:
        super().__init__(port, line, clock, script.repeat_ns)
        self.name = name
        self._script = script
        self._frames = _read(script.frames, script.encoding)
        self._start = _read(script.start, script.encoding)
        self._dark = _read(script.dark, script.encoding)
        self._speak = speak
        self._sent: tuple[bytes, ...] = ()
        self._again = 0
        """Which frame is sent again next."""
        self._sent_dark = False
        """What was sent are the frames for the dark."""

    def open(self) -> None:
        """Connect, and send what the display needs first."""
        self._sent = ()
        super().open()
        for frame in self._start:
            self._send(frame.render(_NOTHING))

    def cares(self, view: BoardView) -> object:
        """Return the part of a view that the display shows."""
        return self._wanted(view)

    def show(self, view: BoardView) -> None:
        """Send the frames that differ from what the display was sent."""
        wanted, dark = self._wanted(view)
        before = self._sent
        is_whole = not before or dark is not self._sent_dark
        self._sent, self._sent_dark = (), dark
        for index, data in enumerate(wanted):
            if is_whole or data != before[index]:
                self._send(data)
        self._sent = wanted

    def _send_again(self) -> bool:
        """Send one frame, so that a view that comes meanwhile waits for no other."""
        if self._again < len(self._sent):
            self._send(self._sent[self._again])
        self._again += 1
        if self._again < len(self._sent):
            return False
        self._again = 0
        return True

    def _wanted(self, view: BoardView) -> tuple[tuple[bytes, ...], bool]:
        """Return the bytes of each frame, and whether they are those for the dark."""
        values = values_of(view, self._speak(view.preferences.language), self._script.encoding)
        dark = bool(values["dark"] and self._dark)
        frames = self._dark if dark else self._frames
        return tuple(frame.render(values) for frame in frames), dark

    def _send(self, data: bytes) -> None:
        self._port.write(data)
        if self._script.gap_ns:
            self._interrupted.wait(self._script.gap_ns / 1e9)


_NOTHING = dict.fromkeys(FIELDS)


def _read(texts: Sequence[str], encoding: str) -> tuple[TemplateFrame, ...]:
    return tuple(read_frame(text, FIELDS, encoding) for text in texts)
