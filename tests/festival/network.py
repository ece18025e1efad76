"""A network that misbehaves: a TCP proxy between a hall's clients and their broker.
Each connection is a :class:`Wire` with a :class:`Weather` for each direction: how long data takes,
how much of it is lost and so comes later, how many bytes pass in a second, and whether any do. A
:class:`Network` runs in a thread of its own; any thread may change the weather.
"""

from __future__ import annotations

import asyncio
import random
import threading
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec import Struct

from tests.conftest import PATIENCE_S

PIECE_BYTES = 65_536
PIECES = 256
"""The most pieces in flight in one direction; a sender of more waits, as on any network."""
LOOKS_S = 0.02
"""How often a held direction checks whether it may go on."""
AGAIN_S = 0.4
"""How long TCP waits before it sends lost data again; then it waits twice as long."""


class Weather(Struct, frozen=True):
    """The state of one direction. ``most_s``: each piece takes up to this long, drawn evenly.

    ``loss`` is the share of pieces that are lost and sent again. ``bytes_s`` None: no limit.
    ``held``: nothing goes through.
    """

    most_s: float = 0.0
    loss: float = 0.0
    bytes_s: float | None = None
    held: bool = False


class Wire(Struct):
    """One connection through the network."""

    client: asyncio.StreamWriter
    broker: asyncio.StreamWriter
    up: Weather
    """From the client to the broker."""
    down: Weather
    loop: asyncio.AbstractEventLoop

    def cut(self) -> None:
        """Cut it: what is in flight is lost."""
        with suppress(RuntimeError):  # the network is gone too
            self.loop.call_soon_threadsafe(self.abort)

    def abort(self) -> None:
        """Cut it, from within the loop."""
        for end in (self.client, self.broker):
            end.transport.abort()


@dataclass
class Network:
    """A proxy in front of ``broker`` while it is open. New wires have the weather ``usual``."""

    broker: tuple[str, int]
    usual: Weather = field(default_factory=Weather)
    seed: int = 0

    def __post_init__(self) -> None:
        self.wires: list[Wire] = []
        """Those that are connected, oldest first."""
        self.address = ("127.0.0.1", 0)
        self._chance = random.Random(self.seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)

    def __enter__(self) -> Network:
        """Open it."""
        listens = threading.Event()
        self._loop.call_soon(lambda: self._loop.create_task(self._listen(listens)))
        self._thread.start()
        assert listens.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        """Cut all wires and close."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    # --- in its own thread ------------------------------------------------------------------

    def _run(self) -> None:
        self._loop.run_forever()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _listen(self, listens: threading.Event) -> None:
        server = await asyncio.start_server(self._connect, *self.address, limit=PIECE_BYTES)
        self.address = server.sockets[0].getsockname()[:2]
        listens.set()
        async with server:
            await server.serve_forever()

    async def _connect(self, reads: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        try:
            there, broker = await asyncio.open_connection(*self.broker, limit=PIECE_BYTES)
        except OSError:
            client.transport.abort()
            return
        wire = Wire(client, broker, self.usual, self.usual, self._loop)
        self.wires.append(wire)
        ways = asyncio.gather(
            self._carry(reads, broker, wire, "up"), self._carry(there, client, wire, "down")
        )
        try:
            with suppress(OSError, asyncio.CancelledError):  # its end is not a failure
                await ways
        finally:
            ways.cancel()
            self.wires.remove(wire)
            wire.abort()

    async def _carry(
        self, reads: asyncio.StreamReader, writes: asyncio.StreamWriter, wire: Wire, way: str
    ) -> None:
        """Carry one direction until its sender ends, then end the whole wire."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(PIECES)
        brings = asyncio.create_task(self._bring(under_way, writes, wire, way))
        try:
            while data := await reads.read(PIECE_BYTES):
                await under_way.put((self._loop.time() + self._takes(getattr(wire, way)), data))
            await under_way.join()
        finally:
            brings.cancel()
            writes.close()

    async def _bring(
        self,
        under_way: asyncio.Queue[tuple[float, bytes]],
        writes: asyncio.StreamWriter,
        wire: Wire,
        way: str,
    ) -> None:
        while True:
            due_s, data = await under_way.get()
            if (left_s := due_s - self._loop.time()) > 0:
                await asyncio.sleep(left_s)
            while data and not writes.transport.is_closing():
                weather: Weather = getattr(wire, way)
                if weather.held:
                    await asyncio.sleep(LOOKS_S)
                    continue
                size = len(data) if weather.bytes_s is None else 1
                writes.write(data[:size])
                data = data[size:]
                with suppress(OSError):  # the reader there notices it
                    await writes.drain()
                if weather.bytes_s is not None:
                    await asyncio.sleep(1 / weather.bytes_s)
            under_way.task_done()

    def _takes(self, weather: Weather) -> float:
        takes_s, again_s = self._chance.uniform(0, weather.most_s), AGAIN_S
        while self._chance.random() < weather.loss:
            takes_s += again_s
            again_s *= 2
        return takes_s
