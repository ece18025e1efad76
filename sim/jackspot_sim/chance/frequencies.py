"""The published table: how often people at a board do what, and how long it takes.

Every number that the generator of traffic draws from is here and nowhere else, each with a line
that argues for it. None has been counted on a board yet: they are assumptions about ordinary
play, written down before any reading was tuned to them. ``sim/TRAFFIC.md`` is this table as a
page. This module holds numbers only; ``shots``, ``passing`` and ``people`` draw from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from jackspot_sim.chance.laws import MS, Even, Skewed
from jackspot_sim.chance.pulses import CHANCE, passage_ns


class Strength(StrEnum):
    """How well somebody plays."""

    CHILD = "child"
    BEGINNER = "beginner"
    CLUB = "club"
    MASTER = "master"


class Referee(StrEnum):
    """How closely somebody watches the board."""

    WATCHING = "watching"
    """Sees every piece fall and reads the display before each press."""
    TABLE_ONLY = "table_only"
    """Looks at the pieces and rarely at the display."""
    CARELESS = "careless"
    """Talks, forgets, and presses the green button when it comes to mind."""


class PieceRole(StrEnum):
    """What a piece is to the seat that shoots."""

    OWN = "own"
    OPPONENTS = "opponent's"
    STRIKER = "striker"
    JACK = "jack"
    """The jack, or the queen on a board that has one."""


class AimedAt(StrEnum):
    """What everybody currently aims at."""

    PIECES = "pieces"
    """The shooter's own pieces; a jack or a queen falls by accident."""
    JACK = "jack"
    """The jack: it wins the board."""
    QUEEN_TOO = "queen too"
    """The shooter's own pieces, and the queen, which may be taken."""
    QUEEN_FIRST = "queen first"
    """The queen: if the last own piece is pocketed before it, the board is lost."""


class FrequencyRow(Struct, frozen=True):
    """A frequency for each strength or kind of referee, in their order, and its reason."""

    values: tuple[float, ...]
    why: str

    def of(self, who: Strength | Referee) -> float:
        """Return the number of one strength or referee."""
        return self.values[tuple(type(who)).index(who)]


Outcome = tuple[PieceRole, ...]
"""What one stroke puts into pockets, in the order of :class:`PieceRole`."""

OWN, OPP, STRIKER, JACK = PieceRole.OWN, PieceRole.OPPONENTS, PieceRole.STRIKER, PieceRole.JACK


# --- what a stroke pockets --------------------------------------------------------------

