"""Making proposals: from falls, by hand, and from a line that was taken back.

A proposal holds only readings that are legal strokes on this board now; their
probabilities add up to one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackspot.core.directives import GiveTurn, RedPlace
from jackspot.core.match import IllegalEntry, Match, MatchState
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.table.desk import Desk, Game, Line, Proposal
from jackspot.table.events import Fall
from jackspot.table.phrases import _
from jackspot.table.reading import Reading, Role, Scene, rank
from jackspot.table.view import Phase

CHECKED = 12
"""So many of the likeliest readings are tried against the rules; the rest are legal as far
as the pieces on the board go, and the rules are asked again before anything is entered."""

HAND_FETCHING = 0.9
"""How likely a fall is a hand in a pocket where somebody has something to fetch."""

HAND_IN_REVIEW = 0.35
"""How likely a fall is a hand while people look at the stroke before."""


def try_stroke(match: Match, stroke: Stroke) -> MatchState | None:
    """Say what a stroke would make of the match; None where the rules refuse it."""
    try:
        if match.state.next not in (None, stroke.seat):
            match = match.enter(GiveTurn(stroke.seat))
        return match.enter(stroke).state
    except IllegalEntry:
        return None


def scene_for(desk: Desk, game: Game, seat: Seat) -> Scene:
    """Say what can have fallen on this board when ``seat`` shot."""
    position = game.match.state.position
    side = position.seat_sides[seat]
    other = position.other(side)
    ready = position.left(side) == 0 and position.count(side).owed == 0
    roles = {side.piece: Role.OWN, other.piece: Role.OPPONENT}
    available = {side.piece: position.left(side), other.piece: position.left(other)}
    if position.red is RedPlace.BOARD:
        roles[Piece.JACK] = Role.JACK_READY if ready else Role.JACK_EARLY
        available[Piece.JACK] = 1
    roles[Piece.STRIKER] = Role.STRIKER
    available[Piece.STRIKER] = 1
    return Scene(available, roles, _hands(desk), desk.customs.widths)


def _hands(desk: Desk) -> dict[Pocket, float]:
    """Say in which pockets a fall is likely a hand just now."""
    hands: dict[Pocket, float] = {}
    if desk.phase in (Phase.REVIEW, Phase.PAUSED):
        hands = dict.fromkeys(Pocket, HAND_IN_REVIEW)
    if desk.phase is Phase.PLACING and desk.place:
        hands = dict.fromkeys(Pocket, HAND_FETCHING)
    hands.update({pocket: HAND_FETCHING for pocket in desk.fetch if pocket is not None})
    return hands


def propose(
    desk: Desk, falls: tuple[Fall, ...], now_ns: int, like: Proposal | None = None
) -> Proposal:
    """Make a proposal of falls; ``like`` keeps the seat, flags and pieces already marked."""
    game = desk.game
    assert game is not None, "falls are proposed only in a match"
    seat = like.seat if like else _shooter(game)
    flags = like.flags if like else frozenset()
    flown = like.flown if like else ()
    readings = _legal(game, seat, rank(scene_for(desk, game, seat), falls), flags)
    opened_ns = like.opened_ns if like else now_ns
    return Proposal(seat, falls, readings, 0, flags, flown, None, None, opened_ns, now_ns)


def by_hand(
    desk: Desk, now_ns: int, flags: frozenset[Flag] = frozenset(), flown: tuple[Piece, ...] = ()
) -> Proposal:
    """Make a proposal of something no beam saw: the usual strokes, likeliest first.

    A stroke with a flag or a flown piece mostly pocketed nothing, so that comes first there;
    else it comes last.
    """
    game = desk.game
    assert game is not None, "a manual entry is made only in a match"
    seat = _shooter(game)
    scene = scene_for(desk, game, seat)
    own, opponent = (
        next(piece for piece, role in scene.roles.items() if role is wanted)
        for wanted in (Role.OWN, Role.OPPONENT)
    )
    nothing: tuple[tuple[Piece, ...], float] = ((), 0.5 if flags or flown else 0.03)
    usual: list[tuple[tuple[Piece, ...], float]] = [
        ((own,), 0.42), ((opponent,), 0.16), ((Piece.STRIKER,), 0.14), ((Piece.JACK,), 0.08),
        ((own, own), 0.06), ((own, Piece.STRIKER), 0.06), ((own, opponent), 0.05), nothing,
    ]  # fmt: skip
    if not position_has_jack(game):
        usual = [each for each in usual if Piece.JACK not in each[0]]
    usual.sort(key=lambda each: -each[1])
    readings = tuple(
        Reading(tuple(Departure(piece) for piece in pieces), weight, _("entered by hand"))
        for pieces, weight in usual
    )
    legal = _legal(game, seat, readings, frozenset())
    return Proposal(seat, (), legal, 0, flags, flown, None, None, now_ns, now_ns)


def position_has_jack(game: Game) -> bool:
    """Whether the jack lies on the board."""
    return game.match.state.position.red is RedPlace.BOARD


def reopen(desk: Desk, line: Line, now_ns: int) -> Proposal:
    """Open the review of a line that was just taken back: what was confirmed comes first."""
    game = desk.game
    assert game is not None, "only a line of a match can be reopened"
    stroke = line.stroke
    seat = stroke.seat if stroke else _shooter(game)
    if line.falls:
        others = rank(scene_for(desk, game, seat), line.falls)
    else:
        others = by_hand(desk, now_ns).readings
    departures = stroke.departures if stroke else ()
    fallen = tuple(each for each in departures if not each.flew_off)
    flown = tuple(each.piece for each in departures if each.flew_off)
    was = Reading(fallen, 1.0, _("was confirmed"), stroke=stroke is not None)
    rest = [each for each in others if (each.departures, each.stroke) != (fallen, was.stroke)]
    mine = sum(each.probability for each in others) - sum(each.probability for each in rest)
    readings = (replace(was, probability=mine), *rest)
    return Proposal(
        seat, line.falls, _legal(game, seat, readings, frozenset(), keep_first=True), 0,
        stroke.flags if stroke else frozenset(), flown, stroke.called if stroke else None,
        None, now_ns, now_ns, line,
    )  # fmt: skip


def unchanged(proposal: Proposal) -> bool:
    """Whether a reopened proposal says again what had been confirmed."""
    if proposal.reopened is None:
        return False
    was = proposal.reopened.stroke
    if was is None or not proposal.is_stroke:
        return was is None and not proposal.is_stroke
    return replace(was, used_ns=None) == proposal.as_stroke(None)


def _shooter(game: Game) -> Seat:
    return game.match.state.next or game.match.state.position.seat


def _legal(
    game: Game, seat: Seat, readings: Iterable[Reading], flags: frozenset[Flag],
    keep_first: bool = False,
) -> tuple[Reading, ...]:  # fmt: skip
    """Drop readings the rules refuse, and let the rest add up to one."""
    kept: list[Reading] = []
    for index, reading in enumerate(readings):
        stroke = Stroke(seat, reading.departures, flags)
        fine = not reading.stroke or (keep_first and index == 0) or index >= CHECKED
        if fine or try_stroke(game.match, stroke) is not None:
            kept.append(reading)
    if not kept:
        kept = [Reading((), 1.0, _("no legal reading"), stroke=False)]
    total = sum(reading.probability for reading in kept) or 1.0
    return tuple(replace(each, probability=each.probability / total) for each in kept)
