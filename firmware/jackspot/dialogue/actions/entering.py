"""Entering what people confirm: a stroke, a miss, a directive."""

from __future__ import annotations

from jackspot.core.directives import Entry, GiveTurn
from jackspot.core.match import IllegalEntry, MatchState
from jackspot.core.phrases import _
from jackspot.core.stroke import Flag, Stroke
from jackspot.dialogue.actions.settling import (
    end_board,
    go_on,
    go_on_placing,
    imply_placed,
    keep_on,
    stop_at_an_end,
    to_ready,
)
from jackspot.dialogue.actions.taking_back import redo_all, take_line_back
from jackspot.dialogue.proposals.answers import assumed, fit_to
from jackspot.dialogue.proposals.dark import ask_about_a_beam, note_unseen
from jackspot.dialogue.proposals.keeping import let_later_wait, open_later, settled, waits
from jackspot.dialogue.proposals.legal import entered, entries_of
from jackspot.dialogue.proposals.open_falls import (
    joined,
    let_later_falls_wait,
    open_falls,
    with_hands,
)
from jackspot.dialogue.proposals.proposing import asked_of, match_before, read_anew, unchanged
from jackspot.dialogue.proposals.queueing import is_hand, opened
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import MatchTransition, put_back
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.refusals import why_not
from jackspot.values import changed

MILLISECOND_NS = 1_000_000
"""A record gives the time of a stroke to this precision."""


def confirm(transition: MatchTransition, proposal: Proposal, *, break_said: bool = False) -> None:
    """Enter a proposal; a reopened line that says the same again is put back.

    ``break_said``: people have just said whether the stroke made the break.
    """
    if unchanged(proposal) and transition.game.undone:
        redo_all(transition, confirmed=True)
        return
    if _is_refused(transition, proposal) or _asks_first(
        transition, proposal, break_said=break_said
    ):
        return
    looked_at = open_later(transition.dialogue)
    falls = proposal.falls
    imply_placed(transition, proposal)
    replaced = 1
    if proposal.joining is not None and proposal.before is not None:
        falls = joined((*proposal.before.falls, *proposal.falls))
        replaced += proposal.reopened is not None  # its own line, and the line before that grew
        take_line_back(transition)
    by_people = proposal.edited is not None or not proposal.falls
    probability = None if by_people else proposal.reading.probability
    before = transition.game
    transition.enter(_entries(transition, proposal), falls, probability)
    if not falls and looked_at is None:
        note_unseen(transition, transition.game.lines[-1], before.undone[-replaced:])
    if looked_at is not None:
        settled(transition, looked_at, before)
    else:
        let_later_wait(transition, before, replaced=replaced)
    if proposal.reopened is not None or proposal.joining is not None:
        stop_at_an_end(transition)
    go_on(transition)
    ask_about_a_beam(transition)


def _is_refused(transition: MatchTransition, proposal: Proposal) -> bool:
    """Refuse a stroke that the rules do not allow here, before doing anything else with it."""
    match = match_before(transition.game, proposal)
    stroke = proposal.as_stroke(None)
    if not proposal.is_stroke or entered(match, stroke, proposal.missed) is not None:
        return False
    try:
        entries_of(match, assumed(match, fit_to(match, stroke)), proposal.missed)
    except IllegalEntry as illegal:
        transition.refuse(why_not(illegal, (stroke,), match.state), str(illegal))
    return True


def _asks_first(transition: MatchTransition, proposal: Proposal, *, break_said: bool) -> bool:
    """Ask what the rules must know before a stroke can be entered, if there is anything to ask."""
    question = asked_of(transition.dialogue, proposal)
    if question is None or (break_said and question is MenuKind.TOUCHED):
        return False
    whose = transition.button.place if transition.button else None
    opener = None if question is MenuKind.IN_TIME else whose  # the debtor may not say it was late
    transition.review(proposal)
    transition.change(menu=Menu(question, 0, transition.now_ns, opener))
    return True


def _entries(transition: MatchTransition, proposal: Proposal) -> tuple[Entry, ...]:
    """Return what an OK enters: the stroke, after the misses for which nobody pressed."""
    if not proposal.is_stroke:
        return ()
    match = transition.game.match
    stroke = fit_to(match, proposal.as_stroke(_used_before(proposal) or _used_ns(transition)))
    return entries_of(match, stroke, proposal.missed)


def _used_before(proposal: Proposal) -> int | None:
    """Return the match clock at which a reopened stroke was first settled."""
    line = proposal.reopened
    return line.stroke.used_ns if line is not None and line.stroke is not None else None


