"""What people press on a page, checked and turned into the events that buttons make.

A press carries the ``ask`` it answers. One that answers a question which has passed is
refused here with the reason; the game checks it again when it takes the event up, because a
fall may have come in between.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from jackspot.displays.web.state import ask_token
from jackspot.table.events import Button, ButtonDown, ButtonUp, Gesture, Key, Place, Press
from jackspot.table.view import BoardView

PageEvent = ButtonDown | ButtonUp | Press
FORGOTTEN_NS = 2_000_000_000
"""A page that holds a key longer than this without letting go no longer keeps others off."""


class Motion(StrEnum):
    """What a page says of a finger."""

    DOWN = "down"
    UP = "up"
    SHORT = "short"
    HOLD = "hold"


class BadPress(ValueError):
    """A press that makes no sense: ``status`` 400 for bad JSON, 422 for wrong content."""

    def __init__(self, message: str, status: int = 422) -> None:
        super().__init__(message)
        self.status = status


class Refused(Exception):
    """A press that makes sense but does nothing now; the message says why."""


@dataclass(frozen=True, slots=True)
class PageButton:
    """A press as a page sends it. ``page`` tells two pages of one machine apart."""

    key: Key
    motion: Motion
    ask: str
    page: str = ""


_FIELDS = {"button", "gesture", "ask", "page"}


def read_press(body: bytes) -> PageButton:
    """Read the body of a press; raises :class:`BadPress` with what was expected."""
    fields = read_object(body)
    unknown = sorted(fields.keys() - _FIELDS)
    if unknown:
        raise BadPress(f"unknown: {', '.join(unknown)}; a press has button, gesture, ask, page")
    ask, page = fields.get("ask"), fields.get("page", "")
    if not isinstance(ask, str) or not 0 < len(ask) <= 64:
        raise BadPress('"ask" must be the text that the live state carries as "ask"')
    if not isinstance(page, str) or len(page) > 64:
        raise BadPress('"page" must be a text of at most 64 characters')
    return PageButton(_choice(fields, "button", Key), _choice(fields, "gesture", Motion), ask, page)


def read_object(body: bytes) -> dict[str, Any]:
    """Read a JSON object; raises :class:`BadPress` when it is anything else."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadPress(f"not JSON: {error}", 400) from error
    if not isinstance(fields, dict):
        raise BadPress("expected a JSON object")
    return fields


_Choice = TypeVar("_Choice", bound=StrEnum)


def _choice(fields: dict[str, Any], name: str, kind: type[_Choice]) -> _Choice:
    found = fields.get(name)
    if isinstance(found, str) and found in set(kind):
        return kind(found)
    known = ", ".join(f'"{member.value}"' for member in kind)
    raise BadPress(f'"{name}" must be one of {known}, found {json.dumps(found)[:40]}')


@dataclass(frozen=True, slots=True)
class _Holder:
    page: str
    since_ns: int


@dataclass(slots=True)
class PagePresses:
    """Hands presses of all pages on as those of one place, :attr:`Place.PAGE`.

    ``submit`` takes an event for the game's queue and never waits. Several pages may be
    open: a key that one of them holds is refused to the others until it is let go.
    """

    submit: Callable[[PageEvent], None]
    clock_ns: Callable[[], int]
    run: str
    _held: dict[Key, _Holder] = field(default_factory=dict)

    def take(self, press: PageButton, view: BoardView | None) -> None:
        """Submit a press; raises :class:`Refused` when it does nothing now."""
        now_ns = self.clock_ns()
        button = Button(Place.PAGE, press.key)
        if press.motion is Motion.UP:
            self._release(press)
            self.submit(ButtonUp(now_ns, button))
            return
        ask = self._current_ask(press, view)
        if press.motion is Motion.DOWN:
            self._hold(press, now_ns)
            self.submit(ButtonDown(now_ns, button, ask))
        else:
            gesture = Gesture(press.motion.value)
            self.submit(Press(now_ns, now_ns, button, gesture, ask))

    def _current_ask(self, press: PageButton, view: BoardView | None) -> int:
        if view is None:
            raise Refused("the board is still starting")
        if press.ask != ask_token(self.run, view.ask):
            raise Refused(f"what was asked has changed meanwhile; now: {view.headline}")
        return view.ask

    def _hold(self, press: PageButton, now_ns: int) -> None:
        holder = self._held.get(press.key)
        if holder and now_ns - holder.since_ns < FORGOTTEN_NS:
            raise Refused(f"{press.key.upper()} is already held")
        if holder:
            self.submit(ButtonUp(now_ns, Button(Place.PAGE, press.key)))
        self._held[press.key] = _Holder(press.page, now_ns)

    def _release(self, press: PageButton) -> None:
        holder = self._held.get(press.key)
        if holder is None or holder.page != press.page:
            raise Refused(f"{press.key.upper()} is not held by this page")
        del self._held[press.key]
