"""Hear the live state's events, and note when each came: monotonic nanoseconds, one a line.

listen.py FILE
"""

import socket
import sys
import time
from pathlib import Path


def main() -> None:
    page = socket.create_connection(("127.0.0.1", 8080))
    page.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n")
    with Path(sys.argv[1]).open("w", encoding="ascii", buffering=1) as file:
        while said := page.recv(1 << 16):
            if b"data:" in said:
                file.write(f"{time.monotonic_ns()}\n")


if __name__ == "__main__":
    main()
