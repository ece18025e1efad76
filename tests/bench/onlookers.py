"""Many programs that watch: streams of the live state, read in a process of their own.

It prints ``ready`` once each of them has received the state, and reads on until its input ends.

Usage: ``python -m tests.bench.onlookers PORT HOW_MANY [PATH]``
"""

from __future__ import annotations

import asyncio
import sys

REQUEST = "GET {} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
PIECE = 65_536


async def look_on(port: int, path: str) -> asyncio.Task[None]:
    """Open one stream; once it has received the state, return the task that reads it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST.format(path).encode())
    await reader.readuntil(b"data: ")
    return asyncio.create_task(read_on(reader, writer))


async def read_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.read(PIECE):
        pass
    writer.close()


async def main(port: int, how_many: int, path: str = "/api/events") -> None:
    reading = [await look_on(port, path) for _ in range(how_many)]
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in reading:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
