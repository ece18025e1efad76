"""A number that two boards have: the older stays, the younger stands aside, both are told.

A broker gives a number to the board that connected last, and neither hears why the other was thrown
out: two boards would do so to each other for ever. But the retained status names the start of the
board that wrote it. A board that comes back and finds another's start has a number that is used
twice. If that other board was there when this one first came, this one is the younger. It waits as
its own doctor, which throws nobody out, until the number is free.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from jackspot.core.clock import SECOND_NS
from jackspot.festival.connection import BrokerConnection, Letter, Login
from jackspot.festival.messages import BadMessage, What, read, write
from jackspot.values import changed

FREE_AFTER_NS = 20 * SECOND_NS
"""A number is free once nobody has had it for this long: no board takes longer to come back."""
LOOKS_EACH_S = 0.5


def stand_aside(
    connection: BrokerConnection,
    doctor: Login,
    topics: tuple[str, str],
    boots: tuple[str, str],
    goes_on: Callable[[], bool],
) -> None:
    """Report that this board stands aside, and wait until its number is free.

    ``topics`` are those of the status and of the report, ``boots`` this board's start and the older
    one's. ``goes_on`` is asked at every look. Raises Unreachable.
    """
    (status, twice), (boot, older) = topics, boots
    gone = Letter(twice, b"", What.TWICE.qos, What.TWICE.retained)
    connection.open(doctor, gone)
    said, there = False, older
    busy_ns = time.monotonic_ns()
    while goes_on():
        if connection.is_up and not said:
            connection.subscribe([status])
            message = write({"v": 1, "boot": boot, "other": older})
            connection.publish(changed(gone, payload=message))
            said = True
        there = _there(dict(connection.arrived()).get(status), there)
        if there not in ("", boot):
            busy_ns = time.monotonic_ns()
        elif time.monotonic_ns() >= busy_ns + FREE_AFTER_NS:
            break
        connection.turn(LOOKS_EACH_S)
    connection.close(gone)


def _there(payload: bytes | None, before: str) -> str:
    """Return the start of the board whose status this is; empty: there is none."""
    if payload is None:
        return before
    with suppress(BadMessage):
        found = read(What.STATUS, payload)
        return str(found["boot"]) if found["state"] == "ready" else ""
    return before
