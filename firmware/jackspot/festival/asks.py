"""What a hub asks of a board, and the answers.

Every question gets an answer with its transaction and what was asked; if it is not done, the answer
gives the reason. A board answers only so many per second. It ignores the rest of a flood, so that
neither broker nor game is burdened, and the hub asks again. The doctor looks in a thread of its
own, one at a time.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from pydantic import ValidationError

from jackspot.core.clock import SECOND_NS
from jackspot.festival.messages import AnswerMessage, AskedMessage, FindingJson, adapter

_logger = logging.getLogger(__name__)

AT_ONCE = 20
"""This many questions are answered at once..."""
EACH_NS = SECOND_NS // 10
"""... and then one in each of these intervals."""
LONGEST_WHAT = 32
KNOWN = ("clock", "coming", "identify", "line", "doctor", "results")

Look = Callable[[], Sequence[FindingJson]]
"""Examines a board while it is played on."""


class NotDone(ValueError):
    """What is asked is not done; the text says what was expected and found."""


class Allowance(Struct):
    """How many messages may still be taken: so many at once, and then one per interval.

    Instants are of the machine's clock.
    """

    at_once: int = AT_ONCE
    each_ns: int = EACH_NS
    _taken: int = 0
    _since_ns: int = 0

    def take(self, now_ns: int) -> bool:
        """Take one; return False if there is none."""
        gained = (now_ns - self._since_ns) // self.each_ns
        if gained > 0:
            self._taken = max(0, self._taken - gained)
            self._since_ns = now_ns if not self._taken else self._since_ns + gained * self.each_ns
        if self._taken == self.at_once:
            return False
        self._taken += 1
        return True


def answer_to(ask: dict[str, Any], boot: str, board_ms: int) -> AnswerMessage:
    """Begin the answer to a question that was read."""
    return {
        "v": 1, "transaction": ask["transaction"], "boot": boot, "board_ms": board_ms,
        "what": ask["what"],
    }  # fmt: skip


def refusal_of(payload: bytes, why: str, boot: str, board_ms: int) -> AnswerMessage | None:
    """Answer a question with mistakes; None: not even its transaction can be read."""
    try:
        asked = adapter(AskedMessage).validate_json(payload)
    except ValidationError:
        return None
    what = asked.get("what")
    named = what[:LONGEST_WHAT] if isinstance(what, str) else ""
    refused = answer_to({"transaction": asked["transaction"], "what": named}, boot, board_ms)
    return {**refused, "refused": why}


class Consulting:
    """A doctor in a thread of its own; ``look`` None: the board has none.

    ``wake`` is called from that thread once there is an answer to fetch.
    """

    def __init__(self, look: Look | None, wake: Callable[[], None]) -> None:
        self._look = look
        self._wake = wake
        self._busy = threading.Lock()
        self._answers: deque[AnswerMessage] = deque(maxlen=1)

    def begin(self, answer: AnswerMessage) -> None:
        """Let the doctor finish this answer; raises NotDone where it cannot begin now."""
        if self._look is None:
            raise NotDone("expected a board with a doctor, found one that is simulated")
        if not self._busy.acquire(blocking=False):
            raise NotDone("expected one question at a time, found the doctor busy; ask again later")
        threading.Thread(target=self._run, args=(self._look, answer), daemon=True).start()

    def finished(self) -> AnswerMessage | None:
        """Fetch an answer that has been finished; None: there is none."""
        return self._answers.popleft() if self._answers else None

    def _run(self, look: Look, answer: AnswerMessage) -> None:
        try:
            answer["findings"] = list(look())
        except Exception as error:
            _logger.exception("hall: the doctor failed")
            answer["refused"] = f"the doctor failed: {error!r}"
        self._answers.append(answer)
        self._busy.release()
        self._wake()
