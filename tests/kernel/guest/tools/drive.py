"""Drives the board's wires in the guest, as beams and buttons do.

Standard input is a JSON list of ``[wait_ns, gpio, level]``: after that much time since the step
before, the line goes to that level. A step that comes late moves all that follow, so no pulse
and no gap is ever shorter than was asked. Printed is a JSON list of the monotonic nanoseconds
just before each step.
"""

import json
import os
import sys
import time

PULLS = (b"pull-down", b"pull-up")


def main():
    """Take all steps."""
    steps = json.load(sys.stdin)
    files = {
        gpio: os.open(f"/run/pins/{gpio}/pull", os.O_WRONLY)
        for gpio in {gpio for _wait_ns, gpio, _level in steps}
    }
    clock = time.monotonic_ns
    stamps = []
    last = clock()
    for wait_ns, gpio, level in steps:
        while (left := last + wait_ns - clock()) > 0:
            time.sleep(left / 1e9)
        last = clock()
        os.pwrite(files[gpio], PULLS[level], 0)
        stamps.append(last)
    json.dump(stamps, sys.stdout)


if __name__ == "__main__":
    main()
