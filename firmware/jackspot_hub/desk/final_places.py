"""Who finished where: the places of a contest, from its bracket and its table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from jackspot_hub.desk.state import DeskState
from jackspot_hub.event.contest import OpenPlay
from jackspot_hub.event.fixtures import LOST, Fixture, section_of
from jackspot_hub.event.standings import RankedEntrant

THIRD = "-third"
ALONE = (THIRD, "-final")
"""Endings of one-match brackets, which decide between two entrants left by another bracket."""
Brackets = Mapping[str, Mapping[int, Sequence[Fixture]]]


class SharedPlace(Struct, frozen=True):
    """Those who share a place of a contest, from ``first`` to ``last``."""

    first: int
    last: int
    entrants: tuple[int, ...]

    def __str__(self) -> str:
        """Return it as text: ``3``, ``5–8``."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


def brackets_of(desk: DeskState, contest: str) -> Brackets:
    """Return a contest's brackets, each with its rounds; matches without a place are left out."""
    drawn = desk.drawn(contest)
    found: dict[str, dict[int, list[Fixture]]] = {}
    for each in drawn.fixtures:
        if each.round != LOST and section_of(each.key) not in drawn.tables:
            found.setdefault(section_of(each.key), {}).setdefault(each.round, []).append(each)
    return found


def places_of(desk: DeskState, contest: str) -> tuple[SharedPlace, ...]:
    """Return the places of a contest that is over, of free play as they are now; else none.

    Those who went out in the same round share a place, as do both of a final that nobody came to.
    Those who stayed behind in one of several groups have none.
    """
    drawn = desk.drawn(contest)
    is_free = isinstance(desk.programme.classes[contest].contest.format, OpenPlay)
    if not drawn.fixtures or not (is_free or desk.is_over(contest)):
        return ()
    order: list[list[int]] = []
    if brackets := brackets_of(desk, contest):
        order = [*_decided(desk, contest, brackets), *_knocked_out(desk, contest, brackets)]
    if len(drawn.tables) == 1:
        order += _by_place(*drawn.tables.values())
    return tuple(_shared(order))


def _shared(order: Sequence[Sequence[int]]) -> Iterator[SharedPlace]:
    placed: set[int] = set()
    for each in order:
        others = tuple(dict.fromkeys(entrant for entrant in each if entrant not in placed))
        if others:
            yield SharedPlace(len(placed) + 1, len(placed) + len(others), others)
            placed.update(others)


def _decided(desk: DeskState, contest: str, brackets: Brackets) -> Iterator[list[int]]:
    """Yield those placed by the last match of all, and by the one for the third place."""
    known, drawn = desk.played(contest), desk.drawn(contest)
    if drawn.open_final is not None:  # it is over, without a winner
        yield list(known[drawn.open_final].sides)
    elif drawn.final is not None:
        for each in (drawn.final.winner, drawn.final.loser):
            yield [each] if isinstance(each, int) else []
    for section, rounds in brackets.items():
        for decider in chain(*rounds.values()) if section.endswith(THIRD) else ():
            for side in (known[decider.key].winner(), known[decider.key].loser()):
                yield [] if side is None else [side]


def _knocked_out(desk: DeskState, contest: str, brackets: Brackets) -> Iterator[list[int]]:
    """Yield who met in each round of a bracket, the last round first.

    Those who went on from there have been named by then, whatever has been corrected since. In a
    double elimination those of the lower bracket come first.
    """
    known = desk.played(contest)
    main = [each for each in brackets if not each.endswith(ALONE)]
    for section in sorted(main, key=lambda each: not each.endswith("-lower")):
        for _round, fixtures in sorted(brackets[section].items(), reverse=True):
            yield [side for each in fixtures for side in known[each.key].sides]


def _by_place(ranks: Sequence[RankedEntrant]) -> list[list[int]]:
    places: dict[int, list[int]] = {}
    for each in ranks:
        places.setdefault(each.place, []).append(each.entrant)
    return [places[each] for each in sorted(places)]
