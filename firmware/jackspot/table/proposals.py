"""Making proposals: from falls, by hand, and from a line that was taken back.

A proposal holds only readings that are legal strokes on this board now; their
probabilities add up to one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackspot.core.directives import GiveTurn, RedPlace, Say, Saying
from jackspot.core.match import IllegalEntry, Match, MatchState
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.table.dark import also_unseen, dark_pockets, named
from jackspot.table.desk import Desk, Game, Hands, Line, Proposal
from jackspot.table.events import Fall
from jackspot.table.phrases import _
from jackspot.table.reading import Reading, Role, Scene, rank
from jackspot.table.talk import taken_back
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
    entered = _entered(match, stroke)
    return None if entered is None else entered.state


def _entered(match: Match, stroke: Stroke) -> Match | None:
    try:
        if match.state.next not in (None, stroke.seat):
            match = match.enter(GiveTurn(stroke.seat))
        return match.enter(stroke)
    except IllegalEntry:
        return None


def outcome(desk: Desk, proposal: Proposal) -> MatchState | None:
    """Say what confirming a proposal would make of the match; None: the rules refuse it.

    Where 0:00 has come and ``! time`` follows the stroke, it is counted in.
    """
    game = desk.game
    assert game is not None, "a proposal belongs to a match"
    match: Match | None = _match_before(game, proposal)
    lines = len(game.lines) + (0 if proposal.joining else 1)
    if match is not None and proposal.is_stroke:
        match = _entered(match, proposal.as_stroke(None))
    if match is None:
        return None
    if time_follows(desk, lines) and match.state.result is None:
        match = match.enter(Say(Saying.TIME))
    return match.state


def _match_before(game: Game, proposal: Proposal) -> Match:
    """Give the match a proposal would be entered in: without the line that it replaces."""
    replaced = proposal.before if proposal.joining else None
    return game.match if replaced is None else taken_back(game.match, replaced)


def time_follows(desk: Desk, lines: int) -> bool:
    """Whether ``! time`` is to be entered once there are so many lines."""
    due, game = desk.time_due, desk.game
    if due is None or game is None or game.match.state.board != due.board:
        return False
    if due.after is not None:
        return lines >= due.after
    groups = [each.falls for each in desk.waiting] + [each.falls for each in desk.parked]
    return not any(falls[0].start_ns < due.zero_ns for falls in groups if falls)


def ends_board(desk: Desk, proposal: Proposal) -> bool:
    """Whether confirming a proposal would end the board: it wants OK held."""
    after = outcome(desk, proposal)
    return after is not None and (after.result is not None or after.over)


def scene_for(
    desk: Desk, game: Game, seat: Seat, hands: Hands = (), flown: tuple[Piece, ...] = ()
) -> Scene:
    """Say what can have fallen on this board when ``seat`` shot and ``flown`` flew off it."""
    position = game.match.state.position
    side = position.seat_sides[seat]
    other = position.other(side)
    ready = may_play_the_jack(game, side)
    roles = {side.piece: Role.OWN, other.piece: Role.OPPONENT}
    available = {side.piece: position.left(side), other.piece: position.left(other)}
    if position.red is RedPlace.BOARD:
        roles[Piece.JACK] = Role.JACK_READY if ready else Role.JACK_EARLY
        available[Piece.JACK] = 1
    roles[Piece.STRIKER] = Role.STRIKER
    available[Piece.STRIKER] = 1
    for piece in flown:
        available[piece] = max(0, available.get(piece, 0) - 1)
    return Scene(available, roles, dict(hands), desk.customs.widths)


def may_play_the_jack(game: Game, side: Side) -> bool:
    """Whether a side has in what it needs and owes nothing: the jack wins it the board."""
    handicap = game.match.settings.handicaps.get(side)
    needed = handicap.pucks_needed if handicap else game.match.state.position.pieces_each
    count = game.match.state.position.count(side)
    return count.pocketed >= needed and count.owed == 0


def hands_now(desk: Desk) -> Hands:
    """Say in which pockets a fall is likely a hand just now."""
    hands: dict[Pocket, float] = {}
    fetched = [*desk.fetch]
    if desk.phase in (Phase.REVIEW, Phase.PAUSED):
        hands = dict.fromkeys(Pocket, HAND_IN_REVIEW)
        open_now = desk.proposal.departures if desk.proposal else ()
        fetched += [each.pocket for each in open_now if each.piece is Piece.STRIKER]
    if desk.phase is Phase.PLACING and desk.place:
        hands = dict.fromkeys(Pocket, HAND_FETCHING)
    hands.update({pocket: HAND_FETCHING for pocket in fetched if pocket is not None})
    return tuple(sorted(hands.items()))


def propose(
    desk: Desk,
    falls: tuple[Fall, ...],
    now_ns: int,
    like: Proposal | None = None,
    hands: Hands = (),
) -> Proposal:
    """Make a proposal of falls.

    ``like`` keeps the seat and what people marked: flags, pieces that flew off. ``hands``
    says where a fall was likely a hand when these came.
    """
    game = desk.game
    assert game is not None, "falls are proposed only in a match"
    old = like or Proposal(
        _shooter(game), falls, (), opened_ns=now_ns, hands=hands, dark=dark_pockets(desk)
    )
    scene = scene_for(desk, game, old.seat, old.hands, old.flown)
    readings = _legal(game, old.seat, also_unseen(scene, rank(scene, falls), old.dark))
    return replace(
        old, falls=falls, readings=readings, chosen=0, edited=None, changed_ns=now_ns,
        reopened=None, before=None,
    )  # fmt: skip


SAME_STROKE = 0.6
"""How likely a piece that falls at once after a stroke's last one is part of that stroke; it
falls to nothing over ``late_fall_ns``."""


def with_the_stroke_before(desk: Desk, fresh: Proposal) -> Proposal:
    """Let falls that waited also be read as part of the stroke that was confirmed last."""
    game = desk.game
    assert game is not None, "falls are proposed only in a match"
    line = game.lines[-1] if game.lines else None
    share = 0.0 if line is None else _same_stroke(desk, line, fresh.falls)
    if line is None or line.stroke is None or not share:
        return replace(fresh, waited=True, before=None)
    stroke = line.stroke
    earlier = replace(game, match=taken_back(game.match, line))
    scene = scene_for(desk, earlier, stroke.seat, fresh.hands)
    longer = [
        replace(each, joins=True)
        for each in rank(scene, fresh.falls, stroke.departures)
        if each.departures != stroke.departures
    ]
    legal = _legal(earlier, stroke.seat, longer)
    own = [each for each in legal if each.joins]
    pieces = sum(each.probability for each in fresh.readings if each.stroke) if own else 0.0
    merged = [
        replace(each, probability=each.probability * (1 - share if own and each.stroke else 1.0))
        for each in fresh.readings
    ]
    merged += [replace(each, probability=each.probability * share * pieces) for each in own]
    merged.sort(key=lambda each: (-each.probability, each.joins, str(each.departures)))
    total = sum(each.probability for each in merged) or 1.0
    readings = tuple(replace(each, probability=each.probability / total) for each in merged)
    return replace(fresh, readings=readings, waited=True, before=line if own else None)


def _same_stroke(desk: Desk, line: Line, falls: tuple[Fall, ...]) -> float:
    """Say how likely falls were part of a line's stroke, by how soon they came after it."""
    if desk.game is None or desk.game.match.state.result is not None or not line.falls:
        return 0.0
    delay_ns = falls[0].start_ns - line.falls[-1].end_ns
    late_ns = desk.customs.late_fall_ns
    return SAME_STROKE * (1 - delay_ns / late_ns) if 0 <= delay_ns < late_ns else 0.0


