"""A serial LED sign that speaks the Alpha protocol (BetaBrite and its relatives).

The sign keeps *files*. Only one TEXT file runs; it calls three short STRING files: the left side,
the right side and the line that says what is next::

    TEXT A, held:   call L   call R   call P
    STRING L  red    ">(R) 7"
    STRING R  green  "  (G) 5 "
    STRING P  a new line, then amber "RED: SHOOT AGAIN", or orange "? RED NE ?"; or nothing

Writing a STRING does not blank the sign, as writing a TEXT would: a count that changes costs one
frame of some thirty bytes, 30 ms on the wire. Only STRINGs that differ are written, and all of them
again every half minute, as a frame may have been lost. After each connection everything is written:
memory configuration (which erases what the sign held), run sequence, TEXT, all STRINGs. Only the
STRINGs can be written again without blanking the sign; its battery keeps the rest.

A frame is five NULs (the sign finds the speed from them), SOH, sign type, address, STX,
command and data, ETX, checksum, EOT. The sign is only written to: on the usual three-wire cable
it cannot answer.

At half brightness and below, the dim colours are used (red, green and brown): the commands that
dim a whole sign work on outdoor signs only. A dark sign has empty STRINGs.

Source: Alpha Sign Communications Protocol (Adaptive Micro Systems, 9708-8061): standard
transmission packet, commands A, E and G, memory configuration (Table 15: a STRING file is
locked and carries four zeros), valid file labels (Appendix A).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from jackspot.core.pieces import Side
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.signs.serial_line import ALPHA, SerialSettings
from jackspot.displays.signs.serial_port import AGAIN_NS, OnALine
from jackspot.displays.signs.text import SignText, sign_text
from jackspot.displays.words import Speak, translator

ALL_SIGNS: Final = "Z"
BETABRITE: Final = "^"
EVERY_ADDRESS: Final = "00"

STRING_SIZE: Final = 100
"""Bytes reserved for each STRING; a sign empties a STRING that is longer than its file."""
_TEXT_SIZE: Final = 32

_RED, _GREEN, _AMBER, _ORANGE, _BROWN = b"\x1c1", b"\x1c2", b"\x1c3", b"\x1c7", b"\x1c6"
_DIM: Final = {
    _RED: b"\x1c4", _GREEN: b"\x1c5", _AMBER: _BROWN, _ORANGE: _BROWN, _BROWN: _BROWN,
}  # fmt: skip
_DIM_UP_TO: Final = 50
"""The highest brightness, in per cent, at which the dim colours are used."""
_SIDE_COLOUR: Final = {  # red and green diodes cannot make white or black: light and dim instead
    Side.RED: _RED,
    Side.GREEN: _GREEN,
    Side.WHITE: _AMBER,
    Side.BLACK: _BROWN,
    Side.ONE: _RED,
    Side.TWO: _GREEN,
}
_NEW_LINE: Final = b"\r"
"""On a sign with one line this starts the next screen."""


def frame(payload: bytes, sign_type: str = ALL_SIGNS, address: str = EVERY_ADDRESS) -> bytes:
    """Wrap a command and its data for the wire.

    The checksum is the sum of all bytes from STX to ETX, modulo 65,536, in four hex digits.
    """
    body = b"\x02" + payload + b"\x03"
    checksum = f"{sum(body) & 0xFFFF:04X}".encode("ascii")
    return b"\0" * 5 + b"\x01" + (sign_type + address).encode("ascii") + body + checksum + b"\x04"


def configure_memory(text: str, strings: str) -> bytes:
    """Return the command that makes one TEXT file, and a STRING file for each further label."""
    files = [f"{text}AU{_TEXT_SIZE:04X}FF00"]  # unlocked; runs always
    files += [f"{label}BL{STRING_SIZE:04X}0000" for label in strings]
    return b"E$" + "".join(files).encode("ascii")


def run_only(text: str) -> bytes:
    """Return the command that runs one TEXT file and no other, at all times."""
    return b"E.SU" + text.encode("ascii")


def write_text(label: str, body: bytes) -> bytes:
    """Return the command that writes a TEXT file, held in the middle of the line."""
    return b"A" + label.encode("ascii") + b"\x1b b" + body


def write_string(label: str, body: bytes) -> bytes:
    """Return the command that writes a STRING file; ValueError if the body is too long."""
    if len(body) > STRING_SIZE:
        raise ValueError(f"STRING {label} has room for {STRING_SIZE} bytes, not {len(body)}")
    return b"G" + label.encode("ascii") + body


class AlphaSign(OnALine):
    """A sign on a serial line, as a display of the board. All calls come from one thread.

    ``port`` and ``line`` are those of :class:`SerialPort`. ``sign_type`` and ``address`` choose
    among several signs on one wire. ``settle_s`` is how long the sign needs to lay out its memory
    before it listens again; a simulated one needs 0. ``clock`` returns monotonic nanoseconds.
    """

    name = "alpha_sign"

    def __init__(
        self,
        port: str,
        *,
        speak: Speak = translator,
        sign_type: str = ALL_SIGNS,
        address: str = EVERY_ADDRESS,
        line: SerialSettings = ALPHA,
        settle_s: float = 1.0,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        if len(sign_type) != 1 or not " " < sign_type <= "~":
            raise ValueError(
                f'{self.name}: the sign type is one character, "Z" for any sign or "^" for a '
                f"BetaBrite, not {sign_type!r}"
            )
        if len(address) != 2 or not set(address) <= set("0123456789ABCDEF?"):
            raise ValueError(
                f'{self.name}: the address is two hex digits, "00" for every sign, not {address!r}'
            )
        super().__init__(port, line, clock, AGAIN_NS)
        self._speak = speak
        self._sign_type = sign_type
        self._address = address
        self._settle_s = settle_s
        self._sent: dict[str, bytes] = {}

    def open(self) -> None:
        """Connect and lay out the sign's memory."""
        self._sent = {}
        super().open()
        self._send(configure_memory("A", "LRP"))
        self._interrupted.wait(self._settle_s)
        self._send(run_only("A"), write_text("A", b"\x10L\x10R\x10P"))

    def cares(self, view: BoardView) -> object:
        """Return what the sign shows of a view: of the clock little more than the minutes."""
        return strings_of(view, self._speak)

    def show(self, view: BoardView) -> None:
        """Write the STRINGs that differ from what the sign holds."""
        wanted = strings_of(view, self._speak)
        changed = {label: body for label, body in wanted.items() if self._sent.get(label) != body}
        if not changed:
            return
        self._write(changed)
        self._sent.update(changed)

    def _send_again(self) -> bool:
        if self._sent:
            self._write(self._sent)
        return True

    def _write(self, strings: Mapping[str, bytes]) -> None:
        self._send(*(write_string(label, body) for label, body in strings.items()))

    def _send(self, *payloads: bytes) -> None:
        frames = (frame(payload, self._sign_type, self._address) for payload in payloads)
        self._port.write(b"".join(frames))


