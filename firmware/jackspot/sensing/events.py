"""Define what reaches the board: edges on wires, and what is made of them.

Frozen values. Every one carries the instant it happened, in nanoseconds of the
monotonic clock of the machine that stamped it.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.core.order import MatchOrder, MovedAway
from jackspot.core.phrases import Phrase
from jackspot.core.pieces import Pocket, Seat


class Place(StrEnum):
    """Where a button is: at a seat, on the referee's box, or on a page."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"
    REFEREE = "referee"
    PAGE = "page"

    @property
    def seat(self) -> Seat | None:
        """The seat of a seat's button, None for the box and the page."""
        return Seat(self.value) if len(self.value) == 1 else None


class Key(StrEnum):
    """What is written on a button."""

    OK = "ok"
    FIX = "fix"
    FOUL = "foul"
    OFF = "off"
    UNDO = "undo"


class Button(Struct, frozen=True, order=True):
    """One button of one place. A seat has OK and FIX; box and page have all five."""

    place: Place
    key: Key

    @property
    def wire(self) -> str:
        """The wire's name in captures and config: ``seat_n_ok``, ``referee_undo``."""
        seat = self.place.seat
        place = f"seat_{seat.value.lower()}" if seat else self.place.value
        return f"{place}_{self.key.value}"


def beam_wire(pocket: Pocket) -> str:
    """Return the wire's name of a pocket's beam in captures and config: ``pocket_ne``."""
    return f"pocket_{pocket.value.lower()}"


def wire_name(source: Pocket | Button) -> str:
    """Return the name of a beam's or button's wire."""
    return beam_wire(source) if isinstance(source, Pocket) else source.wire


class Stamps(StrEnum):
    """Who says when an edge happened."""

    KERNEL = "kernel"
    """The kernel, in the pin's interrupt: a busy machine makes no difference."""
    ARRIVAL = "arrival"
    """This process, when the edge reaches it: on a busy machine widths are a little off."""


class Edge(Struct, frozen=True):
    """A wire changed. ``active``: beam broken, button down, whatever the polarity."""

    at_ns: int
    source: Pocket | Button
    active: bool


class BeamBroken(Struct, frozen=True):
    """A beam has just been broken; what it was is not known yet."""

    at_ns: int
    pocket: Pocket


class BeamWhole(Struct, frozen=True):
    """A beam that was called broken is whole, and gives no pulse: its last edge came too late."""

    at_ns: int
    pocket: Pocket


class Pulse(Struct, frozen=True):
    """A beam was broken from ``start_ns`` to ``end_ns``: not bounce, not blocked."""

    pocket: Pocket
    start_ns: int
    end_ns: int

    @property
    def width_ns(self) -> int:
        """How long the beam was broken."""
        return self.end_ns - self.start_ns


class Shake(Struct, frozen=True):
    """One shake of the board: knocks that follow each other closely, from the first to the last.

    ``peaks`` are the heights of its first knock at the discs N, E, S and W; only those of ``sides``
    exist. ``strange``: these are not the discs that the board was calibrated with.
    """

    at_ns: int
    last_ns: int
    peaks: tuple[int, int, int, int]
    knocks: int = 1
    sides: tuple[Seat, ...] = tuple(Seat)
    strange: bool = False


HIGHEST = 65_535
"""The highest reading of a colour head or a disc."""


class ColourSeen(Struct, frozen=True):
    """What the colour head of a pocket saw at one instant: levels from 0 to :data:`HIGHEST`.

    ``red``, ``green`` and ``blue`` are measured with that light on, ``dark`` with none.
    """

    at_ns: int
    pocket: Pocket
    red: int
    green: int
    blue: int
    dark: int


class Fall(Struct, frozen=True):
    """What belongs to one fall through one pocket: its pulses, close together.

    Usually one piece. Whether it was one piece, two or a hand is for the readings to say.
    ``number`` counts falls since the board's journal began and names the fall in it. ``heard`` has
    the first knock of each shake before it; None if nobody listened, or if a fall just before is of
    the same shot. ``seen`` has the frames of its pocket's colour head between its edges, in order;
    it is empty if there is no head, or it saw nothing. ``by_head``: no beam saw it, and its one
    pulse lasts from the first of its frames to the last. ``again``: it was told before, and only
    frames have come since.
    """

    number: int
    pocket: Pocket
    pulses: tuple[Pulse, ...]
    heard: tuple[Shake, ...] | None = None
    seen: tuple[ColourSeen, ...] = ()
    by_head: bool = False
    again: bool = False

    @property
    def start_ns(self) -> int:
        """When the beam was first broken."""
        return self.pulses[0].start_ns

    @property
    def end_ns(self) -> int:
        """When the beam was whole again."""
        return self.pulses[-1].end_ns

    @property
    def widths_ns(self) -> tuple[int, ...]:
        """How long each pulse was, in order."""
        return tuple([pulse.end_ns - pulse.start_ns for pulse in self.pulses])


