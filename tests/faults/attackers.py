"""Strangers on the network who do all they can to a board for some seconds, on loopback only.

They yield the processors to everything else on this machine: real strangers bring their own.

Usage: ``python -m tests.faults.attackers PORT MODE SECONDS``, where MODE is one of ``MODES``.
"""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count

Worker = Callable[[int, int], Awaitable[None]]
HELD = 2_000
PIECE = 65_536
REFUSED_S = 0.05
"""How long a worker that was cut off rests."""


async def reach(port: int, number: int, addresses: int) -> socket.socket:
    """Connect from one of this many addresses."""
    one = socket.socket()
    one.setblocking(False)
    try:
        one.bind((f"127.1.{number % addresses // 250}.{1 + number % addresses % 250}", 0))
        await asyncio.wait_for(asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port)), 2)
    except BaseException:
        one.close()
        raise
    return one


async def idle(port: int, number: int) -> None:
    """Hold a connection and say nothing, or half of a request."""
    with await reach(port, number, 3) as one:
        loop = asyncio.get_running_loop()
        if number % 2:
            await loop.sock_sendall(one, b"POST /api/press HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ")
        await loop.sock_recv(one, 1)


async def churn(port: int, number: int) -> None:
    """Connect and leave."""
    (await reach(port, number, 40)).close()


async def readers(port: int, number: int) -> None:
    """Read a stream; every third reader is slower than it comes."""
    with await reach(port, number, 5) as one:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(one, b"GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        while await loop.sock_recv(one, PIECE if number % 3 else 1):
            await asyncio.sleep(0 if number % 3 else 0.5)


async def requests(port: int, number: int) -> None:
    """Send requests, several at once, as fast as they are answered."""
    paths = ("/api/state", "/api/matches", "/", "/api/nothing")
    asked = "".join(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n" for path in paths)
    await converse(port, number, 8, asked.encode())


async def pins(port: int, number: int) -> None:
    """Guess PINs."""
    body = '{"pin": "000000"}'
    asked = (
        "POST /api/session HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n{body}"
    )
    await converse(port, number, 100, asked.encode())


async def nonsense(port: int, number: int) -> None:
    """Send what is not a request."""
    await converse(port, number, 8, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")


async def converse(port: int, number: int, addresses: int, asked: bytes) -> None:
    with await reach(port, number, addresses) as one:
        loop = asyncio.get_running_loop()
        while True:
            await loop.sock_sendall(one, asked)
            if not await loop.sock_recv(one, PIECE):
                return


MODES: Mapping[str, tuple[Worker, int]] = {
    "idle": (idle, HELD),
    "churn": (churn, 20),
    "readers": (readers, 300),
    "requests": (requests, 24),
    "pins": (pins, 24),
    "nonsense": (nonsense, 24),
}
"""What the strangers do, and how many of them at once."""


async def again_and_again(worker: Worker, port: int, numbers: count[int]) -> None:
    while True:
        with suppress(OSError, TimeoutError):
            await worker(port, next(numbers))
        await asyncio.sleep(REFUSED_S)


async def attack(port: int, mode: str, seconds: float) -> None:
    worker, at_once = MODES[mode]
    numbers = count()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(again_and_again(worker, port, numbers) for _ in range(at_once)))


if __name__ == "__main__":
    os.nice(19)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(attack(int(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
