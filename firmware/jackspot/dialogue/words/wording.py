"""Rulings and readings in words: ``RED NE``, ``S: put back 2 RED, JACK``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from jackspot.core.directives import RedPlace
from jackspot.core.match import MatchState
from jackspot.core.phrases import EMPTY, Phrase, _, _c
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.ruling import BoardResult, How
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.state.proposal import Proposal
from jackspot.readings.reasons import PIECE_WORDS

_PIECE_NAMES: Mapping[Piece, Phrase] = {
    Piece.RED: _("red"),
    Piece.GREEN: _("green"),
    Piece.JACK: _("jack"),
    Piece.WHITE: _("white"),
    Piece.BLACK: _("black"),
    Piece.BROWN: _("brown"),
    Piece.QUEEN: _("queen"),
    Piece.STRIKER: _("striker"),
}

_SIDE_NAMES: Mapping[Side, Phrase] = {Side.ONE: _("side one"), Side.TWO: _("side two")}

_SIDES: Mapping[Side, Phrase] = {Side.ONE: _("SIDE 1"), Side.TWO: _("SIDE 2")}

_LETTERS: Mapping[Piece, Phrase] = {
    Piece.RED: _c("letter on a disc", "R"),
    Piece.GREEN: _c("letter on a disc", "G"),
    Piece.WHITE: _c("letter on a disc", "W"),
    Piece.BLACK: _c("letter on a disc", "B"),
    Piece.BROWN: _c("letter on a disc", "BR"),
    Piece.JACK: Phrase("J"),
    Piece.QUEEN: Phrase("Q"),
    Piece.STRIKER: Phrase("*"),
}
"""What is written on a disc, on every display; a striker has a star, because S is a seat."""

_NUMBERS: Mapping[Side, Phrase] = {Side.ONE: Phrase("1"), Side.TWO: Phrase("2")}

_FLAGS: Mapping[Flag, Phrase] = {
    Flag.FOUL: _("foul"),
    Flag.AREA: _("area hit"),
    Flag.NOBREAK: _("break missed"),
    Flag.BANKED: _("banked"),
    Flag.UNBANKED: _("not banked"),
}

_HOW: Mapping[How, Phrase] = {
    How.JACK: _("by the jack"),
    How.PIECES: _("all pieces in"),
    How.FOUL: _("by a foul"),
    How.TIME: _("on time"),
    How.RESIGN: _("resigned"),
    How.DRAW: _("agreed"),
}


def piece_word(piece: Piece) -> Phrase:
    """Name a kind of piece."""
    return PIECE_WORDS[piece]


def side_word(side: Side) -> Phrase:
    """Name a side: by its colour, or by its number where it has none."""
    return _SIDES.get(side) or PIECE_WORDS[Piece(side.value)]


def piece_name(piece: Piece) -> Phrase:
    """Name a kind of piece in running text."""
    return _PIECE_NAMES[piece]


def side_name(side: Side) -> Phrase:
    """Name a side in running text."""
    return _SIDE_NAMES.get(side) or _PIECE_NAMES[Piece(side.value)]


def side_letter(side: Side) -> Phrase:
    """Return the letter that distinguishes a side without colour."""
    return _NUMBERS.get(side) or _LETTERS[Piece(side.value)]


def piece_letter(piece: Piece) -> Phrase:
    """Return what is written on a piece: R, G, W, B, BR for brown, J, Q, * in English."""
    return _LETTERS[piece]


def flag_word(flag: Flag) -> Phrase:
    """Name what a referee called."""
    return _FLAGS[flag]


def queen_word(place: RedPlace, side: Side | None) -> Phrase:
    """Say where the queen is: ``on the board``, ``covered by WHITE``."""
    if side is None:
        return _("on the board") if place is RedPlace.BOARD else _("out until turn end")
    if place is RedPlace.PENDING:
        return _("{side} must cover", side=side_word(side))
    return _("covered by {side}", side=side_word(side))


def how_word(how: How) -> Phrase:
    """Say how a board ended."""
    return _HOW[how]


def listed(parts: Sequence[Phrase]) -> Phrase:
    """Join phrases with commas."""
    if not parts:
        return EMPTY
    whole = parts[0]
    for part in parts[1:]:
        whole = _("{first}, {then}", first=whole, then=part)
    return whole


def counted(pieces: Sequence[Piece]) -> Phrase:
    """Count pieces: ``2 RED, JACK``."""
    return listed([_counted(piece, n) for piece, n in Counter(pieces).items()])


def _counted(piece: Piece, n: int) -> Phrase:
    return piece_word(piece) if n == 1 else _("{n} {piece}", n=n, piece=piece_word(piece))


def departure_word(departure: Departure) -> Phrase:
    """Say what left the board and where: ``RED NE``, ``GREEN off``."""
    if departure.flew_off:
        return _("{piece} off", piece=piece_word(departure.piece))
    if departure.pocket is None:
        return piece_word(departure.piece)
    return _("{piece} {pocket}", piece=piece_word(departure.piece), pocket=departure.pocket.value)


def what_word(
    departures: Sequence[Departure],
    flags: frozenset[Flag],
    *,
    stroke: bool,
    called: Pocket | None = None,
) -> Phrase:
    """Say what a stroke did: ``RED NE, STRIKER SW``, ``foul, GREEN``, ``NOTHING``."""
    if not stroke:
        return _("NOT A STROKE")
    parts = [flag_word(flag) for flag in sorted(flags)]
    parts += [_("called {pocket}", pocket=called.value)] if called else []
    parts += [departure_word(departure) for departure in departures]
    return listed(parts) if parts else _("MISSED")


def proposal_word(stroke: Stroke, proposal: Proposal) -> Phrase:
    """Say what is proposed; also whose stroke it is, if it is not the next shooter's."""
    what = what_word(
        stroke.departures, stroke.flags, stroke=proposal.is_stroke, called=stroke.called
    )
    if proposal.joining is not None:
        return _("replace {seat}'s last stroke: {what}", seat=stroke.seat.value, what=what)
    if proposal.missed:
        missed = " ".join(seat.value for seat in proposal.missed)
        return _("{seat} ({missed} missed): {what}",
                 seat=stroke.seat.value, missed=missed, what=what)  # fmt: skip
    return what


