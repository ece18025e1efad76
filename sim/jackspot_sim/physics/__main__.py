"""``python -m jackspot_sim.physics``: print the table of sizes and frictions (sim/PHYSICS.md)."""

import sys

from jackspot_sim.physics.page import page

sys.stdout.write(page())
