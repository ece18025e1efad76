"""Readings that span strokes: part of the stroke before, or of a seat later in the round.

A fall is first read as a stroke of the seat whose turn it is. It may also complete the stroke
that was confirmed last; confirming that replaces the entry. Or it may be the stroke of a later
seat, because the seats before missed and nobody pressed; confirming that enters their misses too.
The numbers that weigh each are in :mod:`jackspot.readings.spans`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from operator import itemgetter

from jackspot.core.directives import GiveTurn
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Position
from jackspot.core.stroke import Stroke
from jackspot.dialogue.proposals.hanging import may_have_been_last, that_end_it
from jackspot.dialogue.proposals.legal import legal, whole
from jackspot.dialogue.proposals.scenes import ranked, scene_in
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Game, Line
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.transition import taken_back
from jackspot.readings.own_pieces import ONE_OF_A_KIND, own_of
from jackspot.readings.reading import Reading, likeliest_first
from jackspot.sensing.events import Fall
from jackspot.values import changed

READINGS_BY_FIX = 6
"""How many readings FIX steps through; all others are reached by editing."""

LEAST = 0.002
"""A later seat's stroke with less weight than this is left to editing."""

MINDED_BY = 60
"""How many of the newest lines show how often a miss is forgotten: referees change."""

CHECKED_LATER = 4
"""How many readings of a later seat are tried against the rules."""


def with_spans(dialogue: InMatch, fresh: Proposal) -> Proposal:
    """Add readings of a proposal as part of the stroke before, or as a later seat's."""
    line = _line_before(dialogue.game, fresh)
    stroke = line.stroke if line else None
    own = _completing(dialogue, fresh, line, stroke) if line and stroke else ()
    share, shot = _share(dialogue, fresh, line) if line is not None and own else (0.0, 1.0)
    later = _later_seats(dialogue, fresh)
    mass = sum(each.probability for each in fresh.readings if each.stroke)
    whole_weight = 1.0 + sum(weight for weight, _heard, _readings in later)
    plain = mass * (1 - share) / whole_weight
    merged = [
        each.as_likely(each.probability * plain / mass) if each.stroke else each
        for each in _with_silence(dialogue, fresh)
    ]
    merged += [each.as_likely(each.probability * mass * share / shot) for each in own]
    for weight, heard, readings in later:
        merged += [each.as_likely(each.probability * plain * weight * heard) for each in readings]
    return changed(fresh, readings=in_order(dialogue, fresh, merged), before=line if own else None)


def in_order(
    dialogue: InMatch, fresh: Proposal, readings: Iterable[Reading]
) -> tuple[Reading, ...]:
    """Rank readings, likeliest first, weighing in the word of a seat that pressed FIX.

    It can always be said that falls were no stroke at all, however unlikely that is.
    """
    word = dialogue.settings.spans.word_of_a_seat
    weighed = [
        each.as_likely(each.probability * word)
        if each.stroke and fresh.spoke is not None and (each.seat or fresh.seat) is fresh.spoke
        else each
        for each in readings
    ]
    if fresh.falls and all(each.stroke for each in weighed):
        weighed.append(Reading((), 0.0, weighed[0].why, stroke=False))  # too unlikely to be kept
    keyed = sorted([(_rank_key(each), each) for each in weighed], key=_first)
    alike = [[each for _key, each in group] for _key, group in groupby(keyed, _first)]
    return _within_reach(whole(chain.from_iterable(map(_by_pieces, alike))))


_first = itemgetter(0)


def _rank_key(each: Reading) -> tuple[float, bool, int]:
    return (likeliest_first(each.probability), each.joins, len(each.missed))


def _by_pieces(alike: list[Reading]) -> list[Reading]:
    """Sort equally likely readings; there are few, so their pieces are rarely put into words."""
    return sorted(alike, key=lambda each: str(each.departures)) if len(alike) > 1 else alike


