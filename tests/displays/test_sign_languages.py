"""What signs show in each language: letters they have, never a guess at letters they lack."""

from __future__ import annotations

import pytest

from jackspot.core.phrases import Multilingual, _
from jackspot.core.pieces import Side
from jackspot.dialogue.state.view import NoticeView
from jackspot.displays.oled.sheet import card_of
from jackspot.displays.signs.alpha import strings_of
from jackspot.displays.signs.template_fields import values_of
from jackspot.displays.signs.text import plain, sign_text
from jackspot.displays.text import LARGE, PLAIN, SMALL, TINY, _glyph
from jackspot.displays.words import LANGUAGES, PLAIN_LETTERS, translator
from jackspot.values import changed
from tests.displays.oled_systems import KAGW
from tests.displays.oled_views import READY
from tests.displays.test_oled_languages import SCENES, view_of
from tests.displays.test_oled_words import sentences

SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def test_every_german_sentence_is_spelt_out_in_plain_letters() -> None:
    translate = translator("de")
    for phrase in sentences().values():
        said = plain(phrase, translate)
        assert said.upper() == phrase.render(translate).translate(SPELT).upper()
        assert said.isascii()


def test_every_japanese_sentence_gives_way_to_latin_words_and_never_to_stars() -> None:
    translate = translator("ja")
    for phrase in sentences().values():
        said, japanese = plain(phrase, translate), phrase.render(translate)
        assert said.isascii()
        assert "*" not in said
        assert said == (japanese if japanese.isascii() else str(phrase))


@pytest.mark.parametrize(("language", "encoding"), [("de", "latin-1"), ("ja", "shift_jis")])
def test_a_sign_with_the_letters_of_a_language_can_be_sent_every_sentence(
    language: str, encoding: str
) -> None:
    translate = translator(language)
    for phrase in sentences().values():
        phrase.render(translate).encode(encoding)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_a_sign_of_plain_letters_shows_each_scene(scene: str, language: str) -> None:
    view = view_of(scene)
    text = sign_text(view, translator(language))
    assert text.prompt
    assert text.prompt == text.prompt.upper()
    assert "*" not in text.prompt
    strings_of(view, translator)["P"].decode("ascii")


def test_a_japanese_sign_is_sent_japanese() -> None:
    values = values_of(view_of("ready"), translator("ja"), "shift_jis")
    assert values["headline"] == "赤 N の手番"
    assert values_of(view_of("ready"), translator("ja"), "ascii")["headline"] == "RED N to shoot"
    assert values_of(view_of("keep"), translator("de"), "ascii")["headline"] == "GRUEN S am Zug"


@pytest.mark.parametrize(("language", "letter"), [("en", "B"), ("de", "S"), ("ja", "B")])
def test_a_sign_writes_the_letter_of_a_side_as_the_oled_does_where_it_has_it(
    language: str, letter: str
) -> None:
    translate = translator(language)
    assert KAGW.sides[1].side is Side.BLACK
    assert sign_text(KAGW, translate).right.strip() == f"({letter}) 3"
    assert values_of(KAGW, translate, "ascii")["right.letter"] == letter
    shown = card_of(KAGW, 1, translate).letter
    assert shown == (letter if language != "ja" else "黒")


TYPED = {
    "Let’s meet – 13:30": "LET'S MEET - 13:30",
    "“lunch” ‘now’ „bald“": '"LUNCH" \'NOW\' "BALD"',
    "« oui » ‹ non ›": "\" OUI \" ' NON '",
    "*** lunch ***": "*** LUNCH ***",
    "until 13:30 …": "UNTIL 13:30 ...",
    "13‑14 ― −5": "13-14 - -5",
    "Łódź, Ærø, Đà Nẵng, Œuf": "LODZ, ARO, DA NANG, OUF",
    "GRÖẞE Straße": "GROESSE STRASSE",
    "nonbreaking\xa0space, so\xadft": "NONBREAKING SPACE, SOFT",
    "½ board × 2": "1/2 BOARD X 2",
    "Zoe\u0308 u\u0308ber": "ZOE UEBER",
}


@pytest.mark.parametrize("typed", TYPED)
def test_what_people_type_is_shown_in_plain_letters(typed: str) -> None:
    notice = NoticeView(Multilingual("", texts=(("en", typed),)), everywhere=True)
    shown = sign_text(changed(READY, notice=notice), translator("en")).prompt
    assert shown.endswith(f"  {TYPED[typed]}")
    assert plain(_("{name}", name=typed), str).upper() == TYPED[typed]


@pytest.mark.parametrize("letter", PLAIN_LETTERS)
def test_the_oled_and_signs_make_the_same_of_a_letter_that_they_lack(letter: str) -> None:
    assert plain(_("{name}", name=letter), str) == PLAIN_LETTERS[letter]
    for face in (TINY, SMALL, PLAIN, LARGE):
        mistaken = _glyph(face, letter).tobytes() == _glyph(face, "?").tobytes()
        assert not mistaken, (face.name, letter)


def test_a_line_of_the_halls_desk_is_said_where_a_sign_has_its_letters() -> None:
    def said(language: str, **texts: str) -> str:
        notice = NoticeView(Multilingual("", texts=tuple(texts.items())), everywhere=True)
        view = changed(READY, notice=notice)
        return sign_text(view, translator(language)).prompt

    plain = sign_text(READY, translator("de")).prompt
    assert said("de", de="Mittag für alle", ja="休憩") == f"{plain}  MITTAG FUER ALLE"
    assert said("ja", en="lunch", ja="休憩").endswith("  LUNCH")
    assert said("de", ja="休憩") == plain
    assert said("de", de="Wir warten 5 € 休憩") == f"{plain}  WIR WARTEN 5 * **"
    assert said("de", de="休憩時間 13:30") == plain, "mostly stars say nothing"
    stick = changed(READY, notice=NoticeView(_("results on the stick"), _("safe to remove")))
    assert sign_text(stick, translator("de")).prompt == plain