def _used_ns(transition: MatchTransition) -> int | None:
    """Return the match clock used when the stroke was settled; None without a limit."""
    clock = transition.game.clock
    if not clock.limit_ns:
        return None
    return clock.used_at(transition.now_ns) // MILLISECOND_NS * MILLISECOND_NS


def miss(
    transition: MatchTransition, flags: frozenset[Flag] = frozenset(),
    probability: float | None = None,
) -> None:  # fmt: skip
    """Enter that the stroke is over and nothing fell; ``flags`` are what people say about it.

    ``probability`` is how likely that is if nobody said so.
    """
    seat = transition.game.to_shoot
    stroke = Stroke(seat, flags=flags, used_ns=_used_ns(transition))
    transition.enter((stroke,), probability=probability)
    go_on(transition)


def directive(transition: MatchTransition, entry: Entry, *, join: bool = False) -> None:
    """Enter a directive as a line of its own, or beside the last one.

    What was open stays open: a review is read again, placing and a pause go on. Where lines were
    taken back, it comes before them, or replaces one that was no stroke.
    """
    before = transition.game
    board = before.match.state.board
    try:
        if join:
            transition.join(entry)
        else:
            transition.enter((entry,))
    except IllegalEntry as illegal:
        transition.refuse(why_not(illegal, (entry,), before.match.state), str(illegal))
        return
    transition.change(menu=None, history=None)
    shown = transition.dialogue.proposal
    reviewed = shown is not None and shown.reopened is not None
    if before.undone:
        replaced = not (reviewed or join) and _is_replaced(before, entry)
        let_later_wait(transition, before, replaced=int(replaced))
    state = transition.game.match.state
    if state.board != board:
        transition.change(lying=(), missing=())
    kept = waits(transition.dialogue)
    if kept is not None and (state.result is not None or state.board != board):
        let_later_falls_wait(transition)
        transition.drop()
        keep_on(transition, kept)
    elif state.result is not None or state.over:
        _clear_what_is_open(transition)
        end_board(transition)
    elif state.board != board:
        _begin_board(transition, before.match.state)
    elif transition.dialogue.proposal is not None:
        open_now = transition.dialogue.proposal
        given = open_now.reopened is None or isinstance(entry, GiveTurn)
        seat = (state.next if given else None) or open_now.seat
        moved = changed(open_now, seat=seat)
        transition.propose(read_anew(transition.dialogue, moved, transition.now_ns))
    elif transition.dialogue.phase is Phase.READY:
        go_on_placing(transition)


def _is_replaced(game: Game, entry: Entry) -> bool:
    """Whether an entry replaces the line that was taken back last.

    That line is no stroke, and began no board unless it says the same.
    """
    line = game.undone[-1]
    if line.entries == (entry,):
        return True
    after = put_back(game.match, line).state
    return line.stroke is None and not line.falls and after.board == game.match.state.board


def _begin_board(transition: MatchTransition, before: MatchState) -> None:
    """Begin the next board; say so if the one before it had no result."""
    _clear_what_is_open(transition)
    transition.change(glance=None)
    transition.begin_clock()
    to_ready(transition)
    if before.result is None:
        transition.change(note=_("board {n} is void", n=before.board))


def end_by_word(transition: MatchTransition, entry: Entry) -> None:
    """End a board by word of mouth, once everything that fell on it is settled."""
    if not _something_fell(transition):
        directive(transition, entry)
        return
    transition.change(menu=None)
    if transition.dialogue.phase is Phase.READY:
        to_ready(transition)
    transition.refuse(_("settle what fell first"))


def _something_fell(transition: MatchTransition) -> bool:
    """Whether there are falls that somebody must settle; hands settle themselves."""
    dialogue = transition.dialogue
    hands = {
        fall.number
        for group in dialogue.waiting
        if is_hand(opened(dialogue, group, transition.now_ns))
        for fall in group.falls
    }
    return any(fall.number not in hands for fall in open_falls(dialogue, dialogue.proposal))


def _clear_what_is_open(transition: MatchTransition) -> None:
    """Note falls that can no longer belong to a stroke: their board is over."""
    dialogue = transition.dialogue
    falls = with_hands(transition, open_falls(dialogue, dialogue.proposal))
    if falls:
        transition.record(EntryKind.CLEARING, falls=[fall.number for fall in falls])
    transition.change(
        waiting=(),
        assumed=(),
        parked=(),
        place=(),
        fetch=(),
        over_ns=None,
        time_due=None,
    )
