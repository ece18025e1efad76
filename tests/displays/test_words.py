"""Every sentence can be found, translated and filled in; the template is up to date."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message

from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.dialogue.state.view import PreferencesView
from jackspot.dialogue.words.fault_words import fault_view
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.layout import draw
from jackspot.displays.signs.alpha import strings_of
from jackspot.displays.words import DOMAIN, LANGUAGES, LOCALE, translator
from jackspot.locale.__main__ import PACKAGES, begun, main, po_path, template
from jackspot.locale.catalogues import (
    PAGE_FILES,
    blanks,
    check,
    forms,
    missing,
    mo_bytes,
    pages_json,
    po_text,
    read,
    sentences as messages,
)
from jackspot.locale.extraction import BadCatalogue, collect, sentences
from jackspot.sensing.events import FaultRaised, Trouble
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot_sim.devices.bus import FakeI2C
from tests.displays.oled_views import READY

# The sentences of the code


@functools.cache
def all_said() -> tuple[Message, ...]:
    """Return every sentence of the code, which takes a second to find."""
    return tuple(messages(collect(*PACKAGES)))


def test_the_template_is_up_to_date() -> None:
    on_disk = (LOCALE / f"{DOMAIN}.pot").read_text(encoding="utf-8")
    assert on_disk == template(), (
        "sentences in the code have changed; write the template anew with "
        "`python -m jackspot.locale template`"
    )


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_is_translated_in_full(language: str) -> None:
    catalogue = read(po_path(language), language)
    said = {(forms(each.id), each.context) for each in all_said()}
    known = {(forms(each.id), each.context) for each in messages(catalogue)}
    what_to_do = (
        "see firmware/TRANSLATING.md: `python -m jackspot.locale update`, translate, compile"
    )
    assert (said - known, known - said, missing(catalogue)) == (set(), set(), []), what_to_do


def test_every_sentence_has_blanks_that_can_be_filled() -> None:
    for message in all_said():
        for sentence in forms(message.id):
            names = blanks(sentence)
            assert all(name.isidentifier() for name in names), sentence
            Phrase(sentence, tuple((name, "x") for name in names)).render(lambda text: text)


@pytest.mark.parametrize("language", begun())
def test_every_translation_has_the_blanks_of_its_sentence_and_is_compiled(language: str) -> None:
    path = po_path(language)
    catalogue = read(path, language)
    check(catalogue, str(path))
    translate = translator(language)
    for message in messages(catalogue):
        msgid, *many = forms(message.id)
        phrase = Phrase(msgid, (("n", 1),), "".join(many), message.context or "")
        wanted = forms(message.string)[0] or msgid
        filled = {name: name for name in blanks(wanted)} | {"n": 1}
        blank = tuple(filled.items())
        assert changed(phrase, blanks=blank).render(translate) == wanted.format(**filled)
    for name, package in PAGE_FILES.items():
        assert (path.parent / name).read_bytes() == pages_json(catalogue, package), (
            "translations have changed; `python -m jackspot.locale compile` makes what boards read"
        )


def found(tmp_path: Path, name: str, source: str) -> list[object]:
    path = tmp_path / name
    path.write_text(source, encoding="utf-8")
    return [sentence for sentence, _comments, _context in sentences(path, name)]


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize(
    "part", ["sensor_hub", "alpha_sign", "matrix", "buzzer", "lamps", "journal", "pocket_ne"]
)
def test_a_part_that_fails_is_named_in_the_readers_language(part: str, language: str) -> None:
    fault = fault_view(FaultRaised(0, part, Trouble.GONE))
    said = fault.what.render(translator(language))
    assert part.replace("_", " ").replace("ne", "NE") not in said
    assert "{" not in said


def test_sentences_are_found_wherever_they_stand_in_python(tmp_path: Path) -> None:
    source = (
        'one = _("RED NE")\n'
        "two = f(_('{side} owes {n}', side=_(\"RED\"), n=2))\n"
        "three = _(\n    'shoot '\n    'again',\n)\n"
        'four = _n("{n} piece", "{n} pieces", 4)\n'
        'not_one = other("never")\n'
    )
    assert found(tmp_path, "x.py", source) == [
        "RED NE",
        "{side} owes {n}",
        "RED",
        "shoot again",
        ("{n} piece", "{n} pieces"),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('x = _("{a}", a=f(_("b")))', ["{a}", "b"]),
        ('x = _("{a}", a=f(g(_("b"), _c("x", "c"))))', ["{a}", "b", "c"]),
        ('x = _("{a}", a=(_("b")))', ["{a}", "b"]),
        ('x = _("{a}", a=[f(_("b")) for _x in y])', ["{a}", "b"]),
        ('x = _("{a}", a=f(_("{b}", b=f(_("c")))))', ["{a}", "{b}", "c"]),
        ('x = _n("{n} a", "{n} as", n=f(_("b")))', [("{n} a", "{n} as"), "b"]),
        ('x = _c("x", "{a}", a=f(_n("b", "c", n=1)))', ["{a}", ("b", "c")]),
        ('say(listed([_("{a}", a=f(_("b")))]))', ["{a}", "b"]),
        ('x = phrases._("a")', ["a"]),
        ('_("a")\nsay("never")', ["a"]),
        ('def f(a=_("a")): pass', ["a"]),
        ('@f(_("a"))\nclass X(g(_("b"))): pass', ["a", "b"]),
    ],
)
def test_no_sentence_is_lost_in_brackets(
    tmp_path: Path, source: str, expected: list[object]
) -> None:
    assert found(tmp_path, "x.py", source) == expected


def test_sentences_are_found_wherever_they_stand_in_a_module_of_a_page(tmp_path: Path) -> None:
    source = (
        'const a = say("owes {n}", { n: say("two") });\n'
        'const b = `${yes ? say("the board\'s own") : ""} x`;\n'
        'const c = say(\n  "shoot " +\n  "again \\"now\\"",\n);\n'
        'sayCount("{n} piece", "{n} pieces", count, {});\n'
        'export function say(sentence) {}  // not one: other("never")\n'
        "// say(this) is only spoken of\n"
    )
    assert found(tmp_path, "x.js", source) == [
        "owes {n}",
        "two",
        "the board's own",
        'shoot again "now"',
        ("{n} piece", "{n} pieces"),
    ]


def test_sentences_are_found_where_a_page_is_marked(tmp_path: Path) -> None:
    source = (
        "<title data-say>Jackspot</title>\n"
        '<p data-say class="x">\n  shoot   again\n</p>\n'
        '<b title="RED" aria-label="GREEN" data-say="aria-label title text">both</b>\n'
        '<input placeholder="name" data-say="placeholder"><p>never</p>\n'
    )
    assert found(tmp_path, "x.html", source) == [
        "Jackspot",
        "shoot again",
        "GREEN",
        "RED",
        "both",
        "name",
    ]


def test_a_comment_for_translators_comes_along(tmp_path: Path) -> None:
    for name, source in (
        ("x.py", '# Translators: a list of games\na = _("games")\n'),
        ("x.js", '// Translators: a list of games\nconst a = say("games");\n'),
    ):
        path = tmp_path / name
        path.write_text(source, encoding="utf-8")
        assert sentences(path, name) == [("games", ["a list of games"], None)]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("x.py", "_(name)"),
        ("x.py", '_(f"{n} left")'),
        ("x.py", '_("a" + b)'),
        ("x.py", "_()"),
        ("x.py", "f\"{say(_('left'))}\""),
        ("x.py", '_("")'),
        ("x.py", '_n("{n} piece", many, 3)'),
        ("x.js", "say(name);"),
        ("x.js", "say(`${n} left`);"),
        ("x.js", "say('left');"),
        ("x.js", 'say("a" + b);'),
        ("x.js", 'say("");'),
        ("x.js", 'sayCount("{n} piece", many, 3);'),
        ("x.html", "<p data-say>shoot <b>again</b></p>"),
        ("x.html", "<p data-say> </p>"),
        ("x.html", '<p data-say="title">shoot</p>'),
    ],
)
def test_a_sentence_that_tools_cannot_find_is_refused(
    tmp_path: Path, name: str, source: str
) -> None:
    with pytest.raises(BadCatalogue, match=rf"{name.replace('.', '[.]')}:2: "):
        found(tmp_path, name, f"\n{source}")


# The files of gettext


def catalogue_of(translations: Mapping[Any, Any]) -> Catalog:
    catalogue = Catalog(locale="de", fuzzy=False)
    for sentence, translation in translations.items():
        catalogue.add(sentence, translation, locations=[("a/x.js", 0)])
    return catalogue


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    translations = {"owes {n}": "schuldet {n}", 'a "quote"\\\nnext': "zwei\nZeilen", "x": ""}
    path = tmp_path / "de.po"
    path.write_bytes(po_text(catalogue_of(translations)))
    back = {message.id: message.string for message in messages(read(path, "de"))}
    assert back == translations


def test_equal_sentences_give_equal_files_with_no_dates_in_them() -> None:
    text = po_text(catalogue_of({"b": "B", "a": "A"})).decode()
    assert text == po_text(catalogue_of({"a": "A", "b": "B"})).decode()
    assert "Date" not in text
    assert "Generated" not in text


@pytest.mark.parametrize("header", [False, True])
@pytest.mark.parametrize("sentence", ["a", "two\nlines", ("two\nlines", "more\nlines")])
def test_a_guess_stays_a_guess_and_a_header_is_none(
    tmp_path: Path, sentence: str | tuple[str, str], header: bool
) -> None:
    catalogue = Catalog(locale="de", fuzzy=header)
    catalogue.add(
        sentence,
        tuple(forms(sentence)) if isinstance(sentence, tuple) else sentence,
        flags=["fuzzy"],
    )
    path = tmp_path / "de.po"
    path.write_bytes(po_text(catalogue))
    back = read(path, "de")
    assert missing(back) == [forms(sentence)[0]]
    assert not back.fuzzy


def test_a_sentence_may_look_like_a_line_of_the_header(tmp_path: Path) -> None:
    translations = {"a\nGenerated-By: you": "a\nLanguage-Team: we\nb"}
    path = tmp_path / "de.po"
    path.write_bytes(po_text(catalogue_of(translations)))
    assert {each.id: each.string for each in messages(read(path, "de"))} == translations


def test_a_byte_order_mark_and_what_sentences_were_before_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    live = '#| msgid "b"\nmsgid "a"\nmsgstr "A"\n\n'
    absent = '#~| msgid "d"\n#~ msgid "c"\n#~ msgstr "C"\n'
    path.write_text(live + absent, encoding="utf-8-sig")
    read_back = read(path, "de")
    assert [(each.id, each.string) for each in messages(read_back)] == [("a", "A")]
    assert [(each.id, each.string) for each in read_back.obsolete.values()] == [("c", "C")]
    assert b"|" not in po_text(read_back)


def test_a_catalogue_that_cannot_be_read_says_where(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    path.write_text('msgid "a"\nmsgstr "b"\nnonsense\n', encoding="utf-8")
    with pytest.raises(BadCatalogue, match=r"de\.po:3: .*nonsense"):
        read(path, "de")


@pytest.mark.parametrize(
    "line",
    [
        'msgstr "zurücklegen',
        'msgstr zurücklegen"',
        "msgstr zurücklegen",
        "msgstr »zurücklegen«",
        'msgstr "zurück"legen"',
        'msgstr "zurücklegen\\"',
        r'msgstr "zur\ücklegen"',
        'msgstr "zurück" # legen',
        'msgstr[0] "zurücklegen',
        'msgctxt "zurücklegen',
        'msgid "zurücklegen',
        'msgid_plural "zurücklegen',
        '"zurücklegen',
        'zurücklegen"',
        '"',
    ],
)
@pytest.mark.parametrize("before", ["", "#~ "])
def test_a_text_that_is_not_between_two_quotes_is_refused(
    tmp_path: Path, before: str, line: str
) -> None:
    path = tmp_path / "de.po"
    path.write_text(f'# »"\n{before}msgid "put back"\n{before}{line}\n', encoding="utf-8")
    with pytest.raises(BadCatalogue, match=r"de\.po:3: .*"):
        read(path, "de")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('msgid "a"\nmsgstr "A"\n\nmsgid "a"\nmsgstr "B"\n', 4),
        ('msgid "a"\nmsgstr "A"\n\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "B"\n', 4),
        ('msgctxt "c"\nmsgid "a"\nmsgstr "A"\n\nmsgctxt "c"\nmsgid "a"\nmsgstr ""\n', 6),
        ('msgid "a"\nmsgstr "A"\nmsgstr "B"\n', 3),
        ('msgid "a"\nmsgid_plural "b"\n' + 2 * 'msgstr[0] "A"\nmsgstr[1] "B"\n', 5),
    ],
)
def test_a_second_translation_of_a_sentence_is_refused(
    tmp_path: Path, text: str, line: int
) -> None:
    path = tmp_path / "de.po"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadCatalogue, match=rf"de\.po:{line}: "):
        read(path, "de")


def test_equal_sentences_in_two_contexts_are_two(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    entries = 'msgid "a"\nmsgstr "A"\n\nmsgctxt "c"\nmsgid "a"\nmsgstr "B"\n'
    path.write_text(entries, encoding="utf-8")
    assert [message.string for message in messages(read(path, "de"))] == ["A", "B"]


@pytest.mark.parametrize("header", ["nplurals=two; plural=0;", "nplurals=; plural=0;"])
def test_a_header_that_cannot_be_read_says_where(tmp_path: Path, header: str) -> None:
    path = tmp_path / "de.po"
    path.write_text(f'msgid ""\nmsgstr "Plural-Forms: {header}\\n"\n', encoding="utf-8")
    with pytest.raises(BadCatalogue, match=r"de\.po: "):
        read(path, "de")


@pytest.mark.parametrize("line", ["Language: xx", "Content-Type: text/plain; charset=latin-1"])
def test_language_and_letters_of_a_file_are_those_of_its_place(tmp_path: Path, line: str) -> None:
    path = tmp_path / "ja.po"
    header = f'msgid ""\nmsgstr ""\n"Language: ja\\n"\n"{line}\\n"\n\n'
    path.write_text(header + 'msgid "a"\nmsgstr "玉"\n', encoding="utf-8")
    catalogue = read(path, "ja")
    assert [message.string for message in messages(catalogue)] == ["玉"]
    written = po_text(catalogue).decode()
    assert '"Language: ja\\n"' in written
    assert "charset=utf-8" in written


@pytest.mark.parametrize("translation", ["{seite} schuldet {n}", "schuldet {n}", "{side {n}"])
def test_a_translation_with_other_blanks_is_refused(translation: str) -> None:
    with pytest.raises(BadCatalogue, match="side"):
        check(catalogue_of({"{side} owes {n}": translation}), "de.po")


@pytest.mark.parametrize(
    "blank", ["{n!z}", "{n!r}", "{n:d}", "{n:zz}", "{n:}", "{n:{foo}}", "{n:{n}}", "{{n}}", "{n.x}"]
)
@pytest.mark.parametrize("sentence", ["{n} left", ("{n} piece", "{n} pieces")])
def test_a_blank_is_refused_that_is_more_than_the_name(
    tmp_path: Path, sentence: str | tuple[str, str], blank: str
) -> None:
    translation = blank if isinstance(sentence, str) else ("{n}", blank)
    path = tmp_path / "de.po"
    path.write_bytes(po_text(catalogue_of({"a": "A", sentence: translation})))
    line = path.read_text("utf-8").splitlines().index(f'msgid "{forms(sentence)[0]}"') + 1
    with pytest.raises(BadCatalogue, match=rf"de\.po:{line}: .*{re.escape(blank)}.*\['n'\], not "):
        check(read(path, "de"), str(path))


@pytest.mark.parametrize("blank", [" ", "\n", "\t \n", "\N{NO-BREAK SPACE}", "\u3000"])
@pytest.mark.parametrize("plural", [False, True])
def test_a_translation_of_nothing_but_space_is_refused_and_missing(
    blank: str, plural: bool
) -> None:
    catalogue = catalogue_of({("a", "b"): ("A", blank)} if plural else {"a": blank})
    with pytest.raises(BadCatalogue, match=r"'a'.*only space"):
        check(catalogue, "de.po")
    assert missing(catalogue) == ["a"]


@pytest.mark.parametrize(
    ("language", "wrong"),
    [
        ("de", "nplurals=2; plural=(n > 5);"),
        ("de", "nplurals=2; plural=(n != 2);"),
        ("de", "nplurals=2; plural=(n != 1"),
        ("de", "nplurals=2; plural=n != ;"),
        ("de", "nplurals=2; plural=1/n;"),
        ("de", "nplurals=3; plural=(n != 1);"),
        ("de", "nplurals=1; plural=0;"),
        ("ja", "nplurals=2; plural=(n != 1);"),
        ("ja", "nplurals=1; plural=1;"),
    ],
)
def test_plural_forms_that_are_not_those_of_the_language_are_refused(
    tmp_path: Path, language: str, wrong: str
) -> None:
    path = tmp_path / f"{language}.po"
    path.write_text(f'msgid ""\nmsgstr "Plural-Forms: {wrong}\\n"\n', encoding="utf-8")
    right = Catalog(locale=language).plural_forms
    with pytest.raises(BadCatalogue, match=rf"{language}\.po: .*{re.escape(right)}.*, not "):
        check(read(path, language), str(path))


@pytest.mark.parametrize("right", ["nplurals=2; plural=n != 1;", "nplurals=2; plural=(n!=1)"])
def test_plural_forms_may_be_written_otherwise(tmp_path: Path, right: str) -> None:
    path = tmp_path / "de.po"
    path.write_text(f'msgid ""\nmsgstr "Plural-Forms: {right}\\n"\n', encoding="utf-8")
    check(read(path, "de"), str(path))


def test_blanks_may_change_their_order_and_a_missing_translation_is_no_mistake() -> None:
    check(catalogue_of({"{side} owes {n}": "{n} schuldet {side}", "{a}": ""}), "de.po")


def test_a_plural_form_may_leave_out_the_number_and_nothing_else() -> None:
    pieces = ("{side}: {n} piece", "{side}: {n} pieces")
    check(catalogue_of({pieces: ("{side}: ein Stein", "{side}: {n} Steine")}), "de.po")
    with pytest.raises(BadCatalogue, match="side"):
        check(catalogue_of({pieces: ("ein Stein", "{n} Steine")}), "de.po")


def test_what_is_not_translated_or_only_guessed_is_missing() -> None:
    catalogue = catalogue_of({"a": "A", "b": "", ("c", "d"): ("C", "")})
    catalogue.add("e", "E", flags=["fuzzy"])
    assert sorted(missing(catalogue)) == ["b", "c", "e"]


def test_pages_are_sent_their_sentences_and_the_plural_forms_of_their_language() -> None:
    catalogue = catalogue_of({"a": "A", "b": "", ("{n} c", "{n} d"): ("{n} C", "{n} D")})
    catalogue.add("not on a page", "x", locations=[("a/x.py", 0)])
    catalogue.add("on another page", "x", locations=[("b/x.js", 0)])
    assert json.loads(pages_json(catalogue, "a/")) == {
        "plural": {"one": 0, "other": 1},
        "words": {"a": "A", "{n} c": ["{n} C", "{n} D"]},
    }


# What a board does with them


@pytest.fixture
def german(tmp_path: Path) -> Path:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = catalogue_of({"{side} owes {n}": "{side} schuldet {n}", "RED": "ROT"})
    (folder / f"{DOMAIN}.mo").write_bytes(mo_bytes(catalogue))
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
    with pytest.raises(ValueError, match=f"{', '.join(LANGUAGES)}, not 'xx'"):
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
    view = changed(READY, headline=_("{side} owes {n}", side=_("RED"), n=2))
    for language, said in (("en", "RED owes 2"), ("de", "ROT schuldet 2"), ("en", "RED owes 2")):
        spoken = changed(view, preferences=PreferencesView(language=language))
        oled.show(spoken)
        assert bus.picture().tobytes() == draw(spoken, speak(language)).tobytes()
        assert strings_of(spoken, speak)["P"].endswith(said.upper().encode())
        live.show(spoken)
        state = live.state()
        assert state is not None
        assert f'"headline":"{said}"' in state
    german_picture = draw(view, speak("de")).tobytes()
    assert german_picture != draw(view, speak("en")).tobytes()


# The tool


def test_a_translation_is_begun_written_updated_and_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jackspot.locale.__main__.LOCALE", tmp_path)
    assert main(["begin", "de"]) == 0
    path = tmp_path / "de" / "LC_MESSAGES" / f"{DOMAIN}.po"
    catalogue = read(path, "de")
    sentence = "shoot again"
    catalogue[sentence].string = "»noch einmal«"
    path.write_bytes(po_text(catalogue))
    before = path.read_bytes()
    assert main(["update"]) == 0
    assert path.read_bytes() == before
    assert main(["missing"]) == 0
    assert "de: shoot again\n" not in capsys.readouterr().out
    assert main(["compile"]) == 0
    assert translator("de", tmp_path)(sentence) == "»noch einmal«"
    assert main(["begin", "de"]) == 1
    assert "exists" in capsys.readouterr().err


@pytest.fixture
def update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return what updates a German catalogue for the given code, and returns its text."""
    code = tmp_path / "code"
    code.mkdir()
    monkeypatch.setattr("jackspot.locale.__main__.LOCALE", tmp_path)
    monkeypatch.setattr("jackspot.locale.__main__.PACKAGES", (code,))
    (tmp_path / "de" / "LC_MESSAGES").mkdir(parents=True)

    def run(source: str) -> str:
        (code / "x.py").write_text(source, encoding="utf-8")
        assert main(["update"]) == 0
        return po_path("de").read_text("utf-8")

    return run


