"""Rank the ways to understand what was sensed, the likeliest first.

A beam knows where something fell and for how long it was broken, but never what it was. A reading
is one account of it: these pieces fell, in this order, into these pockets; or it was not a stroke
at all (a hand, sunlight). Each has a probability, and all of them together add up to one.

Theory of operation. An account's weight is a product: how usual it is that a stroke pockets just
this (:mod:`jackspot.readings.usual`: on this board, in this order, into these pockets), times how
well every fall fits what the account says made it (:mod:`jackspot.readings.widths`). A fall was one
piece, two at once, or none. Falls are taken one after the other and only the likeliest partial
accounts are carried on, so the work is bounded however many falls there are. Accounts with the same
pieces in the same pockets are one reading, which shows the likeliest order. Where the rules ask
which piece fell last, accounts with another order of pieces are another reading; a striker's place
among them never matters.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from math import prod
from operator import attrgetter
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure
from jackspot.readings.colours import ColourModel
from jackspot.readings.evidence import Evidence
from jackspot.readings.own_pieces import ONE_OF_A_KIND
from jackspot.readings.reasons import PieceNames, Reasons
from jackspot.readings.shots import ShotEvidence
from jackspot.readings.skill import ANYBODY
from jackspot.readings.usual import (
    AIMS,
    AS_PUBLISHED,
    AT_ONCE,
    CENTRE,
    FLASH,
    HAND_AFTER_STRIKER,
    HAND_AFTERWARDS,
    HAND_AGAIN,
    HAND_IN_PLAY,
    NOTHING,
    OPPONENT,
    OWN,
    PLACE,
    STRIKER,
    STROKES,
    STROKES_QUEEN_FIRST,
    STROKES_READY,
    STROKES_WITH_QUEEN,
    Aim,
    Each,
    Pocketed,
    Role,
    Times,
    Usual,
    pocket_share,
)
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import Fall
from jackspot.values import changed

__all__ = [
    "DOUBTFUL_BELOW", "KEPT_ACCOUNTS", "PRIORS", "Reading", "Role", "Scene", "WidthModel",
    "likeliest_first", "rank",
]  # fmt: skip

KEPT_ACCOUNTS = 96
"""Readings given at most."""

CARRIED_ACCOUNTS = 16
"""Partial accounts carried from one fall to the next."""

NOT_CARRIED = 1e-4
"""A partial account this much less likely than the best one is dropped."""

NOT_WORTH = 1e-8
"""A reading this much less likely than the best one is not given."""

DOUBTFUL_BELOW = 0.55
"""A reading less likely than this is shown with a question mark."""

PRIORS: Mapping[Role, float] = MappingProxyType(
    {
        Role.OWN: sum(STROKES[1, 0, 0, 0]) / 400_000,
        Role.OPPONENT: sum(STROKES[0, 1, 0, 0]) / 400_000,
        Role.STRIKER: sum(STROKES[0, 0, 1, 0]) / 400_000,
        Role.JACK_EARLY: sum(STROKES[0, 0, 0, 1]) / 400_000,
        Role.JACK_READY: sum(STROKES_READY[0, 0, 0, 1]) / 400_000,
        Role.QUEEN_EARLY: sum(STROKES[0, 0, 0, 1]) / 400_000,
        Role.QUEEN: sum(STROKES_WITH_QUEEN[0, 0, 0, 1]) / 400_000,
        Role.QUEEN_FIRST: sum(STROKES_QUEEN_FIRST[0, 0, 0, 1]) / 400_000,
    }
)
"""How often anybody's stroke pockets just one piece, of this role; see
:mod:`jackspot.readings.usual`."""


class Scene(Struct, frozen=True):
    """What can have fallen: the board's side of the question.

    ``available`` counts the pieces still on the board by kind (a striker is one of them, several
    where all seats break at once); ``roles`` says what each kind is to the shooter. ``hands``
    gives, for a pocket where somebody has something to fetch just now, the probability that a fall
    there is a hand. ``seat`` is who shot, since pieces more often fall across the board from there;
    None if unknown. ``skill`` says how well that seat plays, ``full`` how many own pieces a full
    board has. ``in_order``: the rules depend on the order in which pieces fell.
    """

    available: Mapping[Piece, int]
    roles: Mapping[Piece, Role]
    hands: Mapping[Pocket, float] = field(default_factory=lambda: MappingProxyType({}))
    widths: WidthModel = field(default_factory=WidthModel)
    seat: Seat | None = None
    skill: Each = ANYBODY
    full: int = 12
    in_order: bool = False
    times: Times = field(default_factory=lambda: AS_PUBLISHED)
    """What this board has learnt (:mod:`jackspot.dialogue.proposals.learnt`)."""
    further: tuple[Evidence, ...] = ()
    """What sensors other than beams say of falls; what knocks say is in ``shots``."""
    shots: ShotEvidence | None = None

    @property
    def terms(self) -> tuple[Evidence, ...]:
        """All terms by which falls are weighed."""
        return (self.widths, *self.further, *(() if self.shots is None else (self.shots,)))

    def evidence(self, pocket: Pocket) -> tuple[Evidence, ...]:
        """Return the terms that a fall through this pocket is weighed by."""
        return tuple(each.at(pocket) for each in self.terms)

    @property
    def aim(self) -> Aim:
        """What everybody aims at."""
        if self.available.get(Piece.STRIKER, 0) > 1:
            return Aim.MASS_BREAK
        there = (self.roles[piece] for piece, count in self.available.items() if count > 0)
        return next((AIMS[role] for role in there if role in AIMS), Aim.PIECES)

    @property
    def game(self) -> PieceNames:
        """What the pieces are called."""
        if not {Piece.WHITE, Piece.BLACK, Piece.BROWN, Piece.QUEEN} & set(self.roles):
            return PieceNames.CAROM
        return PieceNames.CARROM if Role.OPPONENT in self.roles.values() else PieceNames.COUNTERS


class Reading(Struct, frozen=True):
    """One account of what was sensed. ``stroke`` False: it was not a stroke at all."""

    departures: tuple[Departure, ...]
    probability: float
    why: Phrase
    stroke: bool = True
    joins: bool = False
    """The pieces complete the stroke that was confirmed last; they begin with those of it."""
    seat: Seat | None = None
    """Whose stroke it was, if not that of the seat whose turn it is."""
    missed: tuple[Seat, ...] = ()
    """Seats that missed before it without anybody pressing."""
    flown: tuple[Piece, ...] = ()
    """What was marked as flown off, given that ``seat`` shot."""

    def as_likely(self, probability: float) -> Reading:
        """Return the same account with another probability; every ranking does this often."""
        return Reading(
            self.departures, probability, self.why, self.stroke, self.joins, self.seat,
            self.missed, self.flown,
        )  # fmt: skip


class _Account(Struct, frozen=True):
    """A partial account. ``fit`` is its weight without how usual its pieces are."""

    weight: float
    fit: float
    pocketed: Pocketed
    striker_last: bool
    before: Pocket | None
    """The pocket of the piece before."""
    hand: Pocket | None
    """The pocket of the fall before, if that was a hand."""
    departures: tuple[Departure, ...]
    content: int
    """The departures regardless of order, as one number: accounts that agree are merged."""


class _Way(Struct, frozen=True):
    """One way in which pieces can have made a fall, regardless of accounts."""

    fit: float
    places: tuple[int, ...]
    departures: tuple[Departure, ...]
    content: int
    any_order: bool = False
    """Two pieces at once, where it does not matter which fell first."""


class _Step(Struct, frozen=True):
    """A way, weighed for accounts that pocketed the same before and end in the same pocket."""

    weight: float
    fit: float
    pocketed: Pocketed
    striker_last: bool
    way: _Way


def rank(
    scene: Scene, falls: tuple[Fall, ...], fallen: tuple[Departure, ...] = ()
) -> tuple[Reading, ...]:
    """Rank the ways to understand some falls of one stroke.

    ``fallen`` are pieces of the same stroke that are already known; every reading begins with them.
    Returns at least one reading; their probabilities add up to one. With no falls at all the only
    reading is that nothing fell.
    """
    if not falls:
        return (Reading((), 1.0, _("nothing was sensed")),)
    board = _Board(scene)
    accounts = [board.begin(fallen)]
    for fall in falls[:-1]:
        accounts = board.extend(accounts, fall, CARRIED_ACCOUNTS, NOT_CARRIED)
    accounts = board.extend(accounts, falls[-1], KEPT_ACCOUNTS, NOT_WORTH)
    merged: dict[_Content, tuple[float, _Account]] = {}
    for account in accounts:
        content = board.content(account)
        before = merged.get(content)
        weight = account.weight + (before[0] if before else 0.0)
        merged[content] = (weight, before[1] if before else account)
    total = sum(weight for weight, _account in merged.values())
    reasons = board.reasons(falls)
    ordered = sorted(
        merged.values(), key=lambda each: (likeliest_first(each[0] / total), each[1].content)
    )
    return tuple(
        [
            Reading(
                account.departures,
                weight / total,
                reasons.of_stroke(account.pocketed) if account.departures else reasons.of_nothing(),
                stroke=bool(account.departures),
            )
            for weight, account in ordered
        ]
    )


def likeliest_first(probability: float) -> float:
    """Return the key by which readings are sorted; differences of rounding count as equal.

    The same falls are read more than once (as they come, again after a power cut), and sums in
    another order differ in the last digit: equally likely readings must not change places.
    """
    return round(-probability, 12)


class _Board:
    """One scene with what is computed once for it: what is usual, and how falls fit."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.kinds = tuple(piece for piece, count in scene.available.items() if count > 0)
        left = [0, 0, 0, 0]
        for piece in self.kinds:
            left[PLACE[scene.roles[piece]]] += scene.available[piece]
        self.left = (left[OWN], left[OPPONENT], left[STRIKER], left[CENTRE])
        aim = scene.aim
        times = scene.times.get(aim, MappingProxyType({}))
        self.usual = Usual(self.left, scene.full, aim, scene.skill, times)
        self.anything = self.usual.anything()

        self.mixed = len({PLACE[scene.roles[piece]] for piece in self.kinds}) < len(self.kinds)

    def reasons(self, falls: tuple[Fall, ...]) -> Reasons:
        """Return the reasons to give for falls on this board."""
        scene = self.scene
        centre = any(piece in ONE_OF_A_KIND for piece in self.kinds)
        heads = (each for each in scene.further if isinstance(each, ColourModel))
        return Reasons(
            falls, scene.hands, scene.widths, self.usual, scene.game, centre, self.kinds,
            next(heads, None),
        )  # fmt: skip

    def content(self, account: _Account) -> _Content:
        """Return the content of an account: accounts with the same content are one reading."""
        if not self.scene.in_order:
            return account.content
        pieces = (each for each in account.departures if each.piece is not Piece.STRIKER)
        return account.content, tuple(pieces)

    def begin(self, fallen: tuple[Departure, ...]) -> _Account:
        """Return the account to begin with: the pieces that are already known."""
        pocketed = NOTHING
        for each in fallen:
            pocketed = _with(pocketed, (PLACE[self.scene.roles[each.piece]],))
        last = fallen[-1] if fallen else None
        striker_last = last is not None and last.piece is Piece.STRIKER
        before = last.pocket if last else None
        content = sum(_code(each) for each in fallen)
        often = self.usual.in_order(pocketed, striker_last=striker_last) or self.anything
        weight = often / self.anything if fallen else 1.0
        return _Account(weight, 1.0, pocketed, striker_last, before, None, fallen, content)

    def extend(
        self, accounts: list[_Account], fall: Fall, keep: int, least: float
    ) -> list[_Account]:
        """Add one fall to every account, and keep the ``keep`` likeliest, the heaviest first.

        ``accounts`` come heaviest first too. Accounts with less than ``least`` of the likeliest
        one's weight are dropped.
        """
        ways = tuple(self._ways(fall))
        terms = self.scene.terms
        hand = prod([term.hand(fall) for term in terms])
        flash = FLASH / len(Pocket) * prod([term.flash(fall) for term in terms])
        steps: dict[tuple[Pocketed, Pocket | None], tuple[_Step, ...]] = {}
        grown: dict[tuple[_Content, Pocket | None, bool, Pocket | None], _Account] = {}
        worth = 0.0
        for account in accounts:
            after = (account.pocketed, account.before)
            if after not in steps:
                steps[after] = self._steps(account.pocketed, account.before, fall.pocket, ways)
            none = flash + hand * self._hand_odds(account, fall.pocket)
            with_none = changed(
                account, weight=account.weight * none, fit=account.fit * none, hand=fall.pocket
            )
            for each in (with_none, *self._grown(account, fall, steps[after], worth)):
                if each.weight < worth:
                    continue
                worth = max(worth, least * each.weight)
                key = (self.content(each), each.before, each.striker_last, each.hand)
                same = grown.get(key)
                grown[key] = each if same is None else _merged(same, each)
        kept = heapq.nlargest(keep, grown.values(), key=_weight)
        most = kept[0].weight
        return [changed(each, weight=each.weight / most, fit=each.fit / most) for each in kept]

    def _ways(self, fall: Fall) -> Iterator[_Way]:
        """Return every way in which one piece, or two at once, can have made a fall.

        Each kind of evidence multiplies its own density into these fits.
        """
        terms, shares = self.scene.evidence(fall.pocket), self._shares()
        for index, first in enumerate(self.kinds):
            one = prod([term.one(first, fall) for term in terms]) * shares[first]
            place = PLACE[self.scene.roles[first]]
            departure = Departure(first, fall.pocket)
            yield _Way(one, (place,), (departure,), _code(departure))
            for second in self.kinds[index:]:
                both = prod([term.two(first, second, fall) for term in terms])
                two = both * shares[first] * shares[second]
                yield from self._both(first, second, fall.pocket, two)

    def _both(self, first: Piece, second: Piece, pocket: Pocket, fit: float) -> Iterator[_Way]:
        """Return the ways in which these two fell at once, a striker behind the other."""
        departures = (Departure(first, pocket), Departure(second, pocket))
        places = (PLACE[self.scene.roles[first]], PLACE[self.scene.roles[second]])
        if places[0] == STRIKER:
            departures, places = departures[::-1], places[::-1]
        content = _code(departures[0]) + _code(departures[1])
        if first is second:
            yield _Way(fit, places, departures, content)
        elif self.scene.in_order and STRIKER not in places:
            yield _Way(fit, places, departures, content)
            yield _Way(fit, places[::-1], departures[::-1], content)
        else:
            yield _Way(2 * fit, places, departures, content, any_order=True)

    def _shares(self) -> dict[Piece, float]:
        """Share a role among the kinds that have it, by how many there are."""
        return {
            piece: self.scene.available[piece] / self.left[PLACE[self.scene.roles[piece]]]
            for piece in self.kinds
        }

    def _steps(
        self, before: Pocketed, last: Pocket | None, pocket: Pocket, ways: tuple[_Way, ...]
    ) -> tuple[_Step, ...]:
        """Weigh every way for all accounts that pocketed the same, the heaviest first.

        ``last`` is the pocket of the piece before, ``pocket`` that of this fall.
        """
        usual, seat = self.usual, self.scene.seat
        apart = 1.0 - AT_ONCE if last is pocket else 1.0
        steps: list[_Step] = []
        for way in ways:
            pocketed = _with(before, way.places)
            striker_last = way.places[-1] == STRIKER
            often = usual.in_order(pocketed, striker_last=striker_last)
            fit = way.fit * apart * pocket_share(way.places[0], pocket, seat, last)
            if len(way.places) == 2:
                fit *= AT_ONCE * pocket_share(way.places[1], pocket, seat, pocket)
                if way.any_order:  # its fit is of both orders
                    often = 0.5 * (often + usual.in_order(pocketed, striker_last=False))
            if often:
                weight = fit * often / self.anything
                steps.append(_Step(weight, fit, pocketed, striker_last, way))
        return tuple(sorted(steps, key=_weight, reverse=True))

    def _grown(
        self, account: _Account, fall: Fall, steps: tuple[_Step, ...], worth: float
    ) -> Iterator[_Account]:
        """Return what an account becomes with one more fall, while the weight is worth keeping."""
        for step in steps:
            weight = account.fit * step.weight
            if weight < worth:
                return
            if self.mixed and not self._there(account, step.way):
                continue
            yield _Account(
                weight, account.fit * step.fit, step.pocketed, step.striker_last, fall.pocket,
                None, account.departures + step.way.departures,
                account.content + step.way.content,
            )  # fmt: skip

    def _there(self, account: _Account, way: _Way) -> bool:
        """Whether the board has enough of each kind for an account with this way added."""
        fallen = [each.piece for each in (*account.departures, *way.departures)]
        return all(
            fallen.count(each.piece) <= self.scene.available[each.piece] for each in way.departures
        )

    def _hand_odds(self, account: _Account, pocket: Pocket) -> float:
        """Weigh a hand against the pieces of a stroke, where somebody may have reached in."""
        if account.hand is pocket:
            return HAND_AGAIN
        if pocket in self.scene.hands:
            likely = min(self.scene.hands[pocket], 0.999)
            return likely / (1.0 - likely) / len(Pocket)
        if account.pocketed == NOTHING:
            return HAND_IN_PLAY / len(Pocket)
        fetched = Departure(Piece.STRIKER, pocket) in account.departures
        return HAND_AFTER_STRIKER if fetched else HAND_AFTERWARDS / len(Pocket)


def _with(pocketed: Pocketed, places: tuple[int, ...]) -> Pocketed:
    """Return the counts with further pieces, given by the place of their role."""
    count = list(pocketed)
    for place in places:
        count[place] += 1
    return count[OWN], count[OPPONENT], count[STRIKER], count[CENTRE]


_weight = attrgetter("weight")


def _merged(same: _Account, other: _Account) -> _Account:
    """Add the weights of two accounts with the same content; show the likelier one."""
    shown = same if same.weight >= other.weight else other
    return changed(shown, weight=same.weight + other.weight, fit=same.fit + other.fit)


_Content = int | tuple[int, tuple[Departure, ...]]
"""What fell where, as one number; where the order counts, also the pieces in it."""

_PIECES = {piece: index for index, piece in enumerate(Piece)}
_POCKETS: dict[Pocket | None, int] = {None: 0} | {p: n for n, p in enumerate(Pocket, start=1)}


def _code(departure: Departure) -> int:
    """Return a number for what fell where; their sums are equal for equal content."""
    return 1 << (5 * (_PIECES[departure.piece] * len(_POCKETS) + _POCKETS[departure.pocket]))
