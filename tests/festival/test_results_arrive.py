"""Results on their way to a hub, over a real Mosquitto: each arrives once."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jackspot.commands import main
from jackspot.config import Sources, load
from jackspot.core.clock import SECOND_NS
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.festival import collecting, link, results
from jackspot.festival.collecting import ResultCollector
from jackspot.festival.connection import BrokerConnection
from jackspot.festival.hall import Hall
from jackspot.festival.link import HallLink
from jackspot.festival.messages import What, crc32, read, write
from jackspot.history.index import History
from jackspot.storage.errors import JournalError, JournalUnwritable
from jackspot.storage.journal import Journal
from tests.festival.conftest import RECORDS, in_the_hall, play, standing
from tests.festival.guests import HALL
from tests.festival.hub import Hub
from tests.festival.linked import LinkedBoard, Moment, is_acknowledged, recorded, until


@pytest.mark.always
def test_a_result_reaches_the_hub_once_and_is_acknowledged(tmp_path: Path, broker, hub) -> None:
    journal = tmp_path / "journal.sqlite3"
    text = play("short_hikone", journal, broker)
    with standing(in_the_hall(load(Sources(())), broker), journal):
        hub.until(lambda heard: heard.get("b007 result"))
    (result,) = hub.results
    meant, sent = read_record(text).match.state, read_record(result["record"]).match.state
    assert (sent.points, sent.winner) == (meant.points, meant.winner)
    assert result["winner"] == meant.winner
    assert result["revision"] == 1
    assert hub.heard["b007 record"]["journal"] == result["journal"]
    assert hub.count["result"] == 1


def test_a_result_that_was_heard_and_not_kept_comes_again(tmp_path: Path, broker) -> None:
    journal = tmp_path / "journal.sqlite3"
    play("short_hikone", journal, broker)
    with standing(in_the_hall(load(Sources(())), broker), journal):
        deaf = Hub(broker.address, HALL, tmp_path / "deaf.jsonl", acks=False)
        deaf.until(lambda heard: heard.get("b007 result"))
        deaf.close()
        broker.kill()
        broker.start()
        hub = Hub(broker.address, HALL, tmp_path / "hub.jsonl")
        hub.until(lambda heard: heard.get("b007 result"))
    assert len(hub.results) == 1
    hub.close()


def test_a_hub_that_comes_back_gets_a_result_at_once_however_long_the_pause_has_grown(
    tmp_path: Path, broker, monkeypatch
) -> None:
    monkeypatch.setattr(results, "AGAIN_NS", 3_600 * SECOND_NS)
    journal = tmp_path / "journal.sqlite3"
    play("short_hikone", journal, broker)
    with standing(in_the_hall(load(Sources(())), broker), journal):
        deaf = Hub(broker.address, HALL, tmp_path / "deaf.jsonl", acks=False)
        deaf.until(lambda heard: heard.get("b007 result"))
        deaf.close()
        hub = Hub(broker.address, HALL, tmp_path / "hub.jsonl")
        hub.until(lambda heard: heard.get("b007 result"))
    hub.close()


def test_what_a_journal_has_is_read_once_however_often_the_broker_comes_back(
    tmp_path: Path, broker, hub, monkeypatch
) -> None:
    after, read = History.after, []

    def noted(history: History, seq: int) -> Any:
        read.append(seq)
        if len(read) == 1:
            raise JournalError(tmp_path, "the first time it cannot be read")
        return after(history, seq)

    monkeypatch.setattr(History, "after", noted)
    moments = recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8"))
    own = LinkedBoard(Hall(HALL, 9, (broker.address,)), tmp_path / "b009")
    for moment in moments[:9]:
        own.live(moment)
    for came in 1, 2, 3, 4:
        hub.until(lambda heard, n=came: heard.get("b009 status", {}).get("n") == n)
        hub.until(lambda heard: heard.get("b009 record"))
        while len(read) < min(came, 2):
            time.sleep(0.01)
        hub.heard.clear()
        broker.kill()
        broker.start()
    own.stop()
    assert len(read) == 2


def test_of_matches_that_the_hub_has_the_last_alone_is_read_at_a_start(
    tmp_path: Path, broker, hub, monkeypatch
) -> None:
    moments = recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8"))
    own = LinkedBoard(Hall(HALL, 9, (broker.address,)), tmp_path / "b009")
    for moment in moments * 3:
        own.live(moment)
    hub.until(lambda _: len(hub.results) == 3)
    until(partial(is_acknowledged, own))
    own.stop()
    entries, read = History.entries, list[int]()

    def noted(history: History, number: int) -> Any:
        read.append(number)
        return entries(history, number)

    monkeypatch.setattr(History, "entries", noted)
    again = LinkedBoard(Hall(HALL, 9, (broker.address,)), tmp_path / "b009")
    for moment in moments[:9]:
        again.live(moment)
    until(lambda: read and not again.link._results.is_unread)
    again.stop()
    assert read == [3, 4]  # the last one may have been corrected since


def test_a_journal_that_could_not_be_read_when_a_match_ended_is_read_again(
    tmp_path: Path, broker, hub, monkeypatch
) -> None:
    monkeypatch.setattr(link, "READ_AGAIN_NS", SECOND_NS // 5)
    after, failed = History.after, list[int]()

    def noted(history: History, seq: int) -> Any:
        if len(failed) < 3:
            failed.append(seq)
            raise JournalError(tmp_path, "it is in use")
        return after(history, seq)

    own = LinkedBoard(Hall(HALL, 9, (broker.address,)), tmp_path / "b009")
    hub.until(lambda heard: heard.get("b009 status"))
    until(lambda: own.link._reads_ns is None)
    monkeypatch.setattr(History, "after", noted)
    for moment in recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8")):
        own.live(moment)
    hub.until(lambda heard: heard.get("b009 result"))
    own.stop()
    assert len(failed) == 3


def test_the_end_of_a_match_that_waited_for_the_disk_is_read_once_it_is_written(
    tmp_path: Path, broker, hub, monkeypatch
) -> None:
    write, full = Journal.write, list[bool]()

    def written(journal: Journal, *given: Any, **how: Any) -> None:
        if full:
            raise JournalUnwritable(journal.path, "no space", "disk full")
        write(journal, *given, **how)

    monkeypatch.setattr(Journal, "write", written)
    own = LinkedBoard(Hall(HALL, 9, (broker.address,)), tmp_path / "b009")
    hub.until(lambda heard: heard.get("b009 status"))
    for moment in recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8")):
        full += [True] * any(each.kind is EntryKind.MATCH_END for each in moment.entries)
        own.live(moment)
    until(lambda: not own.link._ended and own.link._reads_ns is None)
    full.clear()
    own.keeper.retry(0)
    cleared = JournalEntry(EntryKind.CLEARED, 0, {"part": "journal", "trouble": "disk"})
    own.live(Moment((cleared,), None))
    hub.until(lambda heard: heard.get("b009 result"))
    own.stop()


def put_back(backup: Path, journal: Path) -> None:
    """Restore a journal as `jackspot restore` does."""
    arguments = (
        "restore", str(backup), "--yes", "--journal-only", f"--journal={journal}",
        f"--config={journal.with_name('none.toml')}",
        f"--board-file={journal.with_name('board.toml')}",
    )  # fmt: skip
    journal.with_name("none.toml").touch()
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output


def test_what_is_played_after_an_older_backup_was_restored_reaches_the_hub(
    tmp_path: Path, broker, hub
) -> None:
    """Its matches end at entries for which the hub has had other results."""
    moments = recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8"))
    hall, folder = Hall(HALL, 9, (broker.address,)), tmp_path / "b009"
    own = LinkedBoard(hall, folder)
    for moment in moments:
        own.live(moment)
    backup = own.keeper.back_up()
    assert backup is not None
    shutil.copy(backup, tmp_path / "older.db")
    for moment in moments * 2:
        own.live(moment)
    until(partial(is_acknowledged, own))
    own.stop()
    before, acknowledged = hub.results, own.ended
    put_back(tmp_path / "older.db", own.keeper.path)
    again = LinkedBoard(hall, folder)
    assert again.ended == before[0]["seq"]
    for moment in moments:
        again.live(moment)
    assert again.ended < acknowledged
    hub.until(lambda _: len(hub.results) == 4)
    until(partial(is_acknowledged, again))
    last = hub.results[-1]
    assert (len(before), hub.results[:3], last["seq"]) == (3, before, again.ended)
    until(lambda: hub.heard["b009 record"]["journal"] == last["journal"])
    assert len({each["id"] for each in hub.results}) == 4
    names = {each["journal"] for each in hub.results}
    assert len(names) == 2
    for transaction, name in enumerate(names):
        assert hub.ask("b009", transaction, "results", journal=name)["results"] == 2
    older = before[0]["journal"]
    asked = hub.ask("b009", 9, "results", journal=older, since=acknowledged)
    assert asked["results"] == 1, "entries up to there were others"
    again.stop()


def lose_after(seq: int, path: Path) -> None:
    """Delete what came after an entry of a journal, as no program of ours does."""
    with closing(sqlite3.connect(path)) as journal, journal:
        guards = journal.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        triggers = guards.fetchall()
        for name, _ in triggers:
            journal.execute(f"DROP TRIGGER {name}")
        journal.execute("DELETE FROM entries WHERE seq > ?", (seq,))
        for _, sql in triggers:
            journal.execute(sql)


@pytest.mark.parametrize("in_play", [False, True], ids=["between two starts", "in play"])
def test_what_is_played_after_a_card_has_lost_the_journals_end_reaches_the_hub(
    tmp_path: Path, broker, hub, in_play: bool
) -> None:
    """The hub has had results with the numbers that come again."""
    moments = recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8"))
    hall, folder = Hall(HALL, 9, (broker.address,)), tmp_path / "b009"
    own = LinkedBoard(hall, folder)
    for moment in moments * 3:
        own.live(moment)
    until(partial(is_acknowledged, own))
    before, acknowledged = hub.results, own.ended
    if not in_play:
        own.stop()
    lose_after(before[0]["seq"], own.keeper.path)
    if in_play:
        own.keeper._failed = True  # it checks what the disk has before it goes on
    else:
        own = LinkedBoard(hall, folder)
    for moment in moments:
        own.live(moment)
    hub.until(lambda _: len(hub.results) == 4)
    own.stop()
    assert own.keeper.notices[0].set_aside
    last = hub.results[-1]
    assert hub.results[:3] == before
    assert last["seq"] < acknowledged
    assert last["match_journal"] == last["journal"] != before[0]["journal"]


def test_an_acknowledgement_beyond_the_journals_end_is_named_once_and_silences_nobody(
    tmp_path: Path, broker, hub, caplog
) -> None:
    moments = recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8"))
    own = LinkedBoard(Hall(HALL, 9, (broker.address,)), tmp_path / "b009")
    for moment in moments:
        own.live(moment)
    until(partial(is_acknowledged, own))
    name, count = hub.results[0]["journal"], hub.results[0]["seq"]
    said = write({"v": 1, "journals": {name: 2**53 - 1}})
    for _ in range(3):
        hub.say(What.ACK.topic(HALL, "b009"), said)
    until(lambda: "expected one of its entries" in caplog.text)
    for moment in moments:
        own.live(moment)
    hub.until(lambda _: len(hub.results) == 2)
    until(partial(is_acknowledged, own))
    own.stop()
    named = [each.getMessage() for each in caplog.records if "ack: " in each.getMessage()]
    assert named == [f"hall: ack: journals.{name}: expected one of its entries, found {2**53 - 1}"]
    assert own.ended > count


class Unread(HallLink):
    """The link of a board that could not read its journal when it started."""

    def __init__(self, *given: Any, entries: int) -> None:
        assert entries
        super().__init__(*given, entries=0)


def test_an_acknowledgement_is_believed_also_where_the_journal_could_not_be_read_at_the_start(
    tmp_path: Path, broker, hub, caplog
) -> None:
    moments = recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8"))
    hall, folder = Hall(HALL, 9, (broker.address,)), tmp_path / "b009"
    for link_of in HallLink, Unread:
        own = LinkedBoard(hall, folder, link=link_of)
        if link_of is HallLink:
            for moment in moments:
                own.live(moment)
        until(partial(is_acknowledged, own))
        own.stop()
    assert len(hub.results) == 1
    assert "ack: " not in caplog.text


def test_what_is_no_acknowledgement_is_named_and_changes_nothing(
    tmp_path: Path, broker, hub, caplog
) -> None:
    journal = tmp_path / "journal.sqlite3"
    play("short_hikone", journal, broker)
    topic = What.ACK.topic(HALL, "b007")
    stranger = Hub(broker.address, "elsewhere", tmp_path / "stranger.jsonl")
    stranger.wait_for_the_broker()
    for payload in (b"", b"{", b"[]", b"x" * 70_000, b'{"v":1,"journals":{"f":"many"}}'):
        stranger.say(topic, payload)
    with standing(in_the_hall(load(Sources(())), broker), journal):
        hub.until(lambda heard: heard.get("b007 result"))
        stranger.say(topic, b'{"v":1,"journals":7}')
        until(lambda: "journals: Input should be" in caplog.text)
    stranger.close()
    assert len(hub.results) == 1


def test_an_acknowledgement_that_was_cleared_says_nothing(
    tmp_path: Path, broker, hub, caplog, monkeypatch
) -> None:
    """MQTT clears a retained message with an empty payload."""
    taken: list[bytes] = []
    arrived = BrokerConnection.arrived

    def noted(connection: BrokerConnection) -> list[tuple[str, bytes]]:
        found = arrived(connection)
        taken.extend(payload for _topic, payload in found)
        return found

    monkeypatch.setattr(BrokerConnection, "arrived", noted)
    topic = What.ACK.topic(HALL, "b007")
    with standing(in_the_hall(load(Sources(())), broker), tmp_path / "journal.sqlite3"):
        hub.until(lambda heard: heard.get("b007 status"))
        hub.say(topic, b"")
        until(lambda: b"" in taken)
        hub.say(topic, b'{"v":1,"journals":7}')
        until(lambda: "journals: Input should be" in caplog.text)
    assert [each.levelname for each in caplog.records] == ["WARNING"]


def test_results_are_sent_again_though_they_were_acknowledged(tmp_path: Path, broker, hub) -> None:
    journal = tmp_path / "journal.sqlite3"
    play("short_hikone", journal, broker)
    with standing(in_the_hall(load(Sources(())), broker), journal):
        result = hub.until(lambda heard: heard.get("b007 result"))
        name, seq = result["journal"], result["seq"]
        said = hub.ask("b007", 60, "results", journal=name, since=seq - 1)
        assert said["results"] == 1
        until(lambda: hub.count["result"] == 2)
        assert hub.heard["b007 result"] == result
        assert hub.ask("b007", 61, "results", journal=name, since=seq)["results"] == 0
        assert hub.ask("b007", 62, "results")["results"] == 1
        until(lambda: hub.count["result"] == 3)
    assert len(hub.results) == 1


def test_a_result_that_is_longer_than_a_message_goes_without_its_record_and_holds_up_none(
    tmp_path: Path, monkeypatch, caplog
) -> None:
    own = LinkedBoard(Hall(HALL, 9, (("127.0.0.1", 1),)), tmp_path / "b009")
    for moment in recorded((RECORDS / "short_hikone.carom").read_text(encoding="utf-8")) * 2:
        own.live(moment)
    own.stop()
    whole = ResultCollector(own.keeper.path, "b009", own.seq)
    assert whole.send_again(None, 0) == 2
    first, second = whole.outbox._waiting.values()
    sizes = [len(write(each)) for each in (first, second)]
    without: dict[str, Any] = {"record": "", "crc32": crc32("")}
    for room, left in ((max(sizes), {}), (min(sizes) - 1, without)):
        for is_asked in (False, True):
            monkeypatch.setattr(collecting, "MOST_BYTES", room, raising=False)
            board = ResultCollector(own.keeper.path, "b009", own.seq)
            assert not is_asked or board.send_again(None, 0) == 2
            board.collect()
            now_ns = time.monotonic_ns()
            for each in (first, second):
                assert board.outbox.due(now_ns) == {**each, **left}
                board.outbox.acknowledged({each["journal"]: each["seq"]}, now_ns)
            assert read(What.RESULT, write({**first, **left}))
    assert first["id"] in caplog.text
