"""Kill a whole board again and again in the middle of a match, and see how the match ends.

This is a program of its own because it forks. Each life of the board is a child process that ends
by SIGKILL at a moment drawn from the seed, and the next life goes on with the same journal.
It prints one JSON object per seed. ``test_kill_board.py`` calls it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from jackspot.core.record import read_record
from jackspot_sim.boards.rehearsal import Fate, exported, rehearse
from jackspot_sim.boards.rig import Rig
from jackspot_sim.people.habits import Habits

DEAD_BEAM = "pocket_ne"
"""In every third match this beam never breaks."""
EARLY = 8
"""Every tenth match first dies within this many moments: set-up is short and so rarely drawn."""
LIVES = 4
"""How many times one match is killed at most."""


def live(
    record: Path,
    journal: Path,
    out: Path,
    die_at: int | None,
    *,
    at_box: bool,
    dead: str | None = None,
) -> int:
    """Run one life of the board in a child; return its exit status as ``os.wait`` has it.

    ``dead`` is a beam that never breaks, so that people enter by hand what falls there.
    ``out`` is left with what the board was doing when it died, or with the record that it exported.
    """
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    status = 1
    try:
        read = read_record(record.read_text(encoding="utf-8"))
        entries = [step.entry for step in read.match.steps]
        fate = Fate(die_at, out)

        def meet(rig: Rig) -> None:
            if dead is not None:
                rig.table.kill(dead)

        rig = rehearse(read.settings, entries, journal, Habits(at_box=at_box), fate, meet=meet)
        out.write_text(f"{fate.moments}\n{exported(rig)}", encoding="utf-8")
        status = 0
    finally:
        if status:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(status)


def one_match(record: Path, seed: int) -> dict[str, object]:
    """Play one match through several deaths; return how it ended."""
    rng = random.Random(seed)
    at_box = bool(seed % 2)
    dead = DEAD_BEAM if seed % 3 == 0 else None
    with tempfile.TemporaryDirectory() as folder:
        journal, out = Path(folder) / "journal.sqlite3", Path(folder) / "out.carom"
        died_at: list[int] = []
        died_in: list[str] = []
        left = EARLY if seed % 10 == 9 else MOMENTS[at_box]
        for _life in range(rng.randint(1, LIVES)):
            die_at = rng.randint(1, max(left, 2))
            status = live(record, journal, out, die_at, at_box=at_box, dead=dead)
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
                break
            killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            if not killed:
                return {"seed": seed, "died_at": died_at, "failed": f"status {status}"}
            died_at.append(die_at)
            died_in.append(out.read_text(encoding="utf-8"))
            left = MOMENTS[at_box] - sum(died_at)
        else:
            status = live(record, journal, out, None, at_box=at_box, dead=dead)
            if status:
                return {"seed": seed, "died_at": died_at, "failed": f"status {status}"}
        text = out.read_text(encoding="utf-8").split("\n", 1)[1]
    return {"seed": seed, "died_at": died_at, "died_in": died_in, "record": text}


MOMENTS: dict[bool, int] = {}


def main() -> None:
    """Kill RECORD through the seeds from FIRST up to but not including LAST."""
    record, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for at_box in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.carom"
            status = live(record, Path(folder) / "j.sqlite3", out, None, at_box=at_box)
            if status:
                sys.exit(f"the match cannot be played even undisturbed: status {status}")
            MOMENTS[at_box] = int(out.read_text(encoding="utf-8").split("\n", 1)[0])
    for seed in range(first, last):
        sys.stdout.write(json.dumps(one_match(record, seed)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
