"""Lines in words, as the history and the questions about later strokes show them.

``12 N RED NE, again``: the number of the line in its match, what was said, what followed from it.
"""

from __future__ import annotations

from jackspot.core.directives import (
    Entry,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.match import Step
from jackspot.core.phrases import Phrase, _
from jackspot.core.stroke import Stroke
from jackspot.dialogue.proposals.placing import LET_GO
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Game, Keeping, Line
from jackspot.dialogue.state.transition import PLACED, TIME
from jackspot.dialogue.words.wording import how_word, listed, piece_word, side_word, what_word
from jackspot.readings.own_pieces import out_of_play


def said_word(line: Line) -> Phrase:
    """Say what a line says: ``N RED NE``, ``turn to S``, ``RED in: 5``."""
    if line.stroke is not None:
        let_go = [_entry_word(entry) for entry in line.entries if entry in LET_GO]
        return listed([_stroke_word(line.stroke), *let_go])
    told = [entry for entry in line.entries if entry not in (PLACED, TIME)]
    told = told or list(line.entries[:1])
    return listed(list(dict.fromkeys(map(_entry_word, told)))[-2:]) if told else _("no stroke")


def _stroke_word(stroke: Stroke) -> Phrase:
    what = what_word(stroke.departures, stroke.flags, stroke=True)
    return _("{seat} {what}", seat=stroke.seat.value, what=what)


def _entry_word(entry: Entry) -> Phrase:
    match entry:
        case Stroke():
            word = _stroke_word(entry)
        case GiveTurn(seat):
            word = _("turn to {seat}", seat=seat.value)
        case Resign(seat):
            word = _("{seat} resigns", seat=seat.value)
        case SetPocketed(side, count):
            word = _("{side} in: {n}", side=side_word(side), n=count)
        case SetOwed(side, count):
            word = _("{side} owes: {n}", side=side_word(side), n=count)
        case SetRed():
            word = _red_word(entry)
        case Say(what):
            word = _SAYINGS[what]
    return word


def _red_word(entry: SetRed) -> Phrase:
    """Say where a referee put the jack or the queen: ``QUEEN covered by WHITE``."""
    piece = piece_word(entry.red)
    if entry.side is None:
        return _("{piece} on the board", piece=piece)
    if entry.place is RedPlace.COVERED:
        return _("{piece} covered by {side}", piece=piece, side=side_word(entry.side))
    return _("{piece} to be covered by {side}", piece=piece, side=side_word(entry.side))


_SAYINGS = {
    Saying.TIME: _("time is up"),
    Saying.PLACED: _("put back"),
    Saying.FORGOT: _("not put back"),
    Saying.WAIVE: _("waived"),
    Saying.DEMAND: _("extra point"),
    Saying.DRAW: _("draw"),
    Saying.BOARD: _("next board"),
}


def line_word(game: Game, number: int) -> Phrase:
    """Say what a line says and what followed from it, and whether anybody has confirmed it.

    ``number`` counts lines from 0.
    """
    word = _with_its_end(game, number)
    return _("{said}, by itself", said=word) if game.lines[number].alone else word


def _with_its_end(game: Game, number: int) -> Phrase:
    line = game.lines[number]
    said = _("{n} {said}", n=number + 1, said=said_word(line))
    step = _step_of(game, number)
    if step is None:
        return said
    state = step.state
    if state.result is not None:
        return _("{said}, {then}", said=said, then=how_word(state.result.how))
    if line.stroke is None or step.ruling is None:
        return said
    if step.ruling.foul:
        return _("{said}, {then}", said=said, then=_("fault"))
    return _("{said}, {then}", said=said, then=_("again")) if step.ruling.keeps_turn else said


def _step_of(game: Game, number: int) -> Step | None:
    """Return the step of a line's last stroke, else its last one; None where it has no entry."""
    line = game.lines[number]
    first = sum(len(each.entries) for each in game.lines[:number])
    steps = game.match.steps[first : first + len(line.entries)]
    own = [step for step in steps if isinstance(step.entry, Stroke)]
    return next(reversed(own or list(steps)), None)


def counts_word(dialogue: InMatch) -> Phrase:
    """Say how many are out of play: ``RED 5, GREEN 4``."""
    return listed([
        _("{side} {n}", side=piece_word(piece), n=n)
        for piece, n in out_of_play(dialogue.game.match.state)
    ])  # fmt: skip


def kept_word(dialogue: InMatch, kept: Keeping) -> Phrase:
    """Say how many later strokes were kept and what the counts are: ``kept 3: RED 5, GREEN 4``."""
    return _("kept {n}: {counts}", n=kept.entered, counts=counts_word(dialogue))