SAID = (
    '_("a")\n_("two\\nlines")\n_n("{n} b", "{n} bs", n=1)\n_c("x", "a")\n_("guessed")\n_("new")\n'
)


@pytest.mark.parametrize("absent", ["", *SAID.splitlines()])
def test_a_translation_stays_though_its_sentence_is_absent_for_a_while(
    tmp_path: Path, update: Callable[[str], str], absent: str
) -> None:
    catalogue = catalogue_of({"a": "A", "two\nlines": "zwei\nZeilen", "new": ""})
    catalogue.add(("{n} b", "{n} bs"), ("{n} B", "{n} Bs"))
    catalogue.add("a", "A in x", context="x")
    catalogue.add("guessed", "geraten", flags=["fuzzy"], user_comments=["truly?"])
    po_path("de").write_bytes(po_text(catalogue))
    before = update(SAID)
    without = SAID.replace(f"{absent}\n", "") if absent else '_("another")\n'
    shorter = update(without)
    assert update(without) == shorter
    live = [(each.id, each.context) for each in messages(read(po_path("de"), "de"))]
    assert len(live) == without.count("\n")
    assert main(["compile"]) == 0
    known = translator.__wrapped__("de", tmp_path)
    assert (known("new"), known("guessed")) == ("new", "guessed")
    assert update(SAID) == before