class Gesture(StrEnum):
    """What a finger did with a button."""

    SHORT = "short"
    """Let go before the hold; fires on release."""
    HOLD = "hold"
    """Held for a second; fires once, while still down."""


class ButtonDown(Struct, frozen=True):
    """A button went down. Its press answers what was asked at this instant."""

    at_ns: int
    button: Button
    ask: int | None = None
    """The ask a page answers; None for a button on a wire."""


class ButtonUp(Struct, frozen=True):
    """A button came up again."""

    at_ns: int
    button: Button
    ask: int | None = None
    """The ask of the page's ButtonDown that it ends; None for a button on a wire."""


class Pick(Struct, frozen=True):
    """What a finger on a page pointed at: a line of the open list, or else a reading.

    ``line`` counts from 0. ``label`` is the English text that was there, because another list may
    have taken its place. ``choice`` is one of that line's choices, ``text`` what was typed for it.
    """

    line: int
    label: str
    choice: int | None = None
    text: str = ""


class Press(Struct, frozen=True):
    """A finished gesture on a button.

    ``down_ns`` is when it went down, ``at_ns`` when the gesture was complete. A chord (OK and FIX
    of one seat held together) arrives as a press of that place's ``UNDO``, and on a board without
    FIX a chord of OK and UNDO as a held ``FIX``. A press on a page may ``pick`` something: OK then
    means that line of the list, FIX that reading.
    """

    at_ns: int
    down_ns: int
    button: Button
    gesture: Gesture
    ask: int | None = None
    pick: Pick | None = None


class Trouble(StrEnum):
    """What can be wrong with an input or an output."""

    BLOCKED = "blocked"
    """A beam has been broken for more than two seconds."""
    CHATTER = "chatter"
    """An input changes far more often than a game can make it."""
    STUCK = "stuck"
    """A button has been down since the start, or for a minute."""
    GONE = "gone"
    """A display or pin does not answer."""
    IN_USE = "in_use"
    """Another program has a display's port or pin."""
    REFUSED = "refused"
    """The system has no such port, bus or library for a display, or no right to use it."""
    DISK = "disk"
    """The journal cannot be written."""
    SET_ASIDE = "set_aside"
    """A journal was damaged or not ours; it was set aside, and its good part kept."""
    LOST = "lost"
    """Edges of an input were lost; only its level says what it did meanwhile."""
    UNREAD = "unread"
    """Something in the journal is of another version and not understood; the rest is on the
    board."""
    MISFIT = "misfit"
    """There is a calibration that does not fit this board; it is not used."""
    TWICE = "twice"
    """Another board in the hall has the same number."""
    GARBLED = "garbled"
    """A sensor hub sends something other than lines."""
    TORN = "torn"
    """Lines of a sensor hub are cut short, or missing."""
    REPEATED = "repeated"
    """A sensor hub repeats what it has already sent."""
    CLOCK = "clock"
    """A sensor hub's clock does not run as a clock does."""
    RIVAL = "rival"
    """Two sensor hubs send on one line."""
    VERSION = "version"
    """A sensor hub has a program of another version."""
    DEFECT = "defect"
    """A sensor hub reports a fault of its own."""
    OVERFLOW = "overflow"
    """Events came faster than the board could take them; some are lost."""


class DiscPeak(Struct, frozen=True):
    """How a side's disc felt a knock: ``height`` from 0 (not at all) to 65,535.

    ``delay_us`` is how long after the start of the knock it first felt it.
    """

    height: int
    delay_us: int


class KnockHeard(Struct, frozen=True):
    """A knock on the board, with the ``peaks`` of the discs under the sides N, E, S, W."""

    at_ns: int
    peaks: tuple[DiscPeak, ...]


class HubDiscs(Struct, frozen=True):
    """Which discs these are: the number of their hub's chip, and the sides they are under."""

    hub: str
    sides: tuple[Seat, ...]