STROKES: Mapping[Outcome, FrequencyRow] = MappingProxyType(
    {
        (OWN,): FrequencyRow(
            (0.12, 0.20, 0.40, 0.60),
            "Players aim at their own pucks. A club player "
            "makes two strokes in five, so own pucks are about four of five falls.",
        ),
        (OPP,): FrequencyRow(
            (0.055, 0.070, 0.065, 0.030),
            "An opponent's puck in the way is hit hardest; "
            "control makes it rare, but a weak shot rarely carries it to a pocket.",
        ),
        (STRIKER,): FrequencyRow(
            (0.045, 0.045, 0.030, 0.010),
            "The striker runs on into a far pocket: too hard a shot, straight at a pocket.",
        ),
        (JACK,): FrequencyRow(
            (0.005, 0.006, 0.005, 0.002),
            "The jack stands in the middle of the pack at "
            "first, alone later; nobody aims at it before the pucks are in.",
        ),
        (OWN, OWN): FrequencyRow(
            (0.004, 0.015, 0.045, 0.070),
            "A second puck near a pocket's mouth follows; strong players plan it.",
        ),
        (OWN, OPP): FrequencyRow(
            (0.005, 0.012, 0.022, 0.010),
            "A pack before a pocket opens: both colours alternate in it.",
        ),
        (OWN, STRIKER): FrequencyRow(
            (0.010, 0.020, 0.025, 0.010),
            "A full hit sends the striker after the puck: the commonest foul of club play.",
        ),
        (OPP, OPP): FrequencyRow((0.003, 0.004, 0.003, 0.001), "Two by accident."),
        (OPP, STRIKER): FrequencyRow(
            (0.006, 0.008, 0.006, 0.002), "As with an own puck, but nobody shoots at it."
        ),
        (OWN, JACK): FrequencyRow(
            (0.0008, 0.0015, 0.0020, 0.0015), "The jack touched beside a good shot."
        ),
        (OPP, JACK): FrequencyRow(
            (0.0005, 0.0006, 0.0005, 0.0002), "Two by accident, one of them the jack."
        ),
        (STRIKER, JACK): FrequencyRow((0.0006, 0.0008, 0.0006, 0.0002), "A full hit on the jack."),
        (OWN, OWN, OWN): FrequencyRow(
            (0.0003, 0.0015, 0.006, 0.010), "Three in a row at the frame."
        ),
        (OWN, OWN, OPP): FrequencyRow((0.0003, 0.0015, 0.005, 0.004), "The pack opens well."),
        (OWN, OWN, STRIKER): FrequencyRow(
            (0.0004, 0.0015, 0.003, 0.0015), "Two and the striker after them."
        ),
        (OWN, OPP, OPP): FrequencyRow((0.0002, 0.0006, 0.001, 0.0005), "The pack opens badly."),
        (OWN, OPP, STRIKER): FrequencyRow(
            (0.0004, 0.0010, 0.0012, 0.0005), "One of each, hit hard."
        ),
        (OPP, OPP, OPP): FrequencyRow((0.0001, 0.0001, 0.0001, 0.00005), "Three by accident."),
        (OPP, OPP, STRIKER): FrequencyRow(
            (0.0002, 0.0003, 0.0002, 0.0001), "Two by accident, hit hard."
        ),
        (OWN, STRIKER, JACK): FrequencyRow(
            (0.0001, 0.0002, 0.0002, 0.0001), "Everything wrong after a good shot."
        ),
        (OWN, OPP, JACK): FrequencyRow((0.0001, 0.0001, 0.0001, 0.0001), "As rare."),
        (OWN, OWN, JACK): FrequencyRow(
            (0.0001, 0.0001, 0.0002, 0.0002), "As rare; stronger players pocket more."
        ),
    }
)
"""Chance of each outcome of a stroke while the jack may not yet be played, with all twelve of
both colours on the board. The remainder is a miss: 74 % for a child, 25 % for a master."""

STROKES_READY: Mapping[Outcome, FrequencyRow] = MappingProxyType(
    {
        (JACK,): FrequencyRow(
            (0.10, 0.15, 0.30, 0.50),
            "Now everybody aims at the jack: a single piece, "
            "often in the middle, so it is harder than any puck of twelve.",
        ),
        (OPP,): FrequencyRow((0.050, 0.060, 0.050, 0.020), "As before, on a board with room."),
        (STRIKER,): FrequencyRow((0.045, 0.045, 0.030, 0.010), "As before."),
        (OWN,): FrequencyRow(
            (0.020, 0.030, 0.030, 0.010),
            "Only if a handicap makes the jack playable "
            "with own pucks on the board: they are in the way.",
        ),
        (OPP, JACK): FrequencyRow(
            (0.003, 0.006, 0.010, 0.008), "A puck before the jack goes with it."
        ),
        (STRIKER, JACK): FrequencyRow(
            (0.006, 0.012, 0.015, 0.008), "The striker follows the jack."
        ),
        (OPP, STRIKER): FrequencyRow((0.005, 0.006, 0.005, 0.002), "As before."),
        (OPP, OPP): FrequencyRow((0.002, 0.003, 0.002, 0.001), "As before."),
        (OWN, JACK): FrequencyRow(
            (0.002, 0.004, 0.006, 0.006), "With a handicap, as an opponent's."
        ),
        (OWN, STRIKER): FrequencyRow(
            (0.003, 0.004, 0.004, 0.001), "With a handicap, as an opponent's."
        ),
        (OPP, STRIKER, JACK): FrequencyRow((0.0002, 0.0004, 0.0005, 0.0002), "Everything at once."),
    }
)
"""Chance of each outcome when the jack wins the board. The remainder is a miss."""

