"""What the rules would make of a stroke that is only proposed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from jackspot.core.directives import Entry, GiveTurn
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.answers import assumed, fit_to
from jackspot.readings.reading import Reading

CHECKED = 12
"""How many of the likeliest readings are tried against the rules. The rest are legal as far as
the pieces on the board go, and the rules are asked again before anything is entered."""


def entries_of(match: Match, stroke: Stroke, missed: tuple[Seat, ...] = ()) -> tuple[Entry, ...]:
    """Return the entries that a stroke needs: misses before it, and a change of turn if needed.

    Raises :class:`IllegalEntry` where the rules refuse it. A miss that ends the board cannot
    have come before a stroke on it.
    """
    return _with_all_it_needs(match, stroke, missed)[0]


def _with_all_it_needs(
    match: Match, stroke: Stroke, missed: tuple[Seat, ...]
) -> tuple[tuple[Entry, ...], Match]:
    """Enter a stroke: return the entries it needs, and the match after them."""
    entries: list[Entry] = []
    for each in (*(Stroke(seat, used_ns=stroke.used_ns) for seat in missed), stroke):
        if match.state.next not in (None, each.seat):
            entries.append(GiveTurn(each.seat))
            match = match_with(match, entries[-1])
        entries.append(each)
        match = match.enter(each) if each is stroke else match_with(match, each)
    return tuple(entries), match


def match_with(match: Match, entry: Entry) -> Match:
    """Enter what comes before a stroke on the same board: a miss, or a change of turn.

    Raises :class:`IllegalEntry` where it ends the board, which leaves no place for the stroke.
    """
    after = match.enter(entry)
    if match.state.result is None and after.state.result is not None:
        raise IllegalEntry("the board was over before this stroke")
    return after


class _Trial(Struct, frozen=True, eq=False):
    """A stroke tried on this very match, as a key to remember the result.

    A match in the very same state has the same steps: each state is made by one.
    """

    match: Match
    stroke: Stroke
    missed: tuple[Seat, ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Trial):
            return NotImplemented
        mine, its = (self.stroke, self.missed), (other.stroke, other.missed)
        return self.match.state is other.match.state and mine == its

    def __hash__(self) -> int:
        return hash((id(self.match.state), self.stroke, self.missed))


REMEMBERED = 256
"""Trials kept: the readings of some proposals. Handling a press, finding what it means and
showing the board all ask what the same stroke would make of the same match."""


@lru_cache(maxsize=REMEMBERED)
def _tried(trial: _Trial) -> Match | None:
    match = trial.match
    try:
        return _with_all_it_needs(match, assumed(match, fit_to(match, trial.stroke)), trial.missed)[
            1
        ]
    except IllegalEntry:
        return None


def entered(match: Match, stroke: Stroke, missed: tuple[Seat, ...] = ()) -> Match | None:
    """Enter a stroke with all that it needs; None where the rules refuse it.

    Anything still to be asked about it is assumed to be answered well.
    """
    return _tried(_Trial(match, stroke, missed))


def may_have_missed(match: Match, missed: tuple[Seat, ...]) -> bool:
    """Whether these seats can have missed in this order with the board still running."""
    return _runs_after(match, [Stroke(seat) for seat in missed])


def may_have_the_turn(match: Match, seat: Seat) -> bool:
    """Whether a seat can be given the turn and the board still runs: after 0:00 that may end it."""
    return _runs_after(match, [GiveTurn(seat)])


def _runs_after(match: Match, entries: Iterable[Entry]) -> bool:
    try:
        for entry in entries:
            match = match.enter(entry)
            if match.state.result is not None:
                return False
    except IllegalEntry:
        return False
    return True


def legal(
    match: Match,
    seat: Seat,
    readings: Iterable[Reading],
    flown: tuple[Piece, ...] = (),
    *,
    keep_first: bool = False,
    checked: int = CHECKED,
    missed: tuple[Seat, ...] = (),
) -> tuple[Reading, ...]:
    """Drop the readings that the rules refuse, and scale the rest to add up to one.

    Unless a reading says otherwise, ``seat`` shot after the seats in ``missed``.
    """
    off = tuple(Departure(piece, flew_off=True) for piece in flown)
    kept: list[Reading] = []
    for index, reading in enumerate(readings):
        fine = not reading.stroke or (keep_first and index == 0) or index >= checked
        stroke = Stroke(reading.seat or seat, (*reading.departures, *off))
        before = reading.missed if reading.seat is not None else missed
        if fine or reading.joins or entered(match, stroke, before) is not None:
            kept.append(reading)
    return whole(kept or [Reading((), 1.0, _("no legal reading"), stroke=False)])


def whole(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Scale probabilities to add up to one."""
    kept = tuple(readings)
    total = sum([reading.probability for reading in kept])
    if not total:
        return tuple([each.as_likely(1 / len(kept)) for each in kept])
    return tuple([each.as_likely(each.probability / total) for each in kept])
