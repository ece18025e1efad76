"""Figures of players and pockets, counted by hand from whole records."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest

from jackspot.core.figures import (
    PlayerFigures,
    SeatFigures,
    Shooting,
    by_player,
    by_pocket,
    pocket_figures,
    seat_figures,
    sum_won,
    won_by,
)
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import read_record
from jackspot.values import changed

RECORDS = Path(__file__).parents[1] / "records"
SECOND = 1_000_000_000


def match_of(name: str) -> Match:
    return read_record((RECORDS / f"{name}.carom").read_text(encoding="utf-8")).match


def test_what_both_players_of_a_whole_match_shot_is_counted() -> None:
    north, south = seat_figures(match_of("whole_match"))
    assert north == SeatFigures(
        Seat.N, "", True, True,
        Shooting(strokes=17, scoring=10, own=15, others=1, red=1, strikers=2, flown=1, fouls=2,
                 paid=3),
    )  # fmt: skip
    assert south == SeatFigures(
        Seat.S, "", True, False,
        Shooting(strokes=10, scoring=3, own=6, others=0, red=1, strikers=0, flown=0, fouls=2,
                 paid=5),
    )  # fmt: skip


def test_a_system_whose_colours_change_from_board_to_board_counts_the_shooters_own() -> None:
    """In the second board S opens, and so plays white."""
    north, south = seat_figures(match_of("icf_told"))
    assert (north.shooting.own, north.shooting.others) == (9, 0)
    assert (south.shooting.own, south.shooting.others) == (2, 0)
    assert (north.won, south.won) == (False, True)


def test_in_points_every_counter_is_ones_own_and_the_queen_is_counted_by_herself() -> None:
    shot = [each.shooting for each in seat_figures(match_of("points_three_boards"))]
    assert sum(each.others for each in shot) == 0
    assert sum(each.red for each in shot) > 0


def test_an_unfinished_match_is_neither_won_nor_lost() -> None:
    match = read_record('rules = "hikone"\n---\nN red\nN -\n').match
    assert [(each.over, each.won) for each in seat_figures(match)] == [(False, None)] * 2


def test_strokes_are_timed_where_times_are_given() -> None:
    match = read_record('rules = "hikone"\n---\nN red\nN -\nS -\n').match
    north, south = seat_figures(match, (4 * SECOND, None, 9 * SECOND))
    assert north.shooting.took_ns == (4 * SECOND,)
    assert south.shooting.took_ns == (9 * SECOND,)
    assert Shooting().usual_ns is None
    assert (north.shooting + changed(south.shooting, took_ns=(SECOND, 8 * SECOND))).usual_ns == (
        4 * SECOND
    )


def test_pockets_have_the_pieces_that_were_confirmed_in_them() -> None:
    figures = pocket_figures(match_of("whole_match"))
    assert figures[Pocket.NE].kinds == {Piece.STRIKER: 2, Piece.RED: 6, Piece.GREEN: 1}
    assert sum(sum(each.kinds.values()) for each in figures.values()) == 26  # all but the flown
    total = by_pocket([figures, figures])
    assert total[Pocket.NE].kinds == {Piece.STRIKER: 4, Piece.RED: 12, Piece.GREEN: 2}


def seat(name: str, *, over: bool = True, won: bool | None = True, own: int = 1) -> SeatFigures:
    return SeatFigures(Seat.N, name, over, won, Shooting(strokes=2, own=own))


def test_players_are_summed_up_by_name_however_it_is_written() -> None:
    found = by_player(
        [seat("Aiko"), seat(" aiko ", won=False, own=3), seat("Ben", over=False, won=None)]
    )
    assert found == (
        PlayerFigures("Aiko", 2, 2, 1, Shooting(strokes=4, own=4)),
        PlayerFigures("Ben", 1, 0, 0, Shooting(strokes=2, own=1)),
    )
    assert found[0].shooting.own_a_stroke == 1.0


def test_seats_without_a_name_are_in_nobodys_figures() -> None:
    assert by_player([seat(""), seat("  ")]) == ()


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.carom")), ids=lambda path: path.stem)
def test_every_piece_of_every_record_is_counted_once(path: Path) -> None:
    match = read_record(path.read_text(encoding="utf-8")).match
    counted = sum((each.shooting for each in seat_figures(match)), start=Shooting())
    strokes = [step.entry for step in match.steps if hasattr(step.entry, "departures")]
    pieces = sum(len(stroke.departures) for stroke in strokes)
    assert counted.strokes == len(strokes)
    assert pieces == (counted.own + counted.others + counted.red + counted.strikers + counted.flown)


def test_figures_of_pockets_can_be_read_only() -> None:
    figures = pocket_figures(match_of("whole_match"))[Pocket.NE]
    assert isinstance(figures.kinds, MappingProxyType)


def won(*records: str) -> list[tuple[str, str, int, int, int, int]]:
    """Sum up records: rules, players, matches, matches won, boards won, points."""
    sums = sum_won(each for text in records for each in won_by(read_record(text).match))
    return [(e.rules, " ".join(e.players), e.matches, e.won, e.boards_won, e.points) for e in sums]


def record_of(rules: str, names: str, *lines: str, seats: str = '"N", "S"') -> str:
    head = f'rules = "{rules}"\nseats = [{seats}]\nnames = {{ {names} }}\n---\n'
    return head + "".join(f"{line}\n" for line in lines)


WON_BY_N = ("! set red pocketed=12", "! set green pocketed=8", "N jack")  # 112 : 8
"""In japan."""


def test_points_boards_and_matches_are_summed_by_player_over_the_seats():
    assert won(
        record_of("japan", 'N = "Aiko", S = "Ben"', *WON_BY_N),
        record_of("japan", 'N = "ben ", S = "愛子"', *WON_BY_N),
        record_of("japan", 'N = "Aiko", S = "Ben"', "N 3*red", "! draw"),
    ) == [
        ("japan", "Ben", 3, 1, 1, 120),
        ("japan", "Aiko", 2, 2, 1, 115),  # a draw at 3 : 0 is decided by its points
        ("japan", "愛子", 1, 0, 0, 8),
    ]


def test_partners_are_one_pair_wherever_they_sit_and_a_seat_stands_for_who_has_no_name():
    four = '"N", "E", "S", "W"'
    assert won(
        record_of("japan", 'N = "Aiko", S = "Ben"', *WON_BY_N, seats=four),
        record_of("japan", 'W = "Aiko", E = "BEN", S = "Cem"', *WON_BY_N, seats=four),
    ) == [
        ("japan", "Aiko Ben", 2, 1, 1, 120),
        ("japan", "N Cem", 1, 1, 1, 112),
        ("japan", "E W", 1, 0, 0, 8),
    ]


def test_each_rule_system_is_summed_by_itself_and_a_match_that_runs_counts_its_finished_boards():
    names = 'N = "Aiko", S = "Ben"'
    assert won(
        record_of("points", names, "N brown"),
        record_of("icf", names, "! resign S", "! board"),
        record_of("hikone", names, "N 2*red", "! resign S"),
    ) == [
        ("hikone", "Aiko", 1, 1, 1, 2),
        ("hikone", "Ben", 1, 0, 0, 0),
        ("points", "Aiko", 1, 0, 0, 0),
        ("points", "Ben", 1, 0, 0, 0),
        ("icf", "Aiko", 1, 0, 1, 12),
        ("icf", "Ben", 1, 0, 0, 0),
    ]


def test_in_carrom_a_side_keeps_its_points_when_colours_change_from_board_to_board():
    """White on board 2 is the side that played black before: S, who opens it."""
    lines = ("! resign S", "! board", "! resign S", "! board")
    assert won(record_of("icf", 'N = "Ann", S = "Cem"', *lines)) == [
        ("icf", "Ann", 1, 0, 2, 24),
        ("icf", "Cem", 1, 0, 0, 0),
    ]