QUEEN_TOO: Mapping[Outcome, FrequencyRow] = MappingProxyType(
    {
        (OWN,): FrequencyRow(
            (0.11, 0.18, 0.365, 0.545),
            "A stroke that is aimed at the queen is not aimed at an own piece: one in ten.",
        ),
        (JACK,): FrequencyRow(
            (0.020, 0.030, 0.050, 0.070),
            "The queen is worth several pieces and one of ten that may be aimed at; strong "
            "players go for it when they see its cover.",
        ),
        (OWN, JACK): FrequencyRow(
            (0.0015, 0.0040, 0.0090, 0.0150), "Queen and cover in one stroke, the surest way."
        ),
        (OPP, JACK): FrequencyRow(
            (0.0006, 0.0008, 0.0008, 0.0004), "As an opponent's piece beside an own one, rarer."
        ),
        (STRIKER, JACK): FrequencyRow(
            (0.0015, 0.0025, 0.0025, 0.0010), "The striker follows the queen as any other piece."
        ),
        (OWN, OWN, JACK): FrequencyRow(
            (0.0001, 0.0002, 0.0006, 0.0008), "The pack opens very well."
        ),
        (OWN, STRIKER, JACK): FrequencyRow(
            (0.00015, 0.0004, 0.0004, 0.0002), "Everything wrong after a good shot."
        ),
        (OWN, OPP, JACK): FrequencyRow((0.00015, 0.0002, 0.00025, 0.0002), "One of each."),
    }
)
"""Chance of the outcomes with a queen that may be taken: an own piece is pocketed, nothing is due.
All others are as on a board with a jack. These numbers are derived from those, not counted: the
same people shoot at pieces of about the same size."""

QUEEN_FIRST: Mapping[Outcome, FrequencyRow] = MappingProxyType(
    {
        (JACK,): FrequencyRow(
            (0.060, 0.100, 0.220, 0.400),
            "Everybody aims at the queen: harder than any piece of nine, not as hard as a jack "
            "that stands in the middle.",
        ),
        (OWN,): FrequencyRow(
            (0.030, 0.030, 0.020, 0.010),
            "It loses the board: by accident, and in play with children by oversight.",
        ),
        (OPP,): FrequencyRow((0.050, 0.060, 0.050, 0.020), "As when a jack is played."),
        (STRIKER,): FrequencyRow((0.045, 0.045, 0.030, 0.010), "As before."),
        (OWN, JACK): FrequencyRow(
            (0.005, 0.010, 0.030, 0.050), "Both in one stroke win: strong players plan it."
        ),
        (OPP, JACK): FrequencyRow((0.002, 0.004, 0.006, 0.004), "As when a jack is played, rarer."),
        (STRIKER, JACK): FrequencyRow(
            (0.006, 0.009, 0.011, 0.005), "The striker follows the queen."
        ),
        (OWN, OPP): FrequencyRow((0.001, 0.001, 0.001, 0.0005), "By accident."),
        (OWN, STRIKER): FrequencyRow((0.003, 0.003, 0.002, 0.0005), "By accident."),
        (OPP, OPP): FrequencyRow((0.002, 0.003, 0.002, 0.001), "As before."),
        (OPP, STRIKER): FrequencyRow((0.005, 0.006, 0.005, 0.002), "As before."),
        (OWN, STRIKER, JACK): FrequencyRow(
            (0.00015, 0.0004, 0.0004, 0.0002), "Everything at once."
        ),
        (OWN, OPP, JACK): FrequencyRow((0.00015, 0.0002, 0.00025, 0.0002), "One of each."),
        (OPP, STRIKER, JACK): FrequencyRow((0.0002, 0.0004, 0.0005, 0.0002), "Everything at once."),
    }
)
"""Chance of each outcome with one own piece left and the queen on the board. Argued for,
not counted."""

FEWER: Mapping[PieceRole, FrequencyRow] = MappingProxyType(
    {
        OWN: FrequencyRow(
            (0.55, 0.60, 0.70, 0.85),
            "With one own puck left there is one shot to choose, not the best of twelve; but the "
            "board is open, and a strong player needs no choice.",
        ),
        OPP: FrequencyRow(
            (0.10, 0.10, 0.10, 0.10),
            "Accidents need something to happen to: nearly in proportion to how many are there.",
        ),
        STRIKER: FrequencyRow((1.0, 1.0, 1.0, 1.0), "There is always one striker on its way."),
        JACK: FrequencyRow((1.0, 1.0, 1.0, 1.0), "There is one jack or none."),
    }
)
"""An outcome's chance with few pieces left, as a factor for each of its pieces: this factor with
none left, 1 with all, in between in proportion. A piece that is not there cannot fall."""

