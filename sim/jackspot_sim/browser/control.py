"""What the page needs of a simulated table: values to draw, and the actions of hands.

Only shapes: :class:`jackspot_sim.browser.session.Session` and its parts fill them, the page's
server speaks them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct, field

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.files import Json
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.people.opponents import Aiming
from jackspot_sim.physics.values import Flick, Lying
from jackspot_sim.table.running import Run
from jackspot_sim.table.table import Breakage, Happening, LoggedEdge, Truth
from jackspot_sim.table.turns import Turn


class Mishap(StrEnum):
    """What usually goes wrong at a table, each started by one press on the page."""

    SHOOT_ON = "shoot_on"
    """Three strokes one after the other, and nobody presses anything."""
    FORGOTTEN_PRESS = "forgotten_press"
    """The shooter misses, nobody presses, and the next seat's puck falls."""
    LATE_FALL = "late_fall"
    """OK is pressed for a miss, then a piece that had hung on the edge drops."""
    TUMBLE = "tumble"
    """One piece turns over in the beam: two pulses."""
    TWO_AT_ONCE = "two_at_once"
    """Two pieces fall as one pulse."""
    BESIDE_BEAM = "beside_beam"
    """A piece falls past the beam: nothing is sensed."""
    FETCH_HAND = "fetch_hand"
    """A hand reaches into a pocket and takes the striker out."""
    STRAY_HAND = "stray_hand"
    """A hand reaches into a pocket for nothing."""
    DOUBLE_PRESS = "double_press"
    """OK twice within half a second."""
    TWO_PRESS = "two_press"
    """Two people press OK at the same time."""
    CHATTER = "chatter"
    """A loose contact at a beam flickers."""
    POWER_CUT = "power_cut"
    """Somebody trips over the power strip; it is plugged in again."""


class Glass(Struct, frozen=True):
    """What the OLED shows: 1,024 bytes, row by row, the leftmost pixel in the highest bit."""

    bits: bytes
    plugged: bool


class Wound(Struct, frozen=True):
    """The position of a film that a page shows instead of a table.

    ``stroke`` is the number of the stroke that is shown, 0 before the first. ``jumps`` counts
    how often the film was wound on or back: what was drawn before is no longer valid then.
    """

    stroke: int
    paused: bool
    jumps: int


class TablePicture(Struct, frozen=True):
    """Everything about the table that the page draws, except its logs.

    ``active`` are the wires that are active now: beams broken, buttons down. ``faulty``
    are the parts that were broken on purpose, and how. ``wires`` are all that this board
    has. ``showing``: a match is playing by itself. ``powered``: the board has power.
    ``rules`` says which system's pieces are on the table, ``lying`` where each of them lies.
    ``run`` is the shot in progress, or the last one; ``first_shot``: whoever shoots now has not
    shot on this board.
    """

    truth: Truth
    glass: Glass
    sign: Json
    lamps: frozenset[Seat] = frozenset()
    wires: tuple[str, ...] = ()
    active: frozenset[str] = frozenset()
    faulty: Mapping[str, Breakage] = field(default_factory=lambda: MappingProxyType({}))
    has_hub: bool = False
    """Whether a sensor hub lies under this board, plugged in or not."""
    speed: float = 1.0
    showing: bool = False
    powered: bool = True
    rules: RuleSystem = USUAL_RULES
    lying: tuple[Lying, ...] = ()
    run: Run | None = None
    first_shot: bool = False
    turn: Turn = Turn.NOBODY
    """Who has the striker now; nobody if a match plays by itself, or without power."""
    area: Seat | None = None
    """The shooter's seat if it may not strike pieces in its own area; None: it may strike all."""
    players: Mapping[Seat, Strength] = field(default_factory=lambda: MappingProxyType({}))
    """The seats that the computer plays, and how well."""
    called: Pocket | None = None
    """The pocket that a computer player has named for the jack."""
    aim: Aiming | None = None
    """The shot that a computer player aims."""
    paused: bool = False
    """Whether the match that plays by itself is paused."""
    moved: int = 0
    """How many moves by hand can be taken back."""
    now_ns: int = 0
    language: str = "en"
    """The board's language."""
    board: int = 1
    """The number of the board on the table: each new board's clock begins anew."""
    wound: Wound | None = None
    """The film's position; None: this is a table."""