def by_hand(
    desk: Desk,
    now_ns: int,
    flags: frozenset[Flag] = frozenset(),
    flown: tuple[Piece, ...] = (),
    seat: Seat | None = None,
    *,
    nothing_first: bool | None = None,
    dark: tuple[Pocket, ...] | None = None,
) -> Proposal:
    """Make a proposal of something no beam saw: the usual strokes, likeliest first.

    A stroke with a flag or a flown piece mostly pocketed nothing, so that comes first there;
    else it comes last. ``dark`` are the pockets entered by hand; None: those of now.
    """
    game = desk.game
    assert game is not None, "a manual entry is made only in a match"
    seat = seat or _shooter(game)
    first = bool(flags or flown) if nothing_first is None else nothing_first
    position = game.match.state.position
    side = position.seat_sides[seat]
    own, opponent = side.piece, position.other(side).piece
    usual: list[tuple[tuple[Piece, ...], float]] = [
        ((own,), 0.42), ((opponent,), 0.16), ((Piece.STRIKER,), 0.14), ((Piece.JACK,), 0.08),
        ((own, own), 0.06), ((own, Piece.STRIKER), 0.06), ((own, opponent), 0.05),
        ((), 0.5 if first else 0.03),
    ]  # fmt: skip
    if position.red is not RedPlace.BOARD:
        usual = [each for each in usual if Piece.JACK not in each[0]]
    known = dark_pockets(desk) if dark is None else dark
    readings = [
        Reading(departures, weight, _("entered by hand"))
        for departures, weight in named(usual, known)
    ]
    readings.sort(key=lambda each: -each.probability)
    legal = _legal(game, seat, readings, flown)
    return Proposal(seat, (), legal, 0, flags, flown, None, None, now_ns, now_ns, dark=known)