def strings_of(view: BoardView, speak: Speak) -> dict[str, bytes]:
    """Return what the three STRING files hold for a view, by label."""
    text = sign_text(view, speak(view.preferences.language))
    is_dim = view.preferences.brightness <= _DIM_UP_TO

    def coloured(words: str, colour: bytes) -> bytes:
        return (_DIM[colour] if is_dim else colour) + words.encode("ascii") if words else b""

    left, right = view.sides
    prompt = coloured(_cut(text), _ORANGE if text.proposed else _AMBER)
    if prompt and text.left:
        prompt = _NEW_LINE + prompt
    return {
        "L": coloured(text.left, _SIDE_COLOUR[left.side]),
        "R": coloured(text.right, _SIDE_COLOUR[right.side]),
        "P": prompt,
    }


def _cut(text: SignText) -> str:
    """Return a line that fits into its file: of its parts the first is cut first, a fault last.

    The file also holds a new line and a colour.
    """
    room = STRING_SIZE - len(_NEW_LINE + _AMBER)
    line = ""
    for part in reversed(text.parts):
        line = _shortened(part, room - len(line)) + line
    return line.strip()


def _shortened(words: str, room: int) -> str:
    """Return words that fit, with dots for what is cut off."""
    if len(words) <= room:
        return words
    return f"{words[: room - 2]}.." if room > 2 else ""
