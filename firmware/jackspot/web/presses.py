"""Presses on pages, checked and turned into the events that buttons make.

A press carries the ``ask`` it answers. A press that answers a past question is refused here with
the reason; the game checks it again when it takes the event, because a fall may have come in
between. If two referees answer the same question at once, the second waits for a moment until the
game has handled the first press. It is then told who was first, or has its turn if the game still
asks the same. A press may also say when it was made, by the server's clock: one that was delayed by
a network that was gone is refused too. So is one of the future: its page has not heard the clock
since the board was restarted, so nobody knows how old it is.

A page reports a hold once it is complete. One that must have begun while pieces were still falling
counts as a short press, as at any button.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct, field

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.events import Button, ButtonDown, ButtonUp, Gesture, Key, Pick, Place, Press
from jackspot.sensing.limits import MS
from jackspot.web.state import ask_token

PageEvent = ButtonDown | ButtonUp | Press
ANSWERS_KEPT = 16
"""For how many questions it is remembered who answered them on a page."""
LATE_MS = 3_000
"""A press that is older than this on arrival, or newer by more than this, does nothing."""
CLAIM_S = 1.0
"""How long a press keeps others from answering the same question; they wait no longer."""
FORGOTTEN_NS = 2_000_000_000
"""A page that holds a key for longer than this no longer blocks others."""


class Motion(StrEnum):
    """What a page reports about a finger."""

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
    """A press that makes sense but does nothing now; ``why`` is the reason."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(str(why))
        self.why = why


class PageButton(Struct, frozen=True):
    """A press as a page sends it. ``page`` distinguishes two pages of one machine.

    ``sent_ms`` is when it was made, by the server's clock; None: unknown. ``line`` is the index,
    from 0, of a line of the open list, else of a reading; ``choice`` is one of that line's values,
    ``text`` what was typed for it.
    """

    key: Key
    motion: Motion
    ask: str
    page: str = ""
    sent_ms: int | None = None
    line: int | None = None
    choice: int | None = None
    text: str = ""


_FIELDS = ("button", "gesture", "ask", "page", "sent_ms", "line", "choice", "text")
MOST_LINES = 100_000
"""More lines than any list has."""
ASK_LENGTH = PAGE_LENGTH = 64
TEXT_LENGTH = 40


def server_ms() -> int:
    """Return the time of the clock that ``sent_ms`` is compared with, in milliseconds."""
    return time.monotonic_ns() // 1_000_000


def read_press(body: bytes) -> PageButton:
    """Read the body of a press; raises :class:`BadPress` with what was expected."""
    fields = read_object(body)
    unknown = sorted(fields.keys() - set(_FIELDS))
    if unknown:
        raise BadPress(f"unknown: {', '.join(unknown)}; a press has {', '.join(_FIELDS)}")
    ask, page, sent_ms = fields.get("ask"), fields.get("page", ""), fields.get("sent_ms")
    if not isinstance(ask, str) or not 0 < len(ask) <= ASK_LENGTH:
        raise BadPress('"ask" must be the text that the live state carries as "ask"')
    if not isinstance(page, str) or len(page) > PAGE_LENGTH:
        raise BadPress(f'"page" must be a text of at most {PAGE_LENGTH} characters')
    if sent_ms is not None and (not isinstance(sent_ms, int) or isinstance(sent_ms, bool)):
        raise BadPress('"sent_ms" must be a whole number of milliseconds')
    line, choice, text = _index(fields, "line"), _index(fields, "choice"), fields.get("text", "")
    if not isinstance(text, str) or len(text) > TEXT_LENGTH:
        raise BadPress(f'"text" must be a text of at most {TEXT_LENGTH} characters')
    if line is None and (choice is not None or text):
        raise BadPress('"choice" and "text" belong to a "line"')
    key, motion = _choice(fields, "button", Key), _choice(fields, "gesture", Motion)
    if line is not None and motion not in (Motion.SHORT, Motion.HOLD):
        raise BadPress('a press with a "line" is "short" or "hold"')
    return PageButton(key, motion, ask, page, sent_ms, line, choice, text)


def _index(fields: dict[str, Any], name: str) -> int | None:
    """Read an index in a list, from 0."""
    found = fields.get(name)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < MOST_LINES:
        raise BadPress(f'"{name}" must be a whole number from 0')
    return found


def read_object(body: bytes) -> dict[str, Any]:
    """Read a JSON object; raises :class:`BadPress` when it is anything else."""
    try:
        fields = json.loads(body)
        # Half a pair of surrogates, which JSON allows, could not be sent in an answer.
        json.dumps(fields, ensure_ascii=False).encode()
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


class _Holder(Struct, frozen=True):
    page: str
    since_ns: int


def _pick(press: PageButton, view: BoardView | None) -> Pick | None:
    """Return what a press points at, by what is shown there now."""
    if press.line is None or view is None:
        return None
    shown = view.menu.items if view.menu else [reading.what for reading in view.readings]
    if press.line >= len(shown):
        raise Refused(_("there is no such line"))
    return Pick(press.line, str(shown[press.line]), press.choice, press.text)


def _and_now(why: Phrase, view: BoardView | None) -> Phrase:
    return _("{why}; now: {asked}", why=why, asked="" if view is None else view.headline)


class _Answer(Struct, frozen=True):
    """Who pressed which key on a page."""

    session: str
    name: str
    key: Key


class _Claim(Struct, frozen=True):
    """Whose press is on its way to the game, and until when others wait for its result."""

    ask: str
    who: str
    until_s: float


