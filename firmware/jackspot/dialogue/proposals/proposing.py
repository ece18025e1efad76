"""Making proposals: from falls, by hand, and from a line that was taken back.

All readings in a proposal are legal strokes on this board now; their probabilities add up to
one.
"""

from __future__ import annotations

from itertools import product
from math import prod

from jackspot.core.directives import Say, Saying
from jackspot.core.match import Match, MatchState
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.proposals.answers import called_now, fit_to, missing, unnamed_in
from jackspot.dialogue.proposals.dark import Combination, also_unseen, dark_pockets, named
from jackspot.dialogue.proposals.legal import entered, legal, may_have_missed
from jackspot.dialogue.proposals.permitted import FORGOT, may_have_missed_the_break, may_say
from jackspot.dialogue.proposals.scenes import ranked, scene_for, scene_in
from jackspot.dialogue.proposals.spanning import flown_for, same, with_knocks_left, with_spans
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Game, Line
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import Hands, Proposal
from jackspot.dialogue.state.transition import taken_back
from jackspot.readings.reading import Reading, Role, Scene, likeliest_first
from jackspot.sensing.events import Fall
from jackspot.values import changed


def outcome(dialogue: InMatch, proposal: Proposal) -> MatchState | None:
    """Return what confirming a proposal would make of the match; None: the rules refuse it.

    If 0:00 has come and ``! time`` follows the stroke, it is included.
    """
    game = dialogue.game
    match: Match | None = match_before(game, proposal)
    lines = len(game.lines) + (0 if proposal.joining else 1)
    if match is not None and proposal.is_stroke:
        match = entered(match, proposal.as_stroke(None), proposal.missed)
    if match is None:
        return None
    return with_time(dialogue, match, lines).state


def with_time(dialogue: InMatch, match: Match, lines: int) -> Match:
    """Enter ``! time`` after this many lines of a match, if 0:00 has come."""
    if time_follows(dialogue, lines) and match.state.result is None:
        return match.enter(Say(Saying.TIME))
    return match


def asked_of(dialogue: InMatch, proposal: Proposal) -> MenuKind | None:
    """Return what must be asked before a proposal can be entered; None: nothing."""
    if not proposal.is_stroke:
        return None
    if implies_placed(dialogue, proposal) and may_say(dialogue.game.match, FORGOT):
        return MenuKind.IN_TIME
    match = match_before(dialogue.game, proposal)
    stroke = stroke_of(dialogue.game, proposal)
    question = missing(match, stroke)
    if question is None and _break_is_open(match, proposal, stroke):
        return MenuKind.TOUCHED
    return question


def _break_is_open(match: Match, proposal: Proposal, stroke: Stroke) -> bool:
    """Whether nobody has said if a stroke made the break; for entered strokes people have."""
    said = unchanged(proposal) or proposal.joining is not None or proposal.missed
    return not said and may_have_missed_the_break(match, stroke)


def implies_placed(dialogue: InMatch, proposal: Proposal) -> bool:
    """Whether entering a proposal implies that pieces were put back, because people shot on."""
    wrong = bool(dialogue.place or dialogue.take)
    return wrong and proposal.is_stroke and proposal.joining is None


def match_before(game: Game, proposal: Proposal) -> Match:
    """Return the match a proposal would be entered in, without the line that it replaces."""
    replaced = proposal.before if proposal.joining else None
    return game.match if replaced is None else taken_back(game.match, replaced)


def stroke_of(game: Game, proposal: Proposal) -> Stroke:
    """Return the stroke that a proposal says, without what cannot be said of it."""
    return fit_to(match_before(game, proposal), proposal.as_stroke(None))


def time_follows(dialogue: InMatch, lines: int) -> bool:
    """Whether ``! time`` is to be entered once there are this many lines."""
    due = dialogue.time_due
    if due is None or dialogue.game.match.state.board != due.board:
        return False
    if due.after is not None:
        return lines >= due.after
    if _later_lines_follow(dialogue) or due.beams:
        return False
    groups = [each.falls for each in dialogue.waiting] + [each.falls for each in dialogue.parked]
    return not any(due.follows(falls[0]) for falls in groups if falls)


