"""Stop one thread of a process, as a hang stops it, and leave its other threads alone.

    stop_thread.py THREAD     the thread's id; a process's main thread has the process's

It is held by ptrace(2) until the process ends.
"""

from __future__ import annotations

import ctypes
import os
import sys

SEIZE, INTERRUPT = 0x4206, 0x4207
WALL = 0x40000000
"""Wait for threads too (``__WALL``)."""


def main() -> None:
    thread = int(sys.argv[1])
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    for request in (SEIZE, INTERRUPT):
        if ptrace(request, thread, None, None) < 0:
            sys.exit(os.strerror(ctypes.get_errno()))
    while True:
        _, status = os.waitpid(thread, WALL)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            return


if __name__ == "__main__":
    main()
