"""How much the simulation's guesses matter: the soak's figures with each halved and doubled.

    python -m jackspot_sim.soak.sensitivity --matches 20 --seed 7

Most numbers of the boards, beams, discs, heads and people are guesses (``sim/PHYSICS.md``,
``sim/TRAFFIC.md``). Each is changed alone, in a process of its own, before anything there is
computed from it; the same matches are played each time. The firmware does not change: it keeps its
expectations, as it would at a board that differs from what was assumed.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import util
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from jackspot.core.pieces import Piece
from jackspot.core.settings import RuleSystem

if TYPE_CHECKING:
    from jackspot_sim.physics.figures import Figure, Figures, Source

PEOPLE = (
    "LEANS", "DROPS", "THUMPS", "NEIGHBOURS", "LEAN_HEIGHT", "DROP_HEIGHT", "THUMP_HEIGHT",
    "NEIGHBOUR_HEIGHT", "UNEVEN", "FETCH_DELAY", "FETCH_IS_SEEN", "HAND_WIDTH",
    "HAND_TWICE", "HASTY_HAND", "STRAY_HAND", "STRAY_DELAY", "GHOST", "GHOST_WIDTH", "AIMING",
    "PRESS_DELAY", "FORGETS_MISS", "FORGETS_STROKE", "DOUBLED", "BOTH_PRESS", "EARLY_OK",
    "OBVIOUS_FOUL",
)  # fmt: skip
"""The numbers of ``chance.frequencies`` that matter to a referee who watches at a club.

Spikes are among those of the beams."""
FACTORS = (0.5, 2.0)
AT_MOST_ONE = ("friction", "bounce", "chance", "share", "passes", "pass", "dirt", "shines", "worn")
"""Words in the names of numbers that are shares: doubled, they are one at most."""
CHANCES = ("FETCH_IS_SEEN", "HAND_TWICE")


class Guess(Struct, frozen=True):
    """A guess of the simulation: about boards, with its reason, or about people, without one."""

    room: str
    name: str
    why: str = ""

    def __str__(self) -> str:
        """Name it as the pages do."""
        return f"{self.room}: {self.name.lower().replace('_', ' ')}"


class Found(Struct, frozen=True):
    """The results of matches: presses a stroke, first readings right, heard misses wrong, finals.

    ``broken``: why they could not be played, else empty.
    """

    presses: float = 0.0
    right: float = 0.0
    wrong_misses: float = 0.0
    finals: int = 0
    broken: str = ""


def _opened(module: str) -> Any:
    return importlib.import_module(f"jackspot_sim.{module}")


def guesses() -> Iterator[Guess]:
    """Return every guess that a soak of hikone at a club rests on; the sun does not shine there."""
    boards, players = _opened("physics.boards"), _opened("physics.players")
    quality = _opened("sensing.quality")
    tables: dict[str, list[Figures]] = {
        "board": [boards.HIKONE, *boards.HIKONE_PIECES.values()],
        "off the plane": [_opened("physics.effects").FIGURES],
        "player": list(players.FIGURES.values()),
        "rim": [_opened("sensing.falling").FIGURES],
        "beam": [quality.FIGURES, quality.LIGHT],
        "disc": [_opened("physics.discs").FIGURES],
        "head": [_opened("sensing.heads").FIGURES],
    }
    for room, each in tables.items():
        found = {
            figure.why: name
            for name, figure in chain.from_iterable(table.items() for table in each)
            if figure.source == "guess" and figure.value and not name.startswith("sun_")
        }
        yield from (Guess(room, name, why) for why, name in found.items())
    yield from (Guess("people", name) for name in PEOPLE)


def times(name: str, value: float, factor: float) -> float:
    """Return a number ``factor`` times as large; a share stays a share."""
    is_share = any(each in name.split("_") for each in AT_MOST_ONE)
    return min(value * factor, 1.0) if is_share else value * factor


def scaled(value: Any, factor: float, *, chance: bool = False) -> Any:
    """Return one of people's numbers, of any shape, ``factor`` times as large."""
    from jackspot_sim.chance.frequencies import FrequencyRow
    from jackspot_sim.chance.laws import Even, Skewed

    match value:
        case FrequencyRow():
            most = 1.0 if max(value.values) <= 1.0 else math.inf  # some count strokes
            return FrequencyRow(tuple(min(each * factor, most) for each in value.values), value.why)
        case Skewed():
            return Skewed(
                value.median_ms * factor, value.spread, value.low_ms * min(factor, 1.0),
                value.high_ms * max(factor, 1.0),
            )  # fmt: skip
        case Even():
            return Even(value.low_ms * factor, value.high_ms * factor)
        case Mapping():
            return MappingProxyType({key: scaled(each, factor) for key, each in value.items()})
        case _:
            return min(value * factor, 1.0) if chance else value * factor


