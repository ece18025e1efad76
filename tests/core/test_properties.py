"""Entries of every shape: they read back as written, and rubbish causes errors and no more."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.agreement import agree
from jackspot.core.directives import (
    GiveTurn,
    RedPlace as Red,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.match import IllegalEntry, Match, NothingToRedo, NothingToUndo, Playing
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.record import (
    Flaw,
    RecordError,
    Rewind,
    read_entry_line,
    read_record,
    write_entry,
)
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke

PIECES = (Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER)
SIDES = st.sampled_from((Side.RED, Side.GREEN))
POCKETS = st.sampled_from(Pocket)
FALLEN = st.builds(Departure, st.sampled_from(PIECES), st.none() | POCKETS)
FLOWN = st.builds(Departure, st.sampled_from(PIECES), st.none(), st.just(True))
FLAGS = st.frozensets(st.sampled_from((Flag.FOUL, Flag.AREA, Flag.BANKED, Flag.UNBANKED)))
STROKES = st.builds(
    Stroke,
    st.sampled_from(Seat),
    st.lists(st.one_of(FALLEN, FLOWN), max_size=8).map(tuple),
    FLAGS,
    st.none() | POCKETS,
    st.none() | st.integers(0, 10**15),
)
ENTRIES = st.one_of(
    STROKES,
    st.builds(Say, st.sampled_from(Saying)),
    st.builds(GiveTurn, st.sampled_from(Seat)),
    st.builds(Resign, st.sampled_from(Seat)),
    st.builds(SetPocketed, SIDES, st.integers(0, 999)),
    st.builds(SetOwed, SIDES, st.integers(0, 999)),
    st.just(SetRed(Red.BOARD)),
)
HIKONE = agree({"rules": "hikone", "seats": ["N", "E", "S", "W"], "options": {"best_of": 9}})


@given(ENTRIES)
def test_every_entry_reads_back_from_its_line(entry):
    assert read_entry_line(write_entry(entry), RuleSystem.HIKONE) == entry


@given(st.lists(ENTRIES, max_size=30))
def test_any_entry_is_taken_or_refused_and_a_refusal_changes_nothing(entries):
    match = Match.begin(HIKONE)
    for entry in entries:
        before = match
        try:
            match = match.enter(entry)
        except IllegalEntry:
            assert match == before
            continue
        assert match.undo().state == before.state
        assert match.undo().redo().state == match.state


@given(st.lists(ENTRIES | st.sampled_from(Rewind), max_size=40))
def test_a_match_that_is_played_through_is_the_same_as_one_entered_step_by_step(said):
    match, playing = Match.begin(HIKONE), Playing(HIKONE)
    for each in said:
        took, fold = {
            Rewind.UNDO: (match.undo, playing.undo),
            Rewind.REDO: (match.redo, playing.redo),
        }.get(each, (partial(match.enter, each), partial(playing.enter, each)))
        try:
            match = took()
        except (IllegalEntry, NothingToUndo, NothingToRedo) as refused:
            with pytest.raises(type(refused), match=re.escape(str(refused))):
                fold()
        else:
            fold()
        assert playing.match() == match


WORDS = st.sampled_from(
    [
        *("N", "S", "E", "!", "-", "red", "green", "jack", "striker", "2*red", "red^", "red@NE"),
        *("foul", "area", "call@NE", "t=3", "undo", "redo", "turn", "set", "pocketed=3", "# x"),
        *("3**red", "@", "^", "=", "\u2028", "\x00", "愛", "t=", "call@", "*", "set red", "99*red"),
    ]
)
LINES = st.lists(WORDS, max_size=6).map(" ".join)
HEADERS = st.sampled_from(
    ['rules = "hikone"', 'rules = "kagw"', "rules = 3", "[", "[rules]", "rules.x = 1", "", "\x00"]
)
MORE = st.sampled_from(
    [
        *("", "[options]\nbest_of = 3", "[names]\nQ = 1", "seats = 3", "names = []"),
        *("handicap = 1", "[[options]]", "[handicap]\nN = [1]", "colours = [1]"),
        "options = {best_of = [3]}",
    ]
)


@settings(max_examples=300)
@given(HEADERS, MORE, st.lists(LINES, max_size=8))
def test_any_text_is_a_record_or_has_errors_inside_it(header, more, lines):
    text = "\n".join([header, more, "---", *lines])
    flaws: tuple[Flaw, ...] = ()
    try:
        assert score(read_record(text))["record"] == 1
    except RecordError as error:
        flaws = error.errors or (Flaw(0, 0, "an error without errors"),)
    for flaw in flaws:
        assert 1 <= flaw.line <= len(text.split("\n"))
        assert 1 <= flaw.column <= len(text.split("\n")[flaw.line - 1]) + 1
        assert flaw.message
