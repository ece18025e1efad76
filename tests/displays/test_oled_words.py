"""Every sentence of the firmware has its glyphs on the OLED and fits in its place."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from pathlib import Path

import pytest

import jackspot
from jackspot.core.agreement import HANDICAPS
from jackspot.core.options import OPTIONS
from jackspot.core.phrases import EMPTY, Phrase, Translate, _
from jackspot.core.pieces import Piece, Pocket, Side
from jackspot.core.ruling import How
from jackspot.core.stroke import Departure, Flag
from jackspot.dialogue.state.view import MenuView, Phase
from jackspot.dialogue.words.fault_words import button_word, place_word
from jackspot.dialogue.words.option_words import handicap_word, option_word, value_word
from jackspot.dialogue.words.wording import (
    counted,
    departure_word,
    flag_word,
    how_word,
    listed,
    piece_word,
    side_word,
)
from jackspot.displays import text as oled_text
from jackspot.displays.oled import parts as oled_parts
from jackspot.displays.oled.layout import draw
from jackspot.displays.text import LARGE, PLAIN, SMALL, TINY, Block, fit, has_glyph, measure
from jackspot.displays.words import LANGUAGES, translator
from jackspot.locale.catalogues import blanks, forms, sentences as messages
from jackspot.locale.extraction import collect
from jackspot.sensing.events import Button, Key, Place
from jackspot.values import changed
from tests.conftest import thinned
from tests.displays.eye import is_for_displays
from tests.displays.oled_views import READY, VIEWS, phrases_of, reading, review

FIRMWARE = Path(jackspot.__file__).parent
FACES = (TINY, SMALL, PLAIN, LARGE)
ONE_LINE = 128

WORST: dict[str, str | int | Phrase] = {
    "side": side_word(Side.GREEN),
    "other": side_word(Side.GREEN),
    "seat": "W",
    "seats": "N E S W",
    "place": place_word(Place.REFEREE),
    "pocket": "NW",
    "piece": piece_word(Piece.STRIKER),
    "n": 12,
    "m": 12,
    "ms": 199,
    "minutes": 120,
    "sign": "+1",
    "flag": flag_word(Flag.NOBREAK),
    "where": _("pocket not known"),
    "part": button_word(Button(Place.REFEREE, Key.UNDO)),
    "how": how_word(How.PIECES),
    "turn": _("shoot again"),
    "pieces": counted([Piece.GREEN] * 12 + [Piece.RED] * 12 + [Piece.JACK]),
    "first": "2 GREEN NE, RED NW",
    "then": departure_word(Departure(Piece.STRIKER, Pocket.SW)),
    "what": listed([
        departure_word(Departure(Piece.RED, Pocket.NE)),
        departure_word(Departure(Piece.STRIKER, Pocket.SW)),
    ]),
    "outcome": _("shoot again"),
    "counts": "RED 12, GREEN 12?",
    "line": _("{n} {said}", n=12, said="N RED NE"),
    "option": _("foul returns opp."),
    "value": _("jack penalty"),
}  # fmt: skip
"""The longest text for each blank in play; other blanks get eight wide letters."""


@cache
def sentences() -> dict[str, Phrase]:
    """Return every sentence that displays show, with the longest text in each blank."""
    found = {}
    for message in messages(collect(FIRMWARE)):
        if any(is_for_displays(file) for file, _line in message.locations):
            msgid, *many = forms(message.id)
            names = blanks(msgid) | {"n" for _each in many}
            values = tuple((name, WORST.get(name, "MMMMMMMM")) for name in sorted(names))
            name = f"{message.context}: {msgid}" if message.context else msgid
            found[name] = Phrase(msgid, values, "".join(many), message.context or "")
    return found


def is_marked(node: ast.Call) -> bool:
    """Return whether a call is ``_("...")``, ``_n(...)`` or ``_c(...)``."""
    return isinstance(node.func, ast.Name) and node.func.id in {"_", "_n", "_c"}


def name_of(node: ast.Call) -> str:
    """Return the name of a marked sentence in :func:`sentences`."""
    assert isinstance(node.func, ast.Name)
    words = [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
    return f"{words[0]}: {words[1]}" if node.func.id == "_c" else words[0]


def prompts(key: str) -> set[str]:
    """Return the name of every sentence that says what ``ok`` or ``fix`` does."""
    found = set()
    for path in sorted((FIRMWARE / "dialogue").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == key:
                found |= {
                    name_of(call)
                    for call in ast.walk(node.value)
                    if isinstance(call, ast.Call) and is_marked(call)
                }
    return found


@cache
def languages() -> dict[str, Translate]:
    """Return every language that the board speaks."""
    return {language: translator(language) for language in LANGUAGES}


def longer(text: str) -> str:
    """Make every word a third longer, as German does; blanks stay as they are."""
    return " ".join(
        word if "{" in word or "}" in word else word + "ü" * -(-len(word) // 3)
        for word in text.split(" ")
    )


def test_there_are_sentences_and_prompts_to_look_at() -> None:
    assert "shoot again" in sentences()
    assert dict(sentences()["{piece} {pocket}"].blanks).keys() == {"piece", "pocket"}
    assert {"yes", "missed"} <= prompts("ok")
    assert "next" in prompts("fix")


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.name)
def test_every_sentence_has_its_glyphs(face: oled_text.Face) -> None:
    for translate in languages().values():
        for phrase in sentences().values():
            text = phrase.render(translate)
            assert [c for c in text if not has_glyph(face, c)] == [], text


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.name)
def test_german_and_japanese_have_their_glyphs(face: oled_text.Face) -> None:
    assert all(has_glyph(face, c) for c in "äöüßÄÖÜ赤緑打番戻勝負ジャック。、ー「」")


def test_an_umlaut_is_not_the_bare_letter() -> None:
    for face in FACES:
        for marked, bare in zip("äöüÄÖÜ", "aouAOU", strict=True):
            assert written(face, marked) != written(face, bare)


def written(face: oled_text.Face, text: str) -> bytes:
    """Write a text; return its dots."""
    image = oled_parts.blank(measure(face, text), face.height)
    oled_text.write(image, 0, 0, text, face)
    return image.tobytes()


def test_an_unknown_letter_is_its_plain_one_or_a_question_mark() -> None:
    assert written(TINY, "Łódź") == written(TINY, "Lodz")
    assert written(SMALL, "\u0950") == written(SMALL, "?")


@pytest.mark.parametrize("key", ["ok", "fix"])
def test_every_prompt_fits_in_one_line_beside_its_key(key: str) -> None:
    counter = " 6/6" if key == "fix" else ""
    room = ONE_LINE - oled_parts.tag_width(key.upper()) - 2
    for translate in languages().values():
        for name in prompts(key):
            text = sentences()[name].render(translate) + counter
            assert measure(TINY, text) <= room, f"{key}: {text!r} is too long for the OLED"


def test_every_fault_fits_in_its_two_lines() -> None:
    from jackspot.dialogue.words import fault_words, stick_words

    tables = [
        node.value
        for module in (fault_words, stick_words)
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id in {"_FAULTS", "_DISK", "_STICK"}
        and isinstance(node.value, ast.Dict)
    ]
    assert len(tables) == 3
    found = [
        name_of(call)
        for table in tables
        for call in ast.walk(table)
        if isinstance(call, ast.Call) and is_marked(call)
    ]
    assert len(found) == 2 * sum(len(table.keys) for table in tables)
    for translate in languages().values():
        for name in found:
            text = sentences()[name].render(translate)
            assert measure(TINY, text) <= ONE_LINE - 13, text


@pytest.mark.parametrize("name", VIEWS)
def test_every_picture_has_room_for_words_a_third_longer(name: str, cut_off: list[Block]) -> None:
    view = VIEWS[name]
    # A fault's words have a line of their own, and a test of their own for every language.
    plain = [Phrase("{text}", (("text", str(each.what)),)) for each in view.faults]
    faults = (
        changed(each, what=what, remedy=what) for each, what in zip(view.faults, plain, strict=True)
    )
    draw(changed(view, faults=tuple(faults), notice=None), longer)
    assert cut_off == []


@pytest.mark.parametrize("phase", thinned(Phase, {Phase.READY, Phase.PAUSED}))
def test_every_sentence_can_be_the_headline_or_the_detail(
    phase: Phase, cut_off: list[Block]
) -> None:
    base = next(view for view in VIEWS.values() if view.phase is phase)
    for translate in languages().values():
        for phrase in sentences().values():
            draw(changed(base, headline=phrase, detail=EMPTY), translate)
            draw(changed(base, detail=phrase), translate)
    assert cut_off == []


def test_every_sentence_can_be_the_detail_of_a_review(cut_off: list[Block]) -> None:
    asked = review(reading("RED NE", ""))
    for translate in languages().values():
        for phrase in sentences().values():
            draw(changed(asked, detail=phrase), translate)
    assert cut_off == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_a_question_or_a_line_and_leaves_no_letter_alone(
    language: str, in_lines: list[Block], cut_off: list[Block]
) -> None:
    translate, menu = translator(language), VIEWS["menu"].menu
    assert menu is not None
    for phrase in sentences().values():
        asked = MenuView(phrase, (_("part of the last stroke"),), 0, question=True)
        listed_thrice = changed(menu, title=phrase, items=(phrase,) * 3, chosen=1)
        for view in (
            changed(READY, menu=asked),
            changed(READY, menu=listed_thrice),
            changed(READY, detail=phrase),
            changed(VIEWS["match_over_code"], detail=phrase),
        ):
            draw(view, translate)
    assert cut_off == []
    assert in_lines != []
    broken = [block.lines for block in in_lines if len(" ".join(block.lines).split()) > 2]
    assert [lines for lines in broken if min(map(len, lines)) == 1] == []


def test_every_option_can_stand_in_a_list_with_each_of_its_values(cut_off: list[Block]) -> None:
    menu = VIEWS["menu"].menu
    assert menu is not None
    options = [(option_word(each.name), each.allowed[-3:]) for each in OPTIONS.values()]
    handicaps = [(handicap_word(name), allowed[-3:]) for name, allowed in HANDICAPS.items()]
    lines = [
        _("{option}: {value}", option=name, value=value_word(value))
        for name, values in (*options, *handicaps)
        for value in values
    ]
    for translate in languages().values():
        for line in (*lines, *(_("locked: {item}", item=line) for line in lines)):
            draw(changed(READY, menu=changed(menu, items=(line,) * 3, chosen=1)), translate)
    assert cut_off == []


def test_the_views_of_these_tests_say_only_what_the_firmware_says() -> None:
    said = {phrase.msgid for phrase in sentences().values()} | {"{text}", "choose"}
    for name, view in VIEWS.items():
        for phrase in phrases_of(view):
            assert phrase.msgid in said, f"{name}: {phrase.msgid}"


def test_what_fits_in_no_way_ends_in_dots_and_says_so() -> None:
    block = fit("a" * 100, 50, ((SMALL, 1), (TINY, 2)))
    assert not block.is_whole
    assert block.lines == ("a" * 10, "a" * 8 + "..")


def test_words_are_broken_between_and_japanese_anywhere() -> None:
    assert fit("shoot again", 40, ((TINY, 2),)).lines == ("shoot", "again")
    assert fit("赤緑赤緑", 24, ((TINY, 2),)).lines == ("赤緑", "赤緑")