def change(guess: Guess, factor: float) -> None:
    """Change a guess in this process, which has not imported the simulation yet."""
    if not guess.why:
        people = _opened("chance.frequencies")
        value = getattr(people, guess.name)
        setattr(people, guess.name, scaled(value, factor, chance=guess.name in CHANCES))
        return
    assert "jackspot_sim.physics" not in sys.modules, "its numbers are made already"
    figures = _alone("physics.figures")
    plain: Callable[..., Figure] = figures.Figure

    def figure(value: float, unit: str, source: Source, why: str) -> Figure:
        changed = times(guess.name, value, factor) if why == guess.why else value
        return plain(changed, unit, source, why)

    figures.Figure = figure


def _alone(module: str) -> Any:
    """Import a module without its package, which imports others that are computed from it."""
    name = f"jackspot_sim.{module}"
    path = Path(__file__).parents[1].joinpath(*module.split(".")).with_suffix(".py")
    spec = util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    opened = sys.modules[name] = util.module_from_spec(spec)
    spec.loader.exec_module(opened)
    return opened


def through_no_pocket(system: RuleSystem) -> str:
    """Return why a system cannot be played: a pocket lets a piece not through; else nothing."""
    physics = _opened("physics")
    board = physics.board_of(system)
    pieces = {Piece.STRIKER, *(each.piece for each in physics.opening(system))}
    width_mm, widest = max((physics.disc_of(board, each).diameter_mm, each) for each in pieces)
    if width_mm < board.pocket_mm:
        return ""
    return f"a pocket of {board.pocket_mm:g} mm lets no {widest} of {width_mm:g} mm through"


def play(guess: Guess | None, factor: float, matches: int, seed: int) -> Found:
    """Play matches with one guess changed, or with none, before the referee who watches."""
    if guess is not None:
        change(guess, factor)
    from jackspot.dialogue.state.dialogue_settings import Assistance
    from jackspot_sim.chance.frequencies import Referee, Room
    from jackspot_sim.sensing.heads import HeadQuality
    from jackspot_sim.sensing.quality import Quality
    from jackspot_sim.soak.running import Soak, run

    soak = Soak(
        matches, seed, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,), drops=6,
        room=Room.CLUB, hands=Assistance.FREE, heads=HeadQuality.CLEAN,
    )  # fmt: skip
    if not_through := through_no_pocket(RuleSystem.HIKONE):
        return Found(broken=not_through)
    try:
        counted = run(soak, workers=1).whole
    except Exception as error:  # noqa: BLE001  a board of such a size may not be possible
        return Found(broken=f"{type(error).__name__}: {error}")
    if counted.broken or not counted.tally.strokes:
        return Found(broken=counted.broken[0] if counted.broken else "nobody shot")
    tally = counted.tally
    return Found(
        tally.presses / tally.strokes,
        tally.first_right / max(tally.fell, 1),
        tally.missed_alone_wrong / max(tally.missed_alone, 1),
        tally.finals_wrong,
    )


def row(name: str, less: Found, more: Found) -> str:
    """Write a line of the table: each figure with the guess halved, and doubled."""
    if less.broken and more.broken:
        return f"| {name} | cannot be played | | | |"
    figures = (
        [f"{found.presses:.2f}" for found in (less, more)],
        [f"{100 * found.right:.1f}" for found in (less, more)],
        [f"{100 * found.wrong_misses:.1f}" for found in (less, more)],
        [str(found.finals) for found in (less, more)],
    )
    played = [not found.broken for found in (less, more)]
    cells = [
        " ".join(each if there else "-" for each, there in zip(pair, played, strict=True))
        for pair in figures
    ]
    return f"| {name} | {' | '.join(cells)} |"


def _found(playing: Future[Found]) -> Found:
    """Return what was found; a process that was killed found nothing."""
    try:
        return playing.result()
    except BrokenProcessPool:
        return Found(broken="a process was killed")


def effect(usual: Found, found: Found) -> float:
    """Return by how much presses change; what cannot be played changes nothing."""
    return 0.0 if found.broken else abs(found.presses - usual.presses)


@click.command()
@click.option("--matches", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=None, help="Processes.")
def main(matches: int, seed: int, workers: int | None) -> None:
    """Play the same matches with each guess halved and doubled, and print a table."""
    asked: list[tuple[Guess | None, float]] = [(None, 1.0)]
    asked += [(guess, factor) for guess in guesses() for factor in FACTORS]
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), max_tasks_per_child=1)
    with pool:
        waiting = [pool.submit(play, guess, factor, matches, seed) for guess, factor in asked]
        usual, *others = map(_found, waiting)
    if usual.broken:
        raise click.ClickException(f"nothing to compare with: {usual.broken}")
    click.echo("| guess, halved and doubled | presses a stroke | first readings right, % | heard "
               "misses wrong, % | final scores wrong |\n|---|---|---|---|---|")  # fmt: skip
    click.echo(row("none", usual, usual))
    pairs = list(zip(asked[1::2], others[::2], others[1::2], strict=True))
    pairs.sort(key=lambda each: -max(effect(usual, each[1]), effect(usual, each[2])))
    for (guess, _factor), less, more in pairs:
        click.echo(row(str(guess), less, more))
    for (guess, _factor), *both in pairs:
        for word, found in zip(("halved", "doubled"), both, strict=True):
            if found.broken:
                click.echo(f"{guess}, {word}, cannot be played: {found.broken}")


if __name__ == "__main__":
    main()
