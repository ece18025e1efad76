"""Every sentence can be found, translated and filled in; the template is up to date."""

from __future__ import annotations

import gettext
import io
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jackspot
from jackspot.displays import DISPLAYS, build_display
from jackspot.displays.alpha_sign import strings_of
from jackspot.displays.oled import Oled
from jackspot.displays.oled_layout import draw
from jackspot.displays.template_text import Script
from jackspot.displays.web.live import LiveBoard, compact
from jackspot.displays.words import DOMAIN, LANGUAGES, LOCALE, translator
from jackspot.locale.__main__ import main, template
from jackspot.locale.catalogue import (
    BadCatalogue,
    blanks,
    check,
    collect,
    read_po,
    sentences,
    write_mo,
    write_po,
)
from jackspot.table.phrases import EMPTY, Phrase, _
from jackspot.table.view import HouseView
from jackspot_sim.bus import FakeI2C
from tests.displays.oled_views import READY

PACKAGE = Path(jackspot.__file__).parent


# The sentences of the code


def test_the_template_is_up_to_date() -> None:
    on_disk = (LOCALE / f"{DOMAIN}.pot").read_text(encoding="utf-8")
    assert on_disk == template(), (
        "sentences in the code have changed; write the template anew with "
        "`python -m jackspot.locale template`"
    )


def test_every_sentence_has_blanks_that_can_be_filled() -> None:
    for sentence in collect(PACKAGE):
        names = blanks(sentence)
        assert all(name.isidentifier() for name in names), sentence
        Phrase(sentence, tuple((name, "x") for name in names)).render(lambda text: text)


def test_every_translation_has_the_blanks_of_its_sentence_and_is_compiled() -> None:
    for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"):
        catalogue = read_po(path.read_text(encoding="utf-8"), str(path))
        check(catalogue, str(path))
        assert path.with_suffix(".mo").read_bytes() == write_mo(catalogue)


def test_sentences_are_found_wherever_they_stand() -> None:
    source = (
        'one = _("RED NE")\n'
        "two = f(_('{side} owes {n}', side=_(\"RED\"), n=2))\n"
        "three = _(\n    'shoot '\n    'again',\n)\n"
        'not_one = other("never")\n'
    )
    assert sentences(source, "x.py") == {"RED NE", "{side} owes {n}", "RED", "shoot again"}


@pytest.mark.parametrize("source", ["_(name)", '_(f"{n} left")', '_("a" + b)', "_()", '_("")'])
def test_a_sentence_that_tools_cannot_find_is_refused(source: str) -> None:
    with pytest.raises(BadCatalogue, match=r"x\.py:2: "):
        sentences(f"\n{source}", "x.py")


# The files of gettext


def test_a_template_lists_each_sentence_once_with_its_places() -> None:
    text = write_po({"owes {n}": ["a.py", "b.py"], 'a "quote"\\\nnext': ["a.py"]})
    assert text.endswith(
        "#: a.py\n#: b.py\n#, python-brace-format\n"
        'msgid "owes {n}"\nmsgstr ""\n'
        '\n#: a.py\nmsgid ""\n"a \\"quote\\"\\\\\\n"\n"next"\nmsgstr ""\n'
    )


TEXT = st.text(st.characters(blacklist_characters="{}\0", blacklist_categories=["Cs", "Cc"]))
LINES = st.lists(TEXT, min_size=1, max_size=3).map("\n".join)


@given(st.dictionaries(LINES.filter(bool), LINES, max_size=6))
def test_what_was_written_is_read_back(catalogue: dict[str, str]) -> None:
    places = dict.fromkeys(catalogue, ("a.py",))
    read = read_po(write_po(places, catalogue), "x.po")
    read.pop("")
    assert read == catalogue


@given(st.dictionaries(LINES.filter(bool), LINES.filter(bool), max_size=6))
def test_the_standard_library_reads_what_is_compiled(catalogue: dict[str, str]) -> None:
    header = {"": "Content-Type: text/plain; charset=UTF-8\n"}
    read = gettext.GNUTranslations(io.BytesIO(write_mo(header | catalogue)))
    for sentence, translation in catalogue.items():
        assert read.gettext(sentence) == translation


@pytest.mark.parametrize("text", ["nonsense", 'msgid "a', '"loose"', "msgid a"])
def test_a_catalogue_that_cannot_be_read_says_where(text: str) -> None:
    with pytest.raises(BadCatalogue, match=r"de\.po:2: expected msgid"):
        read_po(f"\n{text}\n", "de.po")


@pytest.mark.parametrize("translation", ["{seite} schuldet {n}", "schuldet {n}", "{side {n}"])
def test_a_translation_with_other_blanks_is_refused(translation: str) -> None:
    with pytest.raises(BadCatalogue, match="side"):
        check({"{side} owes {n}": translation}, "de.po")


