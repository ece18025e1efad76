"""Turns the bytes of a sensor hub into events and named faults.

Theory of operation. Bytes are split at line ends. Anything longer than a line can be is dropped up
to the next end, where a reader that started in the middle, or was sent garbage, recovers. Only
lines with a valid check sum are believed. A hub identifies itself with a *hello*, which the board
asks for; until then nothing is believed. A hub has a tag of its own in each line, new at each
start, so that another hub on the same line, or a restarted one, is recognised by its first line.

Lines are numbered. A line with the same number as the last one, or an earlier one, is a replay and
is dropped. A gap in the numbers shows how many lines were lost. Neither is guessed at.

Each kind of fault lasts until it has not occurred for :data:`QUIET_NS`. The fault that the board
was calibrated with other discs lasts as long as these are there. A fault is reported when it
begins, and again whenever its count has grown tenfold, so that a noisy line neither floods the
journal nor stays silent.

Pure: time comes with the input. One thread owns it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from msgspec import Struct, field

from jackspot.sensing.events import (
    ColourSeen,
    DiscsListen,
    FaultCleared,
    FaultRaised,
    HubDiscs,
    HubEvent,
    KnockHeard,
    Trouble,
)
from jackspot.sensing.limits import SECOND
from jackspot.sensor_link.protocol.clock import HubClock, WrongClock
from jackspot.sensor_link.protocol.lines import (
    BOARD,
    LONGEST,
    SEQUENCES,
    HubAsk,
    HubError,
    HubFlaw,
    HubFrame,
    HubHealth,
    HubHello,
    HubKnock,
    HubLevels,
    HubLine,
    HubMessage,
    LineMistake,
    read_line,
    write_line,
)

PART = "sensor_hub"
"""The part that has all these faults."""

QUIET_NS = 10 * SECOND
"""A fault of lines is over when it has not occurred for this long."""
SILENT_NS = 3 * SECOND
"""A hub that sends nothing for this long is gone: it reports its health each second."""
ASK_NS = 2 * SECOND
"""How often a hub is asked who it is, until it answers, and sent its levels, until it has them."""
BUSY_ABOVE = 900
"""Thousandths of its time that a hub may be busy; above that it has no room for a burst."""

MOST_ERRORS = 4
"""The most different errors of one hub that are reported together."""

PROGRAM = 1
"""The version of the hub's program that this board was made for."""

_NAMES = {
    HubFlaw.GARBAGE: Trouble.GARBLED,
    HubFlaw.TORN: Trouble.TORN,
    HubFlaw.VERSION: Trouble.VERSION,
}
_OF_THE_PORT = frozenset({Trouble.GONE, Trouble.IN_USE, Trouble.REFUSED})

HubTold = HubEvent | FaultRaised | FaultCleared


class _Standing(Struct):
    """A current fault: how often it occurred, when last, and at which count it was reported."""

    count: int = 0
    last_ns: int = 0
    told: int = 0


class _Speaker(Struct):
    """The hub that is believed: its last hello, the number of its last line, and its clock."""

    tag: str
    hello: HubHello
    sequence: int
    clock: HubClock
    heard_ns: int
    rival: str = ""
    """The tag of the last line, if that was another one: of this hub started again, or a second."""
    health: HubHealth | None = None
    errors: dict[str, int] = field(default_factory=dict)
    """When each error was last reported, by its words."""


