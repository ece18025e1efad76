"""The log is bounded, however often anything is logged, and says what it left out."""

from __future__ import annotations

import io
import logging

import pytest

from jackspot.ops.quiet_log import AT_ONCE, PLACES, SILENT_S, RateLimit, make_quiet


class Log:
    """A log whose clock is set by the test."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.written = io.StringIO()
        handler = logging.StreamHandler(self.written)
        handler.addFilter(RateLimit(lambda: self.now_s))
        self.logger = logging.getLogger(f"tests.quiet_log.{id(self)}")
        self.logger.addHandler(handler)

    @property
    def lines(self) -> list[str]:
        return self.written.getvalue().splitlines()


def test_what_is_said_again_and_again_is_written_a_few_times_and_then_counted() -> None:
    log = Log()
    for number in range(10_000):
        if number == 9_999:
            log.now_s += SILENT_S
        log.logger.warning("request %d is none", number)
    assert log.lines[0] == "request 0 is none"
    assert (
        log.lines[AT_ONCE]
        == f"request 9999 is none ({9_999 - AT_ONCE} more like this were left out)"
    )
    assert len(log.lines) == AT_ONCE + 1


def test_one_that_says_much_silences_no_other() -> None:
    log = Log()
    for _ in range(1_000):
        log.logger.warning("often")
    log.logger.warning("seldom")
    assert log.lines[-1] == "seldom"


def test_what_is_remembered_is_bounded() -> None:
    limit = RateLimit(lambda: 0.0)
    for line in range(10 * PLACES):
        record = logging.LogRecord("test", logging.WARNING, "a.py", line, "new", None, None)
        assert limit.filter(record)
    assert len(limit._places) <= PLACES


@pytest.mark.parametrize("_time", ["first", "second"])
def test_a_log_that_a_test_made_quiet_is_heard_in_the_next_one(
    _time: str, caplog: pytest.LogCaptureFixture
) -> None:
    for line in range(2 * AT_ONCE):
        logging.getLogger("jackspot.quiet").warning("line %d", line)
    make_quiet()
    assert len(caplog.records) == 2 * AT_ONCE
