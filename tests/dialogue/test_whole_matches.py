"""Whole matches of Hikone carom, played with nothing but falls and presses."""

from __future__ import annotations

import pytest

from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Side
from jackspot.core.record import read_record
from jackspot.dialogue.state.view import Phase, Sound
from tests.dialogue.playing import Table

POCKETS = ("NE", "SE", "SW", "NW")


def scored(record: str) -> Match:
    """Score an exported record, as anybody who receives it could."""
    return read_record(record).match


def play_the_story(table: Table, by: dict[str, str]) -> None:
    """A match with a debt, a jack foul, an undo across a turn, and a win by the jack."""
    n, s = by["N"], by["S"]
    table.shot("RED NE", "NE", by=n).shot("RED SW", "SW", by=n)
    assert table.counts == (2, 0)
    assert table.shooter == "N"
    table.miss(n)
    assert table.shooter == "S"

    # S has no puck in: the striker's penalty is owed
    table.shot("STRIKER SE", "SE", by=s)
    assert table.owed == (0, 1)
    assert str(table.view.detail) == "striker in SE"
    assert table.shooter == "N"

    # N pockets the jack too early: five reds and the jack go back, jack on top
    for pocket in POCKETS[:3]:
        table.shot(f"RED {pocket}", pocket, by=n)
    assert table.counts == (5, 0)
    table.review("NW").choose("JACK NW", n).wait(0.5).ok(n)
    table.must_be(Phase.PLACING)
    assert table.view.place == (Piece.RED,) * 5 + (Piece.JACK,)
    assert table.counts == (0, 0)
    table.calm().ok(n).calm()
    assert table.shooter == "S"

    # S pays the old debt with the next green and shoots again
    table.shot("GREEN NE", "NE", by=s)
    assert (table.counts, table.owed, table.shooter) == ((0, 0), (0, 0), "S")
    table.shot("GREEN NE", "NE", by=s)
    assert table.counts == (0, 1)
    table.miss(s)
    assert table.shooter == "N"

    # it was no miss: S had pocketed one more. The turn is taken back across the pass
    table.undo(s).must_be(Phase.READY).wait(1.0)
    assert table.shooter == "S"
    table.fix(s).must_be(Phase.REVIEW).choose("GREEN", s).wait(0.5).ok(s).calm()
    assert (table.counts, table.shooter) == ((0, 2), "S")
    table.miss(s)

    # N goes out, one stroke after the other
    for index in range(12):
        pocket = POCKETS[index % 4]
        table.shot(f"RED {pocket}", pocket, by=n)
    assert table.counts == (12, 2)
    assert str(table.view.detail) == "jack may be played"

    # the jack: a short OK is not enough, a second's hold is
    table.review("SE")
    assert table.proposed == "JACK SE"
    assert str(table.view.ok) == "hold: yes"
    table.wait(0.5).ok(n).must_be(Phase.REVIEW)
    table.hold(n, "ok").must_be(Phase.MATCH_OVER)
    assert Sound.WIN in table.sounds
    assert table.view.winner is Side.RED


@pytest.mark.parametrize(
    ("seats", "box", "by"),
    [
        ("NS", False, {"N": "N", "S": "S"}),
        ("", True, {"N": "referee", "S": "referee"}),
        ("", False, {"N": "page", "S": "page"}),
    ],
    ids=["seat buttons alone", "the box alone", "the page alone"],
)
def test_a_whole_match_is_played_on(seats: str, box: bool, by: dict[str, str]) -> None:
    table = Table(seats, box=box).started(by["N"])
    play_the_story(table, by)
    match = scored(table.view.record)
    assert match.state == table.game.match.state
    assert match.state.winner is Side.RED
    assert match.state.points == {Side.RED: 12, Side.GREEN: 2}
    table.calm().hold(by["N"], "ok").must_be(Phase.SETUP)


def test_a_match_of_three_boards_goes_to_who_wins_two() -> None:
    table = Table("NS", options={"best_of": 3}).started("N")
    for board, winner in enumerate("NSN", start=1):
        assert table.view.board == board
        side = table.view.sides[0 if winner == "N" else 1]
        while table.shooter != winner:
            table.miss()
        for index in range(12):
            pocket = POCKETS[index % 4]
            table.shot(f"{side.side.upper()} {pocket}", pocket)
        table.shot("JACK NE", "NE")
        if board < 3:
            table.must_be(Phase.BOARD_OVER).ok("referee").calm()
    table.must_be(Phase.MATCH_OVER)
    assert table.view.winner is Side.RED
    assert [side.boards_won for side in table.view.sides] == [2, 1]
    assert scored(table.view.record).state == table.game.match.state


def test_four_players_shoot_in_turn_clockwise_and_partners_share_their_pucks() -> None:
    table = Table(lineup="NESW").started("E")
    assert table.shooter == "E"
    assert [side.seats for side in table.view.sides] == [("E", "W"), ("S", "N")]
    for seat in "ESWN":
        assert table.shooter == seat
        table.miss()
    table.shot("RED NE", "NE", by="E").miss("E")
    table.shot("GREEN SE", "SE", by="S").miss("S")
    table.shot("RED SW", "SW", by="W")
    assert table.counts == (2, 1)


def test_a_match_goes_on_after_a_power_cut_between_any_two_strokes() -> None:
    table = Table("NS", box=False).started("N")
    for pocket in POCKETS:
        table.shot(f"RED {pocket}", pocket, by="N")
        before = table.game
        table.restart().must_be(Phase.PAUSED)
        assert table.game.lines == before.lines
        table.wait(1.0).ok("N").must_be(Phase.READY).calm()
    assert table.counts == (4, 0)