def _later_lines_follow(dialogue: InMatch) -> bool:
    """Whether lines entered before 0:00 wait behind what is open, to be entered again."""
    if dialogue.game.undone:
        return len(dialogue.game.undone) > 1 or dialogue.kept is not None
    opened = dialogue.proposal is not None and dialogue.proposal.reopened is not None
    return dialogue.kept is not None and len(dialogue.kept.lines) > opened


def ends_board(dialogue: InMatch, proposal: Proposal) -> bool:
    """Whether confirming a proposal would end the board: then OK must be held."""
    after = outcome(dialogue, proposal)
    return after is not None and (after.result is not None or after.over)


def propose(
    dialogue: InMatch,
    falls: tuple[Fall, ...],
    now_ns: int,
    like: Proposal | None = None,
    hands: Hands = (),
) -> Proposal:
    """Make a proposal from falls.

    ``like`` supplies the seat, what people marked (flags, pieces that flew off), and what is known
    about when these falls came. ``hands`` says where a fall was likely a hand then.
    """
    seat = dialogue.game.to_shoot
    old = like or Proposal(
        seat,
        falls,
        (),
        called=called_now(dialogue, seat),
        opened_ns=now_ns,
        hands=hands,
        dark=dark_pockets(dialogue),
    )
    scene = scene_for(dialogue, old.seat, old.hands, old.flown)
    heard = with_knocks_left(dialogue, changed(old, falls=falls))
    read = also_unseen(scene, ranked(scene, heard), old.dark)
    readings = legal(dialogue.game.match, old.seat, read, missed=old.misses)
    fresh = changed(
        old, falls=falls, readings=readings, chosen=0, edited=None, changed_ns=now_ns,
        reopened=None, before=None,
    )  # fmt: skip
    return with_spans(dialogue, fresh)


def by_hand(
    dialogue: InMatch,
    now_ns: int,
    flags: frozenset[Flag] = frozenset(),
    flown: tuple[Piece, ...] = (),
    seat: Seat | None = None,
    *,
    nothing_first: bool | None = None,
    dark: tuple[Pocket, ...] | None = None,
    misses: tuple[Seat, ...] = (),
) -> Proposal:
    """Make a proposal for something no beam saw: the usual strokes, likeliest first.

    A stroke with a flag or a flown piece usually pocketed nothing, so nothing comes first there;
    otherwise it comes last. ``dark`` are the pockets entered by hand; None: the current ones.
    ``misses`` are seats that missed before.
    """
    game = dialogue.game
    seat = seat or game.to_shoot
    first = bool(flags or flown) if nothing_first is None else nothing_first
    usual = _usual_by_hand(game.match, seat, nothing_first=first)
    known = dark_pockets(dialogue) if dark is None else dark
    readings = [
        Reading(departures, weight, _("entered manually"))
        for departures, weight in named(usual, known)
    ]
    readings.sort(key=lambda each: likeliest_first(each.probability))
    plain = legal(game.match, seat, readings, flown, missed=misses)
    return Proposal(
        seat, (), plain, 0, flags, flown, called_now(dialogue, seat), None, now_ns, now_ns,
        dark=known, misses=misses,
    )  # fmt: skip


AT_THE_CENTRE = frozenset({Role.JACK_READY, Role.QUEEN_FIRST})
"""What a jack or queen is to a side that has nothing else to aim at."""


def _usual_by_hand(match: Match, seat: Seat, *, nothing_first: bool) -> list[Combination]:
    """Return the usual entries by hand of what can have fallen; kinds share a weight by number."""
    scene = scene_in(match, seat)
    red = rules_for(match.settings.rules).red
    own, others = _of_role(scene, Role.OWN), _of_role(scene, Role.OPPONENT)
    centre = {red: 1.0} if scene.available.get(red) else {}
    striker = {Piece.STRIKER: 1.0}
    aimed, rare = (centre, own) if scene.roles.get(red) in AT_THE_CENTRE else (own, centre)
    usual: list[Combination] = [((), 0.5 if nothing_first else 0.03)]
    for kinds, weight in (
        ((aimed,), 0.42), ((others,), 0.16), ((striker,), 0.14), ((rare,), 0.08),
        ((own, own), 0.06), ((own, striker), 0.06), ((own, others), 0.05),
    ):  # fmt: skip
        for each in product(*(kind.items() for kind in kinds)):
            pieces = tuple(piece for piece, _share in each)
            usual.append((pieces, weight * prod(share for _piece, share in each)))
    return usual