STRIKER_LAST = 0.80
"""How often a striker falls after the pieces it hit, which it pushes ahead of itself; otherwise
it falls at any place before the last."""

FLIES_OFF = FrequencyRow(
    (0.030, 0.020, 0.010, 0.004), "A piece jumps the frame: hard shots, thin control."
)
"""Chance that one piece flies off the board in a stroke."""

FLOWN: Mapping[PieceRole, float] = MappingProxyType(
    {STRIKER: 0.55, OWN: 0.20, OPP: 0.20, JACK: 0.05}
)
"""Which piece flies: mostly the striker, which is the fastest, then the pieces that were hit. If
there is no such piece, nothing flies."""

OBVIOUS_FOUL = FrequencyRow(
    (0.020, 0.010, 0.005, 0.002), "A sleeve, a second push, a hand on a piece; seen and called."
)
"""Chance that a stroke is called an obvious foul."""

AREA_HIT = FrequencyRow((0.010, 0.008, 0.004, 0.001), "Only in pairs; the young forget the rule.")
"""Chance that a stroke in pairs hits a piece inside the shooter's own area."""


# --- where it falls ---------------------------------------------------------------------

FAR_POCKETS: Mapping[PieceRole, float] = MappingProxyType(
    {OWN: 0.70, OPP: 0.62, STRIKER: 0.78, JACK: 0.66}
)
"""How often a piece falls into one of the two pockets across the board from the shooter, each
equally often; otherwise it falls into one of the two beside the shooter. Straight shots and cuts
go away from the shooter's side, cushions and cuts back come to it. A striker that falls went
straight on."""

SAME_POCKET: Mapping[PieceRole, float] = MappingProxyType(
    {OWN: 0.35, OPP: 0.35, STRIKER: 0.65, JACK: 0.35}
)
"""How often a piece falls into the pocket of the piece before it, whatever its own distribution:
a striker follows the line of the piece it hit."""

AT_ONCE = 0.30
"""How often two pieces that enter the same pocket one after the other are so close together
that they are one fall; never three."""


# --- how the beam sees it ---------------------------------------------------------------

FLAT_HEIGHT_MM = 9.04
"""The height of a flat disc 8 mm thick and 30 mm across that leans by 2 degrees, the middle of
what ``pulses`` draws (0 to 4)."""
SIZE: Mapping[PieceRole, float] = MappingProxyType(
    {OWN: 30.0, OPP: 30.0, STRIKER: 30.0, JACK: 34.0}
)
"""Diameters in millimetres; pucks and strikers are indistinguishable."""
SIZE_WITH_QUEEN: Mapping[PieceRole, float] = MappingProxyType(
    {OWN: 31.0, OPP: 31.0, STRIKER: 41.3, JACK: 31.0}
)
"""The same on a board with a queen, by the laws of carrom: men and queen are 30.2 to 31.8 mm, a
striker is up to 41.3 mm. It is assumed to be 9 mm thick, a millimetre more than a man, as the
firmware assumes too. No law says how thick it is; the simulated boards take 8 mm."""
STRIKER_THICKER_MM = 1.0
"""How much thicker a carrom striker is than a man."""
DEPTH_MM = CHANCE.depth_mm
"""The beam's depth below the pocket's edge on the board that the table describes."""


def flat_width(kind: PieceRole, depth_mm: float = DEPTH_MM, *, queen: bool = False) -> Skewed:
    """Return how long a flat piece breaks a beam this deep: 11 ms at 30 mm, by free fall.

    Its spread comes from the lean (6 %), the speed at the edge (8 %) and the sensor.
    """
    lean_mm = ((SIZE_WITH_QUEEN if queen else SIZE)[kind] - 30.0) * 0.0349
    if queen and kind is STRIKER:
        lean_mm += STRIKER_THICKER_MM
    return Skewed(passage_ns(FLAT_HEIGHT_MM + lean_mm, depth_mm) / MS, 0.12, high_ms=1_999.0)


def edge_width(kind: PieceRole, depth_mm: float = DEPTH_MM, *, queen: bool = False) -> Skewed:
    """Return how long a piece on edge breaks a beam this deep: 32 ms at 30 mm, by free fall.

    It spreads more than a flat one: away from its middle a disc is less tall.
    """
    size_mm = (SIZE_WITH_QUEEN if queen else SIZE)[kind]
    return Skewed(passage_ns(size_mm, depth_mm) / MS, 0.14, high_ms=1_999.0)


