"""Words that once read wrong do not come back in a catalogue, page, rulebook, card or command.

Nor do they come back in the pages for people who use Jackspot.

Each row has what people must not read, the word in its place, and why. A row is a regular
expression, so that a word inside another, or with a meaning of its own, can be told apart.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from jackspot.commands import main
from jackspot.locale.__main__ import PACKAGES, po_path
from jackspot.locale.catalogues import forms, read, sentences
from jackspot.locale.extraction import collect

ROOT = Path(__file__).resolve().parents[1]
RULEBOOK = ROOT / "firmware" / "jackspot" / "rulebook"
PAGES = (
    "README.md",
    "systemd/README.md",
    *(f"firmware/{page}.md" for page in (
        "DIALOGUE", "ORGANISING", "GLOSSARY", "SIGNS", "TRANSLATING"
    )),
)  # fmt: skip
CARD = ROOT / "hardware" / "quick-card" / "words.toml"


class Row(NamedTuple):
    """What must not appear, what replaces it, and why."""

    never: str
    better: str
    why: str


ENGLISH = (
    Row(r"\blet fall\b", "drop", "pieces are dropped"),
    Row(r"\breally out\b", "actually pocketed", "headless, and not a term of any source"),
    Row(r"(?i)^nothing in$", "missed", "what players say of a stroke without a piece"),
    Row(r"\bby hand\b", "manually, manual", "an entry is manual; a hand is a hand in a pocket"),
    Row(r"^(hold: )?do it\b", "select, confirm", "what a menu's key does"),
    Row(r"(?i)\bfetch(es|ed)?\b", "pick up", "the source retrieves strikers; people pick them up"),
    Row(r"^(well|whole)$", "OK, clear", "a beam is OK or dead, clear or broken"),
    Row(r"\b(stroke|line|Seconds|Own|own|s|kind) a (stroke|pocket|line)\b", "per", "rates are per"),
    Row(r"(?i)\bother's\b", "opponent's", "the other player is the opponent"),
    Row(r"\bis usual\b|\bnow and then\b|\bhardly ever\b|\bseldom\b", "likely, sometimes, unlikely",
        "a probability is said as one"),
    Row(r"\banew\b", "again, new, over", "bookish"),
    Row(r"\b[Nn]obody plays\b", "asleep", "the displays sleep"),
    Row(r"\b[Ss]omebody\b", "someone", "one word for it"),
    Row(r"\bThis is not the PIN\b", "Wrong PIN", "what every page says"),
    Row(r"\bpieces (run|are (still )?running|rest)\b", "moving, stop", "pieces move"),
    Row(r"\btells? one of\b", "read, show", "a command shows"),
    Row(r"(?i)\blevel\b(?! \d)", "tied", "the source: 'if the teams are tied'"),
    Row(r"\bput(s)? aside\b", "suspended, for later", "a match is suspended"),
    Row(r"\bmatch waits\b", "match suspended", "a match is suspended"),
    Row(r"\b[Hh]ands at the table\b|^What (the board knows|waits|is asked)$", "a noun",
        "a heading names its thing"),
    Row(r"\bmisfits?\b", "mismatch", "a misfit is a person"),
    Row(r"\bmends?\b", "fixes", "clothes are mended"),
    Row(r"\bseen last\b|\bconfirmed last\b|^In truth$", "last seen, last confirmed, actually",
        "word order"),
    Row(r"^(Stop it|Cancel)$", "Start a new match", "a button of a question says what it does"),
    Row(r"^{seat} before\b", "replace {seat}'s last stroke", "says what OK does"),
)  # fmt: skip
GERMAN = (
    Row(r"(?<!Ver)[Ss]toß|[Ss]töße", "Schuss, gespielt", "the source: Schuss, Schussrecht"),
    Row(r"^Platz$", "Position", "a seat is a Platz; a place on a line is not"),
    Row(r"hält nicht diese", "wird nicht von dieser gehalten", "subject and object"),
    Row(r"getönt", "mit Ton", "getönt is tinted"),
    Row(r"Gewinnspiele?", "gewonnene Spiele", "a Gewinnspiel is a raffle"),
    Row(r"\bregelrecht", "regelgerecht", "regelrecht means downright"),
    Row(r"mehr Punkte gewinnen|: mehr gewinnt", "wer mehr hat, gewinnt", "subject first"),
    Row(r"WLAN des Boards", "des Bretts", "the device is the Brett, a Board is a round"),
    Row(r"(?<![Im])\bPulse?\b", "Impuls", "a Puls is a heart's"),
    Row(r"getaumelt", "mit Überschlag", "a piece turns over"),
    Row(r"^(\{who\}|\{name\}) gewinnt\.?$", "hat gewonnen", "it is over"),
    Row(r"Einwerfen", "Fallen lassen", "nothing is thrown in"),
    Row(r"\bHalt$|^▶ Zeigen$", "Stopp, Vorführen", "what buttons say"),
    Row(r"[Bb]estes aus|[Dd]as Beste aus|[Bb]este aus", "Best of", "as in every sport"),
    Row(r"zurückgestellt|[Ww]eggelegt|[Ww]eglegen", "unterbrochen", "a match is interrupted"),
    Row(r"^Regel$", "Entscheidung", "a ruling is no rule"),
    Row(r"\bEntscheide\b", "Entscheidungen", "Entscheide are courts'"),
    Row(r"[Kk]aputt", "Defekte", "what the list holds"),
    Row(r"\bSchiri\b|Seite des Schiedsrichters|Kasten des Schiedsrichters|Schiedsrichterbox",
        "Schiedsrichterseite, Schiedsrichterkasten", "one word for each"),
    Row(r"^tun\b", "wählen, ausführen", "no menu says so"),
    Row(r"halten: Schuld$", "halten: Schulden", "a side owes some, as everywhere"),
    Row(r"^Gewinner drückt", "Los gewonnen? dein OK", "nobody has won yet, and each has an OK"),
    Row(r"^Abbrechen$", "Neue Partie beginnen", "it ends the question or what is asked about"),
    Row(r"ist nicht, was draußen ist", "stimmt nicht überein", "word for word from English"),
)  # fmt: skip
JAPANESE = (
    Row("：", ":", "half width, as everywhere"),
    Row("打ではない|打なし|OK で打を|^打$|の打を", "ショット, 一打", "the sources; 打 only counts"),
    Row("罰(?!則)", "ペナルティー, 罰則なし", "the sources' words"),
    Row("ジャックの分|ストライカーの分", "ジャックペナルティ", "the sources' word"),
    Row("線の(上|先|手前|まん中)|まん中の点", "エリアライン, ティースポット", "the sources' words"),
    Row("ボード", "ゲーム; 本体", "one word each: the round, and the device"),
    Row("見本", "デモ", "a 見本 is a sample"),
    Row("まちがえた手", "うっかり手が入る", "a hand is not mistaken"),
    Row("審判箱|審判の箱", "審判ボックス", "one word for it"),
    Row("盤(が|は|を(起|動)|も|から(?!取る)|の(数|時計|状態|設定))", "本体", "the device"),
    Row("待機", "打てます, スリープ中, ゴング待ち", "three things had one word"),
    Row("終わっている|ことしかできない", "終了しています", "です・ます everywhere"),
    Row("先入れ", "最初から入っている数", "nobody says it"),
    Row("借り", "未払い", "a debt in points is unpaid, not borrowed"),
    Row("はずれ", "検知なし", "a beam that sees nothing"),
    Row("つまる", "詰まり", "a noun, with its kanji"),
    Row("こわす", "故障を試す", "faults are tried, nothing is broken"),
    Row("(?<![手順個])番(?![号目台])", "手番", "the source's word"),
    Row("ゲームかの多い|ボードかの多い|セットの多い", "ゲームの勝ち数で", "says what decides"),
    Row("[1一]打(あたり|の秒)", "1ショットあたり", "one table says ショット of strokes throughout"),
    Row("点数を確認|数を確かめる", "数を確認", "the counts of pieces, in one word"),
    Row("^(やめる|キャンセル)$", "新しい試合を始める", "the question, or what is asked about?"),
    Row("確かめ(ます|る一打|たこと)", "カバー", "the source's word for the queen"),
)  # fmt: skip
ROWS = {"en": ENGLISH, "de": GERMAN, "ja": JAPANESE}

LEFT = {
    "en": {
        # A command's own words: a name of an option, and what its owner has to type.
        "--anew",
    },
    "de": set[str](),
    "ja": set[str](),
}
"""Passages in which such a word is right; they are removed before the search."""


@cache
def texts(language: str) -> Mapping[str, str]:
    """Return everything that people read in a language, by its place."""
    found = dict(_catalogue(language))
    found |= _tables(RULEBOOK / language, "*.toml")
    card = tomllib.loads(CARD.read_text(encoding="utf-8"))
    found |= {f"quick card, {key}": row[language] for key, row in card.items()}
    if language == "en":
        found |= dict(_helps(main, "jackspot"))
        found |= {f"{page}, {n}": text for page in PAGES for n, text in _passages(page)}
    return found


def _catalogue(language: str) -> Iterator[tuple[str, str]]:
    whole = collect(*PACKAGES) if language == "en" else read(po_path(language), language)
    for message in sentences(whole):
        said = message.id if language == "en" else message.string
        for number, form in enumerate(forms(said)):
            yield f"{message.context or ''} {forms(message.id)[0]!r} {number}", form


def _tables(folder: Path, pattern: str) -> dict[str, str]:
    found = {}
    for path in sorted(folder.glob(pattern)):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            _, _, said = line.partition("=") if re.match(r"\w+ = ", line) else ("", "", line)
            found[f"{path.relative_to(ROOT)}:{number}"] = said.strip(' ",[]')
    return found


def _passages(page: str) -> Iterator[tuple[int, str]]:
    """Yield the passages of a page, each as one line; rows of a table are passages."""
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    passages = re.split(r"\n\n+|\n(?=\|)", text)
    yield from enumerate((" ".join(each.split()) for each in passages), 1)


def _helps(group: click.Group, name: str) -> Iterator[tuple[str, str]]:
    context = click.Context(group, info_name=name)
    yield f"{name} --help", group.get_help(context)
    for each in group.list_commands(context):
        command = group.get_command(context, each)
        if isinstance(command, click.Group):
            yield from _helps(command, f"{name} {each}")
        elif command is not None:
            inner = click.Context(command, info_name=each, parent=context)
            yield f"{name} {each} --help", command.get_help(inner)


@pytest.mark.parametrize(
    ("language", "row"),
    [(language, row) for language, rows in ROWS.items() for row in rows],
    ids=lambda value: value.better if isinstance(value, Row) else value,
)
def test_a_word_that_read_wrong_does_not_come_back(language: str, row: Row) -> None:
    found = []
    for place, text in texts(language).items():
        looked_at = text
        for passage in LEFT[language]:
            looked_at = looked_at.replace(passage, "")
        if re.search(row.never, looked_at):
            found.append(f"{place}: {text}")
    assert found == [], f"say {row.better!r}: {row.why}"


@pytest.mark.parametrize(("language", "said"), [("de", "halten: "), ("ja", "長押し: ")])
def test_what_a_held_key_does_is_said_in_the_same_words(language: str, said: str) -> None:
    held = {place: text for place, text in _catalogue(language) if "hold: " in place}
    assert len(held) > 5
    assert {place: text for place, text in held.items() if said not in text} == {}


@pytest.mark.parametrize("language", ["de", "ja"])
def test_the_sheets_of_a_hall_say_the_same_as_the_quick_card(language: str) -> None:
    sheets = {forms(each.id)[0]: forms(each.string)[0]
              for each in sentences(read(po_path(language), language))}  # fmt: skip
    card = tomllib.loads(CARD.read_text(encoding="utf-8")).values()
    said = {re.sub("[{}]", "", row["en"]): re.sub(r"[{}\s]", "", row[language]) for row in card}
    both = {english: card for english, card in said.items() if english in sheets}
    assert len(both) > 10
    assert {english: re.sub(r"\s", "", sheets[english]) for english in both} == both


@pytest.mark.parametrize("language", ROWS)
def test_what_people_read_is_found(language: str) -> None:
    """Nothing that is searched is empty: catalogues, rulebook and card have their texts."""
    places = " ".join(texts(language))
    assert all(each in places for each in ("rulebook/", "quick card", "'RED'"))
    assert language != "en" or all(page in places for page in PAGES)
    assert len(texts(language)) > 1_000
