"""Why an entry or a set-up is refused, in the words of players.

The core says it for people who write records, in English and in a record's own words. At the
table a short reason is enough: people see the pieces. The whole sentence goes to the journal.
"""

from __future__ import annotations

from collections.abc import Iterable

from jackspot.core.agreement import Disagreement
from jackspot.core.directives import Entry
from jackspot.core.match import IllegalEntry, MatchState
from jackspot.core.phrases import Phrase, _
from jackspot.core.stroke import Flag, Stroke
from jackspot.dialogue.words.option_words import named_setting
from jackspot.dialogue.words.wording import flag_word, piece_word


def why_not(illegal: IllegalEntry, entries: Iterable[Entry], state: MatchState) -> Phrase:
    """Say why entries cannot follow this state of the match."""
    strokes = [entry for entry in entries if isinstance(entry, Stroke)]
    if illegal.departure is not None and strokes:
        piece = strokes[-1].departures[illegal.departure].piece
        return _("not possible: {why}", why=_("too many {piece}", piece=piece_word(piece)))
    if illegal.flag in set(Flag):
        return _("not possible: {why}", why=flag_word(Flag(illegal.flag)))
    if state.over:
        return _("not possible: {why}", why=_("match is over"))
    if illegal.seat:
        return _("not possible: {why}", why=_("not in turn"))
    return _("not possible here")


def why_no_match(wrong: Exception) -> Phrase:
    """Say the first setting with which a match cannot be played."""
    path = wrong.mistakes[0].path if isinstance(wrong, Disagreement) and wrong.mistakes else ()
    named = named_setting(path[-1]) if path else None
    return _("not possible: {why}", why=named or _("rules and options"))