@pytest.mark.parametrize("first", ["a", "b"])
def test_absent_sentences_stand_sorted_at_the_end(update: Callable[[str], str], first: str) -> None:
    said = {"a": "A", "b": "B", "two\nlines": "zwei\nZeilen"}
    po_path("de").write_bytes(po_text(catalogue_of(said)))
    update("".join(f"_({each!r})\n" for each in said if each != first))
    text = update('_("c")\n')
    assert text.endswith(
        'msgid "c"\nmsgstr ""\n\n#~ msgid "a"\n#~ msgstr "A"\n\n#~ msgid "b"\n#~ msgstr "B"\n\n'
        '#~ msgid ""\n#~ "two\\n"\n#~ "lines"\n#~ msgstr ""\n#~ "zwei\\n"\n#~ "Zeilen"\n'
    )


def test_what_was_never_translated_leaves_no_trace(update: Callable[[str], str]) -> None:
    po_path("de").write_bytes(po_text(catalogue_of({"a": "A"})))
    update('_("a")\n_("new")\n')
    assert "new" not in update('_("a")\n')


def test_a_sentence_that_is_there_twice_once_as_absent_is_refused(
    update: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    po_path("de").write_bytes(po_text(catalogue_of({"a": "A", "b": "B"})))
    text = update('_("a")\n')
    po_path("de").write_text(text + '\n#~ msgid "a"\n#~ msgstr "C"\n', encoding="utf-8")
    line = text.count("\n") + 2
    assert main(["update"]) == 1
    assert f"{DOMAIN}.po:{line}: " in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["begin"], ["begin", "en"], ["nonsense"]])
def test_the_tool_says_how_it_is_used(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "usage: python -m jackspot.locale" in capsys.readouterr().err


def test_no_library_is_opened_before_a_display_is_chosen() -> None:
    program = (
        "import sys, jackspot.displays, jackspot.displays.thread, jackspot.displays.words\n"
        "print(sorted({'serial', 'gpiozero', 'luma', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
