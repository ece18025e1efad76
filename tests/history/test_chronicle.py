"""What a journal says about its matches: which entries belong to which, and how each went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from msgspec import Struct

from jackspot.core.entry_text import write_entry
from jackspot.dialogue.state.entries import EntryKind
from jackspot.history.chronicle import Chapters, Chronicle, NoMatch, chronicle

SECOND = 1_000_000_000
HEADER = '# jackspot record 1\nrules = "hikone"\nseats = ["N", "S"]\n---\n'


class Entry(Struct, frozen=True):
    seq: int
    kind: str
    at_ns: int
    body: Mapping[str, Any]
    boot: str = "one"
    wall_ns: int = 0
    synchronised: bool = False


@dataclass
class Told:
    """Entries of a match, one per second, and ``seconds`` more once they are set."""

    boot: str = "one"
    seconds: int = 0
    header: str = HEADER
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.add(EntryKind.MATCH, header=self.header)

    def add(self, kind: EntryKind, **body: Any) -> None:
        number = len(self.entries) + 1
        at_ns = (number + self.seconds) * SECOND
        self.entries.append(Entry(number, kind.value, at_ns, body, self.boot))

    def line(self, *entries: str, falls: tuple[int, ...] = (), **more: Any) -> None:
        self.add(EntryKind.LINE, entries=list(entries), falls=list(falls), rows=["HK-02"], **more)

    def fall(self, number: int, pocket: str = "NE") -> None:
        self.add(EntryKind.FALL, number=number, pocket=pocket, pulses=[[1, 2]])

    def told(self) -> Chronicle:
        return chronicle(self.entries)


def entered(told: Chronicle) -> list[str]:
    return [write_entry(step.entry) for step in told.match.steps]


def divide(*kinds: EntryKind) -> tuple[Chapters, list[int | None]]:
    chapters = Chapters()
    owners = [chapters.read_on(seq, kind.value) for seq, kind in enumerate(kinds, start=1)]
    return chapters, owners


def test_entries_belong_to_the_match_on_the_board() -> None:
    chapters, owners = divide(
        EntryKind.DESK,
        EntryKind.MATCH,
        EntryKind.LINE,
        EntryKind.SHELVE,
        EntryKind.DESK,
        EntryKind.MATCH,
        EntryKind.LINE,
    )
    assert owners == [None, 1, 1, 1, None, 2, 2]
    assert chapters.spans == {1: [(2, 4)], 2: [(6, 7)]}


def test_a_match_that_comes_back_goes_on_in_another_piece_of_the_journal() -> None:
    chapters, owners = divide(
        EntryKind.MATCH, EntryKind.LINE, EntryKind.SHELVE, EntryKind.MATCH, EntryKind.DESK,
        EntryKind.DISCARD, EntryKind.BACK, EntryKind.LINE,
    )  # fmt: skip
    assert owners == [1, 1, 1, 2, 2, None, 1, 1]
    assert chapters.spans == {1: [(1, 3), (7, 8)]}


def test_a_match_that_was_taken_back_before_its_first_stroke_leaves_its_number_free() -> None:
    _, owners = divide(
        EntryKind.MATCH, EntryKind.SHELVE, EntryKind.MATCH, EntryKind.DISCARD, EntryKind.MATCH
    )
    assert owners == [1, 1, 2, None, 2]


def test_lines_are_told_with_their_times_and_what_they_come_to() -> None:
    book = Told()
    book.line("N red@NE")
    book.line("N -")
    told = book.told()
    assert entered(told) == ["N red@NE", "N -"]
    assert told.took_ns == (SECOND, SECOND)
    assert told.steps == (0, 1)
    assert [line.rows for line in told.lines] == [("HK-02",)] * 2


def test_a_line_that_was_taken_back_is_kept_and_marked_and_does_not_count() -> None:
    book = Told()
    book.line("N red@NE")
    book.add(EntryKind.UNDO)
    book.line("N green@NE")
    told = book.told()
    assert entered(told) == ["N green@NE"]
    gone, stands = told.lines
    assert gone.taken_back is not None
    assert gone.taken_back.at_ns == 3 * SECOND
    assert stands.taken_back is None
    assert told.corrections == 1


def test_redo_lets_a_line_stand_again_in_its_own_place() -> None:
    book = Told()
    book.line("N red@NE")
    book.line("N -")
    book.add(EntryKind.UNDO)
    book.add(EntryKind.UNDO)
    book.add(EntryKind.REDO)
    book.add(EntryKind.REDO)
    told = book.told()
    assert entered(told) == ["N red@NE", "N -"]
    assert told.corrections == 0


def test_undo_of_a_part_of_a_line_leaves_the_rest() -> None:
    book = Told()
    book.line("N -", "S green@SE")
    book.add(EntryKind.UNDO, entries=1)
    told = book.told()
    assert entered(told) == ["N -"]
    assert told.corrections == 0


def test_what_is_joined_to_a_line_goes_with_it() -> None:
    book = Told()
    book.line("N striker")
    book.add(EntryKind.JOIN, entries=["! placed"])
    book.add(EntryKind.UNDO)
    told = book.told()
    assert entered(told) == []
    assert told.lines[0].entries == ("N striker", "! placed")


def test_hands_and_late_falls_are_told_apart_from_falls_of_strokes() -> None:
    book = Told()
    book.fall(1)
    book.line("N red@NE", falls=(1,))
    book.fall(2, "SW")
    book.add(EntryKind.CLEARING, falls=[2])
    book.fall(3)
    book.add(EntryKind.UNDO)
    book.line("N 2*red@NE", falls=(1, 3))
    falls = book.told().falls
    assert {number: (fall.hand, fall.late) for number, fall in falls.items()} == {
        1: (False, False), 2: (True, False), 3: (False, True),
    }  # fmt: skip


def test_later_lines_that_are_kept_after_a_change_are_not_late() -> None:
    book = Told()
    book.line("N red@NE")
    book.fall(1)
    book.line("N red@NE", falls=(1,))
    book.add(EntryKind.UNDO)
    book.add(EntryKind.UNDO)
    book.line("N green@NE")
    book.line("S -", falls=(1,), kept=True)
    told = book.told()
    assert not told.falls[1].late
    assert [line.kept for line in told.lines] == [False, False, False, True]


def test_the_match_clock_says_how_long_a_stroke_took_where_it_runs() -> None:
    book = Told()
    book.line("N red t=4.5")
    book.line("N - t=10")
    assert book.told().took_ns == (4_500_000_000, 5_500_000_000)


def test_nobody_knows_how_long_a_stroke_took_across_a_restart_or_a_pause() -> None:
    book = Told()
    book.line("N red")
    book.boot = "two"
    book.line("N -")
    assert book.told().took_ns == (SECOND, None)
    book = Told()
    book.line("N red")
    late = Entry(3, "line", 3_600 * SECOND, {"entries": ["N -"], "falls": []})
    assert chronicle([*book.entries, late]).took_ns == (SECOND, None)


WON, DRAWN, VOID = ["! set red pocketed=12", "N jack"], ["N -", "! draw"], ["N -", "! board"]
OPENED = [[], ["! board"], ["! turn S"], ["! board", "! set red pocketed=2"]]


@pytest.mark.parametrize(
    ("ended", "opened"),
    [*product([WON, DRAWN], OPENED), (VOID, []), (VOID, ["! set red pocketed=2"])],
)
def test_the_first_stroke_of_a_later_board_is_not_timed(
    ended: list[str], opened: list[str]
) -> None:
    """Nobody knows when the pieces were set up; the clock of a match does."""
    seat, then = "NS" if ended is VOID else "SN"  # a void board has its opener again
    for clock, took in (("", None), (" t=4", 4 * SECOND)):
        book = Told(header=HEADER.replace("---", "[options]\nbest_of = 3\n---"))
        for entry in (*ended, *opened, f"{seat} -{clock}"):
            book.line(entry)
        book.line(f"{then} -")
        told = book.told()
        assert told.troubles == ()
        assert told.match.state.board == 2
        assert told.took_ns[-2:] == (took, SECOND)


def corrected(*kept: tuple[str, ...]) -> Told:
    """Four strokes; the first is corrected long after, and these lines are entered again."""
    book = Told()
    for number, entry in enumerate(("N red@NE", "N red@SE", "N -", "S -"), start=1):
        if "@" in entry:
            book.fall(number)
        book.line(entry, falls=(number,) if "@" in entry else ())
    book.seconds += 300
    for _ in range(4):
        book.add(EntryKind.UNDO)
    book.line("N 2*red@NE", falls=(1,))
    for lines in kept:
        falls = (2,) if "N red@SE" in lines else ()
        book.line(*lines, falls=falls, kept=True)
    return book


KEPT = (("N red@SE",), ("N -",), ("S -",))


def test_lines_that_are_kept_are_no_corrections_and_took_as_long_as_before() -> None:
    plain = corrected(*KEPT)
    told = plain.told()
    assert told.troubles == ()
    assert told.corrections == 1
    assert told.took_ns == (2 * SECOND, 2 * SECOND, SECOND, SECOND)
    plain.line("N -")
    assert plain.told().took_ns[-1] == SECOND, "since the correction, not since the stroke before"


def test_nor_are_those_that_are_given_a_turn_or_stand_behind_a_word() -> None:
    book = corrected(("! turn N", "N red@SE"), *KEPT[1:])
    assert book.told().corrections == 1
    assert book.told().took_ns == (2 * SECOND, None, 2 * SECOND, SECOND, SECOND)
    book.add(EntryKind.UNDO)
    book.line("! set green pocketed=1")
    book.line("S -", kept=True)
    told = book.told()
    assert (told.corrections, told.troubles) == (1, ())


def test_those_that_are_left_out_or_changed_are() -> None:
    book = corrected()
    entries = ["N red@SE", "N -", "S -"]
    book.add(EntryKind.LEFT_OUT, entries=entries, falls=[2], taken_back=False)
    book.line("N -")
    told = book.told()
    assert told.corrections == 4
    assert told.took_ns == (2 * SECOND, 2 * SECOND), "it is another miss: it took its own time"
    book = corrected()
    book.line("N striker@SE", falls=(2,))
    book.line("S -", kept=True)
    told = book.told()
    assert told.corrections == 3, "the last of the four alone was kept"
    assert told.took_ns[:2] == (2 * SECOND, 2 * SECOND)


def test_what_was_changed_behind_a_word_waits_no_longer() -> None:
    book = Told()
    book.line("N red")
    book.add(EntryKind.UNDO)
    book.line("! set green pocketed=1")
    book.line("N 2*red")
    assert book.told().corrections == 1
    book.seconds += 30
    book.line("N red")
    told = book.told()
    assert told.corrections == 1
    assert told.took_ns[-1] == 31 * SECOND, "it is a stroke of its own"


def test_a_word_before_strokes_that_are_kept_takes_none_of_their_time() -> None:
    book = Told()
    book.line("N -")
    book.line("S -")
    plain = book.told().took_ns
    book.add(EntryKind.UNDO)
    book.add(EntryKind.UNDO)
    book.seconds += 100
    book.line("! set green pocketed=1")
    book.line("N -", kept=True)
    book.line("S -", kept=True)
    assert book.told().took_ns == (None, *plain)


def test_strokes_of_another_board_stay_so_when_they_are_kept_after_a_correction() -> None:
    book = Told()
    for entry in ("N red@NE", "N -", "S -", "N -"):
        book.line(entry, kept=True)
    book.add(EntryKind.UNDO)
    book.add(EntryKind.UNDO)
    book.line("! set green pocketed=1")
    book.line("S -", kept=True)
    book.line("N -", kept=True)
    book.line("S -")
    standing = [line for line in book.told().lines if line.strokes and line.taken_back is None]
    assert [line.confirmed for line in standing] == [False, False, False, False, True]


def test_a_kept_line_that_is_taken_back_later_is_a_correction_then() -> None:
    book = corrected(*KEPT)
    book.add(EntryKind.UNDO)
    book.line("S green@SE")
    assert book.told().corrections == 2


def test_an_entry_that_does_not_fit_is_left_out_and_named() -> None:
    book = Told()
    book.line("N red@NE")
    book.line("S green")
    told = book.told()
    assert entered(told) == ["N red@NE"]
    assert told.troubles == ("'S green' left out: it is N's turn, not S's",)


def test_a_match_that_left_the_board_is_told_as_put_aside() -> None:
    book = Told()
    book.line("N red@NE")
    book.add(EntryKind.SHELVE, why="new match")
    assert book.told().put_aside
    book.add(EntryKind.BACK)
    assert not book.told().put_aside


@pytest.mark.parametrize("header", ['rules = "whist"\n---\n', "no record"])
def test_a_header_that_cannot_be_read_is_no_match(header: str) -> None:
    with pytest.raises(NoMatch, match="header"):
        chronicle([Entry(1, "match", 0, {"header": header})])


def test_entries_that_do_not_begin_with_a_match_are_none() -> None:
    with pytest.raises(NoMatch):
        chronicle([Entry(1, "desk", 0, {})])
