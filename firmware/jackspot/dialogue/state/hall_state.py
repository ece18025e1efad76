"""The board in a hall, as a value: the order, what became of it, whether the desk is reached."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.core.order import MatchOrder, MovedAway
from jackspot.core.phrases import Phrase
from jackspot.sensing.events import Place


class Answer(StrEnum):
    """What people at the board have made of an order."""

    SEATED = "seated"
    """Its players have said that they are there."""
    DECLINED = "declined"
    """The people who are there are not its players."""
    BEGUN = "begun"
    """Its match was started here."""


class DeskCall(Struct, frozen=True):
    """People at a place have asked the desk to come, and when they asked."""

    by: Place
    at_ns: int


class DeskLine(Struct, frozen=True):
    """A message from the hall's desk, and until when it is shown."""

    text: Phrase
    until_ns: int


class Identified(Struct, frozen=True):
    """The desk is looking for this board: its number, and from when until when it shows itself."""

    number: int
    since_ns: int
    until_ns: int


class HallState(Struct, frozen=True):
    """What the hall said last, and what people have answered."""

    order: MatchOrder | None = None
    number: int | None = None
    """The order that was answered last."""
    answer: Answer | None = None
    away: bool | None = None
    """The desk is not reached; None: nobody has told yet."""
    unsent: int | None = None
    """Results that the desk does not have yet; None: nobody has told since a match ended."""
    moved: MovedAway | None = None
    """A match ordered on this board that goes on at another one, as the desk says."""
    stays: int | None = None
    """The order whose match, as people have said, goes on here all the same."""
    gong_ns: int | None = None
    """When the common gong will be struck; None: none has been announced."""
    call: DeskCall | None = None
    """The desk is asked to come."""
    notice: DeskLine | None = None
    """What the desk announces to all boards."""
    own_notice: DeskLine | None = None
    """What it announces to this board alone."""
    identified: Identified | None = None
    """The desk is looking for this board; None: it is not."""

    @property
    def offered(self) -> MatchOrder | None:
        """The order that nobody has answered yet."""
        order = self.order
        return None if order is None or order.number == self.number else order

    @property
    def declined(self) -> int | None:
        """The hall's current order, whose players are not here, as people have said."""
        if self.answer is not Answer.DECLINED or self.order is None:
            return None
        return self.number if self.order.number == self.number else None