class SoundLine(Struct, frozen=True):
    """One sound that was started: its name and its notes as (hertz, milliseconds)."""

    number: int
    name: str
    notes: tuple[tuple[int, int], ...]


class HandsControl(Protocol):
    """What hands can do at the board that is on the table."""

    def drop(self, pocket: Pocket, pieces: Sequence[Piece], manner: Manner) -> None:
        """Let pieces fall into a pocket, or something else break its beam."""
        ...

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        """Take pieces from the board to the floor, past every beam."""
        ...

    def put_back(self) -> None:
        """Put the pieces that the board asks for where they belong."""
        ...

    def put(self, piece: Piece, at_mm: tuple[float, float] | None = None) -> None:
        """Put one piece that is out of play down there, or where the rules want it."""
        ...

    def move(self, number: int, at_mm: tuple[float, float]) -> None:
        """Move one piece on the board by hand."""
        ...

    def move_back(self) -> None:
        """Put the piece that was moved last back where it lay."""
        ...

    def flick(self, flick: Flick) -> None:
        """Place a striker and flick it; the pieces run on the table's clock."""
        ...

    def fetch_strikers(self) -> None:
        """Take all strikers out of the pockets and off the floor."""
        ...

    def press(self, wire: str) -> None:
        """Push a button down and keep it there."""
        ...

    def release(self, wire: str) -> None:
        """Let it go."""
        ...


class PartsControl(Protocol):
    """The displays and wires of that board, which people break on purpose and mend."""

    def break_part(self, part: str, how: Breakage) -> None:
        """Unplug a display; block a beam, jam a button, or cut the wire of either."""
        ...

    def mend_part(self, part: str) -> None:
        """Undo :meth:`break_part`."""
        ...


class SimControl(Protocol):
    """What the page needs of the simulated table.

    All methods are called on the server's thread and return at once. Those that act raise
    :class:`jackspot_sim.table.table.CannotHappen` when the table cannot do it, with the reason in
    words.
    """

    @property
    def hands(self) -> HandsControl:
        """The hands at the board that is on the table now."""
        ...

    @property
    def parts(self) -> PartsControl:
        """The parts of that board that can be broken."""
        ...

    def seat_player(self, seat: Seat, strength: Strength | None) -> None:
        """Let the computer play a seat at this strength, or (None) a person."""
        ...

    def mishap(self, mishap: Mishap) -> None:
        """Let something go wrong as it usually does."""
        ...

    def set_speed(self, speed: float) -> None:
        """Run the table at this many times real time."""
        ...

    def start_show(self) -> None:
        """Play a short match by itself, from a fresh start."""
        ...

    def stop_show(self) -> None:
        """Let the people play again."""
        ...

    def pause_show(self, *, paused: bool) -> None:
        """Pause the match that plays by itself, or let it go on."""
        ...

    def step_show(self) -> None:
        """Let it go on to the next thing that is shown."""
        ...

    def new_match(
        self,
        rules: RuleSystem | None = None,
        seats: Sequence[Seat] = (),
        language: str | None = None,
    ) -> None:
        """Set the table up afresh; with other rules, seats or language, if any are given."""
        ...

    def picture(self) -> TablePicture:
        """Return everything the page draws now."""
        ...

    def edges(self, since: int) -> Sequence[LoggedEdge]:
        """Return the newest edges with a number above ``since``, oldest first."""
        ...

    def happenings(self) -> Sequence[Happening]:
        """Return the newest of what really happened, oldest first."""
        ...

    @property
    def record(self) -> str:
        """The record of the match on the board; in set-up, how that of the next one begins."""
        ...

    def sounds(self, since: int) -> Sequence[SoundLine]:
        """Return the newest sounds with a number above ``since``, oldest first."""
        ...

    def watch(self, changed: Callable[[], None]) -> None:
        """Have ``changed`` called, on any thread, whenever there is something new."""
        ...


class FilmControl(Protocol):
    """What the page needs of a film beyond its pictures."""

    def told(self) -> Json:
        """Return what is on it: which match, and stroke by stroke what its record says."""
        ...

    def pause(self, *, paused: bool) -> None:
        """Pause it, or let it run on."""
        ...

    def wind_to(self, stroke: int) -> None:
        """Go to a moment before a stroke; CannotHappen if there is none of this number."""
        ...
