"""Both sides as displays show them: who plays which pieces, the counts, where the queen is.

A side keeps its place on every display for the whole match. Where colours change between
boards, it is named by the colour that it plays on this board. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from jackspot.core.directives import RedPlace
from jackspot.core.match import Match, MatchState, deal_points
from jackspot.core.order import MatchOrder
from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.rules import facts_of, rules_for
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.dialogue.proposals.answers import may_play_the_jack
from jackspot.dialogue.state.plans import Plan, handicap_of, sides_of, table_of
from jackspot.dialogue.state.view import SideView
from jackspot.dialogue.words.wording import listed, side_word
from jackspot.values import IdentityKey, changed

# --- before a match --------------------------------------------------------------------


def sides_before(plan: Plan, rules: RuleSystem) -> tuple[SideView, SideView]:
    """Show both sides as set-up proposes them.

    The side that shoots first has the first colour and place, unless the plan says who has which.
    """
    at = plan.lineup.index(plan.first) if plan.first in plan.lineup else 0
    order = (*plan.lineup[at:], *plan.lineup[:at])
    opens = next(side for side in sides_of(plan) if order[0] in side)
    first, second = rules_for(rules).sides
    agreed = {seat: side for seat, side in table_of(plan, "colours").items() if seat in order}
    ahead = next(((seat in opens) == (side == first) for seat, side in agreed.items()), True)
    these = tuple(seat for seat in order if (seat in opens) == ahead)
    others = tuple(seat for seat in order if seat not in these)
    one, other = _side_before(plan, rules, first, these), _side_before(plan, rules, second, others)
    return changed(one, shoots=ahead), changed(other, shoots=not ahead)


def _side_before(plan: Plan, rules: RuleSystem, side: Side, seats: tuple[Seat, ...]) -> SideView:
    """Show a side before the match: who plays, and the pieces it starts with."""
    names = table_of(plan, "names")
    ahead = handicap_of(plan, seats).get("head_start", 0)
    start = ahead if isinstance(ahead, int) else 0
    pieces = _pieces_before(rules, side)
    men = facts_of(rules).men
    return SideView(
        side=side, seats=seats,
        names=tuple(str(names.get(seat.value, "")) for seat in seats),
        pocketed=start, left=men * len(pieces) - start, owed=0, points=0, boards_won=0,
        shoots=False, all_in=False, pieces=pieces,
    )  # fmt: skip


def _pieces_before(rules: RuleSystem, side: Side) -> tuple[Piece, ...]:
    return facts_of(rules).shared or (side.piece,)


# --- in a match ------------------------------------------------------------------------


def sides_in(match: Match, shooter: Seat | None) -> tuple[SideView, SideView]:
    """Show both sides of a match, in the order of the sides it began with."""
    return _sides(IdentityKey((match,)), shooter)


@lru_cache(maxsize=4)
def _sides(key: IdentityKey, shooter: Seat | None) -> tuple[SideView, SideView]:
    (match,) = key.parts
    assert isinstance(match, Match)
    first, second = rules_for(match.settings.rules).sides
    return _side(match, first, shooter), _side(match, second, shooter)


def _side(match: Match, named: Side, shooter: Seat | None) -> SideView:
    """Show a side; ``named`` is its name on board 1."""
    state = match.state
    position = state.position
    side = colour_of(state, named)
    seats = tuple(seat for seat in match.settings.seats if position.seat_sides[seat] is side)
    pieces = _own_pieces(state, side)
    on_board = rules_for(match.settings.rules).on_board(position)
    games_won = state.standing.games_won or {}
    return SideView(
        side=side,
        seats=seats,
        names=tuple(match.settings.names.get(seat, "") for seat in seats),
        pocketed=position.count(side).pocketed,
        left=sum(on_board.get(piece, 0) for piece in pieces),
        owed=position.count(side).owed,
        points=state.points.get(named, 0),
        boards_won=state.boards_won.get(named, 0),
        shoots=shooter is not None and position.seat_sides[shooter] is side,
        all_in=Piece.JACK in on_board and may_play_the_jack(match, side),
        pieces=pieces,
        board_points=deal_points(state).get(side, 0),
        game_points=_game_points(state).get(named, 0),
        games_won=games_won.get(named, 0),
    )


def _own_pieces(state: MatchState, side: Side) -> tuple[Piece, ...]:
    """Return the kinds that a side plays for, in the order in which its rules name them."""
    rules, position = rules_for(state.settings.rules), state.position
    turn = next(i for i, seat in enumerate(position.order) if position.seat_sides[seat] is side)
    own = rules.own(changed(position, turn=turn))
    return tuple(piece for piece in rules.pieces if piece in own and piece is not rules.red)


def colour_of(state: MatchState, named: Side) -> Side:
    """Return the colour that a side, named as on board 1, plays on this board."""
    settings = state.settings
    seat = next(seat for seat in settings.seats if settings.sides[seat] is named)
    return state.position.seat_sides[seat]


def named_of(settings: MatchSettings, seat_sides: Mapping[Seat, Side], colour: Side) -> Side:
    """Return the name on board 1 of the side that has this colour on a board."""
    return next(settings.sides[seat] for seat, side in seat_sides.items() if side is colour)


def colours_change(state: MatchState) -> bool:
    """Whether the sides have not played every board with the same colours."""
    return any(board.seat_sides != state.settings.sides for board in state.boards)


def ordered_word(order: MatchOrder) -> Phrase:
    """Say who is to play: ``next: Aiko - Ben``; for a match that began elsewhere, who goes on."""
    settings = order.settings
    one, other = (seated(settings, side) for side in dict.fromkeys(settings.sides.values()))
    if order.entries:
        return _("go on: {one} - {other}", one=one, other=other)
    return _("next: {one} - {other}", one=one, other=other)


def moved_word(board: int) -> Phrase:
    """Say that the match was given to another board."""
    return _("went on at board {n}", n=board)


def seated(settings: MatchSettings, named: Side) -> Phrase:
    """Name a side by its players or their seats: colours may change, people do not."""
    seats = [seat for seat in settings.seats if settings.sides[seat] is named]
    names = [settings.names.get(seat, "") or seat.value for seat in seats]
    return listed([_("{name}", name=name) for name in names])


# --- games of several boards -----------------------------------------------------------


def game_now(state: MatchState) -> tuple[int, int]:
    """Return which game, and which of its boards, is being played or just over; 0, 0: no games."""
    won = state.standing.games_won
    if won is None:
        return 0, 0
    games = state.standing.games
    game = games[-1] if state.result is not None and games else sum(won.values()) + 1
    played = games.count(game)
    return game, played if state.result is not None else played + 1


def _game_points(state: MatchState) -> dict[Side, int]:
    """Sum up the finished boards of the game that is being played or just over."""
    game, _board = game_now(state)
    points = dict.fromkeys(rules_for(state.settings.rules).sides, 0)
    for board, of_game in zip(state.boards, state.standing.games, strict=False):
        if of_game != game:
            continue
        for colour, n in board.result.points.items():
            points[named_of(state.settings, board.seat_sides, colour)] += n
    return points


# --- the jack, the queen ---------------------------------------------------------------


def red_words(state: MatchState) -> Phrase:
    """Say where the queen is, where that is news; nothing about a jack or queen on the board."""
    position = state.position
    if rules_for(state.settings.rules).red is not Piece.QUEEN or position.red is RedPlace.BOARD:
        return EMPTY
    if position.red is RedPlace.POCKETED:
        return _("queen back after turn")
    side = position.red_side
    if side is None:
        return EMPTY
    if position.red is RedPlace.PENDING:
        return _("cover the queen now")
    return _("queen covered by {side}", side=side_word(side))
