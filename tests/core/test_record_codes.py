"""A record as the texts of several codes, and put together again from what people scan."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from jackspot.core.record import RecordError, read_record, write_record
from jackspot.core.record_codes import LARGEST_RECORD, codes_of, record_from
from jackspot.core.settings import RuleSystem
from tests.core.play import draw_record

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.carom"))
ALPHABET = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
"""The characters that a QR code packs two to eleven bits: ISO/IEC 18004, table 5."""
FINE, LARGE = (395, 271), (77, 53)


def written(path: Path) -> str:
    """Return a record as a board writes it."""
    record = read_record(path.read_text(encoding="utf-8"))
    return write_record(record.settings, [step.entry for step in record.match.steps])


MATCH = written(RECORDS[0].with_name("japan_three_games.carom"))


@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=3000),
    size=st.tuples(st.integers(40, 500), st.just(0)),
    seed=st.integers(0, 1 << 30),
    data=st.data(),
)
def test_any_text_comes_back_in_any_order_with_duplicates_and_other_lines(
    text: str, size: tuple[int, int], seed: int, data: st.DataObject
) -> None:
    codes = codes_of(text, *size) if text else codes_of("x", *size)
    assert all(len(code) <= size[0] and set(code) <= ALPHABET for code in codes)
    again = data.draw(st.lists(st.sampled_from(codes), max_size=4))
    lines = [*codes, *again, "", "Date,Text", "  "]
    Random(seed).shuffle(lines)
    assert record_from("\n".join(lines)) == (text or "x")


@given(seed=st.integers(0, 1 << 30), size=st.sampled_from([FINE, LARGE]))
def test_any_match_comes_back(seed: int, size: tuple[int, int]) -> None:
    random = Random(seed)
    record = read_record(draw_record(random, random.choice(list(RuleSystem)), 40).text)
    said = write_record(record.settings, [step.entry for step in record.match.steps])
    codes = codes_of(said, *size)
    assert (len(said.encode()) <= size[1]) == (codes == (said,))
    Random(seed).shuffle(scanned := list(codes))
    assert record_from("\n".join(scanned)) == said


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_record_of_a_whole_match_takes_few_codes(path: Path) -> None:
    assert len(codes_of(written(path), *FINE)) <= 2
    assert len(codes_of(written(path), *LARGE)) <= 14


def test_a_record_itself_stays_as_it_is() -> None:
    named = MATCH.replace("---", '[names]\nN = "CAROM1-1/2-AAAAAAA-AAAA-AAAA"\n---')
    for text in (MATCH, named, "", "no record at all\n"):
        assert record_from(text) == text


def test_all_codes_of_a_record_are_nearly_equally_long() -> None:
    lengths = [len(code) for code in codes_of(MATCH, *LARGE)]
    assert max(lengths) - min(lengths) <= len(lengths)


def test_a_scanner_may_put_anything_around_a_code_and_write_it_small() -> None:
    scanned = "\r\n".join(f'2026-11-22;"{code.lower()}";QR' for code in codes_of(MATCH, 77, 0))
    assert record_from(scanned) == MATCH
    assert record_from(" ".join(codes_of(MATCH, 77, 0))) == MATCH


def test_lines_between_codes_do_no_harm_whatever_they_say() -> None:
    codes = codes_of(MATCH, 77, 0)
    for line in ("---", "--- # a signature", "N red", "Sent from the hall"):
        assert record_from("\n".join([line, codes[0], line, *codes[1:], line])) == MATCH


def test_codes_of_both_sizes_together_make_the_record_once_one_size_is_whole() -> None:
    fine, large = codes_of(MATCH, 395, 0), codes_of(MATCH, 77, 0)
    assert record_from("\n".join([*large[1:], *fine])) == MATCH


def flaws(*lines: str) -> list[str]:
    """Return the errors that are reported for lines that make no record."""
    with pytest.raises(RecordError) as raised:
        record_from("\n".join(lines))
    return [f"{each.line}:{each.column}: {each.message}" for each in raised.value.errors]


LINES = codes_of(MATCH, 60, 0)


def test_codes_that_are_missing_are_named() -> None:
    n = len(LINES)
    assert flaws(*LINES[1:]) == [f"{n - 1}:1: missing: code 1 of {n}"]
    assert flaws(LINES[1]) == [
        f"1:1: missing: codes {', '.join(str(i) for i in range(1, n + 1) if i != 2)} of {n}"
    ]


@pytest.mark.parametrize("at", [8, 12, 20, 30, -1])
def test_a_letter_that_is_another_is_a_damaged_code(at: int) -> None:
    code = LINES[1]
    other = "A" if code[at] != "A" else "B"
    wrong = code[:at] + other + code[at + 1 :] if at != -1 else code[:-1] + other
    assert any("is damaged or not whole: scan it again" in each and each.startswith("2:1:")
               for each in flaws(LINES[0], wrong, *LINES[2:]))  # fmt: skip


def test_a_code_that_is_cut_off_is_named_and_one_scan_of_it_that_is_whole_is_enough() -> None:
    n, cut = len(LINES), LINES[2][:-6]
    others = (*LINES[:2], *LINES[3:])
    assert flaws(*others, cut) == [f"{n}:1: code 3 of {n} is damaged or not whole: scan it again"]
    assert record_from("\n".join([*LINES, cut])) == MATCH


def test_a_code_of_another_match_is_named_with_its_line() -> None:
    other = codes_of(MATCH + "N -\n", 60, 0)
    [flaw] = flaws(*LINES, other[3])
    assert flaw.startswith(f"{len(LINES) + 1}:1: code 4 of {len(other)} (")
    assert "is of another match, or of another moment of it, than the one on line 1" in flaw


def test_lines_that_are_no_codes_are_named_where_codes_are_missing() -> None:
    n = len(LINES)
    assert flaws("WIFI:S:Jackspot;;", *LINES[1:]) == [
        "1:1: expected a code that begins with CAROM1-, found 'WIFI:S:Jackspot;;'",
        f"{n}:1: missing: code 1 of {n}",
    ]


def test_a_code_of_a_newer_version_says_so() -> None:
    [flaw] = flaws("CAROM2-1/1-AAAAAAA-AAAA-AAAA")
    assert flaw == "1:1: expected CAROM1, found CAROM2: a newer Jackspot reads this"


def test_codes_that_are_each_whole_but_say_something_else_are_refused() -> None:
    """Their own checksums fit, but that of the whole does not: somebody forged them."""
    from jackspot.core import record_codes

    whole = LINES[0].split("-")[2]
    [said] = codes_of("another record", 60, 0)
    forged = record_codes._text(1, 1, whole, said.split("-")[3])
    [flaw] = flaws(forged)
    assert "do not make the record that they are of" in flaw


def test_what_unpacks_to_more_than_any_match_is_refused() -> None:
    codes = codes_of("A" * (LARGEST_RECORD + 1), 395, 0)
    assert any("do not make the record" in each for each in flaws(*codes))
