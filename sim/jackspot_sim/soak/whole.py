"""The whole board for the soak: from pins to journal and OLED, driven as the pure chain is.

:class:`WholeBoard` is the firmware as it is assembled on a Pi, on simulated pins, a simulated I2C
bus and virtual time, with its journal in a folder of its own. It offers what
:mod:`jackspot_sim.traffic.rounds` asks of a board, so that the same people can play at either.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self

from jackspot.board import Board, BoardParts, DisplayPort
from jackspot.config.model import Config
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.inputs.pins import Active, Wire
from jackspot.sensing.events import Button, Fall, HubEvent, Key, Place
from jackspot.sensing.limits import SECOND
from jackspot.sensing.signals import Source
from jackspot.values import changed
from jackspot_sim.boards.chain import SETTLED_MS, TAP_MS, PulsesInWait, Watcher
from jackspot_sim.boards.rehearsal import board_config
from jackspot_sim.boards.rig import Built, Onlookers, Rig
from jackspot_sim.clock import SimClock
from jackspot_sim.table.table import LoggedEdge
from jackspot_sim.traffic.rounds import GeneratedMatch

I2C_HZ = 400_000
"""The bus speed that the installation sets."""

OF_THE_MATCH = ("widths", "times", "auto_confirm", "hands", "shots", "further")
"""What is not in the config: what the board has learnt, and how much people have to press."""

IN_MEMORY = Path("/dev") / "shm"
"""Where journals are that nobody keeps: no disk has to be sure of an entry."""


class _WatchedBoard(Board):
    """A board whose dialogue is observed after each event; each is written and shown separately."""

    def __init__(self, parts: BoardParts, displays: Sequence[DisplayPort]) -> None:
        super().__init__(parts, displays)
        self.watchers: list[Watcher] = []

    def _serve(self, events: Iterable[DialogueEvent]) -> None:
        listed = tuple(events)
        if not listed:
            super()._serve(())
        for event in listed:
            before = self.dialogue
            super()._serve((event,))
            for watch in self.watchers:
                watch(before, event, self.dialogue)


class _Everybody:
    """Everybody who sees what the board shows and hears its sounds."""

    name = "everybody"

    def __init__(self, sounds: list[Sound]) -> None:
        self._sounds = sounds
        self.view: BoardView | None = None

    def start(self) -> None:
        """Begin to listen."""

    def post(self, view: BoardView) -> None:
        """See a view."""
        self.view = view

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""
        self._sounds.append(sound)

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop listening."""
        del timeout_s
        return True


