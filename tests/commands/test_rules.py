"""``jackspot rules``: the list, each system in each language, a wrong call."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import main
from jackspot.commands.terminal.speaking import SPOKEN
from jackspot.core.settings import RuleSystem
from jackspot.displays.words import LANGUAGES
from jackspot.rulebook import options_of, read_page


def run(*arguments: str, **environment: str) -> Result:
    spoken = dict.fromkeys(SPOKEN, "") | environment
    return CliRunner().invoke(main, ["rules", *arguments], env=spoken)


def squeezed(text: str) -> str:
    """Remove the blanks with which lines are broken and filled."""
    return "".join(text.split())


def test_without_an_id_the_systems_are_listed_with_their_sources():
    result = run()
    assert result.exit_code == 0
    for system in RuleSystem:
        assert system.value in result.stdout
        assert squeezed(read_page(system, "en").source) in squeezed(result.stdout)
    assert "jackspot rules hikone" in result.stdout


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", RuleSystem)
def test_a_system_is_told_whole(system, language):
    result = run(system.value, "--lang", language)
    assert result.exit_code == 0
    told = squeezed(result.stdout)
    page = read_page(system, language)
    for words in (page.title, page.source, *(line for _, lines in page.chapters for line in lines)):
        assert squeezed(words) in told
    for option in options_of(system):
        assert option.name in told
        assert str(option.defaults[system]).lower() in told.lower()


def test_what_a_system_does_not_know_is_not_told():
    told = run("kagw").stdout
    assert "jack_penalty" not in told
    assert "head_start" not in told
    assert "decider" in told


def test_handicaps_are_told_where_there_are_some():
    assert "pucks_needed" in run("japan").stdout


@pytest.mark.parametrize(
    ("spoken", "language"),
    [("de_CH.UTF-8", "de"), ("ja_JP.UTF-8", "ja"), ("C", "en"), ("fr_FR.UTF-8", "en"), ("", "en")],
)
def test_without_a_language_the_terminals_own_is_taken(spoken, language):
    assert read_page(RuleSystem.KAGW, language).short in run("kagw", LANG=spoken).stdout


def test_an_unknown_system_is_a_wrong_call_that_names_those_there_are():
    result = run("kagv")
    assert result.exit_code == 2
    assert "kagw" in result.stderr
    assert run("kagw", "--lang", "xx").exit_code == 2
