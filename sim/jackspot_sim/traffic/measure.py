"""How good the board's first reading is, compared with the best that is possible.

Generated strokes are read by the board's own readings and by the ceiling, which knows all the
densities and who plays. A stroke counts if a beam saw something of it; it is read right if the
first reading names every piece that fell, each in its pocket. Strokes of which no beam saw anything
have no first reading: the board waits for a press.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from jackspot.core.agreement import agree
from jackspot.core.pieces import Piece
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.readings.reading import Reading, Role, Scene, WidthModel, rank
from jackspot.readings.skill import ANYBODY, skill_of
from jackspot.readings.usual import Each
from jackspot.sensing.events import Fall
from jackspot_sim.chance.frequencies import DEPTH_MM, AimedAt, PieceRole, Referee, Strength
from jackspot_sim.traffic.ceiling import Content, best, content_of, posterior
from jackspot_sim.traffic.matches import TimedTurn, play
from jackspot_sim.traffic.passing import Passage
from jackspot_sim.traffic.shots import Stand

TUNING_SEEDS = range(1, 1_001)
"""Seeds that may be used to look at readings while their numbers are chosen."""
TEST_SEEDS = range(10_001, 20_001)
"""Seeds on which tests hold readings to their aims; nothing is published from them."""
HELD_OUT_SEEDS = range(20_001, 30_001)
"""Seeds of published figures, and of nothing else. Tests had the first of them, too, when the
figures of 22 November 2026 were made."""

SINGLES = agree({"rules": "hikone"})
PAIRS = agree({"rules": "hikone", "seats": ["N", "E", "S", "W"]})
LINEUPS: Mapping[RuleSystem, tuple[MatchSettings, MatchSettings]] = {
    RuleSystem.HIKONE: (SINGLES, PAIRS),
    RuleSystem.ICF: (
        agree({"rules": "icf"}),
        agree({"rules": "icf", "seats": ["N", "W", "S", "E"]}),
    ),
}
"""Matches of two and of four, of each system that there are frequencies for."""
MATCH_SHOTS = 1_000
"""The shots after which children whose match never ends are sent to bed."""

Reader = Callable[[TimedTurn], Content]
"""Returns what fell by a first reading."""


class Figures(Struct, frozen=True):
    """What was measured for one strength, over a number of strokes that were sensed.

    ``right`` and ``best_right`` count strokes that the first reading and the ceiling named
    right. ``ceiling`` is the ceiling's mean probability to be right, which spreads less than
    counting it; ``behind`` is by how much the first reading's is less, and ``spread`` the sum of
    squares of that.
    """

    strokes: int = 0
    right: int = 0
    best_right: int = 0
    ceiling_sum: float = 0.0
    behind_sum: float = 0.0
    behind_squares: float = 0.0

    def with_stroke(
        self, truth: Content, read: Content, chances: Mapping[Content, float]
    ) -> Figures:
        """Count one more stroke."""
        named = best(chances)
        behind = chances[named] - chances.get(read, 0.0)
        return Figures(
            self.strokes + 1,
            self.right + (read == truth),
            self.best_right + (named == truth),
            self.ceiling_sum + chances[named],
            self.behind_sum + behind,
            self.behind_squares + behind * behind,
        )

    @property
    def right_share(self) -> float:
        """How often the first reading was right."""
        return self.right / self.strokes

    @property
    def right_error(self) -> float:
        """Its standard error."""
        return math.sqrt(self.right_share * (1.0 - self.right_share) / self.strokes)

    @property
    def ceiling(self) -> float:
        """How often the best reading is right."""
        return self.ceiling_sum / self.strokes

    @property
    def behind(self) -> float:
        """How much less often the first reading is right than the best one."""
        return self.behind_sum / self.strokes

    @property
    def behind_error(self) -> float:
        """Its standard error: both read the same strokes, so chance has little part in it."""
        mean_square = self.behind_squares / self.strokes
        return math.sqrt(max(mean_square - self.behind**2, 0.0) / self.strokes)


def measure(
    strength: Strength,
    seeds: Iterable[int],
    most_strokes: int,
    read: Reader | None = None,
    depth_mm: float = DEPTH_MM,
    rules: RuleSystem = RuleSystem.HIKONE,
) -> Iterator[Figures]:
    """Measure strokes of generated matches; yield the figures after each one.

    Matches of two and of four take turns. Fewer strokes than asked for are measured when the
    seeds are used up.
    """
    reader = read or board_reader()
    figures = Figures()
    for turn in sensed_turns(strength, seeds, depth_mm, rules):
        if figures.strokes >= most_strokes:
            return
        shot = turn.shot
        chances = posterior(shot.stand, strength, shot.falls, depth_mm)
        figures = figures.with_stroke(content_of(shot.at_first), reader(turn), chances)
        yield figures


def sensed_turns(
    strength: Strength,
    seeds: Iterable[int],
    depth_mm: float = DEPTH_MM,
    rules: RuleSystem = RuleSystem.HIKONE,
) -> Iterator[TimedTurn]:
    """Return the turns of generated matches in which beams saw something of the stroke."""
    for seed in seeds:
        settings = LINEUPS[rules][seed % 2]
        for turn in play(settings, strength, Referee.WATCHING, seed, MATCH_SHOTS, depth_mm):
            if turn.shot.falls:
                yield turn


def board_reader(widths: WidthModel | None = None) -> Reader:
    """Make the reader that the board has, with the widths it starts with or calibrated ones."""
    model = widths or WidthModel()

    def read(turn: TimedTurn) -> Content:
        return content_of(board_readings(turn, model)[0].departures)

    return read


def board_readings(turn: TimedTurn, widths: WidthModel) -> tuple[Reading, ...]:
    """Let the board read the falls of one stroke, with everything before it entered correctly."""
    skill = skill_of(turn.before.steps, turn.shot.stand.seat)
    return rank(scene_of(turn.shot.stand, widths, skill), falls_of(turn.shot.falls))


def scene_of(stand: Stand, widths: WidthModel, skill: Each = ANYBODY) -> Scene:
    """Return the scene that the board knows at this stand."""
    early = Role.QUEEN_EARLY if stand.queen else Role.JACK_EARLY
    roles: dict[PieceRole, Role] = {
        PieceRole.OWN: Role.OWN,
        PieceRole.OPPONENTS: Role.OPPONENT,
        PieceRole.STRIKER: Role.STRIKER,
        PieceRole.JACK: _CENTRE_ROLES.get(stand.aim, early),
    }
    available: dict[Piece, int] = {stand.pieces[kind]: stand.left[kind] for kind in PieceRole}
    return Scene(
        available,
        {stand.pieces[kind]: roles[kind] for kind in PieceRole},
        widths=widths.of_board(stand.pieces[PieceRole.JACK]),
        seat=stand.seat,
        skill=skill,
        full=stand.pieces_each,
    )


_CENTRE_ROLES = {
    AimedAt.JACK: Role.JACK_READY,
    AimedAt.QUEEN_TOO: Role.QUEEN,
    AimedAt.QUEEN_FIRST: Role.QUEEN_FIRST,
}


def falls_of(passages: Sequence[Passage]) -> tuple[Fall, ...]:
    """Return passages as the falls that the board senses, in the order of their beginning."""
    ordered = sorted(passages, key=lambda each: each.start_ns)
    return tuple(
        Fall(number, each.pocket, each.pulses) for number, each in enumerate(ordered, start=1)
    )