def test_blanks_may_change_their_order_and_a_missing_translation_is_no_mistake() -> None:
    check({"{side} owes {n}": "{n} schuldet {side}", "{a}": "", "": "{header}"}, "de.po")


# What a board does with them


@pytest.fixture
def german(tmp_path: Path) -> Path:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = {
        "": "Content-Type: text/plain; charset=UTF-8\n",
        "{side} owes {n}": "{side} schuldet {n}",
        "RED": "ROT",
    }
    (folder / f"{DOMAIN}.mo").write_bytes(write_mo(catalogue))
    return tmp_path


def test_a_phrase_is_translated_with_all_its_parts(german: Path) -> None:
    phrase = _("{side} owes {n}", side=_("RED"), n=2)
    assert phrase.render(translator("de", german)) == "ROT schuldet 2"
    assert phrase.render(translator("en", german)) == "RED owes 2"


def test_what_has_no_translation_stays_english(german: Path) -> None:
    assert _("shoot again").render(translator("de", german)) == "shoot again"
    assert _("shoot again").render(translator("ja", german)) == "shoot again"


def test_nothing_is_translated_to_nothing_and_not_to_the_header(german: Path) -> None:
    translate = translator("de", german)
    assert translate("") == ""
    assert EMPTY.render(translate) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_the_board_can_be_chosen(language: str) -> None:
    assert translator(language)("no such sentence") == "no such sentence"


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="en, de, ja, not 'xx'"):
        translator("xx")


def test_a_catalogue_is_opened_once(german: Path) -> None:
    assert translator("de", german) is translator("de", german)
    assert translator("de", german) is not translator("ja", german)


def test_every_display_speaks_the_language_that_people_set_as_soon_as_they_do(
    german: Path,
) -> None:
    speak = partial(translator, folder=german)
    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial, speak=speak)
    oled.open()
    live = LiveBoard(lambda: 0, lambda _event: None, speak=speak)
    view = replace(READY, headline=_("{side} owes {n}", side=_("RED"), n=2))
    for language, said in (("en", "RED owes 2"), ("de", "ROT schuldet 2"), ("en", "RED owes 2")):
        spoken = replace(view, house=HouseView(language=language))
        oled.show(spoken)
        assert bus.picture().tobytes() == draw(spoken, speak(language)).tobytes()
        assert strings_of(spoken, speak)["P"].endswith(said.upper().encode())
        live.show(spoken)
        state = live.state()
        assert state is not None
        assert f'"headline":"{said}"' in compact(state)
    german_picture = draw(view, speak("de")).tobytes()
    assert german_picture != draw(view, speak("en")).tobytes()


# The tool


def test_a_translation_is_begun_written_updated_and_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jackspot.locale.__main__.LOCALE", tmp_path)
    assert main(["begin", "de"]) == 0
    path = tmp_path / "de" / "LC_MESSAGES" / f"{DOMAIN}.po"
    sentence = next(iter(collect(PACKAGE)))
    catalogue = read_po(path.read_text(encoding="utf-8"), "de.po")
    translation = f"»{sentence}«"
    path.write_text(write_po({sentence: ()}, catalogue | {sentence: translation}), encoding="utf-8")
    assert main(["update", "de"]) == 0
    updated = read_po(path.read_text(encoding="utf-8"), "de.po")
    assert updated == catalogue | {sentence: translation}
    assert main(["compile"]) == 0
    assert translator("de", tmp_path)(sentence) == translation
    assert main(["begin", "de"]) == 1
    assert "exists" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["begin"], ["begin", "en"], ["nonsense"]])
def test_the_tool_says_how_it_is_used(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "usage: python -m jackspot.locale" in capsys.readouterr().err


# The table of displays


@pytest.mark.parametrize("name", DISPLAYS)
def test_every_display_of_the_table_can_be_built(name: str) -> None:
    needed: dict[str, dict[str, object]] = {
        "alpha_sign": {"port": "loop://"},
        "segment": {"port": "loop://"},
        "template": {"port": "loop://", "script": Script(("{left.count}",)), "name": "template"},
        "buzzer": {"pin": 18},
        "lamps": {"pins": {}},
    }
    display = build_display(name, **needed.get(name, {}))
    assert display.name == name


def test_an_unknown_display_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ValueError, match="did you mean alpha_sign"):
        build_display("alphasign")


def test_no_library_is_opened_before_a_display_is_chosen() -> None:
    program = (
        "import sys, jackspot.displays, jackspot.displays.thread, jackspot.displays.words\n"
        "print(sorted({'serial', 'gpiozero', 'luma', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