def reopen(
    desk: Desk, line: Line, now_ns: int, flown: tuple[Piece, ...] | None = None,
    dark: tuple[Pocket, ...] | None = None,
) -> Proposal:  # fmt: skip
    """Open the review of a line that was just taken back: what was confirmed comes first.

    ``flown`` takes the place of what was confirmed to have flown off the board.
    """
    game = desk.game
    assert game is not None, "only a line of a match can be reopened"
    stroke = line.stroke
    seat = stroke.seat if stroke else _shooter(game)
    departures = stroke.departures if stroke else ()
    fallen = tuple(each for each in departures if not each.flew_off)
    known = dark_pockets(desk) if dark is None else dark
    if flown is None:
        flown = tuple(each.piece for each in departures if each.flew_off)
    if line.falls:
        scene = scene_for(desk, game, seat, flown=flown)
        others = also_unseen(scene, rank(scene, line.falls), known)
    else:
        others = by_hand(
            desk, now_ns, flown=flown, seat=seat, nothing_first=False, dark=known
        ).readings
    was = Reading(fallen, 1.0, _("was confirmed"), stroke=stroke is not None)
    rest = [each for each in others if (each.departures, each.stroke) != (fallen, was.stroke)]
    mine = sum(each.probability for each in others) - sum(each.probability for each in rest)
    readings = (replace(was, probability=max(mine, 0.0)), *rest)
    return Proposal(
        seat, line.falls, _legal(game, seat, readings, keep_first=True), 0,
        stroke.flags if stroke else frozenset(), flown, stroke.called if stroke else None,
        None, now_ns, now_ns, line, dark=known,
    )  # fmt: skip


def read_anew(desk: Desk, old: Proposal, now_ns: int) -> Proposal:
    """Read a proposal again on the board as it is now; what people said of it stays.

    The likeliest reading is shown again, unless people chose or edited another.
    """
    line = old.reopened
    was_seat = line.stroke.seat if line is not None and line.stroke else old.seat
    if line is not None and line.falls == old.falls and was_seat is old.seat:
        fresh = reopen(desk, line, now_ns, old.flown, old.dark)
    elif old.falls:
        fresh = propose(desk, old.falls, now_ns, like=old)
        if line is not None and line.stroke is not None and was_seat is old.seat:
            fresh = _longer(desk, fresh, line)
        elif old.waited:
            fresh = with_the_stroke_before(desk, fresh)
    else:
        nothing_first = bool(old.readings) and not old.readings[0].departures
        fresh = by_hand(
            desk, now_ns, flown=old.flown, seat=old.seat, nothing_first=nothing_first,
            dark=old.dark,
        )  # fmt: skip
    chosen, edited = 0, old.edited
    if old.chosen and edited is None:
        chosen, edited = find_reading(fresh, old.reading)
    return replace(
        fresh, chosen=chosen, edited=edited, flags=old.flags, flown=old.flown,
        called=old.called, reopened=line, hands=old.hands,
    )  # fmt: skip