class BeamPassage(StrEnum):
    """How one piece goes through a beam."""

    FLAT = "flat"
    EDGE = "on edge"
    TUMBLING = "tumbling"
    FLICKER = "flicker"
    MISSED = "missed"


MANNERS: Mapping[BeamPassage, float] = MappingProxyType(
    {
        BeamPassage.FLAT: 0.825,
        BeamPassage.EDGE: 0.100,
        BeamPassage.TUMBLING: 0.050,
        BeamPassage.FLICKER: 0.020,
        BeamPassage.MISSED: 0.005,
    }
)
"""How a piece falls: flat, on edge, turning over (two pulses), flat with one more short pulse
before or after (its rim, a reflection), or beside the beam's axis (no pulse). As in ``pulses``,
with misses taken from the flat ones: one in two hundred, until it is measured."""

TUMBLE_PART = 0.34
"""Each of a tumbling piece's two pulses, as a share of its time on edge."""
TUMBLE_SPREAD = 0.20
"""The spread of each of them: the piece turns faster or slower."""
TUMBLE_GAP = Even(3.0, 12.0)
"""Between those two pulses, while its middle is past the beam's axis."""
FLICKER_WIDTH = Even(2.0, 5.0)
"""The short pulse of a flicker; shorter ones count as noise and never arrive."""
FLICKER_GAP = Even(2.0, 14.0)
"""Between the flicker and the piece; a longer gap would make it a fall of its own."""

OVERLAPPED = 0.60
"""How often two pieces at once make one pulse, one lying on the other; otherwise they make two
pulses with a short gap."""
OVERLAP_FLAT = 0.80
"""How often both pieces of one pulse are flat; otherwise one of them is on edge."""
OVERLAP_OF_FLAT = 1.60
"""The length of such a pulse as a multiple of a flat one: the second begins at 60 % of it."""
OVERLAP_OF_EDGE = 1.20
"""Its length as a multiple of one on edge, if one of them is on edge."""
OVERLAP_SPREAD = 0.16
"""The spread of such a pulse: the pieces overlap more or less."""
CLOSE_GAP = Even(1.0, 14.5)
"""Between two pieces at once that do not overlap."""
CLOSE_EDGE = 0.11
"""How often each of those two is on edge; otherwise flat."""

ROLLING = Skewed(1_200.0, 0.40, 300.0, 4_000.0)
"""From the shot to its first fall."""
BETWEEN = Skewed(350.0, 0.80, 1.0, 1_400.0)
"""From one fall of a stroke to the beginning of its next; in the same pocket at least 15 ms after
the end of the previous fall there. Nearly all pieces stop within two seconds of each other."""

SPIKES = 0.02
"""Chance that the wire carries short spikes before and after a fall: long leads."""
SPIKE_COUNT = (1, 4)
"""How many on each side."""
SPIKE_WIDTH = Even(0.05, 1.2)
"""The length of a spike; anything under 2 ms is noise and does not arrive."""
SPIKE_GAP = Even(20.0, 60.0)
"""Between spikes, and between spikes and the fall."""


# --- what else breaks a beam ------------------------------------------------------------

LATE_FALL = FrequencyRow(
    (0.006, 0.006, 0.005, 0.004),
    "A piece hangs on a pocket's mouth and drops when somebody leans on the board.",
)
"""Chance that one more piece falls after a stroke has come to rest."""
LATE_PIECE: Mapping[PieceRole, float] = MappingProxyType({OWN: 0.52, OPP: 0.44, JACK: 0.04})
"""Which piece that is: whatever is near pockets, mostly pucks. If there is none, nothing falls."""
LATE_DELAY = Skewed(3_500.0, 0.60, 1_500.0, 15_000.0)
"""From the last fall of the stroke (from the shot, if there was none) to that of the late one."""

