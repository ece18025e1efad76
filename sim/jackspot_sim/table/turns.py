"""Who has the striker now, and whether the stroke that is asked for has been shot already.

The board knows strokes only as they are entered; the table knows shots. Between the two there is a
time in which a shot has been made but its stroke has not been entered, and whoever shot waits.
Meanwhile people may correct the record, including what was entered before the shot, and take back
what was entered after it. So a shot remembers the record as it was, and not its length: a
correction that turns a stroke and its penalty into one stroke makes a record shorter, and the next
shot of the same seat is still due.

Values in, values out; this module knows no clocks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from msgspec import Struct

from jackspot.core.directives import Entry
from jackspot.core.pieces import Seat
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.values import changed


class Turn(StrEnum):
    """Who has the striker now, and what is to be done with it."""

    NOBODY = "nobody"
    """Nobody is to shoot."""
    PERSON_AIMS = "person_aims"
    """A person is to shoot."""
    PERSON_SHOT = "person_shot"
    """A person has shot, or something else is open: it is settled before the next shot, but nothing
    keeps people from shooting sooner."""
    COMPUTER_AIMS = "computer_aims"
    """A computer player is to shoot."""
    COMPUTER_SHOT = "computer_shot"
    """It has shot, or something else is open: it waits until that is settled."""


class LastShot(Struct, frozen=True):
    """A seat's shot, and what had been entered by then."""

    seat: Seat
    entered: tuple[Entry, ...]

    def is_open(self, view: BoardView) -> bool:
        """Whether the stroke that a view asks for has been shot, and is not entered yet.

        If the record was taken back to before the shot, what it asks for has been shot. If it is
        longer by a stroke, the shot is entered. If it was corrected from before the shot on, the
        shot is entered once its seat has more strokes than it had.
        """
        now = () if view.written is None else view.written.entries
        if now == self.entered[: len(now)]:
            return True
        if now[: len(self.entered)] == self.entered:
            further = now[len(self.entered) :]
            return view.shooter is self.seat and not _strokes(further)
        return _strokes(now, self.seat) <= _strokes(self.entered, self.seat)

    def seen(self, view: BoardView) -> LastShot:
        """Return the shot with a record that was corrected from before it on.

        Only if nothing waits to be entered again.
        """
        if view.written is None or view.waiting or view.menu is not None:
            return self
        now = view.written.entries
        shorter = min(len(now), len(self.entered))
        corrected = now[:shorter] != self.entered[:shorter]
        return changed(self, entered=now) if corrected and self.is_open(view) else self


def _strokes(entries: Sequence[Entry], seat: Seat | None = None) -> int:
    """Count the strokes, of one seat or of all."""
    return sum(isinstance(each, Stroke) and seat in (None, each.seat) for each in entries)


def turn_of(
    view: BoardView, computers: Collection[Seat], *, has_shot: bool, striker_lies: bool
) -> Turn:
    """Return who has the striker, by what a board shows.

    ``has_shot``: what it asks for has been shot. ``striker_lies``: the last shot's striker is on
    the board; in free play, where nobody confirms anything, it is shot again once it is taken up.
    """
    if view.free is not None:
        return Turn.PERSON_SHOT if striker_lies else Turn.PERSON_AIMS
    if view.phase in (Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER):
        return Turn.NOBODY
    aims = view.phase is Phase.READY and not has_shot
    if view.shooter in computers:
        return Turn.COMPUTER_AIMS if aims else Turn.COMPUTER_SHOT
    return Turn.PERSON_AIMS if aims else Turn.PERSON_SHOT
