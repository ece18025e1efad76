"""The fine print of Hikone where options meet, and of hostile records."""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.record import RecordError, read_record
from jackspot.core.scoring import score


def entries_of(header: str, *lines: str) -> list[dict[str, Any]]:
    text = f'rules = "hikone"\n{header}\n---\n' + "".join(f"{line}\n" for line in lines)
    entries: list[dict[str, Any]] = score(read_record(text))["entries"]
    return entries


def errors_of(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(RecordError) as refused:
        read_record(text)
    return [(error.line, error.column, error.message) for error in refused.value.errors]


WEAK = "[handicap.N]\npucks_needed = 1\nno_striker_penalty = true\n"


def test_no_striker_penalty_spares_the_extra_puck_also_when_the_ready_jack_falls_with_it():
    _, last = entries_of(WEAK, "N red", "N jack striker red")
    assert last["board_over"] == {"winner": "red", "how": "jack", "points": {"red": 2, "green": 0}}
    assert last["place"] == []
    assert last["jack"] == "pocketed"


def test_no_striker_penalty_spares_the_extra_puck_when_only_the_pocket_was_wrong():
    _, last = entries_of(WEAK + "called_pocket = true", "N red", "N jack@NW call@SE red striker")
    assert last["place"] == ["jack"]
    assert last["pocketed"] == {"red": 2, "green": 0}
    assert last["next"] == "S"


def test_a_jack_that_is_a_fault_of_its_own_still_asks_for_the_extra_puck():
    header = "[handicap.N]\nno_striker_penalty = true\nhead_start = 7"
    (early,) = entries_of(header, "N jack striker red")
    assert early["place"] == ["red"] * 6 + ["jack"]
    (flown,) = entries_of(header, "N jack^ striker red")
    assert flown["place"] == ["red"] * 6 + ["jack"]


def test_with_the_jack_penalty_agreed_a_ready_jack_beside_the_striker_is_a_fault_of_its_own():
    header = '[options]\njack_with_striker = "jack_penalty"\n' + WEAK
    last = entries_of(header, "N 7*red", "N jack striker red")[-1]
    assert last["place"] == ["red"] * 6 + ["jack"]
    assert last["board_over"] is None


def test_a_mass_break_pays_what_the_referee_said_is_owed():
    header = '[options]\nopening = "mass_break"'
    lines = ("! set red owed=1", "! set green owed=3", "N 3*red 2*green red^ jack striker")
    last = entries_of(header, *lines)[-1]
    assert last["place"] == ["green", "green", "red", "red", "jack"]
    assert last["pocketed"] == {"red": 2, "green": 0}
    assert last["owed"] == {"red": 0, "green": 1}
    assert (last["foul"], last["keeps_turn"], last["next"]) == (False, True, "N")


def test_two_keep_cites_no_option_that_it_overrules():
    header = (
        '[options]\nstriker_with_own = "two_keep"\nfoul_with_puck = "per_puck"\nstriker_penalty = 3'
    )
    _, last = entries_of(header, "N red", "N 3*red striker")
    assert last["place"] == ["red", "red"]
    assert last["rulings"] == ["HK-11", "LR-14"]


def test_with_two_keep_a_striker_that_costs_nothing_keeps_the_turn_for_nothing():
    header = '[options]\nstriker_with_own = "two_keep"\n[handicap.N]\nno_striker_penalty = true'
    _, last = entries_of(header, "N red", "N red striker")
    assert (last["place"], last["next"]) == ([], "N")


def test_in_a_mass_break_pucks_count_in_every_pocket():
    header = '[options]\nopening = "mass_break"\nown_side_pockets = false'
    broken, _ = entries_of(header, "N red@NE green striker", "N red@SE")
    assert broken["pocketed"] == {"red": 1, "green": 1}
    (own,) = entries_of("[options]\nown_side_pockets = false", "N red@NE")
    assert own["place"] == ["red"]


def test_a_wrong_pocket_with_fewer_pucks_needed_cites_both_handicaps():
    header = "[handicap.N]\npucks_needed = 6\ncalled_pocket = true\n"
    last = entries_of(header, "N 7*red", "N jack@SW call@SE")[-1]
    assert last["rulings"] == ["HK-21", "HC-3b", "HC-6"]
    assert last["place"] == ["jack"]


@pytest.mark.parametrize(
    ("line", "column"),
    [("N ٣*red", 3), ("N - t=١", 5), ("N - t=1.٢", 5), ("! set red owed=٢", 11)],
)
def test_numbers_are_written_in_the_digits_0_to_9(line: str, column: int):
    ((_, at, message),) = errors_of(f'rules = "hikone"\n---\n{line}\n')
    assert at == column
    assert "expected" in message


def test_a_message_lets_nothing_of_the_file_act_on_the_terminal():
    errors = errors_of('rules = "hikone"\n---\nN -\x00\nN \x1b[31mred\nN a\x9bb\n')
    assert [message.split("'")[1] for _, _, message in errors] == [
        "-\\x00",
        "\\x1b[31mred",
        "a\\x9bb",
    ]


def test_a_message_shortens_a_word_without_end():
    ((_, column, message),) = errors_of(f'rules = "hikone"\n---\nN {"9" * 4_000}*red\n')
    assert column == 3
    assert message.endswith("found " + "9" * 40 + "...")


def test_a_key_of_parts_without_end_is_refused_before_it_eats_the_memory():
    text = 'rules = "hikone"\n' + "a." * 2_000 + "b = 1\n---\nN red\n"
    assert errors_of(text) == [(2, 1, "a line of the header has 1000 dots at most, found 2000")]


def test_every_flag_that_was_not_agreed_is_told():
    errors = errors_of('rules = "hikone"\n---\nN call@NE banked unbanked area 2*striker\n')
    assert [(line, column) for line, column, _ in errors] == [
        (3, 3),
        (3, 11),
        (3, 18),
        (3, 27),
        (3, 32),
    ]
