"""Many whole matches from physics, played before referees and counted.

``matches`` plays one match of computer players on a physical board under simulated beams.
``counting`` watches what the firmware makes of it. ``ceilings`` learns what could be read at
best. ``running`` plays many on all processors, and ``report`` writes it all down. The command is
``jackspot soak``.
"""