class Hearing:
    """Interprets one serial line. Methods return what to report to the board, in order.

    ``see`` and ``knock`` are the levels that the hub is to use; None: those of its own program.
    ``calibrated`` are the discs that the board was calibrated with; None: without any.
    """

    def __init__(
        self, see: int | None = None, knock: int | None = None, calibrated: HubDiscs | None = None
    ) -> None:
        self._wanted = (see, knock)
        self._calibrated = calibrated
        self._faults: dict[Trouble, _Standing] = {}
        self._listen: HubDiscs | None = None
        self._buffer = b""
        self._midway = True
        self._speaker: _Speaker | None = None
        self._heard_ns = 0
        self._said_ns: int | None = None
        self._sent = 0

    @property
    def hello(self) -> HubHello | None:
        """The hub's last hello; None while no hub is believed."""
        return self._speaker.hello if self._speaker else None

    @property
    def errors(self) -> Sequence[str]:
        """The errors that the hub reports about itself, each once."""
        return tuple(self._speaker.errors) if self._speaker else ()

    def opened(self, at_ns: int) -> None:
        """Begin with a line that was just opened: nothing from before counts."""
        self._buffer, self._midway = b"", True
        self._speaker, self._said_ns = None, None
        self._heard_ns = at_ns

    def failed(self, at_ns: int, trouble: Trouble, detail: str) -> list[HubTold]:
        """Note that the line cannot be opened or used: gone, in use, or refused."""
        self._speaker = None
        deaf = self._discs(at_ns, None)
        over = self._clear(at_ns, lambda each, _standing: each is not trouble)
        new = () if trouble in self._faults else self._wrong(at_ns, trouble, detail)
        return [*deaf, *over, *new]

    def _discs(self, at_ns: int, discs: HubDiscs | None) -> Iterator[DiscsListen]:
        """Report which discs listen, if that has changed."""
        if discs != self._listen:
            self._listen = discs
            strange = discs is not None and self._are_strange(discs)
            sides, hub = (discs.sides, discs.hub) if discs is not None else ((), "")
            yield DiscsListen(at_ns, sides, strange, hub)

    def _are_strange(self, discs: HubDiscs) -> bool:
        return self._calibrated is not None and discs != self._calibrated

    def feed(self, data: bytes, at_ns: int) -> list[HubTold]:
        """Interpret bytes that arrived at ``at_ns``."""
        self._heard_ns = at_ns
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        told = [event for line in lines for event in self._line(line.removesuffix(b"\r"), at_ns)]
        if len(self._buffer) > LONGEST:
            if not self._midway:
                told += self._wrong(at_ns, Trouble.GARBLED, "a line without an end")
            self._buffer, self._midway = b"", True
        return told

    def look(self, at_ns: int) -> list[HubTold]:
        """Let time pass: a silent hub becomes a fault, and faults that have stopped are cleared.

        A hub of which no line can be read for as long is not believed until it says who it is.
        """
        told: list[HubTold] = []
        if self._speaker is None or at_ns >= self._speaker.heard_ns + SILENT_NS:
            self._speaker = None
            told += self._discs(at_ns, None)
        if at_ns >= self._heard_ns + SILENT_NS and Trouble.GONE not in self._faults:
            told += self._clear(at_ns, lambda each, _standing: each in _OF_THE_PORT)
            seconds = (at_ns - self._heard_ns) // SECOND
            told += self._wrong(at_ns, Trouble.GONE, f"it has said nothing for {seconds} s")
        quiet_ns = at_ns - QUIET_NS
        told += self._clear(
            at_ns,
            lambda each, past: (
                self._speaker is None
                if each is Trouble.MISFIT
                else each not in _OF_THE_PORT and past.last_ns <= quiet_ns
            ),
        )
        return told

    def say(self, at_ns: int) -> bytes:
        """Return what to send now: a question who the hub is, levels to use, or mostly nothing."""
        message = self._due()
        if message is None or (self._said_ns is not None and at_ns < self._said_ns + ASK_NS):
            return b""
        self._said_ns = at_ns
        line = HubLine(BOARD, self._sent, at_ns // 1_000, message)
        self._sent = (self._sent + 1) % SEQUENCES
        return write_line(line)

    def _due(self) -> HubMessage | None:
        if self._speaker is None or self._speaker.rival:
            return HubAsk()
        see, knock = self._wanted
        has = self._speaker.hello.levels
        wanted = HubLevels(has.see if see is None else see, has.knock if knock is None else knock)
        return wanted if wanted != has else None

    # --- lines -------------------------------------------------------------------------

    def _line(self, data: bytes, at_ns: int) -> Iterator[HubTold]:
        midway, self._midway = self._midway, False
        try:
            line = read_line(data)
        except LineMistake as mistake:
            if not midway:  # the rest of a line that began before the opening is not a fault
                yield from self._wrong(at_ns, _NAMES[mistake.flaw], str(mistake))
            return
        if line.tag == BOARD:
            yield from self._wrong(at_ns, Trouble.GARBLED, "it repeats what the board says")
            return
        speaker = self._speaker
        if speaker is None or line.tag != speaker.tag:
            yield from self._stranger(line, at_ns)
            return
        if not (yield from self._in_order(speaker, line, at_ns)):
            return
        speaker.heard_ns = at_ns
        if speaker.rival:
            yield from self._wrong(at_ns, Trouble.RIVAL, f"{speaker.rival} beside {speaker.tag}")
            speaker.rival = ""
        yield from self._tick(speaker, line, at_ns)
        yield from self._message(speaker, line, at_ns)

    def _stranger(self, line: HubLine, at_ns: int) -> Iterator[HubTold]:
        """Interpret a line of an unknown hub: the first, the same one restarted, or a second."""
        speaker, message = self._speaker, line.message
        if speaker is not None and at_ns < speaker.heard_ns + ASK_NS:
            same = isinstance(message, HubHello) and message.hub == speaker.hello.hub
            if not same:
                speaker.rival = line.tag  # a fault if the old one speaks again
                return
        if not isinstance(message, HubHello):
            self._speaker = None  # it will be asked who it is
            return
        clock = HubClock.at_first(line.ticks_us, at_ns)
        self._speaker = _Speaker(line.tag, message, line.sequence, clock, at_ns)
        yield from self._clear(at_ns, lambda each, _standing: each in _OF_THE_PORT)
        yield from self._hello(message, at_ns)

    def _in_order(
        self, speaker: _Speaker, line: HubLine, at_ns: int
    ) -> Generator[HubTold, None, bool]:
        """Compare a line's number with the one before; return whether the line is new."""
        step = (line.sequence - speaker.sequence) % SEQUENCES
        if step == 0 or step >= SEQUENCES // 2:
            words = f"line {line.sequence} after {speaker.sequence}"
            yield from self._wrong(at_ns, Trouble.REPEATED, words)
            return False
        speaker.sequence = line.sequence
        if step > 1:
            words = f"{step - 1} lines missing before line {line.sequence}"
            yield from self._wrong(at_ns, Trouble.TORN, words, step - 1)
        return True

    def _tick(self, speaker: _Speaker, line: HubLine, at_ns: int) -> Iterator[HubTold]:
        try:
            speaker.clock = speaker.clock.hear(line.ticks_us, at_ns)
        except WrongClock as wrong:
            speaker.clock = HubClock.at_first(line.ticks_us, at_ns)
            yield from self._wrong(at_ns, Trouble.CLOCK, str(wrong))

    def _message(self, speaker: _Speaker, line: HubLine, at_ns: int) -> Iterator[HubTold]:
        match line.message:
            case HubFrame() as seen:
                happened_ns = self._happened_ns(speaker, line, seen.ago_us, at_ns)
                yield ColourSeen(
                    happened_ns, seen.pocket, seen.red, seen.green, seen.blue, seen.dark
                )
            case HubKnock() as knock:
                happened_ns = self._happened_ns(speaker, line, knock.ago_us, at_ns)
                yield KnockHeard(happened_ns, knock.peaks)
            case HubHello() as hello:
                speaker.hello = hello
                yield from self._hello(hello, at_ns)
            case HubHealth() as health:
                yield from self._health(speaker, health, at_ns)
            case HubError() as error:
                yield from self._error(speaker, error.words.replace("_", " "), at_ns)
            case HubAsk() | HubLevels():
                yield from self._wrong(at_ns, Trouble.GARBLED, "it says what a board says")

    @staticmethod
    def _happened_ns(speaker: _Speaker, line: HubLine, ago_us: int, at_ns: int) -> int:
        """Return when something happened, by the board's clock: never after it was received."""
        return min(speaker.clock.at_ns(line.ticks_us) - ago_us * 1_000, at_ns)

    def _hello(self, hello: HubHello, at_ns: int) -> Iterator[HubTold]:
        discs = HubDiscs(hello.hub, hello.discs)
        yield from self._discs(at_ns, discs if hello.discs else None)
        if self._calibrated is None or not self._are_strange(discs):
            yield from self._clear(at_ns, lambda each, _standing: each is Trouble.MISFIT)
        elif Trouble.MISFIT not in self._faults:
            words = f"calibrated with {_named(self._calibrated)}, this is {_named(discs)}"
            yield from self._wrong(at_ns, Trouble.MISFIT, words)
        if hello.program != PROGRAM:
            words = f"its program is {hello.program}, this board was made for {PROGRAM}"
            yield from self._wrong(at_ns, Trouble.VERSION, words)

    def _health(self, speaker: _Speaker, health: HubHealth, at_ns: int) -> Iterator[HubTold]:
        before, speaker.health = speaker.health, health
        if health.busy > BUSY_ABOVE:
            words = f"it is busy for {health.busy / 10:g} % of its time"
            yield from self._wrong(at_ns, Trouble.DEFECT, words)
        if before is None:
            return
        if health.lost > before.lost:
            lost = health.lost - before.lost
            yield from self._wrong(at_ns, Trouble.TORN, f"it had no room for {lost} lines", lost)
        if health.unread > before.unread:
            unread = health.unread - before.unread
            words = f"it could not read {unread} lines of the board"
            yield from self._wrong(at_ns, Trouble.GARBLED, words, unread)

    def _error(self, speaker: _Speaker, words: str, at_ns: int) -> Iterator[HubTold]:
        """Report the hub's errors: each new one at once, with all that still persist."""
        told = speaker.errors
        still = {each: last_ns for each, last_ns in told.items() if last_ns > at_ns - QUIET_NS}
        if words in still or len(still) < MOST_ERRORS:
            still[words] = at_ns
        if still.keys() != told.keys():
            self._faults.pop(Trouble.DEFECT, None)
        speaker.errors = still
        yield from self._wrong(at_ns, Trouble.DEFECT, ", ".join(speaker.errors))

    # --- faults ------------------------------------------------------------------------

    def _wrong(
        self, at_ns: int, trouble: Trouble, words: str, count: int = 1
    ) -> Iterator[FaultRaised]:
        standing = self._faults.setdefault(trouble, _Standing())
        standing.count += count
        standing.last_ns = at_ns
        if standing.told == 0 or standing.count >= 10 * standing.told:
            standing.told = standing.count
            often = f" ({standing.count} times)" if standing.count > 1 else ""
            yield FaultRaised(at_ns, PART, trouble, f"sensor hub: {words}{often}")

    def _clear(
        self, at_ns: int, is_over: Callable[[Trouble, _Standing], bool]
    ) -> list[FaultCleared]:
        over = [each for each, standing in self._faults.items() if is_over(each, standing)]
        for each in over:
            del self._faults[each]
        return [FaultCleared(at_ns, PART, each) for each in over]


def _named(discs: HubDiscs) -> str:
    sides = " ".join(discs.sides) or "no side"
    return f"hub {discs.hub} with discs under {sides}"
