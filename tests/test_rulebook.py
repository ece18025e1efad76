"""The rules in words: the three languages say the same, and what they cite exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from jackspot import rulebook
from jackspot.core.agreement import HANDICAPS
from jackspot.core.options import CAROM, OPTIONS
from jackspot.core.record import read_record
from jackspot.core.settings import RuleSystem

RULES = Path(rulebook.__file__).parents[1] / "core" / "rules"
LANGUAGES = sorted(each.parent.name for each in Path(rulebook.__file__).parent.glob("*/words.toml"))
ROWS = Path(__file__).parent / "core" / "rules"
ID = re.compile(r"\b[A-Z]{2}-\d+[a-c]?\b")


def ids(text: str) -> list[str]:
    return ID.findall(text)


def watched(rows: Path) -> set[str]:
    """Return the rows that only people can watch, from a table of expectations."""
    return set(tomllib.loads(rows.read_text(encoding="utf-8")).get("watched", {}))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", RuleSystem)
def test_every_language_tells_the_same_lines_and_cites_the_same_rows(system, language):
    english = rulebook.read_page(system, "en")
    page = rulebook.read_page(system, language)
    assert page.title
    assert page.short
    assert page.source
    for (_, lines), (heading, told) in zip(english.chapters, page.chapters, strict=True):
        assert heading
        assert [ids(line) for line in told] == [ids(line) for line in lines]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_handicap_is_told_in_every_language(language):
    words = rulebook.read_words(language)
    assert set(words["options"]) == set(OPTIONS)
    assert set(words["handicaps"]) == set(HANDICAPS)
    assert set(words) == set(rulebook.read_words("en"))
    assert set(words["headings"]) == set(rulebook.read_words("en")["headings"])


@pytest.mark.parametrize("system", RuleSystem)
def test_the_rows_cited_stand_on_the_pages_beside_the_rules(system):
    pages = {each: next(RULES.rglob(f"{each}.md")) for each in RuleSystem}
    beside = [system, RuleSystem.HIKONE, RuleSystem.JAPAN] if system in CAROM else [system]
    there = {row for each in beside for row in ids(pages[each].read_text(encoding="utf-8"))}
    page = rulebook.read_page(system, "en")
    cited = {row for _, lines in page.chapters for line in lines for row in ids(line)}
    assert cited
    assert cited <= there


@pytest.mark.parametrize("system", RuleSystem)
def test_rows_that_only_people_can_watch_are_told_as_such(system):
    rows = ROWS / f"{system}_rows.toml"
    page = rulebook.read_page(system, "en")
    told = {row for line in page.chapters[-1][1] for row in ids(line)}
    assert watched(rows) <= told


TOGETHER = {
    "en": ("pocketed", "flies off"),
    "de": ("versenkt", "Fliegt"),
    "ja": ("入っ", "飛び出し"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("what", "stroke"), [(0, "striker red"), (1, "striker red^")])
def test_an_own_puck_with_a_fault_is_told_by_the_row_that_a_ruling_names(language, what, stroke):
    """Pocketed, or off the board: each sentence cites the row of its own stroke."""
    record = read_record(f'rules = "japan"\n---\n! set red pocketed=3\nN {stroke}\n')
    ruling = record.match.state.ruling
    assert ruling is not None
    lines = [
        line for _, told in rulebook.read_page(RuleSystem.JAPAN, language).chapters for line in told
    ]
    line = next(line for line in lines if ids(line) == ["JP-07", "JP-04"])
    said = dict(zip(ids(line), ID.split(line), strict=False))
    words = TOGETHER[language]
    assert words[what] in said[ruling.rows[0]]
    assert words[1 - what] not in said[ruling.rows[0]]


def test_what_a_language_has_no_page_of_is_told_in_english():
    assert rulebook.read_words("xx") == rulebook.read_words("en")
    assert rulebook.read_page(RuleSystem.ICF, "xx") == rulebook.read_page(RuleSystem.ICF, "en")


def test_a_value_that_is_usual_is_not_told_again():
    option = OPTIONS["last_puck_with_jack"]
    assert rulebook.other_values(option, RuleSystem.JAPAN) == ("plus_extra", "win")
    assert rulebook.other_values(option, RuleSystem.HIKONE) == ("five", "win")
    assert rulebook.other_values(OPTIONS["shots_per_puck"], RuleSystem.JAPAN) == (True,)