def _of_role(scene: Scene, role: Role) -> dict[Piece, float]:
    """Return the kinds that have a role, and their shares in it by how many are on the board."""
    kinds = [piece for piece, its in scene.roles.items() if its is role]
    there = sum(scene.available[piece] for piece in kinds)
    return {piece: scene.available[piece] / there if there else 1.0 / len(kinds) for piece in kinds}


def also_before(dialogue: InMatch, by_people: Proposal) -> Proposal:
    """Let what people entered soon after an entry also belong to the stroke before."""
    return with_spans(dialogue, changed(by_people, late=True))


def reopen(
    dialogue: InMatch,
    line: Line,
    now_ns: int,
    flown: tuple[Piece, ...] | None = None,
    dark: tuple[Pocket, ...] | None = None,
    spoke: Seat | None = None,
) -> Proposal:
    """Open the review of a line that was just taken back: what was confirmed comes first.

    ``flown`` replaces the pieces that were confirmed to have flown off the board, as they are for
    the seat whose turn it was; ``spoke`` is a seat that has pressed FIX since.
    """
    game = dialogue.game
    stroke = line.stroke
    shooter = stroke.seat if stroke else game.to_shoot
    seat = line.missed[0] if line.missed else shooter
    departures = stroke.departures if stroke else ()
    fallen = tuple(each for each in departures if not each.flew_off)
    known = dark_pockets(dialogue) if dark is None else dark
    its = flown
    if its is None:
        off = tuple(each.piece for each in departures if each.flew_off)
        its = flown_for(game.match, off, shooter, seat)
    flown = flown_for(game.match, its, seat, shooter)
    if line.falls:
        plain = Proposal(
            seat, line.falls, (), 0, frozenset(), its, reopened=line, dark=known, spoke=spoke
        )
        scene = scene_for(dialogue, seat, flown=its)
        read = legal(game.match, seat, also_unseen(scene, ranked(scene, line.falls), known))
        others = with_spans(dialogue, changed(plain, readings=read)).readings
    else:
        others = by_hand(
            dialogue, now_ns, flown=its, seat=seat, nothing_first=False, dark=known
        ).readings
    seat_said = shooter if line.missed else None
    was = Reading(
        fallen, 1.0, _("was confirmed"), stroke is not None, False, seat_said, line.missed, flown
    )
    rest = [each for each in others if not same(each, was)]
    mine = sum(each.probability for each in others) - sum(each.probability for each in rest)
    readings = (was.as_likely(max(mine, 0.0)), *rest)
    kept = legal(game.match, seat, readings, its, keep_first=True)
    again = Proposal(
        seat, line.falls, kept, 0, frozenset(), its, None, None, now_ns, now_ns, line,
        dark=known, spoke=spoke,
    )  # fmt: skip
    if stroke is None:
        return again
    said = fit_to(match_before(game, again), Stroke(shooter, (), stroke.flags, stroke.called))
    return changed(again, flags=said.flags, called=said.called)


def read_anew(dialogue: InMatch, old: Proposal, now_ns: int) -> Proposal:
    """Read a proposal again on the board as it is now; what people said about it stays.

    The likeliest reading is shown again, unless people chose or edited another. Flags and a call
    stay as they were said, even where another seat is shown and they count for nothing.
    """
    if old.misses and not may_have_missed(dialogue.game.match, old.misses):
        old = changed(old, misses=())
    line = old.reopened
    stroke = line.stroke if line is not None else None
    was_seat = old.seat
    if line is not None and stroke is not None:
        was_seat = line.missed[0] if line.missed else stroke.seat
    as_it_was = line is not None and was_seat is old.seat and not old.misses
    if line is not None and as_it_was and line.falls == old.falls:
        fresh = reopen(dialogue, line, now_ns, old.flown, old.dark, old.spoke)
    elif old.falls:
        fresh = propose(dialogue, old.falls, now_ns, like=changed(old, chosen=0))
        if line is not None and stroke is not None and as_it_was and not line.missed:
            fresh = _longer(dialogue, fresh, line, stroke)
    else:
        fresh = by_hand(
            dialogue, now_ns, flown=old.flown, seat=old.seat, nothing_first=old.nothing_first,
            dark=old.dark, misses=old.misses,
        )  # fmt: skip
        fresh = also_before(dialogue, fresh) if old.late else fresh
    chosen, edited = 0, old.edited
    if edited is not None:
        chosen = _beneath_the_edit(fresh, old)
    elif old.chosen:
        chosen, edited = find_reading(fresh, old.reading)
    return changed(
        fresh, chosen=chosen, edited=edited, flags=old.flags, flown=old.flown,
        called=old.called, reopened=line, hands=old.hands, gap_ns=old.gap_ns, late=old.late,
        spoke=old.spoke, misses=old.misses,
    )  # fmt: skip


