"""A hub's questions to a board: what people see, how many are answered, the doctor's thread."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from jackspot.config import Sources, load
from jackspot.core.clock import SECOND_NS
from jackspot.festival.asks import AT_ONCE, EACH_NS, Allowance, Consulting, NotDone, answer_to
from jackspot.festival.incoming import is_late, told_by
from jackspot.festival.messages import AnswerMessage, BadMessage, FindingJson, What, read, write
from jackspot.inputs.line_info import LineInfo
from jackspot.ops.doctor.while_playing import look_beside
from jackspot.sensing.events import IdentifyTold, NoticeTold
from tests.conftest import PATIENCE_S
from tests.ops.written_machine import Written

AT_NS = 70 * SECOND_NS
PAIR = {"hub_ms": 1_010_000, "board_ms": 70_000, "boot": "7f3a"}
WELL: FindingJson = {"mark": "well", "what": "disk", "found": "12 GiB left", "remedy": ""}


def ask(what: str, **more: Any) -> dict[str, Any]:
    return read(What.ASK, write({"v": 1, "transaction": 5, "what": what, **more}))


def answer() -> AnswerMessage:
    return answer_to(ask("doctor"), "7f3a", 70_000)


def test_identify_shows_the_number_for_some_seconds() -> None:
    assert told_by(ask("identify"), 7, AT_NS) == IdentifyTold(AT_NS, 7, AT_NS + 8 * SECOND_NS)
    told = told_by(ask("identify", seconds=20), 7, AT_NS)
    assert told == IdentifyTold(AT_NS, 7, AT_NS + 20 * SECOND_NS)


def test_a_line_is_for_this_board_alone_and_is_cleaned() -> None:
    told = told_by(ask("line", text={"en": "come\u202e here"}, seconds=60), 7, AT_NS)
    assert isinstance(told, NoticeTold)
    assert (str(told.text), told.own) == ("come here", True)
    assert told.until_ns == AT_NS + 60 * SECOND_NS


@pytest.mark.parametrize("more", [{}, {"text": {}}, {"text": {"en": "\u202e"}}])
def test_a_line_that_says_nothing_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(BadMessage, match="text: expected a line"):
        told_by(ask("line", **more), 7, AT_NS)


@pytest.mark.parametrize("what", ["clock", "doctor", "results", "fly"])
def test_of_other_questions_people_see_nothing(what: str) -> None:
    assert told_by(ask(what), 7, AT_NS) is None


def test_a_question_is_out_of_date_by_the_hubs_clock_where_that_is_known() -> None:
    assert is_late(ask("identify", until_ms=1_009_999), PAIR, AT_NS)
    assert not is_late(ask("identify", until_ms=1_010_000), PAIR, AT_NS)
    assert not is_late(ask("identify", until_ms=5), None, AT_NS)
    assert not is_late(ask("identify"), PAIR, AT_NS)


def test_of_a_flood_of_questions_ten_a_second_are_answered() -> None:
    allowance = Allowance()
    taken = [allowance.take(AT_NS + n * SECOND_NS // 1_000) for n in range(10_000)]
    assert sum(taken[:100]) == AT_ONCE
    assert sum(taken) == AT_ONCE + 10 * SECOND_NS // EACH_NS - 1
    assert allowance.take(AT_NS + 100 * SECOND_NS)


def test_the_doctor_looks_in_a_thread_of_its_own_one_at_a_time() -> None:
    go, woken, threads = threading.Event(), threading.Event(), []

    def look() -> list[FindingJson]:
        threads.append(threading.current_thread())
        go.wait(PATIENCE_S)
        return [WELL]

    consulting = Consulting(look, woken.set)
    consulting.begin(answer())
    with pytest.raises(NotDone, match="the doctor busy"):
        consulting.begin(answer())
    assert consulting.finished() is None
    go.set()
    assert woken.wait(PATIENCE_S)
    finished = consulting.finished()
    assert finished == {**answer(), "findings": [WELL]}
    assert consulting.finished() is None
    assert threads[0] is not threading.current_thread()
    consulting.begin(answer())


def test_a_doctor_that_fails_says_so_and_may_be_asked_again() -> None:
    woken = threading.Event()

    def look() -> list[FindingJson]:
        raise OSError("no such disk")

    consulting = Consulting(look, woken.set)
    consulting.begin(answer())
    assert woken.wait(PATIENCE_S)
    finished = consulting.finished()
    assert finished is not None
    assert finished["refused"] == "the doctor failed: OSError('no such disk')"
    consulting.begin(answer())


def test_without_a_doctor_the_answer_says_so() -> None:
    with pytest.raises(NotDone, match="simulated"):
        Consulting(None, lambda: None).begin(answer())


class Beside(Written):
    """A machine on which pins, buses and ports are in use: asking them fails."""

    def answers_i2c(self, bus: int, address: int) -> bool | None:
        raise AssertionError(bus, address)

    def i2c_status(self, bus: int, address: int) -> int | None:
        raise AssertionError(bus, address)

    def line(self, chip: str, gpio: int) -> LineInfo | None:
        raise AssertionError(chip, gpio)

    def may_use(self, path: str) -> bool:
        raise AssertionError(path)


def test_beside_a_game_the_doctor_touches_no_pin_bus_or_port(tmp_path: Path) -> None:
    config = load(Sources(()))
    found = look_beside(Beside(room=5), config, tmp_path / "journal.sqlite3")
    said = read(What.ANSWER, write({**answer(), "findings": found}))
    marks = {each["what"]: each["mark"] for each in said["findings"]}
    assert marks["disk"] == "warning"
    assert {"machine", "power", "clock", "service", "calibration"} <= set(marks)
