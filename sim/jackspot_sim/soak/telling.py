"""One match of a soak, stroke by stroke: what happened beside what the board has of it."""

from __future__ import annotations

from collections.abc import Iterator

from jackspot.core.entry_text import write_entry
from jackspot_sim.soak.agreed import written
from jackspot_sim.soak.counting import Job
from jackspot_sim.traffic.measures import final_of
from jackspot_sim.traffic.rounds import Round


def told(job: Job) -> Iterator[str]:
    """Play a match again; return its lines."""
    played = Round(job.case, job.turns())
    played.run()
    yield (
        f"match {job.number}, seed {job.seed}: {job.system}, {job.strength}, referee "
        f"{job.referee}, sensors {job.quality}, seats {job.lineup}, "
        f"{'a box' if job.box else 'seat buttons'}"
        + "".join(f", {each}" for each in written(job.options))
    )
    for number, each in enumerate(played.happened, start=1):
        shot = each.turn.shot
        seen = ", ".join(
            f"{passage.pocket} {'+'.join(passage.kinds) or passage.cause} "
            + "/".join(f"{pulse.width_ns / 1e6:.1f} ms" for pulse in passage.pulses)
            for passage in shot.falls
        )
        missed = ", ".join(f"{one.piece}@{one.pocket}" for one in shot.missed)
        yield (
            f"{number:4}  {write_entry(shot.stroke)}"
            + (f"   [{seen}]" if seen else "")
            + (f"   no beam saw {missed}" if missed else "")
        )
    game = played.chain.dialogue.game
    entries = [] if game is None else [entry for line in game.lines for entry in line.entries]
    yield "the board's record:"
    for entry in entries:
        yield f"      {write_entry(entry)}"
    yield from (f"stuck: {each}" for each in played.lost)
    if game is not None:
        true = played.happened[-1].turn.after.state
        same = final_of(game.match.state) == final_of(true)
        yield "the final score is right" if same else f"WRONG: {final_of(game.match.state)}"
        if not same:
            yield f"TRUE:  {final_of(true)}"
