"""Text from elsewhere never acts on a terminal; names of all scripts stay as they are."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given, strategies as st

from jackspot.core.printable import in_json, visible

ACTING = ("Cc", "Cf", "Cs", "Zl", "Zp")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\rb\n", r"a\x0db\x0a"),
        ("\x9b2J", r"\x9b2J"),
        ("a\u202eb\u2066c", r"a\u202eb\u2066c"),
        ("\ufeff\u200b\u00ad", r"\ufeff\u200b\xad"),
        ("\u2028\ud800", r"\u2028\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("Änne 愛子　花 \u0928\u094d\u200d\u092f می\u200cخواهم", None),
    ],
)
def test_what_acts_is_spelt_out(text: str, seen: str | None) -> None:
    assert visible(text) == (text if seen is None else seen)


@given(st.text(st.characters()))
def test_nothing_that_acts_is_left_but_what_joins_letters(text: str) -> None:
    for each in visible(text):
        assert unicodedata.category(each) not in ACTING or each in "\u200c\u200d"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_says_the_same_and_is_only_seen(text: str) -> None:
    written = in_json(json.dumps({"name": text}, ensure_ascii=False))
    assert json.loads(written) == {"name": text}
    assert visible(written) == written
