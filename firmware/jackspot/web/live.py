"""The newest view and everything needed to say it: what the routes answer from.

Here is no server and none of its libraries, so that a board is ready before they are.
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
"""How many streams of those who look on may be open at once."""
REFEREES = 32
"""How many more of referees who have signed in."""
AFTER_S = 0.02
"""Pages are told so long after the displays at the table, which are drawn meanwhile: a hundred
readers then never hold up a picture on the OLED, and nobody sees the difference."""


@dataclass(slots=True)
class LiveBoard:
    """The newest view and everything needed to say it: what the routes answer from.

    :meth:`show` is called from the game's thread; the rest from the server's. ``matches`` is who
    is asked for the matches that were played; None: nobody. ``banner`` stands above the score.
    ``join`` takes the board into the hall of a text and gives its name, ValueError where the text
    is none; None: that is not done here.
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
        self.presses = PagePresses(self.submit, self.clock_ns, self.run)
        self._feeds = (self.feed,)

    def tell(self, feed: Feed) -> None:
        """Have one more feed told of every view; call it before the first."""
        self._feeds += (feed,)

    def start_anew(self) -> None:
        """Say that the board was started again: what was asked before no longer counts."""
        self.run = secrets.token_hex(4)
        self.presses = PagePresses(self.submit, self.clock_ns, self.run)
        self._said = {}

    def show(self, view: BoardView) -> None:
        """Take the newest view, from any thread, without waiting."""
        if self.view is not None:  # who answered is known before anybody sees that it is
            self.presses.changed(self.view, view)
        self.view = view
        for feed in self._feeds:
            feed.notify()

    @property
    def language(self) -> str:
        """The language that people have set for the board; English before the first view."""
        return LANGUAGES[0] if self.view is None else self.view.house.language

    def sound(self, sound: Sound) -> None:
        """Let a sound be heard on the pages that play them, unless the board is silenced."""
        if self.view is None or self.view.house.volume:
            self.sounds.add(sound)
            self.feed.notify()

    def state(self, language: str | None = None) -> str | None:
        """Return the live state now as JSON on one line, None before the first view.

        Its sentences are in ``language``, one of those the board speaks, else in the board's own.
        """
        view = self.view
        return None if view is None else self._say(view, language)

    def record(self) -> str | None:
        """Return the record of the match so far, None where there is no match."""
        view = self.view
        if view is None or view.written is None:
            return None
        return write_record(view.written.settings, view.written.entries)

    def reader(self, language: str | None = None) -> Read:
        """Start to read: gives the state when it is another than this reader was given."""
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
        """Write the state; what all readers of a view are told alike is worked out once."""
        spoken = language or view.house.language
        said = self._said.get(spoken)
        if said is None or said[0] is not view:
            translate = self.speak(spoken)
            state = dict(live_state(view, self.identity, translate, run=self.run, now_ns=0))
            del state["now_ns"]
            self._said[spoken] = said = (view, compact(state).removesuffix("}"))
        return f'{said[1]},"now_ns":{self.clock_ns()}}}'


def compact(value: object) -> str:
    """Write JSON on one line without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
