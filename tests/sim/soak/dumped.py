"""A match played on the whole firmware, as the canonical dump of its journal.

The same seed gives the same bytes everywhere: ``python -m tests.sim.soak.dumped points``.
"""

from __future__ import annotations

import sys
from contextlib import closing

from click.testing import CliRunner

from jackspot.commands.dump import command as dump
from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.soak.counting import Job
from jackspot_sim.soak.matches import play
from jackspot_sim.soak.whole import WholeBoard
from jackspot_sim.traffic.rounds import Round


def dumped(system: str) -> bytes:
    """Play a whole match, from the pins to journal and OLED; return the dump."""
    whole = Job(0, 38, RuleSystem(system), Strength.MASTER, Referee.CARELESS, Quality.SUNNY)
    with closing(WholeBoard(whole.case)) as board:
        turns = play(whole.settings, whole.strength, whole.referee, whole.case.seed,
                     QUALITIES[whole.quality], whole.most_shots)  # fmt: skip
        Round(whole.case, turns, board).run()
        done = CliRunner().invoke(dump, ["--journal", str(board.journal)])
        assert done.exit_code == 0, done.output
        return done.stdout_bytes


if __name__ == "__main__":
    sys.stdout.buffer.write(dumped(sys.argv[1]))
