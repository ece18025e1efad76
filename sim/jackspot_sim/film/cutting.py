"""Cuts a film to a short moving picture: the strokes worth seeing, and none of the waiting.

A match lasts for minutes, in which people mostly think. Of each chosen stroke only what moves is
shown: somebody aims, the pieces run, a beam is broken, the board proposes, fingers press, pieces
are put back. After each of these there is as much time as it takes to read the OLED.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from jackspot.core.pieces import Piece
from jackspot.dialogue.state.view import Phase
from jackspot_sim.chance.frequencies import PieceRole
from jackspot_sim.film.values import Film, Filmed
from jackspot_sim.soak.matches import kind_of

AIMS_NS = 600_000_000
"""How much of the aiming is seen."""
READS_NS = 900_000_000
"""How long people look at what the OLED says now."""
PRESSES_NS = 350_000_000
"""How long before a press the picture is there."""
MS = 1_000_000
CALM = frozenset({Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER})


class Span(Struct, frozen=True):
    """A part of a film that is shown."""

    start_ns: int
    end_ns: int

    @property
    def length_ns(self) -> int:
        """How long it takes."""
        return self.end_ns - self.start_ns


def cut(film: Film, longest_ns: int) -> tuple[Span, ...]:
    """Choose what is shown, at most about this long, in the order in which it happened.

    The break comes first, then one stroke of each kind that a match is made of, the best first, as
    long as there is room.
    """
    chosen: dict[int, tuple[Span, ...]] = {}
    left_ns = longest_ns
    for stroke in _wanted(film):
        spans = tuple(spans_of(film, stroke))
        needed_ns = sum(each.length_ns for each in spans)
        if needed_ns <= left_ns:
            chosen[stroke.number] = spans
            left_ns -= needed_ns
    if not chosen:
        first = next(spans_of(film, film.strokes[0]))
        return (Span(first.start_ns, min(first.end_ns, first.start_ns + longest_ns)),)
    shown = (span for number in sorted(chosen) for span in chosen[number])
    return tuple(_to_a_still(film, [*_joined(shown)]))


def _to_a_still(film: Film, spans: Sequence[Span]) -> Iterator[Span]:
    """Let the last span end while the board waits for the next shot, so that it can be read."""
    *before, last = spans
    yield from before
    rests_ns = max((each.at_ns + _run_ns(film, each) for each in film.strokes
                    if each.at_ns < last.end_ns), default=0)  # fmt: skip
    calm = [
        ns for ns in film.views.times()
        if rests_ns <= ns < last.end_ns and film.views.at(ns).phase in CALM
        and film.views.at(ns).menu is None
    ]  # fmt: skip
    if calm and calm[-1] > last.start_ns:
        changes_ns = film.views.next_after(calm[-1]) or last.end_ns
        last = Span(last.start_ns, min(changes_ns, calm[-1] + READS_NS, last.end_ns))
    yield last


def _run_ns(film: Film, each: Filmed) -> int:
    return round(film.runs[each.number - 1].shot.duration_s * 1e9)


def _wanted(film: Film) -> list[Filmed]:
    """Return the strokes in the order in which they are wanted."""
    first, *rest = film.strokes
    found = [first]
    for is_it in (_pockets, _is_striker_foul, _ends, _pockets_two, _flies):
        found += [each for each in rest if is_it(film, each) and each not in found][:1]
    return found + [each for each in rest if each.stroke.departures and each not in found]


def _pockets(film: Film, each: Filmed) -> bool:
    """Whether a stroke pocketed one piece of its own, and was confirmed as it was proposed."""
    return len(each.stroke.departures) == 1 and not each.missed and _is_own(film, each)


def _pockets_two(film: Film, each: Filmed) -> bool:
    return len(each.stroke.departures) == 2 and _is_own(film, each)


def _is_own(film: Film, each: Filmed) -> bool:
    stand = film.stands[each.number - 1]
    return all(
        one.pocket is not None and kind_of(one.piece, stand) is PieceRole.OWN
        for one in each.stroke.departures
    )


def _is_striker_foul(film: Film, each: Filmed) -> bool:
    """Whether a striker fell and something has to be put back for it."""
    fell = any(one.piece is Piece.STRIKER and one.pocket for one in each.stroke.departures)
    return fell and any(film.scenes.at(ns).back for ns in _instants(film, each))


def _flies(film: Film, each: Filmed) -> bool:
    del film
    return any(one.flew_off for one in each.stroke.departures)


def _ends(film: Film, each: Filmed) -> bool:
    return each.number == len(film.strokes) and film.true.over


def _instants(film: Film, each: Filmed) -> Sequence[int]:
    start_ns, end_ns = each.at_ns, _until(film, each)
    return [ns for ns in film.scenes.times() if start_ns <= ns < end_ns]


def _until(film: Film, each: Filmed) -> int:
    """Return when the next stroke begins, or the film ends."""
    following = film.strokes[each.number :][:1]
    return following[0].at_ns if following else film.end_ns


def spans_of(film: Film, each: Filmed) -> Iterator[Span]:
    """Return the parts of one stroke in which there is something to see."""
    end_ns = _until(film, each) - AIMS_NS
    moves = [Span(each.at_ns - AIMS_NS, each.at_ns + _run_ns(film, each) + 200 * MS)]
    moves += [Span(ns - 100 * MS, ns + READS_NS) for ns in _instants(film, each)[1:]]
    moves += [Span(ns, ns + READS_NS) for ns in film.views.times() if each.at_ns < ns < end_ns]
    moves += [
        Span(edge.at_ns - PRESSES_NS, edge.at_ns + PRESSES_NS)
        for edge in film.edges
        if each.at_ns < edge.at_ns < end_ns
    ]
    for span in _joined(sorted(moves, key=lambda one: one.start_ns)):
        if span.start_ns < end_ns:
            yield Span(span.start_ns, min(span.end_ns, end_ns))


def _joined(spans: Sequence[Span] | Iterator[Span]) -> Iterator[Span]:
    """Join spans that touch each other."""
    last: Span | None = None
    for span in spans:
        if last is not None and span.start_ns <= last.end_ns:
            last = Span(last.start_ns, max(last.end_ns, span.end_ns))
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last