FETCH_DELAY = Skewed(4_500.0, 0.60, 1_450.0, 20_000.0)
"""From the stroke's last fall to the hand that fetches the striker, which is needed again every
time, or the pieces to place. Hands that empty the pockets once a board is over are left out."""
FETCH_IS_SEEN = 0.85
"""How often a hand in a pocket breaks its beam; otherwise it reaches in below or from outside."""
PIECES_A_HAND = 2
"""How many pieces a hand takes out at once."""
HAND_WIDTH = Skewed(350.0, 0.60, 60.0, 1_990.0)
"""How long fingers are in the beam."""
HAND_TWICE = 0.50
"""How often a hand breaks the beam twice, going in and coming out; otherwise once."""
HAND_PAUSE = Skewed(200.0, 0.50, 40.0, 1_000.0)
"""Between going in and coming out."""
HASTY_HAND = FrequencyRow(
    (0.060, 0.040, 0.030, 0.020), "The shooter reaches after the striker at once."
)
"""Chance, after a striker fell, that the hand comes within the stroke, while pieces still move."""
HASTY_DELAY = Skewed(900.0, 0.30, 200.0, 1_400.0)
"""From the end of the last fall to such a hand."""
STRAY_HAND = FrequencyRow(
    (0.020, 0.008, 0.003, 0.001),
    "Somebody checks how many are in; small children play with what is in the pockets.",
)
"""Chance that a hand that fetches nothing breaks a beam between a stroke and the next shot."""
STRAY_DELAY = Skewed(4_000.0, 0.60, 1_450.0, 20_000.0)
"""From the stroke's last fall to a stray hand or a ghost."""
GHOST = FrequencyRow((0.0008, 0.0008, 0.0008, 0.0008), "A moth, a low sun, a knock on the frame.")
"""Chance that a beam breaks for no reason at all between a stroke and the next shot."""
GHOST_WIDTH = Skewed(6.0, 0.80, 2.0, 500.0)
"""How long a beam breaks for no reason: mostly for a moment."""


# --- what shakes a board ----------------------------------------------------------------


class Room(StrEnum):
    """Where a board stands, which decides what shakes it besides strokes."""

    ALONE = "alone"
    """On a table of its own, at home."""
    CLUB = "club"
    """Beside another board, on the same long table."""
    FAIR = "fair"
    """Between two others in a hall with loudspeakers and passers-by."""


LEANS: Mapping[Room, float] = MappingProxyType({Room.ALONE: 1.0, Room.CLUB: 2.0, Room.FAIR: 3.0})
"""How often a minute an arm or a hand is put down on the frame, at any side. A guess."""
DROPS: Mapping[Room, float] = MappingProxyType({Room.ALONE: 0.5, Room.CLUB: 0.5, Room.FAIR: 1.0})
"""How often a minute something is dropped on the board or set down hard: a piece, a ring, a glass;
it bounces. A guess."""
THUMPS: Mapping[Room, float] = MappingProxyType({Room.ALONE: 0.1, Room.CLUB: 0.4, Room.FAIR: 2.0})
"""How often a minute somebody bumps into the table or thumps it. A guess."""
NEIGHBOURS: Mapping[Room, float] = MappingProxyType(
    {Room.ALONE: 0.0, Room.CLUB: 6.0, Room.FAIR: 12.0}
)
"""How many strokes a minute are shot at boards on the same table: one board has six. A guess."""
MUSIC: Mapping[Room, float] = MappingProxyType({Room.ALONE: 0.0, Room.CLUB: 0.0, Room.FAIR: 120.0})
"""How many loud beats a minute come through the floor while music plays. A guess."""
MUSIC_PLAYS = 0.3
"""The share of the time that it plays, for minutes at a time. A guess."""
LEAN_HEIGHT = Skewed(2_500.0, 0.60, 1.0, 60_000.0)
"""How high the disc next to a lean reads, as a reading of the hub. A guess: as for a soft flick."""
DROP_HEIGHT = Skewed(3_000.0, 0.70, 1.0, 60_000.0)
"""The same for something dropped. A guess: 10 g from a hand's height is 10 mN s, on felt less."""
THUMP_HEIGHT = Skewed(3_000.0, 0.80, 1.0, 60_000.0)
"""The same for a thump, all discs about alike. A guess."""
NEIGHBOUR_HEIGHT = Skewed(700.0, 0.60, 1.0, 60_000.0)
"""The same for a neighbour's flick. A guess: two sets of feet and a table top are between."""
MUSIC_HEIGHT = Skewed(500.0, 0.40, 1.0, 60_000.0)
"""The same for a beat. A guess."""
UNEVEN = 0.15
"""How much the logarithms of the discs' readings differ when a blow comes through the table. A
guess: feet do not stand alike."""


