"""Changes to the boot partition's own files that make the Pi use the folder.

There are two ways, and one of them is enough. The kernel's command line hands systemd a unit (as of
256; Raspberry Pi OS of 2025 has 257). And cloud-init, which the images of Raspberry Pi OS have had
since November 2025, calls the script by its ``bootcmd`` at each start. Text in, text out.

Source: systemd.system-credentials(7), ``systemd.extra-unit.*``; kernel-command-line(7);
cloud-init's reference of modules, ``bootcmd``; the Raspberry Pi Imager, which writes the regulatory
domain this way.
"""

from __future__ import annotations

import base64
import re

from jackspot.ops.install.parts import OwnLines, carried_file

UNIT_FILE = "jackspot-first-boot.service"
SCRIPT_FILE = "jackspot-first-boot.sh"
SCRIPT = "first-boot"
"""Its name on the card."""
LONGEST_LINE = 1023
"""Bytes of a command line that kernels for 32-bit ARM take; 64-bit ones take twice as many."""

_UNIT = f"systemd.set_credential_binary=systemd.extra-unit.{UNIT_FILE}:"
_WANTED = f"systemd.wants={UNIT_FILE}"
_COUNTRY = "cfg80211.ieee80211_regdom="

_CALL = f"/boot/firmware/jackspot/{SCRIPT}"
CLOUD_INIT = OwnLines(
    "# Begin of what `jackspot sd-card` wrote: the folder jackspot is taken up.",
    f"bootcmd:\n  - [ sh, -c, '[ ! -e {_CALL} ] || sh {_CALL} --begin' ]\n",
    "# End of what `jackspot sd-card` wrote.",
)


def command_line(text: str, country: str = "") -> str:
    """Return the kernel's command line with our words, once; ValueError if there is no room."""
    ours = (_UNIT, _WANTED, *((_COUNTRY,) if country else ()))
    kept = [word for word in text.split() if not word.startswith(ours)]
    unit = base64.b64encode(carried_file(UNIT_FILE).encode()).decode()
    kept += [f"{_UNIT}{unit}", _WANTED, *((f"{_COUNTRY}{country}",) if country else ())]
    line = " ".join(kept)
    if len(line) > LONGEST_LINE:
        raise ValueError(f"has no room: {len(line)} of at most {LONGEST_LINE} characters")
    return f"{line}\n"


def user_data(text: str) -> str | None:
    """Return cloud-init's file with our lines, once; None if they do not fit into it."""
    bare = CLOUD_INIT.taken_from(text)
    if not bare.startswith("#cloud-config") or re.search(r"^bootcmd\s*:", bare, re.MULTILINE):
        return None
    return CLOUD_INIT.added_to(text)
