"""``python -m jackspot_sim.sensing``: print the table of sizes and frictions (sim/PHYSICS.md)."""

import sys

from jackspot_sim.sensing.page import page

sys.stdout.write(page())
