"""The words of the pages, and the live state in a reader's language."""

from __future__ import annotations

import json

import pytest

from jackspot.core.pieces import Piece, Side
from jackspot.dialogue.state.preferences import LANGUAGES as NAMES
from jackspot.dialogue.state.view import PreferencesView
from jackspot.dialogue.words.wording import piece_letter, side_letter
from jackspot.displays.words import LANGUAGES, translator
from jackspot.values import changed
from jackspot.web import words
from jackspot.web.live import LiveBoard
from tests.web.samples import IDENTITY, READY

GERMAN = changed(READY, preferences=PreferencesView(language="de"))


@pytest.mark.parametrize(
    ("preferred", "language"),
    [
        ("ja", "ja"),
        ("de-CH,de,en", "de"),
        ("xx,EN-us,ja", "en"),
        ("xx,yy", "de"),
        ("", "de"),
        (",".join(["xx"] * 10_000), "de"),
    ],
)
def test_the_first_language_that_is_spoken_is_served_else_the_boards(
    served, preferred: str, language: str
) -> None:
    served.display.post(GERMAN)
    answer = served.client.get("/api/words", params={"prefer": preferred[:8_000]})
    found = answer.json()
    assert found["language"] == language
    assert found["languages"] == dict(NAMES)


def test_before_the_first_view_the_words_are_english(served) -> None:
    assert served.client.get("/api/words").json()["language"] == "en"


def test_words_that_a_browser_has_are_not_sent_again(served) -> None:
    first = served.client.get("/api/words?prefer=de")
    assert first.headers["cache-control"] == "no-cache"
    again = served.client.get(
        "/api/words?prefer=de", headers={"if-none-match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    other = served.client.get(
        "/api/words?prefer=ja", headers={"if-none-match": first.headers["etag"]}
    )
    assert other.status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_which_plural_forms_it_has(language: str) -> None:
    found = json.loads(words.catalogue(language))
    assert found["plural"] == {"en": {}, "de": {"one": 0, "other": 1}, "ja": {"other": 0}}[language]


@pytest.fixture
def live() -> LiveBoard:
    def speak(language: str):
        return lambda text: f"{language}:{text}"

    live = LiveBoard(lambda: 0, lambda _event: None, IDENTITY, speak)
    live.show(GERMAN)
    return live


def headline(said: str) -> str:
    return json.loads(said)["prompts"]["headline"]


def test_the_state_is_said_in_the_language_that_is_asked_for_else_in_the_boards(live) -> None:
    for asked, spoken in ((None, "de"), ("ja", "ja"), ("en", "en"), (None, "de")):
        said = live.state(asked)
        assert said is not None
        state = json.loads(said)
        assert state["prompts"]["headline"].startswith(f"{spoken}:")
        assert state["house"]["language"] == "de"


def test_each_reader_of_the_stream_is_told_in_its_own_language(live) -> None:
    readers = {asked: live.reader(asked) for asked in (None, "ja", "en")}
    for _view in range(2):
        said = {asked: headline(read()[0].data)[:3] for asked, read in readers.items()}
        assert said == {None: "de:", "ja": "ja:", "en": "en:"}
        live.show(changed(GERMAN, sequence=90))


@pytest.mark.parametrize("path", ["/api/state", "/api/events"])
def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(served, path: str) -> None:
    served.display.post(READY)
    answer = served.client.get(path, params={"lang": "xx"})
    assert answer.status_code == 422
    assert answer.json() == {"error": f"lang=xx: the languages are {', '.join(LANGUAGES)}"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_discs_on_pages_have_the_letters_of_the_other_displays(language: str) -> None:
    translate = translator(language)
    letters = json.loads(words.catalogue(language))["letters"]
    assert letters == {
        **{each.value: piece_letter(each).render(translate) for each in Piece},
        "one": "1",
        "two": "2",
    }
    assert letters[Side.BLACK] == side_letter(Side.BLACK).render(translate)
    assert len(set(letters.values())) == len(letters)
