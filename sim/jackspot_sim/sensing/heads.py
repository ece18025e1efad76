"""What a pocket's colour head sees of what goes through: light on faces and rims.

Theory of operation. A head is in the pocket's wall at the beam's depth, across the beam. Its
lights shine in turn, as the hub's program switches them, and its photodiode sees what comes back
from a spot that is wider the further away a piece is. How much that is follows from where the piece
is and how it leans at that instant (:mod:`jackspot_sim.sensing.falling`), so a piece that hurries
past or turns over looks a different colour under the next light. Pieces in the spot at the same
time are added up.

Colours are the shares of red, green and blue light that come back. Those of a set of pieces are
drawn around usual ones, since no two makers paint alike: the board does not know them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket
from jackspot.sensing.events import HIGHEST, ColourSeen, Pulse
from jackspot.sensing.limits import MS, SECOND
from jackspot_sim.physics.boards import Disc, PhysicalBoard, disc_of
from jackspot_sim.physics.figures import Figure, Figures, Source, values
from jackspot_sim.physics.values import PieceFall
from jackspot_sim.sensing.falling import Attitude, Watch

_COMPUTED, _GUESS = Source.COMPUTED, Source.GUESS

FIGURES: Figures = {
    "light_ms": Figure(1.0, "ms", _COMPUTED, "How long each light shines: the hub's program."),
    "behind_mm": Figure(6.0, "mm", _GUESS, "How far photodiode and lights are behind the wall."),
    "spot_deg": Figure(
        25.0, "°", _GUESS, "Half of what the photodiode sees: a hole of 5 mm in front of it."
    ),
    "gain": Figure(
        60_000, "", _GUESS,
        "Reading of white paper on the wall's window: set so that nothing fills the scale.",
    ),
    "rim_shines": Figure(
        0.8, "", _GUESS,
        "Share of a face's light that a rim sends back: it is round, and turned smooth.",
    ),
    "rim_worn": Figure(0.15, "", _GUESS, "Share of a rim where the paint is off, to bare wood."),
    "noise": Figure(120, "", _GUESS, "Spread of a reading: a Pico's converter, the amplifier."),
    "sets_differ": Figure(
        0.15, "", _GUESS, "Spread of how much of each light two makers' pieces send back."
    ),
    "pieces_differ": Figure(0.05, "", _GUESS, "The same between pieces of one set: wear, powder."),
}  # fmt: skip
"""What a head and its lights are like."""


class HeadSizes(Struct, frozen=True):
    """The bare numbers; see ``FIGURES``."""

    light_ms: float
    behind_mm: float
    spot_deg: float
    gain: float
    rim_shines: float
    rim_worn: float
    noise: float
    sets_differ: float
    pieces_differ: float


SIZES = HeadSizes(**values(FIGURES))
LIGHT_NS = round(SIZES.light_ms * MS)
SEES_ABOVE = 400
"""The level above dark that the hub's program begins with: it does not report anything less."""

Shares = tuple[float, float, float]
"""How much of red, green and blue light comes back."""

USUAL: Mapping[Piece, Shares] = MappingProxyType(
    {
        Piece.RED: (0.55, 0.10, 0.08),
        Piece.GREEN: (0.08, 0.30, 0.17),
        Piece.JACK: (0.08, 0.06, 0.05),
        Piece.WHITE: (0.62, 0.50, 0.36),
        Piece.BLACK: (0.06, 0.05, 0.05),
        Piece.BROWN: (0.38, 0.22, 0.12),
        Piece.QUEEN: (0.50, 0.08, 0.10),
    }
)
"""Lacquered wood, all guessed: a jack is nearly black; carrom men are of bare and of dark wood."""

STRIKERS: tuple[Shares, ...] = (
    (0.72, 0.66, 0.55), (0.55, 0.42, 0.28), (0.07, 0.10, 0.40), (0.05, 0.05, 0.05),
    (0.60, 0.45, 0.08),
)  # fmt: skip
"""Ivory, bare wood, blue, black, yellow: everybody brings their own."""
SKIN: Shares = (0.45, 0.27, 0.21)
BARE_WOOD: Shares = (0.58, 0.46, 0.32)
NOTHING: Shares = (0.0, 0.0, 0.0)


class Glow(NamedTuple):
    """What a head sees of a thing's face and of its rim at one instant; paper is 1."""

    at_ns: int
    face: float
    rim: float


