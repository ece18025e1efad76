"""Play a capture back: the whole firmware on virtual time, as fast as the machine runs.

Everything from edges to journal and pictures is the board's own; only pins and time come from the
capture. A capture that began with its board gives the same journal again. One that began later
starts as after a restart, which may differ from the board that went on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from jackspot.assembly import KINDS, dialogue_settings, plan
from jackspot.board import Board, BoardParts, DisplayPort
from jackspot.calibration.file import Calibration, CalibrationError, from_text
from jackspot.calibration.learnt import LearntError, parse
from jackspot.capture.errors import CaptureError
from jackspot.capture.vcd_file import Capture, in_words, journal_lines
from jackspot.config import ConfigError
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Pocket
from jackspot.files import LONG_LINE, toml
from jackspot.inputs.queue import SourceClosed
from jackspot.ops.watchdog import Watchdog
from jackspot.readings.colours import ColourModel
from jackspot.readings.shots import ShotModel
from jackspot.readings.usual import AS_PUBLISHED, Times
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import Button, Edge, Event
from jackspot.storage.errors import BadEntry
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall

ORIGIN = "capture"
"""How mistakes in the config name their file."""


class ReplaySource:
    """The event source of a replay: the capture's events, each when the board took it.

    Implements :class:`jackspot.inputs.queue.EventSource`. ``on_edge`` is called for each edge that
    is handed out. The source closes on its own at the end of the capture.
    """

    is_real_time = False

    def __init__(self, capture: Capture, on_edge: Callable[[], None] = lambda: None) -> None:
        taken_ns = capture.taken_ns or [each.at_ns for each in capture.happened]
        self._coming = deque(zip(taken_ns, capture.happened, strict=True))
        self._others: deque[Event] = deque()
        self._now_ns = capture.opening.began_ns if capture.opening else 0
        self._end_ns = capture.end_ns
        self._on_edge = on_edge
        self._closed = False

    def move_on(self, at_ns: int) -> None:
        """Let time pass to an instant."""
        self._now_ns = max(self._now_ns, at_ns)

    def submit(self, event: Event) -> None:
        """Put in an event from a display."""
        self._others.append(event)

    def next(self, deadline_ns: int | None) -> Event | None:
        """Return the next edge, or None when the deadline comes first."""
        if self._closed:
            raise SourceClosed
        if self._others:
            return self._others.popleft()
        due_ns = self._end_ns if deadline_ns is None else min(deadline_ns, self._end_ns)
        if self._coming and self._coming[0][0] <= due_ns:
            taken_ns, event = self._coming.popleft()
            self.move_on(taken_ns)
            if isinstance(event, Edge):
                self._on_edge()
            return event
        if deadline_ns is None or deadline_ns > self._end_ns:
            self.move_on(self._end_ns)
            raise SourceClosed
        self.move_on(deadline_ns)
        return None

    def now_ns(self) -> int:
        """Return the instant that the replay has reached."""
        return self._now_ns

    def close(self) -> None:
        """End the replay."""
        self._closed = True


class _Inputs(Struct, frozen=True):
    """The wires of a replay: found in the same state as in the capture."""

    capture: Capture

    def start(self) -> Collection[Pocket | Button]:
        """Return the wires that are active already."""
        return self.capture.active

    def look(self, now_ns: int) -> int | None:
        """Find nothing: a capture has every edge that the board took."""
        del now_ns
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class _Kept(Struct, frozen=True):
    """An entry of the journal at the start of a capture."""

    kind: str
    at_ns: int
    body: Mapping[str, Any]


def config_of(capture: Capture) -> Config:
    """Return the captured board's config, or the reference board's if the capture has none.

    Raises CaptureError with the mistakes of a config that this program does not accept.
    """
    if capture.opening is None:
        return check({}, Origin(ORIGIN, {}))
    try:
        return check(toml(capture.opening.config, LONG_LINE), Origin(ORIGIN, {}))
    except (ValueError, ConfigError) as error:
        words = f"the config in the capture cannot be used: {in_words(error)}"
        raise CaptureError(words) from error


def widths_of(capture: Capture, config: Config) -> WidthModel:
    """Return the widths that the captured board's readings used."""
    calibration = _calibration_of(capture, config)
    return WidthModel() if calibration is None else calibration.widths()


def shots_of(capture: Capture, config: Config) -> ShotModel:
    """Return the model by which the captured board's readings weighed knocks."""
    calibration = _calibration_of(capture, config)
    return ShotModel() if calibration is None else calibration.shots()


def colours_of(capture: Capture, config: Config) -> ColourModel:
    """Return the colours that the captured board's readings knew."""
    calibration = _calibration_of(capture, config)
    return ColourModel() if calibration is None else calibration.colours()


def _calibration_of(capture: Capture, config: Config) -> Calibration | None:
    if capture.opening is None or not capture.opening.calibration:
        return None
    try:
        return from_text(capture.opening.calibration, config, "the capture's calibration")
    except CalibrationError as error:
        raise CaptureError(str(error)) from error


def times_of(capture: Capture) -> Times:
    """Return what the captured board had learnt."""
    if capture.opening is None or not capture.opening.learnt:
        return AS_PUBLISHED
    try:
        return parse(capture.opening.learnt).times()
    except LearntError as error:
        raise CaptureError(f"what the board had learnt, in the capture: {error}") from error


@contextmanager
def board_for(
    capture: Capture,
    config: Config,
    journal: Path,
    displays: Sequence[DisplayPort] = (),
    on_edge: Callable[[], None] = lambda: None,
) -> Iterator[Board]:
    """Assemble a board that plays the capture into ``journal``, which must be new.

    ``Board.run`` plays it. Raises CaptureError for invalid entries, and JournalError if the journal
    cannot be written.
    """
    keeper = Keeper(journal, KINDS, SystemWall())
    try:
        _keep_opening(capture, keeper)
    finally:
        keeper.close()
    keeper = Keeper(journal, KINDS, SystemWall())
    source = ReplaySource(capture, on_edge)
    parts = BoardParts(
        source=source,
        inputs=_Inputs(capture),
        keeper=keeper,
        watchdog=Watchdog({}),
        wires=tuple(wire.source for wire in config.wires if wire.source is not None),
        hold_offs=config.hold_offs,
        limits=config.limits,
        dialogue_settings=dialogue_settings(
            config,
            widths_of(capture, config),
            times_of(capture),
            shots_of(capture, config),
            colours_of(capture, config),
        ),
        plan=plan(config),
    )
    try:
        board = Board(parts, displays)
        if capture.opening is not None:
            source.move_on(capture.opening.started_ns)
        yield board
    finally:
        keeper.close()
    keeper.refuse_loss()


def _keep_opening(capture: Capture, keeper: Keeper) -> None:
    if capture.opening is None:
        return
    entries = [
        _Kept(entry["kind"], entry["at_ns"], MappingProxyType(entry["body"]))
        for entry in journal_lines(capture.opening)
    ]
    try:
        keeper.append(entries)
    except BadEntry as error:
        raise CaptureError(f"the journal at the capture's start: {error}") from error