# --- people -----------------------------------------------------------------------------

AIMING: Mapping[Strength, Skewed] = MappingProxyType(
    {
        Strength.CHILD: Skewed(7_000.0, 0.50, 1_500.0),
        Strength.BEGINNER: Skewed(9_000.0, 0.50, 2_000.0),
        Strength.CLUB: Skewed(7_000.0, 0.45, 2_500.0),
        Strength.MASTER: Skewed(6_000.0, 0.40, 2_500.0),
    }
)
"""From the end of a stroke to the next shot: the striker is placed, the shot chosen. A child
does not choose, a beginner cannot, a master has chosen before."""

PRESS_DELAY: Mapping[Referee, Skewed] = MappingProxyType(
    {
        Referee.WATCHING: Skewed(1_800.0, 0.40, 400.0, 20_000.0),
        Referee.TABLE_ONLY: Skewed(2_400.0, 0.50, 400.0, 30_000.0),
        Referee.CARELESS: Skewed(3_000.0, 0.70, 400.0, 40_000.0),
    }
)
"""From a stroke's last fall (from 2 s after the shot, if there was none) to the press for it."""

FORGETS_MISS = FrequencyRow((0.01, 0.08, 0.20), "Nothing fell, so only the rule asks for a press.")
"""Chance that nobody presses for a stroke in which nothing fell."""
FORGETS_STROKE = FrequencyRow(
    (0.005, 0.04, 0.12),
    "The board ticks and shows a question; a player who shoots again at once does not look.",
)
"""Chance that nobody presses, before the next stroke, for one in which something fell."""
DOUBLED = FrequencyRow((0.01, 0.03, 0.06), "A nervous finger.")
"""Chance that a press is made twice."""
DOUBLED_GAP = Skewed(280.0, 0.40, 120.0, 1_500.0)
"""From a press to its double, by the same hand."""
BOTH_PRESS = FrequencyRow((0.005, 0.02, 0.05), "Shooter and next player both settle it, politely.")
"""Chance that a second person presses for the same thing."""
BOTH_GAP = Skewed(700.0, 0.60, 50.0, 6_000.0)
"""From a press to the second person's."""
WRONG_SEAT = FrequencyRow((0.0, 0.01, 0.03), "The neighbour's button is just as near.")
"""Chance that a press is made at a seat whose turn it is not."""
EARLY_OK = FrequencyRow((0.005, 0.02, 0.05), "Pressed while pieces still move.")
"""Chance that a press comes 0.6 s after the first fall, not after the last."""
EARLY_AFTER_NS = 600 * MS
"""When it comes."""
OVERLOOKS = FrequencyRow(
    (0.0, 0.10, 0.35),
    "Confirms a reading that is wrong, because the first word fits or nobody reads it.",
)
"""Chance that a wrong first reading is confirmed as it is."""
READS_UNASKED = FrequencyRow(
    (1.0, 0.5, 0.25),
    "A guess: without a question only the tick of the entry is a reason to look; a watching "
    "referee does.",
)
"""Chance that somebody who would have read a question reads what the board entered automatically
instead, if it is set to do so (`auto_confirm`). Those who know such a board wait until it has
entered a stroke or asks about it."""
SPOILS = FrequencyRow((0.0, 0.003, 0.010), "FIX once too often, or FOUL for FIX.")
"""Chance that the press makes a right first reading wrong."""
NOTICES = FrequencyRow(
    (1.0, 0.90, 0.60),
    "The counts on the display and the pucks in the pockets differ; "
    "somebody sees it before the end, or never.",
)
"""Chance that a wrong entry is noticed at all and corrected. It is drawn once for each error: what
stays wrong is not looked at anew. A wrong result, and a last stroke that nobody pressed for, are
such errors too: nobody compares a board's result with the table more closely than anything else."""
NOTICED_AFTER = FrequencyRow(
    (1.0, 2.5, 4.0),
    "In strokes, on average; each further stroke has the same chance to bring it to light.",
)
"""How many further strokes it takes until a wrong entry that is noticed at all is noticed; the end
of its board brings it to light at the latest."""
