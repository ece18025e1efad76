"""Walks from phase to phase, as short as possible, that take every way the table has.

A walk is a match and a series of words, done on a board one after the other:

- ``ok``, ``fix``, ``undo``, ``foul``, ``off`` press a button of the page, ``OK``, ``FIX`` hold it;
- ``NE`` lets something fall there, ``hand`` reaches into NW, ``break`` breaks that beam for good;
- ``=RED NE`` presses FIX until that reading is shown;
- ``>history`` does the line of the open list that begins so, ``>>draw`` holds OK on that line;
- ``order`` is an order of the hall, ``order now`` one that begins at once;
- ``2 s`` waits, ``cut`` cuts the power.

A word that cannot be done just then (a line that is not listed) is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackspot.core.order import Begins, MatchOrder, MovedAway
from jackspot.core.pieces import Pocket
from jackspot.dialogue.lists.menu import items
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Button, Gesture, Key, OrderTold, Pick, Place, Press
from tests.dialogue.in_phase import JUST_ONE
from tests.dialogue.playing import Table, order

STOPS: Mapping[str, object] = {"time_limit_s": 60, "time_end": "stop"}
MATCHES: Mapping[str, Mapping[str, Any]] = {
    "hikone": {"handicap": JUST_ONE},
    "hikone, 3 boards": {"handicap": JUST_ONE, "options": {"best_of": 3}},
    "hikone, 60 s": {"handicap": JUST_ONE, "options": STOPS},
    "hikone, 60 s, 3 boards": {"handicap": JUST_ONE, "options": {**STOPS, "best_of": 3}},
    "kagw": {"rules": "kagw"},
    "kagw, 60 s": {"rules": "kagw", "options": STOPS},
    "kagw, 60 s, 1 board": {"rules": "kagw", "options": {**STOPS, "best_of": 1}},
    "icf": {"rules": "icf"},
    "points": {"rules": "points"},
}
"""The matches of the walks, by the names that walks give them."""

CALM_S = 3.2
"""After this time no press is taken for an echo of the one before."""


def board(match: str) -> Table:
    """Return a board in set-up; one that is ``sure`` settles nearly every reading on its own."""
    sure = match.endswith(", sure")
    settings = DialogueSettings(attract_ns=0, auto_confirm=0.05 if sure else 0.0)
    return Table(dialogue_settings=settings, **MATCHES[match.removesuffix(", sure")])


def say(table: Table, word: str) -> None:
    """Do what a word of a walk says."""
    if word.startswith(">"):
        _point_at(table, word)
    elif word.startswith("="):
        table.choose(word[1:], "page")
    elif word in set(Pocket):
        table.fall(word).wait(0.6)
    elif word == "hand":
        table.fall("NW", 900.0).wait(0.6)
    elif word == "break":
        table.edge(Pocket.NW, True)
    elif word.endswith(" s"):
        table.wait(float(word.removesuffix(" s")))
    elif word.startswith("order"):
        table.give(OrderTold(table.now_ns, _ordered(word))).wait(CALM_S)
    elif word == "moved":
        table.give(OrderTold(table.now_ns, None, MovedAway(17, 9))).wait(CALM_S)
    elif word == "cut":
        table.restart().wait(0.5)
    else:
        _press(table, Key(word.lower()), held=word.isupper())


BEGAN_ELSEWHERE = {
    "order on": "N red\n",
    "order to put back": "N red striker\n",
    "order of board 2 to put back": "N 12*red\nN jack\nS green striker\n",
    "order of board 2": "N 12*red\nN jack\n",
}


def _ordered(word: str) -> MatchOrder:
    begins = Begins.NOW if word == "order now" else Begins.PLAYERS
    return order(begins=begins, lines=BEGAN_ELSEWHERE.get(word, ""))


def _press(table: Table, key: Key, *, held: bool, pick: Pick | None = None) -> None:
    gesture = Gesture.HOLD if held else Gesture.SHORT
    token = table.dialogue.timing.asked.token
    table.give(Press(table.now_ns, table.now_ns, Button(Place.PAGE, key), gesture, token, pick))
    table.wait(0.6 if table.phase is Phase.FALLING else CALM_S)


def _point_at(table: Table, word: str) -> None:
    label = word.lstrip(">")
    listed = [str(item.label) for item in items(table.dialogue)] if table.dialogue.menu else []
    line = next((n for n, each in enumerate(listed) if each.startswith(label)), None)
    if line is not None:
        _press(table, Key.OK, held=word.startswith(">>"), pick=Pick(line, listed[line]))


def walk(match: str, words: str) -> Table:
    """Do all words of a walk, which are separated by bars."""
    table = board(match)
    for word in words.split(" | "):
        say(table, word)
    return table


WALKS: tuple[tuple[str, str], ...] = (
    ("hikone", "ok | FIX | >resign | >>S resigns | order | ok | ok | undo"),
    ("hikone", "ok | FIX | >resign | >>S resigns | order | OK"),
    ("hikone", "ok | FIX | >resign | >>S resigns | order now | ok"),
    ("hikone", "ok | FIX | >resign | >>S resigns | order now | OK"),
    ("hikone", "order | fix | ok"),
    *(
        ("hikone", f"{before}{began} | {ok}")
        for before in ("", "ok | FIX | >resign | >>S resigns | ")
        for began in BEGAN_ELSEWHERE
        for ok in ("ok", "OK")
    ),
    ("hikone", "order | ok | ok | cut | moved | fix | moved | ok"),
    ("hikone", "order | ok | ok | cut | moved | ok"),
    ("hikone", "order of board 2 to put back | ok | undo"),
    ("hikone", "ok | undo"),
    ("hikone", "ok | fix | undo"),
    ("hikone", "ok | hand | 3 s"),
    ("hikone", "ok | ok | NE | undo | ok"),
    ("hikone", "OK | NE | foul | ok | cut | ok"),
    ("hikone", "ok | fix | off | OK | FIX | >>draw"),
    ("hikone", "ok | FIX | >pause | FIX | >>end this match"),
    ("hikone", "ok | NE | foul | ok | FIX | >>whose turn | OK | undo"),
    ("hikone",
     "ok | FIX | >whose turn | >turn to N | NE | foul | ok | ok | FIX | >history | >1 turn | >leave"
     " | fix | undo"),
    ("hikone", "ok | NE | 2 s | ok | NE | undo"),
    ("hikone", "ok | NE | 2 s | NE | ok | OK | FIX | >>end this match"),
    ("hikone, 3 boards", "ok | foul | FIX | >menu | >>draw"),
    ("hikone, 3 boards", "ok | cut | FIX | >>draw | FIX | >whose turn | >turn to N"),
    ("hikone, 3 boards",
     "ok | NE | 2 s | ok | SE | 2 s | OK | ok | off | off | ok | undo | undo | ok"),
    ("hikone, 3 boards",
     "ok | FIX | >resign | >>S resigns | ok | FIX | >resign | >>S resigns | undo | undo"
     " | ok"),
    ("hikone, 3 boards",
     "ok | NE | 2 s | ok | SE | 2 s | OK | ok | off | off | ok | undo | undo | FIX"
     " | >put back what"),
    ("hikone, 3 boards",
     "ok | FIX | >resign | >>S resigns | ok | FIX | >resign | >>S resigns | undo | undo"
     " | FIX | >put back what"),
    ("hikone, 3 boards",
     "ok | foul | fix | ok | FIX | >>resign | >>S resigns | FIX | >history"
     " | >2 S resigns, resigned | >>leave it out"),
    ("hikone, 3 boards",
     "ok | FIX | >>resign | >>S resigns | FIX | >whose turn | >>turn to S | ok | FIX | NE"
     " | undo | NE | ok | OK | fix | >>history | >2 turn to S | undo"),
    ("hikone, 3 boards, sure", "ok | NE | fix"),
    ("hikone, 3 boards, sure",
     "ok | NE | fix | fix | OK | FIX | >>whose turn | >turn to N | NE | 61 s"),
    ("hikone, 3 boards", "ok | FIX | >>draw | ok | cut | FIX | >history | >2 next | ok"),
    ("hikone, 3 boards",
     "ok | FIX | >>draw | ok | cut | FIX | >history | >2 next | FIX | >put back"),
    ("hikone, 60 s", "OK | cut | ok"),
    ("hikone, 60 s", "ok | NE | cut | ok"),
    ("hikone, 60 s", "ok | NE | undo | OK"),
    ("hikone, 60 s", "ok | 61 s | OK | undo"),
    ("hikone, 60 s", "ok | 61 s | undo | ok"),
    ("hikone, 60 s", "ok | 55 s | hand | 3 s"),
    ("hikone, 60 s", "ok | NE | foul | ok | 61 s"),
    ("hikone, 60 s", "ok | foul | ok | 61 s | undo"),
    ("hikone, 60 s", "ok | foul | FIX | >menu | >>draw"),
    ("hikone, 60 s", "ok | 56 s | break | 1.1 s | cut | ok"),
    ("hikone, 60 s", "ok | NE | off | OK | hand | 61 s | ok"),
    ("hikone, 60 s", "OK | hand | FIX | >menu | >>end this match"),
    ("hikone, 60 s", "ok | NE | FIX | NE | >done | ok | OK | undo | undo | ok"),
    ("hikone, 60 s", "ok | NE | 61 s | OK | FIX | >history | >>1 N RED NE, again | undo"),
    ("hikone, 60 s", "ok | NE | foul | OK | undo | FIX | >>menu | >>put back what was undone"),
    ("hikone, 60 s", "ok | foul | 61 s | FIX | >menu | >>draw | undo | NE | ok"),
    ("hikone, 60 s, sure", "ok | 61 s | fix | >>history | >>1 time is up, on time"),
    ("hikone, 60 s, 3 boards", "ok | hand | cut | 2 s"),
    ("hikone, 60 s, 3 boards", "ok | 55 s | hand | 3 s"),
    ("hikone, 60 s, 3 boards", "ok | NE | foul | ok | 61 s"),
    ("hikone, 60 s, 3 boards", "ok | foul | 61 s | OK | undo"),
    ("hikone, 60 s, 3 boards", "ok | 56 s | break | 1.1 s | cut | ok"),
    ("hikone, 60 s, 3 boards", "ok | NE | foul | OK | hand | 61 s | OK"),
    ("hikone, 60 s, 3 boards", "ok | 61 s | NE | >>part of the last stroke"),
    ("hikone, 60 s, 3 boards", "ok | NE | 2 s | hand | foul | 61 s | foul | ok"),
    ("hikone, 60 s, 3 boards", "ok | cut | FIX | >>correct the counts | >>the table is right"),
    ("hikone, 60 s, 3 boards",
     "ok | 61 s | undo | OK | FIX | >whose turn | ok | cut | FIX | >>history | >>2 turn to N"
     " | undo"),
    ("hikone, 60 s, 3 boards", "ok | foul | 61 s | FIX | >menu | >>draw | undo | NE | ok"),
    ("kagw", "OK | fix | cut | ok"),
    ("kagw", "ok | NE | foul | OK | OK"),
    ("kagw", "ok | cut | FIX | >>draw | ok"),
    ("kagw", "ok | NE | foul | OK | NE | ok"),
    ("kagw", "OK | hand | FIX | cut | OK | OK"),
    ("kagw", "ok | off | off | ok | FIX | >pause | OK"),
    ("kagw", "ok | off | off | ok | FIX | >history | >1 | undo"),
    ("kagw",
     "ok | NE | 2 s | =STRIKER NE | ok | ok | ok | SW | 2 s | =WHITE SW | ok | ok | fix"
     " | ok | undo"),
    ("kagw, 60 s, 1 board",
     f"ok | foul | ok | ok | FIX | >correct the counts | {'>WHITE in | ' * 8}>queen"
     " | >queen: covered by WHITE | >the table | NE | 2 s | ok | FIX | >whose turn | >turn to S"
     " | undo | fix | ok | undo"),
    ("kagw, sure", "ok | foul | cut | undo"),
    ("kagw, 60 s", "ok | 61 s | OK | NE | undo | ok"),
    ("kagw, 60 s", "ok | 61 s | ok | 61 s | ok | 61 s | undo"),
    ("kagw, 60 s", "ok | foul | fix | OK | FIX | >>end this match"),
    ("kagw, 60 s",
     "ok | NE | 2 s | =STRIKER NE | ok | ok | ok | SW | 2 s | =WHITE SW | ok | ok | 60 s"
     " | fix | ok | undo"),
    ("kagw, 60 s, sure", "ok | 61 s | FIX | >>end this match | undo"),
    ("kagw, 60 s, 1 board",
     "ok | NE | 2 s | =STRIKER NE | ok | ok | ok | SW | 2 s | =WHITE SW | ok | ok | 60 s"
     " | fix | ok | undo"),
    ("icf", "ok | NE | ok | undo | undo"),
    ("icf", "ok | FIX | >>end this match | undo"),
    ("icf", "ok | off | ok | cut | >>group was touched"),
    ("icf",
     "ok | NE | OK | NE | off | ok | undo | cut | undo | off | FIX | >>piece 2: flew off"
     " | >>menu | >>close | ok | >>N WHITE NE, STRIKER off"),
    ("icf",
     "ok | NE | 2 s | =WHITE NE | ok | SW | 2 s | =STRIKER SW | ok | ok | FIX"
     " | >>waive what is due | undo"),
    ("icf, sure", "ok | cut | NE | OK"),
    ("icf, sure", "ok | FIX | >>correct the counts | NE | cut | >>the table is right"),
    ("icf, sure",
     "ok | FIX | ok | ok | >>the table is right | foul | OK | fix | >the due is waived"
     " | NE | undo"),
    ("points", "ok | break | NE | ok"),
    ("points", "ok | cut | FIX | >>resign | OK"),
    ("points", "ok | FIX | >whose turn | >turn to N | NE | ok | undo | cut | undo | ok"),
)  # fmt: skip
"""Together they take every way that the table has from one phase to another."""
