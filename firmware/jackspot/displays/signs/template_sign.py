"""A serial display that its owner describes in the config, as frames of bytes.

:mod:`jackspot.displays.signs.template_text` defines what a frame is made of,
:mod:`jackspot.displays.signs.template_fields` what it may show. This module sends frames: each one
whose bytes have changed, all of them after a connection, and all of them again every
``repeat_ns`` for a display that forgets. Nothing is ever read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from jackspot.dialogue.state.view import BoardView
from jackspot.displays.signs.serial_line import SerialSettings
from jackspot.displays.signs.serial_port import OnALine, SerialPort
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
        super().__init__(SerialPort(port, line, clock))
        self.name = name
        self._script = script
        self._frames = _read(script.frames, script.encoding)
        self._start = _read(script.start, script.encoding)
        self._dark = _read(script.dark, script.encoding)
        self._speak = speak
        self._clock = clock
        self._sent: tuple[bytes, ...] = ()
        self._whole_at_ns = 0

    def open(self) -> None:
        """Connect, and send what the display needs first."""
        self._interrupted.clear()
        self._sent = ()
        self._port.open()
        for frame in self._start:
            self._send(frame.render(_NOTHING))

    def cares(self, view: BoardView) -> object:
        """Return the part of a view that the display shows."""
        return self._wanted(view)

    def show(self, view: BoardView) -> None:
        """Send the frames that differ from what the display was sent."""
        wanted = self._wanted(view)
        before = self._sent
        is_whole = len(before) != len(wanted)
        self._sent = ()
        for index, data in enumerate(wanted):
            if is_whole or data != before[index]:
                self._send(data)
        self._sent = wanted
        if is_whole:
            self._whole_at_ns = self._clock()

    def rest_ns(self) -> int | None:
        """Return how long the line can be left alone."""
        rest_ns = super().rest_ns()
        if rest_ns is None or not self._is_repeated:
            return rest_ns
        return max(0, min(rest_ns, self._whole_at_ns + self._script.repeat_ns - self._clock()))

    def tend(self) -> None:
        """Check whether the line is still there, and send everything again if that is due."""
        super().tend()
        now_ns = self._clock()
        if self._is_repeated and now_ns >= self._whole_at_ns + self._script.repeat_ns:
            self._whole_at_ns = now_ns
            for data in self._sent:
                self._send(data)

    @property
    def _is_repeated(self) -> bool:
        return bool(self._script.repeat_ns and self._sent)

    def _wanted(self, view: BoardView) -> tuple[bytes, ...]:
        values = values_of(view, self._speak(view.preferences.language), self._script.encoding)
        frames = self._dark if values["dark"] and self._dark else self._frames
        return tuple(frame.render(values) for frame in frames)

    def _send(self, data: bytes) -> None:
        self._port.write(data)
        if self._script.gap_ns:
            self._interrupted.wait(self._script.gap_ns / 1e9)


_NOTHING = dict.fromkeys(FIELDS)


def _read(texts: Sequence[str], encoding: str) -> tuple[TemplateFrame, ...]:
    return tuple(read_frame(text, FIELDS, encoding) for text in texts)