class ColourHead(Struct, frozen=True):
    """One pocket's head: how much of each light reaches it, and how bright the sun is there.

    ``red``, ``green`` and ``blue`` are 1 where light and window are as new.
    """

    red: float = 1.0
    green: float = 1.0
    blue: float = 1.0
    sun: float = 300.0


class HeadQuality(StrEnum):
    """Usual heads, by name."""

    CLEAN = "clean"
    DIRTY = "dirty"
    """Windows that have not been wiped for a year: a third of the light comes back."""
    DULL = "dull"
    """The north-eastern head's blue light does not shine."""
    SUNLIT = "sunlit"
    """Evening sun falls into the western pockets, and fills half of the measurable range."""


Heads = Mapping[Pocket, ColourHead]
_DIRTY = ColourHead(0.35, 0.33, 0.30)
HEADS: Mapping[HeadQuality, Heads] = MappingProxyType(
    {
        HeadQuality.CLEAN: MappingProxyType(dict.fromkeys(Pocket, ColourHead())),
        HeadQuality.DIRTY: MappingProxyType(dict.fromkeys(Pocket, _DIRTY)),
        HeadQuality.DULL: MappingProxyType(
            {**dict.fromkeys(Pocket, ColourHead()), Pocket.NE: ColourHead(blue=0.0)}
        ),
        HeadQuality.SUNLIT: MappingProxyType(
            {
                **dict.fromkeys(Pocket, ColourHead()),
                **dict.fromkeys((Pocket.SW, Pocket.NW), ColourHead(sun=30_000.0)),
            }
        ),
    }
)


def glow_of(disc: Disc, at: Attitude, hole_mm: float, depth_mm: float, across_rad: float) -> Glow:
    """Return what a head at this depth sees of a disc, by when it tipped.

    It is in the direction ``across_rad`` from the pocket's middle, and looks there.
    """
    ux, uy = math.cos(across_rad), math.sin(across_rad)
    towards = at.nx * ux + at.ny * uy
    aside = -at.nx * uy + at.ny * ux
    wide, thick = disc.radius_mm, disc.thickness_mm / 2
    reaches = _half(wide, thick, towards)
    away = max(hole_mm - (at.x * ux + at.y * uy) - reaches, 0.0)
    spot = (away + SIZES.behind_mm) * math.tan(math.radians(SIZES.spot_deg))
    high = _covered(at.z - depth_mm, _half(wide, thick, at.nz), spot)
    along = _covered(-at.x * uy + at.y * ux, _half(wide, thick, aside), spot)
    near = (SIZES.behind_mm / (SIZES.behind_mm + away)) ** 2
    whole = high * along * near
    edge = math.sqrt(max(1.0 - towards * towards, 0.0))
    return Glow(
        round(at.at_s * SECOND), whole * towards * towards, whole * edge * edge * SIZES.rim_shines
    )


def _half(wide: float, thick: float, normal: float) -> float:
    """Return half of how far a disc reaches in a direction, by its normal's part there."""
    return wide * math.sqrt(max(1.0 - normal * normal, 0.0)) + thick * abs(normal)


def _covered(middle: float, half: float, spot: float) -> float:
    """Return the part of a spot, from -spot to spot, that something covers."""
    return max(min(middle + half, spot) - max(middle - half, -spot), 0.0) / (2 * spot)


class PaintedPieces:
    """The pieces of one board, as they send light back; ``paint`` decides what they look like.

    ``chance`` decides which of them come by.
    """

    def __init__(self, paint: str, chance: str) -> None:
        rng = random.Random(f"paint {paint}")
        self._shares = {
            each: _painted(usual, SIZES.sets_differ, rng) for each, usual in USUAL.items()
        }
        self._strikers = [_painted(each, SIZES.sets_differ, rng) for each in STRIKERS]
        self._rng = random.Random(f"pieces {chance}")

    def one(self, piece: Piece) -> Shares:
        """Return the shares of some piece of a kind; for a striker, of somebody's."""
        usual = self._shares.get(piece) or self._rng.choice(self._strikers)
        return _painted(usual, SIZES.pieces_differ, self._rng)


def _painted(usual: Shares, spread: float, rng: random.Random) -> Shares:
    red, green, blue = (min(each * math.exp(rng.gauss(0.0, spread)), 0.95) for each in usual)
    return red, green, blue


