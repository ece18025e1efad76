"""A board's link to its hall, over a real Mosquitto."""

from __future__ import annotations

from pathlib import Path

from jackspot.config import Sources, load
from jackspot.core.record import read_record
from tests.festival.conftest import in_the_hall, play, standing


def test_a_board_says_that_it_is_there_what_it_is_and_how_it_stands(tmp_path, broker, hub) -> None:
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3"):
        status = hub.until(lambda heard: heard.get("b007 status"))
        assert (status["state"], status["n"]) == ("ready", 1)
        about = hub.until(lambda heard: heard.get("b007 about"))
        assert (about["name"], "hikone" in about["rules"]) == ("Jackspot", True)
        state = hub.until(lambda heard: heard.get("b007 state"))
        assert (state["phase"], state["clock"], state["faults"]) == ("setup", None, [])
        match = hub.until(lambda heard: heard.get("b007 match"))
        assert (match["state"], match["order"]) == ("none", None)
        record = hub.until(lambda heard: heard.get("b007 record"))
        assert record["record"] == ""
    gone = hub.until(lambda h: h["b007 status"]["state"] != "ready" and h["b007 status"])
    assert gone == {"v": 1, "state": "disconnected", "boot": status["boot"], "n": 1}


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
    assert hub.count["result"] == 1


def test_a_result_that_nobody_heard_comes_with_the_next_hub(tmp_path: Path, broker) -> None:
    from tests.festival.conftest import HALL
    from tests.festival.hub import Hub

    journal = tmp_path / "journal.sqlite3"
    play("short_hikone", journal, broker)
    with standing(in_the_hall(load(Sources(())), broker), journal):
        deaf = Hub(broker.address, HALL, tmp_path / "deaf.jsonl", acks=False)
        deaf.until(lambda heard: heard.get("b007 result"))
        deaf.close()
        hub = Hub(broker.address, HALL, tmp_path / "hub.jsonl")
        hub.until(lambda heard: heard.get("b007 result"))
    assert len(hub.results) == 1
    hub.close()


def test_a_broker_that_comes_back_empty_hears_everything_anew(tmp_path: Path, broker, hub) -> None:
    config = in_the_hall(load(Sources(())), broker)
    with standing(config, tmp_path / "journal.sqlite3"):
        hub.until(lambda heard: heard.get("b007 state"))
        hub.heard.clear()
        broker.kill()
        broker.start()
        status = hub.until(lambda h: h.get("b007 status"))
        assert (status["state"], status["n"]) == ("ready", 2)
        for leaf in ("about", "state", "match", "record"):
            hub.until(lambda heard, leaf=leaf: heard.get(f"b007 {leaf}"))
