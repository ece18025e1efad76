"""A stranger who opens connections to a board and says nothing, as a process of its own.

It prints ``ready`` when all are open or refused, and holds them until its input ends.

Usage: ``python -m tests.web.strangers PORT HOW_MANY ADDRESSES``
"""

from __future__ import annotations

import resource
import socket
import sys
from contextlib import suppress

FIRST = 66
"""The first address is 127.0.0.66."""


def hold(port: int, how_many: int, addresses: int) -> list[socket.socket]:
    held = []
    for number in range(how_many):
        one = socket.socket()
        one.settimeout(0.2)
        with suppress(OSError):
            one.bind((f"127.0.0.{FIRST + number % addresses}", 0))
            one.connect(("127.0.0.1", port))
        held.append(one)
    return held


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = hold(*(int(each) for each in sys.argv[1:]))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
