"""The buzzer: plays the sounds of the game on a pin.

Two kinds of buzzer are sold. A *passive* one is a small loudspeaker: it plays tones (PWM). An
*active* one has one tone of its own and is only switched: its message is the rhythm.

Playing takes as long as the sound does, so it belongs on a display's thread, never in the loop.
Each note ends when it would end on an idle machine. If the thread is woken late, the next note
begins late and is shorter, so that the rhythm stays and the sound as a whole does not drag.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.errors import DisplayError
from jackspot.displays.kind import DisplayKind, Mount
from jackspot.displays.sounds import SOUNDS, Note
from jackspot.settings.section import Section
from jackspot.settings.values import Percent


class BuzzerKind(StrEnum):
    """What is soldered to the buzzer's pin."""

    PASSIVE = "passive"
    """A loudspeaker: plays tones."""
    ACTIVE = "active"
    """A beeper with one tone of its own."""


class BuzzerSection(Section, frozen=True):
    """``[buzzer]``: what it is, and how loud."""

    kind: BuzzerKind = BuzzerKind.PASSIVE
    """passive: a loudspeaker, which plays tones; active: a beeper with one tone of its own."""
    volume: Percent = 50
    """Per cent."""
    silent: bool = False
    """The buzzer is silent until people set another volume."""


Wait = Callable[[float], object]
"""Waits for a number of seconds, or less when interrupted."""

Clock = Callable[[], float]
"""Returns the seconds of a clock that never goes back."""

LEAST_SHARE: Final = 0.5
"""The share of a note that is played however late it begins: a missing beep would change the
message."""


REST_S: Final = 0.15
"""The least silence between two sounds, far more than within one: each keeps its own rhythm."""


class Buzzer:
    """A buzzer on one pin, as a display that shows nothing and plays sounds.

    ``pin`` is a GPIO number, ``pin_factory`` one of gpiozero's. Views set the volume, from 0
    (silent) to 100 per cent; an active buzzer is either silent or loud. ``wait`` replaces real
    time in runs in virtual time, and ``clock`` measures how long a wait really took.
    """

    def __init__(
        self,
        pin: int,
        *,
        kind: BuzzerKind | str = BuzzerKind.PASSIVE,
        pin_factory: Any = None,
        wait: Wait | None = None,
        clock: Clock | None = None,
        name: str = "buzzer",
    ) -> None:
        self.name = name
        self._pin = pin
        self._kind = BuzzerKind(kind)
        self._volume = 0
        self._pin_factory = pin_factory
        self._hush = threading.Event()
        self._wait = wait or self._hush.wait
        self._clock = clock or (time.monotonic if wait is None else None)
        self._ended_s: float | None = None
        """When the last sound ended; None: there was none."""
        self._device: Any = None

    def open(self) -> None:
        """Take the pin, silent."""
        from gpiozero import DigitalOutputDevice, PWMOutputDevice

        self._hush.clear()
        make = PWMOutputDevice if self._kind is BuzzerKind.PASSIVE else DigitalOutputDevice
        try:
            self._device = make(self._pin, pin_factory=self._pin_factory)
            self._silence()
        except Exception as error:  # each pin factory has errors of its own
            raise DisplayError(
                f"{self.name}: GPIO {self._pin} cannot be used: {error}; "
                "check the pin in the config, and that no other program holds it"
            ) from error

    def cares(self, view: BoardView) -> object:
        """Return the one part of a view that a buzzer uses: its volume."""
        return view.preferences.volume

    def show(self, view: BoardView) -> None:
        """Set the volume that people have chosen; the sounds themselves come one by one."""
        self._volume = view.preferences.volume

    def play(self, sound: Sound) -> None:
        """Play a sound to its end, or until it is interrupted; apart from the one before it."""
        if self._device is None or not self._volume:
            return
        self._rest()
        late_s = 0.0
        try:
            for note in SOUNDS[sound]:
                if self._hush.is_set():
                    break
                late_s = self._sound(note, late_s)
        finally:
            self._silence()
            self._ended_s = self._clock() if self._clock else 0.0

    def _rest(self) -> None:
        """Wait until it has been silent for long enough; without a clock no time has passed."""
        if self._ended_s is None:
            return
        silent_s = self._clock() - self._ended_s if self._clock else 0.0
        if silent_s < REST_S:
            self._wait(REST_S - silent_s)

    def _sound(self, note: Note, late_s: float) -> float:
        """Play a note that begins ``late_s`` late; return how late it ends."""
        whole_s = note.length_ms / 1000
        began_s = self._clock() if self._clock else 0.0
        self._start(note)
        self._wait(max(whole_s - late_s, whole_s * LEAST_SHARE))
        took_s = self._clock() - began_s if self._clock else whole_s
        return max(late_s + took_s - whole_s, 0.0)

    def close(self) -> None:
        """Fall silent and release the pin."""
        device, self._device = self._device, None
        if device is not None:
            try:
                device.off()
            finally:
                device.close()

    def _silence(self) -> None:
        """End the tone and its timer, which some libraries leave running at no volume."""
        self._device.off()
        if self._kind is BuzzerKind.PASSIVE:
            self._device.frequency = None

    def interrupt(self) -> None:
        """End the sound that is being played, at its current note."""
        self._hush.set()

    def _start(self, note: Note) -> None:
        if not note.hz:
            self._device.off()
        elif self._kind is BuzzerKind.ACTIVE:
            self._device.on()
        else:
            self._device.frequency = note.hz
            # Half on, half off is loudest; loudness is perceived as the square of it.
            self._device.value = 0.5 * (self._volume / 100) ** 2


def _make(mount: Mount) -> Buzzer | None:
    if "buzzer" not in mount.outputs:
        return None
    wait = None if mount.unhurried else _no_wait
    kind, pin = mount.of(BuzzerSection).kind, mount.outputs["buzzer"]
    return Buzzer(pin, kind=kind, pin_factory=mount.pin_factory, wait=wait)


def _no_wait(_seconds: float) -> None:
    """Return at once: a sound takes no time."""


BUZZER = DisplayKind("buzzer", MappingProxyType({"buzzer": BuzzerSection}), _make)
