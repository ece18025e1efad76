"""The newest view and everything needed to serve it: what the routes answer from.

No server and none of its libraries are used here, so that a board is ready before they are.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jackspot.core.record import write_record
from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.words import LANGUAGES, Speak, translator
from jackspot.web.banner import Banner
from jackspot.web.feed import Feed
from jackspot.web.identity import Identity
from jackspot.web.presses import PageEvent, PagePresses
from jackspot.web.readers import Read, Readers, StreamEvent
from jackspot.web.sounding import Sounding
from jackspot.web.state import live_state

if TYPE_CHECKING:
    from jackspot.web.matches import Matches

READERS = 200
"""How many streams of spectators may be open at once."""
REFEREES = 32
"""How many more for referees who have signed in."""
AFTER_S = 0.02
"""How long after the displays at the table pages are notified. The displays are drawn meanwhile: a
hundred readers then never hold up a picture on the OLED, and nobody sees the difference."""


@dataclass(slots=True)
class LiveBoard:
    """The newest view and everything needed to serve it: what the routes answer from.

    :meth:`show` is called from the game's thread, the rest from the server's. ``matches`` answers
    for the matches that were played; None: nobody does. ``banner`` is above the score. ``join``
    takes the board into the hall that a text describes and returns the hall's name, or raises
    ValueError if the text is wrong; None: joining is not possible here.
    """

    clock_ns: Callable[[], int]
    submit: Callable[[PageEvent], None]
    identity: Identity = field(default_factory=Identity)
    speak: Speak = translator
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    feed: Feed = field(default_factory=lambda: Feed(AFTER_S))
    readers: Readers = field(default_factory=lambda: Readers(READERS))
    referees: Readers = field(default_factory=lambda: Readers(REFEREES))
    view: BoardView | None = None
    sounds: Sounding = field(default_factory=Sounding)
    matches: Matches | None = None
    banner: Banner = field(default_factory=Banner)
    join: Callable[[str], str] | None = None
    presses: PagePresses = field(init=False)
    _feeds: tuple[Feed, ...] = ()
    _said: dict[str, tuple[BoardView, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.presses = PagePresses(self.submit, self.clock_ns, self.run, self.identity.hold_ms)
        self._feeds = (self.feed,)

    def tell(self, feed: Feed) -> None:
        """Have one more feed notified of every view; call it before the first view."""
        self._feeds += (feed,)

    def start_anew(self) -> None:
        """Note that the board was restarted: earlier questions no longer count."""
        self.run = secrets.token_hex(4)
        self.presses = PagePresses(self.submit, self.clock_ns, self.run, self.identity.hold_ms)
        self._said = {}

    def show(self, view: BoardView) -> None:
        """Take the newest view, from any thread, without waiting."""
        if self.view is not None:  # who answered is noted before anybody sees the new view
            self.presses.changed(self.view, view)
        self.view = view
        for feed in self._feeds:
            feed.notify()

    @property
    def language(self) -> str:
        """The board's language, as people have set it; English before the first view."""
        return LANGUAGES[0] if self.view is None else self.view.preferences.language

    def sound(self, sound: Sound) -> None:
        """Play a sound on the pages that play them, unless the board is silenced."""
        if self.view is None or self.view.preferences.volume:
            self.sounds.add(sound)
            self.feed.notify()

    def state(self, language: str | None = None) -> str | None:
        """Return the current live state as JSON on one line, None before the first view.

        Its sentences are in ``language``, one of the board's languages, or by default in its own.
        """
        view = self.view
        return None if view is None else self._say(view, language)

    def record(self) -> str | None:
        """Return the record of the match so far, None if there is no match."""
        view = self.view
        if view is None or view.written is None:
            return None
        return write_record(view.written.settings, view.written.entries)

    def reader(self, language: str | None = None) -> Read:
        """Return a function that returns the state whenever it is new to this reader."""
        given: BoardView | None = None

        def read() -> Sequence[StreamEvent]:
            nonlocal given
            view = self.view
            if view is None or view is given:
                return ()
            given = view
            return (StreamEvent(self._say(view, language), id=str(view.sequence)),)

        return read

    def _say(self, view: BoardView, language: str | None) -> str:
        """Return the state; the part that all readers of a view share is computed once."""
        spoken = language or view.preferences.language
        said = self._said.get(spoken)
        if said is None or said[0] is not view:
            translate = self.speak(spoken)
            state = dict(live_state(view, self.identity, translate, run=self.run, now_ns=0))
            del state["now_ns"]
            self._said[spoken] = said = (view, compact(state).removesuffix("}"))
        return f'{said[1]},"now_ns":{self.clock_ns()}}}'


def compact(value: object) -> str:
    """Return JSON on one line without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