STILL_TRUE = 0.9
"""How likely what was confirmed of a stroke still holds when it turns out to be longer."""


def _longer(desk: Desk, fresh: Proposal, line: Line) -> Proposal:
    """Rank first the readings that keep what was confirmed of a line before it grew."""
    game, stroke = desk.game, line.stroke
    assert game is not None, "a line belongs to a match"
    assert stroke is not None, "only a stroke can grow"
    known = {fall.number for fall in line.falls}
    more = tuple(fall for fall in fresh.falls if fall.number not in known)
    fallen = tuple(each for each in stroke.departures if not each.flew_off)
    scene = scene_for(desk, game, fresh.seat, fresh.hands, fresh.flown)
    merged: dict[tuple[tuple[Departure, ...], bool], Reading] = {}
    for readings, share in ((rank(scene, more, fallen), STILL_TRUE),
                            (fresh.readings, 1.0 - STILL_TRUE)):  # fmt: skip
        for each in readings:
            key = (each.departures, each.stroke)
            before = merged[key].probability if key in merged else 0.0
            merged[key] = replace(each, probability=before + share * each.probability)
    ordered = sorted(merged.values(), key=lambda each: (-each.probability, str(each.departures)))
    return replace(fresh, readings=_legal(game, fresh.seat, ordered))


def find_reading(proposal: Proposal, said: Reading) -> tuple[int, tuple[Departure, ...] | None]:
    """Find a reading by what it says: its index, else its pieces as an edit."""
    for index, each in enumerate(proposal.readings):
        same = (each.departures, each.stroke, each.joins)
        if same == (said.departures, said.stroke, said.joins):
            return index, None
    return 0, said.departures if said.stroke and not said.joins else None


def unnamed(proposal: Proposal) -> int | None:
    """Give the first piece that fell into a pocket that nobody has named."""
    for index, each in enumerate(proposal.departures):
        if each.pocket is None and not each.flew_off:
            return index
    return None


def wants_a_pocket(desk: Desk, proposal: Proposal) -> bool:
    """Whether the rules need to know where a piece fell before this can be entered."""
    game = desk.game
    if game is None or not proposal.is_stroke or unnamed(proposal) is None:
        return False
    match, stroke = _match_before(game, proposal), proposal.as_stroke(None)
    return try_stroke(match, stroke) is None and _may_be(match, stroke)


def _may_be(match: Match, stroke: Stroke) -> bool:
    """Whether the rules allow a stroke, once each piece's pocket is named."""
    if try_stroke(match, stroke) is not None:
        return True
    named_all = tuple(
        each if each.pocket or each.flew_off else replace(each, pocket=Pocket.NE)
        for each in stroke.departures
    )
    if named_all == stroke.departures:
        return False
    return try_stroke(match, replace(stroke, departures=named_all)) is not None


def unchanged(proposal: Proposal) -> bool:
    """Whether a reopened proposal says again what had been confirmed, of the same falls."""
    line = proposal.reopened
    if line is None or line.falls != proposal.falls:
        return False
    was = line.stroke
    if was is None or not proposal.is_stroke:
        return was is None and not proposal.is_stroke
    return replace(was, used_ns=None) == proposal.as_stroke(None)


def _shooter(game: Game) -> Seat:
    return game.match.state.next or game.match.state.position.seat


def _legal(
    game: Game,
    seat: Seat,
    readings: Iterable[Reading],
    flown: tuple[Piece, ...] = (),
    *,
    keep_first: bool = False,
) -> tuple[Reading, ...]:
    """Drop readings the rules refuse, and let the rest add up to one."""
    off = tuple(Departure(piece, flew_off=True) for piece in flown)
    kept: list[Reading] = []
    for index, reading in enumerate(readings):
        fine = not reading.stroke or (keep_first and index == 0) or index >= CHECKED
        if fine or _may_be(game.match, Stroke(seat, (*reading.departures, *off))):
            kept.append(reading)
    if not kept:
        kept = [Reading((), 1.0, _("no legal reading"), stroke=False)]
    total = sum(reading.probability for reading in kept)
    if not total:
        return tuple(replace(each, probability=1 / len(kept)) for each in kept)
    return tuple(replace(each, probability=each.probability / total) for each in kept)
