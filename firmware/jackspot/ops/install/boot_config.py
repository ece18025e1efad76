"""The Pi's ``config.txt``: whether I2C is on, and how fast. Text in, text out; nothing is touched.

Source: the Raspberry Pi documentation, "config.txt" (a section in brackets lasts until the next
one; later lines override earlier ones) and the kernel's overlays README (``i2c_arm`` and its other
names).
"""

from __future__ import annotations

import re

from jackspot.ops.install.parts import OwnLines

PLACES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Where it is: since Debian 12, and before."""

WANTED_HZ = 400_000
"""The fastest that an SSD1306 is specified for (data sheet, table 13-6); the default is 100,000."""

OURS = OwnLines(
    "# Begin of what `jackspot install` wrote: I2C for the OLED, at 400 kHz.",
    f"[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate={WANTED_HZ}\n",
    "# End of what `jackspot install` wrote.",
)

_ON = frozenset({"i2c_arm", "i2c", "i2c1"})
_SPEED = frozenset({"i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate"})
_YES = frozenset({"", "on", "yes", "true", "1"})


def is_wanted(text: str) -> bool:
    """Whether I2C is on at 400 kHz, by the lines that hold for every model."""
    on, speed = False, ""
    for name, value in _parameters(text):
        if name in _ON:
            on = value in _YES
        elif name in _SPEED:
            speed = value
    return on and speed == str(WANTED_HZ)


def _parameters(text: str) -> list[tuple[str, str]]:
    """Return the device tree parameters outside model-specific sections, in order."""
    found = []
    everywhere = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            everywhere = line == "[all]"
        elif everywhere and (match := re.match(r"(?:dtparam|device_tree_param)=(.*)", line)):
            for part in match[1].split(","):
                name, _, value = part.strip().partition("=")
                found.append((name, value.strip()))
    return found