def hand_word(pockets: Sequence[Pocket]) -> Phrase:
    """Say where a hand was."""
    names = " ".join(sorted(pocket.value for pocket in pockets))
    return _("hand in {pocket}", pocket=names)


def follows_word(before: Seat | None, proposal: Proposal, after: MatchState | None) -> Phrase:
    """Say what would follow from a proposal."""
    if after is None:
        return _("not possible here")
    if not proposal.is_stroke and after.result is None:
        return _("{seat} still to shoot", seat=(before or proposal.seat).value)
    return outcome_word(after, proposal.shooter)


def result_word(result: BoardResult) -> Phrase:
    """Say who won a board and how."""
    if result.winner is None:
        return _("tied, {how}", how=how_word(result.how))
    return _("{side} wins, {how}", side=side_word(result.winner), how=how_word(result.how))


def outcome_word(state: MatchState, shooter: Seat) -> Phrase:
    """Say what the last stroke's ruling means for the players; only the shooter's debts."""
    if state.result is not None:
        return result_word(state.result)
    ruling = state.ruling
    if ruling is None or state.next is None:
        return EMPTY
    turn = _("shoot again") if ruling.keeps_turn else _("{seat} shoots", seat=state.next.value)
    if ruling.place:
        return _("{turn}, put back {pieces}", turn=turn, pieces=counted(ruling.place))
    side = state.position.seat_sides[shooter]
    if ruling.keeps_turn and state.position.red is RedPlace.PENDING:
        return _("{turn}, cover the queen", turn=turn)
    owed = state.position.count(side).owed
    debt = [_("{side} owes {n}", side=side_word(side), n=owed)] if owed else []
    return listed([turn, *debt])
