"""The page that is open already, as a display of the board that plays now."""

from __future__ import annotations

from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.values import changed
from jackspot.web.live import LiveBoard


class OpenPage:
    """The page as a display of one board: it outlives the board, and is not stopped with it."""

    name = "page"

    def __init__(self, live: LiveBoard) -> None:
        self._live = live
        self._before = live.view.sequence if live.view else 0

    def start(self) -> None:
        """Nothing to start: the server runs."""

    def post(self, view: BoardView) -> None:
        """Show a view; its number goes on from those of the boards before."""
        self._live.show(changed(view, sequence=view.sequence + self._before))

    def post_sound(self, sound: Sound) -> None:
        """Do nothing: the buzzer is heard through the table."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Leave the server running."""
        del timeout_s
        return True
