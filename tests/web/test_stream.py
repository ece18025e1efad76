"""A stream's behaviour towards readers that are slow, silent or gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from jackspot.web import stream
from jackspot.web.feed import Closed, Feed
from jackspot.web.readers import Readers, StreamEvent, StreamPlace
from jackspot.web.stream import EventStream
from tests.conftest import PATIENCE_S, run_apart

SCOPE = {"type": "http", "method": "GET"}


class Client:
    """The other end of a stream: what it was sent, whether it takes anything, and has room now."""

    def __init__(self, *, takes: bool = True) -> None:
        self.takes = takes
        self.room = asyncio.Event()
        self.room.set()
        self.sent: list[bytes] = []
        self.left = asyncio.Event()

    async def send(self, message) -> None:
        await self.room.wait()
        if message["type"] == "http.response.body":
            self.sent.append(message["body"])
            if not self.takes:
                await asyncio.Event().wait()

    async def receive(self):
        await self.left.wait()
        return {"type": "http.disconnect"}


def place_of(readers: Readers) -> StreamPlace:
    place = readers.take("")
    assert place is not None
    return place


def attached() -> Feed:
    feed = Feed()
    feed.attach(asyncio.get_running_loop())
    return feed


def test_a_reader_that_takes_nothing_is_dropped(monkeypatch):
    monkeypatch.setattr(stream, "SLOW_READER_S", 0.01)

    async def run():
        readers = Readers(1)
        await EventStream(attached(), lambda: (), place_of(readers))(
            SCOPE, *ends(Client(takes=False))
        )
        return readers.count

    assert run_apart(run()) == 0


class Line:
    """A connection whose other end takes a byte of so many whenever it is looked at."""

    stays = False

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting

    def stay(self) -> None:
        self.stays = True

    def leave(self) -> None:
        pass

    @property
    def unread(self) -> int:
        self.waiting = max(0, self.waiting - 1)
        return self.waiting


@pytest.mark.parametrize("has_room", [True, False])
def test_a_reader_that_takes_little_is_kept_until_it_takes_nothing(monkeypatch, has_room):
    monkeypatch.setattr(stream, "SLOW_READER_S", 0.001)

    async def run():
        client, line = Client(), Line(waiting=9)

        async def send(message) -> None:
            if message["type"] == "http.response.body" and (line.waiting or not has_room):
                client.room.clear()
            else:
                client.room.set()
            await client.send(message)

        task = asyncio.create_task(
            EventStream(attached(), lambda: (StreamEvent("news"),), place_of(Readers(1)))(
                {**SCOPE, "state": {"connection": line}}, client.receive, send
            )
        )
        while not (task.done() or b"data: news\n\n" in client.sent):
            await asyncio.sleep(0)
        client.left.set()
        await task
        return line.waiting, client.sent

    waiting, sent = run_apart(asyncio.wait_for(run(), PATIENCE_S))
    assert waiting == 0, "it was kept as long as it took anything"
    assert (b"data: news\n\n" in sent) is has_room


def test_a_reader_that_has_no_room_for_a_while_is_then_sent_only_the_newest():
    async def run():
        feed, client, views = attached(), Client(), [0]
        task = asyncio.create_task(
            EventStream(feed, lambda: (StreamEvent(str(views[-1])),), place_of(Readers(1)))(
                SCOPE, *ends(client)
            )
        )
        while b"data: 0\n\n" not in client.sent:
            await asyncio.sleep(0)
        client.room.clear()
        for view in range(1, 4):
            views.append(view)
            feed.notify()
            for _ in range(9):
                await asyncio.sleep(0)
        client.room.set()
        while b"data: 3\n\n" not in client.sent:
            await asyncio.sleep(0)
        client.left.set()
        await task
        return [body for body in client.sent if body.startswith(b"data")]

    sent = run_apart(asyncio.wait_for(run(), PATIENCE_S))
    assert sent == [b"data: 0\n\n", b"data: 3\n\n"]


def test_a_reader_that_leaves_ends_its_stream():
    async def run():
        client, readers = Client(), Readers(1)
        client.left.set()
        await EventStream(attached(), lambda: (), place_of(readers))(SCOPE, *ends(client))
        return readers.count

    assert run_apart(run()) == 0


def test_a_quiet_stream_sends_a_comment_now_and_then():
    async def run():
        client = Client()
        task = asyncio.create_task(
            EventStream(attached(), lambda: (), place_of(Readers(1)), beat_s=0.01)(
                SCOPE, *ends(client)
            )
        )
        while b": still here\n\n" not in client.sent:
            await asyncio.sleep(0)
        client.left.set()
        await task

    run_apart(asyncio.wait_for(run(), PATIENCE_S))


def test_a_feed_that_ends_ends_its_streams():
    async def run():
        feed, client = attached(), Client()
        task = asyncio.create_task(
            EventStream(feed, lambda: (), place_of(Readers(1)))(SCOPE, *ends(client))
        )
        await asyncio.sleep(0)
        feed.detach()
        await asyncio.wait_for(task, PATIENCE_S)
        return client.sent[-1]

    assert run_apart(run()) == b""


def test_many_notices_at_once_are_one():
    async def run():
        feed = attached()
        for _ in range(1_000):
            feed.notify()
        return await feed.newer_than(0)

    assert run_apart(run()) == 1


def test_readers_are_told_a_while_after_the_displays_and_miss_nothing():
    async def run():
        feed = Feed(after_s=0.01)
        feed.attach(asyncio.get_running_loop())
        told = asyncio.create_task(feed.newer_than(0))
        await asyncio.sleep(0)
        feed.notify()
        feed.notify()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not told.done()
        return await told

    assert run_apart(run()) == 1


def test_the_loop_is_not_woken_while_nobody_reads_and_who_reads_then_misses_nothing(monkeypatch):
    async def run():
        feed, loop = attached(), asyncio.get_running_loop()
        woken: list[Callable[[], object]] = []
        monkeypatch.setattr(loop, "call_soon_threadsafe", woken.append)
        seen = feed.version
        feed.notify()
        assert not woken
        seen = await feed.newer_than(seen)
        waiting = asyncio.create_task(feed.newer_than(seen))
        await asyncio.sleep(0)
        feed.notify()
        (arrived,) = woken
        arrived()
        assert await waiting == seen + 1

    run_apart(run())


def test_waiting_on_a_feed_that_has_ended_says_so():
    async def run():
        feed = attached()
        feed.detach()
        await feed.newer_than(0)

    with pytest.raises(Closed):
        run_apart(run())


def test_a_notice_without_a_loop_does_nothing():
    feed = Feed()
    feed.notify()
    assert feed.version == 0


def test_an_event_is_written_as_the_format_has_it():
    assert StreamEvent("{}", name="oled", id="7").encode() == b"id: 7\nevent: oled\ndata: {}\n\n"
    assert StreamEvent("1").encode() == b"data: 1\n\n"


def ends(client: Client):
    return client.receive, client.send
