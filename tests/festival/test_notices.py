"""A hall's notice: how it is read, when it ends, and how often it is handed on."""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.state.preferences import LANGUAGES
from jackspot.displays.words import translator
from jackspot.festival.incoming import notice_of
from jackspot.festival.messages import BadMessage, What, read, write
from jackspot.festival.notices import EACH_NS, NoticeBoard
from jackspot.sensing.events import NoticeTold

NOTICE = {
    "v": 1, "text": {"ja": "休憩", "en": "lunch", "de": "Pause"}, "sent_ms": 1_000_000,
    "seconds": 60,
}  # fmt: skip
ONE_OF = ", ".join(LANGUAGES)
PAIR = {"hub_ms": 1_010_000, "board_ms": 70_000, "boot": "7f3a"}
"""The hub's clock says 1,010 s when the board's says 70 s: the notice was sent at 60 s."""
AT_NS = 75 * SECOND_NS


def said(notice: dict[str, Any]) -> NoticeTold:
    return notice_of(read(What.NOTICE, write(notice)), None, AT_NS, AT_NS)


def in_languages(text: dict[str, str]) -> list[str]:
    shown = said({**NOTICE, "text": text}).text
    assert shown is not None
    return [shown.render(translator(language)) for language in ("ja", "en", "de")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notice_in_one_language_alone_is_read_in_all(language: str) -> None:
    assert set(in_languages({language: "1"})) == {"1"}


def test_each_display_finds_its_own_language() -> None:
    assert in_languages({"ja": "休憩", "en": "lunch", "de": "Pause"}) == ["休憩", "lunch", "Pause"]
    assert in_languages({"ja": "休憩", "en": "lunch"}) == ["休憩", "lunch", "lunch"]
    assert in_languages({"de": "Pause"}) == ["Pause"] * 3


def test_what_would_act_on_a_display_is_taken_out() -> None:
    shown = in_languages({"en": "pay\u202e here\nnow \x1b[2J", "de": "a\u2066{n}"})
    assert shown[1:] == ["pay here now [2J", "a {n}"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"text": {}}, f"text: expected a line in one of {ONE_OF}, found {{}}"),
        ({"text": {"en": "\u202e \n"}}, f"text: expected a line in one of {ONE_OF}"),
        ({"text": {"en": "lunch", "ja": "\u202e"}}, f"text: expected a line in one of {ONE_OF}"),
        ({"text": {"en": "W" * 39}}, "notice: text.en: String should have at most 38"),
        ({"text": {"ja": "休" * 29}}, "notice: text.ja: String should have at most 28"),
        ({"text": {"en": ""}}, "notice: text.en: String should have at least 1"),
        ({"text": "lunch"}, "notice: text: "),
        ({"seconds": 0}, "notice: seconds: "),
        ({"seconds": 86_401}, "notice: seconds: "),
        ({"sent_ms": -1}, "notice: sent_ms: "),
        ({"sent_ms": None}, "notice: sent_ms: "),
    ],
)
def test_a_bad_notice_is_refused_with_what_was_expected(change, says: str) -> None:
    with pytest.raises(BadMessage) as refused:
        said({**NOTICE, **change})
    assert str(refused.value).startswith(says)


def test_it_ends_by_the_hubs_clock_and_without_one_from_its_arrival() -> None:
    assert notice_of(NOTICE, PAIR, AT_NS, AT_NS).until_ns == 120 * SECOND_NS
    assert notice_of(NOTICE, None, AT_NS, AT_NS).until_ns == 135 * SECOND_NS
    late = {**NOTICE, "sent_ms": 9_000_000}
    assert notice_of(late, PAIR, AT_NS, AT_NS).until_ns == 135 * SECOND_NS, "a clock that jumped"


class Hung:
    """A notice board, and what it hands on."""

    def __init__(self) -> None:
        self.told: list[NoticeTold] = []
        self.board = NoticeBoard()

    def look(self, at_s: float, pair: dict[str, Any] | None = None) -> int | None:
        at_ns = round(at_s * SECOND_NS)
        return self.board.hand_on(self.told.append, pair, at_ns, at_ns)

    @property
    def until_s(self) -> list[float]:
        return [each.until_ns / SECOND_NS for each in self.told if each.text is not None]


def test_what_is_known_is_not_handed_on_again_and_arrived_when_it_first_did() -> None:
    hung = Hung()
    assert hung.look(1) is None
    hung.board.take(NOTICE, 2 * SECOND_NS)
    assert hung.look(2) is None
    hung.board.take(dict(NOTICE), 50 * SECOND_NS)
    assert hung.look(50) is None
    assert hung.until_s == [62]
    hung.board.take(None, 51 * SECOND_NS)
    hung.look(51)
    hung.look(52)
    assert [each.text is None for each in hung.told] == [False, True]


def test_once_the_hubs_clock_is_known_its_end_is_corrected() -> None:
    hung = Hung()
    hung.board.take(NOTICE, AT_NS)
    hung.look(75)
    hung.look(78, PAIR)
    hung.look(79, {**PAIR, "board_ms": 70_400})
    assert hung.until_s == [135, 120]


def test_of_a_flood_two_a_second_are_handed_on_and_the_last_one_is() -> None:
    hung = Hung()
    for n in range(1_000):
        hung.board.take({**NOTICE, "text": {"en": f"notice {n}"}}, AT_NS)
        hung.look(75 + n / 100)
    assert len(hung.told) == 20
    waits_ns = hung.look(84.99 + 0.01)
    assert waits_ns is None or waits_ns <= EACH_NS
    hung.look(86)
    assert str(hung.told[-1].text) == "notice 999"


def test_a_bad_one_changes_nothing() -> None:
    hung = Hung()
    hung.board.take(NOTICE, AT_NS)
    with pytest.raises(BadMessage):
        hung.board.take({**NOTICE, "text": {"en": "\u202e"}}, AT_NS)
    hung.look(76)
    assert str(hung.told[-1].text) == "lunch"
