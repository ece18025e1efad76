"""Compute figures of matches: what each seat shot and each pocket took, summed up by player.

The input is a :class:`jackspot.core.match.Match`, from a record or a journal, and what a board
noted with it (how long a stroke took, what fell where). All counts add up, so the figures of a
season are the sum of those of its matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from types import MappingProxyType
from unicodedata import normalize

from msgspec import Struct, field

from jackspot.core.match import Match, MatchState, Step
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Stroke


class Shooting(Struct, frozen=True):
    """What somebody shot. All counts are of strokes or of pieces.

    ``own``, ``others`` and ``red`` (the jack or queen) are pieces pocketed; ``strikers`` fell or
    flew off; ``flown`` are other pieces that left the board. ``scoring`` strokes pocketed an own
    piece. ``fouls`` are strokes with a fault, ``paid`` the pieces that a side gave back for its
    shooter's strokes. ``took_ns`` has one duration for each stroke that was timed, shortest first.
    """

    strokes: int = 0
    scoring: int = 0
    own: int = 0
    others: int = 0
    red: int = 0
    strikers: int = 0
    flown: int = 0
    fouls: int = 0
    paid: int = 0
    took_ns: tuple[int, ...] = ()

    def __add__(self, other: Shooting) -> Shooting:
        """Add up two."""
        sums = {each: getattr(self, each) + getattr(other, each) for each in self.__struct_fields__}
        return Shooting(**{**sums, "took_ns": tuple(sorted(sums["took_ns"]))})

    @property
    def own_a_stroke(self) -> float:
        """Own pieces pocketed per stroke; 0 without strokes."""
        return self.own / self.strokes if self.strokes else 0.0

    @property
    def usual_ns(self) -> int | None:
        """The median duration of a stroke; None if none was timed."""
        return round(median(self.took_ns)) if self.took_ns else None


class PocketFigures(Struct, frozen=True):
    """The figures of one pocket.

    ``falls`` counts what its beam sensed; ``kinds`` the pieces that people confirmed in it.
    ``hands`` counts falls that belonged to no stroke, ``late`` those that were added to a stroke
    only after it had been confirmed without them.
    """

    falls: int = 0
    hands: int = 0
    late: int = 0
    kinds: Mapping[Piece, int] = field(default_factory=lambda: MappingProxyType({}))

    def __add__(self, other: PocketFigures) -> PocketFigures:
        """Add up two."""
        kinds = Counter(self.kinds) + Counter(other.kinds)
        return PocketFigures(
            self.falls + other.falls,
            self.hands + other.hands,
            self.late + other.late,
            MappingProxyType(dict(kinds)),
        )


class SeatFigures(Struct, frozen=True):
    """One seat of one match: who sat there, how it ended for them, and what they shot.

    ``name`` is empty if nobody was named. ``over``: the match is finished. ``won`` is None while it
    runs and if it was drawn.
    """

    seat: Seat
    name: str
    over: bool
    won: bool | None
    shooting: Shooting


class PlayerFigures(Struct, frozen=True):
    """One player over any number of matches. Unfinished ones are not in ``finished`` or ``won``."""

    name: str
    matches: int = 0
    finished: int = 0
    won: int = 0
    shooting: Shooting = field(default_factory=Shooting)


def seat_figures(match: Match, took_ns: Sequence[int | None] = ()) -> tuple[SeatFigures, ...]:
    """Count what each seat shot, in the order of play.

    ``took_ns`` has a duration, or None, for each of the match's steps; without it nothing is
    timed.
    """
    timed = [*took_ns, *[None] * (len(match.steps) - len(took_ns))]
    state, settings = match.state, match.settings
    shot: dict[Seat, Shooting] = {seat: Shooting() for seat in settings.seats}
    for before, step, took in zip(_before_each(match), match.steps, timed, strict=True):
        if isinstance(step.entry, Stroke):
            seat = step.entry.seat
            shot[seat] += _of_stroke(match, before, step, step.entry, took)
    return tuple(
        SeatFigures(
            seat,
            settings.names.get(seat, ""),
            state.over,
            None if state.winner is None else settings.sides[seat] is state.winner,
            shot[seat],
        )
        for seat in settings.seats
    )


def _before_each(match: Match) -> Iterator[MatchState]:
    """Yield the state before each step of a match."""
    before = match.opened
    for step in match.steps:
        yield before
        before = step.state


def _of_stroke(
    match: Match, before: MatchState, step: Step, stroke: Stroke, took: int | None
) -> Shooting:
    """Count one stroke."""
    rules = rules_for(match.settings.rules)
    position = before.position
    if before.result is not None:  # it opens the next board
        position = rules.opening(match.settings, before.boards, step.state.opener)
    own = rules.own(position)
    pieces = [each.piece for each in stroke.departures if not each.flew_off]
    gone = [each.piece for each in stroke.departures]
    mine = sum(piece in own and piece is not rules.red for piece in pieces)
    red, strikers = pieces.count(rules.red), pieces.count(Piece.STRIKER)
    ruling, side = step.ruling, position.seat_sides[stroke.seat]
    return Shooting(
        strokes=1,
        scoring=int(mine > 0),
        own=mine,
        others=len(pieces) - mine - red - strikers,
        red=red,
        strikers=gone.count(Piece.STRIKER),
        flown=sum(each.flew_off and each.piece is not Piece.STRIKER for each in stroke.departures),
        fouls=int(ruling is not None and ruling.foul),
        paid=ruling.paid[ruling.after.sides.index(side)] if ruling is not None else 0,
        took_ns=() if took is None else (took,),
    )


def pocket_figures(match: Match) -> Mapping[Pocket, PocketFigures]:
    """Count the pieces that a match's strokes put into each pocket, without what was sensed."""
    kinds: dict[Pocket, Counter[Piece]] = {pocket: Counter() for pocket in Pocket}
    for step in match.steps:
        if isinstance(step.entry, Stroke):
            for each in step.entry.departures:
                if each.pocket is not None:
                    kinds[each.pocket][each.piece] += 1
    return {
        pocket: PocketFigures(kinds=MappingProxyType(dict(counted)))
        for pocket, counted in kinds.items()
    }


