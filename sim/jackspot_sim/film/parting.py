"""A record beside the truth: which entries belong to which stroke, and where the two differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from jackspot.core.directives import Entry, Say, Saying
from jackspot.core.stroke import Stroke

BY_ITSELF = frozenset({Say(Saying.BOARD), Say(Saying.PLACED)})
"""Entries that say nothing about what was shot."""

Pair = tuple[tuple[Entry, ...], bool]
"""The entries for one stroke, and whether they say what happened."""


def beside(true: Sequence[Stroke], found: Sequence[Entry]) -> tuple[list[Pair], tuple[Entry, ...]]:
    """Return the entries for each true stroke, and those after the last.

    Entries that nobody shot belong to the stroke before which they were entered.
    """
    entries = [each for each in found if each not in BY_ITSELF]
    matcher = SequenceMatcher(None, [_key(e) for e in true], [_key(e) for e in entries], False)
    pairs: list[Pair] = []
    for kind, start, stop, first, last in matcher.get_opcodes():
        count = stop - start
        if kind == "equal":
            # Surplus entries before this stroke are with it already, and it does not agree.
            for number in range(count):
                early: tuple[Entry, ...] = ()
                agrees = True
                if number == 0 and len(pairs) > start:
                    early, agrees = pairs.pop()
                pairs.append(((*early, entries[first + number]), agrees))
        elif kind == "insert" and start < len(true):
            pairs.append((tuple(entries[first:last]), False))
        elif kind != "insert":
            pairs += _shared(entries[first:last], count)
    left = tuple(entries[-_surplus(matcher, len(true)) :]) if _surplus(matcher, len(true)) else ()
    return pairs, left


def _shared(entries: Sequence[Entry], strokes: int) -> list[Pair]:
    """Share entries out among strokes that are not in the record as they were."""
    one_each = [(entry,) for entry in entries[: strokes - 1]]
    rest = tuple(entries[strokes - 1 :])
    shared: list[tuple[Entry, ...]] = [*one_each, rest]
    return [(each, False) for each in (*shared, *[()] * (strokes - len(shared)))]


def _surplus(matcher: SequenceMatcher[object], strokes: int) -> int:
    """Count the entries after the last stroke that was shot."""
    codes = matcher.get_opcodes()
    if not codes or codes[-1][0] != "insert" or codes[-1][1] < strokes:
        return 0
    return codes[-1][4] - codes[-1][3]


def _key(entry: Entry) -> object:
    """Return what counts in an entry: whose stroke, which pieces, which calls; not the pockets."""
    if not isinstance(entry, Stroke):
        return entry
    pieces = Counter((each.piece, each.flew_off) for each in entry.departures)
    return entry.seat, frozenset(pieces.items()), entry.flags