def _beneath_the_edit(fresh: Proposal, old: Proposal) -> int:
    """Return the index of the reading beneath an edit: it says who shot, and what it joins."""
    was = old.reading
    alike = [n for n, each in enumerate(fresh.readings) if same(each, was)]
    alike += [
        n
        for n, each in enumerate(fresh.readings)
        if (each.seat, each.joins, each.missed) == (was.seat, was.joins, was.missed)
    ]
    return alike[0] if alike else 0


def with_pieces(
    dialogue: InMatch, shown: Proposal, pieces: tuple[Departure, ...], now_ns: int
) -> Proposal:
    """Return a proposal with these pieces, whatever its readings are, and what fits them."""
    told = changed(shown, edited=pieces, flown=(), changed_ns=now_ns)
    told = changed(told, flags=stroke_of(dialogue.game, told).flags)
    if not shown.flown:
        return told
    return changed(read_anew(dialogue, told, now_ns), opened_ns=shown.opened_ns)


STILL_TRUE = 0.9
"""How likely it is that what was confirmed of a stroke still holds when the stroke grows longer."""


def _longer(dialogue: InMatch, fresh: Proposal, line: Line, stroke: Stroke) -> Proposal:
    """Rank first the readings that keep what was confirmed of a line before it grew."""
    game = dialogue.game
    known = {fall.number for fall in line.falls}
    more = tuple(fall for fall in fresh.falls if fall.number not in known)
    fallen = tuple(each for each in stroke.departures if not each.flew_off)
    scene = scene_for(dialogue, fresh.seat, fresh.hands, fresh.flown)
    kept = ranked(scene, more, fallen) if more else (Reading(fallen, 1.0, _("was confirmed")),)
    merged: dict[tuple[tuple[Departure, ...], bool], Reading] = {}
    plain = [each for each in fresh.readings if each.seat is None]
    for readings, share in ((kept, STILL_TRUE), (plain, 1.0 - STILL_TRUE)):
        for each in readings:
            key = (each.departures, each.stroke)
            before = merged[key].probability if key in merged else 0.0
            merged[key] = each.as_likely(before + share * each.probability)
    ordered = sorted(
        merged.values(),
        key=lambda each: (likeliest_first(each.probability), str(each.departures)),
    )
    return changed(fresh, readings=legal(game.match, fresh.seat, ordered), before=None)


def find_reading(proposal: Proposal, said: Reading) -> tuple[int, tuple[Departure, ...] | None]:
    """Find a reading by what it says: return its index, else its pieces as an edit."""
    for index, each in enumerate(proposal.readings):
        if same(each, said):
            return index, None
    return 0, said.departures if said.stroke and not said.joins and not said.seat else None


def unnamed(dialogue: InMatch, proposal: Proposal) -> int | None:
    """Return the first piece of a proposal whose pocket the rules need to know."""
    return unnamed_in(match_before(dialogue.game, proposal), stroke_of(dialogue.game, proposal))


def unchanged(proposal: Proposal) -> bool:
    """Whether a reopened proposal repeats what had been confirmed, for the same falls."""
    line = proposal.reopened
    if line is None or line.falls != proposal.falls:
        return False
    was = line.stroke
    if was is None or not proposal.is_stroke:
        return was is None and not proposal.is_stroke
    said = (_flown_last(proposal.as_stroke(None)), proposal.missed)
    return said == (_flown_last(changed(was, used_ns=None)), line.missed)


def _flown_last(stroke: Stroke) -> Stroke:
    """Return a stroke with the pieces that flew off last: when they did is not ruled on."""
    return changed(stroke, departures=tuple(sorted(stroke.departures, key=lambda e: e.flew_off)))
