"""What beams make of pieces that really fall: geometry in, pulses on wires out.

``quality`` describes a pocket's sensor, every number with its source, and names some usual
ones. ``falling`` lets a disc fall through a pocket and computes when it is in a beam. ``wires``
puts the pieces of a shot on the pockets' wires, with response time, sunlight and dirt. Pure
values and seeded chance.
"""

from jackspot_sim.sensing.quality import QUALITIES, Quality, Sensor
from jackspot_sim.sensing.wires import SensedFalls, sense, sunlight

__all__ = ["QUALITIES", "Quality", "SensedFalls", "Sensor", "sense", "sunlight"]