class WholeBoard(PulsesInWait):
    """One board on devices of its own; :meth:`close` ends it.

    ``onlookers`` see what displays, wires and outputs do on it; ``clock`` is the clock they go by.
    """

    def __init__(
        self,
        case: GeneratedMatch,
        onlookers: Onlookers | None = None,
        clock: SimClock | None = None,
    ) -> None:
        looking = onlookers or Onlookers()
        self.sounds: list[Sound] = []
        self.latencies_ns: list[int] = []
        """From the edge that ended each fall to the last bit of what it changed on the OLED.

        The board's wait to be sure of an edge counts, and so does the time on the wire; processor
        time does not.
        """
        in_memory = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
        self._folder = tempfile.TemporaryDirectory(prefix="jackspot-soak-", dir=in_memory)
        self._clock = clock or SimClock(None)
        config, agreed = board_config(case.settings, at_box=case.box), case.dialogue_settings
        made: list[_WatchedBoard] = []

        def make(parts: BoardParts, displays: Sequence[DisplayPort]) -> Board:
            settings = changed(
                parts.dialogue_settings, **{name: getattr(agreed, name) for name in OF_THE_MATCH}
            )
            made.append(_WatchedBoard(changed(parts, dialogue_settings=settings), displays))
            return made[0]

        self.journal = Path(self._folder.name) / "soak.sqlite3"
        self._everybody = _Everybody(self.sounds)
        self._rig = Rig(
            config, self.journal, self._clock,
            changed(looking, further=(self._everybody, *looking.further)),
            built=Built(make),
        )  # fmt: skip
        [self._board] = made
        self._on_edge = looking.on_edge
        self._edges = itertools.count(1)
        self._waits = False
        super().__init__()
        self._wires = _inputs(config)
        self.wires: list[Source] = list(self._wires)
        self._board.start()
        self.wait(1.0)  # nobody presses in the moment in which it starts
        self._sent = self._rig.bus.traffic
        self._board.watchers.append(self._time_the_bus)

    @property
    def rig(self) -> Rig:
        """The board's devices."""
        return self._rig

    def close(self) -> None:
        """Stop the board in an orderly way, and delete its journal."""
        self._board.stop()
        self._folder.cleanup()

    def _time_the_bus(
        self, _before: DialogueState, event: DialogueEvent, _after: DialogueState
    ) -> None:
        sent = self._rig.bus.traffic
        if isinstance(event, Fall):
            waited_ns = self.now_ns - event.end_ns
            self.latencies_ns.append(waited_ns + (sent - self._sent).wire_time_ns(I2C_HZ))
        self._sent = sent

    # what a round asks of a board

    @property
    def now_ns(self) -> int:
        """The virtual instant."""
        return self._clock.now_ns()

    @property
    def watchers(self) -> list[Watcher]:
        """The functions that are called for every step."""
        return self._board.watchers

    @property
    def dialogue(self) -> DialogueState:
        """What is open now."""
        return self._board.dialogue

    @property
    def view(self) -> BoardView:
        """What everybody sees now."""
        view = self._everybody.view
        assert view is not None, "a board that has begun has shown something"
        return view.at(self.now_ns)

    @property
    def phase(self) -> Phase:
        """The phase that the dialogue is in."""
        return self.dialogue.phase

    def wait(self, seconds: float) -> Self:
        """Let time pass."""
        return self.wait_until(self.now_ns + round(seconds * SECOND))

    def wait_until(self, until_ns: int) -> Self:
        """Let time pass up to an instant, with everything that is scheduled."""
        self._waits = True
        while self._board.turn(until_ns):
            pass
        self._waits = False
        return self

    def later(self, at_ns: int, act: Callable[[], None]) -> Self:
        """Schedule an action for an instant."""
        self._clock.at(at_ns, act)
        return self

    def hear(self, event: HubEvent) -> Self:
        """Take what a sensor hub reports, now."""
        self._clock.submit(event)
        return self

    def edge(self, source: Source, active: bool) -> Self:
        """Change a wire, now; the board takes it before it waits for anything later."""
        self.later(self.now_ns, lambda: self._drive(source, active=active))
        return self if self._waits else self.wait_until(self.now_ns)

    def press(self, place: str, key: str) -> Self:
        """Press a button and let it go."""
        return self.hold(place, key, TAP_MS / 1000)

    def hold(self, place: str, key: str, seconds: float = 1.1) -> Self:
        """Hold a button for ``seconds``, and let it go."""
        button = Button(Place(place), Key(key))
        return self.edge(button, True).wait(seconds).edge(button, False).wait(SETTLED_MS / 1000)

    def undo(self, place: str) -> Self:
        """Press UNDO: its button where the place has one, else OK and FIX together."""
        if Button(Place(place), Key.UNDO) in self._wires:
            return self.press(place, "undo")
        ok, fix = (Button(Place(place), key) for key in (Key.OK, Key.FIX))
        self.edge(ok, True).wait(0.02).edge(fix, True).wait(TAP_MS / 1000)
        self.edge(ok, False).wait(SETTLED_MS / 1000)
        return self.edge(fix, False).wait(SETTLED_MS / 1000)

    def _drive(self, source: Source, *, active: bool) -> None:
        wire, now_ns = self._wires[source], self._clock.now_ns()
        self._on_edge(LoggedEdge(next(self._edges), now_ns, wire.name, active))
        level = active is (wire.active is Active.HIGH)
        self._rig.factory.drive(wire.gpio, level, now_ns)


def _inputs(config: Config) -> dict[Source, Wire]:
    return {wire.source: wire for wire in config.wires if wire.source is not None}
