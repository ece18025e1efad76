"""What is played at an event: its contests, who is entered, by which rules, at which boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from jackspot.core.agreement import agree
from jackspot.core.pieces import Seat
from jackspot.core.record import write_record
from jackspot.core.settings import MatchSettings
from jackspot_hub.event.contest import Contest
from jackspot_hub.event.schedule import FreeBoard

SEATS = {1: ((Seat.N,), (Seat.S,)), 2: ((Seat.N, Seat.S), (Seat.E, Seat.W))}
"""Where the first and the second side sit: two who play alone, two pairs."""


@dataclass(frozen=True, slots=True)
class PlayedClass:
    """One contest with its people: ``names`` are those of each entrant, one or two.

    ``header`` is what a match record's header says of every match of it: rules, options.
    ``title`` is what people call it.
    """

    contest: Contest
    names: Mapping[int, tuple[str, ...]]
    header: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    title: str = ""

    def people(self, entrant: int) -> frozenset[str]:
        """Return who an entrant is: people of one name are one, since nobody plays twice."""
        return frozenset(self.names[entrant])

    def settings(self, sides: tuple[int, int], event: str, key: str) -> MatchSettings:
        """Return what is agreed for a match. Disagreement where it cannot be played so."""
        seated = {
            seat: name
            for entrant, seats in zip(sides, SEATS[len(self.names[sides[0]])], strict=True)
            for seat, name in zip(seats, self.names[entrant], strict=True)
        }
        order = sorted(seated, key=list(Seat).index)
        return agree(
            {
                **self.header,
                "seats": [seat.value for seat in order],
                "names": {seat.value: name for seat, name in seated.items()},
                "event": event,
                "round": key,
            }
        )


@dataclass(frozen=True, slots=True)
class Programme:
    """An event. ``rest_ms`` is how long nobody is called after a match."""

    name: str
    hall: str
    classes: Mapping[str, PlayedClass]
    boards: tuple[FreeBoard, ...]
    rest_ms: int = 0


def header(settings: MatchSettings) -> str:
    """Write what is agreed as an order says it."""
    return write_record(settings, ())
