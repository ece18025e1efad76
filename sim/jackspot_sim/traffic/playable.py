"""What people need of a board to play at it, be it the pure chain or the whole firmware."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.sensing.events import HubEvent
from jackspot.sensing.signals import Source
from jackspot_sim.boards.chain import Watcher


class Playable(Protocol):
    """What a round asks of a board: time, wires and fingers, and what can be seen and heard."""

    sounds: list[Sound]

    @property
    def wires(self) -> Collection[Source]:
        """The wires that it has."""

    @property
    def watchers(self) -> list[Watcher]:
        """The functions that are called for every step."""

    @property
    def now_ns(self) -> int:
        """The virtual instant."""

    @property
    def dialogue(self) -> DialogueState:
        """What is open now."""

    @property
    def view(self) -> BoardView:
        """What everybody sees now."""

    @property
    def phase(self) -> Phase:
        """The phase that the dialogue is in."""

    def wait(self, seconds: float) -> object:
        """Let time pass."""

    def wait_until(self, until_ns: int) -> object:
        """Let time pass up to an instant."""

    def later(self, at_ns: int, act: Callable[[], None]) -> object:
        """Schedule an action for an instant."""

    def pulse_later(self, pocket: Pocket, start_ns: int, end_ns: int) -> object:
        """Break a beam from ``start_ns`` to ``end_ns``."""

    def hear(self, event: HubEvent) -> object:
        """Take what a sensor hub reports, now."""

    def edge(self, source: Source, active: bool) -> object:
        """Change a wire, now."""

    def press(self, place: str, key: str) -> object:
        """Press a button and let it go."""

    def hold(self, place: str, key: str, seconds: float = 1.1) -> object:
        """Hold a button until its hold has fired, and let it go."""

    def undo(self, place: str) -> object:
        """Press UNDO."""