def _within_reach(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Bring the readings that must not be missed among those that FIX steps through.

    They are the stroke before, no stroke at all, and what is costly to overlook: this seat's
    striker or jack, which other seats' readings would crowd out.
    """
    wanted = [
        next((at for at, each in enumerate(readings) if fits(each)), None)
        for fits in (_has_the_striker, _has_the_jack, _is_no_stroke, _joins)
    ]
    must = tuple(dict.fromkeys(at for at in wanted if at is not None))
    every = range(len(readings))
    first = every[:READINGS_BY_FIX]
    brought = [at for at in must if at not in first]
    spare = [at for at in first if at not in must]
    dropped = spare[len(spare) - len(brought) :]
    reach = [*(at for at in first if at not in dropped), *brought]
    order = (*reach, *(at for at in every if at not in reach))
    return tuple(readings[at] for at in order)


def _has_the_striker(reading: Reading) -> bool:
    return _is_this_seats(reading, frozenset({Piece.STRIKER}))


def _has_the_jack(reading: Reading) -> bool:
    return _is_this_seats(reading, ONE_OF_A_KIND)


def _is_this_seats(reading: Reading, pieces: frozenset[Piece]) -> bool:
    ours = not reading.joins and not reading.missed
    return ours and any(each.piece in pieces for each in reading.departures)


def _is_no_stroke(reading: Reading) -> bool:
    return not reading.stroke


def _joins(reading: Reading) -> bool:
    return reading.joins


# --- the stroke before -----------------------------------------------------------------


def late_now(dialogue: InMatch, at_ns: int) -> bool:
    """Whether something at this instant may still belong to the stroke entered last."""
    soon = (
        dialogue.entered_ns is not None
        and at_ns < dialogue.entered_ns + dialogue.settings.late_fall_ns
    )
    return soon and _last_stroke(dialogue.game) is not None


def late_group(dialogue: InMatch, group: FallGroup) -> bool:
    """Whether falls that waited may belong to the stroke entered last."""
    line = _last_stroke(dialogue.game)
    if line is None:
        return False
    gap_ns = _gap_ns(line, group.falls)
    return gap_ns is None or 0 <= gap_ns < dialogue.settings.late_fall_ns


def _last_stroke(game: Game | None) -> Line | None:
    """Return the last line, if it is a stroke and the board still runs."""
    if game is None or game.match.state.result is not None or not game.lines:
        return None
    return game.lines[-1] if game.lines[-1].stroke is not None else None


def _line_before(game: Game, fresh: Proposal) -> Line | None:
    """Return the line whose stroke a proposal may complete; late or not, nobody has shot since."""
    line = _last_stroke(game) if fresh.late or _may_have_hung(fresh) else None
    if line is None:
        return None
    gap_ns = _gap_ns(line, fresh.falls) if fresh.falls else None
    return None if gap_ns is not None and gap_ns < 0 else line


def _may_have_hung(fresh: Proposal) -> bool:
    """Whether falls came long after a stroke's pieces have fallen, except one that hung."""
    return bool(fresh.falls) and not fresh.late and fresh.reopened is None


def _gap_ns(line: Line, falls: tuple[Fall, ...]) -> int | None:
    """Return how long after a line's last fall others began; None where it has none."""
    return falls[0].start_ns - line.falls[-1].end_ns if line.falls else None


def _share(dialogue: InMatch, fresh: Proposal, line: Line) -> tuple[float, float]:
    """Return how likely a proposal belongs to the stroke before, leaving knocks aside.

    The second number weighs, by knocks, that this seat has shot since against that nobody has: 1
    favours neither.
    """
    spans = dialogue.settings.spans
    if not fresh.falls:
        return spans.marks_before, 1.0
    if not fresh.late:
        return spans.hung, 1.0
    gap_ns = _gap_ns(line, fresh.falls)
    if gap_ns is None:
        if fresh.gap_ns is None or fresh.gap_ns < 0:
            return spans.late_at_least, 1.0
        gap_ns = fresh.gap_ns + spans.pressed_ns
    return spans.same_stroke(gap_ns), _made_by(dialogue, fresh, fresh.seat, fresh.gap_ns)


def _made_by(dialogue: InMatch, fresh: Proposal, seat: Seat, within_ns: int | None = None) -> float:
    """Weigh by knocks that a seat's shot made the first fall, against that nobody shot."""
    shots = dialogue.settings.shots
    if shots is None or not fresh.falls:
        return 1.0
    first = min(with_knocks_left(dialogue, fresh), key=lambda each: each.start_ns)
    return shots.made_by(seat, first) if within_ns is None else shots.made_by(
        seat, first, within_ns
    )  # fmt: skip


def with_knocks_left(dialogue: InMatch, fresh: Proposal) -> tuple[Fall, ...]:
    """Return the falls without the knocks of the stroke before, which are evidence for no other."""
    shots, lines = dialogue.settings.shots, reversed(dialogue.game.lines)
    line = next((each for each in lines if each.stroke is not None), None)
    if shots is None or not fresh.falls or line is None or line.stroke is None:
        return fresh.falls
    first_ns = min(each.start_ns for each in fresh.falls)
    gap_ns = first_ns - line.falls[-1].end_ns if line.falls else fresh.gap_ns
    if gap_ns is None or gap_ns < 0:  # nobody knows; it was before the power was off
        return fresh.falls
    shot = line.stroke.seat
    to_shoot = shot if line.falls else fresh.seat  # all that knocked before its falls made them
    return tuple(
        shots.without_shot(each, shot, to_shoot, first_ns - gap_ns) for each in fresh.falls
    )


def _shot_and_missed(dialogue: InMatch, fresh: Proposal, missed: Sequence[Seat]) -> float:
    """Weigh by knocks that these seats shot before in this order, against that nobody did."""
    shots = dialogue.settings.shots
    if shots is None or not fresh.falls:
        return 1.0
    first = min(fresh.falls, key=lambda each: each.start_ns)
    return shots.shot_before(missed, first, fresh.gap_ns)


def _completing(
    dialogue: InMatch, fresh: Proposal, line: Line, stroke: Stroke
) -> tuple[Reading, ...]:
    """Return the ways in which a proposal completes a line's stroke; they begin with its pieces."""
    match = taken_back(dialogue.game.match, line)
    try:
        for seat in line.missed:
            match = match.enter(Stroke(seat))
    except IllegalEntry:
        return ()
    hung = _may_have_hung(fresh)
    if hung and not may_have_been_last(match, stroke, fresh.falls):
        return ()
    flown = flown_for(match, fresh.flown, fresh.seat, stroke.seat)
    if fresh.falls:
        scene = scene_in(match, stroke.seat, dialogue.settings, fresh.hands, flown)
        longer = ranked(scene, fresh.falls, stroke.departures)
        longer = tuple(each for each in longer if each.departures != stroke.departures)
        longer = that_end_it(match, stroke, longer) if hung else longer
    else:
        longer = (Reading(stroke.departures, 1.0, _("entered manually")),)
    kept = legal(match, stroke.seat, longer, flown)
    return tuple(
        changed(each, joins=True, seat=stroke.seat, missed=line.missed, flown=flown)
        for each in kept
        if each.stroke
    )


SPEAKS_FOR = 2.0
"""Knocks that weigh less than this factor are not given as a reason."""


def _with_shots(why: Phrase, seats: Sequence[Seat], heard: float) -> Phrase:
    """Add to a reason that these seats were heard to shoot."""
    if heard < SPEAKS_FOR:
        return why
    return _(
        "{why}; heard to shoot: {seats}", why=why, seats=" ".join(each.value for each in seats)
    )


def _with_silence(dialogue: InMatch, fresh: Proposal) -> tuple[Reading, ...]:
    """Add to readings that are no stroke that no shot was heard, where that speaks for them."""
    if _made_by(dialogue, fresh, fresh.seat) * SPEAKS_FOR > 1.0:
        return fresh.readings
    return tuple(
        each if each.stroke else changed(each, why=_("{why}; no shot heard", why=each.why))
        for each in fresh.readings
    )


# --- a later seat ----------------------------------------------------------------------


def _later_seats(
    dialogue: InMatch, fresh: Proposal
) -> list[tuple[float, float, tuple[Reading, ...]]]:
    """Return the readings in which seats missed and nobody pressed, up to one round.

    For each seat they come with its weight against this seat's, leaving aside what was heard, and
    with the factor that what was heard adds.
    """
    line = fresh.reopened
    if not fresh.falls or (line is not None and not line.missed and fresh.spoke is None):
        return []
    spans = dialogue.settings.spans
    forgotten = spans.forgotten_of(*_strokes_and_forgotten(dialogue.game.lines))
    found: list[tuple[float, float, tuple[Reading, ...]]] = []
    mine, left = _made_by(dialogue, fresh, fresh.seat), with_knocks_left(dialogue, fresh)
    missed: list[Seat] = []
    match = dialogue.game.match
    for seat in later_seats(match.state.position, fresh.seat):
        missed.append(match.state.position.seat)
        try:
            match = match.enter(Stroke(missed[-1]))
        except IllegalEntry:
            break
        if match.state.result is not None or match.state.next is not seat:
            break
        weight = spans.missed(len(missed), fresh.gap_ns, forgotten)
        heard = _shot_and_missed(dialogue, fresh, missed) * _made_by(dialogue, fresh, seat) / mine
        said = spans.word_of_a_seat if fresh.spoke is seat else 1.0
        if weight * said * max(heard, 1.0) < LEAST:
            continue
        flown = flown_for(match, fresh.flown, fresh.seat, seat)
        scene = scene_in(match, seat, dialogue.settings, fresh.hands, flown)
        strokes = [each for each in ranked(scene, left) if each.stroke]
        kept = legal(match, seat, strokes, flown, checked=CHECKED_LATER)
        readings = [each for each in kept if each.stroke]
        why = [_with_shots(each.why, (*missed, seat), heard) for each in readings]
        spanning = [
            changed(each, why=said, seat=seat, missed=tuple(missed), flown=flown)
            for each, said in zip(readings, why, strict=True)
        ]
        found.append((weight, heard, tuple(spanning)))
    return found


def _strokes_and_forgotten(lines: Sequence[Line]) -> tuple[int, int]:
    """Count the newest strokes, and those among them for which nobody had pressed.

    The latter are misses that came with a later seat's stroke, and turns given by word of mouth
    because the turn was wrong. How often that happens shows who is looking after the board.
    """
    strokes = forgotten = 0
    for line in lines[-MINDED_BY:]:
        own = sum(isinstance(entry, Stroke) for entry in line.entries)
        strokes += own
        given = not own and any(isinstance(entry, GiveTurn) for entry in line.entries)
        forgotten += max(own - 1, 0) + given
    return strokes, forgotten


def later_seats(position: Position, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats whose turn comes after this one's, one whole round; none out of turn.

    The last of them is this seat itself, after everybody has missed once.
    """
    if position.seat is not seat:
        return ()
    steps = range(1, len(position.order) + 1)
    after = [position.order[(position.turn + step) % len(position.order)] for step in steps]
    return tuple(after)


def flown_for(match: Match, flown: tuple[Piece, ...], was: Seat, now: Seat) -> tuple[Piece, ...]:
    """Return which pieces flew off if another seat shot: its own piece for the first one's own."""
    position = match.state.position
    if not flown or position.seat_sides[was] is position.seat_sides[now]:
        return flown
    mine, its = (own_of(match.settings, position, seat) for seat in (was, now))
    if mine == its:
        return flown
    swapped = {**dict(zip(mine, its, strict=True)), **dict(zip(its, mine, strict=True))}
    return tuple(swapped.get(piece, piece) for piece in flown)


def same(one: Reading, other: Reading) -> bool:
    """Whether two readings say the same, however likely and whatever was marked beside them."""
    return _said(one) == _said(other)


def _said(reading: Reading) -> tuple[object, ...]:
    return (reading.departures, reading.stroke, reading.joins, reading.seat, reading.missed)
