"""The reason for a refusal is given in the words of players, in every language."""

from __future__ import annotations

import pytest

from jackspot.core.agreement import Disagreement, agree
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.record import read_entry_line
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.words.refusals import why_no_match, why_not
from jackspot.displays.words import LANGUAGES, translator
from tests.dialogue.playing import Table


def refused(rules: str, *lines: str, last: str) -> tuple[str, str]:
    """Play lines and have the last one refused; return the reason in German and the core's."""
    match = Match.begin(agree({"rules": rules, "options": {"best_of": 1}}))
    for line in lines:
        match = match.enter(read_entry_line(line, match.settings.rules))
    entry = read_entry_line(last, match.settings.rules)
    with pytest.raises(IllegalEntry) as raised:
        match.enter(entry)
    why = why_not(raised.value, (entry,), match.state)
    assert all(why.render(translator(each)) for each in LANGUAGES)
    return why.render(translator("de")), str(raised.value)


@pytest.mark.parametrize(
    ("rules", "lines", "last", "said"),
    [
        ("hikone", ["N 12*red"], "N 2*red", "zu viel: ROT"),
        ("hikone", [], "N 13*red", "zu viel: ROT"),
        ("hikone", [], "S red", "nicht am Zug"),
        ("points", [], "N 10*black", "zu viel: SCHWARZ"),
        ("icf", [], "N striker striker", "zu viel: STRIKER"),
        ("hikone", [], "N banked", "über Bande"),
        ("hikone", ["! resign S"], "! draw", "Partie zu Ende"),
    ],
)
def test_the_reason_names_the_piece_the_flag_or_the_seat(
    rules: str, lines: list[str], last: str, said: str
) -> None:
    shown, core = refused(rules, *lines, last=last)
    assert shown == f"nicht möglich: {said}"
    assert core not in shown


def test_a_match_that_cannot_be_agreed_names_the_setting() -> None:
    with pytest.raises(Disagreement) as raised:
        agree({"rules": "hikone", "options": {"time_limit_s": -1}})
    shown = why_no_match(raised.value).render(translator("en"))
    assert shown == "not possible: time limit"
    assert str(why_no_match(LookupError("gone"))) == "not possible: rules and options"


def test_the_journal_has_the_whole_sentence() -> None:
    """A time limit below zero: the display names the option, and the journal has the reason."""
    table = Table(rules="hikone", options={"time_limit_s": -1}).wait(1.0).ok("N")
    assert str(table.view.detail).startswith("not possible: ")
    assert "options.time_limit_s: " in table.last(EntryKind.SWALLOWED)["why"]
