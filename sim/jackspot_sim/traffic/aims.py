"""What a review should say, and whether it says so.

An aim is a stroke as somebody saw it; the display shows readings. Pure comparisons between
the two, used by :mod:`jackspot_sim.traffic.minds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, repeat

from msgspec import Struct

from jackspot.core.options import is_agreed
from jackspot.core.phrases import Phrase
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.view import BoardView, ReadingView
from jackspot.readings.own_pieces import counts_by_colour
from jackspot.values import changed


class ReviewAim(Struct, frozen=True):
    """What a review should say: this stroke, after these seats' misses, or like the one before.

    ``stroke`` None: it was no stroke. ``in_order``: the rules ask in which order pieces fell,
    ``pockets``: they ask into which pockets.
    """

    stroke: Stroke | None
    missed: tuple[Seat, ...] = ()
    before: bool = False
    at: int = 0
    """The stroke's number among those seen."""
    in_order: bool = False
    pockets: bool = False


def aim_at(
    settings: MatchSettings, stroke: Stroke, at: int, missed: tuple[Seat, ...] = (), *,
    before: bool = False,
) -> ReviewAim:  # fmt: skip
    """Return the aim for a stroke, with everything that these rules ask of it."""
    rules = rules_for(settings.rules)
    pockets = is_agreed(settings, "own_side_pockets", value=False)
    return ReviewAim(stroke, missed, before, at, not counts_by_colour(rules), pockets)


def says(shown: ReadingView, aim: ReviewAim) -> bool:
    """Whether a reading says exactly this, pockets and all."""
    stroke = aim.stroke
    if stroke is None or not shown.stroke or not _of(shown, aim):
        return stroke is None and not shown.stroke
    same = Counter(shown.departures) == Counter(stroke.departures)
    return same and (not aim.in_order or _order(shown.departures) == _order(stroke.departures))


def nearly_says(shown: ReadingView, aim: ReviewAim) -> bool:
    """Whether a reading says this except for pockets that nobody asked for."""
    if aim.pockets:
        return says(shown, aim)
    stroke = aim.stroke
    if stroke is None or not shown.stroke or not _of(shown, aim):
        return stroke is None and not shown.stroke
    same = _kinds(shown.departures) == _kinds(stroke.departures)
    return same and (not aim.in_order or _order(shown.departures) == _order(stroke.departures))


def _order(departures: Sequence[Departure]) -> list[Piece]:
    """Return the pieces that fell, in their order; a striker's place among them is never asked."""
    fallen = (each.piece for each in departures if not each.flew_off)
    return [piece for piece in fallen if piece is not Piece.STRIKER]


def _of(shown: ReadingView, aim: ReviewAim) -> bool:
    stroke = aim.stroke
    assert stroke is not None, "no stroke is nobody's"
    whose = (shown.seat, shown.missed, shown.before)
    return whose == (stroke.seat, aim.missed, aim.before) and shown.flags == stroke.flags


def _kinds(departures: Sequence[Departure]) -> Counter[tuple[str, bool]]:
    return Counter((each.piece.value, each.flew_off) for each in departures)


def flown_of(departures: Sequence[Departure]) -> Counter[str]:
    """Count what flew off the board, by kind."""
    return Counter(each.piece.value for each in departures if each.flew_off)


def sensed_pockets(view: BoardView) -> set[Pocket]:
    """Return the pockets that the readings mention; none if nothing was sensed.

    What was sensed may always have been no stroke. What is entered by hand is a stroke, and a
    pocket is proposed for it only where a beam misses pieces.
    """
    if all(each.stroke for each in view.readings):
        return set()
    return {
        each.pocket for one in view.readings for each in one.departures if each.pocket is not None
    }


def numbers_in(phrase: Phrase) -> Iterator[int]:
    """Return the numbers in a sentence, in their order."""
    for _name, value in phrase.blanks:
        if isinstance(value, Phrase):
            yield from numbers_in(value)
        elif isinstance(value, int):
            yield value


def in_order_of(have: Sequence[Departure], wanted: Sequence[Departure]) -> tuple[Departure, ...]:
    """Order what is wanted so that whatever is there already stays in place."""
    left = list(wanted)
    ordered: list[Departure | None] = []
    for each in have:
        same = each if each in left else next((w for w in left if _alike(w, each)), None)
        if same is not None:
            left.remove(same)
        ordered.append(same)
    filled = [each if each is not None or not left else left.pop(0) for each in ordered]
    return (*(each for each in filled if each is not None), *left)


def in_pockets_of(have: Sequence[Departure], wanted: Sequence[Departure]) -> tuple[Departure, ...]:
    """Let each piece have fallen where it is shown: nobody asks. What is new has no pocket yet."""
    shown = (None if each.flew_off else each.pocket for each in have)
    return tuple(
        each if each.flew_off else changed(each, pocket=pocket)
        for each, pocket in zip(wanted, chain(shown, repeat(None)), strict=False)
    )


def _alike(one: Departure, other: Departure) -> bool:
    return (one.piece, one.flew_off) == (other.piece, other.flew_off)