class DiscsListen(Struct, frozen=True):
    """From now on the discs under these sides listen; empty if there is no hub, or it has no discs.

    ``strange``: the board was calibrated with others. ``hub`` is the number of their hub's chip,
    empty if unknown.
    """

    at_ns: int
    discs: tuple[Seat, ...]
    strange: bool = False
    hub: str = ""


HubEvent = ColourSeen | KnockHeard | DiscsListen
"""What the sensor hub reports about the board."""


class Shaken(Struct, frozen=True):
    """The board is still again after this shake."""

    at_ns: int
    shake: Shake


class FaultRaised(Struct, frozen=True):
    """Something is wrong with ``part`` (a wire's or a display's name)."""

    at_ns: int
    part: str
    trouble: Trouble
    detail: str = ""


class FaultCleared(Struct, frozen=True):
    """The fault is over."""

    at_ns: int
    part: str
    trouble: Trouble


class Tick(Struct, frozen=True):
    """Time has reached ``at_ns``: a wake-up that was asked for."""

    at_ns: int


class Stick(StrEnum):
    """What became of a USB stick, on which the results are written."""

    WRITING = "writing"
    WRITTEN = "written"
    EMPTY = "empty"
    """There are no matches to write."""
    FULL = "full"
    READ_ONLY = "read_only"
    UNREADABLE = "unreadable"
    """It has no file system that this machine can read."""
    FAILED = "failed"
    JOINED = "joined"
    """It, or a page, brought a hall's file, and the board has joined that hall."""
    MISJOINED = "misjoined"
    """It brought a hall's file with a mistake in it, and nothing was changed."""
    CARD_FAILED = "card_failed"
    """It is the board's own card, and the first start did not take up all of it."""


class StickTold(Struct, frozen=True):
    """The outcome of plugging in a USB stick: shown for a while, and stored nowhere.

    ``about`` is the hall that was joined, with the board's ``number`` in it, or the wrong key in
    its file.
    """

    at_ns: int
    stick: Stick
    about: str = ""
    number: int | None = None


class OrderTold(Struct, frozen=True):
    """The hall's latest order for this board; None: nothing to play.

    ``moved`` is a match of this board that continues on another one.
    """

    at_ns: int
    order: MatchOrder | None
    moved: MovedAway | None = None


class DeskTold(Struct, frozen=True):
    """Whether the hall's desk can be reached, and how many results it does not have yet."""

    at_ns: int
    away: bool
    unsent: int


class DeskComes(Struct, frozen=True):
    """The hall's desk has received the board's call."""

    at_ns: int


class HallPlace(Struct, frozen=True):
    """Where a board is: the hall's name, empty for none, and the board's number in it, if set.

    ``left``: people have left the hall at the board, and can come back.
    """

    hall: str = ""
    number: int | None = None
    left: bool = False

    @property
    def is_in(self) -> bool:
        """Whether the board is in a hall that is set up and was not left."""
        return bool(self.hall) and not self.left


class PlaceTold(Struct, frozen=True):
    """Where the board is from now on; sent at its start, and whenever that changes."""

    at_ns: int
    place: HallPlace


SignalEvent = (
    BeamBroken | BeamWhole | Pulse | ButtonDown | ButtonUp | Press | FaultRaised | FaultCleared
)
"""What signals make of edges."""


class GongTold(Struct, frozen=True):
    """The hall's common gong will be struck at ``strike_ns``."""

    at_ns: int
    strike_ns: int


class NoticeTold(Struct, frozen=True):
    """A line of the hall's desk, to be shown until an instant; a text of None takes it back.

    ``own``: it is for this board alone, and takes precedence over a line for all.
    """

    at_ns: int
    text: Phrase | None
    until_ns: int = 0
    own: bool = False


class IdentifyTold(Struct, frozen=True):
    """The hall's desk asks the board to identify itself; ``number`` is its number in the hall."""

    at_ns: int
    number: int
    until_ns: int


HallEvent = OrderTold | DeskTold | GongTold | NoticeTold | IdentifyTold | DeskComes | PlaceTold
"""What a hall sends to a board, over its link."""

Event = (
    Edge
    | ButtonDown
    | ButtonUp
    | Press
    | HubEvent
    | FaultRaised
    | FaultCleared
    | StickTold
    | HallEvent
    | Tick
)
"""What drivers, pages and displays put into the board's queue."""