class PagePresses(Struct):
    """Passes presses of all pages on as those of one place, :attr:`Place.PAGE`.

    ``submit`` takes an event for the game's queue and never waits. Several pages may be open: a
    key that one of them holds is refused to the others until it is released.
    """

    submit: Callable[[PageEvent], None]
    clock_ns: Callable[[], int]
    run: str
    hold_ms: int
    clock_ms: Callable[[], int] = server_ms
    clock_s: Callable[[], float] = time.monotonic
    _claim: _Claim | None = None
    _held: dict[Key, _Holder] = field(default_factory=dict)
    _answers: OrderedDict[str, _Answer] = field(default_factory=OrderedDict)
    _ended: OrderedDict[str, Button | None] = field(default_factory=OrderedDict)
    _fell_ns: int | None = None
    """When *falling* last became *review*."""

    def rival_s(self, press: PageButton, session: str = "") -> float:
        """Return how many seconds to wait for the result of another's press; 0: this may be taken.

        While the result is not 0, ask again whenever there is a new view.
        """
        claim = self._claim
        if claim is None or press.motion is Motion.UP:
            return 0.0
        if claim.ask != press.ask or claim.who == (session or press.page):
            return 0.0
        return max(0.0, claim.until_s - self.clock_s())

    def take(
        self, press: PageButton, view: BoardView | None, session: str = "", name: str = ""
    ) -> None:
        """Submit a press; raises :class:`Refused` when it does nothing now.

        ``session`` distinguishes referees, and ``name`` is what others are told about this one.
        """
        now_ns = self.clock_ns()
        button = Button(Place.PAGE, press.key)
        if press.motion is Motion.UP:
            self._release(press)
            self._keep_off(press, session)
            self.submit(ButtonUp(now_ns, button))
            return
        ask = self._current_ask(press, view)
        if self.rival_s(press, session):
            raise Refused(_and_now(self._by_page(press), view))
        self._in_time(press)
        pick = _pick(press, view)
        if press.motion is Motion.DOWN:
            self._hold(press, now_ns)
        self._keep_off(press, session)
        self._answers[press.ask] = _Answer(session, name, press.key)
        if len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)
        if press.motion is Motion.DOWN:
            self.submit(ButtonDown(now_ns, button, ask))
        else:
            held = press.motion is Motion.HOLD and not self._began_in_falling(press, now_ns)
            gesture = Gesture.HOLD if held else Gesture.SHORT
            self.submit(Press(now_ns, now_ns, button, gesture, ask, pick))

    def is_stale(self, press: PageButton, view: BoardView | None) -> bool:
        """Return whether the question has changed since the one that a press answers."""
        return view is None or press.ask != ask_token(self.run, view.ask)

    def changed(self, before: BoardView, after: BoardView) -> None:
        """Note whose press ended a question, and when *falling* ended; from the game's thread."""
        if before.phase is Phase.FALLING and after.phase is Phase.REVIEW:
            self._fell_ns = self.clock_ns()
        if before.ask != after.ask:
            self._ended[ask_token(self.run, before.ask)] = after.asked_by
            if len(self._ended) > ANSWERS_KEPT:
                self._ended.popitem(last=False)

    def _current_ask(self, press: PageButton, view: BoardView | None) -> int:
        if view is None:
            raise Refused(_("the board is still starting"))
        if self.is_stale(press, view):
            raise Refused(_and_now(self._why_stale(press), view))
        return view.ask

    def _why_stale(self, press: PageButton) -> Phrase:
        """Return who answered the question of a press, or that it changed on its own."""
        by = self._ended.get(press.ask)
        if by is None:
            return _("the question has changed")
        if by.place is not Place.PAGE:
            if by.place is Place.REFEREE:
                return _("already answered on the referee's box")
            return _("already answered at seat {seat}", seat=by.place.value)
        return self._by_page(press)

    def _by_page(self, press: PageButton) -> Phrase:
        """Return who answered on a page."""
        answer = self._answers.get(press.ask)
        if answer is None:
            return _("the question has changed, on a page")
        key = answer.key.upper()
        if not answer.name:
            return _("already answered on a page with {key}", key=key)
        return _("already answered by {name} with {key}", name=answer.name, key=key)

    def _keep_off(self, press: PageButton, session: str) -> None:
        """Make others wait for the result of this press."""
        self._claim = _Claim(press.ask, session or press.page, self.clock_s() + CLAIM_S)

    def _in_time(self, press: PageButton) -> None:
        if press.sent_ms is not None and abs(self.clock_ms() - press.sent_ms) > LATE_MS:
            raise Refused(_("the network held it up; look, and press again"))

    def _began_in_falling(self, press: PageButton, now_ns: int) -> bool:
        """Whether OK went down on the page before *falling* became the review that it answers."""
        if self._fell_ns is None or press.key is not Key.OK or press.line is not None:
            return False
        on_its_way_ms = 0 if press.sent_ms is None else max(self.clock_ms() - press.sent_ms, 0)
        return now_ns - self._fell_ns < (self.hold_ms + on_its_way_ms) * MS

    def _hold(self, press: PageButton, now_ns: int) -> None:
        holder = self._held.get(press.key)
        if holder and now_ns - holder.since_ns < FORGOTTEN_NS:
            raise Refused(_("{key} is already held", key=press.key.upper()))
        if holder:
            self.submit(ButtonUp(now_ns, Button(Place.PAGE, press.key)))
        self._held[press.key] = _Holder(press.page, now_ns)

    def _release(self, press: PageButton) -> None:
        holder = self._held.get(press.key)
        if holder is None or holder.page != press.page:
            raise Refused(_("{key} is not held by this page", key=press.key.upper()))
        del self._held[press.key]
