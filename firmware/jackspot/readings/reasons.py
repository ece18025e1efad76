"""Why a reading is thought likely, in words: ``9 ms in NE: puck or striker; own puck is usual``.

A reason has two halves. The first says what was sensed and what can look like that; it is the same
for every reading of the falls. The second says how usual it is that a stroke pockets what this
reading says.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, auto
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.phrases import Phrase, _, _n
from jackspot.core.pieces import Piece, Pocket
from jackspot.readings.colours import ColourModel
from jackspot.readings.usual import CENTRE, OPPONENT, OWN, STRIKER, Aim, Pocketed, Usual
from jackspot.readings.widths import MILLISECOND_NS, WidthModel
from jackspot.sensing.events import Fall

DESCRIBED = 2
"""How many falls are described; further ones are only counted."""

WORTH_SAYING = 0.05
"""A kind at least this likely by its width is mentioned."""

SURELY = 10.0
"""A kind this many times likelier by its width is mentioned alone."""

IS_USUAL, NOW_AND_THEN, RARELY = 0.4, 0.05, 0.005
"""The shares, of all strokes that pocket something, from which each word is used."""


PIECE_WORDS: Mapping[Piece, Phrase] = MappingProxyType(
    {
        Piece.RED: _("RED"),
        Piece.GREEN: _("GREEN"),
        Piece.JACK: _("JACK"),
        Piece.WHITE: _("WHITE"),
        Piece.BLACK: _("BLACK"),
        Piece.BROWN: _("BROWN"),
        Piece.QUEEN: _("QUEEN"),
        Piece.STRIKER: _("STRIKER"),
    }
)
"""What each kind is called where people decide about it."""


class PieceNames(StrEnum):
    """What the pieces of a board are called."""

    CAROM = auto()
    """Pucks and a jack."""
    CARROM = auto()
    """Pieces of two sides, and a queen."""
    COUNTERS = auto()
    """Pieces that belong to nobody, and a queen."""


class Reasons(Struct):
    """The reasons for some falls on one board. The words for each content are made once.

    ``hands`` are the pockets where somebody has something to fetch.
    """

    falls: tuple[Fall, ...]
    hands: Mapping[Pocket, float]
    widths: WidthModel
    usual: Usual
    game: PieceNames
    centre: bool
    """Whether there is a jack or a queen to fall."""
    kinds: tuple[Piece, ...] = ()
    """The kinds that can fall."""
    colours: ColourModel | None = None
    """How these kinds look, where there are colour heads."""
    _sensed: Phrase | None = None
    _said: dict[Pocketed, Phrase] = field(default_factory=dict)

    def of_stroke(self, pocketed: Pocketed) -> Phrase:
        """Return why a stroke may have pocketed this."""
        said = self._said.get(pocketed)
        if said is None:
            if self._sensed is None:
                self._sensed = self._all_sensed()
            usual = _how_usual(self.usual, pocketed, self.game)
            said = _("{sensed}; {usual}", sensed=self._sensed, usual=usual)
            self._said[pocketed] = said
        return said

    def of_nothing(self) -> Phrase:
        """Return why it may have been no stroke."""
        pocket = self.falls[0].pocket
        where = _width(self.falls[0])
        if pocket in self.hands:
            return _("{sensed}: a hand picking something up", sensed=where)
        return _("{sensed}: a hand, or nothing", sensed=where)

    def _all_sensed(self) -> Phrase:
        said = [self._looks_like(fall) for fall in self.falls[:DESCRIBED]]
        more = len(self.falls) - DESCRIBED
        if more > 0:
            return _("{first}; {second}; {n} more", first=said[0], second=said[1], n=more)
        if len(said) == DESCRIBED:
            return _("{first}; {second}", first=said[0], second=said[1])
        return said[0]

    def _looks_like(self, fall: Fall) -> Phrase:
        """Return what a fall looks like on its own: to its beam, and to a colour head."""
        sensed = self._by_its_width(fall)
        kind = None if self.colours is None else self.colours.looks_like(self.kinds, fall)
        if kind is None:
            return sensed
        if kind is Piece.STRIKER:
            return _("{sensed}, the colour of no other piece", sensed=sensed)
        return _("{sensed}, looks {piece}", sensed=sensed, piece=PIECE_WORDS[kind])

    def _by_its_width(self, fall: Fall) -> Phrase:
        sensed = _width(fall)
        if fall.by_head:
            return sensed
        if len(fall.pulses) == 2:
            return _("{sensed}: tumbled, or two close together", sensed=sensed)
        if len(fall.pulses) > 2:
            return _("{sensed}: a broken pulse", sensed=sensed)
        flat, edge, two = self.widths.at(fall.pocket).kinds_of(fall.pulses[0].width_ns)
        pieces = flat + edge + two
        if self.widths.hand(fall) > SURELY * pieces:
            return _("{sensed}: as long as a hand", sensed=sensed)
        if two > WORTH_SAYING * pieces:
            return self._perhaps_two(sensed, flat, edge, two)
        return self._one_piece(sensed, on_edge=edge > flat)

    def _perhaps_two(self, sensed: Phrase, flat: float, edge: float, two: float) -> Phrase:
        if edge > flat:
            return _("{sensed}: on edge, or two at once", sensed=sensed)
        if two > flat:
            return _("{sensed}: two at once, or one", sensed=sensed)
        return _("{sensed}: one, or two at once", sensed=sensed)

    def _one_piece(self, sensed: Phrase, *, on_edge: bool) -> Phrase:
        if on_edge:
            return _("{sensed}: on edge", sensed=sensed)
        if self.game is PieceNames.CAROM:
            if self.centre:
                return _("{sensed}: puck, striker or jack", sensed=sensed)
            return _("{sensed}: puck or striker", sensed=sensed)
        if self.centre:
            return _("{sensed}: piece, striker or queen", sensed=sensed)
        return _("{sensed}: piece or striker", sensed=sensed)


def _width(fall: Fall) -> Phrase:
    """Return what was sensed: ``9 ms in NE``, ``12 ms and 9 ms in NE``."""
    widths = [max(1, round(width / MILLISECOND_NS)) for width in fall.widths_ns]
    pocket = fall.pocket.value
    if fall.by_head:
        return _("{pocket}: seen by colour only", pocket=pocket)
    if len(widths) == 1:
        return _("{ms} ms in {pocket}", ms=widths[0], pocket=pocket)
    if len(widths) == 2:
        return _("{ms} ms and {more} ms in {pocket}", ms=widths[0], more=widths[1], pocket=pocket)
    return _("{n} pulses in {pocket}, longest {ms} ms", n=len(widths), pocket=pocket,
             ms=max(widths))  # fmt: skip


def _how_usual(usual: Usual, pocketed: Pocketed, game: PieceNames) -> Phrase:
    """Return how usual it is that a stroke pockets this."""
    share = usual.often(pocketed) / usual.anything()
    what = _what(pocketed, usual.aim, game)
    if share >= IS_USUAL:
        return _("{what} likely", what=what)
    if share >= NOW_AND_THEN:
        return _("{what} sometimes", what=what)
    if share >= RARELY:
        return _("{what} unlikely", what=what)
    return _("{what} very unlikely", what=what)


@lru_cache(maxsize=256)
def _what(pocketed: Pocketed, aim: Aim, game: PieceNames) -> Phrase:
    """Name what a stroke pockets: ``own puck``, ``two own pucks and striker``."""
    names: list[Phrase] = []
    if pocketed[OWN]:
        names.append(_own(pocketed[OWN], game))
    if pocketed[OPPONENT]:
        names.append(_opponents(pocketed[OPPONENT], game))
    if pocketed[STRIKER]:
        names.append(_strikers(pocketed[STRIKER]))
    if pocketed[CENTRE]:
        names.append(_centre(aim, game))
    joined = names[0] if names else _("nothing")
    for name in names[1:]:
        joined = _("{these} and {that}", these=joined, that=name)
    return joined


def _own(n: int, game: PieceNames) -> Phrase:
    match game:
        case PieceNames.CAROM:
            return _n("own puck", "{n} own pucks", n=n)
        case PieceNames.CARROM:
            return _n("own piece", "{n} own pieces", n=n)
        case PieceNames.COUNTERS:
            return _n("one piece", "{n} pieces", n=n)


def _opponents(n: int, game: PieceNames) -> Phrase:
    if game is PieceNames.CAROM:
        return _n("opponent's puck", "{n} of the opponent's", n=n)
    return _n("opponent's piece", "{n} of the opponent's", n=n)


def _strikers(n: int) -> Phrase:
    return _("striker") if n == 1 else _("{n} strikers", n=n)


def _centre(aim: Aim, game: PieceNames) -> Phrase:
    if game is PieceNames.CAROM:
        return _("jack too early") if aim is Aim.PIECES else _("jack")
    return _("queen too early") if aim is Aim.PIECES else _("queen")