def frames_of(
    pocket: Pocket,
    head: ColourHead,
    things: Iterable[tuple[Shares, Iterable[Glow]]],
    rng: random.Random,
) -> tuple[ColourSeen, ...]:
    """Return the frames that the hub reports of things that go past a head, in order."""
    light: dict[int, Shares] = {}
    for shares, glows in things:
        for step, glow in {each.at_ns // LIGHT_NS: each for each in glows}.items():
            light[step] = _more(light.get(step, NOTHING), _back(shares, glow))
    if not light:
        return ()
    return tuple(_strobed(pocket, head, light, rng))


def _more(one: Shares, other: Shares) -> Shares:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _back(shares: Shares, glow: Glow) -> Shares:
    """Return how much of each light comes back from a thing's face and rim."""
    worn = SIZES.rim_worn
    red, green, blue = (
        glow.face * own + glow.rim * ((1 - worn) * own + worn * wood)
        for own, wood in zip(shares, BARE_WOOD, strict=True)
    )
    return red, green, blue


def _strobed(
    pocket: Pocket, head: ColourHead, light: Mapping[int, Shares], rng: random.Random
) -> Iterator[ColourSeen]:
    """Let the hub's own program shine its lights in turn and report its frames."""
    from sensor_hub.strobe import DARK, Strobe

    strobe, windows = Strobe(1), (head.red, head.green, head.blue)
    for step in range(min(light) - rng.randrange(4), max(light) + 5):
        level = head.sun + rng.gauss(0.0, SIZES.noise)
        if strobe.light != DARK:
            turn = strobe.light - 1
            level += SIZES.gain * windows[turn] * light.get(step, NOTHING)[turn]
        reading = round(min(max(level, 0.0), HIGHEST))
        for _, red, green, blue, dark in strobe.step([reading], SEES_ABOVE):
            yield ColourSeen((step + 1) * LIGHT_NS, pocket, red, green, blue, dark)


class BoardHeads:
    """The heads of one board and the pieces on it, whose paint ``seed`` decides.

    With what they are used for, it decides everything else: which pieces come by, and noise.
    """

    def __init__(self, heads: Heads, seed: str, used_for: str = "play") -> None:
        chance = f"{used_for} {seed}"
        self._heads = heads
        self._pieces = PaintedPieces(seed, chance)
        self._rng = random.Random(f"heads {chance}")
        self.chance = random.Random(f"unseen {chance}")
        """Decides how pieces fall that no beam reports."""
        self._past: dict[Pocket, list[tuple[Shares, list[Glow]]]] = {}

    def watch(
        self, board: PhysicalBoard, fall: PieceFall, depth_mm: float, across_rad: float
    ) -> Watch:
        """Return what is to be called as a piece goes past its pocket's head."""
        glows: list[Glow] = []
        disc, start_ns = disc_of(board, fall.piece), round(fall.at_s * SECOND)
        self._past.setdefault(fall.pocket, []).append((self._pieces.one(fall.piece), glows))

        def look(at: Attitude) -> None:
            glow = glow_of(disc, at, board.pocket_radius_mm, depth_mm, across_rad)
            glows.append(glow._replace(at_ns=glow.at_ns + start_ns))

        return look

    def told(self) -> Mapping[Pocket, tuple[ColourSeen, ...]]:
        """Return what the hub reports of everything watched since the last call."""
        past, self._past = self._past, {}
        return {
            pocket: frames_of(pocket, self._heads[pocket], things, self._rng)
            for pocket, things in past.items()
        }

    def of_hand(self, pulses: Iterable[Pulse]) -> tuple[ColourSeen, ...]:
        """Return what a head sees of fingers that break its beam, at varying distances."""
        return self.passing((), pulses)

    def passing(self, pieces: Sequence[Piece], pulses: Iterable[Pulse]) -> tuple[ColourSeen, ...]:
        """Return what a head sees while its beam is broken, when no more is known.

        Pieces, or fingers if there are none, are at varying distances. If there are as many pulses
        as pieces, each pulse is one piece.
        """
        pulses = tuple(pulses)
        found: list[ColourSeen] = []
        for at, pulse in enumerate(pulses):
            here = pieces[at : at + 1] if len(pieces) == len(pulses) else pieces
            painted = [self._pieces.one(each) for each in here]
            things = painted or [_painted(SKIN, SIZES.sets_differ, self._rng)]
            near = self._rng.uniform(0.05, 0.6) / len(things)
            steps = range(pulse.start_ns // LIGHT_NS, pulse.end_ns // LIGHT_NS + 1)
            glows = [Glow(step * LIGHT_NS, near * self._rng.uniform(0.8, 1.2), 0) for step in steps]
            head = self._heads[pulse.pocket]
            found += frames_of(
                pulse.pocket, head, [(shares, glows) for shares in things], self._rng
            )
        return tuple(found)