def by_player(seats: Iterable[SeatFigures]) -> tuple[PlayerFigures, ...]:
    """Sum up by name, beginning with who played most; seats without a name are left out.

    Names that differ only in case or in surrounding blanks are the same.
    """
    found: dict[str, PlayerFigures] = {}
    for seat in seats:
        key = same_name(seat.name)
        if not key:
            continue
        so_far = found.get(key) or PlayerFigures(seat.name.strip())
        found[key] = PlayerFigures(
            so_far.name,
            so_far.matches + 1,
            so_far.finished + seat.over,
            so_far.won + bool(seat.won),
            so_far.shooting + seat.shooting,
        )
    return tuple(sorted(found.values(), key=lambda each: (-each.matches, each.name)))


def by_pocket(each: Iterable[Mapping[Pocket, PocketFigures]]) -> Mapping[Pocket, PocketFigures]:
    """Sum up by pocket."""
    found = {pocket: PocketFigures() for pocket in Pocket}
    for figures in each:
        for pocket, more in figures.items():
            found[pocket] += more
    return found


class Won(Struct, frozen=True):
    """What the players of one side have won under one rule system, in one or several matches.

    ``players`` has the side's names in the order of the seats, or a seat's letter without a name.
    ``won`` counts matches; boards and points are those of finished boards.
    """

    rules: RuleSystem
    players: tuple[str, ...]
    matches: int
    won: int
    boards_won: int
    points: int


def won_by(match: Match) -> tuple[Won, Won]:
    """Return what both sides of a match have won, beginning with the side of the first seat."""
    state, settings = match.state, match.settings
    names = {seat: " ".join(settings.names.get(seat, "").split()) for seat in settings.seats}
    first, second = (
        Won(
            settings.rules,
            tuple(names[seat] or seat for seat in settings.seats if settings.sides[seat] is side),
            matches=1,
            won=int(state.winner is side),
            boards_won=state.boards_won[side],
            points=state.points[side],
        )
        for side in dict.fromkeys(settings.sides[seat] for seat in settings.seats)
    )
    return first, second


def sum_won(each: Iterable[Won]) -> tuple[Won, ...]:
    """Sum up by the players of a side, most points first, separately for each rule system.

    Partners are the same pair wherever they sit; names are compared as in :func:`by_player`.
    """
    found: dict[tuple[RuleSystem, tuple[str, ...]], Won] = {}
    for one in each:
        key = one.rules, tuple(sorted(map(same_name, one.players)))
        so_far = found.get(key) or Won(one.rules, one.players, 0, 0, 0, 0)
        found[key] = Won(
            one.rules,
            so_far.players,
            so_far.matches + one.matches,
            so_far.won + one.won,
            so_far.boards_won + one.boards_won,
            so_far.points + one.points,
        )
    order = tuple(RuleSystem)
    return tuple(
        sorted(
            found.values(),
            key=lambda one: (
                order.index(one.rules),
                -one.points,
                -one.boards_won,
                -one.won,
                one.players,
            ),
        )
    )


def same_name(name: str) -> str:
    """Return a name normalised for comparison, including an umlaut written as one letter or two."""
    folded = " ".join(name.split()).casefold()
    return normalize("NFC", folded)
